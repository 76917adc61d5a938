/* Buckets of a slab hash by themselves, while nobody else is at them: making them anew, divided or merged, a thread each, or each group of
 * those that share slabs, and copying all pairs out, a warp for a bucket. */
#include "dictionary/slab/rebuild_arguments.cuh"
#include "dictionary/slab/take.cuh"

/* A list that is written from its base slab on. */
struct writer {
    unsigned char *slab, *base;
    uint32_t slots, filter;
};

WW_DEVICE void write_states(unsigned char *slab, uint32_t full, uint32_t next) {
    *states_of(slab) = full | full << 16;
    *next_of(slab) = next;
}

/* The last slab of a list; if others are before it the first one is sealed. */
WW_DEVICE void write_end(const writer &to) {
    write_states(to.slab, (1u << to.slots) - 1, 0);
    if (to.slab != to.base) *states_of(to.base) = SEALED | to.filter | ALL_SLOTS;
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
    unsigned char *const other = a.divided || a.merged ? base_slab(t, apart, apart / t.base_count) : base;
    writer list[2] = {{base, base, 0, 0}, {other, other, 0, 0}};
    unsigned char *from = base;
    uint32_t first_free = 0, dead = 0;
    for (uint32_t number = 0;;) {
        slab_copy read;
        unsigned char *const slab = number ? slab_of(t, number) : from;
        copy_slab(read, slab);
        if (number) {
            *next_of(slab) = first_free;
            first_free = number;
        }
        dead += __popc(dead_of(read.states));
        for (uint32_t full = full_of(read.states); full; full &= full - 1) {
            const uint32_t slot = __ffs(int(full)) - 1;
            const uint64_t hash = hash_of(t, read.key[slot]);
            const uint32_t which = a.divided && hash >> a.bit & 1;
            writer to = list[which];
            if (to.slots == WW_SLOTS) {
                const uint32_t next = first_free ? first_free : a.spare[i];
                unsigned char *const taken = slab_of(t, next);
                if (first_free) first_free = *next_of(taken);
                write_states(to.slab, ALL_SLOTS, next);
                to.slab = taken;
                to.slots = 0;
            }
            if (to.slab != to.base) to.filter |= filter_of(hash);
            *key_slot(to.slab, to.slots) = read.key[slot];
            if (WW_HAS_VALUES) *value_slot(to.slab, to.slots) = read.value[slot];
            to.slots++;
            list[which] = to;
        }
        number = read.next;
        if (number) continue;
        if (!a.merged || from == other) break;
        from = other;
    }
    for (int k = 0; k <= int(a.divided); k++) write_end(list[k]);
    while (first_free) {
        const uint32_t number = first_free;
        first_free = *next_of(slab_of(t, number));
        give_slab(t, number);
    }
    add_to(&a.tally->dead, dead);
}

/* ---- buckets that are taken away ---- */

enum : uint32_t { MISSING = UINT32_MAX };

/* loops.h's merge_wants. */
WW_DEVICE bool merge_wants(const slab_table &t, uint64_t bucket, uint64_t other) {
    uint32_t pairs = __popc(full_of(*states_of(base_slab(t, other, other / t.base_count)))), room = 0;
    for (unsigned char *slab = base_slab(t, bucket, bucket / t.base_count);; slab = slab_of(t, *next_of(slab))) {
        pairs += __popc(full_of(*states_of(slab)));
        room += WW_SLOTS;
        if (!*next_of(slab)) return pairs > room;
    }
}

/* Each bucket that another is to be merged with gets the slab that it wants, if it does, before any is changed. */
WW_GPU_KERNEL(slab_spare, spare_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.many || (a.again && a.spare[i] != MISSING)) return;
    if (!a.again && !merge_wants(a.t, a.first + i, a.first + i + a.apart)) {
        a.spare[i] = 0;
        return;
    }
    const uint32_t number = thread_take(a.t, (i + 1) * 0x9E3779B97F4A7C15ull >> 32, a.again == SLAB_THOROUGH, a.tally);
    a.spare[i] = number ? number : MISSING;
    add_to(&a.tally->full, !number);
}

/* Where some got none: the others' are free again. */
WW_GPU_KERNEL(slab_spare_back, spare_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i < a.many && a.spare[i] && a.spare[i] != MISSING) give_slab(a.t, a.spare[i]);
}

/* ---- groups of buckets that share slabs ---- */

/* In a plain slab's states: the list that begins with it has been made shorter. */
enum : uint32_t { SHORTENED = 1u << 15 };

WW_DEVICE void move_pair(unsigned char *to, uint32_t slot, unsigned char *from, uint32_t old) {
    *key_slot(to, slot) = *key_slot(from, old);
    if (WW_HAS_VALUES) *value_slot(to, slot) = *value_slot(from, old);
}

/* A bucket's pairs to its first slab, as many as it takes; where they come from slots die. Whether some are left behind it. */
WW_DEVICE bool fill_first(const slab_table &t, uint64_t bucket, uint32_t &dead) {
    unsigned char *const base = base_slab(t, bucket, bucket / t.base_count);
    const uint32_t states = *states_of(base);
    uint32_t slots = 0, filter = 0;
    bool left = false;
    dead += __popc(dead_of(states));
    for (uint32_t full = full_of(states); full; full &= full - 1) move_pair(base, slots++, base, __ffs(int(full)) - 1);
    for (uint32_t number = *next_of(base); number;) {
        unsigned char *const slab = slab_of(t, number);
        for (uint32_t full = full_of(*states_of(slab)); full; full &= full - 1) {
            const uint32_t slot = __ffs(int(full)) - 1;
            const slab_key key = *key_slot(slab, slot);
            if (bucket_of(t, key) != bucket) continue;
            if (slots == WW_SLOTS) {
                filter |= filter_of(hash_of(t, key));
                left = true;
                continue;
            }
            move_pair(base, slots++, slab, slot);
            *states_of(slab) &= ~(1u << slot);
            dead--;
        }
        number = *next_of(slab);
    }
    const uint32_t full = (1u << slots) - 1;
    *states_of(base) = left ? SEALED | filter | full : full | full << 16;
    return left;
}

/* Takes dead slots out of the list that begins with a slab behind first ones, and gives the slabs back that it does not want any more. The
 * first one stays, empty if there is nothing left. A pair never goes to where one has not been read yet. */
WW_DEVICE void shorten(const slab_table &t, uint32_t number, uint32_t &dead) {
    unsigned char *const head = slab_of(t, number);
    writer to = {head, head, 0, 0};
    if (*states_of(head) & SHORTENED) return;
    while (number) {
        unsigned char *const slab = slab_of(t, number);
        const uint32_t states = *states_of(slab);
        number = *next_of(slab);
        dead += __popc(dead_of(states));
        for (uint32_t full = full_of(states); full; full &= full - 1) {
            if (to.slots == WW_SLOTS) {
                const uint32_t next = *next_of(to.slab);
                write_states(to.slab, ALL_SLOTS, next);
                to.slab = slab_of(t, next);
                to.slots = 0;
            }
            move_pair(to.slab, to.slots++, slab, __ffs(int(full)) - 1);
        }
    }
    uint32_t rest = *next_of(to.slab);
    write_states(to.slab, (1u << to.slots) - 1, 0);
    *states_of(head) |= SHORTENED;
    while (rest) {
        const uint32_t next = *next_of(slab_of(t, rest));
        give_slab(t, rest);
        rest = next;
    }
}

/* A bucket of which nothing is left behind its first slab ends there; a list that nobody needs any more is given back, once. */
WW_DEVICE void end_first(const slab_table &t, uint64_t bucket, bool left) {
    uint32_t *const next = next_of(base_slab(t, bucket, bucket / t.base_count));
    if (!*next) return;
    uint32_t *const states = states_of(slab_of(t, *next));
    if (*states & SHORTENED && !full_of(*states & ~SHORTENED)) give_slab(t, *next);
    *states &= ~SHORTENED;
    if (!left) *next = 0;
}

/* A thread for each group: first slabs are filled, then the lists behind them shortened. No pair changes the list behind a first slab, so
 * no slab is wanted that is not there. */
WW_GPU_KERNEL(slab_rebuild_groups, rebuild_arguments, WW_THREADS) {
    const uint64_t from = a.first + ((uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) << a.share_log);
    if (from >= a.first + a.many) return;
    const uint64_t buckets = a.first + a.many - from < 1ull << a.share_log ? a.first + a.many - from
                                                                           : 1ull << a.share_log;
    uint32_t left[4] = {0, 0, 0, 0}, dead = 0; /* a bit for each bucket */
    for (uint32_t b = 0; b < buckets; b++) left[b / 32] |= uint32_t(fill_first(a.t, from + b, dead)) << b % 32;
    for (uint32_t b = 0; b < buckets; b++) {
        const uint32_t next = *next_of(base_slab(a.t, from + b, (from + b) / a.t.base_count));
        if (next) shorten(a.t, next, dead);
    }
    for (uint32_t b = 0; b < buckets; b++) end_first(a.t, from + b, left[b / 32] >> b % 32 & 1);
    add_to(&a.tally->dead, dead);
}

/* ---- super blocks ---- */

WW_GPU_KERNEL(slab_used, used_arguments, WW_THREADS) {
    for (uint32_t k = 0; k < a.t.supers; k++) {
        const uint64_t words = (1ull << (a.t.super_log + k)) / WORD, first = words - (1ull << a.t.super_log) / WORD;
        uint64_t sum = 0;
        for (uint64_t w = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; w < words;
             w += uint64_t(gridDim.x) * WW_THREADS)
            sum += __popc(*word_of(a.t, first + w));
        for (int by = WW_WARP / 2; by; by /= 2) sum += __shfl_xor_sync(WW_ALL, sum, by);
        if (lane_number() == 0 && sum) atomicAdd(&a.used[k], sum);
    }
}

/* ---- all pairs ---- */

WW_GPU_KERNEL(slab_pairs, pairs_arguments, WW_THREADS) {
    const uint64_t bucket = (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) / WW_WARP;
    const uint32_t lane = lane_number();
    if (bucket >= a.t.buckets) return;
    unsigned char *const base = base_slab(a.t, bucket, bucket / a.t.base_count);
    for (unsigned char *slab = base;;) {
        const uint32_t next = *next_of(slab);
        bool mine = full_of(*states_of(slab)) >> lane & 1;
        if (mine && a.shares && slab != base) mine = bucket_of(a.t, *key_slot(slab, lane)) == bucket;
        const uint32_t all = __ballot_sync(WW_ALL, mine);
        uint64_t at = 0;
        if (lane == 0) at = atomicAdd(&a.tally->pairs, uint64_t(__popc(all)));
        at = __shfl_sync(WW_ALL, at, 0) + __popc(all & ((1u << lane) - 1));
        if (mine) {
            if (a.keys) a.keys[at] = *key_slot(slab, lane);
            if (WW_HAS_VALUES && a.values) a.values[at] = *value_slot(slab, lane);
        }
        if (!next) return;
        slab = slab_of(a.t, next);
    }
}
