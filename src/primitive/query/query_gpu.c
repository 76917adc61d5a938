/* The host side of queries on a GPU: one launch of as many blocks as the GPU holds at once. */
#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "function/function.h"
#include "primitive/merge/order_gpu.h"
#include "primitive/query/min_max_arguments.cuh"
#include "primitive/query/query_arguments.cuh"
#include "primitive/query/sides.h"

enum { THREADS = 256, BLOCKS_A_PROCESSOR = 8, ELEMENT_MOST = 1024, RANGED_MOST = 512 };

/* What both programs are told; returns the blocks of the launch. `times`: so many times the usual number of batches are in flight. */
static uint64_t plan(ww_device *device, const ww_input *in, uint32_t times, ww__recipe *r) {
    const uint32_t items = ww__batch_items(in, NULL), unroll = times * ww__batches_in_flight(items * in->size);
    const uint64_t whole = (uint64_t)device->gpu->driver->processors * BLOCKS_A_PROCESSOR;
    ww__recipe_number(r, "WW_THREADS", THREADS);
    ww__recipe_number(r, "WW_UNROLL", unroll);
    ww__recipe_batch(r, items);
    return ww__min_u64(ww__blocks(in->count, (uint64_t)THREADS * items * unroll), whole);
}

static ww_status check_size(ww_device *device, const ww_input *in, int most) {
    WW_CHECK(device, in->size <= (size_t)most, WW_LIMIT,
             "elements of %zu bytes are looked at on a CPU only; a GPU takes up to %d", in->size, most);
    return WW_OK;
}

/* `truth` and `number`: the arrays that the answers go to, or none. */
static ww_status ask(ww_device *device, const ww_input *in, const ww_function *predicate, const ww_function *less,
                     const char *kernel, query_fixed fixed, const ww_array *truth, const ww_array *number) {
    ww__recipe r;
    void *truth_to = NULL, *number_to = NULL, *found;
    const bool wide = number->size == sizeof(uint64_t);
    WW_TRY(check_size(device, in, ELEMENT_MOST));
    ww__recipe_begin(&r, "primitive/query/query.cu");
    const uint64_t blocks = plan(device, in, less ? 1 : 2, &r);
    ww__recipe_number(&r, "WW_DESCENTS", less != NULL);
    if (less) {
        less = ww__order_told(device, less, in, in);
        ww__recipe_order(&r, less, in->type, in->size);
        ww__recipe_ordered(&r, "in", in, less);
    } else {
        ww__recipe_environment(&r, "ww_environment", predicate);
        ww__recipe_function(&r, "ww_choose", predicate);
        ww__recipe_input(&r, "in", in);
    }
    if (!ww__is_none(truth)) WW_TRY(ww__gpu_room(device, truth->data, truth->size, &truth_to));
    if (!ww__is_none(number)) WW_TRY(ww__gpu_room(device, number->data, number->size, &number_to));
    WW_TRY(ww__gpu_ticket(device, &found));
    fixed.count = in->count;
    fixed.found = found;
    fixed.ticket = (uint64_t *)found + 1;
    fixed.truth = truth_to;
    fixed.number = wide ? NULL : number_to;
    fixed.wide = wide ? number_to : NULL;
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    if (predicate) WW_TRY(ww__argument_environment(device, &a, predicate));
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, kernel, blocks, THREADS, 0, &a));
    if (truth_to) WW_TRY(ww__gpu_result(device, truth->data, truth_to, truth->size));
    return number_to ? ww__gpu_result(device, number->data, number_to, number->size) : WW_OK;
}

ww_status ww__count_gpu(ww_device *device, const ww__count_request *r) {
    const ww_array none = ww_none;
    return ask(device, r->in, r->predicate, NULL, "count", (query_fixed){.holds = true}, &none, r->count);
}

ww_status ww__first_gpu(ww_device *device, const ww__first_request *r) {
    return ask(device, r->in, r->predicate, r->less, "first", (query_fixed){.holds = r->holds, .says = r->truth},
               r->answer, r->position);
}

ww_status ww__min_max_gpu(ww_device *device, const ww__min_max_request *q) {
    const ww_input *in = q->in;
    ww__recipe r;
    void *least, *greatest, *ends, *positions, *ticket = NULL;
    WW_TRY(check_size(device, in, RANGED_MOST));
    ww__recipe_begin(&r, "primitive/query/min_max.cu");
    const uint64_t blocks = plan(device, in, 1, &r);
    const ww_function *const less = ww__order_told(device, q->less, in, in);
    ww__recipe_number(&r, "WW_PLACED", !ww__told_order(q->less, in->type)); /* numbers that are equal in such orders are the same */
    ww__recipe_order(&r, less, in->type, in->size);
    ww__recipe_ordered(&r, "in", in, less);
    WW_TRY(ww__gpu_room(device, q->least->data, in->size, &least));
    WW_TRY(ww__gpu_room(device, q->greatest->data, in->size, &greatest));
    WW_TRY(ww__scratch_array(device, blocks, 2 * in->size, &ends));
    WW_TRY(ww__scratch_array(device, blocks, 2 * sizeof(uint64_t), &positions));
    if (blocks > 1) WW_TRY(ww__gpu_ticket(device, &ticket));
    ww__arguments a;
    const min_max_fixed fixed = {.least = least,
                                 .greatest = greatest,
                                 .count = in->count,
                                 .end_of_block = ends,
                                 .position_of_block = positions,
                                 .ticket = ticket};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, "min_max", blocks, THREADS, 0, &a));
    WW_TRY(ww__gpu_result(device, q->least->data, least, in->size));
    return ww__gpu_result(device, q->greatest->data, greatest, in->size);
}
