/* Texts and sets of patterns for the tests of finding many at once. */
#ifndef TESTS_LITERALS_H
#define TESTS_LITERALS_H

#include "support/cases.h"

/* What patterns are like. */
typedef enum literals_kind {
    LITERALS_RANDOM, /* of the text's alphabet */
    LITERALS_TAKEN,  /* parts of the text */
    LITERALS_NESTED, /* a, aa, aaa, … */
    LITERALS_PREFIX, /* one long beginning, random ends */
    LITERALS_SUFFIX, /* random beginnings, one end */
    LITERALS_EQUAL,  /* a few, each many times */
    LITERALS_BYTES   /* any bytes, many of them 0 and 255 */
} literals_kind;

typedef struct literals_case {
    const char *name;
    size_t n;
    unsigned alphabet; /* letters of the text; 1: it is "aaa…" with a few others */
    literals_kind kind;
    size_t count, shortest, longest;
    bool fold;
} literals_case;

typedef struct literals {
    unsigned char *block, *text; /* the text ends where the block does */
    size_t n, count;
    unsigned char *bytes;
    uint64_t *offsets;
} literals;

/* `begin`: how many bytes behind a multiple of 16 the text begins, below 16. */
literals literals_new(const literals_case *c, size_t begin, uint64_t seed);
void literals_free(literals *l);

/* The cases that both tests run. */
extern const literals_case literals_cases[];
extern const size_t literals_count;

#endif
