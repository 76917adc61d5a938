/* See paper.h. */
#include "device/paper.h"

#include <string.h>

#include "device/call.h"
#include "device/gpu/gpu.h"

/* The second quarter of all addresses: no system gives any of them to a program. */
static const uintptr_t FIRST = (uintptr_t)1 << (8 * sizeof(uintptr_t) - 2);

bool ww__is_paper(const void *pointer) { return (uintptr_t)pointer / FIRST == 1; }

ww_status ww__paper_piece(ww_device *device, size_t counted, void **pointer) {
    if (counted >= FIRST - device->scratch_used)
        return ww__fail(device, WW_MEMORY, "out of memory: %zu bytes of scratch memory are more than there can be",
                        counted);
    *pointer = (void *)(FIRST + device->scratch_used); /* NOLINT(performance-no-int-to-ptr): it is never followed */
    device->scratch_used += counted;
    return WW_OK;
}

/* ---- the public functions ---- */

ww_status ww_scratch_ask(ww_device *device) {
    WW_TRY(ww__enter(device, "ww_scratch_ask"));
    device->on_paper = true;
    device->paper_peak = 0;
    return ww__leave(device, WW_OK);
}

static ww_status asked(ww_device *device, size_t *bytes) {
    WW_CHECK(device, bytes, WW_INVALID, "bytes is NULL");
    *bytes = 0;
    WW_CHECK(device, device->on_paper, WW_INVALID, "ww_scratch_ask has not been called before");
    *bytes = device->paper_peak;
    device->on_paper = false;
    return WW_OK;
}

ww_status ww_scratch_asked(ww_device *device, size_t *bytes) {
    WW_TRY(ww__enter(device, "ww_scratch_asked"));
    return ww__leave(device, asked(device, bytes));
}

ww_status ww__not_on_paper(ww_device *device) {
    WW_CHECK(device, !device->on_paper, WW_UNSUPPORTED,
             "is not a call that can be made between ww_scratch_ask and ww_scratch_asked");
    return WW_OK;
}

/* ---- rehearsals ---- */

void ww__rehearse_calls(ww_device *device, ww__say_rehearsed *say) { device->rehearsing.say = say; }

static void forget_arrays(ww_device *device) {
    device->scratch_used = 0;
    device->stage_wanted = device->staged = device->in_place = device->room_short = false;
    device->counts = WW__COUNTS_SETTLED;
    device->stores = WW__STORES_NONE;
    device->launched = false;
    device->begin = (ww__scratch_mark){0};
    device->numbers = 0;
    device->deferred = NULL;
    if (device->gpu) device->gpu->in_places = 0;
}

void ww__rehearsal_begin(ww_device *device, const ww__given *given, size_t many, ww__rehearsal *before) {
    for (size_t g = 0; g < many; g++) {
        if (given[g].input) before->given[g].input = *given[g].input;
        if (given[g].array) before->given[g].array = *given[g].array;
        if (given[g].function) before->given[g].function = *given[g].function;
    }
    memcpy(before->error, device->error, sizeof before->error);
    device->on_paper = true;
    device->paper_peak = 0;
}

void ww__rehearsal_end(ww_device *device, const ww__given *given, size_t many, const ww__rehearsal *before,
                       ww_status status) {
    ww__rehearsing *r = &device->rehearsing;
    for (size_t g = 0; g < many; g++) {
        if (given[g].input) *given[g].input = before->given[g].input;
        if (given[g].array) *given[g].array = before->given[g].array;
        if (given[g].function) *given[g].function = before->given[g].function;
    }
    ww__scratch_note_peak(device);
    r->made = true;
    r->status = status;
    r->asked = device->paper_peak;
    r->peak_before = device->scratch_peak;
    device->on_paper = false;
    device->scratch_peak = 0;
    forget_arrays(device);
    if (!status) memcpy(device->error, before->error, sizeof before->error);
}

void ww__rehearsal_compare(ww_device *device, ww_status status) {
    ww__rehearsing *r = &device->rehearsing;
    const size_t taken = device->scratch_peak;
    r->made = false;
    /* UNSUPPORTED is ww__not_on_paper's. */
    if (!status && r->status && r->status != WW_MEMORY && r->status != WW_UNSUPPORTED)
        r->say(device, "is refused on paper alone", r->asked, taken);
    if (!status && !r->status && r->asked < taken) r->say(device, "takes more than it said", r->asked, taken);
    if (!r->status && r->asked > device->scratch_peak) device->scratch_peak = r->asked;
    if (r->peak_before > device->scratch_peak) device->scratch_peak = r->peak_before;
}
