/* ww_sort of keys that are not spread evenly, alone and with values: many are equal, or close together, or in the way of a sample;
 * against a serial merge sort. */
#include <math.h>

#include "sort/arrays.h"
#include "sort/orders.h"

typedef enum spread {
    ZIPF,
    THOUSAND,
    HALF_ONE,
    THREE_AND_OTHERS,
    EXPONENTIAL,
    TEXT,
    SWAPPED,
    EVEN,
    LURE,
    TWO_IN_TURN,
    ALL_BUT_ONE,
    LOW_BITS,
    WORDS,
    BAIT,
    FAR_APART,
    FREQUENT,
    DECOY,
    MOSTLY_LARGEST,
    NEIGHBOURS,
    SPREADS
} spread;
static const char *const spread_names[SPREADS] = {
    "zipf", "2^10 distinct", "half one key", "three and others", "exponential", "text", "swapped",  "even",
    "lure", "two in turn",   "all but one",  "low bits",         "words",       "bait", "far apart",
    "frequent", "decoy", "mostly largest", "neighbours"};

static double fraction(uint64_t *random) { return ((double)(random_next(random) >> 11) + 0.5) / 9007199254740992.0; }

/* Words as programs have them: zeros, small numbers, addresses close together. */
static uint64_t word_of_program(uint64_t r) {
    if (r % 4 < 2) return r % 4 ? (r >> 40) % 300 << (r & 32) : 0;
    return (uint64_t)(0x7F3A1C00 | (r >> 12 & 0xFF)) << 32 | (r >> 44);
}

/* Whether a sample for splitters (radix/splitters.c) looks at key i, of 150,001 or 300,007, or the first look does. */
static bool is_looked_at(size_t i, size_t n) {
    const size_t step = 2343, k = i / step;
    return i % step == (k * 0x9e37 >> 4) % step || i % (n / 256 + 1) == 0;
}

/* Whether a sample for a dictionary (radix/dictionary.c) looks at key i, or the first look does. */
static bool is_sampled(size_t i, size_t n) {
    const size_t step = n < 4096 ? 1 : n / 4096, k = i / step;
    return i % step == (k * 0x9e37 >> 4) % step || i % (n / 256 + 1) == 0;
}

/* The highest bits of a word for key i of n. */
static uint64_t word_of(spread s, size_t i, size_t n, uint64_t *random) {
    static const char text[] = "it was the best of times it was the worst of times it was the age of wisdom ";
    const uint64_t r = random_next(random), scatter = 0x9E3779B97F4A7C15u;
    uint64_t word = 0;
    switch (s) {
    case ZIPF: /* ranks in proportion to 1 / rank, up to 2^20 */
        return (uint64_t)exp(fraction(random) * 13.86) * scatter;
    case THOUSAND:
        return i == n / 3 + 1 ? 0 : (r % 1024 + 1) * scatter; /* of a key that is there once, 0, the slot is free */
    case HALF_ONE:
        return r % 2 ? scatter : random_next(random);
    case THREE_AND_OTHERS: /* the least and the largest number among them */
        return r % 8 < 5 ? (r % 8 < 2    ? 0
                            : r % 8 == 2 ? ~(uint64_t)0
                                         : scatter)
                         : random_next(random) >> (r >> 32) % 40;
    case EXPONENTIAL:
        return (uint64_t)(-log(fraction(random)) * 288230376151711744.0);
    case TEXT:
        for (size_t k = 0; k < 8; k++) word = word << 8 | (uint64_t)text[(i * (1 + i % 7) + k) % (sizeof text - 1)];
        return word;
    case SWAPPED:
        return (r % 100 ? i : r % n) * (~(uint64_t)0 / n);
    case EVEN:
        return r;
    case TWO_IN_TURN:
        return i % 2 ? scatter : scatter << 1;
    case ALL_BUT_ONE:
        return i == n / 3 ? scatter >> 1 : scatter;
    case LOW_BITS: /* of 32 bits and of 64 */
        return (r & 0xFFF) << 32 | (r >> 52);
    case WORDS:
        return word_of_program(r);
    case BAIT: /* splitters are all far below most keys, and these crowd, too */
        return is_looked_at(i, n) ? r >> 44 << 33 : (uint64_t)1 << 63 | word_of_program(r);
    case FAR_APART: /* numbers that agree in more bits than a word has beside a place (radix/pairs_quick.c) */
        return (r % 2) << 63 | (r >> 58) << 32 | r >> 52;
    case FREQUENT: /* ranks in proportion to rank^-1.5: nearly all are of some hundred */
        return (uint64_t)fmin(1 / pow(fraction(random), 2), 33554432) * scatter;
    case DECOY: /* keys seem to be a thousand, but every third is another */
        return i % 3 || is_sampled(i, n) ? (r % 1024 + 1) * scatter : random_next(random);
    case MOSTLY_LARGEST: /* and some of the least */
        return r % 8 < 5 ? ~(uint64_t)0 : r % 8 == 5 ? 0 : random_next(random);
    case NEIGHBOURS: /* of 32 bits */
        return (r % 2 ? 60 : 61 + (r >> 32) % 3) << 32;
    default: /* LURE: what a sample with a fixed step finds is all one key */
        return i % (n / 256 + 1) == 0 || i % 8 == 0 ? scatter : r >> 1;
    }
}

static void fill_spread(unsigned char *keys, const ww_type *type, size_t n, spread s, uint64_t seed) {
    uint64_t random = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t word = word_of(s, i, n, &random);
        if (type->size == 8)
            memcpy(keys + i * 8, &word, 8);
        else
            memcpy(keys + i * 4, &(uint32_t){(uint32_t)(word >> 32)}, 4);
    }
}

/* Keys, values that say where each key was, and both in order. */
typedef struct spread_case {
    reference_order order;
    size_t n, value_size;
    const unsigned char *keys;
    unsigned char *values, *keys_wanted, *values_wanted;
} spread_case;

static spread_case case_new(reference_order order, const unsigned char *keys, size_t n, size_t value_size) {
    const size_t size = order.type->size;
    spread_case c = {order, n, value_size, keys, need(n * value_size + 1), need(n * size), need(n * value_size + 1)};
    uint32_t *positions = need(n * sizeof *positions);
    reference_sort_positions(order, keys, n, positions);
    memset(c.values, 0, n * value_size);
    for (size_t i = 0; value_size && i < n; i++) memcpy(c.values + i * value_size, &(uint32_t){(uint32_t)i}, 4);
    for (size_t i = 0; i < n; i++) {
        memcpy(c.keys_wanted + i * size, keys + positions[i] * size, size);
        if (value_size) memcpy(c.values_wanted + i * value_size, c.values + positions[i] * value_size, value_size);
    }
    free(positions);
    return c;
}

static void case_free(spread_case *c) { free(c->values), free(c->keys_wanted), free(c->values_wanted); }

static void check_keys(ww_device *device, const spread_case *c, bool in_place) {
    ww_sort_options o = options_of(c->order);
    sort_arrays a = sort_arrays_new(c->order.type, c->keys, c->values, c->n, c->value_size, in_place);
    ww_scratch_trim(device);
    expect_status(device, ww_sort(device, a.keys_in, a.values_in, a.keys_out, a.values_out, &o), WW_OK);
    sort_arrays_end(&a, c->keys_wanted, c->values_wanted);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <=
           c->n * (c->order.type->size + c->value_size) + ((size_t)1 << 20) + (size_t)info.threads * (640 << 10));
}

/* One leaf, of a few blocks or many, or of too many for slots; and more than one worker's cache holds. Bits alone tell what keys are: floats are of any kind. */
static void spreads(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves and samples")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_float, &ww_type_uint64_t, &ww_type_int64_t};
    static const size_t sizes[] = {700, 5000, 40001, 150001, 300007}, value_sizes[] = {0, 4, 0, 8, 0, 16, 4, 8};
    unsigned turn = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int s = 0; s < SPREADS; s++, turn++) {
                const size_t n = sizes[i];
                const size_t value_size = value_sizes[turn % (sizeof value_sizes / sizeof *value_sizes)];
                const reference_order order = {types[t], turn % 3 == 1, 0, 0};
                spread_case c;
                unsigned char *keys = NULL; /* made when the first case is wanted */
                for (size_t d = 0; d < settings; d++) {
                    CASE("sort spread", "%s %s+%zu %s%s n=%zu %s seed=%llu", setting_name(d), types[t]->label,
                         value_size, spread_names[s], order.descending ? " descending" : "", n,
                         (turn + d) % 2 ? "in-place" : "apart", (unsigned long long)seed_of_run());
                    if (!case_wanted()) continue;
                    if (!keys) {
                        keys = need(n * types[t]->size);
                        fill_spread(keys, types[t], n, (spread)s, seed_of_run() + turn);
                        c = case_new(order, keys, n, value_size);
                    }
                    check_keys(devices[d], &c, (turn + d) % 2);
                }
                if (keys) case_free(&c);
                free(keys);
            }
    settings_close(devices, settings);
}

/* A bucket in the middle that is too large for a leaf, of which no sample knows: of two workers one sorts it where it lies in the
 * scratch copy, and the other one's leaves must not go to the same place (radix_cpu.c, share_of). */
static void large_bucket(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves and samples")) return;
    enum { N = 1250003, IN_BUCKET = 10, SAMPLE = 256 };
    const size_t step = (N + SAMPLE - 1) / SAMPLE;
    uint64_t *keys = need(N * sizeof *keys), random = seed_of_run();
    for (size_t s = 0; s < setting_count_short(); s++) {
        CASE("sort large bucket", "%s n=%d seed=%llu", setting_name(s), N, (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        for (size_t i = 0; i < N; i++) {
            const uint64_t r = random_next(&random);
            keys[i] = r % 2 ? r : r & ~((uint64_t)0xFFF << 46); /* which crowd in each bucket: leaves need the scratch copy */
            if (i % IN_BUCKET == 4 && i % step != 0) keys[i] = (uint64_t)35 << 58 | r >> 20;
        }
        spread_case c = case_new((reference_order){&ww_type_uint64_t, false, 0, 0}, (unsigned char *)keys, N, 0);
        ww_device *device = setting_open(s);
        for (int again = 0; again < 10; again++) check_keys(device, &c, false); /* which worker takes it is not certain */
        ww_close(device);
        case_free(&c);
    }
    free(keys);
}

/* Numbers with values of their size, which vectors sort by comparing (radix/pairs_quick.c): each of these spreads. */
static void pairs(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves and samples")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_float, &ww_type_uint64_t, &ww_type_double};
    static const size_t sizes[] = {8192, 16385, 60013, 150001};
    unsigned turn = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int s = 0; s < SPREADS; s++, turn++) {
                const size_t n = sizes[i], size = types[t]->size;
                const reference_order order = {types[t], turn % 5 == 1, 0, 0};
                spread_case c;
                unsigned char *keys = NULL;
                for (size_t d = 0; d < settings; d++) {
                    CASE("sort pairs", "%s %s %s%s n=%zu %s seed=%llu", setting_name(d), types[t]->label,
                         spread_names[s], order.descending ? " descending" : "", n,
                         (turn + d) % 2 ? "in-place" : "apart", (unsigned long long)seed_of_run());
                    if (!case_wanted()) continue;
                    if (!keys) {
                        keys = need(n * size);
                        fill_spread(keys, types[t], n, (spread)s, seed_of_run() + turn);
                        c = case_new(order, keys, n, size);
                    }
                    check_keys(devices[d], &c, (turn + d) % 2);
                }
                if (keys) case_free(&c);
                free(keys);
            }
    settings_close(devices, settings);
}

/* Either keys or values are sorted in place. */
static void pairs_half_in_place(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's passes")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    enum { N = 140001 };
    static const spread of[] = {ZIPF, HALF_ONE, EXPONENTIAL, MOSTLY_LARGEST};
    for (size_t t = 0; t < 2; t++)
        for (size_t s = 0; s < sizeof of / sizeof *of; s++) {
            const reference_order order = {t ? &ww_type_uint64_t : &ww_type_float, false, 0, 0};
            const size_t size = order.type->size;
            unsigned char *keys = need(N * size);
            fill_spread(keys, order.type, N, of[s], seed_of_run() + s);
            spread_case c = case_new(order, keys, N, size);
            for (size_t d = 0; d < settings; d++)
                for (int keys_in_place = 0; keys_in_place < 2; keys_in_place++) {
                    CASE("sort pairs half in place", "%s %s %s %s seed=%llu", setting_name(d), order.type->label,
                         spread_names[of[s]], keys_in_place ? "keys" : "values", (unsigned long long)seed_of_run());
                    if (!case_wanted()) continue;
                    sort_arrays a = sort_arrays_new(order.type, keys, c.values, N, size, true);
                    if (keys_in_place)
                        a.values_in = ww_record_memory(c.values, N, size);
                    else
                        a.keys_in = ww_memory_of(keys, N, order.type);
                    expect_status(devices[d], ww_sort(devices[d], a.keys_in, a.values_in, a.keys_out, a.values_out, NULL),
                                  WW_OK);
                    sort_arrays_end(&a, c.keys_wanted, c.values_wanted);
                }
            case_free(&c);
            free(keys);
        }
    settings_close(devices, settings);
}

/* Keys in the places where a quicksort of vectors looks: each pass finds the smallest ones that are left, and goes on with all but some of
 * these, so that passes run out. McIlroy, A Killer Adversary for Quicksort (1999). left: the places of `many` keys, which are 0; they
 * become ranks from `rank` on. A pass over m of them looks at sample(m). */
static void rank_for_killing(uint32_t *keys, size_t *left, size_t many, uint32_t rank, size_t stop,
                             size_t sample_of(size_t many)) {
    while (many > stop) {
        const size_t sample = sample_of(many), step = many / sample;
        uint32_t seen[64], key = 0;
        for (size_t i = 0; i < sample; i++) {
            uint32_t *at = &keys[left[i * step + (i * 7 & 15) * step / 16]];
            if (!*at) *at = rank++;
            seen[i] = *at;
        }
        for (size_t i = 0; i < sample; i++) { /* the middle one */
            size_t below = 0;
            for (size_t j = 0; j < sample; j++) below += seen[j] < seen[i];
            if (below == sample / 2) key = seen[i];
        }
        size_t kept = 0;
        for (size_t i = 0; i < many; i++)
            if (!keys[left[i]] || keys[left[i]] >= key) left[kept++] = left[i];
        many = kept;
    }
    for (size_t i = 0; i < many; i++)
        if (!keys[left[i]]) keys[left[i]] = rank++;
}

/* radix/network_quick.h, up to 2^14 bytes of keys, with vectors of so many lanes. */
static size_t sample_8(size_t many) { return (void)many, (size_t)16; }
static size_t sample_16(size_t many) { return (void)many, (size_t)32; }

static void fill_killer(uint32_t *keys, size_t n, size_t lanes) {
    size_t *left = need(n * sizeof *left);
    for (size_t i = 0; i < n; i++) left[i] = i, keys[i] = 0;
    rank_for_killing(keys, left, n, 1, 16 * lanes, lanes == 8 ? sample_8 : sample_16);
    for (size_t i = 0; i < n; i++) keys[i] = keys[i] * keys[i] * 200; /* uneven, so that slots do not do */
    free(left);
}

/* radix/pairs_quick.c, in two. What the first look finds are four small keys, so that keys crowd. */
static size_t sample_of_pairs(size_t many) { return many >= 2048 ? 32 : 16; }

static void fill_pairs_killer(uint32_t *keys, size_t n) {
    enum { STOP = 4000 };
    size_t *left = need(n * sizeof *left);
    const size_t look = n / 256 + 1;
    for (size_t i = 0; i < n; i++) {
        keys[i] = i % look == 0 ? 1 + (uint32_t)(i % 4) : 0;
        left[i] = i;
    }
    rank_for_killing(keys, left, n, 5, STOP, sample_of_pairs);
    free(left);
}

static void pairs_killers(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    enum { BYTES = 196000 }; /* not so many that they are parted in four, and not so few that one worker has one leaf */
    for (size_t size = 4; size <= 8; size += 4) {
        const size_t n = BYTES / size;
        uint32_t *keys = need(n * sizeof *keys);
        uint64_t *wide = need(n * sizeof *wide);
        fill_pairs_killer(keys, n);
        for (size_t i = 0; i < n; i++) wide[i] = (uint64_t)keys[i] << 20;
        const reference_order order = {size == 4 ? &ww_type_uint32_t : &ww_type_uint64_t, false, 0, 0};
        spread_case c = case_new(order, size == 4 ? (unsigned char *)keys : (unsigned char *)wide, n, size);
        for (size_t d = 0; d < settings; d++)
            for (int in_place = 0; in_place < 2; in_place++) {
                CASE("sort pairs killer", "%s %zu bytes %s", setting_name(d), size, in_place ? "in-place" : "apart");
                if (case_wanted()) check_keys(devices[d], &c, in_place);
            }
        case_free(&c);
        free(keys), free(wide);
    }
    settings_close(devices, settings);
}

static void killers(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    enum { N = 4000 };
    for (size_t lanes = 8; lanes <= 16; lanes += 8) {
        uint32_t keys[N];
        const reference_order order = {&ww_type_uint32_t, false, 0, 0};
        fill_killer(keys, N, lanes);
        spread_case c = case_new(order, (unsigned char *)keys, N, 0);
        for (size_t d = 0; d < settings; d++)
            for (int in_place = 0; in_place < 2; in_place++) {
                CASE("sort killer", "%s lanes=%zu %s", setting_name(d), lanes, in_place ? "in-place" : "apart");
                if (case_wanted()) check_keys(devices[d], &c, in_place);
            }
        case_free(&c);
    }
    settings_close(devices, settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spreads), cmocka_unit_test(large_bucket), cmocka_unit_test(pairs),
                                       cmocka_unit_test(pairs_half_in_place), cmocka_unit_test(killers),
                                       cmocka_unit_test(pairs_killers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
