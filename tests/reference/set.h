/* Oracles of sets of sorted arrays, as multisets. */
#ifndef REFERENCE_SET_H
#define REFERENCE_SET_H

#include "reference/order.h"

typedef size_t reference_set(void *out, const void *a, size_t na, const void *b, size_t nb, size_t size,
                             reference_before *before);
/* They return the count of the result. Of i equal elements in a and j in b: the union has a's i and b's last j - i, the
 * intersection a's first min(i, j), the difference a's last i - j. */
reference_set reference_union, reference_intersection, reference_difference;

#endif
