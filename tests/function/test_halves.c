/* f16 and bf16: every bit pattern converted, and what folds, compares, counts and splits them, beside oracles that go by their values. */
#include <math.h>

#include "reference/gather.h"
#include "reference/half.h"
#include "reference/histogram.h"
#include "reference/inputs.h"
#include "reference/order.h"
#include "reference/reduce.h"
#include "reference/scan.h"
#include "support/cases.h"
#include "support/groups.h"

static const ww_type *const types[] = {&ww_type_ww_f16, &ww_type_ww_bf16};
enum { TYPES = 2, PATTERNS = 65536 };

/* ---- the words that bodies have ---- */

static float to_float(const ww_type *type, uint16_t bits) {
    return type == &ww_type_ww_f16 ? ww_float_of_f16((ww_f16){bits}) : ww_float_of_bf16((ww_bf16){bits});
}
static uint16_t of_float(const ww_type *type, float x) {
    return type == &ww_type_ww_f16 ? ww_f16_of_float(x).bits : ww_bf16_of_float(x).bits;
}

static void every_pattern(void **state) {
    (void)state;
    CASE("halves", "every pattern");
    if (!case_wanted()) return;
    for (size_t t = 0; t < TYPES; t++)
        for (uint32_t p = 0; p < PATTERNS; p++) {
            const uint16_t bits = (uint16_t)p;
            const double value = reference_half_value(types[t], &bits);
            const float got = to_float(types[t], bits);
            if (isnan(value)) {
                expect(ww_bits_float(got) == 0x7FC00000u);
                expect(of_float(types[t], got) == (t ? 0x7FC0 : 0x7E00));
            } else {
                expect((double)got == value && !signbit(got) == !signbit(value));
                expect(of_float(types[t], got) == bits);
            }
        }
}

/* Halves, what lies half-way between two, and the floats next to both. */
static void every_tie(void **state) {
    (void)state;
    CASE("halves", "every tie");
    if (!case_wanted()) return;
    for (size_t t = 0; t < TYPES; t++)
        for (uint32_t p = 0; p < PATTERNS; p++) {
            const uint32_t half_step = t ? 0x8000 : 0x1000;
            const float at = to_float(types[t], (uint16_t)p);
            if (isnan(at)) continue;
            const float next = to_float(types[t], (uint16_t)(p + 1));
            const float middle = isfinite(next) ? at / 2 + next / 2 : ww_float_of_bits(ww_bits_float(at) + half_step);
            const float tried[] = {at,     nextafterf(at, INFINITY),     nextafterf(at, -INFINITY),
                                   middle, nextafterf(middle, INFINITY), nextafterf(middle, -INFINITY)};
            for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
                uint16_t wanted;
                reference_put_half(types[t], (double)tried[k], &wanted);
                expect(of_float(types[t], tried[k]) == wanted);
            }
        }
    for (size_t t = 0; t < TYPES; t++) {
        uint64_t random = seed_of_run() + t;
        for (size_t i = 0; i < 100000; i++) {
            const float x = ww_float_of_bits((uint32_t)random_next(&random));
            uint16_t wanted;
            reference_put_half(types[t], (double)x, &wanted);
            expect(of_float(types[t], x) == wanted);
        }
    }
}

/* ---- casts ---- */

/* All halves to every type; and what lies near halves to them, of types with more bits than a float. */
static void casts(void **state) {
    (void)state;
    static const char *const labels[] = {"f32", "f64", "u8", "i16", "u64", "f16", "bf16", "i64", "u32", "i32", "u128", "i128"};
    uint16_t *all = need(PATTERNS * sizeof *all);
    for (uint32_t p = 0; p < PATTERNS; p++) all[p] = (uint16_t)p;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++)
            for (size_t l = 0; l < sizeof labels / sizeof *labels; l++) {
                const ww_type *other = ww_type_named(labels[l]);
                if (!other) continue; /* of 128 bits */
                const size_t n = on_emulator() ? PATTERNS / 8 : PATTERNS;
                const uint16_t *some = all + (on_emulator() ? (s + t + l) % 8 * n : 0);
                CASE("halves", "%s %s and %s", setting_name(s), types[t]->label, other->label);
                if (!case_wanted() || (on_emulator() && (l + t) % 3)) continue;
                guarded out = guarded_new(n * other->size), back = guarded_new(n * 2);
                unsigned char *wanted = need(n * 16);
                reference_cast(wanted, other, some, types[t], n);
                expect_status(
                    device,
                    ww_store(device, ww_cast(other, ww_memory_of(some, n, types[t])), ww_array_of(out.data, n, other)),
                    WW_OK);
                expect_status(device, ww_sync(device), WW_OK);
                expect_elements(out.data, wanted, n, other->size);
                uint64_t random = seed_of_run() + l;
                for (size_t i = 0; i < n; i++) { /* one less, itself, one more; or any */
                    uint64_t x = 0, both[2] = {0, 0};
                    if (other == &ww_type_double) {
                        const double near = (double)to_float(types[t], (uint16_t)(i * 7)) *
                                            (1 + (double)(int)(i % 3 - 1) * 0x1p-52) * (i % 2 ? 1 : 1 + 0x1p-8);
                        memcpy(&x, &near, sizeof near);
                    } else {
                        const unsigned shift = (unsigned)(random_next(&random) % 40);
                        x = (random_next(&random) >> 52 << shift) + random_next(&random) % 3 - 1;
                        if (i % 2) x = 0 - x;
                    }
                    both[i % 3 == 0 && other->size == 16] = x;
                    memcpy((unsigned char *)out.data + i * other->size, both, other->size);
                }
                if (!reference_is_half(other)) {
                    reference_cast(wanted, types[t], out.data, other, n);
                    expect_status(device,
                                  ww_store(device, ww_cast(types[t], ww_memory_of(out.data, n, other)),
                                           ww_array_of(back.data, n, types[t])),
                                  WW_OK);
                    expect_status(device, ww_sync(device), WW_OK);
                    expect_elements(back.data, wanted, n, 2);
                }
                guarded_check(&out), guarded_check(&back);
                guarded_free(&out), guarded_free(&back);
                free(wanted);
            }
        ww_close(device);
    }
    free(all);
}

/* ---- folds ---- */

static void add_floats(void *r, const void *a, const void *b) { *(float *)r = *(const float *)a + *(const float *)b; }
static void multiply_floats(void *r, const void *a, const void *b) {
    *(float *)r = *(const float *)a * *(const float *)b;
}

typedef struct world {
    const ww_type *type;
    uint16_t *x;
    float *wide; /* the same */
    size_t n;
} world;

static world world_new(const ww_type *type, size_t n, shape s) {
    world w = {type, need(n * 2), need(n * 4), n};
    fill(w.x, type, 2, n, s, seed_of_run() + n);
    for (size_t i = 0; i < n; i++) w.wide[i] = (float)reference_half_value(type, w.x + i);
    return w;
}
static void world_free(world *w) {
    free(w->x);
    free(w->wide);
}

static void put_halves(const ww_type *type, uint16_t *to, const float *from, size_t n) {
    for (size_t i = 0; i < n; i++) reference_put_half(type, (double)from[i], to + i);
}

static void check_reduce(ww_device *device, world *w, const ww_function *op) {
    const float identity = op == &ww_mul ? 1 : 0;
    float sum;
    uint16_t wanted;
    guarded out = guarded_new(2);
    reference_reduce_tree(&sum, w->wide, w->n, 4, true, op == &ww_mul ? multiply_floats : add_floats, &identity);
    put_halves(w->type, &wanted, &sum, 1);
    expect_status(device, ww_reduce(device, op, ww_memory_of(w->x, w->n, w->type), ww_array_of(out.data, 1, w->type)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, &wanted, 1, 2);
    guarded_check(&out);
    guarded_free(&out);
}

/* The least, the greatest; by the bits of each in totalOrder, but for NaNs. */
static void check_extremes(ww_device *device, world *w) {
    const bool is_f16 = w->type == &ww_type_ww_f16;
    uint16_t least = is_f16 ? 0x7C00 : 0x7F80, most = is_f16 ? 0xFC00 : 0xFF80;
    guarded out = guarded_new(4);
    for (size_t i = 0; i < w->n; i++) {
        const double x = reference_half_value(w->type, w->x + i), low = reference_half_value(w->type, &least),
                     high = reference_half_value(w->type, &most);
        const uint16_t nan = is_f16 ? 0x7E00 : 0x7FC0;
        if (isnan(x)) least = most = nan;
        if (isnan(low) || isnan(x)) continue;
        if (x < low || (x == low && w->x[i] >> 15)) least = w->x[i];
        if (x > high || (x == high && !(w->x[i] >> 15))) most = w->x[i];
    }
    const ww_input in = ww_memory_of(w->x, w->n, w->type);
    expect_status(device, ww_reduce(device, &ww_min, in, ww_array_of(out.data, 1, w->type)), WW_OK);
    expect_status(device, ww_reduce(device, &ww_max, in, ww_array_of((uint16_t *)out.data + 1, 1, w->type)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, &least, 1, 2);
    expect_elements((uint16_t *)out.data + 1, &most, 1, 2);
    guarded_check(&out);
    guarded_free(&out);
}

/* Segments, runs of equal keys, and scans by key, each in its own order: of whole numbers, whose sums floats hold. */
static void check_parts(ww_device *device, const ww_type *type, size_t n) {
    enum { LONG = 300 };
    const size_t parts = n / LONG + 1;
    uint16_t *x = need(n * 2), *scanned = need(n * 2), *sums = need(parts * 2);
    uint32_t *keys = need(n * 4), *offsets = need((parts + 1) * 4);
    guarded of_parts = guarded_new(parts * 2), of_keys = guarded_new((parts + 3) * 2), of_scan = guarded_new(n * 2);
    guarded runs = guarded_new(8);
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        const float value = (float)(i % 41);
        put_halves(type, x + i, &value, 1);
        sum = i % LONG ? sum + value : value;
        keys[i] = (uint32_t)(i / LONG);
        put_halves(type, scanned + i, &sum, 1);
        put_halves(type, sums + i / LONG, &sum, 1);
    }
    for (size_t p = 0; p <= parts; p++) offsets[p] = (uint32_t)(p * LONG < n ? p * LONG : n);
    sums[parts - 1] = n % LONG ? sums[parts - 1] : 0;
    const ww_input in = ww_memory_of(x, n, type), by = ww_memory(keys, n);
    expect_status(
        device,
        ww_reduce_segments(device, &ww_add, in, ww_memory(offsets, parts + 1), ww_array_of(of_parts.data, parts, type)),
        WW_OK);
    expect_status(device, ww_scan_by_key(device, &ww_add, by, in, ww_array_of(of_scan.data, n, type), NULL), WW_OK);
    /* More room than runs: what is behind them stays. */
    expect_status(device,
                  ww_reduce_by_key(device, &ww_add, by, in, ww_none, ww_array_of(of_keys.data, parts + 3, type),
                                   ww_array((uint64_t *)runs.data, 1)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    const size_t many = n / LONG + (n % LONG != 0);
    expect(*(const uint64_t *)runs.data == many);
    expect_elements(of_parts.data, sums, parts, 2);
    expect_elements(of_scan.data, scanned, n, 2);
    expect_elements(of_keys.data, sums, many, 2);
    for (size_t i = many; i < parts + 3; i++) expect(((const uint16_t *)of_keys.data)[i] == 0xA5A5);
    guarded_check(&of_parts), guarded_check(&of_keys), guarded_check(&of_scan), guarded_check(&runs);
    guarded_free(&of_parts), guarded_free(&of_keys), guarded_free(&of_scan), guarded_free(&runs);
    free(x), free(scanned), free(sums), free(keys), free(offsets);
}

static void folds(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 33, 4095, 4096, 4097, 9001, 70001};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                CASE("halves", "%s folds %s n=%zu", setting_name(s), types[t]->label, sizes[k]);
                if (!case_wanted() || (on_emulator() && sizes[k] > 9001)) continue;
                world w = world_new(types[t], sizes[k], k % 2 ? UNIFORM : FEW);
                check_reduce(device, &w, &ww_add);
                if (k < 4) check_reduce(device, &w, &ww_mul);
                check_extremes(device, &w);
                world_free(&w);
                w = world_new(types[t], sizes[k], ADVERSARIAL);
                check_extremes(device, &w);
                world_free(&w);
                if (sizes[k]) check_parts(device, types[t], sizes[k]);
            }
        ww_close(device);
    }
}

/* ---- scans ---- */

typedef struct scanning {
    bool exclusive, in_place, initial, total;
    ww_scan_method method;
} scanning;

static void check_scan(ww_device *device, world *w, const scanning *c) {
    const uint16_t initial_bits = w->type == &ww_type_ww_f16 ? 0x4248 : 0x4049; /* near pi */
    const float initial = c->initial ? (float)reference_half_value(w->type, &initial_bits) : 0;
    const reference_scanning r = {w->n, 4, add_floats, &initial, c->exclusive, NULL, c->initial};
    float *wide = need(w->n * 4), total;
    uint16_t *wanted = need((w->n + 1) * 2);
    guarded out = guarded_new(w->n * 2), sum = guarded_new(2);
    if (c->method == WW_SCAN_BLELLOCH)
        reference_scan_blelloch(&r, wide, &total, w->wide);
    else
        reference_scan_lookback(&r, wide, &total, w->wide);
    put_halves(w->type, wanted, wide, w->n);
    put_halves(w->type, wanted + w->n, &total, 1);
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = c->method;
    o.exclusive = c->exclusive;
    o.deterministic = 1;
    if (c->initial) o.initial = ww_value_of(&initial_bits, w->type);
    if (c->total) o.total = ww_array_of(sum.data, 1, w->type);
    memcpy(out.data, w->x, w->n * 2);
    const void *const from = c->in_place ? out.data : (const void *)w->x;
    expect_status(device,
                  ww_scan(device, &ww_add, ww_memory_of(from, w->n, w->type), ww_array_of(out.data, w->n, w->type), &o),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, w->n, 2);
    if (c->total) expect_elements(sum.data, wanted + w->n, 1, 2);
    guarded_check(&out), guarded_check(&sum);
    guarded_free(&out), guarded_free(&sum);
    free(wide), free(wanted);
}

static void scans(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 33, 2047, 2048, 2049, 9001, 70001};
    static const scanning ways[] = {{false, false, false, false, WW_SCAN_AUTO},
                                    {true, true, true, true, WW_SCAN_AUTO},
                                    {true, false, false, true, WW_SCAN_LOOKBACK},
                                    {false, false, true, true, WW_SCAN_BLELLOCH}};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                for (size_t c = 0; c < sizeof ways / sizeof *ways; c++) {
                    CASE("halves", "%s scan %zu %s n=%zu", setting_name(s), c, types[t]->label, sizes[k]);
                    if (!case_wanted() || (on_emulator() && sizes[k] > 9001)) continue;
                    world w = world_new(types[t], sizes[k], UNIFORM);
                    check_scan(device, &w, &ways[c]);
                    world_free(&w);
                }
        ww_close(device);
    }
}

/* ---- differences, bins, edges, places ---- */

static void check_bins(ww_device *device, const ww_type *type, size_t n, shape s) {
    enum { BINS = 7 };
    static const float cuts[BINS + 1] = {-500, -3, -0.0f, 1, 2.5f, 100, 400, INFINITY};
    uint16_t *x = need(n * 2), edges[BINS + 1], *kept = need(n * 2);
    uint64_t wanted[BINS], outside, *counts = need(BINS * 8), *beside = need(8), *offsets = need((BINS + 2) * 8);
    fill(x, type, 2, n, s, seed_of_run() + n);
    put_halves(type, edges, cuts, BINS + 1);
    const ww_input in = ww_memory_of(x, n, type);
    reference_histogram_edges(type, x, n, edges, BINS, wanted, &outside);
    expect_status(device,
                  ww_histogram_edges(device, in, ww_memory_of(edges, BINS + 1, type), ww_array(counts, BINS),
                                     ww_array(beside, 1), NULL),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(counts, wanted, BINS, 8);
    expect(*beside == outside);
    /* Buckets are the same bins, with one before and one behind. */
    uint16_t *split = kept;
    expect_status(device,
                  ww_multisplit_edges(device, in, ww_no_input, ww_memory_of(edges, BINS, type),
                                      ww_array_of(split, n, type), ww_none, ww_array(offsets, BINS + 2), NULL),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t b = 0; b + 1 < BINS; b++) expect(offsets[b + 2] - offsets[b + 1] == wanted[b]);
    reference_histogram_even(type, x, n, edges + 1, edges + 6, BINS, wanted, &outside);
    expect_status(device,
                  ww_histogram_even(device, in, ww_value_of(edges + 1, type), ww_value_of(edges + 6, type),
                                    ww_array(counts, BINS), ww_array(beside, 1), NULL),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(counts, wanted, BINS, 8);
    expect(*beside == outside);
    free(x), free(kept), free(counts), free(beside), free(offsets);
}

static void check_differences(ww_device *device, const ww_type *type, size_t n, shape s) {
    world w = world_new(type, n, s);
    uint16_t *wanted = need(n * 2);
    guarded out = guarded_new(n * 2);
    for (size_t i = 0; i < n; i++) {
        const float difference = i ? w.wide[i] - w.wide[i - 1] : 0;
        put_halves(type, wanted + i, &difference, 1);
    }
    wanted[0] = w.x[0];
    expect_status(device, ww_adjacent_difference(device, ww_memory_of(w.x, n, type), ww_array_of(out.data, n, type)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, 2);
    guarded_check(&out);
    guarded_free(&out);
    world_free(&w);
    free(wanted);
}

/* Sums whose order does not show: of whole numbers. */
static void check_scatter(ww_device *device, const ww_type *type, size_t n, ww_conflict conflict) {
    enum { PLACES = 33 };
    uint16_t *x = need(n * 2), wanted[PLACES];
    uint64_t *index = need(n * 8);
    guarded out = guarded_new(PLACES * 2);
    fill(x, type, 2, n, conflict == WW_CONFLICT_ADD ? UNIFORM : ADVERSARIAL, seed_of_run() + n);
    for (size_t i = 0; i < n; i++) {
        const float value = (float)(i % 3);
        index[i] = i * 7 % PLACES;
        if (conflict == WW_CONFLICT_ADD) put_halves(type, x + i, &value, 1);
    }
    for (size_t p = 0; p < PLACES; p++) wanted[p] = (uint16_t)(p % 2 ? 0x3F80 : 0xBF80);
    memcpy(out.data, wanted, sizeof wanted);
    reference_scatter(x, type, 2, index, n, wanted, PLACES, conflict);
    ww_scatter_options o = WW_SCATTER_OPTIONS;
    o.conflict = conflict;
    expect_status(
        device,
        ww_scatter(device, ww_memory_of(x, n, type), ww_memory(index, n), ww_array_of(out.data, PLACES, type), &o),
        WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, PLACES, 2);
    guarded_check(&out);
    guarded_free(&out);
    free(x), free(index);
}

static void compared_and_counted(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 33, 3001, 20011};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                CASE("halves", "%s counts %s n=%zu", setting_name(s), types[t]->label, sizes[k]);
                if (!case_wanted() || (on_emulator() && sizes[k] > 3001)) continue;
                check_bins(device, types[t], sizes[k], UNIFORM);
                check_bins(device, types[t], sizes[k], ADVERSARIAL);
                check_differences(device, types[t], sizes[k], UNIFORM);
                check_differences(device, types[t], sizes[k], ADVERSARIAL);
                for (int c = WW_CONFLICT_ADD; c <= WW_CONFLICT_MAX; c++)
                    check_scatter(device, types[t], sizes[k] < 3001 ? sizes[k] : 3001, (ww_conflict)c);
            }
        ww_close(device);
    }
}

/* ---- what goes by their order ---- */

static void check_order(ww_device *device, const ww_type *type, size_t n) {
    static const double quantiles[] = {0, 0.25, 1};
    static const float cuts[] = {-3, 0, 200};
    uint16_t *x = need(n * 2), *sorted = need(n * 2), *weights = need(n * 2), edges[3], *out = need(16);
    uint32_t *index = need(n * 4);
    uint64_t *at = need(8);
    float sums[2] = {0, 0};
    fill(x, type, 2, n, ADVERSARIAL, seed_of_run() + n);
    memcpy(sorted, x, n * 2);
    reference_sort(sorted, n, 2, reference_f16_up); /* of bf16, too: both are sign and magnitude */
    const ww_input in = ww_memory_of(x, n, type);
    ww_sort_column column;
    memset(&column, 0, sizeof column);
    column.keys = in;
    expect_status(device, ww_sort_columns(device, &column, 1, NULL, 0, ww_array(index, n)), WW_OK);
    expect_status(device, ww_min_max(device, NULL, in, ww_array_of(out, 1, type), ww_array_of(out + 1, 1, type)),
                  WW_OK);
    expect_status(device, ww_quantiles(device, quantiles, 3, WW_QUANTILE_LOWER, in, ww_array_of(out + 2, 3, type)),
                  WW_OK);
    expect_status(device, ww_is_sorted(device, NULL, ww_memory_of(sorted, n, type), ww_none, ww_array(at, 1)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < n; i++) expect(x[index[i]] == sorted[i]);
    expect(out[0] == sorted[0] && out[1] == sorted[n - 1] && *at == n);
    for (size_t q = 0; q < 3; q++) expect(out[2 + q] == sorted[(size_t)(quantiles[q] * (double)(n - 1))]);
    /* Weights of few bits, whose sums every order gives. */
    put_halves(type, edges, cuts, 3);
    for (size_t i = 0; i < n; i++) {
        const float weight = (float)(i % 3), value = (float)reference_half_value(type, x + i);
        put_halves(type, weights + i, &weight, 1);
        for (size_t b = 0; b < 2; b++) sums[b] += value >= cuts[b] && value < cuts[b + 1] ? weight : 0;
    }
    expect_status(device,
                  ww_histogram_edges_weighted(device, in, ww_memory_of(edges, 3, type), ww_memory_of(weights, n, type),
                                              ww_array_of(out, 2, type)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    put_halves(type, edges, sums, 2);
    expect(out[0] == edges[0] && out[1] == edges[1]);
    free(x), free(sorted), free(weights), free(out), free(index), free(at);
}

static void ordered(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 33, 3001};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++)
            for (size_t k = 0; k < 3; k++) {
                CASE("halves", "%s order %s n=%zu", setting_name(s), types[t]->label, sizes[k]);
                if (case_wanted()) check_order(device, types[t], sizes[k]);
            }
        ww_close(device);
    }
}

/* ---- groups: as one device ---- */

typedef struct block {
    const world *w;
    size_t first[RANKS_MOST + 1];
    uint16_t *sums, *scanned, *totals;
} block;

static ww_status of_group(ww_group *group, void *context) {
    const block *b = context;
    const uint32_t rank = ww_group_rank(group);
    const size_t first = b->first[rank], n = b->first[rank + 1] - first;
    const ww_input in = ww_memory_of(b->w->x + first, n, b->w->type);
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.exclusive = 1;
    o.total = ww_array_of(b->totals + rank, 1, b->w->type);
    const ww_status status = ww_group_reduce(group, &ww_add, in, ww_array_of(b->sums + rank, 1, b->w->type));
    return status ? status : ww_group_scan(group, &ww_add, in, ww_array_of(b->scanned + first, n, b->w->type), &o);
}

static void groups(void **state) {
    (void)state;
    static const size_t sizes[] = {5, 4097, 20000};
    for (size_t t = 0; t < TYPES; t++)
        for (size_t k = 0; k < 3; k++) {
            enum { RANKS = 3 };
            CASE("halves", "group %s n=%zu", types[t]->label, sizes[k]);
            if (!case_wanted()) continue;
            world w = world_new(types[t], sizes[k], UNIFORM);
            for (size_t i = 0; on_gpu() && i < w.n;
                 i++) { /* whose carries have brackets of their own: sums that are exact */
                const float value = (float)(i % 7);
                put_halves(types[t], w.x + i, &value, 1);
            }
            guarded sums = guarded_new(RANKS * 2), scanned = guarded_new(w.n * 2), totals = guarded_new(RANKS * 2);
            block b = {&w, {0}, sums.data, scanned.data, totals.data};
            ww_device *cpu = NULL;
            uint16_t sum, total, *wanted = need(w.n * 2);
            ww_scan_options o = WW_SCAN_OPTIONS;
            o.exclusive = 1;
            o.total = ww_array_of(&total, 1, types[t]);
            expect(!ww_open("cpu:threads=1", &cpu));
            const ww_input in = ww_memory_of(w.x, w.n, types[t]);
            expect_status(cpu, ww_reduce(cpu, &ww_add, in, ww_array_of(&sum, 1, types[t])), WW_OK);
            expect_status(cpu, ww_scan(cpu, &ww_add, in, ww_array_of(wanted, w.n, types[t]), &o), WW_OK);
            ww_close(cpu);
            cut_blocks(0, w.n, RANKS, seed_of_run(), b.first);
            group_do(RANKS, of_group, &b);
            for (size_t r = 0; r < RANKS; r++)
                expect(((const uint16_t *)sums.data)[r] == sum && ((const uint16_t *)totals.data)[r] == total);
            expect_elements(scanned.data, wanted, w.n, 2);
            guarded_check(&sums), guarded_check(&scanned), guarded_check(&totals);
            guarded_free(&sums), guarded_free(&scanned), guarded_free(&totals);
            world_free(&w);
            free(wanted);
        }
}

/* ---- functions of a caller's, and what takes no halves ---- */

WW_STRUCT(weighted, {
    ww_f16 value;
    ww_bf16 weight;
});
WW_MAP(product, ww_bf16, weighted, w, void, none,
       { return ww_bf16_of_float(ww_float_of_f16(w.value) * ww_float_of_bf16(w.weight)); });
WW_COMBINE(further, ww_f16, a, b, WW_COMMUTES, WW_IDENTITY({0}),
           { return (a.bits & 0x7FFF) < (b.bits & 0x7FFF) ? b : a; });

static void functions(void **state) {
    (void)state;
    enum { N = 1000 };
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        CASE("halves", "%s functions", setting_name(s));
        if (case_wanted()) {
            ww_f16 *x = need(N * sizeof *x), *far = need(sizeof *far);
            ww_bf16 *y = need(N * sizeof *y), *out = need(N * sizeof *out);
            for (size_t i = 0; i < N; i++) {
                x[i] = ww_f16_of_float((float)i / 8 - 30);
                y[i] = ww_bf16_of_float((float)(i % 5));
            }
            expect_status(
                device,
                ww_map(device, &product_ww, ww_zip(&weighted_ww, ww_memory(x, N), ww_memory(y, N)), ww_array(out, N)),
                WW_OK);
            expect_status(device, ww_reduce(device, &further_ww, ww_memory(x, N), ww_array(far, 1)), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < N; i++) {
                uint16_t wanted;
                reference_put_half(&ww_type_ww_bf16, ((double)i / 8 - 30) * (double)(i % 5), &wanted);
                expect(out[i].bits == wanted);
            }
            expect(ww_float_of_f16(*far) == (float)(N - 1) / 8 - 30);
            expect_status(device, ww_reduce(device, &ww_or, ww_memory(x, N), ww_array(far, 1)), WW_TYPE);
            expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, N), ww_array(out, 1)), WW_TYPE);
            expect_sentence(device, "f16", "bf16");
            expect_status(device, ww_random_fill(device, (ww_random){0}, ww_array(x, N)), WW_TYPE);
            expect_sentence(device, "random floats are of 32 or 64 bits");
            free(x), free(y), free(out), free(far);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern), cmocka_unit_test(every_tie), cmocka_unit_test(casts),
        cmocka_unit_test(folds),         cmocka_unit_test(scans),     cmocka_unit_test(compared_and_counted),
        cmocka_unit_test(ordered),       cmocka_unit_test(groups),    cmocka_unit_test(functions),
    };
    return cmocka_run_group_tests_name("halves", tests, NULL, NULL);
}
