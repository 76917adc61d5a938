/* Checks of arguments that many public functions make, and the record of bad data that threads found. */
#ifndef WW__CHECK_H
#define WW__CHECK_H

#include "device/device.h"
#include "warpwise/input.h"

/* An array that must be there: type known, size > 0, data unless empty, bytes that fit in memory. On a GPU its memory must
 * be reachable for kernels, but for a single element: results may go to the host. */
ww_status ww__check_array(ww_device *device, const char *name, const ww_array *array);
/* The same for memory that copies go to or come from: it may be the host's. */
ww_status ww__check_any_array(ww_device *device, const char *name, const ww_array *array);
/* The size that an array or an input gives beside its type: the type's own, and any but 0 for records. */
ww_status ww__check_size(ww_device *device, const char *name, const ww_type *type, size_t size);
/* The same for an input, whose steps must fit together. */
ww_status ww__check_input(ww_device *device, const char *name, const ww_input *input);
/* An input that must be memory, of any place as that of ww__check_any_array: `array` is it, and is only read. */
ww_status ww__check_memory(ww_device *device, const char *name, const ww_input *input, ww_array *array);
/* An array of u32 or u64 that can hold values up to `largest`. */
ww_status ww__check_counts(ww_device *device, const char *name, const ww_array *array, uint64_t largest);
/* An input of u32 or u64 (index, offsets); of u8 (flags). */
ww_status ww__check_index(ww_device *device, const char *name, const ww_input *input);
ww_status ww__check_flags(ww_device *device, const char *name, const ww_input *input, uint64_t count);
/* One result: an array of exactly one element. */
ww_status ww__check_one(ww_device *device, const char *name, const ww_array *array);
/* A single value that must be there, of a type. Larger ones lie in memory that the host reads. */
ww_status ww__check_value(ww_device *device, const char *name, const ww_value *value, const ww_type *type, size_t size);
static inline const void *ww__value_at(const ww_value *value) {
    return value->size <= sizeof value->bytes ? value->bytes : value->data;
}
/* Two things have one type. */
ww_status ww__check_same_type(ww_device *device, const char *name_a, const ww_type *a, size_t size_a,
                              const char *name_b, const ww_type *b, size_t size_b);

/* What an output may share with what is read. */
typedef enum ww__sharing { WW__APART, WW__SAME_ALLOWED } ww__sharing;
ww_status ww__check_apart(ww_device *device, const char *name_in, const ww_input *input, const char *name_out,
                          const ww_array *output, ww__sharing sharing);
/* The environment of a checked function is not written. */
ww_status ww__check_environment_apart(ww_device *device, const ww_function *f, const char *name_out,
                                      const ww_array *output);
ww_status ww__check_outputs_apart(ww_device *device, const char *name_a, const ww_array *a, const char *name_b,
                                  const ww_array *b);

/* Values that travel with checked keys: one for each, and an output as long as the keys' one. It may share memory with the
 * values as `sharing` says, and with nothing else. */
ww_status ww__check_values(ww_device *device, const ww_input *keys, const ww_input *values, const ww_array *keys_out,
                           const ww_array *values_out, ww__sharing sharing);
/* The same of values and an output that have been checked one by one. */
ww_status ww__check_values_fit(ww_device *device, const ww_input *keys, const ww_input *values,
                               const ww_array *keys_out, const ww_array *values_out, ww__sharing sharing);

bool ww__is_none(const ww_array *array);
bool ww__same_type(const ww_type *a, size_t size_a, const ww_type *b, size_t size_b);

/* One element that is a result, from the host's memory to wherever it is wanted. */
ww_status ww__put_one(ww_device *device, void *to, const void *value, size_t bytes);
/* One u32 or u64 that is a result (already checked), wherever it lies. */
ww_status ww__put_count(ww_device *device, const ww_array *array, uint64_t value);

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
