#include "device/options.h"

#include <string.h>

enum { LONGEST = 4096 }; /* what says more has not been filled: no struct will ever grow to that */

static ww_status check_size(ww_device *device, const char *name, const char *start, size_t size) {
    WW_CHECK(device, size >= sizeof size && size <= LONGEST, WW_INVALID, "%s.size is %zu; start from %s", name, size,
             start);
    return WW_OK;
}

ww_status ww__take_options(ww_device *device, const void *given, const char *start, void *taken, size_t bytes) {
    const unsigned char *bytes_given = given;
    size_t size;
    memset(taken, 0, bytes);
    memcpy(taken, &bytes, sizeof bytes);
    if (!given) return WW_OK;
    memcpy(&size, given, sizeof size);
    WW_TRY(check_size(device, "options", start, size));
    for (size_t i = bytes; i < size; i++)
        WW_CHECK(
            device, !bytes_given[i], WW_INVALID,
            "options that this version does not have are set: byte %zu of a struct that begins with %s and has %zu here",
            i, start, bytes);
    if (size > bytes) size = bytes;
    memcpy((unsigned char *)taken + sizeof size, bytes_given + sizeof size, size - sizeof size);
    return WW_OK;
}

ww_status ww__give_struct(ww_device *device, const void *made, const char *start, void *wanted, size_t bytes) {
    size_t size;
    memcpy(&size, wanted, sizeof size);
    WW_TRY(check_size(device, "info", start, size));
    const size_t both = size < bytes ? size : bytes;
    memcpy((unsigned char *)wanted + sizeof size, (const unsigned char *)made + sizeof size, both - sizeof size);
    memset((unsigned char *)wanted + both, 0, size - both);
    return WW_OK;
}
