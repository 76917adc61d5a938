/* How often a call on a CPU applies a function to an element of its input, as function.h says. The functions here count that,
 * which functions may not do; a CPU lets them. */
#include "support/cases.h"

enum { N = 40000, RUN = 3 };

static uint32_t applied[N];
static uint32_t count_it(uint32_t x) {
    __atomic_fetch_add(&applied[x], 1, __ATOMIC_RELAXED);
    return x;
}

WW_MAP(rising, uint32_t, uint32_t, x, void, none, { return count_it(x) / RUN; });
WW_MAP(mixed, uint32_t, uint32_t, x, void, none, { return count_it(x) * 2654435761u; });
WW_MAP(flag, uint8_t, uint32_t, x, void, none, { return count_it(x) % RUN == 0; });
WW_MAP(hundredth, uint32_t, uint32_t, x, void, none, { return count_it(x) % 100; });
WW_MAP(place, uint32_t, uint32_t, x, void, none, { return count_it(x) * 7919u % N; });

typedef struct call {
    const char *name;
    uint32_t most; /* times that a function is applied to an element */
    ww_status (*run)(ww_device *d, ww_input x, uint32_t *out, uint32_t *second, uint64_t *one);
} call;

#define OUT ww_array(out, N)
#define SECOND ww_array(second, N)
#define ONE ww_array(one, 1)
#define OF(f) ww_mapped(&f##_ww, x)
#define CALL(name, ...) \
    static ww_status name(ww_device *d, ww_input x, uint32_t *out, uint32_t *second, uint64_t *one) { \
        (void)out, (void)second, (void)one; \
        return __VA_ARGS__; \
    }
CALL(store_it, ww_store(d, OF(mixed), OUT))
CALL(map_it, ww_map(d, &mixed_ww, x, OUT))
CALL(reduce_it, ww_reduce(d, &ww_add, OF(mixed), ww_array(out, 1)))
CALL(reduce_by_key_it, ww_reduce_by_key(d, &ww_add, OF(rising), x, OUT, SECOND, ONE))
CALL(arg_min_it, ww_arg_min(d, NULL, OF(mixed), ww_array(out, 1), ONE))
CALL(scan_it, ww_scan(d, &ww_add, OF(mixed), OUT, NULL))
CALL(scan_segmented_it, ww_scan_segmented(d, &ww_add, x, OF(flag), OUT, NULL))
CALL(scan_by_key_it, ww_scan_by_key(d, &ww_add, OF(rising), x, OUT, NULL))
CALL(enumerate_it, ww_enumerate(d, OF(flag), OUT, ONE))
CALL(difference_it, ww_adjacent_difference(d, OF(mixed), OUT))
CALL(pack_it, ww_pack(d, x, OF(flag), OUT, ONE, NULL))
CALL(pack_if_it, ww_pack_if(d, &flag_ww, x, OUT, ONE, NULL))
CALL(split_it, ww_split(d, x, OF(flag), OUT, ONE, NULL))
CALL(split_if_it, ww_split_if(d, &flag_ww, x, OUT, ONE, NULL))
CALL(gather_it, ww_gather(d, ww_from(SECOND), OF(place), OUT))
CALL(scatter_it, ww_scatter(d, x, OF(place), OUT, ww_scatter_by(WW_CONFLICT_LAST)))
CALL(histogram_it, ww_histogram(d, &hundredth_ww, x, ww_array(out, 100), ww_none, NULL))
CALL(histogram_even_it, ww_histogram_even(d, OF(hundredth), ww_value(uint32_t, 0), ww_value(uint32_t, 100),
                                          ww_array(out, 10), ww_none, NULL))
CALL(merge_it,
     ww_merge(d, NULL, OF(rising), ww_counting(&ww_type_uint32_t, 0, 0), ww_no_input, ww_no_input, OUT, ww_none))
CALL(union_it, ww_set_union(d, NULL, OF(rising), ww_counting(&ww_type_uint32_t, 0, 0), OUT, ONE))
CALL(bound_needles_it, ww_lower_bound(d, NULL, x, OF(mixed), OUT))
CALL(bound_sorted_it, ww_lower_bound(d, NULL, OF(rising), x, OUT))
CALL(run_lengths_it, ww_run_lengths(d, OF(rising), OUT, SECOND, ONE))
CALL(unique_it, ww_unique(d, OF(rising), OUT, ONE))
CALL(sort_it, ww_sort(d, OF(mixed), ww_no_input, OUT, ww_none, NULL))
CALL(sort_values_it, ww_sort(d, x, OF(mixed), OUT, SECOND, NULL))
CALL(sort_by_it, ww_sort_by(d, NULL, OF(mixed), ww_no_input, OUT, ww_none, NULL))
CALL(sort_index_it, ww_sort_index(d, OF(mixed), OUT, NULL))
CALL(top_few_it, ww_top_k(d, OF(mixed), ww_no_input, ww_array(out, 10), ww_none, NULL))
CALL(top_many_it, ww_top_k(d, OF(mixed), ww_no_input, ww_array(out, N / 2), ww_none, NULL))
CALL(top_values_it, ww_top_k(d, x, OF(mixed), ww_array(out, N / 2), ww_array(second, N / 2), NULL))
CALL(nth_it, ww_nth(d, N / 3, OF(mixed), ww_array(out, 1), NULL))
CALL(multisplit_it, ww_multisplit(d, &hundredth_ww, 100, x, ww_no_input, OUT, ww_none, ww_none, NULL))
CALL(multisplit_keys_it, ww_multisplit(d, ww_with(ww_by_bits, &(const ww_bits){24, 8}), 256, OF(mixed), ww_no_input,
                                       OUT, ww_none, ww_none, NULL))

#define ROW(name, most) \
    { #name, most, name##_it }
static const call calls[] = {
    ROW(store, 1),          ROW(map, 1),
    ROW(reduce, 1),         ROW(reduce_by_key, 2),
    ROW(arg_min, 1),        ROW(scan, 1),
    ROW(scan_segmented, 1), ROW(scan_by_key, 2),
    ROW(enumerate, 1),      ROW(difference, 2),
    ROW(pack, 1),           ROW(pack_if, 1),
    ROW(split, 1),          ROW(split_if, 1),
    ROW(gather, 1),         ROW(scatter, 2),
    ROW(histogram, 1),      ROW(histogram_even, 1),
    ROW(merge, 1),          ROW(union, 2),
    ROW(bound_needles, 1),  ROW(bound_sorted, 1),
    ROW(run_lengths, 3),    ROW(unique, 3),
    ROW(sort, 1),           ROW(sort_values, 1),
    ROW(sort_by, 1),        ROW(sort_index, 1),
    ROW(top_few, 1),        ROW(top_many, 1),
    ROW(top_values, 1),     ROW(nth, 1),
    ROW(multisplit, 2),     ROW(multisplit_keys, 2),
};

static void applications(void **state) {
    (void)state;
    uint32_t *out = need(N * sizeof *out), *second = need(N * sizeof *second);
    uint64_t one;
    for (size_t k = 0; k < setting_count_short(); k++)
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            CASE("applications", "%s %s", setting_name(k), calls[c].name);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(k);
            memset(applied, 0, sizeof applied);
            memset(second, 0, N * sizeof *second);
            expect_status(device, calls[c].run(device, ww_counting(&ww_type_uint32_t, 0, N), out, second, &one), WW_OK);
            uint32_t most = 0;
            uint64_t all = 0;
            for (size_t i = 0; i < N; i++) {
                all += applied[i];
                if (applied[i] > most) most = applied[i];
            }
            expect(most >= 1 && most <= calls[c].most);
            /* Where it is now and then once more, that is seldom. */
            if (calls[c].most == 2 && strcmp(calls[c].name, "scatter") && strncmp(calls[c].name, "multisplit", 10))
                expect(all <= N + N / 100);
            if (calls[c].most == 3) expect(all <= 2 * N + N / 100);
            ww_close(device);
        }
    free(out), free(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(applications)};
    return cmocka_run_group_tests_name("applications", tests, NULL, NULL);
}
