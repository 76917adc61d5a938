/* warpwise reduce: one value of a whole array. */
#include <stdio.h>
#include <string.h>

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

enum { LARGEST = 64 }; /* bytes of a number, with room */

/* What came before, and a piece's result, are two neighbours; what they give comes behind them. Of one piece the result is the
 * piece's. */
static int reduce_piece(request *r, const ww_array *piece, unsigned char values[3 * LARGEST], bool first) {
    job *j = &r->job;
    const size_t size = piece->size;
    const ww_array both = ww_array_of(values, 2, piece->type), so_far = ww_array_of(values, 1, piece->type);
    const ww_array of_piece = ww_array_of(values + size, 1, piece->type);
    const ww_array together = ww_array_of(values + 2 * LARGEST, 1, piece->type);
    job_work(j);
    int status = job_check(j, ww_reduce(j->device, r->op.function, ww_from(*piece), first ? so_far : of_piece));
    if (!status && !first) status = job_check(j, ww_reduce(j->device, r->op.function, ww_from(both), together));
    status = job_worked(j, status);
    if (!first) memcpy(values, together.data, size);
    return status;
}

static int reduce(void *argument) {
    static _Alignas(64) unsigned char values[3 * LARGEST];
    char text[VALUE_TEXT];
    request *r = argument;
    job *j = &r->job;
    ww_array piece;
    int status = job_pieces(j, j->files[0], j->type);
    if (!status) status = job_next(j, &piece);
    if (status) return status;
    if (need_numbers(j, j->files[0], &piece, r->op.name)) return FAILED;
    for (bool first = true; first || piece.count; first = false) {
        status = reduce_piece(r, &piece, values, first);
        if (!status) status = job_next(j, &piece);
        if (status) return status;
    }
    job_quiet(j);
    if (!j->items)
        fprintf(stderr, "%s: %s is empty; the value is what %s begins with\n", j->command, j->files[0], r->op.name);
    printf("%s\n", value_text(piece.type, values, text));
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
        "smallest (max), which is said on standard error. Floats give the same bits with any number of threads. "
        "Files may have any size: they are read in pieces of 32 MiB, whose results are combined in order.\n" FILES_HELP
        "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN", about, input_children, NULL, NULL};
    request r = {.job.names = names};
    return job_main(argc, argv, &argp, &r, reduce);
}
