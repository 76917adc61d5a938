/* ww_split and ww_split_if: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "device/options.h"
#include "function/check.h"
#include "primitive/split/sides.h"

ww_status ww__split(ww_device *device, const ww__split_request *r) {
    uint64_t count;
    if (device->backend == WW__BACKEND_GPU)
        return ww__split_gpu(device, r->in, r->flags, r->second, r->out, r->zeros, r->method);
    WW_TRY(ww__split_cpu(device, r->in, r->flags, r->second, r->out, r->method, &count));
    return ww__put_count(device, r->zeros, count);
}

/* `in` has been checked, and what chooses the side. */
static ww_status split(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *second,
                       const ww_array *out, const ww_array *zeros, const ww_split_options *options) {
    ww_split_options o;
    WW_TRY(ww__take_options(device, options, "WW_SPLIT_OPTIONS", &o, offsetof(ww_split_options, reserved)));
    WW_CHECK(device, o.method <= WW_SPLIT_SCANS, WW_INVALID, "options.method is %d, which is not a ww_split_method",
             (int)o.method);
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_CHECK(device, in->count == out->count, WW_INVALID, "in has %llu elements, out %llu",
             (unsigned long long)in->count, (unsigned long long)out->count);
    WW_TRY(ww__check_one(device, "zeros", zeros));
    WW_TRY(ww__check_counts(device, "zeros", zeros, in->count));
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    WW_TRY(ww__check_apart(device, "in", in, "zeros", zeros, WW__APART));
    if (flags) {
        WW_TRY(ww__check_apart(device, "flags", flags, "out", out, WW__APART));
        WW_TRY(ww__check_apart(device, "flags", flags, "zeros", zeros, WW__APART));
    }
    if (second) {
        WW_TRY(ww__check_environment_apart(device, second, "out", out));
        WW_TRY(ww__check_environment_apart(device, second, "zeros", zeros));
    }
    WW_TRY(ww__check_outputs_apart(device, "out", out, "zeros", zeros));
    if (!in->count) return ww__put_count(device, zeros, 0);
    const ww__split_request r = {in, flags, second, out, zeros, (ww_split_method)o.method};
    return ww__split(device, &r);
}

static ww_status split_flags(ww_device *device, const ww_input *in, ww_input *flags, const ww_array *out,
                             const ww_array *zeros, const ww_split_options *options) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_flags(device, "flags", flags, in->count));
    return split(device, in, flags, NULL, out, zeros, options);
}

static ww_status split_predicate(ww_device *device, const ww_function *second, const ww_input *in, const ww_array *out,
                                 const ww_array *zeros, const ww_split_options *options) {
    ww_function with;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__resolve_map(device, &second, in->type, in->size, &with));
    WW_TRY(ww__check_map(device, second, in->type, in->size, NULL, 0, true));
    WW_TRY(ww__try_map(device, second, in));
    return split(device, in, NULL, second, out, zeros, options);
}

ww_status ww_split(ww_device *device, ww_input in, ww_input flags, ww_array out, ww_array zeros,
                   const ww_split_options *options) {
    const bool open = in.count_at && in.count_at == flags.count_at && in.count_at == out.count_at && out.count != 1;
    WW_CALL_COUNTED(device, "ww_split", open, split_flags(device, &in, &flags, &out, &zeros, options), WW_READS(&in),
                    WW_READS(&flags), WW_WRITES(&out));
}

ww_status ww_split_if(ww_device *device, const ww_function *second, ww_input in, ww_array out, ww_array zeros,
                      const ww_split_options *options) {
    const bool open = in.count_at && in.count_at == out.count_at && out.count != 1;
    WW_CALL_COUNTED(device, "ww_split_if", open, split_predicate(device, second, &in, &out, &zeros, options),
                    WW_USES(&second), WW_READS(&in), WW_WRITES(&out));
}
