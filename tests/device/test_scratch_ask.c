/* Scratch memory that is asked for before a call: every family's calls are made on paper with arrays in memory that nobody may touch,
 * and then in earnest with as much as was said. That all calls of all other tests take no more than they say is seen there
 * (ww__rehearse_calls in support/settings.c). */
#include <sys/mman.h>

#include "device/device.h"
#include "support/cases.h"

enum { N = 150000, BINS = 5000, SEGMENTS = 100 };

typedef struct arrays {
    uint32_t x[N], y[N], out[N], out2[N], index[N], sorted[N], edges[BINS + 1], counts[BINS], offsets[SEGMENTS + 1];
    uint64_t wide[N + 1], one, two;
    uint8_t flags[N], found[N];
} arrays;
static arrays *d;

static void close_memory(void) { expect(!mprotect(d, sizeof *d, PROT_NONE)); }

/* Opens it, with data in it. */
static void open_memory(void) {
    expect(!mprotect(d, sizeof *d, PROT_READ | PROT_WRITE));
    memset(d, 0, sizeof *d);
    for (uint32_t i = 0; i < N; i++) {
        d->x[i] = i * 2654435761u;
        d->y[i] = i;
        d->index[i] = N - 1 - i;
        d->sorted[i] = 2 * i;
        d->flags[i] = i % 3 == 0;
    }
    for (uint32_t b = 0; b <= BINS; b++) d->edges[b] = b * 800000;
    for (uint32_t s = 0; s <= SEGMENTS; s++) d->offsets[s] = s < SEGMENTS ? s : N;
}

WW_MAP(half, uint32_t, uint32_t, x, void, none, { return x / 2; });
WW_MAP(odd, uint8_t, uint32_t, x, void, none, { return x & 1; });
WW_MAP(bin, uint32_t, uint32_t, x, void, none, { return x % BINS; });
WW_MAP(two_sets, uint64_t, uint32_t, x, void, none, { return 1 + x % 3; });
WW_LESS(by_low_byte, uint32_t, a, b, { return (uint8_t)a < (uint8_t)b; });

#define X ww_memory(d->x, N)
#define Y ww_memory(d->y, N)
#define MAPPED ww_mapped(&half_ww, X)
#define OUT ww_array(d->out, N)
#define OUT2 ww_array(d->out2, N)
#define ONE ww_array(&d->one, 1)
#define TWO ww_array(&d->two, 1)
#define FLAGS ww_memory(d->flags, N)
#define SORTED(n) ww_memory(d->sorted, n)
#define TEXT ww_mapped(&odd_ww, X)

static ww_status scan_by(ww_device *device, ww_scan_method method) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = method;
    return ww_scan_segmented(device, &ww_add, MAPPED, FLAGS, OUT, &o);
}
static ww_status sort_with(ww_device *device, ww_sort_method method, uint64_t n) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    return ww_sort(device, ww_memory(d->x, n), ww_memory(d->y, n), ww_array(d->out, n), ww_array(d->out2, n), &o);
}
static ww_status merge_sort_with(ww_device *device, ww_sort_method method) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    return ww_sort_by(device, &by_low_byte_ww, MAPPED, Y, OUT, OUT2, &o);
}
static ww_status multisplit_with(ww_device *device, ww_multisplit_method method) {
    ww_multisplit_options o = WW_MULTISPLIT_OPTIONS;
    o.method = method;
    return ww_multisplit(device, &bin_ww, BINS, MAPPED, X, OUT, OUT2, ww_none, &o);
}
static ww_status find_with(ww_device *device, ww_find_method method, uint64_t length) {
    static const unsigned char pattern[200] = {0, 1, 1};
    ww_find_options o = WW_FIND_OPTIONS;
    o.method = method;
    return ww_find(device, TEXT, pattern, length, OUT, ONE, &o);
}
static ww_status split_with(ww_device *device, ww_split_method method) {
    ww_split_options o = WW_SPLIT_OPTIONS;
    o.method = method;
    return ww_split_if(device, &odd_ww, MAPPED, OUT, ONE, &o);
}
static ww_status pack_with(ww_device *device, ww_pack_method method) {
    ww_pack_options o = WW_PACK_OPTIONS;
    o.method = method;
    return ww_pack(device, X, FLAGS, OUT, ONE, &o);
}

static const ww_random some_numbers = {1, 2, 3};

/* Each an expression of `device`. */
#define CALLS(C) \
    C(fill, ww_fill(device, OUT, ww_value(uint32_t, 7))) \
    C(copy, ww_copy(device, X, OUT)) \
    C(map, ww_map(device, &half_ww, MAPPED, OUT)) \
    C(reduce, ww_reduce(device, &ww_add, MAPPED, ww_array(d->out, 1))) \
    C(reduce_by_key, ww_reduce_by_key(device, &ww_add, MAPPED, X, OUT, OUT2, ONE)) \
    C(reduce_segments, \
      ww_reduce_segments(device, &ww_add, MAPPED, ww_memory(d->offsets, SEGMENTS + 1), ww_array(d->out, SEGMENTS))) \
    C(arg_max, ww_arg_max(device, NULL, MAPPED, ww_array(d->out, 1), ONE)) \
    C(scan, ww_scan(device, &ww_add, MAPPED, OUT, NULL)) \
    C(scan_segmented, scan_by(device, WW_SCAN_AUTO)) \
    C(scan_hillis_steele, scan_by(device, WW_SCAN_HILLIS_STEELE)) \
    C(scan_blelloch, scan_by(device, WW_SCAN_BLELLOCH)) \
    C(enumerate, ww_enumerate(device, FLAGS, OUT, ONE)) \
    C(adjacent_difference, ww_adjacent_difference(device, MAPPED, OUT)) \
    C(pack, pack_with(device, WW_PACK_AUTO)) \
    C(pack_enumerate, pack_with(device, WW_PACK_ENUMERATE)) \
    C(split, split_with(device, WW_SPLIT_AUTO)) \
    C(split_reversed, split_with(device, WW_SPLIT_REVERSED)) \
    C(split_scans, split_with(device, WW_SPLIT_SCANS)) \
    C(gather, ww_gather(device, X, ww_mapped(&half_ww, ww_memory(d->index, N)), OUT)) \
    C(scatter, ww_scatter(device, MAPPED, ww_memory(d->index, N), OUT, NULL)) \
    C(expand, ww_expand(device, X, ww_memory(d->flags, N), OUT, OUT2, ww_none, ONE)) \
    C(spmm, ww_spmm(device, MAPPED, ww_mapped(&half_ww, ww_memory(d->index, N)), ww_memory(d->offsets, SEGMENTS + 1), \
                    ww_memory(d->x, N), 1, ww_array(d->out, SEGMENTS), NULL)) \
    C(random_fill, ww_random_fill(device, some_numbers, OUT)) \
    C(shuffle, ww_shuffle(device, some_numbers, MAPPED, OUT)) \
    C(shuffle_in_place, ww_shuffle(device, some_numbers, ww_from(OUT), OUT)) \
    C(shuffle_records, ww_shuffle(device, some_numbers, ww_record_memory(d->x, N / 3, 12), ww_records(d->out, N / 3, 12))) \
    C(permutation, ww_permutation(device, some_numbers, OUT)) \
    C(sample, ww_sample(device, some_numbers, X, ww_array(d->out, N / 2), WW_SAMPLE_SHUFFLED)) \
    C(sample_small, ww_sample(device, some_numbers, X, ww_array(d->out, N / 20), WW_SAMPLE_SORTED)) \
    C(histogram, ww_histogram(device, &bin_ww, MAPPED, ww_array(d->counts, BINS), ww_none, NULL)) \
    C(histogram_edges, \
      ww_histogram_edges(device, MAPPED, ww_memory(d->edges, BINS + 1), ww_array(d->counts, BINS), TWO, NULL)) \
    C(merge, ww_merge(device, NULL, SORTED(N / 2), ww_mapped(&half_ww, SORTED(N / 2)), ww_memory(d->x, N / 2), \
                      ww_memory(d->y, N / 2), OUT, OUT2)) \
    C(set_union, ww_set_union(device, NULL, SORTED(N / 2), ww_mapped(&half_ww, SORTED(N / 2)), OUT, ONE)) \
    C(lower_bound, ww_lower_bound(device, NULL, ww_mapped(&half_ww, SORTED(N)), MAPPED, OUT)) \
    C(run_lengths, ww_run_lengths(device, MAPPED, OUT, OUT2, ONE)) \
    C(unique, ww_unique(device, MAPPED, OUT, ONE)) \
    C(sort, ww_sort(device, MAPPED, ww_no_input, OUT, ww_none, NULL)) \
    C(sort_small, sort_with(device, WW_SORT_AUTO, 1000)) \
    C(sort_pairs, sort_with(device, WW_SORT_AUTO, N)) \
    C(sort_multisplit, sort_with(device, WW_SORT_MULTISPLIT, N)) \
    C(sort_quick, sort_with(device, WW_SORT_QUICK, N)) \
    C(sort_bitonic, sort_with(device, WW_SORT_BITONIC, N)) \
    C(sort_merge, merge_sort_with(device, WW_SORT_MERGE)) \
    C(sort_merge_search, merge_sort_with(device, WW_SORT_MERGE_SEARCH)) \
    C(sort_large, ww_sort_large(device, X, ww_no_input, OUT, ww_none, NULL)) \
    C(sort_index, ww_sort_index(device, MAPPED, OUT, NULL)) \
    C(sort_records, ww_sort_records(device, 1, 2, MAPPED, OUT, NULL)) \
    C(sort_records_long, \
      ww_sort_records(device, 3, 20, ww_record_memory(d->x, N / 10, 40), ww_records(d->out, N / 10, 40), NULL)) \
    C(sort_segments, ww_sort_segments(device, X, Y, ww_memory(d->offsets, SEGMENTS + 1), OUT, OUT2, NULL)) \
    C(top_k, ww_top_k(device, MAPPED, X, ww_array(d->out, N / 50), ww_array(d->out2, N / 50), NULL)) \
    C(top_half, ww_top_k(device, X, Y, ww_array(d->out, N / 2), ww_array(d->out2, N / 2), NULL)) \
    C(nth, ww_nth(device, N / 2, MAPPED, ww_array(d->out, 1), NULL)) \
    C(multisplit, multisplit_with(device, WW_MULTISPLIT_AUTO)) \
    C(multisplit_block, multisplit_with(device, WW_MULTISPLIT_BLOCK)) \
    C(multisplit_reduced_bit, multisplit_with(device, WW_MULTISPLIT_REDUCED_BIT)) \
    C(multisplit_recursive, multisplit_with(device, WW_MULTISPLIT_RECURSIVE)) \
    C(multisplit_onepass, multisplit_with(device, WW_MULTISPLIT_ONEPASS)) \
    C(multisplit_two, ww_multisplit(device, &odd_ww, 2, MAPPED, X, OUT, OUT2, ww_array(d->wide, 3), NULL)) \
    C(multisplit_edges, \
      ww_multisplit_edges(device, MAPPED, X, ww_memory(d->edges, BINS + 1), OUT, OUT2, ww_none, NULL)) \
    C(multisplit_several, ww_multisplit_several(device, 2, ww_mapped(&two_sets_ww, X), \
                                                ww_array((uint32_t *)(void *)d->wide, 2 * N), ww_none, ONE)) \
    C(split8, ww_split8(device, 9, MAPPED, OUT, ww_none)) \
    C(split_bits, ww_split_bits(device, 3, 11, MAPPED, OUT, ww_none)) \
    C(split_scatter_index, ww_split_scatter_index(device, 3, 11, MAPPED, OUT, ww_none)) \
    C(find, find_with(device, WW_FIND_AUTO, 3)) \
    C(find_long, find_with(device, WW_FIND_AUTO, 200)) \
    C(find_cooperative, find_with(device, WW_FIND_COOPERATIVE, 3)) \
    C(find_recurrence, find_with(device, WW_FIND_RECURRENCE, 3)) \
    C(find_hybrid, find_with(device, WW_FIND_HYBRID, 3)) \
    C(find_twostage, find_with(device, WW_FIND_TWOSTAGE, 200)) \
    C(find_first, ww_find_first(device, TEXT, "\1\1\0", 3, ONE, NULL)) \
    C(find_texts, ww_find_texts(device, TEXT, ww_memory(d->offsets, SEGMENTS + 1), "\1\1", 2, OUT, \
                                ww_array(d->out2, SEGMENTS), ONE, NULL)) \
    C(find_near, ww_find_near(device, TEXT, "\1\1\0\1\1", 5, 2, OUT, OUT2, ONE, NULL))

#define FUNCTION(name, call) \
    static ww_status name##_call(ww_device *device) { return call; }
CALLS(FUNCTION)

static const struct {
    const char *name;
    ww_status (*make)(ww_device *device);
} calls[] = {
#define LISTED(name, call) {#name, name##_call},
    CALLS(LISTED)};

static size_t ask(ww_device *device, ww_status (*make)(ww_device *device)) {
    size_t bytes = 1;
    expect_status(device, ww_scratch_ask(device), WW_OK);
    expect_status(device, make(device), WW_OK);
    expect_status(device, ww_scratch_asked(device, &bytes), WW_OK);
    return bytes;
}

static ww_device_info info_of(ww_device *device) {
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    return info;
}

/* On a GPU the arrays are the host's, and are staged. Kernels that other tests compile need not be compiled here. */
static void untouched(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            CASE("scratch asked", "%s %s", setting_name(s), calls[c].name);
            if (!case_wanted()) continue;
            expect_status(device, ww_scratch_trim(device), WW_OK);
            close_memory();
            const size_t bytes = ask(device, calls[c].make);
            const uint64_t compiled = info_of(device).programs_compiled;
            expect(info_of(device).scratch_held == 0 && info_of(device).scratch_peak == 0 && compiled == 0);
            open_memory();
            if (on_gpu()) continue;
            expect_status(device, ww_scratch_reserve(device, bytes), WW_OK);
            const size_t held = info_of(device).scratch_held;
            expect_status(device, ww_scratch_limit(device, held ? held : 1), WW_OK);
            expect_status(device, calls[c].make(device), WW_OK);
            expect(info_of(device).scratch_held == held && info_of(device).scratch_peak <= bytes);
            expect_status(device, ww_scratch_limit(device, 0), WW_OK);
        }
        ww_close(device);
    }
}

/* ---- dictionaries and streams stay as they are ---- */

static ww_slab *slab;
static ww_lsm *lsm;
static ww_patterns *patterns;
static ww_find_stream *stream;

static ww_status many(ww_device *device) {
    (void)device;
    return ww_find_many(patterns, FLAGS, ww_array(d->wide, N), ww_none, ONE);
}
static ww_status piece(ww_device *device) {
    (void)device;
    return ww_find_stream_next(stream, FLAGS, ww_array(d->wide, N), ww_none, ONE);
}
#define OF(name, call) \
    static ww_status name(ww_device *device) { \
        (void)device; \
        return call; \
    }
OF(slab_replace, ww_slab_replace(slab, MAPPED, X, ww_none))
OF(slab_delete, ww_slab_delete(slab, MAPPED, ww_none))
OF(slab_search, ww_slab_search(slab, MAPPED, OUT, ww_array(d->found, N)))
OF(slab_pairs, ww_slab_pairs(slab, OUT, OUT2, ONE))
OF(lsm_insert, ww_lsm_insert(lsm, MAPPED, MAPPED))
OF(lsm_delete, ww_lsm_delete(lsm, MAPPED))
OF(lsm_update, ww_lsm_update(lsm, MAPPED, X, ww_mapped(&odd_ww, X)))
OF(lsm_build, ww_lsm_build(lsm, MAPPED, X))
OF(lsm_cleanup, ww_lsm_cleanup(lsm))
OF(lsm_lookup, ww_lsm_lookup(lsm, MAPPED, OUT, ww_array(d->found, N)))
OF(lsm_count, ww_lsm_count(lsm, MAPPED, MAPPED, OUT))
OF(lsm_range, ww_lsm_range(lsm, MAPPED, MAPPED, ww_array(d->wide, N + 1), OUT, OUT2))
OF(lsm_successor, ww_lsm_successor(lsm, MAPPED, true, OUT, OUT2, ww_none))
OF(lsm_entries, ww_lsm_entries(lsm, OUT, OUT2, ONE))

static const struct {
    const char *name;
    ww_status (*make)(ww_device *device);
} of_objects[] = {{"find_many", many},          {"find_stream_next", piece},      {"slab_search", slab_search},
                  {"slab_pairs", slab_pairs},   {"slab_replace", slab_replace},   {"slab_delete", slab_delete},
                  {"lsm_lookup", lsm_lookup},   {"lsm_count", lsm_count},         {"lsm_range", lsm_range},
                  {"lsm_entries", lsm_entries}, {"lsm_successor", lsm_successor}, {"lsm_insert", lsm_insert},
                  {"lsm_delete", lsm_delete},   {"lsm_update", lsm_update},       {"lsm_cleanup", lsm_cleanup},
                  {"lsm_build", lsm_build}};

static void open_objects(ww_device *device) {
    static const uint64_t offsets[] = {0, 3, 5};
    ww_lsm_options options = WW_LSM_OPTIONS;
    options.batch = 1;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, NULL), WW_OK);
    expect_status(device, ww_slab_insert(slab, ww_memory(d->x, 1000), ww_memory(d->y, 1000), ww_none), WW_OK);
    expect_status(device, ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, &options), WW_OK);
    expect_status(device, ww_lsm_insert(lsm, ww_memory(d->x, 4000), ww_memory(d->y, 4000)), WW_OK);
    expect_status(device, ww_lsm_delete(lsm, ww_memory(d->x, 1000)), WW_OK);
    expect_status(device, ww_lsm_insert(lsm, ww_memory(d->x, 300), ww_memory(d->y, 300)), WW_OK);
    expect_status(device, ww_patterns_open(device, "\1\0\0\0\1", offsets, 2, &patterns, NULL), WW_OK);
    expect_status(device, ww_find_stream_open(patterns, &stream), WW_OK);
}

static void close_objects(void) {
    ww_find_stream_close(stream);
    ww_patterns_close(patterns);
    ww_slab_close(slab);
    ww_lsm_close(lsm);
}

static void objects(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    open_memory();
    open_objects(device);
    ww_lsm_info before = WW_LSM_INFO, after = WW_LSM_INFO;
    ww_slab_info slab_before = WW_SLAB_INFO, slab_after = WW_SLAB_INFO;
    expect_status(device, ww_lsm_info_get(lsm, &before), WW_OK);
    expect_status(device, ww_slab_info_get(slab, &slab_before), WW_OK);
    for (size_t c = 0; c < sizeof of_objects / sizeof *of_objects; c++) {
        CASE("scratch asked", "%s %s", setting_name(0), of_objects[c].name);
        if (!case_wanted()) continue;
        close_memory();
        (void)ask(device, of_objects[c].make);
        open_memory();
        expect_status(device, ww_lsm_info_get(lsm, &after), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &slab_after), WW_OK);
        expect(!memcmp(&before, &after, sizeof before) && !memcmp(&slab_before, &slab_after, sizeof slab_before));
    }
    for (size_t c = 0; !on_gpu() && c < sizeof of_objects / sizeof *of_objects; c++) {
        CASE("scratch asked and taken", "%s %s", setting_name(0), of_objects[c].name);
        if (!case_wanted()) continue;
        const size_t bytes = ask(device, of_objects[c].make);
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device, of_objects[c].make(device), WW_OK);
        expect(info_of(device).scratch_peak <= bytes);
    }
    expect_status(device, ww_lsm_check(lsm), WW_OK);
    close_objects();
    ww_close(device);
}

enum { HUGE_LOG = 36 };
static const uint64_t huge = (uint64_t)1 << HUGE_LOG;
static uint32_t *huge_array(int k) { return (uint32_t *)(void *)((uintptr_t)(k + 1) << (HUGE_LOG + 3)); }

static ww_status sort_huge(ww_device *device) {
    return ww_sort(device, ww_memory(huge_array(0), huge), ww_no_input, ww_array(huge_array(1), huge), ww_none, NULL);
}
/* ---- what is refused, and what is said of sizes that no memory has ---- */

static void asking(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    size_t bytes = 1, larger;
    open_memory();
    expect_status(device, ww_scratch_asked(device, &bytes), WW_INVALID);
    expect(bytes == 0);
    expect_status(device, ww_scratch_ask(device), WW_OK);
    expect_status(device, ww_scratch_asked(device, NULL), WW_INVALID);
    /* Arguments are checked. */
    expect_status(device, ww_sort(device, X, ww_no_input, ww_array(d->out, N - 1), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_scan(device, &ww_add, X, ww_array(d->x + 1, N), NULL), WW_OVERLAP);
    expect_status(device, ww_reduce(device, &ww_add, X, ww_array(d->wide, 1)), WW_TYPE);
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &slab, NULL), WW_UNSUPPORTED);
    expect_status(device, ww_file_write(device, "nowhere", X), WW_UNSUPPORTED);
    void *block;
    expect_status(device, ww_alloc(device, 100, &block), WW_OK);
    expect_status(device, ww_free(device, block), WW_OK);
    expect_status(device, sort_huge(device), WW_OK);
    /* A second begin forgets that; and of several calls it is the one that takes the most. */
    expect_status(device, ww_scratch_ask(device), WW_OK);
    expect_status(device, sort_small_call(device), WW_OK);
    expect_status(device, sort_pairs_call(device), WW_OK);
    expect_status(device, sort_small_call(device), WW_OK);
    expect_status(device, ww_scratch_asked(device, &bytes), WW_OK);
    expect(bytes == ask(device, sort_pairs_call) && bytes > ask(device, sort_small_call));
    /* A limit does not count before the call, and does then. */
    expect_status(device, ww_scratch_limit(device, 4096), WW_OK);
    larger = ask(device, sort_pairs_call);
    expect(larger == bytes);
    expect_status(device, sort_pairs_call(device), WW_LIMIT);
    expect_status(device, ww_scratch_limit(device, 0), WW_OK);
    expect_status(device, ww_fill(device, OUT, ww_value(uint32_t, 7)), WW_OK); /* in earnest again */
    expect(d->out[0] == 7 && d->out[N - 1] == 7);
    ww_close(device);
}

static ww_status sort_far_too_many(ww_device *device) {
    const uint64_t many = (uint64_t)1 << 60;
    uint32_t *const keys = (uint32_t *)(uintptr_t)64, *const behind = (uint32_t *)(((uintptr_t)1 << 62) + 64);
    return ww_sort(device, ww_memory(keys, many), ww_no_input, ww_array(behind, many), ww_none, NULL);
}

static void sizes(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    const size_t bytes = ask(device, sort_huge), threads = info_of(device).threads;
    const size_t copies = on_gpu() ? 3 : 1, counters = on_emulator() ? 16 : on_gpu() ? 4 : 0;
    CASE("scratch asked", "%s 2^36 keys: %zu", setting_name(0), bytes);
    /* As ww_sort's declaration says; on a GPU with copies of both arrays. */
    expect(bytes >= copies * 4 * huge && bytes <= (copies * 4 + counters) * huge + (1 << 21) + threads * (640 << 10));
    expect_status(device, ww_scratch_ask(device), WW_OK);
    expect_status(device, sort_far_too_many(device), WW_MEMORY);
    ww_close(device);
}

int main(void) {
    d = mmap(NULL, sizeof *d, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (d == MAP_FAILED) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(untouched), cmocka_unit_test(objects), cmocka_unit_test(asking),
                                       cmocka_unit_test(sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
