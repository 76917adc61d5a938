/* Small counters that are 0 when a kernel begins, without a fill in front of it. */
#ifndef WW__GPU_COUNTERS_H
#define WW__GPU_COUNTERS_H

#include "device/device.h"

/* Kept by the handle: launches follow one another, so what one leaves as 0 is 0 for the next. A graph of the caller's may run beside
 * them: calls that are captured in one take scratch memory and fill it. */
enum { WW__COUNTER_BYTES = 64 };
typedef struct ww__gpu_counters {
    void *ticket;  /* for blocks that find out which is the last: that one sets it back to 0 */
    void *sets[2]; /* of sets in turn one is a launch's own, and it clears the other */
    bool second;   /* whose turn it is */
} ww__gpu_counters;

/* WW__COUNTER_BYTES that are 0, and that the last block sets back to 0. */
ww_status ww__gpu_ticket(ww_device *device, void *pointer_to_pointer);

/* WW__COUNTER_BYTES that are 0, and as many that the call's last launch clears; ww__gpu_counted is called when that has been queued. */
ww_status ww__gpu_count(ww_device *device, void *pointer_to_set, void *pointer_to_other);
void ww__gpu_counted(ww_device *device);

void ww__gpu_counters_release(ww_device *device);

#endif
