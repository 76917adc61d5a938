/* Splits of blocks. Each rank splits its own, all learn how many elements each bucket has in all, which says whose bucket it is; each
 * bucket goes there, from every rank in order, and what comes is split once more, stably, so that a bucket's pieces come together.
 *
 * Where buckets are few and their pieces long, all ranks tell all how many elements each bucket has of theirs: so it is known where
 * every piece comes to lie, and it is sent there, a bucket of each rank's at a time. Where ranks are GPUs of one process whose kernels reach all
 * memory, blocks are counted first, and then each is split straight to its places on all of them (split_stores.c). */
#include "group/local.h"
#include "group/split.h"
#include "group/sums.h"

typedef unsigned long long ull;

WW_MAP2(length_between, uint64_t, uint64_t, begin, uint64_t, end, void, none, { return end - begin; });

enum {
    BUCKETS_MOST = 1 << 24,
    PIECE_BYTES = 128 << 10 /* of a bucket and a rank, from which on pieces go to their places one by one */
};

typedef ww__group_split splitting;

static bool are_few(const splitting *s) { return s->buckets <= WW__SPLIT_FEW; }

static ww_status room_like(const splitting *s, size_t place, size_t side, uint64_t count, ww_array *room) {
    void *data;
    WW_TRY(ww__group_room(s->group, place + side, count, s->in[side].size, &data));
    *room = (ww_array){data, count, s->in[side].type, s->in[side].size, NULL, 0};
    return WW_OK;
}

static ww_status split_array(const splitting *s, const ww_input in[2], const ww_array out[2], ww_array offsets) {
    return ww_multisplit(s->group->device, s->bucket_of, s->buckets, in[0], s->sides > 1 ? in[1] : ww_no_input, out[0],
                         s->sides > 1 ? out[1] : ww_none, offsets, NULL);
}

/* ---- the own block ---- */

static ww_status rooms(splitting *s) {
    ww_group *group = s->group;
    void *data;
    for (size_t side = 0; side < s->sides; side++)
        WW_TRY(room_like(s, WW__SPLIT_OWN_KEYS, side, s->in[side].count, &s->own[side]));
    WW_TRY(ww__group_room(group, WW__SPLIT_OWN_OFFSETS, s->buckets + 1, sizeof(uint64_t), &data));
    s->own_offsets = ww_array((uint64_t *)data, s->buckets + 1);
    WW_TRY(ww__group_room(group, WW__SPLIT_COUNTS, s->buckets, sizeof(uint64_t), &data));
    s->counts = ww_array((uint64_t *)data, s->buckets);
    if (are_few(s)) {
        const uint64_t ranks = group->engine.ranks;
        WW_TRY(ww__group_host_room(group, WW__SPLIT_ALL_COUNTS, s->buckets * ranks, sizeof(uint64_t), &s->all_counts));
        WW_TRY(ww__group_host_room(group, WW__SPLIT_PIECES, 4 * ranks * WW__TRADES, sizeof(uint64_t), &data));
    } else {
        WW_TRY(ww__group_sum_room(group, WW__SPLIT_OTHERS, &s->counts));
    }
    WW_TRY(ww__group_host_room(group, WW__SPLIT_READ_COUNTS, s->buckets, sizeof(uint64_t), &s->read_counts));
    return ww__group_host_room(group, WW__SPLIT_READ_OFFSETS, s->buckets + 1, sizeof(uint64_t), &s->read_offsets);
}

static ww_status split_own(splitting *s) {
    ww_device *device = s->group->device;
    WW_TRY(rooms(s));
    WW_TRY(split_array(s, s->in, s->own, s->own_offsets));
    uint64_t *offsets = s->own_offsets.data;
    if (!are_few(s))
        WW_TRY(ww_map2(device, &length_between_ww, ww_memory(offsets, s->buckets), ww_memory(offsets + 1, s->buckets),
                       s->counts));
    WW_TRY(ww_copy(device, ww_from(s->own_offsets), ww_array(s->read_offsets, s->buckets + 1)));
    return ww_sync(device);
}

/* ---- whose buckets ---- */

/* Into number[WW__CUT]: rank r's first bucket, and `buckets` at the end. Where the caller has no ranges every rank gets, as nearly as whole
 * buckets allow, as many elements: its first bucket is the first one that has r / ranks of all elements before it. */
static void share_buckets(const splitting *s) {
    uint64_t *first = s->group->number[WW__CUT];
    const uint32_t ranks = s->group->engine.ranks;
    uint64_t all = 0, before = 0, bucket = 0;
    for (uint64_t b = 0; b < s->buckets; b++) all += s->read_counts[b];
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t due = all / ranks * r + all % ranks * r / ranks;
        while (bucket < s->buckets && before < due) before += s->read_counts[bucket++];
        first[r] = s->ranges ? s->ranges[r] : bucket;
    }
    first[ranks] = s->buckets;
}

/* How many elements come from and go to whom; whether all ranks have room; agreed on. */
static ww_status plan(splitting *s) {
    ww_group *group = s->group;
    uint64_t *const *number = group->number;
    const uint64_t *first = number[WW__CUT];
    for (uint32_t r = 0; r < group->engine.ranks; r++) {
        number[WW__SEND_AT][r] = s->read_offsets[first[r]];
        number[WW__SEND_COUNT][r] = s->read_offsets[first[r + 1]] - s->read_offsets[first[r]];
    }
    WW_TRY(ww__group_swap_numbers(group, number[WW__SEND_COUNT], number[WW__RECEIVE_COUNT]));
    const uint64_t comes = ww__group_places(group, number[WW__RECEIVE_COUNT], number[WW__RECEIVE_AT]);
    ww_status status = WW_OK;
    if (s->came) *s->came = comes;
    for (size_t side = 0; side < s->sides && !status; side++)
        status = room_like(s, WW__SPLIT_COMING_KEYS, side, comes, &s->coming[side]);
    WW_TRY(ww__group_agree(group, status, NULL, (const uint64_t[]){comes, s->out[0].count}, 2));
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (group->said[r].number[0] > group->said[r].number[1])
            return ww__group_fail(group, WW_LIMIT, "rank %u: keys_out has a capacity of %llu elements, and %llu come",
                                  r, (ull)group->said[r].number[1], (ull)group->said[r].number[0]);
    return WW_OK;
}

static ww_status trade(const splitting *s) {
    uint64_t *const *number = s->group->number;
    ww__trade trades[2];
    for (size_t side = 0; side < s->sides; side++)
        trades[side] = (ww__trade){.send = s->own[side].data,
                                   .receive = s->coming[side].data,
                                   .size = s->in[side].size,
                                   .send_at = number[WW__SEND_AT],
                                   .send_count = number[WW__SEND_COUNT],
                                   .receive_at = number[WW__RECEIVE_AT],
                                   .receive_count = number[WW__RECEIVE_COUNT]};
    return ww__group_trade(s->group, trades, s->sides);
}

/* ---- few buckets: piece by piece ---- */

/* All ranks' counts on all ranks, and their sums; what all have room for is in said[r].number[0]. The status is agreed on. */
static ww_status tell_counts(const splitting *s, ww_status status, const unsigned char *alike) {
    ww_group *group = s->group;
    const ww_engine *e = &group->engine;
    char why[WW_ENGINE_WHY] = "";
    uint64_t mine[WW__SPLIT_FEW] = {0};
    const uint64_t room[2] = {s->out[0].count, s->direct};
    for (uint64_t b = 0; !status && b < s->buckets; b++) mine[b] = s->read_offsets[b + 1] - s->read_offsets[b];
    WW_TRY(ww__group_agree(group, status, alike, room, 2));
    const size_t bytes = (size_t)s->buckets * sizeof *mine;
    ww_status told = e->gather(e->state, mine, bytes, s->all_counts, why);
    if (!told) told = e->wait(e->state, group->limit_ms, why);
    if (told) return ww__group_lost(group, told, why);
    for (uint64_t b = 0; b < s->buckets; b++) {
        s->read_counts[b] = 0;
        for (uint32_t r = 0; r < e->ranks; r++) s->read_counts[b] += s->all_counts[r * s->buckets + b];
    }
    return WW_OK;
}

/* All ranks see the same: pieces are long, and everyone's outputs can be written to. */
static bool goes_by_pieces(const splitting *s) {
    const uint32_t ranks = s->group->engine.ranks;
    uint64_t all = 0;
    bool direct = true;
    for (uint64_t b = 0; b < s->buckets; b++) all += s->read_counts[b];
    for (uint32_t r = 0; r < ranks; r++) direct = direct && s->group->said[r].number[1];
    return direct && all / s->buckets / ranks * s->in[0].size >= PIECE_BYTES;
}

/* How many elements come to a rank; whether all have room. */
static ww_status check_pieces(const splitting *s) {
    const uint64_t *first = s->group->number[WW__CUT];
    ww_status status = WW_OK;
    for (uint32_t r = 0; r < s->group->engine.ranks; r++) {
        uint64_t comes = 0;
        for (uint64_t b = first[r]; b < first[r + 1]; b++) comes += s->read_counts[b];
        if (r == s->group->engine.rank && s->came) *s->came = comes;
        if (!status && comes > s->group->said[r].number[0])
            status = ww__group_fail(s->group, WW_LIMIT,
                                    "rank %u: keys_out has a capacity of %llu elements, and %llu come", r,
                                    (ull)s->group->said[r].number[0], (ull)comes);
    }
    return status;
}

/* The k-th bucket of every rank: this rank's elements of it go there, and those of this rank's k-th bucket come to *at on. */
static void plan_piece(const splitting *s, uint64_t k, ww__trade *t, uint64_t *numbers, uint64_t *at) {
    const uint32_t ranks = s->group->engine.ranks, me = s->group->engine.rank;
    const uint64_t *first = s->group->number[WW__CUT];
    uint64_t *send_at = numbers, *send = numbers + ranks, *come_at = numbers + 2 * ranks, *come = numbers + 3 * ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        const bool goes = k < first[r + 1] - first[r], comes = k < first[me + 1] - first[me];
        const uint64_t theirs = first[r] + k, mine = first[me] + k;
        send_at[r] = goes ? s->read_offsets[theirs] : 0;
        send[r] = goes ? s->read_offsets[theirs + 1] - s->read_offsets[theirs] : 0;
        come_at[r] = *at;
        come[r] = comes ? s->all_counts[r * s->buckets + mine] : 0;
        *at += come[r];
    }
    *t = (ww__trade){.send_at = send_at, .send_count = send, .receive_at = come_at, .receive_count = come};
}

static ww_status trade_pieces(const splitting *s) {
    ww_group *group = s->group;
    const uint32_t ranks = group->engine.ranks;
    const uint64_t *first = group->number[WW__CUT];
    uint64_t *numbers = group->kept_host[WW__SPLIT_PIECES].data, most = 0, at = 0;
    for (uint32_t r = 0; r < ranks; r++) most = first[r + 1] - first[r] > most ? first[r + 1] - first[r] : most;
    for (uint64_t k = 0; k < most;) {
        ww__trade trades[WW__TRADES];
        size_t many = 0;
        for (; k < most && many + s->sides <= WW__TRADES; k++) {
            ww__trade t;
            plan_piece(s, k, &t, numbers + 4 * ranks * many, &at);
            for (size_t side = 0; side < s->sides; side++) {
                t.send = s->own[side].data;
                t.receive = s->out[side].data;
                t.size = s->in[side].size;
                trades[many++] = t;
            }
        }
        WW_TRY(ww__group_trade(group, trades, many));
    }
    return WW_OK;
}

/* ---- what comes out ---- */

/* Of the whole array: from the counts of all ranks, in their place. */
static ww_status put_offsets(const splitting *s) {
    uint64_t *offsets = s->read_offsets, sum = 0;
    if (!s->offsets.type) return WW_OK;
    for (uint64_t b = 0; b < s->buckets; b++) {
        offsets[b] = sum;
        sum += s->read_counts[b];
    }
    offsets[s->buckets] = sum;
    const ww_input all = ww_memory(offsets, s->buckets + 1);
    return ww_store(s->group->device, s->offsets.type == &ww_type_uint32_t ? ww_cast(&ww_type_uint32_t, all) : all,
                    s->offsets);
}

static ww_status put(const splitting *s) {
    const ww_input in[2] = {ww_from(s->coming[0]), s->sides > 1 ? ww_from(s->coming[1]) : ww_no_input};
    ww_array out[2] = {s->out[0], s->out[1]};
    for (size_t side = 0; side < s->sides; side++) out[side].count = s->coming[0].count;
    WW_TRY(split_array(s, in, out, ww_none));
    WW_TRY(put_offsets(s));
    return ww_sync(s->group->device);
}

/* ---- the call ---- */

static ww_status check_side(const splitting *s, size_t side, const char *name, const char *name_out) {
    ww_group *group = s->group;
    const ww_input *in = &s->in[side];
    const ww_array *out = &s->out[side];
    WW_TRY(ww__group_check_array(group, name_out, out));
    WW_GROUP_CHECK(group, in->type == out->type && in->size == out->size, WW_TYPE,
                   "%s is of type %s (%zu bytes), %s of %s (%zu)", name, in->type->label, in->size, name_out,
                   out->type->label, out->size);
    WW_GROUP_CHECK(group, out->count == s->out[0].count, WW_INVALID, "keys_out has %llu elements, values_out %llu",
                   (ull)s->out[0].count, (ull)out->count);
    return WW_OK;
}

static ww_status check_ranges(const splitting *s) {
    const uint32_t ranks = s->group->engine.ranks;
    for (uint32_t r = 0; s->ranges && r < ranks; r++)
        WW_GROUP_CHECK(s->group, s->ranges[r] <= s->ranges[r + 1] && (r || !s->ranges[0]), WW_INVALID,
                       "ranges do not ascend from 0 on: %llu is before %llu at %u", (ull)s->ranges[r],
                       (ull)s->ranges[r + 1], r);
    WW_GROUP_CHECK(s->group, !s->ranges || s->ranges[ranks] == s->buckets, WW_INVALID,
                   "ranges end at %llu, and there are %llu buckets", s->ranges ? (ull)s->ranges[ranks] : 0,
                   (ull)s->buckets);
    return WW_OK;
}

static ww_status check(const splitting *s) {
    ww_group *group = s->group;
    WW_TRY(ww__group_check_begin(group));
    WW_GROUP_CHECK(group, s->buckets && s->buckets <= BUCKETS_MOST, s->buckets ? WW_LIMIT : WW_INVALID,
                   "there are %llu buckets; a group takes 1 to %d", (ull)s->buckets, BUCKETS_MOST);
    WW_GROUP_CHECK(group, s->in[0].steps && s->in[0].type, WW_INVALID, "keys is missing");
    WW_GROUP_CHECK(group, !s->in[1].steps == !s->out[1].type, WW_INVALID, "only one of values and values_out is given");
    WW_TRY(check_ranges(s));
    WW_TRY(check_side(s, 0, "keys", "keys_out"));
    if (s->offsets.type) {
        WW_TRY(ww__group_check_array(group, "offsets", &s->offsets));
        WW_GROUP_CHECK(group, s->offsets.type == &ww_type_uint32_t || s->offsets.type == &ww_type_uint64_t, WW_TYPE,
                       "offsets is of type %s; it has to be u32 or u64", s->offsets.type->label);
        WW_GROUP_CHECK(group, s->offsets.count == s->buckets + 1, WW_INVALID,
                       "offsets has %llu elements for %llu buckets", (ull)s->offsets.count, (ull)s->buckets);
    }
    if (s->sides < 2) return WW_OK;
    WW_TRY(check_side(s, 1, "values", "values_out"));
    return ww__group_check_apart(group, "keys_out", &s->out[0], "values_out", &s->out[1]);
}

static void agree_on(const splitting *s, unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_function(s->group, &digest, s->bucket_of);
    ww__agree_number(&digest, s->buckets);
    ww__agree_type(&digest, s->in[0].type, s->in[0].size);
    ww__agree_type(&digest, s->in[1].type, s->in[1].size);
    for (uint32_t r = 0; s->ranges && r <= s->group->engine.ranks; r++) ww__agree_number(&digest, s->ranges[r]);
    ww__digest_end(&digest, alike);
}

/* Of many buckets: all ranks' counts added up. The status is agreed on. */
static ww_status add_counts(const splitting *s, ww_status status, const unsigned char *alike) {
    ww_group *group = s->group;
    WW_TRY(ww__group_agree(group, status, alike, NULL, 0));
    WW_TRY(ww__group_sum(group, WW__SPLIT_OTHERS, &s->counts));
    status = ww_copy(group->device, ww_from(s->counts), ww_array(s->read_counts, s->buckets));
    if (!status) status = ww_sync(group->device);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

/* Whether engines may write to the outputs. */
static bool is_direct(const splitting *s) {
    if (ww__group_is_far(s->group, false)) return false;
    for (size_t side = 0; side < s->sides; side++)
        if (!ww__group_own_memory(s->group, &s->out[side])) return false;
    return true;
}

static void share(const splitting *s) {
    share_buckets(s);
    for (uint32_t r = 0; s->first_bucket && r <= s->group->engine.ranks; r++)
        s->first_bucket[r] = s->group->number[WW__CUT][r];
}

static ww_status split_by_stores(splitting *s) {
    ww_group *group = s->group;
    ww_status status;
    WW_TRY(ww__split_stores_count(s));
    share(s);
    WW_TRY(check_pieces(s));
    WW_TRY(ww__split_store(s, &status));
    if (!status) status = put_offsets(s);
    if (!status) status = ww_sync(group->device);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

static ww_status split(splitting *s) {
    ww_group *group = s->group;
    unsigned char alike[WW__DIGEST];
    ww_status status = check(s);
    agree_on(s, alike);
    const bool few = are_few(s);
    if (few && ww__local_has_devices(&group->engine)) {
        bool stores;
        s->direct = !status && is_direct(s);
        WW_TRY(ww__split_stores(s, status, alike, &stores));
        if (stores) return split_by_stores(s);
    }
    if (!status) status = split_own(s);
    s->direct = !status && is_direct(s);
    WW_TRY(few ? tell_counts(s, status, alike) : add_counts(s, status, alike));
    share(s);
    if (few && goes_by_pieces(s)) {
        WW_TRY(check_pieces(s));
        WW_TRY(trade_pieces(s));
        status = put_offsets(s);
        if (!status) status = ww_sync(group->device);
        return ww__group_agree(group, status, NULL, NULL, 0);
    }
    WW_TRY(plan(s));
    WW_TRY(trade(s));
    return ww__group_agree(group, put(s), NULL, NULL, 0);
}

ww_status ww_group_split(ww_group *group, const ww_function *bucket_of, uint64_t buckets, const uint64_t *ranges,
                         ww_input keys, ww_input values, ww_array keys_out, ww_array values_out, ww_array offsets,
                         uint64_t *first_bucket, uint64_t *came) {
    splitting s = {.group = group,
                   .bucket_of = bucket_of,
                   .buckets = buckets,
                   .ranges = ranges,
                   .in = {keys, values},
                   .out = {keys_out, values_out},
                   .offsets = offsets,
                   .first_bucket = first_bucket,
                   .came = came,
                   .sides = values.steps ? 2 : 1};
    WW_TRY(ww__group_enter(group, "ww_group_split"));
    return ww__group_leave(group, split(&s));
}
