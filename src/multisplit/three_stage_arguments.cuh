/* What three_stage.cu takes. */
#ifndef WW_THREE_STAGE_ARGUMENTS_CUH
#define WW_THREE_STAGE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct three_stage_fixed {
    WW_FROM(ww_key) keys;
    WW_TO(ww_key) keys_out;
    WW_FROM(ww_value) values;
    WW_TO(ww_value) values_out;
    WW_TO(ww_position) counts; /* [bin][tile] */
    uint64_t count, tiles;
    uint64_t first_value;
    uint32_t low, bits;       /* the digit */
    uint32_t first, all_bits; /* what all digits are of */
} three_stage_fixed;

#endif
