#include "device/gpu/chain.h"

enum { TICKET_BYTES = 128 }; /* a line of its own */

ww_status ww__gpu_chain_begin(ww_device *device, uint64_t tiles, size_t carrier, ww__gpu_chain *chain) {
    unsigned char *words;
    size_t bytes;
    WW_CHECK(device, tiles < UINT32_MAX, WW_LIMIT, "this would take %llu tiles, and a GPU's tickets end at %u",
             (unsigned long long)tiles, UINT32_MAX);
    bytes = TICKET_BYTES + (size_t)tiles * sizeof(uint64_t);
    *chain = (ww__gpu_chain){NULL, NULL, NULL, NULL};
    WW_TRY(ww__scratch(device, bytes, &words));
    chain->ticket = words;
    chain->word = words + TICKET_BYTES;
    if (carrier) {
        WW_TRY(ww__scratch_array(device, tiles, carrier, &chain->own));
        WW_TRY(ww__scratch_array(device, tiles, carrier, &chain->all));
    }
    return ww__gpu_fill(device, words, 0, bytes);
}

ww_status ww__gpu_chain_of_tiles(ww_device *device, uint64_t tiles, size_t carrier, ww__gpu_chain *chain) {
    const size_t word = ww__round_up(sizeof(uint64_t), 64), room = ww__round_up(carrier, 64);
    unsigned char *memory;
    if (tiles > 1) return ww__gpu_chain_begin(device, tiles, carrier, chain);
    WW_TRY(ww__scratch(device, word + 2 * room, &memory));
    *chain = (ww__gpu_chain){.word = memory, .own = memory + word, .all = memory + word + room};
    return WW_OK;
}

uint64_t ww__gpu_chain_blocks(const ww_device *device, uint64_t tiles, uint32_t threads, const uint64_t *count_at) {
    static const uint32_t threads_held[WW__TILINGS] = {[WW__TILES_GPU] = 2048, [WW__TILES_SMALL] = 64};
    const ww__driver *driver = device->gpu->driver;
    const uint64_t of_processor = threads_held[driver->tiles] / threads;
    const uint64_t held = driver->processors * (of_processor ? of_processor : 1);
    return count_at ? ww__min_u64(tiles, held) : tiles;
}
