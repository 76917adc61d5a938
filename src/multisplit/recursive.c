/* Multisplit by two-way splits (Ashkiani 2017, section 3.3.2, by the bits of the bucket's number): the buckets' numbers of
 * all keys are made; then for each of their bits, the lowest first, labels and positions are split by it. Each split is
 * stable, so that after the last bit labels are in order, and equal ones as they were. Then keys and values are gathered by
 * the positions. A round reads labels and positions once (the bits twice more) and writes them once. */
#include "function/types.h"
#include "multisplit/sides.h"
#include "primitive/split/split.h"

#define LABEL_BIT(T) WW_MAP(bit_of_##T, uint8_t, T, label, uint32_t, bit, { return (uint8_t)(label >> *bit & 1); });
LABEL_BIT(uint8_t)
LABEL_BIT(uint16_t)
LABEL_BIT(uint32_t)

static const ww_function *bit_of(const ww_type *label) {
    return label->size == 1 ? &bit_of_uint8_t_ww : label->size == 2 ? &bit_of_uint16_t_ww : &bit_of_uint32_t_ww;
}

/* `zeros`: room for a count, of the device. */
static ww_status split(ww_device *device, const ww_input *in, const ww_input *flags, const ww_array *out, void *zeros) {
    const ww_array count = ww_array_of(zeros, 1, &ww_type_uint64_t);
    return ww__split(device, &(ww__split_request){.in = in, .flags = flags, .out = out, .zeros = &count,
                                                  .method = WW_SPLIT_STABLE});
}

ww_status ww__multisplit_recursive(const ww__splitting *s) {
    ww_device *device = s->device;
    const bool gpu = device->backend == WW__BACKEND_GPU;
    const uint64_t n = s->keys.count;
    const uint32_t bits = ww__bucket_bits(s->by.buckets);
    const ww_type *label, *position = ww__position_type(n);
    void *first, *labels_room = NULL, *rooms[2] = {NULL, NULL}, *zeros;
    if (!gpu) ww__trace(device, "recursive", s->by.asked, n, 2 * n * (s->keys.size + s->values.size), device->threads);
    WW_TRY(gpu ? ww__bucket_labels_gpu(s, &label, &first) : ww__bucket_labels_cpu(s, &label, &first));
    WW_TRY(ww__scratch(device, sizeof(uint64_t), &zeros));
    if (bits) WW_TRY(ww__scratch_array(device, n, label->size, &labels_room));
    for (uint32_t k = 0; k < bits && k < 2; k++) WW_TRY(ww__scratch_array(device, n, position->size, &rooms[k]));

    ww_input labels = ww_memory_of(first, n, label), positions = ww_counting(position, 0, n);
    for (uint32_t bit = 0; bit < bits; bit++) {
        const ww_function with = ww_bound(bit_of(label), &bit, 1, &ww_type_uint32_t);
        const ww_input flags = ww_mapped(&with, labels);
        const ww_array positions_out = ww_array_of(rooms[bit % 2], n, position);
        const ww_array labels_out = ww_array_of(bit % 2 ? first : labels_room, n, label);
        const ww__scratch_mark mark = ww__scratch_here(device);
        WW_TRY(split(device, &positions, &flags, &positions_out, zeros));
        positions = ww_from(positions_out);
        if (bit + 1 == bits && ww__is_none(&s->offsets)) break; /* nobody asks for the labels any more */
        WW_TRY(split(device, &labels, &flags, &labels_out, zeros));
        labels = ww_from(labels_out);
        ww__scratch_back(device, &mark);
    }
    return ww__multisplit_gather(s, &labels, &positions);
}
