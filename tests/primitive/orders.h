/* The orders that merging, sets and searching are tested with: a line for each. */
#ifndef TESTS_ORDERS_H
#define TESTS_ORDERS_H

#include "reference/order.h"
#include "support/cases.h"

/* Ordered by its key alone, so that equal elements can be told apart. */
WW_STRUCT(tagged, {
    uint16_t key, spare;
    uint32_t tag;
});
WW_LESS(by_key, tagged, a, b, { return a.key < b.key; });
WW_LESS(by_key_down, tagged, a, b, { return a.key > b.key; });
/* Large, and an order of the caller's on a type that has a built-in one. */
WW_STRUCT(wide, { uint64_t word[9]; });
WW_LESS(by_middle, wide, a, b, { return a.word[4] % 64 < b.word[4] % 64; });
WW_LESS(by_low_byte, uint32_t, a, b, { return (uint8_t)a < (uint8_t)b; });

static bool tagged_before(const void *a, const void *b) { return ((const tagged *)a)->key < ((const tagged *)b)->key; }
static bool tagged_behind(const void *a, const void *b) { return ((const tagged *)a)->key > ((const tagged *)b)->key; }
static bool wide_before(const void *a, const void *b) {
    return ((const wide *)a)->word[4] % 64 < ((const wide *)b)->word[4] % 64;
}
static bool low_byte_before(const void *a, const void *b) { return *(const uint8_t *)a < *(const uint8_t *)b; }

typedef struct order {
    const char *name;
    const ww_type *type;
    const ww_function *less;
    reference_before *before;
} order;

#define BUILT_IN_ORDER(label, type) \
    {#label " up", &ww_type_##type, &ww_ascending, reference_##label##_up}, { \
#label " down", &ww_type_##type, &ww_descending, reference_##label##_down \
    }

static const order orders[] = {
    BUILT_IN_ORDER(u8, uint8_t),
    BUILT_IN_ORDER(u16, uint16_t),
    BUILT_IN_ORDER(u32, uint32_t),
    BUILT_IN_ORDER(u64, uint64_t),
    BUILT_IN_ORDER(i8, int8_t),
    BUILT_IN_ORDER(i16, int16_t),
    BUILT_IN_ORDER(i32, int32_t),
    BUILT_IN_ORDER(i64, int64_t),
    BUILT_IN_ORDER(f32, float),
    BUILT_IN_ORDER(f64, double),
    BUILT_IN_ORDER(f16, ww_f16),
    BUILT_IN_ORDER(bf16, ww_bf16),
#if WW_HAS_U128
    BUILT_IN_ORDER(u128, ww_u128),
    BUILT_IN_ORDER(i128, ww_i128),
#endif
    {"u32 default", &ww_type_uint32_t, NULL, reference_u32_up},
    {"tagged", &tagged_ww, &by_key_ww, tagged_before},
    {"tagged down", &tagged_ww, &by_key_down_ww, tagged_behind},
    {"wide", &wide_ww, &by_middle_ww, wide_before},
    {"u32 by its low byte", &ww_type_uint32_t, &by_low_byte_ww, low_byte_before},
};
enum { ORDERS = sizeof orders / sizeof *orders };

/* n elements of an order, in that order; of a shape. */
static inline void *sorted_new(const order *o, size_t n, shape s, uint64_t seed) {
    void *x = need(n * o->type->size);
    fill(x, o->type, o->type->size, n, s, seed);
    if (o->type == &tagged_ww) /* so that few and many equal ones come to pass, and each is known by its tag */
        for (size_t i = 0; i < n; i++) {
            uint64_t state = seed + i;
            const uint64_t r = random_next(&state);
            ((tagged *)x)[i].key = (uint16_t)(s == CONSTANT ? 7 : s == FEW || s == SKEWED ? r % 5 : r % (n + 1));
            ((tagged *)x)[i].tag = (uint32_t)(seed * 1000003 + i);
        }
    reference_sort(x, n, o->type->size, o->before);
    return x;
}

#endif
