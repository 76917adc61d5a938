/* Temporary files are called .warpwise-HASH-NUMBER.tmp, where the hash is the final name's and the number below
 * WW__TEMPORARY_NAMES: so the next to write the same file knows where to look, without reading the folder, which may be large.
 * Each is locked (flock) by the process that writes it, for as long as it lives: one whose lock can be had is left over,
 * and is removed. Where all numbers are taken, by as many processes that write one file at once or by somebody who wants to be
 * in the way, the number is a random one, and what is left under that nobody looks for.
 *
 * Between the making of a file and its locking another process may find it, lock it and remove it. The maker then gets no lock,
 * or the lock of a file without a name; it takes another. Where the system has no locks nothing is removed. */
#include "file/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

/* FNV-1a. */
static uint64_t hash_of(const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

void ww__temporary_name(const char *name, unsigned number, char temporary[WW__TEMPORARY_NAME_BYTES]) {
    snprintf(temporary, WW__TEMPORARY_NAME_BYTES, ".warpwise-%016" PRIx64 "-%u.tmp", hash_of(name), number);
}

static void random_name(const char *name, char temporary[WW__TEMPORARY_NAME_BYTES]) {
    uint64_t random;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        random = (uint64_t)now.tv_nsec << 32 | (uint32_t)getpid();
    }
    snprintf(temporary, WW__TEMPORARY_NAME_BYTES, ".warpwise-%016" PRIx64 "-%016" PRIx64 ".tmp", hash_of(name), random);
}

static void remove_if_left_over(int folder, const char *temporary) {
    enum { FLAGS = O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC };
    struct stat opened, named;
    int fd = openat(folder, temporary, O_RDONLY | FLAGS);
    if (fd < 0 && errno == EACCES) fd = openat(folder, temporary, O_WRONLY | FLAGS);
    if (fd < 0) return;
    /* Only the process that holds the lock of what has the name now may remove it. */
    if (fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder, temporary, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_dev == opened.st_dev &&
        named.st_ino == opened.st_ino) {
        unlinkat(folder, temporary, 0);
    }
    close(fd);
}

/* Another process holds the lock, or has removed the file, to which we then have no right any more. */
static bool is_taken(int fd) {
    struct stat status;
    if (flock(fd, LOCK_EX | LOCK_NB)) return errno == EWOULDBLOCK;
    return fstat(fd, &status) == 0 && status.st_nlink == 0;
}

/* The new file's descriptor, -1 with errno, EEXIST where another name is to be tried. */
static int make(int folder, const char *temporary, mode_t mode) {
    int fd;
    do {
        fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) return -1;
    fd = ww__above_standard(fd);
    if (fd < 0) {
        const int problem = errno;
        unlinkat(folder, temporary, 0);
        errno = problem;
        return -1;
    }
    if (!is_taken(fd)) return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

static void remove_left_over(int folder, const char *name) {
    char temporary[WW__TEMPORARY_NAME_BYTES];
    for (unsigned i = 0; i < WW__TEMPORARY_NAMES; i++) {
        ww__temporary_name(name, i, temporary);
        remove_if_left_over(folder, temporary);
    }
}

static void nth_name(const char *name, unsigned attempt, char temporary[WW__TEMPORARY_NAME_BYTES]) {
    if (attempt < WW__TEMPORARY_NAMES)
        ww__temporary_name(name, attempt, temporary);
    else
        random_name(name, temporary);
}

static ww_status fail(const ww__transfer *t, char temporary[WW__TEMPORARY_NAME_BYTES]) {
    const int problem = errno;
    temporary[0] = '\0';
    return ww__fail(t->device, WW_FILE, "%.150s: no file can be made in its folder: %s", t->name, strerror(problem));
}

ww_status ww__temporary_open(const ww__transfer *t, int folder, const char *name, mode_t mode,
                             char temporary[WW__TEMPORARY_NAME_BYTES], int *fd) {
    remove_left_over(folder, name);
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        nth_name(name, i, temporary);
        *fd = make(folder, temporary, mode);
        if (*fd >= 0) return WW_OK;
        if (errno != EEXIST) break;
    }
    return fail(t, temporary);
}

/* Its name in *temporary; false, with errno. */
static bool link_file(int folder, const char *name, int fd, char temporary[WW__TEMPORARY_NAME_BYTES]) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        nth_name(name, i, temporary);
        if (linkat(AT_FDCWD, path, folder, temporary, AT_SYMLINK_FOLLOW) == 0) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

bool ww__temporary_can_link(int folder, const char *name) {
    char temporary[WW__TEMPORARY_NAME_BYTES];
    const int fd = ww__above_standard(openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
    const bool linked = fd >= 0 && link_file(folder, name, fd, temporary);
    if (linked) unlinkat(folder, temporary, 0);
    if (fd >= 0) close(fd);
    return linked;
}

ww_status ww__temporary_link(const ww__transfer *t, int folder, const char *name, int fd,
                             char temporary[WW__TEMPORARY_NAME_BYTES]) {
    remove_left_over(folder, name);
    flock(fd, LOCK_EX | LOCK_NB); /* nobody else knows the file yet */
    return link_file(folder, name, fd, temporary) ? WW_OK : fail(t, temporary);
}
