#include "support/calls.h"

#include "reference/find.h"
#include "reference/merge.h"
#include "reference/order.h"
#include "reference/pack.h"
#include "reference/set.h"
#include "reference/split.h"

enum { N = CALL_N, HALF = N / 2, SEGMENTS = 100, BINS = 300 };

/* x: any numbers. few: with many runs of equal ones. low, high: sorted, with numbers in common. */
static struct {
    uint32_t x[N], y[N], few[N], low[HALF], high[HALF], offsets[SEGMENTS + 1];
    uint64_t turned[N];
    uint8_t flags[N], far[N], text[4 * N]; /* far: heads of long segments */
    call_data got, wanted;
} all;

#define A ww_array(d->a, N)
#define B ww_array(d->b, N)
#define A_IN ww_memory(d->a, N)
#define COUNT ww_array(d->counts, 1)
#define FLAGS ww_memory(all.flags, N)
#define X ww_memory(all.x, N)

/* A row: name, the call, the plain form. */
#define CALL(name, call, ...) \
    static ww_status run_##name(ww_device *device, call_data *d) { return call; } \
    static void want_##name(call_data *d) { __VA_ARGS__ }
#define EACH for (size_t i = 0; i < N; i++)

/* ---- element by element ---- */

WW_MAP(triple, uint32_t, uint32_t, x, void, none, { return 3 * x + 1; });
WW_MAP(odd, uint8_t, uint32_t, x, void, none, { return x & 1; });
WW_MAP(bin, uint32_t, uint32_t, x, void, none, { return x % 300; });
WW_MAP2(weigh, uint32_t, uint32_t, a, uint32_t, b, void, none, { return 3 * a + b; });
WW_STRUCT(fifth, { uint32_t *to; });
WW_KERNEL(put_fifth, fifth, f, rank, { f->to[rank] = (uint32_t)(5 * rank); });

CALL(map, ww_map(device, &triple_ww, A_IN, A), { EACH d->a[i] = 3 * d->a[i] + 1; })
CALL(map2, ww_map2(device, &weigh_ww, A_IN, ww_memory(d->b, N), A), { EACH d->a[i] = 3 * d->a[i] + d->b[i]; })
CALL(store, ww_store(device, ww_counting(&ww_type_uint32_t, 7, N), A), { EACH d->a[i] = (uint32_t)(i + 7); })
CALL(fill, ww_fill(device, A, ww_value(uint32_t, all.x[5])), { EACH d->a[i] = all.x[5]; })
CALL(copy, ww_copy(device, ww_from(B), A), { EACH d->a[i] = d->b[i]; })
CALL(launch, ww_launch(device, ww_with(put_fifth, &(fifth){d->a}), N), { EACH d->a[i] = (uint32_t)(5 * i); })
CALL(gather, ww_gather(device, ww_from(B), ww_memory(all.turned, N), A), { EACH d->a[i] = d->b[all.turned[i]]; })

CALL(expand, ww_expand(device, A_IN, ww_memory(all.flags, N), ww_array(d->b, N), ww_none, ww_none, COUNT), {
    size_t at = 0;
    EACH for (size_t k = 0; k < all.flags[i]; k++) d->b[at++] = d->a[i];
    d->counts[0] = at;
})

static ww_status scatter(ww_device *device, call_data *d, ww_conflict conflict) {
    return ww_scatter(device, X, ww_memory(all.few, N), A, ww_scatter_by(conflict));
}
CALL(scatter_last, scatter(device, d, WW_CONFLICT_LAST), { EACH d->a[all.few[i]] = all.x[i]; })
CALL(scatter_add, scatter(device, d, WW_CONFLICT_ADD), { EACH d->a[all.few[i]] += all.x[i]; })
CALL(scatter_max, scatter(device, d, WW_CONFLICT_MAX),
     { EACH if (all.x[i] > d->a[all.few[i]]) d->a[all.few[i]] = all.x[i]; })

/* ---- reductions ---- */

CALL(reduce, ww_reduce(device, &ww_add, A_IN, ww_array(d->b, 1)), {
    d->b[0] = 0;
    EACH d->b[0] += d->a[i];
})
CALL(reduce_segments,
     ww_reduce_segments(device, &ww_add, A_IN, ww_memory(all.offsets, SEGMENTS + 1), ww_array(d->b, SEGMENTS)), {
         for (size_t s = 0; s < SEGMENTS; s++) {
             d->b[s] = 0;
             for (size_t i = all.offsets[s]; i < all.offsets[s + 1]; i++) d->b[s] += d->a[i];
         }
     })
CALL(reduce_by_key, ww_reduce_by_key(device, &ww_add, ww_memory(all.few, N), X, A, B, COUNT), {
    size_t runs = 0;
    EACH {
        if (!i || all.few[i] != all.few[i - 1]) d->a[runs] = all.few[i], d->b[runs++] = 0;
        d->b[runs - 1] += all.x[i];
    }
    d->counts[0] = runs;
})
CALL(arg_min, ww_arg_min(device, NULL, ww_memory(all.few, N), ww_array(d->a, 1), COUNT), {
    size_t at = 0;
    EACH if (all.few[i] < all.few[at]) at = i;
    d->a[0] = all.few[at], d->counts[0] = at;
})
CALL(arg_max, ww_arg_max(device, NULL, ww_memory(all.few, N), ww_array(d->a, 1), COUNT), {
    size_t at = 0;
    EACH if (all.few[i] > all.few[at]) at = i;
    d->a[0] = all.few[at], d->counts[0] = at;
})

/* ---- scans, in place ---- */

static ww_status scan(ww_device *device, call_data *d, ww_scan_method method, bool exclusive) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = method;
    o.exclusive = exclusive;
    return ww_scan(device, &ww_add, A_IN, A, &o);
}

/* With sums that restart where `heads` (or NULL) says. */
static void sum_up(uint32_t *a, bool exclusive, const uint8_t *heads) {
    uint32_t sum = 0;
    for (size_t i = 0; i < N; i++) {
        if (heads && heads[i]) sum = 0;
        const uint32_t before = sum;
        sum += a[i];
        a[i] = exclusive ? before : sum;
    }
}

static ww_status scan_segmented(ww_device *device, call_data *d, ww_scan_method method, bool exclusive) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = method;
    o.exclusive = exclusive;
    return ww_scan_segmented(device, &ww_add, A_IN, FLAGS, A, &o);
}

/* Segments as long as many tiles, whose sums other workers need. */
CALL(segmented_far, ww_scan_segmented(device, &ww_add, A_IN, ww_memory(all.far, N), A, NULL),
     { sum_up(d->a, false, all.far); })

#define SCANS(name, method) \
    CALL(scan_##name, scan(device, d, method, false), { sum_up(d->a, false, NULL); }) \
    CALL(scan_##name##_exclusive, scan(device, d, method, true), { sum_up(d->a, true, NULL); }) \
    CALL(segmented_##name, scan_segmented(device, d, method, false), { sum_up(d->a, false, all.flags); }) \
    CALL(segmented_##name##_exclusive, scan_segmented(device, d, method, true), { sum_up(d->a, true, all.flags); })
SCANS(auto, WW_SCAN_AUTO)
SCANS(lookback, WW_SCAN_LOOKBACK)
SCANS(hillis_steele, WW_SCAN_HILLIS_STEELE)
SCANS(blelloch, WW_SCAN_BLELLOCH)
#define SCAN_ROWS(name) \
    ROW(scan_##name), ROW(scan_##name##_exclusive), ROW(segmented_##name), ROW(segmented_##name##_exclusive)

/* Not commutative: x -> m x + c is kept as m (the high half) and c; both are done one after the other. */
WW_COMBINE(then, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(65536),
           { return (a >> 16) * (b >> 16) << 16 | (((a & 65535) * (b >> 16) + (b & 65535)) & 65535); });
CALL(scan_ordered, ww_scan(device, &then_ww, A_IN, A, NULL), {
    for (size_t i = 1; i < N; i++) {
        const uint32_t m = d->a[i] >> 16, c = d->a[i] & 65535;
        d->a[i] = (d->a[i - 1] >> 16) * m << 16 | (((d->a[i - 1] & 65535) * m + c) & 65535);
    }
})
CALL(scan_by_key, ww_scan_by_key(device, &ww_add, ww_memory(all.few, N), A_IN, A, NULL), {
    for (size_t i = 1; i < N; i++)
        if (all.few[i] == all.few[i - 1]) d->a[i] += d->a[i - 1];
})
CALL(enumerate, ww_enumerate(device, FLAGS, A, COUNT), {
    size_t many = 0;
    EACH d->a[i] = (uint32_t)many, many += all.flags[i] != 0;
    d->counts[0] = many;
})
CALL(adjacent_difference, ww_adjacent_difference(device, X, A), { EACH d->a[i] = all.x[i] - (i ? all.x[i - 1] : 0); })

/* ---- choosing ---- */

CALL(pack, ww_pack(device, X, FLAGS, A, COUNT, NULL), { d->counts[0] = reference_pack(d->a, all.x, all.flags, N, 4); })
CALL(pack_if, ww_pack_if(device, &odd_ww, X, A, COUNT, NULL), {
    size_t many = 0;
    EACH if (all.x[i] & 1) d->a[many++] = all.x[i];
    d->counts[0] = many;
})

static ww_status split(ww_device *device, call_data *d, ww_split_method method) {
    ww_split_options o = WW_SPLIT_OPTIONS;
    o.method = method;
    return ww_split(device, X, FLAGS, A, COUNT, &o);
}
CALL(split, split(device, d, WW_SPLIT_STABLE), { d->counts[0] = reference_split(d->a, all.x, all.flags, N, 4, false); })
CALL(split_scans, split(device, d, WW_SPLIT_SCANS),
     { d->counts[0] = reference_split(d->a, all.x, all.flags, N, 4, false); })
CALL(split_reversed, split(device, d, WW_SPLIT_REVERSED),
     { d->counts[0] = reference_split(d->a, all.x, all.flags, N, 4, true); })
CALL(unique, ww_unique(device, ww_memory(all.few, N), A, COUNT), {
    size_t runs = 0;
    EACH if (!i || all.few[i] != all.few[i - 1]) d->a[runs++] = all.few[i];
    d->counts[0] = runs;
})
CALL(run_lengths, ww_run_lengths(device, ww_memory(all.few, N), A, B, COUNT), {
    size_t runs = 0;
    EACH {
        if (!i || all.few[i] != all.few[i - 1]) d->a[runs] = all.few[i], d->b[runs++] = 0;
        d->b[runs - 1]++;
    }
    d->counts[0] = runs;
})
CALL(histogram, ww_histogram(device, &bin_ww, X, ww_array(d->counts, BINS), ww_none, NULL), {
    memset(d->counts, 0, BINS * sizeof *d->counts);
    EACH d->counts[all.x[i] % 300]++;
})

/* ---- two sorted arrays ---- */

#define LOW ww_memory(all.low, HALF)
#define HIGH ww_memory(all.high, HALF)
CALL(merge, ww_merge(device, NULL, LOW, HIGH, ww_no_input, ww_no_input, ww_array(d->a, 2 * HALF), ww_none), {
    bool *from = need(N);
    reference_merge(d->a, from, all.low, HALF, all.high, HALF, 4, reference_u32_up);
    free(from);
})
CALL(set_union, ww_set_union(device, NULL, LOW, HIGH, A, COUNT),
     { d->counts[0] = reference_union(d->a, all.low, HALF, all.high, HALF, 4, reference_u32_up); })
CALL(set_intersection, ww_set_intersection(device, NULL, LOW, HIGH, A, COUNT),
     { d->counts[0] = reference_intersection(d->a, all.low, HALF, all.high, HALF, 4, reference_u32_up); })
CALL(set_difference, ww_set_difference(device, NULL, LOW, HIGH, A, COUNT),
     { d->counts[0] = reference_difference(d->a, all.low, HALF, all.high, HALF, 4, reference_u32_up); })
CALL(lower_bound, ww_lower_bound(device, NULL, LOW, X, A), {
    EACH {
        size_t low = 0, high = HALF;
        while (low < high) {
    const size_t middle = (low + high) / 2;
    if (all.low[middle] < all.x[i])
        low = middle + 1;
    else
        high = middle;
        }
        d->a[i] = (uint32_t)low;
}
})

/* ---- sorts, in place ---- */

WW_LESS(falls, uint32_t, a, b, {
    return b < a; });
static ww_status sort(ww_device *device, call_data *d, ww_sort_method method) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    return ww_sort(device, A_IN, ww_no_input, A, ww_none, &o);
}
static void sort_up(call_data *d) { reference_sort(d->a, N, 4, reference_u32_up); }
CALL(sort, sort(device, d, WW_SORT_AUTO), { sort_up(d); })
CALL(sort_multisplit, sort(device, d, WW_SORT_MULTISPLIT), { sort_up(d); })
CALL(sort_split1, sort(device, d, WW_SORT_SPLIT1), { sort_up(d); })
CALL(sort_quick, sort(device, d, WW_SORT_QUICK), { sort_up(d); })
CALL(sort_merge, sort(device, d, WW_SORT_MERGE), { sort_up(d); })
CALL(sort_merge_search, sort(device, d, WW_SORT_MERGE_SEARCH), { sort_up(d); })
CALL(sort_bitonic, sort(device, d, WW_SORT_BITONIC), { sort_up(d); })
CALL(sort_merge_network, sort(device, d, WW_SORT_MERGE_NETWORK), { sort_up(d); })
CALL(sort_by, ww_sort_by(device, &falls_ww, A_IN, ww_no_input, A, ww_none, NULL),
     { reference_sort(d->a, N, 4, reference_u32_down); })
CALL(sort_segments, ww_sort_segments(device, A_IN, ww_no_input, ww_memory(all.offsets, SEGMENTS + 1), A, ww_none, NULL),
     {
         for (size_t s = 0; s < SEGMENTS; s++)
             reference_sort(d->a + all.offsets[s], all.offsets[s + 1] - all.offsets[s], 4, reference_u32_up);
     })
CALL(sort_records, ww_sort_records(device, 3, 1, ww_record_memory(d->a, N, 4), ww_records(d->a, N, 4), NULL), {
    for (size_t i = 0; i < N; i++) d->b[i] = d->a[i];
    size_t to = 0;
    for (uint32_t last = 0; last < 256; last++)
        for (size_t i = 0; i < N; i++)
            if (d->b[i] >> 24 == last) d->a[to++] = d->b[i];
    for (size_t i = 0; i < N; i++) d->b[i] = all.y[i];
})
CALL(top_k, ww_top_k(device, X, ww_no_input, ww_array(d->a, 1000), ww_none, NULL), {
    uint32_t *sorted = need(N * sizeof *sorted);
    memcpy(sorted, all.x, sizeof all.x);
    reference_sort(sorted, N, 4, reference_u32_up);
    memcpy(d->a, sorted, 1000 * sizeof *sorted);
    free(sorted);
})
CALL(nth, ww_nth(device, N / 3, X, ww_array(d->b, 1), NULL), {
    uint32_t *sorted = need(N * sizeof *sorted);
    memcpy(sorted, all.x, sizeof all.x);
    reference_sort(sorted, N, 4, reference_u32_up);
    d->b[0] = sorted[N / 3];
    free(sorted);
})
CALL(multisplit, ww_multisplit(device, &bin_ww, BINS, X, ww_no_input, A, ww_none, ww_array(d->counts, BINS + 1), NULL),
     {
         size_t to = 0;
         for (uint32_t b = 0; b < BINS; b++) {
             d->counts[b] = to;
             for (size_t i = 0; i < N; i++)
                 if (all.x[i] % BINS == b) d->a[to++] = all.x[i];
         }
         d->counts[BINS] = to;
     })

/* ---- text ---- */

CALL(find, ww_find(device, ww_memory(all.text, sizeof all.text), "aba", 3, ww_array(d->counts + 1, 500), COUNT, NULL), {
    d->counts[0] = ref_find(all.text, sizeof all.text, (const unsigned char *)"aba", 3, false, d->counts + 1, 500);
})
CALL(find_near,
     ww_find_near(device, ww_memory(all.text, sizeof all.text), "abbabaabba", 10, 1, ww_array(d->counts + 1, 500),
                  ww_none, COUNT, NULL),
     {
         d->counts[0] = ref_find_near(all.text, sizeof all.text, (const unsigned char *)"abbabaabba", 10, 1, false,
                                      d->counts + 1, NULL, 500);
     })

static ww_status find_many(ww_device *device, call_data *d) {
    const uint64_t offsets[] = {0, 3, 7, 9};
    ww_patterns *patterns;
    ww_status status = ww_patterns_open(device, "abaabbabb", offsets, 3, &patterns, NULL);
    if (!status) status = ww_find_many(patterns, ww_memory(all.text, sizeof all.text), ww_none, ww_none, COUNT);
    ww_patterns_close(patterns);
    return status;
}
CALL(find_many, find_many(device, d), {
    d->counts[0] = 0;
    d->counts[0] += ref_find(all.text, sizeof all.text, (const unsigned char *)"aba", 3, false, NULL, 0);
    d->counts[0] += ref_find(all.text, sizeof all.text, (const unsigned char *)"abba", 4, false, NULL, 0);
    d->counts[0] += ref_find(all.text, sizeof all.text, (const unsigned char *)"bb", 2, false, NULL, 0);
})

/* ---- all ---- */

#define ROW(name) \
    { #name, run_##name, want_##name }
const one_call calls[] = {ROW(map),
                          ROW(map2),
                          ROW(store),
                          ROW(fill),
                          ROW(copy),
                          ROW(launch),
                          ROW(gather),
                          ROW(expand),
                          ROW(scatter_last),
                          ROW(scatter_add),
                          ROW(scatter_max),
                          ROW(reduce),
                          ROW(reduce_segments),
                          ROW(reduce_by_key),
                          ROW(arg_min),
                          ROW(arg_max),
                          SCAN_ROWS(auto),
                          SCAN_ROWS(lookback),
                          SCAN_ROWS(hillis_steele),
                          SCAN_ROWS(blelloch),
                          ROW(segmented_far),
                          ROW(scan_ordered),
                          ROW(scan_by_key),
                          ROW(enumerate),
                          ROW(adjacent_difference),
                          ROW(pack),
                          ROW(pack_if),
                          ROW(split),
                          ROW(split_scans),
                          ROW(split_reversed),
                          ROW(unique),
                          ROW(run_lengths),
                          ROW(histogram),
                          ROW(merge),
                          ROW(set_union),
                          ROW(set_intersection),
                          ROW(set_difference),
                          ROW(lower_bound),
                          ROW(sort),
                          ROW(sort_multisplit),
                          ROW(sort_split1),
                          ROW(sort_quick),
                          ROW(sort_merge),
                          ROW(sort_merge_search),
                          ROW(sort_bitonic),
                          ROW(sort_merge_network),
                          ROW(sort_by),
                          ROW(sort_segments),
                          ROW(sort_records),
                          ROW(top_k),
                          ROW(nth),
                          ROW(multisplit),
                          ROW(find),
                          ROW(find_near),
                          ROW(find_many)};

size_t calls_many(void) { return sizeof calls / sizeof *calls; }

static void data_begin(call_data *d) {
    memcpy(d->a, all.x, sizeof all.x);
    memcpy(d->b, all.y, sizeof all.y);
    memset(d->counts, 0xA5, sizeof d->counts);
}

void calls_begin(void) {
    uint64_t random = seed_of_run();
    for (size_t i = 0; i < N; i++) {
        all.x[i] = (uint32_t)random_next(&random);
        all.y[i] = (uint32_t)random_next(&random);
        const bool new_run = !i || random_next(&random) % 40 == 0;
        all.few[i] = new_run ? (uint32_t)(random_next(&random) % N) : all.few[i - 1];
        all.turned[i] = random_next(&random) % N;
        all.flags[i] = random_next(&random) % 3 == 0;
        all.far[i] = i % 100003 == 77;
    }
    for (size_t i = 0; i < HALF; i++) all.low[i] = all.x[i] % 100000, all.high[i] = 30000 + all.y[i] % 100000;
    reference_sort(all.low, HALF, 4, reference_u32_up);
    reference_sort(all.high, HALF, 4, reference_u32_up);
    for (size_t s = 0; s < SEGMENTS; s++) all.offsets[s] = (uint32_t)(s * s * N / (SEGMENTS * SEGMENTS));
    all.offsets[SEGMENTS] = N;
    for (size_t i = 0; i < sizeof all.text; i++) all.text[i] = (uint8_t)('a' + random_next(&random) % 2);
    all.got.a = need(sizeof all.x), all.got.b = need(sizeof all.y);
    all.wanted.a = need(sizeof all.x), all.wanted.b = need(sizeof all.y);
}

void calls_end(void) { free(all.got.a), free(all.got.b), free(all.wanted.a), free(all.wanted.b); }

/* The oracle's result is kept: calls of one name follow one another. */
static const call_data *wanted_of(const one_call *call) {
    static const one_call *kept;
    if (kept != call) {
        data_begin(&all.wanted);
        call->oracle(&all.wanted);
        kept = call;
    }
    return &all.wanted;
}

void call_check(ww_device *device, const one_call *call) {
    const call_data *wanted = wanted_of(call);
    data_begin(&all.got);
    expect_status(device, call->run(device, &all.got), WW_OK);
    expect_elements(all.got.a, wanted->a, N, 4);
    expect_elements(all.got.b, wanted->b, N, 4);
    expect_elements(all.got.counts, wanted->counts, CALL_COUNTS, 8);
}
