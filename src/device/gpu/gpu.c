/* A handle's GPU: its memory, its errors, and the structs that kernels take. */
#include "device/gpu/gpu.h"

#include <stdio.h>
#include <string.h>

#include "device/gpu/environment.h"
#include "device/gpu/kernels.h"
#include "device/gpu/memory.h"
#include "device/gpu/pack.h"
#include "device/gpu/program.h"
#include "device/gpu/stage.h"
#include "device/paper.h"

/* A program's text only names the kernel files that it includes. */
void ww__gpu_version(char *text, size_t room) {
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (const ww__header *h = ww__kernel_headers; h->name; h++)
        for (const char *c = h->text; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
    snprintf(text, room, "warpwise %s %016llx", ww_version(), (unsigned long long)hash);
}

static ww_status find_pack(ww_device *device) {
    char version[64], why[1024] = "";
    ww_status status = WW_OK;
    if (!device->gpu->driver->architecture) return WW_OK;
    ww__gpu_version(version, sizeof version);
    device->gpu->pack = ww__pack_look(version, &status, why, sizeof why);
    return status ? ww__fail(device, status, "%s", why) : WW_OK;
}

ww_status ww__gpu_open(ww_device *device, ww__driver *driver) {
    device->gpu = ww__allocate(device, sizeof *device->gpu, 64);
    if (!device->gpu) {
        driver->close(driver);
        return ww__no_memory(device, sizeof *device->gpu);
    }
    *device->gpu = (ww__gpu){.driver = driver};
    device->backend = WW__BACKEND_GPU;
    const ww_status status = find_pack(device);
    if (status) ww__gpu_close(device);
    return status;
}

void ww__gpu_close(ww_device *device) {
    ww__gpu *gpu = device->gpu;
    if (!gpu) return;
    ww__driver *driver = gpu->driver;
    if (driver->enter) driver->enter(driver);
    ww__gpu_record_release(device);
    ww__gpu_counters_release(device);
    ww__gpu_captured_release(device);
    ww__programs_release(device);
    if (driver->leave) driver->leave(driver);
    driver->close(driver);
    ww__pack_close(gpu->pack);
    ww__release(device, gpu, sizeof *gpu);
    device->gpu = NULL;
}

ww_status ww__gpu_said(ww_device *device, ww_status status) {
    if (!status) return WW_OK;
    ww__fail(device, status, "%s%s", device->gpu->driver->why,
             status == WW_LOST
                 ? "; this handle can no longer be used: close it and open another, or restart the program"
                 : "");
    if (status == WW_LOST) {
        device->failed = true;
        device->failure = WW_LOST;
    }
    return status;
}

bool ww__gpu_compiles(const ww_device *device) {
    ww__driver *driver = device->gpu->driver;
    return !driver->compiles || driver->compiles(driver);
}

bool ww__gpu_capturing(ww_device *device) {
    ww__driver *driver = device->gpu->driver;
    return driver->capturing && driver->capturing(driver);
}

ww_status ww__gpu_fill(ww_device *device, void *to, unsigned char byte, size_t bytes) {
    WW_TRY(ww__stage_due(device));
    if (device->on_paper) return WW_OK;
    return ww__gpu_said(device, device->gpu->driver->fill(device->gpu->driver, to, byte, bytes));
}

static bool reachable(ww_device *device, const void *pointer) {
    if (device->on_paper && ww__is_paper(pointer)) return true;
    ww__driver *driver = device->gpu->driver;
    return driver->reaches ? driver->reaches(driver, pointer) : driver->place(driver, pointer) != WW__PLACE_UNREACHABLE;
}

ww_status ww__gpu_copy(ww_device *device, void *to, const void *from, size_t bytes) {
    WW_TRY(ww__stage_due(device));
    if (device->on_paper) return WW_OK;
    WW_TRY(ww__gpu_said(device, device->gpu->driver->copy(device->gpu->driver, to, from, bytes)));
    return reachable(device, to) ? WW_OK : ww__gpu_look(device);
}

ww_status ww__gpu_reach(ww_device *device, const char *name, const void *pointer, uint64_t count) {
    return !count || reachable(device, pointer) ? WW_OK : ww__stage_want(device, name, pointer);
}

ww_status ww__gpu_host_reads(ww_device *device, const char *name, const ww_array *array) {
    if (!device->gpu || !array->count) return WW_OK;
    WW_CHECK(device, device->gpu->driver->place(device->gpu->driver, array->data) != WW__PLACE_DEVICE, WW_INVALID,
             "%s at %p is the GPU's own memory; ww_copy it to the host's first", name, array->data);
    return WW_OK;
}

ww_status ww__gpu_room(ww_device *device, void *to, size_t bytes, void *pointer_to_pointer) {
    void **room = pointer_to_pointer;
    *room = to;
    return !to || reachable(device, to) || ww__stage_in_place(device, to) ? WW_OK : ww__scratch(device, bytes, room);
}

ww_status ww__gpu_room_kept(ww_device *device, const ww_array *out, void *pointer_to_pointer) {
    void **room = pointer_to_pointer;
    *room = out->data;
    if (out->count != 1) return WW_OK;
    WW_TRY(ww__gpu_room(device, out->data, out->size, room));
    return *room == out->data ? WW_OK : ww__gpu_copy(device, *room, out->data, out->size);
}

ww_status ww__gpu_result(ww_device *device, void *to, const void *room, size_t bytes) {
    return to == room ? WW_OK : ww__gpu_copy(device, to, room, bytes);
}

void ww__arguments_begin(ww__arguments *a) { a->used = 0; }

ww_status ww__argument_place(ww_device *device, ww__arguments *a, size_t size, size_t alignment, void **to) {
    const size_t at = ww__round_up(a->used, alignment);
    WW_CHECK(
        device, at + size <= sizeof a->bytes, WW_LIMIT,
        "constants and environments of a call on a GPU that take up to %d bytes each may take about %d together, and take more",
        WW__BY_VALUE_MOST, WW__ARGUMENTS_MOST);
    memset(a->bytes + a->used, 0, at - a->used);
    a->used = at + size;
    *to = a->bytes + at;
    return WW_OK;
}

ww_status ww__argument(ww_device *device, ww__arguments *a, const void *value, size_t size, size_t alignment) {
    void *to = NULL;
    WW_TRY(ww__argument_place(device, a, size, alignment, &to));
    memcpy(to, value, size);
    return WW_OK;
}

ww_status ww__argument_align(ww_device *device, ww__arguments *a) {
    void *to = NULL;
    return ww__argument_place(device, a, 0, 16, &to);
}

/* `name` is "i" for signed indices, with an o behind it where they are an output's. */
static ww_status say_permuted(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    const bool is_signed = call->name[0] == 'i';
    return ww__say_permuted(device, call->name[1] == 'o', position, value, is_signed, call->limit);
}

ww_status ww__argument_indices(ww_device *device, ww__arguments *a, const ww_type *type, uint64_t limit, bool into) {
    const char *const names[2][2] = {{"u", "uo"}, {"i", "io"}};
    ww__gpu_checking checking;
    WW_TRY(ww__gpu_checking_begin(device, say_permuted, names[type->kind == WW_KIND_SIGNED][into], limit, &checking));
    WW_TRY(WW__ARGUMENT(device, a, limit));
    return WW__ARGUMENT(device, a, checking);
}

/* As ww_permuted_by of device/kernel/permuted.cuh. */
static ww_status add_permuted(ww_device *device, ww__arguments *a, const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    WW_TRY(WW__ARGUMENT(device, a, step->data));
    return ww__argument_indices(device, a, ww__step_type(input, s - 1), step->number, false);
}

/* The struct that recipe.c's put_member declares. */
static ww_status add_step(ww_device *device, ww__arguments *a, const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    switch ((ww_step_kind)input->kind[s]) {
    case WW_STEP_MEMORY:
        return WW__ARGUMENT(device, a, step->data);
    case WW_STEP_COUNTING:
    case WW_STEP_NEAR_OF_INSIDE:
    case WW_STEP_NEAR_OF_CLAMP:
    case WW_STEP_NEAR_OF_WRAP:
    case WW_STEP_NEAR_OF_VALUE:
        return WW__ARGUMENT(device, a, step->number);
    case WW_STEP_CONSTANT:
    case WW_STEP_MAP:
    case WW_STEP_MAP2:
    case WW_STEP_WINDOW:
        return ww__argument_step(device, a, input, s);
    case WW_STEP_STRIDED:
    case WW_STEP_NEAR_INSIDE:
    case WW_STEP_NEAR_CLAMP:
    case WW_STEP_NEAR_WRAP:
    case WW_STEP_NEAR_VALUE:
        WW_TRY(WW__ARGUMENT(device, a, step->data));
        return WW__ARGUMENT(device, a, step->number);
    case WW_STEP_COUNTING_BY: {
        const ww__counting_by by = ww__step_counting_by(step);
        return WW__ARGUMENT(device, a, by);
    }
    case WW_STEP_PERMUTED:
        return add_permuted(device, a, input, s);
    case WW_STEP_PERMUTED_OF:
        return ww__argument_indices(device, a, ww__step_type(input, ww__step_first(input, s - 1) - 1), step->number,
                                    false);
    case WW_STEP_CAST:
    case WW_STEP_ZIP:
    case WW_STEP_MISFIT: /* has been refused */
        break;
    }
    return WW_OK;
}

ww_status ww__argument_input(ww_device *device, ww__arguments *a, const ww_input *input) {
    WW_TRY(ww__argument_align(device, a));
    for (uint32_t s = 0; s < input->steps; s++) WW_TRY(add_step(device, a, input, s));
    if (ww__input_is_memory(input)) { /* ww__recipe_index: others have nothing there */
        const uint64_t narrow = input->size != sizeof(uint32_t) ? 0 : input->type->kind == WW_KIND_SIGNED ? 2 : 1;
        WW_TRY(WW__ARGUMENT(device, a, narrow));
    }
    return ww__argument_align(device, a);
}
