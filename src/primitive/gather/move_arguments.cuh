/* What move_records.cu takes. */
#ifndef WW_MOVE_ARGUMENTS_CUH
#define WW_MOVE_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct move_fixed {
    WW_TO(ww_word_t) to;
    WW_FROM(ww_word_t) from;
    WW_TO(ww_choice) choice; /* of each place; claims are bits of u32 */
    uint64_t count, limit;
    uint64_t words; /* of a record */
    uint32_t group, unused;
    ww_checking checking;
} move_fixed;

#endif
