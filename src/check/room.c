/* The handle's memory for checks, and its notes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/checks.h"

ww_status ww__checks_open(ww_device *device, bool prints) {
    if (device->gpu) return WW_OK;
    ww__checks *c = ww__allocate(device, sizeof *c, 64);
    if (!c) return ww__no_memory(device, sizeof *c);
    memset(c, 0, offsetof(ww__checks, room));
    c->prints = prints;
    c->compiles = true;
    device->checks = c;
    return WW_OK;
}

void ww__checks_close(ww_device *device) {
    ww__release(device, device->checks, sizeof *device->checks);
    device->checks = NULL;
}

void *ww__check_take(ww__checks *c, uint64_t count, size_t size) {
    size_t bytes;
    if (!ww__bytes(count, size, &bytes) || bytes > WW__CHECK_ROOM - c->used) return NULL;
    void *piece = c->room + c->used;
    c->used = ww__round_up(c->used + bytes, 64);
    return piece;
}

static uint64_t digest(const char *text) {
    uint64_t d = 0xCBF29CE484222325u;
    for (; *text; text++) d = (d ^ (unsigned char)*text) * 0x100000001B3u;
    return d;
}

void ww__check_note(ww_device *device, const char *format, ...) {
    ww__checks *c = device->checks;
    char line[1024];
    if (!c->prints) return;
    int length = snprintf(line, sizeof line, "warpwise: check: %s: ", device->call);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - 1 - (size_t)length, format, arguments);
    va_end(arguments);
    const uint64_t d = digest(line);
    for (size_t i = 0; i < c->notes; i++)
        if (c->note[i] == d) return;
    if (c->notes == WW__CHECK_NOTES) return;
    c->note[c->notes++] = d;
    length = (int)strlen(line);
    line[length++] = '\n';
    fwrite(line, 1, (size_t)length, stderr);
}

const char *ww__role_name(const ww_function *f) {
    static const char *const name[] = {"function", "WW_MAP", "WW_MAP2", "WW_COMBINE", "WW_LESS", "WW_KERNEL", "function",
                                       "WW_WINDOW", "WW_BLOCK_KERNEL"};
    return name[f->role <= WW_ROLE_BLOCKS ? f->role : 0];
}
