/* The CPU's side of the ordered dictionary for keys of one type: loops_u32.c and loops_u64.c define ww_key and include
 * this, which makes one table, LSM_LOOPS.
 *
 * Queries are answered by tiles that threads claim. A tile's keys are searched for in one level after the other, the newest first, and
 * those that were met drop out. The searches of a tile go in step, many at a time, so that what they wait for overlaps; those in
 * large levels begin in samples, and keys that are in order are looked for between the places of the first and the last of them. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "dictionary/lsm/logic.cuh"
#include "dictionary/lsm/lsm_cpu.h"
#include "primitive/search/sampled.h"

_Static_assert((int)WW_LSM_WORD == (int)WW__LSM_WORD, "words of the index, as both sides see them");

enum {
    TILE = 512,              /* keys that are searched for together; whole words of the index */
    ORDERED_LEAST = 16,      /* keys, that it is worth to look whether they are in order */
    WALK_SHARE = 2,          /* elements for each of them up to which walking along both takes less than halving */
    PIECE = 1 << 14,         /* elements of a piece of other work */
    SAMPLED_BYTES = 1 << 20, /* a level that is worth samples */
    SAMPLES = (1 << 15) / sizeof(ww_key),
    LIST_TILE = 64,       /* ranges that are listed together */
    WIDE = 1 << 16,       /* elements between the bounds of a range that is divided among threads */
    WIDE_PIECE = 1 << 14, /* elements of its pieces, about */
    WIDE_MOST = 1024,     /* such ranges that are remembered */
    STEP_BYTES = 8        /* that a step of a search costs as much as */
};

/* ---- searching for a tile ---- */

typedef struct finder {
    ww_lsm_runs runs;
    const ww_less_loops *loops;
    ww__sampled_bound *through;
    ww__sampled samples[WW_LSM_RUNS]; /* count 0: a level without samples */
} finder;

/* Samples of each large level, where there are enough keys to make up for taking them. */
static ww_status finder_new(ww_lsm *lsm, uint64_t needles, finder *f) {
    const ww_function *const order = ww__order(&ww_ascending, lsm->key, lsm->key_size);
    ww__lsm_runs_of(lsm, &f->runs);
    f->loops = ww__loops(lsm->device, order);
    f->through = ww__sampled_of(order);
    memset(f->samples, 0, sizeof f->samples);
    if (!f->through || needles / 2 < SAMPLES) return WW_OK;
    for (uint64_t j = 0; j < f->runs.many; j++) {
        const ww_lsm_run *const r = &f->runs.run[j];
        ww_key *taken;
        if (r->count * sizeof(ww_key) < SAMPLED_BYTES) continue;
        const uint64_t stride = (r->count + SAMPLES - 1) / SAMPLES;
        f->samples[j] = (ww__sampled){r->keys, NULL, r->count, stride, r->count / stride};
        WW_TRY(ww__scratch_array(lsm->device, f->samples[j].count, sizeof *taken, &taken));
        if (lsm->device->on_paper) continue;
        for (uint64_t s = 0; s < f->samples[j].count; s++) taken[s] = lsm_key(r, (s + 1) * stride - 1);
        f->samples[j].samples = taken;
    }
    return WW_OK;
}

/* About as many bytes as searching for so many keys costs as much as moving. */
static uint64_t search_bytes(const ww_lsm_runs *runs, uint64_t needles) {
    uint64_t steps = 1;
    for (uint64_t j = 0; j < runs->many; j++)
        for (uint64_t n = runs->run[j].count; n; n /= 2) steps++;
    return needles * steps * STEP_BYTES;
}

/* The same as bound for needles in order, between which there are few keys: both are walked along together. */
static void walk(const ww_key *keys, uint64_t p, uint64_t end, const ww_key *needles, size_t m, bool upper,
                 uint64_t *out) {
    for (size_t q = 0; q < m; q++) {
        const ww_key needle = needles[q];
        while (p < end && (keys[p] < needle || (upper && keys[p] == needle))) p++;
        out[q] = p;
    }
}

/* out[q] = the first place of run j whose key is not below (upper: is above) needles[q]. */
static void bound_tile(const finder *f, uint64_t j, const ww_key *needles, size_t m, bool upper, uint64_t *out) {
    const ww_lsm_run *const r = &f->runs.run[j];
    const ww_key *const keys = r->keys;
    if (m >= ORDERED_LEAST && f->loops->sorted(needles, m, NULL) == m) {
        const uint64_t from = lsm_bound(r, 0, r->count, needles[0], upper);
        const uint64_t end = lsm_bound(r, from, r->count, needles[m - 1], upper);
        if (end - from <= WALK_SHARE * m) {
            walk(keys, from, end, needles, m, upper, out);
            return;
        }
        f->loops->bound(out, keys + from, (size_t)(end - from), needles, m, upper, NULL);
        for (size_t q = 0; q < m; q++) out[q] += from;
    } else if (f->samples[j].count) {
        f->through(out, &f->samples[j], needles, m, upper);
    } else {
        f->loops->bound(out, keys, (size_t)r->count, needles, m, upper, NULL);
    }
}

/* What a worker knows of a tile. */
typedef struct tile {
    ww_key left[TILE];  /* keys that have not been met, in their order */
    uint16_t who[TILE]; /* which of the tile each is */
    uint64_t at[TILE];
    uint64_t place[TILE]; /* of each key of the tile: its head, */
    uint8_t run[TILE];    /* and the head's run; many: there is none */
} tile;

/* The heads of m keys in the runs from number `first` on. */
static void find_tile(const finder *f, uint64_t first, const ww_key *needles, size_t m, tile *t) {
    size_t left = m;
    memcpy(t->left, needles, m * sizeof *needles);
    for (size_t q = 0; q < m; q++) {
        t->who[q] = (uint16_t)q;
        t->run[q] = (uint8_t)f->runs.many;
    }
    for (uint64_t j = first; j < f->runs.many && left; j++) {
        const ww_lsm_run *const r = &f->runs.run[j];
        size_t kept = 0;
        bound_tile(f, j, t->left, left, false, t->at);
        for (size_t k = 0; k < left; k++) {
            const uint64_t p = t->at[k];
            const ww_key key = t->left[k];
            const uint16_t who = t->who[k];
            const bool met = p < r->count && lsm_key(r, p) == key;
            if (met) {
                t->place[who] = p;
                t->run[who] = (uint8_t)j;
                if (r->dead) __builtin_prefetch(r->dead + p);
            }
            t->left[kept] = key;
            t->who[kept] = who;
            kept += !met;
        }
        left = kept;
    }
}

/* Whether key q of a tile has a head that is no deletion. */
static bool is_there(const finder *f, const tile *t, size_t q) {
    const uint64_t j = t->run[q];
    return j < f->runs.many && !lsm_is_dead(&f->runs.run[j], t->place[q]);
}

static const void *value_at(const ww_lsm_run *r, uint64_t place, size_t size) {
    return (const unsigned char *)r->values + place * size;
}

/* ---- batches ---- */

typedef struct placing {
    const ww_lsm *lsm;
    const ww__lsm_level *level;
    const ww__lsm_batch *batch;
    ww_lsm_run run;
    uint64_t next;
} placing;

static uint64_t position_of(const ww__lsm_batch *b, uint64_t p) {
    return b->wide ? ((const uint64_t *)b->order)[p] : ((const uint32_t *)b->order)[p];
}

/* Where the element at place p comes from: a head that is followed by equal keys is the last of them. */
static uint64_t source_of(const placing *c, uint64_t p) {
    const ww_lsm_run *const r = &c->run;
    const ww_key key = lsm_key(r, p);
    if (p + 1 == r->count || lsm_key(r, p + 1) != key || !lsm_is_head(r, p)) return p;
    return lsm_bound(r, p, r->count, key, true) - 1;
}

static void place_pieces(void *argument, size_t worker) {
    placing *const c = argument;
    const size_t size = c->lsm->value_size;
    const unsigned char *const values = c->batch->values;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&c->next) * PIECE) < c->run.count;) {
        const uint64_t end = ww__min_u64(first + PIECE, c->run.count);
        for (uint64_t p = first; p < end; p++) {
            const uint64_t from = source_of(c, p);
            if (!c->batch->order) {
                if (from != p) ww__lsm_copy_value(c->level->values + p * size, value_at(&c->run, from, size), size);
                continue;
            }
            const uint64_t position = position_of(c->batch, from);
            c->level->dead[p] = c->batch->deletes[position] != 0;
            if (size) ww__lsm_copy_value(c->level->values + p * size, values + position * size, size);
        }
    }
}

static ww_status place(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch) {
    placing c = {.lsm = lsm, .level = level, .batch = batch};
    c.run = (ww_lsm_run){.keys = level->keys, .values = level->values, .count = level->count};
    ww__parallel(lsm->device, ww__workers(lsm->device, level->count * ww__lsm_element_bytes(lsm)), place_pieces, &c);
    return WW_OK;
}

typedef struct flagging {
    ww_lsm_run run;
    uint8_t *flags;
    uint64_t next, kept;
} flagging;

static void flag_pieces(void *argument, size_t worker) {
    flagging *const c = argument;
    const ww_key *const keys = c->run.keys;
    const uint8_t *const dead = c->run.dead;
    uint64_t kept = 0;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&c->next) * PIECE) < c->run.count;) {
        const uint64_t end = ww__min_u64(first + PIECE, c->run.count);
        uint32_t here = 0;
        if (!first) c->flags[0] = 1;
        for (uint64_t p = first ? first : 1; p < end; p++) c->flags[p] = keys[p - 1] != keys[p];
        if (dead)
            for (uint64_t p = first; p < end; p++) c->flags[p] &= (uint8_t)(dead[p] ^ 1);
        for (uint64_t p = first; p < end; p++) here += c->flags[p];
        kept += here;
    }
    __atomic_fetch_add(&c->kept, kept, __ATOMIC_RELAXED);
}

static ww_status flag(ww_lsm *lsm, const ww__lsm_level *level, uint8_t *flags, uint64_t *kept) {
    flagging c = {.flags = flags};
    c.run = (ww_lsm_run){.keys = level->keys, .dead = level->dead, .count = level->count};
    ww__parallel(lsm->device, ww__workers(lsm->device, level->count * (lsm->key_size + 1)), flag_pieces, &c);
    *kept = c.kept;
    return WW_OK;
}

/* ---- the index ---- */

typedef struct weighing {
    const finder *f;
    uint64_t j; /* the level */
    const ww__lsm_level *level;
    tile *tiles;
    uint64_t next;
} weighing;

/* Adds the weight of place p to its word. */
static void weigh_one(const weighing *c, const tile *t, uint64_t p, size_t q) {
    const int weight = (lsm_is_dead(&c->f->runs.run[c->j], p) ? 0 : 1) - (is_there(c->f, t, q) ? 1 : 0);
    const uint64_t w = p / WW_LSM_WORD;
    const uint32_t bit = (uint32_t)1 << p % WW_LSM_WORD;
    if (weight > 0) c->level->bits[2 * w] |= bit;
    if (weight < 0) c->level->bits[2 * w + 1] |= bit;
    c->level->before[w] += (uint64_t)(int64_t)weight;
}

static void weigh_tiles(void *argument, size_t worker) {
    weighing *const c = argument;
    const ww_lsm_run *const r = &c->f->runs.run[c->j];
    const uint64_t words = r->count / WW_LSM_WORD + 1;
    tile *const t = &c->tiles[worker];
    for (uint64_t first; (first = ww__claim(&c->next) * TILE) / WW_LSM_WORD < words;) {
        const uint64_t end = ww__min_u64(first + TILE, r->count);
        const uint64_t last_word = ww__min_u64(first / WW_LSM_WORD + TILE / WW_LSM_WORD, words);
        const size_t m = end > first ? (size_t)(end - first) : 0;
        for (uint64_t w = first / WW_LSM_WORD; w < last_word; w++)
            c->level->before[w] = c->level->bits[2 * w] = c->level->bits[2 * w + 1] = 0;
        if (!m) continue;
        find_tile(c->f, c->j + 1, (const ww_key *)r->keys + first, m, t);
        for (size_t q = 0; q < m; q++)
            if (lsm_is_head(r, first + q)) weigh_one(c, t, first + q, q);
    }
}

static ww_status weigh(ww_lsm *lsm, size_t j) {
    ww_device *const device = lsm->device;
    weighing c = {.j = j, .level = &lsm->level[j]};
    finder f;
    WW_TRY(finder_new(lsm, 0, &f)); /* keys in order need no samples */
    c.f = &f;
    const size_t workers = ww__workers(device, search_bytes(&f.runs, c.level->count));
    WW_TRY(ww__scratch_array(device, workers, sizeof *c.tiles, &c.tiles));
    ww__trace(device, "weigh", NULL, c.level->count, c.level->count * sizeof(ww_key), workers);
    ww__parallel(device, workers, weigh_tiles, &c);
    return WW_OK;
}

/* ---- look-ups ---- */

typedef struct looking {
    const ww_lsm *lsm;
    const finder *f;
    const ww_input *keys;
    unsigned char *values;
    uint8_t *found;
    tile *tiles;
    unsigned char *rooms;
    size_t room;
    uint64_t next;
} looking;

static void put_values(const looking *c, const tile *t, uint64_t first, size_t m) {
    const size_t size = c->lsm->value_size;
    for (size_t q = 0; q < m; q++)
        if (t->run[q] < c->f->runs.many) __builtin_prefetch(value_at(&c->f->runs.run[t->run[q]], t->place[q], size));
    for (size_t q = 0; q < m; q++)
        if (is_there(c->f, t, q))
            ww__lsm_copy_value(c->values + (first + q) * size, value_at(&c->f->runs.run[t->run[q]], t->place[q], size),
                               size);
}

static void look_tiles(void *argument, size_t worker) {
    looking *const c = argument;
    tile *const t = &c->tiles[worker];
    for (uint64_t first; (first = ww__claim(&c->next) * TILE) < c->keys->count;) {
        const size_t m = (size_t)ww__min_u64(TILE, c->keys->count - first);
        find_tile(c->f, 0, ww__input_read(c->lsm->device, c->keys, first, m, c->rooms + worker * c->room), m, t);
        if (c->values) put_values(c, t, first, m);
        if (c->found)
            for (size_t q = 0; q < m; q++) c->found[first + q] = is_there(c->f, t, q);
    }
}

static ww_status lookup(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found) {
    ww_device *const device = lsm->device;
    looking c = {.lsm = lsm, .keys = keys, .values = values->data, .found = found->data};
    finder f;
    WW_TRY(finder_new(lsm, keys->count, &f));
    c.f = &f;
    const uint64_t bytes = search_bytes(&f.runs, keys->count);
    const size_t workers = ww__workers(device, bytes);
    c.room = ww__round_up(ww__input_room(keys, TILE), 64);
    WW_TRY(ww__scratch_array(device, workers, sizeof *c.tiles, &c.tiles));
    WW_TRY(ww__scratch_array(device, workers, c.room, &c.rooms));
    ww__trace(device, "levels in step", NULL, keys->count, bytes, workers);
    ww__parallel(device, workers, look_tiles, &c);
    return WW_OK;
}

/* ---- counts ---- */

typedef struct counting {
    const ww_device *device;
    const finder *f;
    const ww_input *bounds[2]; /* lows, highs */
    const ww_array *counts;
    unsigned char *rooms;
    size_t room, part; /* of a worker; of its first bounds */
    uint64_t next;
} counting;

/* Where a tile's bounds belong in one run, and its counts so far. */
typedef struct counts {
    uint64_t from[TILE], end[TILE], sum[TILE];
} counts;

static void count_tiles(void *argument, size_t worker) {
    counting *const c = argument;
    unsigned char *const room = c->rooms + worker * c->room;
    counts *const t = (counts *)(void *)room;
    for (uint64_t first; (first = ww__claim(&c->next) * TILE) < c->counts->count;) {
        const size_t m = (size_t)ww__min_u64(TILE, c->counts->count - first);
        const ww_key *const low = ww__input_read(c->device, c->bounds[0], first, m, room + sizeof *t);
        const ww_key *const high = ww__input_read(c->device, c->bounds[1], first, m, room + sizeof *t + c->part);
        memset(t->sum, 0, sizeof t->sum);
        for (uint64_t j = 0; j < c->f->runs.many; j++) {
            const ww_lsm_run *const r = &c->f->runs.run[j];
            bound_tile(c->f, j, low, m, false, t->from);
            bound_tile(c->f, j, high, m, true, t->end);
            for (size_t q = 0; q < m; q++) t->sum[q] += lsm_rank(r, t->end[q]) - lsm_rank(r, t->from[q]);
        }
        for (size_t q = 0; q < m; q++) {
            const uint64_t sum = low[q] > high[q] ? 0 : t->sum[q];
            if (c->counts->size == sizeof sum)
                ((uint64_t *)c->counts->data)[first + q] = sum;
            else
                ((uint32_t *)c->counts->data)[first + q] = (uint32_t)sum;
        }
    }
}

static ww_status count(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *wanted) {
    ww_device *const device = lsm->device;
    counting c = {.device = device, .bounds = {lows, highs}, .counts = wanted};
    finder f;
    WW_TRY(finder_new(lsm, wanted->count, &f));
    c.f = &f;
    const uint64_t bytes = 2 * search_bytes(&f.runs, wanted->count);
    const size_t workers = ww__workers(device, bytes);
    c.part = ww__round_up(ww__input_room(lows, TILE), 64);
    c.room = sizeof(counts) + c.part + ww__round_up(ww__input_room(highs, TILE), 64);
    WW_TRY(ww__scratch_array(device, workers, c.room, &c.rooms));
    ww__trace(device, "ranks", NULL, wanted->count, bytes, workers);
    ww__parallel(device, workers, count_tiles, &c);
    return WW_OK;
}

/* ---- ranges ---- */

typedef struct listing {
    ww_lsm *lsm;
    const finder *f;
    const ww__lsm_ranging *r;
    unsigned char *rooms;
    size_t room, part;
    uint64_t *wide; /* ranges that are left to be divided */
    uint64_t wides, next;
    bool divides;
} listing;

/* The elements of one range, or of a part of it, that each run has. */
typedef struct slices {
    uint64_t from[WW_LSM_RUNS], end[WW_LSM_RUNS];
} slices;

static void put_one(const listing *c, uint64_t to, const ww_lsm_run *r, uint64_t place) {
    const size_t size = c->lsm->value_size;
    if (to >= c->r->keys_out.count) return;
    ((ww_key *)c->r->keys_out.data)[to] = lsm_key(r, place);
    if (c->r->values_out.data)
        ww__lsm_copy_value((unsigned char *)c->r->values_out.data + to * size, value_at(r, place, size), size);
}

/* Merges them, and writes what counts from position `to` on. */
static void list_slices(const listing *c, slices *s, uint64_t to) {
    const ww_lsm_runs *const runs = &c->f->runs;
    uint8_t active[WW_LSM_RUNS];
    size_t many = 0;
    for (uint64_t j = 0; j < runs->many; j++)
        if (s->from[j] < s->end[j]) active[many++] = (uint8_t)j;
    while (many) {
        size_t newest = 0, kept = 0;
        ww_key least = lsm_key(&runs->run[active[0]], s->from[active[0]]);
        for (size_t k = 1; k < many; k++) {
            const ww_key x = lsm_key(&runs->run[active[k]], s->from[active[k]]);
            if (x < least) {
                least = x;
                newest = k;
            }
        }
        const ww_lsm_run *const head = &runs->run[active[newest]];
        if (!lsm_is_dead(head, s->from[active[newest]])) put_one(c, to++, head, s->from[active[newest]]);
        for (size_t k = 0; k < many; k++) {
            const uint8_t j = active[k];
            const ww_lsm_run *const r = &runs->run[j];
            while (s->from[j] < s->end[j] && lsm_key(r, s->from[j]) == least) s->from[j]++;
            active[kept] = j;
            kept += s->from[j] < s->end[j];
        }
        many = kept;
    }
}

static uint64_t elements_of(const listing *c, const slices *s) {
    uint64_t sum = 0;
    for (uint64_t j = 0; j < c->f->runs.many; j++) sum += s->end[j] - s->from[j];
    return sum;
}

/* Leaves a range that is too much for one thread to all of them; false where there is no room to remember it. */
static bool leave_wide(listing *c, const slices *s, uint64_t range) {
    if (!c->divides || elements_of(c, s) < WIDE) return false;
    const uint64_t w = __atomic_fetch_add(&c->wides, 1, __ATOMIC_RELAXED);
    if (w < WIDE_MOST) c->wide[w] = range;
    return w < WIDE_MOST;
}

static void list_tiles(void *argument, size_t worker) {
    listing *const c = argument;
    const ww_lsm_runs *const runs = &c->f->runs;
    const uint64_t ranges = c->r->lows->count;
    unsigned char *const room = c->rooms + worker * c->room;
    uint64_t *const from = (uint64_t *)(void *)room, *const end = from + LIST_TILE * runs->many;
    unsigned char *const bounds = (unsigned char *)(end + LIST_TILE * runs->many);
    for (uint64_t first; (first = ww__claim(&c->next) * LIST_TILE) < ranges;) {
        const size_t m = (size_t)ww__min_u64(LIST_TILE, ranges - first);
        const ww_key *const low = ww__input_read(c->lsm->device, c->r->lows, first, m, bounds);
        const ww_key *const high = ww__input_read(c->lsm->device, c->r->highs, first, m, bounds + c->part);
        for (uint64_t j = 0; j < runs->many; j++) {
            bound_tile(c->f, j, low, m, false, from + j * LIST_TILE);
            bound_tile(c->f, j, high, m, true, end + j * LIST_TILE);
        }
        for (size_t q = 0; q < m; q++) {
            slices s;
            if (low[q] > high[q]) continue;
            for (uint64_t j = 0; j < runs->many; j++) {
                s.from[j] = from[j * LIST_TILE + q];
                s.end[j] = end[j * LIST_TILE + q];
            }
            if (!leave_wide(c, &s, first + q)) list_slices(c, &s, c->r->offsets[first + q]);
        }
    }
}

/* One wide range: pieces begin at keys that stand evenly in its longest slice. */
typedef struct dividing {
    const listing *c;
    slices whole;
    uint64_t longest, pieces, to, below, next; /* below: keys before the range */
} dividing;

/* Where piece number k begins in each run. */
static void piece_begin(const dividing *d, uint64_t k, uint64_t *at) {
    const ww_lsm_runs *const runs = &d->c->f->runs;
    const uint64_t length = d->whole.end[d->longest] - d->whole.from[d->longest];
    const uint64_t place = d->whole.from[d->longest] + length / d->pieces * k;
    for (uint64_t j = 0; j < runs->many; j++)
        at[j] = k == 0           ? d->whole.from[j]
                : k == d->pieces ? d->whole.end[j]
                                 : lsm_bound(&runs->run[j], d->whole.from[j], d->whole.end[j],
                                             lsm_key(&runs->run[d->longest], place), false);
}

static uint64_t rank_of(const ww_lsm_runs *runs, const uint64_t *at) {
    uint64_t sum = 0;
    for (uint64_t j = 0; j < runs->many; j++) sum += lsm_rank(&runs->run[j], at[j]);
    return sum;
}

static void list_pieces(void *argument, size_t worker) {
    dividing *const d = argument;
    (void)worker;
    for (uint64_t k; (k = ww__claim(&d->next)) < d->pieces;) {
        slices s;
        piece_begin(d, k, s.from);
        piece_begin(d, k + 1, s.end);
        list_slices(d->c, &s, d->to + rank_of(&d->c->f->runs, s.from) - d->below);
    }
}

static void list_wide(listing *c, uint64_t range, size_t workers) {
    const ww_lsm_runs *const runs = &c->f->runs;
    dividing d = {.c = c, .to = c->r->offsets[range]};
    const ww_key low = *(const ww_key *)ww__input_read(c->lsm->device, c->r->lows, range, 1, c->rooms);
    const ww_key high = *(const ww_key *)ww__input_read(c->lsm->device, c->r->highs, range, 1, c->rooms);
    for (uint64_t j = 0; j < runs->many; j++) {
        d.whole.from[j] = lsm_bound(&runs->run[j], 0, runs->run[j].count, low, false);
        d.whole.end[j] = lsm_bound(&runs->run[j], d.whole.from[j], runs->run[j].count, high, true);
        if (d.whole.end[j] - d.whole.from[j] > d.whole.end[d.longest] - d.whole.from[d.longest]) d.longest = j;
    }
    d.below = rank_of(runs, d.whole.from);
    d.pieces = elements_of(c, &d.whole) / WIDE_PIECE;
    ww__parallel(c->lsm->device, workers, list_pieces, &d);
}

static ww_status list(ww_lsm *lsm, const ww__lsm_ranging *r) {
    ww_device *const device = lsm->device;
    listing c = {.lsm = lsm, .r = r};
    finder f;
    WW_TRY(finder_new(lsm, r->lows->count, &f));
    c.f = &f;
    const uint64_t most = r->keys_out.count;
    const uint64_t listed = device->on_paper ? most : ww__min_u64(r->offsets[r->lows->count], most);
    const uint64_t bytes = 2 * search_bytes(&f.runs, r->lows->count) + listed * ww__lsm_element_bytes(lsm);
    const size_t workers = ww__workers(device, bytes);
    c.divides = workers > 1;
    c.part = ww__round_up(ww__input_room(r->lows, LIST_TILE), 64);
    c.room = ww__round_up(2 * LIST_TILE * f.runs.many * sizeof(uint64_t), 64) + c.part +
             ww__round_up(ww__input_room(r->highs, LIST_TILE), 64);
    WW_TRY(ww__scratch_array(device, workers, c.room, &c.rooms));
    WW_TRY(ww__scratch_array(device, WIDE_MOST, sizeof *c.wide, &c.wide));
    ww__trace(device, "slices", NULL, listed, bytes, workers);
    ww__parallel(device, workers, list_tiles, &c);
    for (uint64_t w = 0; w < ww__min_u64(c.wides, WIDE_MOST); w++) list_wide(&c, c.wide[w], workers);
    return WW_OK;
}

/* ---- neighbours ---- */

typedef struct stepping {
    const ww_lsm *lsm;
    const ww__lsm_stepping *s;
    ww_lsm_runs runs;
    unsigned char *rooms;
    size_t room;
    uint64_t next;
} stepping;

static void step_one(const stepping *c, uint64_t i, ww_key key) {
    const size_t size = c->lsm->value_size;
    uint64_t run = 0, place = 0;
    const bool is = lsm_next(&c->runs, key, c->s->above, c->s->or_equal, &run, &place);
    if (c->s->found.data) ((uint8_t *)c->s->found.data)[i] = is;
    if (!is) return;
    if (c->s->keys_out.data) ((ww_key *)c->s->keys_out.data)[i] = lsm_key(&c->runs.run[run], place);
    if (c->s->values_out.data)
        ww__lsm_copy_value((unsigned char *)c->s->values_out.data + i * size, value_at(&c->runs.run[run], place, size),
                           size);
}

static void step_tiles(void *argument, size_t worker) {
    stepping *const c = argument;
    const uint64_t many = c->s->keys->count;
    for (uint64_t first; (first = ww__claim(&c->next) * TILE) < many;) {
        const size_t m = (size_t)ww__min_u64(TILE, many - first);
        const ww_key *const keys = ww__input_read(c->lsm->device, c->s->keys, first, m, c->rooms + worker * c->room);
        for (size_t q = 0; q < m; q++) step_one(c, first + q, keys[q]);
    }
}

static ww_status step(ww_lsm *lsm, const ww__lsm_stepping *s) {
    ww_device *const device = lsm->device;
    stepping c = {.lsm = lsm, .s = s};
    ww__lsm_runs_of(lsm, &c.runs);
    const uint64_t bytes = search_bytes(&c.runs, s->keys->count);
    const size_t workers = ww__workers(device, bytes);
    c.room = ww__round_up(ww__input_room(s->keys, TILE), 64);
    WW_TRY(ww__scratch_array(device, workers, c.room, &c.rooms));
    ww__trace(device, "neighbours", NULL, s->keys->count, bytes, workers);
    ww__parallel(device, workers, step_tiles, &c);
    return WW_OK;
}

const ww__lsm_loops LSM_LOOPS = {place, flag, weigh, lookup, count, list, step};
