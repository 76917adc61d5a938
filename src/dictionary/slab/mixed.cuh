/* A batch of operations of all kinds. Those of a kind wait in shared memory until there are as many as the warp has lanes, which then do
 * them at once: a warp whose lanes had different kinds would do one kind after another, a few lanes at a time. */
#ifndef WW_SLAB_MIXED_CUH
#define WW_SLAB_MIXED_CUH

enum { KINDS = DELETE_ALL, WARPS = WW_THREADS / WW_WARP, ROOM = 2 * WW_WARP, COUNT_BITS = 6 };

/* Positions that wait, of each warp and kind. */
struct waiting_positions {
    uint64_t of[WARPS][KINDS][ROOM];
};

/* How many positions of each kind but the first, NOTHING, wait, all in one word: fewer than a warp's lanes before a row. */
WW_DEVICE uint32_t count_of(uint32_t waiting, uint32_t kind) {
    return waiting >> (kind - 1) * COUNT_BITS & ((1u << COUNT_BITS) - 1);
}
WW_DEVICE uint32_t count_in(uint32_t many, uint32_t kind) { return many << (kind - 1) * COUNT_BITS; }

/* What is of no kind is done at once. */
WW_DEVICE uint32_t put_waiting(const batch_arguments &a, uint64_t row, uint32_t waiting, uint64_t (*queue)[ROOM]) {
    const uint32_t lane = lane_number();
    const bool wanted = is_wanted(a, row);
    const uint32_t mine = wanted ? kind_at(a, a.first + row) : 0;
    for (uint32_t kind = 1; kind <= KINDS; kind++) {
        const uint32_t all = __ballot_sync(WW_ALL, mine == kind);
        if (mine == kind)
            queue[kind - 1][count_of(waiting, kind) + __popc(all & ((1u << lane) - 1))] = a.first + row;
        waiting += count_in(__popc(all), kind);
    }
    if (wanted && mine > KINDS) out_of_range(a, a.first + row);
    if (wanted && (mine == 0 || mine > KINDS) && a.statuses) a.statuses[a.first + row] = ABSENT;
    __syncwarp();
    return waiting;
}

WW_DEVICE counted operate_all(const batch_arguments &a) {
    WW_SHARED(waiting_positions, positions);
    uint64_t(*const queue)[ROOM] = positions.of[threadIdx.x / WW_WARP];
    const uint32_t lane = lane_number();
    uint32_t waiting = 0;
    counted c = {0, 0, 0, 0};
    for (uint64_t row = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x - lane;;
         row += uint64_t(gridDim.x) * WW_THREADS) {
        const bool more = row < a.count;
        if (more) waiting = put_waiting(a, row + lane, waiting, queue);
#pragma unroll 1
        for (uint32_t kind = 1; kind <= KINDS; kind++) {
            const uint32_t there = count_of(waiting, kind), many = there < WW_WARP ? there : uint32_t(WW_WARP);
            if (!there || (more && there < WW_WARP)) continue;
            if (lane < many) thread_operate(a, queue[kind - 1][there - many + lane], c);
            waiting -= count_in(many, kind);
            __syncwarp();
        }
        if (!more && !waiting) return c;
    }
}

#endif
