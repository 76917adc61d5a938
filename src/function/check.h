/* Checks of arguments that many public functions make, and the record of bad data that threads found. */
#ifndef WW__CHECK_H
#define WW__CHECK_H

#include "device/array.h"
#include "device/device.h"
#include "device/steps.h"
#include "warpwise/input.h"

/* An input that must be there: type known, size > 0, steps that fit together, memory as arrays have it. */
ww_status ww__check_input(ww_device *device, const char *name, const ww_input *input);
/* An array of u32 or u64 that can hold values up to `largest`. */
ww_status ww__check_counts(ww_device *device, const char *name, const ww_array *array, uint64_t largest);
/* An input of u32 or u64 (index, offsets); of u8 (flags). */
ww_status ww__check_index(ww_device *device, const char *name, const ww_input *input);
ww_status ww__check_flags(ww_device *device, const char *name, const ww_input *input, uint64_t count);
/* One result: an array of exactly one element. */
ww_status ww__check_one(ww_device *device, const char *name, const ww_array *array);

/* What an output may share with what is read. */
typedef enum ww__sharing { WW__APART, WW__SAME_ALLOWED } ww__sharing;
ww_status ww__check_apart(ww_device *device, const char *name_in, const ww_input *input, const char *name_out,
                          const ww_array *output, ww__sharing sharing);

/* The environment of a checked function, if it reads one, is not written. */
ww_status ww__check_environment_read_apart(ww_device *device, const ww_function *f, const char *name_out,
                                           const ww_array *output);
static inline ww_status ww__check_environment_apart(ww_device *device, const ww_function *f, const char *name_out,
                                                    const ww_array *output) {
    return ww__reads_environment(f) ? ww__check_environment_read_apart(device, f, name_out, output) : WW_OK;
}

/* Values that are moved with checked keys: one for each, and an output as long as the keys' one. It may share memory with the
 * values as `sharing` says, and with nothing else. */
ww_status ww__check_values(ww_device *device, const ww_input *keys, const ww_input *values, const ww_array *keys_out,
                           const ww_array *values_out, ww__sharing sharing);
/* The same of values and an output that have been checked one by one. */
ww_status ww__check_values_fit(ww_device *device, const ww_input *keys, const ww_input *values,
                               const ww_array *keys_out, const ww_array *values_out, ww__sharing sharing);

/* The lowest position at which a thread found bad data; UINT64_MAX while there is none. */
typedef struct ww__fault {
    uint64_t position;
} ww__fault;
static inline void ww__fault_clear(ww__fault *fault) { fault->position = UINT64_MAX; }
static inline void ww__fault_at(ww__fault *fault, uint64_t position) {
    uint64_t lowest = __atomic_load_n(&fault->position, __ATOMIC_RELAXED);
    while (position < lowest && !__atomic_compare_exchange_n(&fault->position, &lowest, position, true,
                                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

#endif
