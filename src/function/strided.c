/* Elements that lie apart, and numbers that count by a step. Either is a loop of one load and one store for each element. */
#include "function/computed.h"

#include <string.h>

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

void ww__read_strided(const ww_step *step, size_t size, uint64_t first, size_t n, void *out) {
    const uintptr_t apart = (uintptr_t)step->number * size;
    const uintptr_t from = (uintptr_t)step->data + (uintptr_t)first * apart;
    if (step->number == UINT64_MAX && step->type->alignment == size)
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
