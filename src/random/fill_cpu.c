/* Random numbers on a CPU. Workers claim tiles of 256 blocks: a tile's words are made in the first-level cache, turned to numbers
 * there, and go to memory once, past the caches where the output is large. Tiles end where lines of the output do, so that whole
 * lines are written; where the first number is not a block's first one, a tile takes one block more. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "random/sides.h"
#include "random/turn.h"
#include "random/words.h"

enum { TILE_BLOCKS = 256, WORDS = 4 * (TILE_BLOCKS + WW__PHILOX_BLOCKS), LINE = 64 };

typedef struct filling {
    const ww_device *device;
    const ww__random_request *r;
    ww__philox_words *make;
    ww__turn_words *turn;
    uint64_t batch, tile, lead; /* elements of a block; of a tile; by how much the first tile is shorter */
    bool streaming;
    uint64_t next;
} filling;

static void fill_tile(const filling *f, uint64_t first, uint64_t end) {
    const ww__random_request *r = f->r;
    uint32_t words[WORDS] __attribute__((aligned(LINE)));
    unsigned char numbers[sizeof words] __attribute__((aligned(LINE)));
    const uint64_t number = r->offset + first, block = number / f->batch, skipped = number % f->batch;
    const size_t blocks = (size_t)((skipped + (end - first) + f->batch - 1) / f->batch);
    f->make(words, r->source.seed, r->source.stream, r->first_block + block, ww__round_up(blocks, WW__PHILOX_BLOCKS));
    if (f->turn) f->turn(numbers, words, number - skipped, blocks * (size_t)f->batch, &r->source);
    const unsigned char *made = f->turn ? numbers : (const unsigned char *)words;
    ww__stream(f->device, (unsigned char *)r->out->data + first * r->out->size, made + skipped * r->out->size,
               (size_t)(end - first) * r->out->size, f->streaming);
}

static void fill_tiles(void *argument, size_t worker) {
    enum { AT_ONCE = 16 };
    filling *f = argument;
    const uint64_t count = f->r->out->count, tiles = (count + f->lead + f->tile - 1) / f->tile;
    (void)worker;
    for (uint64_t claimed; (claimed = ww__claim(&f->next) * AT_ONCE) < tiles;)
        for (uint64_t t = claimed; t < ww__min_u64(claimed + AT_ONCE, tiles); t++)
            fill_tile(f, t ? t * f->tile - f->lead : 0, ww__min_u64((t + 1) * f->tile - f->lead, count));
    ww__stream_done();
}

ww_status ww__random_cpu(ww_device *device, const ww__random_request *r) {
    const ww_array *out = r->out;
    const uint64_t bytes = out->count * out->size;
    filling f = {.device = device, .r = r, .make = ww__philox_words_of(device->vector), .batch = ww__random_batch(r)};
    f.turn = ww__turn_words_of(device, r->kind, out->size);
    f.tile = TILE_BLOCKS * f.batch;
    f.lead = (uintptr_t)out->data % LINE / out->size;
    f.streaming = ww__streams(device, bytes);
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "random", NULL, out->count, bytes, workers);
    ww__parallel(device, workers, fill_tiles, &f);
    return WW_OK;
}
