/* Partitions where no digit spreads keys: many are equal, or they crowd in a few places of a large range (words of text, of
 * programs, floats). A sample is sorted, and every so many-th key of it is a splitter; keys that are a splitter themselves have a
 * bucket of their own, and are in order when they are there. So a key that comes often is moved once, and never compared again.
 *
 * A key's bucket is searched for by halves, all keys in the same number of steps, so that nothing has to be foreseen; with AVX-512 a
 * level's splitters lie in registers, and a shuffle takes each lane's.
 *     memory     1 n of keys to count; 1 n read and written to partition
 * Splitters with buckets for equal keys: Sanders and Winkel, Super Scalar Sample Sort (2004); Axtmann, Witt, Ferizovic and
 * Sanders, In-Place Parallel Super Scalar Samplesort (2017). */
#include "radix/splitters.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "warpwise/function_widths.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    BLOCK = 512,             /* keys between finding their buckets and moving them */
    BUCKET_KEYS = 1 << 16,   /* what a bucket is to hold, equal keys aside, */
    BUCKET_PAIRS = 1 << 15,  /* … with values that are sorted by comparing, */
    BUCKET_TAGGED = 1 << 14, /* … or by words of keys and places */
    LEVELS_LEAST = 4,
    LEVELS_WIDE = 8, /* of keys of 8 bytes, at most */
    DIRECT_BITS = 8, /* so few buckets, in cache, need no lines */
    SAMPLED_A_SPLITTER = 4,
    SAMPLE_MOST = SAMPLED_A_SPLITTER * (WW__SPLITTERS_MOST + 1)
};
_Static_assert(2 * SAMPLE_MOST * 8 <= (int)WW__RADIX_LINES_BYTES, "a sample lies where lines do");

/* ---- splitters ---- */

/* The numbers of a sample's keys, in order. */
static const unsigned char *sorted_sample(const ww__radix_run *r, const ww__radix_range *a, size_t n) {
    const size_t size = r->key_size;
    const ww__radix_loops *loops = ww__radix_loops_of(size, 0);
    const ww__radix_order order = ww__radix_order_in(r, a->buffer);
    unsigned char *sample = ww__radix_lines(r, 0), *sorted = sample + SAMPLE_MOST * size;
    const ww__radix_leaf leaf = {.keys = {sample, sorted}, .tables = (uint32_t *)(void *)ww__radix_desk(r, 0)};
    const uint64_t step = a->n / n;
    for (size_t i = 0; i < n; i++)
        memcpy(sample + i * size, ww__radix_key(r, a->buffer, a->first + i * step + (i * 0x9e37 >> 4) % step), size);
    loops->arrange(sample, sample, n, &order);
    loops->leaf(&leaf, 0, n, ww__radix_ones((unsigned)(8 * size)));
    return sorted;
}

/* The splitters of each level, in order. */
static void make_levels(ww__splitters *s) {
    const size_t all = (size_t)1 << s->levels;
    for (unsigned level = 0; level < s->levels; level++)
        for (size_t i = 0; i < (size_t)1 << level; i++)
            s->node[((size_t)1 << level) + i] = s->key[(2 * i + 1) * (all >> (level + 1)) - 1];
    for (size_t i = 0; i < all; i++) s->half[i] = (uint32_t)s->node[i];
}

void ww__splitters_choose(const ww__radix_run *r, const ww__radix_range *a, ww__splitters *s) {
    const unsigned most = r->key_size == 4 ? WW__SPLITTERS_LEVELS : LEVELS_WIDE;
    const uint64_t aim = !r->value_size ? BUCKET_KEYS : r->pairs_parts ? BUCKET_PAIRS : BUCKET_TAGGED;
    s->levels = LEVELS_LEAST;
    while (s->levels < most && a->n >> s->levels > aim) s->levels++;
    const size_t n = (size_t)SAMPLED_A_SPLITTER << s->levels, all = ((size_t)1 << s->levels) - 1;
    const unsigned char *sample = sorted_sample(r, a, n);
    s->many = 0;
    for (size_t i = 1; i <= all; i++) {
        const uint64_t number = (uint64_t)ww__radix_key_at(sample, r->key_size, i * SAMPLED_A_SPLITTER - 1);
        if (!s->many || number != s->key[s->many - 1]) s->key[s->many++] = number;
    }
    for (size_t k = (size_t)s->many; k < all; k++) s->key[k] = s->key[s->many - 1];
    make_levels(s);
}

/* ---- the buckets of a block of numbers ---- */

#define FIND(KEY, NODES) \
    typedef KEY any_##KEY __attribute__((aligned(1), may_alias)); \
    static void find_##KEY(const ww__splitters *s, const void *numbers, size_t n, uint32_t *WW__R bucket) { \
        const any_##KEY *number = numbers; \
        for (size_t i = 0; i < n; i++) { \
            size_t at = 1; \
            for (unsigned level = 0; level < s->levels; level++) at = 2 * at + (s->NODES[at] <= number[i]); \
            const size_t k = (size_t)ww__min_u64(at - ((size_t)1 << s->levels), s->many); \
            bucket[i] = (uint32_t)(2 * k - (k && s->key[k - 1] == number[i])); \
        } \
    }
FIND(uint32_t, half)
FIND(uint64_t, node)

#if defined(__x86_64__)
#define VECTOR_INLINE WW__TARGET_avx512 static inline __attribute__((always_inline))

/* Each lane's of 2^k splitters, by the low k bits of `at`. */
#define TWO_HALVES(bits, entries, half, TEST, BLEND) \
    VECTOR_INLINE __m512i taken_##bits##_##entries(const void *from, __m512i at) { \
        const __m512i low = taken_##bits##_##half(from, at); \
        const __m512i high = taken_##bits##_##half((const unsigned char *)from + half * bits / 8, at); \
        return BLEND(TEST(at, half), low, high); \
    }
#define HAS_64(at, bit) _mm512_test_epi64_mask(at, _mm512_set1_epi64(bit))
#define HAS_32(at, bit) _mm512_test_epi32_mask(at, _mm512_set1_epi32(bit))

VECTOR_INLINE __m512i taken_64_8(const void *from, __m512i at) {
    return _mm512_permutexvar_epi64(at, _mm512_loadu_si512(from));
}
VECTOR_INLINE __m512i taken_64_16(const void *from, __m512i at) {
    return _mm512_permutex2var_epi64(_mm512_loadu_si512(from), at,
                                     _mm512_loadu_si512((const unsigned char *)from + 64));
}
TWO_HALVES(64, 32, 16, HAS_64, _mm512_mask_blend_epi64)
TWO_HALVES(64, 64, 32, HAS_64, _mm512_mask_blend_epi64)
TWO_HALVES(64, 128, 64, HAS_64, _mm512_mask_blend_epi64)

VECTOR_INLINE __m512i taken_32_16(const void *from, __m512i at) {
    return _mm512_permutexvar_epi32(at, _mm512_loadu_si512(from));
}
VECTOR_INLINE __m512i taken_32_32(const void *from, __m512i at) {
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(from), at,
                                     _mm512_loadu_si512((const unsigned char *)from + 64));
}
TWO_HALVES(32, 64, 32, HAS_32, _mm512_mask_blend_epi32)
TWO_HALVES(32, 128, 64, HAS_32, _mm512_mask_blend_epi32)
TWO_HALVES(32, 256, 128, HAS_32, _mm512_mask_blend_epi32)

/* A register's buckets. `at` is how many splitters of a level are no larger; `last` the largest of these. */
#define LEVEL(bits, entries, level) \
    do { \
        const __m512i node = taken_##bits##_##entries(nodes + ((size_t)1 << (level)), at); \
        const LANES_##bits up = _mm512_cmple_epu##bits##_mask(node, number); \
        at = _mm512_add_epi##bits(at, at); \
        at = _mm512_mask_add_epi##bits(at, up, at, one); \
        last = _mm512_mask_mov_epi##bits(last, up, node); \
        any |= up; \
    } while (0)
#define LANES_64 __mmask8
#define LANES_32 __mmask16
#define BUCKETS(bits) \
    do { \
        at = _mm512_min_epu##bits(at, _mm512_set1_epi##bits((int)s->many)); \
        at = _mm512_add_epi##bits(at, at); \
        at = _mm512_mask_sub_epi##bits(at, (LANES_##bits)(any & _mm512_cmpeq_epi##bits##_mask(last, number)), at, \
                                       one); \
    } while (0)

VECTOR_INLINE __m256i find_8(const ww__splitters *s, const uint64_t *nodes, const unsigned levels, __m512i number) {
    const __m512i one = _mm512_set1_epi64(1);
    __m512i at = _mm512_setzero_si512(), last = at;
    LANES_64 any = 0;
    LEVEL(64, 8, 0);
    LEVEL(64, 8, 1);
    LEVEL(64, 8, 2);
    LEVEL(64, 8, 3);
    if (levels > 4) LEVEL(64, 16, 4);
    if (levels > 5) LEVEL(64, 32, 5);
    if (levels > 6) LEVEL(64, 64, 6);
    if (levels > 7) LEVEL(64, 128, 7);
    BUCKETS(64);
    return _mm512_cvtepi64_epi32(at);
}

VECTOR_INLINE __m512i find_16(const ww__splitters *s, const uint32_t *nodes, const unsigned levels, __m512i number) {
    const __m512i one = _mm512_set1_epi32(1);
    __m512i at = _mm512_setzero_si512(), last = at;
    LANES_32 any = 0;
    LEVEL(32, 16, 0);
    LEVEL(32, 16, 1);
    LEVEL(32, 16, 2);
    LEVEL(32, 16, 3);
    if (levels > 4) LEVEL(32, 16, 4);
    if (levels > 5) LEVEL(32, 32, 5);
    if (levels > 6) LEVEL(32, 64, 6);
    if (levels > 7) LEVEL(32, 128, 7);
    if (levels > 8) LEVEL(32, 256, 8);
    BUCKETS(32);
    return at;
}
_Static_assert(LEVELS_LEAST == 4 && LEVELS_WIDE == 8 && WW__SPLITTERS_LEVELS == 9, "the levels above");

WW__TARGET_avx512 static void find_uint64_t_avx512(const ww__splitters *s, const void *numbers, size_t n,
                                                   uint32_t *bucket) {
    const any_uint64_t *number = numbers;
    size_t i = 0;
#define FIND_8(levels) \
    for (; i + 8 <= n; i += 8) \
    _mm256_storeu_si256((void *)(bucket + i), \
                        find_8(s, s->node, levels, _mm512_loadu_si512((const void *)(number + i))))
    if (s->levels == 4)
        FIND_8(4);
    else if (s->levels == 5)
        FIND_8(5);
    else if (s->levels == 6)
        FIND_8(6);
    else if (s->levels == 7)
        FIND_8(7);
    else
        FIND_8(8);
    find_uint64_t(s, number + i, n - i, bucket + i);
}

WW__TARGET_avx512 static void find_uint32_t_avx512(const ww__splitters *s, const void *numbers, size_t n,
                                                   uint32_t *bucket) {
    const any_uint32_t *number = numbers;
    size_t i = 0;
#define FIND_16(levels) \
    for (; i + 16 <= n; i += 16) \
    _mm512_storeu_si512((void *)(bucket + i), \
                        find_16(s, s->half, levels, _mm512_loadu_si512((const void *)(number + i))))
    if (s->levels == 4)
        FIND_16(4);
    else if (s->levels == 5)
        FIND_16(5);
    else if (s->levels == 6)
        FIND_16(6);
    else if (s->levels == 7)
        FIND_16(7);
    else if (s->levels == 8)
        FIND_16(8);
    else
        FIND_16(9);
    find_uint32_t(s, number + i, n - i, bucket + i);
}
#endif

typedef void find(const ww__splitters *s, const void *numbers, size_t n, uint32_t *bucket);

static find *find_of(int vector, size_t size) {
#if defined(__x86_64__)
    if (vector == WW_VECTOR_AVX512) return size == 4 ? find_uint32_t_avx512 : find_uint64_t_avx512;
#endif
    (void)vector;
    return size == 4 ? find_uint32_t : find_uint64_t;
}

/* ---- the partition ---- */

typedef struct parting {
    ww__radix_split *split;
    const ww__splitters *splitters;
    find *find;
    const ww__lines_loops *loops;
    const uint64_t *bounds;
} parting;

/* Part `number` begins at this element of the range, and has so many. */
static uint64_t part_of(const ww__radix_split *p, uint64_t number, size_t *n) {
    *n = (size_t)ww__min_u64(p->part_n, p->range->n - number * p->part_n);
    return p->range->first + number * p->part_n;
}

/* The numbers of n keys from `first` on, in `room` or where the keys are, and their buckets. */
static const void *numbers_of(const parting *t, uint64_t first, size_t n, void *room, uint32_t *bucket) {
    const ww__radix_run *r = t->split->r;
    const ww__radix_order order = ww__radix_order_in(r, t->split->range->buffer);
    const void *numbers = ww__radix_key(r, t->split->range->buffer, first);
    if (order.flip | order.fold) {
        r->loops->arrange(room, numbers, n, &order);
        numbers = room;
    }
    t->find(t->splitters, numbers, n, bucket);
    return numbers;
}

/* Counts in tables in turn, so that equal neighbours do not wait for each other. */
static void count_parts(void *argument, size_t worker) {
    const parting *t = argument;
    ww__radix_split *p = t->split;
    uint32_t *tables = (uint32_t *)(void *)ww__radix_desk(p->r, worker), bucket[BLOCK];
    uint64_t room[BLOCK];
    for (uint64_t number; (number = ww__claim(&p->next)) < p->parts;) {
        size_t n;
        const uint64_t first = part_of(p, number, &n);
        uint64_t *counts = p->r->parts[number].counts;
        memset(tables, 0, WW__RADIX_TABLES * sizeof *tables << p->bits);
        for (size_t i = 0; i < n; i += BLOCK) {
            const size_t many = n - i < BLOCK ? n - i : BLOCK;
            WW__LINES_FETCH(ww__radix_key(p->r, p->range->buffer, first + i), BLOCK * p->r->key_size);
            numbers_of(t, first + i, many, room, bucket);
            _Pragma("GCC unroll 8") for (size_t j = 0; j < many; j++)
                tables[(j % WW__RADIX_TABLES << p->bits) + bucket[j]]++;
        }
        for (size_t b = 0; b < (size_t)1 << p->bits; b++) {
            counts[b] = 0;
            for (size_t table = 0; table < WW__RADIX_TABLES; table++) counts[b] += tables[(table << p->bits) + b];
        }
    }
}

static void move_parts(void *argument, size_t worker) {
    const parting *t = argument;
    ww__radix_split *p = t->split;
    const ww__radix_run *r = p->r;
    const int from = p->range->buffer;
    uint64_t *starts = (uint64_t *)(void *)(ww__radix_desk(r, worker) + WW__RADIX_TABLE_BYTES), room[BLOCK];
    uint32_t bucket[BLOCK];
    for (uint64_t number; (number = ww__claim(&p->next)) < p->parts;) {
        size_t n;
        const uint64_t first = part_of(p, number, &n);
        const ww__lines lines = {.keys_out = r->keys[p->to],
                                 .values_out = r->values[p->to],
                                 .position = r->parts[number].counts,
                                 .start = starts,
                                 .end = t->bounds + 1,
                                 .key_lines = ww__radix_lines(r, worker),
                                 .value_lines = ww__radix_lines(r, worker) + WW__RADIX_LINES_BYTES / 2,
                                 .streaming = ww__streams(r->device, p->range->n * (r->key_size + r->value_size)),
                                 .ahead = true,
                                 .pairs = ww__lines_pairs(p->bits, n >> p->bits),
                                 .vector = (uint8_t)r->device->vector};
        const bool direct = !lines.streaming && p->bits <= DIRECT_BITS;
        memcpy(starts, lines.position, sizeof *starts << p->bits);
        for (size_t i = 0; i < n; i += BLOCK) {
            const size_t many = n - i < BLOCK ? n - i : BLOCK;
            WW__LINES_FETCH(ww__radix_key(r, from, first + i), BLOCK * r->key_size);
            const void *numbers = numbers_of(t, first + i, many, room, bucket);
            (direct ? t->loops->move_direct : t->loops->move)(&lines, numbers, ww__radix_value(r, from, first + i),
                                                              bucket, many);
        }
        if (!direct) t->loops->finish(&lines, (size_t)1 << p->bits);
    }
    ww__stream_done();
}

static void run(parting *t, ww__task *task) {
    t->split->next = 0;
    ww__parallel(t->split->r->device, t->split->r->workers, task, t);
}

void ww__splitters_part(ww__radix_split *p, const ww__splitters *s, uint64_t *bounds) {
    const ww__radix_run *r = p->r;
    parting t = {p, s, find_of(r->device->vector, r->key_size), ww__lines_loops_of(r->key_size, r->value_size), bounds};
    p->bits = s->levels + 1;
    run(&t, count_parts);
    ww__radix_place(p, bounds);
    run(&t, move_parts);
}
