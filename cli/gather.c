/* warpwise gather: elements by their positions. */
#include "job.h"

#include "arguments.h"

#include <string.h>

enum { INDEX_TYPE = 1 };

typedef struct request {
    job job;
    ww_array index_type;
    ww_file_array in, index;
    ww_file_header in_shape, index_shape, out_shape;
    ww_array from, out; /* rows of IN, which are elements where it has one dimension */
} request;

static const char *const names[] = {"IN", "INDEX", "OUT", NULL};

static bool is_index(const ww_array *a) {
    return a->type == &ww_type_uint64_t || a->type == &ww_type_uint32_t || a->type == &ww_type_int64_t ||
           a->type == &ww_type_int32_t;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case INDEX_TYPE:
        if (!parse_type(argument, &r->index_type) || !is_index(&r->index_type))
            argp_error(state, "--index-type=%s: is not one of u64, u32, i64, i32", argument);
        return 0;
    case ARGP_KEY_END:
        parse_files(key, argument, state, &r->job);
        if (strcmp(r->job.files[0], "-") == 0 && strcmp(r->job.files[1], "-") == 0)
            argp_error(state, "only one of IN and INDEX can be standard input");
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

/* A GPU says at the next synchronisation that a position is too large. */
static int gather_from(request *r, ww_array from) {
    job *j = &r->job;
    ww_status status = ww_gather(j->device, ww_from(from), ww_from(r->index.array), r->out);
    if (!status) status = ww_sync(j->device);
    return status == WW_RANGE ? job_fail(j, "%s: %s", j->files[1], job_sentence(j, status)) : job_check(j, status);
}

/* As numpy.take does it along the first axis: the positions' shape, and in each place a row's. */
static int shape_rows(request *r) {
    job *j = &r->job;
    const ww_file_header *in = &r->in_shape, *index = &r->index_shape;
    ww_file_header *out = &r->out_shape;
    uint64_t bytes = r->in.array.size;
    r->from = r->in.array;
    *out = *index;
    if (in->dimensions < 2) return DONE;
    if (index->dimensions + in->dimensions - 1 > WW_FILE_DIMENSIONS)
        return job_fail(j, "%s: the result would have more than %d dimensions", j->files[1], WW_FILE_DIMENSIONS);
    for (uint64_t d = 1; d < in->dimensions; d++) {
        out->shape[out->dimensions++] = in->shape[d];
        if (__builtin_mul_overflow(bytes, in->shape[d], &bytes)) bytes = 0;
    }
    if (!bytes || bytes > UINT32_MAX) return job_fail(j, "%s: its rows have no elements, or too many", j->files[0]);
    r->from = ww_records(r->in.array.data, in->shape[0], (size_t)bytes);
    return DONE;
}

/* What is written: the rows' elements. */
static ww_array elements_of(const request *r) {
    ww_array out = r->in.array;
    out.data = r->out.data;
    out.count = r->out.count * (r->out.size / out.size);
    return out;
}

static int gather(void *argument) {
    request *r = argument;
    job *j = &r->job;
    char label[24];
    ww_array what = r->index_type, inside;
    if (!what.type && !named_npy(j->files[1])) what = ww_array_of(NULL, 0, &ww_type_uint64_t);
    j->any_shape = true;
    int status = job_read_shaped(j, j->files[0], j->type, &r->in, &r->in_shape);
    if (!status) status = job_read_shaped(j, j->files[1], what, &r->index, &r->index_shape);
    if (!status) status = shape_rows(r);
    if (status) return status;
    const ww_array index = r->index.array;
    if (!is_index(&index))
        return job_fail(j, "%s: holds %s; positions are u64, u32, i64 or i32", j->files[1], type_label(&index, label));
    if (job_room(j, r->from, index.count, &r->out)) return FAILED;
    job_begin(j, "gathering", &r->out);
    status = job_bring(j, r->from, &inside);
    if (!status) status = gather_from(r, inside);
    status = job_end(j, job_take_back(j, status, &inside, r->from, false));
    j->shape = &r->out_shape;
    const ww_file_output output = {j->files[2], ww_from(elements_of(r))};
    return status ? status : job_write(j, &output, 1);
}

int gather_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"index-type", INDEX_TYPE, "T", 0, "type of a raw INDEX: u64 (as other commands write it), u32, i64 or i32", 0},
        {0}};
    static const char about[] =
        "Writes to OUT the elements of IN at the positions in INDEX, in the order of INDEX."
        "\v"
        "Examples:\n"
        "  warpwise gather --type=rec:100 people.bin order.bin sorted.bin\n"
        "  warpwise gather names.npy index.npy chosen.npy\n\n"
        "Positions are counted from 0 and may occur any number of times; one that is negative, or not below the number "
        "of elements, is refused. In a .npy of several dimensions they are positions of rows, and the shape of OUT is "
        "INDEX's followed by that of a row, as with numpy.take along the first axis.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN INDEX OUT", about, job_children, NULL, NULL};
    request r = {.job.names = names};
    return job_main(argc, argv, &argp, &r, gather);
}
