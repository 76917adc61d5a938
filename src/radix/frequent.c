/* Keys that come often: a sample of 4096 says which ones, a table by a hash has each in a slot of its own, or not at all. One pass
 * over the keys compares each with its slot's: equal ones are counted, all others are moved to the front of the result, part by part.
 * These are sorted from there to the scratch copy, and go back to the result with the frequent ones between them.
 *     memory     1 n of keys read; the rest written, sorted, and read again; 1 n written
 * After Dong, Dhulipala, Gu and Sun, Parallel Integer Sort: Theory and Practice (DovetailSort, 2024), where frequent keys have
 * buckets of their own. */
#include "radix/frequent.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "radix/quick_parts.h"
#include "warpwise/function_widths.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    SAMPLE = 4096,
    LEAST = 1 << 15,        /* keys to be sorted: a sample of them has to be worth it */
    REPEATED = 16,          /* of the small sample's 256 keys so many are there again, or no large one is taken */
    DOMINATING = 8,         /* where one key is so large a part, vectors that compare are faster: on one thread, */
    CACHED_BYTES = 1 << 24, /* … and on a few, where so many bytes of keys stay in a cache */
    NEARLY_ALL = 8,         /* … and there one in so many of the sample may be another key: words of programs and of text
                             * are sorted 1.3 times as fast so (a Xeon with AVX-512, 2026-11, 2^20, one thread) */
    OFTEN = 2,              /* so many of a key in the sample */
    SLOT_BITS = 12,
    SLOTS = 1 << SLOT_BITS,
    NO_SLOT = SLOTS,
    COUNTERS = SLOTS + 1, /* the last one for keys without a slot */
    BLOCK = 256,
    MOST = (WW__RADIX_BUCKETS - 1) / 2 /* different keys: the result's pieces are a row of bounds */
};
_Static_assert(SLOTS * 8 + COUNTERS * 4 <= (int)WW__RADIX_LINES_BYTES, "slots and counters lie where lines do");
_Static_assert(2 * SAMPLE * 8 <= (int)WW__RADIX_LINES_BYTES, "and a sample before them");

typedef struct frequent {
    const ww__radix_run *r;
    uint64_t n, part_n, parts, next;
    uint64_t factor;
    size_t many;
    uint64_t key[MOST], count[MOST]; /* the frequent ones, in order; first how often they are in the sample */
    uint64_t *bounds;                /* of the result's pieces: rest, a frequent key, rest, … */
} frequent;

static size_t slot_of(uint64_t key, size_t size, uint64_t factor) {
    return size == 4 ? (size_t)((uint32_t)((uint32_t)key * (uint32_t)factor) >> (32 - SLOT_BITS))
                     : (size_t)(key * factor >> (64 - SLOT_BITS));
}

/* A worker's slots, and its counters. */
static void *slots_of(const frequent *f, size_t worker) { return ww__radix_lines(f->r, worker); }
static uint32_t *counters_of(const frequent *f, size_t worker) {
    return (uint32_t *)(void *)(ww__radix_lines(f->r, worker) + SLOTS * sizeof(uint64_t));
}

/* ---- the sample ---- */

/* Whether all could be sorted by a quicksort of vectors, in a cache. */
static bool by_vectors(const ww__radix_run *r, uint64_t n) {
    return n * r->key_size <= CACHED_BYTES && ww__quick_parts_suit(r);
}

/* Sorts a sample by number, and keeps the different keys that it has often enough; returns how many of it they are. */
static size_t count_sample(frequent *f) {
    const ww__radix_run *r = f->r;
    const size_t size = r->key_size;
    unsigned char *sample = ww__radix_lines(r, 0), *sorted = sample + SAMPLE * size;
    const ww__radix_leaf leaf = {.keys = {sample, sorted}, .tables = (uint32_t *)(void *)ww__radix_desk(r, 0)};
    const uint64_t step = f->n / SAMPLE;
    const bool vectors = r->quick && (r->workers == 1 || by_vectors(r, f->n));
    size_t covered = 0;
    for (size_t i = 0; i < SAMPLE; i++)
        memcpy(sample + i * size, ww__radix_key(r, WW__INPUT, i * step + (i * 0x9e37 >> 4) % step), size);
    r->loops->arrange(sample, sample, SAMPLE, &r->order);
    r->loops->leaf(&leaf, 0, SAMPLE, ww__radix_ones((unsigned)(8 * size)));
    r->loops->restore(sorted, SAMPLE, &r->order);
    f->many = 0;
    for (size_t i = 0, end; i < SAMPLE; i = end) {
        const uint64_t key = (uint64_t)ww__radix_key_at(sorted, size, i);
        for (end = i + 1; end < SAMPLE && (uint64_t)ww__radix_key_at(sorted, size, end) == key;) end++;
        if (end - i < OFTEN || f->many == MOST) continue;
        f->key[f->many] = key;
        f->count[f->many++] = end - i;
        covered += end - i;
        if (vectors && end - i > SAMPLE / DOMINATING) return 0;
    }
    return covered;
}

/* Which key each slot has under a factor, and 1 more: the most frequent one. Returns how many of the sample have slots. */
static size_t take_slots(const frequent *f, uint64_t factor, uint16_t *owner) {
    size_t covered = 0;
    memset(owner, 0, SLOTS * sizeof *owner);
    for (size_t k = 0; k < f->many; k++) {
        uint16_t *of = &owner[slot_of(f->key[k], f->r->key_size, factor)];
        if (*of && f->count[*of - 1u] >= f->count[k]) continue;
        covered += (size_t)f->count[k] - (*of ? (size_t)f->count[*of - 1u] : 0);
        *of = (uint16_t)(k + 1);
    }
    return covered;
}

/* Tries some factors, and keeps the keys that have slots under the best. Returns how many of the sample they are. */
static size_t choose_factor(frequent *f) {
    enum { FACTORS = 8 };
    uint16_t *owner = (uint16_t *)(void *)ww__radix_desk(f->r, 0);
    uint64_t factor = 0x9e3779b97f4a7c15u;
    size_t best = 0, kept = 0;
    for (size_t t = 0; t < FACTORS; t++, factor = factor * 6364136223846793005u + 1442695040888963407u) {
        const size_t covered = take_slots(f, factor | 1, owner);
        if (covered > best) best = covered, f->factor = factor | 1;
    }
    take_slots(f, f->factor, owner);
    for (size_t k = 0; k < f->many; k++)
        if (owner[slot_of(f->key[k], f->r->key_size, f->factor)] == k + 1) f->key[kept++] = f->key[k];
    f->many = kept;
    return best;
}
_Static_assert(SLOTS * sizeof(uint16_t) <= WW__RADIX_TABLE_BYTES, "slots' owners lie where tables do");

/* ---- the pass ---- */

/* A free slot has a key whose slot is another. */
static void fill_slots(const frequent *f, size_t worker) {
    const size_t size = f->r->key_size;
    void *slots = slots_of(f, worker);
    for (size_t s = 0; s < SLOTS; s++) ww__radix_put_key(slots, size, s, f->key[0]);
    for (size_t k = 0; k < f->many; k++) ww__radix_put_key(slots, size, slot_of(f->key[k], size, f->factor), f->key[k]);
}

/* The slots of a block's keys, NO_SLOT for those that are not their slot's; these go to `rest`, which may be where they are. Returns
 * how many they are. */
#define LOOK_UP(KEY, SHIFT) \
    typedef KEY any_##KEY __attribute__((aligned(1), may_alias)); \
    static size_t look_up_##KEY(const void *keys, const void *slots, uint64_t factor, uint16_t *WW__R found, \
                                void *rest) { \
        const any_##KEY *k = keys, *slot = slots; \
        any_##KEY *to = rest; \
        size_t m = 0; \
        for (size_t j = 0; j < BLOCK; j++) { \
            const KEY key = k[j]; \
            const size_t s = (size_t)((KEY)(key * (KEY)factor) >> (SHIFT)); \
            const bool other = slot[s] != key; \
            found[j] = (uint16_t)(other ? NO_SLOT : s); \
            to[m] = key; \
            m += other; \
        } \
        return m; \
    }
LOOK_UP(uint32_t, 32 - SLOT_BITS)
LOOK_UP(uint64_t, 64 - SLOT_BITS)

#if defined(__x86_64__)
WW__TARGET_avx512 static size_t look_up_uint32_t_avx512(const void *keys, const void *slots, uint64_t factor,
                                                        uint16_t *found, void *rest) {
    const any_uint32_t *k = keys;
    any_uint32_t *to = rest;
    const __m512i factors = _mm512_set1_epi32((int)(uint32_t)factor), none = _mm512_set1_epi32(NO_SLOT);
    size_t m = 0;
    for (size_t j = 0; j < BLOCK; j += 16) {
        const __m512i key = _mm512_loadu_si512(k + j);
        const __m512i s = _mm512_srli_epi32(_mm512_mullo_epi32(key, factors), 32 - SLOT_BITS);
        const __mmask16 other = _mm512_cmpneq_epi32_mask(_mm512_i32gather_epi32(s, slots, 4), key);
        _mm256_storeu_si256((void *)(found + j), _mm512_cvtepi32_epi16(_mm512_mask_mov_epi32(s, other, none)));
        _mm512_storeu_si512(to + m, _mm512_maskz_compress_epi32(other, key));
        m += (unsigned)__builtin_popcount(other);
    }
    return m;
}

WW__TARGET_avx512 static size_t look_up_uint64_t_avx512(const void *keys, const void *slots, uint64_t factor,
                                                        uint16_t *found, void *rest) {
    const any_uint64_t *k = keys;
    any_uint64_t *to = rest;
    const __m512i factors = _mm512_set1_epi64((long long)factor), none = _mm512_set1_epi64(NO_SLOT);
    size_t m = 0;
    for (size_t j = 0; j < BLOCK; j += 8) {
        const __m512i key = _mm512_loadu_si512(k + j);
        const __m512i s = _mm512_srli_epi64(_mm512_mullo_epi64(key, factors), 64 - SLOT_BITS);
        const __mmask8 other = _mm512_cmpneq_epi64_mask(_mm512_i64gather_epi64(s, slots, 8), key);
        _mm_storeu_si128((void *)(found + j), _mm512_cvtepi64_epi16(_mm512_mask_mov_epi64(s, other, none)));
        _mm512_storeu_si512(to + m, _mm512_maskz_compress_epi64(other, key));
        m += (unsigned)__builtin_popcount(other);
    }
    return m;
}
#endif

typedef size_t look_up(const void *keys, const void *slots, uint64_t factor, uint16_t *found, void *rest);

static look_up *look_up_of(int vector, size_t size) {
#if defined(__x86_64__)
    if (vector == WW_VECTOR_AVX512) return size == 4 ? look_up_uint32_t_avx512 : look_up_uint64_t_avx512;
#endif
    (void)vector;
    return size == 4 ? look_up_uint32_t : look_up_uint64_t;
}

/* Counts keys that are their slot's, and writes the others to `rest`. Slots are found for a block at a time: so no load of a counter
 * waits for a key to be stored. */
static size_t count_keys(look_up *find, const unsigned char *keys, size_t size, size_t n, const void *slots,
                         uint64_t factor, uint32_t *WW__R counters, unsigned char *rest) {
    uint16_t found[BLOCK];
    size_t m = 0, i = 0;
    for (; i + BLOCK <= n; i += BLOCK) {
        for (size_t f = 0; f < BLOCK * size; f += 64) __builtin_prefetch(keys + i * size + WW__AHEAD + f);
        m += find(keys + i * size, slots, factor, found, rest + m * size);
        _Pragma("GCC unroll 8") for (size_t j = 0; j < BLOCK; j++) counters[found[j]]++;
    }
    for (; i < n; i++) {
        const uint64_t key = (uint64_t)ww__radix_key_at(keys, size, i);
        const size_t s = slot_of(key, size, factor);
        if (key == (uint64_t)ww__radix_key_at(slots, size, s))
            counters[s]++;
        else
            ww__radix_put_key(rest, size, m++, key);
    }
    return m;
}

static void count_parts(void *argument, size_t worker) {
    frequent *f = argument;
    const ww__radix_run *r = f->r;
    const void *slots = slots_of(f, worker);
    uint32_t *counters = counters_of(f, worker);
    look_up *find = look_up_of(r->device->vector, r->key_size);
    fill_slots(f, worker);
    for (uint64_t number; (number = ww__claim(&f->next)) < f->parts;) {
        const uint64_t before = number * f->part_n;
        const size_t n = (size_t)ww__min_u64(f->part_n, f->n - before);
        const void *keys = ww__radix_key(r, WW__INPUT, before);
        void *rest = ww__radix_key(r, WW__RESULT, before);
        memset(counters, 0, COUNTERS * sizeof *counters);
        const size_t m = count_keys(find, keys, r->key_size, n, slots, f->factor, counters, rest);
        uint64_t *counts = r->parts[number].counts;
        for (size_t k = 0; k < f->many; k++) counts[k] = counters[slot_of(f->key[k], r->key_size, f->factor)];
        counts[f->many] = m;
    }
}
_Static_assert((int)MOST < (int)WW__RADIX_BUCKETS, "a part's counts, and behind them its rest");

/* Brings the parts' rests together, and adds up the counts. Returns the length of the rest. */
static uint64_t gather_rest(frequent *f) {
    const ww__radix_run *r = f->r;
    uint64_t m = 0;
    memset(f->count, 0, f->many * sizeof *f->count);
    for (uint64_t number = 0; number < f->parts; number++) {
        const uint64_t *counts = r->parts[number].counts;
        if (m != number * f->part_n)
            memmove(ww__radix_key(r, WW__RESULT, m), ww__radix_key(r, WW__RESULT, number * f->part_n),
                    counts[f->many] * r->key_size);
        m += counts[f->many];
        for (size_t k = 0; k < f->many; k++) f->count[k] += counts[k];
    }
    return m;
}

/* ---- the result ---- */

/* How many of the sorted rest stand before a key. */
static uint64_t before_key(const frequent *f, const unsigned char *rest, uint64_t m, uint64_t key) {
    const ww__radix_run *r = f->r;
    const ww__word number = ww__radix_number(key, r->key_size, &r->order);
    uint64_t low = 0;
    while (low < m) {
        const uint64_t middle = low + (m - low) / 2;
        if (ww__radix_number_at(rest, r->key_size, middle, &r->order) < number)
            low = middle + 1;
        else
            m = middle;
    }
    return low;
}

static void place_pieces(frequent *f, const unsigned char *rest, uint64_t m) {
    uint64_t counted = 0;
    for (size_t k = 0; k < f->many; k++) {
        f->bounds[2 * k] = before_key(f, rest, m, f->key[k]) + counted;
        counted += f->count[k];
        f->bounds[2 * k + 1] = f->bounds[2 * k] + f->count[k];
        f->count[k] = counted; /* up to this one */
    }
    f->bounds[2 * f->many] = f->n;
}

/* Writes the result's elements from `first` on, up to `end`, all of piece `p`: of the rest where p is even, else of one key. */
static void write_piece(const frequent *f, size_t p, uint64_t first, uint64_t end, unsigned char *same,
                        bool streaming) {
    const ww__radix_run *r = f->r;
    const size_t size = r->key_size, room = WW__RADIX_TABLE_BYTES / size;
    if (p % 2) {
        const uint64_t number = (uint64_t)ww__radix_number(f->key[p / 2], size, &r->order);
        const uint32_t four = (uint32_t)number;
        const void *repeated = size == 4 ? (const void *)&four : (const void *)&number;
        if (!streaming) {
            r->loops->repeat(ww__radix_key(r, WW__RESULT, first), (size_t)(end - first), repeated, &r->order);
            return;
        }
        const size_t most = (size_t)ww__min_u64(room, end - first);
        r->loops->repeat(same, most, repeated, &r->order);
        for (; first < end; first += most)
            ww__stream(r->device, ww__radix_key(r, WW__RESULT, first), same,
                       (size_t)ww__min_u64(most, end - first) * size, true);
        return;
    }
    const uint64_t from = first - (p ? f->count[p / 2 - 1] : 0);
    ww__stream_memory(r->device, ww__radix_key(r, WW__RESULT, first), ww__radix_key(r, WW__SCRATCH, from),
                      (size_t)(end - first) * size, streaming);
}

static void write_pieces(void *argument, size_t worker) {
    frequent *f = argument;
    const uint64_t piece = 4 * WW__RADIX_PIECE / f->r->key_size;
    const bool streaming = ww__streams(f->r->device, f->n * f->r->key_size);
    size_t p = 0;
    for (uint64_t first; (first = ww__claim(&f->next) * piece) < f->n;)
        for (const uint64_t end = ww__min_u64(first + piece, f->n); first < end;) {
            while (f->bounds[p] <= first) p++;
            const uint64_t to = ww__min_u64(f->bounds[p], end);
            write_piece(f, p, first, to, ww__radix_desk(f->r, worker), streaming);
            first = to;
        }
    ww__stream_done();
}

static void run(frequent *f, ww__task *task) {
    f->next = 0;
    ww__parallel(f->r->device, f->r->workers, task, f);
}

bool ww__radix_frequent(const ww__radix_run *r, uint64_t n, const ww__radix_sample *sample,
                        void sort_rest(const ww__radix_run *run, uint64_t n)) {
    frequent f = {.r = r, .n = n, .bounds = r->bounds};
    if (r->value_size || (r->key_size != 4 && r->key_size != 8) || n < LEAST) return false;
    if (ww__radix_repeated(sample, r->key_size) < REPEATED) return false;
    const size_t least = by_vectors(r, n) ? SAMPLE / NEARLY_ALL * (NEARLY_ALL - 1) : SAMPLE / 2;
    if (count_sample(&f) < least || choose_factor(&f) < SAMPLE / 2) return false;
    f.part_n = n / r->parts_room + 1;
    f.parts = (n + f.part_n - 1) / f.part_n;
    run(&f, count_parts);
    const uint64_t m = gather_rest(&f);
    ww__radix_run rest = *r;
    rest.keys[WW__INPUT] = rest.keys[WW__SCRATCH] = r->keys[WW__RESULT];
    rest.keys[WW__RESULT] = r->keys[WW__SCRATCH];
    if (m) sort_rest(&rest, m);
    place_pieces(&f, r->keys[WW__SCRATCH], m);
    run(&f, write_pieces);
    return true;
}
