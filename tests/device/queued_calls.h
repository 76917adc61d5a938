/* Calls that are queued on a GPU, on arrays in its memory: what can be captured in a graph and replayed, allocates nothing the
 * second time, and has to end well when the driver fails at any point. A line for each.
 *
 *     const world w = begin(device);
 *     expect_status(device, calls[c].make(&w, w.n), WW_OK);
 *     outputs got = read_outputs(&w);
 *     …
 *     end(&w); */
#ifndef TESTS_QUEUED_CALLS_H
#define TESTS_QUEUED_CALLS_H

#include "support/cases.h"

enum { LARGER = 5 /* times as much as is captured */, EDGES = 20 };

/* In the GPU's memory, LARGER * n elements each. */
typedef struct world {
    ww_device *device;
    size_t n;
    uint32_t *x, *sorted, *index, *out, *second, *edges;
    uint8_t *flags;
    uint64_t *count;
    ww_patterns *patterns; /* of the device's own */
} world;

WW_MAP(triple, uint32_t, uint32_t, x, void, none, { return 3 * x; });
WW_MAP(thirties, uint32_t, uint32_t, x, void, none, { return 30 * x; });
WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP(low_six, uint32_t, uint32_t, x, void, none, { return x & 63; });
WW_MAP(low_ten, uint32_t, uint32_t, x, void, none, { return x & 1023; });
WW_COMBINE(either, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a | b; });
WW_COMBINE_WITH(add_modulo, uint32_t, a, b, uint64_t, m, WW_COMMUTES, WW_IDENTITY(0),
                { return (uint32_t)(((uint64_t)a + b) % *m); });
WW_LESS_WITH(by_table, uint32_t, a, b, uint32_t, table, { return table[a] < table[b]; });
WW_STRUCT(squares, {
    const uint32_t *from;
    uint32_t *to;
});
WW_KERNEL(square_one, squares, a, rank, { a->to[rank] = a->from[rank] * a->from[rank]; });

#define IN(name, count) ww_memory(w->name, count)
#define OUT(name, count) ww_array(w->name, count)
#define CALL(name, ...) \
    static ww_status name(const world *w, size_t n) { return __VA_ARGS__; }
CALL(mapped, ww_map(w->device, &triple_ww, IN(x, n), OUT(out, n)))
CALL(stored, ww_store(w->device, IN(x, n), OUT(out, n)))
static ww_status launched(const world *w, size_t n) {
    const squares a = {w->x, w->out};
    return ww_launch(w->device, ww_with(square_one, &a), n);
}
CALL(reduced, ww_reduce(w->device, &ww_add, IN(x, n), OUT(out, 1)))
CALL(reduced_by_key,
     ww_reduce_by_key(w->device, &ww_add, IN(sorted, n), IN(x, n), OUT(out, n), OUT(second, n), OUT(count, 1)))
CALL(least, ww_arg_min(w->device, NULL, IN(x, n), OUT(out, 1), OUT(count, 1)))
CALL(scanned, ww_scan(w->device, &either_ww, IN(x, n), OUT(out, n), NULL))
CALL(scanned_by_flags, ww_scan_segmented(w->device, &ww_add, IN(x, n), IN(flags, n), OUT(out, n), NULL))
CALL(scanned_by_key, ww_scan_by_key(w->device, &ww_add, IN(sorted, n), IN(x, n), OUT(out, n), NULL))
CALL(enumerated, ww_enumerate(w->device, IN(flags, n), OUT(out, n), OUT(count, 1)))
CALL(differences, ww_adjacent_difference(w->device, IN(x, n), OUT(out, n)))
CALL(packed, ww_pack(w->device, IN(x, n), IN(flags, n), OUT(out, n), OUT(count, 1), NULL))
CALL(split_stable, ww_split_if(w->device, &is_odd_ww, IN(x, n), OUT(out, n), OUT(count, 1), NULL))
CALL(gathered, ww_gather(w->device, ww_from(OUT(x, n)), IN(index, n), OUT(out, n)))
CALL(scattered, ww_scatter(w->device, IN(x, n), IN(index, n), OUT(out, n), ww_scatter_by(WW_CONFLICT_LAST)))
CALL(counted, ww_histogram(w->device, &low_ten_ww, IN(x, n), OUT(out, 1024), ww_none, NULL))
CALL(merged, ww_merge(w->device, NULL, IN(sorted, n / 2), IN(sorted, n - n / 2), ww_no_input, ww_no_input,
                      OUT(out, n), ww_none))
CALL(searched, ww_lower_bound(w->device, NULL, IN(sorted, n), IN(x, n), OUT(out, n)))
CALL(united, ww_set_union(w->device, NULL, IN(sorted, n / 2), IN(sorted, n / 2), OUT(out, n), OUT(count, 1)))
CALL(runs, ww_run_lengths(w->device, IN(sorted, n), OUT(out, n), OUT(second, n), OUT(count, 1)))
CALL(keys_sorted, ww_sort(w->device, IN(x, n), ww_no_input, OUT(out, n), ww_none, NULL))
static ww_status sorted_by(const world *w, size_t n, ww_sort_method method) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    return ww_sort(w->device, IN(x, n), IN(index, n), OUT(out, n), OUT(second, n), &o);
}
CALL(merge_sorted, sorted_by(w, n, WW_SORT_MERGE))
CALL(quick_sorted, sorted_by(w, n, WW_SORT_QUICK))
CALL(split_sorted, sorted_by(w, n, WW_SORT_SPLIT1))
CALL(network_sorted, sorted_by(w, n, WW_SORT_MERGE_NETWORK))
/* What goes by value is not there any more when a graph is replayed; a table stays where it is. */
static ww_status scanned_modulo(const world *w, size_t n) {
    const uint64_t m = (uint64_t)1 << 32;
    return ww_scan(w->device, ww_with(add_modulo, &m), IN(x, n), OUT(out, n), NULL);
}
CALL(table_sorted, ww_sort_by(w->device, ww_with_array(by_table, w->x, n), IN(index, n), IN(sorted, n), OUT(out, n),
                              OUT(second, n), NULL))
CALL(pairs_sorted, ww_sort(w->device, IN(x, n), IN(index, n), OUT(out, n), OUT(second, n), NULL))
CALL(order_sorted, ww_sort_index(w->device, IN(x, n), OUT(out, n), NULL))
CALL(records_sorted,
     ww_sort_records(w->device, 6, 9, ww_record_memory(w->x, n / 8, 32), ww_records(w->out, n / 8, 32), NULL))
CALL(segments_sorted,
     ww_sort_segments(w->device, IN(x, n), IN(index, n), ww_mapped(&thirties_ww, ww_counting(&ww_type_uint32_t, 0, n / 30 + 1)), OUT(out, n), OUT(second, n), NULL))
CALL(tiles_sorted, ww_tiles_sort(w->device, 64, IN(x, n / 64 * 64), IN(index, n / 64 * 64), OUT(out, n / 64 * 64),
                                 OUT(second, n / 64 * 64)))
CALL(tiles_permuted,
     ww_tiles_permute(w->device, 64, IN(x, n / 64 * 64),
                      ww_mapped(&low_six_ww, ww_counting(&ww_type_uint32_t, 0, n / 64 * 64)), OUT(out, n / 64 * 64)))
CALL(first_chosen, ww_top_k(w->device, IN(x, n), IN(index, n), OUT(out, n / 10), OUT(second, n / 10), NULL))
static const ww_multisplit_options in_blocks = {sizeof in_blocks, WW_MULTISPLIT_BLOCK, 0},
                                   reduced_bit = {sizeof reduced_bit, WW_MULTISPLIT_REDUCED_BIT, 0};
CALL(multisplit, ww_multisplit(w->device, &low_ten_ww, 1024, IN(x, n), ww_no_input, OUT(out, n), ww_none,
                               OUT(second, 1025), NULL))
CALL(pairs_multisplit,
     ww_multisplit(w->device, &is_odd_ww, 2, IN(x, n), IN(index, n), OUT(out, n), OUT(second, n), ww_none, NULL))
CALL(multisplit_in_blocks, ww_multisplit(w->device, &low_ten_ww, 1024, IN(x, n), ww_no_input, OUT(out, n), ww_none,
                                         OUT(second, 1025), &in_blocks))
CALL(multisplit_reduced, ww_multisplit(w->device, &low_ten_ww, 1024, IN(x, n), IN(index, n), OUT(out, n),
                                       OUT(second, n), ww_none, &reduced_bit))
CALL(multisplit_edges, ww_multisplit_edges(w->device, IN(x, n), ww_no_input, IN(edges, EDGES), OUT(out, n), ww_none,
                                           OUT(second, EDGES + 2), NULL))
CALL(numbers_drawn, ww_random_below(w->device, (ww_random){1, 2, 3}, 1000, OUT(out, n)))
CALL(shuffled, ww_shuffle(w->device, (ww_random){1, 2, 3}, IN(x, n), OUT(out, n)))
CALL(unique, ww_unique(w->device, IN(sorted, n), OUT(out, n), OUT(count, 1)))
CALL(found, ww_find(w->device, IN(flags, n), "\1\0\1", 3, OUT(out, n), OUT(count, 1), NULL))
CALL(long_found, ww_find(w->device, IN(flags, n), "\1\0\1\1\0\0\1\0\1", 9, OUT(out, n), OUT(count, 1), NULL))
CALL(nearly_found,
     ww_find_near(w->device, IN(flags, n), "\1\1\0\1\0", 5, 1, OUT(out, n), OUT(second, n), OUT(count, 1), NULL))
CALL(many_found, ww_find_many(w->patterns, IN(flags, n), OUT(out, n), OUT(second, n), OUT(count, 1)))
CALL(found_in_texts, ww_find_texts(w->device, IN(flags, n), ww_mapped(&thirties_ww, ww_counting(&ww_type_uint32_t, 0, n / 30 + 1)), "\1\0\1", 3, OUT(out, n), OUT(second, n / 30), OUT(count, 1), NULL))
CALL(split_by_byte, ww_split8(w->device, 9, IN(x, n), OUT(out, n), OUT(second, 257)))

typedef struct one_call {
    const char *name;
    ww_status (*make)(const world *w, size_t n);
} one_call;
static const one_call calls[] = {
    {"map", mapped},
    {"store", stored},
    {"launch", launched},
    {"reduce", reduced},
    {"reduce by key", reduced_by_key},
    {"arg min", least},
    {"scan", scanned},
    {"scan by flags", scanned_by_flags},
    {"scan by key", scanned_by_key},
    {"enumerate", enumerated},
    {"adjacent difference", differences},
    {"pack", packed},
    {"split", split_stable},
    {"gather", gathered},
    {"scatter", scattered},
    {"histogram", counted},
    {"merge", merged},
    {"lower bound", searched},
    {"union", united},
    {"run lengths", runs},
    {"random below", numbers_drawn},
    {"shuffle", shuffled},
    {"unique", unique},
    {"find", found},
    {"find a long pattern", long_found},
    {"find nearly", nearly_found},
    {"sort", keys_sorted},
    {"sort pairs", pairs_sorted},
    {"sort index", order_sorted},
    {"sort records", records_sorted},
    {"sort segments", segments_sorted},
    {"sort tiles", tiles_sorted},
    {"permute tiles", tiles_permuted},
    {"top k", first_chosen},
    {"merge sort", merge_sorted},
    {"sort by quick", quick_sorted},
    {"sort by split1", split_sorted},
    {"sort by merge-network", network_sorted},
    {"scan modulo a number", scanned_modulo},
    {"sort by a table", table_sorted},
    {"multisplit", multisplit},
    {"multisplit pairs", pairs_multisplit},
    {"multisplit in blocks", multisplit_in_blocks},
    {"multisplit by labels", multisplit_reduced},
    {"multisplit edges", multisplit_edges},
    {"find many", many_found},
    {"find texts", found_in_texts},
    {"split8", split_by_byte},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* New inputs: x random, sorted rising in short runs, index below n. */
static inline void fill_inputs(const world *w, uint64_t seed) {
    const size_t many = LARGER * w->n;
    uint32_t *x = need(many * 4), *sorted = need(many * 4), *index = need(many * 4), key = 0;
    uint8_t *flags = need(many);
    for (size_t i = 0; i < many; i++) {
        const uint64_t r = random_next(&seed);
        x[i] = (uint32_t)r;
        index[i] = (uint32_t)((r >> 32) % w->n);
        flags[i] = (uint8_t)(r >> 60 & 1);
        sorted[i] = key += (r >> 50 & 7) == 0;
    }
    const struct {
        const void *from;
        void *to;
        const ww_type *type;
    } all[] = {{x, w->x, &ww_type_uint32_t},
               {sorted, w->sorted, &ww_type_uint32_t},
               {index, w->index, &ww_type_uint32_t},
               {flags, w->flags, &ww_type_uint8_t}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        expect_status(w->device,
                      ww_copy(w->device, ww_memory_of((void *)(uintptr_t)all[k].from, many, all[k].type),
                              ww_array_of(all[k].to, many, all[k].type)),
                      WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    free(flags);
    free(index);
    free(sorted);
    free(x);
}

static inline void poison(const world *w) {
    const ww_value pattern = ww_value(uint32_t, 0x5A5A5A5A), wide = ww_value(uint64_t, 0x5A5A5A5A5A5A5A5A);
    expect_status(w->device, ww_fill(w->device, OUT(out, w->n), pattern), WW_OK);
    expect_status(w->device, ww_fill(w->device, OUT(second, w->n), pattern), WW_OK);
    expect_status(w->device, ww_fill(w->device, OUT(count, 1), wide), WW_OK);
}

typedef struct outputs {
    uint32_t *out, *second;
    uint64_t count;
} outputs;

static inline outputs read_outputs(const world *w) {
    outputs o = {need(w->n * 4), need(w->n * 4), 0};
    expect_status(w->device, ww_copy(w->device, ww_from(OUT(out, w->n)), ww_array(o.out, w->n)), WW_OK);
    expect_status(w->device, ww_copy(w->device, ww_from(OUT(second, w->n)), ww_array(o.second, w->n)), WW_OK);
    expect_status(w->device, ww_copy(w->device, ww_from(OUT(count, 1)), ww_array(&o.count, 1)), WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    return o;
}

static inline void free_outputs(outputs *o) {
    free(o->out);
    free(o->second);
}

static inline void *take(ww_device *device, size_t bytes) {
    void *block;
    expect_status(device, ww_alloc(device, bytes, &block), WW_OK);
    return block;
}

/* Patterns belong to a device: arrays may serve several. */
static inline ww_patterns *open_patterns(ww_device *device) {
    static const uint64_t offsets[] = {0, 2, 5, 9};
    ww_patterns *patterns = NULL;
    expect_status(device,
                  ww_patterns_open(device,
                                   "\1\1"
                                   "\0\1\0"
                                   "\0\0\0\1",
                                   offsets, 3, &patterns, NULL),
                  WW_OK);
    return patterns;
}

static inline world begin(ww_device *device) {
    const size_t n = on_emulator() ? 2000 : 100000, many = LARGER * n;
    const world w = {.device = device,
                     .patterns = open_patterns(device),
                     .n = n,
                     .x = take(device, many * 4),
                     .sorted = take(device, many * 4),
                     .index = take(device, many * 4),
                     .out = take(device, many * 4),
                     .second = take(device, many * 4),
                     .edges = take(device, EDGES * 4),
                     .flags = take(device, many),
                     .count = take(device, 8)};
    uint32_t edges[EDGES];
    for (uint32_t e = 0; e < EDGES; e++) edges[e] = (e + 1) * 200000000;
    expect_status(device, ww_copy(device, ww_memory(edges, EDGES), ww_array(w.edges, EDGES)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    fill_inputs(&w, 1);
    return w;
}

static inline void end(const world *w) {
    ww_patterns_close(w->patterns);
    void *const all[] = {w->x, w->sorted, w->index, w->out, w->second, w->edges, w->flags, w->count};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) expect_status(w->device, ww_free(w->device, all[k]), WW_OK);
}

#endif
