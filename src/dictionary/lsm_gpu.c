#include "dictionary/lsm.h"
ww_status ww__lsm_place_gpu(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch) {(void)lsm;(void)level;(void)batch;return WW_UNSUPPORTED;}
ww_status ww__lsm_flag_gpu(ww_lsm *lsm, const ww__lsm_level *level, uint8_t *flags, uint64_t *kept){(void)lsm;(void)level;(void)flags;(void)kept;return WW_UNSUPPORTED;}
ww_status ww__lsm_weigh_gpu(ww_lsm *lsm, size_t j){(void)lsm;(void)j;return WW_UNSUPPORTED;}
ww_status ww__lsm_lookup_gpu(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found){(void)lsm;(void)keys;(void)values;(void)found;return WW_UNSUPPORTED;}
ww_status ww__lsm_count_gpu(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts){(void)lsm;(void)lows;(void)highs;(void)counts;return WW_UNSUPPORTED;}
ww_status ww__lsm_list_gpu(ww_lsm *lsm, const ww__lsm_ranging *r){(void)lsm;(void)r;return WW_UNSUPPORTED;}
ww_status ww__lsm_next_gpu(ww_lsm *lsm, const ww__lsm_stepping *s){(void)lsm;(void)s;return WW_UNSUPPORTED;}
