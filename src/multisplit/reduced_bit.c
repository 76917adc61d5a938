/* Multisplit by sorting (Ashkiani 2017, section 3.3.4, reduced-bit sort): the buckets' numbers of all keys are made; they
 * are sorted by as many bits as the largest number has, with counted positions as values; then keys and values are gathered
 * by the positions. Sorts of a few bits are short: a pass over labels and positions for each eight bits. */
#include "function/types.h"
#include "multisplit/sides.h"
#include "primitive/map/map.h"
#include "radix/radix.h"
#include "radix/radix_gpu.h"

/* Where the sort counts positions itself. */
static ww_status sort_gpu(const ww__splitting *s, const ww_array *labels, const ww_array *positions) {
    const ww__sweeping job = {.keys = labels->data,
                              .keys_out = labels->data,
                              .values_out = positions->data,
                              .n = labels->count,
                              .key_size = labels->size,
                              .value_size = positions->size,
                              .bit_count = ww__bucket_bits(s->by.buckets)};
    return ww__radix_sort_gpu(s->device, &job);
}

static ww_status sort_cpu(const ww__splitting *s, const ww_array *labels, const ww_array *positions) {
    const ww_input counting = ww_counting(positions->type, 0, positions->count);
    const ww__radix job = {.keys = labels->data,
                           .values = positions->data,
                           .keys_out = labels->data,
                           .values_out = positions->data,
                           .n = labels->count,
                           .key_size = labels->size,
                           .value_size = positions->size,
                           .mask = ww__radix_ones(ww__bucket_bits(s->by.buckets))};
    WW_TRY(ww__map(s->device, &(ww__map_request){.in = &counting, .out = positions}));
    return ww__radix_sort(s->device, &job);
}

ww_status ww__multisplit_reduced_bit(const ww__splitting *s) {
    ww_device *device = s->device;
    const bool gpu = device->backend == WW__BACKEND_GPU;
    const uint64_t n = s->keys.count;
    const ww_type *type, *position = ww__position_type(n);
    ww_input positions = ww_counting(position, 0, n);
    void *memory;
    if (!gpu)
        ww__trace(device, "reduced-bit", s->by.asked, n, 2 * n * (s->keys.size + s->values.size), device->threads);
    WW_TRY(gpu ? ww__bucket_labels_gpu(s, &type, &memory) : ww__bucket_labels_cpu(s, &type, &memory));
    const ww_array labels = ww_array_of(memory, n, type);
    if (s->by.buckets > 1 && n > 1) {
        ww_array sorted = ww_array_of(NULL, n, position);
        WW_TRY(ww__scratch_array(device, n, position->size, &sorted.data));
        WW_TRY(gpu ? sort_gpu(s, &labels, &sorted) : sort_cpu(s, &labels, &sorted));
        positions = ww_from(sorted);
    }
    const ww_input in = ww_from(labels);
    return ww__multisplit_gather(s, &in, &positions);
}
