/* The backends of query.h. */
#ifndef WW__QUERY_SIDES_H
#define WW__QUERY_SIDES_H

#include "device/array.h"
#include "primitive/query/query.h"

ww_status ww__count_cpu(ww_device *device, const ww__count_request *r, uint64_t *count);
ww_status ww__count_gpu(ww_device *device, const ww__count_request *r);
/* *position is in.count where there is none. */
ww_status ww__first_cpu(ww_device *device, const ww__first_request *r, uint64_t *position);
ww_status ww__first_gpu(ww_device *device, const ww__first_request *r);
ww_status ww__min_max_cpu(ww_device *device, const ww__min_max_request *r);
ww_status ww__min_max_gpu(ww_device *device, const ww__min_max_request *r);

#endif
