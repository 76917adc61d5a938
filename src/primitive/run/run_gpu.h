/* What the host sides of runs on a GPU share. */
#ifndef WW__RUN_GPU_H
#define WW__RUN_GPU_H

#include "device/gpu/batch.h"
#include "function/function.h"
#include "primitive/run/run.h"

/* How the keys are compared: in registers, or beforehand where they are long; then *by is an input of flags. equal: a WW_MAP2, or
 * NULL for their bytes. */
ww_status ww__run_heads(ww_device *device, const ww_input *keys, const ww_function *equal, ww_input *by, bool *marked);

/* The kernels' numbers, and what compares the keys: NULL for their bytes, and where they have been marked. Its environment is
 * the first member of the kernels' arguments behind the fixed ones. */
void ww__run_recipe(ww__recipe *r, const char *file, const ww__tiling *tiling, const ww_function *equal, bool marked,
                    bool packed);
ww_status ww__run_environment(ww_device *device, ww__arguments *a, const ww_function *equal, bool marked);

/* The elements of the runs alone, and their number, which is waited for where it goes to memory that kernels do not reach:
 * then it is *runs, else 0. */
ww_status ww__run_values_gpu(ww_device *device, const ww_input *keys, const ww_function *equal, const ww_array *values,
                             const ww_array *total, uint64_t *runs);

/* As ww__run_lengths_gpu, but r->lengths gets where each run begins, and then where the last one ends: it has room for one more. */
ww_status ww__run_begins_gpu(ww_device *device, const ww__run_lengths_request *r, uint64_t *runs);

/* Where a kernel writes `out`: a single element may go to the host's memory; `kept`: the kernel may leave it as it is. out may be
 * ww_none. */
ww_status ww__run_room(ww_device *device, const ww_array *out, bool kept, void **room);
ww_status ww__run_result(ww_device *device, const ww_array *out, const void *room);
/* The number of runs from where a kernel wrote it; *runs as above. */
ww_status ww__run_count(ww_device *device, const ww_array *total, const void *room, uint64_t *runs);

#endif
