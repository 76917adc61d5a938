/* What the host sides of merging and sets share on GPUs: tiles of the merge path (path.cuh). */
#ifndef WW__PATH_GPU_H
#define WW__PATH_GPU_H

#include "device/gpu/gpu.h"

typedef struct ww__path_plan {
    uint32_t threads, each; /* elements of a tile for each thread: an odd number */
    uint32_t cut_threads;   /* of a block that looks for cuts: few, so that all processors do */
    uint32_t cut_lanes;     /* of these, that look for one together */
    uint32_t held;          /* blocks of `threads` that a processor holds at once; 0: as many as it happens */
    uint32_t piece;         /* bytes of the words in which long elements are copied; 0: elements stand in registers */
} ww__path_plan;

bool ww__path_plain(const ww_input *a, const ww_input *b);
uint32_t ww__path_piece(const ww_input *a, const ww_input *b, const ww_array *out);
ww__path_plan ww__path_plan_of(const ww_device *device, uint64_t total, size_t size, uint32_t piece, bool values,
                               uint32_t each_most);

/* What path.cuh wants to know. */
void ww__path_recipe(ww__recipe *r, const ww__path_plan *p, const ww_function *order, const ww_input *a,
                     const ww_input *b);

#endif
