/* Finding in blocks. Matches inside of a block are found there. Those that cross its end are found in its last characters and those of
 * the blocks behind it that a match may reach, which these send; where ranks are GPUs and the pattern is short, by their hosts. */
#include <string.h>

#include "device/steps.h"
#include "group/group.h"
#include "warpwise/primitive.h"
#include "warpwise/text.h"

typedef unsigned long long ull;

WW_MAP(shift_u32, uint32_t, uint32_t, x, uint64_t, by, { return (uint32_t)(x + *by); });
WW_MAP(shift_u64, uint64_t, uint64_t, x, uint64_t, by, { return x + *by; });

enum { TEXT, HEAD, BORDER, FOUND, FOUND_IN_BORDER }; /* places of what is kept */
enum { HOST_TEXT, HOST_FOUND };                      /* the host's: heads and the border; matches there */
enum { SHORT = 512, FEW_RANKS = 16 };                /* characters of a pattern */

typedef struct finding {
    ww_group *group;
    ww_input text;
    const void *pattern;
    uint64_t length; /* of the pattern */
    ww_array positions, count;
    uint64_t *all;
    const ww_find_options *options;
    ww_find_options taken, plain; /* as given; without a method */
    bool on_host;                 /* borders are looked at there */
    const unsigned char *block; /* the text's */
    unsigned char *head, *border, *heads; /* heads: all ranks', on a host */
    ww_array found, found_in_border;
    uint64_t inside, crossing; /* matches */
} finding;

static ww_array characters(const finding *f, const void *data, uint64_t count) {
    return (ww_array){(void *)(uintptr_t)data, count, f->text.type, 1, NULL, 0};
}

/* ---- what is sent ---- */

/* The block's own characters at the beginning of its border: one fewer than the pattern has. */
static uint64_t before_end(const finding *f) { return ww__min_u64(f->length - 1, f->text.count); }

/* How many of rank q's first characters a match that begins on rank r may reach. */
static uint64_t reached(const finding *f, uint32_t r, uint32_t q) {
    const uint64_t *at = f->group->number[WW__BLOCK_AT], *count = f->group->number[WW__NUMBERS_MORE];
    const uint64_t far = at[r] + count[r] + f->length - 1;
    return q > r && far > at[q] ? ww__min_u64(far - at[q], count[q]) : 0;
}

/* As trade_heads: all hosts hear of all heads, as long as the longest may be. */
static ww_status tell_heads(const finding *f, uint64_t *comes) {
    ww_group *group = f->group;
    const size_t bytes = (size_t)(f->length - 1);
    unsigned char *to = f->border + before_end(f);
    if (!bytes) return WW_OK;
    WW_TRY(ww__group_gather(group, f->head, bytes, f->heads));
    for (uint32_t q = 0; q < group->engine.ranks; q++) {
        const uint64_t more = reached(f, group->engine.rank, q);
        memcpy(to + *comes, f->heads + q * bytes, (size_t)more);
        *comes += more;
    }
    return WW_OK;
}

/* Into the border, behind the block's own last characters; *comes is how many. */
static ww_status trade_heads(const finding *f, uint64_t *comes) {
    uint64_t *const *number = f->group->number;
    const uint32_t me = f->group->engine.rank;
    *comes = 0;
    if (f->on_host) return tell_heads(f, comes);
    for (uint32_t q = 0; q < f->group->engine.ranks; q++) {
        number[WW__SEND_AT][q] = 0;
        number[WW__SEND_COUNT][q] = reached(f, q, me);
        number[WW__RECEIVE_AT][q] = before_end(f) + *comes;
        number[WW__RECEIVE_COUNT][q] = reached(f, me, q);
        *comes += number[WW__RECEIVE_COUNT][q];
    }
    return ww__group_trade(f->group,
                           &(ww__trade){.send = f->head,
                                        .receive = f->border,
                                        .size = 1,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = number[WW__RECEIVE_COUNT]},
                           1);
}

/* ---- what is found ---- */

static ww_status host_rooms(finding *f) {
    const uint64_t reach = f->length, ranks = f->group->engine.ranks;
    void *data;
    WW_TRY(ww__group_host(f->group));
    WW_TRY(ww__group_host_room(f->group, HOST_TEXT, (3 + ranks) * reach, 1, &f->head));
    f->border = f->head + reach;
    f->heads = f->border + 2 * reach;
    if (!f->positions.type) return WW_OK;
    WW_TRY(ww__group_host_room(f->group, HOST_FOUND, reach, f->positions.size, &data));
    f->found_in_border = (ww_array){data, reach, f->positions.type, f->positions.size, NULL, 0};
    return WW_OK;
}

static ww_status rooms(finding *f) {
    const uint64_t reach = f->length;
    void *data;
    f->block = ww__input_memory(&f->text);
    if (!ww__input_is_memory(&f->text)) {
        WW_TRY(ww__group_room(f->group, TEXT, f->text.count, 1, &data));
        WW_TRY(ww_store(f->group->device, f->text, characters(f, data, f->text.count)));
        f->block = data;
    }
    if (f->positions.type) {
        WW_TRY(ww__group_room(f->group, FOUND, f->positions.count, f->positions.size, &data));
        f->found = (ww_array){data, f->positions.count, f->positions.type, f->positions.size, NULL, 0};
    }
    if (f->on_host) return host_rooms(f);
    WW_TRY(ww__group_room(f->group, HEAD, reach, 1, &data));
    f->head = data;
    WW_TRY(ww__group_room(f->group, BORDER, 2 * reach, 1, &data));
    f->border = data;
    if (!f->positions.type) return WW_OK;
    WW_TRY(ww__group_room(f->group, FOUND_IN_BORDER, reach, f->positions.size, &data));
    f->found_in_border = (ww_array){data, reach, f->positions.type, f->positions.size, NULL, 0};
    return WW_OK;
}

static ww_status find_in(const finding *f, const void *text, uint64_t characters_, ww_array found, uint64_t *count) {
    return ww_find(f->group->device, ww_from(characters(f, text, characters_)), f->pattern, f->length, found,
                   ww_array(count, 1), f->options);
}

static ww_status find_in_border(finding *f, uint64_t comes) {
    const uint64_t n = before_end(f) + comes;
    if (!f->on_host) return find_in(f, f->border, n, f->found_in_border, &f->crossing);
    const ww_status status = ww_find(f->group->host, ww_from(characters(f, f->border, n)), f->pattern, f->length,
                                     f->found_in_border, ww_array(&f->crossing, 1), &f->plain);
    return status ? ww__group_say(f->group, status, "%s", ww_error(f->group->host)) : WW_OK;
}

/* Inside of the block, and what it sends and begins its border with. That is there when ww_find has said how many there are. */
static ww_status find_inside(finding *f) {
    ww_device *device = f->group->device;
    const uint64_t ends = before_end(f), n = f->text.count;
    f->on_host = f->group->all_gpus && f->length <= SHORT && f->group->engine.ranks <= FEW_RANKS;
    f->plain = f->taken;
    f->plain.size = sizeof f->plain;
    f->plain.method = WW_FIND_AUTO;
    WW_TRY(rooms(f));
    if (ends) {
        WW_TRY(ww_copy(device, ww_from(characters(f, f->block, ends)), characters(f, f->head, ends)));
        WW_TRY(ww_copy(device, ww_from(characters(f, f->block + n - ends, ends)), characters(f, f->border, ends)));
    }
    WW_TRY(find_in(f, f->block, n, f->found, &f->inside));
    return f->on_host && !n ? ww_sync(device) : WW_OK;
}

/* Matches from number `first` of this rank's on, as positions of the whole text. */
static ww_status put(const finding *f, const ww_array *found, uint64_t many, uint64_t first, uint64_t shift) {
    const ww_function *by = f->positions.type == &ww_type_uint32_t ? ww_with(shift_u32, &shift)
                                                                   : ww_with(shift_u64, &shift);
    const uint64_t room = f->positions.count > first ? f->positions.count - first : 0;
    ww_array from = *found, to = f->positions;
    if (!f->positions.type || !ww__min_u64(many, room)) return WW_OK;
    from.count = to.count = ww__min_u64(many, room);
    to.data = (unsigned char *)to.data + first * to.size;
    return ww_map(f->group->device, by, ww_from(from), to);
}

/* ---- the call ---- */

static ww_status check(finding *f) {
    ww_group *group = f->group;
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(ww__group_take_options(group, f->options, "WW_FIND_OPTIONS", &f->taken, sizeof f->taken));
    WW_GROUP_CHECK(group, f->text.steps && (f->text.type == &ww_type_uint8_t || f->text.type == &ww_type_int8_t),
                   WW_TYPE, "text is missing, or no u8 or i8");
    WW_GROUP_CHECK(group, !f->taken.packed, WW_INVALID, "options.packed is not for groups");
    WW_GROUP_CHECK(group, f->pattern && f->length && f->length <= WW_PATTERN_MOST, f->length ? WW_LIMIT : WW_INVALID,
                   "the pattern has %llu characters", (ull)f->length);
    WW_TRY(ww__group_check_array(group, "count", &f->count));
    WW_GROUP_CHECK(group,
                   f->count.count == 1 && (f->count.type == &ww_type_uint32_t || f->count.type == &ww_type_uint64_t),
                   WW_TYPE, "count is not one u32 or u64");
    return f->positions.type ? ww__group_check_array(group, "positions", &f->positions) : WW_OK;
}

static void agree_on(const finding *f, unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_number(&digest, f->length);
    if (f->pattern && f->length <= WW_PATTERN_MOST) ww__digest_add(&digest, f->pattern, f->length);
    ww__agree_number(&digest, f->taken.fold);
    ww__agree_number(&digest, f->taken.alphabet_bits);
    ww__digest_end(&digest, alike);
}

/* From the ranks' lengths: where their blocks are, and whether positions can say so. */
static ww_status lie(finding *f) {
    ww_group *group = f->group;
    uint64_t *count = group->number[WW__NUMBERS_MORE];
    for (uint32_t q = 0; q < group->engine.ranks; q++) count[q] = group->said[q].number[0];
    const uint64_t all = ww__group_blocks(group, 0, group->number[WW__BLOCK_AT]);
    for (uint32_t q = 0; q < group->engine.ranks; q++)
        if (group->said[q].number[1] && all > (uint64_t)UINT32_MAX + 1)
            return ww__group_fail(group, WW_TYPE, "rank %u: positions is u32, and the text has %llu characters", q,
                                  (ull)all);
    return WW_OK;
}

static ww_status put_count(const finding *f, uint64_t count) {
    const uint32_t small = (uint32_t)count;
    const ww_array one = {f->count.type == &ww_type_uint32_t ? (void *)(uintptr_t)&small : &count, 1, f->count.type,
                          f->count.size, NULL, 0};
    return ww__group_put(f->group, one, f->count);
}

static ww_status find(finding *f) {
    ww_group *group = f->group;
    unsigned char alike[WW__DIGEST];
    uint64_t comes = 0;
    ww_status status = check(f);
    if (!status) status = find_inside(f);
    agree_on(f, alike);
    const uint64_t said[2] = {f->text.count, f->positions.type == &ww_type_uint32_t};
    WW_TRY(ww__group_agree(group, status, alike, said, 2));
    WW_TRY(lie(f));
    WW_TRY(trade_heads(f, &comes));
    status = find_in_border(f, comes);
    const uint64_t mine = f->inside + f->crossing, at = group->number[WW__BLOCK_AT][group->engine.rank];
    WW_TRY(ww__group_agree(group, status, NULL, &mine, 1));
    uint64_t all = 0;
    for (uint32_t q = 0; q < group->engine.ranks; q++) all += group->said[q].number[0];
    status = put(f, &f->found, f->inside, 0, at);
    if (!status) status = put(f, &f->found_in_border, f->crossing, f->inside, at + f->text.count - before_end(f));
    if (!status) status = put_count(f, mine);
    if (!status) status = ww_sync(group->device);
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    if (f->all) *f->all = all;
    return WW_OK;
}

ww_status ww_group_find(ww_group *group, ww_input text, const void *pattern, uint64_t pattern_count, ww_array positions,
                        ww_array count, uint64_t *all, const ww_find_options *options) {
    finding f = {.group = group,
                 .text = text,
                 .pattern = pattern,
                 .length = pattern_count,
                 .positions = positions,
                 .count = count,
                 .all = all,
                 .options = options};
    WW_TRY(ww__group_enter(group, "ww_group_find"));
    return ww__group_leave(group, find(&f));
}
