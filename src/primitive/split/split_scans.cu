/* What stands around the two scans of Blelloch's split (1990, section 1.5; split_cpu.c). `mark_sides` makes two arrays
 * of flags: of the first side in order, and of the second in reverse. Their enumerations are down, the first side's places,
 * and, as an exclusive scan in reverse order, what n - up - 1 is. `name_places` takes for each element the one of its side. */
#include "primitive/split/split_scans_arguments.cuh"

struct mark_arguments : split_scans_fixed {
    by_input by;
};

WW_GPU_KERNEL(mark_sides, mark_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
    const bool second = by_at(a.by, i) != 0;
    a.first[i] = !second;
    a.second_reversed[a.count - 1 - i] = second;
}

WW_GPU_KERNEL(name_places, mark_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count || a.first[i]) return;
    a.down[i] = ww_position(a.count - 1 - a.behind[a.count - 1 - i]);
}
