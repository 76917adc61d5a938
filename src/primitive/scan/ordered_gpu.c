/* The host side of scans that set the CPU's brackets on a GPU (ordered.cu): one launch, after the words of the chain are cleared. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "function/function.h"
#include "function/into_gpu.h"
#include "primitive/scan/ordered_arguments.cuh"
#include "primitive/scan/sides.h"

enum { ELEMENT_MOST = 1024, TOLD = 2 /* WW_EXCLUSIVE, WW_INITIAL: the arguments say which */ };

/* A block's brackets, as many as eight threads each are there for, its threads, and the blocks that a processor holds. Measured on an
 * H200, 2026-11 (bench/results/2026-11-24-h200-deterministic). */
typedef struct shape {
    uint32_t threads, brackets, held;
} shape;
static const struct {
    shape usual, by, few; /* by: with segments; few: less than SEVERAL brackets a processor */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {{384, 12, 2}, {128, 1, 0}, {128, 4, 0}},
    [WW__TILES_SMALL] = {{64, 2, 0}, {64, 1, 0}, {64, 1, 0}},
};

/* Bytes of ordered_shared, at most. */
static size_t shared_of(uint64_t bracket, uint32_t brackets, size_t size) {
    enum { FROM_LEFT = 16, RUNS = 8, WARP = 32, CARRIER = 20 /* more than its item */, PADDING = 16 * 8 };
    const uint64_t run = bracket < FROM_LEFT ? bracket : bracket / RUNS, stride = run | 1;
    const uint64_t places = (bracket + run - 1) / run * stride;
    const uint64_t items = 1 + brackets * (RUNS + 1 + 1 + places), carriers = brackets * WARP;
    return (size_t)(items * size + carriers * (size + CARRIER) + 4 * (2 + (bracket * brackets + 31) / 32) + PADDING);
}

/* A block of the usual shape takes more shared memory than smaller GPUs have, and programs of the kernel pack are for all GPUs. */
static const shape *shape_of(const ww__scanning *s, uint64_t bracket, uint64_t brackets) {
    enum { SEVERAL = 24 };
    const ww__driver *driver = s->device->gpu->driver;
    const shape *const usual = &tuning[driver->tiles].usual, *const few = &tuning[driver->tiles].few;
    if (s->heads || s->keys) return &tuning[driver->tiles].by;
    const size_t most = ww__gpu_compiles(s->device) ? driver->shared_most
                                                    : ww__min_u64(driver->shared_most, WW__SHARED_EVERYWHERE);
    if (shared_of(bracket, usual->brackets, s->in->size) > most) return few;
    return driver->tiles == WW__TILES_GPU && brackets < SEVERAL * driver->processors ? few : usual;
}

ww_status ww__scan_ordered_gpu(const ww__scanning *s) {
    ww_device *device = s->device;
    const size_t size = s->in->size;
    const ww_input *by = s->heads ? s->heads : s->keys;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are scanned on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    const uint64_t bracket = ww__scan_bracket(size, by != NULL);
    const shape *p = shape_of(s, bracket, ww__blocks(s->in->count, bracket));
    const uint64_t tile = bracket * p->brackets, tiles = ww__blocks(s->in->count, tile);
    const bool packed = size <= 4;
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/scan/ordered.cu");
    ww__recipe_number(&r, "WW_THREADS", p->threads);
    ww__recipe_number(&r, "WW_BRACKET", bracket);
    ww__recipe_number(&r, "WW_BRACKETS", p->brackets);
    ww__recipe_number(&r, "WW_HELD", p->held);
    ww__recipe_number(&r, "WW_PACKED", packed);
    ww__recipe_number(&r, "WW_SEGMENTS", s->heads ? 1 : s->keys ? 2 : 0);
    ww__recipe_number(&r, "WW_EXCLUSIVE", ww__gpu_compiles(device) ? s->exclusive : TOLD);
    if (by) ww__recipe_number(&r, "WW_INITIAL", ww__gpu_compiles(device) ? s->initial != NULL : TOLD);
    ww__recipe_type(&r, "ww_item", s->in->type, size, NULL);
    ww__recipe_function(&r, "ww_op", s->op);
    ww__recipe_input(&r, "in", s->in);
    if (by) ww__recipe_input(&r, "by", by);
    ww__gpu_into into;
    void *into_room[WW_ZIP_MOST];
    if (s->into) {
        WW_TRY(ww__check_into_size(device, s->into));
        into = ww__into_gpu(s->into);
        ww__recipe_into(&r, &into);
    }
    const uint64_t *count_at = ww__take_count(device, s->in);
    ww__recipe_counted(&r, count_at);
    if (count_at && s->behind) ww__recipe_number(&r, "WW_BEHIND", 1);
    ordered_fixed fixed = {.out = s->out->data,
                           .count = s->in->count,
                           .tiles = tiles,
                           .count_at = count_at,
                           .exclusive = s->exclusive,
                           .initial_given = s->initial != NULL};
    WW_TRY(ww__gpu_room(device, s->total, size, &fixed.total));
    WW_TRY(ww__gpu_chain_of_tiles(device, tiles > 1 ? tiles * (p->brackets + 1) + 1 : 1, 0, &fixed.chain));
    uint64_t *const words = fixed.chain.word;
    fixed.known = words;
    fixed.carried = words + tiles * p->brackets;
    fixed.joined = words + tiles * (p->brackets + 1);
    if (!packed) WW_TRY(ww__scratch_array(device, tiles * p->brackets, size, &fixed.sum));
    if (!packed) WW_TRY(ww__scratch_array(device, tiles, size, &fixed.carry));
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument(device, &a, s->initial ? s->initial : s->op->identity, size, 16));
    WW_TRY(ww__argument_input(device, &a, s->in));
    if (by) WW_TRY(ww__argument_input(device, &a, by));
    if (s->into) WW_TRY(ww__argument_into(device, &a, &into, into_room));
    const uint64_t blocks = ww__gpu_chain_blocks(device, tiles, p->threads, count_at);
    WW_TRY(ww__gpu_launch(device, &r, "scan_ordered", blocks, p->threads, shared_of(bracket, p->brackets, size), &a));
    if (s->into) WW_TRY(ww__gpu_into_results(device, &into, into_room));
    return s->total ? ww__gpu_result(device, s->total, fixed.total, size) : WW_OK;
}
