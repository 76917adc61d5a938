/* warpwise banked: sorting, partitioning and permuting on a model of memory in banks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "job.h"
#include "option.h"
#include "tour_data.h"

enum { SORT, PARTITION, PERMUTE, PROBLEMS };
static const char *const problems[PROBLEMS] = {"sort", "partition", "permute"};
static const char *const doing[PROBLEMS] = {"sorting on the model", "partitioning on the model",
                                            "permuting on the model"};

/* In the order of ww_banked_method. */
static const char *const methods[] = {"auto",    "lemma1", "theorem1", "theorem2", "shearsort", "oddeven",
                                      "bitonic", "lemma2", "theorem4", "offline",  "sorting"};
enum { METHODS = sizeof methods / sizeof *methods };
/* Those of each problem, as characters from '0' on. */
static const char *const methods_of[PROBLEMS] = {"0123456", "012347", "089:"};

typedef struct request {
    job job;
    int problem; /* PROBLEMS: not said yet */
    uint64_t banks, size;
    bool sized;
    ww_banked_options options;
} request;

enum { BANKS = 'b', SIZE = 'n', SEED = 's', METHOD = 'm' };

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case BANKS:
        if (!parse_count(argument, 0, UINT64_MAX, &r->banks))
            argp_error(state, "--banks=%s: is not a number", argument);
        return 0;
    case SIZE:
        if (!parse_count(argument, 0, UINT64_MAX, &r->size)) argp_error(state, "--size=%s: is not a number", argument);
        r->sized = true;
        return 0;
    case SEED:
        if (!parse_count(argument, 0, UINT64_MAX, &r->options.seed))
            argp_error(state, "--seed=%s: is not a number", argument);
        return 0;
    case METHOD:
        r->options.method = (uint32_t)parse_method(state, argument, methods, METHODS);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num) argp_error(state, "'%s' is one argument too many", argument);
        while (r->problem < PROBLEMS && strcmp(argument, problems[r->problem]) != 0) r->problem++;
        if (r->problem == PROBLEMS) argp_error(state, "'%s': is not one of sort, partition, permute", argument);
        return 0;
    case ARGP_KEY_END:
        if (!state->arg_num) argp_error(state, "sort, partition or permute is missing");
        if (!r->sized) argp_error(state, "--size=N is missing");
        if (!strchr(methods_of[r->problem], (int)('0' + r->options.method)))
            argp_error(state, "--method=%s: is not a method of %s", methods[r->options.method], problems[r->problem]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Random keys; labels or places in random order. */
static void make_items(const request *r, uint32_t *item) {
    uint64_t state = r->options.seed;
    for (uint64_t k = 0; k < r->size; k++)
        item[k] = r->problem == SORT        ? (uint32_t)next_random(&state)
                  : r->problem == PARTITION ? (uint32_t)(k % (r->banks ? r->banks : 1))
                                            : (uint32_t)k;
    for (uint64_t k = r->size; r->problem != SORT && k > 1; k--) {
        const uint64_t other = next_random(&state) % k;
        const uint32_t swapped = item[k - 1];
        item[k - 1] = item[other];
        item[other] = swapped;
    }
}

/* Whether what came out is what had to. `value` had 0, 1, 2, … */
static bool right(const request *r, const uint32_t *item, const uint32_t *value, uint64_t sum) {
    const uint64_t columns = r->size / (r->banks ? r->banks : 1);
    for (uint64_t k = 0; k < r->size; k++) {
        sum -= item[k];
        if (r->problem == SORT && k && item[k - 1] > item[k]) return false;
        if (r->problem == PARTITION && item[k] != k / columns) return false;
        if (r->problem == PERMUTE && value[item[k]] != k) return false;
    }
    return sum == 0;
}

static ww_status run(const request *r, ww_array item, ww_array value, ww_banked_result *result) {
    ww_device *device = r->job.device;
    switch (r->problem) {
    case SORT:
        return ww_banked_sort(device, item, r->banks, &r->options, result);
    case PARTITION:
        return ww_banked_partition(device, item, value, r->banks, &r->options, result);
    default:
        return ww_banked_permute(device, item, value, r->banks, &r->options, result);
    }
}

static int banked(void *argument) {
    static uint32_t like;
    request *r = argument;
    job *j = &r->job;
    ww_array item, value;
    ww_banked_result result = WW_BANKED_RESULT;
    uint64_t sum = 0;
    if (r->size > UINT32_MAX - 1)
        return job_fail(j, "--size=%" PRIu64 ": at most %" PRIu32 " items", r->size, UINT32_MAX - 1);
    if (job_room(j, ww_array(&like, 1), r->size, &item) || job_room(j, ww_array(&like, 1), r->size, &value))
        return FAILED;
    uint32_t *items = item.data, *values = value.data;
    make_items(r, items);
    for (uint64_t k = 0; k < r->size; k++) {
        sum += items[k];
        values[k] = (uint32_t)k;
    }
    job_begin(j, doing[r->problem], &item);
    const int status = job_end(j, job_check(j, run(r, item, value, &result)));
    if (status) return status;
    job_quiet(j);
    if (!right(r, items, values, sum)) return job_fail(j, "the result of %s is wrong", methods[result.method]);
    printf("steps %" PRIu64 " conflicts %" PRIu64 " bound %" PRIu64 "\n", result.steps, result.conflicts, result.bound);
    return job_printed(j);
}

int banked_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"banks", BANKS, "M", 0, "number of banks, and of processors; default: 32", 0},
        {"size", SIZE, "N", 0, "number of items: any for sort, multiples of the banks for partition and permute", 0},
        {"seed", SEED, "S", 0, "seed of the items, and of randomised methods; default: 0", 0},
        {"method", METHOD, "METHOD", 0,
         "sort: lemma1, theorem1, theorem2, shearsort, oddeven, bitonic; partition: lemma1, theorem1, theorem2, lemma2, "
         "shearsort; permute: theorem4, offline, sorting; auto",
         0},
        {0}};
    static const char about[] =
        "Sorts, partitions or permutes N random items on a model of memory with M banks, in which each bank serves one "
        "processor in a step, and reports how many steps it took, how many of these were spent waiting for banks, and "
        "how many the method's theorem allows."
        "\v"
        "Examples:\n"
        "  warpwise banked sort --banks=32 --size=4096\n"
        "  warpwise banked sort --banks=32 --size=4096 --method=bitonic\n"
        "  warpwise banked permute --banks=1024 --size=16384 --seed=7\n\n"
        "Prints a line: steps S conflicts C bound B. In a step every processor reads or writes at most one word. The "
        "conflict-free methods fail if there is a conflict; the networks wait for conflicts: S - C is at most B. "
        "Padding is counted. The same seed gives the same line everywhere. docs/banked.md describes the methods.\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "sort|partition|permute", about, device_children,
                                     NULL,    NULL};
    request r = {.banks = 32, .options = WW_BANKED_OPTIONS};
    return job_main(argc, argv, &argp, &r, banked);
}
