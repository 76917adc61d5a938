/* A file is read in blocks that end with a line, and what lines before a match may be wanted stays in front of the next
 * block. All lines of a block are searched at once. The matches come in order; the line of each is shown, with those around
 * it, and where there were more than there is room for the search goes on with the line in which it stopped. */
#include "find_shown.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find_pieces.h"
#include "standard.h"

enum { BLOCK = 4 << 20, ROOM_LEAST = 1 << 20 };

typedef struct finder {
    shown *s;
    ww_patterns *ready;           /* of several */
    unsigned char *text, *inside; /* where it is read to; where the device's kernels read it */
    size_t room;                  /* bytes of both */
    uint32_t *positions, *numbers;
    uint64_t most;  /* of them */
    uint64_t total; /* bytes of all files; 0: not known */
    bool grouped;   /* something was shown: a line stands between it and what comes next */
    /* ---- of a file ---- */
    const char *name;
    int fd;
    bool stream, ended, binary;
    bool clipped;       /* the line that is shown has more matches than were found */
    size_t used, begin; /* bytes of text; lines from `begin` on were not searched */
    size_t done;        /* up to here all was shown that is to be */
    bool adjacent;      /* what stands before `done` was shown */
    long left;          /* lines to show behind the last match */
    size_t counted;     /* a line begins here, and this is its number */
    uint64_t number, lines;
} finder;

/* ---- memory ---- */

static void free_text(finder *f) {
    if (f->inside != f->text) ww_free(f->s->job->device, f->inside);
    ww_free(f->s->job->device, f->text);
}

static int grow(finder *f, size_t room) {
    job *j = f->s->job;
    void *text, *inside = NULL;
    if (job_check(j, ww_alloc_host(j->device, room, &text))) return FAILED;
    if (j->gpu && job_check(j, ww_alloc(j->device, room, &inside))) {
        ww_free(j->device, text);
        return FAILED;
    }
    if (f->used) memcpy(text, f->text, f->used);
    free_text(f);
    f->text = text;
    f->inside = j->gpu ? inside : text;
    f->room = room;
    return DONE;
}

static int open_finder(finder *f) {
    const patterns *p = f->s->patterns;
    job *j = f->s->job;
    void *positions = NULL, *numbers = NULL;
    f->most = p->count < ROOM_LEAST ? ROOM_LEAST : p->count + 1;
    int status = grow(f, BLOCK);
    if (!status) status = job_check(j, ww_alloc_host(j->device, f->most * sizeof *f->positions, &positions));
    f->positions = positions;
    if (!status) status = job_check(j, ww_alloc_host(j->device, f->most * sizeof *f->numbers, &numbers));
    f->numbers = numbers;
    if (status || p->count < 2) return status;
    return job_check(j, ww_patterns_open(j->device, p->bytes, p->offsets, p->count, &f->ready, &f->s->options));
}

static void close_finder(finder *f) {
    ww_device *device = f->s->job->device;
    ww_patterns_close(f->ready);
    free_text(f);
    ww_free(device, f->positions);
    ww_free(device, f->numbers);
}

/* ---- finding ---- */

/* Matches in text[from … to - 1]; positions count from `from`. */
static int find_in(finder *f, size_t from, size_t to, uint64_t *count) {
    const patterns *p = f->s->patterns;
    job *j = f->s->job;
    ww_status status = WW_OK;
    *count = 0;
    if (!p->count || from == to) return DONE;
    if (f->inside != f->text)
        status = ww_copy(j->device, ww_memory(f->text + from, to - from), ww_array(f->inside + from, to - from));
    const ww_input text = ww_memory(f->inside + from, to - from);
    const ww_array positions = ww_array(f->positions, f->most), counted = ww_array(count, 1);
    if (!status && f->ready)
        status = ww_find_many(f->ready, text, positions, ww_array(f->numbers, f->most), counted);
    else if (!status)
        status = ww_find(j->device, text, p->bytes, p->longest, positions, counted, &f->s->options);
    return job_check(j, status ? status : ww_sync(j->device));
}

static size_t length_of(const finder *f, uint64_t match) {
    const uint64_t *offsets = f->s->patterns->offsets;
    return f->ready ? offsets[f->numbers[match] + 1] - offsets[f->numbers[match]] : offsets[1];
}

/* ---- lines ---- */

static size_t line_begin(const finder *f, size_t at, size_t least) {
    const unsigned char *newline = at > least ? memrchr(f->text + least, '\n', at - least) : NULL;
    return newline ? (size_t)(newline - f->text) + 1 : least;
}

/* Behind the newline. */
static size_t line_end(const finder *f, size_t at) {
    const unsigned char *newline = memchr(f->text + at, '\n', f->used - at);
    return newline ? (size_t)(newline - f->text) + 1 : f->used;
}

static uint64_t number_of(finder *f, size_t line) {
    for (; f->counted < line; f->number++) f->counted = line_end(f, f->counted);
    return f->number;
}

/* ---- showing ---- */

#define PLAIN "\033[m\033[K"
#define SELECTED "\033[01;31m\033[K"
#define NAME "\033[35m\033[K"
#define NUMBER "\033[32m\033[K"
#define MARK "\033[36m\033[K"

static void put(const finder *f, const char *colour, const char *text) {
    if (f->s->colour)
        printf("%s%s" PLAIN, colour, text);
    else
        fputs(text, stdout);
}

static void show_head(finder *f, size_t line, char mark) {
    const char marks[] = {mark, '\0'};
    char number[24];
    if (f->s->name_files) {
        put(f, NAME, f->name);
        put(f, MARK, marks);
    }
    if (!f->s->numbers) return;
    snprintf(number, sizeof number, "%" PRIu64, number_of(f, line));
    put(f, NUMBER, number);
    put(f, MARK, marks);
}

/* Prints text[*at … ] with the matches from this one on that lie before `end`, leftmost first, of these the longest. */
static void put_coloured(const finder *f, size_t *at, size_t end, size_t from, uint64_t match, uint64_t count) {
    while (match < count && from + f->positions[match] < end) {
        const size_t begin = from + f->positions[match];
        size_t longest = 0;
        for (; match < count && from + f->positions[match] == begin; match++)
            if (length_of(f, match) > longest) longest = length_of(f, match);
        if (begin < *at) continue;
        fwrite(f->text + *at, 1, begin - *at, stdout);
        fputs(SELECTED, stdout);
        fwrite(f->text + begin, 1, longest, stdout);
        fputs(PLAIN, stdout);
        *at = begin + longest;
    }
}

/* Of a line with more matches than there is room for those that remain are looked for again, from the last place on, which may
 * lack some. */
static void show_coloured(finder *f, size_t line, size_t end, size_t from, uint64_t match, uint64_t count) {
    size_t at = line;
    while (f->clipped && from + f->positions[count - 1] < end) {
        const size_t last = from + f->positions[count - 1];
        put_coloured(f, &at, last, from, match, count);
        from = at > last ? at : last;
        match = 0;
        if (find_in(f, from, end, &count)) return;
        f->clipped = count > f->most;
        if (f->clipped) count = f->most;
    }
    put_coloured(f, &at, end, from, match, count);
    fwrite(f->text + at, 1, end - at, stdout);
}

static void end_line(const finder *f, size_t end) {
    if (f->text[end - 1] != '\n') putchar('\n');
}

static void show_context(finder *f, size_t line, size_t end) {
    show_head(f, line, '-');
    fwrite(f->text + line, 1, end - line, stdout);
    end_line(f, end);
}

/* Lines behind the last match, up to the next one or the block's end. */
static void show_after(finder *f, size_t limit) {
    while (f->left > 0 && f->done < limit) {
        const size_t end = line_end(f, f->done);
        show_context(f, f->done, end);
        f->done = end;
        f->left--;
    }
}

static void show_line(finder *f, size_t line, size_t end, size_t from, uint64_t match, uint64_t count) {
    const shown *s = f->s;
    show_after(f, line);
    size_t first = line;
    for (long k = 0; k < s->before && first > f->done; k++) first = line_begin(f, first - 1, f->done);
    if ((s->before >= 0 || s->after >= 0) && f->grouped && !(f->adjacent && first == f->done)) {
        put(f, MARK, "--");
        putchar('\n');
    }
    while (first < line) {
        const size_t next = line_end(f, first);
        show_context(f, first, next);
        first = next;
    }
    show_head(f, line, ':');
    if (s->colour) {
        const size_t bare = end - (f->text[end - 1] == '\n');
        show_coloured(f, line, bare, from, match, count);
        putchar('\n');
    } else {
        fwrite(f->text + line, 1, end - line, stdout);
        end_line(f, end);
    }
    f->grouped = f->adjacent = true;
    f->done = end;
    f->left = s->after;
}

/* A line with a match. False: no more of the file is wanted. */
static bool take_line(finder *f, size_t line, size_t end, size_t from, uint64_t match, uint64_t count) {
    f->lines++;
    if (f->s->count_only) return true;
    if (!f->binary) {
        show_line(f, line, end, from, match, count);
        return true;
    }
    show_after(f, line);
    printf("%s: binary file matches\n", f->name);
    return false;
}

/* ---- blocks ---- */

/* Every line, for a pattern without a byte; and still the matches of the others, to be coloured. */
static bool take_all(finder *f, size_t from, size_t limit, uint64_t count) {
    uint64_t match = 0;
    for (size_t line = from; line < limit;) {
        const size_t end = line_end(f, line);
        while (match < count && from + f->positions[match] < line) match++;
        if (!take_line(f, line, end, from, match, count)) return false;
        line = end;
    }
    return true;
}

static bool take_found(finder *f, size_t from, size_t limit, uint64_t count) {
    size_t behind = from; /* the last line that was taken */
    for (uint64_t match = 0; match < count && from + f->positions[match] < limit; match++) {
        const size_t at = from + f->positions[match];
        if (at < behind) continue;
        const size_t line = line_begin(f, at, behind);
        behind = line_end(f, at);
        if (!take_line(f, line, behind, from, match, count)) return false;
    }
    return true;
}

/* The lines text[begin … to - 1]. *more: the file is still wanted. */
static int search_block(finder *f, size_t to, bool *more) {
    while (f->begin < to) {
        uint64_t count;
        size_t limit = to;
        f->clipped = false;
        if (find_in(f, f->begin, to, &count)) return FAILED;
        if (count >
            f->most) { /* the line where they stop is searched once more, or, if it is the first, is all there is */
            count = f->most;
            const size_t last = f->begin + f->positions[count - 1];
            limit = line_begin(f, last, f->begin);
            f->clipped = limit == f->begin;
            if (f->clipped) limit = line_end(f, last);
        }
        *more = f->s->patterns->empty ? take_all(f, f->begin, limit, count) : take_found(f, f->begin, limit, count);
        f->begin = limit;
        if (!*more) return DONE;
    }
    show_after(f, to);
    return DONE;
}

/* Keeps the lines that may be wanted before a match, and what has not been searched. */
static void shift(finder *f) {
    size_t keep = f->begin;
    if (!f->s->count_only)
        for (long k = 0; k < f->s->before && keep > f->done; k++) keep = line_begin(f, keep - 1, f->done);
    if (f->s->numbers) number_of(f, keep);
    f->adjacent = f->adjacent && keep == f->done;
    memmove(f->text, f->text + keep, f->used - keep);
    f->used -= keep;
    f->begin -= keep;
    f->done = f->done > keep ? f->done - keep : 0;
    f->counted = f->counted > keep ? f->counted - keep : 0;
}

static bool complain(finder *f, const char *what) {
    fflush(stdout);
    progress_stop(f->s->job->progress);
    f->s->job->progress = NULL;
    misuse(f->s->job->command, "%s: %s", f->name, what);
    f->s->complained = true;
    return false;
}

/* Reads until the text is full, or as much as a stream has now. False: it cannot be read, which was said. */
static bool fill(finder *f) {
    while (f->used < f->room) {
        const ssize_t got = read(f->fd, f->text + f->used, f->room - f->used);
        if (got < 0 && standard_again(f->fd, POLLIN)) continue;
        if (got < 0) return complain(f, strerror(errno));
        f->ended = got == 0;
        if (!f->binary && !f->s->text) f->binary = memchr(f->text + f->used, '\0', (size_t)got) != NULL;
        f->used += (size_t)got;
        f->s->bytes += (uint64_t)got;
        if (f->ended || f->stream) return true;
    }
    return true;
}

static int search_file(finder *f) {
    bool more = true;
    while (more && !f->ended) {
        if (f->used == f->room && grow(f, 2 * f->room)) return FAILED;
        if (!fill(f)) f->ended = true;
        const size_t whole = f->ended ? f->used : line_begin(f, f->used, f->begin);
        if (search_block(f, whole, &more)) return FAILED;
        if (f->stream && fflush(stdout)) return job_printed(f->s->job);
        shift(f);
        progress_bytes(f->s->job->progress, f->s->bytes, f->total);
    }
    return DONE;
}

static bool open_file_of(finder *f, const char *path) {
    struct stat about;
    const bool standard = strcmp(path, "-") == 0;
    f->name = name_of_file(path);
    f->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (f->fd < 0 || fstat(f->fd, &about)) return complain(f, strerror(errno));
    f->stream = !S_ISREG(about.st_mode);
    if (!S_ISDIR(about.st_mode)) return true;
    if (!standard) close(f->fd);
    return complain(f, "is a directory");
}

static int search_path(finder *f, const char *path) {
    f->used = f->begin = f->done = f->counted = 0;
    f->number = 1;
    f->lines = 0;
    f->left = 0;
    f->ended = f->binary = f->adjacent = false;
    if (!open_file_of(f, path)) return DONE;
    const int status = search_file(f);
    if (f->fd != STDIN_FILENO) close(f->fd);
    if (status) return status;
    f->s->lines += f->lines;
    if (!f->s->count_only) return DONE;
    if (f->s->name_files) {
        put(f, NAME, f->name);
        put(f, MARK, ":");
    }
    printf("%" PRIu64 "\n", f->lines);
    return DONE;
}

/* The bytes of all files; 0 where one is no regular file. */
static uint64_t bytes_of(const shown *s) {
    uint64_t total = 0;
    for (size_t i = 0; i < s->count; i++) {
        struct stat about;
        const bool standard = strcmp(s->names[i], "-") == 0;
        if (standard ? fstat(STDIN_FILENO, &about) : stat(s->names[i], &about)) continue;
        if (!S_ISREG(about.st_mode)) return 0;
        total += (uint64_t)about.st_size;
    }
    return total;
}

int show_lines(shown *s) {
    finder f = {.s = s, .total = bytes_of(s)};
    int status = open_finder(&f);
    for (size_t i = 0; !status && i < s->count; i++) {
        status = search_path(&f, s->names[i]);
        if (!status && ferror(stdout)) status = job_printed(s->job);
    }
    close_finder(&f);
    return status;
}
