/* The host side of the ordered dictionary on a GPU: one launch each, but for ranges, which are listed some at a time. Kernels get the
 * levels' table as a part of their arguments. */
#include "device/gpu/batch.h"
#include "dictionary/lsm/count_arguments.cuh"
#include "dictionary/lsm/list_arguments.cuh"
#include "dictionary/lsm/lookup_arguments.cuh"
#include "dictionary/lsm/lsm.h"
#include "dictionary/lsm/next_arguments.cuh"
#include "dictionary/lsm/order_arguments.cuh"
#include "dictionary/lsm/place_arguments.cuh"
#include "dictionary/lsm/weigh_arguments.cuh"
#include "primitive/scan/scan.h"
#include "sort/sort.h"

/* Where there are more than FINE_RANGES ranges a part of 16 bits has so many that those at the ends of a block make what it merges too long. */
enum {
    BLOCKS_A_PROCESSOR = 16, /* of what goes on until all is done */
    PART_BITS = 16,          /* of a query's part */
    FINE_PART_BITS = 18,
    FINE_RANGES = 1 << 22,
    UNCACHED = 200 << 20 /* bytes of keys of which a second-level cache has few */
};

/* Ranges that are listed at a time; elements of a thread where a block's parts of levels are merged, of keys of 4 and 8 bytes; where they
 * are not bytes of levels' keys in shared memory, likewise, and elements that a warp collects at once; blocks that a processor holds; and elements of a
 * level's part: ranges of a block that has a longer one are taken for long ones. */
static const struct {
    uint64_t ranges;
    uint32_t merged[2], staged_bytes[2], picked, held, part_most;
} listings[WW__TILINGS] = {[WW__TILES_GPU] = {1 << 23, {21, 13}, {22 << 10, 18 << 10}, 384, 4, INT32_MAX},
                           [WW__TILES_SMALL] = {200, {7, 5}, {640, 640}, 48, 1, 600}};

static uint32_t threads_of(const ww_device *device) {
    static const uint32_t threads[WW__TILINGS] = {[WW__TILES_GPU] = 256, [WW__TILES_SMALL] = 64};
    return threads[device->gpu->driver->tiles];
}

static void recipe_begin(ww__recipe *r, const ww_lsm *lsm, const char *file) {
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_THREADS", threads_of(lsm->device));
    ww__recipe_type(r, "ww_key", lsm->key, lsm->key_size, NULL);
}

/* Values, where there are any at `at`: aligned as they are there. Those of levels are as much as any. */
static void recipe_values(ww__recipe *r, const ww_lsm *lsm, const void *at) {
    ww__recipe_number(r, "WW_VALUES", at != NULL);
    if (at) ww__recipe_type(r, "ww_value", lsm->value, lsm->value_size, at);
}

/* One thread for each of `count`. */
static ww_status launch(const ww_lsm *lsm, const ww__recipe *r, const char *kernel, uint64_t count,
                        const ww__arguments *a) {
    const uint32_t threads = threads_of(lsm->device);
    return ww__gpu_launch(lsm->device, r, kernel, ww__blocks(count, threads), threads, 0, a);
}

/* The same of a kernel that calls ww_in_line before all else. */
static ww_status launch_early(const ww_lsm *lsm, const ww__recipe *r, const char *kernel, uint64_t count,
                              const ww__arguments *a) {
    const uint32_t threads = threads_of(lsm->device);
    return ww__gpu_launch_early(lsm->device, r, kernel, ww__blocks(count, threads), threads, 0, a);
}

static ww_lsm_run run_of(const ww__lsm_level *l) {
    return (ww_lsm_run){l->keys, l->values, l->dead, NULL, NULL, l->count};
}

/* ---- levels ---- */

ww_status ww__lsm_place_gpu(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch) {
    ww__recipe r;
    ww__arguments a;
    recipe_begin(&r, lsm, "dictionary/lsm/place.cu");
    recipe_values(&r, lsm, !lsm->value ? NULL : batch->order ? batch->values : level->values);
    ww__recipe_number(&r, "WW_ORDER", !batch->order ? 0 : batch->wide ? 8 : 4);
    const place_arguments all = {.level = run_of(level),
                                 .values = level->values,
                                 .dead = level->dead,
                                 .order = batch->order,
                                 .deletes = batch->deletes,
                                 .from = batch->values};
    WW__ARGUMENTS(&a, all);
    return launch_early(lsm, &r, "place", level->count, &a);
}

ww_status ww__lsm_flag_gpu(ww_lsm *lsm, const ww__lsm_level *level, uint8_t *flags, uint64_t *kept) {
    uint64_t *count;
    ww__recipe r;
    ww__arguments a;
    WW_TRY(ww__scratch(lsm->device, sizeof *count, &count));
    WW_TRY(ww__gpu_fill(lsm->device, count, 0, sizeof *count));
    recipe_begin(&r, lsm, "dictionary/lsm/place.cu");
    recipe_values(&r, lsm, NULL);
    ww__recipe_number(&r, "WW_ORDER", 4);
    const flag_arguments all = {.level = run_of(level), .flags = flags, .kept = count};
    WW__ARGUMENTS(&a, all);
    WW_TRY(launch(lsm, &r, "flag", level->count, &a));
    *kept = level->count; /* as a GPU that only compiles leaves it */
    return ww__gpu_copy(lsm->device, kept, count, sizeof *kept);
}

ww_status ww__lsm_weigh_gpu(ww_lsm *lsm, size_t j) {
    const ww__lsm_level *const level = &lsm->level[j];
    const uint64_t words = level->count / WW__LSM_WORD + 1;
    weigh_arguments all = {.before = level->before, .bits = level->bits, .words = words, .level = j};
    ww__recipe r;
    ww__arguments a;
    ww__lsm_runs_of(lsm, &all.runs);
    recipe_begin(&r, lsm, "dictionary/lsm/weigh.cu");
    WW__ARGUMENTS(&a, all);
    return launch(lsm, &r, "weigh", words * WW__LSM_WORD, &a);
}

/* ---- queries in the order of their keys ---- */

/* Sorting them, and going back to where they stood, costs as much as searching two levels that lie in the second-level cache, or one that
 * does not. Counts have two bounds. */
static bool order_is_worth_it(const ww_lsm *lsm, uint64_t queries, size_t bounds) {
    static const struct {
        uint64_t queries, elements;
    } least[WW__TILINGS] = {[WW__TILES_GPU] = {1 << 18, 1 << 20}, [WW__TILES_SMALL] = {128, 128}};
    const ww__tiles tiles = lsm->device->gpu->driver->tiles;
    uint64_t elements = 0;
    for (size_t j = 0; j < lsm->levels; j++) elements += lsm->level[j].count;
    return queries >= least[tiles].queries && elements >= least[tiles].elements &&
           (bounds * lsm->levels > 1 || elements >= UNCACHED / lsm->key_size);
}

static ww_status order_queries(ww_lsm *lsm, const ww_input *keys, uint64_t first, uint64_t n, uint32_t bits,
                               void **queries) {
    ww_device *const device = lsm->device;
    const size_t size = 2 * lsm->key_size;
    uint32_t *part;
    void *all;
    ww__recipe r;
    ww__arguments a;
    WW_TRY(ww__scratch_array(device, n, sizeof *part, &part));
    WW_TRY(ww__scratch_array(device, n, size, &all));
    const order_fixed fixed = {
        .part = part, .queries = all, .first = first, .count = n, .oldest = run_of(&lsm->level[lsm->levels - 1])};
    recipe_begin(&r, lsm, "dictionary/lsm/order.cu");
    ww__recipe_number(&r, "WW_PART_BITS", bits);
    ww__recipe_input(&r, "key", keys);
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, keys));
    WW_TRY(launch(lsm, &r, "order", n, &a));
    const ww_array parts = ww_array(part, n),
                   moved = size == 8 ? ww_array_of(all, n, &ww_type_uint64_t) : ww_records(all, n, size);
    const ww__sorting sorting = {
        .keys = ww_from(parts), .values = ww_from(moved), .keys_out = parts, .values_out = moved, .bit_count = bits};
    WW_TRY(ww__sort(device, &sorting));
    *queries = all;
    return WW_OK;
}

/* Queries number first … first + n - 1 with neighbours together, or NULL: where it is not worth it, or there is no memory for it. */
static ww_status ordered(ww_lsm *lsm, const ww_input *keys, uint64_t first, uint64_t n, size_t bounds, uint32_t bits,
                         void **queries) {
    *queries = NULL;
    if (!order_is_worth_it(lsm, n, bounds) || keys->count > UINT32_MAX || ww__gpu_capturing(lsm->device)) return WW_OK;
    const ww_status status = order_queries(lsm, keys, first, n, bits, queries);
    return status == WW_MEMORY ? WW_OK : status;
}

/* ---- queries ---- */

ww_status ww__lsm_lookup_gpu(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found) {
    ww_device *const device = lsm->device;
    void *values_room, *found_room, *queries;
    ww__recipe r;
    ww__arguments a;
    WW_TRY(ww__stage_due(device));
    WW_TRY(ww__gpu_room_kept(device, values, &values_room));
    WW_TRY(ww__gpu_room_kept(device, found, &found_room));
    WW_TRY(ordered(lsm, keys, 0, keys->count, 1, PART_BITS, &queries));
    lookup_fixed fixed = {.values = values_room, .found = found_room, .count = keys->count, .queries = queries};
    ww__lsm_runs_of(lsm, &fixed.runs);
    recipe_begin(&r, lsm, "dictionary/lsm/lookup.cu");
    recipe_values(&r, lsm, values_room);
    ww__recipe_number(&r, "WW_ORDERED", queries != NULL);
    if (!queries) ww__recipe_input(&r, "key", keys);
    WW__ARGUMENTS(&a, fixed);
    if (!queries) WW_TRY(ww__argument_input(device, &a, keys));
    WW_TRY(launch(lsm, &r, "lookup", keys->count, &a));
    WW_TRY(ww__gpu_result(device, values->data, values_room, values->size));
    return ww__gpu_result(device, found->data, found_room, found->size);
}

ww_status ww__lsm_count_gpu(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts) {
    ww_device *const device = lsm->device;
    void *room, *queries;
    ww__recipe r;
    ww__arguments a;
    WW_TRY(ww__gpu_room(device, counts->data, (size_t)counts->count * counts->size, &room));
    WW_TRY(ordered(lsm, lows, 0, lows->count, 2, PART_BITS, &queries));
    count_fixed fixed = {.counts = room, .count = counts->count, .queries = queries};
    ww__lsm_runs_of(lsm, &fixed.runs);
    recipe_begin(&r, lsm, "dictionary/lsm/count.cu");
    ww__recipe_type(&r, "ww_count", counts->type, counts->size, NULL);
    ww__recipe_number(&r, "WW_ORDERED", queries != NULL);
    if (!queries) ww__recipe_input(&r, "low", lows);
    ww__recipe_input(&r, "high", highs);
    WW__ARGUMENTS(&a, fixed);
    if (!queries) WW_TRY(ww__argument_input(device, &a, lows));
    WW_TRY(ww__argument_input(device, &a, highs));
    WW_TRY(launch(lsm, &r, "count", counts->count, &a));
    return ww__gpu_result(device, counts->data, room, (size_t)counts->count * counts->size);
}

ww_status ww__lsm_next_gpu(ww_lsm *lsm, const ww__lsm_stepping *s) {
    ww_device *const device = lsm->device;
    const ww_array *const outputs[] = {&s->keys_out, &s->values_out, &s->found};
    void *rooms[3];
    ww__recipe r;
    ww__arguments a;
    WW_TRY(ww__stage_due(device));
    for (int o = 0; o < 3; o++) WW_TRY(ww__gpu_room_kept(device, outputs[o], &rooms[o]));
    next_fixed fixed = {.keys = rooms[0], .values = rooms[1], .found = rooms[2], .count = s->keys->count};
    ww__lsm_runs_of(lsm, &fixed.runs);
    recipe_begin(&r, lsm, "dictionary/lsm/next.cu");
    recipe_values(&r, lsm, rooms[1]);
    ww__recipe_number(&r, "WW_ABOVE", s->above);
    ww__recipe_number(&r, "WW_OR_EQUAL", s->or_equal);
    ww__recipe_input(&r, "key", s->keys);
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, s->keys));
    WW_TRY(launch(lsm, &r, "next", s->keys->count, &a));
    for (int o = 0; o < 3; o++) WW_TRY(ww__gpu_result(device, outputs[o]->data, rooms[o], outputs[o]->size));
    return WW_OK;
}

/* ---- ranges ---- */

typedef struct listing {
    ww_lsm *lsm;
    const ww__lsm_ranging *r;
    list_fixed fixed; /* but for which ranges they are */
} listing;

/* Programs are compiled for so many levels. */
static uint32_t levels_compiled(size_t levels) {
    uint32_t most = 1;
    while (most < levels) most *= 2;
    return most < WW__LSM_LEVELS ? most : WW__LSM_LEVELS;
}

/* Whether values go along with the keys of short ranges; longer ones are read where they are. */
static bool carries_values(const ww_lsm *lsm) { return lsm->value_size <= sizeof(uint64_t); }

/* Elements of a thread that merges. */
static uint32_t merged_of(const ww_lsm *lsm) {
    return listings[lsm->device->gpu->driver->tiles].merged[lsm->key_size == sizeof(uint64_t)];
}

static uint32_t staged_of(const ww_lsm *lsm) {
    return listings[lsm->device->gpu->driver->tiles].staged_bytes[lsm->key_size == sizeof(uint64_t)];
}

/* Bytes of shared memory: find_shared. */
static size_t shared_of_find(const ww_lsm *lsm) {
    enum {
        WARP = 32,
        REST = 3072,      /* levels' parts */
        MARKS = 6,        /* of what is collected, beside its key */
        FROM = 2,         /* of what is merged, likewise */
        MERGED_REST = 768 /* what is known of its parts */
    };
    const ww__tiles tiles = lsm->device->gpu->driver->tiles;
    const size_t threads = threads_of(lsm->device);
    const size_t apart = staged_of(lsm) +
                         threads / WARP * listings[tiles].picked * (lsm->key_size + MARKS);
    const size_t merged = threads * merged_of(lsm) * (lsm->key_size + FROM) + MERGED_REST;
    return ww__round_up(REST + (apart > merged ? apart : merged), 64);
}

/* Of a key in a list, with its value or where that is: as much as the compiler may want. */
static size_t entry_bytes(const listing *l) {
    const ww_lsm *const lsm = l->lsm;
    const size_t with = carries_values(lsm) ? lsm->value_size : sizeof(uint64_t);
    return l->fixed.values_out ? ww__round_up(lsm->key_size + with, sizeof(uint64_t)) : lsm->key_size;
}

static void list_recipe(const listing *l, ww__recipe *recipe) {
    enum { LEVELS_HELD = 8 /* more take more registers */ };
    const ww_lsm *const lsm = l->lsm;
    const ww__tiles tiles = lsm->device->gpu->driver->tiles;
    const uint32_t levels = levels_compiled(lsm->levels);
    const bool is_ordered = l->fixed.queries != NULL;
    recipe_begin(recipe, lsm, "dictionary/lsm/list.cu");
    recipe_values(recipe, lsm, l->fixed.values_out);
    ww__recipe_number(recipe, "WW_CARRIED", carries_values(lsm));
    ww__recipe_number(recipe, "WW_ORDERED", is_ordered);
    ww__recipe_number(recipe, "WW_ENTRY_BYTES", entry_bytes(l));
    ww__recipe_number(recipe, "WW_LEVELS", levels);
    ww__recipe_number(recipe, "WW_MERGED", merged_of(lsm));
    ww__recipe_number(recipe, "WW_STAGED", staged_of(lsm) / lsm->key_size);
    ww__recipe_number(recipe, "WW_PICKED", listings[tiles].picked);
    ww__recipe_number(recipe, "WW_PART_MOST", listings[tiles].part_most);
    ww__recipe_number(recipe, "WW_SHARED_BYTES", shared_of_find(lsm));
    ww__recipe_number(recipe, "WW_HELD", levels <= LEVELS_HELD ? listings[tiles].held : 0);
    if (!is_ordered) ww__recipe_input(recipe, "low", l->r->lows);
    ww__recipe_input(recipe, "high", l->r->highs);
}

/* The offsets of some ranges, behind the first one's, which is known, from how many keys each has. */
static ww_status sum_counts(const listing *l) {
    const ww_array out = ww_array(l->fixed.offsets + l->fixed.first, l->fixed.ranges + 1);
    const ww_input in = ww_from(out);
    const ww__scanning sums = {
        .op = ww__operator(&ww_add, &ww_type_uint64_t, sizeof(uint64_t)), .in = &in, .out = &out};
    return ww__scan(l->lsm->device, &sums);
}

static ww_status list_some(listing *l, uint64_t first, uint64_t ranges) {
    ww_device *const device = l->lsm->device;
    ww__recipe recipe;
    ww__arguments a;
    void *queries;
    const uint32_t bits = ranges > FINE_RANGES ? FINE_PART_BITS : PART_BITS;
    WW_TRY(ordered(l->lsm, l->r->lows, first, ranges, 2, bits, &queries));
    l->fixed.queries = queries;
    l->fixed.first = first;
    l->fixed.ranges = ranges;
    list_recipe(l, &recipe);
    WW__ARGUMENTS(&a, l->fixed);
    if (!queries) WW_TRY(ww__argument_input(device, &a, l->r->lows));
    WW_TRY(ww__argument_input(device, &a, l->r->highs));
    const uint32_t threads = threads_of(device);
    WW_TRY(ww__gpu_launch_early(device, &recipe, "find", ww__blocks(ranges, threads), threads, shared_of_find(l->lsm),
                                &a));
    WW_TRY(sum_counts(l));
    WW_TRY(launch_early(l->lsm, &recipe, "bring", ranges, &a));
    WW_TRY(ww__lsm_sum(device, l->fixed.elements, ranges));
    return ww__gpu_launch_early(device, &recipe, "list", (uint64_t)BLOCKS_A_PROCESSOR * device->gpu->driver->processors,
                                threads, 0, &a);
}

ww_status ww__lsm_range_gpu(ww_lsm *lsm, const ww__lsm_ranging *r) {
    ww_device *const device = lsm->device;
    const uint64_t ranges = r->lows->count, most = ww__min_u64(ranges, listings[device->gpu->driver->tiles].ranges);
    listing l = {.lsm = lsm, .r = r, .fixed = {.room = r->keys_out.count, .offsets = r->offsets}};
    list_fixed *const f = &l.fixed;
    WW_TRY(ww__gpu_room_kept(device, &r->keys_out, &f->keys_out));
    WW_TRY(ww__gpu_room_kept(device, &r->values_out, &f->values_out));
    WW_TRY(ww__scratch_array(device, most * WW_LSM_SHORT, entry_bytes(&l), &f->list));
    WW_TRY(ww__scratch_array(device, most, sizeof *f->list_at, &f->list_at));
    WW_TRY(ww__scratch_array(device, most * lsm->levels, sizeof *f->from, &f->from));
    WW_TRY(ww__scratch_array(device, most * lsm->levels, sizeof *f->end, &f->end));
    WW_TRY(ww__scratch_array(device, most + 1, sizeof *f->elements, &f->elements));
    ww__lsm_runs_of(lsm, &f->runs);
    WW_TRY(ww__gpu_fill(device, r->offsets, 0, sizeof *r->offsets));
    for (uint64_t first = 0; first < ranges; first += most) {
        const ww__scratch_mark mark = ww__scratch_here(device);
        WW_TRY(list_some(&l, first, ww__min_u64(most, ranges - first)));
        ww__scratch_back(device, &mark);
    }
    WW_TRY(ww__gpu_result(device, r->keys_out.data, f->keys_out, r->keys_out.size));
    return ww__gpu_result(device, r->values_out.data, f->values_out, r->values_out.size);
}
