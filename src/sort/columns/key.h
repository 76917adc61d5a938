/* Numbers of several columns side by side in one key that rises as rows do. */
#ifndef WW__COLUMNS_KEY_H
#define WW__COLUMNS_KEY_H

#include "device/device.h"
#include "function/function.h"

/* Where a column's number stands in the key, and how it becomes an unsigned one that rises as the column is to: `flip` is the sign
 * bit of signed integers; of floats that are negative all bits are inverted, of the others the sign; `reverse`: all bits once
 * more where the order is descending. */
WW_STRUCT(ww__key_place, {
    uint64_t top, mask, flip, reverse;
    uint32_t shift, is_float;
});

ww__key_place ww__key_place_of(const ww_type *type, bool descending, unsigned shift);

/* The narrowest type of keys that has so many bits; NULL: there is none. */
const ww_type *ww__key_type(unsigned bits);

/* The key with one more column in it. `place` must live as long as what is returned is read. */
ww_input ww__key_with(const ww_type *key_type, const ww__key_place *place, ww_input key, ww_input column);
/* A column's numbers, of the unsigned type that ww__key_numbers says, as they were before. */
ww_input ww__key_column(const ww_type *key_type, const ww_type *type, const ww__key_place *place, ww_input key);

/* The unsigned type as large as a column's. */
const ww_type *ww__key_numbers(const ww_type *type);

#endif
