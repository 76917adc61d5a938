/* How many flags are set before each: tiles of flags in a chain (chain.h). A tile's sum is the count of its flags; it is
 * written by prefix sums of bytes in registers, of 16 flags at a time, widened and added to the count before them. Flags
 * are read once, numbers written once. */
#include <string.h>

#include "device/cpu/stream.h"
#include "primitive/scan/chain.h"
#include "primitive/scan/sides.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Numbers `n` flags from `before` on and returns the number after them. Streaming: `out` is aligned to 64 bytes. */
typedef uint64_t number_flags(void *out, const uint8_t *flags, size_t n, uint64_t before, bool streaming);
typedef uint64_t count_flags(const uint8_t *flags, size_t n);

static uint64_t count_plain(const uint8_t *flags, size_t n) {
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++) count += flags[i] != 0;
    return count;
}

#define PLAIN(T) \
    static uint64_t number_plain_##T(void *out, const uint8_t *flags, size_t n, uint64_t before, bool streaming) { \
        T *o = out; \
        (void)streaming; \
        for (size_t i = 0; i < n; i++) { \
            o[i] = (T)before; \
            before += flags[i] != 0; \
        } \
        return before; \
    }
PLAIN(uint32_t)
PLAIN(uint64_t)

#if defined(__x86_64__)
#define INLINE WW__TARGET_avx2 static inline __attribute__((always_inline))

/* One bit for each of 32 flags that is set. */
INLINE uint32_t set_of(__m256i flags) {
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(flags, _mm256_setzero_si256()));
}

WW__TARGET_avx2 static uint64_t count_avx2(const uint8_t *flags, size_t n) {
    uint64_t count = 0;
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        __builtin_prefetch(flags + i + WW__AHEAD);
        const uint32_t a = set_of(_mm256_loadu_si256((const void *)(flags + i)));
        const uint32_t b = set_of(_mm256_loadu_si256((const void *)(flags + i + 32)));
        count += (uint64_t)__builtin_popcountll((uint64_t)a << 32 | b);
    }
    return count + count_plain(flags + i, n - i);
}

/* In each half of the vector: how many of its 16 flags are set before each. */
INLINE __m256i ranks_in_halves(__m256i flags) {
    const __m256i one = _mm256_add_epi8(_mm256_cmpeq_epi8(flags, _mm256_setzero_si256()), _mm256_set1_epi8(1));
    __m256i sum = _mm256_add_epi8(one, _mm256_slli_si256(one, 1));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 2));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 8));
    return _mm256_sub_epi8(sum, one);
}

INLINE void put(void *to, __m256i x, bool streaming) {
    if (streaming)
        _mm256_stream_si256(to, x);
    else
        _mm256_storeu_si256(to, x);
}

/* The 16 ranks as numbers from `before` on. */
INLINE void widen_uint32_t(uint32_t *out, __m128i ranks, uint64_t before, bool streaming) {
    const __m256i base = _mm256_set1_epi32((int)(uint32_t)before);
    put(out, _mm256_add_epi32(base, _mm256_cvtepu8_epi32(ranks)), streaming);
    put(out + 8, _mm256_add_epi32(base, _mm256_cvtepu8_epi32(_mm_srli_si128(ranks, 8))), streaming);
}
INLINE void widen_uint64_t(uint64_t *out, __m128i ranks, uint64_t before, bool streaming) {
    const __m256i base = _mm256_set1_epi64x((long long)before);
    put(out, _mm256_add_epi64(base, _mm256_cvtepu8_epi64(ranks)), streaming);
    put(out + 4, _mm256_add_epi64(base, _mm256_cvtepu8_epi64(_mm_srli_si128(ranks, 4))), streaming);
    put(out + 8, _mm256_add_epi64(base, _mm256_cvtepu8_epi64(_mm_srli_si128(ranks, 8))), streaming);
    put(out + 12, _mm256_add_epi64(base, _mm256_cvtepu8_epi64(_mm_srli_si128(ranks, 12))), streaming);
}

#define VECTORS(T) \
    INLINE uint64_t number_##T(T *out, const uint8_t *flags, size_t n, uint64_t before, bool streaming) { \
        size_t i = 0; \
        for (; i + 32 <= n; i += 32) { \
            __builtin_prefetch(flags + i + WW__AHEAD); \
            const __m256i f = _mm256_loadu_si256((const void *)(flags + i)); \
            const __m256i ranks = ranks_in_halves(f); \
            const uint32_t set = set_of(f); \
            widen_##T(out + i, _mm256_castsi256_si128(ranks), before, streaming); \
            before += (uint64_t)__builtin_popcount(set & 0xffff); \
            widen_##T(out + i + 16, _mm256_extracti128_si256(ranks, 1), before, streaming); \
            before += (uint64_t)__builtin_popcount(set >> 16); \
        } \
        return number_plain_##T(out + i, flags + i, n - i, before, false); \
    } \
    WW__TARGET_avx2 static uint64_t number_avx2_##T(void *out, const uint8_t *flags, size_t n, uint64_t before, \
                                                    bool streaming) { \
        return streaming ? number_##T(out, flags, n, before, true) : number_##T(out, flags, n, before, false); \
    }
VECTORS(uint32_t)
VECTORS(uint64_t)
#endif

/* Flags of a tile: as many u64 as 32 KiB hold. */
enum { TILE = 4096 };

typedef struct job {
    ww_device *device;
    const ww_input *flags;
    unsigned char *out, *rooms;
    number_flags *number;
    count_flags *count;
    size_t size, room;
    bool straight; /* the loop may write to the output itself */
    bool streaming;
} job;

static size_t tile_length(const job *j, uint64_t tile) {
    return (size_t)ww__min_u64(TILE, j->flags->count - tile * TILE);
}

static const uint8_t *read_tile(const job *j, size_t worker, uint64_t tile, size_t n) {
    return ww__input_read(j->device, j->flags, tile * TILE, n,
                          j->rooms + worker * j->room + (j->straight ? 0 : TILE * j->size));
}

static void sum_tile(void *argument, size_t worker, uint64_t tile, bool own, void *sum) {
    (void)own;
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    *(uint64_t *)sum = j->count(read_tile(j, worker, tile, n), n);
}

static void join(void *argument, size_t worker, void *carry, const void *sum) {
    (void)argument;
    (void)worker;
    *(uint64_t *)carry += *(const uint64_t *)sum;
}

static void write_tile(void *argument, size_t worker, uint64_t tile, void *carry, int64_t ahead, void *ahead_sum) {
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    unsigned char *out = j->out + tile * TILE * j->size, *to = j->straight ? out : j->rooms + worker * j->room;
    uint64_t *before = carry;
    if (ahead >= 0) sum_tile(argument, worker, (uint64_t)ahead, true, ahead_sum);
    const uint8_t *flags = read_tile(j, worker, tile, n);
    *before = j->number(to, flags, n, *before, j->straight && j->streaming);
    if (!j->straight) ww__stream(j->device, out, to, n * j->size, j->streaming);
}

ww_status ww__enumerate_cpu(ww_device *device, const ww_input *flags, const ww_array *out, uint64_t *total) {
    const uint64_t bytes = flags->count * out->size;
    const bool streaming = ww__streams(device, bytes), wide = out->size == 8;
    job j = {.device = device,
             .flags = flags,
             .out = out->data,
             .number = wide ? number_plain_uint64_t : number_plain_uint32_t,
             .count = count_plain,
             .size = out->size,
             .streaming = streaming,
             .straight = !streaming || (device->vector != WW_VECTOR_PLAIN && (uintptr_t)out->data % 64 == 0)};
    ww__chain chain = {.job = &j,
                       .sum = sum_tile,
                       .join = join,
                       .write = write_tile,
                       .tiles = flags->count / TILE + (flags->count % TILE != 0),
                       .tile_bytes = TILE,
                       .sum_bytes = sizeof(uint64_t),
                       .streaming = streaming};
#if defined(__x86_64__)
    if (device->vector != WW_VECTOR_PLAIN) {
        j.number = wide ? number_avx2_uint64_t : number_avx2_uint32_t;
        j.count = count_avx2;
    }
#endif
    j.room = ww__round_up((j.straight ? 0 : TILE * j.size) + ww__input_room(flags, TILE), 64);
    WW_TRY(ww__chain_prepare(device, &chain, bytes));
    WW_TRY(ww__scratch_array(device, chain.workers, j.room, &j.rooms));
    *total = 0;
    if (device->on_paper) return WW_OK;
    ww__trace(device, "lookback", NULL, flags->count, ww__input_bytes(flags) + bytes, chain.workers);
    *(uint64_t *)(void *)chain.carry = 0;
    ww__chain_run(device, &chain);
    *total = *(const uint64_t *)(const void *)chain.carry;
    return WW_OK;
}
