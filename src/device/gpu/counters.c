#include "device/gpu/counters.h"

#include "device/gpu/gpu.h"
#include "device/gpu/memory.h"

enum { SETS = 2, PIECES = 1 + SETS };

static ww_status make_counters(ww_device *device) {
    ww__gpu_counters *c = &device->gpu->counters;
    unsigned char *memory = NULL;
    if (c->ticket) return WW_OK;
    WW_TRY(ww__gpu_allocate(device, (size_t)PIECES * WW__COUNTER_BYTES, (void **)(void *)&memory));
    const ww_status status = ww__gpu_fill(device, memory, 0, (size_t)PIECES * WW__COUNTER_BYTES);
    if (status) {
        ww__gpu_release(device, memory);
        return status;
    }
    *c = (ww__gpu_counters){.ticket = memory};
    for (int s = 0; s < SETS; s++) c->sets[s] = memory + (size_t)(1 + s) * WW__COUNTER_BYTES;
    return WW_OK;
}

static ww_status take_filled(ww_device *device, size_t bytes, void **memory) {
    WW_TRY(ww__scratch(device, bytes, memory));
    return ww__gpu_fill(device, *memory, 0, bytes);
}

/* What is made on paper asks for what a captured call takes. */
static bool is_apart(ww_device *device) { return device->on_paper || ww__gpu_capturing(device); }

ww_status ww__gpu_ticket(ww_device *device, void *pointer_to_pointer) {
    void **const ticket = pointer_to_pointer;
    WW_TRY(ww__stage_due(device));
    if (is_apart(device)) return take_filled(device, WW__COUNTER_BYTES, ticket);
    WW_TRY(make_counters(device));
    *ticket = device->gpu->counters.ticket;
    return WW_OK;
}

ww_status ww__gpu_count(ww_device *device, void *pointer_to_set, void *pointer_to_other) {
    void **const set = pointer_to_set, **const other = pointer_to_other;
    const ww__gpu_counters *const c = &device->gpu->counters;
    WW_TRY(ww__stage_due(device));
    if (is_apart(device)) {
        WW_TRY(take_filled(device, (size_t)SETS * WW__COUNTER_BYTES, set));
        *other = (unsigned char *)*set + WW__COUNTER_BYTES;
        return WW_OK;
    }
    WW_TRY(make_counters(device));
    *set = c->sets[c->second];
    *other = c->sets[!c->second];
    return WW_OK;
}

void ww__gpu_counted(ww_device *device) {
    if (!is_apart(device)) device->gpu->counters.second = !device->gpu->counters.second;
}

void ww__gpu_counters_release(ww_device *device) {
    if (device->gpu->counters.ticket) ww__gpu_release(device, device->gpu->counters.ticket);
    device->gpu->counters = (ww__gpu_counters){.ticket = NULL};
}
