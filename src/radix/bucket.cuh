/* How a key becomes its bucket's number.
 *
 * WW_BY: 0 some bits of the key as a number, which need nothing of this file; 1 the WW_MAP ww_bucket_of of a ww_item; 2
 * how many edges are not above it; 3 the key over a width, by multiplication (Granlund and Montgomery 1994). WW_KIND: what the
 * map gives, or what the key over a width is: 0 unsigned numbers, 1 signed ones, 2 floats. WW_SHARED_EDGES: room for edges in shared memory; 0: they are read where they are. */
#ifndef WW_BUCKET_CUH
#define WW_BUCKET_CUH

#include "device/kernel/bucket_number.cuh"
#include "device/kernel/record.cuh"
#include "radix/bucket_arguments.cuh"

#if WW_BY == 0
typedef uint32_t bucket_item; /* not used */
#elif WW_BY == 1
typedef ww_item bucket_item;
#elif WW_BY == 2
typedef edges_item bucket_item;
#else
typedef ww_number<WW_KEY>::type bucket_item;
#endif

/* The end of a kernel's struct: the host knows its alignment. */
struct alignas(16) ww_buckets : bucket_fixed {
#if WW_BY == 3
    bucket_division division;
#elif WW_BY == 1
    ww_environment environment;
#elif WW_BY == 2
    edges_input edges;
#endif
};

struct shared_edges {
#if WW_SHARED_EDGES
    bucket_item edge[WW_SHARED_EDGES];
#endif
};

/* A block's threads call it together, before they look for buckets. */
WW_DEVICE void load_edges(const ww_buckets &by, shared_edges &s) {
#if WW_SHARED_EDGES
    for (uint32_t e = threadIdx.x; e + 1 < by.many; e += WW_THREADS) s.edge[e] = edges_at(by.edges, e);
    __syncthreads();
#else
    (void)by, (void)s;
#endif
}

#if WW_BY == 0
WW_DEVICE uint32_t bucket_of(const ww_buckets &by, const bucket_item &) { return by.many; }
#elif WW_BY == 1
WW_DEVICE uint32_t bucket_of(const ww_buckets &by, const bucket_item &x) {
    return ww_bucket_number(ww_bucket_of(x, by.environment.at()), by.many);
}
#elif WW_BY == 3
WW_DEVICE uint32_t bucket_of(const ww_buckets &by, const bucket_item &x) {
    const uint32_t highest = 8 * sizeof(bucket_item) - 1;
#if WW_KEY == 8
    const uint64_t half = __umul64hi(by.division.factor, x), b = (half + ((x - half) >> by.division.shift_first)) >> by.division.shift;
#else
    const uint32_t half = uint32_t(uint64_t(uint32_t(by.division.factor)) * x >> 32);
    const uint32_t b = (half + ((x - half) >> by.division.shift_first)) >> by.division.shift;
#endif
    return b < by.many && !(WW_KIND == 1 && x >> highest) ? uint32_t(b) : by.many;
}
#elif WW_BY == 2
WW_DEVICE bucket_item edge_at(const ww_buckets &by, const shared_edges &s, uint32_t e) {
#if WW_SHARED_EDGES
    (void)by;
    return s.edge[e];
#else
    (void)s;
    return edges_at(by.edges, e);
#endif
}
#endif

/* The buckets of N keys; by.many where there is none. All go through a search together. */
template <int N>
WW_DEVICE void buckets_of(const ww_buckets &by, const shared_edges &s, const bucket_item (&x)[N], uint32_t (&bucket)[N]) {
#if WW_BY == 2
#pragma unroll
    for (int k = 0; k < N; k++) bucket[k] = 0;
    for (uint32_t left = by.many - 1, half; left; left -= half) {
        half = (left + 1) / 2;
#pragma unroll
        for (int k = 0; k < N; k++)
            if (edge_at(by, s, bucket[k] + half - 1) <= x[k]) bucket[k] += half;
    }
#else
    (void)s;
#pragma unroll
    for (int k = 0; k < N; k++) bucket[k] = bucket_of(by, x[k]);
#endif
}

/* Whether this call has found a key without a bucket, or a call before it something bad: then nothing is written. The kernel
 * that looks for such keys has ended. */
WW_DEVICE bool has_no_bucket(const ww_buckets &by) {
    const uint64_t call = ww_load_relaxed(&by.checking.record->call);
    return call && call <= by.checking.call;
}

#endif
