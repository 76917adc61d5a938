/* warpwise reduce: one value of a whole array, or several, of a file of any size.
 *
 * The array goes past once, in pieces, for all reductions that were asked for: each part of a piece that fits in the caches is
 * reduced by each, and the result joined to what was before. Sums and products of floats depend on where the brackets are:
 * theirs are those of the whole array (reduce_tree.h), so that they are the same bytes alone and among others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "devices.h"
#include "half_numbers.h"
#include "operators.h"
#include "print.h"
#include "reduce_tree.h"

enum { AS = 1, MOST_OPERATIONS = 6 /* each once */, PART = 4 << 20 /* bytes */, LARGEST = 16 /* of a number */ };

typedef struct reduction {
    operation op;
    bool mean;
    const ww_type *type;  /* of the sum or whatever; of the result, but for means */
    bool in_tree;         /* sums and products of floats */
    unsigned char *value; /* of three places */
} reduction;

typedef struct request {
    job job;
    const ww_type *as; /* of --as, or NULL */
    reduction reductions[MOST_OPERATIONS];
    reduce_tree tree_of[MOST_OPERATIONS];
    size_t count;
    uint64_t step;       /* elements of a part */
    bool begun;          /* there are values */
    device_list devices; /* of --device, with --group */
    char *names;         /* of operations, of malloc */
} request;

static const char *const names[] = {"IN", NULL};

static void parse_operations(request *r, const char *argument, struct argp_state *state) {
    free(r->names);
    r->names = strdup(argument);
    r->count = 0;
    if (!r->names) argp_failure(state, FAILED, 0, "out of memory");
    for (char *rest = r->names, *name; (name = strsep(&rest, ","));) {
        reduction one = {.op = {&ww_add, name}, .mean = strcmp(name, "mean") == 0};
        if (!one.mean && strcmp(name, "sum")) {
            one.op.function = NULL;
            if (strcmp(name, "add") && strcmp(name, "min") && strcmp(name, "max") && strcmp(name, "mul"))
                argp_error(state, "--op=%s: is not one of add, min, max, mul, mean", name);
            parse_operation(state, name, &one.op);
        }
        for (size_t k = 0; k < r->count; k++)
            if (strcmp(r->reductions[k].op.name, name) == 0) argp_error(state, "--op=%s: has %s twice", argument, name);
        r->reductions[r->count++] = one;
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    ww_array as;
    switch (key) {
    case 'o':
        parse_operations(r, argument, state);
        return 0;
    case AS:
        if (!parse_type(argument, &as) || as.type == &ww_type_record)
            argp_error(state, "--as=%s: is not one of u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f16 bf16 f32 f64", argument);
        r->as = as.type;
        return 0;
    case ARGP_KEY_END:
        if (!r->count) argp_error(state, "--op=add|min|max|mul|mean is missing");
        if (r->job.ranks) {
            take_devices(state, &r->job, &r->devices);
            share_devices(&r->job, &r->devices);
        }
        return parse_files(key, argument, state, &r->job);
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

/* ---- means ---- */

/* Sums for means do not wrap: those of whole numbers have 128 bits, of floats they are f64. */
static const ww_type *type_of_mean(const ww_type *type) {
#if WW_HAS_U128
    if (type->kind != WW_KIND_FLOAT && type->size < sizeof(ww_u128)) return &ww_type_ww_u128;
#endif
    (void)type;
    return &ww_type_double;
}

static double mean_of(const reduction *r, const ww_type *in, uint64_t count) {
    double sum = NAN;
    float single;
    if (!count) return sum;
    if (r->type == &ww_type_float) {
        memcpy(&single, r->value, sizeof single);
        return (double)single / (double)count;
    }
#if WW_HAS_U128
    if (r->type == &ww_type_ww_u128) {
        ww_u128 size;
        memcpy(&size, r->value, sizeof size);
        const bool negative = in->kind == WW_KIND_SIGNED &&
                              size >> 127; /* the cast of a negative number is 2^128 less */
        if (negative) size = 0 - size;
        const double mean = (double)(uint64_t)(size / count) + (double)(uint64_t)(size % count) / (double)count;
        return negative ? -mean : mean;
    }
#endif
    (void)in;
    memcpy(&sum, r->value, sizeof sum);
    return sum / (double)count;
}

/* ---- reducing ---- */

/* The elements as --as has them, as what they are added up in. */
static ww_input elements_of(const request *r, const reduction *one, ww_array in) {
    const ww_type *type = r->as ? r->as : in.type;
    const ww_input cast = type == in.type ? ww_from(in) : ww_cast(type, ww_from(in));
    return one->type == type ? cast : ww_cast(one->type, cast);
}

static int begin(request *r, const ww_array *in) {
    const ww_type *const type = r->as ? r->as : in->type;
    const bool as_float = r->as && r->as->kind == WW_KIND_FLOAT;
    ww_array values;
    if (job_room(&r->job, ww_records(NULL, 0, 3 * LARGEST), r->count, &values)) return FAILED;
    /* On a CPU all but the first reduction find a part in the caches. A GPU takes a whole piece: the first is the longest. */
    r->step = r->job.gpu && in->count ? in->count : PART / in->size;
    for (size_t k = 0; k < r->count; k++) {
        reduction *const one = &r->reductions[k];
        const ww_function *const f = one->op.function;
        one->value = (unsigned char *)values.data + k * values.size;
        one->type = !one->mean ? type : as_float ? r->as : type_of_mean(type);
        one->in_tree = one->type->kind == WW_KIND_FLOAT && f != &ww_min && f != &ww_max;
        if (one->in_tree && is_half(one->type)) one->type = &ww_type_float; /* rounded where it is printed */
        if (one->in_tree && !r->job.ranks && tree_begin(&r->tree_of[k], &r->job, f, one->type, r->step)) return FAILED;
    }
    return DONE;
}

/* Integers, and the smallest and largest of floats, may be joined in any order. The value so far and a part's are neighbours;
 * what they give comes behind them. */
static int join(request *r, reduction *one, ww_input part) {
    job *j = &r->job;
    const size_t size = one->type->size;
    const ww_array of_part = ww_array_of(one->value + (r->begun ? size : 0), 1, one->type);
    const ww_array both = ww_array_of(one->value, 2, one->type),
                   joined = ww_array_of(one->value + 2 * size, 1, one->type);
    if (job_check(j, ww_reduce(j->device, one->op.function, part, of_part))) return FAILED;
    if (!r->begun) return DONE;
    if (job_check(j, ww_reduce(j->device, one->op.function, ww_from(both), joined))) return FAILED;
    if (job_check(j, ww_sync(j->device))) return FAILED;
    memcpy(one->value, joined.data, size);
    return DONE;
}

static int reduce_piece(request *r, const ww_array *piece) {
    uint64_t first = 0;
    do {
        ww_array part = *piece;
        part.data = (unsigned char *)piece->data + first * piece->size;
        part.count = piece->count - first < r->step ? piece->count - first : r->step;
        for (size_t k = 0; k < r->count; k++) {
            reduction *const one = &r->reductions[k];
            const ww_input in = elements_of(r, one, part);
            if (one->in_tree ? tree_add(&r->tree_of[k], in) : join(r, one, in)) return FAILED;
        }
        r->begun = true;
        first += part.count;
    } while (first < piece->count);
    return DONE;
}

static int end(request *r) {
    for (size_t k = 0; k < r->count; k++)
        if (r->reductions[k].in_tree && tree_end(&r->tree_of[k], r->reductions[k].value)) return FAILED;
    return job_check(&r->job, ww_sync(r->job.device));
}

static void print_values(const request *r, const ww_type *in, uint64_t count) {
    char text[VALUE_TEXT];
    for (size_t k = 0; k < r->count; k++) {
        const reduction *one = &r->reductions[k];
        if (r->count > 1) printf("%s ", one->op.name);
        const double mean = one->mean ? mean_of(one, in, count) : 0;
        const bool rounded = !one->mean && is_half(in) && one->type != in;
        uint16_t half = 0;
        if (rounded) put_half(in, (double)*(const float *)(const void *)one->value, &half);
        printf("%s\n", one->mean ? double_text(mean, text)
                       : rounded ? value_text(in, &half, text)
                                 : value_text(one->type, one->value, text));
    }
}

static int print(request *r, const ww_type *in) {
    job *j = &r->job;
    job_quiet(j);
    if (!job_prints(j)) return DONE;
    if (!j->items)
        fprintf(stderr, "%s: %s is empty; the value is %s\n", j->command, j->files[0],
                r->reductions[0].mean ? "not a number" : "the one that the operation begins with");
    print_values(r, r->as ? r->as : in, j->items);
    return job_printed(j);
}

/* With --group: of the whole array, which is the ranks' parts. */
static int reduce_parts(request *r) {
    job *j = &r->job;
    ww_file_array part;
    int status = job_read(j, j->files[0], j->type, &part);
    if (!status) status = need_numbers(j, j->files[0], &part.array, r->reductions[0].op.name);
    status = job_agree(j, status ? status : begin(r, &part.array), NULL);
    if (status) return status;
    job_begin(j, "reducing", &part.array);
    for (size_t k = 0; k < r->count && !status; k++) {
        const reduction *const one = &r->reductions[k];
        status = job_check_group(j, ww_group_reduce(job_group(j), one->op.function, elements_of(r, one, part.array),
                                                    ww_array_of(one->value, 1, one->type)));
    }
    status = job_agree(j, job_end(j, status), &j->items);
    if (!job_prints(j)) j->items = 0; /* rank 0 has counted them */
    return status ? status : print(r, part.array.type);
}

static int reduce(void *argument) {
    request *r = argument;
    job *j = &r->job;
    ww_array piece;
    j->any_shape = true; /* all elements, whatever it is */
    if (j->ranks) return reduce_parts(r);
    int status = job_pieces(j, j->files[0], j->type);
    if (!status) status = job_next(j, &piece);
    if (status) return status;
    if (need_numbers(j, j->files[0], &piece, r->reductions[0].op.name) || begin(r, &piece)) return FAILED;
    while (piece.count || !r->begun) {
        job_work(j);
        status = job_worked(j, reduce_piece(r, &piece));
        if (!status) status = job_next(j, &piece);
        if (status) return status;
    }
    if (end(r)) return FAILED;
    return print(r, piece.type);
}

int reduce_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"op", 'o', "OP[,OP...]", 0, "add (or sum), min, max, mul or mean; several are computed in one pass over IN",
         0},
        {"as", AS, "T", 0, "cast the elements to this type first, so that sums of u8 as u64, for example, do not wrap",
         0},
        GROUP_OPTION,
        {0}};
    static const char about[] =
        "Prints the sum, minimum, maximum, product or mean of all elements of IN, one line for each."
        "\v"
        "Examples:\n"
        "  warpwise reduce --op=add --type=u64 sizes.bin\n"
        "  warpwise reduce --op=add --as=u64 pixels.npy\n"
        "  warpwise reduce --op=min,max,sum,mean samples.npy\n"
        "  head -c 4096 /dev/urandom | warpwise reduce --op=min --type=i32 -\n"
        "  mpirun -n 4 warpwise reduce --op=add --group=mpi samples.npy\n\n"
        "One operation prints its value, several print lines \"OP VALUE\", in the order given. Integers wrap around in "
        "their type, or in that of --as. Values have as many digits as are needed to read them back. A mean is f64: "
        "the exact sum of integers, or the sum of floats in f64 or in the float type of --as, divided by their number. "
        "A NaN makes min and max NaN. If there are no elements the result is 0 (add), 1 (mul), the type's largest "
        "value (min) or smallest (max), or nan (mean), and a note on standard error says so. Floats give the same bits "
        "with any number of threads. A .npy may have any shape, and a file any size: it is read in chunks (with --group, "
        "each rank's part at once). " GROUP_HELP "\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN", about, input_children, NULL, NULL};
    request r = {.job.names = names, .job.takes_group = true};
    const int status = job_main(argc, argv, &argp, &r, reduce);
    free(r.names);
    return status;
}
