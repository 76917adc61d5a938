/* Histograms by ballots (Ashkiani 2017, 3.5.5.1 and 3.7.3). A warp takes 32 elements at a time; there is a ballot for
 * each bit of a bin's number, and from these a lane computes which lanes' elements are in the bins that it looks after, lane,
 * lane + 32 and so on, and counts them in registers: no counter is shared, and elements that are all of one bin take as long as
 * any others. At its end a block adds up its warps' counts and adds that to the result. Reads the input once.
 *
 * WW_SLOTS: bins that lanes look after, 32 to 256. WW_BALLOTS: bits of the number of bins; that number, too, can be voted for:
 * it stands for no bin, and nobody counts it (where a lane looks after it, nobody reads that). How an element becomes a bin
 * stands in bins.cuh. */
#include "primitive/histogram/bins.cuh"

enum {
    WARPS = WW_THREADS / WW_WARP,
    OWN = WW_SLOTS / WW_WARP, /* bins of a lane */
    LANE_BITS = 5,
    LOW_BALLOTS = WW_BALLOTS < LANE_BITS ? WW_BALLOTS : LANE_BITS,
    ITEMS = WW_ROWS * WW_ITEMS,
    TILE = WW_THREADS * ITEMS
};

struct warp_shared {
    uint32_t counter[WARPS][WW_SLOTS];
    bin_edges edges;
};

/* What a lane looks after. */
struct lane_bins {
    uint32_t unlike[LOW_BALLOTS]; /* all ones where that bit of the lane's number is 0 */
    uint32_t count[OWN];
};

WW_DEVICE void begin_bins(lane_bins &own) {
#pragma unroll
    for (int b = 0; b < LOW_BALLOTS; b++) own.unlike[b] = (threadIdx.x >> b & 1) - 1;
#pragma unroll
    for (int q = 0; q < OWN; q++) own.count[q] = 0;
}

/* The elements of a whole warp, one each. */
WW_DEVICE void count_by_ballots(lane_bins &own, uint32_t bin) {
    uint32_t set[WW_BALLOTS], lanes = WW_ALL;
#pragma unroll
    for (int b = 0; b < WW_BALLOTS; b++) set[b] = __ballot_sync(WW_ALL, bin >> b & 1);
#pragma unroll
    for (int b = 0; b < LOW_BALLOTS; b++) lanes &= set[b] ^ own.unlike[b];
#pragma unroll
    for (int q = 0; q < OWN; q++) {
        uint32_t with = lanes;
#pragma unroll
        for (int b = LANE_BITS; b < WW_BALLOTS; b++) with &= q >> (b - LANE_BITS) & 1 ? set[b] : ~set[b];
        own.count[q] += __popc(with);
    }
}

WW_GPU_KERNEL_HELD(warp_histogram, histogram_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(warp_shared, s);
    lane_bins own;
    uint32_t outside = 0;
    if (is_over(a)) return;
    read_edges(a, s.edges);
    begin_bins(own);
    __syncthreads();
    uint64_t first = blockIdx.x * uint64_t(TILE);
    for (; first + TILE <= a.count; first += gridDim.x * uint64_t(TILE)) {
        in_item x[WW_ROWS][WW_ITEMS];
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) in_read(a.in, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, x[r]);
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            uint32_t bin[WW_ITEMS];
            find_bins(a, s.edges, x[r], bin);
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) {
                count_by_ballots(own, bin[k]);
                outside += bin[k] >= a.bins;
                report(a, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS + k, bin[k]);
            }
        }
    }
    /* At most one block has the end, which is shorter; its warps stay whole. */
    for (uint64_t i = first + threadIdx.x; i - threadIdx.x < a.count; i += WW_THREADS) {
        uint32_t bin[1] = {a.bins};
        if (i < a.count) {
            const in_item x[1] = {in_at(a.in, i)};
            find_bins(a, s.edges, x, bin);
            outside += bin[0] >= a.bins;
            report(a, i, bin[0]);
        }
        count_by_ballots(own, bin[0]);
    }
    add_outside(a, outside);
#pragma unroll
    for (int q = 0; q < OWN; q++) s.counter[threadIdx.x / WW_WARP][q * WW_WARP + threadIdx.x % WW_WARP] = own.count[q];
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < a.bins; b += WW_THREADS) {
        uint32_t sum = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++) sum += s.counter[w][b];
        if (sum) atomicAdd(a.counts + b, ww_count(sum));
    }
}
