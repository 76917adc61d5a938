/* A matrix, transposed tile by tile: a block reads a tile along its rows into shared memory and writes it along its columns. A
 * row of the tile is one item longer there than it has columns, so that lanes which write a column have different banks.
 *
 * WW_SIZE: bytes of an item, 1 to 16. WW_FEW: columns where these are few, or 0. WW_TILE_ROWS, WW_TILE_COLUMNS: powers of two. */
typedef ww_number<WW_SIZE>::type ww_item;

#include "primitive/arrange/transpose_arguments.cuh"

#if WW_FEW
/* Rows of WW_FEW items: a thread has some, and reads and writes what it has of each. */
WW_GPU_KERNEL(transpose_few, transpose_matrix_fixed, WW_THREADS) {
    const uint64_t first = blockIdx.x * uint64_t(WW_THREADS) * WW_ROWS + threadIdx.x;
    ww_item x[WW_ROWS][WW_FEW];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
        for (int c = 0; c < WW_FEW; c++)
            if (first + r * WW_THREADS < a.rows) x[r][c] = a.in[(first + r * WW_THREADS) * WW_FEW + c];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
        for (int c = 0; c < WW_FEW; c++)
            if (first + r * WW_THREADS < a.rows) a.out[c * a.rows + first + r * WW_THREADS] = x[r][c];
}
#else
enum { TILE = WW_TILE_ROWS * WW_TILE_COLUMNS, EACH = TILE / WW_THREADS, STEP = WW_TILE_COLUMNS + 1 };

struct transpose_shared {
    ww_item tile[WW_TILE_ROWS * STEP];
};

WW_GPU_KERNEL(transpose_matrix, transpose_matrix_fixed, WW_THREADS) {
    WW_SHARED(transpose_shared, s);
    const uint64_t row = blockIdx.x / a.tiles_across * WW_TILE_ROWS, column = blockIdx.x % a.tiles_across * WW_TILE_COLUMNS;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint32_t x = k * WW_THREADS + threadIdx.x, r = x / WW_TILE_COLUMNS, c = x % WW_TILE_COLUMNS;
        if (row + r < a.rows && column + c < a.columns) s.tile[r * STEP + c] = a.in[(row + r) * a.columns + column + c];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint32_t x = k * WW_THREADS + threadIdx.x, r = x % WW_TILE_ROWS, c = x / WW_TILE_ROWS;
        if (row + r < a.rows && column + c < a.columns) a.out[(column + c) * a.rows + row + r] = s.tile[r * STEP + c];
    }
}
#endif
