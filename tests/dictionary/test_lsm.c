/* The ordered dictionary against a sorted list: random programs of all its operations, with a walk through the structure after
 * each; what the manual says of batches, room and errors; and damage that the walk has to find. */
#include <stdio.h>

#include "dictionary/lsm/lsm.h"
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

static const kind kinds[] = {
    {"u32 to u32", &ww_type_uint32_t, &ww_type_uint32_t, 4},   {"u64 to nothing", &ww_type_uint64_t, NULL, 0},
    {"u32 to rec:24", &ww_type_uint32_t, &ww_type_record, 24}, {"u64 to u64", &ww_type_uint64_t, &ww_type_uint64_t, 8},
    {"u64 to rec:64", &ww_type_uint64_t, &ww_type_record, 64}, {"u32 to nothing", &ww_type_uint32_t, NULL, 0},
    {"u32 to a struct", &ww_type_uint32_t, &pair_of_ww, 12},   {"u64 to rec:3", &ww_type_uint64_t, &ww_type_record, 3},
    {"u32 to u8", &ww_type_uint32_t, &ww_type_uint8_t, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST = 6000 };

/* A dictionary and what it should have, and room for what calls read and write. */
typedef struct subject {
    ww_device *device;
    const kind *k;
    ww_lsm *lsm;
    reference_dictionary wanted;
    uint64_t batch, domain, state; /* domain: different keys */
    bool in_host;                  /* arrays lie in the host's own memory, which a GPU may not reach */
    void *keys, *highs;
    unsigned char *values;
    uint8_t *flags;
} subject;

static ww_lsm *open_lsm(ww_device *device, const kind *k, uint64_t batch) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_lsm *lsm = NULL;
    options.value_size = k->value == &ww_type_record ? k->value_size : 0;
    options.batch = batch;
    expect_status(device, ww_lsm_open(device, k->key, k->value, &lsm, &options), WW_OK);
    return lsm;
}

static void *room_of(const subject *s, size_t bytes) {
    void *const room = s->in_host ? malloc(bytes) : need(bytes);
    assert_non_null(room);
    return room;
}

static guarded output_new(const subject *s, size_t bytes) {
    return s->in_host ? guarded_in_host(bytes, 8) : guarded_new(bytes);
}

static subject subject_new(ww_device *device, const kind *k, uint64_t batch, uint64_t domain, bool in_host,
                           uint64_t seed) {
    subject s = {.device = device, .k = k, .batch = batch, .domain = domain, .state = seed, .in_host = in_host};
    s.lsm = open_lsm(device, k, batch);
    s.keys = room_of(&s, MOST * 8);
    s.highs = room_of(&s, MOST * 8);
    s.values = room_of(&s, MOST * 64);
    s.flags = room_of(&s, MOST);
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
    const ww_array a = {data, n, s->k->value, s->k->value_size, NULL, 0};
    return s->k->value ? a : ww_none;
}

static ww_input values_in(const subject *s, size_t n) {
    return s->k->value ? ww_from(values_array(s, s->values, n)) : ww_no_input;
}

static void check_structure(subject *s) {
    ww_lsm_info info = WW_LSM_INFO;
    expect_status(s->device, ww_lsm_check(s->lsm), WW_OK);
    expect_status(s->device, ww_lsm_info_get(s->lsm, &info), WW_OK);
    expect(info.levels <= 48 && (info.levels != 0) == (info.elements != 0));
    expect(info.elements >= s->wanted.count && info.oldest <= info.elements);
    expect(info.bytes == info.level_bytes + info.index_bytes + info.spare_bytes);
    expect(info.level_bytes >= info.needed_bytes);
    expect(info.level_bytes <= (info.elements * (s->k->key->size + s->k->value_size + 1) + 256 * info.levels) * 3 / 2);
    expect(info.index_bytes <= info.elements + 512 * info.levels);
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

static void delete (subject *s, size_t most) {
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
    expect_status(s->device, ww_lsm_update(s->lsm, keys_in(s, s->keys, n), values_in(s, n), ww_memory(s->flags, n)),
                  WW_OK);
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

static const unsigned char poison[64] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
                                         0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
                                         0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
                                         0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
                                         0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5};

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
    guarded values = output_new(s, n * s->k->value_size), found = output_new(s, n), none = output_new(s, 0);
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

/* Some of the bounds are reversed. */
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
    guarded counts = output_new(s, n * (wide ? 8 : 4)), none = output_new(s, 0), other = output_new(s, 0);
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
static void list(subject *s, size_t n) {
    guarded offsets = output_new(s, (n + 1) * 8);
    uint64_t *const o = offsets.data;
    const ww_array to = ww_array(o, n + 1);
    const ww_input lows = keys_in(s, s->keys, n), highs = keys_in(s, s->highs, n);
    expect_status(s->device, ww_lsm_range(s->lsm, lows, highs, to, ww_none, ww_none), WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    const bool is_short = below(s, 4) == 0 && o[n] > 1;
    const size_t room = (size_t)(is_short ? o[n] / 2 : o[n] + below(s, 3));
    guarded keys = output_new(s, room * s->k->key->size), values = output_new(s, room * s->k->value_size);
    memset(o, 0x77, (n + 1) * 8);
    const ww_status status = ww_lsm_range(s->lsm, lows, highs, to, ww_array_of(keys.data, room, s->k->key),
                                          values_array(s, values.data, room));
    expect_status(s->device, status, is_short && !on_gpu() ? WW_LIMIT : WW_OK);
    if (status) expect_sentence(s->device, "capacity");
    expect_status(s->device, ww_sync(s->device), WW_OK);
    expect_ranges(s, n, o, &keys, &values, room);
    free_outputs(&offsets, &keys, &values);
}

static void range(subject *s, size_t most) { list(s, fill_ranges(s, most, 4 * MOST)); }

/* The neighbour's position in the list; its count: there is none. */
static size_t neighbour(const subject *s, uint64_t key, bool above, bool or_equal) {
    size_t at = reference_dictionary_at(&s->wanted, key);
    const bool there = at < s->wanted.count && s->wanted.entry[at].key == key;
    if (there && or_equal) return at;
    if (above) return there ? at + 1 : at;
    return at ? at - 1 : s->wanted.count;
}

static void step(subject *s, size_t n) {
    guarded keys = output_new(s, n * s->k->key->size), values = output_new(s, n * s->k->value_size),
            found = output_new(s, n);
    const bool above = below(s, 2), or_equal = below(s, 2);
    const ww_array keys_out = ww_array_of(keys.data, n, s->k->key), values_out = values_array(s, values.data, n),
                   found_out = ww_array((uint8_t *)found.data, n);
    fill_queries(s, n);
    const bool in_place = below(s, 3) == 0;
    if (in_place) memcpy(keys.data, s->keys, keys.bytes);
    const ww_input in = keys_in(s, in_place ? keys.data : s->keys, n);
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
    guarded key = output_new(s, 8), value = output_new(s, s->k->value_size), none = output_new(s, 0);
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
    guarded keys = output_new(s, room * s->k->key->size), values = output_new(s, room * s->k->value_size),
            none = output_new(s, 0);
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
    static operation *const updates[] = {insert, insert, insert, delete, update, update, update,
                                         insert, delete, insert, update, build,  cleanup};
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

static void run_program(size_t setting, ww_device *device, const kind *k, const program *p, bool in_host,
                        uint64_t seed) {
    CASE("lsm", "%s %s batch=%llu domain=%llu seed=%llu%s", setting_name(setting), k->name, (ull)p->batch,
         (ull)p->domain, (ull)seed, in_host ? " host" : "");
    if (!case_wanted()) return;
    subject s = subject_new(device, k, p->batch, p->domain, in_host, seed);
    for (size_t i = 0; i < p->steps; i++) run_step(&s, p->updated, p->asked);
    subject_free(&s);
}

static void programs(void **state) {
    static const program all[] = {{1, 3, 60, 6, 10},        {1, 40, 60, 30, 40},     {4, 60, 60, 20, 40},
                                  {8, 1000, 60, 60, 200},   {16, 300, 60, 200, 100}, {64, 900, 40, 700, 1500},
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
                run_program(s, device, &kinds[k], &one, false, seed_of_run() + 100 * p + k);
            }
        ww_close(device);
    }
}

/* Around so many queries that a GPU puts them in order first, of one level and of several. */
static void ordered_queries(void **state) {
    static const size_t asked[] = {127, 128, 500};
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        ww_device *device = setting_open(setting);
        for (size_t k = 0; k < KINDS; k += 3) {
            CASE("lsm", "%s %s queries in order", setting_name(setting), kinds[k].name);
            if (!case_wanted()) continue;
            subject s = subject_new(device, &kinds[k], 8, 4000, false, seed_of_run() + k);
            for (size_t batch = 400; batch >= 50; batch /= 2) {
                insert(&s, batch);
                for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
                    lookup(&s, asked[a]);
                    count(&s, asked[a]);
                    range(&s, asked[a]);
                }
                delete (&s, batch / 8);
            }
            subject_free(&s);
        }
        ww_close(device);
    }
}

/* Ranges of 0 to 70 keys, and of some hundred, in one level and in several: a GPU's threads list those of up to 32 elements alone, and
 * together those of more. */
static void lengths_of_ranges(void **state) {
    enum { LENGTHS = 70, EACH = 3, MANY = LENGTHS * EACH };
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        ww_device *device = setting_open(setting);
        for (size_t k = 0; k < 4; k++) {
            CASE("lsm", "%s %s lengths of ranges", setting_name(setting), kinds[k].name);
            if (!case_wanted()) continue;
            subject s = subject_new(device, &kinds[k], 8, 1500, false, seed_of_run() + k);
            for (size_t batch = 2000; batch >= 60; batch /= 3) {
                fill_batch(&s, batch);
                insert_wanted(&s, batch);
                expect_status(device, ww_lsm_insert(s.lsm, keys_in(&s, s.keys, batch), values_in(&s, batch)), WW_OK);
                for (size_t i = 0; i < MANY; i++) {
                    const uint64_t long_one = i % 50 ? 0 : 400, first = 2 + below(&s, s.domain - LENGTHS - 402);
                    put_key(&s, s.keys, i, key_number(&s, first));
                    put_key(&s, s.highs, i, key_number(&s, first + i % LENGTHS + long_one));
                }
                list(&s, MANY);
                delete (&s, batch / 4);
            }
            list(&s, MANY);
            subject_free(&s);
        }
        ww_close(device);
    }
}

/* A GPU gets copies of the caller's arrays, and levels of its own. */
static void programs_in_host_memory(void **state) {
    static const program one = {8, 100, 20, 60, 40};
    (void)state;
    if (!on_gpu()) return;
    ww_device *device = setting_open_with(0, WW_HOST_MEMORY_STAGED);
    for (size_t k = 0; k < KINDS; k += 3) run_program(0, device, &kinds[k], &one, true, seed_of_run() + k);
    ww_close(device);
}

/* ---- what the manual says, one by one ---- */

static void put_keys(const subject *s, size_t n, const uint64_t *keys) {
    for (size_t i = 0; i < n; i++) {
        put_key(s, s->keys, i, keys[i]);
        memset(s->values + i * s->k->value_size, (int)i + 1, s->k->value_size);
    }
}

/* 0: the key is not there. */
static int value_of(subject *s, uint64_t key) {
    guarded values = guarded_new(64);
    uint8_t found = 77;
    put_key(s, s->keys, 0, key);
    memset(values.data, 0, 64);
    expect_status(s->device,
                  ww_lsm_lookup(s->lsm, keys_in(s, s->keys, 1), values_array(s, values.data, 1), ww_array(&found, 1)),
                  WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    const int value = *(unsigned char *)values.data;
    expect(found <= 1 && found == (value != 0));
    guarded_free(&values);
    return value;
}

#define KEYS(...) put_keys(&s, sizeof((const uint64_t[]){__VA_ARGS__}) / 8, (const uint64_t[]){__VA_ARGS__})
#define FLAGS(...) memcpy(s.flags, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Ashkiani 2017, section 4.3.1, and which of several insertions counts. */
static void batches(void **state) {
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++)
        for (size_t k = 0; k < KINDS; k += 3) {
            CASE("lsm", "%s %s what a batch does", setting_name(setting), kinds[k].name);
            if (!case_wanted() || !kinds[k].value) continue;
            ww_device *device = setting_open(setting);
            subject s = subject_new(device, &kinds[k], 1, 10, false, 1);
            const uint64_t most = kinds[k].key->size == 4 ? UINT32_MAX : UINT64_MAX;
            /* Of several insertions in a batch the last one. */
            KEYS(7, 5, 7, 0, 7, most, 5);
            expect_status(device, ww_lsm_insert(s.lsm, keys_in(&s, s.keys, 7), values_in(&s, 7)), WW_OK);
            expect(value_of(&s, 7) == 5 && value_of(&s, 5) == 7 && value_of(&s, 0) == 4 && value_of(&s, most) == 6);
            /* A later batch, whatever the level. */
            KEYS(1, 2, 5);
            expect_status(device, ww_lsm_insert(s.lsm, keys_in(&s, s.keys, 3), values_in(&s, 3)), WW_OK);
            expect(value_of(&s, 5) == 3 && value_of(&s, 7) == 5);
            /* What a batch inserts and deletes is deleted, in whatever order. */
            KEYS(8, 8, 9, 9, 7, 7, 2);
            FLAGS(0, 1, 1, 0, 0, 0, 255);
            expect_status(device, ww_lsm_update(s.lsm, keys_in(&s, s.keys, 7), values_in(&s, 7), ww_memory(s.flags, 7)),
                          WW_OK);
            expect(!value_of(&s, 8) && !value_of(&s, 9) && !value_of(&s, 2) && value_of(&s, 7) == 6);
            /* Deleted twice, never there, and inserted again. */
            KEYS(7, 7, 77, 0);
            expect_status(device, ww_lsm_delete(s.lsm, keys_in(&s, s.keys, 4)), WW_OK);
            expect(!value_of(&s, 7) && !value_of(&s, 77) && !value_of(&s, 0) && value_of(&s, 1) == 1);
            KEYS(77, 0);
            expect_status(device, ww_lsm_insert(s.lsm, keys_in(&s, s.keys, 2), values_in(&s, 2)), WW_OK);
            expect(value_of(&s, 77) == 1 && value_of(&s, 0) == 2);
            /* Empty batches. */
            const ww_input none = keys_in(&s, s.keys, 0);
            expect_status(device, ww_lsm_insert(s.lsm, none, values_in(&s, 0)), WW_OK);
            expect_status(device, ww_lsm_delete(s.lsm, none), WW_OK);
            expect_status(device, ww_lsm_update(s.lsm, none, values_in(&s, 0), ww_memory(s.flags, 0)), WW_OK);
            expect(value_of(&s, 77) == 1);
            expect_status(device, ww_lsm_build(s.lsm, none, values_in(&s, 0)), WW_OK);
            expect(!value_of(&s, 77));
            subject_free(&s);
            ww_close(device);
        }
}

WW_MAP(scattered, uint32_t, uint32_t, i, void, none, { return i * 2654435761u; });
WW_MAP(third, uint8_t, uint32_t, i, void, none, { return i % 3 == 0; });
WW_MAP(doubled, uint64_t, uint64_t, x, void, none, { return 2 * x; });

/* Keys, values and flags that are computed as they are read; bounds, too. */
static void computed(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 3000 : 200000;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        CASE("lsm", "%s computed inputs", setting_name(setting));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(setting);
        ww_lsm *lsm = open_lsm(device, &kinds[0], 16);
        const ww_input positions = ww_counting(&ww_type_uint32_t, 0, n);
        guarded values = guarded_new(n * 4), found = guarded_new(n);
        uint64_t size = 0, *const offsets = need(3 * 8);
        expect_status(device, ww_lsm_insert(lsm, ww_mapped(&scattered_ww, positions), positions), WW_OK);
        expect_status(device,
                      ww_lsm_update(lsm, ww_mapped(&scattered_ww, positions), ww_mapped(&scattered_ww, positions),
                                    ww_mapped(&third_ww, positions)),
                      WW_OK);
        expect_status(device,
                      ww_lsm_lookup(lsm, ww_mapped(&scattered_ww, positions), ww_array((uint32_t *)values.data, n),
                                    ww_array((uint8_t *)found.data, n)),
                      WW_OK);
        expect_status(device, ww_lsm_size(lsm, &size), WW_OK);
        expect(size == n - (n + 2) / 3);
        for (uint32_t i = 0; i < n; i++) {
            expect(((uint8_t *)found.data)[i] == (i % 3 != 0));
            if (i % 3) expect(((uint32_t *)values.data)[i] == i * 2654435761u);
        }
        expect_status(device,
                      ww_lsm_range(lsm, ww_constant(ww_value(uint32_t, 0), 2),
                                   ww_constant(ww_value(uint32_t, UINT32_MAX), 2), ww_array(offsets, 3), ww_none,
                                   ww_none),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(offsets[1] == size && offsets[2] == 2 * size);
        expect_status(device, ww_lsm_check(lsm), WW_OK);
        ww_lsm_close(lsm);
        free(offsets);
        guarded_free(&values);
        guarded_free(&found);
        ww_close(device);
    }
}

/* Batches of many threads' work, and ranges that threads divide: every second of n numbers is there, the lower half of these once
 * more, and of those every second is deleted. */
/* Ranges with more deleted keys than a GPU's block reads of a level behind where its ranges begin, and a few others behind these. */
static void across_deletions(void **state) {
    enum { KEYS = 600, FROM = 100000, STEP = 8, RANGES = 100, GONE = 200, GONE_END = 281, LAST = 283, FOUND = 20 };
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        ww_device *device = setting_open(setting);
        CASE("lsm", "%s ranges across deletions", setting_name(setting));
        if (case_wanted()) {
            const ww_type *const u32 = &ww_type_uint32_t;
            uint32_t keys[KEYS], lows[RANGES], highs[RANGES], got[RANGES * FOUND];
            uint64_t offsets[RANGES + 1];
            ww_lsm_options o = WW_LSM_OPTIONS;
            ww_lsm *lsm;
            o.batch = 16; /* deletions are a level of their own */
            for (uint32_t i = 0; i < KEYS; i++) keys[i] = FROM + STEP * i;
            for (uint32_t r = 0; r < RANGES; r++) {
                lows[r] = FROM + STEP * (GONE - 10 + r % 20);
                highs[r] = FROM + STEP * LAST;
            }
            expect_status(device, ww_lsm_open(device, u32, NULL, &lsm, &o), WW_OK);
            expect_status(device, ww_lsm_insert(lsm, ww_memory(keys, KEYS), ww_no_input), WW_OK);
            expect_status(device, ww_lsm_delete(lsm, ww_memory((const uint32_t *)keys + GONE, GONE_END - GONE)), WW_OK);
            expect_status(device,
                          ww_lsm_range(lsm, ww_memory(lows, RANGES), ww_memory(highs, RANGES),
                                       ww_array(offsets, RANGES + 1), ww_array(got, RANGES * FOUND), ww_none),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (uint32_t r = 0; r < RANGES; r++) {
                uint64_t at = offsets[r];
                for (uint32_t i = 0; i <= LAST; i++)
                    if (keys[i] >= lows[r] && (i < GONE || i >= GONE_END)) expect(got[at++] == keys[i]);
                expect(at == offsets[r + 1]);
            }
            ww_lsm_close(lsm);
        }
        ww_close(device);
    }
}

/* All ranges of a block begin behind the end of a level, or of several, of which a kernel then has nothing to read. */
static void behind_levels(void **state) {
    enum { OLDEST = 600, FROM = 100000, STEP = 8, RANGES = 100, FOUND = 4 };
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        ww_device *device = setting_open(setting);
        for (uint32_t newest = 61; newest <= 64; newest++) {
            CASE("lsm", "%s %u keys before all ranges", setting_name(setting), newest);
            if (!case_wanted()) continue;
            const ww_type *const u32 = &ww_type_uint32_t;
            ww_lsm_options o = WW_LSM_OPTIONS;
            ww_lsm_info info = WW_LSM_INFO;
            ww_lsm *lsm;
            o.batch = 16; /* levels are as long as this at least */
            uint32_t keys[OLDEST], lows[RANGES], highs[RANGES], got[RANGES * FOUND];
            uint64_t offsets[RANGES + 1];
            for (uint32_t i = 0; i < OLDEST; i++) keys[i] = FROM + STEP * i;
            for (uint32_t r = 0; r < RANGES; r++) {
                lows[r] = FROM + STEP * (r * 37 % (OLDEST - FOUND));
                highs[r] = lows[r] + STEP * FOUND - 1;
            }
            expect_status(device, ww_lsm_open(device, u32, NULL, &lsm, &o), WW_OK);
            expect_status(device, ww_lsm_insert(lsm, ww_memory(keys, OLDEST), ww_no_input), WW_OK);
            expect_status(device, ww_lsm_insert(lsm, ww_counting(u32, 1000, newest * 3), ww_no_input), WW_OK);
            expect_status(device, ww_lsm_insert(lsm, ww_counting(u32, 7, newest), ww_no_input), WW_OK);
            expect_status(device, ww_lsm_info_get(lsm, &info), WW_OK);
            expect(info.levels == 3);
            expect_status(device,
                          ww_lsm_range(lsm, ww_memory(lows, RANGES), ww_memory(highs, RANGES),
                                       ww_array(offsets, RANGES + 1), ww_array(got, RANGES * FOUND), ww_none),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (uint32_t r = 0; r < RANGES; r++) {
                expect(offsets[r + 1] - offsets[r] == FOUND);
                for (uint32_t k = 0; k < FOUND; k++) expect(got[r * FOUND + k] == lows[r] + STEP * k);
            }
            ww_lsm_close(lsm);
        }
        ww_close(device);
    }
}

static void large(void **state) {
    (void)state;
    const uint64_t n = on_emulator() ? 4000 : 300000, left = n - n / 4;
    for (size_t setting = 0; setting < setting_count(); setting++) {
        CASE("lsm", "%s large", setting_name(setting));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(setting);
        ww_lsm *lsm = open_lsm(device, &kinds[3], 0);
        guarded keys = guarded_new(left * 8), values = guarded_new(left * 8);
        uint64_t *const offsets = need(4 * 8), *const bounds = need(6 * 8), *const got = keys.data;
        for (uint64_t first = 0; first < n; first += n / 4)
            expect_status(device,
                          ww_lsm_insert(lsm, ww_mapped(&doubled_ww, ww_counting(&ww_type_uint64_t, first, n / 4)),
                                        ww_counting(&ww_type_uint64_t, first, n / 4)),
                          WW_OK);
        const ww_input lower = ww_mapped(&doubled_ww, ww_counting(&ww_type_uint64_t, 0, n / 2));
        const ww_input every_fourth = ww_mapped(&doubled_ww,
                                                ww_mapped(&doubled_ww, ww_counting(&ww_type_uint64_t, 0, n / 4)));
        expect_status(device, ww_lsm_insert(lsm, lower, ww_counting(&ww_type_uint64_t, 7, n / 2)), WW_OK);
        expect_status(device, ww_lsm_delete(lsm, every_fourth), WW_OK);
        expect_status(device, ww_lsm_check(lsm), WW_OK);
        /* All but the first 20. */
        memcpy(bounds, (const uint64_t[]){82, 5, n, UINT64_MAX, 4, n}, 6 * 8);
        expect_status(device,
                      ww_lsm_range(lsm, ww_memory(bounds, 1), ww_memory(bounds + 3, 1), ww_array(offsets, 2),
                                   ww_array(got, left), ww_array((uint64_t *)values.data, left)),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(offsets[0] == 0 && offsets[1] == left - 20);
        for (uint64_t i = 20; i < left; i++) {
            const uint64_t key = i < n / 4 ? 4 * i + 2 : n + 2 * (i - n / 4);
            expect(got[i - 20] == key && ((uint64_t *)values.data)[i - 20] == key / 2 + (i < n / 4 ? 7 : 0));
        }
        expect_status(device, ww_lsm_count(lsm, ww_memory(bounds, 3), ww_memory(bounds + 3, 3), ww_array(offsets, 3)),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(offsets[0] == left - 20 && offsets[1] == 0 && offsets[2] == 1);
        /* Reversed bounds, beside so many right ones that all threads are busy. */
        memcpy(bounds, (const uint64_t[]){0, UINT64_MAX - 1, 0, UINT64_MAX, 0, 0}, 6 * 8);
        expect_status(device,
                      ww_lsm_range(lsm, ww_memory(bounds, 3), ww_memory(bounds + 3, 3), ww_array(offsets, 4),
                                   ww_array(got, left), ww_none),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(offsets[1] == left && offsets[2] == left && offsets[3] == left && got[0] == 2);
        ww_lsm_close(lsm);
        free(offsets);
        free(bounds);
        guarded_check(&keys);
        guarded_free(&keys);
        guarded_free(&values);
        ww_close(device);
    }
}

/* Neighbours behind many deletions in a row, inside and at both ends, which are found by rank. */
static void behind_deletions(void **state) {
    enum { ASKED = 6 };
    static const uint32_t asked[ASKED] = {79, 10, 20, 29, 41, 5}, above[ASKED] = {0, 20, 21, 41, 42, 20},
                          below_them[ASKED] = {78, 0, 0, 28, 29, 0}; /* 0: none */
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        CASE("lsm", "%s behind deletions", setting_name(setting));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(setting);
        ww_lsm *lsm = open_lsm(device, &kinds[0], 1);
        uint32_t *const keys = need(4 * ASKED), *const got = need(4 * ASKED), *const values = need(4 * ASKED);
        uint8_t *const found = need(ASKED);
        const ww_input hundred = ww_counting(&ww_type_uint32_t, 0, 100), in = ww_memory(keys, ASKED);
        memcpy(keys, asked, sizeof asked);
        expect_status(device, ww_lsm_insert(lsm, hundred, ww_counting(&ww_type_uint32_t, 1000, 100)), WW_OK);
        expect_status(device, ww_lsm_delete(lsm, ww_counting(&ww_type_uint32_t, 0, 20)), WW_OK);
        expect_status(device, ww_lsm_delete(lsm, ww_counting(&ww_type_uint32_t, 80, 9)), WW_OK);
        expect_status(device, ww_lsm_delete(lsm, ww_counting(&ww_type_uint32_t, 89, 3)), WW_OK);
        expect_status(device, ww_lsm_delete(lsm, ww_counting(&ww_type_uint32_t, 92, 8)), WW_OK);
        expect_status(device, ww_lsm_delete(lsm, ww_counting(&ww_type_uint32_t, 30, 11)), WW_OK);
        expect(lsm->levels == 3); /* none of them has gone yet */
        for (int up = 0; up < 2; up++) {
            const uint32_t *const wanted = up ? above : below_them;
            const ww_array keys_out = ww_array(got, ASKED), values_out = ww_array(values, ASKED),
                           found_out = ww_array(found, ASKED);
            expect_status(device,
                          up ? ww_lsm_successor(lsm, in, false, keys_out, values_out, found_out)
                             : ww_lsm_predecessor(lsm, in, false, keys_out, values_out, found_out),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < ASKED; i++) {
                expect(found[i] == (wanted[i] != 0));
                if (found[i]) expect(got[i] == wanted[i] && values[i] == 1000 + wanted[i]);
            }
        }
        expect_status(device, ww_lsm_minimum(lsm, ww_array(got, 1), ww_none, ww_array(found, 1)), WW_OK);
        expect_status(device, ww_lsm_maximum(lsm, ww_array(got + 1, 1), ww_none, ww_array(found + 1, 1)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(found[0] == 1 && found[1] == 1 && got[0] == 20 && got[1] == 79);
        void *const all[] = {keys, got, values, found};
        for (size_t k = 0; k < 4; k++) free(all[k]);
        ww_lsm_close(lsm);
        ww_close(device);
    }
}

/* ---- what is refused ---- */

static void refused_at(ww_device *device, ww_status got, ww_status wanted, const char *sentence, int line) {
    expect_status_at(device, got, wanted, __FILE__, line);
    expect_sentence_at(device, __FILE__, line, sentence, (const char *)NULL);
}
#define REFUSED(call, status, sentence) refused_at(device, call, status, sentence, __LINE__)

static ww_status open_with(ww_device *device, const ww_type *key, const ww_type *value, size_t value_size,
                           uint64_t batch, uint64_t reserved) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_lsm *lsm = (ww_lsm *)(void *)&options;
    options.value_size = value_size;
    options.batch = batch;
    options.reserved = reserved;
    const ww_status status = ww_lsm_open(device, key, value, &lsm, &options);
    expect(lsm == NULL);
    return status;
}

static void errors(void **state) {
    (void)state;
    CASE("lsm", "%s errors", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    const ww_type *const u32 = &ww_type_uint32_t, *const u64 = &ww_type_uint64_t;
    REFUSED(ww_lsm_open(device, u32, NULL, NULL, NULL), WW_INVALID, "lsm is NULL");
    REFUSED(open_with(device, NULL, u32, 0, 0, 0), WW_INVALID, "key is NULL");
    REFUSED(open_with(device, &ww_type_int32_t, u32, 0, 0, 0), WW_TYPE, "key is i32");
    REFUSED(open_with(device, &ww_type_uint8_t, u32, 0, 0, 0), WW_TYPE, "key is u8");
    REFUSED(open_with(device, u32, NULL, 4, 0, 0), WW_INVALID, "there are no values");
    REFUSED(open_with(device, u32, &ww_type_void, 0, 0, 0), WW_TYPE, "no elements");
    REFUSED(open_with(device, u32, u64, 4, 0, 0), WW_INVALID, "have 8 bytes, and options.value_size is 4");
    REFUSED(open_with(device, u32, &ww_type_record, 0, 0, 0), WW_INVALID, "value_size is 0");
    REFUSED(open_with(device, u32, &ww_type_record, 65, 0, 0), WW_LIMIT, "65 bytes, and can have 64");
    REFUSED(open_with(device, u32, u32, 0, (UINT64_C(1) << 32) + 1, 0), WW_LIMIT, "options.batch is 4294967297");
    REFUSED(open_with(device, u32, u32, 0, 0, 1), WW_INVALID, "options that this version does not have");

    ww_lsm *with = open_lsm(device, &kinds[0], 0), *without = open_lsm(device, &kinds[5], 0);
    uint32_t *const x = need(64);
    uint64_t *const wide = need(64);
    memset(x, 0, 64);
    const ww_input keys = ww_memory(x, 8), none = ww_no_input, fewer = ww_memory(x, 7);
    REFUSED(ww_lsm_insert(with, keys, none), WW_INVALID, "values");
    REFUSED(ww_lsm_insert(with, keys, fewer), WW_INVALID, "keys has 8 elements, values 7");
    REFUSED(ww_lsm_insert(with, ww_memory(wide, 8), keys), WW_TYPE, "the dictionary's keys are u32");
    REFUSED(ww_lsm_insert(with, keys, ww_memory(wide, 8)), WW_TYPE, "the dictionary's are u32");
    REFUSED(ww_lsm_insert(without, keys, keys), WW_INVALID, "the dictionary has none");
    REFUSED(ww_lsm_update(with, keys, keys, none), WW_INVALID, "deletes is missing");
    REFUSED(ww_lsm_update(with, keys, keys, ww_memory((float *)(void *)x, 8)), WW_TYPE, "deletes");
    REFUSED(ww_lsm_lookup(without, keys, ww_array(x + 8, 8), ww_none), WW_INVALID, "the dictionary has no values");
    REFUSED(ww_lsm_lookup(with, keys, ww_none, ww_array(x + 8, 8)), WW_TYPE, "found is u32, and must be u8");
    REFUSED(ww_lsm_lookup(with, keys, ww_array(x + 8, 7), ww_none), WW_INVALID, "7 elements, and there are 8 keys");
    REFUSED(ww_lsm_lookup(with, keys, ww_array(x + 4, 8), ww_none), WW_OVERLAP, "values");
    REFUSED(ww_lsm_count(with, keys, fewer, ww_array(x + 8, 8)), WW_INVALID, "lows has 8 elements, highs 7");
    REFUSED(ww_lsm_range(with, keys, keys, ww_array(x + 8, 8), ww_none, ww_none), WW_TYPE, "must be u64");
    REFUSED(ww_lsm_range(with, keys, keys, ww_array(wide, 8), ww_none, ww_none), WW_INVALID, "not one more");
    REFUSED(ww_lsm_range(with, ww_memory(x, 7), ww_memory(x, 7), ww_array(wide, 8), ww_none, ww_array(x + 8, 4)),
            WW_INVALID, "keys_out has 0 elements, values_out 4");
    REFUSED(ww_lsm_size(with, NULL), WW_INVALID, "size is NULL");
    REFUSED(ww_lsm_info_get(with, NULL), WW_INVALID, "NULL");
    expect(ww_lsm_insert(NULL, keys, keys) == WW_INVALID && ww_lsm_check(NULL) == WW_INVALID);
    ww_lsm_close(NULL);
    expect_status(device, ww_lsm_check(with), WW_OK);
    ww_lsm_close(with);
    ww_lsm_close(without);
    free(x);
    free(wide);
    ww_close(device);
}

/* A batch for which there is not enough scratch memory changes nothing. */
static void short_of_memory(void **state) {
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        CASE("lsm", "%s %s short of memory", setting_name(0), kinds[k].name);
        if (!case_wanted()) continue;
        ww_device *device = setting_open(0);
        subject s = subject_new(device, &kinds[k], 8, 2000, false, 5);
        size_t failed = 0;
        for (size_t i = 0; i < 6; i++) insert(&s, 100);
        for (size_t limit = 1; limit < SIZE_MAX / 4; limit *= 2) {
            fill_batch(&s, 500);
            expect_status(device, ww_scratch_trim(device), WW_OK);
            expect_status(device, ww_scratch_limit(device, limit), WW_OK);
            const ww_status status = ww_lsm_update(s.lsm, keys_in(&s, s.keys, 500), values_in(&s, 500),
                                                   ww_memory(s.flags, 500));
            expect_status(device, ww_scratch_limit(device, 0), WW_OK);
            if (!status) break;
            expect_status(device, status, WW_LIMIT);
            failed++;
            check_structure(&s);
            lookup(&s, 200);
            entries(&s, 0);
        }
        expect(failed > 3);
        subject_free(&s);
        ww_close(device);
    }
}

/* ---- damage ---- */

/* Three levels, of 8, 100 and 2000 elements, with deletions in the first two and an index of these. */
static ww_lsm *three_levels(ww_device *device) {
    ww_lsm *lsm = open_lsm(device, &kinds[0], 4);
    const ww_input thousands = ww_counting(&ww_type_uint32_t, 0, 2000);
    uint64_t size = 0;
    expect_status(device, ww_lsm_insert(lsm, thousands, thousands), WW_OK);
    expect_status(device, ww_lsm_delete(lsm, ww_counting(&ww_type_uint32_t, 1950, 100)), WW_OK);
    expect_status(device, ww_lsm_delete(lsm, ww_counting(&ww_type_uint32_t, 10, 8)), WW_OK);
    expect_status(device, ww_lsm_size(lsm, &size), WW_OK);
    expect(size == 2000 - 50 - 8 && lsm->levels == 3);
    return lsm;
}

static void expect_broken_at(ww_device *device, ww_lsm *lsm, const char *sentence, int line) {
    expect_status_at(device, ww_lsm_check(lsm), WW_FORMAT, __FILE__, line);
    expect_sentence_at(device, __FILE__, line, "ww_lsm_check", sentence, (const char *)NULL);
}

/* Writes a word there, expects the walk to find that, and writes back what it was. */
#define DAMAGED(type, at, wrong, sentence) \
    do { \
        type *const place = (type *)(void *)(at); \
        type before; \
        const type put = (type)(wrong); \
        expect_status(device, ww_copy(device, ww_memory(place, 1), ww_array(&before, 1)), WW_OK); \
        expect_status(device, ww_copy(device, ww_memory((type *)(uintptr_t)&put, 1), ww_array(place, 1)), WW_OK); \
        expect_broken_at(device, lsm, sentence, __LINE__); \
        expect_status(device, ww_copy(device, ww_memory(&before, 1), ww_array(place, 1)), WW_OK); \
        expect_status(device, ww_lsm_check(lsm), WW_OK); \
    } while (0)

static void damage(void **state) {
    (void)state;
    CASE("lsm", "%s damage", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    ww_lsm *lsm = three_levels(device);
    ww__lsm_level *const newest = &lsm->level[0], *const middle = &lsm->level[1], *const oldest = &lsm->level[2];
    uint32_t *const old_keys = (uint32_t *)(void *)oldest->keys, *const keys = (uint32_t *)(void *)newest->keys;
    DAMAGED(uint32_t, old_keys + 1000, 5, "level 2: key 5 at place 1000 is below the one before, 999");
    DAMAGED(uint32_t, old_keys + 1999, 1998, "key 1998 at place 1999 is there twice");
    DAMAGED(uint32_t, keys, 100, "level 0: key 11 at place 1 is below the one before, 100");
    DAMAGED(uint8_t, middle->dead + 99, 2, "level 1: the mark at place 99 is 2");
    DAMAGED(uint8_t, newest->dead + 3, 0, "level 0: the index counts -1 for place 3, not 0");
    DAMAGED(uint64_t, middle->before + 1, -31, "level 1: the index has -31 before place 32, not -32");
    DAMAGED(uint32_t, newest->bits, 1, "level 0: the index counts 0 for place 0, not -1");
    DAMAGED(uint32_t, newest->bits + 1, 0x1FF, "level 0: the index counts -1 for place 8, not 0");
    DAMAGED(uint32_t, keys + 7, 16, "level 0: the index counts -1 for place 7, not 0");
    lsm->batch = 101;
    expect_broken_at(device, lsm, "level 1 has 100 elements, and a batch 101", __LINE__);
    lsm->batch = 4;
    middle->count = 15;
    expect_broken_at(device, lsm, "level 1 has 15 elements, and the newer one 8: more than half", __LINE__);
    middle->count = 100;
    oldest->dead = newest->dead;
    expect_broken_at(device, lsm, "level 2, the oldest, has marks", __LINE__);
    oldest->dead = NULL;
    newest->count = 0;
    expect_broken_at(device, lsm, "level 0 has no elements", __LINE__);
    newest->count = 8;
    lsm->levels = WW__LSM_LEVELS + 1;
    expect_broken_at(device, lsm, "there are 49 levels, and can be 48", __LINE__);
    lsm->levels = 3;
    expect_status(device, ww_lsm_check(lsm), WW_OK);
    ww_lsm_close(lsm);
    ww_close(device);
}

/* ---- levels ---- */

/* Few levels, however long batches are, and each element is moved as often as the manual says. */
static void lengths_of_levels(void **state) {
    static const uint64_t lengths[][3] = {{1, 1, 1}, {100, 1, 1}, {1, 50, 3}, {7, 7, 300}};
    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        CASE("lsm", "%s lengths %llu %llu %llu", setting_name(0), (ull)lengths[k][0], (ull)lengths[k][1],
             (ull)lengths[k][2]);
        if (!case_wanted()) continue;
        ww_device *device = setting_open(0);
        ww_lsm *lsm = open_lsm(device, &kinds[5], 1);
        uint64_t n = 0;
        for (size_t i = 0; i < (on_emulator() ? 24 : 400); i++) {
            ww_lsm_info info = WW_LSM_INFO;
            const uint64_t batch = lengths[k][i % 3];
            expect_status(device, ww_lsm_insert(lsm, ww_counting(&ww_type_uint32_t, n, batch), ww_no_input), WW_OK);
            n += batch;
            expect_status(device, ww_lsm_info_get(lsm, &info), WW_OK);
            expect(info.elements == n && info.levels <= (uint64_t)(64 - __builtin_clzll(n)));
            expect(2 * info.oldest >= n || info.levels == 1);
        }
        expect_status(device, ww_lsm_check(lsm), WW_OK);
        ww_lsm_close(lsm);
        ww_close(device);
    }
}

/* Positions of 8 bytes, which batches of 2^32 elements have, on a few. */
static void wide_positions(void **state) {
    static const uint32_t keys[] = {3, 3, 5, 9, 9, 9};
    static const uint64_t order[] = {4, 2, 0, 1, 5, 3};
    static const uint32_t values[] = {10, 11, 12, 13, 14, 15}, wanted[] = {12, 12, 10, 13, 15, 13};
    static const uint8_t deletes[] = {0, 0, 7, 1, 0, 0}, dead[] = {1, 1, 0, 1, 0, 1};
    enum { MANY = sizeof keys / sizeof *keys };
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        CASE("lsm", "%s wide positions", setting_name(setting));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(setting);
        ww_lsm *lsm = open_lsm(device, &kinds[0], 0);
        ww__lsm_level level;
        uint64_t *const positions = need(sizeof order);
        uint32_t *const given = need(sizeof values), *const got = need(sizeof values);
        uint8_t *const marks = need(MANY), *const got_marks = need(MANY);
        memcpy(positions, order, sizeof order);
        memcpy(given, values, sizeof values);
        memcpy(marks, deletes, MANY);
        expect(!ww__enter(device, "test"));
        expect_status(device, ww__leave(device, ww__lsm_level_new(lsm, MANY, &level)), WW_OK);
        expect_status(device, ww_copy(device, ww_memory(keys, MANY), ww_array((uint32_t *)(void *)level.keys, MANY)),
                      WW_OK);
        const ww__lsm_batch batch = {positions, true, marks, given};
        expect(!ww__enter(device, "test"));
        const ww_status placed = on_gpu() ? ww__lsm_place_gpu(lsm, &level, &batch)
                                          : ww__lsm_place_cpu(lsm, &level, &batch);
        expect_status(device, ww__leave(device, placed), WW_OK);
        expect_status(device, ww_copy(device, ww_memory((uint32_t *)(void *)level.values, MANY), ww_array(got, MANY)),
                      WW_OK);
        expect_status(device, ww_copy(device, ww_memory(level.dead, MANY), ww_array(got_marks, MANY)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect_elements(got, wanted, MANY, sizeof *got);
        expect_bytes(got_marks, dead, MANY);
        ww__lsm_level_give(lsm, &level);
        ww_lsm_close(lsm);
        void *const all[] = {positions, given, got, marks, got_marks};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
        ww_close(device);
    }
}

/* Odd multiples: no two are alike. */
WW_MAP(far_apart, uint32_t, uint32_t, i, void, none, { return (2 * i + 1) * 2654435761u; });
static int compare_u32(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}
static uint64_t keys_below(const uint32_t *sorted, uint64_t n, uint64_t key) {
    uint64_t from = 0;
    for (uint64_t end = n; from < end;) {
        const uint64_t middle = from + (end - from) / 2;
        if (sorted[middle] < key)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* So many look-ups and counts of several large levels that a CPU sorts them first. */
static void many_queries(void **state) {
    enum { FIRST = 1500000, SECOND = 550000, THIRD = 150000, ALL = FIRST + SECOND + THIRD, ASKED = (1 << 18) + 5 };
    static const uint32_t batch[] = {FIRST, SECOND, THIRD};
    (void)state;
    if (on_gpu()) return; /* ordered_queries is as much there */
    uint32_t *const sorted = malloc(ALL * sizeof *sorted);
    for (uint32_t i = 0; i < ALL; i++) sorted[i] = (2 * i + 1) * 2654435761u;
    qsort(sorted, ALL, sizeof *sorted, compare_u32);
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        CASE("lsm", "%s many queries", setting_name(setting));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(setting);
        ww_lsm *lsm = open_lsm(device, &kinds[0], 0);
        guarded values = guarded_new(ASKED * 4), found = guarded_new(ASKED), counts = guarded_new(ASKED * 4);
        uint32_t *const low = need(ASKED * 4), *const high = need(ASKED * 4), *const got = values.data;
        uint64_t random = seed_of_run();
        uint32_t at = 0;
        for (size_t b = 0; b < 3; at += batch[b++]) {
            const ww_input numbers = ww_counting(&ww_type_uint32_t, at, batch[b]);
            expect_status(device, ww_lsm_insert(lsm, ww_mapped(&far_apart_ww, numbers), numbers), WW_OK);
        }
        for (size_t i = 0; i < ASKED; i++) {
            const uint32_t key = (uint32_t)(random_next(&random) % (2 * ALL));
            low[i] = (2 * key + 1) * 2654435761u;
            high[i] = low[i] + (uint32_t)(random_next(&random) % 100000) - 2000;
        }
        const ww_input lows = ww_memory(low, ASKED), highs = ww_memory(high, ASKED);
        memset(got, 0x77, ASKED * 4);
        expect_status(device, ww_lsm_lookup(lsm, lows, ww_array(got, ASKED), ww_array((uint8_t *)found.data, ASKED)),
                      WW_OK);
        expect_status(device, ww_lsm_count(lsm, lows, highs, ww_array((uint32_t *)counts.data, ASKED)), WW_OK);
        random = seed_of_run();
        for (size_t i = 0; i < ASKED; i++) {
            const uint32_t key = (uint32_t)(random_next(&random) % (2 * ALL));
            random_next(&random);
            expect(((uint8_t *)found.data)[i] == (key < ALL));
            expect(got[i] == (key < ALL ? key : 0x77777777));
            const uint64_t below_low = keys_below(sorted, ALL, low[i]),
                           to_high = keys_below(sorted, ALL, (uint64_t)high[i] + 1);
            expect(((uint32_t *)counts.data)[i] == (low[i] <= high[i] ? to_high - below_low : 0));
        }
        /* Both bounds are the key: upper bounds are in order then, too. */
        expect_status(device, ww_lsm_count(lsm, lows, lows, ww_array((uint32_t *)counts.data, ASKED)), WW_OK);
        for (size_t i = 0; i < ASKED; i++) expect(((uint32_t *)counts.data)[i] == ((uint8_t *)found.data)[i]);
        guarded_check(&values), guarded_check(&found), guarded_check(&counts);
        guarded_free(&values), guarded_free(&found), guarded_free(&counts);
        free(low), free(high);
        ww_lsm_close(lsm);
        ww_close(device);
    }
    free(sorted);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs),
                                       cmocka_unit_test(ordered_queries),
                                       cmocka_unit_test(lengths_of_ranges),
                                       cmocka_unit_test(many_queries),
                                       cmocka_unit_test(programs_in_host_memory),
                                       cmocka_unit_test(batches),
                                       cmocka_unit_test(computed),
                                       cmocka_unit_test(large),
                                       cmocka_unit_test(behind_levels),
                                       cmocka_unit_test(across_deletions),
                                       cmocka_unit_test(behind_deletions),
                                       cmocka_unit_test(errors),
                                       cmocka_unit_test(short_of_memory),
                                       cmocka_unit_test(damage),
                                       cmocka_unit_test(lengths_of_levels),
                                       cmocka_unit_test(wide_positions)};
    return cmocka_run_group_tests_name("lsm", tests, NULL, NULL);
}
