/* Multisplit: elements to buckets, stably. Every bucket's elements come to stand together, buckets in order, and inside a
 * bucket elements keep their order.
 *
 *     WW_MAP(last_digit, uint32_t, uint32_t, x, void, none, { return x % 10; });
 *     ww_multisplit(device, &ww_last_digit, NULL, 10, ww_memory(x, n), ww_no_input(), ww_array(out, n), ww_none,
 *                   ww_array(offsets, 11), NULL);
 *
 * Ashkiani's dissertation (2017), chapter 3, and Adinets and Merrill's Onesweep (2022). */
#ifndef WARPWISE_MULTISPLIT_H
#define WARPWISE_MULTISPLIT_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ww_multisplit_method {
    WW_MULTISPLIT_AUTO = 0,
    WW_MULTISPLIT_DIRECT,      /* buckets are counted by warps, elements written straight to their places */
    WW_MULTISPLIT_WARP,        /* the same, elements put in order in a warp first */
    WW_MULTISPLIT_BLOCK,       /* buckets are counted by blocks, elements put in order in a block first */
    WW_MULTISPLIT_REDUCED_BIT, /* sorts the buckets' numbers, and positions with them; then gathers */
    WW_MULTISPLIT_RECURSIVE,   /* two-way splits by each bit of the bucket's number, by scans */
    WW_MULTISPLIT_ONEPASS      /* counts first; then one pass with look-back in each bucket */
} ww_multisplit_method;

typedef struct ww_multisplit_options {
    size_t size; /* WW_MULTISPLIT_OPTIONS fills it */
    ww_multisplit_method method;
} ww_multisplit_options;
#define WW_MULTISPLIT_OPTIONS \
    { sizeof(ww_multisplit_options), WW_MULTISPLIT_AUTO }

/* Built-in bucket functions, for every integer type. ww_by_number: the key is its bucket's number (environment NULL).
 * ww_by_bits: `count` bits of the key from bit `first` on, of signed keys' two's complement (at most 31 of them, all in the
 * key: INVALID). ww_by_delta: floor(key / width) (width above 0: INVALID); keys below 0 have no bucket. */
WW_STRUCT(ww_bits, { uint32_t first, count; });
WW_STRUCT(ww_delta, { uint64_t width; });
extern WW_API const ww_function ww_by_number, ww_by_bits, ww_by_delta;

enum { WW_BUCKETS_MOST = 1 << 30 };

/* Splits keys by the bucket that bucket_of, a WW_MAP of their type (records, too) whose result is a number, gives each: 0 to
 * buckets - 1. Values (any type, records too) go with their keys, or ww_no_input() and ww_none.
 *   keys_out, values_out   the inputs' counts and types; no overlap with what is read
 *   offsets    buckets + 1 of u32 or u64: where each bucket begins in the output, and the count at the end; or ww_none
 *   checked    a key without a bucket is RANGE with its position, and no output is written (on a GPU the next ww_sync says
 *              so, as for ww_gather). A function that gives a key different buckets at different times leaves outputs
 *              unspecified, and nothing else touched
 *   buckets    1 to WW_BUCKETS_MOST
 *   passes     1 n keys read to count, then 1 n read and written for each digit of up to 8 bits (a CPU: 12 bits) of the
 *              bucket's number; keys or values that do not travel on a GPU (of other than 1, 2, 4, 8 or 16 bytes) are read and
 *              written once more, their buckets' numbers and positions in their place before
 *   scratch    up to 256 buckets: n / 32 elements + 1 MiB; more: one copy of keys and values, n / 32 elements and 1 MiB + 4
 *              bytes a bucket; where they do not travel 16 bytes an element more; a CPU: 384 KiB a thread more
 *   the named methods besides take: direct, warp and block 8 bytes for each bucket (up to 256) and warp or block; reduced-bit
 *              and recursive one copy of keys and values + 32 bytes an element
 * Bits of the bucket's number above 256 buckets are taken by digits by every method. */
WW_API ww_status ww_multisplit(ww_device *device, const ww_function *bucket_of, const void *environment,
                               uint64_t buckets, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                               ww_array offsets, const ww_multisplit_options *options);

/* The same with edges.count + 1 buckets: a key's bucket is how many edges are not above it. Edges: of the keys' type, a
 * number's, each above the one before (INVALID with the position); a NaN among keys goes to bucket 0. */
WW_API ww_status ww_multisplit_edges(ww_device *device, ww_input edges, ww_input keys, ww_input values,
                                     ww_array keys_out, ww_array values_out, ww_array offsets,
                                     const ww_multisplit_options *options);

#ifdef __cplusplus
}
#endif
#endif
