/* The host side of scans on a GPU: one launch, after the words of the chain are cleared. */
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "primitive/scan/scan.h"

enum { THREADS = 256, ROWS_BYTES = 64, ELEMENT_MOST = 1024 };

/* Rows of batches for which a thread has registers. */
static uint32_t rows_of(size_t size, uint32_t items) {
    const size_t fit = ROWS_BYTES / (size * items);
    return fit > 4 ? 4 : fit ? (uint32_t)fit : 1;
}

ww_status ww__scan_gpu(const ww__scanning *s) {
    ww_device *device = s->device;
    const size_t size = s->in->size, alignment = s->in->type->alignment;
    const ww_input *by = s->heads ? s->heads : s->keys;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT, "elements of %zu bytes are scanned on a CPU only; a GPU takes up to %d", size,
             ELEMENT_MOST);
    uint32_t items = ww__batch_items(s->in, s->out);
    if (by && ww__batch_items(by, NULL) == 1) items = 1;
    const uint32_t rows = rows_of(size, items);
    const uint64_t tile = (uint64_t)THREADS * rows * items, tiles = ww__blocks(s->in->count, tile);
    /* A carrier: the element, and in a segmented scan a word that is aligned as the whole is. */
    const size_t carrier = by ? ww__round_up(ww__round_up(size, 4) + 4, alignment > 4 ? alignment : 4) : size;
    const bool packed = size <= 4;
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/scan/scan.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_number(&r, "WW_SEGMENTS", s->heads ? 1 : s->keys ? 2 : 0);
    ww__recipe_number(&r, "WW_EXCLUSIVE", s->exclusive);
    ww__recipe_number(&r, "WW_INITIAL", s->initial != NULL);
    ww__recipe_number(&r, "WW_PACKED", packed);
    ww__recipe_type(&r, "ww_item", s->in->type, size, NULL);
    ww__recipe_function(&r, "ww_op", s->op);
    ww__recipe_input(&r, "in", s->in);
    if (by) ww__recipe_input(&r, "by", by);

    void *total;
    ww__gpu_chain chain;
    WW_TRY(ww__gpu_room(device, s->total, size, &total));
    WW_TRY(ww__gpu_chain_begin(device, tiles, packed ? 0 : carrier, &chain));
    ww__arguments a;
    ww__arguments_begin(&a);
    WW__ARGUMENT(&a, s->out->data);
    WW__ARGUMENT(&a, total);
    WW__ARGUMENT(&a, s->in->count);
    WW__ARGUMENT(&a, tiles);
    WW__ARGUMENT(&a, chain);
    ww__argument(&a, s->initial ? s->initial : s->op->identity, size, 16);
    ww__argument(&a, s->op->identity, size, 16);
    WW_TRY(ww__argument_input(device, &a, s->in));
    if (by) WW_TRY(ww__argument_input(device, &a, by));
    WW_TRY(ww__gpu_launch(device, &r, "scan", tiles, THREADS, 0, &a));
    return s->total ? ww__gpu_result(device, s->total, total, size) : WW_OK;
}
