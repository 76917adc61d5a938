/* A CPU's side. The threads claim tiles of a batch. A worker for whom there is no slab leaves its tile where it is; when all have come to
 * that, or are done, a super block is added, and they go on; once there is no memory for one, the operations that want some are
 * FULL. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "dictionary/slab/loops_cpu.h"
#include "function/function.h"

enum { BUCKETS = 256 }; /* that a worker makes anew at once */

/* One worker's place, from round to round of a part. */
typedef struct desk {
    unsigned char *buffer __attribute__((aligned(64))); /* for what inputs are computed to */
    uint64_t tile;                                      /* that it works on; UINT64_MAX: none */
    size_t begin;                                       /* the tile's first operation that is not done */
    ww__slab_worker worker;
    ww__slab_outcome outcome;
} desk;

typedef struct rooms {
    size_t keys, values, operations, offsets, counts, all;
} rooms;

typedef struct running {
    ww_slab *s;
    const ww__slab_batch *b;
    const ww__slab_loops *loops;
    rooms room;
    uint64_t tiles, claimed;
    bool no_more;
    desk *desk;
} running;

static size_t room_of(const ww_input *input, size_t n) {
    return input ? ww__round_up(ww__input_room(input, n), 64) : 0;
}

static rooms rooms_of(const ww__slab_batch *b) {
    rooms r = {room_of(b->keys, WW__SLAB_TILE),
               room_of(b->values, WW__SLAB_TILE),
               room_of(b->operations, WW__SLAB_TILE),
               0,
               0,
               0};
    if (b->offsets)
        r.offsets = room_of(b->offsets, WW__SLAB_TILE + 1) + ww__round_up((WW__SLAB_TILE + 1) * sizeof(uint64_t), 64);
    if (b->counts) r.counts = WW__SLAB_TILE * sizeof(uint64_t);
    r.all = r.keys + r.values + r.operations + r.offsets + r.counts;
    return r;
}

/* The offsets of a tile as u64, negative ones above all counts. */
static const uint64_t *read_offsets(const running *r, uint64_t first, size_t n, unsigned char *buffer) {
    uint64_t *const wide = (uint64_t *)(void *)buffer;
    unsigned char *const computed = buffer + ww__round_up((WW__SLAB_TILE + 1) * sizeof(uint64_t), 64);
    const void *const at = ww__input_read(r->s->device, r->b->offsets, first, n + 1, computed);
    if (r->b->offsets->size == 8) return at;
    if (r->b->offsets->type == &ww_type_int32_t)
        for (size_t i = 0; i <= n; i++) wide[i] = (uint64_t)(int64_t)((const int32_t *)at)[i];
    else
        for (size_t i = 0; i <= n; i++) wide[i] = ((const uint32_t *)at)[i];
    return wide;
}

static void *behind(const ww_array *array, uint64_t first) {
    return array ? (unsigned char *)array->data + first * array->size : NULL;
}

/* What follows so many bytes of a buffer, of which there is none where nothing is computed. */
static unsigned char *skip(unsigned char *buffer, size_t bytes) { return bytes ? buffer + bytes : buffer; }

/* Points the worker to a tile. */
static size_t open_tile(const running *r, desk *d) {
    const ww__slab_batch *const b = r->b;
    const ww_device *const device = r->s->device;
    const uint64_t within = d->tile * WW__SLAB_TILE, first = b->first + within;
    const size_t n = (size_t)ww__min_u64(b->count - within, WW__SLAB_TILE);
    unsigned char *buffer = d->buffer;
    ww__slab_worker *const w = &d->worker;
    w->position = first;
    w->keys = ww__input_read(device, b->keys, first, n, buffer);
    buffer = skip(buffer, r->room.keys);
    w->values = b->values ? ww__input_read(device, b->values, first, n, buffer) : NULL;
    buffer = skip(buffer, r->room.values);
    w->operations = b->operations ? ww__input_read(device, b->operations, first, n, buffer) : NULL;
    buffer = skip(buffer, r->room.operations);
    w->offsets = b->offsets ? read_offsets(r, first, n, buffer) : NULL;
    buffer = skip(buffer, r->room.offsets);
    w->counts = b->counts ? (uint64_t *)(void *)buffer : NULL;
    w->statuses = behind(b->statuses, first);
    w->found = b->offsets ? b->found->data : behind(b->found, first);
    w->found_room = b->found ? b->found->count : 0;
    return n;
}

/* What was counted, to where it is wanted. */
static void put_counts(const running *r, const desk *d, size_t n) {
    const ww_array *const counts = r->b->counts;
    const uint64_t first = d->worker.position;
    if (counts->size == 8)
        memcpy((uint64_t *)counts->data + first, d->worker.counts, n * sizeof(uint64_t));
    else
        for (size_t i = 0; i < n; i++) ((uint32_t *)counts->data)[first + i] = (uint32_t)d->worker.counts[i];
}

static void run_tiles(void *argument, size_t worker) {
    running *const r = argument;
    desk *const d = &r->desk[worker];
    d->worker.no_more = r->no_more;
    for (;;) {
        if (d->tile == UINT64_MAX) {
            d->tile = ww__claim(&r->claimed);
            d->begin = 0;
        }
        if (d->tile >= r->tiles) break;
        const size_t n = open_tile(r, d);
        d->begin = r->loops->run(&d->worker, r->b->kind, d->begin, n);
        if (d->begin < n) return;
        if (r->b->counts) put_counts(r, d, n);
        d->tile = UINT64_MAX;
    }
    d->tile = r->tiles;
}

void ww__slab_give_back(ww_slab *s, const ww__slab_worker *w) {
    if (w->free) {
        *ww__slab_word(&s->table, s->layout.bytes, w->word) &= ~w->free;
        s->next_word = ww__min_u64(s->next_word, w->word);
    }
    s->next_word = ww__min_u64(s->next_word, ww__slab_supers_slabs(&s->table) / WW__SLAB_WORD);
}

static bool is_done(const running *r, size_t workers) {
    for (size_t k = 0; k < workers; k++)
        if (r->desk[k].tile < r->tiles) return false;
    return true;
}

ww_status ww__slab_batch_cpu(ww_slab *s, const ww__slab_batch *batch, ww__slab_outcome *outcome) {
    ww_device *const device = s->device;
    const size_t workers = ww__workers(device, batch->count * 64);
    running r = {s,
                 batch,
                 ww__slab_loops_of(device, &s->layout),
                 rooms_of(batch),
                 (batch->count + WW__SLAB_TILE - 1) / WW__SLAB_TILE,
                 0,
                 false,
                 NULL};
    /* One piece for all workers, however many there are: a call has so many pieces at most. */
    const size_t room = ww__round_up(r.room.all, 64);
    unsigned char *buffers = NULL;
    ww__slab_hints hints;
    WW_TRY(ww__scratch_array(device, workers, sizeof *r.desk, &r.desk));
    WW_TRY(ww__slab_hints_open(device, batch->count, workers, &hints));
    if (room) WW_TRY(ww__scratch_array(device, workers, room, &buffers));
    if (device->on_paper) return WW_OK;
    for (size_t k = 0; k < workers; k++) {
        desk *const d = &r.desk[k];
        *d = (desk){.tile = UINT64_MAX, .outcome = {.fault = UINT64_MAX}};
        d->worker.table = &s->table;
        d->worker.next_word = &s->next_word;
        d->worker.outcome = &d->outcome;
        d->worker.hints = ww__slab_hints_of(&hints, k);
        d->worker.alone = workers == 1;
        d->worker.combine = batch->combine ? ww__loops(device, batch->combine) : NULL;
        d->worker.environment = batch->combine ? batch->combine->bound : NULL;
        d->buffer = buffers ? buffers + k * room : NULL;
    }
    for (;;) {
        ww__parallel(device, workers, run_tiles, &r);
        if (is_done(&r, workers)) break;
        /* A super block is added behind what all have looked at. */
        s->next_word = ww__slab_supers_slabs(&s->table) / WW__SLAB_WORD;
        if (ww__slab_add_super(s)) r.no_more = true;
    }
    for (size_t k = 0; k < workers; k++) {
        ww__slab_give_back(s, &r.desk[k].worker);
        const ww__slab_outcome *const o = &r.desk[k].outcome;
        outcome->inserted += o->inserted;
        outcome->deleted += o->deleted;
        outcome->given_up += o->given_up;
        outcome->full += o->full;
        outcome->fault = ww__min_u64(outcome->fault, o->fault);
    }
    return WW_OK;
}

/* ---- buckets ---- */

typedef struct rebuild {
    ww_slab *s;
    const ww__slab_rebuilding *r;
    const ww__slab_loops *loops;
    uint64_t claimed, dead;
} rebuild;

static void rebuild_buckets(void *argument, size_t worker) {
    rebuild *const m = argument;
    const uint64_t group = (uint64_t)1 << m->s->share_log;
    uint64_t dead = 0;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&m->claimed) * BUCKETS) < m->r->many;)
        if (m->s->share_log)
            for (uint64_t b = first; b < ww__min_u64(first + BUCKETS, m->r->many); b += group)
                dead += m->loops->rebuild_group(&m->s->table, m->r->first + b,
                                                (uint32_t)ww__min_u64(group, m->r->many - b));
        else
            for (uint64_t b = first; b < ww__min_u64(first + BUCKETS, m->r->many); b++)
                dead += m->loops->rebuild(&m->s->table, m->r, m->r->first + b);
    __atomic_fetch_add(&m->dead, dead, __ATOMIC_RELAXED);
}

ww_status ww__slab_rebuild_cpu(ww_slab *s, const ww__slab_rebuilding *r, uint64_t *dead) {
    rebuild m = {s, r, ww__slab_loops_of(s->device, &s->layout), 0, 0};
    ww__parallel(s->device, ww__workers(s->device, r->many * s->layout.bytes), rebuild_buckets, &m);
    s->next_word = 0;
    *dead = m.dead;
    return WW_OK;
}

/* ---- buckets that are taken away ---- */

typedef struct merging {
    ww_slab *s;
    const ww__slab_loops *loops;
    uint64_t first, many, apart, claimed, wanted;
} merging;

static void count_wanted(void *argument, size_t worker) {
    merging *const m = argument;
    uint64_t wanted = 0;
    (void)worker;
    for (uint64_t from; (from = ww__claim(&m->claimed) * BUCKETS) < m->many;)
        for (uint64_t b = from; b < ww__min_u64(from + BUCKETS, m->many); b++)
            wanted += m->loops->merge_wants(&m->s->table, m->first + b, m->first + b + m->apart);
    __atomic_fetch_add(&m->wanted, wanted, __ATOMIC_RELAXED);
}

/* A slab for this thread alone, of a new super block where there is none. */
static uint32_t take_or_add(ww_slab *s, ww__slab_worker *w) {
    const uint32_t number = ww__slab_take(w, s->layout.bytes);
    if (number) return number;
    s->next_word = ww__slab_supers_slabs(&s->table) / WW__SLAB_WORD;
    return ww__slab_add_super(s) ? 0 : ww__slab_take(w, s->layout.bytes);
}

ww_status ww__slab_merge_cpu(ww_slab *s, uint64_t many, bool *done) {
    ww__slab_table *const t = &s->table;
    const uint64_t left = t->buckets - many, apart = t->base_count << ww__slab_log((t->buckets - 1) / t->base_count);
    merging m = {s, ww__slab_loops_of(s->device, &s->layout), left - apart, many, apart, 0, 0};
    ww__slab_worker w = {.table = t, .next_word = &s->next_word};
    uint32_t spare[WW__SLAB_MERGED_CPU];
    uint64_t taken = 0, used = 0, dead = 0;
    *done = false;
    ww__parallel(s->device, ww__workers(s->device, many * 2 * s->layout.bytes), count_wanted, &m);
    while (taken < m.wanted && (spare[taken] = take_or_add(s, &w))) taken++;
    const ww__slab_rebuilding r = {
        .first = m.first, .many = many, .apart = apart, .merged = true, .spare = spare, .spare_used = &used};
    if (taken == m.wanted) {
        WW_TRY(ww__slab_rebuild_cpu(s, &r, &dead));
        s->dead -= dead;
        ww__slab_set_buckets(s, left);
        *done = true;
    }
    for (uint64_t k = used; k < taken; k++)
        *ww__slab_word(t, s->layout.bytes, (spare[k] - 1) / WW__SLAB_WORD) &= ~(1u << (spare[k] - 1) % WW__SLAB_WORD);
    ww__slab_give_back(s, &w);
    s->next_word = 0;
    return WW_OK;
}

/* ---- all pairs: counted for every so many buckets, then written behind one another ---- */

typedef struct listing {
    ww_slab *s;
    const ww__slab_loops *loops;
    const ww_array *keys, *values;
    uint64_t *first; /* pairs of the groups before; one more than groups */
    uint64_t groups, claimed;
    bool writes;
} listing;

static void list_buckets(void *argument, size_t worker) {
    listing *const l = argument;
    const ww__slab_table *const t = &l->s->table;
    (void)worker;
    for (uint64_t g; (g = ww__claim(&l->claimed)) < l->groups;) {
        uint64_t at = l->writes ? l->first[g] : 0;
        for (uint64_t b = g * BUCKETS; b < ww__min_u64((g + 1) * BUCKETS, t->buckets); b++)
            at += l->loops->pairs(t, l->s->share_log, b, l->writes ? behind(l->keys, at) : NULL,
                                  l->writes ? behind(l->values, at) : NULL);
        if (!l->writes) l->first[g + 1] = at;
    }
}

ww_status ww__slab_pairs_cpu(ww_slab *s, const ww_array *keys, const ww_array *values) {
    ww_device *const device = s->device;
    listing l = {s,    ww__slab_loops_of(device, &s->layout),      keys, values,
                 NULL, (s->table.buckets + BUCKETS - 1) / BUCKETS, 0,    false};
    const size_t workers = ww__workers(device, s->table.buckets * s->layout.bytes);
    WW_TRY(ww__scratch_array(device, l.groups + 1, sizeof *l.first, &l.first));
    if (device->on_paper) return WW_OK;
    l.first[0] = 0;
    ww__parallel(device, workers, list_buckets, &l);
    for (uint64_t g = 0; g < l.groups; g++) l.first[g + 1] += l.first[g];
    l.claimed = 0;
    l.writes = true;
    ww__parallel(device, workers, list_buckets, &l);
    return WW_OK;
}
