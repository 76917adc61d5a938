/* Loaded before the C library by tests of the command: calls of the system that fail for one file, as worn disks and full
 * ones of other machines let them fail.
 *
 *     FAILING='read 5 u32.bin 2 1'     of the reads of files whose names have "u32.bin" in them the first 2 go well, the next 1
 *                                      fails with errno 5
 *     FAILING='write 0 .tmp 0 99'      errno 0: they go well, and move 3 bytes at most
 *     FAILING='rename -15 * 0 1'       below 0: signal 15 comes before the call, which goes well; of any file
 *     FAILING='…; …'                   both
 *
 * Calls: open, read (and pread), write, pwrite, close (which closes, too), rename (of the new name), exchange (renames that exchange two
 * names), link, fsync, fdatasync, fchmod, fchown, flock. Where FAILED_CALL names a file the first call that was touched is written to it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where PEAK names a file, the process's largest resident memory is written to it at the end, in KiB: of the program alone, where
 * getrusage counts what was there before it was started. And which part of it, at the end, is pages of files, as the library's. */
__attribute__((destructor)) static void tell_peak(void) {
    const char *const to = getenv("PEAK");
    char line[256];
    FILE *const status = to ? fopen("/proc/self/status", "r") : NULL;
    FILE *const peak = status ? fopen(to, "w") : NULL;
    while (peak && fgets(line, sizeof line, status))
        if (strncmp(line, "VmHWM:", 6) == 0 || strncmp(line, "RssFile:", 8) == 0)
            fprintf(peak, "%ld\n", strtol(strchr(line, ':') + 1, NULL, 10));
    if (peak) fclose(peak);
    if (status) fclose(status);
}

/* What the C library's headers make of these. */
ssize_t pread64(int fd, void *to, size_t bytes, off_t at);
ssize_t pwrite64(int fd, const void *from, size_t bytes, off_t at);
int open64(const char *path, int flags, ...);
int openat64(int folder, const char *path, int flags, ...);
int __open_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

enum { SHORT = 3, RULES = 4 };

/* The path's last part has the name in it. */
static bool is_named(const char *path, const char *name) {
    const char *last = strrchr(path, '/');
    return strcmp(name, "*") == 0 || strstr(last ? last + 1 : path, name) != NULL;
}

static void note(const char *call, const char *path) {
    char line[5000];
    const char *const to = getenv("FAILED_CALL");
    const long fd = to ? syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_EXCL, 0600) : -1;
    if (fd < 0) return;
    const int length = snprintf(line, sizeof line, "%s of %s", call, path);
    if (length > 0) syscall(SYS_write, fd, line, (size_t)length);
    syscall(SYS_close, fd);
}

static int failure_by(const char *rule, int *calls, const char *call, const char *path) {
    char which[16], name[64];
    int number, well, fail;
    if (sscanf(rule, "%15s %d %63s %d %d", which, &number, name, &well, &fail) != 5) return -1;
    if (strcmp(which, call) || !is_named(path, name)) return -1;
    const int before = __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
    if (before < well || before >= well + fail) return -1;
    note(call, path);
    if (number < 0) raise(-number);
    return number < 0 ? -1 : number;
}

/* -1: this call goes well; else the errno that it fails with, 0 where it is cut short. */
static int failure(const char *call, const char *path) {
    static int calls[RULES];
    const int kept = errno;
    int number = -1, i = 0;
    for (const char *rule = getenv("FAILING"); rule && i < RULES && number < 0; i++) {
        number = failure_by(rule, &calls[i], call, path);
        rule = strchr(rule, ';');
        if (rule) rule++;
    }
    errno = kept;
    return number;
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

/* Whether the call is to be made; else errno is set. */
static bool goes_well(int number) {
    if (number > 0) errno = number;
    return number <= 0;
}

/* The same, with the number of bytes to move. */
static bool goes_on(const char *call, int fd, size_t *bytes) {
    const int number = failure_of(call, fd);
    if (!number && *bytes > SHORT) *bytes = SHORT;
    return goes_well(number);
}

/* ---- open ---- */

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    if (!goes_well(failure("open", path))) return -1;
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE(flags) \
    mode_t mode = 0; \
    if (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return open_at(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return open_at(folder, path, flags, mode);
}

int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }
int __openat64_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }

/* ---- with a descriptor ---- */

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

ssize_t pwrite64(int fd, const void *from, size_t bytes, off_t at) {
    return goes_on("pwrite", fd, &bytes) ? syscall(SYS_pwrite64, fd, from, bytes, at) : -1;
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at) { return pwrite64(fd, from, bytes, at); }

int close(int fd) {
    const int number = failure_of("close", fd);
    const long closed = syscall(SYS_close, fd);
    return goes_well(number) ? (int)closed : -1;
}

int fsync(int fd) { return goes_well(failure_of("fsync", fd)) ? (int)syscall(SYS_fsync, fd) : -1; }

int fdatasync(int fd) { return goes_well(failure_of("fdatasync", fd)) ? (int)syscall(SYS_fdatasync, fd) : -1; }

int fchmod(int fd, mode_t mode) {
    return goes_well(failure_of("fchmod", fd)) ? (int)syscall(SYS_fchmod, fd, mode) : -1;
}

int fchown(int fd, uid_t owner, gid_t group) {
    return goes_well(failure_of("fchown", fd)) ? (int)syscall(SYS_fchown, fd, owner, group) : -1;
}

int flock(int fd, int what) { return goes_well(failure_of("flock", fd)) ? (int)syscall(SYS_flock, fd, what) : -1; }

/* ---- with names ---- */

int renameat2(int from_folder, const char *from, int folder, const char *to, unsigned flags) {
    if (!goes_well(failure("rename", to))) return -1;
    if (flags && !goes_well(failure("exchange", to))) return -1;
    return (int)syscall(SYS_renameat2, from_folder, from, folder, to, flags);
}

int renameat(int from_folder, const char *from, int folder, const char *to) {
    return renameat2(from_folder, from, folder, to, 0);
}

int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

int linkat(int from_folder, const char *from, int folder, const char *to, int flags) {
    return goes_well(failure("link", to)) ? (int)syscall(SYS_linkat, from_folder, from, folder, to, flags) : -1;
}
