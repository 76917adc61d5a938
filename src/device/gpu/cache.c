/* A file holds: a head (magic, lengths, a sum over all that follows), the name of what made it, the source, the code. It is named
 * by a hash of maker and source, but it counts only when both are equal to what is asked for, byte for byte, and the sum
 * is right: a file that is cut short or changed is as good as none, and is written anew.
 *
 * Written to a name of its own first and then renamed, so that two processes never see half a file. The folder must be the
 * user's own and writable by no one else: code from it is run. When the files together are larger than a bound, the ones
 * not used for longest go first. */
#include "device/gpu/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME = 16 + 5 }; /* 16 digits and ".code" */
static const uint64_t magic = 0x31657369777072ff, folder_most = 256 << 20;

typedef struct head {
    uint64_t magic, maker_bytes, source_bytes, code_bytes, sum;
} head;

/* FNV-1a, to name files and to notice damage; not against malice, which the folder's owner is trusted with. */
static uint64_t hash(uint64_t h, const void *data, size_t bytes) {
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3;
    return h;
}
static const uint64_t hash_begin = 0xcbf29ce484222325;

static bool private_folder(const char *path) {
    struct stat s;
    if (mkdir(path, 0700) && errno != EEXIST) return false;
    return !stat(path, &s) && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder, made if it is missing. */
static bool find_folder(char *path, size_t room) {
    const char *named = getenv("WARPWISE_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (named && !strcmp(named, "off")) return false;
    if (named && *named) {
        length = snprintf(path, room, "%s", named);
    } else if (xdg && *xdg == '/') {
        length = snprintf(path, room, "%s/warpwise", xdg);
    } else if (home && *home == '/') {
        length = snprintf(path, room, "%s/.cache", home);
        if (length > 0 && (size_t)length < room) mkdir(path, 0700);
        length = snprintf(path, room, "%s/.cache/warpwise", home);
    } else {
        return false;
    }
    return length > 0 && (size_t)length < room && private_folder(path);
}

static bool file_path(const char *maker, const char *source, char *path, size_t room) {
    char folder[3072];
    if (!find_folder(folder, sizeof folder)) return false;
    const uint64_t h = hash(hash(hash_begin, maker, strlen(maker) + 1), source, strlen(source));
    return snprintf(path, room, "%s/%016" PRIx64 ".code", folder, h) < (int)room;
}

static bool read_all(int file, void *to, size_t bytes) {
    for (unsigned char *p = to; bytes;) {
        const ssize_t got = read(file, p, bytes);
        if (got <= 0) return false;
        p += got;
        bytes -= (size_t)got;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t bytes) {
    for (const unsigned char *p = from; bytes;) {
        const ssize_t put = write(file, p, bytes);
        if (put <= 0) return false;
        p += put;
        bytes -= (size_t)put;
    }
    return true;
}

/* What stands behind the head, if the head says what is asked for and the file is as long as it says. */
static unsigned char *read_body(int file, const head *wanted, head *found) {
    struct stat s;
    if (!read_all(file, found, sizeof *found) || found->magic != magic || fstat(file, &s)) return NULL;
    if (found->maker_bytes != wanted->maker_bytes || found->source_bytes != wanted->source_bytes) return NULL;
    const uint64_t before = sizeof *found + found->maker_bytes + found->source_bytes;
    if ((uint64_t)s.st_size < before || found->code_bytes != (uint64_t)s.st_size - before || !found->code_bytes) return NULL;
    const size_t bytes = (size_t)s.st_size - sizeof *found;
    unsigned char *body = malloc(bytes);
    if (body && read_all(file, body, bytes) && hash(hash_begin, body, bytes) == found->sum) return body;
    free(body);
    return NULL;
}

bool ww__cache_find(const char *maker, const char *source, ww__code *code) {
    char path[4096];
    const head wanted = {magic, strlen(maker), strlen(source), 0, 0};
    head found;
    if (!file_path(maker, source, path, sizeof path)) return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return false;
    unsigned char *body = read_body(file, &wanted, &found);
    const bool same = body && !memcmp(body, maker, wanted.maker_bytes) &&
                      !memcmp(body + wanted.maker_bytes, source, wanted.source_bytes);
    code->bytes = same ? malloc(found.code_bytes) : NULL;
    if (code->bytes) {
        code->size = found.code_bytes;
        memcpy(code->bytes, body + wanted.maker_bytes + wanted.source_bytes, code->size);
        futimens(file, NULL); /* used now: the last to go */
    }
    free(body);
    close(file);
    return code->bytes != NULL;
}

/* Removes the file that was used longest ago; false when there is none, or all are small enough together. */
static bool remove_oldest(const char *folder) {
    char path[4096], oldest[4096] = "";
    uint64_t all = 0;
    struct timespec least = {0, 0};
    DIR *files = opendir(folder);
    if (!files) return false;
    for (struct dirent *entry; (entry = readdir(files));) {
        struct stat s;
        if (strlen(entry->d_name) != NAME || strcmp(entry->d_name + 16, ".code")) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path || stat(path, &s)) continue;
        all += (uint64_t)s.st_size;
        if (*oldest && (s.st_mtim.tv_sec > least.tv_sec ||
                        (s.st_mtim.tv_sec == least.tv_sec && s.st_mtim.tv_nsec >= least.tv_nsec)))
            continue;
        least = s.st_mtim;
        memcpy(oldest, path, sizeof oldest);
    }
    closedir(files);
    return all > folder_most && *oldest && !unlink(oldest);
}

void ww__cache_keep(const char *maker, const char *source, const ww__code *code) {
    char path[4096], draft[4096 + 32];
    if (!file_path(maker, source, path, sizeof path)) return;
    snprintf(draft, sizeof draft, "%s.%ld.draft", path, (long)getpid());
    head h = {magic, strlen(maker), strlen(source), code->size, 0};
    h.sum = hash(hash(hash(hash_begin, maker, h.maker_bytes), source, h.source_bytes), code->bytes, code->size);
    const int file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return;
    const bool whole = write_all(file, &h, sizeof h) && write_all(file, maker, h.maker_bytes) &&
                       write_all(file, source, h.source_bytes) && write_all(file, code->bytes, code->size);
    if (close(file) || !whole || rename(draft, path)) {
        unlink(draft);
        return;
    }
    *strrchr(path, '/') = 0;
    while (remove_oldest(path)) {}
}
