/* The backends of random.h. */
#ifndef WW__RANDOM_SIDES_H
#define WW__RANDOM_SIDES_H

#include "random/random.h"

ww_status ww__random_cpu(ww_device *device, const ww__random_request *r);
ww_status ww__random_gpu(ww_device *device, const ww__random_request *r);

#endif
