/* Sorting on a GPU: makes of a request what the methods sort.
 *
 * Inputs that are computed are stored in the outputs, and sorted there; but values that are counted up are counted
 * while they are sorted. Values that do not travel with their keys stay where they are: their positions do, and
 * then the values are gathered, each read and written once. */
#include "function/function.h"
#include "function/types.h"
#include "primitive/gather/gather.h"
#include "primitive/map/map.h"
#include "sort/merge_sort.h"
#include "sort/radix_gpu.h"
#include "sort/segments_gpu.h"
#include "sort/sort.h"

/* The memory of an input, or where it was stored. */
static ww_status in_memory_or(ww_device *device, const ww_input *in, const ww_array *out, const void **memory) {
    *memory = ww__input_memory(in);
    if (*memory) return WW_OK;
    *memory = out->data;
    return ww__store_gpu(device, in, out);
}

typedef ww_status sorter(ww_device *device, const ww__sorting *s, const ww__elements *e);

/* The memory of an input that is not what is written, or a copy. */
static ww_status apart_from(ww_device *device, const ww_input *in, const ww_array *out, ww_array *from) {
    *from = *out;
    from->data = (void *)(uintptr_t)ww__input_memory(in); /* which is only read */
    if (from->data && from->data != out->data) return WW_OK;
    WW_TRY(ww__scratch_array(device, in->count, out->size, &from->data));
    return ww__store_gpu(device, in, from);
}

static ww_status sort_values(ww_device *device, sorter *run, const ww__sorting *s, ww__elements *e) {
    e->value_size = s->values.size;
    e->values_out = s->values_out.data;
    if (ww__sweeps_count(&s->values))
        e->first_value = s->values.step[0].first;
    else
        WW_TRY(in_memory_or(device, &s->values, &s->values_out, &e->values));
    return run(device, s, e);
}

static ww_status sort_positions(ww_device *device, sorter *run, const ww__sorting *s, ww__elements *e) {
    const ww_type *type = ww__position_type(e->n);
    ww_array from;
    WW_TRY(apart_from(device, &s->values, &s->values_out, &from));
    WW_TRY(ww__scratch_array(device, e->n, type->size, &e->values_out));
    e->value_size = type->size;
    WW_TRY(run(device, s, e));
    const ww_input index = ww_memory_of(e->values_out, e->n, type);
    return ww__gather_gpu(device, &from, &index, &s->values_out);
}

/* Long keys that are compared stay where they are: their positions are sorted, and then they are gathered. */
static ww_status sort_far(ww_device *device, sorter *run, const ww__sorting *s) {
    const ww_type *type = ww__position_type(s->keys.count);
    ww_array keys, values;
    ww__elements e = {.n = s->keys.count, .key_size = type->size};
    WW_TRY(apart_from(device, &s->keys, &s->keys_out, &keys));
    if (s->values.steps) WW_TRY(apart_from(device, &s->values, &s->values_out, &values));
    WW_TRY(ww__scratch_array(device, e.n, type->size, &e.keys_out));
    e.far = keys.data;
    WW_TRY(run(device, s, &e));
    const ww_input index = ww_memory_of(e.keys_out, e.n, type);
    WW_TRY(ww__gather_gpu(device, &keys, &index, &s->keys_out));
    return s->values.steps ? ww__gather_gpu(device, &values, &index, &s->values_out) : WW_OK;
}

ww__key_order ww__key_order_of(const ww__sorting *s) {
    if (!s->by_value || s->keys.type->kind == WW_KIND_UNSIGNED) return WW__ORDER_UNSIGNED;
    return s->keys.type->kind == WW_KIND_FLOAT ? WW__ORDER_FLOAT : WW__ORDER_SIGNED;
}

static ww_status sort_by_bits(ww_device *device, const ww__sorting *s, const ww__elements *e) {
    const ww__sweeping job = {.keys = e->keys,
                              .values = e->values,
                              .keys_out = e->keys_out,
                              .values_out = e->values_out,
                              .n = e->n,
                              .first_value = e->first_value,
                              .key_size = e->key_size,
                              .value_size = e->value_size,
                              .order = ww__key_order_of(s),
                              .descending = s->descending,
                              .bit_first = s->bit_first,
                              .bit_count = s->bit_count};
    return s->offsets ? ww__sort_segments_gpu(device, &job, s->offsets, NULL, NULL) : ww__radix_sort_gpu(device, &job);
}

/* Outputs of one element may be the host's. */
static ww_status sort_one(ww_device *device, const ww__sorting *s, ww__elements *e) {
    WW_TRY(ww__store_gpu(device, &s->keys, &s->keys_out));
    if (s->values.steps) WW_TRY(ww__store_gpu(device, &s->values, &s->values_out));
    e->keys = e->keys_out = NULL; /* offsets are checked all the same */
    return s->offsets ? sort_by_bits(device, s, e) : WW_OK;
}

ww_status ww__sort_gpu(ww_device *device, const ww__sorting *s) {
    enum { MOVED_MOST = 16 /* bytes of a key that moves when it is compared */ };
    sorter *const run = s->less ? ww__merge_sort_gpu : sort_by_bits;
    const void *values = s->values.steps ? ww__input_memory(&s->values) : NULL;
    ww__elements e = {.keys_out = s->keys_out.data, .n = s->keys.count, .key_size = s->keys.size};
    if (!e.n && !s->offsets) return WW_OK;
    if (e.n <= 1) return sort_one(device, s, &e);
    if (s->less && e.key_size > MOVED_MOST) return sort_far(device, run, s);
    WW_TRY(in_memory_or(device, &s->keys, &s->keys_out, &e.keys));
    if (!s->values.steps) return run(device, s, &e);
    return ww__sweeps_move(s->values.size, values) && ww__sweeps_move(s->values.size, s->values_out.data)
               ? sort_values(device, run, s, &e)
               : sort_positions(device, run, s, &e);
}
