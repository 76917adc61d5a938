/* What top_digits.cu takes. */
#ifndef WW_TOP_DIGITS_ARGUMENTS_CUH
#define WW_TOP_DIGITS_ARGUMENTS_CUH

#include "sort/select/top_order_arguments.cuh"

typedef struct top_digits_fixed {
    WW_FROM(top_state) before; /* of the level before; the first one has none */
    WW_TO(top_state) after;
    WW_TO(uint64_t) counts;    /* 0 before, as is all up to `cursor` */
    WW_TO(uint32_t) any_set;   /* the bits that any of the elements has set */
    WW_TO(uint32_t) any_clear; /* and has not set */
    WW_TO(uint32_t) ticket;
    WW_TO(uint64_t) cursor; /* in the buffer; of all levels */
    WW_TO(ww_key) buffer;
    WW_TO(uint64_t) emitted; /* how many are in keys_out, where levels give out what is chosen */
    WW_TO(ww_key) keys_out;
    uint64_t room;
    uint64_t count, wanted; /* the rank that is looked for, from 1 on */
    top_order order;
    uint32_t level, exact;
} top_digits_fixed;

#endif
