/* ww_sort_records, its index and ww_sort_index against serial oracles: records of many sizes, keys of any length anywhere in
 * them, orders, in place and not, memory of no alignment, computed inputs. */
#include "function/function.h"
#include "reference/sort_records.h"
#include "sort/orders.h"
#include "support/traced.h"

/* What is sorted: `size` bytes by `bytes` of them from `first` on. */
typedef struct layout {
    size_t size, first, bytes;
} layout;

/* Bytes of keys: random, all the same, of two values (ties), the same but for the last. */
typedef enum keys { RANDOM, EQUAL, TWO, LAST_DIFFERS, KEYS } keys;
static const char *const keys_names[KEYS] = {"random", "equal", "two-values", "last-byte"};

static void make_records(unsigned char *records, size_t n, const layout *l, keys how) {
    uint64_t random = seed_of_run() + n + l->size;
    fill(records, &ww_type_record, l->size, n, UNIFORM, seed_of_run() + l->first);
    for (size_t i = 0; i < n; i++) {
        unsigned char *key = records + i * l->size + l->first;
        const uint64_t r = random_next(&random);
        if (how == EQUAL || how == LAST_DIFFERS) memset(key, 0x80, l->bytes);
        if (how == LAST_DIFFERS) key[l->bytes - 1] = (unsigned char)(r >> 8);
        if (how == TWO)
            for (size_t b = 0; b < l->bytes; b++) key[b] = (r >> b % 64 & 1) ? 0xFF : 1;
        if (how == TWO && l->bytes > 3) memset(key + 2, 0, l->bytes - 3);
    }
}

static size_t number_bytes(size_t key) {
    size_t number = 1;
    while (number < key && number < 16) number *= 2;
    return number;
}

static void check_scratch(ww_device *device, const layout *l, size_t n, bool copied) {
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    const size_t counters = on_emulator() ? 8 : 2;
    expect(info.scratch_peak <= n * (2 * number_bytes(l->bytes) + 16 + counters + (copied ? l->size : 0)) +
                                    ((size_t)1 << 20) + (size_t)info.threads * (640 << 10));
}

typedef struct wanted {
    unsigned char *records;
    uint32_t *positions;
} wanted;

static wanted wanted_new(const unsigned char *records, size_t n, const layout *l, bool descending) {
    wanted w = {need(n * l->size + 1), need(n * sizeof *w.positions + 1)};
    reference_sort_records(records, n, l->size, l->first, l->bytes, descending, w.positions);
    for (size_t i = 0; i < n; i++) memcpy(w.records + i * l->size, records + w.positions[i] * l->size, l->size);
    return w;
}

/* `shift`: bytes by which records lie off any alignment. */
static void check_records(ww_device *device, const layout *l, size_t n, const unsigned char *records, const wanted *w,
                          const ww_sort_options *o, bool in_place, size_t shift) {
    const size_t bytes = n * l->size;
    unsigned char *moved = need(bytes + shift + 1);
    guarded out = guarded_new(bytes + shift);
    memcpy(moved + shift, records, bytes);
    const ww_array to = ww_records((unsigned char *)out.data + shift, n, l->size);
    ww_input in = ww_record_memory(moved + shift, n, l->size);
    if (in_place) {
        memcpy(to.data, records, bytes);
        in = ww_from(to);
    }
    ww_scratch_trim(device);
    expect_status(device, ww_sort_records(device, l->first, l->bytes, in, to, o), WW_OK);
    expect_elements(to.data, w->records, n, l->size);
    if (!in_place) expect_elements(moved + shift, records, n, l->size);
    for (size_t b = 0; b < shift; b++) expect(((unsigned char *)out.data)[b] == 0xA5);
    guarded_check(&out);
    check_scratch(device, l, n, in_place);
    guarded_free(&out), free(moved);
}

static void check_index(ww_device *device, const layout *l, size_t n, unsigned char *records, const wanted *w,
                        const ww_sort_options *o, bool wide) {
    guarded out = guarded_new(n * (wide ? 8 : 4));
    ww_scratch_trim(device);
    expect_status(device,
                  ww_sort_records_index(device, l->first, l->bytes, ww_record_memory(records, n, l->size),
                                        ww_array_of(out.data, n, wide ? &ww_type_uint64_t : &ww_type_uint32_t), o),
                  WW_OK);
    for (size_t i = 0; i < n && wide; i++) expect(((uint64_t *)out.data)[i] == w->positions[i]);
    if (!wide) expect_elements(out.data, w->positions, n, 4);
    guarded_check(&out);
    check_scratch(device, l, n, false);
    guarded_free(&out);
}

static void check_layout(ww_device **devices, size_t settings, const layout *l, size_t n, keys how, unsigned turn) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = turn % 3 == 1;
    unsigned char *records = NULL; /* made and sorted when the first case is wanted */
    wanted w = {0};
    for (size_t d = 0; d < settings; d++) {
        const bool in_place = (turn + d) % 2, index = turn % 4 == 2;
        const size_t shift = !index && turn % 5 == 3 ? 1 + turn % 3 : 0;
        CASE("sort records", "%s size=%zu key=%zu:%zu n=%zu %s%s %s shift=%zu seed=%llu", setting_name(d), l->size,
             l->first, l->bytes, n, keys_names[how], o.descending ? " descending" : "",
             index      ? "index"
             : in_place ? "in-place"
                        : "apart",
             shift, (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!records) {
            records = need(n * l->size + 1);
            make_records(records, n, l, how);
            w = wanted_new(records, n, l, o.descending);
        }
        if (index)
            check_index(devices[d], l, n, records, &w, &o, turn % 8 == 2);
        else
            check_records(devices[d], l, n, records, &w, &o, in_place, shift);
    }
    free(records), free(w.records), free(w.positions);
}

/* Numbers that are nothing but key; records that are moved and that are not; keys of each number's size and between, in words and
 * across them; keys of several pieces. */
static const layout layouts[] = {
    {4, 0, 4},    {128, 4, 4}, {16, 8, 8},    {100, 0, 10}, {40, 1, 33},  {1, 0, 1},    {2, 0, 2},
    {8, 0, 8},    {16, 0, 16}, {4, 1, 2},     {8, 2, 3},    {16, 3, 13},  {3, 0, 3},    {3, 1, 1},
    {10, 0, 10},  {12, 4, 8},  {24, 8, 16},   {24, 0, 24},  {32, 28, 4},  {36, 4, 17},  {64, 0, 48},
    {100, 95, 5}, {128, 0, 6}, {128, 64, 64}, {256, 16, 8}, {999, 12, 7}, {5000, 4, 4}, {300, 0, 300},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* On the emulator each size of key, record and word is a program of its own, which takes seconds to compile. */
static bool layout_taken(size_t i) { return !on_emulator() || i < 5; }

static void layouts_and_sizes(void **state) {
    (void)state;
    static const size_t small[] = {0, 1, 2, 3, 65, 255, 256, 257, 511, 513, 1025, 4097};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    unsigned turn = 0;
    for (size_t i = 0; i < LAYOUTS; i++) {
        if (!layout_taken(i)) continue;
        for (size_t s = 0; s < sizeof small / sizeof *small; s++, turn++) {
            if (small[s] > 2 && on_emulator() && (s + i) % 3) continue;
            check_layout(devices, settings, &layouts[i], small[s], (keys)(turn % KEYS), turn);
        }
    }
    settings_close(devices, settings);
}

/* Records as long as they can be, which move whole, in place and not: a thread of a GPU cannot hold one. A key at each end, and one
 * of several pieces. */
static void longest_records(void **state) {
    (void)state;
    static const layout longest[] = {{65536, 65532, 4}, {65536, 0, 4}, {65536, 40, 33}};
    static const size_t sizes[] = {40, 23, 12, 5}; /* the last lie off any alignment */
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++)
        for (unsigned turn = 0; turn < 4; turn++)
            if (!on_emulator() || turn % 2) check_layout(devices, settings, &longest[i], sizes[turn], RANDOM, turn);
    settings_close(devices, settings);
}

/* Many records: several threads, and outputs that bypass caches. */
static void many_records(void **state) {
    (void)state;
    if (on_emulator()) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t i = 0; i < LAYOUTS; i++) {
        const size_t most = tests_are_short() ? (size_t)2 << 20 : (size_t)12 << 20;
        const size_t n = layouts[i].size > 40 ? most / layouts[i].size : most / 40 + 7 * i;
        check_layout(devices, settings, &layouts[i], n, (keys)(i % KEYS), (unsigned)i);
    }
    settings_close(devices, settings);
}

/* ---- ww_sort_index ---- */

static void check_order(ww_device *device, reference_order order, const void *keys, size_t n, const uint32_t *positions,
                        bool wide) {
    const ww_sort_options o = options_of(order);
    guarded out = guarded_new(n * (wide ? 8 : 4));
    ww_scratch_trim(device);
    expect_status(device,
                  ww_sort_index(device, ww_memory_of(keys, n, order.type),
                                ww_array_of(out.data, n, wide ? &ww_type_uint64_t : &ww_type_uint32_t), &o),
                  WW_OK);
    for (size_t i = 0; i < n && wide; i++) expect(((uint64_t *)out.data)[i] == positions[i]);
    if (!wide) expect_elements(out.data, positions, n, 4);
    guarded_check(&out);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    const size_t counters = on_emulator() ? 8 : 2;
    expect(info.scratch_peak <= n * (2 * order.type->size + (wide ? 8 : 4) + counters) + ((size_t)1 << 20) +
                                    (size_t)info.threads * (640 << 10));
    guarded_free(&out);
}

static void index_of_numbers(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 255, 513, 1537, 4099, 200003};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    unsigned turn = 0;
    for (size_t t = 0; t < KEY_TYPES; t++) {
        if (on_emulator() && t > 2) break;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++) {
            const size_t n = sizes[i];
            if ((on_emulator() && n > 2000) || (n > 5000 && t % 3)) continue;
            const reference_order order = order_in_turn(t, turn);
            const shape s = (shape)((turn + t) % SHAPES);
            void *keys = NULL;
            uint32_t *positions = NULL;
            for (size_t d = 0; d < settings; d++) {
                CASE("sort index", "%s %s n=%zu %s%s bits=%u+%u seed=%llu", setting_name(d), order.type->label, n,
                     shape_name(s), order.descending ? " descending" : "", order.bit_first, order.bit_count,
                     (unsigned long long)seed_of_run());
                if (!case_wanted()) continue;
                if (!keys) {
                    keys = need(n * order.type->size + 1), positions = need(n * 4 + 1);
                    fill(keys, order.type, order.type->size, n, s, seed_of_run() + turn);
                    reference_sort_positions(order, keys, n, positions);
                }
                check_order(devices[d], order, keys, n, positions, turn % 2);
            }
            free(keys), free(positions);
        }
    }
    settings_close(devices, settings);
}

/* ---- inputs, the trace, refusals ---- */

WW_STRUCT(person, {
    uint32_t number;
    uint16_t year;
    uint8_t month, day;
    uint64_t more;
});
WW_MAP(made_up, person, uint32_t, x, void, none, {
    person p = {x, (uint16_t)(1950 + x % 50), (uint8_t)(1 + x % 12), (uint8_t)(1 + x % 28), (uint64_t)x * 3};
    return p;
});
WW_MAP(last_digit, uint32_t, uint32_t, x, void, none, { return x % 10; });

/* Structs that are computed, by one byte of them; keys that are computed. */
static void computed_inputs(void **state) {
    (void)state;
    enum { N = 1500 };
    ww_device *device = setting_open(0);
    CASE("sort records", "%s computed", setting_name(0));
    person *out = need(N * sizeof *out);
    uint32_t *order = need(N * sizeof *order), before = 0;
    const ww_input people = ww_mapped(&made_up_ww, ww_counting(&ww_type_uint32_t, 0, N));
    expect_status(device, ww_sort_records(device, 6, 1, people, ww_array_of(out, N, &person_ww), NULL), WW_OK);
    for (uint32_t i = 0; i < N; i++) {
        expect(out[i].number % 12 + 1 == out[i].month && out[i].more == (uint64_t)out[i].number * 3);
        expect(!i || out[i - 1].month < out[i].month ||
               (out[i - 1].month == out[i].month && out[i - 1].number < out[i].number));
    }
    expect_status(device,
                  ww_sort_index(device, ww_mapped(&last_digit_ww, ww_counting(&ww_type_uint32_t, 0, N)),
                                ww_array(order, N), NULL),
                  WW_OK);
    for (uint32_t i = 0; i < N; before = order[i++])
        expect(!i || before % 10 < order[i] % 10 || (before % 10 == order[i] % 10 && before < order[i]));
    free(out), free(order);
    ww_close(device);
}

static void trace_of(const layout *l, size_t n, bool index, char *text, size_t room) {
    unsigned char *records = need(n * l->size), *out = need(n * l->size + 8 * n);
    make_records(records, n, l, RANDOM);
    ww_device *device = traced_open();
    const ww_input in = ww_record_memory(records, n, l->size);
    traced t = traced_begin();
    const ww_status status = index ? ww_sort_records_index(device, l->first, l->bytes, in,
                                                           ww_array((uint32_t *)(void *)out, n), NULL)
                                   : ww_sort_records(device, l->first, l->bytes, in, ww_records(out, n, l->size), NULL);
    traced_end(&t, text, room);
    expect_status(device, status, WW_OK);
    ww_close(device);
    free(records), free(out);
}

static void each_way_runs_its_own_code(void **state) {
    (void)state;
    const size_t n = tiles_are_small() ? 1501 : 5003; /* more than a block holds, fewer than are sorted by prefix */
    char text[8192];
    static const layout number = {4, 0, 4}, moved = {16, 8, 8}, record = {128, 4, 4}, long_key = {40, 1, 33};
    CASE("sort records trace", "%s", setting_name(0));
    if (!on_gpu()) {
        trace_of(&record, n, false, text, sizeof text);
        expect(strstr(text, "ww_sort_records method=read-keys") && strstr(text, "items=5003"));
        return;
    }
#define SWEEPS "count_digits", "sweep_digits" /* of few elements all in one launch */
    trace_of(&number, n, false, text, sizeof text);
    expect_launches(text, "read_keys", SWEEPS, "read_keys");
    trace_of(&moved, n, false, text, sizeof text);
    expect_launches(text, "read_keys", SWEEPS);
    trace_of(&record, n, false, text, sizeof text);
    expect_launches(text, "read_keys", SWEEPS, "move_records");
    trace_of(&record, n, true, text, sizeof text);
    expect_launches(text, "read_keys", SWEEPS);
    trace_of(&long_key, n, false, text, sizeof text);
    expect_launches(text, "read_keys", SWEEPS, "read_keys", SWEEPS, "read_keys", SWEEPS, "move_records");
}

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    unsigned char *const a = need(400), *const b = a + 200;
    uint32_t *const index = need(100);
    const ww_input in = ww_record_memory(a, 10, 12);
    const ww_array out = ww_records(b, 10, 12);
    memset(a, 7, 400);
    CASE("sort records refusals", "%s", setting_name(0));
    expect_status(NULL, ww_sort_records(NULL, 0, 4, in, out, NULL), WW_INVALID);
    expect_status(device, ww_sort_records(device, 0, 4, ww_no_input, out, NULL), WW_INVALID);
    expect_sentence(device, "ww_sort_records", "in is missing");
    expect_status(device, ww_sort_records(device, 0, 4, in, ww_none, NULL), WW_INVALID);
    expect_sentence(device, "out is missing");
    expect_status(device, ww_sort_records(device, 0, 0, in, out, NULL), WW_INVALID);
    expect_sentence(device, "key_bytes is 0");
    expect_status(device, ww_sort_records(device, 9, 4, in, out, NULL), WW_INVALID);
    expect_sentence(device, "key of 4 bytes from byte 9", "12 bytes");
    expect_status(device, ww_sort_records(device, UINT64_MAX, 2, in, out, NULL), WW_INVALID);
    expect_status(device, ww_sort_records(device, 2, UINT64_MAX, in, out, NULL), WW_INVALID);
    expect_status(device, ww_sort_records(device, 0, 4, in, ww_records(b, 9, 12), NULL), WW_INVALID);
    expect_sentence(device, "10", "9");
    expect_status(device, ww_sort_records(device, 0, 4, in, ww_records(b, 10, 11), NULL), WW_TYPE);
    expect_status(device, ww_sort_records(device, 0, 4, in, ww_records(a + 12, 10, 12), NULL), WW_OVERLAP);
    expect_status(device, ww_sort_records(device, 0, 4, ww_record_memory(a, 0, 65537), ww_records(b, 0, 65537), NULL),
                  WW_INVALID);
    expect_sentence(device, "65537", "65536");
    ww_sort_options o = WW_SORT_OPTIONS;
    o.bit_count = 3;
    expect_status(device, ww_sort_records(device, 0, 4, in, out, &o), WW_INVALID);
    expect_sentence(device, "only descending");
    o = (ww_sort_options)WW_SORT_OPTIONS;
    o.method = WW_SORT_MERGE;
    expect_status(device, ww_sort_records(device, 0, 4, in, out, &o), WW_INVALID);
    o.size = 2;
    expect_status(device, ww_sort_records(device, 0, 4, in, out, &o), WW_INVALID);
    expect_status(device, ww_sort_records_index(device, 0, 4, in, ww_none, NULL), WW_INVALID);
    expect_sentence(device, "ww_sort_records_index", "index_out is missing");
    expect_status(device, ww_sort_records_index(device, 0, 4, in, ww_array((uint16_t *)(void *)index, 10), NULL),
                  WW_TYPE);
    expect_status(device, ww_sort_records_index(device, 0, 4, in, ww_array(index, 11), NULL), WW_INVALID);
    expect_status(device, ww_sort_records_index(device, 0, 4, in, ww_array((uint32_t *)(void *)a, 10), NULL),
                  WW_OVERLAP);
    expect_status(device, ww_sort_index(device, ww_memory(index, 10), ww_array(index, 10), NULL), WW_OVERLAP);
    expect_sentence(device, "ww_sort_index", "index_out");
    expect_status(device, ww_sort_index(device, in, ww_array(index, 10), NULL), WW_TYPE);
    expect_status(device, ww_sort_index(device, ww_memory(index, 10), ww_array(index + 10, 9), NULL), WW_INVALID);
    expect_status(device,
                  ww_sort_index(device, ww_memory(index, 10), ww_array((float *)(void *)(index + 10), 10), NULL),
                  WW_TYPE);
    for (size_t i = 0; i < 400; i++) expect(a[i] == 7);
    uint32_t one = 5; /* a single result may lie anywhere */
    expect_status(device, ww_sort_index(device, ww_memory(index, 1), ww_array(&one, 1), NULL), WW_OK);
    expect(one == 0);
    one = 5;
    expect_status(device, ww_sort_records_index(device, 0, 4, ww_record_memory(a, 1, 12), ww_array(&one, 1), NULL),
                  WW_OK);
    expect(one == 0);
    ww_close(device);
    free(a), free(index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_and_sizes), cmocka_unit_test(longest_records),
        cmocka_unit_test(many_records),      cmocka_unit_test(index_of_numbers),
        cmocka_unit_test(computed_inputs),   cmocka_unit_test(each_way_runs_its_own_code),
        cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
