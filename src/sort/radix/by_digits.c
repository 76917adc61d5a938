/* Sorting by stable splits, on every device (Ashkiani 2017, section 3.7.1): for each digit of the keys, the lowest first, keys
 * go to the digit's buckets. Digits of one bit are two-way splits of keys, and of values by the same flags; digits of up to
 * eight are multisplits. What digits are of, a number that orders the keys, is made of each key as it is read.
 *
 * Rounds go back and forth between the output and scratch memory, and end in the output. Values of sizes that are not moved
 * with their keys stay: their positions are moved, and the values gathered at the end. */
#include "multisplit/multisplit.h"
#include "primitive/split/split.h"
#include "sort/by_position.h"
#include "sort/order.h"
#include "sort/radix/sort_keys_gpu.h"
#include "sort/sides.h"

/* Bits low … of the number that orders a key; kind: ww__key_kind. What is in the maps' bodies is expanded before they become
 * text, which knows no macros. */
WW_STRUCT(sort_digit, { uint32_t low, mask, kind, descending; });
#define EXPANDED_MAP(...) WW_MAP(__VA_ARGS__)
#define DIGIT_OF(T) \
    EXPANDED_MAP(digit_of_##T, uint8_t, T, key, sort_digit, d, { \
        const T flip = WW_KEY_FLIP(T, 8 * sizeof(T), d->kind, d->descending), \
                fold = WW_KEY_FOLD(T, 8 * sizeof(T), d->kind); \
        const T number = WW_KEY_NUMBER(T, key, flip, fold); \
        return (uint8_t)WW_KEY_DIGIT(number, d->low, d->mask); \
    });
DIGIT_OF(uint8_t)
DIGIT_OF(uint16_t)
DIGIT_OF(uint32_t)
DIGIT_OF(uint64_t)
#if WW_HAS_U128
DIGIT_OF(ww_u128)
#endif

typedef struct digit_kind { /* of keys of one size */
    const ww_type *number;
    const ww_function *digit;
} digit_kind;

static digit_kind kind_of(size_t size) {
    static const digit_kind kinds[] = {
        {&ww_type_uint8_t, &digit_of_uint8_t_ww},
        {&ww_type_uint16_t, &digit_of_uint16_t_ww},
        {&ww_type_uint32_t, &digit_of_uint32_t_ww},
        {&ww_type_uint64_t, &digit_of_uint64_t_ww},
#if WW_HAS_U128
        {&ww_type_ww_u128, &digit_of_ww_u128_ww}
#endif
    };
    size_t k = 0;
    while (kinds[k].number->size != size) k++;
    return kinds[k];
}

typedef struct place { /* of all keys and values */
    ww_array keys, values;
} place;

typedef struct sorting {
    ww_device *device;
    const ww__sorting *s;
    uint32_t width; /* bits of a digit; of 1 bit two-way splits are made */
    digit_kind kind;
    ww__key_kind order;
    void *zeros; /* room for a count, of the device */
} sorting;

static bool on_gpu(const sorting *q) { return q->device->backend == WW__BACKEND_GPU; }

static sort_digit digit_at(const sorting *q, uint32_t done, uint32_t bits) {
    return (sort_digit){q->s->bit_first + done, (1u << bits) - 1, (uint32_t)q->order, q->s->descending};
}

/* ---- a round ---- */

static ww_status split_one(const sorting *q, const ww_array *from, const ww_input *flags, const ww_array *to) {
    const ww_input in = ww_from(*from);
    const ww_array zeros = ww_array_of(q->zeros, 1, &ww_type_uint64_t);
    return ww__split(q->device, &(ww__split_request){
                                    .in = &in, .flags = flags, .out = to, .zeros = &zeros, .method = WW_SPLIT_STABLE});
}

static ww_status split_in_two(const sorting *q, uint32_t done, const place *from, const place *to) {
    const sort_digit digit = digit_at(q, done, 1);
    const ww_function with = ww_bound(q->kind.digit, &digit, 1, &sort_digit_ww);
    const ww_input flags = ww_mapped(&with, ww_from(from->keys));
    WW_TRY(split_one(q, &from->keys, &flags, &to->keys));
    return q->s->values.steps ? split_one(q, &from->values, &flags, &to->values) : WW_OK;
}

static ww_status multisplit_gpu(const sorting *q, uint32_t done, uint32_t bits, const place *from, const place *to) {
    const ww__sweeping job = {.keys = from->keys.data,
                              .values = from->values.data,
                              .keys_out = to->keys.data,
                              .values_out = to->values.data,
                              .n = q->s->keys.count,
                              .key_size = q->s->keys.size,
                              .value_size = q->s->values.steps ? from->values.size : 0,
                              .order = q->order,
                              .descending = q->s->descending,
                              .bit_first = q->s->bit_first + done,
                              .bit_count = bits};
    return ww__sweeps_gpu(q->device, &job, NULL);
}

static ww_status multisplit_cpu(const sorting *q, uint32_t done, uint32_t bits, const place *from, const place *to) {
    const sort_digit digit = digit_at(q, done, bits);
    const ww_function with = ww_bound(q->kind.digit, &digit, 1, &sort_digit_ww);
    const ww__splitting split = {.by = {.map = &with, .asked = &with, .buckets = (uint64_t)1 << bits},
                                 .keys = ww_from(from->keys),
                                 .values = q->s->values.steps ? ww_from(from->values) : ww_no_input,
                                 .keys_out = to->keys,
                                 .values_out = to->values};
    return ww__multisplit(q->device, &split);
}

static ww_status run_round(const sorting *q, uint32_t done, uint32_t bits, const place *from, const place *to) {
    if (q->width == 1) return split_in_two(q, done, from, to);
    return on_gpu(q) ? multisplit_gpu(q, done, bits, from, to) : multisplit_cpu(q, done, bits, from, to);
}

/* ---- all rounds ---- */

/* Where an input is read: its own memory, or `room`, to which it is brought where it is computed or about to be written. */
static ww_status bring(const sorting *q, const ww_input *in, const ww_array *first_out, const ww_array *room,
                       ww_array *where) {
    *where = *room;
    where->data = (void *)(uintptr_t)ww__input_memory(in); /* which is only read */
    if (where->data && where->data != first_out->data) return WW_OK;
    where->data = room->data;
    const ww_array to = {.data = room->data, .count = in->count, .type = in->type, .size = in->size};
    return ww__sort_store(q->device, in, &to);
}

static ww_status run_rounds(const sorting *q) {
    const ww__sorting *s = q->s;
    const uint32_t width = q->width;
    const uint32_t rounds = (s->bit_count + width - 1) / width;
    const bool values = s->values.steps != 0;
    place out = {s->keys_out, s->values_out}, scratch = out, from = out;
    WW_TRY(ww__scratch_array(q->device, s->keys.count, s->keys.size, &scratch.keys.data));
    if (values) WW_TRY(ww__scratch_array(q->device, s->keys.count, s->values.size, &scratch.values.data));
    out.keys.type = scratch.keys.type = q->kind.number;
    const place *to = rounds % 2 ? &out : &scratch, *other = rounds % 2 ? &scratch : &out;
    WW_TRY(bring(q, &s->keys, &to->keys, &other->keys, &from.keys));
    if (values) WW_TRY(bring(q, &s->values, &to->values, &other->values, &from.values));
    for (uint32_t done = 0; done < s->bit_count; done += width) {
        const uint32_t left = s->bit_count - done;
        const ww__scratch_mark mark = ww__scratch_here(q->device);
        WW_TRY(run_round(q, done, left < width ? left : width, &from, to));
        ww__scratch_back(q->device, &mark);
        from = *to;
        to = to == &out ? &scratch : &out;
    }
    return WW_OK;
}

static ww_status sort(ww_device *device, const ww__sorting *s, const void *digit_bits) {
    sorting q = {.device = device,
                 .s = s,
                 .width = *(const unsigned *)digit_bits,
                 .kind = kind_of(s->keys.size),
                 .order = ww__key_kind_of(s)};
    if (device->backend == WW__BACKEND_CPU)
        ww__trace(device, ww__sort_method_name(q.width == 1 ? WW_SORT_SPLIT1 : WW_SORT_MULTISPLIT), NULL, s->keys.count,
                  s->keys.count * (s->keys.size + s->values.size), device->threads);
    WW_TRY(ww__scratch(device, sizeof(uint64_t), &q.zeros));
    return run_rounds(&q);
}

ww_status ww__sort_by_digits(ww_device *device, const ww__sorting *s, unsigned digit_bits) {
    if (!s->keys.count) return WW_OK;
    if (s->keys.count == 1) return ww__sort_one(device, s);
    return s->values.steps && !ww__values_move(s) ? ww__sort_positions(device, s, sort, &digit_bits)
                                                  : sort(device, s, &digit_bits);
}
