/* A zone's last bytes say where its piece begins and how long that is, so that zones are found from the last to the first. */
#include "device/zones.h"

#include <string.h>

enum { EDGE = 0x5A, STALE = 0xA5 };

typedef struct zone_end {
    const unsigned char *piece;
    size_t bytes;
} zone_end;

void ww__zones_watch(ww_device *device, ww__overrun *overrun) {
    if (!device->gpu && !device->blocks) device->overrun = overrun;
}

void ww__zone_begin(unsigned char *piece, size_t bytes, unsigned char *end) {
    const zone_end last = {piece, bytes};
    memset(piece, STALE, bytes);
    memset(piece + bytes, EDGE, (size_t)(end - piece) - bytes);
    memcpy(end - sizeof last, &last, sizeof last);
}

/* A zone that was written over from end to end names no piece, or a wrong one. */
static bool is_possible(const zone_end *z, const unsigned char *begin, const unsigned char *end) {
    return z->piece >= begin && z->piece < end && z->bytes <= (size_t)(end - z->piece) - sizeof *z;
}

static bool is_whole(const zone_end *z, const unsigned char *end) {
    for (const unsigned char *at = z->piece + z->bytes; at < end - sizeof *z; at++)
        if (*at != EDGE) return false;
    return true;
}

void ww__zones_check(const ww_device *device, const unsigned char *begin, const unsigned char *end) {
    while (end > begin) {
        zone_end z;
        memcpy(&z, end - sizeof z, sizeof z);
        const bool possible = is_possible(&z, begin, end);
        if (!possible || !is_whole(&z, end)) device->overrun(device, possible ? z.bytes : 0);
        if (!possible) return;
        end = z.piece;
    }
}
