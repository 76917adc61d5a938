/* warpwise split: keys, with values or without, to buckets, stably; records by some of their bits, through their order. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "job.h"
#include "option.h"
#include "values.h"

enum { BUCKETS = 1, BY, OFFSETS, METHOD };
enum { MOST_BITS = 30 };

typedef enum rule { BY_NOTHING, BY_DELTA, BY_BITS, BY_EDGES } rule;

typedef struct request {
    job job;
    ww_multisplit_options options;
    const char *offsets_out;
    values values;
    uint64_t buckets;
    rule by;
    const char *by_text;
    ww_delta delta;
    uint64_t bit_first, bit_count;
    number_list edges;
    ww_file_array keys;
    ww_array edge_elements, split, values_split, offsets;
} request;

/* ---- arguments ---- */

static ww_multisplit_method method_named(const char *name, struct argp_state *state) {
    static const char *const names[] = {[WW_MULTISPLIT_AUTO] = "auto",
                                        [WW_MULTISPLIT_DIRECT] = "direct",
                                        [WW_MULTISPLIT_WARP] = "warp",
                                        [WW_MULTISPLIT_BLOCK] = "block",
                                        [WW_MULTISPLIT_REDUCED_BIT] = "reduced-bit",
                                        [WW_MULTISPLIT_RECURSIVE] = "recursive",
                                        [WW_MULTISPLIT_ONEPASS] = "onepass"};
    return (ww_multisplit_method)parse_method(state, name, names, sizeof names / sizeof names[0]);
}

/* "a,b,…": also none or one. */
static bool parse_edge_list(const char *text, number_list *edges, size_t *wrong) {
    if (!*text) return true;
    return parse_edges(text, edges, wrong) || (edges->list && edges->count == 1 && !strchr(text, ','));
}

static void parse_by(request *r, const char *text, struct argp_state *state) {
    size_t wrong;
    if (r->by) argp_error(state, "--by=%s: --by was given before", text);
    r->by_text = text;
    if (strncmp(text, "delta:", 6) == 0) {
        r->by = BY_DELTA;
        if (!parse_count(text + 6, 1, UINT64_MAX, &r->delta.width)) {
            argp_error(state, "--by=%s: the width is not a number from 1 to 2^64 - 1", text);
        }
    } else if (strncmp(text, "bits:", 5) == 0) {
        r->by = BY_BITS;
        if (!parse_place(text + 5, &r->bit_first, &r->bit_count) || r->bit_count > MOST_BITS) {
            argp_error(state, "--by=%s: is not bits:LO:COUNT, the lowest bit and how many, up to %d", text, MOST_BITS);
        }
    } else if (strncmp(text, "edges:", 6) == 0) {
        r->by = BY_EDGES;
        if (!parse_edge_list(text + 6, &r->edges, &wrong)) {
            argp_error(state, "--by=edges: the one at place %zu is not a number, or not above the one before",
                       wrong + 1);
        }
    } else {
        argp_error(state, "--by=%s: is not one of delta:W, bits:LO:COUNT, edges:a,b,...", text);
    }
}

/* The sentence about keys that are not split this way, or NULL. */
static const char *wrong_keys(const request *r, const ww_array *keys) {
    if (r->by == BY_BITS) return NULL;
    if (keys->type == &ww_type_record) return "records are split by bits:LO:COUNT";
    return r->by == BY_DELTA && keys->type->kind == WW_KIND_FLOAT ? "floats are split by edges, or by bits" : NULL;
}

static bool bits_are_outside(const request *r, const ww_array *keys) {
    const uint64_t bits = 8 * (uint64_t)keys->size;
    return r->by == BY_BITS && (r->bit_count > bits || r->bit_first > bits - r->bit_count);
}

static void check_together(const request *r, struct argp_state *state) {
    const char *const outputs[] = {r->job.files[1], r->values.out, r->offsets_out};
    static const char *const names[] = {"OUT", "--values-out", "--offsets"};
    if (!r->buckets) argp_error(state, "--buckets=M is missing");
    if (!r->by) argp_error(state, "--by=delta:W, --by=bits:LO:COUNT or --by=edges:a,b,... is missing");
    if (r->by == BY_EDGES && r->edges.count + 1 != r->buckets) {
        argp_error(state, "%zu edges make %zu buckets, --buckets=%" PRIu64, r->edges.count, r->edges.count + 1,
                   r->buckets);
    }
    check_values(state, &r->values, r->job.files[0]);
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < a; b++)
            if (outputs[a] && outputs[b] && same_file(outputs[a], outputs[b]))
                argp_error(state, "%s and %s are the same file", names[b], names[a]);
    if (!r->job.type.type) return;
    const char *wrong = wrong_keys(r, &r->job.type);
    if (wrong) argp_error(state, "--by=%s: %s", r->by_text, wrong);
    if (bits_are_outside(r, &r->job.type)) {
        argp_error(state, "--by=%s: elements have only %zu bits", r->by_text, 8 * r->job.type.size);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &r->values;
        return parse_files(key, argument, state, &r->job);
    case BUCKETS:
        if (!parse_count(argument, 1, WW_BUCKETS_MOST, &r->buckets)) {
            argp_error(state, "--buckets=%s: is not a number from 1 to %d", argument, WW_BUCKETS_MOST);
        }
        return 0;
    case BY:
        parse_by(r, argument, state);
        return 0;
    case OFFSETS:
        r->offsets_out = argument;
        return 0;
    case METHOD:
        r->options.method = method_named(argument, state);
        return 0;
    case ARGP_KEY_END:
        parse_files(key, argument, state, &r->job);
        check_together(r, state);
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

/* ---- inputs ---- */

/* Edges as elements of the keys' type. */
static int settle_edges(request *r) {
    job *j = &r->job;
    const ww_array *keys = &r->keys.array;
    if (job_room(j, *keys, r->edges.count, &r->edge_elements)) return FAILED;
    for (size_t e = 0; e < r->edges.count; e++) {
        unsigned char *to = (unsigned char *)r->edge_elements.data + e * keys->size;
        char label[24];
        if (!put_number(&r->edges.list[e], keys->type, to))
            return job_fail(j, "--by=edges: the one at place %zu is not a %s", e + 1, type_label(keys, label));
    }
    return DONE;
}

static int read_inputs(request *r) {
    job *j = &r->job;
    char label[24];
    const ww_array *keys = &r->keys.array;
    const int status = job_read(j, r->job.files[0], j->type, &r->keys);
    if (status) return status;
    const char *wrong = wrong_keys(r, keys);
    if (wrong) return job_fail(j, "%s: holds %s; %s", r->job.files[0], type_label(keys, label), wrong);
    if (bits_are_outside(r, keys)) {
        return job_fail(j, "--by=%s: elements of %s have only %zu bits", r->by_text, r->job.files[0], 8 * keys->size);
    }
    if (r->by == BY_EDGES && settle_edges(r)) return FAILED;
    return read_values(j, &r->values, r->job.files[0], keys);
}

/* ---- splitting ---- */

/* Floats' bits are those of numbers of their size. */
static ww_array as_bits(const request *r, ww_array keys) {
    if (r->by == BY_BITS && keys.type->kind == WW_KIND_FLOAT)
        keys.type = keys.size == 4 ? &ww_type_uint32_t : &ww_type_uint64_t;
    return keys;
}

static ww_status multisplit(request *r, ww_array keys, ww_array values) {
    ww_device *device = r->job.device;
    const ww_input with = r->values.in ? ww_from(values) : ww_no_input;
    const ww_input in = ww_from(as_bits(r, keys));
    const ww_array out = as_bits(r, r->split);
    const ww_bits bits = {(uint32_t)r->bit_first, (uint32_t)r->bit_count};
    if (r->by == BY_EDGES)
        return ww_multisplit_edges(device, in, with, ww_from(r->edge_elements), out, r->values_split, r->offsets,
                                   &r->options);
    return ww_multisplit(device, r->by == BY_BITS ? ww_with(ww_by_bits, &bits) : ww_with(ww_by_delta, &r->delta),
                         r->buckets, in, with, out, r->values_split, r->offsets, &r->options);
}

static int split_keys(request *r) {
    job *j = &r->job;
    ww_array keys = ww_none, values = ww_none;
    int status = job_bring(j, r->keys.array, &keys);
    if (!status && r->values.in) status = job_bring(j, r->values.file.array, &values);
    if (!status) status = job_check(j, multisplit(r, keys, values));
    status = job_take_back(j, status, &keys, r->keys.array, false);
    return job_take_back(j, status, &values, r->values.file.array, false);
}

/* A record whose bucket is not below M; `begins` says where the buckets of all bits begin in the order. */
static int refuse_record(job *j, const request *r, const uint64_t *begins, const ww_array *order) {
    const uint64_t *positions = order->data;
    uint64_t first = UINT64_MAX;
    for (uint64_t b = r->buckets; b < (uint64_t)1 << r->bit_count; b++) {
        if (begins[b] < begins[b + 1] && positions[begins[b]] < first) first = positions[begins[b]];
    }
    return job_fail(j, "keys[%" PRIu64 "]: --by=%s gives no bucket below %" PRIu64, first, r->by_text, r->buckets);
}

/* The order of the records, and where buckets begin: in the offsets, of which there may be more than buckets of these bits. */
static int order_records(request *r, ww_array keys, ww_array order) {
    job *j = &r->job;
    const uint64_t all = (uint64_t)1 << r->bit_count;
    const bool refuses = r->buckets < all;
    ww_array begins = ww_none;
    if ((refuses || r->offsets_out) && job_room(j, order, all + 1, &begins)) return FAILED;
    int status = job_check(j,
                           ww_split_gather_index(j->device, r->bit_first, r->bit_count, ww_from(keys), order, begins));
    if (!status) status = job_check(j, ww_sync(j->device));
    const uint64_t *from = begins.data;
    if (!status && refuses && from[r->buckets] < keys.count) status = refuse_record(j, r, from, &order);
    if (!status && r->offsets_out) {
        uint64_t *to = r->offsets.data;
        for (uint64_t b = 0; b <= r->buckets; b++) to[b] = from[b < all ? b : all];
    }
    job_free(j, &begins);
    return status;
}

static int gather(job *j, ww_array from, ww_array order, ww_array to) {
    ww_array inside;
    int status = job_bring(j, from, &inside);
    if (!status) status = job_check(j, ww_gather(j->device, ww_from(inside), ww_from(order), to));
    return job_take_back(j, status, &inside, from, false);
}

static int split_records(request *r) {
    job *j = &r->job;
    ww_array keys, order;
    if (job_room(j, ww_array_of(NULL, 0, &ww_type_uint64_t), r->keys.array.count, &order)) return FAILED;
    int status = job_bring(j, r->keys.array, &keys);
    if (!status) status = order_records(r, keys, order);
    if (!status) status = job_check(j, ww_gather(j->device, ww_from(keys), ww_from(order), r->split));
    status = job_take_back(j, status, &keys, r->keys.array, false);
    if (!status && r->values.in) status = gather(j, r->values.file.array, order, r->values_split);
    if (!status) status = job_check(j, ww_sync(j->device));
    job_free(j, &order);
    return status;
}

static int make_rooms(request *r) {
    job *j = &r->job;
    const uint64_t n = r->keys.array.count;
    r->split = r->values_split = r->offsets = ww_none;
    if (job_room(j, r->keys.array, n, &r->split)) return FAILED;
    if (r->values.in && job_room(j, r->values.file.array, n, &r->values_split)) return FAILED;
    return r->offsets_out ? job_room(j, ww_array_of(NULL, 0, &ww_type_uint64_t), r->buckets + 1, &r->offsets) : DONE;
}

static int split(void *argument) {
    request *r = argument;
    job *j = &r->job;
    ww_file_output outputs[3];
    size_t many = 0;
    int status = read_inputs(r);
    if (!status) status = make_rooms(r);
    if (status) return status;
    job_begin(j, "splitting", &r->keys.array);
    status = r->keys.array.type == &ww_type_record ? split_records(r) : split_keys(r);
    status = job_end(j, status);
    outputs[many++] = (ww_file_output){r->job.files[1], ww_from(r->split)};
    if (r->values.in) outputs[many++] = (ww_file_output){r->values.out, ww_from(r->values_split)};
    if (r->offsets_out) outputs[many++] = (ww_file_output){r->offsets_out, ww_from(r->offsets)};
    return status ? status : job_write(j, outputs, many);
}

int split_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"buckets", BUCKETS, "M", 0, "number of buckets, up to 2^30", 0},
        {"by", BY, "RULE", 0,
         "a key's bucket: delta:W is the key divided by W, bits:LO:COUNT its COUNT bits from LO on, edges:a,b,... the "
         "number of the M-1 ascending edges that are not above it",
         0},
        {"offsets", OFFSETS, "F", 0,
         "file for the position in OUT at which each bucket begins, and the number of "
         "keys: M+1 of u64",
         0},
        {"method", METHOD, "M", 0, "auto, direct, warp, block, reduced-bit, recursive or onepass", 0},
        {0}};
    static const char about[] =
        "Splits the elements of IN into buckets: OUT holds bucket 0, then bucket 1, ..., each in the order of IN."
        "\v"
        "Examples:\n"
        "  warpwise split --type=u32 --buckets=32 --by=delta:1000 keys.bin out.bin\n"
        "  warpwise split --buckets=256 --by=bits:24:8 --offsets=begins.npy keys.npy out.npy\n"
        "  warpwise split --type=f32 --buckets=3 --by=edges:0,1 --values=rows --values-out=rows.split x.bin out.bin\n"
        "  warpwise split --type=rec:100 --buckets=16 --by=bits:4:4 people.bin out.bin\n\n"
        "A key whose bucket is M or more, or below 0, is refused. A key equal to an edge belongs to the bucket above "
        "it. Bits are counted from the lowest of the first byte. Records are split by bits only, whatever the method. "
        "All outputs are written, or none.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN OUT", about, values_children, NULL, NULL};
    request r = {.job.names = in_and_out, .options = WW_MULTISPLIT_OPTIONS};
    const int status = job_main(argc, argv, &argp, &r, split);
    free(r.edges.list);
    return status;
}
