/* See unpack.h. */
#include "device/gpu/unpack.h"

#include <string.h>

/* Reads a number; false at the end, and for what is longer than any program. */
static bool read_number(const unsigned char **at, const unsigned char *end, size_t *number) {
    enum { BITS_MOST = 28 };
    *number = 0;
    for (unsigned shift = 0; *at < end && shift < BITS_MOST; shift += 7) {
        const unsigned char byte = *(*at)++;
        *number |= (size_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

bool ww__unpack(const unsigned char *packed, size_t packed_bytes, unsigned char *out, size_t before, size_t bytes) {
    const unsigned char *end = packed + packed_bytes;
    size_t done = 0, many, distance;
    for (;;) {
        if (!read_number(&packed, end, &many) || many > bytes - done || many > (size_t)(end - packed)) return false;
        memcpy(out + done, packed, many);
        packed += many;
        done += many;
        if (done == bytes) return packed == end;
        if (!read_number(&packed, end, &many) || !read_number(&packed, end, &distance)) return false;
        many += WW__MATCH_LEAST;
        if (many > bytes - done || distance >= before + done) return false;
        /* One by one: what is copied may be what was just written. */
        for (const unsigned char *from = out + done - (ptrdiff_t)distance - 1; many; many--) out[done++] = *from++;
    }
}
