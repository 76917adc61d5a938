/* ww_shuffle and ww_permutation: the checks, and the choice of the backend. Elements of sizes that are not moved as words are
 * gathered by a shuffle of their positions. */
#include "device/call.h"
#include "function/check.h"
#include "function/function.h"
#include "function/types.h"
#include "multisplit/multisplit.h"
#include "primitive/gather/gather.h"
#include "primitive/map/map.h"
#include "random/sides.h"

typedef unsigned long long ull;

static bool moves(size_t size) { return size <= 16 && !(size & (size - 1)); }

static ww_status shuffle_words(ww_device *device, const ww__shuffle_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__shuffle_gpu(device, r) : ww__shuffle_cpu(device, r);
}

/* The elements are read from memory that is not the output. */
static ww_status shuffle_by_position(ww_device *device, const ww__shuffle_request *r) {
    const uint64_t n = r->out->count;
    const ww_type *type = ww__position_type(n);
    ww_array from, places = {NULL, n, type, type->size, NULL, 0};
    const ww_input counting = ww_counting(type, 0, n);
    ww_input in = *r->in;
    WW_TRY(ww__stored(device, &in, &from));
    if (from.data == r->out->data) WW_TRY(ww__stored_copy(device, &in, &from));
    WW_TRY(ww__scratch_array(device, n, type->size, &places.data));
    WW_TRY(shuffle_words(device, &(ww__shuffle_request){r->own, &counting, &places, r->leaf}));
    const ww_input index = ww_from(places);
    return ww__gather(device, &(ww__gather_request){&from, &index, r->out});
}

ww_status ww__shuffle(ww_device *device, const ww__shuffle_request *r) {
    if (!r->out->count) return WW_OK;
    return moves(r->out->size) ? shuffle_words(device, r) : shuffle_by_position(device, r);
}

static ww_status shuffle(ww_device *device, const ww_random *from, const ww_input *in, const ww_array *out) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_CHECK(device, in->count == out->count, WW_INVALID, "in has %llu elements, out %llu", (ull)in->count,
             (ull)out->count);
    WW_TRY(ww__check_apart(device, "in", in, "out", out,
                           ww__input_memory(in) == out->data ? WW__SAME_ALLOWED : WW__APART));
    WW_TRY(ww__random_check_range(device, from, 0));
    WW_TRY(ww__random_check_range(device, &(ww_random){0, 0, 0}, out->count));
    return ww__shuffle(device,
                       &(ww__shuffle_request){ww__random_own(from, WW__FOR_SHUFFLE), in, out, WW__SHUFFLE_LEAF});
}

static ww_status permutation(ww_device *device, const ww_random *from, const ww_array *out) {
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_counts(device, "out", out, out->count ? out->count - 1 : 0));
    const ww_input counting = ww_counting(out->type, 0, out->count);
    return shuffle(device, from, &counting, out);
}

ww_status ww_shuffle(ww_device *device, ww_random from, ww_input in, ww_array out) {
    WW_CALL(device, "ww_shuffle", shuffle(device, &from, &in, &out), WW_READS(&in), WW_WRITES(&out));
}

ww_status ww_permutation(ww_device *device, ww_random from, ww_array out) {
    WW_CALL(device, "ww_permutation", permutation(device, &from, &out), WW_WRITES(&out));
}
