/* How the macros of function.h yield their batched loops. Not to be used directly; read function.h first.
 *
 * Each macro defines the plain function, one set of loops for each vector width (the same C, compiled for other targets
 * by attributes), the tables of them and the object. gcc gets -O3 and no contraction by attribute, so that loops
 * vectorise at -O2 too; clang vectorises at -O2, and a pragma switches contraction off. Inner loops have a constant
 * number of turns, 128 bytes, and ask for the memory WW__AHEAD bytes further on: hardware prefetchers are too slow for
 * one core to reach the memory's rate. */
#ifndef WARPWISE_FUNCTION_LOOPS_H
#define WARPWISE_FUNCTION_LOOPS_H

#include "function.h"
#include "function_widths.h"

/* clang-format off */
/* Lists of what a body uses: (a, b) becomes {&ww_text_a, &ww_text_b, NULL}. Up to eight. */
#define WW__USES_1(a) &ww__definition_of_##a,
#define WW__USES_2(a, ...) &ww__definition_of_##a, WW__USES_1(__VA_ARGS__)
#define WW__USES_3(a, ...) &ww__definition_of_##a, WW__USES_2(__VA_ARGS__)
#define WW__USES_4(a, ...) &ww__definition_of_##a, WW__USES_3(__VA_ARGS__)
#define WW__USES_5(a, ...) &ww__definition_of_##a, WW__USES_4(__VA_ARGS__)
#define WW__USES_6(a, ...) &ww__definition_of_##a, WW__USES_5(__VA_ARGS__)
#define WW__USES_7(a, ...) &ww__definition_of_##a, WW__USES_6(__VA_ARGS__)
#define WW__USES_8(a, ...) &ww__definition_of_##a, WW__USES_7(__VA_ARGS__)
#define WW__USES_9(a, ...) &ww__definition_of_##a, WW__USES_8(__VA_ARGS__)
#define WW__COUNTED(a, b, c, d, e, f, g, h, i, n, ...) n
#define WW__LISTED(...) \
    WW__COUNTED(__VA_ARGS__, WW__USES_9, WW__USES_8, WW__USES_7, WW__USES_6, WW__USES_5, WW__USES_4, WW__USES_3, \
                WW__USES_2, WW__USES_1, 0)(__VA_ARGS__)
#define WW__USES(...) {WW__LISTED(__VA_ARGS__) NULL}
/* A list, and the types that a function mentions in its first line. */
#define WW__USES_AND(uses, ...) {WW__LISTED uses __VA_ARGS__, NULL}
#define WW__FIRST(first, ...) first
#define WW__FIRST_TEXT(first, ...) #first
#define WW__REST(first, ...) __VA_ARGS__
#define WW__BARE(...) __VA_ARGS__

/* A result as a truth value or as a bucket number, if it is a number at all (a struct's loops are never called). */
WW__INLINE uint32_t ww__number_small(uint32_t x) { return x; }
WW__INLINE uint32_t ww__number_large(uint64_t x) { return x > UINT32_MAX ? UINT32_MAX : WW__AS(uint32_t, x); }
WW__INLINE uint32_t ww__number_signed(int64_t x) { return x < 0 || x > UINT32_MAX ? UINT32_MAX : WW__AS(uint32_t, x); }
WW__INLINE uint64_t ww__whole_unsigned(uint64_t x) { return x; }
WW__INLINE uint64_t ww__whole_signed(int64_t x) { return WW__AS(uint64_t, x); }
WW__INLINE uint64_t ww__whole_none(double x) { (void)x; return 0; }
WW__INLINE uint32_t ww__number_float(double x) { return x >= 0 && x < 4294967295.0 ? WW__AS(uint32_t, x) : UINT32_MAX; }
#if WW_HAS_U128
WW__INLINE uint64_t ww__whole_huge(ww_u128 x) { return WW__AS(uint64_t, x); }
WW__INLINE uint64_t ww__whole_huge_signed(ww_i128 x) { return WW__AS(uint64_t, x); }
WW__INLINE uint32_t ww__number_huge(ww_u128 x) { return x > UINT32_MAX ? UINT32_MAX : WW__AS(uint32_t, x); }
WW__INLINE uint32_t ww__number_huge_signed(ww_i128 x) { return x < 0 ? UINT32_MAX : ww__number_huge(WW__AS(ww_u128, x)); }
#endif
#ifdef __cplusplus
template <class T> WW__INLINE uint8_t ww__truth(const T &) { return 0; }
template <class T> WW__INLINE uint32_t ww__number(const T &) { return 0; }
template <class T> WW__INLINE uint64_t ww__whole(const T &) { return 0; }
#define WW__NUMBER_IS(type, how, whole) \
    WW__INLINE uint8_t ww__truth(type x) { return x != 0; } \
    WW__INLINE uint32_t ww__number(type x) { return how(x); } \
    WW__INLINE uint64_t ww__whole(type x) { return whole(x); }
WW__NUMBER_IS(bool, ww__number_small, ww__whole_unsigned)
WW__NUMBER_IS(unsigned char, ww__number_small, ww__whole_unsigned)
WW__NUMBER_IS(unsigned short, ww__number_small, ww__whole_unsigned)
WW__NUMBER_IS(unsigned, ww__number_small, ww__whole_unsigned)
WW__NUMBER_IS(unsigned long, ww__number_large, ww__whole_unsigned)
WW__NUMBER_IS(unsigned long long, ww__number_large, ww__whole_unsigned)
WW__NUMBER_IS(signed char, ww__number_signed, ww__whole_signed)
WW__NUMBER_IS(short, ww__number_signed, ww__whole_signed)
WW__NUMBER_IS(int, ww__number_signed, ww__whole_signed)
WW__NUMBER_IS(long, ww__number_signed, ww__whole_signed)
WW__NUMBER_IS(long long, ww__number_signed, ww__whole_signed)
WW__NUMBER_IS(float, ww__number_float, ww__whole_none)
WW__NUMBER_IS(double, ww__number_float, ww__whole_none)
#if WW_HAS_U128
WW__NUMBER_IS(ww_u128, ww__number_huge, ww__whole_huge)
WW__NUMBER_IS(ww_i128, ww__number_huge_signed, ww__whole_huge_signed)
#endif
#undef WW__NUMBER_IS
#define WW__TRUTH(x) ww__truth(x)
#define WW__NUMBER(x) ww__number(x)
#define WW__WHOLE(x) ww__whole(x)
#define WW__IS_STRUCT(type) __is_class(type)
#else
#if WW_HAS_U128
#define WW__HUGE(x) ww_u128: (x), ww_i128: (x),
#define WW__HUGE_NUMBER ww_u128: ww__number_huge, ww_i128: ww__number_huge_signed,
#define WW__HUGE_INT ww_u128: 0, ww_i128: 0,
#define WW__HUGE_WHOLE ww_u128: ww__whole_huge, ww_i128: ww__whole_huge_signed,
#else
#define WW__HUGE_INT
#define WW__HUGE_WHOLE
#define WW__HUGE(x)
#define WW__HUGE_NUMBER
#endif
#define WW__SCALAR(x) _Generic((x), WW__HUGE(x) bool: (x), unsigned char: (x), unsigned short: (x), unsigned: (x), \
    unsigned long: (x), unsigned long long: (x), signed char: (x), short: (x), int: (x), long: (x), long long: (x), \
    float: (x), double: (x), default: 0)
#define WW__IS_STRUCT(type) (!__builtin_types_compatible_p(__typeof__(_Generic(*(type *)0, WW__HUGE_INT \
    bool: 0, unsigned char: 0, unsigned short: 0, unsigned: 0, unsigned long: 0, unsigned long long: 0, signed char: 0, \
    short: 0, int: 0, long: 0, long long: 0, float: 0, double: 0, default: (char *)0)), int))
#define WW__TRUTH(x) WW__AS(uint8_t, WW__SCALAR(x) != 0)
#define WW__WHOLE(x) _Generic(WW__SCALAR(x), WW__HUGE_WHOLE bool: ww__whole_unsigned, \
    unsigned char: ww__whole_unsigned, unsigned short: ww__whole_unsigned, unsigned: ww__whole_unsigned, \
    unsigned long: ww__whole_unsigned, unsigned long long: ww__whole_unsigned, signed char: ww__whole_signed, \
    short: ww__whole_signed, int: ww__whole_signed, long: ww__whole_signed, long long: ww__whole_signed, \
    float: ww__whole_none, double: ww__whole_none)(WW__SCALAR(x))
#define WW__NUMBER(x) _Generic(WW__SCALAR(x), WW__HUGE_NUMBER bool: ww__number_small, \
    unsigned char: ww__number_small, unsigned short: ww__number_small, unsigned: ww__number_small, \
    unsigned long: ww__number_large, unsigned long long: ww__number_large, signed char: ww__number_signed, \
    short: ww__number_signed, int: ww__number_signed, long: ww__number_signed, long long: ww__number_signed, \
    float: ww__number_float, double: ww__number_float)(WW__SCALAR(x))
#endif

/* What bodies may call on every device. */
WW__INLINE int ww_popcount(uint64_t x) { return __builtin_popcountll(x); }
WW__INLINE int ww_clz(uint32_t x) { return x ? __builtin_clz(x) : 32; }
WW__INLINE int ww_ffs(uint32_t x) { return __builtin_ffs(WW__AS(int, x)); }
/* The bits of a float as an unsigned number. */
WW__INLINE uint32_t ww_bits_float(float x) { uint32_t b; __builtin_memcpy(&b, &x, sizeof b); return b; }
WW__INLINE uint64_t ww_bits_double(double x) { uint64_t b; __builtin_memcpy(&b, &x, sizeof b); return b; }
WW__INLINE float ww_float_of_bits(uint32_t b) { float x; __builtin_memcpy(&x, &b, sizeof x); return x; }
WW__INLINE double ww_double_of_bits(uint64_t b) { double x; __builtin_memcpy(&x, &b, sizeof x); return x; }
/* Floats of 16 bits (type.h) as floats, which is exact, and back: to the nearest, of two that are as near the even one; what is
 * too large becomes an infinity. A NaN becomes the one quiet NaN of no sign. Two of them that are added, subtracted, multiplied
 * or divided as floats, and made one of them again, give the correctly rounded result (Figueroa 1995). */
WW__INLINE float ww_float_of_f16(ww_f16 x) {
    const uint32_t magnitude = (x.bits & 0x7FFFu) << 13, sign = (x.bits & 0x8000u) << 16;
    const uint32_t tiny = ww_bits_float(ww_float_of_bits(magnitude + 0x38800000u) - ww_float_of_bits(0x38800000u));
    const uint32_t normal = magnitude < 0x00800000u ? tiny : magnitude + 0x38000000u;
    const uint32_t number = magnitude == 0x0F800000u ? 0x7F800000u : normal;
    return ww_float_of_bits(magnitude > 0x0F800000u ? 0x7FC00000u : number | sign);
}
WW__INLINE ww_f16 ww_f16_of_float(float x) {
    const uint32_t bits = ww_bits_float(x), magnitude = bits & 0x7FFFFFFFu, sign = bits >> 16 & 0x8000u;
    const uint32_t tiny = ww_bits_float(ww_float_of_bits(magnitude) + 0.5f) - 0x3F000000u; /* in steps of 2^-24 */
    const uint32_t normal = (magnitude + 0xFFFu + (magnitude >> 13 & 1) - 0x38000000u) >> 13;
    const uint32_t finite = magnitude < 0x38800000u ? tiny : magnitude < 0x477FF000u ? normal : 0x7C00u;
    ww_f16 half;
    half.bits = WW__AS(uint16_t, magnitude > 0x7F800000u ? 0x7E00u : finite | sign);
    return half;
}
WW__INLINE float ww_float_of_bf16(ww_bf16 x) {
    const uint32_t bits = WW__AS(uint32_t, x.bits) << 16;
    return ww_float_of_bits((bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : bits);
}
WW__INLINE ww_bf16 ww_bf16_of_float(float x) {
    const uint32_t bits = ww_bits_float(x);
    ww_bf16 half;
    half.bits = WW__AS(uint16_t, (bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC0u : (bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
    return half;
}
/* 1 / sqrt(x) as fast as the device has it, for x from 2^-126 on: right to some 2^-22 of it. A GPU's last bits are not a
 * CPU's. */
WW__INLINE float ww_rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
/* Warps. A GPU runs WW_WARP ranks in lockstep: rank / WW_WARP is their warp's number, rank % WW_WARP the lane. On a CPU each
 * rank is alone, and WW_WARP is 1. ww_ballot gives every lane of the warp a mask of the lanes whose argument is true, lane l
 * at bit l; ww_float_of_lane and the others give it the x of lane `lane` modulo WW_WARP. All lanes of a warp have to reach
 * these calls together: launch a multiple of WW_WARP ranks, and let all lanes take a branch or a return around them, or
 * none. */
enum { WW_WARP = 1 };
WW__INLINE uint32_t ww_ballot(bool truth) { return truth; }
WW__INLINE uint32_t ww_u32_of_lane(uint32_t x, uint32_t lane) { (void)lane; return x; }
WW__INLINE uint64_t ww_u64_of_lane(uint64_t x, uint32_t lane) { (void)lane; return x; }
WW__INLINE float ww_float_of_lane(float x, uint32_t lane) { (void)lane; return x; }
WW__INLINE double ww_double_of_lane(double x, uint32_t lane) { (void)lane; return x; }
/* Prefetches an address, which need not be valid, that will be read or written soon; does nothing on a GPU. */
#define ww_prefetch(pointer) __builtin_prefetch(pointer)
/* Reads a number of 4 or 8 bytes that other ranks may be changing by the atomics below; relaxed order, as theirs. */
#define ww_load_relaxed(pointer) __atomic_load_n((pointer), __ATOMIC_RELAXED)
/* Reads, or writes, a number of 4 or 8 bytes, floats too, that other ranks may be reading or changing; relaxed order. */
#define ww_atomic_load(pointer) \
    (__extension__({ __typeof__(*(pointer) + 0) ww__old; __atomic_load((pointer), &ww__old, __ATOMIC_RELAXED); ww__old; }))
#define ww_atomic_store(pointer, value) \
    (__extension__({ __typeof__(*(pointer)) ww__new = (value); __atomic_store((pointer), &ww__new, __ATOMIC_RELAXED); }))
/* Each returns the old value; relaxed order. Add is for integers, float and double, the others are for integers. Floats are
 * added in the order in which they arrive, so that the last bits of a sum may differ from run to run. */
#define WW__ATOMIC_ADD(T) \
    WW__INLINE T ww__atomic_add_##T(T *p, T x) { \
        T old, sum; \
        __atomic_load(p, &old, __ATOMIC_RELAXED); \
        do sum = old + x; \
        while (!__atomic_compare_exchange(p, &old, &sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
        return old; \
    }
WW__ATOMIC_ADD(float)
WW__ATOMIC_ADD(double)
#ifdef __cplusplus
extern "C++" {
template <class T> struct ww__same_type { typedef T type; };
template <class T> static inline T ww__atomic_add(T *p, typename ww__same_type<T>::type x) {
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}
static inline __attribute__((unused)) float ww__atomic_add(float *p, float x) { return ww__atomic_add_float(p, x); }
static inline __attribute__((unused)) double ww__atomic_add(double *p, double x) { return ww__atomic_add_double(p, x); }
}
#define ww_atomic_add(pointer, value) ww__atomic_add((pointer), (value))
#else
#define WW__POINTS_TO(pointer, T) __builtin_types_compatible_p(__typeof__(*(pointer)), T)
/* What is not chosen has to be C all the same: floats are looked at as integers of their size there. */
#define WW__INTEGER_AT(pointer) \
    __typeof__(__builtin_choose_expr(WW__POINTS_TO(pointer, float), (uint32_t)0, \
        __builtin_choose_expr(WW__POINTS_TO(pointer, double), (uint64_t)0, *(pointer))))
#define ww_atomic_add(pointer, value) \
    __builtin_choose_expr(WW__POINTS_TO(pointer, float), \
        ww__atomic_add_float((float *)(void *)(pointer), (float)(value)), \
        __builtin_choose_expr(WW__POINTS_TO(pointer, double), \
            ww__atomic_add_double((double *)(void *)(pointer), (double)(value)), \
            __atomic_fetch_add((WW__INTEGER_AT(pointer) *)(void *)(pointer), (WW__INTEGER_AT(pointer))(value), \
                __ATOMIC_RELAXED)))
#endif
#define ww_atomic_or(pointer, value) __atomic_fetch_or((pointer), (value), __ATOMIC_RELAXED)
#define ww_atomic_exchange(pointer, value) __atomic_exchange_n((pointer), (value), __ATOMIC_RELAXED)
/* A value that may be left unused without a warning. */
#define WW__KEPT(value) __atomic_load_n(&(value), __ATOMIC_RELAXED)
#define ww_atomic_cas(pointer, expected, desired) \
    (__extension__({ __typeof__(*(pointer)) ww__old = (expected); \
        __atomic_compare_exchange_n((pointer), &ww__old, (desired), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        WW__KEPT(ww__old); }))
#define WW__ATOMIC_KEEP(pointer, value, better) \
    (__extension__({ __typeof__(*(pointer)) ww__new = (value), ww__old = __atomic_load_n((pointer), __ATOMIC_RELAXED); \
        while (ww__new better ww__old && !__atomic_compare_exchange_n((pointer), &ww__old, ww__new, 1, \
            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {} WW__KEPT(ww__old); }))
#define ww_atomic_min(pointer, value) WW__ATOMIC_KEEP(pointer, value, <)
#define ww_atomic_max(pointer, value) WW__ATOMIC_KEEP(pointer, value, >)
/* A memory fence. A rank that loads atomically what another stored atomically after its fence, and then passes a fence itself,
 * sees everything that the other wrote before its own. */
WW__INLINE void ww_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
/* Adds 1 to a u32 by which ranks take places in a list, and returns the old value: concurrent ranks do so together, where the
 * device can. */
WW__INLINE uint32_t ww_append(uint32_t *p) { return __atomic_fetch_add(p, 1u, __ATOMIC_RELAXED); }
/* The same for a list of rows: adds 2^32 + size to a u64 and returns the old value, whose upper half is the row's place in the
 * list, and whose lower half the number of elements in the rows before it. */
WW__INLINE uint64_t ww_append_row(uint64_t *p, uint32_t size) {
    return __atomic_fetch_add(p, (UINT64_C(1) << 32) + size, __ATOMIC_RELAXED);
}

/* The first thing that compilers refuse where a macro stands inside a function: its name is the sentence. */
#define WW__OUTSIDE(name) \
    static inline __attribute__((unused)) void ww__this_macro_stands_outside_of_functions_##name(void) {}

/* C++ finds the descriptor of a struct by a pointer to one, too (warpwise.hpp). */
#ifdef __cplusplus
#define WW__TYPE_OF_STRUCT(name) \
    extern "C++" { \
    __attribute__((unused)) static inline const ww_type *ww__type_of_struct(const name *) { return &name##_ww; } \
    }
#else
#define WW__TYPE_OF_STRUCT(name)
#endif

#define WW__STRUCT(uses, name, string, ...) \
    typedef struct name name; \
    struct name __VA_ARGS__; \
    static const ww_text *const ww__uses_##name[] = WW__USES uses; \
    static const ww_text ww__definition_of_##name __attribute__((unused)) = { \
        #name, "typedef struct " #name " " #name ";\nstruct " #name " " string ";", __FILE__, __LINE__, ww__uses_##name}; \
    static const ww_type name##_ww __attribute__((unused)) = { \
        #name, #name, WW_KIND_STRUCT, WW__AS(uint32_t, __alignof__(name)), sizeof(name), &ww__definition_of_##name}; \
    WW__TYPE_OF_STRUCT(name) struct ww_type

#define WW__FUNCTION(name, result, parameters, string, body, skipped, ...) \
    WW__OUTSIDE(name) \
    WW__PLAIN result name parameters { WW__EXACT body } \
    static const ww_text *const ww__uses_##name[] = WW__USES(__VA_ARGS__); \
    static const ww_text ww__definition_of_##name __attribute__((unused)) = { \
        #name, "WW_INLINE " #result " " #name #parameters " " string, __FILE__, __LINE__, ww__uses_##name}

/* In the loops the caller's function goes by the name ww__body_NAME, and its types by ww__result_NAME and so on: what loops
 * call their own variables is not in the way of what the caller calls a function or a struct. */

/* The object. `kind` is a ww_role, the types are descriptors. */
#define WW__OBJECT(name, kind, flags, result, first, second, environment, identity, signature, string) \
    static const ww_function name##_ww __attribute__((unused)) = { \
        WW_FUNCTION_VERSION, kind, flags, __LINE__, #name, __FILE__, signature, string, result, first, second, environment, \
        identity, ww__uses_##name, WW__LOOPS(name), NULL, NULL, NULL, 0}

#define WW__MAP_STEPS(width, type, take, ...) \
    enum { L = WW__STEP_##width(sizeof(type)), STEP_BYTES = L * sizeof(type) }; \
    size_t i = 0; \
    (void)b; (void)environment; \
    for (; i + L <= n; i += L) { \
        for (size_t f = 0; f < STEP_BYTES; f += 128) WW__FETCH(WW__SEEN(char, WW__SEEN(type, a) + i) + f); \
        for (size_t l = i; l < i + L; l++) take(l, __VA_ARGS__); \
    } \
    for (; i < n; i++) take(i, __VA_ARGS__);
#define WW__MAP_LOOP(width, name, loop, made, type, take, ...) \
    WW__LOOP(width) void ww__##name##__##loop##_##width(made *WW__R out, const void *WW__R a, const void *WW__R b, \
                                                      const void *WW__R environment, size_t n) { \
        WW__EXACT \
        WW__MAP_STEPS(width, type, take, __VA_ARGS__) \
    }
/* The sum of results that are integers; other results' is 0. */
#define WW__ADD_UP(x, result) \
    do { \
        result r = x; \
        (void)r; \
        if (sizeof(result) > 4) wide += WW__WHOLE(r); \
        else narrow += WW__AS(uint32_t, WW__WHOLE(r)); \
    } while (0)
#define WW__TAKE_SUM(i, result, call, ...) WW__ADD_UP(call(i, __VA_ARGS__), result)
#define WW__SUM_LOOP(width, name, result, type, call, ...) \
    WW__LOOP(width) uint64_t ww__##name##__sum_##width(const void *WW__R a, const void *WW__R b, \
                                                      const void *WW__R environment, size_t n) { \
        WW__EXACT \
        uint64_t wide = 0; \
        uint32_t narrow = 0; \
        WW__MAP_STEPS(width, type, WW__TAKE_SUM, result, call, __VA_ARGS__) \
        return sizeof(result) > 4 ? wide : narrow; \
    }
/* A map of structs whose members, two to four of `size` bytes each, come from arrays of their own: a loop that compilers make
 * vectors of. Of other types it does nothing. */
#define WW__ZIPS(type, size) \
    (WW__IS_STRUCT(type) && sizeof(type) % size == 0 && sizeof(type) / size >= 2 && sizeof(type) / size <= 4)
#define WW__MEMBER(type, size, k, i) \
    if (sizeof(type) >= (k + 1) * size) \
    __builtin_memcpy(WW__TO(char, &ww__x) + (sizeof(type) >= (k + 1) * size ? k * size : 0), ww__c##k + (i) * size, size)
#define WW__OF_ZIP(i, size, take, name, result, type, env) \
    do { \
        type ww__x; \
        WW__MEMBER(type, size, 0, i); \
        WW__MEMBER(type, size, 1, i); \
        WW__MEMBER(type, size, 2, i); \
        WW__MEMBER(type, size, 3, i); \
        take(i, ww__body_##name(ww__x, WW__SEEN(env, environment)), result); \
    } while (0)
#define WW__ZIP_STEPS(width, size, take, name, result, type, env) \
    if (WW__ZIPS(type, size) && member_bytes == size) { \
        enum { L = WW__STEP_##width(sizeof(type)), STEP_BYTES = L * size, MANY = sizeof(type) / size }; \
        size_t i = 0; \
        for (; i + L <= n; i += L) { \
            for (size_t f = 0; f < STEP_BYTES; f += 128) { \
                WW__FETCH(ww__c0 + i * size + f); \
                WW__FETCH(ww__c1 + i * size + f); \
                if (MANY > 2) WW__FETCH(ww__c2 + i * size + f); \
                if (MANY > 3) WW__FETCH(ww__c3 + i * size + f); \
            } \
            for (size_t l = i; l < i + L; l++) WW__OF_ZIP(l, size, take, name, result, type, env); \
        } \
        for (; i < n; i++) WW__OF_ZIP(i, size, take, name, result, type, env); \
    }
#define WW__ZIP_STEPS_OF_BOTH(width, take, name, result, type, env) \
    const char *const ww__c0 = WW__SEEN(char, members[0]), *const ww__c1 = WW__SEEN(char, members[1]); \
    const char *const ww__c2 = WW__SEEN(char, members[sizeof(type) > 2 * member_bytes ? 2 : 0]); \
    const char *const ww__c3 = WW__SEEN(char, members[sizeof(type) > 3 * member_bytes ? 3 : 0]); \
    (void)environment; (void)n; (void)ww__c0; (void)ww__c1; (void)ww__c2; (void)ww__c3; \
    WW__ZIP_STEPS(width, 4, take, name, result, type, env) \
    WW__ZIP_STEPS(width, 8, take, name, result, type, env)
#define WW__STORE_MAPPED(i, x, result) WW__TO(result, out)[i] = x
#define WW__ADD_MAPPED(i, x, result) WW__ADD_UP(x, result)
#define WW__ZIPPED_LOOPS(width, name, result, type, env) \
    WW__LOOP(width) void ww__##name##__zipped_##width(void *WW__R out, const void *const *members, size_t member_bytes, \
                                                    const void *WW__R environment, size_t n) { \
        WW__EXACT \
        (void)out; \
        WW__ZIP_STEPS_OF_BOTH(width, WW__STORE_MAPPED, name, result, type, env) \
    } \
    WW__LOOP(width) uint64_t ww__##name##__zipped_sum_##width(const void *const *members, size_t member_bytes, \
                                                             const void *WW__R environment, size_t n) { \
        WW__EXACT \
        uint64_t wide = 0; \
        uint32_t narrow = 0; \
        WW__ZIP_STEPS_OF_BOTH(width, WW__ADD_MAPPED, name, result, type, env) \
        return sizeof(result) > 4 ? wide : narrow; \
    }
#define WW__ELEMENT(type, p, i) (WW__SEEN(type, p)[i])
#define WW__CALL1(i, name, type, env) ww__body_##name(WW__ELEMENT(type, a, i), WW__SEEN(env, environment))
#define WW__CALL2(i, name, ta, tb, env) \
    ww__body_##name(WW__ELEMENT(ta, a, i), WW__ELEMENT(tb, b, i), WW__SEEN(env, environment))
#define WW__TAKE_MAP(i, result, call, ...) WW__TO(result, out)[i] = call(i, __VA_ARGS__)
#define WW__TAKE_MASK(i, result, call, ...) do { result r = call(i, __VA_ARGS__); (void)r; out[i] = WW__TRUTH(r); } while (0)
#define WW__TAKE_NUMBER(i, result, call, ...) \
    do { result r = call(i, __VA_ARGS__); (void)r; out[i] = WW__NUMBER(r); } while (0)
#define WW__MAP_LOOPS(width, name, zipped, zipped_sum, result, type, call, ...) \
    WW__MAP_LOOP(width, name, map, void, type, WW__TAKE_MAP, result, call, name, __VA_ARGS__) \
    WW__MAP_LOOP(width, name, mask, uint8_t, type, WW__TAKE_MASK, result, call, name, __VA_ARGS__) \
    WW__MAP_LOOP(width, name, number, uint32_t, type, WW__TAKE_NUMBER, result, call, name, __VA_ARGS__) \
    WW__SUM_LOOP(width, name, result, type, call, name, __VA_ARGS__) \
    static const ww_map_loops ww__loops_##name##_##width __attribute__((unused)) = { \
        ww__##name##__map_##width, ww__##name##__mask_##width, ww__##name##__number_##width, ww__##name##__sum_##width, \
        zipped, zipped_sum};
#define WW__MAP_LOOPS_1(width, name, result, type, env) \
    WW__ZIPPED_LOOPS(width, name, result, type, env) \
    WW__MAP_LOOPS(width, name, ww__##name##__zipped_##width, ww__##name##__zipped_sum_##width, result, type, WW__CALL1, \
                  type, env)
#define WW__MAP_LOOPS_2(width, name, result, ta, tb, env) \
    WW__MAP_LOOPS(width, name, NULL, NULL, result, ta, WW__CALL2, ta, tb, env)

#define WW__MAP(uses, name, result, type, element, environment, env, string, ...) \
    WW__OUTSIDE(name) \
    WW__PLAIN result name(type element, const environment *env); \
    WW__PLAIN result ww__body_##name(type element, const environment *env) { \
        WW__EXACT \
        (void)element; (void)env; \
        __VA_ARGS__ \
    } \
    WW__PLAIN result name(type element, const environment *env) { return ww__body_##name(element, env); } \
    typedef result ww__result_##name; \
    typedef type ww__first_##name; \
    typedef environment ww__environment_##name; \
    static const ww_text *const ww__uses_##name[] = \
        WW__USES_AND(uses, &WW__TYPE_TEXT(result), &WW__TYPE_TEXT(type), &WW__TYPE_TEXT(environment)); \
    WW__EACH_LOOPS(WW__MAP_LOOPS_1, name, ww__result_##name, ww__first_##name, ww__environment_##name) \
    WW__OBJECT(name, WW_ROLE_MAP, 0, &WW__TYPE(result), &WW__TYPE(type), NULL, &WW__TYPE(environment), NULL, \
               #result " " #name "(" #type " " #element ", const " #environment " *" #env ")", string); \
    WW__WITH(name, name##_ww, environment) struct ww_function

#define WW__MAP2(uses, name, result, ta, a, tb, b, environment, env, string, ...) \
    WW__OUTSIDE(name) \
    WW__PLAIN result name(ta a, tb b, const environment *env); \
    WW__PLAIN result ww__body_##name(ta a, tb b, const environment *env) { \
        WW__EXACT \
        (void)a; (void)b; (void)env; \
        __VA_ARGS__ \
    } \
    WW__PLAIN result name(ta a, tb b, const environment *env) { return ww__body_##name(a, b, env); } \
    typedef result ww__result_##name; \
    typedef ta ww__first_##name; \
    typedef tb ww__second_##name; \
    typedef environment ww__environment_##name; \
    static const ww_text *const ww__uses_##name[] = \
        WW__USES_AND(uses, &WW__TYPE_TEXT(result), &WW__TYPE_TEXT(ta), &WW__TYPE_TEXT(tb), &WW__TYPE_TEXT(environment)); \
    WW__EACH_LOOPS(WW__MAP_LOOPS_2, name, ww__result_##name, ww__first_##name, ww__second_##name, \
                   ww__environment_##name) \
    WW__OBJECT(name, WW_ROLE_MAP2, 0, &WW__TYPE(result), &WW__TYPE(ta), &WW__TYPE(tb), &WW__TYPE(environment), NULL, \
               #result " " #name "(" #ta " " #a ", " #tb " " #b ", const " #environment " *" #env ")", string); \
    WW__WITH(name, name##_ww, environment) struct ww_function

#define WW__CALL_WINDOW(i, name, type, env) ww__body_##name(WW__SEEN(type, a) + (i), WW__SEEN(env, environment))
#define WW__WINDOW_LOOPS(width, name, result, type, env) \
    WW__MAP_LOOP(width, name, map, void, type, WW__TAKE_MAP, result, WW__CALL_WINDOW, name, type, env) \
    static const ww_map_loops ww__loops_##name##_##width __attribute__((unused)) = { \
        ww__##name##__map_##width, NULL, NULL, NULL, NULL, NULL};

#define WW__WINDOW(uses, name, result, type, element, before, after, environment, env, string, ...) \
    WW__OUTSIDE(name) \
    WW__PLAIN result name(const type *element, const environment *env); \
    WW__PLAIN result ww__body_##name(const type *element, const environment *env) { \
        WW__EXACT \
        (void)element; (void)env; \
        __VA_ARGS__ \
    } \
    WW__PLAIN result name(const type *element, const environment *env) { return ww__body_##name(element, env); } \
    typedef result ww__result_##name; \
    typedef type ww__first_##name; \
    typedef environment ww__environment_##name; \
    WW__ASSERT((before) >= 0 && (before) < 65536 && (after) >= 0 && (after) < 65536, \
               "WW_WINDOW: what is read before and after the element are numbers from 0 to 65535"); \
    static const ww_text *const ww__uses_##name[] = \
        WW__USES_AND(uses, &WW__TYPE_TEXT(result), &WW__TYPE_TEXT(type), &WW__TYPE_TEXT(environment)); \
    WW__EACH_LOOPS(WW__WINDOW_LOOPS, name, ww__result_##name, ww__first_##name, ww__environment_##name) \
    WW__OBJECT(name, WW_ROLE_WINDOW, WW__AS(uint32_t, before) + 65536u * WW__AS(uint32_t, after), &WW__TYPE(result), \
               &WW__TYPE(type), NULL, &WW__TYPE(environment), NULL, \
               #result " " #name "(const " #type " *" #element ", const " #environment " *" #env ")", string); \
    WW__WITH(name, name##_ww, environment) struct ww_function

/* Eight runs, `run` elements of 4 or 8 bytes each, column by column: to[8 c + r] = from[r * run + c] for `columns` c (a
 * multiple of 8), and back. Vector shuffles, so that what comes between works on eight neighbours at once. */
#if (defined(__clang__) && __clang_major__ >= 9) || (!defined(__clang__) && __GNUC__ >= 12)
#define WW__TURNS(type) (sizeof(type) == 4 || sizeof(type) == 8)
typedef uint32_t ww__eight_u32 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t ww__two_u64 __attribute__((vector_size(16), aligned(1), may_alias));
#define WW__AT(vector, base, element, size) (*WW__TO(vector, WW__TO(char, base) + (element) * (size)))
#define WW__SEE(vector, base, element, size) (*WW__SEEN(vector, WW__SEEN(char, base) + (element) * (size)))
#define WW__MIX __builtin_shufflevector
/* Eight rows of eight words, turned: pairs, fours and halves of rows change places. */
#define WW__PAIRS(x, y, low) low ? WW__MIX(x, y, 0, 8, 1, 9, 4, 12, 5, 13) : WW__MIX(x, y, 2, 10, 3, 11, 6, 14, 7, 15)
#define WW__FOURS(x, y, low) low ? WW__MIX(x, y, 0, 1, 8, 9, 4, 5, 12, 13) : WW__MIX(x, y, 2, 3, 10, 11, 6, 7, 14, 15)
WW__INLINE void ww__turn_4(void *to, size_t to_row, const void *from, size_t from_row) {
    ww__eight_u32 a[8], b[8];
    for (int r = 0; r < 8; r++) a[r] = WW__SEE(ww__eight_u32, from, WW__AS(size_t, r) * from_row, 4);
    for (int r = 0; r < 8; r += 2) {
        b[r] = WW__PAIRS(a[r], a[r + 1], 1);
        b[r + 1] = WW__PAIRS(a[r], a[r + 1], 0);
    }
    for (int r = 0; r < 8; r += 4)
        for (int k = 0; k < 2; k++) {
            a[r + 2 * k] = WW__FOURS(b[r + k], b[r + k + 2], 1);
            a[r + 2 * k + 1] = WW__FOURS(b[r + k], b[r + k + 2], 0);
        }
    for (int r = 0; r < 4; r++) {
        WW__AT(ww__eight_u32, to, WW__AS(size_t, r) * to_row, 4) = WW__MIX(a[r], a[r + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        WW__AT(ww__eight_u32, to, WW__AS(size_t, r + 4) * to_row, 4) = WW__MIX(a[r], a[r + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
WW__INLINE void ww__turn_8(void *to, size_t to_row, const void *from, size_t from_row) {
    const ww__two_u64 r0 = WW__SEE(ww__two_u64, from, 0, 8), r1 = WW__SEE(ww__two_u64, from, from_row, 8);
    WW__AT(ww__two_u64, to, 0, 8) = WW__MIX(r0, r1, 0, 2);
    WW__AT(ww__two_u64, to, to_row, 8) = WW__MIX(r0, r1, 1, 3);
}
WW__INLINE void ww__columns_of_runs(void *to, const void *from, size_t run, size_t columns, size_t size) {
    for (size_t c = 0; size == 4 && c < columns; c += 8)
        ww__turn_4(WW__TO(char, to) + 8 * c * 4, 8, WW__SEEN(char, from) + c * 4, run);
    for (size_t c = 0; size == 8 && c < columns; c += 2)
        for (size_t r = 0; r < 8; r += 2)
            ww__turn_8(WW__TO(char, to) + (8 * c + r) * 8, 8, WW__SEEN(char, from) + (r * run + c) * 8, run);
}
WW__INLINE void ww__runs_of_columns(void *to, const void *from, size_t run, size_t columns, size_t size) {
    for (size_t c = 0; size == 4 && c < columns; c += 8)
        ww__turn_4(WW__TO(char, to) + c * 4, run, WW__SEEN(char, from) + 8 * c * 4, 8);
    for (size_t c = 0; size == 8 && c < columns; c += 2)
        for (size_t r = 0; r < 8; r += 2)
            ww__turn_8(WW__TO(char, to) + (r * run + c) * 8, run, WW__SEEN(char, from) + (8 * c + r) * 8, 8);
}
#else
#define WW__TURNS(type) 0
WW__INLINE void ww__columns_of_runs(void *to, const void *from, size_t run, size_t columns, size_t size) {
    (void)to; (void)from; (void)run; (void)columns; (void)size;
}
WW__INLINE void ww__runs_of_columns(void *to, const void *from, size_t run, size_t columns, size_t size) {
    (void)to; (void)from; (void)run; (void)columns; (void)size;
}
#endif

/* What a caller's function gets of a loop's `environment`. */
#define WW__ENV(name) WW__SEEN(ww__environment_##name, environment)

#define WW__COMBINE_LOOPS(width, name, type, second) \
    WW__LOOP(width) void ww__##name##__fold_##width(void *result, const void *from, size_t n, const void *WW__R environment) { \
        WW__EXACT \
        enum { L = WW__LANES(sizeof(type)) }; \
        const type *WW__R x = WW__SEEN(type, from); \
        type lane[L]; \
        if (n < L) { \
            lane[0] = x[0]; \
            for (size_t i = 1; i < n; i++) lane[0] = ww__body_##name(lane[0], x[i], WW__ENV(name)); \
            *WW__TO(type, result) = lane[0]; \
            return; \
        } \
        for (size_t l = 0; l < L; l++) lane[l] = x[l]; \
        size_t i = L; \
        for (; i + L <= n; i += L) { \
            WW__FETCH(x + i); \
            for (size_t l = 0; l < L; l++) lane[l] = ww__body_##name(lane[l], x[i + l], WW__ENV(name)); \
        } \
        for (size_t l = 0; i < n; i++, l++) lane[l] = ww__body_##name(lane[l], x[i], WW__ENV(name)); \
        for (size_t w = L / 2; w; w /= 2) \
            for (size_t l = 0; l < w; l++) lane[l] = ww__body_##name(lane[l], lane[l + w], WW__ENV(name)); \
        *WW__TO(type, result) = lane[0]; \
    } \
    /* Each row of eight + the one above it, from `sum` on. A function of its own, or gcc keeps the sums in memory. As many \
     * bytes come from `ahead` meanwhile, a line at a time: many at once would fill the buffers of lines on their way, and \
     * the loops would wait. */ \
    __attribute__((noinline)) WW__LOOP(width) void ww__##name##__rows_##width(type *WW__R t, type *WW__R sum, size_t rows, \
                                                               const char *ahead, const void *WW__R environment) { \
        WW__EXACT \
        type s[8]; \
        for (size_t r = 0; r < 8; r++) s[r] = sum[r]; \
        for (size_t c = 0; c < rows; c++) { \
            if (ahead && c * 8 * sizeof(type) % 64 == 0) __builtin_prefetch(ahead + c * 8 * sizeof(type)); \
            for (size_t r = 0; r < 8; r++) s[r] = ww__body_##name(s[r], t[8 * c + r], WW__ENV(name)); \
            for (size_t r = 0; r < 8; r++) t[8 * c + r] = s[r]; \
        } \
        for (size_t r = 0; r < 8; r++) sum[r] = s[r]; \
    } \
    /* Scans eight runs side by side, each alone; total gets their sums. Elements of 4 and 8 bytes are turned so that one \
     * vector holds an element of each run. What is `ahead` comes from memory meanwhile, in even steps. */ \
    WW__LOOP(width) void ww__##name##__runs_##width(type *WW__R out, const type *WW__R x, size_t run, type *WW__R total, \
                                                    const void *ahead, const void *WW__R environment) { \
        WW__EXACT \
        enum { C = WW__TURNS(type) ? 256 / sizeof(type) : 1 }; \
        type s[8], t[8 * C]; \
        size_t k = 0; \
        if (WW__TURNS(type)) \
            for (; k + C <= run; k += C) { \
                ww__columns_of_runs(t, x + k, run, C, sizeof(type)); \
                if (!k) \
                    for (size_t r = 0; r < 8; r++) s[r] = t[r]; \
                ww__##name##__rows_##width(t + 8 * !k, s, C - !k, ahead ? WW__SEEN(char, ahead) + 8 * k * sizeof(type) : NULL, \
                                           environment); \
                ww__runs_of_columns(out + k, t, run, C, sizeof(type)); \
            } \
        if (!k) { \
            for (size_t r = 0; r < 8; r++) out[r * run] = s[r] = x[r * run]; \
            k = 1; \
        } \
        for (; k < run; k++) { \
            if (ahead) \
                for (size_t b = 8 * k * sizeof(type) / 64; b < 8 * (k + 1) * sizeof(type) / 64; b++) \
                    __builtin_prefetch(WW__SEEN(char, ahead) + 64 * b); \
            for (size_t r = 0; r < 8; r++) out[r * run + k] = s[r] = ww__body_##name(s[r], x[r * run + k], WW__ENV(name)); \
        } \
        for (size_t r = 0; r < 8; r++) total[r] = s[r]; \
    } \
    WW__LOOP(width) void ww__##name##__alone_##width(void *to, const void *from, size_t n, const void *ahead, \
                                                     const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, from); \
        type *WW__R out = WW__TO(type, to); \
        type so_far = x[0]; \
        size_t i = 1; \
        if (n >= 16) { \
            const size_t run = n / 8; \
            type total[8]; \
            ww__##name##__runs_##width(out, x, run, total, ahead, environment); \
            so_far = total[0]; \
            for (size_t r = 1; r < 8; r++) so_far = ww__body_##name(so_far, total[r], WW__ENV(name)); \
            i = 8 * run; \
        } else { \
            out[0] = so_far; \
        } \
        for (; i < n; i++) out[i] = so_far = ww__body_##name(so_far, x[i], WW__ENV(name)); \
    } \
    WW__LOOP(width) void ww__##name##__scan_##width(void *to, const void *from, void *carry, size_t n, const void *ahead, \
                                                    const void *WW__R environment) { \
        WW__EXACT \
        type *WW__R out = WW__TO(type, to); \
        const size_t run = n < 16 ? 0 : n / 8; \
        const type c = *WW__SEEN(type, carry); \
        type before = c, so_far = c; /* so_far: of the runs, without the carry */ \
        ww__##name##__alone_##width(to, from, n, ahead, environment); \
        for (size_t r = 0; run && r < 8; r++) { \
            type *WW__R o = out + r * run; \
            so_far = r ? ww__body_##name(so_far, o[run - 1], WW__ENV(name)) : o[run - 1]; \
            for (size_t k = 0; k < run; k++) o[k] = ww__body_##name(before, o[k], WW__ENV(name)); \
            before = ww__body_##name(c, so_far, WW__ENV(name)); \
        } \
        if (8 * run < n) { \
            for (size_t i = 8 * run; i < n; i++) out[i] = ww__body_##name(c, out[i], WW__ENV(name)); \
            before = out[n - 1]; \
        } \
        *WW__TO(type, carry) = before; \
    } \
    WW__LOOP(width) void ww__##name##__prescan_##width(void *to, const void *from, void *carry, size_t n, const void *ahead, \
                                                       const void *WW__R environment) { \
        type *out = WW__TO(type, to); \
        const type c = *WW__SEEN(type, carry); \
        ww__##name##__scan_##width(to, from, carry, n, ahead, environment); \
        __builtin_memmove(out + 1, out, (n - 1) * sizeof(type)); \
        out[0] = c; \
    } \
    WW__LOOP(width) void ww__##name##__pairwise_##width(void *to, const void *left, const void *right, size_t n, \
                                                        const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R a = WW__SEEN(type, left), *WW__R b = WW__SEEN(type, right); \
        type *WW__R out = WW__TO(type, to); \
        for (size_t i = 0; i < n; i++) out[i] = ww__body_##name(a[i], b[i], WW__ENV(name)); \
    } \
    WW__LOOP(width) void ww__##name##__prefix_##width(void *to, const void *value, const void *from, size_t n, \
                                                      const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, from); \
        const type before = *WW__SEEN(type, value); \
        type *WW__R out = WW__TO(type, to); \
        for (size_t i = 0; i < n; i++) out[i] = ww__body_##name(before, x[i], WW__ENV(name)); \
    } \
    static const ww_combine_loops ww__loops_##name##_##width __attribute__((unused)) = { \
        ww__##name##__fold_##width, ww__##name##__ordered, ww__##name##__scan_##width, ww__##name##__prescan_##width, \
        ww__##name##__alone_##width, \
        ww__##name##__segmented_inclusive, ww__##name##__segmented_exclusive, ww__##name##__pairwise_##width, \
        ww__##name##__prefix_##width};

/* Loops that no vector unit helps with: one body for all widths. They and those of WW_LESS stay macros: as plain functions that
 * call the body by its address they took 1.4 times the time with gcc and 1.7 times with clang (an EPYC, 2026-11-23). */
#define WW__COMBINE_SERIAL(name, type) \
    WW__LOOP(plain) void ww__##name##__ordered(void *result, const void *from, size_t n, const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, from); \
        type c = x[0]; \
        size_t i = 1; \
        if (n >= 16) { \
            const size_t run = n / 8; \
            type s[8]; \
            for (size_t r = 0; r < 8; r++) s[r] = x[r * run]; \
            for (size_t k = 1; k < run; k++) { \
                if (k * sizeof(type) % 64 < sizeof(type)) \
                    for (size_t r = 0; r < 8; r++) __builtin_prefetch(WW__SEEN(char, x + r * run + k) + 512); \
                for (size_t r = 0; r < 8; r++) s[r] = ww__body_##name(s[r], x[r * run + k], WW__ENV(name)); \
            } \
            c = s[0]; \
            for (size_t r = 1; r < 8; r++) c = ww__body_##name(c, s[r], WW__ENV(name)); \
            i = 8 * run; \
        } \
        for (; i < n; i++) c = ww__body_##name(c, x[i], WW__ENV(name)); \
        *WW__TO(type, result) = c; \
    } \
    WW__LOOP(plain) void ww__##name##__segmented_inclusive(void *to, const void *from, const uint8_t *WW__R heads, \
                                                           void *carry, size_t n, const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, from); \
        type *WW__R out = WW__TO(type, to); \
        type c = *WW__SEEN(type, carry); \
        for (size_t i = 0; i < n; i++) out[i] = c = heads[i] ? x[i] : ww__body_##name(c, x[i], WW__ENV(name)); \
        *WW__TO(type, carry) = c; \
    } \
    WW__LOOP(plain) void ww__##name##__segmented_exclusive(void *to, const void *from, const uint8_t *WW__R heads, \
                                                           void *carry, const void *initial, size_t n, \
                                                           const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, from); \
        const type anew = *WW__SEEN(type, initial); \
        type *WW__R out = WW__TO(type, to); \
        type c = *WW__SEEN(type, carry); \
        for (size_t i = 0; i < n; i++) { \
            c = heads[i] ? anew : c; \
            out[i] = c; \
            c = ww__body_##name(c, x[i], WW__ENV(name)); \
        } \
        *WW__TO(type, carry) = c; \
    }

/* A function without an environment, and one with: the body has a last parameter in both, so that loops call them alike. */
#define WW__PLAIN_FUNCTION(name, result, type, a, b, ...) \
    WW__PLAIN result name(type a, type b); \
    WW__PLAIN result ww__body_##name(type a, type b, const void *ww__none) { \
        WW__EXACT \
        (void)ww__none; \
        __VA_ARGS__ \
    } \
    WW__PLAIN result name(type a, type b) { return ww__body_##name(a, b, NULL); } \
    typedef type ww__first_##name; \
    typedef void ww__environment_##name;
#define WW__FUNCTION_WITH(name, result, type, a, b, environment, env, ...) \
    WW__PLAIN result name(type a, type b, const environment *env); \
    WW__PLAIN result ww__body_##name(type a, type b, const environment *env) { \
        WW__EXACT \
        (void)env; \
        __VA_ARGS__ \
    } \
    WW__PLAIN result name(type a, type b, const environment *env) { return ww__body_##name(a, b, env); } \
    typedef type ww__first_##name; \
    typedef environment ww__environment_##name;

/* Whether what stands where the identity belongs is one: WW_IDENTITY puts it in brackets. */
#define WW__IN_BRACKETS(...) ~, 1
#define WW__IS_IDENTITY(what) WW__SECOND(WW__IN_BRACKETS what, 0, ~)
#define WW__SECOND(...) WW__SECOND_OF(__VA_ARGS__)
#define WW__SECOND_OF(first, second, ...) second

#define WW__NEEDS_IDENTITY(name, identity) \
    WW__ASSERT(WW__IS_IDENTITY(identity), \
               "WW_COMBINE(" #name ", ...) lacks its identity: WW_IDENTITY(0), say, comes before the body");

#define WW__COMBINE_REST(name, type, environment, flags, identity, signature, string) \
    static const ww__first_##name ww__identity_##name = WW__BARE identity; \
    WW__COMBINE_SERIAL(name, ww__first_##name) \
    WW__EACH_LOOPS(WW__COMBINE_LOOPS, name, ww__first_##name, 0) \
    WW__OBJECT(name, WW_ROLE_COMBINE, flags, type, type, type, environment, &ww__identity_##name, signature, string)

#define WW__COMBINE(uses, name, type, a, b, flags, identity, string, ...) \
    WW__OUTSIDE(name) \
    WW__NEEDS_IDENTITY(name, identity) \
    WW__PLAIN_FUNCTION(name, type, type, a, b, __VA_ARGS__) \
    static const ww_text *const ww__uses_##name[] = WW__USES_AND(uses, &WW__TYPE_TEXT(type)); \
    WW__COMBINE_REST(name, &WW__TYPE(type), &void_ww, flags, identity, \
                     #type " " #name "(" #type " " #a ", " #type " " #b ")", string)

#define WW__COMBINE_WITH(uses, name, type, a, b, environment, env, flags, identity, string, ...) \
    WW__OUTSIDE(name) \
    WW__NEEDS_IDENTITY(name, identity) \
    WW__FUNCTION_WITH(name, type, type, a, b, environment, env, __VA_ARGS__) \
    static const ww_text *const ww__uses_##name[] = \
        WW__USES_AND(uses, &WW__TYPE_TEXT(type), &WW__TYPE_TEXT(environment)); \
    WW__COMBINE_REST(name, &WW__TYPE(type), &WW__TYPE(environment), flags, identity, \
                     #type " " #name "(" #type " " #a ", " #type " " #b ", const " #environment " *" #env ")", string); \
    WW__WITH(name, name##_ww, environment) struct ww_function

#define WW__LESS_LOOPS(width, name, ignored) \
    static const ww_less_loops ww__loops_##name##_##width __attribute__((unused)) = { \
        ww__##name##__merge, ww__##name##__bound, ww__##name##__leaf, ww__##name##__sorted, \
        ww__##name##__extreme, ww__##name##__less, ww__##name##__sort, ww__##name##__classify};

/* A merge is a chain: what comes next is known when the last has been compared. So runs are cut at three places of their merge
 * path into four merges, which go in step, without branches: as many steps as the shortest run left is long, and again, and
 * then each to its end. The cuts are nested, so that each element comes out once, whatever the order says. What is no integer
 * is taken by its address: compilers choose between floats and between structs by branches. */
#define WW__IS_WORD(x) (__builtin_classify_type(x) == 1 && sizeof(x) <= 8)
#define WW__MERGE_STEP(name, type, c) \
    { \
        const int second = !!ww__body_##name(b[j##c], a[i##c], WW__ENV(name)); \
        const type *const both[2] = {a + i##c, b + j##c}; \
        out[c * quarter + k] = WW__IS_WORD(*a) ? (second ? b[j##c] : a[i##c]) : *both[second]; \
        if (from) from[c * quarter + k] = WW__AS(uint8_t, second); \
        j##c += WW__AS(size_t, second); \
        i##c += WW__AS(size_t, !second); \
    }
#define WW__SHORTER(n, m) ((n) < (m) ? (n) : (m))

#define WW__LESS_MERGE(name, type) \
    WW__INLINE size_t ww__##name##__cut(const type *a, size_t na, const type *b, size_t nb, size_t diagonal, \
                                        const void *environment) { \
        WW__EXACT \
        size_t low = diagonal > nb ? diagonal - nb : 0, left = WW__SHORTER(diagonal, na) - low; \
        while (left) { \
            const size_t half = (left + 1) / 2, middle = low + half - 1; \
            low += ww__body_##name(b[diagonal - 1 - middle], a[middle], WW__ENV(name)) ? 0 : half; \
            left -= half; \
        } \
        return low; \
    } \
    WW__INLINE void ww__##name##__merge_one(type *out, const type *a, size_t na, const type *b, size_t nb, uint8_t *from, \
                                            const void *environment) { \
        WW__EXACT \
        size_t i = 0, j = 0, k = 0; \
        while (i < na && j < nb) { \
            const int second = !!ww__body_##name(b[j], a[i], WW__ENV(name)); \
            out[k] = second ? b[j] : a[i]; \
            if (from) from[k] = WW__AS(uint8_t, second); \
            j += WW__AS(size_t, second); \
            i += WW__AS(size_t, !second); \
            k++; \
        } \
        for (; i < na; i++, k++) { out[k] = a[i]; if (from) from[k] = 0; } \
        for (; j < nb; j++, k++) { out[k] = b[j]; if (from) from[k] = 1; } \
    } \
    WW__INLINE void ww__##name##__merge_four(type *WW__R out, const type *WW__R a, size_t na, const type *WW__R b, size_t nb, \
                                             uint8_t *WW__R from, const void *WW__R environment) { \
        WW__EXACT \
        const size_t quarter = (na + nb) / 4; \
        const size_t i2_0 = ww__##name##__cut(a, na, b, nb, 2 * quarter, environment), j2_0 = 2 * quarter - i2_0; \
        const size_t i1_0 = ww__##name##__cut(a, i2_0, b, j2_0, quarter, environment), j1_0 = quarter - i1_0; \
        const size_t i3_0 = i2_0 + ww__##name##__cut(a + i2_0, na - i2_0, b + j2_0, nb - j2_0, quarter, environment); \
        const size_t j3_0 = 3 * quarter - i3_0; \
        size_t i0 = 0, i1 = i1_0, i2 = i2_0, i3 = i3_0, j0 = 0, j1 = j1_0, j2 = j2_0, j3 = j3_0, k = 0; \
        for (;;) { \
            const size_t s0 = WW__SHORTER(i1_0 - i0, j1_0 - j0), s1 = WW__SHORTER(i2_0 - i1, j2_0 - j1); \
            const size_t s2 = WW__SHORTER(i3_0 - i2, j3_0 - j2), s3 = WW__SHORTER(na - i3, nb - j3); \
            const size_t s01 = WW__SHORTER(s0, s1), s23 = WW__SHORTER(s2, s3), steps = WW__SHORTER(s01, s23); \
            if (steps < 4) break; \
            for (const size_t end = k + steps; k < end; k++) { \
                WW__MERGE_STEP(name, type, 0) WW__MERGE_STEP(name, type, 1) \
                WW__MERGE_STEP(name, type, 2) WW__MERGE_STEP(name, type, 3) \
            } \
        } \
        const size_t i[4] = {i0, i1, i2, i3}, i_end[4] = {i1_0, i2_0, i3_0, na}; \
        const size_t j[4] = {j0, j1, j2, j3}, j_end[4] = {j1_0, j2_0, j3_0, nb}; \
        for (size_t c = 0; c < 4; c++) \
            ww__##name##__merge_one(out + c * quarter + k, a + i[c], i_end[c] - i[c], b + j[c], j_end[c] - j[c], \
                                    from ? from + c * quarter + k : NULL, environment); \
    } \
    WW__LOOP(plain) void ww__##name##__merge(void *to, const void *left, size_t na, const void *right, size_t nb, \
                                             uint8_t *WW__R from, const void *WW__R environment) { \
        const type *a = WW__SEEN(type, left), *b = WW__SEEN(type, right); \
        type *out = WW__TO(type, to); \
        if (na + nb < 64) \
            ww__##name##__merge_one(out, a, na, b, nb, from, environment); \
        else if (from) \
            ww__##name##__merge_four(out, a, na, b, nb, from, environment); \
        else \
            ww__##name##__merge_four(out, a, na, b, nb, NULL, environment); \
    }

/* Sorting what is in cache: fours by their ranks, then runs merged from both ends at once, two pairs of runs in step, without
 * branches: each end of a pair of equal runs gives half of what comes out, and so reads nothing behind the runs. Where the ends
 * have taken too much of a run (less is no order) the pair is merged from the front. */
#define WW__ENDS_STEP(name, type, run, c) \
    { \
        const type *const first = x + (run) + i##c, *const second = x + (run) + length + (k - i##c); \
        const int later = !!ww__body_##name(*second, *first, WW__ENV(name)); \
        const type *const both[2] = {first, second}; \
        y[(run) + k] = WW__IS_WORD(*x) ? (later ? *second : *first) : *both[later]; \
        if (positions) positions_out[(run) + k] = positions[both[later] - x]; \
        i##c += WW__AS(size_t, !later); \
        const size_t last = (run) + 2 * length - 1; \
        const type *const low = x + (run) + length - 1 - u##c, *const high = x + last - (k - u##c); \
        const int lower = !!ww__body_##name(*high, *low, WW__ENV(name)); \
        const type *const ends[2] = {high, low}; \
        y[last - k] = WW__IS_WORD(*x) ? (lower ? *low : *high) : *ends[lower]; \
        if (positions) positions_out[last - k] = positions[ends[lower] - x]; \
        u##c += WW__AS(size_t, lower); \
    }

#define WW__LESS_SORT(name, type) \
    /* What is left of two runs of x, i … and j …, to y from place k on. */ \
    WW__INLINE void ww__##name##__front(type *WW__R y, const type *WW__R x, size_t k, size_t i, size_t i_end, size_t j, \
                                        size_t j_end, const uint32_t *WW__R positions, uint32_t *WW__R positions_out, \
                                        const void *environment) { \
        WW__EXACT \
        while (i < i_end && j < j_end) { \
            const int later = !!ww__body_##name(x[j], x[i], WW__ENV(name)); \
            const size_t from = later ? j : i; \
            y[k] = x[from]; \
            if (positions) positions_out[k] = positions[from]; \
            j += WW__AS(size_t, later); \
            i += WW__AS(size_t, !later); \
            k++; \
        } \
        for (; i < i_end; i++, k++) { y[k] = x[i]; if (positions) positions_out[k] = positions[i]; } \
        for (; j < j_end; j++, k++) { y[k] = x[j]; if (positions) positions_out[k] = positions[j]; } \
    } \
    /* `pairs` pairs of runs of one length: 1 or 2. */ \
    WW__INLINE void ww__##name##__ends(type *WW__R y, const type *WW__R x, size_t length, const int pairs, \
                                       const uint32_t *WW__R positions, uint32_t *WW__R positions_out, \
                                       const void *environment) { \
        WW__EXACT \
        size_t i0 = 0, u0 = 0, i1 = 0, u1 = 0; \
        for (size_t k = 0; k < length; k++) { \
            WW__ENDS_STEP(name, type, 0, 0) \
            if (pairs == 2) WW__ENDS_STEP(name, type, 2 * length, 1) \
        } \
        if (i0 + u0 != length) \
            ww__##name##__front(y, x, 0, 0, length, length, 2 * length, positions, positions_out, environment); \
        if (pairs == 2 && i1 + u1 != length) \
            ww__##name##__front(y, x, 2 * length, 2 * length, 3 * length, 3 * length, 4 * length, positions, \
                                positions_out, environment); \
    } \
    /* The same of a run and a shorter one behind it. */ \
    WW__INLINE void ww__##name##__rest(type *WW__R y, const type *WW__R x, size_t length, size_t shorter, \
                                       const uint32_t *WW__R positions, uint32_t *WW__R positions_out, \
                                       const void *environment) { \
        WW__EXACT \
        const size_t n = length + shorter; \
        size_t i = 0, j = length, i_end = length, j_end = n; \
        for (size_t k = 0; k < shorter; k++) { \
            const int later = !!ww__body_##name(x[j], x[i], WW__ENV(name)); \
            const size_t from = later ? j : i; \
            y[k] = x[from]; \
            if (positions) positions_out[k] = positions[from]; \
            j += WW__AS(size_t, later); \
            i += WW__AS(size_t, !later); \
            const int lower = !!ww__body_##name(x[j_end - 1], x[i_end - 1], WW__ENV(name)); \
            const size_t last = (lower ? i_end : j_end) - 1; \
            y[n - 1 - k] = x[last]; \
            if (positions) positions_out[n - 1 - k] = positions[last]; \
            i_end -= WW__AS(size_t, lower); \
            j_end -= WW__AS(size_t, !lower); \
        } \
        if (i <= i_end && j <= j_end) \
            ww__##name##__front(y, x, shorter, i, i_end, j, j_end, positions, positions_out, environment); \
        else \
            ww__##name##__front(y, x, 0, 0, length, length, n, positions, positions_out, environment); \
    } \
    /* Up to four elements: each to its rank. */ \
    WW__INLINE void ww__##name##__few(type *y, const type *x, size_t n, const uint32_t *positions, \
                                      uint32_t *positions_out, const void *environment) { \
        WW__EXACT \
        type element[4]; \
        uint32_t position[4] = {0, 0, 0, 0}, rank[4] = {0, 0, 0, 0}; \
        for (size_t i = 0; i < n; i++) { \
            element[i] = x[i]; \
            if (positions) position[i] = positions[i]; \
            rank[i] += WW__AS(uint32_t, i); \
            for (size_t j = 0; j < i; j++) { \
                const uint32_t later = WW__AS(uint32_t, !!ww__body_##name(x[i], x[j], WW__ENV(name))); \
                rank[j] += later; \
                rank[i] -= later; \
            } \
        } \
        uint32_t taken = 0; \
        for (size_t i = 0; i < n; i++) taken |= WW__AS(uint32_t, 1) << rank[i]; \
        const int is_order = taken + 1 == WW__AS(uint32_t, 1) << n; \
        for (size_t i = 0; i < n; i++) { \
            const size_t to = is_order ? rank[i] : i; \
            y[to] = element[i]; \
            if (positions) positions_out[to] = position[i]; \
        } \
    } \
    WW__INLINE void ww__##name##__sort_with(type *x, type *y, uint32_t *positions, uint32_t *others, size_t n, \
                                            int into_other, const void *environment) { \
        WW__EXACT \
        size_t levels = 0; \
        while ((WW__AS(size_t, 4) << levels) < n) levels++; \
        const int swapped = (levels & 1) != WW__AS(size_t, into_other != 0); \
        type *from = swapped ? y : x, *to = swapped ? x : y; \
        uint32_t *p = swapped ? others : positions, *p_to = swapped ? positions : others; \
        size_t done = 0; \
        for (; done + 4 <= n; done += 4) \
            ww__##name##__few(from + done, x + done, 4, positions ? positions + done : NULL, positions ? p + done : NULL, \
                              environment); \
        ww__##name##__few(from + done, x + done, n - done, positions ? positions + done : NULL, \
                          positions ? p + done : NULL, environment); \
        for (size_t length = 4; length < n; length *= 2) { \
            size_t i = 0; \
            for (; i + 4 * length <= n; i += 4 * length) \
                ww__##name##__ends(to + i, from + i, length, 2, positions ? p + i : NULL, positions ? p_to + i : NULL, \
                                   environment); \
            for (; i + 2 * length <= n; i += 2 * length) \
                ww__##name##__ends(to + i, from + i, length, 1, positions ? p + i : NULL, positions ? p_to + i : NULL, \
                                   environment); \
            ww__##name##__rest(to + i, from + i, WW__SHORTER(length, n - i), n - i > length ? n - i - length : 0, \
                               positions ? p + i : NULL, positions ? p_to + i : NULL, environment); \
            type *const swap = from; \
            from = to; \
            to = swap; \
            uint32_t *const swap_positions = p; \
            p = p_to; \
            p_to = swap_positions; \
        } \
    } \
    WW__LOOP(plain) void ww__##name##__sort(void *x, void *other, uint32_t *positions, uint32_t *other_positions, size_t n, \
                                            int into_other, const void *environment) { \
        if (positions) \
            ww__##name##__sort_with(WW__TO(type, x), WW__TO(type, other), positions, other_positions, n, into_other, \
                                    environment); \
        else \
            ww__##name##__sort_with(WW__TO(type, x), WW__TO(type, other), NULL, NULL, n, into_other, environment); \
    } \
    /* Sixteen elements go down the tree in step, without branches. */ \
    WW__LOOP(plain) void ww__##name##__classify(uint16_t *WW__R out, const void *elements, size_t n, const void *splitters, \
                                                const void *sorted, unsigned levels, const void *environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, elements), *WW__R tree = WW__SEEN(type, splitters); \
        const type *WW__R in_order = WW__SEEN(type, sorted); \
        const uint32_t first = WW__AS(uint32_t, 1) << levels; \
        for (size_t g = 0; g < n; g += 16) { \
            uint32_t at[16]; \
            const size_t many = WW__SHORTER(n - g, 16), step = many < 16 ? 0 : 1; \
            for (size_t q = 0; q < 16; q++) at[q] = 1; \
            for (unsigned level = 0; level < levels; level++) \
                for (size_t q = 0; q < 16; q++) \
                    at[q] = 2 * at[q] + WW__AS(uint32_t, !ww__body_##name(x[g + q * step], tree[at[q]], WW__ENV(name))); \
            for (size_t q = 0; q < many && !step; q++) { \
                at[q] = 1; \
                for (unsigned level = 0; level < levels; level++) \
                    at[q] = 2 * at[q] + WW__AS(uint32_t, !ww__body_##name(x[g + q], tree[at[q]], WW__ENV(name))); \
            } \
            for (size_t q = 0; q < many; q++) { \
                const uint32_t above = at[q] - first; \
                uint32_t equal = 0; \
                if (sorted) { \
                    const uint32_t last = above ? above - 1 : 0; \
                    equal = (above != 0) & !ww__body_##name(in_order[last], x[g + q], WW__ENV(name)); \
                } \
                out[g + q] = WW__AS(uint16_t, sorted ? 2 * above - equal : above); \
            } \
        } \
    }

#define WW__LESS_SERIAL(name, type) \
    WW__LESS_MERGE(name, type) \
    WW__LESS_SORT(name, type) \
    WW__LOOP(plain) void ww__##name##__bound(uint64_t *WW__R out, const void *array, size_t n, const void *wanted, \
                                             size_t m, int upper, const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, array), *WW__R w = WW__SEEN(type, wanted); \
        /* Sixteen searches in step, without branches: their cache misses overlap. */ \
        for (size_t g = 0; g < m; g += 16) { \
            const size_t many = m - g < 16 ? m - g : 16; \
            size_t base[16] = {0}; \
            for (size_t left = n; left > 1;) { \
                const size_t half = left / 2, quarter = (left - half) / 2; \
                for (size_t q = 0; q < many; q++) { \
                    const type probe = x[base[q] + half - 1]; \
                    const int right = upper ? !ww__body_##name(w[g + q], probe, WW__ENV(name)) \
                                            : !!ww__body_##name(probe, w[g + q], WW__ENV(name)); \
                    base[q] += half & (0 - WW__AS(size_t, right)); \
                    if (quarter) __builtin_prefetch(x + base[q] + quarter - 1); \
                } \
                left -= half; \
            } \
            for (size_t q = 0; q < many; q++) { \
                size_t p = base[q]; \
                if (n) p += WW__AS(size_t, upper ? !ww__body_##name(w[g + q], x[p], WW__ENV(name)) \
                                           : !!ww__body_##name(x[p], w[g + q], WW__ENV(name))); \
                out[g + q] = p; \
            } \
        } \
    } \
    WW__LOOP(plain) void ww__##name##__leaf(void *array, uint32_t *WW__R positions, size_t n, const void *WW__R environment) { \
        WW__EXACT \
        type *WW__R x = WW__TO(type, array); \
        for (size_t i = 1; i < n; i++) { \
            const type moving = x[i]; \
            const uint32_t position = positions ? positions[i] : 0; \
            size_t j = i; \
            for (; j > 0 && ww__body_##name(moving, x[j - 1], WW__ENV(name)); j--) { \
                x[j] = x[j - 1]; \
                if (positions) positions[j] = positions[j - 1]; \
            } \
            x[j] = moving; \
            if (positions) positions[j] = position; \
        } \
    } \
    WW__LOOP(plain) size_t ww__##name##__sorted(const void *array, size_t n, const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, array); \
        for (size_t i = 1; i < n; i++) \
            if (ww__body_##name(x[i], x[i - 1], WW__ENV(name))) return i; \
        return n; \
    } \
    WW__LOOP(plain) size_t ww__##name##__extreme(const void *array, size_t n, int greatest, const void *WW__R environment) { \
        WW__EXACT \
        const type *WW__R x = WW__SEEN(type, array); \
        type best = x[0]; \
        size_t at = 0; \
        if (greatest) { \
            for (size_t i = 1; i < n; i++) \
                if (ww__body_##name(best, x[i], WW__ENV(name))) { best = x[i]; at = i; } \
        } else { \
            for (size_t i = 1; i < n; i++) \
                if (ww__body_##name(x[i], best, WW__ENV(name))) { best = x[i]; at = i; } \
        } \
        return at; \
    } \
    WW__LOOP(plain) int ww__##name##__less(const void *a, const void *b, const void *environment) { \
        WW__EXACT \
        return !!ww__body_##name(*WW__SEEN(type, a), *WW__SEEN(type, b), WW__ENV(name)); \
    }

#define WW__LESS_REST(name, type, environment, signature, string) \
    WW__LESS_SERIAL(name, ww__first_##name) \
    WW__EACH_LOOPS(WW__LESS_LOOPS, name, 0) \
    WW__OBJECT(name, WW_ROLE_LESS, 0, &bool_ww, type, type, environment, NULL, signature, string)

#define WW__LESS(uses, name, type, a, b, string, ...) \
    WW__OUTSIDE(name) \
    WW__PLAIN_FUNCTION(name, bool, type, a, b, __VA_ARGS__) \
    static const ww_text *const ww__uses_##name[] = WW__USES_AND(uses, &WW__TYPE_TEXT(type)); \
    WW__LESS_REST(name, &WW__TYPE(type), &void_ww, "bool " #name "(" #type " " #a ", " #type " " #b ")", string)

#define WW__LESS_WITH(uses, name, type, a, b, environment, env, string, ...) \
    WW__OUTSIDE(name) \
    WW__FUNCTION_WITH(name, bool, type, a, b, environment, env, __VA_ARGS__) \
    static const ww_text *const ww__uses_##name[] = \
        WW__USES_AND(uses, &WW__TYPE_TEXT(type), &WW__TYPE_TEXT(environment)); \
    WW__LESS_REST(name, &WW__TYPE(type), &WW__TYPE(environment), \
                  "bool " #name "(" #type " " #a ", " #type " " #b ", const " #environment " *" #env ")", string); \
    WW__WITH(name, name##_ww, environment) struct ww_function

#define WW__KERNEL_LOOPS(width, name, type) \
    WW__LOOP(width) void ww__##name##__ranks_##width(uint64_t first, size_t count, const void *arguments) { \
        WW__EXACT \
        for (uint64_t rank = first; rank < first + count; rank++) ww__body_##name(rank, WW__SEEN(type, arguments)); \
    } \
    static const ww_kernel_loops ww__loops_##name##_##width __attribute__((unused)) = {ww__##name##__ranks_##width};

#define WW__KERNEL(uses, name, type, args, rank, string, ...) \
    WW__OUTSIDE(name) \
    WW__PLAIN void name(uint64_t rank, const type *args); \
    WW__PLAIN void ww__body_##name(uint64_t rank, const type *args) { WW__EXACT (void)rank; (void)args; __VA_ARGS__ } \
    WW__PLAIN void name(uint64_t rank, const type *args) { ww__body_##name(rank, args); } \
    typedef type ww__environment_##name; \
    static const ww_text *const ww__uses_##name[] = \
        WW__USES_AND(uses, &WW__TYPE_TEXT(type)); \
    WW__EACH_LOOPS(WW__KERNEL_LOOPS, name, ww__environment_##name) \
    WW__OBJECT(name, WW_ROLE_KERNEL, 0, &void_ww, &uint64_t_ww, NULL, &WW__TYPE(type), NULL, \
               "void " #name "(uint64_t " #rank ", const " #type " *" #args ")", string); \
    WW__WITH(name, name##_ww, type) struct ww_function

/* Lanes do not depend on each other, which compilers are told. */
#ifdef __clang__
#define WW__LANES_APART /* it warns where it cannot */
#else
#define WW__LANES_APART _Pragma("GCC ivdep")
#endif
#define WW_LANES(i, n) \
    WW__LANES_APART for (uint32_t ww__end_##i = WW__AS(uint32_t, n), i = 0; i < ww__end_##i; i++)

/* A block's shared memory stands on the stack of the thread that runs it, one block after another. */
#define WW__BLOCK_LOOPS(width, name, type) \
    WW__LOOP(width) void ww__##name##__ranks_##width(uint64_t first, size_t count, const void *arguments) { \
        WW__EXACT \
        ww__shared_of_##name shared; \
        for (uint64_t block = first; block < first + count; block++) \
            ww__body_##name(block, WW__SEEN(type, arguments), &shared); \
    } \
    static const ww_kernel_loops ww__loops_##name##_##width __attribute__((unused)) = {ww__##name##__ranks_##width};

#define WW__BLOCK_KERNEL(uses, name, type, args, shared, tile, block, string, ...) \
    WW__OUTSIDE(name) \
    WW__ASSERT(sizeof(shared) <= 49152, "WW_BLOCK_KERNEL: a block's shared memory has up to 48 KiB"); \
    WW__PLAIN void name(uint64_t block, const type *args, shared *tile); \
    WW__PLAIN void ww__body_##name(uint64_t block, const type *args, shared *tile) { \
        WW__EXACT (void)block; (void)args; (void)tile; __VA_ARGS__ } \
    WW__PLAIN void name(uint64_t block, const type *args, shared *tile) { ww__body_##name(block, args, tile); } \
    typedef type ww__environment_##name; \
    typedef shared ww__shared_of_##name; \
    static const ww_text *const ww__uses_##name[] = \
        WW__USES_AND(uses, &WW__TYPE_TEXT(type), &WW__TYPE_TEXT(shared)); \
    WW__EACH_LOOPS(WW__BLOCK_LOOPS, name, ww__environment_##name) \
    WW__OBJECT(name, WW_ROLE_BLOCKS, 0, &void_ww, &uint64_t_ww, &WW__TYPE(shared), &WW__TYPE(type), NULL, \
               "void " #name "(uint64_t " #block ", const " #type " *" #args ", " #shared " *" #tile ")", string); \
    WW__WITH(name, name##_ww, type) struct ww_function
/* clang-format on */

#endif
