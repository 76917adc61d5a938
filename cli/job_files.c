/* Reading inputs and writing outputs. */
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

/* ---- names ---- */

bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

bool named_npy(const char *path) { return ends_in(path, ".npy"); }

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

/* "(3, 4)". */
static const char *shape_text(const ww_file_header *header, char text[80]) {
    size_t used = 1;
    text[0] = '(';
    for (uint64_t d = 0; d < header->dimensions && used < 50; d++)
        used += (size_t)snprintf(text + used, 80 - used, "%s%" PRIu64, d ? ", " : "", header->shape[d]);
    snprintf(text + used, 80 - used, "%s)", used < 50 ? "" : ", ...");
    return text;
}

int job_one_row(job *j, const char *path, const ww_file_header *header) {
    char shape[80];
    if (header->dimensions < 2 || j->any_shape) return DONE;
    return job_fail(j, "%s: has the shape %s, and %s takes one dimension (numpy's ravel makes one)",
                    strcmp(path, "-") ? path : "standard input", shape_text(header, shape),
                    strrchr(j->command, ' ') + 1);
}

/* Says what reading is about; returns when it began. */
static double begin_reading(job *j, const char *path, ww_file_options *options) {
    char phase[200];
    options->progress = tell;
    options->context = j;
    snprintf(phase, sizeof phase, "reading %.180s", strcmp(path, "-") ? path : "standard input");
    progress_phase(j->progress, phase);
    return seconds_now();
}

/* Where a type is missing the line was wrong. */
static int end_reading(job *j, double began, ww_status status, bool has_type) {
    j->reading += seconds_now() - began;
    const int failed = job_check(j, status);
    return status == WW_INVALID && !has_type ? MISUSED : failed;
}

int job_read_shaped(job *j, const char *path, ww_array what, ww_file_array *file, ww_file_header *header) {
    if (j->reads == JOB_READS) return job_fail(j, "reads more than %d files at once", JOB_READS);
    ww_file_options options = WW_FILE_OPTIONS;
    const double began = begin_reading(j, path, &options);
    options.header = header;
    if (j->ranks) {
        const int failed = job_check_group(j, ww_group_file_read(job_group(j), path, what, file, &options));
        if (!failed) j->read[j->reads++] = *file;
        j->reading += seconds_now() - began;
        return failed ? failed : job_one_row(j, path, header);
    }
    const ww_status status = ww_file_read_with(j->device, path, what, file, &options);
    if (!status) j->read[j->reads++] = *file;
    const int failed = end_reading(j, began, status, what.type);
    return failed ? failed : job_one_row(j, path, header);
}

int job_read(job *j, const char *path, ww_array what, ww_file_array *file) {
    ww_file_header header;
    return job_read_shaped(j, path, what, file, &header);
}

/* ---- reading in pieces ---- */

int job_pieces(job *j, const char *path, ww_array what) {
    ww_file_options options = WW_FILE_OPTIONS;
    const double began = begin_reading(j, path, &options);
    options.header = &j->header;
    const int status = end_reading(j, began, ww_file_open(j->device, path, what, &j->reader, &options), what.type);
    return status ? status : job_one_row(j, path, &j->header);
}

int job_next(job *j, ww_array *piece) {
    const double began = seconds_now();
    const ww_status read = ww_file_next(j->device, j->reader, piece);
    const int status = end_reading(j, began, read, true);
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
    options.npy = j->npy;
    options.header = (ww_file_header *)j->shape; /* which is only read */

    job_hold_signals();
    snprintf(phase, sizeof phase, "writing %.180s", strcmp(outputs[0].path, "-") ? outputs[0].path : "standard output");
    progress_phase(j->progress, phase);
    const double began = seconds_now();
    if (j->ranks) {
        const ww_status status = ww_group_file_write_all(job_group(j), outputs, count, &options);
        j->writing += seconds_now() - began;
        const int failed = job_let_signals(j, WW_OK);
        return failed ? failed : job_check_group(j, status);
    }
    const ww_status status = ww_file_write_all(j->device, outputs, count, &options);
    j->writing += seconds_now() - began;
    return job_let_signals(j, status);
}
