/* Elements at indices. A tile of the index is looked at as a whole; where all of it is inside, elements are moved without a question
 * each, and asked for some way ahead: their places are known. */
#include "function/computed.h"
#include "function/lookup.h"

#include <string.h>

/* ---- indices ---- */

uint64_t ww__index_at(const ww_type *type, const void *index, size_t i) {
    const bool is_signed = type->kind == WW_KIND_SIGNED;
    if (type->size == 8) return ((const uint64_t *)index)[i];
    return is_signed ? (uint64_t)(int64_t)((const int32_t *)index)[i] : ((const uint32_t *)index)[i];
}

/* Negative numbers are large ones without their sign; those of i32 must then not be below the limit. */
static uint64_t limit_of(const ww_type *type, uint64_t limit) {
    return type->size == 4 && type->kind == WW_KIND_SIGNED ? ww__min_u64(limit, (uint64_t)INT32_MAX + 1) : limit;
}

bool ww__all_inside(const ww_device *device, const ww_type *type, const void *index, size_t n, uint64_t limit) {
    return !n || ww__span_of(device, index, type->size == 8, n).most < limit_of(type, limit);
}

/* ---- moving ---- */

/* Elements that are asked for ahead, of arrays that do not fit into the nearest caches. */
enum { AHEAD = 24 };

#define MOVE(T, bytes) \
    case bytes: \
        for (; far && i + AHEAD < n; i++, to += (bytes)) { \
            __builtin_prefetch(from + x[i + AHEAD] * (size_t)(bytes)); \
            memcpy(to, from + x[i] * (size_t)(bytes), bytes); \
        } \
        for (; i + 8 <= n; i += 8, to += 8 * (bytes)) \
            _Pragma("GCC unroll 8") for (size_t k = 0; k < 8; k++) \
                memcpy(to + k * (bytes), from + x[i + k] * (size_t)(bytes), bytes); \
        for (; i < n; i++, to += (bytes)) memcpy(to, from + x[i] * (size_t)(bytes), bytes); \
        return;
#define MOVE_BY(T) \
    static void move_by_##T(unsigned char *to, const unsigned char *from, const void *index, size_t size, size_t n, \
                            bool far) { \
        const T *x = index; \
        size_t i = 0; \
        switch (size) { \
            MOVE(T, 1) \
            MOVE(T, 2) \
            MOVE(T, 4) \
            MOVE(T, 8) \
            MOVE(T, 12) \
            MOVE(T, 16) \
        default: \
            for (; i < n; i++, to += size) memcpy(to, from + x[i] * size, size); \
        } \
    }
MOVE_BY(uint32_t)
MOVE_BY(uint64_t)

/* ---- what is outside ---- */

/* The lowest position of all threads wins. */
static void keep_bad(const ww_device *device, uint64_t position, uint64_t value, uint64_t limit, const ww_type *type,
                     bool is_output) {
    ww__bad_index *const bad =
        &((ww_device *)(uintptr_t)device)->bad_index; /* one of its words changes while a call is under way */
    if (__atomic_load_n(&bad->position, __ATOMIC_RELAXED) <= position) return;
    while (__atomic_exchange_n(&bad->lock, 1, __ATOMIC_ACQUIRE)) {}
    if (bad->position > position) {
        bad->value = value;
        bad->limit = limit;
        bad->is_signed = type->kind == WW_KIND_SIGNED;
        bad->is_output = is_output;
        __atomic_store_n(&bad->position, position, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&bad->lock, 0, __ATOMIC_RELEASE);
}

void ww__keep_outside(const ww_device *device, uint64_t position, uint64_t index, uint64_t limit, const ww_type *type) {
    keep_bad(device, position, index, limit, type, false);
}

void ww__move_from(const ww_device *device, void *out, const void *array, const uint64_t *place, size_t size, size_t n,
                   uint64_t count) {
    const ww__lookup lookup = {array, count, size, true};
    if (!n || ww__look_up_words(device, &lookup, out, place, n)) return;
    const ww__span span = ww__span_of(device, place, true, n);
    move_by_uint64_t(out, array, place, size, n, ww__is_far(&span, size));
}

const void *ww__permuted_at(const ww_step *step, size_t size, const ww_type *index_type, const void *index, size_t i) {
    const uint64_t at = ww__index_at(index_type, index, i);
    return at < step->number ? (const unsigned char *)step->data + at * size : NULL;
}

void ww__read_permuted(const ww_device *device, const ww_step *step, size_t size, const ww_type *index_type,
                       const void *index, uint64_t first, size_t n, void *out) {
    unsigned char *to = out;
    const ww__lookup lookup = {step->data, limit_of(index_type, step->number), size, index_type->size == 8};
    if (!n || ww__look_up_words(device, &lookup, out, index, n)) return;
    const ww__span span = ww__span_of(device, index, lookup.wide, n);
    if (span.most < lookup.limit) {
        (lookup.wide ? move_by_uint64_t : move_by_uint32_t)(to, step->data, index, size, n, ww__is_far(&span, size));
        return;
    }
    for (size_t i = 0; i < n; i++, to += size) {
        const void *from = ww__permuted_at(step, size, index_type, index, i);
        if (from) {
            memcpy(to, from, size);
            continue;
        }
        memset(to, 0, size);
        keep_bad(device, first + i, ww__index_at(index_type, index, i), step->number, index_type, false);
    }
}

/* ---- writing ---- */

/* Others may store to the same place: one of these is there at the end. */
#define PUT_WORD(T, bits) \
    typedef uint##bits##_t __attribute__((may_alias)) word_##bits; \
    static void put_##T##_##bits(void *to, const unsigned char *from, size_t apart, const void *index, size_t n) { \
        const T *x = index; \
        word_##bits *const t = to; \
        for (size_t i = 0; i < n; i++) { \
            uint##bits##_t word; \
            if (i + AHEAD < n) __builtin_prefetch(t + x[i + AHEAD], 1); \
            memcpy(&word, from + i * apart, sizeof word); \
            __atomic_store_n(t + x[i], word, __ATOMIC_RELAXED); \
        } \
    }
#define PUT_WORDS(bits) PUT_WORD(uint32_t, bits) PUT_WORD(uint64_t, bits)
PUT_WORDS(8)
PUT_WORDS(16)
PUT_WORDS(32)
PUT_WORDS(64)

typedef void put(void *to, const unsigned char *from, size_t apart, const void *index, size_t n);

/* Of indices of 4 or of 8 bytes; NULL: elements are no words. */
static put *put_of(const void *to, size_t size, bool wide) {
    if ((uintptr_t)to % size) return NULL;
    switch (size) {
    case 1:
        return wide ? put_uint64_t_8 : put_uint32_t_8;
    case 2:
        return wide ? put_uint64_t_16 : put_uint32_t_16;
    case 4:
        return wide ? put_uint64_t_32 : put_uint32_t_32;
    case 8:
        return wide ? put_uint64_t_64 : put_uint32_t_64;
    default:
        return NULL;
    }
}

void ww__put_at_indices(const ww_device *device, const ww__at_indices *at, void *to, size_t size, const void *from,
                        size_t apart, size_t n) {
    const bool wide = at->type->size == 8, fine = ww__all_inside(device, at->type, at->index, n, at->limit);
    const size_t step = wide ? 8 : 4;
    put *const words = put_of(to, size, wide);
    if (fine && words) {
        words(to, from, apart, at->index, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t index = ww__index_at(at->type, at->index, i);
        const unsigned char *const x = (const unsigned char *)from + i * apart;
        if (index >= at->limit)
            keep_bad(device, at->first + i, index, at->limit, at->type, true);
        else if (words)
            words(to, x, apart, (const unsigned char *)at->index + i * step, 1);
        else
            memcpy((unsigned char *)to + index * size, x, size);
    }
}
