/* The backends of set.h. */
#ifndef WW__SET_SIDES_H
#define WW__SET_SIDES_H

#include "primitive/set/set.h"

/* Does not write the count. */
ww_status ww__set_cpu(ww_device *device, const ww__set_request *r, uint64_t *found);
ww_status ww__set_gpu(ww_device *device, const ww__set_request *r, uint64_t *found);

#endif
