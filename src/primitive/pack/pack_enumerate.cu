/* What stands around the enumeration in pack by enumerate and scatter: `mark` makes flags of what chooses, for the scan that
 * numbers them, and `name_places` leaves the numbers of what is kept alone. */
struct mark_arguments {
    uint8_t *flags;
    ww_position *place; /* how many before are kept; in the end, where the element goes */
    uint64_t count;
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
