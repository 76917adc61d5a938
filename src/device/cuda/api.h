/* The part of the CUDA driver's interface that the library calls, and of NVRTC's: names, types and numbers as NVIDIA's
 * manuals give them. Nothing of it is linked; both libraries are opened when a GPU is asked for. */
#ifndef WW__CUDA_API_H
#define WW__CUDA_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int CUresult, CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef unsigned long long CUdeviceptr;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_LAST = 908, /* errors from the one above to this one are about capturing */
};

enum {
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_MEMHOSTALLOC_PORTABLE = 1,
};

enum { CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };

typedef struct CUlaunchAttribute {
    int id, padding;
    union {
        uint64_t words[8];
        int programmaticStreamSerializationAllowed;
        int cooperative;
    } value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig {
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned numAttrs;
} CUlaunchConfig;

enum {
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
    CU_GRAPH_NODE_TYPE_CONDITIONAL = 13,
    CU_GRAPH_COND_TYPE_WHILE = 1,
    CU_GRAPH_COND_ASSIGN_DEFAULT = 1,
};

typedef struct CUgraphNodeParams {
    int type, reserved0[3];
    union {
        long long reserved1[29];
        struct {
            uint64_t handle;
            int type;
            unsigned size;
            CUgraph *graphs; /* of the driver's: the node's bodies */
            CUcontext context;
        } conditional;
    } of;
    long long reserved2;
} CUgraphNodeParams;

/* The same for what newer drivers have, for loops: all of these or none. */
#define WW__CUDA_LOOP_FUNCTIONS(X) \
    X(cuGraphCreate, (CUgraph * graph, unsigned flags)) \
    X(cuGraphDestroy, (CUgraph graph)) \
    X(cuGraphConditionalHandleCreate, \
      (uint64_t * handle, CUgraph graph, CUcontext context, unsigned value, unsigned flags)) \
    X(cuGraphAddNode, \
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t many, CUgraphNodeParams *what)) \
    X(cuStreamBeginCaptureToGraph, \
      (CUstream stream, CUgraph graph, const CUgraphNode *after, const void *edges, size_t many, int mode)) \
    X(cuStreamEndCapture, (CUstream stream, CUgraph * graph)) \
    X(cuGraphInstantiateWithFlags, (CUgraphExec * runs, CUgraph graph, unsigned long long flags)) \
    X(cuGraphLaunch, (CUgraphExec runs, CUstream stream)) \
    X(cuGraphExecDestroy, (CUgraphExec runs))

typedef struct ww__cuda_loop_api {
#define WW__CUDA_LOOP_MEMBER(name, parameters) CUresult(*name) parameters;
    WW__CUDA_LOOP_FUNCTIONS(WW__CUDA_LOOP_MEMBER)
#undef WW__CUDA_LOOP_MEMBER
} ww__cuda_loop_api;

/* X(result, name, parameters): every function of the driver. */
#define WW__CUDA_FUNCTIONS(X) \
    X(cuInit, (unsigned flags)) \
    X(cuDriverGetVersion, (int *version)) \
    X(cuGetErrorString, (CUresult error, const char **text)) \
    X(cuDeviceGetCount, (int *count)) \
    X(cuDeviceGet, (CUdevice * device, int index)) \
    X(cuDeviceGetName, (char *name, int room, CUdevice device)) \
    X(cuDeviceGetAttribute, (int *value, int attribute, CUdevice device)) \
    X(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device)) \
    X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device)) \
    X(cuDevicePrimaryCtxRelease_v2, (CUdevice device)) \
    X(cuCtxPushCurrent_v2, (CUcontext context)) \
    X(cuCtxPopCurrent_v2, (CUcontext * context)) \
    X(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer)) \
    X(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags)) \
    X(cuMemGetInfo_v2, (size_t * unused, size_t * all)) \
    X(cuMemAlloc_v2, (CUdeviceptr * block, size_t bytes)) \
    X(cuMemFree_v2, (CUdeviceptr block)) \
    X(cuMemHostAlloc, (void **block, size_t bytes, unsigned flags)) \
    X(cuMemFreeHost, (void *block)) \
    X(cuPointerGetAttribute, (void *value, int attribute, CUdeviceptr pointer)) \
    X(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
    X(cuMemsetD8Async, (CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream)) \
    X(cuStreamCreate, (CUstream * stream, unsigned flags)) \
    X(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority)) \
    X(cuCtxGetStreamPriorityRange, (int *least, int *greatest)) \
    X(cuStreamDestroy_v2, (CUstream stream)) \
    X(cuStreamSynchronize, (CUstream stream)) \
    X(cuStreamQuery, (CUstream stream)) \
    X(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags)) \
    X(cuEventCreate, (CUevent * event, unsigned flags)) \
    X(cuEventRecord, (CUevent event, CUstream stream)) \
    X(cuEventDestroy_v2, (CUevent event)) \
    X(cuStreamIsCapturing, (CUstream stream, int *status)) \
    X(cuModuleLoadData, (CUmodule * module, const void *image)) \
    X(cuModuleUnload, (CUmodule module)) \
    X(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name)) \
    X(cuFuncGetAttribute, (int *value, int attribute, CUfunction function)) \
    X(cuFuncSetAttribute, (CUfunction function, int attribute, int value)) \
    X(cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra))

typedef struct ww__cuda_api {
#define WW__CUDA_MEMBER(name, parameters) CUresult(*name) parameters;
    WW__CUDA_FUNCTIONS(WW__CUDA_MEMBER)
#undef WW__CUDA_MEMBER
} ww__cuda_api;

/* Opens the driver's library. False, with the sentence in `why`, where there is none or it is too old. */
bool ww__cuda_api_open(ww__cuda_api *api, void **library, char *why, size_t room);

/* False where the driver lacks one of them. */
bool ww__cuda_loop_api_open(ww__cuda_loop_api *api, void *library);

typedef struct _nvrtcProgram *nvrtcProgram;
typedef int nvrtcResult;
enum { NVRTC_SUCCESS = 0, NVRTC_ERROR_COMPILATION = 6 };

#define WW__NVRTC_FUNCTIONS(X) \
    X(nvrtcVersion, (int *major, int *minor)) \
    X(nvrtcGetNumSupportedArchs, (int *count)) \
    X(nvrtcGetSupportedArchs, (int *architectures)) \
    X(nvrtcCreateProgram, (nvrtcProgram * program, const char *source, const char *name, int headers, \
                           const char *const *texts, const char *const *names)) \
    X(nvrtcDestroyProgram, (nvrtcProgram * program)) \
    X(nvrtcCompileProgram, (nvrtcProgram program, int options, const char *const *option)) \
    X(nvrtcGetCUBINSize, (nvrtcProgram program, size_t * bytes)) \
    X(nvrtcGetCUBIN, (nvrtcProgram program, char *cubin)) \
    X(nvrtcGetPTXSize, (nvrtcProgram program, size_t * bytes)) \
    X(nvrtcGetPTX, (nvrtcProgram program, char *ptx)) \
    X(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t * bytes)) \
    X(nvrtcGetProgramLog, (nvrtcProgram program, char *log))

typedef struct ww__nvrtc_api {
#define WW__NVRTC_MEMBER(name, parameters) nvrtcResult(*name) parameters;
    WW__NVRTC_FUNCTIONS(WW__NVRTC_MEMBER)
#undef WW__NVRTC_MEMBER
} ww__nvrtc_api;

/* Opens the newest NVRTC that a driver of `driver_major` runs the output of: WARPWISE_NVRTC (a file), the loader's own
 * search, the toolkit's folder, the folders that Python packages put it in (below HOME only what device/trust.h trusts). */
bool ww__nvrtc_api_open(ww__nvrtc_api *api, void **library, int driver_major, char *why, size_t room);

#endif
