/* Loaded before the C library by tests of the command: calls of the system that fail for one file, as worn disks and full
 * ones of other machines let them fail.
 *
 *     FAILING='read 5 u32.bin 2 1'     of the reads of files whose names have "u32.bin" in them the first 2 go well, the next 1
 *                                      fails with errno 5
 *     FAILING='write 0 .tmp 0 99'      errno 0: they go well, and move 3 bytes at most
 *
 * Calls: read (and pread), write, close (which closes, too), rename (of the new name). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t pread64(int fd, void *to, size_t bytes, off_t at);

enum { SHORT = 3 };

/* The path's last part has the name in it. */
static bool is_named(const char *path, const char *name) {
    const char *last = strrchr(path, '/');
    return strstr(last ? last + 1 : path, name) != NULL;
}

/* -1: this call goes well; else the errno that it fails with, 0 where it is cut short. */
static int failure(const char *call, const char *path) {
    static int calls;
    char which[16], name[64];
    int number, well, fail;
    const char *const asked = getenv("FAILING");
    if (!asked || sscanf(asked, "%15s %d %63s %d %d", which, &number, name, &well, &fail) != 5) return -1;
    if (strcmp(which, call) || !is_named(path, name)) return -1;
    const int before = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return before < well || before >= well + fail ? -1 : number;
}

static int failure_of(const char *call, int fd) {
    char link[64], path[4096];
    const int kept = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    errno = kept;
    if (length < 0) return -1;
    path[length] = '\0';
    return failure(call, path);
}

/* The number of bytes to move; 0 with errno where the call is to fail. */
static bool goes_on(const char *call, int fd, size_t *bytes) {
    const int number = failure_of(call, fd);
    if (!number && *bytes > SHORT) *bytes = SHORT;
    if (number > 0) errno = number;
    return number <= 0;
}

ssize_t read(int fd, void *to, size_t bytes) {
    return goes_on("read", fd, &bytes) ? syscall(SYS_read, fd, to, bytes) : -1;
}

ssize_t pread64(int fd, void *to, size_t bytes, off_t at) {
    return goes_on("read", fd, &bytes) ? syscall(SYS_pread64, fd, to, bytes, at) : -1;
}

ssize_t pread(int fd, void *to, size_t bytes, off_t at) { return pread64(fd, to, bytes, at); }

ssize_t write(int fd, const void *from, size_t bytes) {
    return goes_on("write", fd, &bytes) ? syscall(SYS_write, fd, from, bytes) : -1;
}

int close(int fd) {
    const int number = failure_of("close", fd);
    const long closed = syscall(SYS_close, fd);
    if (number > 0) errno = number;
    return number > 0 ? -1 : (int)closed;
}

int rename(const char *from, const char *to) {
    const int number = failure("rename", to);
    if (number > 0) errno = number;
    return number > 0 ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
