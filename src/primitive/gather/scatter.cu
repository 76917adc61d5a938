/* Scattering, a thread for each element: small ones, and those that are computed. WW_CONFLICT says what becomes of several
 * elements that go to one place:
 *   0  one store writes an element whole, so any of them wins
 *   1  the first that claims the place (a bit in `choice`) fills it
 *   2  the kernel `mark` has left the largest position + 1 of each place in `choice`; that one fills it
 *   3, 4, 5  added to, minimum with, maximum with what stands there, by atomics
 * Reads the index and the input once (2: the index twice) and writes at random. */
#include "device/kernel/record.cuh"
#include "primitive/gather/word.cuh"

struct scatter_arguments {
    ww_item *to;
    ww_choice *choice;
    uint64_t count, limit;
    ww_checking checking;
    index_input index;
#if !WW_MARK
    in_input in;
#endif
};

#if !WW_MARK
/* A store that other stores to the same place do not mix with. */
WW_DEVICE void store_whole(uint64_t *p, uint64_t v) { ww_store_relaxed(p, v); }
WW_DEVICE void store_whole(uint32_t *p, uint32_t v) { ww_store_relaxed(p, v); }
#ifndef WW_EMULATED
WW_DEVICE void store_whole(uint16_t *p, uint16_t v) {
    asm volatile("st.relaxed.gpu.global.u16 [%0], %1;" ::"l"(p), "h"(v) : "memory");
}
WW_DEVICE void store_whole(uint8_t *p, uint8_t v) {
    asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(p), "r"(uint32_t(v)) : "memory");
}
#endif

/* Replaces an element of 8 or 16 bits inside its word of 32 by made(old): `body` says what to make of `old`. */
#define IN_ITS_WORD(T, p, ...) \
    do { \
        uint32_t *const word_ = reinterpret_cast<uint32_t *>(reinterpret_cast<uintptr_t>(p) & ~uintptr_t(3)); \
        const uint32_t shift_ = uint32_t(reinterpret_cast<uintptr_t>(p) & 3) * 8; \
        const uint32_t mask_ = (sizeof(T) == 1 ? 0xFFu : 0xFFFFu) << shift_; \
        for (uint32_t seen_ = ww_load_relaxed(word_);;) { \
            const T old = T(seen_ >> shift_); \
            const T made_ = T(__VA_ARGS__); \
            const uint32_t put_ = (seen_ & ~mask_) | (uint32_t(made_) << shift_ & mask_); \
            if (put_ == seen_) break; \
            const uint32_t found_ = atomicCAS(word_, seen_, put_); \
            if (found_ == seen_) break; \
            seen_ = found_; \
        } \
    } while (0)

#ifdef WW_EMULATED
WW_DEVICE void store_whole(uint16_t *p, uint16_t v) { IN_ITS_WORD(uint16_t, p, v); }
WW_DEVICE void store_whole(uint8_t *p, uint8_t v) { IN_ITS_WORD(uint8_t, p, v); }
#endif

/* An element as the words that its place allows: the input's may be aligned otherwise. */
union scatter_item {
    in_item value;
    ww_word_t word[WW_WORDS];
    WW_DEVICE_MEMBER scatter_item() {}
};

#if WW_CONFLICT < 3
WW_DEVICE void put(const scatter_arguments &a, uint64_t at, const in_item &value) {
    scatter_item x;
    x.value = value;
    ww_word_t *to = reinterpret_cast<ww_word_t *>(a.to) + at * WW_WORDS;
#if WW_CONFLICT == 0
    store_whole(to, x.word[0]);
#else
#pragma unroll
    for (int w = 0; w < int(WW_WORDS); w++) to[w] = x.word[w];
#endif
}
#else
#if WW_CONFLICT == 3
WW_DEVICE void combine(uint8_t *p, uint8_t x) { IN_ITS_WORD(uint8_t, p, old + x); }
WW_DEVICE void combine(int8_t *p, int8_t x) { IN_ITS_WORD(uint8_t, p, old + uint8_t(x)); }
WW_DEVICE void combine(uint16_t *p, uint16_t x) { IN_ITS_WORD(uint16_t, p, old + x); }
WW_DEVICE void combine(int16_t *p, int16_t x) { IN_ITS_WORD(uint16_t, p, old + uint16_t(x)); }
WW_DEVICE void combine(uint32_t *p, uint32_t x) { atomicAdd(p, x); }
WW_DEVICE void combine(int32_t *p, int32_t x) { atomicAdd(reinterpret_cast<uint32_t *>(p), uint32_t(x)); }
WW_DEVICE void combine(uint64_t *p, uint64_t x) { atomicAdd(p, x); }
WW_DEVICE void combine(int64_t *p, int64_t x) { atomicAdd(reinterpret_cast<uint64_t *>(p), uint64_t(x)); }
/* Each addition carries exactly when it wraps the lower half, whatever the order. */
WW_DEVICE void combine(ww_u128 *p, ww_u128 x) {
    uint64_t *half = reinterpret_cast<uint64_t *>(p);
    const uint64_t low = uint64_t(x), old = atomicAdd(half, low), carry = old + low < old;
    const uint64_t high = uint64_t(x >> 64) + carry;
    if (high) atomicAdd(half + 1, high);
}
#else
#if WW_CONFLICT == 4
#define BETTER(x, y) ((x) < (y))
#define NATIVE atomicMin
#define JOIN |
#else
#define BETTER(x, y) ((y) < (x))
#define NATIVE atomicMax
#define JOIN &
#endif
WW_DEVICE void combine(uint8_t *p, uint8_t x) { IN_ITS_WORD(uint8_t, p, BETTER(x, old) ? x : old); }
WW_DEVICE void combine(int8_t *p, int8_t x) { IN_ITS_WORD(uint8_t, p, BETTER(x, int8_t(old)) ? uint8_t(x) : old); }
WW_DEVICE void combine(uint16_t *p, uint16_t x) { IN_ITS_WORD(uint16_t, p, BETTER(x, old) ? x : old); }
WW_DEVICE void combine(int16_t *p, int16_t x) { IN_ITS_WORD(uint16_t, p, BETTER(x, int16_t(old)) ? uint16_t(x) : old); }
WW_DEVICE void combine(uint32_t *p, uint32_t x) { NATIVE(p, x); }
WW_DEVICE void combine(int32_t *p, int32_t x) { NATIVE(p, x); }
WW_DEVICE void combine(uint64_t *p, uint64_t x) { NATIVE(p, x); }
WW_DEVICE void combine(int64_t *p, int64_t x) { NATIVE(p, x); }
/* As ww_min and ww_max: a NaN wins, as the quiet one without a sign; -0 is below 0. */
template <class T, class U> WW_DEVICE U extreme(U old, U x, U nan) {
    union {
        U bits;
        T value;
    } u, v;
    u.bits = old;
    v.bits = x;
    if (u.value != u.value || v.value != v.value) return nan;
    return u.value == v.value ? old JOIN x : BETTER(v.value, u.value) ? x : old;
}
template <class T, class U> WW_DEVICE void combine_float(T *p, T value, U nan) {
    union {
        T value;
        U bits;
    } x;
    x.value = value;
    U *word = reinterpret_cast<U *>(p);
    for (U seen = ww_load_relaxed(word);;) {
        const U put = extreme<T, U>(seen, x.bits, nan);
        if (put == seen) return;
        const U found = atomicCAS(word, seen, put);
        if (found == seen) return;
        seen = found;
    }
}
WW_DEVICE void combine(float *p, float x) { combine_float<float, uint32_t>(p, x, 0x7fc00000u); }
WW_DEVICE void combine(double *p, double x) { combine_float<double, uint64_t>(p, x, 0x7ff8000000000000ull); }
#endif

WW_DEVICE void put(const scatter_arguments &a, uint64_t at, const in_item &value) { combine(a.to + at, value); }
#endif

WW_DEVICE void scatter_one(const scatter_arguments &a, uint64_t i, uint64_t at, const in_item &value) {
    if (at >= a.limit) {
#if WW_CONFLICT != 2
        ww_report(a.checking, i, at);
#endif
        return;
    }
#if WW_CONFLICT == 1
    const uint32_t bit = 1u << (at % 32);
    if (atomicOr(a.choice + at / 32, bit) & bit) return;
#elif WW_CONFLICT == 2
    if (a.choice[at] != i + 1) return;
#endif
    put(a, at, value);
}

WW_GPU_KERNEL(scatter, scatter_arguments, WW_THREADS) {
    if (ww_stopped(a.checking)) return;
    const uint64_t tile = WW_THREADS * WW_ITEMS * WW_ROWS, first = blockIdx.x * tile;
    if (first + tile > a.count) {
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS)
            scatter_one(a, i, index_at(a.index, i), in_at(a.in, i));
        return;
    }
    index_item at[WW_ROWS][WW_ITEMS];
    in_item x[WW_ROWS][WW_ITEMS];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        index_read(a.index, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, at[r]);
        in_read(a.in, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, x[r]);
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++)
            scatter_one(a, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS + k, at[r][k], x[r][k]);
}
#else

WW_DEVICE void mark_one(const scatter_arguments &a, uint64_t i, uint64_t at) {
    if (at < a.limit)
        atomicMax(a.choice + at, ww_choice(i + 1));
    else
        ww_report(a.checking, i, at);
}

WW_GPU_KERNEL(mark, scatter_arguments, WW_THREADS) {
    if (ww_stopped(a.checking)) return;
    const uint64_t tile = WW_THREADS * WW_ITEMS * WW_ROWS, first = blockIdx.x * tile;
    if (first + tile > a.count) {
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS) mark_one(a, i, index_at(a.index, i));
        return;
    }
    index_item at[WW_ROWS][WW_ITEMS];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) index_read(a.index, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, at[r]);
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) mark_one(a, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS + k, at[r][k]);
}
#endif
