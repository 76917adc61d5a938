/* ww_tiles_sort, ww_tiles_partition, ww_tiles_permute, ww_tiles_transpose: the checks, and the choice of the backend. */
#include "banked/tiles.h"

#include "device/call.h"
#include "device/checks.h"
#include "device/steps.h"
#include "function/check.h"
#include "primitive/map/map.h"
#include "warpwise/tiles.h"

typedef unsigned long long ull;

enum { PLACE_BYTES = sizeof(uint32_t) };

/* ---- checks ---- */

static bool is_power(uint64_t x) { return x && !(x & (x - 1)); }

static ww_status check_tile(ww_device *device, uint64_t tile) {
    WW_CHECK(device, is_power(tile) && tile >= WW_TILE_LEAST && tile <= WW_TILE_MOST, WW_INVALID,
             "a tile of %llu items is not a power of two from %d to %d", (ull)tile, WW_TILE_LEAST, WW_TILE_MOST);
    return WW_OK;
}

/* `bytes`: of an item and what it is compared by. */
static ww_status check_fits(ww_device *device, uint64_t tile, size_t bytes) {
    WW_CHECK(device, tile * bytes <= WW_TILE_BYTES, WW_LIMIT,
             "tiles of %llu times %zu bytes, with what is compared, have more than %d bytes", (ull)tile, bytes,
             WW_TILE_BYTES);
    return WW_OK;
}

static ww_status check_items(ww_device *device, const char *name, const ww_input *in) {
    WW_TRY(ww__check_input(device, name, in));
    const ww_kind kind = in->type->kind;
    WW_CHECK(device,
             (kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED || kind == WW_KIND_FLOAT) &&
                 (in->size == sizeof(uint32_t) || in->size == sizeof(uint64_t)),
             WW_TYPE, "%s are not numbers of 4 or 8 bytes", name);
    return ww__try_input(device, in);
}

static ww_status check_whole(ww_device *device, const char *name, uint64_t count, uint64_t tile) {
    WW_CHECK(device, count % tile == 0, WW_INVALID, "%s has %llu items, not a multiple of the tile's %llu", name,
             (ull)count, (ull)tile);
    return WW_OK;
}

static ww_status check_output(ww_device *device, const char *name_in, const ww_input *in, const char *name_out,
                              const ww_array *out) {
    WW_TRY(ww__check_array(device, name_out, out));
    WW_TRY(ww__check_same_type(device, name_in, in->type, in->size, name_out, out->type, out->size));
    WW_CHECK(device, in->count == out->count, WW_INVALID, "%s has %llu elements, %s %llu", name_in, (ull)in->count,
             name_out, (ull)out->count);
    return ww__check_apart(device, name_in, in, name_out, out, WW__SAME_ALLOWED);
}

static ww_status check_labels(ww_device *device, const char *name, const ww_input *labels, const ww_input *in,
                              const ww_array *out) {
    WW_TRY(ww__check_input(device, name, labels));
    WW_CHECK(device,
             labels->type == &ww_type_uint32_t ||
                 ww__same_type(labels->type, labels->size, &ww_type_uint32_t, PLACE_BYTES),
             WW_TYPE, "%s are not u32", name);
    WW_TRY(ww__try_input(device, labels));
    WW_CHECK(device, labels->count == in->count, WW_INVALID, "in has %llu elements, %s %llu", (ull)in->count, name,
             (ull)labels->count);
    return ww__check_apart(device, name, labels, "out", out, WW__APART);
}

/* ---- requests ---- */

static ww_status run(ww_device *device, ww__tiles_request *r, const ww_input *heads, const ww_input *tails) {
    ww_array memory;
    if (!r->n) return WW_OK;
    WW_TRY(ww__stored(device, heads, &memory));
    r->heads = memory.data;
    if (r->tail_size) WW_TRY(ww__stored(device, tails, &memory));
    if (r->tail_size) r->tails = memory.data;
    return device->backend == WW__BACKEND_GPU ? ww__tiles_gpu(device, r) : ww__tiles_cpu(device, r);
}

ww_status ww__tiles_say(ww_device *device, ww__tiles_kind kind, uint64_t tile, uint64_t row, uint64_t position,
                        uint64_t value) {
    const uint64_t number = position / tile, wanted = position % tile / row;
    const bool twice = value < wanted;
    const ull named = twice ? wanted - 1 : wanted;
    if (kind == WW__TILES_PERMUTE)
        return ww__fail(device, WW_RANGE, "places of tile %llu are not a permutation: %llu is %s", (ull)number, named,
                        twice ? "there twice" : "missing");
    return ww__fail(device, WW_RANGE, "labels of tile %llu are not balanced: %llu is on %s than %llu items",
                    (ull)number, named, twice ? "more" : "fewer", (ull)row);
}

static ww__key_kind order_of(const ww_type *type) {
    return type->kind == WW_KIND_FLOAT ? WW_KEY_FLOAT : type->kind == WW_KIND_SIGNED ? WW_KEY_SIGNED : WW_KEY_UNSIGNED;
}

/* ---- the public functions ---- */

static ww_status sort(ww_device *device, uint64_t tile, const ww_input *keys, const ww_input *values,
                      const ww_array *keys_out, const ww_array *values_out) {
    WW_TRY(check_tile(device, tile));
    WW_TRY(check_items(device, "keys", keys));
    if (values->steps) WW_TRY(check_items(device, "values", values));
    WW_TRY(check_whole(device, "keys", keys->count, tile));
    WW_TRY(check_output(device, "keys", keys, "keys_out", keys_out));
    if (values->steps || !ww__is_none(values_out))
        WW_TRY(ww__check_values(device, keys, values, keys_out, values_out, WW__SAME_ALLOWED));
    ww__tiles_request r = {.kind = WW__TILES_SORT,
                           .n = keys->count,
                           .tile = tile,
                           .row = 1,
                           .heads_out = keys_out->data,
                           .head_size = keys->size,
                           .order = order_of(keys->type)};
    if (values->steps) r.tail_size = values->size, r.tails_out = values_out->data;
    WW_TRY(check_fits(device, tile, r.head_size + r.tail_size));
    return run(device, &r, keys, values);
}

/* By labels, or, where buckets is the tile, by places. */
static ww_status move(ww_device *device, ww__tiles_kind kind, uint64_t tile, uint64_t row, const ww_input *in,
                      const ww_input *labels, const ww_array *out) {
    WW_TRY(check_items(device, "in", in));
    WW_TRY(check_whole(device, "in", in->count, tile));
    WW_TRY(check_output(device, "in", in, "out", out));
    WW_TRY(check_labels(device, kind == WW__TILES_PERMUTE ? "places" : "labels", labels, in, out));
    WW_TRY(check_fits(device, tile, in->size + PLACE_BYTES));
    ww__tiles_request r = {.kind = kind,
                           .n = in->count,
                           .tile = tile,
                           .row = row,
                           .tails_out = out->data,
                           .head_size = PLACE_BYTES,
                           .tail_size = in->size};
    return run(device, &r, labels, in);
}

static ww_status partition(ww_device *device, uint64_t tile, uint64_t buckets, const ww_input *in,
                           const ww_input *labels, const ww_array *out) {
    WW_TRY(check_tile(device, tile));
    WW_CHECK(device, is_power(buckets) && buckets <= tile, WW_INVALID,
             "%llu buckets are not a power of two from 1 to %llu", (ull)buckets, (ull)tile);
    return move(device, WW__TILES_PARTITION, tile, tile / buckets, in, labels, out);
}

static ww_status permute(ww_device *device, uint64_t tile, const ww_input *in, const ww_input *places,
                         const ww_array *out) {
    WW_TRY(check_tile(device, tile));
    return move(device, WW__TILES_PERMUTE, tile, 1, in, places, out);
}

static ww_status transpose(ww_device *device, uint64_t rows, uint64_t columns, const ww_input *in,
                           const ww_array *out) {
    WW_CHECK(device, is_power(rows) && is_power(columns) && rows <= WW_TILE_MOST && columns <= WW_TILE_MOST, WW_INVALID,
             "%llu rows of %llu columns: both must be powers of two up to %d", (ull)rows, (ull)columns, WW_TILE_MOST);
    WW_TRY(check_tile(device, rows * columns));
    WW_TRY(check_items(device, "in", in));
    WW_TRY(check_whole(device, "in", in->count, rows * columns));
    WW_TRY(check_output(device, "in", in, "out", out));
    ww__tiles_matrices m = {.n = in->count, .rows = rows, .columns = columns, .out = out->data, .size = in->size};
    ww_array memory;
    if (!m.n) return WW_OK;
    WW_TRY(ww__stored(device, in, &memory));
    m.in = memory.data;
    return device->backend == WW__BACKEND_GPU ? ww__tiles_transpose_gpu(device, &m)
                                              : ww__tiles_transpose_cpu(device, &m);
}

ww_status ww_tiles_sort(ww_device *device, uint64_t tile, ww_input keys, ww_input values, ww_array keys_out,
                        ww_array values_out) {
    WW_CALL(device, "ww_tiles_sort", sort(device, tile, &keys, &values, &keys_out, &values_out), WW_READS(&keys),
            WW_READS(&values), WW_WRITES(&keys_out), WW_WRITES(&values_out));
}

ww_status ww_tiles_partition(ww_device *device, uint64_t tile, uint64_t buckets, ww_input in, ww_input labels,
                             ww_array out) {
    WW_CALL(device, "ww_tiles_partition", partition(device, tile, buckets, &in, &labels, &out), WW_READS(&in),
            WW_READS(&labels), WW_WRITES(&out));
}

ww_status ww_tiles_permute(ww_device *device, uint64_t tile, ww_input in, ww_input places, ww_array out) {
    WW_CALL(device, "ww_tiles_permute", permute(device, tile, &in, &places, &out), WW_READS(&in), WW_READS(&places),
            WW_WRITES(&out));
}

ww_status ww_tiles_transpose(ww_device *device, uint64_t rows, uint64_t columns, ww_input in, ww_array out) {
    WW_CALL(device, "ww_tiles_transpose", transpose(device, rows, columns, &in, &out), WW_READS(&in), WW_WRITES(&out));
}
