/* What rooms that are made of public functions (graph, space, superstep) do between the calls of these: none of it is called
 * while a call is under way. */
#ifndef WW__BETWEEN_H
#define WW__BETWEEN_H

#include "device/device.h"

/* Fails as the public function `call`, with a sentence: ww__fail where no call is under way. */
ww_status ww__fail_call(ww_device *device, const char *call, ww_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* At the top of such a function, where it cannot be made on paper (device/paper.h). */
ww_status ww__call_not_on_paper(ww_device *device, const char *call);

/* Memory of the device's that an object keeps from call to call. */
typedef struct ww__kept {
    void *data; /* NULL as long as bytes is 0 */
    size_t bytes;
} ww__kept;

/* A capacity of at least count * size bytes. Nothing shrinks; the first block is as large as was asked for, and one that is
 * too small grows by half at least, where there is memory for that. Its first `keep` bytes stay, the rest is lost. What fails
 * leaves it as it was. */
ww_status ww__kept_capacity(ww_device *device, ww__kept *block, uint64_t count, size_t size, size_t keep);

/* Gives the memory back. */
void ww__kept_drop(ww_device *device, ww__kept *block);

#endif
