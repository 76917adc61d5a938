/* Outputs that are computed (warpwise/output.h), taken apart: what a call gives goes through a function, or to several arrays.
 *
 *     ww__into into;
 *     ww__into_of(&out, &into);                               before the call is entered
 *     WW_CALL(…, WW_USES(&into.function), WW__WRITES_INTO(into));
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
    bool zipped;
    uint32_t many; /* 0: there are not 1 to WW_ZIP_MOST arrays, or they are no plain ones */
    ww_array array[WW_ZIP_MOST];
    size_t at[WW_ZIP_MOST]; /* the member's place; ww__check_into finds it */
} ww__into;

void ww__into_of(const ww_array *out, ww__into *into);

/* The arrays, for WW_CALL. */
#define WW__WRITES_INTO(o) \
    WW_WRITES(&(o).array[0]), WW_WRITES(&(o).array[1]), WW_WRITES(&(o).array[2]), WW_WRITES(&(o).array[3]), \
        WW_WRITES(&(o).array[4]), WW_WRITES(&(o).array[5]), WW_WRITES(&(o).array[6]), WW_WRITES(&(o).array[7])
/* … of which as many elements are written as `count` says: an array, or NULL. */
#define WW__WRITES_FIRST_INTO(o, count) \
    WW_WRITES_FIRST(&(o).array[0], count), WW_WRITES_FIRST(&(o).array[1], count), \
        WW_WRITES_FIRST(&(o).array[2], count), WW_WRITES_FIRST(&(o).array[3], count), \
        WW_WRITES_FIRST(&(o).array[4], count), WW_WRITES_FIRST(&(o).array[5], count), \
        WW_WRITES_FIRST(&(o).array[6], count), WW_WRITES_FIRST(&(o).array[7], count)

/* All of it, of a call that gives elements of the type and count of a checked input, and reads that. */
ww_status ww__check_into(ww_device *device, ww__into *into, const ww_input *in);
/* What needs no input: the function, the arrays, which are as many and as long as each other, and the members that they are. */
ww_status ww__check_into_arrays(ww_device *device, const char *name, ww__into *into);
/* Arrays and another thing that is read or written. */
ww_status ww__check_into_apart(ww_device *device, const char *name, const ww_input *in, const ww__into *into);

/* Writes elements first … first + n - 1, which stand at `x`, on a CPU. `buffer`: ww__into_room(into, n) bytes, 64-byte aligned. */
size_t ww__into_room(const ww__into *into, size_t n);
void ww__into_put(const ww_device *device, const ww__into *into, uint64_t first, const void *x, size_t n, void *buffer);

#endif
