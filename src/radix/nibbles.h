/* Counting numbers by few buckets: nibbles.c. */
#ifndef WW__NIBBLES_H
#define WW__NIBBLES_H

#include "radix/radix.h"

/* Bits of a digit, at most. */
enum { WW__NIBBLE = 4 };

/* What the radix loops' `count` does, without `only`. */
typedef ww__word ww__count_nibbles(const ww__radix_count *count);

/* NULL where vectors of this width do not count keys of this size any faster. */
ww__count_nibbles *ww__count_nibbles_of(int vector, size_t key_size);

#endif
