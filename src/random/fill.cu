/* Random numbers on a GPU: a thread makes WW_ROWS blocks of Philox, each WW_BATCH neighbouring numbers, and writes each at once
 * where WW_VECTORS says that blocks begin at multiples of their bytes. Nothing is read. The recipe's ww_body gives a block's
 * numbers as a struct with an array x; with WW_BITS its bytes are the numbers, else each x becomes one. */
#include "random/fill_arguments.cuh"

struct fill_arguments : fill_fixed {
    ww_environment environment;
};

struct fill_batch {
    ww_item x[WW_BATCH];
};

template <bool bits> struct fill_numbers {
    template <class F> static WW_DEVICE_MEMBER void take(const F &from, ww_item (&x)[WW_BATCH]) {
        const fill_batch b = ww_as<fill_batch>(from);
#pragma unroll
        for (int k = 0; k < WW_BATCH; k++) x[k] = b.x[k];
    }
};
template <> struct fill_numbers<false> {
    template <class F> static WW_DEVICE_MEMBER void take(const F &from, ww_item (&x)[WW_BATCH]) {
#pragma unroll
        for (int k = 0; k < WW_BATCH; k++) x[k] = ww_item(from.x[k]);
    }
};

WW_DEVICE void fill_row(const fill_arguments &a, uint64_t b, ww_item (&x)[WW_BATCH]) {
    fill_numbers<WW_BITS>::take(ww_body(a.block + b, a.environment.at()), x);
}

/* All of the tile's blocks are wanted whole. */
WW_DEVICE void fill_tile(const fill_arguments &a, uint64_t first) {
#pragma unroll
    for (int row = 0; row < WW_ROWS; row++) {
        const uint64_t b = first + row * WW_THREADS + threadIdx.x;
        ww_item x[WW_BATCH];
        fill_row(a, b, x);
        ww_put(a.out + (b * WW_BATCH - a.skipped), x);
    }
}

/* The first tile, where the first block's numbers may be skipped, the last one, and tiles of one row. */
WW_DEVICE void fill_edge(const fill_arguments &a, uint64_t first) {
    for (uint64_t row = 0; row < a.rows; row++) {
        const uint64_t b = first + row * WW_THREADS + threadIdx.x, number = b * WW_BATCH;
        if (b >= a.blocks) return;
        ww_item x[WW_BATCH];
        fill_row(a, b, x);
        if (number >= a.skipped && number - a.skipped + WW_BATCH <= a.count) {
            ww_put(a.out + (number - a.skipped), x);
            continue;
        }
#pragma unroll
        for (int k = 0; k < WW_BATCH; k++)
            if (number + k >= a.skipped && number + k - a.skipped < a.count) a.out[number + k - a.skipped] = x[k];
    }
}

/* A block has a tile after the other: what does not change from tile to tile is made once. */
WW_GPU_KERNEL(fill, fill_arguments, WW_THREADS) {
    const uint64_t tile = WW_THREADS * a.rows, step = gridDim.x * tile;
    const bool rows = a.rows == WW_ROWS;
    for (uint64_t first = blockIdx.x * tile; first < a.blocks; first += step)
        if (rows && (first || !a.skipped) && (first + tile) * WW_BATCH <= a.skipped + a.count) fill_tile(a, first);
        else fill_edge(a, first);
}
