/* Elements that lie apart, and numbers that count by a step. Either is a loop of one load and one store for each element. */
#include "function/computed.h"

#include <string.h>

#include "warpwise/function_widths.h"

/* Two, three or four apart, vectors read what lies between, too, and leave it. */
#define NEAR_BY(width, T, APART) \
    WW__LOOP(width) void near_##T##_##APART##_##width(void *out, const void *in, size_t n) { \
        T *WW__R to = out; \
        const T *WW__R from = in; \
        size_t i = 0; \
        for (; i + 64 < n; i += 64) { \
            for (size_t f = 0; f < 64 * APART * sizeof(T); f += 128) WW__FETCH((const char *)(from + i * APART) + f); \
            for (size_t k = i; k < i + 64; k++) to[k] = from[k * APART]; \
        } \
        for (; i < n; i++) to[i] = from[i * APART]; \
    }
#define NEAR_LOOPS(width, unused) \
    NEAR_BY(width, uint32_t, 2) \
    NEAR_BY(width, uint32_t, 3) \
    NEAR_BY(width, uint32_t, 4) \
    NEAR_BY(width, uint64_t, 2) \
    NEAR_BY(width, uint64_t, 3) \
    static near_loop *const ww__loops_near_##width[2][3] = { \
        {near_uint32_t_2_##width, near_uint32_t_3_##width, near_uint32_t_4_##width}, \
        {near_uint64_t_2_##width, near_uint64_t_3_##width, NULL}};
typedef void near_loop(void *out, const void *in, size_t n);
WW__EACH_WIDTH(NEAR_LOOPS, 0)
static near_loop *const (*const near_by_width[WW_VECTORS])[2][3] = WW__TABLES(near);

/* NULL: there is none. */
static near_loop *near_of(const ww_device *device, const ww_step *step, size_t size) {
    const bool words = (size == 4 || size == 8) && step->type->alignment == size;
    if (!words || device->vector == WW_VECTOR_PLAIN || step->number < 2 || step->number > 4) return NULL;
    return (*near_by_width[device->vector])[size == 8][step->number - 2];
}

/* Of a size that the compiler knows; memory is asked for ahead of where it is read. */
#define COPY(bytes) \
    case bytes: \
        for (; n >= 8; n -= 8, at += 8 * apart, to += 8 * (bytes)) { \
            __builtin_prefetch((const void *)(at + ahead)); \
            for (size_t i = 0; i < 8; i++) memcpy(to + i * (bytes), (const void *)(at + i * apart), bytes); \
        } \
        for (size_t i = 0; i < n; i++) memcpy(to + i * (bytes), (const void *)(at + i * apart), bytes); \
        return;

/* Places are kept as numbers: behind the last element there may be no memory, and what is asked for ahead may be none. */
static void copy_strided(unsigned char *to, uintptr_t at, uintptr_t apart, size_t size, size_t n) {
    const uintptr_t ahead = 32 * apart;
    switch (size) {
        COPY(1)
        COPY(2)
        COPY(4)
        COPY(8)
        COPY(12)
        COPY(16)
    default:
        for (size_t i = 0; i < n; i++, at += apart, to += size) memcpy(to, (const void *)at, size);
    }
}

/* Backwards, the commonest stride but 1: vectors turn neighbours round. */
#define REVERSE(T) \
    case sizeof(T): { \
        const T *const x = (const T *)from; \
        for (size_t i = 0; i < n; i++) ((T *)to)[i] = x[-(ptrdiff_t)i]; \
        return; \
    }

static void copy_reversed(void *to, const unsigned char *from, size_t size, size_t n) {
    switch (size) {
        REVERSE(uint8_t)
        REVERSE(uint16_t)
        REVERSE(uint32_t)
        REVERSE(uint64_t)
    default:
        copy_strided(to, (uintptr_t)from, 0 - size, size, n);
    }
}

void ww__read_strided(const ww_device *device, const ww_step *step, size_t size, uint64_t first, size_t n, void *out) {
    near_loop *const near = near_of(device, step, size);
    const uintptr_t apart = (uintptr_t)step->number * size;
    const uintptr_t from = (uintptr_t)step->data + (uintptr_t)first * apart;
    if (near)
        near(out, (const void *)from, n); /* NOLINT(performance-no-int-to-ptr) */
    else if (step->number == UINT64_MAX && step->type->alignment == size)
        copy_reversed(out, (const unsigned char *)from, size, n);
    else
        copy_strided(out, from, apart, size, n);
}

void ww__read_counting_by(const ww_step *step, uint64_t first, size_t n, void *out) {
    const ww__counting_by by = ww__step_counting_by(step);
    const uint64_t begin = by.first + first * by.stride;
    switch (step->type->size) {
#define COUNT(T) \
    case sizeof(T): \
        for (size_t i = 0; i < n; i++) ((T *)out)[i] = (T)(begin + i * by.stride); \
        return;
        COUNT(uint8_t)
        COUNT(uint16_t)
        COUNT(uint32_t)
        COUNT(uint64_t)
#if WW_HAS_U128
        COUNT(ww_u128)
#endif
#undef COUNT
    }
}
