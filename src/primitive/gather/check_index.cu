/* Whether each index is below the limit. */
#include "device/kernel/record.cuh"
#include "primitive/gather/check_index_arguments.cuh"

struct check_index_arguments : check_index_fixed {
    index_input index;
};

WW_GPU_KERNEL(check_index, check_index_arguments, WW_THREADS) {
    if (ww_stopped(a.checking)) return;
    for (uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; i < a.count; i += uint64_t(gridDim.x) * WW_THREADS) {
        const index_item at = index_at(a.index, i);
        if (at >= a.limit) ww_report(a.checking, i, at);
    }
}
