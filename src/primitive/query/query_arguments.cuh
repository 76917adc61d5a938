/* What query.cu takes. */
#ifndef WW_QUERY_ARGUMENTS_CUH
#define WW_QUERY_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct query_fixed {
    uint64_t count;
    WW_TO(uint64_t) found; /* 0 before the launch: a count, or ~position of what was found */
    WW_TO(uint32_t) ticket; /* 0 before the launch */
    /* The answers that are wanted; the others are null. */
    WW_TO(uint8_t) truth;
    WW_TO(uint32_t) number;
    WW_TO(uint64_t) wide;
    uint32_t holds; /* `first`: what the predicate is where it is looked for */
    uint32_t says;  /* what `truth` says where there is such a position */
} query_fixed;

#endif
