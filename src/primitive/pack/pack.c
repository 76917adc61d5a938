/* ww_pack and ww_pack_if: the checks, and the choice of the backend. */
#include "primitive/pack/pack.h"

#include "device/call.h"
#include "device/checks.h"
#include "device/check.h"
#include "device/options.h"

typedef unsigned long long ull;

static ww_status run(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                     const ww_array *out, const ww_array *count, ww_pack_method method, uint64_t *kept) {
    switch (device->backend) {
    case WW__BACKEND_CPU:
        WW_TRY(ww__pack_cpu(device, in, flags, keep, out, method, kept));
        return ww__put_count(device, count, *kept);
    case WW__BACKEND_GPU:
        return ww__pack_gpu(device, in, flags, keep, out, count, method, kept);
    }
    return WW_UNSUPPORTED;
}

/* `in` has been checked, and what chooses. */
static ww_status pack(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                      const ww_array *out, const ww_array *count, const ww_pack_options *options) {
    ww_pack_options o;
    WW_TRY(ww__take_options(device, options, "WW_PACK_OPTIONS", &o, offsetof(ww_pack_options, reserved)));
    WW_CHECK(device, o.method <= WW_PACK_ENUMERATE, WW_INVALID, "options.method is %d, which is no ww_pack_method",
             (int)o.method);
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_TRY(ww__check_one(device, "count", count));
    WW_TRY(ww__check_counts(device, "count", count, in->count));
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    WW_TRY(ww__check_apart(device, "in", in, "count", count, WW__APART));
    if (flags) {
        WW_TRY(ww__check_apart(device, "flags", flags, "out", out, WW__APART));
        WW_TRY(ww__check_apart(device, "flags", flags, "count", count, WW__APART));
    }
    if (keep) {
        WW_TRY(ww__check_environment_apart(device, keep, "out", out));
        WW_TRY(ww__check_environment_apart(device, keep, "count", count));
    }
    WW_TRY(ww__check_outputs_apart(device, "out", out, "count", count));
    if (!in->count) return ww__put_count(device, count, 0);
    uint64_t kept;
    WW_TRY(run(device, in, flags, keep, out, count, o.method, &kept));
    WW_CHECK_ROOM(device, kept <= out->count, "%llu elements are kept and out has room for %llu", (ull)kept,
                  (ull)out->count);
    return WW_OK;
}

static ww_status pack_flags(ww_device *device, const ww_input *in, const ww_input *flags, const ww_array *out,
                            const ww_array *count, const ww_pack_options *options) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_flags(device, "flags", flags, in->count));
    return pack(device, in, flags, NULL, out, count, options);
}

static ww_status pack_predicate(ww_device *device, const ww_function *keep, const ww_input *in, const ww_array *out,
                                const ww_array *count, const ww_pack_options *options) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_map(device, keep, in->type, in->size, NULL, 0, true));
    WW_TRY(ww__try_map(device, keep, in));
    return pack(device, in, NULL, keep, out, count, options);
}

ww_status ww_pack(ww_device *device, ww_input in, ww_input flags, ww_array out, ww_array count,
                  const ww_pack_options *options) {
    WW_CALL(device, "ww_pack", pack_flags(device, &in, &flags, &out, &count, options), WW_READS(&in), WW_READS(&flags),
            WW_WRITES_FIRST(&out, &count));
}

ww_status ww_pack_if(ww_device *device, const ww_function *keep, ww_input in, ww_array out, ww_array count,
                     const ww_pack_options *options) {
    WW_CALL(device, "ww_pack_if", pack_predicate(device, keep, &in, &out, &count, options), WW_USES(&keep),
            WW_READS(&in), WW_WRITES_FIRST(&out, &count));
}
