/* warpwise scan: running sums, products, minima, maxima, computed in place. */
#include "job.h"
#include "method.h"
#include "operators.h"

#include <string.h>

typedef struct request {
    job job;
    const ww_function *op;
    ww_scan_options options;
    const char *op_name, *files[2];
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
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case 'o':
        r->op_name = argument;
        r->op = operator_named(argument);
        if (!r->op) argp_error(state, "--op=%s: is none of add, min, max, mul", argument);
        return 0;
    case EXCLUSIVE:
        r->options.exclusive = true;
        return 0;
    case METHOD:
        r->options.method = method_named(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        take_file(state, argument, in_and_out, r->files);
        return 0;
    case ARGP_KEY_END:
        if (!r->op) argp_error(state, "--op=add|min|max|mul is missing");
        need_files(state, in_and_out, r->files);
        require_type(state, &r->job, r->files[0]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int scan(request *r, ww_file_array *in) {
    char label[24];
    job *j = &r->job;
    int status = job_read(j, r->files[0], j->type, in);
    if (status) return status;
    if (in->array.type == &ww_type_record) {
        return job_fail(j, "%s: holds %s, and records have no %s", r->files[0], type_label(&in->array, label), r->op_name);
    }
    job_begin(j, "scanning", &in->array);
    status = job_check(j, ww_scan(j->device, r->op, ww_from(in->array), in->array, &r->options));
    status = job_end(j, status);
    const ww_file_output output = {r->files[1], ww_from(in->array)};
    return status ? status : job_write(j, &output, 1);
}

int scan_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"op", 'o', "OP", 0, "add, min, max or mul", 0},
        {"exclusive", EXCLUSIVE, NULL, 0, "leave out the element itself: begin with 0 (add), 1 (mul), …", 0},
        {"method", METHOD, "M", 0, "auto, lookback, hillis-steele or blelloch; all give the same integers", 0},
        {0}};
    static const char about[] =
        "Writes to OUT the running sum (or minimum, maximum, product) of IN: element i is that of elements 0 to i."
        "\v"
        "Examples:\n"
        "  warpwise scan --op=add --type=u32 counts.bin ends.bin\n"
        "  warpwise scan --op=add --exclusive --type=u64 sizes.bin begins.npy\n"
        "  warpwise scan --op=max prices.npy highs.npy\n\n"
        "Integers wrap around in their type. Floats give the same bits with any number of threads; on a GPU sums and "
        "products of floats may differ in their last bits.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp_child children[] = {{&job_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "IN OUT", about, children, NULL, NULL};
    request r = {.job = {.command = argv[0]}, .options = WW_SCAN_OPTIONS};
    ww_file_array in = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = scan(&r, &in);
    ww_file_release(r.job.device, &in);
    return job_close(&r.job, status);
}
