/* Outputs that are computed (warpwise/output.h), taken apart: what a call gives goes through a function, or to several arrays.
 *
 *     ww__into into;
 *     ww__into_of(&out, &into);                               before the call is entered
 *     WW_CALL(…, WW__USES_INTO(into), WW__WRITES_INTO(into));
 *     WW_TRY(ww__check_into(device, &into, in)); */
#ifndef WW__INTO_H
#define WW__INTO_H

#include "device/device.h"
#include "warpwise/output.h"

typedef struct ww__into {
    const ww_type *type; /* of what the call gives */
    size_t size;
    uint64_t count;
    const ww_function *function; /* or NULL */
    const ww_type *row;          /* what is written, or taken apart: the function's result, or what the call gives */
    size_t row_size;
    bool zipped, permuted, counted;
    ww_input index; /* where permuted; else no input. `counted`: it has a count on the device */
    uint64_t room;  /* elements of each array: as many as the call gives, where it is not permuted */
    uint32_t many;  /* 0: there are not 1 to WW_ZIP_MOST arrays, or they are no plain ones */
    ww_array array[WW_ZIP_MOST];
    size_t at[WW_ZIP_MOST]; /* the member's place; ww__check_into finds it */
} ww__into;

void ww__into_of(const ww_array *out, ww__into *into);

/* What they read, and the arrays, for WW_CALL: elements at indices are some of an array's. */
#define WW__USES_INTO(o) WW_USES(&(o).function), WW_READS(&(o).index)
#define WW__WRITES_ONE_INTO(o, k, use, count) \
    { (o).permuted ? WW__WRITES_SOME : (use), NULL, &(o).array[k], (count), NULL, #o }
#define WW__WRITES_ALL_INTO(o, use, count) \
    WW__WRITES_ONE_INTO(o, 0, use, count), WW__WRITES_ONE_INTO(o, 1, use, count), \
        WW__WRITES_ONE_INTO(o, 2, use, count), WW__WRITES_ONE_INTO(o, 3, use, count), \
        WW__WRITES_ONE_INTO(o, 4, use, count), WW__WRITES_ONE_INTO(o, 5, use, count), \
        WW__WRITES_ONE_INTO(o, 6, use, count), WW__WRITES_ONE_INTO(o, 7, use, count)
#define WW__WRITES_INTO(o) WW__WRITES_ALL_INTO(o, WW__WRITES, NULL)

/* Whether it is one at all. */
ww_status ww__check_into_form(ww_device *device, const char *name, const ww__into *into);
/* All of it, of a call that gives elements of the type and count of a checked input, and reads that. */
ww_status ww__check_into(ww_device *device, ww__into *into, const ww_input *in);
/* What needs no input: the function, the arrays, which are as many and as long as each other, and the members that they are. */
ww_status ww__check_into_arrays(ww_device *device, const char *name, ww__into *into);
/* Arrays and another thing that is read or written. */
ww_status ww__check_into_apart(ww_device *device, const char *name, const ww_input *in, const ww__into *into);

/* What they read and what is written besides. */
ww_status ww__check_into_reads_apart(ww_device *device, const ww__into *into, const char *name, const ww_array *array);

/* Writes elements first … first + n - 1, which stand at `x`, on a CPU. `buffer`: ww__into_room(into, n) bytes, 64-byte aligned. */
size_t ww__into_room(const ww__into *into, size_t n);
void ww__into_put(const ww_device *device, const ww__into *into, uint64_t first, const void *x, size_t n, void *buffer);

#endif
