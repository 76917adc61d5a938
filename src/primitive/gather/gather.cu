/* Gathering small elements, a thread each: every thread reads WW_ROWS batches of WW_ITEMS neighbouring indexes, fetches what
 * they name, all at once, and writes the batches. Reads the index once, `from` at random, and writes the output once. An
 * element is WW_WORDS words of ww_word_t, as large as its size and all addresses allow. */
#include "device/kernel/counted.cuh"
#include "device/kernel/record.cuh"
#include "primitive/gather/word.cuh"

struct gather_item {
    ww_word_t word[WW_WORDS];
};

#include "primitive/gather/gather_arguments.cuh"

struct gather_arguments : gather_fixed {
    index_input index;
};

WW_DEVICE void gather_one(const gather_arguments &a, uint64_t i) {
    const uint64_t at = index_at(a.index, i);
    if (at < a.limit)
        a.out[i] = a.from[at];
    else
        ww_report(a.checking, i, at);
}

/* The last tile, which is not whole: all is read before anything is written, too. */
WW_DEVICE void gather_part(const gather_arguments &a, uint64_t first) {
    enum { MANY = WW_ROWS * WW_ITEMS };
    uint64_t at[MANY];
    gather_item x[MANY];
#pragma unroll
    for (int k = 0; k < MANY; k++) {
        const uint64_t i = first + k * WW_THREADS + threadIdx.x;
        if (i < a.count) at[k] = index_at(a.index, i);
    }
#pragma unroll
    for (int k = 0; k < MANY; k++)
        if (first + k * WW_THREADS + threadIdx.x < a.count && at[k] < a.limit) x[k] = a.from[at[k]];
#pragma unroll
    for (int k = 0; k < MANY; k++) {
        const uint64_t i = first + k * WW_THREADS + threadIdx.x;
        if (i < a.count && at[k] < a.limit) a.out[i] = x[k];
        if (i < a.count && at[k] >= a.limit) ww_report(a.checking, i, at[k]);
    }
}

WW_DEVICE void gather_tile(const gather_arguments &a) {
    if (ww_stopped(a.checking)) return;
    const uint64_t tile = WW_THREADS * WW_ITEMS * WW_ROWS, first = blockIdx.x * tile;
    if (first + tile > a.count) {
        if (first < a.count) gather_part(a, first);
        return;
    }
    index_item at[WW_ROWS][WW_ITEMS];
    gather_item x[WW_ROWS][WW_ITEMS];
    bool good = true;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) index_read(a.index, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, at[r]);
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) good = good && at[r][k] < a.limit;
    if (good) {
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) x[r][k] = a.from[at[r][k]];
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) ww_put(a.out + first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, x[r]);
    } else {
        for (int r = 0; r < WW_ROWS; r++)
            for (int k = 0; k < WW_ITEMS; k++) gather_one(a, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS + k);
    }
}

WW_LOOP_KERNEL(gather, gather_arguments, WW_THREADS) { gather_tile(ww_counted(a)); }
