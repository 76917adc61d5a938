/* The backends of search.h. */
#ifndef WW__SEARCH_SIDES_H
#define WW__SEARCH_SIDES_H

#include "primitive/search/search.h"

ww_status ww__search_cpu(ww_device *device, const ww__search_request *r);
ww_status ww__search_gpu(ww_device *device, const ww__search_request *r);

#endif
