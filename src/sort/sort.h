/* The inner interface of the sorts. */
#ifndef WW__SORT_H
#define WW__SORT_H

#include "device/device.h"
#include "warpwise/sort.h"

typedef struct ww__sorting {
    ww_input keys, values; /* values.steps is 0 where there are none */
    ww_array keys_out, values_out;
    unsigned bit_first, bit_count; /* the bits that keys are compared by, as unsigned numbers */
    bool by_value;                 /* all bits, with signs and floats in their own order */
    bool descending;
    ww_sort_method method;
    unsigned digit_bits;     /* of method multisplit */
    const ww_function *less; /* of the keys' type; NULL: by the bits */
    bool turned;             /* of merge sorts: by the reverse of `less` */
    bool built_in;           /* of merge sorts: `less` is one of the library's, which surely is an order */
    const ww_input *offsets; /* of segments that are sorted each for itself; NULL: all is sorted */
    bool first_only; /* outputs have room for the first of the sorted elements only, and share nothing with inputs */
} ww__sorting;

/* Keys must be numbers, and keys_out like them; both have been checked one by one. */
ww_status ww__sort_check_type(ww_device *device, const ww_type *type);
ww_status ww__sort_check_keys(ww_device *device, const ww__sorting *sorting);
/* Options (NULL: none), which go into the request. Its keys are there. */
ww_status ww__sort_take_options(ww_device *device, const ww_sort_options *options, ww_sort_options *taken);
ww_status ww__sort_check_options(ww_device *device, const ww_sort_options *options, ww__sorting *sorting);

/* All of these, of a whole request, which they complete. */
ww_status ww__sort_check(ww_device *device, ww__sorting *sorting, const ww_sort_options *options);

/* The method's name, for traces and sentences. */
const char *ww__sort_method_name(ww_sort_method method);

/* A checked request, inside a call that is under way, by its method, on the device's backend. */
ww_status ww__sort(ww_device *device, const ww__sorting *sorting);

#endif
