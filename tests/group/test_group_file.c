/* Files that ranks read and write together: parts beside the whole file as one device reads it, files beside those that one device
 * writes; and whatever fails on whichever rank, nothing is left but what was there. */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/groups.h"

enum { N_MOST = 5000 };

static char folder[200];

static int set_up(void **state) {
    (void)state;
    return folder_make(folder, sizeof folder, "group-file") && !chdir(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    unlink("in"), unlink("in.npy"), unlink("one"), unlink("one.npy"), unlink("swapped.npy"), unlink("old");
    return chdir("/") || rmdir(folder);
}

static void put(const char *name, const void *bytes, size_t length) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    fclose(f);
}

static size_t slurp(const char *name, unsigned char *to, size_t room) {
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    const size_t length = fread(to, 1, room, f);
    fclose(f);
    return length;
}

static size_t files_here(void) {
    size_t n = 0;
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

/* ---- reading ---- */

typedef struct reading {
    const char *path;
    ww_array what;
    unsigned char *to; /* parts, one behind the other */
    uint64_t count[RANKS_MOST];
    uint32_t bad_rank; /* whose progress stops it, or makes the file shorter */
    int bad;           /* 0: none, 1: stops, 2: shrinks, 3: has another path */
    ww_status status[RANKS_MOST];
} reading;

typedef struct teller {
    const void *of; /* the reading or writing */
    uint32_t rank;
} teller;

static bool tell(void *context, const char *path, uint64_t done, uint64_t total) {
    const teller *t = context;
    const reading *r = t->of;
    (void)done;
    if (t->rank != r->bad_rank || !total) return true;
    return r->bad == 2 ? !truncate(path, 200) : r->bad != 1;
}

static ww_status read_part(ww_group *group, void *context) {
    reading *r = context;
    const uint32_t rank = ww_group_rank(group);
    const teller t = {r, rank};
    ww_file_options options = WW_FILE_OPTIONS;
    ww_file_array part;
    options.progress = tell;
    options.context = (void *)&t;
    const char *path = r->bad == 3 && rank == r->bad_rank ? "one" : r->path;
    const ww_status status = ww_group_file_read(group, path, r->what, &part, &options);
    r->status[rank] = status;
    if (status) return status;
    r->count[rank] = part.array.count;
    const uint64_t ranks = ww_group_ranks(group), n = r->what.count, each = n / ranks, more = n % ranks;
    const uint64_t first = each * rank + (rank < more ? rank : more);
    if (part.array.count) memcpy(r->to + first * part.array.size, part.array.data, part.array.count * part.array.size);
    ww_file_release(ww_group_device(group), &part);
    return WW_OK;
}

static void write_one(const char *path, void *data, size_t n, const ww_type *type) {
    ww_device *device;
    expect(ww_open("cpu:threads=1", &device) == WW_OK);
    expect_status(device, ww_file_write(device, path, ww_memory_of(data, n, type)), WW_OK);
    ww_close(device);
}

static void parts_are_read(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 15, 16, 17, N_MOST};
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_double, &ww_type_uint8_t};
    static unsigned char data[N_MOST * 8], to[N_MOST * 8];
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    for (size_t k = 0; k < many; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const size_t n = sizes[i], t = (i + k) % 3;
            const bool npy = (i + k) % 2;
            const ww_type *type = types[t];
            CASE("group file read", "%u ranks, n=%zu %s %s", ranks[k], n, type->label, npy ? "npy" : "raw");
            if (!case_wanted()) continue;
            reading r = {.path = npy ? "in.npy" : "in", .what = ww_array_of(NULL, n, type), .to = to};
            fill(data, type, type->size, n, UNIFORM, seed_of_run() + i);
            write_one(r.path, data, n, type);
            memset(to, 0xA5, sizeof to);
            group_do(ranks[k], read_part, &r);
            for (uint32_t rank = 0; rank < ranks[k]; rank++)
                expect(r.count[rank] == n / ranks[k] + (rank < n % ranks[k]));
            expect_elements(to, data, n, type->size);
        }
}

static void order_of_bytes(void **state) {
    (void)state;
    unsigned char file[128 + 40], to[40];
    uint32_t wanted[10];
    reading r = {.path = "swapped.npy", .what = ww_array_of(NULL, 10, &ww_type_uint32_t), .to = to};
    CASE("group file read", "%s", "big-endian");
    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    const int length = snprintf((char *)file + 10, 118, "{'descr': '>u4', 'fortran_order': False, 'shape': (10,), }");
    file[10 + length] = ' ';
    file[127] = '\n';
    for (uint32_t i = 0; i < 40; i++) file[128 + i] = (unsigned char)(7 * i);
    for (uint32_t i = 0; i < 10; i++)
        wanted[i] = (28 * i) % 256 << 24 | (28 * i + 7) % 256 << 16 | (28 * i + 14) % 256 << 8 | (28 * i + 21) % 256;
    put("swapped.npy", file, sizeof file);
    group_do(3, read_part, &r);
    expect_elements(to, (unsigned char *)wanted, 10, 4);
}

static void reading_fails(void **state) {
    (void)state;
    static unsigned char data[4000], to[4000];
    static const struct {
        const char *path, *says;
        int bad;
        size_t bytes;
        ww_status status;
    } cases[] = {{"in", "rank 1: in: stopped", 1, 4000, WW_FILE},
                 {"in", "in: shrank while it was read: it ends at byte ", 2, 4000, WW_FILE},
                 {"in", "rank 1 sees another file than rank 0 as in: elements: 25, not 1000", 3, 4000, WW_FORMAT},
                 {"in", "rank 0: in: has 3999 bytes", 0, 3999, WW_FORMAT},
                 {"none", "rank 0: none: cannot be opened", 0, 0, WW_FILE},
                 {"-", "rank 0: standard input: is no regular file", 0, 0, WW_INVALID},
                 {"/dev/null", "rank 0: /dev/null: is no regular file", 0, 0, WW_INVALID},
                 {".", "rank 0: .: is a folder", 0, 0, WW_FILE},
                 {"cut.npy", "rank 0: cut.npy: ", 0, 40, WW_FORMAT}};
    put("one", data, 100);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading r = {.path = cases[i].path,
                     .what = ww_array_of(NULL, 1000, &ww_type_uint32_t),
                     .to = to,
                     .bad_rank = cases[i].bad == 2 ? 2 : 1,
                     .bad = cases[i].bad};
        CASE("group file read fails", "%s", cases[i].says);
        if (!case_wanted()) continue;
        if (cases[i].bytes) put(cases[i].path, data, cases[i].bytes);
        expect(group_run(3, read_part, &r) == cases[i].status);
        expect_group_said(cases[i].says);
        for (uint32_t k = 0; k < 3; k++) expect(r.status[k] == cases[i].status);
    }
    unlink("cut.npy");
}

/* ---- writing ---- */

typedef struct writing {
    const char *path, *second; /* or NULL */
    unsigned char *from;
    const ww_type *type;
    size_t first[RANKS_MOST + 1];
    uint32_t bad_rank;
    int bad; /* 1: stops at once, 2: when all is written, 3: has another type, 4: its array is computed */
    ww_status status[RANKS_MOST];
} writing;

static bool tell_written(void *context, const char *path, uint64_t done, uint64_t total) {
    const teller *t = context;
    const writing *w = t->of;
    (void)path;
    if (t->rank != w->bad_rank) return true;
    return w->bad == 1 ? false : w->bad == 2 ? !total || done < total : true;
}

static ww_status write_part(ww_group *group, void *context) {
    writing *w = context;
    const uint32_t rank = ww_group_rank(group);
    const size_t size = w->type->size;
    const teller t = {w, rank};
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = tell_written;
    options.context = (void *)&t;
    options.durable = rank % 2 == 0 && w->bad == 5; /* which differs */
    const bool is_bad = rank == w->bad_rank;
    ww_array part = ww_array_of(w->from + w->first[rank] * size, w->first[rank + 1] - w->first[rank], w->type);
    if (is_bad && w->bad == 3) part = ww_array_of(part.data, 0, &ww_type_uint16_t);
    const ww_input in = is_bad && w->bad == 4 ? ww_counting(w->type, 0, part.count) : ww_from(part);
    const ww_file_output outputs[2] = {{w->path, in}, {w->second, in}};
    return w->status[rank] = ww_group_file_write_all(group, outputs, w->second ? 2 : 1, &options);
}

static void expect_same_file(const char *a, const char *b) {
    static unsigned char one[N_MOST * 8 + 1000], other[N_MOST * 8 + 1000];
    const size_t bytes = slurp(a, one, sizeof one);
    expect(bytes == slurp(b, other, sizeof other));
    expect_bytes(one, other, bytes);
}

static void files_are_written(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 17, N_MOST};
    static unsigned char data[N_MOST * 8];
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    for (size_t k = 0; k < many; k++)
        for (size_t i = 0; i < 4 * CUTS; i++) {
            const size_t n = sizes[i % 4];
            const bool npy = (i + k) % 2;
            const ww_type *type = (i + k) % 3 ? &ww_type_uint32_t : &ww_type_double;
            writing w = {.path = npy ? "out.npy" : "out",
                         .second = i % 3 ? NULL : "second",
                         .from = data,
                         .type = type,
                         .bad_rank = RANKS_MOST};
            CASE("group file write", "%u ranks, n=%zu %s %s %s", ranks[k], n, type->label, npy ? "npy" : "raw",
                 cut_name((cut)(i / 4)));
            if (!case_wanted()) continue;
            fill(data, type, type->size, n, UNIFORM, seed_of_run() + i);
            cut_blocks((cut)(i / 4), n, ranks[k], seed_of_run() + i, w.first);
            const bool replaces = i % 2;
            if (replaces) put(w.path, "old", 3);
            if (replaces) expect(!chmod(w.path, 0640));
            const size_t before = files_here();
            group_do(ranks[k], write_part, &w);
            struct stat status;
            expect(!stat(w.path, &status) && (!replaces || (status.st_mode & 0777) == 0640));
            expect(files_here() == before + !replaces + (w.second != NULL));
            write_one(npy ? "one.npy" : "one", data, n, type);
            expect_same_file(w.path, npy ? "one.npy" : "one");
            if (w.second) {
                write_one("one", data, n, type);
                expect_same_file(w.second, "one");
                unlink("second");
            }
            unlink(w.path), unlink("one"), unlink("one.npy");
        }
}

static void writing_fails(void **state) {
    (void)state;
    static unsigned char data[4000];
    static const struct {
        const char *path, *second, *says;
        int bad;
        uint32_t rank;
        ww_status status;
    } cases[] = {{"old", NULL, "rank 1: old: stopped", 1, 1, WW_FILE},
                 {"old", "second", "rank 2: old: stopped", 2, 2, WW_FILE},
                 {"old", "second", "rank 0: old: stopped", 2, 0, WW_FILE},
                 {"old", NULL, "rank 1 was given other functions, types", 3, 1, WW_INVALID},
                 {"old", NULL, "rank 1 was given other functions, types, numbers or options", 5, 3, WW_INVALID},
                 {"old", NULL, "rank 2: in is computed", 4, 2, WW_INVALID},
                 {"old", "old", "outputs[0] and outputs[1] would be one file", 0, 9, WW_INVALID},
                 {"none/out", NULL, "rank 0: none/out: no file can be made", 0, 9, WW_FILE},
                 {"-", NULL, "standard output: is no regular file", 0, 9, WW_INVALID},
                 {"/dev/null", NULL, "/dev/null: is no regular file", 0, 9, WW_INVALID}};
    put("old", "before", 6);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writing w = {.path = cases[i].path,
                     .second = cases[i].second,
                     .from = data,
                     .type = &ww_type_uint32_t,
                     .bad_rank = cases[i].rank,
                     .bad = cases[i].bad};
        unsigned char old[10];
        CASE("group file write fails", "%s %s", cases[i].path, cases[i].says);
        if (!case_wanted()) continue;
        cut_blocks(CUT_EVENLY, 1000, 3, 0, w.first);
        const size_t before = files_here();
        expect(group_run(3, write_part, &w) == cases[i].status);
        expect_group_said(cases[i].says);
        for (uint32_t k = 0; k < 3; k++) expect(w.status[k] == cases[i].status);
        expect(files_here() == before);
        expect(slurp("old", old, sizeof old) == 6 && !memcmp(old, "before", 6));
    }
}

/* ---- memory ---- */

static ww_status read_and_write(ww_device *device) {
    ww_engine engine;
    ww_group *group = NULL;
    ww_file_array part;
    if (ww_engines_local(1, &engine)) return WW_MEMORY;
    ww_status status = ww_group_open(device, &engine, NULL, &group);
    if (!group) engine.close(engine.state);
    if (!status) status = ww_group_file_read(group, "in", ww_array_of(NULL, 0, &ww_type_uint32_t), &part, NULL);
    if (!status) {
        const ww_file_output output = {"out.npy", ww_from(part.array)};
        status = ww_group_file_write_all(group, &output, 1, NULL);
        ww_file_release(device, &part);
    }
    ww_group_close(group);
    return status;
}

static void memory_runs_out(void **state) {
    (void)state;
    static unsigned char data[4000];
    ww_status status = WW_MEMORY;
    put("in", data, sizeof data);
    const size_t before = files_here();
    for (size_t k = 0; status; k++) {
        counting_allocator memory = {.fail_at = k};
        ww_open_options options = WW_OPEN_OPTIONS;
        ww_device *device;
        CASE("group file memory", "request %zu fails", k);
        options.allocator = counting_allocator_use(&memory);
        status = ww_open_with("cpu:threads=1", &device, &options);
        if (!status) status = read_and_write(device);
        expect(status == WW_OK || status == WW_MEMORY);
        ww_close(device);
        expect(memory.live_blocks == 0);
        expect(files_here() == before + !status);
    }
    unlink("out.npy");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_runs_out),   cmocka_unit_test(parts_are_read),
                                       cmocka_unit_test(order_of_bytes),    cmocka_unit_test(reading_fails),
                                       cmocka_unit_test(files_are_written), cmocka_unit_test(writing_fails)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
