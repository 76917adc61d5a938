/* Batcher's bitonic network (1968) in the form in which all comparisons point one way, of a team of WW_TEAM threads with WW_ITEMS
 * elements in registers each. A team that is more than a warp goes through its room in shared memory, s.item. */
#ifndef WW_NETWORK_CUH
#define WW_NETWORK_CUH

#include "sort/segments/network_item.cuh"

#include "device/kernel/comparators.cuh"

WW_DEVICE void sort_within(network_item (&x)[WW_ITEMS]) {
#pragma unroll
    for (int size = 2; size <= WW_ITEMS; size *= 2) {
#pragma unroll
        for (int i = 0; i < WW_ITEMS; i++)
            if (i < (i ^ (size - 1))) put_in_order(x[i], x[i ^ (size - 1)]);
        merge_within(x, size / 4);
    }
}

/* A step between threads whose numbers differ in the bits of `bits`; `mirrored`: the other's elements backwards. */
template <bool mirrored, class ROOM>
WW_DEVICE void step_across(network_item (&x)[WW_ITEMS], ROOM &s, uint32_t rank, uint32_t bits, bool lower) {
#if WW_TEAM > 32
    if (bits >= WW_WARP) {
#pragma unroll
        for (int i = 0; i < WW_ITEMS; i++) s.item[i * WW_TEAM + rank] = x[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < WW_ITEMS; i++) {
            const int j = mirrored ? WW_ITEMS - 1 - i : i;
            x[i] = kept(x[i], s.item[j * WW_TEAM + (rank ^ bits)], lower);
        }
        __syncthreads();
        return;
    }
#else
    (void)s, (void)rank;
#endif
#pragma unroll
    for (int i = 0; i < WW_ITEMS / 2; i++) {
        const int j = WW_ITEMS - 1 - i;
        const network_item to_i = across(mirrored ? x[j] : x[i], bits), to_j = across(mirrored ? x[i] : x[j], bits);
        x[i] = kept(x[i], to_i, lower);
        x[j] = kept(x[j], to_j, lower);
    }
}

template <class ROOM>
WW_DEVICE void sort_team(network_item (&x)[WW_ITEMS], ROOM &s, uint32_t rank) {
    sort_within(x);
#pragma unroll 1
    for (uint32_t size = 2; size <= WW_TEAM; size *= 2) {
        step_across<true>(x, s, rank, size - 1, !(rank & size / 2));
#pragma unroll 1
        for (uint32_t stride = size / 4; stride; stride /= 2)
            step_across<false>(x, s, rank, stride, !(rank & stride));
        merge_within(x, WW_ITEMS / 2);
    }
}

#endif
