/* Large batches of replaces, and of values that are combined, into empty slab hashes, which a GPU makes insertions of keys that differ: of
 * each key one operation inserts and the others replace, one of their values stays, or all are combined. Keys that differ, that come a
 * few times, very often, or are one key; with statuses and without; batches afterwards; memory that ends. */
#include "support/cases.h"

typedef struct kinds {
    const char *name;
    const ww_type *key, *value;
} kinds;

static const kinds all_kinds[] = {{"u32-u32", &ww_type_uint32_t, &ww_type_uint32_t},
                                  {"u64-u32", &ww_type_uint64_t, &ww_type_uint32_t},
                                  {"u32-u64", &ww_type_uint32_t, &ww_type_uint64_t},
                                  {"u32-none", &ww_type_uint32_t, NULL},
                                  {"u64-u64", &ww_type_uint64_t, &ww_type_uint64_t}};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

/* How often keys come. */
typedef enum often { DIFFERENT, SOME_OF_EACH, RARELY_MANY, FIVE, ONE, OFTENS } often;
static const char *const often_names[] = {"different", "some of each", "skewed", "five", "one"};

typedef struct batch {
    const kinds *k;
    size_t n, keys; /* operations; numbers of keys, 0 … keys - 1, of which not all need to come */
    size_t *number; /* of each operation's key */
    uint64_t *came; /* how often each key did */
    ww_array key, value;
} batch;

static uint64_t key_number(uint64_t i) { return i * UINT64_C(0x9E3779B1) - 7; } /* 0 and the largest are not special */

static void put(ww_array a, size_t i, uint64_t x) {
    if (a.size == 8)
        ((uint64_t *)a.data)[i] = x;
    else
        ((uint32_t *)a.data)[i] = (uint32_t)x;
}
static uint64_t get(ww_array a, size_t i) { return a.size == 8 ? ((uint64_t *)a.data)[i] : ((uint32_t *)a.data)[i]; }
static ww_array numbers(size_t n, const ww_type *type) { return ww_array_of(need(n * type->size + 8), n, type); }

static size_t draw(often x, size_t i, size_t n, uint64_t *state) {
    size_t k = n;
    switch (x) {
    case DIFFERENT:
        return i;
    case SOME_OF_EACH:
        return random_next(state) % (n / 4 + 1);
    case RARELY_MANY:
        while (k > 1 && random_next(state) % 2) k /= 2;
        return random_next(state) % k;
    case FIVE:
        return random_next(state) % 5;
    case ONE:
    case OFTENS:
        break;
    }
    return 0;
}

static batch batch_new(const kinds *k, often x, size_t n) {
    batch b = {.k = k, .n = n, .keys = n};
    uint64_t state = seed_of_run();
    b.number = need(n * sizeof *b.number);
    b.came = calloc(n, sizeof *b.came);
    b.key = numbers(n, k->key);
    b.value = numbers(n, k->value ? k->value : &ww_type_uint32_t);
    for (size_t i = 0; i < n; i++) {
        const size_t from = x == DIFFERENT ? (i * 7919 + 5) % n : i; /* in some order */
        b.number[i] = draw(x, from, n, &state);
        b.came[b.number[i]]++;
        put(b.key, i, key_number(b.number[i]));
        put(b.value, i, i);
    }
    return b;
}

static void batch_free(batch *b) { free(b->number), free(b->came), free(b->key.data), free(b->value.data); }

static size_t different(const batch *b) {
    size_t count = 0;
    for (size_t j = 0; j < b->keys; j++) count += b->came[j] != 0;
    return count;
}

/* ---- what one call did ---- */

static void call(ww_slab *slab, const batch *b, bool combines, ww_array statuses) {
    const ww_input keys = ww_memory_of(b->key.data, b->n, b->k->key);
    const ww_input values = b->k->value ? ww_memory_of(b->value.data, b->n, b->k->value) : ww_no_input;
    if (combines)
        assert_int_equal(ww_slab_combine(slab, &ww_add, keys, values, statuses), WW_OK);
    else
        assert_int_equal(ww_slab_replace(slab, keys, values, statuses), WW_OK);
}

/* One of each key's operations inserts where the dictionary was empty. */
static void expect_statuses(const batch *b, const uint8_t *statuses, bool empty) {
    uint8_t *const inserted = calloc(b->keys, 1);
    for (size_t i = 0; i < b->n; i++) {
        expect(statuses[i] == WW_SLAB_INSERTED || statuses[i] == WW_SLAB_REPLACED);
        if (statuses[i] == WW_SLAB_INSERTED) inserted[b->number[i]]++;
    }
    for (size_t j = 0; j < b->keys; j++) expect(inserted[j] == (empty && b->came[j]));
    free(inserted);
}

/* times: how often the batch has been combined; 0: it was replaced. */
static void expect_pairs(ww_device *device, ww_slab *slab, const batch *b, uint64_t times) {
    ww_slab_info info = WW_SLAB_INFO;
    ww_array wanted = numbers(b->keys, b->k->key), found = numbers(b->keys, b->value.type);
    uint64_t *const sums = calloc(b->keys, sizeof *sums);
    uint8_t *const statuses = need(b->keys);
    for (size_t i = 0; i < b->n; i++) sums[b->number[i]] += times * get(b->value, i);
    for (size_t j = 0; j < b->keys; j++) put(wanted, j, key_number(j));
    expect_status(device, ww_slab_check(slab), WW_OK);
    expect_status(device, ww_slab_info_get(slab, &info), WW_OK);
    expect(info.pairs == different(b));
    expect_status(device,
                  ww_slab_search(slab, ww_memory_of(wanted.data, b->keys, b->k->key), b->k->value ? found : ww_none,
                                 ww_array(statuses, b->keys)),
                  WW_OK);
    for (size_t j = 0; j < b->keys; j++) {
        expect(statuses[j] == (b->came[j] ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
        if (!b->came[j] || !b->k->value) continue;
        const uint64_t value = get(found, j);
        if (times)
            expect(value == (found.size == 8 ? sums[j] : (uint32_t)sums[j]));
        else
            expect(value < b->n && b->number[value] == j);
    }
    free(wanted.data), free(found.data), free(sums), free(statuses);
}

static void try_batch(ww_device *device, const kinds *k, often x, size_t n, bool combines, bool fixed) {
    batch b = batch_new(k, x, n);
    ww_slab *slab;
    ww_slab_options o = WW_SLAB_OPTIONS;
    guarded statuses = guarded_new(n);
    const ww_array out = ww_array((uint8_t *)statuses.data, n);
    o.fixed = fixed;
    o.buckets = fixed ? n / 20 + 1 : 1;
    expect_status(device, ww_slab_open(device, k->key, k->value, 0, &slab, &o), WW_OK);
    memset(statuses.data, 0x77, n);
    call(slab, &b, combines, out);
    expect_statuses(&b, statuses.data, true);
    expect_pairs(device, slab, &b, combines);
    call(slab, &b, combines, out); /* all are there */
    expect_statuses(&b, statuses.data, false);
    expect_pairs(device, slab, &b, combines ? 2 : 0);
    expect_status(device, ww_slab_clear(slab), WW_OK);
    call(slab, &b, combines, ww_none);
    expect_pairs(device, slab, &b, combines);
    guarded_check(&statuses);
    guarded_free(&statuses);
    ww_slab_close(slab);
    batch_free(&b);
}

static void batches(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        for (size_t k = 0; k < KINDS; k++)
            for (size_t x = 0; x < OFTENS; x++)
                for (size_t combines = 0; combines < 1 + (all_kinds[k].value != NULL); combines++) {
                    const size_t n = !on_gpu() ? 5000 : on_emulator() ? 300 : 150000;
                    if (on_emulator() && (k + x + combines) % 3) continue;
                    const bool fixed = x % 2;
                    CASE("slab replace", "%s %s, %s, %s, %s, n=%zu", setting_name(d), all_kinds[k].name, often_names[x],
                         combines ? "combined" : "replaced", fixed ? "fixed" : "growing", n);
                    if (case_wanted()) try_batch(device, &all_kinds[k], (often)x, n, combines, fixed);
                }
        ww_close(device);
    }
}

/* From inputs that are computed, into a dictionary that is opened for as many. */
static void computed(void **state) {
    (void)state;
    const size_t n = !on_gpu() || on_emulator() ? 200 : 100000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("slab replace", "%s computed, n=%zu", setting_name(d), n);
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        ww_slab *slab;
        uint32_t *const out = need(n * 4);
        uint8_t *const statuses = need(n);
        const ww_input keys = ww_counting(&ww_type_uint32_t, 0, n);
        expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, n, &slab, NULL), WW_OK);
        expect_status(device, ww_slab_replace(slab, keys, ww_counting(&ww_type_uint32_t, 9, n), ww_array(statuses, n)),
                      WW_OK);
        expect_status(device, ww_slab_check(slab), WW_OK);
        expect_status(device, ww_slab_search(slab, keys, ww_array(out, n), ww_none), WW_OK);
        for (size_t i = 0; i < n; i++) expect(statuses[i] == WW_SLAB_INSERTED && out[i] == i + 9);
        ww_slab_close(slab);
        free(out);
        free(statuses);
        ww_close(device);
    }
}

/* Too few slabs for all keys: each of a key's operations says whether it is there. */
static void memory_ends(void **state) {
    (void)state;
    const uint32_t n = !on_gpu() || on_emulator() ? 2000 : 100000;
    for (size_t d = 0; d < setting_count_short(); d++)
        for (int combines = 0; combines < 2; combines++) {
            CASE("slab replace", "%s memory ends, %s", setting_name(d), combines ? "combined" : "replaced");
            if (!case_wanted()) continue;
            ww_device *device = setting_open(d);
            ww_slab_options o = WW_SLAB_OPTIONS;
            ww_slab *slab;
            uint32_t *const keys = need(n * 4), *const values = need(n * 4);
            uint8_t *const statuses = need(n), *const found = need(n);
            o.buckets = 7;
            o.fixed = true;
            o.memory_limit = n * 3;
            for (uint32_t i = 0; i < n; i++) keys[i] = i / 2;
            const ww_input in = ww_memory(keys, n), ones = ww_constant(ww_value(uint32_t, 1), n);
            expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
            expect_status(device,
                          combines ? ww_slab_combine(slab, &ww_add, in, ones, ww_array(statuses, n))
                                   : ww_slab_replace(slab, in, ones, ww_array(statuses, n)),
                          WW_MEMORY);
            expect_sentence(device, "operations found no memory");
            expect_status(device, ww_slab_check(slab), WW_OK);
            expect_status(device, ww_slab_search(slab, in, ww_array(values, n), ww_array(found, n)), WW_OK);
            size_t full = 0;
            for (uint32_t i = 0; i < n; i += 2) {
                const bool there = found[i] == WW_SLAB_FOUND;
                uint32_t done = statuses[i] != WW_SLAB_FULL;
                if (statuses[i + 1] != WW_SLAB_FULL) done++;
                full += 2 - done;
                expect(there == (done > 0));
                if (there) expect(values[i] == (combines ? done : 1));
                if (done == 2) expect(statuses[i] + statuses[i + 1] == WW_SLAB_INSERTED + WW_SLAB_REPLACED);
            }
            expect(full > 0 && full < n);
            ww_slab_close(slab);
            free(keys), free(values), free(statuses), free(found);
            ww_close(device);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches), cmocka_unit_test(computed),
                                       cmocka_unit_test(memory_ends)};
    return cmocka_run_group_tests_name("slab replace", tests, NULL, NULL);
}
