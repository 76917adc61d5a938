/* Multisplit by sorting (the dissertation's section 3.3.4, reduced-bit sort): the buckets' numbers of all keys are made; they
 * are sorted by as many bits as the largest number has, with counted positions as values; then keys and values are gathered
 * by the positions. Sorts of a few bits are short: a pass over labels and positions for each eight bits. */
#include "function/types.h"
#include "multisplit/multisplit.h"
#include "sort/sort.h"

ww_status ww__multisplit_reduced_bit(const ww__splitting *s) {
    ww_device *device = s->device;
    const bool gpu = device->backend == WW__BACKEND_GPU;
    const uint64_t n = s->keys.count;
    const ww_type *type, *position = ww__position_type(n);
    ww_input positions = ww_counting(position, 0, n);
    void *labels, *room;
    if (!gpu)
        ww__trace(device, "reduced-bit", s->by.asked, n, 2 * n * (s->keys.size + s->values.size), device->threads);
    WW_TRY(gpu ? ww__bucket_labels_gpu(s, &type, &labels) : ww__bucket_labels_cpu(s, &type, &labels));
    const ww_input in = ww_memory_of(labels, n, type);
    if (s->by.buckets > 1) {
        WW_TRY(ww__scratch_array(device, n, position->size, &room));
        const ww__sorting sorting = {.keys = in,
                                     .values = positions,
                                     .keys_out = ww_array_of(labels, n, type),
                                     .values_out = ww_array_of(room, n, position),
                                     .bit_count = ww__bucket_bits(s->by.buckets)};
        WW_TRY(gpu ? ww__sort_gpu(device, &sorting) : ww__sort_cpu(device, &sorting));
        positions = ww_memory_of(room, n, position);
    }
    return ww__multisplit_gather(s, &in, &positions);
}
