/* ww_find_near against counting at every start: lengths of pattern × characters that may differ × kinds of text, on every
 * device; what it refuses; what it takes. */
#include "reference/find.h"
#include "support/texts.h"
#include "support/traced.h"

typedef struct request {
    const unsigned char *text;
    unsigned char *pattern;
    size_t n, m, most;
    bool fold;
} request;

static ww_find_options options_of(const request *r) {
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = r->fold;
    return options;
}

/* With room for all, for some, and for none of the matches; the first also with what the caller wants of types. */
static void check_room(ww_device *device, const request *r, size_t room, const uint64_t *positions,
                       const uint64_t *differences, uint64_t matches, unsigned turn) {
    const ww_find_options options = options_of(r);
    numbers_out at, count, wide;
    guarded narrow = guarded_new(room);
    numbers_begin(&at, room, turn % 2, false);
    numbers_begin(&count, 1, turn / 2 % 2, turn / 4 % 2);
    numbers_begin(&wide, room, false, false);
    const bool bytes = turn / 8 % 2, none = turn % 5 == 4;
    const ww_array how = none ? ww_none : bytes ? ww_array_of(narrow.data, room, &ww_type_uint8_t) : wide.array;
    expect_status(
        device,
        ww_find_near(device, ww_memory(r->text, r->n), r->pattern, r->m, r->most, at.array, how, count.array, &options),
        WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    numbers_check(&count, &matches, 1);
    numbers_check(&at, positions, matches);
    numbers_check(&wide, differences, none || bytes ? 0 : matches);
    for (size_t i = 0; i < room; i++)
        expect(((unsigned char *)narrow.data)[i] == (none || !bytes || i >= matches ? 0xA5 : differences[i]));
    guarded_check(&narrow);
    guarded_free(&narrow);
    numbers_end(&at), numbers_end(&count), numbers_end(&wide);
}

static void check(ww_device *device, const request *r, unsigned turn) {
    uint64_t *positions = need((r->n + 1) * 8), *differences = need((r->n + 1) * 8);
    const uint64_t matches = ref_find_near(r->text, r->n, r->pattern, r->m, r->most, r->fold, positions, differences,
                                           r->n);
    check_room(device, r, (size_t)matches + (turn % 3 ? 0 : 3), positions, differences, matches, turn);
    check_room(device, r, (size_t)matches / 2, positions, differences, matches, turn + 1);
    if (turn % 4 == 0) {
        const ww_find_options options = options_of(r);
        uint64_t count = 0;
        expect_status(device,
                      ww_find_near(device, ww_memory(r->text, r->n), r->pattern, r->m, r->most, ww_none, ww_none,
                                   ww_array(&count, 1), &options),
                      WW_OK);
        expect(count == matches);
    }
    free(positions), free(differences);
}

/* Spoils some characters of a stretch of the text that is the pattern. */
static void plant(unsigned char *text, const request *r, uint64_t seed) {
    uint64_t state = seed;
    for (size_t p = 0; p < 6 && r->n >= r->m; p++) {
        unsigned char *const at = text + random_next(&state) % (r->n - r->m + 1);
        memcpy(at, r->pattern, r->m);
        for (size_t i = 0; i < r->most + p % 2; i++) at[random_next(&state) % r->m] ^= (unsigned char)(1 + i % 3);
    }
}

static void check_case(ww_device **devices, size_t settings, size_t n, size_t m, size_t most, text_kind kind,
                       unsigned turn) {
    const uint64_t seed = seed_of_run() + turn;
    held_text text = held_text_new(n, turn % 19);
    request r = {text.data, need(m), n, m, most, turn % 3 == 1};
    text_fill(text.data, n, kind, seed);
    pattern_choose(r.pattern, m, text.data, n, kind, turn % 4 == 3 ? PATTERN_NEW : PATTERN_PLANTED, seed);
    plant(text.data, &r, seed);
    if (r.fold) text_turn_cases(text.data, n, seed), text_turn_cases(r.pattern, m, seed + 5);
    for (size_t d = 0; d < settings; d++) {
        CASE("near", "%s %s n=%zu m=%zu most=%zu%s turn=%u seed=%llu", setting_name(d), text_kind_name(kind), n, m,
             most, r.fold ? " fold" : "", turn, (unsigned long long)seed_of_run());
        if (case_wanted()) check(devices[d], &r, turn);
    }
    free(r.pattern);
    held_text_free(&text);
}

/* Every length that a word, a vector or a part ends at; few characters that may differ and many. */
static void lengths(void **state) {
    (void)state;
    static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 20, 31, 33, 64, 100, 255, 256};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const size_t m = lengths[l], mosts[] = {0, 1, 2, 3, m / 4, m / 2, m - 1},
                     sizes[] = {0, m - 1, m, m + 1, m + 63, 400, 700, 1500, 4000};
        for (size_t k = 0; k < sizeof mosts / sizeof *mosts; k++) {
            if (mosts[k] >= m || (k > 3 && mosts[k] < 4)) continue;
            if (on_emulator() && (k + l) % 2) continue;
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, turn++)
                if (!on_emulator() || (i + k) % 3 == 2)
                    check_case(devices, settings, sizes[i], m, mosts[k], (text_kind)(turn % TEXT_KINDS), turn);
        }
    }
    settings_close(devices, settings);
}

/* Texts of several pieces and tiles. */
static void large_texts(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    const size_t n = on_emulator() ? 9000 : tests_are_short() ? 200000 : 700000;
    for (unsigned kind = 0; kind < TEXT_KINDS; kind++) {
        check_case(devices, settings, n + kind, 20, 2, (text_kind)kind, kind);
        check_case(devices, settings, n - kind, 13, 1 + kind, (text_kind)kind, kind + 1);
    }
    check_case(devices, settings, n, 256, 1, TEXT_ONE, 3);
    check_case(devices, settings, n, 256, 255, TEXT_BYTES, 4);
    check_case(devices, settings, n, 200, 150, TEXT_DNA, 5);
    settings_close(devices, settings);
}

WW_MAP(near_letter, int8_t, uint32_t, x, void, none, { return (int8_t)(65 + (x * 2654435761u >> 30)); });

/* Computed text of i8, with one position asked for, in the host's memory. */
static void inputs(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 3000 : 300000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        CASE("near", "%s computed n=%zu", setting_name(d), n);
        if (case_wanted()) {
            unsigned char *all = need(n);
            uint64_t first = 0, position = 5, count = 5, differ = 0;
            uint8_t difference = 77;
            for (uint32_t i = 0; i < n; i++) all[i] = (unsigned char)(65 + (i * 2654435761u >> 30));
            const uint64_t wanted = ref_find_near(all, n, all + 7, 10, 3, false, &first, &differ, 1);
            expect_status(device,
                          ww_find_near(device, ww_mapped(&near_letter_ww, ww_counting(&ww_type_uint32_t, 0, n)),
                                       all + 7, 10, 3, ww_array(&position, 1), ww_array(&difference, 1),
                                       ww_array(&count, 1), NULL),
                          WW_OK);
            expect(wanted > 1 && count == wanted && position == first && difference == differ);
            free(all);
        }
        ww_close(device);
    }
}

static void refusals(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint8_t text[300] = {0}, how[4];
    uint32_t at[4], count;
    uint16_t narrow[4];
    float numbers[4] = {0};
    const ww_input t = ww_memory(text, 300);
    const ww_array p = ww_array(at, 4), d = ww_array(how, 4), c = ww_array(&count, 1);
    ww_find_options serial = WW_FIND_OPTIONS, packed = WW_FIND_OPTIONS, two = WW_FIND_OPTIONS;
    serial.method = WW_FIND_SERIAL;
    packed.packed = true, packed.alphabet_bits = 2;
    two.alphabet_bits = 2;
    expect_status(NULL, ww_find_near(NULL, t, "ab", 2, 1, p, d, c, NULL), WW_INVALID);
#define REFUSED(status, sentence, ...) \
    do { \
        CASE("near refuses", "%s", sentence); \
        if (!case_wanted()) break; \
        expect_status(device, ww_find_near(device, __VA_ARGS__), status); \
        expect_sentence(device, "ww_find_near", sentence); \
    } while (0)
    REFUSED(WW_INVALID, "pattern is empty", t, "", 0, 0, p, d, c, NULL);
    REFUSED(WW_INVALID, "pattern is NULL", t, NULL, 3, 1, p, d, c, NULL);
    REFUSED(WW_LIMIT, "257 characters", t, text, 257, 1, p, d, c, NULL);
    REFUSED(WW_INVALID, "most is 2, and the pattern has 2", t, "ab", 2, 2, p, d, c, NULL);
    REFUSED(WW_INVALID, "options.method is serial", t, "ab", 2, 1, p, d, c, &serial);
    REFUSED(WW_INVALID, "packed", t, "\1\2", 2, 1, p, d, c, &packed);
    REFUSED(WW_INVALID, "alphabet_bits is 2", t, "\1\2", 2, 1, p, d, c, &two);
    REFUSED(WW_TYPE, "text is of type", ww_memory(numbers, 4), "ab", 2, 1, p, d, c, NULL);
    REFUSED(WW_TYPE, "positions is of type", t, "ab", 2, 1, d, d, c, NULL);
    REFUSED(WW_TYPE, "differences is of type", t, "ab", 2, 1, p, ww_array(narrow, 4), c, NULL);
    REFUSED(WW_INVALID, "differences has 3 elements, positions 4", t, "ab", 2, 1, p, ww_array(how, 3), c, NULL);
    REFUSED(WW_INVALID, "differences has 4 elements, positions 0", t, "ab", 2, 1, ww_none, d, c, NULL);
    REFUSED(WW_INVALID, "count", t, "ab", 2, 1, p, d, ww_none, NULL);
    REFUSED(WW_OVERLAP, "differences", t, "ab", 2, 1, p, ww_array(text, 4), c, NULL);
    REFUSED(WW_OVERLAP, "positions", t, "ab", 2, 1, p, ww_array((uint8_t *)at, 4), c, NULL);
    REFUSED(WW_OVERLAP, "count", t, "ab", 2, 1, p, ww_array((uint8_t *)&count, 4), c, NULL);
    REFUSED(WW_OVERLAP, "positions", ww_memory((uint8_t *)at, 16), "ab", 2, 1, p, d, c, NULL);
#undef REFUSED
    ww_close(device);
}

/* Marks, and the needle; nothing that grows with the text on a CPU, a bit or two a character on a GPU. */
static void scratch(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 20000 : 2000000;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        held_text text = held_text_new(n, 0);
        numbers_out at;
        guarded how = guarded_new(n / 8);
        ww_device_info info = WW_DEVICE_INFO;
        uint64_t count;
        numbers_begin(&at, n / 8, false, false);
        text_fill(text.data, n, TEXT_TWO, seed_of_run());
        CASE("near", "%s scratch", setting_name(s));
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device,
                      ww_find_near(device, ww_memory(text.data, n), "abababab", 8, 3, at.array,
                                   ww_array_of(how.data, n / 8, &ww_type_uint8_t), ww_array(&count, 1), NULL),
                      WW_OK);
        expect(count > 0);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_peak <= (on_gpu() ? n / 4 + 65536 : info.threads * 16384 + 65536));
        numbers_end(&at);
        guarded_free(&how);
        held_text_free(&text);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths), cmocka_unit_test(large_texts),
                                       cmocka_unit_test(inputs), cmocka_unit_test(refusals), cmocka_unit_test(scratch)};
    return cmocka_run_group_tests_name("finding with mismatches", tests, NULL, NULL);
}
