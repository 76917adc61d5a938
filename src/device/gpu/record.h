/* Bad data that queued calls find (an index out of range) while the GPU works. A record in the GPU's memory keeps the first
 * call that found some, the lowest position in it and the value there; the host looks at it in ww_sync, after copies to the
 * host's own memory and where a result goes there, reports it once, and clears it. */
#ifndef WW__GPU_RECORD_H
#define WW__GPU_RECORD_H

#include "device/device.h"
#include "device/kernel/arguments.cuh"

/* A call that checks its data, as the host remembers it. */
typedef struct ww__queued ww__queued;
/* Says what was wrong, by ww__fail, and returns that status. */
typedef ww_status ww__say_bad(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value);

struct ww__queued {
    uint64_t number;
    const char *call; /* the public function */
    ww__say_bad *say;
    uint64_t limit;
    char name[64]; /* of a caller's function, the label of an index's type, or empty */
};

enum { WW__QUEUED = 256 }; /* calls that are remembered: the sentence about an older one says less */

typedef struct ww__gpu_record {
    void *memory;           /* struct ww_bad_data of device/kernel/record.cuh; NULL until the first call that checks */
    uint64_t calls, looked; /* calls numbered so far; how many of them had been when the host last looked */
    bool captured;          /* a graph of the caller's may run such a call again at any time: the host looks always */
    ww__queued queued[WW__QUEUED];
} ww__gpu_record;

typedef ww_checking ww__gpu_checking;

/* Numbers the call that is under way, which checks its data. name may be NULL. */
ww_status ww__gpu_checking_begin(ww_device *device, ww__say_bad *say, const char *name, uint64_t limit,
                                 ww__gpu_checking *checking);

/* Reports what queued calls have found, waiting for them where one has been queued since the last look. */
ww_status ww__gpu_look(ww_device *device);

void ww__gpu_record_release(ww_device *device);

#endif
