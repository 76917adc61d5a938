/* ww_sort_large_over: several CPUs, emulators or GPUs, and mixes of them, which may use little memory, beside the oracle; what is refused;
 * and a device that fails at any of its deeds, while the others go on. */
#include <stdio.h>

#include "sort/orders.h"
#include "support/failing_driver.h"
#include "support/groups.h"

enum { FLOOR = (1 << 20) + 4096 /* of scratch memory, for any number of elements */, MANY_MOST = 7 };

typedef struct job {
    reference_order order;
    size_t n, value_size, limit; /* 0: none; on the second device twice as much */
    ww_sort_method method;
    shape shape;
    bool in_place;
} job;

typedef struct arrays {
    unsigned char *keys, *values, *keys_wanted, *values_wanted;
    guarded keys_out, values_out;
} arrays;

/* Memory that kernels do not reach, for what is only read. */
static void *host(size_t bytes) {
    void *p = malloc(bytes + 1);
    assert_non_null(p);
    return p;
}

static arrays arrays_of(const job *j) {
    const size_t n = j->n, key = j->order.type->size, value = j->value_size;
    uint32_t *positions = need(n * 4 + 1);
    arrays a = {host(n * key),       host(n * value),      need(n * key + 1),
                need(n * value + 1), guarded_new(n * key), guarded_new(n * value)};
    fill(a.keys, j->order.type, key, n, j->shape, seed_of_run() + n);
    fill(a.values, &ww_type_record, value, n, UNIFORM, seed_of_run() + 1);
    reference_sort_positions(j->order, a.keys, n, positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(a.keys_wanted + i * key, a.keys + positions[i] * key, key);
        memcpy(a.values_wanted + i * value, a.values + positions[i] * value, value);
    }
    free(positions);
    return a;
}

static void arrays_free(arrays *a) {
    guarded_free(&a->keys_out), guarded_free(&a->values_out);
    free(a->keys), free(a->values), free(a->keys_wanted), free(a->values_wanted);
}

static ww_status sort_over(ww_device **devices, uint32_t many, const job *j, arrays *a) {
    const ww_type *type = j->order.type;
    const size_t n = j->n, value = j->value_size;
    ww_sort_options o = options_of(j->order);
    o.method = j->method;
    memset(a->keys_out.data, 0xA5, n * type->size);
    memset(a->values_out.data, 0xA5, n * value);
    const ww_array keys_out = ww_array_of(a->keys_out.data, n, type);
    const ww_array values_out = value ? ww_records(a->values_out.data, n, value) : ww_none;
    if (j->in_place) {
        memcpy(keys_out.data, a->keys, n * type->size);
        if (value) memcpy(values_out.data, a->values, n * value);
        return ww_sort_large_over(devices, many, ww_from(keys_out), ww_from(values_out), keys_out, values_out, &o);
    }
    return ww_sort_large_over(devices, many, ww_memory_of(a->keys, n, type),
                              ww_from(value ? ww_records(a->values, n, value) : ww_none), keys_out, values_out, &o);
}

static void expect_right(const job *j, arrays *a) {
    expect_elements(a->keys_out.data, a->keys_wanted, j->n, j->order.type->size);
    if (j->value_size) expect_elements(a->values_out.data, a->values_wanted, j->n, j->value_size);
    guarded_check(&a->keys_out);
    guarded_check(&a->values_out);
}

static void open_all(ww_device **devices, uint32_t many) {
    for (uint32_t k = 0; k < many; k++) expect(ww_open(group_device(k, many), &devices[k]) == WW_OK);
}

static void close_all(ww_device **devices, uint32_t many) {
    for (uint32_t k = 0; k < many; k++) ww_close(devices[k]);
}

static void sorts(void **state) {
    (void)state;
    static const uint32_t numbers[] = {2, 3, 1, 4, 7};
    /* A chunk has 2^16 elements at least, on the emulator 2^10. */
    static const size_t sizes[2][6] = {{0, 1, 65536, 65537, 150000, 300001}, {0, 1, 1024, 1025, 3500, 9001}};
    static const struct {
        const ww_type *type;
        size_t value_size, limit; /* bytes for the elements of a chunk; 0: no limit */
        ww_sort_method method;
    } cases[] = {{&ww_type_uint32_t, 0, 0, WW_SORT_AUTO},        {&ww_type_float, 4, 70 << 10, WW_SORT_AUTO},
                 {&ww_type_uint64_t, 8, 90 << 10, WW_SORT_AUTO}, {&ww_type_uint8_t, 12, 0, WW_SORT_AUTO},
                 {&ww_type_uint32_t, 0, 48 << 10, WW_SORT_AUTO}, {&ww_type_uint64_t, 0, 96 << 10, WW_SORT_MERGE}};
    unsigned turn = 0;
    for (size_t m = 0; m < (tests_are_short() ? 2 : sizeof numbers / sizeof *numbers); m++) {
        ww_device *devices[MANY_MOST];
        const uint32_t many = numbers[m];
        open_all(devices, many);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            for (size_t i = 0; i < 6; i++, turn++) {
                job j = {.order = {cases[c].type, c % 2, 0, 0},
                         .n = sizes[on_emulator()][i],
                         .value_size = cases[c].value_size,
                         .limit = cases[c].limit,
                         .method = cases[c].method,
                         .shape = (shape)((turn + c) % SHAPES),
                         .in_place = turn % 2};
                if (turn % 5 == 2 && j.order.type->kind != WW_KIND_FLOAT && !j.method)
                    j.order.bit_first = 3, j.order.bit_count = 5;
                CASE("sort large over", "%s x %u method=%d %s+%zu n=%zu %s%s limit=%zu", setting_name(0), many,
                     (int)j.method, j.order.type->label, j.value_size, j.n, shape_name(j.shape),
                     j.in_place ? " in-place" : "", j.limit);
                if (!case_wanted()) continue;
                arrays a = arrays_of(&j);
                for (uint32_t k = 0; k < many; k++) {
                    /* A CPU's sort takes more than a GPU's beside its chunk. */
                    const bool limited = j.limit && strncmp(group_device(k, many), "cpu", 3);
                    expect_status(devices[k],
                                  ww_scratch_limit(devices[k], limited ? FLOOR + (k == 1 ? 2 : 1) * j.limit : 0), WW_OK);
                }
                expect_status(devices[0], sort_over(devices, many, &j, &a), WW_OK);
                expect_right(&j, &a);
                arrays_free(&a);
            }
        close_all(devices, many);
    }
}

static void refusals(void **state) {
    (void)state;
    ww_device *devices[3], *twice[2], *hole[2];
    uint32_t *const a = host(8000), *const b = a + 1000;
    memset(a, 0, 8000);
    const ww_array keys = ww_array(a, 10), out = ww_array(b, 10);
    open_all(devices, 3);
    CASE("sort large over refusals", "%s", setting_name(0));
    expect(ww_sort_large_over(NULL, 2, ww_from(keys), ww_no_input, out, ww_none, NULL) == WW_INVALID);
    expect(ww_sort_large_over(devices, 0, ww_from(keys), ww_no_input, out, ww_none, NULL) == WW_INVALID);
    expect_status(devices[0], ww_sort_large_over(devices, 65, ww_from(keys), ww_no_input, out, ww_none, NULL),
                  WW_INVALID);
    expect_sentence(devices[0], "ww_sort_large_over", "there are 65 devices");
    twice[0] = twice[1] = devices[0];
    expect_status(devices[0], ww_sort_large_over(twice, 2, ww_from(keys), ww_no_input, out, ww_none, NULL), WW_INVALID);
    expect_sentence(devices[0], "devices[1] is among those before it");
    hole[0] = devices[0], hole[1] = NULL;
    expect_status(devices[0], ww_sort_large_over(hole, 2, ww_from(keys), ww_no_input, out, ww_none, NULL), WW_INVALID);
    expect_sentence(devices[0], "devices[1] is NULL");
    expect_status(
        devices[0],
        ww_sort_large_over(devices, 3, ww_counting(&ww_type_uint32_t, 0, 10), ww_no_input, out, ww_none, NULL),
        WW_INVALID);
    expect_sentence(devices[0], "ww_sort_large_over", "keys is computed");
    expect_status(devices[0],
                  ww_sort_large_over(devices, 3, ww_from(keys), ww_no_input, ww_array(b, 11), ww_none, NULL),
                  WW_INVALID);
    expect_status(devices[0],
                  ww_sort_large_over(devices, 3, ww_from(keys), ww_no_input, ww_array(a + 5, 10), ww_none, NULL),
                  WW_OVERLAP);
    expect_status(
        devices[0],
        ww_sort_large_over(devices, 3, ww_record_memory(a, 3, 3), ww_no_input, ww_records(b, 3, 3), ww_none, NULL),
        WW_TYPE);
    if (on_gpu()) {
        void *inside;
        expect_status(devices[1], ww_scratch_trim(devices[1]), WW_OK);
        expect_status(devices[1], ww_scratch_limit(devices[1], 1 << 20), WW_OK);
        expect_status(devices[0], ww_sort_large_over(devices, 3, ww_from(keys), ww_no_input, out, ww_none, NULL),
                      WW_LIMIT);
        expect_sentence(devices[0], "ww_sort_large_over", "devices[1]: needs at least", "may have 1048576");
        expect_status(devices[0], ww_alloc(devices[0], 40, &inside), WW_OK);
        expect_status(devices[0],
                      ww_sort_large_over(devices, 2, ww_from(keys), ww_no_input, ww_array_of(inside, 10, keys.type),
                                         ww_none, NULL),
                      WW_INVALID);
        expect_sentence(devices[0], "keys_out is a GPU's memory");
        ww_free(devices[0], inside);
    }
    for (size_t i = 0; i < 10; i++) expect(b[i] == 0);
    free(a);
    close_all(devices, 3);
}

/* Each deed of the second device, until there is none left to fail. Copies happen as late as they may. */
static void one_fails(void **state) {
    (void)state;
    static const struct {
        unsigned deeds;
        ww_status status;
        size_t limit; /* 0: by the links between GPUs */
    } ways[] = {{FAILS_MEMORY | FAILS_QUEUE, WW_MEMORY, 48 << 10},
                {FAILS_ALL, WW_LOST, 48 << 10},
                {FAILS_MEMORY | FAILS_QUEUE, WW_MEMORY, 0},
                {FAILS_ALL, WW_LOST, 0}};
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        bool failed = true;
        for (size_t k = 0; failed; k++) {
            job j = {.order = {&ww_type_uint32_t, false, 0, 0},
                     .n = 4500,
                     .limit = ways[way].limit,
                     .shape = UNIFORM,
                     .in_place = !ways[way].limit};
            failing_driver f = {.deeds = ways[way].deeds, .status = ways[way].status, .fail_at = k};
            ww_device *devices[2];
            CASE("sort large over fails", "%s %s limit=%zu at deed %zu", setting_name(0), ww_status_name(f.status),
                 j.limit, k);
            if (!case_wanted()) {
                failed = k < 500;
                continue;
            }
            arrays a = arrays_of(&j);
            open_all(devices, 2);
            for (size_t d = 0; d < 2; d++)
                expect_status(devices[d], ww_scratch_limit(devices[d], j.limit ? FLOOR + j.limit : 0), WW_OK);
            failing_driver_begin(devices[1], &f);
            const ww_status status = sort_over(devices, 2, &j, &a);
            failed = f.failed;
            /* The second one may come too late for a chunk; memory that is not there is asked for in smaller pieces. */
            expect(status == WW_OK || (failed && status == f.status));
            if (status) expect_sentence(devices[0], "ww_sort_large_over: devices[1]: ");
            if (!status) expect_right(&j, &a);
            expect(!f.under_way || status == WW_LOST);
            if (f.status != WW_LOST) {
                f.fail_at = SIZE_MAX;
                expect_status(devices[0], sort_over(devices, 2, &j, &a), WW_OK);
                expect_right(&j, &a);
            }
            ww_close(devices[1]);
            expect(!f.blocks || (f.status == WW_LOST && !j.limit)); /* a lost handle gives back what is its own */
            ww_close(devices[0]);
            arrays_free(&a);
        }
    }
}

/* Of two CPUs one after the other has an allocator that fails. */
static void memory_runs_out(void **state) {
    (void)state;
    const job j = {.order = {&ww_type_uint32_t, false, 0, 0}, .n = 140000, .value_size = 4, .shape = UNIFORM};
    arrays a = arrays_of(&j);
    for (size_t one = 0; one < 2; one++) {
        ww_status status = WW_MEMORY;
        for (size_t k = 0; status; k++) {
            counting_allocator memory = {.fail_at = k};
            ww_open_options options = WW_OPEN_OPTIONS;
            ww_device *devices[2];
            CASE("sort large over memory", "request %zu of device %zu fails", k, one);
            options.allocator = counting_allocator_use(&memory);
            expect(ww_open("cpu:threads=1", &devices[1 - one]) == WW_OK);
            const ww_status opened = ww_open_with("cpu:threads=1", &devices[one], &options);
            if (!opened) status = sort_over(devices, 2, &j, &a);
            expect(status == WW_OK || status == WW_MEMORY);
            if (!status) expect_right(&j, &a);
            close_all(devices, 2);
            expect(memory.live_blocks == 0);
        }
    }
    arrays_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts), cmocka_unit_test(memory_runs_out),
                                       cmocka_unit_test(refusals), cmocka_unit_test(one_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
