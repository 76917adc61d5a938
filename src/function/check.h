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
/* An input of u32, u64, i32 or i64 (index, offsets). */
ww_status ww__check_index(ww_device *device, const char *name, const ww_input *input);
/* Flags, of an integer type of up to 64 bits: those that are longer than a byte become, as they are read, bytes that are 0 or 1. */
ww_status ww__check_flags(ww_device *device, const char *name, ww_input *input, uint64_t count);

/* An index of i32 or i64 is read as a u32 or u64, so that one comparison finds a negative one, too: of u32 it is 2^31 or more. So
 * this is what indices of up to `count` elements are compared with. */
static inline uint64_t ww__index_limit(const ww_input *index, uint64_t count) {
    const uint64_t most = index->type == &ww_type_int32_t ? (uint64_t)1 << 31 : UINT64_MAX;
    return count < most ? count : most;
}
/* The largest offset that is good, likewise. */
static inline uint64_t ww__offset_most(const ww_input *offsets, uint64_t count) {
    const uint64_t most = offsets->type == &ww_type_int32_t ? INT32_MAX : UINT64_MAX;
    return count < most ? count : most;
}

/* A number of a type with this label for a sentence: of a signed type with its sign. */
typedef struct ww__number_text {
    char text[24];
} ww__number_text;
ww__number_text ww__number_said(const char *label, uint64_t number);
/* One result: an array of exactly one element. */
ww_status ww__check_one(ww_device *device, const char *name, const ww_array *array);

/* What an output may share with what is read. */
typedef enum ww__sharing { WW__APART, WW__SAME_ALLOWED } ww__sharing;
ww_status ww__check_apart(ww_device *device, const char *name_in, const ww_input *input, const char *name_out,
                          const ww_array *output, ww__sharing sharing);

/* Whether an input reads the memory of an output, which WW__SAME_ALLOWED lets through: the call works in place. */
bool ww__in_place(const ww_input *input, const ww_array *output);

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
