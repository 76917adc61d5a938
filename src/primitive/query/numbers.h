/* Loops over numbers in the order of ww_ascending or ww_descending, for every vector width. */
#ifndef WW__QUERY_NUMBERS_H
#define WW__QUERY_NUMBERS_H

#include "device/device.h"

typedef struct ww__number_loops {
    /* Improves ends[0], the least so far, and ends[1], the greatest, by n elements. */
    void (*ends)(void *ends, const void *x, size_t n);
    /* How many of n >= 1 elements are in order before the first that is not; `falls`: of the descending order. */
    size_t (*sorted)(const void *x, size_t n);
    size_t (*sorted_falling)(const void *x, size_t n);
    /* The first of n that is this one, bit by bit; n: none is. */
    size_t (*find)(const void *x, size_t n, const void *one);
} ww__number_loops;

/* Those of the device's width, and whether `less` is the descending order; NULL where `less` is none of the two orders. */
const ww__number_loops *ww__number_loops_of(const ww_device *device, const ww_function *less, const ww_type *type,
                                            size_t size, bool *falls);

#endif
