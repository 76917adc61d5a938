/* The methods of ww_multisplit that move labels and positions, reduced-bit and recursive, against a serial oracle: keys and
 * values of many types, in memory and computed, numbers of buckets round the sizes of labels; that a key without a bucket
 * leaves all outputs as they were, on GPUs too; and which kernels ran. */
#include <stdio.h>
#include <unistd.h>

#include "reference/split_records.h"
#include "support/cases.h"

/* A bucket of any number of them, out of all bits; the environment is their number. */
#define SCRAMBLED(T) \
    WW_MAP(scrambled_##T, uint32_t, T, x, uint32_t, buckets, \
           { return (uint32_t)(((uint64_t)x * 11400714819323198485u) >> 33) % *buckets; });
SCRAMBLED(uint8_t)
SCRAMBLED(uint16_t)
SCRAMBLED(uint32_t)
SCRAMBLED(int64_t)
WW_STRUCT(person, {
    uint32_t id;
    uint32_t rest[4];
});
WW_MAP(scrambled_person, uint32_t, person, p, uint32_t, buckets, { return p.id % *buckets; });
WW_MAP(tripled, uint32_t, uint32_t, x, void, none, { return 3 * x; });

typedef struct kind {
    const ww_type *type;
    const ww_function *map;
} kind;
static const kind kinds[] = {{&ww_type_uint32_t, &scrambled_uint32_t_ww},
                             {&ww_type_uint8_t, &scrambled_uint8_t_ww},
                             {&person_ww, &scrambled_person_ww},
                             {&ww_type_uint16_t, &scrambled_uint16_t_ww},
                             {&ww_type_int64_t, &scrambled_int64_t_ww}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const size_t value_sizes[] = {0, 4, 12, 8, 1, 100};
enum { VALUE_SIZES = sizeof value_sizes / sizeof *value_sizes };
static const ww_multisplit_method methods[] = {WW_MULTISPLIT_REDUCED_BIT, WW_MULTISPLIT_RECURSIVE};
static const char *const method_names[] = {"reduced-bit", "recursive"};

typedef struct split {
    const kind *k;
    size_t n, value_size;
    uint32_t buckets;
    unsigned char *keys, *values;
    uint32_t *positions;
    uint64_t *begins;
} split;

static split split_new(const kind *k, size_t n, size_t value_size, uint32_t buckets, shape s) {
    split c = {k,
               n,
               value_size,
               buckets,
               need(n * k->type->size + 1),
               need(n * value_size + 1),
               malloc(4 * n + 4),
               malloc(8 * ((size_t)buckets + 1))};
    uint32_t *labels = malloc(4 * n + 4);
    fill(c.keys, k->type->kind == WW_KIND_STRUCT ? &ww_type_record : k->type, k->type->size, n, s, seed_of_run() + n);
    fill(c.values, &ww_type_record, value_size, n, UNIFORM, seed_of_run() + 7);
    const ww_map_loops *loops = k->map->loops[WW_VECTOR_PLAIN];
    loops->number(labels, c.keys, NULL, &buckets, n);
    reference_split_labels(labels, n, buckets, c.positions, c.begins);
    free(labels);
    return c;
}

static void split_free(split *c) { free(c->keys), free(c->values), free(c->positions), free(c->begins); }

static void expect_moved(const void *got, const void *from, const uint32_t *positions, size_t n, size_t size) {
    for (size_t i = 0; i < n; i++)
        expect(!memcmp((const char *)got + i * size, (const char *)from + positions[i] * size, size));
}

static void check_split(ww_device *device, const split *c, ww_multisplit_method method, const ww_type *offset) {
    const size_t many = offset ? (size_t)c->buckets + 1 : 0, size = c->k->type->size;
    guarded keys = guarded_new(c->n * size), values = guarded_new(c->n * c->value_size);
    guarded offsets = guarded_new(many * (offset ? offset->size : 0));
    ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
    options.method = method;
    const ww_function with = ww_bound(c->k->map, &c->buckets, 1, c->k->map->environment);
    const ww_status status = ww_multisplit(device, &with, c->buckets, ww_memory_of(c->keys, c->n, c->k->type),
                                           c->value_size ? ww_record_memory(c->values, c->n, c->value_size)
                                                         : ww_no_input,
                                           ww_array_of(keys.data, c->n, c->k->type),
                                           c->value_size ? ww_records(values.data, c->n, c->value_size) : ww_none,
                                           offset ? ww_array_of(offsets.data, many, offset) : ww_none, &options);
    expect_status(device, status, WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_moved(keys.data, c->keys, c->positions, c->n, size);
    if (c->value_size) expect_moved(values.data, c->values, c->positions, c->n, c->value_size);
    for (size_t b = 0; b < many; b++)
        expect(c->begins[b] ==
               (offset->size == 4 ? ((const uint32_t *)offsets.data)[b] : ((const uint64_t *)offsets.data)[b]));
    guarded_check(&keys), guarded_check(&values), guarded_check(&offsets);
    guarded_free(&keys), guarded_free(&values), guarded_free(&offsets);
}

static void keys_and_values(void **state) {
    (void)state;
    static const uint32_t buckets[] = {1, 2, 3, 33, 256, 257, 5000, 65536, 70000};
    static const size_t sizes[] = {1, 2, 31, 64, 500, 1025, 4099, 30011, 100003};
    static const ww_type *const offsets[] = {&ww_type_uint32_t, &ww_type_uint64_t, NULL};
    unsigned turn = 0;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < KINDS; k++)
            for (size_t b = 0; b < sizeof buckets / sizeof *buckets; b++)
                for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++) {
                    if (sizes[i] > 2000 && turn % (tests_are_short() ? 29 : 7)) continue;
                    if (buckets[b] > 300 && turn % 3) continue;
                    if (on_emulator() && (k > 2 || sizes[i] > 2000 || (turn % 4 && i != 3))) continue;
                    const size_t m = turn % 2, v = on_emulator() ? (k + i % 2) % 3 : turn % VALUE_SIZES;
                    const shape shapes[] = {UNIFORM, FEW, CONSTANT, SORTED, SKEWED};
                    const shape h = shapes[turn % 5];
                    const ww_type *const offset = offsets[on_emulator() ? i % 2 * 2 : turn / 2 % 3];
                    CASE("multisplit by labels", "%s %s %s+%zu buckets=%u n=%zu %s offsets=%s turn=%u seed=%llu",
                         setting_name(s), method_names[m], kinds[k].type->label, value_sizes[v], buckets[b], sizes[i],
                         shape_name(h), offset ? offset->label : "none", turn, (unsigned long long)seed_of_run());
                    if (!case_wanted()) continue;
                    split c = split_new(&kinds[k], sizes[i], value_sizes[v], buckets[b], h);
                    check_split(device, &c, methods[m], offset);
                    split_free(&c);
                }
        ww_close(device);
    }
}

/* More rounds than a handle that has no scratch memory yet may take pieces of it. */
static void many_buckets(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++)
        for (size_t m = 0; m < 2; m++) {
            ww_device *device = setting_open(s);
            const size_t n = on_emulator() ? 700 : 20000;
            CASE("multisplit by labels", "%s %s buckets=2^20 n=%zu", setting_name(s), method_names[m], n);
            if (case_wanted()) {
                split c = split_new(&kinds[0], n, 4, 1 << 20, UNIFORM);
                check_split(device, &c, methods[m], on_emulator() ? NULL : &ww_type_uint32_t);
                split_free(&c);
            }
            ww_close(device);
        }
}

/* Computed keys and values, and buckets between edges. */
static void computed(void **state) {
    (void)state;
    enum { N = 5003, EDGES = 9 };
    uint32_t *edges = need(4 * EDGES), *keys_out = need(4 * N), *labels = malloc(4 * N), *positions = malloc(4 * N);
    uint64_t *values_out = need(8 * N), *offsets = need(8 * (EDGES + 1)), begins[EDGES + 2];
    for (uint32_t e = 0; e < EDGES; e++) edges[e] = 1500 * e + 4;
    for (uint32_t i = 0; i < N; i++) {
        labels[i] = 0;
        while (labels[i] < EDGES && edges[labels[i]] <= 3 * (N - 1 - i)) labels[i]++;
    }
    reference_split_labels(labels, N, EDGES + 1, positions, begins);
    for (size_t s = 0; s < setting_count_short(); s++)
        for (size_t m = 0; m < 2; m++) {
            CASE("multisplit by labels", "%s %s computed", setting_name(s), method_names[m]);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(s);
            ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
            options.method = methods[m];
            uint32_t *downwards = need(4 * N);
            for (uint32_t i = 0; i < N; i++) downwards[i] = N - 1 - i;
            expect_status(device,
                          ww_multisplit_edges(device, ww_mapped(&tripled_ww, ww_memory(downwards, N)), ww_counting(&ww_type_uint64_t, 100, N), ww_memory(edges, EDGES), ww_array(keys_out, N),
                                              ww_array(values_out, N), ww_none, &options),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < N; i++) {
                expect(keys_out[i] == 3 * (N - 1 - positions[i]));
                expect(values_out[i] == 100 + positions[i]);
            }
            free(downwards);
            ww_close(device);
        }
    free(edges), free(keys_out), free(labels), free(positions), free(values_out), free(offsets);
}

static void expect_poison(const guarded *g) {
    for (size_t i = 0; i < g->bytes; i++) expect(((const unsigned char *)g->data)[i] == 0xa5);
}

/* Whoever says it, the call or the next ww_sync. */
static void expect_no_bucket(ww_device *device, ww_status status, const char *position) {
    if (!status) status = ww_sync(device);
    expect_status(device, status, WW_RANGE);
    expect_sentence(device, position, "gives no bucket below");
}

static void keys_without_bucket(void **state) {
    (void)state;
    const size_t n = 3001;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t m = 0; m < 2; m++) {
            CASE("multisplit by labels", "%s %s no bucket", setting_name(s), method_names[m]);
            if (!case_wanted()) continue;
            ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
            options.method = methods[m];
            uint32_t *keys = need(4 * n);
            guarded keys_out = guarded_new(4 * n), values_out = guarded_new(12 * n), offsets = guarded_new(4 * 8);
            const ww_array out = ww_array((uint32_t *)keys_out.data, n), begins = ww_array((uint32_t *)offsets.data, 8);
            for (size_t i = 0; i < n; i++) keys[i] = (uint32_t)(i % 7);
            keys[2077] = 7, keys[1023] = UINT32_MAX, keys[3000] = 8;
            expect_no_bucket(device,
                             ww_multisplit(device, &ww_by_number, 7, ww_memory(keys, n), ww_no_input, out, ww_none,
                                           begins, &options),
                             "keys[1023]: ");
            expect_poison(&keys_out), expect_poison(&offsets);
            unsigned char *values = need(12 * n);
            expect_no_bucket(device,
                             ww_multisplit(device, &ww_by_number, 7, ww_memory(keys, n),
                                           ww_record_memory(values, n, 12), out, ww_records(values_out.data, n, 12),
                                           begins, &options),
                             "keys[1023]: ");
            expect_poison(&keys_out), expect_poison(&values_out), expect_poison(&offsets);

            /* One key, whose outputs may be the host's own memory. */
            uint32_t one = 77, its_value = 78;
            keys[0] = 9;
            expect_no_bucket(device,
                             ww_multisplit(device, &ww_by_number, 9, ww_memory(keys, 1), ww_memory(keys + 1, 1),
                                           ww_array(&one, 1), ww_array(&its_value, 1), ww_none, &options),
                             "keys[0]: ");
            expect(one == 77 && its_value == 78);
            /* It is said once. */
            expect_status(device, ww_sync(device), WW_OK);
            expect_status(device,
                          ww_multisplit(device, &ww_by_number, 10, ww_memory(keys, 1), ww_memory(keys + 1, 1),
                                        ww_array(&one, 1), ww_array(&its_value, 1), ww_none, &options),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(one == 9 && its_value == 1);
            guarded_free(&keys_out), guarded_free(&values_out), guarded_free(&offsets);
            free(keys), free(values);
        }
        ww_close(device);
    }
}

/* Standard error of one traced call. */
static void trace_of(ww_multisplit_method method, char *text, size_t room) {
    uint32_t *keys = need(4 * 1000), *out = need(4 * 1000), *offsets = need(4 * 8);
    ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
    options.method = method;
    for (uint32_t i = 0; i < 1000; i++) keys[i] = i * i % 7;
    fflush(stderr);
    FILE *file = tmpfile();
    const int saved = dup(2);
    dup2(fileno(file), 2);
    setenv("WARPWISE_TRACE", "1", 1);
    ww_device *device = setting_open(0);
    unsetenv("WARPWISE_TRACE");
    const ww_status status = ww_multisplit(device, &ww_by_number, 7, ww_memory(keys, 1000), ww_no_input,
                                           ww_array(out, 1000), ww_none, ww_array(offsets, 8), &options);
    ww_close(device);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    fclose(file);
    free(keys), free(out), free(offsets);
    expect(status == WW_OK);
}

static size_t times(const char *text, const char *what) {
    size_t n = 0;
    for (; (text = strstr(text, what)); text++) n++;
    return n;
}

static void traced(void **state) {
    (void)state;
    char text[1 << 14];
    trace_of(WW_MULTISPLIT_REDUCED_BIT, text, sizeof text);
    CASE("multisplit by labels", "trace of reduced-bit: %s", text);
    if (on_gpu()) {
        expect(times(text, "kernel=label ") == 1);
        expect(times(text, "kernel=gather ") == 1 && times(text, "kernel=label_offsets ") == 1);
        expect(times(text, "kernel=split ") == 0);
        expect(times(text, "kernel=") >= 4); /* and a sort's */
    } else {
        expect(times(text, "method=reduced-bit function=by_number ") == 1);
    }
    trace_of(WW_MULTISPLIT_RECURSIVE, text, sizeof text);
    CASE("multisplit by labels", "trace of recursive: %s", text);
    if (on_gpu()) {
        expect(times(text, "kernel=label ") == 1);
        expect(times(text, "kernel=split ") == 6); /* which counts for itself where it is one tile */
        const size_t counts = times(text, "kernel=count ");
        expect(counts >= 1 && counts <= 6);
        expect(times(text, "kernel=gather ") == 1 && times(text, "kernel=label_offsets ") == 1);
    } else {
        expect(times(text, "method=recursive function=by_number ") == 1 && times(text, "method=stable") == 6);
    }
}

/* The documented bound: one copy of keys and values that are computed, and 32 bytes an element. */
static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("tiles of the emulator are small")) return;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t m = 0; m < 2; m++)
            for (uint32_t buckets = 3; buckets < 2000000; buckets *= 40) {
                const size_t n = 200003;
                split c = split_new(&kinds[0], n, 12, buckets, UNIFORM);
                ww_device_info info = WW_DEVICE_INFO;
                expect_status(device, ww_scratch_trim(device), WW_OK);
                check_split(device, &c, methods[m], &ww_type_uint32_t);
                expect_status(device, ww_device_info_get(device, &info), WW_OK);
                CASE("multisplit by labels", "%s %s scratch buckets=%u: %zu", setting_name(s), method_names[m], buckets,
                     (size_t)info.scratch_peak);
                expect(info.scratch_peak <= 32 * n + (1 << 20) + (size_t)info.threads * (384 << 10));
                split_free(&c);
            }
        ww_close(device);
    }
}

/* The k-th request for memory fails, for every k. */
static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it opens the CPU")) return;
    split c = split_new(&kinds[0], 30000, 12, 300, UNIFORM);
    uint32_t *keys_out = need(4 * c.n);
    unsigned char *values_out = need(12 * c.n);
    for (size_t m = 0; m < 2; m++) {
        size_t fail_at = 0;
        for (bool done = false; !done; fail_at++) {
            counting_allocator counter = {.fail_at = fail_at};
            ww_open_options options = WW_OPEN_OPTIONS;
            options.allocator = counting_allocator_use(&counter);
            ww_multisplit_options by = WW_MULTISPLIT_OPTIONS;
            by.method = methods[m];
            ww_device *device;
            ww_status status = ww_open_with("cpu:threads=2", &device, &options);
            const ww_function with = ww_bound(c.k->map, &c.buckets, 1, c.k->map->environment);
            if (!status)
                status = ww_multisplit(device, &with, c.buckets, ww_memory_of(c.keys, c.n, c.k->type),
                                       ww_record_memory(c.values, c.n, 12), ww_array(keys_out, c.n),
                                       ww_records(values_out, c.n, 12), ww_none, &by);
            expect(status == WW_OK || status == WW_MEMORY);
            done = counter.requests <= fail_at;
            ww_close(device);
            expect(counter.live_blocks == 0);
        }
        expect(fail_at > 2);
    }
    free(keys_out), free(values_out);
    split_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_values),     cmocka_unit_test(many_buckets), cmocka_unit_test(computed),
        cmocka_unit_test(keys_without_bucket), cmocka_unit_test(traced),       cmocka_unit_test(scratch_bound),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("multisplit by labels", tests, NULL, NULL);
}
