/* The index of one level: a thread for each element looks it up in the older levels, and a warp makes a word of what its threads
 * find. Reads the level once, and the older levels at random, though neighbours find their places near one another; writes 16 bytes
 * for 32 elements. */
#include "dictionary/lsm/logic.cuh"
#include "dictionary/lsm/weigh_arguments.cuh"

WW_GPU_KERNEL(weigh, weigh_arguments, WW_THREADS) {
    const uint64_t p = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x, word = p / WW_LSM_WORD;
    const int weight = p < a.runs.run[a.level].count ? lsm_weight(&a.runs, a.level, p) : 0;
    const uint32_t more = __ballot_sync(WW_ALL, weight > 0), less = __ballot_sync(WW_ALL, weight < 0);
    if (p % WW_LSM_WORD || word >= a.words) return;
    a.bits[2 * word] = more;
    a.bits[2 * word + 1] = less;
    a.before[word] = lsm_balance(more, less);
}
