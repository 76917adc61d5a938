/* See emulator.h. The shared object stays loaded: its threads' stacks and its users' programs end with the process. */
#include "device/gpu/emulator.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char file[] = "libwarpwise-emu.so";

/* WARPWISE_EMULATOR, the folder that this library (or the program that it is linked into) was loaded from, the loader's. */
static void *find_object(void) {
    char path[4096];
    Dl_info here;
    void *object = NULL;
    const char *named = getenv("WARPWISE_EMULATOR");
    if (named && *named) return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (dladdr(file, &here) && here.dli_fname) {
        const char *slash = strrchr(here.dli_fname, '/');
        const int folder = slash ? (int)(slash + 1 - here.dli_fname) : 0;
        if (snprintf(path, sizeof path, "%.*s%s", folder, here.dli_fname, file) < (int)sizeof path)
            object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return object ? object : dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

ww__driver *ww__emulator_open(const char *options, ww_status *status, char *why, size_t room) {
    void *object = find_object(), *symbol = object ? dlsym(object, WW__EMULATOR_OPEN) : NULL;
    ww__driver_open *open = NULL;
    if (!symbol) {
        *status = WW_NO_DEVICE;
        snprintf(why, room, "the emulator is not installed (%s: %s)", file, object ? "it is of another version" : dlerror());
        return NULL;
    }
    memcpy(&open, &symbol, sizeof open); /* POSIX lets a void pointer hold a function's */
    return open(options, status, why, room);
}
