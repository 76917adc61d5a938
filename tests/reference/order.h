/* Oracles of the orders: which of two elements goes first. */
#ifndef REFERENCE_ORDER_H
#define REFERENCE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool reference_before(const void *a, const void *b);

/* Integers by value, floats by IEEE 754's totalOrder, from its definition. */
reference_before reference_u8_up, reference_u16_up, reference_u32_up, reference_u64_up, reference_u128_up, reference_i128_up;
reference_before reference_i8_up, reference_i16_up, reference_i32_up, reference_i64_up, reference_f32_up,
    reference_f64_up, reference_f16_up, reference_bf16_up;
reference_before reference_u8_down, reference_u16_down, reference_u32_down, reference_u64_down, reference_u128_down, reference_i128_down;
reference_before reference_i8_down, reference_i16_down, reference_i32_down, reference_i64_down, reference_f32_down,
    reference_f64_down, reference_f16_down, reference_bf16_down;

/* A stable merge sort, in place. */
void reference_sort(void *x, size_t n, size_t size, reference_before *before);

#endif
