/* warpwise pack: keeps the elements whose flag is not 0. */
#include "job.h"

#include <inttypes.h>
#include <string.h>

enum { FLAGS = 1 };

typedef struct request {
    job job;
    const char *flags, *files[2];
} request;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case FLAGS:
        r->flags = argument;
        return 0;
    case ARGP_KEY_ARG:
        take_file(state, argument, in_and_out, r->files);
        return 0;
    case ARGP_KEY_END:
        if (!r->flags) argp_error(state, "--flags=F is missing");
        need_files(state, in_and_out, r->files);
        if (strcmp(r->flags, "-") == 0 && strcmp(r->files[0], "-") == 0) {
            argp_error(state, "only one of IN and the flags can be standard input");
        }
        require_type(state, &r->job, r->files[0]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int pack(request *r, ww_file_array *in, ww_file_array *flags, ww_array *out) {
    job *j = &r->job;
    uint64_t kept = 0;
    int status = job_read(j, r->files[0], j->type, in);
    if (!status) status = job_read(j, r->flags, ww_array_of(NULL, 0, &ww_type_uint8_t), flags);
    if (status) return status;
    if (in->array.count != flags->array.count) {
        return job_fail(j, "%s has %" PRIu64 " elements, %s has %" PRIu64 " flags", r->files[0], in->array.count, r->flags,
                        flags->array.count);
    }
    if (job_room(j, in->array, in->array.count, out)) return FAILED;
    job_begin(j, "packing", &in->array);
    status = job_check(j,
                       ww_pack(j->device, ww_from(in->array), ww_from(flags->array), *out, ww_array(&kept, 1), NULL));
    status = job_end(j, status);
    out->count = kept;
    const ww_file_output output = {r->files[1], ww_from(*out)};
    return status ? status : job_write(j, &output, 1);
}

int pack_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"flags", FLAGS, "F", 0, "file of u8 (or a .npy of bool), one for each element of IN: not zero keeps it", 0},
        {0}};
    static const char about[] = "Writes to OUT the elements of IN whose flag is not zero, in their order."
                                "\v"
                                "Examples:\n"
                                "  warpwise pack --type=f32 --flags=valid.bin samples.bin kept.bin\n"
                                "  warpwise pack --flags=mask.npy table.npy selected.npy\n"
                                "  warpwise pack --type=rec:100 --flags=keep.bin people.bin chosen.bin\n" FILES_HELP
                                "\n" STATUS_HELP;
    static const struct argp_child children[] = {{&job_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "IN OUT", about, children, NULL, NULL};
    request r = {.job = {.command = argv[0]}};
    ww_file_array in = {0}, flags = {0};
    ww_array out = ww_none;
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = pack(&r, &in, &flags, &out);
    ww_file_release(r.job.device, &in);
    ww_file_release(r.job.device, &flags);
    if (out.data) ww_free(r.job.device, out.data);
    return job_close(&r.job, status);
}
