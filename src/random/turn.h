/* A CPU's loops that turn words of Philox to numbers. */
#ifndef WW__RANDOM_TURN_H
#define WW__RANDOM_TURN_H

#include "random/random.h"

/* n numbers, the first of which is number `first` of the stream, of their words. */
typedef void ww__turn_words(void *to, const uint32_t *words, uint64_t first, size_t n, const random_source *s);

/* NULL for bits, which are the words. Integers of 1 and 2 bytes are `size` bytes. */
ww__turn_words *ww__turn_words_of(const ww_device *device, ww__random_kind kind, size_t size);

#endif
