#include "job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "standard.h"
#include "values.h"

/* ---- options ---- */

enum { DEVICE = 1000, TIME, TYPE, FSYNC, OUT_TYPE, QUIET };

static error_t parse_job_option(int key, char *argument, struct argp_state *state) {
    job *j = state->input;
    switch (key) {
    case DEVICE:
        j->device_name = argument;
        return 0;
    case TIME:
        j->time = true;
        return 0;
    case QUIET:
        j->quiet = true;
        return 0;
    case FSYNC:
        j->durable = true;
        return 0;
    case OUT_TYPE:
        j->npy = strcmp(argument, "npy") == 0;
        if (!j->npy && strcmp(argument, "raw") != 0)
            argp_error(state, "--out-type=%s: is neither npy nor raw", argument);
        return 0;
    case TYPE:
        if (!parse_type(argument, &j->type)) {
            argp_error(state, "--type=%s: is not one of u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f16 bf16 f32 f64 rec:N",
                       argument);
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
     "cpu, cpu:threads=N, cuda, cuda:K, emu or best; default: the device that WARPWISE_DEVICE names, else cpu", \
     10}, \
        {"quiet", QUIET, NULL, 0, "show no progress on a terminal", 10}, { \
        "time", TIME, NULL, 0, "print seconds and rate to standard error", 10 \
    }

#define TYPE_OPTION \
    { "type", TYPE, "T", 0, "element type of raw input (see below)", 1 }

static const struct argp_option only_device[] = {DEVICE_OPTIONS, {0}};
static const struct argp_option device_and_type[] = {TYPE_OPTION, DEVICE_OPTIONS, {0}};
static const struct argp_option device_type_and_output[] = {
    TYPE_OPTION,
    {"out-type", OUT_TYPE, "FORM", 0, "form of standard output: npy or raw; default: raw", 9},
    {"fsync", FSYNC, NULL, 0,
     "flush the output to the disk before it takes the old file's place, and its folder afterwards", 9},
    DEVICE_OPTIONS,
    {0}};

static const struct argp device_options = {only_device, parse_job_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp input_options = {device_and_type, parse_job_option, NULL, NULL, NULL, NULL, NULL};
static const struct argp job_options = {device_type_and_output, parse_job_option, NULL, NULL, NULL, NULL, NULL};

const struct argp_child device_children[] = {{&device_options, 0, NULL, 0}, {0}};
const struct argp_child input_children[] = {{&input_options, 0, NULL, 0}, {0}};
const struct argp_child job_children[] = {{&job_options, 0, NULL, 0}, {0}};
const struct argp_child values_children[] = {{&job_options, 0, NULL, 0}, {&values_options, 0, NULL, 0}, {0}};

void require_type(struct argp_state *state, const job *j, const char *path) {
    const size_t length = strlen(path);
    if (length >= 4 && strcmp(path + length - 4, ".npz") == 0) return; /* whose reading says what it is */
    if (!j->type.type && !named_npy(path) && strcmp(path, "-") != 0) {
        argp_error(state, "%s is raw: --type=T is missing", path);
    }
}

const char *const in_and_out[] = {"IN", "OUT", NULL};

void take_file(struct argp_state *state, const char *argument, job *j) {
    size_t count = 0;
    while (j->names[count]) count++;
    if (state->arg_num < count) {
        j->files[state->arg_num] = argument;
        return;
    }
    char all[64] = "";
    for (size_t i = 0; i < count; i++) {
        strcat(all, i == 0 ? "" : i + 1 < count ? ", " : " and ");
        strcat(all, j->names[i]);
    }
    argp_error(state, "'%s' is one file too many: %s takes %s", argument, strrchr(state->name, ' ') + 1, all);
}

error_t parse_files(int key, char *argument, struct argp_state *state, job *j) {
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = j;
        return 0;
    case ARGP_KEY_ARG:
        take_file(state, argument, j);
        return 0;
    case JOB_GROUP:
        if (strcmp(argument, "mpi")) argp_error(state, "--group=%s: is not mpi", argument);
        return 0;
    case ARGP_KEY_END:
        for (size_t i = 0; j->names[i]; i++)
            if (!j->files[i]) argp_error(state, "the file %s is missing", j->names[i]);
        require_type(state, j, j->files[0]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- sentences ---- */

/* One line, whatever names of files hold. */
static void make_sentence(char text[1024], const char *format, va_list arguments) {
    vsnprintf(text, 1024, format, arguments);
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    }
}

int misuse(const char *command, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    make_sentence(text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", command, text);
    return MISUSED;
}

int job_fail(job *j, const char *format, ...) {
    char text[1024];
    va_list arguments;
    job_quiet(j);
    va_start(arguments, format);
    make_sentence(text, format, arguments);
    va_end(arguments);
    if (j->ranks)
        ranks_hold(j->ranks, text);
    else
        fprintf(stderr, "%s: %s\n", j->command, text);
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

int need_numbers(job *j, const char *path, const ww_array *array, const char *what) {
    char label[24];
    if (array->type != &ww_type_record) return DONE;
    return job_fail(j, "%s: holds %s, and records have no %s", path, type_label(array, label), what);
}

void job_quiet(job *j) {
    progress_stop(j->progress);
    j->progress = NULL;
}

int job_printed(job *j) { return standard_flush() ? DONE : job_fail(j, "standard output cannot be written"); }

int job_check(job *j, ww_status status) { return status == WW_OK ? DONE : job_fail(j, "%s", job_sentence(j, status)); }

/* ---- device, clock ---- */

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int open_device(job *j) {
    ww_device_info info = WW_DEVICE_INFO;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.threads = j->ranks ? ranks_threads(j->ranks) : j->threads;
    if (job_check(j, ww_open_with(j->device_name, &j->device, &options)) ||
        job_check(j, ww_device_info_get(j->device, &info))) {
        return FAILED;
    }
    j->gpu = strcmp(info.backend, "cpu") != 0;
    return DONE;
}

int job_open(job *j) {
    if (!j->quiet && (!j->ranks || ranks_is_first(j->ranks))) j->progress = progress_start(j->command);
    const int status = job_agree(j, open_device(j), NULL);
    return status || !j->ranks ? status : job_check_group(j, ranks_open(j->ranks, j->device));
}

/* ---- ranks ---- */

int job_agree(job *j, int status, uint64_t *number) {
    return j->ranks ? ranks_agree(j->ranks, j->command, status, number) : status;
}

ww_group *job_group(const job *j) { return j->ranks ? ranks_group(j->ranks) : NULL; }

int job_check_group(job *j, ww_status status) {
    if (status == WW_OK) return DONE;
    if (status == WW_LOST) ranks_lost(j->ranks);
    return job_fail(j, "%s", without_call(ww_group_error(job_group(j))));
}

bool job_prints(const job *j) { return !j->ranks || ranks_is_first(j->ranks); }

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

/* ---- memory ---- */

static int room_bytes(job *j, ww_array like, uint64_t count, ww_array *room, uint64_t *bytes) {
    *room = like;
    room->count = count;
    room->data = NULL;
    if (__builtin_mul_overflow(count, like.size, bytes)) {
        return job_fail(j, "%" PRIu64 " elements of %zu bytes do not fit in memory", count, like.size);
    }
    return j->rooms < JOB_ROOMS ? DONE : job_fail(j, "needs more than %d arrays at once", JOB_ROOMS);
}

/* What ww_alloc gave is given back by job_close, or before. */
static int note_room(job *j, ww_status status, const ww_array *room) {
    if (job_check(j, status)) return FAILED;
    if (room->data) j->room[j->rooms++] = room->data;
    return DONE;
}

int job_room(job *j, ww_array like, uint64_t count, ww_array *room) {
    uint64_t bytes;
    if (room_bytes(j, like, count, room, &bytes)) return FAILED;
    return note_room(j, ww_alloc_host(j->device, bytes, &room->data), room);
}

int job_room_inside(job *j, ww_array like, uint64_t count, ww_array *room) {
    uint64_t bytes;
    if (room_bytes(j, like, count, room, &bytes)) return FAILED;
    ww_status status = ww_alloc(j->device, bytes, &room->data);
    if (status == WW_MEMORY && j->gpu) status = ww_alloc_host(j->device, bytes, &room->data);
    return note_room(j, status, room);
}

void job_free(job *j, const ww_array *room) {
    size_t r = 0;
    while (r < j->rooms && j->room[r] != room->data) r++;
    if (r == j->rooms) return;
    ww_free(j->device, j->room[r]);
    j->room[r] = j->room[--j->rooms];
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

/* ---- the end ---- */

int job_close(job *j, int status) {
    job_quiet(j);
    status = job_agree(j, status, &j->items);
    if (status == DONE && j->time && job_prints(j)) {
        const double rate = j->working > 0 ? (double)j->items / j->working / 1e6 : 0;
        fprintf(stderr, "%s: %" PRIu64 " elements of %s in %.6f s, %.1f M/s (reading %.6f s, writing %.6f s)\n",
                j->command, j->items, j->label, j->working, rate, j->reading, j->writing);
    }
    for (size_t r = 0; r < j->rooms; r++) ww_free(j->device, j->room[r]);
    for (size_t f = 0; f < j->reads; f++) ww_file_release(j->device, &j->read[f]);
    j->rooms = j->reads = 0;
    ww_file_close(j->device, j->reader);
    if (j->ranks) ranks_close(j->ranks);
    ww_close(j->device);
    j->device = NULL;
    return status;
}

int job_main(int argc, char **argv, const struct argp *argp, void *request, int (*work)(void *request)) {
    job *const j = request;
    int status = DONE;
    j->command = argv[0];
    if (j->takes_group && ranks_asked(argc, argv)) {
        j->ranks = ranks_begin(j->command, argc, argv, &status);
        if (!j->ranks) return status;
    }
    argp_parse(argp, argc, argv, 0, NULL, request);
    if (j->ranks) ranks_parsed(j->ranks);
    status = job_open(j);
    return job_close(j, status ? status : work(request));
}
