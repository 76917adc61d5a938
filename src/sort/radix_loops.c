/* The radix sort's loops for every key and value size. The code is in radix_keys.h (what needs the keys only) and
 * radix_pairs.h (what moves elements); here is what they stand on, and the list of sizes.
 *
 * Elements of the caller's may have any address (records), so loads and stores of them are of types with alignment 1. */
#include "sort/radix.h"

#include <string.h>

#include "warpwise/function_loops.h"

#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b
#define INLINE WW__INLINE

/* Up to this many elements are sorted by insertion. */
enum { INSERTION = 24 };

/* A leaf is first sorted by so many bits more than number its elements: of random keys one in 2^3 or so is tied. Measured on a
 * Xeon with AVX-512, 2026-11: with 6 bits more, sorts of u32 take 1.06 times as long. */
enum { TIES_BITS = 3 };

/* Keys go from one step of a loop to the next in blocks of so many bytes. */
enum { BLOCK_BYTES = 512 };

/* To so few buckets, in cache, elements go one by one: each bucket's line stays in a first-level cache by itself. */
enum { DIRECT_BITS = 7 };

static const ww__radix_order as_they_are = {0, 0};

#define FETCH WW__LINES_FETCH

static inline unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Counts become the sums of those before them. */
static inline void add_up(uint32_t *table, size_t buckets) {
    uint32_t sum = 0;
    for (size_t b = 0; b < buckets; b++) {
        const uint32_t count = table[b];
        table[b] = sum;
        sum += count;
    }
}

static inline unsigned highest_bit(uint64_t x) { return 63 - (unsigned)__builtin_clzll(x); }
static inline unsigned lowest_bit(uint64_t x) { return (unsigned)__builtin_ctzll(x); }

#define KEY uint8_t
#define KEY_NAME 8
#define KEY_BITS 8
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "sort/radix_keys.h"

#define KEY uint16_t
#define KEY_NAME 16
#define KEY_BITS 16
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "sort/radix_keys.h"

#define KEY uint32_t
#define KEY_NAME 32
#define KEY_BITS 32
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "sort/radix_keys.h"

#define KEY uint64_t
#define KEY_NAME 64
#define KEY_BITS 64
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "sort/radix_keys.h"

#if WW_HAS_U128
static inline unsigned highest_bit_128(ww_u128 x) {
    return x >> 64 ? 64 + highest_bit((uint64_t)(x >> 64)) : highest_bit((uint64_t)x);
}
static inline unsigned lowest_bit_128(ww_u128 x) {
    return (uint64_t)x ? lowest_bit((uint64_t)x) : 64 + lowest_bit((uint64_t)(x >> 64));
}
#define KEY ww_u128
#define KEY_NAME 128
#define KEY_BITS 128
#define HIGHEST highest_bit_128
#define LOWEST lowest_bit_128
#include "sort/radix_keys.h"
#endif

const ww__radix_loops *ww__radix_loops_of(size_t key_size, size_t value_size) {
    static const ww__radix_loops *const *const loops[] = {
        loops_8,
        loops_16,
        loops_32,
        loops_64,
#if WW_HAS_U128
        loops_128
#endif
    };
    const int key = ww__lines_size(key_size), value = value_size ? ww__lines_size(value_size) + 1 : 0;
    if (key < 0 || (size_t)key >= sizeof loops / sizeof *loops || (value_size && value == 0)) return NULL;
    return loops[key][value];
}
