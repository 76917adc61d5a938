/* Keys that come often, with values: only the values are moved, and the rest is sorted. frequent_pairs.c. */
#ifndef WW__FREQUENT_PAIRS_H
#define WW__FREQUENT_PAIRS_H

#include "radix/radix_cpu.h"

/* Tries it on a sort of n keys, and values of 4 or 8 bytes, from the input. False, and nothing is done that counts, where a sample says
 * that too few keys come often, or the keys do. `sort_rest` sorts n keys and values from run's input to its result by its scratch copy. */
bool ww__radix_frequent_pairs(const ww__radix_run *run, uint64_t n, const ww__radix_sample *sample,
                              void sort_rest(const ww__radix_run *run, uint64_t n));

#endif
