/* warpwise top: the first k elements that sorting would give. */
#include "arguments.h"
#include "job.h"

enum { LARGEST = 1, INDEX };

typedef struct request {
    job job;
    ww_sort_options options;
    const char *files[2], *index;
    bool counted; /* -k was given */
    uint64_t k;
    ww_file_array in;
    ww_array first, positions;
} request;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case 'k':
        r->counted = true;
        if (!parse_count(argument, 0, UINT64_MAX, &r->k))
            argp_error(state, "-k %s: is no number of elements", argument);
        return 0;
    case LARGEST:
        r->options.descending = true;
        return 0;
    case INDEX:
        r->index = argument;
        return 0;
    case ARGP_KEY_ARG:
        take_file(state, argument, in_and_out, r->files);
        return 0;
    case ARGP_KEY_END:
        if (!r->counted) argp_error(state, "-k N is missing");
        need_files(state, in_and_out, r->files);
        require_type(state, &r->job, r->files[0]);
        if (r->index && same_file(r->files[1], r->index)) argp_error(state, "OUT and --index-out are one file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int top(request *r) {
    job *j = &r->job;
    char label[24];
    int status = job_read(j, r->files[0], j->type, &r->in);
    if (status) return status;
    const ww_array in = r->in.array;
    if (in.type == &ww_type_record) {
        return job_fail(j, "%s: holds %s, and records have no order", r->files[0], type_label(&in, label));
    }
    const uint64_t k = r->k < in.count ? r->k : in.count;
    const ww_input positions = r->index ? ww_counting(&ww_type_uint64_t, 0, in.count) : ww_no_input;
    if (job_room(j, in, k, &r->first)) return FAILED;
    if (r->index && job_room(j, ww_array_of(NULL, 0, &ww_type_uint64_t), k, &r->positions)) return FAILED;
    job_begin(j, "selecting", &in);
    status = job_check(j, ww_top_k(j->device, ww_from(in), positions, r->first, r->positions, &r->options));
    status = job_end(j, status);
    const ww_file_output outputs[] = {{r->files[1], ww_from(r->first)}, {r->index, ww_from(r->positions)}};
    return status ? status : job_write(j, outputs, r->index ? 2 : 1);
}

int top_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"count", 'k', "N", 0, "how many; all, in order, where IN has no more", 0},
        {"largest", LARGEST, NULL, 0, "the largest, in descending order", 0},
        {"index-out", INDEX, "F", 0, "where the positions of these elements in IN go (u64, from 0)", 0},
        {0}};
    static const char about[] =
        "Writes the N smallest elements of IN to OUT, in order; of equal ones those that come first."
        "\v"
        "Examples:\n"
        "  warpwise top -k 100 --type=f32 distances.bin nearest.bin\n"
        "  warpwise top -k 10 --largest --index-out=where.npy sizes.npy largest.npy\n\n"
        "Integers are ordered by value, floats by IEEE 754's total order: -NaN, -inf ... -0.0, 0.0 ... inf, NaN. "
        "Either both OUT and the positions are written, or neither.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp_child children[] = {{&job_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "-k N IN OUT", about, children, NULL, NULL};
    request r = {.job = {.command = argv[0]}, .options = WW_SORT_OPTIONS};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = top(&r);
    job_free(&r.job, (ww_array[]){r.first, r.positions}, 2);
    ww_file_release(r.job.device, &r.in);
    return job_close(&r.job, status);
}
