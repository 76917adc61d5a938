/* Links are followed one by one, from folder to folder, and each folder is held open: what is done later is done there,
 * whatever is renamed meanwhile. So it is also seen when a path leads to one of this process's own descriptors, which stand as
 * links in a folder of /proc: opening such a link again would begin at the file's first byte, and cannot be done with
 * every descriptor. */
#include "file/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MOST = 40 }; /* as the system itself follows */

static ww_status fail_with(const ww__transfer *t, const char *what) {
    return ww__fail(t->device, WW_FILE, "%.200s: %s: %s", t->name, what, strerror(errno));
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool holds_own_descriptors(int folder) {
    static const char *const tables[] = {"/proc/self/fd", "/proc/thread-self/fd"};
    struct stat here, table;
    if (fstat(folder, &here)) return false;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (stat(tables[i], &table) == 0 && same_file(&here, &table)) return true;
    }
    return false;
}

/* One step: opens the folder that the path is in, from the folder `at` on. The path keeps its part before the name. */
static ww_status enter_folder(const ww__transfer *t, ww__file_place *place, char *path) {
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    WW_CHECK(t->device, *name, WW_FILE, "%.200s: is not a name of a file", t->name);
    WW_CHECK(t->device, strlen(name) <= NAME_MAX, WW_FILE, "%.200s: is too long a name", t->name);
    strcpy(place->name, name);
    if (slash) slash[1] = '\0';
    const int at = place->folder;
    place->folder = ww__above_standard(
        openat(at < 0 ? AT_FDCWD : at, slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    const int problem = errno;
    if (at >= 0) close(at);
    if (place->folder >= 0) return WW_OK;
    return ww__fail(t->device, WW_FILE, "%.150s: no file can be made in the folder %.150s: %s", t->name,
                    slash ? path : ".", strerror(problem));
}

static ww_status follow(const ww__transfer *t, ww__file_place *place) {
    char path[PATH_MAX];
    strcpy(path, t->path);
    for (int links = 0; links <= LINKS_MOST; links++) {
        WW_TRY(enter_folder(t, place, path));
        const size_t digits = strspn(place->name, "0123456789");
        if (digits > 0 && !place->name[digits] && holds_own_descriptors(place->folder)) {
            place->descriptor = atoi(place->name);
            return WW_OK;
        }
        const ssize_t length = readlinkat(place->folder, place->name, path, sizeof path - 1);
        if (length < 0 && (errno == EINVAL || errno == ENOENT)) return WW_OK; /* no link, or nothing */
        if (length < 0) return fail_with(t, "its place cannot be found");
        path[length] = '\0';
    }
    errno = ELOOP;
    return fail_with(t, "its place cannot be found");
}

/* A file that has the name still is the one that the path leads to. */
static ww_status check_file(const ww__transfer *t, const ww__file_place *place) {
    struct stat found;
    if (fstatat(place->folder, place->name, &found, AT_SYMLINK_NOFOLLOW)) {
        return fail_with(t, "its place cannot be found");
    }
    WW_CHECK(t->device, same_file(&found, &place->status), WW_FILE, "%.200s: its place cannot be found", t->name);
    if (faccessat(place->folder, place->name, W_OK, AT_EACCESS)) return fail_with(t, "may not be written");
    return WW_OK;
}

static ww_status find_path(const ww__transfer *t, ww__file_place *place) {
    struct stat link;
    WW_CHECK(t->device, *t->path, WW_FILE, "the name of a file to write is empty");
    WW_CHECK(t->device, strlen(t->path) < PATH_MAX, WW_FILE, "%.200s: is too long a name", t->name);
    place->there = stat(t->path, &place->status) == 0;
    if (!place->there) {
        const int problem = errno;
        WW_CHECK(t->device, lstat(t->path, &link) != 0, WW_FILE, "%.200s: is a link to nothing: %s", t->name,
                 strerror(problem));
        errno = problem;
        if (problem != ENOENT) return fail_with(t, "cannot be written");
    }
    WW_CHECK(t->device, !place->there || !S_ISDIR(place->status.st_mode), WW_FILE, "%.200s: is a folder, not a file",
             t->name);
    WW_TRY(follow(t, place));
    return place->there && ww__file_place_is_replaced(place) ? check_file(t, place) : WW_OK;
}

ww_status ww__file_place_find(const ww__transfer *t, ww__file_place *place) {
    memset(place, 0, sizeof *place);
    place->folder = place->descriptor = -1;
    if (strcmp(t->path, "-") == 0) {
        place->descriptor = STDOUT_FILENO;
        place->there = fstat(STDOUT_FILENO, &place->status) == 0;
        return WW_OK;
    }
    const ww_status status = find_path(t, place);
    if (status) ww__file_place_close(place);
    return status;
}

void ww__file_place_close(ww__file_place *place) {
    if (place->folder >= 0) close(place->folder);
    place->folder = -1;
}

bool ww__file_place_is_replaced(const ww__file_place *place) {
    return place->descriptor < 0 && (!place->there || S_ISREG(place->status.st_mode));
}

bool ww__file_place_same(const ww__file_place *a, const ww__file_place *b) {
    struct stat one, other;
    if (a->descriptor >= 0 && b->descriptor >= 0) return false; /* one after the other */
    if (a->there || b->there)
        return a->there && b->there && S_ISREG(a->status.st_mode) && same_file(&a->status, &b->status);
    return strcmp(a->name, b->name) == 0 && fstat(a->folder, &one) == 0 && fstat(b->folder, &other) == 0 &&
           same_file(&one, &other);
}
