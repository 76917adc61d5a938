/* Patterns go to the GPU as the arguments of launches, in parts. Long ones are copied, and waited for: what they are copied from
 * may be the caller's memory, or gone when the call ends. */
#include "text/pattern_gpu.h"

#include <string.h>

#include "device/gpu/gpu.h"
#include "text/pattern_arguments.cuh"

enum { PARTS_MOST = 16, THREADS = 256 };

static ww_status put_part(ww_device *device, unsigned char *to, const unsigned char *from, uint64_t left) {
    const uint64_t many = ww__min_u64(left, PART);
    ww__recipe r;
    ww__recipe_begin(&r, "text/pattern.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__arguments a;
    part_arguments all = {.to = to, .many = many};
    memcpy(all.part, from, (size_t)many);
    WW__ARGUMENTS(&a, all);
    return ww__gpu_launch(device, &r, "put_part", 1, THREADS, 0, &a);
}

ww_status ww__find_pattern_gpu(ww_device *device, const ww__finding *f, unsigned char **pattern) {
    ww__driver *driver = device->gpu->driver;
    WW_TRY(ww__scratch(device, (size_t)f->m, pattern));
    if (f->m > PART * PARTS_MOST) {
        WW_TRY(ww__gpu_copy(device, *pattern, f->pattern, (size_t)f->m));
        return device->on_paper ? WW_OK : ww__gpu_said(device, driver->sync(driver));
    }
    for (uint64_t done = 0; done < f->m; done += PART)
        WW_TRY(put_part(device, *pattern + done, f->pattern + done, f->m - done));
    return WW_OK;
}
