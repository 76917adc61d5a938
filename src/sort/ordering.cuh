/* The order of a sort's keys on a GPU, with their positions behind it, so that no two elements are equal.
 *
 * WW_BY_LESS: 1 by the function ww_less of ww_items, reversed where WW_DESCENDING is 1; 0 keys are numbers as
 * digits.cuh has them, of which some bits count. */
#ifndef WW_ORDERING_CUH
#define WW_ORDERING_CUH

#include "sort/ordering_arguments.cuh"

#if WW_BY_LESS == 0
#include "radix/digits.cuh"
typedef ww_key ww_item;
#endif

WW_DEVICE bool key_before(const ww_ordering &o, const ww_item &x, const ww_item &y) {
#if WW_BY_LESS
    (void)o;
    return WW_DESCENDING ? ww_less(y, x) : ww_less(x, y);
#else
    return ww_key(ww_key(number_of(o.order, x) << o.up) >> o.down) < ww_key(ww_key(number_of(o.order, y) << o.up) >> o.down);
#endif
}

/* Whether x, which stood at position p, goes before y of position q. */
WW_DEVICE bool goes_before(const ww_ordering &o, const ww_item &x, uint32_t p, const ww_item &y, uint32_t q) {
    return key_before(o, x, y) || (p < q && !key_before(o, y, x));
}

/* A comparator. */
WW_DEVICE void compare_exchange(const ww_ordering &o, ww_item *key, uint32_t *position, uint64_t low, uint64_t high) {
    const ww_item x = key[low], y = key[high];
    const uint32_t p = position[low], q = position[high];
    if (!goes_before(o, y, q, x, p)) return;
    key[low] = y;
    key[high] = x;
    position[low] = q;
    position[high] = p;
}

#endif
