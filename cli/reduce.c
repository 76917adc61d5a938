/* warpwise reduce: one value of a whole array, or several.
 *
 * The array goes past once for all reductions whose result does not depend on the order (all but sums and products of
 * floats): a part that fits in the caches is reduced by each, and the parts' results again. Sums of floats are those of the
 * whole array, so that they are the same bytes alone and among others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "operators.h"
#include "print.h"

enum { AS = 1, MOST_OPERATIONS = 16, PART = 4 << 20 /* bytes */ };

typedef struct reduction {
    operation op;
    bool mean;
    const ww_type *type; /* of the sum or whatever; of the result, but for means */
    unsigned char *value;
} reduction;

typedef struct request {
    job job;
    const ww_type *as; /* of --as, or NULL */
    reduction reductions[MOST_OPERATIONS];
    size_t count;
    char *names; /* of operations, of malloc */
} request;

static const char *const names[] = {"IN", NULL};

static void parse_operations(request *r, const char *argument, struct argp_state *state) {
    free(r->names);
    r->names = strdup(argument);
    r->count = 0;
    if (!r->names) argp_failure(state, FAILED, 0, "out of memory");
    for (char *rest = r->names, *name; (name = strsep(&rest, ","));) {
        if (r->count == MOST_OPERATIONS) argp_error(state, "--op=%s: at most %d at once", argument, MOST_OPERATIONS);
        reduction *const one = &r->reductions[r->count++];
        memset(one, 0, sizeof *one);
        one->mean = strcmp(name, "mean") == 0;
        one->op = (operation){&ww_add, name};
        if (one->mean || strcmp(name, "sum") == 0) continue;
        one->op.function = NULL;
        if (strcmp(name, "add") && strcmp(name, "min") && strcmp(name, "max") && strcmp(name, "mul"))
            argp_error(state, "--op=%s: is none of add, min, max, mul, mean", name);
        parse_operation(state, name, &one->op);
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
            argp_error(state, "--as=%s: is none of u8 u16 u32 u64 u128 i8 i16 i32 i64 f32 f64", argument);
        r->as = as.type;
        return 0;
    case ARGP_KEY_END:
        if (!r->count) argp_error(state, "--op=add|min|max|mul|mean is missing");
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

static bool needs_order(const reduction *r) {
    return r->type->kind == WW_KIND_FLOAT && r->op.function != &ww_min && r->op.function != &ww_max;
}

static int reduce_one(job *j, const reduction *one, ww_input in, void *to) {
    return job_check(j, ww_reduce(j->device, one->op.function, in, ww_array_of(to, 1, one->type)));
}

/* Each part by all that can, and the parts' results. */
static int reduce_in_parts(request *r, ww_array in) {
    job *j = &r->job;
    const uint64_t step = PART / in.size, parts = in.count / step + 1;
    ww_array results[MOST_OPERATIONS];
    for (size_t k = 0; k < r->count; k++)
        if (!needs_order(&r->reductions[k]) &&
            job_room(j, ww_array_of(NULL, 0, r->reductions[k].type), parts, &results[k])) {
            return FAILED;
        }
    for (uint64_t p = 0; p < parts; p++) {
        ww_array part = in;
        part.data = (unsigned char *)in.data + p * step * in.size;
        part.count = p + 1 < parts ? step : in.count - p * step;
        for (size_t k = 0; k < r->count; k++) {
            const reduction *one = &r->reductions[k];
            if (needs_order(one)) continue;
            unsigned char *const to = (unsigned char *)results[k].data + p * one->type->size;
            if (reduce_one(j, one, elements_of(r, one, part), to)) return FAILED;
        }
    }
    for (size_t k = 0; k < r->count; k++) {
        const reduction *one = &r->reductions[k];
        const ww_input all = needs_order(one) ? elements_of(r, one, in) : ww_from(results[k]);
        if (reduce_one(j, one, all, one->value)) return FAILED;
    }
    return DONE;
}

static int reduce_all(request *r, ww_array in) {
    size_t any_order = 0;
    for (size_t k = 0; k < r->count; k++) any_order += !needs_order(&r->reductions[k]);
    if (any_order > 1 && !r->job.gpu && in.count > PART / in.size) return reduce_in_parts(r, in);
    for (size_t k = 0; k < r->count; k++)
        if (reduce_one(&r->job, &r->reductions[k], elements_of(r, &r->reductions[k], in), r->reductions[k].value))
            return FAILED;
    return DONE;
}

static void print_values(const request *r, const ww_type *in, uint64_t count) {
    char text[VALUE_TEXT];
    for (size_t k = 0; k < r->count; k++) {
        const reduction *one = &r->reductions[k];
        if (r->count > 1) printf("%s ", one->op.name);
        const double mean = one->mean ? mean_of(one, in, count) : 0;
        printf("%s\n", one->mean ? double_text(mean, text) : value_text(one->type, one->value, text));
    }
}

static int reduce(void *argument) {
    static _Alignas(64) unsigned char values[MOST_OPERATIONS][64];
    request *r = argument;
    job *j = &r->job;
    ww_file_array in;
    j->any_shape = true; /* all elements, whatever it is */
    int status = job_read(j, j->files[0], j->type, &in);
    if (status) return status;
    if (need_numbers(j, j->files[0], &in.array, r->reductions[0].op.name)) return FAILED;
    const ww_type *type = in.array.type;
    for (size_t k = 0; k < r->count; k++) {
        reduction *one = &r->reductions[k];
        const bool as_float = r->as && r->as->kind == WW_KIND_FLOAT;
        one->type = one->mean ? as_float ? r->as : type_of_mean(r->as ? r->as : type) : r->as ? r->as : type;
        one->value = values[k];
    }
    job_begin(j, "reducing", &in.array);
    status = job_end(j, reduce_all(r, in.array));
    if (status) return status;
    job_quiet(j);
    if (!in.array.count)
        fprintf(stderr, "%s: %s is empty; the value is %s\n", j->command, j->files[0],
                r->reductions[0].mean ? "no number" : "what the operation begins with");
    print_values(r, r->as ? r->as : type, in.array.count);
    return job_printed(j);
}

int reduce_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"op", 'o', "OP[,OP...]", 0, "add (or sum), min, max, mul or mean; several are computed in one pass over IN",
         0},
        {"as", AS, "T", 0, "cast the elements to this type first: sums of u8 as u64, for example, do not wrap", 0},
        {0}};
    static const char about[] =
        "Prints the sum, the smallest, the largest, the product or the mean of all elements of IN, as one line each."
        "\v"
        "Examples:\n"
        "  warpwise reduce --op=add --type=u64 sizes.bin\n"
        "  warpwise reduce --op=add --as=u64 pixels.npy\n"
        "  warpwise reduce --op=min,max,sum,mean samples.npy\n"
        "  head -c 4096 /dev/urandom | warpwise reduce --op=min --type=i32 -\n\n"
        "One operation prints its value, several print lines \"OP VALUE\", in the order given. "
        "Integers wrap around in their type, or in that of --as. Values have as many digits as it takes to read them back. "
        "A mean is f64: of integers their exact sum, of floats their sum in f64 or in the float type of --as, "
        "divided by their number. "
        "A NaN makes min and max NaN. Of no elements the result is 0 (add), 1 (mul), the type's largest value (min) or "
        "smallest (max), nan (mean), which is said on standard error. Floats give the same bits with any number of threads. "
        "A .npy may have any shape.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN", about, input_children, NULL, NULL};
    static request r = {.job.names = names};
    const int status = job_main(argc, argv, &argp, &r, reduce);
    free(r.names);
    return status;
}
