/* What is being written: each function leaves this file when its own file comes; then the file goes. */
#include "device/device.h"
#include "text/find_gpu.h"
#include "text/pieces_cpu.h"

static ww_status unfinished(ww_device *device) { return ww__fail(device, WW_UNSUPPORTED, "not written yet"); }


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
