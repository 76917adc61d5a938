/* Ranks that live at once (ww_launch_together): steps with barriers between them, lists that ranks append to and hand on, numbers
 * that are handed on by fences, against serial loops; for divisors of all there are, with one barrier's word for several
 * launches; and what is refused. */
#include <stdio.h>

#include "support/cases.h"

/* Sums of all before, a step for each power of two (Hillis and Steele 1986): a step reads what others wrote in the one before. */
WW_STRUCT(summing, {
    uint64_t *barrier;
    uint64_t *x; /* these two take turns */
    uint64_t *y;
    uint64_t n;
    uint64_t ranks;
});
WW_KERNEL(sum_up, summing, a, rank, {
    uint64_t *from = a->x;
    uint64_t *to = a->y;
    for (uint64_t step = 1; step < 2 * a->n; step *= 2) {
        for (uint64_t i = rank; i < a->n; i += a->ranks) to[i] = from[i] + (i >= step ? from[i - step] : 0);
        ww_barrier(a->barrier, a->ranks);
        uint64_t *const done = to;
        to = from;
        from = done;
    }
    for (uint64_t i = rank; from == a->y && i < a->n; i += a->ranks) a->x[i] = from[i];
});

/* A list that grows: each number below `n` that is in it puts 2 i + 1 and 2 i + 2 into the next one, as a heap has its children, until
 * a list is empty. Each number is seen once. The lengths of three lists take turns. */
WW_STRUCT(growing, {
    uint64_t *barrier;
    uint32_t *list; /* these two take turns */
    uint32_t *next;
    uint32_t *length; /* 3 */
    uint32_t *seen;   /* n */
    uint32_t *rounds;
    uint64_t n;
    uint64_t ranks;
});
WW_KERNEL(grow, growing, a, rank, {
    uint32_t *list = a->list;
    uint32_t *next = a->next;
    uint32_t round = 0;
    for (;; round++) {
        const uint32_t length = ww_atomic_load(a->length + round % 3);
        if (!length) break;
        if (rank == 0) ww_atomic_store(a->length + (round + 2) % 3, 0);
        for (uint64_t i = rank; i < length; i += a->ranks) {
            const uint32_t number = list[i];
            ww_atomic_add(a->seen + number, 1u);
            for (uint32_t child = 2 * number + 1; child < 2 * number + 3 && child < a->n; child++) {
                const uint32_t at = ww_append(a->length + (round + 1) % 3);
                next[at] = child;
            }
        }
        uint32_t *const gone = list;
        list = next;
        next = gone;
        ww_barrier(a->barrier, a->ranks);
    }
    if (rank == 0) *a->rounds = round;
});

/* Rows of a list: each rank appends some, of sizes that depend on their numbers. Rows follow one another without a gap. */
WW_STRUCT(rows_appended, {
    uint64_t *end; /* 1 */
    uint64_t *row; /* n: its number below, its begin above */
    uint64_t n;
});
WW_FUNCTION(size_of_row, uint32_t, (uint64_t number),
            { return (uint32_t)((number * 2654435761u >> 7) % 5000 * (number % 3)); });
WW_KERNEL_USES((size_of_row), append_rows, rows_appended, a, rank, {
    if (rank < a->n) {
        const uint64_t place = ww_append_row(a->end, size_of_row(rank));
        a->row[place >> 32] = place << 32 | rank;
    }
});

static void check_rows(ww_device *device, const char *setting, size_t n) {
    CASE("together", "%s rows n=%zu", setting, n);
    if (!case_wanted()) return;
    guarded row = guarded_new(8 * n);
    uint64_t *end = need(8), begin = 0;
    uint8_t *seen = need(n + 1);
    memset(seen, 0, n + 1);
    *end = 0;
    const rows_appended a = {end, row.data, n};
    expect_status(device, ww_launch(device, ww_with(append_rows, &a), n + 7), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < n; i++) {
        const uint64_t one = ((uint64_t *)row.data)[i], number = (uint32_t)one;
        expect(number < n && !seen[number] && one >> 32 == begin);
        seen[number] = 1;
        begin += size_of_row(number);
    }
    expect(*end == ((uint64_t)n << 32) + begin);
    guarded_check(&row);
    guarded_free(&row);
    free(end);
    free(seen);
}

/* Who comes last reads what all have written, by plain accesses: fences hand it on. */
WW_STRUCT(handing, {
    uint32_t *count; /* 1 */
    uint64_t *x;     /* n */
    uint64_t *sum;   /* 1 */
    uint64_t n;
});
WW_KERNEL(hand_on, handing, a, rank, {
    a->x[rank] = rank * rank + 1;
    ww_fence();
    if (ww_atomic_add(a->count, 1u) == a->n - 1) {
        uint64_t sum = 0;
        ww_fence();
        for (uint64_t i = 0; i < a->n; i++) sum += a->x[i];
        *a->sum = sum;
    }
});

static void check_handing(ww_device *device, const char *setting, size_t n) {
    CASE("together", "%s handing n=%zu", setting, n);
    if (!case_wanted()) return;
    guarded x = guarded_new(8 * n);
    uint32_t *count = need(4);
    uint64_t *sum = need(8), wanted = 0;
    for (int turn = 0; turn < 3; turn++) {
        memset(x.data, 0xA5, 8 * n);
        *count = 0;
        *sum = wanted = 0;
        for (uint64_t i = 0; i < n; i++) wanted += i * i + 1;
        const handing a = {count, x.data, sum, n};
        expect_status(device, ww_launch(device, ww_with(hand_on, &a), n), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(*count == n && *sum == wanted);
    }
    guarded_check(&x);
    guarded_free(&x);
    free(count);
    free(sum);
}

static void check_sums(ww_device *device, const char *setting, uint64_t ranks, size_t n, uint64_t *barrier) {
    CASE("together", "%s sums ranks=%u n=%zu", setting, (unsigned)ranks, n);
    if (!case_wanted()) return;
    guarded x = guarded_new(8 * n), y = guarded_new(8 * n);
    uint64_t *wanted = need(8 * n + 1), sum = 0, seed = seed_of_run();
    for (size_t i = 0; i < n; i++) {
        ((uint64_t *)x.data)[i] = random_next(&seed) >> 20;
        wanted[i] = sum += ((uint64_t *)x.data)[i];
    }
    const summing a = {barrier, x.data, y.data, n, ranks};
    expect_status(device, ww_launch_together(device, ww_with(sum_up, &a), ranks), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(x.data, wanted, n, 8);
    guarded_check(&x);
    guarded_check(&y);
    guarded_free(&x);
    guarded_free(&y);
    free(wanted);
}

static void check_lists(ww_device *device, const char *setting, uint64_t ranks, size_t n, uint64_t *barrier) {
    CASE("together", "%s lists ranks=%u n=%zu", setting, (unsigned)ranks, n);
    if (!case_wanted()) return;
    guarded list = guarded_new(4 * n), next = guarded_new(4 * n), seen = guarded_new(4 * n), length = guarded_new(12);
    uint32_t *rounds = need(4), levels = 0;
    memset(seen.data, 0, 4 * n);
    memset(length.data, 0, 12);
    *(uint32_t *)list.data = 0;
    *(uint32_t *)length.data = 1;
    for (size_t left = n; left; left /= 2) levels++;
    const growing a = {barrier, list.data, next.data, length.data, seen.data, rounds, n, ranks};
    expect_status(device, ww_launch_together(device, ww_with(grow, &a), ranks), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(*rounds == levels);
    for (size_t i = 0; i < n; i++) expect(((uint32_t *)seen.data)[i] == 1);
    guarded_check(&list);
    guarded_check(&next);
    guarded_check(&seen);
    guarded_check(&length);
    guarded_free(&list);
    guarded_free(&next);
    guarded_free(&seen);
    guarded_free(&length);
    free(rounds);
}

static void rows_in_one_list(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        const size_t sizes[] = {1, 31, 32, 33, 1000, on_emulator() ? 4096 : 100003};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_rows(device, setting_name(s), sizes[i]);
        ww_close(device);
    }
}

static void handed_on(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        const size_t sizes[] = {1, 2, 33, 1000, on_emulator() ? 1025 : 300007};
        ww_device *device = setting_open(s);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            check_handing(device, setting_name(s), sizes[i]);
        ww_close(device);
    }
}

/* One word for all barriers of a number of ranks. */
static void by_all_divisors(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        uint64_t most = 0;
        expect_status(device, ww_together(device, &most), WW_OK);
        expect(most > 0);
        for (uint64_t ranks = 1; ranks <= most; ranks++) {
            const size_t sizes[] = {1, 2, 31, 100, 4097, on_emulator() ? 100 : 100003};
            uint64_t *barrier = need(8);
            if (most % ranks || (ranks > 4 && ranks < most / 2)) {
                free(barrier);
                continue;
            }
            *barrier = 0;
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                if (on_emulator() && sizes[i] > 32 * ranks) continue;
                check_sums(device, setting_name(s), ranks, sizes[i], barrier);
                check_lists(device, setting_name(s), ranks, sizes[i], barrier);
            }
            free(barrier);
        }
        ww_close(device);
    }
}

WW_STRUCT(touching, { uint32_t *x; });
WW_KERNEL(touch, touching, a, rank, { a->x[rank] = (uint32_t)rank; });
WW_MAP(plus_one, uint32_t, uint32_t, x, void, none, { return x + 1; });

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {7, 7, 7, 7};
    uint64_t most = 0;
    const touching a = {x};
    expect_status(device, ww_together(device, NULL), WW_INVALID);
    expect_status(device, ww_together(device, &most), WW_OK);
    expect_status(device, ww_launch_together(device, NULL, 1), WW_TYPE);
    expect_status(device, ww_launch_together(device, &plus_one_ww, 1), WW_TYPE);
    expect_status(device, ww_launch_together(device, &touch_ww, 1), WW_INVALID);
    expect_status(device, ww_launch_together(device, ww_with(touch, &a), 0), WW_INVALID);
    expect_status(device, ww_launch_together(device, ww_with(touch, &a), most + 1), WW_INVALID);
    expect_sentence(device, "ranks", "divisor");
    for (size_t i = 0; i < 4; i++) expect(x[i] == 7);
    expect_status(device, ww_launch_together(device, ww_with(touch, &a), 1), WW_OK);
    expect(x[0] == 0 && x[1] == 7);
    ww_close(device);
}

static void one_after_another(void *context, size_t workers, void (*task)(void *, size_t), void *argument) {
    (void)context;
    for (size_t w = 0; w < workers; w++) task(argument, w);
}

/* An executor may run its workers one after another, which could not wait for one another. */
static void alone_with_an_executor(void **state) {
    (void)state;
    if (left_out_on_gpu("executors are for CPUs")) return;
    ww_open_options options = WW_OPEN_OPTIONS;
    ww_device *device;
    uint64_t most = 0, *barrier = need(8);
    options.executor.run = one_after_another;
    expect(!ww_open_with("cpu:threads=3", &device, &options));
    expect_status(device, ww_together(device, &most), WW_OK);
    expect(most == 1);
    *barrier = 0;
    check_lists(device, "executor", 1, 100, barrier);
    free(barrier);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_all_divisors),
        cmocka_unit_test(rows_in_one_list),
        cmocka_unit_test(handed_on),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(alone_with_an_executor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
