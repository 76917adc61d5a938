/* The host side of storing inputs and launching kernels on a GPU. */
#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "function/function.h"
#include "primitive/map/map.h"

/* A thread of the kernel `store` has ROWS of elements of up to ROWS_BYTES, and one of longer ones. */
enum { THREADS = 256, ROWS = 4, ROWS_BYTES = 1024, COMPUTED_MOST = 4096 };

/* Memory stored as what it is: the driver copies it, in the order of the launches. A thread of the kernel holds whole elements,
 * which is too much of long records. */
static ww_status copy_memory(ww_device *device, const void *from, const ww_array *out) {
    return from == out->data ? WW_OK : ww__gpu_copy(device, out->data, from, (size_t)out->count * out->size);
}

/* What is computed. */
static ww_status store_computed(ww_device *device, const ww_input *in, const ww_array *out) {
    const uint32_t items = ww__batch_items(in, out), rows = out->size <= ROWS_BYTES ? ROWS : 1;
    void *to;
    WW_CHECK(device, out->size <= COMPUTED_MOST, WW_LIMIT,
             "elements of %zu bytes are computed on a CPU only; a GPU computes up to %d", out->size, COMPUTED_MOST);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/map/store.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_type(&r, "ww_item", out->type, out->size, out->data);
    ww__recipe_input(&r, "in", in);
    WW_TRY(ww__gpu_room(device, out->data, out->size, &to));
    ww__arguments a;
    ww__arguments_begin(&a);
    WW__ARGUMENT(&a, to);
    WW__ARGUMENT(&a, in->count);
    WW_TRY(ww__argument_input(device, &a, in));
    const uint64_t tile = (uint64_t)THREADS * rows * items;
    WW_TRY(ww__gpu_launch(device, &r, "store", ww__blocks(in->count, tile), THREADS, 0, &a));
    return ww__gpu_result(device, out->data, to, out->size);
}

ww_status ww__store_gpu(ww_device *device, const ww_input *in, const ww_array *out) {
    const void *memory = ww__input_memory(in);
    if (!in->count) return WW_OK;
    return memory ? copy_memory(device, memory, out) : store_computed(device, in, out);
}

ww_status ww__launch_gpu(ww_device *device, const ww_function *kernel, uint64_t count) {
    if (!count) return WW_OK;
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/map/launch.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_environment(&r, "ww_environment", kernel);
    ww__recipe_function(&r, "ww_body", kernel);
    ww__arguments a;
    ww__arguments_begin(&a);
    WW__ARGUMENT(&a, count);
    WW_TRY(ww__argument_environment(device, &a, kernel));
    return ww__gpu_launch(device, &r, "launch", ww__blocks(count, THREADS), THREADS, 0, &a);
}
