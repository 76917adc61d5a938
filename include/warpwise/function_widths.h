/* What the compiler is told so that the same C is made for several vector widths: targets by attributes, floats without
 * contraction, and how far ahead loops ask for memory. Not to be used directly: function_loops.h makes loops of functions by
 * it, the library the bodies that are written for a width. */
#ifndef WARPWISE_FUNCTION_WIDTHS_H
#define WARPWISE_FUNCTION_WIDTHS_H

/* clang-format off */
#if defined(__clang__)
#define WW__EXACT _Pragma("clang fp contract(off)")
#define WW__COMPILED
#elif defined(__GNUC__)
#define WW__EXACT
/* Knowing that x & 1 is 0 or 1, gcc 12 makes its truth a conversion to _Bool, which it cannot vectorise: no-tree-vrp. */
/* Sanitizers, and programs that are compiled more often than run (tests): they need no speed, and take minutes at -O3. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(WARPWISE_LOOPS_UNTUNED)
#define WW__COMPILED __attribute__((optimize("fp-contract=off")))
#else
#define WW__COMPILED __attribute__((optimize("O3", "fp-contract=off", "no-tree-vrp")))
#endif
#else
#error "Warpwise needs gcc or clang (or a compiler that passes for one)."
#endif

/* Where neighbours add and subtract products in turn (complex numbers), gcc from 12 on makes fused instructions even when
 * contraction is off (vfmaddsub); what keeps it from that is that the target has none. So a caller's -march loses them
 * here, and there are no loops for AVX-512, which always has them – but the library's own, which have no such sums. */
#if defined(__x86_64__)
#if !defined(__clang__) && (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
#define WW__UNFUSED ",no-fma,no-fma4,no-avx512f"
#define WW__TARGET_plain __attribute__((target("no-fma,no-fma4,no-avx512f")))
#else
#define WW__UNFUSED
#define WW__TARGET_plain
#endif
#if defined(WARPWISE_FUSED_LOOPS) /* of the library's own sources whose bodies call fmaf */
#define WW__TARGET_avx2 __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt")))
#else
#define WW__TARGET_avx2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt" WW__UNFUSED)))
#endif
#if defined(__clang__)
#define WW__TARGET_avx512 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt"), min_vector_width(512)))
#else
#define WW__TARGET_avx512 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt,prefer-vector-width=512")))
#endif
#else
#define WW__TARGET_plain
#endif
/* X(width, …) for every width that this target has, and the table of what it made. */
#if defined(__x86_64__)
#define WW__EACH_WIDTH(X, ...) X(plain, __VA_ARGS__) X(avx2, __VA_ARGS__) X(avx512, __VA_ARGS__)
#define WW__TABLES(name) {&ww__loops_##name##_plain, &ww__loops_##name##_avx2, &ww__loops_##name##_avx512}
#else
#define WW__EACH_WIDTH(X, ...) X(plain, __VA_ARGS__)
#define WW__TABLES(name) {&ww__loops_##name##_plain, NULL, NULL}
#endif

/* The same for a function's loops. Where there are none of a width, the library takes the next narrower ones. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* the same C in each */
#define WW__WIDTHS 1
#elif defined(WARPWISE_WIDTHS) /* of a build that leaves out the widest (CMakeLists.txt) */
#define WW__WIDTHS WARPWISE_WIDTHS
#elif (defined(__clang__) && !defined(WARPWISE_LOOPS_UNTUNED)) || defined(WARPWISE_OWN_LOOPS)
#define WW__WIDTHS 3
#else
#define WW__WIDTHS 2
#endif
#if !defined(__x86_64__) || WW__WIDTHS == 1
#define WW__EACH_LOOPS(X, ...) X(plain, __VA_ARGS__)
#define WW__LOOPS(name) {&ww__loops_##name##_plain, NULL, NULL}
#elif WW__WIDTHS == 2
#define WW__EACH_LOOPS(X, ...) X(plain, __VA_ARGS__) X(avx2, __VA_ARGS__)
#define WW__LOOPS(name) {&ww__loops_##name##_plain, &ww__loops_##name##_avx2, NULL}
#else
#define WW__EACH_LOOPS WW__EACH_WIDTH
#define WW__LOOPS WW__TABLES
#endif

#define WW__LOOP(width) WW__COMPILED WW__TARGET_##width static __attribute__((unused))
#define WW__PLAIN WW__COMPILED WW__TARGET_plain static inline __attribute__((unused))
#define WW__INLINE WW__TARGET_plain static inline __attribute__((always_inline, unused))
#define WW__R __restrict__

/* Elements that go through the units side by side: 128 bytes, a power of two. */
#define WW__LANES(size) \
    ((size) <= 1 ? 128 : (size) <= 2 ? 64 : (size) <= 4 ? 32 : (size) <= 8 ? 16 : (size) <= 16 ? 8 : (size) <= 32 ? 4 : 2)

/* Elements in one step of a map's loop. gcc vectorises a long step, even of structs; a short one it unrolls first, and finds no
 * vectors in structs then. Measured with gcc 12, 2026-11: structs of 8 to 24 bytes take 0.4 to 0.8 of the time by 64 elements.
 * clang is faster with few, and so are 64-bit products with SSE2. */
#define WW__STEP_plain(size) WW__LANES(size)
#if defined(__clang__)
#define WW__STEP_avx2(size) WW__LANES(size)
#else
#define WW__STEP_avx2(size) (WW__LANES(size) < 64 && (size) <= 32 ? 64 : WW__LANES(size))
#endif
#define WW__STEP_avx512(size) WW__STEP_avx2(size)

/* Casts, of the kind that each language's warnings like: of a pointer, to a const one, of a number. */
#ifdef __cplusplus
#define WW__TO(type, pointer) static_cast<type *>(static_cast<void *>(pointer))
#define WW__SEEN(type, pointer) static_cast<const type *>(static_cast<const void *>(pointer))
#define WW__AS(type, number) static_cast<type>(number)
#else
#define WW__TO(type, pointer) ((type *)(pointer))
#define WW__SEEN(type, pointer) ((const type *)(pointer))
#define WW__AS(type, number) ((type)(number))
#endif

enum { WW__AHEAD = 4096 };
#define WW__FETCH(pointer) \
    (__builtin_prefetch(WW__SEEN(char, pointer) + WW__AHEAD), __builtin_prefetch(WW__SEEN(char, pointer) + WW__AHEAD + 64))
/* clang-format on */

#endif
