/* The radix sort's loops for every key and value size. The code is in radix_keys.h (what needs the keys only) and
 * radix_pairs.h (what moves elements); here is what they stand on, and the list of sizes.
 *
 * Elements of the caller's may have any address (records), so loads and stores of them are of types with alignment 1. */
#include "radix/radix.h"

#include <string.h>

#include "warpwise/function_widths.h"

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

/* To so few buckets, in cache, elements go one by one: each bucket's line stays in a first-level cache by itself. The line
 * after it is asked for with the right to write, so that no store waits for it: 2^20 u32 take 0.82 of the time without (an
 * EPYC), 2^20 pairs of u64 half, if their values' lines are asked for, too (a Xeon with AVX-512, one thread; both 2026-11). */
enum { DIRECT_BITS = 7 };
#define TAKE_NEXT_LINE(to) __builtin_prefetch((const char *)(to) + 64, 1)

/* Loops that count a bucket up and move an element are unrolled: each load of a counter is then predicted by itself to wait, or
 * not, for a store that came shortly before. (Without that an EPYC takes 3 times as long for 32 buckets in cache.) */
#define UNROLLED _Pragma("GCC unroll 8")

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
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "radix/radix_keys.h"

#define KEY uint16_t
#define KEY_NAME 16
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "radix/radix_keys.h"

#define KEY uint32_t
#define KEY_NAME 32
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "radix/radix_keys.h"

#define KEY uint64_t
#define KEY_NAME 64
#define HIGHEST highest_bit
#define LOWEST lowest_bit
#include "radix/radix_keys.h"

#if WW_HAS_U128
static inline unsigned highest_bit_128(ww_u128 x) {
    return x >> 64 ? 64 + highest_bit((uint64_t)(x >> 64)) : highest_bit((uint64_t)x);
}
static inline unsigned lowest_bit_128(ww_u128 x) {
    return (uint64_t)x ? lowest_bit((uint64_t)x) : 64 + lowest_bit((uint64_t)(x >> 64));
}
#define KEY ww_u128
#define KEY_NAME 128
#define HIGHEST highest_bit_128
#define LOWEST lowest_bit_128
#include "radix/radix_keys.h"
#endif

void ww__radix_partition_pairs(const ww__radix_partition *job) {
    const key_32 *keys = job->keys, *values = job->values;
    const uint32_t flip = (uint32_t)job->order.flip, fold = (uint32_t)job->order.fold;
    const unsigned low = job->low;
    const size_t buckets = (size_t)1 << job->bits;
    uint64_t *position = job->lines.position;
    const writer_64_none w = writer_of_64_none(&job->lines);
    const bool direct = !job->lines.streaming && job->bits <= DIRECT_BITS;
    enum { BLOCK = BLOCK_BYTES / sizeof(uint32_t) };
    key_32 room[BLOCK];
    for (size_t i = 0; i < job->n; i += BLOCK) {
        const size_t n = (size_t)ww__min_u64(BLOCK, job->n - i);
        FETCH(keys + i, BLOCK_BYTES);
        FETCH(values + i, BLOCK_BYTES);
        const key_32 *number = numbers_32(room, keys + i, n, flip, fold);
        if (direct) {
            UNROLLED
            for (size_t j = 0; j < n; j++) {
                const uint64_t to = position[number[j] >> low & (buckets - 1)]++;
                TAKE_NEXT_LINE(w.keys + to);
                w.keys[to] = (uint64_t)number[j] << 32 | values[i + j];
            }
        } else {
            UNROLLED
            for (size_t j = 0; j < n; j++) {
                const size_t b = number[j] >> low & (buckets - 1);
                put_64_none(&w, b, position[b]++, (uint64_t)number[j] << 32 | values[i + j], NULL, false);
            }
        }
    }
    if (!direct) drain_64_none(&w, position, buckets);
}

void ww__radix_part_pairs(const void *pairs, void *keys, void *values, size_t n) {
    const key_64 *p = pairs;
    key_32 *k = keys, *v = values;
    for (size_t i = 0; i < n; i++) {
        k[i] = (uint32_t)(p[i] >> 32);
        v[i] = (uint32_t)p[i];
    }
}

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
