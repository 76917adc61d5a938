/* Large batches of insertions into empty slab hashes, which are brought in the order of buckets first, beside ones that are not:
 * what is in the dictionary afterwards is the same. Keys of all sorts, in few long lists and many short ones; what changes the
 * dictionary afterwards; memory that ends. */
#include "device/device.h"
#include "dictionary/slab/slab.h"
#include "support/cases.h"

typedef struct kinds {
    const char *name;
    const ww_type *key, *value;
} kinds;

static const kinds all_kinds[] = {{"u32-u32", &ww_type_uint32_t, &ww_type_uint32_t},
                                  {"u64-u32", &ww_type_uint64_t, &ww_type_uint32_t},
                                  {"u32-none", &ww_type_uint32_t, NULL},
                                  {"u64-u64", &ww_type_uint64_t, &ww_type_uint64_t}};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

/* How keys come: all different, in ranges of buckets or few; or key number i is number i / EQUAL or 0. */
typedef struct shape_of_keys {
    const char *name;
    uint64_t buckets; /* 0: as many as the pairs want */
    bool fixed;
    uint32_t equal; /* pairs of each key; 0: all are one key's */
    uint32_t
        dense; /* pairs for 100 slots of first slabs, instead of a number of buckets: neighbours share slabs; 0: not so */
} shape_of_keys;

static const shape_of_keys shapes[] = {{"different, as expected", 0, false, 1, 0},
                                       {"different, grown from one bucket", 1, false, 1, 0},
                                       {"different, long lists", 13, true, 1, 0},
                                       {"different, dense", 0, true, 1, 120},
                                       {"three of each, dense", 0, true, 3, 95},
                                       {"forty of each, dense", 0, true, 40, 110},
                                       {"all equal, dense", 0, true, 0, 110},
                                       {"few keys, as expected", 0, false, 50000, 0},
                                       {"six of each, grown from five", 5, false, 6, 0},
                                       {"all equal", 40, true, 0, 0},
                                       {"more buckets than pairs", 100000, true, 1, 0}};
enum { BUILT_ON_CPU = 300000 };                             /* many ranges */
enum { BUILT_SHAPES = sizeof shapes / sizeof *shapes - 1 }; /* the last is inserted pair by pair */

typedef struct subject {
    ww_device *device;
    const kinds *k;
    const shape_of_keys *shape;
    ww_slab *slab;
    size_t n, keys; /* pairs, and different keys */
    ww_array key, value, wanted, found;
    uint8_t *status;
} subject;

static ww_array numbers(size_t n, const ww_type *type) { return ww_array_of(need(n * type->size + 8), n, type); }
static void put(ww_array a, size_t i, uint64_t x) {
    if (a.size == 8)
        ((uint64_t *)a.data)[i] = x;
    else
        ((uint32_t *)a.data)[i] = (uint32_t)x;
}
static uint64_t get(ww_array a, size_t i) { return a.size == 8 ? ((uint64_t *)a.data)[i] : ((uint32_t *)a.data)[i]; }
static ww_input all(ww_array a, size_t n) { return ww_memory_of(a.data, n, a.type); }
static ww_array first(ww_array a, size_t n) { return ww_array_of(a.data, n, a.type); }
static ww_input values_in(const subject *s, size_t n) { return s->k->value ? all(s->value, n) : ww_no_input; }
static ww_array found_out(const subject *s, size_t n) { return s->k->value ? first(s->found, n) : ww_none; }

/* Odd multiples are all different; the values of a key's pairs are bits that add up to a mask. */
static uint64_t key_number(uint64_t i) { return (2 * i + 1) * UINT64_C(0x9E3779B1); }
static size_t key_of_pair(const subject *s, size_t i) { return s->shape->equal ? i / s->shape->equal : 0; }

/* Buckets of a shape for n pairs. */
static uint64_t buckets_of(ww_device *device, const kinds *k, const shape_of_keys *shape, size_t n) {
    ww_slab_info info = WW_SLAB_INFO;
    ww_slab *one;
    if (!shape->dense) return shape->buckets;
    expect_status(device, ww_slab_open(device, k->key, k->value, 1, &one, NULL), WW_OK);
    expect_status(device, ww_slab_info_get(one, &info), WW_OK);
    ww_slab_close(one);
    return n * 100 / (info.slab_slots * shape->dense);
}

static subject subject_new(ww_device *device, const kinds *k, const shape_of_keys *shape, size_t n) {
    subject s = {.device = device, .k = k, .shape = shape, .n = n};
    ww_slab_options o = WW_SLAB_OPTIONS;
    o.buckets = buckets_of(device, k, shape, n);
    o.fixed = shape->fixed;
    expect_status(device, ww_slab_open(device, k->key, k->value, n, &s.slab, &o), WW_OK);
    s.keys = key_of_pair(&s, n - 1) + 1;
    s.key = numbers(n, k->key);
    s.wanted = numbers(s.keys + 1, k->key);
    s.value = numbers(n, k->value ? k->value : &ww_type_uint32_t);
    s.found = numbers(s.keys + 1, k->value ? k->value : &ww_type_uint32_t);
    s.status = need(n + 1);
    uint64_t state = seed_of_run();
    for (size_t i = 0; i < n; i++) {
        /* Pair number at of a key has a value that says both. */
        const size_t from = random_next(&state) % (i + 1);
        put(s.key, i, get(s.key, from));
        put(s.value, i, get(s.value, from));
        put(s.key, from, key_number(key_of_pair(&s, i)));
        put(s.value, from, i);
    }
    for (size_t j = 0; j <= s.keys; j++) put(s.wanted, j, j < s.keys ? key_number(j) : 2);
    return s;
}

static void subject_free(subject *s) {
    ww_slab_close(s->slab);
    free(s->key.data), free(s->value.data), free(s->wanted.data), free(s->found.data), free(s->status);
}

static size_t pairs_of(const subject *s, size_t key) {
    if (key == s->keys) return 0;
    if (!s->shape->equal) return s->n;
    const size_t from = key * s->shape->equal, left = s->n - from;
    return left < s->shape->equal ? left : s->shape->equal;
}

static void insert(subject *s) {
    guarded statuses = guarded_new(s->n);
    memset(statuses.data, 0x77, s->n);
    expect_status(
        s->device,
        ww_slab_insert(s->slab, all(s->key, s->n), values_in(s, s->n), ww_array((uint8_t *)statuses.data, s->n)),
        WW_OK);
    for (size_t i = 0; i < s->n; i++) expect(((uint8_t *)statuses.data)[i] == WW_SLAB_INSERTED);
    guarded_check(&statuses);
    guarded_free(&statuses);
    expect_status(s->device, ww_slab_check(s->slab), WW_OK);
}

/* Each key has `times` as many pairs as were brought, of the right values. */
static void expect_pairs(subject *s, size_t times) {
    const size_t n = s->keys + 1, total = times * s->n;
    ww_array counts = numbers(n + 1, &ww_type_uint64_t);
    expect_status(s->device, ww_slab_count(s->slab, all(s->wanted, n), first(counts, n)), WW_OK);
    for (size_t j = 0, sum = 0; j <= n; j++) {
        const size_t count = j < n ? times * pairs_of(s, j) : 0;
        if (j < n) expect(get(counts, j) == count);
        put(counts, j, sum);
        sum += count;
    }
    expect_status(s->device, ww_slab_search(s->slab, all(s->wanted, n), found_out(s, n), ww_array(s->status, n)),
                  WW_OK);
    for (size_t j = 0; j < n; j++) expect(s->status[j] == (times && pairs_of(s, j) ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
    if (s->k->value && total) {
        ww_array out = numbers(total, s->k->value);
        uint8_t *const seen = calloc(s->n, 1);
        expect_status(s->device, ww_slab_search_all(s->slab, all(s->wanted, n), all(counts, n + 1), out), WW_OK);
        for (size_t j = 0; j < s->keys; j++) {
            expect(get(s->found, j) == get(out, get(counts, j))); /* the oldest */
            for (uint64_t at = get(counts, j); at < get(counts, j + 1); at++) {
                const uint64_t i = get(out, at);
                expect(i < s->n && key_of_pair(s, i) == j);
                seen[i]++;
            }
        }
        for (size_t i = 0; i < s->n; i++) expect(seen[i] == times);
        free(seen);
        free(out.data);
    }
    free(counts.data);
}

/* The slabs of a list are neighbours, and none between lists is free: that is how one sees that it was built. */
static void expect_neighbours(const subject *s, bool built) {
    const ww__slab_table *const t = &s->slab->table;
    const uint32_t bytes = s->slab->layout.bytes;
    uint64_t slabs = 0, last = 0, apart = 0;
    if (s->shape->dense) expect(!s->slab->share_log == !built);
    if (!s->device->gpu || !tiles_are_small() || s->slab->share_log)
        return; /* memory that the host does not reach; a CPU's lists */
    for (uint64_t b = 0; b < t->buckets; b++) {
        uint32_t before = 0;
        for (unsigned char *slab = ww__slab_base_of(t, bytes, b); *ww__slab_next(slab, bytes);) {
            const uint32_t next = *ww__slab_next(slab, bytes);
            apart += before && next != before + 1;
            before = next;
            slabs++;
            last = next > last ? next : last;
            slab = ww__slab_unit(t, bytes, next - 1);
        }
    }
    if (built) expect(!apart && last == slabs);
    if (!built && slabs > 40) expect(apart || last != slabs);
}

static void try_shape(ww_device *device, const kinds *k, const shape_of_keys *shape, size_t n) {
    subject s = subject_new(device, k, shape, n);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_scratch_trim(device), WW_OK);
    insert(&s);
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    if (!device->gpu && n >= BUILT_ON_CPU) /* a copy of all pairs is how one sees that */
        expect(info.scratch_peak >= n * (k->key->size + (k->value ? k->value->size : 0)));
    expect_neighbours(&s, shape != &shapes[BUILT_SHAPES]);
    expect_pairs(&s, 1);
    insert(&s); /* beside what is there, one by one */
    expect_pairs(&s, 2);
    expect_status(device, ww_slab_delete_all(s.slab, all(s.wanted, s.keys), ww_none), WW_OK);
    expect_pairs(&s, 0);
    expect_status(device, ww_slab_flush(s.slab), WW_OK);
    insert(&s); /* with what memory there is */
    expect_pairs(&s, 1);
    expect_status(device, ww_slab_clear(s.slab), WW_OK);
    insert(&s);
    expect_neighbours(&s, shape != &shapes[BUILT_SHAPES]);
    expect_status(device, ww_slab_delete(s.slab, all(s.wanted, s.keys), ww_array(s.status, s.keys)), WW_OK);
    for (size_t j = 0; j < s.keys; j++) expect(s.status[j] == WW_SLAB_DELETED);
    expect_status(device, ww_slab_check(s.slab), WW_OK);
    subject_free(&s);
}

/* ---- buckets that share slabs ---- */

/* What a dictionary of one pair a key, at most, is to hold: the value of each key, or 0. */
typedef struct model {
    uint32_t *value;
    size_t keys;
} model;

/* All that can be asked says what the model does. */
static void expect_model(const subject *s, const model *m) {
    ww_slab_info info = WW_SLAB_INFO;
    const size_t n = m->keys;
    ww_array wanted = numbers(n, s->k->key), found = numbers(n, &ww_type_uint32_t),
             counts = numbers(n, &ww_type_uint32_t);
    ww_array keys = numbers(n, s->k->key), values = numbers(n, &ww_type_uint32_t);
    uint8_t *const status = need(n);
    uint64_t count = 0, there = 0;
    for (size_t j = 0; j < n; j++) {
        put(wanted, j, key_number(j));
        there += m->value[j] != 0;
    }
    memset(found.data, 0, n * 4);
    expect_status(s->device, ww_slab_check(s->slab), WW_OK);
    expect_status(s->device, ww_slab_info_get(s->slab, &info), WW_OK);
    expect(info.pairs == there);
    expect_status(s->device, ww_slab_search(s->slab, all(wanted, n), found, ww_array(status, n)), WW_OK);
    expect_status(s->device, ww_slab_count(s->slab, all(wanted, n), counts), WW_OK);
    for (size_t j = 0; j < n; j++) {
        expect(status[j] == (m->value[j] ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
        expect(get(found, j) == m->value[j] && get(counts, j) == (m->value[j] != 0));
    }
    expect_status(s->device, ww_slab_pairs(s->slab, keys, values, ww_array(&count, 1)), WW_OK);
    expect(count == there);
    uint64_t sum = 0, wanted_sum = 0; /* each pair once: of keys and values together, in any order */
    for (size_t i = 0; i < count; i++) sum += get(keys, i) * 31 ^ get(values, i) * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t j = 0; j < n; j++)
        if (m->value[j]) wanted_sum += get(wanted, j) * 31 ^ m->value[j] * UINT64_C(0x9E3779B97F4A7C15);
    expect(sum == wanted_sum);
    free(wanted.data), free(found.data), free(counts.data), free(keys.data), free(values.data), free(status);
}

/* One operation for each key of which `every` divides the number, plus `at`: by the call of the kind, or in a mixed batch. */
static void change(subject *s, model *m, uint8_t operation, bool mixed, size_t every, size_t at, uint32_t add) {
    const size_t most = m->keys / every + 1;
    ww_array keys = numbers(most, s->k->key), values = numbers(most, &ww_type_uint32_t);
    uint8_t *const status = need(most), *const wanted = need(most), *const operations = need(most);
    size_t n = 0;
    for (size_t j = at; j < m->keys; j += every, n++) {
        const bool was = m->value[j];
        const uint32_t value = (uint32_t)j + add;
        put(keys, n, key_number(j));
        put(values, n, value);
        operations[n] = operation;
        wanted[n] = operation == WW_SLAB_REPLACE  ? (was ? WW_SLAB_REPLACED : WW_SLAB_INSERTED)
                    : operation == WW_SLAB_INSERT ? WW_SLAB_INSERTED
                                                  : (was ? WW_SLAB_DELETED : WW_SLAB_ABSENT);
        m->value[j] = operation == WW_SLAB_REPLACE || operation == WW_SLAB_INSERT ? value : 0;
    }
    const ww_array out = ww_array(status, n);
    memset(status, 0x77, most);
    expect_status(s->device,
                  mixed ? ww_slab_mixed(s->slab, ww_memory(operations, n), all(keys, n), all(values, n), ww_none, out)
                  : operation == WW_SLAB_REPLACE ? ww_slab_replace(s->slab, all(keys, n), all(values, n), out)
                  : operation == WW_SLAB_INSERT  ? ww_slab_insert(s->slab, all(keys, n), all(values, n), out)
                  : operation == WW_SLAB_DELETE  ? ww_slab_delete(s->slab, all(keys, n), out)
                                                 : ww_slab_delete_all(s->slab, all(keys, n), out),
                  WW_OK);
    for (size_t i = 0; i < n; i++) expect(status[i] == wanted[i]);
    expect_model(s, m);
    free(keys.data), free(values.data), free(status), free(wanted), free(operations);
}

/* How many first slabs go on where an earlier one does. */
static size_t first_slabs_together(const subject *s) {
    const ww__slab_table *const t = &s->slab->table;
    size_t together = 0;
    for (uint64_t b = 0; b < t->buckets; b++)
        for (uint64_t c = b + 1, is = 0; c < t->buckets && !is; c++) {
            const uint32_t next = *ww__slab_next(ww__slab_base_of(t, s->slab->layout.bytes, b), s->slab->layout.bytes);
            is = next && next == *ww__slab_next(ww__slab_base_of(t, s->slab->layout.bytes, c), s->slab->layout.bytes);
            together += is;
        }
    return together;
}

/* A dense dictionary, of whose buckets some share slabs, changes in all ways: what happens to one bucket is not seen from another. */
static void try_shared(ww_device *device, const kinds *k, size_t n, bool mixed) {
    const shape_of_keys dense = {"dense", 0, true, 1, 120};
    subject s = subject_new(device, k, &dense, n);
    model m = {calloc(n + n / 2, 4), n};
    ww_slab_info before = WW_SLAB_INFO, after = WW_SLAB_INFO;
    for (size_t i = 0; i < n; i++) put(s.key, i, key_number(i)), put(s.value, i, m.value[i] = (uint32_t)i + 1);
    insert(&s);
    expect_model(&s, &m);
    expect(s.slab->share_log);
    if (!device->gpu || tiles_are_small()) expect(n > 1000 || first_slabs_together(&s) > n / 200);
    change(&s, &m, WW_SLAB_DELETE, mixed, 3, 1, 0);
    change(&s, &m, WW_SLAB_DELETE_ALL, mixed, 7, 2, 0);
    m.keys += n / 2; /* keys that have not been there */
    change(&s, &m, WW_SLAB_REPLACE, mixed, 4, 3, 5000);
    expect_status(device, ww_slab_info_get(s.slab, &before), WW_OK);
    expect_status(device, ww_slab_flush(s.slab), WW_OK);
    expect_model(&s, &m);
    expect_status(device, ww_slab_info_get(s.slab, &after), WW_OK);
    expect(before.dead && !after.dead && after.slabs <= before.slabs);
    change(&s, &m, WW_SLAB_DELETE, mixed, 2, 0, 0);
    change(&s, &m, WW_SLAB_REPLACE, mixed, 5, 0, 9000); /* buckets are tidied up before that */
    expect_status(device, ww_slab_flush(s.slab), WW_OK);
    expect_model(&s, &m);
    change(&s, &m, WW_SLAB_DELETE, mixed, 1, 0, 0);
    expect_status(device, ww_slab_flush(s.slab), WW_OK);
    expect_status(device, ww_slab_info_get(s.slab, &after), WW_OK);
    expect(!after.dead && !after.slabs && !after.pairs);
    change(&s, &m, WW_SLAB_INSERT, false, 1, 0, 7); /* built anew */
    change(&s, &m, WW_SLAB_DELETE, mixed, 2, 1, 0);
    free(m.value);
    subject_free(&s);
}

static void shared_slabs(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        for (size_t k = 0; k < 2; k++) {
            const size_t n = (on_gpu() && !on_emulator()) || (!on_gpu() && d) ? 100000 : 900;
            CASE("slab build", "%s %s, shared slabs, n=%zu", setting_name(d), all_kinds[k].name, n);
            if (case_wanted()) try_shared(device, &all_kinds[k], n, (d + k) % 2);
        }
        ww_close(device);
    }
}

static void shapes_of_keys(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        device->stream_bytes = 0; /* a CPU's tables count as larger than its caches */
        for (size_t k = 0; k < KINDS; k++)
            for (size_t x = 0; x <= BUILT_SHAPES; x++) {
                const bool large = !on_gpu() && !d && shapes[x].buckets < 2 && !left_to_gpus(k);
                const size_t n = large                  ? BUILT_ON_CPU
                                 : !on_gpu()            ? 900
                                 : !on_emulator()       ? 200000
                                 : shapes[x].equal == 1 ? 700
                                                        : 250;
                if (on_emulator() && (k + x) % 4 && x != BUILT_SHAPES / 2) continue;
                if (!on_emulator() && on_gpu() && !shapes[x].equal) continue; /* lists of equal keys are long */
                CASE("slab build", "%s %s, %s, n=%zu", setting_name(d), all_kinds[k].name, shapes[x].name, n);
                if (case_wanted()) try_shape(device, &all_kinds[k], &shapes[x], n);
            }
        ww_close(device);
    }
}

/* Around the fewest pairs with which a GPU does it, with statuses and without, from computed inputs. */
static void few_pairs(void **state) {
    (void)state;
    const size_t least = tiles_are_small() ? 32 : 1 << 15;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        uint32_t *const out = need((least + 1) * 4);
        for (size_t n = least - 1; n <= least + 1; n++) {
            CASE("slab build", "%s few, n=%zu", setting_name(d), n);
            if (!case_wanted()) continue;
            ww_slab *slab;
            ww_slab_info info = WW_SLAB_INFO;
            const ww_input keys = ww_counting(&ww_type_uint32_t, 0, n), values = ww_counting(&ww_type_uint32_t, 9, n);
            expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, n, &slab, NULL), WW_OK);
            expect_status(device, ww_slab_insert(slab, keys, values, ww_none), WW_OK);
            expect_status(device, ww_slab_check(slab), WW_OK);
            expect_status(device, ww_slab_info_get(slab, &info), WW_OK);
            expect(info.pairs == n && info.dead == 0);
            expect_status(device, ww_slab_search(slab, keys, ww_array(out, n), ww_none), WW_OK);
            for (size_t i = 0; i < n; i++) expect(out[i] == i + 9);
            ww_slab_close(slab);
        }
        free(out);
        ww_close(device);
    }
}

/* Too few slabs for all: as many pairs as there is room for are inserted one by one, and statuses say which. */
static void memory_ends(void **state) {
    (void)state;
    const uint32_t n = !on_gpu() || on_emulator() ? 2000 : 100000;
    for (size_t d = 0; d < setting_count_short(); d++)
        for (int dense = 0; dense < (on_gpu() ? 1 : 2); dense++) {
            CASE("slab build", "%s memory ends%s", setting_name(d), dense ? ", dense" : "");
            if (!case_wanted()) continue;
            ww_device *device = setting_open(d);
            ww_slab_options o = WW_SLAB_OPTIONS;
            ww_slab *slab;
            uint8_t *const statuses = need(n), *const found = need(n);
            o.buckets = dense ? n / 8 : 7;
            o.fixed = true;
            o.memory_limit = dense ? o.buckets * 75 : n * 5; /* dense: with the first super block, and no other */
            const ww_input keys = ww_counting(&ww_type_uint32_t, 0, n);
            expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
            expect_status(device, ww_slab_insert(slab, keys, keys, ww_array(statuses, n)), WW_MEMORY);
            expect_sentence(device, "operations found no memory");
            expect_status(device, ww_slab_check(slab), WW_OK);
            expect_status(device, ww_slab_search(slab, keys, ww_none, ww_array(found, n)), WW_OK);
            size_t full = 0;
            for (uint32_t i = 0; i < n; i++) {
                full += statuses[i] == WW_SLAB_FULL;
                expect(statuses[i] == (found[i] == WW_SLAB_FOUND ? WW_SLAB_INSERTED : WW_SLAB_FULL));
            }
            expect(full > 0 && full < n);
            ww_slab_close(slab);
            free(statuses);
            free(found);
            ww_close(device);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_of_keys), cmocka_unit_test(shared_slabs),
                                       cmocka_unit_test(few_pairs), cmocka_unit_test(memory_ends)};
    return cmocka_run_group_tests_name("slab build", tests, NULL, NULL);
}
