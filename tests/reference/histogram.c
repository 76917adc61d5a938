#include "reference/histogram.h"

#include <string.h>

#include "function/types.h"
#include "reference/half.h"

/* a * b, as six digits of 32 bits, the lowest first. */
static void multiply(const uint32_t a[4], uint32_t b, uint32_t product[6]) {
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (uint64_t)a[i] * b;
        product[i] = (uint32_t)carry;
        carry >>= 32;
    }
    product[4] = (uint32_t)carry;
    product[5] = 0;
}

static int compare(const uint32_t a[6], const uint32_t b[6]) {
    for (int i = 5; i >= 0; i--)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The largest q with q * range <= d * bins, for d < range < 2^128. */
static uint64_t divide(const uint32_t d[4], const uint32_t range[4], uint64_t bins) {
    uint32_t wanted[6], tried[6];
    uint64_t low = 0, high = bins;
    multiply(d, (uint32_t)bins, wanted);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        multiply(range, (uint32_t)middle, tried);
        if (compare(tried, wanted) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#define INTEGER(T, label) \
    static uint64_t even_##label(T x, T low, T high, uint64_t bins) { \
        uint32_t d[4] = {0, 0, 0, 0}, range[4] = {0, 0, 0, 0}; \
        if (x < low || x >= high) return bins; \
        const uint64_t distance = (uint64_t)x - (uint64_t)low, width = (uint64_t)high - (uint64_t)low; \
        memcpy(d, &distance, 8); \
        memcpy(range, &width, 8); \
        return divide(d, range, bins); \
    }
#define FLOAT(T, label) \
    static uint64_t even_##label(T x, T low, T high, uint64_t bins) { \
        if (!(x >= low && x < high)) return bins; \
        const double at = ((double)x - (double)low) * (double)bins / ((double)high - (double)low); \
        return (uint64_t)at < bins ? (uint64_t)at : bins - 1; \
    }
WW__EACH_UNSIGNED(INTEGER)
WW__EACH_SIGNED(INTEGER)
WW__EACH_FLOAT(FLOAT)
#if WW_HAS_U128
static uint64_t even_u128(ww_u128 x, ww_u128 low, ww_u128 high, uint64_t bins) {
    uint32_t d[4], range[4];
    if (x < low || x >= high) return bins;
    const ww_u128 distance = x - low, width = high - low;
    memcpy(d, &distance, 16);
    memcpy(range, &width, 16);
    return divide(d, range, bins);
}
static uint64_t even_i128(ww_i128 x, ww_i128 low, ww_i128 high, uint64_t bins) {
    return x < low || x >= high ? bins : even_u128((ww_u128)x - (ww_u128)low, 0, (ww_u128)high - (ww_u128)low, bins);
}
#endif

uint64_t reference_bin_even(const ww_type *type, const void *x, const void *low, const void *high, uint64_t bins) {
#define EVEN(T, label) \
    if (type == &ww_type_##T) return even_##label(*(const T *)x, *(const T *)low, *(const T *)high, bins);
    WW__EACH_NUMBER(EVEN)
    if (reference_is_half(type))
        return even_f64(reference_half_value(type, x), reference_half_value(type, low),
                        reference_half_value(type, high), bins);
    return bins;
}

uint64_t reference_bin_edges(const ww_type *type, const void *x, const void *edges, uint64_t bins) {
    uint64_t below = 0, above = bins + 1; /* edges[below] <= x < edges[above], when x is inside */
#define EDGES(T, label) \
    if (type == &ww_type_##T) { \
        const T *e = edges, value = *(const T *)x; \
        if (!(value >= e[0] && value < e[bins])) return bins; \
        while (above - below > 1) { \
            const uint64_t middle = (below + above) / 2; \
            *(e[middle] <= value ? &below : &above) = middle; \
        } \
    }
    WW__EACH_NUMBER(EDGES)
    if (reference_is_half(type)) { /* edges rise: the last that is not above it */
        const double value = reference_half_value(type, x);
        const uint16_t *e = edges;
        if (!(value >= reference_half_value(type, e) && value < reference_half_value(type, e + bins))) return bins;
        while (reference_half_value(type, e + below + 1) <= value) below++;
    }
    return below;
}

void reference_histogram_even(const ww_type *type, const void *x, size_t n, const void *low, const void *high,
                              uint64_t bins, uint64_t *counts, uint64_t *outside) {
    memset(counts, 0, bins * sizeof *counts);
    *outside = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bin = reference_bin_even(type, (const char *)x + i * type->size, low, high, bins);
        ++*(bin < bins ? &counts[bin] : outside);
    }
}

void reference_histogram_edges(const ww_type *type, const void *x, size_t n, const void *edges, uint64_t bins,
                               uint64_t *counts, uint64_t *outside) {
    memset(counts, 0, bins * sizeof *counts);
    *outside = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bin = reference_bin_edges(type, (const char *)x + i * type->size, edges, bins);
        ++*(bin < bins ? &counts[bin] : outside);
    }
}
