/* Options structs of other versions: shorter ones leave the rest to the defaults, longer ones may set nothing that is not known
 * here, reserved words are zero. And the struct that the library fills, ww_device_info, in the same lengths. */
#include <stdio.h>
#include <unistd.h>

#include "support/cases.h"

enum { N = 100, BEYOND = 16, ROOM = 512 };

/* ---- a call of each function that takes a struct of options ---- */

static uint32_t numbers[N], out[N], counts[8], edges_u32[9];
static uint64_t one;
static uint8_t flags[N];

static ww_status sort_call(ww_device *device, const void *o) {
    return ww_sort(device, ww_memory(numbers, N), ww_no_input, ww_array(out, N), ww_none, o);
}
static ww_status top_call(ww_device *device, const void *o) {
    return ww_top_k(device, ww_memory(numbers, N), ww_no_input, ww_array(out, 5), ww_none, o);
}
static ww_status segments_call(ww_device *device, const void *o) {
    static const uint64_t offsets[] = {0, 40, N};
    return ww_sort_segments(device, ww_memory(numbers, N), ww_no_input, ww_memory(offsets, 3), ww_array(out, N),
                            ww_none, o);
}
static ww_status records_call(ww_device *device, const void *o) {
    return ww_sort_records(device, 0, 4, ww_record_memory(numbers, N, 4), ww_records(out, N, 4), o);
}
static ww_status multisplit_call(ww_device *device, const void *o) {
    static const ww_bits low = {0, 3};
    return ww_multisplit(device, ww_with(ww_by_bits, &low), 8, ww_memory(numbers, N), ww_no_input, ww_array(out, N),
                         ww_none, ww_none, o);
}
static ww_status scan_call(ww_device *device, const void *o) {
    return ww_scan(device, &ww_add, ww_memory(numbers, N), ww_array(out, N), o);
}
static ww_status pack_call(ww_device *device, const void *o) {
    return ww_pack(device, ww_memory(numbers, N), ww_memory(flags, N), ww_array(out, N), ww_array(&one, 1), o);
}
static ww_status split_call(ww_device *device, const void *o) {
    return ww_split(device, ww_memory(numbers, N), ww_memory(flags, N), ww_array(out, N), ww_array(&one, 1), o);
}
static ww_status histogram_call(ww_device *device, const void *o) {
    return ww_histogram_edges(device, ww_memory(numbers, N), ww_memory(edges_u32, 9), ww_array(counts, 8), ww_none, o);
}
static ww_status find_call(ww_device *device, const void *o) {
    return ww_find(device, ww_memory(flags, N), "ab", 2, ww_none, ww_array(&one, 1), o);
}
static ww_status banked_call(ww_device *device, const void *o) {
    return ww_banked_sort(device, ww_array(numbers, N), 4, o, NULL);
}
static ww_status scatter_call(ww_device *device, const void *o) {
    return ww_scatter(device, ww_memory(numbers, N), ww_counting(&ww_type_uint32_t, 0, N), ww_array(out, N), o);
}

/* `method` is where a number stands that every one of these refuses when it is 99. */
static const struct {
    const char *start;
    size_t bytes, method, reserved; /* of the struct; where members stand; reserved is 0 where there is none */
    ww_status (*call)(ww_device *device, const void *options);
} structs[] = {
#define AT(type, member) offsetof(type, member)
    {"WW_SORT_OPTIONS", sizeof(ww_sort_options), AT(ww_sort_options, method), AT(ww_sort_options, reserved), sort_call},
    {"WW_SORT_OPTIONS", sizeof(ww_sort_options), AT(ww_sort_options, method), AT(ww_sort_options, reserved), top_call},
    {"WW_SORT_OPTIONS", sizeof(ww_sort_options), AT(ww_sort_options, method), AT(ww_sort_options, reserved),
     segments_call},
    {"WW_SORT_OPTIONS", sizeof(ww_sort_options), AT(ww_sort_options, method), AT(ww_sort_options, reserved),
     records_call},
    {"WW_MULTISPLIT_OPTIONS", sizeof(ww_multisplit_options), AT(ww_multisplit_options, method),
     AT(ww_multisplit_options, reserved), multisplit_call},
    {"WW_SCAN_OPTIONS", sizeof(ww_scan_options), AT(ww_scan_options, method), AT(ww_scan_options, reserved), scan_call},
    {"WW_PACK_OPTIONS", sizeof(ww_pack_options), AT(ww_pack_options, method), AT(ww_pack_options, reserved), pack_call},
    {"WW_SPLIT_OPTIONS", sizeof(ww_split_options), AT(ww_split_options, method), AT(ww_split_options, reserved),
     split_call},
    {"WW_HISTOGRAM_OPTIONS", sizeof(ww_histogram_options), AT(ww_histogram_options, method), 0, histogram_call},
    {"WW_SCATTER_OPTIONS", sizeof(ww_scatter_options), AT(ww_scatter_options, conflict),
     AT(ww_scatter_options, reserved), scatter_call},
    {"WW_BANKED_OPTIONS", sizeof(ww_banked_options), AT(ww_banked_options, method), AT(ww_banked_options, reserved),
     banked_call},
    {"WW_FIND_OPTIONS", sizeof(ww_find_options), AT(ww_find_options, method), 0, find_call},
#undef AT
};
enum { STRUCTS = sizeof structs / sizeof *structs };

/* A struct of `size` bytes by its own word, whose other bytes are `byte`. Memory ends with it, so that sanitizers see what is read
 * beyond. */
static unsigned char *of_size(size_t size, size_t really, unsigned char byte) {
    unsigned char *o = malloc(really);
    assert_non_null(o);
    memset(o, byte, really);
    memcpy(o, &size, sizeof size);
    return o;
}

static void set_u32(unsigned char *o, size_t at, uint32_t value) { memcpy(o + at, &value, sizeof value); }

static void expect_call(ww_device *device, size_t s, unsigned char *o, ww_status wanted, const char *says) {
    const ww_status got = structs[s].call(device, o);
    if (got != wanted)
        fail_msg("%s, struct %zu: %s, not %s: %s", structs[s].start, s, ww_status_name(got), ww_status_name(wanted),
                 ww_error(device));
    if (wanted) expect_sentence(device, says);
    report_checked();
    free(o);
}

static void lengths(void **state) {
    (void)state;
    if (left_out_on_gpu("options are read by the same code")) return;
    ww_device *device = setting_open(0);
    for (uint32_t i = 0; i < 9; i++) edges_u32[i] = i;
    for (size_t s = 0; s < STRUCTS; s++) {
        const size_t bytes = structs[s].bytes, method = structs[s].method;
        unsigned char *o;
        /* As long as here, all of it default. */
        expect_call(device, s, of_size(bytes, bytes, 0), WW_OK, "");
        /* No more than its size: what stands behind is not read. */
        expect_call(device, s, of_size(sizeof(size_t), sizeof(size_t), 0), WW_OK, "");
        /* The method is its last member, and counts. */
        o = of_size(method + 4, method + 4, 0);
        set_u32(o, method, 99);
        expect_call(device, s, o, WW_INVALID, structs[s].call == scatter_call ? "conflict" : "method");
        /* Longer, with nothing set: a newer program that does not use what is new. */
        expect_call(device, s, of_size(bytes + BEYOND, bytes + BEYOND, 0), WW_OK, "");
        for (size_t i = 0; i < BEYOND; i++) {
            o = of_size(bytes + BEYOND, bytes + BEYOND, 0);
            o[bytes + i] = 1;
            expect_call(device, s, o, WW_INVALID, structs[s].start);
        }
        if (structs[s].reserved) {
            o = of_size(bytes, bytes, 0);
            set_u32(o, structs[s].reserved, 1);
            expect_call(device, s, o, WW_INVALID, structs[s].start);
        }
        /* Never filled, or with what happened to lie there. */
        expect_call(device, s, of_size(0, bytes, 0), WW_INVALID, structs[s].start);
        expect_call(device, s, of_size(SIZE_MAX, bytes, 0), WW_INVALID, structs[s].start);
    }
    ww_close(device);
}

static bool stop(void *context, const char *path, uint64_t done, uint64_t total) {
    (void)path, (void)done, (void)total;
    return !++*(int *)context;
}

static void file_lengths(void **state) {
    (void)state;
    if (left_out_on_gpu("options are read by the same code")) return;
    ww_device *device = setting_open(0);
    char path[] = "/tmp/warpwise-options-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    int calls = 0;
    unsigned char *o = of_size(sizeof(ww_file_options) + 1, sizeof(ww_file_options) + 1, 0);
    const ww_file_output output = {path, ww_memory(numbers, N)};
    ww_file_options given = WW_FILE_OPTIONS;
    given.progress = stop;
    given.context = &calls;
    /* Older than `progress`: it is not called, and so does not stop the call. */
    given.size = offsetof(ww_file_options, progress);
    assert_int_equal(ww_file_write_all(device, &output, 1, &given), WW_OK);
    assert_int_equal(calls, 0);
    given.size = sizeof given;
    assert_int_equal(ww_file_write_all(device, &output, 1, &given), WW_FILE);
    assert_true(calls > 0);
    assert_int_equal(ww_file_write_all(device, &output, 1, (const ww_file_options *)(const void *)o), WW_OK);
    o[sizeof(ww_file_options)] = 1;
    assert_int_equal(ww_file_write_all(device, &output, 1, (const ww_file_options *)(const void *)o), WW_INVALID);
    expect_sentence(device, "WW_FILE_OPTIONS");
    ww_file_array read;
    assert_int_equal(ww_file_read_with(device, path, ww_array(out, N), &read, (const ww_file_options *)(const void *)o),
                     WW_INVALID);
    expect_sentence(device, "WW_FILE_OPTIONS");
    free(o);
    unlink(path);
    ww_close(device);
}

/* ---- opening, whose allocator is asked before there is a handle ---- */

static void *counted_allocate(void *context, size_t bytes, size_t alignment) {
    ++*(int *)context;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void counted_release(void *context, void *block, size_t bytes) {
    (void)context, (void)bytes;
    free(block);
}

static void open_lengths(void **state) {
    (void)state;
    int taken = 0;
    ww_device *device;
    ww_open_options o = WW_OPEN_OPTIONS;
    o.threads = 3;
    o.allocator = (ww_allocator){counted_allocate, counted_release, &taken};
    ww_device_info info = WW_DEVICE_INFO;
    /* Up to the threads: the allocator is not this struct's. */
    o.size = offsetof(ww_open_options, allocator);
    assert_int_equal(ww_open_with("cpu", &device, &o), WW_OK);
    assert_int_equal(ww_device_info_get(device, &info), WW_OK);
    assert_int_equal(info.threads, 3);
    assert_int_equal(taken, 0);
    ww_close(device);
    o.size = offsetof(ww_open_options, executor);
    assert_int_equal(ww_open_with("cpu", &device, &o), WW_OK);
    assert_true(taken > 0);
    ww_close(device);
    o.size = sizeof o;
    o.host_memory = 99;
    assert_int_equal(ww_open_with("cpu", &device, &o), WW_INVALID);
    expect_sentence(device, "host_memory");
    ww_close(device);
    o.size = 0;
    assert_int_equal(ww_open_with("cpu", &device, &o), WW_INVALID);
    expect_sentence(device, "WW_OPEN_OPTIONS");
    ww_close(device);
}

/* ---- what the library fills ---- */

static void info_lengths(void **state) {
    (void)state;
    ww_device *device;
    assert_int_equal(ww_open("cpu:threads=5", &device), WW_OK);
    const size_t whole = sizeof(ww_device_info), to_threads = offsetof(ww_device_info, threads) + sizeof(uint32_t);
    for (size_t size = to_threads; size <= whole + BEYOND; size++) {
        unsigned char *raw = malloc(size + 1);
        assert_non_null(raw);
        memset(raw, 0xA5, size + 1);
        memcpy(raw, &size, sizeof size);
        assert_int_equal(ww_device_info_get(device, (ww_device_info *)(void *)raw), WW_OK);
        uint32_t threads;
        memcpy(&threads, raw + offsetof(ww_device_info, threads), sizeof threads);
        assert_int_equal(threads, 5);
        assert_memory_equal(raw, &size, sizeof size);
        for (size_t i = whole; i < size; i++) assert_int_equal(raw[i], 0);
        assert_int_equal(raw[size], 0xA5);
        free(raw);
    }
    ww_device_info info;
    memset(&info, 0, sizeof info);
    assert_int_equal(ww_device_info_get(device, &info), WW_INVALID);
    expect_sentence(device, "WW_DEVICE_INFO");
    ww_close(device);
}

/* ---- reserved words of arrays, versions ---- */

static void arrays(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    ww_array odd = ww_array(out, N);
    odd.reserved = 1;
    assert_int_equal(ww_store(device, ww_memory(numbers, N), odd), WW_INVALID);
    expect_sentence(device, "reserved");
    assert_int_equal(ww_reduce(device, &ww_add, ww_from(odd), ww_array(out, 1)), WW_INVALID);
    expect_sentence(device, "reserved");
    ww_close(device);
}

static void version(void **state) {
    (void)state;
    char text[32];
    const uint32_t number = ww_version_number();
    snprintf(text, sizeof text, "%u.%u.%u", number / 1000000, number / 1000 % 1000, number % 1000);
    assert_string_equal(text, ww_version());
    assert_int_equal(number, WW_VERSION_NUMBER);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths),      cmocka_unit_test(file_lengths),
                                       cmocka_unit_test(open_lengths), cmocka_unit_test(info_lengths),
                                       cmocka_unit_test(arrays),       cmocka_unit_test(version)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
