/* What quick.cu takes. */
#ifndef WW_QUICK_ARGUMENTS_CUH
#define WW_QUICK_ARGUMENTS_CUH

#include "sort/ordering_arguments.cuh"

typedef struct quick_data {
    WW_TO(ww_item) key;
    WW_TO(uint32_t) position;
    WW_TO(uint32_t) begin;  /* of each place's segment */
    WW_TO(uint32_t) length; /* where a segment begins */
} quick_data;

typedef struct quick_fixed {
    quick_data data[2];     /* round r reads data[r % 2] */
    WW_TO(uint64_t) counts; /* one more than elements */
    WW_TO(uint32_t) live;   /* of each round, and of what is left behind the last one */
    uint64_t count;
    uint32_t round, rounds;
    WW_TO(ww_item) keys_out;
    WW_TO(uint32_t) positions_out;
    ww_ordering ordering;
} quick_fixed;

#endif
