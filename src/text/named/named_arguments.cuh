/* What the kernels of the named methods take. */
#ifndef WW_NAMED_ARGUMENTS_CUH
#define WW_NAMED_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { POWERS = 10 };

typedef struct named_arguments {
    WW_FROM(uint8_t) text;
    WW_TO(uint32_t) marks;
    uint64_t bytes, starts;   /* of the text; at which a match may begin */
    WW_FROM(uint8_t) pattern; /* a byte a character */
    uint64_t m, period;       /* the pattern's characters, and its least period */
    uint64_t each;            /* starts of a subtext, a multiple of MARK_BITS */
    uint64_t wanted;          /* the pattern's fingerprint */
    uint64_t leaving;         /* what a character that leaves counts */
    uint64_t skimmed;         /* characters of the part that is skimmed for */
    uint32_t base;
    uint32_t power[POWERS]; /* of the base: to a thread's characters, twice as many, ... */
    uint32_t unused;
} named_arguments;

#endif
