/* ww_find, ww_find_first, ww_find_last and ww_find_texts against comparing every start, on every device: kinds of text × lengths of
 * pattern and text × what is asked for; several texts; computed ones; what is refused; memory. */
#include "reference/find.h"
#include "support/texts.h"
#include "support/traced.h"

typedef struct request {
    const unsigned char *text;
    unsigned char *pattern;
    size_t n, m;
    bool fold, as_signed;
} request;

static ww_find_options options_of(const request *r) {
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = r->fold;
    return options;
}

static ww_input text_of(const request *r) {
    return ww_memory_of(r->text, r->n, r->as_signed ? &ww_type_int8_t : &ww_type_uint8_t);
}

/* ---- all, the first, the last ---- */

/* Arrays of u64 or u32. On the emulator each is programs of its own, which take long to compile. */
static bool wide_in(const request *r, unsigned turn) { return on_emulator() ? r->fold : turn % 2; }

static void check_all(ww_device *device, const request *r, size_t room, const uint64_t *wanted, uint64_t matches,
                      unsigned turn) {
    const ww_find_options options = options_of(r);
    numbers_out at, count;
    numbers_begin(&at, room, wide_in(r, turn), turn / 8 % 2);
    numbers_begin(&count, 1, wide_in(r, turn / 2), turn / 4 % 2);
    expect_status(device, ww_find(device, text_of(r), r->pattern, r->m, at.array, count.array, &options), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    numbers_check(&count, &matches, 1);
    numbers_check(&at, wanted, matches);
    numbers_end(&at), numbers_end(&count);
}

static void check_count(ww_device *device, const request *r, uint64_t matches, unsigned turn) {
    const ww_find_options options = options_of(r);
    numbers_out count;
    numbers_begin(&count, 1, wide_in(r, turn), turn / 2 % 2);
    expect_status(
        device, ww_find(device, text_of(r), r->pattern, r->m, ww_none, count.array, r->fold ? &options : NULL), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    numbers_check(&count, &matches, 1);
    numbers_end(&count);
}

static void check_one(ww_device *device, const request *r, bool last, uint64_t wanted, unsigned turn) {
    const ww_find_options options = options_of(r);
    numbers_out at;
    numbers_begin(&at, 1, true, turn % 2);
    expect_status(device,
                  last ? ww_find_last(device, text_of(r), r->pattern, r->m, at.array, &options)
                       : ww_find_first(device, text_of(r), r->pattern, r->m, at.array, &options),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    numbers_check(&at, &wanted, 1);
    numbers_end(&at);
}

static void check(ww_device *device, const request *r, const uint64_t *positions, uint64_t matches, unsigned turn) {
    const uint64_t last = matches ? positions[matches - 1] : UINT64_MAX;
    check_all(device, r, (size_t)matches + (turn % 3 ? 0 : 9), positions, matches, turn);
    if (turn % 4 == 0 || matches > 1)
        check_all(device, r, (size_t)(turn % 2 ? matches / 2 : 1), positions, matches, turn + 5);
    if (turn % 5 == 0) check_all(device, r, 0, positions, matches, turn);
    if (turn % 5 == 1) check_count(device, r, matches, turn);
    if (turn % 3 != 1) check_one(device, r, false, matches ? positions[0] : UINT64_MAX, turn);
    if (turn % 3 != 2) check_one(device, r, true, last, turn);
}

static uint64_t wanted_of(const request *r, uint64_t **positions) {
    *positions = need((r->n + 1) * 8);
    return ref_find(r->text, r->n, r->pattern, r->m, r->fold, *positions, r->n);
}

typedef struct held_request {
    request r;
    held_text text;
    uint64_t *positions, matches;
} held_request;

static held_request held_request_new(size_t n, size_t m, text_kind kind, pattern_way way, unsigned turn) {
    const uint64_t seed = seed_of_run() + turn;
    held_request h = {.text = held_text_new(n, turn % 3 ? turn % 61 : 0)};
    h.r = (request){h.text.data, need(m), n, m, turn % 7 == 3, turn % 11 == 5};
    text_fill(h.text.data, n, kind, seed);
    pattern_choose(h.r.pattern, m, h.text.data, n, kind, way, seed);
    if (h.r.fold) text_turn_cases(h.text.data, n, seed), text_turn_cases(h.r.pattern, m, seed + 5);
    h.matches = wanted_of(&h.r, &h.positions);
    return h;
}

static void held_request_free(held_request *h) {
    free(h->positions);
    free(h->r.pattern);
    held_text_free(&h->text);
}

/* The text is made when the first case is wanted: short tests leave most of them out. */
static void check_case(ww_device **devices, size_t settings, size_t n, size_t m, text_kind kind, pattern_way way,
                       unsigned turn) {
    held_request h;
    bool made = false;
    for (size_t d = 0; d < settings; d++) {
        CASE("find", "%s %s n=%zu m=%zu%s turn=%u seed=%llu", setting_name(d), text_kind_name(kind), n, m,
             turn % 7 == 3 ? " fold" : "", turn, (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!made) h = held_request_new(n, m, kind, way, turn);
        made = true;
        check(devices[d], &h.r, h.positions, h.matches, turn);
    }
    if (made) held_request_free(&h);
}

/* Every length that a word or a vector ends at, in texts that are shorter, as long, and longer. */
static void lengths(void **state) {
    (void)state;
    static const size_t lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13,  14,  15,
                                     16, 17, 18, 19, 20, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const size_t m = lengths[l],
                     sizes[] = {0, 1, m - 1, m, m + 1, m + 31, m + 32, m + 63, 64, 65, 4 * m, 1023, 2500};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int kind = 0; kind < TEXT_KINDS; kind++, turn++)
                if (!on_emulator() || (turn % 3 == 0 && (i < 6 ? l % 3 == 0 : l % 2 == 0)))
                    check_case(devices, settings, sizes[i], m, (text_kind)kind, (pattern_way)(turn / 2 % PATTERN_WAYS),
                               turn);
    }
    settings_close(devices, settings);
}

/* Around where a piece of the text ends that one worker has; patterns longer than that. */
static void pieces(void **state) {
    (void)state;
    /* The oracle's work grows as the square of the last one: short tests have one that is just cut as the long one is. */
    const size_t longest = tests_are_short() && !on_emulator() ? 20000 : 70000;
    const size_t lengths[] = {1, 3, 8, 20, 64, 256, 1000, longest};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const size_t m = lengths[l], piece = m > 16384 ? 4 * m : 65536;
        const size_t sizes[] = {65535, 65536, 65537, piece + m - 2, piece + m - 1, piece + m, 2 * piece + m + 70};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int kind = 0; kind < TEXT_KINDS; kind++, turn++)
                if (on_emulator() ? turn % 29 == 0 && sizes[i] < 100000 : turn % 2 || m < longest)
                    check_case(devices, settings, sizes[i], m, (text_kind)kind, (pattern_way)(turn % PATTERN_WAYS),
                               turn);
    }
    settings_close(devices, settings);
}

/* Texts that all workers and processors see to. */
static void large_texts(void **state) {
    (void)state;
    static const size_t lengths[] = {4, 1, 16, 64, 300, 8, 2000};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    const size_t n = on_emulator() ? 40000 : tests_are_short() ? 1000000 : 3000000;
    unsigned turn = 0;
    for (int kind = 0; kind < TEXT_KINDS; kind++)
        for (size_t l = (size_t)kind % 2; l < sizeof lengths / sizeof *lengths; l += on_emulator() ? 3 : 2, turn++)
            check_case(devices, settings, n + turn * 7, lengths[l], (text_kind)kind, (pattern_way)(turn % 2), turn);
    settings_close(devices, settings);
}

static void check_end(ww_device *device, size_t n, size_t m, text_kind kind) {
    held_text text = held_text_new(n, 0);
    request r = {text.data, need(m), n, m, false, false};
    text_fill(text.data, n, kind, seed_of_run());
    if (kind == TEXT_ONE) text.data[n - m - 1] = 'b'; /* a match at the end, and others before the b */
    memcpy(r.pattern, text.data + n - m, m);
    for (int spoilt = 0; spoilt < 2; spoilt++, r.pattern[m / 2] ^= 3) {
        uint64_t *positions;
        const uint64_t matches = wanted_of(&r, &positions);
        check(device, &r, positions, matches, 0);
        free(positions);
    }
    free(r.pattern);
    held_text_free(&text);
}

/* The longest pattern, which lies at the very end alone; and texts in which every start seems to fit, and does not. */
static void long_patterns(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        CASE("find", "%s long patterns", setting_name(d));
        if (case_wanted()) {
            const size_t m = on_emulator() ? 30000 : WW_PATTERN_MOST;
            check_end(device, 2 * m + 12345, m, TEXT_BYTES);
            check_end(device, on_emulator() ? 7000 : 52345, on_emulator() ? 3000 : 20000, TEXT_ONE);
        }
        ww_close(device);
    }
}

/* ---- several texts ---- */

typedef struct texts {
    uint64_t *offsets;
    size_t many;
    ww_array given; /* the same as u32 or u64 */
} texts;

/* Many are empty, some begin inside matches; the first one begins behind the buffer's begin, the last one ends before its end. */
static texts texts_new(size_t many, size_t n, size_t m, bool wide, uint64_t seed) {
    texts t = {need((many + 1) * 8), many, {0}};
    uint64_t state = seed, at = n / 50;
    void *given = need((many + 1) * 8);
    for (size_t i = 0; i <= many; i++) {
        const uint64_t r = random_next(&state);
        t.offsets[i] = at < n ? at : n;
        at += r % 3 ? r / 3 % (3 * m + 2 * n / (many + 1) + 1) : 0;
    }
    for (size_t i = 0; i <= many; i++) {
        const uint32_t narrow = (uint32_t)t.offsets[i];
        if (wide)
            memcpy((uint64_t *)given + i, &t.offsets[i], 8);
        else
            memcpy((uint32_t *)given + i, &narrow, 4);
    }
    t.given = ww_array_of(given, many + 1, wide ? &ww_type_uint64_t : &ww_type_uint32_t);
    return t;
}

static void texts_free(texts *t) { free(t->offsets), free(t->given.data); }

static void check_texts(ww_device *device, const request *r, const texts *t, unsigned turn) {
    const ww_find_options options = options_of(r);
    uint64_t *positions = need((r->n + 1) * 8), *each = need((t->many + 1) * 8);
    const uint64_t matches = ref_find_texts(t->offsets, t->many, r->text, r->pattern, r->m, r->fold, positions, r->n,
                                            each);
    numbers_out at, counts, count;
    const bool without = turn % 6 == 5, counted = turn % 4 != 3;
    numbers_begin(&at, without ? 0 : (size_t)(turn % 3 ? matches : matches / 2), turn % 2, false);
    numbers_begin(&counts, t->many, turn / 2 % 2, false);
    numbers_begin(&count, 1, turn / 4 % 2, turn % 2);
    expect_status(device,
                  ww_find_texts(device, text_of(r), ww_from(t->given), r->pattern, r->m, without ? ww_none : at.array,
                                counted ? counts.array : ww_none, count.array, &options),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    numbers_check(&count, &matches, 1);
    numbers_check(&at, positions, matches);
    numbers_check(&counts, each, counted ? t->many : 0);
    numbers_end(&at), numbers_end(&counts), numbers_end(&count);
    free(positions), free(each);
}

static void several_texts(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 300, 5000, 100000}, counts[] = {0, 1, 2, 40, 3000},
                        lengths[] = {1, 2, 5, 8, 20, 70};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t i = 0; i < 4; i++)
        for (size_t c = 0; c < 5; c++)
            for (size_t l = 0; l < 6; l++, turn++) {
                if (on_emulator() ? sizes[i] > 5000 || turn % 3 : tests_are_short() && turn % 2) continue;
                const size_t n = sizes[i], m = lengths[l];
                const text_kind kind = (text_kind)(turn % TEXT_KINDS);
                held_text text = held_text_new(n, turn % 17);
                request r = {text.data, need(m), n, m, turn % 5 == 2, false};
                text_fill(text.data, n, kind, seed_of_run() + turn);
                pattern_choose(r.pattern, m, text.data, n, kind, PATTERN_PLANTED, seed_of_run() + turn);
                texts t = texts_new(counts[c], n, m, turn % 2, seed_of_run() + turn);
                for (size_t d = 0; d < settings; d++) {
                    CASE("find texts", "%s %s n=%zu m=%zu texts=%zu turn=%u seed=%llu", setting_name(d),
                         text_kind_name(kind), n, m, t.many, turn, (unsigned long long)seed_of_run());
                    if (case_wanted()) check_texts(devices[d], &r, &t, turn);
                }
                texts_free(&t);
                free(r.pattern);
                held_text_free(&text);
            }
    settings_close(devices, settings);
}

/* Two texts, each of many pieces, so that workers count in the same one at once, in numbers of both sizes. A family of its own: these
 * run under the thread sanitizer, too, which sees what is no atomic addition. */
static void texts_of_many_pieces(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 5000 : 700001;
    held_text text = held_text_new(n, 0);
    unsigned char pattern[] = {'a'};
    request r = {text.data, pattern, n, 1, false, false};
    text_fill(text.data, n, TEXT_TWO, seed_of_run());
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        for (unsigned wide = 0; wide < 2; wide++) {
            CASE("find texts at once", "%s counts of %u bits", setting_name(d), 32 << wide);
            if (!case_wanted()) continue;
            texts t = texts_new(2, n, 1, wide, seed_of_run());
            check_texts(device, &r, &t, 2 * wide);
            texts_free(&t);
        }
        ww_close(device);
    }
    held_text_free(&text);
}

/* Counted offsets: each text has one character. Offsets that decrease, or go beyond the buffer: the lowest such is named. */
static void offsets(void **state) {
    (void)state;
    const size_t n = 2000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        unsigned char *text = need(n);
        uint32_t *given = need(4 * 4);
        uint64_t count = 0;
        const struct {
            uint32_t offsets[4];
            const char *sentence;
        } bad[] = {{{0, 900, 899, 1000}, "offsets[2] is 899"},
                   {{0, 10, 20, 2001}, "offsets[3] is 2001"},
                   {{5000, 3, 2, 1}, "offsets[0] is 5000"}};
        text_fill(text, n, TEXT_TWO, seed_of_run());
        CASE("find texts", "%s offsets", setting_name(d));
        if (case_wanted()) {
            const uint64_t wanted = ref_find(text, n - 1, (const unsigned char *)"a", 1, false, NULL, 0);
            const ww_input each = ww_counting(&ww_type_uint64_t, 0, n);
            expect_status(
                device,
                ww_find_texts(device, ww_memory(text, n), each, "a", 1, ww_none, ww_none, ww_array(&count, 1), NULL),
                WW_OK);
            expect(count == wanted);
            expect_status(
                device,
                ww_find_texts(device, ww_memory(text, n), each, "aa", 2, ww_none, ww_none, ww_array(&count, 1), NULL),
                WW_OK);
            expect(count == 0);
            for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
                memcpy(given, bad[b].offsets, sizeof bad[b].offsets);
                ww_status status = ww_find_texts(device, ww_memory(text, n), ww_memory(given, 4), "a", 1, ww_none,
                                                 ww_none, ww_array(&count, 1), NULL);
                if (!status) status = ww_sync(device);
                expect_status(device, status, WW_RANGE);
                expect_sentence(device, "ww_find_texts", bad[b].sentence);
            }
        }
        free(text), free(given);
        ww_close(device);
    }
}

/* Offsets that are computed from elements of more than a KiB, which workers have no room for. */
WW_STRUCT(offset_page, {
    uint64_t offset;
    uint8_t rest[2040];
});
WW_MAP(page_of_offset, offset_page, uint64_t, i, void, none, {
    offset_page page;
    for (int b = 0; b < 2040; b++) page.rest[b] = 0;
    page.offset = i;
    return page;
});
WW_MAP(offset_of_page, uint64_t, offset_page, page, uint64_t, length, { return page.offset * *length; });

static void large_offsets(void **state) {
    (void)state;
    const size_t n = 120000, length = 37;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("find texts", "%s offsets of pages", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        unsigned char *text = need(n);
        uint64_t *positions = need(n * sizeof *positions), *wanted = need(n * sizeof *wanted);
        uint64_t count = 0, many = 0, each = length;
        text_fill(text, n, TEXT_TWO, seed_of_run());
        for (size_t i = 0; i + 1 < n; i++)
            if (text[i] == text[0] && text[i + 1] == text[0] && i % length + 1 < length && i < n / length * length)
                wanted[many++] = i;
        const unsigned char pattern[2] = {text[0], text[0]};
        ww_input offsets = ww_mapped(&page_of_offset_ww, ww_counting(&ww_type_uint64_t, 0, n / length + 1));
        offsets = ww_mapped(ww_with(offset_of_page, &each), offsets);
        expect_status(device,
                      ww_find_texts(device, ww_memory(text, n), offsets, pattern, 2, ww_array(positions, n), ww_none,
                                    ww_array(&count, 1), NULL),
                      WW_OK);
        expect(count == many);
        expect_elements(positions, wanted, many, sizeof *wanted);
        each = n;
        ww_status status = ww_find_texts(device, ww_memory(text, n), offsets, pattern, 2, ww_none, ww_none,
                                         ww_array(&count, 1), NULL);
        if (!status) status = ww_sync(device);
        expect_status(device, status, WW_RANGE);
        expect_sentence(device, "offsets[2] is 240000");
        free(text), free(positions), free(wanted);
        ww_close(device);
    }
}

/* ---- computed texts ---- */

WW_MAP(find_letter, uint8_t, uint32_t, x, void, none, { return (uint8_t)(97 + x % 5 * (x / 7 % 3)); });

static void inputs(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 3000 : 300000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        CASE("find", "%s computed n=%zu", setting_name(d), n);
        if (case_wanted()) {
            unsigned char *all = need(n);
            uint64_t count = 0, position = 0;
            for (uint32_t i = 0; i < n; i++) all[i] = (unsigned char)(97 + i % 5 * (i / 7 % 3));
            const ww_input computed = ww_mapped(&find_letter_ww, ww_counting(&ww_type_uint32_t, 0, n));
            const uint64_t wanted = ref_find(all, n, all + 50, 11, false, NULL, 0);
            expect_status(device, ww_find(device, computed, all + 50, 11, ww_none, ww_array(&count, 1), NULL), WW_OK);
            expect(wanted > 3 && count == wanted);
            expect_status(device, ww_find_last(device, computed, all + 50, 11, ww_array(&position, 1), NULL), WW_OK);
            expect(position == ref_find_last(all, n, all + 50, 11, false));
            const unsigned char letter = 'x';
            expect_status(
                device,
                ww_find(device, ww_constant(ww_value(uint8_t, letter), n), "xx", 2, ww_none, ww_array(&count, 1), NULL),
                WW_OK);
            expect(count == n - 1);
            free(all);
        }
        ww_close(device);
    }
}

/* ---- what is refused ---- */

#define REFUSED_BY(call, status, sentence, ...) \
    do { \
        CASE("find refuses", "%s: %s", #call, sentence); \
        if (!case_wanted()) break; \
        expect_status(device, call(device, __VA_ARGS__), status); \
        expect_sentence(device, #call, sentence); \
    } while (0)

static void refusals(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint8_t text[64] = {0};
    uint32_t at[4], count, numbers[3] = {0};
    uint64_t position;
    static uint8_t too_long[WW_PATTERN_MOST + 1];
    const ww_input t = ww_memory(text, 64), of_numbers = ww_memory(numbers, 3);
    const ww_array p = ww_array(at, 4), c = ww_array(&count, 1), one = ww_array(&position, 1);
    const ww_array bytes = ww_array(text, 4), in_numbers = ww_array(numbers + 1, 1);
    ww_find_options o[9];
    for (size_t i = 0; i < 9; i++) o[i] = (ww_find_options)WW_FIND_OPTIONS;
    o[0].size = 4;
    o[1].method = (ww_find_method)99;
    o[2].alphabet_bits = 9;
    o[3].characters = 5;
    o[4].packed = true, o[4].alphabet_bits = 3;
    o[5].packed = true, o[5].alphabet_bits = 2, o[5].fold = true;
    o[6].packed = true, o[6].alphabet_bits = 4, o[6].method = WW_FIND_SERIAL;
    o[7].packed = true, o[7].alphabet_bits = 4, o[7].characters = 129;
    o[8].method = WW_FIND_DIVIDE32;
    expect_status(NULL, ww_find(NULL, t, "a", 1, p, c, NULL), WW_INVALID);
    expect_status(NULL, ww_find_first(NULL, t, "a", 1, one, NULL), WW_INVALID);
    expect_status(NULL, ww_find_last(NULL, t, "a", 1, one, NULL), WW_INVALID);
    REFUSED_BY(ww_find, WW_INVALID, "the pattern is empty", t, "", 0, p, c, NULL);
    REFUSED_BY(ww_find, WW_INVALID, "the pattern is NULL, and has 2", t, NULL, 2, p, c, NULL);
    REFUSED_BY(ww_find, WW_LIMIT, "1048577 characters, and can have 1048576", t, too_long, WW_PATTERN_MOST + 1, p, c,
               NULL);
    REFUSED_BY(ww_find, WW_TYPE, "text is of type u32", of_numbers, "a", 1, p, c, NULL);
    REFUSED_BY(ww_find, WW_INVALID, "text", ww_no_input, "a", 1, p, c, NULL);
    REFUSED_BY(ww_find, WW_INVALID, "text", ww_memory((uint8_t *)NULL, 5), "a", 1, p, c, NULL);
    REFUSED_BY(ww_find, WW_TYPE, "positions is of type u8", t, "a", 1, ww_array(too_long, 4), c, NULL);
    REFUSED_BY(ww_find, WW_INVALID, "count", t, "a", 1, p, ww_none, NULL);
    REFUSED_BY(ww_find, WW_INVALID, "count has 4 elements", t, "a", 1, ww_none, p, NULL);
    REFUSED_BY(ww_find, WW_OVERLAP, "positions", ww_memory((uint8_t *)at, 16), "a", 1, p, c, NULL);
    REFUSED_BY(ww_find, WW_OVERLAP, "count", ww_memory((uint8_t *)&count, 4), "a", 1, p, c, NULL);
    REFUSED_BY(ww_find, WW_OVERLAP, "positions", t, "a", 1, p, ww_array(at + 2, 1), NULL);
    REFUSED_BY(ww_find, WW_INVALID, "options.size is 4", t, "a", 1, p, c, &o[0]);
    REFUSED_BY(ww_find, WW_INVALID, "no find method 99", t, "a", 1, p, c, &o[1]);
    REFUSED_BY(ww_find, WW_INVALID, "alphabet_bits is 9", t, "a", 1, p, c, &o[2]);
    REFUSED_BY(ww_find, WW_INVALID, "characters is 5, and the text is not packed", t, "a", 1, p, c, &o[3]);
    REFUSED_BY(ww_find, WW_INVALID, "characters of 3 bits", t, "\1", 1, p, c, &o[4]);
    REFUSED_BY(ww_find, WW_INVALID, "no case", t, "\1", 1, p, c, &o[5]);
    REFUSED_BY(ww_find, WW_INVALID, "serial takes no packed", t, "\1", 1, p, c, &o[6]);
    REFUSED_BY(ww_find, WW_INVALID, "characters is 129, and the text holds 128", t, "\1", 1, p, c, &o[7]);
    o[7].alphabet_bits = 1; /* 2^61 bytes would hold 2^64 of these; none is read */
    REFUSED_BY(ww_find, WW_LIMIT, "text has 2305843009213693952 bytes of 8 characters",
               ww_memory(text, UINT64_C(1) << 61), "\1", 1, p, c, &o[7]);
    o[7].alphabet_bits = 4;
    REFUSED_BY(ww_find, WW_INVALID, "pattern[1] is 16, no character of 4 bits", t, "\1\20", 2, p, c, &o[7]);
    REFUSED_BY(ww_find, WW_LIMIT, "divide32 takes patterns of up to 4", t, "abcde", 5, p, c, &o[8]);
    REFUSED_BY(ww_find_first, WW_INVALID, "position is of type u32, not u64", t, "a", 1, c, NULL);
    REFUSED_BY(ww_find_first, WW_INVALID, "position", t, "a", 1, ww_none, NULL);
    REFUSED_BY(ww_find_first, WW_INVALID, "options.method is divide32", t, "a", 1, one, &o[8]);
    REFUSED_BY(ww_find_last, WW_OVERLAP, "position", ww_memory((uint8_t *)&position, 8), "a", 1, one, NULL);
    REFUSED_BY(ww_find_texts, WW_INVALID, "offsets is empty", t, ww_memory(numbers, 0), "a", 1, p, ww_none, c, NULL);
    REFUSED_BY(ww_find_texts, WW_TYPE, "offsets", t, t, "a", 1, p, ww_none, c, NULL);
    o[7].characters = 0;
    REFUSED_BY(ww_find_texts, WW_INVALID, "packed", t, of_numbers, "\1", 1, p, ww_none, c, &o[7]);
    REFUSED_BY(ww_find_texts, WW_INVALID, "counts has 4 elements for 2 texts", t, of_numbers, "a", 1, ww_none, p, c,
               NULL);
    REFUSED_BY(ww_find_texts, WW_TYPE, "counts is of type u8", t, of_numbers, "a", 1, p, bytes, c, NULL);
    REFUSED_BY(ww_find_texts, WW_OVERLAP, "offsets", t, of_numbers, "a", 1, ww_none, ww_none, in_numbers, NULL);
    REFUSED_BY(ww_find_texts, WW_OVERLAP, "offsets", t, of_numbers, "a", 1, ww_none, ww_array(numbers, 2), c, NULL);
    REFUSED_BY(ww_find_texts, WW_OVERLAP, "positions", t, of_numbers, "a", 1, p, ww_array(at + 1, 2), c, NULL);
    ww_close(device);
}

/* Arrays of u32 for a text whose positions they cannot hold. Nothing is read where the check refuses. */
static void narrow_outputs(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t at[2], count;
    uint64_t wide;
    const unsigned char letter = 'a';
    const ww_input t = ww_constant(ww_value(uint8_t, letter), ((uint64_t)1 << 32) + 1);
    REFUSED_BY(ww_find, WW_TYPE, "positions is of type u32", t, "a", 1, ww_array(at, 2), ww_array(&wide, 1), NULL);
    REFUSED_BY(ww_find, WW_TYPE, "count is of type u32", t, "a", 1, ww_none, ww_array(&count, 1), NULL);
    ww_close(device);
}

/* ---- memory ---- */

/* What the header promises of a GPU, whose tiles the emulator has smaller. */
static size_t scratch_on_gpu(size_t n, size_t m) {
    const size_t tiles = n / (on_emulator() ? 128 : 2048) + 65536;
    return m > 8 ? tiles + n / 8 + 2 * m : tiles;
}

/* What the header allows a call on a CPU: marks of a piece for each thread, and what is made of the pattern. */
static size_t scratch_allowed(size_t threads, size_t m, ww_find_method method) {
    return threads * (m / 2 > 32768 ? m / 2 : 32768) + (method == WW_FIND_AUTO ? 2 * m + 49152 : 5 * m + 4096);
}

static void scratch(void **state) {
    (void)state;
    static const ww_find_method methods[] = {WW_FIND_AUTO, WW_FIND_SERIAL, WW_FIND_DIVIDE, WW_FIND_HYBRID,
                                             WW_FIND_TWOSTAGE};
    const size_t method_count = on_gpu() ? 1 : sizeof methods / sizeof *methods;
    static const size_t lengths[] = {4, 30, 1000, 3000, 100000};
    const size_t n = on_emulator() ? 40000 : 2000000;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        held_text text = held_text_new(n, 0);
        text_fill(text.data, n, TEXT_ENGLISH, seed_of_run());
        for (size_t k = 0; k < 2 * method_count * (sizeof lengths / sizeof *lengths); k++) {
            const size_t m = lengths[k / (2 * method_count)];
            ww_find_options options = WW_FIND_OPTIONS;
            uint64_t count;
            ww_device_info info = WW_DEVICE_INFO;
            options.method = methods[k / 2 % method_count];
            options.fold = k % 2;
            if (m > n / 2) continue;
            CASE("find", "%s scratch m=%zu method %d%s", setting_name(s), m, (int)options.method,
                 options.fold ? " fold" : "");
            if (!case_wanted()) continue;
            expect_status(device, ww_scratch_trim(device), WW_OK);
            expect_status(
                device,
                ww_find(device, ww_memory(text.data, n), text.data + 77, m, ww_none, ww_array(&count, 1), &options),
                WW_OK);
            expect(count >= 1);
            expect_status(device, ww_device_info_get(device, &info), WW_OK);
            expect(info.scratch_peak <=
                   (on_gpu() ? scratch_on_gpu(n, m) : scratch_allowed(info.threads, m, options.method)));
        }
        held_text_free(&text);
        ww_close(device);
    }
}

/* The k-th request for memory fails, for every k. */
static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it opens the CPU")) return;
    const size_t n = 400000;
    unsigned char *text = need(n);
    uint32_t given[3] = {0, 1000, 400000};
    text_fill(text, n, TEXT_DNA, 1);
    for (int way = 0; way < 4; way++) {
        size_t fail_at = 0;
        for (bool done = false; !done; fail_at++) {
            counting_allocator counter = {.fail_at = fail_at};
            ww_open_options options = WW_OPEN_OPTIONS;
            ww_find_options find = WW_FIND_OPTIONS;
            ww_device *device;
            uint64_t out;
            const ww_input t = way == 3 ? ww_constant(ww_value(uint8_t, 'A'), n) : ww_memory(text, n);
            const ww_array one = ww_array(&out, 1);
            options.allocator = counting_allocator_use(&counter);
            find.fold = true;
            ww_status status = ww_open_with("cpu:threads=2", &device, &options);
            if (!status && way == 0) status = ww_find(device, t, "ACGTA", 5, ww_none, one, &find);
            if (!status && way == 1) status = ww_find_first(device, t, "ACGTACGTACGTACGT", 16, one, NULL);
            if (!status && way == 2)
                status = ww_find_texts(device, t, ww_memory(given, 3), "CA", 2, ww_none, ww_none, one, NULL);
            if (!status && way == 3) status = ww_find_near(device, t, "AAAC", 4, 1, ww_none, ww_none, one, NULL);
            expect(status == WW_OK || status == WW_MEMORY);
            done = counter.requests <= fail_at;
            expect(!done || status == WW_OK);
            ww_close(device);
            expect(counter.live_blocks == 0);
        }
        expect(fail_at > 2);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),        cmocka_unit_test(pieces),
        cmocka_unit_test(large_texts),    cmocka_unit_test(offsets),
        cmocka_unit_test(large_offsets),  cmocka_unit_test(long_patterns),
        cmocka_unit_test(several_texts),  cmocka_unit_test(texts_of_many_pieces),
        cmocka_unit_test(inputs),         cmocka_unit_test(refusals),
        cmocka_unit_test(narrow_outputs), cmocka_unit_test(scratch),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("finding", tests, NULL, NULL);
}
