/* Threads that the system does not give: all of a handle's, those from the k-th on, and those that a child of fork starts
 * anew, also one that has its parent's number; a child that was forked in the middle of another thread's call. And many more threads than there are cores, which wait for one another's turns. Results are those of the oracles
 * all the same. And the scratch memory that a call is said to have taken is what its allocator gave.
 *
 * pthread_create and getpid are wrapped by the linker. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"
#include "support/calls.h"

static int allowed = -1; /* calls of pthread_create that go well, -1: all */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    if (!allowed) return EAGAIN;
    if (allowed > 0) allowed--;
    return __real_pthread_create(thread, attributes, run, argument);
}

static bool first_of_its_namespace; /* every process is number 1 */

pid_t __real_getpid(void);
pid_t __wrap_getpid(void);
pid_t __wrap_getpid(void) { return first_of_its_namespace ? 1 : __real_getpid(); }

static int set_up(void **state) {
    (void)state;
    calls_begin();
    alarm(1200); /* a thread that is waited for in vain ends the test by a signal */
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    calls_end();
    return 0;
}

static ww_device *open_with(uint32_t threads) {
    ww_device *device;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.threads = threads;
    unsetenv("WARPWISE_VECTOR");
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    device->light_bytes = 0; /* calls do not wait before they use their threads */
    return device;
}

static uint32_t started(ww_device *device) {
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    return info.threads_started;
}

/* Of four threads beside the caller's. */
static void check_not_given(const one_call *call) {
    static const int given[] = {0, 2};
    for (size_t g = 0; g < sizeof given / sizeof *given; g++) {
        CASE("threads", "cpu:threads=5, %d given, %s", given[g], call->name);
        if (!case_wanted()) continue;
        ww_device *device = open_with(5);
        allowed = given[g];
        call_check(device, call);
        expect(started(device) == (uint32_t)given[g]);
        allowed = -1;
        ww_close(device);
    }
}

/* A turn that is waited for in vain would take for ever: it is what a fault here looks like. */
static void check_many(ww_device *device, uint32_t many, const one_call *call) {
    CASE("threads", "cpu:threads=%u, %s", many, call->name);
    if (!case_wanted()) return;
    call_check(device, call);
    expect(started(device) == many - 1);
}

/* The parent had its threads; the child gets one. */
static void check_child(void) {
    ww_device *device = open_with(5);
    call_check(device, &calls[0]);
    fflush(stdout);
    const pid_t child = fork();
    if (!child) {
        alarm(60); /* the parent's is not the child's */
        allowed = 1;
        call_check(device, &calls[0]);
        const uint32_t child_has = started(device);
        ww_close(device);
        _exit(child_has == 1 ? 7 : 1);
    }
    int status = 0;
    expect(child > 0 && waitpid(child, &status, 0) == child);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    call_check(device, &calls[0]);
    ww_close(device);
}

static void in_a_child(void **state) {
    (void)state;
    if (!children_can_have_threads()) return;
    for (int k = 0; k < 2; k++) {
        CASE("threads", "in a child%s", k ? " of the same number" : "");
        if (!case_wanted()) continue;
        first_of_its_namespace = k;
        check_child();
        first_of_its_namespace = false;
    }
}

/* A thread that waits in the middle of a call until it may go on. */
static pthread_barrier_t inside, leave;
static void *wait_inside(void *context, size_t bytes, size_t alignment) {
    (void)context;
    static int requests;
    if (requests++ == 1) { /* the first is the handle's own */
        pthread_barrier_wait(&inside);
        pthread_barrier_wait(&leave);
    }
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void give_back(void *context, void *block, size_t bytes) {
    (void)context, (void)bytes;
    free(block);
}
static void *reserve(void *device) {
    expect_status(device, ww_scratch_reserve(device, 1000), WW_OK);
    return NULL;
}

static void forked_in_a_call(void **state) {
    (void)state;
    if (!children_can_have_threads()) return;
    CASE("threads", "forked in a call of another thread");
    if (!case_wanted()) return;
    ww_device *device;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.allocator = (ww_allocator){wait_inside, give_back, NULL};
    pthread_t thread;
    pthread_barrier_init(&inside, NULL, 2);
    pthread_barrier_init(&leave, NULL, 2);
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    expect(!pthread_create(&thread, NULL, reserve, device));
    pthread_barrier_wait(&inside);
    expect(ww_scratch_reserve(device, 1000) == WW_BUSY);
    const pid_t child = fork();
    if (!child) {
        for (int k = 0; k < 2; k++) {
            expect_status(device, ww_scratch_reserve(device, 1000), WW_LOST);
            expect_sentence(device, "forked while another thread");
        }
        ww_close(device);
        _exit(7);
    }
    int status = 0;
    expect(child > 0 && waitpid(child, &status, 0) == child);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    pthread_barrier_wait(&leave);
    expect(!pthread_join(thread, NULL));
    expect_status(device, ww_scratch_reserve(device, 2000), WW_OK);
    ww_close(device);
}

/* The first call of a handle takes each piece of scratch memory from the allocator: what the handle says it used at most
 * is what was taken. */
static void check_peak(const one_call *call) {
    CASE("scratch peak", "cpu:threads=1, %s", call->name);
    if (!case_wanted()) return;
    counting_allocator counter = {.fail_at = SIZE_MAX};
    ww_open_options options = WW_OPEN_OPTIONS;
    options.threads = 1; /* which has no memory of a pool's */
    options.allocator = counting_allocator_use(&counter);
    ww_device *device;
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    const size_t before = counter.live_bytes;
    call_check(device, call);
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    const size_t taken = counter.peak_bytes - before;
    const bool has_patterns = !strcmp(call->name, "find_many"); /* which hold memory of their own */
    expect(has_patterns ? info.scratch_peak < taken : info.scratch_peak == taken && info.scratch_held == taken);
    ww_close(device);
    expect(!counter.live_blocks && !counter.live_bytes);
}

static void every_call(void **state) {
    (void)state;
    static const uint32_t many[] = {16, 64};
    ww_device *devices[2] = {open_with(many[0]), open_with(many[1])};
    for (size_t c = 0; c < calls_many(); c++) {
        check_not_given(&calls[c]);
        for (size_t m = 0; m < 2; m++) check_many(devices[m], many[m], &calls[c]);
        check_peak(&calls[c]);
    }
    settings_close(devices, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call), cmocka_unit_test(in_a_child),
                                       cmocka_unit_test(forked_in_a_call)};
    return cmocka_run_group_tests_name("threads", tests, set_up, tear_down);
}
