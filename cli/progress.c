#include "progress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* One write a line, so that it comes whole. */
static void draw(progress *p) {
    char line[320];
    const double seconds = seconds_since(&p->phase_began);
    int length;
    if (p->steps && p->total && p->done) {
        length = snprintf(line, sizeof line, "\r%s: %s  %llu of %llu, %.0f s left\033[K", p->command, p->what,
                          (unsigned long long)p->done, (unsigned long long)p->total,
                          (double)(p->total - p->done) * seconds / (double)p->done);
    } else if (p->total && !p->steps) {
        length = snprintf(line, sizeof line, "\r%s: %s  %3.0f %%  %.2f GB/s\033[K", p->command, p->what,
                          100.0 * (double)p->done / (double)p->total, (double)p->done / 1e9 / seconds);
    } else if (p->done && !p->steps) {
        length = snprintf(line, sizeof line, "\r%s: %s  %.0f MB\033[K", p->command, p->what, (double)p->done / 1e6);
    } else {
        length = snprintf(line, sizeof line, "\r%s: %s  %.0f s\033[K", p->command, p->what, seconds);
    }
    if (length < 0) return;
    if ((size_t)length >= sizeof line) length = sizeof line - 1;
    p->drawn = write(STDERR_FILENO, line, (size_t)length) > 0;
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
