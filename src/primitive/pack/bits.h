/* Flags as bits: 64 of them a word, bit i % 64 of word i / 64 for element i; bits behind the last element are 0. */
#ifndef WW__BITS_H
#define WW__BITS_H

#include "device/device.h"

static inline size_t ww__words(size_t n) { return (n + 63) / 64; }

/* Bit i is set where flags[i] is not 0. Returns the number of set ones. */
size_t ww__bits_of_flags(const ww_device *device, uint64_t *bits, const uint8_t *flags, size_t n);

/* The positions of the set bits, in order; returns how many. May write 64 bytes behind the last. */
size_t ww__bits_positions(const ww_device *device, uint32_t *positions, const uint64_t *bits, size_t n);

/* The highest set bit; n bits, not all 0. */
size_t ww__bits_last(const uint64_t *bits, size_t n);

#endif
