/* Dictionaries in files against a sorted list: random programs of all their operations, with the file opened again in between,
 * read by another handle, and searched both ways, page by page and as a whole; saving and loading; and files that are not as
 * they should be: cut at every length, with a bit changed at every place, of other versions, types and byte orders. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dictionary/store/crc.h"
#include "dictionary/store/store.h"
#include "reference/dictionary.h"
#include "support/cases.h"

typedef unsigned long long ull;

static char folder[200], path[240], other[240];

static int set_up(void **state) {
    (void)state;
    if (!folder_make(folder, sizeof folder, "dict")) return -1;
    snprintf(path, sizeof path, "%s/a.db", folder);
    snprintf(other, sizeof other, "%s/b.db", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder); /* nothing else was left there */
}

/* ---- programs ---- */

typedef struct kind {
    const char *name;
    const ww_type *key, *value;
    size_t value_size;
} kind;
static const kind kinds[] = {{"u32 to u32", &ww_type_uint32_t, &ww_type_uint32_t, 4},
                             {"u64 to nothing", &ww_type_uint64_t, NULL, 0},
                             {"u64 to rec:64", &ww_type_uint64_t, &ww_type_record, 64},
                             {"u64 to u64", &ww_type_uint64_t, &ww_type_uint64_t, 8},
                             {"u32 to rec:3", &ww_type_uint32_t, &ww_type_record, 3}};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST = 2000, QUERIES = 150 };

typedef struct subject {
    ww_device *device;
    const kind *k;
    ww_dict *dict;
    reference_dictionary wanted;
    uint64_t domain, state;
    unsigned char keys[8 * MOST], highs[8 * MOST], values[64 * MOST];
    uint8_t flags[MOST];
} subject;

static uint64_t below(subject *s, uint64_t n) { return random_next(&s->state) % n; }

/* Keys lie around the ends of their type, too. */
static uint64_t random_key(subject *s) {
    const uint64_t most = s->k->key->size == 4 ? UINT32_MAX : UINT64_MAX, at = below(s, s->domain);
    return at % 5 ? at * (most / s->domain) : at % 2 ? at : most - at;
}

static void put_key(const subject *s, void *keys, size_t i, uint64_t key) {
    memcpy((unsigned char *)keys + i * s->k->key->size, &key,
           s->k->key->size); /* little-endian, as all machines here */
}

static uint64_t get_key(const subject *s, const void *keys, size_t i) {
    uint64_t key = 0;
    memcpy(&key, (const unsigned char *)keys + i * s->k->key->size, s->k->key->size);
    return key;
}

static ww_array keys_array(const subject *s, void *keys, size_t n) { return ww_array_of(keys, n, s->k->key); }

static ww_array values_array(const subject *s, void *values, size_t n) {
    ww_array a = {values, n, s->k->value, s->k->value_size, NULL, 0};
    if (!s->k->value) return ww_none;
    return a;
}

static ww_input values_input(const subject *s, size_t n) {
    return s->k->value ? ww_from(values_array(s, (void *)(uintptr_t)s->values, n)) : ww_no_input;
}

static void open_dict(subject *s) {
    expect_status(s->device, ww_dict_open(s->device, path, NULL, true, &s->dict), WW_OK);
}

static void fill_batch(subject *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        put_key(s, s->keys, i, random_key(s));
        s->flags[i] = below(s, 3) == 0;
        for (size_t b = 0; b < s->k->value_size; b++)
            s->values[i * s->k->value_size + b] = (unsigned char)random_next(&s->state);
    }
}

/* What a key is both inserted and deleted in one batch is deleted. */
static void note_batch(subject *s, size_t n, bool inserts, bool deletes) {
    for (size_t i = 0; inserts && i < n; i++)
        if (!deletes || !s->flags[i])
            reference_dictionary_insert(&s->wanted, get_key(s, s->keys, i), s->values + i * s->k->value_size,
                                        s->k->value_size);
    for (size_t i = 0; deletes && i < n; i++)
        if (!inserts || s->flags[i]) reference_dictionary_delete(&s->wanted, get_key(s, s->keys, i));
}

static void change(subject *s) {
    const size_t n = (size_t)below(s, below(s, 3) ? 60 : MOST);
    const ww_input keys = ww_from(keys_array(s, s->keys, n));
    fill_batch(s, n);
    switch (below(s, 6)) {
    case 0:
        expect_status(s->device, ww_dict_delete(s->dict, keys), WW_OK);
        note_batch(s, n, false, true);
        return;
    case 1:
        expect_status(s->device,
                      ww_dict_update(s->dict, keys, values_input(s, n), ww_memory((const uint8_t *)s->flags, n)),
                      WW_OK);
        note_batch(s, n, true, true);
        return;
    case 2:
        if (below(s, 4) == 0) expect_status(s->device, ww_dict_cleanup(s->dict), WW_OK);
        return;
    default:
        expect_status(s->device, ww_dict_insert(s->dict, keys, values_input(s, n)), WW_OK);
        note_batch(s, n, true, false);
    }
}

/* ---- what they should find ---- */

/* The body of a call, made page by page, whatever the public one would choose. */
#define BY_PAGES(body) \
    do { \
        expect_status(s->device, ww__enter(s->device, "by pages"), WW_OK); \
        expect_status(s->device, ww__leave(s->device, body), WW_OK); \
    } while (0)

static void expect_found(subject *s, size_t n, const unsigned char *values, const uint8_t *found) {
    const size_t size = s->k->value_size;
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = get_key(s, s->keys, i);
        const size_t at = reference_dictionary_at(&s->wanted, key);
        const bool is = at < s->wanted.count && s->wanted.entry[at].key == key;
        expect(found[i] == is);
        if (is && size) expect_bytes(values + i * size, s->wanted.entry[at].value, size);
    }
}

static void look_up(subject *s, bool by_pages) {
    const size_t n = QUERIES;
    guarded values = guarded_new(n * s->k->value_size), found = guarded_new(n);
    const ww_input keys = ww_from(keys_array(s, s->keys, n));
    const ww_array values_out = values_array(s, values.data, n), found_out = ww_array((uint8_t *)found.data, n);
    for (size_t i = 0; i < n; i++)
        put_key(s, s->keys, i,
                below(s, 2) && s->wanted.count ? s->wanted.entry[below(s, s->wanted.count)].key : random_key(s));
    if (by_pages)
        BY_PAGES(ww__store_lookup(s->dict, &keys, &values_out, &found_out));
    else
        expect_status(s->device, ww_dict_lookup(s->dict, keys, values_out, found_out), WW_OK);
    expect_found(s, n, values.data, found.data);
    guarded_check(&values);
    guarded_check(&found);
    guarded_free(&values);
    guarded_free(&found);
}

static size_t wanted_between(const subject *s, size_t i, size_t *from) {
    const uint64_t low = get_key(s, s->keys, i), high = get_key(s, s->highs, i);
    *from = reference_dictionary_at(&s->wanted, low);
    size_t end = reference_dictionary_at(&s->wanted, high);
    if (end < s->wanted.count && s->wanted.entry[end].key == high) end++;
    return low > high ? 0 : end - *from;
}

static void expect_listed(const subject *s, size_t n, const uint64_t *offsets, const void *keys,
                          const unsigned char *values) {
    const size_t size = s->k->value_size;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t from;
        const size_t wide = wanted_between(s, i, &from);
        expect(offsets[i] == sum);
        for (size_t e = 0; e < wide; e++) {
            expect(get_key(s, keys, (size_t)sum + e) == s->wanted.entry[from + e].key);
            if (size) expect_bytes(values + (sum + e) * size, s->wanted.entry[from + e].value, size);
        }
        sum += wide;
    }
    expect(offsets[n] == sum);
}

static void list_between(subject *s, bool by_pages) {
    const size_t n = QUERIES / 10, room = n * (s->wanted.count + 1);
    uint64_t offsets[QUERIES + 1];
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = random_key(s), b = below(s, 3) ? random_key(s) : a + below(s, 100);
        put_key(s, s->keys, i, below(s, 5) && a > b ? b : a);
        put_key(s, s->highs, i, below(s, 5) && a > b ? a : b);
    }
    const ww_input lows = ww_from(keys_array(s, s->keys, n)), highs = ww_from(keys_array(s, s->highs, n));
    guarded keys = guarded_new(room * s->k->key->size), values = guarded_new(room * s->k->value_size);
    const ww_array keys_out = keys_array(s, keys.data, room), values_out = values_array(s, values.data, room);
    uint64_t counts[QUERIES];
    bool wide = false;
    if (by_pages) {
        BY_PAGES(ww__store_count(s->dict, &lows, &highs, counts, &wide));
        offsets[0] = 0;
        for (size_t i = 0; i < n && !wide; i++) offsets[i + 1] = offsets[i] + counts[i];
        if (!wide) BY_PAGES(ww__store_range(s->dict, &lows, &highs, offsets, &keys_out, &values_out));
    } else {
        expect_status(s->device, ww_dict_count(s->dict, lows, highs, ww_array(counts, n)), WW_OK);
        expect_status(s->device, ww_dict_range(s->dict, lows, highs, ww_array(offsets, n + 1), keys_out, values_out),
                      WW_OK);
        for (size_t i = 0; i < n; i++) expect(counts[i] == offsets[i + 1] - offsets[i]);
    }
    if (!wide) expect_listed(s, n, offsets, keys.data, values.data);
    guarded_check(&keys);
    guarded_check(&values);
    guarded_free(&keys);
    guarded_free(&values);
}

static void list_all(subject *s, uint64_t room) {
    guarded keys = guarded_new((size_t)room * s->k->key->size), values = guarded_new((size_t)room * s->k->value_size);
    uint64_t first = 0, at = 0, listed;
    for (;;) {
        expect_status(s->device,
                      ww_dict_list(s->dict, first, keys_array(s, keys.data, (size_t)room),
                                   values_array(s, values.data, (size_t)room), &listed),
                      WW_OK);
        expect(listed <= room && at + listed <= s->wanted.count);
        for (uint64_t i = 0; i < listed; i++, at++) {
            expect(get_key(s, keys.data, (size_t)i) == s->wanted.entry[at].key);
            if (s->k->value_size)
                expect_bytes((unsigned char *)values.data + i * s->k->value_size, s->wanted.entry[at].value,
                             s->k->value_size);
        }
        if (!listed) break;
        first = s->wanted.entry[at - 1].key + 1;
        if (!first) break;
    }
    expect(at == s->wanted.count);
    guarded_check(&keys);
    guarded_check(&values);
    guarded_free(&keys);
    guarded_free(&values);
}

static void expect_all(subject *s) {
    look_up(s, true);
    list_between(s, true);
    list_all(s, 64 + below(s, 300));
    look_up(s, false);
    list_between(s, false);
}

/* A reader has what there was when it came, whatever the writer does then. */
static void with_reader(subject *s) {
    ww_dict *const writer = s->dict, *reader;
    expect_status(s->device, ww_dict_open(s->device, path, NULL, false, &reader), WW_OK);
    const reference_dictionary before = s->wanted;
    s->wanted.entry = malloc((before.count + 1) * sizeof *before.entry);
    assert_non_null(s->wanted.entry);
    if (before.count) memcpy(s->wanted.entry, before.entry, before.count * sizeof *before.entry);
    s->wanted.room = before.count + 1;
    for (int i = 0; i < 3; i++) change(s);
    const reference_dictionary after = s->wanted;
    s->dict = reader;
    s->wanted = before;
    expect_all(s);
    expect_status(s->device, ww_dict_check(reader), WW_OK);
    ww_dict_close(reader);
    reference_dictionary_clear(&s->wanted);
    s->dict = writer;
    s->wanted = after;
}

/* Saved and loaded, on any device. */
static void expect_lsm(subject *s, ww_lsm *lsm) {
    const size_t n = s->wanted.count + 1;
    guarded keys = guarded_new(n * s->k->key->size), values = guarded_new(n * s->k->value_size), count = guarded_new(8);
    expect_status(s->device, ww_lsm_check(lsm), WW_OK);
    expect_status(s->device,
                  ww_lsm_entries(lsm, keys_array(s, keys.data, n), values_array(s, values.data, n),
                                 ww_array((uint64_t *)count.data, 1)),
                  WW_OK);
    expect_status(s->device, ww_sync(s->device), WW_OK);
    expect(*(const uint64_t *)count.data == s->wanted.count);
    for (size_t i = 0; i < s->wanted.count; i++) {
        expect(get_key(s, keys.data, i) == s->wanted.entry[i].key);
        if (s->k->value_size)
            expect_bytes((unsigned char *)values.data + i * s->k->value_size, s->wanted.entry[i].value,
                         s->k->value_size);
    }
    guarded_free(&keys);
    guarded_free(&values);
    guarded_free(&count);
}

static void load_and_save(subject *s) {
    ww_lsm *lsm, *again;
    expect_status(s->device, ww_lsm_load(s->device, path, s->k->value, &lsm), WW_OK);
    expect_lsm(s, lsm);
    expect_status(s->device, ww_lsm_save(lsm, other), WW_OK);
    expect_status(s->device, ww_lsm_load(s->device, other, NULL, &again), WW_OK);
    expect_lsm(s, again);
    ww_lsm_close(again);
    ww_lsm_close(lsm);
}

static ww_status create(const subject *s, uint64_t batch) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    options.batch = batch;
    options.value_size = s->k->value == &ww_type_record ? s->k->value_size : 0;
    return ww_dict_create(s->device, path, s->k->key, s->k->value, &options);
}

static void run_program(size_t setting, const kind *k, uint64_t batch, uint64_t domain, int steps) {
    const uint64_t seed = seed_of_run() + domain;
    CASE("dict", "%s %s batch=%llu domain=%llu seed=%llu", setting_name(setting), k->name, (ull)batch, (ull)domain,
         (ull)seed);
    if (!case_wanted()) return;
    subject *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    *s = (subject){.device = setting_open(setting), .k = k, .domain = domain, .state = seed};
    unlink(path);
    expect_status(s->device, create(s, batch), WW_OK);
    open_dict(s);
    for (int i = 0; i < steps; i++) {
        change(s);
        if (i % 3 == 0) expect_all(s);
        if (i % 7 == 3) {
            ww_dict_close(s->dict);
            open_dict(s);
            expect_all(s);
            expect_status(s->device, ww_dict_check(s->dict), WW_OK);
        }
        if (i % 8 == 5) with_reader(s);
    }
    ww_dict_close(s->dict);
    load_and_save(s);
    reference_dictionary_clear(&s->wanted);
    ww_close(s->device);
    free(s);
}

static void programs(void **state) {
    (void)state;
    if (on_gpu()) return;
    const size_t settings = setting_count_short();
    for (size_t setting = 0; setting < settings; setting++)
        for (size_t k = 0; k < KINDS; k++) {
            run_program(setting, &kinds[k], 1 + 63 * (k % 2), 3000, 24);
            run_program(setting, &kinds[k], k % 2 ? 0 : 16, 100, 24);
        }
}

/* ---- loading on every device what was saved on it ---- */

static void saved(void **state) {
    (void)state;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        CASE("dict", "%s saved and loaded", setting_name(setting));
        if (!case_wanted()) continue;
        subject *const s = calloc(1, sizeof *s);
        assert_non_null(s);
        *s = (subject){.device = setting_open(setting), .k = &kinds[0], .domain = 3000, .state = 5};
        ww_lsm *lsm;
        const size_t n = 1500;
        expect_status(s->device, ww_lsm_open(s->device, s->k->key, s->k->value, &lsm, NULL), WW_OK);
        unlink(path);
        expect_status(s->device, ww_lsm_save(lsm, path), WW_OK); /* empty */
        load_and_save(s);
        guarded keys = guarded_new(4 * n), values = guarded_new(4 * n);
        fill_batch(s, n);
        memcpy(keys.data, s->keys, 4 * n);
        memcpy(values.data, s->values, 4 * n);
        lsm->batch = 16; /* so that there are several levels */
        expect_status(
            s->device,
            ww_lsm_insert(lsm, ww_from(keys_array(s, keys.data, n)), ww_from(values_array(s, values.data, n))), WW_OK);
        note_batch(s, n, true, false);
        expect_status(s->device, ww_lsm_delete(lsm, ww_from(keys_array(s, keys.data, 100))), WW_OK);
        expect_status(s->device, ww_sync(s->device), WW_OK);
        note_batch(s, 100, false, true);
        expect(lsm->levels == 2);
        expect_status(s->device, ww_lsm_save(lsm, path), WW_OK);
        ww_lsm_close(lsm);
        load_and_save(s);
        if (on_gpu()) {
            ww_dict *dict;
            expect_status(s->device, ww_dict_open(s->device, path, NULL, false, &dict), WW_UNSUPPORTED);
            expect_sentence(s->device, "ww_lsm_load");
        }
        guarded_free(&keys);
        guarded_free(&values);
        reference_dictionary_clear(&s->wanted);
        ww_close(s->device);
        free(s);
    }
}

/* ---- files that are not as they should be ---- */

typedef struct image {
    unsigned char *bytes;
    size_t length;
} image;

static image read_file(const char *name) {
    image i = {NULL, 0};
    struct stat status;
    const int fd = open(name, O_RDONLY);
    assert_true(fd >= 0 && fstat(fd, &status) == 0);
    i.length = (size_t)status.st_size;
    i.bytes = malloc(i.length + 1);
    assert_non_null(i.bytes);
    assert_true(read(fd, i.bytes, i.length) == (ssize_t)i.length);
    close(fd);
    return i;
}

static void write_file(const char *name, const void *bytes, size_t length) {
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
    close(fd);
}

/* What a small file holds, as one number; its status and, where it is not OK, whether there is a sentence with its name. */
typedef struct content {
    ww_status status;
    uint64_t count, hash;
} content;

static content content_of(ww_device *device) {
    enum { ROOM = 4096 };
    static uint32_t keys[ROOM], values[ROOM];
    ww_dict *dict;
    content c = {.status = ww_dict_open(device, path, NULL, false, &dict)};
    if (!c.status) c.status = ww_dict_list(dict, 0, ww_array(keys, ROOM), ww_array(values, ROOM), &c.count);
    for (uint64_t i = 0; !c.status && i < c.count; i++) c.hash = (c.hash * 31 + keys[i]) * 31 + values[i];
    if (c.status) {
        expect(c.status == WW_FORMAT);
        expect_sentence(device, "a.db: ");
        c.count = c.hash = 0;
    }
    ww_dict_close(dict);
    return c;
}

static bool same(content a, content b) { return a.status == b.status && a.count == b.count && a.hash == b.hash; }

/* A dictionary of a level of 600 and, behind it, one with marks; `before` is the file one batch earlier. */
static ww_device *small_file(image *before, image *after) {
    ww_device *const device = setting_open(0);
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_dict *dict;
    const ww_input keys = ww_counting(&ww_type_uint32_t, 0, 600);
    options.batch = 8;
    unlink(path);
    expect_status(device, ww_dict_create(device, path, &ww_type_uint32_t, &ww_type_uint32_t, &options), WW_OK);
    expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
    expect_status(device, ww_dict_insert(dict, keys, keys), WW_OK);
    *before = read_file(path);
    expect_status(device, ww_dict_delete(dict, ww_counting(&ww_type_uint32_t, 100, 50)), WW_OK);
    ww_dict_close(dict);
    *after = read_file(path);
    return device;
}

static void cut(void **state) {
    image before, after;
    (void)state;
    CASE("dict", "cut at every length");
    if (!case_wanted() || on_gpu()) return;
    ww_device *const device = small_file(&before, &after);
    const content whole = content_of(device);
    expect(whole.status == WW_OK && whole.count == 550);
    write_file(path, after.bytes, after.length);
    for (size_t length = after.length; length-- > 0;) {
        if (tests_are_short() && length % 37) continue;
        assert_int_equal(truncate(path, (off_t)length), 0);
        expect(content_of(device).status == WW_FORMAT);
    }
    /* And of what was still being written, with both states old: the dictionary of before, whatever is behind it. */
    write_file(path, before.bytes, before.length);
    const content old = content_of(device);
    expect(old.status == WW_OK && old.count == 600);
    for (size_t length = before.length; length <= after.length; length += 61) {
        memcpy(after.bytes, before.bytes, WW__STORE_BEGIN);
        write_file(path, after.bytes, length);
        expect(same(content_of(device), old));
    }
    free(before.bytes);
    free(after.bytes);
    ww_close(device);
}

static void flipped(void **state) {
    image before, after;
    (void)state;
    CASE("dict", "a bit changed at every place");
    if (!case_wanted() || on_gpu()) return;
    ww_device *const device = small_file(&before, &after);
    const content whole = content_of(device);
    size_t noticed = 0;
    const int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    for (size_t at = 0; at < after.length; at += tests_are_short() ? 13 : 1) {
        const unsigned char wrong = after.bytes[at] ^ (unsigned char)(1u << at % 8);
        assert_true(pwrite(fd, &wrong, 1, (off_t)at) == 1);
        const content c = content_of(device);
        expect(c.status == WW_FORMAT || same(c, whole));
        noticed += c.status == WW_FORMAT;
        assert_true(pwrite(fd, &after.bytes[at], 1, (off_t)at) == 1);
    }
    close(fd);
    if (!tests_are_short()) expect(noticed >= 4 * 4096); /* the header, and the levels' three pages */
    expect(same(content_of(device), whole));
    free(before.bytes);
    free(after.bytes);
    ww_close(device);
}

/* A state that was being written when the machine stopped: of the new page its first bytes, or its last. What it refers to is
 * there: so the batch is. And the next writer makes both states whole. */
static void torn(void **state) {
    image before, after;
    (void)state;
    CASE("dict", "a state written in part");
    if (!case_wanted() || on_gpu()) return;
    ww_device *const device = small_file(&before, &after);
    const content whole = content_of(device);
    ww_dict *dict;
    const size_t page = memcmp(before.bytes + 4096, after.bytes + 4096, 4096) ? 4096 : 8192;
    for (size_t part = 0; part <= 1200; part += tests_are_short() ? 31 : 7) {
        unsigned char mixed[4096];
        memcpy(mixed, before.bytes + page, 4096);
        memcpy(mixed, after.bytes + page, part);
        const int fd = open(path, O_WRONLY);
        assert_true(pwrite(fd, mixed, 4096, (off_t)page) == 4096);
        close(fd);
        /* Of the first few bytes nothing is new. */
        const content c = content_of(device);
        if (memcmp(mixed, before.bytes + page, 4096) == 0)
            expect(c.status == WW_OK && c.count == 600);
        else
            expect(same(c, whole));
    }
    expect_status(device, ww_dict_open(device, path, NULL, false, &dict), WW_OK);
    expect_status(device, ww_dict_check(dict), WW_FORMAT);
    expect_sentence(device, "one of its two states is damaged");
    ww_dict_close(dict);
    expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
    expect_status(device, ww_dict_check(dict), WW_OK);
    ww_dict_close(dict);
    expect(same(content_of(device), whole));
    free(before.bytes);
    free(after.bytes);
    ww_close(device);
}

static void seal(unsigned char *page) {
    const uint32_t crc = ww__crc(page, 4092);
    memcpy(page + 4092, &crc, sizeof crc);
}

/* With the checksum right. */
static void refused(const image *file, size_t at, uint64_t value, size_t bytes, const char *sentence, int line) {
    ww_device *const device = setting_open(0);
    unsigned char *const copy = malloc(file->length);
    ww_dict *dict;
    assert_non_null(copy);
    memcpy(copy, file->bytes, file->length);
    memcpy(copy + at, &value, bytes);
    seal(copy + at / 4096 * 4096);
    if (at >= 4096) memcpy(copy + 4096 + (at / 4096 == 1) * 4096, copy + at / 4096 * 4096, 4096); /* both states */
    write_file(path, copy, file->length);
    expect_status_at(device, ww_dict_open(device, path, NULL, false, &dict), WW_FORMAT, __FILE__, line);
    expect_sentence_at(device, __FILE__, line, "a.db: ", sentence, (const char *)NULL);
    expect(!dict);
    free(copy);
    ww_close(device);
}

static void others(void **state) {
    image before, after;
    (void)state;
    CASE("dict", "other versions, types and orders");
    if (!case_wanted() || on_gpu()) return;
    ww_device *const device = small_file(&before, &after);
    ww_dict *dict;
    ww_lsm *lsm;
    const size_t order = 8, version = 12, key_size = 16, value_size = 20, end = 4096 + 16, levels = 4096 + 24,
                 level = 4096 + 32;
    refused(&after, order, 0x04030201, 4, "was made on a machine of another byte order", __LINE__);
    refused(&after, order, 0x01020305, 4, "is damaged", __LINE__);
    refused(&after, version, 2, 4, "has version 2 of the format, and this library knows version 1", __LINE__);
    refused(&after, key_size, 2, 4, "has keys of 2 bytes", __LINE__);
    refused(&after, value_size, 65, 4, "has values of 65 bytes", __LINE__);
    refused(&after, 24, UINT64_C(1) << 33, 8, "has batches of", __LINE__);
    refused(&after, end, 4096 + 4096 * 1024, 8, "is truncated", __LINE__);
    refused(&after, end, 5000, 8, "says that it ends at byte 5000", __LINE__);
    refused(&after, levels, 48, 8, "has 48 levels", __LINE__);
    refused(&after, level, 12289, 8, "cannot be", __LINE__);
    refused(&after, level + 8, UINT64_MAX / 2, 8, "cannot be", __LINE__);
    refused(&after, level + 8, 301, 8, "level 1 has 600 elements, and the newer one 301", __LINE__);
    refused(&after, level + 24 + 16, 1, 4, "its oldest level has deletions", __LINE__);
    expect_status(device, ww_dict_open(device, NULL, NULL, false, &dict), WW_INVALID);
    expect_status(device, ww_dict_open(device, path, NULL, false, NULL), WW_INVALID);
    expect_status(device, ww_lsm_load(device, NULL, NULL, &lsm), WW_INVALID);
    expect_status(device, ww_dict_create(device, NULL, &ww_type_uint32_t, NULL, NULL), WW_INVALID);
    expect_status(device, ww_dict_create(device, other, &ww_type_float, NULL, NULL), WW_TYPE);
    expect(ww_dict_check(NULL) == WW_INVALID && ww_dict_cleanup(NULL) == WW_INVALID);
    ww_dict_close(NULL);
    write_file(path, "key,value\n1,2\n", 14);
    expect_status(device, ww_dict_open(device, path, NULL, false, &dict), WW_FORMAT);
    expect_sentence(device, "a.db: is not a dictionary");
    expect_status(device, ww_lsm_load(device, path, NULL, &lsm), WW_FORMAT);
    expect(!lsm);
    expect_status(device, ww_dict_open(device, folder, NULL, false, &dict), WW_FORMAT);
    expect_sentence(device, "is not a regular file");
    unlink(other);
    expect_status(device, ww_dict_open(device, other, NULL, true, &dict), WW_FILE);
    write_file(path, after.bytes, after.length);
    expect_status(device, ww_lsm_load(device, path, &ww_type_uint64_t, &lsm), WW_TYPE);
    expect_sentence(device, "has values of type u32 (4 bytes), and value is u64 (8 bytes)");
    expect_status(device, ww_dict_create(device, path, &ww_type_uint32_t, NULL, NULL), WW_FILE);
    expect_sentence(device, "already exists");
    expect_status(device, ww_dict_open(device, path, NULL, false, &dict), WW_OK);
    expect_status(device,
                  ww_dict_insert(dict, ww_counting(&ww_type_uint32_t, 0, 1), ww_counting(&ww_type_uint32_t, 0, 1)),
                  WW_FILE);
    expect_sentence(device, "was opened for reading only");
    expect_status(device, ww_dict_insert(dict, ww_counting(&ww_type_uint64_t, 0, 1), ww_no_input), WW_FILE);
    ww_dict_close(dict);
    free(before.bytes);
    free(after.bytes);
    ww_close(device);
}

/* ---- one writer ---- */

static void writers(void **state) {
    image before, after;
    (void)state;
    CASE("dict", "one writer");
    if (!case_wanted() || on_gpu()) return;
    ww_device *const device = small_file(&before, &after);
    ww_dict *first, *second;
    ww_lsm *lsm;
    expect_status(device, ww_lsm_load(device, path, NULL, &lsm), WW_OK);
    expect_status(device, ww_dict_open(device, path, NULL, true, &first), WW_OK);
    for (int i = 0; i < 2; i++) {
        expect_status(device, ww_dict_open(device, path, NULL, true, &second), WW_FILE);
        expect_sentence(device, "a.db: another process has it open for writing");
        expect_status(device, ww_lsm_save(lsm, path), WW_FILE);
        expect_sentence(device, "a.db: another process has it open for writing");
        expect_status(device, ww_dict_open(device, path, NULL, false, &second), WW_OK);
        ww_dict_close(second);
        expect_status(device, ww_dict_cleanup(first), WW_OK); /* a new file, which is locked as well */
    }
    ww_dict_close(first);
    expect_status(device, ww_lsm_save(lsm, path), WW_OK);
    ww_lsm_close(lsm);
    free(before.bytes);
    free(after.bytes);
    ww_close(device);
}

/* The file stays within twice of what is alive and 64 KiB, and a small batch costs little whatever the dictionary's size. */
static void space(void **state) {
    (void)state;
    CASE("dict", "space");
    if (!case_wanted() || on_gpu()) return;
    ww_device *const device = setting_open(0);
    ww_dict *dict;
    ww_dict_info info = WW_DICT_INFO;
    const ww_input many = ww_counting(&ww_type_uint32_t, 0, 200000);
    unlink(path);
    expect_status(device, ww_dict_create(device, path, &ww_type_uint32_t, &ww_type_uint32_t, NULL), WW_OK);
    expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
    expect_status(device, ww_dict_insert(dict, many, many), WW_OK);
    for (uint32_t i = 0; i < 60; i++) {
        const ww_input few = ww_counting(&ww_type_uint32_t, 7 * i, i % 2 ? 3 : 900);
        ww_dict_info before = WW_DICT_INFO;
        expect_status(device, ww_dict_info_get(dict, &before), WW_OK);
        expect_status(device, ww_dict_insert(dict, few, few), WW_OK);
        expect_status(device, ww_dict_info_get(dict, &info), WW_OK);
        expect(info.file_bytes <= 2 * info.live_bytes + (1 << 16) + WW__STORE_BEGIN);
        if (i < 3) expect(info.file_bytes - before.file_bytes < 5 * 4096 + 900 * 9);
        expect(info.changes == before.changes + 1 && info.elements >= 200000);
    }
    ww_dict_close(dict);
    ww_close(device);
}

static void checksums(void **state) {
    unsigned char bytes[48];
    (void)state;
    CASE("dict", "CRC-32C as in RFC 3720, B.4");
    if (!case_wanted()) return;
    memset(bytes, 0, 32);
    expect(ww__crc(bytes, 32) == 0x8a9136aa && ww__crc_plain(bytes, 32) == 0x8a9136aa);
    memset(bytes, 0xff, 32);
    expect(ww__crc(bytes, 32) == 0x62a8ab43 && ww__crc_plain(bytes, 32) == 0x62a8ab43);
    for (unsigned i = 0; i < 48; i++) bytes[i] = (unsigned char)i;
    expect(ww__crc(bytes, 32) == 0x46dd794e && ww__crc_plain(bytes, 32) == 0x46dd794e);
    for (size_t length = 0; length <= 40; length++)
        for (size_t off = 0; off < 8; off++) expect(ww__crc(bytes + off, length) == ww__crc_plain(bytes + off, length));
}

/* ---- outputs that are computed ---- */

WW_STRUCT(value_and_twice, { uint32_t value, twice; });
WW_MAP(tripled, uint64_t, uint32_t, x, void, none, { return 3 * (uint64_t)x; });
WW_MAP(both_of, value_and_twice, uint32_t, x, void, none, {
    value_and_twice both = {x, 2 * x};
    return both;
});
WW_MAP(truth_and_more, uint32_t, uint8_t, found, void, none, { return 40u + found; });

/* Values that a map makes other numbers of, or members of several arrays; flags likewise. What is not there leaves its place as it is. Few
 * keys are searched for page by page, many in the whole file. */
static void computed_outputs(void **state) {
    (void)state;
    enum { KEPT = 5000 };
    if (left_out_on_gpu("dictionaries in files are a CPU's")) return;
    for (size_t setting = 0; setting < setting_count_short(); setting++) {
        ww_device *device = setting_open(setting);
        for (uint32_t n = 1; n <= 2 * KEPT; n = n == 1 ? 100 : n * 100) {
            CASE("dict", "%s computed outputs n=%u", setting_name(setting), n);
            if (!case_wanted()) continue;
            ww_dict *dict;
            guarded tripled = guarded_new(n * 8), flags = guarded_new(n * 4), value = guarded_new(n * 4),
                    twice = guarded_new(n * 4);
            memset(tripled.data, 0x5a, n * 8);
            memset(value.data, 0x5a, n * 4);
            memset(twice.data, 0x5a, n * 4);
            unlink(path);
            const ww_input keys = ww_counting(&ww_type_uint32_t, 0, n),
                           numbers = ww_counting(&ww_type_uint32_t, 7, KEPT);
            expect_status(device, ww_dict_create(device, path, &ww_type_uint32_t, &ww_type_uint32_t, NULL), WW_OK);
            expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
            /* even keys: 2 i has i + 7 */
            expect_status(
                device,
                ww_dict_insert(dict, ww_strided(ww_counting(&ww_type_uint32_t, 0, 2 * KEPT), 0, 2, KEPT), numbers),
                WW_OK);
            expect_status(device,
                          ww_dict_lookup(dict, keys, ww_mapped_into(&tripled_ww, ww_array((uint64_t *)tripled.data, n)),
                                         ww_mapped_into(&truth_and_more_ww, ww_array((uint32_t *)flags.data, n))),
                          WW_OK);
            expect_status(
                device,
                ww_dict_lookup(
                    dict, keys,
                    ww_mapped_into(&both_of_ww, ww_zipped_into(&value_and_twice_ww, ww_array((uint32_t *)value.data, n),
                                                               ww_array((uint32_t *)twice.data, n))),
                    ww_none),
                WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (uint32_t i = 0; i < n; i++) {
                const bool is = i % 2 == 0;
                expect(((uint32_t *)flags.data)[i] == 40u + is);
                expect(((uint64_t *)tripled.data)[i] == (is ? 3 * (uint64_t)(i / 2 + 7) : 0x5a5a5a5a5a5a5a5a));
                expect(((uint32_t *)value.data)[i] == (is ? i / 2 + 7 : 0x5a5a5a5a));
                expect(((uint32_t *)twice.data)[i] == (is ? 2 * (i / 2 + 7) : 0x5a5a5a5a));
            }
            ww_dict_close(dict);
            unlink(path);
            guarded *const all[] = {&tripled, &flags, &value, &twice};
            for (size_t k = 0; k < 4; k++) guarded_check(all[k]), guarded_free(all[k]);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs),  cmocka_unit_test(saved),
                                       cmocka_unit_test(cut),       cmocka_unit_test(flipped),
                                       cmocka_unit_test(torn),      cmocka_unit_test(others),
                                       cmocka_unit_test(writers),   cmocka_unit_test(space),
                                       cmocka_unit_test(checksums), cmocka_unit_test(computed_outputs)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
