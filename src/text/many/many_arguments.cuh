/* What many.cu takes. */
#ifndef WW_MANY_ARGUMENTS_CUH
#define WW_MANY_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

/* As text/many/patterns.h has them: node and slot are structs of many.cu. */
typedef struct pattern_tables {
    WW_FROM(uint64_t) key;
    WW_FROM(pattern_node) node;
    WW_FROM(uint32_t) number;
    WW_FROM(uint32_t) pair;
    WW_FROM(uint32_t) filter;
    WW_FROM(pattern_slot) slot;
    WW_FROM(uint8_t) bytes;
} pattern_tables;

typedef struct many_arguments {
    WW_FROM(uint8_t) text;
    uint64_t n, starts, behind, bias;
    uint64_t lead; /* the text begins so many bytes behind a multiple of 16 */
    uint64_t tiles, room;
    WW_TO(void) positions;
    WW_TO(void) numbers;
    WW_TO(void) total;
    WW_FROM(uint64_t) before; /* so many matches are in the outputs; null: none */
    uint32_t wide_positions, wide_numbers, wide_total, slot_log;
    pattern_tables tables;
    ww_chain chain;
} many_arguments;

#endif
