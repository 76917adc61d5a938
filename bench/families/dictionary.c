/* The ordered dictionary, beside the baseline of Ashkiani (2017), one sorted array that each batch is merged with, or that is sorted anew. Elements come in
 * 256 batches (65,536 of them where there are 2^24). Queries are asked of one level (all 256 batches are there) and of eight (255). */
#include <stdlib.h>

#include "families/dictionary_lsm.h"
#include "families/dictionary_slab.h"
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "studies/dictionary_study.h"

enum {
    BATCHES = 256,
    FEW_BATCHES = 16,
    SOME_BATCHES = 128,
    MANY_BATCHES = 2048,
    CHECKED = 16,
    FEW_ELEMENTS = 1 << 18,
    FEWER = 16
};

/* Keys number 0, 1, … are odd multiples, so that no two are alike; even ones are not there. */
#define SCATTER 2654435761u
WW_MAP(dictionary_key, uint32_t, uint32_t, i, void, none, { return (2 * i + 1) * 2654435761u; });
static uint32_t key_number(uint32_t i) { return (2 * i + 1) * SCATTER; }
static uint32_t no_key(uint32_t i) { return 2 * i * SCATTER; }

/* On the emulator each of them is many launches, and there are few elements: a sixteenth of the batches. */
static size_t batches(uint64_t parameter, size_t all) { return parameter / (all < FEW_ELEMENTS ? FEWER : 1); }

/* Of the row that is measured: what it asks, or makes anew. */
static ww_lsm *kept;

void lsm_end(void) {
    ww_lsm_close(kept);
    kept = NULL;
}

static ww_input keys_from(size_t first, size_t many) {
    return ww_mapped(&dictionary_key_ww, ww_counting(&ww_type_uint32_t, first, many));
}

static ww_input numbers_from(size_t first, size_t many) { return ww_counting(&ww_type_uint32_t, first, many); }

static ww_status open_kept(bench_work *w) {
    if (kept) return WW_OK;
    return ww_lsm_open(w->device, &ww_type_uint32_t, &ww_type_uint32_t, &kept, NULL);
}

/* ---- updates ---- */

void lsm_make_batches(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->second = work_pages(w, w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] = key_number((uint32_t)i);
}

static size_t batch_length(const bench_work *w) { return w->n / batches(w->parameter, w->n); }

/* The first `end` elements, batch by batch, from empty on. */
static ww_status insert_until(bench_work *w, size_t end) {
    const size_t batch = batch_length(w);
    const uint32_t *const keys = w->in;
    ww_status status = open_kept(w);
    if (!status) status = ww_lsm_build(kept, ww_memory(keys, 0), ww_memory(keys, 0));
    for (size_t i = 0; i < end && !status; i += batch) {
        const size_t many = end - i < batch ? end - i : batch;
        status = ww_lsm_insert(kept, ww_memory(keys + i, many), numbers_from(i, many));
    }
    return status;
}

ww_status lsm_run_insert(bench_work *w) { return insert_until(w, w->n); }
ww_status lsm_run_first(bench_work *w) { return insert_until(w, batch_length(w)); }
ww_status lsm_run_but_last(bench_work *w) { return insert_until(w, (w->n - 1) / batch_length(w) * batch_length(w)); }

static bool has(size_t wanted) {
    uint64_t size = 0;
    return !ww_lsm_size(kept, &size) && size == wanted;
}
bool lsm_right_first(const bench_work *w) { return has(batch_length(w)); }
bool lsm_right_but_last(const bench_work *w) { return has((w->n - 1) / batch_length(w) * batch_length(w)); }

bool lsm_right_insert(const bench_work *w) {
    uint32_t key = 0, value = 0;
    uint8_t found = 0;
    uint64_t size = 0;
    if (w->base) return check_sorted_u32(w->out, w->in, w->n);
    if (ww_lsm_size(kept, &size) || size != w->n || ww_lsm_check(kept)) return false;
    for (size_t k = 0; k < CHECKED; k++) {
        const uint32_t i = (uint32_t)(w->n / CHECKED * k);
        key = key_number(i);
        if (ww_lsm_lookup(kept, ww_memory(&key, 1), ww_array(&value, 1), ww_array(&found, 1)) || ww_sync(w->device))
            return false;
        if (!found || value != i) return false;
    }
    return true;
}

/* The same keys to a sorted array. They go to and fro, and end in `out`. */
ww_status lsm_run_merged(bench_work *w) {
    const size_t batch = w->n / batches(w->parameter, w->n);
    uint32_t *const keys = w->in, *const sorted = w->out_second, *from = w->second, *to = w->out;
    ww_status status = WW_OK;
    for (size_t i = 0; i < w->n && !status; i += batch) {
        const size_t many = w->n - i < batch ? w->n - i : batch;
        status = ww_sort(w->device, ww_memory(keys + i, many), ww_no_input, ww_array(sorted, many), ww_none, NULL);
        if (!status)
            status = ww_merge(w->device, NULL, ww_memory(sorted, many), ww_memory(from, i), ww_no_input, ww_no_input,
                              ww_array(to, i + many), ww_none);
        uint32_t *const turned = from;
        from = to;
        to = turned;
    }
    if (!status && from != w->out)
        status = ww_copy(w->device, ww_memory(from, w->n), ww_array((uint32_t *)w->out, w->n));
    return status;
}

/* The same keys to an array that is sorted anew with each batch. */
ww_status lsm_run_rebuilt(bench_work *w) {
    const size_t batch = batch_length(w);
    const uint32_t *const keys = w->in;
    ww_status status = WW_OK;
    for (size_t i = 0; i < w->n && !status; i += batch) {
        const size_t all = w->n - i < batch ? w->n : i + batch;
        status = ww_sort(w->device, ww_memory(keys, all), ww_no_input, ww_array((uint32_t *)w->out, all), ww_none,
                         NULL);
    }
    return status;
}
bool lsm_right_rebuilt(const bench_work *w) { return check_sorted_u32(w->out, w->in, w->n); }

/* ---- queries ---- */

/* What is there: so many of all batches. */
static size_t batch_of(size_t all) { return all / batches(BATCHES, all); }
static size_t elements(const bench_work *w, size_t all) { return batch_of(all) * batches(w->parameter, all); }

static ww_status fill_kept(bench_work *w, size_t all) {
    if (kept) return WW_OK;
    const size_t batch = batch_of(all);
    ww_status status = open_kept(w);
    for (size_t i = 0; i < elements(w, all) && !status; i += batch)
        status = ww_lsm_insert(kept, keys_from(i, batch), numbers_from(i, batch));
    return status;
}

void lsm_make_there(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n);
    data_below(w->in, w->n, (uint32_t)elements(w, w->n), 41);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] = key_number(((uint32_t *)w->in)[i]);
}

void lsm_make_not_there(bench_work *w) {
    lsm_make_there(w);
    data_u31(w->in, w->n, 42);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] = no_key(((uint32_t *)w->in)[i]);
}

ww_status lsm_run_lookup(bench_work *w) {
    const ww_status status = fill_kept(w, w->n);
    if (status) return status;
    return ww_lsm_lookup(kept, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n),
                         ww_array((uint8_t *)w->out_second, w->n));
}

bool lsm_right_there(const bench_work *w) {
    const uint32_t *const keys = w->in, *const values = w->out;
    const uint8_t *const found = w->out_second;
    for (size_t i = 0; i < w->n; i++)
        if (!found[i] || key_number(values[i]) != keys[i]) return false;
    return true;
}

bool lsm_right_not_there(const bench_work *w) {
    const uint8_t *const found = w->out_second;
    for (size_t i = 0; i < w->n; i++)
        if (found[i]) return false;
    return true;
}

/* Bounds `width` elements apart, on average: the keys are as good as uniform. */
static void make_bounds(bench_work *w, size_t all, uint64_t width) {
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->n * 4);
    data_u32(w->in, w->n, 43);
    const uint64_t apart = (UINT64_C(1) << 32) / elements(w, all) * width;
    for (size_t i = 0; i < w->n; i++) {
        const uint64_t high = ((uint32_t *)w->in)[i] + apart;
        ((uint32_t *)w->second)[i] = high > UINT32_MAX ? UINT32_MAX : (uint32_t)high;
    }
    w->m = w->n;
}

/* A few of them, each by a look at every key. */
static bool right_count_at(const bench_work *w, size_t all, size_t i, uint64_t count) {
    const uint32_t low = ((const uint32_t *)w->in)[i], high = ((const uint32_t *)w->second)[i];
    uint64_t wanted = 0;
    for (size_t k = 0; k < elements(w, all); k++) {
        const uint32_t key = key_number((uint32_t)k);
        wanted += key >= low && key <= high;
    }
    return wanted == count;
}

void lsm_make_narrow(bench_work *w) {
    make_bounds(w, w->n, 8);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
}

void lsm_make_wide(bench_work *w) {
    make_bounds(w, w->n, 1024);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
}

ww_status lsm_run_count(bench_work *w) {
    const ww_status status = fill_kept(w, w->n);
    if (status) return status;
    return ww_lsm_count(kept, ww_memory((const uint32_t *)w->in, w->n), ww_memory((const uint32_t *)w->second, w->n),
                        ww_array((uint32_t *)w->out, w->n));
}

bool lsm_right_count(const bench_work *w) {
    for (size_t k = 0; k < CHECKED; k++) {
        const size_t i = w->n / CHECKED * k;
        if (!right_count_at(w, w->n, i, ((const uint32_t *)w->out)[i])) return false;
    }
    return true;
}

/* As many ranges as a sixteenth of the elements, with room for twice what is expected; a study's of width 1024 are a 1024th. */
enum { RANGES = 16, NARROW = 8, WIDE = 1024 };

static struct { size_t width, share; } ranged;

static size_t range_room(const bench_work *w) { return w->n * ranged.width * 2; }

static void make_ranges_of(bench_work *w, size_t width, size_t share) {
    ranged.width = width;
    ranged.share = share;
    make_bounds(w, w->n * share, width);
    w->out = work_pages(w, w->out_bytes = range_room(w) * 8);
    w->out_second = work_pages(w, w->out_second_bytes = (w->n + 1) * 8);
}
void lsm_make_ranges(bench_work *w) { make_ranges_of(w, NARROW, RANGES); }
void lsm_make_wide_ranges(bench_work *w) { make_ranges_of(w, WIDE, WIDE); }

ww_status lsm_run_range(bench_work *w) {
    const ww_status status = fill_kept(w, w->n * ranged.share);
    const size_t room = range_room(w);
    if (status) return status;
    return ww_lsm_range(kept, ww_memory((const uint32_t *)w->in, w->n), ww_memory((const uint32_t *)w->second, w->n),
                        ww_array((uint64_t *)w->out_second, w->n + 1), ww_array((uint32_t *)w->out, room),
                        ww_array((uint32_t *)w->out + room, room));
}

bool lsm_right_range(const bench_work *w) {
    const uint32_t *const keys = w->out, *const values = keys + range_room(w), *const low = w->in,
                          *const high = w->second;
    const uint64_t *const offsets = w->out_second;
    for (size_t i = 0; i < w->n; i++)
        for (uint64_t k = offsets[i]; k < offsets[i + 1]; k++)
            if (keys[k] < low[i] || keys[k] > high[i] || (k > offsets[i] && keys[k] <= keys[k - 1]) ||
                key_number(values[k]) != keys[k])
                return false;
    for (size_t k = 0; k < CHECKED; k++) {
        const size_t i = w->n / CHECKED * k;
        if (!right_count_at(w, w->n * ranged.share, i, offsets[i + 1] - offsets[i])) return false;
    }
    return true;
}

/* clang-format off */
#define QUERIES(levels, batches) \
    {.name = "lsm look up, all there, " levels, .call = "ww_lsm_lookup of n u32 keys, u32 values", .make = lsm_make_there, \
     .run = lsm_run_lookup, .right = lsm_right_there, .end = lsm_end, .bytes = 9, .element = 4, .parameter = batches, .usual = 1 << 24}, \
    {.name = "lsm look up, none there, " levels, .call = "ww_lsm_lookup of n u32 keys, u32 values", .make = lsm_make_not_there, \
     .run = lsm_run_lookup, .right = lsm_right_not_there, .end = lsm_end, .bytes = 5, .element = 4, .parameter = batches, .usual = 1 << 24}, \
    {.name = "lsm count 8, " levels, .call = "ww_lsm_count of n u32 bounds", .make = lsm_make_narrow, .run = lsm_run_count, \
     .right = lsm_right_count, .end = lsm_end, .bytes = 12, .element = 4, .parameter = batches, .usual = 1 << 24}, \
    {.name = "lsm count 1024, " levels, .call = "ww_lsm_count of n u32 bounds", .make = lsm_make_wide, .run = lsm_run_count, \
     .right = lsm_right_count, .end = lsm_end, .bytes = 12, .element = 4, .parameter = batches, .usual = 1 << 24}, \
    {.name = "lsm range 8, " levels, .call = "ww_lsm_range of n u32 bounds in 16 n elements", .make = lsm_make_ranges, .run = lsm_run_range, \
     .right = lsm_right_range, .end = lsm_end, .bytes = 80, .element = 4, .parameter = batches, .usual = 1 << 20}

static const bench_row rows[] = {
    {.name = "lsm insert, 256 batches", .call = "ww_lsm_insert of u32 to u32, from empty on", .make = lsm_make_batches,
     .run = lsm_run_insert, .right = lsm_right_insert, .end = lsm_end, .bytes = 16, .element = 4, .parameter = BATCHES, .usual = 1 << 24},
    {.name = "lsm insert, 2048 batches", .call = "ww_lsm_insert of u32 to u32, from empty on", .make = lsm_make_batches,
     .run = lsm_run_insert, .right = lsm_right_insert, .end = lsm_end, .bytes = 16, .element = 4, .parameter = MANY_BATCHES,
     .usual = 1 << 24},
    {.name = "lsm insert, 128 batches", .call = "ww_lsm_insert of u32 to u32, from empty on", .make = lsm_make_batches,
     .run = lsm_run_insert, .right = lsm_right_insert, .end = lsm_end, .bytes = 16, .element = 4, .parameter = SOME_BATCHES,
     .usual = 1 << 24},
    {.name = "lsm insert, 16 batches", .call = "ww_lsm_insert of u32 to u32, from empty on", .make = lsm_make_batches,
     .run = lsm_run_insert, .right = lsm_right_insert, .end = lsm_end, .bytes = 16, .element = 4, .parameter = FEW_BATCHES, .usual = 1 << 24,
     .base_call = "keys alone, each batch merged into one sorted array", .base = lsm_run_merged},
    QUERIES("1 level", BATCHES),
    QUERIES("8 levels", BATCHES - 1),
    SLAB_ROWS,
};
/* clang-format on */

const bench_family family_dictionary = {.name = "dictionary",
                                        .title = "Dictionaries",
                                        .rows = rows,
                                        .count = BENCH_COUNT(rows),
                                        .studies = dictionary_studies,
                                        .tables = dictionary_tables};
