/* What auto.cu and auto_again.cu take: the numbers are in characters from the text's base. The pattern's image comes behind it,
 * where it is short (WW_INLINE_WORDS). */
#ifndef WW_AUTO_ARGUMENTS_CUH
#define WW_AUTO_ARGUMENTS_CUH

#include "device/kernel/chain_arguments.cuh"

enum { FIND_STEPS = 6 };

typedef struct find_text {
    const unsigned char *base;
    uint64_t begin, end; /* bytes */
} find_text;

/* The pattern as the text has it: `words` words and one of zeros; where case is ignored as many whose bits are set where
 * the text must agree; then a bit for each distance below `characters` at which the pattern fits on itself. */
typedef struct find_pattern {
    const uint32_t *memory; /* null: it is in the arguments */
    uint32_t words, last;   /* last: the bits of the last word that belong to the pattern */
    uint64_t characters;
} find_pattern;

/* 0 before the call. */
typedef struct find_state {
    uint64_t work;     /* bytes of candidates that were compared */
    uint32_t exceeded; /* it was too much: all is found again */
    uint32_t unused;
} find_state;

/* Where results go. */
typedef struct find_results {
    WW_TO(ww_position) positions;
    uint64_t room;
    WW_TO(ww_count) total;
    uint64_t *best;  /* of the first or last match: all bits set before */
    uint32_t *marks; /* a bit for each start */
} find_results;

typedef struct clear_arguments {
    uint64_t *word;
    uint64_t words;
} clear_arguments;

typedef struct find_fixed {
    find_text text;
    find_pattern pattern;
    find_results results;
    find_state *state;
    ww_chain chain;
    uint64_t origin;      /* the first tile's first byte */
    uint64_t tiles;
    uint64_t first, past; /* windows of the first start, and behind that of the last one */
    uint64_t at;          /* the window's place in the pattern */
    uint64_t limit;       /* of bytes compared, in all */
    uint32_t limit_warp;  /* in one warp of a tile */
    uint32_t factor[2], sought;
    uint32_t window[2], keep[2]; /* the window's words, and the bits of them that count */
} find_fixed;

typedef struct again_fixed {
    find_text text;
    find_pattern pattern;
    find_results results;
    const find_state *state;
    ww_chain chain;
    uint64_t first;                     /* the first start's character */
    uint64_t starts, segment, segments; /* segment: starts of one, a multiple of a round's */
    uint64_t base, target;              /* of the fingerprint; the pattern's */
    uint64_t drop;                      /* base to the power of the pattern's length */
    uint64_t step[FIND_STEPS];          /* base to the power of 32 places, 64, ..., 1024 */
} again_fixed;

#endif
