/* What the GPU's files of finding share. */
#ifndef WW__FIND_GPU_H
#define WW__FIND_GPU_H

#include "text/find.h"

ww_status ww__find_auto_gpu(ww_device *device, const ww__finding *finding);
ww_status ww__find_named_gpu(ww_device *device, const ww__finding *finding);

/* Writes what a request asks for (all kinds of it) from marks in the GPU's memory: bit s % 32 of word s / 32 is set where a
 * match begins at start s; bits behind the last start are clear. `marks` is 16-byte aligned; with no start it is not looked
 * at. Marks of matches that do not lie in one text do not count. */
ww_status ww__find_marks_gpu(ww_device *device, const ww__finding *finding, uint32_t *marks);

#endif
