/* See calls.h. A row is a call with what it is made for: element types, operators, types of counts and indices,
 * variants. Arrays lie at addresses that are as aligned as ww_alloc's; nothing is read or written there.
 *
 * Plans depend on how many elements a processor gets, in steps of two, so that doubling the number of elements meets
 * every plan, whatever number of processors a GPU has. */
#include "calls.h"

#include <stdio.h>

typedef struct call {
    ww_device *device;
    const ww_type *type, *number; /* of elements; of counts and indices */
    const ww_function *op;
    size_t variant;
    uint64_t n;
} call;

typedef ww_status calling(const call *c);

static void *at(unsigned place) { return (void *)(((uintptr_t)1 << 60) + ((uintptr_t)place << 40)); }
static ww_array array(unsigned place, const ww_type *type, uint64_t n) { return ww_array_of(at(place), n, type); }
static ww_input input(unsigned place, const ww_type *type, uint64_t n) { return ww_memory_of(at(place), n, type); }

static ww_input in(const call *c) { return input(1, c->type, c->n); }
static ww_array out(const call *c) { return array(2, c->type, c->n); }
static ww_array count(const call *c) { return array(3, c->number, 1); }
static ww_input flags(const call *c) { return input(4, &ww_type_uint8_t, c->n); }
static ww_input index(const call *c) { return input(5, c->number, c->n); }

/* ---- the calls ---- */

static ww_status count_up(const call *c) { return ww_store(c->device, ww_counting(c->type, 0, c->n), out(c)); }

static ww_status reduce(const call *c) { return ww_reduce(c->device, c->op, in(c), array(2, c->type, 1)); }

/* What `warpwise info` times. */
static ww_status reduce_counted(const call *c) {
    return ww_reduce(c->device, c->op, ww_counting(c->type, 1, c->n), array(2, c->type, 1));
}

static ww_scan_options scan_options(const call *c) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = c->variant;
    return options;
}

static ww_status scan(const call *c) {
    const ww_scan_options options = scan_options(c);
    return ww_scan(c->device, c->op, in(c), out(c), &options);
}

static ww_status enumerate(const call *c) {
    return ww_enumerate(c->device, flags(c), array(2, c->number, c->n), count(c));
}

static ww_status pack(const call *c) { return ww_pack(c->device, in(c), flags(c), out(c), count(c), NULL); }

static ww_status split(const call *c) { return ww_split(c->device, in(c), flags(c), out(c), count(c), NULL); }

static ww_status gather(const call *c) {
    return ww_gather(c->device, ww_from(array(1, c->type, c->n)), index(c), out(c));
}

static ww_status expand_offsets(const call *c) {
    return ww_expand_offsets(c->device, in(c), input(5, c->number, c->n + 1), out(c), ww_none, ww_none);
}

static ww_status scatter(const call *c) {
    return ww_scatter(c->device, in(c), index(c), out(c),
                      ww_scatter_by(c->variant ? WW_CONFLICT_ANY : WW_CONFLICT_LAST));
}

static ww_status scatter_combined(const call *c) {
    static const ww_conflict conflicts[] = {WW_CONFLICT_ADD, WW_CONFLICT_MIN, WW_CONFLICT_MAX};
    return ww_scatter(c->device, in(c), index(c), out(c), ww_scatter_by(conflicts[c->variant]));
}

static const size_t bins[] = {64, 128, 256, 512, 1024, 2048};
enum { BINS = sizeof bins / sizeof *bins };

/* From 0 to as far as there are bins, or three times that, where integers are divided (u8: all it has). With u64 counts
 * what is outside is counted, too. */
static ww_status histogram(const call *c) {
    static const uint8_t zero[16], last = 255;
    const size_t wanted = bins[c->variant % BINS];
    const uint32_t u = (uint32_t)(c->variant < BINS ? wanted : 3 * wanted);
    const float f = (float)wanted;
    const void *const end = c->type->size == 1          ? (const void *)&last
                            : c->type == &ww_type_float ? (const void *)&f
                                                        : &u;
    const bool is_wide = c->number->size == 8;
    return ww_histogram_even(c->device, in(c), ww_value_of(zero, c->type), ww_value_of(end, c->type),
                             array(2, c->number, wanted), is_wide ? count(c) : ww_none, NULL);
}

static ww_status sort_with(const call *c, ww_input values, ww_array values_out) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = c->variant;
    return ww_sort(c->device, in(c), values, out(c), values_out, &options);
}

static ww_status sort(const call *c) { return sort_with(c, ww_no_input, ww_none); }

static ww_status sort_pairs(const call *c) { return sort_with(c, index(c), array(6, c->number, c->n)); }

/* By the order that radix sorts have: what they cannot do, orders of the caller's, is never here. */
static ww_status sort_by_merging(const call *c) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = WW_SORT_MERGE;
    return c->variant ? ww_sort_by(c->device, NULL, in(c), index(c), out(c), array(6, c->number, c->n), &options)
                      : ww_sort_by(c->device, NULL, in(c), ww_no_input, out(c), ww_none, &options);
}

/* Segments are as many as makes every length possible. */
static ww_input segments(const call *c) { return input(5, c->number, c->n / 2 + 1); }

static ww_status sort_segments(const call *c) {
    return ww_sort_segments(c->device, in(c), ww_no_input, segments(c), out(c), ww_none, NULL);
}

static ww_status sort_segments_pairs(const call *c) {
    return ww_sort_segments(c->device, in(c), input(6, &ww_type_uint32_t, c->n), segments(c), out(c),
                            array(7, &ww_type_uint32_t, c->n), NULL);
}

/* As many chosen as one block sorts, and so many that sorting them takes sweeps: those are sort's programs. */
static ww_status top_k(const call *c) {
    static const uint64_t chosen[] = {100, 1 << 20};
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = c->variant % 2;
    const uint64_t wanted = chosen[c->variant / 2], k = wanted < c->n ? wanted : c->n;
    return ww_top_k(c->device, in(c), ww_no_input, array(2, c->type, k), ww_none, &options);
}

static ww_status nth(const call *c) { return ww_nth(c->device, c->n / 2, in(c), array(2, c->type, 1), NULL); }

static const size_t record_bytes[] = {32, 128};
enum { RECORDS = sizeof record_bytes / sizeof *record_bytes };

/* By a key of four bytes; at which multiple of four it lies makes no difference. */
static ww_status sort_records(const call *c) {
    const size_t bytes = record_bytes[c->variant];
    return ww_sort_records(c->device, 4, 4, ww_from(ww_records(at(1), c->n, bytes)), ww_records(at(2), c->n, bytes),
                           NULL);
}

/* 9 to 32 buckets, 129 to 256, and two digits of eight bits: digits of other widths are other programs. No values, ones of 4
 * and of 8 bytes. */
static const uint64_t buckets[] = {32, 256, 65536};
enum { BUCKETS = sizeof buckets / sizeof *buckets, VALUES = 3 };

typedef struct splitting {
    uint64_t buckets;
    ww_input values;
    ww_array values_out, offsets;
} splitting;

static splitting splitting_of(const call *c) {
    static const ww_type *const types[VALUES] = {NULL, &ww_type_uint32_t, &ww_type_uint64_t};
    const ww_type *type = types[c->variant / BUCKETS];
    const uint64_t many = buckets[c->variant % BUCKETS];
    return (splitting){many, type ? input(6, type, c->n) : ww_no_input, type ? array(7, type, c->n) : ww_none,
                       array(8, c->number, many + 1)};
}

/* The method whose programs are here. */
static const ww_multisplit_options onepass = {sizeof onepass, WW_MULTISPLIT_ONEPASS, 0};

static ww_status multisplit(const call *c, const ww_function *of) {
    const splitting s = splitting_of(c);
    return ww_multisplit(c->device, of, s.buckets, in(c), s.values, out(c), s.values_out, s.offsets, &onepass);
}

static ww_status multisplit_by_number(const call *c) { return multisplit(c, &ww_by_number); }

static ww_status multisplit_by_bits(const call *c) {
    ww_bits bits = {3, 0};
    while (buckets[c->variant % BUCKETS] >> bits.count > 1) bits.count++;
    return multisplit(c, ww_with(ww_by_bits, &bits));
}

static ww_status multisplit_by_delta(const call *c) {
    const ww_delta delta = {10};
    return multisplit(c, ww_with(ww_by_delta, &delta));
}

static ww_status multisplit_edges(const call *c) {
    const splitting s = splitting_of(c);
    return ww_multisplit_edges(c->device, in(c), s.values, input(9, c->type, s.buckets - 1), out(c), s.values_out,
                               s.offsets, &onepass);
}

static ww_status merge(const call *c) {
    return ww_merge(c->device, NULL, in(c), input(5, c->type, c->n), ww_no_input, ww_no_input,
                    array(2, c->type, 2 * c->n), ww_none);
}

static ww_status search(const call *c) {
    return (c->variant ? ww_upper_bound : ww_lower_bound)(c->device, NULL, input(5, c->type, 1 << 20), in(c),
                                                          array(2, c->number, c->n));
}

static ww_status unique(const call *c) { return ww_unique(c->device, in(c), out(c), count(c)); }

static ww_status run_lengths(const call *c) {
    return ww_run_lengths(c->device, in(c), out(c), array(6, c->number, c->n), count(c));
}

static ww_status reduce_by_key(const call *c) {
    const ww_type *key = &ww_type_uint32_t;
    return ww_reduce_by_key(c->device, c->op, input(5, key, c->n), in(c), array(6, key, c->n), out(c), count(c));
}

static const ww_random stream = {0, 0, 0};

static ww_status random_fill(const call *c) { return ww_random_fill(c->device, stream, out(c)); }

static ww_status random_below(const call *c) { return ww_random_below(c->device, stream, 6, out(c)); }

static ww_status random_normal(const call *c) { return ww_random_normal(c->device, stream, 0, 1, out(c)); }

static ww_status permutation(const call *c) { return ww_permutation(c->device, stream, out(c)); }

/* Patterns of one word of window, of two, longer ones, and those that do not fit in a kernel's arguments; folded too. */
enum { FINDS = 8 };
static ww_status find(const call *c) {
    static const unsigned char pattern[4096];
    static const uint64_t lengths[] = {4, 8, 100, sizeof pattern};
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = c->variant / 4;
    return ww_find(c->device, in(c), pattern, lengths[c->variant % 4], array(2, c->number, c->n),
                   array(3, &ww_type_uint64_t, 1), &options);
}

/* The position is copied where it is wanted, so that is memory. */
static ww_status find_one(const call *c) {
    static const unsigned char pattern[100];
    static const uint64_t lengths[] = {4, 8, sizeof pattern};
    uint64_t position;
    return (c->variant % 2 ? ww_find_last : ww_find_first)(c->device, in(c), pattern, lengths[c->variant / 2],
                                                           ww_array(&position, 1), NULL);
}

/* As find, of one length each that is looked for differently. */
static ww_status find_texts(const call *c) {
    static const unsigned char pattern[4096];
    static const uint64_t lengths[] = {4, 8, 100, sizeof pattern};
    const uint64_t texts = c->n / 2;
    return ww_find_texts(c->device, in(c), input(5, c->number, texts + 1), pattern, lengths[c->variant],
                         array(2, c->number, c->n), array(6, c->number, texts), array(3, &ww_type_uint64_t, 1), NULL);
}

/* Sets of patterns whose filters have each size that there is: of long ones, of those from four bytes on, and of words of any
 * length, in equal parts; folded too. Filters of unequal parts are other programs. */
static const uint64_t set_sizes[] = {10, 100, 1000, 10000};
enum { SETS = sizeof set_sizes / sizeof *set_sizes, LENGTHS = 3 };

static ww_patterns *patterns_of(const call *c) {
    enum { MOST = 10000, LONG = 8 };
    static const uint64_t lengths[] = {LONG, 4, 2};
    static const unsigned char bytes[MOST * LONG];
    uint64_t offsets[MOST + 1] = {0};
    const uint64_t many = set_sizes[c->variant % SETS], kinds = 1 + c->variant / SETS % LENGTHS;
    ww_find_options options = WW_FIND_OPTIONS;
    ww_patterns *patterns = NULL;
    options.fold = c->variant / (SETS * LENGTHS);
    for (uint64_t k = 0; k < many; k++) offsets[k + 1] = offsets[k] + lengths[k % kinds];
    ww_patterns_open(c->device, bytes, offsets, many, &patterns, &options);
    return patterns;
}

/* Types of the outputs make no difference, nor does how long the text is. */
static ww_status find_many(const call *c) {
    ww_patterns *const patterns = patterns_of(c);
    const ww_status status = ww_find_many(patterns, in(c), array(2, c->number, c->n), array(6, c->number, c->n),
                                          array(3, &ww_type_uint64_t, 1));
    ww_patterns_close(patterns);
    return status;
}

/* With few characters that differ, and with as many as take 8 bits to count; folded too. */
static ww_status find_near(const call *c) {
    static const unsigned char pattern[WW_NEAR_MOST];
    static const uint64_t most[] = {2, 200};
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = c->variant / 2;
    return ww_find_near(c->device, in(c), pattern, sizeof pattern, most[c->variant % 2], array(2, c->number, c->n),
                        array(6, &ww_type_uint8_t, c->n), array(3, &ww_type_uint64_t, 1), &options);
}

/* All that a dictionary does, with two levels and deletions; values of no bytes, 4, 8. */
static ww_status ask_dictionary(const call *c, ww_lsm *lsm, ww_array values_out) {
    const ww_array found = array(8, &ww_type_uint8_t, c->n), counts = array(9, c->number, c->n),
                   offsets = array(10, &ww_type_uint64_t, c->n + 1);
    uint64_t size;
    ww_status status = ww_lsm_lookup(lsm, in(c), values_out, found);
    if (!status) status = ww_lsm_count(lsm, in(c), in(c), counts);
    if (!status) status = ww_lsm_range(lsm, in(c), in(c), offsets, out(c), values_out);
    for (int or_equal = 0; or_equal < 2 && !status; or_equal++) {
        status = ww_lsm_predecessor(lsm, in(c), or_equal, out(c), values_out, found);
        if (!status) status = ww_lsm_successor(lsm, in(c), or_equal, out(c), values_out, found);
    }
    return status ? status : ww_lsm_size(lsm, &size);
}

static ww_status change_dictionary(const call *c, ww_lsm *lsm, const ww_type *value) {
    const ww_input values = value ? input(7, value, c->n) : ww_no_input, few = input(1, c->type, c->n / 8);
    const ww_status status = ww_lsm_insert(lsm, in(c), values);
    if (status) return status;
    return ww_lsm_update(lsm, few, value ? input(7, value, c->n / 8) : values, input(4, &ww_type_uint8_t, c->n / 8));
}

static ww_status dictionary(const call *c) {
    static const ww_type *const values[] = {NULL, &ww_type_uint32_t, &ww_type_uint64_t};
    const ww_type *const value = values[c->variant];
    ww_lsm *lsm;
    ww_status status = ww_lsm_open(c->device, c->type, value, &lsm, NULL);
    if (!status) status = change_dictionary(c, lsm, value);
    if (!status) status = ask_dictionary(c, lsm, value ? array(6, value, c->n) : ww_none);
    if (!status) status = ww_lsm_delete(lsm, in(c));
    ww_lsm_close(lsm);
    return status;
}

/* ---- what they are made for ---- */

typedef const ww_type *const types[12];
static types each = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t,
                     &ww_type_int64_t, &ww_type_float,    &ww_type_double,   &ww_type_ww_u128},
             flagged = {&ww_type_uint8_t, &ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t,
                        &ww_type_int64_t, &ww_type_float,    &ww_type_double},
             numbers = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t,
                        &ww_type_int64_t,  &ww_type_float,    &ww_type_double},
             words = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t, &ww_type_float, &ww_type_double},
             counted = {&ww_type_uint8_t, &ww_type_uint32_t, &ww_type_float},
             descending = {&ww_type_uint32_t, &ww_type_float}, either = {&ww_type_uint32_t, &ww_type_uint64_t},
             bytes = {&ww_type_uint8_t}, narrow = {&ww_type_uint32_t}, wide = {&ww_type_uint64_t},
             widest = {&ww_type_ww_u128}, floats = {&ww_type_float, &ww_type_double};

typedef const ww_function *const operators[4];
static operators none = {NULL}, add = {&ww_add}, extremes = {&ww_min, &ww_max}, all = {&ww_add, &ww_min, &ww_max};

/* A program takes NVRTC some 0.2 seconds for each target, and 11 to 19 KiB in the pack. */
static const struct row {
    calling *make;
    types *type, *number;
    operators *op;
    size_t variants;
} rows[] = {
    {count_up, &either, &narrow, &none, 1},
    {reduce, &each, &narrow, &all, 1},
    {reduce_counted, &wide, &narrow, &add, 1},
    {scan, &numbers, &narrow, &add, 2},
    {scan, &words, &narrow, &extremes, 1},
    {enumerate, &narrow, &either, &none, 1},
    {pack, &flagged, &either, &none, 1},
    {split, &numbers, &wide, &none, 1},
    {gather, &each, &either, &none, 1},
    {expand_offsets, &words, &wide, &none, 1},
    {scatter, &words, &either, &none, 2},
    {scatter_combined, &words, &narrow, &none, 3},
    {histogram, &counted, &either, &none, BINS},
    {histogram, &narrow, &either, &none, 2 * BINS},
    {sort, &numbers, &narrow, &none, 1},
    {sort, &descending, &narrow, &none, 2},
    {sort, &widest, &narrow, &none, 1},
    {sort_pairs, &words, &narrow, &none, 1},
    {sort_by_merging, &narrow, &narrow, &none, 2},
    {sort_segments, &either, &either, &none, 1},
    {sort_segments_pairs, &narrow, &either, &none, 1},
    {top_k, &descending, &narrow, &none, 4},
    {nth, &descending, &narrow, &none, 1},
    {sort_records, &narrow, &narrow, &none, RECORDS},
    {merge, &words, &narrow, &none, 1},
    {search, &words, &narrow, &none, 2},
    {find, &bytes, &either, &none, FINDS},
    {find_one, &bytes, &narrow, &none, 6},
    {find_texts, &bytes, &either, &none, 4},
    {find_many, &bytes, &wide, &none, 2 * SETS *LENGTHS},
    {find_near, &bytes, &either, &none, 4},
    {unique, &words, &wide, &none, 1},
    {run_lengths, &words, &narrow, &none, 1},
    {reduce_by_key, &words, &narrow, &add, 1},
    {random_fill, &words, &narrow, &none, 1},
    {random_below, &either, &narrow, &none, 1},
    {random_normal, &floats, &narrow, &none, 1},
    {permutation, &either, &narrow, &none, 1},
    {multisplit_by_number, &either, &either, &none, BUCKETS *VALUES},
    {multisplit_by_bits, &either, &either, &none, BUCKETS *VALUES},
    {multisplit_by_delta, &either, &either, &none, BUCKETS *VALUES},
    {multisplit_edges, &either, &either, &none, BUCKETS *VALUES},
    {dictionary, &either, &either, &none, 3},
};

static const uint64_t least = 1000, most = (uint64_t)1 << 29;

static bool make_sizes(call c, const struct row *row) {
    for (c.n = least; c.n <= most; c.n = c.n == least ? 1024 : 2 * c.n)
        if (row->make(&c)) return false;
    return true;
}

static bool make_row(ww_device *device, const struct row *row) {
    for (const ww_type *const *type = *row->type; *type; type++)
        for (const ww_type *const *number = *row->number; *number; number++)
            for (const ww_function *const *op = *row->op; op == *row->op || *op; op++)
                for (size_t v = 0; v < row->variants; v++)
                    if (!make_sizes((call){device, *type, *number, *op, v, 0}, row)) return false;
    return true;
}

bool make_calls(ww_device *device) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (!make_row(device, &rows[r])) {
            fprintf(stderr, "make-pack: %s\n", ww_error(device));
            return false;
        }
    return true;
}
