/* What count_letters.cu takes. */
#ifndef WW_COUNT_LETTERS_ARGUMENTS_CUH
#define WW_COUNT_LETTERS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct count_letters_arguments {
    WW_FROM(ww_key) keys;
    WW_FROM(ww_letters) letters;
    WW_TO(uint64_t) counts; /* of each sweep's bins: 0 before the launch, where the bins begin after it */
    WW_TO(uint32_t) ticket; /* 0 before the launch */
    uint64_t count;
    uint32_t order, unused; /* of keys, as digits.cuh has it */
} count_letters_arguments;

#endif
