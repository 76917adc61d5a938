/* What the host sides of the multisplit on a GPU share. */
#ifndef WW__MULTISPLIT_GPU_H
#define WW__MULTISPLIT_GPU_H

#include "multisplit/sides.h"
#include "radix/sweeps_gpu.h"

/* How kernels make the request's buckets; the call that is under way checks them. */
ww_status ww__bucket_words_make(const ww__splitting *s, ww__bucket_words *w);

/* The methods direct, warp and block. */
ww_status ww__three_stages_gpu(ww_device *device, const ww__sweeping *job, ww_multisplit_method method);

#endif
