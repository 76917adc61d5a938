/* What turn_round.cu takes. */
#ifndef WW_TURN_ARGUMENTS_CUH
#define WW_TURN_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct turn_arguments {
    WW_FROM(ww_key) keys;
    WW_TO(ww_key) keys_out;
    WW_FROM(ww_value) values;
    WW_TO(ww_value) values_out;
    WW_FROM(uint32_t) seen;
    uint64_t count, first_value;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
} turn_arguments;

#endif
