/* Every primitive, every kind and method of sort, and both dictionaries, once at n = 2^31 + 3 on a real GPU: positions, counts and
 * offsets go beyond 31 bits, and two inputs together beyond 32. Primitives have keys that are all equal but the last, dictionaries keys
 * that are all different, so what comes out is known in closed form, and the GPU compares it: nothing of that length is copied to the
 * host. A case for which the GPU has too little memory is left out with a line.
 *
 * WARPWISE_HUGE=n asks for another length, anywhere; the emulator takes 5003, where the checks themselves are tested. */
#include <inttypes.h>
#include <stdio.h>

#include "support/cases.h"

enum { MOST = 3, LAST = 7, BLOCKS = 8 };

typedef struct world {
    ww_device *device;
    uint64_t n;
    void *block[BLOCKS];
    size_t blocks;
    char lack[200]; /* why the case is left out; "" while it is not */
} world;

/* ---- memory, and calls that may find none ---- */

static void *take(world *w, uint64_t count, size_t size) {
    void *block = NULL;
    if (*w->lack) return NULL;
    if (w->blocks == BLOCKS) abort();
    const ww_status status = ww_alloc(w->device, count * size, &block);
    if (status == WW_MEMORY) {
        snprintf(w->lack, sizeof w->lack, "%s", ww_error(w->device));
        return NULL;
    }
    expect_status(w->device, status, WW_OK);
    return w->block[w->blocks++] = block;
}

static bool done(world *w, ww_status status) {
    if (status == WW_MEMORY) snprintf(w->lack, sizeof w->lack, "%s", ww_error(w->device));
    if (*w->lack) return false;
    expect_status(w->device, status, WW_OK);
    return true;
}

/* The case ends here when memory is short. */
#define TRY(call) \
    do { \
        if (*w->lack || !done(w, (call))) return; \
    } while (0)

/* ---- closed forms ---- */

/* i * scale + offset, and jump more from `from` on; but other values at two places. */
WW_STRUCT(form, { uint64_t scale, offset, from, jump, place[2], value[2]; });
WW_MAP(form_at, uint64_t, uint64_t, i, form, f, {
    uint64_t v = i * f->scale + f->offset;
    if (i >= f->from) v += f->jump;
    if (i == f->place[0]) v = f->value[0];
    if (i == f->place[1]) v = f->value[1];
    return v;
});
WW_MAP(low_32, uint32_t, uint64_t, x, void, none, { return (uint32_t)x; });
WW_MAP(low_8, uint8_t, uint64_t, x, void, none, { return (uint8_t)x; });
WW_MAP2(differ_32, uint64_t, uint32_t, a, uint32_t, b, void, none, { return a != b; });
WW_MAP2(differ_8, uint64_t, uint8_t, a, uint8_t, b, void, none, { return a != b; });

static form line_of(uint64_t scale, uint64_t offset) {
    return (form){scale, offset, UINT64_MAX, 0, {UINT64_MAX, UINT64_MAX}, {0, 0}};
}

static form but(form f, uint64_t place, uint64_t value) {
    const int k = f.place[0] != UINT64_MAX;
    f.place[k] = place;
    f.value[k] = value;
    return f;
}

static form keys_of(const world *w, uint64_t most, uint64_t last) { return but(line_of(0, most), w->n - 1, last); }

static ww_input words_of(const form *f, uint64_t n) {
    return ww_mapped(&low_32_ww, ww_mapped(ww_with(form_at, f), ww_counting(&ww_type_uint64_t, 0, n)));
}

static ww_input bytes_of(const form *f, uint64_t n) {
    return ww_mapped(&low_8_ww, ww_mapped(ww_with(form_at, f), ww_counting(&ww_type_uint64_t, 0, n)));
}

static ww_input ranks(const world *w) { return ww_counting(&ww_type_uint32_t, 0, w->n); }

/* Arrays of n elements that hold a form. */
static uint32_t *words(world *w, form f) {
    uint32_t *x = take(w, w->n, sizeof *x);
    return x && done(w, ww_store(w->device, words_of(&f, w->n), ww_array(x, w->n))) ? x : NULL;
}

static uint8_t *bytes(world *w, form f) {
    uint8_t *x = take(w, w->n, sizeof *x);
    return x && done(w, ww_store(w->device, bytes_of(&f, w->n), ww_array(x, w->n))) ? x : NULL;
}

static void differences(world *w, ww_input pairs) {
    uint64_t wrong = UINT64_MAX;
    TRY(ww_reduce(w->device, &ww_add, pairs, ww_array(&wrong, 1)));
    if (wrong) fprintf(stderr, "%" PRIu64 " elements are wrong\n", wrong);
    expect(wrong == 0);
}

static void words_are(world *w, const uint32_t *x, uint64_t n, form f) {
    differences(w, ww_mapped2(&differ_32_ww, ww_memory(x, n), words_of(&f, n)));
}

static void bytes_are(world *w, const uint8_t *x, uint64_t n, form f) {
    differences(w, ww_mapped2(&differ_8_ww, ww_memory(x, n), bytes_of(&f, n)));
}

/* Two elements of a small output. */
static void pair_is(world *w, const uint64_t *x, uint64_t first, uint64_t second) {
    uint64_t got[2] = {0, 0};
    TRY(ww_copy(w->device, ww_memory((uint64_t *)(uintptr_t)x, 2), ww_array(got, 2)));
    TRY(ww_sync(w->device));
    expect(got[0] == first && got[1] == second);
}

/* ---- the cases ---- */

WW_MAP(triple, uint32_t, uint32_t, x, void, none, { return 3 * x + 1; });
WW_STRUCT(target, { uint32_t *to; });
WW_KERNEL(five_times, target, a, rank, { a->to[rank] = (uint32_t)(5 * rank); });
/* Not commutative: the last that is not 0. */
WW_COMBINE(rightmost, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(0), { return b ? b : a; });

static void map(world *w) {
    uint32_t *x = take(w, w->n, 4);
    TRY(ww_map(w->device, &triple_ww, ranks(w), ww_array(x, w->n)));
    TRY(ww_map(w->device, &triple_ww, ww_memory(x, w->n), ww_array(x, w->n)));
    words_are(w, x, w->n, line_of(9, 4));
}

static void store(world *w) {
    uint8_t *x = bytes(w, keys_of(w, MOST, LAST)), *y = take(w, w->n, 1);
    TRY(ww_store(w->device, ww_memory(x, w->n), ww_array(y, w->n)));
    bytes_are(w, y, w->n, keys_of(w, MOST, LAST));
}

static void launch(world *w) {
    const target t = {take(w, w->n, 4)};
    TRY(ww_launch(w->device, ww_with(five_times, &t), w->n));
    words_are(w, t.to, w->n, line_of(5, 0));
}

static void reduce(world *w) {
    uint32_t *x = words(w, keys_of(w, 1, LAST)), sum, last;
    TRY(ww_reduce(w->device, &ww_add, ww_memory(x, w->n), ww_array(&sum, 1)));
    TRY(ww_reduce(w->device, &rightmost_ww, ww_memory(x, w->n), ww_array(&last, 1)));
    expect(sum == (uint32_t)(w->n - 1 + LAST) && last == LAST);
}

static void reduce_by_key(world *w) {
    const uint64_t one = 1;
    uint8_t *keys = bytes(w, keys_of(w, MOST, LAST)), *keys_out = take(w, 2, 1);
    uint64_t *sums = take(w, 2, 8), runs;
    TRY(ww_reduce_by_key(w->device, &ww_add, ww_memory(keys, w->n), ww_constant(ww_value(uint64_t, one), w->n),
                         ww_array(keys_out, 2), ww_array(sums, 2), ww_array(&runs, 1)));
    expect(runs == 2);
    pair_is(w, sums, w->n - 1, 1);
    bytes_are(w, keys_out, 2, but(line_of(0, MOST), 1, LAST));
}

static void reduce_segments(world *w) {
    uint64_t ends[] = {0, w->n - 1, w->n}, *offsets = take(w, 3, 8), *sums = take(w, 2, 8);
    const form ones = keys_of(w, 1, LAST);
    uint32_t *x = words(w, ones), *sums_32 = take(w, 2, 4);
    TRY(ww_copy(w->device, ww_memory(ends, 3), ww_array(offsets, 3)));
    TRY(ww_reduce_segments(w->device, &ww_add, ww_memory(x, w->n), ww_memory(offsets, 3), ww_array(sums_32, 2)));
    words_are(w, sums_32, 2, but(line_of(0, w->n - 1), 1, LAST));
    TRY(ww_reduce_segments(w->device, &ww_add,
                           ww_mapped(ww_with(form_at, &ones), ww_counting(&ww_type_uint64_t, 0, w->n)),
                           ww_memory(offsets, 3), ww_array(sums, 2)));
    pair_is(w, sums, w->n - 1, LAST);
}

static void extremes(world *w) {
    uint32_t *x = words(w, keys_of(w, LAST, MOST)), least, largest;
    uint64_t least_at, largest_at;
    TRY(ww_arg_min(w->device, NULL, ww_memory(x, w->n), ww_array(&least, 1), ww_array(&least_at, 1)));
    TRY(ww_arg_max(w->device, NULL, ww_memory(x, w->n), ww_array(&largest, 1), ww_array(&largest_at, 1)));
    expect(least == MOST && least_at == w->n - 1 && largest == LAST && largest_at == 0);
}

static void scan_inclusive(world *w) {
    uint32_t *x = words(w, keys_of(w, 1, LAST)), *out = take(w, w->n, 4);
    TRY(ww_scan(w->device, &ww_add, ww_memory(x, w->n), ww_array(out, w->n), NULL));
    words_are(w, out, w->n, but(line_of(1, 1), w->n - 1, w->n - 1 + LAST));
}

static void scan_exclusive(world *w) {
    uint32_t *x = words(w, keys_of(w, 1, LAST)), total;
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    options.total = ww_array(&total, 1);
    TRY(ww_scan(w->device, &ww_add, ww_memory(x, w->n), ww_array(x, w->n), &options));
    expect(total == (uint32_t)(w->n - 1 + LAST));
    words_are(w, x, w->n, line_of(1, 0));
}

static void scan_segmented(world *w) {
    const uint32_t one = 1;
    uint8_t *heads = bytes(w, keys_of(w, 0, 1));
    uint32_t *out = take(w, w->n, 4);
    TRY(ww_scan_segmented(w->device, &ww_add, ww_constant(ww_value(uint32_t, one), w->n), ww_memory(heads, w->n),
                          ww_array(out, w->n), NULL));
    words_are(w, out, w->n, but(line_of(1, 1), w->n - 1, 1));
}

static void scan_by_key(world *w) {
    const uint32_t one = 1;
    uint8_t *keys = bytes(w, keys_of(w, MOST, LAST));
    uint32_t *out = take(w, w->n, 4);
    TRY(ww_scan_by_key(w->device, &ww_add, ww_memory(keys, w->n), ww_constant(ww_value(uint32_t, one), w->n),
                       ww_array(out, w->n), NULL));
    words_are(w, out, w->n, but(line_of(1, 1), w->n - 1, 1));
}

static void enumerate(world *w) {
    uint8_t *flags = bytes(w, keys_of(w, 1, 0));
    uint32_t *out = take(w, w->n, 4);
    uint64_t total;
    TRY(ww_enumerate(w->device, ww_memory(flags, w->n), ww_array(out, w->n), ww_array(&total, 1)));
    expect(total == w->n - 1);
    words_are(w, out, w->n, line_of(1, 0));
}

static void adjacent_difference(world *w) {
    uint32_t *x = words(w, but(line_of(3, 2), w->n - 1, LAST)), *out = take(w, w->n, 4);
    TRY(ww_adjacent_difference(w->device, ww_memory(x, w->n), ww_array(out, w->n)));
    words_are(w, out, w->n, but(but(line_of(0, 3), 0, 2), w->n - 1, LAST - (3 * (w->n - 2) + 2)));
}

static void pack(world *w) {
    uint8_t *flags = bytes(w, keys_of(w, 1, 0));
    uint32_t *out = take(w, w->n, 4);
    uint64_t kept;
    TRY(ww_pack(w->device, ranks(w), ww_memory(flags, w->n), ww_array(out, w->n), ww_array(&kept, 1), NULL));
    expect(kept == w->n - 1);
    words_are(w, out, w->n - 1, line_of(1, 0));
}

/* The last element goes to the front. */
static void split(world *w, ww_split_method method, form wanted) {
    uint8_t *flags = bytes(w, keys_of(w, 1, 0));
    uint32_t *out = take(w, w->n, 4);
    uint64_t zeros;
    ww_split_options options = WW_SPLIT_OPTIONS;
    options.method = method;
    TRY(ww_split(w->device, ranks(w), ww_memory(flags, w->n), ww_array(out, w->n), ww_array(&zeros, 1), &options));
    expect(zeros == 1);
    words_are(w, out, w->n, wanted);
}

static form last_first(const world *w) { return but(line_of(1, UINT64_MAX), 0, w->n - 1); }
static form reversed(const world *w) { return line_of(UINT64_MAX, w->n - 1); }

static void split_stable(world *w) { split(w, WW_SPLIT_STABLE, last_first(w)); }
static void split_reversed(world *w) { split(w, WW_SPLIT_REVERSED, reversed(w)); }

static void gather(world *w) {
    const form index = reversed(w);
    uint32_t *from = words(w, line_of(3, 0)), *out = take(w, w->n, 4);
    TRY(ww_gather(w->device, ww_memory(from, w->n), words_of(&index, w->n), ww_array(out, w->n)));
    words_are(w, out, w->n, line_of((uint64_t)-3, 3 * (w->n - 1)));
}

static void scatter(world *w, ww_conflict conflict, form before, form wanted) {
    const form index = reversed(w);
    uint32_t *to = words(w, before);
    TRY(ww_scatter(w->device, ranks(w), words_of(&index, w->n), ww_array(to, w->n), ww_scatter_by(conflict)));
    words_are(w, to, w->n, wanted);
}

static void scatter_any(world *w) { scatter(w, WW_CONFLICT_ANY, line_of(0, 0), reversed(w)); }
static void scatter_last(world *w) { scatter(w, WW_CONFLICT_LAST, line_of(0, 0), reversed(w)); }
static void scatter_add(world *w) { scatter(w, WW_CONFLICT_ADD, line_of(1, 1), line_of(0, w->n)); }

/* All to one place but the last. */
static void scatter_crowd(world *w) {
    const form zeros = keys_of(w, 0, 1), ones = keys_of(w, 1, LAST);
    uint32_t *index = words(w, zeros), *out = take(w, 2, 4);
    TRY(ww_scatter(w->device, ranks(w), ww_memory(index, w->n), ww_array(out, 2), ww_scatter_by(WW_CONFLICT_LAST)));
    words_are(w, out, 2, line_of(1, w->n - 2));
    TRY(ww_store(w->device, words_of(&zeros, 2), ww_array(out, 2)));
    TRY(ww_scatter(w->device, words_of(&ones, w->n), ww_memory(index, w->n), ww_array(out, 2),
                   ww_scatter_by(WW_CONFLICT_ADD)));
    words_are(w, out, 2, but(line_of(0, w->n - 1), 1, LAST));
}

static void counts_are(world *w, const uint64_t *counts) {
    const form wanted = but(but(line_of(0, 0), MOST, w->n - 1), LAST, 1);
    uint64_t got[16];
    TRY(ww_copy(w->device, ww_memory((uint64_t *)(uintptr_t)counts, 16), ww_array(got, 16)));
    TRY(ww_sync(w->device));
    for (uint64_t b = 0; b < 16; b++) expect(got[b] == form_at(b, &wanted));
}

WW_MAP(itself, uint32_t, uint8_t, x, void, none, { return x; });

static void histogram(world *w) {
    uint8_t *x = bytes(w, keys_of(w, MOST, LAST)), *edges = take(w, 17, 1), low = 0, high = 16;
    uint64_t *counts = take(w, 16, 8), outside;
    const form each = line_of(1, 0);
    ww_histogram_options warp = WW_HISTOGRAM_OPTIONS;
    warp.method = WW_HISTOGRAM_WARP;
    TRY(ww_histogram(w->device, &itself_ww, ww_memory(x, w->n), ww_array(counts, 16), ww_none, NULL));
    counts_are(w, counts);
    TRY(ww_histogram_even(w->device, ww_memory(x, w->n), ww_value(uint8_t, low), ww_value(uint8_t, high),
                          ww_array(counts, 16), ww_array(&outside, 1), NULL));
    expect(outside == 0);
    counts_are(w, counts);
    TRY(ww_histogram(w->device, &itself_ww, ww_memory(x, w->n), ww_array(counts, 16), ww_none, &warp));
    counts_are(w, counts);
    TRY(ww_store(w->device, bytes_of(&each, 17), ww_array(edges, 17)));
    TRY(ww_histogram_edges(w->device, ww_memory(x, w->n), ww_memory(edges, 17), ww_array(counts, 16),
                           ww_array(&outside, 1), NULL));
    expect(outside == 0);
    counts_are(w, counts);
}

/* Halves: a's last key is the largest; b's keys equal a's others, and follow them. */
static void merge(world *w) {
    const uint64_t n = w->n, nb = n / 2, na = n - nb;
    uint8_t *keys = bytes(w, but(line_of(0, MOST), na - 1, LAST)), *out = take(w, n, 1);
    uint32_t *values = words(w, line_of(1, 0)), *values_out = take(w, n, 4);
    TRY(ww_merge(w->device, NULL, ww_memory(keys, na), ww_memory(keys + na, nb), ww_memory(values, na),
                 ww_memory(values + na, nb), ww_array(out, n), ww_array(values_out, n)));
    bytes_are(w, out, n, keys_of(w, MOST, LAST));
    form wanted = but(line_of(1, 0), n - 1, na - 1);
    wanted.from = na - 1;
    wanted.jump = 1;
    words_are(w, values_out, n, wanted);
}

static void bounds(world *w) {
    uint8_t *keys = bytes(w, keys_of(w, MOST, LAST));
    uint32_t *out = take(w, w->n, 4);
    TRY(ww_lower_bound(w->device, NULL, ww_memory(keys, w->n), ww_memory(keys, w->n), ww_array(out, w->n)));
    words_are(w, out, w->n, keys_of(w, 0, w->n - 1));
    TRY(ww_upper_bound(w->device, NULL, ww_memory(keys, w->n), ww_memory(keys, w->n), ww_array(out, w->n)));
    words_are(w, out, w->n, keys_of(w, w->n - 1, w->n));
}

/* a is MOST n - 1 times and LAST, b is MOST n times. */
static void set(world *w, ww_status (*of)(ww_device *, const ww_function *, ww_input, ww_input, ww_array, ww_array),
                uint64_t many, form wanted) {
    uint8_t *a = bytes(w, keys_of(w, MOST, LAST)), *b = bytes(w, line_of(0, MOST)), *out = take(w, many, 1);
    uint64_t count;
    TRY(of(w->device, NULL, ww_memory(a, w->n), ww_memory(b, w->n), ww_array(out, many), ww_array(&count, 1)));
    expect(count == many);
    bytes_are(w, out, many, wanted);
}

static void set_union(world *w) { set(w, ww_set_union, w->n + 1, but(line_of(0, MOST), w->n, LAST)); }
static void set_intersection(world *w) { set(w, ww_set_intersection, w->n - 1, line_of(0, MOST)); }
static void set_difference(world *w) { set(w, ww_set_difference, 1, line_of(0, LAST)); }

static void run_lengths(world *w) {
    uint8_t *keys = bytes(w, keys_of(w, MOST, LAST)), *values = take(w, 2, 1);
    uint64_t *lengths = take(w, 2, 8), runs;
    TRY(ww_run_lengths(w->device, ww_memory(keys, w->n), ww_array(values, 2), ww_array(lengths, 2),
                       ww_array(&runs, 1)));
    expect(runs == 2);
    pair_is(w, lengths, w->n - 1, 1);
    bytes_are(w, values, 2, but(line_of(0, MOST), 1, LAST));
}

/* Of two different keys, and of nothing but different ones. */
static void unique(world *w) {
    uint8_t *keys = bytes(w, keys_of(w, MOST, LAST)), *values = take(w, 2, 1);
    uint32_t *out = take(w, w->n, 4);
    uint64_t count;
    TRY(ww_unique(w->device, ww_memory(keys, w->n), ww_array(values, 2), ww_array(&count, 1)));
    expect(count == 2);
    bytes_are(w, values, 2, but(line_of(0, MOST), 1, LAST));
    TRY(ww_unique(w->device, ranks(w), ww_array(out, w->n), ww_array(&count, 1)));
    expect(count == w->n);
    words_are(w, out, w->n, line_of(1, 0));
}

static void sort_keys(world *w) {
    uint32_t *keys = words(w, keys_of(w, LAST, MOST)), *out = take(w, w->n, 4);
    TRY(ww_sort(w->device, ww_memory(keys, w->n), ww_no_input, ww_array(out, w->n), ww_none, NULL));
    words_are(w, out, w->n, but(line_of(0, LAST), 0, MOST));
}

static ww_sort_options options_of(ww_sort_method method) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = method;
    return options;
}

/* All keys are the larger number but the last, which goes to the front; by their low bits it would not. */
static void sort_pairs_by(world *w, ww_sort_options options) {
    enum { LARGER = 0xE3, SMALLER = 0x1C };
    uint8_t *keys = bytes(w, keys_of(w, LARGER, SMALLER)), *out = take(w, w->n, 1);
    uint32_t *values_out = take(w, w->n, 4);
    TRY(ww_sort(w->device, ww_memory(keys, w->n), ranks(w), ww_array(out, w->n), ww_array(values_out, w->n), &options));
    bytes_are(w, out, w->n, but(line_of(0, LARGER), 0, SMALLER));
    words_are(w, values_out, w->n, last_first(w));
}

static void sort_pairs(world *w) { sort_pairs_by(w, options_of(WW_SORT_AUTO)); }
static void sort_by_merging(world *w) { sort_pairs_by(w, options_of(WW_SORT_MERGE)); }
static void sort_by_searching(world *w) { sort_pairs_by(w, options_of(WW_SORT_MERGE_SEARCH)); }
static void sort_bitonic(world *w) { sort_pairs_by(w, options_of(WW_SORT_BITONIC)); }
static void sort_merge_network(world *w) { sort_pairs_by(w, options_of(WW_SORT_MERGE_NETWORK)); }
static void sort_split1(world *w) { sort_pairs_by(w, options_of(WW_SORT_SPLIT1)); }
static void sort_multisplit(world *w) { sort_pairs_by(w, options_of(WW_SORT_MULTISPLIT)); }

/* Two rounds, of 5 bits and of 3. */
static void sort_multisplit_narrow(world *w) {
    ww_sort_options options = options_of(WW_SORT_MULTISPLIT);
    options.digit_bits = 5;
    sort_pairs_by(w, options);
}

/* What keys have above those bits shows that equal ones keep their order. */
WW_LESS(by_low_bits, uint32_t, a, b, { return (a & 15) < (b & 15); });
WW_LESS(bytes_by_low_bits, uint8_t, a, b, { return (a & 15) < (b & 15); });

static void sort_by_function_as(world *w, ww_sort_method method) {
    uint32_t *keys = words(w, but(line_of(16, LAST), w->n - 1, MOST)), *out = take(w, w->n, 4);
    const ww_sort_options options = options_of(method);
    TRY(ww_sort_by(w->device, &by_low_bits_ww, ww_memory(keys, w->n), ww_no_input, ww_array(out, w->n), ww_none,
                   &options));
    words_are(w, out, w->n, but(line_of(16, (uint64_t)LAST - 16), 0, MOST));
}

static void sort_by_function(world *w) { sort_by_function_as(w, WW_SORT_AUTO); }
static void search_by_function(world *w) { sort_by_function_as(w, WW_SORT_MERGE_SEARCH); }
static void bitonic_by_function(world *w) { sort_by_function_as(w, WW_SORT_BITONIC); }
static void merge_network_by_function(world *w) { sort_by_function_as(w, WW_SORT_MERGE_NETWORK); }

/* Keys are bytes, for quicksort takes much memory. By their low bits the first `larger` ones go behind the others. */
static void sort_quick_of(world *w, uint64_t larger, const ww_function *less) {
    form before = line_of(16, LAST), wanted = line_of(16, 16 * larger + MOST);
    before.from = larger;
    before.jump = (uint64_t)MOST - LAST;
    wanted.from = w->n - larger;
    wanted.jump = LAST - MOST - 16 * w->n;
    uint8_t *keys = bytes(w, before), *out = take(w, w->n, 1);
    const ww_input in = ww_memory(keys, w->n);
    const ww_array to = ww_array(out, w->n);
    ww_sort_options options = options_of(WW_SORT_QUICK);
    if (!less) options.bit_count = 4;
    TRY(less ? ww_sort_by(w->device, less, in, ww_no_input, to, ww_none, &options)
             : ww_sort(w->device, in, ww_no_input, to, ww_none, &options));
    bytes_are(w, out, w->n, wanted);
}

static void sort_quick(world *w) { sort_quick_of(w, w->n - 1, NULL); }
static void quick_by_function(world *w) { sort_quick_of(w, w->n / 2, &bytes_by_low_bits_ww); }

static void sort_oddeven(world *w) {
    uint8_t *keys = bytes(w, keys_of(w, LAST, MOST)), *out = take(w, w->n, 1);
    const ww_sort_options options = options_of(WW_SORT_ODDEVEN);
    char count[24];
    if (w->n <= WW_ODDEVEN_MOST)
        snprintf(w->lack, sizeof w->lack, "it refuses more than %d keys only", WW_ODDEVEN_MOST);
    if (*w->lack) return;
    snprintf(count, sizeof count, "%" PRIu64 " keys", w->n);
    expect_status(w->device,
                  ww_sort(w->device, ww_memory(keys, w->n), ww_no_input, ww_array(out, w->n), ww_none, &options),
                  WW_LIMIT);
    expect_sentence(w->device, count, "oddeven sorts up to 65536");
}

/* The last key goes to the front of the last segment, which begins at `begin`. */
static void sort_segments(world *w, ww_input offsets, uint64_t begin) {
    uint8_t *keys = bytes(w, keys_of(w, LAST, MOST)), *out = take(w, w->n, 1);
    uint32_t *values_out = take(w, w->n, 4);
    form wanted = but(line_of(1, 0), begin, w->n - 1);
    wanted.from = begin;
    wanted.jump = UINT64_MAX;
    TRY(ww_sort_segments(w->device, ww_memory(keys, w->n), ranks(w), offsets, ww_array(out, w->n),
                         ww_array(values_out, w->n), NULL));
    bytes_are(w, out, w->n, but(line_of(0, LAST), begin, MOST));
    words_are(w, values_out, w->n, wanted);
}

static void sort_long_segments(world *w) {
    uint64_t ends[] = {0, w->n / 2, w->n}, *offsets = take(w, 3, 8);
    TRY(ww_copy(w->device, ww_memory(ends, 3), ww_array(offsets, 3)));
    sort_segments(w, ww_memory(offsets, 3), w->n / 2);
}

/* Of four elements, but for the last one, which has the rest. */
static void sort_short_segments(world *w) {
    const uint64_t segments = w->n / 4;
    const form ends = but(line_of(4, 0), segments, w->n);
    sort_segments(w, ww_mapped(ww_with(form_at, &ends), ww_counting(&ww_type_uint64_t, 0, segments + 1)),
                  4 * (segments - 1));
}

/* The last key and the first ones: a few, then all but one. */
static void top_k(world *w) {
    uint8_t *keys = bytes(w, keys_of(w, LAST, MOST)), *out = take(w, w->n, 1);
    uint32_t *values_out = take(w, w->n, 4);
    const uint64_t wanted[] = {10, w->n - 1};
    for (int i = 0; i < 2; i++) {
        const uint64_t k = wanted[i];
        TRY(ww_top_k(w->device, ww_memory(keys, w->n), ranks(w), ww_array(out, k), ww_array(values_out, k), NULL));
        bytes_are(w, out, k, but(line_of(0, LAST), 0, MOST));
        words_are(w, values_out, k, last_first(w));
    }
}

static void nth(world *w) {
    uint32_t *keys = words(w, keys_of(w, LAST, MOST)), first, second, last;
    TRY(ww_nth(w->device, 0, ww_memory(keys, w->n), ww_array(&first, 1), NULL));
    TRY(ww_nth(w->device, 1, ww_memory(keys, w->n), ww_array(&second, 1), NULL));
    TRY(ww_nth(w->device, w->n - 1, ww_memory(keys, w->n), ww_array(&last, 1), NULL));
    expect(first == MOST && second == LAST && last == LAST);
}

/* Of four bytes by the first one; the others count up. Then their order alone. */
static void sort_records(world *w) {
    uint32_t *in = words(w, but(line_of(256, LAST), w->n - 1, MOST)), *out = take(w, w->n, 4);
    const ww_input records = ww_from(ww_records(in, w->n, 4));
    TRY(ww_sort_records(w->device, 0, 1, records, ww_records(out, w->n, 4), NULL));
    words_are(w, out, w->n, but(line_of(256, (uint64_t)LAST - 256), 0, MOST));
    TRY(ww_sort_records_index(w->device, 0, 1, records, ww_array(out, w->n), NULL));
    words_are(w, out, w->n, last_first(w));
}

/* All in bucket LAST but the last, which goes to the front. */
static void multisplit(world *w, ww_multisplit_method method) {
    const form wanted = but(line_of(0, LAST), 0, MOST);
    uint8_t *keys = bytes(w, keys_of(w, LAST, MOST)), *out = take(w, w->n, 1);
    uint32_t *values_out = take(w, w->n, 4);
    uint64_t *offsets = take(w, LAST + 2, 8), got[LAST + 2];
    ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
    options.method = method;
    TRY(ww_multisplit(w->device, &ww_by_number, LAST + 1, ww_memory(keys, w->n), ranks(w), ww_array(out, w->n),
                      ww_array(values_out, w->n), ww_array(offsets, LAST + 2), &options));
    bytes_are(w, out, w->n, wanted);
    words_are(w, values_out, w->n, last_first(w));
    TRY(ww_copy(w->device, ww_memory(offsets, LAST + 2), ww_array(got, LAST + 2)));
    TRY(ww_sync(w->device));
    for (uint64_t b = 0; b <= LAST + 1; b++) expect(got[b] == (b <= MOST ? 0 : b <= LAST ? 1 : w->n));
}

static void multisplit_onepass(world *w) { multisplit(w, WW_MULTISPLIT_ONEPASS); }
static void multisplit_direct(world *w) { multisplit(w, WW_MULTISPLIT_DIRECT); }
static void multisplit_warp(world *w) { multisplit(w, WW_MULTISPLIT_WARP); }
static void multisplit_block(world *w) { multisplit(w, WW_MULTISPLIT_BLOCK); }
static void multisplit_reduced_bit(world *w) { multisplit(w, WW_MULTISPLIT_REDUCED_BIT); }
static void multisplit_recursive(world *w) { multisplit(w, WW_MULTISPLIT_RECURSIVE); }

/* Of three digits; the last key's bucket is the one before. */
static void multisplit_many(world *w) {
    enum { BUCKETS = 100000 };
    uint32_t *keys = words(w, keys_of(w, BUCKETS - 1, BUCKETS - 2)), *out = take(w, w->n, 4);
    uint64_t *offsets = take(w, BUCKETS + 1, 8);
    TRY(ww_multisplit(w->device, &ww_by_number, BUCKETS, ww_memory(keys, w->n), ww_no_input, ww_array(out, w->n),
                      ww_none, ww_array(offsets, BUCKETS + 1), NULL));
    words_are(w, out, w->n, but(line_of(0, BUCKETS - 1), 0, BUCKETS - 2));
    pair_is(w, offsets + BUCKETS - 2, 0, 1);
    pair_is(w, offsets + BUCKETS - 1, 1, w->n);
}

/* Key number i is i times this: no two are alike as far as 2^32. */
#define SCATTER UINT64_C(2654435761)

/* Whether each key has been found with its number as the value. */
static void numbers_are_found(world *w, const uint32_t *values, const uint8_t *found) {
    words_are(w, values, w->n, line_of(1, 0));
    bytes_are(w, found, w->n, line_of(0, 1));
}

static void slab_hash(world *w) {
    const form keys = line_of(SCATTER, 0);
    uint32_t *values = take(w, w->n, 4);
    uint8_t *found = take(w, w->n, 1);
    ww_slab_info info = WW_SLAB_INFO;
    ww_slab *slab = NULL;
    bool is = !*w->lack && done(w, ww_slab_open(w->device, &ww_type_uint32_t, &ww_type_uint32_t, w->n, &slab, NULL)) &&
              done(w, ww_slab_insert(slab, words_of(&keys, w->n), ranks(w), ww_none)) &&
              done(w, ww_slab_search(slab, words_of(&keys, w->n), ww_array(values, w->n), ww_array(found, w->n))) &&
              done(w, ww_slab_info_get(slab, &info));
    if (is) {
        expect(info.pairs == w->n);
        numbers_are_found(w, values, found);
    }
    ww_slab_close(slab);
}

/* In four batches, and what is left: so levels are merged as well. */
static void ordered_dictionary(world *w) {
    const form keys = line_of(SCATTER, 0);
    const uint64_t batch = w->n / 4;
    uint32_t *values = take(w, w->n, 4);
    uint8_t *found = take(w, w->n, 1);
    uint64_t size = 0;
    ww_lsm *lsm = NULL;
    bool is = !*w->lack && done(w, ww_lsm_open(w->device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, NULL));
    for (uint64_t i = 0; is && i < w->n; i += batch) {
        const uint64_t many = w->n - i < batch ? w->n - i : batch;
        const form these = line_of(SCATTER, i * SCATTER);
        is = done(w, ww_lsm_insert(lsm, words_of(&these, many), ww_counting(&ww_type_uint32_t, i, many)));
    }
    is = is && done(w, ww_lsm_lookup(lsm, words_of(&keys, w->n), ww_array(values, w->n), ww_array(found, w->n))) &&
         done(w, ww_lsm_size(lsm, &size));
    if (is) {
        expect(size == w->n);
        numbers_are_found(w, values, found);
    }
    ww_lsm_close(lsm);
}

/* ---- running them ---- */

typedef struct one_case {
    const char *name;
    void (*run)(world *w);
    uint64_t bytes; /* for each of n elements, scratch included */
} one_case;
static const one_case cases[] = {
    {"map", map, 4},
    {"store", store, 2},
    {"launch", launch, 4},
    {"reduce", reduce, 4},
    {"reduce by key", reduce_by_key, 2},
    {"reduce by segments", reduce_segments, 5},
    {"arg min and max", extremes, 4},
    {"scan, inclusive", scan_inclusive, 9},
    {"scan, exclusive", scan_exclusive, 5},
    {"scan by flags", scan_segmented, 6},
    {"scan by key", scan_by_key, 6},
    {"enumerate", enumerate, 6},
    {"adjacent difference", adjacent_difference, 8},
    {"pack", pack, 6},
    {"split, stable", split_stable, 6},
    {"split, reversed", split_reversed, 6},
    {"gather", gather, 8},
    {"scatter, any", scatter_any, 4},
    {"scatter, last", scatter_last, 8},
    {"scatter, add", scatter_add, 4},
    {"scatter to two places", scatter_crowd, 4},
    {"histogram", histogram, 1},
    {"merge", merge, 11},
    {"lower and upper bound", bounds, 5},
    {"union", set_union, 4},
    {"intersection", set_intersection, 4},
    {"difference", set_difference, 3},
    {"run lengths", run_lengths, 2},
    {"unique", unique, 6},
    {"sort keys", sort_keys, 15},
    {"sort pairs", sort_pairs, 14},
    {"sort, merge", sort_by_merging, 12},
    {"sort, merge-search", sort_by_searching, 12},
    {"sort, bitonic", sort_bitonic, 14},
    {"sort, merge-network", sort_merge_network, 19},
    {"sort, split1", sort_split1, 12},
    {"sort, multisplit", sort_multisplit, 12},
    {"sort, multisplit of 5 bits", sort_multisplit_narrow, 12},
    {"sort, quick", sort_quick, 36},
    {"sort, oddeven", sort_oddeven, 2},
    {"sort by a function", sort_by_function, 13},
    {"sort by a function, merge-search", search_by_function, 13},
    {"sort by a function, bitonic", bitonic_by_function, 12},
    {"sort by a function, merge-network", merge_network_by_function, 20},
    {"sort by a function, quick", quick_by_function, 36},
    {"sort long segments", sort_long_segments, 12},
    {"sort short segments", sort_short_segments, 14},
    {"first k", top_k, 12},
    {"n-th", nth, 5},
    {"sort records", sort_records, 15},
    {"multisplit, onepass", multisplit_onepass, 7},
    {"multisplit, direct", multisplit_direct, 7},
    {"multisplit, warp", multisplit_warp, 7},
    {"multisplit, block", multisplit_block, 7},
    {"multisplit, reduced-bit", multisplit_reduced_bit, 20},
    {"multisplit, recursive", multisplit_recursive, 22},
    {"multisplit, many buckets", multisplit_many, 13},
    {"slab hash", slab_hash, 21},
    {"ordered dictionary", ordered_dictionary, 33},
};

/* 0: not here. */
static uint64_t length_here(void) {
    const char *asked = getenv("WARPWISE_HUGE");
    if (asked && *asked) return strtoull(asked, NULL, 0);
    if (!on_gpu()) left_out("arrays of 2^31 + 3 elements are a GPU's (WARPWISE_HUGE=n runs n here)");
    if (on_emulator()) printf("5003 elements only: this device is slow, or small arrays are asked for\n");
    return !on_gpu() ? 0 : on_emulator() ? 5003 : ((uint64_t)1 << 31) + 3;
}

static void run_case(ww_device *device, uint64_t n, const one_case *c) {
    ww_device_info info = WW_DEVICE_INFO;
    world w = {.device = device, .n = n};
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    if (c->bytes * n > info.memory) {
        snprintf(w.lack, sizeof w.lack, "%" PRIu64 " bytes are needed, the device has %" PRIu64, c->bytes * n,
                 info.memory);
    } else {
        c->run(&w);
    }
    if (*w.lack) left_out("%s: %s", c->name, w.lack);
    expect_status(device, ww_sync(device), WW_OK);
    while (w.blocks) expect_status(device, ww_free(device, w.block[--w.blocks]), WW_OK);
    expect_status(device, ww_scratch_trim(device), WW_OK);
}

static void holds(void **state) {
    (void)state;
    const uint64_t n = length_here();
    if (!n) return;
    if (n < 16) {
        fprintf(stderr, "WARPWISE_HUGE=%" PRIu64 ": the forms are for 16 elements and more\n", n);
        abort();
    }
    ww_device *device = setting_open(0);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CASE("huge", "%s n=%" PRIu64, cases[k].name, n);
        if (case_wanted()) run_case(device, n, &cases[k]);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds)};
    return cmocka_run_group_tests_name("huge", tests, NULL, NULL);
}
