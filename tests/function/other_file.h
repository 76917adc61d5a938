/* Another source file of a caller's: its functions, and what they are on a CPU. */
#ifndef TESTS_OTHER_FILE_H
#define TESTS_OTHER_FILE_H

#include <warpwise.h>

extern const ww_function *const other_scrambled, *const other_turned;
uint32_t other_scramble(uint32_t x);
uint32_t other_turn(uint32_t x);

#endif
