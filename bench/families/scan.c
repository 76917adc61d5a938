/* Scans: inclusive, exclusive, with a user's operator, by segments, and the enumeration of flags. */
#include <stdlib.h>
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 2);
}

static void make_segments(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n);
    data_flags(w->second, w->n, 64, 3);
}

/* From 0 to 1. */
static void make_floats(bench_work *w) {
    make(w);
    const uint32_t *bits = w->in;
    float *x = w->in;
    for (size_t i = 0; i < w->n; i++) x[i] = (float)(bits[i] >> 8) * 0x1p-24f;
}

static void make_float_segments(bench_work *w) {
    make_floats(w);
    w->second = work_pages(w, w->n);
    data_flags(w->second, w->n, 64, 3);
}

static void make_flags(bench_work *w) {
    w->in = work_pages(w, w->n);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_flags(w->in, w->n, 2, 4);
}

static ww_status scan_with(bench_work *w, const ww_function *op, bool exclusive) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = exclusive;
    return ww_scan(w->device, op, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n),
                   &options);
}

static ww_status run_inclusive(bench_work *w) { return scan_with(w, &ww_add, false); }
static ww_status run_exclusive(bench_work *w) { return scan_with(w, &ww_add, true); }
static ww_status run_user(bench_work *w) { return scan_with(w, w->user->add, false); }

static ww_status run_segmented(bench_work *w) {
    return ww_scan_segmented(w->device, &ww_add, ww_memory((const uint32_t *)w->in, w->n),
                             ww_memory((const uint8_t *)w->second, w->n), ww_array((uint32_t *)w->out, w->n), NULL);
}

static ww_status scan_floats(ww_device *device, const bench_work *w, float *out, bool segments, bool deterministic) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.deterministic = deterministic;
    const ww_input in = ww_memory((const float *)w->in, w->n);
    if (!segments) return ww_scan(device, &ww_add, in, ww_array(out, w->n), &options);
    return ww_scan_segmented(device, &ww_add, in, ww_memory((const uint8_t *)w->second, w->n), ww_array(out, w->n),
                             &options);
}
static ww_status run_floats(bench_work *w) { return scan_floats(w->device, w, w->out, false, false); }
static ww_status run_floats_alike(bench_work *w) { return scan_floats(w->device, w, w->out, false, true); }
static ww_status run_float_segments(bench_work *w) { return scan_floats(w->device, w, w->out, true, false); }
static ww_status run_float_segments_alike(bench_work *w) { return scan_floats(w->device, w, w->out, true, true); }

static ww_status run_enumerate(bench_work *w) {
    return ww_enumerate(w->device, ww_memory((const uint8_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n),
                        ww_array((uint32_t *)w->number, 1));
}

static bool right_inclusive(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != (sum += x[i])) return false;
    return true;
}

static bool right_exclusive(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; sum += x[i++])
        if (out[i] != sum) return false;
    return true;
}

static bool right_segmented(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    const uint8_t *heads = w->second;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != (sum = heads[i] ? x[i] : sum + x[i])) return false;
    return true;
}

/* Within what brackets can change: sums in double precision stand beside. */
static bool right_floats(const bench_work *w) {
    const float *x = w->in, *out = w->out;
    const uint8_t *heads = w->second;
    double sum = 0;
    for (size_t i = 0; i < w->n; i++) {
        sum = heads && heads[i] ? (double)x[i] : sum + (double)x[i];
        const double difference = (double)out[i] - sum;
        if (difference > 1e-4 * sum || -difference > 1e-4 * sum) return false;
    }
    return true;
}

/* The CPU's bytes. */
static bool right_alike(const bench_work *w) {
    ww_device *cpu = NULL;
    float *wanted = malloc(w->n * sizeof *wanted);
    const bool right = wanted && !ww_open("cpu", &cpu) && !scan_floats(cpu, w, wanted, w->second != NULL, true) &&
                       !memcmp(wanted, w->out, w->n * sizeof *wanted);
    ww_close(cpu);
    free(wanted);
    return right;
}

static bool right_enumerate(const bench_work *w) {
    const uint8_t *flags = w->in;
    const uint32_t *out = w->out;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; sum += flags[i++] != 0)
        if (out[i] != sum) return false;
    return w->result == sum;
}

/* clang-format off */
#define USER_ROW(which) \
    {.name = "scan, user's WW_COMBINE", .call = "ww_scan(a + b)", .make = make, .run = run_user, \
     .right = right_inclusive, .bytes = 8, .element = 4, .user = which, .base_call = "ww_scan(ww_add)", \
     .base = run_inclusive, .target = {AGAINST_BASE, 0.5, 0}}

static const bench_row rows[] = {
    {.name = "inclusive scan u32", .call = "ww_scan(ww_add)", .make = make, .run = run_inclusive,
     .right = right_inclusive, .bytes = 8, .element = 4, .peer = "inclusive scan u32", .target = {AGAINST_TBB, 2.2, 0}},
    {.name = "exclusive scan u32", .call = "ww_scan(ww_add, exclusive)", .make = make, .run = run_exclusive,
     .right = right_exclusive, .bytes = 8, .element = 4, .peer = "exclusive scan u32"},
    USER_ROW(1),
    USER_ROW(2),
    {.name = "segmented scan u32", .call = "ww_scan_segmented(ww_add), 1 of 64 a head", .make = make_segments,
     .run = run_segmented, .right = right_segmented, .bytes = 9, .element = 4},
    {.name = "inclusive scan f32", .call = "ww_scan(ww_add)", .make = make_floats, .run = run_floats,
     .right = right_floats, .bytes = 8, .element = 4},
    {.name = "inclusive scan f32, deterministic", .call = "ww_scan(ww_add), the CPU's bytes", .make = make_floats,
     .run = run_floats_alike, .right = right_alike, .bytes = 8, .element = 4},
    {.name = "segmented scan f32", .call = "ww_scan_segmented(ww_add), 1 of 64 a head", .make = make_float_segments,
     .run = run_float_segments, .right = right_floats, .bytes = 9, .element = 4},
    {.name = "segmented scan f32, deterministic", .call = "ww_scan_segmented(ww_add), the CPU's bytes",
     .make = make_float_segments, .run = run_float_segments_alike, .right = right_alike, .bytes = 9,
     .element = 4},
    {.name = "enumerate", .call = "ww_enumerate(u8 flags to u32)", .make = make_flags, .run = run_enumerate,
     .right = right_enumerate, .bytes = 5, .element = 4, .peer = "enumerate"},
};
/* clang-format on */

const bench_family family_scan = {.name = "scan", .title = "Scan", .rows = rows, .count = BENCH_COUNT(rows)};
