/* The ranks of a WW_KERNEL, a thread each; the blocks of a WW_BLOCK_KERNEL, a block each. */
#define WW_IN_LOOPS 1
#include "device/kernel/counted.cuh"
#include "primitive/map/launch_arguments.cuh"

struct launch_arguments : launch_fixed {
    ww_environment environment;
};

#if WW_BLOCKS
WW_DEVICE void run(const launch_arguments &a) {
    WW_SHARED(ww_shared, shared);
    if (blockIdx.x < a.count) ww_body(blockIdx.x, a.environment.at(), &shared);
}
#else
WW_DEVICE void run(const launch_arguments &a) {
    const uint64_t rank = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    if (rank < a.count) ww_body(rank, a.environment.at());
}
#endif

WW_LOOP_KERNEL(launch, launch_arguments, WW_THREADS) { run(ww_counted(a)); }
