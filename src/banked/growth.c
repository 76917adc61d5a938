/* Constants are somewhat above the least that hold for every m from 2 to 1100, with w from 1 in steps of a third to n = 2^22, as
 * plans say (plan.c); primes need half as much again as powers of two. That of theorem 4 holds on average, with room for a
 * round more. */
#include "growth.h"

/* At least 1, and by up to 0.09 above log2: the line between two powers of two. */
static double lg(double x) {
    double power = 1, log = 0;
    while (2 * power <= x) {
        power *= 2;
        log++;
    }
    log += x / power - 1;
    return log > 1 ? log : 1;
}

static double least(double a, double b) { return a < b ? a : b; }

static double bound(ww__problem problem, ww_banked_method method, double m, double w) {
    const double levels = lg(m) / lg(w) > 1 ? lg(m) / lg(w) : 1; /* L */
    const bool sorts = problem == WW__PROBLEM_SORT;
    switch (method) {
    case WW_BANKED_LEMMA1:
        return sorts ? 16 * w * lg(w) : 58 * w;
    case WW_BANKED_THEOREM1:
        return sorts ? 36 * w * lg(m * w) : 490 * w;
    case WW_BANKED_THEOREM2:
    case WW_BANKED_SORTING:
        return 50 * w * lg(m * w) * least(lg(m), levels * levels);
    case WW_BANKED_SHEARSORT:
        return 22 * w * lg(m * w) * lg(m);
    case WW_BANKED_LEMMA2:
        return 920 * w * levels * levels * levels;
    case WW_BANKED_ODDEVEN:
    case WW_BANKED_BITONIC:
        return 4 * w * lg(m * w) * lg(m * w);
    case WW_BANKED_THEOREM4:
        return 44 * (w * lg(lg(lg(m))) + lg(m) * lg(m));
    case WW_BANKED_OFFLINE:
        return 4 * w;
    default: /* conversion */
        return 13 * w;
    }
}

uint64_t ww__banked_bound(ww__problem problem, ww_banked_method method, uint64_t banks, uint64_t columns) {
    return (uint64_t)bound(problem, method, (double)banks, (double)columns) + 1;
}
