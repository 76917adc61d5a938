/* ww_sort_file against serial oracles: types, orders, records, sizes around what memory holds, data, raw files and .npy, pipes; what
 * is merged in one pass, in several, in memory; the least memory; files that change or cannot be used; stopping. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "function/function.h"
#include "reference/sort.h"
#include "reference/sort_records.h"
#include "support/cases.h"

static int threads_allowed = -1; /* that can be started: -1: all */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    if (!threads_allowed) return EAGAIN;
    if (threads_allowed > 0) threads_allowed--;
    return __real_pthread_create(thread, attributes, run, argument);
}

/* ---- files ---- */

static char folder[200];

static int set_up(void **state) {
    (void)state;
    return folder_make(folder, sizeof folder, "sort-file") && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    static const char *const names[] = {"in", "in.npy", "out", "out.npy", "pipe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(names[i]);
    return chdir("/") || rmdir(folder) ? -1 : 0; /* nothing else is there */
}

static void put(const char *name, const void *head, size_t head_bytes, const void *bytes, size_t length) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(head, 1, head_bytes, f), head_bytes);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void expect_file(const char *name, const void *head, size_t head_bytes, const void *wanted, size_t length) {
    char *got = need(head_bytes + length + 1);
    FILE *f = fopen(name, "rb");
    expect(f != NULL);
    const size_t n = fread(got, 1, head_bytes + length + 1, f);
    fclose(f);
    expect(n == head_bytes + length);
    expect(memcmp(got, head, head_bytes) == 0);
    expect_bytes(got + head_bytes, wanted, length);
    free(got);
}

/* A header as NumPy writes it. */
static size_t npy_header(char header[128], const char *descr, size_t n) {
    memset(header, ' ', 128);
    memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
    const int length = snprintf(header + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }", descr,
                                n);
    header[10 + length] = ' ';
    header[127] = '\n';
    return 128;
}

/* ---- memory ---- */

/* The least that the sentence names. */
static uint64_t least_memory(ww_device *device, ww_array what, uint64_t key_bytes) {
    unsigned long long least = 0;
    ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
    o.memory = 1;
    o.key_bytes = key_bytes;
    put("in", "", 0, "", 0);
    expect_status(device, ww_sort_file(device, "in", what, "out", NULL, &o), WW_LIMIT);
    const char *sentence = strstr(ww_error(device), "at least ");
    expect(sentence && sscanf(sentence, "at least %llu", &least) == 1 && least > 1);
    return least;
}

/* What the caller is told. */
typedef struct told {
    uint64_t calls, done, total, stop_at; /* stop_at: calls */
    bool shrinks;                         /* the input is cut then, instead */
} told;

static bool listen(void *context, const char *path, uint64_t done, uint64_t total) {
    told *t = context;
    (void)path;
    t->calls++;
    if (strcmp(path, "out") == 0) {
        expect(done >= t->done && (total == 0 || done <= total));
        t->done = done;
        t->total = total;
    }
    if (t->calls != t->stop_at) return true;
    if (t->shrinks) expect(truncate("in", 4096) == 0);
    return t->shrinks;
}

/* Of the settings beyond the first ones each takes one row in five. */
static bool is_left_to_others(size_t setting, size_t row) {
    return setting >= setting_count_short() && (row + setting) % 5 != 0;
}

/* ---- numbers ---- */

typedef enum way { WHOLE, IN_MEMORY, ONE_MERGE, LEAST, WAYS } way;
static const char *const way_names[WAYS] = {"whole", "in-memory", "one-merge", "least"};

/* Enough for that way of sorting so many bytes. */
static uint64_t memory_for(way way, uint64_t least, uint64_t bytes) {
    const uint64_t mib = 1 << 20;
    return way == WHOLE       ? least + 4 * bytes
           : way == IN_MEMORY ? least + bytes + bytes / 4 * 3
           : way == ONE_MERGE ? least + 3 * mib
                              : least;
}

typedef struct row {
    const ww_type *type;
    size_t chunks, more; /* elements: so many chunks of the least memory, and some */
    shape shape;
    way way;
    bool descending, bits, npy;
} row;

enum { LEAST_CHUNK = 1 << 17 };

static const row rows[] = {
    {&ww_type_uint32_t, 0, 0, UNIFORM, LEAST, false, false, false},
    {&ww_type_uint32_t, 0, 0, UNIFORM, LEAST, false, false, true},
    {&ww_type_uint32_t, 0, 1, UNIFORM, LEAST, false, false, false},
    {&ww_type_uint32_t, 0, 2, REVERSED, LEAST, false, false, true},
    {&ww_type_uint32_t, 1, 0, UNIFORM, LEAST, false, false, false},
    {&ww_type_uint32_t, 8, 0, UNIFORM, LEAST, false, false, false},
    {&ww_type_uint32_t, 8, 1, REVERSED, LEAST, true, false, false},
    {&ww_type_uint32_t, 9, 7, SORTED, LEAST, false, false, true},
    {&ww_type_uint32_t, 17, 5, FEW, LEAST, false, true, false},
    {&ww_type_uint32_t, 12, 1, UNIFORM, LEAST, true, true, true},
    {&ww_type_uint32_t, 16, 0, CONSTANT, LEAST, false, false, false},
    {&ww_type_uint32_t, 20, 3, SKEWED, LEAST, false, false, false},
    {&ww_type_uint32_t, 20, 3, UNIFORM, WHOLE, false, false, true},
    {&ww_type_uint32_t, 40, 3, UNIFORM, IN_MEMORY, false, false, false},
    {&ww_type_uint32_t, 40, 3, FEW, IN_MEMORY, false, true, true},
    {&ww_type_uint32_t, 40, 9, UNIFORM, ONE_MERGE, false, false, false},
    {&ww_type_uint32_t, 40, 9, SKEWED, ONE_MERGE, false, true, true},
    {&ww_type_uint8_t, 10, 3, UNIFORM, LEAST, false, false, false},
    {&ww_type_uint16_t, 10, 3, UNIFORM, LEAST, true, false, true},
    {&ww_type_uint64_t, 10, 3, UNIFORM, LEAST, false, true, false},
    {&ww_type_int8_t, 9, 3, UNIFORM, LEAST, true, false, false},
    {&ww_type_int16_t, 9, 3, ADVERSARIAL, LEAST, false, false, false},
    {&ww_type_int32_t, 10, 3, UNIFORM, LEAST, false, false, true},
    {&ww_type_int64_t, 10, 3, ADVERSARIAL, ONE_MERGE, true, false, false},
    {&ww_type_float, 11, 3, ADVERSARIAL, LEAST, false, false, true},
    {&ww_type_double, 10, 3, ADVERSARIAL, LEAST, true, false, false},
#if WW_HAS_U128
    {&ww_type_ww_u128, 9, 3, UNIFORM, LEAST, false, false, false},
#endif
};

static const char *descr_of(const ww_type *type) {
    static char descr[8];
    const char kind = type->kind == WW_KIND_FLOAT ? 'f' : type->kind == WW_KIND_SIGNED ? 'i' : 'u';
    snprintf(descr, sizeof descr, "%c%c%zu", type->size == 1 ? '|' : '<', kind, type->size);
    return descr;
}

static void check_row(ww_device *device, const row *r, size_t n, ww_sort_options *o) {
    const size_t size = r->type->size;
    char header[128];
    const size_t head = r->npy ? npy_header(header, descr_of(r->type), n) : 0;
    unsigned char *keys = need(n * size + 1), *wanted = need(n * size + 1);
    uint32_t *positions = need(n * sizeof *positions + 1);
    const ww_array what = ww_array_of(NULL, 0, r->type);
    fill(keys, r->type, size, n, r->shape, seed_of_run() + n);
    reference_sort_positions((reference_order){r->type, o->descending, o->bit_first, o->bit_count}, keys, n, positions);
    for (size_t i = 0; i < n; i++) memcpy(wanted + i * size, keys + positions[i] * size, size);

    const uint64_t least = least_memory(device, what, 0);
    told t = {0};
    ww_sort_file_options f = WW_SORT_FILE_OPTIONS;
    f.memory = memory_for(r->way, least, n * size);
    f.folder = r->way == WHOLE || r->way == IN_MEMORY ? "/no such folder" : NULL; /* none is needed */
    f.progress = listen;
    f.context = &t;
    f.durable = n % 2;
    const char *in = r->npy ? "in.npy" : "in", *out = r->npy ? "out.npy" : "out";
    put(in, header, head, keys, n * size);
    expect_status(device, ww_sort_file(device, in, r->npy ? ww_none : what, out, o, &f), WW_OK);
    expect_file(out, header, head, wanted, n * size);
    expect_file(in, header, head, keys, n * size);
    expect(t.calls > 0 && t.done == t.total);
    if (!r->npy && !on_emulator()) { /* what files are is the host's matter, and each sort takes seconds there */
        const uint64_t once = 2 * n * size;
        expect(r->way == ONE_MERGE ? t.total <= 2 * once
               : r->way == LEAST   ? t.total % (once + !once) == 0
                                   : t.total == once);
        /* In place, raw to .npy, and .npy to raw. */
        expect_status(device, ww_sort_file(device, in, what, "out.npy", o, &f), WW_OK);
        if (size <= 8) expect_file("out.npy", header, npy_header(header, descr_of(r->type), n), wanted, n * size);
        expect_status(device, ww_sort_file(device, "out.npy", what, "out.npy", o, &f), WW_OK);
        expect_status(device, ww_sort_file(device, "out.npy", what, in, o, &f), WW_OK);
        expect_file(in, header, 0, wanted, n * size);
    }
    free(keys), free(wanted), free(positions);
}

static void numbers(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const row *r = &rows[k];
        if (on_emulator() && (k % 8 != 5 || r->chunks > 12)) continue; /* each chunk is a sort of its own */
        const size_t chunks = on_emulator() && r->chunks > 2 ? 2 : r->chunks;
        const size_t n = chunks * (LEAST_CHUNK / r->type->size) + r->more;
        ww_sort_options o = WW_SORT_OPTIONS;
        o.descending = r->descending;
        if (r->bits) o.bit_first = 3, o.bit_count = 7;
        for (size_t s = 0; s < settings; s++) {
            if (is_left_to_others(s, k)) continue;
            CASE("sort file", "%s %s n=%zu %s %s%s%s%s seed=%llu", setting_name(s), r->type->label, n,
                 shape_name(r->shape), way_names[r->way], r->descending ? " descending" : "", r->bits ? " bits" : "",
                 r->npy ? " npy" : "", (unsigned long long)seed_of_run());
            if (case_wanted()) check_row(devices[s], r, n, &o);
        }
    }
    settings_close(devices, settings);
}

/* ---- records ---- */

typedef struct layout {
    size_t size, first, bytes, n;
    bool descending;
} layout;

/* Keys of two values in each byte but the last: ties are many. Longer than a page; nothing but key; odd sizes. */
static const layout layouts[] = {
    {12, 1, 1, 50000, false},    {100, 0, 10, 9000, false},    {100, 3, 1, 9000, true},
    {16, 0, 16, 30000, false},   {4, 0, 4, 100000, true},      {999, 12, 17, 900, false},
    {4097, 4000, 90, 200, true}, {65536, 65000, 3, 20, false}, {9000, 100, 5000, 90, false},
};

static void check_layout(ww_device *device, const layout *l) {
    const ww_array what = ww_records(NULL, 0, l->size);
    unsigned char *in = need(l->n * l->size), *wanted = need(l->n * l->size);
    uint32_t *positions = need(l->n * sizeof *positions);
    fill(in, &ww_type_record, l->size, l->n, UNIFORM, seed_of_run() + l->size);
    for (size_t i = 0; i < l->n; i++)
        for (size_t b = 0; b < l->bytes; b++) {
            unsigned char *key = in + i * l->size + l->first + b;
            *key = b + 1 == l->bytes ? *key % 50 : b % 7 ? 0 : *key % 2;
        }
    reference_sort_records(in, l->n, l->size, l->first, l->bytes, l->descending, positions);
    for (size_t i = 0; i < l->n; i++) memcpy(wanted + i * l->size, in + positions[i] * l->size, l->size);
    ww_sort_options o = WW_SORT_OPTIONS;
    ww_sort_file_options f = WW_SORT_FILE_OPTIONS;
    o.descending = l->descending;
    f.memory = least_memory(device, what, l->bytes);
    f.key_first = l->first;
    f.key_bytes = l->bytes;
    f.folder = ".";
    put("in", "", 0, in, l->n * l->size);
    expect_status(device, ww_sort_file(device, "in", what, "out", &o, &f), WW_OK);
    expect_file("out", "", 0, wanted, l->n * l->size);
    f.memory = 0;
    expect_status(device, ww_sort_file(device, "in", what, "out", &o, &f), WW_OK);
    expect_file("out", "", 0, wanted, l->n * l->size);
    free(in), free(wanted), free(positions);
}

static void records(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = NULL;
        for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
            const layout *l = &layouts[k];
            if (is_left_to_others(s, k)) continue;
            if (on_emulator() && k != 7) continue;
            CASE("sort file of records", "%s size=%zu key=%zu:%zu n=%zu%s seed=%llu", setting_name(s), l->size,
                 l->first, l->bytes, l->n, l->descending ? " descending" : "", (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            if (!device) device = setting_open(s);
            check_layout(device, l);
        }
        ww_close(device);
    }
}

/* ---- pipes ---- */

typedef struct feed {
    const char *head, *bytes;
    size_t head_bytes, count;
} feed;

static void *feed_pipe(void *argument) {
    const feed *f = argument;
    FILE *pipe = fopen("pipe", "wb");
    if (!pipe) return NULL;
    fwrite(f->head, 1, f->head_bytes, pipe);
    fwrite(f->bytes, 1, f->count, pipe);
    fclose(pipe);
    return NULL;
}

/* Standard input, which may begin as a .npy file, from a pipe whose length nobody knows before. */
static ww_status sort_from_pipe(ww_device *device, feed *f, ww_array what, uint64_t memory) {
    pthread_t thread;
    const int kept = dup(STDIN_FILENO);
    unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(__real_pthread_create(&thread, NULL, feed_pipe, f), 0);
    const int fd = open("pipe", O_RDONLY);
    assert_true(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
    ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
    o.memory = memory;
    const ww_status status = ww_sort_file(device, "-", what, "out", NULL, &o);
    char rest[4096];
    while (read(STDIN_FILENO, rest, sizeof rest) > 0) {}
    pthread_join(thread, NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
    return status;
}

static void pipes(void **state) {
    (void)state;
    if (left_out_on_gpu("pipes are read by the host")) return;
    enum { CHUNK = LEAST_CHUNK / 8 };
    static const size_t counts[] = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const size_t n = counts[c];
        CASE("sort file from a pipe", "n=%zu seed=%llu", n, (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        ww_device *device = setting_open(0);
        const ww_array what = ww_array_of(NULL, 0, &ww_type_uint64_t);
        const uint64_t least = least_memory(device, what, 0);
        char header[128];
        uint64_t *keys = need(n * 8 + 8);
        uint32_t *positions = need(n * 4 + 4);
        char *wanted = need(n * 8 + 8);
        fill(keys, &ww_type_uint64_t, 8, n + 1, UNIFORM, seed_of_run() + n);
        reference_sort_positions((reference_order){.type = &ww_type_uint64_t}, keys, n, positions);
        for (size_t i = 0; i < n; i++) memcpy(wanted + i * 8, keys + positions[i], 8);
        feed f = {header, (const char *)keys, 0, n * 8};
        expect_status(device, sort_from_pipe(device, &f, what, least), WW_OK);
        expect_file("out", "", 0, wanted, n * 8);
        f.head_bytes = npy_header(header, "<u8", n);
        expect_status(device, sort_from_pipe(device, &f, ww_none, least), WW_OK);
        expect_file("out", "", 0, wanted, n * 8);
        f.count += 3;
        expect_status(device, sort_from_pipe(device, &f, ww_none, least), WW_FORMAT);
        expect_sentence(device, "standard input: its shape has", "there are more than");
        f.head_bytes = 0;
        expect_status(device, sort_from_pipe(device, &f, what, least), WW_FORMAT);
        expect_sentence(device, "standard input: has", "and 3 bytes more");
        f.count -= 3;
        if (n) {
            f.head_bytes = npy_header(header, "<u8", n + 1);
            expect_status(device, sort_from_pipe(device, &f, ww_none, least), WW_FORMAT);
            expect_sentence(device, "standard input: its shape has", "bytes after the header");
        }
        expect_file("out", "", 0, wanted, n * 8); /* as it was */
        free(keys), free(positions), free(wanted);
        ww_close(device);
    }
}

/* ---- what else a file can be ---- */

static void other_byte_order(void **state) {
    (void)state;
    CASE("sort file", "the other byte order");
    if (!case_wanted()) return;
    enum { N = 100000 };
    ww_device *device = setting_open(0);
    char header[128];
    uint32_t *keys = need(N * 4), *wanted = need(N * 4), *positions = need(N * 4);
    fill(keys, &ww_type_uint32_t, 4, N, UNIFORM, seed_of_run());
    reference_sort_positions((reference_order){.type = &ww_type_uint32_t}, keys, N, positions);
    for (size_t i = 0; i < N; i++) wanted[i] = keys[positions[i]];
    for (size_t i = 0; i < N; i++) keys[i] = __builtin_bswap32(keys[i]);
    ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
    o.memory = least_memory(device, ww_array_of(NULL, 0, &ww_type_uint32_t), 0);
    put("in.npy", header, npy_header(header, ">u4", N), keys, N * 4);
    expect_status(device, ww_sort_file(device, "in.npy", ww_none, "out", NULL, &o), WW_OK);
    expect_file("out", "", 0, wanted, N * 4);
    free(keys), free(wanted), free(positions);
    ww_close(device);
}

/* Reading and writing go on without threads of their own. */
static void no_threads(void **state) {
    (void)state;
    enum { N = 200000 };
    const row r = {&ww_type_uint32_t, 0, N, UNIFORM, LEAST, false, false, false};
    ww_sort_options o = WW_SORT_OPTIONS;
    for (int allowed = 0; allowed < 2; allowed++) {
        CASE("sort file", "%d threads can be started", allowed);
        if (!case_wanted()) continue;
        ww_device *device = NULL;
        assert_int_equal(ww_open("cpu:threads=1", &device), WW_OK);
        if (allowed == 0) {
            threads_allowed = 0;
            check_row(device, &r, N, &o);
        } else {
            ww_sort_file_options f = WW_SORT_FILE_OPTIONS;
            put("in", "", 0, "abcd", 4);
            threads_allowed = 1;
            expect_status(device, ww_sort_file(device, "in", ww_array_of(NULL, 0, &ww_type_uint8_t), "out", NULL, &f),
                          WW_MEMORY);
            expect_sentence(device, "no thread");
        }
        threads_allowed = -1;
        ww_close(device);
    }
}

/* ---- failures ---- */

static void stopping(void **state) {
    (void)state;
    enum { N = 300000 };
    uint32_t *keys = need(N * 4);
    memset(keys, 7, N * 4);
    for (uint64_t call = 1; call < 60; call += 1 + call / (on_emulator() ? 1 : 4)) {
        CASE("sort file", "stopped at call %d", (int)call);
        if (!case_wanted()) continue;
        ww_device *device = setting_open(0);
        ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
        o.memory = least_memory(device, ww_array_of(NULL, 0, &ww_type_uint32_t), 0);
        told t = {.stop_at = call};
        o.progress = listen;
        o.context = &t;
        put("in", "", 0, keys, N * 4);
        put("out", "", 0, "before", 6);
        const ww_status status = ww_sort_file(device, "in", ww_array_of(NULL, 0, &ww_type_uint32_t), "out", NULL, &o);
        expect_status(device, status, t.calls >= call ? WW_FILE : WW_OK);
        if (status) expect_sentence(device, "stopped after");
        if (status) expect_file("out", "", 0, "before", 6);
        expect_file("in", "", 0, keys, N * 4);
        ww_close(device);
    }
    free(keys);
}

static void shrinking(void **state) {
    (void)state;
    CASE("sort file", "the input shrinks");
    if (!case_wanted()) return;
    enum { N = 3000000 };
    ww_device *device = setting_open(0);
    uint32_t *keys = need(N * 4);
    memset(keys, 7, N * 4);
    ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
    o.memory = least_memory(device, ww_array_of(NULL, 0, &ww_type_uint32_t), 0);
    told t = {.stop_at = 2, .shrinks = true};
    o.progress = listen;
    o.context = &t;
    put("in", "", 0, keys, N * 4);
    put("out", "", 0, "before", 6);
    expect_status(device, ww_sort_file(device, "in", ww_array_of(NULL, 0, &ww_type_uint32_t), "out", NULL, &o),
                  WW_FILE);
    expect_sentence(device, "in: shrank while it was read", "of its 12000000 bytes");
    expect_file("out", "", 0, "before", 6);
    free(keys);
    ww_close(device);
}

static void refusals(void **state) {
    (void)state;
    CASE("sort file", "refusals");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    const ww_array u32 = ww_array_of(NULL, 0, &ww_type_uint32_t), f32 = ww_array_of(NULL, 0, &ww_type_float);
    const ww_array rec = ww_records(NULL, 0, 5);
    char header[128], path[40];
    ww_sort_options s = WW_SORT_OPTIONS;
    ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
    put("in", "", 0, "12345678", 8);
    put("out", "", 0, "before", 6);
#define REFUSED(status, in, what, out, ...) \
    expect_status(device, ww_sort_file(device, in, what, out, &s, &o), status); \
    expect_sentence(device, "ww_sort_file: ", __VA_ARGS__); \
    expect_file("out", "", 0, "before", 6)
    REFUSED(WW_INVALID, NULL, u32, "out", "in is NULL");
    REFUSED(WW_INVALID, "in", u32, NULL, "out is NULL");
    REFUSED(WW_INVALID, "in", ww_none, "out", "in: is raw, so the type");
    REFUSED(WW_FILE, "nothing", u32, "out", "nothing: cannot be opened");
    REFUSED(WW_FILE, ".", u32, "out", "is a folder");
    REFUSED(WW_FILE, "in", u32, "no/out", "no file can be made in the folder no/");
    REFUSED(WW_FILE, "in", u32, ".", "is a folder");
    REFUSED(WW_FORMAT, "in", rec, "out", "in: has 8 bytes, which are 1 elements of 5 bytes and 3 bytes more");
    REFUSED(WW_TYPE, "in", ww_records(NULL, 0, 4), "out", "no order");
    put("in.npy", header, npy_header(header, "<u4", 5), "12345678", 8);
    REFUSED(WW_FORMAT, "in.npy", ww_none, "out", "in.npy: its shape has 5 elements of 4 bytes; there are 8 bytes");
    put("in.npy", header, 60, "", 0);
    REFUSED(WW_FORMAT, "in.npy", ww_none, "out", "in.npy: ends inside its header");
    o.key_first = 1;
    REFUSED(WW_INVALID, "in", u32, "out", "key_first is 1 and key_bytes 0");
    o.key_bytes = 4;
    REFUSED(WW_INVALID, "in", u32, "out", "a key of 4 bytes from byte 1 on is not in records of 4 bytes");
    s.bit_count = 3;
    o.key_first = 0;
    REFUSED(WW_INVALID, "in", u32, "out", "only descending");
    o.key_bytes = 0;
    REFUSED(WW_TYPE, "in", f32, "out", "bits");
    s = (ww_sort_options)WW_SORT_OPTIONS;
    o.reserved[3] = 1;
    expect_status(device, ww_sort_file(device, "in", u32, "out", &s, &o), WW_INVALID);
    o.reserved[3] = 0;

    /* What would be written while it is read. */
    const int fd = open("in", O_RDWR);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    REFUSED(WW_INVALID, "in", u32, path, "is the input");
    close(fd);
    expect_file("in", "", 0, "12345678", 8);
    const int out = open("out", O_RDWR | O_TRUNC);
    snprintf(path, sizeof path, "/dev/fd/%d", out);
    expect_status(device, ww_sort_file(device, "in", u32, path, &s, &o), WW_OK);
    close(out);
    expect_file("out", "", 0, "12345678", 8);

    /* The temporary file's folder. */
    enum { N = 200000 };
    uint32_t *keys = need(N * 4);
    memset(keys, 7, N * 4);
    put("in", "", 0, keys, N * 4);
    put("out", "", 0, "before", 6);
    o.memory = least_memory(device, u32, 0);
    put("in", "", 0, keys, N * 4);
    o.folder = "no such folder";
    REFUSED(WW_FILE, "in", u32, "out", "no such folder: no temporary file can be made there");
    free(keys);
    ww_close(device);
}

/* Each allocation fails in turn. */
static void out_of_memory(void **state) {
    (void)state;
    CASE("sort file", "out of memory");
    if (!case_wanted() || on_gpu()) return;
    enum { N = 200000 };
    uint32_t *keys = need(N * 4);
    memset(keys, 7, N * 4);
    bool succeeded = false;
    for (size_t fail = 0; !succeeded; fail++) {
        counting_allocator counter = {.fail_at = SIZE_MAX};
        ww_device *device = NULL;
        ww_open_options open_options = WW_OPEN_OPTIONS;
        open_options.allocator = counting_allocator_use(&counter);
        expect_status(device, ww_open_with("cpu:threads=1", &device, &open_options), WW_OK);
        ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
        o.memory = least_memory(device, ww_array_of(NULL, 0, &ww_type_uint32_t), 0);
        put("in", "", 0, keys, N * 4);
        put("out", "", 0, "before", 6);
        const size_t held = counter.live_bytes;
        counter.fail_at = counter.requests + fail;
        const ww_status status = ww_sort_file(device, "in", ww_array_of(NULL, 0, &ww_type_uint32_t), "out", NULL, &o);
        succeeded = status == WW_OK;
        if (!succeeded) expect(status == WW_MEMORY);
        if (!succeeded) expect_file("out", "", 0, "before", 6);
        if (succeeded) expect(counter.peak_bytes - held < o.memory);
        ww_close(device);
        expect(counter.live_blocks == 0);
    }
    free(keys);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),    cmocka_unit_test(records),          cmocka_unit_test(pipes),
        cmocka_unit_test(no_threads), cmocka_unit_test(other_byte_order), cmocka_unit_test(stopping),
        cmocka_unit_test(shrinking),  cmocka_unit_test(refusals),         cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
