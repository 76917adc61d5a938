/* From marks to positions, counts, and counts of several texts: shapes of the result × lengths of arrays, types, texts. */
#include "device/device.h"
#include "support/cases.h"
#include "text/find_gpu.h"

enum { MOST = 70000 };

/* The serial oracle: matches that lie in one text; the first `room` positions, and how many there are in each text. */
static uint64_t naive(const uint8_t *text, uint64_t n, const uint8_t *pattern, uint64_t m, const uint64_t *offsets,
                      uint64_t texts, uint64_t *positions, uint64_t *counts) {
    uint64_t found = 0;
    for (uint64_t t = 0; t < texts; t++) {
        uint64_t in_text = 0;
        for (uint64_t i = offsets[t]; i + m <= offsets[t + 1] && i + m <= n; i++) {
            if (memcmp(text + i, pattern, m)) continue;
            positions[found++] = i;
            in_text++;
        }
        if (counts) counts[t] = in_text;
    }
    return found;
}

/* GPUs make marks by any method but auto; a CPU has its pieces, which marks are a part of, behind each method. */
static ww_find_options options_of(void) {
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = on_gpu() ? WW_FIND_DIVIDE : WW_FIND_SERIAL;
    return options;
}

/* How the text is: every place a match, one in few, none, one at the very end, stretches. */
typedef enum density { ALL, MANY, RARE, NONE, LAST, STRETCHES, DENSITIES } density;

static void make_text(uint8_t *text, uint64_t n, density d, uint64_t seed) {
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed) >> 32;
        const bool a = d == ALL || (d == MANY && r % 4) || (d == RARE && r % 90 == 0) || (d == LAST && i + 2 >= n) ||
                       (d == STRETCHES && i / 3000 % 2);
        text[i] = a ? 'a' : (uint8_t)('b' + r % 20);
    }
}

static uint64_t number_at(const void *data, bool wide, uint64_t i) {
    return wide ? ((const uint64_t *)data)[i] : ((const uint32_t *)data)[i];
}

static ww_array array_of(void *data, uint64_t count, bool wide) {
    return ww_array_of(data, count, wide ? &ww_type_uint64_t : &ww_type_uint32_t);
}

typedef struct wanted {
    uint64_t *positions, *counts, found, texts;
} wanted;

static void check_positions(const guarded *positions, const wanted *w, uint64_t room, bool wide) {
    for (uint64_t i = 0; i < room; i++) {
        if (i < w->found)
            expect(number_at(positions->data, wide, i) == w->positions[i]);
        else
            expect(((const uint8_t *)positions->data)[i * (wide ? 8 : 4)] == 0xA5);
    }
    guarded_check(positions);
}

/* offsets: NULL for ww_find. */
static void check(ww_device *device, const uint8_t *text, uint64_t n, const char *pattern, const uint64_t *offsets,
                  const wanted *w, uint64_t room, bool wide) {
    const ww_find_options options = options_of();
    const size_t size = wide ? 8 : 4;
    guarded positions = guarded_new(room * size), counts = guarded_new(w->texts * size), count = guarded_new(size);
    const ww_array positions_out = room ? array_of(positions.data, room, wide) : ww_none;
    const ww_array count_out = array_of(count.data, 1, wide), counts_out = array_of(counts.data, w->texts, wide);
    const ww_input in = ww_memory(text, n);
    ww_status status;
    if (offsets)
        status = ww_find_texts(device, in, ww_memory(offsets, w->texts + 1), pattern, strlen(pattern), positions_out,
                               room % 2 ? counts_out : ww_none, count_out, &options);
    else
        status = ww_find(device, in, pattern, strlen(pattern), positions_out, count_out, &options);
    expect_status(device, status, WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(number_at(count.data, wide, 0) == w->found);
    check_positions(&positions, w, room, wide);
    for (uint64_t t = 0; offsets && room % 2 && t < w->texts; t++)
        expect(number_at(counts.data, wide, t) == w->counts[t]);
    guarded_check(&counts);
    guarded_check(&count);
    guarded_free(&positions);
    guarded_free(&counts);
    guarded_free(&count);
}

/* Cuts: none, texts of some length, many empty ones, with gaps at both ends. */
enum { CUTS = 5 };
static const char *const cut_names[CUTS] = {"one text", "a text", "long texts", "short texts", "gaps"};

static uint64_t cut(uint64_t *offsets, uint64_t n, size_t how, uint64_t seed) {
    uint64_t texts = 0, at = how == 4 ? n / 3 : 0;
    const uint64_t end = how == 4 ? n - n / 5 : n, longest = how == 2 ? 20000 : 9;
    offsets[0] = at;
    while (at < end) {
        const uint64_t length = how < 2 ? n : random_next(&seed) % longest;
        at = at + length < end ? at + length : end;
        offsets[++texts] = at;
    }
    return texts;
}

static void check_case(ww_device *device, const char *setting, uint64_t n, density d, size_t how, const char *pattern) {
    const bool wide = (n + d + how) % 2;
    CASE("find marks", "%s n=%llu density %d %s '%s'", setting, (unsigned long long)n, (int)d, cut_names[how], pattern);
    if (!case_wanted()) return;
    uint8_t *text = need(n);
    uint64_t *offsets = need((n + 2) * 8);
    wanted w = {need(n * 8), need((n + 1) * 8), 0, 0};
    make_text(text, n, d, seed_of_run() + n);
    offsets[0] = 0;
    w.texts = cut(offsets, n, how, seed_of_run());
    w.found = naive(text, n, (const uint8_t *)pattern, strlen(pattern), offsets, w.texts, w.positions, w.counts);
    const uint64_t rooms[] = {0, 1, w.found / 2, w.found, w.found + 3};
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++)
        check(device, text, n, pattern, how ? offsets : NULL, &w, rooms[r], wide);
    free(text);
    free(offsets);
    free(w.positions);
    free(w.counts);
}

static void positions_and_counts(void **state) {
    static const uint64_t sizes[] = {0, 1, 2, 33, 8191, 8192, 8193, 20011, MOST};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (size_t how = 0; how < CUTS; how++)
                for (density d = ALL; d < DENSITIES; d++) {
                    if ((i + how + (size_t)d) % 3 && sizes[i] > 40) continue;
                    check_case(device, setting_name(s), sizes[i], d, how, (i + how) % 2 ? "a" : "aa");
                }
        ww_close(device);
    }
}

/* The lowest offset that is wrong is told, at once or at the next look; the handle goes on. */
static void bad_offsets(void **state) {
    (void)state;
    static const struct {
        uint64_t offset[4];
        const char *bad, *value;
    } rows[] = {{{0, 5, 4, 9}, "offsets[2]", "is 4"},
                {{0, 3, 11, 12}, "offsets[2]", "is 11"},
                {{20, 20, 20, 20}, "offsets[0]", "is 20"},
                {{9, 3, 2, 1}, "offsets[1]", "is 3"}};
    const ww_find_options options = options_of();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        CASE("find marks", "bad offsets %zu", r);
        if (!case_wanted()) continue;
        ww_device *device = setting_open(0);
        uint8_t *text = need(10);
        uint64_t *offsets = need(4 * 8), *count = need(8);
        memset(text, 'a', 10);
        memcpy(offsets, rows[r].offset, sizeof rows[r].offset);
        guarded positions = guarded_new(10 * 8), counts = guarded_new(3 * 8);
        ww_status status = ww_find_texts(device, ww_memory(text, 10), ww_memory(offsets, 4), "a", 1,
                                         ww_array((uint64_t *)positions.data, 10), ww_array((uint64_t *)counts.data, 3),
                                         ww_array(count, 1), &options);
        if (!status) status = ww_sync(device);
        expect_status(device, status, WW_RANGE);
        expect_sentence(device, rows[r].bad, rows[r].value);
        guarded_check(&positions);
        guarded_check(&counts);
        offsets[0] = 0, offsets[1] = 2, offsets[2] = 2, offsets[3] = 10;
        expect_status(device,
                      ww_find_texts(device, ww_memory(text, 10), ww_memory(offsets, 4), "aa", 2, ww_none, ww_none,
                                    ww_array(count, 1), &options),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(*count == 8);
        guarded_free(&positions);
        guarded_free(&counts);
        free(text);
        free(offsets);
        free(count);
        ww_close(device);
    }
}

/* A count, and the only position, may be in memory that a GPU does not reach. */
static void results_of_the_host(void **state) {
    (void)state;
    CASE("find marks", "results of the host");
    if (!case_wanted()) return;
    const ww_find_options options = options_of();
    ww_device *device = setting_open(0);
    uint8_t *text = need(100);
    uint64_t position = 7, of_text = 7, offsets_of_one[2] = {20, 90}, *offsets = need(sizeof offsets_of_one);
    uint32_t count = 7;
    memcpy(offsets, offsets_of_one, sizeof offsets_of_one);
    memset(text, 'b', 100);
    expect_status(device,
                  ww_find(device, ww_memory(text, 100), "ab", 2, ww_array(&position, 1), ww_array(&count, 1), &options),
                  WW_OK);
    expect(position == 7 && count == 0);
    text[5] = text[50] = text[60] = 'a';
    expect_status(device,
                  ww_find_texts(device, ww_memory(text, 100), ww_memory(offsets, 2), "ab", 2, ww_array(&position, 1),
                                ww_array(&of_text, 1), ww_array(&count, 1), &options),
                  WW_OK);
    expect(position == 50 && count == 2 && of_text == 2);
    free(text);
    free(offsets);
    ww_close(device);
}

/* ---- the first and the last, which the named methods are not asked for ---- */

static void check_one(ww_device *device, uint64_t starts, const uint32_t *marks, ww__find_want want, uint64_t wanted) {
    uint64_t position = 7;
    const ww__finding f = {.n = starts,
                           .m = 1,
                           .starts = starts,
                           .want = want,
                           .positions = ww_none,
                           .count = ww_array(&position, 1),
                           .counts = ww_none};
    uint32_t *memory = need((starts / 32 + 1) * sizeof *marks);
    memcpy(memory, marks, (starts / 32 + 1) * sizeof *marks);
    expect(!ww__enter(device, "ww_find_first"));
    expect_status(device, ww__leave(device, ww__find_marks_gpu(device, &f, memory)), WW_OK);
    expect(position == wanted);
    free(memory);
}

static void first_and_last(void **state) {
    enum { WORDS = 700 };
    static const uint64_t places[] = {0, 31, 32, 5000, 32 * WORDS - 1};
    (void)state;
    if (!on_gpu()) return; /* its pieces are the CPU's own */
    CASE("find one mark", "first and last");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    uint32_t marks[WORDS + 1] = {0};
    check_one(device, 0, marks, WW__FIND_FIRST, WW_NOT_FOUND);
    check_one(device, 32 * WORDS, marks, WW__FIND_FIRST, WW_NOT_FOUND);
    check_one(device, 32 * WORDS, marks, WW__FIND_LAST, WW_NOT_FOUND);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t j = i; j < sizeof places / sizeof *places; j++) {
            memset(marks, 0, sizeof marks);
            for (size_t k = i; k <= j; k++) marks[places[k] / 32] |= 1u << places[k] % 32;
            check_one(device, 32 * WORDS, marks, WW__FIND_FIRST, places[i]);
            check_one(device, 32 * WORDS, marks, WW__FIND_LAST, places[j]);
        }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(positions_and_counts), cmocka_unit_test(bad_offsets),
                                       cmocka_unit_test(results_of_the_host), cmocka_unit_test(first_and_last)};
    const int failed = cmocka_run_group_tests_name("find marks", tests, NULL, NULL);
    return failed || !case_count();
}
