/* Oracle of finding many patterns: each at each place. */
#ifndef REFERENCE_FIND_MANY_H
#define REFERENCE_FIND_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reference_match {
    uint64_t position, number, end;
} reference_match;

/* Where the patterns (k is bytes[offsets[k]] … bytes[offsets[k + 1] - 1]) lie in the text, by position and then number; the
 * first `room` of them. Returns how many there are. */
size_t reference_find_many(const unsigned char *text, size_t n, const unsigned char *bytes, const uint64_t *offsets,
                           size_t count, bool fold, reference_match *matches, size_t room);

#endif
