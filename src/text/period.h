/* How a pattern overlaps with itself. */
#ifndef WW__TEXT_PERIOD_H
#define WW__TEXT_PERIOD_H

#include "text/find.h"

/* borders[i] is the length of the longest proper prefix of the first i + 1 characters that they also end in; the call's scratch
 * memory, of the host. */
ww_status ww__find_borders(ww_device *device, const ww__finding *finding, const uint32_t **borders);

/* The least distance at which the pattern fits over itself; m where it does at none below. */
ww_status ww__find_period(ww_device *device, const ww__finding *finding, uint64_t *period);

#endif
