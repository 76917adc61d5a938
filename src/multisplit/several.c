/* ww_multisplit_several: records that belong to several buckets.
 *
 * A scan of how many buckets each record belongs to gives every record its place in a list of (bucket, position) pairs, and
 * the length of the list. A launch writes the list, which is then split by the buckets, stably: positions come out in order. */
#include "device/call.h"
#include "device/gpu/gpu.h"
#include "multisplit/multisplit.h"
#include "primitive/map/map.h"
#include "primitive/reduce/reduce.h"
#include "primitive/scan/scan.h"

typedef unsigned long long ull;

enum { BUCKETS_MOST = 64 };

WW_MAP(many_buckets, uint64_t, uint64_t, mask, void, none, { return (uint64_t)ww_popcount(mask); });

/* The position where a bit stands that is no bucket's, else 2^64 - 1. */
WW_MAP2(position_of_fault, uint64_t, uint64_t, mask, uint64_t, position, uint32_t, buckets,
        { return mask >> *buckets ? position : ~(uint64_t)0; });

WW_STRUCT(listing, {
    const uint64_t *masks;
    const uint64_t *places;
    uint8_t *labels;
    unsigned char *positions;
});

#define LIST(T) \
    WW_KERNEL(list_##T, listing, l, rank, { \
        uint64_t place = l->places[rank]; \
        uint64_t mask = l->masks[rank]; \
        for (uint32_t b = 0; mask; b++) { \
            if (mask & 1) { \
                l->labels[place] = (uint8_t)b; \
                ((T *)l->positions)[place] = (T)rank; \
                place++; \
            } \
            mask >>= 1; \
        } \
    });
LIST(uint32_t)
LIST(uint64_t)

typedef struct request {
    ww_device *device;
    ww_input categories;
    uint64_t buckets;
    ww_array index_out, offsets, count;
} request;

/* Every record in every bucket. */
static uint64_t most(const request *r) {
    uint64_t all;
    return __builtin_mul_overflow(r->categories.count, r->buckets, &all) ? UINT64_MAX : all;
}

static ww_status check_offsets(const request *r) {
    ww_device *device = r->device;
    WW_TRY(ww__check_counts(device, "offsets", &r->offsets, ww__min_u64(r->index_out.count, most(r))));
    WW_CHECK(device, r->offsets.count == r->buckets + 1, WW_INVALID,
             "offsets has %llu elements, and %llu buckets have %llu", (ull)r->offsets.count, (ull)r->buckets,
             (ull)r->buckets + 1);
    WW_TRY(ww__check_apart(device, "categories", &r->categories, "offsets", &r->offsets, WW__APART));
    return ww__check_outputs_apart(device, "index_out", &r->index_out, "offsets", &r->offsets);
}

static ww_status check_count(const request *r) {
    ww_device *device = r->device;
    WW_TRY(ww__check_one(device, "count", &r->count));
    WW_TRY(ww__check_counts(device, "count", &r->count, most(r)));
    WW_TRY(ww__check_apart(device, "categories", &r->categories, "count", &r->count, WW__APART));
    WW_TRY(ww__check_outputs_apart(device, "index_out", &r->index_out, "count", &r->count));
    return ww__is_none(&r->offsets) ? WW_OK
                                    : ww__check_outputs_apart(device, "offsets", &r->offsets, "count", &r->count);
}

static ww_status check(const request *r) {
    ww_device *device = r->device;
    const ww_input *in = &r->categories;
    WW_TRY(ww__check_input(device, "categories", in));
    WW_CHECK(device, in->type == &ww_type_uint64_t, WW_TYPE, "categories is of type %s, not u64", in->type->label);
    WW_CHECK(device, r->buckets >= 1 && r->buckets <= BUCKETS_MOST, WW_INVALID,
             "there are %llu buckets; there can be 1 to %d", (ull)r->buckets, BUCKETS_MOST);
    WW_TRY(ww__check_counts(device, "index_out", &r->index_out, in->count ? in->count - 1 : 0));
    WW_TRY(ww__check_apart(device, "categories", in, "index_out", &r->index_out, WW__APART));
    if (!ww__is_none(&r->offsets)) WW_TRY(check_offsets(r));
    return ww__is_none(&r->count) ? WW_OK : check_count(r);
}

/* Fails where a record belongs to a bucket that there is not. */
static ww_status check_masks(const request *r, const ww_input *masks) {
    const uint32_t buckets = (uint32_t)r->buckets;
    const ww_input positions = ww_counting(&ww_type_uint64_t, 0, masks->count);
    const ww_input faults = ww_mapped2(ww_with(position_of_fault, &buckets), *masks, positions);
    const ww_function *least = ww__operator(&ww_min, faults.type, faults.size);
    uint64_t first;
    const ww_array result = ww_array(&first, 1);
    if (buckets == BUCKETS_MOST) return WW_OK;
    const ww__scratch_mark mark = ww__scratch_here(r->device);
    WW_TRY(ww__reduce(r->device, &(ww__reduce_request){least, &faults, &result}));
    ww__scratch_back(r->device, &mark);
    if (r->device->on_paper) return WW_OK;
    WW_CHECK(r->device, first == UINT64_MAX, WW_RANGE, "categories[%llu] has a bucket that is not below %u", (ull)first,
             buckets);
    return WW_OK;
}

static ww_status scan(const request *r, const ww_input *masks, uint64_t **places, uint64_t *total) {
    const ww_input many = ww_mapped(&many_buckets_ww, *masks);
    WW_TRY(ww__scratch_array(r->device, masks->count, sizeof **places, places));
    const ww__scratch_mark mark = ww__scratch_here(r->device);
    const ww_array out = ww_array(*places, masks->count);
    const ww__scanning s = {.op = ww__operator(&ww_add, many.type, many.size),
                            .in = &many,
                            .out = &out,
                            .total = total,
                            .exclusive = true};
    WW_TRY(ww__scan(r->device, &s));
    ww__scratch_back(r->device, &mark);
    return WW_OK;
}

static ww_status split_list(const request *r, const ww_array *masks, const uint64_t *places, uint64_t total) {
    ww_device *device = r->device;
    const ww_type *position = r->index_out.type;
    ww__splitting s = {.by = {.asked = &ww_by_number, .buckets = r->buckets},
                       .values_out = r->index_out,
                       .offsets = r->offsets};
    listing l = {.masks = masks->data, .places = places};
    uint8_t *sorted;
    s.by.map = ww__bucket_map(&ww_by_number, &ww_type_uint8_t, 1);
    s.values_out.count = total;
    if (total) {
        const ww_function *list = position->size == 4 ? &list_uint32_t_ww : &list_uint64_t_ww;
        WW_TRY(ww__scratch(device, total, &l.labels));
        WW_TRY(ww__scratch(device, total, &sorted));
        WW_TRY(ww__scratch_array(device, total, position->size, &l.positions));
        const ww_function with = ww_bound(list, &l, 1, list->environment);
        WW_TRY(ww__launch(device, &(ww__launch_request){&with, masks->count, NULL}));
        s.keys = ww_memory(l.labels, total);
        s.keys_out = ww_array(sorted, total);
        s.values = ww_memory_of(l.positions, total, position);
    }
    return ww__multisplit(device, &s);
}

static ww_status several(const request *r) {
    ww_array masks;
    uint64_t *places, total = 0;
    WW_TRY(check(r));
    if (r->categories.count) {
        WW_TRY(ww__stored(r->device, &r->categories, &masks));
        const ww_input in = ww_from(masks);
        WW_TRY(check_masks(r, &in));
        WW_TRY(scan(r, &in, &places, &total));
        if (r->device->on_paper) total = ww__min_u64(r->index_out.count, most(r));
    }
    if (!ww__is_none(&r->count)) WW_TRY(ww__put_count(r->device, &r->count, total));
    WW_CHECK(r->device, total <= r->index_out.count, WW_LIMIT,
             "%llu positions are listed, and index_out has a capacity of %llu", (ull)total, (ull)r->index_out.count);
    return split_list(r, &masks, places, total);
}

ww_status ww_multisplit_several(ww_device *device, uint64_t buckets, ww_input categories, ww_array index_out,
                                ww_array offsets, ww_array count) {
    request r = {device, categories, buckets, index_out, offsets, count};
    WW_CALL(device, "ww_multisplit_several", several(&r), WW_READS(&r.categories), WW_WRITES_SOME(&r.index_out),
            WW_WRITES(&r.offsets));
}
