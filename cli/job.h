/* What the subcommands that work on files share: the options --device, --time, --quiet and --type, the files of the line, the
 * device, reading inputs, writing outputs, the clock and the sentence when something fails.
 *
 *     typedef struct request {
 *         job job;                                                  the first member
 *         …
 *     } request;
 *
 *     static error_t parse_option(…)                                its own options; the rest is parse_files's
 *
 *     static int sort(void *argument) {                             the device is open
 *         …
 *         if (job_read(j, j->files[0], j->type, &in)) …
 *         job_begin(j, "sorting", &in.array);
 *         status = job_end(j, job_check(j, ww_sort(…)));
 *         return status ? status : job_write(j, outputs, 1);
 *     }
 *
 *     int sort_command(int argc, char **argv) {
 *         static const struct argp argp = {options, parse_option, "IN OUT", about, job_children, NULL, NULL};
 *         request r = {.job.names = in_and_out};
 *         return job_main(argc, argv, &argp, &r, sort);
 *     }
 *
 * Functions that can fail return an exit status and have printed the sentence. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <argp.h>

#include <warpwise.h>

#include "command.h"
#include "progress.h"
#include "ranks.h"

enum { JOB_FILES = 4, JOB_READS = 4, JOB_ROOMS = 20 };

typedef struct job {
    const char *command;      /* "warpwise sort" */
    const char *const *names; /* what the files of the line are, in order, ended by NULL: "IN", "OUT" */
    const char *files[JOB_FILES];
    const char *device_name;
    uint32_t threads; /* of CPUs that are named without a number; 0: as they have it */
    bool time, quiet;
    bool durable;                /* --fsync */
    bool npy;                    /* --out-type=npy: what goes to standard output is .npy */
    bool any_shape;              /* arrays of several dimensions are read, too */
    bool takes_group;            /* the subcommand has --group */
    mpi_ranks *ranks;            /* of --group; NULL: this process works alone */
    const ww_file_header *shape; /* of the first output, where that is .npy; NULL: one row */
    ww_array type;               /* of --type; type NULL when it was not given */
    ww_device *device;
    bool gpu; /* the emulator is one too */
    progress *progress;
    double reading, working, writing; /* seconds */
    double began;
    uint64_t items;
    char label[24];
    ww_file_array read[JOB_READS]; /* by job_read */
    void *room[JOB_ROOMS];         /* by job_room */
    size_t reads, rooms;
    ww_file_reader *reader; /* by job_pieces, of a file that says this */
    ww_file_header header;
} job;

/* All of a subcommand: reads the line into its request, whose first member is the job, opens the device, does the work, which
 * returns an exit status, and closes. What job_read and job_room gave is given back then. */
int job_main(int argc, char **argv, const struct argp *argp, void *request, int (*work)(void *request));

/* The children of a subcommand's argp: --device and --time; with --type; with --type and, for who writes files, --fsync; with
 * values.h's as well. The parent hands on its job in state->child_inputs[0] (parse_files does), its values in [1]. */
extern const struct argp_child device_children[], input_children[], job_children[], values_children[];

/* What remains of the line besides a subcommand's own options: the job, and its files, none of which may be missing; a raw
 * first one needs --type. For the keys that the subcommand does not know, and for what it adds something to. */
error_t parse_files(int key, char *argument, struct argp_state *state, job *j);
extern const char *const in_and_out[]; /* the names of those that most take */

/* --group, among a subcommand's own options; parse_files takes it. */
enum { JOB_GROUP = 2000 };
#define GROUP_OPTION \
    { \
        "group", JOB_GROUP, "mpi", 0, \
            "work together with the other processes that mpirun started, each on its part of the files", 10 \
    }

/* Parts of that: one more of the files; a usage error when a raw file would be read without --type. */
void take_file(struct argp_state *state, const char *argument, job *j);
void require_type(struct argp_state *state, const job *j, const char *path);

/* A sentence about wrong usage that was only seen after the arguments were read. Returns MISUSED. */
int misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Another failure; returns FAILED. */
int job_fail(job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For whose work is not job_main's: opens the device. job_close frees it and what job_read and job_room gave; prints the line
 * of --time (when status is DONE), and returns the status. */
int job_open(job *j);
int job_close(job *j, int status);

/* DONE, or prints what ww_error says and returns FAILED. The sentence alone, for messages that begin with a file. */
int job_check(job *j, ww_status status);
const char *job_sentence(const job *j, ww_status status);
/* What ww_error says without the function's name. */
const char *without_call(const char *sentence);

/* FAILED, with a sentence, where the array of this file holds records, which have no `what` ("order"). */
int need_numbers(job *j, const char *path, const ww_array *array, const char *what);

/* With --group every file is read and written by all ranks, each its part, and functions that can fail hold the sentence. What
 * only some ranks might see has to be agreed on before the next call of the group's: the status that all have then, and the sum
 * of a number, if not NULL. Without --group it is the status. */
int job_agree(job *j, int status, uint64_t *number);
ww_group *job_group(const job *j); /* NULL without --group */
int job_check_group(job *j, ww_status status);
bool job_prints(const job *j); /* whether this process prints results */

/* Around results on standard output: the line of progress goes; DONE when all could be written. */
void job_quiet(job *j);
int job_printed(job *j);

/* Reads a file. Of a raw one `what` must say the type: else MISUSED. One of several dimensions is refused, unless the job
 * takes any shape. The second says also what that is. The third refuses for who reads by other means. The fourth gives a file
 * back before the job ends. */
int job_read(job *j, const char *path, ww_array what, ww_file_array *file);
int job_read_shaped(job *j, const char *path, ww_array what, ww_file_array *file, ww_file_header *header);
int job_one_row(job *j, const char *path, const ww_file_header *header);
void job_forget(job *j, ww_file_array *file);

/* Reads a file of any size in pieces: opens it, and gives the next piece, of 0 elements at the end. The work on a piece is
 * timed by the last two. */
int job_pieces(job *j, const char *path, ww_array what);
int job_next(job *j, ww_array *piece);
void job_work(job *j);
int job_worked(job *j, int status);

/* Around the work that --time is about. The end waits for a GPU, and is given the work's status and returns it, or a later one.
 */
void job_begin(job *j, const char *what, const ww_array *items);
int job_end(job *j, int status);

/* Memory for `count` elements like those of `like`, which the host and the device reach. */
int job_room(job *j, ww_array like, uint64_t count, ww_array *room);

/* The same for the device alone: on a GPU in its own memory, while there is room. */
int job_room_inside(job *j, ww_array like, uint64_t count, ww_array *room);

/* Gives back what these two made, before the job ends. */
void job_free(job *j, const ww_array *room);

/* For work that goes through an array several times or at random: on a GPU a copy in its own memory, when there is room;
 * else, and on a CPU, the array itself. The second copies back what `back` says and frees the copy; it is given the
 * work's status and returns it, or a later one. */
int job_bring(job *j, ww_array array, ww_array *inside);
int job_take_back(job *j, int status, ww_array *inside, ww_array array, bool back);

/* Writes all outputs or none; on a signal that ends a process it removes what it began, or brings the renaming to its end when
 * that was begun, and dies of the signal. */
int job_write(job *j, const ww_file_output *outputs, size_t count);

/* For what writes files by itself: while it is under way a signal that ends a process only makes job_tell_until_signal say
 * false; afterwards the process dies of it, or the sentence of the status is printed. */
bool job_tell_until_signal(void *job, const char *path, uint64_t done, uint64_t total);
void job_hold_signals(void);
int job_let_signals(job *j, ww_status status);

bool ends_in(const char *path, const char *ending);
bool named_npy(const char *path);
bool same_file(const char *a, const char *b); /* names that would be written to one file */

/* "u32", "rec:24". */
const char *type_label(const ww_array *array, char label[24]);

double seconds_now(void);

#endif
