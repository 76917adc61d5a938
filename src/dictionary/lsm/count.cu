/* Counts: a thread for each pair of bounds adds up what the levels' indexes have between them. Reads each bound once and the levels at
 * random, writes each count once.
 *
 * WW_ORDERED: 1 lower bounds come in the order of order.cu; a block's are looked for between its first and last one. */
#include "dictionary/lsm/count_arguments.cuh"
#include "dictionary/lsm/parts.cuh"
#include "dictionary/lsm/query.cuh"

struct count_arguments : count_fixed {
#if !WW_ORDERED
    low_input low;
#endif
    high_input high;
};

#if WW_ORDERED
/* As lsm_count. */
WW_DEVICE uint64_t count_in_parts(const ww_lsm_runs *runs, const block_parts &s, ww_key low, ww_key high) {
    uint64_t sum = 0;
    if (low > high) return 0;
    for (uint64_t j = 0; j < runs->many; j++) {
        const ww_lsm_run *const r = &runs->run[j];
        const uint64_t from = bound_in_part(runs, s, j, low);
        sum += lsm_rank(r, lsm_bound_near(r, from, high, true)) - lsm_rank(r, from);
    }
    return sum;
}
#endif

WW_GPU_KERNEL(count, count_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    const bool is = i < a.count;
#if WW_ORDERED
    WW_SHARED(block_parts, s);
    const lsm_query query = is ? query_at(a.queries, i) : lsm_query{0, 0};
    find_places(&a.runs, is, query.key, s);
    if (!is) return;
    a.counts[query.position] =
        ww_count(count_in_parts(&a.runs, s, query.key, high_at(a.high, query.position)));
#else
    if (is) a.counts[i] = ww_count(lsm_count(&a.runs, low_at(a.low, i), high_at(a.high, i)));
#endif
}
