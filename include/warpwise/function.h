/* The caller's own functions: operators, maps, predicates, orders and kernels, each written once.
 *
 *     WW_STRUCT(delta, { uint32_t width, buckets; });
 *
 *     WW_MAP(delta_bucket, uint32_t, uint32_t, key, delta, d, {
 *         uint32_t b = key / d->width;
 *         return b < d->buckets ? b : d->buckets - 1;
 *     });
 *
 *     ww_histogram(device, ww_with(delta_bucket, &d), ww_memory(keys, n), ww_array(counts, 32), ww_none, NULL);
 *
 * A macro yields the plain function (`delta_bucket`, to be called like any other), loops over whole batches that the
 * caller's own compiler inlines and vectorises for each vector width (no -m flag is needed; the library picks one at
 * run time), and the source text, from which device programs are assembled. The object that stands for all of it has
 * the name followed by _ww: `delta_bucket_ww`, a `static const ww_function`; a WW_STRUCT's, `delta_ww`, is a ww_type.
 *
 * Names are the caller's own: a function may be called add, find, sum or x, now and with every later version. What the library
 * declares begins with ww_ or WW_, and never ends in _ww but in descriptors of C's types (uint32_t_ww) and of its own structs
 * (ww_delta_ww). In a program for a GPU the caller's definitions are in a namespace of their own.
 *
 * Functions are pure: a function's result depends on its arguments alone, and it changes nothing; a WW_KERNEL is the exception.
 * A call applies a WW_MAP to the elements in any order. On a CPU it does so once for each element of an input or a result,
 * except: twice in ww_scatter, ww_multisplit, weighted histograms, ww_run_lengths, ww_unique; in ww_expand as there; and where
 * elements are compared with the ones before them (these two, ww_reduce_by_key, ww_scan_by_key, ww_adjacent_difference, the
 * sets) once more for at most one in a hundred. Named methods, texts, and a GPU apply it every time they read the input.
 *
 * Bodies are the common subset of C and C++: no compound literals, no assignment from void *, no calls except to the functions
 * below, to listed WW_FUNCTIONs, and (with results that may differ between devices) to libm. The text is kept as written,
 * before macros in it are expanded: a plain #define of the caller's does not reach a device; write WW_CONSTANT instead. What a
 * body mentions is listed with the …_USES form of its macro:
 *
 *     WW_CONSTANT(PRIME, uint32_t, 2654435761u);
 *     WW_FUNCTION(mix, uint32_t, (uint32_t x), { return x * PRIME; }, PRIME);
 *     WW_MAP_USES((mix), mixed, uint32_t, uint32_t, x, void, none, { return mix(x) >> 24; });
 *
 * Multiplications and additions are never contracted into fused ones (results would differ between devices), whatever the
 * caller's flags are, except for clang's -ffp-contract=fast, which overrides the source: do not use it. -ffast-math is
 * refused.
 *
 * Types are C's number types, by any of their names (uint32_t, unsigned int, size_t; char has u8's descriptor, as text has);
 * ww_u128, ww_f16, ww_bf16; WW_STRUCTs; and the caller's names for numbers: WW_TYPEDEF(pixel, uint32_t). Other typedefs are not
 * known: compilers say that definition_of_NAME is undeclared. The macros are used outside functions.
 *
 * What a body reads besides its elements is its environment (elsewhere: context): a struct, a number or an array, which ww_with
 * and ww_with_array bind for each call. A call checks it: another type than the function's is TYPE; none, a NULL pointer or 0
 * elements are INVALID, and so is one for a function that has none (whose environment is `void`). A look-up table:
 *
 *     WW_MAP(look, uint32_t, uint8_t, i, uint32_t, table, { return table[i]; });
 *
 *     ww_map(device, ww_with_array(look, table, 256), ww_memory(bytes, n), ww_array(found, n));
 *
 * The body may read elements 0 to count - 1. On a GPU one element of up to 256 bytes (a kernel's arguments: 4080) is passed by
 * value; longer ones and arrays are read in place, in memory from ww_alloc, or staged (device.h), which takes that much scratch
 * memory. Pointers in an environment must point to memory that the device can access. */
#ifndef WARPWISE_FUNCTION_H
#define WARPWISE_FUNCTION_H

#include "type.h"

#ifdef __FAST_MATH__
#error "Warpwise functions give the same result on every device; compile them without -ffast-math."
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ww_role {
    WW_ROLE_MAP = 1,  /* WW_MAP */
    WW_ROLE_MAP2,     /* WW_MAP2 */
    WW_ROLE_COMBINE,  /* WW_COMBINE */
    WW_ROLE_LESS,     /* WW_LESS */
    WW_ROLE_KERNEL,   /* WW_KERNEL */
    WW_ROLE_BUILT_IN, /* ww_add …: stands for one WW_COMBINE or WW_LESS for each element type */
    WW_ROLE_WINDOW,   /* WW_WINDOW */
    WW_ROLE_BLOCKS    /* WW_BLOCK_KERNEL; `second` is its shared memory */
} ww_role;

/* Flags of a WW_COMBINE. Every operator must be associative; one that is also commutative may be folded in an order that suits
 * vector units. */
#define WW_ORDERED 0u  /* associative only */
#define WW_COMMUTES 1u /* associative and commutative */

/* The widths of the loops, in the order of ww_function.loops. */
enum { WW_VECTOR_PLAIN, WW_VECTOR_AVX2, WW_VECTOR_AVX512, WW_VECTORS };

typedef struct ww_function {
    uint32_t version; /* of this struct and the loops: WW_FUNCTION_VERSION */
    uint32_t role;    /* a ww_role */
    uint32_t flags;   /* of a WW_COMBINE; of a WW_WINDOW: before + 65536 * after */
    int line;
    const char *name;
    const char *file;
    const char *signature; /* "uint32_t delta_bucket(uint32_t key, const delta *d)" */
    const char *body;      /* as written, braces included */
    const ww_type *result, *first, *second, *environment;
    const void *identity; /* of a WW_COMBINE: one element */
    const ww_text *const *uses;
    const void *loops[WW_VECTORS]; /* ww_map_loops, …; NULL for a width that has none: narrower ones run */
    /* Set if the function was given its environment (ww_with), else 0. */
    const struct ww_function *origin; /* the function itself */
    const void *bound;                /* the environment: bound_count elements of bound_type */
    const ww_type *bound_type;
    uint64_t bound_count;
} ww_function;

/* The version of ww_function and of the loops that the macros of this header make, and the oldest that this library runs. From
 * 0.2.0 on a later library runs what older macros made; it does not run functions of 0.1. */
#define WW_FUNCTION_VERSION 3u
#define WW_FUNCTION_VERSION_OLDEST 3u

/* Loops over batches. Arguments are arrays of the function's own types, `n` elements each, not overlapping; `environment` is
 * the one that every call of the function gets, NULL for a function that has none. */

typedef struct ww_map_loops { /* of WW_MAP (b is NULL) and WW_MAP2 */
    void (*map)(void *out, const void *a, const void *b, const void *environment, size_t n);
    /* 1 where the result is not zero, else 0; for results that are numbers */
    void (*mask)(uint8_t *out, const void *a, const void *b, const void *environment, size_t n);
    /* the result as a bucket number; UINT32_MAX where it is negative or does not fit */
    void (*number)(uint32_t *out, const void *a, const void *b, const void *environment, size_t n);
    /* The sum of the results modulo 2^64; for results that are integers of up to 64 bits. */
    uint64_t (*sum)(const void *a, const void *b, const void *environment, size_t n);
    /* map and sum of structs of two to four members, each of 4 or each of 8 bytes, which lie in arrays of their own; NULL in a
     * WW_MAP2. */
    void (*zipped)(void *out, const void *const *members, size_t member_bytes, const void *environment, size_t n);
    uint64_t (*zipped_sum)(const void *const *members, size_t member_bytes, const void *environment, size_t n);
} ww_map_loops;

typedef struct ww_combine_loops {
    /* The result of n >= 1 elements. Interleaved (commutative operators): with L = WW__LANES(size) lanes, lane l starts
     * with x[l] and takes x[l + L], x[l + 2 L], …; then lane l takes lane l + L/2, and so on by halves. With n < L,
     * and for n elements of an ordered operator below 16: from left to right. Ordered: eight runs of n / 8 elements,
     * each from left to right, then the runs in order, then the n % 8 elements left. */
    void (*fold_interleaved)(void *result, const void *x, size_t n, const void *environment);
    void (*fold_ordered)(void *result, const void *x, size_t n, const void *environment);
    /* Scans of n >= 1 elements: out[i] = carry + (x[0] + … + x[i]) (inclusive) or carry + (x[0] + … + x[i - 1])
     * (exclusive: the inclusive results moved up by one); carry becomes carry + (x[0] + … + x[n - 1]), whose sum in brackets
     * is fold_ordered's. Bracketing: the runs of fold_ordered; in a run (carry + the runs before it) + the run's elements
     * from the left; after the runs carry + (all before, from the left). `ahead`: n elements that will be wanted next, to be
     * brought into the caches on the way, or NULL. */
    void (*scan_inclusive)(void *out, const void *x, void *carry, size_t n, const void *ahead, const void *environment);
    void (*scan_exclusive)(void *out, const void *x, void *carry, size_t n, const void *ahead, const void *environment);
    /* What the scans add their carry to: each of the eight runs from its own first element on; after the runs, and where
     * there are none (n < 16), all before from the left. */
    void (*scan_alone)(void *out, const void *x, size_t n, const void *ahead, const void *environment);
    /* The same from left to right, restarting at each i with heads[i] != 0 (exclusive: with *initial there). */
    void (*segmented_inclusive)(void *out, const void *x, const uint8_t *heads, void *carry, size_t n,
                                const void *environment);
    void (*segmented_exclusive)(void *out, const void *x, const uint8_t *heads, void *carry, const void *initial,
                                size_t n, const void *environment);
    /* out[i] = a[i] + b[i] */
    void (*pairwise)(void *out, const void *a, const void *b, size_t n, const void *environment);
    /* out[i] = *value + x[i] */
    void (*prefix)(void *out, const void *value, const void *x, size_t n, const void *environment);
} ww_combine_loops;

typedef struct ww_less_loops {
    /* Stable merge of two sorted runs; from (or NULL) gets 0 where the element is a's, 1 where it is b's. */
    void (*merge)(void *out, const void *a, size_t na, const void *b, size_t nb, uint8_t *from,
                  const void *environment);
    /* out[i] = the first position in `sorted` whose element is not less than needles[i] (upper: that is greater). */
    void (*bound)(uint64_t *out, const void *sorted, size_t n, const void *needles, size_t m, int upper,
                  const void *environment);
    /* Sorts a few elements in place, stably, and carries positions (or NULL) with them: O(n^2) moves. */
    void (*leaf)(void *x, uint32_t *positions, size_t n, const void *environment);
    /* The number of leading elements that are in order: n when all are. */
    size_t (*sorted)(const void *x, size_t n, const void *environment);
    /* The position of the first of the least (greatest: of the greatest) of n >= 1 elements. */
    size_t (*extreme)(const void *x, size_t n, int greatest, const void *environment);
    int (*less)(const void *a, const void *b, const void *environment);
    /* Sorts n elements, stably, to where they are or to `other`, as into_other says; there is room for n at both.
     * `positions` and other_positions (both or neither NULL): numbers that go along in the same way. Where less is no order,
     * some permutation. */
    void (*sort)(void *x, void *other, uint32_t *positions, uint32_t *other_positions, size_t n, int into_other,
                 const void *environment);
    /* out[i] = how many of 2^levels - 1 splitters x[i] is not less than, levels up to 15. tree: the splitters from place 1
     * on, those before each at twice its place and those after it one further on. sorted: NULL, or the splitters in order;
     * then out[i] is twice that number, less 1 where x[i] is equal to the last of them. */
    void (*classify)(uint16_t *out, const void *x, size_t n, const void *tree, const void *sorted, unsigned levels,
                     const void *environment);
} ww_less_loops;

typedef struct ww_kernel_loops {
    void (*ranks)(uint64_t first, size_t count, const void *arguments);
} ww_kernel_loops;

/* In a WW_KERNEL that is launched together (ww_launch_together in primitive.h): no rank passes it before all have reached it,
 * and what ranks wrote before it all of them may read after it. `word` is a u64 in memory that kernels can access, used for
 * this alone, and 0 before the first launch; `ranks` is the number launched, the same for all launches with that word. All
 * ranks must reach the same barriers in the same order, outside branches and loops that only some of them take. */
WW_API void ww_barrier(uint64_t *word, uint64_t ranks);

/* Writes the device source of a function – what it uses, each thing once, in order, with the caller's files and lines –
 * as a string of at most `capacity` bytes with its ending 0. Returns the bytes that all of it needs. */
WW_API size_t ww_function_source(const ww_function *function, char *text, size_t capacity);

/* Built-in operators. ww_add, ww_mul: integers wrap; f16 and bf16 are folded as floats, rounded where stored (operators.md).
 * ww_min, ww_max: for floats IEEE 754's minimum and maximum (a NaN wins, -0 is below 0). ww_and, ww_or: for integers. */
extern WW_API const ww_function ww_add, ww_mul, ww_min, ww_max, ww_and, ww_or;

/* Built-in orders: integers by value, floats by IEEE 754's totalOrder (-NaN, -inf … -0.0, 0.0 … inf, NaN), and the
 * reverse. Where an order is wanted, NULL is ww_ascending. */
extern WW_API const ww_function ww_ascending, ww_descending;

/* `f` with its environment: `count` elements of `type` at `data`, which must live as long as the result is used. For functions
 * that are chosen at run time; for others ww_with is shorter, and the compiler checks the type. */
static inline ww_function ww_bound(const ww_function *f, const void *data, uint64_t count, const ww_type *type) {
    ww_function with = *f;
    with.origin = f->origin ? f->origin : f;
    with.bound = data;
    with.bound_type = type;
    with.bound_count = count;
    return with;
}

#ifdef __cplusplus
}
#endif

/* ww_with(delta_bucket, &d): the function of that name with its environment, wherever a function is expected;
 * ww_with_array(look, table, 256): with an array as its environment, which the body indexes. A pointer of another type than the
 * environment's does not compile. In C the result lives to the end of the block, in C++ of the full expression (an input, like
 * ww_mapped's, keeps what it needs); the environment must live until the call that reads it returns.
 */
#ifdef __cplusplus
static inline const ww_function *ww__kept(const ww_function &f) { return &f; }
#define WW__ENVIRONMENT(name, environment) (environment)
#else
#define ww__kept(...) ((const ww_function *)(const ww_function[1]){__VA_ARGS__})
/* C takes a pointer of another type with a warning. */
#define WW__ENVIRONMENT(name, environment) \
    ((void)__extension__({ \
         WW__ASSERT(__builtin_types_compatible_p(__typeof__(*(environment)), ww__environment_of_##name) || \
                        __builtin_types_compatible_p(__typeof__(environment), void *), \
                    "ww_with: this is not a pointer to the environment that " #name " takes"); \
         0; \
     }), \
     (environment))
#endif
#define ww_with(name, ...) ww__kept(ww__with_##name(WW__ENVIRONMENT(name, (__VA_ARGS__)), 1))
#define ww_with_array(name, environment, count) ww__kept(ww__with_##name(WW__ENVIRONMENT(name, environment), (count)))

/* What ww_with calls. */
#define WW__WITH(name, object, environment) \
    typedef environment ww__environment_of_##name __attribute__((unused)); \
    static inline __attribute__((unused)) ww_function ww__with_##name(const environment *data, uint64_t count) { \
        return ww_bound(&object, data, count, &WW__TYPE(environment)); \
    }

#include "function_loops.h"

/* Your own name for a number type: WW_TYPEDEF(pixel, uint32_t); is a typedef, which is then a type everywhere, in these macros
 * and on every device. Arrays of it are arrays of the C type it stands for (and constants have that type, too). A
 * WW_STRUCT_USES or WW_FUNCTION that mentions it has to list it; a WW_MAP and the like that has it as an argument need not.
 */
#define WW_TYPEDEF(name, ...) WW__TYPEDEF(name, #__VA_ARGS__, WW__SYMBOL(WW__TYPE(__VA_ARGS__)), __VA_ARGS__)

/* A struct on both sides: WW_STRUCT(name, { members }); defines `struct name`, the typedef `name`, and the
 * descriptor `name_ww`. */
#define WW_STRUCT(name, ...) WW__STRUCT((ww__nothing), name, #__VA_ARGS__, __VA_ARGS__)
#define WW_STRUCT_USES(uses, name, ...) WW__STRUCT(uses, name, #__VA_ARGS__, __VA_ARGS__)

/* A number that bodies use: WW_CONSTANT(WIDTH, uint32_t, 1000). */
#define WW_CONSTANT(name, type, ...) \
    static const type name __attribute__((unused)) = __VA_ARGS__; \
    static const ww_text ww__definition_of_##name __attribute__((unused)) = { \
        #name, "static const " #type " " #name " = " #__VA_ARGS__ ";", __FILE__, __LINE__, NULL}

/* A function that bodies call: WW_FUNCTION(mix, uint32_t, (uint32_t x), { body }, what, it, uses). The list may be left
 * out. The body must not have commas outside parentheses: for one that has, define a WW_MAP and call that. Nor may it have
 * atomics, which devices do not know there: they belong in a WW_KERNEL. */
#define WW_FUNCTION(name, result, parameters, ...) \
    WW__FUNCTION(name, result, parameters, WW__FIRST_TEXT(__VA_ARGS__, ww__nothing), \
                 WW__FIRST(__VA_ARGS__, ww__nothing), __VA_ARGS__, ww__nothing)

/* element, environment -> element: WW_MAP(name, result type, element type, element, environment type, environment,
 * { body }). `environment` is a const pointer in the body. */
#define WW_MAP(name, result, type, element, environment, env, ...) \
    WW__MAP((ww__nothing), name, result, type, element, environment, env, #__VA_ARGS__, __VA_ARGS__)
#define WW_MAP_USES(uses, name, result, type, element, environment, env, ...) \
    WW__MAP(uses, name, result, type, element, environment, env, #__VA_ARGS__, __VA_ARGS__)

/* two elements, environment -> element: WW_MAP2(name, result type, type, a, type, b, environment type, env, { body }). */
#define WW_MAP2(name, result, type_a, a, type_b, b, environment, env, ...) \
    WW__MAP2((ww__nothing), name, result, type_a, a, type_b, b, environment, env, #__VA_ARGS__, __VA_ARGS__)
#define WW_MAP2_USES(uses, name, result, type_a, a, type_b, b, environment, env, ...) \
    WW__MAP2(uses, name, result, type_a, a, type_b, b, environment, env, #__VA_ARGS__, __VA_ARGS__)

/* neighbouring elements, environment -> element: WW_WINDOW(name, result type, element type, x, before, after,
 * environment type, environment, { body }). x points to the element, in the body: x[-before] … x[after] may be read.
 * ww_window (input.h) applies it.
 *
 *     WW_WINDOW(smooth, float, float, x, 1, 1, void, none, { return (x[-1] + x[0] + x[1]) / 3; });
 *
 * before and after are numbers (literals) of at most 65,535. */
#define WW_WINDOW(name, result, type, element, before, after, environment, env, ...) \
    WW__WINDOW((ww__nothing), name, result, type, element, before, after, environment, env, #__VA_ARGS__, __VA_ARGS__)
#define WW_WINDOW_USES(uses, name, result, type, element, before, after, environment, env, ...) \
    WW__WINDOW(uses, name, result, type, element, before, after, environment, env, #__VA_ARGS__, __VA_ARGS__)

/* An associative operator: WW_COMBINE(name, type, a, b, WW_COMMUTES or WW_ORDERED, WW_IDENTITY(0), { body }). The
 * identity is the initialiser of one element, WW_IDENTITY({1, 0}) for a struct: identity + x = x + identity = x. */
#define WW_IDENTITY(...) (__VA_ARGS__)
#define WW_COMBINE(name, type, a, b, flags, identity, ...) \
    WW__COMBINE((ww__nothing), name, type, a, b, flags, identity, #__VA_ARGS__, __VA_ARGS__)
#define WW_COMBINE_USES(uses, name, type, a, b, flags, identity, ...) \
    WW__COMBINE(uses, name, type, a, b, flags, identity, #__VA_ARGS__, __VA_ARGS__)
/* An operator with an environment: WW_COMBINE_WITH(name, type, a, b, environment type, environment, flags, identity, { body }).
 * As in a WW_MAP, `environment` is a const pointer in the body; the identity is the same whatever it points to.
 *
 *     WW_COMBINE_WITH(add_modulo, uint32_t, a, b, uint32_t, m, WW_COMMUTES, WW_IDENTITY(0),
 *                     { return ((uint64_t)a + b) % *m; });
 *
 *     ww_reduce(device, ww_with(add_modulo, &modulus), ww_memory(x, n), ww_array(&sum, 1)); */
#define WW_COMBINE_WITH(name, type, a, b, environment, env, flags, identity, ...) \
    WW__COMBINE_WITH((ww__nothing), name, type, a, b, environment, env, flags, identity, #__VA_ARGS__, __VA_ARGS__)
#define WW_COMBINE_WITH_USES(uses, name, type, a, b, environment, env, flags, identity, ...) \
    WW__COMBINE_WITH(uses, name, type, a, b, environment, env, flags, identity, #__VA_ARGS__, __VA_ARGS__)

/* A strict weak order: WW_LESS(name, type, a, b, { body returning whether a goes before b }). */
#define WW_LESS(name, type, a, b, ...) WW__LESS((ww__nothing), name, type, a, b, #__VA_ARGS__, __VA_ARGS__)
#define WW_LESS_USES(uses, name, type, a, b, ...) WW__LESS(uses, name, type, a, b, #__VA_ARGS__, __VA_ARGS__)
/* An order with an environment: WW_LESS_WITH(name, type, a, b, environment type, environment, { body }). Positions in the order
 * of what a table holds at them:
 *
 *     WW_LESS_WITH(by_table, uint32_t, a, b, float, table, { return table[a] < table[b]; });
 *
 *     ww_sort_by(device, ww_with_array(by_table, table, n), ww_memory(positions, n), ww_no_input, …); */
#define WW_LESS_WITH(name, type, a, b, environment, env, ...) \
    WW__LESS_WITH((ww__nothing), name, type, a, b, environment, env, #__VA_ARGS__, __VA_ARGS__)
#define WW_LESS_WITH_USES(uses, name, type, a, b, environment, env, ...) \
    WW__LESS_WITH(uses, name, type, a, b, environment, env, #__VA_ARGS__, __VA_ARGS__)

/* The body of one rank of a launch (ww_launch in primitive.h): WW_KERNEL(name, arguments struct, a, rank, { body }).
 * Arrays are plain pointers in the struct: what a kernel indexes is not checked. Ranks run in no order, several at
 * once; where they meet they use the atomics below. */
#define WW_KERNEL(name, arguments, args, rank, ...) \
    WW__KERNEL((ww__nothing), name, arguments, args, rank, #__VA_ARGS__, __VA_ARGS__)
#define WW_KERNEL_USES(uses, name, arguments, args, rank, ...) \
    WW__KERNEL(uses, name, arguments, args, rank, #__VA_ARGS__, __VA_ARGS__)

/* The body of one block of a launch: lanes that share memory. WW_BLOCK_KERNEL(name, arguments struct, a, shared struct, s,
 * block, { body }); ww_launch runs it for blocks 0 … count - 1, in no order, several at once. `s` points to the block's
 * shared memory, a WW_STRUCT of up to 48 KiB whose members are unspecified at first. The body is a sequence of loops:
 *
 *     WW_STRUCT(tile, { float x[1024]; });
 *     WW_BLOCK_KERNEL(sum_tiles, sums, a, tile, t, block, {
 *         WW_LANES(i, 1024) { t->x[i] = a->in[block * 1024 + i]; }
 *         for (uint32_t half = 512; half; half /= 2)
 *             WW_LANES(i, half) { t->x[i] += t->x[i + half]; }
 *         WW_LANES(i, 1) { a->out[block] = t->x[0]; }
 *     });
 *
 * WW_LANES(i, n) { … } runs its statement for i = 0 … n - 1 (a uint32_t; n up to 2^31), in no order and several at once;
 * when it ends, all of them have. On a GPU a block's threads share the lanes out, with a barrier before and after each
 * loop; on a CPU it is a loop, which compilers vectorise. So in one loop no lane writes what another lane reads or
 * writes, unless by the atomics (which work on shared memory, too). It is not left by break, goto or return (continue
 * ends a lane), and not nested.
 * What stands between loops, their bounds and conditions among it, is computed by every thread, with the same results: it
 * may read the arguments, shared memory and arrays that the launch does not write, and writes nothing but local
 * variables. A lane reads those, and keeps its own inside of the loop; what lanes hand on stands in shared memory. */
#define WW_BLOCK_KERNEL(name, arguments, args, shared, tile, block, ...) \
    WW__BLOCK_KERNEL((ww__nothing), name, arguments, args, shared, tile, block, #__VA_ARGS__, __VA_ARGS__)
#define WW_BLOCK_KERNEL_USES(uses, name, arguments, args, shared, tile, block, ...) \
    WW__BLOCK_KERNEL(uses, name, arguments, args, shared, tile, block, #__VA_ARGS__, __VA_ARGS__)

#endif
