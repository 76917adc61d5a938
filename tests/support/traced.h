/* What a call says under WARPWISE_TRACE=1: the loops or kernels that it runs.
 *
 *     ww_device *device = traced_open();
 *     traced t = traced_begin();
 *     const ww_status status = ww_scan(device, …);
 *     traced_end(&t, text, sizeof text);
 *     expect_launches(text, "hillis_steele_begin", "hillis_steele_step", …); */
#ifndef TESTS_TRACED_H
#define TESTS_TRACED_H

#include <stdio.h>

#include "support/cases.h"

/* The first setting's handle, which traces its calls. */
ww_device *traced_open(void);

typedef struct traced {
    FILE *file;
    int standard_error;
} traced;

/* Keeps what goes to standard error in between. */
traced traced_begin(void);
void traced_end(traced *t, char *text, size_t room);

/* The trace has these kernels, in this order, and no other. */
void expect_launches_at(const char *file, int line, const char *text, ...);
#define expect_launches(...) expect_launches_at(__FILE__, __LINE__, __VA_ARGS__, (const char *)NULL)

#endif
