/* Checks of arrays, each with the sentence that says what was wrong. */
#include "device/array.h"
#include "warpwise/output.h"

#include <string.h>

#include "device/gpu/gpu.h"
#include "device/steps.h"

typedef unsigned long long ull;

bool ww__is_none(const ww_array *array) { return !array->data && !array->count && !array->type; }

bool ww__is_computed(const ww_array *array) {
    return array->reserved == WW_ARRAY_COMPUTED || array->reserved == WW_ARRAY_PERMUTED;
}

bool ww__same_name(const ww_type *a, const ww_type *b) { return a->kind == b->kind && !strcmp(a->name, b->name); }

ww_status ww__check_same_type(ww_device *device, const char *name_a, const ww_type *a, size_t size_a,
                              const char *name_b, const ww_type *b, size_t size_b) {
    WW_CHECK(device, ww__same_type(a, size_a, b, size_b), WW_TYPE,
             "%s has elements of type %s (%zu bytes), %s of type %s (%zu bytes)", name_a, a->label, size_a, name_b,
             b->label, size_b);
    return WW_OK;
}

ww_status ww__check_size(ww_device *device, const char *name, const ww_type *type, size_t size) {
    WW_CHECK(device, size, WW_TYPE, "%s has elements of type %s and no size", name, type->label);
    WW_CHECK(device, type->kind == WW_KIND_RECORD || size == type->size, WW_TYPE,
             "%s has elements of type %s of %zu bytes, and size says %zu", name, type->label, type->size, size);
    return WW_OK;
}

ww_status ww__check_elements(ww_device *device, const char *name, const void *data, uint64_t count, const ww_type *type,
                             size_t size) {
    size_t bytes;
    WW_CHECK(device, type, WW_INVALID, "%s is missing", name);
    WW_TRY(ww__check_size(device, name, type, size));
    WW_CHECK(device, data || !count, WW_INVALID, "%s is NULL and has %llu elements", name, (ull)count);
    WW_CHECK(device, ww__bytes(count, size, &bytes) && bytes <= PTRDIFF_MAX, WW_INVALID,
             "%s has %llu elements of %zu bytes: more than memory can hold", name, (ull)count, size);
    const size_t below = type->alignment ? type->alignment - 1 : 0; /* alignments are powers of two */
    WW_CHECK(device, !((uintptr_t)data & below), WW_INVALID, "%s at %p is not aligned for elements of type %s", name,
             data, type->label);
    return WW_OK;
}

ww_status ww__check_count_at(ww_device *device, const char *name, const uint64_t *count_at) {
    WW_CHECK(device, !count_at || device->counts, WW_UNSUPPORTED,
             "%s has a count on the device, which this call does not take", name);
    return WW_OK;
}

ww_status ww__check_any_array(ww_device *device, const char *name, const ww_array *array) {
    WW_CHECK(device, !ww__is_computed(array), WW_INVALID,
             "%s is an output that is computed, which this call does not take here", name);
    WW_CHECK(device, !array->reserved, WW_INVALID, "%s has its reserved word set; it is 0", name);
    WW_TRY(ww__check_count_at(device, name, array->count_at));
    return ww__check_elements(device, name, array->data, array->count, array->type, array->size);
}

ww_status ww__check_array(ww_device *device, const char *name, const ww_array *array) {
    if (!device->gpu && !array->reserved && !array->count_at &&
        ww__elements_fit(array->data, array->count, array->type, array->size))
        return WW_OK;
    WW_TRY(ww__check_any_array(device, name, array));
    return device->gpu && array->count != 1 ? ww__gpu_reach(device, name, array->data, array->count) : WW_OK;
}

ww_status ww__say_permuted(ww_device *device, bool into, uint64_t position, uint64_t index, bool is_signed,
                           uint64_t limit) {
    if (is_signed)
        return ww__fail(device, WW_RANGE,
                        "an index of ww_permuted%s at position %llu is %lld, and there are %llu elements",
                        into ? "_into" : "", (ull)position, (long long)index, (ull)limit);
    return ww__fail(device, WW_RANGE, "an index of ww_permuted%s at position %llu is %llu, and there are %llu elements",
                    into ? "_into" : "", (ull)position, (ull)index, (ull)limit);
}

/* Of what function/build.c made. */
static ww_status built_problem(ww_device *device, const char *name, const ww_input *input) {
    const ww_status problem = (ww_status)input->problem;
    const ww_step *step = input->step;
    switch ((ww__input_reason)input->reason) {
    case WW__REASON_STRIDE:
        return ww__fail(
            device, problem,
            "%s is a view of %llu elements from %llu on by steps of %lld, which leaves the %llu that there are", name,
            (ull)step[2].number, (ull)step[0].number, (long long)step[1].number, (ull)step[3].number);
    case WW__REASON_STRIDED_COUNT:
        return ww__fail(
            device, problem,
            "%s is a view of an input that has a count on the device; make the view first, and give that the "
            "count by ww_counted",
            name);
    case WW__REASON_PERMUTED_COUNT:
        return ww__fail(device, problem, "%s reads a source at indices that has a count on the device", name);
    case WW__REASON_ZIP_MANY:
        return ww__fail(device, problem, "%s is zipped from %llu inputs; there may be 1 to %d", name,
                        (ull)step[0].number, WW_ZIP_MOST);
    case WW__REASON_ZIP_COUNTS:
        if (step[1].number == step[2].number)
            return ww__fail(device, problem, "%s is zipped from inputs of different counts on the device", name);
        return ww__fail(device, problem,
                        "%s is zipped from inputs of different counts: input %llu has %llu elements, input 0 %llu",
                        name, (ull)step[0].number, (ull)step[1].number, (ull)step[2].number);
    case WW__REASON_WINDOW_COUNT:
        return ww__fail(device, problem, "%s is a window on an input that has a count on the device", name);
    case WW__REASON_WINDOW_LONG:
        return ww__fail(device, problem, "%s is a window of %llu elements on %llu", name, (ull)step[0].number,
                        (ull)step[1].number);
    case WW__REASON_WINDOW_BORDER:
        return ww__fail(device, problem, "%s is a window with border %llu, which is not a ww_border", name,
                        (ull)step[0].number);
    case WW__REASON_WINDOW_VALUE:
        return ww__fail(device, problem, "%s is a window with %s", name,
                        step[0].number ? "a value for what is outside, which its border does not take"
                                       : "WW_BORDER_VALUE and no value");
    case WW__REASON_WINDOW_VIEW:
        return ww__fail(device, problem, "%s is a view of a window; make a window of a view that ww_store has written",
                        name);
    case WW__REASON_OF_MAPS:
        break;
    }
    return ww__fail(device, WW_INVALID, "%s is made of steps that this library does not know", name);
}

ww_status ww__input_problem(ww_device *device, const char *name, const ww_input *input) {
    if (input->reason) return built_problem(device, name, input);
    WW_CHECK(device, input->problem != WW_LIMIT, WW_LIMIT, "%s is made of more than %d steps", name, WW_INPUT_STEPS);
    WW_CHECK(device, input->problem != WW_UNSUPPORTED, WW_INVALID, "%s is an array whose reserved word is set; it is 0",
             name);
    WW_CHECK(device, input->problem != WW_COMPILE, WW_INVALID, "%s: %s", name, ww__no_object);
    return ww__fail(device, WW_INVALID, "%s is mapped from two inputs of different counts", name);
}

ww_status ww__check_memory(ww_device *device, const char *name, const ww_input *input, ww_array *array) {
    if (input->problem) return ww__input_problem(device, name, input);
    WW_CHECK(device, input->steps && input->type, WW_INVALID, "%s is missing", name);
    WW_CHECK(device, ww__input_is_memory(input), WW_INVALID,
             "%s is computed, and has to be memory: ww_store writes what an input describes", name);
    WW_TRY(ww__check_count_at(device, name, input->count_at));
    *array = (ww_array){.data = (void *)(uintptr_t)ww__input_memory(input), /* which is only read */
                        .count = input->count,
                        .type = input->type,
                        .size = input->size};
    if (ww__elements_fit(array->data, array->count, array->type, array->size)) return WW_OK;
    return ww__check_any_array(device, name, array);
}

ww_status ww__check_value(ww_device *device, const char *name, const ww_value *value, const ww_type *type,
                          size_t size) {
    WW_CHECK(device, value->type, WW_INVALID, "%s is missing", name);
    WW_CHECK(device, value->size, WW_INVALID, "%s is NULL", name);
    WW_CHECK(device, ww__same_type(value->type, value->size, type, size), WW_TYPE,
             "%s is of type %s (%zu bytes), where type %s (%zu bytes) is expected", name, value->type->label,
             value->size, type->label, size);
    if (size <= sizeof value->bytes) return WW_OK;
    const ww_array at = {(void *)(uintptr_t)value->data, 1, type, size, NULL, 0};
    WW_TRY(ww__check_elements(device, name, at.data, 1, type, size));
    return ww__gpu_host_reads(device, name, &at);
}

ww_status ww__check_outputs_apart(ww_device *device, const char *name_a, const ww_array *a, const char *name_b,
                                  const ww_array *b) {
    const size_t bytes_a = (size_t)a->count * a->size, bytes_b = (size_t)b->count * b->size;
    WW_CHECK(device, !ww__overlap(a->data, bytes_a, b->data, bytes_b), WW_OVERLAP,
             "%s (%p, %zu bytes) overlaps %s (%p, %zu bytes)", name_a, a->data, bytes_a, name_b, b->data, bytes_b);
    return WW_OK;
}

ww_status ww__put_one(ww_device *device, void *to, const void *value, size_t bytes) {
    if (device->gpu) return ww__gpu_copy(device, to, value, bytes);
    if (device->on_paper) return WW_OK;
    memcpy(to, value, bytes);
    return WW_OK;
}

ww_status ww__put_count(ww_device *device, const ww_array *array, uint64_t value) {
    const uint32_t small = (uint32_t)value;
    if (array->type == &ww_type_uint64_t) return ww__put_one(device, array->data, &value, sizeof value);
    return ww__put_one(device, array->data, &small, sizeof small);
}
