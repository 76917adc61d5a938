/* As a merge is (function_loops.h), a set of two runs is one long chain of comparisons. A block is cut into four parts that go
 * in step, without branches. The three cuts are made where a run of equal elements begins, so that none is cut in two;
 * a block that is one run is then worked through by one chain. */
#include "primitive/set/set_four.h"

#include <string.h>

#include "primitive/merge/order_bits.h"

enum { FOUR_LEAST = 64, STEPS_LEAST = 4, AHEAD = 1024 /* bytes */ };

#define FETCH(c) (__builtin_prefetch((const char *)x[c] + AHEAD), __builtin_prefetch((const char *)y[c] + AHEAD))

/* One step of one chain: the smaller element is passed, equal ones are passed together. */
#define STEP(name, c) \
    do { \
        const bool pass_x = !before_##name(*y[c], *x[c]), pass_y = !before_##name(*x[c], *y[c]); \
        *o[c] = kind != WW__SET_UNION || pass_x ? *x[c] : *y[c]; \
        o[c] += kind == WW__SET_UNION ? 1 : kind == WW__SET_INTERSECTION ? pass_x & pass_y : !pass_y; \
        x[c] += pass_x; \
        y[c] += pass_y; \
    } while (0)

#define SET_FOUR(name, word, bits, how) \
    WW__INLINE bool before_##name(word x, word y) { return bits(x) how bits(y); } \
\
    static size_t bound_##name(const word *x, size_t n, word wanted) { \
        size_t low = 0; \
        for (size_t left = n; left;) { \
            const size_t half = (left + 1) / 2; \
            low += before_##name(x[low + half - 1], wanted) ? half : 0; \
            left -= half; \
        } \
        return low; \
    } \
\
    /* i and j: where the run of equal elements begins in which the merge path crosses the diagonal. */ \
    static void cut_##name(const word *a, size_t na, const word *b, size_t nb, size_t diagonal, size_t *i, \
                           size_t *j) { \
        size_t low = diagonal > nb ? diagonal - nb : 0; \
        for (size_t left = WW__SHORTER(diagonal, na) - low; left;) { \
            const size_t half = (left + 1) / 2, middle = low + half - 1; \
            low += before_##name(b[diagonal - 1 - middle], a[middle]) ? 0 : half; \
            left -= half; \
        } \
        const size_t high = diagonal - low; \
        *i = low; \
        *j = high; \
        if (low == na && high == nb) return; \
        const word next = low < na && (high == nb || !before_##name(b[high], a[low])) ? a[low] : b[high]; \
        *i = bound_##name(a, low, next); \
        *j = bound_##name(b, high, next); \
    } \
\
    WW__INLINE size_t set_words_##name(ww__set_kind kind, word *out, const word *a, size_t na, const word *b, \
                                       size_t nb) { \
        size_t i[5] = {0, 0, 0, 0, na}, j[5] = {0, 0, 0, 0, nb}; \
        if (na + nb >= FOUR_LEAST) { \
            const size_t quarter = (na + nb) / 4; \
            cut_##name(a, na, b, nb, 2 * quarter, &i[2], &j[2]); \
            cut_##name(a, i[2], b, j[2], WW__SHORTER(quarter, i[2] + j[2]), &i[1], &j[1]); \
            const size_t after = na - i[2] + nb - j[2]; \
            cut_##name(a + i[2], na - i[2], b + j[2], nb - j[2], WW__SHORTER(quarter, after), &i[3], &j[3]); \
            i[3] += i[2]; \
            j[3] += j[2]; \
        } \
        const word *x[4], *y[4], *x_end[4], *y_end[4]; \
        word *o[4], *begin[4]; \
        for (int c = 0; c < 4; c++) { \
            x[c] = a + i[c]; \
            y[c] = b + j[c]; \
            x_end[c] = a + i[c + 1]; \
            y_end[c] = b + j[c + 1]; \
            begin[c] = o[c] = out + i[c] + (kind == WW__SET_UNION ? j[c] : 0); \
            for (size_t f = 0; f < AHEAD; f += 64) { \
                __builtin_prefetch((const char *)x[c] + f); \
                __builtin_prefetch((const char *)y[c] + f); \
            } \
        } \
        for (;;) { \
            size_t steps = 64 / sizeof(word); \
            for (int c = 0; c < 4; c++) { \
                const size_t s = (size_t)WW__SHORTER(x_end[c] - x[c], y_end[c] - y[c]); \
                steps = WW__SHORTER(steps, s); \
                FETCH(c); \
            } \
            if (steps < STEPS_LEAST) break; \
            for (; steps; steps--) { \
                STEP(name, 0); \
                STEP(name, 1); \
                STEP(name, 2); \
                STEP(name, 3); \
            } \
        } \
        size_t made = 0; \
        for (int c = 0; c < 4; c++) { \
            while (x[c] < x_end[c] && y[c] < y_end[c]) STEP(name, c); \
            if (kind != WW__SET_INTERSECTION) \
                while (x[c] < x_end[c]) *o[c]++ = *x[c]++; \
            if (kind == WW__SET_UNION) \
                while (y[c] < y_end[c]) *o[c]++ = *y[c]++; \
            const size_t n = (size_t)(o[c] - begin[c]); \
            memmove(out + made, begin[c], n * sizeof(word)); \
            made += n; \
        } \
        return made; \
    } \
\
    static size_t union_##name(void *out, const void *a, size_t na, const void *b, size_t nb) { \
        return set_words_##name(WW__SET_UNION, out, a, na, b, nb); \
    } \
    static size_t intersection_##name(void *out, const void *a, size_t na, const void *b, size_t nb) { \
        return set_words_##name(WW__SET_INTERSECTION, out, a, na, b, nb); \
    } \
    static size_t difference_##name(void *out, const void *a, size_t na, const void *b, size_t nb) { \
        return set_words_##name(WW__SET_DIFFERENCE, out, a, na, b, nb); \
    }
WW__EACH_ORDER_BITS(SET_FOUR)

ww__set_block *ww__set_four_of(ww__set_kind kind, const ww_function *order) {
#define LOOPS(name, word, bits, how) {union_##name, intersection_##name, difference_##name},
    static ww__set_block *const blocks[][WW__SET_KINDS] = {WW__EACH_ORDER_BITS(LOOPS)};
#undef LOOPS
    const int at = ww__order_bits(order);
    return at < 0 ? NULL : blocks[at][kind];
}
