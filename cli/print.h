/* Printing values: with as many digits as read back to the same value, and no more. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "arguments.h"

enum { VALUE_TEXT = 48 }; /* 2^128 has 39 digits, -1.7976931348623157e+308 24 characters */

/* One element of a built-in type. */
const char *value_text(const ww_type *type, const void *element, char text[VALUE_TEXT]);

/* An integer as sign and size; a double. */
const char *integer_text(bool negative, magnitude size, char text[VALUE_TEXT]);
const char *double_text(double value, char text[VALUE_TEXT]);

/* Writes the digits of n, and returns what is behind them. */
char *put_digits(char *to, uint64_t n);

#endif
