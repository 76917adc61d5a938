/* A sink that fills its output from the end: what comes first stands last. See primitive/pack/sink.h. */
#ifndef WW__REVERSED_SINK_H
#define WW__REVERSED_SINK_H

#include "primitive/pack/sink.h"

enum { WW__REVERSED_SINK_BYTES = WW__SINK_FULL + 2 * WW__SINK_PIECE + 64 + WW__COMPRESS_SLACK };

typedef struct ww__reversed_sink {
    const ww_device *device;
    unsigned char *buffer; /* WW__REVERSED_SINK_BYTES on a line; a piece as it comes, then what is waiting */
    size_t begin, end;     /* what is waiting, reversed */
    unsigned char *out;    /* where buffer + end goes */
    bool streaming;
} ww__reversed_sink;

/* `out` is the end of the output. */
void ww__reversed_sink_begin(ww__reversed_sink *sink, const ww_device *device, void *buffer, void *out, bool streaming);
void ww__reversed_sink_end(ww__reversed_sink *sink);
void ww__reversed_sink_compress(ww__reversed_sink *sink, ww__compress *compress, const void *in, const uint64_t *bits,
                                uint64_t flip, size_t n, size_t size);

#endif
