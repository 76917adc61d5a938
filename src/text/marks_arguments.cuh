/* What list_marks.cu takes. */
#ifndef WW_MARKS_ARGUMENTS_CUH
#define WW_MARKS_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

typedef struct marks_fixed {
    WW_FROM(uint32_t) marks;
    WW_TO(ww_position) positions;
    WW_TO(ww_count) count;
    uint64_t room, words, tiles;
    uint64_t m, characters; /* of the pattern, of all texts */
    uint64_t texts;
    WW_TO(ww_text_count) counts;
    WW_TO(uint64_t) best; /* 0 before: of the first or last match */
    ww_chain chain;
    ww_checking checking;
} marks_fixed;

#endif
