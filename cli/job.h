/* What the subcommands that work on files share: the options --device, --time and --type, the device, reading inputs,
 * writing outputs, the clock and the sentence when something fails.
 *
 *     struct argp_child children[] = {{&job_options, 0, NULL, 0}, {0}};          options of every subcommand
 *     …
 *     if (job_open(&j) || job_read(&j, "IN", j.type, &in)) return job_close(&j, FAILED);
 *     job_begin(&j, "sorting", in.array.count, "u32");
 *     … if (job_check(&j, ww_sort(…))) …
 *     status = job_end(&j, status);
 *     return job_close(&j, job_write(&j, outputs, 1));
 *
 * Functions that can fail return an exit status and have printed the sentence. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <argp.h>

#include <warpwise.h>

#include "command.h"
#include "progress.h"

typedef struct job {
    const char *command; /* "warpwise sort" */
    const char *device_name;
    bool time;
    bool durable;  /* --fsync */
    ww_array type; /* of --type; type NULL when it was not given */
    ww_device *device;
    bool gpu; /* the emulator is one too */
    progress *progress;
    double reading, working, writing; /* seconds */
    double began;
    uint64_t items;
    char label[24];
} job;

/* --device and --time; with --type; with --type and, for who writes files, --fsync. The parent hands on its job in
 * state->child_inputs. */
extern const struct argp device_options, input_options, job_options;

/* Ends with a usage error when a raw file would be read without --type. */
void require_type(struct argp_state *state, const job *j, const char *path);

/* The files that a line names after its options, in order: `names` says what each is ("IN", "OUT"), ended by NULL, and `files`
 * has as many places. The first takes one more, the second ends with a usage error where one is missing. */
void take_file(struct argp_state *state, const char *argument, const char *const *names, const char **files);
void need_files(struct argp_state *state, const char *const *names, const char *const *files);
extern const char *const in_and_out[]; /* the names of those that most take */

/* A sentence about wrong usage that was only seen after the arguments were read. Returns MISUSED. */
int misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Another failure; returns FAILED. */
int job_fail(job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

int job_open(job *j);

/* DONE, or prints what ww_error says and returns FAILED. The sentence alone, for messages that begin with a file. */
int job_check(job *j, ww_status status);
const char *job_sentence(const job *j, ww_status status);
/* What ww_error says without the function's name. */
const char *without_call(const char *sentence);

/* Reads a file. Of a raw one `what` must say the type: else MISUSED. */
int job_read(job *j, const char *path, ww_array what, ww_file_array *file);

/* Around the work that --time is about. The end waits for a GPU, and is given the work's status and returns it, or a later one.
 */
void job_begin(job *j, const char *what, const ww_array *items);
int job_end(job *j, int status);

/* Memory for `count` elements like those of `like`, which the host and the device reach. */
int job_room(job *j, ww_array like, uint64_t count, ww_array *room);

/* The same for the device alone: on a GPU in its own memory, while there is room. */
int job_room_inside(job *j, ww_array like, uint64_t count, ww_array *room);

/* Gives back what these two made; arrays without memory are passed by. */
void job_free(job *j, const ww_array *rooms, size_t count);

/* For work that goes through an array several times or at random: on a GPU a copy in its own memory, when there is room;
 * else, and on a CPU, the array itself. The second copies back what `back` says and frees the copy; it is given the
 * work's status and returns it, or a later one. */
int job_bring(job *j, ww_array array, ww_array *inside);
int job_take_back(job *j, int status, ww_array *inside, ww_array array, bool back);

/* Writes all outputs or none; on a signal that ends a process it removes what it began, or brings the renaming to its end when
 * that was begun, and dies of the signal. */
int job_write(job *j, const ww_file_output *outputs, size_t count);

/* Prints the line of --time (when status is DONE), frees the device, returns the status. */
int job_close(job *j, int status);

bool named_npy(const char *path);
bool same_file(const char *a, const char *b); /* names that would be written to one file */

/* "u32", "rec:24". */
const char *type_label(const ww_array *array, char label[24]);

double seconds_now(void);

#endif
