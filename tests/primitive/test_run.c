/* Run lengths, unique and reduction by key against serial oracles; float sums bit for bit as documented (on a GPU to within
 * what brackets can change). */
#include "function/function.h"
#include "reference/run.h"
#include "support/cases.h"

#define ORACLE(T, U) \
    static void add_##T(void *r, const void *a, const void *b) { \
        U x, y; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        x = (U)(x + y); \
        memcpy(r, &x, sizeof x); \
    }
ORACLE(uint8_t, uint8_t)
ORACLE(uint16_t, uint16_t)
ORACLE(int32_t, uint32_t)
ORACLE(uint64_t, uint64_t)
ORACLE(ww_u128, ww_u128)
ORACLE(float, float)
ORACLE(double, double)

WW_STRUCT(affine, { uint32_t scale, offset, spare; });
WW_COMBINE(compose, affine, f, g, WW_ORDERED, WW_IDENTITY({1, 0, 0}), {
    affine h = {f.scale * g.scale, g.scale * f.offset + g.offset, f.spare ^ g.spare};
    return h;
});
static void compose_elements(void *r, const void *a, const void *b) {
    const affine *f = a, *g = b;
    const affine h = {f->scale * g->scale, g->scale * f->offset + g->offset, f->spare ^ g->spare};
    memcpy(r, &h, sizeof h);
}
WW_STRUCT(pair, { double sum, weight, more[3]; });
WW_COMBINE(join, pair, a, b, WW_COMMUTES, WW_IDENTITY({0}), {
    a.sum += b.sum;
    a.weight += b.weight;
    return a;
});
static void join_elements(void *r, const void *a, const void *b) {
    pair p = *(const pair *)a;
    p.sum += ((const pair *)b)->sum;
    p.weight += ((const pair *)b)->weight;
    memcpy(r, &p, sizeof p);
}
WW_COMBINE(half_join, float, a, b, WW_ORDERED, WW_IDENTITY(0), { return a * 0.5f + b; });
static void half_join_elements(void *r, const void *a, const void *b) {
    const volatile float half = *(const float *)a * 0.5f;
    const float x = half + *(const float *)b;
    memcpy(r, &x, sizeof x);
}
WW_MAP(fifth, uint32_t, uint32_t, x, void, none, { return x / 5; });

/* Keys in runs: of one element each, of about so many, or one run. */
static const size_t lengths[] = {1, 2, 5, 30, 700, 10000, SIZE_MAX};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Neighbouring runs differ in one byte, which is a different one from run to run. */
static void fill_keys(unsigned char *keys, size_t n, size_t size, size_t length, uint64_t seed) {
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&state);
        if (!i) {
            memset(keys, 0x5a, size);
            continue;
        }
        memcpy(keys + i * size, keys + (i - 1) * size, size);
        if (length == 1 || (length != SIZE_MAX && r % length == 0))
            keys[i * size + (r >> 32) % size] ^= (unsigned char)(1 + (r >> 20) % 255);
    }
}

static const struct {
    const ww_type *type;
    size_t size;
} elements[] = {
    {&ww_type_uint8_t, 1},  {&ww_type_uint16_t, 2},  {&ww_type_uint32_t, 4}, {&ww_type_uint64_t, 8},
    {&ww_type_double, 8},   {&ww_type_ww_u128, 16},  {&ww_type_record, 3},   {&ww_type_record, 12},
    {&ww_type_record, 100}, {&ww_type_record, 5000},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static ww_input input_of(const void *x, size_t n, const ww_type *type, size_t size) {
    return type == &ww_type_record ? ww_record_memory(x, n, size) : ww_memory_of(x, n, type);
}
static ww_array array_of(void *x, size_t n, const ww_type *type, size_t size) {
    return type == &ww_type_record ? ww_records(x, n, size) : ww_array_of(x, n, type);
}

/* Wanted values and lengths of the runs. */
typedef struct runs_wanted {
    size_t runs;
    unsigned char *values;
    uint64_t *starts, *lengths64;
    uint32_t *lengths32;
} runs_wanted;

static runs_wanted want_runs(const unsigned char *x, size_t n, size_t size) {
    runs_wanted w = {0, need(n * size), need(n * 8), need(n * 8), need(n * 4)};
    w.runs = reference_runs(w.starts, x, n, size);
    for (size_t r = 0; r < w.runs; r++) {
        memcpy(w.values + r * size, x + w.starts[r] * size, size);
        w.lengths64[r] = (r + 1 < w.runs ? w.starts[r + 1] : n) - w.starts[r];
        w.lengths32[r] = (uint32_t)w.lengths64[r];
    }
    return w;
}

static void free_runs(runs_wanted *w) {
    free(w->values);
    free(w->starts);
    free(w->lengths64);
    free(w->lengths32);
}

/* All outputs with enough room; then one of them with too little, or left out. */
static void check_lengths(ww_device *device, const char *setting, size_t e, size_t n, size_t length, bool wide) {
    const ww_type *type = elements[e].type;
    const size_t size = elements[e].size, length_size = wide ? 8 : 4;
    CASE("run_lengths", "%s %s %zu n=%zu runs of %zu, %s", setting, type->label, size, n, length, wide ? "u64" : "u32");
    if (!case_wanted() || (on_emulator() && n * size > 1 << 20)) return;
    unsigned char *x = need(n * size);
    fill_keys(x, n, size, length, seed_of_run());
    runs_wanted w = want_runs(x, n, size);
    const void *lengths_wanted = wide ? (const void *)w.lengths64 : w.lengths32;
    const size_t rooms[] = {w.runs, w.runs, w.runs ? w.runs - 1 - w.runs / 3 : 0, SIZE_MAX};
    static const struct { size_t values, lengths; } cases[] = {{0, 0}, {2, 1}, {0, 2}, {3, 0}, {0, 3}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const size_t for_values = rooms[cases[c].values], for_lengths = rooms[cases[c].lengths];
        const bool no_values = for_values == SIZE_MAX, no_lengths = for_lengths == SIZE_MAX;
        if (on_emulator() && (no_values || no_lengths) && e % 3) continue;
        guarded values = guarded_new(no_values ? 0 : for_values * size);
        guarded out = guarded_new(no_lengths ? 0 : for_lengths * length_size);
        uint64_t runs = 77;
        const ww_status status = ww_run_lengths(
            device, input_of(x, n, type, size), no_values ? ww_none : array_of(values.data, for_values, type, size),
            no_lengths ? ww_none : ww_array_of(out.data, for_lengths, wide ? &ww_type_uint64_t : &ww_type_uint32_t),
            ww_array(&runs, 1));
        expect_status(device, status, for_values < w.runs || for_lengths < w.runs ? WW_LIMIT : WW_OK);
        expect(runs == w.runs);
        if (!no_values) expect_elements(values.data, w.values, for_values, size);
        if (!no_lengths) expect_elements(out.data, lengths_wanted, for_lengths, length_size);
        guarded_check(&values);
        guarded_check(&out);
        guarded_free(&values);
        guarded_free(&out);
    }
    guarded out = guarded_new(w.runs * size);
    uint32_t count = 77;
    expect_status(
        device,
        ww_unique(device, input_of(x, n, type, size), array_of(out.data, w.runs, type, size), ww_array(&count, 1)),
        WW_OK);
    expect(count == w.runs);
    expect_elements(out.data, w.values, w.runs, size);
    guarded_check(&out);
    guarded_free(&out);
    free_runs(&w);
    free(x);
}

static void lengths_of_runs(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < ELEMENTS; e++) {
            size_t sizes;
            const size_t *n = sizes_of(elements[e].size, &sizes);
            for (size_t i = 0; i < sizes; i++) /* fewer programs to compile on the emulator */
                check_lengths(device, setting_name(s), e, n[i], lengths[(i + e) % LENGTHS],
                              (on_emulator() ? e : i) % 2);
        }
        ww_close(device);
    }
}

static void large_inputs(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        check_lengths(device, setting_name(s), 2, size_large(), 1, false);
        check_lengths(device, setting_name(s), 3, size_large() / 3, 5, true);
        check_lengths(device, setting_name(s), 0, size_large(), 30, false);
        ww_close(device);
    }
}

typedef struct operation {
    const ww_function *op;
    const ww_type *type;
    reference_combine *oracle;
    size_t real; /* bytes of the floats that it adds, 0: none */
} operation;

static const operation operations[] = {
    {&ww_add, &ww_type_uint8_t, add_uint8_t, 0}, {&ww_add, &ww_type_uint16_t, add_uint16_t, 0},
    {&ww_add, &ww_type_int32_t, add_int32_t, 0}, {&ww_add, &ww_type_uint64_t, add_uint64_t, 0},
    {&ww_add, &ww_type_ww_u128, add_ww_u128, 0}, {&ww_add, &ww_type_float, add_float, 4},
    {&ww_add, &ww_type_double, add_double, 8},   {&compose_ww, &affine_ww, compose_elements, 0},
    {&join_ww, &pair_ww, join_elements, 8},      {&half_join_ww, &ww_type_float, half_join_elements, 4},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void fill_values(void *x, const ww_type *type, size_t n) {
    if (type == &pair_ww)
        fill(x, &ww_type_double, 8, 5 * n, UNIFORM, seed_of_run() + 1);
    else
        fill(x, type, type->size, n, UNIFORM, seed_of_run() + 1);
}

static double real_at(const void *x, size_t i, size_t size) {
    return size == 4 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* Sums of floats on a GPU: brackets of runs differ there, and the tests' floats are of like size. */
static void expect_sums(const operation *o, const void *got, const void *wanted, size_t n, bool deterministic) {
    if (!on_gpu() || !o->real || deterministic) {
        expect_elements(got, wanted, n, o->type->size);
        return;
    }
    double largest = 0;
    for (size_t i = 0; i < n * o->type->size / o->real; i++) {
        const double x = real_at(got, i, o->real), y = real_at(wanted, i, o->real), size = y < 0 ? -y : y;
        if (size > largest) largest = size;
        expect(x == y || (x > y ? x - y : y - x) <= largest * (o->real == 4 ? 1e-4 : 1e-12));
    }
}

/* deterministic: the device was opened so. */
static void check_by_key_as(ww_device *device, const char *setting, const operation *o, size_t e, size_t n,
                            size_t length, bool deterministic) {
    const ww_type *type = elements[e].type;
    const size_t key_size = elements[e].size, size = o->type->size;
    CASE("reduce_by_key", "%s %s %s by %s %zu n=%zu runs of %zu%s", setting, o->op->name, o->type->label, type->label,
         key_size, n, length, deterministic ? " deterministic" : "");
    if (!case_wanted() || (on_emulator() && n * key_size > 1 << 20)) return;
    if (on_gpu() && o->oracle == half_join_elements && !deterministic) return; /* not associative: it shows brackets */
    unsigned char *keys = need(n * key_size), *values = need(n * size), *wanted = need(n * size);
    fill_keys(keys, n, key_size, length, seed_of_run());
    fill_values(values, o->type, n);
    runs_wanted w = want_runs(keys, n, key_size);
    const bool commutes = ww__operator(o->op, o->type, size)->flags & WW_COMMUTES;
    for (size_t r = 0; r < w.runs; r++)
        reference_reduce_run(wanted + r * size, values, w.starts[r], w.starts[r] + w.lengths64[r], key_size, size,
                             commutes, o->oracle);
    const size_t ways = on_emulator() && e % 3 ? 2 : 3;
    for (size_t less = 0; less < ways; less++) { /* all; too little room for the results; no keys */
        const size_t room = less == 1 ? w.runs - w.runs / 3 : w.runs;
        guarded keys_out = guarded_new(w.runs * key_size), out = guarded_new(room * size);
        uint64_t runs = 77;
        const ww_status status = ww_reduce_by_key(device, o->op, input_of(keys, n, type, key_size),
                                                  ww_memory_of(values, n, o->type),
                                                  less == 2 ? ww_none : array_of(keys_out.data, w.runs, type, key_size),
                                                  ww_array_of(out.data, room, o->type), ww_array(&runs, 1));
        expect_status(device, status, room < w.runs ? WW_LIMIT : WW_OK);
        expect(runs == w.runs);
        expect_sums(o, out.data, wanted, room, deterministic);
        if (less != 2) expect_elements(keys_out.data, w.values, w.runs, key_size);
        guarded_check(&keys_out);
        guarded_check(&out);
        guarded_free(&keys_out);
        guarded_free(&out);
    }
    free_runs(&w);
    free(keys);
    free(values);
    free(wanted);
}

static void check_by_key(ww_device *device, const char *setting, const operation *o, size_t e, size_t n,
                         size_t length) {
    check_by_key_as(device, setting, o, e, n, length, false);
}

static void by_key(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < OPERATIONS; o++) {
            size_t sizes;
            const size_t *n = sizes_of(operations[o].type->size, &sizes);
            for (size_t i = 0; i < sizes; i++)
                check_by_key(device, setting_name(s), &operations[o], ((on_emulator() ? 0 : i) + o) % (ELEMENTS - 1),
                             n[i], lengths[(i + 3 * o) % LENGTHS]);
        }
        check_by_key(device, setting_name(s), &operations[2], ELEMENTS - 1, 300, 5);
        ww_close(device);
    }
}

static void by_key_large(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t l = 0; l < LENGTHS; l += 2) {
            check_by_key(device, setting_name(s), &operations[5], 2, size_large() / 3, lengths[l]);
            check_by_key(device, setting_name(s), &operations[7], 3, size_large() / 9, lengths[l]);
        }
        ww_close(device);
    }
}

/* The CPU's brackets on every device: of what is not associative, sums of floats, structs, and integers, which go another way. */
static void deterministic(void **state) {
    (void)state;
    static const size_t some[] = {2, 5, 6, 7, 8, 9}, sizes[] = {1, 15, 33, 1023, 2048, 2049, 6149, 30011, 250007};
    for (size_t s = 0; s < setting_count_short(); s++) {
        setenv("WARPWISE_DETERMINISTIC", "1", 1);
        ww_device *device = setting_open(s);
        unsetenv("WARPWISE_DETERMINISTIC");
        for (size_t o = 0; o < sizeof some / sizeof *some; o++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                for (size_t l = i % 2; l < LENGTHS; l += 2) {
                    const operation *const of = &operations[some[o]];
                    const size_t e = (o + (on_emulator() ? 0 : i + l)) % (ELEMENTS - 2);
                    if (sizes[i] * (of->type->size + elements[e].size) < 1 << 21)
                        check_by_key_as(device, setting_name(s), of, e, sizes[i], lengths[l], true);
                }
        ww_close(device);
    }
}

static void inputs_of_every_kind(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("run inputs", "%s", setting_name(s));
        if (!case_wanted()) continue;
        const size_t n = on_emulator() ? 20003 : 200003, wanted = n / 5 + 1;
        uint32_t *values = need(n * 4), *run = need(n * 4), runs;
        const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, n), fifths = ww_mapped(&fifth_ww, numbers);
        expect_status(device, ww_run_lengths(device, fifths, ww_array(values, n), ww_array(run, n), ww_array(&runs, 1)),
                      WW_OK);
        expect(runs == wanted);
        for (size_t i = 0; i < runs; i++) expect(values[i] == i && run[i] == (i + 1 < runs ? 5 : n % 5));
        expect_status(device,
                      ww_reduce_by_key(device, &ww_add, fifths, numbers, ww_array(values, n), ww_array(run, n),
                                       ww_array(&runs, 1)),
                      WW_OK);
        expect(runs == wanted);
        for (uint32_t i = 0; i + 1 < runs; i++) expect(values[i] == i && run[i] == 25 * i + 10);
        const uint32_t seven = 7;
        expect_status(
            device,
            ww_unique(device, ww_constant(ww_value(uint32_t, seven), n), ww_array(values, 1), ww_array(&runs, 1)),
            WW_OK);
        expect(runs == 1 && values[0] == 7);
        free(values);
        free(run);
        ww_close(device);
    }
}

/* Where the number of runs goes to memory that kernels reach, too little room is seen in it alone, and no more is written. */
static void room_without_waiting(void **state) {
    (void)state;
    const size_t n = 3001, room = 100;
    uint32_t *x = need(n * 4);
    uint64_t *runs = need(8);
    fill_keys((unsigned char *)x, n, 4, 5, seed_of_run());
    runs_wanted w = want_runs((unsigned char *)x, n, 4);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const ww_status wanted = on_gpu() ? WW_OK : WW_LIMIT;
        CASE("run room", "%s", setting_name(s));
        if (!case_wanted()) continue;
        guarded values = guarded_new(room * 4), sums = guarded_new(room * 4);
        const ww_array to = ww_array_of(values.data, room, &ww_type_uint32_t);
        const ww_array also = ww_array_of(sums.data, room, &ww_type_uint32_t),
                       total = ww_array_of(runs, 1, &ww_type_uint64_t);
        expect_status(device, ww_run_lengths(device, ww_memory(x, n), to, also, total), wanted);
        expect(*runs == w.runs);
        expect_elements(values.data, w.values, room, 4);
        expect_elements(sums.data, w.lengths32, room, 4);
        const uint32_t one = 1;
        expect_status(device,
                      ww_reduce_by_key(device, &ww_add, ww_memory(x, n), ww_constant(ww_value(uint32_t, one), n), to,
                                       also, total),
                      wanted);
        expect(*runs == w.runs);
        expect_elements(sums.data, w.lengths32, room, 4);
        expect_status(device, ww_unique(device, ww_memory(x, n), to, total), wanted);
        expect(*runs == w.runs);
        guarded_check(&values);
        guarded_check(&sums);
        guarded_free(&values);
        guarded_free(&sums);
        ww_close(device);
    }
    free_runs(&w);
    free(x);
    free(runs);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {1, 1, 2, 2}, out[4] = {9, 9, 9, 9}, run[4], runs = 77;
    uint64_t wide[4] = {0};
    int32_t ints[4] = {1, 2, 3, 4}, sums[4];
    const ww_input in = ww_memory(x, 4), v = ww_memory(ints, 4);
    const ww_array to = ww_array(out, 4), r = ww_array(run, 4), c = ww_array(&runs, 1), t = ww_array(sums, 4);
    const struct {
        ww_status wanted, got;
    } calls[] = {
        {WW_INVALID, ww_run_lengths(NULL, in, to, r, c)},
        {WW_INVALID, ww_run_lengths(device, ww_no_input, to, r, c)},
        {WW_INVALID, ww_run_lengths(device, in, to, r, ww_none)},
        {WW_INVALID, ww_run_lengths(device, in, ww_array((uint32_t *)NULL, 4), r, c)},
        {WW_INVALID, ww_run_lengths(device, in, to, r, ww_array(&runs, 2))},
        {WW_TYPE, ww_run_lengths(device, in, ww_array(wide, 4), r, c)},
        {WW_TYPE, ww_run_lengths(device, in, to, t, c)},
        {WW_TYPE, ww_run_lengths(device, in, to, r, ww_array(sums, 1))},
        {WW_OVERLAP, ww_run_lengths(device, in, ww_array(x, 4), r, c)},
        {WW_OVERLAP, ww_run_lengths(device, in, to, ww_array(x, 4), c)},
        {WW_OVERLAP, ww_run_lengths(device, in, to, ww_array(out + 1, 3), c)},
        {WW_OVERLAP, ww_run_lengths(device, in, to, r, ww_array(run, 1))},
        {WW_INVALID, ww_unique(device, in, ww_none, c)},
        {WW_INVALID, ww_unique(device, in, to, ww_none)},
        {WW_OVERLAP, ww_unique(device, in, ww_array(x + 1, 3), c)},
        {WW_INVALID, ww_reduce_by_key(NULL, &ww_add, in, v, to, t, c)},
        {WW_INVALID, ww_reduce_by_key(device, NULL, in, v, to, t, c)},
        {WW_TYPE, ww_reduce_by_key(device, &ww_ascending, in, v, to, t, c)},
        {WW_TYPE, ww_reduce_by_key(device, &compose_ww, in, v, to, t, c)},
        {WW_INVALID, ww_reduce_by_key(device, &ww_add, in, ww_memory(ints, 3), to, t, c)},
        {WW_INVALID, ww_reduce_by_key(device, &ww_add, in, v, to, ww_none, c)},
        {WW_INVALID, ww_reduce_by_key(device, &ww_add, in, ww_no_input, to, t, c)},
        {WW_TYPE, ww_reduce_by_key(device, &ww_add, in, v, t, t, c)},
        {WW_TYPE, ww_reduce_by_key(device, &ww_add, in, v, to, r, c)},
        {WW_OVERLAP, ww_reduce_by_key(device, &ww_add, in, v, ww_array(x, 4), t, c)},
        {WW_OVERLAP, ww_reduce_by_key(device, &ww_add, in, v, to, ww_array(ints, 4), c)},
        {WW_OVERLAP, ww_reduce_by_key(device, &ww_add, in, v, to, t, ww_array(out, 1))},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        CASE("run refuses", "call %zu", i);
        expect_status(device, calls[i].got, calls[i].wanted);
    }
    expect(runs == 77 && out[0] == 9);
    expect_status(device, ww_unique(device, in, ww_array(out, 1), c), WW_LIMIT);
    expect_sentence(device, "2 runs", "capacity of 1");
    expect(runs == 2 && out[0] == 1 && out[1] == 9);
    expect_status(device, ww_unique(device, ww_memory(x, 0), ww_array(out, 0), c), WW_OK);
    expect(runs == 0);
    ww_close(device);
}

static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound is the CPU's")) return;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = size_large() / 2;
        uint8_t *x = need(8 * n), *out = need(8 * n), *values = need(8 * n);
        uint64_t runs;
        for (size_t size = 1; size <= 8; size *= 2) {
            ww_device_info info = WW_DEVICE_INFO;
            fill_keys(x, n, size, 3, seed_of_run());
            expect_status(device, ww_scratch_trim(device), WW_OK);
            expect_status(device,
                          ww_run_lengths(device, ww_record_memory(x, n, size), ww_records(out, n, size),
                                         ww_array((uint64_t *)(void *)values, n), ww_array(&runs, 1)),
                          WW_OK);
            fill(values, &ww_type_uint64_t, 8, n, UNIFORM, 5);
            uint64_t *sums = need(8 * n);
            expect_status(device,
                          ww_reduce_by_key(device, &ww_add, ww_record_memory(x, n, size),
                                           ww_memory((uint64_t *)(void *)values, n), ww_records(out, n, size),
                                           ww_array(sums, n), ww_array(&runs, 1)),
                          WW_OK);
            free(sums);
            expect_status(device, ww_device_info_get(device, &info), WW_OK);
            expect(info.scratch_peak <= 65536 + info.threads * 65536);
        }
        free(x);
        free(out);
        free(values);
        ww_close(device);
    }
}

/* The k-th request for memory fails, for every k. */
static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it opens a CPU")) return;
    const size_t n = 100000;
    uint32_t *x = need(4 * n), *out = need(4 * n), *sums = need(4 * n);
    fill_keys((unsigned char *)x, n, 4, 3, 1);
    for (int call = 0; call < 2; call++) {
        size_t fail_at = 0;
        for (bool done = false; !done; fail_at++) {
            counting_allocator counter = {.fail_at = fail_at};
            ww_open_options options = WW_OPEN_OPTIONS;
            options.allocator = counting_allocator_use(&counter);
            ww_device *device;
            uint64_t runs;
            ww_status status = ww_open_with("cpu:threads=2", &device, &options);
            if (!status && call)
                status = ww_run_lengths(device, ww_memory(x, n), ww_array(out, n), ww_array(sums, n),
                                        ww_array(&runs, 1));
            else if (!status)
                status = ww_reduce_by_key(device, &ww_add, ww_memory(x, n), ww_memory(x, n), ww_array(out, n),
                                          ww_array(sums, n), ww_array(&runs, 1));
            expect(status == WW_OK || status == WW_MEMORY);
            done = counter.requests <= fail_at;
            ww_close(device);
            expect(counter.live_blocks == 0);
        }
        expect(fail_at > 2);
    }
    free(x);
    free(out);
    free(sums);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_runs),      cmocka_unit_test(large_inputs),  cmocka_unit_test(by_key),
        cmocka_unit_test(by_key_large),         cmocka_unit_test(deterministic), cmocka_unit_test(inputs_of_every_kind),
        cmocka_unit_test(room_without_waiting), cmocka_unit_test(bad_arguments), cmocka_unit_test(scratch_bound),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
