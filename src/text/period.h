/* How a pattern overlaps with itself. */
#ifndef WW__TEXT_PERIOD_H
#define WW__TEXT_PERIOD_H

#include "text/find.h"

/* The least distance at which the pattern fits over itself; m where it does at none below. */
ww_status ww__find_period(ww_device *device, const ww__finding *finding, uint64_t *period);

#endif
