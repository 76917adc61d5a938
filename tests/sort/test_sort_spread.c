/* ww_sort of keys alone that are not spread evenly: many are equal, or close together, or in the way of a sample; against a serial
 * merge sort. */
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
    SPREADS
} spread;
static const char *const spread_names[SPREADS] = {
    "zipf", "2^10 distinct", "half one key", "three and others", "exponential", "text", "swapped", "even", "lure"};

static double fraction(uint64_t *random) { return ((double)(random_next(random) >> 11) + 0.5) / 9007199254740992.0; }

/* The highest bits of a word for key i of n. */
static uint64_t word_of(spread s, size_t i, size_t n, uint64_t *random) {
    static const char text[] = "it was the best of times it was the worst of times it was the age of wisdom ";
    const uint64_t r = random_next(random), scatter = 0x9E3779B97F4A7C15u;
    uint64_t word = 0;
    switch (s) {
    case ZIPF: /* ranks in proportion to 1 / rank, up to 2^20 */
        return (uint64_t)exp(fraction(random) * 13.86) * scatter;
    case THOUSAND:
        return (r % 1024 + 1) * scatter;
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

static unsigned char *sorted_keys(reference_order order, const unsigned char *keys, size_t n) {
    const size_t size = order.type->size;
    unsigned char *wanted = need(n * size);
    uint32_t *positions = need(n * sizeof *positions);
    reference_sort_positions(order, keys, n, positions);
    for (size_t i = 0; i < n; i++) memcpy(wanted + i * size, keys + positions[i] * size, size);
    free(positions);
    return wanted;
}

static void check_keys(ww_device *device, reference_order order, const unsigned char *keys, const unsigned char *wanted,
                       size_t n, bool in_place) {
    ww_sort_options o = options_of(order);
    sort_arrays a = sort_arrays_new(order.type, keys, NULL, n, 0, in_place);
    ww_scratch_trim(device);
    expect_status(device, ww_sort(device, a.keys_in, a.values_in, a.keys_out, a.values_out, &o), WW_OK);
    sort_arrays_end(&a, wanted, NULL);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= n * order.type->size + ((size_t)1 << 20) + (size_t)info.threads * (640 << 10));
}

/* One leaf, of a few blocks or many, or of too many for slots; and more than one worker's cache holds. Bits alone tell what keys are: floats are of any kind. */
static void spreads(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves and samples")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_float, &ww_type_uint64_t, &ww_type_int64_t};
    static const size_t sizes[] = {700, 5000, 40001, 150001, 300007};
    unsigned turn = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int s = 0; s < SPREADS; s++, turn++) {
                const size_t n = sizes[i];
                const reference_order order = {types[t], turn % 3 == 1, 0, 0};
                unsigned char *keys = NULL, *wanted = NULL; /* made when the first case is wanted */
                for (size_t d = 0; d < settings; d++) {
                    CASE("sort spread", "%s %s %s%s n=%zu %s seed=%llu", setting_name(d), types[t]->label,
                         spread_names[s], order.descending ? " descending" : "", n,
                         (turn + d) % 2 ? "in-place" : "apart", (unsigned long long)seed_of_run());
                    if (!case_wanted()) continue;
                    if (!keys) {
                        keys = need(n * types[t]->size);
                        fill_spread(keys, types[t], n, (spread)s, seed_of_run() + turn);
                        wanted = sorted_keys(order, keys, n);
                    }
                    check_keys(devices[d], order, keys, wanted, n, (turn + d) % 2);
                }
                free(keys), free(wanted);
            }
    settings_close(devices, settings);
}

/* Keys in the places where a quicksort of vectors of `lanes` lanes looks (radix/network_quick.h): each pass finds the smallest ones
 * that are left, and goes on with all but some of these, so that passes run out. McIlroy, A Killer Adversary for Quicksort (1999). */
static void fill_killer(uint32_t *keys, size_t n, size_t lanes) {
    size_t *left = need(n * sizeof *left), many = n;
    uint32_t rank = 1;
    for (size_t i = 0; i < n; i++) left[i] = i, keys[i] = 0;
    while (many > 16 * lanes) {
        const size_t sample = 2 * lanes, step = many / sample;
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
            if (!keys[left[i]] || keys[left[i]] > key) left[kept++] = left[i];
        many = kept;
    }
    for (size_t i = 0; i < many; i++)
        if (!keys[left[i]]) keys[left[i]] = rank++;
    for (size_t i = 0; i < n; i++) keys[i] = keys[i] * keys[i] * 200; /* uneven, so that slots do not do */
    free(left);
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
        unsigned char *wanted = sorted_keys(order, (unsigned char *)keys, N);
        for (size_t d = 0; d < settings; d++)
            for (int in_place = 0; in_place < 2; in_place++) {
                CASE("sort killer", "%s lanes=%zu %s", setting_name(d), lanes, in_place ? "in-place" : "apart");
                if (case_wanted()) check_keys(devices[d], order, (unsigned char *)keys, wanted, N, in_place);
            }
        free(wanted);
    }
    settings_close(devices, settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spreads), cmocka_unit_test(killers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
