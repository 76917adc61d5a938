/* Counts: a thread for each pair of bounds adds up what the levels' indexes have between them. Reads each bound once and the levels at
 * random, writes each count once. */
#include "dictionary/lsm/logic.cuh"
#include "dictionary/lsm/count_arguments.cuh"

struct count_arguments : count_fixed {
    low_input low;
    high_input high;
};

WW_GPU_KERNEL(count, count_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i < a.count) a.counts[i] = ww_count(lsm_count(&a.runs, low_at(a.low, i), high_at(a.high, i)));
}
