/* A pattern in a GPU's memory. */
#ifndef WW__TEXT_PATTERN_GPU_H
#define WW__TEXT_PATTERN_GPU_H

#include "text/find.h"

/* The request's pattern in scratch memory of the GPU, a byte a character. Nothing waits for patterns of up to 32 KiB. */
ww_status ww__find_pattern_gpu(ww_device *device, const ww__finding *finding, unsigned char **pattern);

#endif
