/* See calls.h. A row is a call with what it is made for: element types, operators, types of counts and indices,
 * variants. Arrays lie at addresses that are as aligned as ww_alloc's; nothing is read or written there.
 *
 * Plans depend on how many elements a processor gets, in steps of two, so that doubling the number of elements meets
 * every plan, whatever number of processors a GPU has. */
#include "calls.h"

#include <stdio.h>
#include <string.h>

#include "compile_only.h"
#include "device/gpu/gpu.h"
#include "device/gpu/program.h"
#include "graph_calls.h"
#include "join_maps.h"
#include "space_calls.h"

typedef struct call {
    ww_device *device;
    const ww_type *type, *number; /* of elements; of counts and indices */
    const ww_type *other;         /* of what goes with them */
    const ww_function *op;
    size_t variant;
    uint64_t n;
} call;

typedef ww_status calling(const call *c);

static void *at(unsigned place) { return (void *)(((uintptr_t)1 << 61) + ((uintptr_t)place << 40)); }
static ww_array array(unsigned place, const ww_type *type, uint64_t n) { return ww_array_of(at(place), n, type); }
static ww_input input(unsigned place, const ww_type *type, uint64_t n) { return ww_memory_of(at(place), n, type); }

static ww_input in(const call *c) { return input(1, c->type, c->n); }
static ww_array out(const call *c) { return array(2, c->type, c->n); }
static ww_array count(const call *c) { return array(3, c->number, 1); }
static ww_input flags(const call *c) { return input(4, &ww_type_uint8_t, c->n); }
static ww_input places(const call *c) { return input(5, c->number, c->n); }

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

/* Sums of f16 and bf16 in place are made of floats, and rounded behind that. */
static ww_status scan_in_place(const call *c) {
    const ww_scan_options options = scan_options(c);
    return ww_scan(c->device, c->op, in(c), array(1, c->type, c->n), &options);
}

/* Every method, exclusive or not, with an initial value or not. */
static ww_status scan_by(const call *c) {
    static const ww_scan_method methods[] = {WW_SCAN_LOOKBACK, WW_SCAN_HILLIS_STEELE, WW_SCAN_BLELLOCH};
    static const uint64_t initial[2];
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.method = methods[c->variant / 4];
    options.exclusive = c->variant % 2;
    if (c->variant / 2 % 2) options.initial = ww_value_of(initial, c->type);
    return ww_scan(c->device, c->op, in(c), out(c), &options);
}

static ww_status scan_in_parts(const call *c) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = c->variant % 2;
    return c->variant / 2 ? ww_scan_by_key(c->device, c->op, input(4, &ww_type_uint32_t, c->n), in(c), out(c), &options)
                          : ww_scan_segmented(c->device, c->op, in(c), flags(c), out(c), &options);
}

/* With the CPU's brackets; exclusive or not, with an initial value or not, of all or of segments. */
static ww_status scan_ordered(const call *c) {
    static const uint64_t initial[2];
    ww_scan_options options = scan_options(c);
    options.exclusive = c->variant % 2;
    options.deterministic = 1;
    if (c->variant / 2 % 2) options.initial = ww_value_of(initial, c->type);
    switch (c->variant / 4) {
    case 0:
        return ww_scan(c->device, c->op, in(c), out(c), &options);
    case 1:
        return ww_scan_segmented(c->device, c->op, in(c), flags(c), out(c), &options);
    default:
        return ww_scan_by_key(c->device, c->op, input(4, &ww_type_uint32_t, c->n), in(c), out(c), &options);
    }
}

static ww_status neighbours_differ(const call *c) { return ww_adjacent_difference(c->device, in(c), out(c)); }

/* Sums of numbers that are cast to a wide type, in one pass; other operators and types fold what has been stored. */
static ww_status reduce_cast(const call *c) {
    return ww_reduce(c->device, c->op, ww_cast(c->other, in(c)), array(2, c->other, 1));
}

static ww_status reduce_segments(const call *c) {
    return ww_reduce_segments(c->device, c->op, in(c), input(5, c->number, c->n / 2 + 1), array(2, c->type, c->n / 2));
}

static ww_status extreme(const call *c) {
    return (c->variant ? ww_arg_max : ww_arg_min)(c->device, NULL, in(c), array(2, c->type, 1), array(3, c->number, 1));
}

static ww_status extreme_of_segments(const call *c) {
    return (c->variant ? ww_arg_max_segments : ww_arg_min_segments)(
        c->device, NULL, in(c), input(5, c->number, c->n / 2 + 1), array(2, c->number, c->n / 2));
}

static ww_status least_and_greatest(const call *c) {
    return ww_min_max(c->device, NULL, in(c), array(2, c->type, 1), array(3, c->type, 1));
}

static ww_status is_sorted(const call *c) {
    return ww_is_sorted(c->device, NULL, in(c), array(2, &ww_type_uint8_t, 1), array(3, &ww_type_uint64_t, 1));
}

/* Of numbers of elements that powers of two divide, up to 16. */
static ww_status reverse(const call *c) {
    const uint64_t n = c->n / 32 * 32 + ((uint64_t)1 << c->variant);
    return ww_reverse(c->device, input(1, c->type, n), array(2, c->type, n));
}
static ww_status rotate_by(const call *c) { return ww_rotate(c->device, 3, in(c), out(c)); }
static ww_status transpose(const call *c) {
    const uint64_t rows = c->n / 8;
    return ww_transpose(c->device, rows, 8, input(1, c->type, rows * 8), array(2, c->type, rows * 8));
}

static ww_status enumerate(const call *c) {
    return ww_enumerate(c->device, flags(c), array(2, c->number, c->n), count(c));
}

static ww_status pack(const call *c) { return ww_pack(c->device, in(c), flags(c), out(c), count(c), NULL); }

static ww_status split(const call *c) { return ww_split(c->device, in(c), flags(c), out(c), count(c), NULL); }

static ww_status gather(const call *c) {
    return ww_gather(c->device, ww_from(array(1, c->type, c->n)), places(c), out(c));
}

static ww_status expand_offsets(const call *c) {
    return ww_expand_offsets(c->device, in(c), input(5, c->number, c->n + 1), out(c), ww_none, ww_none);
}

static ww_status scatter(const call *c) {
    return ww_scatter(c->device, in(c), places(c), out(c),
                      ww_scatter_by(c->variant ? WW_CONFLICT_ANY : WW_CONFLICT_LAST));
}

static ww_status scatter_unique(const call *c) {
    return ww_scatter(c->device, in(c), places(c), out(c), ww_scatter_by(WW_CONFLICT_UNIQUE));
}

static ww_status scatter_combined(const call *c) {
    static const ww_conflict conflicts[] = {WW_CONFLICT_ADD, WW_CONFLICT_MIN, WW_CONFLICT_MAX};
    return ww_scatter(c->device, in(c), places(c), out(c), ww_scatter_by(conflicts[c->variant]));
}

static const size_t bins[] = {64, 128, 256, 512, 1024, 2048};
enum { BINS = sizeof bins / sizeof *bins };

static void set_number(unsigned char *to, const ww_type *type, uint8_t value) {
    const float f = value;
    const double d = value;
    const ww_f16 half = ww_f16_of_float(f);
    const ww_bf16 brain = ww_bf16_of_float(f);
    if (type->kind == WW_KIND_FLOAT)
        memcpy(to,
               type->size == 8           ? (const void *)&d
               : type->size == 4         ? (const void *)&f
               : type == &ww_type_ww_f16 ? (const void *)&half
                                         : &brain,
               type->size);
    else
        *to = value; /* the lowest byte comes first */
}

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

/* From 0 to 100, and to 64 as bins of 2^k: what is outside is counted, or not. Bins of every room that shared memory has, and more than it has. */
static ww_status histogram_by(const call *c) {
    static const size_t all[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 70000};
    enum { ALL = sizeof all / sizeof *all };
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    const size_t many = all[c->variant % ALL];
    options.method = c->variant >= 2 * ALL ? WW_HISTOGRAM_WARP
                     : c->variant >= ALL   ? WW_HISTOGRAM_SHARED
                                           : WW_HISTOGRAM_AUTO;
    if (options.method == WW_HISTOGRAM_WARP && many > 256) return WW_OK;
    unsigned char low[16] = {0}, high[16] = {0};
    set_number(low, c->type, 0);
    set_number(high, c->type, 100);
    const ww_status status = ww_histogram_even(c->device, in(c), ww_value_of(low, c->type), ww_value_of(high, c->type),
                                               array(2, c->number, many), array(3, &ww_type_uint64_t, 1), &options);
    if (status || c->n != 1024) return status; /* plans are the same */
    set_number(high, c->type, 64);
    return ww_histogram_even(c->device, in(c), ww_value_of(low, c->type), ww_value_of(high, c->type),
                             array(2, c->number, many), ww_none, &options);
}
enum { HISTOGRAMS = 45 };

static ww_status histogram_edges(const call *c) {
    static const size_t all[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 70000};
    enum { ALL = sizeof all / sizeof *all };
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    const size_t many = all[c->variant % ALL];
    options.method = c->variant >= ALL ? WW_HISTOGRAM_WARP : WW_HISTOGRAM_AUTO;
    if (options.method == WW_HISTOGRAM_WARP && many > 256) return WW_OK;
    return ww_histogram_edges(c->device, in(c), input(5, c->type, many + 1), array(2, c->number, many),
                              array(3, &ww_type_uint64_t, 1), &options);
}

static ww_status sort_with(const call *c, ww_input values, ww_array values_out) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = c->variant;
    return ww_sort(c->device, in(c), values, out(c), values_out, &options);
}

static ww_status sort(const call *c) { return sort_with(c, ww_no_input, ww_none); }

static ww_status sort_pairs(const call *c) { return sort_with(c, places(c), array(6, c->number, c->n)); }

/* By the order that radix sorts have: what they cannot do, orders of the caller's, is never here. */
static ww_status sort_by_merging(const call *c) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = WW_SORT_MERGE;
    return c->variant ? ww_sort_by(c->device, NULL, in(c), places(c), out(c), array(6, c->number, c->n), &options)
                      : ww_sort_by(c->device, NULL, in(c), ww_no_input, out(c), ww_none, &options);
}

/* By the methods that are there for learning. */
static ww_status sort_by_method(const call *c) {
    static const ww_sort_method methods[] = {WW_SORT_RADIX,   WW_SORT_MULTISPLIT, WW_SORT_SPLIT1,       WW_SORT_QUICK,
                                             WW_SORT_BITONIC, WW_SORT_ODDEVEN,    WW_SORT_MERGE_NETWORK};
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = methods[c->variant / 2];
    if (options.method == WW_SORT_ODDEVEN && c->n > WW_ODDEVEN_MOST) return WW_OK;
    return c->variant % 2 ? ww_sort(c->device, in(c), places(c), out(c), array(6, c->number, c->n), &options)
                          : ww_sort(c->device, in(c), ww_no_input, out(c), ww_none, &options);
}
enum { METHODS = 14 };

/* By merging, forwards and backwards, with values, positions or none, and by binary search. */
static ww_status merge_sort(const call *c) {
    static const ww_sort_method methods[] = {WW_SORT_MERGE, WW_SORT_MERGE_SEARCH};
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = methods[c->variant / 6];
    options.descending = c->variant / 3 % 2;
    switch (c->variant % 3) {
    case 0:
        return ww_sort(c->device, in(c), ww_no_input, out(c), ww_none, &options);
    case 1:
        return ww_sort(c->device, in(c), places(c), out(c), array(6, c->number, c->n), &options);
    default:
        return ww_sort_index(c->device, in(c), array(6, c->number, c->n), &options); /* positions */
    }
}
enum { MERGINGS = 12 };

/* Values of any type go along; those of other sizes than a number's by their positions. */
static ww_status sort_valued(const call *c) {
    return ww_sort(c->device, in(c), input(5, c->other, c->n), out(c), array(6, c->other, c->n), NULL);
}

/* In place the number of sweeps is even: keys of one byte have digits of half of it then. */
static ww_status sort_in_place(const call *c) {
    const ww_array keys = array(1, c->type, c->n), values = array(6, c->other, c->n);
    const ww_status status = ww_sort(c->device, in(c), ww_from(values), keys, values, NULL);
    if (status || c->other->size < 4 || c->other->size > 8) return status;
    return ww_sort(c->device, in(c), ww_counting(c->other, 0, c->n), keys, values, NULL);
}

/* A part of each key's bits: digits of every width. */
static ww_status sort_bits(const call *c) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.bit_count = (uint32_t)c->variant + 1;
    if (options.bit_count > 8 * c->type->size) return WW_OK;
    return ww_sort(c->device, in(c), ww_no_input, out(c), ww_none, &options);
}

static ww_status sort_index(const call *c) { return ww_sort_index(c->device, in(c), array(6, c->number, c->n), NULL); }

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

/* With values, that go along or by their positions. */
static ww_status top_k_valued(const call *c) {
    const uint64_t k = 100;
    return ww_top_k(c->device, in(c), input(5, c->other, c->n), array(2, c->type, k), array(6, c->other, k), NULL);
}
static ww_status top_k_index(const call *c) {
    const uint64_t k = 100;
    return ww_top_k(c->device, in(c), ww_counting(c->number, 0, c->n), array(2, c->type, k), array(6, c->number, k),
                    NULL);
}

static ww_status nth(const call *c) { return ww_nth(c->device, c->n / 2, in(c), array(2, c->type, 1), NULL); }

/* Keys of every length that a number has room for, and of more, in records whose words are of every length. */
enum { KEY_LENGTHS = 33, RECORDS = 5, RECORD_KEYS = KEY_LENGTHS * RECORDS };
static const size_t record_bytes[RECORDS] = {51, 54, 60, 72, 48};

static ww_status sort_records(const call *c) {
    const size_t bytes = record_bytes[c->variant % RECORDS], length = c->variant / RECORDS + 1;
    return ww_sort_records(c->device, 0, length, ww_from(ww_records(at(1), c->n, bytes)),
                           ww_records(at(2), c->n, bytes), NULL);
}

/* Records that are moved are words of 1, 2, 4, 8 and 16 bytes, whatever their size. */
static const size_t moved_bytes[RECORDS] = {3, 6, 12, 24, 48};
static ww_array records_in(const call *c) { return ww_records(at(1), c->n, moved_bytes[c->variant % RECORDS]); }
static ww_array records_out(const call *c) { return ww_records(at(2), c->n, moved_bytes[c->variant % RECORDS]); }

static ww_status gather_records(const call *c) {
    return ww_gather(c->device, ww_from(records_in(c)), places(c), records_out(c));
}
static ww_status scatter_records(const call *c) {
    static const ww_conflict conflicts[] = {WW_CONFLICT_LAST, WW_CONFLICT_ANY, WW_CONFLICT_UNIQUE};
    return ww_scatter(c->device, ww_from(records_in(c)), places(c), records_out(c),
                      ww_scatter_by(conflicts[c->variant / RECORDS]));
}
static ww_status pack_records(const call *c) {
    return ww_pack(c->device, ww_from(records_in(c)), flags(c), records_out(c), count(c), NULL);
}
static ww_status split_records(const call *c) {
    return ww_split(c->device, ww_from(records_in(c)), flags(c), records_out(c), count(c), NULL);
}
static ww_status unique_records(const call *c) {
    return ww_unique(c->device, ww_from(records_in(c)), records_out(c), count(c));
}
/* So long that each number of lanes compares one. */
static ww_status run_lengths_of_records(const call *c) {
    static const size_t words[] = {1, 3, 5, 9, 17};
    const size_t bytes = ((size_t)1 << c->variant % RECORDS) * words[c->variant / RECORDS] *
                         (c->variant < RECORDS ? 32 : 1);
    return ww_run_lengths(c->device, ww_from(ww_records(at(1), c->n, bytes)), ww_records(at(2), c->n, bytes),
                          array(6, c->number, c->n), count(c));
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
    if (bits.first + bits.count > 8 * c->type->size) bits.first = 0;
    if (bits.count > 8 * c->type->size) return WW_OK;
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

static ww_status union_of(const call *c) {
    typedef ww_status set(ww_device *, const ww_function *, ww_input, ww_input, ww_array, ww_array);
    static set *const sets[] = {ww_set_union, ww_set_intersection, ww_set_difference};
    return sets[c->variant](c->device, NULL, in(c), input(5, c->type, c->n), array(2, c->type, 2 * c->n), count(c));
}

static ww_status unique(const call *c) { return ww_unique(c->device, in(c), out(c), count(c)); }

static ww_status run_lengths(const call *c) {
    return ww_run_lengths(c->device, in(c), out(c), array(6, c->other, c->n), count(c));
}

static ww_status reduce_by_key(const call *c) {
    const ww_type *key = &ww_type_uint32_t;
    return ww_reduce_by_key(c->device, c->op, input(5, key, c->n), in(c), array(6, key, c->n), out(c), count(c));
}

/* Sums by key and scattered sums of a deterministic handle. */
static ww_status sum_in_order(const call *c) {
    c->device->deterministic = true;
    const ww_status status = c->variant
                                 ? ww_scatter(c->device, in(c), places(c), out(c), ww_scatter_by(WW_CONFLICT_ADD))
                                 : reduce_by_key(c);
    c->device->deterministic = false;
    return status;
}

static const ww_random stream = {0, 0, 0};

static ww_status reduce_by_keys(const call *c) {
    return ww_reduce_by_key(c->device, c->op, input(5, c->other, c->n), in(c), array(6, c->other, c->n), out(c),
                            count(c));
}

/* Inputs that are computed of the library's steps alone: what stores each step. */
static ww_status stored_input(const call *c) {
    const ww_input index = ww_strided(places(c), c->n - 1, -1, c->n);
    return ww_store(c->device, c->variant ? ww_cast(&ww_type_float, ww_reversed(in(c))) : ww_permuted(in(c), index),
                    c->variant ? array(2, &ww_type_float, c->n) : out(c));
}

/* As many elements as a number on the device says. */
static ww_status counted_call(const call *c) {
    const uint64_t *const number = at(20);
    const ww_input x = ww_counted(in(c), number), by = ww_counted(flags(c), number),
                   index = ww_counted(places(c), number);
    const ww_array to = ww_counted_array(out(c), number), total = array(3, &ww_type_uint64_t, 1);
    switch (c->variant) {
    case 0:
        return ww_reduce(c->device, &ww_add, x, array(2, c->type, 1));
    case 1:
        return ww_scan(c->device, &ww_add, x, to, NULL);
    case 2:
        return ww_pack(c->device, x, by, out(c), total, NULL);
    case 3:
        return ww_gather(c->device, ww_from(array(1, c->type, c->n)), index, to);
    case 4:
        return ww_scatter(c->device, x, index, out(c), ww_scatter_by(WW_CONFLICT_ANY));
    case 5:
        return ww_unique(c->device, x, out(c), total);
    default:
        return ww_store(c->device, x, to);
    }
}
enum { COUNTED = 7 };

static ww_status random_fill(const call *c) { return ww_random_fill(c->device, stream, out(c)); }

static ww_status random_below(const call *c) { return ww_random_below(c->device, stream, 6, out(c)); }

static ww_status random_normal(const call *c) { return ww_random_normal(c->device, stream, 0, 1, out(c)); }

static ww_status shuffle(const call *c) { return ww_shuffle(c->device, stream, in(c), out(c)); }

static ww_status count_numbers(const call *c) {
    static const uint64_t bins_of[] = {100, 1000, 5000, 70000};
    return ww_bincount(c->device, in(c), array(2, c->number, bins_of[c->variant]), array(3, &ww_type_uint64_t, 1),
                       NULL);
}

static ww_status permutation(const call *c) { return ww_permutation(c->device, stream, out(c)); }

/* A letter each, which has a capital. */
enum { LETTERS = 2 * 10000 * 8 };
static const unsigned char *letters(void) {
    static unsigned char all[LETTERS];
    if (!*all) memset(all, 'a', sizeof all);
    return all;
}

/* Patterns of one word of window, of two, longer ones, and those that do not fit in a kernel's arguments; folded too, with letters
 * and without. */
enum { FINDS = 15 };
static ww_status find(const call *c) {
    static const uint64_t lengths[] = {3, 4, 8, 100, 4096};
    static const unsigned char digits[4096];
    const unsigned char *const pattern = c->variant / 5 > 1 ? digits : letters();
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = c->variant / 5 != 0;
    return ww_find(c->device, in(c), pattern, lengths[c->variant % 5], array(2, c->number, c->n),
                   array(3, &ww_type_uint64_t, 1), &options);
}

/* The position is copied where it is wanted, so that is memory. */
static ww_status find_one(const call *c) {
    static const uint64_t lengths[] = {4, 8, 100};
    const unsigned char *const pattern = letters();
    uint64_t position;
    return (c->variant % 2 ? ww_find_last : ww_find_first)(c->device, in(c), pattern, lengths[c->variant / 2],
                                                           ww_array(&position, 1), NULL);
}

/* As find, of one length each that is looked for differently. */
static ww_status find_texts(const call *c) {
    static const uint64_t lengths[] = {4, 8, 100, 4096};
    const unsigned char *const pattern = letters();
    const uint64_t texts = c->n / 2;
    return ww_find_texts(c->device, in(c), input(5, c->number, texts + 1), pattern, lengths[c->variant],
                         array(2, c->number, c->n), array(6, c->number, texts), array(3, &ww_type_uint64_t, 1), NULL);
}

/* Sets of patterns whose filters have each size that there is: of long ones, of those from four bytes on, and of words of any
 * length, in equal parts, and of each alone; folded too. Filters of unequal parts are other programs. */
static const uint64_t set_sizes[] = {10, 100, 1000, 10000};
enum { SETS = sizeof set_sizes / sizeof *set_sizes, LENGTHS = 6 };

static ww_patterns *patterns_of(const call *c) {
    enum { MOST = 10000, LONG = 8 };
    static const uint64_t lengths[LENGTHS][3] = {{LONG, LONG, LONG}, {LONG, 4, 4}, {LONG, 4, 2},
                                                 {4, 4, 4},          {2, 2, 2},    {4, 2, 2}};
    const unsigned char *const bytes = letters();
    uint64_t offsets[MOST + 1] = {0};
    const uint64_t many = set_sizes[c->variant % SETS], kind = c->variant / SETS % LENGTHS;
    ww_find_options options = WW_FIND_OPTIONS;
    ww_patterns *patterns = NULL;
    options.fold = c->variant / (SETS * LENGTHS);
    for (uint64_t k = 0; k < many; k++) offsets[k + 1] = offsets[k] + lengths[kind][k % 3];
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

/* Filters of four bytes and of eight, of every two sizes, and a table of shorter words or none; folded too. How long the text is makes no
 * difference. */
enum { FILTERS = 4, FILTER_PAIRS = FILTERS * FILTERS * 4 };
static ww_status find_by_filters(const call *c) {
    enum { MOST = 5000, LONG = 8 };
    static const uint64_t many[FILTERS] = {0, 10, 500, MOST};
    const unsigned char *const bytes = letters();
    static uint64_t offsets[2 * MOST + 2];
    const uint64_t fours = many[c->variant % FILTERS], eights = many[c->variant / FILTERS % FILTERS],
                   all = fours + eights + c->variant / FILTERS / FILTERS % 2;
    ww_find_options options = WW_FIND_OPTIONS;
    ww_patterns *patterns = NULL;
    if (!all || c->n > 1000) return WW_OK;
    options.fold = c->variant / FILTERS / FILTERS / 2;
    for (uint64_t k = 0; k < all; k++) offsets[k + 1] = offsets[k] + (k < fours ? 4 : k < fours + eights ? LONG : 2);
    ww_status status = ww_patterns_open(c->device, bytes, offsets, all, &patterns, &options);
    if (!status)
        status = ww_find_many(patterns, in(c), array(2, &ww_type_uint64_t, c->n), array(6, &ww_type_uint64_t, c->n),
                              array(3, &ww_type_uint64_t, 1));
    ww_patterns_close(patterns);
    return status;
}

/* With few characters that differ, and with as many as take 8 bits to count; folded too. */
static ww_status find_near(const call *c) {
    const unsigned char *const pattern = letters();
    static const uint64_t most[] = {2, 200};
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = c->variant / 2;
    return ww_find_near(c->device, in(c), pattern, WW_NEAR_MOST, most[c->variant % 2], array(2, c->number, c->n),
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

/* A level has as many keys as the host is told that are left of them: none, or all that were inserted first, so that later batches are
 * merged with it. Deletions come before insertions, and behind them. */
enum { DICTIONARIES = 3 /* with values of no bytes, 4, 8; without merges, and with */ };
static ww_status change_dictionary(const call *c, ww_lsm *lsm, const ww_type *value) {
    const ww_input values = value ? input(7, value, c->n) : ww_no_input, few = input(1, c->type, c->n / 8);
    compile_only *const told = (compile_only *)(void *)c->device->gpu->driver;
    ww_status status = ww_lsm_insert(lsm, in(c), values);
    for (int k = 0; c->variant >= DICTIONARIES && !status && k < 4; k++) {
        told->answered = 0;
        for (told->answers = 0; told->answers < COMPILE_ONLY_ANSWERS; told->answers++)
            told->answer[told->answers] = (compile_only_answer){(uint32_t)c->n, 0};
        status = k == 1 || k == 2 ? ww_lsm_delete(lsm, in(c)) : ww_lsm_insert(lsm, in(c), values);
    }
    told->answers = told->answered = 0;
    if (status) return status;
    return ww_lsm_update(lsm, few, value ? input(7, value, c->n / 8) : values, input(4, &ww_type_uint8_t, c->n / 8));
}

static ww_status dictionary(const call *c) {
    static const ww_type *const values[DICTIONARIES] = {NULL, &ww_type_uint32_t, &ww_type_uint64_t};
    const ww_type *const value = values[c->variant % DICTIONARIES];
    ww_lsm *lsm;
    ww_status status = ww_lsm_open(c->device, c->type, value, &lsm, NULL);
    if (!status) status = change_dictionary(c, lsm, value);
    if (!status) status = ask_dictionary(c, lsm, value ? array(6, value, c->n) : ww_none);
    if (!status) status = ww_lsm_delete(lsm, in(c));
    ww_lsm_close(lsm);
    return status;
}

/* All that a slab hash does, with values of no bytes, 4, 8. */
static ww_status change_slab(const call *c, ww_slab *slab, const ww_type *value) {
    const ww_input values = value ? input(7, value, c->n) : ww_no_input;
    const ww_array statuses = array(8, &ww_type_uint8_t, c->n);
    static const ww_function *const operators[] = {&ww_add, &ww_min, &ww_max};
    ww_status status = ww_slab_replace(slab, in(c), values, statuses); /* into an empty one, then one by one */
    for (int times = 0; !status && times < 2; times++) status = ww_slab_insert(slab, in(c), values, statuses);
    if (!status) status = ww_slab_replace(slab, in(c), values, ww_none);
    for (size_t k = 0; !status && value && k < sizeof operators / sizeof *operators; k++)
        status = ww_slab_combine(slab, operators[k], in(c), values, statuses);
    if (!status)
        status = ww_slab_mixed(slab, flags(c), in(c), values, value ? array(6, value, c->n) : ww_none, statuses);
    if (!status) status = ww_slab_delete(slab, in(c), statuses);
    return status ? status : ww_slab_delete_all(slab, in(c), ww_none);
}

static ww_status ask_slab(const call *c, ww_slab *slab, const ww_type *value) {
    const ww_array found = value ? array(6, value, c->n) : ww_none;
    ww_status status = ww_slab_search(slab, in(c), found, array(8, &ww_type_uint8_t, c->n));
    if (!status) status = ww_slab_search(slab, in(c), found, ww_none);
    if (!status) status = ww_slab_count(slab, in(c), array(9, c->number, c->n));
    if (!status && value) status = ww_slab_search_all(slab, in(c), input(5, c->number, c->n + 1), found);
    return status ? status : ww_slab_pairs(slab, out(c), found, count(c));
}

static ww_status slab(const call *c) {
    static const ww_type *const values[] = {NULL, &ww_type_uint32_t, &ww_type_uint64_t};
    const ww_type *const value = values[c->variant];
    ww_slab *slab = NULL;
    if (c->n > 1 << 20) return WW_OK; /* plans are the same */
    ww_status status = ww_slab_open(c->device, c->type, value, c->n, &slab, NULL);
    if (!status) status = change_slab(c, slab, value);
    if (!status) status = ask_slab(c, slab, value);
    if (!status) status = ww_slab_flush(slab);
    if (!status) status = ww_slab_clear(slab);
    ww_slab_close(slab);
    return status;
}

/* ---- what commands do, and what is there for learning ---- */

static ww_status bodies(const call *c) { return bodies_calls(c->device, c->n, c->variant); }
static ww_status grid(const call *c) { return grid_calls(c->device, c->type, c->n, c->variant); }
static ww_status radix_tree(const call *c) { return radix_tree_calls(c->device, c->type, c->n); }
static ww_status volumes(const call *c) { return volumes_calls(c->device, c->n); }

static ww_status graph(const call *c) { return graph_calls(c->device, c->type, c->n, c->variant); }

/* What `warpwise join` does with what it finds. */
static ww_status join(const call *c) {
    const ww_type *const type = &ww_type_uint64_t;
    const ww_input difference_of = ww_mapped2(&difference_ww, input(1, type, c->n), input(4, type, c->n)),
                   sum_of = ww_mapped2(&sum_ww, input(1, type, c->n), ww_counting(type, 0, c->n));
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    options.total = array(3, type, 1);
    ww_status status = ww_scan(c->device, &ww_add, difference_of, array(2, type, c->n), &options);
    if (!status) status = ww_store(c->device, difference_of, array(2, type, c->n));
    if (!status)
        status = ww_scatter(c->device, ww_counting(type, 0, c->n), input(5, type, c->n), array(2, type, c->n),
                            ww_scatter_by(WW_CONFLICT_MAX));
    return status ? status : ww_gather(c->device, ww_from(array(1, type, c->n)), sum_of, array(2, type, c->n));
}

/* Every method of multisplit, with buckets of each class. */
static ww_status multisplit_method(const call *c) {
    static const ww_multisplit_method methods[] = {WW_MULTISPLIT_DIRECT,    WW_MULTISPLIT_WARP,
                                                   WW_MULTISPLIT_BLOCK,     WW_MULTISPLIT_REDUCED_BIT,
                                                   WW_MULTISPLIT_RECURSIVE, WW_MULTISPLIT_ONEPASS};
    static const uint64_t all[] = {2, 4, 8, 10, 32, 64, 100, 256, 1000, 65536, 100000};
    enum { ALL = sizeof all / sizeof *all, RULES = 3 };
    const uint64_t many = all[c->variant % ALL], rule = c->variant / ALL % RULES;
    const ww_multisplit_options options = {sizeof options, methods[c->variant / ALL / RULES], 0};
    const ww_array offsets = array(8, &ww_type_uint64_t, many + 1);
    const ww_delta delta = {10};
    ww_bits bits = {0, 0};
    while (many >> bits.count > 1) bits.count++;
    if (rule == 0 && c->type->size < 8 && many > (uint64_t)1 << 8 * c->type->size) return WW_OK;
    if (rule < 2 && c->type->kind != WW_KIND_UNSIGNED) return WW_OK;
    if (rule == 0 && many >> bits.count << bits.count != many) return WW_OK;
    if (rule == 2)
        return ww_multisplit_edges(c->device, in(c), ww_no_input, input(9, c->type, many - 1), out(c), ww_none, offsets,
                                   &options);
    return ww_multisplit(c->device, rule ? ww_with(ww_by_delta, &delta) : ww_with(ww_by_bits, &bits), many, in(c),
                         ww_no_input, out(c), ww_none, offsets, &options);
}
enum { SPLITS = 6 * 11 * 3 };

/* With values of any size, by the usual method. */
static ww_status multisplit_valued(const call *c) {
    static const uint64_t all[] = {2, 4, 8, 32, 64, 128, 256};
    enum { ALL = sizeof all / sizeof *all };
    const uint64_t many = all[c->variant % ALL];
    const ww_input values = input(6, c->other, c->n);
    const ww_array values_out = array(7, c->other, c->n), offsets = array(8, &ww_type_uint64_t, many + 1);
    const ww_delta delta = {10};
    ww_bits bits = {0, 0};
    while (many >> bits.count > 1) bits.count++;
    switch (c->variant / ALL) {
    case 0:
        return ww_multisplit(c->device, ww_with(ww_by_bits, &bits), many, in(c), values, out(c), values_out, offsets,
                             NULL);
    case 1:
        return ww_multisplit(c->device, ww_with(ww_by_delta, &delta), many, in(c), values, out(c), values_out, offsets,
                             NULL);
    default:
        return ww_multisplit_edges(c->device, in(c), values, input(9, c->type, many - 1), out(c), values_out, offsets,
                                   NULL);
    }
}

/* Every method of finding, in texts of each alphabet's width, with patterns of each class of lengths. */
static ww_status find_method(const call *c) {
    static const ww_find_method methods[] = {WW_FIND_SERIAL, WW_FIND_COOPERATIVE, WW_FIND_RECURRENCE,
                                             WW_FIND_DIVIDE, WW_FIND_DIVIDE32,    WW_FIND_DIVIDE64,
                                             WW_FIND_HYBRID, WW_FIND_TWOSTAGE};
    static const uint64_t lengths[] = {1, 2, 4, 8, 12, 64, 1000};
    enum { LENGTHS_OF = sizeof lengths / sizeof *lengths };
    const unsigned char *const pattern = letters();
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = methods[c->variant / LENGTHS_OF];
    const ww_status status = ww_find(c->device, in(c), pattern, lengths[c->variant % LENGTHS_OF],
                                     array(2, c->number, c->n), array(3, &ww_type_uint64_t, 1), &options);
    return status == WW_LIMIT ? WW_OK : status; /* not every method takes patterns of every length */
}

/* ---- what they are made for ---- */

typedef const ww_type *const types[15];
static types each = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int8_t,
                     &ww_type_int16_t, &ww_type_int32_t,  &ww_type_int64_t,  &ww_type_float,    &ww_type_double,
                     &ww_type_ww_f16,  &ww_type_ww_bf16,  &ww_type_ww_u128,  &ww_type_ww_i128},
             numbers = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t,
                        &ww_type_int8_t,  &ww_type_int16_t,  &ww_type_int32_t,  &ww_type_int64_t,
                        &ww_type_float,   &ww_type_double,   &ww_type_ww_f16,   &ww_type_ww_bf16},
             /* What is only moved, or ordered as numbers are that kernels make of it, is of one type for each size. */
    sizes = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t, &ww_type_ww_u128},
             integers = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t,
                         &ww_type_int8_t,  &ww_type_int16_t,  &ww_type_int32_t,  &ww_type_int64_t},
             small = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t},
             common = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t,
                       &ww_type_int64_t,  &ww_type_float,    &ww_type_double},
             most_scanned = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_float, &ww_type_double},
             summed = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t, &ww_type_float, &ww_type_double},
             words = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_ww_u128},
             either = {&ww_type_uint32_t, &ww_type_uint64_t}, bytes = {&ww_type_uint8_t}, narrow = {&ww_type_uint32_t},
             wide = {&ww_type_uint64_t}, wides = {&ww_type_uint64_t, &ww_type_int64_t, &ww_type_double},
             floats = {&ww_type_float, &ww_type_double}, halves = {&ww_type_ww_f16, &ww_type_ww_bf16},
             all_floats = {&ww_type_float, &ww_type_double, &ww_type_ww_f16, &ww_type_ww_bf16},
             keys_of_trees = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_uint8_t},
             weights = {&ww_type_uint8_t, &ww_type_uint32_t, &ww_type_float}; /* graph_calls.h */

typedef const ww_function *const operators[5];
static operators none = {NULL}, add = {&ww_add}, all = {&ww_add, &ww_min, &ww_max, &ww_mul},
                 rounded = {&ww_add, &ww_mul}, bits = {&ww_and, &ww_or}, most_used = {&ww_add, &ww_min, &ww_max};

/* A program takes NVRTC some 0.05 seconds as PTX that is optimised less, 0.1 as other PTX and 0.2 as machine code. */
static const struct row {
    calling *make;
    made made;
    types *type, *number, *other;
    operators *op;
    size_t variants;
} rows[] = {
    {count_up, EACH, &either, &narrow, &narrow, &none, 1},
    {reduce, EACH, &common, &narrow, &narrow, &most_used, 1},
    {reduce, REST, &each, &narrow, &narrow, &all, 1},
    {reduce, REST, &sizes, &narrow, &narrow, &bits, 1},
    {reduce_counted, EACH, &wide, &narrow, &narrow, &add, 1},
    {reduce_cast, REST, &each, &narrow, &wides, &add, 1},
    {reduce_segments, REST, &each, &narrow, &narrow, &all, 1},
    {reduce_segments, REST, &sizes, &narrow, &narrow, &bits, 1},
    {extreme, REST, &each, &either, &narrow, &none, 2},
    {extreme_of_segments, REST, &each, &either, &narrow, &none, 2},
    {least_and_greatest, REST, &each, &narrow, &narrow, &none, 1},
    {is_sorted, REST, &each, &narrow, &narrow, &none, 1},
    {reverse, REST, &each, &narrow, &narrow, &none, 5},
    {rotate_by, REST, &each, &narrow, &narrow, &none, 1},
    {transpose, REST, &each, &narrow, &narrow, &none, 1},
    {scan, EACH, &most_scanned, &narrow, &narrow, &add, 2},
    {scan, OWN, &common, &narrow, &narrow, &add, 2},
    {scan_by, REST, &each, &narrow, &narrow, &all, 12},
    {scan_by, REST, &sizes, &narrow, &narrow, &bits, 12},
    {scan_in_place, REST, &halves, &narrow, &narrow, &all, 2},
    {scan_in_parts, REST, &each, &narrow, &narrow, &all, 4},
    {scan_in_parts, REST, &sizes, &narrow, &narrow, &bits, 4},
    {scan_ordered, REST, &all_floats, &narrow, &narrow, &rounded, 12},
    {neighbours_differ, REST, &each, &narrow, &narrow, &none, 1},
    {enumerate, EACH, &narrow, &either, &narrow, &none, 1},
    {pack, EACH, &either, &either, &narrow, &none, 1},
    {pack, OWN, &small, &either, &narrow, &none, 1},
    {pack, REST, &sizes, &either, &narrow, &none, 1},
    {split, OWN, &either, &wide, &narrow, &none, 1},
    {split, REST, &sizes, &either, &narrow, &none, 1},
    {gather, EACH, &either, &narrow, &narrow, &none, 1},
    {gather, OWN, &sizes, &either, &narrow, &none, 1},
    {expand_offsets, REST, &sizes, &wide, &narrow, &none, 1},
    {scatter, OWN, &words, &either, &narrow, &none, 2},
    {scatter, REST, &sizes, &either, &narrow, &none, 2},
    {scatter_unique, REST, &sizes, &either, &narrow, &none, 1},
    {scatter_combined, REST, &each, &either, &narrow, &none, 3},
    {histogram, EACH, &narrow, &either, &narrow, &none, BINS},
    {histogram, OWN, &narrow, &either, &narrow, &none, 2 * BINS},
    {histogram_by, REST, &numbers, &either, &narrow, &none, HISTOGRAMS},
    {histogram_edges, REST, &numbers, &either, &narrow, &none, 30},
    {sort, EACH, &either, &narrow, &narrow, &none, 1},
    {sort, OWN, &sizes, &narrow, &narrow, &none, 1},
    {sort_pairs, EACH, &narrow, &narrow, &narrow, &none, 1},
    {sort_pairs, OWN, &either, &either, &narrow, &none, 1},
    {sort_pairs, REST, &sizes, &either, &narrow, &none, 1},
    {sort_valued, REST, &sizes, &narrow, &sizes, &none, 1},
    {sort_in_place, REST, &bytes, &narrow, &sizes, &none, 1},
    {sort_index, REST, &sizes, &either, &narrow, &none, 1},
    {sort_bits, REST, &sizes, &narrow, &narrow, &none, 16},
    {sort_by_method, REST, &sizes, &either, &narrow, &none, METHODS},
    {merge_sort, REST, &each, &either, &narrow, &none, MERGINGS},
    {sort_by_merging, OWN, &narrow, &narrow, &narrow, &none, 2},
    {sort_segments, OWN, &narrow, &wide, &narrow, &none, 1},
    {sort_segments, REST, &sizes, &either, &narrow, &none, 1},
    {sort_segments_pairs, REST, &sizes, &either, &narrow, &none, 1},
    {top_k, OWN, &narrow, &narrow, &narrow, &none, 4},
    {top_k, OWN, &wide, &narrow, &narrow, &none, 4},
    {top_k, REST, &sizes, &narrow, &narrow, &none, 4},
    {top_k_valued, REST, &sizes, &narrow, &sizes, &none, 1},
    {top_k_index, REST, &sizes, &either, &narrow, &none, 1},
    {nth, OWN, &either, &narrow, &narrow, &none, 1},
    {nth, REST, &sizes, &narrow, &narrow, &none, 1},
    {sort_records, REST, &narrow, &narrow, &narrow, &none, RECORD_KEYS},
    {gather_records, REST, &narrow, &either, &narrow, &none, RECORDS},
    {scatter_records, REST, &narrow, &either, &narrow, &none, 3 * RECORDS},
    {pack_records, REST, &narrow, &either, &narrow, &none, RECORDS},
    {split_records, REST, &narrow, &either, &narrow, &none, RECORDS},
    {unique_records, REST, &narrow, &either, &narrow, &none, RECORDS},
    {run_lengths_of_records, REST, &narrow, &either, &narrow, &none, 5 * RECORDS},
    {merge, OWN, &either, &narrow, &narrow, &none, 1},
    {merge, REST, &each, &narrow, &narrow, &none, 1},
    {union_of, REST, &each, &wide, &narrow, &none, 3},
    {search, EACH, &either, &narrow, &narrow, &none, 1},
    {search, REST, &each, &either, &narrow, &none, 2},
    {find, OWN, &bytes, &either, &narrow, &none, FINDS},
    {find_one, OWN, &bytes, &narrow, &narrow, &none, 6},
    {find_texts, OWN, &bytes, &either, &narrow, &none, 4},
    {find_many, OWN, &bytes, &wide, &narrow, &none, 2 * SETS *LENGTHS},
    {find_by_filters, REST, &bytes, &wide, &narrow, &none, FILTER_PAIRS},
    {find_near, OWN, &bytes, &either, &narrow, &none, 4},
    {unique, OWN, &either, &wide, &narrow, &none, 1},
    {unique, OWN, &sizes, &wide, &narrow, &none, 1},
    {run_lengths, OWN, &narrow, &narrow, &narrow, &none, 1},
    {run_lengths, REST, &sizes, &either, &either, &none, 1},
    {reduce_by_key, OWN, &summed, &wide, &narrow, &add, 1},
    {reduce_by_keys, REST, &each, &wide, &wide, &all, 1},
    {reduce_by_keys, REST, &sizes, &wide, &wide, &bits, 1},
    {reduce_by_keys, REST, &bytes, &wide, &sizes, &add, 1},
    {sum_in_order, REST, &all_floats, &either, &narrow, &rounded, 2},
    {stored_input, REST, &narrow, &narrow, &narrow, &none, 2},
    {counted_call, REST, &either, &narrow, &narrow, &none, COUNTED},
    {random_fill, OWN, &summed, &narrow, &narrow, &none, 1},
    {random_below, OWN, &either, &narrow, &narrow, &none, 1},
    {random_normal, OWN, &floats, &narrow, &narrow, &none, 1},
    {random_fill, REST, &small, &narrow, &narrow, &none, 1},
    {random_below, REST, &integers, &narrow, &narrow, &none, 1},
    {shuffle, REST, &sizes, &narrow, &narrow, &none, 1},
    {count_numbers, REST, &small, &either, &narrow, &none, 4},
    {permutation, REST, &either, &narrow, &narrow, &none, 1},
    {multisplit_by_number, OWN, &narrow, &narrow, &narrow, &none, 2 * BUCKETS},
    {multisplit_by_number, REST, &either, &either, &narrow, &none, BUCKETS *VALUES},
    {multisplit_by_bits, REST, &small, &either, &narrow, &none, BUCKETS *VALUES},
    {multisplit_by_delta, REST, &small, &either, &narrow, &none, BUCKETS *VALUES},
    {multisplit_edges, REST, &numbers, &either, &narrow, &none, BUCKETS *VALUES},
    {join, REST, &wide, &narrow, &narrow, &none, 1},
    {multisplit_method, REST, &numbers, &narrow, &narrow, &none, SPLITS},
    {multisplit_valued, REST, &small, &narrow, &sizes, &none, 21},
    {find_method, REST, &bytes, &wide, &narrow, &none, 56},
    {graph, OWN, &weights, &narrow, &narrow, &none, GRAPH_VARIANTS},
    {dictionary, OWN, &narrow, &narrow, &narrow, &none, 2},
    {dictionary, REST, &either, &either, &narrow, &none, 2 * DICTIONARIES},
    {slab, OWN, &narrow, &narrow, &narrow, &none, 2},
    {slab, REST, &either, &either, &narrow, &none, 3},
    {bodies, OWN, &narrow, &narrow, &narrow, &none, BODIES},
    {grid, REST, &floats, &narrow, &narrow, &none, GRIDS},
    {radix_tree, REST, &keys_of_trees, &narrow, &narrow, &none, 1},
    {volumes, REST, &narrow, &narrow, &narrow, &none, 1},
};

/* Of more elements than `most` positions take more bits, from 2^30, 2^31 and 2^32 on. */
static const uint64_t least = 1000, most = (uint64_t)1 << 29, longer[] = {(uint64_t)1 << 31, (uint64_t)1 << 33};

static bool make_sizes(call c, const struct row *row) {
    for (c.n = least; c.n <= most; c.n = c.n == least ? 1024 : 2 * c.n)
        if (row->make(&c)) return false;
    return true;
}

/* Some calls have no room for so many, as u32 cannot hold their counts, and say so. Programs of long calls are for all GPUs: one list has
 * them. */
static bool make_long(call c, const struct row *row) {
    if (c.device->gpu->driver->shared_most < (size_t)227 << 10) return true;
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++) {
        c.n = longer[k];
        if (row->make(&c) == WW_MEMORY) return false;
    }
    return true;
}

static bool make_row(ww_device *device, const struct row *row, bool (*make)(call c, const struct row *row)) {
    for (const ww_type *const *type = *row->type; *type; type++)
        for (const ww_type *const *number = *row->number; *number; number++)
            for (const ww_type *const *other = *row->other; *other; other++)
                for (const ww_function *const *op = *row->op; op == *row->op || *op; op++)
                    for (size_t v = 0; v < row->variants; v++)
                        if (!make((call){device, *type, *number, *other, *op, v, 0}, row)) return false;
    ww__programs_release(device); /* which are looked for one by one */
    return true;
}

bool make_calls(ww_device *device, made how) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if ((rows[r].made == how && !make_row(device, &rows[r], make_sizes)) ||
            (how == REST && !make_row(device, &rows[r], make_long))) {
            fprintf(stderr, "make-pack: %s\n", ww_error(device));
            return false;
        }
    return true;
}
