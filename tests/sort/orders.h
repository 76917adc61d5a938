/* The orders that tests of sorting go through. */
#ifndef TESTS_SORT_ORDERS_H
#define TESTS_SORT_ORDERS_H

#include "reference/sort.h"
#include "support/cases.h"

/* By value up and down, and by some of the bits, in turns. On the emulator each is a set of programs, which take seconds to
 * compile: a type, of which `number` is that in the test's list, has one order there. */
static inline reference_order order_in_turn(const ww_type *type, size_t number, unsigned turn) {
    const unsigned choice = on_emulator() ? (unsigned)number : turn;
    reference_order o = {type, choice % 3 == 1, 0, 0};
    if (choice % 4 == 3 && type->kind != WW_KIND_FLOAT) {
        const uint32_t bits = (uint32_t)(8 * type->size);
        o.bit_first = choice * 7 % bits;
        o.bit_count = 1 + choice * 13 % (bits - o.bit_first);
    }
    return o;
}

static inline ww_sort_options options_of(reference_order order) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = order.descending;
    o.bit_first = order.bit_first;
    o.bit_count = order.bit_count;
    return o;
}

#endif
