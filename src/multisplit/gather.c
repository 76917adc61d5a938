/* The end of the methods that split labels instead of keys: labels are in order, and positions with them.
 *
 * Keys and values are gathered by the positions: each is read once, at random, and written once. Where bucket b begins is
 * the lower bound of b among the labels: a search for each bucket.
 *
 * On a GPU the launch that made the labels may have found a key without a bucket, which the host does not know yet: gathers
 * and the search look at the record first, and then leave all outputs as they are. */
#include "primitive/gather/gather.h"
#include "device/gpu/batch.h"
#include "multisplit/label_offsets_arguments.cuh"
#include "multisplit/sides.h"
#include "primitive/map/map.h"
#include "primitive/search/search.h"

enum { THREADS = 256 };

static bool on_gpu(const ww_device *device) { return device->backend == WW__BACKEND_GPU; }

static ww_status gather_gpu(ww_device *device, const ww_array *from, const ww_input *positions, const ww_array *out) {
    ww_array to = *out;
    WW_TRY(ww__gpu_room_kept(device, out, &to.data)); /* the gather may do nothing */
    WW_TRY(ww__gather(device, &(ww__gather_request){from, positions, &to}));
    return ww__gpu_result(device, out->data, to.data, out->size);
}

static ww_status gather(ww_device *device, const ww_input *in, const ww_input *positions, const ww_array *out) {
    ww_array from;
    WW_TRY(ww__stored(device, in, &from));
    return on_gpu(device) ? gather_gpu(device, &from, positions, out)
                          : ww__gather(device, &(ww__gather_request){&from, positions, out});
}

static ww_status say_nothing(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    (void)device, (void)call, (void)position, (void)value;
    return WW_OK; /* the search reports nothing */
}

static ww_status offsets_gpu(const ww__splitting *s, const ww_input *labels) {
    const void *memory = ww__input_memory(labels);
    ww__gpu_checking checking;
    ww__recipe r;
    ww__recipe_begin(&r, "multisplit/label_offsets.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_type(&r, "ww_label", labels->type, labels->size, NULL);
    ww__recipe_type(&r, "ww_offset", s->offsets.type, s->offsets.size, NULL);
    WW_TRY(ww__gpu_checking_begin(s->device, say_nothing, NULL, 0, &checking));
    ww__arguments a;
    const label_offsets_arguments all = {.offsets = s->offsets.data,
                                         .labels = memory,
                                         .buckets = s->by.buckets,
                                         .count = labels->count,
                                         .checking = checking};
    WW__ARGUMENTS(&a, all);
    return ww__gpu_launch(s->device, &r, "label_offsets", ww__blocks(s->by.buckets + 1, THREADS), THREADS, 0, &a);
}

static ww_status offsets_cpu(const ww__splitting *s, const ww_input *labels) {
    const ww_input buckets = ww_counting(labels->type, 0, s->by.buckets);
    ww_array begins = s->offsets, end = s->offsets;
    begins.count = s->by.buckets;
    end.data = (unsigned char *)end.data + s->by.buckets * end.size;
    const ww__search_request search = {
        .order = ww__order(NULL, labels->type, labels->size), .sorted = labels, .needles = &buckets, .out = &begins};
    WW_TRY(ww__search(s->device, &search));
    return ww__put_count(s->device, &end, labels->count);
}

ww_status ww__multisplit_offsets(const ww__splitting *s, const ww_input *labels) {
    return on_gpu(s->device) ? offsets_gpu(s, labels) : offsets_cpu(s, labels);
}

ww_status ww__multisplit_gather(const ww__splitting *s, const ww_input *labels, const ww_input *positions) {
    WW_TRY(gather(s->device, &s->keys, positions, &s->keys_out));
    if (s->values.steps) WW_TRY(gather(s->device, &s->values, positions, &s->values_out));
    return ww__is_none(&s->offsets) ? WW_OK : ww__multisplit_offsets(s, labels);
}
