#include "device/gpu/batch.h"

enum { WORD = 16, MOST = 16, BATCH_BYTES = 64 /* of the largest elements: they stand in registers */ };

static bool aligned(const void *p) { return (uintptr_t)p % WORD == 0; }

bool ww__batch_aligned(const ww_input *in, const ww_array *out) {
    bool all = !out || aligned(out->data);
    for (uint32_t s = 0; s < in->steps; s++)
        if (in->kind[s] == WW_STEP_MEMORY) all = all && aligned(in->step[s].data);
    return all;
}

uint32_t ww__batch_items(const ww_input *in, const ww_array *out) {
    size_t smallest = out ? out->size : in->size, largest = smallest;
    if (!ww__batch_aligned(in, out)) return 1;
    for (uint32_t s = 0; s < in->steps; s++) {
        const size_t size = ww__step_size(in, s);
        if (size > largest) largest = size;
        if (in->kind[s] == WW_STEP_MEMORY && size < smallest) smallest = size;
    }
    /* A batch of any other size would not be whole words. */
    uint32_t items = 1;
    while (items < MOST && 2 * items * smallest <= WORD && 2 * items * largest <= BATCH_BYTES) items *= 2;
    return items;
}

void ww__recipe_batch(ww__recipe *r, uint32_t items) {
    ww__recipe_number(r, "WW_ITEMS", items);
    ww__recipe_number(r, "WW_VECTORS", items > 1);
}

void ww__recipe_tiling(ww__recipe *r, const ww__tiling *t) {
    ww__recipe_number(r, "WW_THREADS", t->threads);
    ww__recipe_number(r, "WW_ROWS", t->rows);
    ww__recipe_number(r, "WW_ITEMS", t->items);
    ww__recipe_number(r, "WW_HELD", t->held);
    ww__recipe_number(r, "WW_VECTORS", t->vectors);
}
