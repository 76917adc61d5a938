/* Handles inside a caller's OpenMP region: each thread of the region opens its own and uses its threads, also after a
 * fork. Built with OpenMP where the compiler has it; elsewhere it says so. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cases.h"

#ifdef _OPENMP
static int sum_is_right(const uint64_t *x, size_t n) {
    ww_device *device;
    uint64_t sum = 0;
    const ww_status opened = ww_open("cpu:threads=2", &device);
    const ww_status status = opened ? opened : ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&sum, 1));
    ww_close(device);
    return !status && sum == (uint64_t)n * (n - 1) / 2;
}

/* An OpenMP region of the child's own would hang; the library's threads do not. */
static void fork_and_sum(const uint64_t *x, size_t n) {
    fflush(stdout);
    const pid_t child = fork();
    if (!child) {
        alarm(60);
        _exit(!sum_is_right(x, n));
    }
    int status;
    expect(waitpid(child, &status, 0) == child);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void inside_a_region(void **state) {
    (void)state;
    enum { ROUNDS = 20 };
    const size_t n = 200000;
    uint64_t *x = need(n * 8);
    for (size_t i = 0; i < n; i++) x[i] = i;
    int right = 0;
#pragma omp parallel for reduction(+ : right) num_threads(3)
    for (int round = 0; round < ROUNDS; round++) right += sum_is_right(x, n);
    expect(right == ROUNDS);
    if (children_can_have_threads()) fork_and_sum(x, n);
    free(x);
}
#else
static void inside_a_region(void **state) {
    (void)state;
    left_out("this compiler has no OpenMP, or a sanitizer is on that does not know OpenMP's own threads");
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(inside_a_region)};
    return cmocka_run_group_tests_name("openmp", tests, NULL, NULL);
}
