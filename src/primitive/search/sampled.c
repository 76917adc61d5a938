/* A binary search in an array that is larger than the caches misses them at nearly every step, and the pages' tables too.
 * The first steps are made in a small array of samples, which stays in the caches; what is left is a window of the large
 * one, a page or two. A group of searches goes in step, without branches, so that what misses they still have overlap. */
#include "primitive/search/sampled.h"

#include "primitive/merge/order_bits.h"

enum { GROUP = 32 };

/* `right`: whether what is looked for lies behind the element x. */
#define SAMPLED(name, word, bits, how) \
    WW__INLINE bool before_##name(word x, word y) { return bits(x) how bits(y); } \
    WW__INLINE bool right_##name(word x, word wanted, bool upper) { \
        return upper ? !before_##name(wanted, x) : before_##name(x, wanted); \
    } \
\
    /* Moves each base on to the last of n >= 1 elements that may be the one, or the first. */ \
    WW__INLINE void narrow_##name(size_t *base, const word *x, size_t n, const word *wanted, size_t many, \
                                  bool upper) { \
        for (size_t left = n; left > 1;) { \
            const size_t half = left / 2, quarter = (left - half) / 2; \
            for (size_t q = 0; q < many; q++) { \
                base[q] += half & (0 - (size_t)right_##name(x[base[q] + half - 1], wanted[q], upper)); \
                __builtin_prefetch(x + base[q] + (quarter ? quarter - 1 : 0)); \
            } \
            left -= half; \
        } \
    } \
\
    WW__INLINE void bound_words_##name(uint64_t *out, const ww__sampled *s, const word *wanted, size_t m, \
                                       bool upper) { \
        const word *const sorted = s->sorted, *const samples = s->samples; \
        for (size_t g = 0; g < m; g += GROUP, wanted += GROUP) { \
            const size_t many = m - g < GROUP ? m - g : GROUP; \
            size_t base[GROUP] = {0}; \
            narrow_##name(base, samples, s->count, wanted, many, upper); \
            for (size_t q = 0; q < many; q++) { \
                const size_t sample = base[q] + right_##name(samples[base[q]], wanted[q], upper); \
                const size_t first = sample * s->stride, last = s->n - s->stride; \
                base[q] = first < last ? first : last; \
                __builtin_prefetch(sorted + base[q] + s->stride / 2); \
            } \
            narrow_##name(base, sorted, s->stride, wanted, many, upper); \
            for (size_t q = 0; q < many; q++) out[g + q] = base[q] + right_##name(sorted[base[q]], wanted[q], upper); \
        } \
    } \
\
    static void bound_##name(uint64_t *out, const ww__sampled *s, const void *needles, size_t m, bool upper) { \
        if (upper) \
            bound_words_##name(out, s, needles, m, true); \
        else \
            bound_words_##name(out, s, needles, m, false); \
    }
WW__EACH_ORDER_BITS(SAMPLED)

ww__sampled_bound *ww__sampled_of(const ww_function *order) {
#define LOOP(name, word, bits, how) bound_##name,
    static ww__sampled_bound *const loops[] = {WW__EACH_ORDER_BITS(LOOP)};
#undef LOOP
    const int at = ww__order_bits(order);
    return at < 0 ? NULL : loops[at];
}
