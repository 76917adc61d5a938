#include "progress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 24 };

struct progress {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stop_asked;
    const char *command;
    bool stop, drawn, steps;
    char what[200];
    uint64_t done, total;
    struct timespec phase_began;
};

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* "[=====>    ]" */
static void put_bar(double part, char bar[BAR + 3]) {
    const int full = part >= 1 ? BAR : (int)(part * BAR);
    memset(bar + 1, ' ', BAR);
    memset(bar + 1, '=', (size_t)full);
    if (full < BAR) bar[1 + full] = '>';
    bar[0] = '[';
    bar[BAR + 1] = ']';
    bar[BAR + 2] = '\0';
}

/* "7 s", "3:20", "2:05:00" */
static void put_time(double seconds, char text[24]) {
    const unsigned long whole = seconds < 3e6 ? (unsigned long)(seconds + 0.5) : 3000000;
    if (whole < 60)
        snprintf(text, 24, "%lu s", whole);
    else if (whole < 3600)
        snprintf(text, 24, "%lu:%02lu", whole / 60, whole % 60);
    else
        snprintf(text, 24, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
}

static void put_rate(double bytes, double seconds, char text[24]) {
    const double rate = seconds > 0 ? bytes / seconds : 0;
    snprintf(text, 24, rate >= 1e9 ? "%.2f GB/s" : "%.0f MB/s", rate / (rate >= 1e9 ? 1e9 : 1e6));
}

void progress_line(const progress_state *s, unsigned columns, char line[PROGRESS_LINE]) {
    char bar[BAR + 3], left[24], rate[24], how[160];
    const double done = (double)s->done, total = (double)s->total;
    put_rate(done, s->seconds, rate);
    if (s->total && s->done) {
        put_bar(done / total, bar);
        put_time(s->done < s->total ? (total - done) * s->seconds / done : 0, left);
        if (s->steps)
            snprintf(how, sizeof how, "%s %llu of %llu, %s left", bar, (unsigned long long)s->done,
                     (unsigned long long)s->total, left);
        else
            snprintf(how, sizeof how, "%s %3.0f %%  %s, %s left", bar, 100 * done / total, rate, left);
    } else if (s->done && !s->steps) {
        snprintf(how, sizeof how, "%.0f MB  %s", done / 1e6, rate);
    } else {
        put_time(s->seconds, how);
    }
    /* What is being done is cut where the terminal is narrow. */
    const size_t used = strlen(s->command) + 2 + 2 + strlen(how), room = columns > used ? columns - used : 0;
    snprintf(line, PROGRESS_LINE, "%s: %.*s  %s", s->command, (int)room, s->what, how);
    if (strlen(line) > columns) line[columns] = '\0';
}

static unsigned columns_now(void) {
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known && size.ws_col < 200 ? size.ws_col - 1U : known ? 199 : 79;
}

/* One write a line, so that it comes whole. */
static void draw(progress *p) {
    char line[PROGRESS_LINE], all[PROGRESS_LINE + 8];
    const progress_state s = {p->command, p->what, p->done, p->total, p->steps, seconds_since(&p->phase_began)};
    progress_line(&s, columns_now(), line);
    const int length = snprintf(all, sizeof all, "\r%s\033[K", line);
    p->drawn = write(STDERR_FILENO, all, (size_t)length) > 0;
}

static void *draw_until_stopped(void *argument) {
    progress *p = argument;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    next.tv_sec += 1;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        if (pthread_cond_timedwait(&p->stop_asked, &p->lock, &next) != ETIMEDOUT) continue;
        draw(p);
        next.tv_nsec += 200000000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

progress *progress_start(const char *command) {
    if (!isatty(STDERR_FILENO)) return NULL;
    progress *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->command = command;
    clock_gettime(CLOCK_MONOTONIC, &p->phase_began);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&p->stop_asked, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&p->lock, NULL);
    /* Signals are the main thread's. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int failed = pthread_create(&p->thread, NULL, draw_until_stopped, p);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed) {
        free(p);
        return NULL;
    }
    return p;
}

void progress_phase(progress *p, const char *what) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    snprintf(p->what, sizeof p->what, "%s", what);
    p->done = p->total = 0;
    p->steps = false;
    clock_gettime(CLOCK_MONOTONIC, &p->phase_began);
    pthread_mutex_unlock(&p->lock);
}

void progress_bytes(progress *p, uint64_t done, uint64_t total) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->done = done;
    p->total = total;
    pthread_mutex_unlock(&p->lock);
}

void progress_steps(progress *p, uint64_t done, uint64_t total) {
    progress_bytes(p, done, total);
    if (p) p->steps = true;
}

void progress_stop(progress *p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->stop_asked);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    if (p->drawn && write(STDERR_FILENO, "\r\033[K", 4) < 0) p->drawn = false;
    pthread_cond_destroy(&p->stop_asked);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
