/* What store_step.cu and store_cast.cu take. */
#ifndef WW_STORE_STEP_ARGUMENTS_CUH
#define WW_STORE_STEP_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { WW_VALUE_MOST = 256 /* bytes of a constant that goes by value */ };

/* `count` elements of `words` words of `word` bytes (1, 2, 4, 8, 16); how far apart they lie is counted in bytes. */
typedef struct store_apart_fixed {
    WW_TO(unsigned char) to;
    WW_FROM(unsigned char) from; /* NULL: the value */
    uint64_t count, words, word;
    uint64_t to_apart, from_apart; /* the latter wraps: it may count downwards */
    uint64_t value[WW_VALUE_MOST / 8];
} store_apart_fixed;

/* Integers of `size` bytes. */
typedef struct store_counted_fixed {
    WW_TO(void) to;
    uint64_t count, size, first, stride;
} store_counted_fixed;

/* Indices are of 4 or 8 bytes; the limit and what checks it come behind. */
typedef struct store_picked_fixed {
    WW_TO(unsigned char) to;
    WW_FROM(unsigned char) from;
    WW_FROM(void) index;
    uint64_t count, words, word;
    uint32_t index_bytes, is_signed;
} store_picked_fixed;

/* Elements of `from`, of `words` words each, `from_apart` bytes apart, to `to`: to where they stand, or to indices (of 4 or 8 bytes, or NULL).
 * `number`, `only` and `range`: as store_into.cu's. */
typedef struct store_placed_fixed {
    WW_TO(unsigned char) to;
    WW_FROM(unsigned char) from;
    WW_FROM(void) index;
    WW_FROM(void) number;
    WW_FROM(uint8_t) only;
    WW_FROM(uint64_t) range;
    uint64_t count, words, word, from_apart;
    uint32_t index_bytes, is_signed, number_bytes, unused;
} store_placed_fixed;

/* Types are numbered as function/types.h numbers them. */
typedef struct store_cast_fixed {
    WW_TO(void) to;
    WW_FROM(void) from;
    uint64_t count;
    uint32_t to_type, from_type;
} store_cast_fixed;

#endif
