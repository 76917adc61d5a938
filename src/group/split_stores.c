/* Splits whose kernels write to the memory of all ranks, which they reach. Blocks are counted, and all ranks hear of all counts: so it is known
 * where each rank's keys of each bucket come to lie, in whose output. Then one sweep of each block puts every key in its place. */
#include <string.h>

#include "device/gpu/gpu.h"
#include "function/function.h"
#include "group/local.h"
#include "group/split.h"
#include "multisplit/multisplit.h"

enum {
    LEAST_BYTES = 16 << 10, /* of a rank on average */
    SHIFTS = WW__SHIFTED_MOST /* more than buckets, or as many */
};

/* ---- whether ---- */

static bool overlap(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes && b_bytes && x < y + b_bytes && y < x + a_bytes;
}

/* Outputs are written while other ranks may still read their inputs. */
static bool is_possible(const ww__group_split *s) {
    const ww_input *in = &s->in[0];
    const ww_array *out = &s->out[0];
    if (!s->direct || s->sides > 1 || !ww__local_lends(&s->group->engine)) return false;
    const void *memory = ww__input_memory(in);
    return (memory || !in->count) && !overlap(memory, in->count * in->size, out->data, out->count * out->size) &&
           ww__multisplit_shifts(s->group->device, s->bucket_of, s->buckets, in, out);
}

ww_status ww__split_stores(ww__group_split *s, ww_status status, const unsigned char *alike, bool *stores) {
    ww_group *group = s->group;
    const uint32_t ranks = group->engine.ranks;
    const uint64_t numbers[3] = {s->in[0].count, !status && is_possible(s), (uintptr_t)s->out[0].data};
    uint64_t all = 0, *outputs;
    if (!status) status = ww__group_host_room(group, WW__SPLIT_OUTPUTS, ranks, sizeof *outputs, &outputs);
    WW_TRY(ww__group_agree(group, status, alike, numbers, 3));
    *stores = true;
    for (uint32_t r = 0; r < ranks; r++) {
        all += group->said[r].number[0];
        *stores = *stores && group->said[r].number[1];
        outputs[r] = group->said[r].number[2];
    }
    *stores = *stores && all / ranks * s->in[0].size >= LEAST_BYTES;
    return WW_OK;
}

/* ---- counting ---- */

static ww_status rooms(ww__group_split *s) {
    ww_group *group = s->group;
    const uint64_t ranks = group->engine.ranks;
    void *data;
    WW_TRY(ww__group_room(group, WW__SPLIT_COUNTS, 2 * SHIFTS, sizeof(uint64_t), &data));
    s->counts = ww_array((uint64_t *)data, s->buckets);
    WW_TRY(ww__group_host_room(group, WW__SPLIT_READ_COUNTS, s->buckets, sizeof(uint64_t), &s->read_counts));
    WW_TRY(ww__group_host_room(group, WW__SPLIT_READ_OFFSETS, 2 * SHIFTS, sizeof(uint64_t), &s->read_offsets));
    return ww__group_host_room(group, WW__SPLIT_ALL_COUNTS, s->buckets * ranks, sizeof(uint64_t), &s->all_counts);
}

/* A key without a bucket is told of as a split tells of it. */
static ww_status count_own(ww__group_split *s) {
    ww_device *device = s->group->device;
    WW_TRY(rooms(s));
    ww_status status = ww_histogram(device, s->bucket_of, s->in[0], s->counts, ww_none, NULL);
    if (!status) status = ww_copy(device, ww_from(s->counts), ww_array(s->read_counts, s->buckets));
    if (!status) status = ww_sync(device);
    if (status != WW_RANGE) return status;
    void *unused;
    WW_TRY(ww__group_room(s->group, WW__SPLIT_OWN_KEYS, s->in[0].count, s->in[0].size, &unused));
    const ww_array own = {unused, s->in[0].count, s->in[0].type, s->in[0].size, NULL, 0};
    WW_TRY(ww_multisplit(device, s->bucket_of, s->buckets, s->in[0], ww_no_input, own, ww_none, ww_none, NULL));
    return ww_sync(device);
}

ww_status ww__split_stores_count(ww__group_split *s) {
    ww_group *group = s->group;
    const uint64_t room[2] = {s->out[0].count, s->direct};
    uint64_t mine[WW__SPLIT_FEW];
    WW_TRY(ww__group_agree(group, count_own(s), NULL, room, 2));
    memcpy(mine, s->read_counts, (size_t)s->buckets * sizeof *mine);
    WW_TRY(ww__group_gather(group, mine, (size_t)s->buckets * sizeof *mine, s->all_counts));
    for (uint64_t b = 0; b < s->buckets; b++) {
        s->read_counts[b] = 0;
        for (uint32_t r = 0; r < group->engine.ranks; r++) s->read_counts[b] += s->all_counts[r * s->buckets + b];
    }
    return WW_OK;
}

/* ---- storing ---- */

/* By how many keys each bucket's place is moved: from where a split of the own block alone would have it, at the own output, to where it is
 * in its owner's, behind the buckets before it there and what ranks before this one have of it. And these places in a split of the own block. */
static void find_shifts(const ww__group_split *s, uint64_t *shift) {
    const uint32_t ranks = s->group->engine.ranks, me = s->group->engine.rank;
    const uint64_t *first = s->group->number[WW__CUT], *outputs = s->group->kept_host[WW__SPLIT_OUTPUTS].data;
    const int64_t size = (int64_t)s->in[0].size;
    uint64_t alone = 0;
    memset(shift, 0, 2 * SHIFTS * sizeof *shift);
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t output = (uint64_t)((int64_t)(outputs[r] - outputs[me]) / size);
        uint64_t at = 0;
        for (uint64_t b = first[r]; b < first[r + 1]; b++) {
            uint64_t before = 0;
            for (uint32_t q = 0; q < me; q++) before += s->all_counts[q * s->buckets + b];
            shift[b] = output + at + before - alone;
            shift[SHIFTS + b] = alone;
            at += s->read_counts[b];
            alone += s->all_counts[me * s->buckets + b];
        }
    }
}

typedef struct visit {
    const ww__group_split *s;
    uint32_t left; /* ranks that have not lent their outputs yet */
    ww_status status;
} visit;

static ww_status store(const ww__group_split *s) {
    ww_array out = s->out[0];
    out.count = s->in[0].count; /* of which nothing is taken but the address */
    return ww__multisplit_shifted(s->group->device, s->bucket_of, s->buckets, s->in[0], out, s->counts.data);
}

static void store_when_all_lend(void *visitor, const void *theirs) {
    visit *v = visitor;
    (void)theirs;
    if (!--v->left && !v->status) v->status = store(v->s);
}

ww_status ww__split_store(ww__group_split *s, ww_status *own_failure) {
    ww_group *group = s->group;
    const ww_engine *e = &group->engine;
    visit v = {.s = s, .left = e->ranks - 1};
    char why[WW_ENGINE_WHY] = "";
    find_shifts(s, s->read_offsets);
    v.status = ww_copy(group->device, ww_memory(s->read_offsets, 2 * SHIFTS),
                       ww_array((uint64_t *)s->counts.data, 2 * SHIFTS));
    if (e->ranks == 1 && !v.status) v.status = store(s);
    ww_status status = ww__local_lend(e, s, store_when_all_lend, &v, why);
    if (!status) status = e->wait(e->state, group->limit_ms, why);
    if (status) return ww__group_lost(group, status, why);
    *own_failure = v.status;
    return WW_OK;
}
