/* The host side of few.cu. */
#include "sort/radix/few_gpu.h"

#include "device/gpu/batch.h"
#include "sort/radix/few_arguments.cuh"

enum { WORD = 16 };

/* Two launches that have nothing to do take 5 us: of random keys a sort of 2^24 takes 340. */
static const struct {
    uint64_t least; /* keys that are worth them */
    uint32_t rows;
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {1 << 24, 4}, [WW__TILES_SMALL] = {6000, 1}};

bool ww__few_pays(const ww_device *device, const ww__sweeping *job) {
    const ww__driver *driver = device->gpu->driver;
    return !job->value_size && job->key_size > 1 && job->bit_count == 8 * job->key_size &&
           job->n >= tuning[driver->tiles].least >> driver->sooner;
}

static ww_status launch(ww_device *device, const ww__sweeping *job, void *board, const char *kernel) {
    enum { THREADS = 256, BLOCKS = 8 };
    const ww__driver *driver = device->gpu->driver;
    const uint32_t rows = tuning[driver->tiles].rows;
    const bool vectors = ((uintptr_t)job->keys | (uintptr_t)job->keys_out) % WORD == 0;
    const uint32_t items = vectors ? (uint32_t)(WORD / job->key_size) : 1;
    ww__recipe r;
    ww__recipe_begin(&r, "sort/radix/few.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_digits(device, &r, job->key_size, ww__sweeping_order(job), 256);
    ww__arguments a;
    const few_arguments fixed = {.keys = job->keys,
                                 .keys_out = job->keys_out,
                                 .board = board,
                                 .count = job->n,
                                 .order = ww__sweeping_order(job)};
    WW__ARGUMENTS(&a, fixed);
    const uint64_t blocks = ww__min_u64(ww__blocks(job->n, (uint64_t)THREADS * rows * items),
                                        (uint64_t)driver->processors * BLOCKS);
    return ww__gpu_launch(device, &r, kernel, blocks, THREADS, 0, &a);
}

ww_status ww__tally_few(ww_device *device, const ww__sweeping *job, void **board) {
    enum { BOARD_BYTES = 1024 };
    unsigned char *memory;
    WW_TRY(ww__scratch(device, BOARD_BYTES, &memory));
    WW_TRY(ww__gpu_fill(device, memory, 0, BOARD_BYTES));
    *board = memory;
    return launch(device, job, memory, "tally_few");
}

ww_status ww__fill_few(ww_device *device, const ww__sweeping *job, void *board) {
    return launch(device, job, board, "fill_few");
}
