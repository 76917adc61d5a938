/* Outputs that are computed, on their way to kernels (device/kernel/into.cuh). */
#ifndef WW__GPU_INTO_H
#define WW__GPU_INTO_H

#include "device/gpu/gpu.h"

/* What of a function/into.h's ww__into kernels are told: arrays, where their elements stand in a row, the row's type, and a function
 * or NULL. */
typedef struct ww__gpu_into {
    const ww_function *function;
    const ww_type *row;
    size_t row_size;
    uint32_t many;
    const ww_array *array;
    const size_t *at;
    const ww_input *index; /* of ww_permuted_into, or NULL; and how many elements its arrays have */
    uint64_t room;
    bool some; /* elements of the arrays stay as they are */
} ww__gpu_into;

enum { WW__INTO_MOST = 1024 }; /* bytes of an element, and of a row */

void ww__recipe_into(ww__recipe *r, const ww__gpu_into *into);
/* The struct ww_into, behind all else. Arrays of one element may lie in the host's memory: `room` has where kernels write, for
 * ww__gpu_into_results. */
WW__LOOKED_AT ww_status ww__argument_into(ww_device *device, ww__arguments *a, const ww__gpu_into *into, void **room);
ww_status ww__gpu_into_results(ww_device *device, const ww__gpu_into *into, void *const *room);

#endif
