/* Files that are read in pieces: every element once, in order, from raw files, .npy and pipes; ends that are not where they should
 * be; what is refused. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cases.h"

enum { PIECE = 32 << 20 };

static char folder[200];
static ww_device *device;

static int set_up(void **state) {
    (void)state;
    device = setting_open(0);
    return folder_make(folder, sizeof folder, "pieces") && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    unlink("x"), unlink("x.npy");
    ww_close(device);
    return chdir("/") || rmdir(folder) ? -1 : 0;
}

static void put(const char *name, const char *head, size_t head_bytes, const void *bytes, size_t length) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(head, 1, head_bytes, f), head_bytes);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static size_t npy_header(char header[128], const char *descr, size_t n) {
    memset(header, ' ', 128);
    memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
    const int length = snprintf(header + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }", descr,
                                n);
    header[10 + length] = ' ';
    header[127] = '\n';
    return 128;
}

/* Reads all, which must be `bytes`; returns the status, and how many pieces there were. */
static ww_status read_all(const char *path, ww_array what, const unsigned char *wanted, size_t bytes, size_t *pieces) {
    ww_file_reader *reader;
    ww_array piece;
    size_t at = 0;
    *pieces = 0;
    ww_status status = ww_file_open(device, path, what, &reader, NULL);
    if (status) {
        expect(reader == NULL);
        return status;
    }
    while (!(status = ww_file_next(device, reader, &piece)) && piece.count) {
        const size_t got = (size_t)piece.count * piece.size;
        expect(at + got <= bytes && got <= PIECE);
        expect_elements(piece.data, wanted + at, got / piece.size, piece.size);
        at += got;
        ++*pieces;
    }
    if (!status) expect(at == bytes);
    if (!status) expect(ww_file_next(device, reader, &piece) == WW_OK && piece.count == 0);
    ww_file_close(device, reader);
    return status;
}

static void every_element_once(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 4, 400, PIECE - 4, PIECE, PIECE + 4, 2 * (size_t)PIECE + 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t bytes = sizes[i];
        CASE("pieces", "%zu bytes seed=%llu", bytes, (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        unsigned char *data = need(bytes + 1);
        char header[128];
        size_t pieces;
        const size_t all = (bytes + PIECE - 1) / PIECE;
        fill(data, &ww_type_uint8_t, 1, bytes, UNIFORM, seed_of_run());
        put("x", "", 0, data, bytes);
        expect_status(device, read_all("x", ww_array_of(NULL, 0, &ww_type_uint32_t), data, bytes, &pieces), WW_OK);
        expect(pieces == all);
        put("x.npy", header, npy_header(header, "<u4", bytes / 4), data, bytes);
        expect_status(device, read_all("x.npy", ww_none, data, bytes, &pieces), WW_OK);
        expect(pieces == all);
        put("x.npy", header, npy_header(header, ">u4", bytes / 4), data, bytes);
        for (size_t e = 0; e + 4 <= bytes; e += 4) {
            const unsigned char four[4] = {data[e + 3], data[e + 2], data[e + 1], data[e]};
            memcpy(data + e, four, 4);
        }
        expect_status(device, read_all("x.npy", ww_none, data, bytes, &pieces), WW_OK);
        free(data);
    }
}

/* Records that are no divisor of a piece, and longer ones than a piece. */
static void records(void **state) {
    (void)state;
    static const size_t sizes[] = {100, 4095, PIECE + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CASE("pieces", "records of %zu bytes", sizes[i]);
        if (!case_wanted()) continue;
        const size_t n = PIECE / sizes[i] + 2, bytes = n * sizes[i];
        unsigned char *data = need(bytes);
        ww_file_reader *reader;
        ww_array piece;
        size_t read = 0;
        fill(data, &ww_type_uint8_t, 1, bytes, UNIFORM, seed_of_run());
        put("x", "", 0, data, bytes);
        expect_status(device, ww_file_open(device, "x", ww_records(NULL, 0, sizes[i]), &reader, NULL), WW_OK);
        while (!ww_file_next(device, reader, &piece) && piece.count) {
            expect(memcmp(piece.data, data + read, (size_t)piece.count * sizes[i]) == 0);
            read += (size_t)piece.count * sizes[i];
        }
        expect(read == bytes);
        ww_file_close(device, reader);
        free(data);
    }
}

static void from_pipes(void **state) {
    (void)state;
    CASE("pieces", "a pipe");
    if (!case_wanted()) return;
    char header[128];
    size_t pieces;
    const int kept = dup(STDIN_FILENO);
    for (int extra = 0; extra < 4; extra++) {
        for (int npy = 0; npy < 2; npy++) {
            int ends[2];
            const size_t head = npy ? npy_header(header, "<u2", 3) : 0;
            const size_t bytes = (size_t)(6 + (npy ? extra - 1 : extra % 2)); /* 6 are right */
            assert_int_equal(pipe(ends), 0);
            expect(write(ends[1], header, head) == (ssize_t)head &&
                   write(ends[1], "abcdefghij", bytes) == (ssize_t)bytes);
            close(ends[1]);
            dup2(ends[0], STDIN_FILENO);
            close(ends[0]);
            const ww_status status = read_all("-", npy ? ww_none : ww_array_of(NULL, 0, &ww_type_uint16_t),
                                              (const unsigned char *)"abcdefghij", bytes, &pieces);
            expect_status(device, status, bytes == 6 ? WW_OK : WW_FORMAT);
            if (status)
                expect_sentence(device,
                                "ww_file_next: standard input: ", npy ? "its shape has 3 elements" : "1 bytes more");
        }
    }
    dup2(kept, STDIN_FILENO);
    close(kept);
}

static bool shrink(void *context, const char *path, uint64_t done, uint64_t total) {
    (void)path, (void)total;
    if (done >= PIECE) expect(truncate("x", PIECE + 100) == 0);
    return context == NULL || done < PIECE;
}

static void files_that_change(void **state) {
    (void)state;
    for (int stops = 0; stops < 2; stops++) {
        CASE("pieces", stops ? "the caller stops" : "a file shrinks");
        if (!case_wanted()) continue;
        ww_file_options options = WW_FILE_OPTIONS;
        options.progress = shrink;
        options.context = stops ? &options : NULL;
        ww_file_reader *reader;
        ww_array piece;
        ww_status status;
        put("x", "", 0, "", 0);
        expect(truncate("x", 3 * (off_t)PIECE) == 0);
        expect_status(device, ww_file_open(device, "x", ww_array_of(NULL, 0, &ww_type_uint8_t), &reader, &options),
                      WW_OK);
        while (!(status = ww_file_next(device, reader, &piece)) && piece.count) {}
        expect_status(device, status, WW_FILE);
        expect_sentence(device, "x: ", stops ? "stopped after" : "shrank while it was read");
        ww_file_close(device, reader);
    }
}

static void refusals(void **state) {
    (void)state;
    CASE("pieces", "refusals");
    if (!case_wanted()) return;
    char header[128];
    ww_file_reader *reader;
    ww_array piece;
    const ww_array u32 = ww_array_of(NULL, 0, &ww_type_uint32_t);
    put("x", "", 0, "12345", 5);
    put("x.npy", header, npy_header(header, "<u4", 2), "12345", 5);
#define REFUSED(status, path, what, ...) \
    expect_status(device, ww_file_open(device, path, what, &reader, NULL), status); \
    expect_sentence(device, "ww_file_open: ", __VA_ARGS__); \
    expect(reader == NULL)
    REFUSED(WW_FILE, "nothing", u32, "nothing: cannot be opened");
    REFUSED(WW_FILE, ".", u32, "is a folder");
    REFUSED(WW_INVALID, NULL, u32, "path is NULL");
    REFUSED(WW_INVALID, "x", ww_none, "x: is raw");
    REFUSED(WW_FORMAT, "x", u32, "x: has 5 bytes, which are 1 elements of 4 bytes and 1 bytes more");
    REFUSED(WW_FORMAT, "x.npy", ww_none, "x.npy: its shape has 2 elements of 4 bytes; there are 5 bytes");
    REFUSED(WW_FORMAT, "x.npy", ww_array_of(NULL, 0, &ww_type_float), "x.npy: holds u32 of 4 bytes, and f32");
    expect_status(device, ww_file_open(device, "x", u32, NULL, NULL), WW_INVALID);
    expect_status(device, ww_file_next(device, NULL, &piece), WW_INVALID);
    expect_sentence(device, "reader is NULL");
    ww_file_close(device, NULL);
    ww_file_close(NULL, NULL);
    expect_status(device, ww_file_open(device, "x", ww_array_of(NULL, 0, &ww_type_uint8_t), &reader, NULL), WW_OK);
    expect_status(device, ww_file_next(device, reader, NULL), WW_INVALID);
    ww_file_close(device, reader);
}

/* What files say of themselves is there from the opening on; who wants no more gets no elements. */
static void headers(void **state) {
    (void)state;
    CASE("pieces", "headers");
    if (!case_wanted()) return;
    char header[128];
    ww_file_header told;
    for (int only = 0; only < 2; only++) {
        for (int npy = 0; npy < 2; npy++) {
            ww_file_options options = WW_FILE_OPTIONS;
            ww_file_reader *reader;
            ww_array piece;
            options.header = &told;
            options.header_only = only;
            memset(&told, 0xA5, sizeof told);
            put("x", "", 0, "12345678", 8);
            put("x.npy", header, npy_header(header, ">u2", 4), "12345678", 8);
            const ww_array what = npy ? ww_none : ww_array_of(NULL, 0, &ww_type_uint32_t);
            expect_status(device, ww_file_open(device, npy ? "x.npy" : "x", what, &reader, &options), WW_OK);
            expect(told.dimensions == 1 && told.shape[0] == (npy ? 4 : 2) && told.shape[1] == 0);
            expect(told.begin == (npy ? 128 : 0) && told.swapped == npy);
            expect_status(device, ww_file_next(device, reader, &piece), WW_OK);
            expect(piece.type == (npy ? &ww_type_uint16_t : &ww_type_uint32_t));
            expect(piece.count == (only ? 0 : told.shape[0]));
            ww_file_close(device, reader);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_once), cmocka_unit_test(records),           cmocka_unit_test(headers),
        cmocka_unit_test(from_pipes),         cmocka_unit_test(files_that_change), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
