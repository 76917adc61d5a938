/* ww_count_if, ww_any, ww_all, ww_find_if, ww_is_sorted, ww_min_max: the checks, and the choice of the backend. */
#include "warpwise/query.h"

#include "device/call.h"
#include "device/checks.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/query/sides.h"

/* ---- the inner interface ---- */

ww_status ww__count_where(ww_device *device, const ww__count_request *r) {
    uint64_t count;
    if (device->backend == WW__BACKEND_GPU) return ww__count_gpu(device, r);
    WW_TRY(ww__count_cpu(device, r, &count));
    return ww__put_count(device, r->count, count);
}

/* Where the answer is known without a look at the data, and on a CPU. */
static ww_status put_first(ww_device *device, const ww__first_request *r, uint64_t position) {
    const uint8_t truth = (position < r->in->count) == r->truth;
    if (!ww__is_none(r->answer)) WW_TRY(ww__put_one(device, r->answer->data, &truth, sizeof truth));
    return ww__is_none(r->position) ? WW_OK : ww__put_count(device, r->position, position);
}

ww_status ww__first(ww_device *device, const ww__first_request *r) {
    uint64_t position;
    if (device->backend == WW__BACKEND_GPU) return ww__first_gpu(device, r);
    WW_TRY(ww__first_cpu(device, r, &position));
    return put_first(device, r, position);
}

ww_status ww__min_max(ww_device *device, const ww__min_max_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__min_max_gpu(device, r) : ww__min_max_cpu(device, r);
}

/* ---- the public functions: enter, check, the request, leave ---- */

/* A built-in function is turned to what it is on elements of this type, which `with` has room for. */
static ww_status check_predicate(ww_device *device, const ww_function **predicate, const ww_input *in,
                                 ww_function *with) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__resolve_map(device, predicate, in->type, in->size, with));
    WW_TRY(ww__check_map(device, *predicate, in->type, in->size, NULL, 0, true));
    return ww__try_map(device, *predicate, in);
}

/* A single result, which is apart from what is read. `f`: the predicate or the order. */
static ww_status check_apart(ww_device *device, const ww_function *f, const ww_input *in, const char *name,
                             const ww_array *out) {
    WW_TRY(ww__check_one(device, name, out));
    WW_TRY(ww__check_apart(device, "in", in, name, out, WW__APART));
    return ww__check_environment_apart(device, f, name, out);
}

static ww_status check_truth(ww_device *device, const ww_function *f, const ww_input *in, const ww_array *answer) {
    WW_TRY(check_apart(device, f, in, "answer", answer));
    WW_CHECK(device, answer->type == &ww_type_uint8_t, WW_TYPE, "answer is %s, and has to be u8", answer->type->label);
    return WW_OK;
}

static ww_status check_number(ww_device *device, const ww_function *f, const ww_input *in, const char *name,
                              const ww_array *out) {
    WW_TRY(check_apart(device, f, in, name, out));
    return ww__check_counts(device, name, out, in->count);
}

static ww_status count_if(ww_device *device, const ww_function *predicate, const ww_input *in, const ww_array *count) {
    ww_function with;
    WW_TRY(check_predicate(device, &predicate, in, &with));
    WW_TRY(check_number(device, predicate, in, "count", count));
    if (!in->count) return ww__put_count(device, count, 0);
    return ww__count_where(device, &(ww__count_request){predicate, in, count});
}

static ww_status first(ww_device *device, const ww__first_request *r) {
    return r->in->count ? ww__first(device, r) : put_first(device, r, 0);
}

/* Whether the predicate is `holds` somewhere, which `truth` stands for. */
static ww_status somewhere(ww_device *device, const ww_function *predicate, const ww_input *in, bool holds, bool truth,
                           const ww_array *answer) {
    const ww_array none = ww_none;
    ww_function with;
    WW_TRY(check_predicate(device, &predicate, in, &with));
    WW_TRY(check_truth(device, predicate, in, answer));
    return first(device, &(ww__first_request){predicate, NULL, in, holds, truth, answer, &none});
}

static ww_status find_if(ww_device *device, const ww_function *predicate, const ww_input *in,
                         const ww_array *position) {
    const ww_array none = ww_none;
    ww_function with;
    WW_TRY(check_predicate(device, &predicate, in, &with));
    WW_TRY(check_number(device, predicate, in, "position", position));
    return first(device, &(ww__first_request){predicate, NULL, in, true, true, &none, position});
}

static ww_status is_sorted(ww_device *device, const ww_function *f, const ww_input *in, const ww_array *answer,
                           const ww_array *in_order) {
    const ww_function *less;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_order(device, f, in->type, in->size, &less));
    WW_TRY(ww__try_order(device, less, in, NULL));
    WW_CHECK(device, !ww__is_none(answer) || !ww__is_none(in_order), WW_INVALID,
             "answer and in_order are both ww_none: there is nothing to say");
    if (!ww__is_none(answer)) WW_TRY(check_truth(device, less, in, answer));
    if (!ww__is_none(in_order)) WW_TRY(check_number(device, less, in, "in_order", in_order));
    WW_TRY(ww__check_outputs_apart(device, "answer", answer, "in_order", in_order));
    return first(device, &(ww__first_request){NULL, less, in, true, false, answer, in_order});
}

static ww_status min_max(ww_device *device, const ww_function *f, const ww_input *in, const ww_array *least,
                         const ww_array *greatest) {
    const ww_function *less;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_order(device, f, in->type, in->size, &less));
    WW_TRY(ww__try_order(device, less, in, NULL));
    WW_CHECK(device, in->count, WW_INVALID, "in is empty");
    WW_TRY(check_apart(device, less, in, "least", least));
    WW_TRY(check_apart(device, less, in, "greatest", greatest));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "least", least->type, least->size));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "greatest", greatest->type, greatest->size));
    WW_TRY(ww__check_outputs_apart(device, "least", least, "greatest", greatest));
    return ww__min_max(device, &(ww__min_max_request){less, in, least, greatest});
}

ww_status ww_count_if(ww_device *device, const ww_function *predicate, ww_input in, ww_array count) {
    WW_CALL(device, "ww_count_if", count_if(device, predicate, &in, &count), WW_USES(&predicate), WW_READS(&in));
}

ww_status ww_any(ww_device *device, const ww_function *predicate, ww_input in, ww_array answer) {
    WW_CALL(device, "ww_any", somewhere(device, predicate, &in, true, true, &answer), WW_USES(&predicate),
            WW_READS(&in));
}

ww_status ww_all(ww_device *device, const ww_function *predicate, ww_input in, ww_array answer) {
    WW_CALL(device, "ww_all", somewhere(device, predicate, &in, false, false, &answer), WW_USES(&predicate),
            WW_READS(&in));
}

ww_status ww_find_if(ww_device *device, const ww_function *predicate, ww_input in, ww_array position) {
    WW_CALL(device, "ww_find_if", find_if(device, predicate, &in, &position), WW_USES(&predicate), WW_READS(&in));
}

ww_status ww_is_sorted(ww_device *device, const ww_function *less, ww_input in, ww_array answer, ww_array in_order) {
    WW_CALL(device, "ww_is_sorted", is_sorted(device, less, &in, &answer, &in_order), WW_USES(&less), WW_READS(&in));
}

ww_status ww_min_max(ww_device *device, const ww_function *less, ww_input in, ww_array least, ww_array greatest) {
    WW_CALL(device, "ww_min_max", min_max(device, less, &in, &least, &greatest), WW_USES(&less), WW_READS(&in));
}
