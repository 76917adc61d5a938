/* warpwise unique: the distinct elements of a sorted array, and how often each stands there. */
#include "job.h"
#include "sorted.h"

enum { COUNTS = 1 };

typedef struct request {
    job job;
    const char *files[2], *counts;
    ww_file_array in;
    ww_array kept, lengths;
} request;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case COUNTS:
        r->counts = argument;
        return 0;
    case ARGP_KEY_ARG:
        take_file(state, argument, in_and_out, r->files);
        return 0;
    case ARGP_KEY_END:
        need_files(state, in_and_out, r->files);
        require_type(state, &r->job, r->files[0]);
        if (r->counts && same_file(r->files[1], r->counts)) argp_error(state, "OUT and --counts are one file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int unique(request *r) {
    job *j = &r->job;
    uint64_t runs = 0;
    int status = job_read(j, r->files[0], j->type, &r->in);
    if (status) return status;
    const ww_array in = r->in.array;
    if (in.type != &ww_type_record && need_sorted(j, r->files[0], &in)) return FAILED;
    if (job_room(j, in, in.count, &r->kept)) return FAILED;
    if (r->counts && job_room(j, ww_array_of(NULL, 0, &ww_type_uint64_t), in.count, &r->lengths)) return FAILED;
    job_begin(j, "looking for runs", &in);
    status = job_check(j, r->counts ? ww_run_lengths(j->device, ww_from(in), r->kept, r->lengths, ww_array(&runs, 1))
                                    : ww_unique(j->device, ww_from(in), r->kept, ww_array(&runs, 1)));
    status = job_end(j, status);
    ww_file_output outputs[] = {{r->files[1], ww_from(r->kept)}, {r->counts, ww_from(r->lengths)}};
    outputs[0].in.count = outputs[1].in.count = runs;
    return status ? status : job_write(j, outputs, r->counts ? 2 : 1);
}

int unique_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"counts", COUNTS, "F", 0, "where it goes how often each element stands in IN (u64)", 0}, {0}};
    static const char about[] =
        "Writes the distinct elements of IN, which is sorted, to OUT."
        "\v"
        "Examples:\n"
        "  warpwise unique sorted.npy distinct.npy\n"
        "  warpwise sort --type=u32 words.bin - | warpwise unique --type=u32 --counts=n.bin - words.bin\n\n"
        "Elements are equal when their bytes are: 0.0 and -0.0 are two. An array that is not sorted is "
        "refused; records, which have no order, are taken as they come, and one is written for each run "
        "of equal ones. Either both OUT and the counts are written, or neither.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp_child children[] = {{&job_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "IN OUT", about, children, NULL, NULL};
    request r = {.job = {.command = argv[0]}};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = unique(&r);
    job_free(&r.job, (ww_array[]){r.kept, r.lengths}, 2);
    ww_file_release(r.job.device, &r.in);
    return job_close(&r.job, status);
}
