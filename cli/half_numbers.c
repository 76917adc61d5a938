#include "half_numbers.h"

#include <math.h>
#include <string.h>

double half_value(const ww_type *type, const void *element) {
    uint16_t bits;
    memcpy(&bits, element, sizeof bits);
    return (double)(type == &ww_type_ww_bf16 ? ww_float_of_bf16((ww_bf16){bits}) : ww_float_of_f16((ww_f16){bits}));
}

/* By way of a float: what that does not hold sets its last bit instead, so that all is rounded once. */
void put_half(const ww_type *type, double value, void *element) {
    const float single = (float)value;
    uint32_t bits = ww_bits_float(single);
    if ((double)single != value && !isnan(value)) {
        bits -= fabs((double)single) > fabs(value);
        bits |= 1;
    }
    const float near = ww_float_of_bits(bits);
    const uint16_t half = type == &ww_type_ww_bf16 ? ww_bf16_of_float(near).bits : ww_f16_of_float(near).bits;
    memcpy(element, &half, sizeof half);
}
