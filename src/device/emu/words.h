/* The words of device/kernel/words.cuh for the emulator: what CUDA C means by them, said in C++ and in calls.h.
 *
 * Kernel text is compiled with -fsanitize=thread, which puts a call before every access of memory; these calls come to
 * the functions at the end of this file, and from there to the emulator. (With WW_EMULATED_TSAN the real thread sanitizer
 * gets them.) So whatever must not be seen stands in functions that are not instrumented; and as the emulator tells the
 * places in a kernel apart by return addresses, words are always inlined down to one call. */
#ifndef WW_EMU_WORDS_H
#define WW_EMU_WORDS_H

#include "device/emu/calls.h"

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uintptr_t;
typedef __SIZE_TYPE__ size_t;
#define UINT32_MAX 0xFFFFFFFFu
#define UINT64_MAX 0xFFFFFFFFFFFFFFFFull
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 ww_u128;
typedef __int128 ww_i128;
#endif

#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define WW_DEVICE_MEMBER inline
#define WW_DEVICE static inline __attribute__((always_inline, unused))
#define WW_INLINE static inline __attribute__((always_inline, unused))

/* A function whose own accesses are not seen, called from the place that is to be reported. */
#ifdef __clang__ /* which would still report atomic accesses */
#define WW_EMU_UNSEEN static __attribute__((noinline, disable_sanitizer_instrumentation, unused))
#else
#define WW_EMU_UNSEEN static __attribute__((noinline, no_sanitize("thread"), unused))
#endif
#define WW_EMU_SITE __builtin_return_address(0)

extern "C" {
__attribute__((visibility("default"))) const ww_emu_calls *ww_emu;
__attribute__((visibility("default"))) extern const unsigned ww_emu_version = WW_EMU_VERSION;
}

/* ---- kernels ---- */
#define WW_GPU_KERNEL(name, arguments, threads) WW_EMU_KERNEL(name, arguments, threads)
#define WW_GPU_KERNEL_HELD(name, arguments, threads, blocks) WW_EMU_KERNEL(name, arguments, threads)
#define WW_EMU_KERNEL(name, arguments, threads) \
    static void name##_body(const arguments &a); \
    static void name##_entry(const void *a) { name##_body(*static_cast<const arguments *>(a)); } \
    extern "C" __attribute__((visibility("default"))) \
    const ww_emu_kernel name##_emulated = {name##_entry, sizeof(arguments), threads, __FILE__}; \
    static void name##_body(const arguments &a)

struct ww_emu_dimensions {
    unsigned x, y, z;
};
/* A fiber stays where it is, so the answers may be kept: const. */
WW_EMU_UNSEEN __attribute__((const)) ww_emu_dimensions ww_emu_thread() { return {ww_emu->place()->thread, 0, 0}; }
WW_EMU_UNSEEN __attribute__((const)) ww_emu_dimensions ww_emu_block() { return {ww_emu->place()->block, 0, 0}; }
WW_EMU_UNSEEN __attribute__((const)) ww_emu_dimensions ww_emu_threads() { return {ww_emu->place()->threads, 1, 1}; }
WW_EMU_UNSEEN __attribute__((const)) ww_emu_dimensions ww_emu_blocks() { return {ww_emu->place()->blocks, 1, 1}; }
#define threadIdx ww_emu_thread()
#define blockIdx ww_emu_block()
#define blockDim ww_emu_threads()
#define gridDim ww_emu_blocks()
enum { warpSize = 32 };
/* Whether blocks start in the order of their numbers: not the same in every launch here. */
WW_EMU_UNSEEN __attribute__((const)) bool ww_emu_in_order() { return ww_emu->place()->in_order; }
#define WW_STARTED_IN_ORDER ww_emu_in_order()

/* ---- shared memory: a declaration is known by the address of a variable of its own ---- */
WW_EMU_UNSEEN void *ww_emu_shared(const void *declaration, unsigned long bytes, int large) {
    return ww_emu->shared(declaration, bytes, large);
}
#define WW_SHARED(type, name) \
    static const char name##_declaration = 0; \
    type &name = *static_cast<type *>(ww_emu_shared(&name##_declaration, sizeof(type), 0))
#define WW_SHARED_LARGE(type, name) type &name = *static_cast<type *>(ww_emu_shared(nullptr, sizeof(type), 1))

/* ---- barriers ---- */
WW_EMU_UNSEEN int ww_emu_barrier(int kind, int predicate) { return ww_emu->barrier(kind, predicate, WW_EMU_SITE); }
WW_DEVICE void __syncthreads() { ww_emu_barrier(WW_EMU_BARRIER, 0); }
WW_DEVICE int __syncthreads_or(int predicate) { return ww_emu_barrier(WW_EMU_BARRIER_OR, predicate); }
WW_DEVICE int __syncthreads_and(int predicate) { return ww_emu_barrier(WW_EMU_BARRIER_AND, predicate); }
WW_DEVICE int __syncthreads_count(int predicate) { return ww_emu_barrier(WW_EMU_BARRIER_COUNT, predicate); }

/* ---- warps ---- */
WW_EMU_UNSEEN unsigned long long ww_emu_warp(int kind, unsigned mask, unsigned long long value, unsigned source) {
    return ww_emu->warp(kind, mask, value, source, WW_EMU_SITE);
}
WW_DEVICE void __syncwarp(unsigned mask = 0xFFFFFFFFu) { ww_emu_warp(WW_EMU_SYNC, mask, 0, 0); }
WW_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return (unsigned)ww_emu_warp(WW_EMU_BALLOT, mask, p != 0, 0); }
WW_DEVICE int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
WW_DEVICE int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, p) == mask; }

/* The bits of a value of 4 or 8 bytes, and back. */
template <class T> WW_DEVICE unsigned long long ww_emu_bits(T value) {
    union {
        unsigned long long bits;
        T value;
    } u = {0};
    u.value = value;
    return u.bits;
}
template <class T> WW_DEVICE T ww_emu_value(unsigned long long bits) {
    union {
        unsigned long long bits;
        T value;
    } u = {bits};
    return u.value;
}

/* Which lane a shuffle reads; one that leaves its group of `width` lanes reads its own. */
WW_DEVICE unsigned ww_emu_lane() { return threadIdx.x & 31; }
WW_DEVICE unsigned ww_emu_from(int lane, int width) {
    return (ww_emu_lane() & ~(unsigned)(width - 1)) | ((unsigned)lane & (unsigned)(width - 1));
}
WW_DEVICE unsigned ww_emu_from_below(unsigned delta, int width) {
    unsigned here = ww_emu_lane() & (unsigned)(width - 1);
    return delta > here ? ww_emu_lane() : ww_emu_lane() - delta;
}
WW_DEVICE unsigned ww_emu_from_above(unsigned delta, int width) {
    unsigned here = ww_emu_lane() & (unsigned)(width - 1);
    return delta >= (unsigned)width - here ? ww_emu_lane() : ww_emu_lane() + delta;
}
WW_DEVICE unsigned ww_emu_from_other(int bits, int width) {
    unsigned other = ww_emu_lane() ^ (unsigned)bits;
    return other >= (ww_emu_lane() & ~(unsigned)(width - 1)) + (unsigned)width ? ww_emu_lane() : other & 31;
}
/* Templates, here and for atomics: an overload for each type takes the compiler longer than a whole kernel. */
template <class T> WW_DEVICE T ww_emu_shuffle(unsigned mask, T v, unsigned from) {
    return ww_emu_value<T>(ww_emu_warp(WW_EMU_SHUFFLE, mask, ww_emu_bits(v), from));
}
template <class T> WW_DEVICE T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {
    return ww_emu_shuffle(mask, v, ww_emu_from(lane, width));
}
template <class T> WW_DEVICE T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {
    return ww_emu_shuffle(mask, v, ww_emu_from_below(delta, width));
}
template <class T> WW_DEVICE T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {
    return ww_emu_shuffle(mask, v, ww_emu_from_above(delta, width));
}
template <class T> WW_DEVICE T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32) {
    return ww_emu_shuffle(mask, v, ww_emu_from_other(bits, width));
}
template <class T> WW_DEVICE unsigned __match_any_sync(unsigned mask, T v) {
    return (unsigned)ww_emu_warp(WW_EMU_MATCH, mask, ww_emu_bits(v), 0);
}

#define WW_EMU_REDUCTION(name, T, kind) \
    WW_DEVICE T name(unsigned mask, T v) { return (T)ww_emu_warp(kind, mask, (unsigned)v, 0); }
WW_EMU_REDUCTION(__reduce_add_sync, unsigned, WW_EMU_REDUCE_ADD)
WW_EMU_REDUCTION(__reduce_min_sync, unsigned, WW_EMU_REDUCE_MIN)
WW_EMU_REDUCTION(__reduce_max_sync, unsigned, WW_EMU_REDUCE_MAX)
WW_EMU_REDUCTION(__reduce_add_sync, int, WW_EMU_REDUCE_ADD)
WW_EMU_REDUCTION(__reduce_min_sync, int, WW_EMU_REDUCE_MIN_SIGNED)
WW_EMU_REDUCTION(__reduce_max_sync, int, WW_EMU_REDUCE_MAX_SIGNED)
WW_EMU_REDUCTION(__reduce_or_sync, unsigned, WW_EMU_REDUCE_OR)
WW_EMU_REDUCTION(__reduce_and_sync, unsigned, WW_EMU_REDUCE_AND)
WW_EMU_REDUCTION(__reduce_xor_sync, unsigned, WW_EMU_REDUCE_XOR)

/* ---- bits ---- */
WW_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
WW_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WW_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WW_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WW_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
WW_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
WW_DEVICE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}
WW_DEVICE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
WW_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned byte = (unsigned)(both >> 8 * (selector >> 4 * i & 7)) & 255;
        if (selector >> 4 * i & 8) byte = byte & 128 ? 255 : 0; /* the sign, repeated */
        result |= byte << 8 * i;
    }
    return result;
}
WW_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
WW_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
WW_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
WW_DEVICE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
WW_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
WW_DEVICE unsigned __float_as_uint(float x) { return (unsigned)ww_emu_bits(x); }
WW_DEVICE int __float_as_int(float x) { return (int)ww_emu_bits(x); }
WW_DEVICE float __uint_as_float(unsigned b) { return ww_emu_value<float>(b); }
WW_DEVICE float __int_as_float(int b) { return ww_emu_value<float>((unsigned)b); }
WW_DEVICE long long __double_as_longlong(double x) { return (long long)ww_emu_bits(x); }
WW_DEVICE double __longlong_as_double(long long b) { return ww_emu_value<double>((unsigned long long)b); }

/* ---- numbers ---- */
#define WW_EMU_MIN_MAX(T) \
    WW_DEVICE T min(T x, T y) { return y < x ? y : x; } \
    WW_DEVICE T max(T x, T y) { return x < y ? y : x; }
WW_EMU_MIN_MAX(int)
WW_EMU_MIN_MAX(unsigned)
WW_EMU_MIN_MAX(long)
WW_EMU_MIN_MAX(unsigned long)
WW_EMU_MIN_MAX(long long)
WW_EMU_MIN_MAX(unsigned long long)
/* As CUDA has it: a number wins over a NaN. */
WW_DEVICE float min(float x, float y) { return __builtin_fminf(x, y); }
WW_DEVICE float max(float x, float y) { return __builtin_fmaxf(x, y); }
WW_DEVICE double min(double x, double y) { return __builtin_fmin(x, y); }
WW_DEVICE double max(double x, double y) { return __builtin_fmax(x, y); }
WW_DEVICE float __fadd_rn(float x, float y) { return x + y; }
WW_DEVICE float __fmul_rn(float x, float y) { return x * y; }
WW_DEVICE double __dadd_rn(double x, double y) { return x + y; }
WW_DEVICE double __dmul_rn(double x, double y) { return x * y; }
/* By hand, for these macros look like functions. */
/* clang-format off */
#define WW_EMU_OF_ONE(name) \
    extern "C" float name##f(float); \
    extern "C" double name(double);
#define WW_EMU_OF_TWO(name) \
    extern "C" float name##f(float, float); \
    extern "C" double name(double, double);
WW_EMU_OF_ONE(fabs) WW_EMU_OF_ONE(sqrt) WW_EMU_OF_ONE(floor) WW_EMU_OF_ONE(ceil) WW_EMU_OF_ONE(trunc)
WW_EMU_OF_ONE(rint) WW_EMU_OF_ONE(exp) WW_EMU_OF_ONE(log) WW_EMU_OF_ONE(sin) WW_EMU_OF_ONE(cos)
WW_EMU_OF_TWO(fmin) WW_EMU_OF_TWO(fmax) WW_EMU_OF_TWO(pow) WW_EMU_OF_TWO(fmod)
extern "C" float fmaf(float, float, float);
extern "C" double fma(double, double, double);
extern "C" int abs(int);

/* CUDA's short vectors. */
#define WW_EMU_VECTORS(T, name) \
    struct __align__(2 * sizeof(T)) name##2 { \
        T x, y; \
    }; \
    struct __align__(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) name##4 { \
        T x, y, z, w; \
    }; \
    WW_DEVICE name##2 make_##name##2(T x, T y) { return {x, y}; } \
    WW_DEVICE name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
WW_EMU_VECTORS(unsigned char, uchar)
WW_EMU_VECTORS(unsigned short, ushort)
WW_EMU_VECTORS(int, int)
WW_EMU_VECTORS(unsigned, uint)
WW_EMU_VECTORS(float, float)
WW_EMU_VECTORS(double, double)
WW_EMU_VECTORS(long long, longlong)
WW_EMU_VECTORS(unsigned long long, ulonglong)

/* ---- atomics: one access each, so their own accesses are unseen; the thread sanitizer must see them itself ---- */
#ifdef WW_EMULATED_TSAN
#define WW_EMU_ATOMIC_WORD static inline __attribute__((always_inline, unused))
#define WW_EMU_SEEN(pointer, what)
#else
#define WW_EMU_ATOMIC_WORD WW_EMU_UNSEEN
#define WW_EMU_SEEN(pointer, what) \
    ww_emu->access((const void *)(pointer), sizeof *(pointer), (what) | WW_EMU_ATOMIC, WW_EMU_SITE)
#endif

/* A parameter of type T that does not decide what T is: in atomicAdd(p, 1) p does. */
template <class T> struct ww_emu_same {
    typedef T type;
};
#define WW_EMU_LIKE(T) typename ww_emu_same<T>::type

/* Replaces *p by `made` from the value `old` that was there; gives the old one. */
#define WW_EMU_ATOMIC_LOOP(name, order, does, made, ...) \
    template <class T> WW_EMU_ATOMIC_WORD T name(T *p, __VA_ARGS__) { \
        WW_EMU_SEEN(p, does); \
        T old; \
        __atomic_load(p, &old, __ATOMIC_RELAXED); \
        for (;;) { \
            T put = (made); \
            if (__atomic_compare_exchange(p, &old, &put, false, order, __ATOMIC_RELAXED)) return old; \
        } \
    }
#define WW_EMU_ATOMIC(name, made, ...) \
    WW_EMU_ATOMIC_LOOP(atomic##name, __ATOMIC_RELAXED, WW_EMU_READ | WW_EMU_WRITE, made, __VA_ARGS__) \
    WW_EMU_ATOMIC_LOOP(atomic##name##_block, __ATOMIC_RELAXED, WW_EMU_READ | WW_EMU_WRITE, made, __VA_ARGS__)
WW_EMU_ATOMIC(Add, (T)(old + v), WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(Sub, (T)(old - v), WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(Min, v < old ? v : old, WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(Max, old < v ? v : old, WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(And, old & v, WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(Or, old | v, WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(Xor, old ^ v, WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(Exch, v, WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC(CAS, old == expected ? v : old, WW_EMU_LIKE(T) expected, WW_EMU_LIKE(T) v)
WW_EMU_ATOMIC_LOOP(ww_add_acq_rel, __ATOMIC_ACQ_REL, WW_EMU_READ | WW_EMU_WRITE | WW_EMU_ACQUIRE | WW_EMU_RELEASE, (T)(old + v),
                   WW_EMU_LIKE(T) v)

template <class T> WW_EMU_ATOMIC_WORD T ww_load_acquire(const T *p) {
    WW_EMU_SEEN(p, WW_EMU_READ | WW_EMU_ACQUIRE);
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
template <class T> WW_EMU_ATOMIC_WORD T ww_load_relaxed(const T *p) {
    WW_EMU_SEEN(p, WW_EMU_READ);
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}
template <class T> WW_EMU_ATOMIC_WORD void ww_store_release(T *p, WW_EMU_LIKE(T) v) {
    WW_EMU_SEEN(p, WW_EMU_WRITE | WW_EMU_RELEASE);
    __atomic_store_n(p, v, __ATOMIC_RELEASE);
}
template <class T> WW_EMU_ATOMIC_WORD void ww_store_relaxed(T *p, WW_EMU_LIKE(T) v) {
    WW_EMU_SEEN(p, WW_EMU_WRITE);
    __atomic_store_n(p, v, __ATOMIC_RELAXED);
}

/* clang-format on */

template <class T> WW_EMU_UNSEEN void ww_store_any(T *p, const T &v) {
#ifndef WW_EMULATED_TSAN
    ww_emu->access(p, sizeof v, WW_EMU_WRITE | WW_EMU_ANY, WW_EMU_SITE);
#endif
    *p = v;
}

#ifdef WW_EMULATED_TSAN
WW_DEVICE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#else
WW_EMU_UNSEEN void __threadfence() { ww_emu->fence(); }
#endif
WW_DEVICE void __threadfence_block() { __threadfence(); }
WW_DEVICE void ww_fetch_to_cache(const void *) {}
WW_DEVICE void ww_forget(uint32_t &) {}
template <class T> WW_DEVICE void ww_copy_ahead(T *to, const T *from) { *to = *from; }
WW_DEVICE void ww_copies_wait() {}
WW_DEVICE void ww_launch_next() {}
WW_DEVICE void ww_wait_before() {}
WW_EMU_UNSEEN void ww_wait_a_moment() { ww_emu->wait(); }
WW_DEVICE void __nanosleep(unsigned) { ww_wait_a_moment(); }
WW_EMU_UNSEEN void __trap() { ww_emu->trap(WW_EMU_SITE); }

template <class T> WW_DEVICE void ww_store_shared_if(bool there, T *p, T v) {
    if (there) *p = v;
}
/* Loads and stores with hints are plain ones. */
template <class T> WW_DEVICE T ww_load_passing(const T *p) { return *p; }
template <class T> WW_DEVICE void ww_store_passing(T *p, const T &v) { *p = v; }
template <class T> WW_DEVICE void ww_store_passing_any(T *p, const T &v) { ww_store_any(p, v); }
template <class T> WW_DEVICE T __ldg(const T *p) { return *p; }
template <class T> WW_DEVICE T __ldcs(const T *p) { return *p; }
template <class T> WW_DEVICE T __ldcg(const T *p) { return *p; }
template <class T> WW_DEVICE void __stcs(T *p, T v) { *p = v; }
template <class T> WW_DEVICE void __stcg(T *p, T v) { *p = v; }

/* ---- what users' bodies may call ---- */
#define ww_popcount(x) __popcll((unsigned long long)(x))
WW_INLINE int ww_clz(uint32_t x) { return __clz((int)x); }
WW_INLINE int ww_ffs(uint32_t x) { return __ffs((int)x); }
WW_INLINE uint32_t ww_bits_float(float x) { return __float_as_uint(x); }
WW_INLINE uint64_t ww_bits_double(double x) { return (uint64_t)__double_as_longlong(x); }
WW_INLINE float ww_float_of_bits(uint32_t b) { return __uint_as_float(b); }
WW_INLINE double ww_double_of_bits(uint64_t b) { return __longlong_as_double((long long)b); }
WW_INLINE float ww_rsqrt(float x) { return 1.0f / sqrtf(x); }
WW_INLINE float ww__exactly_times_plus(float a, float b, float c) { return fmaf(a, b, c); }
WW_INLINE float ww__root(float x) { return sqrtf(x); }
WW_INLINE uint32_t ww_ballot(bool truth) { return __ballot_sync(0xFFFFFFFFu, truth); }
WW_INLINE uint32_t ww_u32_of_lane(uint32_t x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, (int)lane); }
WW_INLINE uint64_t ww_u64_of_lane(uint64_t x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, (int)lane); }
WW_INLINE float ww_float_of_lane(float x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, (int)lane); }
WW_INLINE double ww_double_of_lane(double x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, (int)lane); }
#define ww_atomic_add(pointer, value) atomicAdd((pointer), (value))
template <class T> WW_EMU_ATOMIC_WORD T ww_atomic_load(const T *p) {
    WW_EMU_SEEN(p, WW_EMU_READ);
    T x;
    __atomic_load(p, &x, __ATOMIC_RELAXED);
    return x;
}
template <class T> WW_EMU_ATOMIC_WORD void ww_atomic_store(T *p, WW_EMU_LIKE(T) x) {
    WW_EMU_SEEN(p, WW_EMU_WRITE);
    __atomic_store(p, &x, __ATOMIC_RELAXED);
}
#define ww_atomic_or(pointer, value) atomicOr((pointer), (value))
#define ww_prefetch(pointer) ((void)(pointer))
#define ww_atomic_exchange(pointer, value) atomicExch((pointer), (value))
#define ww_atomic_cas(pointer, expected, desired) atomicCAS((pointer), (expected), (desired))
#define ww_atomic_min(pointer, value) atomicMin((pointer), (value))
#define ww_atomic_max(pointer, value) atomicMax((pointer), (value))
#define ww_fence() __threadfence()
#define ww_append(pointer) atomicAdd((pointer), 1)
#define ww_append_row(pointer, size) atomicAdd((pointer), (1ull << 32) + (size))

#ifndef WW_EMULATED_TSAN
#include "device/emu/accesses.h"
#endif
#endif
