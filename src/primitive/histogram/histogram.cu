/* Histograms: each block counts in shared memory what it reads at strides of the whole grid, and adds that to the result at its
 * end. Reads the input once.
 *
 * Lanes that count up one counter at once wait for each other, so a bin has WW_COPIES counters side by side and lane l takes
 * that of l % WW_COPIES: with 32 no two lanes ever meet in a bank. With fewer, a batch that is one bin in the whole warp is
 * counted at once, and equal neighbours of a thread together. WW_COPIES 0: there are many more bins than shared memory holds
 * (or few elements), and the result itself is counted up.
 *
 * WW_HALVES: counters of 16 bits, two a word. Who finds that one has reached half of its range moves that much of it to the
 * result before going on; meanwhile it can rise by what each thread adds at once, which is less than the other half.
 * WW_PARTS: the bins are in parts of WW_SLOTS, and a block counts those of one part: the input is read so many times,
 * by neighbouring blocks at the same time.
 *
 * How an element becomes a bin, and the other defines, stand in bins.cuh. */
#include "primitive/histogram/bins.cuh"

enum { TILE = WW_THREADS * WW_ROWS * WW_ITEMS };

struct histogram_shared {
#if WW_COPIES
    uint32_t counter[WW_SLOTS * WW_COPIES / (WW_HALVES ? 2 : 1)];
#endif
    bin_edges edges;
};

#if WW_HALVES
enum { HALF = 0x8000, MOST_AT_ONCE = WW_WARP * WW_ITEMS };
static_assert(WW_THREADS / WW_WARP * MOST_AT_ONCE < HALF, "a counter could overflow before it is relieved");

WW_DEVICE void relieve(const histogram_arguments &a, uint32_t *word, uint32_t shift, uint64_t bin) {
    for (uint32_t seen = atomicAdd(word, 0u); (seen >> shift & 0xFFFF) >= HALF; seen = atomicAdd(word, 0u))
        if (atomicCAS(word, seen, seen - (HALF << shift)) == seen) atomicAdd(a.counts + bin, ww_count(HALF));
}
#endif

/* The first bin of the part that this block counts. */
WW_DEVICE uint32_t part_begins() { return blockIdx.x % WW_PARTS * WW_SLOTS; }

WW_DEVICE void count_up(const histogram_arguments &a, histogram_shared &s, uint32_t bin, uint32_t by,
                        uint32_t &outside) {
    if (bin >= a.bins) {
        outside += by;
        return;
    }
#if WW_HALVES
    const uint32_t own = bin - part_begins(), shift = own % 2 * 16;
    if (WW_PARTS > 1 && own >= WW_SLOTS) return;
    uint32_t *const word = &s.counter[own / 2];
    if ((atomicAdd(word, by << shift) >> shift & 0xFFFF) + by >= HALF) relieve(a, word, shift, bin);
#elif WW_COPIES
    atomicAdd(&s.counter[bin * WW_COPIES + threadIdx.x % WW_COPIES], by);
#else
    atomicAdd(a.counts + bin, ww_count(by));
#endif
}

WW_DEVICE void count_batch(const histogram_arguments &a, histogram_shared &s, const uint32_t (&bin)[WW_ITEMS],
                           uint32_t &outside) {
#if WW_COPIES != 32
    bool one = bin[0] == __shfl_sync(WW_ALL, bin[0], 0);
#pragma unroll
    for (int k = 1; k < WW_ITEMS; k++) one = one && bin[k] == bin[0];
    if (__all_sync(WW_ALL, one)) {
        if (threadIdx.x % WW_WARP == 0) count_up(a, s, bin[0], WW_WARP * WW_ITEMS, outside);
        return;
    }
#endif
    uint32_t equal = 1;
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
        if (WW_COPIES != 32 && k + 1 < WW_ITEMS && bin[k] == bin[k + 1 < WW_ITEMS ? k + 1 : k]) {
            equal++;
        } else {
            count_up(a, s, bin[k], equal, outside);
            equal = 1;
        }
    }
}

WW_GPU_KERNEL(histogram, histogram_arguments, WW_THREADS) {
    WW_SHARED_LARGE(histogram_shared, s);
    if (is_over(a)) return;
#if WW_COPIES
    const uint32_t counters = WW_HALVES ? WW_SLOTS / 2 : a.bins * WW_COPIES;
    for (uint32_t k = threadIdx.x; k < counters; k += WW_THREADS) s.counter[k] = 0;
#endif
    read_edges(a, s.edges);
    __syncthreads();
    uint32_t outside = 0;
    uint64_t first = blockIdx.x / WW_PARTS * uint64_t(TILE);
    for (; first + TILE <= a.count; first += uint64_t(gridDim.x) / WW_PARTS * TILE) {
        in_item x[WW_ROWS][WW_ITEMS];
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) in_read(a.in, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, x[r]);
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            uint32_t bin[WW_ITEMS];
            find_bins(a, s.edges, x[r], bin);
            count_batch(a, s, bin, outside);
#if WW_STRICT
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) report(a, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS + k, bin[k]);
#endif
        }
    }
    /* At most one block (of each part) has the end, which is shorter. */
    if (first < a.count)
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS) {
            const in_item x[1] = {in_at(a.in, i)};
            uint32_t bin[1];
            find_bins(a, s.edges, x, bin);
            count_up(a, s, bin[0], 1, outside);
            report(a, i, bin[0]);
        }
    if (blockIdx.x % WW_PARTS == 0) add_outside(a, outside);
#if WW_HALVES
    __syncthreads();
    const uint32_t begins = part_begins(), rest = a.bins - begins, slots = rest < WW_SLOTS ? rest : WW_SLOTS;
    for (uint32_t k = threadIdx.x; 2 * k < slots; k += WW_THREADS) {
        const uint32_t word = s.counter[k], low = word & 0xFFFF, high = word >> 16, b = begins + 2 * k;
        if (!word) continue;
#if WW_PAIRS
        /* A count of 32 bits holds the whole input's, so that the lower of two never carries into the upper one. */
        if (2 * k + 1 < slots) {
            atomicAdd(reinterpret_cast<uint64_t *>(a.counts + b), low | uint64_t(high) << 32);
            continue;
        }
#endif
        if (low) atomicAdd(a.counts + b, ww_count(low));
        if (high) atomicAdd(a.counts + b + 1, ww_count(high));
    }
#elif WW_COPIES
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < a.bins; b += WW_THREADS) {
        uint32_t sum = 0; /* each lane begins with another copy: they lie in different banks */
#pragma unroll
        for (uint32_t k = 0; k < WW_COPIES; k++) sum += s.counter[b * WW_COPIES + (k + threadIdx.x) % WW_COPIES];
        if (sum) atomicAdd(a.counts + b, ww_count(sum));
    }
#endif
}
