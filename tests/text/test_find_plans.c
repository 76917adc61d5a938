/* Finding by the plans that GPUs get (support/plans.h). */
#include <stdio.h>

#include "reference/find.h"
#include "reference/find_many.h"
#include "support/plans.h"

enum { LETTERS = 3, SHORT = 4, WINDOW = 8, LONG = 100, LONGER = 700 };

/* Of few letters, so that short patterns are met often; what begins at `again` and a quarter further on is alike. */
static unsigned char *text_new(size_t n, uint64_t m) {
    unsigned char *text = plan_numbers(&ww_type_uint8_t, n, LETTERS);
    for (size_t i = 0; i < n; i++) text[i] = (unsigned char)(text[i] + 'a');
    for (size_t at = n / 4; at + m < n; at += n / 4) memcpy(text + at, text + 5, m);
    memcpy(text + n - m, text + 5, m); /* the last start, too */
    return text;
}

/* Where the pattern begins: all, and first and last. */
static void find_in(ww_device *device, const unsigned char *text, size_t n, const unsigned char *pattern, uint64_t m,
                    ww_find_method method) {
    uint64_t *wanted = need(n * 8), count = 77, position = 77;
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = method;
    const uint64_t found = ref_find(text, n, pattern, m, false, wanted, n);
    guarded out = guarded_new(found * 8);
    expect_status(device,
                  ww_find(device, ww_memory(text, n), pattern, m, ww_array((uint64_t *)out.data, found),
                          ww_array(&count, 1), &options),
                  WW_OK);
    expect(count == found);
    plan_expect(&out, wanted, found, 8);
    free(wanted);
    if (method != WW_FIND_AUTO) return; /* which alone finds one */
    expect_status(device, ww_find_first(device, ww_memory(text, n), pattern, m, ww_array(&position, 1), &options),
                  WW_OK);
    expect(position == ref_find_first(text, n, pattern, m, false));
    expect_status(device, ww_find_last(device, ww_memory(text, n), pattern, m, ww_array(&position, 1), &options),
                  WW_OK);
    expect(position == ref_find_last(text, n, pattern, m, false));
}

static void find_of(ww_device *device, size_t n, uint64_t m, ww_find_method method) {
    unsigned char *text = text_new(n, m), pattern[LONGER];
    memcpy(pattern, text + 5, m);
    find_in(device, text, n, pattern, m, method);
    free(text);
}

static void check_short(ww_device *device, size_t n) { find_of(device, n, SHORT, WW_FIND_AUTO); }
static void check_window(ww_device *device, size_t n) { find_of(device, n, WINDOW, WW_FIND_AUTO); }
static void check_long(ww_device *device, size_t n) { find_of(device, n, LONG, WW_FIND_AUTO); }

/* So much has to be compared that it is given up, and found by fingerprints. */
static void check_given_up(ww_device *device, size_t n) {
    unsigned char *text = need(n), pattern[LONGER];
    memset(text, 'a', n), memset(pattern, 'a', LONGER);
    for (size_t at = LONGER / 2; at < n; at += LONGER - 30) text[at] = 'b';
    memset(text + n / 3, 'a', LONGER + 10), memset(text + n - LONGER, 'a', LONGER);
    find_in(device, text, n, pattern, LONGER, WW_FIND_AUTO);
    free(text);
}

/* Each class of lengths that go on chip. */
static void check_divide(ww_device *device, size_t n) {
    static const uint64_t lengths[] = {WINDOW, 200, LONGER};
    for (int k = 0; k < 3; k++) find_of(device, n, lengths[k], WW_FIND_DIVIDE);
}
static void check_divide32(ww_device *device, size_t n) { find_of(device, n, SHORT, WW_FIND_DIVIDE32); }
static void check_hybrid(ww_device *device, size_t n) { find_of(device, n, LONG, WW_FIND_HYBRID); }
static void check_twostage(ww_device *device, size_t n) { find_of(device, n, LONG, WW_FIND_TWOSTAGE); }
static void check_recurrence(ww_device *device, size_t n) { find_of(device, n, LONG, WW_FIND_RECURRENCE); }
static void check_cooperative(ww_device *device, size_t n) { find_of(device, n, WINDOW, WW_FIND_COOPERATIVE); }

/* Texts of several lengths, empty ones too. */
static void check_texts(ww_device *device, size_t n) {
    unsigned char *text = text_new(n, WINDOW), pattern[WINDOW];
    uint64_t *offsets = need((n + 1) * 8), *wanted = need(n * 8), *counts_wanted = need(n * 8), texts = 0, count = 77;
    for (offsets[0] = 0; offsets[texts] < n; texts++) {
        const uint64_t end = offsets[texts] + texts * 7 % 300;
        offsets[texts + 1] = end < n ? end : n;
    }
    memcpy(pattern, text + 5, WINDOW);
    const uint64_t found = ref_find_texts(offsets, texts, text, pattern, WINDOW, false, wanted, n, counts_wanted);
    guarded out = guarded_new(found * 8), counts = guarded_new(texts * 8);
    expect_status(device,
                  ww_find_texts(device, ww_memory(text, n), ww_memory(offsets, texts + 1), pattern, WINDOW,
                                ww_array((uint64_t *)out.data, found), ww_array((uint64_t *)counts.data, texts),
                                ww_array(&count, 1), NULL),
                  WW_OK);
    expect(count == found);
    plan_expect(&out, wanted, found, 8), plan_expect(&counts, counts_wanted, texts, 8);
    free(text), free(offsets), free(wanted), free(counts_wanted);
}

/* Parts of the text of 2 to 21 characters. */
static void check_many(ww_device *device, size_t n) {
    enum { PATTERNS = 40, MOST = 20 };
    unsigned char *text = text_new(n, LONG), bytes[PATTERNS * (MOST + 2)];
    uint64_t offsets[PATTERNS + 1] = {0}, *positions = need(n * 8), *numbers = need(n * 8), count = 77;
    reference_match *matches = malloc(n * sizeof *matches);
    ww_patterns *patterns;
    for (uint64_t k = 0; k < PATTERNS; k++) {
        const uint64_t length = 6 + k % (MOST - 4);
        memcpy(bytes + offsets[k], text + k * (n / PATTERNS - 1), length);
        offsets[k + 1] = offsets[k] + length;
    }
    const size_t found = reference_find_many(text, n, bytes, offsets, PATTERNS, false, matches, n);
    expect(found <= n);
    for (size_t i = 0; i < found; i++) positions[i] = matches[i].position, numbers[i] = matches[i].number;
    guarded out = guarded_new(found * 8), numbers_out = guarded_new(found * 8);
    expect_status(device, ww_patterns_open(device, bytes, offsets, PATTERNS, &patterns, NULL), WW_OK);
    expect_status(device,
                  ww_find_many(patterns, ww_memory(text, n), ww_array((uint64_t *)out.data, found),
                               ww_array((uint64_t *)numbers_out.data, found), ww_array(&count, 1)),
                  WW_OK);
    ww_patterns_close(patterns);
    expect(count == found);
    plan_expect(&out, positions, found, 8), plan_expect(&numbers_out, numbers, found, 8);
    free(text), free(positions), free(numbers), free(matches);
}

static void check_near(ww_device *device, size_t n) {
    enum { PATTERN = 40, DIFFERENT = 3 };
    unsigned char *text = text_new(n, PATTERN), pattern[PATTERN];
    uint64_t *wanted = need(n * 8), *differences_wanted = need(n * 8), count = 77;
    memcpy(pattern, text + 5, PATTERN);
    for (size_t at = 900; at + PATTERN < n; at += 900) { /* up to four characters are others */
        memcpy(text + at, pattern, PATTERN);
        for (size_t k = 0; k < at / 900 % 5; k++) text[at + (k * 11 + at) % PATTERN] = 'z';
    }
    const uint64_t found = ref_find_near(text, n, pattern, PATTERN, DIFFERENT, false, wanted, differences_wanted, n);
    guarded out = guarded_new(found * 8), differences = guarded_new(found * 4);
    expect_status(device,
                  ww_find_near(device, ww_memory(text, n), pattern, PATTERN, DIFFERENT,
                               ww_array((uint64_t *)out.data, found), ww_array((uint32_t *)differences.data, found),
                               ww_array(&count, 1), NULL),
                  WW_OK);
    expect(count == found);
    for (size_t i = 0; i < found; i++) expect(((uint32_t *)differences.data)[i] == differences_wanted[i]);
    plan_expect(&out, wanted, found, 8);
    guarded_check(&differences), guarded_free(&differences);
    free(text), free(wanted), free(differences_wanted);
}

static const plan plans[] = {
    {"find short", check_short, {16385, 50001, 300001}},
    {"find window", check_window, {40001}},
    {"find long", check_long, {40001}},
    {"find given up", check_given_up, {20001}},
    {"divide", check_divide, {40001}},
    {"divide32", check_divide32, {20001}},
    {"hybrid", check_hybrid, {40001}},
    {"twostage", check_twostage, {40001}},
    {"recurrence", check_recurrence, {20001}},
    {"cooperative", check_cooperative, {10001}},
    {"find in texts", check_texts, {40001}},
    {"find many", check_many, {70001}},
    {"find near", check_near, {20001}},
};

static void finds(void **state) {
    (void)state;
    plans_check(plans, sizeof plans / sizeof *plans);
    expect(case_count() > 0);
}

int main(void) {
    if (!on_gpu()) printf("on a CPU these are some sizes more: the plans are a GPU's\n");
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
