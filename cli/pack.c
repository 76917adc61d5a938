/* warpwise pack: keeps the elements whose flag is not 0. */
#include "job.h"

#include <inttypes.h>
#include <string.h>

enum { FLAGS = 1 };

typedef struct request {
    job job;
    const char *flags;
} request;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case FLAGS:
        r->flags = argument;
        return 0;
    case ARGP_KEY_END:
        if (!r->flags) argp_error(state, "--flags=F is missing");
        parse_files(key, argument, state, &r->job);
        if (strcmp(r->flags, "-") == 0 && strcmp(r->job.files[0], "-") == 0)
            argp_error(state, "only one of IN and the flags can be standard input");
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

static int pack(void *argument) {
    request *r = argument;
    job *j = &r->job;
    ww_file_array in, flags;
    ww_array out;
    uint64_t kept = 0;
    int status = job_read(j, j->files[0], j->type, &in);
    if (!status) status = job_read(j, r->flags, ww_array_of(NULL, 0, &ww_type_uint8_t), &flags);
    if (status) return status;
    if (in.array.count != flags.array.count)
        return job_fail(j, "%s has %" PRIu64 " elements, %s has %" PRIu64 " flags", j->files[0], in.array.count,
                        r->flags, flags.array.count);
    if (job_room(j, in.array, in.array.count, &out)) return FAILED;
    job_begin(j, "packing", &in.array);
    status = job_check(j, ww_pack(j->device, ww_from(in.array), ww_from(flags.array), out, ww_array(&kept, 1), NULL));
    status = job_end(j, status);
    out.count = kept;
    const ww_file_output output = {j->files[1], ww_from(out)};
    return status ? status : job_write(j, &output, 1);
}

int pack_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"flags", FLAGS, "F", 0,
         "file of u8 (or a .npy of bool), one for each element of IN: those that are not zero "
         "keep it",
         0},
        {0}};
    static const char about[] = "Writes to OUT the elements of IN whose flag is not zero, in their order."
                                "\v"
                                "Examples:\n"
                                "  warpwise pack --type=f32 --flags=valid.bin samples.bin kept.bin\n"
                                "  warpwise pack --flags=mask.npy table.npy selected.npy\n"
                                "  warpwise pack --type=rec:100 --flags=keep.bin people.bin chosen.bin\n" FILES_HELP
                                "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN OUT", about, job_children, NULL, NULL};
    request r = {.job.names = in_and_out};
    return job_main(argc, argv, &argp, &r, pack);
}
