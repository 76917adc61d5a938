/* A weighted histogram, as weighted.c hands it to its sides. */
#ifndef WW__WEIGHTED_H
#define WW__WEIGHTED_H

#include "multisplit/multisplit.h"

typedef struct ww__weighing {
    ww_device *device;
    const ww_input *in, *weights;
    const ww_array *sums;
    const ww_function *add; /* of the weights' type */
    ww__bucketing by;
    uint64_t first; /* the bucket that is bin 0 */
} ww__weighing;

/* In one pass on a CPU; of few buckets, and numbers that it has loops for. */
bool ww__weighing_is_direct(const ww__weighing *w);
ww_status ww__weigh_cpu(const ww__weighing *w);

/* In one pass on a GPU, in any order. */
bool ww__weighing_is_in_any_order(const ww__weighing *w);
ww_status ww__weigh_gpu(const ww__weighing *w);

#endif
