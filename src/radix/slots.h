/* Counting a few different keys of 4 bytes, each in a slot of its own: slots.c. */
#ifndef WW__SLOTS_H
#define WW__SLOTS_H

#include "radix/first_look.h"

/* NULL where vectors of this width do not count so many keys of this size any faster than first_look.c's. */
ww__tally *ww__tally_slots_of(int vector, size_t key_size, size_t many);

#endif
