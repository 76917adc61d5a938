/* ww_repeat: rounds of public calls, by the host or by the GPU. */
#include <inttypes.h>
#include <stdio.h>

#include "device/call.h"
#include "device/gpu/gpu.h"

static ww_status check(ww_device *device, const uint64_t *go_on, ww_round *round) {
    WW_CHECK(device, round, WW_INVALID, "round is NULL");
    WW_CHECK(device, go_on, WW_INVALID, "go_on is NULL");
    WW_CHECK(device, (uintptr_t)go_on % sizeof *go_on == 0, WW_INVALID, "go_on at %p is not aligned for a u64",
             (const void *)go_on);
    WW_CHECK(device,
             !device->gpu || device->on_paper ||
                 device->gpu->driver->place(device->gpu->driver, go_on) != WW__PLACE_UNREACHABLE,
             WW_INVALID, "go_on at %p is memory that the GPU cannot reach; take it from ww_alloc", (const void *)go_on);
    return WW_OK;
}

/* Calls of the handle are public ones, so each step beside them enters and leaves by itself. */
static ww_status look(ww_device *device, const uint64_t *go_on, uint64_t *number) {
    WW_TRY(ww__enter(device, "ww_repeat"));
    return ww__leave(device, ww__count_look(device, go_on, number));
}

/* ---- by the GPU ---- */

typedef struct loop {
    const uint64_t *go_on;
    ww_round *round;
    void *context;
    bool several; /* whether the driver takes several rounds in a body; known when one has been recorded */
} loop;

static ww_status begin_recording(ww_device *device) {
    ww__driver *driver = device->gpu->driver;
    WW_TRY(ww__enter(device, "ww_repeat"));
    const ww_status status = driver->loop_begin(driver);
    return ww__leave(device, status == WW_UNSUPPORTED ? status : ww__gpu_said(device, status));
}

static ww_status end_recording(ww_device *device, bool recorded, const uint64_t *go_on, uint64_t most,
                               uint64_t *rounds) {
    ww__driver *driver = device->gpu->driver;
    ww_status status = WW_UNSUPPORTED;
    WW_TRY(ww__enter(device, "ww_repeat"));
    if (recorded)
        status = driver->loop_end(driver, go_on, most, rounds);
    else
        driver->loop_drop(driver);
    if (!status)
        status = ww__gpu_look(device);
    else if (status != WW_UNSUPPORTED)
        status = ww__gpu_said(device, status);
    return ww__leave(device, status);
}

/* Behind a round that is recorded, another one in the same body. */
static ww_status record_next(ww_device *device, const loop *l, uint64_t most) {
    ww__driver *driver = device->gpu->driver;
    WW_TRY(ww__enter(device, "ww_repeat"));
    WW_TRY(ww__leave(device, ww__gpu_said(device, driver->loop_next(driver, l->go_on, most))));
    return l->round(device, l->context);
}

static bool record(ww_device *device, loop *l, uint64_t most, uint32_t rounds) {
    ww__driver *driver = device->gpu->driver;
    bool recorded = !l->round(device, l->context);
    for (uint32_t k = 1; recorded && k < rounds; k++) recorded = !record_next(device, l, most);
    l->several = driver->loop_several && driver->loop_several(driver);
    return recorded && (rounds == 1 || l->several);
}

/* `most` rounds, in bodies of so many; `first` at most, if they are not the last and several may be in a body. UNSUPPORTED: nothing
 * has been run. */
static ww_status run_recorded(ww_device *device, loop *l, uint64_t most, uint64_t first, uint32_t in_body,
                              uint64_t *made) {
    bool (*const retry)(ww__driver *) = device->gpu->driver->loop_retry;
    ww_status status;
    do {
        WW_TRY(begin_recording(device));
        const bool recorded = record(device, l, most, in_body);
        status = end_recording(device, recorded, l->go_on, l->several && first < most ? first : most, made);
    } while (status == WW_UNSUPPORTED && retry && retry(device->gpu->driver));
    return status;
}

/* Between two bodies a GPU takes some microseconds. But to record several rounds takes the host half a millisecond, and behind the loop's
 * end the launches of a body's other rounds come and go: so there are several in a body once a loop has been long.
 * UNSUPPORTED: the host has to go on. That is so too where a call of the round cannot be recorded: made once more by the host, it works
 * or says what is wrong. */
static ww_status run_rest(ww_device *device, loop *l, uint64_t most, uint64_t *made) {
    enum { LONG = 128, IN_BODY = 4 };
    uint64_t number = 0, more = 0;
    ww_status status = run_recorded(device, l, most, LONG, 1, made);
    if (status || !l->several || *made < LONG || *made == most) return status;
    WW_TRY(look(device, l->go_on, &number));
    if (!number) return WW_OK;
    status = run_recorded(device, l, most - *made, UINT64_MAX, IN_BODY, &more);
    if (status == WW_UNSUPPORTED) status = run_recorded(device, l, most - *made, UINT64_MAX, 1, &more);
    if (!status) *made += more;
    return status;
}

/* ---- by the host ---- */

static ww_status run_called(ww_device *device, const uint64_t *go_on, uint64_t most, ww_round *round, void *context,
                            uint64_t *made) {
    bool records = device->gpu && device->gpu->driver->loop_begin;
    loop l = {go_on, round, context, false};
    while (*made < most) {
        uint64_t number = 0, rounds = 0;
        WW_TRY(look(device, go_on, &number));
        if (!number) return WW_OK;
        if (records && *made) {
            const ww_status status = run_rest(device, &l, most - *made, &rounds);
            *made += rounds;
            if (status != WW_UNSUPPORTED) return status;
            records = false;
        }
        if (rounds) continue; /* it has to be looked whether there is another one */
        WW_TRY(round(device, context));
        ++*made;
    }
    return WW_OK;
}

static ww_status wait(ww_device *device) {
    WW_TRY(ww__enter(device, "ww_repeat"));
    ww_status status = WW_OK;
    if (device->gpu && !ww__gpu_capturing(device)) {
        status = ww__gpu_said(device, device->gpu->driver->sync(device->gpu->driver));
        if (!status) status = ww__gpu_look(device);
    }
    return ww__leave(device, status);
}

ww_status ww_repeat(ww_device *device, const uint64_t *go_on, uint64_t most, ww_round *round, void *context,
                    uint64_t *rounds) {
    uint64_t made = 0;
    if (rounds) *rounds = 0;
    WW_TRY(ww__enter(device, "ww_repeat"));
    const bool on_paper = device->on_paper;
    WW_TRY(ww__leave(device, check(device, go_on, round)));
    if (on_paper) return round(device, context);
    ww_status status = run_called(device, go_on, most, round, context, &made);
    if (!status) status = wait(device);
    if (rounds) *rounds = made;
    return status;
}
