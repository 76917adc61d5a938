/* Scans, serially. `initial` is never NULL: the identity where none is given. `total` may be NULL. */
#ifndef REFERENCE_SCAN_H
#define REFERENCE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reference/reduce.h"

typedef struct reference_scanning {
    size_t n, size;
    reference_combine *combine;
    const void *initial;
    bool exclusive;
    const uint8_t *heads;  /* NULL: no segments */
    bool initial_is_given; /* with segments: put before each */
} reference_scanning;

/* From left to right. */
void reference_scan(const reference_scanning *s, void *out, void *total, const void *x);
/* With the brackets that docs/determinism.md gives, for each method. */
void reference_scan_lookback(const reference_scanning *s, void *out, void *total, const void *x);
void reference_scan_hillis_steele(const reference_scanning *s, void *out, void *total, const void *x);
void reference_scan_blelloch(const reference_scanning *s, void *out, void *total, const void *x);

#endif
