/* Outputs that are computed, of calls that leave some elements as they are: expanded offsets, look-ups in dictionaries, sparse products
 * without a beta. What they leave stays as it was in every array. (Scatter: test_computed_outputs.c.) */
#include "support/cases.h"

WW_STRUCT(halves, { uint16_t low, high; });
WW_MAP(halves_of, halves, uint32_t, x, void, none, {
    halves h;
    h.low = (uint16_t)x;
    h.high = (uint16_t)(x >> 16);
    return h;
});
WW_MAP(tripled, uint64_t, uint32_t, x, void, none, { return 3 * (uint64_t)x; });

WW_MAP(sevenfold, uint8_t, uint8_t, x, void, none, { return (uint8_t)(7 * x); });

/* An array that begins poisoned, and what it should be. */
typedef struct column {
    guarded got;
    unsigned char *wanted;
    size_t size;
} column;
static column column_new(size_t n, size_t size) {
    column c = {guarded_new(n * size), need(n * size), size};
    memset(c.got.data, 0xa5, n * size);
    memset(c.wanted, 0xa5, n * size);
    return c;
}
static void column_want(column *c, size_t i, const void *element) { memcpy(c->wanted + i * c->size, element, c->size); }
static void column_check(ww_device *device, column *c, size_t n) {
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(c->got.data, c->wanted, n, c->size);
    guarded_check(&c->got);
    guarded_free(&c->got);
    free(c->wanted);
}
#define AS(c, T, n) ww_array((T *)(void *)(c).got.data, (n))

/* Two members, through a function and at places from the last to the first. */
typedef struct places {
    size_t n;
    column low, high, wide;
} places;
static void places_new(places *p, size_t n) {
    *p = (places){.n = n, .low = column_new(n, 2), .high = column_new(n, 2), .wide = column_new(n, 8)};
}
/* Element i of what the call gives is x. */
static void places_want(places *p, size_t i, uint32_t x) {
    const halves h = halves_of(x, NULL);
    const uint64_t w = tripled(x, NULL);
    column_want(&p->low, p->n - 1 - i, &h.low);
    column_want(&p->high, p->n - 1 - i, &h.high);
    column_want(&p->wide, i, &w);
}
static void places_check(ww_device *device, places *p) {
    column_check(device, &p->low, p->n);
    column_check(device, &p->high, p->n);
    column_check(device, &p->wide, p->n);
}
#define MEMBERS(p) \
    ww_mapped_into(&halves_of_ww, ww_permuted_into(ww_zipped_into(&halves_ww, AS((p).low, uint16_t, (p).n), \
                                                                  AS((p).high, uint16_t, (p).n)), \
                                                   ww_reversed(ww_counting(&ww_type_uint32_t, 0, (p).n))))
#define MAPPED(p) ww_mapped_into(&tripled_ww, AS((p).wide, uint64_t, (p).n))

/* ---- expanded offsets ---- */

static void check_expanded(ww_device *device, const char *setting, size_t n, size_t begin, size_t least) {
    CASE("partial", "%s expanded n=%zu from %zu, capacity %zu", setting, n, begin, least);
    if (!case_wanted()) return;
    uint32_t *x = need(4 * n);
    int64_t *offsets = need(8 * (n + 1));
    fill(x, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run() + n);
    offsets[0] = (int64_t)begin;
    for (size_t i = 0; i < n; i++) offsets[i + 1] = offsets[i] + (int64_t)(x[i] % 4);
    const size_t room = least ? least : (size_t)offsets[n] + 3;
    places p, source;
    places_new(&p, room);
    places_new(&source, room);
    column rank = column_new(room, 8);
    for (size_t i = 0; i < n; i++)
        for (int64_t k = offsets[i]; k < offsets[i + 1] && (size_t)k < room; k++) {
            const uint64_t r = 3 * (uint64_t)(k - offsets[i]);
            places_want(&p, (size_t)k, x[i]);
            places_want(&source, (size_t)k, (uint32_t)i);
            column_want(&rank, (size_t)k, &r);
        }
    const ww_input in = ww_memory(x, n), at = ww_memory(offsets, n + 1);
    expect_status(device,
                  ww_expand_offsets(device, in, at, MEMBERS(p), MAPPED(source),
                                    ww_mapped_into(&tripled_ww, AS(rank, uint64_t, room))),
                  WW_OK);
    expect_status(device,
                  ww_expand_offsets(device, in, ww_cast(&ww_type_int32_t, at), MAPPED(p), MEMBERS(source), ww_none),
                  WW_OK);
    places_check(device, &p);
    places_check(device, &source);
    column_check(device, &rank, room);
    free(x);
    free(offsets);
}

static void expanded(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        static const size_t sizes[] = {1, 31, 33, 1000, 20000};
        check_expanded(device, setting_name(s), 0, 0, 5);
        for (size_t i = 0; i < (on_gpu() ? 4 : 5); i++) {
            check_expanded(device, setting_name(s), sizes[i], 0, 0);
            check_expanded(device, setting_name(s), sizes[i], 7, 0);
            check_expanded(device, setting_name(s), sizes[i], 70, 1);
            check_expanded(device, setting_name(s), sizes[i], 5, sizes[i]);
        }
        ww_close(device);
    }
}

/* ---- look-ups ---- */

/* Two keys in three are there: 3 i + 1 and 3 i + 2 for i below n; values are tenfold. */
static bool is_there(uint32_t key, size_t n) { return key % 3 && key < 3 * n; }

static void check_found(ww_device *device, const char *setting, size_t n) {
    CASE("partial", "%s look-ups n=%zu", setting, n);
    if (!case_wanted()) return;
    uint32_t *keys = need(4 * 2 * n), *values = need(4 * 2 * n), *wanted = need(4 * n);
    uint8_t *none = need(n);
    for (size_t i = 0; i < 2 * n; i++) keys[i] = (uint32_t)(i / 2 * 3 + 1 + i % 2), values[i] = keys[i] * 10;
    fill(wanted, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run() + n);
    for (size_t i = 0; i < n; i++) wanted[i] %= (uint32_t)(4 * n);
    places p, next, key_of;
    places_new(&p, n);
    places_new(&next, n);
    places_new(&key_of, n);
    column found = column_new(n, 1), mixed = column_new(n, 1);
    for (size_t i = 0; i < n; i++) {
        const uint32_t key = wanted[i], after = key % 3 ? key : key + 1;
        const uint8_t there = is_there(key, n);
        const uint8_t flag = (uint8_t)(7 * there);
        if (there) places_want(&p, i, key * 10);
        if (after < 3 * n) places_want(&next, i, after * 10), places_want(&key_of, i, after);
        column_want(&found, i, &there);
        column_want(&mixed, i, &flag);
    }
    const ww_input in = ww_memory(wanted, n), all = ww_memory(keys, 2 * n);
    ww_lsm *lsm;
    expect_status(device, ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, NULL), WW_OK);
    expect_status(device, ww_lsm_insert(lsm, all, ww_memory(values, 2 * n)), WW_OK);
    expect_status(device, ww_lsm_lookup(lsm, in, MEMBERS(p), AS(found, uint8_t, n)), WW_OK);
    expect_status(device, ww_lsm_lookup(lsm, in, MAPPED(p), ww_none), WW_OK);
    expect_status(device, ww_lsm_successor(lsm, in, true, MEMBERS(key_of), MAPPED(next), ww_none), WW_OK);
    expect_status(device, ww_lsm_successor(lsm, in, true, MAPPED(key_of), MEMBERS(next), ww_array(none, n)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    ww_lsm_close(lsm);
    places_check(device, &p);
    places_check(device, &next);
    places_check(device, &key_of);
    column_check(device, &found, n);
    /* A slab's, with the statuses through a function, and in a batch of all kinds. */
    ww_slab *slab;
    places_new(&p, n);
    places_new(&next, n);
    column statuses = column_new(n, 1);
    uint8_t *what = need(n);
    uint32_t *others = need(4 * n); /* keys that are looked for, and others that come */
    for (size_t i = 0; i < n; i++) {
        what[i] = i % 4 == 2 ? WW_SLAB_INSERT : i % 2 ? WW_SLAB_SEARCH : WW_SLAB_NOTHING;
        others[i] = i % 4 == 2 ? (uint32_t)(5 * n + i) : wanted[i];
        const uint8_t status = i % 4 == 2                        ? WW_SLAB_INSERTED
                               : i % 2 && is_there(wanted[i], n) ? WW_SLAB_FOUND
                                                                 : WW_SLAB_ABSENT;
        if (is_there(wanted[i], n)) places_want(&p, i, wanted[i] * 10);
        if (status == WW_SLAB_FOUND) places_want(&next, i, wanted[i] * 10);
        column_want(&statuses, i, &status);
    }
    const ww_input mixed_keys = ww_memory(others, n);
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 4 * n + 1, &slab, NULL), WW_OK);
    expect_status(device, ww_slab_replace(slab, all, ww_memory(values, 2 * n), ww_none), WW_OK);
    expect_status(device, ww_slab_search(slab, in, MEMBERS(p), ww_mapped_into(&sevenfold_ww, AS(mixed, uint8_t, n))),
                  WW_OK);
    expect_status(device, ww_slab_search(slab, in, MAPPED(p), ww_none), WW_OK);
    expect_status(
        device,
        ww_slab_mixed(slab, ww_memory(what, n), mixed_keys, mixed_keys, MEMBERS(next), AS(statuses, uint8_t, n)),
        WW_OK);
    expect_status(device, ww_slab_mixed(slab, ww_memory(what, n), mixed_keys, mixed_keys, MAPPED(next), ww_none),
                  WW_OK);
    ww_slab_close(slab);
    places_check(device, &p);
    places_check(device, &next);
    column_check(device, &mixed, n);
    column_check(device, &statuses, n);
    free(keys);
    free(values);
    free(wanted);
    free(none);
    free(what);
    free(others);
}

static void looked_up(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        static const size_t sizes[] = {1, 2, 31, 65, 3000, 70000};
        for (size_t i = 0; i < (on_gpu() ? 5 : 6); i++) check_found(device, setting_name(s), sizes[i]);
        ww_close(device);
    }
}

/* ---- sparse products ---- */

static void check_product(ww_device *device, const char *setting, size_t rows, uint64_t vectors) {
    CASE("partial", "%s products of %zu rows, %d vectors", setting, rows, (int)vectors);
    if (!case_wanted()) return;
    enum { WIDTH = 50 };
    uint32_t *offsets = need(4 * (rows + 1)), *x = need(4 * WIDTH * vectors);
    fill(x, &ww_type_uint32_t, 4, WIDTH * vectors, UNIFORM, seed_of_run());
    offsets[0] = 0;
    for (size_t r = 0; r < rows; r++) offsets[r + 1] = offsets[r] + (uint32_t)(r * 7 % 5);
    const size_t entries = offsets[rows];
    uint32_t *values = need(4 * entries), *columns = need(4 * entries);
    fill(values, &ww_type_uint32_t, 4, entries, UNIFORM, seed_of_run() + 1);
    for (size_t e = 0; e < entries; e++) columns[e] = (uint32_t)(e * 31 % WIDTH);
    places p;
    places_new(&p, rows * vectors);
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++) {
            uint32_t sum = 0;
            for (uint32_t e = offsets[r]; e < offsets[r + 1]; e++) sum += values[e] * x[columns[e] * vectors + v];
            places_want(&p, r * vectors + v, sum);
        }
    const ww_input a = ww_memory(values, entries), c = ww_memory(columns, entries), o = ww_memory(offsets, rows + 1),
                   vector = ww_memory(x, WIDTH * vectors);
    const ww_spmv_options options = WW_SPMV_OPTIONS;
    if (vectors == 1) {
        expect_status(device, ww_spmv(device, a, c, o, vector, MEMBERS(p), NULL), WW_OK);
        expect_status(device, ww_spmv(device, a, c, o, vector, MAPPED(p), &options), WW_OK);
    } else {
        expect_status(device, ww_spmm(device, a, c, o, vector, vectors, MEMBERS(p), NULL), WW_OK);
        expect_status(device, ww_spmm(device, a, c, o, vector, vectors, MAPPED(p), &options), WW_OK);
    }
    places_check(device, &p);
    free(offsets);
    free(x);
    free(values);
    free(columns);
}

static void multiplied(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        static const size_t rows[] = {1, 33, 900, 10000};
        for (size_t i = 0; i < (on_gpu() ? 3 : 4); i++) {
            check_product(device, setting_name(s), rows[i], 1);
            check_product(device, setting_name(s), rows[i], 3);
        }
        ww_close(device);
    }
}

/* ---- the host's own memory, and what is refused ---- */

static void in_the_hosts_memory(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("partial", "%s the host's memory", setting_name(s));
        if (case_wanted()) {
            for (uint32_t n = 1; n <= 100; n += 99) {
                uint32_t keys[100], offsets[101];
                uint64_t got[103], was = 77;
                uint8_t found[100];
                ww_lsm *lsm;
                for (uint32_t i = 0; i < n; i++) keys[i] = 2 * i, got[i] = was, offsets[i] = i + 1;
                offsets[n] = n + 1;
                got[n] = got[n + 1] = was;
                expect_status(device, ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, NULL), WW_OK);
                expect_status(device, ww_lsm_insert(lsm, ww_memory(keys, n), ww_memory(keys, n)), WW_OK);
                const ww_input twos = ww_counting(&ww_type_uint32_t, 1, n); /* the even ones are there */
                expect_status(
                    device, ww_lsm_lookup(lsm, twos, ww_mapped_into(&tripled_ww, ww_array(got, n)), ww_array(found, n)),
                    WW_OK);
                for (uint32_t i = 0; i < n; i++) expect(found[i] == i % 2 && got[i] == (i % 2 ? 3 * (i + 1) : was));
                ww_lsm_close(lsm);
                for (uint32_t i = 0; i < n; i++) got[i] = was;
                expect_status(device,
                              ww_expand_offsets(device, ww_memory(keys, n), ww_memory(offsets, n + 1),
                                                ww_mapped_into(&tripled_ww, ww_array(got, n + 2)), ww_none, ww_none),
                              WW_OK);
                for (uint32_t i = 0; i < n; i++) expect(got[i + 1] == 6 * i);
                expect(got[0] == was && got[n + 1] == was);
            }
        }
        ww_close(device);
    }
}

static void refused(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    CASE("partial", "refused");
    ww_device *device = setting_open(0);
    uint32_t x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, offsets[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t y[8];
    const ww_input in = ww_memory(x, 8), at = ww_memory(offsets, 9);
    const ww_array out = ww_mapped_into(&tripled_ww, ww_array(y, 8));
    ww_spmv_options o = WW_SPMV_OPTIONS;
    o.beta = ww_value(uint32_t, 1);
    expect_status(device, ww_spmv(device, in, ww_counting(&ww_type_uint32_t, 0, 8), at, in, out, &o), WW_INVALID);
    expect_sentence(device, "ww_spmv: y is an output that is computed, which this call does not take");
    expect_status(device,
                  ww_expand_offsets(device, in, at, ww_mapped_into(&tripled_ww, ww_array((uint64_t *)(void *)x, 4)),
                                    ww_none, ww_none),
                  WW_OVERLAP);
    expect_status(device, ww_expand_offsets(device, in, at, out, out, ww_none), WW_OVERLAP);
    offsets[3] = 1;
    expect_status(device, ww_expand_offsets(device, in, at, out, ww_none, ww_none), WW_RANGE);
    ww_slab *slab;
    uint8_t statuses[8];
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 100, &slab, NULL), WW_OK);
    expect_status(device, ww_slab_search(slab, in, ww_mapped_into(&sevenfold_ww, ww_array(statuses, 8)), ww_none),
                  WW_TYPE);
    expect_status(device, ww_slab_search(slab, in, out, ww_mapped_into(&sevenfold_ww, ww_array((uint8_t *)y, 8))),
                  WW_OVERLAP);
    expect_status(device, ww_slab_search_all(slab, in, at, out), WW_INVALID);
    expect_sentence(device, "ww_slab_search_all: values is an output that is computed");
    ww_slab_close(slab);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expanded),   cmocka_unit_test(looked_up),
        cmocka_unit_test(multiplied), cmocka_unit_test(in_the_hosts_memory),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("partial outputs", tests, NULL, NULL);
}
