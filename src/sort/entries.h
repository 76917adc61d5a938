/* What sorts that compare move on a CPU: entries, each a key's number and its position, in one word: numbers of up to 32 bits
 * in 64, up to 64 bits in 128. Keys that are no such numbers stay where they are, and entries are their positions. No two
 * entries are equal, as positions are not. */
#ifndef WW__ENTRIES_H
#define WW__ENTRIES_H

#include "function/function.h"
#include "radix/radix.h"
#include "sort/named/network.h"

typedef struct ww__entry_order {
    const unsigned char *keys;
    size_t size;
    const ww_less_loops *less; /* NULL: by some bits of their numbers */
    const void *environment;   /* of less */
    bool descending;           /* of less; the order of numbers says it itself */
    ww__radix_order number;
    ww__word mask; /* of the bits, moved down */
    unsigned first;
} ww__entry_order;

typedef struct ww__entry_loops {
    size_t size; /* bytes of an entry */
    /* Entries of the keys first … first + n - 1. */
    void (*make)(const ww__entry_order *o, void *entries, uint64_t first, size_t n);
    void (*positions)(uint32_t *positions, const void *entries, size_t n);
    /* Whether a goes before b, and whether its key does. */
    bool (*before)(const ww__entry_order *o, const void *a, const void *b);
    /* n comparators: low[i] with high[i], or high[-i]. */
    void (*exchange)(const ww__entry_order *o, void *low, void *high, size_t n, bool mirrored);
    /* All comparators of a phase whose ends are among `slots` entries: those at the places from `begin` on (below 0 that place
     * counted round), a multiple of twice the step, of n in all. */
    void (*phase)(const ww__entry_order *o, void *entries, size_t slots, const ww_phase *p, uint64_t begin, uint64_t n);
    /* How many keys go before the pivot's, how many neither before nor behind, how many behind. */
    void (*count)(const ww__entry_order *o, const void *entries, size_t n, const void *pivot, uint64_t counts[3]);
    /* Moves what was counted to either side, in order; of those neither before nor behind the positions. */
    void (*split)(const ww__entry_order *o, const void *entries, size_t n, const void *pivot, const uint64_t counts[3],
                  void *before, uint32_t *equal, void *behind);
} ww__entry_loops;

/* Runs a network over n entries, which end up in entries[the number returned through `at`]: 0 for bitonic, which needs no
 * entries[1]. */
ww_status ww__network_cpu(ww_device *device, const ww__entry_loops *loops, const ww__entry_order *o, uint32_t kind,
                          uint64_t n, void *const entries[2], unsigned *at);

/* Quicksort of n entries in entries[0]; entries[1] is room. The positions come out, both buffers lose what they held. */
ww_status ww__quick_cpu(ww_device *device, const ww__entry_loops *loops, const ww__entry_order *o, uint64_t n,
                        void *const entries[2], uint32_t *positions);

/* The order of checked keys in memory, of which there are 2 to 2^32 - 1, by a network or quicksort: key positions[i] comes
 * i-th. */
ww_status ww__order_positions_cpu(ww_device *device, const ww__sorting *s, ww_sort_method method, const void *keys,
                                  uint32_t *positions);

/* Writes the positions of all entries. */
void ww__entries_positions(ww_device *device, const ww__entry_loops *loops, const void *entries, uint32_t *positions,
                           uint64_t n);

#endif
