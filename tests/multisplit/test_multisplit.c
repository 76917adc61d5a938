/* ww_multisplit and ww_multisplit_edges against a serial oracle: methods × types of keys × values × buckets × sizes × shapes,
 * in turns; built-in functions; keys without a bucket; functions that change their mind; scratch bounds. */
#include <math.h>
#include <stdio.h>

#include "device/cpu/parallel.h"
#include "device/device.h"
#include "reference/multisplit.h"
#include "support/cases.h"
#include "support/traced.h"

/* ---- methods ---- */

static const char *const method_names[] = {"auto", "direct", "warp", "block", "reduced-bit", "recursive", "onepass"};
enum { METHODS = sizeof method_names / sizeof *method_names };

static ww_multisplit_options options_of(int method) {
    ww_multisplit_options o = WW_MULTISPLIT_OPTIONS;
    o.method = (ww_multisplit_method)method;
    return o;
}

/* A GPU finds what is wrong in the data when the queue gets there. */
static ww_status finished(ww_device *device, ww_status status) {
    return on_gpu() && !status ? ww_sync(device) : status;
}

/* ---- keys, and functions that give them buckets ---- */

WW_STRUCT(three, { uint8_t b[3]; });
WW_STRUCT(medium, { uint32_t w[8]; });
WW_STRUCT(long_record, { uint64_t w[16]; });
WW_STRUCT(cutting, { uint32_t buckets, by_size; });

/* The lowest and the highest 32 bits of a key: buckets are cut from the highest, or dealt out by the lowest. */
WW_FUNCTION(
    cut, uint32_t, (uint32_t low, uint32_t high, const cutting *c),
    { return c->by_size ? (uint32_t)((uint64_t)high * c->buckets >> 32) : low % c->buckets; }, cutting);
#define CUT(name, T, LOW, HIGH) WW_MAP_USES((cut), name, uint32_t, T, x, cutting, c, { return cut(LOW, HIGH, c); });
CUT(cut_u8, uint8_t, x, (uint32_t)x << 24)
CUT(cut_u16, uint16_t, x, (uint32_t)x << 16)
CUT(cut_u32, uint32_t, x, x)
CUT(cut_u64, uint64_t, (uint32_t)x, (uint32_t)(x >> 32))
#if WW_HAS_U128
CUT(cut_u128, ww_u128, (uint32_t)x, (uint32_t)(x >> 96))
#endif
CUT(cut_f32, float, ww_bits_float(x), ww_bits_float(x))
CUT(cut_three, three, (uint32_t)x.b[0] | (uint32_t)x.b[1] << 8, (uint32_t)x.b[2] << 24 | (uint32_t)x.b[1] << 16)
CUT(cut_medium, medium, x.w[3], x.w[7])
CUT(cut_long, long_record, (uint32_t)x.w[0], (uint32_t)(x.w[15] >> 32))

/* The same numbers from bytes; where a key's low and high words are. */
typedef struct key_kind {
    const ww_type *type;
    const ww_function *cut;
    size_t low, low_bytes, high, high_bytes;
} key_kind;
static const key_kind kinds[] = {
    {&ww_type_uint32_t, &cut_u32_ww, 0, 4, 0, 4},  {&ww_type_uint8_t, &cut_u8_ww, 0, 1, 0, 1},
    {&ww_type_uint64_t, &cut_u64_ww, 0, 4, 4, 4},  {&ww_type_uint16_t, &cut_u16_ww, 0, 2, 0, 2},
    {&medium_ww, &cut_medium_ww, 12, 4, 28, 4},    {&three_ww, &cut_three_ww, 0, 2, 1, 2},
    {&long_record_ww, &cut_long_ww, 0, 4, 124, 4}, {&ww_type_float, &cut_f32_ww, 0, 4, 0, 4},
#if WW_HAS_U128
    {&ww_type_ww_u128, &cut_u128_ww, 0, 4, 12, 4},
#endif
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint32_t plain_cut(const key_kind *k, const unsigned char *key, uint32_t buckets, bool by_size) {
    uint32_t low = 0, high = 0;
    for (size_t i = 0; i < k->low_bytes; i++) low |= (uint32_t)key[k->low + i] << 8 * i;
    for (size_t i = 0; i < k->high_bytes; i++) high |= (uint32_t)key[k->high + i] << 8 * (4 - k->high_bytes + i);
    return by_size ? (uint32_t)((double)high * buckets / 4294967296.0) : low % buckets;
}

static const size_t value_sizes[] = {0, 4, 8, 1, 12, 16};
static const size_t bucket_counts[] = {2, 256, 1, 33, 5000, 3, 257, 32, 7, 65537, 1 << 20};
enum {
    VALUES = sizeof value_sizes / sizeof *value_sizes,
    COUNTS = sizeof bucket_counts / sizeof *bucket_counts,
    EMULATED_COUNT = 70000 /* buckets */
};

/* ---- one case ---- */

typedef struct splitting {
    const ww_type *type;
    size_t n, buckets, value_size;
    unsigned char *keys, *values;
    uint32_t *bucket; /* of each key */
    uint32_t *order;
    uint64_t *offsets;
} splitting;

static splitting splitting_new(const ww_type *type, size_t n, size_t buckets, size_t value_size) {
    splitting c = {.type = type, .n = n, .buckets = buckets, .value_size = value_size};
    c.keys = need(n * type->size + 1);
    c.values = need(n * value_size + 1);
    fill(c.values, &ww_type_record, value_size, n, UNIFORM, seed_of_run() + 1);
    c.bucket = malloc(n * sizeof *c.bucket + 1);
    c.order = malloc(n * sizeof *c.order + 1);
    c.offsets = malloc((buckets + 1) * sizeof *c.offsets);
    assert_true(c.bucket && c.order && c.offsets);
    return c;
}

static void splitting_free(splitting *c) {
    free(c->keys), free(c->values), free(c->bucket), free(c->order), free(c->offsets);
}

static void splitting_solve(splitting *c) { reference_multisplit(c->bucket, c->n, c->buckets, c->order, c->offsets); }

static ww_input value_input(const splitting *c) {
    switch (c->value_size) {
    case 0:
        return ww_no_input;
    case 1:
        return ww_memory_of(c->values, c->n, &ww_type_uint8_t);
    case 4:
        return ww_memory_of(c->values, c->n, &ww_type_uint32_t);
    case 8:
        return ww_memory_of(c->values, c->n, &ww_type_double);
#if WW_HAS_U128
    case 16:
        return ww_memory_of(c->values, c->n, &ww_type_ww_u128);
#endif
    default:
        return ww_record_memory(c->values, c->n, c->value_size);
    }
}

typedef struct outputs {
    guarded keys, values, offsets;
    ww_array keys_array, values_array, offsets_array;
} outputs;

/* width: bytes of an offset, 0 for none. */
static outputs outputs_new(const splitting *c, size_t width) {
    const ww_input values = value_input(c);
    outputs o = {guarded_new(c->n * c->type->size),
                 guarded_new(c->n * c->value_size),
                 guarded_new((c->buckets + 1) * width),
                 ww_none,
                 ww_none,
                 ww_none};
    o.keys_array = ww_array_of(o.keys.data, c->n, c->type);
    if (c->value_size) {
        o.values_array = ww_array_of(o.values.data, c->n, values.type);
        o.values_array.size = c->value_size;
    }
    if (width)
        o.offsets_array = ww_array_of(o.offsets.data, c->buckets + 1,
                                      width == 4 ? &ww_type_uint32_t : &ww_type_uint64_t);
    return o;
}

static void outputs_free(outputs *o) {
    guarded_check(&o->keys), guarded_check(&o->values), guarded_check(&o->offsets);
    guarded_free(&o->keys), guarded_free(&o->values), guarded_free(&o->offsets);
}

static void check_moved(const unsigned char *got, const unsigned char *in, const splitting *c, size_t size) {
    unsigned char *wanted = malloc(c->n * size + 1);
    assert_non_null(wanted);
    for (size_t i = 0; i < c->n; i++) memcpy(wanted + i * size, in + c->order[i] * size, size);
    expect_elements(got, wanted, c->n, size);
    free(wanted);
}

static void check_outputs(const splitting *c, const outputs *o) {
    const uint32_t *narrow = o->offsets.data;
    const uint64_t *wide = o->offsets.data;
    const size_t width = o->offsets_array.size;
    check_moved(o->keys.data, c->keys, c, c->type->size);
    if (c->value_size) check_moved(o->values.data, c->values, c, c->value_size);
    for (size_t b = 0; width && b <= c->buckets; b++)
        if ((width == 4 ? narrow[b] : wide[b]) != c->offsets[b]) {
            fprintf(stderr, "offsets[%zu]\n", b);
            expect((width == 4 ? narrow[b] : wide[b]) == c->offsets[b]);
        }
}

/* Bytes besides what every method takes: see multisplit.h. */
static size_t scratch_bound(const splitting *c, int method, size_t threads) {
    const size_t size = c->type->size + c->value_size, copy = c->n * size;
    const size_t own = ((size_t)1 << 20) + threads * ((size_t)1280 << 10) + c->n / 32 * size + c->n / 8;
    const bool sorted = method == WW_MULTISPLIT_REDUCED_BIT || method == WW_MULTISPLIT_RECURSIVE;
    if (sorted) return own + copy + 32 * c->n + 4 * c->buckets;
    return own + (c->buckets > 4096 ? copy : 0);
}

static bool is_moved(size_t size) { return size <= 16 && !(size & (size - 1)); }

/* The same on a GPU. The emulator's tiles are small, and there are more of them: 8 bytes an element instead of 2. */
static size_t scratch_bound_gpu(const splitting *c, int method) {
    enum { WARP = 32, ITEMS_LEAST = 2, BUCKETS_A_DIGIT = 256 };
    const size_t size = c->type->size + c->value_size, copy = c->n * size;
    const bool moved = is_moved(c->type->size) && is_moved(c->value_size);
    const bool sorted = method == WW_MULTISPLIT_REDUCED_BIT || method == WW_MULTISPLIT_RECURSIVE;
    const bool stages = method >= WW_MULTISPLIT_DIRECT && method <= WW_MULTISPLIT_BLOCK;
    const size_t buckets = c->buckets < BUCKETS_A_DIGIT ? 2 * c->buckets : BUCKETS_A_DIGIT;
    const size_t warps = c->n / ((size_t)WARP * (on_emulator() ? ITEMS_LEAST : 4)) + 1;
    size_t bound = ((size_t)1 << 20) + (on_emulator() ? 8 : 2) * c->n;
    if (!moved) bound += 16 * c->n;
    if (moved && c->buckets > BUCKETS_A_DIGIT) bound += copy;
    if (sorted) bound += copy + 32 * c->n;
    return stages ? bound + 8 * buckets * warps : bound;
}

static void check_scratch(ww_device *device, const splitting *c, int method) {
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= (on_gpu() ? scratch_bound_gpu(c, method) : scratch_bound(c, method, info.threads)));
}

static void check_call(ww_device *device, const splitting *c, const ww_function *f, int method, size_t width) {
    const ww_multisplit_options options = options_of(method);
    outputs o = outputs_new(c, width);
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect_status(device,
                  ww_multisplit(device, f, c->buckets, ww_memory_of(c->keys, c->n, c->type), value_input(c),
                                o.keys_array, o.values_array, o.offsets_array, method ? &options : NULL),
                  WW_OK);
    check_outputs(c, &o);
    check_scratch(device, c, method);
    outputs_free(&o);
}

/* ---- types × values × buckets × sizes × shapes × methods, in turns; every setting ---- */

static splitting splitting_of_cut(const key_kind *kind, size_t n, size_t value_size, shape s, const cutting *cut,
                                  unsigned turn) {
    splitting c = splitting_new(kind->type, n, cut->buckets, value_size);
    fill(c.keys, kind->type, kind->type->size, n, s, seed_of_run() + turn);
    for (size_t i = 0; i < n; i++)
        c.bucket[i] = plain_cut(kind, c.keys + i * kind->type->size, cut->buckets, cut->by_size);
    splitting_solve(&c);
    return c;
}

/* The data are made when the first case is wanted: short tests leave most of them out. */
static void check_cut(ww_device **devices, size_t settings, size_t k, size_t n, size_t buckets, size_t value_size,
                      shape s, int method, unsigned turn) {
    const key_kind *kind = &kinds[k];
    const bool by_size = s == SORTED || s == REVERSED || turn % 2;
    const cutting cut = {(uint32_t)buckets, by_size};
    const size_t width = turn % 3 == 0 ? 0 : turn % 3 == 1 ? 4 : 8;
    if (on_emulator() && buckets > EMULATED_COUNT) return;
    splitting c = {0};
    for (size_t d = 0; d < settings; d++) {
        CASE("multisplit", "%s %s %s+%zu m=%zu n=%zu %s%s offsets=%zu", setting_name(d), method_names[method],
             kind->type->label, value_size, buckets, n, shape_name(s), by_size ? "" : " dealt", width);
        if (!case_wanted()) continue;
        if (!c.type) c = splitting_of_cut(kind, n, value_size, s, &cut, turn);
        const ww_function with = ww_bound(kind->cut, &cut, 1, kind->cut->environment);
        check_call(devices[d], &c, &with, method, width);
    }
    splitting_free(&c);
}

/* On the emulator every kind has one size of values: each is a program of its own. */
static size_t value_size_of(size_t kind, unsigned turn) { return value_sizes[(on_gpu() ? kind : turn) % VALUES]; }

static void kinds_and_sizes(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t k = 0; k < KINDS; k++) {
        size_t many;
        const size_t *sizes = sizes_of(kinds[k].type->size, &many);
        if (left_to_gpus(k)) continue;
        for (size_t i = 0; i < many; i++)
            for (int m = 0; m < METHODS; m++, turn++) {
                if (on_gpu() && (i + (size_t)m) % 3) continue;
                const size_t buckets = bucket_counts[(turn + turn / COUNTS) % COUNTS];
                if (buckets == 1 << 20 && turn % 4) continue; /* offsets take their time */
                check_cut(devices, settings, k, sizes[i], buckets, value_size_of(k, turn), (shape)(turn % SHAPES), m,
                          turn);
            }
    }
    settings_close(devices, settings);
}

/* Every method with every number of buckets and every size of values, where all workers have parts to move. */
static void methods_and_buckets(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (int m = 0; m < METHODS; m++)
        for (size_t b = 0; b < COUNTS; b++, turn++) {
            const size_t k = on_gpu() ? 4 : turn % KINDS;
            const size_t n = on_emulator() ? 2500 + turn : tests_are_short() ? 60013 + turn : 150001 + turn;
            if (on_gpu() && turn % 3 != 1) continue;
            check_cut(devices, settings, k, n, bucket_counts[b], value_size_of(k, turn / 2), (shape)(turn % SHAPES), m,
                      turn);
            if (on_gpu() || (tests_are_short() && turn % 4)) continue;
            check_cut(devices, settings, 0, 2 * n, bucket_counts[b], turn % 2 ? 4 : 0, turn % 3 ? UNIFORM : SKEWED, m,
                      turn + 1);
        }
    settings_close(devices, settings);
}

/* Outputs that go past the caches, buckets that do not fit in them. */
static void large_inputs(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t all = settings_open(devices, setting_count()),
                 settings = all < setting_count_short() ? all : setting_count_short();
    static const struct {
        size_t kind, value_size, buckets;
        shape shape;
    } cases[] = {{0, 0, 2, UNIFORM},   {0, 4, 256, UNIFORM},    {0, 0, 4096, UNIFORM},     {2, 0, 65537, UNIFORM},
                 {1, 0, 256, UNIFORM}, {0, 4, 1 << 20, SKEWED}, {0, 0, 1 << 20, CONSTANT}, {4, 0, 100, UNIFORM},
                 {2, 8, 5000, FEW},    {0, 12, 40, SORTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (on_gpu() && i != 1) continue;
        for (int m = 0; m < METHODS; m++)
            if (!m || (i + (size_t)m) % 5 == 0)
                check_cut(devices, settings, cases[i].kind, size_large() * 4 / (kinds[cases[i].kind].type->size + 4),
                          cases[i].buckets, cases[i].value_size, cases[i].shape, m, (unsigned)(2 * i + 1));
    }
    settings_close(devices, all);
}

/* Values of more than a tile of anything. */
static void long_values(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    for (int m = 0; m < METHODS; m++)
        for (size_t i = 0; i < 2; i++) {
            if (on_gpu() && (m || i)) continue;
            check_cut(devices, settings, 0, i ? 67 : 1003, i ? 2 : 40, i ? 70000 : 1000, UNIFORM, m, 1);
        }
    settings_close(devices, settings);
}

/* ---- built-in functions ---- */

static void check_built_in(ww_device *device, splitting *c, const ww_function *f, const char *what, size_t setting,
                           int method) {
    CASE("multisplit built-in", "%s %s %s %s m=%zu n=%zu", setting_name(setting), method_names[method], c->type->label,
         what, c->buckets, c->n);
    if (!case_wanted()) return;
    splitting_solve(c);
    check_call(device, c, f, method, 4);
}

#define EACH_INTEGER(X) \
    X(uint8_t) X(int8_t) X(uint16_t) X(int16_t) X(uint32_t) X(int32_t) X(uint64_t) X(int64_t) EACH_128(X)
#if WW_HAS_U128
#define EACH_128(X) X(ww_u128) X(ww_i128)
#else
#define EACH_128(X)
#endif

/* Keys of 7 bits have buckets by their number; by delta; all keys by bits, at both ends. */
#define BUILT_IN(T) \
    static void built_in_##T(ww_device *device, size_t setting, size_t n, int method) { \
        const uint32_t highest = (uint32_t)(8 * sizeof(T)); \
        const ww_delta seven = {7}, wide = {(uint64_t)1 << 33}; \
        splitting c = splitting_new(&ww_type_##T, n, 128, method % 2 ? 4 : 0); \
        T *x = (T *)(void *)c.keys; \
        fill(x, c.type, sizeof(T), n, UNIFORM, seed_of_run() + n); \
        for (uint32_t at = 0; at < 2; at++) { \
            const ww_bits bits = {at ? highest - 5 : 2, 5}; \
            c.buckets = at ? 100 : 32; /* also more than the bits have numbers */ \
            for (size_t i = 0; i < n; i++) { \
                uint32_t byte_of_five = 0; \
                for (uint32_t b = 0; b < 5; b++) { \
                    const uint32_t bit = bits.first + b; \
                    byte_of_five |= (uint32_t)(((const unsigned char *)(x + i))[bit / 8] >> bit % 8 & 1) << b; \
                } \
                c.bucket[i] = byte_of_five; \
            } \
            check_built_in(device, &c, ww_with(ww_by_bits, &bits), at ? "last bits, more buckets" : "bits", setting, \
                           method); \
        } \
        for (size_t i = 0; i < n; i++) \
            c.bucket[i] = (uint32_t)(x[i] = (T)(((const unsigned char *)(x + i))[0] & 127)); \
        c.buckets = 128; \
        check_built_in(device, &c, &ww_by_number, "number", setting, method); \
        for (size_t i = 0; i < n; i++) c.bucket[i] /= 7; \
        c.buckets = 19; \
        check_built_in(device, &c, ww_with(ww_by_delta, &seven), "delta", setting, method); \
        for (size_t i = 0; i < n; i++) c.bucket[i] = 0; \
        c.buckets = 1; \
        check_built_in(device, &c, ww_with(ww_by_delta, &wide), "wide delta", setting, method); \
        splitting_free(&c); \
    }
EACH_INTEGER(BUILT_IN)

static void built_in_functions(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
#define RUN_BUILT_IN(T) built_in_##T,
    static void (*const run[])(ww_device *, size_t, size_t, int) = {EACH_INTEGER(RUN_BUILT_IN)};
    for (size_t t = 0; t < sizeof run / sizeof *run; t++)
        for (size_t d = 0; d < settings; d++) {
            if (left_to_gpus(t)) continue;
            run[t](devices[d], d, 1001 + t, on_gpu() ? 0 : (int)(t % METHODS));
            if (!on_gpu() && (d < setting_count_short() || t % 3 == 0))
                run[t](devices[d], d, 100003 + t, WW_MULTISPLIT_AUTO);
        }
    settings_close(devices, settings);
}

/* Widths by which division is a multiplication: keys at both sides of where a bucket ends, as far up as buckets go. */
static void check_width(ww_device *device, size_t setting, const ww_type *type, uint32_t width, size_t n, int method) {
    const uint32_t highest = type == &ww_type_int32_t ? INT32_MAX : UINT32_MAX, most = on_emulator() ? 300 : 70000;
    const uint32_t last = highest / width < most ? highest / width : most;
    const ww_delta delta = {width};
    splitting c = splitting_new(type, n, (size_t)last + 1, 0);
    uint32_t *x = (uint32_t *)(void *)c.keys;
    uint64_t state = seed_of_run() + width;
    for (size_t i = 0; i < n; i++) {
        const uint64_t end = (uint64_t)width * (random_next(&state) % (last ? last : 1) + 1) + random_next(&state) % 3;
        x[i] = end - 2 > highest ? highest : (uint32_t)(end - 2);
        c.bucket[i] = x[i] / width > last ? last : x[i] / width;
        x[i] = x[i] / width > last ? last * width : x[i];
    }
    CASE("multisplit delta", "%s %s %s width=%u m=%zu n=%zu", setting_name(setting), method_names[method], type->label,
         width, c.buckets, n);
    if (case_wanted()) {
        splitting_solve(&c);
        check_call(device, &c, ww_with(ww_by_delta, &delta), method, 4);
    }
    splitting_free(&c);
}

static void widths(void **state) {
    static const uint32_t widths[] = {2,       3,          7,          641,        4095, 4096,       65537,
                                      1000003, 0x7fffffff, 0x7ffffffe, 0x40000001, 1,    0x80000001, UINT32_MAX};
    enum { WIDTHS = sizeof widths / sizeof *widths };
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    for (size_t d = 0; d < settings; d++)
        for (size_t w = 0; w < WIDTHS; w++) {
            if (on_emulator() && w % 4) continue;
            check_width(devices[d], d, &ww_type_uint32_t, widths[w], on_emulator() ? 1003 : 5003, (int)(w % METHODS));
            if (!on_gpu()) check_width(devices[d], d, &ww_type_int32_t, widths[w], 5003, (int)(w % METHODS));
        }
    settings_close(devices, settings);
}

/* ---- edges ---- */

enum { EDGES_MOST = 300 };

/* Edges from `first` on, `step` apart; the last two of a float's are huge and infinite. */
#define EDGES(T, is_float) \
    static void edges_##T(ww_device *device, size_t setting, size_t n, size_t edges, shape s, int method, T first, \
                          T step) { \
        CASE("multisplit_edges", "%s %s %s edges=%zu n=%zu %s", setting_name(setting), method_names[method], \
             ww_type_##T.label, edges, n, shape_name(s)); \
        if (!case_wanted()) return; \
        const ww_multisplit_options options = options_of(method); \
        splitting c = splitting_new(&ww_type_##T, n, edges + 1, method == WW_MULTISPLIT_AUTO ? 4 : 0); \
        T *x = (T *)(void *)c.keys, *e = need((edges + 1) * sizeof *e); \
        fill(x, c.type, sizeof(T), n, s, seed_of_run() + edges); \
        for (size_t i = 0; i < edges; i++) e[i] = (T)(first + (T)i * step); \
        if (is_float && edges > 3) e[edges - 1] = (T)INFINITY, e[0] = (T)-INFINITY; \
        for (size_t i = 0; i < edges && i < n; i++) x[n - 1 - i] = e[i]; \
        for (size_t i = 0; i < n; i++) { \
            c.bucket[i] = 0; \
            for (size_t k = 0; k < edges; k++) c.bucket[i] += x[i] >= e[k]; \
        } \
        splitting_solve(&c); \
        outputs o = outputs_new(&c, 8); \
        expect_status(device, \
                      ww_multisplit_edges(device, ww_memory_of(x, n, c.type), value_input(&c), \
                                          ww_memory_of(e, edges, c.type), o.keys_array, o.values_array, \
                                          o.offsets_array, &options), \
                      WW_OK); \
        check_outputs(&c, &o); \
        outputs_free(&o); \
        free(e); \
        splitting_free(&c); \
    }
EDGES(uint8_t, 0)
EDGES(int16_t, 0)
EDGES(uint32_t, 0)
EDGES(int64_t, 0)
#if WW_HAS_U128
EDGES(ww_u128, 0)
EDGES(ww_i128, 0)
#endif
EDGES(float, 1)
EDGES(double, 1)

static void between_edges(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const size_t counts[] = {0, 1, 2, 3, 31, 255, EDGES_MOST};
    unsigned turn = 0;
    for (size_t d = 0; d < settings; d++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, turn++) {
            const size_t edges = counts[i], n = i == 5 && !on_emulator() ? 80001 : 3001;
            const shape s = turn % 2 ? ADVERSARIAL : UNIFORM;
            const int m = (int)(turn % METHODS);
            if (on_gpu() && i % 3 != 1) continue;
            edges_float(devices[d], d, n, edges, s, m, -1e4f, 77.7f);
            edges_uint32_t(devices[d], d, n, edges, s, on_gpu() ? m : 0, 1000, 14000000);
            if (on_gpu()) continue;
            edges_double(devices[d], d, n, edges, s, m, -1e4, 1e-3);
            edges_int16_t(devices[d], d, n, edges, s, m, -30000, 200);
            edges_int64_t(devices[d], d, n, edges, s, 0, INT64_MIN, (int64_t)1 << 54);
            if (edges < 250) edges_uint8_t(devices[d], d, n, edges, s, m, 3, 1);
#if WW_HAS_U128
            edges_ww_u128(devices[d], d, n, edges, s, m, 5, (ww_u128)1 << 119);
            edges_ww_i128(devices[d], d, n, edges, s, m, (ww_i128)((ww_u128)1 << 127), (ww_i128)1 << 118);
#endif
        }
    settings_close(devices, settings);
}

/* ---- other data ---- */

WW_MAP(scrambled, uint32_t, uint32_t, x, void, none, { return x * 2654435761u; });
WW_MAP(doubled, uint64_t, uint32_t, x, void, none, { return 2 * (uint64_t)x; });

/* Keys and values that are computed; sums of coins as buckets, for a binomial distribution. */
static void inputs_of_every_kind(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 2003 : 120007;
    for (size_t d = 0; d < setting_count(); d++) {
        ww_device *device = setting_open(d);
        for (int m = 0; m < METHODS; m++) {
            CASE("multisplit inputs", "%s %s n=%zu", setting_name(d), method_names[m], n);
            if (!case_wanted() || (on_gpu() && m % 3 != 0)) continue;
            const ww_multisplit_options options = options_of(m);
            const size_t buckets = m % 2 ? 2 : 77;
            const cutting cut = {(uint32_t)buckets, 1};
            splitting c = splitting_new(&ww_type_uint32_t, n, buckets, 8);
            uint32_t *x = (uint32_t *)(void *)c.keys, *source = need(n * sizeof *source);
            uint64_t *v = (uint64_t *)(void *)c.values;
            for (uint32_t i = 0; i < n; i++) {
                x[i] = i * 2654435761u;
                source[i] = i;
                v[i] = 2 * (uint64_t)(7 + i);
                c.bucket[i] = plain_cut(&kinds[0], (const unsigned char *)(x + i), cut.buckets, true);
            }
            splitting_solve(&c);
            outputs o = outputs_new(&c, 8);
            o.values_array.type = &ww_type_uint64_t;
            expect_status(device,
                          ww_multisplit(device, ww_with(cut_u32, &cut), buckets,
                                        ww_mapped(&scrambled_ww, ww_memory(source, n)),
                                        ww_mapped(&doubled_ww, ww_counting(&ww_type_uint32_t, 7, n)), o.keys_array,
                                        o.values_array, o.offsets_array, &options),
                          WW_OK);
            check_outputs(&c, &o);
            outputs_free(&o);
            free(source);
            splitting_free(&c);
        }
        ww_close(device);
    }
}

static void binomial(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    const size_t n = on_emulator() ? 3000 : 200003;
    splitting c = splitting_new(&ww_type_uint8_t, n, 65, 4);
    uint64_t random = seed_of_run();
    for (size_t i = 0; i < n; i++) {
        uint32_t heads = 0;
        for (uint64_t coins = random_next(&random); coins; coins &= coins - 1) heads++;
        c.keys[i] = (uint8_t)heads;
        c.bucket[i] = heads;
    }
    splitting_solve(&c);
    for (size_t d = 0; d < settings; d++)
        for (int m = 0; m < METHODS; m++) {
            CASE("multisplit binomial", "%s %s n=%zu", setting_name(d), method_names[m], n);
            if (case_wanted() && (!on_emulator() || m % 3 == 0)) check_call(devices[d], &c, &ww_by_number, m, 4);
        }
    splitting_free(&c);
    settings_close(devices, settings);
}

/* ---- keys without a bucket ---- */

static void no_bucket(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count(); d++) {
        ww_device *device = setting_open(d);
        const size_t sizes[] = {1, 1000, 100001}, counts[] = {1, 2, 20, 256, 70000};
        for (size_t turn = 0; turn < 15 * METHODS; turn++) {
            const int m = (int)(turn % METHODS);
            const size_t n = sizes[turn / METHODS % 3], buckets = counts[turn / METHODS / 3];
            if (on_emulator() && (n != 1000 || (buckets != 20 && buckets != 70000))) continue;
            CASE("multisplit without a bucket", "%s %s n=%zu m=%zu", setting_name(d), method_names[m], n, buckets);
            if (!case_wanted()) continue;
            const ww_multisplit_options options = options_of(m);
            char sentence[128];
            splitting c = splitting_new(&ww_type_uint32_t, n, buckets, 4);
            uint32_t *x = (uint32_t *)(void *)c.keys;
            const size_t bad = n * 2 / 3;
            for (size_t i = 0; i < n; i++) x[i] = i >= bad && (i - bad) % 100 == 0 ? (uint32_t)buckets : 0;
            outputs o = outputs_new(&c, 8);
            unsigned char *poisoned = malloc(n * 4 + 8 * (buckets + 1));
            assert_non_null(poisoned);
            memcpy(poisoned, o.keys.data, n * 4);
            memcpy(poisoned + n * 4, o.offsets.data, 8 * (buckets + 1));
            expect_status(
                device,
                finished(device, ww_multisplit(device, &ww_by_number, buckets, ww_memory(x, n), value_input(&c),
                                               o.keys_array, o.values_array, o.offsets_array, &options)),
                WW_RANGE);
            snprintf(sentence, sizeof sentence, "keys[%zu]: by_number gives no bucket below %zu", bad, buckets);
            expect_sentence(device, on_gpu() ? "ww_multisplit (queued): " : "ww_multisplit: ", sentence);
            expect_bytes(o.keys.data, poisoned, n * 4);
            expect_bytes(o.values.data, poisoned, n * 4);
            if (!on_gpu()) expect_bytes(o.offsets.data, poisoned + n * 4, 8 * (buckets + 1));
            outputs_free(&o);
            free(poisoned);
            splitting_free(&c);
        }
        ww_close(device);
    }
}

/* ---- pairs of 4 and 4 bytes, which share lines on a CPU ---- */

/* Buckets of one length, whose places do not lie apart, and others; values begin where keys do, or elsewhere in a line. */
static void pairs_in_lines(void **state) {
    (void)state;
    static const struct {
        size_t n, buckets, shift;
        bool even;
    } cases[] = {{(1 << 21) + 1, 256, 0, true},  {(1 << 21) + 77, 250, 0, false}, {(1 << 21) + 3, 256, 1, true},
                 {(1 << 20) + 5, 4096, 0, true}, {(1 << 19) + 9, 3000, 0, false}, {200001, 4000, 3, true}};
    if (left_out_on_gpu("a GPU has no lines")) return;
    for (size_t d = 0; d < setting_count(); d++) {
        ww_device *device = setting_open(d);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const size_t n = cases[i].n, buckets = cases[i].buckets, shift = cases[i].shift;
            CASE("multisplit pairs", "%s n=%zu m=%zu +%zu", setting_name(d), n, buckets, shift);
            if (!case_wanted() || (d >= setting_count_short() && i % 2)) continue;
            splitting c = splitting_new(&ww_type_uint32_t, n, buckets, 4);
            uint32_t *keys = (uint32_t *)(void *)c.keys;
            fill(c.keys, c.type, 4, n, UNIFORM, seed_of_run());
            for (size_t k = 0; k < n; k++) {
                const uint64_t x = keys[k], bucket = x * buckets >> 32;
                keys[k] = (uint32_t)(cases[i].even ? bucket : bucket * bucket / buckets);
                c.bucket[k] = keys[k];
            }
            splitting_solve(&c);
            outputs o = outputs_new(&c, 8);
            guarded values = guarded_new((n + shift) * 4);
            memset(values.data, 0, shift * 4);
            o.values_array.data = (unsigned char *)values.data + shift * 4;
            if (i % 3 == 0) device->stream_bytes = 0;
            expect_status(device,
                          ww_multisplit(device, &ww_by_number, buckets, ww_memory(keys, n), value_input(&c),
                                        o.keys_array, o.values_array, o.offsets_array, NULL),
                          WW_OK);
            check_moved(o.keys.data, c.keys, &c, 4);
            check_moved(o.values_array.data, c.values, &c, 4);
            guarded_check(&values);
            guarded_free(&values);
            outputs_free(&o);
            splitting_free(&c);
        }
        ww_close(device);
    }
}

/* ---- a function that changes its mind ---- */

static uint32_t calls;
WW_MAP(moody, uint32_t, uint32_t, x, uint32_t, buckets,
       { return (x + __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) * 2654435761u / 7) % *buckets; });
/* Many buckets at first; the last one ever after. */
static uint32_t enough;
WW_MAP(decided, uint32_t, uint32_t, x, uint32_t, buckets,
       { return __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) < enough ? x % *buckets : *buckets - 1; });
/* … or none. */
WW_MAP(leaving, uint32_t, uint32_t, x, uint32_t, buckets,
       { return __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) < enough ? x % *buckets : UINT32_MAX; });

static void inconsistent_functions(void **state) {
    (void)state;
    if (left_out_on_gpu("the functions count on the host")) return;
#if defined(__SANITIZE_THREAD__)
    return; /* where two elements are told the same place, two threads write it */
#endif
    const ww_function *const functions[] = {&moody_ww, &decided_ww, &leaving_ww};
    for (size_t d = 0; d < setting_count(); d++) {
        ww_device *device = setting_open(d);
        for (size_t turn = 0; turn < 3 * 4 * METHODS; turn++) {
            static const uint32_t counts[] = {2, 30, 4000, 70000};
            const int m = (int)(turn % METHODS);
            const uint32_t buckets = counts[turn / METHODS % 4];
            const ww_function *const plain = functions[turn / METHODS / 4];
            const ww_function f = ww_bound(plain, &buckets, 1, &ww_type_uint32_t);
            const size_t n = 150001;
            CASE("multisplit inconsistent", "%s %s %s m=%u", setting_name(d), plain->name, method_names[m], buckets);
            if (!case_wanted() || (d >= setting_count_short() && turn % 3)) continue;
            const ww_multisplit_options options = options_of(m);
            splitting c = splitting_new(&ww_type_uint32_t, n, buckets, turn % 2 ? 12 : 4);
            fill(c.keys, c.type, 4, n, UNIFORM, seed_of_run());
            outputs o = outputs_new(&c, 4);
            calls = 0;
            enough = (uint32_t)n;
            const ww_status status = ww_multisplit(device, &f, buckets, ww_memory((uint32_t *)(void *)c.keys, n),
                                                   value_input(&c), o.keys_array, o.values_array, o.offsets_array,
                                                   &options);
            expect(status == WW_OK || status == WW_RANGE);
            outputs_free(&o); /* looks at the bytes around */
            splitting_free(&c);
        }
        ww_close(device);
    }
}

/* ---- what calls refuse ---- */

#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
    } while (0)

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    CASE("multisplit refuses", "%s", setting_name(0));
    /* Memory that a GPU reaches. */
    uint32_t *const room = need(200 * sizeof *room), *const x = room, *const out = room + 20, *const v = room + 40,
                    *const v_out = room + 60, *const offsets = room + 80;
    uint64_t *const wide = (uint64_t *)(void *)(room + 100);
    float *const f = (float *)(void *)(room + 120), *const f_out = (float *)(void *)(room + 130);
    for (uint32_t i = 0; i < 200; i++) room[i] = i % 3;
    const ww_input in = ww_memory(x, 6), none = ww_no_input, values = ww_memory(v, 6);
    const ww_array to = ww_array(out, 6), values_to = ww_array(v_out, 6), at = ww_array(offsets, 4);
    const ww_function *n = &ww_by_number;
    ww_multisplit_options o = WW_MULTISPLIT_OPTIONS;
#define SPLIT(...) ww_multisplit(device, __VA_ARGS__)
    expect_status(NULL, ww_multisplit(NULL, n, 3, in, none, to, ww_none, at, NULL), WW_INVALID);
    REFUSED(WW_INVALID, SPLIT(NULL, 3, in, none, to, ww_none, at, NULL), "ww_multisplit: ", "function is NULL");
    REFUSED(WW_TYPE, SPLIT(&ww_add, 3, in, none, to, ww_none, at, NULL), "add gives no buckets", "u32");
    REFUSED(WW_TYPE, SPLIT(&cut_u64_ww, 3, in, none, to, ww_none, at, NULL), "cut_u64");
    REFUSED(WW_TYPE, SPLIT(n, 3, ww_memory(f, 6), none, ww_array(f_out, 6), ww_none, at, NULL), "by_number", "f32");
    REFUSED(WW_TYPE, SPLIT(n, 3, ww_record_memory(x, 2, 3), none, ww_records(out, 2, 3), ww_none, at, NULL),
            "by_number");
    REFUSED(WW_INVALID, SPLIT(n, 3, none, none, to, ww_none, at, NULL), "keys is missing");
    REFUSED(WW_INVALID, SPLIT(n, 3, in, none, ww_none, ww_none, at, NULL), "keys_out");
    REFUSED(WW_INVALID, SPLIT(n, 3, in, none, ww_array(out, 5), ww_none, at, NULL), "keys has 6", "keys_out 5");
    REFUSED(WW_TYPE, SPLIT(n, 3, in, none, ww_array(f_out, 6), ww_none, at, NULL), "keys_out");
    REFUSED(WW_INVALID, SPLIT(n, 3, in, values, to, ww_none, at, NULL), "values_out");
    REFUSED(WW_INVALID, SPLIT(n, 3, in, none, to, values_to, at, NULL), "values");
    REFUSED(WW_INVALID, SPLIT(n, 3, in, ww_memory(v, 5), to, ww_array(v_out, 5), at, NULL), "6 keys", "5 values");
    REFUSED(WW_INVALID, SPLIT(n, 3, in, values, to, ww_array(v_out, 5), at, NULL), "values has 6", "5");
    REFUSED(WW_TYPE, SPLIT(n, 3, in, values, to, ww_array(f_out, 6), at, NULL), "values");
    REFUSED(WW_INVALID, SPLIT(n, 0, in, none, to, ww_none, at, NULL), "0 buckets");
    REFUSED(WW_INVALID, SPLIT(n, (uint64_t)WW_BUCKETS_MOST + 1, in, none, to, ww_none, at, NULL), "1073741825");
    REFUSED(WW_INVALID, SPLIT(n, 4, in, none, to, ww_none, at, NULL), "offsets has 4", "4 buckets have 5");
    REFUSED(WW_TYPE, SPLIT(n, 3, in, none, to, ww_none, ww_array(f_out, 4), NULL), "offsets");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, none, ww_array(x, 6), ww_none, at, NULL), "keys_out", "keys");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, none, ww_array(x + 5, 6), ww_none, at, NULL), "overlaps");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, values, to, ww_array(v, 6), at, NULL), "values_out");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, values, to, ww_array(x, 6), at, NULL), "values_out");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, values, ww_array(v, 6), values_to, at, NULL), "keys_out");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, values, to, ww_array(out + 1, 6), at, NULL), "overlaps");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, none, to, ww_none, ww_array(x + 1, 4), NULL), "offsets");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, none, to, ww_none, ww_array(out + 1, 4), NULL), "offsets");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, values, to, values_to, ww_array(v + 1, 4), NULL), "offsets");
    REFUSED(WW_OVERLAP, SPLIT(n, 3, in, values, to, values_to, ww_array(v_out + 1, 4), NULL), "offsets");
    const ww_bits bad_bits[] = {{30, 3}, {32, 1}, {32, 0}, {0, 32}, {UINT32_MAX, 2}, {1, UINT32_MAX}};
    for (size_t i = 0; i < sizeof bad_bits / sizeof *bad_bits; i++)
        REFUSED(WW_INVALID, SPLIT(ww_with(ww_by_bits, &bad_bits[i]), 3, in, none, to, ww_none, at, NULL),
                "bits from bit", "32 bits");
    REFUSED(WW_INVALID, SPLIT(&ww_by_bits, 3, in, none, to, ww_none, at, NULL), "ww_bits");
    const ww_delta zero = {0};
    REFUSED(WW_INVALID, SPLIT(ww_with(ww_by_delta, &zero), 3, in, none, to, ww_none, at, NULL), "width is 0");
    REFUSED(WW_INVALID, SPLIT(&ww_by_delta, 3, in, none, to, ww_none, at, NULL), "ww_delta");
    o.method = (ww_multisplit_method)77;
    REFUSED(WW_INVALID, SPLIT(n, 3, in, none, to, ww_none, at, &o), "method 77");
    o.size = 4;
    REFUSED(WW_INVALID, SPLIT(n, 3, in, none, to, ww_none, at, &o), "options.size is 4");

    /* Edges. */
    uint32_t *const edges = room + 150;
    edges[0] = 1, edges[1] = 3, edges[2] = 3;
#define BETWEEN(...) ww_multisplit_edges(device, __VA_ARGS__)
    REFUSED(WW_INVALID, finished(device, BETWEEN(in, none, ww_memory(edges, 3), to, ww_none, ww_none, NULL)),
            "ww_multisplit_edges", "edges[2] is not above");
    for (uint64_t many = 1; many < 4; many++) { /* also where there is no other edge to compare with */
        f[0] = NAN, f[1] = 1, f[2] = 2;
        REFUSED(WW_INVALID,
                finished(device, BETWEEN(ww_memory(f + 4, 2), none, ww_memory(f, many), ww_array(f_out, 2), ww_none,
                                         ww_none, NULL)),
                "ww_multisplit_edges", "edges[0] is not a number");
    }
    REFUSED(WW_TYPE, BETWEEN(in, none, ww_memory(f, 3), to, ww_none, ww_none, NULL), "edges");
    REFUSED(WW_TYPE, BETWEEN(ww_record_memory(x, 2, 3), none, none, ww_records(out, 2, 3), ww_none, ww_none, NULL),
            "type rec");
    REFUSED(WW_INVALID, BETWEEN(in, none, none, to, ww_none, ww_none, NULL), "edges is missing");
    REFUSED(WW_INVALID, BETWEEN(in, none, ww_memory(edges, 1), to, ww_none, at, NULL), "offsets has 4", "2 buckets");
    REFUSED(WW_OVERLAP, BETWEEN(in, none, ww_memory(edges, 2), ww_array(edges + 1, 6), ww_none, ww_none, NULL),
            "edges");

    /* Keys below 0 have no bucket by delta. */
    int32_t *const i = (int32_t *)(void *)(room + 160), *const i_out = (int32_t *)(void *)(room + 170);
    const ww_delta five = {5};
    i[0] = 3, i[1] = -1;
    REFUSED(WW_RANGE,
            finished(device, SPLIT(ww_with(ww_by_delta, &five), 3, ww_memory(i, 2), none, ww_array(i_out, 2), ww_none,
                                   ww_none, NULL)),
            "keys[1]: by_delta gives no bucket below 3");
    for (uint32_t k = 20; k < 26; k++) expect(room[k] == k % 3); /* nothing was written */
    ww_close(device);

    /* No keys; more buckets than keys; one key. */
    device = setting_open(0);
    expect_status(device, SPLIT(n, 3, ww_memory(x, 0), none, ww_array(out, 0), ww_none, ww_array(wide, 4), NULL),
                  WW_OK);
    for (size_t b = 0; b < 4; b++) expect(wide[b] == 0);
    expect_status(device, SPLIT(n, 3, ww_memory(x, 0), none, ww_array(out, 0), ww_none, ww_none, NULL), WW_OK);
    x[0] = 5, x[1] = 1;
    expect_status(device, SPLIT(n, 8, ww_memory(x, 2), none, ww_array(out, 2), ww_none, ww_array(wide, 9), NULL),
                  WW_OK);
    for (size_t b = 0; b < 9; b++) expect(wide[b] == (b <= 1 ? 0 : b <= 5 ? 1u : 2u));
    expect(out[0] == 1 && out[1] == 5);
    x[0] = WW_BUCKETS_MOST - 1;
    expect_status(device, SPLIT(n, WW_BUCKETS_MOST, ww_memory(x, 2), none, ww_array(out, 2), ww_none, ww_none, NULL),
                  WW_OK);
    expect(out[0] == 1 && out[1] == WW_BUCKETS_MOST - 1);
    ww_close(device);
    free(room);
}

/* ---- the trace ---- */

/* Standard error of one traced call. */
static void trace_of(int method, size_t n, size_t buckets, bool offsets, char *text, size_t room) {
    uint32_t *x = need(4 * n), *out = need(4 * n), *begins = need(4 * (buckets + 1));
    const ww_multisplit_options options = options_of(method);
    ww_device *device = traced_open();
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)(i % buckets);
    traced t = traced_begin();
    const ww_status status = ww_multisplit(device, &ww_by_number, buckets, ww_memory(x, n), ww_no_input,
                                           ww_array(out, n), ww_none, offsets ? ww_array(begins, buckets + 1) : ww_none,
                                           &options);
    traced_end(&t, text, room);
    expect_status(device, status, WW_OK);
    ww_close(device);
    free(x), free(out), free(begins);
}

static void methods_run_their_own_loops(void) {
    enum { N = 100000 };
    char text[256], items[32];
    ww_device_info info = WW_DEVICE_INFO;
    ww_device *device = setting_open(0);
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    /* auto's table tells these from the others, and Intel's among them. */
    const bool wide = !strcmp(info.vector, "avx512");
    bool intel = false;
#if defined(__x86_64__)
    intel = wide && __builtin_cpu_is("intel");
#endif
    ww_close(device);
    static const struct {
        int method;
        size_t buckets, n;
        const char *wanted, *wanted_wide, *wanted_intel; /* NULL: the same as the one before */
    } cases[] = {{WW_MULTISPLIT_AUTO, 2, N, "method=compress function=by_number", NULL, NULL},
                 {WW_MULTISPLIT_AUTO, 300, 1000, "method=direct function=by_number", NULL, NULL},
                 {WW_MULTISPLIT_AUTO, 100, N, "method=block", "method=direct", "method=lines"},
                 {WW_MULTISPLIT_AUTO, 300, N, "method=direct", NULL, NULL},
                 {WW_MULTISPLIT_AUTO, 300, 5 * N, "method=lines", "method=direct", NULL},
                 {WW_MULTISPLIT_DIRECT, 2, N, "method=direct", NULL, NULL},
                 {WW_MULTISPLIT_WARP, 300, N, "method=warp", NULL, NULL},
                 {WW_MULTISPLIT_BLOCK, 300, N, "method=block", NULL, NULL},
                 {WW_MULTISPLIT_ONEPASS, 300, N, "method=onepass", NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CASE("multisplit trace", "%s m=%zu n=%zu", method_names[cases[i].method], cases[i].buckets, cases[i].n);
        if (!case_wanted()) continue;
        trace_of(cases[i].method, cases[i].n, cases[i].buckets, false, text, sizeof text);
        snprintf(items, sizeof items, "items=%zu ", cases[i].n);
        const char *wanted = intel && cases[i].wanted_intel ? cases[i].wanted_intel
                             : wide && cases[i].wanted_wide ? cases[i].wanted_wide
                                                            : cases[i].wanted;
        expect(strstr(text, "ww_multisplit") && strstr(text, wanted));
        expect(strstr(text, items) != NULL);
    }
}

/* Whether the trace says it, as often as the kernel is launched. */
static bool says(const char *text, const char *kernel, const char *what) {
    char launch[64];
    snprintf(launch, sizeof launch, "kernel=%s ", kernel);
    const char *at = strstr(text, launch);
    bool said = at != NULL;
    for (; at; at = strstr(at + 1, launch)) {
        const char *end = strchr(at, '\n'), *found = strstr(at, what);
        said = said && end && found && found < end;
    }
    return said;
}

/* 256 buckets are one digit, 300 two; four are two bits. */
static void methods_run_their_own_kernels(void) {
    const bool small = on_emulator() && !getenv("WARPWISE_TEST_SMALL"); /* of GPUs, small tiles as well */
    const size_t n = small ? 5003 : 4000037; /* more than one block sorts, and than the tiles that a GPU sweeps in one launch */
    char text[8192];
#define TRACE(method, buckets, offsets) \
    CASE("multisplit trace", "%s m=%d%s", method_names[method], buckets, (offsets) ? " offsets" : ""); \
    trace_of(method, n, buckets, offsets, text, sizeof text)
    TRACE(WW_MULTISPLIT_ONEPASS, 256, false);
    expect_launches(text, "count_digits", "sweep_digit");
    TRACE(WW_MULTISPLIT_ONEPASS, 256, true);
    expect_launches(text, "count_digits", "sweep_digit", "begin_few");
    TRACE(WW_MULTISPLIT_ONEPASS, 300, true);
    expect_launches(text, "count_digits", "sweep_digit", "sweep_digit", "begin_many");
    for (int m = WW_MULTISPLIT_DIRECT; m <= WW_MULTISPLIT_BLOCK; m++) {
        const char *threads = m == WW_MULTISPLIT_BLOCK ? "threads=256" : "threads=32";
        char count[32], place[32];
        snprintf(count, sizeof count, "%s_count_tiles", method_names[m]);
        snprintf(place, sizeof place, "%s_place_tiles", method_names[m]);
        TRACE(m, 256, true);
        expect_launches(text, count, "scan", place, "begin_many");
        expect(says(text, count, threads) && says(text, place, threads));
        TRACE(m, 300, false);
        expect_launches(text, count, "scan", place, count, "scan", place);
    }
    /* Labels are sorted where they are, from there and back again. */
    TRACE(WW_MULTISPLIT_REDUCED_BIT, 256, true);
    expect_launches(text, "label", "count_digits", "sweep_digit", "sweep_digit", "gather", "label_offsets");
    TRACE(WW_MULTISPLIT_RECURSIVE, 4, false);
#define TWO_WAY "count", "split"
    expect_launches(text, "label", TWO_WAY, TWO_WAY, TWO_WAY, "gather");
    TRACE(WW_MULTISPLIT_RECURSIVE, 4, true);
    expect_launches(text, "label", TWO_WAY, TWO_WAY, TWO_WAY, TWO_WAY, "gather", "label_offsets");
#undef TWO_WAY
#undef TRACE
}

static void methods_run_their_own_code(void **state) {
    (void)state;
    if (on_gpu())
        methods_run_their_own_kernels();
    else
        methods_run_their_own_loops();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_sizes),    cmocka_unit_test(methods_and_buckets),
        cmocka_unit_test(large_inputs),       cmocka_unit_test(long_values),
        cmocka_unit_test(built_in_functions), cmocka_unit_test(widths),
        cmocka_unit_test(between_edges),      cmocka_unit_test(inputs_of_every_kind),
        cmocka_unit_test(binomial),           cmocka_unit_test(no_bucket),
        cmocka_unit_test(pairs_in_lines),     cmocka_unit_test(inconsistent_functions),
        cmocka_unit_test(refusals),           cmocka_unit_test(methods_run_their_own_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
