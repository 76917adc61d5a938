/* The ordered dictionary against a sorted list: random programs of all its operations, with a walk through the structure after
 * each; what the manual says of batches, room and errors; and damage that the walk has to find. */
#include <stdio.h>

#include "dictionary/lsm.h"
#include "reference/dictionary.h"
#include "support/cases.h"

typedef unsigned long long ull;

/* ---- dictionaries of every kind ---- */

typedef struct kind {
    const char *name;
    const ww_type *key, *value;
    size_t value_size;
} kind;

WW_STRUCT(pair_of, { uint32_t a, b, c; });

static const kind kinds[] = {{"u32 to u32", &ww_type_uint32_t, &ww_type_uint32_t, 4},
                             {"u64 to nothing", &ww_type_uint64_t, NULL, 0},
                             {"u32 to rec:24", &ww_type_uint32_t, &ww_type_record, 24},
                             {"u64 to u64", &ww_type_uint64_t, &ww_type_uint64_t, 8},
                             {"u64 to rec:64", &ww_type_uint64_t, &ww_type_record, 64},
                             {"u32 to nothing", &ww_type_uint32_t, NULL, 0},
                             {"u32 to a struct", &ww_type_uint32_t, &pair_of_ww, 12},
                             {"u64 to rec:3", &ww_type_uint64_t, &ww_type_record, 3},
                             {"u32 to u8", &ww_type_uint32_t, &ww_type_uint8_t, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST = 6000 };

/* A dictionary and what it should have, and room for what calls read and write. */
typedef struct subject {
    ww_device *device;
    const kind *k;
    ww_lsm *lsm;
    reference_dictionary wanted;
    uint64_t batch, domain, state; /* domain: different keys */
    void *keys, *highs;
    unsigned char *values;
    uint8_t *flags;
} subject;

static ww_lsm *open_lsm(ww_device *device, const kind *k, uint64_t batch) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_lsm *lsm = NULL;
    options.value_size = k->value == &ww_type_record ? k->value_size : 0;
    options.batch = batch;
    expect_status(device, ww_lsm_open(device, k->key, k->value, &options, &lsm), WW_OK);
    return lsm;
}

static subject subject_new(ww_device *device, const kind *k, uint64_t batch, uint64_t domain, uint64_t seed) {
    subject s = {.device = device, .k = k, .batch = batch, .domain = domain, .state = seed};
    s.lsm = open_lsm(device, k, batch);
    s.keys = need(MOST * 8);
    s.highs = need(MOST * 8);
    s.values = need(MOST * 64);
    s.flags = need(MOST);
    return s;
}

static void subject_free(subject *s) {
    ww_lsm_close(s->lsm);
    reference_dictionary_clear(&s->wanted);
    free(s->keys);
    free(s->highs);
    free(s->values);
    free(s->flags);
}

static uint64_t below(subject *s, uint64_t n) { return n ? random_next(&s->state) % n : 0; }

/* Key number i of the domain: the ends of all numbers, then some between. */
static uint64_t key_number(const subject *s, uint64_t i) {
    const uint64_t most = s->k->key->size == 4 ? UINT32_MAX : UINT64_MAX;
    if (i == 0) return most;
    if (i == 1) return 0;
    return most / s->domain * (i - 1) + (i & 1);
}

static uint64_t some_key(subject *s) {
    const uint64_t key = key_number(s, below(s, s->domain));
    if (below(s, 8)) return key;
    return s->k->key->size == 4 ? (uint32_t)(key + 1) : key + 1; /* one that is not of the domain, as a rule */
}

static void put_key(const subject *s, void *keys, size_t i, uint64_t key) {
    if (s->k->key->size == 4)
        ((uint32_t *)keys)[i] = (uint32_t)key;
    else
        ((uint64_t *)keys)[i] = key;
}

static uint64_t get_key(const subject *s, const void *keys, size_t i) {
    return s->k->key->size == 4 ? ((const uint32_t *)keys)[i] : ((const uint64_t *)keys)[i];
}

static ww_input keys_in(const subject *s, const void *keys, size_t n) { return ww_memory_of(keys, n, s->k->key); }

static ww_array values_array(const subject *s, void *data, size_t n) {
    const ww_array a = {data, n, s->k->value, s->k->value_size, {0, 0}};
    return s->k->value ? a : ww_none;
}

static ww_input values_in(const subject *s, size_t n) {
    return s->k->value ? ww_from(values_array(s, s->values, n)) : ww_no_input();
}

static void check_structure(subject *s) {
    ww_lsm_info info = WW_LSM_INFO;
    expect_status(s->device, ww_lsm_check(s->lsm), WW_OK);
    expect_status(s->device, ww_lsm_info_get(s->lsm, &info), WW_OK);
    expect(info.levels <= 48 && (info.levels != 0) == (info.elements != 0));
    expect(info.elements >= s->wanted.count && info.oldest <= info.elements);
    expect(info.bytes == info.level_bytes + info.index_bytes + info.spare_bytes);
    expect(info.level_bytes >= info.needed_bytes);
    expect(info.needed_bytes >= info.elements * (s->k->key->size + s->k->value_size));
}

/* ---- updates ---- */

static size_t some_length(subject *s, size_t most) {
    const uint64_t around = s->batch << below(s, 4);
    uint64_t n = 0;
    switch (below(s, 4)) {
    case 0:
        n = below(s, 4);
        break;
    case 1:
        n = around + below(s, 3) - 1;
        break;
    default:
        n = below(s, most);
    }
    return (size_t)(n > most ? most : n);
}

static void fill_batch(subject *s, size_t n) {
    const bool few = below(s, 4) == 0;
    const uint64_t first = below(s, s->domain);
    for (size_t i = 0; i < n; i++) {
        put_key(s, s->keys, i, few ? key_number(s, (first + below(s, 3)) % s->domain) : some_key(s));
        s->flags[i] = below(s, 3) == 0 ? (uint8_t)(1 + below(s, 255)) : 0;
    }
    for (size_t i = 0; i < n * s->k->value_size; i++) s->values[i] = (unsigned char)random_next(&s->state);
}

static void insert_wanted(subject *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        reference_dictionary_insert(&s->wanted, get_key(s, s->keys, i), s->values + i * s->k->value_size,
                                    s->k->value_size);
}

static void insert(subject *s, size_t most) {
    const size_t n = some_length(s, most);
    fill_batch(s, n);
    insert_wanted(s, n);
    expect_status(s->device, ww_lsm_insert(s->lsm, keys_in(s, s->keys, n), values_in(s, n)), WW_OK);
}

static void delete(subject *s, size_t most) {
    const size_t n = some_length(s, most);
    fill_batch(s, n);
    for (size_t i = 0; i < n; i++) reference_dictionary_delete(&s->wanted, get_key(s, s->keys, i));
    expect_status(s->device, ww_lsm_delete(s->lsm, keys_in(s, s->keys, n)), WW_OK);
}

static void update(subject *s, size_t most) {
    const size_t n = some_length(s, most);
    fill_batch(s, n);
    insert_wanted(s, n);
    for (size_t i = 0; i < n; i++)
        if (s->flags[i]) reference_dictionary_delete(&s->wanted, get_key(s, s->keys, i));
    expect_status(s->device,
                  ww_lsm_update(s->lsm, keys_in(s, s->keys, n), values_in(s, n), ww_memory(s->flags, n)), WW_OK);
}

static void build(subject *s, size_t most) {
    const size_t n = some_length(s, most);
    fill_batch(s, n);
    reference_dictionary_clear(&s->wanted);
    insert_wanted(s, n);
    expect_status(s->device, ww_lsm_build(s->lsm, keys_in(s, s->keys, n), values_in(s, n)), WW_OK);
}

static void cleanup(subject *s, size_t most) {
    ww_lsm_info info = WW_LSM_INFO;
    (void)most;
    expect_status(s->device, ww_lsm_cleanup(s->lsm), WW_OK);
    expect_status(s->device, ww_lsm_info_get(s->lsm, &info), WW_OK);
    expect(info.elements == s->wanted.count && info.levels <= 1 && !info.spare_bytes);
}

/* ---- queries ---- */

static const unsigned char poison[64] = {
    0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
    0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
    0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
    0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5};

static void expect_value_at(const subject *s, const guarded *values, size_t i, const void *wanted) {
    const size_t size = s->k->value_size;
    if (size) expect_bytes((const unsigned char *)values->data + i * size, wanted, size);
}

static void free_outputs(guarded *a, guarded *b, guarded *c) {
    guarded *const all[] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        guarded_check(all[k]);
        guarded_free(all[k]);
    }
}

/* Asked for again and again the same: in order now and then. */
static void fill_queries(subject *s, size_t n) {
    for (size_t i = 0; i < n; i++) put_key(s, s->keys, i, some_key(s));
    if (below(s, 3)) return;
    const uint64_t first = below(s, s->domain);
    for (size_t i = 0; i < n; i++) put_key(s, s->keys, i, key_number(s, first + i < s->domain ? first + i : 0));
}

static void lookup(subject *s, size_t n) {
    guarded values = guarded_new(n * s->k->value_size), found = guarded_new(n), none = guarded_new(0);
    fill_queries(s, n);
    expect_status(s->device,
                  ww_lsm_lookup(s->lsm, keys_in(s, s->keys, n), values_array(s, values.data, n),
                                ww_array((uint8_t *)found.data, n)),
                  WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = get_key(s, s->keys, i);
        const size_t at = reference_dictionary_at(&s->wanted, key);
        const bool is = at < s->wanted.count && s->wanted.entry[at].key == key;
        expect(((uint8_t *)found.data)[i] == is);
        expect_value_at(s, &values, i, is ? s->wanted.entry[at].value : poison);
    }
    free_outputs(&values, &found, &none);
}

/* Some of the bounds are the wrong way round. */
static void fill_bounds(subject *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = some_key(s), near = key_number(s, 1 + below(s, 4)) - key_number(s, 1);
        const uint64_t b = below(s, 3) ? some_key(s) : a + near;
        const bool turned = below(s, 8) == 0;
        const uint64_t high = s->k->key->size == 4 ? (uint32_t)b : b;
        put_key(s, s->keys, i, (a < high) != turned ? a : high);
        put_key(s, s->highs, i, (a < high) != turned ? high : a);
    }
}

/* The entries from *first on that lie between bounds. */
static size_t between(const subject *s, size_t i, size_t *first) {
    const uint64_t low = get_key(s, s->keys, i), high = get_key(s, s->highs, i);
    size_t end = *first = reference_dictionary_at(&s->wanted, low);
    while (end < s->wanted.count && s->wanted.entry[end].key <= high) end++;
    return end - *first;
}

static void count(subject *s, size_t n) {
    const bool wide = below(s, 2);
    guarded counts = guarded_new(n * (wide ? 8 : 4)), none = guarded_new(0), other = guarded_new(0);
    fill_bounds(s, n);
    expect_status(s->device,
                  ww_lsm_count(s->lsm, keys_in(s, s->keys, n), keys_in(s, s->highs, n),
                               wide ? ww_array((uint64_t *)counts.data, n) : ww_array((uint32_t *)counts.data, n)),
                  WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    for (size_t i = 0, first; i < n; i++)
        expect(between(s, i, &first) == (wide ? ((uint64_t *)counts.data)[i] : ((uint32_t *)counts.data)[i]));
    free_outputs(&counts, &none, &other);
}

/* Bounds whose ranges have no more than so many elements together. */
static size_t fill_ranges(subject *s, size_t n, size_t most) {
    size_t total = 0, first;
    fill_bounds(s, n);
    for (size_t i = 0; i < n; i++) {
        const size_t many = between(s, i, &first);
        if (total + many > most) return i;
        total += many;
    }
    return n;
}

static void expect_ranges(const subject *s, size_t n, const uint64_t *offsets, const guarded *keys,
                          const guarded *values, size_t room) {
    uint64_t at = 0;
    for (size_t i = 0, first; i < n; i++) {
        expect(offsets[i] == at);
        const size_t many = between(s, i, &first);
        for (size_t k = 0; k < many; k++, at++) {
            if (at >= room) continue;
            expect(get_key(s, keys->data, at) == s->wanted.entry[first + k].key);
            expect_value_at(s, values, at, s->wanted.entry[first + k].value);
        }
    }
    expect(offsets[n] == at);
    for (size_t b = at * s->k->key->size; b < keys->bytes; b++) expect(((unsigned char *)keys->data)[b] == 0xA5);
}

/* Offsets first, then all; sometimes with too little room. */
static void range(subject *s, size_t most) {
    const size_t n = fill_ranges(s, most, 4 * MOST);
    guarded offsets = guarded_new((n + 1) * 8);
    uint64_t *const o = offsets.data;
    const ww_array to = ww_array(o, n + 1);
    const ww_input lows = keys_in(s, s->keys, n), highs = keys_in(s, s->highs, n);
    expect_status(s->device, ww_lsm_range(s->lsm, lows, highs, to, ww_none, ww_none), WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    const bool is_short = below(s, 4) == 0 && o[n] > 1;
    const size_t room = (size_t)(is_short ? o[n] / 2 : o[n] + below(s, 3));
    guarded keys = guarded_new(room * s->k->key->size), values = guarded_new(room * s->k->value_size);
    memset(o, 0x77, (n + 1) * 8);
    const ww_status status = ww_lsm_range(s->lsm, lows, highs, to, ww_array_of(keys.data, room, s->k->key),
                                          values_array(s, values.data, room));
    expect_status(s->device, status, is_short && !on_gpu() ? WW_LIMIT : WW_OK);
    if (status) expect_sentence(s->device, "room");
    expect_status(s->device, ww_sync(s->device), WW_OK);
    expect_ranges(s, n, o, &keys, &values, room);
    free_outputs(&offsets, &keys, &values);
}

/* The neighbour's position in the list; its count: there is none. */
static size_t neighbour(const subject *s, uint64_t key, bool above, bool or_equal) {
    size_t at = reference_dictionary_at(&s->wanted, key);
    const bool there = at < s->wanted.count && s->wanted.entry[at].key == key;
    if (there && or_equal) return at;
    if (above) return there ? at + 1 : at;
    return at ? at - 1 : s->wanted.count;
}

static void step(subject *s, size_t n) {
    guarded keys = guarded_new(n * s->k->key->size), values = guarded_new(n * s->k->value_size), found = guarded_new(n);
    const bool above = below(s, 2), or_equal = below(s, 2);
    const ww_array keys_out = ww_array_of(keys.data, n, s->k->key), values_out = values_array(s, values.data, n),
                   found_out = ww_array((uint8_t *)found.data, n);
    fill_queries(s, n);
    const ww_input in = keys_in(s, s->keys, n);
    expect_status(s->device,
                  above ? ww_lsm_successor(s->lsm, in, or_equal, keys_out, values_out, found_out)
                        : ww_lsm_predecessor(s->lsm, in, or_equal, keys_out, values_out, found_out),
                  WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    for (size_t i = 0; i < n; i++) {
        const size_t at = neighbour(s, get_key(s, s->keys, i), above, or_equal);
        const bool is = at < s->wanted.count;
        expect(((uint8_t *)found.data)[i] == is);
        if (is) expect(get_key(s, keys.data, i) == s->wanted.entry[at].key);
        expect_value_at(s, &values, i, is ? s->wanted.entry[at].value : poison);
    }
    free_outputs(&keys, &values, &found);
}

static void ends(subject *s, size_t n) {
    guarded key = guarded_new(8), value = guarded_new(s->k->value_size), none = guarded_new(0);
    (void)n;
    for (int largest = 0; largest < 2; largest++) {
        uint8_t found = 77;
        const size_t at = largest ? s->wanted.count - 1 : 0;
        const ww_array to = ww_array_of(key.data, 1, s->k->key), value_to = values_array(s, value.data, 1);
        expect_status(s->device,
                      largest ? ww_lsm_maximum(s->lsm, to, value_to, ww_array(&found, 1))
                              : ww_lsm_minimum(s->lsm, to, value_to, ww_array(&found, 1)),
                      WW_OK);
        expect_status(s->device, ww_sync(s->device), WW_OK);
        expect(found == (s->wanted.count != 0));
        if (!found) continue;
        expect(get_key(s, key.data, 0) == s->wanted.entry[at].key);
        expect_value_at(s, &value, 0, s->wanted.entry[at].value);
    }
    free_outputs(&key, &value, &none);
}

static void entries(subject *s, size_t n) {
    const bool is_short = below(s, 4) == 0 && s->wanted.count > 1;
    const size_t room = is_short ? s->wanted.count / 2 : s->wanted.count + 2;
    guarded keys = guarded_new(room * s->k->key->size), values = guarded_new(room * s->k->value_size),
            none = guarded_new(0);
    uint64_t count = 77, size = 77;
    (void)n;
    const ww_status status = ww_lsm_entries(s->lsm, ww_array_of(keys.data, room, s->k->key),
                                            values_array(s, values.data, room), ww_array(&count, 1));
    expect_status(s->device, status, is_short ? WW_LIMIT : WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    expect(count == s->wanted.count);
    for (size_t i = 0; i < s->wanted.count && i < room; i++) {
        expect(get_key(s, keys.data, i) == s->wanted.entry[i].key);
        expect_value_at(s, &values, i, s->wanted.entry[i].value);
    }
    expect_status(s->device, ww_lsm_size(s->lsm, &size), WW_OK);
    expect(size == count);
    free_outputs(&keys, &values, &none);
}

/* ---- programs ---- */

typedef void operation(subject *s, size_t most);

static void run_step(subject *s, size_t updated, size_t asked) {
    static operation *const updates[] = {insert, insert, insert, delete, update, update, update, insert,
                                         delete, insert, update, build,  cleanup};
    static operation *const queries[] = {lookup, count, range, step, ends, entries};
    const size_t drawn = below(s, 60), u = drawn < 58 ? drawn % 11 : drawn - 47;
    updates[u](s, updated);
    check_structure(s);
    const size_t q = below(s, 6);
    queries[q](s, asked ? below(s, asked) : 0);
    if (below(s, 2)) queries[(q + 1) % 6](s, below(s, asked));
    expect_status(s->device, ww_lsm_check(s->lsm), WW_OK);
}

typedef struct program {
    uint64_t batch, domain;
    size_t steps, updated, asked;
} program;

static void run_program(size_t setting, ww_device *device, const kind *k, const program *p, uint64_t seed) {
    CASE("lsm", "%s %s batch=%llu domain=%llu seed=%llu", setting_name(setting), k->name, (ull)p->batch, (ull)p->domain,
         (ull)seed);
    if (!case_wanted()) return;
    subject s = subject_new(device, k, p->batch, p->domain, seed);
    for (size_t i = 0; i < p->steps; i++) run_step(&s, p->updated, p->asked);
    subject_free(&s);
}

static void programs(void **state) {
    static const program all[] = {{1, 3, 60, 6, 10},       {1, 40, 60, 30, 40},   {4, 60, 60, 20, 40},
                                  {8, 1000, 60, 60, 200},  {16, 300, 60, 200, 100}, {64, 900, 40, 700, 1500},
                                  {0, 1500, 24, MOST, MOST}};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t p = 0; p < sizeof all / sizeof *all; p++)
            for (size_t k = 0; k < KINDS; k++) {
                program one = all[p];
                if (on_emulator() && ((p + k) % 3 != 1 || !one.batch)) continue;
                if (on_emulator()) one.steps /= 3;
                if (on_emulator() && one.updated > 200) one.updated = 200, one.asked = 100;
                run_program(s, device, &kinds[k], &one, seed_of_run() + 100 * p + k);
            }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs)};
    return cmocka_run_group_tests_name("lsm", tests, NULL, NULL);
}
