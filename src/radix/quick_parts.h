/* A quicksort by vectors, by several workers: quick_parts.c. */
#ifndef WW__QUICK_PARTS_H
#define WW__QUICK_PARTS_H

#include "radix/radix_cpu.h"

/* The same by one worker: more than fit in its cache, or spread badly. */
void ww__quick_alone(const ww__radix_run *r, const ww__radix_range *range);

/* Whether it is the best way to sort crowded keys, alone or with values of their size. */
bool ww__quick_parts_suit(const ww__radix_run *r);

/* Sorts a range to the result. */
void ww__quick_parts(const ww__radix_run *r, const ww__radix_range *range);

#endif
