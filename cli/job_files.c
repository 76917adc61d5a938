/* Reading inputs and writing outputs. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

/* ---- names ---- */

bool named_npy(const char *path) {
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

static bool status_of(const char *path, struct stat *status) {
    return (strcmp(path, "-") ? stat(path, status) : fstat(STDOUT_FILENO, status)) == 0;
}

static const char *name_in_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool status_of_folder(const char *path, struct stat *status) {
    char folder[PATH_MAX];
    const int length = (int)(name_in_folder(path) - path);
    return length < PATH_MAX && snprintf(folder, sizeof folder, "%.*s.", length, path) < PATH_MAX &&
           stat(folder, status) == 0;
}

/* What is there is compared itself; of what is not yet, its folder and its name in it. */
bool same_file(const char *a, const char *b) {
    struct stat one, other;
    if (strcmp(a, b) == 0) return true;
    const bool there = status_of(a, &one);
    if (there != status_of(b, &other)) return false;
    if (there && !S_ISREG(one.st_mode)) return false;
    if (!there &&
        (strcmp(name_in_folder(a), name_in_folder(b)) || !status_of_folder(a, &one) || !status_of_folder(b, &other)))
        return false;
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* ---- reading ---- */

static bool tell(void *context, const char *path, uint64_t done, uint64_t total) {
    job *j = context;
    (void)path;
    progress_bytes(j->progress, done, total);
    return true;
}

int job_read(job *j, const char *path, ww_array what, ww_file_array *file) {
    char phase[200];
    if (j->reads == JOB_READS) return job_fail(j, "reads more than %d files at once", JOB_READS);
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = tell;
    options.context = j;
    snprintf(phase, sizeof phase, "reading %.180s", strcmp(path, "-") ? path : "standard input");
    progress_phase(j->progress, phase);
    const double began = seconds_now();
    const ww_status status = ww_file_read_with(j->device, path, what, file, &options);
    j->reading += seconds_now() - began;
    if (!status) j->read[j->reads++] = *file;
    if (status == WW_INVALID && !what.type) {
        job_check(j, status);
        return MISUSED;
    }
    return job_check(j, status);
}

/* ---- reading in pieces ---- */

static int reading_ended(job *j, ww_status status, double began, const ww_array *what) {
    j->reading += seconds_now() - began;
    if (status == WW_INVALID && what && !what->type) {
        job_check(j, status);
        return MISUSED;
    }
    return job_check(j, status);
}

int job_pieces(job *j, const char *path, ww_array what) {
    char phase[200];
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = tell;
    options.context = j;
    snprintf(phase, sizeof phase, "reading %.180s", strcmp(path, "-") ? path : "standard input");
    progress_phase(j->progress, phase);
    const double began = seconds_now();
    return reading_ended(j, ww_file_open(j->device, path, what, &j->reader, &options), began, &what);
}

int job_next(job *j, ww_array *piece) {
    const double began = seconds_now();
    const int status = reading_ended(j, ww_file_next(j->device, j->reader, piece), began, NULL);
    if (status) return status;
    j->items += piece->count;
    type_label(piece, j->label);
    return DONE;
}

void job_work(job *j) { j->began = seconds_now(); }

int job_worked(job *j, int status) { return job_end(j, status); }

void job_forget(job *j, ww_file_array *file) {
    for (size_t f = 0; f < j->reads; f++) {
        if (j->read[f].array.data != file->array.data) continue;
        j->read[f] = j->read[--j->reads];
        break;
    }
    ww_file_release(j->device, file);
}

/* ---- writing ---- */

static volatile sig_atomic_t caught;

static void note_signal(int signal) { caught = signal; }

static const int deadly[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,   SIGALRM,
                             SIGUSR1, SIGUSR2, SIGIO,  SIGPROF, SIGVTALRM, SIGXCPU};
enum { DEADLY = sizeof deadly / sizeof deadly[0] };
static struct sigaction before[DEADLY];

bool job_tell_until_signal(void *context, const char *path, uint64_t done, uint64_t total) {
    tell(context, path, done, total);
    return !caught;
}

/* A signal only sets a flag while there are unfinished files; the library asks for it between pieces. One that is ignored
 * (nohup) stays so. */
void job_hold_signals(void) {
    struct sigaction catching;
    memset(&catching, 0, sizeof catching);
    catching.sa_handler = note_signal;
    for (int i = 0; i < DEADLY; i++) {
        sigaction(deadly[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(deadly[i], &catching, NULL);
    }
}

int job_let_signals(job *j, ww_status status) {
    for (int i = 0; i < DEADLY; i++) sigaction(deadly[i], &before[i], NULL);
    if (caught) { /* too late to write nothing is not too late to die of it */
        job_quiet(j);
        raise(caught);
    }
    return job_check(j, status);
}

int job_write(job *j, const ww_file_output *outputs, size_t count) {
    char phase[200];
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = job_tell_until_signal;
    options.context = j;
    options.durable = j->durable;

    job_hold_signals();
    snprintf(phase, sizeof phase, "writing %.180s", strcmp(outputs[0].path, "-") ? outputs[0].path : "standard output");
    progress_phase(j->progress, phase);
    const double began = seconds_now();
    const ww_status status = ww_file_write_all(j->device, outputs, count, &options);
    j->writing += seconds_now() - began;
    return job_let_signals(j, status);
}
