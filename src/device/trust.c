/* See trust.h. Folders are opened with O_PATH: passing through one (/home, often 0711) needs no right to read it. */
#include "device/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 16 };

static const char others_own[] = "it belongs to another user", others_write[] = "its group or others may write to it";

bool ww__privileged(void) { return getauxval(AT_SECURE) != 0; }

static bool ours(uid_t owner) { return owner == geteuid() || owner == 0; }

const char *ww__file_distrusted(int file, uid_t owner) {
    struct stat s;
    if (fstat(file, &s)) return strerror(errno);
    if (!S_ISREG(s.st_mode)) return "it is not a regular file";
    if (!ours(s.st_uid) && s.st_uid != owner) return others_own;
    return s.st_mode & (S_IWGRP | S_IWOTH) ? others_write : NULL;
}

static const char *folder_distrusted(int folder, bool passed) {
    struct stat s;
    if (fstat(folder, &s)) return strerror(errno);
    if (!ours(s.st_uid)) return others_own;
    if (passed && (s.st_mode & S_ISVTX)) return NULL;
    return s.st_mode & (S_IWGRP | S_IWOTH) ? others_write : NULL;
}

/* What is still to be gone through, and how much of it a link may stand in. */
typedef struct way {
    int at;              /* the folder that was come to */
    size_t made, strict; /* of the last folders: so many are made, so many are no links */
    char rest[PATH_MAX];
} way;

static bool go_to(way *w, int folder) {
    if (folder < 0) return false;
    if (w->at >= 0) close(w->at);
    w->at = folder;
    return true;
}

/* Takes the first name off `rest`; an empty one at its end. */
static void next_name(way *w, char name[NAME_MAX + 1]) {
    const char *from = w->rest + strspn(w->rest, "/");
    size_t length = strcspn(from, "/");
    if (length > NAME_MAX) length = NAME_MAX; /* the system refuses what is longer; this it will not find */
    memcpy(name, from, length);
    name[length] = 0;
    from += strcspn(from, "/");
    memmove(w->rest, from, strlen(from) + 1);
}

static size_t names_in(const char *path) {
    size_t names = 0;
    for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
        names++;
        path += strcspn(path, "/");
    }
    return names;
}

/* Puts what a link of root's says before the rest. */
static bool follow(way *w, const char *name) {
    char path[PATH_MAX];
    struct stat s;
    const int link = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (link < 0) return false;
    const bool roots = !fstat(link, &s) && S_ISLNK(s.st_mode) && s.st_uid == 0;
    const ssize_t length = roots ? readlinkat(link, "", path, sizeof path) : -1;
    close(link);
    if (length <= 0 || (size_t)length >= sizeof path) return false;
    const size_t room = sizeof path - (size_t)length;
    if (snprintf(path + length, room, "/%s", w->rest) >= (int)room) return false;
    memcpy(w->rest, path, strlen(path) + 1);
    return *w->rest != '/' || go_to(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static int open_next(way *w, const char *name, bool make) {
    enum { FLAGS = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    const int folder = openat(w->at, name, FLAGS);
    if (folder >= 0 || errno != ENOENT || !make || (mkdirat(w->at, name, 0700) && errno != EEXIST)) return folder;
    return openat(w->at, name, FLAGS);
}

/* One folder further, or through a link. NULL, or what is wrong. */
static const char *step(way *w, int *links) {
    char name[NAME_MAX + 1];
    const char *wrong = folder_distrusted(w->at, true);
    if (wrong) return wrong;
    next_name(w, name);
    const size_t behind = names_in(w->rest);
    if (go_to(w, open_next(w, name, behind < w->made))) return NULL;
    if (errno != ENOTDIR && errno != ELOOP) return strerror(errno);
    if (behind < w->strict) return "it is a link, or not a folder";
    return ++*links <= LINKS_MOST && follow(w, name) ? NULL : "it is a link that is not root's, or not a folder";
}

/* The way's end, as a folder that is open to readdir. */
static int end(const way *w, const char **wrong) {
    *wrong = folder_distrusted(w->at, false);
    if (*wrong) return -1;
    const int folder = openat(w->at, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) *wrong = strerror(errno);
    return folder;
}

int ww__folder_open(const char *path, const char *below, const char **wrong) {
    way w = {.at = -1};
    int links = 0, folder = -1;
    const size_t own = names_in(below);
    w.made = own ? own : 1;
    w.strict = own + 1;
    *wrong = "it is not an absolute path, or too long";
    if (*path == '/' && snprintf(w.rest, sizeof w.rest, "%s/%s", path, below) < (int)sizeof w.rest)
        *wrong = go_to(&w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) ? NULL : strerror(errno);
    while (!*wrong && names_in(w.rest)) *wrong = step(&w, &links);
    if (!*wrong) folder = end(&w, wrong);
    if (w.at >= 0) close(w.at);
    return folder;
}

const char *ww__path_distrusted(const char *path, char *real) {
    const char *wrong = NULL;
    if (!realpath(path, real)) return strerror(errno);
    char *name = strrchr(real, '/');
    *name = 0;
    const int folder = ww__folder_open(*real ? real : "/", ".", &wrong);
    *name = '/';
    if (folder < 0) return wrong;
    const int file = openat(folder, name + 1, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    wrong = file < 0 ? strerror(errno) : ww__file_distrusted(file, geteuid());
    if (file >= 0) close(file);
    close(folder);
    return wrong;
}

/* The file that a line of /proc/self/maps says `address` is from: "5581a0-5581b0 r--p 00000000 fe:00 1234   /usr/bin/first". */
static char *mapped_file(char *line, uintptr_t address) {
    char *end;
    const uintmax_t first = strtoumax(line, &end, 16), past = *end == '-' ? strtoumax(end + 1, &end, 16) : 0;
    if (address < first || address >= past) return NULL;
    end[strcspn(end, "\n")] = 0;
    return strchr(end, '/');
}

bool ww__beside(const char *name, char *path, size_t room, uid_t *owner) {
    static const char here[] = "code of this library";
    size_t size = 0;
    char *line = NULL, *file = NULL;
    struct stat s;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return false;
    while (!file && getline(&line, &size, maps) > 0) file = mapped_file(line, (uintptr_t)here);
    fclose(maps);
    const bool found = file && !stat(file, &s);
    if (found) {
        *owner = s.st_uid;
        strrchr(file, '/')[1] = 0;
    }
    const int length = found ? snprintf(path, room, "%s%s", file, name) : -1;
    free(line);
    return length > 0 && (size_t)length < room;
}
