/* Every public entry point with an allocator that fails at its first request, then at its second, and so on until the call
 * succeeds: each failure is WW_MEMORY with a sentence, and when the handle is closed nothing is left. A function of the shared
 * library that no entry here calls fails the test. */
#include <stdio.h>
#include <unistd.h>

#include "device/device.h"
#include "support/cases.h"
#include "support/located.h"

/* Large enough that several threads and every scratch table are used. */
enum { N = 150000, BINS = 5000, TILED = 64 * 2000 };

static struct {
    uint32_t x[N], y[N], out[N], out2[N], index[N], sorted[N];
    uint64_t wide[N + 1], one, two;
    uint8_t flags[N], flags_out[N];
    uint32_t edges[BINS + 1], counts[BINS];
    uint32_t offsets[101], ends[2];
    char npy[64], raw[64], db[64];
    bool db_made;
} d;

WW_MAP(half, uint32_t, uint32_t, x, void, none, { return x / 2; });
WW_MAP2(same_half, uint8_t, uint32_t, a, uint32_t, b, void, none, { return a / 2 == b / 2; });
WW_MAP(odd, uint8_t, uint32_t, x, void, none, { return x & 1; });
WW_MAP(bin, uint32_t, uint32_t, x, void, none, { return x % BINS; });
WW_MAP2(plus2, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a + b; });
WW_STRUCT(touching, { uint32_t *out; });
WW_KERNEL(touch, touching, t, rank, { t->out[rank] = 1; });

WW_MAP(low_six, uint32_t, uint64_t, x, void, none, { return (uint32_t)x & 63; });

#define X ww_memory(d.x, N)
#define PLACES ww_mapped(&low_six_ww, ww_counting(&ww_type_uint64_t, 0, TILED))
/* A mapped input has to be computed into buffers. */
#define MAPPED ww_mapped(&half_ww, X)
#define OUT ww_array(d.out, N)
#define OUT2 ww_array(d.out2, N)
#define ONE ww_array(&d.one, 1)
#define TWO ww_array(&d.two, 1)
#define FLAGS ww_memory(d.flags, N)

static ww_status scan_by(ww_device *device, ww_scan_method method, bool exclusive) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = method;
    o.exclusive = exclusive;
    return ww_scan(device, &ww_add, MAPPED, OUT, &o);
}

static ww_status segmented_by(ww_device *device, ww_scan_method method) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = method;
    return ww_scan_segmented(device, &ww_add, MAPPED, FLAGS, OUT, &o);
}

static ww_status split_by(ww_device *device, ww_split_method method, bool by_predicate) {
    ww_split_options o = WW_SPLIT_OPTIONS;
    o.method = method;
    return by_predicate ? ww_split_if(device, &odd_ww, MAPPED, OUT, ONE, &o) : ww_split(device, X, FLAGS, OUT, ONE, &o);
}

static ww_status sort_by(ww_device *device, ww_sort_method method, uint64_t n) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    return ww_sort(device, ww_mapped(&half_ww, ww_memory(d.x, n)), ww_memory(d.y, n), ww_array(d.out, n),
                   ww_array(d.out2, n), &o);
}

WW_LESS(by_last_digit, uint32_t, a, b, { return a % 10 < b % 10; });
static ww_status sort_by_last_digit(ww_device *device) { /* with values that are not moved with them */
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = WW_SORT_QUICK;
    return ww_sort_by(device, &by_last_digit_ww, ww_memory(d.x, N / 3), ww_record_memory(d.y, N / 3, 12),
                      ww_array(d.out, N / 3), ww_records(d.out2, N / 3, 12), &o);
}

static ww_status pack_by(ww_device *device, ww_pack_method method, bool by_predicate) {
    ww_pack_options o = WW_PACK_OPTIONS;
    o.method = method;
    return by_predicate ? ww_pack_if(device, &odd_ww, MAPPED, OUT, ONE, &o) : ww_pack(device, X, FLAGS, OUT, ONE, &o);
}

static ww_status multisplit_by(ww_device *device, ww_multisplit_method method, uint64_t buckets) {
    ww_multisplit_options o = WW_MULTISPLIT_OPTIONS;
    o.method = method;
    return ww_multisplit(device, &bin_ww, buckets, MAPPED, X, OUT, OUT2, ww_none, &o);
}

static ww_status read_back(ww_device *device, const char *path, ww_array what) {
    ww_file_array file;
    const ww_status status = ww_file_read(device, path, what, &file);
    if (!status) ww_file_release(device, &file);
    return status;
}

static ww_status allocate(ww_device *device, ww_status (*how)(ww_device *device, uint64_t bytes, void **block)) {
    void *block;
    const ww_status status = how(device, 1 << 20, &block);
    return status ? status : ww_free(device, block);
}

static ww_status inform(ww_device *device) {
    ww_device_info info = WW_DEVICE_INFO;
    return ww_device_info_get(device, &info);
}

/* Takes nothing itself, and neither does what is asked for. */
static ww_status ask(ww_device *device) {
    size_t bytes;
    ww_status status = ww_scratch_ask(device);
    if (!status) status = ww_sort(device, X, ww_no_input, OUT, ww_none, NULL);
    return status ? status : ww_scratch_asked(device, &bytes);
}

/* Reads a file to its end, in pieces. */
static ww_status read_pieces(ww_device *device) {
    ww_file_reader *reader;
    ww_array piece = {.count = 1};
    ww_status status = ww_file_open(device, d.raw, ww_array((uint32_t *)NULL, 0), &reader, NULL);
    while (!status && piece.count) status = ww_file_next(device, reader, &piece);
    ww_file_close(device, reader);
    return status;
}

static ww_status write_two(ww_device *device) {
    const ww_file_output outputs[] = {{d.npy, ww_memory(d.x, N)}, {d.raw, ww_memory(d.x, N)}};
    return ww_file_write_all(device, outputs, 2, NULL);
}

/* ---- text ---- */

/* Bytes 0 and 1, computed. */
#define TEXT ww_mapped(&odd_ww, X)
static const unsigned char pattern[200] = {0, 1, 1};

static ww_status find_by(ww_device *device, ww_find_method method, uint64_t length) {
    ww_find_options o = WW_FIND_OPTIONS;
    o.method = method;
    return ww_find(device, TEXT, pattern, length, OUT, ONE, &o);
}

WW_MAP(two_sets, uint64_t, uint32_t, x, void, none, { return 1 + x % 3; });

WW_LESS(by_low_byte, uint32_t, a, b, { return (uint8_t)a < (uint8_t)b; });

static ww_status merge_sort_by(ww_device *device, ww_sort_method method, ww_input values, ww_array values_out) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    o.descending = method == WW_SORT_MERGE_SEARCH;
    return ww_sort_by(device, &by_low_byte_ww, MAPPED, values, OUT, values_out, &o);
}

static const uint32_t low = 0, high = BINS;

static ww_status columns_sorted(ww_device *device, size_t many) {
    const ww_sort_column by = {MAPPED, ww_none, false, {0}}, columns[] = {by, by, by, by, by};
    const ww_carried_column carried = {X, OUT};
    return ww_sort_columns(device, columns, many, &carried, 1, OUT2);
}

static ww_status histogram_by_warps(ww_device *device) {
    ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
    o.method = WW_HISTOGRAM_WARP;
    return ww_histogram_even(device, MAPPED, ww_value(uint32_t, low), ww_value(uint32_t, high), ww_array(d.counts, 256),
                             TWO, &o);
}

/* 100 patterns of 20 bytes; at once, or in a stream of two pieces. */
static ww_status search_many(ww_device *device, ww_patterns *patterns) {
    (void)device;
    return ww_find_many(patterns, ww_mapped(&odd_ww, X), OUT, OUT2, ONE);
}
static ww_status search_pieces(ww_device *device, ww_patterns *patterns) {
    ww_find_stream *stream;
    ww_status status = ww_find_stream_open(patterns, &stream);
    (void)device;
    for (int k = 0; k < 2 && !status; k++)
        status = ww_find_stream_next(stream, ww_memory((const uint8_t *)d.flags, N), ww_array(d.wide, N), ww_none, ONE);
    ww_find_stream_close(stream);
    return status;
}
static ww_status with_patterns(ww_device *device, ww_status (*search)(ww_device *device, ww_patterns *patterns)) {
    enum { LENGTH = 20 };
    uint64_t offsets[101];
    ww_patterns *patterns;
    for (uint64_t k = 0; k < 101; k++) offsets[k] = k * LENGTH;
    ww_status status = ww_patterns_open(device, d.y, offsets, 100, &patterns, NULL);
    if (!status) status = search(device, patterns);
    ww_patterns_close(patterns);
    return status;
}

/* ---- dictionaries ---- */

/* A dictionary that has to grow, some keys in it, and then a call. */
static ww_status with_slab(ww_device *device, ww_status (*use)(ww_slab *slab)) {
    ww_slab_options o = WW_SLAB_OPTIONS;
    ww_slab *slab;
    o.buckets = 100;
    ww_status status = ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o);
    if (!status && use) status = ww_slab_replace(slab, ww_memory(d.x, 5000), ww_memory(d.y, 5000), ww_none);
    if (!status && use) status = use(slab);
    ww_slab_close(slab);
    return status;
}
WW_MAP(nothing, uint64_t, uint64_t, x, void, none, { return x & 0; });
static ww_status slab_insert(ww_slab *slab) { return ww_slab_insert(slab, MAPPED, MAPPED, ww_none); }
static ww_status slab_replace(ww_slab *slab) { return ww_slab_replace(slab, MAPPED, X, ww_array(d.flags, N)); }
static ww_status slab_combine(ww_slab *slab) { return ww_slab_combine(slab, &ww_max, MAPPED, X, ww_none); }
static ww_status slab_delete(ww_slab *slab) { return ww_slab_delete(slab, MAPPED, ww_none); }
static ww_status slab_delete_all(ww_slab *slab) { return ww_slab_delete_all(slab, MAPPED, ww_none); }
static ww_status slab_search(ww_slab *slab) { return ww_slab_search(slab, MAPPED, OUT, ww_none); }
static ww_status slab_count(ww_slab *slab) { return ww_slab_count(slab, MAPPED, OUT); }
static ww_status slab_search_all(ww_slab *slab) {
    const ww_status status = ww_slab_delete_all(slab, X, ww_none);
    const ww_input offsets = ww_mapped(&nothing_ww, ww_counting(&ww_type_uint64_t, 0, N + 1));
    return status ? status : ww_slab_search_all(slab, X, offsets, OUT2);
}
static ww_status slab_mixed(ww_slab *slab) {
    return ww_slab_mixed(slab, ww_mapped(&odd_ww, X), MAPPED, MAPPED, OUT, ww_none);
}
static ww_status slab_pairs(ww_slab *slab) { return ww_slab_pairs(slab, OUT, OUT2, ONE); }
static ww_status slab_view_get(ww_slab *slab) {
    ww_slab_view view;
    return ww_slab_view_get(slab, &ww_type_uint32_t, &ww_type_uint32_t, 20 * N, &view);
}
static ww_status slab_info_get(ww_slab *slab) {
    ww_slab_info info = WW_SLAB_INFO;
    return ww_slab_info_get(slab, &info);
}

/* ---- memory in banks, which the CPU alone has ---- */

static uint32_t banked_labels[1024], banked_places[1024];
static ww_status with_places(ww_device *device, ww_status (*use)(ww_device *device)) {
    for (uint32_t k = 0; k < 1024; k++) {
        banked_labels[k] = k % 64;
        banked_places[k] = 1023 - k;
    }
    const ww_status status = use(device);
    return status == WW_UNSUPPORTED && device->backend == WW__BACKEND_GPU ? WW_OK : status;
}
static ww_status banked_sort(ww_device *device) {
    return ww_banked_sort(device, ww_array(banked_labels, 1024), 64, NULL, NULL);
}
static ww_status banked_network(ww_device *device) {
    ww_banked_options o = WW_BANKED_OPTIONS;
    o.method = WW_BANKED_BITONIC;
    return ww_banked_sort(device, ww_array(banked_labels, 1024), 64, &o, NULL);
}
static ww_status banked_partition(ww_device *device) {
    return ww_banked_partition(device, ww_array(banked_labels, 1024), ww_array(d.out, 1024), 64, NULL, NULL);
}
static ww_status banked_permute(ww_device *device) {
    return ww_banked_permute(device, ww_array(banked_places, 1024), ww_array(d.out, 1024), 64, NULL, NULL);
}
static ww_status banked_offline(ww_device *device) {
    ww_banked_options o = WW_BANKED_OPTIONS;
    o.method = WW_BANKED_OFFLINE;
    return ww_banked_permute(device, ww_array(banked_places, 1024), ww_array(d.out, 1024), 64, &o, NULL);
}
static ww_status banked_convert(ww_device *device) {
    return ww_banked_convert(device, ww_array(d.out, 1024), 64, true, NULL);
}

static ww_status open_lsm(ww_device *device) {
    ww_lsm *lsm;
    const ww_status status = ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, NULL);
    ww_lsm_close(lsm);
    return status;
}

/* One call of a dictionary with three levels, some of whose elements hide others. What it had it has when the call fails. */
static ww_status with_lsm(ww_device *device, ww_status (*call)(ww_lsm *lsm)) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_lsm *lsm;
    options.batch = 1;
    ww_status status = ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, &options);
    if (!status) status = ww_lsm_insert(lsm, X, ww_memory(d.y, N));
    if (!status) status = ww_lsm_delete(lsm, ww_memory(d.x, N / 4));
    if (!status) status = ww_lsm_insert(lsm, ww_memory(d.x, N / 16), ww_memory(d.y, N / 16));
    if (!status && (status = call(lsm)) != WW_OK) {
        char sentence[256];
        const char *const called = device->call;
        snprintf(sentence, sizeof sentence, "%s", ww_error(device));
        expect_status(device, ww_lsm_check(lsm), WW_OK);
        snprintf(device->error, sizeof device->error, "%s", sentence);
        device->call = called;
    }
    ww_lsm_close(lsm);
    return status;
}

#define LSM_CALL(name, call) \
    static ww_status name(ww_lsm *lsm) { return call; }
LSM_CALL(lsm_insert, ww_lsm_insert(lsm, MAPPED, MAPPED))
LSM_CALL(lsm_delete, ww_lsm_delete(lsm, MAPPED))
LSM_CALL(lsm_update, ww_lsm_update(lsm, MAPPED, MAPPED, ww_mapped(&odd_ww, X)))
LSM_CALL(lsm_build, ww_lsm_build(lsm, MAPPED, X))
LSM_CALL(lsm_cleanup, ww_lsm_cleanup(lsm))
LSM_CALL(lsm_lookup, ww_lsm_lookup(lsm, MAPPED, OUT, ww_array(d.flags_out, N)))
LSM_CALL(lsm_count, ww_lsm_count(lsm, MAPPED, MAPPED, OUT))
LSM_CALL(lsm_range, ww_lsm_range(lsm, MAPPED, MAPPED, ww_array(d.wide, N + 1), OUT, OUT2))
LSM_CALL(lsm_predecessor, ww_lsm_predecessor(lsm, MAPPED, true, OUT, OUT2, ww_none))
LSM_CALL(lsm_successor, ww_lsm_successor(lsm, MAPPED, true, OUT, OUT2, ww_none))
LSM_CALL(lsm_minimum, ww_lsm_minimum(lsm, ww_array(d.out, 1), ww_none, ww_none))
LSM_CALL(lsm_maximum, ww_lsm_maximum(lsm, ww_array(d.out, 1), ww_none, ww_none))
LSM_CALL(lsm_entries, ww_lsm_entries(lsm, OUT, OUT2, ONE))
LSM_CALL(lsm_size, ww_lsm_size(lsm, &d.one))
LSM_CALL(lsm_check, ww_lsm_check(lsm))
static ww_status lsm_info(ww_lsm *lsm) {
    ww_lsm_info info = WW_LSM_INFO;
    return ww_lsm_info_get(lsm, &info);
}

/* One call of a dictionary in a file, which is there from the first one on and has what it had when a call fails. */
static ww_status make_dict(ww_device *device) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_dict *dict;
    options.batch = 1;
    ww_status status = ww_dict_create(device, d.db, &ww_type_uint32_t, &ww_type_uint32_t, &options);
    if (!status) status = ww_dict_open(device, d.db, NULL, true, &dict);
    if (status) return status;
    status = ww_dict_insert(dict, X, ww_memory(d.y, N));
    if (!status) status = ww_dict_delete(dict, ww_memory(d.x, N / 4));
    ww_dict_close(dict);
    return status;
}

static ww_status create_dict(ww_device *device) {
    unlink(d.db);
    return ww_dict_create(device, d.db, &ww_type_uint32_t, &ww_type_uint32_t, NULL);
}

static ww_status with_dict(ww_device *device, bool writes, ww_status (*call)(ww_dict *dict)) {
    ww_dict *dict;
    if (!d.db_made) {
        ww_device *maker;
        assert_int_equal(ww_open("cpu:threads=1", &maker), WW_OK);
        unlink(d.db);
        expect_status(maker, make_dict(maker), WW_OK);
        ww_close(maker);
        d.db_made = true;
    }
    ww_status status = ww_dict_open(device, d.db, NULL, writes, &dict);
    if (!status && (status = call(dict)) != WW_OK) {
        char sentence[256];
        const char *const called = device->call;
        snprintf(sentence, sizeof sentence, "%s", ww_error(device));
        expect_status(device, ww_dict_check(dict), WW_OK);
        snprintf(device->error, sizeof device->error, "%s", sentence);
        device->call = called;
    }
    ww_dict_close(dict);
    return status;
}

#define DICT_CALL(name, call) \
    static ww_status name(ww_dict *dict) { return call; }
DICT_CALL(dict_insert, ww_dict_insert(dict, MAPPED, MAPPED))
DICT_CALL(dict_delete, ww_dict_delete(dict, MAPPED))
DICT_CALL(dict_update, ww_dict_update(dict, MAPPED, MAPPED, ww_mapped(&odd_ww, X)))
DICT_CALL(dict_lookup, ww_dict_lookup(dict, MAPPED, OUT, ww_array(d.flags_out, N)))
DICT_CALL(dict_lookup_one, ww_dict_lookup(dict, ww_memory(d.x, 1), ww_none, ww_array(d.flags_out, 1)))
DICT_CALL(dict_count, ww_dict_count(dict, MAPPED, MAPPED, OUT))
DICT_CALL(dict_range, ww_dict_range(dict, MAPPED, MAPPED, ww_array(d.wide, N + 1), OUT, OUT2))
DICT_CALL(dict_list, ww_dict_list(dict, 0, OUT, OUT2, &d.one))
static ww_status dict_info(ww_dict *dict) {
    ww_dict_info info = WW_DICT_INFO;
    return ww_dict_info_get(dict, &info);
}
static ww_status save_lsm(ww_lsm *lsm) {
    d.db_made = false;
    return ww_lsm_save(lsm, d.db);
}

static ww_status load_lsm(ww_device *device) {
    ww_lsm *loaded;
    ww_status status = with_lsm(device, save_lsm);
    if (!status) status = ww_lsm_load(device, d.db, NULL, &loaded);
    if (!status) ww_lsm_close(loaded);
    return status;
}

static const ww_random some_numbers = {1, 2, 3};

/* call: an expression of `device` that is a ww_status. */
#define DICT_ENTRIES(E) \
    E(dict_insert, with_dict(device, true, dict_insert)) \
    E(dict_delete, with_dict(device, true, dict_delete)) \
    E(dict_update, with_dict(device, true, dict_update)) \
    E(dict_cleanup, with_dict(device, true, ww_dict_cleanup)) \
    E(dict_lookup, with_dict(device, false, dict_lookup)) \
    E(dict_lookup_one, with_dict(device, false, dict_lookup_one)) \
    E(dict_count, with_dict(device, false, dict_count)) \
    E(dict_range, with_dict(device, false, dict_range)) \
    E(dict_list, with_dict(device, false, dict_list)) \
    E(dict_info, with_dict(device, false, dict_info)) \
    E(dict_check, with_dict(device, false, ww_dict_check)) \
    E(dict_create, create_dict(device))

#define ENTRIES(E) \
    E(alloc, allocate(device, ww_alloc)) \
    E(alloc_host, allocate(device, ww_alloc_host)) \
    E(sync, ww_sync(device)) \
    E(device_info, inform(device)) \
    E(scratch_limit, ww_scratch_limit(device, 0)) \
    E(scratch_trim, ww_scratch_trim(device)) \
    E(scratch_ask, ww_scratch_ask(device)) \
    E(scratch_asked, ask(device)) \
    E(copy, ww_copy(device, ww_memory(d.x, N), OUT)) \
    E(fill, ww_fill(device, OUT, ww_value(uint32_t, low))) \
    E(reserve, ww_scratch_reserve(device, 1 << 20)) \
    E(map, ww_map(device, &half_ww, MAPPED, OUT)) \
    E(map2, ww_map2(device, &plus2_ww, MAPPED, X, OUT)) \
    E(store, ww_store(device, MAPPED, OUT)) \
    E(launch, ww_launch(device, ww_with(touch, &(touching){d.out}), N)) \
    E(launch_counted, \
      ww_launch_counted(device, ww_with(touch, &(touching){d.out}), N, (const uint64_t *)(const void *)d.x)) \
    E(together, ww_together(device, &(uint64_t){0})) \
    E(launch_together, ww_launch_together(device, ww_with(touch, &(touching){d.out}), 1)) \
    E(reduce, ww_reduce(device, &ww_add, MAPPED, ww_array(d.out, 1))) \
    E(reduce_by_key, ww_reduce_by_key(device, &ww_add, MAPPED, X, OUT, OUT2, ONE)) \
    E(reduce_segments, ww_reduce_segments(device, &ww_add, MAPPED, ww_memory(d.offsets, 101), ww_array(d.out, 100))) \
    E(arg_min, ww_arg_min(device, NULL, MAPPED, ww_none, ONE)) \
    E(arg_max, ww_arg_max(device, NULL, MAPPED, ww_none, ONE)) \
    E(arg_min_segments, ww_arg_min_segments(device, NULL, MAPPED, ww_memory(d.offsets, 101), ww_array(d.out, 100))) \
    E(arg_max_segments, \
      ww_arg_max_segments(device, NULL, MAPPED, ww_mapped(&half_ww, ww_memory(d.offsets, 101)), ww_array(d.out, 100))) \
    E(bincount, ww_bincount(device, MAPPED, ww_array(d.out, 64), ONE, \
                            &(const ww_histogram_options){sizeof(ww_histogram_options), 0, 1})) \
    E(reverse, ww_reverse(device, MAPPED, OUT)) \
    E(rotate, ww_rotate(device, -7, MAPPED, OUT)) \
    E(transpose, ww_transpose(device, N / 4, 4, MAPPED, OUT)) \
    E(count_if, ww_count_if(device, &odd_ww, MAPPED, ONE)) \
    E(any, ww_any(device, &odd_ww, MAPPED, ww_array((uint8_t *)(void *)d.out, 1))) \
    E(all, ww_all(device, &odd_ww, MAPPED, ww_array((uint8_t *)(void *)d.out, 1))) \
    E(find_if, ww_find_if(device, &odd_ww, MAPPED, ONE)) \
    E(is_sorted, ww_is_sorted(device, NULL, MAPPED, ww_none, ONE)) \
    E(min_max, ww_min_max(device, NULL, MAPPED, ww_array(d.out, 1), ww_array(d.out2, 1))) \
    E(scan, ww_scan(device, &ww_add, MAPPED, OUT, NULL)) \
    E(scan_lookback, scan_by(device, WW_SCAN_LOOKBACK, true)) \
    E(scan_hillis_steele, scan_by(device, WW_SCAN_HILLIS_STEELE, false)) \
    E(scan_blelloch, scan_by(device, WW_SCAN_BLELLOCH, false)) \
    E(scan_segmented, segmented_by(device, WW_SCAN_AUTO)) \
    E(scan_segmented_hillis_steele, segmented_by(device, WW_SCAN_HILLIS_STEELE)) \
    E(scan_segmented_blelloch, segmented_by(device, WW_SCAN_BLELLOCH)) \
    E(scan_by_key, ww_scan_by_key(device, &ww_add, MAPPED, X, OUT, NULL)) \
    E(enumerate, ww_enumerate(device, FLAGS, OUT, ONE)) \
    E(adjacent_difference, ww_adjacent_difference(device, MAPPED, OUT)) \
    E(pack, pack_by(device, WW_PACK_COMPRESS, false)) \
    E(pack_if, pack_by(device, WW_PACK_AUTO, true)) \
    E(pack_enumerate, pack_by(device, WW_PACK_ENUMERATE, true)) \
    E(split, split_by(device, WW_SPLIT_STABLE, false)) \
    E(split_if, split_by(device, WW_SPLIT_AUTO, true)) \
    E(split_reversed, split_by(device, WW_SPLIT_REVERSED, true)) \
    E(split_scans, split_by(device, WW_SPLIT_SCANS, true)) \
    E(gather, ww_gather(device, ww_memory(d.x, N), ww_memory(d.index, N), OUT)) \
    E(gather_mapped, ww_gather(device, ww_memory(d.x, N), ww_mapped(&half_ww, ww_memory(d.index, N)), OUT)) \
    E(scatter_last, ww_scatter(device, MAPPED, ww_memory(d.index, N), OUT, ww_scatter_by(WW_CONFLICT_LAST))) \
    E(scatter_any, ww_scatter(device, MAPPED, ww_memory(d.index, N), OUT, ww_scatter_by(WW_CONFLICT_ANY))) \
    E(scatter_add, ww_scatter(device, MAPPED, ww_memory(d.index, N), OUT, ww_scatter_by(WW_CONFLICT_ADD))) \
    E(scatter_min, ww_scatter(device, MAPPED, ww_memory(d.index, N), OUT, ww_scatter_by(WW_CONFLICT_MIN))) \
    E(histogram_even, ww_histogram_even(device, MAPPED, ww_value(uint32_t, low), ww_value(uint32_t, high), \
                                        ww_array(d.counts, BINS), TWO, NULL)) \
    E(histogram_warp, histogram_by_warps(device)) \
    E(histogram_edges, \
      ww_histogram_edges(device, MAPPED, ww_memory(d.edges, BINS + 1), ww_array(d.counts, BINS), TWO, NULL)) \
    E(histogram, ww_histogram(device, &bin_ww, MAPPED, ww_array(d.counts, BINS), ww_none, NULL)) \
    E(merge, ww_merge(device, NULL, ww_memory(d.sorted, N / 2), ww_mapped(&half_ww, ww_memory(d.sorted, N / 2)), \
                      ww_memory(d.x, N / 2), ww_memory(d.y, N / 2), OUT, OUT2)) \
    E(set_union, ww_set_union(device, NULL, ww_memory(d.sorted, N / 2), \
                              ww_mapped(&half_ww, ww_memory(d.sorted, N / 2)), OUT, ONE)) \
    E(set_intersection, ww_set_intersection(device, NULL, ww_memory(d.sorted, N), \
                                            ww_mapped(&half_ww, ww_memory(d.sorted, N)), OUT, ONE)) \
    E(set_difference, \
      ww_set_difference(device, NULL, ww_memory(d.sorted, N), ww_mapped(&half_ww, ww_memory(d.sorted, N)), OUT, ONE)) \
    E(lower_bound, ww_lower_bound(device, NULL, ww_mapped(&half_ww, ww_memory(d.sorted, N)), MAPPED, OUT)) \
    E(upper_bound, ww_upper_bound(device, NULL, ww_memory(d.sorted, N), MAPPED, OUT)) \
    E(run_lengths, ww_run_lengths(device, MAPPED, OUT, OUT2, ONE)) \
    E(unique, ww_unique(device, MAPPED, OUT, ONE)) \
    E(run_lengths_by, ww_run_lengths_by(device, &same_half_ww, MAPPED, OUT, OUT2, ONE)) \
    E(unique_by, ww_unique_by(device, &same_half_ww, MAPPED, OUT, ONE)) \
    E(reduce_by_key_by, ww_reduce_by_key_by(device, &same_half_ww, &ww_add, MAPPED, X, OUT, OUT2, ONE)) \
    E(sort, ww_sort(device, MAPPED, ww_no_input, OUT, ww_none, NULL)) \
    E(sort_pairs, ww_sort(device, X, MAPPED, OUT, OUT2, NULL)) \
    E(sort_large, ww_sort_large(device, ww_memory(d.x, N), ww_no_input, OUT, ww_none, NULL)) \
    E(sort_index, ww_sort_index(device, MAPPED, OUT, NULL)) \
    E(sort_columns, columns_sorted(device, 2)) \
    E(sort_columns_in_groups, columns_sorted(device, 5)) \
    E(sort_records, ww_sort_records(device, 1, 2, MAPPED, OUT, NULL)) \
    E(sort_records_long, \
      ww_sort_records(device, 3, 20, ww_record_memory(d.x, N / 10, 40), ww_records(d.out, N / 10, 40), NULL)) \
    E(sort_records_index, ww_sort_records_index(device, 0, 3, X, OUT, NULL)) \
    E(sort_segments, \
      ww_sort_segments(device, MAPPED, X, ww_mapped(&half_ww, ww_memory(d.offsets, 101)), OUT, OUT2, NULL)) \
    E(sort_long_segments, ww_sort_segments(device, X, X, ww_memory(d.ends, 2), OUT, OUT2, NULL)) \
    E(tiles_sort, ww_tiles_sort(device, 64, ww_mapped(&half_ww, ww_memory(d.x, TILED)), ww_memory(d.x, TILED), \
                                ww_array(d.out, TILED), ww_array(d.out2, TILED))) \
    E(tiles_partition, ww_tiles_partition(device, 64, 64, ww_memory(d.x, TILED), PLACES, ww_array(d.out, TILED))) \
    E(tiles_permute, ww_tiles_permute(device, 64, ww_memory(d.x, TILED), PLACES, ww_array(d.out, TILED))) \
    E(tiles_transpose, \
      ww_tiles_transpose(device, 4, 16, ww_mapped(&half_ww, ww_memory(d.x, TILED)), ww_array(d.out, TILED))) \
    E(top_k, ww_top_k(device, MAPPED, X, ww_array(d.out, N / 50), ww_array(d.out2, N / 50), NULL)) \
    E(top_half, ww_top_k(device, X, X, ww_array(d.out, N / 2), ww_array(d.out2, N / 2), NULL)) \
    E(top_k_segments, ww_top_k_segments(device, 3, MAPPED, X, ww_mapped(&half_ww, ww_memory(d.offsets, 101)), \
                                        ww_array(d.out, 300), ww_array(d.out2, 300), NULL)) \
    E(nth_segments, ww_nth_segments(device, 1, MAPPED, ww_memory(d.offsets, 101), ww_array(d.out, 100), NULL)) \
    E(quantiles, ww_quantiles(device, (const double[]){0.5, 0.9}, 2, WW_QUANTILE_LINEAR, MAPPED, \
                              ww_array((double *)(void *)d.wide, 2))) \
    E(histogram_weighted, ww_histogram_weighted(device, &bin_ww, MAPPED, X, ww_array(d.out, BINS))) \
    E(histogram_edges_weighted, \
      ww_histogram_edges_weighted(device, MAPPED, ww_mapped(&half_ww, ww_memory(d.edges, BINS + 1)), X, \
                                  ww_array(d.out, BINS))) \
    E(histogram_2d, ww_histogram_2d(device, MAPPED, X, ww_memory(d.edges, 11), \
                                    ww_mapped(&half_ww, ww_memory(d.edges, 11)), ww_array(d.wide, 100), ww_none)) \
    E(nth, ww_nth(device, N / 2, MAPPED, ww_array(&d.out[0], 1), NULL)) \
    E(merge_sort, merge_sort_by(device, WW_SORT_AUTO, X, OUT2)) \
    E(merge_sort_records, \
      merge_sort_by(device, WW_SORT_MERGE, ww_record_memory(d.wide, N, 3), ww_records(d.wide, N, 3))) \
    E(merge_search_sort, merge_sort_by(device, WW_SORT_MERGE_SEARCH, ww_no_input, ww_none)) \
    E(sort_multisplit, sort_by(device, WW_SORT_MULTISPLIT, N)) \
    E(sort_split1, sort_by(device, WW_SORT_SPLIT1, N)) \
    E(sort_quick, sort_by(device, WW_SORT_QUICK, N)) \
    E(sort_bitonic, sort_by(device, WW_SORT_BITONIC, N)) \
    E(sort_merge_network, sort_by(device, WW_SORT_MERGE_NETWORK, N)) \
    E(sort_oddeven, sort_by(device, WW_SORT_ODDEVEN, N / 9)) \
    E(sort_by_last_digit, sort_by_last_digit(device)) \
    E(multisplit, multisplit_by(device, WW_MULTISPLIT_AUTO, BINS)) \
    E(multisplit_two, ww_multisplit(device, &odd_ww, 2, MAPPED, X, OUT, OUT2, ww_array(d.wide, 3), NULL)) \
    E(multisplit_direct, multisplit_by(device, WW_MULTISPLIT_DIRECT, BINS)) \
    E(multisplit_warp, multisplit_by(device, WW_MULTISPLIT_WARP, BINS)) \
    E(multisplit_block, multisplit_by(device, WW_MULTISPLIT_BLOCK, BINS)) \
    E(multisplit_reduced_bit, multisplit_by(device, WW_MULTISPLIT_REDUCED_BIT, BINS)) \
    E(multisplit_recursive, multisplit_by(device, WW_MULTISPLIT_RECURSIVE, BINS)) \
    E(multisplit_onepass, multisplit_by(device, WW_MULTISPLIT_ONEPASS, BINS)) \
    E(multisplit_edges, ww_multisplit_edges(device, MAPPED, X, ww_mapped(&half_ww, ww_memory(d.edges, BINS + 1)), OUT, \
                                            OUT2, ww_none, NULL)) \
    E(multisplit_several, ww_multisplit_several(device, 2, ww_mapped(&two_sets_ww, X), \
                                                ww_array((uint32_t *)(void *)d.wide, 2 * N), ww_none, ONE)) \
    E(split8, ww_split8(device, 9, MAPPED, OUT, ww_none)) \
    E(split8_unstable, ww_split8_unstable(device, 9, MAPPED, OUT, ww_none)) \
    E(split_bits, ww_split_bits(device, 3, 11, MAPPED, OUT, ww_none)) \
    E(split_gather_index, ww_split_gather_index(device, 3, 11, MAPPED, OUT, ww_none)) \
    E(split_scatter_index, ww_split_scatter_index(device, 3, 11, MAPPED, OUT, ww_none)) \
    E(find, find_by(device, WW_FIND_AUTO, 3)) \
    E(find_long, find_by(device, WW_FIND_AUTO, sizeof pattern)) \
    E(find_serial, find_by(device, WW_FIND_SERIAL, 3)) \
    E(find_cooperative, find_by(device, WW_FIND_COOPERATIVE, 3)) \
    E(find_recurrence, find_by(device, WW_FIND_RECURRENCE, 3)) \
    E(find_divide, find_by(device, WW_FIND_DIVIDE, 3)) \
    E(find_divide32, find_by(device, WW_FIND_DIVIDE32, 3)) \
    E(find_divide64, find_by(device, WW_FIND_DIVIDE64, 3)) \
    E(expand, ww_expand(device, MAPPED, FLAGS, OUT, OUT2, ww_none, ONE)) \
    E(expand_offsets, ww_expand_offsets(device, ww_memory(d.x, 100), ww_mapped(&half_ww, ww_memory(d.offsets, 101)), \
                                        OUT, OUT2, ww_none)) \
    E(spmv, ww_spmv(device, MAPPED, ww_constant(ww_value(uint32_t, 1), N), \
                    ww_mapped(&half_ww, ww_memory(d.offsets, 101)), X, ww_array(d.out, 100), NULL)) \
    E(spmm, ww_spmm(device, X, ww_constant(ww_value(uint32_t, 1), N), ww_memory(d.offsets, 101), X, 2, \
                    ww_array(d.out, 200), NULL)) \
    E(random_fill, ww_random_fill(device, some_numbers, OUT)) \
    E(random_below, ww_random_below(device, some_numbers, 1000, OUT)) \
    E(random_normal, ww_random_normal(device, some_numbers, 0, 1, ww_array((float *)(void *)d.out, N))) \
    E(shuffle, ww_shuffle(device, some_numbers, MAPPED, OUT)) \
    E(shuffle_records, \
      ww_shuffle(device, some_numbers, ww_record_memory(d.x, N / 3, 12), ww_records(d.out, N / 3, 12))) \
    E(permutation, ww_permutation(device, some_numbers, OUT)) \
    E(sample, ww_sample(device, some_numbers, X, ww_array(d.out, N / 2), WW_SAMPLE_SHUFFLED)) \
    E(sample_small, ww_sample(device, some_numbers, X, ww_array(d.out, N / 20), WW_SAMPLE_SORTED)) \
    E(find_hybrid, find_by(device, WW_FIND_HYBRID, 3)) \
    E(find_twostage, find_by(device, WW_FIND_TWOSTAGE, sizeof pattern)) \
    E(find_first, ww_find_first(device, TEXT, pattern, sizeof pattern, ONE, NULL)) \
    E(find_last, ww_find_last(device, TEXT, pattern, sizeof pattern, ONE, NULL)) \
    E(find_texts, ww_find_texts(device, TEXT, ww_mapped(&half_ww, ww_memory(d.offsets, 101)), pattern, 3, OUT, \
                                ww_array(d.out2, 100), ONE, NULL)) \
    E(find_near, ww_find_near(device, TEXT, pattern, 30, 7, OUT, OUT2, ONE, NULL)) \
    E(find_many, with_patterns(device, search_many)) \
    E(find_stream, with_patterns(device, search_pieces)) \
    E(slab_open, with_slab(device, NULL)) \
    E(slab_insert, with_slab(device, slab_insert)) \
    E(slab_replace, with_slab(device, slab_replace)) \
    E(slab_combine, with_slab(device, slab_combine)) \
    E(slab_delete, with_slab(device, slab_delete)) \
    E(slab_delete_all, with_slab(device, slab_delete_all)) \
    E(slab_search, with_slab(device, slab_search)) \
    E(slab_count, with_slab(device, slab_count)) \
    E(slab_search_all, with_slab(device, slab_search_all)) \
    E(slab_mixed, with_slab(device, slab_mixed)) \
    E(slab_pairs, with_slab(device, slab_pairs)) \
    E(slab_flush, with_slab(device, ww_slab_flush)) \
    E(slab_view_get, with_slab(device, slab_view_get)) \
    E(slab_clear, with_slab(device, ww_slab_clear)) \
    E(slab_check, with_slab(device, ww_slab_check)) \
    E(slab_info_get, with_slab(device, slab_info_get)) \
    E(lsm_open, open_lsm(device)) \
    E(lsm_insert, with_lsm(device, lsm_insert)) \
    E(lsm_delete, with_lsm(device, lsm_delete)) \
    E(lsm_update, with_lsm(device, lsm_update)) \
    E(lsm_build, with_lsm(device, lsm_build)) \
    E(lsm_cleanup, with_lsm(device, lsm_cleanup)) \
    E(lsm_lookup, with_lsm(device, lsm_lookup)) \
    E(lsm_count, with_lsm(device, lsm_count)) \
    E(lsm_range, with_lsm(device, lsm_range)) \
    E(lsm_predecessor, with_lsm(device, lsm_predecessor)) \
    E(lsm_successor, with_lsm(device, lsm_successor)) \
    E(lsm_minimum, with_lsm(device, lsm_minimum)) \
    E(lsm_maximum, with_lsm(device, lsm_maximum)) \
    E(lsm_entries, with_lsm(device, lsm_entries)) \
    E(lsm_size, with_lsm(device, lsm_size)) \
    E(lsm_check, with_lsm(device, lsm_check)) \
    E(lsm_info, with_lsm(device, lsm_info)) \
    E(lsm_save, with_lsm(device, save_lsm)) \
    E(lsm_load, load_lsm(device)) \
    DICT_ENTRIES(E) \
    E(banked_sort, with_places(device, banked_sort)) \
    E(banked_network, with_places(device, banked_network)) \
    E(banked_partition, with_places(device, banked_partition)) \
    E(banked_permute, with_places(device, banked_permute)) \
    E(banked_offline, with_places(device, banked_offline)) \
    E(banked_convert, with_places(device, banked_convert)) \
    E(file_write, ww_file_write(device, d.npy, ww_memory(d.x, N))) \
    E(file_write_all, write_two(device)) \
    E(file_write_raw, ww_file_write(device, d.raw, ww_memory(d.x, N))) \
    E(file_read, read_back(device, d.npy, ww_none)) \
    E(file_read_raw, read_back(device, d.raw, ww_array((uint32_t *)NULL, 0))) \
    E(file_next, read_pieces(device)) \
    E(sort_file, ww_sort_file(device, d.raw, ww_array((uint32_t *)NULL, 0), d.raw, NULL, NULL))

#define FUNCTION(name, call) \
    static ww_status run_##name(ww_device *device) { return call; }
ENTRIES(FUNCTION)

static const struct {
    const char *name;
    ww_status (*run)(ww_device *device);
} entries[] = {
#define LISTED(name, call) {#name, run_##name},
    ENTRIES(LISTED)};

/* ---- which functions were called ---- */

/* What no entry calls, and why. */
static const struct {
    const char *name, *why;
} others[] = {
    {"ww_open", "test_device"},
    {"ww_open_with", "test_device"},
    {"ww_close", "only gives back"},
    {"ww_patterns_close", "only gives back"},
    {"ww_lsm_close", "the same"},
    {"ww_dict_close", "the same"},
    {"ww_find_stream_close", "the same"},
    {"ww_file_release", "the same"},
    {"ww_slab_close", "the same"},
    {"ww_nbody_create", "test_nbody"},
    {"ww_nbody_destroy", "only gives back"},
    {"ww_nbody_set", "test_nbody"},
    {"ww_nbody_get", "has none of its own"},
    {"ww_nbody_forces", "test_nbody"},
    {"ww_nbody_step", "test_nbody"},
    {"ww_nbody_totals_get", "test_nbody"},
    {"ww_engines_local", "test_group"},
    {"ww_nccl_id_draw", "NCCL's memory is its own"},
    {"ww_engine_nccl", "NCCL's memory is its own"},
    {"ww_group_open_nccl", "ww_engine_nccl and ww_group_open"},
    {"ww_group_open", "test_group"},
    {"ww_group_close", "only gives back"},
    {"ww_group_error", "has none"},
    {"ww_group_rank", "has none"},
    {"ww_group_ranks", "has none"},
    {"ww_group_device", "has none"},
    {"ww_group_run", "ranks share what is not a handle's"},
    {"ww_group_exchange", "test_group"},
    {"ww_group_reduce", "test_group"},
    {"ww_group_histogram", "test_group"},
    {"ww_group_histogram_even", "is ww_group_histogram"},
    {"ww_group_histogram_edges", "is ww_group_histogram"},
    {"ww_group_scan", "test_group"},
    {"ww_group_split", "test_group"},
    {"ww_group_top_k", "test_group"},
    {"ww_group_find", "test_group"},
    {"ww_group_slab_open", "test_group_dictionary"},
    {"ww_group_slab_close", "only gives back"},
    {"ww_group_slab_own", "has none"},
    {"ww_group_slab_insert", "test_group_dictionary"},
    {"ww_group_slab_replace", "test_group_dictionary"},
    {"ww_group_slab_delete", "test_group_dictionary"},
    {"ww_group_slab_search", "test_group_dictionary"},
    {"ww_group_lsm_open", "test_group_dictionary"},
    {"ww_group_lsm_close", "only gives back"},
    {"ww_group_lsm_own", "has none"},
    {"ww_group_lsm_insert", "test_group_dictionary"},
    {"ww_group_lsm_delete", "test_group_dictionary"},
    {"ww_group_lsm_lookup", "test_group_dictionary"},
    {"ww_group_file_read", "test_group_file"},
    {"ww_group_file_write_all", "test_group_file"},
    {"ww_sort_large_over", "test_sort_large_over"},
    {"ww_group_sort", "test_group"},
    {"ww_group_sort_by", "is ww_group_sort"},
    {"ww_group_sort_index", "is ww_group_sort"},
    {"ww_team_create", "test_team"},
    {"ww_team_destroy", "only gives back"},
    {"ww_team_restart", "test_team"},
    {"ww_team_size", "has none"},
    {"ww_team_add", "test_team"},
    {"ww_team_remove", "only gives back"},
    {"ww_team_array", "has none"},
    {"ww_team_data", "has none"},
    {"ww_team_step", "is ww_launch"},
    {"ww_team_fork", "test_team"},
    {"ww_team_kill", "test_team"},
    {"ww_team_split", "test_team"},
    {"ww_team_multisplit", "test_team"},
    {"ww_team_sort_by", "test_team"},
    {"ww_team_cost", "has none"},
    {"ww_grid_create", "test_grid_collide"},
    {"ww_grid_destroy", "only gives back"},
    {"ww_grid_rebuild", "test_grid_collide"},
    {"ww_grid_info_get", "test_grid_collide"},
    {"ww_grid_view_f32", "has none"},
    {"ww_grid_view_f64", "has none"},
    {"ww_grid_near_counts", "test_grid_collide"},
    {"ww_grid_near_offsets", "test_grid_collide"},
    {"ww_grid_near", "test_grid_collide"},
    {"ww_grid_lists", "test_grid_collide"},
    {"ww_grid_nearest", "test_grid_collide"},
    {"ww_grid_collide", "test_grid_collide"},
    {"ww_radix_tree_create", "test_radix_tree"},
    {"ww_radix_tree_destroy", "only gives back"},
    {"ww_radix_tree_build", "test_radix_tree"},
    {"ww_radix_tree_build_strings", "test_radix_tree"},
    {"ww_radix_tree_count", "has none"},
    {"ww_radix_tree_view", "has none"},
    {"ww_radix_tree_find", "is ww_map"},
    {"ww_radix_tree_match", "is ww_map"},
    {"ww_radix_tree_lower_bound", "is ww_map"},
    {"ww_radix_tree_upper_bound", "is ww_map"},
    {"ww_radix_tree_strings", "test_radix_tree"},
    {"ww_volumes_create", "test_bounding_volumes"},
    {"ww_volumes_destroy", "only gives back"},
    {"ww_volumes_build_codes", "test_bounding_volumes"},
    {"ww_volumes_build_boxes", "test_bounding_volumes"},
    {"ww_volumes_build_points", "test_bounding_volumes"},
    {"ww_volumes_count", "has none"},
    {"ww_volumes_nearest", "is ww_map"},
    {"ww_volumes_meet", "test_bounding_volumes"},
    {"ww_volumes_view_get", "has none"},
    {"ww_repeat", "makes a caller's calls"},
    {"ww_graph_create", "test_graph_rows"},
    {"ww_graph_create_rows", "test_graph_rows"},
    {"ww_graph_destroy", "only gives back"},
    {"ww_graph_info_get", "takes none"},
    {"ww_graph_offsets", "has none"},
    {"ww_graph_targets", "has none"},
    {"ww_graph_weights", "has none"},
    {"ww_sssp", "test_graph_rows"},
    {"ww_bfs", "test_graph_rows"},
    {"ww_components", "test_graph_rows"},
    {"ww_pagerank", "test_graph_rows"},
    {"ww_error", "has no handle's"},
    {"ww_status_name", "has none"},
    {"ww_status_text", "has none"},
    {"ww_version", "has none"},
    {"ww_version_number", "has none"},
    {"ww_type_named", "has none"},
    {"ww_devices", "opens handles"},
    {"ww_from", "builds an input"},
    {"ww_memory_of", "builds an input"},
    {"ww_record_memory", "the same"},
    {"ww_counting", "the same"},
    {"ww_constant", "the same"},
    {"ww_mapped", "the same"},
    {"ww_mapped2", "the same"},
    {"ww_cast", "the same"},
    {"ww_strided", "the same"},
    {"ww_reversed", "the same"},
    {"ww_permuted", "the same"},
    {"ww_zip_of", "the same"},
    {"ww_window", "the same"},
    {"ww_no_input", "the same"},
    {"ww_function_source", "has none"},
    {"ww_file_read_with", "is what ww_file_read calls"},
    {"ww_file_close", "frees a reader"},
    {"ww_barrier", "is for kernels, and has none"},
};

enum { CALLED_MOST = 200 };
static const char *called[CALLED_MOST]; /* names that the library has given to calls that were under way */
static size_t called_many;

static bool is_called(const char *name) {
    for (size_t k = 0; k < called_many; k++)
        if (!strcmp(called[k], name)) return true;
    return false;
}

static void note_call(const ww_device *device) {
    expect(called_many < CALLED_MOST);
    if (!is_called(device->call)) called[called_many++] = device->call;
}

static bool is_other(const char *name) {
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strcmp(others[k].name, name)) return true;
    return false;
}

/* The functions that the shared library shows. */
static void every_function_was_called(void) {
    CASE("out of memory", "every public function");
    if (!case_wanted()) return;
    char command[4200];
    snprintf(command, sizeof command, "'" WARPWISE_NM "' -D --defined-only '%s'", located(WARPWISE_SHARED));
    FILE *names = popen(command, "r");
    char kind, name[128];
    size_t functions = 0, missing = 0;
    expect(names != NULL);
    for (int got; (got = fscanf(names, "%*s %c %127s%*[^\n]", &kind, name)) != EOF;) {
        if (got < 2 || kind != 'T' || strncmp(name, "ww_", 3)) continue;
        functions++;
        name[strcspn(name, "@")] = '\0'; /* and its version */
        if (is_called(name) || is_other(name)) continue;
        fprintf(stderr, "%s has no entry\n", name);
        missing++;
    }
    expect(pclose(names) == 0);
    expect(functions >= called_many && !missing);
}

static void prepare(void) {
    const uint64_t seed = seed_of_run();
    fill(d.x, &ww_type_uint32_t, 4, N, UNIFORM, seed);
    fill(d.y, &ww_type_uint32_t, 4, N, UNIFORM, seed + 1);
    fill(d.sorted, &ww_type_uint32_t, 4, N, SORTED, seed);
    for (uint32_t i = 0; i < N; i++) {
        d.index[i] = d.x[i] % N;
        d.flags[i] = d.y[i] & 1;
    }
    for (uint32_t i = 0; i <= BINS; i++) d.edges[i] = i * 1000;
    for (uint32_t i = 0; i <= 100; i++) d.offsets[i] = i * (N / 100);
    d.ends[1] = N;
    snprintf(d.npy, sizeof d.npy, "test_out_of_memory_%d.npy", (int)getpid());
    snprintf(d.raw, sizeof d.raw, "test_out_of_memory_%d.raw", (int)getpid());
    snprintf(d.db, sizeof d.db, "test_out_of_memory_%d.db", (int)getpid());
}

static ww_device *open_failing(counting_allocator *counter, const char *name) {
    ww_open_options options = WW_OPEN_OPTIONS;
    options.allocator = counting_allocator_use(counter);
    ww_device *device;
    assert_int_equal(ww_open_with(name, &device, &options), WW_OK);
    return device;
}

/* The number of requests until the entry succeeds. */
static size_t fail_until_it_succeeds(size_t e, const char *device_name) {
    for (size_t k = 1;; k++) {
        counting_allocator counter = {.fail_at = SIZE_MAX};
        ww_device *device = open_failing(&counter, device_name);
        counter.fail_at = k;
        CASE("out of memory", "%s on %s, request %zu fails", entries[e].name, device_name, k);
        expect(k < 1000);
        const ww_status status = entries[e].run(device);
        note_call(device);
        const bool reached = counter.requests > k;
        if (status) {
            expect_status(device, status, WW_MEMORY);
            expect_sentence(device, "memory");
            /* The handle is as good as before: after the first failures, and after every other one. */
            counter.fail_at = SIZE_MAX;
            if (k <= 2 || (k + e + day_of_run()) % 2) expect_status(device, entries[e].run(device), WW_OK);
        }
        ww_close(device);
        expect(counter.live_blocks == 0 && counter.live_bytes == 0);
        if (!reached) return k;
    }
}

/* A new handle of a machine with many cores: no piece of scratch memory is there yet, and a call may take so many new ones. */
static void succeed_with_many_threads(size_t e) {
    ww_device *device;
    CASE("out of memory", "%s on cpu:threads=96", entries[e].name);
    expect(ww_open("cpu:threads=96", &device) == WW_OK);
    expect_status(device, entries[e].run(device), WW_OK);
    ww_close(device);
}

static void every_entry_point(void **state) {
    (void)state;
    prepare();
    /* One thread asks for less of the same: each day another third of the entries. Where everything is slow few entries are tried,
     * other ones each day. What is read from files was written before. */
    enum { ENTRIES_IN_ALL = sizeof entries / sizeof *entries, OF_FILES = 7 };
    const size_t step = tests_one_in() > 5 ? 12 : tests_one_in() > 3 ? 5 : 1, today = (size_t)day_of_run();
    for (size_t e = 0; e < ENTRIES_IN_ALL; e++)
        for (int threads = tests_are_short() ? 2 : 1; threads <= 2; threads++) {
            if ((e + today) % step && e + OF_FILES < ENTRIES_IN_ALL) continue;
            if (threads == 2) succeed_with_many_threads(e);
            if (threads == 1 && (e + today) % 3) continue;
            const size_t requests = fail_until_it_succeeds(e, threads == 1 ? "cpu:threads=1" : "cpu:threads=2");
            if (threads == 2) printf("%s: fails cleanly at each of %zu requests\n", entries[e].name, requests - 1);
        }
    unlink(d.npy);
    unlink(d.raw);
    unlink(d.db);
    if (step > 1)
        left_out("whether every public function is here is not asked where only some run");
    else
        every_function_was_called();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_entry_point)};
    return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
