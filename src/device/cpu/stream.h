/* Moving bytes between caches and memory. */
#ifndef WW__STREAM_H
#define WW__STREAM_H

#include "device/device.h"

/* Copies `bytes` from a buffer that is in cache to memory; when `streaming`, past the caches (whole 64-byte lines by
 * non-temporal stores). Does not overlap. A worker that has streamed calls ww__stream_done before it says that its work is
 * done. */
void ww__stream(const ww_device *device, void *to, const void *from, size_t bytes, bool streaming);
/* The same from memory: asks for what lies ahead. (Doing that behind a buffer's end would pull the next worker's buffer
 * out of its cache, again and again.) */
void ww__stream_memory(const ww_device *device, void *to, const void *from, size_t bytes, bool streaming);
void ww__stream_done(void);

/* Whether an output of so many bytes should bypass the caches. */
static inline bool ww__streams(const ww_device *device, uint64_t bytes) { return bytes >= device->stream_bytes; }

/* Asks for [from, from + bytes) to be brought into the caches. */
static inline void ww__fetch_all(const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)from + i);
}

#endif
