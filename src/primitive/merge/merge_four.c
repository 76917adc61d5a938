/* One merge is a chain: which element comes next is known when the last has been compared, some eight cycles of latency.
 * So a tile is cut at three places of its merge path into four merges, which go in step, one element each in turn,
 * without branches. They run unchecked for as many steps as the shortest run that is left is long, and again; when one
 * run is all but used up the four are finished one by one. The cuts are nested (the middle first), so that also runs
 * that are not sorted give each element once. */
#include "primitive/merge/merge_four.h"

#include <string.h>

#include "primitive/merge/order_bits.h"

enum { FOUR_LEAST = 64, STEPS_LEAST = 4 };

/* One element of chain c: `passed` is all ones where it is b's, else 0. */
#define STEP(name, word, c) \
    do { \
        const word first = a[i##c], other = b[j##c]; \
        const bool second = before_##name(other, first); \
        const size_t passed = 0 - (size_t)second; \
        out[c * quarter + k] = second ? other : first; \
        if (from) from[c * quarter + k] = second; \
        i##c += 1 + passed; \
        j##c -= passed; \
    } while (0)

#define SHORTER(n, m) ((n) < (m) ? (n) : (m))

#define MERGE_FOUR(name, word, bits, how) \
    WW__INLINE bool before_##name(word x, word y) { return bits(x) how bits(y); } \
\
    WW__INLINE size_t cut_words_##name(const word *a, size_t na, const word *b, size_t nb, size_t diagonal) { \
        size_t low = diagonal > nb ? diagonal - nb : 0; \
        size_t left = (diagonal < na ? diagonal : na) - low; \
        while (left) { \
            const size_t half = (left + 1) / 2, middle = low + half - 1; \
            low += before_##name(b[diagonal - 1 - middle], a[middle]) ? 0 : half; \
            left -= half; \
        } \
        return low; \
    } \
\
    static void merge_rest_##name(word *out, const word *x, const word *x_end, const word *y, const word *y_end, \
                                  uint8_t *from) { \
        size_t k = 0; \
        while (x < x_end && y < y_end) { \
            const bool second = before_##name(*y, *x); \
            out[k] = second ? *y : *x; \
            if (from) from[k] = second; \
            y += second; \
            x += !second; \
            k++; \
        } \
        const size_t nx = (size_t)(x_end - x), ny = (size_t)(y_end - y); \
        memcpy(out + k, nx ? x : y, (nx + ny) * sizeof(word)); \
        if (from) memset(from + k, !nx, nx + ny); \
    } \
\
    WW__INLINE void merge_words_##name(word *WW__R out, const word *a, size_t na, const word *b, size_t nb, \
                                       uint8_t *WW__R from) { \
        const size_t quarter = (na + nb) / 4; \
        if (na + nb < FOUR_LEAST) { \
            merge_rest_##name(out, a, a + na, b, b + nb, from); \
            return; \
        } \
        const size_t i2_0 = cut_words_##name(a, na, b, nb, 2 * quarter), j2_0 = 2 * quarter - i2_0; \
        const size_t i1_0 = cut_words_##name(a, i2_0, b, j2_0, quarter), j1_0 = quarter - i1_0; \
        const size_t i3_0 = i2_0 + cut_words_##name(a + i2_0, na - i2_0, b + j2_0, nb - j2_0, quarter); \
        const size_t j3_0 = 3 * quarter - i3_0; \
        size_t i0 = 0, i1 = i1_0, i2 = i2_0, i3 = i3_0, j0 = 0, j1 = j1_0, j2 = j2_0, j3 = j3_0, k = 0; \
        for (;;) { \
            const size_t s0 = SHORTER(i1_0 - i0, j1_0 - j0), s1 = SHORTER(i2_0 - i1, j2_0 - j1); \
            const size_t s2 = SHORTER(i3_0 - i2, j3_0 - j2), s3 = SHORTER(na - i3, nb - j3); \
            const size_t s01 = SHORTER(s0, s1), s23 = SHORTER(s2, s3), steps = SHORTER(s01, s23); \
            if (steps < STEPS_LEAST) break; \
            for (const size_t end = k + steps; k < end; k++) { \
                STEP(name, word, 0); \
                STEP(name, word, 1); \
                STEP(name, word, 2); \
                STEP(name, word, 3); \
            } \
        } \
        const size_t i[4] = {i0, i1, i2, i3}, i_end[4] = {i1_0, i2_0, i3_0, na}; \
        const size_t j[4] = {j0, j1, j2, j3}, j_end[4] = {j1_0, j2_0, j3_0, nb}; \
        for (size_t c = 0; c < 4; c++) \
            merge_rest_##name(out + c * quarter + k, a + i[c], a + i_end[c], b + j[c], b + j_end[c], \
                              from ? from + c * quarter + k : NULL); \
    } \
\
    static void merge_##name(void *out, const void *a, size_t na, const void *b, size_t nb, uint8_t *from) { \
        if (from) \
            merge_words_##name(out, a, na, b, nb, from); \
        else \
            merge_words_##name(out, a, na, b, nb, NULL); \
    } \
    static size_t cut_##name(const void *a, size_t na, const void *b, size_t nb, size_t diagonal) { \
        return cut_words_##name(a, na, b, nb, diagonal); \
    }
WW__EACH_ORDER_BITS(MERGE_FOUR)

const ww__merge_four *ww__merge_four_of(const ww_function *order) {
#define LOOPS(name, word, bits, how) {merge_##name, cut_##name},
    static const ww__merge_four loops[] = {WW__EACH_ORDER_BITS(LOOPS)};
#undef LOOPS
    const int at = ww__order_bits(order);
    return at < 0 ? NULL : &loops[at];
}
