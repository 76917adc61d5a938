/* A run is written a vector at a time, its first vector without looking how long the run is: what is too much the next run
 * writes over. So short runs of different lengths take no branch that a processor could guess wrongly. */
#include "primitive/expand/fill_runs.h"

#include <string.h>

typedef struct sixteen {
    uint64_t half[2];
} sixteen;

/* LANES elements of T are a vector of 32 bytes. x(k) is element k of a run. */
#define PUT_RUN(T, to, length, x) \
    do { \
        enum { LANES = 32 / sizeof(T) }; \
        const size_t many_ = (length); \
        for (size_t l_ = 0; l_ < LANES; l_++) (to)[l_] = x(l_); \
        for (size_t k_ = LANES; k_ < many_; k_ += LANES) \
            for (size_t l_ = 0; l_ < LANES; l_++) (to)[k_ + l_] = x(k_ + l_); \
        (to) += many_; \
    } while (0)

#define ELEMENTS(T) \
    static void *fill_##T(T *to, const unsigned char *from, const uint32_t *lengths, size_t runs) { \
        for (size_t i = 0; i < runs; i++) { \
            T element; \
            memcpy(&element, from + i * sizeof element, sizeof element); \
            PUT_RUN(T, to, lengths[i], SAME); \
        } \
        return to; \
    }
#define SAME(k) element
ELEMENTS(uint8_t)
ELEMENTS(uint16_t)
ELEMENTS(uint32_t)
ELEMENTS(uint64_t)
ELEMENTS(sixteen)
#undef SAME

static void *fill_any(unsigned char *to, const unsigned char *from, size_t size, const uint32_t *lengths, size_t runs) {
    for (size_t i = 0; i < runs; i++)
        for (uint32_t k = 0; k < lengths[i]; k++, to += size) memcpy(to, from + i * size, size);
    return to;
}

void *ww__fill_elements(void *to, const void *from, size_t size, const uint32_t *lengths, size_t runs) {
    switch (size) {
    case 1:
        return fill_uint8_t(to, from, lengths, runs);
    case 2:
        return fill_uint16_t(to, from, lengths, runs);
    case 4:
        return fill_uint32_t(to, from, lengths, runs);
    case 8:
        return fill_uint64_t(to, from, lengths, runs);
    case 16:
        return fill_sixteen(to, from, lengths, runs);
    }
    return fill_any(to, from, size, lengths, runs);
}

#define NUMBERS(T) \
    static void number_##T(T *to, uint64_t first, const uint32_t *lengths, size_t runs) { \
        for (size_t i = 0; i < runs; i++) { \
            const T element = (T)(first + i); \
            PUT_RUN(T, to, lengths[i], SAME); \
        } \
    } \
    static void rank_##T(T *to, uint64_t begin, const uint32_t *lengths, size_t runs) { \
        for (size_t i = 0; i < runs; i++) { \
            const T element = (T)(i ? 0 : begin); \
            PUT_RUN(T, to, lengths[i], RISING_##T); \
        } \
    }
#define SAME(k) element
#define RISING_uint32_t(k) (element + (uint32_t)(k))
#define RISING_uint64_t(k) (element + (uint64_t)(k))
NUMBERS(uint32_t)
NUMBERS(uint64_t)

void ww__fill_numbers(void *to, size_t size, uint64_t first, const uint32_t *lengths, size_t runs) {
    if (size == sizeof(uint32_t))
        number_uint32_t(to, first, lengths, runs);
    else
        number_uint64_t(to, first, lengths, runs);
}

void ww__fill_ranks(void *to, size_t size, uint64_t begin, const uint32_t *lengths, size_t runs) {
    if (size == sizeof(uint32_t))
        rank_uint32_t(to, begin, lengths, runs);
    else
        rank_uint64_t(to, begin, lengths, runs);
}
