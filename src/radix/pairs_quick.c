/* Sorting numbers with values of their size, stably, by vectors that compare: for keys that crowd or of which many are equal, and for what
 * is too little to be worth a partition.
 *
 * A quicksort out of place. One pass puts what is not above a key of a sample where the part's result will be, and all else where it will
 * not, both in the order in which they were read; so each part has room for itself again, and equal numbers stay in order. Where the
 * sample's least key is its middle one, too, the numbers up to it are mostly equal to it; the pass looks whether all are, and these
 * are then in their places. Otherwise numbers below the middle one part from the rest: each part has a key of the sample, and is smaller.
 * No store goes beyond what was read, so whole registers are stored whatever they hold.
 *
 * Parts that outgrow the second-level cache, where a pass waits for memory, are parted in four: one pass over the numbers counts, the
 * next moves each pair to its quarter's place. A key that is much of the sample has a quarter for itself, which is done.
 *
 * Up to FEW_MOST pairs become words of a number's highest bits and the pair's place (few_pairs.c), where that leaves few in disorder. Else
 * words of up to BLOCK pairs have more bits, and are sorted in registers (network_rows.h). Where keys of samples were bad too often, a
 * leaf by digits finishes.
 *     memory     2 n read and written for each halving of the parts, and for each division in four, which reads the n numbers once more
 * Partitions by compressed registers: Bramas (2017); Blacher et al. (2022). */
#include "radix/pairs_quick.h"

#include <string.h>

#include "radix/few_pairs.h"
#include "warpwise/function_widths.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum {
    BLOCK_MOST = 256, /* pairs */
    AHEAD = 512,      /* bytes that are asked for before they are written */
    FEW_MOST = 512, /* pairs that are not parted, but sorted by words: more of them would often have many equal keys */
    SAMPLE_MOST = 32,
    SAMPLE_FEW = 16,
    QUARTERS = 4,
    SAMPLE_QUARTERS = 64,
    QUARTERED_BYTES = 3 << 16, /* of numbers that are parted in four … */
    /* … by one of several workers, while others wait: 2^15 u64 + u64 and 2^16 u32 + u32 take 1.25 times as long so, 2^17 0.6 to 0.9 times (two
     * threads of a Xeon with AVX-512, 2026-11). */
    DIVIDED_BYTES = 1 << 19,
    FEW = 1 << 11 /* pairs that are parted by a sample of SAMPLE_FEW */
};

static const ww__radix_order as_they_are = {0, 0};

/* How a pass parts numbers: up to this one, and all others. */
typedef struct plan {
    uint64_t most;
    bool equal; /* it is the sample's least */
} plan;

/* How a pass parts numbers in four: each quarter has those up to its `most` that are in none before it. */
typedef struct quarters {
    uint64_t most[QUARTERS];
    size_t first[QUARTERS + 1];
} quarters;

static inline bool is_one_number(const quarters *q, size_t k) {
    return q->most[k] == (k ? q->most[k - 1] + 1 : 0);
}

/* What a pass left: so many up to plan.most; and whether any of these is below it, where that was asked. */
typedef struct passed {
    size_t low;
    uint64_t differ;
} passed;

/* Numbers, and their values. */
typedef struct pairs_at {
    unsigned char *keys, *values;
} pairs_at;

WW__INLINE pairs_at moved(pairs_at at, size_t n, size_t size) {
    return (pairs_at){at.keys + n * size, at.values + n * size};
}

static void sort_words(void *words, size_t size, size_t n) {
    uint64_t room[BLOCK_MOST];
    ww__network_quick_of(WW_VECTOR_AVX512, size)(words, words, room, n, &as_they_are, &as_they_are);
}

_Static_assert((int)QUARTERS == (int)WW__NETWORK_PARTS, "all that a pass leaves");

#define TARGET WW__TARGET_avx512
#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b

/* What is read, and what is written, next: two registers of it. */
#define FETCH(at) \
    do { \
        __builtin_prefetch((const char *)(at) + WW__AHEAD); \
        __builtin_prefetch((const char *)(at) + WW__AHEAD + 64); \
    } while (0)
#define ASK(at) \
    do { \
        __builtin_prefetch((const char *)(at) + AHEAD, 1); \
        __builtin_prefetch((const char *)(at) + AHEAD + 64, 1); \
    } while (0)

#define KEY uint32_t
#define BITS 32
#define LANES 16
#define MASK __mmask16
#define PLACE_BITS 8
#define BLOCK 256
#include "radix/pairs_quick_rows.h"

#define KEY uint64_t
#define BITS 64
#define LANES 8
#define MASK __mmask8
#define PLACE_BITS 7
#define BLOCK 128
#include "radix/pairs_quick_rows.h"

const ww__network_parts *ww__pairs_parts_of(int vector, size_t key_size, size_t value_size) {
    static const ww__network_parts four = {divide_32, finish_32}, eight = {divide_64, finish_64};
    if (vector != WW_VECTOR_AVX512 || key_size != value_size) return NULL;
    return key_size == 4 ? &four : key_size == 8 ? &eight : NULL;
}

#else
const ww__network_parts *ww__pairs_parts_of(int vector, size_t key_size, size_t value_size) {
    (void)vector, (void)key_size, (void)value_size;
    return NULL;
}
#endif
