/* What stands around the enumeration in pack by enumerate and scatter: `mark` makes flags of what chooses, for the scan that
 * numbers them, and `name_places` leaves the numbers of what is kept alone. */
#include "primitive/pack/pack_enumerate_arguments.cuh"

struct mark_arguments : pack_enumerate_fixed {
    by_input by;
};

#define NOWHERE (~ww_position(0))

WW_GPU_KERNEL(mark, mark_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i < a.count) a.flags[i] = by_at(a.by, i) != 0;
}

WW_GPU_KERNEL(name_places, mark_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i < a.count && !a.flags[i]) a.place[i] = NOWHERE;
}
