/* warpwise merge: two sorted arrays as one. */
#include "job.h"
#include "sorted.h"
#include "two_inputs.h"

static const char *const names[] = {"A", "B", "OUT", NULL};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    return parse_two_inputs(key, argument, state, state->input);
}

static int merge(void *argument) {
    job *j = argument;
    ww_file_array in_a, in_b;
    ww_array merged;
    int status = read_two_inputs(j, &in_a, &in_b);
    if (status) return status;
    const ww_array a = in_a.array, b = in_b.array;
    if (need_sorted(j, j->files[0], &a) || need_sorted(j, j->files[1], &b)) return FAILED;
    if (job_room(j, a, a.count + b.count, &merged)) return FAILED;
    job_begin(j, "merging", &merged);
    status = job_check(j, ww_merge(j->device, NULL, ww_from(a), ww_from(b), ww_no_input, ww_no_input, merged, ww_none));
    status = job_end(j, status);
    const ww_file_output output = {j->files[2], ww_from(merged)};
    return status ? status : job_write(j, &output, 1);
}

int merge_command(int argc, char **argv) {
    static const char about[] = "Merges A and B, sorted arrays of one type, into OUT, which is sorted."
                                "\v"
                                "Examples:\n"
                                "  warpwise merge --type=u64 monday.bin tuesday.bin both.bin\n"
                                "  warpwise merge old.npy new.npy old.npy\n\n"
                                "Arrays that are not sorted (floats by IEEE 754's total order) are refused, and so are "
                                "records.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {NULL, parse_option, "A B OUT", about, job_children, NULL, NULL};
    job j = {.names = names};
    return job_main(argc, argv, &argp, &j, merge);
}
