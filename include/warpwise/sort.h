/* Sorting, always stable: keys, keys with values, by the keys' bits (ww_sort) or any order of yours (ww_sort_by); the order
 * alone (ww_sort_index); records by a part of their bytes (ww_sort_records); each of many segments separately
 * (ww_sort_segments); more than a GPU's memory holds (ww_sort_large). And the first k (ww_top_k) or the n-th (ww_nth)
 * without sorting all.
 *
 *     ww_sort(device, ww_memory(keys, n), ww_no_input, ww_array(sorted, n), ww_none, NULL);
 *
 * A radix sort: elements are moved twice, once to buckets that fit in a cache and once from there to their final positions. It
 * considers no more of the keys' bits than are needed to tell them apart, and none in which all agree. On a GPU elements are
 * moved once for each 8 bits of the keys, except for bytes in which all keys agree; many keys of 8 bytes or more three to six
 * times in all, if a sample of them says that their highest bytes tell them apart. */
#ifndef WARPWISE_SORT_H
#define WARPWISE_SORT_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ww_sort_method {
    WW_SORT_AUTO = 0,
    WW_SORT_RADIX,      /* buckets by the highest digit, each sorted in cache; a GPU: digit after digit, lowest first */
    WW_SORT_MULTISPLIT, /* learning: a multisplit for each digit of digit_bits bits, lowest first */
    WW_SORT_SPLIT1,     /* learning: a two-way split for each bit, lowest first */
    WW_SORT_QUICK,      /* learning: all segments at once split in three by a key of each, by scans */
    WW_SORT_MERGE,      /* sorted tiles, merged two by two along the merge path */
    WW_SORT_MERGE_SEARCH, /* learning: sorted tiles, merged two by two, each element finding its place by binary search */
    WW_SORT_BITONIC,      /* learning: Batcher's bitonic network */
    WW_SORT_MERGE_NETWORK, /* learning: Batcher's odd-even merge network */
    WW_SORT_ODDEVEN, /* learning: the odd-even transposition network of n phases; up to WW_ODDEVEN_MOST keys (LIMIT) */
    WW_SORT_MERGE_PLAIN /* learning: on a GPU merge, with the bank conflicts that the data cause; a CPU: merge */
} ww_sort_method;

enum { WW_ODDEVEN_MOST = 1 << 16 };

/* With bit_count above 0 sorts are by the bits bit_first … bit_first + bit_count - 1 of keys as unsigned numbers only (floats:
 * TYPE; bits that keys do not have: INVALID); with 0, and bit_first 0, by all of them, by value. */
typedef struct ww_sort_options {
    size_t size;     /* WW_SORT_OPTIONS fills it */
    uint32_t method; /* a ww_sort_method */
    bool descending; /* equal keys still keep their order */
    uint32_t bit_first, bit_count;
    uint32_t digit_bits; /* of method multisplit: 4 to 8; 0 is 8 */
    uint32_t reserved;   /* 0 */
} ww_sort_options;
#define WW_SORT_OPTIONS \
    { sizeof(ww_sort_options), WW_SORT_AUTO, false, 0, 0, 0, 0 }

/* Sorts keys, stably; values (any type, records too) are moved with their keys, or ww_no_input and ww_none. Integers by value,
 * floats by IEEE 754's totalOrder (-NaN, -inf … -0.0, 0.0 … inf, NaN); all numbers of type.h.
 *   keys_out, values_out   the inputs' counts and types
 *   overlap    keys_out may be exactly the memory that keys reads, values_out that of values (sorting in place)
 *   passes     1 n keys read to count, 1 n read and written to partition, 1 n read and written to sort the buckets; one
 *              more partitioning pass where buckets outgrow the caches (skewed keys, from some 10^8 elements on). A sample
 *              of 256 keys shows when less may do: input that is in order already is read once, and written if the output
 *              is not the input (up to 1 n more read and written if a sample misleads); keys without values no two distinct
 *              ones of which share their highest 11 differing bits are read once to count them and written once (1 n more
 *              read if a sample misleads, 2 n if it had at most 16 distinct keys). Keys of 4 and 8 bytes without values
 *              that are compared by all their bits: if up to 1023 distinct ones are more than half of a sample of 4096,
 *              these are counted in one pass, the rest is sorted, and both are written in another (one thread with vectors
 *              of such keys: unless one is an eighth of all); if keys crowd, or many are equal (8 bytes: with AVX-512), one
 *              thread sorts all, and each of several the large buckets, by a vectorised quicksort, 1 n read and written for
 *              each threefold division (with values of the keys' size, AVX-512, each halving, or division in four, which
 *              reads keys once more); up to 4 KiB of keys, and 1,024 of 4 or 8 bytes with values, are read and written once
 *              by vectors; with AVX-512 one thread sorts so up to 32 KiB, and from 320 KiB to 1 MiB, however spread, and
 *              up to 1 MiB with values of the keys' size
 *   scratch    at most one copy of keys and values + 1 MiB + 640 KiB a thread; 8 more bytes an element
 *              (16 from 2^32 on) if values do not have 1, 2, 4, 8 or 16 bytes On a GPU nothing waits,
 * and
 *   passes     1 n keys read to count, then for each 8 bits of the keys in which not all agree 1 n read and written (in
 *              place an even number of times); values that are not moved with their keys are read and written once more, and so
 *              are computed keys and values, but values from ww_counting; what one block holds (1024 to 4096 elements) is
 *              read and written once
 *              keys of 8 and 16 bytes, from 2^22 on: 1 n keys read to count and 3 n read and written, if their two highest
 *              digits in which not all agree spread them over buckets of up to 48 KiB; where digits are correlated, so that a
 *              bucket is longer for all that, once more for each doubling of that
 *              keys that are in order already: read once to count, and moved once where an output is not its input; in
 *              descending order (strictly, unless they have no values and all their bits count), from 2^22 on: so, and in
 *              place, too keys of 2 bytes or more without values, of 16 different ones or fewer, from 2^24 on and compared by
 *              all their bits: read once and written once (1 n read more where a sample of 256 misleads)
 *   scratch    at most one copy of keys and values + 1 MiB + 2 bytes an element (4 from 2^30 up), keys of 8 and 16 bytes 4 MiB
 *              more; 8 bytes an element more (16 from 2^32 up) where values are not of 1, 2, 4, 8 or 16 bytes or not aligned
 *              to their size
 * The named methods give the same bytes, and are for comparing and learning: their costs, scratch memory and limits
 * (LIMIT) are in docs/sorting.md. Counting passes with write-combining buffers (Satish et al. 2010; Polychroniou and Ross
 * 2014); keys of 32 bits, alone or with values of 4 bytes, and keys of 64 bits alone (AVX-512) are sorted in cache by
 * vectorised networks (Batcher 1968; Bramas 2017; Blacher et al. 2022); frequent keys are counted separately (Dong et
 * al., DovetailSort, 2024). On a GPU one sweep a digit with look-back in each bin (Adinets and Merrill, Onesweep,
 * 2022). */
WW_API ww_status ww_sort(ww_device *device, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                         const ww_sort_options *options);

/* ww_sort for arrays that may be larger than a GPU's memory: they may be anywhere, usually in host memory, and the GPU sorts a
 * chunk of them at a time. The call waits for the result. On a CPU it is ww_sort.
 *   keys, values      memory (INVALID where they are computed)
 *   options, …        as ww_sort's, and so are values, outputs and overlap. Method oddeven sorts up to
 *                     WW_ODDEVEN_MOST keys in all (LIMIT); quick and the other networks have their limit for each chunk
 *   passes            each element is copied to the GPU and back, once if one chunk holds all, else twice: chunks become sorted
 *                     runs in the host's memory, which are cut at equal ranks into the chunks of the result. While a chunk is
 *                     sorted the next is copied in and the last one out, on streams of their own: memory from ww_alloc_host
 *                     (pinned) is copied at the bus's rate, both ways at the same time
 *   GPU's memory      up to ww_scratch_limit's, else 7/8 of it, less where that much is not free: 4 copies of a chunk and what
 *                     ww_sort takes for one; 2 copies where all is one chunk. Less than 1024 elements take: LIMIT
 *   host's memory     one more copy of all, pinned, where there are several chunks; kept for the next call, until
 *                     ww_scratch_trim
 * Statuses: UNSUPPORTED where the call would be captured in a graph. */
WW_API ww_status ww_sort_large(ww_device *device, ww_input keys, ww_input values, ww_array keys_out,
                               ww_array values_out, const ww_sort_options *options);

/* The same by several devices, GPUs or CPUs in any mix, which sort chunks at the same time: the result has the bytes that one
 * of them gives.
 *   devices           `many` handles, 1 to WW_SORT_DEVICES_MOST, each once (INVALID), not in use elsewhere (BUSY). The
 *                     first one's ww_error has the sentence; if another device is the reason it begins with its name
 *                     ("devices[1]: …")
 *   keys, …           the host's memory, which all devices copy (INVALID: a GPU's); at the bus's rate from ww_alloc_host of any
 *                     of them. Options as ww_sort's, with whose limits each chunk is sorted
 *   passes            GPUs that hold all of it together, and have no ww_scratch_limit: once to a GPU and back, an even part
 *                     each; the parts are sorted as by ww_group_sort (group.h), over the links between GPUs. Else twice to a
 *                     device and back: each takes a chunk when it has room for one, so that a slow one takes fewer. Chunks are
 *                     a 16th of a device's even share, from 65,536 elements up, and as long as the device with the least
 *                     memory can have them
 *   memory            a GPU's: its part, twice that, and what ww_sort takes for it; for chunks as above. The host's: nothing;
 *                     for chunks one more copy of all, pinned by the first GPU's handle
 *   threads           one more for each device but the first; a CPU's own */
enum { WW_SORT_DEVICES_MOST = 64 };
WW_API ww_status ww_sort_large_over(ww_device *const *devices, uint32_t many, ww_input keys, ww_input values,
                                    ww_array keys_out, ww_array values_out, const ww_sort_options *options);

/* Sorts keys by any order (comparator), stably: less is a WW_LESS of the keys' type (structs, too), or ww_ascending (also NULL)
 * or ww_descending, which are ww_sort's order. Values are moved with their keys. If the function is not a strict weak order,
 * keys_out is some permutation of the keys, with their values, and the call ends.
 *   methods    merge, merge-plain, merge-search, quick, bitonic, oddeven, merge-network (others: INVALID); auto is radix for
 *              the library's orders, else merge, and on a CPU a sample sort from 4,096 keys on, below 2^31 and of up to 256
 *              bytes. The following is about these; docs/sorting.md has the costs and limits of the other methods
 *   options    no bit range (INVALID); descending reverses the order
 *   overlap    as ww_sort
 *   passes     by samples: 1 n read to find each key's place among up to 1,023 splitters, 1 n read and written to move them
 *              there (2 bytes each written and read); once up to 2^20 keys, else twice; then 1 n in cache. All but 1 in 16
 *              in order already: 1 n read, 2 n read and written, and those that are not in order are sorted.
 *              merge: 1 n read and written to sort chunks of 256 KiB in cache, then 1 n for each doubling of these.
 *              merge-search: the same, each element reading some log2(run) of the run beside. Input that is in order already
 *              is read once, and copied if the output is not the input; 2 n more where an order of yours is reversed
 *   scratch    at most one copy of keys and values + 1 MiB + 384 KiB a thread (by samples 1 MiB a thread, and 2 bytes an
 *              element); 8 bytes an element more (16 from 2^32 up) where values are not of 1, 2, 4, 8 or 16 bytes;
 *              merge-search by an order of the caller's 2 bits an element more
 * On a GPU nothing waits, and
 *   passes     1 n read and written to sort tiles (16,384 numbers of up to 4 bytes, 3800 of 8, 2300 of 16; of structs or
 *              with values 8700 of 4, 2800 of 8, 2600 of 16, key and value together; fewer where there is little to sort; tiles
 *              of numbers of up to 4 bytes that an order of the caller's calls equal and that differ once more), then 1 n for
 *              each four times longer runs; of few (2^23 numbers of up to 4 bytes, 2^22 of 8 to 16) for each doubling,
 *              and of up to 2^14 once: there each element reads some 12 of each tile. merge-search for each doubling. Keys
 *              longer than 16 bytes stay where they are and are compared there: positions of 4 bytes (8 from 2^32 up)
 *              move, and keys and values are read and written once more, as are values that are not moved with their keys
 *   scratch    as above, with 1/40 byte an element more; 8 bytes an element more (16 from 2^32 up) for keys longer than 16
 *              bytes
 *   limits     as many keys as fit in 2^31 tiles (LIMIT)
 * Samples: Sanders and Winkel, Super Scalar Sample Sort (2004).
 * Merge path: Green, McColl and Bader (2012); chunks depth first: Frigo et al., Cache-Oblivious Algorithms (1999); several
 * runs at once are cut by samples of doubled density (Varman et al., Merging Multiple Lists on Hierarchical-Memory
 * Multiprocessors, 1991); no bank conflicts when merging in a block (after Berney and Sitchinava, Eliminating Bank
 * Conflicts in GPU Mergesort, whose network sorts keys alone), but by merge-plain; tiles of numbers of up to 4 bytes are sorted
 * as ww_tiles_sort does it. merge-search: Hou, Zhou and Guo, BSGP: Bulk-Synchronous GPU Programming (2008). */
WW_API ww_status ww_sort_by(ww_device *device, const ww_function *less, ww_input keys, ww_input values,
                            ww_array keys_out, ww_array values_out, const ww_sort_options *options);

/* The order that ww_sort would give, without moving keys: keys[index_out[i]] is ascending. (NumPy: argsort.)
 *   index_out  the keys' count of u32 or u64; must not overlap the keys
 *   passes     those of ww_sort with values as large as index_out's elements; on a GPU positions are counted up while they are
 *              sorted, on a CPU they are written once more
 *   scratch    what ww_sort takes with index_out as values, and one more copy of the keys */
WW_API ww_status ww_sort_index(ww_device *device, ww_input keys, ww_array index_out, const ww_sort_options *options);

/* Sorts elements of 1 to 65,536 bytes of any type by key_bytes (not 0) of their bytes from key_first on, in memcmp's order,
 * stably.
 *   key        all in the element (INVALID)
 *   options    descending only (INVALID)
 *   overlap    out may be exactly the memory that in reads
 *   passes     1 n keys read in place, and written as numbers of 1, 2, 4, 8 or 16 bytes; a ww_sort of these by the key's bits
 *              with the records as values (of 1, 2, 4, 8 or 16 bytes: they are moved with the keys) or with their positions;
 *              then records that are not moved with their keys are read once, at random, and written once. A key of more than
 *              16 bytes is sorted 16 bytes at a time from its end on, each time by a ww_sort and a random read of these bytes
 *              of each record. Elements of 1, 2, 4, 8 or 16 bytes that are entirely key are sorted as numbers: no values, no
 *              positions.
 *   scratch    at most two of these numbers and 18 bytes a record (20 from 2^30 up) + 1 MiB + 640 KiB a thread; a GPU 4 MiB
 *              more for keys of more than 4 bytes; one copy of the records more where they are sorted in place or computed
 * A key is best placed at a multiple of 4 bytes or more, in records of such a size: a GPU then reads it in words. Index, then
 * gather: the sort of large records in Patidar and Narayanan (Scalable Split and Gather Primitives, 2009). */
WW_API ww_status ww_sort_records(ww_device *device, uint64_t key_first, uint64_t key_bytes, ww_input in, ww_array out,
                                 const ww_sort_options *options);

/* The order that ww_sort_records would give, without moving records: for data elsewhere that belong to them.
 *   index_out  the records' count of u32 or u64; must not overlap them
 *   scratch    as ww_sort_records, but no copy of records in memory */
WW_API ww_status ww_sort_records_index(ww_device *device, uint64_t key_first, uint64_t key_bytes, ww_input in,
                                       ww_array index_out, const ww_sort_options *options);

/* Sorts each segment separately, stably: segment s is keys[offsets[s]] … keys[offsets[s + 1] - 1], and may be empty.
 * Elements before the first segment and after the last one are copied. Lengths may be any, and mixed.
 *   offsets    one more than segments, u32, u64, i32 or i64; they do not decrease and end at the keys' count or before (RANGE
 *              with the position of the lowest that does not; outputs are then unspecified)
 *   values and options (but for the method, which is auto) as with ww_sort
 *   overlap    as ww_sort; offsets share no memory with outputs
 *   passes     offsets 2 times, elements read and written once; segments above 1 MiB of keys and values as by ww_sort,
 *              one after the other
 *   scratch    2 MiB a thread; what ww_sort takes for the longest segment, if that is above 1 MiB; offsets that are
 *              computed; for values that are not of 1, 2, 4, 8 or 16 bytes what ww_sort takes for them
 * On a GPU nothing waits, segments are fewer than 2^32 - 1 (LIMIT), and
 *   passes     offsets 3 times, elements read and written once; those of segments that do not fit on chip once more for
 *              each doubling of what does. That is 16,384 elements of 4 bytes on an H100, of n bytes 4 / n of it, and less
 *              where values are longer; an element is a key, and where there are values or a bit range is given twice
 *              that, but 4 bytes for keys of 1 and 2. Of wide elements, key and value 16 bytes, 8,192 fit
 *   scratch    4 bytes a segment and 1 byte an element; a copy of keys and values where there are more keys than fit on
 *              chip; for values that are not moved with their keys what ww_sort takes for them
 * Networks on chip, in which a position breaks ties: Batcher, Sorting networks and their applications (1968); longer
 * segments along the merge path (Green, McColl and Bader 2012). On a CPU the radix sort's leaves. */
WW_API ww_status ww_sort_segments(ww_device *device, ww_input keys, ww_input values, ww_input offsets,
                                  ww_array keys_out, ww_array values_out, const ww_sort_options *options);

/* The first k that ww_sort would give: the k smallest keys in order (descending: the k largest), with their values; of
 * equal keys those that come first.
 *   keys_out, values_out   k elements; k is keys_out's count, at most the keys' (INVALID)
 *   values and options (but for the method, which is auto) as with ww_sort; k is the keys' count: all as with ww_sort
 *   overlap    none
 *   passes     1 n keys read where k is small (up to 16,384 and a 16th of a thread's keys), else 2 n; what is chosen is
 *              sorted; values of that only are read
 *   scratch    3 MiB a thread; for larger k two copies of the chosen keys (all that agree with the last one in the highest
 *              11 bits in which any differ are chosen first), and 16 bytes more each where there are values; computed keys
 * On a GPU nothing waits (but for k 1 with outputs in the host's memory), keys are computed as often as they are read, and
 *   passes     1 n keys read for each 8 bits of the keys that are looked at, until an eighth of the keys or fewer are
 *              left, and once more then: 2 where keys are random; 1 n to pack what is chosen, which is sorted
 *   scratch    an eighth of the keys + 1 byte for 32 keys (some more from 2^31 up) + what sorting k takes
 * Radix select (Alabi et al., Fast k-selection algorithms for graphics processing units, 2012). */
WW_API ww_status ww_top_k(ww_device *device, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                          const ww_sort_options *options);

/* The key that ww_sort would put at position n, which is below the count (INVALID).
 *   out        one element; a GPU waits for it where it is the host's
 *   overlap    none
 *   passes     1 n keys read: two keys of a sample leave a few percent between them (Floyd and Rivest, 1975). If many are
 *              equal, or the sample misleads, 2 n more, or even more if most agree in the highest 11 bits in which any
 *              differ
 *   scratch    at most two copies of the keys and an eighth + 3 MiB + 768 KiB a thread; computed keys
 * On a GPU as ww_top_k, and packing (1 n keys read) where a bit range is given only. */
WW_API ww_status ww_nth(ww_device *device, uint64_t n, ww_input keys, ww_array out, const ww_sort_options *options);

/* The first k of each segment, as ww_sort_segments would order them, stably: the k smallest keys of segment s (descending: the
 * largest), in order, are written from keys_out[s * k] on, with their values. A segment of fewer than k elements fills only as
 * many; the elements of keys_out that remain are unchanged.
 *   offsets, options       as with ww_sort_segments; for rows of a matrix offsets are 0, columns, 2 columns, …, which
 *                          ww_mapped can compute
 *   keys_out, values_out   k elements for each segment (INVALID)
 *   overlap                none
 *   passes                 those of ww_sort_segments; the first k of each segment read and written
 *   scratch                one copy of keys and values, computed offsets, and what ww_sort_segments takes */
WW_API ww_status ww_top_k_segments(ww_device *device, uint64_t k, ww_input keys, ww_input values, ww_input offsets,
                                   ww_array keys_out, ww_array values_out, const ww_sort_options *options);

/* The key that would be at position n of each sorted segment, counted from 0; for a segment of n elements or fewer the element
 * of `out` is unchanged. out: one element for each segment, of the keys' type. All else as above. */
WW_API ww_status ww_nth_segments(ww_device *device, uint64_t n, ww_input keys, ww_input offsets, ww_array out,
                                 const ww_sort_options *options);

/* The value of a quantile that lies between two elements; the names are NumPy's. */
typedef enum ww_quantile_method {
    WW_QUANTILE_LINEAR = 0, /* interpolated linearly: f64 */
    WW_QUANTILE_LOWER,
    WW_QUANTILE_HIGHER,
    WW_QUANTILE_NEAREST, /* of two equally near elements the one at an even position */
    WW_QUANTILE_MIDPOINT /* their mean: f64 */
} ww_quantile_method;

/* out[i] is the quantile quantiles[i]: the element at position quantiles[i] * (count - 1) of the sorted input (0.5: the
 * median), by `method` if that lies between two positions. (NumPy: quantile. Definition 7 of Hyndman and Fan 1996.)
 *   quantiles   `many` doubles in the host's memory, from 0 to 1 (INVALID), in any order
 *   in          numbers of up to 64 bits (TYPE), at least one (INVALID). NaNs are sorted as the others, by totalOrder: with a
 *               sign bit before all numbers, else after them, so quantiles near 0 and 1 may be NaN
 *   out         `many` elements (INVALID) of in's type, for linear and midpoint f64 (TYPE), which rounds integers above 2^53
 *   overlap     none
 *   passes      those of ww_sort; scratch: a copy of the elements, 16 bytes a quantile, and what ww_sort takes */
WW_API ww_status ww_quantiles(ww_device *device, const double *quantiles, uint64_t many, ww_quantile_method method,
                              ww_input in, ww_array out);

#ifdef __cplusplus
}
#endif
#endif
