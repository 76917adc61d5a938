/* The host side of reduction by key in the CPU's brackets on a GPU: runs are found as ww_run_lengths finds them; two more launches fold
 * their pieces and join those of runs that go over brackets' ends. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "primitive/reduce/fold_gpu.h"
#include "primitive/run/ordered_runs_arguments.cuh"
#include "primitive/run/run_gpu.h"
#include "primitive/run/sides.h"

enum { THREADS = 256, WARPS = THREADS / 32, BLOCKS_A_PROCESSOR = 8, SERIAL_ORDERED = 16, ELEMENT_MOST = 1024 };

static void make_recipe(const ww__reduce_by_key_request *request, const ww_array *begins, const ww_array *total,
                        const uint64_t *count_at, ww__recipe *r) {
    const size_t size = request->values->size;
    const ww__folding f = ww__folding_of(request->op, size);
    ww__recipe_begin(r, "primitive/run/ordered_runs.cu");
    ww__recipe_number(r, "WW_THREADS", THREADS);
    ww__recipe_number(r, "WW_SERIAL", f.commuting ? f.lanes : SERIAL_ORDERED);
    ww__recipe_folding(r, &f, false); /* pieces begin anywhere */
    ww__recipe_counted(r, count_at);
    ww__recipe_type(r, "ww_begin", begins->type, begins->size, NULL);
    ww__recipe_type(r, "ww_count", total->type, total->size, NULL);
    ww__recipe_type(r, "ww_item", request->values->type, size, NULL);
    ww__recipe_function(r, "ww_op", request->op);
    ww__recipe_input(r, "in", request->values);
}

ww_status ww__reduce_by_key_ordered_gpu(ww_device *device, const ww__reduce_by_key_request *request, uint64_t *runs) {
    const ww_input *const keys = request->keys, *const values = request->values;
    const ww_array *const values_out = request->values_out;
    const size_t size = values->size;
    const uint64_t count = keys->count, bracket = ww__by_key_bracket(keys->size > size ? keys->size : size);
    const uint64_t brackets = ww__blocks(count, bracket);
    const uint64_t most = BLOCKS_A_PROCESSOR * (uint64_t)device->gpu->driver->processors;
    const uint64_t blocks = ww__min_u64(ww__blocks(brackets, WARPS), most);
    const ww_type *const position = count < UINT32_MAX ? &ww_type_uint32_t : &ww_type_uint64_t;
    ww_array begins = ww_array_of(NULL, count + 1, position), total = *request->total;
    ordered_runs_fixed fixed = {.values_room = values_out->count, .bracket = bracket};
    void *values_to;
    ww__recipe r;
    ww__arguments a;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "values of %zu bytes are reduced on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    WW_TRY(ww__run_room(device, request->total, false, &total.data));
    WW_TRY(ww__scratch_array(device, begins.count, begins.size, &begins.data));
    WW_TRY(ww__scratch_array(device, brackets, size, &fixed.piece));
    WW_TRY(ww__scratch_array(device, brackets, sizeof(uint64_t), &fixed.open));
    const ww__run_lengths_request found = {keys, request->keys_out, &begins, &total, request->equal};
    WW_TRY(ww__run_begins_gpu(device, &found, runs));
    const uint64_t *count_at = ww__take_count(device, values);
    WW_TRY(ww__run_room(device, values_out, count_at != NULL, &values_to));
    fixed.values = values_to;
    fixed.begins = begins.data;
    fixed.runs = total.data;
    make_recipe(request, &begins, &total, count_at, &r);
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, values));
    WW_TRY(ww__gpu_launch(device, &r, "fold_pieces", blocks, THREADS, 0, &a));
    WW_TRY(ww__gpu_launch(device, &r, "join_pieces", blocks, THREADS, 0, &a));
    WW_TRY(ww__run_result(device, values_out, values_to));
    return ww__run_count(device, request->total, total.data, runs);
}
