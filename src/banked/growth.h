/* The bounds: a constant times how the theorem's steps grow. */
#ifndef WW__BANKED_GROWTH_H
#define WW__BANKED_GROWTH_H

#include "warpwise/banked.h"

typedef enum ww__problem {
    WW__PROBLEM_SORT,
    WW__PROBLEM_PARTITION,
    WW__PROBLEM_PERMUTE,
    WW__PROBLEM_CONVERT
} ww__problem;

/* Of a matrix of so many banks and columns (padded); steps, rounded up. */
uint64_t ww__banked_bound(ww__problem problem, ww_banked_method method, uint64_t banks, uint64_t columns);

#endif
