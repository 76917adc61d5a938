/* The host side of run lengths on a GPU: one launch, and two more where elements are long (marking the heads, copying the
 * runs' elements). Without lengths it is a choice of elements, as pack makes. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "primitive/mark/mark.h"
#include "primitive/run/run_gpu.h"
#include "primitive/run/run_lengths_arguments.cuh"
#include "primitive/run/sides.h"

/* few, many: by tiles of 16 Ki elements a processor. Large tiles look back seldom. Measured on an H100, 2026-11-28
 * (bench/results/2026-11-28-h100-runs): of 2^27 u32 in runs of 8 `many` has 428 G/s, with 4 rows 360, blocks of 256 threads 332. */
typedef struct shape {
    uint32_t threads, rows, held;
    size_t bytes_most; /* of a thread, in registers */
} shape;
static const struct {
    shape few, many;
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {{256, 4, 0, 64}, {512, 8, 2, 128}},
    [WW__TILES_SMALL] = {{64, 2, 0, 64}, {64, 4, 2, 128}},
};

/* Bytes of shared memory: struct run_shared. */
static size_t shared_bytes(const ww__tiling *p, size_t value) {
    const size_t tile = (size_t)ww__tiling_elements(p), warps = p->threads / 32;
    return ww__round_up(ww__round_up(tile * value, 8) + 16 + 4 + 8 * warps + 2 * tile, 16);
}

/* value: bytes of an element that goes along. */
static ww__tiling tiling_of(const ww_device *device, const ww_input *by, size_t value) {
    enum { SEVERAL = 4, BITS = 32 };
    const ww__driver *driver = device->gpu->driver;
    const bool many = by->count / (512 * BITS) >= SEVERAL * (uint64_t)driver->processors;
    const shape *const t = many ? &tuning[driver->tiles].many : &tuning[driver->tiles].few;
    ww__tiling p = {t->threads, t->rows, 1, t->held, ww__batch_aligned(by, NULL)};
    while (p.items < 16 && 2 * p.items * by->size <= 16) p.items *= 2;
    while (p.rows > 1 && (p.rows * p.items > BITS || p.rows * p.items * by->size > t->bytes_most)) p.rows /= 2;
    while (p.threads > 32 && shared_bytes(&p, value) > driver->shared_most) p.threads /= 2;
    return p;
}

/* begins: they are written, not lengths. */
static ww_status write_lengths(ww_device *device, const ww__run_lengths_request *request, const ww_input *by,
                               bool marked, bool begins, uint64_t *runs) {
    const ww_array *const values = request->values, *const lengths = request->lengths, *const total = request->total;
    const bool with_values = !marked && !ww__is_none(values), packed = by->count < INT32_MAX;
    const size_t value = with_values ? by->size : 0;
    const ww__tiling p = tiling_of(device, by, value);
    const uint64_t tiles = by->count / ww__tiling_elements(&p) + 1;
    const uint64_t values_room = with_values ? values->count : 0;
    void *values_to = NULL, *lengths_to, *runs_to;
    const uint64_t *count_at = ww__take_count(device, by);
    ww__gpu_chain chain;
    ww__recipe r;
    ww__run_recipe(&r, "primitive/run/run_lengths.cu", &p, request->equal, marked, packed);
    ww__recipe_number(&r, "WW_VALUES", with_values);
    if (begins) ww__recipe_number(&r, "WW_BEGINS", 1);
    ww__recipe_counted(&r, count_at);
    if (with_values && request->equal)
        ww__recipe_type(&r, "ww_value", values->type, values->size, values->data);
    else if (with_values)
        ww__recipe_moved_type(&r, "ww_value", values->type, values->size, values->data);
    else
        ww__recipe_type(&r, "ww_value", &ww_type_uint8_t, 1, NULL);
    ww__recipe_type(&r, "ww_length", lengths->type ? lengths->type : &ww_type_uint32_t, lengths->size, NULL);
    ww__recipe_type(&r, "ww_count", total->type, total->size, NULL);
    if (request->equal)
        ww__recipe_input(&r, "by", by);
    else
        ww__recipe_moved_input(&r, "by", by);
    if (with_values) WW_TRY(ww__run_room(device, values, count_at != NULL, &values_to));
    WW_TRY(ww__run_room(device, lengths, count_at != NULL, &lengths_to));
    WW_TRY(ww__run_room(device, total, false, &runs_to));
    WW_TRY(ww__gpu_chain_of_tiles(device, tiles, packed ? 0 : 2 * sizeof(uint64_t), &chain));
    ww__arguments a;
    const run_fixed fixed = {.values = values_to,
                             .lengths = lengths_to,
                             .runs = runs_to,
                             .values_room = values_room,
                             .lengths_room = lengths->count,
                             .count = by->count,
                             .tiles = tiles,
                             .count_at = count_at,
                             .chain = chain};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__run_environment(device, &a, request->equal, marked));
    WW_TRY(ww__argument_input(device, &a, by));
    WW_TRY(ww__gpu_launch(device, &r, "run_lengths", ww__gpu_chain_blocks(device, tiles, p.threads, count_at),
                          p.threads, shared_bytes(&p, value), &a));
    if (with_values) WW_TRY(ww__run_result(device, values, values_to));
    WW_TRY(ww__run_result(device, lengths, lengths_to));
    return ww__run_count(device, total, runs_to, runs);
}

/* Programs of a kernel pack that tell where runs begin take flags, which serve keys of any type. What is computed has to be stored before
 * anything is launched. */
static bool marks_keys(const ww_device *device, const ww__run_lengths_request *r) {
    return !r->equal && !ww__gpu_compiles(device) && device->stores != WW__STORES_POSSIBLE &&
           ww__input_is_memory(r->in) && !r->in->count_at;
}

static ww_status find_runs(ww_device *device, const ww__run_lengths_request *r, bool begins, uint64_t *runs) {
    ww_input by;
    bool marked;
    WW_TRY(ww__run_heads(device, r->in, r->equal, &by, &marked));
    if (!marked && begins && marks_keys(device, r)) {
        WW_TRY(ww__mark(device, r->in, NULL, &by));
        marked = true;
    }
    if (marked && !ww__is_none(r->values))
        WW_TRY(ww__run_values_gpu(device, r->in, r->equal, r->values, r->total, runs));
    return write_lengths(device, r, &by, marked, begins, runs);
}

ww_status ww__run_lengths_gpu(ww_device *device, const ww__run_lengths_request *r, uint64_t *runs) {
    if (!ww__is_none(r->values) && ww__is_none(r->lengths))
        return ww__run_values_gpu(device, r->in, r->equal, r->values, r->total, runs);
    return find_runs(device, r, false, runs);
}

ww_status ww__run_begins_gpu(ww_device *device, const ww__run_lengths_request *r, uint64_t *runs) {
    return find_runs(device, r, true, runs);
}
