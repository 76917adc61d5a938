/* What few.cu takes. */
#ifndef WW_FEW_ARGUMENTS_CUH
#define WW_FEW_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct few_arguments {
    WW_FROM(ww_key) keys;
    WW_TO(ww_key) keys_out;
    WW_TO(few_board) board;
    uint64_t count;
    uint32_t order, unused; /* of keys, as digits.cuh has it */
} few_arguments;

#endif
