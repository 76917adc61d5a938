/* The orders that tests of sorting go through. */
#ifndef TESTS_SORT_ORDERS_H
#define TESTS_SORT_ORDERS_H

#include "reference/sort.h"
#include "support/cases.h"

/* All types of keys. The emulator takes the first ones of them, where a type is a set of programs. */
static const ww_type *const key_types[] = {&ww_type_uint32_t, &ww_type_float,   &ww_type_uint64_t, &ww_type_int16_t,
                                           &ww_type_uint8_t,  &ww_type_int64_t, &ww_type_double,   &ww_type_int32_t,
                                           &ww_type_uint16_t, &ww_type_int8_t,  &ww_type_ww_f16,   &ww_type_ww_bf16,
#if WW_HAS_U128
                                           &ww_type_ww_u128, &ww_type_ww_i128
#endif
};
enum { KEY_TYPES = sizeof key_types / sizeof *key_types };

/* By value up and down, and by some of the bits. */
static inline reference_order order_of(const ww_type *type, unsigned direction, unsigned range) {
    reference_order o = {type, direction % 3 == 1, 0, 0};
    const uint32_t bits = (uint32_t)(8 * type->size);
    if (range % 4 != 3 || type->kind == WW_KIND_FLOAT) return o;
    o.bit_first = range * 7 % bits;
    o.bit_count = 1 + range * 13 % (bits - o.bit_first);
    return o;
}

/* All of these in turns. On the emulator each direction is a set of programs, which take seconds to compile: a type, of which
 * `number` is that in the list, has one there. */
static inline reference_order order_in_turn(size_t number, unsigned turn) {
    return order_of(key_types[number], on_emulator() ? (unsigned)number : turn, turn);
}

/* The same where a range of bits is programs of its own, too. */
static inline reference_order order_of_number(size_t number, unsigned turn) {
    const unsigned choice = on_emulator() ? (unsigned)number : turn;
    return order_of(key_types[number], choice, choice);
}

static inline ww_sort_options options_of(reference_order order) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = order.descending;
    o.bit_first = order.bit_first;
    o.bit_count = order.bit_count;
    return o;
}

#endif
