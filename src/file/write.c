/* Writing arrays. Every output is first written whole under a temporary name in its target's folder (or directly, where
 * the target is no regular file); only when all are written are they renamed, one after another. Whatever fails before
 * that, the temporary files are removed and no target has changed. */
#include "warpwise/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device/check.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "file/npy.h"
#include "file/source.h"

enum { PIECE = 8 << 20, ATTEMPTS = 100 };

typedef struct target {
    ww__transfer transfer;
    int fd;
    char place[PATH_MAX];     /* where the file is to be, links followed */
    char temporary[PATH_MAX]; /* "" where it is written directly */
} target;

/* ---- opening ---- */

static ww_status fail_with(const target *to, const char *what) {
    return ww__fail(to->transfer.device, WW_FILE, "%.200s: %s: %s", to->transfer.name, what, strerror(errno));
}

/* Links are followed, so that the file that a link names is replaced and not the link. */
static ww_status find_place(target *to, mode_t *mode, bool *regular) {
    ww_device *device = to->transfer.device;
    struct stat status;
    *regular = true;
    *mode = 0;
    if (stat(to->transfer.path, &status) == 0) {
        if (!realpath(to->transfer.path, to->place)) return fail_with(to, "its place cannot be found");
        *regular = S_ISREG(status.st_mode);
        *mode = status.st_mode & 07777;
        WW_CHECK(device, !S_ISDIR(status.st_mode), WW_FILE, "%.200s: is a folder, not a file", to->transfer.name);
        if (faccessat(AT_FDCWD, to->place, W_OK, AT_EACCESS)) return fail_with(to, "may not be written");
        return WW_OK;
    }
    const int problem = errno;
    WW_CHECK(device, lstat(to->transfer.path, &status) != 0, WW_FILE, "%.200s: is a link to nothing: %s",
             to->transfer.name, strerror(problem));
    errno = problem;
    if (problem != ENOENT) return fail_with(to, "cannot be written");
    WW_CHECK(device, *to->transfer.path, WW_FILE, "the name of a file to write is empty");
    WW_CHECK(device, strlen(to->transfer.path) < sizeof to->place, WW_FILE, "%.200s: is too long a name",
             to->transfer.name);
    strcpy(to->place, to->transfer.path);
    return WW_OK;
}

static ww_status open_temporary(target *to, mode_t mode) {
    const char *slash = strrchr(to->place, '/');
    const int folder = slash ? (int)(slash - to->place) + 1 : 0;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const int length = snprintf(to->temporary, sizeof to->temporary, "%.*s.warpwise-%ld-%09ld-%d.tmp", folder,
                                    to->place, (long)getpid(), (long)now.tv_nsec, attempt);
        if (length < 0 || (size_t)length >= sizeof to->temporary) {
            errno = ENAMETOOLONG;
            break;
        }
        to->fd = open(to->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (to->fd >= 0) {
            if (mode && fchmod(to->fd, mode)) return fail_with(to, "cannot have the old file's permissions");
            return WW_OK;
        }
        if (errno != EEXIST) break;
    }
    to->temporary[0] = '\0';
    const int problem = errno;
    return ww__fail(to->transfer.device, WW_FILE, "%.150s: no file can be made in the folder %.150s: %s",
                    to->transfer.name, folder ? (to->place[folder] = '\0', to->place) : ".", strerror(problem));
}

static ww_status open_target(target *to) {
    mode_t mode;
    bool regular;
    if (strcmp(to->transfer.path, "-") == 0) {
        to->fd = STDOUT_FILENO;
        return WW_OK;
    }
    WW_TRY(find_place(to, &mode, &regular));
    if (regular) return open_temporary(to, mode);
    to->fd = open(to->place, O_WRONLY | O_CLOEXEC);
    return to->fd < 0 ? fail_with(to, "cannot be opened for writing") : WW_OK;
}

/* ---- writing ---- */

static ww_status write_bytes(target *to, const void *from, uint64_t bytes) {
    ww__transfer *t = &to->transfer;
    for (uint64_t at = 0; at < bytes;) {
        WW_TRY(ww__transfer_tell(t));
        const ssize_t n = write(to->fd, (const unsigned char *)from + at, (size_t)ww__min_u64(bytes - at, PIECE));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = ENOSPC;
            const int problem = errno;
            return ww__fail(t->device, WW_FILE, "%.200s: cannot be written after %llu of %llu bytes: %s", t->name,
                            (unsigned long long)t->done, (unsigned long long)t->total, strerror(problem));
        }
        at += (uint64_t)n;
        t->done += (uint64_t)n;
    }
    return WW_OK;
}

static ww_status write_array(target *to, const ww_array *array) {
    char header[WW__NPY_WRITTEN_BYTES];
    const char *path = to->transfer.path;
    const size_t length = strlen(path);
    const uint64_t bytes = array->count * array->size;
    const size_t header_bytes = length >= 4 && strcmp(path + length - 4, ".npy") == 0 ? ww__npy_header(array, header)
                                                                                      : 0;
    to->transfer.total = bytes + header_bytes;
    WW_TRY(write_bytes(to, header, header_bytes));
    WW_TRY(write_bytes(to, array->data, bytes));
    return ww__transfer_tell(&to->transfer);
}

/* close says what the system could only find out late (a full disk of another machine). */
static ww_status close_target(target *to) {
    const int fd = to->fd;
    to->fd = -1;
    if (fd > STDERR_FILENO && close(fd)) return fail_with(to, "cannot be written to its end");
    return WW_OK;
}

static ww_status rename_target(target *to) {
    if (!to->temporary[0]) return WW_OK;
    if (rename(to->temporary, to->place)) return fail_with(to, "the finished file cannot be renamed to it");
    to->temporary[0] = '\0';
    return WW_OK;
}

static void drop_target(target *to) {
    if (to->fd > STDERR_FILENO) close(to->fd);
    if (to->temporary[0]) unlink(to->temporary);
}

/* ---- the public functions ---- */

static ww_status write_targets(target *targets, const ww_file_output *outputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        WW_TRY(open_target(&targets[i]));
        WW_TRY(write_array(&targets[i], &outputs[i].array));
        WW_TRY(close_target(&targets[i]));
    }
    for (size_t i = 0; i < count; i++) WW_TRY(rename_target(&targets[i]));
    return WW_OK;
}

static ww_status write_outputs(ww_device *device, const ww_file_output *outputs, size_t count,
                               const ww_file_options *options) {
    WW_CHECK(device, outputs || count == 0, WW_INVALID, "outputs is NULL");
    ww_file_options o;
    WW_TRY(ww__take_options(device, options, "WW_FILE_OPTIONS", &o, sizeof o));
    target *targets;
    size_t bytes;
    if (!ww__bytes(count, sizeof *targets, &bytes)) return ww__no_memory(device, SIZE_MAX);
    WW_TRY(ww__host_scratch(device, bytes, &targets));
    for (size_t i = 0; i < count; i++) {
        const char *path = outputs[i].path;
        WW_CHECK(device, path, WW_INVALID, "path is NULL");
        WW_TRY(ww__check_any_array(device, "array", &outputs[i].array));
        WW_TRY(ww__gpu_host_reads(device, "array", &outputs[i].array));
        targets[i].transfer = (ww__transfer){device, path, strcmp(path, "-") ? path : "standard output", &o, 0, 0};
        targets[i].fd = -1;
        targets[i].temporary[0] = '\0';
    }
    const ww_status status = write_targets(targets, outputs, count);
    for (size_t i = 0; i < count; i++) drop_target(&targets[i]);
    return status;
}

ww_status ww_file_write(ww_device *device, const char *path, ww_array array) {
    const ww_file_output output = {path, array};
    const ww_status status = ww__enter(device, "ww_file_write");
    return status ? status : ww__leave(device, write_outputs(device, &output, 1, NULL));
}

ww_status ww_file_write_all(ww_device *device, const ww_file_output *outputs, size_t count,
                            const ww_file_options *options) {
    const ww_status status = ww__enter(device, "ww_file_write_all");
    return status ? status : ww__leave(device, write_outputs(device, outputs, count, options));
}
