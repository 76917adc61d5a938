/* warpwise join: all pairs of positions at which two arrays have equal elements.
 *
 * B is sorted with its positions; the elements of A that are equal to one of B's find the run of these in it (low to high). Run
 * lengths, added up, say where each element's pairs begin in the output (begins). Position i of A is written where its pairs
 * begin, and a running maximum spreads it over them; the run's positions are then read one by one. Stable sorting makes the
 * pairs those of A's first element first, each with B's positions in order. */
#include "job.h"
#include "join_maps.h"
#include "two_inputs.h"

/* What lies in memory while pairs are made. All but the keys are u64. */
enum { SORTED, POSITIONS, LOW, HIGH, BEGINS, SHIFTS, PAIRS_A, PAIRS_B, ROOMS };

static const char *const names[] = {"A", "B", "A-INDEX-OUT", "B-INDEX-OUT", NULL};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    job *j = state->input;
    const error_t known = parse_two_inputs(key, argument, state, j);
    if (key == ARGP_KEY_END && same_file(j->files[2], j->files[3]))
        argp_error(state, "both positions would go to one file");
    return known;
}

/* Where the run of each of A's elements is in B, and where its pairs begin; their number. */
static int find_runs(job *j, const ww_array *a, const ww_array *b, const ww_array *rooms, uint64_t *pairs) {
    const ww_input counted = ww_counting(&ww_type_uint64_t, 0, b->count);
    const ww_input lengths = ww_mapped2(&difference_ww, ww_from(rooms[HIGH]), ww_from(rooms[LOW]));
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    options.total = ww_array(pairs, 1);
    return job_check(j, ww_sort(j->device, ww_from(*b), counted, rooms[SORTED], rooms[POSITIONS], NULL)) ||
           job_check(j, ww_lower_bound(j->device, NULL, ww_from(rooms[SORTED]), ww_from(*a), rooms[LOW])) ||
           job_check(j, ww_upper_bound(j->device, NULL, ww_from(rooms[SORTED]), ww_from(*a), rooms[HIGH])) ||
           job_check(j, ww_scan(j->device, &ww_add, lengths, rooms[BEGINS], &options)) ||
           job_check(j, ww_sync(j->device));
}

/* An element without pairs begins where the next one does, which is written over it, being greater; the last ones begin behind
 * all pairs, for which there is a place more. */
static int make_pairs(job *j, uint64_t count_a, uint64_t pairs, const ww_array *rooms) {
    ww_array from_a = rooms[PAIRS_A];
    if (job_check(j, ww_fill(j->device, from_a, ww_value(uint64_t, 0))) ||
        job_check(j, ww_scatter(j->device, ww_counting(&ww_type_uint64_t, 0, count_a), ww_from(rooms[BEGINS]), from_a,
                                ww_scatter_by(WW_CONFLICT_MAX))))
        return FAILED;
    from_a.count = pairs;
    /* Pair p of an element is at low + (p - begin) of its run; low - begin goes where high was. */
    const ww_input shift = ww_mapped2(&difference_ww, ww_from(rooms[LOW]), ww_from(rooms[BEGINS]));
    const ww_input place = ww_mapped2(&sum_ww, ww_from(rooms[SHIFTS]), ww_counting(&ww_type_uint64_t, 0, pairs));
    return job_check(j, ww_scan(j->device, &ww_max, ww_from(from_a), from_a, NULL)) ||
           job_check(j, ww_store(j->device, shift, rooms[HIGH])) ||
           job_check(j, ww_gather(j->device, ww_from(rooms[HIGH]), ww_from(from_a), rooms[SHIFTS])) ||
           job_check(j, ww_gather(j->device, ww_from(rooms[POSITIONS]), place, rooms[PAIRS_B]));
}

static int join(void *argument) {
    job *j = argument;
    ww_file_array in_a, in_b;
    ww_array rooms[ROOMS];
    const ww_array number = ww_array_of(NULL, 0, &ww_type_uint64_t);
    uint64_t pairs = 0;
    int status = read_two_inputs(j, &in_a, &in_b);
    if (status) return status;
    const ww_array a = in_a.array, b = in_b.array;
    if (need_numbers(j, j->files[0], &a, "order")) return FAILED;
    if (job_room_inside(j, b, b.count, &rooms[SORTED]) || job_room_inside(j, number, b.count, &rooms[POSITIONS]) ||
        job_room_inside(j, number, a.count, &rooms[LOW]) || job_room_inside(j, number, a.count, &rooms[HIGH]) ||
        job_room_inside(j, number, a.count, &rooms[BEGINS]))
        return FAILED;
    job_begin(j, "joining", &a);
    status = find_runs(j, &a, &b, rooms, &pairs);
    if (!status)
        status = job_room(j, number, pairs + 1, &rooms[PAIRS_A]) || job_room(j, number, pairs, &rooms[PAIRS_B]) ||
                 job_room_inside(j, number, pairs, &rooms[SHIFTS]);
    if (!status && pairs) status = make_pairs(j, a.count, pairs, rooms);
    status = job_end(j, status);
    if (status) return status;
    ww_file_output outputs[] = {{j->files[2], ww_from(rooms[PAIRS_A])}, {j->files[3], ww_from(rooms[PAIRS_B])}};
    outputs[0].in.count = pairs;
    return job_write(j, outputs, 2);
}

int join_command(int argc, char **argv) {
    static const char about[] =
        "Writes all pairs of positions at which A and B, arrays of one type in any order, have equal elements."
        "\v"
        "Examples:\n"
        "  warpwise join --type=u64 orders.bin customers.bin order-rows.bin customer-rows.bin\n"
        "  warpwise join a.npy b.npy a-index.npy b-index.npy && warpwise gather names.npy b-index.npy joined.npy\n\n"
        "Pair i is A's element at A-INDEX-OUT[i] and B's at B-INDEX-OUT[i] (u64, from 0). The pairs of A's first "
        "element come first, and those of each element in the order of their positions in B. Elements are equal when "
        "sorting cannot tell them apart: floats when their bits are the same. Either both files are written, or "
        "neither.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {NULL, parse_option, "A B A-INDEX-OUT B-INDEX-OUT", about, job_children,
                                     NULL, NULL};
    job j = {.names = names};
    return job_main(argc, argv, &argp, &j, join);
}
