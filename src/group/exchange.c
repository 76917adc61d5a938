/* Elements to the ranks that they are for. Ranks tell each other how many; only then is it known whether all have room. */
#include "device/array.h"
#include "group/group.h"

typedef unsigned long long ull;

typedef struct exchanging {
    ww_array in, out;
    const uint64_t *counts;
    uint64_t *received;
    uint64_t sent;
    ww_array send, receive; /* what the engine is given */
} exchanging;

enum { SEND, RECEIVE }; /* places of what is kept */

static ww_status check(ww_group *group, const ww_input *in, exchanging *x) {
    WW_TRY(ww__group_check_begin(group));
    WW_GROUP_CHECK(group, x->counts, WW_INVALID, "counts is NULL");
    WW_GROUP_CHECK(group, in->steps, WW_INVALID, "in is missing");
    WW_TRY(ww__group_check_memory(group, "in", in, &x->in));
    WW_TRY(ww__group_check_array(group, "out", &x->out));
    WW_GROUP_CHECK(group, x->in.type == x->out.type && x->in.size == x->out.size, WW_TYPE,
                   "in is of type %s (%zu bytes), out of %s (%zu)", x->in.type->label, x->in.size, x->out.type->label,
                   x->out.size);
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        WW_GROUP_CHECK(group, !__builtin_add_overflow(x->sent, x->counts[r], &x->sent), WW_INVALID,
                       "counts have a sum of 2^64 or more");
    WW_GROUP_CHECK(group, x->sent == x->in.count, WW_INVALID, "counts have a sum of %llu, and in has %llu elements",
                   (ull)x->sent, (ull)x->in.count);
    return ww__group_check_apart(group, "in", &x->in, "out", &x->out);
}

/* An engine of a GPU's memory is given that alone: the caller's arrays may lie anywhere. */
static ww_status stage(ww_group *group, exchanging *x, uint64_t comes) {
    x->send = x->in;
    x->receive = x->out;
    x->receive.count = comes;
    if (!group->device->gpu || group->engine.memory != WW_ENGINE_DEVICE) return WW_OK;
    if (!ww__group_own_memory(group, &x->out))
        WW_TRY(ww__group_room(group, RECEIVE, comes, x->out.size, &x->receive.data));
    if (ww__group_own_memory(group, &x->in)) return WW_OK;
    WW_TRY(ww__group_room(group, SEND, x->sent, x->in.size, &x->send.data));
    return x->sent ? ww_copy(group->device, ww_from(x->in), x->send) : WW_OK;
}

static ww_status unstage(ww_group *group, const exchanging *x) {
    ww_array out = x->out;
    if (x->receive.data == out.data || !x->receive.count) return WW_OK;
    out.count = x->receive.count;
    return ww_copy(group->device, ww_from(x->receive), out);
}

/* From how many come from each rank: whether all ranks have room for it. */
static ww_status check_room(ww_group *group, ww_status status, uint64_t comes, uint64_t room) {
    WW_TRY(ww__group_agree(group, status, NULL, (const uint64_t[]){comes, room}, 2));
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (group->said[r].number[0] > group->said[r].number[1])
            return ww__group_fail(group, WW_LIMIT, "rank %u: out has a capacity of %llu elements, and %llu come", r,
                                  (ull)group->said[r].number[1], (ull)group->said[r].number[0]);
    return WW_OK;
}

static ww_status exchange(ww_group *group, const ww_input *in, exchanging *x) {
    unsigned char alike[WW__DIGEST];
    uint64_t *const *number = group->number;
    const ww_status status = check(group, in, x);
    ww__digest digest;
    ww__digest_begin(&digest);
    if (!status) ww__agree_type(&digest, x->in.type, x->in.size);
    ww__digest_end(&digest, alike);
    WW_TRY(ww__group_agree(group, status, alike, NULL, 0));
    WW_TRY(ww__group_swap_numbers(group, x->counts, number[WW__RECEIVE_COUNT]));
    for (uint32_t r = 0; x->received && r < group->engine.ranks; r++) x->received[r] = number[WW__RECEIVE_COUNT][r];
    const uint64_t comes = ww__group_places(group, number[WW__RECEIVE_COUNT], number[WW__RECEIVE_AT]);
    WW_TRY(check_room(group, comes > x->out.count ? WW_OK : stage(group, x, comes), comes, x->out.count));
    ww__group_places(group, x->counts, number[WW__SEND_AT]);
    WW_TRY(ww__group_trade(group,
                           &(ww__trade){.send = x->send.data,
                                        .receive = x->receive.data,
                                        .size = x->in.size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = x->counts,
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = number[WW__RECEIVE_COUNT]},
                           1));
    return ww__group_agree(group, unstage(group, x), NULL, NULL, 0);
}

ww_status ww_group_exchange(ww_group *group, ww_input in, const uint64_t *counts, ww_array out, uint64_t *received) {
    exchanging x = {.counts = counts, .out = out, .received = received};
    WW_TRY(ww__group_enter(group, "ww_group_exchange"));
    return ww__group_leave(group, exchange(group, &in, &x));
}
