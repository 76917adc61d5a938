/* The host side of storing inputs and launching kernels on a GPU. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "function/function.h"
#include "primitive/map/launch_arguments.cuh"
#include "primitive/map/sides.h"
#include "primitive/map/store_arguments.cuh"

/* A thread of the kernel `store` has ROWS of elements of up to ROWS_BYTES, and one of longer ones, or where there are fewer tiles than
 * processors. */
enum { THREADS = 256, ROWS = 4, ROWS_BYTES = 1024, COMPUTED_MOST = 4096, WORD = 16, NEAR = 4 };

/* Of a batch. Results that are longer than what is read would not be written as whole words beside one another; elements of an array
 * that are far apart are not read so. */
static uint32_t items_of(const ww_input *in, const ww_array *out) {
    const uint32_t items = ww__batch_items(in, out);
    const size_t fit = out->size < WORD ? WORD / out->size : 1;
    for (uint32_t s = 0; s < in->steps; s++) {
        const int64_t stride = (int64_t)in->step[s].number;
        if (in->kind[s] == WW_STEP_STRIDED && (stride > NEAR || stride < -NEAR)) return 1;
    }
    if (out->size & (out->size - 1)) return out->size > in->size || items * out->size > WORD ? 1 : items;
    return items < fit ? items : (uint32_t)fit;
}

/* Memory stored as what it is: the driver copies it, in the order of the launches. A thread of the kernel holds whole elements,
 * which is too much of long records. */
static ww_status copy_memory(ww_device *device, const void *from, const ww_array *out) {
    return from == out->data ? WW_OK : ww__gpu_copy(device, out->data, from, (size_t)out->count * out->size);
}

/* What is computed. */
static ww_status store_computed(ww_device *device, const ww_input *in, const ww_array *out) {
    const uint32_t items = items_of(in, out);
    const bool many = in->count / ((uint64_t)THREADS * items * ROWS) >= device->gpu->driver->processors;
    const uint32_t rows = out->size <= ROWS_BYTES && many ? ROWS : 1;
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
    const uint64_t *count_at = ww__take_count(device, in);
    ww__recipe_counted(&r, count_at);
    WW_TRY(count_at ? ww__gpu_room_kept(device, out, &to) : ww__gpu_room(device, out->data, out->size, &to));
    ww__arguments a;
    const store_fixed fixed = {.out = to, .count = in->count, .count_at = count_at};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, in));
    const uint64_t tile = (uint64_t)THREADS * rows * items;
    WW_TRY(ww__gpu_launch(device, &r, "store", ww__blocks(in->count, tile), THREADS, 0, &a));
    return ww__gpu_result(device, out->data, to, out->size);
}

ww_status ww__map_gpu(ww_device *device, const ww__map_request *r) {
    const void *memory = ww__input_memory(r->in);
    if (!r->in->count) return WW_OK;
    return memory && (!r->in->count_at || r->in->size > COMPUTED_MOST) ? copy_memory(device, memory, r->out)
                                                                       : store_computed(device, r->in, r->out);
}

ww_status ww__launch_gpu(ww_device *device, const ww__launch_request *r) {
    if (!r->count) return WW_OK;
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "primitive/map/launch.cu");
    ww__recipe_number(&recipe, "WW_THREADS", THREADS);
    const bool blocks = r->kernel->role == WW_ROLE_BLOCKS;
    if (blocks) ww__recipe_type(&recipe, "ww_shared", r->kernel->second, r->kernel->second->size, NULL);
    ww__recipe_number(&recipe, "WW_BLOCKS", blocks);
    ww__recipe_environment(&recipe, "ww_environment", r->kernel);
    ww__recipe_function(&recipe, "ww_body", r->kernel);
    ww__recipe_counted(&recipe, r->count_at);
    recipe.counted = true; /* also those of as many ranks as the host says take part in loops */
    ww__arguments a;
    const launch_fixed fixed = {.count = r->count, .count_at = r->count_at};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_environment(device, &a, r->kernel));
    return ww__gpu_launch(device, &recipe, "launch", ww__blocks(r->count, blocks ? 1 : THREADS), THREADS, 0, &a);
}

/* Ranks that live at once. A processor holds HELD blocks of 256 threads, for which the compiler leaves registers enough; of the
 * emulator's, which are small, a worker has as many resident. */
static const struct {
    uint32_t threads, held;
} together[WW__TILINGS] = {[WW__TILES_GPU] = {1024, 1}, [WW__TILES_SMALL] = {32, 1}};

uint64_t ww__together_gpu(const ww_device *device) {
    const ww__driver *driver = device->gpu->driver;
    return (uint64_t)together[driver->tiles].threads * together[driver->tiles].held * driver->processors;
}

ww_status ww__launch_together_gpu(ww_device *device, const ww_function *kernel, uint64_t ranks) {
    const ww__tiles tiles = device->gpu->driver->tiles;
    uint32_t threads = together[tiles].threads;
    while (ranks % threads) threads /= 2;
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "primitive/map/launch_together.cu");
    ww__recipe_number(&recipe, "WW_THREADS", together[tiles].threads);
    ww__recipe_number(&recipe, "WW_HELD", together[tiles].held);
    ww__recipe_environment(&recipe, "ww_environment", kernel);
    ww__recipe_function(&recipe, "ww_body", kernel);
    ww__arguments a;
    const launch_fixed fixed = {.count = ranks};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_environment(device, &a, kernel));
    return ww__gpu_launch_together(device, &recipe, "launch_together", ranks / threads, threads, 0, &a);
}
