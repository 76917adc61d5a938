/* A model of banked memory: the cost of sorting, partitioning and permuting where a bank serves one processor at a time.
 *
 *     ww_banked_result r = WW_BANKED_RESULT;
 *     ww_banked_sort(device, ww_array(keys, n), 32, NULL, &r);
 *     printf("%llu steps, %llu conflicts\n", (unsigned long long)r.steps, (unsigned long long)r.conflicts);
 *
 * The machine has m banks, m processors and n words, in a matrix of m rows, a row a bank, and w = n / m columns. The caller's
 * array is the matrix in row-major order: element k is in row k / w, column k mod w. In a step each processor reads or writes
 * at most one word, of any bank, and a bank is accessed by at most one processor; computing on a few words of its own takes a
 * processor no steps. It is the discrete memory machine (Nakano 2012) without latency. Shared memory of a GPU is such a
 * machine: 32 banks, and accesses of a warp to one bank wait for each other.
 *
 * These functions run the algorithms on that machine, access by access, on the caller's array, and report the cost. The machine
 * refuses a step in which two processors access one bank (INVALID, with the step, both processors and the bank), so that a run
 * without a refusal proves that there are no conflicts on its data. Local work and accesses to counters are counted too. The
 * methods are those of Afshani and Sitchinava, Sorting and Permuting without Bank Conflicts on GPUs (2015), and those that they
 * improve on.
 *
 * These are for learning and for measuring algorithms: ww_sort is a thousand times faster. They run on one thread of the host,
 * and give the same results and steps on every machine; randomised methods depend on their seed. A GPU's handle is refused
 * (UNSUPPORTED). Of n items up to 2^32 - 2 (LIMIT), m banks from 2 to 2^20 (INVALID, LIMIT).
 *   scratch    16 to 64 bytes an item, the more the fewer columns there are, and 400 a bank; partition and permute 24 an item
 *              more, and a copy of the values; the offline method 30 more than these
 *   statuses   a call that fails has moved nothing. MEMORY and LIMIT at scratch; INVALID for a method that cannot sort this
 *              shape, with what it asks for */
#ifndef WARPWISE_BANKED_H
#define WARPWISE_BANKED_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Steps are those of their bound: `bound` in the result is a constant times the growth that stands here, lg being log2 and at
 * least 1, L = max(1, lg m / lg w). docs/banked.md has the constants. */
typedef enum ww_banked_method {
    WW_BANKED_AUTO = 0, /* what takes fewest steps, which is known before; permute: theorem 4 */
    /* sort and partition; partition sorts rows by counting, where that takes fewer steps */
    WW_BANKED_LEMMA1,    /* m^2 <= w. Sort: w lg w; partition (corollary 1): w */
    WW_BANKED_THEOREM1,  /* m <= w. Sort: w lg n; partition: w */
    WW_BANKED_THEOREM2,  /* m >= w: w lg n min(lg m, L^2), which is w lg n where w is a root of m or more */
    WW_BANKED_SHEARSORT, /* rows and columns in turn: w lg n lg m (Sitchinava and Weichert 2013) */
    /* sort */
    WW_BANKED_ODDEVEN, /* Batcher's odd-even merge network on all items, which has conflicts: w lg^2 n without them */
    WW_BANKED_BITONIC, /* his bitonic network */
    /* partition */
    WW_BANKED_LEMMA2, /* m > w, a product of factors of at most w: w L^3 */
    /* permute */
    WW_BANKED_THEOREM4, /* random: w lg lg lg m + lg^2 m on average */
    WW_BANKED_OFFLINE,  /* by a colouring that is made before the first step, and not counted (Nakano 2012): w */
    WW_BANKED_SORTING   /* labels sorted as integers, as partition does it */
} ww_banked_method;

typedef struct ww_banked_options {
    size_t size;       /* WW_BANKED_OPTIONS fills it */
    uint64_t seed;     /* of random methods */
    uint32_t method;   /* a ww_banked_method */
    uint32_t reserved; /* 0 */
} ww_banked_options;
#define WW_BANKED_OPTIONS \
    { sizeof(ww_banked_options), 0, WW_BANKED_AUTO, 0 }

/* The cost of a run. */
typedef struct ww_banked_result {
    size_t size;        /* WW_BANKED_RESULT fills it */
    uint64_t steps;     /* conflicts included */
    uint64_t conflicts; /* steps that were waited for banks: only the networks have any */
    uint64_t bound;     /* of the method: steps without conflicts are not more */
    uint64_t work;      /* m times the steps */
    uint64_t accesses;  /* words read and written */
    uint64_t columns;   /* of the matrix that was worked on, with padding */
    uint32_t method;    /* the one that ran */
    uint32_t reserved;
} ww_banked_result;
#define WW_BANKED_RESULT \
    { sizeof(ww_banked_result), 0, 0, 0, 0, 0, 0, 0, 0 }

/* Sorts keys in place, in ascending order.
 *   keys      u32 or u64 (TYPE), at least one (INVALID), of any number: the matrix is filled up with largest keys, and gets
 *             more columns where that takes fewer steps. The networks sort the least power of two of words
 *   options   may be NULL
 *   result    may be NULL */
WW_API ww_status ww_banked_sort(ww_device *device, ww_array keys, uint64_t banks, const ww_banked_options *options,
                                ww_banked_result *result);

/* Moves items to rows: items with label i go to row i, in some order there that is the same each time.
 *   labels    u32 or u64 (TYPE), in place; a multiple of the banks of them (INVALID), and of each of 0 … banks - 1 as many
 *             (RANGE, with the lowest position of a label that is none, or with the label that stands too often)
 *   values    any type, as many as labels (INVALID), in place; must not overlap them (OVERLAP); or ww_none */
WW_API ww_status ww_banked_partition(ww_device *device, ww_array labels, ww_array values, uint64_t banks,
                                     const ww_banked_options *options, ww_banked_result *result);

/* Permutes: value k goes to place index[k].
 *   index     u32 or u64 (TYPE), a multiple of the banks of them (INVALID), each of 0 … n - 1 once (RANGE, with the lowest
 *             position of one that is none or stands there again; a place that is missing is then named, too)
 *   values    any type, as many, in place; must not overlap index (OVERLAP) */
WW_API ww_status ww_banked_permute(ww_device *device, ww_array index, ww_array values, uint64_t banks,
                                   const ww_banked_options *options, ww_banked_result *result);

/* Converts the matrix from row-major to column-major order, or back, in place on the model too: a bank also has a bit
 * for each column. At most 13 steps a column. Element k goes, to_columns, to row k mod m, column k / m.
 *   values    any type, a multiple of the banks (INVALID), in place
 * Catanzaro, Keller and Garland, A decomposition for in-place matrix transposition (2014). */
WW_API ww_status ww_banked_convert(ww_device *device, ww_array values, uint64_t banks, bool to_columns,
                                   ww_banked_result *result);

#ifdef __cplusplus
}
#endif

#endif
