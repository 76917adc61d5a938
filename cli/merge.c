/* warpwise merge: two sorted arrays as one. */
#include "job.h"
#include "sorted.h"
#include "two_inputs.h"

typedef struct request {
    job job;
    const char *files[3];
    ww_file_array a, b;
    ww_array merged;
} request;

static const char *const names[] = {"A", "B", "OUT", NULL};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case ARGP_KEY_ARG:
        take_file(state, argument, names, r->files);
        return 0;
    case ARGP_KEY_END:
        need_files(state, names, r->files);
        check_two_inputs(state, &r->job, r->files);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int merge(request *r) {
    job *j = &r->job;
    int status = read_two_inputs(j, r->files, &r->a, &r->b);
    if (status) return status;
    const ww_array a = r->a.array, b = r->b.array;
    if (need_sorted(j, r->files[0], &a) || need_sorted(j, r->files[1], &b)) return FAILED;
    if (job_room(j, a, a.count + b.count, &r->merged)) return FAILED;
    job_begin(j, "merging", &r->merged);
    status = job_check(j,
                       ww_merge(j->device, NULL, ww_from(a), ww_from(b), ww_no_input, ww_no_input, r->merged, ww_none));
    status = job_end(j, status);
    const ww_file_output output = {r->files[2], ww_from(r->merged)};
    return status ? status : job_write(j, &output, 1);
}

int merge_command(int argc, char **argv) {
    static const char about[] = "Merges A and B, sorted arrays of one type, into OUT, which is sorted."
                                "\v"
                                "Examples:\n"
                                "  warpwise merge --type=u64 monday.bin tuesday.bin both.bin\n"
                                "  warpwise merge old.npy new.npy old.npy\n\n"
                                "Arrays that are not sorted (floats by IEEE 754's total order) are refused, and so are "
                                "records.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp_child children[] = {{&job_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {NULL, parse_option, "A B OUT", about, children, NULL, NULL};
    request r = {.job = {.command = argv[0]}};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = merge(&r);
    job_free(&r.job, &r.merged, 1);
    ww_file_release(r.job.device, &r.a);
    ww_file_release(r.job.device, &r.b);
    return job_close(&r.job, status);
}
