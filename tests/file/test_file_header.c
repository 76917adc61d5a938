/* Shapes and headers of files: read with the elements and without them, written, and from pipes. */
#include <stdio.h>
#include <unistd.h>

#include "support/cases.h"

static char folder[200];

static int set_up(void **state) {
    (void)state;
    return folder_make(folder, sizeof folder, "file-header") && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return chdir("/") || rmdir(folder);
}

static void put(const char *name, const void *bytes, size_t length) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    fclose(f);
}

static ww_file_header of_shape(uint64_t dimensions, const uint64_t *shape) {
    ww_file_header h;
    memset(&h, 0, sizeof h);
    h.dimensions = dimensions;
    for (uint64_t d = 0; d < dimensions && d < WW_FILE_DIMENSIONS; d++) h.shape[d] = shape[d];
    return h;
}

/* Written in a shape and read again, with the elements and without. */
static void round_trip(ww_device *device, uint64_t dimensions, const uint64_t *shape, uint64_t count) {
    uint16_t *const elements = need(2 * count + 1);
    for (uint64_t i = 0; i < count; i++) elements[i] = (uint16_t)(i * 77);
    ww_file_header h = of_shape(dimensions, shape), back;
    ww_file_options options = WW_FILE_OPTIONS;
    ww_file_array file;
    options.header = &h;
    const ww_file_output output = {"x.npy", ww_memory(elements, count)};
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_OK);
    for (int only = 0; only < 2; only++) {
        options.header = &back;
        options.header_only = only;
        expect_status(device, ww_file_read_with(device, "x.npy", ww_none, &file, &options), WW_OK);
        expect(file.array.count == count && file.array.size == 2 && file.array.type == &ww_type_uint16_t);
        expect(back.dimensions == dimensions && memcmp(back.shape, h.shape, sizeof h.shape) == 0);
        expect(back.begin % 64 == 0 && back.begin >= 64 && !back.swapped);
        if (only)
            expect(!file.array.data);
        else
            expect_bytes(file.array.data, elements, 2 * count);
        ww_file_release(device, &file);
    }
    unlink("x.npy");
    free(elements);
}

static void shapes(void **state) {
    (void)state;
    static const struct {
        uint64_t dimensions, shape[5], count;
    } rows[] = {
        {0, {0}, 1}, {1, {0}, 0}, {1, {7}, 7}, {2, {3, 4}, 12}, {2, {0, UINT64_MAX}, 0}, {5, {1, 2, 3, 4, 5}, 120}};
    static const uint64_t ones[WW_FILE_DIMENSIONS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    CASE("file header", "shapes");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        round_trip(device, rows[i].dimensions, rows[i].shape, rows[i].count);
    round_trip(device, WW_FILE_DIMENSIONS, ones, 1);
    ww_close(device);
}

static void wrong_shapes(void **state) {
    (void)state;
    static const uint64_t three[] = {3}, large[] = {UINT64_MAX, 2};
    uint8_t elements[4] = {1, 2, 3, 4};
    CASE("file header", "wrong shapes");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    ww_file_options options = WW_FILE_OPTIONS;
    const ww_file_output output = {"x.npy", ww_memory(elements, 4)};
    ww_file_header h = of_shape(1, three);
    options.header = &h;
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_INVALID);
    expect_sentence(device, "the shape has 3 elements, the array 4");
    h = of_shape(2, large);
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_INVALID);
    h.dimensions = WW_FILE_DIMENSIONS + 1;
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_INVALID);
    expect_sentence(device, "a shape of 65 dimensions");
    expect(access("x.npy", F_OK) != 0);
    ww_close(device);
}

static void raw_and_archives(void **state) {
    (void)state;
    CASE("file header", "raw files and archives");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    ww_file_header h;
    ww_file_array file;
    ww_file_options options = WW_FILE_OPTIONS;
    options.header = &h;
    options.header_only = true;
    put("x.bin", "12345678", 8);
    expect_status(device, ww_file_read_with(device, "x.bin", ww_array_of(NULL, 0, &ww_type_uint32_t), &file, &options),
                  WW_OK);
    expect(file.array.count == 2 && !file.array.data && h.dimensions == 1 && h.shape[0] == 2 && h.begin == 0);
    expect_status(device, ww_file_read_with(device, "x.bin", ww_records(NULL, 0, 3), &file, &options), WW_FORMAT);
    put("x.npz", "PK\3\4", 4);
    expect_status(device, ww_file_read(device, "x.npz", ww_none, &file), WW_FORMAT);
    expect_sentence(device, "x.npz: is an archive of .npy files");
    unlink("x.bin");
    unlink("x.npz");
    ww_close(device);
}

/* More dimensions than are read; two bytes of another order. */
static void odd_headers(void **state) {
    (void)state;
    CASE("file header", "odd headers");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    char bytes[384 + 2];
    ww_file_array file;
    ww_file_header h;
    ww_file_options options = WW_FILE_OPTIONS;
    options.header = &h;
    for (int many = 0; many < 2; many++) {
        memset(bytes, ' ', 384);
        memcpy(bytes, "\x93NUMPY\1\0\x76\1", 10);
        int at = 10 + snprintf(bytes + 10, 370, "{'descr': '>u2', 'fortran_order': False, 'shape': (");
        for (int d = 0; d < (many ? WW_FILE_DIMENSIONS + 1 : 2); d++) at += snprintf(bytes + at, 10, "1, ");
        at += snprintf(bytes + at, 10, "), }");
        bytes[at] = ' ';
        bytes[383] = '\n';
        memcpy(bytes + 384, "\1\2", 2);
        put("x.npy", bytes, sizeof bytes);
        expect_status(device, ww_file_read_with(device, "x.npy", ww_none, &file, &options), many ? WW_FORMAT : WW_OK);
        if (many) {
            expect_sentence(device, "more than 64 dimensions");
            continue;
        }
        expect(h.swapped && h.dimensions == 2 && h.begin == 384 && *(uint16_t *)file.array.data == 0x0102);
        ww_file_release(device, &file);
    }
    unlink("x.npy");
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(wrong_shapes),
                                       cmocka_unit_test(raw_and_archives), cmocka_unit_test(odd_headers)};
    return cmocka_run_group_tests_name("file header", tests, set_up, tear_down);
}
