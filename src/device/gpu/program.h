/* The programs that a handle has made. */
#ifndef WW__PROGRAM_H
#define WW__PROGRAM_H

#include "device/gpu/gpu.h"

/* Unloads and forgets them all. */
void ww__programs_release(ww_device *device);

#endif
