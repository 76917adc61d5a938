/* Enumeration on a GPU: the exclusive scan of what the flags are mapped to, 0 or 1 of the output's type. */
#include "device/gpu/gpu.h"
#include "primitive/scan/scan.h"

WW_MAP(set_u32, uint32_t, uint8_t, flag, void, none, { return flag != 0; });
WW_MAP(set_u64, uint64_t, uint8_t, flag, void, none, { return flag != 0; });

static ww_status enumerate(ww_device *device, const ww_input *flags, const ww_array *out, const ww_array *total) {
    const ww_input ones = ww_mapped(out->size == sizeof(uint64_t) ? &set_u64_ww : &set_u32_ww, *flags);
    WW_CHECK(device, !ones.problem, WW_LIMIT, "flags on a GPU are made of at most %d steps", WW_INPUT_STEPS - 1);
    ww__scanning s = {.device = device,
                      .op = ww__operator(&ww_add, out->type, out->size),
                      .in = &ones,
                      .out = out,
                      .exclusive = true};
    if (!total || total->size == out->size) {
        s.total = total ? total->data : NULL;
        return ww__scan_gpu(&s);
    }
    /* Of another type than the scan's: the low half of a u64, or a u32 with zeros behind it. */
    WW_TRY(ww__scratch(device, sizeof(uint64_t), &s.total));
    WW_TRY(ww__gpu_fill(device, s.total, 0, sizeof(uint64_t)));
    WW_TRY(ww__scan_gpu(&s));
    return ww__gpu_copy(device, total->data, s.total, total->size);
}

ww_status ww__enumerate_gpu(ww_device *device, const ww_input *flags, const ww_array *out, const ww_array *total) {
    ww_array to = *out;
    if (out->count == 1) WW_TRY(ww__gpu_room(device, out->data, out->size, &to.data));
    WW_TRY(enumerate(device, flags, &to, total));
    return ww__gpu_result(device, out->data, to.data, out->size);
}
