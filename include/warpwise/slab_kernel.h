/* A slab hash inside kernels: a WW_KERNEL searches it, inserts, replaces and deletes, on every device.
 *
 *     WW_STRUCT_USES((ww_slab_u32_u32), edges, { ww_slab_u32_u32 degrees; const uint32_t *from; });
 *     WW_KERNEL_USES((ww_slab_u32_u32_place), count_edges, edges, a, i, {
 *         uint32_t *degree = ww_slab_u32_u32_place(&a->degrees, a->from[i], 0);
 *         if (degree) ww_atomic_add(degree, 1u);
 *     });
 *
 *     edges e = {.from = from};
 *     ww_slab_u32_u32_view(slab, n, &e.degrees);
 *     ww_launch(device, ww_with(count_edges, &e), n);
 *
 * A view says where a dictionary is stored. There is a kind for the types of each dictionary: ww_slab_KEY_VALUE, KEY and VALUE
 * u32 or u64, and ww_slab_KEY for keys alone. The struct of a kernel's arguments holds it and lists it among what it uses; the
 * kernel lists the functions that it calls. P is the view's name:
 *
 *     ww_status P_view(ww_slab *slab, uint64_t capacity, P *view)      on the host: ww_slab_view_get, below
 *     uint32_t P_search(const P *view, KEY key, VALUE *value)      FOUND, and the value; or ABSENT
 *     uint32_t P_insert(const P *view, KEY key, VALUE value)       INSERTED or FULL
 *     uint32_t P_replace(const P *view, KEY key, VALUE value)      REPLACED, INSERTED or FULL
 *     uint32_t P_delete(const P *view, KEY key)                    DELETED (the key's oldest pair) or ABSENT
 *     VALUE *P_place(const P *view, KEY key, VALUE first)          where the value of the key's oldest pair is, for atomics of
 *                                                                  the kernel's; where there is no pair one with the value
 *                                                                  `first` is inserted; a null pointer: there is no memory
 *
 * For keys alone search, insert and replace take no value, and there is no place. Each function does what the library's call of
 * that name does with one operation (slab.h), with the same guarantees: all threads of a launch may use them on all keys,
 * without locks, and each takes effect at one moment. A change made through a place while another thread deletes the pair may
 * be lost.
 *
 * If the dictionary is a CPU's, the host can call them as well, from any threads of the program concurrently: those of a server
 * that share a table, say. These must have ended, or pause, before the next call of the library on the dictionary.
 *
 * On a GPU each thread reads slabs by itself, which is slower than ww_slab_search and the like, whose warps read slabs
 * together: use those if the keys are known in advance.
 *
 * Memory. A kernel takes none from the device: what is free when the view is made has to suffice. An operation for which there
 * is no slab returns FULL and has changed nothing. Making the view again gives more capacity, and a second launch may do the
 * rest. */
#ifndef WARPWISE_SLAB_KERNEL_H
#define WARPWISE_SLAB_KERNEL_H

#include "function.h"
#include "slab.h"

/* Bodies are C and C++ at once, whose one cast is C's: C++ compilers are not to warn of it, here or where macros are used. */
#ifdef __cplusplus
#pragma GCC system_header
#endif

/* Where the parts of a dictionary are; src/dictionary/slab/slab.h says what they are. */
WW_STRUCT(ww_slab_view, {
    uint64_t base_count;
    uint64_t buckets;
    uint64_t seed;
    uint32_t low_mask;
    uint32_t high_mask;
    uint32_t super_log;
    uint32_t supers;
    uint32_t slots;
    uint32_t bytes;
    uint32_t filter; /* whether first slabs say which keys are behind them */
    uint32_t sealed; /* the bit of states that says that these bits are a filter for a slab of full and dead slots */
    unsigned char *segment[33];
    unsigned char *super[28];
    /* 64 lines of 8 words: pairs inserted, deleted, slots given up; the first line's fourth: no slab is free. */
    uint64_t *tally;
});

#ifdef __cplusplus
extern "C" {
#endif

/* What P_view calls: a view of the dictionary, whose types are checked (TYPE).
 *   capacity   approximate number of pairs that kernels will insert: buckets are added for that many, and super blocks with
 *              free slabs, as far as there is memory; MEMORY if there is none for the view itself (4 KiB, once)
 * The view is good until the next call that changes the dictionary (insert, replace, combine, delete, a mixed batch, flush,
 * clear) or makes another view. Calls that only look at it leave it as it is. All calls wait for kernels that were launched,
 * and take into account what they have done. */
WW_API ww_status ww_slab_view_get(ww_slab *slab, const ww_type *key_type, const ww_type *value_type, uint64_t capacity,
                                  ww_slab_view *view);

#ifdef __cplusplus
}
#endif

/* ---- words: the same on the host and on a GPU ---- */

/* clang-format off */
#define WW__SLAB_WORD(result, name, ...) static inline __attribute__((unused)) result name(__VA_ARGS__)
WW__SLAB_WORD(uint32_t, ww__in_slab_see, const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
WW__SLAB_WORD(void, ww__in_slab_leave, uint32_t *p, uint32_t x) { (void)p, (void)x; }
WW__SLAB_WORD(uint32_t, ww__in_slab_key32, const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
WW__SLAB_WORD(uint64_t, ww__in_slab_key64, const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
WW__SLAB_WORD(uint32_t, ww__in_slab_get32, const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
WW__SLAB_WORD(uint64_t, ww__in_slab_get64, const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
WW__SLAB_WORD(void, ww__in_slab_put32, uint32_t *p, uint32_t x) { __atomic_store_n(p, x, __ATOMIC_RELAXED); }
WW__SLAB_WORD(void, ww__in_slab_put64, uint64_t *p, uint64_t x) { __atomic_store_n(p, x, __ATOMIC_RELAXED); }
WW__SLAB_WORD(uint32_t, ww__in_slab_cas, uint32_t *p, uint32_t old, uint32_t x) {
    __atomic_compare_exchange_n(p, &old, x, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
}
WW__SLAB_WORD(uint32_t, ww__in_slab_link, uint32_t *p, uint32_t x) { return ww__in_slab_cas(p, 0, x); }
WW__SLAB_WORD(uint32_t, ww__in_slab_set, uint32_t *p, uint32_t bits) { return __atomic_fetch_or(p, bits, __ATOMIC_ACQ_REL); }
WW__SLAB_WORD(uint32_t, ww__in_slab_unset, uint32_t *p, uint32_t bits) {
    return __atomic_fetch_and(p, ~bits, __ATOMIC_ACQ_REL);
}
WW__SLAB_WORD(void, ww__in_slab_tell, uint64_t *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }
WW__SLAB_WORD(void, ww__in_slab_wait, void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
#undef WW__SLAB_WORD
/* clang-format on */

/* What a GPU's programs get for them, and for the numbers of slab.h. Keys are read as they are: who reads them has acquired the
 * states that say that they are there, and they stay. */
static const ww_text ww__definition_of_ww__in_slab __attribute__((unused)) = {
    "ww__in_slab",
    "struct ww__in_slab {};\n"
    "enum { WW_SLAB_ABSENT, WW_SLAB_FOUND, WW_SLAB_DELETED, WW_SLAB_INSERTED, WW_SLAB_REPLACED, WW_SLAB_FULL };\n"
    "WW_INLINE uint32_t ww__in_slab_see(const uint32_t *p) { return ww_load_acquire(p); }\n"
    "WW_INLINE uint32_t ww__in_slab_key32(const uint32_t *p) { return *p; }\n"
    "WW_INLINE uint64_t ww__in_slab_key64(const uint64_t *p) { return *p; }\n"
    "WW_INLINE uint32_t ww__in_slab_get32(const uint32_t *p) { return ww_load_relaxed(p); }\n"
    "WW_INLINE uint64_t ww__in_slab_get64(const uint64_t *p) { return ww_load_relaxed(p); }\n"
    "WW_INLINE void ww__in_slab_put32(uint32_t *p, uint32_t x) { ww_store_relaxed(p, x); }\n"
    "WW_INLINE void ww__in_slab_put64(uint64_t *p, uint64_t x) { ww_store_relaxed(p, x); }\n"
    "WW_INLINE void ww__in_slab_leave(uint32_t *, uint32_t) {}\n"
    "WW_INLINE uint32_t ww__in_slab_cas(uint32_t *p, uint32_t old, uint32_t x) { return atomicCAS(p, old, x); }\n"
    "WW_INLINE uint32_t ww__in_slab_link(uint32_t *p, uint32_t x) {\n"
    "    __threadfence();\n"
    "    const uint32_t old = atomicCAS(p, 0u, x);\n"
    "    __threadfence();\n"
    "    return old;\n"
    "}\n"
    "WW_INLINE uint32_t ww__in_slab_set(uint32_t *p, uint32_t bits) {\n"
    "    __threadfence();\n"
    "    return atomicOr(p, bits);\n"
    "}\n"
    "WW_INLINE uint32_t ww__in_slab_unset(uint32_t *p, uint32_t bits) { return atomicAnd(p, ~bits); }\n"
    "WW_INLINE void ww__in_slab_tell(uint64_t *p) { atomicAdd(p, 1); }\n"
    "WW_INLINE void ww__in_slab_wait() { ww_wait_a_moment(); }\n",
    __FILE__, __LINE__, NULL};

/* ---- slabs, whatever their pairs are ---- */

WW_FUNCTION(
    ww__in_slab_hash, uint64_t, (const ww_slab_view *t, uint64_t key),
    {
        uint64_t x = (key ^ t->seed) * 0x9E3779B97F4A7C15u;
        x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
        return x ^ x >> 32;
    },
    ww_slab_view);

WW_FUNCTION(ww__in_slab_log, uint32_t, (uint64_t x),
            { return (uint32_t)(x >> 32 ? 63 - ww_clz((uint32_t)(x >> 32)) : 31 - ww_clz((uint32_t)x)); });

/* The first slab of a hash's bucket. */
WW_FUNCTION(
    ww__in_slab_home, unsigned char *, (const ww_slab_view *t, uint64_t hash),
    {
        const uint64_t home = ((hash >> 32) * t->base_count) >> 32;
        uint64_t part = hash & t->high_mask;
        if (home + part * t->base_count >= t->buckets) part = hash & t->low_mask;
        const uint32_t segment = part ? ww__in_slab_log(part) + 1 : 0;
        const uint64_t before = part ? t->base_count << (segment - 1) : 0;
        return t->segment[segment] + (home + part * t->base_count - before) * t->bytes;
    },
    ww_slab_view, ww__in_slab_log);

/* The slab of a number; the word of the bitmaps. */
WW_FUNCTION(
    ww__in_slab_unit, unsigned char *, (const ww_slab_view *t, uint32_t number),
    {
        const uint64_t v = (uint64_t)(number - 1) + ((uint64_t)1 << t->super_log);
        const uint32_t log = ww__in_slab_log(v);
        return t->super[log - t->super_log] + (v - ((uint64_t)1 << log)) * t->bytes;
    },
    ww_slab_view, ww__in_slab_log);
WW_FUNCTION(
    ww__in_slab_bits, uint32_t *, (const ww_slab_view *t, uint64_t word),
    {
        const uint64_t v = word * 32 + ((uint64_t)1 << t->super_log);
        const uint32_t log = ww__in_slab_log(v);
        unsigned char *bitmap = t->super[log - t->super_log] + ((uint64_t)1 << log) * t->bytes;
        return (uint32_t *)(void *)bitmap + (v - ((uint64_t)1 << log)) / 32;
    },
    ww_slab_view, ww__in_slab_log);

WW_FUNCTION(
    ww__in_slab_states, uint32_t *, (const ww_slab_view *t, unsigned char *slab),
    { return (uint32_t *)(void *)(slab + t->bytes - 8); }, ww_slab_view);
WW_FUNCTION(
    ww__in_slab_next, uint32_t *, (const ww_slab_view *t, unsigned char *slab),
    { return (uint32_t *)(void *)(slab + t->bytes - 4); }, ww_slab_view);
WW_FUNCTION(
    ww__in_slab_plain, uint32_t, (const ww_slab_view *t, uint32_t states),
    {
        const uint32_t all = (1u << t->slots) - 1;
        return states & t->sealed ? (states & all) | all << 16 : states;
    },
    ww_slab_view);
WW_FUNCTION(
    ww__in_slab_has_empty, bool, (const ww_slab_view *t, uint32_t states),
    {
        const uint32_t seen = ww__in_slab_plain(t, states);
        return (~(seen | seen >> 16) & ((1u << t->slots) - 1)) != 0;
    },
    ww_slab_view, ww__in_slab_plain);

/* Counts what has been done: what = 0 pairs inserted, 1 deleted, 2 slots given up. By hash, so that threads seldom meet. */
WW_FUNCTION(
    ww__in_slab_count, void, (const ww_slab_view *t, uint64_t hash, uint32_t what),
    { ww__in_slab_tell(t->tally + (hash >> 16 & 63) * 8 + what); }, ww_slab_view, ww__in_slab);

/* A slab that nobody has, from where the hash says on; 0: there is none. */
WW_FUNCTION(
    ww__in_slab_take, uint32_t, (const ww_slab_view *t, uint64_t hash),
    {
        const uint64_t first = (uint64_t)1 << t->super_log;
        const uint64_t words = ((first << t->supers) - first) / 32;
        uint32_t *exhausted = (uint32_t *)(void *)(t->tally + 3);
        uint64_t word = ((hash & 0xFFFFFFFFu) * words) >> 32;
        if (ww__in_slab_get32(exhausted)) return 0;
        for (uint64_t tried = 0; tried < words; tried++) {
            uint32_t *bits = ww__in_slab_bits(t, word);
            for (uint32_t seen = ww__in_slab_get32(bits); ~seen;) {
                const uint32_t bit = ~seen & (seen + 1);
                const uint32_t old = ww__in_slab_set(bits, bit);
                if (!(old & bit)) return (uint32_t)(word * 32 + (uint64_t)ww_ffs(bit));
                seen = old | bit;
            }
            word = word + 1 < words ? word + 1 : 0;
        }
        ww__in_slab_put32(exhausted, 1);
        return 0;
    },
    ww_slab_view, ww__in_slab_bits, ww__in_slab);

WW_FUNCTION(
    ww__in_slab_give, void, (const ww_slab_view *t, uint32_t number),
    {
        ww__in_slab_unset(ww__in_slab_bits(t, (number - 1) / 32), 1u << (number - 1) % 32);
        ww__in_slab_put32((uint32_t *)(void *)(t->tally + 3), 0);
    },
    ww_slab_view, ww__in_slab_bits, ww__in_slab);

/* The slab behind one that has no empty slot: a new one where there was none; a null pointer where there is no memory. */
WW_FUNCTION(
    ww__in_slab_extend, unsigned char *, (const ww_slab_view *t, unsigned char *slab, uint64_t hash),
    {
        uint32_t *next = ww__in_slab_next(t, slab);
        const uint32_t seen = ww__in_slab_see(next);
        if (seen) return ww__in_slab_unit(t, seen);
        const uint32_t number = ww__in_slab_take(t, hash);
        if (!number) return 0;
        unsigned char *added = ww__in_slab_unit(t, number);
        ww__in_slab_put32(ww__in_slab_states(t, added), 0);
        ww__in_slab_put32(ww__in_slab_next(t, added), 0);
        const uint32_t other = ww__in_slab_link(next, number);
        if (!other) return added;
        ww__in_slab_give(t, number);
        return ww__in_slab_unit(t, other);
    },
    ww_slab_view, ww__in_slab_next, ww__in_slab_states, ww__in_slab_unit, ww__in_slab_take, ww__in_slab_give,
    ww__in_slab);

/* Waits a moment for a claimed slot to be decided, and makes it dead once one has looked often enough. */
WW_FUNCTION(
    ww__in_slab_decide, void, (uint32_t * states, uint32_t taken, uint32_t looks),
    {
        if (looks < 64) {
            ww__in_slab_wait();
        } else {
            uint32_t seen = ww__in_slab_see(states);
            while (seen & ~(seen >> 16) & taken) {
                const uint32_t old = ww__in_slab_cas(states, seen, (seen & ~taken) | taken << 16);
                if (old == seen) break;
                seen = old;
            }
        }
    },
    ww__in_slab);

/* Says in a bucket's first slab that a key comes behind it. */
WW_FUNCTION(
    ww__in_slab_mark, void, (const ww_slab_view *t, unsigned char *base, uint64_t hash),
    {
        uint32_t *states = ww__in_slab_states(t, base);
        const uint32_t seen = ww__in_slab_see(states);
        const uint32_t half = 16 - t->slots;
        const uint32_t number = (uint32_t)(hash >> 20 & 0xFFF) * 2 * half >> 12;
        uint32_t bit = 0;
        if (t->filter) bit = 1u << (t->slots + number + (number < half ? 0 : t->slots));
        if (seen & t->sealed) bit = 1u << (15 + (uint32_t)(hash >> 20 & 15));
        if (bit & ~seen) ww__in_slab_set(states, bit);
    },
    ww_slab_view, ww__in_slab_states, ww__in_slab);

/* Where an operation is: in which slab, and the states in which it has seen it. */
WW_STRUCT(ww__in_slab_at, {
    unsigned char *slab;
    uint32_t seen;
    int32_t slot;
});

/* ---- by the types of keys and values; src/dictionary/slab/loops.h says why the operations are right at once ---- */

/* P: the view's name. KEY, read by key32 or key64 and written by put32 or put64. Whether the key is there: then at->slot says
 * where; else the list ends in at->slab. */
#define WW__SLAB_OF_KEYS(P, KEY, key_of) \
    WW_STRUCT_USES((ww_slab_view), P, { ww_slab_view view; }); \
    WW_FUNCTION( \
        P##_find, bool, (const ww_slab_view *t, KEY key, ww__in_slab_at *at), \
        { \
            for (uint32_t looks = 0;;) { \
                const KEY *keys = (const KEY *)(const void *)at->slab; \
                uint32_t *states = ww__in_slab_states(t, at->slab); \
                const uint32_t seen = ww__in_slab_plain(t, ww__in_slab_see(states)); \
                const uint32_t full = seen & seen >> 16; \
                const uint32_t open = seen & ~(seen >> 16) & ((1u << t->slots) - 1); \
                uint32_t same = 0; \
                for (uint32_t i = 0; i < t->slots; i++) \
                    if (full >> i & 1 && key_of(keys + i) == key) same |= 1u << i; \
                if (open && (!same || (open & (same ^ (same - 1))))) { \
                    ww__in_slab_decide(states, (0u - open) & open, looks++); \
                    continue; \
                } \
                at->seen = seen; \
                at->slot = ww_ffs(same) - 1; \
                if (same) return true; \
                const uint32_t next = ww__in_slab_see(ww__in_slab_next(t, at->slab)); \
                if (!next) return false; \
                if (!ww__in_slab_has_empty(t, seen)) at->slab = ww__in_slab_unit(t, next); \
            } \
        }, \
        ww__in_slab_at, ww_slab_view, ww__in_slab_states, ww__in_slab_next, ww__in_slab_has_empty, ww__in_slab_unit, \
        ww__in_slab_decide, ww__in_slab); \
    WW_FUNCTION( \
        P##_delete, uint32_t, (const P *view, KEY key), \
        { \
            const ww_slab_view *t = &view->view; \
            const uint64_t hash = ww__in_slab_hash(t, key); \
            ww__in_slab_at at; \
            at.slab = ww__in_slab_home(t, hash); \
            while (P##_find(t, key, &at)) { \
                const uint32_t taken = 1u << at.slot; \
                if (ww__in_slab_unset(ww__in_slab_states(t, at.slab), taken) & taken) { \
                    ww__in_slab_count(t, hash, 1); \
                    return WW_SLAB_DELETED; \
                } \
            } \
            return WW_SLAB_ABSENT; \
        }, \
        P, P##_find, ww__in_slab_hash, ww__in_slab_home, ww__in_slab_count);

/* The first empty slot of a slab that is still in the states that were seen gets a pair; then at->slot is its. */
#define WW__SLAB_CLAIM(P, KEY, put_key, VALUE, put_value) \
    WW_FUNCTION( \
        P##_claim, bool, (const ww_slab_view *t, uint64_t hash, ww__in_slab_at *at, KEY key, VALUE value), \
        { \
            uint32_t *states = ww__in_slab_states(t, at->slab); \
            const uint32_t slot = (uint32_t)ww_ffs(~(at->seen | at->seen >> 16)) - 1; \
            const uint32_t taken = 1u << slot; \
            if (ww__in_slab_cas(states, at->seen, at->seen | taken) != at->seen) return false; \
            put_key((KEY *)(void *)at->slab + slot, key); \
            put_value((VALUE *)(void *)(at->slab + t->slots * sizeof(KEY)) + slot, value); \
            const bool mine = (ww__in_slab_set(states, taken << 16) & taken) != 0; \
            ww__in_slab_count(t, hash, mine ? 0 : 2); \
            at->slot = (int32_t)slot; \
            return mine; \
        }, \
        ww__in_slab_at, ww_slab_view, ww__in_slab_states, ww__in_slab_count, ww__in_slab); \
    WW_FUNCTION( \
        P##_enter, uint32_t, (const ww_slab_view *t, KEY key, VALUE value, ww__in_slab_at *at), \
        { \
            const uint64_t hash = ww__in_slab_hash(t, key); \
            unsigned char *base = ww__in_slab_home(t, hash); \
            at->slab = base; \
            for (;;) { \
                if (P##_find(t, key, at)) return WW_SLAB_REPLACED; \
                if (ww__in_slab_has_empty(t, at->seen)) { \
                    if (at->slab != base) ww__in_slab_mark(t, base, hash); \
                    if (P##_claim(t, hash, at, key, value)) return WW_SLAB_INSERTED; \
                } else { \
                    unsigned char *next = ww__in_slab_extend(t, at->slab, hash); \
                    if (!next) return WW_SLAB_FULL; \
                    at->slab = next; \
                } \
            } \
        }, \
        P##_find, P##_claim, ww__in_slab_hash, ww__in_slab_home, ww__in_slab_has_empty, ww__in_slab_extend, \
        ww__in_slab_mark); \
    WW_FUNCTION( \
        P##_append, uint32_t, (const ww_slab_view *t, KEY key, VALUE value), \
        { \
            const uint64_t hash = ww__in_slab_hash(t, key); \
            ww__in_slab_at at; \
            unsigned char *base = ww__in_slab_home(t, hash); \
            at.slab = base; \
            for (;;) { \
                at.seen = ww__in_slab_see(ww__in_slab_states(t, at.slab)); \
                if (ww__in_slab_has_empty(t, at.seen)) { \
                    if (at.slab != base) ww__in_slab_mark(t, base, hash); \
                    if (P##_claim(t, hash, &at, key, value)) return WW_SLAB_INSERTED; \
                } else { \
                    at.slab = ww__in_slab_extend(t, at.slab, hash); \
                    if (!at.slab) return WW_SLAB_FULL; \
                } \
            } \
        }, \
        P##_claim, ww__in_slab_hash, ww__in_slab_home, ww__in_slab_has_empty, ww__in_slab_extend, ww__in_slab_mark);

#define WW__SLAB_PAIRS(P, KEY, key_size, VALUE, value_size) \
    WW__SLAB_OF_KEYS(P, KEY, ww__in_slab_key##key_size) \
    WW__SLAB_CLAIM(P, KEY, ww__in_slab_put##key_size, VALUE, ww__in_slab_put##value_size) \
    WW_FUNCTION( \
        P##_value, VALUE *, (const ww_slab_view *t, const ww__in_slab_at *at), \
        { return (VALUE *)(void *)(at->slab + t->slots * sizeof(KEY)) + at->slot; }, ww__in_slab_at, ww_slab_view); \
    WW_FUNCTION( \
        P##_search, uint32_t, (const P *view, KEY key, VALUE *value), \
        { \
            ww__in_slab_at at; \
            at.slab = ww__in_slab_home(&view->view, ww__in_slab_hash(&view->view, key)); \
            if (!P##_find(&view->view, key, &at)) return WW_SLAB_ABSENT; \
            *value = ww__in_slab_get##value_size(P##_value(&view->view, &at)); \
            return WW_SLAB_FOUND; \
        }, \
        P, P##_find, P##_value, ww__in_slab_hash, ww__in_slab_home); \
    WW_FUNCTION( \
        P##_insert, uint32_t, (const P *view, KEY key, VALUE value), { return P##_append(&view->view, key, value); }, \
        P, P##_append); \
    WW_FUNCTION( \
        P##_replace, uint32_t, (const P *view, KEY key, VALUE value), \
        { \
            ww__in_slab_at at; \
            const uint32_t status = P##_enter(&view->view, key, value, &at); \
            if (status == WW_SLAB_REPLACED) ww__in_slab_put##value_size(P##_value(&view->view, &at), value); \
            return status; \
        }, \
        P, P##_enter, P##_value); \
    WW_FUNCTION( \
        P##_place, VALUE *, (const P *view, KEY key, VALUE first), \
        { \
            ww__in_slab_at at; \
            if (P##_enter(&view->view, key, first, &at) == WW_SLAB_FULL) return 0; \
            return P##_value(&view->view, &at); \
        }, \
        P, P##_enter, P##_value); \
    static inline __attribute__((unused)) ww_status P##_view(ww_slab *slab, uint64_t capacity, P *view) { \
        return ww_slab_view_get(slab, &WW__TYPE(KEY), &WW__TYPE(VALUE), capacity, view ? &view->view : NULL); \
    }

/* Keys alone. Where their values would be there is nothing to write: it is left out by a function that does nothing. */
#define WW__SLAB_KEYS(P, KEY, key_size) \
    WW__SLAB_OF_KEYS(P, KEY, ww__in_slab_key##key_size) \
    WW__SLAB_CLAIM(P, KEY, ww__in_slab_put##key_size, uint32_t, ww__in_slab_leave) \
    WW_FUNCTION( \
        P##_search, uint32_t, (const P *view, KEY key), \
        { \
            ww__in_slab_at at; \
            at.slab = ww__in_slab_home(&view->view, ww__in_slab_hash(&view->view, key)); \
            return P##_find(&view->view, key, &at) ? WW_SLAB_FOUND : WW_SLAB_ABSENT; \
        }, \
        P, P##_find, ww__in_slab_hash, ww__in_slab_home); \
    WW_FUNCTION( \
        P##_insert, uint32_t, (const P *view, KEY key), { return P##_append(&view->view, key, 0); }, P, P##_append); \
    WW_FUNCTION( \
        P##_replace, uint32_t, (const P *view, KEY key), \
        { \
            ww__in_slab_at at; \
            return P##_enter(&view->view, key, 0, &at); \
        }, \
        P, P##_enter); \
    static inline __attribute__((unused)) ww_status P##_view(ww_slab *slab, uint64_t capacity, P *view) { \
        return ww_slab_view_get(slab, &WW__TYPE(KEY), NULL, capacity, view ? &view->view : NULL); \
    }

WW__SLAB_PAIRS(ww_slab_u32_u32, uint32_t, 32, uint32_t, 32)
WW__SLAB_PAIRS(ww_slab_u32_u64, uint32_t, 32, uint64_t, 64)
WW__SLAB_PAIRS(ww_slab_u64_u32, uint64_t, 64, uint32_t, 32)
WW__SLAB_PAIRS(ww_slab_u64_u64, uint64_t, 64, uint64_t, 64)
WW__SLAB_KEYS(ww_slab_u32, uint32_t, 32)
WW__SLAB_KEYS(ww_slab_u64, uint64_t, 64)

#endif
