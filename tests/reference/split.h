/* Oracle of the two-way split: element by element. */
#ifndef REFERENCE_SPLIT_H
#define REFERENCE_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Elements with flag 0 first, then the others, in order or (reversed) the last one first. Returns how many have flag 0.
 * */
size_t reference_split(void *out, const void *x, const uint8_t *flags, size_t n, size_t size, bool reversed);

#endif
