#include "device/found.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/trust.h"

bool ww__found_library(const char *pattern, bool (*opens)(void *context, const char *path), void *context, char *left,
                       size_t left_room) {
    glob_t found;
    bool opened = false;
    const bool home = *pattern == '~';
    if ((home && !secure_getenv("HOME")) || glob(pattern, GLOB_TILDE, NULL, &found)) return false;
    for (size_t i = 0; i < found.gl_pathc && !opened; i++) {
        char real[PATH_MAX];
        const char *path = found.gl_pathv[i], *wrong = home ? ww__path_distrusted(path, real) : NULL;
        if (!wrong)
            opened = opens(context, home ? real : path);
        else if (!*left)
            snprintf(left, left_room, "; of %s or a folder on the way to it: %s", path, wrong);
    }
    globfree(&found);
    return opened;
}
