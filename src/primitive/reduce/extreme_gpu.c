/* The host side of arg-min and arg-max on a GPU: one launch of as many blocks as the GPU holds at once. */
#include "device/gpu/batch.h"
#include "function/function.h"
#include "primitive/merge/order_gpu.h"
#include "primitive/reduce/extreme_arguments.cuh"
#include "primitive/reduce/fold_gpu.h"
#include "primitive/reduce/sides.h"

enum { THREADS = 256, BLOCKS_A_PROCESSOR = 8, ELEMENT_MOST = 512 };

/* 1 for floats upwards by their bits, 2 downwards, 0 for all other orders, which are functions. */
static uint64_t total_of(const ww_function *less, const ww_input *in) {
    if (in->type->kind != WW_KIND_FLOAT) return 0;
    return less == ww__order(&ww_ascending, in->type, in->size)    ? 1
           : less == ww__order(&ww_descending, in->type, in->size) ? 2
                                                                   : 0;
}

ww_status ww__extreme_gpu(ww_device *device, const ww_function *less, const ww_input *in, bool greatest,
                          const ww_array *value_out, const ww_array *position_out) {
    const size_t size = in->size;
    less = ww__order_told(device, less, in, in);
    const uint64_t total = total_of(less, in);
    const uint32_t items = ww__batch_items(in, NULL);
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are compared on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    const bool vectors = items > 1;
    const uint32_t unroll = ww__fold_unroll(items * size);
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * BLOCKS_A_PROCESSOR;
    const uint64_t blocks = ww__min_u64(ww__blocks(in->count, (uint64_t)THREADS * items * unroll), whole);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/extreme.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_UNROLL", unroll);
    ww__recipe_number(&r, "WW_ITEMS", items);
    ww__recipe_number(&r, "WW_VECTORS", vectors);
    ww__recipe_number(&r, "WW_TOTAL", total);
    ww__recipe_number(&r, "WW_GREATEST", greatest);
    if (ww__is_told(less))
        ww__recipe_moved_type(&r, "ww_value", in->type, size, value_out->data);
    else
        ww__recipe_type(&r, "ww_value", in->type, size, value_out->data);
    ww__recipe_type(&r, "ww_position", position_out->type, position_out->size, NULL);
    if (!total) ww__recipe_function(&r, "ww_less", less);
    ww__recipe_ordered(&r, "in", in, less);

    void *value, *position, *values, *positions, *ticket = NULL;
    WW_TRY(ww__gpu_room(device, value_out->data, size, &value));
    WW_TRY(ww__gpu_room(device, position_out->data, position_out->size, &position));
    WW_TRY(ww__scratch_array(device, blocks, size, &values));
    WW_TRY(ww__scratch_array(device, blocks, sizeof(uint64_t), &positions));
    if (blocks > 1) WW_TRY(ww__gpu_ticket(device, &ticket));
    ww__arguments a;
    const extreme_fixed fixed = {.value = value,
                                 .position = position,
                                 .count = in->count,
                                 .value_of_block = values,
                                 .position_of_block = positions,
                                 .ticket = ticket};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "extreme", blocks, THREADS, 0, &a));
    WW_TRY(ww__gpu_result(device, value_out->data, value, size));
    return ww__gpu_result(device, position_out->data, position, position_out->size);
}
