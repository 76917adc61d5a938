#include "support/located.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATHS = 8 };

/* `path` from a folder on; its whole path, where it is there. */
static bool from(const char *folder, size_t length, const char *path, char whole[PATH_MAX]) {
    char joined[2 * PATH_MAX], there[PATH_MAX];
    snprintf(joined, sizeof joined, "%.*s/%s", (int)length, folder, path);
    const bool is_there = realpath(joined, there) != NULL;
    snprintf(whole, PATH_MAX, "%s", is_there ? there : joined);
    return is_there;
}

static void find(const char *path, char whole[PATH_MAX]) {
    char own[PATH_MAX];
    const char *asked = getenv("WARPWISE_TEST_PLACES");
    for (size_t length; asked && *asked; asked += length + (asked[length] == ':')) {
        length = strcspn(asked, ":");
        if (from(asked, length, path, whole)) return;
    }
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 0) abort();
    own[length] = 0;
    from(own, (size_t)(strrchr(own, '/') - own), path, whole);
}

const char *located(const char *path) {
    static char whole[PATHS][PATH_MAX];
    static const char *known[PATHS];
    size_t p = 0;
    while (p < PATHS && known[p] && strcmp(known[p], path)) p++;
    if (p == PATHS) abort(); /* a program needs few */
    if (!known[p]) find(path, whole[p]);
    known[p] = path;
    return whole[p];
}
