/* Neighbours: a thread for each key looks for the next one there is. Reads each key once and the levels at random, writes what it
 * finds once.
 *
 * WW_VALUES: 1 values are wanted; WW_ABOVE: 1 the key above; WW_OR_EQUAL: 1 or the key itself. */
#include "dictionary/lsm/logic.cuh"

#if !WW_VALUES
typedef uint8_t ww_value;
#endif
#include "dictionary/lsm/next_arguments.cuh"

struct next_arguments : next_fixed {
    key_input key;
};

WW_GPU_KERNEL(next, next_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
    uint64_t run = 0, place = 0;
    const bool is = lsm_next(&a.runs, key_at(a.key, i), WW_ABOVE, WW_OR_EQUAL, &run, &place);
    if (a.found) a.found[i] = is;
    if (!is) return;
    if (a.keys) a.keys[i] = lsm_key(&a.runs.run[run], place);
#if WW_VALUES
    a.values[i] = static_cast<const ww_value *>(a.runs.run[run].values)[place];
#endif
}
