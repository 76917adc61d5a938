/* Queries get the part of all keys that they are in, one of 2^WW_PART_BITS between 0 and the oldest level's last key, for a sort that
 * brings neighbours together: then the threads of a block read near one another, in each level. Reads each key once, writes a query and
 * 4 bytes. */
#include "dictionary/lsm/logic.cuh"
#include "dictionary/lsm/order_arguments.cuh"
#include "dictionary/lsm/query.cuh"

struct order_arguments : order_fixed {
    key_input key;
};

WW_GPU_KERNEL(order, order_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
    const ww_key key = key_at(a.key, a.first + i), last = lsm_key(&a.oldest, a.oldest.count - 1);
    const int bits = 64 - __clzll((long long)(uint64_t(last))), shift = bits > WW_PART_BITS ? bits - WW_PART_BITS : 0;
    const ww_key part = key >> shift, most = (1 << WW_PART_BITS) - 1;
    a.part[i] = uint32_t(part < most ? part : most);
    static_cast<lsm_query *>(a.queries)[i] = {key, ww_key(a.first + i)};
}
