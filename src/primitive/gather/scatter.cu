/* Scattering, a thread for each element: small ones, and those that are computed. WW_CONFLICT says what becomes of several
 * elements that go to one place:
 *   0  each is written, claims or not: where one store writes an element whole any of them wins, longer ones have promised
 *      that they are alone
 *   1  the first that claims the place (a bit in `choice`) fills it
 *   2  the kernel `mark` has left the largest position + 1 of each place in `choice`; that one fills it
 *   3, 4, 5  added to, minimum with, maximum with what stands there, by atomics; where many lanes of a warp go to one
 *            place, as skewed indices make them, they are combined first
 * Where WW_MEMBERS is 1 the elements' members go to arrays of their own.
 * WW_CHECKS says what becomes of an index at or above the limit: 1 it is reported, 2 an earlier launch has reported it, 0 it
 * is no fault: that element goes nowhere.
 * Reads the index and the input once (2: the index twice) and writes at random. */
#include "device/kernel/counted.cuh"
#include "device/kernel/record.cuh"
#include "primitive/gather/word.cuh"

#include "primitive/gather/scatter_arguments.cuh"
#if WW_MEMBERS
#include "device/kernel/into.cuh"
#endif

struct scatter_arguments : scatter_fixed {
    index_input index;
#if !WW_MARK
    in_input in;
#endif
#if WW_MEMBERS
    ww_into into;
#endif
};

#if !WW_MARK
/* Replaces an element of 8 or 16 bits inside its word of 32 by what the last arguments make of `old`. */
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

/* An element as the words that its place allows: the input's may be aligned otherwise. */
union scatter_item {
    in_item value;
    ww_word_t word[WW_WORDS];
    WW_DEVICE_MEMBER scatter_item() {}
};

#if WW_MEMBERS
WW_DEVICE void put(const scatter_arguments &a, uint64_t at, const in_item &value) {
    ww_put_into(a.into, at, ww_as<ww_item>(value));
}
#elif WW_CONFLICT < 3
WW_DEVICE void put(const scatter_arguments &a, uint64_t at, const in_item &value) {
    scatter_item x;
    x.value = value;
    ww_word_t *to = reinterpret_cast<ww_word_t *>(a.to) + at * WW_WORDS;
#if WW_CONFLICT == 0 && WW_WORDS == 1 && WW_WORD <= 8
    ww_store_relaxed(to, x.word[0]); /* other stores to the same place do not mix with it */
#else
#pragma unroll
    for (int w = 0; w < int(WW_WORDS); w++) {
        if (WW_CONFLICT == 0) /* two go to one place only where a caller has said that none do */
            ww_store_any(to + w, x.word[w]);
        else
            to[w] = x.word[w];
    }
#endif
}
#else
#if WW_CONFLICT == 3
/* Adds to an element of `bits` bits inside its word of 32. An addition to the word may carry into elements above; each carry
 * is taken back where it came in, by an addition that may carry further up, and so on. So whatever others do meanwhile, in
 * the end each element has been changed by what was added to it alone. (Compare and swap would be tried again for every other
 * thread that is at the word.) */
template <int bits> WW_DEVICE void add_in_word(void *p, uint32_t x) {
    enum { ELEMENTS = 32 / bits, BITS = bits };
    uint32_t *const word = reinterpret_cast<uint32_t *>(reinterpret_cast<uintptr_t>(p) & ~uintptr_t(3));
    const uint32_t mine = uint32_t(reinterpret_cast<uintptr_t>(p) & 3) * 8 / bits;
    int32_t change[ELEMENTS];
#pragma unroll
    for (uint32_t e = 0; e < ELEMENTS; e++) change[e] = e == mine ? int32_t(x) : 0;
    for (uint32_t all = x << (mine * bits); all;) {
        const uint32_t old = atomicAdd(word, all);
        int32_t carry = 0;
        all = 0;
#pragma unroll
        for (uint32_t e = 0; e < ELEMENTS; e++) {
            const int32_t sum = int32_t(old >> (e * bits) & ((1u << bits) - 1)) + change[e] + carry;
            change[e] = -carry;
            all += uint32_t(-carry) << (e * bits);
            carry = sum >> BITS; /* -1, 0 or 1 */
        }
    }
}
WW_DEVICE void combine(uint8_t *p, uint8_t x) { add_in_word<8>(p, x); }
WW_DEVICE void combine(int8_t *p, int8_t x) { add_in_word<8>(p, uint8_t(x)); }
WW_DEVICE void combine(uint16_t *p, uint16_t x) { add_in_word<16>(p, x); }
WW_DEVICE void combine(int16_t *p, int16_t x) { add_in_word<16>(p, uint16_t(x)); }
WW_DEVICE void combine(uint32_t *p, uint32_t x) { atomicAdd(p, x); }
WW_DEVICE void combine(int32_t *p, int32_t x) { atomicAdd(reinterpret_cast<uint32_t *>(p), uint32_t(x)); }
WW_DEVICE void combine(uint64_t *p, uint64_t x) { atomicAdd(p, x); }
WW_DEVICE void combine(int64_t *p, int64_t x) { atomicAdd(reinterpret_cast<uint64_t *>(p), uint64_t(x)); }
/* In the order in which they come. */
WW_DEVICE void combine(float *p, float x) { atomicAdd(p, x); }
WW_DEVICE void combine(double *p, double x) { atomicAdd(p, x); }
WW_DEVICE float joined(float x, float y) { return x + y; }
WW_DEVICE double joined(double x, double y) { return x + y; }
/* Each sum is rounded. */
#define HALF(T) \
    WW_DEVICE T joined(T x, T y) { return x + y; } \
    WW_DEVICE uint16_t sum_of(uint16_t old, T x) { \
        T stands; \
        stands.bits = old; \
        return (stands + x).bits; \
    } \
    WW_DEVICE void combine(T *p, T x) { IN_ITS_WORD(uint16_t, p, sum_of(old, x)); }
HALF(ww_f16)
HALF(ww_bf16)
#define WRAPPING(T, U) \
    WW_DEVICE T joined(T x, T y) { return T(U(U(x) + U(y))); }
WRAPPING(uint8_t, uint8_t)
WRAPPING(int8_t, uint8_t)
WRAPPING(uint16_t, uint16_t)
WRAPPING(int16_t, uint16_t)
WRAPPING(uint32_t, uint32_t)
WRAPPING(int32_t, uint32_t)
WRAPPING(uint64_t, uint64_t)
WRAPPING(int64_t, uint64_t)
WRAPPING(ww_u128, ww_u128)
WRAPPING(ww_i128, ww_u128)
/* Each addition carries exactly when it wraps the lower half, whatever the order. */
WW_DEVICE void combine(ww_u128 *p, ww_u128 x) {
    uint64_t *half = reinterpret_cast<uint64_t *>(p);
    const uint64_t low = uint64_t(x), old = atomicAdd(half, low), carry = old + low < old;
    const uint64_t high = uint64_t(x >> 64) + carry;
    if (high) atomicAdd(half + 1, high);
}
WW_DEVICE void combine(ww_i128 *p, ww_i128 x) { combine(reinterpret_cast<ww_u128 *>(p), ww_u128(x)); }
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
WW_DEVICE uint16_t half_extreme(uint16_t old, uint16_t x, uint16_t infinity, uint16_t nan) {
    const int32_t a = old < 0x8000 ? old : 0x7FFF - int32_t(old), b = x < 0x8000 ? x : 0x7FFF - int32_t(x);
    return (old & 0x7FFF) > infinity || (x & 0x7FFF) > infinity ? nan : BETTER(b, a) ? x : old;
}
#define HALF(T, infinity, nan) \
    WW_DEVICE T joined(T x, T y) { \
        T better; \
        better.bits = half_extreme(x.bits, y.bits, infinity, nan); \
        return better; \
    } \
    WW_DEVICE void combine(T *p, T x) { IN_ITS_WORD(uint16_t, p, half_extreme(old, x.bits, infinity, nan)); }
HALF(ww_f16, 0x7C00, 0x7E00)
HALF(ww_bf16, 0x7F80, 0x7FC0)
WW_DEVICE void combine(uint32_t *p, uint32_t x) { NATIVE(p, x); }
WW_DEVICE void combine(int32_t *p, int32_t x) { NATIVE(p, x); }
WW_DEVICE void combine(uint64_t *p, uint64_t x) { NATIVE(p, x); }
WW_DEVICE void combine(int64_t *p, int64_t x) { NATIVE(p, x); }
template <class T> WW_DEVICE T joined(T x, T y) { return BETTER(y, x) ? y : x; }
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
WW_DEVICE float joined(float x, float y) {
    return ww_float_of_bits(extreme<float, uint32_t>(ww_bits_float(x), ww_bits_float(y), 0x7fc00000u));
}
WW_DEVICE double joined(double x, double y) {
    return ww_double_of_bits(extreme<double, uint64_t>(ww_bits_double(x), ww_bits_double(y), 0x7ff8000000000000ull));
}
#endif

WW_DEVICE void put(const scatter_arguments &a, uint64_t at, const in_item &value) { combine(a.to + at, value); }
#endif

/* Whether the element has a place of its own to go to. */
WW_DEVICE bool has_place(const scatter_arguments &a, uint64_t i, uint64_t at) {
    if (at >= a.limit) {
#if WW_CHECKS == 1
        ww_report(a.checking, i, at);
#else
        (void)i;
#endif
        return false;
    }
#if WW_CONFLICT == 1
    const uint32_t bit = 1u << (at % 32);
    return !(atomicOr(a.choice + at / 32, bit) & bit);
#elif WW_CONFLICT == 2
    return a.choice[at] == i + 1;
#else
    return true;
#endif
}

/* An element a lane, of those that have one. Every lane of the warp calls it. */
WW_DEVICE void scatter_row(const scatter_arguments &a, uint64_t i, bool valid, uint64_t at, in_item value) {
    valid = valid && has_place(a, i, at);
#if WW_CONFLICT >= 3
    enum { TURNS = 2, MANY = 8 };
    const uint32_t lane = threadIdx.x % WW_WARP;
    for (int turn = 0; turn < TURNS; turn++) {
        const uint32_t waiting = __ballot_sync(WW_ALL, valid);
        if (!waiting) return;
        const uint64_t place = ww_lane(at, __ffs(int(waiting)) - 1);
        const uint32_t group = __ballot_sync(WW_ALL, valid && at == place);
        if (__popc(group) < MANY) continue;
        in_item sum = value; /* of the group's lanes among this one and the by - 1 after it */
#pragma unroll
        for (uint32_t by = 1; by < WW_WARP; by *= 2) {
            const in_item other = ww_lane_after(sum, by);
            const uint32_t here = (1u << by) - 1;
            if (lane + by < WW_WARP && group >> (lane + by) & here) sum = group >> lane & here ? joined(sum, other) : other;
        }
        if (lane == 0) put(a, place, sum);
        valid = valid && at != place;
    }
#endif
    if (valid) put(a, at, value);
}

/* The last tile, which is not whole: all is read before anything is written, too. */
WW_DEVICE void scatter_part(const scatter_arguments &a, uint64_t first) {
    enum { MANY = WW_ROWS * WW_ITEMS };
    index_item at[MANY];
    in_item x[MANY];
#pragma unroll
    for (int k = 0; k < MANY; k++) {
        const uint64_t i = first + k * WW_THREADS + threadIdx.x;
        if (first + k * WW_THREADS >= a.count) break;
        at[k] = index_at(a.index, i < a.count ? i : a.count - 1);
        x[k] = in_at(a.in, i < a.count ? i : a.count - 1);
    }
#pragma unroll
    for (int k = 0; k < MANY; k++) {
        const uint64_t i = first + k * WW_THREADS + threadIdx.x;
        if (first + k * WW_THREADS < a.count) scatter_row(a, i, i < a.count, at[k], x[k]);
    }
}

WW_DEVICE void scatter_tile(const scatter_arguments &a) {
#if WW_CHECKS
    if (ww_stopped(a.checking)) return;
#endif
    const uint64_t tile = WW_THREADS * WW_ITEMS * WW_ROWS, first = blockIdx.x * tile;
    if (first + tile > a.count) {
        if (first < a.count) scatter_part(a, first);
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
            scatter_row(a, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS + k, true, at[r][k], x[r][k]);
}

WW_LOOP_KERNEL(scatter, scatter_arguments, WW_THREADS) { scatter_tile(ww_counted(a)); }
#else

WW_DEVICE void mark_one(const scatter_arguments &a, uint64_t i, uint64_t at) {
    if (at < a.limit)
        atomicMax(a.choice + at, ww_choice(i + 1));
    else
        ww_report(a.checking, i, at);
}

WW_DEVICE void mark_tile(const scatter_arguments &a) {
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

WW_LOOP_KERNEL(mark, scatter_arguments, WW_THREADS) { mark_tile(ww_counted(a)); }
#endif
