/* Many queries on a CPU: they are sorted first, so that those of a tile read near one another in each
 * level, and what comes out goes back to where they stood. */
#include <string.h>

#include "device/array.h"
#include "device/cpu/parallel.h"
#include "dictionary/lsm/order_cpu.h"
#include "primitive/gather/gather.h"
#include "sort/sort.h"

enum {
    QUERIES_LEAST = 1 << 18,
    BYTES_LEAST = 1 << 20, /* of keys: levels that are smaller stay in the caches */
    PIECE = 1 << 14
};

static bool is_worth_it(const ww_lsm *lsm, uint64_t queries) {
    uint64_t elements = 0;
    for (size_t j = 0; j < lsm->levels; j++) elements += lsm->level[j].count;
    return queries >= QUERIES_LEAST && queries <= UINT32_MAX && elements >= BYTES_LEAST / lsm->key_size;
}

/* Keys in order, and the positions at which they stood. */
typedef struct ordered {
    ww_input keys;
    uint32_t *position;
} ordered;

static ww_status put_in_order(ww_lsm *lsm, const ww_input *keys, ordered *o) {
    const uint64_t n = keys->count;
    void *room;
    WW_TRY(ww__scratch_array(lsm->device, n, lsm->key_size, &room));
    WW_TRY(ww__scratch_array(lsm->device, n, sizeof *o->position, &o->position));
    const ww_array sorted = ww_array_of(room, n, lsm->key), positions = ww_array(o->position, n);
    const ww__sorting s = {.keys = *keys,
                           .values = ww_counting(&ww_type_uint32_t, 0, n),
                           .keys_out = sorted,
                           .values_out = positions,
                           .bit_count = (unsigned)(8 * lsm->key_size),
                           .by_value = true};
    o->keys = ww_from(sorted);
    return ww__sort(lsm->device, &s);
}

/* ---- going back ---- */

typedef struct returning {
    const uint32_t *position;
    const unsigned char *from, *only; /* only: flags of those that go back; NULL: all do */
    unsigned char *to;
    size_t size;
    uint64_t count, claimed;
} returning;

static void return_pieces(void *argument, size_t worker) {
    returning *const r = argument;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&r->claimed) * PIECE) < r->count;)
        for (uint64_t i = first; i < ww__min_u64(first + PIECE, r->count); i++)
            if (!r->only || r->only[i])
                ww__lsm_copy_value(r->to + r->position[i] * r->size, r->from + i * r->size, r->size);
}

static void return_all(ww_device *device, returning r) {
    if (device->on_paper) return;
    ww__parallel(device, ww__workers(device, r.count * 64), return_pieces, &r);
}

/* ---- queries ---- */

static ww_status lookup(ww_lsm *lsm, const ww__lsm_loops *loops, const ww_input *keys, const ww_array *values,
                        const ww_array *found) {
    ww_device *const device = lsm->device;
    const uint64_t n = keys->count;
    const bool wants = !ww__is_none(values);
    ordered o;
    uint8_t *flags;
    void *room = NULL;
    WW_TRY(put_in_order(lsm, keys, &o));
    WW_TRY(ww__scratch_array(device, n, 1, &flags));
    if (wants) WW_TRY(ww__scratch_array(device, n, lsm->value_size, &room));
    const ww_array is = ww_array(flags, n);
    ww_array got = *values;
    got.data = room;
    WW_TRY(loops->lookup(lsm, &o.keys, &got, &is));
    if (wants) return_all(device, (returning){o.position, room, flags, values->data, lsm->value_size, n, 0});
    if (!ww__is_none(found)) return_all(device, (returning){o.position, flags, NULL, found->data, 1, n, 0});
    return WW_OK;
}

static ww_status count(ww_lsm *lsm, const ww__lsm_loops *loops, const ww_input *lows, const ww_input *highs,
                       const ww_array *counts) {
    ww_device *const device = lsm->device;
    const uint64_t n = lows->count;
    ordered o;
    void *upper, *room;
    WW_TRY(put_in_order(lsm, lows, &o));
    const void *standing;
    WW_TRY(ww__input_in_memory(device, highs, &standing));
    WW_TRY(ww__scratch_array(device, n, lsm->key_size, &upper));
    WW_TRY(ww__scratch_array(device, n, counts->size, &room));
    /* The upper bounds go with the lower ones. */
    const ww_array from = ww_array_of((void *)standing, n, lsm->key), above = ww_array_of(upper, n, lsm->key);
    const ww_input positions = ww_memory(o.position, n), bounds = ww_from(above);
    WW_TRY(ww__gather(device, &(ww__gather_request){&from, &positions, &above}));
    ww_array got = *counts;
    got.data = room;
    WW_TRY(loops->count(lsm, &o.keys, &bounds, &got));
    return_all(device, (returning){o.position, room, NULL, counts->data, counts->size, n, 0});
    return WW_OK;
}

/* Where there is no memory for it, nothing has been written. */
static ww_status unless_short(ww_status status, bool *done) {
    *done = !status;
    return status == WW_MEMORY ? WW_OK : status;
}

ww_status ww__lsm_lookup_ordered_cpu(ww_lsm *lsm, const ww__lsm_loops *loops, const ww_input *keys,
                                     const ww_array *values, const ww_array *found, bool *done) {
    *done = false;
    if (!is_worth_it(lsm, keys->count)) return WW_OK;
    const ww__scratch_mark mark = ww__scratch_here(lsm->device);
    const ww_status status = unless_short(lookup(lsm, loops, keys, values, found), done);
    ww__scratch_back(lsm->device, &mark);
    return status;
}

ww_status ww__lsm_count_ordered_cpu(ww_lsm *lsm, const ww__lsm_loops *loops, const ww_input *lows,
                                    const ww_input *highs, const ww_array *counts, bool *done) {
    *done = false;
    if (!is_worth_it(lsm, lows->count)) return WW_OK;
    const ww__scratch_mark mark = ww__scratch_here(lsm->device);
    const ww_status status = unless_short(count(lsm, loops, lows, highs, counts), done);
    ww__scratch_back(lsm->device, &mark);
    return status;
}
