/* Splits in parts. A block is cut into PARTS of one length, and the buckets of each are counted, which says where every piece of every
 * part comes to lie. Then the parts are split one after another, and while one is split the pieces of the one before it are fetched
 * by the ranks that they are for: copies between GPUs go beside the work of both. */
#include "device/gpu/gpu.h"
#include "function/function.h"
#include "group/local.h"
#include "group/split.h"

enum {
    PARTS = 4,
    LONG = 4 << 20 /* bytes of a bucket and a rank on average, from which on it is worth while */
};

static uint64_t begin_of(uint64_t n, uint64_t part) { return n / PARTS * part + n % PARTS * part / PARTS; }

/* ---- whether ---- */

static bool meet(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes && b_bytes && x < y + b_bytes && y < x + a_bytes;
}

/* Outputs are written while there is still something to be read. */
static bool is_possible(const ww__group_split *s) {
    if (!s->direct) return false;
    for (size_t i = 0; i < s->sides; i++) {
        const void *in = ww__input_memory(&s->in[i]);
        if (s->in[i].count && !in) return false;
        for (size_t o = 0; o < s->sides; o++)
            if (meet(in, s->in[i].count * s->in[i].size, s->out[o].data, s->out[o].count * s->out[o].size))
                return false;
    }
    return s->sides < 2 || s->in[1].count == s->in[0].count;
}

ww_status ww__split_goes_by_parts(ww__group_split *s, ww_status status, const unsigned char *alike, bool *by_parts) {
    ww_group *group = s->group;
    const uint32_t ranks = group->engine.ranks;
    const uint64_t numbers[2] = {s->in[0].count, !status && is_possible(s)};
    uint64_t all = 0;
    WW_TRY(ww__group_agree(group, status, alike, numbers, 2));
    *by_parts = true;
    for (uint32_t r = 0; r < ranks; r++) {
        all += group->said[r].number[0];
        *by_parts = *by_parts && group->said[r].number[1];
    }
    *by_parts = *by_parts && all / s->buckets / ranks * s->in[0].size >= (uint64_t)LONG >> group->device->gpu->driver->sooner;
    return WW_OK;
}

/* ---- counting ---- */

static ww_array elements(const ww_array *all, uint64_t first, uint64_t count) {
    return (ww_array){(unsigned char *)all->data + first * all->size, count, all->type, all->size, NULL, 0};
}

static ww_input part_of(const ww__group_split *s, size_t side, uint64_t part) {
    const ww_input *in = &s->in[side];
    const uint64_t first = begin_of(in->count, part), count = begin_of(in->count, part + 1) - first;
    if (side >= s->sides) return ww_no_input;
    const ww_array all = {(void *)(uintptr_t)ww__input_memory(in), in->count, in->type, in->size, NULL, 0};
    return ww_from(elements(&all, first, count));
}

static ww_status rooms(ww__group_split *s) {
    ww_group *group = s->group;
    const uint64_t ranks = group->engine.ranks, many = PARTS * s->buckets;
    void *data;
    for (size_t side = 0; side < s->sides; side++) {
        const ww_input *in = &s->in[side];
        WW_TRY(ww__group_room(group, WW__SPLIT_OWN_KEYS + side, in->count, in->size, &data));
        s->own[side] = (ww_array){data, in->count, in->type, in->size, NULL, 0};
    }
    WW_TRY(ww__group_room(group, WW__SPLIT_COUNTS, many, sizeof(uint64_t), &data));
    s->counts = ww_array((uint64_t *)data, many);
    WW_TRY(ww__group_host_room(group, WW__SPLIT_READ_COUNTS, s->buckets, sizeof(uint64_t), &s->read_counts));
    WW_TRY(ww__group_host_room(group, WW__SPLIT_READ_OFFSETS, s->buckets + 1, sizeof(uint64_t), &s->read_offsets));
    WW_TRY(ww__group_host_room(group, WW__SPLIT_ALL_COUNTS, ranks * many, sizeof(uint64_t), &s->all_counts));
    WW_TRY(ww__group_host_room(group, WW__SPLIT_PART_COUNTS, many, sizeof(uint64_t), &data));
    return ww__group_host_room(group, WW__SPLIT_PIECES, 9 * ranks * s->buckets, sizeof(uint64_t), &data);
}

/* A key without a bucket is told of as the whole block's split tells of it. */
static ww_status count_own(ww__group_split *s) {
    ww_device *device = s->group->device;
    ww_status status = WW_OK;
    WW_TRY(rooms(s));
    uint64_t *mine = s->group->kept_host[WW__SPLIT_PART_COUNTS].data;
    for (uint64_t part = 0; part < PARTS && !status; part++)
        status = ww_histogram(device, s->bucket_of, part_of(s, 0, part),
                              elements(&s->counts, part * s->buckets, s->buckets), ww_none, NULL);
    if (!status) status = ww_copy(device, ww_from(s->counts), ww_array(mine, s->counts.count));
    if (!status) status = ww_sync(device);
    if (!status) return WW_OK;
    WW_TRY(ww_multisplit(device, s->bucket_of, s->buckets, s->in[0], ww_no_input, s->own[0], ww_none, ww_none, NULL));
    WW_TRY(ww_sync(device));
    return ww__group_say(s->group, status, "counting failed");
}

/* Elements of bucket b in a rank's part. */
static uint64_t count_of(const ww__group_split *s, uint64_t part, uint32_t r, uint64_t b) {
    return s->all_counts[(part * s->group->engine.ranks + r) * s->buckets + b];
}

ww_status ww__split_parts_count(ww__group_split *s) {
    ww_group *group = s->group;
    const ww_engine *e = &group->engine;
    const uint64_t room[2] = {s->out[0].count, s->direct};
    char why[WW_ENGINE_WHY] = "";
    WW_TRY(ww__group_agree(group, count_own(s), NULL, room, 2));
    const uint64_t *mine = group->kept_host[WW__SPLIT_PART_COUNTS].data;
    ww_status told = WW_OK;
    for (uint64_t part = 0; part < PARTS && !told; part++)
        told = e->gather(e->state, mine + part * s->buckets, (size_t)s->buckets * sizeof *mine,
                         s->all_counts + part * e->ranks * s->buckets, why);
    if (!told) told = e->wait(e->state, group->limit_ms, why);
    if (told) return ww__group_lost(group, told, why);
    for (uint64_t b = 0; b < s->buckets; b++) {
        s->read_counts[b] = 0;
        for (uint64_t part = 0; part < PARTS; part++)
            for (uint32_t r = 0; r < e->ranks; r++) s->read_counts[b] += count_of(s, part, r, b);
    }
    return WW_OK;
}

/* ---- moving ---- */

static ww_status split_part(const ww__group_split *s, uint64_t part) {
    const uint64_t first = begin_of(s->in[0].count, part), count = begin_of(s->in[0].count, part + 1) - first;
    return ww_multisplit(s->group->device, s->bucket_of, s->buckets, part_of(s, 0, part), part_of(s, 1, part),
                         elements(&s->own[0], first, count),
                         s->sides > 1 ? elements(&s->own[1], first, count) : ww_none, ww_none, NULL);
}

/* Where this rank's buckets' next element of each rank comes to lie. */
static void begin_places(const ww__group_split *s, uint64_t *place) {
    const uint32_t ranks = s->group->engine.ranks, me = s->group->engine.rank;
    const uint64_t *first = s->group->number[WW__CUT];
    uint64_t at = 0;
    for (uint64_t b = first[me]; b < first[me + 1]; b++)
        for (uint32_t r = 0; r < ranks; r++) {
            *place++ = at;
            for (uint64_t part = 0; part < PARTS; part++) at += count_of(s, part, r, b);
        }
}

/* The k-th bucket of every rank, for all k: this rank's elements of it go there, and those of this rank's k-th bucket come to their
 * places. In bytes, in four tables of a row for each k. */
static void plan_part(const ww__group_split *s, uint64_t part, uint64_t most, size_t size, const uint64_t *place,
                      uint64_t *numbers) {
    const uint32_t ranks = s->group->engine.ranks, me = s->group->engine.rank;
    const uint64_t *first = s->group->number[WW__CUT], table = most * ranks;
    uint64_t *send_at = numbers, *send = numbers + table, *come_at = numbers + 2 * table, *come = numbers + 3 * table;
    uint64_t at = begin_of(s->in[0].count, part);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint64_t k = 0; k < most; k++) {
            const bool goes = k < first[r + 1] - first[r], comes = k < first[me + 1] - first[me];
            const uint64_t row = k * ranks + r, many = goes ? count_of(s, part, me, first[r] + k) : 0;
            send_at[row] = at * size;
            send[row] = many * size;
            at += many;
            come_at[row] = comes ? place[row] * size : 0;
            come[row] = comes ? count_of(s, part, r, first[me] + k) * size : 0;
        }
}

static ww_status begin_part(const ww__group_split *s, uint64_t part, uint64_t most, uint64_t *numbers, char *why) {
    const uint32_t ranks = s->group->engine.ranks, me = s->group->engine.rank;
    const uint64_t *first = s->group->number[WW__CUT], table = most * ranks;
    uint64_t *place = numbers + 8 * table;
    for (size_t side = 0; side < s->sides; side++) {
        uint64_t *t = numbers + 4 * side * table;
        plan_part(s, part, most, s->in[side].size, place, t);
        WW_TRY(ww__local_exchange_pieces(&s->group->engine, most, s->own[side].data, t, t + table, s->out[side].data,
                                         t + 2 * table, t + 3 * table, why));
    }
    for (uint64_t b = first[me]; b < first[me + 1]; b++)
        for (uint32_t r = 0; r < ranks; r++) *place++ += count_of(s, part, r, b);
    return WW_OK;
}

ww_status ww__split_parts_move(ww__group_split *s, ww_status *own_failure) {
    ww_group *group = s->group;
    const ww_engine *e = &group->engine;
    const uint64_t *first = group->number[WW__CUT];
    uint64_t *numbers = group->kept_host[WW__SPLIT_PIECES].data, most = 1;
    for (uint32_t r = 0; r < e->ranks; r++) most = first[r + 1] - first[r] > most ? first[r + 1] - first[r] : most;
    begin_places(s, numbers + 8 * most * e->ranks);
    *own_failure = split_part(s, 0);
    if (ww_sync(group->device)) return ww__group_lost(group, WW_LOST, ww_error(group->device));
    for (uint64_t part = 0; part < PARTS; part++) {
        char why[WW_ENGINE_WHY] = "";
        ww_status status = begin_part(s, part, most, numbers, why);
        if (part + 1 < PARTS && !*own_failure) *own_failure = split_part(s, part + 1);
        if (!status) status = e->wait(e->state, group->limit_ms, why);
        if (status) return ww__group_lost(group, status, why);
    }
    return WW_OK;
}
