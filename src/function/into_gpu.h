/* The host side of outputs that are computed, on a GPU. */
#ifndef WW__INTO_GPU_H
#define WW__INTO_GPU_H

#include "device/gpu/into.h"
#include "function/into.h"

/* What a GPU takes; elements that are too long for it are LIMIT. */
static inline ww__gpu_into ww__into_gpu(const ww__into *into) {
    return (ww__gpu_into){into->function,
                          into->row,
                          into->row_size,
                          into->many,
                          into->array,
                          into->at,
                          into->permuted ? &into->index : NULL,
                          into->room,
                          into->permuted};
}
/* Its arrays alone, for a call that says which elements go where. */
static inline ww__gpu_into ww__into_members_gpu(const ww__into *into) {
    return (ww__gpu_into){NULL, into->row, into->row_size, into->many, into->array, into->at, NULL, into->room, true};
}
ww_status ww__check_into_size(ww_device *device, const ww__into *into);

#endif
