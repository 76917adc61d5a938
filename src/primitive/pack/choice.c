/* Choosing: the predicate's mask loop or the flags give a byte an element, which become bits at once. */
#include "primitive/pack/choice.h"

#include "primitive/pack/bits.h"

enum {
    BUFFER_BYTES = 32768, /* of what is computed of a tile */
    BLOCK_MOST = 65536,   /* elements of a block, so that its bits take 8 KiB */
    BLOCKS_EACH = 4       /* at least, for a worker */
};

static size_t whole_words(size_t n) { return n < 64 ? n : n / 64 * 64; }

size_t ww__tile_within(size_t element, size_t room, const ww_input *a, const ww_input *b) {
    size_t tile = whole_words(ww__tile(element));
    while (tile > 1 && ww__input_room(a, tile) + (b ? ww__input_room(b, tile) : 0) > room) tile = whole_words(tile / 2);
    return tile;
}

void ww__choice_plan(ww__choice *choice, size_t block_bytes, size_t workers) {
    const uint64_t count = choice->in->count;
    const size_t tile = ww__tile_within(choice->in->size, BUFFER_BYTES, choice->in, choice->flags);
    const size_t most = BLOCK_MOST / tile, fit = block_bytes / (tile * choice->in->size);
    const uint64_t fair = count / tile / (BLOCKS_EACH * workers);
    size_t tiles = fit < most ? fit : most;
    if (tiles > fair) tiles = (size_t)fair;
    if (!tiles) tiles = 1;
    choice->tile = tile;
    choice->words = ww__words(tile);
    choice->block = tiles * tile;
    choice->blocks = count / choice->block + (count % choice->block != 0);
    choice->in_room = ww__input_room(choice->in, tile);
    choice->room = choice->in_room + (choice->flags ? ww__input_room(choice->flags, tile) : ww__round_up(tile, 64));
}

size_t ww__choice_tile(const ww__choice *choice, uint64_t first, size_t n, uint64_t *bits, void *buffer,
                       const void **elements) {
    unsigned char *const marks = (unsigned char *)buffer + choice->in_room;
    const void *in = elements || !choice->flags ? ww__choice_elements(choice, first, n, buffer) : NULL;
    if (elements) *elements = in;
    if (choice->flags)
        return ww__bits_of_flags(choice->device, bits, ww__input_read(choice->device, choice->flags, first, n, marks),
                                 n);
    const ww_map_loops *loops = ww__loops(choice->device, choice->predicate);
    loops->mask(marks, in, NULL, choice->predicate->bound, n);
    return ww__bits_of_flags(choice->device, bits, marks, n);
}

size_t ww__choice_block(const ww__choice *choice, uint64_t first, size_t n, uint64_t *bits, void *buffer) {
    size_t chosen = 0;
    for (size_t i = 0; i < n; i += choice->tile, bits += choice->words)
        chosen += ww__choice_tile(choice, first + i, n - i < choice->tile ? n - i : choice->tile, bits, buffer, NULL);
    return chosen;
}
