/* The dictionary's memory: blocks for levels and their indexes. What levels leave is kept for the next ones, which are as long, and
 * found again by its size: taking new memory of the system costs as much as a merge that fills it. */
#include "device/gpu/memory.h"
#include "device/paper.h"
#include "dictionary/lsm/lsm.h"

enum { ALIGN = 64, SPARE_LEAST = 64 << 20, SPARE_PART = 4 };

size_t ww__lsm_element_bytes(const ww_lsm *lsm) { return lsm->key_size + lsm->value_size + 1; }

/* ---- blocks ---- */

static ww_status block_allocate(ww_device *device, size_t bytes, ww__lsm_block *block) {
    block->bytes = bytes;
    if (device->gpu) return ww__gpu_allocate(device, bytes, &block->data);
    block->data = ww__allocate(device, bytes, ALIGN);
    return block->data ? WW_OK : ww__no_memory(device, bytes);
}

static void block_release(ww_device *device, const ww__lsm_block *block) {
    if (device->gpu)
        ww__gpu_release(device, block->data);
    else
        ww__release(device, block->data, block->bytes);
}

/* The smallest spare block that is large enough, and by no more than a quarter. */
static bool take_spare(ww_lsm *lsm, size_t bytes, ww__lsm_block *block) {
    size_t best = lsm->spares;
    for (size_t s = 0; s < lsm->spares; s++) {
        const size_t b = lsm->spare[s].bytes;
        if (b >= bytes && b - bytes <= bytes / 4 && (best == lsm->spares || b < lsm->spare[best].bytes)) best = s;
    }
    if (best == lsm->spares) return false;
    *block = lsm->spare[best];
    lsm->spare[best] = lsm->spare[--lsm->spares];
    return true;
}

/* One of eight sizes for each power of two, so that a block fits what comes after it. */
static size_t rounded(size_t bytes) {
    size_t step = ALIGN;
    while (step * 16 <= bytes) step *= 2;
    return bytes > SIZE_MAX - step ? bytes : ww__round_up(bytes, step);
}

static ww_status block_new(ww_lsm *lsm, size_t bytes, ww__lsm_block *block) {
    ww_device *const device = lsm->device;
    const size_t room = rounded(bytes);
    WW_TRY(ww__stage_due(device));
    *block = (ww__lsm_block){0};
    if (device->on_paper) return ww__paper_piece(device, 0, &block->data);
    if (take_spare(lsm, room, block)) return WW_OK;
    const ww_status status = block_allocate(device, room, block);
    if (status != WW_MEMORY || !lsm->spares) return status;
    ww__lsm_spares_release(lsm);
    return block_allocate(device, room, block);
}

static void block_give(ww_lsm *lsm, ww__lsm_block *block) {
    if (!block->data) return;
    if (ww__is_paper(block->data))
        *block = (ww__lsm_block){0};
    else if (lsm->spares < WW__LSM_SPARES)
        lsm->spare[lsm->spares++] = *block;
    else
        block_release(lsm->device, block);
    *block = (ww__lsm_block){NULL, 0};
}

void ww__lsm_spares_release(ww_lsm *lsm) {
    while (lsm->spares) block_release(lsm->device, &lsm->spare[--lsm->spares]);
}

void ww__lsm_spares_limit(ww_lsm *lsm) {
    size_t held = 0, spare = 0;
    for (size_t j = 0; j < lsm->levels; j++) held += lsm->level[j].block.bytes;
    for (size_t s = 0; s < lsm->spares; s++) spare += lsm->spare[s].bytes;
    const size_t most = held / SPARE_PART > SPARE_LEAST ? held / SPARE_PART : SPARE_LEAST;
    while (spare > most) {
        size_t largest = 0;
        for (size_t s = 1; s < lsm->spares; s++)
            if (lsm->spare[s].bytes > lsm->spare[largest].bytes) largest = s;
        spare -= lsm->spare[largest].bytes;
        block_release(lsm->device, &lsm->spare[largest]);
        lsm->spare[largest] = lsm->spare[--lsm->spares];
    }
}

/* ---- levels ---- */

/* Keys, values and marks one behind the other, each from a whole line on. */
typedef struct parts {
    size_t values, dead, bytes;
} parts;

static ww_status parts_of(const ww_lsm *lsm, uint64_t count, parts *p) {
    size_t all;
    if (!ww__bytes(count, ww__lsm_element_bytes(lsm), &all) || all > PTRDIFF_MAX - 4 * ALIGN)
        return ww__no_memory(lsm->device, SIZE_MAX);
    p->values = ww__round_up((size_t)count * lsm->key_size, ALIGN);
    p->dead = p->values + ww__round_up((size_t)count * lsm->value_size, ALIGN);
    p->bytes = p->dead + (size_t)count;
    return WW_OK;
}

static void set_parts(const ww_lsm *lsm, const parts *p, void *data, uint64_t count, ww__lsm_level *level) {
    *level = (ww__lsm_level){.count = count, .keys = data};
    level->values = lsm->value ? level->keys + p->values : NULL;
    level->dead = level->keys + p->dead;
}

ww_status ww__lsm_level_new(ww_lsm *lsm, uint64_t count, ww__lsm_level *level) {
    parts p = {0};
    ww__lsm_block block;
    *level = (ww__lsm_level){0};
    WW_TRY(parts_of(lsm, count, &p));
    WW_TRY(block_new(lsm, p.bytes ? p.bytes : 1, &block));
    set_parts(lsm, &p, block.data, count, level);
    level->block = block;
    return WW_OK;
}

ww_status ww__lsm_level_scratch(ww_lsm *lsm, uint64_t count, ww__lsm_level *level) {
    parts p = {0};
    void *data;
    WW_TRY(parts_of(lsm, count, &p));
    WW_TRY(ww__scratch(lsm->device, p.bytes, &data));
    set_parts(lsm, &p, data, count, level);
    return WW_OK;
}

ww_status ww__lsm_index_new(ww_lsm *lsm, uint64_t count, ww__lsm_level *level) {
    const size_t words = (size_t)(count / WW__LSM_WORD) + 1;
    WW_TRY(block_new(lsm, 2 * words * sizeof(uint64_t), &level->index));
    level->before = level->index.data;
    level->bits = (uint32_t *)(level->before + words);
    return WW_OK;
}

void ww__lsm_index_give(ww_lsm *lsm, ww__lsm_level *level) {
    block_give(lsm, &level->index);
    level->before = NULL;
    level->bits = NULL;
}

void ww__lsm_level_give(ww_lsm *lsm, ww__lsm_level *level) {
    block_give(lsm, &level->block);
    block_give(lsm, &level->index);
    *level = (ww__lsm_level){0};
}
