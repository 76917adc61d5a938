/* Texts between pages that may not be touched, of every length around a pattern's and a method's strides: no search of the
 * CPU's reads a byte before or behind its text. The oracle looks at every place. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reference/find.h"
#include "support/cases.h"

enum { MOST = 4096 };

/* Random bytes of few letters between two such pages: texts are its last bytes, or its first. */
static unsigned char *block, *begin_of_page, *end_of_page;
static size_t page;

static int set_up(void **state) {
    (void)state;
    page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t room = (MOST + page - 1) / page * page;
    block = mmap(NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return -1;
    begin_of_page = block + page;
    end_of_page = begin_of_page + room;
    uint64_t random = seed_of_run();
    for (size_t i = 0; i < room; i++) begin_of_page[i] = (unsigned char)('A' + random_next(&random) % 5 * 7);
    return mprotect(block, page, PROT_NONE) || mprotect(end_of_page, page, PROT_NONE) ? -1 : 0;
}

static int tear_down(void **state) {
    (void)state;
    return munmap(block, (size_t)(end_of_page - block) + page);
}

/* Where in the text the pattern is taken from. What hangs over an end has all its characters there but one, which is
 * another. */
typedef enum place { AT_END, AT_BEGIN, LAST_DIFFERS, FIRST_DIFFERS, OVER_END, OVER_BEGIN, PLACES } place;

typedef struct search {
    ww_find_method method;
    size_t n, m;
    bool at_end, fold; /* at_end: the text ends where the page does */
    place place;
} search;

static void pattern_of(const search *s, const unsigned char *text, unsigned char *pattern) {
    const size_t n = s->n, m = s->m;
    const size_t from = s->place == AT_BEGIN || s->place == LAST_DIFFERS || n < m ? 0 : n - m;
    for (size_t i = 0; i < m; i++) pattern[i] = i < n ? text[from + i] : 'x';
    if (s->place == LAST_DIFFERS) pattern[m - 1] ^= 1;
    if (s->place == FIRST_DIFFERS) pattern[0] ^= 1;
    if (n < m) return;
    if (s->place == OVER_END) {
        memcpy(pattern, text + n - m + 1, m - 1);
        pattern[m - 1] = 'x';
    }
    if (s->place == OVER_BEGIN) {
        memcpy(pattern + 1, text, m - 1);
        pattern[0] = 'x';
    }
}

static void check(ww_device *device, const search *s) {
    static uint64_t wanted[MOST], got[MOST];
    unsigned char pattern[MOST];
    const unsigned char *text = s->at_end ? end_of_page - s->n : begin_of_page;
    pattern_of(s, text, pattern);
    uint64_t count = 77;
    ww_find_options o = WW_FIND_OPTIONS;
    o.method = s->method;
    o.fold = s->fold;
    const uint64_t many = ref_find(text, s->n, pattern, s->m, s->fold, wanted, MOST);
    expect_status(device,
                  ww_find(device, ww_memory(text, s->n), pattern, s->m, ww_array(got, MOST), ww_array(&count, 1), &o),
                  WW_OK);
    expect(count == many);
    expect_elements(got, wanted, many, 8);
}

/* Lengths from `first` on; places take turns. */
static void check_lengths(ww_device *device, const char *setting, search s, size_t first, size_t lengths) {
    CASE("find edges", "%s method=%d m=%zu n=%zu+%zu %s%s place=%d", setting, (int)s.method, s.m, first, lengths,
         s.at_end ? "at the end" : "at the begin", s.fold ? " folded" : "", (int)s.place);
    if (!case_wanted()) return;
    const place began = s.place;
    for (s.n = first; s.n < first + lengths; s.n++) {
        s.place = (place)((began + s.n) % PLACES);
        check(device, &s);
    }
}

/* Patterns of 64 characters and more: a word of 8 or 16 bytes in each stride of about m is looked at, four strides at
 * once. Lengths go over all residues of eight strides. */
static void skipping(void **state) {
    static const size_t lengths[] = {64, 65, 72, 100, 255, 256, 257, 300};
    (void)state;
    for (size_t v = 0; v < setting_count_short(); v++) {
        ww_device *device = setting_open(v);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (unsigned turn = 0; turn < PLACES; turn++) {
                const size_t m = lengths[i];
                search s = {WW_FIND_AUTO, 0, m, true, i % 2, (place)turn};
                if (turn < 2) check_lengths(device, setting_name(v), s, m - 1, 8 * m + 10);
                s.at_end = false;
                check_lengths(device, setting_name(v), s, 2 * m, PLACES);
            }
        ww_close(device);
    }
}

/* All methods, with short patterns: lengths over all residues of 64 bytes and of vectors. */
static void every_method(void **state) {
    static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63};
    (void)state;
    for (size_t v = 0; v < setting_count_short(); v++) {
        ww_device *device = setting_open(v);
        for (ww_find_method method = WW_FIND_AUTO; method <= WW_FIND_TWOSTAGE; method++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                if (lengths[i] > (method == WW_FIND_DIVIDE32 ? 4u : method == WW_FIND_DIVIDE64 ? 8u : MOST)) continue;
                search s = {method, 0, lengths[i], true, i % 3 == 1, (place)(i % PLACES)};
                check_lengths(device, setting_name(v), s, lengths[i] > 5 ? lengths[i] - 5 : 0, 200);
                s.place = (place)((i + 3) % PLACES);
                check_lengths(device, setting_name(v), s, lengths[i], 64);
                s.at_end = false;
                check_lengths(device, setting_name(v), s, lengths[i] + 60, 2 * PLACES);
            }
        ww_close(device);
    }
}

/* Nearly, and of many patterns: the last characters of each text, and two that are shorter. */
static void check_near_and_many(ww_device *device, const char *setting, size_t m) {
    CASE("find edges", "%s near and many m=%zu", setting, m);
    if (!case_wanted()) return;
    static uint64_t wanted[MOST], got[MOST];
    for (size_t n = m; n < m + 140; n++) {
        const unsigned char *text = end_of_page - n;
        unsigned char pattern[MOST];
        uint64_t count = 77;
        memcpy(pattern, text + n - m, m);
        pattern[m / 2] ^= 1;
        const uint64_t most = m > 2 ? 1 : 0;
        const uint64_t many = ref_find_near(text, n, pattern, m, most, false, wanted, NULL, MOST);
        expect_status(device,
                      ww_find_near(device, ww_memory(text, n), pattern, m, most, ww_array(got, MOST), ww_none,
                                   ww_array(&count, 1), NULL),
                      WW_OK);
        expect(count == many);
        expect_elements(got, wanted, many, 8);

        const uint64_t offsets[] = {0, m, m + (m + 1) / 2, 2 * m + (m + 1) / 2};
        unsigned char bytes[3 * MOST];
        memcpy(bytes, text + n - m, m);
        memcpy(bytes + m, text + n - (m + 1) / 2, (m + 1) / 2);
        memcpy(bytes + offsets[2], pattern, m);
        uint64_t sum = 0;
        for (size_t k = 0; k < 3; k++)
            sum += ref_find(text, n, bytes + offsets[k], offsets[k + 1] - offsets[k], false, NULL, 0);
        ww_patterns *patterns;
        expect_status(device, ww_patterns_open(device, bytes, offsets, 3, &patterns, NULL), WW_OK);
        expect_status(device, ww_find_many(patterns, ww_memory(text, n), ww_none, ww_none, ww_array(&count, 1)), WW_OK);
        ww_patterns_close(patterns);
        expect(count == sum);
    }
}

static void near_and_many(void **state) {
    static const size_t lengths[] = {1, 2, 3, 4, 7, 8, 9, 16, 33, 64, 100};
    (void)state;
    for (size_t v = 0; v < setting_count_short(); v++) {
        ww_device *device = setting_open(v);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            check_near_and_many(device, setting_name(v), lengths[i]);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(skipping), cmocka_unit_test(every_method),
                                       cmocka_unit_test(near_and_many)};
    return cmocka_run_group_tests_name("find edges", tests, set_up, tear_down);
}
