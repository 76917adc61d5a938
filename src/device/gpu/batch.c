#include "device/gpu/batch.h"

enum { WORD = 16, MOST = 16, BATCH_BYTES = 64 /* of the largest elements: they stand in registers */ };

static bool aligned(const void *p) { return (uintptr_t)p % WORD == 0; }

uint32_t ww__batch_items(const ww_input *in, const ww_array *out) {
    size_t smallest = out ? out->size : in->size, largest = smallest;
    if (out && !aligned(out->data)) return 1;
    for (uint32_t s = 0; s < in->steps; s++) {
        const ww_step *step = &in->step[s];
        if (step->size > largest) largest = step->size;
        if (step->kind != WW_STEP_MEMORY) continue;
        if (!aligned(step->data)) return 1;
        if (step->size < smallest) smallest = step->size;
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
