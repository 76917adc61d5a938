/* Operators and orders with an environment (WW_COMBINE_WITH, WW_LESS_WITH), of one number, a small struct, a large one and an array:
 * every call that takes one beside its serial oracle, on every setting; the same function with several environments in turn; and
 * what is refused, with its sentence. */
#include "reference/merge.h"
#include "reference/order.h"
#include "reference/reduce.h"
#include "reference/run.h"
#include "reference/scan.h"
#include "reference/search.h"
#include "reference/set.h"
#include "support/cases.h"

enum { GROUP = 6, RANKED = 1000 };

WW_STRUCT(modulus, { uint32_t m, spare; });
WW_STRUCT(line, { uint32_t scale, offset; });
WW_STRUCT(row, { uint32_t at, more[5]; });
WW_STRUCT(ranks, { uint16_t of[256]; });
WW_FUNCTION(rest_of, uint32_t, (uint64_t x, uint32_t m), { return (uint32_t)(x % m); });

/* A modulus known at run time; affine functions modulo it, composed; a group by its table. */
WW_COMBINE_WITH(add_modulo, uint32_t, a, b, uint32_t, m, WW_COMMUTES, WW_IDENTITY(0),
                { return (uint32_t)(((uint64_t)a + b) % *m); });
WW_COMBINE_WITH_USES((rest_of), compose_modulo, line, f, g, modulus, m, WW_ORDERED, WW_IDENTITY({1, 0}), {
    line h = {rest_of((uint64_t)f.scale * g.scale, m->m), rest_of((uint64_t)g.scale * f.offset + g.offset, m->m)};
    return h;
});
WW_COMBINE_WITH(multiply_by_table, uint8_t, a, b, uint8_t, table, WW_ORDERED, WW_IDENTITY(0),
                { return table[a * 6 + b]; });

/* Positions by what a table holds at them; numbers by their rests; long keys by a table; bytes by a struct that is no small one. */
WW_LESS_WITH(by_table, uint32_t, a, b, uint16_t, table, { return table[a] < table[b]; });
WW_LESS_WITH_USES((rest_of), by_rest, uint32_t, a, b, modulus, m, { return rest_of(a, m->m) < rest_of(b, m->m); });
WW_LESS_WITH(rows_by_table, row, a, b, uint16_t, table, { return table[a.at] < table[b.at]; });
WW_LESS_WITH(by_rank, uint8_t, a, b, ranks, r, { return r->of[a] < r->of[b]; });
/* Those that are given nothing, beside the others. */
WW_LESS(by_low_byte, uint32_t, a, b, { return (uint8_t)a < (uint8_t)b; });
WW_COMBINE(plus, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b; });

/* ---- environments, and oracles that read the same ---- */

static struct environments {
    uint32_t number;
    modulus small;
    uint8_t *group;  /* the permutations of three: GROUP x GROUP, in the host's own memory, so that it is staged */
    uint16_t *table; /* RANKED, where a GPU reaches it */
    ranks *large;
} now;

/* The permutations of 0, 1, 2: 0 the one that changes nothing. */
static const uint8_t permutations[GROUP][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static uint8_t composed(uint8_t a, uint8_t b) {
    for (uint8_t c = 0; c < GROUP; c++) {
        bool same = true;
        for (int i = 0; i < 3; i++) same &= permutations[c][i] == permutations[a][permutations[b][i]];
        if (same) return c;
    }
    abort();
}

static void environments_make(uint64_t seed) {
    now.number = (uint32_t)(1 + random_next(&seed) % UINT32_MAX);
    now.small = (modulus){(uint32_t)(2 + random_next(&seed) % 100000), 0};
    for (uint8_t a = 0; a < GROUP; a++)
        for (uint8_t b = 0; b < GROUP; b++) now.group[a * GROUP + b] = composed(a, b);
    for (int i = 0; i < RANKED; i++) now.table[i] = (uint16_t)(random_next(&seed) % 300);
    for (int i = 0; i < 256; i++) now.large->of[i] = (uint16_t)(random_next(&seed) % 100);
}

static int environments_begin(void **state) {
    (void)state;
    static uint8_t group[GROUP * GROUP];
    now.group = group;
    now.table = need(RANKED * sizeof *now.table);
    now.large = need(sizeof *now.large);
    environments_make(seed_of_run());
    return 0;
}

static int environments_end(void **state) {
    (void)state;
    free(now.table), free(now.large);
    return 0;
}

static void add_oracle(void *r, const void *a, const void *b) {
    const uint64_t sum = (uint64_t) * (const uint32_t *)a + *(const uint32_t *)b;
    *(uint32_t *)r = (uint32_t)(sum >= now.number ? sum - now.number : sum);
}
static void compose_oracle(void *r, const void *a, const void *b) {
    const line *f = a, *g = b;
    const uint64_t m = now.small.m;
    *(line *)r = (line){(uint32_t)((uint64_t)f->scale * g->scale % m),
                        (uint32_t)(((uint64_t)g->scale * f->offset % m + g->offset) % m)};
}
static void multiply_oracle(void *r, const void *a, const void *b) {
    *(uint8_t *)r = composed(*(const uint8_t *)a, *(const uint8_t *)b);
}
static bool table_before(const void *a, const void *b) {
    return now.table[*(const uint32_t *)a] < now.table[*(const uint32_t *)b];
}
static bool rest_before(const void *a, const void *b) {
    return *(const uint32_t *)a % now.small.m < *(const uint32_t *)b % now.small.m;
}
static bool rank_before(const void *a, const void *b) {
    return now.large->of[*(const uint8_t *)a] < now.large->of[*(const uint8_t *)b];
}

typedef enum which_operator { ADD, COMPOSE, MULTIPLY, OPERATORS } which_operator;
typedef enum which_order { BY_TABLE, BY_REST, ROWS_BY_TABLE, BY_RANK, ORDERS } which_order;

static const struct {
    const char *name;
    const ww_type *type;
    reference_combine *oracle;
} operators[OPERATORS] = {{"add modulo", &ww_type_uint32_t, add_oracle},
                          {"compose modulo", &line_ww, compose_oracle},
                          {"multiply by table", &ww_type_uint8_t, multiply_oracle}};
static const struct {
    const char *name;
    const ww_type *type;
    reference_before *before;
} orders[ORDERS] = {{"by table", &ww_type_uint32_t, table_before},
                    {"by rest", &ww_type_uint32_t, rest_before},
                    {"rows by table", &row_ww, table_before},
                    {"by rank", &ww_type_uint8_t, rank_before}};

/* The functions with the environments of now. */
static ww_function operator_now(which_operator o) {
    switch (o) {
    case ADD:
        return *ww_with(add_modulo, &now.number);
    case COMPOSE:
        return *ww_with(compose_modulo, &now.small);
    default:
        return *ww_with_array(multiply_by_table, now.group, GROUP * GROUP);
    }
}
static ww_function order_now(which_order o) {
    switch (o) {
    case BY_TABLE:
        return *ww_with_array(by_table, now.table, RANKED);
    case BY_REST:
        return *ww_with(by_rest, &now.small);
    case ROWS_BY_TABLE:
        return *ww_with_array(rows_by_table, now.table, RANKED);
    default:
        return *ww_with(by_rank, now.large);
    }
}

static void *operands_new(which_operator o, size_t n, uint64_t seed) {
    unsigned char *x = need(n * operators[o].type->size + 1);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed);
        if (o == ADD) ((uint32_t *)(void *)x)[i] = (uint32_t)(r % now.number);
        if (o == COMPOSE)
            ((line *)(void *)x)[i] = (line){(uint32_t)(r % now.small.m), (uint32_t)((r >> 32) % now.small.m)};
        if (o == MULTIPLY) x[i] = (uint8_t)(r % GROUP);
    }
    return x;
}

static void *keys_new(which_order o, size_t n, uint64_t seed) {
    const size_t size = orders[o].type->size;
    unsigned char *x = need(n * size + 1);
    fill(x, &ww_type_record, size, n, UNIFORM, seed);
    for (size_t i = 0; i < n; i++)
        if (o == BY_TABLE || o == ROWS_BY_TABLE) *(uint32_t *)(void *)(x + i * size) %= RANKED;
    return x;
}

/* Round tiles of both kinds of machine. */
static const size_t cpu_sizes[] = {0, 1, 2, 33, 1000, 4099, 66001}, emulator_sizes[] = {0, 1, 3, 190, 757, 3100};
static size_t sizes(void) {
    return on_emulator() ? sizeof emulator_sizes / sizeof *emulator_sizes : sizeof cpu_sizes / sizeof *cpu_sizes;
}
static size_t size_number(size_t i) { return on_emulator() ? emulator_sizes[i] : cpu_sizes[i]; }

/* Results are there. */
static void finish(ww_device *device) {
    if (on_gpu()) expect_status(device, ww_sync(device), WW_OK);
}

/* ---- operators ---- */

static uint8_t *heads_new(size_t n, uint64_t seed) {
    uint8_t *heads = need(n + 1);
    for (size_t i = 0; i < n; i++) heads[i] = random_next(&seed) % 50 == 0;
    return heads;
}

static void check_reduce(ww_device *device, const char *setting, which_operator o, size_t n) {
    const ww_type *type = operators[o].type;
    const ww_function op = operator_now(o);
    CASE("with", "%s reduce, %s n=%zu", setting, operators[o].name, n);
    if (!case_wanted()) return;
    void *x = operands_new(o, n, seed_of_run() + n);
    line wanted; /* the largest type */
    reference_reduce(&wanted, x, n, type->size, operators[o].oracle, op.identity);
    guarded out = guarded_new(type->size);
    expect_status(device, ww_reduce(device, &op, ww_memory_of(x, n, type), ww_array_of(out.data, 1, type)), WW_OK);
    expect_elements(out.data, &wanted, 1, type->size);
    guarded_check(&out);
    guarded_free(&out);
    free(x);
}

static void check_reduce_parts(ww_device *device, const char *setting, which_operator o, size_t n) {
    const ww_type *type = operators[o].type;
    const ww_function op = operator_now(o);
    CASE("with", "%s reduce segments and by key, %s n=%zu", setting, operators[o].name, n);
    if (!case_wanted()) return;
    void *x = operands_new(o, n, seed_of_run() + n);
    uint32_t *keys = need((n + 1) * sizeof *keys), *offsets = need((n + 2) * sizeof *offsets);
    uint64_t state = seed_of_run();
    for (size_t i = 0; i < n; i++) keys[i] = i ? keys[i - 1] + (random_next(&state) % 50 == 0) : 0;
    uint64_t *starts = need((n + 1) * sizeof *starts);
    const size_t runs = reference_runs(starts, keys, n, sizeof *keys);
    unsigned char *wanted = need(runs * type->size + 1);
    for (size_t r = 0; r < runs; r++) {
        const uint64_t end = r + 1 < runs ? starts[r + 1] : n;
        offsets[r] = (uint32_t)starts[r];
        reference_reduce(wanted + r * type->size, (unsigned char *)x + starts[r] * type->size, end - starts[r],
                         type->size, operators[o].oracle, op.identity);
    }
    offsets[runs] = (uint32_t)n;
    guarded out = guarded_new(runs * type->size), by_key = guarded_new(n * type->size), kept = guarded_new(n * 4);
    uint32_t *found = need(sizeof *found);
    expect_status(device,
                  ww_reduce_segments(device, &op, ww_memory_of(x, n, type), ww_memory(offsets, runs + 1),
                                     ww_array_of(out.data, runs, type)),
                  WW_OK);
    expect_status(device,
                  ww_reduce_by_key(device, &op, ww_memory(keys, n), ww_memory_of(x, n, type),
                                   ww_array((uint32_t *)kept.data, n), ww_array_of(by_key.data, n, type),
                                   ww_array(found, 1)),
                  WW_OK);
    finish(device);
    expect(*found == runs);
    expect_elements(out.data, wanted, runs, type->size);
    expect_elements(by_key.data, wanted, runs, type->size);
    guarded_check(&out), guarded_check(&by_key), guarded_check(&kept);
    guarded_free(&out), guarded_free(&by_key), guarded_free(&kept);
    free(found), free(wanted), free(starts), free(keys), free(offsets), free(x);
}

static void check_scan(ww_device *device, const char *setting, which_operator o, size_t n, ww_scan_method method,
                       bool exclusive, int segments) {
    static const char *const kinds[] = {"scan", "scan by heads", "scan by key"};
    const ww_type *type = operators[o].type;
    const ww_function op = operator_now(o);
    CASE("with", "%s %s, %s method=%d%s n=%zu", setting, kinds[segments], operators[o].name, (int)method,
         exclusive ? " exclusive" : "", n);
    if (!case_wanted()) return;
    void *x = operands_new(o, n, seed_of_run() + n);
    uint8_t *heads = heads_new(n, seed_of_run());
    uint32_t *keys = need((n + 1) * sizeof *keys);
    for (size_t i = 0; i < n; i++) keys[i] = i ? keys[i - 1] + heads[i] : 0;
    const reference_scanning s = {.n = n,
                                  .size = type->size,
                                  .combine = operators[o].oracle,
                                  .initial = op.identity,
                                  .exclusive = exclusive,
                                  .heads = segments ? heads : NULL};
    unsigned char *wanted = need(n * type->size + 1);
    reference_scan(&s, wanted, NULL, x);
    guarded out = guarded_new(n * type->size);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.method = method;
    options.exclusive = exclusive;
    const ww_input in = ww_memory_of(x, n, type);
    const ww_array to = ww_array_of(out.data, n, type);
    expect_status(device,
                  segments == 0   ? ww_scan(device, &op, in, to, &options)
                  : segments == 1 ? ww_scan_segmented(device, &op, in, ww_memory(heads, n), to, &options)
                                  : ww_scan_by_key(device, &op, ww_memory(keys, n), in, to, &options),
                  WW_OK);
    finish(device);
    expect_elements(out.data, wanted, n, type->size);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted), free(keys), free(heads), free(x);
}

static void operators_with(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        const char *const setting = setting_name(s);
        for (which_operator o = 0; o < OPERATORS; o++)
            for (size_t i = 0; i < sizes(); i++) {
                check_reduce(device, setting, o, size_number(i));
                check_reduce_parts(device, setting, o, size_number(i));
                for (ww_scan_method m = WW_SCAN_LOOKBACK; m <= WW_SCAN_BLELLOCH; m++)
                    for (int segments = 0; segments < 3; segments++) {
                        /* Each is a program on the emulator: all operators meet all methods, and all kinds. */
                        if (on_emulator() && (segments + (int)m + (int)o) % 3) continue;
                        check_scan(device, setting, o, size_number(i), m,
                                   (segments + (int)o + (on_emulator() ? 0 : (int)i)) % 2, segments);
                    }
            }
        ww_close(device);
    }
}

/* What is put before all others goes through the operator, too. */
static void scans_from_an_initial_element(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (ww_scan_method m = WW_SCAN_LOOKBACK; m <= WW_SCAN_BLELLOCH; m++)
            for (int segments = 0; segments < 2; segments++) {
                const size_t n = on_emulator() ? 757 : 33000;
                const line initial = {now.small.m - 1, now.small.m / 2};
                const ww_function op = operator_now(COMPOSE);
                CASE("with", "%s %s from an initial element, method=%d", setting_name(s),
                     segments ? "segmented scan" : "scan", (int)m);
                if (!case_wanted()) continue;
                line *x = operands_new(COMPOSE, n, 7), *wanted = need(n * sizeof *wanted);
                uint8_t *heads = heads_new(n, 8);
                const reference_scanning r = {.n = n,
                                              .size = sizeof *x,
                                              .combine = compose_oracle,
                                              .initial = &initial,
                                              .heads = segments ? heads : NULL,
                                              .initial_is_given = true};
                reference_scan(&r, wanted, NULL, x);
                guarded out = guarded_new(n * sizeof *x);
                ww_scan_options options = WW_SCAN_OPTIONS;
                options.method = m;
                options.initial = ww_value(line, initial);
                const ww_array to = ww_array_of(out.data, n, &line_ww);
                expect_status(device,
                              segments ? ww_scan_segmented(device, &op, ww_memory_of(x, n, &line_ww),
                                                           ww_memory(heads, n), to, &options)
                                       : ww_scan(device, &op, ww_memory_of(x, n, &line_ww), to, &options),
                              WW_OK);
                finish(device);
                expect_elements(out.data, wanted, n, sizeof *x);
                guarded_check(&out);
                guarded_free(&out);
                free(x), free(wanted), free(heads);
            }
        ww_close(device);
    }
}

/* ---- orders ---- */

static void check_extremes(ww_device *device, const char *setting, which_order o, size_t n) {
    const ww_type *type = orders[o].type;
    const ww_function less = order_now(o);
    CASE("with", "%s least and greatest, %s n=%zu", setting, orders[o].name, n);
    if (!case_wanted() || !n) return;
    unsigned char *x = keys_new(o, n, seed_of_run() + n);
    for (int greatest = 0; greatest < 2; greatest++) {
        guarded value = guarded_new(type->size), position = guarded_new(sizeof(uint64_t));
        const ww_array value_out = ww_array_of(value.data, 1, type),
                       position_out = ww_array((uint64_t *)position.data, 1);
        expect_status(
            device,
            (greatest ? ww_arg_max : ww_arg_min)(device, &less, ww_memory_of(x, n, type), value_out, position_out),
            WW_OK);
        finish(device);
        const size_t at = reference_extreme(x, n, type->size, greatest, orders[o].before);
        expect(*(const uint64_t *)position.data == at);
        expect_elements(value.data, x + at * type->size, 1, type->size);
        guarded_check(&value), guarded_check(&position);
        guarded_free(&value), guarded_free(&position);
    }
    free(x);
}

static void check_merge(ww_device *device, const char *setting, which_order o, size_t na, size_t nb) {
    const ww_type *type = orders[o].type;
    const ww_function less = order_now(o);
    const size_t size = type->size, n = na + nb;
    CASE("with", "%s merge, %s n=%zu+%zu", setting, orders[o].name, na, nb);
    if (!case_wanted()) return;
    void *a = keys_new(o, na, 1), *b = keys_new(o, nb, 2), *wanted = need(n * size + 1);
    reference_sort(a, na, size, orders[o].before);
    reference_sort(b, nb, size, orders[o].before);
    bool *from = need(n + 1);
    reference_merge(wanted, from, a, na, b, nb, size, orders[o].before);
    guarded out = guarded_new(n * size), values = guarded_new(n * 4);
    const ww_input a_values = ww_counting(&ww_type_uint32_t, 0, na),
                   b_values = ww_counting(&ww_type_uint32_t, 1u << 31, nb);
    expect_status(device,
                  ww_merge(device, &less, ww_memory_of(a, na, type), ww_memory_of(b, nb, type), a_values, b_values,
                           ww_array_of(out.data, n, type), ww_array((uint32_t *)values.data, n)),
                  WW_OK);
    finish(device);
    expect_elements(out.data, wanted, n, size);
    for (size_t k = 0, i = 0, j = 0; k < n; k++)
        expect(((const uint32_t *)values.data)[k] == (from[k] ? (1u << 31) + (uint32_t)j++ : (uint32_t)i++));
    guarded_check(&out), guarded_check(&values);
    guarded_free(&out), guarded_free(&values);
    free(a), free(b), free(wanted), free(from);
}

static void check_sets(ww_device *device, const char *setting, which_order o, size_t na, size_t nb) {
    static const struct {
        ww_status (*make)(ww_device *, const ww_function *, ww_input, ww_input, ww_array, ww_array);
        reference_set *oracle;
    } kinds[] = {{ww_set_union, reference_union},
                 {ww_set_intersection, reference_intersection},
                 {ww_set_difference, reference_difference}};
    const ww_type *type = orders[o].type;
    const ww_function less = order_now(o);
    const size_t size = type->size;
    for (size_t k = 0; k < 3; k++) {
        if (on_emulator() && (k + (size_t)o) % 3) continue;
        CASE("with", "%s set %zu, %s n=%zu+%zu", setting, k, orders[o].name, na, nb);
        if (!case_wanted()) continue;
        void *a = keys_new(o, na, 3), *b = keys_new(o, nb, 4), *wanted = need((na + nb) * size + 1);
        reference_sort(a, na, size, orders[o].before);
        reference_sort(b, nb, size, orders[o].before);
        const size_t many = kinds[k].oracle(wanted, a, na, b, nb, size, orders[o].before);
        guarded out = guarded_new((na + nb) * size), count = guarded_new(8);
        expect_status(device,
                      kinds[k].make(device, &less, ww_memory_of(a, na, type), ww_memory_of(b, nb, type),
                                    ww_array_of(out.data, na + nb, type), ww_array((uint64_t *)count.data, 1)),
                      WW_OK);
        finish(device);
        expect(*(const uint64_t *)count.data == many);
        expect_elements(out.data, wanted, many, size);
        guarded_check(&out), guarded_check(&count);
        guarded_free(&out), guarded_free(&count);
        free(a), free(b), free(wanted);
    }
}

static void check_bounds(ww_device *device, const char *setting, which_order o, size_t n, size_t m) {
    const ww_type *type = orders[o].type;
    const ww_function less = order_now(o);
    for (int upper = 0; upper < 2; upper++)
        for (int in_order = 0; in_order < 2; in_order++) {
            CASE("with", "%s %s bounds of %s needles, %s n=%zu m=%zu", setting, upper ? "upper" : "lower",
                 in_order ? "sorted" : "any", orders[o].name, n, m);
            if (!case_wanted()) continue;
            void *sorted = keys_new(o, n, 5), *needles = keys_new(o, m, 6);
            reference_sort(sorted, n, type->size, orders[o].before);
            if (in_order) reference_sort(needles, m, type->size, orders[o].before);
            uint64_t *wanted = need(m * sizeof *wanted + 1);
            reference_bounds(wanted, sorted, n, needles, m, type->size, upper, orders[o].before);
            guarded out = guarded_new(m * sizeof *wanted);
            expect_status(device,
                          (upper ? ww_upper_bound : ww_lower_bound)(device, &less, ww_memory_of(sorted, n, type),
                                                                    ww_memory_of(needles, m, type),
                                                                    ww_array((uint64_t *)out.data, m)),
                          WW_OK);
            finish(device);
            expect_elements(out.data, wanted, m, sizeof *wanted);
            guarded_check(&out);
            guarded_free(&out);
            free(sorted), free(needles), free(wanted);
        }
}

/* Keys with their positions behind them, sorted stably: sorted up and read backwards where the order is reversed. */
static void sort_wanted(which_order o, const unsigned char *keys, size_t n, bool descending, unsigned char *keys_wanted,
                        uint32_t *positions) {
    const size_t size = orders[o].type->size, stride = (size + 3) / 4 * 4 + 4;
    unsigned char *x = need(n * stride + 1);
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = (uint32_t)(descending ? n - 1 - i : i);
        memcpy(x + i * stride, keys + at * size, size);
        memcpy(x + (i + 1) * stride - 4, &at, 4);
    }
    reference_sort(x, n, stride, orders[o].before);
    for (size_t i = 0; i < n; i++) {
        const size_t to = descending ? n - 1 - i : i;
        memcpy(keys_wanted + to * size, x + i * stride, size);
        memcpy(&positions[to], x + (i + 1) * stride - 4, 4);
    }
    free(x);
}

/* value_size: 0, 4 or 12. */
static void check_sort(ww_device *device, const char *setting, which_order o, size_t n, ww_sort_method method,
                       bool descending, size_t value_size) {
    const ww_type *type = orders[o].type;
    const ww_function less = order_now(o);
    const size_t size = type->size;
    CASE("with", "%s sort, %s method=%d%s values=%zu n=%zu", setting, orders[o].name, (int)method,
         descending ? " turned" : "", value_size, n);
    if (!case_wanted()) return;
    unsigned char *keys = keys_new(o, n, seed_of_run() + n), *wanted = need(n * size + 1);
    unsigned char *values = need(n * value_size + 1);
    uint32_t *positions = need(n * sizeof *positions + 1);
    fill(values, &ww_type_record, value_size, n, UNIFORM, 9);
    sort_wanted(o, keys, n, descending, wanted, positions);
    guarded out = guarded_new(n * size), values_out = guarded_new(n * value_size);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = method;
    options.descending = descending;
    const ww_array records = ww_records(values, n, value_size);
    expect_status(device,
                  ww_sort_by(device, &less, ww_memory_of(keys, n, type), value_size ? ww_from(records) : ww_no_input,
                             ww_array_of(out.data, n, type),
                             value_size ? ww_records(values_out.data, n, value_size) : ww_none, &options),
                  WW_OK);
    finish(device);
    expect_elements(out.data, wanted, n, size);
    for (size_t i = 0; value_size && i < n; i++)
        expect_bytes((unsigned char *)values_out.data + i * value_size, values + positions[i] * value_size, value_size);
    guarded_check(&out), guarded_check(&values_out);
    guarded_free(&out), guarded_free(&values_out);
    free(keys), free(wanted), free(values), free(positions);
}

static void check_sorts(ww_device *device, const char *setting, which_order o) {
    static const ww_sort_method methods[] = {WW_SORT_AUTO,         WW_SORT_QUICK,   WW_SORT_MERGE,
                                             WW_SORT_MERGE_SEARCH, WW_SORT_BITONIC, WW_SORT_MERGE_NETWORK,
                                             WW_SORT_ODDEVEN};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t i = 0; i < sizes(); i++) {
            /* Programs of the emulator differ by order, method, direction and size of values. */
            const unsigned turn = (unsigned)m + (unsigned)o + (on_emulator() ? 0 : (unsigned)i);
            const size_t n = size_number(i);
            if (methods[m] == WW_SORT_ODDEVEN && n > 1000) continue; /* quadratic */
            if (on_emulator() && ((o >= ROWS_BY_TABLE && m % 3) || (i + m + (size_t)o) % 2)) continue;
            check_sort(device, setting, o, n, methods[m], turn % 3 == 1, turn % 3 == 0 ? 0 : turn % 3 == 1 ? 4 : 12);
        }
}

static void orders_with(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        const char *const setting = setting_name(s);
        for (which_order o = 0; o < ORDERS; o++) {
            for (size_t i = 0; i < sizes(); i++) {
                const size_t n = size_number(i), m = size_number((i + 1) % sizes());
                if (on_emulator() && (i + (size_t)o) % 2) continue; /* programs differ by order, not by size */
                check_extremes(device, setting, o, n);
                check_merge(device, setting, o, n, m);
                check_sets(device, setting, o, n, m);
                check_bounds(device, setting, o, n, m);
            }
            check_sorts(device, setting, o);
        }
        ww_close(device);
    }
}

/* ---- one function, several environments ---- */

/* A program that was made with one environment is right for the next, and for functions of the same place on the stack. */
static void environments_in_turn(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (uint64_t turn = 0; turn < 4; turn++) {
            environments_make(turn);
            for (which_operator o = 0; o < OPERATORS; o++) check_reduce(device, setting_name(s), o, 757);
            for (which_order o = 0; o < ORDERS; o++) {
                check_sort(device, setting_name(s), o, 757, WW_SORT_MERGE, false, 0);
                check_extremes(device, setting_name(s), o, 757);
            }
        }
        uint32_t *x = need(100 * sizeof *x), *out = need(sizeof *out), sum = 0;
        for (uint32_t i = 0; i < 100; i++) sum += x[i] = i * i;
        CASE("with", "%s a function without one, after those", setting_name(s));
        if (case_wanted()) {
            expect_status(device, ww_reduce(device, &plus_ww, ww_memory(x, 100), ww_array(out, 1)), WW_OK);
            finish(device);
            expect(*out == sum);
        }
        free(x), free(out);
        ww_close(device);
    }
    environments_make(seed_of_run());
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("with", "%s refused", setting_name(s));
        if (!case_wanted()) {
            ww_close(device);
            continue;
        }
        uint32_t *x = need(400), *out = need(400);
        memset(x, 0, 400);
        const ww_input in = ww_memory(x, 100);
        const ww_array one = ww_array(out, 1), all = ww_array(out, 100);
        uint32_t *const nothing = NULL;
        const uint16_t *const no_table = NULL;
        const float wrong = 1;
        const ww_function add_wrong = ww_bound(&add_modulo_ww, &wrong, 1, &ww_type_float);
        const ww_function by_wrong = ww_bound(&by_rest_ww, &wrong, 1, &ww_type_float);
        /* without one */
        expect_status(device, ww_reduce(device, &add_modulo_ww, in, one), WW_INVALID);
        expect_sentence(device, "add_modulo", "u32", "environment");
        expect_status(device, ww_sort_by(device, &by_rest_ww, in, ww_no_input, all, ww_none, NULL), WW_INVALID);
        expect_sentence(device, "by_rest", "modulus", "environment");
        /* with NULL */
        expect_status(device, ww_scan(device, ww_with(add_modulo, nothing), in, all, NULL), WW_INVALID);
        expect_sentence(device, "add_modulo", "environment", "NULL");
        expect_status(
            device,
            ww_merge(device, ww_with_array(by_table, no_table, 7), in, in, ww_no_input, ww_no_input, all, ww_none),
            WW_INVALID);
        /* of another type */
        expect_status(device, ww_reduce(device, &add_wrong, in, one), WW_TYPE);
        expect_sentence(device, "add_modulo", "u32", "f32");
        expect_status(device, ww_arg_min(device, &by_wrong, in, ww_none, one), WW_TYPE);
        expect_sentence(device, "by_rest", "modulus", "f32");
        /* of no element */
        expect_status(device,
                      ww_sort_by(device, ww_with_array(by_table, now.table, 0), in, ww_no_input, all, ww_none, NULL),
                      WW_INVALID);
        /* where there is none */
        const ww_function too_much = ww_bound(&plus_ww, &now.number, 1, &ww_type_uint32_t);
        expect_status(device, ww_reduce(device, &too_much, in, one), WW_INVALID);
        expect_sentence(device, "plus", "environment");
        if (on_gpu()) { /* where a GPU does not reach it, and arrays are not staged */
            ww_device *strict = setting_open_with(s, WW_HOST_MEMORY_REFUSED);
            uint8_t *keys = need(100);
            memset(keys, 0, 100);
            expect_status(strict,
                          ww_reduce(strict, ww_with_array(multiply_by_table, now.group, GROUP * GROUP),
                                    ww_memory(keys, 100), ww_array((uint8_t *)out, 1)),
                          WW_INVALID);
            expect_sentence(strict, "the environment of multiply_by_table", "cannot reach");
            free(keys);
            ww_close(strict);
        }
        free(x), free(out);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_with), cmocka_unit_test(scans_from_an_initial_element),
        cmocka_unit_test(orders_with),    cmocka_unit_test(environments_in_turn),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("with", tests, environments_begin, environments_end);
}
