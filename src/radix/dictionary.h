/* The keys that come often, as a sample tells, and a slot of its own for each by a perfect hash: dictionary.c. */
#ifndef WW__DICTIONARY_H
#define WW__DICTIONARY_H

#include "radix/radix_cpu.h"

enum {
    WW__DICTIONARY_BITS = 12,
    WW__DICTIONARY_SLOTS = 1 << WW__DICTIONARY_BITS,
    WW__DICTIONARY_MOST = WW__RADIX_BUCKETS - 1, /* keys: a part counts them, and all others */
    WW__DICTIONARY_BLOCK = 256                   /* keys that are looked up at once */
};

/* Keys of 4 or 8 bytes. A key times `factor`: its highest `bits` bits, turned (exclusive or) by what `turn` has for the group_bits bits
 * below them, are its slot. A free slot has a key whose slot is another. */
typedef struct ww__dictionary {
    size_t key_size, many;
    int64_t taken, covered; /* keys of the sample, and of as many others how many are likely to be in the dictionary */
    unsigned bits, group_bits;
    uint64_t factor;
    uint64_t key[WW__DICTIONARY_MOST]; /* as they lie in the input, in the order of their numbers */
    uint16_t slot[WW__DICTIONARY_MOST];
    uint32_t turn[WW__DICTIONARY_SLOTS / 2];
    void *slots; /* the key of each slot: where lines of the first worker's desk lie */
} ww__dictionary;

/* Makes one for a sort of n keys from the input; the first worker's desk is worked with, and holds the slots. False where more than one
 * key in `others` is likely to be in none. */
bool ww__dictionary_make(const ww__radix_run *run, uint64_t n, unsigned others, ww__dictionary *dictionary);

/* What a key has that is in no slot. */
static inline size_t ww__dictionary_none(const ww__dictionary *d) { return (size_t)1 << d->bits; }

/* The slots of n keys, a block or less; `none` for those that are not in the dictionary. These go to `rest`, and their places, the first
 * key's being `place`, to `places`, which may be NULL; places have room for a register more, `rest` may be where keys are. Returns how many
 * they are. */
typedef size_t ww__dictionary_find(const ww__dictionary *d, const void *keys, size_t n, uint16_t *found, void *rest,
                                   uint32_t *places, uint32_t place);
ww__dictionary_find *ww__dictionary_find_of(int vector, size_t key_size);

/* The desk's part that is behind slots: counters, 2^bits + 1 of them in each of two tables. */
static inline uint32_t *ww__dictionary_counters(const ww__radix_run *r, size_t worker) {
    return (uint32_t *)(void *)(ww__radix_lines(r, worker) + WW__DICTIONARY_SLOTS * sizeof(uint64_t));
}
enum { WW__DICTIONARY_COUNTERS = WW__DICTIONARY_SLOTS + 16 }; /* of a table */
_Static_assert((size_t)WW__RADIX_LINES_BYTES >=
                   WW__DICTIONARY_SLOTS * sizeof(uint64_t) + 2 * WW__DICTIONARY_COUNTERS * sizeof(uint32_t),
               "slots and counters lie where lines do");

#endif
