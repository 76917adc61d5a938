/* The host side of a slab hash on a GPU. A launch does a part of a batch; operations that found no slab free are done again, by another
 * launch, when a super block has been added, until there is no memory for one; then once more, for the last free slabs. */
#include <string.h>

#include "device/gpu/batch.h"
#include "dictionary/slab/batch_arguments.cuh"
#include "dictionary/slab/rebuild_arguments.cuh"
#include "dictionary/slab/slab.h"

static const struct {
    uint32_t threads;
    uint32_t blocks;       /* of a batch, for each processor */
    uint32_t decided_soon; /* looks at a claimed slot before it is taken away */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {256, 8, 64},
    [WW__TILES_SMALL] = {64, 2, 2},
};

void ww__slab_recipe(ww__recipe *r, const char *file, const ww_slab *s, uint32_t threads) {
    const ww_type *const value = s->value_type ? s->value_type : &ww_type_uint32_t;
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_THREADS", threads);
    ww__recipe_number(r, "WW_SLOTS", s->layout.slots);
    ww__recipe_number(r, "WW_BYTES", s->layout.bytes);
    ww__recipe_number(r, "WW_HAS_VALUES", s->value_type != NULL);
    ww__recipe_type(r, "slab_key", s->key_type, s->key_type->size, NULL);
    ww__recipe_type(r, "slab_value", value, value->size, NULL);
}

static void recipe_begin(ww__recipe *r, const char *file, const ww_slab *s) {
    ww__slab_recipe(r, file, s, tuning[s->device->gpu->driver->tiles].threads);
}

/* Runs a kernel over a cleared tally, and brings it back. */
static ww_status launch(ww_slab *s, const ww__recipe *r, const char *kernel, uint64_t blocks, ww__arguments *a,
                        void *counted, slab_tally *to) {
    const uint32_t threads = tuning[s->device->gpu->driver->tiles].threads;
    WW_TRY(ww__gpu_fill(s->device, counted, 0, sizeof *to));
    WW_TRY(ww__gpu_launch(s->device, r, kernel, blocks, threads, 0, a));
    *to = (slab_tally){0};
    return ww__gpu_copy(s->device, to, counted, sizeof *to);
}

/* ---- batches ---- */

/* Where a batch's outputs are for kernels. */
typedef struct outputs {
    void *statuses, *found, *counts;
} outputs;

static ww_status outputs_of(ww_slab *s, const ww__slab_batch *b, outputs *o) {
    ww_device *const device = s->device;
    *o = (outputs){NULL, NULL, NULL};
    if (b->statuses)
        WW_TRY(ww__gpu_room_kept(device, b->statuses, &o->statuses));
    else if (b->kind != WW__SLAB_KIND_SEARCH && b->kind < WW__SLAB_KIND_COUNT)
        WW_TRY(ww__scratch_array(device, b->first + b->count, 1, &o->statuses));
    if (b->found) WW_TRY(ww__gpu_room_kept(device, b->found, &o->found));
    if (b->counts) WW_TRY(ww__gpu_room_kept(device, b->counts, &o->counts));
    return WW_OK;
}

static ww_status put_outputs(ww_slab *s, const ww__slab_batch *b, const outputs *o) {
    if (b->statuses) WW_TRY(ww__gpu_result(s->device, b->statuses->data, o->statuses, b->statuses->size));
    if (b->found) WW_TRY(ww__gpu_result(s->device, b->found->data, o->found, b->found->size));
    if (b->counts) WW_TRY(ww__gpu_result(s->device, b->counts->data, o->counts, b->counts->size));
    return WW_OK;
}

static ww_status arguments_of(ww_slab *s, const ww__slab_batch *b, const outputs *o, void *counted, uint64_t again,
                              ww__arguments *a) {
    const batch_fixed fixed = {.t = s->table,
                               .first = b->first,
                               .count = b->count,
                               .tally = counted,
                               .statuses = o->statuses,
                               .found = o->found,
                               .found_room = b->found ? b->found->count : 0,
                               .counts = o->counts,
                               .again = again};
    WW__ARGUMENTS(a, fixed);
    WW_TRY(ww__argument_input(s->device, a, b->keys));
    if (b->operations) WW_TRY(ww__argument_input(s->device, a, b->operations));
    if (b->values) WW_TRY(ww__argument_input(s->device, a, b->values));
    if (b->offsets) WW_TRY(ww__argument_input(s->device, a, b->offsets));
    return WW_OK;
}

/* Where a whole list is wanted, or threads would meet at one value, warps do operations together. */
static bool threads_work_alone(const ww__slab_batch *b) { return !b->combine && b->kind <= WW__SLAB_KIND_DELETE; }

static void batch_recipe(ww__recipe *r, const ww_slab *s, const ww__slab_batch *b) {
    const ww_type *const count = b->counts ? b->counts->type : &ww_type_uint64_t;
    recipe_begin(r, "dictionary/slab/batch.cu", s);
    ww__recipe_number(r, "WW_KIND", b->kind);
    ww__recipe_number(r, "WW_ALONE", threads_work_alone(b));
    ww__recipe_number(r, "WW_TAKES_VALUES", b->values != NULL);
    ww__recipe_number(r, "WW_COMBINES", b->combine != NULL);
    ww__recipe_number(r, "WW_DECIDED_SOON", tuning[s->device->gpu->driver->tiles].decided_soon);
    ww__recipe_type(r, "slab_count", count, count->size, NULL);
    if (b->combine) ww__recipe_function(r, "ww_op", b->combine);
    ww__recipe_input(r, "key", b->keys);
    if (b->operations) ww__recipe_input(r, "operation", b->operations);
    if (b->values) ww__recipe_input(r, "value", b->values);
    if (b->offsets) ww__recipe_input(r, "offset", b->offsets);
}

ww_status ww__slab_batch_gpu(ww_slab *s, const ww__slab_batch *b, ww__slab_outcome *outcome) {
    const ww__driver *const driver = s->device->gpu->driver;
    const uint64_t blocks = ww__min_u64(ww__blocks(b->count, tuning[driver->tiles].threads),
                                        (uint64_t)driver->processors * tuning[driver->tiles].blocks);
    ww__recipe r;
    outputs o;
    void *counted;
    batch_recipe(&r, s, b);
    const ww__scratch_mark mark = ww__scratch_here(s->device);
    WW_TRY(outputs_of(s, b, &o));
    WW_TRY(ww__scratch(s->device, sizeof(slab_tally), &counted));
    for (uint64_t again = 0;;) {
        ww__arguments a;
        slab_tally t;
        WW_TRY(arguments_of(s, b, &o, counted, again, &a));
        WW_TRY(launch(s, &r, "slab_batch", blocks, &a, counted, &t));
        outcome->inserted += t.inserted;
        outcome->deleted += t.deleted;
        outcome->given_up += t.given_up;
        if (t.nearness) outcome->fault = ww__min_u64(outcome->fault, ~t.nearness);
        if (!t.full) break;
        if (again == SLAB_THOROUGH) {
            outcome->full = t.full;
            break;
        }
        again = ww__slab_add_super(s) ? SLAB_THOROUGH : 1;
    }
    const ww_status status = put_outputs(s, b, &o);
    ww__scratch_back(s->device, &mark);
    return status;
}

/* ---- buckets ---- */

/* A thread for each of so many; half a warp for each, as many as run at once, which go on with others. */
static uint64_t blocks_for(const ww_slab *s, uint64_t many) {
    return ww__blocks(many, tuning[s->device->gpu->driver->tiles].threads);
}
static uint64_t blocks_for_halves(const ww_slab *s, uint64_t many) {
    enum { HALF = 16 };
    const ww__driver *const driver = s->device->gpu->driver;
    return ww__min_u64(ww__blocks(many, tuning[driver->tiles].threads / HALF),
                       (uint64_t)driver->processors * tuning[driver->tiles].blocks);
}

ww_status ww__slab_rebuild_gpu(ww_slab *s, const ww__slab_rebuilding *r, uint64_t *dead) {
    ww__recipe recipe;
    const ww__scratch_mark mark = ww__scratch_here(s->device);
    void *counted;
    slab_tally t;
    if (!r->many) return WW_OK;
    recipe_begin(&recipe, "dictionary/slab/rebuild.cu", s);
    WW_TRY(ww__scratch(s->device, sizeof(slab_tally), &counted));
    if (s->device->on_paper) {
        ww__scratch_back(s->device, &mark);
        return WW_OK;
    }
    ww__arguments a;
    const rebuild_arguments all = {.t = s->table,
                                   .tally = counted,
                                   .first = r->first,
                                   .many = r->many,
                                   .apart = r->apart,
                                   .divided = r->divided,
                                   .merged = r->merged,
                                   .bit = r->bit,
                                   .share_log = s->share_log,
                                   .spare = r->spare};
    WW__ARGUMENTS(&a, all);
    const uint64_t groups = ((r->many - 1) >> s->share_log) + 1;
    if (s->share_log)
        WW_TRY(launch(s, &recipe, "slab_rebuild_groups", blocks_for(s, groups), &a, counted, &t));
    else
        WW_TRY(launch(s, &recipe, "slab_rebuild", blocks_for_halves(s, r->many), &a, counted, &t));
    *dead = t.dead;
    ww__scratch_back(s->device, &mark);
    return WW_OK;
}

/* ---- buckets that are taken away ---- */

/* The slabs that merged buckets want more than there are, in spare[…]: of those that are free, and when all of these have been looked for, of
 * a new super block. False: there is no memory for one, and none is taken. */
static ww_status take_spare(ww_slab *s, const ww__recipe *r, spare_arguments *all, void *counted, bool *taken) {
    ww__arguments a;
    slab_tally t;
    for (all->again = 0;;) {
        WW__ARGUMENTS(&a, *all);
        WW_TRY(launch(s, r, "slab_spare", blocks_for(s, all->many), &a, counted, &t));
        *taken = !t.full;
        if (*taken) return WW_OK;
        if (all->again == SLAB_THOROUGH && ww__slab_add_super(s)) break;
        all->again = SLAB_THOROUGH;
        all->t = s->table;
    }
    WW__ARGUMENTS(&a, *all);
    return launch(s, r, "slab_spare_back", blocks_for(s, all->many), &a, counted, &t);
}

ww_status ww__slab_merge_gpu(ww_slab *s, uint64_t many, bool *done) {
    ww_device *const device = s->device;
    const ww__slab_table *const t = &s->table;
    const ww__scratch_mark mark = ww__scratch_here(device);
    const uint64_t left = t->buckets - many, apart = t->base_count << ww__slab_log((t->buckets - 1) / t->base_count);
    uint64_t dead = 0;
    void *counted;
    ww__recipe recipe;
    spare_arguments all = {.t = *t, .first = left - apart, .many = many, .apart = apart};
    WW_TRY(ww__scratch_array(device, many, sizeof *all.spare, &all.spare));
    WW_TRY(ww__scratch(device, sizeof(slab_tally), &counted));
    all.tally = counted;
    recipe_begin(&recipe, "dictionary/slab/rebuild.cu", s);
    if (!device->on_paper) WW_TRY(take_spare(s, &recipe, &all, counted, done));
    const ww__slab_rebuilding r = {
        .first = all.first, .many = many, .apart = apart, .merged = true, .spare = all.spare};
    if (*done) {
        WW_TRY(ww__slab_rebuild_gpu(s, &r, &dead));
        s->dead -= dead;
        if (!device->on_paper) ww__slab_set_buckets(s, left);
    }
    ww__scratch_back(device, &mark);
    return WW_OK;
}

ww_status ww__slab_used_gpu(ww_slab *s, uint64_t *used) {
    enum { BYTES = WW__SLAB_SUPERS * sizeof(uint64_t) };
    const ww__driver *const driver = s->device->gpu->driver;
    const ww__scratch_mark mark = ww__scratch_here(s->device);
    const uint64_t words = ww__slab_supers_slabs(&s->table) / WW__SLAB_WORD;
    used_arguments all = {.t = s->table};
    ww__recipe recipe;
    ww__arguments a;
    recipe_begin(&recipe, "dictionary/slab/rebuild.cu", s);
    WW_TRY(ww__scratch(s->device, BYTES, &all.used));
    WW__ARGUMENTS(&a, all);
    if (!s->device->on_paper) {
        WW_TRY(ww__gpu_fill(s->device, all.used, 0, BYTES));
        WW_TRY(ww__gpu_launch(s->device, &recipe, "slab_used", ww__min_u64(blocks_for(s, words), driver->processors),
                              tuning[driver->tiles].threads, 0, &a));
        WW_TRY(ww__gpu_copy(s->device, used, all.used, BYTES));
    }
    ww__scratch_back(s->device, &mark);
    return WW_OK;
}

ww_status ww__slab_pairs_gpu(ww_slab *s, const ww_array *keys, const ww_array *values) {
    ww_device *const device = s->device;
    ww__recipe recipe;
    const uint32_t warps = tuning[device->gpu->driver->tiles].threads / 32;
    void *counted, *keys_to = NULL, *values_to = NULL;
    slab_tally t;
    recipe_begin(&recipe, "dictionary/slab/rebuild.cu", s);
    WW_TRY(ww__scratch(device, sizeof(slab_tally), &counted));
    if (keys) WW_TRY(ww__gpu_room_kept(device, keys, &keys_to));
    if (values) WW_TRY(ww__gpu_room_kept(device, values, &values_to));
    ww__arguments a;
    const pairs_arguments all = {
        .t = s->table, .tally = counted, .shares = s->share_log != 0, .keys = keys_to, .values = values_to};
    WW__ARGUMENTS(&a, all);
    WW_TRY(launch(s, &recipe, "slab_pairs", ww__blocks(s->table.buckets, warps), &a, counted, &t));
    if (keys && s->pairs) WW_TRY(ww__gpu_result(device, keys->data, keys_to, keys->size));
    if (values && s->pairs) WW_TRY(ww__gpu_result(device, values->data, values_to, values->size));
    return WW_OK;
}
