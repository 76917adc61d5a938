/* The host side of choosing elements on a GPU (primitive/pack/choose.cuh), which pack, split and unique share. */
#ifndef WW__CHOOSE_GPU_H
#define WW__CHOOSE_GPU_H

#include "device/gpu/batch.h"
#include "function/function.h"

typedef struct ww__choosing {
    ww_device *device;
    const ww_input *in;
    const ww_input *flags;        /* by flags, */
    const ww_function *predicate; /* or by a WW_MAP, */
    const ww_function *equal;     /* or where a WW_MAP2 says that neighbours differ, or (all are NULL) their bytes do */
    const ww_array *out, *total;  /* total: how many are of the first side */
    bool split, reversed;
    bool counted; /* the kernel looks at a count on the device */
} ww__choosing;

/* piece: bytes of the words in which long elements are copied; 0 where elements stand in registers. */
typedef struct ww__choose_plan {
    ww__tiling tiling;
    uint32_t piece;
    bool bytes; /* ww__chooses_bytes */
} ww__choose_plan;

/* Whether elements are moved as bytes, of which the kernel is told how many an element has: where nothing compiles programs of
 * their size. */
bool ww__chooses_bytes(const ww_device *device, const ww_input *in);
/* For a kernel of `file`. LIMIT for elements that are too long. */
ww_status ww__choose_plan_make(const ww__choosing *c, const char *file, ww__choose_plan *plan);

/* Queues `kernel` of `file`. ones: of a stable split, the number of the second side's elements in the GPU's memory, or NULL.
 * Where the total goes to memory that kernels do not reach it has been waited for, and *total is it; else *total is 0. */
ww_status ww__choose_gpu(const ww__choosing *c, const ww__choose_plan *plan, const char *file, const char *kernel,
                         const void *ones, uint64_t *total);

/* The part of the recipe that is before the inputs, and the environment's part of the arguments. */
void ww__choose_recipe(ww__recipe *r, const ww__choosing *c, const ww__choose_plan *plan, const char *file);
ww_status ww__choose_environment(const ww__choosing *c, ww__arguments *a);

#endif
