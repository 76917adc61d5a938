/* A batch of searches, in which nothing changes. The 4 or 8 lanes of a group read a slab as one request, 16 bytes each, states and values
 * with it, for one search of the group's after another; the loads for all of them are under way at once. A thread that reads
 * its slab by itself makes four requests of it, and what the second-level cache takes of those was the limit (an H200: 81% of it at
 * 13.6 G searches/s).
 *
 * What goes on behind a slab waits in shared memory until there are as many as the warp has lanes: else, where one search in five does,
 * every round of a warp's would be followed by one for a few of its lanes. */
#ifndef WW_SLAB_SEARCH_CUH
#define WW_SLAB_SEARCH_CUH

enum { LANES = WW_BYTES / 16, KEYS_OF_LANE = 16 / sizeof(slab_key), WARPS = WW_THREADS / WW_WARP };

/* Which of a lane's keys are the wanted one. */
WW_DEVICE uint32_t lane_matches(const four_words &w, slab_key key) {
    uint32_t same = 0;
#pragma unroll
    for (int k = 0; k < KEYS_OF_LANE; k++) {
        slab_key here = slab_key(w.word[sizeof(slab_key) == 4 ? k : 2 * k]);
        if (sizeof(slab_key) == 8) here |= slab_key(uint64_t(w.word[(2 * k + 1) % 4]) << 32);
        same |= uint32_t(here == key) << k;
    }
    return same;
}

/* Word `number` of a slab that a group has read; the same number for all its lanes. */
WW_DEVICE uint32_t group_word(const four_words &w, uint32_t number) {
    const uint32_t k = number % 4, low = k & 1 ? w.word[1] : w.word[0], high = k & 1 ? w.word[3] : w.word[2];
    return __shfl_sync(WW_ALL, k & 2 ? high : low, int(number / 4), LANES);
}

WW_DEVICE slab_value group_value(const four_words &w, uint32_t slot) {
    const uint32_t number = (WW_SLOTS * sizeof(slab_key) + slot * sizeof(slab_value)) / 4;
    uint64_t value = group_word(w, number);
    if (sizeof(slab_value) == 8) value |= uint64_t(group_word(w, number + 1)) << 32;
    return slab_value(value);
}

/* A search: where it is, and what it has come to. */
struct searching {
    slab_key key;
    uint64_t position, slab;
    bool pending;
    uint32_t status;
    slab_value value;
};

/* The search of the group's lane `turn` looks at a slab, which w is of. */
WW_DEVICE void group_look(const slab_table &t, const four_words &w, int turn, searching &s) {
    const uint32_t lane = lane_number() % LANES, group = lane_number() - lane;
    const slab_key key = __shfl_sync(WW_ALL, s.key, turn, LANES);
    const uint32_t states = __shfl_sync(WW_ALL, w.word[2], LANES - 1, LANES);
    const uint32_t next = __shfl_sync(WW_ALL, w.word[3], LANES - 1, LANES);
    const uint32_t hits = lane_matches(w, key) & full_of(states) >> lane * KEYS_OF_LANE;
    const uint32_t lanes = __ballot_sync(WW_ALL, hits != 0) >> group & ((1u << LANES) - 1);
    const uint32_t first = lanes ? __ffs(int(lanes)) - 1 : 0;
    const uint32_t of_first = __shfl_sync(WW_ALL, hits, int(first), LANES);
    const uint32_t slot = lanes ? first * KEYS_OF_LANE + __ffs(int(of_first)) - 1 : 0;
    const slab_value value = WW_HAS_VALUES ? group_value(w, slot) : 0;
    if (int(lane) != turn || !s.pending) return;
    s.pending = !lanes && next && !is_last_for(states, filter_of(hash_of(t, s.key)));
    if (s.pending) s.slab = reinterpret_cast<uint64_t>(slab_of(t, next));
    s.status = lanes ? FOUND : ABSENT;
    s.value = value;
}

/* Each of a warp's searches looks at one slab; what it has found is written. */
WW_DEVICE void look_once(const batch_arguments &a, searching &s) {
    const bool begun = s.pending;
    four_words w[LANES];
#pragma unroll
    for (int turn = 0; turn < LANES; turn++) {
        const uint64_t slab = __shfl_sync(WW_ALL, s.slab, turn, LANES);
        w[turn] = {{0, 0, 0, 0}};
        if (__shfl_sync(WW_ALL, uint32_t(s.pending), turn, LANES))
            w[turn] = reinterpret_cast<const four_words *>(slab)[lane_number() % LANES];
    }
#pragma unroll
    for (int turn = 0; turn < LANES; turn++) group_look(a.t, w[turn], turn, s);
    if (!begun || s.pending) return;
    if (WW_HAS_VALUES && a.found && s.status == FOUND) a.found[s.position] = s.value;
    if (a.statuses) a.statuses[s.position] = uint8_t(s.status);
}

/* A warp's searches that go on; fewer than its lanes before a round. */
struct waiting_searches {
    uint64_t position[2 * WW_WARP], slab[2 * WW_WARP];
    slab_key key[2 * WW_WARP];
};
struct all_waiting {
    waiting_searches of[WARPS];
};

WW_DEVICE void put_waiting(waiting_searches &w, uint32_t &waiting, const searching &s) {
    const uint32_t all = __ballot_sync(WW_ALL, s.pending);
    if (s.pending) {
        const uint32_t at = waiting + __popc(all & ((1u << lane_number()) - 1));
        w.position[at] = s.position;
        w.slab[at] = s.slab;
        w.key[at] = s.key;
    }
    waiting += __popc(all);
    __syncwarp();
}

/* The last of those that wait, a lane each, go on by a slab. */
WW_DEVICE void go_on(const batch_arguments &a, waiting_searches &w, uint32_t &waiting) {
    const uint32_t lane = lane_number(), many = waiting < WW_WARP ? waiting : WW_WARP;
    searching s = {0, 0, 0, lane < many, ABSENT, 0};
    waiting -= many;
    if (s.pending) {
        s.position = w.position[waiting + lane];
        s.slab = w.slab[waiting + lane];
        s.key = w.key[waiting + lane];
    }
    __syncwarp();
    look_once(a, s);
    put_waiting(w, waiting, s);
}

WW_DEVICE counted operate_all(const batch_arguments &a) {
    WW_SHARED(all_waiting, queues);
    waiting_searches &w = queues.of[threadIdx.x / WW_WARP];
    const uint32_t lane = lane_number();
    uint32_t waiting = 0;
    for (uint64_t row = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x - lane; row < a.count;
         row += uint64_t(gridDim.x) * WW_THREADS) {
        searching s = {0, a.first + row + lane, 0, row + lane < a.count, ABSENT, 0};
        if (s.pending) {
            s.key = key_at(a.key, s.position);
            s.slab = reinterpret_cast<uint64_t>(home_of(a.t, hash_of(a.t, s.key)));
        }
        look_once(a, s);
        put_waiting(w, waiting, s);
        while (waiting >= WW_WARP) go_on(a, w, waiting);
    }
    while (waiting) go_on(a, w, waiting);
    return {0, 0, 0, 0};
}

#endif
