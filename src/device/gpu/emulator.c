/* See emulator.h. The shared object stays loaded: its threads' stacks and its users' programs end with the process. */
#include "device/gpu/emulator.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/trust.h"

static const char name[] = "libwarpwise-emu.so";

/* Whether there is a file, with the reason in `why` if it is one that is not loaded. */
static bool look(const char *path, uid_t owner, char *why, size_t room) {
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return false;
    const char *wrong = ww__file_distrusted(file, owner);
    if (wrong) snprintf(why, room, "%s: %s", path, wrong);
    close(file);
    return true;
}

/* Where the file is: WARPWISE_EMULATOR, beside the library (or the program that it is linked into), where libraries were to be
 * installed to, or where the loader finds that name. What is found here must belong to the user, to root or to the owner of the library
 * (or program), and nobody else may write to it: otherwise the reason is in `why`. */
static const char *find_file(char *path, size_t path_room, char *why, size_t room) {
    uid_t owner = geteuid();
    const char *named = secure_getenv("WARPWISE_EMULATOR");
    if (named && *named) return named;
    if (ww__beside(name, path, path_room, &owner) && look(path, owner, why, room)) return path;
#ifdef WARPWISE_LIBDIR
    if (snprintf(path, path_room, "%s/%s", WARPWISE_LIBDIR, name) < (int)path_room && look(path, owner, why, room))
        return path;
#endif
    return name;
}

static bool refused(ww_status *status, char *why, size_t room) {
    if (!ww__privileged()) return false;
    *status = WW_UNSUPPORTED;
    snprintf(
        why, room,
        "the emulator starts the C++ compiler that its caller's environment names, so it is not opened in a program that has "
        "rights which its caller lacks (setuid, setgid, capabilities)");
    return true;
}

bool ww__emulator_there(char *why, size_t room) {
    char path[4096], distrusted[4200] = "";
    ww_status status;
    if (refused(&status, why, room)) return false;
    const char *file = find_file(path, sizeof path, distrusted, sizeof distrusted);
    if (!*distrusted && strchr(file, '/') && !access(file, R_OK)) return true;
    snprintf(why, room, "%s: %s", file,
             *distrusted ? distrusted : "is not beside the library; when it is asked for, the loader may find it");
    return false;
}

/* One of the names that the shared object shows, or NULL with the reason. */
static void *find_symbol(const char *symbol, ww_status *status, char *why, size_t room) {
    char path[4096], distrusted[4200] = "";
    if (refused(status, why, room)) return NULL;
    const char *file = find_file(path, sizeof path, distrusted, sizeof distrusted);
    void *object = *distrusted ? NULL : dlopen(file, RTLD_NOW | RTLD_LOCAL),
         *found = object ? dlsym(object, symbol) : NULL;
    if (found) return found;
    *status = WW_NO_DEVICE;
    snprintf(why, room, "the emulator is not installed (%s: %s)", name,
             *distrusted ? distrusted
             : object    ? "it is of another version"
                         : dlerror());
    return NULL;
}

ww__driver *ww__emulator_open(const char *options, ww_status *status, char *why, size_t room) {
    void *const symbol = find_symbol(WW__EMULATOR_OPEN, status, why, room);
    ww__driver_open *open = NULL;
    memcpy(&open, &symbol, sizeof open); /* POSIX lets a void pointer hold a function's */
    return open ? open(options, status, why, room) : NULL;
}

ww_status ww__emulator_look(const char *source, const ww__header *headers, char *why, size_t room) {
    ww_status status = WW_OK;
    void *const symbol = find_symbol(WW__EMULATOR_LOOK, &status, why, room);
    ww__driver_look *look_at = NULL;
    memcpy(&look_at, &symbol, sizeof look_at);
    return look_at ? look_at(source, headers, why, room) : status;
}
