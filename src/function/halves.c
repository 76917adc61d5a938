/* What many f16 or bf16 are folded in: floats. Each result that is stored is rounded, once. */
#include "function/built_in.h"
#include "function/computed.h"

WW_MAP(rounded_to_f16, ww_f16, float, x, void, none, { return ww_f16_of_float(x); });
WW_MAP(rounded_to_bf16, ww_bf16, float, x, void, none, { return ww_bf16_of_float(x); });

const ww_function *ww__wide_operator(const ww_function *op) {
    if (op == ww__adds[WW__F16] || op == ww__adds[WW__BF16]) return ww__adds[WW__F32];
    if (op == ww__muls[WW__F16] || op == ww__muls[WW__BF16]) return ww__muls[WW__F32];
    return NULL;
}

const ww_function *ww__rounding(const ww_type *half) {
    return half == &ww_type_ww_f16 ? &rounded_to_f16_ww : &rounded_to_bf16_ww;
}

ww_status ww__widened(ww_device *device, const char *name, const ww_input *in, ww_input *wide) {
    *wide = ww__is_half(in->type) ? ww_cast(&ww_type_float, *in) : *in;
    WW_CHECK(device, !wide->problem, WW_LIMIT, "%s of type %s is made of at most %d steps here", name, in->type->label,
             WW_INPUT_STEPS - 1);
    return WW_OK;
}

void ww__widen(const ww_device *device, float *out, const ww_type *half, const void *in, size_t n) {
    ww__cast_half(device, &ww_type_float, out, half, in, n);
}
