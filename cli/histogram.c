/* warpwise histogram: how many elements lie in each of a row of ranges.
 *
 * An upper end may be one above the type's largest value (0:256 of bytes). Such ends are no elements of the type, so the
 * elements are widened as they are read: u8 as u16 … u64 as u128; i64, which has no wider type, with 2^63 added. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "devices.h"
#include "job.h"
#include "option.h"
#include "print.h"

#define WIDENED(narrow, wide) WW_MAP(widened_##narrow, wide, narrow, x, void, none, { return (wide)x; })
WIDENED(uint8_t, uint16_t);
WIDENED(uint16_t, uint32_t);
WIDENED(uint32_t, uint64_t);
WIDENED(int8_t, int16_t);
WIDENED(int16_t, int32_t);
WIDENED(int32_t, int64_t);
#if WW_HAS_U128
WIDENED(uint64_t, ww_u128);
WW_MAP(widened_int64_t, ww_u128, int64_t, x, void, none, { return (ww_u128)((uint64_t)x + 0x8000000000000000u); });
#endif

typedef struct wider {
    const ww_type *narrow, *wide;
    const ww_function *map;
    magnitude added;
} wider;

#define WIDER(narrow, wide, added) \
    { &ww_type_##narrow, &ww_type_##wide, &widened_##narrow##_ww, added }
static const wider widers[] = {
    WIDER(uint8_t, uint16_t, 0),  WIDER(uint16_t, uint32_t, 0),
    WIDER(uint32_t, uint64_t, 0), WIDER(int8_t, int16_t, 0),
    WIDER(int16_t, int32_t, 0),   WIDER(int32_t, int64_t, 0),
#if WW_HAS_U128
    WIDER(uint64_t, ww_u128, 0),  WIDER(int64_t, ww_u128, (magnitude)1 << 63),
#endif
};

enum { BINS = 1, RANGE, EDGES, METHOD, MOST_BINS = 1 << 24 };

typedef struct request {
    job job;
    uint64_t bins;
    ww_histogram_options options;
    const char *range_text, *edges_text;
    number range[2];
    number_list edges;
    /* The ends as elements that are counted among: two of a range, all of edges. */
    const ww_type *counted;   /* their type: the elements', or a wider one, … */
    const ww_function *widen; /* … to which this brings elements; or NULL */
    ww_array places;          /* 16 bytes for each end, which a GPU's kernels reach */
    unsigned char *ends;
    ww_array counts, of_piece;
    device_list devices; /* of --device, with --group */
} request;

/* ---- arguments ---- */

static ww_histogram_method method_named(const char *name, struct argp_state *state) {
    static const char *const names[] = {
        [WW_HISTOGRAM_AUTO] = "auto", [WW_HISTOGRAM_SHARED] = "shared", [WW_HISTOGRAM_WARP] = "warp"};
    return (ww_histogram_method)parse_method(state, name, names, sizeof names / sizeof names[0]);
}

static void parse_edges_option(request *r, const char *text, struct argp_state *state) {
    size_t wrong;
    r->edges_text = text;
    if (parse_edges(text, &r->edges, &wrong)) return;
    if (r->edges.list && r->edges.count == 1 && wrong == 0)
        argp_error(state, "--edges=%s: at least two are needed", text);
    argp_error(state, "--edges: the one at place %zu is not a number, or not above the one before", wrong + 1);
}

static void check_together(const request *r, struct argp_state *state) {
    if (!r->job.files[0]) argp_error(state, "the file IN is missing");
    require_type(state, &r->job, r->job.files[0]);
    if (r->edges_text && r->range_text) argp_error(state, "--edges and --range exclude each other");
    if (!r->edges_text && !r->range_text) argp_error(state, "--bins=M --range=LO:HI or --edges=a,b,... is missing");
    if (r->range_text && !r->bins) argp_error(state, "--range needs --bins=M");
    if (r->edges_text && r->bins && r->bins != r->edges.count - 1) {
        argp_error(state, "%zu edges make %zu bins, --bins=%" PRIu64, r->edges.count, r->edges.count - 1, r->bins);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case BINS:
        if (!parse_count(argument, 1, MOST_BINS, &r->bins)) {
            argp_error(state, "--bins=%s: is not a number from 1 to %d", argument, MOST_BINS);
        }
        return 0;
    case RANGE:
        r->range_text = argument;
        if (!parse_range(argument, r->range)) argp_error(state, "--range=%s: is not LO:HI with LO below HI", argument);
        return 0;
    case EDGES:
        parse_edges_option(r, argument, state);
        return 0;
    case METHOD:
        r->options.method = method_named(argument, state);
        return 0;
    case ARGP_KEY_END:
        check_together(r, state);
        if (r->job.ranks) {
            take_devices(state, &r->job, &r->devices);
            share_devices(&r->job, &r->devices);
        }
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

/* ---- ends as elements ---- */

/* n + added, for n of at most 64 bits. */
static number moved(number n, magnitude added) {
    if (!added) return n;
    if (!n.negative) {
        n.size += added;
    } else if (n.size <= added) {
        n.size = added - n.size;
        n.negative = false;
    } else {
        n.size -= added;
    }
    return n;
}

static bool put_all(const request *r, const number *list, size_t count, const ww_type *type, magnitude added) {
    for (size_t i = 0; i < count; i++) {
        const number n = moved(list[i], added);
        if (!put_number(&n, type, r->ends + i * type->size)) return false;
    }
    return true;
}

static const wider *wider_than(const ww_type *type) {
    for (size_t i = 0; i < sizeof widers / sizeof widers[0]; i++) {
        if (widers[i].narrow == type) return &widers[i];
    }
    return NULL;
}

/* One above what the type holds? */
static bool one_above(const number *n, const ww_type *type) {
    number below = *n;
    unsigned char element[16];
    if (!n->integer || n->negative || n->size == 0) return false;
    below.size--;
    return put_number(&below, type, element) && !put_number(n, type, element);
}

static int settle_ends(request *r, ww_array in) {
    const number *list = r->range_text ? r->range : r->edges.list;
    const size_t count = r->range_text ? 2 : r->edges.count;
    char label[24];
    if (need_numbers(&r->job, r->job.files[0], &in, "order")) return FAILED;
    if (job_room(&r->job, ww_records(NULL, 0, 16), count, &r->places)) return FAILED;
    r->ends = r->places.data;
    r->counted = in.type;
    if (put_all(r, list, count, in.type, 0)) return DONE;
    const wider *w = wider_than(in.type);
    if (w && one_above(&list[count - 1], in.type) && put_all(r, list, count - 1, in.type, 0) &&
        put_all(r, list, count, w->wide, w->added)) {
        r->counted = w->wide;
        r->widen = w->map;
        return DONE;
    }
    job_fail(&r->job, "%s=%.100s: an end is not a value of %s, the type of %s", r->range_text ? "--range" : "--edges",
             r->range_text ? r->range_text : r->edges_text, type_label(&in, label), r->job.files[0]);
    return MISUSED;
}

/* ---- the table ---- */

/* The lowest element of bin b of a range, or the range's end for b = bins. For integers: LO + ceil(b * span / bins). */
static const char *bound_text(const request *r, bool integers, uint64_t b, char text[VALUE_TEXT]) {
    const number *low = &r->range[0], *high = &r->range[1];
    if (!integers) {
        const double share = (double)b / (double)r->bins;
        return double_text(b == r->bins ? high->value : low->value + (high->value - low->value) * share, text);
    }
    const magnitude span = low->negative ? (high->negative ? low->size - high->size : low->size + high->size)
                                         : high->size - low->size;
    const magnitude above = span / r->bins * b + (span % r->bins * b + r->bins - 1) / r->bins;
    if (!low->negative) return integer_text(false, low->size + above, text);
    return above < low->size ? integer_text(true, low->size - above, text)
                             : integer_text(false, above - low->size, text);
}

static const char *end_text(const request *r, bool integers, uint64_t b, char text[VALUE_TEXT]) {
    if (r->range_text) return bound_text(r, integers, b, text);
    const number *n = &r->edges.list[b];
    return n->integer ? integer_text(n->negative, n->size, text) : double_text(n->value, text);
}

static int print_table(request *r, bool integers) {
    const uint64_t *counts = r->counts.data;
    char low[VALUE_TEXT], high[VALUE_TEXT];
    for (uint64_t b = 0; b < r->counts.count; b++) {
        printf("%s %s %" PRIu64 "\n", end_text(r, integers, b, low), end_text(r, integers, b + 1, high), counts[b]);
    }
    return job_printed(&r->job);
}

/* ---- counting ---- */

/* Counts a piece's elements, and adds them to what there is. */
static int count_piece(request *r, const ww_array *piece, uint64_t *outside) {
    job *j = &r->job;
    uint64_t *const counts = r->counts.data, beside = 0;
    const uint64_t *const more = r->of_piece.data;
    const size_t size = r->counted->size;
    const ww_array out = ww_array(&beside, 1);
    const ww_input in = r->widen ? ww_mapped(r->widen, ww_from(*piece)) : ww_from(*piece);
    job_work(j);
    int status = job_check(
        j, r->range_text ? ww_histogram_even(j->device, in, ww_value_of(r->ends, r->counted),
                                             ww_value_of(r->ends + size, r->counted), r->of_piece, out, &r->options)
                         : ww_histogram_edges(j->device, in, ww_memory_of(r->ends, r->edges.count, r->counted),
                                              r->of_piece, out, &r->options));
    status = job_worked(j, status);
    for (uint64_t b = 0; b < r->counts.count && !status; b++) counts[b] += more[b];
    *outside += beside;
    return status;
}

static int show(request *r, bool integers, uint64_t outside) {
    job *j = &r->job;
    ww_file_output output = {r->job.files[1], ww_from(r->counts)};
    const ww_array nothing = ww_array_of(r->counts.data, 0, r->counts.type);
    int status = DONE;
    job_quiet(j);
    if (!job_prints(j)) output.in = ww_from(nothing); /* the file is rank 0's part */
    if (r->job.files[1])
        status = job_write(j, &output, 1);
    else if (job_prints(j))
        status = print_table(r, integers);
    if (!status && outside && job_prints(j)) {
        fprintf(stderr, "%s: %" PRIu64 " of %" PRIu64 " elements lie outside and are not counted\n", j->command,
                outside, j->items);
    }
    return status;
}

static uint64_t bins_of(const request *r) { return r->range_text ? r->bins : r->edges.count - 1; }

/* With --group: of the whole array, which is the ranks' parts. */
static int histogram_of_parts(request *r) {
    job *j = &r->job;
    ww_file_array part;
    uint64_t outside = 0;
    const ww_array number = ww_array_of(NULL, 0, &ww_type_uint64_t), out = ww_array(&outside, 1);
    int status = job_read(j, j->files[0], j->type, &part);
    if (!status) status = settle_ends(r, part.array);
    status = job_agree(j, status ? status : job_room(j, number, bins_of(r), &r->counts), NULL);
    if (status) return status;
    job_begin(j, "counting", &part.array);
    const ww_input in = r->widen ? ww_mapped(r->widen, ww_from(part.array)) : ww_from(part.array);
    const ww_status counted = r->range_text
                                  ? ww_group_histogram_even(job_group(j), in, ww_value_of(r->ends, r->counted),
                                                            ww_value_of(r->ends + r->counted->size, r->counted),
                                                            r->counts, out, &r->options)
                                  : ww_group_histogram_edges(job_group(j), in,
                                                             ww_memory_of(r->ends, r->edges.count, r->counted),
                                                             r->counts, out, &r->options);
    status = job_agree(j, job_end(j, job_check_group(j, counted)), &j->items);
    if (!status) status = show(r, part.array.type->kind != WW_KIND_FLOAT, outside);
    if (!job_prints(j)) j->items = 0; /* rank 0 has counted them */
    return status;
}

static int histogram(void *argument) {
    request *r = argument;
    job *j = &r->job;
    ww_array piece;
    uint64_t outside = 0;
    const uint64_t bins = bins_of(r);
    const ww_array number = ww_array_of(NULL, 0, &ww_type_uint64_t);
    j->any_shape = true;
    if (j->ranks) return histogram_of_parts(r);
    int status = job_pieces(j, r->job.files[0], j->type);
    if (!status) status = job_next(j, &piece);
    if (!status) status = settle_ends(r, piece);
    if (!status && (job_room(j, number, bins, &r->counts) || job_room(j, number, bins, &r->of_piece))) status = FAILED;
    if (status) return status;
    const bool integers = piece.type->kind != WW_KIND_FLOAT;
    memset(r->counts.data, 0, bins * sizeof(uint64_t));
    for (bool first = true; first || piece.count; first = false) {
        status = count_piece(r, &piece, &outside);
        if (!status) status = job_next(j, &piece);
        if (status) return status;
    }
    return show(r, integers, outside);
}

int histogram_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"bins", BINS, "M", 0, "number of bins, up to 16777216", 0},
        {"range", RANGE, "LO:HI", 0, "equal bins over LO <= x < HI", 0},
        {"edges", EDGES, "a,b,...", 0, "M+1 ascending edges: bins a <= x < b", 0},
        {"method", METHOD, "M", 0, "auto, shared or warp (up to 256 bins)", 0},
        GROUP_OPTION,
        {0}};
    static const char about[] =
        "Counts the elements of IN by ranges. Without OUT it prints a line LOW HIGH COUNT for each bin, LOW <= x < "
        "HIGH; with OUT it writes the counts there, as u64."
        "\v"
        "Examples:\n"
        "  warpwise histogram --type=u8 --bins=256 --range=0:256 /bin/sh\n"
        "  warpwise histogram --type=f64 --edges=-inf,0,0.5,1,inf samples.bin\n"
        "  warpwise histogram --bins=1000 --range=0:1e6 times.npy counts.npy\n\n"
        "The number of elements that lie in no bin is reported on standard error. " GROUP_HELP "\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN [OUT]", about, job_children, NULL, NULL};
    request r = {.job.names = in_and_out, .job.takes_group = true, .options = WW_HISTOGRAM_OPTIONS};
    const int status = job_main(argc, argv, &argp, &r, histogram);
    free(r.edges.list);
    return status;
}
