/* ww_slab_check: walks all lists on the host, a GPU's in a copy, and compares what it finds with the bitmaps and the numbers. */
#include <string.h>

#include "device/gpu/gpu.h"
#include "device/paper.h"
#include "dictionary/slab/build_arguments.cuh"
#include "dictionary/slab/slab.h"

typedef unsigned long long ull;

typedef struct walk {
    ww_slab *s;
    ww__slab_table table; /* whose memory the host reads */
    uint32_t *seen;       /* a bit for each slab of the super blocks */
    uint64_t bucket, slabs, pairs, dead;
    uint32_t *heads; /* where first slabs of the group of buckets so far go on */
} walk;

/* Rounded up, so that what follows in one block is as aligned. */
static uint64_t segment_bytes(const ww_slab *s, uint32_t k) {
    return ww__slab_segment_buckets(&s->table, k) * s->layout.bytes;
}
static uint64_t super_bytes(const ww_slab *s, uint32_t k) {
    return ww__round_up(ww__slab_super_bytes(s, ww__slab_super_slabs(&s->table, k)), 64);
}

static uint64_t copied_bytes(const ww_slab *s) {
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < s->segments; k++) bytes += segment_bytes(s, k);
    for (uint32_t k = 0; k < s->table.supers; k++) bytes += super_bytes(s, k);
    return bytes;
}

static ww_status copy_table(walk *w, unsigned char *to) {
    const ww_slab *const s = w->s;
    for (uint32_t k = 0; k < s->segments; k++) {
        WW_TRY(ww__gpu_copy(s->device, to, s->table.segment[k], (size_t)segment_bytes(s, k)));
        w->table.segment[k] = to;
        to += segment_bytes(s, k);
    }
    for (uint32_t k = 0; k < s->table.supers; k++) {
        const uint64_t slabs = ww__slab_super_slabs(&s->table, k);
        WW_TRY(ww__gpu_copy(s->device, to, s->table.super[k], (size_t)ww__slab_super_bytes(s, slabs)));
        w->table.super[k] = to;
        to += super_bytes(s, k);
    }
    return WW_OK;
}

static uint64_t key_at(const ww_slab *s, const unsigned char *slab, uint32_t slot) {
    uint32_t narrow;
    uint64_t wide;
    memcpy(&narrow, slab + slot * s->layout.key_size, sizeof narrow);
    if (s->layout.key_size == 4) return narrow;
    memcpy(&wide, slab + slot * s->layout.key_size, sizeof wide);
    return wide;
}

/* The states of a slab, a sealed one's as others are. */
static uint32_t states_at(const walk *w, unsigned char *slab) {
    const uint32_t states = *ww__slab_states(slab, w->s->layout.bytes);
    return w->s->device->gpu ? ww__slab_plain(states, (1u << w->s->layout.slots) - 1) : states;
}

/* The bits of a first slab's states one of which stands for a key behind it: all, where it is not sealed. */
static uint32_t filter_of(const walk *w, uint64_t hash, uint32_t states) {
    if (!w->s->device->gpu) return ww__slab_filter(hash, w->s->layout.slots);
    return states >> 31 ? ww__slab_sealed_filter(hash) : UINT32_MAX;
}

/* Whether another bucket is of the same group, and goes on behind its first slab where this one does. */
static bool goes_on_with(const walk *w, uint64_t bucket) {
    const uint32_t bytes = w->s->layout.bytes, log = w->s->share_log;
    return log && bucket < w->table.buckets && bucket >> log == w->bucket >> log &&
           *ww__slab_next(ww__slab_base_of(&w->table, bytes, bucket), bytes) ==
               *ww__slab_next(ww__slab_base_of(&w->table, bytes, w->bucket), bytes);
}

static ww_status check_slots(walk *w, unsigned char *slab) {
    ww_device *const device = w->s->device;
    unsigned char *const base = ww__slab_base_of(&w->table, w->s->layout.bytes, w->bucket);
    const uint32_t base_states = *ww__slab_states(base, w->s->layout.bytes), all = (1u << w->s->layout.slots) - 1;
    const uint32_t states = states_at(w, slab), touched = ww__slab_touched(states, all);
    WW_CHECK(device, !device->gpu || slab == base || *ww__slab_states(slab, w->s->layout.bytes) == states, WW_INVALID,
             "bucket %llu: a slab after its first is sealed", (ull)w->bucket);
    WW_CHECK(device, !ww__slab_claimed(states, all), WW_INVALID,
             "bucket %llu: a slot is claimed, and nobody is writing it", (ull)w->bucket);
    WW_CHECK(device, !(touched & (touched + 1)), WW_INVALID,
             "bucket %llu: the slots of a slab are not used in their order: states %08x", (ull)w->bucket, states);
    for (uint32_t full = ww__slab_full(states, all); full; full &= full - 1) {
        const uint64_t key = key_at(w->s, slab, (uint32_t)__builtin_ctz(full));
        const uint64_t hash = ww__slab_hash(w->table.seed, key), bucket = ww__slab_bucket(&w->table, hash);
        WW_CHECK(device, bucket == w->bucket || (slab != base && goes_on_with(w, bucket)), WW_INVALID,
                 "bucket %llu has the key %llu, which belongs to bucket %llu", (ull)w->bucket, (ull)key, (ull)bucket);
        if (slab == base) continue;
        const uint32_t own = bucket == w->bucket
                                 ? base_states
                                 : *ww__slab_states(ww__slab_base_of(&w->table, w->s->layout.bytes, bucket),
                                                    w->s->layout.bytes);
        WW_CHECK(device, own & filter_of(w, hash, own), WW_INVALID,
                 "bucket %llu has the key %llu after its first slab, whose filter does not say so", (ull)bucket,
                 (ull)key);
    }
    w->pairs += (uint64_t)__builtin_popcount(ww__slab_full(states, all));
    w->dead += (uint64_t)__builtin_popcount(ww__slab_dead(states, all));
    return WW_OK;
}

static ww_status check_number(walk *w, uint32_t number) {
    ww_device *const device = w->s->device;
    const uint64_t unit = number - 1, word = unit / WW__SLAB_WORD;
    const uint32_t bit = 1u << unit % WW__SLAB_WORD;
    WW_CHECK(device, unit < ww__slab_supers_slabs(&w->table), WW_INVALID,
             "bucket %llu continues in slab %u, and there are %llu", (ull)w->bucket, number,
             (ull)ww__slab_supers_slabs(&w->table));
    WW_CHECK(device, !(w->seen[word] & bit), WW_INVALID,
             "bucket %llu continues in slab %u, which is in another list too", (ull)w->bucket, number);
    WW_CHECK(device, *ww__slab_word(&w->table, w->s->layout.bytes, word) & bit, WW_INVALID,
             "bucket %llu continues in slab %u, which is free", (ull)w->bucket, number);
    w->seen[word] |= bit;
    w->slabs++;
    return WW_OK;
}

/* Whether an earlier bucket of the group goes on there; it is known from now on that this one does. */
static bool is_shared(walk *w, uint32_t number) {
    const uint64_t group = w->bucket >> w->s->share_log << w->s->share_log;
    bool is = false;
    if (!w->s->share_log) return false;
    for (uint64_t b = group; b < w->bucket; b++) is = is || w->heads[b - group] == number;
    w->heads[w->bucket - group] = number;
    return is && number;
}

static ww_status check_bucket(walk *w) {
    const uint32_t bytes = w->s->layout.bytes, all = (1u << w->s->layout.slots) - 1;
    unsigned char *const base = ww__slab_base_of(&w->table, bytes, w->bucket), *slab = base;
    for (;;) {
        const uint32_t next = *ww__slab_next(slab, bytes);
        WW_TRY(check_slots(w, slab));
        const bool shared = slab == base && is_shared(w, next);
        if (!next) return WW_OK;
        WW_CHECK(w->s->device, ww__slab_touched(states_at(w, slab), all) == all, WW_INVALID,
                 "bucket %llu continues after a slab with empty slots", (ull)w->bucket);
        if (shared) return WW_OK;
        WW_TRY(check_number(w, next));
        slab = ww__slab_unit(&w->table, bytes, next - 1);
    }
}

static ww_status check(ww_slab *s) {
    ww_device *const device = s->device;
    WW_TRY(ww__slab_settle(s));
    uint32_t heads[1 << SLAB_RANGE_LOG_MOST];
    walk w = {.s = s, .table = s->table, .heads = heads};
    const uint64_t words = ww__slab_supers_slabs(&s->table) / WW__SLAB_WORD,
                   seen = ww__round_up(words * sizeof(uint32_t), 64);
    unsigned char *room;
    uint64_t in_use = 0;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__host_scratch(device, (size_t)(seen + (device->gpu ? copied_bytes(s) : 0)), &room));
    memset(room, 0, (size_t)seen);
    w.seen = (uint32_t *)(void *)room;
    if (device->gpu) WW_TRY(copy_table(&w, room + seen));
    for (; w.bucket < s->table.buckets; w.bucket++) WW_TRY(check_bucket(&w));
    for (uint64_t k = 0; k < words; k++)
        in_use += (uint64_t)__builtin_popcount(*ww__slab_word(&w.table, s->layout.bytes, k));
    WW_CHECK(device, in_use == w.slabs, WW_INVALID, "%llu slabs are taken, and %llu in lists", (ull)in_use,
             (ull)w.slabs);
    WW_CHECK(device, s->pairs == w.pairs, WW_INVALID, "there are %llu pairs, and %llu are counted", (ull)w.pairs,
             (ull)s->pairs);
    WW_CHECK(device, s->dead == w.dead, WW_INVALID, "there are %llu dead slots, and %llu are counted", (ull)w.dead,
             (ull)s->dead);
    return WW_OK;
}

ww_status ww_slab_check(ww_slab *slab) {
    if (!slab) return WW_INVALID;
    const ww_status status = ww__enter(slab->device, "ww_slab_check");
    return status ? status : ww__leave(slab->device, check(slab));
}
