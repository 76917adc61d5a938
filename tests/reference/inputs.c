#include "reference/inputs.h"

#include <math.h>
#include <string.h>

#include "reference/half.h"

/* Any number: an integer modulo 2^128, or a float. */
typedef struct number {
    bool is_float;
    double value;
    ww_u128 bits;
} number;

static number read_number(const ww_type *type, const unsigned char *at) {
    number x = {type->kind == WW_KIND_FLOAT, 0, 0};
    float narrow;
    if (reference_is_half(type)) {
        x.value = reference_half_value(type, at);
    } else if (x.is_float && type->size == 4) {
        memcpy(&narrow, at, 4);
        x.value = (double)narrow;
    } else if (x.is_float) {
        memcpy(&x.value, at, 8);
    } else {
        memcpy(&x.bits, at, type->size);
        const unsigned width = 8 * (unsigned)type->size;
        if (type->kind == WW_KIND_SIGNED && width < 128 && (x.bits >> (width - 1) & 1)) x.bits |= ~(ww_u128)0 << width;
    }
    return x;
}

/* The integer of a float, digit by digit of base two. */
static ww_u128 magnitude(double x) {
    ww_u128 bits = 0;
    x = floor(x);
    for (int k = 127; k >= 0; k--)
        if (x >= ldexp(1, k)) {
            x -= ldexp(1, k);
            bits |= (ww_u128)1 << k;
        }
    return bits;
}

static ww_u128 float_to_integer(double x, const ww_type *to) {
    const bool is_signed = to->kind == WW_KIND_SIGNED;
    const int width = 8 * (int)to->size - is_signed;
    if (isnan(x)) return 0;
    if (x >= ldexp(1, width)) return width == 128 ? ~(ww_u128)0 : ((ww_u128)1 << width) - 1;
    if (x >= 0) return magnitude(x);
    if (!is_signed) return 0;
    if (x <= -ldexp(1, width)) return (ww_u128)0 - ((ww_u128)1 << width);
    return (ww_u128)0 - magnitude(-x);
}

static void integer_to_float(unsigned char *out, const ww_type *to, const ww_type *from, ww_u128 bits) {
    const bool negative = from->kind == WW_KIND_SIGNED && bits >> 127;
    const ww_u128 size = negative ? 0 - bits : bits;
    if (reference_is_half(to)) {
        /* As many bits as a double has; what is cut off is not nothing. */
        unsigned cut = 0;
        while (size >> cut >> 53) cut++;
        const ww_u128 kept = size >> cut, odd = kept << cut != size;
        const double x = ldexp((double)(uint64_t)(kept | odd), (int)cut);
        reference_put_half(to, negative ? -x : x, out);
    } else if (to->size == 4) {
        const float x = negative ? -(float)size : (float)size;
        memcpy(out, &x, 4);
    } else {
        const double x = negative ? -(double)size : (double)size;
        memcpy(out, &x, 8);
    }
}

static void float_to_float(unsigned char *out, const ww_type *to, double value) {
    static const uint32_t nan4 = 0x7FC00000u;
    static const uint64_t nan8 = 0x7FF8000000000000u;
    const float narrow = (float)value;
    if (reference_is_half(to))
        reference_put_half(to, value, out);
    else if (to->size == 4)
        memcpy(out, isnan(value) ? (const void *)&nan4 : &narrow, 4);
    else
        memcpy(out, isnan(value) ? (const void *)&nan8 : &value, 8);
}

void reference_cast(void *out, const ww_type *to, const void *in, const ww_type *from, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char *const at = (unsigned char *)out + i * to->size;
        const number x = read_number(from, (const unsigned char *)in + i * from->size);
        if (to == from) {
            memcpy(at, (const unsigned char *)in + i * from->size, to->size);
        } else if (to->kind != WW_KIND_FLOAT) {
            const ww_u128 bits = x.is_float ? float_to_integer(x.value, to) : x.bits;
            memcpy(at, &bits, to->size);
        } else if (x.is_float) {
            float_to_float(at, to, x.value);
        } else {
            integer_to_float(at, to, from, x.bits);
        }
    }
}

void reference_strided(void *out, const void *in, size_t size, int64_t first, int64_t stride, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy((unsigned char *)out + i * size,
               (const unsigned char *)in + (size_t)(first + (int64_t)i * stride) * size, size);
}

void reference_permuted(void *out, const void *in, size_t size, const uint64_t *index, size_t n) {
    for (size_t i = 0; i < n; i++)
        memcpy((unsigned char *)out + i * size, (const unsigned char *)in + index[i] * size, size);
}

void reference_member(void *out, size_t room, size_t offset, const void *in, size_t size, size_t n) {
    for (size_t i = 0; i < n; i++)
        memcpy((unsigned char *)out + i * room + offset, (const unsigned char *)in + i * size, size);
}
