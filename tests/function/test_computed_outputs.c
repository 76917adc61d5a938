/* Outputs that are computed: what calls give goes through a function, or to the arrays of a struct's members, against the same call with a
 * plain output; in their one pass (ww_map, ww_map2, ww_store, ww_gather, ww_scan) or behind it; and what is refused. */
#include <stdio.h>

#include "support/cases.h"

WW_STRUCT(pair, { uint32_t a, b; });
WW_STRUCT(triple, { float x, y, z; });
WW_STRUCT_USES((pair), mixed, {
    uint8_t kind;
    double weight;
    pair both;
    uint16_t tag;
});
WW_STRUCT(eight, { uint64_t a, b, c, d, e, f, g, h; });

WW_MAP(pair_of, pair, uint32_t, x, void, none, {
    pair p;
    p.a = x;
    p.b = ~x;
    return p;
});
WW_MAP(triple_of, triple, uint32_t, x, void, none, {
    triple t;
    t.x = (float)(x & 1023);
    t.y = t.x * 2;
    t.z = t.x + 1;
    return t;
});
WW_MAP(mixed_of, mixed, uint32_t, x, void, none, {
    mixed m;
    m.kind = (uint8_t)x;
    m.weight = x * 0.5;
    m.both.a = x + 1;
    m.both.b = x + 2;
    m.tag = (uint16_t)(x >> 3);
    return m;
});
WW_MAP(eight_of, eight, uint32_t, x, void, none, {
    eight e;
    e.a = x;
    e.b = x + 1;
    e.c = x + 2;
    e.d = x + 3;
    e.e = x + 4;
    e.f = x + 5;
    e.g = x + 6;
    e.h = x + 7;
    return e;
});
WW_MAP2(pair_from, pair, uint32_t, x, uint32_t, y, void, none, {
    pair p;
    p.a = x;
    p.b = y;
    return p;
});
WW_MAP(low_byte, uint8_t, uint32_t, x, void, none, { return (uint8_t)x; });
WW_MAP(above, uint16_t, uint32_t, x, uint32_t, least, { return (uint16_t)(x > *least ? x - *least : 0); });
WW_MAP(looked_up, uint64_t, uint32_t, x, uint64_t, table, { return table[x & 255]; });
WW_MAP(flipped, pair, pair, p, void, none, {
    pair q;
    q.a = p.b;
    q.b = p.a;
    return q;
});
WW_COMBINE(pair_add, pair, p, q, WW_COMMUTES, WW_IDENTITY({0, 0}), {
    pair r;
    r.a = p.a + q.a;
    r.b = p.b > q.b ? p.b : q.b;
    return r;
});
WW_COMBINE(last, uint32_t, x, y, WW_ORDERED, WW_IDENTITY(0), { return y ? y : x; });

#define SIZES(check) \
    for (size_t s = 0; s < setting_count(); s++) { \
        ww_device *device = setting_open(s); \
        size_t many; \
        const size_t *sizes = sizes_of(8, &many); \
        for (size_t i = 0; i < many; i++) check(device, setting_name(s), sizes[i]); \
        if (!on_emulator()) check(device, setting_name(s), size_large()); \
        ww_close(device); \
    }

static uint32_t *numbers(size_t n) {
    uint32_t *x = need(4 * n);
    fill(x, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run() + n);
    return x;
}

/* Arrays of members, each guarded; those that a struct's members should be. */
typedef struct columns {
    size_t n, many, sizes[8];
    guarded got[8];
    unsigned char *wanted[8];
} columns;
static columns columns_new(size_t n, size_t many, const size_t *sizes) {
    columns c = {.n = n, .many = many};
    for (size_t k = 0; k < many; k++) {
        c.sizes[k] = sizes[k];
        c.got[k] = guarded_new(n * sizes[k]);
        c.wanted[k] = need(n * sizes[k]);
    }
    return c;
}
static void columns_want(columns *c, size_t k, size_t i, const void *member) {
    memcpy(c->wanted[k] + i * c->sizes[k], member, c->sizes[k]);
}
static void columns_check(ww_device *device, columns *c) {
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t k = 0; k < c->many; k++) {
        expect_elements(c->got[k].data, c->wanted[k], c->n, c->sizes[k]);
        guarded_check(&c->got[k]);
        guarded_free(&c->got[k]);
        free(c->wanted[k]);
    }
}

/* ---- structs taken apart ---- */

static void check_zipped(ww_device *device, const char *setting, size_t n) {
    CASE("outputs", "%s zipped n=%zu", setting, n);
    if (!case_wanted()) return;
    uint32_t *x = numbers(n);
    columns p = columns_new(n, 2, (size_t[]){4, 4}), t = columns_new(n, 3, (size_t[]){4, 4, 4}),
            m = columns_new(n, 4, (size_t[]){1, 8, 8, 2}), e = columns_new(n, 8, (size_t[]){8, 8, 8, 8, 8, 8, 8, 8});
    for (size_t i = 0; i < n; i++) {
        const pair a = pair_of(x[i], NULL);
        const triple b = triple_of(x[i], NULL);
        const mixed c = mixed_of(x[i], NULL);
        const eight d = eight_of(x[i], NULL);
        columns_want(&p, 0, i, &a.a);
        columns_want(&p, 1, i, &a.b);
        columns_want(&t, 0, i, &b.x);
        columns_want(&t, 1, i, &b.y);
        columns_want(&t, 2, i, &b.z);
        columns_want(&m, 0, i, &c.kind);
        columns_want(&m, 1, i, &c.weight);
        columns_want(&m, 2, i, &c.both);
        columns_want(&m, 3, i, &c.tag);
        for (size_t k = 0; k < 8; k++) columns_want(&e, k, i, &d.a + k);
    }
#define AT(c, T, k) ww_array((T *)(c).got[k].data, n)
    const ww_input in = ww_memory(x, n);
    expect_status(device,
                  ww_map(device, &pair_of_ww, in, ww_zipped_into(&pair_ww, AT(p, uint32_t, 0), AT(p, uint32_t, 1))),
                  WW_OK);
    expect_status(device,
                  ww_store(device, ww_mapped(&triple_of_ww, in),
                           ww_zipped_into(&triple_ww, AT(t, float, 0), AT(t, float, 1), AT(t, float, 2))),
                  WW_OK);
    expect_status(device,
                  ww_map(device, &mixed_of_ww, in,
                         ww_zipped_into(&mixed_ww, AT(m, uint8_t, 0), AT(m, double, 1),
                                        ww_array_of(m.got[2].data, n, &pair_ww), AT(m, uint16_t, 3))),
                  WW_OK);
    expect_status(
        device,
        ww_map(device, &eight_of_ww, in,
               ww_zipped_into(&eight_ww, AT(e, uint64_t, 0), AT(e, uint64_t, 1), AT(e, uint64_t, 2), AT(e, uint64_t, 3),
                              AT(e, uint64_t, 4), AT(e, uint64_t, 5), AT(e, uint64_t, 6), AT(e, uint64_t, 7))),
        WW_OK);
    columns_check(device, &p);
    columns_check(device, &t);
    columns_check(device, &m);
    columns_check(device, &e);
    free(x);
}

/* ---- through functions ---- */

static void check_mapped(ww_device *device, const char *setting, size_t n) {
    CASE("outputs", "%s mapped n=%zu", setting, n);
    if (!case_wanted()) return;
    uint32_t *x = numbers(n), *least = need(4), *index = need(4 * n);
    uint64_t *table = need(256 * 8);
    *least = 1u << 20;
    for (size_t i = 0; i < 256; i++) table[i] = i * i + 7;
    for (size_t i = 0; i < n; i++) index[i] = x[i] % (uint32_t)n;
    columns bytes = columns_new(n, 1, (size_t[]){1}), words = columns_new(n, 1, (size_t[]){2}),
            looked = columns_new(n, 1, (size_t[]){8}), two = columns_new(n, 2, (size_t[]){4, 4});
    for (size_t i = 0; i < n; i++) {
        const uint8_t b = low_byte(x[i], NULL);
        const uint16_t w = above(x[i], least);
        const uint64_t l = looked_up(x[index[i]], table);
        const pair q = flipped(pair_from(x[i], index[i], NULL), NULL);
        columns_want(&bytes, 0, i, &b);
        columns_want(&words, 0, i, &w);
        columns_want(&looked, 0, i, &l);
        columns_want(&two, 0, i, &q.a);
        columns_want(&two, 1, i, &q.b);
    }
    const ww_input in = ww_memory(x, n);
    expect_status(device, ww_store(device, in, ww_mapped_into(&low_byte_ww, AT(bytes, uint8_t, 0))), WW_OK);
    expect_status(device, ww_store(device, in, ww_mapped_into(ww_with(above, least), AT(words, uint16_t, 0))), WW_OK);
    expect_status(device,
                  ww_gather(device, in, ww_memory(index, n),
                            ww_mapped_into(ww_with_array(looked_up, table, 256), AT(looked, uint64_t, 0))),
                  WW_OK);
    expect_status(
        device,
        ww_map2(device, &pair_from_ww, in, ww_memory(index, n),
                ww_mapped_into(&flipped_ww, ww_zipped_into(&pair_ww, AT(two, uint32_t, 0), AT(two, uint32_t, 1)))),
        WW_OK);
    columns_check(device, &bytes);
    columns_check(device, &words);
    columns_check(device, &looked);
    columns_check(device, &two);
    free(x);
    free(least);
    free(index);
    free(table);
}

/* ---- to indices ---- */

/* A permutation of 0 … n - 1, and positions of n - 1 down to 0 with one in three left out, which then stays. */
static void check_permuted(ww_device *device, const char *setting, size_t n) {
    CASE("outputs", "%s permuted n=%zu", setting, n);
    if (!case_wanted()) return;
    uint32_t *x = numbers(n), *mixed = need(4 * n), seed = 1;
    int64_t *places = need(8 * n);
    const size_t third = n / 3, room = n + 5;
    for (size_t i = 0; i < n; i++) mixed[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        seed = seed * 1664525u + 1013904223u;
        const size_t at = (size_t)((uint64_t)seed * i >> 32);
        const uint32_t other = mixed[at];
        mixed[at] = mixed[i - 1];
        mixed[i - 1] = other;
    }
    for (size_t i = 0; i < n; i++) places[i] = (int64_t)mixed[i];
    columns plain = columns_new(n, 1, (size_t[]){4}), two = columns_new(n, 2, (size_t[]){4, 4}),
            bytes = columns_new(n, 1, (size_t[]){1}), sums = columns_new(n, 1, (size_t[]){4}),
            wide = columns_new(room, 4, (size_t[]){1, 8, 8, 2}), rows = columns_new(n, 1, (size_t[]){sizeof(triple)});
    for (size_t k = 0; k < 4; k++) {
        memset(wide.got[k].data, 0xa5, room * wide.sizes[k]);
        memset(wide.wanted[k], 0xa5, room * wide.sizes[k]);
    }
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const pair p = pair_of(x[i], NULL);
        const uint8_t b = low_byte(x[i], NULL);
        const triple t = triple_of(x[i], NULL);
        sum += x[i];
        columns_want(&plain, 0, mixed[i], &x[i]);
        columns_want(&two, 0, mixed[i], &p.a);
        columns_want(&two, 1, mixed[i], &p.b);
        columns_want(&bytes, 0, n - 1 - i, &b);
        columns_want(&sums, 0, mixed[i], &sum);
        columns_want(&rows, 0, mixed[i], &t);
    }
    for (size_t i = 0; i < third; i++) {
        const struct mixed m = mixed_of(x[i], NULL);
        columns_want(&wide, 0, 3 * i + 2, &m.kind);
        columns_want(&wide, 1, 3 * i + 2, &m.weight);
        columns_want(&wide, 2, 3 * i + 2, &m.both);
        columns_want(&wide, 3, 3 * i + 2, &m.tag);
    }
    const ww_input in = ww_memory(x, n), at = ww_memory(mixed, n);
    expect_status(device, ww_store(device, in, ww_permuted_into(AT(plain, uint32_t, 0), at)), WW_OK);
    expect_status(device,
                  ww_map(device, &pair_of_ww, in,
                         ww_permuted_into(ww_zipped_into(&pair_ww, AT(two, uint32_t, 0), AT(two, uint32_t, 1)),
                                          ww_memory(places, n))),
                  WW_OK);
    /* An index that is computed, behind a function and before it. */
    const ww_input back = ww_reversed(ww_counting(&ww_type_int32_t, 0, n));
    expect_status(
        device,
        ww_store(device, ww_memory(x, n / 2),
                 ww_mapped_into(&low_byte_ww, ww_permuted_into(AT(bytes, uint8_t, 0), ww_strided(back, 0, 1, n / 2)))),
        WW_OK);
    expect_status(device,
                  ww_store(device, ww_memory(x + n / 2, n - n / 2),
                           ww_permuted_into(ww_mapped_into(&low_byte_ww, AT(bytes, uint8_t, 0)),
                                            ww_strided(back, n / 2, 1, n - n / 2))),
                  WW_OK);
    expect_status(device, ww_scan(device, &ww_add, in, ww_permuted_into(AT(sums, uint32_t, 0), at), NULL), WW_OK);
    expect_status(device,
                  ww_store(device, ww_mapped(&triple_of_ww, in),
                           ww_permuted_into(ww_array_of(rows.got[0].data, n, &triple_ww), at)),
                  WW_OK);
    const ww_array members = ww_zipped_into(
        &mixed_ww, ww_array((uint8_t *)wide.got[0].data, room), ww_array((double *)wide.got[1].data, room),
        ww_array_of(wide.got[2].data, room, &pair_ww), ww_array((uint16_t *)wide.got[3].data, room));
    const ww_input thirds = ww_strided(ww_counting(&ww_type_uint64_t, 0, n), n > 2 ? 2 : 0, 3, third);
    expect_status(device, ww_map(device, &mixed_of_ww, ww_memory(x, third), ww_permuted_into(members, thirds)), WW_OK);
    columns_check(device, &plain);
    columns_check(device, &two);
    columns_check(device, &bytes);
    columns_check(device, &sums);
    columns_check(device, &rows);
    columns_check(device, &wide);
    free(x);
    free(mixed);
    free(places);
}

/* One of the elements that share a place is there, whole, and what is outside is told and nothing else is written. */
static void check_shared(ww_device *device, const char *setting, size_t n) {
    CASE("outputs", "%s equal indices n=%zu", setting, n);
    if (!case_wanted() || !n) return;
    enum { PLACES = 97 };
    uint32_t *x = numbers(n), *index = need(4 * n);
    guarded got = guarded_new(PLACES * 4);
    uint32_t *const y = (uint32_t *)(void *)got.data;
    memset(y, 0xa5, PLACES * 4);
    for (size_t i = 0; i < n; i++) index[i] = x[i] % PLACES;
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)i;
    expect_status(device, ww_store(device, ww_memory(x, n), ww_permuted_into(ww_array(y, PLACES), ww_memory(index, n))),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    bool used[PLACES] = {false};
    for (size_t i = 0; i < n; i++) used[index[i]] = true;
    for (uint32_t p = 0; p < PLACES; p++) expect(used[p] ? y[p] < n && index[y[p]] == p : y[p] == 0xa5a5a5a5);
    const size_t bad = n / 2, last = n - 1;
    index[bad] = PLACES;
    if (last > bad) index[last] = UINT32_MAX;
    char told[128];
    snprintf(told, sizeof told, "an index of ww_permuted_into at position %zu is %d, and there are %d elements", bad,
             PLACES, PLACES);
    ww_status status = ww_store(device, ww_memory(x, n), ww_permuted_into(ww_array(y, PLACES), ww_memory(index, n)));
    if (!status) status = ww_sync(device);
    expect_status(device, status, WW_RANGE);
    expect_sentence(device, "ww_store", told);
    for (size_t i = 0; i < n; i++)
        if (i != bad && i != last) expect(index[y[index[i]]] == index[i]);
    guarded_check(&got);
    guarded_free(&got);
    free(x);
    free(index);
}

/* ---- scattered ---- */

/* Where elements share places the last one wins, to several arrays too, and what no index names stays. */
static void check_scattered(ww_device *device, const char *setting, size_t n) {
    CASE("outputs", "%s scattered n=%zu", setting, n);
    if (!case_wanted()) return;
    const size_t room = n / 2 + 3;
    uint32_t *x = numbers(n), *index = need(4 * n), *mixed = need(4 * room), *least = need(4);
    int64_t *own = need(8 * n);
    *least = 1u << 20;
    for (size_t i = 0; i < room; i++) mixed[i] = (uint32_t)((i * 7 + 1) % room);
    if (room % 7 == 0)
        for (size_t i = 0; i < room; i++) mixed[i] = (uint32_t)(room - 1 - i);
    for (size_t i = 0; i < n; i++) index[i] = x[i] % (uint32_t)room, own[i] = (int64_t)(n - 1 - i);
    columns words = columns_new(room, 1, (size_t[]){2}), again = columns_new(room, 1, (size_t[]){4}),
            m = columns_new(room, 4, (size_t[]){1, 8, 8, 2}), two = columns_new(room, 2, (size_t[]){4, 4}),
            alone = columns_new(n, 4, (size_t[]){1, 8, 8, 2}), pairs = columns_new(n, 2, (size_t[]){4, 4}),
            sums = columns_new(room, 1, (size_t[]){2});
    columns *const all[] = {&words, &again, &m, &two, &alone, &pairs, &sums};
    for (size_t c = 0; c < sizeof all / sizeof *all; c++)
        for (size_t k = 0; k < all[c]->many; k++) {
            memset(all[c]->got[k].data, 0x25, all[c]->n * all[c]->sizes[k]);
            memset(all[c]->wanted[k], 0x25, all[c]->n * all[c]->sizes[k]);
        }
    for (size_t i = 0; i < n; i++) {
        const size_t at = index[i], back = n - 1 - i;
        const uint16_t w = above(x[i], least);
        const struct mixed e = mixed_of(x[i], NULL);
        const pair p = pair_of(x[i], NULL), q = flipped(p, NULL);
        uint16_t sum;
        columns_want(&words, 0, at, &w);
        columns_want(&again, 0, mixed[at], &x[i]);
        columns *const both[] = {&m, &alone};
        for (size_t k = 0; k < 2; k++) {
            columns_want(both[k], 0, k ? back : at, &e.kind);
            columns_want(both[k], 1, k ? back : at, &e.weight);
            columns_want(both[k], 2, k ? back : at, &e.both);
            columns_want(both[k], 3, k ? back : at, &e.tag);
        }
        columns_want(&two, 0, mixed[at], &q.a);
        columns_want(&two, 1, mixed[at], &q.b);
        columns_want(&pairs, 0, back, &p.a);
        columns_want(&pairs, 1, back, &p.b);
        memcpy(&sum, sums.wanted[0] + 2 * at, 2);
        sum = (uint16_t)(sum + w);
        columns_want(&sums, 0, at, &sum);
    }
#define INTO(c, T, k) ww_array((T *)(c).got[k].data, (c).n)
#define MIXED_INTO(c) \
    ww_zipped_into(&mixed_ww, INTO(c, uint8_t, 0), INTO(c, double, 1), ww_array_of((c).got[2].data, (c).n, &pair_ww), \
                   INTO(c, uint16_t, 3))
    const ww_input in = ww_memory(x, n), at = ww_memory(index, n), to = ww_memory(mixed, room);
    expect_status(device,
                  ww_scatter(device, in, at, ww_mapped_into(ww_with(above, least), INTO(words, uint16_t, 0)), NULL),
                  WW_OK);
    expect_status(device, ww_scatter(device, in, at, ww_permuted_into(INTO(again, uint32_t, 0), to), NULL), WW_OK);
    expect_status(device, ww_scatter(device, ww_mapped(&mixed_of_ww, in), at, MIXED_INTO(m), NULL), WW_OK);
    const ww_array halves = ww_zipped_into(&pair_ww, INTO(two, uint32_t, 0), INTO(two, uint32_t, 1));
    expect_status(device,
                  ww_scatter(device, ww_mapped(&pair_of_ww, in), at,
                             ww_mapped_into(&flipped_ww, ww_permuted_into(halves, to)), NULL),
                  WW_OK);
    expect_status(device,
                  ww_scatter(device, ww_mapped(&mixed_of_ww, in), ww_memory(own, n), MIXED_INTO(alone),
                             ww_scatter_by(WW_CONFLICT_UNIQUE)),
                  WW_OK);
    expect_status(device,
                  ww_scatter(device, ww_mapped(&pair_of_ww, in), ww_memory(own, n),
                             ww_zipped_into(&pair_ww, INTO(pairs, uint32_t, 0), INTO(pairs, uint32_t, 1)),
                             ww_scatter_by(WW_CONFLICT_ANY)),
                  WW_OK);
    expect_status(device,
                  ww_scatter(device, in, at, ww_mapped_into(ww_with(above, least), INTO(sums, uint16_t, 0)),
                             ww_scatter_by(WW_CONFLICT_ADD)),
                  WW_OK);
    for (size_t c = 0; c < sizeof all / sizeof *all; c++) columns_check(device, all[c]);
    free(x);
    free(index);
    free(mixed);
    free(least);
    free(own);
}

/* By WW_CONFLICT_ANY the members at a place are all of one element. */
static void check_scattered_whole(ww_device *device, const char *setting, size_t n) {
    CASE("outputs", "%s scattered whole n=%zu", setting, n);
    if (!case_wanted() || !n) return;
    enum { PLACES = 61 };
    uint32_t *x = numbers(n), *index = need(4 * n);
    columns c = columns_new(PLACES, 2, (size_t[]){4, 4});
    bool used[PLACES] = {false};
    for (size_t i = 0; i < n; i++) index[i] = x[i] % PLACES, used[index[i]] = true;
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)i;
    uint32_t *const a = (uint32_t *)(void *)c.got[0].data, *const b = (uint32_t *)(void *)c.got[1].data;
    memset(a, 0xa5, PLACES * 4);
    memset(b, 0xa5, PLACES * 4);
    expect_status(device,
                  ww_scatter(device, ww_mapped(&pair_of_ww, ww_memory(x, n)), ww_memory(index, n),
                             ww_zipped_into(&pair_ww, ww_array(a, PLACES), ww_array(b, PLACES)),
                             ww_scatter_by(WW_CONFLICT_ANY)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (uint32_t p = 0; p < PLACES; p++)
        expect(used[p] ? a[p] < n && index[a[p]] == p && b[p] == ~a[p] : a[p] == 0xa5a5a5a5 && b[p] == 0xa5a5a5a5);
    /* An index outside is told, and the other elements are where they belong. */
    const size_t bad = n / 2;
    index[bad] = PLACES;
    ww_status status = ww_scatter(device, ww_mapped(&pair_of_ww, ww_memory(x, n)), ww_memory(index, n),
                                  ww_zipped_into(&pair_ww, ww_array(a, PLACES), ww_array(b, PLACES)), NULL);
    if (!status) status = ww_sync(device);
    expect_status(device, status, WW_RANGE);
    char told[64];
    snprintf(told, sizeof told, "index[%zu] is %d, and there are %d elements", bad, PLACES, PLACES);
    expect_sentence(device, "ww_scatter", told);
    for (size_t i = 0; i < n; i++)
        if (i != bad) expect(index[a[index[i]]] == index[i] && b[index[i]] == ~a[index[i]]);
    for (size_t k = 0; k < 2; k++) {
        guarded_check(&c.got[k]);
        guarded_free(&c.got[k]);
        free(c.wanted[k]);
    }
    free(x);
    free(index);
}

static void scattered(void **state) {
    (void)state;
    SIZES(check_scattered)
    SIZES(check_scattered_whole)
}

/* ---- scans ---- */

static void check_scanned(ww_device *device, const char *setting, size_t n) {
    CASE("outputs", "%s scanned n=%zu", setting, n);
    if (!case_wanted()) return;
    uint32_t *x = numbers(n), sum = 17;
    uint32_t *total = need(4);
    columns bytes = columns_new(n, 1, (size_t[]){1}), two = columns_new(n, 2, (size_t[]){4, 4}),
            latest = columns_new(n, 1, (size_t[]){1}), swapped = columns_new(n, 2, (size_t[]){4, 4});
    pair both = {0, 0}, before = {0, 0};
    uint32_t newest = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t b = low_byte(sum, NULL);
        sum += x[i];
        before = both;
        both = pair_add(both, pair_of(x[i], NULL));
        newest = last(newest, x[i]);
        const uint8_t l = low_byte(newest, NULL);
        columns_want(&bytes, 0, i, &b);
        columns_want(&two, 0, i, &both.a);
        columns_want(&two, 1, i, &both.b);
        columns_want(&latest, 0, i, &l);
        columns_want(&swapped, 0, i, &before.b);
        columns_want(&swapped, 1, i, &before.a);
    }
    ww_scan_options exclusive = WW_SCAN_OPTIONS, after = WW_SCAN_OPTIONS;
    exclusive.exclusive = after.exclusive = true;
    exclusive.initial = ww_value(uint32_t, 17);
    exclusive.total = ww_array(total, 1);
    const ww_input in = ww_memory(x, n), pairs = ww_mapped(&pair_of_ww, in);
    expect_status(device, ww_scan(device, &ww_add, in, ww_mapped_into(&low_byte_ww, AT(bytes, uint8_t, 0)), &exclusive),
                  WW_OK);
    expect_status(device,
                  ww_scan(device, &pair_add_ww, pairs,
                          ww_zipped_into(&pair_ww, AT(two, uint32_t, 0), AT(two, uint32_t, 1)), NULL),
                  WW_OK);
    expect_status(device, ww_scan(device, &last_ww, in, ww_mapped_into(&low_byte_ww, AT(latest, uint8_t, 0)), NULL),
                  WW_OK);
    expect_status(device,
                  ww_scan(device, &pair_add_ww, pairs,
                          ww_mapped_into(&flipped_ww,
                                         ww_zipped_into(&pair_ww, AT(swapped, uint32_t, 0), AT(swapped, uint32_t, 1))),
                          &after),
                  WW_OK);
    columns_check(device, &bytes);
    columns_check(device, &two);
    columns_check(device, &latest);
    columns_check(device, &swapped);
    expect(*total == sum);
    free(x);
    free(total);
}

/* ---- calls that write arrays alone: what they give is stored behind them ---- */

enum { MOST = 2 }; /* times as many results as elements */

/* What calls read: u32s, the same sorted, flags and heads, positions; and where they write: u32s and pairs. */
typedef struct sides {
    size_t n;
    const uint32_t *x, *sorted, *offsets;
    const uint8_t *flags;
    ww_array out, pairs, count;
} sides;

WW_MAP(to_one_of_five, uint32_t, uint32_t, x, void, none, { return x % 5; });

static ww_status by_sort(ww_device *d, const sides *s) {
    return ww_sort(d, ww_memory(s->x, s->n), ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)), s->out, s->pairs, NULL);
}
static ww_status by_pack(ww_device *d, const sides *s) {
    return ww_pack(d, ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)), ww_memory(s->flags, s->n), s->pairs, s->count,
                   NULL);
}
static ww_status by_split(ww_device *d, const sides *s) {
    return ww_split(d, ww_memory(s->x, s->n), ww_memory(s->flags, s->n), s->out, s->count, NULL);
}
static ww_status by_unique(ww_device *d, const sides *s) {
    return ww_unique(d, ww_memory(s->sorted, s->n), s->out, s->count);
}
static ww_status by_key(ww_device *d, const sides *s) {
    return ww_reduce_by_key(d, &pair_add_ww, ww_memory(s->sorted, s->n), ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)),
                            s->out, s->pairs, s->count);
}
static ww_status by_segments(ww_device *d, const sides *s) {
    return ww_reduce_segments(d, &pair_add_ww, ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)),
                              ww_memory(s->offsets, s->n + 1), s->pairs);
}
static ww_status by_reduce(ww_device *d, const sides *s) {
    return ww_reduce(d, &pair_add_ww, ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)), s->pairs);
}
static ww_status by_heads(ww_device *d, const sides *s) {
    return ww_scan_segmented(d, &pair_add_ww, ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)), ww_memory(s->flags, s->n),
                             s->pairs, NULL);
}
static ww_status by_blelloch(ww_device *d, const sides *s) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = WW_SCAN_BLELLOCH;
    return ww_scan(d, &last_ww, ww_memory(s->x, s->n), s->out, &o);
}
static ww_status by_merge(ww_device *d, const sides *s) {
    const ww_input a = ww_memory(s->sorted, s->n);
    return ww_merge(d, NULL, a, a, ww_no_input, ww_no_input, s->out, ww_none);
}
static ww_status by_union(ww_device *d, const sides *s) {
    const ww_input a = ww_memory(s->sorted, s->n);
    return ww_set_union(d, NULL, a, ww_memory(s->sorted, s->n / 2), s->out, s->count);
}
static ww_status by_multisplit(ww_device *d, const sides *s) {
    return ww_multisplit(d, &to_one_of_five_ww, 5, ww_memory(s->x, s->n), ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)),
                         s->out, s->pairs, ww_none, NULL);
}
static ww_status by_expand(ww_device *d, const sides *s) {
    return ww_expand(d, ww_mapped(&pair_of_ww, ww_memory(s->x, s->n)), ww_memory(s->flags, s->n), s->pairs, s->out,
                     ww_none, s->count);
}
static ww_status by_transpose(ww_device *d, const sides *s) {
    return ww_transpose(d, s->n, 1, ww_memory(s->x, s->n), s->out);
}
static ww_status by_shuffle(ww_device *d, const sides *s) {
    return ww_shuffle(d, (ww_random){.seed = 1}, ww_memory(s->x, s->n), s->out);
}
static ww_status by_random(ww_device *d, const sides *s) { return ww_random_fill(d, (ww_random){.seed = 2}, s->out); }

/* How many results there are: of each element, `MOST` times as many in two that are merged, or one; and what may be fewer. */
typedef struct call {
    const char *name;
    ww_status (*make)(ww_device *device, const sides *s);
    bool out, pairs, fewer;
    uint8_t times; /* 0: one */
} call;
static const call calls[] = {
    {"sort", by_sort, true, true, false, 1},
    {"pack", by_pack, false, true, true, 1},
    {"split", by_split, true, false, false, 1},
    {"unique", by_unique, true, false, true, 1},
    {"reduce by key", by_key, true, true, true, 1},
    {"reduce segments", by_segments, false, true, false, 1},
    {"reduce", by_reduce, false, true, false, 0},
    {"scan of segments", by_heads, false, true, false, 1},
    {"scan by Blelloch", by_blelloch, true, false, false, 1},
    {"merge", by_merge, true, false, false, 2},
    {"union", by_union, true, false, true, 2},
    {"multisplit", by_multisplit, true, true, false, 1},
    {"expand", by_expand, true, true, true, 1},
    {"transpose", by_transpose, true, false, false, 1},
    {"shuffle", by_shuffle, true, false, false, 1},
    {"random fill", by_random, true, false, false, 1},
};

/* Into arrays, and then into bytes and members, which keep what they held behind the last result. */
static void check_call(ww_device *device, const char *setting, const call *c, sides *s) {
    CASE("outputs", "%s behind %s n=%zu", setting, c->name, s->n);
    if (!case_wanted()) return;
    const size_t n = c->times ? c->times * s->n : 1;
    uint32_t *count = need(8), *out = need(4 * n), found;
    pair *pairs = need(8 * n);
    columns got = columns_new(n, 3, (size_t[]){1, 4, 4});
    s->count = ww_array(count, 1);
    if (c->make == by_expand) s->count = ww_array((uint64_t *)(void *)count, 1);
    s->out = c->out ? ww_array(out, n) : ww_none;
    s->pairs = c->pairs ? ww_array_of(pairs, n, &pair_ww) : ww_none;
    expect_status(device, c->make(device, s), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    found = c->fewer ? *count : (uint32_t)n;
    for (size_t k = 0; k < 3; k++) {
        memset(got.got[k].data, 0xa5, n * got.sizes[k]);
        memset(got.wanted[k], 0xa5, n * got.sizes[k]);
    }
    for (size_t i = 0; i < found; i++) {
        const uint8_t byte = c->out ? low_byte(out[i], NULL) : 0;
        if (c->out) columns_want(&got, 0, i, &byte);
        if (c->pairs) columns_want(&got, 1, i, &pairs[i].a);
        if (c->pairs) columns_want(&got, 2, i, &pairs[i].b);
    }
    /* The members go to the places that they would have anyway: the first results are the first indices. */
    const ww_array byte = ww_mapped_into(&low_byte_ww, AT(got, uint8_t, 0));
    const ww_array two = ww_permuted_into(ww_zipped_into(&pair_ww, AT(got, uint32_t, 1), AT(got, uint32_t, 2)),
                                          ww_counting(&ww_type_uint32_t, 0, n));
    if (c->out) s->out = byte;
    if (c->pairs) s->pairs = two;
    memset(count, 0xee, 8);
    expect_status(device, c->make(device, s), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    if (c->fewer) expect(*count == found);
    columns_check(device, &got);
    free(count);
    free(out);
    free(pairs);
}

static void check_calls(ww_device *device, const char *setting, size_t n) {
    sides s = {.n = n};
    uint32_t *x = numbers(n), *sorted = need(4 * n), *offsets = need(4 * (n + 1));
    uint8_t *flags = need(n);
    for (size_t i = 0; i < n; i++) flags[i] = x[i] & 1;
    for (size_t i = 0; i < n; i++) sorted[i] = (uint32_t)(i / 3);
    for (size_t i = 0; i <= n; i++) offsets[i] = (uint32_t)i;
    s.x = x;
    s.sorted = sorted;
    s.offsets = offsets;
    s.flags = flags;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) check_call(device, setting, &calls[k], &s);
    free(x);
    free(sorted);
    free(offsets);
    free(flags);
}

static void behind_calls(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        static const size_t sizes[] = {0, 1, 777, 20000};
        for (size_t i = 0; i < (on_gpu() ? 3 : 4); i++) check_calls(device, setting_name(s), sizes[i]);
        ww_close(device);
    }
}

/* Too little capacity: as much as fits is stored, and `count` says how many there are. */
static void too_little(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("outputs", "%s too little capacity", setting_name(s));
        if (case_wanted()) {
            enum { N = 1000, FIT = 300 };
            uint32_t x[N], a[FIT + 1], b[FIT], count = 0;
            for (uint32_t i = 0; i < N; i++) x[i] = i / 2;
            memset(a, 0xa5, sizeof a);
            const ww_array out = ww_zipped_into(&pair_ww, ww_array(a, FIT), ww_array(b, FIT));
            expect_status(device, ww_unique(device, ww_mapped(&pair_of_ww, ww_memory(x, N)), out, ww_array(&count, 1)),
                          WW_LIMIT);
            expect_sentence(device, "ww_unique", "there are 500");
            expect(count == 500 && a[FIT] == 0xa5a5a5a5);
            for (uint32_t i = 0; i < FIT; i++) expect(a[i] == i && b[i] == ~i);
        }
        ww_close(device);
    }
}

static void zipped(void **state) {
    (void)state;
    SIZES(check_zipped)
}
static void mapped(void **state) {
    (void)state;
    SIZES(check_mapped)
}
static void scanned(void **state) {
    (void)state;
    SIZES(check_scanned)
}

static void permuted(void **state) {
    (void)state;
    SIZES(check_permuted)
}
static void at_equal_indices(void **state) {
    (void)state;
    SIZES(check_shared)
}

/* Arrays of the host's own are staged. */
static void in_the_hosts_memory(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("outputs", "%s the host's memory", setting_name(s));
        if (case_wanted()) {
            enum { N = 1000 };
            uint32_t x[N], sums[N], firsts[N], sum = 0;
            uint16_t lows[N];
            for (uint32_t i = 0; i < N; i++) x[i] = i * 77;
            expect_status(device,
                          ww_map(device, &pair_of_ww, ww_memory(x, N),
                                 ww_zipped_into(&pair_ww, ww_array(sums, N), ww_array(firsts, N))),
                          WW_OK);
            for (uint32_t i = 0; i < N; i++) expect(sums[i] == x[i] && firsts[i] == ~x[i]);
            const uint32_t least = 500;
            expect_status(device,
                          ww_scan(device, &ww_add, ww_memory(x, N),
                                  ww_mapped_into(ww_with(above, &least), ww_array(lows, N)), NULL),
                          WW_OK);
            for (uint32_t i = 0; i < N; i++) {
                sum += x[i];
                expect(lows[i] == above(sum, &least));
            }
            /* What is not written stays, also where one element is. */
            uint32_t index[N], one = 77;
            for (uint32_t i = 0; i < N; i++) index[i] = N - 1 - i, sums[i] = 5;
            expect_status(
                device,
                ww_store(device, ww_memory(x, N / 2), ww_permuted_into(ww_array(sums, N), ww_memory(index, N / 2))),
                WW_OK);
            expect_status(device,
                          ww_store(device, ww_memory(x, 0), ww_permuted_into(ww_array(&one, 1), ww_memory(index, 0))),
                          WW_OK);
            for (uint32_t i = 0; i < N; i++) expect(sums[i] == (i < N / 2 ? 5 : x[N - 1 - i]));
            expect(one == 77);
            for (uint32_t i = 0; i < N; i++) sums[i] = firsts[i] = 5;
            expect_status(device,
                          ww_scatter(device, ww_mapped(&pair_of_ww, ww_memory(x, N / 2)), ww_memory(index, N / 2),
                                     ww_zipped_into(&pair_ww, ww_array(sums, N), ww_array(firsts, N)), NULL),
                          WW_OK);
            for (uint32_t i = 0; i < N; i++) {
                expect(sums[i] == (i < N / 2 ? 5 : x[N - 1 - i]));
                expect(firsts[i] == (i < N / 2 ? 5 : ~x[N - 1 - i]));
            }
            /* Of one element, which nothing goes to. */
            uint32_t other = 78;
            expect_status(device,
                          ww_scatter(device, ww_mapped(&pair_of_ww, ww_memory(x, 0)), ww_memory(index, 0),
                                     ww_zipped_into(&pair_ww, ww_array(&one, 1), ww_array(&other, 1)), NULL),
                          WW_OK);
            expect(one == 77 && other == 78);
        }
        ww_close(device);
    }
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    CASE("outputs", "refused");
    ww_device *device = setting_open(0);
    uint32_t x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8], z[9], count[8] = {0};
    uint8_t flags[8] = {1, 1};
    float f[8];
    const ww_input in = ww_memory(x, 8), pairs = ww_mapped(&pair_of_ww, in);
#define PAIR_INTO(a, b) ww_zipped_into(&pair_ww, a, b)
    const ww_array ys = ww_array(y, 8), zs = ww_array(z, 8);
    expect_status(device, ww_store(device, pairs, PAIR_INTO(ys, zs)), WW_OK);
    expect_status(device, ww_store(device, in, PAIR_INTO(ys, zs)), WW_TYPE);
    expect_status(device, ww_store(device, pairs, PAIR_INTO(ys, ww_array(z, 7))), WW_INVALID);
    expect_sentence(device, "array 1 of out has 7 elements, array 0 8");
    expect_status(device, ww_store(device, pairs, PAIR_INTO(ys, ww_array(f, 8))), WW_TYPE);
    expect_sentence(device, "whose types are not those of the members of pair");
    expect_status(device, ww_store(device, pairs, ww_zipped_into(&pair_ww, ys)), WW_TYPE);
    expect_status(device, ww_store(device, pairs, ww_zipped_into(&pair_ww, ys, zs, ww_array(f, 8))), WW_TYPE);
    expect_status(device, ww_store(device, pairs, ww_zipped_into(&pair_ww, ys, zs, ys, ys, ys, ys, ys, ys, ys)),
                  WW_INVALID);
    expect_status(device, ww_store(device, pairs, PAIR_INTO(ys, ys)), WW_OVERLAP);
    expect_status(device, ww_store(device, pairs, PAIR_INTO(ww_array(x, 8), ys)), WW_OVERLAP);
    expect_status(device, ww_store(device, pairs, PAIR_INTO(PAIR_INTO(ys, zs), ys)), WW_INVALID);
    expect_sentence(device, "not computed in turn");
    expect_status(device, ww_store(device, in, ww_zipped_into(&ww_type_uint32_t, ys)), WW_TYPE);
    expect_status(device, ww_store(device, pairs, ww_zipped_into(NULL, ys, zs)), WW_TYPE);
    expect_status(device, ww_store(device, in, ww_mapped_into(&low_byte_ww, ys)), WW_TYPE);
    expect_status(device, ww_store(device, in, ww_mapped_into(NULL, ys)), WW_TYPE);
    expect_status(device, ww_store(device, in, ww_mapped_into(&pair_from_ww, ys)), WW_TYPE);
    expect_status(device, ww_store(device, in, ww_mapped_into(&above_ww, ww_array((uint16_t *)(void *)z, 8))),
                  WW_INVALID);
    expect_sentence(device, "above needs a u32 as its environment");
    expect_status(device, ww_store(device, in, ww_mapped_into(ww_with(above, x), ww_array((uint16_t *)(void *)x, 8))),
                  WW_OVERLAP);
    expect_status(device,
                  ww_store(device, in, ww_mapped_into(&low_byte_ww, ww_mapped_into(&low_byte_ww, ww_array(flags, 8)))),
                  WW_INVALID);
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = WW_SCAN_BLELLOCH;
    expect_status(device, ww_scan(device, &pair_add_ww, pairs, PAIR_INTO(ys, zs), &o), WW_OK);
    o = (ww_scan_options)WW_SCAN_OPTIONS;
    o.total = ww_array_of(y, 1, &pair_ww);
    expect_status(device, ww_scan(device, &pair_add_ww, pairs, PAIR_INTO(ys, zs), &o), WW_OVERLAP);
    expect_status(device, ww_gather(device, pairs, ww_constant(ww_value(uint32_t, 0), 8), PAIR_INTO(ys, zs)),
                  WW_INVALID);
    z[0] = 9;
    expect_status(device, ww_gather(device, in, ww_memory(z, 1), ww_mapped_into(&low_byte_ww, ww_array(flags, 1))),
                  WW_RANGE);
    /* Nor in calls that write scratch memory first. */
    const ww_array one = ww_array(count, 1);
    flags[0] = flags[1] = 1;
    expect_status(device, ww_pack(device, pairs, ww_memory(flags, 8), PAIR_INTO(ys, zs), one, NULL), WW_OK);
    expect_status(device, ww_pack(device, pairs, ww_memory(flags, 8), PAIR_INTO(ww_array(x, 8), zs), one, NULL),
                  WW_OVERLAP);
    expect_sentence(device, "ww_pack: out", "overlaps in");
    expect_status(device,
                  ww_pack(device, in, ww_memory(flags, 8), ww_mapped_into(&low_byte_ww, ww_array(flags, 8)), one, NULL),
                  WW_OVERLAP);
    expect_status(device, ww_pack(device, pairs, ww_memory(flags, 8), PAIR_INTO(ys, zs), ww_array(y, 1), NULL),
                  WW_OVERLAP);
    expect_status(device, ww_pack(device, pairs, ww_memory(flags, 8), PAIR_INTO(ys, ww_array(z, 7)), one, NULL),
                  WW_INVALID);
    expect_sentence(device, "array 1 of out has 7 elements, array 0 8");
    expect_status(device, ww_pack(device, in, ww_memory(flags, 8), PAIR_INTO(ys, zs), one, NULL), WW_TYPE);
    expect_status(device, ww_pack(device, pairs, ww_memory(flags, 8), PAIR_INTO(ys, ww_array(f, 8)), one, NULL),
                  WW_TYPE);
    expect_status(device,
                  ww_sort(device, in, pairs, ww_mapped_into(&low_byte_ww, ww_array(flags, 8)), PAIR_INTO(ys, ys), NULL),
                  WW_OVERLAP);
    expect_status(device,
                  ww_sort(device, in, pairs, ww_mapped_into(ww_with(above, y), ww_array((uint16_t *)(void *)f, 8)),
                          PAIR_INTO(ys, zs), NULL),
                  WW_OVERLAP);
    expect_sentence(device, "values_out");
    expect_status(
        device,
        ww_sort(device, in, pairs, ww_mapped_into(&low_byte_ww, ww_array((uint8_t *)y, 8)), PAIR_INTO(ys, zs), NULL),
        WW_OVERLAP);
    expect_status(device, ww_fill(device, ww_mapped_into(&low_byte_ww, ww_array(flags, 8)), ww_value(uint32_t, 257)),
                  WW_OK);
    expect(flags[0] == 1 && flags[7] == 1);
    /* Indices. */
    const ww_input places = ww_counting(&ww_type_uint32_t, 0, 8);
    expect_status(device, ww_store(device, in, ww_permuted_into(ww_array(y, 4), places)), WW_RANGE);
    expect_sentence(device, "ww_store", "an index of ww_permuted_into at position 4 is 4, and there are 4 elements");
    expect_status(device, ww_store(device, in, ww_permuted_into(ys, ww_counting(&ww_type_int32_t, UINT64_MAX, 8))),
                  WW_RANGE);
    expect_sentence(device, "ww_store", "at position 0 is -1");
    expect_status(device, ww_store(device, in, ww_permuted_into(ys, ww_counting(&ww_type_uint32_t, 0, 7))), WW_INVALID);
    expect_sentence(device, "ww_store", "out has 7 elements, the input 8");
    expect_status(device, ww_store(device, in, ww_permuted_into(ys, ww_memory(flags, 8))), WW_TYPE);
    expect_sentence(device, "ww_store", "the index of ww_permuted_into is of type u8");
    expect_status(device, ww_store(device, in, ww_permuted_into(ys, ww_no_input)), WW_INVALID);
    expect_status(device, ww_store(device, in, ww_permuted_into(ys, ww_memory(y, 8))), WW_OVERLAP);
    expect_status(device, ww_store(device, in, ww_permuted_into(ys, ww_memory(z, 8))), WW_RANGE);
    expect_status(device, ww_store(device, in, ww_permuted_into(ww_permuted_into(ys, places), places)), WW_INVALID);
    expect_sentence(device, "ww_store", "not computed in turn");
    expect_status(device, ww_store(device, pairs, PAIR_INTO(ww_permuted_into(ys, places), zs)), WW_INVALID);
    expect_status(device, ww_store(device, in, ww_permuted_into(ww_array(f, 8), places)), WW_TYPE);
    expect_status(device, ww_store(device, in, ww_permuted_into(ys, ww_counted(places, (const uint64_t *)(void *)f))),
                  WW_UNSUPPORTED);
    expect_status(device,
                  ww_pack(device, in, ww_memory(flags, 8), ww_permuted_into(ys, ww_memory(count, 8)), one, NULL),
                  WW_OVERLAP);
    o = (ww_scan_options)WW_SCAN_OPTIONS;
    o.total = ww_array(z, 1);
    expect_status(device, ww_scan(device, &ww_add, in, ww_permuted_into(ys, ww_memory(z, 8)), &o), WW_OVERLAP);
    /* Elements that stay as they are. */
    expect_status(device, ww_scatter(device, pairs, places, PAIR_INTO(ys, ww_array(x, 8)), NULL), WW_OVERLAP);
    expect_status(device, ww_scatter(device, pairs, ww_memory(y, 8), PAIR_INTO(ys, ww_array(z, 8)), NULL), WW_OVERLAP);
    expect_status(device, ww_scatter(device, in, places, PAIR_INTO(ys, ww_array(z, 8)), NULL), WW_TYPE);
    expect_status(device, ww_scatter(device, pairs, places, PAIR_INTO(ys, ww_array(z, 7)), NULL), WW_INVALID);
    expect_status(device,
                  ww_scatter(device, pairs, places, PAIR_INTO(ys, ww_array(z, 8)), ww_scatter_by(WW_CONFLICT_ADD)),
                  WW_TYPE);
    expect_sentence(device, "ww_scatter", "elements of type pair are not numbers");
    expect_status(device, ww_scatter(device, in, places, ww_permuted_into(ys, ww_strided(places, 0, 1, 4)), NULL),
                  WW_RANGE);
    expect_sentence(device, "ww_scatter", "an index of ww_permuted at position 4 is 4, and there are 4 elements");
    expect_status(device, ww_scatter(device, pairs, places, PAIR_INTO(PAIR_INTO(ys, zs), zs), NULL), WW_INVALID);
    expect_sentence(device, "not computed in turn");
    expect_status(device, ww_store(device, ww_from(PAIR_INTO(ys, zs)), ww_array_of(f, 4, &pair_ww)), WW_INVALID);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zipped),           cmocka_unit_test(mapped),
        cmocka_unit_test(scanned),          cmocka_unit_test(in_the_hosts_memory),
        cmocka_unit_test(behind_calls),     cmocka_unit_test(too_little),
        cmocka_unit_test(refused),          cmocka_unit_test(permuted),
        cmocka_unit_test(at_equal_indices), cmocka_unit_test(scattered),
    };
    return cmocka_run_group_tests_name("outputs", tests, NULL, NULL);
}
