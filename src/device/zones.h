/* Scratch memory whose edges are watched, for tests on the CPU: behind each piece lies a zone of known bytes, which is
 * looked at when the piece is given back, and pieces hold nothing of the call before. What writes one element too far into
 * scratch memory ends up in a zone, not in the next piece or in what a piece's size was rounded up by.
 *
 * Nobody but tests asks for it: elsewhere it is one pointer that is NULL, looked at once for each piece. */
#ifndef WW__ZONES_H
#define WW__ZONES_H

#include "device/device.h"

/* From now on; right after ww_open, while no scratch memory is held. `overrun` is told the size of a piece whose zone was
 * written, during the call that took it. On other devices than the CPU nothing happens (the emulator has its own zones). */
typedef void ww__overrun(const ww_device *device, size_t bytes);
void ww__zones_watch(ww_device *device, ww__overrun *overrun);

/* A piece of `bytes`, and behind it a zone that ends at `end`: both are filled. */
void ww__zone_begin(unsigned char *piece, size_t bytes, unsigned char *end);
/* Looks at the zones of pieces that lie one behind the other from `begin` to `end`. */
void ww__zones_check(const ww_device *device, const unsigned char *begin, const unsigned char *end);

#endif
