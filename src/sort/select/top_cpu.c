/* Selecting on a CPU.
 *
 * The first k, where k is small: workers go through a part of the keys each, and keep those below the part's k-th so far, which
 * few are once some have been seen: a block without any is passed by at the speed of memory. A worker's buffer that is full is
 * sorted, and cut to k. What all have kept, in the order of the parts, is sorted last. So that keys in descending order, each of
 * which is below all before it, are not all kept and cut again, a part begins with a bound from a sample of its keys. If
 * fewer than k keys are within that bound, the part is gone through again without it.
 *
 * Else one count by the highest digit in which keys differ tells in which bucket the k-th is; the keys up to that bucket
 * are picked, in their order, and sorted. The n-th key alone: most keys are left out by two of a sample (bracket.h), and then more and
 * more of those that are left (few.h); where these are too many a bucket is picked, and counted by the next digit in turn, until few enough to
 * sort are left.
 *     memory     small k and the n-th: 1 n keys read; else 2 n keys read, what is picked written
 *
 * Keys go as numbers (radix.h), with their positions; values are fetched by these, in the end. */
#include <math.h>
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"
#include "sort/order.h"
#include "sort/select/bracket.h"
#include "sort/select/few.h"
#include "sort/select/pick.h"
#include "sort/select/top.h"

enum {
    SMALL_MOST = 1 << 14,   /* k that is small, */
    SMALL_PART = 16,        /* and at most one in so many of a worker's keys */
    BUFFER_LEAST = 1 << 12, /* elements */
    SAMPLE_MOST = 1 << 12,  /* keys of a part's sample, */
    SAMPLE_LEAST = 1 << 6,  /* below which there is none, */
    SAMPLE_OF = 1 << 10,    /* and of how many keys it has one */
    TILE = 1 << 11,         /* keys that are looked at before a buffer is */
    SORTED_MOST = 1 << 14,  /* keys among which the n-th is found by sorting */
    PARTS_A_WORKER = 4,
    PART_LEAST = 1 << 14,
    TABLE_BYTES = WW__RADIX_TABLES * WW__RADIX_BUCKETS * sizeof(uint32_t),
    FETCH_PIECE = 1 << 10 /* values that a worker claims */
};

/* Keys that something is looked for among. */
typedef struct source {
    const unsigned char *keys;
    uint64_t n;
    ww__radix_order order;
    ww__word mask; /* the bits that they may differ in */
} source;

/* Keys, as numbers, and where they were. */
typedef struct picked {
    unsigned char *numbers;
    uint64_t *positions; /* NULL: nobody asks */
    uint64_t n;
} picked;

typedef struct selecting {
    ww_device *device;
    const ww__sorting *s;
    const ww__radix_loops *loops;
    ww__pick *pick;
    size_t key_size, workers;
    bool positions;
} selecting;

static ww_status make(ww_device *device, const ww__sorting *s, bool positions, selecting *g, source *all) {
    const void *keys;
    *g = (selecting){.device = device, .s = s, .key_size = s->keys.size, .positions = positions};
    g->workers = ww__workers(device, s->keys.count * s->keys.size);
    g->loops = ww__radix_loops_of(g->key_size, positions ? sizeof(uint64_t) : 0);
    WW_CHECK(device, g->loops, WW_UNSUPPORTED, "sorts no keys of %zu bytes here", g->key_size);
    g->pick = ww__pick_of(device, g->key_size);
    WW_TRY(ww__input_in_memory(device, &s->keys, &keys));
    *all = (source){keys, s->keys.count, ww__radix_order_of(s), ww__radix_mask_of(s)};
    return WW_OK;
}

static ww_status room_for(const selecting *g, uint64_t n, picked *p) {
    *p = (picked){.n = n};
    WW_TRY(ww__scratch_array(g->device, n, g->key_size, &p->numbers));
    return g->positions ? ww__scratch_array(g->device, n, sizeof *p->positions, &p->positions) : WW_OK;
}

/* Numbers, in the mask's order. */
static ww_status sort_picked(const selecting *g, const picked *p, ww__word mask) {
    const ww__radix job = {.keys = p->numbers,
                           .values = p->positions,
                           .keys_out = p->numbers,
                           .values_out = p->positions,
                           .n = p->n,
                           .key_size = g->key_size,
                           .value_size = g->positions ? sizeof *p->positions : 0,
                           .mask = mask};
    return ww__radix_sort(g->device, &job);
}

/* ---- small k: buffers of what is below the k-th so far ---- */

typedef struct keeping {
    const selecting *g;
    const source *all;
    uint64_t k, part_n, parts, room; /* elements of a buffer */
    unsigned char
        *buffers; /* of each part, of buffer_bytes: numbers, positions, then the same again and tables to sort by */
    size_t buffer_bytes;
    uint64_t *kept; /* of each part */
    uint64_t next;
} keeping;

static size_t numbers_bytes(const keeping *w) { return ww__round_up(w->room * w->g->key_size, 64); }
static size_t positions_bytes(const keeping *w) {
    return w->g->positions ? ww__round_up(w->room * sizeof(uint64_t), 64) : 0;
}

static picked buffer_of(const keeping *w, uint64_t part) {
    unsigned char *at = w->buffers + part * w->buffer_bytes;
    picked p = {.numbers = at};
    if (w->g->positions) p.positions = (uint64_t *)(void *)(at + numbers_bytes(w));
    return p;
}

static void sort_buffer(const keeping *w, const picked *p) {
    unsigned char *const second = p->numbers + numbers_bytes(w) + positions_bytes(w);
    unsigned char *const values = second + numbers_bytes(w);
    const ww__radix_leaf leaf = {.keys = {second, p->numbers},
                                 .values = {values, p->positions},
                                 .tables = (uint32_t *)(void *)(values + positions_bytes(w))};
    w->g->loops->leaf(&leaf, 1, p->n, w->all->mask);
}

/* Sorts a part's buffer, and keeps k of it. */
static void cut(const keeping *w, picked *p) {
    sort_buffer(w, p);
    if (p->n > w->k) p->n = w->k;
}

/* A number that k of a part's keys are probably at most, from a sample: one key at random out of each of `sampled` equal
 * pieces. The k-th key has a rank of about k * sampled / n in the sample; three standard deviations more, since a bound that is too
 * low costs another pass. */
static ww__word guess_bound(const keeping *w, picked p, uint64_t first, uint64_t n) {
    const selecting *g = w->g;
    const uint64_t sampled = ww__min_u64(n / SAMPLE_OF, SAMPLE_MOST);
    const double rank = (double)w->k * (double)sampled / (double)n;
    const uint64_t place = (uint64_t)(rank + 3 * sqrt(rank) + 3);
    if (sampled < SAMPLE_LEAST || place >= sampled) return w->all->mask;
    const ww__picking any = {.order = w->all->order, .mask = w->all->mask, .to = w->all->mask};
    unsigned char *const keys = p.numbers + numbers_bytes(w) + positions_bytes(w);
    const uint64_t piece = n / sampled;
    uint32_t random = 1;
    for (uint64_t i = 0; i < sampled; i++) {
        random = random * 1664525u + 1013904223u; /* Knuth's, as Press et al. (1992) give it */
        const uint64_t at = first + i * piece + ((random * piece) >> 32);
        memcpy(keys + i * g->key_size, w->all->keys + at * g->key_size, g->key_size);
    }
    p.n = g->pick(&any, keys, (size_t)sampled, 0, p.numbers, p.positions, NULL);
    sort_buffer(w, &p);
    return ww__radix_key_at(p.numbers, g->key_size, place) & w->all->mask;
}

/* Keeps the first k of n keys, those above a bound left out; returns how many there are, at most k. */
static uint64_t keep_below(const keeping *w, picked p, uint64_t first, uint64_t n, ww__word bound) {
    const selecting *g = w->g;
    ww__picking below = {.order = w->all->order, .mask = w->all->mask, .to = bound};
    for (uint64_t i = first; i < first + n; i += TILE) {
        const size_t many = (size_t)ww__min_u64(TILE, first + n - i);
        p.n += g->pick(&below, w->all->keys + i * g->key_size, many, i, p.numbers + p.n * g->key_size,
                       g->positions ? p.positions + p.n : NULL, NULL);
        if (p.n + TILE < w->room) continue;
        cut(w, &p);
        const ww__word last = ww__radix_key_at(p.numbers, g->key_size, w->k - 1) & w->all->mask;
        if (!last) break; /* nothing comes before that */
        below.to = last - 1;
    }
    cut(w, &p);
    return p.n;
}

static void keep_part(const keeping *w, uint64_t part) {
    const uint64_t first = part * w->part_n;
    if (first >= w->all->n) {
        w->kept[part] = 0;
        return;
    }
    const uint64_t n = ww__min_u64(w->part_n, w->all->n - first);
    const picked p = buffer_of(w, part);
    const ww__word bound = guess_bound(w, p, first, n);
    w->kept[part] = keep_below(w, p, first, n, bound);
    if (w->kept[part] < ww__min_u64(w->k, n) && bound < w->all->mask)
        w->kept[part] = keep_below(w, p, first, n, w->all->mask);
}

static void keep_parts(void *argument, size_t worker) {
    keeping *w = argument;
    (void)worker;
    for (uint64_t part; (part = ww__claim(&w->next)) < w->parts;) keep_part(w, part);
}

/* What all parts have kept, one behind the other. */
static ww_status join_parts(const keeping *w, picked *p) {
    uint64_t n = 0;
    if (w->g->device->on_paper) return room_for(w->g, ww__min_u64(w->parts * w->k, w->all->n), p); /* at most */
    for (uint64_t part = 0; part < w->parts; part++) n += w->kept[part];
    WW_TRY(room_for(w->g, n, p));
    n = 0;
    for (uint64_t part = 0; part < w->parts; n += w->kept[part++]) {
        const picked from = buffer_of(w, part);
        memcpy(p->numbers + n * w->g->key_size, from.numbers, w->kept[part] * w->g->key_size);
        if (w->g->positions) memcpy(p->positions + n, from.positions, w->kept[part] * sizeof *from.positions);
    }
    return WW_OK;
}

static ww_status pick_few(const selecting *g, const source *all, uint64_t k, picked *p) {
    keeping w = {.g = g, .all = all, .k = k, .parts = g->workers};
    w.part_n = all->n / w.parts + 1;
    w.room = (2 * k > BUFFER_LEAST ? 2 * k : BUFFER_LEAST) + 2 * TILE;
    w.buffer_bytes = 2 * (numbers_bytes(&w) + positions_bytes(&w)) + 2 * WW__RADIX_LEAF_BUCKETS * sizeof(uint32_t);
    WW_TRY(ww__scratch_array(g->device, w.parts, w.buffer_bytes, &w.buffers));
    WW_TRY(ww__scratch_array(g->device, w.parts, sizeof *w.kept, &w.kept));
    ww__trace(g->device, "top keep", NULL, all->n, all->n * g->key_size, g->workers);
    ww__parallel(g->device, g->workers, keep_parts, &w);
    return join_parts(&w, p);
}

/* ---- counting by a digit, and picking by it ---- */

typedef struct narrowing {
    const selecting *g;
    const source *from;
    unsigned low, bits;
    uint64_t parts, part_n;
    uint64_t *counts;     /* of each part in each bucket */
    ww__word *differ;     /* of each part */
    unsigned char *desks; /* of each worker: tables; then, as numbers and positions, a tile */
    size_t desk_bytes;
    uint64_t first_bucket, last_bucket; /* what is picked */
    uint64_t *begin;                    /* of each part: where its part of that goes */
    picked to;
    picked room[2]; /* in turns: what is picked never gets more */
    unsigned turn;
    uint64_t next;
} narrowing;

static const unsigned char *part_at(const narrowing *w, uint64_t part, size_t *n) {
    const uint64_t first = part * w->part_n;
    *n = (size_t)ww__min_u64(w->part_n, w->from->n - first);
    return w->from->keys + first * w->g->key_size;
}

static void count_parts(void *argument, size_t worker) {
    narrowing *w = argument;
    for (uint64_t part; (part = ww__claim(&w->next)) < w->parts;) {
        ww__radix_count count = {.order = w->from->order,
                                 .first = w->from->keys,
                                 .low = w->low,
                                 .bits = w->bits,
                                 .tables = (uint32_t *)(void *)(w->desks + worker * w->desk_bytes),
                                 .counts = w->counts + part * WW__RADIX_BUCKETS};
        count.keys = part_at(w, part, &count.n);
        w->differ[part] = w->g->loops->count(&count);
    }
}

static void pick_parts(void *argument, size_t worker) {
    narrowing *w = argument;
    const selecting *g = w->g;
    unsigned char *const numbers = w->desks + worker * w->desk_bytes + TABLE_BYTES;
    uint64_t *const positions = g->positions
                                    ? (uint64_t *)(void *)(numbers + ww__round_up((TILE + 1) * g->key_size, 64))
                                    : NULL;
    const ww__picking picking = {.order = w->from->order,
                                 .mask = ww__radix_ones(w->bits) << w->low,
                                 .from = (ww__word)w->first_bucket << w->low,
                                 .to = (ww__word)w->last_bucket << w->low};
    for (uint64_t part; (part = ww__claim(&w->next)) < w->parts;) {
        size_t n;
        const unsigned char *keys = part_at(w, part, &n);
        uint64_t to = w->begin[part];
        for (size_t i = 0; i < n; i += TILE) {
            const size_t many = g->pick(&picking, keys + i * g->key_size, (size_t)ww__min_u64(TILE, n - i),
                                        part * w->part_n + i, numbers, positions, NULL);
            memcpy(w->to.numbers + to * g->key_size, numbers, many * g->key_size);
            if (positions) memcpy(w->to.positions + to, positions, many * sizeof *positions);
            to += many;
        }
    }
}

/* Room for all that narrowing `n` keys needs but for what is picked. */
static ww_status begin_narrowing(const selecting *g, uint64_t n, narrowing *w) {
    const size_t tile = (TILE + 1) * (g->key_size + (g->positions ? sizeof(uint64_t) : 0)) + 128;
    *w = (narrowing){.g = g};
    w->parts = ww__min_u64(PARTS_A_WORKER * g->workers + (n >> 31), n / PART_LEAST + 1); /* tables count in 32 bits */
    w->desk_bytes = ww__round_up(TABLE_BYTES + tile, 64);
    WW_TRY(ww__scratch_array(g->device, g->workers, w->desk_bytes, &w->desks));
    WW_TRY(ww__scratch_array(g->device, w->parts, WW__RADIX_BUCKETS * sizeof *w->counts, &w->counts));
    WW_TRY(ww__scratch_array(g->device, w->parts, sizeof *w->differ, &w->differ));
    return ww__scratch_array(g->device, w->parts, sizeof *w->begin, &w->begin);
}

/* Counts all by the digit that a sample promises, and again when keys differ in higher bits after all. */
static void count_all(narrowing *w) {
    const source *f = w->from;
    const selecting *g = w->g;
    const ww__word least = f->mask & (~f->mask + 1);
    ww__word promised = (g->loops->differ(f->keys, f->n, f->n / 256 + 1, &f->order) & f->mask) | least;
    w->part_n = f->n / w->parts + 1;
    w->parts = (f->n + w->part_n - 1) / w->part_n;
    for (;;) {
        const unsigned highest = ww__highest_bit(promised), left = highest + 1 - ww__lowest_bit(least);
        w->bits = (unsigned)ww__min_u64(left, WW__RADIX_BITS);
        w->low = highest + 1 - w->bits;
        w->next = 0;
        ww__parallel(g->device, g->workers, count_parts, w);
        ww__word differ = promised;
        for (uint64_t part = 0; part < w->parts; part++) differ |= w->differ[part] & f->mask;
        if (ww__highest_bit(differ) == highest) return;
        promised = differ;
    }
}

/* The bucket of the element of rank `rank`, and how many are in those before. */
static uint64_t find_bucket(const narrowing *w, uint64_t rank, uint64_t *before) {
    *before = 0;
    for (uint64_t b = 0;; b++) {
        uint64_t many = 0;
        for (uint64_t part = 0; part < w->parts; part++) many += w->counts[part * WW__RADIX_BUCKETS + b];
        if (rank < *before + many) return b;
        *before += many;
    }
}

/* Picks the elements of some neighbouring buckets. */
static ww_status pick_buckets(narrowing *w, uint64_t first, uint64_t last) {
    uint64_t n = 0;
    for (uint64_t part = 0; part < w->parts; part++) {
        w->begin[part] = n;
        for (uint64_t b = first; b <= last; b++) n += w->counts[part * WW__RADIX_BUCKETS + b];
    }
    picked *const room = &w->room[w->turn];
    w->turn = !w->turn;
    if (!room->numbers) WW_TRY(room_for(w->g, n, room));
    w->to = *room;
    w->to.n = n;
    w->first_bucket = first;
    w->last_bucket = last;
    w->next = 0;
    ww__parallel(w->g->device, w->g->workers, pick_parts, w);
    return WW_OK;
}

static ww_status pick_many(const selecting *g, const source *all, uint64_t k, picked *p) {
    narrowing w;
    uint64_t before;
    WW_TRY(begin_narrowing(g, all->n, &w));
    w.from = all;
    if (g->device->on_paper) return room_for(g, all->n, p); /* where all agree in the highest digit */
    ww__trace(g->device, "top count", NULL, all->n, 2 * all->n * g->key_size, g->workers);
    count_all(&w);
    WW_TRY(pick_buckets(&w, 0, find_bucket(&w, k - 1, &before)));
    *p = w.to;
    return WW_OK;
}

/* ---- the first k ---- */

typedef struct fetching {
    const selecting *g;
    const uint64_t *positions;
    unsigned char *rooms;
    size_t room;
    uint64_t next;
} fetching;

static void fetch_values(void *argument, size_t worker) {
    fetching *f = argument;
    const ww__sorting *s = f->g->s;
    const uint64_t k = s->keys_out.count;
    for (uint64_t first; (first = ww__claim(&f->next) * FETCH_PIECE) < k;)
        for (uint64_t i = first; i < ww__min_u64(first + FETCH_PIECE, k); i++)
            memcpy((unsigned char *)s->values_out.data + i * s->values.size,
                   ww__input_read(f->g->device, &s->values, f->positions[i], 1, f->rooms + worker * f->room),
                   s->values.size);
}

static ww_status write_first(const selecting *g, const picked *p, const ww__radix_order *order) {
    const uint64_t k = g->s->keys_out.count;
    if (!g->device->on_paper) {
        memcpy(g->s->keys_out.data, p->numbers, k * g->key_size);
        g->loops->restore(g->s->keys_out.data, k, order);
    }
    if (!g->positions) return WW_OK;
    fetching f = {.g = g, .positions = p->positions, .room = ww__round_up(ww__input_room(&g->s->values, 1), 64)};
    const size_t workers = ww__workers(g->device, k * g->s->values.size);
    WW_TRY(ww__scratch_array(g->device, workers, f.room, &f.rooms));
    ww__parallel(g->device, workers, fetch_values, &f);
    return WW_OK;
}

ww_status ww__top_cpu(ww_device *device, const ww__sorting *s) {
    const uint64_t k = s->keys_out.count;
    selecting g;
    source all;
    picked p;
    WW_TRY(make(device, s, s->values.steps != 0, &g, &all));
    WW_TRY((k <= SMALL_MOST && k <= all.n / g.workers / SMALL_PART ? pick_few : pick_many)(&g, &all, k, &p));
    WW_TRY(sort_picked(&g, &p, all.mask));
    return write_first(&g, &p, &all.order);
}

/* ---- the n-th ---- */

/* Where the first digit, and the second, that are counted part hardly any keys. */
static ww_status narrow_on_paper(const selecting *g, const source *from) {
    const unsigned bits = ww__highest_bit(from->mask) + 1 - ww__lowest_bit(from->mask);
    picked p;
    WW_TRY(room_for(g, from->n, &p));
    if (bits <= WW__RADIX_BITS) return WW_OK;
    if (from->n > SORTED_MOST) WW_TRY(room_for(g, from->n, &p));
    p.n = ww__min_u64(from->n, SORTED_MOST);
    return sort_picked(g, &p, from->mask);
}

/* The key of rank n by one thread; *found is false where it has to be another way. */
static ww_status find_alone(const selecting *g, const source *from, uint64_t n, void *out, bool *found) {
    const ww__few few = {.keys = from->keys, .n = from->n, .rank = n, .order = from->order, .key_size = g->key_size};
    const ww__scratch_mark mark = ww__scratch_here(g->device);
    ww__word number = 0;
    void *room;
    *found = false;
    if (!ww__few_takes(g->key_size, from->mask)) return WW_OK;
    if (from->n > (g->workers > 1 ? WW__FEW_SHARED : WW__FEW_ALONE) / g->key_size) return WW_OK;
    WW_TRY(ww__scratch(g->device, ww__few_room(from->n, g->key_size), &room));
    *found = !g->device->on_paper && ww__few_nth(g->device, &few, room, &number);
    if (*found)
        memcpy(out, &number, g->key_size); /* its lowest bytes */
    else
        ww__scratch_back(g->device, &mark);
    return WW_OK;
}

ww_status ww__nth_cpu(ww_device *device, const ww__sorting *s, uint64_t n, void *out) {
    static const ww__radix_order as_they_are = {0, 0};
    selecting g;
    source from;
    narrowing w;
    WW_TRY(make(device, s, false, &g, &from));
    const ww__radix_order order = from.order;
    ww__trace(device, "nth", NULL, from.n, 2 * from.n * g.key_size, g.workers);
    ww__bracket all = {.keys = from.keys,
                       .n = from.n,
                       .rank = n,
                       .order = order,
                       .mask = from.mask,
                       .key_size = g.key_size,
                       .workers = g.workers};
    WW_TRY(ww__bracket_nth(device, &all));
    if (all.numbers) {
        n -= all.below;
        from = (source){all.numbers, all.left, as_they_are, from.mask};
    }
    bool found;
    WW_TRY(find_alone(&g, &from, n, out, &found));
    if (found) {
        g.loops->restore(out, 1, &order);
        return WW_OK;
    }
    WW_TRY(begin_narrowing(&g, from.n, &w));
    if (device->on_paper) return narrow_on_paper(&g, &from);
    const uint64_t parts = w.parts;
    w.to = (picked){.numbers = all.numbers, .n = all.left};
    while (!w.to.numbers || (from.mask && from.n > SORTED_MOST)) {
        uint64_t before;
        w.from = &from;
        w.parts = parts;
        count_all(&w);
        const uint64_t bucket = find_bucket(&w, n, &before);
        WW_TRY(pick_buckets(&w, bucket, bucket));
        n -= before;
        from = (source){w.to.numbers, w.to.n, as_they_are, from.mask & ww__radix_ones(w.low)};
    }
    if (from.mask) WW_TRY(sort_picked(&g, &w.to, from.mask));
    memcpy(out, w.to.numbers + n * g.key_size, g.key_size);
    g.loops->restore(out, 1, &order);
    return WW_OK;
}
