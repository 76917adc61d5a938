/* Counts: a thread for each pair of bounds adds up what the levels' indexes have between them. Reads each bound once and the levels at
 * random, writes each count once.
 *
 * WW_ORDERED: 1 lower bounds come in the order of order.cu. */
#include "dictionary/lsm/count_arguments.cuh"
#include "dictionary/lsm/logic.cuh"
#include "dictionary/lsm/query.cuh"

struct count_arguments : count_fixed {
#if !WW_ORDERED
    low_input low;
#endif
    high_input high;
};

WW_GPU_KERNEL(count, count_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
#if WW_ORDERED
    const lsm_query query = query_at(a.queries, i);
    const ww_key low = query.key;
    const uint64_t to = query.position;
#else
    const ww_key low = low_at(a.low, i);
    const uint64_t to = i;
#endif
    a.counts[to] = ww_count(lsm_count(&a.runs, low, high_at(a.high, to)));
}
