/* A histogram's counters of 16 bits (src/primitive/histogram/histogram.cu) where several threads find at once that one has
 * reached half of its range: between looking at the counter and taking from it each lets the others go first. What is moved to
 * the result is moved once. */
#include <stdio.h>

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "device/gpu/kernels.h"
#include "primitive/histogram/histogram_arguments.cuh"
#include "primitive/histogram_halves_text.h"
#include "support/cases.h"

enum { THREADS = 256, BINS = 63, SLOTS = 64, SHARED = SLOTS * 2 + 4, N = 5 * 32768 + 77 };

/* As the kernel takes them: its input stands behind. */
typedef struct arguments {
    histogram_fixed fixed;
    const uint32_t *in;
} arguments;

/* One bin; its neighbour in the word, too, by warps; both in any order. */
static uint32_t bin_in_shape(int shape, size_t i, uint64_t random) {
    return shape == 0 ? 5 : shape == 1 ? 4 + (uint32_t)(i / 128 % 2) : 4 + (uint32_t)(random >> 9) % 2;
}

static void check_halves(ww__driver *driver, void *kernel, int shape) {
    uint64_t random = seed_of_run();
    uint32_t *x = need(N * sizeof *x), wanted[BINS] = {0};
    guarded counts = guarded_new(sizeof wanted);
    memset(counts.data, 0, sizeof wanted);
    for (size_t i = 0; i < N; i++) wanted[x[i] = bin_in_shape(shape, i, random_next(&random))]++;
    arguments a = {.fixed = {.counts = counts.data, .count = N, .bins = BINS}, .in = x};
    ww_status status = driver->launch(driver, kernel, 1, THREADS, SHARED, &a, sizeof a, false);
    if (!status) status = driver->sync(driver);
    if (status) fprintf(stderr, "%s\n", driver->why);
    expect(!status);
    expect_elements(counts.data, wanted, BINS, sizeof *wanted);
    guarded_check(&counts);
    guarded_free(&counts);
    free(x);
}

static void relieved_once(void **state) {
    (void)state;
    if (!on_gpu()) {
        left_out("a GPU's counters have 16 bits");
        return;
    }
    ww_device *device = setting_open(0);
    ww__gpu_enter(device);
    ww__driver *driver = device->gpu->driver;
    ww__code code = {NULL, 0};
    void *program = NULL, *kernel = NULL;
    const ww_status status = driver->compile(driver, histogram_halves_text, ww__kernel_headers, &code);
    if (status) fprintf(stderr, "%s\n", driver->why);
    expect(!status && !driver->load(driver, &code, &program));
    free(code.bytes);
    expect(!driver->find(driver, program, "histogram", &kernel));
    for (int shape = 0; shape < 3; shape++) {
        CASE("histogram halves", "relieved by several threads at once, shape %d", shape);
        if (case_wanted()) check_halves(driver, kernel, shape);
    }
    driver->unload(driver, program);
    ww__gpu_leave(device);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(relieved_once)};
    return cmocka_run_group_tests_name("histogram halves", tests, NULL, NULL);
}
