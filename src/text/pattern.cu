/* A part of a pattern goes to the GPU's memory as an argument: it is copied when the launch is queued, so that the caller's
 * memory may change at once, and replays of a graph have it. */
enum { PART = 2048 };

struct part_arguments {
    uint8_t *to;
    uint64_t many;
    uint8_t part[PART];
};

WW_GPU_KERNEL(put_part, part_arguments, WW_THREADS) {
    for (uint64_t i = threadIdx.x; i < a.many; i += WW_THREADS) a.to[i] = a.part[i];
}
