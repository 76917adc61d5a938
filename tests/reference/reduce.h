/* Oracles of the reductions: serial, element by element, through a plain function on elements. */
#ifndef REFERENCE_REDUCE_H
#define REFERENCE_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void reference_combine(void *result, const void *a, const void *b); /* result may be a */
typedef bool reference_less(const void *a, const void *b);

/* From left to right; the identity for n == 0. */
void reference_reduce(void *result, const void *x, size_t n, size_t size, reference_combine *combine,
                      const void *identity);

/* The tree of docs/determinism.md, for operators whose bracketing shows. */
void reference_reduce_tree(void *result, const void *x, size_t n, size_t size, bool commutes, reference_combine *combine,
                           const void *identity);

size_t reference_extreme(const void *x, size_t n, size_t size, bool greatest, reference_less *less);

#endif
