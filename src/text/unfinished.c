/* What is being written: each function leaves this file when its own file comes; then the file goes. */
#include "device/device.h"
#include "text/find_gpu.h"
#include "text/pieces_cpu.h"

static ww_status unfinished(ww_device *device) { return ww__fail(device, WW_UNSUPPORTED, "not written yet"); }

/* --- CPU auto --- */
ww_status ww__scanner_auto(ww_device *device, const ww__finding *f, ww__scanner *s) {
    return ww__scanner_serial(device, f, s);
}
/* --- CPU named --- */
ww_status ww__scanner_divide(ww_device *device, const ww__finding *f, ww__scanner *s) {
    return (void)f, (void)s, unfinished(device);
}
ww_status ww__scanner_divide32(ww_device *device, const ww__finding *f, ww__scanner *s) {
    return (void)f, (void)s, unfinished(device);
}
ww_status ww__scanner_divide64(ww_device *device, const ww__finding *f, ww__scanner *s) {
    return (void)f, (void)s, unfinished(device);
}
ww_status ww__scanner_twostage(ww_device *device, const ww__finding *f, ww__scanner *s) {
    return (void)f, (void)s, unfinished(device);
}
/* --- scans and hybrid --- */
ww_status ww__scanner_hybrid(ww_device *device, const ww__finding *f, ww__scanner *s) {
    return (void)f, (void)s, unfinished(device);
}
ww_status ww__find_by_scans(ww_device *device, const ww__finding *f) { return (void)f, unfinished(device); }
/* --- GPU auto --- */
ww_status ww__find_auto_gpu(ww_device *device, const ww__finding *f) { return (void)f, unfinished(device); }
/* --- GPU named --- */
ww_status ww__find_named_gpu(ww_device *device, const ww__finding *f) { return (void)f, unfinished(device); }
ww_status ww__find_marks_gpu(ww_device *device, const ww__finding *f, uint32_t *marks) {
    return (void)f, (void)marks, unfinished(device);
}
/* --- nearly --- */
ww_status ww_find_near(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count, uint64_t most,
                       ww_array positions, ww_array differences, ww_array count, const ww_find_options *options) {
    (void)text, (void)pattern, (void)pattern_count, (void)most, (void)positions, (void)differences, (void)count, (void)options;
    return unfinished(device);
}
