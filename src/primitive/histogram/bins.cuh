/* How elements become bins, in every kernel of the histograms.
 *
 * WW_BY: 0 equal bins, by the arithmetic of histogram_even.c; 1 between edges, by search; 2 the element is its bin's number
 * already (a mapped input); 3 it is a pair of numbers x and y, a.across bins of the one times a.down of the other, each between
 * its edges. WW_STRICT: what is in no bin is reported; WW_OUTSIDE: it is counted.
 *
 * WW_SHARED_EDGES: so many copies of the edges are in shared memory, side by side, so that lanes that look for different bins
 * seldom meet in a bank; 0: they are read from memory. Of pairs they always are, those of y behind those of x. WW_SLOTS: bins that
 * there is room for. WW_EDGES: edges. */
#ifndef WW_BINS_CUH
#define WW_BINS_CUH

#include "device/kernel/bucket_number.cuh"
#include "device/kernel/record.cuh"
#include "primitive/histogram/histogram_arguments.cuh"

struct histogram_arguments : histogram_fixed {
#if WW_BY == 0
    even_plan even;
#endif
    in_input in;
#if WW_BY == 1
    edges_input edges;
#elif WW_BY == 3
    edges_input edges;
    down_edges_input down_edges;
#endif
};

struct bin_edges {
#if WW_SHARED_EDGES
    edges_item edge[WW_EDGES * WW_SHARED_EDGES];
#else
    uint32_t unused;
#endif
};

#if WW_BY == 0
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
WW_DEVICE ww_u128 whole_of(const uint64_t (&halves)[2]) { return ww_u128(halves[1]) << 64 | halves[0]; }

/* Horner's rule over the bits of `bins`: q * range + r = d * (the bits so far), r < range, never beyond 128 bits. */
WW_DEVICE uint32_t bin_of(const histogram_arguments &a, in_item x) {
    const ww_u128 range = whole_of(a.even.range_u128), d = ww_u128(x) - whole_of(a.even.low_u128);
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
#elif WW_BY == 2
WW_DEVICE uint32_t bin_of(const histogram_arguments &a, in_item x) { return ww_bucket_number(x, a.bins); }
#endif

#if WW_BY == 1 || WW_BY == 3
WW_DEVICE edges_item edge_at(const histogram_arguments &a, const bin_edges &s, uint32_t b) {
#if WW_SHARED_EDGES
    return s.edge[b * WW_SHARED_EDGES + threadIdx.x % WW_SHARED_EDGES];
#else
    return edges_at(a.edges, b);
#endif
}
#endif

#if WW_BY == 3
/* The bin of one side's number, among edges from place `first` on; `bins` where there is none. */
template <int N, class NUMBER>
WW_DEVICE void find_side(const histogram_arguments &a, const bin_edges &s, uint32_t first, uint32_t bins, const NUMBER (&x)[N],
                         uint32_t (&bin)[N]) {
#pragma unroll
    for (int k = 0; k < N; k++) bin[k] = first;
    for (uint32_t left = bins, half; left > 1; left -= half) {
        half = left / 2;
#pragma unroll
        for (int k = 0; k < N; k++)
            if (edge_at(a, s, bin[k] + half) <= x[k]) bin[k] += half;
    }
    const NUMBER least = edge_at(a, s, first), most = edge_at(a, s, first + bins);
#pragma unroll
    for (int k = 0; k < N; k++) bin[k] = x[k] >= least && x[k] < most ? bin[k] - first : bins;
}
#endif

/* The bins of N elements; a.bins where there is none. All go through each step of the search together. */
template <int N>
WW_DEVICE void find_bins(const histogram_arguments &a, const bin_edges &s, const in_item (&x)[N],
                         uint32_t (&bin)[N]) {
#if WW_BY == 1
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
#elif WW_BY == 3
    edges_item side[N];
    uint32_t across[N];
#pragma unroll
    for (int k = 0; k < N; k++) side[k] = x[k].x;
    find_side(a, s, 0, a.across, side, across);
#pragma unroll
    for (int k = 0; k < N; k++) side[k] = x[k].y;
    find_side(a, s, a.across + 1, a.down, side, bin);
#pragma unroll
    for (int k = 0; k < N; k++) bin[k] = across[k] < a.across && bin[k] < a.down ? across[k] * a.down + bin[k] : a.bins;
#else
#pragma unroll
    for (int k = 0; k < N; k++) bin[k] = bin_of(a, x[k]);
#endif
}

/* The copies of the edges; a barrier has to follow. */
WW_DEVICE void read_edges(const histogram_arguments &a, bin_edges &s) {
#if WW_BY == 3
    const uint32_t across = a.across + 1, all = across + a.down + 1;
    for (uint32_t k = threadIdx.x; k < all * WW_SHARED_EDGES; k += WW_THREADS) {
        const uint32_t e = k / WW_SHARED_EDGES;
        s.edge[k] = e < across ? edges_at(a.edges, e) : down_edges_at(a.down_edges, e - across);
    }
#elif WW_SHARED_EDGES
    for (uint32_t k = threadIdx.x; k < (a.bins + 1) * WW_SHARED_EDGES; k += WW_THREADS)
        s.edge[k] = edges_at(a.edges, k / WW_SHARED_EDGES);
#endif
}

WW_DEVICE void report(const histogram_arguments &a, uint64_t position, uint32_t bin) {
#if WW_STRICT
    if (bin >= a.bins) ww_report(a.checking, position, bin);
#endif
}

/* Whether a call before this one found bad data, or this one edges that fall: then nothing is counted. */
WW_DEVICE bool is_over(const histogram_arguments &a) {
#if WW_BY == 1
    const uint64_t bad = ww_load_relaxed(&a.checking.record->call);
    return bad && bad <= a.checking.call;
#elif WW_STRICT
    return ww_stopped(a.checking);
#else
    return false;
#endif
}

/* `outside` of all threads; whole warps come here. */
WW_DEVICE void add_outside(const histogram_arguments &a, uint32_t outside) {
#if WW_OUTSIDE
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) outside += __shfl_down_sync(WW_ALL, outside, by);
    if (outside && threadIdx.x % WW_WARP == 0) atomicAdd(a.outside, uint64_t(outside));
#endif
}

#if WW_BY == 1
/* Reports the first edge that is not above the one before it. */
WW_GPU_KERNEL(check_edges, histogram_arguments, WW_THREADS) {
    if (ww_stopped(a.checking)) return;
    const uint64_t b = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    if (b < a.bins && !(edges_at(a.edges, b) < edges_at(a.edges, b + 1))) ww_report(a.checking, b + 1, 0);
}
#endif

#endif
