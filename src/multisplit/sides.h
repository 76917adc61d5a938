/* What the files of the multisplit share: the machines' sides, the methods, and the numbers of buckets. */
#ifndef WW__MULTISPLIT_SIDES_H
#define WW__MULTISPLIT_SIDES_H

#include "multisplit/multisplit.h"

/* Bits of the largest bucket's number. */
static inline uint32_t ww__bucket_bits(uint64_t buckets) {
    uint32_t bits = 0;
    while ((buckets - 1) >> bits) bits++;
    return bits;
}

/* Whether buckets are asked for by this built-in function. */
static inline bool ww__splits_by(const ww__splitting *s, const ww_function *built_in) {
    return s->by.asked && ww__origin(s->by.asked) == built_in;
}

/* The width of ww_by_delta's buckets; 0 where they are others. */
static inline uint64_t ww__delta_width(const ww__splitting *s) {
    return ww__splits_by(s, &ww_by_delta) ? ((const ww_delta *)s->by.asked->bound)->width : 0;
}

/* "keys[7]: delta gives no bucket below 32" */
ww_status ww__no_bucket(ww_device *device, uint64_t position, const char *name, uint64_t buckets);

/* Says which edge is not above the one before; the first one: that it is a NaN. */
ww_status ww__bad_edge(ww_device *device, uint64_t position);

/* There is at least one key. */
ww_status ww__multisplit_cpu(const ww__splitting *s);
ww_status ww__multisplit_gpu(const ww__splitting *s);

/* The buckets' numbers of all keys, in scratch memory: u8 up to 256 buckets, u16 up to 65,536, else u32. A CPU fails where a
 * key has none; a GPU records it, and calls that look at the record (gathers do) leave at once. */
ww_status ww__bucket_labels_cpu(const ww__splitting *s, const ww_type **type, void *pointer_to_labels);
ww_status ww__bucket_labels_gpu(const ww__splitting *s, const ww_type **type, void *pointer_to_labels);
static inline const ww_type *ww__label_type(uint64_t buckets) {
    return buckets <= 256 ? &ww_type_uint8_t : buckets <= 65536 ? &ww_type_uint16_t : &ww_type_uint32_t;
}

/* On every device: by sorting buckets' numbers; by two-way splits. */
ww_status ww__multisplit_reduced_bit(const ww__splitting *s);
ww_status ww__multisplit_recursive(const ww__splitting *s);

#endif
