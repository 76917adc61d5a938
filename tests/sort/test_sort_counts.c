/* What vectors count for the radix sort, under every width, at the edges of blocks: how often each of a few keys stands among many
 * (by compares for every size of keys, and by slots; one more key anywhere is always seen), and numbers by few buckets. */
#include "device/device.h"
#include "radix/nibbles.h"
#include "radix/slots.h"
#include "support/cases.h"

enum { MOST_KEYS = 9000, MOST_SIZE = 16 };

/* Different ones: multiples of an odd number, or of a power of two, where many bits agree. */
static void make_values(unsigned char *values, size_t size, size_t many, unsigned turn) {
    memset(values, 0, many * size);
    for (size_t v = 0; v < many; v++) {
        const uint64_t value = turn % 2 ? (uint64_t)v << turn % (8 * size - 4 < 60 ? 8 * size - 4 : 60)
                                        : (v + turn) * 0x9e3779b97f4a7c15;
        memcpy(values + v * size + (turn % 3 && size == 16 ? 8 : 0), &value, size < 8 ? size : 8);
    }
}

/* Counts by `tally` with a key at `odd` (none there from n on) that is no value. */
static void check_tally(ww__tally *tally, const unsigned char *values, size_t size, size_t many, size_t n, size_t odd) {
    static ww__word room[MOST_KEYS], packed[WW__TALLY_MOST];
    unsigned char *keys = (unsigned char *)room;
    uint64_t wanted[WW__TALLY_MOST] = {0}, got[WW__TALLY_MOST + 1];
    uint32_t random = (uint32_t)seed_of_run();
    memset(got, 0xA5, sizeof got);
    memcpy(packed, values, many * size);
    for (size_t i = 0; i < n; i++) {
        random = random * 1664525 + 1013904223;
        const size_t v = (random >> 20) % (n % 3 ? many : 1 + many / 8);
        memcpy(keys + i * size, values + (i == odd ? many : v) * size, size);
        wanted[v]++;
    }
    expect(tally(keys, n, packed, many, got) == (odd >= n));
    expect(odd < n || memcmp(got, wanted, many * sizeof *got) == 0);
    expect(got[many] == 0xA5A5A5A5A5A5A5A5);
}

static const size_t edges[] = {0, 1, 7, 119, 120, 121, 127, 128, 129, 239, 240, 241, 512, 2040, 2047, 4080, 4097, 8999};
enum { EDGES = sizeof edges / sizeof *edges };

static void check_sizes(ww__tally *tally, const char *name, size_t size, size_t many, unsigned turn) {
    unsigned char values[(WW__TALLY_MOST + 1) * MOST_SIZE];
    make_values(values, size, many + 1, turn);
    for (size_t e = 0; e < EDGES; e++) {
        const size_t n = edges[e], odd[] = {n, 0, n / 2, n ? n - 1 : 0};
        for (size_t o = 0; o < (n ? 4 : 1); o++) {
            CASE("tally", "%s of %zu bytes, %zu values, turn=%u n=%zu odd=%zu seed=%llu", name, size, many, turn, n,
                 odd[o], (unsigned long long)seed_of_run());
            if (case_wanted()) check_tally(tally, values, size, many, n, odd[o]);
        }
    }
}

static void by_compares(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t size = 1; size <= (WW_HAS_U128 ? 16 : 8); size *= 2)
            for (size_t many = 1; many < WW__TALLY_MOST; many += 7)
                check_sizes(ww__first_look_of(device, size)->tally, setting_name(s), size, many, (unsigned)(s + many));
        ww_close(device);
    }
}

static void by_slots(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t many = 1; many <= WW__TALLY_MOST; many++) {
            ww__tally *tally = ww__tally_slots_of(device->vector, 4, many);
            expect(device->vector != WW_VECTOR_PLAIN || !tally);
            for (unsigned turn = 0; tally && turn < 28; turn += 3) check_sizes(tally, setting_name(s), 4, many, turn);
        }
        ww_close(device);
    }
}

/* Keys that agree above the digit, but for one in a hundred, at most. */
static void check_nibbles(ww__count_nibbles *nibbles, size_t size, const ww__radix_order *order, unsigned low,
                          unsigned bits, size_t n) {
    static uint64_t room[MOST_KEYS + 1];
    unsigned char *keys = (unsigned char *)room;
    const uint64_t top = (uint64_t)1 << (8 * size - 1);
    uint64_t wanted[16] = {0}, got[17], differ = 0, one = 0, random = seed_of_run();
    memset(got, 0xA5, sizeof got);
    for (size_t i = 0; i < n; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        uint64_t key = random >> 40 << low, number;
        if (i % 100 == 99) key = random;
        memcpy(keys + i * size, &key, size);
        key &= top | (top - 1);
        number = (key ^ (uint64_t)order->flip ^ (key & top ? (uint64_t)order->fold : 0)) & (top | (top - 1));
        if (!i) one = number;
        differ |= number ^ one;
        wanted[number >> low & ((1u << bits) - 1)]++;
    }
    const ww__radix_count count = {
        .keys = keys, .n = n, .order = *order, .first = keys, .low = low, .bits = bits, .counts = got};
    expect(nibbles(&count) == differ);
    expect(memcmp(got, wanted, sizeof *got << bits) == 0);
    expect(got[1u << bits] == 0xA5A5A5A5A5A5A5A5);
}

static void by_nibbles(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t size = 1; size <= 16; size *= 2) {
            ww__count_nibbles *nibbles = ww__count_nibbles_of(device->vector, size);
            const uint64_t top = (uint64_t)1 << (size < 8 ? 8 * size - 1 : 63);
            const ww__radix_order orders[] = {{0, 0}, {top, 0}, {top, top - 1}, {top | (top - 1), 0}};
            expect(!nibbles || size == 4 || size == 8);
            for (size_t e = 0; nibbles && e < EDGES; e++)
                for (unsigned k = 0; k < 8; k++) {
                    const unsigned bits = 1 + k % 4, low = k % 3 ? (unsigned)(8 * size) - bits : 3 * k;
                    CASE("nibbles", "%s %zu bytes order=%u low=%u bits=%u n=%zu seed=%llu", setting_name(s), size,
                         k / 2, low, bits, edges[e], (unsigned long long)seed_of_run());
                    if (case_wanted()) check_nibbles(nibbles, size, &orders[k / 2], low, bits, edges[e]);
                }
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_compares), cmocka_unit_test(by_slots),
                                       cmocka_unit_test(by_nibbles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
