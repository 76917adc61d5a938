/* Sorting what the host's memory holds on a GPU whose own may be too small for it; and on several devices. */
#ifndef WW__LARGE_GPU_H
#define WW__LARGE_GPU_H

#include "sort/sort.h"

/* A checked request of arrays in any memory, inputs too; and on the device's backend. */
ww_status ww__sort_large(ww_device *device, const ww__sort_request *request);
ww_status ww__sort_large_gpu(ww_device *device, const ww__sort_request *request);

/* All that ww_sort_large checks, of a request that it completes. */
ww_status ww__sort_large_check(ww_device *device, ww__sort_request *request, const ww_sort_options *options);

/* What devices share that sort one array together, a chunk at a time. Trip 0 makes chunks of neighbours into runs, trip 1 pieces of
 * all runs into chunks of the result. */
typedef struct ww__large_share {
    const ww__sort_request *r;
    uint64_t chunk;       /* elements */
    unsigned char *runs;  /* of the host's memory: as many keys as there are, then their values */
    uint64_t *next;       /* atomic: the trip's next chunk */
    const uint32_t *stop; /* atomic: not 0 when a device has failed */
} ww__large_share;

/* Holds the memory for chunks of at most `wanted` elements, and says how many they can have; and makes this device's part of a trip:
 * chunks are taken until none is left. */
ww_status ww__large_gpu_hold(ww_device *device, const ww__sort_request *request, uint64_t wanted, uint64_t *chunk);
ww_status ww__large_gpu_trip(ww_device *device, const ww__large_share *share, unsigned trip);
ww_status ww__large_cpu_trip(ww_device *device, const ww__large_share *share, unsigned trip);

#endif
