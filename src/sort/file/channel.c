/* Writes go past the page cache where they are aligned and the file system lets them: a copy of every byte and the making of its
 * page are saved, which is most of the time that one core spends on writing, and what others have in the cache stays there. The
 * file's last bytes, and what a short write leaves unaligned, go through the cache.
 *
 * Pipes and terminals may wait for ever: they are polled, so that a caller can stop, and get no more at a time than a pipe that
 * is ready takes without waiting. */
#include "sort/file/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "file/file.h"

enum { LOOK_MS = 100 };

void ww__channel_open_direct(ww__channel *c) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", c->fd);
    c->direct = ww__above_standard(open(path, O_WRONLY | O_DIRECT | O_CLOEXEC));
}

void ww__channel_close_direct(ww__channel *c) {
    if (c->direct >= 0) close(c->direct);
    c->direct = -1;
}

/* Waits until a pipe is ready, as long as the caller wants that. */
static bool wait_for(const ww__channel *c, short events) {
    struct pollfd ready = {.fd = c->fd, .events = events};
    for (;;) {
        if (!c->go_on(c->context)) {
            errno = ECANCELED;
            return false;
        }
        if (!c->waits || poll(&ready, 1, LOOK_MS) > 0) return true;
    }
}

static bool may_come_again(int problem) { return problem == EINTR || problem == EAGAIN || problem == EWOULDBLOCK; }

bool ww__channel_read(const ww__channel *c, void *to, size_t bytes, uint64_t at, size_t *got) {
    *got = 0;
    while (*got < bytes) {
        unsigned char *const next = (unsigned char *)to + *got;
        if (!wait_for(c, POLLIN)) return false;
        const ssize_t n = c->positional ? pread(c->fd, next, bytes - *got, (off_t)(at + *got))
                                        : read(c->fd, next, bytes - *got);
        if (n < 0 && may_come_again(errno)) continue;
        if (n < 0) return false;
        if (n == 0) return true;
        *got += (size_t)n;
    }
    return true;
}

static size_t aligned_bytes(const ww__channel *c, const unsigned char *from, size_t bytes, uint64_t at) {
    return c->direct >= 0 && ((uintptr_t)from | at) % WW__DIRECT_BYTES == 0
               ? bytes / WW__DIRECT_BYTES * WW__DIRECT_BYTES
               : 0;
}

static ssize_t write_some(const ww__channel *c, const unsigned char *from, size_t bytes, uint64_t at) {
    const size_t aligned = aligned_bytes(c, from, bytes, at);
    if (!c->positional) return write(c->fd, from, c->waits && bytes > PIPE_BUF ? PIPE_BUF : bytes);
    if (aligned) {
        const ssize_t n = pwrite(c->direct, from, aligned, (off_t)at);
        if (n >= 0 || errno != EINVAL) return n; /* EINVAL: other alignments than these are asked for */
    }
    return pwrite(c->fd, from, bytes, (off_t)at);
}

bool ww__channel_write(const ww__channel *c, const void *from, size_t bytes, uint64_t at, size_t *done) {
    *done = 0;
    while (*done < bytes) {
        if (!wait_for(c, POLLOUT)) return false;
        const ssize_t n = write_some(c, (const unsigned char *)from + *done, bytes - *done, at + *done);
        if (n < 0 && may_come_again(errno)) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) return false;
        *done += (size_t)n;
    }
    if (c->early && c->positional && c->direct < 0)
        sync_file_range(c->fd, (off_t)at, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
    return true;
}

void ww__channel_ahead(const ww__channel *c, uint64_t at, uint64_t bytes) {
    posix_fadvise(c->fd, (off_t)at, (off_t)bytes, POSIX_FADV_WILLNEED);
}

void ww__channel_punch(const ww__channel *c, uint64_t at, uint64_t bytes) {
    fallocate(c->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)bytes);
}
