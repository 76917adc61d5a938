/* The driver of NVIDIA GPUs: the table of device/gpu/driver.h over libcuda. */
#ifndef WW__CUDA_H
#define WW__CUDA_H

#include "device/gpu/driver.h"

/* Opens GPU `index`, in the primary context on a stream of its own, or in a caller's context and stream (both or none may
 * be given; they stay the caller's). NULL, with a status and a sentence, where that cannot be. */
ww__driver *ww__cuda_open(unsigned index, void *context, void *stream, ww_status *status, char *why, size_t room);

#endif
