/* Moving elements to their buckets' parts of an output through write-combining lines: each bucket collects some of memory's
 * lines of the output, which are written as a whole, so that the order is kept and memory sees whole lines.
 *
 * A loop is made for each key size and value size by lines_pairs.h; the radix sort puts its own digits in front of it,
 * lines.c the buckets' numbers that a multisplit has found. Keys are moved, never compared: only their size counts.
 *
 * Satish et al., Fast Sort on CPUs and GPUs (2010); Polychroniou and Ross, A Comprehensive Study of Main-Memory
 * Partitioning (2014). */
#ifndef WW__LINES_H
#define WW__LINES_H

#include <string.h>

#include "device/device.h"
#include "warpwise/function_widths.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Bytes that a bucket collects. What an element costs most is that no processor foresees which one fills a line, so lines are
 * longer than memory's of 64 bytes; where they were 64, a partition of u32 took 1.4 times as long, of u64 1.3 times (an EPYC
 * with AVX2, 2026-11). Sorts have lines of their own length (radix.h). */
#define WW__LINE_OF(key_size, valued) ((size_t)((valued) ? 128 : 256))

typedef struct ww__lines {
    void *keys_out, *values_out;
    uint64_t *position;    /* of each bucket: where its next element goes; ends behind its last */
    const uint64_t *start; /* … where its first went */
    const uint64_t *end;   /* nothing is written there or behind it; only looked at where buckets may be too full */
    void *key_lines,
        *value_lines;      /* a line for each bucket, aligned; those of values behind those of keys, in one piece */
    bool streaming;        /* lines go past the caches */
    bool ahead;            /* without lines: elements ask for the line that comes next in their bucket */
    uint8_t pairs, vector; /* of multisplits: pairs of 4 and 4 bytes in a line of them (ww__lines_pairs); a ww_vector */
} ww__lines;

/* Lines of pairs are longer where there is room for them in a second-level cache and elements to fill them. Whatever it is,
 * 2^bits lines of keys and values have 2^bits * ww__lines_room bytes. */
static inline uint8_t ww__lines_pairs(unsigned bits, uint64_t elements_a_bucket) {
    return bits <= 8 ? 64 : elements_a_bucket >= 256 ? 32 : 16;
}
static inline size_t ww__lines_room(size_t key_size, size_t value_size, unsigned bits) {
    const size_t line = WW__LINE_OF(key_size, value_size), room = value_size ? 2 * line : line;
    return key_size == 4 && value_size == 4 && bits <= 8 ? 64 * 8 : room;
}

/* Memory is asked for so many bytes ahead. */
enum { WW__LINES_AHEAD = 4096 };

/* Asks for `bytes` bytes further on. */
#define WW__LINES_FETCH(pointer, bytes) \
    for (size_t fetched_ = 0; fetched_ < (bytes); fetched_ += 64) \
    __builtin_prefetch((const char *)(pointer) + WW__LINES_AHEAD + fetched_)

/* A whole line of an output; past the caches it has to be aligned. */
WW__INLINE void ww__write_line(void *to, const void *from, const size_t bytes, bool stream) {
#if defined(__SSE2__)
    if (stream) {
        const __m128i *f = (const __m128i *)from;
        __m128i *t = (__m128i *)to;
        for (size_t i = 0; i < bytes / 16; i++) _mm_stream_si128(t + i, _mm_load_si128(f + i));
        return;
    }
#endif
    (void)stream;
    memcpy(to, from, bytes);
}

/* Asks for a line of an output that stays in the caches, which is going to be written when it is full. */
WW__INLINE void ww__ask_line(const void *to, const size_t bytes) {
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)to + i, 1);
}

/* Sizes of elements that go through lines: 1, 2, 4, 8, 16 bytes are 0, 1, 2, 3, 4; others -1. */
static inline int ww__lines_size(size_t size) {
    for (int c = 0; c < 5; c++)
        if (size == (size_t)1 << c) return c;
    return -1;
}

typedef uint64_t ww__sixteen_bytes __attribute__((vector_size(16)));

/* What a multisplit moves with. */
typedef struct ww__lines_loops {
    /* n elements at keys and values, whose buckets are known. */
    void (*move)(const ww__lines *lines, const void *keys, const void *values, const uint32_t *buckets, size_t n);
    /* The same without lines, in cache; ends are not looked at. */
    void (*move_direct)(const ww__lines *lines, const void *keys, const void *values, const uint32_t *buckets,
                        size_t n);
    /* The same; what would come to an end or behind it is left out. */
    void (*move_within)(const ww__lines *lines, const void *keys, const void *values, const uint32_t *buckets,
                        size_t n);
    /* Writes what is left in the lines of `buckets` buckets. */
    void (*finish)(const ww__lines *lines, size_t buckets);
} ww__lines_loops;

/* NULL where elements of these sizes (value_size 0: no values) do not go through lines: 1, 2, 4, 8, 16 do. */
const ww__lines_loops *ww__lines_loops_of(size_t key_size, size_t value_size);

#endif
