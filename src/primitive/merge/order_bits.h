/* The built-in orders of 4- and 8-byte elements, whose comparisons are so cheap that loops over them are written out
 * without branches: an element is read as an unsigned word, and a change of its bits makes the order the words' own. */
#ifndef WW__ORDER_BITS_H
#define WW__ORDER_BITS_H

#include "device/kernel/key_order.cuh"
#include "function/function.h"

#define WW__BITS_U32(x) (x)
#define WW__BITS_I32(x) ((x) ^ WW_KEY_FLIP(uint32_t, 32, WW_KEY_SIGNED, false))
#define WW__BITS_F32(x) WW_KEY_TOTAL_ORDER(uint32_t, x)
#define WW__BITS_U64(x) (x)
#define WW__BITS_I64(x) ((x) ^ WW_KEY_FLIP(uint64_t, 64, WW_KEY_SIGNED, false))
#define WW__BITS_F64(x) WW_KEY_TOTAL_ORDER(uint64_t, x)

/* X(name, word, bits, how): x goes before y where bits(x) how bits(y). */
#define WW__EACH_ORDER_BITS(X) \
    X(u32_up, uint32_t, WW__BITS_U32, <) \
    X(i32_up, uint32_t, WW__BITS_I32, <) \
    X(f32_up, uint32_t, WW__BITS_F32, <) \
    X(u64_up, uint64_t, WW__BITS_U64, <) \
    X(i64_up, uint64_t, WW__BITS_I64, <) \
    X(f64_up, uint64_t, WW__BITS_F64, <) \
    X(u32_down, uint32_t, WW__BITS_U32, >) \
    X(i32_down, uint32_t, WW__BITS_I32, >) \
    X(f32_down, uint32_t, WW__BITS_F32, >) \
    X(u64_down, uint64_t, WW__BITS_U64, >) \
    X(i64_down, uint64_t, WW__BITS_I64, >) \
    X(f64_down, uint64_t, WW__BITS_F64, >)

/* The order's place in that list; -1 for another order or type. */
int ww__order_bits(const ww_function *order);

#endif
