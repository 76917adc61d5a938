/* Buckets of a slab hash by themselves, while nobody else is at them: making them anew, divided or merged, half a warp each, a thread for each
 * group of those that share slabs; and copying all pairs out, a warp for a bucket. */
#include "dictionary/slab/rebuild_arguments.cuh"
#include "dictionary/slab/take.cuh"

/* A list that is written from its base slab on. */
struct writer {
    unsigned char *slab, *base;
    uint32_t slots, filter;
};

WW_DEVICE unsigned char *base_of(const slab_table &t, uint64_t bucket) {
    return base_slab(t, bucket, uint32_t(bucket) / uint32_t(t.base_count)); /* there are 2^31 at most */
}

WW_DEVICE void write_states(unsigned char *slab, uint32_t full, uint32_t next) {
    *states_of(slab) = full | full << 16;
    *next_of(slab) = next;
}

/* The last slab of a list; if others are before it the first one is sealed. */
WW_DEVICE void write_end(const writer &to) {
    write_states(to.slab, (1u << to.slots) - 1, 0);
    if (to.slab != to.base) *states_of(to.base) = SEALED | to.filter | ALL_SLOTS;
}

/* Slabs that have been read and are not written yet, each with the number of the next; behind them `spare`. */
struct free_slabs {
    uint32_t first, spare;
};

WW_DEVICE uint32_t next_free(const slab_table &t, free_slabs &free) {
    const uint32_t number = free.first ? free.first : free.spare;
    if (free.first) free.first = *next_of(slab_of(t, number));
    return number;
}

/* Half a warp makes a bucket anew, a lane at a slot; both halves go on together until both are done. */
enum { HALF = WW_WARP / 2, HALVES = WW_THREADS / HALF };
static_assert(WW_SLOTS <= HALF, "a lane for each slot");

/* The lanes of this half for which it is true. */
WW_DEVICE uint32_t ballot_of_half(bool is) {
    return __ballot_sync(WW_ALL, is) >> (lane_number() / HALF * HALF) & ((1u << HALF) - 1);
}

/* The pairs of the half's lanes in `which`, behind those of a list. */
WW_DEVICE void half_append(const slab_table &t, uint32_t which, slab_key key, slab_value value, free_slabs &free,
                           writer &to) {
    const uint32_t lane = lane_number() % HALF;
    const bool mine = which >> lane & 1;
    unsigned char *slab = to.slab;
    uint32_t slot = to.slots + __popc(which & ((1u << lane) - 1));
    to.slots += __popc(which);
    if (to.slots > WW_SLOTS) {
        const uint32_t number = next_free(t, free);
        if (lane == 0) write_states(to.slab, ALL_SLOTS, number);
        to.slab = slab_of(t, number);
        to.slots -= WW_SLOTS;
        if (slot >= WW_SLOTS) slab = to.slab, slot -= WW_SLOTS;
    }
    if (mine) {
        *key_slot(slab, slot) = key;
        if (WW_HAS_VALUES) *value_slot(slab, slot) = value;
    }
    if (!__any_sync(WW_ALL, slab != to.base)) return;
    uint32_t filter = mine && slab != to.base ? filter_of(hash_of(t, key)) : 0;
    for (int by = HALF / 2; by; by /= 2) filter |= __shfl_xor_sync(WW_ALL, filter, by);
    to.filter |= filter;
}

/* What half a warp is at: the slab that it reads next, by its number if it is no first one. */
struct rebuilding {
    unsigned char *base, *other, *from;
    writer list[2];
    free_slabs free;
    uint32_t number, dead;
    bool goes_on;
};

WW_DEVICE rebuilding rebuild_begin(const rebuild_arguments &a, uint64_t i) {
    rebuilding r;
    r.goes_on = i < a.many;
    const uint64_t bucket = a.first + (r.goes_on ? i : 0);
    r.base = r.from = base_of(a.t, bucket);
    r.other = r.goes_on && (a.divided || a.merged) ? base_of(a.t, bucket + a.apart) : r.base;
    r.list[0] = {r.base, r.base, 0, 0};
    r.list[1] = {r.other, r.other, 0, 0};
    r.free = {0, r.goes_on && a.merged ? a.spare[i] : 0};
    r.number = r.dead = 0;
    return r;
}

/* One slab of the bucket: it is read whole before anything is written where it was. */
WW_DEVICE void rebuild_slab(const rebuild_arguments &a, rebuilding &r) {
    const slab_table &t = a.t;
    const uint32_t lane = lane_number() % HALF;
    unsigned char *const slab = r.number ? slab_of(t, r.number) : r.from;
    uint32_t states = 0, next = 0;
    if (r.goes_on) {
        states = *states_of(slab);
        next = *next_of(slab);
    }
    slab_key key = 0;
    slab_value value = 0;
    if (r.goes_on && lane < WW_SLOTS) { /* of empty slots, too: so all that is read of a slab is under way at once */
        key = *key_slot(slab, lane);
        if (WW_HAS_VALUES) value = *value_slot(slab, lane);
    }
    const bool mine = lane < WW_SLOTS && full_of(states) >> lane & 1;
    r.dead += __popc(dead_of(states));
    __syncwarp();
    if (r.number && r.goes_on) {
        if (lane == 0) *next_of(slab) = r.free.first;
        r.free.first = r.number;
    }
    __syncwarp();
    const bool apart = a.divided && mine && hash_of(t, key) >> a.bit & 1;
    half_append(t, ballot_of_half(mine && !apart), key, value, r.free, r.list[0]);
    __syncwarp();
    if (a.divided) half_append(t, ballot_of_half(apart), key, value, r.free, r.list[1]);
    __syncwarp();
    if (!r.goes_on) return;
    r.number = next;
    if (next) return;
    r.goes_on = a.merged && r.from != r.other;
    r.from = r.other;
}

WW_DEVICE void rebuild_end(const rebuild_arguments &a, rebuilding &r) {
    write_end(r.list[0]);
    if (a.divided) write_end(r.list[1]);
    while (r.free.first) {
        const uint32_t number = next_free(a.t, r.free);
        give_slab(a.t, number);
    }
}

/* loops.h's rebuild. */
WW_GPU_KERNEL(slab_rebuild, rebuild_arguments, WW_THREADS) {
    const uint64_t half = (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) / HALF;
    const bool leads = lane_number() % HALF == 0;
    uint32_t dead = 0;
    for (uint64_t i = half; __any_sync(WW_ALL, i < a.many); i += uint64_t(gridDim.x) * HALVES) {
        rebuilding r = rebuild_begin(a, i);
        while (__any_sync(WW_ALL, r.goes_on)) rebuild_slab(a, r);
        if (leads && i < a.many) rebuild_end(a, r);
        if (leads) dead += r.dead;
        __syncwarp();
    }
    add_to(&a.tally->dead, dead);
}

/* ---- buckets that are taken away ---- */

enum : uint32_t { MISSING = UINT32_MAX };

/* loops.h's merge_wants. */
WW_DEVICE bool merge_wants(const slab_table &t, uint64_t bucket, uint64_t other) {
    uint32_t pairs = __popc(full_of(*states_of(base_of(t, other)))), room = 0;
    for (unsigned char *slab = base_of(t, bucket);; slab = slab_of(t, *next_of(slab))) {
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
    unsigned char *const base = base_of(t, bucket);
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
    uint32_t *const next = next_of(base_of(t, bucket));
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
        const uint32_t next = *next_of(base_of(a.t, from + b));
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
    unsigned char *const base = base_of(a.t, bucket);
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
