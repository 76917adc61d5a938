/* What sweep.cu takes. */
#ifndef WW_SWEEP_ARGUMENTS_CUH
#define WW_SWEEP_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct sweep_fixed {
    WW_FROM(ww_key) keys;
    WW_TO(ww_key) keys_out;
    WW_TO(ww_key) keys_scratch;
    WW_FROM(ww_value) values;
    WW_TO(ww_value) values_out;
    WW_TO(ww_value) values_scratch;
    WW_FROM(uint64_t) first; /* where each bin begins */
    WW_FROM(uint64_t) shift; /* modulo 2^64, what is added to places in each bin; of keys alone, where WW_SHIFTED */
    WW_FROM(uint64_t) first_coded; /* where bins of codes begin */
    WW_FROM(ww_letters) letters;   /* NULL, where WW_LETTERS is 0 */
    WW_FROM(uint32_t) plan;
    WW_TO(uint32_t) ticket;    /* 0 before the launch */
    WW_TO(uint64_t) arrived;   /* blocks at a barrier, 0 before the launch */
    WW_TO(ww_position) words;  /* two sets of BINS a tile */
    uint64_t count, tiles;
    WW_FROM(uint64_t) count_at; /* of device/kernel/counted.cuh */
    uint64_t first_value;
    uint32_t low, bits;     /* the digit */
    uint32_t order;         /* of keys, as digits.cuh has it */
    uint32_t sweeps, width; /* where WW_TOGETHER: so many digits of low and bits, as digit_of_sweep takes them, each with its */
                            /* `first` and `plan` */
    uint32_t unused;
} sweep_fixed;

#endif
