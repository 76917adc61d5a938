/* Operations by a thread each: a thread reads a slab's keys by itself, 16 bytes at a time, and the threads of a warp have as many slabs
 * under way as they are. On an H200 a warp that does its operations one after another is bound by its instructions (two thirds of what a
 * processor can issue, at 18% of the memory's rate); this takes a tenth of them for each operation. loops.h says why operations are right at once:
 * they are the same here, but for inserts where nothing but inserts runs. */
#ifndef WW_SLAB_THREAD_CUH
#define WW_SLAB_THREAD_CUH

#include "dictionary/slab/take.cuh"

/* Nothing but inserts: nobody looks at a slot before the launch has ended. So a slot goes from empty to full at once, and its pair is
 * written afterwards; what ends the launch makes it known. */
enum : bool { ONLY_INSERTS = WW_KIND == INSERT };

/* ---- reading slabs ---- */

enum { KEY_WORDS = (WW_SLOTS * sizeof(slab_key) + 15) / 16 };
struct alignas(16) four_words {
    uint32_t word[4];
};
union slab_keys {
    four_words four[KEY_WORDS];
    slab_key key[KEY_WORDS * 16 / sizeof(slab_key)];
    WW_DEVICE_MEMBER slab_keys() {}
};

/* A slab's keys while others write to slots that are not full. All are read, in fewer and larger loads than they are; the emulator,
 * which sees races, gets the full ones, and sees that these are none. */
WW_DEVICE void load_keys(slab_keys &keys, unsigned char *slab, uint32_t full) {
#ifdef WW_EMULATED
    for (int k = 0; k < WW_SLOTS; k++)
        if (full >> k & 1) keys.key[k] = *key_slot(slab, k);
#else
    const four_words *const from = reinterpret_cast<const four_words *>(slab);
#pragma unroll
    for (int k = 0; k < KEY_WORDS; k++)
        asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(keys.four[k].word[0]), "=r"(keys.four[k].word[1]), "=r"(keys.four[k].word[2]),
                       "=r"(keys.four[k].word[3])
                     : "l"(from + k)
                     : "memory");
#endif
}

struct alignas(8) slab_end {
    uint32_t states, next;
};

/* The slab's states and, where nobody changes it, its next; which of its full slots have the key. */
WW_DEVICE uint32_t thread_look(unsigned char *slab, slab_key key, slab_end &end) {
    slab_keys keys;
    if (QUIET) {
        end = *reinterpret_cast<const slab_end *>(states_of(slab));
#pragma unroll
        for (int k = 0; k < KEY_WORDS; k++) keys.four[k] = reinterpret_cast<const four_words *>(slab)[k];
    } else {
        end.states = ww_load_acquire(states_of(slab));
        load_keys(keys, slab, full_of(end.states));
    }
    uint32_t same = 0;
#pragma unroll
    for (int k = 0; k < WW_SLOTS; k++) same |= uint32_t(keys.key[k] == key) << k;
    return same & full_of(end.states);
}

/* Waits a moment for the claimed slot of the bit `taken` to be decided; makes it dead once one has looked often enough. */
WW_DEVICE void thread_decide(uint32_t *states, uint32_t taken, uint32_t looks) {
    if (looks < WW_DECIDED_SOON) {
        ww_wait_a_moment();
        return;
    }
    for (uint32_t seen = ww_load_relaxed(states), old; claimed_of(seen) & taken; seen = old) {
        old = atomicCAS(states, seen, (seen & ~taken) | taken << 16);
        if (old == seen) return;
    }
}

/* The first full slot with the key, from `slab` on, which is set to where it is; -1: then it is the last slab, and `seen` the states in
 * which it was. `filter`: the key's bit, for those who need not know where the list ends; 0: all of it is looked at. */
WW_DEVICE int thread_find(const slab_table &t, unsigned char *&slab, slab_key key, uint32_t filter, uint32_t &seen) {
    for (uint32_t looks = 0;;) {
        slab_end end;
        const uint32_t same = thread_look(slab, key, end), open = QUIET ? 0 : claimed_of(end.states);
        if (open && (!same || (open & (same ^ (same - 1))))) {
            thread_decide(states_of(slab), open & (0u - open), looks++);
            continue;
        }
        seen = end.states;
        if (same) return __ffs(int(same)) - 1;
        if (filter && is_last_for(seen, filter)) return -1;
        const uint32_t next = QUIET ? end.next : ww_load_acquire(next_of(slab));
        if (!next) return -1;
        if (touched_of(seen) == ALL_SLOTS) slab = slab_of(t, next);
    }
}

/* The slab behind one that has no empty slot; nullptr: there is no memory for one. */
WW_DEVICE unsigned char *thread_extend(const slab_table &t, unsigned char *slab, uint64_t hash, bool thorough,
                                       slab_tally *tally) {
    const uint32_t next = ww_load_acquire(next_of(slab));
    if (next) return slab_of(t, next);
    const uint32_t number = thread_take(t, hash, thorough, tally);
    if (!number) return nullptr;
    unsigned char *const added = slab_of(t, number);
    ww_store_relaxed(states_of(added), 0u);
    ww_store_relaxed(next_of(added), 0u);
    __threadfence();
    const uint32_t other = atomicCAS(next_of(slab), 0u, number);
    if (!other) return added;
    __threadfence();
    give_slab(t, number);
    return slab_of(t, other);
}

/* ---- the operations ---- */

/* Claims the slot that follows those of `states`, if the slab is still in them, and fills it; `states` is what it is in then. */
WW_DEVICE bool thread_claim(unsigned char *slab, uint32_t &states, const operation &o, counted &c) {
    const uint32_t slot = __ffs(int(~touched_of(states))) - 1, taken = 1u << slot;
    const uint32_t old = atomicCAS(states_of(slab), states, states | taken | (ONLY_INSERTS ? taken << 16 : 0));
    if (old != states) {
        states = old;
        return false;
    }
    ww_store_relaxed(key_slot(slab, slot), o.key);
    if (WW_HAS_VALUES) ww_store_relaxed(value_slot(slab, slot), o.value);
    bool mine = true;
    if (!ONLY_INSERTS) {
        __threadfence();
        mine = atomicOr(states_of(slab), taken << 16) & taken;
    }
    c.inserted += mine;
    c.given_up += !mine;
    if (!mine) states = ww_load_relaxed(states_of(slab));
    return mine;
}

WW_DEVICE uint32_t thread_insert(const slab_table &t, unsigned char *base, uint64_t hash, const operation &o,
                                 bool thorough, slab_tally *tally, counted &c) {
    unsigned char *slab = base;
    uint32_t states = ww_load_relaxed(states_of(slab));
    for (;;) {
        if (touched_of(states) != ALL_SLOTS) {
            if (thread_claim(slab, states, o, c)) return INSERTED;
        } else {
            unsigned char *const next = thread_extend(t, slab, hash, thorough, tally);
            if (!next) return FULL;
            if (slab == base) mark(base, hash);
            slab = next;
            states = ww_load_relaxed(states_of(slab));
        }
    }
}

WW_DEVICE uint32_t thread_replace(const slab_table &t, unsigned char *base, uint64_t hash, const operation &o,
                                  bool thorough, slab_tally *tally, counted &c) {
    for (unsigned char *slab = base;;) {
        uint32_t seen;
        const int slot = thread_find(t, slab, o.key, 0, seen);
        if (slot >= 0) {
            if (WW_HAS_VALUES) ww_store_relaxed(value_slot(slab, uint32_t(slot)), o.value);
            return REPLACED;
        }
        if (touched_of(seen) != ALL_SLOTS) {
            if (slab != base) mark(base, hash);
            if (thread_claim(slab, seen, o, c)) return INSERTED;
        } else {
            slab = thread_extend(t, slab, hash, thorough, tally);
            if (!slab) return FULL;
        }
    }
}

WW_DEVICE uint32_t thread_delete(const slab_table &t, unsigned char *&slab, uint32_t filter, const operation &o,
                                 counted &c) {
    uint32_t seen;
    for (int slot; (slot = thread_find(t, slab, o.key, filter, seen)) >= 0;)
        if (atomicAnd(states_of(slab), ~(1u << slot)) >> slot & 1) {
            c.deleted++;
            return DELETED;
        }
    return ABSENT;
}

WW_DEVICE uint32_t thread_search(const slab_table &t, unsigned char *slab, slab_key key, uint32_t filter,
                                 slab_value *found) {
    uint32_t seen;
    const int slot = thread_find(t, slab, key, filter, seen);
    if (slot < 0) return ABSENT;
    if (WW_HAS_VALUES && found)
        *found = QUIET ? *value_slot(slab, uint32_t(slot)) : ww_load_relaxed(value_slot(slab, uint32_t(slot)));
    return FOUND;
}

#endif
