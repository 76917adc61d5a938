/* ww_quantiles: all elements are sorted in scratch memory; then each quantile is one element, or what lies between two. Which ones
 * the host says, so that nothing waits for the data. */
#include <math.h>

#include "device/call.h"
#include "function/check.h"
#include "function/function.h"
#include "function/types.h"
#include "primitive/map/map.h"
#include "sort/sort.h"

typedef unsigned long long ull;

/* Element `at` of what is sorted, and how far towards the next one: 0 to 1, which is 0 where there is none. */
WW_STRUCT(quantile_place, {
    uint64_t at;
    double part;
});

/* As NumPy does, from the nearer end, so that parts of equal elements give these. */
WW_FUNCTION(between, double, (double a, double b, double part), {
    const double step = b - a;
    return part < 0.5 ? a + step * part : b - step * (1 - part);
});

#define EXACT(T, label) WW_MAP(exact_##label, T, quantile_place, p, T, x, { return x[p.at]; });
#define LINEAR(T, label) \
    WW_MAP_USES((between), linear_##label, double, quantile_place, p, T, x, \
                { return p.part > 0 ? between((double)x[p.at], (double)x[p.at + 1], p.part) : (double)x[p.at]; });
#define HALF(T, label) \
    EXACT(T, label) \
    WW_MAP_USES((between), linear_##label, double, quantile_place, p, T, x, { \
        const double at = ww_float_of_##label(x[p.at]); \
        return p.part > 0 ? between(at, (double)ww_float_of_##label(x[p.at + 1]), p.part) : at; \
    });
#define BOTH(T, label) EXACT(T, label) LINEAR(T, label)
WW__EACH_UNSIGNED(BOTH)
WW__EACH_SIGNED(BOTH)
WW__EACH_FLOAT(BOTH)
WW__EACH_HALF(HALF)

#define ROW(name) \
    { \
        [WW__U8] = &name##_u8_ww, [WW__U16] = &name##_u16_ww, [WW__U32] = &name##_u32_ww, [WW__U64] = &name##_u64_ww, \
        [WW__I8] = &name##_i8_ww, [WW__I16] = &name##_i16_ww, [WW__I32] = &name##_i32_ww, [WW__I64] = &name##_i64_ww, \
        [WW__F32] = &name##_f32_ww, [WW__F64] = &name##_f64_ww, [WW__F16] = &name##_f16_ww, \
        [WW__BF16] = &name##_bf16_ww \
    }
static const ww_function *const exact[WW__NUMBERS] = ROW(exact), *const linear[WW__NUMBERS] = ROW(linear);

static bool lies_between(ww_quantile_method method) {
    return method == WW_QUANTILE_LINEAR || method == WW_QUANTILE_MIDPOINT;
}

static quantile_place place_of(double quantile, ww_quantile_method method, uint64_t n) {
    const double h = quantile * (double)(n - 1), low = floor(h);
    quantile_place p = {(uint64_t)low, h - low};
    if (p.at >= n - 1) return (quantile_place){n - 1, 0}; /* also where n - 1 is no double */
    switch (method) {
    case WW_QUANTILE_LINEAR:
        return p;
    case WW_QUANTILE_MIDPOINT:
        p.part = p.part > 0 ? 0.5 : 0;
        return p;
    case WW_QUANTILE_LOWER:
        break;
    case WW_QUANTILE_HIGHER:
        p.at += p.part > 0;
        break;
    case WW_QUANTILE_NEAREST:
        p.at += p.part > 0.5 || (p.part >= 0.5 && p.at % 2);
        break;
    }
    p.part = 0;
    return p;
}

/* The places, in memory that the device reads. */
static ww_status put_places(ww_device *device, const double *quantiles, ww_quantile_method method, uint64_t n,
                            uint64_t many, quantile_place **places) {
    quantile_place *here;
    WW_TRY(ww__scratch_array(device, many, sizeof **places, places));
    here = *places;
    if (device->gpu) WW_TRY(ww__host_scratch(device, (size_t)many * sizeof *here, &here));
    if (!device->on_paper)
        for (uint64_t i = 0; i < many; i++) here[i] = place_of(quantiles[i], method, n);
    return here == *places ? WW_OK : ww__put_one(device, *places, here, (size_t)many * sizeof *here);
}

static ww_status quantiles(ww_device *device, const double *q, uint64_t many, ww_quantile_method method,
                           const ww_input *in, const ww_array *out) {
    WW_TRY(ww__check_input(device, "in", in));
    const int number = ww__number_index(in->type);
    WW_CHECK(device, number >= 0 && exact[number], WW_TYPE,
             "in has elements of type %s, which are not numbers of up to 64 bits", in->type->label);
    WW_CHECK(device, in->count, WW_INVALID, "in is empty");
    WW_CHECK(device, method <= WW_QUANTILE_MIDPOINT, WW_INVALID, "there is no quantile method %d", (int)method);
    WW_TRY(ww__check_array(device, "out", out));
    const ww_type *type = lies_between(method) ? &ww_type_double : in->type;
    WW_TRY(ww__check_same_type(device, "a quantile", type, type->size, "out", out->type, out->size));
    WW_CHECK(device, q || !many, WW_INVALID, "quantiles is NULL");
    WW_CHECK(device, out->count == many, WW_INVALID, "there are %llu quantiles, and out has %llu elements", (ull)many,
             (ull)out->count);
    for (uint64_t i = 0; i < many; i++)
        WW_CHECK(device, q[i] >= 0 && q[i] <= 1, WW_INVALID, "quantiles[%llu] is %g, and has to be from 0 to 1", (ull)i,
                 q[i]);
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    if (!many) return WW_OK;

    quantile_place *places;
    ww_array sorted = {.count = in->count, .type = in->type, .size = in->size};
    WW_TRY(put_places(device, q, method, in->count, many, &places));
    WW_TRY(ww__scratch_array(device, in->count, in->size, &sorted.data));
    const ww__sorting s = {.keys = *in, .keys_out = sorted, .bit_count = (unsigned)(8 * in->size), .by_value = true};
    WW_TRY(ww__sort(device, &s));
    const ww_function f = ww_bound(lies_between(method) ? linear[number] : exact[number], sorted.data, in->count,
                                   in->type);
    const ww_input found = ww_mapped(&f, ww_memory_of(places, many, &quantile_place_ww));
    return ww__map(device, &(ww__map_request){&found, out, NULL});
}

ww_status ww_quantiles(ww_device *device, const double *q, uint64_t many, ww_quantile_method method, ww_input in,
                       ww_array out) {
    WW_CALL(device, "ww_quantiles", quantiles(device, q, many, method, &in, &out), WW_READS(&in), WW_WRITES(&out));
}
