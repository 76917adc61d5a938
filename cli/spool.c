#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY = 16 << 20, PIECE = 1 << 20 };

bool spool_open(spool *s, const char *near) {
    *s = (spool){.near = near, .fd = -1, .memory = malloc(MEMORY)};
    return s->memory != NULL;
}

/* In the folder, by a name that is taken away at once where files without one cannot be made. */
static int file_in(const char *folder) {
    char path[PATH_MAX];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
    if (snprintf(path, sizeof path, "%s/.warpwise-XXXXXX", folder) >= (int)sizeof path) return -1;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) unlink(path);
    return fd;
}

static int make_file(const char *near) {
    char folder[PATH_MAX];
    const char *const slash = strrchr(near, '/'), *const temporary = secure_getenv("TMPDIR");
    const int length = slash ? (int)(slash - near) + 1 : 0;
    if (strcmp(near, "-") && snprintf(folder, sizeof folder, "%.*s.", length, near) < (int)sizeof folder) {
        const int fd = file_in(folder);
        if (fd >= 0) return fd;
    }
    return file_in(temporary && *temporary ? temporary : "/tmp");
}

static bool write_all(int fd, const unsigned char *from, size_t bytes) {
    while (bytes) {
        const ssize_t n = write(fd, from, bytes < PIECE ? bytes : PIECE);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = ENOSPC;
            return false;
        }
        from += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool empty_memory(spool *s) {
    if (s->fd < 0 && (s->fd = make_file(s->near)) < 0) return false;
    if (!write_all(s->fd, s->memory, s->used)) return false;
    s->written += s->used;
    s->used = 0;
    return true;
}

bool spool_put(spool *s, const void *bytes, size_t length) {
    const unsigned char *from = bytes;
    while (length) {
        const size_t left = MEMORY - s->used, n = length < left ? length : left;
        memcpy(s->memory + s->used, from, n);
        s->used += n;
        from += n;
        length -= n;
        if (s->used == MEMORY && !empty_memory(s)) return false;
    }
    return true;
}

bool spool_bytes(spool *s, void **bytes, uint64_t *length) {
    *bytes = s->memory;
    *length = s->used;
    if (s->fd < 0) return true;
    if (!empty_memory(s)) return false;
    void *const mapped = mmap(NULL, s->written, PROT_READ, MAP_PRIVATE, s->fd, 0);
    if (mapped == MAP_FAILED) return false;
    madvise(mapped, s->written, MADV_SEQUENTIAL);
    s->mapped = *bytes = mapped;
    *length = s->written;
    return true;
}

void spool_close(spool *s) {
    if (s->mapped) munmap(s->mapped, s->written);
    if (s->fd >= 0) close(s->fd);
    free(s->memory);
}
