/* What is done to a level as such.
 *
 * place: the values and marks of a sorted batch come to their elements, those of the last of equal keys to the first of them, which
 * is the one that counts. Reads the keys and their positions and writes marks and values, once each, and reads these at random. Where
 * values lie in the order of the keys already, they are touched for equal keys only.
 *
 * flag: 1 for each element that counts and is no deletion, and how many these are. Reads keys and marks, and writes flags, once.
 *
 * WW_VALUES: 1 there are values. WW_ORDER: bytes of a position of the batch; 0: everything lies in order. */
#include "device/kernel/counted.cuh"
#include "dictionary/lsm/logic.cuh"

#if WW_ORDER == 8
typedef uint64_t ww_position;
#else
typedef uint32_t ww_position;
#endif
#if !WW_VALUES
typedef uint8_t ww_value;
#endif
#include "dictionary/lsm/place_arguments.cuh"

/* Where the element at place p comes from: a head that is followed by equal keys is the last of them. */
WW_DEVICE uint64_t source_of(const ww_lsm_run *r, uint64_t p) {
    const ww_key key = lsm_key(r, p);
    if (p + 1 == r->count || lsm_key(r, p + 1) != key || !lsm_is_head(r, p)) return p;
    return lsm_bound(r, p, r->count, key, true) - 1;
}

WW_GPU_KERNEL(place, place_arguments, WW_THREADS) {
    ww_in_line();
    const uint64_t p = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (p >= a.level.count) return;
    const uint64_t from = source_of(&a.level, p);
#if WW_ORDER
    const uint64_t position = a.order[from];
    a.dead[p] = a.deletes[position] != 0;
#if WW_VALUES
    a.values[p] = a.from[position];
#endif
#else
    if (from != p) a.values[p] = a.values[from];
#endif
}

WW_GPU_KERNEL(flag, flag_arguments, WW_THREADS) {
    const uint64_t p = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    bool keeps = false;
    if (p < a.level.count) {
        keeps = lsm_is_head(&a.level, p) && !lsm_is_dead(&a.level, p);
        a.flags[p] = keeps;
    }
    const int here = __syncthreads_count(keeps);
    if (threadIdx.x == 0 && here) atomicAdd(a.kept, uint64_t(here));
}
