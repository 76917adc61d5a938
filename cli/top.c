/* warpwise top: the first k elements that sorting would give, of a file of any size: those of each piece, and of these and the
 * best so far. */
#include <string.h>

#include "arguments.h"
#include "job.h"

enum { LARGEST = 1, INDEX };

typedef struct request {
    job job;
    ww_sort_options options;
    const char *index;
    bool counted; /* -k was given */
    uint64_t k;
} request;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case 'k':
        r->counted = true;
        if (!parse_count(argument, 0, UINT64_MAX, &r->k))
            argp_error(state, "-k %s: is not a number of elements", argument);
        return 0;
    case LARGEST:
        r->options.descending = true;
        return 0;
    case INDEX:
        r->index = argument;
        return 0;
    case ARGP_KEY_END:
        if (!r->counted) argp_error(state, "-k N is missing");
        parse_files(key, argument, state, &r->job);
        if (r->index && same_file(r->job.files[1], r->index))
            argp_error(state, "OUT and --index-out are the same file");
        return 0;
    default:
        return parse_files(key, argument, state, &r->job);
    }
}

/* The best so far, in order, and their positions, twice: what is chosen goes from one to the other. Behind the first of these
 * lies room for the best of a piece, so that both are chosen from together. */
typedef struct best {
    ww_array elements[2], positions[2];
    uint64_t count; /* in [0] */
} best;

static ww_array part_of(const ww_array *array, uint64_t first, uint64_t count) {
    ww_array part = *array;
    part.data = (char *)array->data + first * array->size;
    part.count = count;
    return part;
}

/* Twice as much room, and what is there. */
static int make_room(request *r, const ww_array *like, uint64_t count, best *b) {
    job *j = &r->job;
    const best old = *b;
    for (int k = 0; k < 2; k++) {
        if (job_room(j, *like, count, &b->elements[k]) ||
            job_room(j, ww_array_of(NULL, 0, &ww_type_uint64_t), count, &b->positions[k]))
            return FAILED;
    }
    if (old.count) memcpy(b->elements[0].data, old.elements[0].data, old.count * like->size);
    if (old.count) memcpy(b->positions[0].data, old.positions[0].data, old.count * sizeof(uint64_t));
    for (int k = 0; k < 2 && old.elements[k].data; k++) {
        job_free(j, &old.elements[k]);
        job_free(j, &old.positions[k]);
    }
    return DONE;
}

/* Equal elements of a piece come behind those of the pieces before, as they do in the file. */
static int choose(request *r, const ww_array *piece, uint64_t first, best *b) {
    job *j = &r->job;
    const uint64_t k = r->k < piece->count ? r->k : piece->count, all = b->count + k, kept = r->k < all ? r->k : all;
    if (b->elements[0].count < all && make_room(r, piece, 2 * kept, b)) return FAILED;
    const ww_array elements = part_of(&b->elements[0], b->count, k), positions = part_of(&b->positions[0], b->count, k);
    const ww_array from = part_of(&b->elements[0], 0, all), from_positions = part_of(&b->positions[0], 0, all);
    const ww_array to = part_of(&b->elements[1], 0, kept), to_positions = part_of(&b->positions[1], 0, kept);
    const ww_input counted = ww_counting(&ww_type_uint64_t, first, piece->count);
    if (!k) return DONE;
    job_work(j);
    int status = job_check(j, ww_top_k(j->device, ww_from(*piece), counted, elements, positions, &r->options));
    if (!status && b->count) {
        const best before = *b;
        status = job_check(j,
                           ww_top_k(j->device, ww_from(from), ww_from(from_positions), to, to_positions, &r->options));
        for (int side = 0; side < 2; side++) {
            b->elements[side] = before.elements[1 - side];
            b->positions[side] = before.positions[1 - side];
        }
    }
    b->count = kept;
    return job_worked(j, status);
}

static int top(void *argument) {
    request *r = argument;
    job *j = &r->job;
    best b = {.count = 0};
    ww_array piece;
    int status = job_pieces(j, j->files[0], j->type);
    if (!status) status = job_next(j, &piece);
    if (status) return status;
    if (need_numbers(j, j->files[0], &piece, "order")) return FAILED;
    b.elements[0] = b.elements[1] = part_of(&piece, 0, 0);
    b.elements[0].data = b.elements[1].data = NULL;
    b.positions[0] = b.positions[1] = ww_array_of(NULL, 0, &ww_type_uint64_t);
    while (piece.count) {
        status = choose(r, &piece, j->items - piece.count, &b);
        if (!status) status = job_next(j, &piece);
        if (status) return status;
    }
    const ww_array elements = part_of(&b.elements[0], 0, b.count), positions = part_of(&b.positions[0], 0, b.count);
    const ww_file_output outputs[] = {{j->files[1], ww_from(elements)}, {r->index, ww_from(positions)}};
    return job_write(j, outputs, r->index ? 2 : 1);
}

int top_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"count", 'k', "N", 0, "how many; all of IN, in order, if it has no more", 0},
        {"largest", LARGEST, NULL, 0, "the largest elements, in descending order", 0},
        {"index-out", INDEX, "F", 0, "file for the positions of these elements in IN (u64, from 0)", 0},
        {0}};
    static const char about[] =
        "Writes the N smallest elements of IN to OUT, in order; of equal ones those that come first."
        "\v"
        "Examples:\n"
        "  warpwise top -k 100 --type=f32 distances.bin nearest.bin\n"
        "  warpwise top -k 10 --largest --index-out=where.npy sizes.npy largest.npy\n\n"
        "Integers are ordered by value, floats by IEEE 754's total order: -NaN, -inf ... -0.0, 0.0 ... inf, NaN. "
        "Either both OUT and the positions are written, or neither.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "-k N IN OUT", about, job_children, NULL, NULL};
    request r = {.job.names = in_and_out, .options = WW_SORT_OPTIONS};
    return job_main(argc, argv, &argp, &r, top);
}
