/* Arrays in the host's own memory, given to calls on a GPU: they are staged. That every public function then does what it does on
 * a CPU is test_wrong_arguments.c's matter; here it is how much is copied, through how many pieces, what of an output changes,
 * what happens when something fails, and what may be asked for instead. On a CPU the same calls run on the same arrays. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/failing_driver.h"
#include "support/traced.h"

WW_MAP2(sum_of, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a + b; });
WW_MAP(is_even, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x % 2 == 0); });

enum { HALF = 4 << 20 /* of pinned memory: stage.c */, POISON = 0x3C };

static ww_device *open_staging(void) { return setting_open_with(0, WW_HOST_MEMORY_STAGED); }

/* An output of u32 in the host's memory, only as aligned as its elements. */
static guarded new_output(size_t n) {
    guarded g = guarded_in_host(4 * n, 4);
    memset(g.data, POISON, g.bytes);
    return g;
}

static void expect_untouched(const guarded *g) {
    const unsigned char *const bytes = g->data;
    for (size_t i = 0; i < g->bytes; i++) expect(bytes[i] == POISON);
    guarded_check(g);
}

/* ---- bytes through pinned memory ---- */

/* What copies from memory that the GPU reaches read: nobody changes it before the host has waited. */
enum { READ_MOST = 64 };
static struct {
    ww_status (*copy)(ww__driver *driver, void *to, const void *from, size_t bytes);
    ww_status (*sync)(ww__driver *driver);
    const void *from[READ_MOST];
    void *image[READ_MOST];
    size_t bytes[READ_MOST], many;
} read_late;

static ww_status copy_read_late(ww__driver *driver, void *to, const void *from, size_t bytes) {
    if (driver->place(driver, from) == WW__PLACE_HOST && driver->place(driver, to) == WW__PLACE_DEVICE) {
        expect(read_late.many < READ_MOST);
        void *const image = malloc(bytes);
        expect(image != NULL);
        read_late.from[read_late.many] = from;
        read_late.image[read_late.many] = memcpy(image, from, bytes);
        read_late.bytes[read_late.many++] = bytes;
    }
    return read_late.copy(driver, to, from, bytes);
}

static ww_status sync_read_late(ww__driver *driver) {
    for (size_t i = 0; i < read_late.many; i++) {
        expect_bytes(read_late.from[i], read_late.image[i], read_late.bytes[i]);
        free(read_late.image[i]);
    }
    read_late.many = 0;
    return read_late.sync(driver);
}

static void watch_reads(ww__driver *driver) {
    read_late.copy = driver->copy;
    read_late.sync = driver->sync;
    read_late.many = 0;
    driver->copy = copy_read_late;
    driver->sync = sync_read_late;
}

/* Of every number of bytes around the pieces, from and to any alignment. The driver's copies are as late as they may be. */
static void pieces(void **state) {
    (void)state;
    static const size_t sizes[] = {1,    2,        63,       (32 << 10) - 1, 32 << 10, (32 << 10) + 1, HALF - 1,
                                   HALF, HALF + 1, 2 * HALF, 2 * HALF + 1,   3 * HALF, 5 * HALF + 4097};
    ww_device *device = open_staging();
    failing_driver f = {.deeds = 0, .fail_at = SIZE_MAX};
    if (on_gpu()) {
        failing_driver_begin(device, &f);
        watch_reads(device->gpu->driver);
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size_t n = sizes[k];
        CASE("host memory", "%s %zu bytes", setting_name(0), n);
        if (!case_wanted()) continue;
        guarded in = guarded_in_host(n, k), out = guarded_in_host(n, 3 * k + 1);
        fill(in.data, &ww_type_uint8_t, 1, n, UNIFORM, seed_of_run() + k);
        const ww_status status = ww_store(device, ww_memory((const uint8_t *)in.data, n),
                                          ww_array((uint8_t *)out.data, n));
        expect(!f.under_way); /* expect_status waits */
        expect_status(device, status, WW_OK);
        expect_bytes(out.data, in.data, n);
        guarded_check(&in), guarded_check(&out);
        guarded_free(&in), guarded_free(&out);
    }
    if (on_gpu()) failing_driver_end(&f);
    ww_close(device);
}

/* ---- arrays that share memory ---- */

/* What the trace says was copied. */
static void expect_staged(const char *text, uint64_t in, uint64_t out) {
    char line[128];
    if (!on_gpu()) {
        expect(!strstr(text, "staged"));
        return;
    }
    snprintf(line, sizeof line, " staged in=%llu out=%llu device=", (unsigned long long)in, (unsigned long long)out);
    if (!strstr(text, line)) fprintf(stderr, "wanted \"%s\" in:\n%s", line, text);
    expect(strstr(text, line) != NULL);
}

static ww_device *open_traced(void) {
    setenv("WARPWISE_TRACE", "1", 1);
    ww_device *device = open_staging();
    unsetenv("WARPWISE_TRACE");
    return device;
}

#define TRACED(call) \
    do { \
        traced t = traced_begin(); \
        const ww_status status = (call); \
        traced_end(&t, text, sizeof text); \
        expect_status(device, status, WW_OK); \
    } while (0)

static void shared(void **state) {
    (void)state;
    enum { N = 3001 };
    char text[4096];
    ww_device *device = open_traced();
    guarded memory = new_output(N + 1), out = new_output(N);
    uint32_t *const x = memory.data, *const y = out.data, wanted[N];

    CASE("host memory", "%s neighbours", setting_name(0));
    for (uint32_t i = 0; i <= N; i++) x[i] = i * 2654435761u;
    TRACED(ww_map2(device, &sum_of_ww, ww_memory(x, N), ww_memory(x + 1, N), ww_array(y, N)));
    expect_staged(text, 4 * (N + 1), 4 * N); /* once */
    for (size_t i = 0; i < N; i++) expect(y[i] == x[i] + x[i + 1]);

    CASE("host memory", "%s one array twice", setting_name(0));
    TRACED(ww_map2(device, &sum_of_ww, ww_memory(x, N), ww_memory(x, N), ww_array(y, N)));
    expect_staged(text, 4 * N, 4 * N);
    for (size_t i = 0; i < N; i++) expect(y[i] == 2 * x[i]);

    CASE("host memory", "%s in place", setting_name(0));
    for (uint32_t i = 0, sum = 0; i < N; i++) wanted[i] = sum += x[i];
    TRACED(ww_scan(device, &ww_add, ww_memory(x, N), ww_array(x, N), NULL));
    expect_staged(text, 4 * N, 4 * N);
    expect_elements(x, wanted, N, 4);
    expect(x[N] == N * 2654435761u);

    CASE("host memory", "%s overlap is refused as ever", setting_name(0));
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, N), ww_array(x + 1, N), NULL), WW_OVERLAP);
    char address[32];
    snprintf(address, sizeof address, "%p", (void *)x);
    expect_sentence(device, "overlaps", address);

    CASE("host memory", "%s no copies where there is nothing to do", setting_name(0));
    traced t = traced_begin();
    const ww_status status = ww_scan(device, &ww_add, ww_memory(x, 0), ww_array(y, 0), NULL);
    traced_end(&t, text, sizeof text);
    expect_status(device, status, WW_OK);
    expect(!strstr(text, "staged"));
    guarded_check(&memory), guarded_check(&out);
    guarded_free(&memory), guarded_free(&out);
    ww_close(device);
}

/* A file that is mapped to be read, with nothing that can be touched behind it. */
static void read_only(void **state) {
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 3 * page / 4;
    ww_device *device = open_staging();
    CASE("host memory", "%s read-only pages", setting_name(0));
    unsigned char *const pages = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(pages != MAP_FAILED);
    fill(pages, &ww_type_uint32_t, 4, n, UNIFORM, 7);
    expect(!mprotect(pages, 3 * page, PROT_READ) && !mprotect(pages + 3 * page, page, PROT_NONE));
    const uint32_t *const x = (const uint32_t *)(const void *)pages;
    uint32_t wanted = 0, sum = 0;
    for (size_t i = 0; i < n; i++) wanted += x[i];
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&sum, 1)), WW_OK);
    expect(sum == wanted);
    munmap(pages, 4 * page);
    ww_close(device);
}

/* ---- outputs of which a part is written ---- */

static void parts(void **state) {
    (void)state;
    enum { N = 2000, ROOM = 37 };
    char text[4096];
    ww_device *device = open_traced();
    guarded in = new_output(N), out = new_output(N), small = new_output(ROOM);
    uint32_t *const x = in.data, *const y = out.data;
    uint64_t count = 0, even = 0;
    fill(x, &ww_type_uint32_t, 4, N, UNIFORM, 11);
    for (size_t i = 0; i < N; i++) even += x[i] % 2 == 0;

    CASE("host memory", "%s what is kept", setting_name(0));
    TRACED(ww_pack_if(device, &is_even_ww, ww_memory(x, N), ww_array(y, N), ww_array(&count, 1), NULL));
    expect_staged(text, 4 * N, 4 * even);
    expect(count == even);
    for (size_t i = 0, k = 0; i < N; i++)
        if (x[i] % 2 == 0) expect(y[k++] == x[i]);
    for (size_t i = 4 * even; i < 4 * N; i++) expect(((unsigned char *)y)[i] == POISON);

    CASE("host memory", "%s what there is room for", setting_name(0));
    count = 0;
    expect_status(device,
                  ww_pack_if(device, &is_even_ww, ww_memory(x, N), ww_array((uint32_t *)small.data, ROOM),
                             ww_array(&count, 1), NULL),
                  WW_LIMIT);
    expect(count == even);
    expect_bytes(small.data, y, 4 * ROOM);

    CASE("host memory", "%s what is scattered to", setting_name(0));
    const uint64_t index[] = {5, 1999, 0};
    memset(y, POISON, 4 * N);
    TRACED(ww_scatter(device, ww_memory(x, 3), ww_memory(index, 3), ww_array(y, N), ww_scatter_by(WW_CONFLICT_LAST)));
    expect_staged(text, 4 * 3 + 8 * 3 + 4 * N, 4 * N);
    expect(y[5] == x[0] && y[1999] == x[1] && y[0] == x[2]);
    for (size_t i = 0; i < N; i++) expect(i == 5 || i == 1999 || i == 0 || y[i] == 0x3C3C3C3C);

    guarded_check(&in), guarded_check(&out), guarded_check(&small);
    guarded_free(&in), guarded_free(&out), guarded_free(&small);
    ww_close(device);
}

/* ---- what goes wrong ---- */

/* The call itself says what its kernels find, as on a CPU; then nothing is copied back, and the next one is fine. */
static void bad_data(void **state) {
    (void)state;
    enum { N = 1500 };
    ww_device *device = open_staging();
    guarded from = new_output(N), out = new_output(N);
    uint64_t index[N];
    CASE("host memory", "%s a wrong index", setting_name(0));
    for (uint32_t i = 0; i < N; i++) ((uint32_t *)from.data)[i] = i, index[i] = N - 1 - i;
    index[700] = N;
    const ww_array a = ww_array((uint32_t *)from.data, N), to = ww_array((uint32_t *)out.data, N);
    expect_status(device, ww_gather(device, ww_from(a), ww_memory(index, N), to), WW_RANGE);
    expect_sentence(device, "ww_gather", "index[700]");
    if (on_gpu()) expect_untouched(&out);
    index[700] = 1;
    expect_status(device, ww_gather(device, ww_from(a), ww_memory(index, N), to), WW_OK);
    for (uint32_t i = 0; i < N; i++) expect(((uint32_t *)out.data)[i] == index[i]);
    guarded_check(&out);
    guarded_free(&from), guarded_free(&out);
    ww_close(device);
}

/* The driver fails at each of its deeds in turn. */
static void failing_at_each_deed(void **state) {
    (void)state;
    enum { N = 2 * HALF + 5 };
    static const struct {
        const char *name;
        size_t n;
        ww_status status;
    } cases[] = {{"small, memory", 5000, WW_MEMORY},
                 {"small, lost", 5000, WW_LOST},
                 {"pieces, memory", N, WW_MEMORY},
                 {"pieces, lost", N, WW_LOST}};
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const size_t n = cases[c].n;
        bool ended = false;
        guarded in = guarded_in_host(n, 1), out = guarded_in_host(n, 2);
        fill(in.data, &ww_type_uint8_t, 1, n, UNIFORM, seed_of_run());
        for (size_t k = 0; !ended; k++) {
            ww_device *device = open_staging();
            failing_driver f = {.deeds = FAILS_ALL, .status = cases[c].status, .fail_at = k};
            CASE("host memory", "%s driver fails, %s, at %zu", setting_name(0), cases[c].name, k);
            failing_driver_begin(device, &f);
            memset(out.data, POISON, n);
            const ww_input from = ww_memory((const uint8_t *)in.data, n);
            const ww_array to = ww_array((uint8_t *)out.data, n);
            const ww_status status = ww_store(device, from, to);
            expect(!f.under_way || f.status == WW_LOST);
            ended = !f.failed;
            if (ended) printf("%s: ends well at each of %zu deeds\n", cases[c].name, f.count);
            /* What is kept for the next call may fail: this one has its results. */
            if (status) expect_status(device, status, cases[c].status);
            expect(f.failed || !status);
            if (!status)
                expect_bytes(out.data, in.data, n);
            else if (n < HALF)
                expect_untouched(&out);
            f.fail_at = SIZE_MAX;
            if (status == WW_MEMORY) {
                expect_status(device, ww_store(device, from, to), WW_OK);
                expect_bytes(out.data, in.data, n);
            }
            guarded_check(&out);
            ww_close(device);
            expect(!f.blocks && !f.bytes && !f.programs);
        }
        guarded_free(&in), guarded_free(&out);
    }
}

/* ---- memory for copies ---- */

static void room(void **state) {
    (void)state;
    enum { N = 100000 };
    if (!on_gpu()) {
        left_out("a CPU takes no memory for copies");
        return;
    }
    ww_device *device = open_staging();
    ww_device_info info = WW_DEVICE_INFO;
    failing_driver f = {.deeds = 0, .fail_at = SIZE_MAX};
    guarded in = new_output(N), out = new_output(N);
    const ww_input from = ww_memory((const uint32_t *)in.data, N);
    const ww_array to = ww_array((uint32_t *)out.data, N);
    failing_driver_begin(device, &f);

    CASE("host memory", "%s copies count as scratch memory", setting_name(0));
    expect_status(device, ww_scratch_limit(device, 4 * N), WW_OK);
    expect_status(device, ww_store(device, from, to), WW_LIMIT);
    expect_sentence(device, "the limit is 400000", "800000 bytes for copies");
    expect_untouched(&out);
    expect_status(device, ww_scratch_limit(device, 0), WW_OK);

    CASE("host memory", "%s nothing is allocated again", setting_name(0));
    expect_status(device, ww_store(device, from, to), WW_OK);
    const size_t before = f.allocations;
    for (int again = 0; again < 3; again++) expect_status(device, ww_store(device, from, to), WW_OK);
    expect(f.allocations == before);
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak >= 8 * N && info.scratch_peak <= 8 * N + 256);
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect(!f.blocks);

    CASE("host memory", "%s none for what the GPU reaches", setting_name(0));
    uint32_t *own = need(4 * N);
    memset(own, 1, 4 * N);
    expect_status(device, ww_store(device, ww_memory(own, N), ww_array(own, N)), WW_OK);
    expect_status(device, ww_fill(device, ww_array((uint8_t *)own, N), ww_value(uint8_t, 'x')), WW_OK);
    expect(!f.blocks);
    free(own);
    failing_driver_end(&f);
    guarded_free(&in), guarded_free(&out);
    ww_close(device);
}

/* ---- other ways ---- */

static bool yes(ww__driver *driver) {
    (void)driver;
    return true;
}

static void refused(void **state) {
    (void)state;
    enum { N = 500 };
    ww_open_options options = WW_OPEN_OPTIONS;
    ww_device *device = NULL;
    guarded out = new_output(N);
    uint32_t *own = need(4 * N), sum = 0;
    for (uint32_t i = 0; i < N; i++) own[i] = i;

    CASE("host memory", "a wrong option");
    options.host_memory = 3;
    expect_status(device, ww_open_with("cpu", &device, &options), WW_INVALID);
    expect_sentence(device, "options.host_memory is 3");
    ww_close(device);

    CASE("host memory", "%s refused", setting_name(0));
    device = setting_open_with(0, WW_HOST_MEMORY_REFUSED);
    const ww_status status = ww_store(device, ww_memory(own, N), ww_array((uint32_t *)out.data, N));
    expect_status(device, status, on_gpu() ? WW_INVALID : WW_OK);
    if (on_gpu()) {
        expect_sentence(device, "ww_store: out at", "memory that the GPU cannot reach");
        expect_untouched(&out);
    }
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(own, N), ww_array(&sum, 1)),
                  WW_OK); /* results of one may */
    expect(sum == N * (N - 1) / 2);
    ww_close(device);

    if (on_gpu()) {
        CASE("host memory", "%s not in a graph", setting_name(0));
        device = open_staging();
        device->gpu->driver->capturing = yes;
        memset(out.data, POISON, out.bytes);
        expect_status(device, ww_store(device, ww_memory(own, N), ww_array((uint32_t *)out.data, N)), WW_INVALID);
        expect_sentence(device, "out at", "captured in a graph");
        expect_untouched(&out);
        device->gpu->driver->capturing = NULL;
        ww_close(device);
    }
    free(own);
    guarded_free(&out);
}

/* A GPU that reaches all of the host's memory takes arrays as they lie; the call waits. */
static void in_place(void **state) {
    (void)state;
    enum { N = 3000 };
    if (!on_emulator()) {
        left_out("the emulator alone can be told what it reaches");
        return;
    }
    char text[4096];
    ww_device *device = NULL;
    failing_driver f = {.deeds = FAILS_WAITS, .fail_at = SIZE_MAX};
    guarded in = new_output(N), out = new_output(N);
    uint32_t *const x = in.data, *const y = out.data;
    for (uint32_t i = 0; i < N; i++) x[i] = 3 * i;
    CASE("host memory", "emu:reach=all");
    setenv("WARPWISE_TRACE", "1", 1);
    expect_status(device, ww_open("emu:reach=all", &device), WW_OK);
    unsetenv("WARPWISE_TRACE");
    failing_driver_begin(device, &f);
    traced t = traced_begin();
    const ww_status status = ww_map2(device, &sum_of_ww, ww_memory(x, N), ww_memory(x, N), ww_array(y, N));
    const size_t waits = f.count; /* expect_status waits, too */
    traced_end(&t, text, sizeof text);
    expect_status(device, status, WW_OK);
    expect(!strstr(text, "staged") && strstr(text, "kernel=store"));
    expect(waits == 1);
    for (size_t i = 0; i < N; i++) expect(y[i] == 6 * i);
    expect(f.allocations == 0);

    CASE("host memory", "emu:reach=all, a wrong index");
    const uint64_t index[] = {1, N, 2};
    expect_status(device, ww_gather(device, ww_memory(x, N), ww_memory(index, 3), ww_array(y, 3)), WW_RANGE);
    expect_sentence(device, "index[1]");
    failing_driver_end(&f);
    ww_close(device);

    CASE("host memory", "emu:reach=own");
    expect_status(device, ww_open("emu:reach=some", &device), WW_INVALID);
    ww_close(device);
    guarded_check(&in), guarded_check(&out);
    guarded_free(&in), guarded_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces), cmocka_unit_test(shared),   cmocka_unit_test(read_only),
        cmocka_unit_test(parts),  cmocka_unit_test(bad_data), cmocka_unit_test(failing_at_each_deed),
        cmocka_unit_test(room),   cmocka_unit_test(refused),  cmocka_unit_test(in_place),
    };
    return cmocka_run_group_tests_name("host memory", tests, NULL, NULL);
}
