/* Permuting, and the machine's messages: what one processor tells to all. */
#ifndef WW__BANKED_PERMUTE_H
#define WW__BANKED_PERMUTE_H

#include "matrix.h"

/* A label is where a word belongs: row label / width, column label mod width. Words are labels above items of 32 bits. */
enum { WW__ITEM_BITS = 32 };

/* Areas and counters of a run that permutes: the labels' two, and the third where words arrive. */
enum { WW__PERMUTE_AREAS = 3 };

typedef struct ww__permutation {
    ww__run *run;
    ww__rows rows;
    uint64_t width;
    uint64_t arrived; /* where the area begins to which words are sent */
    uint64_t mail;    /* the last column: what one processor writes for another */
    uint64_t *left;   /* for each processor: how many labels are still in its row */
    uint64_t random;  /* the state of processor 0's generator */
} ww__permutation;

/* The run has words in its area, and finds them again in the area `arrived`. */
ww_status ww__permute_at_random(ww__permutation *p);
/* The last labels (finish.c): rows have those that are left from the beginning of the run's area on; `packed` columns are
 * enough for twice as many. */
ww_status ww__permute_rest(ww__permutation *p, uint64_t packed);
/* By a colouring that is made before the first step (offline.c). */
ww_status ww__permute_offline(ww__permutation *p);
/* The colouring's number of colours: the power of two from `width` on. */
uint64_t ww__colours_of(uint64_t width);

/* Processor 0 draws a random word and tells all. 2 log2 m steps. */
uint64_t ww__tell_all_random(ww__permutation *p);
/* The sum and the largest of left[], told to all. 8 log2 m steps, rounded up. */
typedef struct ww__left_over {
    uint64_t sum, most;
} ww__left_over;
ww__left_over ww__tell_all_left(ww__permutation *p);

/* Mixes 64 bits (splitmix64's last part). */
static inline uint64_t ww__mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint64_t ww__label(uint64_t word) { return word >> WW__ITEM_BITS; }

#endif
