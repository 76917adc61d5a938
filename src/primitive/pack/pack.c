/* ww_pack and ww_pack_if: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "device/options.h"
#include "function/check.h"
#include "primitive/map/map.h"
#include "primitive/pack/choose_gpu.h"
#include "primitive/pack/sides.h"

typedef unsigned long long ull;

bool ww__pack_long(const ww_device *device, const ww_input *in) {
    return device->backend == WW__BACKEND_GPU && (in->size > WW__PACK_HELD_MOST || ww__chooses_bytes(device, in));
}

/* In place the elements of a tile are read before any of them, or of those before, are written: but by the teaching method, which
 * scatters them, and on a GPU long ones. */
static bool wants_copy(const ww_device *device, const ww__pack_request *r) {
    return ww__in_place(r->in, r->out) && (r->method == WW_PACK_ENUMERATE || ww__pack_long(device, r->in));
}

ww_status ww__pack(ww_device *device, const ww__pack_request *request, uint64_t *kept) {
    ww__pack_request given = *request;
    const ww__pack_request *const r = &given;
    ww_array copy;
    ww_input copied;
    if (wants_copy(device, r)) {
        WW_TRY(ww__stored_copy(device, r->in, &copy));
        copied = ww_from(copy);
        given.in = &copied;
    }
    if (device->backend == WW__BACKEND_GPU)
        return ww__pack_gpu(device, r->in, r->flags, r->keep, r->out, r->count, r->method, kept);
    WW_TRY(ww__pack_cpu(device, r->in, r->flags, r->keep, r->out, r->method, kept));
    return ww__put_count(device, r->count, *kept);
}

/* `in` has been checked, and what chooses. */
static ww_status pack(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                      const ww_array *out, const ww_array *count, const ww_pack_options *options) {
    ww_pack_options o;
    WW_TRY(ww__take_options(device, options, "WW_PACK_OPTIONS", &o, offsetof(ww_pack_options, reserved)));
    WW_CHECK(device, o.method <= WW_PACK_ENUMERATE, WW_INVALID, "options.method is %d, which is not a ww_pack_method",
             (int)o.method);
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_TRY(ww__check_one(device, "count", count));
    WW_TRY(ww__check_counts(device, "count", count, in->count));
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__SAME_ALLOWED));
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
    const ww__pack_request r = {in, flags, keep, out, count, (ww_pack_method)o.method};
    WW_TRY(ww__pack(device, &r, &kept));
    WW_CHECK_ROOM(device, kept <= out->count, "%llu elements are kept and out has a capacity of %llu", (ull)kept,
                  (ull)out->count);
    return WW_OK;
}

static ww_status pack_flags(ww_device *device, const ww_input *in, ww_input *flags, const ww_array *out,
                            const ww_array *count, const ww_pack_options *options) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_flags(device, "flags", flags, in->count));
    return pack(device, in, flags, NULL, out, count, options);
}

static ww_status pack_predicate(ww_device *device, const ww_function *keep, const ww_input *in, const ww_array *out,
                                const ww_array *count, const ww_pack_options *options) {
    ww_function with;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__resolve_map(device, &keep, in->type, in->size, &with));
    WW_TRY(ww__check_map(device, keep, in->type, in->size, NULL, 0, true));
    WW_TRY(ww__try_map(device, keep, in));
    return pack(device, in, NULL, keep, out, count, options);
}

ww_status ww_pack(ww_device *device, ww_input in, ww_input flags, ww_array out, ww_array count,
                  const ww_pack_options *options) {
    const bool open = in.count_at && in.count_at == flags.count_at && !out.count_at;
    WW_CALL_COUNTED(device, "ww_pack", open, pack_flags(device, &in, &flags, &out, &count, options), WW_READS(&in),
                    WW_READS(&flags), WW_WRITES_FIRST(&out, &count));
}

ww_status ww_pack_if(ww_device *device, const ww_function *keep, ww_input in, ww_array out, ww_array count,
                     const ww_pack_options *options) {
    WW_CALL_COUNTED(device, "ww_pack_if", in.count_at && !out.count_at,
                    pack_predicate(device, keep, &in, &out, &count, options), WW_USES(&keep), WW_READS(&in),
                    WW_WRITES_FIRST(&out, &count));
}
