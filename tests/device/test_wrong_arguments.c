/* Every public function with arrays, each argument wrong in turn, on every device: what is asked for is refused with the
 * function's name in the sentence, nothing is queued on a GPU, and no output changes. That the same call with right arguments
 * is fine a CPU shows, which has no programs to compile.
 *
 * And with all arrays in the host's own memory: then a GPU stages them, gives what the CPU gives, changes nothing else, and does
 * nothing at all where an argument is wrong. */
#include <stdio.h>

#include "support/cases.h"
#include "support/failing_driver.h"

enum { N = 128, BINS = 8, RECORD = 3, INPUTS = 4, OUTPUTS = 4 };

typedef struct arguments {
    ww_device *device;
    ww_patterns *patterns;
    ww_find_stream *stream;
    ww_lsm *lsm;
    const ww_function *f;
    ww_input in[INPUTS];
    ww_array out[OUTPUTS];
} arguments;

WW_MAP(half, uint32_t, uint32_t, x, void, none, { return x / 2; });
WW_MAP(odd, uint8_t, uint32_t, x, void, none, { return x & 1; });
WW_MAP(low_three, uint32_t, uint32_t, x, void, none, { return x & 7; });
WW_MAP2(same_half, uint8_t, uint32_t, a, uint32_t, b, void, none, { return a / 2 == b / 2; });
WW_MAP2(sum, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a + b; });

static const uint32_t low = 0, high = 1000;
static const double half_way = 0.5;

/* ---- the functions ---- */

/* Letters say what a function takes.
 * Inputs: x, y u32 numbers; a those of any type; s rising ones; b flags; i positions; o offsets of 4 segments; e rising
 * edges; t text; c sets of buckets; l labels, q places of tiles. Outputs: x, y as many u32 numbers; m twice as many; n those of
 * one segment; h counts of bins; 1, v, w, u one u64, u32, u64 or u8; p u64 positions, and k u32 keys, in room that need not suffice;
 * f flags; g offsets of as many segments; r an array that is read or changed. Outputs in capitals may be none. */
static const ww_random some_numbers = {1, 2, 3};
#define FUNCTIONS(F) \
    F(ww_map, &half_ww, "x", "x", ww_map(a->device, a->f, a->in[0], a->out[0])) \
    F(ww_map2, &sum_ww, "xy", "x", ww_map2(a->device, a->f, a->in[0], a->in[1], a->out[0])) \
    F(ww_store, NULL, "x", "x", ww_store(a->device, a->in[0], a->out[0])) \
    F(ww_reduce, &ww_add, "x", "v", ww_reduce(a->device, a->f, a->in[0], a->out[0])) \
    F(ww_reduce_by_key, &ww_add, "xy", "Xy1", \
      ww_reduce_by_key(a->device, a->f, a->in[0], a->in[1], a->out[0], a->out[1], a->out[2])) \
    F(ww_reduce_segments, &ww_add, "xo", "n", ww_reduce_segments(a->device, a->f, a->in[0], a->in[1], a->out[0])) \
    F(ww_spmv, NULL, "xiox", "n", \
      ww_spmv(a->device, a->in[0], a->in[1], a->in[2], a->in[3], a->out[0], NULL)) \
    F(ww_spmm, NULL, "xiox", "n", \
      ww_spmm(a->device, a->in[0], a->in[1], a->in[2], a->in[3], 1, a->out[0], NULL)) \
    F(ww_arg_min, NULL, "x", "V1", ww_arg_min(a->device, NULL, a->in[0], a->out[0], a->out[1])) \
    F(ww_arg_max, NULL, "x", "V1", ww_arg_max(a->device, NULL, a->in[0], a->out[0], a->out[1])) \
    F(ww_arg_min_segments, NULL, "xo", "n", ww_arg_min_segments(a->device, NULL, a->in[0], a->in[1], a->out[0])) \
    F(ww_arg_max_segments, NULL, "xo", "n", ww_arg_max_segments(a->device, NULL, a->in[0], a->in[1], a->out[0])) \
    F(ww_reverse, NULL, "x", "x", ww_reverse(a->device, a->in[0], a->out[0])) \
    F(ww_rotate, NULL, "x", "x", ww_rotate(a->device, 5, a->in[0], a->out[0])) \
    F(ww_transpose, NULL, "x", "x", ww_transpose(a->device, N / 4, 4, a->in[0], a->out[0])) \
    F(ww_count_if, &odd_ww, "x", "1", ww_count_if(a->device, a->f, a->in[0], a->out[0])) \
    F(ww_any, &odd_ww, "x", "u", ww_any(a->device, a->f, a->in[0], a->out[0])) \
    F(ww_all, &odd_ww, "x", "u", ww_all(a->device, a->f, a->in[0], a->out[0])) \
    F(ww_find_if, &odd_ww, "x", "1", ww_find_if(a->device, a->f, a->in[0], a->out[0])) \
    F(ww_is_sorted, NULL, "x", "UW", ww_is_sorted(a->device, NULL, a->in[0], a->out[0], a->out[1])) \
    F(ww_min_max, NULL, "x", "vv", ww_min_max(a->device, NULL, a->in[0], a->out[0], a->out[1])) \
    F(ww_scan, &ww_add, "x", "x", ww_scan(a->device, a->f, a->in[0], a->out[0], NULL)) \
    F(ww_scan_segmented, &ww_add, "xb", "x", ww_scan_segmented(a->device, a->f, a->in[0], a->in[1], a->out[0], NULL)) \
    F(ww_scan_by_key, &ww_add, "xa", "x", ww_scan_by_key(a->device, a->f, a->in[1], a->in[0], a->out[0], NULL)) \
    F(ww_enumerate, NULL, "b", "xW", ww_enumerate(a->device, a->in[0], a->out[0], a->out[1])) \
    F(ww_adjacent_difference, NULL, "x", "x", ww_adjacent_difference(a->device, a->in[0], a->out[0])) \
    F(ww_pack, NULL, "xb", "x1", ww_pack(a->device, a->in[0], a->in[1], a->out[0], a->out[1], NULL)) \
    F(ww_pack_if, &odd_ww, "x", "x1", ww_pack_if(a->device, a->f, a->in[0], a->out[0], a->out[1], NULL)) \
    F(ww_split, NULL, "xb", "x1", ww_split(a->device, a->in[0], a->in[1], a->out[0], a->out[1], NULL)) \
    F(ww_split_if, &odd_ww, "x", "x1", ww_split_if(a->device, a->f, a->in[0], a->out[0], a->out[1], NULL)) \
    F(ww_expand, NULL, "xb", "xYX1", \
      ww_expand(a->device, a->in[0], a->in[1], a->out[0], a->out[1], a->out[2], a->out[3])) \
    F(ww_random_fill, NULL, "", "x", ww_random_fill(a->device, some_numbers, a->out[0])) \
    F(ww_random_below, NULL, "", "x", ww_random_below(a->device, some_numbers, 1000, a->out[0])) \
    F(ww_shuffle, NULL, "x", "x", ww_shuffle(a->device, some_numbers, a->in[0], a->out[0])) \
    F(ww_permutation, NULL, "", "x", ww_permutation(a->device, some_numbers, a->out[0])) \
    F(ww_gather, NULL, "i", "xr", ww_gather(a->device, ww_from(a->out[1]), a->in[0], a->out[0])) \
    F(ww_scatter, NULL, "xi", "r", \
      ww_scatter(a->device, a->in[0], a->in[1], a->out[0], ww_scatter_by(WW_CONFLICT_LAST))) \
    F(ww_histogram_even, NULL, "x", "hW", \
      ww_histogram_even(a->device, a->in[0], ww_value(uint32_t, low), ww_value(uint32_t, high), a->out[0], a->out[1], \
                        NULL)) \
    F(ww_histogram_edges, NULL, "xe", "hW", \
      ww_histogram_edges(a->device, a->in[0], a->in[1], a->out[0], a->out[1], NULL)) \
    F(ww_histogram, &low_three_ww, "x", "hW", ww_histogram(a->device, a->f, a->in[0], a->out[0], a->out[1], NULL)) \
    F(ww_bincount, NULL, "x", "hW", ww_bincount(a->device, a->in[0], a->out[0], a->out[1], NULL)) \
    F(ww_histogram_weighted, &low_three_ww, "xy", "h", \
      ww_histogram_weighted(a->device, a->f, a->in[0], a->in[1], a->out[0])) \
    F(ww_histogram_edges_weighted, NULL, "xey", "h", \
      ww_histogram_edges_weighted(a->device, a->in[0], a->in[1], a->in[2], a->out[0])) \
    F(ww_merge, NULL, "ssyx", "mm", \
      ww_merge(a->device, NULL, a->in[0], a->in[1], a->in[2], a->in[3], a->out[0], a->out[1])) \
    F(ww_set_union, NULL, "ss", "m1", ww_set_union(a->device, NULL, a->in[0], a->in[1], a->out[0], a->out[1])) \
    F(ww_set_intersection, NULL, "ss", "m1", \
      ww_set_intersection(a->device, NULL, a->in[0], a->in[1], a->out[0], a->out[1])) \
    F(ww_set_difference, NULL, "ss", "m1", \
      ww_set_difference(a->device, NULL, a->in[0], a->in[1], a->out[0], a->out[1])) \
    F(ww_lower_bound, NULL, "sx", "x", ww_lower_bound(a->device, NULL, a->in[0], a->in[1], a->out[0])) \
    F(ww_upper_bound, NULL, "sx", "x", ww_upper_bound(a->device, NULL, a->in[0], a->in[1], a->out[0])) \
    F(ww_run_lengths, NULL, "s", "XY1", ww_run_lengths(a->device, a->in[0], a->out[0], a->out[1], a->out[2])) \
    F(ww_unique, NULL, "s", "x1", ww_unique(a->device, a->in[0], a->out[0], a->out[1])) \
    F(ww_run_lengths_by, &same_half_ww, "s", "XY1", \
      ww_run_lengths_by(a->device, a->f, a->in[0], a->out[0], a->out[1], a->out[2])) \
    F(ww_unique_by, &same_half_ww, "s", "x1", ww_unique_by(a->device, a->f, a->in[0], a->out[0], a->out[1])) \
    F(ww_reduce_by_key_by, &same_half_ww, "xy", "Xy1", \
      ww_reduce_by_key_by(a->device, a->f, &ww_add, a->in[0], a->in[1], a->out[0], a->out[1], a->out[2])) \
    F(ww_sort, NULL, "xy", "xy", ww_sort(a->device, a->in[0], a->in[1], a->out[0], a->out[1], NULL)) \
    F(ww_sort_by, &ww_descending, "xy", "xy", \
      ww_sort_by(a->device, a->f, a->in[0], a->in[1], a->out[0], a->out[1], NULL)) \
    F(ww_sort_index, NULL, "x", "y", ww_sort_index(a->device, a->in[0], a->out[0], NULL)) \
    F(ww_sort_records, NULL, "x", "x", ww_sort_records(a->device, 1, 2, a->in[0], a->out[0], NULL)) \
    F(ww_sort_records_index, NULL, "a", "y", ww_sort_records_index(a->device, 0, 3, a->in[0], a->out[0], NULL)) \
    F(ww_sort_columns, NULL, "xya", "XxY", sort_columns(a)) \
    F(ww_sort_segments, NULL, "xyo", "xy", \
      ww_sort_segments(a->device, a->in[0], a->in[1], a->in[2], a->out[0], a->out[1], NULL)) \
    F(ww_tiles_sort, NULL, "xy", "xy", ww_tiles_sort(a->device, 64, a->in[0], a->in[1], a->out[0], a->out[1])) \
    F(ww_tiles_transpose, NULL, "x", "x", ww_tiles_transpose(a->device, 8, 8, a->in[0], a->out[0])) \
    F(ww_tiles_partition, NULL, "xl", "x", ww_tiles_partition(a->device, 64, 2, a->in[0], a->in[1], a->out[0])) \
    F(ww_tiles_permute, NULL, "xq", "x", ww_tiles_permute(a->device, 64, a->in[0], a->in[1], a->out[0])) \
    F(ww_top_k, NULL, "xy", "xy", ww_top_k(a->device, a->in[0], a->in[1], a->out[0], a->out[1], NULL)) \
    F(ww_top_k_segments, NULL, "xyo", "nn", \
      ww_top_k_segments(a->device, 1, a->in[0], a->in[1], a->in[2], a->out[0], a->out[1], NULL)) \
    F(ww_nth_segments, NULL, "xo", "n", ww_nth_segments(a->device, 1, a->in[0], a->in[1], a->out[0], NULL)) \
    F(ww_quantiles, NULL, "x", "v", ww_quantiles(a->device, &half_way, 1, WW_QUANTILE_LOWER, a->in[0], a->out[0])) \
    F(ww_nth, NULL, "x", "v", ww_nth(a->device, 7, a->in[0], a->out[0], NULL)) \
    F(ww_multisplit, &low_three_ww, "xy", "xy", \
      ww_multisplit(a->device, a->f, BINS, a->in[0], a->in[1], a->out[0], a->out[1], ww_none, NULL)) \
    F(ww_multisplit_edges, NULL, "xye", "xy", \
      ww_multisplit_edges(a->device, a->in[0], a->in[1], a->in[2], a->out[0], a->out[1], ww_none, NULL)) \
    F(ww_split8, NULL, "x", "x", ww_split8(a->device, 9, a->in[0], a->out[0], ww_none)) \
    F(ww_split8_unstable, NULL, "x", "x", ww_split8_unstable(a->device, 9, a->in[0], a->out[0], ww_none)) \
    F(ww_split_bits, NULL, "x", "x", ww_split_bits(a->device, 3, 11, a->in[0], a->out[0], ww_none)) \
    F(ww_split_gather_index, NULL, "a", "y", ww_split_gather_index(a->device, 3, 4, a->in[0], a->out[0], ww_none)) \
    F(ww_split_scatter_index, NULL, "a", "y", ww_split_scatter_index(a->device, 3, 4, a->in[0], a->out[0], ww_none)) \
    F(ww_multisplit_several, NULL, "c", "mW", \
      ww_multisplit_several(a->device, 2, a->in[0], a->out[0], ww_none, a->out[1])) \
    F(ww_find, NULL, "t", "P1", ww_find(a->device, a->in[0], "ab", 2, a->out[0], a->out[1], NULL)) \
    F(ww_find_first, NULL, "t", "1", ww_find_first(a->device, a->in[0], "ab", 2, a->out[0], NULL)) \
    F(ww_find_last, NULL, "t", "1", ww_find_last(a->device, a->in[0], "ab", 2, a->out[0], NULL)) \
    F(ww_find_texts, NULL, "to", "P1", \
      ww_find_texts(a->device, a->in[0], a->in[1], "ab", 2, a->out[0], ww_none, a->out[1], NULL)) \
    F(ww_find_near, NULL, "t", "P1", \
      ww_find_near(a->device, a->in[0], "ab", 2, 1, a->out[0], ww_none, a->out[1], NULL)) \
    F(ww_find_many, NULL, "t", "P1", ww_find_many(a->patterns, a->in[0], a->out[0], ww_none, a->out[1])) \
    F(ww_find_stream_next, NULL, "t", "P1", ww_find_stream_next(a->stream, a->in[0], a->out[0], ww_none, a->out[1])) \
    F(ww_lsm_lookup, NULL, "x", "XF", ww_lsm_lookup(a->lsm, a->in[0], a->out[0], a->out[1])) \
    F(ww_lsm_count, NULL, "xy", "x", ww_lsm_count(a->lsm, a->in[0], a->in[1], a->out[0])) \
    F(ww_lsm_range, NULL, "xy", "gkK", ww_lsm_range(a->lsm, a->in[0], a->in[1], a->out[0], a->out[1], a->out[2])) \
    F(ww_lsm_predecessor, NULL, "x", "XYF", \
      ww_lsm_predecessor(a->lsm, a->in[0], false, a->out[0], a->out[1], a->out[2])) \
    F(ww_lsm_successor, NULL, "x", "XYF", ww_lsm_successor(a->lsm, a->in[0], true, a->out[0], a->out[1], a->out[2])) \
    F(ww_lsm_minimum, NULL, "", "VVU", ww_lsm_minimum(a->lsm, a->out[0], a->out[1], a->out[2])) \
    F(ww_lsm_maximum, NULL, "", "VVU", ww_lsm_maximum(a->lsm, a->out[0], a->out[1], a->out[2])) \
    F(ww_lsm_entries, NULL, "", "kK1", ww_lsm_entries(a->lsm, a->out[0], a->out[1], a->out[2])) \
    F(ww_lsm_insert, NULL, "xy", "", ww_lsm_insert(a->lsm, a->in[0], a->in[1])) \
    F(ww_lsm_delete, NULL, "x", "", ww_lsm_delete(a->lsm, a->in[0])) \
    F(ww_lsm_update, NULL, "xyb", "", ww_lsm_update(a->lsm, a->in[0], a->in[1], a->in[2])) \
    F(ww_lsm_build, NULL, "xy", "", ww_lsm_build(a->lsm, a->in[0], a->in[1])) \
    F(ww_copy, NULL, "", "xr", ww_copy(a->device, ww_from(a->out[1]), a->out[0])) \
    F(ww_fill, NULL, "", "x", ww_fill(a->device, a->out[0], ww_value(uint32_t, low)))

/* By two columns, of which one is written in its new order, with a third one carried along, and an index. */
static ww_status sort_columns(const arguments *a) {
    const ww_sort_column columns[] = {{.keys = a->in[0], .sorted = a->out[0]},
                                      {.keys = a->in[1], .sorted = ww_none, .descending = true}};
    const ww_carried_column carried = {a->in[2], a->out[1]};
    return ww_sort_columns(a->device, columns, 2, &carried, 1, a->out[2]);
}

#define CALLED(name, function, inputs, outputs, call) \
    static ww_status call_##name(const arguments *a) { return call; }
FUNCTIONS(CALLED)

static const struct row {
    const char *name;
    const ww_function *f;
    const char *in, *out;
    ww_status (*call)(const arguments *a);
} rows[] = {
#define LISTED(name, function, inputs, outputs, call) {#name, function, inputs, outputs, call_##name},
    FUNCTIONS(LISTED)};

/* ---- right arguments ---- */

typedef struct memory {
    uint32_t *x, *y, *sorted, *edges, *changed, *labels, *places;
    uint64_t *offsets, *index, *sets;
    uint8_t *flags, *text;
    void *own; /* of the host's, which kernels do not reach */
    guarded out[OUTPUTS];
    bool is_host; /* all of it */
} memory;

enum { POISON = 0x3C };

static void *room(bool is_host, size_t bytes) {
    void *const block = is_host ? malloc(bytes) : need(bytes);
    assert_non_null(block);
    return block;
}

static memory memory_new(bool is_host) {
    memory m = {.x = room(is_host, 4 * N),
                .y = room(is_host, 4 * N),
                .sorted = room(is_host, 4 * N),
                .edges = room(is_host, 4 * (BINS + 1)),
                .changed = room(is_host, 4 * N),
                .labels = room(is_host, 4 * N),
                .places = room(is_host, 4 * N),
                .offsets = room(is_host, 8 * 5),
                .index = room(is_host, 8 * N),
                .sets = room(is_host, 8 * N),
                .flags = room(is_host, N),
                .text = room(is_host, N),
                .own = calloc(2 * N, 8),
                .is_host = is_host};
    assert_non_null(m.own);
    for (uint32_t i = 0; i < N; i++) {
        m.x[i] = i * 2654435761u >> 22;
        m.y[i] = 7 * i;
        m.sorted[i] = 3 * i;
        m.changed[i] = i;
        m.labels[i] = i % 2;
        m.places[i] = 5 * i % 64;
        m.index[i] = (5 * i) % N;
        m.sets[i] = 1 + i % 3;
        m.flags[i] = i % 3 == 0;
        m.text[i] = i % 3 ? 'a' : 'b';
    }
    for (uint32_t e = 0; e <= BINS; e++) m.edges[e] = 100 * e;
    for (uint32_t s = 0; s < 5; s++) m.offsets[s] = N / 4 * s;
    for (size_t o = 0; o < OUTPUTS; o++)
        m.out[o] = is_host ? guarded_in_host(2 * N * 8, 8 * o) : guarded_new(2 * N * 8);
    return m;
}

static void poison(const memory *m) {
    for (size_t o = 0; o < OUTPUTS; o++) memset(m->out[o].data, POISON, m->out[o].bytes);
    for (uint32_t i = 0; i < N; i++) m->changed[i] = i;
}

static void memory_free(memory *m) {
    void *const all[] = {m->x,       m->y,     m->sorted, m->edges, m->changed, m->labels, m->places,
                         m->offsets, m->index, m->sets,   m->flags, m->text,    m->own};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    for (size_t o = 0; o < OUTPUTS; o++) guarded_free(&m->out[o]);
}

static ww_input right_input(const memory *m, char kind) {
    switch (kind) {
    case 'a':
    case 'x':
        return ww_memory(m->x, N);
    case 'y':
        return ww_memory(m->y, N);
    case 's':
        return ww_memory(m->sorted, N);
    case 'b':
        return ww_memory(m->flags, N);
    case 'i':
        return ww_memory(m->index, N);
    case 'o':
        return ww_memory(m->offsets, 5);
    case 'e':
        return ww_memory(m->edges, BINS + 1);
    case 'c':
        return ww_memory(m->sets, N);
    case 'l':
        return ww_memory(m->labels, N);
    case 'q':
        return ww_memory(m->places, N);
    default:
        return ww_memory(m->text, N);
    }
}

static char plain(char kind) { return kind >= 'A' && kind <= 'Z' ? (char)(kind - 'A' + 'a') : kind; }

static ww_array right_output(const memory *m, char kind, size_t number) {
    void *const to = m->out[number].data;
    switch (plain(kind)) {
    case 'x':
    case 'y':
        return ww_array((uint32_t *)to, N);
    case 'm':
        return ww_array((uint32_t *)to, 2 * N);
    case 'n':
        return ww_array((uint32_t *)to, 4);
    case 'h':
        return ww_array((uint32_t *)to, BINS);
    case 'v':
        return ww_array((uint32_t *)to, 1);
    case 'r':
        return ww_array(m->changed, N);
    case 'p':
        return ww_array((uint64_t *)to, N);
    case 'k':
        return ww_array((uint32_t *)to, 2 * N);
    case 'f':
        return ww_array((uint8_t *)to, N);
    case 'g':
        return ww_array((uint64_t *)to, N + 1);
    case 'u':
        return ww_array((uint8_t *)to, 1);
    default:
        return ww_array((uint64_t *)to, 1);
    }
}

/* What belongs to a handle. */
typedef struct belongings {
    ww_patterns *patterns;
    ww_find_stream *stream;
    ww_lsm *lsm;
} belongings;

static arguments right_arguments(const struct row *r, const memory *m, ww_device *device, const belongings *b) {
    arguments a = {.device = device, .patterns = b->patterns, .stream = b->stream, .lsm = b->lsm, .f = r->f};
    for (size_t k = 0; r->in[k]; k++) a.in[k] = right_input(m, r->in[k]);
    for (size_t k = 0; r->out[k]; k++) a.out[k] = right_output(m, r->out[k], k);
    return a;
}

/* ---- wrong ones ---- */

/* From OVERLAPS on an output overlaps with each input in turn, then with each other output. */
enum { WRONG_INPUTS = 7, OVERLAPS = 6, WRONG_OUTPUTS = OVERLAPS + INPUTS + OUTPUTS };
static const char *const wrong_names[] = {"none",         "null",         "of another type",         "too many",
                                          "out of reach", "another size", "another size of elements"};

/* One element behind where the other array begins. */
static bool overlap(const arguments *a, const struct row *r, ww_array *out, size_t with) {
    const bool input = with < INPUTS;
    const size_t number = input ? with : with - INPUTS;
    if (number >= strlen(input ? r->in : r->out) || &a->out[number] == out) return false;
    const void *const other = input ? a->in[number].step[0].data : a->out[number].data;
    out->data = (unsigned char *)(uintptr_t)other + (input || a->out[number].count > 1 ? out->size : 0);
    return true;
}

/* False where this is not wrong. */
static bool spoil_input(arguments *a, const struct row *r, const memory *m, size_t k, int how) {
    ww_input *in = &a->in[k];
    const ww_type *type = in->type;
    const uint64_t count = in->count;
    switch (how) {
    case 0:
        *in = ww_no_input;
        return true;
    case 1:
        *in = ww_memory_of(NULL, count, type);
        return true;
    case 2:
        *in = ww_record_memory(m->x, count, RECORD);
        return r->in[k] != 'a';
    case 3:
        *in = ww_memory_of(m->x, UINT64_MAX / 2, type);
        return true;
    case 4:
        *in = ww_memory_of(m->own, count, type);
        return on_gpu() && !m->is_host;
    case 5:
        in->step[0].type = NULL;
        return true;
    default:
        in->size = 3 * type->size;
        return true;
    }
}

static bool spoil_output(arguments *a, const struct row *r, const memory *m, size_t k, int how) {
    ww_array *out = &a->out[k];
    const char kind = plain(r->out[k]);
    const bool one = out->count == 1,
               has_room = kind == 'p' || kind == 'r' || kind == 'm' || kind == 'h' || kind == 'k';
    const bool any_copy = !strcmp(r->name, "ww_copy");
    switch (how) {
    case 0:
        *out = ww_none;
        return kind == r->out[k];
    case 1:
        out->data = NULL;
        return true;
    case 2:
        *out = ww_records(out->data, out->count, RECORD);
        return strcmp(r->name, "ww_fill") != 0;
    case 3:
        out->count = one ? 2 : UINT64_MAX / 2;
        return !has_room || !one;
    case 4:
        out->data = m->own;
        return on_gpu() && !m->is_host && !one && !any_copy;
    case 5:
        out->size *= 3;
        return true;
    default:
        return kind != 'r' && overlap(a, r, out, (size_t)(how - OVERLAPS));
    }
}

static void expect_refused(const struct row *r, const arguments *a, const memory *m, const failing_driver *f,
                           const char *which, size_t k, const char *how) {
    CASE("wrong arguments", "%s %s: %s %zu %s%s", setting_name(0), r->name, which, k, how, m->is_host ? ", host" : "");
    if (!case_wanted()) return;
    poison(m);
    const size_t before = f->count;
    const ww_status status = r->call(a);
    const bool refused = status == WW_INVALID || status == WW_TYPE || status == WW_OVERLAP || status == WW_LIMIT;
    /* So much is no wrong number of bytes for a text. No copies of it can be had. */
    const bool too_much = m->is_host && status == WW_MEMORY;
    if (!refused && !too_much) expect_status(a->device, status, WW_INVALID);
    if (a->device) expect_sentence(a->device, r->name);
    expect(too_much || f->count == before);
    for (size_t o = 0; o < OUTPUTS; o++) {
        const unsigned char *out = m->out[o].data;
        for (size_t i = 0; i < m->out[o].bytes; i++) expect(out[i] == POISON);
        guarded_check(&m->out[o]);
    }
    for (uint32_t i = 0; i < N; i++) expect(m->changed[i] == i && m->y[i] == 7 * i && m->sorted[i] == 3 * i);
}

static void check_row(const struct row *r, const memory *m, const arguments *right, const failing_driver *f) {
    for (size_t k = 0; r->in[k]; k++)
        for (int how = 0; how < WRONG_INPUTS; how++) {
            arguments a = *right;
            if (spoil_input(&a, r, m, k, how)) expect_refused(r, &a, m, f, "input", k, wrong_names[how]);
        }
    for (size_t k = 0; r->out[k]; k++)
        for (int how = 0; how < WRONG_OUTPUTS; how++) {
            arguments a = *right;
            if (spoil_output(&a, r, m, k, how)) {
                char overlapping[32];
                snprintf(overlapping, sizeof overlapping, "overlaps %d", how - OVERLAPS);
                expect_refused(r, &a, m, f, "output", k, how < OVERLAPS ? wrong_names[how] : overlapping);
            }
        }
    arguments a = *right;
    if (r->f) {
        a.f = NULL;
        if (strcmp(r->name, "ww_sort_by")) expect_refused(r, &a, m, f, "function", 0, "null");
        a.f = r->f == &ww_add || r->f == &ww_descending ? &half_ww : &ww_add;
        expect_refused(r, &a, m, f, "function", 0, "of another kind");
    }
    a = *right;
    a.device = NULL, a.patterns = NULL, a.stream = NULL, a.lsm = NULL;
    expect_refused(r, &a, m, f, "device", 0, "null");
}

static ww_patterns *open_patterns(ww_device *device) {
    static const uint64_t offsets[] = {0, 2, 3};
    ww_patterns *patterns = NULL;
    expect_status(device, ww_patterns_open(device, "abb", offsets, 2, &patterns, NULL), WW_OK);
    return patterns;
}

static ww_find_stream *open_stream(ww_device *device, ww_patterns *patterns) {
    ww_find_stream *stream = NULL;
    expect_status(device, ww_find_stream_open(patterns, &stream), WW_OK);
    return stream;
}

/* Three levels; some keys are deleted. */
static ww_lsm *open_lsm(ww_device *device) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_lsm *lsm = NULL;
    uint32_t *const keys = need(8 * sizeof *keys);
    options.batch = 1;
    for (uint32_t i = 0; i < 8; i++) keys[i] = 100 * i;
    expect_status(device, ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, &options), WW_OK);
    expect_status(device, ww_lsm_insert(lsm, ww_memory(keys, 8), ww_memory(keys, 8)), WW_OK);
    expect_status(device, ww_lsm_delete(lsm, ww_memory(keys, 3)), WW_OK);
    expect_status(device, ww_lsm_delete(lsm, ww_memory(keys + 6, 1)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    free(keys);
    return lsm;
}

static belongings belongings_new(ww_device *device) {
    belongings b = {.patterns = open_patterns(device), .lsm = open_lsm(device)};
    b.stream = open_stream(device, b.patterns);
    return b;
}

static void belongings_close(const belongings *b) {
    ww_find_stream_close(b->stream);
    ww_patterns_close(b->patterns);
    ww_lsm_close(b->lsm);
}

/* What a call of a CPU has left in all outputs. */
typedef struct results {
    unsigned char out[OUTPUTS][2 * N * 8];
    uint32_t changed[N];
} results;

static void call_right(const struct row *r, const memory *m, const arguments *a) {
    poison(m);
    const ww_status status = r->call(a);
    expect_status(a->device, status, WW_OK);
    expect_status(a->device, ww_sync(a->device), WW_OK);
    for (size_t o = 0; o < OUTPUTS; o++) guarded_check(&m->out[o]);
}

static void keep_results(const memory *m, results *kept) {
    for (size_t o = 0; o < OUTPUTS; o++) memcpy(kept->out[o], m->out[o].data, m->out[o].bytes);
    memcpy(kept->changed, m->changed, sizeof kept->changed);
}

/* In memory of the host's, a GPU leaves what a CPU leaves, in every byte. */
static void check_staged(const struct row *r, const memory *m, const arguments *right, const results *wanted) {
    CASE("wrong arguments", "%s right: %s, host", setting_name(0), r->name);
    if (!case_wanted()) return;
    call_right(r, m, right);
    for (size_t o = 0; o < OUTPUTS; o++) expect_bytes(m->out[o].data, wanted->out[o], m->out[o].bytes);
    expect_bytes(m->changed, wanted->changed, sizeof wanted->changed);
}

static void check_rows(bool is_host) {
    ww_device *device = setting_open_with(0, is_host ? WW_HOST_MEMORY_STAGED : WW_HOST_MEMORY_REFUSED), *cpu = NULL;
    memory m = memory_new(is_host);
    failing_driver f = {.deeds = FAILS_ALL, .fail_at = SIZE_MAX};
    expect_status(cpu, ww_open("cpu:threads=1", &cpu), WW_OK);
    const belongings own = belongings_new(device), cpus = belongings_new(cpu);
    if (on_gpu()) failing_driver_begin(device, &f);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        results wanted;
        CASE("wrong arguments", "%s right: %s", setting_name(0), rows[r].name);
        arguments a = right_arguments(&rows[r], &m, cpu, &cpus);
        call_right(&rows[r], &m, &a);
        keep_results(&m, &wanted);
        poison(&m);
        a = right_arguments(&rows[r], &m, device, &own);
        check_row(&rows[r], &m, &a, &f);
        if (is_host) check_staged(&rows[r], &m, &a, &wanted);
    }
    if (on_gpu()) failing_driver_end(&f);
    belongings_close(&own);
    belongings_close(&cpus);
    memory_free(&m);
    ww_close(cpu);
    ww_close(device);
}

/* ---- inputs that no builder made ---- */

WW_MAP(scaled, uint32_t, uint32_t, x, uint32_t, by, { return x * *by; });

static ww_function of_another_version(void) {
    ww_function f = half_ww;
    f.version++;
    return f;
}

WW_STRUCT(wide, { uint32_t word[8]; });
WW_MAP(first_word, uint32_t, wide, x, void, none, { return x.word[0]; });

/* Change number k of one right input, of a sum of memory and halves of counted numbers; false: there is none. */
static bool spoil_made(ww_input *in, size_t k, const ww_function *old) {
    switch (k) {
    case 0:
        in->kind[3] = WW_STEP_MAP; /* which leaves two */
        return true;
    case 1:
        in->kind[2] = WW_STEP_COUNTING; /* in a type that is a function */
        in->step[2].type = &ww_type_float;
        return true;
    case 2:
        in->kind[1] = WW_STEP_MISFIT;
        in->step[1] = (ww_step){.function = &half_ww};
        return true;
    case 3:
        in->step[1].type = &ww_type_float;
        return true;
    case 4:
        in->step[1].type = NULL;
        return true;
    case 5:
        in->step[0].type = NULL;
        return true;
    case 6:
        in->size = 8;
        return true;
    case 7:
        in->type = &ww_type_float;
        return true;
    case 8:
        in->step[2].function = old;
        return true;
    case 9:
        in->step[2].function = &sum_ww;
        return true;
    case 10:
        in->kind[2] = WW_STEP_MAP2;
        return true;
    case 11:
        in->kind[2] = 77;
        return true;
    case 12:
        in->steps = WW_INPUT_STEPS + 1;
        return true;
    case 13:
        in->steps = 3;
        return true;
    case 14:
        in->step[2].function = &scaled_ww;
        return true;
    case 15:
        in->step[0].type = &ww_type_record;
        return true;
    case 16:
        in->step[2].function = NULL;
        return true;
    case 17:
        in->step[2].number = 1; /* half reads none */
        return true;
    case 18:
        in->step[2] = (ww_step){.function = &scaled_ww, .number = 1};
        return true;
    case 19:
        in->step[2] = (ww_step){.function = &scaled_ww, .data = in->step[0].data};
        return true;
    case 20:
        in->kind[2] = WW_STEP_MISFIT;
        in->step[2] = (ww_step){.function = &scaled_ww, .data = &ww_type_float};
        return true;
    case 21:
        in->kind[2] = WW_STEP_MISFIT;
        in->step[2] = (ww_step){.function = &scaled_ww, .data = &ww_type_uint32_t};
        return true;
    case 22:
        in->kind[1] = WW_STEP_CONSTANT;
        in->step[1] = (ww_step){.type = NULL};
        return true;
    case 23: /* a long constant is pointed to */
        in->kind[1] = WW_STEP_CONSTANT;
        in->step[1] = (ww_step){.type = &wide_ww};
        in->step[2].function = &first_word_ww;
        return true;
    case 24:
        in->problem = 200;
        return true;
    case 25:
        in->kind[0] = WW_STEP_MAP; /* of nothing */
        in->step[0] = (ww_step){.function = &half_ww};
        return true;
    case 26:
        in->steps = 2; /* which leaves two */
        return true;
    default:
        return false;
    }
}

static void made_by_hand(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    const ww_function old = of_another_version();
    uint32_t *x = need(N * sizeof *x), *out = need(N * sizeof *out);
    for (size_t k = 0;; k++) {
        ww_input in = ww_mapped2(&sum_ww, ww_memory(x, N), ww_mapped(&half_ww, ww_counting(&ww_type_uint32_t, 0, N)));
        if (!spoil_made(&in, k, &old)) break;
        CASE("wrong arguments", "%s input with change %zu", setting_name(0), k);
        if (!case_wanted()) continue;
        const ww_status status = ww_store(device, in, ww_array(out, N));
        if (status != WW_TYPE) expect_status(device, status, WW_INVALID);
        expect_sentence(device, "ww_store");
    }
    free(x);
    free(out);
    ww_close(device);
}

static void missing_environments(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *x = need(N * sizeof *x), *out = need(N * sizeof *out);
    uint64_t count;
    const ww_input in = ww_memory(x, N);
    const ww_array to = ww_array(out, N), one = ww_array(&count, 1);
    CASE("wrong arguments", "%s environments", setting_name(0));
    if (case_wanted()) {
        const ww_status statuses[] = {
            ww_map(device, &scaled_ww, in, to),
            ww_store(device, ww_mapped(&scaled_ww, in), to),
            ww_pack_if(device, &scaled_ww, in, to, one, NULL),
            ww_split_if(device, &scaled_ww, in, to, one, NULL),
            ww_histogram(device, &scaled_ww, in, to, ww_none, NULL),
            ww_multisplit(device, &scaled_ww, 4, in, ww_no_input, to, ww_none, ww_none, NULL),
            ww_multisplit(device, &ww_by_bits, 4, in, ww_no_input, to, ww_none, ww_none, NULL),
            ww_multisplit(device, &ww_by_delta, 4, in, ww_no_input, to, ww_none, ww_none, NULL)};
        for (size_t k = 0; k < sizeof statuses / sizeof *statuses; k++) expect_status(device, statuses[k], WW_INVALID);
        expect_sentence(device, "needs a ww_delta as its environment");
    }
    free(x);
    free(out);
    ww_close(device);
}

static void each_argument(void **state) {
    (void)state;
    check_rows(false);
}

static void each_argument_in_host_memory(void **state) {
    (void)state;
    if (on_gpu()) check_rows(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_argument), cmocka_unit_test(each_argument_in_host_memory),
                                       cmocka_unit_test(made_by_hand), cmocka_unit_test(missing_environments)};
    return cmocka_run_group_tests_name("wrong arguments", tests, NULL, NULL);
}
