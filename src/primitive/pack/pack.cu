/* Pack: tiles in a chain, each of which writes what it keeps behind what the tiles before keep. Reads each element and what
 * chooses it once, writes what is kept once. */
#include "primitive/pack/choose.cuh"

WW_DEVICE void pack_tiles(const choose_arguments &a) {
    WW_SHARED_LARGE(choose_shared, s);
    if (chooses_nothing(a)) return;
    ww_each_tile(a.chain, a.tiles, s.tile, [&](uint64_t tile) {
        const uint32_t kept = choose_tile(a, s, tile);
        const uint64_t to = s.before, room = to < a.room ? a.room - to : 0;
        write_side<false>(a, s, tile, 0, kept < room ? kept : uint32_t(room), to);
    });
}

WW_LOOP_KERNEL_HELD(pack, choose_arguments, WW_THREADS, WW_HELD) { pack_tiles(ww_counted_tiles(a, TILE)); }
