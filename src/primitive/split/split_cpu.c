/* Two-way split on the CPU. Work goes by blocks, whose flags become bits (primitive/pack/choice.h).
 *
 * stable: where the second side begins must be known before anything is written, so a first pass makes every block's bits
 * and counts them (it reads the flags, or for a predicate the elements); with the counts added up each block knows both of
 * its places and needs no other: the second pass compresses each tile twice, by its bits and by their complement,
 * through a sink each. Reads flags and in once (a predicate: in twice), writes n; the bits, n / 8 bytes, go to memory and back.
 *
 * reversed: one pass. The first side grows from the front and the second from the end; how many flags the blocks before
 * have, which is all a block must know, is handed on with the turn.
 *
 * scans: Blelloch's (1990, section 1.5). down = the exclusive scan of the complement, up = n minus the
 * inclusive scan of the flags in reverse order; an element goes to up if its flag is set, else to down. Reads flags
 * twice, writes and reads n places, permutes. */
#include "primitive/split/sides.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "primitive/pack/bits.h"
#include "primitive/pack/choice.h"
#include "primitive/pack/sink.h"
#include "primitive/split/reversed_sink.h"

/* Measured on Zen 3 (512 KiB of second-level cache a core), 2026-11. */
enum { BLOCK_BYTES = 1 << 17 };

typedef struct splitting {
    const ww_device *device;
    ww__choice choice;
    ww__compress *compress;
    unsigned char *out;
    bool streaming;
    unsigned char *buffers; /* a worker's: two sinks, bits of a block, the choice's buffer */
    uint64_t moved;         /* bytes */
    size_t bits_room, buffer;
    uint64_t claimed;
    ww__turn turn;
    uint64_t ones;    /* reversed: in the blocks before, belongs to the worker whose turn it is; else: of all */
    uint64_t *before; /* stable, scans: flags in the blocks before each */
    uint64_t *bits;   /* stable, scans: of all blocks, bits_room bytes each */
    uint64_t *place;  /* scans: of each element */
} splitting;

typedef struct worker_memory {
    unsigned char *first, *second;
    uint64_t *bits;
    unsigned char *buffer;
} worker_memory;

static worker_memory memory_of(const splitting *s, size_t worker) {
    unsigned char *const base = s->buffers + worker * s->buffer;
    unsigned char *const bits = base + WW__SINK_BYTES + WW__REVERSED_SINK_BYTES;
    return (worker_memory){base, base + WW__SINK_BYTES, (uint64_t *)(void *)bits, bits + s->bits_room};
}

/* The bits of a block. */
static uint64_t *bits_of(const splitting *s, uint64_t b) { return s->bits + b * (s->bits_room / sizeof *s->bits); }

static void count_blocks(void *argument, size_t worker) {
    splitting *s = argument;
    const worker_memory m = memory_of(s, worker);
    for (uint64_t b; (b = ww__claim_light(s->device, worker, &s->claimed)) < s->choice.blocks;)
        s->before[b] = ww__choice_block(&s->choice, b * s->choice.block, ww__choice_count(&s->choice, b), bits_of(s, b),
                                        m.buffer);
}

/* From the number of flags in each block to that in the blocks before it. */
static void add_up_counts(splitting *s) {
    s->ones = 0;
    if (s->device->on_paper) return;
    for (uint64_t b = 0; b < s->choice.blocks; b++) {
        const uint64_t ones = s->before[b];
        s->before[b] = s->ones;
        s->ones += ones;
    }
}

static void split_block(const splitting *s, uint64_t b, const worker_memory *m) {
    const ww__choice *choice = &s->choice;
    const size_t n = ww__choice_count(choice, b), size = choice->in->size, tile = choice->tile;
    const uint64_t first = b * choice->block, zeros = choice->in->count - s->ones;
    const size_t ahead = ww__input_memory(choice->in) ? (size_t)WW__AHEAD : 0;
    const uint64_t *bits = bits_of(s, b);
    ww__sink low, high;
    ww__sink_begin(&low, s->device, m->first, s->out + (first - s->before[b]) * size, SIZE_MAX, s->streaming);
    ww__sink_begin(&high, s->device, m->second, s->out + (zeros + s->before[b]) * size, SIZE_MAX, s->streaming);
    for (size_t i = 0; i < n; i += tile, bits += choice->words) {
        const size_t many = n - i < tile ? n - i : tile;
        const void *elements = ww__choice_elements(choice, first + i, many, m->buffer);
        ww__sink_compress(&low, s->compress, elements, bits, ~(uint64_t)0, many, size, ahead);
        ww__sink_compress(&high, s->compress, elements, bits, 0, many, size, 0);
    }
    ww__sink_end(&low);
    ww__sink_end(&high);
}

static void split_blocks(void *argument, size_t worker) {
    splitting *s = argument;
    const worker_memory m = memory_of(s, worker);
    for (uint64_t b; (b = ww__claim_light(s->device, worker, &s->claimed)) < s->choice.blocks;) split_block(s, b, &m);
    ww__stream_done();
}

/* As in pack: with flags the elements come from memory now; a predicate's are there, the next block is asked for. */
static size_t ahead_of(const splitting *s, uint64_t b) {
    if (s->choice.flags) return WW__AHEAD;
    return (size_t)(__atomic_load_n(&s->claimed, __ATOMIC_RELAXED) - b) * s->choice.block * s->choice.in->size;
}

static void split_block_reversed(const splitting *s, uint64_t b, uint64_t before, const worker_memory *m) {
    const ww__choice *choice = &s->choice;
    const size_t n = ww__choice_count(choice, b), size = choice->in->size, tile = choice->tile;
    const uint64_t first = b * choice->block;
    const uint64_t *bits = m->bits;
    const size_t ahead = ww__input_memory(choice->in) ? ahead_of(s, b) : 0;
    ww__sink low;
    ww__reversed_sink high;
    ww__sink_begin(&low, s->device, m->first, s->out + (first - before) * size, SIZE_MAX, s->streaming);
    ww__reversed_sink_begin(&high, s->device, m->second, s->out + (choice->in->count - before) * size, s->streaming);
    for (size_t i = 0; i < n; i += tile, bits += choice->words) {
        const size_t many = n - i < tile ? n - i : tile;
        const void *elements = ww__choice_elements(choice, first + i, many, m->buffer);
        ww__sink_compress(&low, s->compress, elements, bits, ~(uint64_t)0, many, size, ahead);
        ww__reversed_sink_compress(&high, s->compress, elements, bits, 0, many, size);
    }
    ww__sink_end(&low);
    ww__reversed_sink_end(&high);
}

static void split_blocks_reversed(void *argument, size_t worker) {
    splitting *s = argument;
    const worker_memory m = memory_of(s, worker);
    for (uint64_t b; (b = ww__claim_light(s->device, worker, &s->claimed)) < s->choice.blocks;) {
        const size_t ones = ww__choice_block(&s->choice, b * s->choice.block, ww__choice_count(&s->choice, b), m.bits,
                                             m.buffer);
        ww__turn_wait(&s->turn, b);
        const uint64_t before = s->ones;
        s->ones = before + ones;
        ww__turn_pass(&s->turn, b);
        split_block_reversed(s, b, before, &m);
    }
    ww__stream_done();
}

static inline bool bit_of(const splitting *s, const uint64_t *bits, size_t i) {
    const size_t in_tile = i % s->choice.tile;
    return bits[i / s->choice.tile * s->choice.words + in_tile / 64] >> in_tile % 64 & 1;
}

/* The two scans of a block, each from the sum of what comes before it on its side. */
static void scan_blocks(void *argument, size_t worker) {
    splitting *s = argument;
    const uint64_t count = s->choice.in->count;
    for (uint64_t b; (b = ww__claim_light(s->device, worker, &s->claimed)) < s->choice.blocks;) {
        const uint64_t first = b * s->choice.block, *bits = bits_of(s, b);
        const size_t n = ww__choice_count(&s->choice, b);
        const uint64_t ones = (b + 1 < s->choice.blocks ? s->before[b + 1] : s->ones) - s->before[b];
        uint64_t down = first - s->before[b];
        for (size_t i = 0; i < n; i++) {
            s->place[first + i] = down; /* the flagged ones' are replaced below */
            down += !bit_of(s, bits, i);
        }
        uint64_t up = s->ones - s->before[b] - ones;
        for (size_t i = n; i-- > 0;) {
            const uint64_t flagged = bit_of(s, bits, i), place[2] = {s->place[first + i], count - (up + 1)};
            s->place[first + i] = place[flagged];
            up += flagged;
        }
    }
}

static void permute_tiles(void *argument, size_t worker) {
    splitting *s = argument;
    const worker_memory m = memory_of(s, worker);
    const ww_input *in = s->choice.in;
    for (uint64_t t; (t = ww__claim_light(s->device, worker, &s->claimed)) * s->choice.tile < in->count;) {
        const uint64_t first = t * s->choice.tile;
        const size_t n = (size_t)ww__min_u64(s->choice.tile, in->count - first);
        const unsigned char *elements = ww__choice_elements(&s->choice, first, n, m.buffer);
        for (size_t i = 0; i < n; i++)
            memcpy(s->out + s->place[first + i] * in->size, elements + i * in->size, in->size);
    }
}

static void run(ww_device *device, splitting *s, size_t workers, ww__task *task) {
    s->claimed = 0;
    ww__parallel_light(device, workers, s->moved, task, s);
}

ww_status ww__split_cpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *second,
                        const ww_array *out, ww_split_method method, uint64_t *zeros) {
    const uint64_t chooses = flags ? ww__input_bytes(flags) : ww__input_bytes(in), bytes = in->count * in->size;
    const uint64_t moved = ww__input_bytes(in) + chooses + bytes;
    const size_t workers = ww__workers(device, moved);
    splitting s = {.device = device,
                   .moved = moved,
                   .choice = {.device = device, .in = in, .flags = flags, .predicate = second},
                   .compress = ww__compress_loop(device, in->size),
                   .out = out->data,
                   .streaming = ww__streams(device, bytes)};
    ww__choice_plan(&s.choice, BLOCK_BYTES, workers);
    s.bits_room = ww__round_up(ww__choice_words(&s.choice) * sizeof(uint64_t), 64);
    s.buffer = WW__SINK_BYTES + WW__REVERSED_SINK_BYTES + s.bits_room + ww__round_up(s.choice.room, 64);
    WW_TRY(ww__scratch_array(device, workers, s.buffer, &s.buffers));
    if (method == WW_SPLIT_REVERSED) {
        ww__trace(device, "reversed", second, in->count, moved - (flags ? 0 : chooses), workers);
        run(device, &s, workers, split_blocks_reversed);
    } else {
        WW_TRY(ww__scratch_array(device, s.choice.blocks, sizeof(uint64_t), &s.before));
        WW_TRY(ww__scratch_array(device, s.choice.blocks, s.bits_room, &s.bits));
        if (method == WW_SPLIT_SCANS) {
            ww__trace(device, "scans", second, in->count, moved + 16 * in->count, workers);
            WW_TRY(ww__scratch_array(device, in->count, sizeof(uint64_t), &s.place));
            run(device, &s, workers, count_blocks);
            add_up_counts(&s);
            run(device, &s, workers, scan_blocks);
            run(device, &s, workers, permute_tiles);
        } else {
            ww__trace(device, "stable", second, in->count, moved, workers);
            run(device, &s, workers, count_blocks);
            add_up_counts(&s);
            run(device, &s, workers, split_blocks);
        }
    }
    *zeros = in->count - s.ones;
    return WW_OK;
}
