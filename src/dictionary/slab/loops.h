/* The operations on slabs, for one layout and one vector width; loops_cpu.c includes this file with
 *     KEY, VALUE    types of keys and values       HAS_VALUE   0: there are none, and VALUE is not used
 *     SLOTS, BYTES  of a slab                      MATCHES     compares a slab's keys with one: a bit for each slot
 *     TARGET        the functions' attribute       LOOPS       the name of what is made
 * and WW__SLAB_MEANWHILE(), which is nothing but in a test: there other threads get ahead where it stands; WW__SLAB_LONG is short there.
 *
 * Why they are right, however many threads run them at once. A slot goes from empty to claimed, to full, to dead (slab.h), never
 * back; all changes of a word of states are atomic, and claims compare-and-swaps on it. Slots of a bucket are claimed in the order of
 * its list. Between claiming a slot and making it full its thread writes the pair; the compare-and-swap that makes it full releases
 * what was written, and whoever reads a key or a value has acquired the states that said full before.
 *
 * `find` goes along the list. It never passes a claimed slot: it waits for it to be decided, and if that takes long makes it dead,
 * at which the slot's thread starts over. So each slot that it has passed was full with another key, or dead, and so it stays; the
 * first full one with the key is what it returns; or it comes to the end: it has seen an empty slot in the states of the last slab, or
 * behind states without one that there is no next slab, and so that there was nothing further on. Hence:
 *
 * - A search or delete that finds nothing: at the moment at which it sees the end there is no pair with the key. That is its moment.
 * - The same where its key's bit of the filter in the first slab is not set, when the states are read: the bit is set before any slot
 *   behind is claimed for the key.
 * - An insert: its moment is when it claims the slot that it then makes full. Nobody passes the slot in between.
 * - A delete that finds a pair: the compare-and-swap that makes the slot dead. All of the key's slots before it are dead.
 * - A replace that finds no pair claims the first empty slot by a compare-and-swap from the very states in which `find` saw the end,
 *   so nothing was claimed since: when it claims there is no pair with the key, and two replaces cannot both insert. (Claims in
 *   later slabs are none: this one was not full, or had no next.) That is its moment.
 * - A replace that finds a pair stores the value. If the slot is still full then, that is its moment; if it has died since `find` saw
 *   it full, its moment is just before that death, which lies within the replace.
 * - A search that finds a pair reads the value. If the slot is still full, that is its moment. If not, it is just before the slot's
 *   death, behind those replaces whose values were stored by then: all of them saw the slot full, so they, too, have that moment
 *   within them.
 *
 * What a worker has learnt of a list (hints) says no more than what its own walk in the same part of a batch has seen, and what stays so: all
 * slots before a slab have been taken, or those of them that have had a key are dead. Nobody rebuilds buckets meanwhile.
 *
 * - A replace that combines, in a batch of such alone, in which nothing dies: when it has stored a value that was made of the one before.
 *
 * Every operation goes on whatever the others do, as long as it is not taken its claim again and again. */

#define NAME(what) JOINED(LOOPS, what)
#define KEYS_OF(slab) ((KEY *)(void *)(slab))
#define VALUES_OF(slab) ((VALUE *)(void *)((slab) + SLOTS * sizeof(KEY)))
#define ALL_SLOTS ((1u << SLOTS) - 1)

TARGET static inline uint32_t *NAME(states)(unsigned char *slab) { return ww__slab_states(slab, BYTES); }
TARGET static inline uint32_t NAME(states_seen)(unsigned char *slab) {
    return __atomic_load_n(NAME(states)(slab), __ATOMIC_ACQUIRE);
}
TARGET static inline unsigned char *NAME(next)(const ww__slab_table *t, unsigned char *slab) {
    const uint32_t next = __atomic_load_n(ww__slab_next(slab, BYTES), __ATOMIC_ACQUIRE);
    return next ? ww__slab_unit(t, BYTES, next - 1) : NULL;
}

TARGET static inline unsigned char *NAME(home)(const ww__slab_table *t, KEY key) {
    const uint64_t hash = ww__slab_hash(t->seed, key);
    const uint64_t home = ((hash >> 32) * t->base_count) >> 32;
    uint64_t part = hash & t->high_mask;
    if (home + part * t->base_count >= t->buckets) part = hash & t->low_mask;
    return ww__slab_base(t, BYTES, home + part * t->base_count, part);
}

/* ---- what all operations are made of ---- */

/* The first full slot with the key, from *slab on, which is set to where it is; -1 where there is none: then *slab is the last one,
 * and *seen the states in which it was. */
TARGET static inline int NAME(find)(ww__slab_worker *w, unsigned char **slab, KEY key, uint32_t *seen) {
    for (uint64_t slabs = 1;;) {
        const uint32_t states = NAME(states_seen)(*slab);
        WW__SLAB_MEANWHILE();
        const uint32_t same = MATCHES(*slab, key) & ww__slab_full(states, ALL_SLOTS);
        const uint32_t open = ww__slab_claimed(states, ALL_SLOTS);
        if (__builtin_expect(open != 0, 0) && (!same || (open & (same ^ (same - 1))))) {
            decide(NAME(states)(*slab), open & (0u - open));
            continue;
        }
        *seen = states;
        unsigned char *const next = same ? NULL : NAME(next)(w->table, *slab);
        if (!next) {
            if (__builtin_expect(slabs > WW__SLAB_LONG, 0)) learn_oldest(&w->hints, key, *slab, slabs);
            return same ? __builtin_ctz(same) : -1;
        }
        if (ww__slab_touched(states, ALL_SLOTS) != ALL_SLOTS) continue; /* more slots have been claimed since */
        *slab = next;
        if (__builtin_expect(++slabs == 2, 0)) *slab = known_oldest(&w->hints, key, next, &slabs);
    }
}

/* Writes a pair to a slot that this thread has claimed, and makes it full; false where the claim was taken away meanwhile. */
TARGET static inline bool NAME(fill)(ww__slab_worker *w, unsigned char *slab, uint32_t slot, uint32_t states, KEY key,
                                     const VALUE *value) {
    WW__SLAB_MEANWHILE();
    __atomic_store_n(&KEYS_OF(slab)[slot], key, __ATOMIC_RELAXED);
#if HAS_VALUE
    __atomic_store_n(&VALUES_OF(slab)[slot], *value, __ATOMIC_RELAXED);
#else
    (void)value;
#endif
    const uint32_t decided = 1u << (16 + slot);
    WW__SLAB_MEANWHILE();
    while (!__atomic_compare_exchange_n(NAME(states)(slab), &states, states | decided, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        if (states & decided) {
            w->outcome->given_up++;
            return false;
        }
    w->outcome->inserted++;
    return true;
}

/* Claims the slot that follows those of `states`, if the slab is still in them, and fills it. */
TARGET static inline bool NAME(claim)(ww__slab_worker *w, unsigned char *slab, uint32_t states, KEY key,
                                      const VALUE *value) {
    const uint32_t slot = (uint32_t)__builtin_ctz(~ww__slab_touched(states, ALL_SLOTS));
    uint32_t expected = states;
    WW__SLAB_MEANWHILE();
    if (!__atomic_compare_exchange_n(NAME(states)(slab), &expected, states | 1u << slot, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return false;
    return NAME(fill)(w, slab, slot, states | 1u << slot, key, value);
}

/* The slab behind one that has no empty slot: a new one where there was none, or NULL where there is no memory. */
TARGET static inline unsigned char *NAME(extend)(ww__slab_worker *w, unsigned char *slab) {
    unsigned char *const next = NAME(next)(w->table, slab);
    if (next) return next;
    const uint32_t number = ww__slab_take(w, BYTES);
    if (!number) return NULL;
    unsigned char *const added = ww__slab_unit(w->table, BYTES, number - 1);
    *NAME(states)(added) = 0;
    *ww__slab_next(added, BYTES) = 0;
    uint32_t none = 0;
    WW__SLAB_MEANWHILE();
    if (__atomic_compare_exchange_n(ww__slab_next(slab, BYTES), &none, number, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return added;
    put_back(w, number);
    return ww__slab_unit(w->table, BYTES, none - 1);
}

/* Says in the states of a bucket's first slab that a key comes behind it. */
TARGET static inline void NAME(mark)(const ww__slab_worker *w, unsigned char *base, KEY key) {
    uint32_t *const states = NAME(states)(base);
    const uint32_t bit = ww__slab_filter(ww__slab_hash(w->table->seed, key), SLOTS);
    if (!(__atomic_load_n(states, __ATOMIC_RELAXED) & bit)) __atomic_fetch_or(states, bit, __ATOMIC_ACQ_REL);
}

/* ---- the operations ---- */

TARGET static inline ww_slab_status NAME(search)(ww__slab_worker *w, unsigned char *slab, KEY key, VALUE *found) {
    uint32_t seen;
    const int slot = NAME(find)(w, &slab, key, &seen);
    if (slot < 0) return WW_SLAB_ABSENT;
    WW__SLAB_MEANWHILE();
#if HAS_VALUE
    if (found) *found = __atomic_load_n(&VALUES_OF(slab)[slot], __ATOMIC_RELAXED);
#else
    (void)found;
#endif
    return WW_SLAB_FOUND;
}

TARGET static inline ww_slab_status NAME(insert)(ww__slab_worker *w, unsigned char *base, KEY key, const VALUE *value) {
    uint64_t slabs = 1;
    for (unsigned char *slab = base;;) {
        const uint32_t states = __atomic_load_n(NAME(states)(slab), __ATOMIC_RELAXED);
        if (ww__slab_touched(states, ALL_SLOTS) != ALL_SLOTS) {
            if (__builtin_expect(slabs > WW__SLAB_LONG, 0)) learn_end(&w->hints, base, slab, slabs);
            if (NAME(claim)(w, slab, states, key, value)) return WW_SLAB_INSERTED;
        } else {
            unsigned char *const next = NAME(extend)(w, slab);
            if (!next) return WW_SLAB_FULL;
            if (slab == base) NAME(mark)(w, base, key);
            slab = next;
            if (++slabs == 2) slab = known_end(&w->hints, base, next, &slabs);
        }
    }
}

/* Insertion where nothing but insertions runs: nobody looks at a slot before all are done. So a slot goes from empty to full at once, and
 * its pair is written afterwards; where one thread does all, by a plain store. */
TARGET static inline ww_slab_status NAME(append)(ww__slab_worker *w, unsigned char *base, KEY key, const VALUE *value) {
    unsigned char *slab = base;
    uint64_t slabs = 1;
    uint32_t states = __atomic_load_n(NAME(states)(slab), __ATOMIC_RELAXED);
    for (;;) {
        const uint32_t touched = ww__slab_touched(states, ALL_SLOTS);
        if (touched != ALL_SLOTS) {
            const uint32_t slot = (uint32_t)__builtin_ctz(~touched), full = states | 1u << slot | 1u << (16 + slot);
            if (w->alone)
                *NAME(states)(slab) = full;
            else if (!__atomic_compare_exchange_n(NAME(states)(slab), &states, full, false, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED))
                continue;
            KEYS_OF(slab)[slot] = key;
#if HAS_VALUE
            VALUES_OF(slab)[slot] = *value;
#else
            (void)value;
#endif
            if (__builtin_expect(slabs > WW__SLAB_LONG, 0)) learn_end(&w->hints, base, slab, slabs);
            return WW_SLAB_INSERTED;
        }
        slab = NAME(extend)(w, slab);
        if (!slab) return WW_SLAB_FULL;
        if (++slabs == 2) NAME(mark)(w, base, key);
        if (slabs == 2) slab = known_end(&w->hints, base, slab, &slabs);
        states = __atomic_load_n(NAME(states)(slab), __ATOMIC_RELAXED);
    }
}

#if HAS_VALUE
/* The value of a full slot becomes another, or what the two combine to. */
TARGET static inline void NAME(set_value)(const ww__slab_worker *w, VALUE *at, const VALUE *value) {
    if (!w->combine) {
        __atomic_store_n(at, *value, __ATOMIC_RELAXED);
        return;
    }
    VALUE old = __atomic_load_n(at, __ATOMIC_RELAXED), both;
    do {
        w->combine->pairwise(&both, &old, value, 1, w->environment);
        WW__SLAB_MEANWHILE();
    } while (!__atomic_compare_exchange_n(at, &old, both, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
#endif

TARGET static inline ww_slab_status NAME(replace)(ww__slab_worker *w, unsigned char *base, KEY key,
                                                  const VALUE *value) {
    for (unsigned char *slab = base;;) {
        uint32_t seen;
        const int slot = NAME(find)(w, &slab, key, &seen);
        if (slot >= 0) {
            WW__SLAB_MEANWHILE();
#if HAS_VALUE
            NAME(set_value)(w, &VALUES_OF(slab)[slot], value);
#endif
            return WW_SLAB_REPLACED;
        }
        if (ww__slab_touched(seen, ALL_SLOTS) != ALL_SLOTS) {
            if (slab != base) NAME(mark)(w, base, key);
            if (NAME(claim)(w, slab, seen, key, value)) return WW_SLAB_INSERTED;
        } else {
            unsigned char *const next = NAME(extend)(w, slab);
            if (!next) return WW_SLAB_FULL;
            slab = next;
        }
    }
}

/* Deletes the oldest pair from *slab on, which is set to where that was. */
TARGET static inline ww_slab_status NAME(delete_one)(ww__slab_worker *w, unsigned char **slab, KEY key) {
    uint32_t states;
    for (int slot; (slot = NAME(find)(w, slab, key, &states)) >= 0;) {
        const uint32_t taken = 1u << slot;
        WW__SLAB_MEANWHILE();
        while (states & taken)
            if (__atomic_compare_exchange_n(NAME(states)(*slab), &states, states & ~taken, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE)) {
                w->outcome->deleted++;
                return WW_SLAB_DELETED;
            }
    }
    return WW_SLAB_ABSENT;
}

TARGET static inline ww_slab_status NAME(delete_all)(ww__slab_worker *w, unsigned char *slab, KEY key) {
    ww_slab_status status = WW_SLAB_ABSENT;
    while (NAME(delete_one)(w, &slab, key) == WW_SLAB_DELETED) status = WW_SLAB_DELETED;
    return status;
}

TARGET static inline uint64_t NAME(count)(const ww__slab_table *t, unsigned char *slab, KEY key) {
    uint64_t count = 0;
    for (; slab; slab = NAME(next)(t, slab))
        count += (uint64_t)__builtin_popcount(MATCHES(slab, key) & ww__slab_full(NAME(states_seen)(slab), ALL_SLOTS));
    return count;
}

#if HAS_VALUE
/* Puts the values of all of the key's pairs to `to`, `room` of them at most, and says how many there are. */
TARGET static inline uint64_t NAME(search_all)(const ww__slab_table *t, unsigned char *slab, KEY key, VALUE *to,
                                               uint64_t room) {
    uint64_t count = 0;
    for (; slab; slab = NAME(next)(t, slab))
        for (uint32_t same = MATCHES(slab, key) & ww__slab_full(NAME(states_seen)(slab), ALL_SLOTS); same;
             same &= same - 1, count++)
            if (count < room) to[count] = VALUES_OF(slab)[__builtin_ctz(same)];
    return count;
}
#endif

/* ---- a tile of a batch ---- */

/* Does operation i, of whichever kind. */
TARGET static inline ww_slab_status NAME(one)(ww__slab_worker *w, ww__slab_kind kind, unsigned char *slab, size_t i) {
    const KEY key = ((const KEY *)w->keys)[i];
    const VALUE *const value = w->values ? (const VALUE *)w->values + i : NULL;
    switch ((uint32_t)kind) {
    case WW_SLAB_NOTHING:
        return WW_SLAB_ABSENT;
    case WW_SLAB_SEARCH:
        return NAME(search)(w, slab, key, w->found ? (VALUE *)w->found + i : NULL);
    case WW_SLAB_INSERT:
        return NAME(insert)(w, slab, key, value);
    case WW_SLAB_REPLACE:
        return NAME(replace)(w, slab, key, value);
    case WW_SLAB_DELETE:
        return NAME(delete_one)(w, &slab, key);
    case WW_SLAB_DELETE_ALL:
        return NAME(delete_all)(w, slab, key);
    }
    if (w->outcome->fault > w->position + i) w->outcome->fault = w->position + i;
    return WW_SLAB_ABSENT;
}

/* The first slabs of the operations that come are asked for before they are wanted, so that many misses are under way at once. */
#define LOOK_AHEAD 32
#define LOOK_SECOND 8
TARGET static inline void NAME(ask)(const unsigned char *slab) {
    for (size_t line = 0; line < BYTES; line += 64) __builtin_prefetch(slab + line, 1);
}
/* The second slab of a list whose first one is full and has been asked for before. */
TARGET static inline void NAME(ask_second)(const ww__slab_table *t, unsigned char *slab) {
    const uint32_t next = __atomic_load_n(ww__slab_next(slab, BYTES), __ATOMIC_RELAXED);
    if (__builtin_expect(next != 0, 0)) NAME(ask)(ww__slab_unit(t, BYTES, next - 1));
}
TARGET static inline void NAME(ask_to_read)(const unsigned char *slab) {
    for (size_t line = 0; line < BYTES; line += 64) __builtin_prefetch(slab + line);
}

/* The first slabs of a tile's keys, in a loop of its own: a dictionary that has not grown has them in one piece. */
TARGET static void NAME(homes)(const ww__slab_table *t, const KEY *keys, unsigned char **home, size_t begin, size_t n) {
    unsigned char *const base = t->segment[0];
    const uint64_t seed = t->seed, count = t->base_count;
    if (t->buckets == count)
        for (size_t i = begin; i < n; i++)
            home[i] = base + ((ww__slab_hash(seed, keys[i]) >> 32) * count >> 32) * BYTES;
    else
        for (size_t i = begin; i < n; i++) home[i] = NAME(home)(t, keys[i]);
}

/* Searches look at the first slabs, one after another; where a list goes on, its second slab is asked for, and looked at when the
 * tile's first slabs are done. (What is written is of any type to the compiler: pointers of the worker are read once.) */
TARGET static size_t NAME(run_search)(ww__slab_worker *w, size_t begin, size_t n) {
    unsigned char *home[WW__SLAB_TILE + LOOK_AHEAD];
    uint16_t later[WW__SLAB_TILE];
    size_t many = 0;
    const ww__slab_table *const t = w->table;
    const KEY *const keys = (const KEY *)w->keys;
    uint8_t *const statuses = w->statuses;
#if HAS_VALUE
    VALUE *const found = (VALUE *)w->found;
#endif
    NAME(homes)(t, keys, home, begin, n);
    for (size_t i = n; i < n + LOOK_AHEAD; i++) home[i] = home[begin];
    for (size_t i = begin; i < begin + LOOK_AHEAD; i++) NAME(ask_to_read)(home[i]);
    for (size_t i = begin; i < n; i++) {
        NAME(ask_to_read)(home[i + LOOK_AHEAD]);
        unsigned char *const slab = home[i];
        const uint32_t states = NAME(states_seen)(slab);
        const uint32_t same = MATCHES(slab, keys[i]) & ww__slab_full(states, ALL_SLOTS);
        const bool behind = !same && ww__slab_touched(states, ALL_SLOTS) == ALL_SLOTS &&
                            states & ww__slab_filter(ww__slab_hash(t->seed, keys[i]), SLOTS);
        if (__builtin_expect(ww__slab_claimed(states, ALL_SLOTS) || behind, 0)) {
            /* The second slab, if nothing more can come to the first. */
            unsigned char *const next = ww__slab_claimed(states, ALL_SLOTS) ? NULL : NAME(next)(t, slab);
            if (next) {
                home[i] = next;
                NAME(ask_to_read)(next);
            }
            later[many++] = (uint16_t)i;
            continue;
        }
        if (statuses) statuses[i] = same ? WW_SLAB_FOUND : WW_SLAB_ABSENT;
#if HAS_VALUE
        if (same && found) found[i] = __atomic_load_n(&VALUES_OF(slab)[__builtin_ctz(same)], __ATOMIC_RELAXED);
#endif
    }
    for (size_t k = 0; k < many; k++) {
        const size_t i = later[k];
        const ww_slab_status status = NAME(one)(w, WW__SLAB_KIND_SEARCH, home[i], i);
        if (statuses) statuses[i] = (uint8_t)status;
    }
    return n;
}

/* A batch of insertions alone. */
TARGET static size_t NAME(run_append)(ww__slab_worker *w, size_t begin, size_t n) {
    unsigned char *home[WW__SLAB_TILE + LOOK_AHEAD];
    const KEY *const keys = (const KEY *)w->keys;
    const VALUE *const values = (const VALUE *)w->values;
    uint8_t *const statuses = w->statuses;
    uint64_t full = 0;
    size_t i = begin;
    NAME(homes)(w->table, keys, home, begin, n);
    for (size_t k = n; k < n + LOOK_AHEAD; k++) home[k] = home[begin];
    for (size_t k = begin; k < begin + LOOK_AHEAD; k++) NAME(ask)(home[k]);
    for (; i < n; i++) {
        NAME(ask)(home[i + LOOK_AHEAD]);
        NAME(ask_second)(w->table, home[i + LOOK_SECOND]);
        const ww_slab_status status = NAME(append)(w, home[i], keys[i], HAS_VALUE ? values + i : NULL);
        if (__builtin_expect(status == WW_SLAB_FULL, 0)) {
            if (!w->no_more) break;
            full++;
        }
        if (statuses) statuses[i] = (uint8_t)status;
    }
    w->outcome->full += full;
    w->outcome->inserted += i - begin - full;
    return i;
}

/* With a constant `kind` each caller gets a loop of its own. */
TARGET static inline __attribute__((always_inline)) size_t NAME(run_kind)(ww__slab_worker *w, ww__slab_kind kind,
                                                                          size_t begin, size_t n) {
    unsigned char *home[WW__SLAB_TILE + LOOK_AHEAD];
    const ww__slab_table *const t = w->table;
    const uint8_t *const operations = w->operations;
    uint8_t *const statuses = w->statuses;
    NAME(homes)(t, (const KEY *)w->keys, home, begin, n);
    for (size_t i = n; i < n + LOOK_AHEAD; i++) home[i] = home[begin];
    for (size_t i = begin; i < begin + LOOK_AHEAD; i++) NAME(ask)(home[i]);
    for (size_t i = begin; i < n; i++) {
        NAME(ask)(home[i + LOOK_AHEAD]);
        NAME(ask_second)(t, home[i + LOOK_SECOND]);
        const ww__slab_kind what = kind == WW__SLAB_KIND_MIXED ? (ww__slab_kind)operations[i] : kind;
        const ww_slab_status status = NAME(one)(w, what, home[i], i);
        if (__builtin_expect(status == WW_SLAB_FULL, 0)) {
            if (!w->no_more) return i;
            w->outcome->full++;
        }
        if (statuses) statuses[i] = (uint8_t)status;
    }
    return n;
}

TARGET static size_t NAME(run_counts)(ww__slab_worker *w, size_t begin, size_t n) {
    unsigned char *home[WW__SLAB_TILE];
    NAME(homes)(w->table, (const KEY *)w->keys, home, begin, n);
    for (size_t i = begin; i < n; i++) NAME(ask_to_read)(home[i]);
    for (size_t i = begin; i < n; i++) w->counts[i] = NAME(count)(w->table, home[i], ((const KEY *)w->keys)[i]);
    return n;
}

TARGET static size_t NAME(run_all)(ww__slab_worker *w, size_t begin, size_t n) {
#if HAS_VALUE
    unsigned char *home[WW__SLAB_TILE];
    NAME(homes)(w->table, (const KEY *)w->keys, home, begin, n);
    for (size_t i = begin; i < n; i++) NAME(ask_to_read)(home[i]);
    for (size_t i = begin; i < n; i++) {
        const uint64_t from = w->offsets[i], to = w->offsets[i + 1];
        const bool right = from <= to && to <= w->found_room;
        const uint64_t room = right ? to - from : 0;
        const uint64_t count = NAME(search_all)(w->table, home[i], ((const KEY *)w->keys)[i],
                                                (VALUE *)w->found + (right ? from : 0), room);
        if ((!right || count != room) && w->outcome->fault > w->position + i) w->outcome->fault = w->position + i;
    }
#else
    (void)w;
    (void)begin;
#endif
    return n;
}

TARGET static size_t NAME(run)(ww__slab_worker *w, ww__slab_kind kind, size_t begin, size_t n) {
    switch (kind) {
    case WW__SLAB_KIND_MIXED:
        return NAME(run_kind)(w, WW__SLAB_KIND_MIXED, begin, n);
    case WW__SLAB_KIND_SEARCH:
        return NAME(run_search)(w, begin, n);
    case WW__SLAB_KIND_INSERT:
        return NAME(run_append)(w, begin, n);
    case WW__SLAB_KIND_REPLACE:
        return NAME(run_kind)(w, WW__SLAB_KIND_REPLACE, begin, n);
    case WW__SLAB_KIND_DELETE:
        return NAME(run_kind)(w, WW__SLAB_KIND_DELETE, begin, n);
    case WW__SLAB_KIND_DELETE_ALL:
        return NAME(run_kind)(w, WW__SLAB_KIND_DELETE_ALL, begin, n);
    case WW__SLAB_KIND_COUNT:
        return NAME(run_counts)(w, begin, n);
    default:
        return NAME(run_all)(w, begin, n);
    }
}

/* ---- building: first slabs that only this worker is at, in memory of its own, and that nobody has deleted from ---- */

/* The first slabs of keys, of which the one of bucket `first` is at `slabs`. */
TARGET static void NAME(homes_here)(const ww__slab_table *t, unsigned char *slabs, uint64_t first, const KEY *keys,
                                    unsigned char **home, size_t n) {
    const uint64_t seed = t->seed, count = t->base_count;
    if (t->buckets == count)
        for (size_t i = 0; i < n; i++)
            home[i] = slabs + (((ww__slab_hash(seed, keys[i]) >> 32) * count >> 32) - first) * BYTES;
    else
        for (size_t i = 0; i < n; i++)
            home[i] = slabs + (ww__slab_bucket(t, ww__slab_hash(seed, keys[i])) - first) * BYTES;
}

TARGET static void NAME(place_begin)(unsigned char *slabs, uint64_t buckets) {
    for (uint64_t b = 0; b < buckets; b++)
        *NAME(states)(slabs + b * BYTES) = *ww__slab_next(slabs + b * BYTES, BYTES) = 0;
}

/* The worker's n pairs to their first slabs; those that find one full behind it, or to `behind`, where that is not NULL, as positions.
 * Returns how many pairs are done: fewer than n where there is no slab. */
TARGET static size_t NAME(place)(ww__slab_worker *w, unsigned char *slabs, uint64_t first, size_t n,
                                 ww__slab_behind *behind) {
    unsigned char *home[WW__SLAB_TILE];
    const KEY *const keys = (const KEY *)w->keys;
    const VALUE *const values = (const VALUE *)w->values;
    size_t i = 0;
    NAME(homes_here)(w->table, slabs, first, keys, home, n);
    for (; i < n; i++) {
        unsigned char *const slab = home[i];
        const uint32_t states = *NAME(states)(slab), full = states & ALL_SLOTS;
        if (__builtin_expect(full != ALL_SLOTS, 1)) {
            const int slot = __builtin_ctz(~full);
            *NAME(states)(slab) = states | 1u << slot | 1u << (16 + slot);
            KEYS_OF(slab)[slot] = keys[i];
#if HAS_VALUE
            VALUES_OF(slab)[slot] = values[i];
#else
            (void)values;
#endif
        } else if (behind) {
            behind->pair[behind->count++] = (uint32_t)(w->position + i);
        } else if (NAME(append)(w, slab, keys[i], HAS_VALUE ? values + i : NULL) == WW_SLAB_FULL) {
            break;
        }
    }
    return i;
}

/* The bucket of pair i, of those that the worker's keys are. */
TARGET static uint64_t NAME(bucket)(const ww__slab_worker *w, uint64_t i) {
    return ww__slab_bucket(w->table, ww__slab_hash(w->table->seed, ((const KEY *)w->keys)[i]));
}

/* Pairs of the worker's to slots of a slab from `slot` on, behind the first slab `base`. */
TARGET static void NAME(put_behind)(ww__slab_worker *w, unsigned char *base, uint32_t number, uint32_t slot,
                                    const uint32_t *pair, uint32_t many) {
    unsigned char *const slab = ww__slab_unit(w->table, BYTES, number - 1);
    const uint32_t bits = ((1u << many) - 1) << slot;
    for (uint32_t k = 0; k < many; k++) {
        const KEY key = ((const KEY *)w->keys)[pair[k]];
        *NAME(states)(base) |= ww__slab_filter(ww__slab_hash(w->table->seed, key), SLOTS);
        KEYS_OF(slab)[slot + k] = key;
#if HAS_VALUE
        VALUES_OF(slab)[slot + k] = ((const VALUE *)w->values)[pair[k]];
#endif
    }
    *NAME(states)(slab) |= bits | bits << 16;
}

/* ---- a bucket by itself, which nobody else is at ---- */

/* A list that is written from its base slab on. */
typedef struct NAME(writer) {
    unsigned char *slab, *base;
    uint32_t slots; /* of it that are full */
    uint32_t filter;
} NAME(writer);

TARGET static inline void NAME(move)(unsigned char *to, uint32_t to_slot, unsigned char *from, uint32_t slot) {
    KEYS_OF(to)[to_slot] = KEYS_OF(from)[slot];
#if HAS_VALUE
    VALUES_OF(to)[to_slot] = VALUES_OF(from)[slot];
#endif
}

/* Goes on in the slab `number`. */
TARGET static void NAME(write_next)(const ww__slab_table *t, NAME(writer) * to, uint32_t number) {
    *ww__slab_next(to->slab, BYTES) = number;
    *NAME(states)(to->slab) = ALL_SLOTS | ALL_SLOTS << 16;
    to->slab = ww__slab_unit(t, BYTES, number - 1);
    to->slots = 0;
}

TARGET static void NAME(write_end)(NAME(writer) * to) {
    const uint32_t full = (uint32_t)(((uint64_t)1 << to->slots) - 1);
    *NAME(states)(to->slab) = full | full << 16;
    *ww__slab_next(to->slab, BYTES) = 0;
    *NAME(states)(to->base) |= to->filter;
}

/* Reads the list slab by slab, each to a copy, after which the slab itself is free, and writes its pairs to one list or two, in
 * slabs that have been freed. There are always enough: after s slabs with p <= s * SLOTS pairs the lists take p / SLOTS slabs behind
 * their base slabs, rounded down for each, and s - 1 are free. Two lists that become one have a base slab less, and may want one more. */
TARGET static uint64_t NAME(rebuild)(const ww__slab_table *t, const ww__slab_rebuilding *r, uint64_t bucket) {
    _Alignas(64) unsigned char read[BYTES];
    unsigned char *const base = ww__slab_base_of(t, BYTES, bucket);
    unsigned char *const other = r->divided || r->merged ? ww__slab_base_of(t, BYTES, bucket + r->apart) : base;
    NAME(writer) list[2] = {{base, base, 0, 0}, {other, other, 0, 0}};
    uint32_t free_first = 0; /* free slabs, each with the number of the next */
    uint64_t dead = 0;
    unsigned char *from = base;
    for (uint32_t number = 0, next;; number = next) {
        unsigned char *const slab = number ? ww__slab_unit(t, BYTES, number - 1) : from;
        memcpy(read, slab, BYTES);
        next = *ww__slab_next(read, BYTES);
        if (number) {
            *ww__slab_next(slab, BYTES) = free_first;
            free_first = number;
        }
        const uint32_t states = *NAME(states)(read);
        dead += (uint64_t)__builtin_popcount(ww__slab_dead(states, ALL_SLOTS));
        for (uint32_t full = ww__slab_full(states, ALL_SLOTS); full; full &= full - 1) {
            const int slot = __builtin_ctz(full);
            const KEY key = KEYS_OF(read)[slot];
            NAME(writer) *const to = &list[r->divided && ww__slab_hash(t->seed, key) >> r->bit & 1];
            if (to->slots == SLOTS) {
                const uint32_t taken = free_first ? free_first
                                                  : r->spare[__atomic_fetch_add(r->spare_used, 1, __ATOMIC_RELAXED)];
                if (free_first) free_first = *ww__slab_next(ww__slab_unit(t, BYTES, taken - 1), BYTES);
                NAME(write_next)(t, to, taken);
            }
            if (to->slab != to->base) to->filter |= ww__slab_filter(ww__slab_hash(t->seed, key), SLOTS);
            NAME(move)(to->slab, to->slots++, read, (uint32_t)slot);
        }
        if (next) continue;
        if (!r->merged || from == other) break;
        from = other;
    }
    NAME(write_end)(&list[0]);
    if (r->divided) NAME(write_end)(&list[1]);
    while (free_first) {
        const uint32_t number = free_first;
        free_first = *ww__slab_next(ww__slab_unit(t, BYTES, number - 1), BYTES);
        give_slab(t, BYTES, number);
    }
    return dead;
}

/* Whether one list of the pairs of two wants a slab more than these have: behind the first one's base slab, by when the other's has been
 * read. From there on each slab that is read is free. */
TARGET static bool NAME(merge_wants)(const ww__slab_table *t, uint64_t bucket, uint64_t other) {
    uint64_t pairs = 0, room = 0;
    for (unsigned char *slab = ww__slab_base_of(t, BYTES, bucket); slab; slab = NAME(next)(t, slab), room += SLOTS)
        pairs += (uint64_t)__builtin_popcount(ww__slab_full(*NAME(states)(slab), ALL_SLOTS));
    const uint32_t states = *NAME(states)(ww__slab_base_of(t, BYTES, other));
    return pairs + (uint64_t)__builtin_popcount(ww__slab_full(states, ALL_SLOTS)) > room;
}

/* Buckets first … first + many - 1, of which some may go on in the same slab behind their first ones: first slabs are filled up with pairs
 * from behind them, and what is left stands behind one another in the slabs that there were. */
TARGET static uint64_t NAME(rebuild_group)(const ww__slab_table *t, uint64_t first, uint32_t many) {
    _Alignas(64) unsigned char read[BYTES];
    NAME(writer) list[WW__SLAB_GROUP];
    uint32_t head[WW__SLAB_GROUP];
    uint64_t dead = 0;
    for (uint32_t b = 0; b < many; b++) {
        unsigned char *const base = ww__slab_base_of(t, BYTES, first + b);
        const uint32_t states = *NAME(states)(base);
        list[b] = (NAME(writer)){base, base, 0, 0};
        head[b] = *ww__slab_next(base, BYTES);
        dead += (uint64_t)__builtin_popcount(ww__slab_dead(states, ALL_SLOTS));
        for (uint32_t full = ww__slab_full(states, ALL_SLOTS); full; full &= full - 1)
            NAME(move)(base, list[b].slots++, base, (uint32_t)__builtin_ctz(full));
    }
    for (uint32_t b = 0; b < many; b++) {
        const uint32_t shared = head[b];
        if (!shared) continue;
        unsigned char *to = ww__slab_unit(t, BYTES, shared - 1);
        uint32_t slots = 0, last = shared; /* of `to`, whose number is `last` */
        for (uint32_t number = shared; number; number = *ww__slab_next(read, BYTES)) {
            memcpy(read, ww__slab_unit(t, BYTES, number - 1), BYTES);
            const uint32_t states = *NAME(states)(read);
            dead += (uint64_t)__builtin_popcount(ww__slab_dead(states, ALL_SLOTS));
            for (uint32_t full = ww__slab_full(states, ALL_SLOTS); full; full &= full - 1) {
                const uint32_t slot = (uint32_t)__builtin_ctz(full);
                const uint64_t hash = ww__slab_hash(t->seed, KEYS_OF(read)[slot]);
                NAME(writer) *const own = &list[ww__slab_bucket(t, hash) - first];
                if (own->slots < SLOTS) {
                    NAME(move)(own->base, own->slots++, read, slot);
                    continue;
                }
                if (slots == SLOTS) {
                    *NAME(states)(to) = ALL_SLOTS | ALL_SLOTS << 16;
                    last = *ww__slab_next(to, BYTES);
                    to = ww__slab_unit(t, BYTES, last - 1);
                    slots = 0;
                }
                own->filter |= ww__slab_filter(hash, SLOTS);
                NAME(move)(to, slots++, read, slot);
            }
        }
        uint32_t unused = slots ? *ww__slab_next(to, BYTES) : shared;
        if (slots) {
            const uint32_t full = (1u << slots) - 1;
            *NAME(states)(to) = full | full << 16;
            *ww__slab_next(to, BYTES) = 0;
        }
        while (unused) {
            const uint32_t number = unused;
            unused = *ww__slab_next(ww__slab_unit(t, BYTES, number - 1), BYTES);
            give_slab(t, BYTES, number);
        }
        for (uint32_t c = b; c < many; c++) {
            if (head[c] != shared) continue;
            head[c] = 0;
            *ww__slab_next(list[c].base, BYTES) = list[c].filter ? shared : 0;
        }
    }
    for (uint32_t b = 0; b < many; b++) {
        const uint32_t full = (uint32_t)(((uint64_t)1 << list[b].slots) - 1);
        *NAME(states)(list[b].base) = full | full << 16 | list[b].filter;
    }
    return dead;
}

/* `shares`: the slabs behind the first may have pairs of other buckets. */
TARGET static uint64_t NAME(pairs)(const ww__slab_table *t, bool shares, uint64_t bucket, void *keys, void *values) {
    uint64_t count = 0;
    unsigned char *const base = ww__slab_base_of(t, BYTES, bucket);
    for (unsigned char *slab = base; slab; slab = NAME(next)(t, slab))
        for (uint32_t full = ww__slab_full(*NAME(states)(slab), ALL_SLOTS); full; full &= full - 1) {
            const int slot = __builtin_ctz(full);
            if (shares && slab != base && ww__slab_bucket(t, ww__slab_hash(t->seed, KEYS_OF(slab)[slot])) != bucket)
                continue;
            if (keys) ((KEY *)keys)[count] = KEYS_OF(slab)[slot];
#if HAS_VALUE
            if (values) ((VALUE *)values)[count] = VALUES_OF(slab)[slot];
#else
            (void)values;
#endif
            count++;
        }
    return count;
}

static const ww__slab_loops LOOPS = {NAME(run),           NAME(merge_wants), NAME(rebuild),
                                     NAME(rebuild_group), NAME(pairs),       NAME(place_begin),
                                     NAME(place),         NAME(bucket),      NAME(put_behind)};

#undef NAME
#undef KEYS_OF
#undef VALUES_OF
#undef ALL_SLOTS
#undef LOOK_AHEAD
#undef LOOK_SECOND
#undef KEY
#undef VALUE
#undef HAS_VALUE
#undef SLOTS
#undef BYTES
#undef MATCHES
#undef TARGET
#undef LOOPS
