/* warpwise sort: keys, with values or without, in place; records by a part of their bytes; files larger than memory. */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "arguments.h"
#include "devices.h"
#include "job.h"
#include "option.h"
#include "values.h"

enum { KEY = 1, DESCENDING, METHOD, BITS, DIGIT_BITS, INDEX, MEMORY, FOLDER };

typedef struct request {
    job job;
    ww_sort_options options;
    const char *index; /* of --index-out, or NULL */
    values values;
    bool by_bytes, by_options; /* --key; what only sorts of numbers have */
    uint64_t key_offset, key_length;
    uint64_t memory;       /* of --memory; 0: it was not given */
    const char *folder;    /* of --tmp, or NULL */
    ww_file_header header; /* of a file of any size */
    ww_file_array keys;
    device_list devices;                   /* of --device, where that names several */
    ww_array order, sorted, values_sorted; /* not in place: of a sort by bytes with values, or with --index-out */
} request;

static ww_sort_method method_named(const char *name, struct argp_state *state) {
    static const char *const names[] = {[WW_SORT_AUTO] = "auto",
                                        [WW_SORT_RADIX] = "radix",
                                        [WW_SORT_MULTISPLIT] = "multisplit",
                                        [WW_SORT_SPLIT1] = "split1",
                                        [WW_SORT_QUICK] = "quick",
                                        [WW_SORT_MERGE] = "merge",
                                        [WW_SORT_MERGE_SEARCH] = "merge-search",
                                        [WW_SORT_BITONIC] = "bitonic",
                                        [WW_SORT_MERGE_NETWORK] = "merge-network",
                                        [WW_SORT_ODDEVEN] = "oddeven",
                                        [WW_SORT_MERGE_PLAIN] = "merge-plain"};
    return (ww_sort_method)parse_method(state, name, names, sizeof names / sizeof names[0]);
}

static bool bits_are_outside(const request *r, const ww_array *keys) {
    const uint64_t bits = 8 * (uint64_t)keys->size;
    return (uint64_t)r->options.bit_first + r->options.bit_count > bits;
}

static void check_together(const request *r, struct argp_state *state) {
    check_values(state, &r->values, r->job.files[0]);
    if (r->values.out && same_file(r->job.files[1], r->values.out))
        argp_error(state, "OUT and --values-out are the same file");
    if (r->index && (same_file(r->index, r->job.files[1]) || (r->values.out && same_file(r->index, r->values.out)))) {
        argp_error(state, "--index-out and another output are the same file");
    }
    if (r->job.type.type == &ww_type_record && !r->by_bytes) {
        argp_error(state, "records are sorted by a part of their bytes: --key=OFF:LEN is missing");
    }
    if (r->memory && (r->values.in || r->index)) {
        argp_error(state, "--memory sorts one file into another, and cannot be combined with %s",
                   r->index ? "--index-out" : "--values");
    }
    if (r->job.ranks && (r->memory || r->index || r->by_bytes)) {
        argp_error(state, "--group sorts numbers, with values or without: not with --memory, --index-out or --key");
    }
    if (r->devices.count && (r->memory || r->index || r->by_bytes)) {
        argp_error(
            state,
            "several devices sort numbers, with or without values, and cannot be combined with --memory, --index-out or --key");
    }
    if (r->folder && !r->memory) argp_error(state, "--tmp=DIR needs --memory=BYTES");
    if (r->by_bytes && r->by_options) {
        argp_error(state, "--method, --bits and --digit-bits are for sorting numbers, not for --key=OFF:LEN");
    }
    if (r->options.digit_bits && r->options.method != WW_SORT_MULTISPLIT) {
        argp_error(state, "--digit-bits is for --method=multisplit");
    }
    if (r->job.type.type && bits_are_outside(r, &r->job.type)) {
        argp_error(state, "--bits=%" PRIu32 ":%" PRIu32 ": elements have only %zu bits", r->options.bit_first,
                   r->options.bit_count, 8 * r->job.type.size);
    }
    if (r->by_bytes && r->job.type.type &&
        (r->key_length > r->job.type.size || r->key_offset > r->job.type.size - r->key_length)) {
        argp_error(state, "--key=%" PRIu64 ":%" PRIu64 ": elements have only %zu bytes", r->key_offset, r->key_length,
                   r->job.type.size);
    }
}

static void parse_bits(request *r, const char *text, struct argp_state *state) {
    uint64_t first, count;
    if (!parse_place(text, &first, &count)) {
        argp_error(state, "--bits=%s: is not FIRST:COUNT, the lowest bit and how many", text);
    }
    r->options.bit_first = (uint32_t)first;
    r->options.bit_count = (uint32_t)count;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    uint64_t digit_bits;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &r->values;
        return parse_files(key, argument, state, &r->job);
    case KEY:
        r->by_bytes = true;
        if (!parse_place(argument, &r->key_offset, &r->key_length)) {
            argp_error(state, "--key=%s: is not OFF:LEN, where the key begins and its bytes", argument);
        }
        return 0;
    case INDEX:
        r->index = argument;
        return 0;
    case MEMORY:
        if (!parse_bytes(argument, &r->memory))
            argp_error(state,
                       "--memory=%s: is not a number of bytes (K, M, G and T after it: times 2^10, 2^20, 2^30, 2^40)",
                       argument);
        return 0;
    case FOLDER:
        r->folder = argument;
        return 0;
    case DESCENDING:
        r->options.descending = true;
        return 0;
    case METHOD:
        r->options.method = method_named(argument, state);
        r->by_options = true;
        return 0;
    case BITS:
        parse_bits(r, argument, state);
        r->by_options = true;
        return 0;
    case DIGIT_BITS:
        if (!parse_count(argument, 4, 8, &digit_bits)) argp_error(state, "--digit-bits=%s: is not 4 to 8", argument);
        r->options.digit_bits = (uint32_t)digit_bits;
        r->by_options = true;
        return 0;
    case ARGP_KEY_END:
        parse_files(key, argument, state, &r->job);
        take_devices(state, &r->job, &r->devices);
        share_devices(&r->job, &r->devices);
        check_together(r, state);
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

static int read_inputs(request *r) {
    job *j = &r->job;
    char label[24];
    const int status = job_read(j, r->job.files[0], j->type, &r->keys);
    if (status) return status;
    const ww_array *keys = &r->keys.array;
    if (keys->type == &ww_type_record && !r->by_bytes) {
        return job_fail(j, "%s: holds %s; records are sorted with --key=OFF:LEN", r->job.files[0],
                        type_label(keys, label));
    }
    if (r->by_bytes && (r->key_length > keys->size || r->key_offset > keys->size - r->key_length)) {
        return job_fail(j, "--key=%" PRIu64 ":%" PRIu64 ": elements of %s have only %zu bytes", r->key_offset,
                        r->key_length, r->job.files[0], keys->size);
    }
    if (bits_are_outside(r, keys)) {
        job_fail(j, "--bits=%" PRIu32 ":%" PRIu32 ": elements of %s have only %zu bits", r->options.bit_first,
                 r->options.bit_count, r->job.files[0], 8 * keys->size);
        return MISUSED;
    }
    return read_values(j, &r->values, r->job.files[0], keys);
}

/* However large they are: a GPU sorts what its memory holds at a time. */
static int sort_numbers(request *r) {
    job *j = &r->job;
    r->sorted = r->keys.array;
    r->values_sorted = r->values.file.array;
    if (j->ranks) {
        const ww_input values = r->values.in ? ww_from(r->values_sorted) : ww_no_input;
        return job_check_group(
            j, ww_group_sort(job_group(j), ww_from(r->sorted), values, r->sorted, r->values_sorted, &r->options));
    }
    if (r->devices.count) return sort_on_devices(j, &r->devices, r->sorted, r->values_sorted, &r->options);
    return job_check(j, ww_sort_large(j->device, ww_from(r->sorted), ww_from(r->values_sorted), r->sorted,
                                      r->values_sorted, &r->options));
}

static int sort_records(request *r) {
    job *j = &r->job;
    ww_array records;
    r->sorted = r->keys.array;
    int status = job_bring(j, r->sorted, &records);
    if (!status) {
        status = job_check(
            j, ww_sort_records(j->device, r->key_offset, r->key_length, ww_from(records), records, &r->options));
    }
    return job_take_back(j, status, &records, r->sorted, true);
}

static int gather_in_order(request *r, int status, ww_array array, ww_array inside, ww_array to) {
    job *j = &r->job;
    if (!status) status = job_check(j, ww_gather(j->device, ww_from(inside), ww_from(r->order), to));
    return job_take_back(j, status, &inside, array, false);
}

static int order_of(request *r, ww_array keys) {
    job *j = &r->job;
    const ww_input in = ww_from(keys);
    return job_check(j, r->by_bytes
                            ? ww_sort_records_index(j->device, r->key_offset, r->key_length, in, r->order, &r->options)
                            : ww_sort_index(j->device, in, r->order, &r->options));
}

/* Keys and values are moved by one order, which may be an output too. */
static int sort_by_order(request *r) {
    job *j = &r->job;
    const uint64_t n = r->keys.array.count;
    const ww_array values_array = r->values.file.array, number = ww_array_of(NULL, 0, &ww_type_uint64_t);
    ww_array keys, values;
    if ((r->index ? job_room : job_room_inside)(j, number, n, &r->order) || job_room(j, r->keys.array, n, &r->sorted) ||
        (r->values.in && job_room(j, values_array, n, &r->values_sorted))) {
        return FAILED;
    }
    int status = job_bring(j, r->keys.array, &keys);
    if (!status) status = order_of(r, keys);
    status = gather_in_order(r, status, r->keys.array, keys, r->sorted);
    if (status || !r->values.in) return status;
    status = job_bring(j, values_array, &values);
    return gather_in_order(r, status, values_array, values, r->values_sorted);
}

/* What --time is to say: the elements of the output, or its bytes where only a header knows the type. */
static void count_items(job *j) {
    struct stat status;
    const ww_array what = j->type.type ? j->type : ww_array_of(NULL, 0, &ww_type_uint8_t);
    type_label(&what, j->label);
    if (stat(j->files[1], &status) == 0) j->items = (uint64_t)status.st_size / what.size;
}

/* One of several dimensions is stopped before anything is written. */
static bool tell_of_one_row(void *context, const char *path, uint64_t done, uint64_t total) {
    request *r = context;
    return r->header.dimensions < 2 && job_tell_until_signal(&r->job, path, done, total);
}

/* In as much memory as was asked for. --time counts reading and writing, which go on at the same time. */
static int sort_file(request *r) {
    job *j = &r->job;
    char phase[200];
    ww_sort_file_options options = WW_SORT_FILE_OPTIONS;
    options.memory = r->memory;
    options.folder = r->folder;
    options.key_first = r->key_offset;
    options.key_bytes = r->key_length;
    options.durable = j->durable;
    options.npy = j->npy;
    options.header = &r->header;
    options.progress = tell_of_one_row;
    options.context = r;
    snprintf(phase, sizeof phase, "sorting %.180s", strcmp(j->files[0], "-") ? j->files[0] : "standard input");
    progress_phase(j->progress, phase);
    job_hold_signals();
    j->began = seconds_now();
    const ww_status status = ww_sort_file(j->device, j->files[0], j->type, j->files[1], &r->options, &options);
    j->working += seconds_now() - j->began;
    if (j->time) count_items(j);
    const bool is_one_row = r->header.dimensions < 2;
    const int failed = job_let_signals(j, is_one_row ? status : WW_OK);
    if (!failed && !is_one_row) return job_one_row(j, j->files[0], &r->header);
    return failed && status == WW_INVALID && !j->type.type ? MISUSED : failed;
}

static int sort(void *argument) {
    request *r = argument;
    job *j = &r->job;
    if (r->memory) return sort_file(r);
    int status = job_agree(j, read_inputs(r), NULL);
    if (status) return status;
    job_begin(j, "sorting", &r->keys.array);
    status = r->index || (r->by_bytes && r->values.in) ? sort_by_order(r)
             : r->by_bytes                             ? sort_records(r)
                                                       : sort_numbers(r);
    status = job_end(j, status);
    ww_file_output outputs[3] = {{r->job.files[1], ww_from(r->sorted)}};
    size_t count = 1;
    if (r->values.in) outputs[count++] = (ww_file_output){r->values.out, ww_from(r->values_sorted)};
    if (r->index) outputs[count++] = (ww_file_output){r->index, ww_from(r->order)};
    return status ? status : job_write(j, outputs, count);
}

int sort_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"key", KEY, "OFF:LEN", 0,
         "sort elements, mostly records, by LEN of their bytes from OFF on, as memcmp compares them", 0},
        {"index-out", INDEX, "F", 0, "file for the position in IN of each element of OUT (u64, from 0)", 0},
        {"memory", MEMORY, "BYTES", 0,
         "sort a file of any size in this much memory (512M, 2G): larger files are sorted by way of a temporary file",
         0},
        {"tmp", FOLDER, "DIR", 0,
         "with --memory: folder of the temporary file, which never has a name; default: "
         "TMPDIR, else /tmp",
         0},
        {"descending", DESCENDING, NULL, 0, "largest first; equal keys still keep their order", 0},
        {"method", METHOD, "M", 0,
         "auto, radix, multisplit, split1, quick, merge, merge-plain, merge-search, bitonic, merge-network or oddeven",
         0},
        {"bits", BITS, "FIRST:COUNT", 0, "sort integers only by the COUNT bits from bit FIRST on, as unsigned numbers",
         0},
        {"digit-bits", DIGIT_BITS, "N", 0, "for method multisplit: bits of a digit, 4 to 8; default: 8", 0},
        GROUP_OPTION,
        {0}};
    static const char about[] =
        "Sorts the elements of IN into OUT, stably."
        "\v"
        "Examples:\n"
        "  warpwise sort --type=u32 keys.bin sorted.bin\n"
        "  warpwise sort --descending samples.npy samples.npy\n"
        "  warpwise sort --type=u64 --values=rows --values-out=rows.sorted keys sorted\n"
        "  warpwise sort --type=rec:100 --key=0:10 people.bin sorted.bin\n"
        "  warpwise sort --type=u64 --memory=512M --tmp=/scratch huge.bin sorted.bin\n"
        "  warpwise sort --type=u32 --device=cuda:0-3 keys.bin sorted.bin\n"
        "  mpirun -n 4 warpwise sort --type=u32 --group=mpi keys.bin sorted.bin\n\n"
        "Several devices (--device=cuda:0-3, --device=cpu,cuda) sort together, each some chunks of IN; the result "
        "is the same. " GROUP_HELP
        "Integers are sorted by value, floats in IEEE 754's total order: -NaN, -inf ... -0.0, 0.0 ... inf, NaN. "
        "Either OUT, the values and the positions are all written, or none.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN OUT", about, values_children, NULL, NULL};
    request r = {.job.names = in_and_out, .job.takes_group = true, .options = WW_SORT_OPTIONS};
    return job_main(argc, argv, &argp, &r, sort);
}
