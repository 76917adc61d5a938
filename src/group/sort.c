/* Sorts of blocks. Each rank sorts its own; exact ranks say where it is to be cut, so that every rank gets as many keys as it has room
 * for (ranks.c); the pieces are exchanged once; and each rank merges what comes, a sorted run from each rank, two by two. Equal keys
 * are cut in the order of ranks, and merged so: the sort is stable. Where keys are compared by some of their bits, for which there is
 * no merge, and where there are so many runs that a sort by digits reads them less often, runs are sorted again. */
#include "warpwise/sort.h"
#include "device/steps.h"
#include "device/gpu/gpu.h"
#include "group/flow.h"
#include "group/local.h"
#include "group/ranks.h"
#include "primitive/merge/merge.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* Places of what is kept: sorted blocks, what comes, and what ranks.c takes. */
enum { SORTED_KEYS, SORTED_VALUES, OTHER_KEYS, OTHER_VALUES, INDEX_KEYS, CUT_PLACE };
_Static_assert(CUT_PLACE + WW__CUT_PLACES <= WW__KEPT, "a place for each");

typedef struct sorting {
    ww_group *group;
    ww__ranks_order order, samples; /* of blocks, and of a few keys */
    ww_sort_options options, plain; /* as they were given; and without a method */
    ww_input keys, values;
    ww_array keys_out, values_out;
    bool has_values;
    ww_array sorted[2], other[2]; /* keys and values */
    bool direct, all_direct;      /* merges and engines may write to the outputs; to those of all ranks */
    bool all_lend;                /* all ranks' kernels reach all others' memory */
    size_t own_run;               /* the run that stays where it was sorted; NONE */
    bool again;                   /* runs are sorted again, not merged */
} sorting;
#define NONE SIZE_MAX

static ww_status by_value(const ww__ranks_order *o, ww_device *device, ww_input keys, ww_input values,
                          ww_array keys_out, ww_array values_out) {
    return ww_sort(device, keys, values, keys_out, values_out, o->options);
}

static ww_status by_order(const ww__ranks_order *o, ww_device *device, ww_input keys, ww_input values,
                          ww_array keys_out, ww_array values_out) {
    return ww_sort_by(device, o->less, keys, values, keys_out, values_out, o->options);
}

/* ---- merging what comes ---- */

static ww_array part(const ww_array *all, uint64_t first, uint64_t count) {
    return (ww_array){(unsigned char *)all->data + first * all->size, count, all->type, all->size, NULL, 0};
}

/* Run r's keys or values: in `from`, or where this rank has sorted them. */
static ww_input run_of(const sorting *s, const ww_array *from, size_t k, const uint64_t *bound, size_t r, size_t own) {
    const uint64_t count = bound[r + 1] - bound[r];
    if (k && !s->has_values) return ww_no_input;
    if (r != own) return ww_from(part(&from[k], bound[r], count));
    return ww_from(part(&s->sorted[k], s->group->number[WW__SEND_AT][s->group->engine.rank], count));
}

/* Runs begin at bound[0 … runs], in `from`, but for run `own`; every two become one in `to`. */
static ww_status merge_pairs(const sorting *s, const ww_array from[2], const ww_array to[2], uint64_t *bound,
                             size_t *runs, size_t own) {
    ww_device *device = s->group->device;
    size_t made = 0;
    for (size_t r = 0; r < *runs; r += 2) {
        const uint64_t a = bound[r], end = r + 2 <= *runs ? bound[r + 2] : bound[r + 1];
        ww_input in[2][2];
        ww_array out[2];
        for (size_t k = 0; k < 2; k++) {
            in[k][0] = run_of(s, from, k, bound, r, own);
            in[k][1] = r + 2 <= *runs        ? run_of(s, from, k, bound, r + 1, own)
                       : k && !s->has_values ? ww_no_input
                                             : ww_from(part(&from[k], a, 0));
            out[k] = s->has_values || !k ? part(&to[k], a, end - a) : ww_none;
        }
        WW_TRY(ww_merge(device, s->order.less, in[0][0], in[0][1], in[1][0], in[1][1], out[0], out[1]));
        bound[made++] = a;
        bound[made] = end;
    }
    *runs = made;
    return WW_OK;
}

static size_t passes_of(size_t runs) {
    size_t passes = 0;
    for (size_t k = 1; k < runs; k *= 2) passes++;
    return passes;
}

/* Of 2^22 keys of 4 and 8 bytes in 16 runs four passes of merges took 1.3 times what a sort took, in 64 runs twice as long (one thread of a
 * Xeon with AVX-512, 2026-11-27). On an H100 a sort of 2^30 u32 takes what five passes take. */
static bool sorts_again(const sorting *s, size_t passes) {
    enum { PASSES = 4, KEY_BYTES = 8 };
    return s->options.bit_count || (s->order.sort == by_value && s->keys.size <= KEY_BYTES && passes >= PASSES);
}

/* The runs that come to `at`, as bound[0 … runs]. Empty ones are left out. *own: which one is this rank's. */
static size_t runs_of(const sorting *s, uint64_t *bound, size_t *own) {
    const uint64_t *at = s->group->number[WW__RECEIVE_AT], *count = s->group->number[WW__RECEIVE_COUNT];
    size_t runs = 0;
    bound[0] = 0;
    *own = NONE;
    for (uint32_t r = 0; r < s->group->engine.ranks; r++) {
        if (!count[r]) continue;
        if (r == s->group->engine.rank) *own = runs;
        bound[++runs] = at[r] + count[r];
    }
    return runs;
}

static ww_status copy_out(const sorting *s, const ww_array from[2]) {
    const uint64_t n = s->keys_out.count;
    if (from[0].data != s->keys_out.data) WW_TRY(ww_copy(s->group->device, ww_from(part(&from[0], 0, n)), s->keys_out));
    if (!s->has_values || from[1].data == s->values_out.data) return WW_OK;
    return ww_copy(s->group->device, ww_from(part(&from[1], 0, n)), s->values_out);
}

/* Whether the outputs are memory that engines and merges write to as to any. */
static bool is_direct(const sorting *s) {
    return ww__group_own_memory(s->group, &s->keys_out) &&
           (!s->has_values || ww__group_own_memory(s->group, &s->values_out));
}

/* Where what comes is put, and where merges write, so many passes before the last one, which writes the outputs: these and `other` take
 * turns. So this rank's own run can stay where it was sorted until the first pass. Outputs that are written to by way of
 * other memory are written once. */
static const ww_array *landing(const sorting *s, const ww_array out[2], size_t passes) {
    return s->direct && passes % 2 == 0 && !s->again ? out : s->other;
}
static const ww_array *target(const sorting *s, const ww_array *from, const ww_array out[2], size_t left) {
    if (s->direct) return left % 2 ? out : s->other;
    return left == 1 ? out : from == s->sorted ? s->other : s->sorted;
}

static ww_status finish(const sorting *s, const ww_array *landed, const ww_array out[2], uint64_t *bound, size_t runs) {
    const ww_array *from = landed;
    const uint64_t n = s->keys_out.count;
    if (s->again) {
        const ww__ranks_order *order = s->options.bit_count ? &s->order : &s->samples; /* by whatever method */
        return order->sort(order, s->group->device, ww_from(part(&from[0], 0, n)),
                           s->has_values ? ww_from(part(&from[1], 0, n)) : ww_no_input, s->keys_out, s->values_out);
    }
    size_t own = s->own_run;
    for (size_t left = passes_of(runs); left; left--) {
        const ww_array *to = target(s, from, out, left);
        WW_TRY(merge_pairs(s, from, to, bound, &runs, own));
        from = to;
        own = NONE;
    }
    return copy_out(s, from);
}

/* ---- the exchange ---- */

static ww_status trade_pieces(const sorting *s, const ww_array *landed) {
    uint64_t *const *number = s->group->number;
    ww__trade trade[2];
    for (size_t k = 0; k < 2; k++)
        trade[k] = (ww__trade){.send = s->sorted[k].data,
                               .receive = landed[k].data,
                               .size = s->sorted[k].size,
                               .send_at = number[WW__SEND_AT],
                               .send_count = number[WW__SEND_COUNT],
                               .receive_at = number[WW__RECEIVE_AT],
                               .receive_count = number[WW__RECEIVE_COUNT]};
    return ww__group_trade(s->group, trade, s->has_values ? 2 : 1);
}

/* How much goes where, from the cuts; agreed on. Only of an order that is none another number comes than there is room for. */
static ww_status plan_pieces(const sorting *s, bool come_known) {
    ww_group *group = s->group;
    uint64_t *const *number = group->number;
    const uint64_t *cut = number[WW__CUT];
    ww_status status = WW_OK;
    for (uint32_t b = 0; b < group->engine.ranks; b++) number[WW__SEND_COUNT][b] = cut[b + 1] - cut[b];
    if (!come_known) WW_TRY(ww__group_swap_numbers(group, number[WW__SEND_COUNT], number[WW__RECEIVE_COUNT]));
    ww__group_places(group, number[WW__SEND_COUNT], number[WW__SEND_AT]);
    if (ww__group_places(group, number[WW__RECEIVE_COUNT], number[WW__RECEIVE_AT]) != s->keys_out.count)
        status = ww__group_say(group, WW_INVALID, "the keys' order is not a strict weak order");
    return come_known ? status : ww__group_agree(group, status, NULL, NULL, 0);
}

/* Whether both of two ranks do it: from what both know. */
static bool flows(const sorting *s) {
    uint64_t *const *number = s->group->number;
    if (s->group->engine.ranks != 2 || s->options.bit_count) return false;
    const uint32_t other = 1 - s->group->engine.rank;
    return ww__group_flows(s->group, s->all_direct, number[WW__SEND_COUNT][other] + number[WW__RECEIVE_COUNT][other],
                           s->keys.size);
}

static ww_status flow(const sorting *s) {
    uint64_t *const *number = s->group->number;
    const uint32_t me = s->group->engine.rank, other = 1 - me;
    ww__flow o = {.group = s->group,
                  .less = s->order.less,
                  .sorted = {s->sorted[0], s->sorted[1]},
                  .landing = {s->other[0], s->other[1]},
                  .out = {s->keys_out, s->values_out},
                  .sides = s->has_values ? 2 : 1,
                  .own_at = number[WW__SEND_AT][me],
                  .own = number[WW__SEND_COUNT][me],
                  .go_at = number[WW__SEND_AT][other],
                  .go = number[WW__SEND_COUNT][other],
                  .come_at = other ? 0 : s->group->said[0].number[0] - number[WW__RECEIVE_COUNT][0],
                  .come = number[WW__RECEIVE_COUNT][other]};
    ww_status status;
    WW_TRY(ww__group_flow(&o, &status));
    return ww__group_agree(s->group, status, NULL, NULL, 0);
}

/* ---- of two ranks whose kernels reach each other's memory, few keys: each merges its part out of both blocks ---- */

/* The other way takes less time an element, and starts later. */
static bool lends(const sorting *s, uint64_t all) {
    enum { MOST_BYTES = 256 << 20 };
    return s->group->engine.ranks == 2 && s->all_lend && s->all_direct && !s->options.bit_count &&
           (!s->order.less || s->order.less->role == WW_ROLE_BUILT_IN) &&
           all <= ((uint64_t)MOST_BYTES >> s->group->device->gpu->driver->sooner) / s->keys.size;
}

typedef struct visit {
    const sorting *s;
    uint64_t first; /* of this rank's output, in the whole array */
    ww_status status;
} visit;

static void merge_with(void *visitor, const void *theirs) {
    visit *v = visitor;
    const sorting *s = v->s;
    const ww_array *of[2] = {s->sorted, theirs};
    const uint32_t me = s->group->engine.rank;
    const ww_array *a = of[me], *b = of[1 - me]; /* of equal keys rank 0's come first */
    v->status = ww__merge_some(s->group->device, s->order.less, ww_from(a[0]), ww_from(b[0]),
                               s->has_values ? ww_from(a[1]) : ww_no_input, s->has_values ? ww_from(b[1]) : ww_no_input,
                               v->first, s->keys_out, s->has_values ? s->values_out : ww_none);
}

static ww_status lend(const sorting *s) {
    ww_group *group = s->group;
    const ww_engine *e = &group->engine;
    visit v = {.s = s, .first = group->number[WW__BLOCK_AT][e->rank]};
    char why[WW_ENGINE_WHY] = "";
    ww_status status = ww__local_lend(e, s->sorted, merge_with, &v, why);
    if (!status) status = e->wait(e->state, group->limit_ms, why);
    if (status) return ww__group_lost(group, status, why);
    return ww__group_agree(group, v.status, NULL, NULL, 0);
}

/* After the ranks have agreed on their arguments and sorted blocks. */
static ww_status put_together(sorting *s) {
    ww_group *group = s->group;
    const ww_array out[2] = {s->keys_out, s->values_out};
    uint64_t *before = group->number[WW__BLOCK_AT];
    const uint64_t room = ww__group_blocks(group, 1, before);
    uint64_t there = 0;
    s->all_direct = s->all_lend = true;
    for (uint32_t r = 0; r < group->engine.ranks; r++) {
        there += group->said[r].number[0];
        s->all_direct = s->all_direct && group->said[r].number[2];
        s->all_lend = s->all_lend && group->said[r].number[3];
    }
    if (there != room)
        return ww__group_fail(group, WW_INVALID, "the blocks have %llu keys in all, and the outputs a capacity of %llu",
                              (ull)there, (ull)room);
    if (lends(s, there)) return lend(s);
    bool come_known = false;
    WW_TRY(ww__group_cut(group, CUT_PLACE, &s->samples, &s->sorted[0], before, group->number[WW__CUT],
                         group->number[WW__RECEIVE_COUNT], &come_known));
    WW_TRY(plan_pieces(s, come_known));
    if (come_known && flows(s)) return flow(s);
    uint64_t *bound = group->number[WW__BLOCK_AT];
    const size_t runs = runs_of(s, bound, &s->own_run), passes = passes_of(runs);
    s->again = sorts_again(s, passes);
    const ww_array *landed = landing(s, out, passes);
    if (!s->direct || !passes || s->again) s->own_run = NONE;
    if (s->own_run != NONE)
        group->number[WW__SEND_COUNT][group->engine.rank] = group->number[WW__RECEIVE_COUNT][group->engine.rank] = 0;
    WW_TRY(trade_pieces(s, landed));
    return ww__group_agree(group, finish(s, landed, out, bound, runs), NULL, NULL, 0);
}

/* ---- the calls ---- */

static ww_status check_values(const sorting *s) {
    ww_group *group = s->group;
    if (!s->has_values) {
        WW_GROUP_CHECK(group, !s->values_out.type, WW_INVALID, "values_out is given, and values is missing");
        return WW_OK;
    }
    WW_GROUP_CHECK(group, s->values.count == s->keys.count, WW_INVALID, "keys has %llu elements, values %llu",
                   (ull)s->keys.count, (ull)s->values.count);
    WW_TRY(ww__group_check_array(group, "values_out", &s->values_out));
    WW_GROUP_CHECK(group, s->values_out.type == s->values.type && s->values_out.size == s->values.size, WW_TYPE,
                   "values is of type %s (%zu bytes), values_out of %s (%zu)", s->values.type->label, s->values.size,
                   s->values_out.type->label, s->values_out.size);
    WW_GROUP_CHECK(group, s->values_out.count == s->keys_out.count, WW_INVALID,
                   "keys_out has %llu elements, values_out %llu", (ull)s->keys_out.count, (ull)s->values_out.count);
    return ww__group_check_apart(group, "keys_out", &s->keys_out, "values_out", &s->values_out);
}

static ww_status check(sorting *s, const ww_sort_options *given) {
    ww_group *group = s->group;
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(ww__group_take_options(group, given, "WW_SORT_OPTIONS", &s->options, offsetof(ww_sort_options, reserved)));
    s->plain = s->options;
    s->plain.method = WW_SORT_AUTO;
    WW_GROUP_CHECK(group, s->keys.steps && s->keys.type && s->keys.size, WW_INVALID, "keys is missing");
    WW_TRY(ww__group_check_array(group, "keys_out", &s->keys_out));
    WW_GROUP_CHECK(group, s->keys_out.type == s->keys.type && s->keys_out.size == s->keys.size, WW_TYPE,
                   "keys is of type %s (%zu bytes), keys_out of %s (%zu)", s->keys.type->label, s->keys.size,
                   s->keys_out.type->label, s->keys_out.size);
    WW_GROUP_CHECK(group, !s->options.descending || !s->order.less || s->order.less->role == WW_ROLE_BUILT_IN,
                   WW_INVALID, "descending is for the library's orders; give the reverse of yours");
    return check_values(s);
}

/* One piece of memory for `count` elements like those of an input. */
static ww_status room_like(ww_group *group, size_t place, const ww_input *like, uint64_t count, uint64_t most,
                           ww_array *room) {
    void *data;
    WW_TRY(ww__group_room(group, place, most, like->size, &data));
    *room = (ww_array){data, count, like->type, like->size, NULL, 0};
    return WW_OK;
}

static ww_status rooms(sorting *s) {
    const uint64_t n = s->keys.count, out = s->keys_out.count, most = n > out ? n : out;
    const ww_input *const like[2] = {&s->keys, &s->values};
    for (size_t k = 0; k < (s->has_values ? 2 : 1); k++) {
        WW_TRY(room_like(s->group, SORTED_KEYS + k, like[k], n, most, &s->sorted[k]));
        WW_TRY(room_like(s->group, OTHER_KEYS + k, like[k], out, most + WW__FLOW_MORE, &s->other[k]));
    }
    WW_TRY(ww__group_flow_room(s->group, s->keys.size));
    return ww__group_cut_rooms(s->group, CUT_PLACE, &s->samples, s->keys.size);
}

static ww_status sort_own(sorting *s) {
    WW_TRY(rooms(s));
    WW_TRY(s->order.sort(&s->order, s->group->device, s->keys, s->values, s->sorted[0],
                         s->has_values ? s->sorted[1] : ww_none));
    /* what merges go by, from here on */
    if (s->order.less == &ww_ascending) s->order.less = NULL;
    if (s->options.descending) s->order.less = s->order.less == &ww_descending ? NULL : &ww_descending;
    return ww_sync(s->group->device);
}

static void agree_on(const sorting *s, const ww_function *less, unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_function(s->group, &digest, less);
    ww__agree_type(&digest, s->keys.type, s->keys.size);
    ww__agree_type(&digest, s->values.type, s->has_values ? s->values.size : 0);
    ww__agree_number(&digest, s->options.descending);
    ww__agree_number(&digest, ((uint64_t)s->options.bit_first << 32) | s->options.bit_count);
    ww__digest_end(&digest, alike);
}

static ww_status sort(sorting *s, ww_status status) {
    unsigned char alike[WW__DIGEST];
    const ww_function *less = s->order.less;
    if (!status) status = sort_own(s);
    agree_on(s, less, alike);
    s->direct = !status && is_direct(s);
    const uint64_t counts[4] = {s->keys.count, s->keys_out.count, s->direct, ww__local_lends(&s->group->engine)};
    WW_TRY(ww__group_agree(s->group, status, alike, counts, 4));
    return put_together(s);
}

static sorting begin(ww_group *group, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out) {
    return (sorting){.group = group,
                     .keys = keys,
                     .values = values,
                     .keys_out = keys_out,
                     .values_out = values_out,
                     .has_values = values.steps != 0};
}

/* Orders refer to options of the same struct, which does not move from here on. */
static void order_by(sorting *s, const ww_function *less, bool values) {
    s->order = (ww__ranks_order){values ? by_value : by_order, less, &s->options};
    s->samples = (ww__ranks_order){values ? by_value : by_order, less, &s->plain};
}

ww_status ww_group_sort(ww_group *group, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                        const ww_sort_options *options) {
    sorting s = begin(group, keys, values, keys_out, values_out);
    WW_TRY(ww__group_enter(group, "ww_group_sort"));
    order_by(&s, NULL, true);
    return ww__group_leave(group, sort(&s, check(&s, options)));
}

ww_status ww_group_sort_by(ww_group *group, const ww_function *less, ww_input keys, ww_input values, ww_array keys_out,
                           ww_array values_out, const ww_sort_options *options) {
    sorting s = begin(group, keys, values, keys_out, values_out);
    WW_TRY(ww__group_enter(group, "ww_group_sort_by"));
    order_by(&s, less, false);
    return ww__group_leave(group, sort(&s, check(&s, options)));
}

/* Positions in the whole array are this rank's values; where they begin the ranks have to learn first. */
static ww_status sort_index(sorting *s, const ww_sort_options *options) {
    ww_group *group = s->group;
    ww_status status = ww__group_check_begin(group);
    if (!status && !s->keys.steps) status = ww__group_say(group, WW_INVALID, "keys is missing");
    if (!status) status = ww__group_check_array(group, "index_out", &s->values_out);
    if (!status && s->values_out.type != &ww_type_uint32_t && s->values_out.type != &ww_type_uint64_t)
        status = ww__group_say(group, WW_TYPE, "index_out is of type %s; it has to be u32 or u64",
                               s->values_out.type->label);
    if (!status)
        status = room_like(group, INDEX_KEYS, &s->keys, s->values_out.count, s->values_out.count, &s->keys_out);
    WW_TRY(ww__group_agree(group, status, NULL, &s->keys.count, 1));
    const uint64_t all = ww__group_blocks(group, 0, group->number[WW__BLOCK_AT]);
    const bool narrow = s->values_out.type == &ww_type_uint32_t;
    if (narrow && all > (uint64_t)UINT32_MAX + 1)
        status = ww__group_say(group, WW_TYPE, "index_out is u32, and there are %llu keys", (ull)all);
    s->values = ww_counting(s->values_out.type, group->number[WW__BLOCK_AT][group->engine.rank], s->keys.count);
    s->has_values = true;
    return sort(s, status ? status : check(s, options));
}

ww_status ww_group_sort_index(ww_group *group, ww_input keys, ww_array index_out, const ww_sort_options *options) {
    sorting s = begin(group, keys, ww_no_input, ww_none, index_out);
    WW_TRY(ww__group_enter(group, "ww_group_sort_index"));
    order_by(&s, NULL, true);
    return ww__group_leave(group, sort_index(&s, options));
}
