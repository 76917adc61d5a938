/* Parts of runs that a block merges, from memory to its slots. */
#ifndef WW_MERGE_BRING_CUH
#define WW_MERGE_BRING_CUH

#include "sort/merge/merge_round.cuh"

template <class T> WW_DEVICE void bring_number(T *to, const T *from) {
    if constexpr (alignof(T) == sizeof(T) && sizeof(T) >= 4 && sizeof(T) <= 16)
        ww_copy_ahead(to, from);
    else
        *to = *from;
}

/* Brings a part of a run to slots, from `to` on up, or down. They are there after ww_copies_wait and a barrier. */
template <int STEP> WW_DEVICE void bring_part(const elements &in, uint64_t first, uint32_t count, element *to) {
    const ww_key *const keys = in.keys + first;
#if WW_VALUE
    const ww_value *const values = in.values + first;
#endif
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < count; i += WW_THREADS) {
        bring_number(&to[STEP * int(i)].key, keys + i);
#if WW_VALUE
        bring_number(&to[STEP * int(i)].value, values + i);
#endif
    }
}

#endif
