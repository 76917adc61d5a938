/* Threads that came to a handle while another one was in a call of it.
 *
 * Such a thread gets WW_BUSY, and ww_error has to tell it so – while the thread that is inside may be writing a sentence of its own
 * into the handle. So the handle keeps the refused threads' numbers, and nothing of what it says to them. Each thread puts in and
 * takes out its own number only: what others do at the same time does not matter to it, and no order between them is needed. */
#ifndef WW__REFUSED_H
#define WW__REFUSED_H

#include "device/device.h"

/* This thread was refused. When more than WW__REFUSED are known at once, the longest known is forgotten. */
void ww__refuse(ww_device *device);

/* It is inside now. Most handles never refuse anyone. */
void ww__admit_refused(ww_device *device);
static inline void ww__admit(ww_device *device) {
    if (__atomic_load_n(&device->refusals, __ATOMIC_RELAXED)) ww__admit_refused(device);
}

bool ww__is_refused(const ww_device *device);

#endif
