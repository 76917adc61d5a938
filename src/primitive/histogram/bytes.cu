/* Histograms of elements of one byte. Each lane has a counter of 8 bits for each of the 256 bytes that there are, in a column of
 * shared memory of its own: no counter is shared and no two lanes meet in a bank, whatever the bytes are. Before a counter could
 * overflow the warp adds its columns up: of each of the 64 rows of four counters a lane has two, and their sums in registers.
 * At its end a block adds its warps' sums to the result; only then does a byte become a bin. Reads the input once; where an element
 * is in no bin and that is an error, the block reads its part again to tell which.
 *
 * How a byte becomes a bin, and the other defines, stand in bins.cuh. */
#include "primitive/histogram/bins.cuh"

enum {
    WARPS = WW_THREADS / WW_WARP,
    TILE = WW_THREADS * WW_ROWS * WW_ITEMS,
    EACH = WW_ROWS * WW_ITEMS, /* elements of a thread in a tile */
    COUNTER_MOST = 255,
    BYTES = 256,
    ROW = 4, /* counters of a word */
    OWN_ROWS = BYTES / ROW / WW_WARP,
    WORDS_AT_ONCE = 4
};
static_assert(EACH <= COUNTER_MOST, "a counter could overflow in a tile");

struct alignas(16) four_words {
    uint32_t word[WORDS_AT_ONCE];
};

struct warp_columns {
    union {
        uint8_t counter[BYTES / ROW][WW_WARP][ROW];
        four_words words[BYTES / ROW][WW_WARP / WORDS_AT_ONCE];
    };
};

union bytes_shared {
    warp_columns columns[WARPS];
    uint32_t sum[WARPS][BYTES];
    WW_DEVICE_MEMBER bytes_shared() {}
};

WW_DEVICE void clear_columns(warp_columns &own) {
    const four_words zero = {{0, 0, 0, 0}};
    for (uint32_t k = threadIdx.x % WW_WARP; k < sizeof own / sizeof zero; k += WW_WARP)
        own.words[k / (WW_WARP / WORDS_AT_ONCE)][k % (WW_WARP / WORDS_AT_ONCE)] = zero;
    __syncwarp();
}

WW_DEVICE void count_byte(warp_columns &own, in_item x) {
    const uint8_t byte = uint8_t(x);
    own.counter[byte / ROW][threadIdx.x % WW_WARP][byte % ROW]++;
}

/* Adds the columns up: count[r][k] is of byte (lane + r * 32) * 4 + k. Lanes begin with different words of their rows, which are in
 * different banks. Two counters of a word are added at once, 16 bits each. */
WW_DEVICE void add_columns(const warp_columns &own, uint32_t (&count)[OWN_ROWS][ROW]) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    __syncwarp();
#pragma unroll
    for (int r = 0; r < OWN_ROWS; r++) {
        uint32_t even = 0, odd = 0;
#pragma unroll
        for (uint32_t k = 0; k < WW_WARP / WORDS_AT_ONCE; k++) {
            const four_words w = own.words[r * WW_WARP + lane][(k + lane) % (WW_WARP / WORDS_AT_ONCE)];
#pragma unroll
            for (int q = 0; q < WORDS_AT_ONCE; q++) {
                even += w.word[q] & 0x00FF00FF;
                odd += w.word[q] >> 8 & 0x00FF00FF;
            }
        }
        count[r][0] += even & 0xFFFF;
        count[r][1] += odd & 0xFFFF;
        count[r][2] += even >> 16;
        count[r][3] += odd >> 16;
    }
    __syncwarp();
}

/* Tells which elements of the block's part are in no bin. */
WW_DEVICE void report_part(const histogram_arguments &a) {
#if WW_STRICT
    for (uint64_t first = blockIdx.x * uint64_t(TILE); first < a.count; first += gridDim.x * uint64_t(TILE))
        for (uint64_t i = first + threadIdx.x; i < first + TILE && i < a.count; i += WW_THREADS) {
            const in_item x[1] = {in_at(a.in, i)};
            uint32_t bin[1];
            find_bins(a, bin_edges(), x, bin);
            report(a, i, bin[0]);
        }
#endif
}

/* What all warps counted, to the result. */
WW_DEVICE void add_sums(const histogram_arguments &a, const bytes_shared &s) {
    uint32_t outside = 0;
    for (uint32_t byte = threadIdx.x; byte < BYTES; byte += WW_THREADS) {
        uint32_t sum = 0, bin[1];
#pragma unroll
        for (int w = 0; w < WARPS; w++) sum += s.sum[w][byte];
        const in_item x[1] = {in_item(byte)};
        find_bins(a, bin_edges(), x, bin);
        if (bin[0] >= a.bins) outside += sum;
        else if (sum) atomicAdd(a.counts + bin[0], ww_count(sum));
    }
    add_outside(a, outside);
    if (WW_STRICT && __syncthreads_or(outside != 0)) report_part(a);
}

WW_GPU_KERNEL(byte_histogram, histogram_arguments, WW_THREADS) {
    WW_SHARED_LARGE(bytes_shared, s);
    if (is_over(a)) return;
    warp_columns &own = s.columns[threadIdx.x / WW_WARP];
    uint32_t count[OWN_ROWS][ROW] = {{0, 0, 0, 0}}, most = 0; /* most: that a counter can have reached */
    clear_columns(own);
    uint64_t first = blockIdx.x * uint64_t(TILE);
    for (; first + TILE <= a.count; first += gridDim.x * uint64_t(TILE)) {
        in_item x[WW_ROWS][WW_ITEMS];
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) in_read(a.in, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, x[r]);
        if (most + EACH > COUNTER_MOST) {
            add_columns(own, count);
            clear_columns(own);
            most = 0;
        }
        most += EACH;
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) count_byte(own, x[r][k]);
    }
    add_columns(own, count);
    /* At most one block has the end, which is shorter. */
    if (first < a.count) {
        clear_columns(own);
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS) count_byte(own, in_at(a.in, i));
        add_columns(own, count);
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < OWN_ROWS; r++)
#pragma unroll
        for (int k = 0; k < ROW; k++)
            s.sum[threadIdx.x / WW_WARP][(r * WW_WARP + threadIdx.x % WW_WARP) * ROW + k] = count[r][k];
    __syncthreads();
    add_sums(a, s);
}
