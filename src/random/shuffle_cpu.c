/* Shuffling on a CPU. Level by level elements go to buckets by a random digit of the place where they are, in order inside a bucket,
 * until buckets have some six thousand elements, which are shuffled in the caches. What a place's digit is, and its draw, depends
 * on the place alone: so the result does not depend on who does what when.
 *
 *   the first level    pieces of the input are counted by workers (their digits are made, 1 byte an element), and scattered (made
 *                      again) behind the pieces before them
 *   what comes below   a worker claims a bucket and does all of it
 *
 * Levels go from memory to memory: the output and scratch memory in turn, so that the last one ends in the output. Where the
 * first one cannot, since the output is what it reads, the last one ends in scratch memory, and leaves are copied. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"
#include "random/sides.h"
#include "random/words.h"

enum { TILE = 4096, BUCKETS = 1 << WW__SHUFFLE_DIGIT, DRAWS = 1024 };

/* The first draws of elements `first` on, of their words. Returns 0 where no remainder of a product is below its bound: only such
 * words may be among those that are rejected, and a division says which. */
#define TAKE(width, unused) \
    WW__LOOP(width) \
    uint32_t take_##width(const uint32_t *WW__R words, uint32_t first, size_t n, uint32_t *WW__R with) { \
        uint32_t near = 0; \
        for (uint32_t i = 0; i < (uint32_t)n; i++) { \
            const uint32_t bound = first + i + 1; \
            const uint64_t product = (uint64_t)words[i] * bound; \
            with[i] = (uint32_t)(product >> 32); \
            near |= (uint32_t)product < bound; \
        } \
        return near; \
    }
WW__EACH_LOOPS(TAKE, 0)
typedef uint32_t take_words(const uint32_t *words, uint32_t first, size_t n, uint32_t *with);
#define ROW(width, unused) take_##width,
static take_words *const takes[] = {WW__EACH_LOOPS(ROW, 0)};

/* Builds that leave widths out have the narrower ones. */
static take_words *take_of(int vector) {
    const int widest = (int)(sizeof takes / sizeof *takes) - 1;
    return takes[vector < widest ? vector : widest];
}

typedef struct shuffling {
    const ww_device *device;
    const ww_input *in;
    ww__philox_words *make;
    take_words *take;
    random_source own;
    ww__shuffle_plan plan;
    size_t size;
    unsigned char *memory[2]; /* where even levels go, and odd ones; level 0 is even */
    unsigned char *out;
    uint64_t (*first)[BUCKETS]; /* of each piece: how many; then where its next element of a bucket goes */
    uint64_t begin[BUCKETS + 1];
    uint64_t pieces, piece; /* tiles of a piece */
    unsigned char *buffers; /* for tiles of the input that are computed */
    size_t buffer;
    uint64_t next;
} shuffling;

/* ---- digits ---- */

typedef struct digits {
    unsigned char of[TILE + 16 * (1 + WW__PHILOX_BLOCKS)] __attribute__((aligned(64)));
} digits;

/* The digits of places first … first + n - 1, n at most TILE: bytes of the level's blocks. */
static const unsigned char *make_digits(const shuffling *s, unsigned level, uint64_t first, size_t n, digits *d) {
    const size_t skipped = first % 16, blocks = (skipped + n + 15) / 16;
    s->make((uint32_t *)(void *)d->of, s->own.seed, s->own.stream, ww__first_block(WW__FOR_DIGITS + level) + first / 16,
            ww__round_up(blocks, WW__PHILOX_BLOCKS));
    return d->of + skipped;
}

static void count_digits(const unsigned char *digit, size_t n, unsigned unwanted, uint64_t *counts) {
    uint32_t table[4][BUCKETS] = {{0}};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++) table[k][digit[i + k]]++;
    for (; i < n; i++) table[0][digit[i]]++;
    for (size_t d = 0; d < BUCKETS; d++) counts[d >> unwanted] += table[0][d] + table[1][d] + table[2][d] + table[3][d];
}

typedef uint32_t sixteen __attribute__((vector_size(16)));

#define SCATTER(T) \
    static void scatter_##T(void *to, const void *from, const unsigned char *digit, size_t n, unsigned unwanted, \
                            uint64_t *place) { \
        typedef T element __attribute__((aligned(1), may_alias)); \
        element *WW__R out = to; \
        const element *WW__R in = from; \
        for (size_t i = 0; i < n; i++) out[place[digit[i] >> unwanted]++] = in[i]; \
    }
/* Fisher's and Yates's swaps: element i of a leaf changes places with one of 0 … i. */
#define SWAP(T) \
    static void swap_##T(void *leaf, size_t first, const uint32_t *with, size_t n) { \
        typedef T element __attribute__((aligned(1), may_alias)); \
        element *x = leaf; \
        for (size_t i = 0; i < n; i++) { \
            const element moved = x[first + i]; \
            x[first + i] = x[with[i]]; \
            x[with[i]] = moved; \
        } \
    }
#define MOVES(T) SCATTER(T) SWAP(T)
MOVES(uint8_t)
MOVES(uint16_t)
MOVES(uint32_t)
MOVES(uint64_t)
MOVES(sixteen)

static void scatter(const shuffling *s, void *to, const void *from, const unsigned char *digit, size_t n,
                    unsigned unwanted, uint64_t *place) {
    (s->size == 1   ? scatter_uint8_t
     : s->size == 2 ? scatter_uint16_t
     : s->size == 4 ? scatter_uint32_t
     : s->size == 8 ? scatter_uint64_t
                    : scatter_sixteen)(to, from, digit, n, unwanted, place);
}

/* ---- leaves ---- */

/* Which of 0 … i element i changes places with, for n elements from `first` on of the leaf that begins at place `begin`. */
static void draw(const shuffling *s, uint64_t begin, size_t first, size_t n, uint32_t *words, uint32_t *with) {
    const uint64_t place = begin + first;
    const size_t skipped = place % 4, blocks = (skipped + n + 3) / 4;
    s->make(words, s->own.seed, s->own.stream, ww__first_block(WW__FOR_SWAPS) + place / 4,
            ww__round_up(blocks, WW__PHILOX_BLOCKS));
    const uint32_t near = s->take(words + skipped, (uint32_t)first, n, with);
    for (uint32_t i = 0; near && i < n; i++) {
        const uint32_t bound = (uint32_t)first + i + 1;
        if ((uint32_t)(words[skipped + i] * (uint64_t)bound) < (0u - bound) % bound)
            with[i] = ww_philox_share(
                ww_philox(s->own.seed, s->own.stream, ww__first_block(WW__FOR_SWAPS_AGAIN) + place + i), bound);
    }
}

static void shuffle_leaf(const shuffling *s, void *leaf, uint64_t begin, uint64_t n) {
    uint32_t words[DRAWS + 4 * (1 + WW__PHILOX_BLOCKS)] __attribute__((aligned(64))), with[DRAWS];
    for (uint64_t first = 0; first < n; first += DRAWS) {
        const size_t many = (size_t)ww__min_u64(DRAWS, n - first);
        draw(s, begin, (size_t)first, many, words, with);
        (s->size == 1   ? swap_uint8_t
         : s->size == 2 ? swap_uint16_t
         : s->size == 4 ? swap_uint32_t
         : s->size == 8 ? swap_uint64_t
                        : swap_sixteen)(leaf, (size_t)first, with, many);
    }
}

/* ---- the levels below the first ---- */

static void shuffle_bucket(const shuffling *s, unsigned level, uint64_t begin, uint64_t end) {
    unsigned char *from = s->memory[(level + 1) % 2]; /* where the level before went */
    if (level >= s->plan.levels) {
        unsigned char *leaf = s->out + begin * s->size;
        if (from != s->out) memcpy(leaf, from + begin * s->size, (size_t)(end - begin) * s->size);
        shuffle_leaf(s, leaf, begin, end - begin);
        return;
    }
    const unsigned bits = ww__shuffle_bits(s->plan, level), unwanted = WW__SHUFFLE_DIGIT - bits;
    uint64_t place[BUCKETS] = {0}, at = begin;
    digits d;
    for (uint64_t first = begin; first < end; first += TILE) {
        const size_t n = (size_t)ww__min_u64(TILE, end - first);
        count_digits(make_digits(s, level, first, n, &d), n, unwanted, place);
    }
    for (size_t b = 0; b < (size_t)1 << bits; b++) {
        const uint64_t many = place[b];
        place[b] = at;
        at += many;
    }
    for (uint64_t first = begin; first < end; first += TILE) {
        const size_t n = (size_t)ww__min_u64(TILE, end - first);
        scatter(s, s->memory[level % 2], from + first * s->size, make_digits(s, level, first, n, &d), n, unwanted,
                place);
    }
    for (size_t b = 0; b < (size_t)1 << bits; b++) shuffle_bucket(s, level + 1, b ? place[b - 1] : begin, place[b]);
}

static void shuffle_buckets(void *argument, size_t worker) {
    shuffling *s = argument;
    (void)worker;
    for (uint64_t b; (b = ww__claim(&s->next)) < (uint64_t)1 << ww__shuffle_bits(s->plan, 0);)
        if (s->begin[b] < s->begin[b + 1]) shuffle_bucket(s, 1, s->begin[b], s->begin[b + 1]);
}

/* ---- the first level ---- */

static uint64_t piece_begin(const shuffling *s, uint64_t p) { return ww__min_u64(p * s->piece * TILE, s->in->count); }

static void count_pieces(void *argument, size_t worker) {
    shuffling *s = argument;
    digits d;
    (void)worker;
    for (uint64_t p; (p = ww__claim(&s->next)) < s->pieces;) {
        memset(s->first[p], 0, sizeof s->first[p]);
        for (uint64_t first = piece_begin(s, p), end = piece_begin(s, p + 1); first < end; first += TILE) {
            const size_t n = (size_t)ww__min_u64(TILE, end - first);
            count_digits(make_digits(s, 0, first, n, &d), n, WW__SHUFFLE_DIGIT - ww__shuffle_bits(s->plan, 0),
                         s->first[p]);
        }
    }
}

static void place_pieces(shuffling *s) {
    uint64_t at = 0;
    for (size_t b = 0; b < BUCKETS; b++) {
        s->begin[b] = at;
        for (uint64_t p = 0; p < s->pieces; p++) {
            const uint64_t many = s->first[p][b];
            s->first[p][b] = at;
            at += many;
        }
    }
    s->begin[BUCKETS] = at;
}

static void scatter_pieces(void *argument, size_t worker) {
    shuffling *s = argument;
    digits d;
    for (uint64_t p; (p = ww__claim(&s->next)) < s->pieces;)
        for (uint64_t first = piece_begin(s, p), end = piece_begin(s, p + 1); first < end; first += TILE) {
            const size_t n = (size_t)ww__min_u64(TILE, end - first);
            const void *from = ww__input_read(s->device, s->in, first, n, s->buffers + worker * s->buffer);
            ww__input_fetch(s->in, first + n, (size_t)ww__min_u64(TILE, end - first - n));
            scatter(s, s->memory[0], from, make_digits(s, 0, first, n, &d), n,
                    WW__SHUFFLE_DIGIT - ww__shuffle_bits(s->plan, 0), s->first[p]);
        }
}

/* So few that they are one leaf. */
static ww_status shuffle_few(ww_device *device, const ww__shuffle_request *r, const shuffling *s) {
    void *buffer;
    WW_TRY(ww__scratch(device, ww__input_room(r->in, (size_t)r->in->count), &buffer));
    if (device->on_paper) return WW_OK;
    const void *from = ww__input_read(device, r->in, 0, (size_t)r->in->count, buffer);
    if (from != s->out) memcpy(s->out, from, (size_t)r->in->count * s->size);
    shuffle_leaf(s, s->out, 0, r->in->count);
    return WW_OK;
}

ww_status ww__shuffle_cpu(ww_device *device, const ww__shuffle_request *r) {
    enum { PIECES_A_WORKER = 4 };
    const uint64_t n = r->in->count, bytes = ww__input_bytes(r->in) + n * r->out->size;
    shuffling s = {.device = device,
                   .in = r->in,
                   .make = ww__philox_words_of(device->vector),
                   .take = take_of(device->vector),
                   .own = r->own,
                   .plan = ww__shuffle_plan_of(r),
                   .size = r->out->size,
                   .out = r->out->data};
    const bool in_place = ww__input_memory(r->in) == r->out->data;
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "shuffle", NULL, n, bytes, workers);
    if (!s.plan.levels) return shuffle_few(device, r, &s);
    /* The last level, number levels - 1, goes to the output, unless then the first one would go to what it reads. */
    const bool first_to_out = s.plan.levels % 2, two = s.plan.levels > 1 || in_place;
    unsigned char *scratch = NULL;
    if (two) WW_TRY(ww__scratch_array(device, n, s.size, &scratch));
    s.memory[0] = first_to_out && !in_place ? s.out : scratch;
    s.memory[1] = s.memory[0] == s.out ? scratch : s.out;
    s.piece = n / TILE / (workers * PIECES_A_WORKER) + 1;
    s.pieces = (n + s.piece * TILE - 1) / (s.piece * TILE);
    s.buffer = ww__round_up(ww__input_room(r->in, TILE), 64);
    WW_TRY(ww__scratch_array(device, s.pieces, sizeof *s.first, &s.first));
    WW_TRY(ww__scratch_array(device, workers, s.buffer, &s.buffers));
    ww__parallel(device, workers, count_pieces, &s);
    if (device->on_paper) return WW_OK;
    place_pieces(&s);
    s.next = 0;
    ww__parallel(device, workers, scatter_pieces, &s);
    s.next = 0;
    ww__parallel(device, workers, shuffle_buckets, &s);
    return WW_OK;
}
