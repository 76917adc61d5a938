/* See cuda.h. The context is current only while a call of the library is under way (enter, leave), so that a caller's own
 * stays what it was. A failure that has left the context unusable (an illegal access) is WW_LOST. */
#include "device/cuda/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/compiler.h"
#include "device/cuda/loop.h"

/* What launches have asked the driver about a kernel, which takes it longer than to find it here. */
typedef struct asked {
    CUfunction kernel;
    size_t shared; /* more than this is to be asked for */
    bool told, waits;
} asked;
enum { ASKED = 256, UNASKED = 47 << 10 /* 48 KiB need not be asked for, of which a kernel may declare some itself */ };

typedef struct cuda {
    ww__driver driver; /* first: the table is what others hold */
    ww__cuda_api api;
    void *library;
    ww__cuda_compiler compiler;
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUstream aside[WW__ASIDES]; /* made when a copy first goes there */
    CUevent met[WW__ASIDES + 1];
    ww__cuda_loop loop;
    bool recording;         /* a loop */
    bool overlaps;          /* launches in it, */
    bool behind;            /* of which the last thing queued was one */
    bool never, retry;      /* the driver does not take loops with launches that overlap; it has just been seen */
    bool several;           /* in it are only launches that look whether to do nothing */
    ww_round_of_loop round; /* what the next launch is told of the one that is recorded */
    bool own_context, own_stream;
    asked asked[ASKED]; /* by address; of two in one place the last */
} cuda;

static bool is_of_capture(CUresult result) {
    return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result <= CUDA_ERROR_STREAM_CAPTURE_LAST;
}

/* Errors of calls that asked for too much, or asked wrongly; all others mean that the GPU or its context is gone. */
static ww_status status_of(CUresult result) {
    switch (result) {
    case CUDA_SUCCESS:
        return WW_OK;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return WW_MEMORY;
    case CUDA_ERROR_INVALID_VALUE:
        return WW_INVALID;
    default:
        return is_of_capture(result) ? WW_UNSUPPORTED : WW_LOST;
    }
}

static ww_status said(cuda *c, CUresult result, const char *what) {
    const char *text = NULL;
    if (!result) return WW_OK;
    if (c->api.cuGetErrorString(result, &text) || !text) text = "an error without a name";
    snprintf(c->driver.why, sizeof c->driver.why, "%s: the CUDA driver says: %s (%d)%s", what, text, result,
             is_of_capture(result)
                 ? "; to be captured in a graph, a call must have been made once before as it is, and "
                   "have its results in the GPU's memory"
                 : "");
    return status_of(result);
}

static cuda *of(ww__driver *driver) { return (cuda *)(void *)driver; }

static void enter(ww__driver *driver) { of(driver)->api.cuCtxPushCurrent_v2(of(driver)->context); }
static void leave(ww__driver *driver) {
    CUcontext ours;
    of(driver)->api.cuCtxPopCurrent_v2(&ours);
}

static CUdeviceptr address(const void *pointer) { return (CUdeviceptr)(uintptr_t)pointer; }

static ww_status allocate(ww__driver *driver, size_t bytes, void **block) {
    cuda *c = of(driver);
    CUdeviceptr memory = 0;
    *block = NULL;
    const CUresult result = c->api.cuMemAlloc_v2(&memory, bytes);
    if (result) {
        size_t unused = 0, all = 0;
        c->api.cuMemGetInfo_v2(&unused, &all);
        if (result != CUDA_ERROR_OUT_OF_MEMORY) return said(c, result, "memory of the GPU");
        snprintf(driver->why, sizeof driver->why,
                 "%zu bytes of the GPU's memory are needed and %zu of its %zu are free", bytes, unused, all);
        return WW_MEMORY;
    }
    *block = (void *)(uintptr_t)memory;
    return WW_OK;
}

static void release(ww__driver *driver, void *block) { of(driver)->api.cuMemFree_v2(address(block)); }

static ww_status allocate_host(ww__driver *driver, size_t bytes, void **block) {
    return said(of(driver), of(driver)->api.cuMemHostAlloc(block, bytes, CU_MEMHOSTALLOC_PORTABLE),
                "pinned host memory");
}

static void release_host(ww__driver *driver, void *block) { of(driver)->api.cuMemFreeHost(block); }

static ww__place place(ww__driver *driver, const void *pointer) {
    cuda *c = of(driver);
    unsigned type = 0, managed = 0;
    if (c->api.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pointer)))
        return WW__PLACE_UNREACHABLE;
    if (!c->api.cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address(pointer)) && managed)
        return WW__PLACE_HOST;
    return type == CU_MEMORYTYPE_HOST ? WW__PLACE_HOST : WW__PLACE_DEVICE;
}

static bool reaches(ww__driver *driver, const void *pointer) {
    unsigned type = 0;
    return !of(driver)->api.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pointer));
}

static ww_status sync(ww__driver *driver) {
    return said(of(driver), of(driver)->api.cuStreamSynchronize(of(driver)->stream), "waiting for the GPU");
}

static void *stream(ww__driver *driver) { return of(driver)->stream; }

static ww_status idle(ww__driver *driver, bool *is) {
    const CUresult result = of(driver)->api.cuStreamQuery(of(driver)->stream);
    *is = result != CUDA_ERROR_NOT_READY;
    return *is ? said(of(driver), result, "waiting for the GPU") : WW_OK;
}

static bool capturing(ww__driver *driver) {
    int status = 0;
    return !of(driver)->api.cuStreamIsCapturing(of(driver)->stream, &status) && status;
}

static ww_status copy(ww__driver *driver, void *to, const void *from, size_t bytes) {
    cuda *c = of(driver);
    if (!bytes) return WW_OK;
    c->behind = c->several = false;
    const ww_status status = said(c, c->api.cuMemcpyAsync(address(to), address(from), bytes, c->stream), "a copy");
    if (status) return status;
    /* The driver has read memory that is not pinned when it returns; what it writes there it may still be writing. */
    return place(driver, to) == WW__PLACE_UNREACHABLE ? sync(driver) : WW_OK;
}

/* What could be made of them when a call fails is there for the next one. */
static ww_status make_asides(cuda *c) {
    int least = 0, first = 0; /* kernels of another library's, which move what others wait for, go before this one's */
    CUresult result = c->aside[0] ? CUDA_SUCCESS : c->api.cuCtxGetStreamPriorityRange(&least, &first);
    for (int k = 0; k < WW__ASIDES && !result; k++)
        if (!c->aside[k]) result = c->api.cuStreamCreateWithPriority(&c->aside[k], CU_STREAM_NON_BLOCKING, first);
    for (int k = 0; k <= WW__ASIDES && !result; k++)
        if (!c->met[k]) result = c->api.cuEventCreate(&c->met[k], CU_EVENT_DISABLE_TIMING);
    return said(c, result, "streams for copies");
}

static ww_status copy_aside(ww__driver *driver, ww__aside aside, void *to, const void *from, size_t bytes) {
    cuda *c = of(driver);
    if (!bytes) return WW_OK;
    const ww_status status = make_asides(c);
    return status ? status
                  : said(c, c->api.cuMemcpyAsync(address(to), address(from), bytes, c->aside[aside]), "a copy");
}

static void *stream_aside(ww__driver *driver, ww__aside aside) {
    cuda *c = of(driver);
    return make_asides(c) ? NULL : c->aside[aside];
}

static ww_status meet(ww__driver *driver) {
    cuda *c = of(driver);
    const ww_status status = make_asides(c);
    if (status) return status;
    const CUstream streams[WW__ASIDES + 1] = {c->aside[WW__ASIDE_IN], c->aside[WW__ASIDE_OUT], c->stream};
    CUresult result = CUDA_SUCCESS;
    for (int k = 0; k <= WW__ASIDES && !result; k++) result = c->api.cuEventRecord(c->met[k], streams[k]);
    for (int k = 0; k <= WW__ASIDES; k++)
        for (int other = 0; other <= WW__ASIDES && !result; other++)
            if (other != k) result = c->api.cuStreamWaitEvent(streams[k], c->met[other], 0);
    return said(c, result, "streams that wait for each other");
}

/* A peer that is mapped already, by this handle or by the caller, is as good. */
static bool reach(ww__driver *driver, const ww__driver *other) {
    cuda *c = of(driver);
    const cuda *o = (const cuda *)(const void *)other;
    int can = 0;
    if (o->context == c->context) return true;
    if (c->api.cuDeviceCanAccessPeer(&can, c->device, o->device) || !can) return false;
    const CUresult result = c->api.cuCtxEnablePeerAccess(o->context, 0);
    return !result || result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

static ww_status fill(ww__driver *driver, void *to, unsigned char byte, size_t bytes) {
    cuda *c = of(driver);
    if (bytes) c->behind = c->several = false;
    return bytes ? said(c, c->api.cuMemsetD8Async(address(to), byte, bytes, c->stream), "filling memory") : WW_OK;
}

static ww_status compile(ww__driver *driver, const char *source, const ww__header *headers, ww__code *code) {
    return ww__cuda_compile(&of(driver)->compiler, source, headers, code, driver->why, sizeof driver->why);
}

static bool compiles(ww__driver *driver) { return ww__cuda_compiler_there(&of(driver)->compiler); }

static ww_status load(ww__driver *driver, const ww__code *code, void **program) {
    CUmodule module = NULL;
    const ww_status status = said(of(driver), of(driver)->api.cuModuleLoadData(&module, code->bytes),
                                  "loading a program");
    *program = module;
    return status;
}

/* Another kernel may come to lie where one was. */
static void unload(ww__driver *driver, void *program) {
    memset(of(driver)->asked, 0, sizeof of(driver)->asked);
    of(driver)->api.cuModuleUnload(program);
}

static ww_status find(ww__driver *driver, void *program, const char *name, void **kernel) {
    CUfunction function = NULL;
    const ww_status status = said(of(driver), of(driver)->api.cuModuleGetFunction(&function, program, name), name);
    *kernel = function;
    return status;
}

static asked *asked_of(cuda *c, CUfunction kernel) {
    enum { STEP = 64 };
    asked *const a = &c->asked[(uintptr_t)kernel / STEP % ASKED];
    if (a->kernel != kernel) *a = (asked){.kernel = kernel, .shared = UNASKED};
    return a;
}

/* Whether a kernel's ww_wait_before waits. What was compiled for older GPUs, as a pack's PTX is and an old NVRTC's, has nothing
 * there, on newer GPUs too. */
static bool waits(const cuda *c, asked *a) {
    enum { SINCE = 90 };
    int compiled_for = 0;
    if (!a->told)
        a->waits = !c->api.cuFuncGetAttribute(&compiled_for, CU_FUNC_ATTRIBUTE_PTX_VERSION, a->kernel) &&
                   compiled_for >= SINCE;
    a->told = true;
    return a->waits;
}

static ww_status launch(ww__driver *driver, void *kernel, uint64_t blocks, uint32_t threads, size_t shared,
                        const void *arguments, size_t bytes, ww__launch_when when) {
    cuda *c = of(driver);
    /* The driver reads the whole of the kernel's struct, of which `arguments` is all. */
    void *parameters[] = {(void *)(uintptr_t)arguments, &c->round}; /* of which most kernels take the first alone */
    asked *const known = asked_of(c, kernel);
    (void)bytes;
    if (shared > known->shared) {
        const ww_status status = said(
            c, c->api.cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared),
            "shared memory");
        if (status) return status;
        known->shared = shared;
    }
    const bool may = when == WW__LAUNCH_EARLY            ? !capturing(driver)
                     : when == WW__LAUNCH_EARLY_IN_LOOPS ? c->recording && c->behind && !c->never
                                                         : false;
    const bool early = may && waits(c, known);
    const bool together = when == WW__LAUNCH_TOGETHER;
    CUlaunchAttribute how = {.id = together ? CU_LAUNCH_ATTRIBUTE_COOPERATIVE
                                            : CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                             .value = {.words = {0}}};
    if (together)
        how.value.cooperative = 1;
    else
        how.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig config = {(unsigned)blocks, 1,         1,    threads,          1, 1,
                                   (unsigned)shared, c->stream, &how, together || early};
    c->behind = c->recording;
    c->overlaps |= c->recording && early;
    c->several &= when == WW__LAUNCH_EARLY_IN_LOOPS;
    const ww_status status = said(c, c->api.cuLaunchKernelEx(&config, kernel, parameters, NULL), "starting a kernel");
    c->round.decided = c->round.ended != NULL;
    return status;
}

/* Whatever keeps a loop from being recorded, the host can run it. */
static ww_status loop_begin(ww__driver *driver) {
    cuda *c = of(driver);
    const CUresult result = ww__cuda_loop_begin(&c->loop, &c->api, c->library, c->context, c->stream);
    c->recording = !result;
    c->behind = c->overlaps = c->retry = false;
    c->several = true;
    return result ? WW_UNSUPPORTED : WW_OK;
}

static bool loop_several(ww__driver *driver) { return of(driver)->several; }

static ww_status loop_next(ww__driver *driver, const uint64_t *go_on, uint64_t most) {
    cuda *c = of(driver);
    const bool early = c->behind && !c->never && c->loop.waits;
    const CUresult result = ww__cuda_loop_next(&c->loop, &c->api, c->stream, go_on, most, early);
    c->behind = true;
    c->overlaps |= early;
    c->round = (ww_round_of_loop){(const uint64_t *)(uintptr_t)c->loop.ended, 0};
    return said(c, result, "a loop");
}

static ww_status loop_end(ww__driver *driver, const uint64_t *go_on, uint64_t most, uint64_t *rounds) {
    cuda *c = of(driver);
    const bool early = c->behind && !c->never && c->loop.waits;
    bool recorded = false;
    c->overlaps |= early;
    const CUresult result = ww__cuda_loop_end(&c->loop, &c->api, c->stream, go_on, most, early, rounds, &recorded);
    c->recording = false;
    c->round = (ww_round_of_loop){NULL, 0};
    c->retry = !recorded && c->overlaps;
    c->never |= c->retry;
    return recorded ? said(c, result, "a loop") : WW_UNSUPPORTED;
}

static void loop_drop(ww__driver *driver) {
    cuda *c = of(driver);
    ww__cuda_loop_drop(&c->loop, c->stream);
    c->recording = false;
    c->round = (ww_round_of_loop){NULL, 0};
}

static bool loop_retry(ww__driver *driver) { return of(driver)->retry; }

static void close(ww__driver *driver) {
    cuda *c = of(driver);
    if (c->context) {
        enter(driver);
        ww__cuda_loop_close(&c->loop, &c->api);
        if (c->own_stream && c->stream) c->api.cuStreamDestroy_v2(c->stream);
        for (int k = 0; k < WW__ASIDES; k++)
            if (c->aside[k]) c->api.cuStreamDestroy_v2(c->aside[k]);
        for (int k = 0; k <= WW__ASIDES; k++)
            if (c->met[k]) c->api.cuEventDestroy_v2(c->met[k]);
        leave(driver);
        if (c->own_context) c->api.cuDevicePrimaryCtxRelease_v2(c->device);
    }
    ww__cuda_compiler_close(&c->compiler);
    dlclose(c->library);
    free(c);
}

static int attribute(cuda *c, int which) {
    int value = 0;
    c->api.cuDeviceGetAttribute(&value, which, c->device);
    return value;
}

static ww_status describe(cuda *c, int version) {
    char name[96] = "";
    size_t memory = 0;
    c->api.cuDeviceGetName(name, sizeof name, c->device);
    c->api.cuDeviceTotalMem_v2(&memory, c->device);
    ww__driver *d = &c->driver;
    d->backend = "cuda";
    d->processors = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    d->blocks_most = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
    d->shared_most = (size_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    d->memory = memory;
    d->reaches_all = attribute(c, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) == 1;
    c->compiler.driver_major = version / 1000;
    c->compiler.architecture = 10 * attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                               attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    snprintf(d->description, sizeof d->description, "%.60s, %u processors, %.0f GiB, CUDA %d.%d", name, d->processors,
             (double)memory / (1 << 30), version / 1000, version % 1000 / 10);
    d->architecture = (uint32_t)c->compiler.architecture;
    snprintf(d->compiler, sizeof d->compiler, "cuda %d sm_%d", version, c->compiler.architecture);
    if (c->compiler.architecture >= 70) return WW_OK;
    snprintf(d->why, sizeof d->why, "%s is of compute capability %d.%d; 7.0 or newer is needed", name,
             c->compiler.architecture / 10, c->compiler.architecture % 10);
    return WW_UNSUPPORTED;
}

static ww_status choose_device(cuda *c, unsigned index) {
    int many = 0;
    ww_status status = said(c, c->api.cuInit(0), "the NVIDIA driver does not start");
    if (!status) status = said(c, c->api.cuDeviceGetCount(&many), "counting GPUs");
    if (status) return WW_NO_DEVICE;
    if (index < (unsigned)many) return said(c, c->api.cuDeviceGet(&c->device, (int)index), "the GPU");
    snprintf(c->driver.why, sizeof c->driver.why,
             many ? "there is no GPU %u: the driver has %d, counted from 0"
                  : "the NVIDIA driver has no GPU %u (it has %d)",
             index, many);
    return WW_NO_DEVICE;
}

static ww_status start(cuda *c, unsigned index, void *context, void *stream) {
    int version = 0;
    ww_status status = choose_device(c, index);
    if (status) return status;
    c->api.cuDriverGetVersion(&version);
    status = describe(c, version);
    if (status) return status;
    c->own_context = !context;
    c->own_stream = !stream;
    c->context = context;
    c->stream = stream;
    if (c->own_context) status = said(c, c->api.cuDevicePrimaryCtxRetain(&c->context, c->device), "opening the GPU");
    if (status || !c->own_stream) return status;
    enter(&c->driver);
    status = said(c, c->api.cuStreamCreate(&c->stream, CU_STREAM_NON_BLOCKING), "a stream");
    leave(&c->driver);
    return status;
}

static const ww__driver functions = {
    .close = close,
    .enter = enter,
    .leave = leave,
    .allocate = allocate,
    .release = release,
    .allocate_host = allocate_host,
    .release_host = release_host,
    .place = place,
    .reaches = reaches,
    .copy = copy,
    .copy_aside = copy_aside,
    .meet = meet,
    .reach = reach,
    .fill = fill,
    .sync = sync,
    .stream = stream,
    .stream_aside = stream_aside,
    .idle = idle,
    .capturing = capturing,
    .compiles = compiles,
    .compile = compile,
    .load = load,
    .unload = unload,
    .find = find,
    .launch = launch,
    .loop_begin = loop_begin,
    .loop_several = loop_several,
    .loop_next = loop_next,
    .loop_end = loop_end,
    .loop_drop = loop_drop,
    .loop_retry = loop_retry,
};

ww__driver *ww__cuda_open(unsigned index, void *context, void *stream, ww_status *status, char *why, size_t room) {
    cuda *c = calloc(1, sizeof *c);
    *status = WW_MEMORY;
    if (!c) return NULL;
    c->driver = functions;
    *status = WW_NO_DEVICE;
    if (!ww__cuda_api_open(&c->api, &c->library, why, room)) {
        free(c);
        return NULL;
    }
    *status = start(c, index, context, stream);
    if (!*status) return &c->driver;
    snprintf(why, room, "%s%s", c->driver.why,
             *status == WW_LOST
                 ? "; if a kernel has failed in this process before, only starting the program again helps"
                 : "");
    close(&c->driver);
    return NULL;
}
