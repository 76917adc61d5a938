/* ww_sort_large: arrays in the host's own memory on a GPU that may use little of its own, so that few elements are many chunks;
 * and the cut of sorted runs at a rank. On a CPU it is ww_sort. */
#include "sort/orders.h"
#include "sort/order.h"
#include "sort/large/rank.h"
#include "support/traced.h"

/* Memory that kernels do not reach. */
static void *host(size_t bytes) {
    unsigned char *p = malloc(bytes + 1);
    assert_non_null(p);
    memset(p, 0xA5, bytes + 1);
    return p;
}

typedef struct job {
    reference_order order;
    ww_sort_method method;
    size_t n, value_size, limit;
    shape shape;
    bool in_place, pinned;
} job;

static void check_job(ww_device *device, const job *j) {
    const size_t n = j->n, key = j->order.type->size, value = j->value_size;
    void *(*const memory)(size_t bytes) = j->pinned ? need : host;
    unsigned char *keys = memory(n * key + 1), *values = memory(n * value + 1);
    unsigned char *keys_out = memory(n * key + 1), *values_out = memory(n * value + 1);
    unsigned char *keys_wanted = need(n * key + 1), *values_wanted = need(n * value + 1);
    uint32_t *positions = need(n * 4 + 1);
    fill(keys, j->order.type, key, n, j->shape, seed_of_run() + n);
    fill(values, &ww_type_record, value, n, UNIFORM, seed_of_run() + 1);
    reference_sort_positions(j->order, keys, n, positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(keys_wanted + i * key, keys + positions[i] * key, key);
        memcpy(values_wanted + i * value, values + positions[i] * value, value);
    }
    unsigned char *const to = j->in_place ? keys : keys_out, *const values_to = j->in_place ? values : values_out;
    const unsigned char after = to[n * key], values_after = values_to[n * value];
    ww_sort_options o = options_of(j->order);
    o.method = j->method;
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect_status(device, ww_scratch_limit(device, on_gpu() ? j->limit : 0), WW_OK);
    expect_status(device,
                  ww_sort_large(device, ww_memory_of(keys, n, j->order.type),
                                ww_from(value ? ww_records(values, n, value) : ww_none),
                                ww_array_of(to, n, j->order.type), value ? ww_records(values_to, n, value) : ww_none,
                                &o),
                  WW_OK);
    expect_elements(to, keys_wanted, n, key);
    if (value) expect_elements(values_to, values_wanted, n, value);
    expect(to[n * key] == after && values_to[n * value] == values_after);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    if (on_gpu() && j->limit) expect(info.scratch_held <= j->limit);
    free(keys), free(values), free(keys_out), free(values_out), free(keys_wanted), free(values_wanted), free(positions);
}

enum { FLOOR = (1 << 20) + 4096 }; /* of scratch memory, for any number of elements */

static void sorts_in_chunks(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 1023, 1025, 2049, 5000};
    static const struct {
        const ww_type *type;
        size_t value_size, limit; /* bytes for the elements of a chunk; 0: no limit */
        ww_sort_method method;
    } cases[] = {{&ww_type_uint32_t, 0, 32 << 10, WW_SORT_AUTO}, {&ww_type_float, 4, 60 << 10, WW_SORT_AUTO},
                 {&ww_type_int64_t, 0, 0, WW_SORT_AUTO},         {&ww_type_uint64_t, 8, 90 << 10, WW_SORT_AUTO},
                 {&ww_type_uint8_t, 12, 96 << 10, WW_SORT_AUTO}, {&ww_type_uint32_t, 4, 96 << 10, WW_SORT_QUICK},
                 {&ww_type_uint64_t, 0, 96 << 10, WW_SORT_MERGE}};
    unsigned turn = 0;
    ww_device *device = setting_open(0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++) {
            job j = {.order = {cases[c].type, turn % 3 == 1, 0, 0},
                     .method = cases[c].method,
                     .n = sizes[i],
                     .value_size = cases[c].value_size,
                     .limit = cases[c].limit ? FLOOR + cases[c].limit : 0,
                     .shape = (shape)((turn + c) % SHAPES),
                     .in_place = turn % 2,
                     .pinned = turn % 4 > 1};
            if (on_emulator()) j.order.descending = c % 2; /* each direction is a program of its own */
            if (turn % 5 == 2 && j.order.type->kind != WW_KIND_FLOAT && !j.method)
                j.order.bit_first = 3, j.order.bit_count = 5;
            CASE("sort large", "%s method=%d %s+%zu n=%zu %s%s %s %s limit=%zu", setting_name(0), (int)j.method,
                 j.order.type->label, j.value_size, j.n, shape_name(j.shape), j.order.descending ? " descending" : "",
                 j.in_place ? "in-place" : "apart", j.pinned ? "pinned" : "", j.limit);
            if (case_wanted()) check_job(device, &j);
        }
    ww_close(device);
}

/* So many elements in a chunk that what quicksort needs for them, much more than the radix sort, is not hidden by the floor. */
static void methods_have_their_room(void **state) {
    (void)state;
    job j = {.order = {&ww_type_uint32_t, false, 0, 0},
             .method = WW_SORT_QUICK,
             .n = 40000,
             .limit = FLOOR + 40000 * (2 * 4 + 8),
             .shape = CONSTANT};
    ww_device *device = setting_open(0);
    CASE("sort large", "%s quick, room", setting_name(0));
    if (case_wanted()) check_job(device, &j);
    ww_close(device);
}

/* One trip where all fits, two where it does not: 3 chunks are sorted twice. */
static void chunks_are_seen_in_the_trace(void **state) {
    (void)state;
    if (!on_gpu()) return;
    enum { N = 3000 };
    ww_device *device = traced_open();
    uint32_t *keys = host(N * 4);
    char text[4096];
    fill(keys, &ww_type_uint32_t, 4, N, UNIFORM, seed_of_run());
    for (int several = 0; several < 2; several++) {
        CASE("sort large trace", "%s %s", setting_name(0), several ? "chunks" : "at once");
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device, ww_scratch_limit(device, several ? FLOOR + 1024 * (4 * 4 + (on_emulator() ? 8 : 2)) : 0),
                      WW_OK);
        traced t = traced_begin();
        const ww_status status = ww_sort_large(device, ww_memory(keys, N), ww_no_input, ww_array(keys, N), ww_none,
                                               NULL);
        traced_end(&t, text, sizeof text);
        expect_status(device, status, WW_OK);
        size_t sorts = 0;
        for (const char *at = text; (at = strstr(at, "ww_sort_large kernel=")); at++)
            sorts += strncmp(at, "ww_sort_large kernel=radix_block", 32) == 0 ||
                     strncmp(at, "ww_sort_large kernel=count_digits", 33) == 0;
        expect(sorts == (several ? 6 : 1));
    }
    for (size_t i = 1; i < N; i++) expect(keys[i - 1] <= keys[i]);
    free(keys);
    ww_close(device);
}

/* Against counting: each cut takes what is before the rank, and all ranks cut somewhere. */
static void runs_are_cut_at_every_rank(void **state) {
    (void)state;
    enum { N = 100, LENGTH = 23, RUNS = 5 };
    static const ww_type *const types[] = {&ww_type_uint8_t, &ww_type_int32_t, &ww_type_double, &ww_type_uint64_t};
    for (size_t t = 0; t < 4 * SHAPES; t++) {
        const ww_type *type = types[t % 4];
        const shape s = (shape)(t / 4);
        const reference_order order = {type, t % 2, 0, 0};
        unsigned char keys[N * 8], sorted[N * 8];
        uint32_t positions[N], where[N], place = 0;
        uint64_t cut[RUNS], room[2 * RUNS];
        CASE("sort large cut", "%s %s", type->label, shape_name(s));
        fill(keys, type, type->size, N, s, seed_of_run() + t);
        for (size_t run = 0; run < N; run += LENGTH) {
            const size_t length = N - run < LENGTH ? N - run : LENGTH;
            reference_sort_positions(order, keys + run * type->size, length, positions);
            for (size_t i = 0; i < length; i++)
                memcpy(sorted + (run + i) * type->size, keys + (run + positions[i]) * type->size, type->size);
        }
        reference_sort_positions(order, sorted, N, positions); /* stable: equal keys by run */
        for (uint32_t i = 0; i < N; i++) where[positions[i]] = i;
        const ww__sorting sorting = {
            .keys = ww_memory_of(sorted, N, type), .by_value = true, .descending = order.descending};
        const ww__runs runs = {.keys = sorted,
                               .n = N,
                               .length = LENGTH,
                               .runs = RUNS,
                               .key_size = type->size,
                               .order = ww__radix_order_of(&sorting),
                               .bit_count = (unsigned)(8 * type->size)};
        for (uint64_t rank = 0; rank <= N; rank++) {
            ww__rank_cut(&runs, rank, cut, room);
            for (uint64_t run = 0; run < RUNS; run++)
                for (place = (uint32_t)(run * LENGTH); place < ww__run_end(&runs, run); place++)
                    expect((where[place] < rank) == (place < cut[run]));
        }
    }
}

/* The limit is one of all keys, however few a chunk has. */
static void transposition_is_limited(void **state) {
    (void)state;
    const size_t n = WW_ODDEVEN_MOST + 1;
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = WW_SORT_ODDEVEN;
    ww_device *device = setting_open(0);
    uint32_t *keys = host(n * 4);
    const ww_array all = ww_array(keys, n);
    memset(keys, 0, n * 4);
    CASE("sort large oddeven", "%s", setting_name(0));
    expect_status(device, ww_scratch_limit(device, on_gpu() ? FLOOR + (64 << 10) : 0), WW_OK);
    expect_status(device, ww_sort_large(device, ww_from(all), ww_no_input, all, ww_none, &o), WW_LIMIT);
    expect_sentence(device, "ww_sort_large", "there are 65537 keys; method oddeven sorts up to 65536");
    free(keys);
    ww_close(device);
}

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *const a = host(8000), *const b = a + 1000;
    memset(a, 0, 8000);
    const ww_array keys = ww_array(a, 10), out = ww_array(b, 10);
    CASE("sort large refusals", "%s", setting_name(0));
    expect_status(NULL, ww_sort_large(NULL, ww_from(keys), ww_no_input, out, ww_none, NULL), WW_INVALID);
    expect_status(device, ww_sort_large(device, ww_no_input, ww_no_input, out, ww_none, NULL), WW_INVALID);
    expect_sentence(device, "ww_sort_large", "keys is missing");
    const ww_input counting = ww_counting(&ww_type_uint32_t, 0, 10);
    expect_status(device, ww_sort_large(device, counting, ww_no_input, out, ww_none, NULL), WW_INVALID);
    expect_sentence(device, "keys is computed");
    expect_status(device, ww_sort_large(device, ww_from(keys), counting, out, ww_array(a + 100, 10), NULL), WW_INVALID);
    expect_sentence(device, "values is computed");
    expect_status(device, ww_sort_large(device, ww_from(keys), ww_no_input, ww_none, ww_none, NULL), WW_INVALID);
    expect_sentence(device, "keys_out is missing");
    expect_status(device, ww_sort_large(device, ww_from(keys), ww_memory(a + 100, 10), out, ww_none, NULL), WW_INVALID);
    expect_sentence(device, "values_out is missing");
    expect_status(device, ww_sort_large(device, ww_from(keys), ww_no_input, out, ww_array(a + 100, 10), NULL),
                  WW_INVALID);
    expect_sentence(device, "values is missing");
    expect_status(device, ww_sort_large(device, ww_from(keys), ww_no_input, ww_array(b, 11), ww_none, NULL),
                  WW_INVALID);
    expect_status(device, ww_sort_large(device, ww_from(keys), ww_no_input, ww_array(a + 5, 10), ww_none, NULL),
                  WW_OVERLAP);
    expect_status(device,
                  ww_sort_large(device, ww_record_memory(a, 3, 3), ww_no_input, ww_records(b, 3, 3), ww_none, NULL),
                  WW_TYPE);
    if (on_gpu()) {
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device, ww_scratch_limit(device, 1 << 20), WW_OK);
        expect_status(device, ww_sort_large(device, ww_from(keys), ww_no_input, out, ww_none, NULL), WW_LIMIT);
        expect_sentence(device, "needs at least", "may have 1048576");
    }
    free(a);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_in_chunks),
                                       cmocka_unit_test(methods_have_their_room),
                                       cmocka_unit_test(chunks_are_seen_in_the_trace),
                                       cmocka_unit_test(runs_are_cut_at_every_rank),
                                       cmocka_unit_test(transposition_is_limited),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
