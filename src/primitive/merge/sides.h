/* The backends of merge.h. */
#ifndef WW__MERGE_SIDES_H
#define WW__MERGE_SIDES_H

#include "primitive/merge/merge.h"

ww_status ww__merge_cpu(ww_device *device, const ww__merge_request *r);
ww_status ww__merge_gpu(ww_device *device, const ww__merge_request *r);

#endif
