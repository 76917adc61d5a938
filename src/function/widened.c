/* Sums of integers that are computed, cast to wider ones, mapped or apart: of a tile in one loop, where elements that are stored first take two.
 * Sums are of 64 bits, and wrap; a narrower type's is what they have below. So it does not matter in which order they are added. */
#include "function/built_in.h"
#include "function/columns.h"
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

typedef uint64_t widened_sum(const void *x, size_t n);
#define LOOPS(width, unused) \
    SUM(width, uint8_t, uint16_t, 128, 256) \
    SUM(width, uint16_t, uint32_t, 64, 65536) \
    SUM(width, uint32_t, uint64_t, 32, 65536) \
    SUM(width, int8_t, int16_t, 128, 256) \
    SUM(width, int16_t, int32_t, 64, 65536) \
    SUM(width, int32_t, int64_t, 32, 65536) \
    static widened_sum *const ww__loops_widened_##width[WW__NUMBERS] = { \
        [WW__U8] = sum_uint8_t_##width, [WW__U16] = sum_uint16_t_##width, [WW__U32] = sum_uint32_t_##width, \
        [WW__I8] = sum_int8_t_##width,  [WW__I16] = sum_int16_t_##width,  [WW__I32] = sum_int32_t_##width};
WW__EACH_WIDTH(LOOPS, 0)

typedef widened_sum *const table[WW__NUMBERS];
static table *const by_width[WW_VECTORS] = WW__TABLES(widened);

/* Elements that are APART apart, forwards: vectors add up what lies between, too, in lanes that are left out of the sum. What lies behind the
 * last element is not read. */
#define APART_BY(width, T, APART) \
    WW__LOOP(width) uint64_t apart_##T##_##APART##_##width(const void *in, size_t n) { \
        enum { STEP = 64 / sizeof(T), LANES = APART * STEP }; \
        const T *WW__R x = in; \
        T lane[LANES] = {0}; \
        uint64_t sum = 0; \
        size_t i = 0; \
        for (; n - i > STEP; i += STEP) { \
            for (size_t line = 0; line < APART; line++) \
                __builtin_prefetch((const char *)(x + i * APART) + WW__AHEAD + 64 * line); \
            for (size_t l = 0; l < LANES; l++) lane[l] = (T)(lane[l] + x[i * APART + l]); \
        } \
        for (size_t l = 0; l < LANES; l += APART) sum += lane[l]; \
        for (; i < n; i++) sum += x[i * APART]; \
        return sum; \
    }
#define APART_LOOPS(width, unused) \
    APART_BY(width, uint32_t, 1) \
    APART_BY(width, uint32_t, 2) \
    APART_BY(width, uint32_t, 3) \
    APART_BY(width, uint32_t, 4) \
    APART_BY(width, uint64_t, 1) \
    APART_BY(width, uint64_t, 2) \
    APART_BY(width, uint64_t, 3) \
    static widened_sum *const ww__loops_apart_##width[2][5] = { \
        {NULL, apart_uint32_t_1_##width, apart_uint32_t_2_##width, apart_uint32_t_3_##width, \
         apart_uint32_t_4_##width}, \
        {NULL, apart_uint64_t_1_##width, apart_uint64_t_2_##width, apart_uint64_t_3_##width, NULL}};
WW__EACH_WIDTH(APART_LOOPS, 0)
static widened_sum *const (*const apart_by_width[WW_VECTORS])[2][5] = WW__TABLES(apart);

/* Further apart, or of other sizes: one after another. */
#define SUM_FAR(T) \
    case sizeof(T): { \
        const T *x = at; \
        uint64_t sums[4] = {0}; \
        size_t i = 0; \
        for (; i + 4 <= n; i += 4, x += 4 * apart) { \
            __builtin_prefetch((const void *)((uintptr_t)x + 32 * sizeof(T) * (uintptr_t)apart)); \
            for (ptrdiff_t k = 0; k < 4; k++) sums[k] += (uint64_t)x[k * apart]; \
        } \
        for (ptrdiff_t k = 0; i < n; i++, k++) sums[k] += (uint64_t)x[k * apart]; \
        return sums[0] + sums[1] + sums[2] + sums[3]; \
    }

static uint64_t sum_far(const void *at, size_t size, ptrdiff_t apart, size_t n) {
    switch (size) {
        SUM_FAR(uint8_t)
        SUM_FAR(uint16_t)
        SUM_FAR(uint32_t)
        SUM_FAR(uint64_t)
    }
    return 0;
}

static const void *from(const ww__summing *s, uint32_t k, uint64_t first) { return s->array[k] + first * s->size[k]; }

static uint64_t sum_widened(const ww__summing *s, uint64_t first, size_t n) { return s->widened(from(s, 0, first), n); }

/* Backwards it is what stands before the last element. */
static uint64_t sum_apart(const ww__summing *s, uint64_t first, size_t n) {
    const uint64_t apart = s->apart < 0 ? 0 - (uint64_t)s->apart : (uint64_t)s->apart;
    const uintptr_t lowest = s->apart < 0 ? 0 - (first + n - 1) : first;
    const uintptr_t place = (uintptr_t)s->array[0] + lowest * apart * s->size[0];
    const void *const at = (const void *)place; /* NOLINT(performance-no-int-to-ptr) */
    return s->widened ? s->widened(at, n) : sum_far(at, s->size[0], (ptrdiff_t)apart, n);
}

static uint64_t sum_mapped(const ww__summing *s, uint64_t first, size_t n) {
    return s->map->sum(from(s, 0, first), s->arrays > 1 ? from(s, 1, first) : NULL, s->environment, n);
}

static uint64_t sum_zipped(const ww__summing *s, uint64_t first, size_t n) {
    const void *members[4];
    for (uint32_t k = 0; k < s->arrays; k++) members[k] = from(s, k, first);
    return s->map->zipped_sum(members, s->size[0], s->environment, n);
}

static bool is_integer(const ww_type *type) {
    return (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED) && type->size <= 8;
}

static bool is_wider(const ww_device *device, const ww_input *in, ww__summing *s) {
    const ww_type *const narrow = in->step[0].type;
    if (s->arrays != 1 || in->kind[1] != WW_STEP_CAST || !is_integer(narrow) || narrow->size >= in->type->size)
        return false;
    s->widened = (*by_width[device->vector])[ww__number_index(narrow)];
    s->sum = sum_widened;
    return true;
}

static bool is_apart(const ww_device *device, const ww_input *in, ww__summing *s) {
    const ww_step *const step = &in->step[0];
    if (in->kind[0] != WW_STEP_STRIDED) return false;
    s->array[0] = step->data;
    s->size[0] = step->type->size;
    s->apart = (int64_t)step->number;
    const uint64_t near = s->apart < 0 ? 0 - step->number : step->number;
    s->widened = near <= 4 && s->size[0] >= 4 ? (*apart_by_width[device->vector])[s->size[0] == 8][near] : NULL;
    s->sum = sum_apart;
    return true;
}

static bool is_map(const ww_device *device, const ww_input *in, ww__summing *s) {
    const uint32_t last = in->steps - 1u;
    if (in->kind[last] != WW_STEP_MAP && in->kind[last] != WW_STEP_MAP2) return false;
    s->map = ww__loops(device, in->step[last].function);
    s->environment = in->step[last].data;
    if (last == s->arrays) { /* nothing between the arrays and the map */
        if (s->arrays != (in->kind[last] == WW_STEP_MAP2 ? 2 : 1)) return false;
        s->sum = sum_mapped;
        return s->map->sum;
    }
    s->sum = sum_zipped;
    return last == s->arrays + 1 && in->kind[last - 1] == WW_STEP_ZIP && s->map->zipped_sum &&
           ww__columns_are_even(s->size, s->arrays, ww__step_size(in, last - 1));
}

bool ww__summing_of(const ww_device *device, const ww_function *op, const ww_input *in, ww__summing *s) {
    if (!is_integer(in->type) || op != ww__adds[ww__number_index(in->type)]) return false;
    if (in->steps < 2) return is_apart(device, in, s);
    for (s->arrays = 0; s->arrays < 4 && in->kind[s->arrays] == WW_STEP_MEMORY; s->arrays++) {
        s->array[s->arrays] = in->step[s->arrays].data;
        s->size[s->arrays] = ww__step_size(in, s->arrays);
    }
    return in->steps == 2 && is_wider(device, in, s) ? true : is_map(device, in, s);
}
