/* Sums of integers that are cast to wider ones: of a tile in one loop, where a cast that is stored first takes two. Sums are of 64 bits,
 * and wrap; a narrower type's is what they have below. */
#include "function/built_in.h"
#include "function/function.h"
#include "warpwise/function_widths.h"

/* LANES sums side by side, of a type W that holds ROWS elements each. */
#define SUM(width, T, W, LANES, ROWS) \
    WW__LOOP(width) uint64_t sum_##T##_##width(const void *in, size_t n) { \
        const T *WW__R x = in; \
        uint64_t sum = 0; \
        size_t i = 0; \
        while (n - i >= LANES) { \
            W lane[LANES] = {0}; \
            for (size_t row = 0; row < ROWS && n - i >= LANES; row++, i += LANES) { \
                WW__FETCH(x + i); \
                for (size_t l = 0; l < LANES; l++) lane[l] = (W)(lane[l] + x[i + l]); \
            } \
            for (size_t l = 0; l < LANES; l++) sum += (uint64_t)lane[l]; \
        } \
        for (; i < n; i++) sum += (uint64_t)x[i]; \
        return sum; \
    }

#define LOOPS(width, unused) \
    SUM(width, uint8_t, uint16_t, 128, 256) \
    SUM(width, uint16_t, uint32_t, 64, 65536) \
    SUM(width, uint32_t, uint64_t, 32, 65536) \
    SUM(width, int8_t, int16_t, 128, 256) \
    SUM(width, int16_t, int32_t, 64, 65536) \
    SUM(width, int32_t, int64_t, 32, 65536) \
    static ww__widened_sum *const ww__loops_widened_##width[WW__NUMBERS] = { \
        [WW__U8] = sum_uint8_t_##width, [WW__U16] = sum_uint16_t_##width, [WW__U32] = sum_uint32_t_##width, \
        [WW__I8] = sum_int8_t_##width,  [WW__I16] = sum_int16_t_##width,  [WW__I32] = sum_int32_t_##width};
WW__EACH_WIDTH(LOOPS, 0)

typedef ww__widened_sum *const table[WW__NUMBERS];
static table *const by_width[WW_VECTORS] = WW__TABLES(widened);

static bool is_integer(const ww_type *type) {
    return (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED) && type->size <= 8;
}

ww__widened_sum *ww__widened_sum_of(const ww_device *device, const ww_function *op, const ww_input *in,
                                    const void **memory, size_t *size) {
    if (in->steps != 2 || in->kind[0] != WW_STEP_MEMORY || in->kind[1] != WW_STEP_CAST || !is_integer(in->type))
        return NULL;
    const ww_type *const from = in->step[0].type;
    const int number = ww__number_index(in->type);
    if (!is_integer(from) || from->size >= in->type->size || op != ww__adds[number]) return NULL;
    *memory = in->step[0].data;
    *size = from->size;
    return (*by_width[device->vector])[ww__number_index(from)];
}
