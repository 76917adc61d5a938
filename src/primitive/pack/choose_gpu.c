#include "primitive/pack/choose_gpu.h"

#include "device/call.h"
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "device/gpu/environment.h"
#include "function/check.h"
#include "primitive/pack/choose_arguments.cuh"
#include "primitive/pack/pack.h"

enum {
    ELEMENT_MOST = 1024, /* of elements that are computed, or given to a predicate */
    BITS = 32            /* a thread's choices are the bits of a word */
};

/* The longest words in which elements can be copied from one place to the other. */
static uint32_t piece_of(const ww__choosing *c) {
    const uintptr_t bits = (uintptr_t)c->in->step[0].data | (uintptr_t)c->out->data | c->in->size | 16;
    return (uint32_t)(bits & (~bits + 1));
}

bool ww__chooses_bytes(const ww_device *device, const ww_input *in) {
    const uintptr_t memory = (uintptr_t)ww__input_memory(in);
    const bool word = in->size <= 16 && !(in->size & (in->size - 1)) && memory % in->size == 0;
    return memory && !word && !ww__gpu_compiles(device);
}

/* Bytes of shared memory: struct choose_shared. */
static size_t shared_bytes(const ww__choosing *c, const ww__choose_plan *p) {
    const size_t slot = p->piece ? sizeof(uint32_t) : c->in->size, tile = (size_t)ww__tiling_elements(&p->tiling);
    return ww__round_up(ww__round_up(tile * slot, 8) + 8 + 4 + 4 * (p->tiling.threads / 32), 16);
}

/* As scans do: elements of up to 4 bytes take 32 elements a thread once there are several tiles for each processor, and so few
 * registers that all threads have room. Measured on an H100, 2026-11: that is 357 G elements a second where the compiler's
 * own choice of registers gave 289. */
typedef struct shape {
    uint32_t threads, rows, held;
} shape;
static const struct {
    shape few, few_longer, many, most; /* few_longer: elements of more than 4 bytes; many, most: by tiles a processor */
    uint32_t long_threads, longest_threads;
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {{256, 4, 0}, {256, 8, 0}, {512, 8, 2}, {1024, 8, 1}, 256, 64},
    [WW__TILES_SMALL] = {{64, 2, 0}, {64, 2, 0}, {64, 2, 2}, {64, 2, 1}, 64, 64},
};

/* general: one plan for all numbers of elements, where nothing compiles. */
static void plan_short(const ww__choosing *c, bool general, ww__tiling *p) {
    enum { SEVERAL = 4, MANY = 16, BYTES_MOST = 128 /* of a thread, in registers */ };
    const size_t size = c->in->size;
    const ww__driver *driver = c->device->gpu->driver;
    const uint64_t tiles = c->in->count / driver->processors / (512 * BITS); /* of a processor */
    const shape *const t = size > 4                     ? &tuning[driver->tiles].few_longer
                           : general || tiles < SEVERAL ? &tuning[driver->tiles].few
                           : tiles < MANY               ? &tuning[driver->tiles].many
                                                        : &tuning[driver->tiles].most;
    p->threads = t->threads;
    p->rows = t->rows;
    p->held = t->held;
    p->items = 1;
    p->vectors = ww__batch_aligned(c->in, NULL) && (!c->flags || ww__batch_aligned(c->flags, NULL));
    while (p->items < 16 && 2 * p->items * size <= 16) p->items *= 2;
    while (p->rows > 1 && (p->rows * p->items > BITS || p->rows * p->items * size > BYTES_MOST)) p->rows /= 2;
    if (c->in->count_at) ww__tiling_fit(p, c->in->count);
}

/* Tiles of about 64 KiB; one plan where programs are for all sizes. */
static void plan_long(const ww__choosing *c, bool bytes, ww__tiling *p) {
    enum { TILE_BYTES = 1 << 16, LONGEST = 512 };
    const ww__tiles tiles = c->device->gpu->driver->tiles;
    p->items = 1;
    p->held = 0;
    p->vectors = false;
    p->threads = c->in->size <= LONGEST ? tuning[tiles].long_threads : tuning[tiles].longest_threads;
    p->rows = 4;
    if (bytes) p->threads = tuning[tiles].longest_threads;
    while (!bytes && p->rows > 1 && p->threads * p->rows * c->in->size > TILE_BYTES) p->rows /= 2;
}

static void make_plan(const ww__choosing *c, bool general, ww__choose_plan *plan) {
    if (plan->piece)
        plan_long(c, plan->bytes, &plan->tiling);
    else
        plan_short(c, general, &plan->tiling);
    while (plan->tiling.threads > 32 && shared_bytes(c, plan) > c->device->gpu->driver->shared_most)
        plan->tiling.threads /= 2;
}

ww_status ww__choose_plan_make(const ww__choosing *c, const char *file, ww__choose_plan *plan) {
    ww__recipe r;
    const size_t size = c->in->size;
    const bool memory = ww__input_memory(c->in) != NULL;
    WW_CHECK(c->device, size <= ELEMENT_MOST || (memory && !c->predicate && !c->equal), WW_LIMIT,
             "elements of %zu bytes that are %s are chosen on a CPU only; a GPU takes up to %d", size,
             memory ? "given to a function" : "computed", ELEMENT_MOST);
    /* Computed elements have no place from which they could be copied later. */
    plan->bytes = !c->predicate && !c->equal && ww__chooses_bytes(c->device, c->in);
    plan->piece = (size > WW__PACK_HELD_MOST && memory) || plan->bytes ? piece_of(c) : 0;
    make_plan(c, false, plan);
    if (ww__gpu_compiles(c->device)) return WW_OK;
    ww__choose_recipe(&r, c, plan, file);
    if (c->counted) ww__recipe_counted(&r, c->in->count_at);
    if (!ww__gpu_has(c->device, &r)) make_plan(c, true, plan);
    return WW_OK;
}

static const ww_function *function_of(const ww__choosing *c) { return c->equal ? c->equal : c->predicate; }

void ww__choose_recipe(ww__recipe *r, const ww__choosing *c, const ww__choose_plan *plan, const char *file) {
    const bool in_place = ww__in_place(c->in, c->out);
    ww__recipe_begin(r, file);
    ww__recipe_tiling(r, &plan->tiling);
    ww__recipe_number(r, "WW_PIECE", plan->piece);
    ww__recipe_number(r, "WW_CHOICE", c->flags ? 1 : c->predicate ? 2 : 3);
    ww__recipe_number(r, "WW_IN_PLACE", in_place);
    ww__recipe_number(r, "WW_CHAIN_ORDERS", in_place);
    ww__recipe_number(r, "WW_SPLIT", c->split);
    ww__recipe_number(r, "WW_REVERSED", c->reversed);
    ww__recipe_number(r, "WW_EQUAL", c->equal != NULL);
    if (function_of(c)) {
        ww__recipe_environment(r, "ww_environment", function_of(c));
        ww__recipe_function(r, c->equal ? "ww_equal" : "ww_choose", function_of(c));
    }
    ww__recipe_number(r, "WW_BYTES", plan->bytes);
    if (plan->bytes) {
        ww__recipe_type(r, "ww_item", &ww_type_uint8_t, 1, NULL);
        ww__recipe_bytes_input(r, "in", c->in);
    } else if (function_of(c) || !ww__input_memory(c->in)) {
        ww__recipe_type(r, "ww_item", c->out->type, c->out->size, c->out->data);
        ww__recipe_input(r, "in", c->in);
    } else {
        ww__recipe_moved_type(r, "ww_item", c->out->type, c->out->size, c->out->data);
        ww__recipe_moved_input(r, "in", c->in);
    }
    ww__recipe_type(r, "ww_count", c->total->type, c->total->size, NULL);
    if (c->flags) ww__recipe_input(r, "by", c->flags);
}

ww_status ww__choose_environment(const ww__choosing *c, ww__arguments *a) {
    return function_of(c) ? ww__argument_environment(c->device, a, function_of(c)) : WW_OK;
}

ww_status ww__choose_gpu(const ww__choosing *c, const ww__choose_plan *plan, const char *file, const char *kernel,
                         const void *ones, uint64_t *total) {
    ww_device *device = c->device;
    const uint64_t tiles = ww__blocks(c->in->count, ww__tiling_elements(&plan->tiling));
    ww__recipe r;
    void *out, *to;
    ww__gpu_chain chain;
    const uint64_t *count_at = c->counted ? ww__take_count(device, c->in) : NULL;
    WW_TRY(ww__gpu_room_kept(device, c->out, &out)); /* nothing may be chosen */
    WW_TRY(ww__gpu_room(device, c->total->data, c->total->size, &to));
    WW_TRY(ww__gpu_chain_of_tiles(device, tiles, 0, &chain));
    ww__choose_recipe(&r, c, plan, file);
    ww__recipe_counted(&r, count_at);
    ww__arguments a;
    const choose_fixed fixed = {.out = out,
                                .total = to,
                                .room = c->out->count,
                                .size = c->in->size,
                                .count = c->in->count,
                                .tiles = tiles,
                                .count_at = count_at,
                                .ones = ones,
                                .chain = chain};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__choose_environment(c, &a));
    WW_TRY(ww__argument_input(device, &a, c->in));
    if (c->flags) WW_TRY(ww__argument_input(device, &a, c->flags));
    const uint64_t blocks = ww__gpu_chain_blocks(device, tiles, plan->tiling.threads, count_at);
    WW_TRY(ww__gpu_launch(device, &r, kernel, blocks, plan->tiling.threads, shared_bytes(c, plan), &a));
    WW_TRY(ww__gpu_result(device, c->out->data, out, c->out->size));
    WW_TRY(ww__gpu_result(device, c->total->data, to, c->total->size));
    if (to == c->total->data || device->on_paper)
        *total = 0;
    else
        *total = c->total->size == sizeof(uint64_t) ? *(const uint64_t *)c->total->data
                                                    : *(const uint32_t *)c->total->data;
    return WW_OK;
}
