/* Reading bytes from a file descriptor or from memory through one function, a few MiB at a time, so that the caller can
 * be told how far it is and can stop it. */
#include "file/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 8 << 20 };

ww_status ww__transfer_tell(ww__transfer *t) {
    if (!t->options || !t->options->progress) return WW_OK;
    if (t->options->progress(t->options->context, t->path, t->done, t->total)) return WW_OK;
    return ww__fail(t->device, WW_FILE, "%.200s: stopped after %llu bytes", t->name, (unsigned long long)t->done);
}

ww_status ww__transfer_again(ww__transfer *t, int fd, short events, bool *again) {
    struct pollfd ready = {.fd = fd, .events = events};
    *again = errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    if (!*again) return WW_OK;
    if (errno != EINTR) poll(&ready, 1, -1); /* whatever it says: the call is made again, and says it better */
    return ww__transfer_tell(t);
}

int ww__above_standard(int fd) {
    if (fd < 0 || fd > STDERR_FILENO) return fd;
    const int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), problem = errno;
    close(fd);
    errno = problem;
    return above;
}

ww_status ww__transfer_open(ww__transfer *t, const char *path, int flags, int *fd) {
    while ((*fd = open(path, flags | O_CLOEXEC)) < 0 && errno == EINTR) WW_TRY(ww__transfer_tell(t));
    *fd = ww__above_standard(*fd);
    return WW_OK;
}

ww_status ww__source_open(ww_device *device, const char *path, const ww_file_options *options, ww__source *source) {
    const bool standard = strcmp(path, "-") == 0;
    struct stat *const status = &source->status;
    memset(source, 0, sizeof *source);
    source->transfer = (ww__transfer){device, path, standard ? "standard input" : path, options, 0, 0};
    source->fd = STDIN_FILENO;
    source->own = !standard;
    if (!standard) WW_TRY(ww__transfer_open(&source->transfer, path, O_RDONLY, &source->fd));
    if (source->fd < 0 || fstat(source->fd, status)) {
        const int problem = errno;
        ww__source_close(source);
        return ww__fail(device, WW_FILE, "%.200s: cannot be opened: %s", source->transfer.name, strerror(problem));
    }
    if (S_ISDIR(status->st_mode)) {
        ww__source_close(source);
        return ww__fail(device, WW_FILE, "%.200s: is a folder, not a file", source->transfer.name);
    }
    /* The system's own files (/proc) say 0 and have bytes all the same. */
    const off_t at = S_ISREG(status->st_mode) && status->st_size > 0 ? lseek(source->fd, 0, SEEK_CUR) : -1;
    if (at >= 0 && at <= status->st_size) {
        source->sized = true;
        source->transfer.total = (uint64_t)(status->st_size - at);
#ifdef POSIX_FADV_SEQUENTIAL
        posix_fadvise(source->fd, at, 0, POSIX_FADV_SEQUENTIAL);
#endif
    }
    return WW_OK;
}

void ww__source_memory(ww_device *device, const char *name, const void *bytes, size_t length, ww__source *source) {
    memset(source, 0, sizeof *source);
    source->transfer = (ww__transfer){device, name, name, NULL, 0, length};
    source->fd = -1;
    source->memory = bytes;
    source->sized = true;
}

void ww__source_close(ww__source *source) {
    if (source->fd >= 0 && source->own) close(source->fd);
    source->fd = -1;
}

bool ww__source_changed(const ww__source *source) {
    struct stat now;
    const struct stat *then = &source->status;
    if (source->fd < 0 || fstat(source->fd, &now)) return false;
    return now.st_size < then->st_size || now.st_ctim.tv_sec != then->st_ctim.tv_sec ||
           now.st_ctim.tv_nsec != then->st_ctim.tv_nsec;
}

uint64_t ww__source_left(const ww__source *source) {
    if (!source->sized) return UINT64_MAX;
    const uint64_t total = source->transfer.total, taken = source->transfer.done - source->peeks;
    return total > taken ? total - taken : 0;
}

static ww_status read_memory(ww__source *source, void *to, size_t bytes, size_t *got) {
    const uint64_t left = source->transfer.total - source->transfer.done;
    *got = (size_t)ww__min_u64(bytes, left);
    if (*got) memcpy(to, source->memory + source->transfer.done, *got);
    source->transfer.done += *got;
    return WW_OK;
}

static ww_status read_file(ww__source *source, unsigned char *to, size_t bytes, size_t *got) {
    ww__transfer *t = &source->transfer;
    *got = 0;
    while (*got < bytes) {
        WW_TRY(ww__transfer_tell(t));
        const ssize_t n = read(source->fd, to + *got, ww__min_u64(bytes - *got, PIECE));
        if (n < 0) {
            const int problem = errno;
            bool again;
            WW_TRY(ww__transfer_again(t, source->fd, POLLIN, &again));
            if (again) continue;
            return ww__fail(t->device, WW_FILE, "%.200s: cannot be read at byte %llu: %s", t->name,
                            (unsigned long long)t->done, strerror(problem));
        }
        if (n == 0) break;
        *got += (size_t)n;
        t->done += (uint64_t)n;
    }
    return WW_OK;
}

ww_status ww__source_read(ww__source *source, void *to, size_t bytes, size_t *got) {
    const size_t ahead = (size_t)ww__min_u64(source->peeks, bytes);
    if (ahead) {
        memcpy(to, source->peeked, ahead);
        memmove(source->peeked, source->peeked + ahead, source->peeks - ahead);
        source->peeks -= ahead;
    }
    *got = 0;
    if (bytes > ahead) {
        unsigned char *rest = (unsigned char *)to + ahead;
        WW_TRY(source->fd < 0 ? read_memory(source, rest, bytes - ahead, got)
                              : read_file(source, rest, bytes - ahead, got));
    }
    *got += ahead;
    return WW_OK;
}

ww_status ww__source_peek(ww__source *source, size_t bytes) {
    size_t got;
    WW_TRY(ww__source_read(source, source->peeked, bytes, &got));
    source->peeks = got;
    return WW_OK;
}
