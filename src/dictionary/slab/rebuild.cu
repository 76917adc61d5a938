/* Buckets of a slab hash by themselves, while nobody else is at them: making them anew, a thread each, and copying all pairs out, a warp
 * for a bucket. */
#include "dictionary/slab/rebuild_arguments.cuh"
#include "dictionary/slab/slab.cuh"

/* A list that is written from its base slab on. */
struct writer {
    unsigned char *slab;
    uint32_t slots;
};

WW_DEVICE void write_states(unsigned char *slab, uint32_t full, uint32_t next) {
    *states_of(slab) = full | full << 16;
    *next_of(slab) = next;
}

struct slab_copy {
    slab_key key[WW_SLOTS];
    slab_value value[WW_SLOTS];
    uint32_t states, next;
};

WW_DEVICE void copy_slab(slab_copy &to, unsigned char *slab) {
    to.states = *states_of(slab);
    to.next = *next_of(slab);
    for (uint32_t k = 0; k < WW_SLOTS; k++)
        if (full_of(to.states) >> k & 1) {
            to.key[k] = *key_slot(slab, k);
            if (WW_HAS_VALUES) to.value[k] = *value_slot(slab, k);
        }
}

/* loops.h's rebuild. */
WW_GPU_KERNEL(slab_rebuild, rebuild_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.many) return;
    const slab_table &t = a.t;
    const uint64_t bucket = a.first + i, apart = bucket + a.apart;
    unsigned char *const base = base_slab(t, bucket, bucket / t.base_count);
    writer list[2] = {{base, 0}, {base, 0}};
    if (a.divided) list[1].slab = base_slab(t, apart, apart / t.base_count);
    uint32_t first_free = 0, dead = 0;
    for (uint32_t number = 0;;) {
        slab_copy read;
        unsigned char *const slab = number ? slab_of(t, number) : base;
        copy_slab(read, slab);
        if (number) {
            *next_of(slab) = first_free;
            first_free = number;
        }
        dead += __popc(dead_of(read.states));
        for (uint32_t full = full_of(read.states); full; full &= full - 1) {
            const uint32_t slot = __ffs(int(full)) - 1;
            const uint32_t which = a.divided && hash_of(t, read.key[slot]) >> a.bit & 1;
            writer to = list[which];
            if (to.slots == WW_SLOTS) {
                unsigned char *const taken = slab_of(t, first_free);
                const uint32_t rest = *next_of(taken);
                write_states(to.slab, ALL_SLOTS, first_free);
                first_free = rest;
                to = {taken, 0};
            }
            *key_slot(to.slab, to.slots) = read.key[slot];
            if (WW_HAS_VALUES) *value_slot(to.slab, to.slots) = read.value[slot];
            to.slots++;
            list[which] = to;
        }
        number = read.next;
        if (!number) break;
    }
    for (int k = 0; k <= int(a.divided); k++) write_states(list[k].slab, (1u << list[k].slots) - 1, 0);
    while (first_free) {
        const uint32_t number = first_free;
        first_free = *next_of(slab_of(t, number));
        give_slab(t, number);
    }
    add_to(&a.tally->dead, dead);
}

WW_GPU_KERNEL(slab_pairs, pairs_arguments, WW_THREADS) {
    const uint64_t bucket = (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) / WW_WARP;
    const uint32_t lane = lane_number();
    if (bucket >= a.t.buckets) return;
    unsigned char *slab = base_slab(a.t, bucket, bucket / a.t.base_count);
    for (;;) {
        const uint32_t full = full_of(*states_of(slab)), next = *next_of(slab);
        uint64_t at = 0;
        if (lane == 0) at = atomicAdd(&a.tally->pairs, uint64_t(__popc(full)));
        at = __shfl_sync(WW_ALL, at, 0) + __popc(full & ((1u << lane) - 1));
        if (full >> lane & 1) {
            if (a.keys) a.keys[at] = *key_slot(slab, lane);
            if (WW_HAS_VALUES && a.values) a.values[at] = *value_slot(slab, lane);
        }
        if (!next) return;
        slab = slab_of(a.t, next);
    }
}
