/* The host side of reading keys on a GPU. */
#include "device/gpu/batch.h"
#include "sort/records/read_keys.h"
#include "sort/records/read_keys_arguments.cuh"

enum { THREADS = 256, WORD_MOST = 16 };

/* Keys of a thread. */
static const uint32_t rows_of[WW__TILINGS] = {[WW__TILES_GPU] = 4, [WW__TILES_SMALL] = 2};

/* No larger than the key, so that no more of a record is read than it takes. */
static size_t word_of(const ww__key_reading *r) {
    const uintptr_t bits = r->size | r->first | (uintptr_t)r->records | WORD_MOST;
    size_t word = bits & (~bits + 1);
    while (word > r->number_size) word /= 2;
    return word;
}

ww_status ww__read_keys_gpu(ww_device *device, const ww__key_reading *r) {
    const size_t word = word_of(r), words = (r->bytes + word - 1) / word;
    const uint32_t rows = rows_of[device->gpu->driver->tiles];
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "sort/records/read_keys.cu");
    ww__recipe_number(&recipe, "WW_THREADS", THREADS);
    ww__recipe_number(&recipe, "WW_ROWS", rows);
    ww__recipe_number(&recipe, "WW_WORD", word);
    ww__recipe_number(&recipe, "WW_WORDS", words);
    ww__recipe_number(&recipe, "WW_KEY", r->number_size);
    ww__recipe_number(&recipe, "WW_ORDERED", r->order.data ? r->order.size : 0);
    ww__arguments a;
    const read_keys_arguments fixed = {.records = r->records + r->first,
                                       .order = r->order.data,
                                       .out = r->out,
                                       .count = r->count,
                                       .size = r->size,
                                       .beyond = 8 * (words * word - r->bytes)};
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch(device, &recipe, "read_keys", ww__blocks(r->count, (uint64_t)THREADS * rows), THREADS, 0, &a);
}
