/* A sink: bytes that come in pieces of any length are gathered in the first-level cache and leave in whole lines, so
 * that an output larger than the caches is written past them. Neighbouring blocks of an output share a line at most at
 * their ends, and those bytes, no others, are written by plain stores. */
#ifndef WW__SINK_H
#define WW__SINK_H

#include "device/cpu/stream.h"
#include "primitive/pack/compress.h"

enum {
    WW__SINK_PIECE = 4096, /* bytes that may come at once */
    WW__SINK_FULL = 4096,  /* from so many on, lines are sent */
    WW__SINK_BYTES = WW__SINK_FULL + WW__SINK_PIECE + 64 + WW__COMPRESS_SLACK
};

typedef struct ww__sink {
    const ww_device *device;
    unsigned char *buffer; /* WW__SINK_BYTES on a line; its lines are the output's */
    size_t begin, end;     /* what is waiting */
    unsigned char *out;    /* where buffer + begin goes */
    size_t room;           /* bytes that may still be written; more are dropped */
    bool streaming;
} ww__sink;

void ww__sink_begin(ww__sink *sink, const ww_device *device, void *buffer, void *out, size_t room, bool streaming);
void ww__sink_lines(ww__sink *sink); /* sends whole lines */
void ww__sink_end(ww__sink *sink);   /* sends all */

/* The next piece is put here, WW__SINK_PIECE bytes at most (and the slack of ww__compress), then it hears how many. */
static inline void *ww__sink_next(ww__sink *sink) { return sink->buffer + sink->end; }
static inline void ww__sink_took(ww__sink *sink, size_t bytes) {
    sink->end += bytes;
    if (sink->end >= WW__SINK_FULL) ww__sink_lines(sink);
}

/* One element of any size. */
void ww__sink_put(ww__sink *sink, const void *element, size_t size);

/* The elements whose bits are set, as in ww__compress. */
void ww__sink_compress(ww__sink *sink, ww__compress *compress, const void *in, const uint64_t *bits, uint64_t flip,
                       size_t n, size_t size, size_t ahead);
/* The same as in ww__compress_few; of a tile, whose few are no more than a piece. */
void ww__sink_few(ww__sink *sink, const void *in, const uint64_t *bits, size_t n, size_t kept, size_t size);

#endif
