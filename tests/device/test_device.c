/* Handles: opening, errors, memory, scratch, threads, fork, other threads, other thread pools. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/device.h"
#include "support/cases.h"

static void statuses(void **state) {
    (void)state;
    assert_string_equal(ww_status_name(WW_RANGE), "WW_RANGE");
    assert_string_equal(ww_status_name((ww_status)999), "WW_?");
    assert_true(strlen(ww_status_text(WW_LIMIT)) > 5);
    assert_string_equal(ww_version(), "0.2.0");
    assert_ptr_equal(ww_type_named("u32"), &ww_type_uint32_t);
    assert_ptr_equal(ww_type_named("f64"), &ww_type_double);
    assert_null(ww_type_named("rec:4"));
    assert_null(ww_type_named(""));
}

static void names(void **state) {
    (void)state;
    const char *const good[] = {"cpu", "cpu:threads=1", "cpu:threads=7", "best", NULL};
    for (size_t i = 0; i < 5; i++) {
        ww_device *device;
        assert_int_equal(ww_open(good[i], &device), WW_OK);
        assert_string_equal(ww_error(device), "");
        ww_device_info info = WW_DEVICE_INFO;
        assert_int_equal(ww_device_info_get(device, &info), WW_OK);
        if (strcmp(good[i] ? good[i] : "", "best")) assert_string_equal(info.backend, "cpu");
        assert_true(info.threads >= 1 && info.memory > 0 && info.threads_started == 0);
        if (i == 2) assert_int_equal(info.threads, 7);
        ww_close(device);
    }
    const struct {
        const char *name;
        ww_status status;
        const char *says;
    } bad[] = {
        {"cuda:x", WW_INVALID, "\"x\""},
        {"gpu", WW_NO_DEVICE, "\"gpu\""},
        {"cpu:threads=0", WW_INVALID, "\"0\""},
        {"cpu:threads=", WW_INVALID, "\"\""},
        {"cpu:threads=-1", WW_INVALID, "\"-1\""},
        {"cpu:threads=2x", WW_INVALID, "\"2x\""},
        {"cpu:threads=99999", WW_INVALID, "99999"},
        {"cpu:speed=3", WW_INVALID, "speed=3"},
        {"cpux", WW_NO_DEVICE, "cpux"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ww_device *device;
        assert_int_equal(ww_open(bad[i].name, &device), bad[i].status);
        expect_sentence(device, bad[i].says);
        /* The handle only says what was wrong, again and again. */
        uint32_t x = 1;
        assert_int_equal(ww_reduce(device, &ww_add, ww_memory(&x, 1), ww_array(&x, 1)), bad[i].status);
        expect_sentence(device, bad[i].says);
        ww_close(device);
    }
    ww_close(NULL);
    assert_int_equal(ww_open("cpu", NULL), WW_INVALID);
    assert_true(strlen(ww_error(NULL)) > 5);
}

static void environment(void **state) {
    (void)state;
    ww_device *device;
    setenv("WARPWISE_DEVICE", "cpu:threads=3", 1);
    assert_int_equal(ww_open(NULL, &device), WW_OK);
    ww_device_info info = WW_DEVICE_INFO;
    ww_device_info_get(device, &info);
    assert_int_equal(info.threads, 3);
    ww_close(device);
    unsetenv("WARPWISE_DEVICE");
    setenv("WARPWISE_VECTOR", "wide", 1);
    assert_int_equal(ww_open(NULL, &device), WW_INVALID);
    expect_sentence(device, "wide", "avx512");
    ww_close(device);
    setenv("WARPWISE_VECTOR", "plain", 1);
    assert_int_equal(ww_open(NULL, &device), WW_OK);
    ww_device_info_get(device, &info);
    assert_string_equal(info.vector, "plain");
    ww_close(device);
    unsetenv("WARPWISE_VECTOR");
}

static void see_device(void *context, const char *name, const char *description, const char *why_not) {
    *(int *)context += !strcmp(name, "cpu") && strstr(description, "vectors") && !why_not;
}

static void list_of_devices(void **state) {
    (void)state;
    int seen = 0;
    ww_devices(see_device, &seen);
    assert_int_equal(seen, 1);
}

static void memory(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    const size_t sizes[] = {1, 100, 65536, 5000000};
    for (size_t i = 0; i < 4; i++) {
        void *a, *b;
        expect_status(device, ww_alloc(device, sizes[i] * 4, &a), WW_OK);
        expect_status(device, ww_alloc(device, sizes[i] * 4, &b), WW_OK);
        expect((uintptr_t)a % 64 == 0);
        const uint32_t value = 0xdeadbeef;
        expect_status(device, ww_fill(device, ww_array((uint32_t *)a, sizes[i]), ww_value(uint32_t, value)), WW_OK);
        expect_status(device, ww_copy(device, ww_memory((uint32_t *)a, sizes[i]), ww_array((uint32_t *)b, sizes[i])),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t k = 0; k < sizes[i]; k++) expect(((uint32_t *)b)[k] == value);
        expect_status(device, ww_free(device, a), WW_OK);
        expect_status(device, ww_free(device, b), WW_OK);
    }
    void *none = &none;
    expect_status(device, ww_alloc(device, 0, &none), WW_OK);
    expect(!none);
    expect_status(device, ww_alloc(device, UINT64_MAX, &none), WW_MEMORY);
    expect_status(device, ww_alloc(device, 1, NULL), WW_INVALID);
    expect_status(device, ww_free(device, NULL), WW_OK);
    unsigned char records[15], wanted[15] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    expect_status(device, ww_fill(device, ww_records(records, 5, 3), ww_record_value("\1\2\3", 3)), WW_OK);
    expect_bytes(records, wanted, 15);
    uint32_t x[4] = {1, 2, 3, 4};
    expect_status(device, ww_copy(device, ww_memory(x, 3), ww_array(x + 1, 3)), WW_OVERLAP);
    expect_status(device, ww_copy(device, ww_memory(x, 4), ww_array(x, 4)), WW_OK);
    expect_status(device, ww_copy(device, ww_memory(x, 3), ww_array(x, 4)), WW_INVALID);
    expect_status(device, ww_copy(device, ww_no_input, ww_array(x, 4)), WW_INVALID);
    expect_sentence(device, "ww_copy: in is missing");
    expect_status(device, ww_copy(device, ww_counting(&ww_type_uint32_t, 0, 4), ww_array(x, 4)), WW_INVALID);
    expect_sentence(device, "in is computed");
    expect_status(device, ww_fill(device, ww_array(x, 4), ww_no_value), WW_INVALID);
    ww_close(device);
}

static uint64_t sum_of(ww_device *device, const uint64_t *x, size_t n) {
    uint64_t sum = 0;
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&sum, 1)), WW_OK);
    return sum;
}

static void scratch(void **state) {
    (void)state;
    counting_allocator counter = {.fail_at = SIZE_MAX};
    ww_open_options options = WW_OPEN_OPTIONS;
    options.allocator = counting_allocator_use(&counter);
    options.threads = 2;
    ww_device *device;
    assert_int_equal(ww_open_with("cpu", &device, &options), WW_OK);
    const size_t n = size_large();
    uint64_t *x = need(n * 8);
    for (size_t i = 0; i < n; i++) x[i] = i;
    const uint64_t wanted = (uint64_t)n * (n - 1) / 2;
    assert_int_equal(sum_of(device, x, n), wanted);
    assert_int_equal(sum_of(device, x, n), wanted);
    /* In a steady state nothing is allocated. */
    const size_t requests = counter.requests;
    for (int i = 0; i < 5; i++) assert_int_equal(sum_of(device, x, n), wanted);
    assert_int_equal(counter.requests, requests);
    ww_device_info info = WW_DEVICE_INFO;
    ww_device_info_get(device, &info);
    assert_true(info.scratch_held > 0 && info.scratch_peak > 0 && info.threads_started == 1);

    /* Reserved ahead, trimmed, limited. */
    expect_status(device, ww_scratch_trim(device), WW_OK);
    ww_device_info_get(device, &info);
    assert_true(info.scratch_held == 0 && info.scratch_peak == 0);
    expect_status(device, ww_scratch_reserve(device, 1 << 20), WW_OK);
    const size_t reserved = counter.requests;
    assert_int_equal(sum_of(device, x, n), wanted);
    assert_int_equal(counter.requests, reserved);
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect_status(device, ww_scratch_limit(device, 256), WW_OK);
    uint64_t r;
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&r, 1)), WW_LIMIT);
    expect_sentence(device, "limit", "256");
    expect_status(device, ww_scratch_reserve(device, 4096), WW_LIMIT);
    expect_status(device, ww_scratch_limit(device, 0), WW_OK);
    assert_int_equal(sum_of(device, x, n), wanted);
    ww_close(device);
    assert_int_equal(counter.live_blocks, 0);
    assert_int_equal(counter.live_bytes, 0);
    free(x);
}

/* A call in rounds, of which each needs a little more than the one before. */
static void scratch_of_growing_rounds(void **state) {
    (void)state;
    enum { ROUNDS = 200 };
    for (int held = 0; held < 2; held++)
        for (size_t pieces = 1; pieces <= 3; pieces++) {
            ww_device *device = setting_open(0);
            if (held) expect_status(device, ww_scratch_reserve(device, 64), WW_OK);
            expect_status(device, ww__enter(device, "rounds"), WW_OK);
            void *kept, *piece;
            expect_status(device, ww__scratch(device, 100000, &kept), WW_OK);
            memset(kept, 1, 100000);
            for (size_t round = 0; round < ROUNDS; round++) {
                const ww__scratch_mark mark = ww__scratch_here(device);
                for (size_t p = 0; p < pieces; p++) {
                    expect_status(device, ww__scratch(device, 64 * (round + 1 + p), &piece), WW_OK);
                    memset(piece, 2, 64 * (round + 1 + p));
                }
                ww__scratch_back(device, &mark);
                expect(device->blocks <= 2);
                size_t bytes = 0;
                for (size_t b = 0; b < device->blocks; b++) bytes += device->block[b].size;
                expect(bytes <= 100032 + 2 * pieces * 64 * (round + pieces));
            }
            for (size_t i = 0; i < 100000; i++) expect(((unsigned char *)kept)[i] == 1);
            expect_status(device, ww__leave(device, WW_OK), WW_OK);
            ww_close(device);
        }
}

/* What device.h says of the memory that a handle takes. */
static void memory_of_a_handle(void **state) {
    (void)state;
    enum { N = 1000 };
    counting_allocator counter = {.fail_at = SIZE_MAX};
    ww_open_options options = WW_OPEN_OPTIONS;
    options.allocator = counting_allocator_use(&counter);
    ww_device *device;
    ww_device_info info = WW_DEVICE_INFO;
    uint32_t x[N] = {3, 2, 1}, sorted[N];
    assert_int_equal(ww_open_with("cpu:threads=4", &device, &options), WW_OK);
    const size_t opened = counter.live_bytes;
    assert_true(opened <= 6 << 10);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(ww_sort(device, ww_memory(x, N), ww_no_input, ww_array(sorted, N), ww_none, NULL), WW_OK);
        assert_int_equal(ww_device_info_get(device, &info), WW_OK);
        assert_true(counter.live_bytes == opened + info.scratch_held && info.threads_started == 0);
        assert_true(info.scratch_held > 0 && info.scratch_held <= sizeof x + (1 << 20) + (640 << 10) + 64);
        assert_int_equal(ww_reduce(device, &ww_add, ww_memory(x, N), ww_array(sorted, 1)), WW_OK);
        assert_true(counter.live_bytes == opened + info.scratch_held);
        assert_int_equal(ww_scratch_trim(device), WW_OK);
        assert_true(counter.live_bytes == opened);
    }
    ww_close(device);
    assert_true(!counter.live_blocks);
}

static void opening_without_memory(void **state) {
    (void)state;
    counting_allocator counter = {.fail_at = 0};
    ww_open_options options = WW_OPEN_OPTIONS;
    options.allocator = counting_allocator_use(&counter);
    ww_device *device = (ww_device *)&counter;
    assert_int_equal(ww_open_with("cpu", &device, &options), WW_MEMORY);
    assert_null(device);
    options.allocator.release = NULL;
    assert_int_equal(ww_open_with("cpu", &device, &options), WW_INVALID);
    ww_close(device);
    options = (ww_open_options)WW_OPEN_OPTIONS;
    options.size = 3;
    assert_int_equal(ww_open_with("cpu", &device, &options), WW_INVALID);
    ww_close(device);
    options.size = sizeof options;
    options.threads = 100000;
    assert_int_equal(ww_open_with("cpu", &device, &options), WW_INVALID);
    ww_close(device);
}

/* An executor that runs everything on the calling thread, last part first. */
static void run_backwards(void *context, size_t count, void (*task)(void *argument, size_t index), void *argument) {
    ++*(int *)context;
    while (count--) task(argument, count);
}

static void executor_of_the_caller(void **state) {
    (void)state;
    int runs = 0;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.executor = (ww_executor){run_backwards, &runs};
    options.threads = 4;
    ww_device *device;
    assert_int_equal(ww_open_with("cpu", &device, &options), WW_OK);
    const size_t n = 1 << 20;
    uint64_t *x = need(n * 8);
    for (size_t i = 0; i < n; i++) x[i] = i;
    assert_int_equal(sum_of(device, x, n), (uint64_t)n * (n - 1) / 2);
    assert_int_equal(runs, 1);
    ww_device_info info = WW_DEVICE_INFO;
    ww_device_info_get(device, &info);
    assert_int_equal(info.threads_started, 0);
    ww_close(device);
    free(x);
}

/* The address sanitizer's allocator, locked by a thread that is being started, stays locked in a child: threads have begun, then. */
static void threads_begin(void) {
#ifdef __SANITIZE_ADDRESS__
    nanosleep(&(struct timespec){.tv_nsec = 300 * 1000 * 1000}, NULL);
#endif
}

/* A child goes on with its copy of the handle; the parent too. */
static void after_fork(void **state) {
    (void)state;
    if (!children_can_have_threads()) return;
    ww_device *device;
    assert_int_equal(ww_open("cpu:threads=3", &device), WW_OK);
    const size_t n = 1 << 20;
    uint64_t *x = need(n * 8);
    for (size_t i = 0; i < n; i++) x[i] = i;
    const uint64_t wanted = (uint64_t)n * (n - 1) / 2;
    assert_int_equal(sum_of(device, x, n), wanted);
    fflush(stdout);
    threads_begin();
    const pid_t child = fork();
    if (!child) {
        uint64_t a = 0, b = 0;
        alarm(60);
        const ww_status first = ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&a, 1));
        const ww_status second = ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&b, 1));
        ww_device_info info = WW_DEVICE_INFO;
        ww_device_info_get(device, &info);
        ww_close(device);
        _exit(first || second || a != wanted || b != wanted || info.threads_started != 2);
    }
    assert_true(child > 0);
    assert_int_equal(sum_of(device, x, n), wanted);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    /* A child that only closes. */
    const pid_t closing = fork();
    if (!closing) {
        ww_close(device);
        _exit(0);
    }
    assert_int_equal(waitpid(closing, &status, 0), closing);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ww_close(device);
    free(x);
}

typedef struct independent {
    const uint64_t *x;
    size_t n;
    uint64_t wanted;
    int wrong;
} independent;

static void *use_own_handle(void *argument) {
    independent *i = argument;
    ww_device *device;
    if (ww_open("cpu:threads=2", &device)) i->wrong = 1;
    for (int round = 0; round < 50 && !i->wrong; round++) {
        uint64_t sum;
        if (ww_reduce(device, &ww_add, ww_memory(i->x, i->n), ww_array(&sum, 1)) || sum != i->wanted) i->wrong = 1;
    }
    ww_close(device);
    return NULL;
}

static void two_handles_on_two_threads(void **state) {
    (void)state;
    const size_t n = 200000;
    uint64_t *x = need(n * 8);
    for (size_t i = 0; i < n; i++) x[i] = i;
    independent i[2] = {{x, n, (uint64_t)n * (n - 1) / 2, 0}, {x, n, (uint64_t)n * (n - 1) / 2, 0}};
    pthread_t threads[2];
    for (int t = 0; t < 2; t++) assert_int_equal(pthread_create(&threads[t], NULL, use_own_handle, &i[t]), 0);
    for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
    assert_int_equal(i[0].wrong + i[1].wrong, 0);
    free(x);
}

WW_STRUCT(waiting, { uint32_t *entered, *go_on; });
WW_KERNEL(wait_inside, waiting, w, rank, {
    (void)rank;
    __atomic_store_n(w->entered, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(w->go_on, __ATOMIC_ACQUIRE)) {}
});

typedef struct shared_handle {
    ww_device *device;
    uint32_t entered, go_on;
} shared_handle;

static void *hold_handle(void *argument) {
    shared_handle *s = argument;
    const waiting w = {&s->entered, &s->go_on};
    return (void *)(intptr_t)ww_launch(s->device, ww_with(wait_inside, &w), 1);
}

static void one_handle_on_two_threads_is_busy(void **state) {
    (void)state;
    shared_handle s = {setting_open(0), 0, 0};
    pthread_t holder;
    assert_int_equal(pthread_create(&holder, NULL, hold_handle, &s), 0);
    while (!__atomic_load_n(&s.entered, __ATOMIC_ACQUIRE)) sched_yield();
    uint32_t x = 1, r;
    assert_int_equal(ww_reduce(s.device, &ww_add, ww_memory(&x, 1), ww_array(&r, 1)), WW_BUSY);
    assert_string_equal(ww_error(s.device), "another thread is using this handle");
    __atomic_store_n(&s.go_on, 1, __ATOMIC_RELEASE);
    void *status;
    pthread_join(holder, &status);
    assert_null(status);
    assert_string_equal(ww_error(s.device), "another thread is using this handle");
    expect_status(s.device, ww_reduce(s.device, &ww_add, ww_memory(&x, 1), ww_array(&r, 1)), WW_OK);
    assert_string_equal(ww_error(s.device), "");
    ww_close(s.device);
}

/* Threads that make calls which fail, all on one handle: each is told what its own last call met, refused or not. More of them than
 * the handle remembers at once would be told nothing about refusals. */
enum { ERROR_THREADS = 16, ERROR_CALLS = 3000 };

typedef struct failing_caller {
    ww_device *device;
    uint64_t refused, entered, mistaken;
} failing_caller;

static void *call_and_fail(void *argument) {
    failing_caller *c = argument;
    uint32_t x = 1;
    for (int i = 0; i < ERROR_CALLS; i++) {
        const ww_status status = ww_reduce(c->device, &ww_add, ww_memory(&x, 1), ww_none);
        if (status == WW_BUSY) {
            c->refused++;
            c->mistaken += strcmp(ww_error(c->device), ww_status_text(WW_BUSY)) != 0;
            sched_yield();
        } else {
            c->entered++;
            c->mistaken += status != WW_INVALID;
        }
    }
    return NULL;
}

static void threads_have_errors_of_their_own(void **state) {
    (void)state;
    failing_caller callers[ERROR_THREADS] = {0};
    pthread_t threads[ERROR_THREADS];
    uint64_t refused = 0, entered = 0;
    shared_handle s = {setting_open(0), 0, 0};
    /* While a call is under way all are refused … */
    pthread_t holder;
    assert_int_equal(pthread_create(&holder, NULL, hold_handle, &s), 0);
    while (!__atomic_load_n(&s.entered, __ATOMIC_ACQUIRE)) sched_yield();
    for (size_t t = 0; t < ERROR_THREADS; t++) {
        callers[t].device = s.device;
        assert_int_equal(pthread_create(&threads[t], NULL, call_and_fail, &callers[t]), 0);
    }
    for (size_t t = 0; t < ERROR_THREADS / 2; t++) pthread_join(threads[t], NULL);
    for (size_t t = 0; t < ERROR_THREADS / 2; t++) assert_int_equal(callers[t].refused, ERROR_CALLS);
    /* … and afterwards some get in. */
    __atomic_store_n(&s.go_on, 1, __ATOMIC_RELEASE);
    pthread_join(holder, NULL);
    for (size_t t = ERROR_THREADS / 2; t < ERROR_THREADS; t++) pthread_join(threads[t], NULL);
    for (size_t t = 0; t < ERROR_THREADS; t++) {
        assert_int_equal(callers[t].mistaken, 0);
        refused += callers[t].refused;
        entered += callers[t].entered;
    }
    assert_int_equal(refused + entered, (uint64_t)ERROR_THREADS * ERROR_CALLS);
    /* This one was in no call that failed. */
    uint32_t x = 1;
    expect_status(s.device, ww_reduce(s.device, &ww_add, ww_memory(&x, 1), ww_none), WW_INVALID);
    assert_non_null(strstr(ww_error(s.device), "ww_reduce: out is missing"));
    ww_close(s.device);
}

/* Calls on a thousand items start no thread. */
static void small_calls_start_no_thread(void **state) {
    (void)state;
    ww_device *device;
    assert_int_equal(ww_open("cpu:threads=4", &device), WW_OK);
    uint32_t x[1000], y[1000];
    fill(x, &ww_type_uint32_t, 4, 1000, UNIFORM, seed_of_run());
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 1000), ww_array(y, 1000), NULL), WW_OK);
    expect_status(device, ww_sort(device, ww_memory(x, 1000), ww_no_input, ww_array(y, 1000), ww_none, NULL), WW_OK);
    ww_device_info info = WW_DEVICE_INFO;
    ww_device_info_get(device, &info);
    assert_int_equal(info.threads_started, 0);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses),
        cmocka_unit_test(names),
        cmocka_unit_test(environment),
        cmocka_unit_test(list_of_devices),
        cmocka_unit_test(memory),
        cmocka_unit_test(scratch),
        cmocka_unit_test(scratch_of_growing_rounds),
        cmocka_unit_test(memory_of_a_handle),
        cmocka_unit_test(opening_without_memory),
        cmocka_unit_test(executor_of_the_caller),
        cmocka_unit_test(after_fork),
        cmocka_unit_test(two_handles_on_two_threads),
        cmocka_unit_test(one_handle_on_two_threads_is_busy),
        cmocka_unit_test(threads_have_errors_of_their_own),
        cmocka_unit_test(small_calls_start_no_thread),
    };
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
