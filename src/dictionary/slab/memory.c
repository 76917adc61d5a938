/* A slab hash's memory: segments of base slabs and super blocks of the others, which come and go whole. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/gpu/memory.h"
#include "dictionary/slab/slab.h"

enum { SLABS_LOG_MOST = 31 }; /* slabs of all super blocks: their numbers take 32 bits */

static ww_status take(ww_slab *s, uint64_t bytes, unsigned char **block) {
    ww_device *const device = s->device;
    void *taken = NULL;
    WW_CHECK(device, !s->memory_limit || bytes <= s->memory_limit - ww__min_u64(s->memory, s->memory_limit), WW_MEMORY,
             "out of memory: the dictionary has %llu bytes, needs %llu more, and its limit is %llu",
             (unsigned long long)s->memory, (unsigned long long)bytes, (unsigned long long)s->memory_limit);
    if (device->gpu) {
        WW_TRY(ww__gpu_allocate(device, (size_t)bytes, &taken));
    } else {
        taken = ww__allocate(device, (size_t)bytes, 64);
        if (!taken) return ww__no_memory(device, (size_t)bytes);
    }
    s->memory += bytes;
    *block = taken;
    return WW_OK;
}

static void give(ww_slab *s, unsigned char *block, uint64_t bytes) {
    if (s->device->gpu)
        ww__gpu_release(s->device, block);
    else
        ww__release(s->device, block, (size_t)bytes);
    s->memory -= bytes;
}

/* ---- clearing, on all threads ---- */

typedef struct clearing {
    unsigned char *at;
    uint64_t bytes, claimed;
} clearing;

static void clear_pieces(void *argument, size_t worker) {
    enum { PIECE = 2 << 20 };
    clearing *const c = argument;
    (void)worker;
    for (uint64_t from; (from = ww__claim(&c->claimed) * PIECE) < c->bytes;)
        memset(c->at + from, 0, (size_t)ww__min_u64(c->bytes - from, PIECE));
}

ww_status ww__slab_clear(ww_slab *s, void *at, uint64_t bytes) {
    clearing c = {at, bytes, 0};
    if (s->device->gpu) return ww__gpu_fill(s->device, at, 0, (size_t)bytes);
    ww__parallel(s->device, ww__workers(s->device, bytes), clear_pieces, &c);
    return WW_OK;
}

/* ---- super blocks ---- */

uint64_t ww__slab_super_bytes(const ww_slab *s, uint64_t slabs) { return slabs * s->layout.bytes + slabs / 8; }

ww_status ww__slab_add_super(ww_slab *s) {
    ww__slab_table *const t = &s->table;
    const uint64_t slabs = ww__slab_super_slabs(t, t->supers);
    unsigned char *block = NULL;
    WW_CHECK(s->device, t->supers < WW__SLAB_SUPERS && t->super_log + t->supers < SLABS_LOG_MOST, WW_MEMORY,
             "out of memory: the dictionary has %llu slabs after its buckets' first, and no numbers for more",
             (unsigned long long)ww__slab_supers_slabs(t));
    WW_TRY(take(s, ww__slab_super_bytes(s, slabs), &block));
    t->super[t->supers++] = block;
    /* The bitmap alone: slabs are written when they are taken. A GPU's searches read slots before they know that these are empty, and make
     * nothing of what is there. */
    return ww__slab_clear(s, block + slabs * s->layout.bytes, slabs / 8);
}

void ww__slab_drop_supers(ww_slab *s, const uint64_t *used, bool spare) {
    ww__slab_table *const t = &s->table;
    uint64_t in_use = 0;
    for (uint32_t k = 0; k < t->supers; k++) in_use += used[k];
    while (t->supers > 1 && !used[t->supers - 1]) {
        const uint64_t left = ww__slab_supers_slabs(t) - ww__slab_super_slabs(t, t->supers - 1);
        if (spare && in_use > left / 2) break;
        t->supers--;
        give(s, t->super[t->supers], ww__slab_super_bytes(s, ww__slab_super_slabs(t, t->supers)));
        t->super[t->supers] = NULL;
    }
    s->next_word = ww__min_u64(s->next_word, ww__slab_supers_slabs(t) / WW__SLAB_WORD);
}

/* ---- base slabs ---- */

ww_status ww__slab_add_segment(ww_slab *s) {
    const uint64_t buckets = ww__slab_segment_buckets(&s->table, s->segments);
    WW_TRY(take(s, buckets * s->layout.bytes, &s->table.segment[s->segments]));
    s->segments++;
    /* The others' slabs are written when their buckets come into use, so that no call's work is as long as the dictionary. */
    if (s->segments > 1) return WW_OK;
    return ww__slab_clear(s, s->table.segment[s->segments - 1], buckets * s->layout.bytes);
}

bool ww__slab_drop_segments(ww_slab *s) {
    const ww__slab_table *const t = &s->table;
    const uint32_t wanted = ww__slab_log(t->buckets / t->base_count) + (t->high_mask > t->low_mask ? 2 : 1),
                   had = s->segments;
    while (s->segments > wanted) {
        s->segments--;
        give(s, t->segment[s->segments], ww__slab_segment_buckets(t, s->segments) * s->layout.bytes);
        s->table.segment[s->segments] = NULL;
    }
    return s->segments < had;
}

void ww__slab_set_buckets(ww_slab *s, uint64_t buckets) {
    ww__slab_table *const t = &s->table;
    const uint32_t doublings = ww__slab_log(buckets / t->base_count);
    t->buckets = buckets;
    t->low_mask = (uint32_t)(((uint64_t)1 << doublings) - 1);
    t->high_mask = buckets == t->base_count << doublings ? t->low_mask : 2 * t->low_mask + 1;
}

/* ---- the tally ---- */

ww_status ww__slab_add_tally(ww_slab *s) {
    unsigned char *block = NULL;
    WW_TRY(take(s, WW__SLAB_TALLY_BYTES, &block));
    s->tally = (uint64_t *)(void *)block;
    return WW_OK;
}

void ww__slab_release(ww_slab *s) {
    ww__slab_table *const t = &s->table;
    if (s->tally) give(s, (unsigned char *)s->tally, WW__SLAB_TALLY_BYTES);
    while (s->segments) {
        s->segments--;
        give(s, t->segment[s->segments], ww__slab_segment_buckets(t, s->segments) * s->layout.bytes);
    }
    while (t->supers) {
        t->supers--;
        give(s, t->super[t->supers], ww__slab_super_bytes(s, ww__slab_super_slabs(t, t->supers)));
    }
    ww__release(s->device, s, sizeof *s);
}

/* ---- what is in use ---- */

static ww_status used_cpu(const ww_slab *s, uint64_t *used) {
    const ww__slab_table *const t = &s->table;
    for (uint32_t k = 0; k < t->supers; k++) {
        const uint64_t slabs = ww__slab_super_slabs(t, k);
        const uint32_t *const bits = (const uint32_t *)(const void *)(t->super[k] + slabs * s->layout.bytes);
        used[k] = 0;
        for (uint64_t w = 0; w < slabs / WW__SLAB_WORD; w++) used[k] += (uint64_t)__builtin_popcount(bits[w]);
    }
    return WW_OK;
}

ww_status ww__slab_used(ww_slab *s, uint64_t *used) {
    switch (s->device->backend) {
    case WW__BACKEND_CPU:
        return used_cpu(s, used);
    case WW__BACKEND_GPU:
        return ww__slab_used_gpu(s, used);
    }
    return WW_UNSUPPORTED;
}
