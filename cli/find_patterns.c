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
    if (!length) return misuse(command, "%s: is empty, and a pattern must not be", path);
    return one_pattern(command, length, p);
}

/* ---- many ---- */

/* Room for one line more of so many bytes. */
static bool make_room(patterns *p, size_t bytes) {
    if (p->used + bytes > p->room) {
        const size_t room = 2 * (p->used + bytes) + READ_FIRST;
        unsigned char *const larger = realloc(p->bytes, room);
        if (!larger) return false;
        p->bytes = larger;
        p->room = room;
    }
    if (p->count + 2 <= p->places) return true;
    const size_t places = p->places ? 2 * p->places : 64;
    uint64_t *const offsets = realloc(p->offsets, places * sizeof *offsets);
    if (offsets) p->offsets = offsets;
    uint64_t *const numbers = realloc(p->numbers, places * sizeof *numbers);
    if (numbers) p->numbers = numbers;
    if (!offsets || !numbers) return false;
    if (!p->places) p->offsets[0] = 0;
    p->places = places;
    return true;
}

static int add_line(const char *command, const char *path, const unsigned char *line, size_t bytes, patterns *p) {
    p->lines++;
    if (bytes > WW_PATTERN_MOST) {
        return misuse(command, "%s: line %" PRIu64 " has %zu bytes, and a pattern can have %" PRIu64, path, p->lines,
                      bytes, WW_PATTERN_MOST);
    }
    if (p->lines > LIST_PATTERNS) return misuse(command, "%s: has more than %d lines", path, LIST_PATTERNS);
    p->empty |= bytes == 0;
    if (!make_room(p, bytes)) return misuse(command, "out of memory");
    if (!bytes) return DONE;
    memcpy(p->bytes + p->used, line, bytes);
    p->used += bytes;
    p->numbers[p->count] = p->lines;
    p->offsets[++p->count] = p->used;
    if (bytes > p->longest) p->longest = bytes;
    return DONE;
}

static bool every_line_has_cr(const unsigned char *text, size_t length) {
    const unsigned char *const end = text + length;
    while (text < end) {
        const unsigned char *const newline = memchr(text, '\n', (size_t)(end - text));
        if (!newline) return true; /* the last, which may lack it */
        if (newline == text || newline[-1] != '\r') return false;
        text = newline + 1;
    }
    return true;
}

static int add_lines(const char *command, const char *path, const unsigned char *text, size_t length, bool cr,
                     patterns *p) {
    for (size_t at = 0; at < length;) {
        const unsigned char *const newline = memchr(text + at, '\n', length - at);
        const size_t bytes = newline ? (size_t)(newline - text) - at : length - at;
        if (add_line(command, path, text + at, bytes - (cr && newline), p)) return MISUSED;
        at += bytes + 1;
    }
    return DONE;
}

int patterns_add_text(const char *command, const char *text, patterns *p) {
    const size_t length = strlen(text);
    /* A newline at its end begins another line, which is empty. */
    const bool open = !length || text[length - 1] == '\n';
    if (add_lines(command, "-e", (const unsigned char *)text, length, false, p)) return MISUSED;
    return open ? add_line(command, "-e", NULL, 0, p) : DONE;
}

int patterns_add_list(const char *command, const char *path, patterns *p) {
    patterns list = {0};
    size_t length;
    int status = read_file(command, path, LIST_BYTES + LIST_PATTERNS, &list, &length);
    if (!status && !length) status = misuse(command, "%s: is empty, and has no pattern", path);
    if (!status) status = add_lines(command, path, list.bytes, length, every_line_has_cr(list.bytes, length), p);
    free(list.bytes);
    return status;
}

void patterns_free(patterns *p) {
    free(p->bytes);
    free(p->offsets);
    free(p->numbers);
}
