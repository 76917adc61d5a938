#include "find_pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "standard.h"

enum { TAIL_SHORT = 4096 };

static bool standard(const char *path) { return strcmp(path, "-") == 0; }

const char *name_of_file(const char *path) { return standard(path) ? "(standard input)" : path; }

bool pieces_many(const pieces *p) {
    struct stat about;
    if (p->count != 1) return p->count > 1;
    if (standard(p->names[0]) ? fstat(STDIN_FILENO, &about) : stat(p->names[0], &about)) return false;
    return !S_ISREG(about.st_mode) || (uint64_t)about.st_size > p->most;
}

static void complain(const pieces *p, const char *path, const char *what) {
    p->complain(p->context, name_of_file(path), what);
}

/* ---- files ---- */

/* What has a size and can be read at any place. A size of 0 says nothing (/proc). */
static void look_at(open_file *f, const struct stat *about, bool is_standard) {
    f->stream = true;
    if (!S_ISREG(about->st_mode)) return;
    if (is_standard) f->base = lseek(f->fd, 0, SEEK_CUR);
    if (f->base < 0 || about->st_size <= f->base) return;
    f->stream = false;
    f->length = (uint64_t)(about->st_size - f->base);
    posix_fadvise(f->fd, f->base, 0, POSIX_FADV_SEQUENTIAL);
}

/* NULL: it cannot be read, and that was said. */
static open_file *open_one(const pieces *p, const char *path) {
    struct stat about;
    open_file *const f = calloc(1, sizeof *f);
    if (!f) return complain(p, path, strerror(ENOMEM)), NULL;
    f->users = 1;
    f->fd = standard(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (f->fd >= 0 && fstat(f->fd, &about) == 0 && !S_ISDIR(about.st_mode)) {
        look_at(f, &about, standard(path));
        return f;
    }
    const bool directory = f->fd >= 0 && S_ISDIR(about.st_mode);
    complain(p, path, directory ? "is a directory" : strerror(errno));
    if (f->fd > STDIN_FILENO) close(f->fd);
    free(f);
    return NULL;
}

/* The last one to use it closes it. Pieces let go of a file without the lock, which a thread may hold while it waits for a
 * stream. */
static void let_go(open_file *f) {
    if (__atomic_sub_fetch(&f->users, 1, __ATOMIC_ACQ_REL)) return;
    if (f->fd != STDIN_FILENO) close(f->fd);
    free(f);
}

static bool failed_first(open_file *f) { return !__atomic_exchange_n(&f->failed, true, __ATOMIC_RELAXED); }

/* ---- at any place ---- */

static void claim(pieces *p, piece *t) {
    open_file *const f = p->open;
    const uint64_t left = f->length - p->at;
    t->begin = p->at;
    t->last = left <= p->most;
    t->starts = t->last ? left : p->most;
    t->length = left - t->starts < p->overlap ? left : t->starts + p->overlap;
    t->total = f->length;
    p->at += t->starts;
    /* Who reads standard input after us is to go on where we stopped. */
    if (t->last && f->fd == STDIN_FILENO) lseek(f->fd, f->base + (off_t)f->length, SEEK_SET);
}

/* Some files say a size and end before it (/sys): those have not shrunk. */
static bool shrank(const open_file *f) {
    struct stat about;
    return fstat(f->fd, &about) || (uint64_t)about.st_size < (uint64_t)f->base + f->length;
}

static void read_claimed(const pieces *p, open_file *f, piece *t, unsigned char *text) {
    uint64_t have = 0;
    while (have < t->length) {
        const ssize_t got = pread(f->fd, text + have, t->length - have, f->base + (off_t)(t->begin + have));
        if (got < 0 && standard_again(f->fd, POLLIN)) continue;
        if (got > 0) {
            have += (uint64_t)got;
            continue;
        }
        const int why = errno;
        t->failed = got < 0 || shrank(f);
        if (t->failed && failed_first(f))
            p->complain(p->context, t->name, got ? strerror(why) : "shrank while it was read");
        t->length = have;
        if (t->starts > have) t->starts = have;
        return;
    }
}

/* ---- in a stream ---- */

/* Nothing more there now? What has come is then searched at once, with the tail before it; where the tail is long, when as
 * much has come, so that most of the work is not done over and over. */
static bool dry(const pieces *p, int fd, uint64_t fresh) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    return (fresh > p->overlap || p->overlap <= TAIL_SHORT) && poll(&ready, 1, 0) == 0;
}

/* Under the lock: the next bytes can only be read when these were. */
static void read_stream(pieces *p, piece *t, unsigned char *text) {
    open_file *const f = p->open;
    uint64_t have = p->tail_length;
    memcpy(text, p->tail, have);
    t->begin = p->at;
    while (have < p->most + p->overlap) {
        const ssize_t got = read(f->fd, text + have, p->most + p->overlap - have);
        if (got < 0 && standard_again(f->fd, POLLIN)) continue;
        t->failed = got < 0;
        t->last = got <= 0;
        if (t->failed && failed_first(f)) p->complain(p->context, t->name, strerror(errno));
        if (t->last) break;
        have += (uint64_t)got;
        if (dry(p, f->fd, have - p->tail_length)) break;
    }
    t->length = have;
    t->starts = t->last ? have : have > p->overlap ? have - p->overlap : 0;
    p->at += t->starts;
    p->tail_length = have - t->starts;
    memcpy(p->tail, text + t->starts, p->tail_length);
}

/* ---- pieces ---- */

bool pieces_open(pieces *p) {
    pthread_mutex_init(&p->lock, NULL);
    p->tail = malloc(p->overlap + 1);
    return p->tail != NULL;
}

void pieces_close(pieces *p) {
    if (p->open) let_go(p->open); /* the work ended before its file did */
    pthread_mutex_destroy(&p->lock);
    free(p->tail);
}

static bool next_file(pieces *p) {
    while (!p->open && p->next < p->count) p->open = open_one(p, p->names[p->next++]);
    p->at = p->tail_length = 0;
    return p->open != NULL;
}

bool pieces_take(pieces *p, piece *t, unsigned char *text) {
    memset(t, 0, sizeof *t);
    pthread_mutex_lock(&p->lock);
    if (p->open && __atomic_load_n(&p->open->failed, __ATOMIC_RELAXED)) {
        let_go(p->open);
        p->open = NULL;
    }
    t->first = !p->open;
    if (!p->open && !next_file(p)) {
        pthread_mutex_unlock(&p->lock);
        return false;
    }
    open_file *const f = p->open;
    t->ticket = p->ticket++;
    t->file = p->next - 1;
    t->name = name_of_file(p->names[p->next - 1]);
    t->stream = f->stream;
    if (f->stream)
        read_stream(p, t, text);
    else
        claim(p, t);
    __atomic_add_fetch(&f->users, 1, __ATOMIC_RELAXED);
    if (t->last) {
        let_go(f);
        p->open = NULL;
    }
    pthread_mutex_unlock(&p->lock);
    if (!f->stream) read_claimed(p, f, t, text);
    let_go(f);
    return true;
}

void pieces_enough(pieces *p, const piece *t) {
    pthread_mutex_lock(&p->lock);
    if (p->open && p->next - 1 == t->file) {
        let_go(p->open);
        p->open = NULL;
    }
    pthread_mutex_unlock(&p->lock);
}
