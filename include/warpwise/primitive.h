/* The data-parallel primitives: map, reduce, scan, pack, split, gather, scatter, expand, histogram, merge, search, runs.
 *
 *     uint64_t sum;
 *     ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&sum, 1));           x: uint64_t
 *     ww_scan(device, &ww_max, ww_memory(x, n), ww_array(highest_so_far, n), NULL);
 *
 * Every function takes the device first, then the function to apply (with the numbers that go with it), then the inputs
 * (ww_input, see input.h; keys before values, and flags, heads, indices, offsets, bounds and edges after the data that they
 * refer to), then the outputs (ww_array, in the order of the inputs), then options or NULL, and returns a ww_status with the
 * sentence in ww_error.
 *
 * Common to all of them, and not repeated below:
 *   checked      NULL where it is not allowed (INVALID), types that do not match (TYPE), counts that do not match (INVALID),
 *                outputs that overlap inputs or each other, except where a line "overlap" allows it (OVERLAP)
 *   statuses     OK, INVALID, TYPE, OVERLAP, BUSY, MEMORY and LIMIT (scratch); others are named
 *   on error     outputs may be partly written, nothing else is; arguments that are refused leave them untouched
 *   operators    a WW_COMBINE whose type is the input's, or a built-in (ww_add …)
 *   orders       a WW_LESS whose type is the input's, ww_ascending, ww_descending, or NULL for ww_ascending
 *   counts       results that count or index are arrays of u32 or u64; u32 is refused where a value could exceed it
 *   indices      index and offset inputs may be u32, u64, i32 or i64 (TYPE); a negative one is RANGE, like one that is too
 *                large
 *   flags        flags and heads may be of any integer type of up to 64 bits (TYPE); 0 is not set, all else is. Flags of more
 *                than a byte are converted to bytes as they are read, which takes one more step of the input (LIMIT)
 *   results      one-element results are arrays of count 1: ww_array(&sum, 1)
 *   on a GPU     calls are queued; ww_sync or a copy to the host waits. Arrays that kernels cannot access – all memory except
 *                that from ww_alloc, ww_alloc_host or another library – are copied there and back, and the call waits
 *                (device.h: staging); one-element results may be in any memory, and the call waits for them, too
 *   scratch      at most 64 KiB + 64 KiB a thread, unless another bound is given
 *
 * Methods whose line begins with "learning" give the same results as the others and are there for comparing and learning.
 * WW_…_AUTO, for which NULL and 0 stand, is the one to use. "Passes" count bytes through memory: 1 n is each input element read
 * once or each output element written once. */
#ifndef WARPWISE_PRIMITIVE_H
#define WARPWISE_PRIMITIVE_H

#include "device.h"
#include "input.h"
#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- map ---- */

/* out[i] = f(in[i]) for a WW_MAP; out has in's count and f's result type.
 *   overlap   out may be exactly the memory that in reads when element sizes are equal
 *   passes    1 n read, 1 n written
 *   a GPU     results of up to 4096 bytes (LIMIT) */
WW_API ww_status ww_map(ww_device *device, const ww_function *f, ww_input in, ww_array out);

/* out[i] = f(a[i], b[i]) for a WW_MAP2; overlap and limit as ww_map. */
WW_API ww_status ww_map2(ww_device *device, const ww_function *f, ww_input a, ww_input b, ww_array out);

/* out[i] = in[i]: stores what an input describes. Overlap as ww_map, and the limit of computed inputs too. On a GPU the driver
 * copies inputs that are memory, of any size. */
WW_API ww_status ww_store(ww_device *device, ww_input in, ww_array out);

/* Runs a WW_KERNEL, with its arguments (ww_with), for ranks 0 … count - 1, in no particular order, on all threads, or a
 * WW_BLOCK_KERNEL for as many blocks (of 256 threads on a GPU). Its accesses are not checked; what its arguments point to
 * must be the device's memory (ww_alloc): it is not staged, and a CPU takes any and does not ask. */
WW_API ww_status ww_launch(ww_device *device, const ww_function *kernel, uint64_t count);
/* The same for as many ranks as the number at `count_at` says, at most `most`: a count on the device (docs/counts.md). INVALID
 * if count_at is NULL, not aligned, or in memory that the device cannot access. */
WW_API ww_status ww_launch_counted(ww_device *device, const ww_function *kernel, uint64_t most,
                                   const uint64_t *count_at);

/* How many ranks can run at the same time: a CPU's threads (1 if an executor was given); on a GPU 1024 for each processor. */
WW_API ww_status ww_together(ww_device *device, uint64_t *ranks);
/* Runs a WW_KERNEL for ranks 0 … ranks - 1 that all run at the same time, so that they can wait for one another (ww_barrier in
 * function.h): many steps are a single launch, and only the ranks have to know their sizes. A rank is a thread of the device
 * and does what many ranks of a ww_launch would, one after another: rank, rank + ranks, … (docs/operators.md)
 *   ranks      a divisor of what ww_together says (INVALID)
 *   MEMORY     a CPU that could not start that many threads */
WW_API ww_status ww_launch_together(ww_device *device, const ww_function *kernel, uint64_t ranks);

/* ---- reduce ---- */

/* out[0] = in[0] + in[1] + … for an associative operator; the identity for an empty input.
 * The bracketing depends only on the count, the element size and whether the operator commutes (docs/determinism.md), so
 * that floats give the same bits for every thread count and vector width.
 *   passes    1 n read
 *   scratch   one element for every 16 KiB of input (4096 elements where they are small) + 64 KiB a thread
 *   a GPU     elements of up to 1024 bytes (LIMIT) */
WW_API ww_status ww_reduce(ww_device *device, const ww_function *op, ww_input in, ww_array out);

/* One result for each run of equal neighbouring keys: keys_out gets the run's key, values_out the reduction of its
 * values, runs (one u32 or u64) the number of runs. Keys are equal if their bytes are.
 *   keys_out, values_out   capacity for as many as there are runs; too little is LIMIT, with `runs` still right
 *   keys_out               may be ww_none
 *   passes                 1 n keys and 1 n values read, the runs written
 *   a GPU                  values of up to 1024 bytes, and keys that are computed (LIMIT). If runs is memory that the GPU can
 *                          access, the call does not wait, and only the number in it shows too little capacity. Float sums may
 *                          differ in last bits from the CPU's and from call to call, unless the handle is deterministic
 *                          (scratch: 8 n bytes more). Keys of more than 16 bytes are read twice. Scratch: 8 bytes for a tile of
 *                          256 or more elements, and two values + 16 where they are longer than 4 bytes or there are 2^30 - 1;
 *                          a byte for each key of more than 16 bytes. */
WW_API ww_status ww_reduce_by_key(ww_device *device, const ww_function *op, ww_input keys, ww_input values,
                                  ww_array keys_out, ww_array values_out, ww_array runs);

/* out[s] = in[offsets[s]] + … + in[offsets[s + 1] - 1]; the identity for an empty segment. offsets: out.count + 1
 * that never decrease and end at or before in.count, else RANGE with the position. Segments are brackets as
 * ww_reduce's.
 *   a GPU     elements of up to 1024 bytes (LIMIT). Bad offsets are reported at the next synchronisation, as for ww_gather, and
 *             results are then unspecified. Scratch: 32 bytes and two elements for each 256 elements at most. */
WW_API ww_status ww_reduce_segments(ww_device *device, const ww_function *op, ww_input in, ww_input offsets,
                                    ww_array out);

/* The smallest (largest) element and its first position, of a built-in type or by `less`. Floats are compared by totalOrder. An
 * empty input is INVALID. value_out may be ww_none. A GPU takes elements of up to 512 bytes. */
WW_API ww_status ww_arg_min(ww_device *device, const ww_function *less, ww_input in, ww_array value_out,
                            ww_array position_out);
WW_API ww_status ww_arg_max(ww_device *device, const ww_function *less, ww_input in, ww_array value_out,
                            ww_array position_out);

/* The first position of the smallest (largest) element of each segment, as a position of the whole input: u32 or u64; in.count
 * for an empty segment. Orders as for ww_arg_min, offsets as for ww_reduce_segments; position_out has one for each segment.
 *   passes    1 n and the offsets read, the positions written; scratch: 64 KiB + 64 KiB a thread
 *   a GPU     elements of up to 512 bytes (LIMIT); bad offsets as ww_reduce_segments. Scratch: an element and 32 bytes for
 *             each 128 elements */
WW_API ww_status ww_arg_min_segments(ww_device *device, const ww_function *less, ww_input in, ww_input offsets,
                                     ww_array position_out);
WW_API ww_status ww_arg_max_segments(ww_device *device, const ww_function *less, ww_input in, ww_input offsets,
                                     ww_array position_out);

/* ---- scan ---- */

typedef enum ww_scan_method {
    WW_SCAN_AUTO = 0,
    WW_SCAN_LOOKBACK,      /* one pass: tiles publish their totals and look back for what precedes them */
    WW_SCAN_HILLIS_STEELE, /* learning: log2 n supersteps of n additions each (Hillis and Steele 1986) */
    WW_SCAN_BLELLOCH       /* learning: up-sweep and down-sweep over a tree (Blelloch 1990) */
} ww_scan_method;

typedef struct ww_scan_options {
    size_t size;     /* WW_SCAN_OPTIONS fills it */
    uint32_t method; /* a ww_scan_method */
    bool exclusive;  /* out[i] leaves out in[i] */
    ww_value
        initial;    /* of the input's type, put before all others (before each segment's); ww_no_value: the identity */
    ww_array total; /* one element: initial + all of the input; or ww_none. Not for segmented scans. */
    uint32_t deterministic; /* not 0: floats have the CPU's bits on a GPU, too; see below */
    uint32_t reserved;      /* 0 */
} ww_scan_options;
#define WW_SCAN_OPTIONS \
    { sizeof(ww_scan_options), WW_SCAN_AUTO, false, {NULL, NULL, 0, {0}}, {NULL, 0, NULL, 0, NULL, 0}, 0, 0 }

/* out[i] = in[0] + … + in[i] for any associative operator, commutative or not, over any type.
 *   overlap   out may be exactly the memory that in reads
 *   passes    1 n read, 1 n written (hillis-steele: log2 n times that; blelloch: 3 times)
 *   scratch   at most n / 256 elements + 256 KiB a thread (12 elements, where those are longer than 16 KiB); hillis-steele
 *             and blelloch: 2 n elements more; sums of f16 and bf16 in place or with segments: 4 n bytes more
 *   floats    the same bits for every thread count and vector width; each method has its own bracketing
 *             (docs/determinism.md); by lookback on a GPU the last bits may differ from run to run, unless the options or the
 *             handle (ww_open_options) say `deterministic`: then they are the CPU's, also in one pass. For integers, and by
 *             hillis-steele and blelloch, they always are
 *   a GPU     elements of up to 1024 bytes (LIMIT); scratch: 8 bytes for each tile of 256 or more elements, and two
 *             elements where they are longer than 4 bytes; hillis-steele: 2 n elements, a launch a superstep; blelloch:
 *             n elements, two launches a level of the tree; deterministic: two elements
 *             and 16 bytes for each 8 KiB of the input, and 1 KiB */
WW_API ww_status ww_scan(ww_device *device, const ww_function *op, ww_input in, ww_array out,
                         const ww_scan_options *options);

/* The same, restarting wherever heads[i] is not 0 (heads[0] counts as set). Blelloch 1990; Sengupta et al. 2007.
 * Methods: auto, lookback, hillis-steele, blelloch. Passes: 1 n read and 1 n heads, 1 n written. Scratch as ww_scan, and
 * 2 n bytes for hillis-steele and blelloch. */
WW_API ww_status ww_scan_segmented(ww_device *device, const ww_function *op, ww_input in, ww_input heads, ww_array out,
                                   const ww_scan_options *options);

/* The same, restarting wherever the key differs from the one before (in its bytes). */
WW_API ww_status ww_scan_by_key(ww_device *device, const ww_function *op, ww_input keys, ww_input in, ww_array out,
                                const ww_scan_options *options);

/* out[i] = how many flags before i are not 0 (out: u32 or u64); total (one u32 or u64, or ww_none) = of all. */
WW_API ww_status ww_enumerate(ww_device *device, ww_input flags, ww_array out, ww_array total);

/* out[0] = in[0], out[i] = in[i] - in[i - 1], wrapping for integers; integer and float types. Overlap: none. */
WW_API ww_status ww_adjacent_difference(ww_device *device, ww_input in, ww_array out);

/* ---- pack and split ---- */

typedef enum ww_pack_method {
    WW_PACK_AUTO = 0,
    WW_PACK_COMPRESS, /* one pass: count a tile's flags, look back for where it goes, compress it there */
    WW_PACK_ENUMERATE /* learning: enumerate the flags, then scatter (Blelloch 1990) */
} ww_pack_method;

typedef struct ww_pack_options {
    size_t size;
    uint32_t method;   /* a ww_pack_method */
    uint32_t reserved; /* 0 */
} ww_pack_options;
#define WW_PACK_OPTIONS \
    { sizeof(ww_pack_options), WW_PACK_AUTO, 0 }

/* Keeps the elements whose flag is not 0, in order; count (one u32 or u64) = how many. Any type, records too.
 *   out       capacity for as many as are kept: too little is LIMIT, with `count` still correct; no more is written
 *   overlap   out may be exactly the memory that in reads, with in's count: elements are packed in place, and those after
 *             the last one that is kept are unspecified
 *   passes    1 n and the flags read, what is kept written
 *   scratch   n / 256 elements + 64 KiB a thread; enumerate: n of u64
 *   a GPU     Where count is memory that the GPU reaches the call does not wait, and too little capacity is seen in it only.
 *             Elements that are computed or given to a predicate: up to 1024 bytes. Scratch: 8 bytes a tile of 8 to 64
 *             KiB; enumerate: n of u32 (u64 from 2^32 on) and n bytes, and it reads the flags, or for a predicate the
 *             elements, twice.
 *   in place  256 KiB of scratch a thread more (one element, if that is longer); for enumerate, and on a GPU for elements of
 *             more than 32 bytes, n elements */
WW_API ww_status ww_pack(ww_device *device, ww_input in, ww_input flags, ww_array out, ww_array count,
                         const ww_pack_options *options);

/* Keeps the elements for which the WW_MAP `keep` is not 0 (its result is a number). */
WW_API ww_status ww_pack_if(ww_device *device, const ww_function *keep, ww_input in, ww_array out, ww_array count,
                            const ww_pack_options *options);

typedef enum ww_split_method {
    WW_SPLIT_AUTO = 0,
    WW_SPLIT_STABLE,   /* counts first, then both sides in one pass */
    WW_SPLIT_REVERSED, /* one pass: the second side is written from the end, so it comes out reversed */
    WW_SPLIT_SCANS     /* learning: two scans give every element its position, then permute (Blelloch 1990) */
} ww_split_method;

typedef struct ww_split_options {
    size_t size;
    uint32_t method;   /* a ww_split_method */
    uint32_t reserved; /* 0 */
} ww_split_options;
#define WW_SPLIT_OPTIONS \
    { sizeof(ww_split_options), WW_SPLIT_AUTO, 0 }

/* Elements with flag 0 first, then the others, each side in order (method REVERSED: the second side in reverse); zeros
 * (one u32 or u64) = where the second side begins. out has in's count.
 *   passes    flags once (a predicate: 2 n read), 1 n read, 1 n written
 *   scratch   n / 256 elements + a bit for each element + 64 KiB a thread; scans: n of u64 more; reversed: no bits
 *   a GPU     stable reads the flags once more, or for a predicate the elements; elements and scratch as ww_pack; scans: 2 n
 *             of u32 (u64 from 2^32 on) and 2 n bytes */
WW_API ww_status ww_split(ww_device *device, ww_input in, ww_input flags, ww_array out, ww_array zeros,
                          const ww_split_options *options);
WW_API ww_status ww_split_if(ww_device *device, const ww_function *second, ww_input in, ww_array out, ww_array zeros,
                             const ww_split_options *options);

/* ---- gather and scatter ---- */

/* out[i] = in[index[i]]; elements of any type, records of any size; in is memory (INVALID where it is
 * computed). An index at or above in.count is RANGE with its position; the other elements are still written. On a GPU
 * this is reported at the next synchronisation: the call returns OK, calls queued after it that check their data do nothing,
 * and the next ww_sync, ww_copy to the host's own memory or result there returns RANGE, once.
 *   passes    1 n index read, 1 n read at random, 1 n written */
WW_API ww_status ww_gather(ww_device *device, ww_input in, ww_input index, ww_array out);

/* What happens to several elements with the same destination. Add, min and max combine them with the value there before the
 * call, for integers and floats, in the order of their positions (so that float sums have the same bits for any number of
 * threads; on a GPU they are added in the order in which they arrive, see below). */
typedef enum ww_conflict {
    WW_CONFLICT_LAST = 0, /* the one with the largest position wins */
    WW_CONFLICT_ANY,      /* one of them wins, whole; the fast one */
    WW_CONFLICT_ADD,
    WW_CONFLICT_MIN,
    WW_CONFLICT_MAX,
    WW_CONFLICT_UNIQUE /* the caller promises that there are none, as in a permutation: this is not checked, and is the fastest.
                             If the promise is broken the destination holds bytes of any of them, perhaps mixed; nothing else is
                             written */
} ww_conflict;

typedef struct ww_scatter_options {
    size_t size;       /* WW_SCATTER_OPTIONS fills it */
    uint32_t conflict; /* a ww_conflict */
    uint32_t reserved; /* 0 */
} ww_scatter_options;
#define WW_SCATTER_OPTIONS \
    { sizeof(ww_scatter_options), WW_CONFLICT_LAST, 0 }

/* Options that only set a policy, for a call: ww_scatter(device, in, index, out, ww_scatter_by(WW_CONFLICT_ADD)). */
#ifdef __cplusplus
static inline const ww_scatter_options *ww__scatter_kept(const ww_scatter_options &options) { return &options; }
#define ww_scatter_by(policy) \
    ww__scatter_kept(ww_scatter_options{sizeof(ww_scatter_options), static_cast<uint32_t>(policy), 0})
#else
#define ww_scatter_by(policy) (&(const ww_scatter_options){sizeof(ww_scatter_options), (uint32_t)(policy), 0})
#endif

/* out[index[i]] = in[i]; elements to which no index refers are unchanged. Index and RANGE as in ww_gather.
 *   passes    1 n index and 1 n read, 1 n written at random. With t threads, `any` and `unique` of elements of 1, 2, 4 or 8
 *             aligned bytes do just that; all others divide the destinations among the threads, and each thread reads the index
 *             and skims the input (each computes a mapped input): the price of the same result for any t.
 *   a GPU     `unique`: no scratch, and several lanes move a record. `any` of elements of more than 8 bytes (or less
 *             aligned): scratch of a bit for each place; `last`: the index is read twice, scratch of 4 bytes for each
 *             place (8 from 2^32 - 1 elements on). Sums of floats: if several elements have one destination the last bits may
 *             differ from the CPU's and from call to call, and f32 below 2^-126 (subnormal) may count as 0. min and max of
 *             u128: index and in are read twice. Sums of f16 and bf16: each is rounded */
WW_API ww_status ww_scatter(ww_device *device, ww_input in, ww_input index, ww_array out,
                            const ww_scatter_options *options);

/* ---- expand ---- */

/* Repeats element i counts[i] times: the copies are its children, like the threads that a thread forks, or a row's entries. The
 * children of element 0 come first, then those of 1, and so on; each child gets, in outputs that are not ww_none,
 *   out          the element of `in` that it is a child of: in's type; with ww_no_input for in, ww_none
 *   source_out   that element's position: u32 or u64
 *   rank_out     how many children of the element come before it: u32 or u64
 * and total (one u64, in any memory) says how many children there are. The work is divided by children and elements, not by
 * elements alone: one element with a million children takes no longer than a million elements with one child each, or with
 * none.
 *   counts       of any integer type of up to 64 bits (TYPE); as many as in has elements. A negative one is RANGE with its
 *                position; on a GPU it is reported at the next synchronisation, as for ww_gather, and outputs are unspecified
 *                then
 *   outputs      each as long as the others, or ww_none. If all are, the call only adds up: a first call says what capacity a
 *                second one needs. Too little capacity is LIMIT, with `total` correct; a total of 2^64 - 1 or more is LIMIT,
 *                with UINT64_MAX there. Then nothing else is written
 *   passes       counts are read twice, elements once (again for each further tile of up to 4096 children in which they have
 *                some), outputs written once. A computed input is computed as often
 *   scratch      8 bytes for each 1024 elements + 64 KiB + 64 KiB a thread; and what inputs are computed in
 *   a GPU        elements of up to 1024 bytes (LIMIT); a counts input has one step more. Where total is memory that the GPU
 *                reaches the call does not wait, and too little capacity is seen in it only. Scratch: 8 bytes an element, and
 *                what ww_scan takes for elements of 8 bytes
 * Load balancing by searching scanned counts: Merrill, Garland and Grimshaw, Scalable GPU Graph Traversal (2012); Baxter's
 * moderngpu (interval expand). */
WW_API ww_status ww_expand(ww_device *device, ww_input in, ww_input counts, ww_array out, ww_array source_out,
                           ww_array rank_out, ww_array total);

/* The same for counts that have already been scanned: children offsets[i] … offsets[i + 1] - 1 are element i's, the inverse of
 * ww_reduce_segments. One scan serves several calls, one for each array that is expanded.
 *   offsets      one more than there are elements (INVALID where there is none). One that is below the one
 *                before it is RANGE with its position; on a GPU it is reported at the next synchronisation, as for
 *                ww_gather, and outputs are unspecified then
 *   outputs      elements below offsets[0], and those from the last offset on, are unchanged; children beyond the capacity are
 *                not written
 *   passes       offsets are read twice, all else as above; scratch on a GPU: none */
WW_API ww_status ww_expand_offsets(ww_device *device, ww_input in, ww_input offsets, ww_array out, ww_array source_out,
                                   ww_array rank_out);

/* ---- histogram ---- */

typedef enum ww_histogram_method {
    WW_HISTOGRAM_AUTO = 0,
    WW_HISTOGRAM_SHARED, /* lanes increment shared counters: a GPU's in a block's shared memory, a CPU's in tables */
    WW_HISTOGRAM_WARP /* learning: a warp votes on each bit of its elements' bins, and lanes look after bins: to 256 (LIMIT) */
} ww_histogram_method;

typedef struct ww_histogram_options {
    size_t size;         /* WW_HISTOGRAM_OPTIONS fills it */
    uint32_t method;     /* a ww_histogram_method */
    uint32_t accumulate; /* 1: adds to the values already in `counts` (u32: modulo 2^32), which takes scratch of as many; 0 */
} ww_histogram_options;
#define WW_HISTOGRAM_OPTIONS \
    { sizeof(ww_histogram_options), WW_HISTOGRAM_AUTO, 0 }

/* Counts go to `counts` (u32 or u64, 1 to 2^24 bins), which is overwritten, or added to; elements in no bin are counted in
 * `outside` (one u64, or ww_none), for each call alone.
 *   passes    1 n read
 *   methods   auto is shared. The time that warp takes grows with the number of bins and does not depend on the distribution of
 *             elements; a CPU's warp is 64 elements whose bins are in one vector register (two with AVX2), a byte each
 *   scratch   counters of 4 bytes for each thread: 8 for each bin up to 2^10 bins, 5 up to 2^18, 1 above (64 MiB for
 *             2^24); and 64 KiB + 64 KiB a thread; a GPU: none
 * On a GPU, edges that do not ascend and functions that give no bucket are reported at the next synchronisation, as for
 * ww_gather; counts are then unspecified. warp: Ashkiani (2017), 3.5.5.1 and 3.7.3. */

/* counts.count equal bins over low <= x < high, for integer and float types; low and high are of the input's type
 * (INVALID unless low < high). Bin of x: floor((x - low) * bins / (high - low)) exactly for integers; for floats that
 * in double precision, never above the last bin (INVALID where (high - low) * bins is beyond it). */
WW_API ww_status ww_histogram_even(ww_device *device, ww_input in, ww_value low, ww_value high, ww_array counts,
                                   ww_array outside, const ww_histogram_options *options);

/* Bin b counts edges[b] <= x < edges[b + 1]; counts.count + 1 edges of the input's type, an integer's or a float's, each
 * above the one before (INVALID with the position where one is not; a NaN never is). Edges that are not in memory take
 * scratch for a copy. */
WW_API ww_status ww_histogram_edges(ww_device *device, ww_input in, ww_input edges, ww_array counts, ww_array outside,
                                    const ww_histogram_options *options);

/* Bin of x: the WW_MAP bucket_of, a number, or a built-in bucket function (ww_by_number and others, multisplit.h). A bin at or
 * above counts.count (or negative) is outside; if `outside` is ww_none it is RANGE with its position and counts are
 * unspecified. */
WW_API ww_status ww_histogram(ww_device *device, const ww_function *bucket_of, ww_input in, ww_array counts,
                              ww_array outside, const ww_histogram_options *options);

/* How often each of the numbers 0 … counts.count - 1 occurs: ww_histogram by ww_by_number (multisplit.h). in: integers
 * (TYPE). Other numbers are counted in `outside`; where that is ww_none they are RANGE, with the lowest position. (NumPy:
 * bincount.) */
WW_API ww_status ww_bincount(ww_device *device, ww_input in, ww_array counts, ww_array outside,
                             const ww_histogram_options *options);

/* A histogram in two dimensions: counts[i * (y_edges.count - 1) + j] is the number of pairs with x_edges[i] <= x[k] <
 * x_edges[i + 1] and y_edges[j] <= y[k] < y_edges[j + 1]: u32 or u64, (x_edges.count - 1) * (y_edges.count - 1) counts, up to
 * 2^24 of them. Pairs outside are counted in `outside` (one u64) or, where that is ww_none, left out. Edges have the type of
 * their input, an integer's or a float's, and are in ascending order, floats in totalOrder (-0 is below 0); NaNs are outside.
 * The order of edges is not checked: if they are not sorted, counts are unspecified. (NumPy: histogram2d.)
 *   passes    1 n read of each side
 *   scratch   a CPU, with ascending edges: what ww_histogram_edges takes for each side, and copies of computed inputs. A GPU,
 *             edges of 32 or 64 bits in memory: none. Else 8 bytes an element, and what ww_upper_bound and ww_histogram take */
WW_API ww_status ww_histogram_2d(ww_device *device, ww_input x, ww_input y, ww_input x_edges, ww_input y_edges,
                                 ww_array counts, ww_array outside);

/* ---- merge, search, sets ---- */

/* Merges two sorted inputs, stably (of equal elements a's come first); values, when given, go with their keys. Whether inputs
 * are sorted is not checked: if they are not, the output is still a permutation of them.
 *   a_values, b_values, values_out   all given, of one type, or none (ww_no_input, ww_none)
 *   passes    1 n read, 1 n written
 *   scratch   64 KiB + 64 KiB a thread, more where computed elements are longer than 256 bytes: 256 of them a thread
 *   a GPU     keys, and values that are computed, of up to 1024 bytes (LIMIT); scratch: 9 bytes for each tile of 64 KiB or
 *             less of keys
 * Merge path: Green, McColl and Bader 2012. */
WW_API ww_status ww_merge(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_input a_values,
                          ww_input b_values, ww_array out, ww_array values_out);

/* Sets of sorted inputs, as multisets: an element that a has i times and b j times comes max(i, j), min(i, j),
 * max(i - j, 0) times: a's and then b's last ones, a's first ones, a's last ones. count: one u32 or u64. out: capacity for the
 * result, else LIMIT with `count` correct and as much as fits written. Whether inputs are sorted is not checked: if they are
 * not, the result is unspecified.
 *   passes    1 n read, the result written; scratch as ww_merge
 *   a GPU     elements of up to 1024 bytes (LIMIT). Where count is memory that the GPU reaches the call does not wait, and
 *             too little capacity is seen in it only. Scratch: 24 bytes for each tile
 * Balanced path: Baxter's moderngpu. */
WW_API ww_status ww_set_union(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_array out,
                              ww_array count);
WW_API ww_status ww_set_intersection(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_array out,
                                     ww_array count);
WW_API ww_status ww_set_difference(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_array out,
                                   ww_array count);

/* out[i] = the first position in `sorted` whose element is not below (upper: is above) needles[i]; sorted.count where
 * there is none. out: u32 or u64. Work: n log m; less if needles are in order, too: neighbours are searched between the same
 * two positions, or merged.
 *   scratch   as ww_merge; and one copy of `sorted`, if that is not memory; a GPU: none
 *   a GPU     elements of up to 1024 bytes (LIMIT) */
WW_API ww_status ww_lower_bound(ww_device *device, const ww_function *less, ww_input sorted, ww_input needles,
                                ww_array out);
WW_API ww_status ww_upper_bound(ww_device *device, const ww_function *less, ww_input sorted, ww_input needles,
                                ww_array out);

/* ---- runs ---- */

/* For each run of elements equal in their bytes: the element and the run's length (u32 or u64). runs: one u32 or u64.
 * Either output may be ww_none; too little capacity is LIMIT with `runs` right. Passes: 1 n read, the runs written.
 *   a GPU     Where runs is memory that the GPU reaches the call does not wait, and too little capacity is seen in it only.
 *             Computed elements: up to 1024 bytes (LIMIT). Elements of more than 16 bytes are read once for lengths_out and
 *             once for values_out. Scratch: 8 bytes for each tile of 512 or more elements, three times that from 2^31
 *             on, and a byte for each element of more than 16 bytes. */
WW_API ww_status ww_run_lengths(ww_device *device, ww_input in, ww_array values_out, ww_array lengths_out,
                                ww_array runs);

/* The first element of each run: a sorted input's distinct elements. count: one u32 or u64; too little capacity is LIMIT with
 * `count` right. Overlap, and scratch in place, as ww_pack; if in is computed from the memory that is written, n elements.
 * Passes, and limits and waiting on a GPU, as ww_run_lengths. */
WW_API ww_status ww_unique(ww_device *device, ww_input in, ww_array out, ww_array count);

/* The same three calls with the caller's own equality: a WW_MAP2 of two elements (TYPE) whose result is a number, not 0 if they
 * are equal.
 *
 *     WW_MAP2(same_letter, uint8_t, uint8_t, a, uint8_t, b, void, none, { return (a | 32) == (b | 32); });
 *     ww_unique_by(device, &same_letter_ww, ww_memory(text, n), ww_array(out, n), ww_array(&count, 1));
 *
 * An element continues a run if it is equal to the one just before it, not to the run's first: if numbers that differ by less
 * than 2 count as equal, 1 2 3 4 is one run. The run's key is its first element. (C++: unique with a predicate.)
 *   passes, scratch   as above; on a CPU for each thread one byte more for each element of a tile
 *   a GPU             elements of up to 1024 bytes (LIMIT) */
WW_API ww_status ww_unique_by(ww_device *device, const ww_function *equal, ww_input in, ww_array out, ww_array count);
WW_API ww_status ww_run_lengths_by(ww_device *device, const ww_function *equal, ww_input in, ww_array values_out,
                                   ww_array lengths_out, ww_array runs);
WW_API ww_status ww_reduce_by_key_by(ww_device *device, const ww_function *equal, const ww_function *op, ww_input keys,
                                     ww_input values, ww_array keys_out, ww_array values_out, ww_array runs);

#ifdef __cplusplus
}
#endif
#endif
