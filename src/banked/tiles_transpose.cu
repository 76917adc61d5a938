/* Tiles that are transposed, a block for each, or for several: by way of shared memory, so that the tile is read and written
 * in order. Item (r, c) of a tile, x = r * columns + c, goes to a cell in whose lowest bits those of x are flipped that lanes
 * have when they read: lanes that write have the lowest bits of x, lanes that read the lowest of c * rows + r, and neither
 * want a bank twice.
 *
 * WW_SIZE: bytes of an item, 4 or 8. WW_ROW_BITS, WW_COLUMN_BITS: a tile has two to the power of these rows and columns.
 * WW_TEAM: threads of a tile; WW_TEAMS: tiles of a block. */
typedef ww_number<WW_SIZE>::type ww_item;

#include "banked/tiles_transpose_arguments.cuh"

enum { TILE_BITS = WW_ROW_BITS + WW_COLUMN_BITS, TILE = 1 << TILE_BITS, EACH = TILE / WW_TEAM };

/* Of the bits from FROM on, COUNT are added to those from TO on. Of words of 4 bytes a warp's are moved at once, of 8 a half
 * warp's. Where a tile has fewer rows than lanes, lanes that read have the rows' bits and some of the columns', which already
 * differ. */
enum {
    BANK_BITS = WW_SIZE == 8 ? 4 : 5,
    TO = WW_ROW_BITS < BANK_BITS ? BANK_BITS - WW_ROW_BITS : 0,
    FROM = WW_COLUMN_BITS > BANK_BITS ? WW_COLUMN_BITS : BANK_BITS,
    COUNT = (WW_COLUMN_BITS < BANK_BITS ? WW_COLUMN_BITS : BANK_BITS) - TO
};
WW_DEVICE uint32_t cell_of(uint32_t x) { return COUNT > 0 ? x ^ (x >> FROM & ((1u << COUNT) - 1)) << TO : x; }

struct transpose_shared {
    ww_item tile[WW_TEAMS][TILE];
};

WW_GPU_KERNEL(transpose_tiles, transpose_arguments, WW_TEAM *WW_TEAMS) {
    WW_SHARED_LARGE(transpose_shared, s);
    const uint32_t team = threadIdx.x / WW_TEAM, thread = threadIdx.x % WW_TEAM;
    const uint64_t tile = uint64_t(blockIdx.x) * WW_TEAMS + team, first = tile * TILE;
    const bool there = tile < a.tiles;
    ww_item *const room = s.tile[team];
    ww_item x[EACH];
    if (there) {
#pragma unroll
        for (int i = 0; i < EACH; i++) x[i] = a.in[first + i * WW_TEAM + thread];
#pragma unroll
        for (int i = 0; i < EACH; i++) room[cell_of(i * WW_TEAM + thread)] = x[i];
    }
    __syncthreads();
    if (!there) return;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const uint32_t y = i * WW_TEAM + thread;
        a.out[first + y] = room[cell_of((y & ((1u << WW_ROW_BITS) - 1)) << WW_COLUMN_BITS | y >> WW_ROW_BITS)];
    }
}
