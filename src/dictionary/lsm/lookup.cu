/* Look-ups: a thread for each key, which goes through the levels, the newest first, until it meets it. Reads each key once and the
 * levels at random, writes found and the values once each.
 *
 * WW_VALUES: 1 values are wanted. WW_ORDERED: 1 queries come in the order of order.cu; a block's are looked for between its first and last
 * key, and their results go back to where they stood. */
#include "dictionary/lsm/parts.cuh"

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

#if WW_ORDERED
/* As lsm_find. */
WW_DEVICE uint64_t find_in_parts(const ww_lsm_runs *runs, const block_parts &s, ww_key key, uint64_t *place) {
    for (uint64_t j = 0; j < runs->many; j++) {
        const uint64_t p = bound_in_part(runs, s, j, key);
        if (p < runs->run[j].count && lsm_key(&runs->run[j], p) == key) {
            *place = p;
            return j;
        }
    }
    return runs->many;
}
#endif

WW_DEVICE void put_found(const lookup_arguments &a, uint64_t to, uint64_t j, uint64_t place) {
    const bool is = j < a.runs.many && !lsm_is_dead(&a.runs.run[j], place);
    if (a.found) a.found[to] = is;
#if WW_VALUES
    if (is) a.values[to] = static_cast<const ww_value *>(a.runs.run[j].values)[place];
#endif
}

WW_GPU_KERNEL(lookup, lookup_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    const bool is = i < a.count;
    uint64_t place = 0;
#if WW_ORDERED
    WW_SHARED(block_parts, s);
    const lsm_query query = is ? query_at(a.queries, i) : lsm_query{0, 0};
    find_places(&a.runs, is, query.key, s);
    if (!is) return;
    const uint64_t j = find_in_parts(&a.runs, s, query.key, &place);
    put_found(a, query.position, j, place);
#else
    if (!is) return;
    const uint64_t j = lsm_find(&a.runs, 0, key_at(a.key, i), &place);
    put_found(a, i, j, place);
#endif
}
