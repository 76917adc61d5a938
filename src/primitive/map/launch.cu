/* The ranks of a WW_KERNEL, a thread each. */
struct launch_arguments {
    uint64_t count;
    ww_environment environment;
};

WW_GPU_KERNEL(launch, launch_arguments, WW_THREADS) {
    const uint64_t rank = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    if (rank < a.count) ww_body(rank, a.environment.at());
}
