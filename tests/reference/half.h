/* Floats of 16 bits from their definition: sign, exponent, fraction. */
#ifndef REFERENCE_HALF_H
#define REFERENCE_HALF_H

#include "warpwise.h"

bool reference_is_half(const ww_type *type);
double reference_half_value(const ww_type *type, const void *half);
/* The nearest one, of two that are as near the even one; a NaN is the quiet one of no sign. */
void reference_put_half(const ww_type *type, double value, void *half);

#endif
