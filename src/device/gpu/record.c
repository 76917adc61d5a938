#include "device/gpu/record.h"

#include <stdio.h>

#include "device/gpu/gpu.h"
#include "device/gpu/memory.h"

/* struct ww_bad_data; all bytes 0: nothing was found. */
typedef struct bad_data {
    uint64_t call, nearness, value;
    uint32_t lock, unused;
} bad_data;

static ww_status make_record(ww_device *device, ww__gpu_record **made) {
    ww__gpu *gpu = device->gpu;
    if (!gpu->record) {
        gpu->record = ww__allocate(device, sizeof *gpu->record, 64);
        if (!gpu->record) return ww__no_memory(device, sizeof *gpu->record);
        *gpu->record = (ww__gpu_record){.memory = NULL};
    }
    ww__gpu_record *r = *made = gpu->record;
    if (r->memory) return WW_OK;
    WW_TRY(ww__gpu_allocate(device, sizeof(bad_data), &r->memory));
    const ww_status status = ww__gpu_fill(device, r->memory, 0, sizeof(bad_data));
    if (!status) return WW_OK;
    ww__gpu_release(device, r->memory);
    r->memory = NULL;
    return status;
}

ww_status ww__gpu_checking_begin(ww_device *device, ww__say_bad *say, const char *name, uint64_t limit,
                                 ww__gpu_checking *checking) {
    ww__gpu_record *r = NULL;
    WW_TRY(ww__stage_due(device));
    *checking = (ww__gpu_checking){NULL, 0};
    if (device->on_paper) return WW_OK;
    WW_TRY(make_record(device, &r));
    if (!r->captured) r->captured = ww__gpu_capturing(device);
    *checking = (ww__gpu_checking){r->memory, ++r->calls};
    ww__queued *q = &r->queued[r->calls % WW__QUEUED];
    *q = (ww__queued){.number = r->calls, .call = device->call, .say = say, .limit = limit};
    if (name) snprintf(q->name, sizeof q->name, "%s", name);
    return WW_OK;
}

static ww_status say(ww_device *device, const ww__gpu_record *r, const bad_data *bad) {
    const ww__queued *q = &r->queued[bad->call % WW__QUEUED];
    const char *const now = device->call;
    char call[64];
    if (q->number != bad->call)
        return ww__fail(device, WW_RANGE,
                        "the %llu. before the last of the queued calls found bad data at position %llu: %llu",
                        (unsigned long long)(r->calls - bad->call), (unsigned long long)~bad->nearness,
                        (unsigned long long)bad->value);
    snprintf(call, sizeof call, "%s (queued)", q->call);
    device->call = call;
    const ww_status status = q->say(device, q, ~bad->nearness, bad->value);
    device->call = now;
    return status;
}

ww_status ww__gpu_look(ww_device *device) {
    ww__driver *driver = device->gpu->driver;
    ww__gpu_record *r = device->gpu->record;
    bad_data bad = {0};
    if (device->on_paper || !r || (r->looked == r->calls && !r->captured)) return WW_OK;
    WW_TRY(ww__gpu_said(device, driver->copy(driver, &bad, r->memory, sizeof bad)));
    r->looked = r->calls;
    if (!bad.call) return WW_OK;
    WW_TRY(ww__gpu_fill(device, r->memory, 0, sizeof bad));
    return say(device, r, &bad);
}

void ww__gpu_record_release(ww_device *device) {
    ww__gpu_record *r = device->gpu->record;
    if (!r) return;
    ww__gpu_release(device, r->memory);
    ww__release(device, r, sizeof *r);
    device->gpu->record = NULL;
}
