/* Reports counts that are negative, a thread for each. */
#include "device/kernel/counted.cuh"
#include "device/kernel/record.cuh"
#include "primitive/expand/negative_arguments.cuh"

struct negative_arguments : negative_fixed {
    counts_input counts;
};

WW_DEVICE void look(const negative_arguments &a) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (ww_stopped(a.checking) || i >= a.count) return;
    const int64_t count = counts_at(a.counts, i);
    if (count < 0) ww_report(a.checking, i, uint64_t(count));
}

WW_LOOP_KERNEL(negative, negative_arguments, WW_THREADS) { look(ww_counted(a)); }
