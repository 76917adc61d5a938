/* One call of each primitive that divides its work among threads, large enough that it does, with what a plain loop or an
 * oracle of tests/reference makes of it. Inputs are the outputs' own memory wherever the manual allows that. */
#ifndef TESTS_CALLS_H
#define TESTS_CALLS_H

#include "support/cases.h"

enum { CALL_N = 262147, CALL_COUNTS = 512 };

/* What calls read and write. a and b begin as a_before and b_before. */
typedef struct call_data {
    uint32_t *a, *b;
    uint64_t counts[CALL_COUNTS];
} call_data;

typedef struct one_call {
    const char *name;
    ww_status (*run)(ww_device *device, call_data *d);
    void (*oracle)(call_data *d); /* the same, serially, to the same data */
} one_call;

extern const one_call calls[];
size_t calls_many(void);

/* Makes what all calls read; once. */
void calls_begin(void);
void calls_end(void);

/* Runs a call and expects what its oracle says. */
void call_check(ww_device *device, const one_call *call);

#endif
