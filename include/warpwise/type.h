/* Element types and arrays: what the library moves and combines.
 *
 *     uint32_t keys[1000];
 *     ww_array a = ww_array(keys, 1000);              the type is found from the pointer
 *     ww_array r = ww_records(bytes, 1000, 24);       1000 records of 24 bytes, moved but never interpreted
 *
 * A ww_type describes one element: its kind, size, alignment and, for a WW_STRUCT (function.h), the C text of it.
 * The library's own types are ww_type_uint8_t … ww_type_uint64_t, ww_type_int8_t … ww_type_int64_t, ww_type_float,
 * ww_type_double and ww_type_ww_u128; ww_type_record stands for records of any number of bytes. */
#ifndef WARPWISE_TYPE_H
#define WARPWISE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the shared library shows to the outside. */
#define WW_API __attribute__((visibility("default")))

#ifdef __SIZEOF_INT128__
/* 128-bit unsigned integers, where the compiler has them. */
__extension__ typedef unsigned __int128 ww_u128;
#define WW_HAS_U128 1
#else
#define WW_HAS_U128 0
#endif

typedef enum ww_kind {
    WW_KIND_VOID = 0, /* no element: a function without an environment */
    WW_KIND_UNSIGNED, /* u8 u16 u32 u64 u128 */
    WW_KIND_SIGNED,   /* i8 i16 i32 i64 */
    WW_KIND_FLOAT,    /* f32 f64 */
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
    const char *name;  /* as C spells it: "uint32_t" */
    const char *label; /* as the command line spells it: "u32" */
    ww_kind kind;
    uint32_t alignment;  /* in bytes */
    size_t size;         /* in bytes; 0 for ww_type_record, whose arrays say it */
    const ww_text *text; /* the definition of a WW_STRUCT, else NULL */
} ww_type;

extern WW_API const ww_type ww_type_void;
extern WW_API const ww_type ww_type_uint8_t, ww_type_uint16_t, ww_type_uint32_t, ww_type_uint64_t;
extern WW_API const ww_type ww_type_int8_t, ww_type_int16_t, ww_type_int32_t, ww_type_int64_t;
extern WW_API const ww_type ww_type_float, ww_type_double;
extern WW_API const ww_type ww_type_record;
#if WW_HAS_U128
extern WW_API const ww_type ww_type_ww_u128;
#endif

/* The same for the macros of function.h, which paste _ww behind a type's name: a WW_STRUCT's descriptor is `name_ww`. */
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
#define bool_ww ww_type_uint8_t
#define _Bool_ww ww_type_uint8_t
#define int_ww ww_type_int32_t
#define unsigned_ww ww_type_uint32_t
#define size_t_ww ww_type_uint64_t

/* The type whose label ("u32", "f64", …) this is, or NULL. "rec:N" is not one: see ww_records. */
WW_API const ww_type *ww_type_named(const char *label);

/* An array in the caller's memory. Passed by value; the library never keeps it after the call. */
typedef struct ww_array {
    void *data;
    uint64_t count; /* elements */
    const ww_type *type;
    size_t size;          /* bytes of one element */
    uint64_t reserved[2]; /* 0 */
} ww_array;

/* An array of any type; for a WW_STRUCT: ww_array_of(points, n, &point_ww). */
static inline ww_array ww_array_of(void *data, uint64_t count, const ww_type *type) {
    ww_array a = {data, count, type, type ? type->size : 0, {0, 0}};
    return a;
}

/* `count` records of `bytes` bytes each, without padding between them. */
static inline ww_array ww_records(void *data, uint64_t count, size_t bytes) {
    ww_array a = {data, count, &ww_type_record, bytes, {0, 0}};
    return a;
}

static inline ww_array ww__no_array(void) {
    ww_array a = {NULL, 0, NULL, 0, {0, 0}};
    return a;
}

/* In place of an array that is not wanted. */
#define ww_none ww__no_array()

/* One element, with its type: a call that takes a single value checks that it is of the type that is wanted (TYPE). Values of up to
 * 16 bytes are kept in the struct; larger ones are pointed to, in the host's memory, and must live until the call returns. */
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

/* ww_value(float, 0.5f), ww_value(point, p), ww_value(point, {1, 2}): the type's name, then what a variable of that type could be
 * initialised with. */
#ifdef __cplusplus
template <class Type> static inline ww_value ww__value_from(const Type &value, const ww_type *type) {
    return ww__value_of(&value, type, sizeof(Type));
}
#define ww_value(type_name, ...) ww__value_from<type_name>(__VA_ARGS__, &type_name##_ww)
#else
#define ww_value(type_name, ...) ww_value_of((const type_name[1]){__VA_ARGS__}, &type_name##_ww)
#endif

/* ww__type_at(pointer): the descriptor of what a pointer to a built-in type, const or not, points to. */
#ifdef __cplusplus
static inline const ww_type *ww__type_at(const void *) = delete;
#define WW__TYPE_AT(type, descriptor) \
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
#if WW_HAS_U128
WW__TYPE_AT(ww_u128, &ww_type_ww_u128)
#endif
#undef WW__TYPE_AT
#else
#if WW_HAS_U128
#define WW__TYPE_AT_U128 const ww_u128 * : &ww_type_ww_u128, ww_u128 * : &ww_type_ww_u128,
#else
#define WW__TYPE_AT_U128
#endif
/* clang-format off */
#define ww__type_at(pointer) _Generic((pointer), WW__TYPE_AT_U128 \
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
    double *: &ww_type_double,              const double *: &ww_type_double)
/* clang-format on */
#endif

/* An array of a built-in type, found from the pointer. (The struct has the same name: `ww_array a` is the type,
 * `ww_array(p, n)` this macro.) */
#define ww_array(pointer, elements) ww_array_of((pointer), (elements), ww__type_at(pointer))

#endif
