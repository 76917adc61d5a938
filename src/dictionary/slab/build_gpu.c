/* The host side of a batch of insertions into an empty dictionary on a GPU: build.cu says how. Where there is no memory for
 * it nothing has changed, and the pairs are inserted one by one. */
#include <string.h>

#include "device/gpu/batch.h"
#include "dictionary/slab/build_arguments.cuh"
#include "dictionary/slab/slab.h"
#include "function/types.h"
#include "primitive/scan/scan.h"
#include "sort/sort.h"

enum {
    SLOTS_SHARE = 4, /* slots of first slabs for each pair of a batch that is worth it: it writes all of them */
    RANGES_SHARED =
        4 /* ranges as large as so many, where buckets share slabs: the more there are, the fewer slots stay empty */
};

static const struct {
    uint32_t threads;
    uint64_t least;       /* pairs of a batch that is worth it */
    uint64_t range_pairs; /* of a range, about */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {256, 1 << 15, 1024},
    [WW__TILES_SMALL] = {64, 32, 64},
};

bool ww__slab_may_build_gpu(const ww_slab *s, const ww__slab_batch *b, uint64_t buckets) {
    return b->count <= UINT32_MAX && b->count >= tuning[s->device->gpu->driver->tiles].least &&
           b->count >= buckets * s->layout.slots / SLOTS_SHARE;
}

/* A pair as it is moved: a number, or a record with a key of 8 bytes' alignment. */
static ww_array pairs_array(const ww_slab *s, void *data, uint64_t count) {
    const uint32_t key = s->layout.key_size, value = s->layout.value_size;
    if (key + value == 4) return ww_array_of(data, count, &ww_type_uint32_t);
    if (key + value == 8) return ww_array_of(data, count, &ww_type_uint64_t);
    return ww_records(data, count, 16);
}

typedef struct building {
    ww_slab *s;
    const ww__slab_batch *b;
    ww__recipe recipe;
    build_arguments all;
} building;

static void begin_recipe(building *g) {
    ww_slab *const s = g->s;
    const ww_array pair = pairs_array(s, NULL, 0);
    ww__recipe *const r = &g->recipe;
    ww__slab_recipe(r, "dictionary/slab/build.cu", s, tuning[s->device->gpu->driver->tiles].threads);
    ww__recipe_type(r, "build_pair", pair.type, pair.size, NULL);
    ww__recipe_input(r, "key", g->b->keys);
    if (g->b->values) ww__recipe_input(r, "value", g->b->values);
}

/* A kernel over `count` threads, or with `count` blocks. */
static ww_status launch(building *g, const char *kernel, uint64_t blocks) {
    ww__arguments a;
    WW__ARGUMENTS(&a, g->all);
    return ww__gpu_launch(g->s->device, &g->recipe, kernel, blocks, tuning[g->s->device->gpu->driver->tiles].threads, 0,
                          &a);
}
static uint64_t blocks_of(const building *g, uint64_t threads) {
    return ww__blocks(threads, tuning[g->s->device->gpu->driver->tiles].threads);
}

/* The pairs, those of one range together; where there is one range they are. */
static ww_status partition(building *g) {
    ww_device *const device = g->s->device;
    build_arguments *const all = &g->all;
    const uint64_t n = all->count;
    uint32_t *range;
    void *pair;
    ww__arguments a;
    const size_t size = pairs_array(g->s, NULL, 0).size;
    WW_TRY(ww__scratch_array(device, n, sizeof *range, &range));
    WW_TRY(ww__scratch_array(device, n, size, &pair));
    const build_pack_fixed fixed = {.t = all->t, .count = n, .range_log = all->range_log, .range = range, .pair = pair};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, g->b->keys));
    if (g->b->values) WW_TRY(ww__argument_input(device, &a, g->b->values));
    WW_TRY(ww__gpu_launch(device, &g->recipe, "build_pack", blocks_of(g, n), tuning[device->gpu->driver->tiles].threads,
                          0, &a));
    const ww_array ranges = ww_array(range, n), pairs = pairs_array(g->s, pair, n);
    all->range = range;
    all->pair = pair;
    if (all->ranges == 1) return WW_OK;
    const ww__sorting sorting = {.keys = ww_from(ranges),
                                 .values = ww_from(pairs),
                                 .keys_out = ranges,
                                 .values_out = pairs,
                                 .bit_count = ww__slab_log(all->ranges - 1) + 1};
    return ww__sort(device, &sorting);
}

/* Where each range's slabs begin, and how many slabs there are behind first ones. */
static ww_status count_slabs(building *g, uint64_t *slabs) {
    ww_device *const device = g->s->device;
    build_arguments *const all = &g->all;
    WW_TRY(ww__scratch_array(device, all->ranges + 1, sizeof *all->first, &all->first));
    WW_TRY(ww__scratch_array(device, all->ranges + 1, sizeof *all->slabs, &all->slabs));
    WW_TRY(launch(g, "build_bounds", blocks_of(g, all->ranges + 1)));
    WW_TRY(ww__gpu_fill(device, all->slabs + all->ranges, 0, sizeof *all->slabs));
    WW_TRY(launch(g, "build_count", all->ranges));
    const ww_array out = ww_array(all->slabs, all->ranges + 1);
    const ww_input in = ww_from(out);
    const ww__scanning sums = {
        .op = ww__operator(&ww_add, &ww_type_uint64_t, sizeof(uint64_t)), .in = &in, .out = &out, .exclusive = true};
    WW_TRY(ww__scan(device, &sums));
    *slabs = 0; /* as a GPU that only compiles leaves it */
    return ww__gpu_copy(device, slabs, all->slabs + all->ranges, sizeof *slabs);
}

/* All that may find no memory, which changes nothing that anybody sees. */
static ww_status prepare(building *g, void **statuses) {
    ww_slab *const s = g->s;
    uint64_t slabs;
    if (g->b->statuses) WW_TRY(ww__gpu_room_kept(s->device, g->b->statuses, statuses));
    WW_TRY(partition(g));
    WW_TRY(count_slabs(g, &slabs));
    while (ww__slab_supers_slabs(&s->table) < slabs) WW_TRY(ww__slab_add_super(s));
    g->all.t = s->table;
    return WW_OK;
}

ww_status ww__slab_build_gpu(ww_slab *s, const ww__slab_batch *b, uint64_t buckets, bool *built,
                             ww__slab_outcome *outcome) {
    const bool shares = ww__slab_shares(s, b->count);
    const uint64_t n = b->count,
                   most = tuning[s->device->gpu->driver->tiles].range_pairs * (shares ? RANGES_SHARED : 1);
    building g = {.s = s, .b = b, .all = {.t = s->table, .count = n, .range_log = SLAB_RANGE_LOG_MOST}};
    void *statuses = NULL;
    while (g.all.range_log && (n / buckets) << g.all.range_log > most) g.all.range_log--;
    g.all.shares = shares && g.all.range_log;
    g.all.ranges = ((buckets - 1) >> g.all.range_log) + 1;
    begin_recipe(&g);
    const ww__scratch_mark mark = ww__scratch_here(s->device);
    ww_status status = prepare(&g, &statuses);
    if (!status) status = launch(&g, "build_place", g.all.ranges);
    *built = !status;
    if (*built && !s->device->on_paper) s->share_log = g.all.shares ? (uint32_t)g.all.range_log : 0;
    if (!status && statuses) status = ww__gpu_fill(s->device, statuses, WW_SLAB_INSERTED, (size_t)n);
    if (!status && statuses) status = ww__gpu_result(s->device, b->statuses->data, statuses, b->statuses->size);
    ww__scratch_back(s->device, &mark);
    outcome->inserted = *built ? n : 0;
    return status == WW_MEMORY && !*built ? WW_OK : status;
}
