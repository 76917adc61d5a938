/* The backends of finding a pattern, and the methods that both share. */
#ifndef WW__FIND_SIDES_H
#define WW__FIND_SIDES_H

#include "text/find.h"

ww_status ww__find_cpu(ww_device *device, const ww__finding *finding);
ww_status ww__find_gpu(ww_device *device, const ww__finding *finding);
/* Methods cooperative and recurrence, on every device. */
ww_status ww__find_by_scans(ww_device *device, const ww__finding *finding);

#endif
