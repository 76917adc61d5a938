/* What an array is and where it lies: checks that need to know nothing of functions, and single results. */
#ifndef WW__ARRAY_H
#define WW__ARRAY_H

#include "device/device.h"
#include "warpwise/input.h"

bool ww__is_none(const ww_array *array);
/* Whether it is an output that is computed (warpwise/output.h). */
bool ww__is_computed(const ww_array *array);
/* A WW_STRUCT in a header has a descriptor in every source file that includes it. */
bool ww__same_name(const ww_type *a, const ww_type *b);
static inline bool ww__same_type(const ww_type *a, size_t size_a, const ww_type *b, size_t size_b) {
    return a && b && size_a == size_b && (a == b || ww__same_name(a, b));
}

/* Whether there is nothing to be said against elements in memory. Checks ask it first, and where it is false find the sentence:
 * calls of few elements take as long over their checks as over their work. */
static inline bool ww__elements_fit(const void *data, uint64_t count, const ww_type *type, size_t size) {
    size_t bytes;
    return type && size && size == type->size && (data || !count) && !__builtin_mul_overflow(count, size, &bytes) &&
           bytes <= PTRDIFF_MAX && !((uintptr_t)data & (type->alignment ? type->alignment - 1 : 0));
}

/* Elements in memory: type known, size > 0, data unless there are none, aligned, bytes that fit in memory. */
ww_status ww__check_elements(ww_device *device, const char *name, const void *data, uint64_t count, const ww_type *type,
                             size_t size);
/* What has a count on the device is refused, but inside of a call that has left it open (device/call.h). */
ww_status ww__check_count_at(ww_device *device, const char *name, const uint64_t *count_at);
/* An array that must be there: such elements. On a GPU its memory must be reachable for kernels, but for a single element: results
 * may go to the host. */
ww_status ww__check_array(ww_device *device, const char *name, const ww_array *array);
/* The same for memory that copies go to or come from: it may be the host's. */
ww_status ww__check_any_array(ww_device *device, const char *name, const ww_array *array);
/* An input that must be memory, of any place as that of ww__check_any_array: `array` is it, and is only read. */
ww_status ww__check_memory(ww_device *device, const char *name, const ww_input *input, ww_array *array);
/* What is wrong with an input of which making it said so (input->problem). */
ww_status ww__input_problem(ww_device *device, const char *name, const ww_input *input);
/* An index that a ww_permuted read, of as many elements as `limit` says. */
ww_status ww__say_permuted(ww_device *device, bool into, uint64_t position, uint64_t index, bool is_signed,
                           uint64_t limit);
/* The size that an array or an input gives beside its type: the type's own, and any but 0 for records. */
ww_status ww__check_size(ww_device *device, const char *name, const ww_type *type, size_t size);
/* Two things have one type. */
ww_status ww__check_same_type(ww_device *device, const char *name_a, const ww_type *a, size_t size_a,
                              const char *name_b, const ww_type *b, size_t size_b);

/* A single value that must be there, of a type. Larger ones lie in memory that the host reads. */
ww_status ww__check_value(ww_device *device, const char *name, const ww_value *value, const ww_type *type, size_t size);
static inline const void *ww__value_at(const ww_value *value) {
    return value->size <= sizeof value->bytes ? value->bytes : value->data;
}

/* Whether two pieces of memory share a byte. */
static inline bool ww__overlap(const void *a, size_t bytes_a, const void *b, size_t bytes_b) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return bytes_a && bytes_b && x < y + bytes_b && y < x + bytes_a;
}
ww_status ww__check_outputs_apart(ww_device *device, const char *name_a, const ww_array *a, const char *name_b,
                                  const ww_array *b);

/* One element that is a result, from the host's memory to wherever it is wanted. */
ww_status ww__put_one(ww_device *device, void *to, const void *value, size_t bytes);
/* One u32 or u64 that is a result (already checked), wherever it lies. */
ww_status ww__put_count(ww_device *device, const ww_array *array, uint64_t value);

#endif
