#include "graph_source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "standard.h"

#ifdef WARPWISE_ZLIB
#include <zlib.h>
#endif

enum { PACKED = 1 << 18, MAGIC = 2 };

/* Bytes of the file that were read and not yet handed out; of a compressed one those that are still to be unpacked. */
struct unpacker {
    bool packed, between; /* gzip; between two of its members */
    size_t begin, end;    /* in bytes */
#ifdef WARPWISE_ZLIB
    z_stream stream;
#endif
    unsigned char bytes[PACKED];
};

bool graph_source_fail(graph_source *s, const char *format, ...) {
    va_list arguments;
    const int length = snprintf(s->sentence, GRAPH_SENTENCE, "%.200s: ", s->name);
    va_start(arguments, format);
    vsnprintf(s->sentence + length, GRAPH_SENTENCE - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_file(graph_source *s, void *to, size_t bytes, size_t *got) {
    if (s->fd < 0) {
        const uint64_t left = s->total - s->done;
        *got = left < bytes ? (size_t)left : bytes;
        if (*got) memcpy(to, s->memory + s->done, *got);
        s->done += *got;
        return true;
    }
    for (;;) {
        const ssize_t n = read(s->fd, to, bytes);
        if (n >= 0) {
            *got = (size_t)n;
            s->done += *got;
            if (s->tell) s->tell(s->context, s->done, s->total);
            return true;
        }
        const int why = errno;
        if (!standard_again(s->fd, POLLIN))
            return graph_source_fail(s, "cannot be read after %llu bytes: %s", (unsigned long long)s->done,
                                     strerror(why));
    }
}

/* ---- gzip ---- */

#ifdef WARPWISE_ZLIB
static bool begin_unpacking(graph_source *s) {
    if (inflateInit2(&s->unpacker->stream, 15 + 16) == Z_OK) return true;
    return graph_source_fail(s, "there is no memory to unpack it");
}

static void end_unpacking(struct unpacker *u) { inflateEnd(&u->stream); }

/* A file may have several members, one behind the other, and zeros behind the last. */
static bool next_member(graph_source *s, bool *last) {
    struct unpacker *u = s->unpacker;
    while (u->begin < u->end && u->bytes[u->begin] == 0) u->begin++;
    *last = u->begin == u->end;
    if (*last) return true;
    u->between = false;
    if (u->bytes[u->begin] != 0x1f || inflateReset(&u->stream) != Z_OK)
        return graph_source_fail(s, "has bytes after the end of its compressed data that are not gzip");
    return true;
}

static bool unpack(graph_source *s, void *to, size_t bytes, size_t *got) {
    struct unpacker *u = s->unpacker;
    *got = 0;
    while (*got == 0) {
        if (u->begin == u->end) {
            size_t more;
            if (!read_file(s, u->bytes, sizeof u->bytes, &more)) return false;
            u->begin = 0;
            u->end = more;
            if (!more && u->between) return true;
            if (!more)
                return graph_source_fail(s,
                                         "is truncated: it ends inside the data compressed by gzip, after %llu bytes",
                                         (unsigned long long)s->done);
        }
        bool last = false;
        if (u->between && !next_member(s, &last)) return false;
        if (last) continue;
        u->stream.next_in = u->bytes + u->begin;
        u->stream.avail_in = (uInt)(u->end - u->begin);
        u->stream.next_out = to;
        u->stream.avail_out = (uInt)bytes;
        const int result = inflate(&u->stream, Z_NO_FLUSH);
        u->begin = u->end - u->stream.avail_in;
        *got = bytes - u->stream.avail_out;
        if (result == Z_MEM_ERROR) return graph_source_fail(s, "there is no memory to unpack it");
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return graph_source_fail(s, "is damaged: gzip cannot be unpacked near byte %llu (%s)",
                                     (unsigned long long)(s->done - (u->end - u->begin)),
                                     u->stream.msg ? u->stream.msg : "a dictionary is wanted");
        u->between = result == Z_STREAM_END;
    }
    return true;
}
#else
static bool begin_unpacking(graph_source *s) {
    return graph_source_fail(s, "is compressed by gzip, and this warpwise was built without zlib: unpack it first");
}
static void end_unpacking(struct unpacker *u) { (void)u; }
static bool unpack(graph_source *s, void *to, size_t bytes, size_t *got) { return read_file(s, to, bytes, got); }
#endif

/* ---- */

/* The first bytes say whether it is gzip. */
static bool look(graph_source *s) {
    struct unpacker *u = calloc(1, sizeof *u);
    if (!u) return graph_source_fail(s, "there is no memory to read it");
    s->unpacker = u;
    size_t more = 1;
    while (u->end < MAGIC && more) {
        if (!read_file(s, u->bytes + u->end, MAGIC - u->end, &more)) return false;
        u->end += more;
    }
    if (u->end < MAGIC || u->bytes[0] != 0x1f || u->bytes[1] != 0x8b) return true;
    if (!begin_unpacking(s)) return false;
    u->packed = true;
    return true;
}

bool graph_source_memory(graph_source *s, const void *bytes, size_t length) {
    s->fd = -1;
    s->memory = bytes;
    s->total = length;
    if (look(s)) return true;
    graph_source_close(s);
    return false;
}

bool graph_source_open(graph_source *s, const char *path) {
    struct stat status;
    const bool standard = strcmp(path, "-") == 0;
    do {
        s->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (s->fd < 0 && errno == EINTR);
    if (s->fd < 0) return graph_source_fail(s, "cannot be opened: %s", strerror(errno));
    if (fstat(s->fd, &status) == 0 && S_ISREG(status.st_mode)) s->total = (uint64_t)status.st_size;
    if (look(s)) return true;
    graph_source_close(s);
    return false;
}

void graph_source_close(graph_source *s) {
    if (s->unpacker && s->unpacker->packed) end_unpacking(s->unpacker);
    free(s->unpacker);
    s->unpacker = NULL;
    if (s->fd > STDERR_FILENO) close(s->fd);
    s->fd = -1;
}

bool graph_source_read(graph_source *s, void *to, size_t bytes, size_t *got) {
    struct unpacker *u = s->unpacker;
    if (u->packed) return unpack(s, to, bytes, got);
    if (u->begin == u->end) return read_file(s, to, bytes, got);
    *got = u->end - u->begin < bytes ? u->end - u->begin : bytes;
    memcpy(to, u->bytes + u->begin, *got);
    u->begin += *got;
    return true;
}
