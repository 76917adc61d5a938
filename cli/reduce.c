/* warpwise reduce: one value of a whole array. */
#include <stdio.h>

#include "operators.h"
#include "print.h"

typedef struct request {
    job job;
    operation op;
} request;

static const char *const names[] = {"IN", NULL};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case 'o':
        parse_operation(state, argument, &r->op);
        return 0;
    case ARGP_KEY_END:
        need_operation(state, &r->op);
        return parse_files(key, argument, state, &r->job);
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

static int reduce(void *argument) {
    static _Alignas(64) unsigned char value[64];
    char text[VALUE_TEXT];
    request *r = argument;
    job *j = &r->job;
    ww_file_array in;
    int status = job_read(j, j->files[0], j->type, &in);
    if (status) return status;
    if (need_numbers(j, j->files[0], &in.array, r->op.name)) return FAILED;
    job_begin(j, "reducing", &in.array);
    status = job_check(j,
                       ww_reduce(j->device, r->op.function, ww_from(in.array), ww_array_of(value, 1, in.array.type)));
    status = job_end(j, status);
    if (status) return status;
    job_quiet(j);
    if (!in.array.count)
        fprintf(stderr, "%s: %s is empty; the value is what %s begins with\n", j->command, j->files[0], r->op.name);
    printf("%s\n", value_text(in.array.type, value, text));
    return job_printed(j);
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
    static const struct argp argp = {options, parse_option, "IN", about, input_children, NULL, NULL};
    request r = {.job.names = names};
    return job_main(argc, argv, &argp, &r, reduce);
}
