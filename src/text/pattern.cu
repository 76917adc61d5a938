/* A part of a pattern goes to the GPU's memory as an argument: it is copied when the launch is queued, so that the caller's
 * memory may change at once, and replays of a graph have it. */
#include "text/pattern_arguments.cuh"

WW_GPU_KERNEL(put_part, part_arguments, WW_THREADS) {
    for (uint64_t i = threadIdx.x; i < a.many; i += WW_THREADS) a.to[i] = a.part[i];
}
