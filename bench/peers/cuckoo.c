#include "peers/cuckoo.h"

enum { SEEDS = 8 };

/* Where a key may be: 0 to 3. */
WW_FUNCTION(cuckoo_place, uint64_t, (uint32_t key, uint32_t which, uint64_t seed, uint64_t slots), {
    uint64_t x = (key ^ (seed + which) * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    return (x >> 32) * slots >> 32;
});

WW_STRUCT(cuckoo_building, {
    uint64_t *slot;
    uint32_t *failed;
    uint64_t slots;
    uint64_t seed;
    const uint32_t *keys;
    const uint32_t *values;
});

/* A pair takes a place, and who was there goes to the next of its own. */
WW_KERNEL_USES((cuckoo_place), cuckoo_insert, cuckoo_building, a, i, {
    uint64_t pair = (uint64_t)a->keys[i] << 32 | a->values[i];
    uint64_t place = cuckoo_place(a->keys[i], 0, a->seed, a->slots);
    for (uint32_t moves = 0; moves < 300; moves++) {
        pair = ww_atomic_exchange(a->slot + place, pair);
        if (pair == UINT64_MAX) return;
        const uint32_t key = (uint32_t)(pair >> 32);
        uint32_t which = 0;
        while (which < 3 && cuckoo_place(key, which, a->seed, a->slots) != place) which++;
        place = cuckoo_place(key, (which + 1) % 4, a->seed, a->slots);
    }
    ww_atomic_add(a->failed, 1u);
});

WW_STRUCT(cuckoo_asking, {
    const uint64_t *slot;
    uint64_t slots;
    uint64_t seed;
    const uint32_t *keys;
    uint32_t *values;
    uint8_t *statuses;
});

WW_KERNEL_USES((cuckoo_place), cuckoo_find, cuckoo_asking, a, i, {
    const uint32_t key = a->keys[i];
    uint8_t status = 0;
    for (uint32_t which = 0; which < 4 && !status; which++) {
        const uint64_t pair = a->slot[cuckoo_place(key, which, a->seed, a->slots)];
        if (pair != UINT64_MAX && pair >> 32 == key) {
            a->values[i] = (uint32_t)pair;
            status = 1;
        }
    }
    a->statuses[i] = status;
});

ww_status cuckoo_open(ww_device *device, uint64_t slots, cuckoo_table *t) {
    void *slot = NULL, *failed = NULL;
    *t = (cuckoo_table){.device = device, .slots = slots};
    ww_status status = ww_alloc(device, slots * sizeof *t->slot, &slot);
    if (!status) status = ww_alloc_host(device, sizeof *t->failed, &failed);
    t->slot = slot;
    t->failed = failed;
    return status;
}

void cuckoo_close(cuckoo_table *t) {
    if (!t->device) return;
    ww_free(t->device, t->slot);
    ww_free(t->device, t->failed);
    *t = (cuckoo_table){.device = NULL};
}

ww_status cuckoo_build(cuckoo_table *t, const uint32_t *keys, const uint32_t *values, size_t n) {
    for (t->seed = 1; t->seed <= SEEDS; t->seed++) {
        const cuckoo_building b = {t->slot, t->failed, t->slots, t->seed, keys, values};
        *t->failed = 0;
        ww_status status = ww_fill(t->device, ww_array(t->slot, t->slots), ww_value(uint64_t, UINT64_MAX));
        if (!status) status = ww_launch(t->device, ww_with(cuckoo_insert, &b), n);
        if (!status) status = ww_sync(t->device);
        if (status || !*t->failed) return status;
    }
    return WW_MEMORY;
}

ww_status cuckoo_search(const cuckoo_table *t, const uint32_t *keys, uint32_t *values, uint8_t *statuses, size_t n) {
    const cuckoo_asking a = {t->slot, t->slots, t->seed, keys, values, statuses};
    return ww_launch(t->device, ww_with(cuckoo_find, &a), n);
}
