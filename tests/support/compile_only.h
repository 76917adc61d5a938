/* A GPU that compiles and does nothing else (tools/kernel-pack/compile_only.h). */
#ifndef TESTS_COMPILE_ONLY_H
#define TESTS_COMPILE_ONLY_H

#include "device/gpu/driver.h"

typedef enum compile_only_effort {
    COMPILE_FULLY,   /* as users get it */
    COMPILE_QUICKLY, /* machine code that is hardly optimised, where this NVRTC can do that */
    COMPILE_TO_PTX /* the same without machine code: the assembler takes most of the time. What it would refuse in correct
                      * PTX is looked for: shared memory that no kernel may have, functions that nobody defined */
} compile_only_effort;

/* A handle whose programs are compiled for sm_`architecture`; NULL with a printed reason where there is no NVRTC. */
ww_device *compile_only_open(int architecture, compile_only_effort effort);

/* What is wrong with PTX, by its text, or NULL. */
const char *compile_only_fault_of(const char *ptx);

#endif
