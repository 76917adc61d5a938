/* A loop that a GPU runs by itself: a graph with one conditional node, whose body is a round or several (CUDA 12.4 and newer). */
#ifndef WW__CUDA_LOOP_H
#define WW__CUDA_LOOP_H

#include "device/cuda/api.h"
#include "device/kernel/round_of_loop.cuh"

/* What a loop is made of. The context is current; the stream is the one that rounds are queued on. */
typedef struct ww__cuda_loop {
    bool looked, there;    /* whether the driver has been asked, and has all of it */
    ww__cuda_loop_api api; /* if it has */
    CUmodule module;       /* of the kernels that say whether there is another round */
    CUfunction again, decide;
    bool waits; /* these wait for the kernel before them, and may be launched early */
    CUdeviceptr words,
        ended;           /* a u64 that counts rounds, and in the same piece one that is not 0 behind the last one */
    CUgraph graph, body; /* of the one that is being recorded; body is the driver's */
    uint64_t handle;
} ww__cuda_loop;

/* Begins to record a round. Anything but CUDA_SUCCESS: nothing was begun. CUDA_ERROR_NOT_SUPPORTED: the driver has no such loops. */
CUresult ww__cuda_loop_begin(ww__cuda_loop *loop, const ww__cuda_api *api, void *library, CUcontext context,
                             CUstream stream);
/* Between two rounds of one body: launches of the second do nothing where loop->ended is not 0, which is written here. */
CUresult ww__cuda_loop_next(ww__cuda_loop *loop, const ww__cuda_api *api, CUstream stream, const uint64_t *go_on,
                            uint64_t most, bool early);
/* Ends recording; *recorded says whether there is a graph that could be started. Then runs it, waits, and reads the rounds. early: the
 * kernel behind the round may be launched before the round's last one has ended (loop->waits). */
CUresult ww__cuda_loop_end(ww__cuda_loop *loop, const ww__cuda_api *api, CUstream stream, const uint64_t *go_on,
                           uint64_t most, bool early, uint64_t *rounds, bool *recorded);
void ww__cuda_loop_drop(ww__cuda_loop *loop, CUstream stream);
void ww__cuda_loop_close(ww__cuda_loop *loop, const ww__cuda_api *api);

#endif
