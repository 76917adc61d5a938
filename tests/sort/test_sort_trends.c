/* Sorts that find less to do than to sort: keys in order already, descending, few different ones; and those that
 * only look so, since one key is out of place. Against a serial merge sort, at sizes around those from which a GPU looks
 * for each. One step down between two neighbours stands at every border of what a CPU looks at in one go, too. */
#include "sort/arrays.h"
#include "sort/orders.h"

typedef enum trend { RISING, FALLING, FALLING_TIES, SOME, ONE, THERE_AND_BACK, TRENDS } trend;
static const char *const trend_names[TRENDS] = {"rising", "falling", "falling-ties", "some", "one", "there-and-back"};

typedef struct kind {
    const ww_type *type;
    size_t value_size;
    bool descending;
    uint32_t bit_first, bit_count;
} kind;
static const kind kinds[] = {
    {&ww_type_uint32_t, 0, false, 0, 0}, {&ww_type_uint32_t, 4, false, 0, 0},  {&ww_type_uint64_t, 0, false, 0, 0},
    {&ww_type_uint64_t, 8, true, 0, 0},  {&ww_type_uint32_t, 0, false, 3, 27}, {&ww_type_int32_t, 0, true, 0, 0},
#if WW_HAS_U128
    {&ww_type_ww_u128, 0, false, 0, 0},
#endif
    {&ww_type_uint16_t, 0, false, 0, 0}, {&ww_type_float, 2, false, 0, 0},     {&ww_type_int64_t, 16, false, 0, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint64_t rank_of(trend t, size_t i, size_t n, size_t many, uint64_t *random) {
    switch (t) {
    case RISING:
        return i;
    case FALLING:
        return n - 1 - i;
    case FALLING_TIES:
        return (n - 1 - i) / 3;
    case SOME:
        return random_next(random) % many;
    case THERE_AND_BACK:
        return i < n / 2 ? i : n - 1 - i;
    default:
        return 7;
    }
}

/* Ranks in the keys' lowest bits, or in their highest but one (every other turn); what does not fit is cut off. */
static void make_keys(unsigned char *keys, size_t size, trend t, size_t n, unsigned turn) {
    uint64_t random = seed_of_run() + n;
    const size_t many = 1 + turn * 5 % 18, width = size < 8 ? 8 * size : 64;
    size_t bits = 1;
    while (n >> bits) bits++;
    const size_t up = turn % 2 && width > bits + 1 ? width - bits - 1 : 0;
    const size_t half = size > 8 && turn % 4 > 1 ? 8 : 0;
    memset(keys, 0, n * size);
    for (size_t i = 0; i < n; i++) {
        const uint64_t rank = rank_of(t, i, n, many, &random),
                       number = bits > width ? rank >> (bits - width) : rank << up;
        memcpy(keys + i * size + half, &number, size < 8 ? size : 8);
    }
}

typedef struct sorted {
    unsigned char *keys, *values, *wanted, *values_wanted;
} sorted;

static sorted sorted_new(const kind *k, reference_order order, trend t, size_t n, size_t odd, unsigned turn) {
    const size_t size = k->type->size;
    sorted c = {need(n * size), need(n * k->value_size + 1), need(n * size), need(n * k->value_size + 1)};
    uint32_t *positions = need(n * sizeof *positions);
    make_keys(c.keys, size, t, n, turn);
    if (odd < n) memset(c.keys + odd * size, turn % 2 ? 0x43 : 0x01, size);
    fill(c.values, &ww_type_record, k->value_size, n, UNIFORM, seed_of_run() + 1);
    reference_sort_positions(order, c.keys, n, positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(c.wanted + i * size, c.keys + positions[i] * size, size);
        memcpy(c.values_wanted + i * k->value_size, c.values + positions[i] * k->value_size, k->value_size);
    }
    free(positions);
    return c;
}

/* Every setting sorts the keys with one of them, at `odd`, changed (from n on: none), in place every other time. They are made
 * when the first case is wanted. */
static void check_trend(ww_device **devices, size_t settings, const kind *k, trend t, size_t n, size_t odd,
                        unsigned turn) {
    const reference_order order = {k->type, k->descending, k->bit_first, k->bit_count};
    sorted c = {0};
    for (size_t d = 0; d < settings; d++) {
        const bool in_place = (turn + d) % 2;
        ww_sort_options o = options_of(order);
        CASE("sort trends", "%s %s+%zu%s bits=%u+%u %s n=%zu odd=%zu turn=%u %s seed=%llu", setting_name(d),
             k->type->label, k->value_size, k->descending ? " descending" : "", k->bit_first, k->bit_count,
             trend_names[t], n, odd, turn, in_place ? "in-place" : "apart", (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!c.keys) c = sorted_new(k, order, t, n, odd, turn);
        sort_arrays a = sort_arrays_new(k->type, c.keys, c.values, n, k->value_size, in_place);
        expect_status(devices[d], ww_sort(devices[d], a.keys_in, a.values_in, a.keys_out, a.values_out, &o), WW_OK);
        sort_arrays_end(&a, c.wanted, c.values_wanted);
    }
    free(c.keys), free(c.values), free(c.wanted), free(c.values_wanted);
}

static void trends(void **state) {
    (void)state;
    static const size_t few_sizes[] = {1501, 5999, 6000, 7301}, sizes[] = {1501, 20011, (1 << 22) - 1, (1 << 22) + 1};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t k = 0; k < KINDS; k++) {
        if (left_to_gpus(k + 1)) continue;
        for (size_t s = 0; s < 4; s++) {
            const size_t n = on_emulator() ? few_sizes[s] : sizes[s];
            if (n > 1 << 20 && (!on_gpu() || k % 3)) continue;
            for (trend t = 0; t < TRENDS; t++) {
                /* The emulator looks from 6000 on: some of each trend below that and well above. */
                if (on_emulator() && s != 2 && (t + s + k) % (s == 3 ? 2 : 3)) continue;
                const size_t odd[] = {n, 0, n - 1, n / 2, n / 3 * 2 + 1};
                for (size_t o = 0; o < (on_emulator() ? 1 : n > 1 << 20 ? 2 : 5); o++, turn++)
                    check_trend(devices, settings, &kinds[k], t, n, odd[(o + turn) % 5], turn);
            }
        }
    }
    settings_close(devices, settings);
}

/* From 2^24 keys on a GPU looks for few different ones. */
static void many_keys(void **state) {
    (void)state;
    if (!on_gpu() || on_emulator()) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count()), n = (1 << 24) + 3;
    static const unsigned turns[] = {0, 1, 3, 6, 7};
    for (size_t u = 0; u < 5; u++) {
        check_trend(devices, settings, &kinds[0], SOME, n, n, turns[u]);
        check_trend(devices, settings, &kinds[0], SOME, n, n / 2 + 1, turns[u]);
        check_trend(devices, settings, &kinds[2], SOME, n, u % 2 ? n : n - 1, turns[u]);
    }
    check_trend(devices, settings, &kinds[0], FALLING_TIES, n, n, 2);
    settings_close(devices, settings);
}

/* ---- rising keys with one step down ---- */

static uint64_t number_at(const unsigned char *keys, size_t size, size_t i) {
    uint64_t number = 0;
    memcpy(&number, keys + i * size, size);
    return number;
}

static void put_number(unsigned char *keys, size_t size, size_t i, uint64_t number) {
    memcpy(keys + i * size, &number, size);
}

/* Whether a sort of these keys, which rise but from `at` - 1 to `at`, brings that key to its place, before all that are
 * greater. */
static void check_step(ww_device *device, const char *setting, const ww_type *type, ww_sort_method method,
                       const unsigned char *rising, size_t n, size_t at) {
    const size_t size = type->size;
    CASE("sort step", "%s %s method=%d n=%zu at=%zu", setting, type->label, (int)method, n, at);
    if (!case_wanted()) return;
    unsigned char *keys = need(n * size), *wanted = need(n * size);
    memcpy(keys, rising, n * size);
    const uint64_t less = number_at(keys, size, at - 1) - 1;
    put_number(keys, size, at, less);
    size_t to = at;
    memcpy(wanted, keys, n * size);
    for (; to && number_at(wanted, size, to - 1) > less; to--)
        put_number(wanted, size, to, number_at(wanted, size, to - 1));
    put_number(wanted, size, to, less);
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    sort_arrays a = sort_arrays_new(type, keys, NULL, n, 0, at % 2);
    expect_status(device, ww_sort(device, a.keys_in, a.values_in, a.keys_out, a.values_out, &o), WW_OK);
    sort_arrays_end(&a, wanted, NULL);
    free(keys), free(wanted);
}

/* Few keys: the step is everywhere. Enough for several workers: at each 4 KiB, and where 2, 4, … 32 equal chunks meet. */
static void one_step_down(void **state) {
    (void)state;
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_uint8_t, &ww_type_uint64_t, &ww_type_uint16_t};
    enum { FEW = 1031, MANY_BYTES = 290000, BLOCK = 4096, CHUNKS = 32 };
    if (left_out_on_gpu("these are borders of what a CPU looks at")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const size_t size = types[t]->size, many = MANY_BYTES / size + 3;
        unsigned char *rising = need(many * size);
        for (size_t d = 0; d < settings; d++) {
            for (size_t i = 0; i < FEW; i++) put_number(rising, size, i, size == 1 ? i / 5 + 1 : 2 * i + 2);
            for (size_t at = 1; at < FEW; at++)
                check_step(devices[d], setting_name(d), types[t], WW_SORT_AUTO, rising, FEW, at);
            for (size_t i = 0; i < many; i++)
                put_number(rising, size, i,
                           size == 1   ? i * 254 / many + 1
                           : size == 2 ? i * 65000 / many + 1
                                       : 2 * i + 2);
            for (size_t at = BLOCK / size; at < many; at += BLOCK / size)
                check_step(devices[d], setting_name(d), types[t], WW_SORT_AUTO, rising, many, at);
            for (size_t k = 1; k < CHUNKS && t % 2 == 0; k++) { /* the first chunks have one key more */
                const size_t longer = many % CHUNKS, at = many / CHUNKS * k + (k < longer ? k : longer);
                check_step(devices[d], setting_name(d), types[t], WW_SORT_MERGE, rising, many, at);
                check_step(devices[d], setting_name(d), types[t], WW_SORT_MERGE_SEARCH, rising, many, at);
            }
        }
        free(rising);
    }
    settings_close(devices, settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(trends), cmocka_unit_test(many_keys),
                                       cmocka_unit_test(one_step_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
