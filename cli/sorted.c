#include "sorted.h"

#include <inttypes.h>
#include <string.h>

#include "print.h"

/* The first element below the one before it; the count where there is none. */
#define FIRST_BELOW(type) \
    static uint64_t first_below_##type(const ww_array *array) { \
        const type *x = array->data; \
        for (uint64_t i = 1; i < array->count; i++) \
            if (x[i] < x[i - 1]) return i; \
        return array->count; \
    }
FIRST_BELOW(uint8_t)
FIRST_BELOW(uint16_t)
FIRST_BELOW(uint32_t)
FIRST_BELOW(uint64_t)
FIRST_BELOW(int8_t)
FIRST_BELOW(int16_t)
FIRST_BELOW(int32_t)
FIRST_BELOW(int64_t)
#if WW_HAS_U128
FIRST_BELOW(ww_u128)
FIRST_BELOW(ww_i128)
#endif

/* IEEE 754's total order is that of these integers: a negative float's other bits are turned over. */
#define FIRST_BELOW_FLOAT(type, integer) \
    static integer order_of_##type(const type *x) { \
        integer bits; \
        memcpy(&bits, x, sizeof bits); \
        return bits < 0 ? (integer)(bits ^ (integer)((uint64_t)-1 >> (65 - 8 * sizeof bits))) : bits; \
    } \
    static uint64_t first_below_##type(const ww_array *array) { \
        const type *x = array->data; \
        for (uint64_t i = 1; i < array->count; i++) \
            if (order_of_##type(x + i) < order_of_##type(x + i - 1)) return i; \
        return array->count; \
    }
FIRST_BELOW_FLOAT(float, int32_t)
FIRST_BELOW_FLOAT(double, int64_t)
FIRST_BELOW_FLOAT(ww_f16, int16_t)
FIRST_BELOW_FLOAT(ww_bf16, int16_t)

static const struct {
    const ww_type *type;
    uint64_t (*first_below)(const ww_array *array);
} orders[] = {{&ww_type_uint8_t, first_below_uint8_t},   {&ww_type_uint16_t, first_below_uint16_t},
              {&ww_type_uint32_t, first_below_uint32_t}, {&ww_type_uint64_t, first_below_uint64_t},
              {&ww_type_int8_t, first_below_int8_t},     {&ww_type_int16_t, first_below_int16_t},
              {&ww_type_int32_t, first_below_int32_t},   {&ww_type_int64_t, first_below_int64_t},
              {&ww_type_float, first_below_float},       {&ww_type_double, first_below_double},
              {&ww_type_ww_f16, first_below_ww_f16},     {&ww_type_ww_bf16, first_below_ww_bf16},
#if WW_HAS_U128
              {&ww_type_ww_u128, first_below_ww_u128},    {&ww_type_ww_i128, first_below_ww_i128}
#endif
};

int need_sorted(job *j, const char *path, const ww_array *array) {
    char label[24], below[VALUE_TEXT], before[VALUE_TEXT];
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        if (orders[i].type != array->type) continue;
        const uint64_t at = orders[i].first_below(array);
        if (at >= array->count) return DONE;
        const char *element = (const char *)array->data + at * array->size;
        return job_fail(j, "%s: is not sorted: element %" PRIu64 " (%s) is below the one before it (%s)", path, at,
                        value_text(array->type, element, below),
                        value_text(array->type, element - array->size, before));
    }
    return job_fail(j, "%s: holds %s, and records have no order", path, type_label(array, label));
}
