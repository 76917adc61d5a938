/* The keys that come often, as a sample tells, and a slot of its own for each by a perfect hash: dictionary.c. */
#ifndef WW__DICTIONARY_H
#define WW__DICTIONARY_H

#include "radix/radix_cpu.h"

enum {
    WW__DICTIONARY_BITS = 12,
    WW__DICTIONARY_SLOTS = 1 << WW__DICTIONARY_BITS,
    WW__DICTIONARY_MOST = WW__RADIX_BUCKETS - 1, /* keys: a part counts them, and all others */
    WW__DICTIONARY_BLOCK = 64 /* keys that are looked up at once, and asked for: no more lines than a core waits for */
};

/* Keys of 4 or 8 bytes. A key times `factor`: its highest `bits` bits, turned (exclusive or) by what `turn` has for the group_bits bits
 * below them, are its slot. A free slot has a key whose slot is another. */
typedef struct ww__dictionary {
    size_t key_size, many;
    int64_t taken, covered; /* keys of the sample, and of as many others how many are likely to be in the dictionary */
    int64_t most_often; /* a key of the sample */
    unsigned bits, group_bits;
    uint64_t factor;
    uint64_t key[WW__DICTIONARY_MOST]; /* as they lie in the input, in the order of their numbers */
    uint16_t slot[WW__DICTIONARY_MOST];
    uint32_t turn[WW__DICTIONARY_SLOTS / 2];
    void *slots; /* the key of each slot: where lines of the first worker's desk lie */
} ww__dictionary;

/* Takes a sample of the n keys that a sort has as its input, and keeps its different keys; of too many the most frequent. The first
 * worker's desk is worked with, and holds the slots. */
void ww__dictionary_look(const ww__radix_run *run, uint64_t n, ww__dictionary *dictionary);

/* Whether no more than one key in `others` is likely to be missing. */
static inline bool ww__dictionary_suits(const ww__dictionary *d, unsigned others) {
    return d->covered * others >= d->taken * ((int64_t)others - 1);
}

/* Gives keys their slots; the few that get in others' way are left out. */
void ww__dictionary_make(ww__dictionary *dictionary);

/* What a key has that is in no slot. */
static inline size_t ww__dictionary_none(const ww__dictionary *d) { return (size_t)1 << d->bits; }

/* The slots of n keys, a block or less; `none` for those that are not in the dictionary. These go to `rest`, and their places, the first
 * key's being `place`, to `places`; both have room for one more. Returns how many they are. */
typedef size_t ww__dictionary_find(const ww__dictionary *d, const void *keys, size_t n, uint16_t *found, void *rest,
                                   uint32_t *places, uint32_t place);
ww__dictionary_find *ww__dictionary_find_of(size_t key_size);

/* Counters of slots lie behind the slots of a worker's desk: two tables in turn, so that equal neighbours wait less for each other. */
enum { WW__DICTIONARY_COUNTERS = WW__DICTIONARY_SLOTS + 16 }; /* of a table */
static inline uint32_t *ww__dictionary_counters(const ww__radix_run *r, size_t worker) {
    return (uint32_t *)(void *)(ww__radix_lines(r, worker) + WW__DICTIONARY_SLOTS * sizeof(uint64_t));
}
static inline void ww__dictionary_clear(const ww__dictionary *d, uint32_t *counters) {
    for (size_t table = 0; table < 2; table++)
        memset(counters + table * WW__DICTIONARY_COUNTERS, 0, (ww__dictionary_none(d) + 1) * sizeof *counters);
}
static inline void ww__dictionary_count(const uint16_t *found, size_t n, uint32_t *WW__R counters) {
    size_t j = 0;
    for (; j + 8 <= n; j += 8)
        _Pragma("GCC unroll 8") for (size_t k = 0; k < 8; k++)
            counters[k % 2 * WW__DICTIONARY_COUNTERS + found[j + k]]++;
    for (; j < n; j++) counters[found[j]]++;
}
/* How often each key was counted. */
static inline void ww__dictionary_counts(const ww__dictionary *d, const uint32_t *counters, uint64_t *counts) {
    for (size_t k = 0; k < d->many; k++)
        counts[k] = (uint64_t)counters[d->slot[k]] + counters[WW__DICTIONARY_COUNTERS + d->slot[k]];
}
_Static_assert((size_t)WW__RADIX_LINES_BYTES >=
                   WW__DICTIONARY_SLOTS * sizeof(uint64_t) + 2 * WW__DICTIONARY_COUNTERS * sizeof(uint32_t),
               "slots and counters lie where lines do");

#endif
