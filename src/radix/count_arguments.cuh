/* What count_digits.cu takes. */
#ifndef WW_COUNT_ARGUMENTS_CUH
#define WW_COUNT_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct count_fixed {
    WW_FROM(ww_key) keys;
    WW_TO(uint64_t) counts; /* of each sweep's bins: 0 before the launch, where the bins begin after it */
    WW_TO(uint32_t) plan;   /* of each sweep */
    WW_TO(uint32_t) ticket; /* 0 before the launch */
    uint64_t count;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    uint64_t most_in_block;     /* with that: so many keys, and fewer, are sorted by radix_block.cu */
    uint32_t first, bits; /* what is sorted by */
    uint32_t width;       /* bits of a digit */
    uint32_t rule;        /* RULE_IN_PLACE: an output is its input; RULE_MOVES: one is not; RULE_LOOKS: order matters; */
                          /* RULE_ALIKE: keys that compare equal are the same, and have no values */
    uint32_t sweeps;      /* up to WW_SWEEPS */
    uint32_t order;       /* of keys, as digits.cuh has it */
    uint64_t most_in_bucket; /* 0: all sweeps */
    WW_TO(uint32_t) prefix;  /* of the highest digits, as digits.cuh says; NO_PREFIX if all sweeps run */
    WW_TO(uint32_t) seen;    /* of all neighbours: 0 before the launch, and after it TURNED if they are to be reversed */
    WW_FROM(uint32_t) done;  /* NULL, or not 0: nothing is left to do */
    WW_TO(ww_letters) letters; /* 0 before the launch; NULL, where WW_LETTERS is 0 */
    uint32_t letter_bits, unused; /* for codes of so many, and fewer, letters are worth it */
} count_fixed;

#endif
