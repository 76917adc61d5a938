/* A piece is compressed as it comes, copied element by element in front of what is waiting, and lines are sent from the
 * upper end. */
#include "primitive/split/reversed_sink.h"

#include <string.h>

enum { PIECE = WW__SINK_PIECE, TOP = WW__REVERSED_SINK_BYTES - 64 };

void ww__reversed_sink_begin(ww__reversed_sink *sink, const ww_device *device, void *buffer, void *out,
                             bool streaming) {
    const size_t top = TOP + (uintptr_t)out % 64;
    *sink = (ww__reversed_sink){device, buffer, top, top, out, streaming};
}

/* Sends what is waiting from `from` on. */
static void send(ww__reversed_sink *sink, size_t from) {
    const size_t bytes = sink->end - from;
    sink->out -= bytes;
    if (bytes) ww__stream(sink->device, sink->out, sink->buffer + from, bytes, sink->streaming);
    sink->end = from;
}

static void send_lines(ww__reversed_sink *sink) {
    const size_t whole = ww__round_up(sink->begin, 64);
    if (whole >= sink->end) return;
    send(sink, whole);
    const size_t left = whole - sink->begin;
    memcpy(sink->buffer + TOP - left, sink->buffer + sink->begin, left);
    sink->begin = TOP - left;
    sink->end = TOP;
}

void ww__reversed_sink_end(ww__reversed_sink *sink) { send(sink, sink->begin); }

/* The n elements at `from`, last one first, to `to`. */
WW__COMPILED static void reverse(unsigned char *WW__R to, const unsigned char *WW__R from, size_t n, size_t size) {
    switch (size) {
#define REVERSE(S) \
    case S: \
        for (size_t i = 0; i < n; i++) memcpy(to + i * S, from + (n - 1 - i) * S, S); \
        return;
        REVERSE(1)
        REVERSE(2)
        REVERSE(4)
        REVERSE(8)
        REVERSE(16)
#undef REVERSE
    }
    for (size_t i = 0; i < n; i++) memcpy(to + i * size, from + (n - 1 - i) * size, size);
}

static void put(ww__reversed_sink *sink, const unsigned char *from, size_t n, size_t size) {
    sink->begin -= n * size;
    reverse(sink->buffer + sink->begin, from, n, size);
    if (sink->end - sink->begin >= WW__SINK_FULL) send_lines(sink);
}

static void put_large(ww__reversed_sink *sink, const unsigned char *element, size_t size) {
    if (size <= PIECE) {
        put(sink, element, 1, size);
    } else { /* nothing else waits, since all elements have one size */
        sink->out -= size;
        ww__stream(sink->device, sink->out, element, size, sink->streaming);
    }
}

void ww__reversed_sink_compress(ww__reversed_sink *sink, ww__compress *compress, const void *in, const uint64_t *bits,
                                uint64_t flip, size_t n, size_t size) {
    const unsigned char *from = in;
    if (size > PIECE / 64) {
        for (size_t i = 0; i < n; i++)
            if ((bits[i / 64] ^ flip) >> i % 64 & 1) put_large(sink, from + i * size, size);
        return;
    }
    const size_t piece = 64 * (PIECE / 64 / size);
    for (size_t i = 0; i < n; i += piece) {
        const size_t many = n - i < piece ? n - i : piece;
        const size_t kept = compress(sink->buffer, from + i * size, bits + i / 64, flip, many, size, 0);
        put(sink, sink->buffer, kept, size);
    }
}
