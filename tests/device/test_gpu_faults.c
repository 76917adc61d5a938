/* What goes wrong with a GPU: an illegal access, a GPU that is full, a compiler, a driver or a GPU that is not there. Each in a
 * child process, because a fault is for ever in the process that made it. */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cases.h"

static bool on_cuda(void) {
    const char *device = getenv("WARPWISE_TEST_DEVICE");
    return on_gpu() && device && !strncmp(device, "cuda", 4);
}

/* In a child an expectation that fails cannot be reported by cmocka: it prints and ends the child. */
#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s; the sentence is \"%s\"\n", __FILE__, __LINE__, #condition, ww_error(device)); \
            _exit(1); \
        } \
    } while (0)
static bool says(const ww_device *device, const char *what) { return strstr(ww_error(device), what) != NULL; }

static void in_a_child(void (*run)(void)) {
    fflush(stdout);
    const pid_t child = fork();
    expect(child >= 0);
    if (!child) {
        run();
        _exit(0);
    }
    int status;
    expect(waitpid(child, &status, 0) == child);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

WW_STRUCT(target, { uint32_t *to; });
WW_KERNEL(write_there, target, a, rank, { a->to[rank] = 1; });

static void expect_to_work(ww_device *device) {
    uint32_t sum = 0;
    EXPECT(!ww_reduce(device, &ww_add, ww_counting(&ww_type_uint32_t, 0, 1000), ww_array(&sum, 1)));
    EXPECT(sum == 499500);
}

static void illegal_access(void) {
    ww_device *device;
    const target nowhere = {(uint32_t *)64};
    uint32_t sum;
    EXPECT(!ww_open("cuda", &device));
    expect_to_work(device);
    ww_status status = ww_launch(device, ww_with(write_there, &nowhere), 1000);
    if (!status) status = ww_sync(device);
    EXPECT(status == WW_LOST && says(device, "close it and open another"));
    EXPECT(ww_reduce(device, &ww_add, ww_counting(&ww_type_uint32_t, 0, 10), ww_array(&sum, 1)) == WW_LOST);
    EXPECT(ww_sync(device) == WW_LOST && says(device, "can no longer be used"));
    ww_close(device);
    /* Some drivers give a process a new context after that; others (580 is one) have given it up, and a handle says so. */
    const ww_status again = ww_open("cuda", &device);
    EXPECT(!again || (again == WW_LOST && says(device, "starting the program again")));
    if (!again) expect_to_work(device);
    ww_close(device);
}

static void full_gpu(void) {
    ww_device *device;
    enum { MOST = 4096 };
    static void *blocks[MOST];
    size_t many = 0;
    ww_device_info info = WW_DEVICE_INFO;
    void *too_much = &many;
    EXPECT(!ww_open("cuda", &device));
    EXPECT(!ww_device_info_get(device, &info));
    EXPECT(ww_alloc(device, info.memory + 1, &too_much) == WW_MEMORY && says(device, "are free"));
    EXPECT(!too_much);
    const size_t n = 1 << 20;
    void *x, *index, *to;
    EXPECT(!ww_alloc(device, 4 * n, &x) && !ww_alloc(device, 4 * n, &index) && !ww_alloc(device, 64 * n, &to));
    EXPECT(!ww_store(device, ww_counting(&ww_type_uint32_t, 0, n), ww_array_of(x, n, &ww_type_uint32_t)));
    EXPECT(!ww_store(device, ww_counting(&ww_type_uint32_t, 0, n), ww_array_of(index, n, &ww_type_uint32_t)));
    for (size_t bytes = (size_t)1 << 32; bytes >= 1 << 20; bytes /= 4)
        while (many < MOST && !ww_alloc(device, bytes, &blocks[many])) many++;
    /* Scratch memory of 4 bytes for each of 16 * 2^20 places. */
    const ww_array places = ww_array_of(to, 16 * n, &ww_type_uint32_t);
    const ww_input from = ww_memory_of(x, n, &ww_type_uint32_t), at = ww_memory_of(index, n, &ww_type_uint32_t);
    EXPECT(ww_scatter(device, from, at, places, ww_scatter_by(WW_CONFLICT_LAST)) == WW_MEMORY &&
           says(device, "are free"));
    for (size_t b = 0; b < many; b++) EXPECT(!ww_free(device, blocks[b]));
    EXPECT(!ww_scatter(device, from, at, places, ww_scatter_by(WW_CONFLICT_LAST)));
    EXPECT(!ww_sync(device));
    uint32_t last = 0;
    EXPECT(!ww_copy(device, ww_memory_of((uint32_t *)to + n - 1, 1, &ww_type_uint32_t), ww_array(&last, 1)));
    EXPECT(last == n - 1);
    EXPECT(!ww_free(device, x) && !ww_free(device, index) && !ww_free(device, to));
    ww_close(device);
}

static void memory_out_of_reach(void) {
    ww_device *device;
    static uint32_t own[1000];
    ww_open_options refusing = WW_OPEN_OPTIONS;
    refusing.host_memory = WW_HOST_MEMORY_REFUSED;
    EXPECT(!ww_open_with("cuda", &device, &refusing));
    uint32_t sum = 7;
    EXPECT(ww_reduce(device, &ww_add, ww_memory(own, 1000), ww_array(&sum, 1)) == WW_INVALID && says(device, "in at"));
    EXPECT(says(device, "cannot reach") && sum == 7);
    expect_to_work(device);
    ww_close(device);
}

static void no_compiler(void) {
    ww_device *device;
    uint32_t sum;
    setenv("WARPWISE_NVRTC", "/nowhere/libnvrtc.so", 1);
    setenv("WARPWISE_CACHE", "off", 1);
    EXPECT(!ww_open("cuda", &device));
    EXPECT(ww_reduce(device, &ww_add, ww_counting(&ww_type_uint32_t, 0, 1000), ww_array(&sum, 1)) == WW_UNSUPPORTED);
    EXPECT(says(device, "WARPWISE_NVRTC=/nowhere/libnvrtc.so"));
    ww_close(device);
}

static void no_gpu(void) {
    ww_device *device;
    EXPECT(ww_open("cuda:99", &device) == WW_NO_DEVICE);
    EXPECT(says(device, "99") || says(device, "no NVIDIA driver"));
    ww_close(device);
}

static void hidden_gpus(void) {
    ww_device *device;
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    EXPECT(ww_open("cuda", &device) == WW_NO_DEVICE && *ww_error(device));
    ww_close(device);
    /* The best device is the CPU then. */
    EXPECT(!ww_open("best", &device));
    expect_to_work(device);
    ww_close(device);
}

static void gpu_only(void (*run)(void)) {
    if (!on_cuda() || on_emulator())
        left_out("faults are made on a GPU, without a sanitizer");
    else
        in_a_child(run);
}

static void lost(void **state) {
    (void)state;
    gpu_only(illegal_access);
}
static void full(void **state) {
    (void)state;
    gpu_only(full_gpu);
}
static void unreachable(void **state) {
    (void)state;
    gpu_only(memory_out_of_reach);
}
static void without_compiler(void **state) {
    (void)state;
    gpu_only(no_compiler);
}
/* Wherever it runs. */
static void without_gpu(void **state) {
    (void)state;
    in_a_child(no_gpu);
    in_a_child(hidden_gpus);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lost), cmocka_unit_test(full), cmocka_unit_test(unreachable),
                                       cmocka_unit_test(without_compiler), cmocka_unit_test(without_gpu)};
    return cmocka_run_group_tests_name("gpu_faults", tests, NULL, NULL);
}
