/* ww_find_near: the checks, and the choice of the backend. */
#include "text/near/near.h"

#include "device/call.h"
#include "function/check.h"

typedef unsigned long long ull;

ww_status ww__find_near(ww_device *device, const ww__nearing *near) {
    return device->backend == WW__BACKEND_GPU ? ww__find_near_gpu(device, near) : ww__find_near_cpu(device, near);
}

static ww_status check_options(ww_device *device, const ww_find_options *options, ww__finding *f) {
    WW_TRY(ww__find_check_options(device, options, f));
    WW_CHECK(device, f->method == WW_FIND_AUTO, WW_INVALID,
             "there is one way to find with mismatches, and options.method is %s", ww__find_method_name(f->method));
    WW_CHECK(device, !f->packed, WW_INVALID, "packed texts are searched without mismatches only");
    WW_CHECK(device, f->bits == 8, WW_INVALID, "alphabet_bits is %u, and characters that may differ have 8", f->bits);
    return WW_OK;
}

static ww_status check_differences(ww_device *device, const ww__nearing *near) {
    const ww_array *d = &near->differences;
    if (ww__is_none(d)) return WW_OK;
    WW_TRY(ww__check_array(device, "differences", d));
    WW_CHECK(device, d->type == &ww_type_uint8_t || d->type == &ww_type_uint32_t, WW_TYPE,
             "differences is of type %s, not u8 or u32", d->type->label);
    WW_CHECK(device, d->count == near->find.positions.count, WW_INVALID,
             "differences has %llu elements, positions %llu", (ull)d->count, (ull)near->find.positions.count);
    WW_TRY(ww__check_apart(device, "text", &near->find.text, "differences", d, WW__APART));
    WW_TRY(ww__check_outputs_apart(device, "positions", &near->find.positions, "differences", d));
    return ww__check_outputs_apart(device, "differences", d, "count", &near->find.count);
}

static ww_status find_near(ww_device *device, const void *pattern, uint64_t pattern_count,
                           const ww_find_options *options, ww__nearing *near) {
    ww__finding *f = &near->find;
    WW_TRY(check_options(device, options, f));
    WW_TRY(ww__find_check_pattern(device, pattern, pattern_count, WW_NEAR_MOST, f));
    WW_CHECK(device, near->most < f->m, WW_INVALID, "most is %llu, and the pattern has %llu characters",
             (ull)near->most, (ull)f->m);
    WW_TRY(ww__find_check_text(device, f));
    WW_TRY(ww__find_check_positions(device, f));
    WW_TRY(check_differences(device, near));
    return ww__find_near(device, near);
}

ww_status ww_find_near(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count, uint64_t most,
                       ww_array positions, ww_array differences, ww_array count, const ww_find_options *options) {
    ww__nearing near = {.find = {.text = text, .positions = positions, .count = count, .counts = ww_none},
                        .most = most,
                        .differences = differences};
    WW_CALL(device, "ww_find_near", find_near(device, pattern, pattern_count, options, &near),
            WW_READS(&near.find.text), WW_WRITES_FIRST(&near.find.positions, &count),
            WW_WRITES_FIRST(&near.differences, &count));
}
