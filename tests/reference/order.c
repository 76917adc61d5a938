#include "reference/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INTEGER(label, type) \
    bool reference_##label##_up(const void *a, const void *b) { return *(const type *)a < *(const type *)b; } \
    bool reference_##label##_down(const void *a, const void *b) { return *(const type *)a > *(const type *)b; }
INTEGER(u8, uint8_t)
INTEGER(u16, uint16_t)
INTEGER(u32, uint32_t)
INTEGER(u64, uint64_t)
INTEGER(i8, int8_t)
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;
INTEGER(u128, u128)
INTEGER(i128, i128)
#endif

/* -NaN, numbers, NaN; among NaNs of one sign by their payload; -0.0 before 0.0. */
#define FLOAT(label, type, bits) \
    static bool label##_before(type x, type y) { \
        const bool x_minus = signbit(x), y_minus = signbit(y); \
        if (x_minus != y_minus) return x_minus; \
        bits bx, by; \
        memcpy(&bx, &x, sizeof x); \
        memcpy(&by, &y, sizeof y); \
        if (isnan(x) && isnan(y)) return x_minus ? bx > by : bx < by; \
        if (isnan(x)) return x_minus; \
        if (isnan(y)) return !y_minus; \
        return x < y; \
    } \
    bool reference_##label##_up(const void *a, const void *b) { \
        return label##_before(*(const type *)a, *(const type *)b); \
    } \
    bool reference_##label##_down(const void *a, const void *b) { \
        return label##_before(*(const type *)b, *(const type *)a); \
    }
FLOAT(f32, float, uint32_t)
FLOAT(f64, double, uint64_t)

/* The same of floats of 16 bits: the number that sign and magnitude are, -0 one below 0. */
static int half_place(const void *x) {
    uint16_t bits;
    memcpy(&bits, x, sizeof bits);
    return bits >> 15 ? -1 - (bits & 0x7FFF) : bits;
}
bool reference_f16_up(const void *a, const void *b) { return half_place(a) < half_place(b); }
bool reference_f16_down(const void *a, const void *b) { return half_place(b) < half_place(a); }
bool reference_bf16_up(const void *a, const void *b) { return half_place(a) < half_place(b); }
bool reference_bf16_down(const void *a, const void *b) { return half_place(b) < half_place(a); }

void reference_sort(void *x, size_t n, size_t size, reference_before *before) {
    if (n < 2) return;
    unsigned char *const left = x, *const right = left + n / 2 * size;
    const size_t na = n / 2, nb = n - na;
    reference_sort(left, na, size, before);
    reference_sort(right, nb, size, before);
    unsigned char *merged = malloc(n * size);
    if (!merged) abort();
    size_t i = 0, j = 0;
    for (size_t k = 0; k < n; k++) {
        const bool second = i == na || (j < nb && before(right + j * size, left + i * size));
        memcpy(merged + k * size, second ? right + j++ * size : left + i++ * size, size);
    }
    memcpy(x, merged, n * size);
    free(merged);
}
