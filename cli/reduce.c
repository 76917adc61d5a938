/* warpwise reduce: one value of a whole array. */
#include <stdio.h>

#include "job.h"
#include "operators.h"
#include "print.h"
#include "standard.h"

typedef struct request {
    job job;
    const ww_function *op;
    const char *op_name, *files[1];
} request;

static const char *const names[] = {"IN", NULL};

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
    case ARGP_KEY_ARG:
        take_file(state, argument, names, r->files);
        return 0;
    case ARGP_KEY_END:
        if (!r->op) argp_error(state, "--op=add|min|max|mul is missing");
        need_files(state, names, r->files);
        require_type(state, &r->job, r->files[0]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int reduce(request *r, ww_file_array *in) {
    static _Alignas(64) unsigned char value[64];
    char text[VALUE_TEXT], label[24];
    job *j = &r->job;
    int status = job_read(j, r->files[0], j->type, in);
    if (status) return status;
    if (in->array.type == &ww_type_record) {
        return job_fail(j, "%s: holds %s, and records have no %s", r->files[0], type_label(&in->array, label),
                        r->op_name);
    }
    job_begin(j, "reducing", &in->array);
    status = job_check(j, ww_reduce(j->device, r->op, ww_from(in->array), ww_array_of(value, 1, in->array.type)));
    status = job_end(j, status);
    if (status) return status;
    progress_stop(j->progress);
    j->progress = NULL;
    if (!in->array.count) {
        fprintf(stderr, "%s: %s is empty; the value is what %s begins with\n", j->command, r->files[0], r->op_name);
    }
    printf("%s\n", value_text(in->array.type, value, text));
    return standard_flush() ? DONE : job_fail(j, "standard output cannot be written");
}

int reduce_command(int argc, char **argv) {
    static const struct argp_option options[] = {{"op", 'o', "OP", 0, "add, min, max or mul", 0}, {0}};
    static const char about[] =
        "Prints the sum, the smallest, the largest or the product of all elements of IN, as one line."
        "\v"
        "Examples:\n"
        "  warpwise reduce --op=add --type=u64 sizes.bin\n"
        "  warpwise reduce --op=max samples.npy\n"
        "  head -c 4096 /dev/urandom | warpwise reduce --op=min --type=i32 -\n\n"
        "Integers wrap around in their type. The value has as many digits as read back to the same value. "
        "A NaN makes min and max NaN. Of no elements the result is 0 (add), 1 (mul), the type's largest value (min) or "
        "smallest (max), which is said on standard error. Floats give the same bits with any number of threads.\n" FILES_HELP
        "\n" STATUS_HELP;
    static const struct argp_child children[] = {{&input_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "IN", about, children, NULL, NULL};
    request r = {.job = {.command = argv[0]}};
    ww_file_array in = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = reduce(&r, &in);
    ww_file_release(r.job.device, &in);
    return job_close(&r.job, status);
}
