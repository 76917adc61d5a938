/* Gathering bytes and sending lines. */
#include "primitive/pack/sink.h"

#include <string.h>

void ww__sink_begin(ww__sink *sink, const ww_device *device, void *buffer, void *out, size_t room, bool streaming) {
    const size_t inside = (uintptr_t)out % 64;
    *sink = (ww__sink){device, buffer, inside, inside, out, room, streaming};
}

static void send(ww__sink *sink, const void *from, size_t bytes) {
    const size_t fit = bytes < sink->room ? bytes : sink->room;
    if (fit) ww__stream(sink->device, sink->out, from, fit, sink->streaming);
    sink->room -= fit;
    sink->out += fit;
}

void ww__sink_lines(ww__sink *sink) {
    const size_t whole = sink->end / 64 * 64;
    if (whole <= sink->begin) return;
    send(sink, sink->buffer + sink->begin, whole - sink->begin);
    memcpy(sink->buffer, sink->buffer + whole, sink->end - whole);
    sink->begin = 0;
    sink->end -= whole;
}

void ww__sink_end(ww__sink *sink) {
    send(sink, sink->buffer + sink->begin, sink->end - sink->begin);
    sink->begin = sink->end;
}

void ww__sink_put(ww__sink *sink, const void *element, size_t size) {
    if (size <= WW__SINK_PIECE) {
        memcpy(ww__sink_next(sink), element, size);
        ww__sink_took(sink, size);
    } else { /* is as good as a block of its own; nothing else waits, since all elements have one size */
        send(sink, element, size);
    }
}

void ww__sink_compress(ww__sink *sink, ww__compress *compress, const void *in, const uint64_t *bits, uint64_t flip,
                       size_t n, size_t size, size_t ahead) {
    const unsigned char *from = in;
    if (size > WW__SINK_PIECE / 64) {
        for (size_t i = 0; i < n; i++)
            if ((bits[i / 64] ^ flip) >> i % 64 & 1) ww__sink_put(sink, from + i * size, size);
        return;
    }
    const size_t piece = 64 * (WW__SINK_PIECE / 64 / size);
    for (size_t i = 0; i < n; i += piece) {
        const size_t many = n - i < piece ? n - i : piece;
        ww__sink_took(sink,
                      compress(ww__sink_next(sink), from + i * size, bits + i / 64, flip, many, size, ahead) * size);
    }
}

void ww__sink_few(ww__sink *sink, const void *in, const uint64_t *bits, size_t n, size_t kept, size_t size) {
    ww__compress_few(sink->device, ww__sink_next(sink), in, bits, n, kept, size);
    ww__sink_took(sink, kept * size);
}
