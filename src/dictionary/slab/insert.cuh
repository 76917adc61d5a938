/* A batch of insertions alone. A thread has AT_ONCE of them under way: their first slabs' states, then their claims, then their pairs. What
 * finds no room in a first slab, or loses its claim to another, waits in shared memory until there are as many as the warp has lanes:
 * else, at one such operation in twenty, nearly every round of a warp would wait for the slowest. */
#ifndef WW_SLAB_INSERT_CUH
#define WW_SLAB_INSERT_CUH

enum { AT_ONCE = 4, WARPS = WW_THREADS / WW_WARP };

/* Positions that wait, of each warp; fewer than a warp's lanes before a round. */
struct waiting_positions {
    uint64_t of[WARPS][(AT_ONCE + 1) * WW_WARP];
};

struct first_tries {
    operation o[AT_ONCE];
    unsigned char *slab[AT_ONCE];
    uint32_t states[AT_ONCE];
    bool wanted[AT_ONCE];
};

WW_DEVICE void begin_tries(const batch_arguments &a, uint64_t row, first_tries &f) {
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        const uint64_t here = row + uint64_t(k) * WW_WARP;
        f.wanted[k] = is_wanted(a, here);
        f.o[k] = {0, 0, INSERT};
        if (f.wanted[k]) f.o[k] = {key_at(a.key, a.first + here), value_in(a, a.first + here), INSERT};
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        f.slab[k] = home_of(a.t, hash_of(a.t, f.o[k].key));
        f.states[k] = f.wanted[k] ? ww_load_relaxed(states_of(f.slab[k])) : 0;
    }
}

/* One claim for each; which of them have been made. */
WW_DEVICE uint32_t claim_tries(first_tries &f) {
    uint32_t old[AT_ONCE], made = 0;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        const uint32_t states = f.states[k], taken = ~touched_of(states) & (touched_of(states) + 1);
        old[k] = ~states;
        if (f.wanted[k] && taken <= ALL_SLOTS)
            old[k] = atomicCAS(states_of(f.slab[k]), states, states | taken | taken << 16);
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        if (old[k] != f.states[k]) continue;
        const uint32_t slot = __ffs(int(~touched_of(old[k]))) - 1;
        ww_store_relaxed(key_slot(f.slab[k], slot), f.o[k].key);
        if (WW_HAS_VALUES) ww_store_relaxed(value_slot(f.slab[k], slot), f.o[k].value);
        made |= 1u << k;
    }
    return made;
}

WW_DEVICE counted operate_all(const batch_arguments &a) {
    WW_SHARED(waiting_positions, positions);
    uint64_t *const queue = positions.of[threadIdx.x / WW_WARP];
    const uint32_t lane = lane_number();
    const uint64_t step = uint64_t(gridDim.x) * WW_THREADS * AT_ONCE;
    uint32_t waiting = 0;
    counted c = {0, 0, 0, 0};
    for (uint64_t row = (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x - lane) * AT_ONCE; row < a.count;
         row += step) {
        first_tries f;
        begin_tries(a, row + lane, f);
        const uint32_t made = claim_tries(f);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const uint64_t here = a.first + row + lane + uint64_t(k) * WW_WARP;
            const bool waits = f.wanted[k] && !(made >> k & 1);
            const uint32_t all = __ballot_sync(WW_ALL, waits);
            if (waits) queue[waiting + __popc(all & ((1u << lane) - 1))] = here;
            if (made >> k & 1 && a.statuses) a.statuses[here] = INSERTED;
            waiting += __popc(all);
        }
        c.inserted += __popc(made);
        __syncwarp();
        while (waiting >= WW_WARP) {
            waiting -= WW_WARP;
            thread_operate(a, queue[waiting + lane], c);
            __syncwarp();
        }
    }
    if (lane < waiting) thread_operate(a, queue[lane], c);
    return c;
}

#endif
