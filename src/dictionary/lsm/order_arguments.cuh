/* What order.cu takes; the keys come behind it. */
#ifndef WW_ORDER_ARGUMENTS_CUH
#define WW_ORDER_ARGUMENTS_CUH

#include "dictionary/lsm/lsm_arguments.cuh"

typedef struct order_fixed {
    uint32_t *part;
    void *queries; /* lsm_query of query.cuh */
    uint64_t first, count; /* of the keys; parts and queries begin with the first one's */
    ww_lsm_run oldest;
} order_fixed;

#endif
