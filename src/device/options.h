/* The options structs of public calls, whose first member says how much of the struct the caller's version had. */
#ifndef WW__OPTIONS_H
#define WW__OPTIONS_H

#include "device/device.h"

/* Fills the struct at `taken`, of which this version knows `bytes`, from the caller's at `given` (or NULL). Zero is the default
 * of every member: an older caller's shorter struct leaves the rest at that, and of a newer one's longer struct nothing may be
 * set that this version does not know (INVALID), reserved words at the end neither. `start` is the macro that begins such a
 * struct. */
ww_status ww__take_options(ww_device *device, const void *given, const char *start, void *taken, size_t bytes);

/* The same for a struct that the library fills: writes as much of `made`, `bytes` of it, as the caller's at `wanted` has room
 * for by its own size, and sets what is longer to zero. */
ww_status ww__give_struct(ww_device *device, const void *made, const char *start, void *wanted, size_t bytes);

#endif
