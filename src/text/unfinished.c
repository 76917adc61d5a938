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
/* --- GPU named --- */
ww_status ww__find_named_gpu(ww_device *device, const ww__finding *f) { return (void)f, unfinished(device); }
ww_status ww__find_marks_gpu(ww_device *device, const ww__finding *f, uint32_t *marks) {
    return (void)f, (void)marks, unfinished(device);
}
/* --- many patterns --- */
ww_status ww_patterns_open(ww_device *device, const void *bytes, const uint64_t *offsets, uint64_t count,
                           const ww_find_options *options, ww_patterns **patterns) {
    (void)bytes, (void)offsets, (void)count, (void)options;
    *patterns = NULL;
    return unfinished(device);
}
void ww_patterns_close(ww_patterns *patterns) { (void)patterns; }
ww_status ww_find_many(ww_patterns *patterns, ww_input text, ww_array positions, ww_array numbers, ww_array count) {
    return (void)patterns, (void)text, (void)positions, (void)numbers, (void)count, WW_UNSUPPORTED;
}
/* --- pieces --- */
ww_status ww_find_stream_open(ww_patterns *patterns, ww_find_stream **stream) {
    (void)patterns;
    *stream = NULL;
    return WW_UNSUPPORTED;
}
void ww_find_stream_close(ww_find_stream *stream) { (void)stream; }
ww_status ww_find_stream_next(ww_find_stream *stream, ww_input piece, ww_array positions, ww_array numbers, ww_array count) {
    return (void)stream, (void)piece, (void)positions, (void)numbers, (void)count, WW_UNSUPPORTED;
}
/* --- nearly --- */
ww_status ww_find_near(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count, uint64_t most,
                       ww_array positions, ww_array differences, ww_array count, const ww_find_options *options) {
    (void)text, (void)pattern, (void)pattern_count, (void)most, (void)positions, (void)differences, (void)count, (void)options;
    return unfinished(device);
}
