/* Look-ups: a thread for each key, which goes through the levels, the newest first, until it meets it. Reads each key once and the
 * levels at random, writes found and the values once each.
 *
 * WW_VALUES: 1 values are wanted. WW_ORDERED: 1 queries come in the order of order.cu; their results go back to where they stood. */
#include "dictionary/lsm/logic.cuh"

#if !WW_VALUES
typedef uint8_t ww_value;
#endif
#include "dictionary/lsm/lookup_arguments.cuh"
#include "dictionary/lsm/query.cuh"

struct lookup_arguments : lookup_fixed {
#if !WW_ORDERED
    key_input key;
#endif
};

WW_GPU_KERNEL(lookup, lookup_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
#if WW_ORDERED
    const lsm_query query = query_at(a.queries, i);
    const ww_key key = query.key;
    const uint64_t to = query.position;
#else
    const ww_key key = key_at(a.key, i);
    const uint64_t to = i;
#endif
    uint64_t place = 0;
    const uint64_t j = lsm_find(&a.runs, 0, key, &place);
    const bool is = j < a.runs.many && !lsm_is_dead(&a.runs.run[j], place);
    if (a.found) a.found[to] = is;
#if WW_VALUES
    if (is) a.values[to] = static_cast<const ww_value *>(a.runs.run[j].values)[place];
#endif
}
