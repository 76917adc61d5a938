/* The user's functions of the rows "with a user's …"; see user_functions.h. */
#include "measuring/user_functions.h"

WW_COMBINE(user_add, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b; });
WW_MAP(user_affine, uint32_t, uint32_t, x, void, none, { return x * 2 + 1; });
WW_MAP(user_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP(user_rare, uint8_t, uint32_t, x, void, none, { return x < 42949673; });
WW_MAP(user_top8, uint32_t, uint32_t, x, void, none, { return x >> 23; });
WW_LESS(user_before, uint32_t, a, b, { return a < b; });

#ifndef USER_FUNCTIONS
#define USER_FUNCTIONS user_functions_here
#endif

#ifdef __clang__
#define STRING(...) STRING_OF(__VA_ARGS__)
#define STRING_OF(...) #__VA_ARGS__
#define COMPILER "clang " STRING(__clang_major__.__clang_minor__.__clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

const user_functions USER_FUNCTIONS = {COMPILER " -O2", &user_add_ww,  &user_affine_ww, &user_odd_ww,
                                       &user_rare_ww,   &user_top8_ww, &user_before_ww};
