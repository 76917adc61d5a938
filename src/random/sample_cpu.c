/* Choosing positions by their words on a CPU, in two passes that make the words anew: workers count how many each piece has, and
 * write them behind those before. Dropping copies what lies between dropped places. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "random/sides.h"
#include "random/words.h"

enum { TILE = 1024 };

typedef struct choosing {
    const ww__choosing *c;
    ww__philox_words *make;
    uint64_t *before;       /* of each piece: how many it has, then how many those before it have */
    uint64_t pieces, piece; /* tiles of a piece */
    uint64_t next;
} choosing;

typedef struct tile_words {
    uint32_t of[TILE] __attribute__((aligned(64)));
} tile_words;

static void make_tile(const choosing *s, uint64_t first, tile_words *w) {
    s->make(w->of, s->c->source.seed, s->c->source.stream, first / 4, TILE / 4);
}

/* `last` is limit - 1: the limit may be 2^32. */
static uint32_t count_tile(const uint32_t *words, size_t n, uint32_t last) {
    uint32_t many = 0;
    for (size_t i = 0; i < n; i++) many += words[i] <= last;
    return many;
}

#define WRITE(T) \
    static uint64_t write_##T(void *to, uint64_t at, const uint32_t *words, uint64_t first, size_t n, uint32_t last) { \
        T *out = (T *)to + at; \
        T chosen[TILE]; \
        size_t many = 0; \
        for (size_t i = 0; i < n; i++) { \
            chosen[many] = (T)(first + i); \
            many += words[i] <= last; \
        } \
        memcpy(out, chosen, many * sizeof *out); \
        return at + many; \
    }
WRITE(uint32_t)
WRITE(uint64_t)

static uint64_t piece_begin(const choosing *s, uint64_t p) { return ww__min_u64(p * s->piece * TILE, s->c->n); }

static void count_pieces(void *argument, size_t worker) {
    choosing *s = argument;
    tile_words w;
    (void)worker;
    for (uint64_t p; (p = ww__claim(&s->next)) < s->pieces;) {
        uint64_t many = 0;
        for (uint64_t first = piece_begin(s, p), end = piece_begin(s, p + 1); first < end; first += TILE) {
            make_tile(s, first, &w);
            many += count_tile(w.of, (size_t)ww__min_u64(TILE, end - first), (uint32_t)(s->c->limit - 1));
        }
        s->before[p] = many;
    }
}

static void write_pieces(void *argument, size_t worker) {
    choosing *s = argument;
    tile_words w;
    (void)worker;
    for (uint64_t p; (p = ww__claim(&s->next)) < s->pieces;) {
        uint64_t at = s->before[p];
        for (uint64_t first = piece_begin(s, p), end = piece_begin(s, p + 1); first < end; first += TILE) {
            make_tile(s, first, &w);
            at = (s->c->out.size == 4 ? write_uint32_t : write_uint64_t)(
                s->c->out.data, at, w.of, first, (size_t)ww__min_u64(TILE, end - first), (uint32_t)(s->c->limit - 1));
        }
    }
}

ww_status ww__draw_positions_cpu(ww_device *device, const ww__choosing *c, uint64_t *chosen) {
    enum { PIECES_A_WORKER = 16 };
    choosing s = {.c = c, .make = ww__philox_words_of(device->vector)};
    const size_t workers = ww__workers(device, c->n * sizeof(uint32_t));
    s.piece = c->n / TILE / (workers * PIECES_A_WORKER) + 1;
    s.pieces = (c->n + s.piece * TILE - 1) / (s.piece * TILE);
    ww__trace(device, "choose", NULL, c->n, c->out.count * c->out.size, workers);
    WW_TRY(ww__scratch_array(device, s.pieces, sizeof *s.before, &s.before));
    *chosen = c->out.count;
    if (device->on_paper) return WW_OK;
    ww__parallel(device, workers, count_pieces, &s);
    *chosen = 0;
    for (uint64_t p = 0; p < s.pieces; p++) {
        const uint64_t many = s.before[p];
        s.before[p] = *chosen;
        *chosen += many;
    }
    s.next = 0;
    if (*chosen >= c->least && *chosen <= c->out.count) ww__parallel(device, workers, write_pieces, &s);
    return WW_OK;
}

/* ---- dropping ---- */

typedef struct dropping {
    const ww__dropping *d;
    uint64_t piece, next; /* elements of the output */
} dropping;

static uint64_t dropped_at(const ww_array *dropped, uint64_t j) {
    return dropped->size == 4 ? ((const uint32_t *)dropped->data)[j] : ((const uint64_t *)dropped->data)[j];
}

/* How many are dropped before element i of the output: those with dropped[j] - j <= i. */
static uint64_t dropped_before(const ww_array *dropped, uint64_t i) {
    uint64_t low = 0, high = dropped->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (dropped_at(dropped, middle) - middle <= i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void drop_pieces(void *argument, size_t worker) {
    dropping *s = argument;
    const ww_array *in = &s->d->in, *dropped = &s->d->dropped, *out = &s->d->out;
    (void)worker;
    for (uint64_t i; (i = ww__claim(&s->next) * s->piece) < out->count;) {
        const uint64_t end = ww__min_u64(i + s->piece, out->count);
        for (uint64_t j = dropped_before(dropped, i); i < end; j++) {
            const uint64_t up_to = j < dropped->count ? ww__min_u64(dropped_at(dropped, j) - j, end) : end;
            memcpy((char *)out->data + i * out->size, (const char *)in->data + (i + j) * out->size,
                   (size_t)(up_to - i) * out->size);
            i = up_to;
        }
    }
}

ww_status ww__drop_cpu(ww_device *device, const ww__dropping *d) {
    enum { PIECE = 1 << 14 };
    dropping s = {d, PIECE, 0};
    const uint64_t bytes = (d->in.count + d->out.count) * d->out.size;
    ww__parallel(device, ww__workers(device, bytes), drop_pieces, &s);
    return WW_OK;
}
