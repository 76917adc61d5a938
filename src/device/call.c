/* Entering and leaving a public call, the sentences of errors, and the trace. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/array.h"
#include "device/call.h"
#include "device/cpu/process.h"
#include "device/gpu/gpu.h"
#include "device/gpu/stage.h"
#include "device/paper.h"
#include "device/refused.h"

void ww__give_up_forked(ww_device *device) {
    const uint64_t inside = __atomic_load_n(&device->busy, __ATOMIC_ACQUIRE);
    if (!inside || inside == ww__process()) return;
    device->blocks = device->host_blocks = 0;
    device->pinned = (ww__block){0};
    device->call = NULL;
    device->failure = ww__fail(
        device, WW_LOST,
        "this process was forked while another thread was in a call of this handle, which can no longer be used here; "
        "open another one");
    device->failed = true;
    __atomic_store_n(&device->busy, 0, __ATOMIC_RELEASE);
}

ww_status ww__enter(ww_device *device, const char *call) {
    if (!device) return WW_INVALID;
    uint64_t inside = 0;
    const uint64_t process = ww__process();
    ww__give_up_forked(device);
    if (!__atomic_compare_exchange_n(&device->busy, &inside, process, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return ww__refuse(device), WW_BUSY;
    ww__admit(device);
    if (device->failed) {
        /* The sentence of the failed ww_open stays what ww_error says. */
        const ww_status failure = device->failure;
        __atomic_store_n(&device->busy, 0, __ATOMIC_RELEASE);
        return failure;
    }
    device->call = call;
    device->scratch_used = 0;
    device->stage_wanted = device->staged = device->in_place = device->room_short = false;
    device->counts = WW__COUNTS_SETTLED;
    device->stores = WW__STORES_NONE;
    device->launched = false;
    device->begin = (ww__scratch_mark){0};
    device->numbers = 0;
    device->deferred = NULL;
    device->bad_index.position = UINT64_MAX;
    if (device->gpu) device->gpu->in_places = 0;
    ww__gpu_enter(device);
    return WW_OK;
}

static ww_status bad_index_status(ww_device *device) {
    const ww__bad_index *bad = &device->bad_index;
    return ww__say_permuted(device, bad->is_output, bad->position, bad->value, bad->is_signed, bad->limit);
}

/* So that the same call allocates nothing the next time. */
static void settle_scratch(ww_device *device) {
    ww__scratch_merge(device, 0);
    if (device->blocks && (device->block[0].used || device->block[0].zones))
        ww__block_reset(device, &device->block[0], 0, 0);
}

ww_status ww__leave(ww_device *device, ww_status status) {
    device->stage_wanted = false;
    device->stores = WW__STORES_NONE;
    if (device->bad_index.position != UINT64_MAX && !status) status = bad_index_status(device);
    if (device->in_place) status = ww__stage_wait(device, status);
    ww__scratch_note_peak(device);
    if (device->rehearsing.made) ww__rehearsal_compare(device, status);
    settle_scratch(device);
    while (device->host_blocks) {
        const ww__block *block = &device->host_block[--device->host_blocks];
        ww__release(device, block->data, block->size);
    }
    ww__gpu_leave(device);
    __atomic_store_n(&device->busy, 0, __ATOMIC_RELEASE);
    return status;
}

ww_status ww__fail(ww_device *device, ww_status status, const char *format, ...) {
    int written = 0;
    if (device->call) written = snprintf(device->error, sizeof device->error, "%s: ", device->call);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(device->error + written, sizeof device->error - (size_t)written, format, arguments);
    va_end(arguments);
    return status;
}

const char *ww_error(const ww_device *device) {
    if (!device) return "no device handle: memory for it could not be allocated, or NULL was given";
    return ww__is_refused(device) ? ww_status_text(WW_BUSY) : device->error;
}

ww_status ww__no_memory(ww_device *device, size_t bytes) {
    return ww__fail(device, WW_MEMORY, "out of memory: %zu bytes could not be allocated", bytes);
}

void ww__trace(const ww_device *device, const char *method, const ww_function *function, uint64_t items, uint64_t bytes,
               size_t workers) {
    static const char *const width[] = {"plain", "avx2", "avx512"};
    if (!device->trace || device->on_paper) return;
    /* One write for the whole line, so that the lines of several handles do not mix. */
    char line[256];
    const int length = snprintf(
        line, sizeof line,
        "warpwise: %s method=%s function=%s vector=%s items=%" PRIu64 " bytes=%" PRIu64 " workers=%zu\n", device->call,
        method, function ? function->name : "-", width[device->vector], items, bytes, workers);
    if (length > 0) fwrite(line, 1, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1, stderr);
}

/* ---- a call's body again ---- */

static bool is_asked(ww_status status) { return status == WW__SETTLE || status == WW__STAGE || status == WW__STORE; }

/* Counts are looked at before their arrays are staged. */
static ww_status prepare(ww_device *device, const ww__given *given, size_t many, ww__again *again, ww_status asked) {
    ww__scratch_back(device, &device->begin);
    if (asked == WW__SETTLE || (asked == WW__STAGE && device->counts)) return ww__counts_settle(device, given, many);
    if (asked == WW__STORE) return ww__store_inputs(device, given, many);
    again->staged = true;
    return ww__stage_in(device, given, many, &again->copies);
}

bool ww__run_again(ww_device *device, const ww__given *given, size_t many, ww__again *again, ww_status *result) {
    while (is_asked(*result)) { /* storing inputs may ask for their counts */
        *result = prepare(device, given, many, again, *result);
        device->begin = ww__scratch_here(device);
        if (!*result) return true;
    }
    if (again->staged) *result = ww__stage_out(device, &again->copies, *result);
    return false;
}
