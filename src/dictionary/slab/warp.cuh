/* Operations by warp-cooperative work sharing (Ashkiani, 2017): all lanes of a warp do one operation, a lane at a slot. loops.h says why
 * they are right at once: they are the same here, statement by statement. */
#ifndef WW_SLAB_WARP_CUH
#define WW_SLAB_WARP_CUH

enum { RESIDENT_WORDS = WW_WARP };

/* ---- slabs from the bitmaps ---- */

/* A warp's resident block: 32 words of the bitmaps, a lane has one. */
struct resident {
    uint64_t block;
    uint32_t word; /* as this lane has last seen it */
    bool loaded;
    uint32_t spare; /* a slab that the warp has and does not need, or 0 */
};

WW_DEVICE uint64_t words_of(const slab_table &t) {
    return ((1ull << (t.super_log + t.supers)) - (1ull << t.super_log)) / WORD;
}
WW_DEVICE uint64_t blocks_of(const slab_table &t) { return (words_of(t) + RESIDENT_WORDS - 1) / RESIDENT_WORDS; }

/* Warps begin in blocks of their own, as far as there are enough, and where a hash says. */
WW_DEVICE resident resident_begin(const slab_table &t) {
    const uint64_t warp = (uint64_t(blockIdx.x) * blockDim.x + threadIdx.x) / WW_WARP;
    return {((warp * 0x9E3779B97F4A7C15ull >> 32) * blocks_of(t)) >> 32, 0, false, 0};
}

/* A free slab's number, for all lanes; 0: none is left in any block. */
WW_DEVICE uint32_t warp_take(const slab_table &t, resident &r, slab_tally *tally) {
    const uint32_t lane = lane_number();
    for (uint64_t tried = 0; tried <= blocks_of(t);) {
        const uint64_t word = r.block * RESIDENT_WORDS + lane;
        if (!r.loaded) r.word = word < words_of(t) ? ww_load_relaxed(word_of(t, word)) : UINT32_MAX;
        r.loaded = true;
        const uint32_t lanes = __ballot_sync(WW_ALL, r.word != UINT32_MAX);
        if (!lanes) {
            r.block = r.block + 1 < blocks_of(t) ? r.block + 1 : 0;
            r.loaded = false;
            tried++;
            continue;
        }
        const uint32_t chosen = __ffs(int(lanes)) - 1;
        uint32_t number = 0;
        if (lane == chosen) {
            const uint32_t bit = __ffs(int(~r.word)) - 1, old = atomicOr(word_of(t, word), 1u << bit);
            if (!(old >> bit & 1)) number = uint32_t(word * WORD + bit + 1);
            r.word = old | 1u << bit;
        }
        number = __shfl_sync(WW_ALL, number, int(chosen));
        if (number) return number;
    }
    if (lane == 0) ww_store_relaxed(&tally->exhausted, 1u);
    return 0;
}

/* ---- what all operations are made of; all lanes call them with the same arguments ---- */

WW_DEVICE uint32_t warp_word(uint32_t *word) {
    if (QUIET) return *word;
    uint32_t value = 0;
    if (lane_number() == 0) value = ww_load_acquire(word);
    return __shfl_sync(WW_ALL, value, 0);
}

/* The states of a slab, and which of its full slots have the key. */
WW_DEVICE uint32_t warp_look(unsigned char *slab, slab_key key, uint32_t &states) {
    const uint32_t lane = lane_number();
    slab_key mine = 0;
    if (QUIET && lane < WW_SLOTS) mine = *key_slot(slab, lane);
    states = warp_word(states_of(slab));
    if (!QUIET && full_of(states) >> lane & 1) mine = ww_load_relaxed(key_slot(slab, lane));
    return __ballot_sync(WW_ALL, mine == key) & full_of(states);
}

/* Waits a moment for the claimed slot of the bit `taken` to be decided; makes it dead once one has looked often enough. */
WW_DEVICE void warp_decide(uint32_t *states, uint32_t taken, uint32_t looks) {
    if (lane_number() == 0) {
        if (looks < WW_DECIDED_SOON) {
            ww_wait_a_moment();
        } else {
            for (uint32_t seen = ww_load_relaxed(states), old; claimed_of(seen) & taken; seen = old) {
                old = atomicCAS(states, seen, (seen & ~taken) | taken << 16);
                if (old == seen) break;
            }
        }
    }
    __syncwarp();
}

/* As thread_find. */
WW_DEVICE int warp_find(const slab_table &t, unsigned char *&slab, slab_key key, uint32_t filter, uint32_t &seen) {
    for (uint32_t looks = 0;;) {
        const uint32_t same = warp_look(slab, key, seen), open = claimed_of(seen);
        if (open && (!same || (open & (same ^ (same - 1))))) {
            warp_decide(states_of(slab), open & (0u - open), looks++);
            continue;
        }
        if (same) return __ffs(int(same)) - 1;
        if (filter && is_last_for(seen, filter)) return -1;
        const uint32_t next = warp_word(next_of(slab));
        if (!next) return -1;
        if (touched_of(seen) == ALL_SLOTS) slab = slab_of(t, next);
    }
}

/* Claims the slot that follows those of `states`, if the slab is still in them, and fills it. */
WW_DEVICE bool warp_claim(unsigned char *slab, uint32_t states, const operation &o, counted &c) {
    uint32_t done = 0;
    if (lane_number() == 0) {
        const uint32_t slot = __ffs(int(~touched_of(states))) - 1, taken = 1u << slot;
        if (atomicCAS(states_of(slab), states, states | taken) == states) {
            ww_store_relaxed(key_slot(slab, slot), o.key);
            if (WW_HAS_VALUES) ww_store_relaxed(value_slot(slab, slot), o.value);
            __threadfence();
            done = atomicOr(states_of(slab), taken << 16) & taken ? 1 : 2;
        }
    }
    done = __shfl_sync(WW_ALL, done, 0);
    c.inserted += done == 1;
    c.given_up += done == 2;
    return done == 1;
}

WW_DEVICE unsigned char *warp_extend(const slab_table &t, unsigned char *slab, resident &r, slab_tally *tally) {
    const uint32_t next = warp_word(next_of(slab));
    if (next) return slab_of(t, next);
    const uint32_t number = r.spare ? r.spare : warp_take(t, r, tally);
    r.spare = 0;
    if (!number) return nullptr;
    uint32_t other = 0;
    if (lane_number() == 0) {
        unsigned char *const added = slab_of(t, number);
        ww_store_relaxed(states_of(added), 0u);
        ww_store_relaxed(next_of(added), 0u);
        __threadfence();
        other = atomicCAS(next_of(slab), 0u, number);
    }
    other = __shfl_sync(WW_ALL, other, 0);
    if (other) r.spare = number;
    return slab_of(t, other ? other : number);
}

/* As mark; all lanes call it. */
WW_DEVICE void warp_mark(unsigned char *base, uint64_t hash) {
    if (lane_number() == 0) mark(base, hash);
    __syncwarp();
}

/* ---- the operations ---- */

WW_DEVICE uint32_t warp_insert(const slab_table &t, unsigned char *base, uint64_t hash, const operation &o, resident &r,
                               slab_tally *tally, counted &c) {
    for (unsigned char *slab = base;;) {
        const uint32_t states = warp_word(states_of(slab));
        if (touched_of(states) != ALL_SLOTS) {
            if (slab != base) warp_mark(base, hash);
            if (warp_claim(slab, states, o, c)) return INSERTED;
        } else {
            slab = warp_extend(t, slab, r, tally);
            if (!slab) return FULL;
        }
    }
}

WW_DEVICE uint32_t warp_replace(const slab_table &t, unsigned char *base, uint64_t hash, const operation &o,
                                resident &r, slab_tally *tally, counted &c) {
    for (unsigned char *slab = base;;) {
        uint32_t seen;
        const int slot = warp_find(t, slab, o.key, 0, seen);
        if (slot >= 0) {
            if (WW_HAS_VALUES && lane_number() == 0) set_value(value_slot(slab, uint32_t(slot)), o.value);
            return REPLACED;
        }
        if (touched_of(seen) != ALL_SLOTS) {
            if (slab != base) warp_mark(base, hash);
            if (warp_claim(slab, seen, o, c)) return INSERTED;
        } else {
            slab = warp_extend(t, slab, r, tally);
            if (!slab) return FULL;
        }
    }
}

WW_DEVICE uint32_t warp_delete(const slab_table &t, unsigned char *&slab, uint32_t filter, const operation &o,
                               counted &c) {
    uint32_t seen;
    for (int slot; (slot = warp_find(t, slab, o.key, filter, seen)) >= 0;) {
        uint32_t mine = 0;
        if (lane_number() == 0) mine = atomicAnd(states_of(slab), ~(1u << slot)) >> slot & 1;
        if (__shfl_sync(WW_ALL, mine, 0)) {
            c.deleted++;
            return DELETED;
        }
    }
    return ABSENT;
}

WW_DEVICE uint32_t warp_delete_all(const slab_table &t, unsigned char *slab, uint32_t filter, const operation &o,
                                   counted &c) {
    uint32_t status = ABSENT;
    while (warp_delete(t, slab, filter, o, c) == DELETED) status = DELETED;
    return status;
}

/* The status of a search; lane `source` keeps the value. */
WW_DEVICE uint32_t warp_search(const slab_table &t, unsigned char *slab, uint32_t filter, const operation &o,
                               uint32_t source, slab_value *found) {
    uint32_t seen;
    const int slot = warp_find(t, slab, o.key, filter, seen);
    if (slot < 0) return ABSENT;
    if (WW_HAS_VALUES && found && lane_number() == source)
        *found = QUIET ? *value_slot(slab, uint32_t(slot)) : ww_load_relaxed(value_slot(slab, uint32_t(slot)));
    return FOUND;
}

/* How many pairs the key has; their values, the first `room`, to `to`. */
WW_DEVICE uint64_t warp_collect(const slab_table &t, unsigned char *slab, slab_key key, uint32_t filter, slab_value *to,
                                uint64_t room) {
    uint64_t count = 0;
    for (;;) {
        uint32_t states;
        const uint32_t lane = lane_number(), same = warp_look(slab, key, states);
        const uint64_t at = count + __popc(same & ((1u << lane) - 1));
        if (WW_KIND == SEARCH_ALL && same >> lane & 1 && at < room) to[at] = *value_slot(slab, lane);
        count += __popc(same);
        const uint32_t next = is_last_for(states, filter) ? 0 : warp_word(next_of(slab));
        if (!next) return count;
        slab = slab_of(t, next);
    }
}

#endif
