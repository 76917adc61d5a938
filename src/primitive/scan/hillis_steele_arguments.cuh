/* What hillis_steele.cu takes. */
#ifndef WW_HILLIS_STEELE_ARGUMENTS_CUH
#define WW_HILLIS_STEELE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct hillis_steele_fixed {
    WW_FROM(ww_item) x;
    WW_TO(ww_item) y;
    WW_FROM(uint8_t) flags; /* with segments: whether a sum reaches back to a head */
    WW_TO(uint8_t) new_flags;
    WW_TO(ww_item) last;  /* the input's last element */
    WW_TO(ww_item) total; /* null but in the last launch */
    uint64_t count, d;
    uint32_t exclusive, initial_given;
} hillis_steele_fixed;

#endif
