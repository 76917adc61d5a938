/* Oracles of questions about an array, one element after another. */
#ifndef REFERENCE_QUERY_H
#define REFERENCE_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "reference/reduce.h"

typedef bool reference_predicate(const void *element);

size_t reference_count_if(const void *x, size_t n, size_t size, reference_predicate *holds);
/* The first element for which the predicate is `wanted`; n where there is none. */
size_t reference_find_if(const void *x, size_t n, size_t size, reference_predicate *holds, bool wanted);
/* How many elements are in order, from the first on. */
size_t reference_in_order(const void *x, size_t n, size_t size, reference_less *less);

#endif
