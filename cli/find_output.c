#include "find_output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job.h"

void output_open(output *o) {
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->moved, NULL);
    o->live = isatty(STDOUT_FILENO);
}

void output_close(output *o) {
    pthread_mutex_destroy(&o->lock);
    pthread_cond_destroy(&o->moved);
}

/* ---- under the lock ---- */

static void stop_progress(output *o) {
    progress_stop(o->progress);
    o->progress = NULL;
}

static void broken(output *o) {
    o->complained = true;
    __atomic_store_n(&o->broken, true, __ATOMIC_RELAXED); /* searchers look at it between pieces */
    pthread_cond_broadcast(&o->moved);
}

static void print(output *o, const char *text, size_t length) {
    if (!length || o->broken || fwrite(text, 1, length, stdout) == length) return;
    const int why = errno;
    stop_progress(o);
    misuse(o->command, "standard output cannot be written: %s", strerror(why));
    broken(o);
}

static void flush(output *o, bool now) {
    if (o->broken || !now || fflush(stdout) == 0) return;
    const int why = errno;
    stop_progress(o);
    misuse(o->command, "standard output cannot be written: %s", strerror(why));
    broken(o);
}

static void print_count(output *o, const char *name) {
    char text[32];
    if (o->names) {
        print(o, name, strlen(name));
        print(o, ":", 1);
    }
    print(o, text, (size_t)snprintf(text, sizeof text, "%" PRIu64 "\n", o->count));
}

static void show_progress(output *o, const piece *t) {
    char phase[200];
    if (!o->progress) return;
    if (t->first) {
        snprintf(phase, sizeof phase, "searching %.180s", t->name);
        progress_phase(o->progress, phase);
    }
    progress_bytes(o->progress, t->begin + t->starts, t->total);
}

static void print_waiting(output *o, waiting_piece *w) {
    const piece *t = &w->piece;
    print(o, w->from->lines.bytes + w->begin, w->length);
    if (t->first) {
        o->count = 0;
        o->cut = o->named = false;
    }
    o->count += w->count;
    o->cut |= t->failed;
    o->matches += w->count;
    o->bytes += t->starts;
    if (o->files_only && o->count && !o->named) {
        print(o, t->name, strlen(t->name));
        print(o, "\n", 1);
        o->named = true;
    }
    if (t->last && o->count_only && !o->files_only && !o->cut) print_count(o, t->name);
    flush(o, o->live || t->stream);
    show_progress(o, t);
    w->from->waiting--;
    w->there = false;
    o->next++;
}

/* ---- */

bool output_flush(output *o, const piece *t, found_lines *f) {
    pthread_mutex_lock(&o->lock);
    while (!o->broken && o->next != t->ticket) pthread_cond_wait(&o->moved, &o->lock);
    const bool go_on = !o->broken;
    /* All that came before is printed, also of this thread. */
    print(o, f->lines.bytes + f->begin, f->lines.used - f->begin);
    f->begin = f->lines.used = 0;
    pthread_mutex_unlock(&o->lock);
    return go_on;
}

void output_hand_in(output *o, const piece *t, uint64_t count, found_lines *f) {
    pthread_mutex_lock(&o->lock);
    while (!o->broken && t->ticket - o->next >= OUTPUT_AHEAD) pthread_cond_wait(&o->moved, &o->lock);
    waiting_piece *w = &o->waiting[t->ticket % OUTPUT_AHEAD];
    *w = (waiting_piece){true, *t, count, f, f->begin, f->lines.used - f->begin};
    f->waiting++;
    const uint64_t before = o->next;
    while (!o->broken && (w = &o->waiting[o->next % OUTPUT_AHEAD])->there) print_waiting(o, w);
    if (o->next != before) pthread_cond_broadcast(&o->moved);
    if (!f->waiting) f->lines.used = 0;
    f->begin = f->lines.used;
    pthread_mutex_unlock(&o->lock);
}

void output_complain(void *context, const char *name, const char *what) {
    output *o = context;
    pthread_mutex_lock(&o->lock);
    stop_progress(o);
    misuse(o->command, "%s: %s", name, what);
    o->complained = true;
    pthread_mutex_unlock(&o->lock);
}

void output_break(output *o) {
    pthread_mutex_lock(&o->lock);
    stop_progress(o);
    broken(o);
    pthread_mutex_unlock(&o->lock);
}
