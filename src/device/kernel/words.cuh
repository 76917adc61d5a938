/* The words that kernels are written in: CUDA's own, and the few below that CUDA C has no short form of. No header of a
 * toolkit is included: this file is all that a kernel's text stands on. Under the emulator the same words come from
 * device/emu/words.h. */
#ifndef WW_WORDS_CUH
#define WW_WORDS_CUH

#ifdef WW_EMULATED
#include "device/emu/words.h"
#else

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uintptr_t;
#define UINT32_MAX 0xFFFFFFFFu
#define UINT64_MAX 0xFFFFFFFFFFFFFFFFull

/* A kernel takes one struct `a` and runs in blocks of at most `threads`: WW_GPU_KERNEL(name, struct, threads) { ... } */
#define WW_GPU_KERNEL(name, arguments, threads) \
    extern "C" __global__ void __launch_bounds__(threads) name(const __grid_constant__ arguments a)
/* The same with so few registers a thread that a processor holds `blocks` of them at once; 0: the compiler chooses. */
#define WW_GPU_KERNEL_HELD(name, arguments, threads, blocks) \
    extern "C" __global__ void __launch_bounds__(threads, blocks) name(const __grid_constant__ arguments a)

/* Shared memory is asked for as one struct, at the top of a kernel: WW_SHARED(tile, s) makes `tile &s`. The second form is
 * for more than 48 KiB: the launch adds sizeof(tile) bytes. */
#define WW_SHARED(type, name) \
    __shared__ __align__(16) unsigned char name##_bytes[sizeof(type)]; \
    type &name = *reinterpret_cast<type *>(name##_bytes)
#define WW_SHARED_LARGE(type, name) \
    extern __shared__ __align__(16) unsigned char name##_bytes[]; \
    type &name = *reinterpret_cast<type *>(name##_bytes)

/* A function of kernels', of a struct in them. */
#define WW_DEVICE static __device__ __forceinline__
#define WW_DEVICE_MEMBER __device__ __forceinline__
/* A function that users' bodies call, or a body itself. */
#define WW_INLINE static __device__ __forceinline__

/* Loads and stores of words that blocks hand to one another. acquire: what the releasing thread wrote before is seen. */
WW_DEVICE uint32_t ww_load_acquire(const uint32_t *p) {
    uint32_t v;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
WW_DEVICE uint64_t ww_load_acquire(const uint64_t *p) {
    uint64_t v;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
WW_DEVICE uint64_t ww_load_relaxed(const uint64_t *p) {
    uint64_t v;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
WW_DEVICE uint32_t ww_load_relaxed(const uint32_t *p) {
    uint32_t v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
WW_DEVICE void ww_store_release(uint32_t *p, uint32_t v) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
WW_DEVICE void ww_store_release(uint64_t *p, uint64_t v) {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
WW_DEVICE void ww_store_relaxed(uint64_t *p, uint64_t v) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
WW_DEVICE void ww_store_relaxed(uint32_t *p, uint32_t v) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
WW_DEVICE void ww_store_relaxed(uint16_t *p, uint16_t v) {
    asm volatile("st.relaxed.gpu.global.u16 [%0], %1;" ::"l"(p), "h"(v) : "memory");
}
WW_DEVICE void ww_store_relaxed(uint8_t *p, uint8_t v) {
    asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(p), "r"(uint32_t(v)) : "memory");
}
/* A plain store to where others may store meanwhile, when it is right whosever words stay: the emulator takes these for no race
 * with one another. */
template <class T> WW_DEVICE void ww_store_any(T *p, const T &v) { *p = v; }
/* Store to shared memory where `there` holds. Of an `if` round a store compilers make a branch, with all that leads to the address in it. */
WW_DEVICE void ww_store_shared_if(bool there, uint32_t *p, uint32_t v) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p st.shared.u32 [%0], %1;\n}" ::"r"(uint32_t(__cvta_generic_to_shared(p))),
                 "r"(v), "r"(uint32_t(there))
                 : "memory");
}
WW_DEVICE void ww_store_shared_if(bool there, uint16_t *p, uint16_t v) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p st.shared.u16 [%0], %1;\n}" ::"r"(uint32_t(__cvta_generic_to_shared(p))),
                 "h"(v), "r"(uint32_t(there))
                 : "memory");
}
/* Adds in one order with the acquires and releases of other blocks. */
WW_DEVICE uint32_t ww_add_acq_rel(uint32_t *p, uint32_t v) {
    uint32_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
    return old;
}
WW_DEVICE uint64_t ww_add_acq_rel(uint64_t *p, uint64_t v) {
    uint64_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");
    return old;
}
/* Blocks start in the order of their numbers on every GPU so far (CUB stands on that too): a block may wait for one with a
 * lower number. Where this is 0 tiles are taken by a ticket. On the emulator each launch says what it is, and in which order
 * blocks start then. */
#define WW_STARTED_IN_ORDER 1

/* Asks for memory to be brought into the second-level cache. */
WW_DEVICE void ww_fetch_to_cache(const void *p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }
/* Load and store what passes the second-level cache once: a struct of four words. */
template <class T> WW_DEVICE T ww_load_passing(const T *p) {
    T v;
    asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "l"(p));
    return v;
}
template <class T> WW_DEVICE void ww_store_passing(T *p, const T &v) {
    asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.word[0]), "r"(v.word[1]), "r"(v.word[2]),
                 "r"(v.word[3])
                 : "memory");
}
/* The same where ww_store_any would do. */
template <class T> WW_DEVICE void ww_store_passing_any(T *p, const T &v) { ww_store_passing(p, v); }
/* Copies a number of 4, 8 or 16 bytes to shared memory, without a register and without waiting: it is there for the block after
 * ww_copies_wait and a barrier. (GPUs before sm_80 wait.) */
template <class T> WW_DEVICE void ww_copy_ahead(T *to, const T *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(uint32_t(__cvta_generic_to_shared(to))), "l"(from),
                 "n"(sizeof(T))
                 : "memory");
#else
    *to = *from;
#endif
}
WW_DEVICE void ww_copies_wait() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
/* A launch that was made early (ww__gpu_launch_early) begins when all blocks of the one before have called ww_launch_next or
 * ended, and there is room; until ww_wait_before it sees nothing of what that has written, and writes nothing that that uses.
 * (Compiled for GPUs before sm_90: it begins afterwards.) */
WW_DEVICE void ww_launch_next() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
WW_DEVICE void ww_wait_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/* A thread that waits for another block gives way for a moment. */
WW_DEVICE void ww_wait_a_moment() { __nanosleep(20); }
/* The compiler takes x for another value: what it made of it before is computed again where it is wanted again, instead of kept
 * in registers. */
WW_DEVICE void ww_forget(uint32_t &x) { asm volatile("" : "+r"(x)); }

/* What users' bodies may call (warpwise/function_loops.h has the host's). */
#define ww_popcount(x) __popcll((unsigned long long)(x))
WW_INLINE int ww_clz(uint32_t x) { return __clz((int)x); }
WW_INLINE int ww_ffs(uint32_t x) { return __ffs((int)x); }
WW_INLINE uint32_t ww_bits_float(float x) { return __float_as_uint(x); }
WW_INLINE uint64_t ww_bits_double(double x) { return (uint64_t)__double_as_longlong(x); }
WW_INLINE float ww_float_of_bits(uint32_t b) { return __uint_as_float(b); }
WW_INLINE double ww_double_of_bits(uint64_t b) { return __longlong_as_double((long long)b); }
WW_INLINE float ww_rsqrt(float x) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
/* What random/numbers.h asks for. The root is rounded as IEEE 754 says: the estimate's square is off by few units, and what is left is
 * computed exactly (compared with sqrtf for every number there is from 2^-60 to 2^60). */
WW_INLINE float ww__exactly_times_plus(float a, float b, float c) { return __fmaf_rn(a, b, c); }
WW_INLINE float ww__root(float x) {
    const float inverse = ww_rsqrt(fmaxf(x, 1e-30f)), root = x * inverse;
    return __fmaf_rn(__fmaf_rn(-root, root, x), 0.5f * inverse, root);
}
WW_INLINE uint32_t ww_ballot(bool truth) { return __ballot_sync(0xFFFFFFFFu, truth); }
WW_INLINE uint32_t ww_u32_of_lane(uint32_t x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, int(lane)); }
WW_INLINE uint64_t ww_u64_of_lane(uint64_t x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, int(lane)); }
WW_INLINE float ww_float_of_lane(float x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, int(lane)); }
WW_INLINE double ww_double_of_lane(double x, uint32_t lane) { return __shfl_sync(0xFFFFFFFFu, x, int(lane)); }
/* A parameter of type T that does not decide what T is: in ww_atomic_add(p, 1) p does. */
template <class T> struct ww_like {
    typedef T type;
};
/* CUDA adds unsigned long long; in two's complement that is the signed sum. */
template <class T> WW_INLINE T ww_atomic_add(T *p, typename ww_like<T>::type x) { return atomicAdd(p, x); }
WW_INLINE int64_t ww_atomic_add(int64_t *p, int64_t x) { return int64_t(atomicAdd((uint64_t *)p, uint64_t(x))); }
template <int bytes> struct ww_atomic_word {
    typedef uint32_t type;
};
template <> struct ww_atomic_word<8> {
    typedef uint64_t type;
};
template <class T> union ww_atomic_bits {
    T value;
    typename ww_atomic_word<sizeof(T)>::type word;
};
/* In global or a block's shared memory, which only the address says. */
WW_INLINE uint32_t ww_load_anywhere(const uint32_t *p) {
    uint32_t v;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
WW_INLINE uint64_t ww_load_anywhere(const uint64_t *p) {
    uint64_t v;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
WW_INLINE void ww_store_anywhere(uint32_t *p, uint32_t v) {
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
WW_INLINE void ww_store_anywhere(uint64_t *p, uint64_t v) {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
template <class T> WW_INLINE T ww_atomic_load(const T *p) {
    ww_atomic_bits<T> b;
    b.word = ww_load_anywhere((const typename ww_atomic_word<sizeof(T)>::type *)p);
    return b.value;
}
template <class T> WW_INLINE void ww_atomic_store(T *p, typename ww_like<T>::type x) {
    ww_atomic_bits<T> b;
    b.value = x;
    ww_store_anywhere((typename ww_atomic_word<sizeof(T)>::type *)p, b.word);
}
#define ww_atomic_or(pointer, value) atomicOr((pointer), (value))
#define ww_prefetch(pointer) ((void)(pointer))
#define ww_atomic_exchange(pointer, value) atomicExch((pointer), (value))
#define ww_atomic_cas(pointer, expected, desired) atomicCAS((pointer), (expected), (desired))
#define ww_atomic_min(pointer, value) atomicMin((pointer), (value))
#define ww_atomic_max(pointer, value) atomicMax((pointer), (value))
#define ww_fence() __threadfence()
/* Adds 1: lanes of a warp that are here at once do so together. */
WW_INLINE uint32_t ww_append(uint32_t *p) {
    const uint32_t here = __activemask(), lane = threadIdx.x & 31, first = __ffs((int)here) - 1;
    uint32_t begin = 0;
    if (lane == first) begin = atomicAdd(p, uint32_t(__popc(here)));
    return __shfl_sync(here, begin, int(first)) + uint32_t(__popc(here & ((1u << lane) - 1)));
}
/* The same for rows of a list: adds 2^32 and a row's size. */
WW_INLINE uint64_t ww_append_row(uint64_t *p, uint32_t size) {
    const uint32_t here = __activemask(), lane = threadIdx.x & 31, first = __ffs((int)here) - 1;
    const uint32_t below = here & ((1u << lane) - 1);
    uint64_t all = uint64_t(__popc(here)) << 32, before = uint64_t(__popc(below)) << 32;
    for (uint32_t bit = 0; bit < 32 && __any_sync(here, int(size >> bit)); bit++) {
        const uint32_t have = __ballot_sync(here, int(size >> bit & 1));
        all += uint64_t(__popc(have)) << bit;
        before += uint64_t(__popc(have & below)) << bit;
    }
    uint64_t begin = 0;
    if (lane == first) begin = atomicAdd(p, all);
    return __shfl_sync(here, begin, int(first)) + before;
}

typedef unsigned __int128 ww_u128;
typedef __int128 ww_i128;

#endif

#include "device/kernel/half.cuh"

/* All ranks of a launch come to it before one goes on. Each block adds 1 to the word, which a multiple of their number ends. */
WW_INLINE void ww_barrier(uint64_t *word, uint64_t) {
    __syncthreads();
    if (threadIdx.x == 0) {
        const uint64_t before = ww_add_acq_rel(word, 1), wanted = before - before % gridDim.x + gridDim.x;
        while (ww_load_acquire(word) < wanted) ww_wait_a_moment();
    }
    __syncthreads();
}

/* The lanes of a user's block, in turns of as many as it has threads. */
WW_INLINE uint32_t ww_lanes_begin() {
    __syncthreads();
    return threadIdx.x;
}
WW_INLINE bool ww_lanes_end() {
    __syncthreads();
    return false;
}
#define WW_LANES(i, n) \
    for (uint32_t ww__end_##i = uint32_t(n), i = ww_lanes_begin(); i < ww__end_##i || ww_lanes_end(); i += blockDim.x)

enum { WW_WARP = 32 };
#define WW_ALL 0xFFFFFFFFu /* the mask of a whole warp */

/* The sum of `own` of all blocks that began before this one, by look-back (device/kernel/lookback.cuh): a word's lowest bits say
 * whether it has a block's own sum (1) or that of all up to it (2). */
WW_INLINE uint64_t ww__sum_before(uint64_t *words, uint64_t tile, uint64_t own) {
    WW_SHARED(uint64_t, sum);
    if (threadIdx.x < WW_WARP) {
        const int64_t lane = threadIdx.x;
        uint64_t before = 0;
        bool whole = tile == 0;
        if (lane == 0 && tile) ww_store_relaxed(words + tile, own << 2 | 1);
        for (int64_t end = int64_t(tile); !whole; end -= WW_WARP) {
            const int64_t at = end - 1 - lane;
            uint64_t word;
            uint32_t wholes, counted;
            do {
                word = at < 0 ? 2 : ww_load_relaxed(words + at);
                wholes = __ballot_sync(WW_ALL, word >> 1 & 1);
                counted = wholes ? (wholes & -wholes) * 2 - 1 : WW_ALL; /* up to the nearest that is whole */
                whole = wholes != 0;
            } while (__ballot_sync(WW_ALL, !(word & 3)) & counted && (ww_wait_a_moment(), true));
            uint64_t part = counted >> lane & 1 ? word >> 2 : 0;
            for (int by = WW_WARP / 2; by; by /= 2) part += __shfl_xor_sync(WW_ALL, part, by);
            before += part;
        }
        if (lane == 0) {
            ww_store_relaxed(words + tile, (before + own) << 2 | 2);
            sum = before;
        }
    }
    __syncthreads();
    return sum;
}

#endif
