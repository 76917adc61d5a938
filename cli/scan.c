/* warpwise scan: running sums, products, minima, maxima, computed in place. */
#include "operators.h"
#include "option.h"

typedef struct request {
    job job;
    operation op;
    ww_scan_options options;
} request;

static ww_scan_method method_named(const char *name, struct argp_state *state) {
    static const char *const names[] = {[WW_SCAN_AUTO] = "auto",
                                        [WW_SCAN_LOOKBACK] = "lookback",
                                        [WW_SCAN_HILLIS_STEELE] = "hillis-steele",
                                        [WW_SCAN_BLELLOCH] = "blelloch"};
    return (ww_scan_method)parse_method(state, name, names, sizeof names / sizeof names[0]);
}

enum { EXCLUSIVE = 1, METHOD };

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case 'o':
        parse_operation(state, argument, &r->op);
        return 0;
    case EXCLUSIVE:
        r->options.exclusive = true;
        return 0;
    case METHOD:
        r->options.method = method_named(argument, state);
        return 0;
    case ARGP_KEY_END:
        need_operation(state, &r->op);
        return parse_files(key, argument, state, &r->job);
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

static int scan(void *argument) {
    request *r = argument;
    job *j = &r->job;
    ww_file_array in;
    int status = job_read(j, j->files[0], j->type, &in);
    if (status) return status;
    if (need_numbers(j, j->files[0], &in.array, r->op.name)) return FAILED;
    job_begin(j, "scanning", &in.array);
    status = job_check(j, ww_scan(j->device, r->op.function, ww_from(in.array), in.array, &r->options));
    status = job_end(j, status);
    const ww_file_output output = {j->files[1], ww_from(in.array)};
    return status ? status : job_write(j, &output, 1);
}

int scan_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"op", 'o', "OP", 0, "add, min, max or mul", 0},
        {"exclusive", EXCLUSIVE, NULL, 0, "exclude the element itself: begin with 0 (add), 1 (mul), …", 0},
        {"method", METHOD, "M", 0, "auto, lookback, hillis-steele or blelloch; all give the same integers", 0},
        {0}};
    static const char about[] =
        "Writes to OUT the running sum (or minimum, maximum, product) of IN: element i is that of elements 0 to i."
        "\v"
        "Examples:\n"
        "  warpwise scan --op=add --type=u32 counts.bin ends.bin\n"
        "  warpwise scan --op=add --exclusive --type=u64 sizes.bin begins.npy\n"
        "  warpwise scan --op=max prices.npy highs.npy\n\n"
        "Integers wrap around in their type. Floats give the same bits with any number of threads; on a GPU, sums and "
        "products of floats may differ in their last bits.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN OUT", about, job_children, NULL, NULL};
    request r = {.job.names = in_and_out, .options = WW_SCAN_OPTIONS};
    return job_main(argc, argv, &argp, &r, scan);
}
