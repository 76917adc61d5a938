/* Numbers as text, fast: one element from its characters, and the characters of one element. */
#ifndef CLI_TEXT_NUMBERS_H
#define CLI_TEXT_NUMBERS_H

#include "print.h"

typedef enum reading {
    READ_WELL,
    READ_NOTHING, /* no characters but spaces */
    READ_NO_NUMBER,
    READ_NO_WHOLE, /* a number with a fraction or an exponent, and the type is of integers */
    READ_OUTSIDE   /* the type has no such number */
} reading;

/* Decimal integers, and for floats "1.5", "-2e-3", "inf", "nan"; spaces and tabs around them are left out. Floats are the
 * nearest ones; what is beyond the largest is outside. The type is a built-in one of numbers. */
reading read_element(const ww_type *type, const char *text, size_t length, void *element);

/* The fewest digits that read back to the same value, with an exponent only where it is below -4 or above 14 (f32: 5).
 * Returns how many characters; there is no end. */
size_t put_element(const ww_type *type, const void *element, char text[VALUE_TEXT]);

#endif
