/* A matrix, transposed tile by tile: a block reads a tile along its rows into shared memory and writes it along its columns. A
 * row of the tile is one item longer there than it has columns, so that lanes which write a column have different banks.
 *
 * WW_SIZE: bytes of an item, 1 to 16. WW_FEW: columns where these are few, or 0. WW_WORD: items of a word, or 0. WW_TILE_ROWS, WW_TILE_COLUMNS: powers of two. */
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
#elif WW_WORD
/* Items of 1, 2 or 4 bytes by words of four: a thread has WW_WORD words below one another, a square of items, and writes its columns
 * as words. Columns of the tile stand side by side in shared memory, their words in an order of their own, so that both those who write
 * one place of many columns and those who read a column have different banks. WW_IN_WORDS, WW_OUT_WORDS: rows of the matrix, of
 * the result, begin where words may. */
struct alignas(WW_WORD * WW_SIZE) ww_square_word {
    ww_item x[WW_WORD];
};

enum {
    WORDS_ACROSS = WW_TILE_COLUMNS / WW_WORD,
    WORDS_DOWN = WW_TILE_ROWS / WW_WORD,
    BANKS = 128 / (WW_WORD * WW_SIZE), /* words of all banks */
    EACH = WORDS_ACROSS * WORDS_DOWN / WW_THREADS,
    EACH_WRITTEN = WW_TILE_COLUMNS * WORDS_DOWN / WW_THREADS
};
static_assert(EACH > 0, "each thread has a square");
static_assert(WORDS_DOWN % BANKS == 0 && (WORDS_DOWN & (WORDS_DOWN - 1)) == 0, "an exclusive or stays in the column");

struct transpose_shared {
    ww_square_word column[WW_TILE_COLUMNS][WORDS_DOWN];
};

WW_DEVICE ww_square_word read_word(const transpose_matrix_fixed &a, uint64_t row, uint64_t column) {
    ww_square_word w;
    if (WW_IN_WORDS) {
        if (row < a.rows && column < a.columns) w = *reinterpret_cast<const ww_square_word *>(a.in + row * a.columns + column);
        return w;
    }
#pragma unroll
    for (int k = 0; k < WW_WORD; k++)
        if (row < a.rows && column + k < a.columns) w.x[k] = a.in[row * a.columns + column + k];
    return w;
}

WW_DEVICE void write_word(const transpose_matrix_fixed &a, uint64_t row, uint64_t column, const ww_square_word &w) {
    if (WW_OUT_WORDS) {
        if (row < a.rows && column < a.columns) *reinterpret_cast<ww_square_word *>(a.out + column * a.rows + row) = w;
        return;
    }
#pragma unroll
    for (int k = 0; k < WW_WORD; k++)
        if (row + k < a.rows && column < a.columns) a.out[column * a.rows + row + k] = w.x[k];
}

WW_GPU_KERNEL(transpose_words, transpose_matrix_fixed, WW_THREADS) {
    WW_SHARED(transpose_shared, s);
    const uint64_t row = blockIdx.x / a.tiles_across * WW_TILE_ROWS, column = blockIdx.x % a.tiles_across * WW_TILE_COLUMNS;
    ww_square_word in[EACH][WW_WORD];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const uint32_t k = e * WW_THREADS + threadIdx.x, across = k % WORDS_ACROSS, down = k / WORDS_ACROSS;
#pragma unroll
        for (int i = 0; i < WW_WORD; i++) in[e][i] = read_word(a, row + down * WW_WORD + i, column + across * WW_WORD);
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const uint32_t k = e * WW_THREADS + threadIdx.x, across = k % WORDS_ACROSS, down = k / WORDS_ACROSS;
#pragma unroll
        for (int j = 0; j < WW_WORD; j++) {
            ww_square_word w;
#pragma unroll
            for (int i = 0; i < WW_WORD; i++) w.x[i] = in[e][i].x[j];
            s.column[across * WW_WORD + j][down ^ across % BANKS] = w;
        }
    }
    __syncthreads();
#pragma unroll 4
    for (int e = 0; e < EACH_WRITTEN; e++) {
        const uint32_t k = e * WW_THREADS + threadIdx.x, c = k / WORDS_DOWN, down = k % WORDS_DOWN;
        write_word(a, row + down * WW_WORD, column + c, s.column[c][down ^ c / WW_WORD % BANKS]);
    }
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
