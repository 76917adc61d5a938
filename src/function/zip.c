/* Structs of several inputs' elements, tile by tile: columns in, rows out, both in the first-level cache. */
#include "function/computed.h"

#include <string.h>

/* Two, three or four columns of one width, which compilers interleave by vectors. */
#define INTERLEAVE(T) \
    static void interleave_##T(T *WW__R to, const void *const *on, uint32_t many, size_t n) { \
        const T *WW__R a = on[0], *WW__R b = on[1], *WW__R c = many > 2 ? on[2] : a, *WW__R d = many > 3 ? on[3] : a; \
        if (many == 2) \
            for (size_t i = 0; i < n; i++) { \
                to[2 * i] = a[i]; \
                to[2 * i + 1] = b[i]; \
            } \
        else if (many == 3) \
            for (size_t i = 0; i < n; i++) { \
                to[3 * i] = a[i]; \
                to[3 * i + 1] = b[i]; \
                to[3 * i + 2] = c[i]; \
            } \
        else \
            for (size_t i = 0; i < n; i++) { \
                to[4 * i] = a[i]; \
                to[4 * i + 1] = b[i]; \
                to[4 * i + 2] = c[i]; \
                to[4 * i + 3] = d[i]; \
            } \
    }
INTERLEAVE(uint32_t)
INTERLEAVE(uint64_t)

#define PUT(bytes) \
    case bytes: \
        for (size_t i = 0; i < n; i++) memcpy(to + i * apart, from + i * (bytes), bytes); \
        return;

static void put_column(unsigned char *to, size_t apart, const unsigned char *from, size_t size, size_t n) {
    switch (size) {
        PUT(1)
        PUT(2)
        PUT(4)
        PUT(8)
        PUT(16)
    default:
        for (size_t i = 0; i < n; i++) memcpy(to + i * apart, from + i * size, size);
    }
}

void ww__read_zip(const ww_input *input, uint32_t s, const void *const *on, size_t n, void *out) {
    const size_t size = ww__step_size(input, s);
    uint32_t from[WW_ZIP_MOST];
    const uint32_t many = ww__step_operands(input, s, from);
    size_t filled = 0, sizes[WW_ZIP_MOST], at[WW_ZIP_MOST], end = 0;
    bool same = many >= 2 && many <= 4;
    for (uint32_t k = 0; k < many; k++) { /* as C lays members out */
        sizes[k] = ww__step_size(input, from[k]);
        at[k] = ww__round_up(end, ww__step_type(input, from[k])->alignment);
        end = at[k] + sizes[k];
        filled += sizes[k];
        same = same && sizes[k] == sizes[0] && ww__step_type(input, from[k])->alignment == sizes[0];
    }
    if (same && sizes[0] == 4) {
        interleave_uint32_t(out, on, many, n);
    } else if (same && sizes[0] == 8) {
        interleave_uint64_t(out, on, many, n);
    } else {
        if (filled != size) memset(out, 0, n * size);
        for (uint32_t k = 0; k < many; k++) put_column((unsigned char *)out + at[k], size, on[k], sizes[k], n);
    }
}
