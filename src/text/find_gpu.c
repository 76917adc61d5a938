/* Finding on a GPU: the automatic method, and those that are named. */
#include "text/find_gpu.h"
#include "text/sides.h"

ww_status ww__find_gpu(ww_device *device, const ww__finding *f) {
    return f->method == WW_FIND_AUTO ? ww__find_auto_gpu(device, f) : ww__find_named_gpu(device, f);
}
