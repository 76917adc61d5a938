/* Compiling kernel text for NVIDIA GPUs with NVRTC, which is opened when the first program must be compiled. */
#ifndef WW__CUDA_COMPILER_H
#define WW__CUDA_COMPILER_H

#include "device/cuda/api.h"
#include "device/gpu/driver.h"

typedef struct ww__cuda_compiler {
    ww__nvrtc_api api;
    void *library;    /* NULL until it is opened */
    bool missing;     /* it was looked for, and is not here */
    int driver_major; /* of the CUDA version that the driver serves */
    int architecture; /* 90 for sm_90 */
    bool portable;    /* PTX in any case, for GPUs from that architecture on */
    bool sooner;      /* optimised less, in half the time; as `quick`'s, older NVRTCs may refuse */
    bool quick;       /* hardly optimised, to see whether it compiles; NVRTC may be too old for this and refuse */
} ww__cuda_compiler;

/* A program for the architecture: machine code where this NVRTC knows it, else PTX that the driver compiles. On failure
 * the sentence, or what the compiler says, is in `why`. */
ww_status ww__cuda_compile(ww__cuda_compiler *compiler, const char *source, const ww__header *headers, ww__code *code,
                           char *why, size_t room);
bool ww__cuda_compiler_there(ww__cuda_compiler *compiler);
void ww__cuda_compiler_close(ww__cuda_compiler *compiler);

#endif
