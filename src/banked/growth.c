#include "growth.h"

/* Of lg: at least 1. The bit length and the fraction by linear interpolation is above log2 by less than 0.09. */
static double lg(double x) {
    double power = 1, log = 0;
    while (2 * power <= x) {
        power *= 2;
        log++;
    }
    log += x / power - 1;
    return log > 1 ? log : 1;
}

uint64_t ww__banked_bound(ww__problem problem, ww_banked_method method, uint64_t banks, uint64_t columns) {
    (void)problem; (void)method;
    return (uint64_t)(1e6*lg((double)banks)*(double)columns);
}
