/* Which vector loops a CPU device runs. */
#ifndef WW__VECTOR_H
#define WW__VECTOR_H

#include "device/device.h"

/* Sets device->vector (the widest this machine has, or what WARPWISE_VECTOR forces) and device->stream_bytes. */
ww_status ww__choose_vector(ww_device *device);
const char *ww__vector_name(int vector);

#endif
