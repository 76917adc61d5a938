/* What top_emit.cu takes. */
#ifndef WW_TOP_EMIT_ARGUMENTS_CUH
#define WW_TOP_EMIT_ARGUMENTS_CUH

#include "sort/select/top_order_arguments.cuh"

typedef struct top_emit_fixed {
    WW_FROM(top_state) state;
    WW_FROM(ww_key) buffer;
    WW_TO(ww_key) keys_out;
    WW_TO(uint64_t) emitted; /* of those below the known bits, so many are there */
    WW_TO(uint64_t) taken;   /* of those that have them */
    uint64_t count, wanted;
    top_order order;
} top_emit_fixed;

#endif
