/* Oracle of searching. */
#ifndef REFERENCE_SEARCH_H
#define REFERENCE_SEARCH_H

#include "reference/order.h"

/* The first position whose element is not before (upper: is behind) the needle, by looking at all of them from the first
 * on; n where there is none. */
size_t reference_bound(const void *sorted, size_t n, const void *needle, size_t size, bool upper,
                       reference_before *before);

/* The same for many needles, by halving. */
void reference_bounds(uint64_t *out, const void *sorted, size_t n, const void *needles, size_t m, size_t size,
                      bool upper, reference_before *before);

#endif
