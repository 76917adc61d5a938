/* A CUDA driver that has a GPU's description and no GPU: memory is the host's, copies are made, kernels are not run. It is built as
 * libcuda.so.1 and put before the loader, so that the library, the command and the tests go the way that they go where there is only
 * NVIDIA's driver, on a machine that has none. What kernels would have written stays as it was.
 *
 *     WARPWISE_IDLE_GPU=ARCHITECTURE:PROCESSORS:SHARED      what it is said to be: 90:132:232448 where it is not set
 *     WARPWISE_IDLE_MEMORY=255                              all bytes of memory when it is taken: 0 where it is not set */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/api.h"

/* What is declared in api.h as members of a table is defined here as functions. */
#define DECLARE(name, parameters) CUresult name parameters;
WW__CUDA_FUNCTIONS(DECLARE)
#undef DECLARE

typedef struct gpu {
    unsigned architecture, processors, shared;
} gpu;

static gpu described(void) {
    gpu g = {90, 132, 232448};
    const char *text = secure_getenv("WARPWISE_IDLE_GPU");
    if (text && sscanf(text, "%u:%u:%u", &g.architecture, &g.processors, &g.shared) != 3) abort();
    return g;
}

/* ---- memory: blocks that were allocated are the GPU's, or pinned; all others are the host's own ---- */

typedef struct block {
    struct block *next;
    unsigned char *at;
    size_t bytes;
    unsigned kind; /* CU_MEMORYTYPE_… */
} block;

static block *blocks;

static int first_byte(void) {
    const char *text = secure_getenv("WARPWISE_IDLE_MEMORY");
    return text ? atoi(text) : 0;
}

static CUresult take(size_t bytes, unsigned kind, void **at) {
    enum { ALIGNMENT = 256 };
    block *b = malloc(sizeof *b);
    const size_t room = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    *at = b ? aligned_alloc(ALIGNMENT, room) : NULL;
    if (!*at) {
        free(b);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memset(*at, first_byte(), room);
    *b = (block){blocks, *at, room, kind};
    blocks = b;
    return CUDA_SUCCESS;
}

static CUresult give(const void *at) {
    for (block **b = &blocks, *found; (found = *b); b = &found->next) {
        if (found->at != at) continue;
        *b = found->next;
        free(found->at);
        free(found);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static unsigned kind_of(const unsigned char *at) {
    for (const block *b = blocks; b; b = b->next)
        if (at >= b->at && at < b->at + b->bytes) return b->kind;
    return 0;
}

static void *pointer(CUdeviceptr at) { return (void *)(uintptr_t)at; }

CUresult cuMemAlloc_v2(CUdeviceptr *at, size_t bytes) {
    void *memory;
    const CUresult result = take(bytes, CU_MEMORYTYPE_DEVICE, &memory);
    *at = (CUdeviceptr)(uintptr_t)memory;
    return result;
}
CUresult cuMemFree_v2(CUdeviceptr at) { return give(pointer(at)); }
CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned flags) {
    (void)flags;
    return take(bytes, CU_MEMORYTYPE_HOST, at);
}
CUresult cuMemFreeHost(void *at) { return give(at); }
CUresult cuMemGetInfo_v2(size_t *unused, size_t *all) {
    *unused = *all = (size_t)1 << 35;
    return CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr at) {
    const unsigned kind = kind_of(pointer(at)), wanted = attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ? kind : 0;
    if (kind) memcpy(value, &wanted, sizeof wanted);
    return kind ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    (void)stream;
    memmove(pointer(to), pointer(from), bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream) {
    (void)stream;
    memset(pointer(to), byte, bytes);
    return CUDA_SUCCESS;
}

/* ---- what it is ---- */

CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) {
    *version = 13000;
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "invalid argument";
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
    *count = 1;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int index) {
    *device = index;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int room, CUdevice device) {
    (void)device;
    snprintf(name, (size_t)room, "no GPU");
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    (void)device;
    *bytes = (size_t)1 << 35;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    const gpu g = described();
    (void)device;
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
        *value = INT32_MAX;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = (int)g.processors;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = (int)g.architecture / 10;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = (int)g.architecture % 10;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = (int)g.shared;
        break;
    default:
        *value = 0;
    }
    return CUDA_SUCCESS;
}

/* ---- contexts, streams, events, programs: names for nothing ---- */

static int nothing;

#define GIVES_NOTHING(name, type, parameters) \
    CUresult name parameters { \
        *made = (type)(void *)&nothing; \
        return CUDA_SUCCESS; \
    }
#define DOES_NOTHING(name, parameters) \
    CUresult name parameters { return CUDA_SUCCESS; }

#pragma GCC diagnostic ignored "-Wunused-parameter"
GIVES_NOTHING(cuDevicePrimaryCtxRetain, CUcontext, (CUcontext * made, CUdevice device))
DOES_NOTHING(cuDevicePrimaryCtxRelease_v2, (CUdevice device))
DOES_NOTHING(cuCtxPushCurrent_v2, (CUcontext context))
GIVES_NOTHING(cuCtxPopCurrent_v2, CUcontext, (CUcontext * made))
GIVES_NOTHING(cuStreamCreate, CUstream, (CUstream * made, unsigned flags))
GIVES_NOTHING(cuStreamCreateWithPriority, CUstream, (CUstream * made, unsigned flags, int priority))
DOES_NOTHING(cuCtxGetStreamPriorityRange, (int *least, int *greatest))
DOES_NOTHING(cuStreamDestroy_v2, (CUstream stream))
DOES_NOTHING(cuStreamSynchronize, (CUstream stream))
DOES_NOTHING(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))
DOES_NOTHING(cuStreamQuery, (CUstream stream))
DOES_NOTHING(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags))
DOES_NOTHING(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))
GIVES_NOTHING(cuEventCreate, CUevent, (CUevent * made, unsigned flags))
DOES_NOTHING(cuEventRecord, (CUevent event, CUstream stream))
DOES_NOTHING(cuEventDestroy_v2, (CUevent event))
GIVES_NOTHING(cuModuleLoadData, CUmodule, (CUmodule * made, const void *image))
DOES_NOTHING(cuModuleUnload, (CUmodule module))
GIVES_NOTHING(cuModuleGetFunction, CUfunction, (CUfunction * made, CUmodule module, const char *name))
DOES_NOTHING(cuFuncSetAttribute, (CUfunction function, int attribute, int value))
DOES_NOTHING(cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra))

CUresult cuStreamIsCapturing(CUstream stream, int *status) {
    *status = 0;
    return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
    *value = 0;
    return CUDA_SUCCESS;
}
