/* warpwise unique: the distinct elements of a sorted array, and how often each occurs. */
#include "job.h"
#include "sorted.h"

enum { COUNTS = 1 };

typedef struct request {
    job job;
    const char *counts;
} request;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case COUNTS:
        r->counts = argument;
        return 0;
    case ARGP_KEY_END:
        parse_files(key, argument, state, &r->job);
        if (r->counts && same_file(r->job.files[1], r->counts)) argp_error(state, "OUT and --counts are the same file");
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

static int unique(void *argument) {
    request *r = argument;
    job *j = &r->job;
    ww_file_array file;
    ww_array kept, lengths = ww_none;
    uint64_t runs = 0;
    int status = job_read(j, j->files[0], j->type, &file);
    if (status) return status;
    const ww_array in = file.array;
    if (in.type != &ww_type_record && need_sorted(j, j->files[0], &in)) return FAILED;
    if (job_room(j, in, in.count, &kept)) return FAILED;
    if (r->counts && job_room(j, ww_array_of(NULL, 0, &ww_type_uint64_t), in.count, &lengths)) return FAILED;
    job_begin(j, "looking for runs", &in);
    status = job_check(j, r->counts ? ww_run_lengths(j->device, ww_from(in), kept, lengths, ww_array(&runs, 1))
                                    : ww_unique(j->device, ww_from(in), kept, ww_array(&runs, 1)));
    status = job_end(j, status);
    ww_file_output outputs[] = {{j->files[1], ww_from(kept)}, {r->counts, ww_from(lengths)}};
    outputs[0].in.count = outputs[1].in.count = runs;
    return status ? status : job_write(j, outputs, r->counts ? 2 : 1);
}

int unique_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"counts", COUNTS, "F", 0, "file for the number of times that each element occurs in IN (u64)", 0}, {0}};
    static const char about[] =
        "Writes the distinct elements of IN, which must be sorted, to OUT."
        "\v"
        "Examples:\n"
        "  warpwise unique sorted.npy distinct.npy\n"
        "  warpwise sort --type=u32 words.bin - | warpwise unique --type=u32 --counts=n.bin - words.bin\n\n"
        "Elements are equal when their bytes are: 0.0 and -0.0 are different. An array that is not sorted is refused; "
        "records, which have no order, need not be sorted, and one is written for each run of equal ones. Either both "
        "OUT and the counts are written, or neither.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN OUT", about, job_children, NULL, NULL};
    request r = {.job.names = in_and_out};
    return job_main(argc, argv, &argp, &r, unique);
}
