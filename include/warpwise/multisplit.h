/* Multisplit: elements to buckets, stably (a partition by key). The elements of each bucket are placed together, buckets in
 * order, and within a bucket elements keep their order.
 *
 *     WW_MAP(last_digit, uint32_t, uint32_t, x, void, none, { return x % 10; });
 *     ww_multisplit(device, &last_digit_ww, 10, ww_memory(x, n), ww_no_input, ww_array(out, n), ww_none,
 *                   ww_array(offsets, 11), NULL);
 *
 * Ashkiani (2017), chapter 3, and Adinets and Merrill's Onesweep (2022). */
#ifndef WARPWISE_MULTISPLIT_H
#define WARPWISE_MULTISPLIT_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ww_multisplit_method {
    WW_MULTISPLIT_AUTO = 0,
    WW_MULTISPLIT_DIRECT,      /* learning: buckets are counted by warps, elements written straight to their places */
    WW_MULTISPLIT_WARP,        /* learning: the same, elements put in order in a warp first */
    WW_MULTISPLIT_BLOCK,       /* learning: buckets are counted by blocks, elements put in order in a block first */
    WW_MULTISPLIT_REDUCED_BIT, /* learning: sorts the buckets' numbers, and positions with them; then gathers */
    WW_MULTISPLIT_RECURSIVE,   /* learning: two-way splits by each bit of the bucket's number, by scans */
    WW_MULTISPLIT_ONEPASS      /* counts first; then one pass with look-back in each bucket */
} ww_multisplit_method;

typedef struct ww_multisplit_options {
    size_t size;       /* WW_MULTISPLIT_OPTIONS fills it */
    uint32_t method;   /* a ww_multisplit_method */
    uint32_t reserved; /* 0 */
} ww_multisplit_options;
#define WW_MULTISPLIT_OPTIONS \
    { sizeof(ww_multisplit_options), WW_MULTISPLIT_AUTO, 0 }

/* Built-in bucket functions, for every integer type. ww_by_number: the key is its bucket's number.
 * ww_with(ww_by_bits, &bits): `count` bits of the key from bit `first` on, of signed keys' two's complement (at most 31 of
 * them, all in the key: INVALID). ww_with(ww_by_delta, &delta): floor(key / width) (width above 0: INVALID); keys below 0 have
 * no bucket. */
WW_STRUCT(ww_bits, { uint32_t first, count; });
WW_STRUCT(ww_delta, { uint64_t width; });
extern WW_API const ww_function ww_by_number, ww_by_bits, ww_by_delta;
WW__WITH(ww_by_bits, ww_by_bits, ww_bits)
WW__WITH(ww_by_delta, ww_by_delta, ww_delta)

enum { WW_BUCKETS_MOST = 1 << 30 };

/* Splits keys by the bucket that bucket_of, a WW_MAP of their type (records, too) whose result is a number, gives each: 0 to
 * buckets - 1. Values (any type, records too) go with their keys, or ww_no_input and ww_none.
 *   keys_out, values_out   the inputs' counts and types; no overlap with what is read
 *   offsets    buckets + 1 of u32 or u64: where each bucket begins in the output, and the count at the end; or ww_none
 *   checked    a key without a bucket is RANGE with its position, and no output is written (on a GPU the next ww_sync says
 *              so, as for ww_gather). A function that gives a key different buckets at different times leaves outputs
 *              unspecified, and nothing else touched
 *   buckets    1 to WW_BUCKETS_MOST
 *   passes     1 n keys read to count, then 1 n read and written for each digit of up to 8 bits (a CPU: 12 bits) of the
 *              bucket's number; keys or values that a GPU's sweeps do not move (of other than 1, 2, 4, 8 or 16 bytes) are read
 *              and written once more, their buckets' numbers and positions in their place before
 *   scratch    a CPU: n / 32 elements + 1 MiB + 1280 KiB a thread, for 2 buckets n / 8 bytes more; above 4,096 buckets one copy
 *              of keys and values more
 *              a GPU: 1 MiB + 2 bytes an element (4 from 2^30 up); above 256 buckets one copy of keys and values more; where
 *              they are not moved 16 bytes an element instead of the copy
 *   the named methods also take: direct, warp and block 8 bytes for each bucket (up to 256) and warp or block; reduced-bit
 *              and recursive one copy of keys and values + 32 bytes an element
 * Bits of the bucket's number above 256 buckets are taken by digits by every method. */
WW_API ww_status ww_multisplit(ww_device *device, const ww_function *bucket_of, uint64_t buckets, ww_input keys,
                               ww_input values, ww_array keys_out, ww_array values_out, ww_array offsets,
                               const ww_multisplit_options *options);

/* The same with edges.count + 1 buckets: a key's bucket is how many edges are not above it. Edges: of the keys' type, a
 * number's, each above the one before (INVALID with the position); a NaN among keys goes to bucket 0. */
WW_API ww_status ww_multisplit_edges(ww_device *device, ww_input keys, ww_input values, ww_input edges,
                                     ww_array keys_out, ww_array values_out, ww_array offsets,
                                     const ww_multisplit_options *options);

/* ---- records by a field of their bits ---- */

/* Bit k of a record is bit k % 8 of its byte k / 8, lowest first: the bits of a little-endian number. A record's bucket is the
 * number formed by its bits bit_first … bit_first + bit_count - 1. (Patidar and Narayanan count bits from the left; their
 * split8ns is ww_split8_unstable, and their splitGatherIndex and splitScatterIndex return index_out.)
 *   in         elements of 1 to 65,536 bytes (INVALID) of any type: records, numbers, structs
 *   bits       all in the record (INVALID)
 *   out        in's count and type; no overlap with what is read
 *   index_out  in's count of u32 or u64: positions of records
 *   offsets    2^bit_count + 1 of u32 or u64 as ww_multisplit's, for up to 30 bits (more: INVALID); or ww_none
 *   passes     up to 8 bits: as ww_multisplit, of numbers of 1, 2, 4, 8 or 16 bytes themselves, of other records with their
 *              buckets' numbers as keys. More bits: for each 64 of them the field is read from the records, and sorted with
 *              the records' positions; then records are gathered, each read and written once
 *   scratch    as ww_multisplit's for keys of 1 byte with records (or positions) as values, and n bytes; more than 8 bits: 32
 *              bytes an element. Computed records take one copy more
 * Patidar and Narayanan, Scalable Split and Gather Primitives for the GPU (2009). */

/* Splits records by 8 bits at any place, stably. */
WW_API ww_status ww_split8(ww_device *device, uint64_t bit_first, ww_input in, ww_array out, ww_array offsets);

/* The same where the order within a bucket does not matter. No faster method than the stable one is known, so at present it is
 * stable; a later version may order a bucket's records otherwise. */
WW_API ww_status ww_split8_unstable(ww_device *device, uint64_t bit_first, ww_input in, ww_array out, ww_array offsets);

/* Splits records by any number of bits, stably: for all bits of a key it sorts by it. */
WW_API ww_status ww_split_bits(ww_device *device, uint64_t bit_first, uint64_t bit_count, ww_input in, ww_array out,
                               ww_array offsets);

/* The order that ww_split_bits would give, without moving records: out[i] = in[index_out[i]] (gather), or out[index_out[i]] =
 * in[i] (scatter, which costs one more pass and n positions of scratch). */
WW_API ww_status ww_split_gather_index(ww_device *device, uint64_t bit_first, uint64_t bit_count, ww_input in,
                                       ww_array index_out, ww_array offsets);
WW_API ww_status ww_split_scatter_index(ww_device *device, uint64_t bit_first, uint64_t bit_count, ww_input in,
                                        ww_array index_out, ww_array offsets);

/* ---- records in several buckets ---- */

/* Lists every record in each bucket that it belongs to: bit b of categories[i] (u64) says whether record i belongs to bucket
 * b. index_out gets the positions of bucket 0's records, in order, then of bucket 1's, …; elements after these are unchanged.
 *   buckets    1 to 64; a bit at or above them is RANGE with the lowest position, and no output is written
 *   index_out  u32 or u64; capacity for all; less is LIMIT with `count` correct (and in the sentence), and nothing else written
 *   offsets    buckets + 1 of u32 or u64, or ww_none         count   how many are listed: one u32 or u64, or ww_none
 *   overlap    none
 *   passes     categories 2 n times (3 n below 64 buckets), 8 n written and read; then ww_multisplit of what is listed, by u8
 *   scratch    8 bytes an element (computed categories: 16), 10 for each listed position (16 from 2^32 elements on), 1 MiB
 *   a GPU      waits for the number of listed records */
WW_API ww_status ww_multisplit_several(ww_device *device, uint64_t buckets, ww_input categories, ww_array index_out,
                                       ww_array offsets, ww_array count);

/* Weighted histograms: sums[b] is the sum of weights[i] over all i whose element is in bin b, 0 for an empty bin. Weights are
 * integers, whose sums wrap, or floats (TYPE), one for each element (INVALID); there are 1 to 2^24 sums, of their type
 * (INVALID). A NaN among the weights of a bin makes its sum NaN. The weights of a bin are added in the order of i, bracketed as
 * a segment of ww_reduce_segments: sums of floats have the same bits on every device. (NumPy: bincount and histogram with
 * weights.)
 *   ww_histogram_weighted         bin of x: bucket_of, as in ww_multisplit; an element without a bucket below sums.count is
 *                                 RANGE with its position
 *   ww_histogram_edges_weighted   bin b: edges[b] <= x < edges[b + 1], edges as in ww_multisplit_edges, one more than there are
 *                                 sums; elements outside are left out
 *   passes    those of ww_multisplit with values, and 1 n weights read; scratch: a copy of elements and weights, 4 KiB a
 *             bin, and what ww_multisplit takes. A CPU, up to 4096 bins: one pass, of floats at times two; a GPU, 8192 bins
 *             of u32 or i32: one pass, no scratch
 *   overlap   none */
WW_API ww_status ww_histogram_weighted(ww_device *device, const ww_function *bucket_of, ww_input in, ww_input weights,
                                       ww_array sums);
WW_API ww_status ww_histogram_edges_weighted(ww_device *device, ww_input in, ww_input edges, ww_input weights,
                                             ww_array sums);

#ifdef __cplusplus
}
#endif
#endif
