/* Which loops a dictionary's keys take. */
#include "dictionary/lsm/order_cpu.h"

static const ww__lsm_loops *loops_of(const ww_lsm *lsm) {
    return lsm->key_size == sizeof(uint32_t) ? &ww__lsm_loops_u32 : &ww__lsm_loops_u64;
}

ww_status ww__lsm_place_cpu(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch) {
    return loops_of(lsm)->place(lsm, level, batch);
}

ww_status ww__lsm_flag_cpu(ww_lsm *lsm, const ww__lsm_level *level, uint8_t *flags, uint64_t *kept) {
    return loops_of(lsm)->flag(lsm, level, flags, kept);
}

ww_status ww__lsm_weigh_cpu(ww_lsm *lsm, size_t j) { return loops_of(lsm)->weigh(lsm, j); }

ww_status ww__lsm_lookup_cpu(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found) {
    bool done;
    WW_TRY(ww__lsm_lookup_ordered_cpu(lsm, loops_of(lsm), keys, values, found, &done));
    return done ? WW_OK : loops_of(lsm)->lookup(lsm, keys, values, found);
}

ww_status ww__lsm_count_cpu(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts) {
    bool done;
    WW_TRY(ww__lsm_count_ordered_cpu(lsm, loops_of(lsm), lows, highs, counts, &done));
    return done ? WW_OK : loops_of(lsm)->count(lsm, lows, highs, counts);
}

ww_status ww__lsm_list_cpu(ww_lsm *lsm, const ww__lsm_ranging *r) { return loops_of(lsm)->list(lsm, r); }

ww_status ww__lsm_next_cpu(ww_lsm *lsm, const ww__lsm_stepping *s) { return loops_of(lsm)->next(lsm, s); }
