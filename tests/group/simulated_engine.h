/* An engine around another one on which things go wrong: pauses at random before each call, which change who comes first, and one call
 * that fails as a broken transport does. */
#ifndef TESTS_GROUP_SIMULATED_ENGINE_H
#define TESTS_GROUP_SIMULATED_ENGINE_H

#include <stdint.h>

#include "warpwise/group.h"

typedef struct simulated {
    ww_engine under;
    uint64_t random;
    uint32_t most_us;  /* of a pause */
    uint64_t fails_at; /* the so-many-th exchange, gather or wait is LOST; 0: none */
    uint64_t calls;    /* of these, so far */
} simulated;

/* The engine that a group is given in place of s->under. */
ww_engine simulated_engine(simulated *s);

#endif
