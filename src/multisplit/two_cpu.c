/* Up to two buckets, as the stable two-way split has it: a first pass makes bits of the buckets, and counts them in blocks;
 * the counts added up, the second pass compresses each tile by its bits and by their complement, through a sink for each
 * bucket. Reads keys twice and values once, writes them once; the bits, n / 8 bytes, go to memory and back. What a function
 * says the second time does not matter: it is not asked. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "multisplit/pass.h"
#include "primitive/pack/bits.h"
#include "primitive/pack/sink.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    BLOCK_BYTES = 1 << 17,
    BLOCK_MOST = 1 << 16, /* elements */
    TILE_BYTES = 1 << 14,
    TILE_MOST = 2048, /* elements; at least 64 */
    SIZE_MOST = TILE_BYTES / 64
};

typedef struct two {
    ww_device *device;
    const ww__splitting *s;
    const ww__numbering *numbering;
    ww__fault *fault;
    ww__compress *compress_keys, *compress_values;
    size_t tile, block, key_room, value_room, desk_bytes;
    uint64_t n, blocks, ones, next;
    uint64_t *bits, *before; /* of all elements; of each block: the ones before it */
    unsigned char *desks;
    bool streaming;
} two;

/* ---- bits ---- */

/* Bits of n numbers, 64 or a multiple of it: whether they are odd. Returns their bitwise or. */
static uint32_t bits_plain(uint64_t *bits, const uint32_t *numbers, size_t n) {
    uint32_t all = 0;
    for (size_t i = 0; i < n; i += 64) {
        uint64_t word = 0;
        for (size_t k = 0; k < 64; k++) {
            word |= (uint64_t)(numbers[i + k] & 1) << k;
            all |= numbers[i + k];
        }
        bits[i / 64] = word;
    }
    return all;
}

#if defined(__x86_64__)
#define WIDTH avx2
#define VECTOR __m256i
#define NOTHING _mm256_setzero_si256()
#define LOADED(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define EITHER(a, b) _mm256_or_si256(a, b)
#define ODD(x) (uint32_t) _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(x, 31)))
#include "multisplit/two_bits.h"

#define WIDTH avx512
#define VECTOR __m512i
#define NOTHING _mm512_setzero_si512()
#define LOADED(p) _mm512_loadu_si512((const void *)(p))
#define EITHER(a, b) _mm512_or_si512(a, b)
#define ODD(x) _cvtmask16_u32(_mm512_test_epi32_mask(x, _mm512_set1_epi32(1)))
#include "multisplit/two_bits.h"
#endif

static uint32_t bits_of(const two *t, uint64_t *bits, const uint32_t *numbers, size_t n) {
#if defined(__x86_64__)
    if (t->device->vector == WW_VECTOR_AVX512) return bits_avx512(bits, numbers, n);
    if (t->device->vector == WW_VECTOR_AVX2) return bits_avx2(bits, numbers, n);
#endif
    (void)t;
    return bits_plain(bits, numbers, n);
}

/* ---- the first pass ---- */

typedef struct two_desk {
    unsigned char *sinks; /* four */
    uint32_t *numbers;
    void *keys, *values;
} two_desk;

static two_desk desk_of(const two *t, size_t worker) {
    unsigned char *at = t->desks + worker * t->desk_bytes;
    two_desk d = {.sinks = at};
    at += 4 * ww__round_up(WW__SINK_BYTES, 64);
    d.numbers = (uint32_t *)(void *)at;
    d.keys = at + t->tile * sizeof *d.numbers;
    d.values = (unsigned char *)d.keys + t->key_room;
    return d;
}

static size_t block_count(const two *t, uint64_t block) {
    return (size_t)ww__min_u64(t->block, t->n - block * t->block);
}

/* The bits of a tile; false where a key has no bucket. */
static bool mark_tile(const two *t, const two_desk *d, uint64_t first, size_t n) {
    const void *keys = ww__input_read(t->device, &t->s->keys, first, n, d->keys);
    ww__numbers(t->numbering, d->numbers, keys, n);
    for (size_t i = n; i % 64; i++) d->numbers[i] = 0;
    if (bits_of(t, t->bits + first / 64, d->numbers, ww__round_up(n, 64)) <= t->numbering->last) return true;
    size_t i = 0;
    while (d->numbers[i] <= t->numbering->last) i++;
    ww__fault_at(t->fault, first + i);
    return false;
}

static void mark_block(const two *t, const two_desk *d, uint64_t block) {
    const uint64_t first = block * t->block;
    const size_t n = block_count(t, block);
    uint64_t ones = 0;
    for (size_t i = 0; i < n; i += t->tile)
        if (!mark_tile(t, d, first + i, n - i < t->tile ? n - i : t->tile)) return;
    for (size_t w = 0; w < ww__words(n); w++) ones += (uint64_t)__builtin_popcountll(t->bits[first / 64 + w]);
    t->before[block] = ones;
}

static void mark_blocks(void *argument, size_t worker) {
    two *t = argument;
    const two_desk d = desk_of(t, worker);
    for (uint64_t block; (block = ww__claim(&t->next)) < t->blocks;) mark_block(t, &d, block);
}

static void add_up(two *t) {
    for (uint64_t block = 0; block < t->blocks; block++) {
        const uint64_t ones = t->before[block];
        t->before[block] = t->ones;
        t->ones += ones;
    }
}

/* ---- the second pass ---- */

typedef struct sides {
    ww__sink low, high;
} sides;

static void begin_sides(const two *t, sides *to, unsigned char *room, void *out, size_t size, uint64_t block) {
    const uint64_t ones = t->before[block], zeros = block * t->block - ones;
    unsigned char *const at = out;
    ww__sink_begin(&to->low, t->device, room, at + zeros * size, SIZE_MAX, t->streaming);
    ww__sink_begin(&to->high, t->device, room + ww__round_up(WW__SINK_BYTES, 64), at + (t->n - t->ones + ones) * size,
                   SIZE_MAX, t->streaming);
}

static void compress_tile(const two *t, sides *to, ww__compress *compress, const ww_input *in, uint64_t first, size_t n,
                          void *buffer) {
    const size_t ahead = ww__input_memory(in) ? (size_t)WW__AHEAD : 0;
    const void *elements = ww__input_read(t->device, in, first, n, buffer);
    ww__sink_compress(&to->low, compress, elements, t->bits + first / 64, ~(uint64_t)0, n, in->size, ahead);
    ww__sink_compress(&to->high, compress, elements, t->bits + first / 64, 0, n, in->size, 0);
}

static void end_sides(sides *to) {
    ww__sink_end(&to->low);
    ww__sink_end(&to->high);
}

static void move_block(const two *t, const two_desk *d, uint64_t block) {
    const ww__splitting *s = t->s;
    const uint64_t first = block * t->block;
    const size_t n = block_count(t, block);
    sides keys, values;
    begin_sides(t, &keys, d->sinks, s->keys_out.data, s->keys.size, block);
    if (s->values.steps)
        begin_sides(t, &values, d->sinks + 2 * ww__round_up(WW__SINK_BYTES, 64), s->values_out.data, s->values.size,
                    block);
    for (size_t i = 0; i < n; i += t->tile) {
        const size_t many = n - i < t->tile ? n - i : t->tile;
        compress_tile(t, &keys, t->compress_keys, &s->keys, first + i, many, d->keys);
        if (s->values.steps) compress_tile(t, &values, t->compress_values, &s->values, first + i, many, d->values);
    }
    end_sides(&keys);
    if (s->values.steps) end_sides(&values);
}

static void move_blocks(void *argument, size_t worker) {
    two *t = argument;
    const two_desk d = desk_of(t, worker);
    for (uint64_t block; (block = ww__claim(&t->next)) < t->blocks;) move_block(t, &d, block);
    ww__stream_done();
}

/* ---- both ---- */

bool ww__two_serves(const ww__splitting *s) {
    return s->by.buckets <= 2 && s->keys.size <= SIZE_MOST && (!s->values.steps || s->values.size <= SIZE_MOST);
}

static size_t whole_words(size_t n, size_t most) { return (n > most ? most : n) / 64 * 64; }

ww_status ww__two(const ww__splitting *s, const ww__numbering *numbering, ww__fault *fault, uint64_t *zeros) {
    const size_t value_size = s->values.steps ? s->values.size : 0, bytes = s->keys.size + value_size;
    const size_t larger = s->keys.size > value_size ? s->keys.size : value_size;
    const size_t workers = ww__workers(s->device, s->keys.count * bytes);
    two t = {.device = s->device, .s = s, .numbering = numbering, .fault = fault, .n = s->keys.count};
    t.compress_keys = ww__compress_loop(s->device, s->keys.size);
    if (value_size) t.compress_values = ww__compress_loop(s->device, value_size);
    t.tile = whole_words(TILE_BYTES / larger, TILE_MOST);
    t.block = BLOCK_BYTES / bytes / t.tile * t.tile;
    if (t.block > BLOCK_MOST) t.block = BLOCK_MOST;
    if (t.block < t.tile) t.block = t.tile;
    t.blocks = (t.n + t.block - 1) / t.block;
    t.key_room = ww__input_room(&s->keys, t.tile);
    t.value_room = value_size ? ww__input_room(&s->values, t.tile) : 0;
    t.desk_bytes = ww__round_up(
        4 * ww__round_up(WW__SINK_BYTES, 64) + t.tile * sizeof(uint32_t) + t.key_room + t.value_room, 64);
    t.streaming = ww__streams(s->device, t.n * bytes);
    WW_TRY(ww__scratch_array(s->device, workers, t.desk_bytes, &t.desks));
    WW_TRY(ww__scratch_array(s->device, ww__words(t.n), sizeof *t.bits, &t.bits));
    WW_TRY(ww__scratch_array(s->device, t.blocks, sizeof *t.before, &t.before));
    if (s->device->on_paper) return WW_OK;
    ww__parallel(s->device, workers, mark_blocks, &t);
    if (fault->position != UINT64_MAX) return WW_OK;
    add_up(&t);
    t.next = 0;
    ww__parallel(s->device, workers, move_blocks, &t);
    *zeros = t.n - t.ones;
    return WW_OK;
}
