/* warpwise top: the first k elements that sorting would give. */
#include "arguments.h"
#include "job.h"

enum { LARGEST = 1, INDEX };

typedef struct request {
    job job;
    ww_sort_options options;
    const char *index;
    bool counted; /* -k was given */
    uint64_t k;
} request;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
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
    case ARGP_KEY_END:
        if (!r->counted) argp_error(state, "-k N is missing");
        parse_files(key, argument, state, &r->job);
        if (r->index && same_file(r->job.files[1], r->index)) argp_error(state, "OUT and --index-out are one file");
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

static int top(void *argument) {
    request *r = argument;
    job *j = &r->job;
    ww_file_array file;
    ww_array first, positions_out = ww_none;
    int status = job_read(j, j->files[0], j->type, &file);
    if (status) return status;
    const ww_array in = file.array;
    if (need_numbers(j, j->files[0], &in, "order")) return FAILED;
    const uint64_t k = r->k < in.count ? r->k : in.count;
    const ww_input positions = r->index ? ww_counting(&ww_type_uint64_t, 0, in.count) : ww_no_input;
    if (job_room(j, in, k, &first)) return FAILED;
    if (r->index && job_room(j, ww_array_of(NULL, 0, &ww_type_uint64_t), k, &positions_out)) return FAILED;
    job_begin(j, "selecting", &in);
    status = job_check(j, ww_top_k(j->device, ww_from(in), positions, first, positions_out, &r->options));
    status = job_end(j, status);
    const ww_file_output outputs[] = {{j->files[1], ww_from(first)}, {r->index, ww_from(positions_out)}};
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
    static const struct argp argp = {options, parse_option, "-k N IN OUT", about, job_children, NULL, NULL};
    request r = {.job.names = in_and_out, .options = WW_SORT_OPTIONS};
    return job_main(argc, argv, &argp, &r, top);
}
