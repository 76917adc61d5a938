/* Slab hashes beside a serial dictionary: random programs over all calls, on every kind of keys and values, in dictionaries of one
 * list, of many, that grow and that do not; and after every batch a walk over all of it. Memory that ends; wrong arguments. */
#include <stdio.h>

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "dictionary/slab/slab.h"
#include "reference/slab.h"
#include "support/cases.h"

typedef struct kinds {
    const char *name;
    const ww_type *key, *value;
} kinds;

static const kinds all_kinds[] = {{"u32-u32", &ww_type_uint32_t, &ww_type_uint32_t},
                                  {"u64-u64", &ww_type_uint64_t, &ww_type_uint64_t},
                                  {"u32-none", &ww_type_uint32_t, NULL},
                                  {"u64-u32", &ww_type_uint64_t, &ww_type_uint32_t},
                                  {"u32-u64", &ww_type_uint32_t, &ww_type_uint64_t},
                                  {"u64-none", &ww_type_uint64_t, NULL}};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

/* What a dictionary starts as. */
typedef struct start {
    const char *name;
    uint64_t expected, buckets;
    bool fixed;
    size_t batch; /* operations, about */
} start;

static const start starts[] = {{"one list", 0, 1, true, 300},
                               {"grows from one", 0, 1, false, 400},
                               {"few lists", 0, 7, true, 1500},
                               {"grows from five", 0, 5, false, 4400},
                               {"as expected", 3000, 0, false, 4400}};
enum { STARTS = sizeof starts / sizeof *starts };

/* ---- arrays of either number type ---- */

static ww_array numbers(size_t n, const ww_type *type) { return ww_array_of(need(n * type->size + 8), n, type); }
static void put(ww_array a, size_t i, uint64_t x) {
    if (a.size == 8)
        ((uint64_t *)a.data)[i] = x;
    else
        ((uint32_t *)a.data)[i] = (uint32_t)x;
}
static uint64_t get(ww_array a, size_t i) { return a.size == 8 ? ((uint64_t *)a.data)[i] : ((uint32_t *)a.data)[i]; }

/* ---- one program ---- */

typedef struct program {
    ww_device *device;
    const kinds *kinds;
    ww_slab *slab;
    reference_slab model;
    uint64_t state;  /* of the random numbers */
    size_t universe; /* keys that there are */
    ww_array keys, values, found, statuses, operations;
} program;

/* Key k of the universe: the ends, and small and large ones between. */
static uint64_t key_number(const program *p, size_t k) {
    const bool wide = p->kinds->key->size == 8;
    if (k < 4) return k;
    if (k < 8) return (wide ? UINT64_MAX : UINT32_MAX) - (k - 4);
    return wide ? (uint64_t)k << 40 | k : (uint64_t)k * 7;
}

static uint64_t value_number(const program *p, uint64_t x) {
    if (!p->kinds->value) return 0;
    return p->kinds->value->size == 8 ? x * UINT64_C(0x9E3779B97F4A7C15) : (uint32_t)x;
}

static ww_input all(ww_array a, size_t n) { return ww_memory_of(a.data, n, a.type); }
static ww_array first(ww_array a, size_t n) { return ww_array_of(a.data, n, a.type); }
static ww_input values_in(const program *p, size_t n) { return p->kinds->value ? all(p->values, n) : ww_no_input; }
static ww_array found_out(const program *p, size_t n) { return p->kinds->value ? first(p->found, n) : ww_none; }
static uint8_t status(const program *p, size_t i) { return ((uint8_t *)p->statuses.data)[i]; }

/* n keys, and values that no other pair has. Distinct ones in a random order, or any of the first `among`. */
static void draw(program *p, size_t n, bool distinct, size_t among) {
    for (size_t i = 0; i < n; i++) {
        put(p->keys, i, key_number(p, distinct ? i : random_next(&p->state) % among));
        if (p->kinds->value) put(p->values, i, value_number(p, random_next(&p->state)));
    }
    for (size_t i = n; distinct && i > 1; i--) {
        const size_t k = random_next(&p->state) % i;
        const uint64_t x = get(p->keys, i - 1);
        put(p->keys, i - 1, get(p->keys, k));
        put(p->keys, k, x);
    }
}

/* ---- what a dictionary must say ---- */

static void expect_searches(program *p) {
    const size_t n = p->universe;
    for (size_t k = 0; k < n; k++) put(p->keys, k, key_number(p, k));
    memset(p->found.data, 0x77, n * p->found.size);
    expect_status(p->device, ww_slab_search(p->slab, all(p->keys, n), found_out(p, n), first(p->statuses, n)), WW_OK);
    for (size_t k = 0; k < n; k++) {
        const reference_pair *const pair = reference_slab_search(&p->model, get(p->keys, k));
        expect(status(p, k) == (pair ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
        if (p->kinds->value)
            expect(get(p->found, k) == (pair                 ? pair->value
                                        : p->found.size == 8 ? UINT64_C(0x7777777777777777)
                                                             : 0x77777777));
    }
}

/* All pairs of all keys, the oldest first; `sums` has one element more than the universe. */
static void expect_all_pairs_of_keys(program *p) {
    const size_t n = p->universe, total = p->model.count;
    ww_array sums = numbers(n + 1, random_next(&p->state) % 2 ? &ww_type_uint64_t : &ww_type_uint32_t);
    ww_array out = numbers(total, p->kinds->value ? p->kinds->value : &ww_type_uint32_t);
    for (size_t k = 0; k < n; k++) put(p->keys, k, key_number(p, k));
    expect_status(p->device, ww_slab_count(p->slab, all(p->keys, n), first(sums, n)), WW_OK);
    for (size_t k = 0, sum = 0; k <= n; k++) {
        const size_t count = k < n ? reference_slab_count(&p->model, get(p->keys, k)) : 0;
        if (k < n) expect(get(sums, k) == count);
        put(sums, k, sum);
        sum += count;
    }
    expect(get(sums, n) == total);
    if (p->kinds->value) {
        expect_status(p->device, ww_slab_search_all(p->slab, all(p->keys, n), all(sums, n + 1), out), WW_OK);
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0, at = get(sums, k); i < total; i++)
                if (p->model.pairs[i].key == get(p->keys, k)) expect(get(out, at++) == p->model.pairs[i].value);
    }
    free(sums.data);
    free(out.data);
}

static int compare_keys(const void *a, const void *b) {
    const reference_pair *const x = a, *const y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void expect_pairs(program *p) {
    const size_t n = p->model.count;
    ww_array keys = numbers(n, p->kinds->key), values = p->kinds->value ? numbers(n, p->kinds->value) : ww_none;
    uint64_t *const count = need(8);
    expect_status(p->device, ww_slab_pairs(p->slab, keys, values, ww_array(count, 1)), WW_OK);
    expect(*count == n);
    reference_pair *const got = malloc(n * sizeof *got + 1), *const wanted = malloc(n * sizeof *wanted + 1);
    for (size_t i = 0; i < n; i++) {
        got[i] = (reference_pair){get(keys, i), p->kinds->value ? get(values, i) : 0};
        wanted[i] = p->model.pairs[i];
    }
    qsort(got, n, sizeof *got, compare_keys);
    qsort(wanted, n, sizeof *wanted, compare_keys);
    expect(!memcmp(got, wanted, n * sizeof *got));
    free(got);
    free(wanted);
    free(keys.data);
    if (p->kinds->value) free(values.data);
    free(count);
}

static void expect_whole(program *p) {
    ww_slab_info info = WW_SLAB_INFO;
    expect_status(p->device, ww_slab_check(p->slab), WW_OK);
    expect_status(p->device, ww_slab_info_get(p->slab, &info), WW_OK);
    expect(info.pairs == p->model.count);
    expect(info.memory_use >= 0 && info.memory_use < 1);
}

/* ---- batches ---- */

/* What the model holds of a key is put in the order that the dictionary says, if it is the same pairs: after inserts that ran at once.
 * Returns false where they are not the same. */
static void take_order(program *p, uint64_t key) {
    const size_t n = reference_slab_count(&p->model, key);
    if (!p->kinds->value || n < 2) return;
    ww_array offsets = numbers(2, &ww_type_uint64_t), one = numbers(1, p->kinds->key);
    ww_array values = numbers(n, p->kinds->value);
    reference_pair *const got = malloc(n * sizeof *got), *const wanted = malloc(n * sizeof *wanted);
    put(one, 0, key);
    put(offsets, 0, 0);
    put(offsets, 1, n);
    expect_status(p->device, ww_slab_search_all(p->slab, all(one, 1), all(offsets, 2), values), WW_OK);
    for (size_t i = 0, at = 0; i < p->model.count; i++)
        if (p->model.pairs[i].key == key) {
            wanted[at] = p->model.pairs[i];
            p->model.pairs[i].value = get(values, at);
            got[at] = p->model.pairs[i];
            at++;
        }
    qsort(got, n, sizeof *got, compare_keys);
    qsort(wanted, n, sizeof *wanted, compare_keys);
    expect(!memcmp(got, wanted, n * sizeof *got));
    free(got);
    free(wanted);
    free(values.data);
    free(offsets.data);
    free(one.data);
}

static void insert_distinct(program *p, size_t n) {
    draw(p, n, true, 0);
    expect_status(p->device, ww_slab_insert(p->slab, all(p->keys, n), values_in(p, n), first(p->statuses, n)), WW_OK);
    for (size_t i = 0; i < n; i++) {
        expect(status(p, i) == WW_SLAB_INSERTED);
        reference_slab_insert(&p->model, get(p->keys, i), p->kinds->value ? get(p->values, i) : 0);
    }
}

static void insert_equal(program *p, size_t n) {
    const size_t among = 1 + random_next(&p->state) % 9;
    draw(p, n, false, among);
    expect_status(p->device, ww_slab_insert(p->slab, all(p->keys, n), values_in(p, n), ww_none), WW_OK);
    for (size_t i = 0; i < n; i++)
        reference_slab_insert(&p->model, get(p->keys, i), p->kinds->value ? get(p->values, i) : 0);
    for (size_t k = 0; k < among; k++) take_order(p, key_number(p, k));
}

static void replace_distinct(program *p, size_t n) {
    draw(p, n, true, 0);
    expect_status(p->device, ww_slab_replace(p->slab, all(p->keys, n), values_in(p, n), first(p->statuses, n)), WW_OK);
    for (size_t i = 0; i < n; i++)
        expect(status(p, i) ==
               (reference_slab_replace(&p->model, get(p->keys, i), p->kinds->value ? get(p->values, i) : 0)
                    ? WW_SLAB_REPLACED
                    : WW_SLAB_INSERTED));
}

/* Of each key one inserts at most, and one of the values stays. */
static void replace_equal(program *p, size_t n) {
    const size_t among = 1 + random_next(&p->state) % 9;
    size_t inserted[9] = {0};
    draw(p, n, false, among);
    expect_status(p->device, ww_slab_replace(p->slab, all(p->keys, n), values_in(p, n), first(p->statuses, n)), WW_OK);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < among; k++)
            inserted[k] += key_number(p, k) == get(p->keys, i) && status(p, i) == WW_SLAB_INSERTED;
    for (size_t k = 0; k < among; k++) {
        const uint64_t key = key_number(p, k);
        ww_array one = numbers(1, p->kinds->key), value = p->kinds->value ? numbers(1, p->kinds->value) : ww_none;
        bool any = false, is = false;
        put(one, 0, key);
        expect_status(p->device, ww_slab_search(p->slab, all(one, 1), value, ww_none), WW_OK);
        for (size_t i = 0; i < n; i++)
            if (get(p->keys, i) == key) {
                any = true;
                is |= !p->kinds->value || get(p->values, i) == get(value, 0);
            }
        expect(inserted[k] == (any && !reference_slab_search(&p->model, key)));
        if (any) {
            expect(is);
            reference_slab_replace(&p->model, key, p->kinds->value ? get(value, 0) : 0);
        }
        free(one.data);
        if (p->kinds->value) free(value.data);
    }
}

/* Values of equal keys add up, whatever the order. */
static void combine(program *p, size_t n) {
    const bool distinct = random_next(&p->state) % 2;
    if (!p->kinds->value) return;
    draw(p, n, distinct, 1 + random_next(&p->state) % p->universe);
    expect_status(p->device, ww_slab_combine(p->slab, &ww_add, all(p->keys, n), values_in(p, n), first(p->statuses, n)),
                  WW_OK);
    size_t said = 0, inserted = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = get(p->keys, i);
        reference_pair *const pair = reference_slab_search(&p->model, key);
        uint64_t sum = get(p->values, i) + (pair ? pair->value : 0);
        if (p->values.size == 4) sum = (uint32_t)sum;
        inserted += !reference_slab_replace(&p->model, key, sum);
        said += status(p, i) == WW_SLAB_INSERTED;
        if (distinct) expect(status(p, i) == (pair ? WW_SLAB_REPLACED : WW_SLAB_INSERTED));
    }
    expect(said == inserted);
}

/* As many are deleted as there are, or as are asked for. */
static void delete_some(program *p, size_t n) {
    const bool distinct = random_next(&p->state) % 2;
    draw(p, n, distinct, p->universe);
    expect_status(p->device, ww_slab_delete(p->slab, all(p->keys, n), first(p->statuses, n)), WW_OK);
    size_t said = 0, deleted = 0;
    for (size_t i = 0; i < n; i++) {
        const bool was = reference_slab_delete(&p->model, get(p->keys, i));
        if (distinct) expect(status(p, i) == (was ? WW_SLAB_DELETED : WW_SLAB_ABSENT));
        said += status(p, i) == WW_SLAB_DELETED;
        deleted += was;
    }
    expect(said == deleted);
}

static void delete_all(program *p, size_t n) {
    draw(p, n / 3, true, 0);
    expect_status(p->device, ww_slab_delete_all(p->slab, all(p->keys, n / 3), first(p->statuses, n / 3)), WW_OK);
    for (size_t i = 0; i < n / 3; i++)
        expect(status(p, i) ==
               (reference_slab_delete_all(&p->model, get(p->keys, i)) ? WW_SLAB_DELETED : WW_SLAB_ABSENT));
}

/* Operations of all kinds, each on a key of its own. */
static void mix(program *p, size_t n) {
    uint8_t *const operations = p->operations.data;
    draw(p, n, true, 0);
    for (size_t i = 0; i < n; i++) operations[i] = (uint8_t)(random_next(&p->state) % 6);
    memset(p->found.data, 0x77, n * p->found.size);
    expect_status(p->device,
                  ww_slab_mixed(p->slab, all(p->operations, n), all(p->keys, n), values_in(p, n), found_out(p, n),
                                first(p->statuses, n)),
                  WW_OK);
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = get(p->keys, i), value = p->kinds->value ? get(p->values, i) : 0;
        uint64_t found = p->found.size == 8 ? UINT64_C(0x7777777777777777) : 0x77777777;
        int wanted = WW_SLAB_ABSENT;
        const reference_pair *pair;
        switch (operations[i]) {
        case WW_SLAB_SEARCH:
            pair = reference_slab_search(&p->model, key);
            if (pair) wanted = WW_SLAB_FOUND, found = pair->value;
            break;
        case WW_SLAB_INSERT:
            reference_slab_insert(&p->model, key, value);
            wanted = WW_SLAB_INSERTED;
            break;
        case WW_SLAB_REPLACE:
            wanted = reference_slab_replace(&p->model, key, value) ? WW_SLAB_REPLACED : WW_SLAB_INSERTED;
            break;
        case WW_SLAB_DELETE:
            if (reference_slab_delete(&p->model, key)) wanted = WW_SLAB_DELETED;
            break;
        case WW_SLAB_DELETE_ALL:
            if (reference_slab_delete_all(&p->model, key)) wanted = WW_SLAB_DELETED;
            break;
        }
        expect(status(p, i) == wanted);
        if (p->kinds->value) expect(get(p->found, i) == found);
    }
}

static void flush(program *p, size_t n) {
    ww_slab_info info = WW_SLAB_INFO;
    (void)n;
    expect_status(p->device, ww_slab_flush(p->slab), WW_OK);
    expect_status(p->device, ww_slab_info_get(p->slab, &info), WW_OK);
    expect(info.dead == 0);
    expect(info.slabs <= info.pairs / info.slab_slots);
}

static void clear(program *p, size_t n) {
    if (n % 4) return; /* seldom */
    expect_status(p->device, ww_slab_clear(p->slab), WW_OK);
    p->model.count = 0;
}

typedef void batch(program *p, size_t n);
static batch *const batches[] = {
    insert_distinct, insert_equal, replace_distinct, replace_equal, delete_some, delete_all, mix, mix, combine,
    flush,           clear};

static program begin(ww_device *device, const kinds *k, const start *s, uint64_t seed, size_t universe) {
    ww_slab_options o = WW_SLAB_OPTIONS;
    program p = {.device = device, .kinds = k, .state = seed, .universe = universe};
    o.buckets = s->buckets;
    o.fixed = s->fixed;
    o.seed = seed;
    expect_status(device, ww_slab_open(device, k->key, k->value, s->expected, &p.slab, &o), WW_OK);
    p.keys = numbers(universe, k->key);
    p.values = numbers(universe, k->value ? k->value : &ww_type_uint32_t);
    p.found = numbers(universe, k->value ? k->value : &ww_type_uint32_t);
    p.statuses = ww_array_of(need(universe), universe, &ww_type_uint8_t);
    p.operations = ww_array_of(need(universe), universe, &ww_type_uint8_t);
    return p;
}

static void end(program *p) {
    ww_slab_close(p->slab);
    reference_slab_free(&p->model);
    free(p->keys.data);
    free(p->values.data);
    free(p->found.data);
    free(p->statuses.data);
    free(p->operations.data);
}

static void run_program(ww_device *device, const char *setting, const kinds *k, const start *s, unsigned number) {
    enum { BATCHES = 10 };
    const uint64_t seed = seed_of_run() + 1000 * number;
    const size_t most = on_emulator() ? s->batch / 10 + 40 : s->batch;
    CASE("slab", "%s %s, %s, program %u", setting, k->name, s->name, number);
    if (!case_wanted()) return;
    program p = begin(device, k, s, seed, most);
    for (int b = 0; b < BATCHES; b++) {
        const size_t n = random_next(&p.state) % 5 ? most - random_next(&p.state) % (most / 4)
                                                   : random_next(&p.state) % 70;
        batches[b < 2 ? (size_t)b : random_next(&p.state) % (sizeof batches / sizeof *batches)](&p, n);
        expect_whole(&p);
        if (b % 2) expect_searches(&p);
        if (b % 3 == 0) expect_all_pairs_of_keys(&p);
        if (b % 4 == 1) expect_pairs(&p);
    }
    end(&p);
}

static void random_programs(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count(); d++) {
        ww_device *device = setting_open(d);
        for (size_t k = 0; k < KINDS; k++)
            for (size_t s = 0; s < STARTS; s++) {
                if (left_to_gpus(k)) continue;
                if (!on_gpu() && (d + k + s) % 3) continue;
                run_program(device, setting_name(d), &all_kinds[k], &starts[s], (unsigned)(d + k + s));
            }
        ww_close(device);
    }
}

/* ---- growing ---- */

/* Batches of any size into a dictionary of one bucket: lists stay short. */
static void growing(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 3000 : 300000;
    for (size_t d = 0; d < setting_count_short(); d++)
        for (int replaces = 0; replaces < 2; replaces++) {
            CASE("slab grows", "%s %s", setting_name(d), replaces ? "by replaces" : "by inserts");
            if (!case_wanted()) continue;
            ww_device *device = setting_open(d);
            ww_slab_options o = WW_SLAB_OPTIONS;
            ww_slab_info info = WW_SLAB_INFO;
            ww_slab *slab;
            uint32_t *const out = need(n * sizeof *out);
            o.buckets = 1;
            expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
            for (uint32_t at = 0, many = 1; at < n; at += many, many = many * 2 + 3) {
                if (many > n - at) many = n - at;
                const ww_input keys = ww_counting(&ww_type_uint32_t, at, many),
                               values = ww_counting(&ww_type_uint32_t, 5 + at, many);
                expect_status(device, (replaces ? ww_slab_replace : ww_slab_insert)(slab, keys, values, ww_none),
                              WW_OK);
            }
            expect_status(device, ww_slab_check(slab), WW_OK);
            expect_status(device, ww_slab_info_get(slab, &info), WW_OK);
            expect(info.pairs == n && info.buckets * info.slab_slots > n && info.slabs < info.buckets / 2);
            expect_status(device, ww_slab_search(slab, ww_counting(&ww_type_uint32_t, 0, n), ww_array(out, n), ww_none),
                          WW_OK);
            for (uint32_t i = 0; i < n; i++) expect(out[i] == i + 5);
            free(out);
            ww_slab_close(slab);
            ww_close(device);
        }
}

/* Bytes that calls have a GPU fill. */
static uint64_t filled;
static ww_status (*fill_as_before)(ww__driver *driver, void *to, unsigned char byte, size_t bytes);
static ww_status fill_and_count(ww__driver *driver, void *to, unsigned char byte, size_t bytes) {
    filled += bytes;
    return fill_as_before(driver, to, byte, bytes);
}

/* What a GPU clears in a call is in proportion to the pairs that it brings, also where that doubles the buckets. */
static void growing_without_pause(void **state) {
    (void)state;
    enum { PAIRS = 3000, BATCH = 60, BYTES_A_PAIR = 8, BYTES_A_CALL = 2048 };
    if (!on_gpu()) return;
    CASE("slab grows without a pause", "%s", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    ww_slab_options o = WW_SLAB_OPTIONS;
    ww_slab_info info = WW_SLAB_INFO;
    ww_slab *slab;
    o.buckets = 3;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
    fill_as_before = device->gpu->driver->fill;
    device->gpu->driver->fill = fill_and_count;
    for (uint32_t at = 0; at < PAIRS; at += BATCH) {
        const ww_input keys = ww_counting(&ww_type_uint32_t, at, BATCH);
        filled = 0;
        expect_status(device, ww_slab_insert(slab, keys, keys, ww_none), WW_OK);
        expect(filled <= BATCH * BYTES_A_PAIR + BYTES_A_CALL);
    }
    device->gpu->driver->fill = fill_as_before;
    expect_status(device, ww_slab_info_get(slab, &info), WW_OK);
    expect(info.buckets * info.slab_bytes / 2 > BATCH * BYTES_A_PAIR + BYTES_A_CALL); /* the last doubling's slabs */
    expect_status(device, ww_slab_check(slab), WW_OK);
    ww_slab_close(slab);
    ww_close(device);
}

/* As many keys come as go, for long: slots of deleted pairs are used again, and memory does not grow. */
static void staying(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 400 : 10000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("slab stays", "%s", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        ww_slab_info begun = WW_SLAB_INFO, ended = WW_SLAB_INFO;
        ww_slab *slab;
        expect_status(device, ww_slab_open(device, &ww_type_uint64_t, NULL, n, &slab, NULL), WW_OK);
        for (uint64_t round = 0; round < 40; round++) {
            if (round == 10) expect_status(device, ww_slab_info_get(slab, &begun), WW_OK);
            expect_status(device,
                          ww_slab_replace(slab, ww_counting(&ww_type_uint64_t, round * n, n / 2), ww_no_input, ww_none),
                          WW_OK);
            if (round)
                expect_status(device,
                              ww_slab_delete(slab, ww_counting(&ww_type_uint64_t, (round - 1) * n, n / 2), ww_none),
                              WW_OK);
        }
        expect_status(device, ww_slab_check(slab), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &ended), WW_OK);
        expect(ended.pairs == n / 2 && ended.memory == begun.memory && ended.buckets == begun.buckets);
        expect(ended.dead < ended.buckets * ended.slab_slots);
        ww_slab_close(slab);
        ww_close(device);
    }
}

/* ---- few keys, with very many pairs each ---- */

/* Value i is pair i of them, batch after batch; the oldest go first, however long the list is. */
static void few_keys(void **state) {
    (void)state;
    enum { KEYS_MANY = 3, ROUNDS = 6 };
    const uint32_t n = on_emulator() ? 60 : on_gpu() ? 3000 : 60000, each = n / KEYS_MANY;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("slab few keys", "%s", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        ww_slab *slab;
        uint32_t *const keys = need(4 * n), *const values = need(4 * n), found[KEYS_MANY];
        uint8_t *const operations = need(n);
        uint64_t counts[KEYS_MANY];
        expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 100, &slab, NULL), WW_OK);
        for (uint32_t i = 0; i < n; i++) keys[i] = i % KEYS_MANY;
        memset(operations, WW_SLAB_INSERT, n);
        for (uint32_t round = 0; round < ROUNDS; round++) { /* values: the batch that brought them */
            for (uint32_t i = 0; i < n; i++) values[i] = round;
            expect_status(device,
                          round % 2 ? ww_slab_mixed(slab, ww_memory(operations, n), ww_memory(keys, n),
                                                    ww_memory(values, n), ww_none, ww_none)
                                    : ww_slab_insert(slab, ww_memory(keys, n), ww_memory(values, n), ww_none),
                          WW_OK);
        }
        const ww_input all_keys = ww_counting(&ww_type_uint32_t, 0, KEYS_MANY);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            expect_status(device, ww_slab_count(slab, all_keys, ww_array(counts, KEYS_MANY)), WW_OK);
            expect_status(device, ww_slab_search(slab, all_keys, ww_array(found, KEYS_MANY), ww_none), WW_OK);
            for (uint32_t k = 0; k < KEYS_MANY; k++)
                expect(found[k] == round && counts[k] == (uint64_t)(ROUNDS - round) * each);
            expect_status(device, ww_slab_check(slab), WW_OK);
            expect_status(device, ww_slab_delete(slab, ww_memory(keys, n), ww_none), WW_OK);
        }
        ww_slab_info info = WW_SLAB_INFO;
        expect_status(device, ww_slab_info_get(slab, &info), WW_OK);
        expect(info.pairs == 0);
        ww_slab_close(slab);
        free(keys), free(values), free(operations);
        ww_close(device);
    }
}

/* ---- memory that ends ---- */

static void memory_ends(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 3000 : 12000;
    for (size_t d = 0; d < setting_count_short(); d++)
        for (int kind = 0; kind < 3; kind++) {
            CASE("slab full", "%s %s", setting_name(d), kind ? kind > 1 ? "mixed" : "replace" : "insert");
            if (!case_wanted()) continue;
            ww_device *device = setting_open(d);
            ww_slab_options o = WW_SLAB_OPTIONS;
            ww_slab *slab;
            uint8_t *const statuses = need(n), *const operations = need(n), *const found = need(n);
            uint32_t *const out = need(n * sizeof *out);
            o.buckets = 3;
            o.memory_limit = n * 6;
            const ww_input keys = ww_counting(&ww_type_uint32_t, 0, n), values = ww_counting(&ww_type_uint32_t, 7, n);
            memset(operations, WW_SLAB_INSERT, n);
            expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
            const ww_status got = kind == 0   ? ww_slab_insert(slab, keys, values, ww_array(statuses, n))
                                  : kind == 1 ? ww_slab_replace(slab, keys, values, ww_array(statuses, n))
                                              : ww_slab_mixed(slab, ww_memory(operations, n), keys, values, ww_none,
                                                              ww_array(statuses, n));
            expect_status(device, got, WW_MEMORY);
            expect_sentence(device, "operations found no memory");
            expect_status(device, ww_slab_check(slab), WW_OK);
            expect_status(device, ww_slab_search(slab, keys, ww_array(out, n), ww_array(found, n)), WW_OK);
            size_t full = 0;
            for (uint32_t i = 0; i < n; i++) {
                full += statuses[i] == WW_SLAB_FULL;
                expect(statuses[i] == WW_SLAB_FULL || statuses[i] == WW_SLAB_INSERTED);
                expect((statuses[i] == WW_SLAB_INSERTED) == (found[i] == WW_SLAB_FOUND));
                if (found[i]) expect(out[i] == i + 7);
            }
            expect(full > 0 && full < n);
            /* What is deleted gives its room to others. */
            expect_status(device, ww_slab_delete(slab, keys, ww_none), WW_OK);
            expect_status(device, ww_slab_flush(slab), WW_OK);
            expect_status(device,
                          ww_slab_insert(slab, ww_counting(&ww_type_uint32_t, 0, n / 100),
                                         ww_counting(&ww_type_uint32_t, 0, n / 100), ww_none),
                          WW_OK);
            expect_status(device, ww_slab_check(slab), WW_OK);
            ww_slab_close(slab);
            free(statuses);
            free(operations);
            free(found);
            free(out);
            ww_close(device);
        }
}

/* Super blocks of which nothing is in use go back. */
static void memory_goes_back(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 2000 : 40000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("slab gives back", "%s", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        ww_slab_options o = WW_SLAB_OPTIONS;
        ww_slab_info before = WW_SLAB_INFO, much = WW_SLAB_INFO, after = WW_SLAB_INFO;
        ww_slab *slab;
        o.buckets = 64;
        o.fixed = true;
        expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &slab, &o), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &before), WW_OK);
        expect_status(device, ww_slab_insert(slab, ww_counting(&ww_type_uint32_t, 0, n), ww_no_input, ww_none), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &much), WW_OK);
        expect_status(device, ww_slab_delete(slab, ww_counting(&ww_type_uint32_t, 0, n), ww_none), WW_OK);
        expect_status(device, ww_slab_flush(slab), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &after), WW_OK);
        expect(much.memory > 2 * before.memory && much.slabs >= n / 14 - 64 && after.memory == before.memory);
        expect(after.slabs == 0 && after.pairs == 0 && after.dead == 0 && after.buckets == 64);
        expect_status(device, ww_slab_check(slab), WW_OK);
        ww_slab_close(slab);
        ww_close(device);
    }
}

/* ---- buckets that are taken away ---- */

/* A dictionary grows from few buckets, loses most of its pairs batch by batch, and gives its memory back meanwhile; what is left is
 * there, in lists that are short. It grows again. */
static void try_shrinking(ww_device *device, const kinds *k, uint32_t percent, const counting_allocator *counter) {
    const bool long_lists = percent > 100; /* merged ones often want a slab more; memory is behind first slabs then */
    const uint32_t n = on_emulator() ? 3000 : 100000, batch = n / 20, kept = n / 50;
    const ww_type *const key = k->key, *const value = k->value;
    const ww_input keys = ww_counting(key, 0, n), values = value ? ww_counting(value, 3, n) : ww_no_input;
    ww_slab_options o = WW_SLAB_OPTIONS;
    ww_slab_info full = WW_SLAB_INFO, now = WW_SLAB_INFO;
    ww_slab *slab;
    uint8_t *const statuses = need(n);
    ww_array found = numbers(n, value ? value : key);
    o.buckets = 5;
    o.percent = percent;
    expect_status(device, ww_slab_open(device, key, value, 0, &slab, &o), WW_OK);
    for (int round = 0; round < 2; round++) {
        expect_status(device, ww_slab_insert(slab, keys, values, ww_none), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &full), WW_OK);
        const size_t live = counter->live_bytes;
        for (uint32_t at = kept; at < n; at += batch) {
            const uint32_t many = n - at < batch ? n - at : batch;
            const ww_input gone = ww_counting(key, at, many);
            const uint64_t buckets = slab->table.buckets;
            expect_status(device,
                          round ? ww_slab_delete_all(slab, gone, ww_none)
                                : ww_slab_delete(slab, gone, ww_array(statuses, many)),
                          WW_OK);
            expect_status(device, ww_slab_check(slab), WW_OK);
            expect(buckets - slab->table.buckets <= many); /* what its operations pay for */
        }
        for (uint32_t i = 0; i < 10; i++) /* buckets go on going with any operation that changes it */
            expect_status(device, ww_slab_delete(slab, ww_counting(key, n, batch), ww_none), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &now), WW_OK);
        expect(now.pairs == kept);
        expect(now.buckets >= 5 && now.buckets * now.slab_slots <= 4 * (kept * 100 / percent + now.slab_slots));
        expect(long_lists || now.memory < full.memory / 4);
        if (counter->requests) expect(live - counter->live_bytes == full.memory - now.memory);
        expect_status(device, ww_slab_flush(slab), WW_OK);
        expect_status(device, ww_slab_check(slab), WW_OK);
        expect_status(device, ww_slab_info_get(slab, &now), WW_OK);
        expect(now.buckets == 5 || (now.buckets - 1) * now.slab_slots * percent / 100 <= kept);
        expect(long_lists || now.slabs <= now.buckets / 4);
        memset(found.data, 0x77, n * found.size);
        expect_status(device, ww_slab_search(slab, keys, value ? found : ww_none, ww_array(statuses, n)), WW_OK);
        for (uint32_t i = 0; i < n; i++) {
            expect(statuses[i] == (i < kept ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
            if (value && i < kept) expect(get(found, i) == i + 3);
        }
        expect_status(device, ww_slab_delete(slab, ww_counting(key, 0, kept), ww_none), WW_OK);
    }
    /* What was cleared keeps its memory while it is filled again. */
    expect_status(device, ww_slab_insert(slab, keys, values, ww_none), WW_OK);
    expect_status(device, ww_slab_info_get(slab, &full), WW_OK);
    expect_status(device, ww_slab_clear(slab), WW_OK);
    for (uint32_t at = 0; at < n; at += batch) {
        const ww_input here = ww_counting(key, at, n - at < batch ? n - at : batch);
        expect_status(device,
                      ww_slab_insert(slab, here, value ? ww_counting(value, 0, here.count) : ww_no_input, ww_none),
                      WW_OK);
        expect_status(device, ww_slab_info_get(slab, &now), WW_OK);
        expect(now.buckets == full.buckets && now.memory == full.memory);
    }
    expect_status(device, ww_slab_check(slab), WW_OK);
    ww_slab_close(slab);
    free(statuses), free(found.data);
}

static void shrinking(void **state) {
    (void)state;
    const counting_allocator none = {.requests = 0};
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        for (size_t k = 0; k < KINDS; k++) {
            CASE("slab shrinks", "%s %s", setting_name(d), all_kinds[k].name);
            if (case_wanted() && !left_to_gpus(k)) try_shrinking(device, &all_kinds[k], 60, &none);
        }
        CASE("slab shrinks", "%s long lists", setting_name(d));
        if (case_wanted()) try_shrinking(device, &all_kinds[0], 300, &none);
        ww_close(device);
    }
    CASE("slab shrinks", "counted");
    if (!case_wanted() || on_gpu()) return;
    counting_allocator counter = {.fail_at = SIZE_MAX};
    ww_open_options with = WW_OPEN_OPTIONS;
    ww_device *device;
    with.allocator = counting_allocator_use(&counter);
    expect(ww_open_with("cpu:threads=2", &device, &with) == WW_OK);
    try_shrinking(device, &all_kinds[0], 60, &counter);
    ww_close(device);
    expect(counter.live_bytes == 0);
}

/* A word of a bitmap, from or to the device's memory. */
static void move_word(ww_device *device, uint32_t *to, const uint32_t *from) {
    if (!device->gpu) {
        *to = *from;
        return;
    }
    ww__driver *const driver = device->gpu->driver;
    expect(!driver->copy(driver, to, from, sizeof *to) && !driver->sync(driver));
}

/* Marks all slabs as taken, and keeps the words that were there; or brings these back, but for the slabs that are free now. */
static void take_all_slabs(ww_slab *slab, uint32_t *kept, bool back) {
    for (uint64_t w = 0; w < ww__slab_supers_slabs(&slab->table) / WW__SLAB_WORD; w++) {
        uint32_t *const word = ww__slab_word(&slab->table, slab->layout.bytes, w), next = UINT32_MAX;
        move_word(slab->device, &next, word);
        if (!back) kept[w] = next;
        next = back ? next & kept[w] : UINT32_MAX;
        move_word(slab->device, word, &next);
    }
}

static void delete_nothing(ww_slab *slab, uint32_t from, uint32_t operations, int rounds) {
    for (int round = 0; round < rounds; round++)
        expect_status(slab->device, ww_slab_delete(slab, ww_counting(&ww_type_uint32_t, from, operations), ww_none),
                      WW_OK);
}

/* Where no slab is free, and none can be had, for lists that want one more: buckets stay, and so does all that is in them. */
static void no_slab_to_shrink(void **state) {
    (void)state;
    enum { PAIRS = 3000, LEFT = 700 };
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("slab shrinks without a slab", "%s", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        ww_slab_options o = WW_SLAB_OPTIONS;
        ww_slab *slab;
        uint32_t kept[256], out[LEFT];
        const ww_type *const u32 = &ww_type_uint32_t;
        const ww_input all_keys = ww_counting(u32, 0, PAIRS);
        o.buckets = 3;
        o.percent = 300;
        expect_status(device, ww_slab_open(device, u32, u32, 0, &slab, &o), WW_OK);
        expect_status(device, ww_slab_insert(slab, all_keys, all_keys, ww_none), WW_OK);
        slab->cleared = true; /* so that no bucket goes while lists become short */
        expect_status(device, ww_slab_delete(slab, ww_counting(u32, LEFT, PAIRS - LEFT), ww_none), WW_OK);
        delete_nothing(slab, PAIRS, 100, 5);
        slab->cleared = false;
        const uint64_t buckets = slab->table.buckets, limit = slab->memory_limit;
        expect(ww__slab_supers_slabs(&slab->table) / WW__SLAB_WORD <= 256 && slab->dead == 0);
        take_all_slabs(slab, kept, false);
        slab->memory_limit = slab->memory;
        slab->percent = 1000;
        delete_nothing(slab, PAIRS, 5, 10);
        expect(slab->table.buckets == buckets);
        take_all_slabs(slab, kept, true);
        expect_status(device, ww_slab_check(slab), WW_OK);
        expect_status(device, ww_slab_search(slab, ww_counting(u32, 0, LEFT), ww_array(out, LEFT), ww_none), WW_OK);
        for (uint32_t i = 0; i < LEFT; i++) expect(out[i] == i);
        slab->memory_limit = limit;
        delete_nothing(slab, PAIRS, 5, 40);
        expect(slab->table.buckets <= 2 * (LEFT / (slab->layout.slots * 10) + 1) + 1);
        expect_status(device, ww_slab_check(slab), WW_OK);
        ww_slab_close(slab);
        ww_close(device);
    }
}

/* ---- claims that nobody goes on with ---- */

/* A slot that was claimed by somebody who stands still is taken away, and the operation goes on. */
static void claims_are_taken_away(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short() && !on_gpu(); d++)
        for (int operation = WW_SLAB_SEARCH; operation <= WW_SLAB_DELETE_ALL; operation++) {
            CASE("slab claims", "%s operation %d", setting_name(d), operation);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(d);
            ww_slab_options o = WW_SLAB_OPTIONS;
            ww_slab *slab;
            uint32_t key = 3, value = 4;
            uint8_t kind = (uint8_t)operation, what = 99;
            o.buckets = 1;
            expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
            uint32_t *const states = ww__slab_states(slab->table.segment[0], slab->layout.bytes);
            *states = 1;
            expect_status(device,
                          ww_slab_mixed(slab, ww_memory(&kind, 1), ww_memory(&key, 1), ww_memory(&value, 1), ww_none,
                                        ww_array(&what, 1)),
                          WW_OK);
            const bool puts = operation == WW_SLAB_INSERT || operation == WW_SLAB_REPLACE;
            expect(what == (puts ? WW_SLAB_INSERTED : WW_SLAB_ABSENT));
            /* An insert need not look at what others have claimed. */
            expect(*states == (operation == WW_SLAB_INSERT ? 0x20003u : puts ? 0x30002u : 0x10000u));
            if (operation == WW_SLAB_INSERT) {
                expect_status(device, ww_slab_check(slab), WW_INVALID);
                expect_sentence(device, "bucket 0", "claimed");
            }
            ww_slab_close(slab);
            ww_close(device);
        }
}

/* ---- the walk sees what is broken ---- */

static void expect_broken(ww_device *device, ww_slab *slab, const char *says) {
    expect_status(device, ww_slab_check(slab), WW_INVALID);
    expect_sentence(device, says);
}

static void breakage(void **state) {
    (void)state;
    if (on_gpu()) return;
    ww_device *device = setting_open(0);
    CASE("slab broken", "%s", setting_name(0));
    if (!case_wanted()) {
        ww_close(device);
        return;
    }
    ww_slab_options o = WW_SLAB_OPTIONS;
    ww_slab *slab;
    o.buckets = 2;
    o.fixed = true;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &slab, &o), WW_OK);
    expect_status(device, ww_slab_insert(slab, ww_counting(&ww_type_uint32_t, 0, 100), ww_no_input, ww_none), WW_OK);
    expect_status(device, ww_slab_check(slab), WW_OK);
    unsigned char *const base = slab->table.segment[0];
    const uint32_t bytes = slab->layout.bytes;
    uint32_t *const states = ww__slab_states(base, bytes), *const next = ww__slab_next(base, bytes);
    uint32_t *const word = ww__slab_word(&slab->table, bytes, 0);
    const uint32_t was_states = *states, was_next = *next, was_word = *word, was_key = *(uint32_t *)(void *)base;
    uint32_t *const second = ww__slab_next(ww__slab_unit(&slab->table, bytes, was_next - 1), bytes),
                    was_second = *second;
    *second = was_next;
    expect_broken(device, slab, "in another list too");
    *second = was_second;
    *next = 1000;
    expect_broken(device, slab, "and there are");
    *next = was_next;
    *word |= 1u << 31;
    expect_broken(device, slab, "slabs are taken");
    *word = 0;
    expect_broken(device, slab, "which is free");
    *word = was_word;
    *states &= ~1u;
    expect_broken(device, slab, "pairs, and");
    *states = was_states & 0xFFFEFFFEu;
    expect_broken(device, slab, "not used in their order");
    *states = was_states & ~(1u << 13 | 1u << 29);
    expect_broken(device, slab, "after a slab with empty slots");
    *states = was_states;
    *states = was_states & 0x3FFF3FFFu;
    expect_broken(device, slab, "after its first slab, whose filter does not say so");
    *states = was_states;
    for (uint32_t key = 0; ww_slab_check(slab) == WW_OK; key++) *(uint32_t *)(void *)base = key;
    expect_sentence(device, "belongs to bucket 1");
    *(uint32_t *)(void *)base = was_key;
    slab->dead++;
    expect_broken(device, slab, "dead slots");
    slab->dead--;
    expect_status(device, ww_slab_check(slab), WW_OK);
    ww_slab_close(slab);
    ww_close(device);
}

/* ---- wrong arguments ---- */

WW_COMBINE(second, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(0), { return b ? b : a; });

static void wrong_arguments(void **state) {
    (void)state;
    enum { N = 5 };
    ww_device *device = setting_open(0);
    ww_slab *slab = NULL, *set = NULL;
    uint32_t *const keys = need(4 * N), *const values = need(4 * N), *const offsets = need(4 * (N + 1));
    uint64_t *const wide = need(8 * N);
    uint8_t *const statuses = need(N), *const operations = need(N);
    CASE("slab wrong", "%s", setting_name(0));
    if (!case_wanted()) {
        ww_close(device);
        return;
    }
    for (uint32_t i = 0; i < N; i++) keys[i] = i, values[i] = 10 + i, wide[i] = i, operations[i] = 1, offsets[i] = 0;
    offsets[N] = 0;
    ww_slab_options o = WW_SLAB_OPTIONS;
    expect_status(device, ww_slab_open(device, &ww_type_float, NULL, 0, &slab, NULL), WW_TYPE);
    expect_sentence(device, "ww_slab_open", "f32");
    expect(!slab);
    expect_status(device, ww_slab_open(device, NULL, NULL, 0, &slab, NULL), WW_TYPE);
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_double, 0, &slab, NULL), WW_TYPE);
    expect_sentence(device, "values", "f64");
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, NULL, NULL), WW_INVALID);
    expect(ww_slab_open(NULL, &ww_type_uint32_t, NULL, 0, &slab, NULL) == WW_INVALID);
    o.percent = 9;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &slab, &o), WW_INVALID);
    expect_sentence(device, "percent is 9");
    o.percent = 0, o.buckets = (UINT64_C(1) << 31) + 1;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &slab, &o), WW_LIMIT);
    o.buckets = 100, o.memory_limit = 1000;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &slab, &o), WW_MEMORY);
    expect_sentence(device, "limit is 1000");
    o.memory_limit = 0, o.reserved[1] = 1;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &slab, &o), WW_INVALID);
    expect(!slab);

    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, NULL), WW_OK);
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, NULL, 0, &set, NULL), WW_OK);
    const ww_input k = ww_memory(keys, N), v = ww_memory(values, N), none = ww_no_input;
    const ww_array s = ww_array(statuses, N), w = ww_array(values, N);
#define WRONG(call, status, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
    } while (0)
    WRONG(ww_slab_insert(slab, ww_memory(wide, N), v, s), WW_TYPE, "ww_slab_insert", "keys", "u64");
    WRONG(ww_slab_insert(slab, k, none, s), WW_INVALID, "values is missing");
    WRONG(ww_slab_insert(set, k, v, s), WW_TYPE, "values is given");
    WRONG(ww_slab_replace(slab, k, ww_memory(wide, N), s), WW_TYPE, "values", "u64");
    WRONG(ww_slab_replace(slab, k, ww_memory(values, N - 1), s), WW_INVALID, "4", "5");
    WRONG(ww_slab_replace(slab, k, v, ww_array(statuses, N - 1)), WW_INVALID, "statuses has 4");
    WRONG(ww_slab_replace(slab, k, v, w), WW_TYPE, "statuses is of type u32");
    WRONG(ww_slab_combine(slab, NULL, k, v, s), WW_INVALID, "ww_slab_combine", "operator");
    WRONG(ww_slab_combine(slab, &ww_ascending, k, v, s), WW_TYPE, "u32");
    WRONG(ww_slab_combine(slab, &second_ww, k, v, s), WW_INVALID, "second does not commute");
    WRONG(ww_slab_combine(set, &ww_add, k, none, s), WW_TYPE, "no values");
    WRONG(ww_slab_delete(slab, none, s), WW_INVALID, "keys");
    WRONG(ww_slab_delete(slab, k, ww_array((uint8_t *)(void *)keys, N)), WW_OVERLAP, "statuses");
    WRONG(ww_slab_delete_all(slab, ww_memory(wide, N), s), WW_TYPE, "ww_slab_delete_all");
    WRONG(ww_slab_search(slab, k, ww_array(wide, N), s), WW_TYPE, "values is of type u64");
    WRONG(ww_slab_search(set, k, w, s), WW_TYPE, "no values");
    WRONG(ww_slab_search(slab, k, ww_array(keys + 1, N - 1), ww_none), WW_INVALID, "values has 4");
    WRONG(ww_slab_count(slab, k, ww_array(statuses, N)), WW_TYPE, "counts");
    WRONG(ww_slab_count(slab, k, ww_array(values, N - 1)), WW_INVALID, "counts has 4");
    WRONG(ww_slab_search_all(slab, k, ww_memory(offsets, N), w), WW_INVALID, "one more than keys");
    WRONG(ww_slab_search_all(set, k, ww_memory(offsets, N + 1), w), WW_TYPE, "no values");
    WRONG(ww_slab_search_all(slab, k, ww_memory(offsets, N + 1), ww_array(wide, N)), WW_TYPE, "values is of type u64");
    WRONG(ww_slab_mixed(slab, v, k, v, ww_none, s), WW_TYPE, "operations is of type u32");
    WRONG(ww_slab_mixed(slab, ww_memory(operations, N - 1), k, v, ww_none, s), WW_INVALID, "operations has 4");
    WRONG(ww_slab_mixed(slab, ww_memory(operations, N), k, v, w, s), WW_OVERLAP, "values", "found");
    WRONG(ww_slab_pairs(slab, ww_array(wide, N), ww_none, ww_array(values, 1)), WW_TYPE, "keys is of type u64");
    WRONG(ww_slab_info_get(slab, NULL), WW_INVALID, "info");
    expect(ww_slab_insert(NULL, k, v, s) == WW_INVALID && ww_slab_flush(NULL) == WW_INVALID);
    expect(ww_slab_check(NULL) == WW_INVALID && ww_slab_search(NULL, k, w, s) == WW_INVALID);
    ww_slab_close(NULL);

    /* Found in the data. */
    expect_status(device, ww_slab_insert(slab, k, v, ww_none), WW_OK);
    operations[3] = 77, operations[4] = 6;
    WRONG(ww_slab_mixed(slab, ww_memory(operations, N), k, v, ww_none, ww_none), WW_RANGE, "operation 3 ");
    for (uint32_t i = 0; i <= N; i++) offsets[i] = i;
    offsets[2] = 1;
    uint32_t *const out = need(4 * N);
    WRONG(ww_slab_search_all(slab, k, ww_memory(offsets, N + 1), ww_array(out, N)), WW_RANGE, "key 1 ");
    offsets[2] = 2;
    WRONG(ww_slab_search_all(slab, k, ww_memory(offsets, N + 1), ww_array(out, N - 1)), WW_RANGE, "key 4 ");
    WRONG(ww_slab_pairs(slab, ww_array(out, N - 1), ww_none, ww_array(wide, 1)), WW_LIMIT, "capacity of 4",
          "there are 5");
    expect(wide[0] == N);
    expect_status(device, ww_slab_check(slab), WW_OK);
    ww_slab_close(slab);
    ww_slab_close(set);
    free(keys);
    free(values);
    free(offsets);
    free(wide);
    free(statuses);
    free(operations);
    free(out);
    ww_close(device);
}

/* Computed inputs, nothing at all, arrays in the host's own memory, and results in the keys' own. */
WW_MAP(thrice, uint64_t, uint64_t, x, void, none, { return 3 * x; });

static void inputs(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 300 : 20000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("slab inputs", "%s", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        ww_slab *slab;
        uint64_t *const keys = malloc(n * sizeof *keys); /* which a GPU does not reach */
        uint8_t *const statuses = malloc(n);
        expect_status(device, ww_slab_open(device, &ww_type_uint64_t, &ww_type_uint64_t, n, &slab, NULL), WW_OK);
        expect_status(device,
                      ww_slab_replace(slab, ww_mapped(&thrice_ww, ww_counting(&ww_type_uint64_t, 0, n)),
                                      ww_counting(&ww_type_uint64_t, 1, n), ww_none),
                      WW_OK);
        for (uint32_t i = 0; i < n; i++) keys[i] = i;
        expect_status(device, ww_slab_search(slab, ww_memory(keys, n), ww_array(keys, n), ww_array(statuses, n)),
                      WW_OK);
        for (uint32_t i = 0; i < n; i++) {
            expect(statuses[i] == (i % 3 ? WW_SLAB_ABSENT : WW_SLAB_FOUND));
            expect(keys[i] == (i % 3 ? i : i / 3 + 1));
        }
        expect_status(device, ww_slab_search(slab, ww_memory(keys, 0), ww_array(keys, 0), ww_none), WW_OK);
        expect_status(device, ww_slab_insert(slab, ww_memory(keys, 0), ww_memory(keys, 0), ww_none), WW_OK);
        expect_status(device, ww_slab_check(slab), WW_OK);
        free(keys);
        free(statuses);
        ww_slab_close(slab);
        ww_close(device);
    }
}

/* An operator that reads an environment. */
WW_COMBINE_WITH(add_modulo, uint32_t, a, b, uint32_t, m, WW_COMMUTES, WW_IDENTITY(0), { return (a + b) % *m; });

static void operators(void **state) {
    (void)state;
    enum { N = 3000, KEYS = 7 };
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("slab operators", "%s", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        ww_slab *slab;
        uint32_t *const keys = need(4 * N), *const values = need(4 * N), *const got = need(4 * KEYS);
        uint32_t wanted[KEYS] = {0};
        const uint32_t modulus = 1009;
        for (uint32_t i = 0; i < N; i++) {
            keys[i] = i % KEYS;
            values[i] = i % modulus;
            wanted[i % KEYS] = (wanted[i % KEYS] + values[i]) % modulus;
        }
        const ww_input k = ww_memory(keys, N), v = ww_memory(values, N);
        expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, NULL), WW_OK);
        expect_status(device, ww_slab_combine(slab, &add_modulo_ww, k, v, ww_none), WW_INVALID);
        expect_sentence(device, "add_modulo", "environment");
        expect_status(device, ww_slab_combine(slab, ww_with(add_modulo, &modulus), k, v, ww_none), WW_OK);
        expect_status(
            device, ww_slab_search(slab, ww_counting(&ww_type_uint32_t, 0, KEYS), ww_array(got, KEYS), ww_none), WW_OK);
        expect_elements(got, wanted, KEYS, 4);
        ww_slab_close(slab);
        free(keys), free(values), free(got);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(claims_are_taken_away),
        cmocka_unit_test(breakage),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(growing),
        cmocka_unit_test(staying),
        cmocka_unit_test(memory_ends),
        cmocka_unit_test(memory_goes_back),
        cmocka_unit_test(inputs),
        cmocka_unit_test(operators),
        cmocka_unit_test(few_keys),
        cmocka_unit_test(shrinking),
        cmocka_unit_test(growing_without_pause),
        cmocka_unit_test(no_slab_to_shrink),
    };
    return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
