/* How many characters differ at each match that is written, a thread a match. How many matches there are is known on the GPU
 * alone. WW_FOLD: 1 capital letters are like small ones. */
#include "text/near/near_differences_arguments.cuh"

WW_GPU_KERNEL(count_differences, differences_arguments, WW_THREADS) {
    const uint64_t matches = uint64_t(*a.count) < a.room ? uint64_t(*a.count) : a.room;
    for (uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; i < matches; i += uint64_t(gridDim.x) * WW_THREADS) {
        const unsigned char *const at = a.text + a.positions[i];
        uint32_t differ = 0;
        for (uint32_t k = 0; k < a.m; k++)
            differ += (WW_FOLD ? at[k] | a.case_bits[k] : at[k]) != a.pattern[k];
        a.differences[i] = ww_difference(differ);
    }
}
