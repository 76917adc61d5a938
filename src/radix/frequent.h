/* Keys that come often, where keys bring no values: they are counted where they lie and written as often in the end, and only the
 * rest is sorted. frequent.c. */
#ifndef WW__FREQUENT_H
#define WW__FREQUENT_H

#include "radix/radix_cpu.h"

/* Tries it on a sort of all keys from the input. False, and nothing is done, where a sample says that fewer than half of them
 * come often. `sort_rest` sorts n keys from run->keys[WW__INPUT] to run->keys[WW__RESULT], and may use run->keys[WW__SCRATCH],
 * which is the input's own memory. */
bool ww__radix_frequent(const ww__radix_run *run, uint64_t n, const ww__radix_sample *sample,
                        void sort_rest(const ww__radix_run *run, uint64_t n));

#endif
