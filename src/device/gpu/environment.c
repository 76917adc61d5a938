#include "device/gpu/environment.h"

#include <string.h>

#include "device/gpu/stage.h"

bool ww__function_by_pointer(const ww_function *f) {
    return ww__reads_environment(f) && ww__environment_by_pointer(f->role, f->environment->size, f->bound_count);
}

bool ww__step_by_pointer(const ww_input *input, uint32_t s) {
    const ww_function *f = ww__step_function(input, s);
    if (f)
        return ww__reads_environment(f) &&
               ww__environment_by_pointer(f->role, f->environment->size, input->step[s].number);
    return input->kind[s] == WW_STEP_CONSTANT && ww__constant_by_pointer(ww__step_size(input, s));
}

/* Checks have seen to it that kernels reach what the caller gave; what the library itself gives has to lie there, too. */
static ww_status put_pointer(ww_device *device, ww__arguments *a, const void *data) {
    ww__driver *driver = device->gpu->driver;
    const bool reached = driver->place(driver, data) != WW__PLACE_UNREACHABLE || ww__stage_in_place(device, data);
    WW_TRY(ww__stage_due(device));
    WW_CHECK(device, reached || device->on_paper, WW_INVALID,
             "an environment at %p is memory that the GPU cannot reach", data);
    return WW__ARGUMENT(device, a, data);
}

static ww_status put_value(ww_device *device, ww__arguments *a, const void *data, size_t size, size_t alignment) {
    ww__driver *driver = device->gpu->driver;
    void *to = NULL;
    WW_TRY(ww__argument_place(device, a, size, alignment, &to));
    if (device->on_paper) return WW_OK;
    if (driver->place(driver, data) != WW__PLACE_DEVICE) {
        memcpy(to, data, size);
        return WW_OK;
    }
    WW_CHECK(
        device, !ww__gpu_capturing(device), WW_INVALID,
        "an environment of one element at %p is the GPU's own memory, which a call that is captured in a graph cannot "
        "read; keep it in the host's",
        data);
    return ww__gpu_copy(device, to, data, size);
}

static ww_status put(ww_device *device, ww__arguments *a, bool by_pointer, const void *data, const ww_type *type) {
    return by_pointer ? put_pointer(device, a, data) : put_value(device, a, data, type->size, type->alignment);
}

ww_status ww__argument_step(ww_device *device, ww__arguments *a, const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    const ww_function *f = ww__step_function(input, s);
    const bool by_pointer = ww__step_by_pointer(input, s);
    if (f) return ww__reads_environment(f) ? put(device, a, by_pointer, step->data, f->environment) : WW_OK;
    const size_t size = ww__step_size(input, s), alignment = ww__alignment(step->type, size, NULL);
    const void *const data = ww__step_constant(step, size);
    if (by_pointer) return put_pointer(device, a, data);
    if (data == step->data) return put_value(device, a, data, size, alignment);
    return ww__argument(device, a, data, size, alignment);
}

ww_status ww__argument_environment(ww_device *device, ww__arguments *a, const ww_function *f) {
    static const unsigned char none[16];
    WW_TRY(ww__argument_align(device, a));
    if (!ww__reads_environment(f)) return ww__argument(device, a, none, sizeof none, 16);
    WW_TRY(put(device, a, ww__function_by_pointer(f), f->bound, f->environment));
    return ww__argument_align(device, a);
}
