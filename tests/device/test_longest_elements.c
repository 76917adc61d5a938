/* The longest elements that a GPU takes, of each call that holds them in registers or in shared memory, and elements longer by one
 * word: those are refused with the limit, and nothing is written. A CPU takes both. */
#include "support/cases.h"

#define ELEMENTS(name, words) \
    WW_STRUCT(name, { uint32_t v[words]; }); \
    WW_COMBINE(sum_##name, name, a, b, WW_COMMUTES, WW_IDENTITY({{0}}), { \
        for (int i = 0; i < words; i++) a.v[i] += b.v[i]; \
        return a; \
    }); \
    WW_LESS(less_##name, name, a, b, { return a.v[0] < b.v[0]; }); \
    WW_MAP2(equal_##name, uint8_t, name, a, name, b, void, none, { return (uint8_t)(a.v[0] == b.v[0]); }); \
    WW_MAP(kept_##name, uint8_t, name, x, void, none, { return (uint8_t)(x.v[0] != 1); }); \
    WW_MAP(made_##name, name, uint32_t, x, void, none, { \
        name made = {{0}}; \
        made.v[0] = x; \
        return made; \
    });
ELEMENTS(bytes_512, 128)
ELEMENTS(bytes_516, 129)
ELEMENTS(bytes_1024, 256)
ELEMENTS(bytes_1028, 257)

typedef struct element {
    const ww_type *type;
    const ww_function *sum, *less, *equal, *kept, *made;
} element;
static const element e512 = {&bytes_512_ww,       &sum_bytes_512_ww,  &less_bytes_512_ww,
                             &equal_bytes_512_ww, &kept_bytes_512_ww, &made_bytes_512_ww},
                     e516 = {&bytes_516_ww,       &sum_bytes_516_ww,  &less_bytes_516_ww,
                             &equal_bytes_516_ww, &kept_bytes_516_ww, &made_bytes_516_ww},
                     e1024 = {&bytes_1024_ww,       &sum_bytes_1024_ww,  &less_bytes_1024_ww,
                              &equal_bytes_1024_ww, &kept_bytes_1024_ww, &made_bytes_1024_ww},
                     e1028 = {&bytes_1028_ww,       &sum_bytes_1028_ww,  &less_bytes_1028_ww,
                              &equal_bytes_1028_ww, &kept_bytes_1028_ww, &made_bytes_1028_ww};

enum { N = 3, MOST = 1028 };

/* In memory that the device reaches; `out` and `positions` have room for as many as two inputs have. */
typedef struct arrays {
    unsigned char *x, *out;
    uint32_t *numbers, *positions;
} arrays;

#define X ww_memory_of(a->x, N, e->type)
#define OUT(count) ww_array_of(a->out, count, e->type)
#define NUMBERS(count) ww_array(a->positions, count)
#define CALL(name, ...) \
    static ww_status name(ww_device *device, const element *e, const arrays *a) { return __VA_ARGS__; }
CALL(reduced, ww_reduce(device, e->sum, X, OUT(1)))
CALL(scanned, ww_scan(device, e->sum, X, OUT(N), NULL))
CALL(reduced_by_segments, ww_reduce_segments(device, e->sum, X, ww_memory(a->numbers, 2), OUT(1)))
CALL(reduced_by_key, ww_reduce_by_key(device, e->sum, ww_memory(a->numbers, N), X, ww_array(a->positions, N), OUT(N),
                                      ww_array(a->positions + N, 1)))
CALL(least, ww_arg_min(device, e->less, X, OUT(1), NUMBERS(1)))
CALL(least_of_segments, ww_arg_min_segments(device, e->less, X, ww_memory(a->numbers, 2), NUMBERS(1)))
CALL(reversed, ww_reverse(device, X, OUT(N)))
CALL(ranged, ww_min_max(device, e->less, X, OUT(1), ww_array_of(a->out + MOST + 4, 1, e->type)))
CALL(in_order, ww_is_sorted(device, e->less, X, ww_none, NUMBERS(1)))
CALL(merged, ww_merge(device, e->less, X, X, ww_no_input, ww_no_input, OUT(2 * N), ww_none))
CALL(values_merged, ww_merge(device, NULL, ww_memory(a->numbers, N), ww_memory(a->numbers, N),
                             ww_mapped(e->made, ww_counting(&ww_type_uint32_t, 0, N)),
                             ww_mapped(e->made, ww_counting(&ww_type_uint32_t, 0, N)), NUMBERS(2 * N), OUT(2 * N)))
CALL(searched, ww_lower_bound(device, e->less, X, X, NUMBERS(N)))
CALL(expanded, ww_expand(device, X, ww_memory(a->numbers, N), OUT(2 * N), ww_none, ww_none,
                         ww_array((uint64_t *)(void *)a->positions, 1)))
CALL(runs, ww_run_lengths_by(device, e->equal, X, OUT(N), NUMBERS(N), ww_array(a->positions + N, 1)))
CALL(computed_runs, ww_run_lengths(device, ww_mapped(e->made, ww_counting(&ww_type_uint32_t, 0, N)), ww_none,
                                   NUMBERS(N), ww_array(a->positions + N, 1)))
CALL(packed, ww_pack_if(device, e->kept, X, OUT(N), NUMBERS(1), NULL))
CALL(computed_packed, ww_pack(device, ww_mapped(e->made, ww_counting(&ww_type_uint32_t, 0, N)),
                              ww_memory((const uint8_t *)a->numbers, N), OUT(N), NUMBERS(1), NULL))
CALL(split, ww_split_if(device, e->kept, X, OUT(N), NUMBERS(1), NULL))
CALL(distinct, ww_unique_by(device, e->equal, X, OUT(N), NUMBERS(1)))
CALL(united, ww_set_union(device, e->less, X, X, OUT(2 * N), NUMBERS(1)))
static ww_status scanned_by(ww_device *device, const element *e, const arrays *a, ww_scan_method method) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.method = method;
    return ww_scan(device, e->sum, X, OUT(N), &options);
}
CALL(scanned_by_steps, scanned_by(device, e, a, WW_SCAN_HILLIS_STEELE))
CALL(scanned_by_tree, scanned_by(device, e, a, WW_SCAN_BLELLOCH))

static const struct {
    const char *name, *sentence;
    ww_status (*make)(ww_device *device, const element *e, const arrays *a);
    const element *longest, *longer;
} calls[] = {
    {"reduce", "elements of 1028 bytes are reduced on a CPU only; a GPU takes up to 1024", reduced, &e1024, &e1028},
    {"scan", "elements of 1028 bytes are scanned on a CPU only; a GPU takes up to 1024", scanned, &e1024, &e1028},
    {"scan by steps", "elements of 1028 bytes are scanned on a CPU only; a GPU takes up to 1024", scanned_by_steps,
     &e1024, &e1028},
    {"scan by a tree", "elements of 1028 bytes are scanned on a CPU only; a GPU takes up to 1024", scanned_by_tree,
     &e1024, &e1028},
    {"reduce_segments", "elements of 1028 bytes are reduced on a CPU only; a GPU takes up to 1024", reduced_by_segments,
     &e1024, &e1028},
    {"reduce_by_key", "values of 1028 bytes are reduced on a CPU only; a GPU takes up to 1024", reduced_by_key, &e1024,
     &e1028},
    {"arg_min", "elements of 516 bytes are compared on a CPU only; a GPU takes up to 512", least, &e512, &e516},
    {"arg_min_segments", "elements of 516 bytes are compared on a CPU only; a GPU takes up to 512", least_of_segments,
     &e512, &e516},
    {"reverse", "elements of 1028 bytes are arranged on a CPU only; a GPU takes up to 1024", reversed, &e1024, &e1028},
    {"min_max", "elements of 516 bytes are looked at on a CPU only; a GPU takes up to 512", ranged, &e512, &e516},
    {"is_sorted", "elements of 1028 bytes are looked at on a CPU only; a GPU takes up to 1024", in_order, &e1024,
     &e1028},
    {"merge", "keys of 1028 bytes are merged on a CPU only; a GPU takes up to 1024", merged, &e1024, &e1028},
    {"merge of values", "computed values of 1028 bytes are merged on a CPU only; a GPU takes up to 1024", values_merged,
     &e1024, &e1028},
    {"lower_bound", "elements of 1028 bytes are searched on a CPU only; a GPU takes up to 1024", searched, &e1024,
     &e1028},
    {"expand", "elements of 1028 bytes are expanded on a CPU only; a GPU takes up to 1024", expanded, &e1024, &e1028},
    {"run_lengths_by",
     "elements of 1028 bytes that are given to a function are compared on a CPU only; a GPU takes up to 1024", runs,
     &e1024, &e1028},
    {"run_lengths", "elements of 1028 bytes that are computed are compared on a CPU only; a GPU takes up to 1024",
     computed_runs, &e1024, &e1028},
    {"pack_if", "elements of 1028 bytes that are given to a function are chosen on a CPU only; a GPU takes up to 1024",
     packed, &e1024, &e1028},
    {"pack", "elements of 1028 bytes that are computed are chosen on a CPU only; a GPU takes up to 1024",
     computed_packed, &e1024, &e1028},
    {"split_if", "elements of 1028 bytes that are given to a function", split, &e1024, &e1028},
    {"unique_by", "elements of 1028 bytes that are given to a function", distinct, &e1024, &e1028},
    {"set_union", "sets of elements of 1028 bytes are made on a CPU only; a GPU takes up to 1024", united, &e1024,
     &e1028},
};
enum { CALLS = sizeof calls / sizeof *calls };

static void longest_and_longer(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    guarded out = guarded_new(2 * N * MOST), positions = guarded_new(2 * N * sizeof(uint32_t));
    unsigned char *poison = need(out.bytes);
    memcpy(poison, out.data, out.bytes);
    arrays a = {need(N * MOST), out.data, need(N * sizeof(uint32_t)), positions.data};
    for (size_t c = 0; c < CALLS; c++) {
        CASE("longest", "%s %s", setting_name(0), calls[c].name);
        if (!case_wanted()) continue;
        memset(a.x, 0, N * MOST);
        for (uint32_t i = 0; i < N; i++) a.numbers[i] = i ? N : 0;
        expect_status(device, calls[c].make(device, calls[c].longest, &a), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        memcpy(out.data, poison, out.bytes);
        const ww_status status = calls[c].make(device, calls[c].longer, &a);
        expect_status(device, status, on_gpu() ? WW_LIMIT : WW_OK);
        if (status) expect_sentence(device, calls[c].sentence);
        expect_status(device, ww_sync(device), WW_OK);
        if (status) expect_bytes(out.data, poison, out.bytes);
        guarded_check(&out), guarded_check(&positions);
    }
    guarded_free(&out), guarded_free(&positions);
    free(poison), free(a.x), free(a.numbers);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(longest_and_longer)};
    return cmocka_run_group_tests_name("longest elements", tests, NULL, NULL);
}
