/* The host side of reduction by key on a GPU: one launch, and two more where keys are long (marking the heads, copying the
 * runs' keys). */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "device/gpu/environment.h"
#include "function/check.h"
#include "primitive/map/map.h"
#include "primitive/mark/mark.h"
#include "primitive/run/reduce_by_key_arguments.cuh"
#include "primitive/run/run_gpu.h"
#include "primitive/run/sides.h"
#include "primitive/scan/scan.h"

enum { ELEMENT_MOST = 1024, HEADS_MOST = (1 << 30) - 1 /* where the carrier is packed */ };

/* Bytes of shared memory: struct by_key_shared, with its members' alignments rounded up. */
static size_t shared_bytes(const ww__tiling *p, size_t value, size_t key) {
    const size_t tile = (size_t)ww__tiling_elements(p), warps = p->threads / 32;
    return ww__round_up(tile * value, 16) + ww__round_up(tile * key, 16) + ww__round_up(warps * value, 16) +
           ww__round_up(8 + ww__round_up(value, 8) + 4 + 4 * warps + 4, 16);
}

/* As scans by key: four neighbours a thread, since the scan over the warp costs five joins a batch. Measured on an H100, 2026-11:
 * short elements want eight, and all registers taken: two batches a thread, of many elements four; of most, by tiles of 16 Ki elements a
 * processor, in large tiles, which look back seldom (bench/results/2026-11-28-h100-runs: of 2^27 278 G/s, `many` 249, 512 threads with two
 * rows 254). Kernels made for the call have 384 threads and 85 registers between these, and for keys of 8 bytes (the file eight-bytes.txt
 * there). */
typedef struct shape {
    uint32_t threads, rows, held;
} shape;
static const struct {
    shape usual, wide, few, many, more, most; /* wide: of many keys of 8 bytes; few to most: short elements */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {{256, 4, 0}, {384, 4, 2}, {256, 2, 4}, {256, 4, 2}, {384, 3, 2}, {512, 4, 1}},
    [WW__TILES_SMALL] = {{64, 2, 0}, {96, 4, 2}, {64, 2, 4}, {64, 2, 2}, {96, 3, 2}, {64, 4, 1}},
};

static ww__tiling tiling_of(const ww_device *device, const ww_function *op, const ww_input *by, const ww_input *values,
                            size_t key) {
    enum { SEVERAL = 6, MANY = 16, ITEMS_MOST = 32, BYTES_MOST = 256 /* of a thread, in registers */ };
    const ww__driver *driver = device->gpu->driver;
    const size_t size = by->size > values->size ? by->size : values->size;
    const uint64_t tiles = by->count / driver->processors / (512 * ITEMS_MOST); /* of a processor */
    const uint64_t many = by->count / (512 * 16) / driver->processors;
    const bool compiles = ww__gpu_compiles(device), wide = by->size == 8 && values->size <= 8;
    const shape *t = &tuning[driver->tiles].usual;
    if (size > 4) {
        if (wide && compiles && many >= SEVERAL) t = &tuning[driver->tiles].wide;
    } else if (many < SEVERAL) {
        t = &tuning[driver->tiles].few;
    } else if (!compiles) {
        t = &tuning[driver->tiles].many;
    } else {
        t = tiles < MANY ? &tuning[driver->tiles].more : &tuning[driver->tiles].most;
    }
    ww__tiling p = {t->threads, t->rows, 1, t->held, ww__batch_aligned(by, NULL) && ww__batch_aligned(values, NULL)};
    while (p.items < 16 && (2 * p.items * size <= 16 || (p.items < 4 && 2 * p.items * size <= 64))) p.items *= 2;
    if (size <= 4 && p.items < 8) p.items = 8;
    while (p.rows > 1 && (p.rows * p.items > ITEMS_MOST || p.rows * p.items * size > BYTES_MOST)) p.rows = (p.rows + 1) / 2;
    const size_t most = driver->shared_most - ww__kept_bytes(op);
    while (p.threads > 32 && shared_bytes(&p, values->size, key) > most) p.threads = p.threads / 64 * 32;
    return p;
}

static ww__tiling make_recipe(ww_device *device, const ww__reduce_by_key_request *request, const ww_input *by,
                              bool marked, ww__recipe *r) {
    const ww_input *const keys = request->keys, *const values = request->values;
    const ww_array *const keys_out = request->keys_out, *const total = request->total;
    const bool with_keys = !ww__is_none(keys_out) && !marked, packed = values->size <= 4 && keys->count < HEADS_MOST;
    const ww__tiling p = tiling_of(device, request->op, by, values, with_keys ? keys->size : 0);
    ww__run_recipe(r, "primitive/run/reduce_by_key.cu", &p, request->equal, marked, packed);
    ww__recipe_number(r, "WW_KEYS", with_keys);
    ww__recipe_counted(r, by->count_at);
    if (with_keys)
        ww__recipe_moved_type(r, "ww_key", keys_out->type, keys_out->size, keys_out->data);
    else
        ww__recipe_type(r, "ww_key", &ww_type_uint8_t, 1, NULL);
    ww__recipe_type(r, "ww_count", total->type, total->size, NULL);
    ww__recipe_function(r, "ww_op", request->op);
    ww__recipe_input(r, "in", values);
    if (request->equal)
        ww__recipe_input(r, "by", by);
    else
        ww__recipe_moved_input(r, "by", by);
    if (!ww__gpu_compiles(device)) ww__recipe_share_signs(r, request->op);
    return p;
}

static ww_status reduce_by_key(ww_device *device, const ww__reduce_by_key_request *request, uint64_t *runs) {
    const ww_function *const equal = request->equal;
    const ww_input *const keys = request->keys, *const values = request->values;
    const ww_array *const keys_out = request->keys_out, *const values_out = request->values_out,
                          *const total = request->total;
    const bool has_keys = !ww__is_none(keys_out);
    const size_t size = values->size;
    ww_input by;
    bool marked;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "values of %zu bytes are reduced on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    WW_TRY(ww__run_heads(device, keys, equal, &by, &marked));
    ww__recipe r;
    ww__tiling p = make_recipe(device, request, &by, marked, &r);
    const bool stored = device->stores != WW__STORES_POSSIBLE && ww__input_is_memory(keys) && !keys->count_at;
    if (!marked && !equal && stored && !ww__gpu_has(device, &r)) {
        WW_TRY(ww__mark(device, keys, equal, &by)); /* which serves keys of any type */
        marked = true;
        p = make_recipe(device, request, &by, marked, &r);
    }
    if (marked && has_keys) WW_TRY(ww__run_values_gpu(device, keys, equal, keys_out, total, runs));
    const bool with_keys = has_keys && !marked, packed = size <= 4 && keys->count < HEADS_MOST;
    const uint64_t tiles = keys->count / ww__tiling_elements(&p) + 1;
    const uint64_t keys_room = with_keys ? keys_out->count : 0;
    const uint64_t *count_at = ww__take_count(device, &by);

    void *keys_to = NULL, *values_to, *runs_to;
    ww__gpu_chain chain;
    if (with_keys) WW_TRY(ww__run_room(device, keys_out, count_at != NULL, &keys_to));
    WW_TRY(ww__run_room(device, values_out, count_at != NULL, &values_to));
    WW_TRY(ww__run_room(device, total, false, &runs_to));
    WW_TRY(ww__gpu_chain_of_tiles(device, tiles, packed ? 0 : 8 + ww__round_up(size, 8), &chain));
    ww__arguments a;
    const by_key_fixed fixed = {.keys = keys_to,
                                .values = values_to,
                                .runs = runs_to,
                                .keys_room = keys_room,
                                .values_room = values_out->count,
                                .count = keys->count,
                                .tiles = tiles,
                                .count_at = count_at,
                                .chain = chain};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__run_environment(device, &a, equal, marked));
    WW_TRY(ww__argument_input(device, &a, values));
    WW_TRY(ww__argument_input(device, &a, &by));
    WW_TRY(ww__gpu_launch(device, &r, "reduce_by_key", ww__gpu_chain_blocks(device, tiles, p.threads, count_at),
                          p.threads, shared_bytes(&p, size, with_keys ? keys->size : 0), &a));
    if (with_keys) WW_TRY(ww__run_result(device, keys_out, keys_to));
    WW_TRY(ww__run_result(device, values_out, values_to));
    return ww__run_count(device, total, runs_to, runs);
}

ww_status ww__reduce_by_key_gpu(ww_device *device, const ww__reduce_by_key_request *request, uint64_t *runs) {
    ww__reduce_by_key_request of = *request;
    ww_array wide;
    WW_TRY(ww__wide_count(device, request->total, &wide));
    of.total = &wide;
    if (device->deterministic && ww__scan_shows_brackets(request->op, request->values->type))
        WW_TRY(ww__reduce_by_key_ordered_gpu(device, &of, runs));
    else
        WW_TRY(reduce_by_key(device, &of, runs));
    return ww__narrow_count(device, request->total, &wide, runs);
}
