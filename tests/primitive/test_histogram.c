/* Histograms against a serial oracle: equal bins, edges, bucket functions; every type and shape; bins by arithmetic
 * at and around every edge, exactly. */
#include <math.h>
#include <stdio.h>

#include "function/check.h"
#include "function/types.h"
#include "primitive/histogram/histogram.h"
#include "reference/histogram.h"
#include "support/cases.h"

#define LISTED(T, label) &ww_type_##T,
static const ww_type *const types[] = {WW__EACH_NUMBER(LISTED)};
enum { TYPES = sizeof types / sizeof *types };

/* Around the limits between the ways of counting, and ones that make shifts and multiplications. */
static const size_t bins_of[] = {1, 2, 7, 100, 256, 1000, 1024, 1025, 4096, 65536};
enum { BINS = sizeof bins_of / sizeof *bins_of };

/* Limits of a range: the whole type, a part of it, few values. */
typedef struct limits {
    unsigned char low[16], high[16];
} limits;

static limits limits_of(const ww_type *type, size_t which) {
    limits l;
    memset(&l, 0, sizeof l);
#define INTEGER(T, label) \
    if (type == &ww_type_##T) { \
        const T half = (T)((T)1 << (8 * sizeof(T) - 2)); \
        const T least = (T)-1 < 1 ? (T)(-half - half) : 0, most = (T)-1 < 1 ? (T)(half - 1 + half) : (T)-1; \
        const T lows[] = {least, (T)(most / 4), 0, 3, (T)(least + 1)}; \
        const T highs[] = {most, (T)(most / 4 * 3), 64, 40, (T)(least + 1 + half)}; \
        memcpy(l.low, &lows[which], sizeof(T)); \
        memcpy(l.high, &highs[which], sizeof(T)); \
    }
#define FLOAT(T, label) \
    if (type == &ww_type_##T) { \
        const T lows[] = {(T)-9300, (T)-0.5, 0, (T)-1e30, (T)1.1}, highs[] = {(T)9300, (T)0.25, 64, (T)1e30, (T)42.1}; \
        memcpy(l.low, &lows[which], sizeof(T)); \
        memcpy(l.high, &highs[which], sizeof(T)); \
    }
    WW__EACH_INTEGER(INTEGER)
    WW__EACH_FLOAT(FLOAT)
    return l;
}
enum { LIMITS = 5 };

static void expect_counts(const guarded *got, bool wide, const uint64_t *wanted, size_t bins) {
    if (wide) {
        expect_elements(got->data, wanted, bins, sizeof *wanted);
    } else {
        uint32_t *narrow = need(bins * sizeof *narrow);
        for (size_t b = 0; b < bins; b++) narrow[b] = (uint32_t)wanted[b];
        expect_elements(got->data, narrow, bins, sizeof *narrow);
        free(narrow);
    }
    guarded_check(got);
}

static ww_array counts_array(const guarded *g, size_t bins, bool wide) {
    return wide ? ww_array((uint64_t *)g->data, bins) : ww_array((uint32_t *)g->data, bins);
}

/* A GPU finds bad data while it works: the next ww_sync says so. */
static ww_status finished(ww_device *device, ww_status status) {
    return on_gpu() && !status ? ww_sync(device) : status;
}

/* What programs are made of besides the bins: on the emulator, whose compiler takes long, the bits of their number alone decide. */
static size_t made_of(size_t bins, size_t otherwise) {
    size_t bits = 0;
    while (bins >> bits) bits++;
    return on_emulator() ? bits : otherwise;
}

static void check_even(ww_device *device, const char *setting, const ww_type *type, size_t n, shape s, size_t bins,
                       size_t which) {
    const bool wide = made_of(bins, n + bins) % 2;
    CASE("even", "%s %s n=%zu %s bins=%zu limits=%zu", setting, type->label, n, shape_name(s), bins, which);
    if (!case_wanted()) return;
    const limits l = limits_of(type, which);
    unsigned char *x = need(n * type->size);
    uint64_t *wanted = need(bins * sizeof *wanted), wanted_outside, outside = 77;
    fill(x, type, type->size, n, s, seed_of_run());
    reference_histogram_even(type, x, n, l.low, l.high, bins, wanted, &wanted_outside);
    guarded counts = guarded_new(bins * (wide ? 8 : 4));
    const bool asked = made_of(bins, n) % 3;
    expect_status(device,
                  ww_histogram_even(device, ww_memory_of(x, n, type), ww_value_of(l.low, type),
                                    ww_value_of(l.high, type), counts_array(&counts, bins, wide),
                                    asked ? ww_array(&outside, 1) : ww_none, NULL),
                  WW_OK);
    expect_counts(&counts, wide, wanted, bins);
    expect(!asked || outside == wanted_outside);
    guarded_free(&counts);
    free(wanted);
    free(x);
}

static void even(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++) {
            if (left_to_gpus(t)) continue;
            size_t sizes;
            const size_t *n = sizes_of(types[t]->size, &sizes);
            for (size_t i = 0; i < sizes; i++)
                check_even(device, setting_name(s), types[t], n[i], (shape)((i + t) % SHAPES),
                           bins_of[(i + 3 * t) % BINS], (i + t + s) % LIMITS);
            for (size_t k = 0; k < SHAPES * LIMITS; k += on_emulator() ? 3 : 1)
                check_even(device, setting_name(s), types[t], 5000, (shape)(k % SHAPES), bins_of[(k + t) % BINS],
                           k % LIMITS);
        }
        ww_close(device);
    }
}

/* One element's bin through the loops of all widths, and the oracle's. */
static void check_bins(ww_device *const *devices, size_t many, const ww_type *type, const void *x, size_t n,
                       const void *low, const void *high, uint64_t bins) {
    uint32_t got[64];
    for (size_t d = 0; d < many; d++) {
        ww__even plan;
        ww__binning binning;
        expect_status(devices[d], ww__even_plan(devices[d], type, low, high, bins, &plan, &binning), WW_OK);
        binning.loop(binning.plan, got, x, n);
        for (size_t i = 0; i < n; i++) {
            const uint64_t wanted = reference_bin_even(type, (const char *)x + i * type->size, low, high, bins);
            expect(got[i] == wanted);
        }
    }
}

/* Every bin's first and last value for random ranges: x = low + ceil(b * range / bins), and the one before. */
static void even_at_edges(void **state) {
    enum { WIDTHS = 3, RANGES = 400, TRIED = 12 };
    ww_device *devices[WIDTHS];
    const size_t many = setting_count_short();
    uint64_t random = seed_of_run();
    (void)state;
    if (left_out_on_gpu("it tries the loops of the CPU's widths")) return;
    for (size_t s = 0; s < many; s++) devices[s] = setting_open(s);
    for (size_t r = 0; r < RANGES; r++) {
        const uint64_t bins = 1 + random_next(&random) % ((uint64_t)1 << (1 + r % 24));
/* The first d of bin b, ceil(b * range / bins), without a wider type: the quotient and the remainder of range apart. */
#define EDGE(U, b, range, bins) \
    ((U)((U)((range) / (bins)) * (U)(b) + (U)((uint64_t)((range) % (bins) * (b) + (bins)-1) / (bins))))
#define AT_EDGES(T, U) \
    { \
        T from = (T)random_next(&random), to = (T)random_next(&random), x[3 * TRIED + 2]; \
        if (sizeof(T) == 16) from = (T)((U)from * (U)random_next(&random)), to = (T)((U)to * (U)random_next(&random)); \
        if (to < from) { \
            const T swapped = from; \
            from = to; \
            to = swapped; \
        } \
        U range = (U)((U)to - (U)from); \
        if (r % 3) range = (U)(range >> (random_next(&random) % (8 * sizeof(T)))); \
        if (r % 5 == 0 && range / bins) range = (U)(bins << (63 - __builtin_clzll((uint64_t)(range / bins) | 1)) / 2); \
        to = (T)((U)from + range); \
        CASE("even at edges", #T " range %zu bins=%llu", r, (unsigned long long)bins); \
        if (range && case_wanted()) { \
            size_t n = 0; \
            for (size_t k = 0; k < TRIED; k++) { \
                const uint64_t b = k == 0 ? 0 : k == 1 ? bins - 1 : random_next(&random) % bins; \
                const U edge = EDGE(U, b, range, bins); \
                x[n++] = (T)((U)from + edge); \
                x[n++] = (T)((U)from + edge - 1); \
                x[n++] = (T)((U)from + edge + 1); \
            } \
            x[n++] = (T)((U)from + range - 1); \
            x[n++] = to; \
            check_bins(devices, many, &ww_type_##T, x, n, &from, &to, bins); \
        } \
    }
        AT_EDGES(uint8_t, uint8_t)
        AT_EDGES(uint16_t, uint16_t)
        AT_EDGES(uint32_t, uint32_t)
        AT_EDGES(uint64_t, uint64_t)
        AT_EDGES(int8_t, uint8_t)
        AT_EDGES(int16_t, uint16_t)
        AT_EDGES(int32_t, uint32_t)
        AT_EDGES(int64_t, uint64_t)
#if WW_HAS_U128
        AT_EDGES(ww_u128, ww_u128)
        AT_EDGES(ww_i128, ww_u128)
#endif
    }
    for (size_t s = 0; s < many; s++) ww_close(devices[s]);
}

/* Every value of 8 bits with every range, and every value of 16 bits with a few. */
static void even_exhaustive(void **state) {
    static const uint64_t counts[] = {1, 2, 3, 5, 16, 100, 255, 256, 257, 1000, 65536, 16777216};
    ww_device *devices[3];
    const size_t many = setting_count_short();
    (void)state;
    if (left_out_on_gpu("it tries the loops of the CPU's widths")) return;
    for (size_t s = 0; s < many; s++) devices[s] = setting_open(s);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        CASE("even exhaustive", "u8 bins=%llu", (unsigned long long)counts[c]);
        for (unsigned high = 1; case_wanted() && high < 256; high += high < 20 ? 1 : 7) {
            const uint8_t low = (uint8_t)(high / 3), to = (uint8_t)high;
            for (unsigned first = 0; first < 256; first += 64) {
                uint8_t x[64];
                for (unsigned i = 0; i < 64; i++) x[i] = (uint8_t)(first + i);
                check_bins(devices, many, &ww_type_uint8_t, x, 64, &low, &to, counts[c]);
            }
        }
        CASE("even exhaustive", "i16 bins=%llu", (unsigned long long)counts[c]);
        if (!case_wanted()) continue;
        const int16_t low = (int16_t)(-32768 + (int)c), to = (int16_t)(32767 - 3 * (int)c);
        for (int first = -32768; first < 32768; first += 64) {
            int16_t x[64];
            for (int i = 0; i < 64; i++) x[i] = (int16_t)(first + i);
            check_bins(devices, many, &ww_type_int16_t, x, 64, &low, &to, counts[c]);
        }
    }
    for (size_t s = 0; s < many; s++) ww_close(devices[s]);
}

/* Whole calls on elements at, just below and just above where bins begin. */
static void even_near_edges(void **state) {
    enum { TRIED = 300, RANGES = 6 };
    static const uint64_t bins_tried[RANGES] = {3, 100, 49, 60, 1000, 37};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
#define NEAR_EDGES(T, label, BELOW, ABOVE) \
    for (size_t r = 0; r < RANGES; r++) { \
        const size_t bins = bins_tried[r]; \
        const limits l = limits_of(&ww_type_##T, r % LIMITS); \
        CASE("even near edges", "%s " #label " limits=%zu bins=%zu", setting_name(s), r % LIMITS, bins); \
        if (!case_wanted()) continue; \
        T low, high, *x = need(3 * TRIED * sizeof *x); \
        memcpy(&low, l.low, sizeof low); \
        memcpy(&high, l.high, sizeof high); \
        for (size_t i = 0; i < TRIED; i++) { \
            const double part = (double)(i % bins) / (double)bins; \
            const T edge = (T)((double)low + ((double)high - (double)low) * part); \
            x[3 * i] = edge; \
            x[3 * i + 1] = (T)(BELOW); \
            x[3 * i + 2] = (T)(ABOVE); \
        } \
        uint64_t *wanted = need(bins * sizeof *wanted), wanted_outside, outside; \
        reference_histogram_even(&ww_type_##T, x, 3 * TRIED, &low, &high, bins, wanted, &wanted_outside); \
        guarded counts = guarded_new(bins * sizeof *wanted); \
        expect_status(device, \
                      ww_histogram_even(device, ww_memory(x, 3 * TRIED), ww_value(T, low), ww_value(T, high), \
                                        counts_array(&counts, bins, true), ww_array(&outside, 1), NULL), \
                      WW_OK); \
        expect_counts(&counts, true, wanted, bins); \
        expect(outside == wanted_outside); \
        guarded_free(&counts); \
        free(wanted); \
        free(x); \
    }
/* Neighbours, wrapping at the type's ends. */
#define NEAR_INTEGERS(T, label) NEAR_EDGES(T, label, (T)((uint64_t)edge - 1), (T)((uint64_t)edge + 1))
        NEAR_INTEGERS(uint32_t, u32)
        NEAR_INTEGERS(int16_t, i16)
        NEAR_INTEGERS(int64_t, i64)
        NEAR_INTEGERS(uint64_t, u64)
        NEAR_EDGES(float, f32, nextafterf(edge, -INFINITY), nextafterf(edge, INFINITY))
        NEAR_EDGES(double, f64, nextafter(edge, -(double)INFINITY), nextafter(edge, (double)INFINITY))
        ww_close(device);
    }
}

/* ---- edges ---- */

static int compare_as(const ww_type *type, const void *a, const void *b) {
#define COMPARE(T, label) \
    if (type == &ww_type_##T) return *(const T *)a < *(const T *)b ? -1 : *(const T *)a > *(const T *)b;
    WW__EACH_NUMBER(COMPARE)
    return 0;
}
static const ww_type *sorted_type;
static int compare_sorted(const void *a, const void *b) { return compare_as(sorted_type, a, b); }

/* Up to `wanted` + 1 distinct rising edges from random elements (no NaN); returns how many bins they make. */
static size_t make_edges(const ww_type *type, shape s, size_t wanted, unsigned char *edges) {
    const size_t size = type->size;
    size_t kept = 0, n = 0;
    unsigned char *drawn = need((wanted + 1) * size);
    fill(drawn, type, size, wanted + 1, s, seed_of_run() + 1);
    for (size_t i = 0; i <= wanted; i++) {
        const unsigned char *e = drawn + i * size;
        if (type->kind != WW_KIND_FLOAT || compare_as(type, e, e) == 0) memmove(drawn + n++ * size, e, size);
    }
    if (type->kind == WW_KIND_FLOAT) { /* NaN compares equal to everything: take them out by hand */
        size_t numbers = 0;
        for (size_t i = 0; i < n; i++) {
            double value = 0;
            float single;
            if (size == 4)
                memcpy(&single, drawn + i * size, 4), value = (double)single;
            else
                memcpy(&value, drawn + i * size, 8);
            if (!isnan(value)) memmove(drawn + numbers++ * size, drawn + i * size, size);
        }
        n = numbers;
    }
    sorted_type = type;
    qsort(drawn, n, size, compare_sorted);
    for (size_t i = 0; i < n; i++)
        if (!kept || compare_as(type, edges + (kept - 1) * size, drawn + i * size) < 0)
            memcpy(edges + kept++ * size, drawn + i * size, size);
    free(drawn);
    return kept ? kept - 1 : 0;
}

static void check_edges(ww_device *device, const char *setting, const ww_type *type, size_t n, shape s,
                        size_t wanted_bins, shape edge_shape) {
    const bool wide = made_of(wanted_bins, n) % 2;
    CASE("edges", "%s %s n=%zu %s bins<=%zu edges %s", setting, type->label, n, shape_name(s), wanted_bins,
         shape_name(edge_shape));
    if (!case_wanted()) return;
    unsigned char *edges = need((wanted_bins + 1) * type->size), *x = need(n * type->size);
    const size_t bins = make_edges(type, edge_shape, wanted_bins, edges);
    uint64_t wanted_outside, outside = 77;
    fill(x, type, type->size, n, s, seed_of_run());
    if (bins) {
        uint64_t *wanted = need(bins * sizeof *wanted);
        /* Some elements are edges. */
        for (size_t i = 0; i < n; i += 5) memcpy(x + i * type->size, edges + i % (bins + 1) * type->size, type->size);
        reference_histogram_edges(type, x, n, edges, bins, wanted, &wanted_outside);
        guarded counts = guarded_new(bins * (wide ? 8 : 4));
        expect_status(device,
                      ww_histogram_edges(device, ww_memory_of(x, n, type), ww_memory_of(edges, bins + 1, type),
                                         counts_array(&counts, bins, wide), ww_array(&outside, 1), NULL),
                      WW_OK);
        expect_counts(&counts, wide, wanted, bins);
        expect(outside == wanted_outside);
        guarded_free(&counts);
        free(wanted);
    }
    free(x);
    free(edges);
}

static void edges(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++) {
            if (left_to_gpus(t + 2)) continue;
            size_t sizes;
            const size_t *n = sizes_of(types[t]->size, &sizes);
            for (size_t i = 0; i < sizes; i += on_emulator() ? 3 : 1 + s % 3)
                check_edges(device, setting_name(s), types[t], n[i], (shape)((i + t) % SHAPES), bins_of[(i + t) % BINS],
                            (shape)((i * 5 + t) % SHAPES));
            for (size_t k = 0; k < SHAPES * SHAPES; k += on_emulator() ? 8 : 1)
                check_edges(device, setting_name(s), types[t], 700, (shape)(k % SHAPES), bins_of[k % (BINS - 1)],
                            (shape)(k / SHAPES));
        }
        ww_close(device);
    }
}

static void edges_beyond_numbers(void **state) {
    ww_device *device = setting_open(0);
    static const double elements[] = {-INFINITY, -1e308, -1, -0.0, 0.0, 1e-320, 5, 1e308, INFINITY, (double)NAN};
    static const double limits[] = {-INFINITY, -1e308, 0, 1, INFINITY};
    const uint64_t wanted[] = {1, 2, 3, 2};
    double *x = memcpy(need(sizeof elements), elements, sizeof elements);
    double *e = memcpy(need(sizeof limits), limits, sizeof limits);
    uint64_t *counts = need(4 * sizeof *counts), outside;
    (void)state;
    CASE("edges", "infinite ones");
    expect_status(
        device,
        ww_histogram_edges(device, ww_memory(x, 10), ww_memory(e, 5), ww_array(counts, 4), ww_array(&outside, 1), NULL),
        WW_OK);
    expect_elements(counts, wanted, 4, 8);
    expect(outside == 2);
    free(counts);
    free(e);
    free(x);
    ww_close(device);
}

/* Edges that do not rise: a GPU sees that while it works. */
static void edges_that_fall(void **state) {
    enum { EDGES = 301 };
    ww_device *device = setting_open(0);
    uint32_t *e = need(EDGES * sizeof *e), *counts = need(EDGES * sizeof *counts);
    (void)state;
    CASE("edges", "that fall");
    for (uint32_t i = 0; i < EDGES; i++) e[i] = 10 * i;
    e[200] = e[199];
    e[250] = 0;
    const ww_input in = ww_counting(&ww_type_uint32_t, 0, 4000), edges = ww_memory(e, EDGES);
    expect_status(device,
                  finished(device, ww_histogram_edges(device, in, edges, ww_array(counts, EDGES - 1), ww_none, NULL)),
                  WW_INVALID);
    expect_sentence(device, "ww_histogram_edges", "edges[200] is not above the edge before it");
    free(counts);
    free(e);
    ww_close(device);
}

/* ---- bucket functions ---- */

WW_MAP(high_byte, uint32_t, uint32_t, x, void, none, { return x >> 24; });
WW_MAP(low_bits, uint32_t, uint32_t, x, uint32_t, mask, { return x & *mask; });
WW_MAP(minus_five, int64_t, int32_t, x, void, none, { return (int64_t)x - 5; });
WW_MAP(thirds, float, float, x, void, none, { return x / 3; });
WW_STRUCT(point, { uint32_t x, y, z; });
WW_MAP(of_point, uint16_t, point, p, void, none, { return (uint16_t)(p.x % 50 + p.y % 50); });
WW_MAP(doubled, uint32_t, uint32_t, x, void, none, { return 2 * x; });

static void check_low_bits(ww_device *device, const char *setting, size_t n, shape s, uint32_t mask, size_t bins,
                           bool wide) {
    CASE("histogram", "%s low bits n=%zu %s mask=%x bins=%zu", setting, n, shape_name(s), mask, bins);
    if (!case_wanted()) return;
    uint32_t *x = need(n * sizeof *x);
    uint64_t *wanted = need(bins * sizeof *wanted), outside = 77, wanted_outside = 0;
    fill(x, &ww_type_uint32_t, 4, n, s, seed_of_run());
    memset(wanted, 0, bins * sizeof *wanted);
    for (size_t i = 0; i < n; i++) ++*((x[i] & mask) < bins ? &wanted[x[i] & mask] : &wanted_outside);
    guarded counts = guarded_new(bins * (wide ? 8 : 4));
    expect_status(device,
                  ww_histogram(device, ww_with(low_bits, &mask), ww_memory(x, n), counts_array(&counts, bins, wide),
                               ww_array(&outside, 1), NULL),
                  WW_OK);
    expect_counts(&counts, wide, wanted, bins);
    expect(outside == wanted_outside);
    if (wanted_outside) {
        size_t first = 0;
        char sentence[64];
        while ((x[first] & mask) < bins) first++;
        snprintf(sentence, sizeof sentence, "in[%zu]", first);
        expect_status(device,
                      finished(device, ww_histogram(device, ww_with(low_bits, &mask), ww_memory(x, n),
                                                    counts_array(&counts, bins, wide), ww_none, NULL)),
                      WW_RANGE);
        expect_sentence(device, on_gpu() ? "ww_histogram (queued): " : "ww_histogram: ", sentence, "low_bits");
        guarded_check(&counts);
    }
    guarded_free(&counts);
    free(wanted);
    free(x);
}

static void functions(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        size_t sizes;
        const size_t *n = sizes_of(4, &sizes);
        for (size_t i = 0; i < sizes; i++)
            for (size_t k = 0; k < SHAPES; k++) {
                const size_t bins = bins_of[(i + k) % BINS];
                check_low_bits(device, setting_name(s), n[i], (shape)k, (uint32_t)(i % 2 ? bins - 1 : 2 * bins), bins,
                               k % 2);
            }
        ww_close(device);
    }
}

static void many_bins(void **state) {
    const size_t many = on_emulator() ? 1 << 14 : 1 << 20;
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        if (!on_emulator()) { /* which has not so much memory */
            check_low_bits(device, setting_name(s), size_large(), UNIFORM, (1 << 24) - 1, 1 << 24, false);
            check_low_bits(device, setting_name(s), 1000, UNIFORM, (1 << 24) - 1, 1 << 24, true);
        }
        check_low_bits(device, setting_name(s), many, SKEWED, (1 << 19) - 1, (1 << 18) + 1, true);
        check_low_bits(device, setting_name(s), many, CONSTANT, (1 << 18) - 1, 1 << 18, true);
        check_low_bits(device, setting_name(s), size_large(), SORTED, (1 << 17) - 1, 1 << 17, false);
        check_low_bits(device, setting_name(s), size_large(), FEW, 65535, 65536, false);
        check_low_bits(device, setting_name(s), size_large(), SKEWED, 255, 256, false);
        /* More of one bin than a block of a GPU counts in 16 bits. */
        check_low_bits(device, setting_name(s), on_emulator() ? 700001 : 10000001, CONSTANT,
                       on_emulator() ? 1023 : 65535, on_emulator() ? 1024 : 65536, false);
        ww_close(device);
    }
}

static void other_inputs(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        static const int32_t integers[] = {4, 5, 6, 7, 6, -2147483647 - 1, 8, 2147483647};
        static const float floats[] = {0, 2.9f, 3, -0.5f, (float)NAN, 1e30f, 5.9f};
        uint64_t outside;
        uint32_t *counts = need(256 * sizeof *counts), wanted[256] = {0};
        int32_t *i = memcpy(need(sizeof integers), integers, sizeof integers);
        float *f = memcpy(need(sizeof floats), floats, sizeof floats);
        const uint32_t seven = 7, low = 10, high = 1010;
        CASE("histogram", "%s inputs that are no memory", setting_name(s));
        expect_status(device,
                      ww_histogram_even(device, ww_counting(&ww_type_uint32_t, 0, 100000), ww_value(uint32_t, low),
                                        ww_value(uint32_t, high), ww_array(counts, 10), ww_array(&outside, 1), NULL),
                      WW_OK);
        for (size_t b = 0; b < 10; b++) expect(counts[b] == 100);
        expect(outside == 99000);
        expect_status(device,
                      ww_histogram_even(device, ww_mapped(&doubled_ww, ww_counting(&ww_type_uint32_t, 0, 100000)),
                                        ww_value(uint32_t, low), ww_value(uint32_t, high), ww_array(counts, 10),
                                        ww_array(&outside, 1), NULL),
                      WW_OK);
        for (size_t b = 0; b < 10; b++) expect(counts[b] == 50);
        expect_status(device,
                      ww_histogram_edges(device, ww_constant(ww_value(uint32_t, seven), 300000),
                                         ww_mapped(&doubled_ww, ww_counting(&ww_type_uint32_t, 0, 257)),
                                         ww_array(counts, 256), ww_none, NULL),
                      WW_OK);
        wanted[3] = 300000;
        expect_elements(counts, wanted, 256, 4);
        expect_status(
            device,
            ww_histogram(device, &minus_five_ww, ww_memory(i, 8), ww_array(counts, 3), ww_array(&outside, 1), NULL),
            WW_OK);
        expect(counts[0] == 1 && counts[1] == 2 && counts[2] == 1 && outside == 4);
        expect_status(device,
                      finished(device, ww_histogram(device, &minus_five_ww, ww_memory(i + 1, 7), ww_array(counts, 4),
                                                    ww_none, NULL)),
                      WW_RANGE);
        expect_sentence(device, "in[4]", "minus_five");
        expect_status(
            device, ww_histogram(device, &thirds_ww, ww_memory(f, 7), ww_array(counts, 2), ww_array(&outside, 1), NULL),
            WW_OK);
        expect(counts[0] == 2 && counts[1] == 2 && outside == 3);
        /* What is just below the end, and rounds to it, is in the last bin. */
        static const double below[] = {0.5, -1, -1e20, 1, -5e19};
        const double from = -1e20, to = 1;
        double *d = memcpy(need(sizeof below), below, sizeof below);
        expect_status(device,
                      ww_histogram_even(device, ww_memory(d, 5), ww_value(double, from), ww_value(double, to),
                                        ww_array(counts, 7), ww_array(&outside, 1), NULL),
                      WW_OK);
        expect(counts[6] == 2 && counts[0] == 1 && counts[3] == 1 && outside == 1);
        free(d);
        enum { POINTS = 70000 };
        point *p = need(POINTS * sizeof *p);
        fill(p, &point_ww, sizeof *p, POINTS, UNIFORM, 5);
        memset(wanted, 0, sizeof wanted);
        for (size_t k = 0; k < POINTS; k++) wanted[p[k].x % 50 + p[k].y % 50]++;
        expect_status(
            device,
            ww_histogram(device, &of_point_ww, ww_memory_of(p, POINTS, &point_ww), ww_array(counts, 99), ww_none, NULL),
            WW_OK);
        expect_elements(counts, wanted, 99, 4);
        free(p);
        free(f);
        free(i);
        free(counts);
        ww_close(device);
    }
}

/* More elements than a u32 counts. Short tests take the plain loops, which are all that Arm has: with clang on this machine
 * instead of in qemu, where it is half a minute. */
static void beyond_32_bits(void **state) {
    (void)state;
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(TESTS_EMULATED)
    left_out("counting 2^32 elements takes too long in a build for debugging, and in qemu");
#else
    if (on_emulator()) {
        left_out("counting 2^32 elements takes too long on the emulator");
        return;
    }
    const size_t setting = tests_are_short() ? setting_count_short() - 1 : 0;
    ww_device *device = setting_open(setting);
    const uint64_t n = ((uint64_t)1 << 32) + 12345;
    const uint8_t seven = 7, low = 0, high = 128;
    uint64_t *counts = need(16 * sizeof *counts), outside;
    CASE("even beyond 32 bits", "%s 2^32 + 12345 equal elements", setting_name(setting));
    if (case_wanted()) {
        expect_status(device,
                      ww_histogram_even(device, ww_constant(ww_value(uint8_t, seven), n), ww_value(uint8_t, low),
                                        ww_value(uint8_t, high), ww_array(counts, 16), ww_array(&outside, 1), NULL),
                      WW_OK);
        expect(counts[0] == n && outside == 0);
        for (size_t b = 1; b < 16; b++) expect(counts[b] == 0);
        uint32_t *narrow = (uint32_t *)(void *)counts;
        expect_status(device,
                      ww_histogram_even(device, ww_constant(ww_value(uint8_t, seven), n), ww_value(uint8_t, low),
                                        ww_value(uint8_t, high), ww_array(narrow, 16), ww_none, NULL),
                      WW_TYPE);
    }
    free(counts);
    ww_close(device);
#endif
}

/* ---- elements of one byte, of which a GPU counts so many in other ways ---- */

typedef enum bytes_shape { BYTES_EQUAL, BYTES_ANY, BYTES_SHAPES } bytes_shape;

/* How often each byte occurs, and the first position of one from `bins` on, or n. */
static size_t fill_bytes(uint8_t *x, size_t n, bytes_shape sh, size_t bins, uint64_t *occurs) {
    uint64_t random = seed_of_run() + n;
    size_t first = n;
    memset(occurs, 0, 256 * sizeof *occurs);
    for (size_t i = 0; i < n; i++) {
        x[i] = sh == BYTES_EQUAL ? 77 : (uint8_t)(random_next(&random) >> 9);
        if (sh == BYTES_ANY && i < n / 2) x[i] = (uint8_t)(x[i] % bins);
        occurs[x[i]]++;
        if (x[i] >= bins && first == n) first = i;
    }
    return first;
}

static void check_bytes(ww_device *device, const uint8_t *x, size_t n, size_t bins, size_t first,
                        const uint64_t *occurs) {
    uint64_t beyond = 0, wanted[4] = {0}, signs[2] = {0};
    guarded counts = guarded_new(bins * 8), outside = guarded_new(8), even = guarded_new(sizeof wanted);
    const uint8_t low = 0, high = 200;
    const int8_t edges[] = {-128, 0, 127};
    for (size_t b = 0; b < 256; b++) {
        if (b >= bins) beyond += occurs[b];
        if (b < high) wanted[b / 50] += occurs[b];
        if (b != 127) signs[b < 128] += occurs[b];
    }
    expect_status(device,
                  ww_bincount(device, ww_memory(x, n), ww_array((uint64_t *)counts.data, bins),
                              ww_array((uint64_t *)outside.data, 1), NULL),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(counts.data, occurs, bins, 8);
    expect(*(uint64_t *)outside.data == beyond);
    const ww_status status = ww_bincount(device, ww_memory(x, n), ww_array((uint64_t *)counts.data, bins), ww_none,
                                         NULL);
    expect_status(device, on_gpu() && !status ? ww_sync(device) : status, beyond ? WW_RANGE : WW_OK);
    if (beyond) {
        char position[32];
        snprintf(position, sizeof position, "in[%zu]", first);
        expect_sentence(device, position);
    }
    expect_status(device,
                  ww_histogram_even(device, ww_memory(x, n), ww_value(uint8_t, low), ww_value(uint8_t, high),
                                    ww_array((uint64_t *)even.data, 4), ww_none, NULL),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(even.data, wanted, 4, 8);
    expect_status(device,
                  ww_histogram_edges(device, ww_memory((const int8_t *)x, n), ww_memory(edges, 3),
                                     ww_array((uint64_t *)even.data, 2), ww_none, NULL),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(even.data, signs, 2, 8);
    guarded_check(&counts), guarded_check(&outside), guarded_check(&even);
    guarded_free(&counts), guarded_free(&outside), guarded_free(&even);
}

static void of_bytes(void **state) {
    (void)state;
    const size_t sizes[] = {499, 500, 5003, 70000,
                            on_gpu() && !on_emulator() ? (size_t)1 << 25 : 300000}; /* all of a counter's range */
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int sh = 0; sh < BYTES_SHAPES; sh++)
                for (size_t bins = sizes[k] > 70000 ? 300 : 100; bins <= 300; bins += 100) {
                    CASE("bytes", "%s n=%zu %s bins=%zu", setting_name(s), sizes[k], sh ? "any" : "equal", bins);
                    if (!case_wanted()) continue;
                    uint64_t occurs[512] = {0};
                    uint8_t *x = need(sizes[k]);
                    const size_t first = fill_bytes(x, sizes[k], (bytes_shape)sh, bins, occurs);
                    check_bytes(device, x, sizes[k], bins, first, occurs);
                    free(x);
                }
        ww_close(device);
    }
}

/* ---- the documented scratch bound ---- */

static size_t counters(size_t bins) { return bins <= 1 << 10 ? 8 : bins <= 1 << 18 ? 5 : 1; }

static void scratch(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound of the CPU")) return;
    ww_device *device = setting_open(0);
    const size_t n = 1 << 21;
    uint32_t *x = need(n * sizeof *x), *counts = need(sizeof *counts << 24);
    const uint32_t low = 0, high = UINT32_MAX;
    uint32_t all = UINT32_MAX;
    fill(x, &ww_type_uint32_t, 4, n, UNIFORM, 3);
    for (unsigned bits = 0; bits <= 24; bits++) {
        const size_t bins = (size_t)1 << bits;
        ww_device_info info = WW_DEVICE_INFO;
        uint64_t outside;
        CASE("scratch", "bins=%zu", bins);
        if (!case_wanted()) continue;
        ww_scratch_trim(device);
        expect_status(device,
                      ww_histogram_even(device, ww_memory(x, n), ww_value(uint32_t, low), ww_value(uint32_t, high),
                                        ww_array(counts, bins), ww_none, NULL),
                      WW_OK);
        expect_status(device,
                      ww_histogram(device, ww_with(low_bits, &all), ww_memory(x, n), ww_array(counts, bins),
                                   ww_array(&outside, 1), NULL),
                      WW_OK);
        ww_device_info_get(device, &info);
        expect(info.scratch_peak <= 65536 + info.threads * (65536 + 4 * counters(bins) * bins));
    }
    free(counts);
    free(x);
    ww_close(device);
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[64] = {0}, counts[16], low = 3, high = 9, falling[] = {1, 2, 2, 3};
    uint64_t outside;
    const float f[] = {0, 1}, nan = (float)NAN, one = 1, edges[] = {0, (float)NAN, 1};
    const double d = 0, huge = 1e308;
    const ww_input in = ww_memory(x, 64);
    CASE("refused", "arguments");
    memset(counts, 0x5A, sizeof counts);
    const ww_array c = ww_array(counts, 8);
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        for (size_t b = 0; b < 16; b++) expect(counts[b] == 0x5A5A5A5A); \
    } while (0)
    REFUSED(WW_INVALID,
            ww_histogram_even(device, in, ww_value(uint32_t, high), ww_value(uint32_t, low), c, ww_none, NULL),
            "ww_histogram_even: ", "9", "3");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, low), c, ww_none, NULL), "3");
    REFUSED(
        WW_INVALID,
        ww_histogram_even(device, in, ww_value_of(NULL, &ww_type_uint32_t), ww_value(uint32_t, low), c, ww_none, NULL),
        "low is NULL");
    REFUSED(
        WW_INVALID,
        ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value_of(NULL, &ww_type_uint32_t), c, ww_none, NULL),
        "high is NULL");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, ww_memory(f, 2), ww_value(float, nan), ww_value(float, one), c, ww_none, NULL),
            "low");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, ww_constant(ww_value(double, d), 4), ww_value(double, d), ww_value(double, huge),
                              c, ww_none, NULL),
            "beyond");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, ww_no_input, ww_value(uint32_t, low), ww_value(uint32_t, high), c, ww_none, NULL),
            "in is missing");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), ww_none, ww_none, NULL),
            "counts");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), ww_array(counts, 0),
                              ww_none, NULL),
            "0 bins");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high),
                              ww_array(counts, (1 << 24) + 1), ww_none, NULL),
            "16777217");
    REFUSED(WW_TYPE,
            ww_histogram_even(device, ww_record_memory(x, 16, 4), ww_value(uint32_t, low), ww_value(uint32_t, high), c,
                              ww_none, NULL),
            "rec");
    REFUSED(WW_TYPE,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high),
                              ww_array((float *)counts, 8), ww_none, NULL),
            "f32");
    REFUSED(WW_TYPE,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), c, ww_array(x, 1), NULL),
            "outside");
    REFUSED(WW_INVALID,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), c, ww_array(&outside, 0),
                              NULL),
            "outside");
    REFUSED(WW_OVERLAP,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), ww_array(x + 60, 8),
                              ww_none, NULL),
            "counts");
    REFUSED(WW_OVERLAP,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), c,
                              ww_array((uint64_t *)(void *)counts, 1), NULL),
            "outside");
    REFUSED(WW_INVALID, ww_histogram_edges(device, in, ww_memory(falling, 4), ww_array(counts, 3), ww_none, NULL),
            "edges[2]");
    REFUSED(WW_INVALID,
            ww_histogram_edges(device, ww_memory(f, 2), ww_memory(edges, 3), ww_array(counts, 2), ww_none, NULL),
            "edges[1]");
    REFUSED(WW_INVALID, ww_histogram_edges(device, in, ww_memory(falling, 3), c, ww_none, NULL), "3 edges", "9");
    REFUSED(WW_TYPE, ww_histogram_edges(device, in, ww_memory(f, 2), ww_array(counts, 1), ww_none, NULL), "f32");
    REFUSED(WW_OVERLAP, ww_histogram_edges(device, in, ww_memory(counts, 9), c, ww_none, NULL), "edges");
    REFUSED(WW_INVALID, ww_histogram(device, NULL, in, c, ww_none, NULL), "NULL");
    REFUSED(WW_TYPE, ww_histogram(device, &ww_add, in, c, ww_none, NULL), "add");
    REFUSED(WW_TYPE, ww_histogram(device, &thirds_ww, in, c, ww_none, NULL), "thirds");
    expect(ww_histogram(NULL, &high_byte_ww, in, c, ww_none, NULL) == WW_INVALID);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even),
        cmocka_unit_test(even_at_edges),
        cmocka_unit_test(even_exhaustive),
        cmocka_unit_test(even_near_edges),
        cmocka_unit_test(edges),
        cmocka_unit_test(edges_beyond_numbers),
        cmocka_unit_test(edges_that_fall),
        cmocka_unit_test(functions),
        cmocka_unit_test(many_bins),
        cmocka_unit_test(other_inputs),
        cmocka_unit_test(beyond_32_bits),
        cmocka_unit_test(of_bytes),
        cmocka_unit_test(scratch),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
