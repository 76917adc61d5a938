/* Whether random numbers look random: frequencies of bytes and of pairs of them at several distances, bits, runs, birthday spacings
 * (Marsaglia), collisions of streams and seeds that are neighbours, and the distributions of what is made of words. Seeds are
 * fixed: a test that passes passes always. Bounds are five standard deviations, or a p-value below one in a million. */
#include <math.h>
#include <stdio.h>

#include "support/cases.h"

enum { WORDS = 1 << 21 };

static double chi_square(const uint64_t *seen, size_t cells, double each) {
    double square = 0;
    for (size_t c = 0; c < cells; c++) square += ((double)seen[c] - each) * ((double)seen[c] - each) / each;
    return square;
}
static void expect_even(const uint64_t *seen, size_t cells, double all) {
    const double free_cells = (double)(cells - 1), off = chi_square(seen, cells, all / (double)cells) - free_cells;
    expect(fabs(off) < 5 * sqrt(2 * free_cells));
}
/* Of so many tries with that probability. */
static void expect_share(double seen, double tries, double probability) {
    expect(fabs(seen - tries * probability) < 5 * sqrt(tries * probability * (1 - probability)));
}

/* Words in the order of a stream, of neighbouring streams (or seeds) by turns, and of every thousandth block. */
typedef enum order { ALONG, STREAMS, SEEDS, STRIDE, ORDERS } order;
static const char *const order_names[] = {"along", "of neighbouring streams", "of neighbouring seeds", "of far blocks"};

static void take_words(ww_device *device, order by, uint32_t *words) {
    if (by == ALONG) {
        const ww_random from = {5, 6, 0};
        expect_status(device, ww_random_fill(device, from, ww_array(words, WORDS)), WW_OK);
        return;
    }
    for (uint64_t b = 0; b < WORDS / 4; b++) {
        const ww_random_block x = by == STREAMS ? ww_philox(5, b, 0)
                                  : by == SEEDS ? ww_philox(b, 6, 0)
                                                : ww_philox(5, 6, b * 1000);
        memcpy(words + 4 * b, x.word, sizeof x.word);
    }
}

static void check_bytes(const uint32_t *words) {
    const unsigned char *byte = (const unsigned char *)words;
    const size_t n = (size_t)WORDS * 4;
    uint64_t *seen = need(65536 * sizeof *seen);
    static const size_t distances[] = {1, 4, 5, 16, 17};
    for (size_t d = 0; d < 5; d++) {
        memset(seen, 0, 65536 * sizeof *seen);
        for (size_t i = 0; i + distances[d] < n; i++) seen[byte[i] << 8 | byte[i + distances[d]]]++;
        expect_even(seen, 65536, (double)(n - distances[d]));
    }
    free(seen);
}

static void check_bits(const uint32_t *words) {
    uint64_t ones[32] = {0}, changes = 0;
    for (size_t i = 0; i < WORDS; i++)
        for (unsigned b = 0; b < 32; b++) ones[b] += words[i] >> b & 1;
    for (unsigned b = 0; b < 32; b++) expect_share((double)ones[b], WORDS, 0.5);
    for (size_t i = 0; i < WORDS; i++)
        changes += (uint64_t)__builtin_popcount(words[i] ^ words[i] >> 1) - (words[i] >> 31);
    expect_share((double)changes, 31.0 * WORDS, 0.5);
    for (size_t lag = 1; lag <= 8; lag++) {
        uint64_t same = 0;
        for (size_t i = 0; i + lag < WORDS; i++) same += (uint64_t)__builtin_popcount(~(words[i] ^ words[i + lag]));
        expect_share((double)same, 32.0 * (WORDS - (double)lag), 0.5);
    }
}

/* Ascending runs, each followed by a word that is left out: of length r with probability 1 / r! - 1 / (r + 1)! (Knuth). */
static void check_runs(const uint32_t *words) {
    uint64_t seen[6] = {0}, runs = 0;
    for (size_t i = 0; i + 20 < WORDS; runs++) {
        size_t length = 1;
        while (i + length < WORDS && words[i + length - 1] < words[i + length]) length++;
        seen[length < 6 ? length - 1 : 5]++;
        i += length + 1;
    }
    static const double probability[] = {1 / 2.0, 1 / 3.0, 1 / 8.0, 1 / 30.0, 1 / 144.0, 1 / 720.0};
    for (int r = 0; r < 6; r++) expect_share((double)seen[r], (double)runs, probability[r]);
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* 2^12 birthdays in a year of 2^32 days: differences that come twice are Poisson's with mean 2^36 / 2^34 = 4. */
static void check_birthdays(const uint32_t *words) {
    enum { BIRTHDAYS = 1 << 12, YEARS = 256 };
    uint32_t day[BIRTHDAYS];
    uint64_t twice = 0;
    for (size_t y = 0; y < YEARS; y++) {
        memcpy(day, words + y * BIRTHDAYS, sizeof day);
        qsort(day, BIRTHDAYS, sizeof *day, by_number);
        for (size_t i = BIRTHDAYS - 1; i; i--) day[i] -= day[i - 1];
        qsort(day, BIRTHDAYS, sizeof *day, by_number);
        for (size_t i = 1; i < BIRTHDAYS; i++) twice += day[i] == day[i - 1];
    }
    expect(fabs((double)twice - 4.0 * YEARS) < 5 * sqrt(4.0 * YEARS));
}

static void words(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *x = need(WORDS * sizeof *x);
    for (order by = ALONG; by < ORDERS; by++) {
        CASE("statistics", "words %s", order_names[by]);
        if (!case_wanted()) continue;
        take_words(device, by, x);
        check_bytes(x);
        check_bits(x);
        check_runs(x);
        check_birthdays(x);
    }
    free(x);
    ww_close(device);
}

/* Numbers below bounds: small ones, and one for which a third of the words are rejected. */
static void below(void **state) {
    static const uint64_t bounds[] = {3, 10, 1000, 3000000000u};
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *x = need(WORDS * sizeof *x);
    for (size_t b = 0; b < 4; b++) {
        const ww_random from = {9, b, 0};
        uint64_t seen[1000] = {0};
        CASE("statistics", "below %llu", (unsigned long long)bounds[b]);
        if (!case_wanted()) continue;
        expect_status(device, ww_random_below(device, from, bounds[b], ww_array(x, WORDS)), WW_OK);
        const uint64_t cells = bounds[b] < 1000 ? bounds[b] : 1000;
        for (size_t i = 0; i < WORDS; i++) seen[x[i] * cells / bounds[b]]++;
        expect_even(seen, cells, WORDS);
    }
    free(x);
    ww_close(device);
}

/* The largest distance between the distribution of n numbers, their places in [0, 1) counted by cells, and the even one. */
static void expect_kolmogorov(const uint64_t *seen, size_t cells, double n) {
    double sum = 0, most = 0;
    for (size_t c = 0; c < cells; c++) {
        sum += (double)seen[c] / n;
        const double off = fabs(sum - (double)(c + 1) / (double)cells);
        if (off > most) most = off;
    }
    expect(most * sqrt(n) < 2.7); /* p below 1e-6 */
}

static void check_normals(ww_device *device, const ww_type *type) {
    enum { CELLS = 4096 };
    static uint64_t seen[CELLS];
    double *wide = need(WORDS * sizeof *wide), power[5] = {0}, neighbours = 0;
    const ww_random from = {13, type->size, 0};
    CASE("statistics", "normal %s", type->label);
    if (case_wanted()) {
        memset(seen, 0, sizeof seen);
        expect_status(device, ww_random_normal(device, from, 0, 1, ww_array_of(wide, WORDS, type)), WW_OK);
        if (type->size == 4)
            for (size_t i = WORDS; i-- > 0;) {
                float f;
                memcpy(&f, (char *)wide + 4 * i, 4);
                wide[i] = (double)f;
            }
        for (size_t i = 0; i < WORDS; i++) {
            const double z = wide[i], place = 0.5 * erfc(-z * 0.70710678118654752440);
            seen[place < 1 ? (size_t)(place * CELLS) : CELLS - 1]++;
            for (int p = 1; p < 5; p++) power[p] += pow(z, p);
            if (i) neighbours += z * wide[i - 1];
        }
        const double n = WORDS;
        expect_even(seen, CELLS, n);
        expect_kolmogorov(seen, CELLS, n);
        expect(fabs(power[1] / n) < 5 / sqrt(n) && fabs(power[2] / n - 1) < 5 * sqrt(2 / n));
        expect(fabs(power[3] / n) < 5 * sqrt(15 / n) && fabs(power[4] / n - 3) < 5 * sqrt(96 / n));
        expect(fabs(neighbours / n) < 5 / sqrt(n));
    }
    free(wide);
}

static void distributions(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    double *x = need(WORDS * sizeof *x);
    uint64_t seen[4096] = {0};
    const ww_random from = {17, 0, 0};
    CASE("statistics", "doubles");
    if (case_wanted()) {
        expect_status(device, ww_random_fill(device, from, ww_array(x, WORDS)), WW_OK);
        for (size_t i = 0; i < WORDS; i++) seen[(size_t)(x[i] * 4096)]++;
        expect_even(seen, 4096, WORDS);
        expect_kolmogorov(seen, 4096, WORDS);
    }
    free(x);
    check_normals(device, &ww_type_float);
    check_normals(device, &ww_type_double);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(below),
                                       cmocka_unit_test(distributions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
