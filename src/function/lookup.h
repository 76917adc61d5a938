/* Elements of an array at indices, a tile of these at a time, on a CPU. */
#ifndef WW__LOOKUP_H
#define WW__LOOKUP_H

#include "device/device.h"

typedef struct ww__lookup {
    const void *array;
    uint64_t limit; /* indices are to be below it */
    size_t size;    /* an element's */
    bool wide;      /* indices are u64, or else u32 */
} ww__lookup;

/* out[i] = array[index[i]] for n elements, by the vector unit's gathers. False where this machine is not known to be fast at them or they
 * do not fit the elements, and where an index is outside: some of what is inside has then been written. */
bool ww__look_up_words(const ww_device *device, const ww__lookup *lookup, void *out, const void *index, size_t n);

/* The greatest of n indices, at least one, and a bound of the least. */
typedef struct ww__span {
    uint64_t least, most;
} ww__span;
ww__span ww__span_of(const ww_device *device, const void *index, bool wide, size_t n);

/* Whether so many bytes lie in the caches near a core: elements of more are asked for ahead of time. */
static inline bool ww__is_far(const ww__span *span, size_t size) {
    enum { NEAR_BYTES = 1 << 20 };
    return span->most - span->least >= NEAR_BYTES / size;
}

#endif
