/* Look-ups: a thread for each key, which goes through the levels, the newest first, until it meets it. Reads each key once and the
 * levels at random, writes found and the values once each.
 *
 * WW_VALUES: 1 values are wanted. */
#include "dictionary/lsm/logic.cuh"

#if !WW_VALUES
typedef uint8_t ww_value;
#endif
#include "dictionary/lsm/lookup_arguments.cuh"

struct lookup_arguments : lookup_fixed {
    key_input key;
};

WW_GPU_KERNEL(lookup, lookup_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
    uint64_t place = 0;
    const uint64_t j = lsm_find(&a.runs, 0, key_at(a.key, i), &place);
    const bool is = j < a.runs.many && !lsm_is_dead(&a.runs.run[j], place);
    if (a.found) a.found[i] = is;
#if WW_VALUES
    if (is) a.values[i] = static_cast<const ww_value *>(a.runs.run[j].values)[place];
#endif
}
