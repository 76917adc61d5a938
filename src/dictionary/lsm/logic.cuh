/* What a query does, for both machines: kernels include this, and the CPU's loops (loops.h), each with ww_key defined. It is
 * written in what C and CUDA C have in common.
 *
 * A run is a level as queries see it. Keys do not fall in it; of equal keys the first one counts (it is the head of these), and
 * of several runs' heads the one of the newest run, which has the lowest number.
 *
 * The index gives each head a weight: how many keys more (1, 0 or -1) there are with its run than with the older runs alone. So
 * the number of keys up to a bound is the sum, over all runs, of the weights up to there; that is before[w] for the elements before
 * the 32 w-th, and two words of bits for each 32, those of weight 1 and those of weight -1. A run without `before` has weight 1
 * everywhere. */
#ifndef WW_LSM_LOGIC_CUH
#define WW_LSM_LOGIC_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

#ifdef __cplusplus
WW_DEVICE uint64_t lsm_balance(uint32_t more, uint32_t less) { return uint64_t(__popc(more)) - uint64_t(__popc(less)); }
#else
#define WW_DEVICE static inline

/* How many bits more `more` has than `less`, both counted at once: the processor's own instruction is not in the plain x86-64 that
 * this is compiled for, and a call for each word is a sixth of the time that sorted counts take. */
static inline uint64_t lsm_balance(uint32_t more, uint32_t less) {
    const uint64_t ones = UINT64_C(0x5555555555555555), twos = UINT64_C(0x3333333333333333), fours = UINT64_C(0x0F0F0F0F0F0F0F0F);
    uint64_t x = more | (uint64_t)less << 32;
    x -= x >> 1 & ones;
    x = (x & twos) + (x >> 2 & twos);
    x = (x + (x >> 4)) & fours;
    return (uint64_t)((uint32_t)x * 0x01010101u >> 24) - ((uint32_t)(x >> 32) * 0x01010101u >> 24);
}
#endif

enum { WW_LSM_WORD = 32, WW_LSM_TRIES = 4 };

WW_DEVICE ww_key lsm_key(const ww_lsm_run *r, uint64_t p) { return ((const ww_key *)r->keys)[p]; }

WW_DEVICE bool lsm_is_dead(const ww_lsm_run *r, uint64_t p) { return r->dead && r->dead[p]; }

WW_DEVICE bool lsm_is_head(const ww_lsm_run *r, uint64_t p) { return p == 0 || lsm_key(r, p - 1) != lsm_key(r, p); }

/* The first of the places from `from` on, or `end`, whose key is not below `key` (or_equal: is above it). */
WW_DEVICE uint64_t lsm_bound(const ww_lsm_run *r, uint64_t from, uint64_t end, ww_key key, bool or_equal) {
    while (from < end) {
        const uint64_t middle = from + (end - from) / 2;
        const ww_key x = lsm_key(r, middle);
        if (x < key || (or_equal && x == key))
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* The same from `from` on in all of the run, for what is likely to be near: in steps that double, then between the last two of them. */
WW_DEVICE uint64_t lsm_bound_near(const ww_lsm_run *r, uint64_t from, ww_key key, bool or_equal) {
    uint64_t step = 16;
    while (r->count - from > step) {
        const ww_key x = lsm_key(r, from + step);
        if (!(x < key || (or_equal && x == key))) return lsm_bound(r, from, from + step, key, or_equal);
        from += step + 1;
        step *= 2;
    }
    return lsm_bound(r, from, r->count, key, or_equal);
}

/* The sum of the weights before place p. */
WW_DEVICE uint64_t lsm_rank(const ww_lsm_run *r, uint64_t p) {
    if (!r->before) return p;
    const uint64_t w = p / WW_LSM_WORD;
    const uint32_t mask = ((uint32_t)1 << p % WW_LSM_WORD) - 1;
    return r->before[w] + lsm_balance(r->bits[2 * w] & mask, r->bits[2 * w + 1] & mask);
}

/* The head of a key in the runs from number `first` on: its run, or the number of runs where there is none, and its place. */
WW_DEVICE uint64_t lsm_find(const ww_lsm_runs *a, uint64_t first, ww_key key, uint64_t *place) {
    for (uint64_t j = first; j < a->many; j++) {
        const ww_lsm_run *const r = &a->run[j];
        const uint64_t p = lsm_bound(r, 0, r->count, key, false);
        if (p < r->count && lsm_key(r, p) == key) {
            *place = p;
            return j;
        }
    }
    return a->many;
}

/* The weight of place p of run j. */
WW_DEVICE int lsm_weight(const ww_lsm_runs *a, uint64_t j, uint64_t p) {
    const ww_lsm_run *const r = &a->run[j];
    if (!lsm_is_head(r, p)) return 0;
    uint64_t place = 0;
    const uint64_t older = lsm_find(a, j + 1, lsm_key(r, p), &place);
    const bool was_there = older < a->many && !lsm_is_dead(&a->run[older], place);
    return (lsm_is_dead(r, p) ? 0 : 1) - (was_there ? 1 : 0);
}

/* How many keys there are below a key (or_equal: not above it). */
WW_DEVICE uint64_t lsm_below(const ww_lsm_runs *a, ww_key key, bool or_equal) {
    uint64_t sum = 0;
    for (uint64_t j = 0; j < a->many; j++)
        sum += lsm_rank(&a->run[j], lsm_bound(&a->run[j], 0, a->run[j].count, key, or_equal));
    return sum;
}

/* How many keys there are with low <= key <= high. */
WW_DEVICE uint64_t lsm_count(const ww_lsm_runs *a, ww_key low, ww_key high) {
    uint64_t sum = 0;
    if (low > high) return 0;
    for (uint64_t j = 0; j < a->many; j++) {
        const ww_lsm_run *const r = &a->run[j];
        const uint64_t from = lsm_bound(r, 0, r->count, low, false);
        sum += lsm_rank(r, lsm_bound_near(r, from, high, true)) - lsm_rank(r, from);
    }
    return sum;
}

/* The key that has `rank` keys before it: there is one. Halves the numbers that it may be; in each run it is looked for between the
 * places to which these are known to belong. */
WW_DEVICE ww_key lsm_select(const ww_lsm_runs *a, uint64_t rank) {
    uint64_t from[WW_LSM_RUNS], end[WW_LSM_RUNS], at[WW_LSM_RUNS];
    ww_key low = 0, high = (ww_key) ~(ww_key)0;
    for (uint64_t j = 0; j < a->many; j++) {
        from[j] = 0;
        end[j] = a->run[j].count;
    }
    while (low < high) {
        const ww_key middle = low + (high - low) / 2;
        uint64_t sum = 0;
        for (uint64_t j = 0; j < a->many; j++) {
            at[j] = lsm_bound(&a->run[j], from[j], end[j], middle, true);
            sum += lsm_rank(&a->run[j], at[j]);
        }
        const bool enough = sum > rank;
        for (uint64_t j = 0; j < a->many; j++) {
            if (enough)
                end[j] = at[j];
            else
                from[j] = at[j];
        }
        if (enough)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Of the keys next to `bound` on one side the nearest, with its newest head; false: there is none in any run. at[j]: the first place
 * of run j that is above the bound; what lies below it is before that. */
WW_DEVICE bool lsm_nearest(const ww_lsm_runs *a, const uint64_t *at, bool above, ww_key *key, uint64_t *run) {
    bool any = false;
    for (uint64_t j = 0; j < a->many; j++) {
        if (above ? at[j] == a->run[j].count : at[j] == 0) continue;
        const ww_key x = lsm_key(&a->run[j], above ? at[j] : at[j] - 1);
        if (any && !(above ? x < *key : x > *key)) continue;
        any = true;
        *key = x;
        *run = j;
    }
    return any;
}

/* The key next to a key, above it or below it (or_equal: or itself): its run and place; false where there is none. A few deleted keys
 * are passed one by one; behind more of them the key is selected by its rank. */
WW_DEVICE bool lsm_next(const ww_lsm_runs *a, ww_key key, bool above, bool or_equal, uint64_t *run, uint64_t *place) {
    uint64_t at[WW_LSM_RUNS];
    bool with_equal = above != or_equal;
    for (uint64_t j = 0; j < a->many; j++) at[j] = lsm_bound(&a->run[j], 0, a->run[j].count, key, with_equal);
    for (int k = 0; k < WW_LSM_TRIES; k++) {
        if (!lsm_nearest(a, at, above, &key, run)) return false;
        const ww_lsm_run *const r = &a->run[*run];
        *place = above ? at[*run] : lsm_bound(r, 0, at[*run], key, false);
        if (!lsm_is_dead(r, *place)) return true;
        for (uint64_t j = 0; j < a->many; j++)
            at[j] = above ? lsm_bound(&a->run[j], at[j], a->run[j].count, key, true)
                          : lsm_bound(&a->run[j], 0, at[j], key, false);
    }
    const uint64_t rank = lsm_below(a, key, above);
    uint64_t all = 0;
    for (uint64_t j = 0; j < a->many; j++) all += lsm_rank(&a->run[j], a->run[j].count);
    if (above ? rank == all : rank == 0) return false;
    *run = lsm_find(a, 0, lsm_select(a, above ? rank : rank - 1), place);
    return true;
}

#endif
