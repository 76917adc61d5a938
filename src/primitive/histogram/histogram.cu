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
 * WW_SHARED_EDGES: so many copies of the edges are in shared memory, side by side as the counters are, so that lanes that look
 * for different bins seldom meet in a bank; 0: they are read from memory.
 *
 * WW_METHOD: how an element becomes a bin. 0 equal bins, by the arithmetic of histogram_even.c; 1 between edges, by search; 2
 * the element is its bin's number already (a mapped input). What is in no bin is counted in `outside`, or (WW_STRICT)
 * reported. */
#include "device/kernel/record.cuh"

/* ww__even of histogram.h, as far as it is needed here. */
struct even_plan {
    uint64_t low, range;
    uint64_t whole, upper, lower;
    double low_double, high_double, span, inverse;
#if WW_METHOD == 0 && WW_SIZE == 16
    alignas(16) ww_u128 low_u128, range_u128;
#endif
};

struct histogram_arguments {
    ww_count *counts;
    uint64_t *outside;
    uint64_t count;
    uint32_t bins, shift;
    ww_checking checking;
#if WW_METHOD == 0
    even_plan even;
#endif
    in_input in;
#if WW_METHOD == 1
    edges_input edges;
#endif
};

enum { TILE = WW_THREADS * WW_ROWS * WW_ITEMS };

struct histogram_shared {
#if WW_COPIES
    uint32_t counter[WW_SLOTS * WW_COPIES / (WW_HALVES ? 2 : 1)];
#endif
#if WW_SHARED_EDGES
    edges_item edge[(WW_SLOTS + 1) * WW_SHARED_EDGES];
#endif
    uint32_t unused;
};

/* ---- bins ---- */

#if WW_METHOD == 0
#if WW_KIND == 2
/* a / span, correctly rounded: `inverse` is 1 / span rounded, the first correction leaves less than a unit in the last place,
 * and then the second one rounds as a division does (Markstein 1990). The host has seen that nothing overflows, that what
 * underflows is far below 1, and that the significand of span is not all ones; else WW_DIVIDE is 1. */
WW_DEVICE double divided(const even_plan &e, double a) {
#if WW_DIVIDE
    return a / e.span;
#else
    double q = __dmul_rn(a, e.inverse);
    q = fma(fma(-q, e.span, a), e.inverse, q);
    return fma(fma(-q, e.span, a), e.inverse, q);
#endif
}
WW_DEVICE uint32_t bin_of(const histogram_arguments &a, in_item x) {
    const in_item least = in_item(a.even.low_double), most = in_item(a.even.high_double);
    const in_item raised = x > least ? x : least, kept = raised < most ? raised : most;
    const int32_t b = int32_t(divided(a.even, __dmul_rn(double(kept) - a.even.low_double, double(a.bins))));
    const int32_t last = int32_t(a.bins) - 1;
    return x >= least && x < most ? uint32_t(b < last ? b : last) : a.bins;
}
#elif WW_SIZE <= 4
WW_DEVICE uint32_t bin_of(const histogram_arguments &a, in_item x) {
    const uint32_t d = uint32_t(x) - uint32_t(a.even.low);
#if WW_SHIFTED
    const uint32_t q = d >> a.shift;
#else
    const uint64_t f1 = a.even.upper >> 32, f0 = uint32_t(a.even.upper);
    const uint32_t q = d * uint32_t(a.even.whole) + uint32_t((d * f1 + (d * f0 >> 32)) >> 32);
#endif
    return d < uint32_t(a.even.range) ? q : a.bins;
}
#elif WW_SIZE == 8
WW_DEVICE uint32_t bin_of(const histogram_arguments &a, in_item x) {
    const even_plan &e = a.even;
    const uint64_t d = uint64_t(x) - e.low;
#if WW_SHIFTED
    const uint32_t q = uint32_t(d >> a.shift);
#else
    const uint64_t carried = __umul64hi(d, e.lower), sum = d * e.upper + carried;
    const uint32_t q = uint32_t(d * e.whole + __umul64hi(d, e.upper) + (sum < carried));
#endif
    return d < e.range ? q : a.bins;
}
#else
/* Horner's rule over the bits of `bins`: q * range + r = d * (the bits so far), r < range, never beyond 128 bits. */
WW_DEVICE uint32_t bin_of(const histogram_arguments &a, in_item x) {
    const ww_u128 range = a.even.range_u128, d = x - a.even.low_u128;
    if (d >= range) return a.bins;
#if WW_SHIFTED
    return uint32_t(d >> a.shift);
#else
    ww_u128 r = 0;
    uint32_t q = 0;
    for (int bit = 31 - __clz(int(a.bins)); bit >= 0; bit--) {
        const bool twice = r >= range - r;
        r = twice ? r - (range - r) : r + r;
        q = 2 * q + twice;
        if (!(a.bins >> bit & 1)) continue;
        const bool once = d >= range - r;
        r = once ? d - (range - r) : r + d;
        q += once;
    }
    return q;
#endif
}
#endif
#elif WW_METHOD == 2
WW_DEVICE uint32_t bin_of(const histogram_arguments &a, in_item x) {
#if WW_KIND == 2
    return x >= 0 && double(x) < double(a.bins) ? uint32_t(x) : a.bins;
#elif WW_KIND == 1
    return x >= 0 && uint64_t(x) < a.bins ? uint32_t(x) : a.bins;
#else
    return x < a.bins ? uint32_t(x) : a.bins;
#endif
}
#endif

WW_DEVICE in_item edge_at(const histogram_arguments &a, const histogram_shared &s, uint32_t b) {
#if WW_METHOD == 1
#if WW_SHARED_EDGES
    return s.edge[b * WW_SHARED_EDGES + threadIdx.x % WW_SHARED_EDGES];
#else
    return edges_at(a.edges, b);
#endif
#else
    return in_item();
#endif
}

/* The bins of N elements; a.bins where there is none. All go through each step of the search together. */
template <int N>
WW_DEVICE void find_bins(const histogram_arguments &a, const histogram_shared &s, const in_item (&x)[N],
                         uint32_t (&bin)[N]) {
#if WW_METHOD == 1
#pragma unroll
    for (int k = 0; k < N; k++) bin[k] = 0;
    for (uint32_t left = a.bins, half; left > 1; left -= half) {
        half = left / 2;
#pragma unroll
        for (int k = 0; k < N; k++)
            if (edge_at(a, s, bin[k] + half) <= x[k]) bin[k] += half;
    }
    const in_item first = edge_at(a, s, 0), last = edge_at(a, s, a.bins);
#pragma unroll
    for (int k = 0; k < N; k++)
        if (!(x[k] >= first && x[k] < last)) bin[k] = a.bins;
#else
#pragma unroll
    for (int k = 0; k < N; k++) bin[k] = bin_of(a, x[k]);
#endif
}

/* ---- counting ---- */

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

WW_DEVICE void report(const histogram_arguments &a, uint64_t position, uint32_t bin) {
#if WW_STRICT
    if (bin >= a.bins && blockIdx.x % WW_PARTS == 0) ww_report(a.checking, position, bin);
#endif
}

WW_GPU_KERNEL(histogram, histogram_arguments, WW_THREADS) {
    WW_SHARED_LARGE(histogram_shared, s);
#if WW_METHOD == 1
    /* Not after the edges of this call were found to fall, either. */
    const uint64_t bad = ww_load_relaxed(&a.checking.record->call);
    if (bad && bad <= a.checking.call) return;
#elif WW_STRICT
    if (ww_stopped(a.checking)) return;
#endif
#if WW_COPIES
    const uint32_t counters = WW_HALVES ? WW_SLOTS / 2 : a.bins * WW_COPIES;
    for (uint32_t k = threadIdx.x; k < counters; k += WW_THREADS) s.counter[k] = 0;
#endif
#if WW_SHARED_EDGES
    for (uint32_t k = threadIdx.x; k < (a.bins + 1) * WW_SHARED_EDGES; k += WW_THREADS)
        s.edge[k] = edges_at(a.edges, k / WW_SHARED_EDGES);
#endif
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
            find_bins(a, s, x[r], bin);
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
            find_bins(a, s, x, bin);
            count_up(a, s, bin[0], 1, outside);
            report(a, i, bin[0]);
        }
#if WW_OUTSIDE
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) outside += __shfl_down_sync(WW_ALL, outside, by);
    if (outside && threadIdx.x % WW_WARP == 0 && blockIdx.x % WW_PARTS == 0) atomicAdd(a.outside, uint64_t(outside));
#endif
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

#if WW_METHOD == 1
/* Reports the first edge that is not above the one before it. */
WW_GPU_KERNEL(check_edges, histogram_arguments, WW_THREADS) {
    if (ww_stopped(a.checking)) return;
    const uint64_t b = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    if (b < a.bins && !(edges_at(a.edges, b) < edges_at(a.edges, b + 1))) ww_report(a.checking, b + 1, 0);
}
#endif
