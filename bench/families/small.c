/* Calls on a thousand elements, from the caches: what a call costs. A sample is many calls; the table gives one. And on 10^4 to 10^7
 * elements beside the same on one thread, which must not be faster. */
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"

enum { ITEMS = 1000, CALLS = 1000 };

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->n);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 21);
    data_flags(w->second, w->n, 2, 22);
}

static ww_input input(const bench_work *w) { return ww_memory((const uint32_t *)w->in, w->n); }
static ww_array output(const bench_work *w) { return ww_array((uint32_t *)w->out, w->n); }

static ww_status run_reduce(bench_work *w) {
    return ww_reduce(w->device, &ww_add, input(w), ww_array((uint32_t *)w->number, 1));
}

static ww_status run_scan(bench_work *w) { return ww_scan(w->device, &ww_add, input(w), output(w), NULL); }

static ww_status run_pack(bench_work *w) {
    return ww_pack(w->device, input(w), ww_memory((const uint8_t *)w->second, w->n), output(w),
                   ww_array((uint64_t *)w->number, 1), NULL);
}

static ww_status run_sort(bench_work *w) { return ww_sort(w->device, input(w), ww_no_input, output(w), ww_none, NULL); }

static bool right_reduce(const bench_work *w) {
    const uint32_t *x = w->in;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += x[i];
    return w->result == sum;
}

static bool right_scan(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != (sum += x[i])) return false;
    return true;
}

static bool right_pack(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    const uint8_t *flags = w->second;
    size_t kept = 0;
    for (size_t i = 0; i < w->n; i++)
        if (flags[i] && out[kept++] != x[i]) return false;
    return w->result == kept;
}

static bool right_sort(const bench_work *w) { return check_sorted_u32(w->out, w->in, w->n); }

static ww_status run_map(bench_work *w) { return ww_map(w->device, w->user->affine, input(w), output(w)); }

static bool right_map(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != 2 * x[i] + 1) return false;
    return true;
}

/* ---- the same on a handle of one thread ---- */

static ww_device *one;

static void end(void) {
    ww_close(one);
    one = NULL;
}

static ww_status on_one(bench_work *w, ww_status (*run)(bench_work *w)) {
    ww_device_info info = WW_DEVICE_INFO;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.threads = 1;
    ww_status status = ww_device_info_get(w->device, &info);
    if (status != WW_OK) return status;
    if (strcmp(info.backend, "cpu") != 0) return WW_UNSUPPORTED; /* a GPU has no such handle */
    if (!one && (status = ww_open_with("cpu", &one, &options)) != WW_OK) return status;
    ww_device *const many = w->device;
    w->device = one;
    status = run(w);
    w->device = many;
    return status;
}

static ww_status one_reduce(bench_work *w) { return on_one(w, run_reduce); }
static ww_status one_scan(bench_work *w) { return on_one(w, run_scan); }
static ww_status one_pack(bench_work *w) { return on_one(w, run_pack); }
static ww_status one_map(bench_work *w) { return on_one(w, run_map); }

/* clang-format off */
#define CALLS_OF(what, said, counted, users, text, many, repeated) \
    {.name = #what " of " text, .call = said, .make = make, .run = run_##what, .right = right_##what, .bytes = counted, \
     .element = 4, .items = many, .calls = repeated, .user = users, .base_call = "the same on 1 thread", \
     .base = one_##what, .end = end, .target = {AGAINST_BASE, 0.95, 0}}
#define SIZES_OF(what, said, counted, users) \
    CALLS_OF(what, said, counted, users, "10^4", 10000, 200), CALLS_OF(what, said, counted, users, "10^5", 100000, 50), \
    CALLS_OF(what, said, counted, users, "10^6", 1000000, 5), CALLS_OF(what, said, counted, users, "10^7", 10000000, 1)

static const bench_row rows[] = {
    {.name = "reduce of 1000", .call = "ww_reduce(ww_add)", .make = make, .run = run_reduce, .right = right_reduce,
     .bytes = 4, .element = 4, .items = ITEMS, .calls = CALLS, .peer = "reduce u32"},
    {.name = "scan of 1000", .call = "ww_scan(ww_add)", .make = make, .run = run_scan, .right = right_scan, .bytes = 8,
     .element = 4, .items = ITEMS, .calls = CALLS, .peer = "inclusive scan u32"},
    {.name = "pack of 1000", .call = "ww_pack", .make = make, .run = run_pack, .right = right_pack, .bytes = 7,
     .element = 4, .items = ITEMS, .calls = CALLS, .peer = "pack by flags"},
    {.name = "sort of 1000", .call = "ww_sort", .make = make, .run = run_sort, .right = right_sort, .bytes = 8,
     .element = 4, .items = ITEMS, .calls = CALLS, .peer = "sort u32"},
    SIZES_OF(reduce, "ww_reduce(ww_add)", 4, 0),
    SIZES_OF(scan, "ww_scan(ww_add)", 8, 0),
    SIZES_OF(pack, "ww_pack", 7, 0),
    SIZES_OF(map, "ww_map(x * 2 + 1)", 8, 1),
};
/* clang-format on */

const bench_family family_small = {.name = "small", .title = "Small calls", .rows = rows, .count = BENCH_COUNT(rows)};
