#include "job.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"

/* ---- options ---- */

enum { DEVICE = 1000, TIME, TYPE, FSYNC };

static error_t parse_job_option(int key, char *argument, struct argp_state *state) {
    job *j = state->input;
    switch (key) {
    case DEVICE:
        j->device_name = argument;
        return 0;
    case TIME:
        j->time = true;
        return 0;
    case FSYNC:
        j->durable = true;
        return 0;
    case TYPE:
        if (!parse_type(argument, &j->type)) {
            argp_error(state, "--type=%s: is none of u8 u16 u32 u64 u128 i8 i16 i32 i64 f32 f64 rec:N", argument);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

#define DEVICE_OPTIONS \
    {"device", \
     DEVICE, \
     "NAME", \
     0, \
     "cpu, cpu:threads=N, cuda, cuda:K, emu or best; default: what WARPWISE_DEVICE names, else cpu", \
     10}, \
    { \
        "time", TIME, NULL, 0, "print seconds and rate to standard error", 10 \
    }

#define TYPE_OPTION \
    { "type", TYPE, "T", 0, "element type of raw input (see below)", 1 }

static const struct argp_option only_device[] = {DEVICE_OPTIONS, {0}};
static const struct argp_option device_and_type[] = {TYPE_OPTION, DEVICE_OPTIONS, {0}};
static const struct argp_option device_type_and_output[] = {
    TYPE_OPTION,
    {"fsync", FSYNC, NULL, 0,
     "force what is written to the disk before it takes the old file's place, and its folder after", 9},
    DEVICE_OPTIONS,
    {0}};

const struct argp device_options = {only_device, parse_job_option, NULL, NULL, NULL, NULL, NULL};
const struct argp input_options = {device_and_type, parse_job_option, NULL, NULL, NULL, NULL, NULL};

const struct argp job_options = {device_type_and_output, parse_job_option, NULL, NULL, NULL, NULL, NULL};

void require_type(struct argp_state *state, const job *j, const char *path) {
    if (!j->type.type && !named_npy(path) && strcmp(path, "-") != 0) {
        argp_error(state, "%s is raw: --type=T is missing", path);
    }
}

/* ---- sentences ---- */

/* One line, whatever names of files hold. */
static void say(const char *command, const char *format, va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    }
    fprintf(stderr, "%s: %s\n", command, text);
}

const char *const in_and_out[] = {"IN", "OUT", NULL};

void take_file(struct argp_state *state, const char *argument, const char *const *names, const char **files) {
    size_t count = 0;
    while (names[count]) count++;
    if (state->arg_num < count) {
        files[state->arg_num] = argument;
        return;
    }
    char all[64] = "";
    for (size_t i = 0; i < count; i++) {
        strcat(all, i == 0 ? "" : i + 1 < count ? ", " : " and ");
        strcat(all, names[i]);
    }
    argp_error(state, "'%s' is one file too many: %s takes %s", argument, strrchr(state->name, ' ') + 1, all);
}

void need_files(struct argp_state *state, const char *const *names, const char *const *files) {
    for (size_t i = 0; names[i]; i++)
        if (!files[i]) argp_error(state, "the file %s is missing", names[i]);
}

int misuse(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(command, format, arguments);
    va_end(arguments);
    return MISUSED;
}

int job_fail(job *j, const char *format, ...) {
    va_list arguments;
    progress_stop(j->progress);
    j->progress = NULL;
    va_start(arguments, format);
    say(j->command, format, arguments);
    va_end(arguments);
    return FAILED;
}

/* The library begins its sentences with the function's name, which says nothing to who typed a command. */
const char *without_call(const char *sentence) {
    const char *colon = strstr(sentence, ": ");
    return strncmp(sentence, "ww_", 3) == 0 && colon ? colon + 2 : sentence;
}

const char *job_sentence(const job *j, ww_status status) {
    const char *sentence = ww_error(j->device);
    return *sentence ? without_call(sentence) : ww_status_text(status);
}

int job_check(job *j, ww_status status) { return status == WW_OK ? DONE : job_fail(j, "%s", job_sentence(j, status)); }

/* ---- device, clock ---- */

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int job_open(job *j) {
    ww_device_info info = WW_DEVICE_INFO;
    j->progress = progress_start(j->command);
    if (job_check(j, ww_open(j->device_name, &j->device)) || job_check(j, ww_device_info_get(j->device, &info))) {
        return FAILED;
    }
    j->gpu = strcmp(info.backend, "cpu") != 0;
    return DONE;
}

const char *type_label(const ww_array *array, char label[24]) {
    if (array->type == &ww_type_record) {
        snprintf(label, 24, "rec:%zu", array->size);
    } else {
        snprintf(label, 24, "%.20s", array->type->label);
    }
    return label;
}

void job_begin(job *j, const char *what, const ww_array *items) {
    char phase[100];
    j->items = items->count;
    type_label(items, j->label);
    snprintf(phase, sizeof phase, "%s %" PRIu64 " elements of %s", what, items->count, j->label);
    progress_phase(j->progress, phase);
    j->began = seconds_now();
}

int job_end(job *j, int status) {
    if (!status) status = job_check(j, ww_sync(j->device));
    j->working += seconds_now() - j->began;
    return status;
}

static int room_bytes(job *j, ww_array like, uint64_t count, ww_array *room, uint64_t *bytes) {
    *room = like;
    room->count = count;
    room->data = NULL;
    if (__builtin_mul_overflow(count, like.size, bytes)) {
        return job_fail(j, "%" PRIu64 " elements of %zu bytes do not fit in memory", count, like.size);
    }
    return DONE;
}

int job_room(job *j, ww_array like, uint64_t count, ww_array *room) {
    uint64_t bytes;
    if (room_bytes(j, like, count, room, &bytes)) return FAILED;
    return job_check(j, ww_alloc_host(j->device, bytes, &room->data));
}

int job_room_inside(job *j, ww_array like, uint64_t count, ww_array *room) {
    uint64_t bytes;
    if (room_bytes(j, like, count, room, &bytes)) return FAILED;
    ww_status status = ww_alloc(j->device, bytes, &room->data);
    if (status == WW_MEMORY && j->gpu) status = ww_alloc_host(j->device, bytes, &room->data);
    return job_check(j, status);
}

void job_free(job *j, const ww_array *rooms, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (rooms[i].data) ww_free(j->device, rooms[i].data);
}

int job_bring(job *j, ww_array array, ww_array *inside) {
    void *copy;
    *inside = array;
    if (!j->gpu || !array.count) return DONE;
    const ww_status status = ww_alloc(j->device, array.count * array.size, &copy);
    if (status == WW_MEMORY) return DONE;
    if (job_check(j, status)) return FAILED;
    inside->data = copy;
    return job_check(j, ww_copy(j->device, ww_from(array), *inside));
}

int job_take_back(job *j, int status, ww_array *inside, ww_array array, bool back) {
    if (!inside->data || inside->data == array.data) return status;
    if (!status && back) status = job_check(j, ww_copy(j->device, ww_from(*inside), array));
    if (!status) status = job_check(j, ww_sync(j->device));
    ww_free(j->device, inside->data);
    inside->data = NULL;
    return status;
}

int job_close(job *j, int status) {
    progress_stop(j->progress);
    j->progress = NULL;
    if (status == DONE && j->time) {
        const double rate = j->working > 0 ? (double)j->items / j->working / 1e6 : 0;
        fprintf(stderr, "%s: %" PRIu64 " elements of %s in %.6f s, %.1f M/s (reading %.6f s, writing %.6f s)\n",
                j->command, j->items, j->label, j->working, rate, j->reading, j->writing);
    }
    ww_close(j->device);
    j->device = NULL;
    return status;
}

/* ---- files ---- */

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

static bool tell(void *context, const char *path, uint64_t done, uint64_t total) {
    job *j = context;
    (void)path;
    progress_bytes(j->progress, done, total);
    return true;
}

int job_read(job *j, const char *path, ww_array what, ww_file_array *file) {
    char phase[200];
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = tell;
    options.context = j;
    snprintf(phase, sizeof phase, "reading %.180s", strcmp(path, "-") ? path : "standard input");
    progress_phase(j->progress, phase);
    const double began = seconds_now();
    const ww_status status = ww_file_read_with(j->device, path, what, file, &options);
    j->reading += seconds_now() - began;
    if (status == WW_INVALID && !what.type) {
        job_check(j, status);
        return MISUSED;
    }
    return job_check(j, status);
}

static volatile sig_atomic_t caught;

static void note_signal(int signal) { caught = signal; }

static bool tell_unless_caught(void *context, const char *path, uint64_t done, uint64_t total) {
    tell(context, path, done, total);
    return !caught;
}

int job_write(job *j, const ww_file_output *outputs, size_t count) {
    static const int deadly[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,   SIGALRM,
                                 SIGUSR1, SIGUSR2, SIGIO,  SIGPROF, SIGVTALRM, SIGXCPU};
    enum { DEADLY = sizeof deadly / sizeof deadly[0] };
    struct sigaction old[DEADLY], catching;
    char phase[200];
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = tell_unless_caught;
    options.context = j;
    options.durable = j->durable;

    /* A signal only sets a flag while there are unfinished files; the library asks for it between pieces. One that is
     * ignored (nohup) stays so. */
    memset(&catching, 0, sizeof catching);
    catching.sa_handler = note_signal;
    for (int i = 0; i < DEADLY; i++) {
        sigaction(deadly[i], NULL, &old[i]);
        if (old[i].sa_handler != SIG_IGN) sigaction(deadly[i], &catching, NULL);
    }
    snprintf(phase, sizeof phase, "writing %.180s", strcmp(outputs[0].path, "-") ? outputs[0].path : "standard output");
    progress_phase(j->progress, phase);
    const double began = seconds_now();
    const ww_status status = ww_file_write_all(j->device, outputs, count, &options);
    j->writing += seconds_now() - began;
    for (int i = 0; i < DEADLY; i++) sigaction(deadly[i], &old[i], NULL);
    if (caught) { /* too late to write nothing is not too late to die of it */
        progress_stop(j->progress);
        j->progress = NULL;
        raise(caught);
    }
    return job_check(j, status);
}
