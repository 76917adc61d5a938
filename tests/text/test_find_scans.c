/* Methods cooperative and recurrence against a plain loop: texts whose matches overlap, or nearly match everywhere × lengths of the
 * pattern × chunks; a fingerprint that is often wrong; computed texts, folded ones, small alphabets, several texts. */
#include "device/device.h"
#include "support/cases.h"
#include "text/named/by_scans.h"

enum { MOST = 9000 };

static const struct {
    ww_find_method method;
    const char *name;
} methods[] = {{WW_FIND_COOPERATIVE, "cooperative"}, {WW_FIND_RECURRENCE, "recurrence"}};

/* One character; one but for few others; two in turn; a Fibonacci word; any of 4; a period of 5 with mistakes. */
typedef enum kind { SAME, NEARLY_SAME, TURNS, FIBONACCI, LETTERS, PERIODIC, KINDS } kind;
static const char *const kind_names[KINDS] = {"same", "nearly same", "turns", "Fibonacci", "letters", "periodic"};

static void make_text(uint8_t *text, size_t n, kind k, uint64_t seed) {
    for (size_t i = 0, before = 1, length = 2; i < n; i++) {
        const uint64_t r = random_next(&seed) >> 20;
        if (k == FIBONACCI && i == length) { /* the word so far, then the one before it */
            const size_t sum = length + before;
            before = length, length = sum;
        }
        text[i] = k == FIBONACCI     ? (uint8_t)(i < 2 ? i : text[i - before])
                  : k == NEARLY_SAME ? (uint8_t)(r % 500 == 0)
                  : k == TURNS       ? (uint8_t)(i % 2)
                  : k == LETTERS     ? (uint8_t)(r % 4)
                  : k == PERIODIC    ? (uint8_t)(r % 300 == 0 ? 3 : i % 5 % 3)
                                     : 0;
        text[i] = (uint8_t)(text[i] + 'a');
    }
}

static size_t plain_find(const uint8_t *text, size_t n, const uint8_t *pattern, size_t m, uint64_t *positions) {
    size_t found = 0;
    for (size_t i = 0; i + m <= n; i++)
        if (!memcmp(text + i, pattern, m)) positions[found++] = i;
    return found;
}

static void check_found(const guarded *got, const uint64_t *count, const uint64_t *wanted, size_t found) {
    expect(*count == found);
    expect_elements(got->data, wanted, found, sizeof *wanted);
    guarded_check(got);
}

static void check(ww_device *device, const char *setting, size_t method, kind k, size_t n, size_t m) {
    CASE("find scans", "%s %s %s n=%zu m=%zu", setting, methods[method].name, kind_names[k], n, m);
    if (!case_wanted()) return;
    uint8_t *text = need(n), *pattern = need(m);
    uint64_t *wanted = need(n * 8), *count = need(8);
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = methods[method].method;
    make_text(text, n, k, seed_of_run());
    memcpy(pattern, text + (n - m) / 2, m);
    const size_t found = plain_find(text, n, pattern, m, wanted);
    guarded got = guarded_new(found * 8);
    expect_status(device,
                  ww_find(device, ww_memory(text, n), pattern, m, ww_array((uint64_t *)got.data, found),
                          ww_array(count, 1), &options),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    check_found(&got, count, wanted, found);
    guarded_free(&got);
    free(text);
    free(pattern);
    free(wanted);
    free(count);
}

static void overlapping(void **state) {
    static const size_t lengths[] = {1, 2, 5, 64, 333, 2047, 2049, 4500};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t method = 0; method < 2; method++)
            for (kind k = SAME; k < KINDS; k++)
                for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
                    if ((i + k + method) % 2 == 0) check(device, setting_name(s), method, k, MOST + k, lengths[i]);
        for (size_t n = 1; n < 70; n += 7) check(device, setting_name(s), n % 2, LETTERS, n, 1 + n / 30);
        ww_close(device);
    }
}

/* ---- chunks, and fingerprints that say nothing ---- */

static void check_tuned(ww_device *device, const char *setting, size_t method, kind k, size_t m,
                        ww__scans_tuning tuning) {
    enum { N = 3000 };
    CASE("find scans", "%s %s %s m=%zu chunk=%d base=%d", setting, methods[method].name, kind_names[k], m,
         (int)tuning.chunk, (int)tuning.base);
    if (!case_wanted()) return;
    uint8_t *text = need(N), *pattern = need(m);
    uint64_t *wanted = need(N * 8), *count = need(8);
    make_text(text, N, k, seed_of_run());
    memcpy(pattern, text + (N - m) / 2, m);
    const size_t found = plain_find(text, N, pattern, m, wanted);
    guarded got = guarded_new(found * 8);
    const ww__finding f = {.text = ww_memory(text, N),
                           .pattern = pattern,
                           .n = N,
                           .m = m,
                           .starts = N - m + 1,
                           .bits = 8,
                           .method = methods[method].method,
                           .positions = ww_array((uint64_t *)got.data, found),
                           .count = ww_array(count, 1),
                           .counts = ww_none};
    expect(!ww__enter(device, "ww_find"));
    expect_status(device, ww__leave(device, ww__find_by_scans_tuned(device, &f, &tuning)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    check_found(&got, count, wanted, found);
    guarded_free(&got);
    free(text);
    free(pattern);
    free(wanted);
    free(count);
}

static void chunks(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (kind k = SAME; k < KINDS; k++) {
            check_tuned(device, setting_name(s), k % 2, k, 1 + 40 * (size_t)k, (ww__scans_tuning){512, 1 << 20});
            check_tuned(device, setting_name(s), 1, k, 3, (ww__scans_tuning){2048, 1});
            check_tuned(device, setting_name(s), 1, k, 2300, (ww__scans_tuning){4096, 1});
        }
        ww_close(device);
    }
}

/* ---- other texts ---- */

WW_MAP(letter_of, uint8_t, uint32_t, i, void, none, { return (uint8_t)(i % 7 < 3 ? 65 + i % 7 : 97); });

/* A computed, folded text; its letters A, B, C, a, a, a, a come again and again. */
static void computed(void **state) {
    (void)state;
    for (size_t method = 0; method < 2; method++) {
        CASE("find scans", "%s computed", methods[method].name);
        if (!case_wanted()) continue;
        enum { N = 2000 };
        ww_device *device = setting_open(0);
        const ww_input text = ww_mapped(&letter_of_ww, ww_counting(&ww_type_uint32_t, 0, N));
        uint64_t *positions = need(N * 8), *count = need(8);
        ww_find_options options = WW_FIND_OPTIONS;
        options.method = methods[method].method;
        options.fold = true;
        expect_status(device, ww_find(device, text, "aBc", 3, ww_array(positions, N), ww_array(count, 1), &options),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(*count == (N - 3) / 7 + 1);
        for (uint64_t i = 0; i < *count; i++) expect(positions[i] == 7 * i);
        free(positions);
        free(count);
        ww_close(device);
    }
}

/* Bytes that the alphabet does not have match nothing; texts end what lies across them. */
static void small_alphabets_and_texts(void **state) {
    (void)state;
    for (size_t method = 0; method < 2; method++) {
        CASE("find scans", "%s texts of bits", methods[method].name);
        if (!case_wanted()) continue;
        static const uint8_t bits[] = {1, 0, 1, 0, 3, 0, 1, 0, 1, 2, 1, 0, 1, 0, 1};
        static const uint64_t cuts[] = {0, 2, 8, 8, 15};
        ww_device *device = setting_open(0);
        uint8_t *text = need(sizeof bits);
        uint64_t *offsets = need(sizeof cuts), *positions = need(15 * 8), *counts = need(4 * 8), *count = need(8);
        memcpy(text, bits, sizeof bits);
        memcpy(offsets, cuts, sizeof cuts);
        ww_find_options options = WW_FIND_OPTIONS;
        options.method = methods[method].method;
        options.alphabet_bits = 1;
        expect_status(device,
                      ww_find_texts(device, ww_memory(text, sizeof bits), ww_memory(offsets, 5), "\1\0", 2,
                                    ww_array(positions, 15), ww_array(counts, 4), ww_array(count, 1), &options),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        static const uint64_t wanted[] = {0, 2, 6, 10, 12}, in_texts[] = {1, 2, 0, 2};
        expect(*count == 5);
        expect_elements(positions, wanted, 5, 8);
        expect_elements(counts, in_texts, 4, 8);
        free(text);
        free(offsets);
        free(positions);
        free(counts);
        free(count);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlapping), cmocka_unit_test(chunks),
                                       cmocka_unit_test(computed), cmocka_unit_test(small_alphabets_and_texts)};
    const int failed = cmocka_run_group_tests_name("find scans", tests, NULL, NULL);
    return failed || (!case_count() && !on_gpu());
}
