/* Reading and writing raw and .npy files: what is written is read back; hostile files are refused with a sentence; a write
 * that fails changes nothing and leaves nothing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cases.h"

static char folder[200];
static ww_device *device;

static const char *at(const char *name) {
    static char paths[4][400];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const void *bytes, size_t length) {
    FILE *f = fopen(at(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static size_t get(const char *name, void *bytes, size_t room) {
    FILE *f = fopen(at(name), "rb");
    assert_non_null(f);
    const size_t length = fread(bytes, 1, room, f);
    fclose(f);
    return length;
}

static size_t files_in_folder(void) {
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

/* Standard input or output is this file while `body` runs. */
static int redirect(int fd, const char *name, int flags) {
    const int saved = dup(fd), file = open(at(name), flags, 0666);
    assert_true(saved >= 0 && file >= 0);
    assert_int_equal(dup2(file, fd), fd);
    close(file);
    return saved;
}

static void redirect_back(int fd, int saved) {
    dup2(saved, fd);
    close(saved);
}

static const ww_type *const types[] = {
    &ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int8_t, &ww_type_int16_t,
    &ww_type_int32_t, &ww_type_int64_t,  &ww_type_float,    &ww_type_double,   &ww_type_ww_f16, &ww_type_ww_bf16,
#if WW_HAS_U128
    &ww_type_ww_u128,
    &ww_type_ww_i128,
#endif
    &ww_type_record,
};
enum { TYPES = sizeof types / sizeof types[0], RECORD = 24 };

static ww_array array_of(void *data, uint64_t count, const ww_type *type) {
    return type == &ww_type_record ? ww_records(data, count, RECORD) : ww_array_of(data, count, type);
}

/* ---- what is written is read back ---- */

static void expect_read(const char *path, ww_array what, ww_array wanted) {
    ww_file_array file;
    expect_status(device, ww_file_read(device, path, what, &file), WW_OK);
    expect(file.array.type == wanted.type && file.array.size == wanted.size && file.array.count == wanted.count);
    if (wanted.count) expect_bytes(file.array.data, wanted.data, wanted.count * wanted.size);
    ww_file_release(device, &file);
    expect(file.array.data == NULL);
    ww_file_release(device, &file);
}

static void round_trips(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 63, 1000, 1 << 20};
    static const char *const names[] = {"x.npy", "x.bin", "-"};
    for (size_t t = 0; t < TYPES; t++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (size_t n = 0; n < 3; n++) {
                CASE("file", "round trip %s n=%zu %s", types[t]->label, counts[c], names[n]);
                if (!case_wanted()) continue;
                const size_t size = types[t]->size ? types[t]->size : RECORD;
                void *data = need(counts[c] * size + 1);
                fill(data, types[t], size, counts[c], ADVERSARIAL, seed_of_run());
                const ww_array array = array_of(data, counts[c], types[t]);
                const bool standard = strcmp(names[n], "-") == 0, raw = n > 0;
                ww_array what = array_of(NULL, 0, types[t]);
                int saved = standard ? redirect(STDOUT_FILENO, "standard", O_WRONLY | O_CREAT | O_TRUNC) : -1;
                expect_status(device, ww_file_write(device, standard ? "-" : at(names[n]), ww_from(array)), WW_OK);
                if (standard) {
                    redirect_back(STDOUT_FILENO, saved);
                    saved = redirect(STDIN_FILENO, "standard", O_RDONLY);
                }
                expect_read(standard ? "-" : at(names[n]), what, array);
                if (standard) redirect_back(STDIN_FILENO, saved);
                if (!raw) {
                    const bool bytes = types[t]->size == 16 || types[t] == &ww_type_ww_bf16;
                    const ww_array as_file = bytes ? ww_records(data, counts[c], size) : array;
                    expect_read(at(names[n]), ww_none, as_file);
                }
                free(data);
            }
        }
    }
    unlink(at("standard"));
}

static void npy_bytes_are_those_of_numpy(void **state) {
    (void)state;
    /* numpy.save of numpy.array([1, 2, 300], '<u4'). */
    static const char wanted[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }"
                                 "                                                            \n"
                                 "\x01\0\0\0\x02\0\0\0\x2c\x01\0\0";
    uint32_t x[3] = {1, 2, 300};
    char bytes[300];
    CASE("file", "bytes of .npy");
    expect_status(device, ww_file_write(device, at("x.npy"), ww_memory(x, 3)), WW_OK);
    assert_int_equal(get("x.npy", bytes, sizeof bytes), sizeof wanted - 1);
    expect_bytes(bytes, wanted, sizeof wanted - 1);
}

/* ---- .npy files that others write ---- */

/* A .npy file of the version, the header text padded as NumPy does, and a body of `body` bytes 0, 1, 2, … */
static size_t npy(unsigned char *bytes, unsigned major, const char *header, size_t body) {
    const size_t preamble = major == 1 ? 10 : 12, text = strlen(header);
    const size_t all = (preamble + text + 1 + 63) / 64 * 64, length = all - preamble;
    memset(bytes, ' ', all);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)major;
    bytes[7] = 0;
    for (size_t i = 8; i < preamble; i++) bytes[i] = (unsigned char)(length >> 8 * (i - 8));
    memcpy(bytes + preamble, header, text);
    bytes[all - 1] = '\n';
    for (size_t i = 0; i < body; i++) bytes[all + i] = (unsigned char)i;
    return all + body;
}

typedef struct accepted {
    unsigned major;
    const char *header;
    const char *label;
    size_t size, count, body;
    bool swapped;
} accepted;

static const accepted good[] = {
    {1, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", "u32", 4, 3, 12, false},
    {2, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", "u32", 4, 3, 12, false},
    {3, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", "u32", 4, 3, 12, false},
    {1, "{'descr': '>u4', 'fortran_order': False, 'shape': (3,), }", "u32", 4, 3, 12, true},
    {1, "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", "i16", 2, 6, 12, true},
    {1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }", "f64", 8, 2, 16, true},
    {1, "{'descr': '>f2', 'fortran_order': False, 'shape': (3,), }", "f16", 2, 3, 6, true},
    {1, "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }", "f16", 2, 3, 6, false},
    {1, "{'descr': '>i1', 'fortran_order': False, 'shape': (2,), }", "i8", 1, 2, 2, false},
    {1, "{\"shape\":(1,2,3),\"fortran_order\":False,\"descr\":\"|u1\"}", "u8", 1, 6, 6, false},
    {1, "{'descr': '=f4', 'fortran_order': False, 'shape': ()}", "f32", 4, 1, 4, false},
    {1, "{'descr': '<i8', 'fortran_order': False, 'shape': (2L, 1L)}", "i64", 8, 2, 16, false},
    {1, "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }", "u8", 1, 5, 5, false},
    {1, "{'descr': '|V5', 'fortran_order': False, 'shape': (2,), }", "rec", 5, 2, 10, false},
    {1, "{'descr': '|V16', 'fortran_order': False, 'shape': (2,), }", "rec", 16, 2, 32, false},
    {1, "{'descr': '<u8', 'fortran_order': False, 'shape': (0, 18446744073709551615, 3), }", "u64", 8, 0, 0, false},
    {1, "{'descr': '>V3', 'fortran_order': False, 'shape': (4,), }", "rec", 3, 4, 12, false},
    {1, "{'descr': '<V3', 'fortran_order': False, 'shape': (4,), }", "rec", 3, 4, 12, false},
    {1, "{'descr': '=V3', 'fortran_order': False, 'shape': (4,), }", "rec", 3, 4, 12, false},
    {1, "{'descr': '|V3', 'fortran_order': False, 'shape': (4,), }", "rec", 3, 4, 12, false},
    {1, "{'descr': 'V3', 'fortran_order': False, 'shape': (4,), }", "rec", 3, 4, 12, false},
    {1, "{'descr': '>V1', 'fortran_order': False, 'shape': (5,), }", "rec", 1, 5, 5, false},
    {1, "{'descr': '>V2', 'fortran_order': False, 'shape': (5,), }", "rec", 2, 5, 10, false},
    {1, "{'descr': '>V4', 'fortran_order': False, 'shape': (3,), }", "rec", 4, 3, 12, false},
    {1, "{'descr': '>V8', 'fortran_order': False, 'shape': (3,), }", "rec", 8, 3, 24, false},
    {1, "{'descr': '>V16', 'fortran_order': False, 'shape': (2,), }", "rec", 16, 2, 32, false},
    {1, "{'descr': '>u2', 'fortran_order': False, 'shape': (3,), }", "u16", 2, 3, 6, true},
    {1, "{'descr': '>u8', 'fortran_order': False, 'shape': (3,), }", "u64", 8, 3, 24, true},
    {1, "{'descr': '>i4', 'fortran_order': False, 'shape': (3,), }", "i32", 4, 3, 12, true},
    {1, "{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", "f32", 4, 3, 12, true},
    {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "f64", 8, 2, 16, false},
    {1, "{'descr': '=i2', 'fortran_order': False, 'shape': (3,), }", "i16", 2, 3, 6, false},
    {1, "{'descr': '|u4', 'fortran_order': False, 'shape': (3,), }", "u32", 4, 3, 12, false},
    {1, "{'descr': '>b1', 'fortran_order': False, 'shape': (3,), }", "u8", 1, 3, 3, false},
    {1, "{'descr': '>u1', 'fortran_order': False, 'shape': (3,), }", "u8", 1, 3, 3, false},
};

static void reads_what_others_write(void **state) {
    (void)state;
    unsigned char bytes[600], wanted[64];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const accepted *g = &good[i];
        CASE("file", "good %u %s", g->major, g->header);
        if (!case_wanted()) continue;
        put("x.npy", bytes, npy(bytes, g->major, g->header, g->body));
        for (size_t b = 0; b < g->body; b++)
            wanted[b] = (unsigned char)(g->swapped ? b / g->size * g->size + g->size - 1 - b % g->size : b);
        ww_file_array file;
        expect_status(device, ww_file_read(device, at("x.npy"), ww_none, &file), WW_OK);
        expect(file.array.size == g->size && file.array.count == g->count);
        if (strcmp(g->label, "rec"))
            expect(strcmp(file.array.type->label, g->label) == 0);
        else
            expect(file.array.type == &ww_type_record);
        if (g->body) expect_bytes(file.array.data, wanted, g->body);
        ww_file_release(device, &file);
    }
}

/* ---- hostile .npy files ---- */

typedef struct refused {
    unsigned major;
    const char *header;
    size_t body;
    const char *says;
} refused;

#define DICT(descr, shape) "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }"
static const refused bad[] = {
    {1, DICT("<f16", "(3,)"), 48, "floats of 16 bytes"},
    {1, DICT("<c8", "(3,)"), 24, "complex"},
    {1, DICT("|S5", "(3,)"), 15, "strings"},
    {1, DICT("<U5", "(3,)"), 60, "strings"},
    {1, DICT("|O", "(3,)"), 24, "objects"},
    {1, DICT("<M8[ns]", "(3,)"), 24, "dates"},
    {1, DICT("<m8[D]", "(3,)"), 24, "time spans"},
    {1, "{'descr': [('a', '<u4'), ('b', '<f4')], 'fortran_order': False, 'shape': (3,), }", 24, "structured"},
    {1, "{'descr': '<u4', 'fortran_order': True, 'shape': (3, 2), }", 24, "Fortran order"},
    {1, DICT("<q8", "(3,)"), 24, "'<q8'"},
    {1, DICT("<u3", "(3,)"), 9, "'<u3'"},
    {1, DICT("<f", "(3,)"), 12, "'<f'"},
    {1, DICT("<u4x", "(3,)"), 12, "'<u4x'"},
    {1, DICT("<u44444444444444444444444", "(3,)"), 12, "names no element type"},
    {1, DICT("", "(3,)"), 12, "names no element type"},
    {1, DICT("V0", "(3,)"), 0, "names no element type"},
    {1, DICT("\x01\xff\n", "(3,)"), 12, "names no element type"},
    {1, DICT("<u4", "(4294967296, 4294967296)"), 12, "more than 2^64 elements"},
    {1, DICT("<u4", "(4611686018427387904,)"), 12, "more than 2^64 bytes"},
    {1, DICT("<u4", "(18446744073709551616,)"), 12, "below 2^64"},
    {1, DICT("<u4", "(-1,)"), 12, "a number of the shape"},
    {1, DICT("<u4", "(3)"), 12, "a tuple"},
    {1, DICT("<u4", "3"), 12, "parentheses"},
    {1, DICT("<u4", "(3,,)"), 12, "a number of the shape"},
    {1, DICT("<u4", "(3 4)"), 12, "a comma or )"},
    {1, DICT("<u4", "(3,"), 12, "a number of the shape"},
    {1, DICT("<u4", "(4,)"), 12, "there are 12 bytes"},
    {1, DICT("<u4", "(2,)"), 12, "bytes after the header"},
    {1, DICT("<u4", "(1000000000000,)"), 12, "1000000000000 elements"},
    {1, "{'descr': '<u4', 'fortran_order': False, }", 12, "no 'shape'"},
    {1, "{'descr': '<u4', 'shape': (3,), }", 12, "no 'fortran_order'"},
    {1, "{'fortran_order': False, 'shape': (3,), }", 12, "no 'descr'"},
    {1, "{}", 12, "no 'descr'"},
    {1, "{'descr': '<u4', 'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", 12, "twice"},
    {1, "{'descr': '<u4', 'order': False, 'shape': (3,), }", 12, "'order'"},
    {1, "{'descr': '<u4', 'fortran_order': Maybe, 'shape': (3,), }", 12, "True or False"},
    {1, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), } x", 12, "the header's end"},
    {1, "{'descr': '<u4' 'fortran_order': False, 'shape': (3,), }", 12, "a comma or }"},
    {1, "{'descr' '<u4', 'fortran_order': False, 'shape': (3,), }", 12, "should be :"},
    {1, "{'descr': '<u4, fortran_order: False, shape: (3,), }", 12, "a string with an end"},
    {1, "[1, 2, 3]", 12, "should be {"},
    {1, "", 12, "should be {"},
    {4, DICT("<u4", "(3,)"), 12, "version 4.0"},
    {0, DICT("<u4", "(3,)"), 12, "version 0.0"},
};

/* Reads the bytes as a file and through a pipe (where nothing says how long it is); both must refuse it. */
static void expect_refused(const unsigned char *bytes, size_t length, const char *says) {
    ww_file_array file;
    put("x.npy", bytes, length);
    expect_status(device, ww_file_read(device, at("x.npy"), ww_none, &file), WW_FORMAT);
    expect_sentence(device, "x.npy", says);
    expect(file.array.data == NULL);
    if (length < 6) return; /* standard input takes that for raw */
    int ends[2];
    const int saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, length), length);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    expect_status(device, ww_file_read(device, "-", ww_none, &file), WW_FORMAT);
    expect_sentence(device, "standard input");
    redirect_back(STDIN_FILENO, saved);
}

static void refuses_hostile_npy(void **state) {
    (void)state;
    unsigned char bytes[600];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CASE("file", "bad %u %s", bad[i].major, bad[i].header);
        if (!case_wanted()) continue;
        expect_refused(bytes, npy(bytes, bad[i].major, bad[i].header, bad[i].body), bad[i].says);
    }
}

static void refuses_every_truncation(void **state) {
    (void)state;
    unsigned char bytes[600];
    for (unsigned major = 1; major <= 3; major++) {
        const size_t length = npy(bytes, major, DICT("<u4", "(3,)"), 12);
        for (size_t cut = 0; cut < length; cut++) {
            CASE("file", "version %u cut to %zu bytes", major, cut);
            if (case_wanted()) expect_refused(bytes, cut, "");
        }
    }
}

static void refuses_lying_header_lengths(void **state) {
    (void)state;
    unsigned char bytes[600];
    static const uint32_t lies[] = {0, 1, 2, 57, 200, 65535, 1 << 20, (1 << 20) + 1, UINT32_MAX};
    for (unsigned major = 1; major <= 2; major++) {
        for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
            CASE("file", "version %u header length %u", major, (unsigned)lies[i]);
            if (!case_wanted() || (major == 1 && lies[i] > 65535)) continue;
            const size_t length = npy(bytes, major, DICT("<u4", "(3,)"), 12);
            for (unsigned b = 0; b < (major == 1 ? 2 : 4); b++) bytes[8 + b] = (unsigned char)(lies[i] >> 8 * b);
            expect_refused(bytes, length, "");
        }
    }
}

static void asks_for_the_right_type(void **state) {
    (void)state;
    ww_file_array file;
    double x[2] = {1, 2};
    CASE("file", "wrong type asked for");
    expect_status(device, ww_file_write(device, at("x.npy"), ww_memory(x, 2)), WW_OK);
    expect_status(device, ww_file_read(device, at("x.npy"), ww_array_of(NULL, 0, &ww_type_uint64_t), &file), WW_FORMAT);
    expect_sentence(device, "x.npy", "f64", "u64");
    expect_status(device, ww_file_read(device, at("x.npy"), ww_records(NULL, 0, 8), &file), WW_FORMAT);
}

/* Standard input that says nothing of its length, has more than room is made for at first, and a little too much. */
static void refuses_more_than_its_shape(void **state) {
    (void)state;
    enum { COUNT = (1 << 20) + 5000, MORE = 100, ROOM = COUNT + MORE + 1000 };
    ww_file_array file;
    uint8_t *bytes = need(ROOM);
    char shape[80];
    memset(bytes, 1, ROOM);
    CASE("file", "more than its shape, through a pipe");
    expect_status(device, ww_file_write(device, at("long.npy"), ww_memory(bytes, COUNT)), WW_OK);
    const size_t length = get("long.npy", bytes, ROOM);
    expect(length > COUNT && length < ROOM - MORE);
    unlink(at("long.npy"));
    int ends[2];
    const int saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (!child) {
        close(ends[0]);
        for (size_t done = 0; done < length + MORE;) {
            const ssize_t n = write(ends[1], bytes + done, length + MORE - done);
            if (n <= 0) _exit(1);
            done += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    expect_status(device, ww_file_read(device, "-", ww_none, &file), WW_FORMAT);
    snprintf(shape, sizeof shape, "there are more than %d bytes", COUNT);
    expect_sentence(device, "standard input", shape);
    redirect_back(STDIN_FILENO, saved);
    assert_int_equal(waitpid(child, NULL, 0), child);
    free(bytes);
}

/* ---- raw files and paths ---- */

static void refuses_bad_raw(void **state) {
    (void)state;
    ww_file_array file;
    CASE("file", "raw, 7 bytes");
    put("x.bin", "1234567", 7);
    expect_status(device, ww_file_read(device, at("x.bin"), ww_array_of(NULL, 0, &ww_type_uint32_t), &file), WW_FORMAT);
    expect_sentence(device, "x.bin", "7 bytes", "1 elements of 4 bytes and 3 bytes more");
    expect_status(device, ww_file_read(device, at("x.bin"), ww_none, &file), WW_INVALID);
    expect_status(device, ww_file_read(device, at("x.bin"), ww_records(NULL, 0, 0), &file), WW_INVALID);
    ww_array another_size = ww_array_of(NULL, 0, &ww_type_uint8_t);
    another_size.size = 7;
    expect_status(device, ww_file_read(device, at("x.bin"), another_size, &file), WW_TYPE);
    expect_status(device, ww_file_read(device, at("nothing.bin"), ww_array_of(NULL, 0, &ww_type_uint8_t), &file),
                  WW_FILE);
    expect_sentence(device, "nothing.bin", strerror(ENOENT));
    expect_status(device, ww_file_read(device, folder, ww_array_of(NULL, 0, &ww_type_uint8_t), &file), WW_FILE);
    expect_sentence(device, "folder");
    expect_status(device, ww_file_read(device, NULL, ww_none, &file), WW_INVALID);
    expect_status(device, ww_file_read(device, at("x.bin"), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_file_read(NULL, at("x.bin"), ww_none, &file), WW_INVALID);
    ww_file_release(NULL, NULL);
}

static void reads_files_without_a_size(void **state) {
    (void)state;
    ww_file_array file;
    CASE("file", "/proc/self/maps");
    expect_status(device, ww_file_read(device, "/proc/self/maps", ww_array_of(NULL, 0, &ww_type_uint8_t), &file),
                  WW_OK);
    expect(file.array.count > 100);
    ww_file_release(device, &file);
}

/* ---- writing ---- */

static void failed_writes_change_nothing(void **state) {
    (void)state;
    static uint32_t x[100000];
    char kept[16] = "";
    CASE("file", "failed writes");
    unlink(at("x.npy"));
    unlink(at("x.bin"));
    put("old.bin", "the old one", 11);
    const size_t files = files_in_folder();

    expect_status(device, ww_file_write(device, at("missing/x.bin"), ww_memory(x, 10)), WW_FILE);
    expect_sentence(device, "missing", strerror(ENOENT));
    expect_status(device, ww_file_write(device, folder, ww_memory(x, 10)), WW_FILE);
    expect_status(device, ww_file_write(device, "", ww_memory(x, 10)), WW_FILE);
    expect_status(device, ww_file_write(device, at("old.bin/x"), ww_memory(x, 10)), WW_FILE);
    expect_status(device, ww_file_write(device, NULL, ww_memory(x, 10)), WW_INVALID);
    expect_status(device, ww_file_write(device, at("old.bin"), ww_memory((uint32_t *)NULL, 10)), WW_INVALID);
    expect_status(device, ww_file_write(device, at("old.bin"), ww_no_input), WW_INVALID);
    expect_sentence(device, "ww_file_write: in is missing");
    expect_status(device, ww_file_write(device, at("old.bin"), ww_counting(&ww_type_uint32_t, 0, 4)), WW_INVALID);
    expect_sentence(device, "in is computed");
    assert_int_equal(symlink("nowhere", at("dangling")), 0);
    expect_status(device, ww_file_write(device, at("dangling"), ww_memory(x, 10)), WW_FILE);
    unlink(at("dangling"));

    /* A file system that takes no more than 64 KiB. */
    struct rlimit limit, small;
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 65536;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const ww_status full = ww_file_write(device, at("old.bin"), ww_memory(x, 100000));
    const ww_file_output both[] = {{at("old.bin"), ww_memory(x, 10)}, {at("new.npy"), ww_memory(x, 100000)}};
    expect_sentence(device, "old.bin", "65536 of 400000 bytes");
    const ww_status second_full = ww_file_write_all(device, both, 2, NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    expect_status(device, full, WW_FILE);
    expect_status(device, second_full, WW_FILE);

    expect(files_in_folder() == files);
    expect(get("old.bin", kept, sizeof kept) == 11 && strcmp(kept, "the old one") == 0);
    if (geteuid() != 0) {
        chmod(at("old.bin"), 0444);
        expect_status(device, ww_file_write(device, at("old.bin"), ww_memory(x, 10)), WW_FILE);
        chmod(at("old.bin"), 0644);
    } else {
        left_out("a file without write permission (this runs as root)");
    }
    unlink(at("old.bin"));
}

/* In a folder whose path is so long that a temporary file's would be too long: it is made from its folder, by its name alone. */
static void no_room_for_a_temporary_name(void **state) {
    (void)state;
    enum { FOLDER = PATH_MAX - 6 };
    static char path[PATH_MAX];
    uint32_t x[4] = {0};
    size_t length = (size_t)snprintf(path, sizeof path, "%s/", folder), made = 0, ends[64];
    CASE("file", "no room for a temporary name");
    while (length < FOLDER) {
        const size_t left = FOLDER - length, many = left <= 201 ? left - 1 : left < 203 ? 100 : 200;
        memset(path + length, 'd', many);
        path[length + many] = '\0';
        assert_int_equal(mkdir(path, 0777), 0);
        path[length + many] = '/';
        ends[made++] = length += many + 1;
    }
    strcpy(path + length, ".warp");
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    fclose(f);
    strcpy(path + length, "x");
    expect_status(device, ww_file_write(device, path, ww_memory(x, 4)), WW_OK);
    expect(unlink(path) == 0);
    strcpy(path + length, ".warp");
    expect(unlink(path) == 0);
    while (made) {
        path[ends[--made] - 1] = '\0';
        expect(rmdir(path) == 0);
    }
}

static void full_disk(void **state) {
    (void)state;
    static uint32_t x[1 << 18];
    CASE("file", "full disk");
    mkdir(at("disk"), 0777);
    if (mount("none", at("disk"), "tmpfs", 0, "size=64k")) {
        left_out("a full disk (no tmpfs can be mounted: %s)", strerror(errno));
        rmdir(at("disk"));
        return;
    }
    const ww_status status = ww_file_write(device, at("disk/x.bin"), ww_memory(x, 1 << 18));
    const int empty = umount(at("disk")) || rmdir(at("disk"));
    expect_status(device, status, WW_FILE);
    expect_sentence(device, "disk/x.bin", strerror(ENOSPC));
    expect(empty == 0);
}

static void keeps_links_and_permissions(void **state) {
    (void)state;
    uint32_t x[2] = {7, 8}, back[2] = {0, 0};
    struct stat status;
    CASE("file", "links and permissions");
    put("real.bin", "old", 3);
    chmod(at("real.bin"), 0640);
    assert_int_equal(symlink("real.bin", at("link.bin")), 0);
    expect_status(device, ww_file_write(device, at("link.bin"), ww_memory(x, 2)), WW_OK);
    assert_int_equal(lstat(at("link.bin"), &status), 0);
    expect(S_ISLNK(status.st_mode));
    assert_int_equal(stat(at("real.bin"), &status), 0);
    expect((status.st_mode & 07777) == 0640 && get("real.bin", back, sizeof back) == 8);
    expect_bytes(back, x, sizeof x);
    expect_status(device, ww_file_write(device, "/dev/null", ww_memory(x, 2)), WW_OK);
    assert_int_equal(stat("/dev/null", &status), 0);
    expect(S_ISCHR(status.st_mode));
    const mode_t mask = umask(027);
    expect_status(device, ww_file_write(device, at("new.bin"), ww_memory(x, 2)), WW_OK);
    umask(mask);
    assert_int_equal(stat(at("new.bin"), &status), 0);
    expect((status.st_mode & 07777) == 0640);
    unlink(at("link.bin"));
    unlink(at("real.bin"));
    unlink(at("new.bin"));
}

typedef struct watcher {
    uint64_t last, total;
    size_t calls, stop_at;
} watcher;

static bool watch(void *context, const char *path, uint64_t done, uint64_t total) {
    watcher *w = context;
    expect(path != NULL && done >= w->last && (total == 0 || done <= total));
    w->last = done;
    w->total = total;
    return ++w->calls != w->stop_at;
}

static void tells_and_stops(void **state) {
    (void)state;
    const size_t n = 6 << 20;
    uint32_t *x = need(n * 4);
    ww_file_array file;
    CASE("file", "progress");
    memset(x, 1, n * 4);
    watcher seen = {0, 0, 0, 0};
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = watch;
    options.context = &seen;
    const ww_file_output output = {at("x.bin"), ww_memory(x, n)};
    const size_t files = files_in_folder();
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_OK);
    expect(seen.last == n * 4 && seen.total == n * 4 && seen.calls >= 4);
    const size_t calls = seen.calls;
    unlink(at("x.bin"));
    for (size_t stop = 1; stop <= calls; stop++) {
        seen = (watcher){0, 0, 0, stop};
        expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_FILE);
        expect(files_in_folder() == files);
    }
    expect_status(device, ww_file_write_all(device, &output, 1, NULL), WW_OK);
    seen = (watcher){0, 0, 0, 0};
    expect_status(device,
                  ww_file_read_with(device, at("x.bin"), ww_array_of(NULL, 0, &ww_type_uint32_t), &file, &options),
                  WW_OK);
    expect(seen.last == n * 4 && seen.total == n * 4);
    ww_file_release(device, &file);
    seen = (watcher){0, 0, 0, 2};
    expect_status(device,
                  ww_file_read_with(device, at("x.bin"), ww_array_of(NULL, 0, &ww_type_uint32_t), &file, &options),
                  WW_FILE);
    expect_sentence(device, "stopped");
    options.size = 0;
    expect_status(device, ww_file_read_with(device, at("x.bin"), ww_none, &file, &options), WW_INVALID);
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_INVALID);
    expect_status(device, ww_file_write_all(device, NULL, 1, NULL), WW_INVALID);
    unlink(at("x.bin"));
    free(x);
}

static void survives_failing_memory(void **state) {
    (void)state;
    uint32_t x[5] = {1, 2, 3, 4, 5};
    CASE("file", "failing allocator");
    for (size_t fail_at = 0;; fail_at++) {
        assert_true(fail_at < 100);
        counting_allocator counter = {fail_at, 0, 0, 0, 0};
        ww_open_options options = WW_OPEN_OPTIONS;
        ww_device *own = NULL;
        ww_file_array file = {{NULL, 0, NULL, 0, NULL, 0}, {0, 0}};
        options.allocator = counting_allocator_use(&counter);
        ww_status status = ww_open_with("cpu", &own, &options);
        if (!status) status = ww_file_write(own, at("x.npy"), ww_memory(x, 5));
        if (!status) status = ww_file_read(own, at("x.npy"), ww_none, &file);
        assert_true(status == WW_OK || status == WW_MEMORY);
        ww_file_release(own, &file);
        ww_close(own);
        assert_int_equal(counter.live_blocks, 0);
        assert_int_equal(counter.live_bytes, 0);
        if (!status) break;
    }
    unlink(at("x.npy"));
}

static int set_up(void **state) {
    (void)state;
    if (!folder_make(folder, sizeof folder, "file")) return -1;
    return ww_open("cpu:threads=2", &device) != WW_OK;
}

static int tear_down(void **state) {
    (void)state;
    unlink(at("x.npy"));
    unlink(at("x.bin"));
    ww_close(device);
    if (rmdir(folder)) fprintf(stderr, "%s: is not empty\n", folder);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(npy_bytes_are_those_of_numpy),
        cmocka_unit_test(reads_what_others_write),
        cmocka_unit_test(refuses_hostile_npy),
        cmocka_unit_test(refuses_every_truncation),
        cmocka_unit_test(refuses_lying_header_lengths),
        cmocka_unit_test(asks_for_the_right_type),
        cmocka_unit_test(refuses_more_than_its_shape),
        cmocka_unit_test(refuses_bad_raw),
        cmocka_unit_test(reads_files_without_a_size),
        cmocka_unit_test(failed_writes_change_nothing),
        cmocka_unit_test(no_room_for_a_temporary_name),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(keeps_links_and_permissions),
        cmocka_unit_test(tells_and_stops),
        cmocka_unit_test(survives_failing_memory),
    };
    return cmocka_run_group_tests_name("file", tests, set_up, tear_down);
}
