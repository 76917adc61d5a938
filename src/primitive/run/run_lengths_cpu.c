/* Run lengths on the CPU: one pass.
 *
 * Workers claim blocks in order and mark a block's heads as bits, which reads it from memory; the turn hands on the
 * number of heads before the block and the position of the last of them. With those a block writes the elements at its
 * heads, and for each of its heads the length of the run that ends there: the distance to the head before. The length
 * of the last run of all is written at the end. Reads in once (the second look is into the second-level cache), writes
 * the runs. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/check.h"
#include "primitive/pack/bits.h"
#include "primitive/pack/choice.h"
#include "primitive/pack/held.h"
#include "primitive/pack/sink.h"
#include "primitive/run/heads.h"
#include "primitive/run/sides.h"

enum {
    BLOCK_BYTES = 1 << 17, /* measured on Zen 3 (512 KiB of second-level cache a core), 2026-11 */
    BLOCK_MOST = 65536,    /* elements of a block, so that its bits take 8 KiB */
    BLOCKS_EACH = 4,       /* at least, for a worker */
    BUFFER_BYTES = 24576,
    PIECE = 512 /* lengths at a time */
};

typedef struct lengths_run {
    const ww_device *device;
    const ww_input *in;
    const ww_function *equal;
    ww__compress *compress;
    const ww_array *values, *lengths;
    bool stream_values, stream_lengths;
    size_t tile, words, block;
    uint64_t blocks;
    unsigned char *buffers; /* a worker's: two sinks, bits of a block, elements of a tile */
    size_t bits_room, held_room, buffer;
    bool in_place; /* the values' output is what is read; there are no lengths */
    uint64_t claimed;
    ww__turn turn;
    uint64_t runs, last; /* heads before, the last one's position: belong to the worker whose turn it is */
} lengths_run;

typedef struct worker_memory {
    unsigned char *values, *lengths;
    uint64_t *bits;
    unsigned char *buffer;
} worker_memory;

/* A sink for results from number `at` on. */
static void begin_at(const lengths_run *r, ww__sink *sink, void *buffer, const ww_array *out, uint64_t at,
                     bool streaming) {
    const uint64_t from = ww__min_u64(at, out->count);
    unsigned char *const data = out->data;
    ww__sink_begin(sink, r->device, buffer, data ? data + from * out->size : buffer,
                   (size_t)(out->count - from) * out->size, streaming);
}

/* positions[i] - positions[i - 1], the first one from `open`, as numbers of `size` bytes. */
WW__COMPILED static void distances(void *out, const uint32_t *positions, size_t n, uint64_t open, size_t size) {
    if (size == sizeof(uint64_t)) {
        uint64_t *to = out;
        to[0] = open;
        for (size_t i = 1; i < n; i++) to[i] = positions[i] - positions[i - 1];
    } else {
        uint32_t *to = out;
        to[0] = (uint32_t)open;
        for (size_t i = 1; i < n; i++) to[i] = positions[i] - positions[i - 1];
    }
}

/* The lengths of the runs that end at a tile's heads; *last is the head before, then the tile's last one. */
static void write_lengths(const lengths_run *r, ww__sink *sink, const uint64_t *bits, uint64_t first, size_t n,
                          uint64_t *last) {
    uint32_t positions[PIECE + WW__COMPRESS_SLACK / sizeof(uint32_t)];
    for (size_t i = 0; i < n; i += PIECE) {
        const size_t found = ww__bits_positions(r->device, positions, bits + i / 64, n - i < PIECE ? n - i : PIECE);
        if (!found) continue;
        const size_t skip = first + i + positions[0] == 0; /* the first head of all ends no run */
        if (found > skip) {
            const uint64_t open = skip ? positions[1] : first + i + positions[0] - *last;
            distances(ww__sink_next(sink), positions + skip, found - skip, open, r->lengths->size);
            ww__sink_took(sink, (found - skip) * r->lengths->size);
        }
        *last = first + i + positions[found - 1];
    }
}

/* `ahead`: how far on the block lies that this worker will most likely claim next, for which memory is asked. */
static void write_block(const lengths_run *r, uint64_t first, size_t n, uint64_t at, uint64_t last, size_t ahead,
                        const worker_memory *m) {
    const uint64_t *bits = m->bits;
    ww__sink values, lengths;
    begin_at(r, &values, m->values, r->values, at, r->stream_values);
    begin_at(r, &lengths, m->lengths, r->lengths, at ? at - 1 : 0, r->stream_lengths);
    const bool with_values = values.room != 0, with_lengths = lengths.room != 0;
    for (size_t i = 0; i < n; i += r->tile, bits += r->words) {
        const size_t many = n - i < r->tile ? n - i : r->tile;
        if (with_values) {
            const void *elements = ww__input_read(r->device, r->in, first + i, many, m->buffer);
            ww__sink_compress(&values, r->compress, elements, bits, 0, many, r->in->size, ahead);
        }
        if (with_lengths) write_lengths(r, &lengths, bits, first + i, many, &last);
    }
    ww__sink_end(&values);
    ww__sink_end(&lengths);
}

static size_t mark_block(const lengths_run *r, uint64_t first, size_t n, const worker_memory *m, uint64_t *last) {
    uint64_t *bits = m->bits;
    size_t found = 0;
    for (size_t i = 0; i < n; i += r->tile, bits += r->words) {
        const size_t many = n - i < r->tile ? n - i : r->tile;
        const void *elements;
        const size_t here = ww__heads(r->device, r->in, r->equal, first + i, many, bits, m->buffer, &elements);
        if (here) *last = first + i + ww__bits_last(bits, many);
        found += here;
    }
    return found;
}

/* As in pack (primitive/pack/held.h). */
static void unique_blocks_in_place(void *argument, size_t worker) {
    lengths_run *r = argument;
    unsigned char *const room = r->buffers + worker * r->buffer, *const bits_at = room + r->held_room;
    const worker_memory m = {NULL, NULL, (uint64_t *)(void *)bits_at, bits_at + r->bits_room};
    for (uint64_t b; (b = ww__claim(&r->claimed)) < r->blocks;) {
        const uint64_t first = b * r->block;
        const size_t n = (size_t)ww__min_u64(r->block, r->in->count - first);
        uint64_t last;
        const size_t found = mark_block(r, first, n, &m, &last);
        const uint64_t *bits = m.bits;
        ww__held held;
        ww__held_begin(&held, r->compress, room, r->in->size);
        for (size_t i = 0; i < n; i += r->tile, bits += r->words) {
            const size_t many = n - i < r->tile ? n - i : r->tile;
            ww__held_add(&held, ww__input_read(r->device, r->in, first + i, many, m.buffer), bits, many);
        }
        ww__turn_wait(&r->turn, b);
        const uint64_t at = r->runs;
        r->runs = at + found;
        ww__turn_pass(&r->turn, b);
        ww__held_put_moved(&held, r->values->data, first, at);
    }
}

static void run_blocks(void *argument, size_t worker) {
    lengths_run *r = argument;
    unsigned char *const base = r->buffers + worker * r->buffer, *const bits = base + 2 * WW__SINK_BYTES;
    const worker_memory m = {base, base + WW__SINK_BYTES, (uint64_t *)(void *)bits, bits + r->bits_room};
    for (uint64_t b; (b = ww__claim(&r->claimed)) < r->blocks;) {
        const uint64_t first = b * r->block;
        const size_t n = (size_t)ww__min_u64(r->block, r->in->count - first);
        uint64_t mine = 0;
        const size_t found = mark_block(r, first, n, &m, &mine);
        ww__turn_wait(&r->turn, b);
        const uint64_t at = r->runs, last = r->last;
        r->runs = at + found;
        if (found) r->last = mine;
        ww__turn_pass(&r->turn, b);
        const uint64_t next = __atomic_load_n(&r->claimed, __ATOMIC_RELAXED);
        const size_t ahead = ww__input_memory(r->in) ? (size_t)(next - b) * r->block * r->in->size : 0;
        if (found) write_block(r, first, n, at, last, ahead, &m);
    }
    ww__stream_done();
}

static void plan(lengths_run *r, size_t workers) {
    const size_t tile = ww__tile_within(r->in->size, BUFFER_BYTES, r->in, NULL);
    const size_t most = BLOCK_MOST / tile, fit = BLOCK_BYTES / (tile * r->in->size);
    const uint64_t fair = r->in->count / tile / (BLOCKS_EACH * workers);
    size_t tiles = fit < most ? fit : most;
    if (tiles > fair) tiles = (size_t)fair;
    if (!tiles) tiles = 1;
    r->tile = tile;
    r->words = ww__words(tile);
    r->block = tiles * tile;
    r->blocks = r->in->count / r->block + (r->in->count % r->block != 0);
    r->bits_room = ww__round_up(tiles * r->words * sizeof(uint64_t), 64);
    r->held_room = r->in_place ? ww__held_bytes(r->block, r->in->size) : (size_t)2 * WW__SINK_BYTES;
    r->buffer = r->held_room + r->bits_room + ww__round_up(ww__heads_room(r->in, r->equal, tile), 64);
}

ww_status ww__run_lengths_cpu(ww_device *device, const ww__run_lengths_request *request, uint64_t *runs) {
    const ww_input *const in = request->in;
    const ww_array *const values = request->values, *const lengths = request->lengths;
    const uint64_t bytes = in->count * in->size;
    const size_t workers = ww__workers(device, bytes);
    lengths_run r = {.device = device,
                     .in = in,
                     .equal = request->equal,
                     .compress = ww__compress_loop(device, in->size),
                     .in_place = !ww__is_none(values) && ww__in_place(in, values),
                     .values = values,
                     .lengths = lengths,
                     .stream_values = ww__streams(device, ww__min_u64(in->count, values->count) * in->size),
                     .stream_lengths = ww__streams(device, ww__min_u64(in->count, lengths->count) * lengths->size)};
    plan(&r, workers);
    WW_TRY(ww__scratch_array(device, workers, r.buffer, &r.buffers));
    *runs = 0;
    if (device->on_paper) return WW_OK;
    ww__trace(device, ww__is_none(lengths) ? "heads" : "lengths", NULL, in->count, bytes, workers);
    ww__parallel(device, workers, r.in_place ? unique_blocks_in_place : run_blocks, &r);
    *runs = r.runs;
    if (r.runs - 1 < lengths->count) {
        const ww_array open = {
            (unsigned char *)lengths->data + (r.runs - 1) * lengths->size, 1, lengths->type, lengths->size, NULL, 0};
        WW_TRY(ww__put_count(device, &open, in->count - r.last));
    }
    return WW_OK;
}
