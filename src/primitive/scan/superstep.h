/* Supersteps: what all elements do at once, before any begins the next step. */
#ifndef WW__SCAN_SUPERSTEP_H
#define WW__SCAN_SUPERSTEP_H

#include <string.h>

#include "device/cpu/parallel.h"

/* Does part(job, worker, first, n) for all of 0 … count - 1, at_once of them at a time, on as many workers as moving
 * `bytes` deserves. */
typedef void ww__part(void *job, size_t worker, uint64_t first, size_t n);

typedef struct ww__superstep {
    void *job;
    ww__part *part;
    uint64_t count, next;
    size_t at_once;
} ww__superstep;

void ww__superstep_run(ww_device *device, uint64_t bytes, uint64_t count, size_t at_once, ww__part *part, void *job);

/* n elements from every `from_step`-th place to every `to_step`-th. */
void ww__move(void *to, size_t to_step, const void *from, size_t from_step, size_t n, size_t size);

#endif
