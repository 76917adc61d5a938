/* Scans of segments, by head flags and by keys, against serial oracles: types, operators, structs, every method, segments
 * of every length, in place; floats bit for bit against the documented brackets. */
#include <sys/mman.h>
#include <unistd.h>

#include "function/function.h"
#include "reference/scan.h"
#include "support/cases.h"
#include "support/scan_operations.h"

static const char *const method_names[] = {"auto", "lookback", "hillis-steele", "blelloch"};

/* How far apart heads are on average; 0: there is none. */
static const size_t distances[] = {1, 2, 7, 100, 5000, 100000, 0};
enum { DISTANCES = sizeof distances / sizeof *distances };

static uint8_t *heads_of(size_t n, size_t distance, uint64_t seed) {
    uint8_t *heads = need(n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed);
        heads[i] = distance && r % distance == 0 ? (uint8_t)(1 + (r >> 32) % 255) : 0;
    }
    return heads;
}

typedef struct variant {
    ww_scan_method method;
    size_t distance;
    bool exclusive, initial, in_place, deterministic;
    size_t key; /* bytes of a key; 0: heads */
} variant;

static void oracle(const operation *o, const variant *v, const reference_scanning *r, void *out, const void *x) {
    if (!o->shows_bracketing)
        reference_scan(r, out, NULL, x);
    else if (v->method == WW_SCAN_HILLIS_STEELE)
        reference_scan_hillis_steele(r, out, NULL, x);
    else if (v->method == WW_SCAN_BLELLOCH)
        reference_scan_blelloch(r, out, NULL, x);
    else
        reference_scan_lookback(r, out, NULL, x);
}

/* Keys that differ where there is a head, in a byte that moves about. */
static unsigned char *keys_of(const uint8_t *heads, size_t n, size_t size) {
    unsigned char *keys = need(n * size);
    for (size_t i = 0; i < n; i++) {
        if (i)
            memcpy(keys + i * size, keys + (i - 1) * size, size);
        else
            memset(keys, 7, size);
        if (i && heads[i]) keys[i * size + i % size]++;
    }
    return keys;
}

static void check(ww_device *device, const char *setting, const operation *o, size_t n, variant v) {
    const size_t size = o->type->size;
    const bool set = brackets_are_set(v.method, v.deterministic);
    CASE("scan_segmented", "%s %s %s n=%zu %s heads=1/%zu key=%zu%s%s%s%s", setting, o->name, o->type->label, n,
         method_names[v.method], v.distance, v.key, v.exclusive ? " exclusive" : "", v.initial ? " initial" : "",
         v.in_place ? " in-place" : "", v.deterministic ? " deterministic" : "");
    if (!case_wanted() || !gpu_has(o, set)) return;
    const ww_function *op = ww__operator(o->op, o->type, size);
    unsigned char *x = need(n * size), *wanted = need(n * size), *initial = need(size);
    uint8_t *heads = heads_of(n, v.distance, seed_of_run());
    unsigned char *keys = keys_of(heads, n, v.key ? v.key : 1);
    fill(x, o->type, size, n, UNIFORM, seed_of_run());
    fill(initial, o->type, size, 1, UNIFORM, seed_of_run() + 1);
    const reference_scanning r = {.n = n,
                                  .size = size,
                                  .combine = o->oracle,
                                  .exclusive = v.exclusive,
                                  .heads = heads,
                                  .initial = v.initial ? (const void *)initial : op->identity,
                                  .initial_is_given = v.initial};
    oracle(o, &v, &r, wanted, x);
    guarded out = guarded_new(n * size);
    if (v.in_place) memcpy(out.data, x, n * size);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.method = v.method;
    options.exclusive = v.exclusive;
    options.deterministic = v.deterministic;
    if (v.initial) options.initial = ww_value_of(initial, o->type);
    const ww_input in = ww_memory_of(v.in_place ? out.data : x, n, o->type);
    const ww_array to = ww_array_of(out.data, n, o->type);
    const ww_type *const key_types[] = {NULL, &ww_type_uint8_t, &ww_type_uint16_t, NULL, &ww_type_uint32_t};
    if (v.key)
        expect_status(device,
                      ww_scan_by_key(device, o->op,
                                     v.key < 5 && key_types[v.key] ? ww_memory_of(keys, n, key_types[v.key])
                                                                   : ww_record_memory(keys, n, v.key),
                                     in, to, &options),
                      WW_OK);
    else
        expect_status(device, ww_scan_segmented(device, o->op, in, ww_memory(heads, n), to, &options), WW_OK);
    expect_scanned(o, set, out.data, wanted, n, wanted, n);
    guarded_check(&out);
    guarded_free(&out);
    free(x);
    free(wanted);
    free(initial);
    free(heads);
    free(keys);
}

enum { MOST_FOR_TREES = 40000 };

static void check_operations(const operation *list, size_t many) {
    static const size_t key_sizes[] = {0, 4, 0, 1, 0, 8, 0, 3, 0, 2, 0, 24};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < many; o++) {
            if (list == operations && left_to_gpus(o)) continue;
            size_t sizes;
            const size_t *n = sizes_of(list[o].type->size, &sizes);
            for (size_t i = 0; i < sizes; i++) {
                /* What programs are made of, so that the emulator's compiler has few for each operator. */
                const size_t turn = i + o + s, made_of = on_emulator() ? o + i % 3 : turn;
                variant v = {turn % 5 ? WW_SCAN_AUTO : WW_SCAN_LOOKBACK,
                             distances[turn % DISTANCES],
                             made_of & 1,
                             made_of & 2,
                             turn % 3 == 0,
                             false,
                             key_sizes[made_of % 12]};
                check(device, setting_name(s), &list[o], n[i], v);
                if (n[i] > MOST_FOR_TREES || n[i] * list[o].type->size > 1 << 20 || (on_emulator() && i % 3)) continue;
                v.method = made_of & 1 ? WW_SCAN_HILLIS_STEELE : WW_SCAN_BLELLOCH;
                v.exclusive = made_of & 8;
                check(device, setting_name(s), &list[o], n[i], v);
                v.method = made_of & 1 ? WW_SCAN_BLELLOCH : WW_SCAN_HILLIS_STEELE;
                v.exclusive = !v.exclusive;
                v.initial = !v.initial;
                v.distance = distances[(turn + 3) % DISTANCES];
                if (n[i] < 5000) check(device, setting_name(s), &list[o], n[i], v);
            }
        }
        ww_close(device);
    }
}

static void built_in_operators(void **state) {
    (void)state;
    check_operations(operations, OPERATIONS);
}

static void user_operators(void **state) {
    (void)state;
    check_operations(user_operations, USER_OPERATIONS);
}

static void large_inputs(void **state) {
    (void)state;
    const operation *const some[] = {operation_of(&ww_add, &ww_type_uint32_t), operation_of(&ww_add, &ww_type_double),
                                     operation_of(&compose_ww, &affine_ww)};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < sizeof some / sizeof *some; o++) {
            const variant v = {.distance = distances[(o + s) % DISTANCES],
                               .exclusive = (o + s) & 1,
                               .initial = o & 1,
                               .in_place = s % 3 == 2,
                               .key = s & 1 ? 8 : 0};
            check(device, setting_name(s), some[o], size_large() / 3, v);
        }
        ww_close(device);
    }
}

/* The CPU's brackets on every device: of what is not associative at all, sums of floats, and structs too long to have runs. */
static void deterministic(void **state) {
    (void)state;
    const operation *const some[] = {operation_of(&ww_add, &ww_type_float), operation_of(&join_ww, &ww_type_float),
                                     operation_of(&join_wide_ww, &ww_type_double),
                                     operation_of(&add_large_ww, &large_ww)};
    static const size_t sizes[] = {1, 15, 17, 127, 2047, 2048, 2049, 4095, 4096, 4097, 12288, 20003, 100003};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < sizeof some / sizeof *some; o++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                const size_t turn = i + o;
                if (sizes[i] * some[o]->type->size > 1 << 19) continue;
                variant v = {.distance = distances[turn % DISTANCES],
                             .exclusive = turn & 1,
                             .initial = i & 2,
                             .in_place = turn % 3 == 0,
                             .deterministic = true,
                             .key = turn & 4 ? 4 : 0};
                check(device, setting_name(s), some[o], sizes[i], v);
                v.exclusive = !v.exclusive;
                v.distance = distances[(turn + 3) % DISTANCES];
                check(device, setting_name(s), some[o], sizes[i], v);
            }
        ww_close(device);
    }
}

/* The least and the greatest of floats among which are NaNs of several bits: the CPU's bytes wherever tiles end, also of plain scans and by
 * key. */
static void check_extreme(ww_device *device, ww_device *cpu, const char *setting, const ww_function *op, size_t n,
                          size_t distance, unsigned way) {
    const bool exclusive = way & 1, given = way & 2;
    CASE("extremes of NaNs", "%s %s n=%zu heads=1/%zu%s%s", setting, op == &ww_min ? "min" : "max", n, distance,
         exclusive ? " exclusive" : "", given ? " initial" : "");
    if (!case_wanted()) return;
    static const uint32_t some[] = {0x7fc00001, 0xff812345, 0x80000000, 0,
                                    0x3f800000, 0x7f800000, 0xff800000, 0x00000001};
    const float initial = 0;
    ww_scan_options options = WW_SCAN_OPTIONS;
    uint64_t seed = n + distance, runs[2];
    uint32_t *x = need(n * 4), *got[3], *wanted[3];
    uint8_t *heads = heads_of(n, distance, n);
    unsigned char *keys = keys_of(heads, n, 4);
    options.exclusive = exclusive;
    if (given) options.initial = ww_value_of(&initial, &ww_type_float);
    for (size_t i = 0; i < n; i++) x[i] = some[random_next(&seed) >> 61];
    for (int k = 0; k < 3; k++) {
        got[k] = need(n * 4);
        wanted[k] = need(n * 4);
    }
    for (int k = 0; k < 2; k++) {
        ww_device *const d = k ? device : cpu;
        uint32_t **const out = k ? got : wanted;
        const ww_input in = ww_memory_of(x, n, &ww_type_float), by = ww_memory_of(keys, n, &ww_type_uint32_t);
        expect_status(d, ww_scan(d, op, in, ww_array_of(out[0], n, &ww_type_float), &options), WW_OK);
        expect_status(
            d, ww_scan_segmented(d, op, in, ww_memory(heads, n), ww_array_of(out[1], n, &ww_type_float), &options),
            WW_OK);
        expect_status(
            d, ww_reduce_by_key(d, op, by, in, ww_none, ww_array_of(out[2], n, &ww_type_float), ww_array(runs + k, 1)),
            WW_OK);
    }
    expect(runs[0] == runs[1]);
    expect_elements(got[0], wanted[0], n, 4);
    expect_elements(got[1], wanted[1], n, 4);
    expect_elements(got[2], wanted[2], (size_t)runs[0], 4);
    for (int k = 0; k < 3; k++) {
        free(got[k]);
        free(wanted[k]);
    }
    free(x);
    free(heads);
    free(keys);
}

static void extremes_of_nans(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 31, 1023, 4096, 4097, 20003};
    ww_device *cpu = NULL;
    assert_int_equal(ww_open("cpu:threads=1", &cpu), WW_OK);
    for (size_t s = 0; s < setting_count_short(); s++) {
        setenv("WARPWISE_DETERMINISTIC", "1", 1);
        ww_device *device = setting_open(s);
        unsetenv("WARPWISE_DETERMINISTIC");
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (unsigned way = 0; way < 4; way++) {
                check_extreme(device, cpu, setting_name(s), way & 1 ? &ww_min : &ww_max, sizes[i], 2, way);
                check_extreme(device, cpu, setting_name(s), way & 1 ? &ww_max : &ww_min, sizes[i], 300, way);
            }
        ww_close(device);
    }
    ww_close(cpu);
}

/* Heads and keys that are computed on the way. */
WW_MAP(starts_ten, uint8_t, uint32_t, i, void, none, { return (uint8_t)(i % 10 == 0); });
WW_MAP(tenth, uint32_t, uint32_t, i, void, none, { return i / 10; });
static void mapped_inputs(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 20003 : 100003;
    uint32_t *out = need(n * sizeof *out);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const uint32_t one = 1;
        const ww_input ones = ww_constant(ww_value(uint32_t, one), n), count = ww_counting(&ww_type_uint32_t, 0, n);
        for (int m = WW_SCAN_AUTO; m <= WW_SCAN_BLELLOCH; m++) {
            ww_scan_options options = WW_SCAN_OPTIONS;
            options.method = (ww_scan_method)m;
            size_t wrong = 0;
            expect_status(
                device,
                ww_scan_segmented(device, &ww_add, ones, ww_mapped(&starts_ten_ww, count), ww_array(out, n), &options),
                WW_OK);
            for (size_t i = 0; i < n; i++) wrong += out[i] != i % 10 + 1;
            expect(wrong == 0);
            options.exclusive = true;
            expect_status(
                device, ww_scan_by_key(device, &ww_add, ww_mapped(&tenth_ww, count), ones, ww_array(out, n), &options),
                WW_OK);
            for (size_t i = 0; i < n; i++) wrong += out[i] != i % 10;
            expect(wrong == 0);
        }
        ww_close(device);
    }
    free(out);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {1, 2, 3, 4}, out[4] = {77, 77, 77, 77}, total = 77;
    uint8_t heads[5] = {1};
    expect_status(NULL, ww_scan_segmented(NULL, &ww_add, ww_memory(x, 4), ww_memory(heads, 4), ww_array(out, 4), NULL),
                  WW_INVALID);
    expect_status(device,
                  ww_scan_segmented(device, &ww_add, ww_memory(x, 4), ww_memory(heads, 5), ww_array(out, 4), NULL),
                  WW_INVALID);
    expect_status(
        device,
        ww_scan_segmented(device, &ww_add, ww_memory(x, 4), ww_memory((float *)(void *)x, 4), ww_array(out, 4), NULL),
        WW_TYPE);
    expect_status(device, ww_scan_segmented(device, &ww_add, ww_memory(x, 4), ww_no_input, ww_array(out, 4), NULL),
                  WW_INVALID);
    expect_status(
        device,
        ww_scan_segmented(device, &ww_add, ww_memory(x, 4), ww_memory((uint8_t *)out, 4), ww_array(out, 4), NULL),
        WW_OVERLAP);
    expect_status(device, ww_scan_by_key(device, &ww_add, ww_memory(heads, 3), ww_memory(x, 4), ww_array(out, 4), NULL),
                  WW_INVALID);
    expect_sentence(device, "keys has 3 elements, in 4");
    expect_status(device, ww_scan_by_key(device, &ww_add, ww_memory(out, 4), ww_memory(x, 4), ww_array(out, 4), NULL),
                  WW_OVERLAP);
    expect_status(device, ww_scan_by_key(device, &compose_ww, ww_memory(x, 4), ww_memory(x, 4), ww_array(out, 4), NULL),
                  WW_TYPE);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.total = ww_array(&total, 1);
    expect_status(device,
                  ww_scan_segmented(device, &ww_add, ww_memory(x, 4), ww_memory(heads, 4), ww_array(out, 4), &options),
                  WW_INVALID);
    expect_sentence(device, "without segments");
    expect(out[0] == 77 && total == 77);
    /* Keys that are the input: what is read may be what is written only in `in`. */
    expect_status(device, ww_scan_by_key(device, &ww_add, ww_memory(x, 4), ww_memory(x, 4), ww_array(out, 4), NULL),
                  WW_OK);
    expect(out[0] == 1 && out[3] == 4);
    ww_close(device);
}

static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound of the CPU")) return;
    const size_t n = size_large() / 4;
    uint64_t *x = need(n * sizeof *x);
    uint8_t *heads = heads_of(n, 50, seed_of_run());
    for (int m = WW_SCAN_AUTO; m <= WW_SCAN_BLELLOCH; m++) {
        ww_device *device = setting_open(0);
        fill(x, &ww_type_uint64_t, 8, n, UNIFORM, seed_of_run());
        const uint64_t initial = 3;
        ww_scan_options options = WW_SCAN_OPTIONS;
        options.method = (ww_scan_method)m;
        options.initial = ww_value(uint64_t, initial);
        expect_status(
            device, ww_scan_segmented(device, &ww_add, ww_memory(x, n), ww_memory(heads, n), ww_array(x, n), &options),
            WW_OK);
        ww_device_info info = WW_DEVICE_INFO;
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        const size_t most = m < WW_SCAN_HILLIS_STEELE ? n / 256 * 8 : 2 * n * 8 + 2 * n;
        expect(info.scratch_peak <= most + info.threads * 65536);
        ww_close(device);
    }
    free(x);
    free(heads);
}

/* ---- no method reads past its scratch memory ---- */

static size_t whole(size_t bytes, size_t of) { return (bytes + of - 1) / of * of; }

/* Blocks that end where a page begins that may not be touched. */
static void *fenced_allocate(void *context, size_t bytes, size_t alignment) {
    const size_t page = *(const size_t *)context, room = whole(bytes, page), used = whole(bytes, 64);
    unsigned char *base = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || alignment > 64 || mprotect(base + room, page, PROT_NONE)) return NULL;
    return base + room - used;
}

static void fenced_release(void *context, void *block, size_t bytes) {
    const size_t page = *(const size_t *)context, room = whole(bytes, page), used = whole(bytes, 64);
    munmap((unsigned char *)block + used - room, room + page);
}

/* A handle's first call takes a block for each piece. Whole pages of flags, and whole trees, so that one flag more is one too
 * many. */
static void ends_of_scratch(void **state) {
    (void)state;
    static const size_t sizes[] = {1 << 14, 3 << 13, 1 << 19};
    if (left_out_on_gpu("the emulator looks at every access")) return;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int m = WW_SCAN_AUTO; m <= WW_SCAN_BLELLOCH; m++) {
            const size_t n = sizes[i];
            size_t page = (size_t)sysconf(_SC_PAGESIZE);
            CASE("scan_segmented", "ends of scratch memory, %s n=%zu", method_names[m], n);
            if (!case_wanted()) continue;
            uint8_t *heads = heads_of(n, 3, seed_of_run()), *x = need(n), *wanted = need(n);
            guarded out = guarded_new(n);
            fill(x, &ww_type_uint8_t, 1, n, UNIFORM, seed_of_run());
            for (size_t k = 0; k < n; k++) wanted[k] = (uint8_t)(x[k] + (k && !heads[k] ? wanted[k - 1] : 0));
            ww_device *device = NULL;
            ww_open_options o = WW_OPEN_OPTIONS;
            o.allocator = (ww_allocator){fenced_allocate, fenced_release, &page};
            expect_status(device, ww_open_with("cpu:threads=2", &device, &o), WW_OK);
            ww_scan_options options = WW_SCAN_OPTIONS;
            options.method = (ww_scan_method)m;
            expect_status(device,
                          ww_scan_segmented(device, &ww_add, ww_memory(x, n), ww_memory(heads, n),
                                            ww_array((uint8_t *)out.data, n), &options),
                          WW_OK);
            expect_bytes(out.data, wanted, n);
            guarded_check(&out), guarded_free(&out);
            ww_close(device);
            free(heads), free(x), free(wanted);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_operators), cmocka_unit_test(user_operators), cmocka_unit_test(large_inputs),
        cmocka_unit_test(mapped_inputs),      cmocka_unit_test(bad_arguments),  cmocka_unit_test(scratch_bound),
        cmocka_unit_test(ends_of_scratch),    cmocka_unit_test(deterministic),  cmocka_unit_test(extremes_of_nans),
    };
    return cmocka_run_group_tests_name("scan_segmented", tests, NULL, NULL);
}
