#include "values.h"

#include <inttypes.h>
#include <string.h>

#include "arguments.h"

enum { IN = 1, OUT, TYPE };

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    values *v = state->input;
    switch (key) {
    case IN:
        v->in = argument;
        return 0;
    case OUT:
        v->out = argument;
        return 0;
    case TYPE:
        if (!parse_type(argument, &v->type)) argp_error(state, "--values-type=%s: is not a type", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"values", IN, "F", 0, "file of values, one for each key, which are moved with their keys", 0},
    {"values-out", OUT, "F", 0, "file for the moved values", 0},
    {"values-type", TYPE, "T", 0, "type of raw values; default: the keys'", 0},
    {0}};

const struct argp values_options = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

static bool standard(const char *path) { return path && strcmp(path, "-") == 0; }

void check_values(struct argp_state *state, const values *v, const char *keys_in) {
    if (v->in && !v->out) argp_error(state, "--values=F needs --values-out=F");
    if (v->out && !v->in) argp_error(state, "--values-out=F needs --values=F");
    if (v->type.type && !v->in) argp_error(state, "--values-type=T needs --values=F");
    if (standard(keys_in) && standard(v->in)) argp_error(state, "only one of IN and the values can be standard input");
}

int read_values(job *j, values *v, const char *keys_in, const ww_array *keys) {
    ww_array what = v->type;
    if (!v->in) return DONE;
    if (!what.type && !named_npy(v->in)) what = *keys;
    what.data = NULL;
    what.count = 0;
    const int status = job_read(j, v->in, what, &v->file);
    if (status) return status;
    if (v->file.array.count != keys->count) {
        return job_fail(j, "%s has %" PRIu64 " keys, %s has %" PRIu64 " values", keys_in, keys->count, v->in,
                        v->file.array.count);
    }
    return DONE;
}
