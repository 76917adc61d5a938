/* Expanding against a serial oracle: counts of every type and in every shape (one parent of all, many of none, all of one),
 * each mix of outputs, by counts and by offsets, with too little room, and counts that overflow. */
#include <stdio.h>

#include "function/types.h"
#include "reference/expand.h"
#include "support/cases.h"

/* How the children are spread over the parents. */
typedef enum spread { EVEN, RANDOM, HUB_FIRST, HUB_LAST, MOSTLY_NONE, ENDS, HARMONIC, SPREADS } spread;
static const char *const spread_names[] = {"even",        "random", "hub first", "hub last",
                                           "mostly none", "ends",   "harmonic"};

static void fill_counts(uint64_t *counts, size_t n, uint64_t children, spread s, uint64_t most) {
    uint64_t state = seed_of_run() + n, left = children;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&state) >> 8, each = children / n;
        uint64_t c = s == EVEN          ? each
                     : s == RANDOM      ? r % (2 * each + 2)
                     : s == HUB_FIRST   ? (i ? r % 2 : children)
                     : s == HUB_LAST    ? (i + 1 < n ? r % 2 : children)
                     : s == MOSTLY_NONE ? (r % 97 ? 0 : 1 + r / 97 % (97 * each + 1))
                     : s == ENDS        ? (i == 0 || i + 1 == n)
                                        : each * n / (4 * (i + 1));
        if (c > most) c = most;
        counts[i] = c < left ? c : left;
        left -= counts[i];
    }
}

/* Numbers as an array of a narrower type, freed by free(). */
static void *narrowed(const uint64_t *x, size_t n, size_t size) {
    void *out = need(n * size + 1);
    for (size_t i = 0; i < n; i++) memcpy((char *)out + i * size, x + i, size); /* little-endian */
    return out;
}

static const ww_type *unsigned_of(size_t size) {
    return size == 1   ? &ww_type_uint8_t
           : size == 2 ? &ww_type_uint16_t
           : size == 4 ? &ww_type_uint32_t
                       : &ww_type_uint64_t;
}

enum { OUT = 1, SOURCE = 2, RANK = 4 };

typedef struct setup {
    const ww_type *type;
    size_t size, n;
    uint64_t children;
    spread spread;
    size_t count_size, index_size;
    unsigned outputs; /* OUT | SOURCE | RANK */
} setup;

/* The result of one way of calling: poisoned, then compared, the bytes around looked at. */
typedef struct results {
    guarded out, source, rank;
} results;

static results results_new(const setup *c, uint64_t room) {
    results r = {guarded_new(room * c->size), guarded_new(room * c->index_size), guarded_new(room * c->index_size)};
    return r;
}

static ww_array index_of(const setup *c, const guarded *g, uint64_t room, unsigned which) {
    return c->outputs & which ? ww_array_of(g->data, room, unsigned_of(c->index_size)) : ww_none;
}

static void results_end(results *r) {
    guarded_check(&r->out);
    guarded_check(&r->source);
    guarded_check(&r->rank);
    guarded_free(&r->out);
    guarded_free(&r->source);
    guarded_free(&r->rank);
}

static void expect_expanded(const setup *c, const results *r, const void *in, const uint64_t *counts, uint64_t all,
                            uint64_t room) {
    const size_t many = all < room ? all : room;
    void *out = need(room * c->size + 1), *source, *rank;
    uint64_t *wide_source = need(room * sizeof(uint64_t) + 1), *wide_rank = need(room * sizeof(uint64_t) + 1);
    memset(out, 0xA5, room * c->size);
    reference_expand(in, c->size, counts, c->n, many, out, wide_source, wide_rank);
    source = narrowed(wide_source, many, c->index_size);
    rank = narrowed(wide_rank, many, c->index_size);
    if (c->outputs & OUT) expect_elements(r->out.data, out, room, c->size);
    if (c->outputs & SOURCE) expect_elements(r->source.data, source, many, c->index_size);
    if (c->outputs & RANK) expect_elements(r->rank.data, rank, many, c->index_size);
    free(rank);
    free(source);
    free(wide_rank);
    free(wide_source);
    free(out);
}

static void check_counts(ww_device *device, const setup *c, const ww_input *in, const void *elements,
                         const uint64_t *counts, uint64_t all, uint64_t room) {
    void *narrow = narrowed(counts, c->n, c->count_size);
    uint64_t total = 7;
    results r = results_new(c, room);
    const ww_input by = ww_memory_of(narrow, c->n, unsigned_of(c->count_size));
    const ww_array out = {r.out.data, room, c->type, c->size, NULL, 0};
    const bool elements_too = c->outputs & OUT;
    expect_status(device,
                  ww_expand(device, elements_too ? *in : ww_no_input, by, elements_too ? out : ww_none,
                            index_of(c, &r.source, room, SOURCE), index_of(c, &r.rank, room, RANK),
                            ww_array(&total, 1)),
                  all <= room ? WW_OK : WW_LIMIT);
    expect(total == all);
    expect_expanded(c, &r, elements, counts, all <= room ? all : 0, all <= room ? all : 0);
    results_end(&r);
    free(narrow);
}

static void check_offsets(ww_device *device, const setup *c, const ww_input *in, const void *elements,
                          const uint64_t *counts, uint64_t all, uint64_t room) {
    uint64_t *offsets = need((c->n + 1) * sizeof *offsets);
    offsets[0] = 0;
    for (size_t i = 0; i < c->n; i++) offsets[i + 1] = offsets[i] + counts[i];
    void *narrow = narrowed(offsets, c->n + 1, c->count_size <= 4 ? 4 : 8);
    results r = results_new(c, room);
    const ww_input by = ww_memory_of(narrow, c->n + 1, unsigned_of(c->count_size <= 4 ? 4 : 8));
    const ww_array out = {r.out.data, room, c->type, c->size, NULL, 0};
    const bool elements_too = c->outputs & OUT;
    expect_status(device,
                  ww_expand_offsets(device, elements_too ? *in : ww_no_input, by, elements_too ? out : ww_none,
                                    index_of(c, &r.source, room, SOURCE), index_of(c, &r.rank, room, RANK)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_expanded(c, &r, elements, counts, all, room);
    results_end(&r);
    free(narrow);
    free(offsets);
}

static void check_expand(ww_device *device, const char *setting, const setup *c) {
    CASE("expand", "%s %s size=%zu n=%zu children=%llu %s u%zu to u%zu outputs=%u", setting, c->type->label, c->size,
         c->n, (unsigned long long)c->children, spread_names[c->spread], 8 * c->count_size, 8 * c->index_size,
         c->outputs);
    if (!case_wanted() || !c->n) return;
    uint64_t *counts = need(c->n * sizeof *counts);
    unsigned char *elements = need(c->n * c->size);
    fill_counts(counts, c->n, c->children, c->spread,
                c->count_size == 8 ? UINT64_MAX : (1ull << 8 * c->count_size) - 1);
    fill(elements, c->type, c->size, c->n, UNIFORM, seed_of_run());
    const ww_array array = {elements, c->n, c->type, c->size, NULL, 0};
    const ww_input in = ww_from(array);
    const uint64_t all = reference_expand(elements, c->size, counts, c->n, 0, NULL, NULL, NULL);
    check_counts(device, c, &in, elements, counts, all, all);
    if (all) check_counts(device, c, &in, elements, counts, all, all - 1);
    check_offsets(device, c, &in, elements, counts, all, all + 3);
    if (all) check_offsets(device, c, &in, elements, counts, all, all / 2 + 1);
    free(elements);
    free(counts);
}

static void spreads(void **state) {
    static const size_t parents[] = {1, 2, 64, 65, 1024, 1025, 5000, 40000};
    static const uint64_t each[] = {0, 1, 3, 40};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t p = 0; p < sizeof parents / sizeof *parents; p++)
            for (size_t e = 0; e < 4; e++)
                for (unsigned k = 0; k < SPREADS; k++) {
                    const uint64_t children = parents[p] * each[e] + e;
                    if (children > (on_emulator() ? 30000 : 300000) || (on_emulator() && parents[p] > 5000 && k % 2))
                        continue;
                    const setup c = {
                        &ww_type_uint32_t,  4, parents[p], children, (spread)k, k % 2 ? 8 : 4, (p + k) % 2 ? 4 : 8,
                        OUT | SOURCE | RANK};
                    check_expand(device, setting_name(s), &c);
                }
        ww_close(device);
    }
}

/* Each type and size of element, each type of count, each mix of outputs; few kernels on the emulator. */
static void types(void **state) {
    static const struct {
        const ww_type *type;
        size_t size;
    } of[] = {{&ww_type_uint8_t, 1},  {&ww_type_double, 8},  {&ww_type_record, 3},    {&ww_type_record, 16},
              {&ww_type_uint16_t, 2}, {&ww_type_record, 40}, {&ww_type_record, 1000}, {&ww_type_record, 7000}};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < sizeof of / sizeof *of - on_gpu(); t++) {
            const setup c = {of[t].type, of[t].size,         900,           20000 / (1 + of[t].size / 20),
                             RANDOM,     (size_t)1 << t % 4, t % 2 ? 4 : 8, OUT | (unsigned)t};
            check_expand(device, setting_name(s), &c);
        }
        for (unsigned outputs = 1; outputs < 8; outputs++) {
            const setup c = {&ww_type_uint32_t, 4, 3000, 9000, HARMONIC, 4, 4, outputs};
            if (!on_emulator() || outputs == RANK || outputs == SOURCE) check_expand(device, setting_name(s), &c);
        }
        ww_close(device);
    }
}

/* Many tiles, several chunks of children and of parents without any. */
static void large(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = on_emulator() ? 20000 : 700000;
        for (unsigned k = 0; k < SPREADS; k++) {
            const setup c = {&ww_type_uint32_t, 4, n, 2 * n, (spread)k, 4, 4, OUT | SOURCE | RANK};
            check_expand(device, setting_name(s), &c);
        }
        ww_close(device);
    }
}

WW_MAP(one_of_three, uint32_t, uint64_t, i, void, none, { return i % 3 == 1 ? 2 : 0; });
WW_MAP(square, double, uint64_t, i, void, none, { return (double)i * (double)i; });

static void computed(void **state) {
    enum { N = 10000 };
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        CASE("expand", "%s computed", setting_name(s));
        double *out = need(N * sizeof *out);
        uint64_t total = 0;
        const ww_input i = ww_counting(&ww_type_uint64_t, 0, N);
        expect_status(device,
                      ww_expand(device, ww_mapped(&square_ww, i), ww_mapped(&one_of_three_ww, i), ww_array(out, N),
                                ww_none, ww_none, ww_array(&total, 1)),
                      WW_OK);
        expect(total == 6666);
        for (size_t k = 0; k < total; k++) {
            const double source = 3.0 * (double)(k / 2) + 1;
            expect(out[k] == source * source);
        }
        free(out);
        ww_close(device);
    }
}

/* Where the total is memory of the device's the call does not wait, and what it writes is all or nothing. */
static void total_on_the_device(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *counts = need(400), *source = need(4000);
    uint64_t *total = need(8);
    CASE("expand", "the total stays");
    for (uint32_t i = 0; i < 100; i++) counts[i] = i % 7;
    memset(source, 0xA5, 4000);
    const ww_status status = ww_expand(device, ww_no_input, ww_memory(counts, 100), ww_none, ww_array(source, 200),
                                       ww_none, ww_array(total, 1));
    expect_status(device, status, on_gpu() ? WW_OK : WW_LIMIT);
    expect_status(device, ww_sync(device), WW_OK);
    expect(*total == 295);
    for (size_t i = 0; i < 1000; i++) expect(source[i] == 0xA5A5A5A5);
    expect_status(device,
                  ww_expand(device, ww_no_input, ww_memory(counts, 100), ww_none, ww_array(source, 1000), ww_none,
                            ww_array(total, 1)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(*total == 295 && source[0] == 1 && source[294] == 98 + 1 && source[295] == 0xA5A5A5A5);
    free(total);
    free(source);
    free(counts);
    ww_close(device);
}

static void overflow(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        uint64_t *counts = need(3000 * sizeof *counts), total;
        uint32_t out[4] = {9, 9, 9, 9};
        CASE("expand", "%s overflow", setting_name(s));
        memset(counts, 0, 3000 * sizeof *counts);
        for (size_t far = 1; far < 3000; far += 2998) {
            counts[0] = UINT64_MAX - 5;
            counts[far] = 6;
            total = 0;
            expect_status(device,
                          ww_expand(device, ww_no_input, ww_memory(counts, 3000), ww_none, ww_array(out, 4), ww_none,
                                    ww_array(&total, 1)),
                          WW_LIMIT);
            expect_sentence(device, "ww_expand: counts sum to 2^64 - 1 or more");
            expect(total == UINT64_MAX && out[0] == 9 && out[3] == 9);
            counts[far] = 4;
            expect_status(
                device,
                ww_expand(device, ww_no_input, ww_memory(counts, 3000), ww_none, ww_none, ww_none, ww_array(&total, 1)),
                WW_OK);
            expect(total == UINT64_MAX - 1);
            expect_status(device,
                          ww_expand(device, ww_no_input, ww_memory(counts, 3000), ww_none, ww_array(out, 4), ww_none,
                                    ww_array(&total, 1)),
                          WW_LIMIT);
            expect_sentence(device, "18446744073709551614", "the capacity is 4");
            counts[far] = 0;
        }
        free(counts);
        ww_close(device);
    }
}

/* Offsets that decrease are found, the first of them, wherever they are. */
static void falling_offsets(void **state) {
    enum { N = 5000 };
    static const size_t places[] = {1, 1023, 1024, 1025, 3333, N};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        uint32_t *offsets = need(4 * (N + 1)), *out = need(4 * 2 * N);
        CASE("expand", "%s falling offsets", setting_name(s));
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            char place[64];
            for (uint32_t i = 0; i <= N; i++) offsets[i] = 7 + 2 * i;
            offsets[places[k]] = 6;
            if (places[k] < 4000) offsets[4000] = 5;
            ww_status status = ww_expand_offsets(device, ww_no_input, ww_memory(offsets, N + 1), ww_none,
                                                 ww_array(out, 2 * N), ww_none);
            if (on_gpu() && !status) status = ww_sync(device);
            expect_status(device, status, WW_RANGE);
            snprintf(place, sizeof place, "offsets[%zu] is 6, below the one before it", places[k]);
            expect_sentence(device, "ww_expand_offsets", place);
            expect_status(device, ww_sync(device), WW_OK);
        }
        free(out);
        free(offsets);
        ww_close(device);
    }
}

static void scratch(void **state) {
    enum { N = 1 << 20 };
    (void)state;
    if (left_out_on_gpu("the bound of the CPU")) return;
    ww_device *device = setting_open(0);
    uint8_t *counts = need(N), *in = need(N), *out = need(2 * N);
    uint32_t *source = need(8 * N);
    uint64_t total;
    ww_device_info info = WW_DEVICE_INFO;
    CASE("scratch", "expand");
    memset(counts, 2, N);
    memset(in, 1, N);
    expect_status(device,
                  ww_expand(device, ww_memory(in, N), ww_memory(counts, N), ww_array(out, 2 * N),
                            ww_array(source, 2 * N), ww_none, ww_array(&total, 1)),
                  WW_OK);
    ww_device_info_get(device, &info);
    expect(info.scratch_peak <= N / 128 + 65536 + 65536 * (size_t)info.threads);
    free(source);
    free(out);
    free(in);
    free(counts);
    ww_close(device);
}

static void refused(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[8] = {0}, out[8], source[8], c[8] = {0};
    uint64_t total = 3, offsets[9] = {0};
    memset(out, 0x5A, sizeof out);
    const ww_input in = ww_memory(x, 8), by = ww_memory(c, 8);
    const ww_array to = ww_array(out, 8), from = ww_array(source, 8), sum = ww_array(&total, 1), none = ww_none;
    CASE("refused", "expand");
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        for (size_t i = 0; i < 8; i++) expect(out[i] == 0x5A5A5A5A); \
        expect(total == 3); \
    } while (0)
    REFUSED(WW_INVALID, ww_expand(device, in, ww_no_input, to, none, none, sum), "ww_expand: counts");
    REFUSED(WW_TYPE, ww_expand(device, in, ww_memory((float *)c, 8), to, none, none, sum), "counts are f32");
    REFUSED(WW_INVALID, ww_expand(device, in, ww_memory(c, 7), to, none, none, sum), "in has 8", "7");
    REFUSED(WW_INVALID, ww_expand(device, in, by, none, from, none, sum), "out is missing");
    REFUSED(WW_INVALID, ww_expand(device, ww_no_input, by, to, none, none, sum), "no input");
    REFUSED(WW_TYPE, ww_expand(device, in, by, ww_array((float *)out, 8), none, none, sum), "f32");
    REFUSED(WW_INVALID, ww_expand(device, in, by, to, ww_array(source, 7), none, sum), "source_out has a capacity of 7",
            "8");
    REFUSED(WW_TYPE, ww_expand(device, in, by, to, ww_array((uint16_t *)source, 8), none, sum), "source_out");
    REFUSED(WW_TYPE, ww_expand(device, in, by, to, none, none, ww_array(c, 1)), "total");
    REFUSED(WW_INVALID, ww_expand(device, in, by, to, none, none, none), "total");
    REFUSED(WW_OVERLAP, ww_expand(device, in, ww_memory(out, 8), to, none, none, sum), "counts", "out");
    REFUSED(WW_OVERLAP, ww_expand(device, in, by, to, to, none, sum), "out", "source_out");
    const ww_array wide = ww_array(offsets, 8), among = ww_array(offsets + 3, 1);
    REFUSED(WW_OVERLAP, ww_expand(device, in, by, to, wide, none, among), "source_out", "total");
    REFUSED(WW_OVERLAP, ww_expand(device, in, by, to, none, wide, among), "rank_out", "total");
    REFUSED(WW_INVALID, ww_expand_offsets(device, in, ww_memory(offsets, 8), to, none, none), "in has 8", "7");
    REFUSED(WW_INVALID, ww_expand_offsets(device, in, ww_memory(offsets, 0), to, none, none), "offsets");
    REFUSED(WW_TYPE, ww_expand_offsets(device, in, ww_memory((uint16_t *)c, 9), to, none, none), "u16");
    expect(ww_expand(NULL, in, by, to, none, none, sum) == WW_INVALID);
    expect_status(device, ww_expand(device, ww_no_input, ww_memory(c, 0), none, none, none, sum), WW_OK);
    expect(total == 0);
    ww_close(device);
}

/* Offsets of many pieces of parents that begin behind the room: nothing behind it is written. */
static void room_ends_early(void **state) {
    (void)state;
    enum { PARENTS = 40960, EACH = 1000, ROOM = 100000 };
    if (left_out_on_gpu("these are chunks of a CPU's workers")) return;
    uint64_t *offsets = need(8 * (PARENTS + 1));
    for (size_t p = 0; p <= PARENTS; p++) offsets[p] = p * EACH;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        guarded source = guarded_new(4 * ROOM);
        CASE("expand", "%s room ends early", setting_name(s));
        expect_status(device,
                      ww_expand_offsets(device, ww_no_input, ww_memory(offsets, PARENTS + 1), ww_none,
                                        ww_array((uint32_t *)source.data, ROOM), ww_none),
                      WW_OK);
        for (size_t i = 0; i < ROOM; i++) expect(((uint32_t *)source.data)[i] == i / EACH);
        guarded_check(&source);
        guarded_free(&source);
        ww_close(device);
    }
    free(offsets);
}

/* Outputs of which one begins where no vector may. */
static void unaligned(void **state) {
    (void)state;
    enum { N = 300 };
    ww_device *device = setting_open(0);
    uint32_t *counts = need(4 * N), *source = need(4 * (N + 4)), *rank = need(4 * (N + 4));
    uint64_t total = 0;
    CASE("expand", "unaligned");
    for (size_t i = 0; i < N; i++) counts[i] = 1;
    for (size_t at = 0; at < 2; at++) {
        uint32_t *const to = source + at, *const ranks = rank + (1 - at);
        expect_status(device,
                      ww_expand(device, ww_no_input, ww_memory(counts, N), ww_none, ww_array(to, N), ww_array(ranks, N),
                                ww_array(&total, 1)),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(total == N);
        for (uint32_t i = 0; i < N; i++) expect(to[i] == i && ranks[i] == 0);
    }
    free(counts);
    free(source);
    free(rank);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spreads),         cmocka_unit_test(types),     cmocka_unit_test(large),
        cmocka_unit_test(computed),        cmocka_unit_test(overflow),  cmocka_unit_test(total_on_the_device),
        cmocka_unit_test(falling_offsets), cmocka_unit_test(scratch),   cmocka_unit_test(refused),
        cmocka_unit_test(room_ends_early), cmocka_unit_test(unaligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
