/* The library says what patterns may be; here is only what needs the file's name or the line's number to be said well, and a
 * bound on what is read, so that the wrong file is not read into memory. */
#include "find_patterns.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "standard.h"

enum { LIST_PATTERNS = 1 << 20, LIST_BYTES = 1 << 28, READ_FIRST = 1 << 16 };

/* ---- reading ---- */

/* All bytes of an open file, but at most `most` + 1 of them. False: errno says why. */
static bool read_bytes(int fd, size_t most, unsigned char **bytes, size_t *length) {
    size_t room = 0;
    *bytes = NULL;
    *length = 0;
    for (;;) {
        if (*length == room) {
            if (room > most) return true;
            room = room ? 2 * room : READ_FIRST;
            if (room > most + 1) room = most + 1;
            unsigned char *const larger = realloc(*bytes, room);
            if (!larger) return false;
            *bytes = larger;
        }
        const ssize_t got = read(fd, *bytes + *length, room - *length);
        if (got < 0 && standard_again(fd, POLLIN)) continue;
        if (got <= 0) return got == 0;
        *length += (size_t)got;
    }
}

static int read_file(const char *command, const char *path, size_t most, patterns *p, size_t *length) {
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    const bool read = fd >= 0 && read_bytes(fd, most, &p->bytes, length);
    const int why = errno;
    if (fd >= 0 && !standard) close(fd);
    if (!read) return misuse(command, "%s: %s", path, strerror(why));
    if (*length <= most) return DONE;
    return misuse(command, "%s: has more than %zu bytes, which is the most that patterns can have", path, most);
}

/* ---- one pattern ---- */

static int one_pattern(const char *command, size_t length, patterns *p) {
    p->count = 1;
    p->longest = length;
    p->offsets = calloc(2, sizeof *p->offsets);
    if (!p->offsets) return misuse(command, "out of memory");
    p->offsets[1] = length;
    return DONE;
}

int patterns_of_text(const char *command, const char *text, patterns *p) {
    const size_t length = strlen(text);
    if (!length) return misuse(command, "the pattern is empty");
    p->bytes = (unsigned char *)strdup(text);
    if (!p->bytes) return misuse(command, "out of memory");
    return one_pattern(command, length, p);
}

int patterns_of_file(const char *command, const char *path, patterns *p) {
    size_t length;
    if (read_file(command, path, WW_PATTERN_MOST, p, &length)) return MISUSED;
    if (!length) return misuse(command, "%s: is empty, and an empty pattern is none", path);
    return one_pattern(command, length, p);
}

/* ---- many ---- */

/* Lines become patterns where they stand: their newlines are closed up. */
static int cut_lines(const char *command, const char *path, size_t length, patterns *p) {
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        const unsigned char *const line = p->bytes + at, *const newline = memchr(line, '\n', length - at);
        const size_t bytes = newline ? (size_t)(newline - line) : length - at;
        if (!bytes)
            return misuse(command, "%s: line %" PRIu64 " is empty, and an empty pattern is none", path, p->count + 1);
        if (bytes > WW_PATTERN_MOST) {
            return misuse(command, "%s: line %" PRIu64 " has %zu bytes, and a pattern can have %" PRIu64, path,
                          p->count + 1, bytes, WW_PATTERN_MOST);
        }
        if (p->count == LIST_PATTERNS) return misuse(command, "%s: has more than %d lines", path, LIST_PATTERNS);
        memmove(p->bytes + to, line, bytes);
        to += bytes;
        p->offsets[++p->count] = to;
        if (bytes > p->longest) p->longest = bytes;
        at += bytes + 1;
    }
    return DONE;
}

int patterns_of_list(const char *command, const char *path, patterns *p) {
    size_t length, lines = 1;
    if (read_file(command, path, LIST_BYTES + LIST_PATTERNS, p, &length)) return MISUSED;
    if (!length) return misuse(command, "%s: is empty, and has no pattern", path);
    for (size_t i = 0; i < length; i++) lines += p->bytes[i] == '\n';
    if (lines > LIST_PATTERNS + 1) lines = LIST_PATTERNS + 1;
    p->offsets = calloc(lines + 1, sizeof *p->offsets);
    if (!p->offsets) return misuse(command, "out of memory");
    return cut_lines(command, path, length, p);
}

void patterns_free(patterns *p) {
    free(p->bytes);
    free(p->offsets);
}
