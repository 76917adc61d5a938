/* Arrays in the host's own memory, for calls on a GPU: what the checks find of them, and their copies (device/call.h). */
#ifndef WW__STAGE_H
#define WW__STAGE_H

#include "device/gpu/gpu.h"

/* A checked array lies where kernels may not reach: says whether the call can go on, with a copy of it or where it lies. */
ww_status ww__stage_want(ww_device *device, const char *name, const void *pointer);

/* Whether it said that the array at `pointer` is used where it lies. */
bool ww__stage_in_place(const ww_device *device, const void *pointer);

/* Ends a call whose kernels have used such memory where it lies. The caller may read it, or give it back, as soon as the call has
 * returned. */
ww_status ww__stage_wait(ww_device *device, ww_status status);

#endif
