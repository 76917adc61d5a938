/* A large batch of insertions into an empty dictionary on a CPU.
 *
 * The pairs are brought together by ranges of neighbouring buckets first, by a multisplit: read twice, written once. A worker then has a
 * range to itself: it fills the first slabs in a buffer that its second-level cache holds, without atomic operations, and then writes
 * them whole. So memory sees each first slab once, and not each of its pairs. Where there is no memory for the copy, or in the end for a slab, the dictionary is as empty as
 * before, and the pairs are inserted one by one, each with its status.
 *
 * In a dense dictionary whose number of buckets stays, buckets of a group share slabs (slab.h). Then the pairs that find first slabs full wait
 * until the range's others are in, and are sorted by bucket. Of each group those of the buckets with most of them are placed first, each bucket's
 * in the slab in which they leave the fewest slots empty; a bucket with more than a slab of them has slabs of its own. A range that has
 * many more pairs than others, for many keys are equal, is filled like that of any other dictionary. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "dictionary/slab/loops_cpu.h"
#include "multisplit/multisplit.h"

enum {
    LEAST = 1 << 15,         /* pairs of a batch that is worth it, where first slabs are more than caches hold, */
    SLOTS_SHARE = 4,         /* one for so many slots of these at least */
    RANGE_BYTES = 512 << 10, /* of a range's first slabs */
    LEAST_SHARED = 32,       /* pairs of a batch, where buckets share slabs */
    CROWD = 2,               /* times as many pairs as ranges have, from which on a range's buckets do not */
    RANGES_MOST = 4096       /* above which a multisplit takes more than one pass */
};

/* ---- the range of a key: ww__slab_bucket, shifted; where no buckets have been added the first half of it ---- */

WW_STRUCT(slab_ranging, {
    uint64_t seed, base_count, buckets, low_mask, high_mask;
    uint64_t range_log;
});
#define MIXED(key) \
    uint64_t x = (key ^ r->seed) * 0x9E3779B97F4A7C15u; \
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u; \
    x ^= x >> 32; \
    uint64_t home = ((x >> 32) * r->base_count) >> 32;
#define EXPANDED_MAP(...) WW_MAP(__VA_ARGS__)
#define RANGES_OF(K) \
    EXPANDED_MAP(slab_range_##K, uint32_t, K, key, slab_ranging, r, { \
        MIXED(key) return (uint32_t)(home >> r->range_log); \
    }); \
    EXPANDED_MAP(slab_grown_range_##K, uint32_t, K, key, slab_ranging, r, { \
        MIXED(key) \
        uint64_t bucket = home + (x & r->high_mask) * r->base_count; \
        if (bucket >= r->buckets) bucket = home + (x & r->low_mask) * r->base_count; \
        return (uint32_t)(bucket >> r->range_log); \
    })
RANGES_OF(uint32_t);
RANGES_OF(uint64_t);

/* ---- ranges ---- */

/* The pairs of one range behind first slabs. */
typedef struct sharing {
    ww__slab_behind behind;
    uint32_t *pair, *first; /* in the order of buckets; the first of each bucket, and one more */
    uint32_t *held;         /* slabs that have been taken for the next group */
    uint64_t held_count, group;
    bool sorted;
} sharing;

/* One worker's place, from round to round. */
typedef struct desk {
    uint64_t range;       /* that it works on; UINT64_MAX: none */
    uint64_t at;          /* the first of its pairs that is not in */
    unsigned char *slabs; /* its first slabs */
    ww__slab_worker worker;
    ww__slab_outcome outcome;
    sharing sharing;
} desk;

typedef struct building {
    ww_slab *s;
    const ww__slab_loops *loops;
    uint64_t ranges, claimed;
    ww_array keys, values; /* in the order of ranges */
    const uint64_t *first; /* pair of each range; one more than ranges */
    uint64_t range_log;
    bool streams;
    uint64_t shared_most; /* pairs of a range whose buckets share slabs; 0: none do */
    desk *desk;
} building;

static void *behind(const ww_array *array, uint64_t first) {
    return ww__is_none(array) ? NULL : (unsigned char *)array->data + first * array->size;
}

static void point_worker(const building *g, desk *d, uint64_t at) {
    d->worker.keys = behind(&g->keys, g->first[d->range] + at);
    d->worker.values = behind(&g->values, g->first[d->range] + at);
    d->worker.position = at;
}

/* ---- buckets that share slabs ---- */

static uint64_t first_bucket(const building *g, const desk *d) { return d->range << g->range_log; }
static uint64_t buckets_of(const building *g, const desk *d) {
    return ww__min_u64((uint64_t)1 << g->range_log, g->s->table.buckets - first_bucket(g, d));
}

static void sort_behind(const building *g, const desk *d) {
    const sharing *const h = &d->sharing;
    const uint64_t from = first_bucket(g, d), buckets = buckets_of(g, d);
    uint32_t sum = 0;
    memset(h->first, 0, (size_t)(buckets + 1) * sizeof *h->first);
    for (uint64_t k = 0; k < h->behind.count; k++) h->first[g->loops->bucket(&d->worker, h->behind.pair[k]) - from]++;
    for (uint64_t b = 0; b <= buckets; b++) {
        sum += h->first[b];
        h->first[b] = sum; /* its end so far, which the next loop makes its beginning */
    }
    for (uint64_t k = h->behind.count; k--;) {
        const uint32_t pair = h->behind.pair[k];
        h->pair[--h->first[g->loops->bucket(&d->worker, pair) - from]] = pair;
    }
}

/* Where the pairs of a group's buckets go: the slab, of those that are shared, and the slot in it. */
typedef struct plan {
    uint64_t shared, own; /* slabs; own: of single buckets */
    uint8_t slab[WW__SLAB_GROUP], slot[WW__SLAB_GROUP];
} plan;

/* Lists of buckets by their pairs and of slabs by their empty slots; `some`: a bit for each list of slabs that has some. */
static void plan_group(const uint32_t *first, uint32_t buckets, uint32_t slots, plan *p) {
    enum { NONE = 255, SLOTS_MOST = 15 };
    uint8_t bucket_with[SLOTS_MOST + 1], slab_with[SLOTS_MOST + 1];
    uint8_t next_bucket[WW__SLAB_GROUP], next_slab[WW__SLAB_GROUP];
    uint32_t some = 0;
    p->shared = p->own = 0;
    memset(bucket_with, NONE, sizeof bucket_with);
    for (uint32_t b = 0; b < buckets; b++) {
        const uint32_t pairs = first[b + 1] - first[b];
        if (pairs > slots) p->own += (pairs - 1) / slots + 1;
        if (!pairs || pairs > slots) continue;
        next_bucket[b] = bucket_with[pairs];
        bucket_with[pairs] = (uint8_t)b;
    }
    for (uint32_t pairs = slots; pairs; pairs--)
        for (uint8_t b = bucket_with[pairs]; b != NONE; b = next_bucket[b]) {
            const uint32_t fits = some >> pairs << pairs;
            const uint32_t empty = fits ? (uint32_t)__builtin_ctz(fits) : slots, left = empty - pairs;
            const uint8_t slab = fits ? slab_with[empty] : (uint8_t)p->shared++;
            if (fits && (slab_with[empty] = next_slab[slab]) == NONE) some &= ~(1u << empty);
            p->slab[b] = slab;
            p->slot[b] = (uint8_t)(slots - empty);
            if (!left) continue;
            next_slab[slab] = some >> left & 1 ? slab_with[left] : NONE;
            slab_with[left] = slab;
            some |= 1u << left;
        }
}

/* A bucket's pairs behind its first slab to slabs that are its own; returns how many these are. */
static uint64_t chain_slabs(const building *g, desk *d, unsigned char *base, const uint32_t *number,
                            const uint32_t *pair, uint32_t pairs) {
    const uint32_t slots = g->s->layout.slots, bytes = g->s->layout.bytes;
    unsigned char *before = base;
    uint64_t k = 0;
    for (uint32_t at = 0; at < pairs; at += slots, k++) {
        g->loops->put_behind(&d->worker, base, number[k], 0, pair + at, pairs - at < slots ? pairs - at : slots);
        *ww__slab_next(before, bytes) = number[k];
        before = ww__slab_unit(&g->s->table, bytes, number[k] - 1);
    }
    return k;
}

/* One group of the range; false where it wants a slab and there is none. */
static bool place_group(const building *g, desk *d) {
    sharing *const h = &d->sharing;
    const ww__slab_table *const t = &g->s->table;
    const uint32_t slots = g->s->layout.slots, bytes = g->s->layout.bytes;
    const uint64_t from = h->group * WW__SLAB_GROUP;
    const uint32_t buckets = (uint32_t)ww__min_u64(WW__SLAB_GROUP, buckets_of(g, d) - from);
    const uint32_t *const first = h->first + from;
    plan p;
    plan_group(first, buckets, slots, &p);
    for (; h->held_count < p.shared + p.own; h->held_count++)
        if (!(h->held[h->held_count] = ww__slab_take(&d->worker, bytes))) return false;
    for (uint64_t k = 0; k < h->held_count; k++) {
        unsigned char *const slab = ww__slab_unit(t, bytes, h->held[k] - 1);
        *ww__slab_states(slab, bytes) = *ww__slab_next(slab, bytes) = 0;
    }
    uint64_t own = p.shared;
    for (uint32_t b = 0; b < buckets; b++) {
        const uint32_t pairs = first[b + 1] - first[b], *const pair = h->pair + first[b];
        unsigned char *const base = d->slabs + (from + b) * bytes;
        if (pairs > slots) own += chain_slabs(g, d, base, h->held + own, pair, pairs);
        if (!pairs || pairs > slots) continue;
        g->loops->put_behind(&d->worker, base, h->held[p.slab[b]], p.slot[b], pair, pairs);
        *ww__slab_next(base, bytes) = h->held[p.slab[b]];
    }
    h->held_count = 0;
    return true;
}

static bool place_behind(const building *g, desk *d) {
    sharing *const h = &d->sharing;
    point_worker(g, d, 0);
    if (!h->sorted) sort_behind(g, d);
    h->sorted = true;
    for (; h->group * WW__SLAB_GROUP < buckets_of(g, d); h->group++)
        if (!place_group(g, d)) return false;
    h->behind.count = h->group = 0;
    h->sorted = false;
    return true;
}

/* ---- all ---- */

/* The pairs of a worker's range, tile by tile; false where it wants a slab and there is none. */
static bool place_range(const building *g, desk *d) {
    const uint64_t pairs = g->first[d->range + 1] - g->first[d->range];
    const bool shares = g->shared_most && pairs <= g->shared_most;
    ww__slab_behind *const behind_first = shares ? &d->sharing.behind : NULL;
    while (d->at < pairs) {
        const size_t n = (size_t)ww__min_u64(pairs - d->at, WW__SLAB_TILE);
        point_worker(g, d, d->at);
        const size_t done = g->loops->place(&d->worker, d->slabs, first_bucket(g, d), n, behind_first);
        d->at += done;
        if (done < n) return false;
    }
    return !shares || place_behind(g, d);
}

static void begin_range(const building *g, desk *d) {
    d->at = 0;
    d->worker.hints.any = false;
    g->loops->place_begin(d->slabs, buckets_of(g, d));
}

/* First slabs to their places, segment by segment. */
static void end_range(const building *g, const desk *d) {
    const ww__slab_table *const t = &g->s->table;
    const uint64_t bytes = g->s->layout.bytes, from = first_bucket(g, d), end = from + buckets_of(g, d);
    for (uint64_t b = from, next; b < end; b = next) {
        const uint64_t part = b / t->base_count,
                       segment_end = part ? t->base_count << (ww__slab_log(part) + 1) : t->base_count;
        next = ww__min_u64(end, segment_end);
        ww__stream(g->s->device, ww__slab_base(t, (uint32_t)bytes, b, part), d->slabs + (b - from) * bytes,
                   (size_t)((next - b) * bytes), g->streams);
    }
}

static void place_ranges(void *argument, size_t worker) {
    building *const g = argument;
    desk *const d = &g->desk[worker];
    for (;;) {
        if (d->range == UINT64_MAX) {
            d->range = ww__claim(&g->claimed);
            if (d->range < g->ranges) begin_range(g, d);
        }
        if (d->range >= g->ranges) break;
        if (!place_range(g, d)) return;
        end_range(g, d);
        d->range = UINT64_MAX;
    }
    d->range = g->ranges;
    ww__stream_done();
}

static bool is_done(const building *g, size_t workers) {
    for (size_t k = 0; k < workers; k++)
        if (g->desk[k].range < g->ranges) return false;
    return true;
}

/* All pairs to their slabs; false where there is no memory for all of these. */
static bool place(building *g, size_t workers) {
    ww_slab *const s = g->s;
    for (;;) {
        ww__parallel(s->device, workers, place_ranges, g);
        if (is_done(g, workers)) break;
        s->next_word = ww__slab_supers_slabs(&s->table) / WW__SLAB_WORD;
        if (ww__slab_add_super(s)) return false;
    }
    for (size_t k = 0; k < workers; k++) ww__slab_give_back(s, &g->desk[k].worker);
    return true;
}

/* So many bytes for each worker, which no two share a line of: one piece for all, for a call has so many pieces at most. */
static ww_status for_each(ww_device *device, size_t workers, uint64_t count, unsigned char **all, size_t *apart) {
    *apart = (size_t)ww__round_up(count * sizeof(uint32_t), 64);
    return ww__scratch_array(device, workers, *apart, all);
}

static ww_status open_sharing(building *g, size_t workers) {
    ww_device *const device = g->s->device;
    unsigned char *behind, *pair, *first, *held;
    size_t pairs, firsts, helds;
    WW_TRY(for_each(device, workers, g->shared_most, &behind, &pairs));
    WW_TRY(for_each(device, workers, g->shared_most, &pair, &pairs));
    WW_TRY(for_each(device, workers, ((uint64_t)1 << g->range_log) + 1, &first, &firsts));
    WW_TRY(for_each(device, workers, g->shared_most / g->s->layout.slots + 2 * WW__SLAB_GROUP, &held, &helds));
    if (device->on_paper) return WW_OK;
    for (size_t k = 0; k < workers; k++) {
        sharing *const h = &g->desk[k].sharing;
        h->behind.pair = (uint32_t *)(void *)(behind + k * pairs);
        h->pair = (uint32_t *)(void *)(pair + k * pairs);
        h->first = (uint32_t *)(void *)(first + k * firsts);
        h->held = (uint32_t *)(void *)(held + k * helds);
    }
    return WW_OK;
}

static ww_status open_desks(building *g, size_t workers) {
    ww_device *const device = g->s->device;
    ww__slab_hints hints;
    unsigned char *slabs;
    const size_t bytes = (size_t)g->s->layout.bytes << g->range_log;
    WW_TRY(ww__scratch_array(device, workers, sizeof *g->desk, &g->desk));
    WW_TRY(ww__slab_hints_open(device, 0, workers, &hints));
    WW_TRY(ww__scratch_array(device, workers, bytes, &slabs));
    for (size_t k = 0; !device->on_paper && k < workers; k++) {
        desk *const d = &g->desk[k];
        *d = (desk){.range = UINT64_MAX, .outcome = {.fault = UINT64_MAX}, .slabs = slabs + k * bytes};
        d->worker.table = &g->s->table;
        d->worker.next_word = &g->s->next_word;
        d->worker.outcome = &d->outcome;
        d->worker.hints = ww__slab_hints_of(&hints, k);
        d->worker.alone = true; /* at its range's buckets */
    }
    return g->shared_most ? open_sharing(g, workers) : WW_OK;
}

/* ---- the multisplit ---- */

static uint64_t range_log_of(const ww_slab *s, uint64_t buckets) {
    uint64_t log = ww__slab_log(RANGE_BYTES / s->layout.bytes);
    while ((buckets - 1) >> log >= RANGES_MOST) log++;
    return log;
}

static ww_status partition(building *g, const ww__slab_batch *b) {
    ww_slab *const s = g->s;
    ww_device *const device = s->device;
    const ww__slab_table *const t = &s->table;
    const uint64_t n = b->count;
    const bool grown = t->buckets != t->base_count, wide = s->layout.key_size == 8;
    const slab_ranging ranging = {t->seed, t->base_count, t->buckets, t->low_mask, t->high_mask, g->range_log};
    const ww_function with = ww_bound(grown ? (wide ? &slab_grown_range_uint64_t_ww : &slab_grown_range_uint32_t_ww)
                                            : (wide ? &slab_range_uint64_t_ww : &slab_range_uint32_t_ww),
                                      &ranging, 1, &slab_ranging_ww);
    ww_array offsets = ww_array_of(NULL, 0, &ww_type_uint64_t);
    g->keys = ww_array_of(NULL, n, s->key_type);
    g->values = s->value_type ? ww_array_of(NULL, n, s->value_type) : ww_none;
    offsets.count = g->ranges + 1;
    WW_TRY(ww__scratch_array(device, n, s->layout.key_size, &g->keys.data));
    if (s->value_type) WW_TRY(ww__scratch_array(device, n, s->layout.value_size, &g->values.data));
    WW_TRY(ww__scratch_array(device, offsets.count, sizeof(uint64_t), &offsets.data));
    g->first = offsets.data;
    const ww__splitting split = {.by = {.map = &with, .asked = &with, .buckets = g->ranges},
                                 .keys = *b->keys,
                                 .values = s->value_type ? *b->values : ww_no_input,
                                 .keys_out = g->keys,
                                 .values_out = g->values,
                                 .offsets = offsets};
    const ww__scratch_mark mark = ww__scratch_here(device);
    WW_TRY(ww__multisplit(device, &split));
    ww__scratch_back(device, &mark);
    return WW_OK;
}

/* ---- the batch ---- */

bool ww__slab_may_build_cpu(const ww_slab *s, const ww__slab_batch *b, uint64_t buckets) {
    if (b->count > UINT32_MAX) return false;
    if (ww__slab_shares(s, b->count)) return b->count >= LEAST_SHARED;
    return b->count >= LEAST && b->count >= buckets * s->layout.slots / SLOTS_SHARE &&
           ww__streams(s->device, buckets * s->layout.bytes);
}

static ww_status build(building *g, const ww__slab_batch *b, uint64_t buckets, bool *built) {
    ww_device *const device = g->s->device;
    const size_t workers = ww__workers(device, b->count * 64);
    g->streams = ww__streams(device, buckets * g->s->layout.bytes);
    g->range_log = range_log_of(g->s, buckets);
    g->ranges = ((buckets - 1) >> g->range_log) + 1;
    if (ww__slab_shares(g->s, b->count)) g->shared_most = CROWD * (b->count / g->ranges) + WW__SLAB_TILE;
    WW_TRY(open_desks(g, workers));
    WW_TRY(partition(g, b));
    if (device->on_paper) return WW_OK;
    *built = place(g, workers);
    g->s->share_log = *built && g->shared_most ? SLAB_RANGE_LOG_MOST : 0;
    if (*built && b->statuses) memset(b->statuses->data, WW_SLAB_INSERTED, (size_t)b->count);
    return WW_OK;
}

ww_status ww__slab_build_cpu(ww_slab *s, const ww__slab_batch *b, uint64_t buckets, bool *built,
                             ww__slab_outcome *outcome) {
    building g = {.s = s, .loops = ww__slab_loops_of(s->device, &s->layout)};
    const ww__scratch_mark mark = ww__scratch_here(s->device);
    const ww_status status = build(&g, b, buckets, built);
    ww__scratch_back(s->device, &mark);
    outcome->inserted = *built ? b->count : 0;
    return status == WW_MEMORY ? WW_OK : status;
}
