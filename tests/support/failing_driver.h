/* A handle's GPU with a driver that fails at its k-th deed, that counts what it gives and is given back, and whose copies of
 * the host's memory happen as late as they may. One handle at a time.
 *
 *     ww_device *device = setting_open(0);
 *     failing_driver f = {.deeds = FAILS_MEMORY, .status = WW_MEMORY, .fail_at = k};
 *     failing_driver_begin(device, &f);
 *     const ww_status status = ww_…(device, …);
 *     expect(f.failed == (k < f.count));
 *     failing_driver_end(&f);   or ww_close(device), whereafter f.blocks and f.programs are what was not given back
 *
 * Copies beside the work (copy_aside) are under way until the streams have met and the host has waited, or a launch has come
 * after: only then is memory of the host's written, and until then it holds anything; of what it is read from nobody may change
 * a byte meanwhile. Copies on the stream for work to memory that kernels reach, too, are late in the same way. */
#ifndef TESTS_FAILING_DRIVER_H
#define TESTS_FAILING_DRIVER_H

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "support/cases.h"

/* Deeds that are counted, and fail. */
enum { FAILS_MEMORY = 1, FAILS_PROGRAMS = 2, FAILS_QUEUE = 4, FAILS_WAITS = 8, FAILS_ALL = 15 };
/* allocate, allocate_host; compile, load, find; copy, copy_aside, meet, fill, launch; sync */

typedef struct failing_driver {
    unsigned deeds;
    ww_status status; /* WW_LOST: so does all that comes behind it */
    size_t fail_at;   /* SIZE_MAX: never */
    size_t count;     /* of deeds so far */
    bool failed;
    size_t blocks, bytes, most_bytes, allocations,
        programs;            /* of the driver's, given and not given back; bytes are the most of these */
    size_t under_way;        /* copies */
    size_t entered, entries; /* how often the driver is entered and not left, and was entered */
    ww_device *device;
} failing_driver;

void failing_driver_begin(ww_device *device, failing_driver *f);
void failing_driver_end(failing_driver *f);

#endif
