/* Environments and single values: arrays of any length in any memory, long structs, and long constants give what a plain loop gives,
 * through every call that takes a function; what does not fit is refused with a sentence, before anything is written. */
#include <stdio.h>

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "support/cases.h"

/* ---- functions with tables ---- */

WW_MAP(look, uint32_t, uint32_t, i, uint32_t, table, { return table[i]; });
WW_MAP2(look_and_add, uint32_t, uint32_t, i, uint32_t, j, uint32_t, table, { return table[i] + j; });
WW_MAP(is_odd_there, uint8_t, uint32_t, i, uint32_t, table, { return (uint8_t)(table[i] & 1); });
WW_MAP(bucket_there, uint32_t, uint32_t, i, uint32_t, table, { return table[i] % 8; });
WW_LESS_WITH(before_there, uint32_t, i, j, uint32_t, table, { return table[i] < table[j]; });
WW_STRUCT(looking, {
    const uint32_t *in;
    uint32_t *out;
    uint32_t table[1200];
});
WW_KERNEL(look_all, looking, a, rank, { a->out[rank] = a->table[a->in[rank]]; });
WW_STRUCT(page, { uint32_t word[1200]; });
WW_MAP(look_in_page, uint32_t, uint32_t, i, page, p, { return p->word[i]; });
WW_MAP(square, uint32_t, uint32_t, x, void, none, { return x * x; });
WW_STRUCT(wide, { uint32_t word[80]; });
WW_MAP(first_word, uint32_t, wide, w, void, none, { return w.word[0] + w.word[79]; });
WW_STRUCT(scale, { float factor, offset; });
WW_MAP(scaled, float, float, x, scale, s, { return x * s->factor + s->offset; });
WW_STRUCT(sixteen, { uint64_t low, high; });

enum { BUCKETS = 8 };

/* ---- tables in the host's own memory and where kernels reach ---- */

typedef enum place { OWN, REACHED, ALLOCATED, PLACES } place;
static const char *const place_names[] = {"own", "reached", "allocated"};

typedef struct table {
    ww_device *device;
    place where;
    void *block;
    const uint32_t *words; /* for ww_with_array */
    uint32_t *plain;
    size_t count;
} table;

static table table_new(ww_device *device, place where, size_t count, uint64_t seed) {
    table t = {.device = device, .where = where, .count = count};
    t.plain = malloc(4 * count);
    for (size_t i = 0; i < count; i++) t.plain[i] = (uint32_t)random_next(&seed) % 100000;
    if (where == OWN) t.words = t.plain;
    if (where == REACHED) t.words = memcpy(need(4 * count), t.plain, 4 * count);
    if (where == ALLOCATED) {
        expect_status(device, ww_alloc(device, 4 * count, &t.block), WW_OK);
        expect_status(device, ww_copy(device, ww_memory(t.plain, count), ww_array((uint32_t *)t.block, count)), WW_OK);
        t.words = t.block;
    }
    return t;
}

static void table_free(table *t) {
    if (t->where == REACHED) free((void *)(uintptr_t)t->words);
    if (t->where == ALLOCATED) expect_status(t->device, ww_free(t->device, t->block), WW_OK);
    free(t->plain);
}

/* ---- every call ---- */

typedef struct world {
    ww_device *device;
    size_t n;
    uint32_t *x, *out, *wanted;
    table t;
    uint64_t count;
} world;

static ww_input in(const world *w) { return ww_memory(w->x, w->n); }
static ww_array out(const world *w) { return ww_array(w->out, w->n); }

static void same(const world *w) {
    expect_status(w->device, ww_sync(w->device), WW_OK);
    expect_elements(w->out, w->wanted, w->n, 4);
}

static void map_it(world *w) {
    expect_status(w->device, ww_map(w->device, ww_with_array(look, w->t.words, w->t.count), in(w), out(w)), WW_OK);
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = w->t.plain[w->x[i]];
    same(w);
    expect_status(w->device,
                  ww_map2(w->device, ww_with_array(look_and_add, w->t.words, w->t.count), in(w),
                          ww_counting(&ww_type_uint32_t, 5, w->n), out(w)),
                  WW_OK);
    for (size_t i = 0; i < w->n; i++) w->wanted[i] += (uint32_t)i + 5;
    same(w);
}

/* Two tables in one chain, kept in a variable: what ww_with made is gone by then. */
static ww_input two_tables(const world *w) {
    const ww_input first = ww_mapped(ww_with_array(look, w->t.words, w->t.count), in(w));
    return ww_mapped2(ww_with_array(look_and_add, w->t.words, w->t.count), in(w), ww_mapped(&square_ww, first));
}

static void chain_it(world *w) {
    const ww_input chain = two_tables(w);
    uint32_t sum = 0, *got = need(4);
    for (int again = 0; again < 2; again++) expect_status(w->device, ww_store(w->device, chain, out(w)), WW_OK);
    for (size_t i = 0; i < w->n; i++) {
        const uint32_t y = w->t.plain[w->x[i]];
        w->wanted[i] = y + y * y;
        sum += w->wanted[i];
    }
    same(w);
    expect_status(w->device, ww_reduce(w->device, &ww_add, chain, ww_array(got, 1)), WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    expect(*got == sum);
    free(got);
}

static bool odd(const world *w, size_t i) { return w->t.plain[w->x[i]] & 1; }

static void pack_it(world *w) {
    for (uint32_t method = WW_PACK_AUTO; method <= WW_PACK_ENUMERATE; method++) {
        ww_pack_options o = WW_PACK_OPTIONS;
        size_t kept = 0;
        o.method = method;
        memset(w->out, 0xA5, 4 * w->n);
        memset(w->wanted, 0xA5, 4 * w->n);
        for (size_t i = 0; i < w->n; i++)
            if (odd(w, i)) w->wanted[kept++] = w->x[i];
        expect_status(w->device,
                      ww_pack_if(w->device, ww_with_array(is_odd_there, w->t.words, w->t.count), in(w), out(w),
                                 ww_array(&w->count, 1), &o),
                      WW_OK);
        same(w);
        expect(w->count == kept);
    }
}

static void split_it(world *w) {
    for (uint32_t method = WW_SPLIT_AUTO; method <= WW_SPLIT_SCANS; method++) {
        ww_split_options o = WW_SPLIT_OPTIONS;
        size_t zeros = 0, ones = 0;
        o.method = method;
        for (size_t i = 0; i < w->n; i++) zeros += !odd(w, i);
        for (size_t i = 0, z = 0; i < w->n; i++) {
            if (!odd(w, i))
                w->wanted[z++] = w->x[i];
            else if (method == WW_SPLIT_REVERSED)
                w->wanted[w->n - ++ones] = w->x[i];
            else
                w->wanted[zeros + ones++] = w->x[i];
        }
        expect_status(w->device,
                      ww_split_if(w->device, ww_with_array(is_odd_there, w->t.words, w->t.count), in(w), out(w),
                                  ww_array(&w->count, 1), &o),
                      WW_OK);
        same(w);
        expect(w->count == zeros);
    }
}

static void histogram_it(world *w) {
    uint32_t *got = need(4 * BUCKETS), counts[BUCKETS] = {0};
    for (size_t i = 0; i < w->n; i++) counts[w->t.plain[w->x[i]] % BUCKETS]++;
    for (uint32_t method = WW_HISTOGRAM_AUTO; method <= WW_HISTOGRAM_WARP; method++) {
        ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
        o.method = method;
        expect_status(w->device,
                      ww_histogram(w->device, ww_with_array(bucket_there, w->t.words, w->t.count), in(w),
                                   ww_array(got, BUCKETS), ww_none, &o),
                      WW_OK);
        expect_status(w->device, ww_sync(w->device), WW_OK);
        expect_elements(got, counts, BUCKETS, 4);
    }
    free(got);
}

static void multisplit_it(world *w) {
    size_t begin[BUCKETS + 1] = {0};
    for (size_t i = 0; i < w->n; i++) begin[w->t.plain[w->x[i]] % BUCKETS + 1]++;
    for (size_t b = 0; b < BUCKETS; b++) begin[b + 1] += begin[b];
    for (size_t i = 0; i < w->n; i++) w->wanted[begin[w->t.plain[w->x[i]] % BUCKETS]++] = w->x[i];
    for (uint32_t method = WW_MULTISPLIT_AUTO; method <= WW_MULTISPLIT_ONEPASS; method++) {
        ww_multisplit_options o = WW_MULTISPLIT_OPTIONS;
        o.method = method;
        memset(w->out, 0xA5, 4 * w->n);
        expect_status(w->device,
                      ww_multisplit(w->device, ww_with_array(bucket_there, w->t.words, w->t.count), BUCKETS, in(w),
                                    ww_no_input, out(w), ww_none, ww_none, &o),
                      WW_OK);
        same(w);
    }
}

static void sort_it(world *w) {
    expect_status(w->device,
                  ww_sort(w->device, ww_mapped(ww_with_array(look, w->t.words, w->t.count), in(w)), ww_no_input,
                          out(w), ww_none, NULL),
                  WW_OK);
    for (size_t i = 0; i < w->n; i++) {
        size_t at = i;
        for (; at && w->wanted[at - 1] > w->t.plain[w->x[i]]; at--) w->wanted[at] = w->wanted[at - 1];
        w->wanted[at] = w->t.plain[w->x[i]];
    }
    same(w);
}

/* The order has the table; positions of equal words stay in order. */
static void sort_by_it(world *w) {
    expect_status(w->device,
                  ww_sort_by(w->device, ww_with_array(before_there, w->t.words, w->t.count), in(w), ww_no_input, out(w),
                             ww_none, NULL),
                  WW_OK);
    for (size_t i = 0; i < w->n; i++) {
        size_t at = i;
        for (; at && w->t.plain[w->wanted[at - 1]] > w->t.plain[w->x[i]]; at--) w->wanted[at] = w->wanted[at - 1];
        w->wanted[at] = w->x[i];
    }
    same(w);
}

static const struct {
    const char *name;
    void (*run)(world *w);
} calls[] = {{"map", map_it},     {"chain", chain_it},         {"pack", pack_it},
             {"split", split_it}, {"histogram", histogram_it}, {"multisplit", multisplit_it},
             {"sort", sort_it},   {"sort_by", sort_by_it}};

static void arrays(void **state) {
    (void)state;
    static const size_t lengths[] = {1, 2, 1000};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
            for (size_t l = 0; l < 3; l++)
                for (place where = OWN; where < PLACES; where++) {
                    const size_t n = 3000 + l;
                    CASE("environments", "%s %s of %zu in %s memory", setting_name(s), calls[c].name, lengths[l],
                         place_names[where]);
                    if (!case_wanted()) continue;
                    world w = {device, n, need(4 * n), need(4 * n), need(4 * n), {0}, 0};
                    w.t = table_new(device, where, lengths[l], seed_of_run() + l);
                    fill(w.x, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run());
                    for (size_t i = 0; i < n; i++) w.x[i] %= (uint32_t)lengths[l];
                    calls[c].run(&w);
                    table_free(&w.t);
                    free(w.x), free(w.out), free(w.wanted);
                }
        ww_close(device);
    }
}

/* Structs of more than a launch's arguments take, and constants that are pointed to. */
static void long_ones(void **state) {
    (void)state;
    enum { N = 1000 };
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        uint32_t *x = need(4 * N), *got = need(4 * N), wanted[N];
        page *p = malloc(sizeof *p);
        looking *l = malloc(sizeof *l);
        *l = (looking){.in = x, .out = got};
        for (uint32_t i = 0; i < 1200; i++) p->word[i] = l->table[i] = i * i + 7;
        for (uint32_t i = 0; i < N; i++) x[i] = i * 7 % 1200, wanted[i] = p->word[x[i]];
        CASE("environments", "%s a struct of %zu bytes", setting_name(s), sizeof *p);
        if (case_wanted()) {
            expect_status(device, ww_map(device, ww_with(look_in_page, p), ww_memory(x, N), ww_array(got, N)), WW_OK);
            expect_elements(got, wanted, N, 4);
        }
        CASE("environments", "%s arguments of %zu bytes", setting_name(s), sizeof *l);
        if (case_wanted()) {
            memset(got, 0, 4 * N);
            expect_status(device, ww_launch(device, ww_with(look_all, l), N), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(got, wanted, N, 4);
        }
        CASE("environments", "%s constants of %zu bytes", setting_name(s), sizeof(wide));
        if (case_wanted()) {
            wide w = {{0}};
            w.word[0] = 5, w.word[79] = 70;
            const ww_input constant = ww_mapped(&first_word_ww, ww_constant(ww_value(wide, w), N));
            expect_status(device, ww_store(device, constant, ww_array(got, N)), WW_OK);
            for (size_t i = 0; i < N; i++) expect(got[i] == 75);
            const sixteen pair = {UINT64_MAX - 1, 3};
            sixteen *pairs = need(N * sizeof *pairs);
            expect_status(device,
                          ww_store(device, ww_constant(ww_value(sixteen, pair), N), ww_array_of(pairs, N, &sixteen_ww)),
                          WW_OK);
            for (size_t i = 0; i < N; i++) expect(!memcmp(&pairs[i], &pair, sizeof pair));
            free(pairs);
        }
        free(x), free(got), free(p), free(l);
        ww_close(device);
    }
}

/* ---- what is refused ---- */

enum { HUNDRED = 100 };
static const uint32_t OUT_BEFORE = 0xA5A5A5A5;

typedef struct refusing {
    ww_device *device;
    uint32_t *x, *out;
    uint64_t *count;
} refusing;

#define CALLERS(X) \
    X(map, ww_map(r->device, f, i, o)) \
    X(mapped, ww_store(r->device, ww_mapped(f, i), o)) \
    X(chained, ww_store(r->device, ww_mapped(&square_ww, ww_mapped(f, ww_mapped(&square_ww, i))), o)) \
    X(pack_if, ww_pack_if(r->device, f, i, o, c, NULL)) \
    X(split_if, ww_split_if(r->device, f, i, o, c, NULL)) \
    X(histogram, ww_histogram(r->device, f, i, o, ww_none, NULL)) \
    X(multisplit, ww_multisplit(r->device, f, 8, i, ww_no_input, o, ww_none, ww_none, NULL)) \
    X(reduce, ww_reduce(r->device, &ww_add, ww_mapped(f, i), c_narrow)) \
    X(sort, ww_sort(r->device, ww_mapped(f, i), ww_no_input, o, ww_none, NULL)) \
    X(find, ww_sort_index(r->device, ww_mapped(f, i), o, NULL))
#define CALLER(name, call) \
    static ww_status name##_with(const refusing *r, const ww_function *f) { \
        const ww_input i = ww_memory(r->x, HUNDRED); \
        const ww_array o = ww_array(r->out, HUNDRED), c = ww_array(r->count, 1), c_narrow = ww_array(r->out, 1); \
        (void)c, (void)c_narrow, (void)o; \
        return call; \
    }
CALLERS(CALLER)
static ww_status map2_with(const refusing *r, const ww_function *f) {
    return ww_map2(r->device, f, ww_memory(r->x, HUNDRED), ww_memory(r->x, HUNDRED), ww_array(r->out, HUNDRED));
}
static ww_status mapped2_with(const refusing *r, const ww_function *f) {
    return ww_store(r->device, ww_mapped2(f, ww_memory(r->x, HUNDRED), ww_memory(r->x, HUNDRED)),
                    ww_array(r->out, HUNDRED));
}
static ww_status launch_with(const refusing *r, const ww_function *f) { return ww_launch(r->device, f, HUNDRED); }
static ww_status by_bits_with(const refusing *r, const ww_function *f) {
    return ww_multisplit(r->device, f, 8, ww_memory(r->x, HUNDRED), ww_no_input, ww_array(r->out, HUNDRED), ww_none,
                         ww_none, NULL);
}

/* Operators and orders that read what lies in the call's own output. */
WW_COMBINE_WITH(add_modulo, uint32_t, a, b, uint32_t, m, WW_ORDERED, WW_IDENTITY(0), { return *m ? (a + b) % *m : a; });
WW_LESS_WITH(by_table, uint32_t, a, b, uint32_t, table, { return table[a & 1] < table[b & 1]; });
#define READERS(X) \
    X(reduce, ww_reduce(r->device, f, i, ww_array(r->out + 5, 1))) \
    X(reduce_segments, ww_reduce_segments(r->device, f, i, ww_memory(ends, 3), ww_array(r->out + 5, 2))) \
    X(scan, ww_scan(r->device, f, i, o, NULL)) \
    X(scan_total, ww_scan(r->device, f, h, ww_array(r->out + 50, 50), &totalled)) \
    X(scan_by_key, ww_scan_by_key(r->device, f, i, i, o, NULL)) \
    X(reduce_by_key, ww_reduce_by_key(r->device, f, i, i, ww_none, o, c)) \
    X(reduce_by_key_keys, ww_reduce_by_key(r->device, f, i, i, o, ww_array(r->out + 50, 50), c))
#define ORDERED(X) \
    X(arg_min, ww_arg_min(r->device, f, i, ww_array(r->out + 5, 1), c)) \
    X(arg_max, ww_arg_max(r->device, f, i, ww_none, ww_array(r->out + 5, 1))) \
    X(sort_by, ww_sort_by(r->device, f, i, ww_no_input, o, ww_none, NULL)) \
    X(sort_by_values, ww_sort_by(r->device, f, h, h, ww_array(r->out + 50, 50), ww_array(r->out, 50), NULL)) \
    X(merge, ww_merge(r->device, f, h, h, ww_no_input, ww_no_input, o, ww_none)) \
    X(set_union, ww_set_union(r->device, f, h, h, o, c)) \
    X(set_difference, ww_set_difference(r->device, f, h, h, ww_array(r->out + 50, 50), ww_array(r->out + 5, 1))) \
    X(lower_bound, ww_lower_bound(r->device, f, i, i, o)) \
    X(upper_bound, ww_upper_bound(r->device, f, i, i, o))
#define OVERLAPPING(name, call) \
    static ww_status name##_over(const refusing *r, const ww_function *f) { \
        static const uint64_t ends[] = {0, 10, HUNDRED}; \
        const ww_input i = ww_memory(r->x, HUNDRED), h = ww_memory(r->x, HUNDRED / 2); \
        const ww_array o = ww_array(r->out, HUNDRED), c = ww_array(r->count, 1); \
        ww_scan_options totalled = WW_SCAN_OPTIONS; \
        totalled.total = ww_array(r->out + 5, 1); \
        (void)i, (void)h, (void)o, (void)c, (void)ends, (void)totalled; \
        return call; \
    }
READERS(OVERLAPPING)
ORDERED(OVERLAPPING)

typedef ww_status call_with(const refusing *r, const ww_function *f);

static void refuses(const refusing *r, call_with *call, const ww_function *f, ww_status status, const char *part,
                    const char *second) {
    const ww_status got = call(r, f);
    expect_status(r->device, got, status);
    expect_sentence(r->device, part, second);
    for (size_t i = 0; i < HUNDRED; i++) expect(r->out[i] == OUT_BEFORE);
}

/* All that can be wrong with the environment of a function that reads u32 (or `type`). */
static void refuses_all(const refusing *r, const char *name, call_with *call, const ww_function *plain,
                        const ww_type *type, const void *right) {
    static const ww_type *const others[] = {&ww_type_float, &ww_type_int32_t, &ww_type_uint64_t, &page_ww,
                                            &ww_type_void};
    CASE("environments refused", "%s %s", setting_name(0), name);
    if (!case_wanted()) return;
    refuses(r, call, plain, WW_INVALID, plain->name, "is given none");
    for (size_t t = 0; t < sizeof others / sizeof *others; t++) {
        const ww_function f = ww_bound(plain, right, 1, others[t]);
        refuses(r, call, &f, WW_TYPE, type->label, others[t]->label);
    }
    const ww_function null = ww_bound(plain, NULL, 1, type), zero = ww_bound(plain, right, 0, type),
                      huge = ww_bound(plain, right, UINT64_MAX / 3, type),
                      odd = ww_bound(plain, (const char *)right + 1, 1, type),
                      untyped = ww_bound(plain, right, 1, NULL);
    refuses(r, call, &null, WW_INVALID, type->label, "given NULL");
    refuses(r, call, &zero, WW_INVALID, plain->name, "0 elements");
    refuses(r, call, &huge, WW_INVALID, plain->name, "more than memory can hold");
    refuses(r, call, &odd, WW_INVALID, plain->name, "not aligned");
    expect(call(r, &untyped) == WW_INVALID || call(r, &untyped) == WW_TYPE);
}

static void refused(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    const refusing r = {device, need(4 * HUNDRED), need(4 * HUNDRED), need(8)};
    const uint32_t table[4] = {1, 2, 3, 4};
    const ww_bits bits[2] = {{0, 3}, {0, 3}};
    const ww_delta delta = {13};
    memset(r.x, 0, 4 * HUNDRED);
    memset(r.out, 0xA5, 4 * HUNDRED);
#define CHECK_CALLER(name, unused) refuses_all(&r, #name, name##_with, &look_ww, &ww_type_uint32_t, table);
    CALLERS(CHECK_CALLER)
    refuses_all(&r, "map2", map2_with, &look_and_add_ww, &ww_type_uint32_t, table);
    refuses_all(&r, "mapped2", mapped2_with, &look_and_add_ww, &ww_type_uint32_t, table);
    refuses_all(&r, "launch", launch_with, &look_all_ww, &looking_ww, r.x);
    refuses_all(&r, "by_bits", by_bits_with, &ww_by_bits, &ww_bits_ww, bits);
    refuses_all(&r, "by_delta", by_bits_with, &ww_by_delta, &ww_delta_ww, &delta);

    CASE("environments refused", "%s more than one for a built-in function", setting_name(0));
    if (case_wanted())
        refuses(&r, by_bits_with, ww_with_array(ww_by_bits, bits, 2), WW_INVALID, "2 elements", "takes one");
    /* Functions that read none. */
    static const struct {
        const char *name;
        call_with *call;
    } plain_calls[] = {{"map", map_with},
                       {"mapped", mapped_with},
                       {"chained", chained_with},
                       {"pack_if", pack_if_with},
                       {"split_if", split_if_with},
                       {"histogram", histogram_with},
                       {"multisplit", multisplit_with}};
    for (size_t c = 0; c < sizeof plain_calls / sizeof *plain_calls; c++) {
        CASE("environments refused", "%s %s with one too many", setting_name(0), plain_calls[c].name);
        if (!case_wanted()) continue;
        const ww_function typed = ww_bound(&square_ww, table, 1, &ww_type_uint32_t);
        const ww_function given = ww_bound(&square_ww, table, 1, &ww_type_void), empty = ww_bound(&square_ww, NULL, 1, &ww_type_void);
        refuses(&r, plain_calls[c].call, &given, WW_INVALID, "square", "reads no environment");
        refuses(&r, plain_calls[c].call, &empty, WW_INVALID, "square", "reads no environment");
        refuses(&r, plain_calls[c].call, &typed, WW_INVALID, "square", "reads no environment");
    }
    CASE("environments refused", "%s built-in operators and orders", setting_name(0));
    if (case_wanted()) {
        const ww_function add = ww_bound(&ww_add, table, 1, &ww_type_uint32_t),
                          down = ww_bound(&ww_descending, table, 1, &ww_type_uint32_t),
                          number = ww_bound(&ww_by_number, table, 1, &ww_type_uint32_t);
        refuses(&r, multisplit_with, &number, WW_INVALID, "by_number", "reads no environment");
        expect_status(device, ww_reduce(device, &add, ww_memory(r.x, HUNDRED), ww_array(r.out, 1)), WW_INVALID);
        expect_sentence(device, "add reads no environment");
        expect_status(
            device,
            ww_sort_by(device, &down, ww_memory(r.x, HUNDRED), ww_no_input, ww_array(r.out, HUNDRED), ww_none, NULL),
            WW_INVALID);
        expect_sentence(device, "descending reads no environment");
        expect(r.out[0] == OUT_BEFORE);
    }
    CASE("environments refused", "%s what other versions' macros made", setting_name(0));
    if (case_wanted())
        for (uint32_t version = 1; version <= WW_FUNCTION_VERSION + 1; version++) {
            ww_function f = ww_bound(&look_ww, r.x, 1, &ww_type_uint32_t),
                        k = ww_bound(&look_all_ww, r.x, 1, &looking_ww);
            f.version = k.version = version;
            if (version >= WW_FUNCTION_VERSION_OLDEST && version <= WW_FUNCTION_VERSION) continue;
            refuses(&r, map_with, &f, WW_INVALID, "look", "another version");
            refuses(&r, multisplit_with, &f, WW_INVALID, "look", "another version");
            refuses(&r, launch_with, &k, WW_INVALID, "look_all", "another version");
        }
    CASE("environments refused", "%s what the call writes", setting_name(0));
    if (case_wanted()) {
        static call_with *const writers[] = {map_with,      mapped_with,    chained_with,   pack_if_with,
                                             split_if_with, histogram_with, multisplit_with};
        for (size_t c = 0; c < sizeof writers / sizeof *writers; c++)
            refuses(&r, writers[c], ww_with_array(look, r.out + 5, 2), WW_OVERLAP, "look", "overlaps");
        refuses(&r, map2_with, ww_with_array(look_and_add, r.out + HUNDRED - 1, 1), WW_OVERLAP, "overlaps", "");
#define LISTED(name, call) name##_over,
        static call_with *const readers[] = {READERS(LISTED)}, *const ordered[] = {ORDERED(LISTED)};
        for (size_t c = 0; c < sizeof readers / sizeof *readers; c++)
            refuses(&r, readers[c], ww_with(add_modulo, r.out + 5), WW_OVERLAP, "add_modulo", "overlaps");
        for (size_t c = 0; c < sizeof ordered / sizeof *ordered; c++)
            refuses(&r, ordered[c], ww_with_array(by_table, r.out + 5, 2), WW_OVERLAP, "by_table", "overlaps");
    }
    free(r.x), free(r.out), free(r.count);
    ww_close(device);
}

/* ---- single values ---- */

static ww_status fill_with(const refusing *r, ww_value v) { return ww_fill(r->device, ww_array(r->out, HUNDRED), v); }
static ww_status constant_with(const refusing *r, ww_value v) {
    return ww_store(r->device, ww_constant(v, HUNDRED), ww_array(r->out, HUNDRED));
}
static ww_status low_with(const refusing *r, ww_value v) {
    return ww_histogram_even(r->device, ww_memory(r->x, HUNDRED), v, ww_value(uint32_t, 1000000),
                             ww_array(r->out, HUNDRED), ww_none, NULL);
}
static ww_status high_with(const refusing *r, ww_value v) {
    return ww_histogram_even(r->device, ww_memory(r->x, HUNDRED), ww_value(uint32_t, 0), v, ww_array(r->out, HUNDRED),
                             ww_none, NULL);
}
static ww_scan_options starting(ww_value v) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.initial = v;
    return o;
}
static ww_status scan_with(const refusing *r, ww_value v) {
    const ww_scan_options o = starting(v);
    return ww_scan(r->device, &ww_add, ww_memory(r->x, HUNDRED), ww_array(r->out, HUNDRED), &o);
}
static ww_status scan_by_key_with(const refusing *r, ww_value v) {
    const ww_scan_options o = starting(v);
    return ww_scan_by_key(r->device, &ww_add, ww_memory(r->x, HUNDRED), ww_memory(r->x, HUNDRED),
                          ww_array(r->out, HUNDRED), &o);
}
static ww_status scan_segmented_with(const refusing *r, ww_value v) {
    const ww_scan_options o = starting(v);
    return ww_scan_segmented(r->device, &ww_add, ww_memory(r->x, HUNDRED), ww_memory((const uint8_t *)r->x, HUNDRED),
                             ww_array(r->out, HUNDRED), &o);
}

static void values(void **state) {
    (void)state;
    static const struct {
        const char *name;
        ww_status (*call)(const refusing *r, ww_value v);
        bool may_lack;
    } calls_with[] = {{"fill", fill_with, false},
                      {"constant", constant_with, false},
                      {"low", low_with, false},
                      {"high", high_with, false},
                      {"scan", scan_with, true},
                      {"scan_by_key", scan_by_key_with, true},
                      {"scan_segmented", scan_segmented_with, true}};
    ww_device *device = setting_open(0);
    const refusing r = {device, need(4 * HUNDRED), need(4 * HUNDRED), need(8)};
    memset(r.x, 0, 4 * HUNDRED);
    const wide w = {{0}};
    const ww_value others[] = {ww_value(float, 1),      ww_value(int32_t, 1),     ww_value(uint8_t, 1),
                               ww_value(uint64_t, 1),   ww_value(double, 1),      ww_value(wide, w),
                               ww_record_value(r.x, 4), ww_record_value(r.x, 40), ww_value(sixteen, {1, 2})};
    for (size_t c = 0; c < sizeof calls_with / sizeof *calls_with; c++) {
        CASE("values", "%s %s", setting_name(0), calls_with[c].name);
        if (!case_wanted()) continue;
        memset(r.out, 0xA5, 4 * HUNDRED);
        for (size_t v = 0; v < sizeof others / sizeof *others; v++) {
            expect_status(device, calls_with[c].call(&r, others[v]), WW_TYPE);
            expect_sentence(device, others[v].type->label, "u32");
        }
        expect_status(device, calls_with[c].call(&r, ww_value_of(NULL, &ww_type_uint32_t)), WW_INVALID);
        if (!calls_with[c].may_lack) expect_status(device, calls_with[c].call(&r, ww_no_value), WW_INVALID);
        for (size_t i = 0; i < HUNDRED; i++) expect(r.out[i] == OUT_BEFORE);
        expect_status(device, calls_with[c].call(&r, ww_value(uint32_t, 7)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        if (calls_with[c].may_lack) expect_status(device, calls_with[c].call(&r, ww_no_value), WW_OK);
    }
    CASE("values", "%s longer than what a value keeps", setting_name(0));
    if (case_wanted()) {
        const unsigned char bytes[21] = "twenty-one characters";
        const ww_value nowhere = {&wide_ww, NULL, sizeof(wide), {0}};
        wide *many = need(5 * sizeof *many);
        unsigned char *records = need(5 * 21);
        expect_status(device, ww_fill(device, ww_records(records, 5, 21), ww_record_value(bytes, 21)), WW_OK);
        expect_status(device, ww_fill(device, ww_records(records, 5, 20), ww_record_value(bytes, 21)), WW_TYPE);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t i = 0; i < 5; i++) expect(!memcmp(records + 21 * i, bytes, 21));
        memset(records, 0, 5 * 21);
        expect_status(device, ww_store(device, ww_constant(ww_record_value(bytes, 21), 5), ww_records(records, 5, 21)),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t i = 0; i < 5; i++) expect(!memcmp(records + 21 * i, bytes, 21));
        expect_status(device, ww_fill(device, ww_array_of(many, 5, &wide_ww), nowhere), WW_INVALID);
        expect_status(device, ww_store(device, ww_constant(nowhere, 5), ww_array_of(many, 5, &wide_ww)), WW_INVALID);
        free(many), free(records);
    }
    free(r.x), free(r.out), free(r.count);
    ww_close(device);
}

/* ---- on a GPU ---- */

static bool always(ww__driver *driver) {
    (void)driver;
    return true;
}

static void on_gpus(void **state) {
    (void)state;
    enum { N = 500 };
    if (!on_gpu()) return;
    uint32_t *x = need(4 * N), *got = need(4 * N), own[N];
    for (uint32_t i = 0; i < N; i++) x[i] = i, own[i] = 3 * i;
    CASE("environments on a GPU", "%s host memory refused", setting_name(0));
    if (case_wanted()) {
        ww_device *device = setting_open_with(0, WW_HOST_MEMORY_REFUSED);
        expect_status(device, ww_map(device, ww_with_array(look, own, N), ww_memory(x, N), ww_array(got, N)),
                      WW_INVALID);
        expect_sentence(device, "the environment of look", "cannot reach");
        expect_status(device,
                      ww_store(device, ww_mapped(ww_with_array(look, own, N), ww_memory(x, N)), ww_array(got, N)),
                      WW_INVALID);
        expect_sentence(device, "the environment of look", "cannot reach");
        ww_close(device);
    }
    CASE("environments on a GPU", "%s captured", setting_name(0));
    if (case_wanted()) {
        ww_device *device = setting_open(0);
        device->gpu->driver->capturing = always;
        expect_status(device, ww_map(device, ww_with_array(look, own, N), ww_memory(x, N), ww_array(got, N)),
                      WW_INVALID);
        expect_sentence(device, "the environment of look", "captured in a graph");
        device->gpu->driver->capturing = NULL;
        ww_close(device);
    }
    CASE("environments on a GPU", "%s copied once for a call", setting_name(0));
    if (case_wanted()) {
        ww_device *device = setting_open(0);
        ww_device_info info = WW_DEVICE_INFO;
        expect_status(device, ww_map(device, ww_with_array(look, own, N), ww_memory(x, N), ww_array(got, N)), WW_OK);
        expect_elements(got, own, N, 4);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_peak >= 4 * N && info.scratch_peak < 8 * N);
        ww_close(device);
    }
    CASE("environments on a GPU", "%s beyond the end of a table", setting_name(0));
    if (case_wanted() && on_emulator()) {
        ww_device *device = setting_open(0);
        ww_status status = ww_map(device, ww_with_array(look, own, N - 1), ww_memory(x, N), ww_array(got, N));
        if (!status) status = ww_sync(device);
        expect_status(device, status, WW_LOST);
        expect_sentence(device, "beyond the end", "test_environments.c");
        ww_close(device);
        emulator_restart();
    }
    free(x), free(got);
}

/* ---- as callers write it ---- */

const char *check_values_c(ww_device *device), *check_values_cxx(ww_device *device);

static void in_two_languages(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *(*check)(ww_device *device);
    } languages[] = {{"C", check_values_c},
#ifdef CHECK_CXX
                     {"C++", check_values_cxx}
#endif
    };
    for (size_t s = 0; s < setting_count_short(); s++)
        for (size_t l = 0; l < sizeof languages / sizeof *languages; l++) {
            CASE("values", "%s in %s", setting_name(s), languages[l].name);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(s);
            const char *wrong = languages[l].check(device);
            if (wrong) puts(wrong);
            expect(!wrong);
            ww_close(device);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays),           cmocka_unit_test(long_ones),
                                       cmocka_unit_test(refused),          cmocka_unit_test(values),
                                       cmocka_unit_test(in_two_languages), cmocka_unit_test(on_gpus)};
    return cmocka_run_group_tests_name("environments", tests, NULL, NULL);
}
