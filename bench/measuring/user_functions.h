/* Functions as a user of the library would write them. user_functions.c is compiled at -O2 by the project's compiler and,
 * where there is one, by the other of gcc and clang: what a user's own compiler makes of the macros is what is timed. */
#ifndef BENCH_USER_FUNCTIONS_H
#define BENCH_USER_FUNCTIONS_H

#include "warpwise.h"

typedef struct user_functions {
    const char *compiler;
    const ww_function *add;    /* WW_COMBINE of u32: a + b */
    const ww_function *affine; /* WW_MAP of u32: x * 2 + 1 */
    const ww_function *odd;    /* WW_MAP of u32 to u8: x & 1 */
    const ww_function *rare;   /* WW_MAP of u32 to u8: x < 2^32 / 100 */
    const ww_function *top8;   /* WW_MAP of u32: x >> 23, 256 buckets of 31-bit numbers */
    const ww_function *before; /* WW_LESS of u32: a < b */
} user_functions;

extern const user_functions user_functions_here;
#ifdef BENCH_OTHER_COMPILER
extern const user_functions user_functions_other;
#endif

#endif
