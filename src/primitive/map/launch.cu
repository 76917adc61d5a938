/* The ranks of a WW_KERNEL, a thread each. */
#include "device/kernel/counted.cuh"
#include "primitive/map/launch_arguments.cuh"

struct launch_arguments : launch_fixed {
    ww_environment environment;
};

WW_DEVICE void run_rank(const launch_arguments &a) {
    const uint64_t rank = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    if (rank < a.count) ww_body(rank, a.environment.at());
}

WW_GPU_KERNEL(launch, launch_arguments, WW_THREADS) {
    ww_in_turn();
    run_rank(ww_counted(a));
}
