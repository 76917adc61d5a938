/* One merge is a chain: which element comes next is known when the last has been compared, some eight cycles of latency.
 * So a tile is cut at three places of its merge path into four merges, which go in step, one element each in turn,
 * without branches. They run unchecked for as many steps as the shortest run that is left is long, and again; when one
 * run is all but used up the four are finished one by one. The cuts are nested (the middle first), so that also runs
 * that are not sorted give each element once. */
#include "primitive/merge/merge_four.h"

#include <string.h>

#include "primitive/merge/order_bits.h"

enum { FOUR_LEAST = 64, STEPS_LEAST = 4 };

#define STEP(name, c) \
    do { \
        const bool second = before_##name(*y##c, *x##c); \
        out[c * quarter + k] = second ? *y##c : *x##c; \
        if (from) from[c * quarter + k] = second; \
        y##c += second; \
        x##c += !second; \
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
    WW__INLINE void merge_rest_##name(word *out, const word *x, const word *x_end, const word *y, const word *y_end, \
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
        const size_t i2 = cut_words_##name(a, na, b, nb, 2 * quarter), j2 = 2 * quarter - i2; \
        const size_t i1 = cut_words_##name(a, i2, b, j2, quarter); \
        const size_t i3 = i2 + cut_words_##name(a + i2, na - i2, b + j2, nb - j2, quarter); \
        const word *x0 = a, *x1 = a + i1, *x2 = a + i2, *x3 = a + i3; \
        const word *y0 = b, *y1 = b + (quarter - i1), *y2 = b + j2, *y3 = b + (3 * quarter - i3); \
        const word *const xe0 = x1, *const xe1 = x2, *const xe2 = x3, *const xe3 = a + na; \
        const word *const ye0 = y1, *const ye1 = y2, *const ye2 = y3, *const ye3 = b + nb; \
        size_t k = 0; \
        for (;;) { \
            const size_t s0 = (size_t)SHORTER(xe0 - x0, ye0 - y0), s1 = (size_t)SHORTER(xe1 - x1, ye1 - y1); \
            const size_t s2 = (size_t)SHORTER(xe2 - x2, ye2 - y2), s3 = (size_t)SHORTER(xe3 - x3, ye3 - y3); \
            const size_t s01 = SHORTER(s0, s1), s23 = SHORTER(s2, s3), steps = SHORTER(s01, s23); \
            if (steps < STEPS_LEAST) break; \
            for (const size_t end = k + steps; k < end; k++) { \
                STEP(name, 0); \
                STEP(name, 1); \
                STEP(name, 2); \
                STEP(name, 3); \
            } \
        } \
        merge_rest_##name(out + k, x0, xe0, y0, ye0, from ? from + k : NULL); \
        merge_rest_##name(out + quarter + k, x1, xe1, y1, ye1, from ? from + quarter + k : NULL); \
        merge_rest_##name(out + 2 * quarter + k, x2, xe2, y2, ye2, from ? from + 2 * quarter + k : NULL); \
        merge_rest_##name(out + 3 * quarter + k, x3, xe3, y3, ye3, from ? from + 3 * quarter + k : NULL); \
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
