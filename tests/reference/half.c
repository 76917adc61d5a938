#include "reference/half.h"

#include <math.h>
#include <string.h>

bool reference_is_half(const ww_type *type) { return type == &ww_type_ww_f16 || type == &ww_type_ww_bf16; }

static int fraction_bits(const ww_type *type) { return type == &ww_type_ww_f16 ? 10 : 7; }
/* Of the smallest normal number. */
static int least_exponent(const ww_type *type) { return type == &ww_type_ww_f16 ? -14 : -126; }

double reference_half_value(const ww_type *type, const void *half) {
    const int fraction = fraction_bits(type), exponents = 1 << (15 - fraction);
    uint16_t bits;
    memcpy(&bits, half, sizeof bits);
    const int exponent = bits >> fraction & (exponents - 1), rest = bits & ((1 << fraction) - 1);
    double value;
    if (exponent == exponents - 1)
        value = rest ? (double)NAN : (double)INFINITY;
    else if (exponent)
        value = ldexp((1 << fraction) + rest, exponent - 1 + least_exponent(type) - fraction);
    else
        value = ldexp(rest, least_exponent(type) - fraction);
    return bits >> 15 ? -value : value;
}

void reference_put_half(const ww_type *type, double value, void *half) {
    const int fraction = fraction_bits(type), least = least_exponent(type);
    const unsigned infinity = ((1u << (15 - fraction)) - 1) << fraction;
    const double size = fabs(value);
    unsigned bits = infinity;
    if (isnan(value)) {
        bits = infinity | 1u << (fraction - 1);
    } else if (!isinf(value)) {
        int exponent = size > 0 ? ilogb(size) : least;
        if (exponent < least) exponent = least;
        const double steps = nearbyint(ldexp(size, fraction - exponent)); /* to even */
        /* As whole numbers, halves follow one another: one more than all ones is the next power of two. */
        const double number = steps + ldexp(exponent - least, fraction);
        bits = number < infinity ? (unsigned)number : infinity;
    }
    if (signbit(value) && !isnan(value)) bits |= 0x8000;
    const uint16_t put = (uint16_t)bits;
    memcpy(half, &put, sizeof put);
}
