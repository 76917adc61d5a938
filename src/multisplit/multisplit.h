/* What the files of the multisplit share: the checked request, and its machines' sides. */
#ifndef WW__MULTISPLIT_H
#define WW__MULTISPLIT_H

#include "device/check.h"
#include "device/device.h"
#include "function/function.h"
#include "warpwise/multisplit.h"

/* How keys become buckets: by a WW_MAP, or between edges. */
typedef struct ww__bucketing {
    const ww_function *map;   /* on the keys' type, with its environment; NULL: by edges */
    const ww_function *asked; /* as the caller named it: ww_by_bits … are known by it */
    const ww_input *edges;    /* buckets - 1 */
    uint64_t buckets;
} ww__bucketing;

typedef struct ww__splitting {
    ww_device *device;
    ww__bucketing by;
    ww_input keys, values;                  /* values.steps is 0 where there are none */
    ww_array keys_out, values_out, offsets; /* offsets may be none */
    ww_multisplit_method method;
} ww__splitting;

/* Whether buckets are asked for by this built-in function. */
static inline bool ww__splits_by(const ww__splitting *s, const ww_function *built_in) {
    return s->by.asked && ww__origin(s->by.asked) == built_in;
}

/* Bits of the largest bucket's number. */
static inline uint32_t ww__bucket_bits(uint64_t buckets) {
    uint32_t bits = 0;
    while ((buckets - 1) >> bits) bits++;
    return bits;
}

/* "keys[7]: delta gives no bucket below 32" */
ww_status ww__no_bucket(ww_device *device, uint64_t position, const char *name, uint64_t buckets);

/* Says which edge is not above the one before; the first one: that it is a NaN. */
ww_status ww__bad_edge(ww_device *device, uint64_t position);

/* A checked request, by its method. */
ww_status ww__multisplit_run(const ww__splitting *s);

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

/* The end of what splits labels (in memory), with positions (u32 or u64) in place of keys and values: gathers both, and finds
 * where buckets begin in the ordered labels. On a GPU nothing is written after an earlier call found bad data. */
ww_status ww__multisplit_gather(const ww__splitting *s, const ww_input *labels, const ww_input *positions);
ww_status ww__multisplit_offsets(const ww__splitting *s, const ww_input *labels); /* s: device, offsets, by.buckets */

/* The memory of an input, or a copy of it in scratch memory, on every device. */
ww_status ww__multisplit_memory(ww_device *device, const ww_input *in, ww_array *memory);

/* On every device: by sorting buckets' numbers; by two-way splits. */
ww_status ww__multisplit_reduced_bit(const ww__splitting *s);
ww_status ww__multisplit_recursive(const ww__splitting *s);

#endif
