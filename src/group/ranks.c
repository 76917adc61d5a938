/* Exact ranks by samples. For each border b (between ranks b - 1 and b) every rank has an interval of its sorted keys in which its cut
 * lies: all before it belongs in front of the border, all behind it does not. In a round each rank sends SAMPLES keys of each interval,
 * evenly apart, with the first and the last one, to the border's owner, rank b. That sorts them, equal ones by rank and position: so all
 * elements have different places. Of a sample v it knows, from the positions of each rank's last sample up to v and of its next one, at
 * least and at most how many elements come no later than v; the last v with which at most as many come as belong in front makes
 * intervals begin behind it, the first one with which more do makes them end before what is later. That leaves some three in
 * SAMPLES elements; when no interval has more than SAMPLES elements, the owner has seen all, and the next cut is exact.
 * Varman et al., Merging Multiple Lists on Hierarchical-Memory Multiprocessors (1991), for one place at a time. */
#include <string.h>

#include "group/ranks.h"
#include "warpwise/primitive.h"

enum { SAMPLES = 128, ROUNDS_MOST = 64 };
enum { OWN, THEIRS, SORTED, ORDER };       /* places of samples; of the order of sorted ones */
enum { INTERVALS, POSITIONS, ORDER_READ }; /* the host's places */

typedef struct interval {
    uint64_t first, count;
} interval;

typedef struct cutting {
    ww_group *group;
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

/* How many samples an interval gives, and where sample i of it lies, from its first element on. */
static uint64_t samples_of(const interval *v) { return ww__min_u64(v->count, SAMPLES); }
static uint64_t sample_at(const interval *v, uint64_t i) {
    if (v->count <= SAMPLES) return i;
    const uint64_t wide = (v->count - 1) / (SAMPLES - 1), more = (v->count - 1) % (SAMPLES - 1);
    return i * wide + i * more / (SAMPLES - 1);
}

static void *place(const cutting *c, size_t which) { return c->group->kept[c->place + which].data; }

static ww_array keys(const cutting *c, size_t which, uint64_t count) {
    return (ww_array){place(c, which), count, c->sorted->type, c->sorted->size, NULL, 0};
}

ww_status ww__group_cut_rooms(ww_group *group, size_t first_place, size_t size) {
    const uint64_t ranks = group->engine.ranks, most = ranks * SAMPLES;
    void *unused;
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
        c->to[b] = b ? samples_of(&c->mine[b]) : 0;
        for (uint64_t i = 0; i < c->to[b]; i++) c->positions[many++] = c->mine[b].first + sample_at(&c->mine[b], i);
    }
    if (!many) return WW_OK;
    return ww_gather(c->group->device, ww_from(*c->sorted), ww_memory(c->positions, many), keys(c, OWN, many));
}

/* Intervals and samples go to the borders' owners. */
static ww_status send_samples(const cutting *c) {
    ww_group *group = c->group;
    uint64_t *const *number = group->number;
    const uint32_t ranks = group->engine.ranks;
    uint64_t *ones = number[WW__NUMBERS_MORE], *at = number[WW__NUMBERS_LAST];
    for (uint32_t r = 0; r < ranks; r++) ones[r] = 1;
    ww__group_places(group, ones, at);
    WW_TRY(ww__group_trade(group,
                           &(ww__trade){.send = c->mine,
                                        .receive = c->theirs,
                                        .size = sizeof(interval),
                                        .send_at = at,
                                        .send_count = ones,
                                        .receive_at = at,
                                        .receive_count = ones,
                                        .host = true},
                           1));
    for (uint32_t r = 0; r < ranks; r++) c->from[r] = group->engine.rank ? samples_of(&c->theirs[r]) : 0;
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
static uint64_t at_least(const interval *v, uint64_t seen) { return seen ? sample_at(v, seen - 1) + 1 : 0; }
static uint64_t at_most(const interval *v, uint64_t seen) {
    return seen < samples_of(v) ? sample_at(v, seen) : v->count;
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
        next[r].first = c->theirs[r].first + at_least(&c->theirs[r], seen[r]);
}
static void end_before(const cutting *c, const uint64_t *seen, interval *next) {
    for (uint32_t r = 0; r < c->group->engine.ranks; r++) {
        const uint64_t end = c->theirs[r].first + at_most(&c->theirs[r], seen[r]);
        next[r].count = end > next[r].first ? end - next[r].first : 0;
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
        most += at_most(&c->theirs[r], 0);
        many += c->from[r];
    }
    for (uint64_t k = 0; k < many; k++) {
        const uint32_t r = rank_of(c, c->read[k]);
        const uint64_t more = most - at_most(&c->theirs[r], seen[r]) + at_most(&c->theirs[r], seen[r] + 1);
        if (most <= wanted && more > wanted)
            begin_behind(c, seen, next); /* the sample before this one, and all before it */
        least -= at_least(&c->theirs[r], seen[r]);
        least += at_least(&c->theirs[r], ++seen[r]);
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

ww_status ww__group_cut(ww_group *group, size_t first_place, const ww__ranks_order *order, const ww_array *sorted,
                        const uint64_t *before, uint64_t *cut) {
    const uint32_t ranks = group->engine.ranks;
    interval *intervals = group->kept_host[INTERVALS].data;
    const cutting c = {.group = group,
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
    for (uint32_t b = 0; b < ranks; b++) c.mine[b] = (interval){0, sorted->count};
    for (int rounds = 0; !done; rounds++) {
        if (rounds == ROUNDS_MOST) /* an order that is none; every round leaves out more than half of what there is */
            return ww__group_fail(group, WW_INVALID, "the keys' order is no strict weak order");
        WW_TRY(one_round(&c, before[group->engine.rank], &done));
    }
    for (uint32_t b = 0; b < ranks; b++) cut[b] = b ? c.mine[b].first : 0;
    cut[ranks] = sorted->count;
    for (uint32_t b = 1; b <= ranks; b++) /* of an order that is none */
        if (cut[b] < cut[b - 1]) cut[b] = cut[b - 1];
    return WW_OK;
}
