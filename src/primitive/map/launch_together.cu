/* The ranks of a WW_KERNEL, a thread each, in blocks that are all on the processors at once. */
#include "primitive/map/launch_arguments.cuh"

struct launch_arguments : launch_fixed {
    ww_environment environment;
};

WW_GPU_KERNEL_HELD(launch_together, launch_arguments, WW_THREADS, WW_HELD) {
    ww_body(blockIdx.x * uint64_t(blockDim.x) + threadIdx.x, a.environment.at());
}
