/* Element types and arrays: what the library moves and combines.
 *
 *     uint32_t keys[1000];
 *     ww_array a = ww_array(keys, 1000);              the type is deduced from the pointer
 *     ww_array r = ww_records(bytes, 1000, 24);       1000 records of 24 bytes, moved but never interpreted
 *
 * A ww_type describes one element: its kind, size, alignment and, for a WW_STRUCT (function.h), the C text of it.
 * The library's own types are ww_type_uint8_t … ww_type_uint64_t, ww_type_int8_t … ww_type_int64_t, ww_type_float,
 * ww_type_double, ww_type_ww_f16, ww_type_ww_bf16, ww_type_ww_u128 and ww_type_ww_i128; ww_type_record stands for records of
 * any number of bytes. */
#ifndef WARPWISE_TYPE_H
#define WARPWISE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the shared library exports. */
#define WW_API __attribute__((visibility("default")))

#ifdef __SIZEOF_INT128__
/* 128-bit integers, where the compiler has them. */
__extension__ typedef unsigned __int128 ww_u128;
__extension__ typedef __int128 ww_i128;
#define WW_HAS_U128 1
#else
#define WW_HAS_U128 0
#endif

/* Floats of 16 bits: IEEE 754's binary16 (NumPy's float16, CUDA's __half, C's _Float16), and bfloat16, which is the upper half
 * of a float. Structs of their bits, because not every compiler has such types: C computes with their values as floats, by
 * ww_float_of_f16, ww_f16_of_float, ww_float_of_bf16 and ww_bf16_of_float (function_loops.h), in functions for a GPU, too.
 * Memory of _Float16, __half and the like is given its type by ww_array_of and ww_memory_of. */
typedef struct ww_f16 {
    uint16_t bits;
} ww_f16;
typedef struct ww_bf16 {
    uint16_t bits;
} ww_bf16;

typedef enum ww_kind {
    WW_KIND_VOID = 0, /* no element: a function without an environment */
    WW_KIND_UNSIGNED, /* u8 u16 u32 u64 u128 */
    WW_KIND_SIGNED,   /* i8 i16 i32 i64 i128 */
    WW_KIND_FLOAT,    /* f32 f64 f16 bf16 */
    WW_KIND_RECORD,   /* bytes that are moved, never interpreted; the array says how many */
    WW_KIND_STRUCT    /* a WW_STRUCT */
} ww_kind;

/* Source text that the device program is assembled from; made by the macros of function.h. */
typedef struct ww_text {
    const char *name;
    const char *text; /* the definition, as the user wrote it */
    const char *file; /* where */
    int line;
    const struct ww_text *const *uses; /* what it mentions, ended by NULL; or NULL */
} ww_text;

typedef struct ww_type {
    const char *name;    /* as C spells it: "uint32_t" */
    const char *label;   /* as the command line spells it: "u32" */
    uint32_t kind;       /* a ww_kind */
    uint32_t alignment;  /* in bytes */
    size_t size;         /* in bytes; 0 for ww_type_record, whose arrays say it */
    const ww_text *text; /* the definition of a WW_STRUCT, else NULL */
} ww_type;

extern WW_API const ww_type ww_type_void;
extern WW_API const ww_type ww_type_uint8_t, ww_type_uint16_t, ww_type_uint32_t, ww_type_uint64_t;
extern WW_API const ww_type ww_type_int8_t, ww_type_int16_t, ww_type_int32_t, ww_type_int64_t;
extern WW_API const ww_type ww_type_float, ww_type_double;
extern WW_API const ww_type ww_type_ww_f16, ww_type_ww_bf16;
extern WW_API const ww_type ww_type_record;
#if WW_HAS_U128
extern WW_API const ww_type ww_type_ww_u128, ww_type_ww_i128;
#endif

/* The same for the macros of function.h, which find the descriptor of a type by its words: WW__TYPE(uint32_t) is
 * ww_type_uint32_t. A WW_STRUCT's descriptor is `name_ww`. Each word has, too, the text that a device program needs to know it
 * (ww__definition_of_NAME). */
static const ww_text ww__definition_of_ww__nothing __attribute__((unused)) = {"ww__nothing", NULL, "", 0, NULL};
#define void_ww ww_type_void
#define uint8_t_ww ww_type_uint8_t
#define uint16_t_ww ww_type_uint16_t
#define uint32_t_ww ww_type_uint32_t
#define uint64_t_ww ww_type_uint64_t
#define int8_t_ww ww_type_int8_t
#define int16_t_ww ww_type_int16_t
#define int32_t_ww ww_type_int32_t
#define int64_t_ww ww_type_int64_t
#define float_ww ww_type_float
#define double_ww ww_type_double
#define ww_u128_ww ww_type_ww_u128
#define ww_i128_ww ww_type_ww_i128
#define ww_f16_ww ww_type_ww_f16
#define ww_bf16_ww ww_type_ww_bf16
#define bool_ww ww_type_uint8_t
#define _Bool_ww ww_type_uint8_t
#define char_ww ww_type_uint8_t
#define int_ww ww_type_int32_t
#define size_t_ww ww_type_uint64_t
#define uintptr_t_ww ww_type_uint64_t
#define ww__definition_of_void ww__definition_of_ww__nothing
#define ww__definition_of_uint8_t ww__definition_of_ww__nothing
#define ww__definition_of_uint16_t ww__definition_of_ww__nothing
#define ww__definition_of_uint32_t ww__definition_of_ww__nothing
#define ww__definition_of_uint64_t ww__definition_of_ww__nothing
#define ww__definition_of_int8_t ww__definition_of_ww__nothing
#define ww__definition_of_int16_t ww__definition_of_ww__nothing
#define ww__definition_of_int32_t ww__definition_of_ww__nothing
#define ww__definition_of_int64_t ww__definition_of_ww__nothing
#define ww__definition_of_float ww__definition_of_ww__nothing
#define ww__definition_of_double ww__definition_of_ww__nothing
#define ww__definition_of_ww_u128 ww__definition_of_ww__nothing
#define ww__definition_of_ww_i128 ww__definition_of_ww__nothing
#define ww__definition_of_ww_f16 ww__definition_of_ww__nothing
#define ww__definition_of_ww_bf16 ww__definition_of_ww__nothing
#define ww__definition_of_bool ww__definition_of_ww__nothing
#define ww__definition_of__Bool ww__definition_of_ww__nothing
#define ww__definition_of_char ww__definition_of_ww__nothing
#define ww__definition_of_int ww__definition_of_ww__nothing
#define ww__definition_of_size_t ww__definition_of_ww__nothing
#define ww__definition_of_uintptr_t ww__definition_of_ww__nothing

/* Words of <stdint.h> and <stddef.h> that device programs have to be told, by a word that they know. */
#define WW__WORD(word, type) \
    static const ww_text ww__definition_of_##word \
        __attribute__((unused)) = {#word, "typedef " #type " " #word ";", __FILE__, __LINE__, NULL};
WW__WORD(intptr_t, int64_t)
WW__WORD(ptrdiff_t, int64_t)
WW__WORD(intmax_t, int64_t)
WW__WORD(uintmax_t, uint64_t)
WW__WORD(int_least8_t, int8_t)
WW__WORD(int_least16_t, int16_t)
WW__WORD(int_least32_t, int32_t)
WW__WORD(int_least64_t, int64_t)
WW__WORD(uint_least8_t, uint8_t)
WW__WORD(uint_least16_t, uint16_t)
WW__WORD(uint_least32_t, uint32_t)
WW__WORD(uint_least64_t, uint64_t)
WW__WORD(int_fast8_t, int8_t)
WW__WORD(int_fast64_t, int64_t)
WW__WORD(uint_fast8_t, uint8_t)
WW__WORD(uint_fast64_t, uint64_t)
#define intptr_t_ww ww_type_int64_t
#define ptrdiff_t_ww ww_type_int64_t
#define intmax_t_ww ww_type_int64_t
#define uintmax_t_ww ww_type_uint64_t
#define int_least8_t_ww ww_type_int8_t
#define int_least16_t_ww ww_type_int16_t
#define int_least32_t_ww ww_type_int32_t
#define int_least64_t_ww ww_type_int64_t
#define uint_least8_t_ww ww_type_uint8_t
#define uint_least16_t_ww ww_type_uint16_t
#define uint_least32_t_ww ww_type_uint32_t
#define uint_least64_t_ww ww_type_uint64_t
#define int_fast8_t_ww ww_type_int8_t
#define int_fast64_t_ww ww_type_int64_t
#define uint_fast8_t_ww ww_type_uint8_t
#define uint_fast64_t_ww ww_type_uint64_t
#if INT_FAST16_MAX > INT32_MAX /* glibc; musl's have 32 bits */
WW__WORD(int_fast16_t, int64_t)
WW__WORD(int_fast32_t, int64_t)
WW__WORD(uint_fast16_t, uint64_t)
WW__WORD(uint_fast32_t, uint64_t)
#define int_fast16_t_ww ww_type_int64_t
#define int_fast32_t_ww ww_type_int64_t
#define uint_fast16_t_ww ww_type_uint64_t
#define uint_fast32_t_ww ww_type_uint64_t
#else
WW__WORD(int_fast16_t, int32_t)
WW__WORD(int_fast32_t, int32_t)
WW__WORD(uint_fast16_t, uint32_t)
WW__WORD(uint_fast32_t, uint32_t)
#define int_fast16_t_ww ww_type_int32_t
#define int_fast32_t_ww ww_type_int32_t
#define uint_fast16_t_ww ww_type_uint32_t
#define uint_fast32_t_ww ww_type_uint32_t
#endif
#undef WW__WORD

/* Types of several words. WW__WORDS_unsigned and so on, which no type of one word meets, say what the words behind them are
 * looked up by: WW__TYPE(unsigned int) asks WW__AFTER_unsigned(int). */
#define WW__TYPE(type) WW__CHOOSE(WW__WORDS_##type, WW__ONE_WORD, type##_ww, ~)
#define WW__TYPE_TEXT(type) WW__CHOOSE_TEXT(WW__WORDS_##type, WW__ONE_WORD, ww__definition_of_##type, ~)
#define WW__CHOOSE(...) WW__CHOSEN(__VA_ARGS__)
#define WW__CHOSEN(first, how, words, ...) how(words)
#define WW__CHOOSE_TEXT(...) WW__CHOSEN_TEXT(__VA_ARGS__)
#define WW__CHOSEN_TEXT(first, how, words, ...) how##_TEXT(words)
#define WW__ONE_WORD(type) type
#define WW__ONE_WORD_TEXT(text) text
#define WW__UP_TO_COMMA(...) WW__BEFORE_COMMA(__VA_ARGS__)
#define WW__BEFORE_COMMA(first, ...) first

#define WW__WORDS_unsigned ~, WW__AFTER_unsigned,
#define WW__WORDS_signed ~, WW__AFTER_signed,
#define WW__WORDS_short ~, WW__AFTER_short,
#define WW__WORDS_long ~, WW__AFTER_long,
#define WW__WORDS_struct ~, WW__AFTER_struct,
#define WW__AFTER_unsigned(words) WW__UP_TO_COMMA(WW__UNSIGNED_##words, ~)
#define WW__AFTER_signed(words) WW__UP_TO_COMMA(WW__SIGNED_##words, ~)
#define WW__AFTER_short(words) WW__UP_TO_COMMA(WW__SHORT_##words, ~)
#define WW__AFTER_long(words) WW__UP_TO_COMMA(WW__LONG_##words, ~)
#define WW__AFTER_struct(name) name##_ww
#define WW__AFTER_unsigned_TEXT(words) ww__definition_of_ww__nothing
#define WW__AFTER_signed_TEXT(words) ww__definition_of_ww__nothing
#define WW__AFTER_short_TEXT(words) ww__definition_of_ww__nothing
#define WW__AFTER_long_TEXT(words) ww__definition_of_ww__nothing
#define WW__AFTER_struct_TEXT(name) ww__definition_of_##name
#define WW__UNSIGNED_ ww_type_uint32_t
#define WW__UNSIGNED_int ww_type_uint32_t,
#define WW__UNSIGNED_char ww_type_uint8_t,
#define WW__UNSIGNED_short ww_type_uint16_t,
#define WW__SIGNED_ ww_type_int32_t
#define WW__SIGNED_int ww_type_int32_t,
#define WW__SIGNED_char ww_type_int8_t,
#define WW__SIGNED_short ww_type_int16_t,
#define WW__SHORT_ ww_type_int16_t
#define WW__SHORT_int ww_type_int16_t,
#define WW__SHORT_unsigned ww_type_uint16_t,
#define WW__SHORT_signed ww_type_int16_t,
/* `long` and what may come behind it. (Where it has 32 bits, `long long` wants its name of <stdint.h>.) */
#if __SIZEOF_LONG__ == 8
#define WW__UNSIGNED_long ww_type_uint64_t,
#define WW__SIGNED_long ww_type_int64_t,
#define WW__LONG_ ww_type_int64_t
#define WW__LONG_double ww__long_double_is_no_type_of_warpwise,
#define WW__LONG_int ww_type_int64_t,
#define WW__LONG_long ww_type_int64_t,
#define WW__LONG_signed ww_type_int64_t,
#define WW__LONG_unsigned ww_type_uint64_t,
#endif

/* WW_TYPEDEF (function.h). The descriptor is the type's own, by another name: both are one object to the linker. */
#define WW__TYPEDEF(name, string, symbol, type) \
    typedef type name; \
    static const ww_text ww__definition_of_##name \
        __attribute__((unused)) = {#name, "typedef " string " " #name ";", __FILE__, __LINE__, NULL}; \
    extern const ww_type name##_ww __asm__(symbol)
#define WW__SYMBOL(...) WW__SYMBOL_OF(__VA_ARGS__)
#define WW__SYMBOL_OF(...) #__VA_ARGS__

#ifdef __cplusplus
#define WW__ASSERT(...) static_assert(__VA_ARGS__)
#else
#define WW__ASSERT(...) _Static_assert(__VA_ARGS__)
#endif

/* The type whose label ("u32", "f64", …) this is, or NULL. "rec:N" is not one: see ww_records. */
WW_API const ww_type *ww_type_named(const char *label);

/* An array in the caller's memory. Passed by value; the library never keeps it after the call. */
typedef struct ww_array {
    void *data;
    uint64_t count; /* elements */
    const ww_type *type;
    size_t size;              /* bytes of one element */
    const uint64_t *count_at; /* NULL, or how many elements there are, on the device: ww_counted_array */
    uint64_t reserved;        /* 0, or for an output that is computed what output.h says */
} ww_array;

/* An array of any type; for a WW_STRUCT: ww_array_of(points, n, &point_ww). */
static inline ww_array ww_array_of(void *data, uint64_t count, const ww_type *type) {
    ww_array a = {data, count, type, type ? type->size : 0, NULL, 0};
    return a;
}

/* `count` records of `bytes` bytes each, without padding between them. */
static inline ww_array ww_records(void *data, uint64_t count, size_t bytes) {
    ww_array a = {data, count, &ww_type_record, bytes, NULL, 0};
    return a;
}

static inline ww_array ww__no_array(void) {
    ww_array a = {NULL, 0, NULL, 0, NULL, 0};
    return a;
}

/* The same array, of as many elements as the number at `count_at` says, and of no more than its count (docs/counts.md). Calls
 * then work on these first elements and leave the others unchanged. The number is one u64 in memory from ww_alloc or
 * ww_alloc_host; on a CPU in any. A call reads it when it does its work, not when it is queued, and must not write it
 * (OVERLAP). Arrays of one call that have to be equally long must have the same number, and the same capacity. */
static inline ww_array ww_counted_array(ww_array array, const uint64_t *count_at) {
    array.count_at = count_at;
    return array;
}

/* In place of an array that is not wanted. */
#define ww_none ww__no_array()

/* One element, with its type: a call that takes a single value checks that it has the expected type (TYPE). Values of up
 * to 16 bytes are kept in the struct; larger ones are pointed to, in the host's memory, and must live until the call
 * returns. */
typedef struct ww_value {
    const ww_type *type; /* NULL: no value */
    const void *data;    /* where more than 16 bytes lie, else NULL */
    size_t size;         /* in bytes; 0: it was made from NULL, which no call takes (INVALID) */
    unsigned char bytes[16] __attribute__((aligned(16)));
} ww_value;

static inline ww_value ww__value_of(const void *data, const ww_type *type, size_t size) {
    ww_value v = {type, NULL, data ? size : 0, {0}};
    if (v.size > sizeof v.bytes)
        v.data = data;
    else if (v.size)
        __builtin_memcpy(v.bytes, data, v.size);
    return v;
}

/* The element at `data`, of a type that is known at run time; a record of `bytes` bytes. */
static inline ww_value ww_value_of(const void *data, const ww_type *type) {
    return ww__value_of(data, type, type ? type->size : 0);
}
static inline ww_value ww_record_value(const void *data, size_t bytes) {
    return ww__value_of(data, &ww_type_record, bytes);
}

/* In place of a value that is not wanted. */
#define ww_no_value ww_value_of(NULL, NULL)

#ifdef __cplusplus
}
#endif

/* ww_value(float, 0.5f), ww_value(point, p), ww_value(point, {1, 2}): the type's name, then what a variable of that type could
 * be initialised with. */
#ifdef __cplusplus
template <class Type> static inline ww_value ww__value_from(const Type &value, const ww_type *type) {
    return ww__value_of(&value, type, sizeof(Type));
}
#define ww_value(type_name, ...) ww__value_from<type_name>(__VA_ARGS__, &WW__TYPE(type_name))
#else
#define ww_value(type_name, ...) ww_value_of((const type_name[1]){__VA_ARGS__}, &WW__TYPE(type_name))
#endif

/* ww__type_at(pointer): the descriptor of what a pointer to a number, const or not, points to. For any other it is a call of
 * a function that does not exist, and compilers say why. */
#if defined(__has_attribute)
#if __has_attribute(error)
#define WW__REFUSED_AT_COMPILE_TIME(why) __attribute__((error(why)))
#endif
#endif
#ifndef WW__REFUSED_AT_COMPILE_TIME
#define WW__REFUSED_AT_COMPILE_TIME(why)
#endif
#define WW__NO_NUMBER_AT \
    WW__REFUSED_AT_COMPILE_TIME("ww_array and ww_memory find the types of numbers; of a WW_STRUCT called point say " \
                                "ww_array_of(pointer, count, &point_ww) and ww_memory_of, of bytes ww_records")
#ifdef __cplusplus
template <class Type> const ww_type *ww__type_at(Type *) WW__NO_NUMBER_AT;
#define WW__NO_POINTER \
    WW__REFUSED_AT_COMPILE_TIME("ww_array and ww_memory take a pointer: of a std::vector called v say v.data()")
template <class Type> const ww_type *ww__type_at(const Type &) WW__NO_POINTER;
template <class Type> void *ww__pointer(const Type &) WW__NO_POINTER;
template <class Type> static inline Type *ww__pointer(Type *pointer) { return pointer; }
#define WW__TYPE_AT(type, descriptor) \
    static inline const ww_type *ww__type_at(type *) { return descriptor; } \
    static inline const ww_type *ww__type_at(const type *) { return descriptor; }
WW__TYPE_AT(bool, &ww_type_uint8_t)
WW__TYPE_AT(char, &ww_type_uint8_t)
WW__TYPE_AT(unsigned char, &ww_type_uint8_t)
WW__TYPE_AT(signed char, &ww_type_int8_t)
WW__TYPE_AT(unsigned short, &ww_type_uint16_t)
WW__TYPE_AT(short, &ww_type_int16_t)
WW__TYPE_AT(unsigned int, &ww_type_uint32_t)
WW__TYPE_AT(int, &ww_type_int32_t)
WW__TYPE_AT(unsigned long, sizeof(long) == 8 ? &ww_type_uint64_t : &ww_type_uint32_t)
WW__TYPE_AT(long, sizeof(long) == 8 ? &ww_type_int64_t : &ww_type_int32_t)
WW__TYPE_AT(unsigned long long, &ww_type_uint64_t)
WW__TYPE_AT(long long, &ww_type_int64_t)
WW__TYPE_AT(float, &ww_type_float)
WW__TYPE_AT(double, &ww_type_double)
WW__TYPE_AT(ww_f16, &ww_type_ww_f16)
WW__TYPE_AT(ww_bf16, &ww_type_ww_bf16)
#if WW_HAS_U128
WW__TYPE_AT(ww_u128, &ww_type_ww_u128)
WW__TYPE_AT(ww_i128, &ww_type_ww_i128)
#endif
#undef WW__TYPE_AT
#else
const ww_type *ww__type_of_no_number(void) WW__NO_NUMBER_AT;
#define ww__pointer(pointer) (pointer)
#if WW_HAS_U128
#define WW__TYPE_AT_128 \
    const ww_u128 * : &ww_type_ww_u128, ww_u128 * : &ww_type_ww_u128, const ww_i128 * : &ww_type_ww_i128, \
        ww_i128 * : &ww_type_ww_i128,
#else
#define WW__TYPE_AT_128
#endif
/* clang-format off */
#define ww__type_at(pointer) _Generic((pointer), WW__TYPE_AT_128 \
    bool *: &ww_type_uint8_t,               const bool *: &ww_type_uint8_t, \
    char *: &ww_type_uint8_t,               const char *: &ww_type_uint8_t, \
    unsigned char *: &ww_type_uint8_t,      const unsigned char *: &ww_type_uint8_t, \
    signed char *: &ww_type_int8_t,         const signed char *: &ww_type_int8_t, \
    unsigned short *: &ww_type_uint16_t,    const unsigned short *: &ww_type_uint16_t, \
    short *: &ww_type_int16_t,              const short *: &ww_type_int16_t, \
    unsigned *: &ww_type_uint32_t,          const unsigned *: &ww_type_uint32_t, \
    int *: &ww_type_int32_t,                const int *: &ww_type_int32_t, \
    unsigned long *: sizeof(long) == 8 ? &ww_type_uint64_t : &ww_type_uint32_t, \
    const unsigned long *: sizeof(long) == 8 ? &ww_type_uint64_t : &ww_type_uint32_t, \
    long *: sizeof(long) == 8 ? &ww_type_int64_t : &ww_type_int32_t, \
    const long *: sizeof(long) == 8 ? &ww_type_int64_t : &ww_type_int32_t, \
    unsigned long long *: &ww_type_uint64_t, const unsigned long long *: &ww_type_uint64_t, \
    long long *: &ww_type_int64_t,          const long long *: &ww_type_int64_t, \
    float *: &ww_type_float,                const float *: &ww_type_float, \
    double *: &ww_type_double,              const double *: &ww_type_double, \
    ww_f16 *: &ww_type_ww_f16,              const ww_f16 *: &ww_type_ww_f16, \
    ww_bf16 *: &ww_type_ww_bf16,            const ww_bf16 *: &ww_type_ww_bf16, \
    default: ww__type_of_no_number())
/* clang-format on */
#endif

/* An array of a built-in type, deduced from the pointer. (The struct has the same name: `ww_array a` is the type,
 * `ww_array(p, n)` this macro.) */
#define ww_array(pointer, elements) ww_array_of(ww__pointer(pointer), (elements), ww__type_at(pointer))

#endif
