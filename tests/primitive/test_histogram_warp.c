/* Histograms by the method warp against the serial oracle: every number of bins around what a ballot or a lane more takes,
 * every type and shape, equal bins, edges and bucket functions; nothing depends on the other methods. */
#include <stdio.h>

#include "function/types.h"
#include "reference/histogram.h"
#include "support/traced.h"

#define LISTED(T, label) &ww_type_##T,
static const ww_type *const types[] = {WW__EACH_NUMBER(LISTED)};
enum { TYPES = sizeof types / sizeof *types };

static const size_t bins_of[] = {1,  2,  3,   4,   7,   8,   9,   15,  16,  17,  31,  32,  33, 47,
                                 63, 64, 100, 127, 128, 129, 191, 192, 193, 240, 255, 256, 5,  225};
enum { BINS = sizeof bins_of / sizeof *bins_of };

/* Around a CPU's warp of 64, the warps that bytes count, its tile; around a GPU's warp and the emulator's tiles. */
static const size_t sizes[] = {0,    1,    2,    31,   32,   33,   63,   64,   65,    127,   128,   129,   255, 256,
                               1023, 1024, 1025, 1983, 1984, 1985, 2047, 2048, 2049,  3968,  4095,  4097,  511, 513,
                               6143, 8192, 9999, 300,  700,  5000, 2113, 1920, 16385, 40000, 70001, 200003};
enum { SIZES = sizeof sizes / sizeof *sizes };

static ww_histogram_options by_warps(void) {
    ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
    o.method = WW_HISTOGRAM_WARP;
    return o;
}

static ww_array counts_array(const guarded *g, size_t bins, bool wide) {
    return wide ? ww_array((uint64_t *)g->data, bins) : ww_array((uint32_t *)g->data, bins);
}

static void expect_counts(const guarded *got, bool wide, const uint64_t *wanted, size_t bins) {
    uint32_t narrow[256];
    for (size_t b = 0; b < bins; b++) narrow[b] = (uint32_t)wanted[b];
    expect_elements(got->data, wide ? (const void *)wanted : narrow, bins, wide ? 8 : 4);
    guarded_check(got);
}

/* What programs are made of besides the bins: on the emulator, whose compiler takes long, the bits of their number alone decide. */
static size_t made_of(size_t bins, size_t otherwise) {
    size_t bits = 0;
    while (bins >> bits) bits++;
    return on_emulator() ? bits : otherwise;
}

/* A GPU finds bad data while it works: the next ww_sync says so. */
static ww_status finished(ww_device *device, ww_status status) {
    return on_gpu() && !status ? ww_sync(device) : status;
}

/* ---- equal bins ---- */

/* Nearly all of the type's values, or a part of them. */
static void limits_of(const ww_type *type, bool part, void *low, void *high) {
#define INTEGER(T, label) \
    if (type == &ww_type_##T) { \
        const T quarter = (T)((T)1 << (8 * sizeof(T) - 3)); \
        const T most = (T)(quarter - 1 + quarter + quarter + quarter); \
        const T from = part ? (T)(quarter / 2 + 1) : (T)-1 < 1 ? (T)(-most) : 0, to = part ? (T)(quarter + 5) : most; \
        memcpy(low, &from, sizeof from); \
        memcpy(high, &to, sizeof to); \
    }
#define FLOAT(T, label) \
    if (type == &ww_type_##T) { \
        const T from = part ? (T)-0.3 : (T)-9300, to = part ? (T)2.2 : (T)9300; \
        memcpy(low, &from, sizeof from); \
        memcpy(high, &to, sizeof to); \
    }
    WW__EACH_INTEGER(INTEGER)
    WW__EACH_FLOAT(FLOAT)
}

static void check_even(ww_device *device, const char *setting, const ww_type *type, size_t n, shape s, size_t bins,
                       bool part) {
    const bool wide = made_of(bins, n + bins) % 2, asked = made_of(bins, n) % 3;
    CASE("even by warps", "%s %s n=%zu %s bins=%zu %s", setting, type->label, n, shape_name(s), bins,
         part ? "part" : "whole");
    if (!case_wanted()) return;
    const ww_histogram_options o = by_warps();
    unsigned char low[16], high[16], *x = need(n * type->size);
    uint64_t wanted[256], wanted_outside, *outside = need(sizeof *outside);
    *outside = 77;
    limits_of(type, part, low, high);
    fill(x, type, type->size, n, s, seed_of_run());
    for (size_t i = 0; part && i < n; i += 2) memcpy(x + i * type->size, low, type->size);
    reference_histogram_even(type, x, n, low, high, bins, wanted, &wanted_outside);
    guarded counts = guarded_new(bins * (wide ? 8 : 4));
    expect_status(device,
                  finished(device, ww_histogram_even(device, ww_memory_of(x, n, type), ww_value_of(low, type),
                                                     ww_value_of(high, type), counts_array(&counts, bins, wide),
                                                     asked ? ww_array(outside, 1) : ww_none, &o)),
                  WW_OK);
    expect_counts(&counts, wide, wanted, bins);
    expect(*outside == (asked ? wanted_outside : 77));
    guarded_free(&counts);
    free(outside);
    free(x);
}

static void even(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++) {
            if (left_to_gpus(t)) continue;
            for (size_t i = 0; i < SIZES; i++)
                check_even(device, setting_name(s), types[t], sizes[i], (shape)((i + t) % SHAPES),
                           bins_of[(i + 3 * t) % BINS], i % 3 == 0);
        }
        for (size_t k = 0; k < BINS * SHAPES; k += on_emulator() ? 3 : 1)
            check_even(device, setting_name(s), &ww_type_uint32_t, 5000 + k, (shape)(k % SHAPES), bins_of[k / SHAPES],
                       k % 2);
        check_even(device, setting_name(s), &ww_type_uint32_t, on_emulator() ? 300001 : size_large(), SKEWED, 256,
                   false);
        check_even(device, setting_name(s), &ww_type_uint8_t, on_emulator() ? 300001 : size_large(), CONSTANT, 32,
                   false);
        ww_close(device);
    }
}

/* ---- edges ---- */

/* bins + 1 rising edges; false where the type has not so many. */
static bool make_edges(const ww_type *type, size_t bins, void *edges) {
#define INTEGER_EDGES(T, label) \
    if (type == &ww_type_##T) { \
        T *e = edges; \
        const T step = (T)(((uint64_t)3 << (8 * (sizeof(T) < 8 ? sizeof(T) : 8) - 3)) / bins); \
        for (size_t b = 0; b <= bins; b++) e[b] = (T)(step * (T)b + (b ? (T)(b % 2) : 0)); \
        return step > 1; \
    }
#define FLOAT_EDGES(T, label) \
    if (type == &ww_type_##T) { \
        T *e = edges; \
        for (size_t b = 0; b <= bins; b++) e[b] = (T)-1000 + (T)7.5 * (T)b + (T)(b % 2); \
        return true; \
    }
    WW__EACH_INTEGER(INTEGER_EDGES)
    WW__EACH_FLOAT(FLOAT_EDGES)
    return false;
}

static void check_edges(ww_device *device, const char *setting, const ww_type *type, size_t n, shape s, size_t bins) {
    const bool wide = made_of(bins, n) % 2;
    CASE("edges by warps", "%s %s n=%zu %s bins=%zu", setting, type->label, n, shape_name(s), bins);
    if (!case_wanted()) return;
    const ww_histogram_options o = by_warps();
    unsigned char *edges = need((bins + 1) * type->size), *x = need(n * type->size);
    if (make_edges(type, bins, edges)) {
        uint64_t wanted[256], wanted_outside, *outside = need(sizeof *outside);
        fill(x, type, type->size, n, s, seed_of_run());
        for (size_t i = 0; i < n; i += 3)
            memcpy(x + i * type->size, edges + (s == CONSTANT ? 0 : i % (bins + 1)) * type->size, type->size);
        reference_histogram_edges(type, x, n, edges, bins, wanted, &wanted_outside);
        guarded counts = guarded_new(bins * (wide ? 8 : 4));
        expect_status(
            device,
            finished(device, ww_histogram_edges(device, ww_memory_of(x, n, type), ww_memory_of(edges, bins + 1, type),
                                                counts_array(&counts, bins, wide), ww_array(outside, 1), &o)),
            WW_OK);
        expect_counts(&counts, wide, wanted, bins);
        expect(*outside == wanted_outside);
        guarded_free(&counts);
        free(outside);
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
            for (size_t i = t % 2; i < SIZES; i += on_emulator() ? 4 : 2)
                check_edges(device, setting_name(s), types[t], sizes[i], (shape)((i + t) % SHAPES),
                            bins_of[(i + 5 * t) % BINS]);
        }
        ww_close(device);
    }
}

static void edges_that_fall(void **state) {
    enum { EDGES = 201 };
    ww_device *device = setting_open(0);
    const ww_histogram_options o = by_warps();
    uint32_t *e = need(EDGES * sizeof *e), *counts = need(EDGES * sizeof *counts);
    (void)state;
    CASE("edges by warps", "that fall");
    for (uint32_t i = 0; i < EDGES; i++) e[i] = 10 * i;
    e[130] = e[129];
    const ww_input in = ww_counting(&ww_type_uint32_t, 0, 4000);
    expect_status(
        device,
        finished(device, ww_histogram_edges(device, in, ww_memory(e, EDGES), ww_array(counts, EDGES - 1), ww_none, &o)),
        WW_INVALID);
    expect_sentence(device, "ww_histogram_edges", "edges[130] is not above the edge before it");
    free(counts);
    free(e);
    ww_close(device);
}

/* ---- bucket functions ---- */

WW_MAP(left_by, uint32_t, uint32_t, x, uint32_t, by, { return x % *by; });
WW_STRUCT(point, { uint32_t x, y, z; });
WW_MAP(of_point, int64_t, point, p, void, none, { return (int64_t)(p.x % 150 + p.y % 50) - 10; });
WW_MAP(doubled, uint32_t, uint32_t, x, void, none, { return 2 * x; });

/* Numbers up to bins + above - 1 come out. Without `outside` the lowest position that has none is reported. */
static void check_remainders(ww_device *device, const char *setting, size_t n, shape s, size_t bins, uint32_t above) {
    const bool wide = made_of(bins, n) % 2;
    const uint32_t by = (uint32_t)bins + above;
    CASE("histogram by warps", "%s n=%zu %s bins=%zu by %u", setting, n, shape_name(s), bins, by);
    if (!case_wanted()) return;
    const ww_histogram_options o = by_warps();
    uint32_t *x = need(n * sizeof *x);
    uint64_t wanted[256] = {0}, wanted_outside = 0, *outside = need(sizeof *outside);
    fill(x, &ww_type_uint32_t, 4, n, s, seed_of_run());
    for (size_t i = 0; i < n; i++) ++*(x[i] % by < bins ? &wanted[x[i] % by] : &wanted_outside);
    guarded counts = guarded_new(bins * (wide ? 8 : 4));
    const ww_array out = counts_array(&counts, bins, wide);
    expect_status(
        device,
        finished(device, ww_histogram(device, ww_with(left_by, &by), ww_memory(x, n), out, ww_array(outside, 1), &o)),
        WW_OK);
    expect_counts(&counts, wide, wanted, bins);
    expect(*outside == wanted_outside);
    memset(counts.data, 0xA5, counts.bytes);
    expect_status(device,
                  finished(device, ww_histogram(device, ww_with(left_by, &by), ww_memory(x, n), out, ww_none, &o)),
                  wanted_outside ? WW_RANGE : WW_OK);
    if (wanted_outside) {
        size_t first = 0;
        char sentence[64];
        while (x[first] % by < bins) first++;
        snprintf(sentence, sizeof sentence, "in[%zu]", first);
        expect_sentence(device, on_gpu() ? "ww_histogram (queued): " : "ww_histogram: ", sentence, "left_by");
        guarded_check(&counts);
    } else {
        expect_counts(&counts, wide, wanted, bins);
    }
    guarded_free(&counts);
    free(outside);
    free(x);
}

static void functions(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t i = 0; i < SIZES; i++)
            for (size_t k = 0; k < SHAPES; k += on_emulator() ? 3 : 1)
                check_remainders(device, setting_name(s), sizes[i], (shape)((i + k) % SHAPES), bins_of[(i + k) % BINS],
                                 (i + k) % 4 ? 0 : 1 + (uint32_t)k);
        ww_close(device);
    }
}

static void other_inputs(void **state) {
    enum { POINTS = 70000 };
    const ww_histogram_options o = by_warps();
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        uint64_t wanted[190] = {0}, *outside = need(sizeof *outside), wanted_outside = 0;
        uint32_t *counts = need(256 * sizeof *counts), narrow[190];
        const uint32_t seven = 7, low = 10, high = 1010;
        point *p = need(POINTS * sizeof *p);
        CASE("histogram by warps", "%s inputs that are no memory, records", setting_name(s));
        expect_status(device,
                      ww_histogram_even(device, ww_mapped(&doubled_ww, ww_counting(&ww_type_uint32_t, 0, 100000)),
                                        ww_value(uint32_t, low), ww_value(uint32_t, high), ww_array(counts, 10),
                                        ww_array(outside, 1), &o),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t b = 0; b < 10; b++) expect(counts[b] == 50);
        expect(*outside == 99500);
        expect_status(device,
                      ww_histogram_edges(device, ww_constant(ww_value(uint32_t, seven), 300000),
                                         ww_mapped(&doubled_ww, ww_counting(&ww_type_uint32_t, 0, 257)),
                                         ww_array(counts, 256), ww_none, &o),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t b = 0; b < 256; b++) expect(counts[b] == (b == 3 ? 300000 : 0));
        fill(p, &point_ww, sizeof *p, POINTS, UNIFORM, 5);
        for (size_t k = 0; k < POINTS; k++) {
            const uint32_t sum = p[k].x % 150 + p[k].y % 50;
            ++*(sum < 10 || sum - 10 >= 180 ? &wanted_outside : &wanted[sum - 10]);
        }
        expect_status(device,
                      ww_histogram(device, &of_point_ww, ww_memory_of(p, POINTS, &point_ww), ww_array(counts, 180),
                                   ww_array(outside, 1), &o),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t b = 0; b < 180; b++) narrow[b] = (uint32_t)wanted[b];
        expect_elements(counts, narrow, 180, 4);
        expect(*outside == wanted_outside && wanted_outside > 0);
        free(p);
        free(counts);
        free(outside);
        ww_close(device);
    }
}

/* ---- what it takes, and what runs ---- */

static void trace_of(ww_histogram_method method, bool by_edges, char *text, size_t room) {
    ww_device *device = traced_open();
    ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
    const uint32_t low = 0, high = 100;
    uint32_t *counts = need(10 * sizeof *counts), *e = need(11 * sizeof *e);
    const ww_input in = ww_counting(&ww_type_uint32_t, 0, 100);
    for (uint32_t i = 0; i <= 10; i++) e[i] = i * i;
    o.method = method;
    traced t = traced_begin();
    const ww_status status = by_edges
                                 ? ww_histogram_edges(device, in, ww_memory(e, 11), ww_array(counts, 10), ww_none, &o)
                                 : ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high),
                                                     ww_array(counts, 10), ww_none, &o);
    traced_end(&t, text, room);
    expect_status(device, finished(device, status), WW_OK);
    for (uint32_t b = 0; b < 10; b++) expect(counts[b] == (by_edges ? 2 * b + 1 : 10));
    free(e);
    free(counts);
    ww_close(device);
}

static void methods_run_their_own_code(void **state) {
    static const struct {
        ww_histogram_method method;
        const char *loop, *kernel;
    } methods[] = {{WW_HISTOGRAM_AUTO, "method=even ", "histogram"},
                   {WW_HISTOGRAM_SHARED, "method=even ", "histogram"},
                   {WW_HISTOGRAM_WARP, "method=warp ", "warp_histogram"}};
    char text[8192];
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        CASE("histogram trace", "method %d", (int)methods[m].method);
        trace_of(methods[m].method, false, text, sizeof text);
        if (!on_gpu()) {
            expect(strstr(text, methods[m].loop) != NULL);
            continue;
        }
        expect_launches(text, methods[m].kernel);
        trace_of(methods[m].method, true, text, sizeof text);
        expect_launches(text, "check_edges", methods[m].kernel);
    }
}

static void scratch(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound of the CPU")) return;
    ww_device *device = setting_open(0);
    const size_t n = 1 << 21;
    const ww_histogram_options o = by_warps();
    const uint32_t low = 0, high = UINT32_MAX;
    uint32_t counts[256];
    ww_device_info info = WW_DEVICE_INFO;
    CASE("scratch by warps", "256 bins");
    expect_status(device,
                  ww_histogram_even(device, ww_counting(&ww_type_uint32_t, 0, n), ww_value(uint32_t, low),
                                    ww_value(uint32_t, high), ww_array(counts, 256), ww_none, &o),
                  WW_OK);
    ww_device_info_get(device, &info);
    expect(info.scratch_peak <= 65536 + info.threads * (65536 + (size_t)4 * 8 * 256));
    ww_close(device);
}

static void refused(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t counts[257], low = 3, high = 9;
    const ww_input in = ww_counting(&ww_type_uint32_t, 0, 64), edges = ww_counting(&ww_type_uint32_t, 0, 258);
    ww_histogram_options o = by_warps();
    CASE("refused by warps", "options");
    memset(counts, 0x5A, sizeof counts);
    const ww_array c = ww_array(counts, 257);
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        for (size_t b = 0; b < 257; b++) expect(counts[b] == 0x5A5A5A5A); \
    } while (0)
    REFUSED(WW_LIMIT, ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), c, ww_none, &o),
            "257 bins", "up to 256");
    REFUSED(WW_LIMIT, ww_histogram_edges(device, in, edges, c, ww_none, &o), "257 bins", "up to 256");
    REFUSED(WW_LIMIT, ww_histogram(device, &doubled_ww, in, c, ww_none, &o), "257 bins", "up to 256");
    o.method = (ww_histogram_method)3;
    REFUSED(WW_INVALID,
            ww_histogram_even(device, in, ww_value(uint32_t, low), ww_value(uint32_t, high), c, ww_none, &o),
            "options.method is 3");
    o = by_warps();
    o.size = 0;
    REFUSED(WW_INVALID, ww_histogram_edges(device, in, edges, c, ww_none, &o), "WW_HISTOGRAM_OPTIONS");
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even),      cmocka_unit_test(edges),        cmocka_unit_test(edges_that_fall),
        cmocka_unit_test(functions), cmocka_unit_test(other_inputs), cmocka_unit_test(methods_run_their_own_code),
        cmocka_unit_test(scratch),   cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
