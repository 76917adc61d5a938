/* warpwise sort: keys, with values or without, in place; records by a part of their bytes, through their order. */
#include <inttypes.h>
#include <string.h>

#include "arguments.h"
#include "job.h"
#include "method.h"
#include "sort_by_bytes.h"

enum { VALUES = 1, VALUES_OUT, VALUES_TYPE, KEY, DESCENDING, METHOD };

typedef struct request {
    job job;
    ww_sort_options options;
    const char *in, *out, *values_in, *values_out;
    ww_array values_type;
    bool by_bytes;
    uint64_t key_offset, key_length;
    ww_file_array keys, values;
    ww_array order, sorted, values_sorted; /* of a sort by bytes */
} request;

/* Names that scripts may use one day; they are not taken for spelling mistakes. */
static const char *const later_methods[] = {"multisplit", "merge",   "merge-search", "quick",
                                            "split1",     "bitonic", "oddeven",      "merge-network"};

static ww_sort_method method_named(const char *name, struct argp_state *state) {
    static const char *const names[] = {[WW_SORT_AUTO] = "auto", [WW_SORT_RADIX] = "radix"};
    for (size_t i = 0; i < sizeof later_methods / sizeof later_methods[0]; i++) {
        if (strcmp(name, later_methods[i]) == 0) {
            argp_error(state, "--method=%s: is not in this version (%s), which has auto and radix", name, ww_version());
        }
    }
    return (ww_sort_method)parse_method(state, name, names, sizeof names / sizeof names[0]);
}

static bool standard(const char *path) { return path && strcmp(path, "-") == 0; }

static void check_together(const request *r, struct argp_state *state) {
    if (!r->out) argp_error(state, "the file %s is missing", r->in ? "OUT" : "IN");
    require_type(state, &r->job, r->in);
    if (r->values_in && !r->values_out) argp_error(state, "--values=F needs --values-out=F");
    if (r->values_out && !r->values_in) argp_error(state, "--values-out=F needs --values=F");
    if (r->values_type.type && !r->values_in) argp_error(state, "--values-type=T needs --values=F");
    if (standard(r->in) && standard(r->values_in))
        argp_error(state, "only one of IN and the values can be standard input");
    if (r->values_out && same_file(r->out, r->values_out)) argp_error(state, "OUT and --values-out are one file");
    if (r->job.type.type == &ww_type_record && !r->by_bytes) {
        argp_error(state, "records are sorted by a part of their bytes: --key=OFF:LEN is missing");
    }
    if (r->by_bytes && r->job.type.type &&
        (r->key_length > r->job.type.size || r->key_offset > r->job.type.size - r->key_length)) {
        argp_error(state, "--key=%" PRIu64 ":%" PRIu64 ": elements have only %zu bytes", r->key_offset, r->key_length,
                   r->job.type.size);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case VALUES:
        r->values_in = argument;
        return 0;
    case VALUES_OUT:
        r->values_out = argument;
        return 0;
    case VALUES_TYPE:
        if (!parse_type(argument, &r->values_type)) argp_error(state, "--values-type=%s: is no type", argument);
        return 0;
    case KEY:
        r->by_bytes = true;
        if (!parse_place(argument, &r->key_offset, &r->key_length)) {
            argp_error(state, "--key=%s: is not OFF:LEN, where the key begins and its bytes", argument);
        }
        return 0;
    case DESCENDING:
        r->options.descending = true;
        return 0;
    case METHOD:
        r->options.method = method_named(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) argp_error(state, "'%s' is one file too many: sort takes IN and OUT", argument);
        *(state->arg_num ? &r->out : &r->in) = argument;
        return 0;
    case ARGP_KEY_END:
        check_together(r, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Raw values have the keys' type unless --values-type says another. */
static int read_inputs(request *r) {
    job *j = &r->job;
    char label[24];
    const int status = job_read(j, r->in, j->type, &r->keys);
    if (status) return status;
    const ww_array *keys = &r->keys.array;
    if (keys->type == &ww_type_record && !r->by_bytes) {
        return job_fail(j, "%s: holds %s; records are sorted with --key=OFF:LEN", r->in, type_label(keys, label));
    }
    if (r->by_bytes && (r->key_length > keys->size || r->key_offset > keys->size - r->key_length)) {
        return job_fail(j, "--key=%" PRIu64 ":%" PRIu64 ": elements of %s have only %zu bytes", r->key_offset,
                        r->key_length, r->in, keys->size);
    }
    if (!r->values_in) return DONE;
    ww_array what = r->values_type;
    if (!what.type && !named_npy(r->values_in)) what = *keys;
    what.data = NULL;
    what.count = 0;
    const int values_status = job_read(j, r->values_in, what, &r->values);
    if (values_status) return values_status;
    if (r->values.array.count != keys->count) {
        return job_fail(j, "%s has %" PRIu64 " keys, %s has %" PRIu64 " values", r->in, keys->count, r->values_in,
                        r->values.array.count);
    }
    return DONE;
}

static int sort_in_place(request *r) {
    job *j = &r->job;
    ww_array keys = ww_none, values = ww_none;
    r->sorted = r->keys.array;
    r->values_sorted = r->values.array;
    int status = job_bring(j, r->sorted, &keys);
    if (!status && r->values_in) status = job_bring(j, r->values_sorted, &values);
    if (!status) {
        const ww_input with = r->values_in ? ww_from(values) : ww_no_input();
        status = job_check(j, ww_sort(j->device, ww_from(keys), with, keys, values, &r->options));
    }
    status = job_take_back(j, status, &keys, r->sorted, true);
    return job_take_back(j, status, &values, r->values_sorted, true);
}

static int gather_values(request *r) {
    job *j = &r->job;
    ww_array values;
    int status = job_bring(j, r->values.array, &values);
    if (!status) status = job_check(j, ww_gather(j->device, values, ww_from(r->order), r->values_sorted));
    return job_take_back(j, status, &values, r->values.array, false);
}

static int sort_through_order(request *r) {
    job *j = &r->job;
    const uint64_t n = r->keys.array.count;
    ww_array keys;
    if (job_room_inside(j, ww_array_of(NULL, 0, &ww_type_uint64_t), n, &r->order) ||
        job_room(j, r->keys.array, n, &r->sorted) ||
        (r->values_in && job_room(j, r->values.array, n, &r->values_sorted))) {
        return FAILED;
    }
    int status = job_bring(j, r->keys.array, &keys);
    if (!status) {
        status = sort_by_bytes(j, keys, (size_t)r->key_offset, (size_t)r->key_length, r->options.descending, r->order);
    }
    if (!status) status = job_check(j, ww_gather(j->device, keys, ww_from(r->order), r->sorted));
    status = job_take_back(j, status, &keys, r->keys.array, false);
    return !status && r->values_in ? gather_values(r) : status;
}

static int sort(request *r) {
    job *j = &r->job;
    int status = read_inputs(r);
    if (status) return status;
    job_begin(j, "sorting", &r->keys.array);
    status = r->by_bytes ? sort_through_order(r) : sort_in_place(r);
    status = job_end(j, status);
    const ww_file_output outputs[] = {{r->out, r->sorted}, {r->values_out, r->values_sorted}};
    return status ? status : job_write(j, outputs, r->values_in ? 2 : 1);
}

int sort_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"values", VALUES, "F", 0, "file of values, one for each key, which go with their keys", 0},
        {"values-out", VALUES_OUT, "F", 0, "where the values go", 0},
        {"values-type", VALUES_TYPE, "T", 0, "type of raw values; default: the keys'", 0},
        {"key", KEY, "OFF:LEN", 0,
         "sort elements, records above all, by LEN of their bytes from OFF, as memcmp compares", 0},
        {"descending", DESCENDING, NULL, 0, "largest first; equal keys keep their order all the same", 0},
        {"method", METHOD, "M", 0, "auto or radix", 0},
        {0}};
    static const char about[] =
        "Sorts the elements of IN into OUT, stably."
        "\v"
        "Examples:\n"
        "  warpwise sort --type=u32 keys.bin sorted.bin\n"
        "  warpwise sort --descending samples.npy samples.npy\n"
        "  warpwise sort --type=u64 --values=rows --values-out=rows.sorted keys sorted\n"
        "  warpwise sort --type=rec:100 --key=0:10 people.bin sorted.bin\n\n"
        "Integers are sorted by value, floats in IEEE 754's total order: -NaN, -inf ... -0.0, 0.0 ... inf, NaN. "
        "Either both OUT and the values are written, or neither.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp_child children[] = {{&job_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "IN OUT", about, children, NULL, NULL};
    request r = {.job = {.command = argv[0]}, .options = WW_SORT_OPTIONS};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = sort(&r);
    if (r.by_bytes) {
        ww_free(r.job.device, r.order.data);
        ww_free(r.job.device, r.sorted.data);
        ww_free(r.job.device, r.values_sorted.data);
    }
    ww_file_release(r.job.device, &r.keys);
    ww_file_release(r.job.device, &r.values);
    return job_close(&r.job, status);
}
