/* The host side of reductions on a GPU: one launch of as many blocks as the GPU holds at once. */
#include "device/gpu/batch.h"
#include "function/function.h"
#include "primitive/reduce/reduce.h"

enum { THREADS = 256, BLOCKS_A_PROCESSOR = 8, ELEMENT_MOST = 1024, WARP = 32, RUNS = 8, UNROLL_BYTES = 64 };

/* The brackets of docs/determinism.md. */
static uint32_t tile_of(size_t size) {
    const size_t fit = 16384 / size;
    return fit > 4096 ? 4096 : fit < 2 ? 2 : (uint32_t)fit;
}
static uint32_t lanes_of(size_t size) { return (uint32_t)WW__LANES(size); }

static uint32_t unroll_of(size_t batch) {
    const size_t fit = UNROLL_BYTES / batch;
    return fit > 16 ? 16 : fit ? (uint32_t)fit : 1;
}

static ww_status reduce_exact(ww_device *device, const ww_function *op, const ww_input *in, const ww_array *out) {
    const size_t size = in->size;
    const uint32_t items = ww__batch_items(in, NULL), unroll = unroll_of(items * size);
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * BLOCKS_A_PROCESSOR;
    const uint64_t blocks = ww__min_u64(ww__blocks(in->count, (uint64_t)THREADS * items * unroll), whole);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/reduce_exact.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_UNROLL", unroll);
    ww__recipe_batch(&r, items);
    ww__recipe_type(&r, "ww_item", in->type, size, NULL);
    ww__recipe_function(&r, "ww_op", op);
    ww__recipe_input(&r, "in", in);

    void *to, *of_block, *ticket;
    WW_TRY(ww__gpu_room(device, out->data, size, &to));
    WW_TRY(ww__scratch(device, sizeof(uint32_t), &ticket));
    WW_TRY(ww__scratch_array(device, blocks, size, &of_block));
    WW_TRY(ww__gpu_fill(device, ticket, 0, sizeof(uint32_t)));
    ww__arguments a;
    ww__arguments_begin(&a);
    WW__ARGUMENT(&a, to);
    WW__ARGUMENT(&a, in->count);
    WW__ARGUMENT(&a, of_block);
    WW__ARGUMENT(&a, ticket);
    ww__argument(&a, op->identity, size, 16);
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "reduce", blocks, THREADS, 0, &a));
    return ww__gpu_result(device, out->data, to, size);
}

ww_status ww__reduce_gpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_array *out) {
    const size_t size = in->size;
    const bool commuting = op->flags & WW_COMMUTES;
    const ww_kind kind = in->type->kind;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT, "elements of %zu bytes are reduced on a CPU only; a GPU takes up to %d", size,
             ELEMENT_MOST);
    if (commuting && (kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED)) return reduce_exact(device, op, in, out);
    const uint32_t tile = tile_of(size), lanes = lanes_of(size);
    const uint32_t team = !commuting ? RUNS : lanes < WARP ? lanes : WARP, items = commuting ? lanes / team : 1;
    const uint64_t tiles = ww__blocks(in->count, tile), teams = THREADS / team;
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * BLOCKS_A_PROCESSOR;
    const uint64_t blocks = ww__min_u64(ww__blocks(tiles, teams), whole);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/reduce.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_COMMUTING", commuting);
    ww__recipe_number(&r, "WW_LANES", lanes);
    ww__recipe_number(&r, "WW_TEAM", team);
    ww__recipe_number(&r, "WW_TILE", tile);
    ww__recipe_number(&r, "WW_UNROLL", unroll_of(items * size));
    ww__recipe_number(&r, "WW_ITEMS", items);
    ww__recipe_number(&r, "WW_VECTORS", items > 1 && ww__batch_items(in, NULL) >= items);
    ww__recipe_type(&r, "ww_item", in->type, size, NULL);
    ww__recipe_function(&r, "ww_op", op);
    ww__recipe_input(&r, "in", in);

    void *to, *level, *ticket;
    const uint64_t levels = tiles; /* each level is at most half of the one before */
    WW_TRY(ww__gpu_room(device, out->data, size, &to));
    WW_TRY(ww__scratch(device, sizeof(uint32_t), &ticket));
    WW_TRY(ww__scratch_array(device, 2 * levels, size, &level));
    WW_TRY(ww__gpu_fill(device, ticket, 0, sizeof(uint32_t)));
    ww__arguments a;
    ww__arguments_begin(&a);
    WW__ARGUMENT(&a, to);
    WW__ARGUMENT(&a, in->count);
    WW__ARGUMENT(&a, level);
    WW__ARGUMENT(&a, ticket);
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "reduce", blocks, THREADS, 0, &a));
    return ww__gpu_result(device, out->data, to, size);
}
