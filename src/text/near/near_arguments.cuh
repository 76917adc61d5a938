/* What near.cu takes. */
#ifndef WW_NEAR_ARGUMENTS_CUH
#define WW_NEAR_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { NEAR_PARTS_MOST = 16, NEAR_WORDS_MOST = 64 };

typedef struct near_arguments {
    WW_TO(uint16_t) marks; /* 16 starts each */
    WW_FROM(unsigned char) text;
    uint64_t count, starts, halves; /* characters, starts, numbers of marks */
    uint32_t off;                   /* the text begins so many bytes behind a multiple of 16 */
    uint32_t chunks, groups;        /* of 16 bytes: to be read; to be looked at for windows */
    uint32_t m, most, parts, last;  /* last: the bits that the last word of the pattern has */
    uint32_t unused;
    uint32_t window[NEAR_PARTS_MOST], place[NEAR_PARTS_MOST]; /* of each part */
    uint32_t pattern[NEAR_WORDS_MOST];
} near_arguments;

#endif
