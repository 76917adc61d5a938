/* Histograms of blocks, and their sum. */
#include <string.h>

#include "group/sums.h"
#include "warpwise/primitive.h"

enum { OWN, OTHERS }; /* places of what is kept */

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
    ww_array own; /* what comes out */
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

/* ---- the call ---- */

static ww_status rooms(histogram *h) {
    const ww_array *like = &h->counts;
    void *data;
    WW_TRY(ww__group_room(h->group, OWN, like->count, like->size, &data));
    h->own = (ww_array){data, like->count, like->type, like->size, NULL, 0};
    return ww__group_sum_room(h->group, OTHERS, &h->own);
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
    WW_TRY(ww__group_sum(group, OTHERS, &h->own));
    if (h->outside.type) WW_TRY(ww_copy(group->device, ww_memory(&outside, 1), h->outside));
    if (h->taken.accumulate) return ww__group_add(group, h->counts, &h->own);
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
