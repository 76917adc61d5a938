/* Exact ranks by samples. For each border b (between ranks b - 1 and b) every rank has an interval of its sorted keys in which its cut
 * lies: all before it belongs in front of the border, all behind it does not. In a round each rank sends SAMPLES keys of each interval,
 * evenly apart, with the first and the last one, to the border's owner, rank b. That sorts them, equal ones by rank and position: so all
 * elements have different places. Of a sample v it knows, from the positions of each rank's last sample up to v and of its next one, at
 * least and at most how many elements come no later than v; the last v with which at most as many come as belong in front makes
 * intervals begin behind it, the first one with which more do makes them end before what is later. That leaves some three in
 * SAMPLES elements; when no interval has more than SAMPLES elements, the owner has seen all, and the next cut is exact.
 * Varman et al., Merging Multiple Lists on Hierarchical-Memory Multiprocessors (1991), for one place at a time.
 *
 * Where a few ranks are all GPUs, sorts and messages of a few keys cost more than what they say: there every rank sends the samples of all
 * its intervals to all, 1024 of a border in all, and does on its host what owners do, for every border. So all ranks know all
 * cuts, and a round is one kernel and one message. */
#include <string.h>

#include "group/ranks.h"
#include "warpwise/primitive.h"

enum {
    SAMPLES = 128,
    ROUNDS_MOST = 64,
    FEW_RANKS = 16,                             /* up to which all ranks hear of all samples: */
    TOLD = 1024,                                /* of a border in all, */
    PIECES = 4,                                 /* in so many gathers a round at most */
    TOLD_BYTES = PIECES * WW_ENGINE_GATHER_MOST /* of each rank */
};
enum { OWN, THEIRS, SORTED, ORDER };              /* places of samples; of the order of sorted ones */
enum { INTERVALS, POSITIONS, ORDER_READ, HEARD }; /* the host's places */

typedef struct interval {
    uint64_t first, count, wide; /* wide: from sample to sample */
} interval;

typedef struct cutting {
    ww_group *group;
    uint64_t samples; /* of an interval */
    const ww__ranks_order *order;
    const ww_array *sorted;
    size_t place;
    interval *mine;   /* this rank's interval of each border; and those that go back to all ranks */
    interval *theirs; /* all ranks' interval of this rank's border */
    interval *next;
    uint64_t *positions; /* of samples */
    uint32_t *read;
    uint64_t *to, *from;
} cutting;

static interval interval_of(const cutting *c, uint64_t first, uint64_t count) {
    return (interval){first, count, count > c->samples ? (count - 1) / (c->samples - 1) : 1};
}

/* How many samples an interval gives, and where sample i of it lies, from its first element on. */
static uint64_t samples_of(const cutting *c, const interval *v) { return ww__min_u64(v->count, c->samples); }
/* The last one is the last element. Anything between will do as long as all agree on it: no division. */
static uint64_t sample_at(const cutting *c, const interval *v, uint64_t i) {
    if (v->count <= c->samples) return i;
    return i + 1 < c->samples ? i * v->wide : v->count - 1;
}

static void *place(const cutting *c, size_t which) { return c->group->kept[c->place + which].data; }

static ww_array keys(const cutting *c, size_t which, uint64_t count) {
    return (ww_array){place(c, which), count, c->sorted->type, c->sorted->size, NULL, 0};
}

/* ---- rooms ---- */

/* Whether all ranks hear of all samples. An order of the caller's may differ in the last bit between the host and a GPU. */
static bool all_know(const ww_group *group, const ww__ranks_order *order) {
    return group->all_gpus && group->engine.ranks <= FEW_RANKS &&
           (!order->less || order->less->role == WW_ROLE_BUILT_IN);
}

/* Samples of each interval that TOLD_BYTES have room for; too few to be worth while: 0. */
static uint64_t told_samples(const ww_group *group, size_t size) {
    const uint64_t borders = group->engine.ranks > 1 ? group->engine.ranks - 1 : 1, room = TOLD_BYTES / borders / size;
    return room < 16 ? 0 : ww__min_u64(room, TOLD / group->engine.ranks);
}

/* Samples of this rank; of all ranks, as they come and one rank's after the other; of one border, and sorted. */
static ww_status told_rooms(ww_group *group, size_t size) {
    const uint64_t ranks = group->engine.ranks, samples = told_samples(group, size);
    void *unused;
    WW_TRY(ww__group_host(group));
    WW_TRY(ww__group_host_room(group, INTERVALS, (ranks + 2) * ranks, sizeof(interval), &unused));
    WW_TRY(ww__group_host_room(group, POSITIONS, samples * ranks, sizeof(uint64_t), &unused));
    WW_TRY(ww__group_host_room(group, ORDER_READ, samples * ranks, sizeof(uint32_t), &unused));
    return ww__group_host_room(group, HEARD, TOLD_BYTES * (4 * ranks + 1), 1, &unused);
}

ww_status ww__group_cut_rooms(ww_group *group, size_t first_place, const ww__ranks_order *order, size_t size) {
    const uint64_t ranks = group->engine.ranks, most = ranks * SAMPLES;
    void *unused;
    if (all_know(group, order) && told_samples(group, size)) return told_rooms(group, size);
    WW_TRY(ww__group_room(group, first_place + OWN, most, size, &unused));
    WW_TRY(ww__group_room(group, first_place + THEIRS, most, size, &unused));
    WW_TRY(ww__group_room(group, first_place + SORTED, most, size, &unused));
    WW_TRY(ww__group_room(group, first_place + ORDER, most, sizeof(uint32_t), &unused));
    WW_TRY(ww__group_host_room(group, INTERVALS, 3 * ranks, sizeof(interval), &unused));
    WW_TRY(ww__group_host_room(group, POSITIONS, most, sizeof(uint64_t), &unused));
    return ww__group_host_room(group, ORDER_READ, most, sizeof(uint32_t), &unused);
}

/* ---- samples ---- */

/* Reads this rank's samples of all borders where they lie; to[b] is how many there are of border b. */
static ww_status sample(const cutting *c) {
    const uint32_t ranks = c->group->engine.ranks;
    uint64_t many = 0;
    for (uint32_t b = 0; b < ranks; b++) {
        c->to[b] = b ? samples_of(c, &c->mine[b]) : 0;
        for (uint64_t i = 0; i < c->to[b]; i++) c->positions[many++] = c->mine[b].first + sample_at(c, &c->mine[b], i);
    }
    if (!many) return WW_OK;
    return ww_gather(c->group->device, ww_from(*c->sorted), ww_memory(c->positions, many), keys(c, OWN, many));
}

/* Samples go to the borders' owners, who know the intervals: they have made them. */
static ww_status send_samples(const cutting *c) {
    ww_group *group = c->group;
    uint64_t *const *number = group->number;
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        c->from[r] = group->engine.rank ? samples_of(c, &c->theirs[r]) : 0;
    ww__group_places(group, c->to, number[WW__SEND_AT]);
    ww__group_places(group, c->from, number[WW__RECEIVE_AT]);
    return ww__group_trade(group,
                           &(ww__trade){.send = place(c, OWN),
                                        .receive = place(c, THEIRS),
                                        .size = c->sorted->size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = c->to,
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = c->from},
                           1);
}

/* ---- the owner's part ---- */

/* Sorts what came; read[k] is then the number of the sample that is k-th, counted through the ranks. */
static ww_status sort_samples(const cutting *c) {
    uint64_t many = 0;
    for (uint32_t r = 0; r < c->group->engine.ranks; r++) many += c->from[r];
    if (!many) return WW_OK;
    const ww_array order = {place(c, ORDER), many, &ww_type_uint32_t, sizeof(uint32_t), NULL, 0};
    WW_TRY(c->order->sort(c->order, c->group->device, ww_from(keys(c, THEIRS, many)),
                          ww_counting(&ww_type_uint32_t, 0, many), keys(c, SORTED, many), order));
    WW_TRY(ww_copy(c->group->device, ww_from(order), ww_array(c->read, many)));
    return ww_sync(c->group->device); /* which a copy to pinned memory does not */
}

/* How many of rank r's elements are no later than its sample `seen` - 1, at least; and at most, where sample `seen` is later. */
static uint64_t at_least(const cutting *c, const interval *v, uint64_t seen) {
    return seen ? sample_at(c, v, seen - 1) + 1 : 0;
}
static uint64_t at_most(const cutting *c, const interval *v, uint64_t seen) {
    return seen < samples_of(c, v) ? sample_at(c, v, seen) : v->count;
}

/* Whose sample this is, counted through the ranks: the last rank's whose samples begin there or before. */
static uint32_t rank_of(const cutting *c, uint64_t number) {
    const uint64_t *begins = c->group->number[WW__RECEIVE_AT];
    uint32_t r = 0;
    for (uint32_t left = c->group->engine.ranks; left > 1;) {
        const uint32_t half = left / 2;
        if (begins[r + half] <= number) r += half;
        left -= half;
    }
    return r;
}

/* Intervals leave out what is in front for sure, and what is behind. */
static void begin_behind(const cutting *c, const uint64_t *seen, interval *next) {
    for (uint32_t r = 0; r < c->group->engine.ranks; r++)
        next[r].first = c->theirs[r].first + at_least(c, &c->theirs[r], seen[r]);
}
static void end_before(const cutting *c, const uint64_t *seen, interval *next) {
    for (uint32_t r = 0; r < c->group->engine.ranks; r++) {
        const uint64_t end = c->theirs[r].first + at_most(c, &c->theirs[r], seen[r]);
        next[r] = interval_of(c, next[r].first, end > next[r].first ? end - next[r].first : 0);
    }
}

/* From all intervals of this rank's border to smaller ones, `wanted` of whose elements belong in front of it. seen[r]: how many of
 * rank r's samples have been passed. */
static void narrow(const cutting *c, uint64_t wanted, uint64_t *seen, interval *next) {
    const uint32_t ranks = c->group->engine.ranks;
    uint64_t least = 0, most = 0, many = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        seen[r] = 0;
        next[r] = c->theirs[r];
        most += at_most(c, &c->theirs[r], 0);
        many += c->from[r];
    }
    for (uint64_t k = 0; k < many; k++) {
        const uint32_t r = rank_of(c, c->read[k]);
        const uint64_t more = most - at_most(c, &c->theirs[r], seen[r]) + at_most(c, &c->theirs[r], seen[r] + 1);
        if (most <= wanted && more > wanted)
            begin_behind(c, seen, next); /* the sample before this one, and all before it */
        least -= at_least(c, &c->theirs[r], seen[r]);
        least += at_least(c, &c->theirs[r], ++seen[r]);
        most = more;
        if (least > wanted) { /* the border is no later than this one */
            end_before(c, seen, next);
            return;
        }
    }
    if (most <= wanted) begin_behind(c, seen, next);
    end_before(c, seen, next);
}

static ww_status return_intervals(const cutting *c) {
    ww_group *group = c->group;
    uint64_t *ones = group->number[WW__NUMBERS_MORE], *at = group->number[WW__NUMBERS_LAST];
    for (uint32_t r = 0; r < group->engine.ranks; r++) ones[r] = 1;
    ww__group_places(group, ones, at);
    memcpy(c->theirs, c->next, group->engine.ranks * sizeof(interval));
    return ww__group_trade(group,
                           &(ww__trade){.send = c->next,
                                        .receive = c->mine,
                                        .size = sizeof(interval),
                                        .send_at = at,
                                        .send_count = ones,
                                        .receive_at = at,
                                        .receive_count = ones,
                                        .host = true},
                           1);
}

/* ---- rounds ---- */

/* How many elements belong in front of this rank's border behind those that intervals leave out. */
static uint64_t still_wanted(const cutting *c, uint64_t before) {
    for (uint32_t r = 0; r < c->group->engine.ranks; r++) before -= c->theirs[r].first;
    return before;
}

/* One round; *done when every border has been found. */
static ww_status one_round(const cutting *c, uint64_t before, bool *done) {
    ww_group *group = c->group;
    const uint32_t me = group->engine.rank;
    uint64_t left = 0;
    WW_TRY(ww__group_agree(group, sample(c), NULL, NULL, 0));
    WW_TRY(send_samples(c));
    memcpy(c->next, c->theirs, group->engine.ranks * sizeof(interval));
    ww_status status = WW_OK;
    if (me && still_wanted(c, before)) {
        status = sort_samples(c);
        if (!status) narrow(c, still_wanted(c, before), group->number[WW__SEND_AT], c->next);
        left = before;
        for (uint32_t r = 0; r < group->engine.ranks; r++) left -= c->next[r].first;
    }
    WW_TRY(ww__group_agree(group, status, NULL, &left, 1));
    WW_TRY(return_intervals(c));
    *done = true;
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (group->said[r].number[0]) *done = false;
    return WW_OK;
}

/* ---- all ranks hear of all samples ---- */

typedef struct telling {
    cutting c;
    interval *of;                      /* of border b, rank r's: of[b * ranks + r] */
    unsigned char *mine, *came, *flat; /* this rank's samples; all ranks' pieces; rank after rank */
    unsigned char *one, *sorted;       /* one border's, of all ranks */
} telling;

static ww_array told(const telling *t, void *data, uint64_t count) {
    return (ww_array){data, count, t->c.sorted->type, t->c.sorted->size, NULL, 0};
}

/* This rank's samples of all borders, each border's in its place. */
static ww_status sample_all(const telling *t) {
    const cutting *c = &t->c;
    const uint32_t ranks = c->group->engine.ranks, me = c->group->engine.rank;
    uint64_t many = 0;
    for (uint32_t b = 1; b < ranks; b++) {
        const interval *v = &t->of[b * ranks + me];
        const uint64_t last = v->count ? v->first + v->count - 1 : 0, n = samples_of(c, v);
        for (uint64_t i = 0; i < c->samples; i++) c->positions[many++] = i < n ? v->first + sample_at(c, v, i) : last;
    }
    if (!c->sorted->count) return WW_OK;
    WW_TRY(ww_gather(c->group->device, ww_from(*c->sorted), ww_memory(c->positions, many), told(t, t->mine, many)));
    return ww_sync(c->group->device);
}

static ww_status tell_all(const telling *t) {
    ww_group *group = t->c.group;
    const ww_engine *e = &group->engine;
    const size_t bytes = (size_t)((e->ranks - 1) * t->c.samples * t->c.sorted->size), piece = WW_ENGINE_GATHER_MOST;
    char why[WW_ENGINE_WHY] = "";
    ww_status status = WW_OK;
    for (size_t at = 0; at < bytes && !status; at += piece) {
        const size_t n = bytes - at < piece ? bytes - at : piece;
        status = e->gather(e->state, t->mine + at, n, t->came + at * e->ranks, why);
    }
    if (!status) status = e->wait(e->state, group->limit_ms, why);
    return status ? ww__group_lost(group, status, why) : WW_OK;
}

static void flatten(const telling *t) {
    const uint32_t ranks = t->c.group->engine.ranks;
    const size_t bytes = (size_t)((ranks - 1) * t->c.samples * t->c.sorted->size), piece = WW_ENGINE_GATHER_MOST;
    for (size_t at = 0; at < bytes; at += piece) {
        const size_t n = bytes - at < piece ? bytes - at : piece;
        for (uint32_t r = 0; r < ranks; r++)
            memcpy(t->flat + r * (size_t)TOLD_BYTES + at, t->came + at * ranks + r * n, n);
    }
}

/* As an owner does it for its border; true when there is nothing left to find. */
static ww_status narrow_border(telling *t, uint32_t b, uint64_t before, bool *found) {
    cutting *c = &t->c;
    const uint32_t ranks = c->group->engine.ranks;
    const size_t size = c->sorted->size;
    uint64_t many = 0;
    c->theirs = &t->of[b * ranks];
    *found = !still_wanted(c, before);
    if (*found) return WW_OK;
    for (uint32_t r = 0; r < ranks; r++) {
        c->from[r] = samples_of(c, &c->theirs[r]);
        memcpy(t->one + many * size, t->flat + r * (size_t)TOLD_BYTES + (b - 1) * c->samples * size,
               (size_t)c->from[r] * size);
        many += c->from[r];
    }
    ww__group_places(c->group, c->from, c->group->number[WW__RECEIVE_AT]);
    WW_TRY(c->order->sort(c->order, c->group->host, ww_from(told(t, t->one, many)),
                          ww_counting(&ww_type_uint32_t, 0, many), told(t, t->sorted, many), ww_array(c->read, many)));
    narrow(c, still_wanted(c, before), c->group->number[WW__SEND_AT], c->next);
    memcpy(c->theirs, c->next, ranks * sizeof(interval));
    *found = !still_wanted(c, before);
    return WW_OK;
}

static ww_status cut_all_know(telling *t, const uint64_t *before, uint64_t *cut, uint64_t *come) {
    ww_group *group = t->c.group;
    const uint32_t ranks = group->engine.ranks, me = group->engine.rank;
    bool done = ranks == 1;
    for (uint32_t b = 0; b < ranks; b++)
        for (uint32_t r = 0; r < ranks; r++) t->of[b * ranks + r] = interval_of(&t->c, 0, group->said[r].number[0]);
    for (int rounds = 0; !done; rounds++) {
        if (rounds == ROUNDS_MOST)
            return ww__group_fail(group, WW_INVALID, "the keys' order is not a strict weak order");
        if (sample_all(t)) return ww__group_lost(group, WW_LOST, ww_error(group->device)); /* and nobody was told */
        WW_TRY(tell_all(t));
        flatten(t);
        done = true;
        for (uint32_t b = 1; b < ranks; b++) {
            bool found = false;
            WW_TRY(narrow_border(t, b, before[b], &found));
            done = done && found;
        }
    }
    for (uint32_t b = 0; b < ranks; b++) cut[b] = b ? t->of[b * ranks + me].first : 0;
    cut[ranks] = t->c.sorted->count;
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t begin = me ? t->of[me * ranks + r].first : 0;
        come[r] = (me + 1 < ranks ? t->of[(me + 1) * ranks + r].first : t->of[r].count) - begin;
    }
    return WW_OK;
}

/* ---- both ---- */

ww_status ww__group_cut(ww_group *group, size_t first_place, const ww__ranks_order *order, const ww_array *sorted,
                        const uint64_t *before, uint64_t *cut, uint64_t *come, bool *come_known) {
    const uint32_t ranks = group->engine.ranks;
    interval *intervals = group->kept_host[INTERVALS].data;
    const cutting c = {.group = group,
                       .samples = SAMPLES,
                       .order = order,
                       .sorted = sorted,
                       .place = first_place,
                       .mine = intervals,
                       .theirs = intervals + ranks,
                       .next = intervals + 2 * ranks,
                       .positions = group->kept_host[POSITIONS].data,
                       .read = group->kept_host[ORDER_READ].data,
                       .to = group->number[WW__SEND_COUNT],
                       .from = group->number[WW__RECEIVE_COUNT]};
    bool done = ranks == 1;
    *come_known = all_know(group, order) && told_samples(group, sorted->size);
    if (*come_known) {
        unsigned char *rooms = group->kept_host[HEARD].data;
        telling t = {.c = c,
                     .of = intervals + 2 * ranks,
                     .mine = rooms,
                     .came = rooms + TOLD_BYTES,
                     .flat = rooms + TOLD_BYTES * (size_t)(ranks + 1),
                     .one = rooms + TOLD_BYTES * (size_t)(2 * ranks + 1),
                     .sorted = rooms + TOLD_BYTES * (size_t)(3 * ranks + 1)};
        t.c.samples = told_samples(group, sorted->size);
        t.c.next = intervals;
        return cut_all_know(&t, before, cut, come);
    }
    for (uint32_t b = 0; b < ranks; b++) {
        c.mine[b] = interval_of(&c, 0, sorted->count);
        c.theirs[b] = interval_of(&c, 0, group->said[b].number[0]); /* rank b's, of this rank's border */
    }
    for (int rounds = 0; !done; rounds++) {
        if (rounds == ROUNDS_MOST) /* an order that is none; every round leaves out more than half of what there is */
            return ww__group_fail(group, WW_INVALID, "the keys' order is not a strict weak order");
        WW_TRY(one_round(&c, before[group->engine.rank], &done));
    }
    for (uint32_t b = 0; b < ranks; b++) cut[b] = b ? c.mine[b].first : 0;
    cut[ranks] = sorted->count;
    for (uint32_t b = 1; b <= ranks; b++) /* of an order that is none */
        if (cut[b] < cut[b - 1]) cut[b] = cut[b - 1];
    return WW_OK;
}
