/* Histograms of blocks, and their sum. Few counts go from all ranks to all; of many each rank gets a part from all others, adds it up,
 * and sends that to all. */
#include <string.h>

#include "group/group.h"
#include "warpwise/primitive.h"

WW_MAP2(add_u32, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a + b; });
WW_MAP2(add_u64, uint64_t, uint64_t, a, uint64_t, b, void, none, { return a + b; });

enum { OWN, OTHERS, FEW_BYTES = 4096 }; /* places of what is kept; how much goes to all */

/* One of the three calls, on a rank's block. */
typedef struct histogram histogram;
typedef ww_status counting(const histogram *h, ww_array counts, ww_array outside, const ww_histogram_options *options);
struct histogram {
    ww_group *group;
    counting *count;
    const ww_function *bucket_of;
    const ww_input *in, *edges;
    const ww_value *low, *high;
    ww_array counts, outside;
    const ww_histogram_options *options;
    ww_histogram_options taken;
    uint64_t own_outside;
    ww_array own;        /* what comes out */
    unsigned char *rows; /* all ranks' counts: of all bins, or of this rank's part of them */
};

static ww_status by_function(const histogram *h, ww_array counts, ww_array outside,
                             const ww_histogram_options *options) {
    return ww_histogram(h->group->device, h->bucket_of, *h->in, counts, outside, options);
}
static ww_status even(const histogram *h, ww_array counts, ww_array outside, const ww_histogram_options *options) {
    return ww_histogram_even(h->group->device, *h->in, *h->low, *h->high, counts, outside, options);
}
static ww_status by_edges(const histogram *h, ww_array counts, ww_array outside, const ww_histogram_options *options) {
    return ww_histogram_edges(h->group->device, *h->in, *h->edges, counts, outside, options);
}

static ww_array bins(const histogram *h, void *data, uint64_t count) {
    return (ww_array){data, count, h->counts.type, h->counts.size, NULL, 0};
}

static ww_status add(const histogram *h, ww_array to, const ww_array *more) {
    const ww_function *sum = h->counts.type == &ww_type_uint32_t ? &add_u32_ww : &add_u64_ww;
    return ww_map2(h->group->device, sum, ww_from(to), ww_from(*more), to);
}

/* ---- sums ---- */

/* Rank r adds up bins first_of(r) … first_of(r + 1) - 1. */
static uint64_t first_of(const histogram *h, uint32_t r) {
    const uint64_t ranks = h->group->engine.ranks;
    return h->counts.count / ranks * r + ww__min_u64(h->counts.count % ranks, r);
}

static bool are_few(const histogram *h) { return h->counts.count * h->counts.size <= FEW_BYTES; }

/* Into own from `first` on: `count` bins of every row. Its own row is there too. */
static ww_status add_rows(const histogram *h, uint64_t first, uint64_t count) {
    const ww_array sum = bins(h, (unsigned char *)h->own.data + first * h->counts.size, count);
    const size_t bytes = (size_t)count * h->counts.size;
    if (!count) return WW_OK;
    WW_TRY(ww_copy(h->group->device, ww_from(bins(h, h->rows, count)), sum));
    for (uint32_t r = 1; r < h->group->engine.ranks; r++) {
        const ww_array row = bins(h, h->rows + r * bytes, count);
        WW_TRY(add(h, sum, &row));
    }
    return WW_OK;
}

/* Bins from every rank to every rank: `parts`: of each its own part to each, else all to all. */
static ww_status trade_rows(const histogram *h, bool parts) {
    ww_group *group = h->group;
    uint64_t *const *number = group->number;
    const uint32_t me = group->engine.rank;
    const uint64_t width = parts ? first_of(h, me + 1) - first_of(h, me) : h->counts.count;
    for (uint32_t r = 0; r < group->engine.ranks; r++) {
        number[WW__SEND_AT][r] = parts ? first_of(h, r) : 0;
        number[WW__SEND_COUNT][r] = parts ? first_of(h, r + 1) - first_of(h, r) : h->counts.count;
        number[WW__RECEIVE_AT][r] = r * width;
        number[WW__RECEIVE_COUNT][r] = width;
    }
    return ww__group_trade(group,
                           &(ww__trade){.send = h->own.data,
                                        .receive = h->rows,
                                        .size = h->counts.size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = number[WW__RECEIVE_COUNT]},
                           1);
}

/* Each rank's part goes to all; its sums are at its own part of `own`, where the others' parts come. */
static ww_status trade_sums(const histogram *h) {
    ww_group *group = h->group;
    uint64_t *const *number = group->number;
    const uint32_t me = group->engine.rank;
    const uint64_t width = first_of(h, me + 1) - first_of(h, me);
    for (uint32_t r = 0; r < group->engine.ranks; r++) {
        number[WW__SEND_AT][r] = 0;
        number[WW__SEND_COUNT][r] = width;
        number[WW__RECEIVE_AT][r] = first_of(h, r);
        number[WW__RECEIVE_COUNT][r] = first_of(h, r + 1) - first_of(h, r);
    }
    return ww__group_trade(group,
                           &(ww__trade){.send = h->rows,
                                        .receive = h->own.data,
                                        .size = h->counts.size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = number[WW__RECEIVE_COUNT]},
                           1);
}

/* This rank's part, added up: in `own`, and in `rows`, as what is sent may not be where something comes. */
static ww_status add_part(const histogram *h) {
    const uint32_t me = h->group->engine.rank;
    const uint64_t first = first_of(h, me), width = first_of(h, me + 1) - first;
    WW_TRY(add_rows(h, first, width));
    if (!width) return WW_OK;
    return ww_copy(h->group->device, ww_from(bins(h, (unsigned char *)h->own.data + first * h->counts.size, width)),
                   bins(h, h->rows, width));
}

/* What comes back is agreed on. */
static ww_status sum(const histogram *h) {
    ww_group *group = h->group;
    if (are_few(h)) {
        WW_TRY(trade_rows(h, false));
        return ww__group_agree(group, add_rows(h, 0, h->counts.count), NULL, NULL, 0);
    }
    WW_TRY(trade_rows(h, true));
    WW_TRY(ww__group_agree(group, add_part(h), NULL, NULL, 0));
    WW_TRY(trade_sums(h));
    return ww__group_agree(group, WW_OK, NULL, NULL, 0);
}

/* ---- the call ---- */

static ww_status rooms(histogram *h) {
    const uint64_t ranks = h->group->engine.ranks, width = h->counts.count / ranks + 1;
    void *data;
    WW_TRY(ww__group_room(h->group, OWN, h->counts.count, h->counts.size, &data));
    h->own = bins(h, data, h->counts.count);
    WW_TRY(ww__group_room(h->group, OTHERS, ranks * (are_few(h) ? h->counts.count : width), h->counts.size, &data));
    h->rows = data;
    return WW_OK;
}

/* This rank's counts, and all that is wrong with what it was given. Only then is anything known of the others. */
static ww_status count_own(histogram *h) {
    ww_group *group = h->group;
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(ww__group_check_array(group, "counts", &h->counts));
    if (h->outside.type) {
        WW_TRY(ww__group_check_array(group, "outside", &h->outside));
        WW_GROUP_CHECK(group, h->outside.type == &ww_type_uint64_t && h->outside.count == 1, WW_TYPE,
                       "outside is not one u64");
    }
    if (h->options && h->options->size > sizeof h->taken)
        return ww__group_say(group, WW_INVALID, "options are of a later version");
    if (h->options) memcpy(&h->taken, h->options, h->options->size);
    const bool accumulates = h->taken.accumulate == 1;
    if (accumulates) h->taken.accumulate = 0; /* once, at the end */
    WW_TRY(rooms(h));
    WW_TRY(
        h->count(h, h->own, h->outside.type ? ww_array(&h->own_outside, 1) : ww_none, h->options ? &h->taken : NULL));
    if (accumulates) h->taken.accumulate = 1;
    return ww_sync(group->device); /* which says what a GPU has found in the data */
}

static void agree_on(const histogram *h, unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_function(h->group, &digest, h->bucket_of);
    ww__agree_type(&digest, h->in->type, h->in->size);
    ww__agree_type(&digest, h->counts.type, h->counts.size);
    ww__agree_number(&digest, h->counts.count);
    ww__agree_number(&digest, h->outside.type != NULL);
    if (h->low) ww__digest_add(&digest, h->low->bytes, sizeof h->low->bytes);
    if (h->high) ww__digest_add(&digest, h->high->bytes, sizeof h->high->bytes);
    ww__digest_end(&digest, alike);
}

static ww_status histogram_of(histogram *h) {
    ww_group *group = h->group;
    unsigned char alike[WW__DIGEST];
    uint64_t outside = 0;
    const ww_status status = count_own(h);
    agree_on(h, alike);
    WW_TRY(ww__group_agree(group, status, alike, &h->own_outside, 1));
    for (uint32_t r = 0; r < group->engine.ranks; r++) outside += group->said[r].number[0];
    WW_TRY(sum(h));
    if (h->outside.type) WW_TRY(ww_copy(group->device, ww_memory(&outside, 1), h->outside));
    if (h->taken.accumulate) return add(h, h->counts, &h->own);
    return ww_copy(group->device, ww_from(h->own), h->counts);
}

ww_status ww_group_histogram(ww_group *group, const ww_function *bucket_of, ww_input in, ww_array counts,
                             ww_array outside, const ww_histogram_options *options) {
    histogram h = {.group = group,
                   .count = by_function,
                   .bucket_of = bucket_of,
                   .in = &in,
                   .counts = counts,
                   .outside = outside,
                   .options = options};
    WW_TRY(ww__group_enter(group, "ww_group_histogram"));
    return ww__group_leave(group, histogram_of(&h));
}

ww_status ww_group_histogram_even(ww_group *group, ww_input in, ww_value low, ww_value high, ww_array counts,
                                  ww_array outside, const ww_histogram_options *options) {
    histogram h = {.group = group,
                   .count = even,
                   .in = &in,
                   .low = &low,
                   .high = &high,
                   .counts = counts,
                   .outside = outside,
                   .options = options};
    WW_TRY(ww__group_enter(group, "ww_group_histogram_even"));
    return ww__group_leave(group, histogram_of(&h));
}

ww_status ww_group_histogram_edges(ww_group *group, ww_input in, ww_input edges, ww_array counts, ww_array outside,
                                   const ww_histogram_options *options) {
    histogram h = {.group = group,
                   .count = by_edges,
                   .in = &in,
                   .edges = &edges,
                   .counts = counts,
                   .outside = outside,
                   .options = options};
    WW_TRY(ww__group_enter(group, "ww_group_histogram_edges"));
    return ww__group_leave(group, histogram_of(&h));
}
