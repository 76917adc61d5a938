/* Opening and closing handles, and what they say of themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/checks.h"
#include "device/cpu/parallel.h"
#include "device/cpu/vector.h"
#include "device/cuda/cuda.h"
#include "device/gpu/emulator.h"
#include "device/gpu/gpu.h"
#include "device/gpu/pack.h"
#include "device/options.h"

extern const ww_allocator ww__default_allocator;

/* A handle may have this many threads. */
enum { THREADS_MOST = 1024 };

/* "threads=N" behind "cpu:"; N from 1 to THREADS_MOST. */
static ww_status read_cpu_options(ww_device *device, const char *name, const char *options) {
    static const char key[] = "threads=";
    if (strncmp(options, key, sizeof key - 1))
        return ww__fail(device, WW_INVALID, "device \"%s\": \"%s\" is not an option of cpu; it has threads=N", name,
                        options);
    const char *number = options + sizeof key - 1;
    char *end;
    const unsigned long threads = strtoul(number, &end, 10);
    if (*number < '0' || *number > '9' || *end || threads < 1 || threads > THREADS_MOST)
        return ww__fail(device, WW_INVALID, "device \"%s\": \"%s\" is not a number of threads from 1 to %d", name,
                        number, THREADS_MOST);
    device->threads = (uint32_t)threads;
    return WW_OK;
}

static ww_status open_cpu(ww_device *device, const char *name, const char *options) {
    device->backend = WW__BACKEND_CPU;
    if (*options) WW_TRY(read_cpu_options(device, name, options));
    WW_TRY(ww__choose_vector(device));
    snprintf(device->description, sizeof device->description, "%u thread%s, %s vectors", device->threads,
             device->threads == 1 ? "" : "s", ww__vector_name(device->vector));
    return WW_OK;
}

/* The part of `name` behind "kind:", "" when it is just the kind, NULL when it is of another. */
static const char *options_behind(const char *name, const char *kind) {
    const size_t length = strlen(kind);
    if (strncmp(name, kind, length)) return NULL;
    if (!name[length]) return name + length;
    return name[length] == ':' ? name + length + 1 : NULL;
}

static ww_status open_driver(ww_device *device, ww__driver *driver, ww_status status, const char *why) {
    if (!driver) return ww__fail(device, status, "%s", why);
    snprintf(device->description, sizeof device->description, "%s", driver->description);
    return ww__gpu_open(device, driver);
}

/* K behind "cuda:". */
static ww_status open_cuda(ww_device *device, const char *name, const char *number, const ww_open_options *o) {
    char why[1024] = "", *end = NULL;
    ww_status status = WW_OK;
    const unsigned long index = strtoul(number, &end, 10);
    if (*number && (*number < '0' || *number > '9' || *end || index > 1000))
        return ww__fail(device, WW_INVALID, "device \"%s\": \"%s\" is not the number of a GPU", name, number);
    WW_CHECK(device, !o->cuda_context == !o->cuda_stream, WW_INVALID,
             "options has only one of cuda_context and cuda_stream");
    ww__driver *driver = ww__cuda_open((unsigned)index, o->cuda_context, o->cuda_stream, &status, why, sizeof why);
    return open_driver(device, driver, status, why);
}

static ww_status open_emulator(ww_device *device, const char *options) {
    char why[1024] = "";
    ww_status status = WW_OK;
    ww__driver *driver = ww__emulator_open(options, &status, why, sizeof why);
    return open_driver(device, driver, status, why);
}

static ww_status open_best(ww_device *device, const char *name, const ww_open_options *o) {
    if (!open_cuda(device, name, "", o)) return WW_OK;
    device->error[0] = 0; /* that there is no GPU is no error here */
    return open_cpu(device, name, "");
}

static ww_status open_named(ww_device *device, const char *name, const ww_open_options *o) {
    const char *options = options_behind(name, "cpu");
    if (options) return open_cpu(device, name, options);
    if ((options = options_behind(name, "cuda"))) return open_cuda(device, name, options, o);
    if ((options = options_behind(name, "emu"))) return open_emulator(device, options);
    if (!strcmp(name, "best")) return open_best(device, name, o);
    return ww__fail(
        device, WW_NO_DEVICE,
        "there is no device \"%s\"; there are \"cpu\", \"cpu:threads=N\", \"cuda\", \"cuda:K\", \"emu\" and \"best\"",
        name);
}

static ww_status check_options(ww_device *device, const ww_open_options *o) {
    WW_CHECK(device, o->threads <= THREADS_MOST, WW_INVALID, "options.threads is %u, at most %d are possible",
             o->threads, THREADS_MOST);
    WW_CHECK(device, !o->allocator.allocate == !o->allocator.release, WW_INVALID,
             "options.allocator has only one of allocate and release");
    WW_CHECK(device, o->host_memory <= WW_HOST_MEMORY_REFUSED, WW_INVALID,
             "options.host_memory is %u, which is not a ww_host_memory", o->host_memory);
    WW_CHECK(device, o->checks <= WW_CHECKS_OFF, WW_INVALID, "options.checks is %u, which is not a ww_checks",
             o->checks);
    return WW_OK;
}

/* Whether an environment variable asks for something: it is set, and not to 0. */
static bool asked(const char *variable) {
    const char *value = secure_getenv(variable);
    return value && *value && strcmp(value, "0");
}

static ww_status open_checks(ww_device *device, uint32_t checks) {
    const bool by_variable = asked("WARPWISE_CHECK");
    if (checks == WW_CHECKS_OFF || (checks == WW_CHECKS_AUTO && !by_variable)) return WW_OK;
    return ww__checks_open(device, by_variable || device->trace);
}

ww_status ww_open_with(const char *name, ww_device **device_out, const ww_open_options *options) {
    const size_t with_allocator = offsetof(ww_open_options, allocator) + sizeof options->allocator;
    ww_open_options o;
    if (!device_out) return WW_INVALID;
    *device_out = NULL;
    /* The handle comes from the caller's allocator, too: it is asked for before there is a handle to keep a sentence. */
    const bool own_memory = options && options->size >= with_allocator && options->allocator.allocate &&
                            options->allocator.release;
    const ww_allocator allocator = own_memory ? options->allocator : ww__default_allocator;
    ww_device *device = allocator.allocate(allocator.context, sizeof *device, 64);
    if (!device) return WW_MEMORY;
    memset(device, 0, sizeof *device);
    device->allocator = allocator;
    device->call = "ww_open";
    device->threads = ww__usable_threads();
    device->light_bytes = WW__LIGHT_BYTES;
    device->trace = asked("WARPWISE_TRACE");
    *device_out = device;

    ww_status status = ww__take_options(device, options, "WW_OPEN_OPTIONS", &o, sizeof o);
    if (!status) status = check_options(device, &o);
    if (!status) {
        if (o.threads) device->threads = o.threads;
        device->executor = o.executor;
        device->scratch_limit = o.scratch_limit;
        device->host_memory = o.host_memory;
        device->deterministic = o.deterministic || asked("WARPWISE_DETERMINISTIC");
        if (!name) name = secure_getenv("WARPWISE_DEVICE");
        status = open_named(device, name && *name ? name : "cpu", &o);
        if (!status) status = open_checks(device, o.checks);
    }
    device->failed = status != WW_OK;
    device->failure = status;
    return status;
}

ww_status ww_open(const char *name, ww_device **device) { return ww_open_with(name, device, NULL); }

void ww_close(ww_device *device) {
    if (!device) return;
    ww__give_up_forked(device);
    ww__pool_close(device);
    ww__checks_close(device);
    ww__gpu_enter(device);
    ww__scratch_release(device);
    ww__gpu_leave(device);
    ww__gpu_close(device);
    const ww_allocator allocator = device->allocator;
    allocator.release(allocator.context, device, sizeof *device);
}

static uint64_t main_memory(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

ww_status ww_device_info_get(ww_device *device, ww_device_info *info) {
    WW_TRY(ww__enter(device, "ww_device_info_get"));
    if (!info) return ww__leave(device, ww__fail(device, WW_INVALID, "info is NULL"));
    const ww__gpu *gpu = device->gpu;
    const ww_device_info made = {
        .backend = gpu ? gpu->driver->backend : "cpu",
        .description = device->description,
        .vector = gpu ? "warp" : ww__vector_name(device->vector),
        .threads = device->threads,
        .threads_started = ww__pool_started(device),
        .memory = gpu ? gpu->driver->memory : main_memory(),
        .scratch_held = device->blocks ? device->block[0].size : 0,
        .scratch_peak = device->scratch_peak,
        .scratch_limit = device->scratch_limit,
        .programs_compiled = gpu ? gpu->programs_compiled : 0,
        .programs_from_disk = gpu ? gpu->programs_from_disk : 0,
        .programs_from_pack = gpu ? gpu->programs_from_pack : 0,
        .kernel_pack = gpu && gpu->pack ? ww__pack_path(gpu->pack) : NULL,
        .kernel_pack_programs = gpu ? ww__pack_programs(gpu->pack, gpu->driver->architecture) : 0,
    };
    return ww__leave(device, ww__give_struct(device, &made, "WW_DEVICE_INFO", info, sizeof made));
}

static void tell_opened(void (*each)(void *context, const char *name, const char *description, const char *why_not),
                        void *context, const char *name) {
    ww_device *device = NULL;
    const ww_status status = ww_open(name, &device);
    each(context, name, status ? "" : device->description, status ? ww_error(device) : NULL);
    ww_close(device);
}

/* The emulator is not opened to be listed: that would load it and start a compiler. */
void ww_devices(void (*each)(void *context, const char *name, const char *description, const char *why_not),
                void *context) {
    char why[1024];
    if (!each) return;
    tell_opened(each, context, "cpu");
    tell_opened(each, context, "cuda");
    const bool there = ww__emulator_there(why, sizeof why);
    each(context, "emu", there ? "emulator of a GPU, opened only when it is asked for" : "", there ? NULL : why);
}
