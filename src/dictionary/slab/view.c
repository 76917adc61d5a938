/* Views of a slab hash for kernels of the caller's: where its parts are, and a tally in the device's memory of what kernels have done,
 * which the next call adds to the dictionary's numbers. */
#include "warpwise/slab_kernel.h"

#include <string.h>

#include "device/call.h"
#include "device/gpu/gpu.h"
#include "device/paper.h"
#include "dictionary/slab/slab.h"

enum { TALLY_LINES = 64, TALLY_WORDS = 8, ROOM_SHARE = 2, ROOM_LEAST = 64 };

_Static_assert(sizeof((ww_slab_view *)NULL)->segment == sizeof((ww__slab_table *)NULL)->segment &&
                   sizeof((ww_slab_view *)NULL)->super == sizeof((ww__slab_table *)NULL)->super &&
                   TALLY_LINES * TALLY_WORDS * sizeof(uint64_t) == WW__SLAB_TALLY_BYTES,
               "a view holds a table");

static uint64_t least(uint64_t x, uint64_t y) { return x < y ? x : y; }

/* Slabs that so many inserts may want behind the first slabs. With buckets for all pairs a list in sixteen goes on; where the buckets
 * stay as they are a bucket may want one at once, and one for each so many pairs. */
static uint64_t slabs_for(const ww_slab *s, uint64_t room) {
    const uint64_t filled = room / s->layout.slots;
    return ROOM_LEAST + (s->fixed ? filled + least(room, s->table.buckets) : filled / ROOM_SHARE);
}

/* Adds super blocks until so many slabs are free, or there is no memory for more. */
static ww_status make_free(ww_slab *s, uint64_t wanted) {
    uint64_t used[WW__SLAB_SUPERS], in_use = 0;
    WW_TRY(ww__slab_used(s, used));
    for (uint32_t k = 0; k < s->table.supers; k++) in_use += used[k];
    while (ww__slab_supers_slabs(&s->table) - in_use < wanted && !ww__slab_add_super(s)) {}
    return WW_OK;
}

static void point_view(const ww_slab *s, ww_slab_view *view) {
    const ww__slab_table *const t = &s->table;
    *view = (ww_slab_view){.base_count = t->base_count,
                           .buckets = t->buckets,
                           .seed = t->seed,
                           .low_mask = t->low_mask,
                           .high_mask = t->high_mask,
                           .super_log = t->super_log,
                           .supers = t->supers,
                           .slots = s->layout.slots,
                           .bytes = s->layout.bytes,
                           .filter = !s->device->gpu,
                           .sealed = s->device->gpu ? 1u << 31 : 0,
                           .tally = s->tally};
    memcpy(view->segment, t->segment, sizeof view->segment);
    memcpy(view->super, t->super, sizeof view->super);
}

static ww_status get_view(ww_slab *s, const ww_type *key_type, const ww_type *value_type, uint64_t room,
                          ww_slab_view *view) {
    ww_device *const device = s->device;
    WW_TRY(ww__not_on_paper(device));
    WW_CHECK(device, view, WW_INVALID, "view is NULL");
    WW_CHECK(device, key_type == s->key_type, WW_TYPE, "the view is of keys of type %s, the dictionary of %s",
             key_type ? key_type->label : "none", s->key_type->label);
    WW_CHECK(device, value_type == s->value_type, WW_TYPE, "the view is of values of type %s, the dictionary of %s",
             value_type ? value_type->label : "none", s->value_type ? s->value_type->label : "none");
    WW_CHECK(device, !device->gpu || !ww__gpu_capturing(device), WW_INVALID,
             "calls of dictionaries wait for the GPU, which a graph cannot");
    WW_TRY(ww__slab_settle(s));
    if (!s->tally) WW_TRY(ww__slab_add_tally(s));
    WW_TRY(ww__slab_clear(s, s->tally, WW__SLAB_TALLY_BYTES));
    WW_TRY(ww__slab_grow(s, s->pairs + least(room, UINT64_MAX - s->pairs)));
    WW_TRY(make_free(s, slabs_for(s, room)));
    point_view(s, view);
    s->viewed = true;
    return WW_OK;
}

ww_status ww_slab_view_get(ww_slab *slab, const ww_type *key_type, const ww_type *value_type, uint64_t room,
                           ww_slab_view *view) {
    if (!slab) return WW_INVALID;
    const ww_status status = ww__enter(slab->device, "ww_slab_view_get");
    return status ? status : ww__leave(slab->device, get_view(slab, key_type, value_type, room, view));
}

ww_status ww__slab_settle(ww_slab *s) {
    uint64_t tally[TALLY_LINES * TALLY_WORDS];
    if (!s->viewed) return WW_OK;
    if (s->device->gpu) {
        WW_TRY(ww__gpu_copy(s->device, tally, s->tally, sizeof tally));
        WW_TRY(ww__gpu_fill(s->device, s->tally, 0, sizeof tally));
    } else {
        memcpy(tally, s->tally, sizeof tally);
        memset(s->tally, 0, sizeof tally);
    }
    for (size_t line = 0; line < TALLY_LINES; line++) {
        const uint64_t *const t = tally + line * TALLY_WORDS, inserted = t[0], deleted = t[1], given_up = t[2];
        s->pairs += inserted - deleted;
        s->dead += deleted + given_up;
    }
    return WW_OK;
}
