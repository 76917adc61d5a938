/* Pack on the CPU.
 *
 * compress: one pass. Workers claim blocks in order. Where the blocks before one are done already (always, if one worker has the
 * call to itself) its place is known, and tile by tile flags become bits and kept elements are compressed, while they are in the
 * first-level cache, to their place. Else a block's flags become bits and are counted (a predicate reads the block's elements here,
 * once, from memory; they stay in the second-level cache); the turn hands on how many elements the blocks before keep, which
 * is where this block's go, and at once on to the next block; then the kept elements are compressed through a sink into
 * their place. Reads in and flags once, writes what is kept once.
 *
 * In place, what a block keeps is compressed before it takes the turn, into the worker's memory (held.h), and copied from there.
 *
 * enumerate: Blelloch's two steps (1990). The position of every element among the kept ones is written to memory, then the
 * kept ones are scattered to their positions. Reads flags twice, writes and reads n positions. */
#include "primitive/pack/sides.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "function/check.h"
#include "primitive/pack/bits.h"
#include "primitive/pack/choice.h"
#include "primitive/pack/held.h"
#include "primitive/pack/sink.h"

/* Measured on Zen 3 (512 KiB of second-level cache a core), 2026-11. A predicate's block must stay there. */
enum { BLOCK_OF_FLAGS = 1 << 18, BLOCK_OF_PREDICATE = 1 << 17 };

typedef struct packing {
    const ww_device *device;
    ww__choice choice;
    ww__compress *compress, *exact; /* NULL: all goes through the sink */
    const ww_array *out;
    bool streaming;
    unsigned char *buffers; /* a worker's: sink, bits of a block, the choice's buffer */
    size_t bits_room, held_room, buffer;
    bool in_place;
    uint64_t *position; /* enumerate: of each element */
    uint64_t claimed;
    ww__turn turn;
    uint64_t kept; /* in the blocks before: belongs to the worker whose turn it is */
} packing;

/* Where block b's elements go. */
static uint64_t take_turn(packing *p, uint64_t b, size_t kept) {
    ww__turn_wait(&p->turn, b);
    const uint64_t at = p->kept;
    p->kept = at + kept;
    ww__turn_pass(&p->turn, b);
    return at;
}

/* What to ask memory for while block b is compressed. With flags its elements come from memory now. A predicate has
 * read them before, and memory would be idle: it is asked for the block that this worker will most likely claim next,
 * which makes the whole a fifth faster. */
static size_t ahead_of(const packing *p, uint64_t b) {
    const ww__choice *choice = &p->choice;
    if (!ww__input_memory(choice->in)) return 0;
    if (choice->flags) return WW__AHEAD;
    return (size_t)(__atomic_load_n(&p->claimed, __ATOMIC_RELAXED) - b) * choice->block * choice->in->size;
}

static void compress_block(packing *p, uint64_t b, uint64_t at, const uint64_t *bits, unsigned char *sink_buffer,
                           void *buffer) {
    const ww__choice *choice = &p->choice;
    const size_t n = ww__choice_count(choice, b), size = choice->in->size, tile = choice->tile;
    if (at >= p->out->count) return;
    const size_t ahead = ahead_of(p, b);
    ww__sink sink;
    ww__sink_begin(&sink, p->device, sink_buffer, (unsigned char *)p->out->data + at * size,
                   (size_t)(p->out->count - at) * size, p->streaming);
    for (size_t i = 0; i < n; i += tile, bits += choice->words) {
        const size_t many = n - i < tile ? n - i : tile;
        const void *elements = ww__choice_elements(choice, b * choice->block + i, many, buffer);
        ww__sink_compress(&sink, p->compress, elements, bits, 0, many, size, ahead);
    }
    ww__sink_end(&sink);
}

/* What fits, of a tile that does not. */
static void put_some(const packing *p, uint64_t at, const unsigned char *elements, const uint64_t *bits, size_t n) {
    const size_t size = p->choice.in->size;
    for (size_t i = 0; i < n && at < p->out->count; i++)
        if (bits[i / 64] >> i % 64 & 1) memcpy((unsigned char *)p->out->data + at++ * size, elements + i * size, size);
}

static void hold_block(const packing *p, uint64_t b, const uint64_t *bits, void *buffer, ww__held *held) {
    const ww__choice *choice = &p->choice;
    const size_t n = ww__choice_count(choice, b), tile = choice->tile;
    for (size_t i = 0; i < n; i += tile, bits += choice->words) {
        const size_t many = n - i < tile ? n - i : tile;
        ww__held_add(held, ww__choice_elements(choice, b * choice->block + i, many, buffer), bits, many);
    }
}

static void pack_blocks_in_place(void *argument, size_t worker) {
    packing *p = argument;
    const ww__choice *choice = &p->choice;
    unsigned char *const room = p->buffers + worker * p->buffer;
    uint64_t *const bits = (uint64_t *)(void *)(room + p->held_room);
    unsigned char *const buffer = room + p->held_room + p->bits_room;
    for (uint64_t b; (b = ww__claim_light(p->device, worker, &p->claimed)) < choice->blocks;) {
        const uint64_t first = b * choice->block;
        const size_t kept = ww__choice_block(choice, first, ww__choice_count(choice, b), bits, buffer);
        ww__held held;
        ww__held_begin(&held, p->compress, room, choice->in->size);
        hold_block(p, b, bits, buffer, &held);
        const uint64_t at = take_turn(p, b, kept);
        ww__held_put(&held, p->out->data, at);
    }
}

/* The same for a block whose turn it is, with its bits; returns where the next block's elements go. */
static uint64_t compress_tiles(const packing *p, uint64_t b, uint64_t at, uint64_t *bits, unsigned char *sink_buffer,
                               void *buffer) {
    const ww__choice *choice = &p->choice;
    const size_t n = ww__choice_count(choice, b), size = choice->in->size, tile = choice->tile;
    unsigned char *const out = p->out->data;
    const uint64_t room = p->out->count;
    ww__sink sink;
    if (!p->exact) {
        const uint64_t first = at < room ? at : room;
        ww__sink_begin(&sink, p->device, sink_buffer, out + first * size, (size_t)(room - first) * size, p->streaming);
    }
    for (size_t i = 0; i < n; i += tile) {
        const size_t many = n - i < tile ? n - i : tile;
        const void *elements;
        const size_t kept = ww__choice_tile(choice, b * choice->block + i, many, bits, buffer, &elements);
        const bool few = kept * WW__COMPRESS_FEW <= many;
        if (!p->exact && few)
            ww__sink_few(&sink, elements, bits, many, kept, size);
        else if (!p->exact)
            ww__sink_compress(&sink, p->compress, elements, bits, 0, many, size, 0);
        else if (at + kept > room)
            put_some(p, at, elements, bits, many);
        else if (few)
            ww__compress_few(p->device, out + at * size, elements, bits, many, kept, size);
        else
            p->exact(out + at * size, elements, bits, 0, many, size, 0);
        at += kept;
    }
    if (!p->exact) ww__sink_end(&sink);
    return at;
}

static void compress_blocks(void *argument, size_t worker) {
    packing *p = argument;
    unsigned char *const sink = p->buffers + worker * p->buffer;
    uint64_t *const bits = (uint64_t *)(void *)(sink + WW__SINK_BYTES);
    unsigned char *const buffer = sink + WW__SINK_BYTES + p->bits_room;
    for (uint64_t b; (b = ww__claim_light(p->device, worker, &p->claimed)) < p->choice.blocks;) {
        if (ww__turn_is(&p->turn, b)) {
            p->kept = compress_tiles(p, b, p->kept, bits, sink, buffer);
            ww__turn_pass(&p->turn, b);
            continue;
        }
        const size_t kept = ww__choice_block(&p->choice, b * p->choice.block, ww__choice_count(&p->choice, b), bits,
                                             buffer);
        const uint64_t at = take_turn(p, b, kept);
        if (kept) compress_block(p, b, at, bits, sink, buffer);
    }
    ww__stream_done();
}

static void enumerate_blocks(void *argument, size_t worker) {
    packing *p = argument;
    uint64_t *const bits = (uint64_t *)(void *)(p->buffers + worker * p->buffer + WW__SINK_BYTES);
    void *const buffer = (unsigned char *)bits + p->bits_room;
    const ww__choice *choice = &p->choice;
    for (uint64_t b; (b = ww__claim_light(p->device, worker, &p->claimed)) < choice->blocks;) {
        const uint64_t first = b * choice->block;
        const size_t n = ww__choice_count(choice, b);
        uint64_t at = take_turn(p, b, ww__choice_block(choice, first, n, bits, buffer));
        for (size_t i = 0; i < n; i++) {
            const size_t in_tile = i % choice->tile;
            p->position[first + i] = at;
            at += bits[i / choice->tile * choice->words + in_tile / 64] >> in_tile % 64 & 1;
        }
    }
}

static void scatter_blocks(void *argument, size_t worker) {
    packing *p = argument;
    uint64_t *const bits = (uint64_t *)(void *)(p->buffers + worker * p->buffer + WW__SINK_BYTES);
    unsigned char *const buffer = (unsigned char *)bits + p->bits_room;
    const ww__choice *choice = &p->choice;
    const size_t size = choice->in->size, tile = choice->tile;
    unsigned char *const out = p->out->data;
    for (uint64_t t; (t = ww__claim_light(p->device, worker, &p->claimed)) * tile < choice->in->count;) {
        const uint64_t first = t * tile;
        const size_t n = (size_t)ww__min_u64(tile, choice->in->count - first);
        const void *in_tile;
        ww__choice_tile(choice, first, n, bits, buffer, &in_tile);
        const unsigned char *elements = in_tile;
        for (size_t i = 0; i < n; i++) {
            const uint64_t to = p->position[first + i];
            if (bits[i / 64] >> i % 64 & 1 && to < p->out->count) memcpy(out + to * size, elements + i * size, size);
        }
    }
}

ww_status ww__pack_cpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                       const ww_array *out, ww_pack_method method, uint64_t *kept) {
    const uint64_t bytes = ww__input_bytes(in) + (flags ? ww__input_bytes(flags) : 0) + in->count * in->size;
    const size_t workers = ww__workers(device, bytes);
    packing p = {.device = device,
                 .choice = {.device = device, .in = in, .flags = flags, .predicate = keep},
                 .compress = ww__compress_loop(device, in->size),
                 .out = out,
                 .streaming = ww__streams(device, ww__min_u64(in->count, out->count) * in->size)};
    ww__choice_plan(&p.choice, flags ? BLOCK_OF_FLAGS : BLOCK_OF_PREDICATE, workers);
    p.bits_room = ww__round_up(ww__choice_words(&p.choice) * sizeof(uint64_t), 64);
    p.in_place = ww__in_place(in, out);
    p.exact = p.streaming ? NULL : ww__compress_loop_exact(device, in->size);
    p.held_room = p.in_place ? ww__held_bytes(p.choice.block, in->size) : (size_t)WW__SINK_BYTES;
    p.buffer = p.held_room + p.bits_room + ww__round_up(p.choice.room, 64);
    WW_TRY(ww__scratch_array(device, workers, p.buffer, &p.buffers));
    if (method == WW_PACK_ENUMERATE) {
        ww__trace(device, "enumerate", keep, in->count, bytes + 16 * in->count, workers);
        WW_TRY(ww__scratch_array(device, in->count, sizeof(uint64_t), &p.position));
        ww__parallel_light(device, workers, bytes, enumerate_blocks, &p);
        p.claimed = 0;
        ww__parallel_light(device, workers, bytes, scatter_blocks, &p);
    } else {
        ww__trace(device, "compress", keep, in->count, bytes, workers);
        ww__parallel_light(device, workers, bytes, p.in_place ? pack_blocks_in_place : compress_blocks, &p);
    }
    *kept = p.kept;
    return WW_OK;
}
