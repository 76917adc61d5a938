#include "primitive/merge/order_bits.h"

int ww__order_bits(const ww_function *order) {
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_int32_t, &ww_type_float,
                                           &ww_type_uint64_t, &ww_type_int64_t, &ww_type_double};
    enum { TYPES = sizeof types / sizeof types[0] };
    for (int t = 0; t < TYPES; t++) {
        if (order == ww__order(&ww_ascending, types[t], types[t]->size)) return t;
        if (order == ww__order(&ww_descending, types[t], types[t]->size)) return TYPES + t;
    }
    return -1;
}
