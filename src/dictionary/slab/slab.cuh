/* What kernels know of a slab hash's memory; slab.h says what is where.
 *
 * WW_SLOTS, WW_BYTES: of a slab; WW_HAS_VALUES: the dictionary has values; slab_key, slab_value: types. */
#ifndef WW_SLAB_CUH
#define WW_SLAB_CUH

#include "dictionary/slab/slab_arguments.cuh"

enum { WORD = 32, FILTER_LOW = 15, FILTER_BITS = 16 };
enum : uint32_t { SEALED = 1u << 31 };
enum : uint32_t { ALL_SLOTS = (1u << WW_SLOTS) - 1 };

/* ---- addresses ---- */

WW_DEVICE uint32_t lane_number() { return threadIdx.x % WW_WARP; }
WW_DEVICE uint32_t log_of(uint64_t x) { return 63 - __clzll((long long)x); }

WW_DEVICE uint64_t hash_of(const slab_table &t, uint64_t key) {
    uint64_t x = (key ^ t.seed) * 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93ull;
    return x ^ x >> 32;
}
WW_DEVICE unsigned char *base_slab(const slab_table &t, uint64_t bucket, uint64_t part) {
    const uint32_t segment = part ? log_of(part) + 1 : 0;
    return t.segment[segment] + (bucket - (part ? t.base_count << (segment - 1) : 0)) * WW_BYTES;
}
WW_DEVICE unsigned char *home_of(const slab_table &t, uint64_t hash) {
    const uint64_t home = ((hash >> 32) * t.base_count) >> 32;
    uint64_t part = hash & t.high_mask;
    if (home + part * t.base_count >= t.buckets) part = hash & t.low_mask;
    return base_slab(t, home + part * t.base_count, part);
}
WW_DEVICE uint64_t bucket_of(const slab_table &t, slab_key key) {
    const uint64_t hash = hash_of(t, key), home = ((hash >> 32) * t.base_count) >> 32;
    const uint64_t bucket = home + (hash & t.high_mask) * t.base_count;
    return bucket < t.buckets ? bucket : home + (hash & t.low_mask) * t.base_count;
}
WW_DEVICE unsigned char *slab_of(const slab_table &t, uint32_t number) {
    const uint64_t v = uint64_t(number - 1) + (1ull << t.super_log);
    const uint32_t log = log_of(v);
    return t.super[log - t.super_log] + (v - (1ull << log)) * WW_BYTES;
}
WW_DEVICE uint32_t *word_of(const slab_table &t, uint64_t word) {
    const uint64_t v = word * WORD + (1ull << t.super_log);
    const uint32_t log = log_of(v);
    unsigned char *const bitmap = t.super[log - t.super_log] + (1ull << log) * WW_BYTES;
    return reinterpret_cast<uint32_t *>(bitmap) + (v - (1ull << log)) / WORD;
}
WW_DEVICE uint32_t *states_of(unsigned char *slab) { return reinterpret_cast<uint32_t *>(slab + WW_BYTES - 8); }
WW_DEVICE uint32_t *next_of(unsigned char *slab) { return reinterpret_cast<uint32_t *>(slab + WW_BYTES - 4); }
WW_DEVICE slab_key *key_slot(unsigned char *slab, uint32_t slot) { return reinterpret_cast<slab_key *>(slab) + slot; }
WW_DEVICE slab_value *value_slot(unsigned char *slab, uint32_t slot) {
    return reinterpret_cast<slab_value *>(slab + WW_SLOTS * sizeof(slab_key)) + slot;
}

/* ---- states ---- */

/* Those of a sealed slab as those of others are. */
WW_DEVICE uint32_t plain(uint32_t states) { return states & SEALED ? (states & ALL_SLOTS) | ALL_SLOTS << 16 : states; }
WW_DEVICE uint32_t full_of(uint32_t states) { return plain(states) & plain(states) >> 16; }
WW_DEVICE uint32_t claimed_of(uint32_t states) { return plain(states) & ~(plain(states) >> 16) & 0xFFFF; }
WW_DEVICE uint32_t touched_of(uint32_t states) { return (plain(states) | plain(states) >> 16) & 0xFFFF; }
WW_DEVICE uint32_t dead_of(uint32_t states) { return ~plain(states) & plain(states) >> 16 & 0xFFFF; }

/* The bit of a sealed slab's filter that stands for a key behind it. */
WW_DEVICE uint32_t filter_of(uint64_t hash) { return 1u << (FILTER_LOW + (hash >> 20) % FILTER_BITS); }
/* Whether no key of the bit `filter` is behind a slab; what a slab that is not sealed does not say. */
WW_DEVICE bool is_last_for(uint32_t states, uint32_t filter) { return states & SEALED && !(states & filter); }
/* A first slab says that a key comes behind it: before a slot there is claimed for it. */
WW_DEVICE void mark(unsigned char *base, uint64_t hash) {
    const uint32_t states = ww_load_relaxed(states_of(base));
    if (is_last_for(states, filter_of(hash))) atomicOr(states_of(base), filter_of(hash));
}

/* A slab is free again. */
WW_DEVICE void give_slab(const slab_table &t, uint32_t number) {
    const uint64_t unit = number - 1;
    atomicAnd(word_of(t, unit / WORD), ~(1u << unit % WORD));
}

WW_DEVICE void add_to(uint64_t *sum, uint32_t value) {
    if (value) atomicAdd(sum, uint64_t(value));
}

#endif
