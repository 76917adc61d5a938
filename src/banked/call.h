/* A public call of this room under way: what it was given and what it runs; and the checks that come first. */
#ifndef WW__BANKED_CALL_H
#define WW__BANKED_CALL_H

#include "growth.h"
#include "order.h"

/* A way of sorting by the name of its method, and what it asks for. */
typedef struct ww__banked_way {
    ww_banked_method method;
    ww__how how;
    const char *wants;
} ww__banked_way;
/* AUTO's for methods that do not sort matrices. */
const ww__banked_way *ww__banked_way_of(ww_banked_method method);
/* The method by the way that a plan has. */
ww_banked_method ww__banked_method_of(ww__how how);

/* A public call under way. */
typedef struct ww__banked_call {
    ww_device *device;
    ww__problem problem;
    uint32_t banks;
    uint64_t count, columns; /* items; of the matrix, with padding */
    ww_banked_options options;
    ww_banked_method method; /* that runs */
    ww__run run;
} ww__banked_call;

/* What calls with numbers check first: options, the array, its machine. c has device and problem. */
ww_status ww__banked_begin(ww__banked_call *c, const char *name, const ww_array *numbers, uint64_t banks, bool multiple,
                           const ww_banked_options *options);
/* That there is such a machine, and how many columns it has for c->count items. */
ww_status ww__banked_check_banks(ww__banked_call *c, const char *name, uint64_t banks, bool multiple);
ww_status ww__banked_check_device(ww_device *device);
ww_status ww__banked_check_values(const ww__banked_call *c, const char *name, const ww_array *numbers,
                                  const ww_array *values);
/* Each label as often as a row has columns; each place once. */
ww_status ww__banked_check_labels(const ww__banked_call *c, const ww_array *labels);
ww_status ww__banked_check_places(const ww__banked_call *c, const ww_array *index);

static inline uint64_t ww__number(const ww_array *array, uint64_t k) {
    return array->size == 8 ? ((const uint64_t *)array->data)[k] : ((const uint32_t *)array->data)[k];
}
static inline void ww__set_number(const ww_array *array, uint64_t k, uint64_t value) {
    if (array->size == 8)
        ((uint64_t *)array->data)[k] = value;
    else
        ((uint32_t *)array->data)[k] = (uint32_t)value;
}

#endif
