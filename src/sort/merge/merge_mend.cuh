/* Passes of few elements by an order that may be none (merge_pairs.cu, merge_search.cu). A pass that sees that its order is none
 * says so, and what it has written is worth nothing. The next pass then does nothing: its output is where the elements still are,
 * and the one after it goes on from there. Behind the last pass this kernel copies them. */
#ifndef WW_MERGE_MEND_CUH
#define WW_MERGE_MEND_CUH

#include "sort/merge/merge_element.cuh"

WW_GPU_KERNEL(mend_runs, mend_arguments, WW_THREADS) {
    ww_in_line();
    const uint64_t threads = uint64_t(gridDim.x) * WW_THREADS;
    if (!*a.left) return;
    for (uint64_t i = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x; i < a.n; i += threads)
        put_element(a.out, i, element_at(a.in, i));
}

#endif
