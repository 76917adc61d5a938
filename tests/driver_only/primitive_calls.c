/* Primitives and sorts of one element type, of arrays, of inputs that are computed, and of as many elements as a number on the device says.
 * Data is right on a GPU: indices and segments are in range, what has to be sorted is. */
#include "calls.h"

static bool is_float(const ww_type *type) { return type->kind == WW_KIND_FLOAT; }

/* Operators that have identities of all types. */
static const ww_function *const operators[] = {&ww_add, &ww_min, &ww_max, &ww_mul};
enum { OPERATORS = sizeof operators / sizeof *operators };

typedef struct arrays {
    ww_input in, other, sorted, flags, index, offsets, keys, labels;
    ww_array out, second, twice, count, wide, narrow, one, positions;
} arrays;

static arrays arrays_of(memory *m, uint64_t n, const ww_type *type) {
    return (arrays){.in = ww_from(filled(m, type, n, 100, false)),
                    .other = ww_from(filled(m, type, n, 100, false)),
                    .sorted = ww_from(filled(m, type, n, 100, true)),
                    .flags = ww_from(filled(m, &ww_type_uint8_t, n, 2, false)),
                    .index = ww_from(filled(m, &ww_type_uint32_t, n, n, true)),
                    .offsets = ww_from(filled(m, &ww_type_uint64_t, n / 8 + 1, n, true)),
                    .keys = ww_from(filled(m, &ww_type_uint32_t, n, n / 4, true)),
                    .labels = ww_from(filled(m, &ww_type_uint32_t, n, 32, false)),
                    .out = take(m, type, n),
                    .second = take(m, type, n),
                    .twice = take(m, type, 2 * n),
                    .count = take(m, &ww_type_uint64_t, 1),
                    .wide = take(m, &ww_type_uint64_t, n + 1),
                    .narrow = take(m, &ww_type_uint32_t, n + 1),
                    .one = take(m, type, 1),
                    .positions = take(m, &ww_type_uint32_t, n)};
}

static ww_array first_of(ww_array array, uint64_t n) {
    array.count = n;
    return array;
}

static void folds(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    const uint64_t segments = n / 8;
    for (int k = 0; k < OPERATORS; k++) {
        ww_scan_options o = WW_SCAN_OPTIONS;
        const ww_function *const op = operators[k];
        CALL_OF(d, type, n, ww_reduce(d, op, a->in, a->one));
        CALL_OF(d, type, n, ww_reduce_segments(d, op, a->in, a->offsets, first_of(a->out, segments)));
        CALL_OF(d, type, n, ww_reduce_by_key(d, op, a->keys, a->in, a->positions, a->out, a->count));
        for (int way = 0; way < 4; way++) {
            o.exclusive = way % 2;
            o.deterministic = way >= 2;
            CALL_OF(d, type, n, ww_scan(d, op, a->in, a->out, &o));
            CALL_OF(d, type, n, ww_scan_segmented(d, op, a->in, a->flags, a->out, &o));
            CALL_OF(d, type, n, ww_scan_by_key(d, op, a->keys, a->in, a->out, &o));
        }
    }
    CALL_OF(d, type, n, ww_adjacent_difference(d, a->in, a->out));
    CALL_OF(d, type, n, ww_arg_min(d, NULL, a->in, a->one, a->count));
    CALL_OF(d, type, n, ww_arg_max_segments(d, NULL, a->in, a->offsets, first_of(a->wide, segments)));
    CALL_OF(d, type, n, ww_min_max(d, NULL, a->in, a->one, first_of(a->out, 1)));
    CALL_OF(d, type, n, ww_is_sorted(d, NULL, a->in, ww_array((uint8_t *)a->narrow.data, 1), a->count));
}

/* By a deterministic handle. */
void in_fixed_order(memory *m, uint64_t n, const ww_type *type) {
    const arrays a = arrays_of(m, n, type);
    ww_device *const d = m->device;
    for (int k = 0; k < OPERATORS; k++) {
        CALL_OF(d, type, n, ww_reduce_by_key(d, operators[k], a.keys, a.in, a.positions, a.out, a.count));
        CALL_OF(d, type, n, ww_reduce_by_key(d, operators[k], a.sorted, a.in, a.second, a.out, a.count));
        CALL_OF(d, type, n, ww_scan(d, operators[k], a.in, a.out, NULL));
    }
    CALL_OF(d, type, n,
            ww_reduce_by_key(d, &ww_add, ww_reversed(a.keys), ww_reversed(a.in), a.positions, a.out, a.count));
    CALL_OF(d, type, n, ww_scatter(d, a.in, a.index, a.out, ww_scatter_by(WW_CONFLICT_ADD)));
    CALL_OF(d, type, n, ww_scatter(d, a.in, ww_reversed(a.index), a.out, ww_scatter_by(WW_CONFLICT_ADD)));
    for (int k = 0; k < 3; k++) {
        static const ww_type *const types[] = {&ww_type_uint64_t, &ww_type_int32_t, &ww_type_int64_t};
        const ww_input index = ww_from(filled(m, types[k], n, n / 4 + 1, false));
        CALL_OF(d, type, n, ww_scatter(d, a.in, index, a.out, ww_scatter_by(WW_CONFLICT_ADD)));
    }
}

/* Operators of integers alone. */
static void bit_folds(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    static const ww_function *const bits[] = {&ww_and, &ww_or};
    for (int k = 0; k < 2 && !is_float(type); k++) {
        const ww_function *const op = bits[k];
        CALL_OF(d, type, n, ww_reduce(d, op, a->in, a->one));
        CALL_OF(d, type, n, ww_reduce_segments(d, op, a->in, a->offsets, first_of(a->out, n / 8)));
        CALL_OF(d, type, n, ww_reduce_by_key(d, op, a->keys, a->in, a->positions, a->out, a->count));
        CALL_OF(d, type, n, ww_scan(d, op, a->in, a->out, NULL));
        CALL_OF(d, type, n, ww_scan_segmented(d, op, a->in, a->flags, a->out, NULL));
        CALL_OF(d, type, n, ww_scan_by_key(d, op, a->keys, a->in, a->out, NULL));
    }
}

/* By the order that is no default. */
static void descending(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    const ww_function *const less = &ww_descending;
    CALL_OF(d, type, n,
            ww_sort(d, a->in, ww_no_input, a->second, ww_none,
                    &(ww_sort_options){sizeof(ww_sort_options), .descending = true}));
    const ww_input down = ww_from(a->second);
    CALL_OF(d, type, n, ww_merge(d, less, down, down, ww_no_input, ww_no_input, a->twice, ww_none));
    CALL_OF(d, type, n, ww_set_union(d, less, down, down, a->twice, a->count));
    CALL_OF(d, type, n, ww_set_intersection(d, less, down, down, a->out, a->count));
    CALL_OF(d, type, n, ww_set_difference(d, less, down, down, a->out, a->count));
    CALL_OF(d, type, n, ww_lower_bound(d, less, down, a->in, first_of(a->wide, n)));
    CALL_OF(d, type, n, ww_upper_bound(d, less, down, a->in, a->positions));
    CALL_OF(d, type, n, ww_arg_min(d, less, a->in, a->one, a->count));
    CALL_OF(d, type, n, ww_arg_max_segments(d, less, a->in, a->offsets, first_of(a->wide, n / 8)));
    CALL_OF(d, type, n, ww_min_max(d, less, a->in, a->one, first_of(a->out, 1)));
    CALL_OF(d, type, n, ww_is_sorted(d, less, down, ww_array((uint8_t *)a->narrow.data, 1), a->count));
    CALL_OF(d, type, n, ww_sort_by(d, less, a->in, ww_no_input, a->out, ww_none, NULL));
}

/* Positions of each type, keys of each type, and outputs without a function of the caller's. */
static void placed(ww_device *d, const arrays *a, ww_input index, uint64_t n, const ww_type *type) {
    const ww_conflict conflicts[] = {WW_CONFLICT_LAST, WW_CONFLICT_ANY, WW_CONFLICT_ADD};
    CALL_OF(d, type, n, ww_gather(d, a->in, index, a->out));
    for (size_t k = 0; k < sizeof conflicts / sizeof *conflicts; k++)
        CALL_OF(d, type, n, ww_scatter(d, a->in, index, a->out, ww_scatter_by(conflicts[k])));
    CALL_OF(d, type, n, ww_store(d, ww_permuted(a->in, index), a->out));
    CALL_OF(d, type, n, ww_store(d, a->in, ww_permuted_into(a->out, index)));
    CALL_OF(d, type, n, ww_scan(d, &ww_add, a->in, ww_permuted_into(a->out, index), NULL));
    CALL_OF(d, type, n, ww_gather(d, a->in, index, ww_permuted_into(a->out, index)));
    CALL_OF(d, type, n, ww_pack(d, a->in, a->flags, ww_permuted_into(a->out, index), a->count, NULL));
    CALL_OF(d, type, n, ww_sort(d, a->in, ww_no_input, ww_permuted_into(a->out, index), ww_none, NULL));
}

static void places(memory *m, const arrays *a, uint64_t n, const ww_type *type) {
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t, &ww_type_int64_t};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        placed(m->device, a, ww_from(filled(m, types[k], n, n, true)), n, type);
    CALL_OF(m->device, type, n,
            ww_reduce_by_key(m->device, &ww_max, a->sorted, a->labels, a->out, a->positions, a->count));
    CALL_OF(m->device, type, n, ww_scan_by_key(m->device, &ww_max, a->sorted, a->labels, a->positions, NULL));
    CALL_OF(m->device, type, n, ww_run_lengths(m->device, a->sorted, a->out, a->narrow, a->count));
}

static void moves(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    static const ww_conflict conflicts[] = {WW_CONFLICT_LAST, WW_CONFLICT_ANY, WW_CONFLICT_ADD, WW_CONFLICT_MIN,
                                            WW_CONFLICT_MAX};
    const unsigned char value[16] = {0};
    CALL_OF(d, type, n, ww_store(d, a->in, a->out));
    CALL_OF(d, type, n, ww_fill(d, a->out, ww_value_of(value, type)));
    CALL_OF(d, type, n, ww_reverse(d, a->in, a->out));
    CALL_OF(d, type, n, ww_rotate(d, 3, a->in, a->out));
    CALL_OF(d, type, n, ww_gather(d, a->in, a->index, a->out));
    for (size_t k = 0; k < sizeof conflicts / sizeof *conflicts; k++)
        CALL_OF(d, type, n, ww_scatter(d, a->in, a->index, a->out, ww_scatter_by(conflicts[k])));
    CALL_OF(d, type, n, ww_pack(d, a->in, a->flags, a->out, a->count, NULL));
    CALL_OF(d, type, n, ww_split(d, a->in, a->flags, a->out, a->count, NULL));
    CALL_OF(d, type, n, ww_unique(d, a->in, a->out, a->count));
    CALL_OF(d, type, n, ww_run_lengths(d, a->in, a->out, a->narrow, a->count));
    CALL_OF(d, type, n,
            ww_expand_offsets(d, ww_from(first_of(a->second, n / 8)), a->offsets, a->out, ww_none, ww_none));
    CALL_OF(d, type, n, ww_merge(d, NULL, a->sorted, a->sorted, ww_no_input, ww_no_input, a->twice, ww_none));
    CALL_OF(d, type, n, ww_set_union(d, NULL, a->sorted, a->sorted, a->twice, a->count));
    CALL_OF(d, type, n, ww_set_intersection(d, NULL, a->sorted, a->sorted, a->out, a->count));
    CALL_OF(d, type, n, ww_set_difference(d, NULL, a->sorted, a->sorted, a->out, a->count));
    CALL_OF(d, type, n, ww_lower_bound(d, NULL, a->sorted, a->in, first_of(a->wide, n)));
    CALL_OF(d, type, n, ww_upper_bound(d, NULL, a->sorted, a->in, a->positions));
}

static void sorts(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    static const ww_sort_method methods[] = {WW_SORT_AUTO, WW_SORT_RADIX, WW_SORT_MERGE};
    const ww_input positions = ww_from(first_of(a->narrow, n));
    for (int way = 0; way < 6; way++) {
        ww_sort_options o = WW_SORT_OPTIONS;
        o.descending = way % 2;
        o.method = methods[way / 2];
        CALL_OF(d, type, n, ww_sort(d, a->in, ww_no_input, a->out, ww_none, &o));
        CALL_OF(d, type, n, ww_sort(d, a->in, a->labels, a->out, a->positions, &o));
        CALL_OF(d, type, n, ww_sort(d, a->in, a->other, a->out, a->second, &o));
        CALL_OF(d, type, n, ww_sort_index(d, a->in, a->positions, &o));
        o.method = WW_SORT_AUTO;
        CALL_OF(d, type, n, ww_sort_segments(d, a->in, ww_no_input, a->offsets, a->out, ww_none, &o));
        CALL_OF(d, type, n, ww_sort_segments(d, a->in, a->labels, a->offsets, a->out, a->positions, &o));
        CALL_OF(d, type, n, ww_top_k(d, a->in, ww_no_input, first_of(a->out, 10), ww_none, &o));
        CALL_OF(d, type, n, ww_top_k(d, a->in, positions, first_of(a->out, 10), first_of(a->positions, 10), &o));
        CALL_OF(d, type, n, ww_nth(d, n / 3, a->in, a->one, &o));
    }
}

/* By some of a key's bits. */
static void sorts_by_bits(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    static const uint32_t bits[] = {1, 5, 9, 13, 17, 21, 25, 27, 28, 29, 30, 31, 33, 49, 60, 63, 65, 100};
    for (size_t k = 0; !is_float(type) && k < sizeof bits / sizeof *bits && bits[k] < 8 * type->size; k++) {
        const ww_sort_options o = {sizeof o, .bit_count = bits[k]};
        CALL_OF(d, type, n, ww_sort(d, a->in, ww_no_input, a->out, ww_none, &o));
        CALL_OF(d, type, n, ww_sort(d, a->in, a->labels, a->out, a->positions, &o));
    }
}

static void counts(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    const ww_input edges = ww_from(first_of(a->second, 33));
    if (type->size > 8) return;
    if (!is_float(type))
        for (int k = 0; k < 4; k++) { /* bins of 2^k, and of others; what is outside is counted, or not */
            const unsigned char low[16] = {0}, high[16] = {k % 2 ? 96 : 64};
            CALL_OF(d, type, n,
                    ww_histogram_even(d, a->in, ww_value_of(low, type), ww_value_of(high, type), first_of(a->wide, 32),
                                      k / 2 ? a->count : ww_none, NULL));
        }
    CALL_OF(d, type, n, ww_store(d, ww_strided(a->sorted, 0, (int64_t)n / 34, 33), first_of(a->second, 33)));
    CALL_OF(d, type, n, ww_histogram_edges(d, a->in, edges, first_of(a->wide, 32), a->count, NULL));
    CALL_OF(d, type, n,
            ww_multisplit_edges(d, a->in, ww_no_input, edges, a->out, ww_none, first_of(a->wide, 35), NULL));
    if (!is_float(type) && type->kind == WW_KIND_UNSIGNED)
        CALL_OF(d, type, n, ww_bincount(d, a->in, first_of(a->wide, 100), a->count, NULL));
}

void primitives(memory *m, uint64_t n, const ww_type *type) {
    const arrays a = arrays_of(m, n, type);
    const ww_random stream = {0, 0, 0};
    ww_device *const d = m->device;
    folds(d, &a, n, type);
    bit_folds(d, &a, n, type);
    descending(d, &a, n, type);
    places(m, &a, n, type);
    moves(d, &a, n, type);
    sorts(d, &a, n, type);
    sorts_by_bits(d, &a, n, type);
    counts(d, &a, n, type);
    CALL_OF(d, type, n, ww_shuffle(d, stream, a.in, a.out));
    CALL_OF(d, type, n, ww_sample(d, stream, a.in, first_of(a.out, 100), WW_SAMPLE_SORTED));
    if (!is_float(type) || type->size > 2) CALL_OF(d, type, n, ww_random_fill(d, stream, a.out));
    if (!is_float(type) && type->size <= 8) CALL_OF(d, type, n, ww_random_below(d, stream, 6, a.out));
}

/* Inputs of each kind that the library computes by itself, in calls that read them in turn, at random, or twice. */
static void read_computed(ww_device *d, const arrays *a, ww_input in, uint64_t n, const ww_type *type) {
    CALL_OF(d, type, n, ww_store(d, in, a->out));
    CALL_OF(d, type, n, ww_reduce(d, &ww_add, in, a->one));
    CALL_OF(d, type, n, ww_scan(d, &ww_add, in, a->out, NULL));
    CALL_OF(d, type, n, ww_sort(d, in, ww_no_input, a->out, ww_none, NULL));
    CALL_OF(d, type, n, ww_sort(d, a->other, in, a->out, a->second, NULL));
    CALL_OF(d, type, n, ww_scatter(d, in, a->index, a->out, ww_scatter_by(WW_CONFLICT_ANY)));
    CALL_OF(d, type, n, ww_pack(d, in, a->flags, a->out, a->count, NULL));
    CALL_OF(d, type, n, ww_unique(d, in, a->out, a->count));
    CALL_OF(d, type, n, ww_lower_bound(d, NULL, a->sorted, in, first_of(a->wide, n)));
    CALL_OF(d, type, n, ww_reduce_by_key(d, &ww_add, a->keys, in, a->positions, a->out, a->count));
    CALL_OF(d, type, n, ww_top_k(d, in, ww_no_input, first_of(a->out, 10), ww_none, NULL));
}

static void counted(ww_device *d, const arrays *a, uint64_t n, const ww_type *type) {
    const uint64_t *const number = a->count.data;
    const ww_input in = ww_counted(a->in, number), by = ww_counted(a->flags, number),
                   index = ww_counted(a->index, number), keys = ww_counted(a->keys, number);
    const ww_array out = ww_counted_array(a->out, number), other = first_of(a->wide, 1);
    CALL_OF(d, type, n, ww_fill(d, a->count, ww_value(uint64_t, n / 2)));
    CALL_OF(d, type, n, ww_store(d, in, out));
    CALL_OF(d, type, n, ww_reduce(d, &ww_add, in, a->one));
    CALL_OF(d, type, n, ww_scan(d, &ww_add, in, out, NULL));
    CALL_OF(d, type, n, ww_pack(d, in, by, a->out, other, NULL));
    CALL_OF(d, type, n, ww_split(d, in, by, out, other, NULL));
    CALL_OF(d, type, n, ww_gather(d, a->in, index, out));
    CALL_OF(d, type, n, ww_scatter(d, in, index, a->out, NULL));
    CALL_OF(d, type, n, ww_unique(d, in, a->out, other));
    CALL_OF(d, type, n, ww_reduce_by_key(d, &ww_add, keys, in, a->positions, a->out, other));
    CALL_OF(d, type, n, ww_sort(d, in, ww_no_input, out, ww_none, NULL));
    CALL_OF(d, type, n, ww_lower_bound(d, NULL, a->sorted, in, ww_counted_array(first_of(a->wide, n), number)));
}

void computed(memory *m, uint64_t n, const ww_type *type) {
    const arrays a = arrays_of(m, n, type);
    const unsigned char value[16] = {0};
    ww_device *const d = m->device;
    read_computed(d, &a, ww_strided(ww_from(a.twice), 1, 2, n), n, type);
    read_computed(d, &a, ww_reversed(a.in), n, type);
    read_computed(d, &a, ww_permuted(a.in, a.index), n, type);
    read_computed(d, &a, ww_permuted(a.in, ww_strided(a.index, n - 1, -1, n)), n, type);
    read_computed(d, &a, ww_cast(type, a.labels), n, type);
    read_computed(d, &a, ww_cast(type, ww_reversed(a.labels)), n, type);
    read_computed(d, &a, ww_constant(ww_value_of(value, type), n), n, type);
    if (!is_float(type)) {
        read_computed(d, &a, ww_counting(type, 3, n), n, type);
        read_computed(d, &a, ww_strided(ww_counting(type, 3, 3 * n), 0, 3, n), n, type);
    }
    counted(d, &a, n, type);
}
