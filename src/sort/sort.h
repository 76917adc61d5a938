/* The inner interface of the sorts. */
#ifndef WW__SORT_H
#define WW__SORT_H

#include "device/device.h"
#include "warpwise/sort.h"

/* Keys with their order, what goes with them, and where all of it goes: of every way of sorting. */
typedef struct ww__sorting {
    ww_input keys, values; /* values.steps is 0 where there are none */
    ww_array keys_out, values_out;
    unsigned bit_first, bit_count; /* the bits that keys are compared by, as unsigned numbers */
    bool by_value;                 /* all bits, with signs and floats in their own order */
    bool descending;
    const ww_function *less; /* of the keys' type; NULL: by the bits */
} ww__sorting;

/* What a public function was asked for: its options choose the method. */
typedef struct ww__sort_request {
    ww__sorting of;
    ww_sort_method method;
    unsigned digit_bits; /* of method multisplit */
} ww__sort_request;

/* How many of the sorted elements the outputs have room for: all, and each may be its input; or the first ones, and they share no
 * memory with inputs. */
typedef enum ww__sorted { WW__ALL_SORTED, WW__FIRST_SORTED } ww__sorted;

/* Keys must be numbers, and keys_out like them; both have been checked one by one. */
ww_status ww__sort_check_type(ww_device *device, const ww_type *type);
ww_status ww__sort_check_keys(ww_device *device, const ww__sorting *sorting, ww__sorted sorted);
/* Options (NULL: none), which go into the request. Its keys are there. */
ww_status ww__sort_take_options(ww_device *device, const ww_sort_options *options, ww_sort_options *taken);
ww_status ww__sort_check_options(ww_device *device, const ww_sort_options *options, ww__sort_request *request);

/* All of these, of a whole request, which they complete. */
ww_status ww__sort_check(ww_device *device, ww__sort_request *request, ww__sorted sorted,
                         const ww_sort_options *options);

/* The method's name, for traces and sentences. */
const char *ww__sort_method_name(ww_sort_method method);

/* Checked requests, inside a call that is under way, on the device's backend: a stable sort by the keys' bits, and one by the method
 * that was asked for. */
ww_status ww__sort(ww_device *device, const ww__sorting *sorting);
ww_status ww__sort_by_method(ww_device *device, const ww__sort_request *request);

/* ww_sort_large_over through the host's memory, chunk by chunk (large/over.c). These are no parts of a call that is under way: they
 * make calls. What is checked is all but what each device other than the first says of itself. */
ww_status ww__sort_over_check(ww_device *const *devices, uint32_t many, const ww__sorting *sorting,
                              const ww_sort_options *options);
ww_status ww__sort_over(ww_device *const *devices, uint32_t many, const ww__sorting *sorting,
                        const ww_sort_options *options);

/* The first device's ww_error has what the k-th says; the first one's own is there already. Returns the failure. */
ww_status ww__sort_over_said(ww_device *const *devices, uint32_t k, ww_status failure, const char *said);

#endif
