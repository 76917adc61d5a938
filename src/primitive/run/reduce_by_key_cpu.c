/* Reduction by key on the CPU: one pass over tiles.
 *
 * Workers claim tiles in order. A tile's heads cut its values into pieces: the elements before the first head, which go
 * on with a run of an earlier tile, and a piece for each head. Every piece is folded alone, as a tile of ww_reduce is.
 * The turn hands on the number of heads before and the open run's result so far: the tile joins its first piece to
 * that, and where it has a head writes the run that ended and leaves its last piece as the open one. The pieces between
 * are whole runs, written after the turn has been passed on. So how a run is bracketed depends on where it lies and on
 * nothing else. Reads keys and values once, writes the runs. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/check.h"
#include "primitive/pack/bits.h"
#include "primitive/pack/compress.h"
#include "primitive/run/heads.h"
#include "primitive/run/sides.h"
#include "primitive/scan/add.h"
#include "warpwise/function_widths.h"

/* Runs shorter than this on average are folded by a segmented scan of the whole tile, longer ones one by one. */
enum { SHORT_RUNS = 24 };

typedef struct by_key {
    const ww_device *device;
    const ww_function *op;
    const ww_combine_loops *loops;
    ww__scan_add
        *add; /* sums of integers, which wrap: short runs are differences of a tile's running sums; else NULL */
    const ww_function *equal; /* or NULL: by their bytes */
    const ww_input *keys, *values;
    const ww_array *keys_out, *values_out;
    ww__compress *compress_keys, *compress_values;
    bool stream_keys, stream_values;
    size_t tile;
    unsigned char *buffers;
    size_t buffer;
    uint64_t claimed;
    ww__turn turn;
    uint64_t runs; /* heads before, and … */
    unsigned char *open,
        *joined; /* … the open run's result so far, and room for one more: belong to the worker whose turn it is */
} by_key;

typedef struct worker_memory {
    unsigned char *keys, *values; /* buffers of the inputs */
    unsigned char *pieces;        /* folded: the first one is for the elements before the first head */
    unsigned char *scanned;       /* the segmented scan, or running sums; later the keys at the heads */
    unsigned char *sums;          /* where runs end */
    uint8_t *marks;               /* heads, a byte each */
    uint32_t *positions;
    uint64_t *bits, *ends;
} worker_memory;

/* Lays out a worker's memory at `base`, or at NULL to find how much it is. */
static size_t lay_out(const by_key *k, unsigned char *base, worker_memory *m) {
    const size_t t = k->tile, larger = k->keys->size > k->values->size ? k->keys->size : k->values->size;
    size_t used = 0;
#define PART(bytes) (used += ww__round_up(bytes, 64), base ? base + used - ww__round_up(bytes, 64) : NULL)
    m->keys = PART(ww__heads_room(k->keys, k->equal, t));
    m->values = PART(ww__input_room(k->values, t));
    m->pieces = PART((t + 1) * k->values->size + WW__COMPRESS_SLACK);
    m->scanned = PART(t * larger + WW__COMPRESS_SLACK);
    m->sums = PART(k->add ? t * k->values->size + WW__COMPRESS_SLACK : 0);
    m->marks = PART(ww__round_up(t, 8));
    m->positions = (uint32_t *)(void *)PART(t * sizeof(uint32_t) + WW__COMPRESS_SLACK);
    m->bits = (uint64_t *)(void *)PART(ww__words(t) * sizeof(uint64_t));
    m->ends = (uint64_t *)(void *)PART(ww__words(t) * sizeof(uint64_t));
#undef PART
    return used;
}

static void fold(const by_key *k, unsigned char *result, const unsigned char *x, size_t n) {
    if (k->op->flags & WW_COMMUTES)
        k->loops->fold_interleaved(result, x, n, k->op->bound);
    else
        k->loops->fold_ordered(result, x, n, k->op->bound);
}

/* Below so many elements a fold goes from left to right, as the segmented scan does. */
static size_t left_to_right_below(const by_key *k) {
    return k->op->flags & WW_COMMUTES ? (size_t)WW__LANES(k->values->size) : 16;
}

/* A byte that is not 0 for each set bit: byte i of a little-endian word keeps bit i of the eight. */
static void marks_of_bits(uint8_t *marks, const uint64_t *bits, size_t n) {
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t eight = bits[i / 64] >> i % 64 & 0xff;
        const uint64_t spread = eight * 0x0101010101010101u & 0x8040201008040201u;
        memcpy(marks + i, &spread, 8);
    }
}

/* Bit i: whether a piece ends with element i. */
static void ends_of_heads(uint64_t *ends, const uint64_t *bits, size_t n) {
    const size_t words = ww__words(n);
    for (size_t w = 0; w < words; w++) ends[w] = bits[w] >> 1 | (w + 1 < words ? bits[w + 1] << 63 : 0);
    ends[(n - 1) / 64] |= (uint64_t)1 << (n - 1) % 64;
}

/* Where piece p begins: piece 0 with the tile, the others with the heads. */
static inline size_t piece_begin(const worker_memory *m, size_t p) { return p ? m->positions[p - 1] : 0; }

static void fold_long_runs(const by_key *k, const unsigned char *x, size_t n, size_t heads, const worker_memory *m) {
    const size_t size = k->values->size;
    for (size_t p = 0; p <= heads; p++) {
        const size_t begin = piece_begin(m, p), end = p < heads ? m->positions[p] : n;
        if (end > begin) fold(k, m->pieces + p * size, x + begin * size, end - begin);
    }
}

static void fold_short_runs(const by_key *k, const unsigned char *x, size_t n, size_t heads, const worker_memory *m) {
    const size_t size = k->values->size, lead = m->positions[0] ? 0 : 1, threshold = left_to_right_below(k);
    marks_of_bits(m->marks, m->bits, n);
    ends_of_heads(m->ends, m->bits, n);
    m->marks[0] = 1; /* nothing comes before; what the carry is does not matter, only that there is one */
    memcpy(m->pieces, x, size);
    k->loops->segmented_inclusive(m->scanned, x, m->marks, m->pieces, n, k->op->bound);
    k->compress_values(m->pieces + lead * size, m->scanned, m->ends, 0, n, size, 0);
    for (size_t p = lead; p <= heads; p++) {
        const size_t begin = piece_begin(m, p), end = p < heads ? m->positions[p] : n;
        if (end - begin >= threshold) fold(k, m->pieces + p * size, x + begin * size, end - begin);
    }
}

/* out[i] = x[i] - x[i - 1]; nothing is before the first. */
#define DIFFERENCES(width, T) \
    WW__LOOP(width) void differences_##T##_##width(void *out, const void *in, size_t n) { \
        T *WW__R to = out; \
        const T *WW__R x = in; \
        to[0] = x[0]; \
        for (size_t i = 1; i < n; i++) to[i] = (T)(x[i] - x[i - 1]); \
    }
typedef void differences(void *out, const void *in, size_t n);
#define LOOPS(width, unused) \
    DIFFERENCES(width, uint8_t) \
    DIFFERENCES(width, uint16_t) \
    DIFFERENCES(width, uint32_t) \
    DIFFERENCES(width, uint64_t) \
    static differences *const ww__loops_differences_##width[4] = { \
        differences_uint8_t_##width, differences_uint16_t_##width, differences_uint32_t_##width, \
        differences_uint64_t_##width};
WW__EACH_WIDTH(LOOPS, 0)
static differences *const (*const differences_by_width[WW_VECTORS])[4] = WW__TABLES(differences);

static void subtract_sums(const by_key *k, const unsigned char *x, size_t n, const worker_memory *m) {
    const size_t size = k->values->size, lead = m->bits[0] & 1;
    uint64_t carry = 0;
    ends_of_heads(m->ends, m->bits, n);
    k->add(m->scanned, x, n, &carry, false, false, NULL, NULL);
    const size_t runs = k->compress_values(m->sums, m->scanned, m->ends, 0, n, size, 0);
    (*differences_by_width[k->device->vector])[__builtin_ctzll(size)](m->pieces + lead * size, m->sums, runs);
}

static void fold_pieces(const by_key *k, const unsigned char *x, size_t n, size_t heads, const worker_memory *m) {
    const bool are_short = n < heads * SHORT_RUNS;
    if (are_short && k->add) {
        subtract_sums(k, x, n, m);
        return;
    }
    ww__bits_positions(k->device, m->positions, m->bits, n);
    (are_short ? fold_short_runs : fold_long_runs)(k, x, n, heads, m);
}

/* Results number `at` and on; what has no room is dropped. */
static void write_results(const by_key *k, const ww_array *out, uint64_t at, const void *from, size_t n,
                          bool streaming) {
    if (!n || at >= out->count) return;
    const size_t fit = (size_t)ww__min_u64(n, out->count - at);
    ww__stream(k->device, (unsigned char *)out->data + at * out->size, from, fit * out->size, streaming);
}

/* What a tile does while it has the turn. Returns the number of heads before. */
static uint64_t join(by_key *k, size_t heads, const worker_memory *m) {
    const size_t size = k->values->size;
    const bool lead = !(m->bits[0] & 1);
    const uint64_t at = k->runs;
    if (lead) {
        k->loops->pairwise(k->joined, k->open, m->pieces, 1, k->op->bound);
        memcpy(k->open, k->joined, size);
    }
    if (heads) {
        if (at) write_results(k, k->values_out, at - 1, k->open, 1, false);
        memcpy(k->open, m->pieces + heads * size, size);
        k->runs = at + heads;
    }
    return at;
}

static void reduce_tiles(void *argument, size_t worker) {
    by_key *k = argument;
    worker_memory m;
    lay_out(k, k->buffers + worker * k->buffer, &m);
    const uint64_t count = k->keys->count;
    for (uint64_t t; (t = ww__claim(&k->claimed)) * k->tile < count;) {
        const uint64_t first = t * k->tile;
        const size_t n = (size_t)ww__min_u64(k->tile, count - first);
        const void *keys;
        const size_t heads = ww__heads(k->device, k->keys, k->equal, first, n, m.bits, m.keys, &keys);
        fold_pieces(k, ww__input_read(k->device, k->values, first, n, m.values), n, heads, &m);
        ww__turn_wait(&k->turn, t);
        const uint64_t at = join(k, heads, &m);
        ww__turn_pass(&k->turn, t);
        if (heads) write_results(k, k->values_out, at, m.pieces + k->values->size, heads - 1, k->stream_values);
        if (heads && at < k->keys_out->count) {
            k->compress_keys(m.scanned, keys, m.bits, 0, n, k->keys->size, 0);
            write_results(k, k->keys_out, at, m.scanned, heads, k->stream_keys);
        }
    }
    ww__stream_done();
}

ww_status ww__reduce_by_key_cpu(ww_device *device, const ww__reduce_by_key_request *request, uint64_t *runs) {
    const ww_function *const op = request->op;
    const ww_input *const keys = request->keys, *const values = request->values;
    const ww_array *const keys_out = request->keys_out, *const values_out = request->values_out;
    const uint64_t count = keys->count, bytes = count * (keys->size + values->size);
    const size_t workers = ww__workers(device, bytes);
    by_key k = {.device = device,
                .op = op,
                .loops = ww__loops(device, op),
                .add = ww__scan_add_of(device, op),
                .equal = request->equal,
                .keys = keys,
                .values = values,
                .keys_out = keys_out,
                .values_out = values_out,
                .compress_keys = ww__compress_loop(device, keys->size),
                .compress_values = ww__compress_loop(device, values->size),
                .stream_keys = ww__streams(device, ww__min_u64(count, keys_out->count) * keys->size),
                .stream_values = ww__streams(device, ww__min_u64(count, values_out->count) * values->size),
                .tile = ww__by_key_bracket(keys->size > values->size ? keys->size : values->size)};
    worker_memory layout;
    k.buffer = lay_out(&k, NULL, &layout);
    WW_TRY(ww__scratch_array(device, workers, k.buffer, &k.buffers));
    WW_TRY(ww__scratch_array(device, 2, ww__round_up(values->size, 64), &k.open));
    k.joined = k.open + ww__round_up(values->size, 64);
    *runs = 0;
    if (device->on_paper) return WW_OK;
    ww__trace(device, "by-key", op, count, bytes, workers);
    ww__parallel(device, workers, reduce_tiles, &k);
    *runs = k.runs;
    write_results(&k, values_out, k.runs - 1, k.open, 1, false);
    return WW_OK;
}
