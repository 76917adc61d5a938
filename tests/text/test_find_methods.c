/* ww_find's named methods against a plain loop: methods × alphabets (packed, folded) × lengths of pattern × kinds of text, and
 * what they refuse. */
#include <stdio.h>

#include "support/cases.h"
#include "support/traced.h"

/* ---- the oracle ---- */

static unsigned char plain_fold(unsigned char c) { return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c; }

static bool fits(const unsigned char *text, const unsigned char *pattern, uint64_t m, bool fold) {
    if (!fold) return !memcmp(text, pattern, m);
    for (uint64_t i = 0; i < m; i++)
        if (plain_fold(text[i]) != plain_fold(pattern[i])) return false;
    return true;
}

/* Where the pattern begins, the first `room` of them; returns how many there are. */
static uint64_t plain_find(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, bool fold,
                           uint64_t *positions, uint64_t room) {
    uint64_t count = 0;
    for (uint64_t i = 0; i + m <= n; i++)
        if (fits(text + i, pattern, m, fold)) {
            if (count < room) positions[count] = i;
            count++;
        }
    return count;
}

/* ---- what is tried ---- */

static const struct {
    ww_find_method method;
    const char *name;
    unsigned window; /* bits of a pattern; 0: any */
    bool packed;
} methods[] = {{WW_FIND_SERIAL, "serial", 0, false},         {WW_FIND_COOPERATIVE, "cooperative", 0, false},
               {WW_FIND_RECURRENCE, "recurrence", 0, false}, {WW_FIND_DIVIDE, "divide", 0, true},
               {WW_FIND_DIVIDE32, "divide32", 32, true},     {WW_FIND_DIVIDE64, "divide64", 64, true},
               {WW_FIND_HYBRID, "hybrid", 0, false},         {WW_FIND_TWOSTAGE, "twostage", 0, false}};

typedef struct alphabet {
    unsigned bits;
    bool packed, fold;
} alphabet;
static const alphabet alphabets[] = {{8, false, false}, {1, false, false}, {8, false, true},  {2, true, false},
                                     {4, false, false}, {1, true, false},  {2, false, false}, {4, true, false},
                                     {7, false, true},  {3, false, false}, {5, false, false}, {6, false, false},
                                     {7, false, false}};

enum { COUNT_OF_METHODS = sizeof methods / sizeof *methods, ALPHABETS = sizeof alphabets / sizeof *alphabets };

/* RARE: characters at random, with the pattern here and there, and also but for its first, a middle or its last character.
 * PERIODIC: a short text again and again, with a few mistakes. STRANGE: as RARE, and bytes that are no characters of the
 * alphabet, but are in their lowest bits. */
typedef enum kind { RARE, PERIODIC, STRANGE, KINDS } kind;
static const char *const kind_names[] = {"rare", "periodic", "strange"};

typedef struct search {
    alphabet alphabet;
    kind kind;
    uint64_t n, m, matches;
    unsigned char *text, *pattern; /* a byte a character */
    unsigned char *given;          /* the text as the call has it */
    uint64_t bytes, *positions;
} search;

static unsigned char any_character(alphabet a, uint64_t *random) {
    const uint64_t r = random_next(random);
    if (a.fold && r % 4) return (unsigned char)("abAB@`[{"[r >> 8 & 7]);
    return (unsigned char)(r >> 16 & ((1u << a.bits) - 1));
}

static void plant(search *s, uint64_t at, uint64_t *random) {
    if (at + s->m > s->n) return;
    const uint64_t r = random_next(random), wrong = r % 8 == 0   ? 0
                                                    : r % 8 == 1 ? s->m - 1
                                                    : r % 8 == 2 ? r / 8 % s->m
                                                                 : s->m;
    for (uint64_t i = 0; i < s->m; i++) {
        unsigned char c = s->pattern[i];
        if (s->alphabet.fold && r >> (i % 40) & 1) c = c >= 'a' && c <= 'z' ? (unsigned char)(c - 32) : c;
        s->text[at + i] = i == wrong ? (unsigned char)(c ^ 1) : c;
    }
}

static void make_text(search *s, uint64_t seed) {
    uint64_t random = seed;
    const uint64_t period = 1 + random_next(&random) % 5;
    for (uint64_t i = 0; i < s->n; i++) s->text[i] = any_character(s->alphabet, &random);
    for (uint64_t i = 0; i < s->m; i++) s->pattern[i] = any_character(s->alphabet, &random);
    if (s->kind == PERIODIC) {
        for (uint64_t i = period; i < s->m; i++) s->pattern[i] = s->pattern[i - period];
        for (uint64_t i = 0; i < s->n; i++) s->text[i] = s->pattern[i % period % s->m];
        for (uint64_t i = 0; s->n && i < 4; i++)
            s->text[random_next(&random) % s->n] = any_character(s->alphabet, &random);
        return;
    }
    for (uint64_t i = 0; i < 24; i++) plant(s, random_next(&random) % (s->n + 1), &random);
    /* Across the edges of pieces and of what a lane has, at both ends, and over itself. */
    static const uint64_t edges[] = {0, 1, 64, 1024, 2048, 4032, 65536, 131072};
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        plant(s, edges[e] > s->m / 2 ? edges[e] - random_next(&random) % (s->m / 2 + 1) : edges[e], &random);
    if (s->n > s->m) plant(s, s->n - s->m - 1, &random);
    if (s->n >= s->m) plant(s, s->n - s->m, &random);
    for (uint64_t i = 0; s->kind == STRANGE && s->alphabet.bits < 8 && i < 10 && s->n; i++)
        s->text[random_next(&random) % s->n] ^= 128;
}

static search search_new(alphabet a, kind k, uint64_t n, uint64_t m, uint64_t seed) {
    const uint64_t in_byte = a.packed ? 8 / a.bits : 1;
    search s = {.alphabet = a, .kind = a.packed && k == STRANGE ? RARE : k, .n = n, .m = m};
    s.bytes = (n + in_byte - 1) / in_byte;
    s.text = need(n + 1);
    s.pattern = need(m);
    s.given = need(s.bytes);
    s.positions = need((n + 1) * sizeof *s.positions);
    make_text(&s, seed);
    s.matches = plain_find(s.text, n, s.pattern, m, a.fold, s.positions, n);
    memset(s.given, 0, s.bytes);
    for (uint64_t i = 0; i < n; i++)
        s.given[i / in_byte] = (unsigned char)(s.given[i / in_byte] | s.text[i]
                                                                          << (a.packed ? i % in_byte * a.bits : 0));
    return s;
}

static void search_free(search *s) { free(s->text), free(s->pattern), free(s->given), free(s->positions); }

/* ---- how it is tried ---- */

static ww_find_options options_of(const search *s, ww_find_method method) {
    ww_find_options o = WW_FIND_OPTIONS;
    o.method = method;
    o.fold = s->alphabet.fold;
    o.packed = s->alphabet.packed;
    o.alphabet_bits = s->alphabet.bits;
    o.characters = s->alphabet.packed ? s->n : 0;
    return o;
}

static void expect_positions(const search *s, const void *got, uint64_t room, bool narrow) {
    const uint64_t written = room < s->matches ? room : s->matches;
    for (uint64_t i = 0; i < written; i++)
        expect((narrow ? ((const uint32_t *)got)[i] : ((const uint64_t *)got)[i]) == s->positions[i]);
    const unsigned char *const bytes = got;
    const size_t size = narrow ? 4 : 8;
    for (size_t i = (size_t)written * size; i < (size_t)room * size; i++) expect(bytes[i] == 0xA5);
}

/* room 0: only the count is asked for. */
static void check_room(ww_device *device, const search *s, size_t method, uint64_t room, bool narrow) {
    const ww_find_options o = options_of(s, methods[method].method);
    guarded positions = guarded_new((size_t)room * (narrow ? 4 : 8)), count = guarded_new(8);
    const ww_array p = narrow ? ww_array((uint32_t *)positions.data, room) : ww_array((uint64_t *)positions.data, room);
    const ww_status status = ww_find(device, ww_memory(s->given, s->bytes), s->pattern, s->m, room ? p : ww_none,
                                     ww_array((uint64_t *)count.data, 1), &o);
    expect_status(device, status, WW_OK);
    uint64_t found;
    memcpy(&found, count.data, sizeof found);
    expect(found == s->matches);
    expect_positions(s, positions.data, room, narrow);
    guarded_check(&positions), guarded_check(&count);
    guarded_free(&positions), guarded_free(&count);
}

static bool takes(size_t method, const search *s) {
    return (!s->alphabet.packed || methods[method].packed) &&
           (!methods[method].window || s->m <= methods[method].window / s->alphabet.bits);
}

static void check_search(ww_device **devices, size_t settings, const search *s, unsigned turn) {
    for (size_t k = 0; k < COUNT_OF_METHODS; k++)
        for (size_t d = 0; d < settings; d++) {
            if (!takes(k, s)) continue;
            CASE("find", "%s %s %u bits%s%s %s n=%llu m=%llu seed=%llu", setting_name(d), methods[k].name,
                 s->alphabet.bits, s->alphabet.packed ? " packed" : "", s->alphabet.fold ? " fold" : "",
                 kind_names[s->kind], (unsigned long long)s->n, (unsigned long long)s->m,
                 (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            /* Room for more than there are; for less; none. */
            const uint64_t room = turn % 3 == 0 ? s->matches + 3 : turn % 3 == 1 ? s->matches / 2 : 0;
            check_room(devices[d], s, k, room, turn % 2);
        }
}

/* Starts: around what one lane, all lanes and a piece have. */
static const uint64_t starts_tried[] = {1,    2,    64,   300,   1023,  2047,  2048,  5000,
                                        1024, 1087, 4096, 10000, 65535, 65536, 65537, 131072 + 1100};
enum { STARTS = sizeof starts_tried / sizeof *starts_tried, SMALL_STARTS = 8 };

static uint64_t length_of(uint64_t m, unsigned turn) {
    if (turn % 41 == 40) return m - 1; /* longer than the text */
    return m - 1 + starts_tried[turn % (on_emulator() || tests_are_short() ? SMALL_STARTS : STARTS)];
}

static void lengths(void **state) {
    (void)state;
    static const uint64_t more[] = {255, 256, 257, 1023, 1024, 1025};
    enum { SHORT_MOST = 70, LENGTHS = SHORT_MOST + sizeof more / sizeof *more };
    ww_device *devices[DEVICES_MOST];
    const size_t all = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (unsigned i = 0; i < LENGTHS; i++)
        for (size_t a = 0; a < ALPHABETS; a++, turn++) {
            if (on_emulator() && turn % 7) continue;
            const uint64_t m = i < SHORT_MOST ? i + 1 : more[i - SHORT_MOST];
            search s = search_new(alphabets[a], (kind)((turn / 3 + i) % KINDS), length_of(m, turn + i), m,
                                  seed_of_run() + turn);
            check_search(devices, turn % 8 ? setting_count_short() : all, &s, turn);
            search_free(&s);
        }
    settings_close(devices, all);
}

/* Pieces are longer than usual where patterns are. */
static void long_patterns(void **state) {
    (void)state;
    const uint64_t m = on_emulator() ? 2500 : 70000;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (unsigned a = 0; a < 4; a++) {
        const uint64_t n = a == 1 ? 4 * m - 1 + m : a == 2 ? m + 777 : 5 * m + 3000;
        search s = search_new(alphabets[a], a == 2 ? STRANGE : RARE, n, m, seed_of_run() + a);
        check_search(devices, settings, &s, 3 * a);
        search_free(&s);
    }
    settings_close(devices, settings);
}

/* Texts in which everything nearly matches: one character again and again, and a pattern that differs at its end; and one built
 * against a fingerprint modulo 2^31 - 1 or 2^61 - 1, where characters 31 or 61 apart count the same. */
static void near_matches(void **state) {
    (void)state;
    const uint64_t m = on_emulator() ? 100 : 1025, n = on_emulator() ? 3000 : 70000;
    static const unsigned apart[] = {0, 31, 61};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (unsigned k = 0; k < 3; k++) {
        search s = search_new(alphabets[0], RARE, n, m, seed_of_run());
        memset(s.text, 'b', n), memset(s.given, 'b', n), memset(s.pattern, 'b', m);
        s.pattern[m - 1] = 'c';
        if (apart[k]) s.pattern[m - 1 - apart[k]] = 'a';
        s.given[n - 1] = s.text[n - 1] = 'c';
        if (apart[k]) s.given[n - 1 - apart[k]] = s.text[n - 1 - apart[k]] = 'a';
        s.matches = plain_find(s.text, n, s.pattern, m, false, s.positions, n);
        expect(s.matches == 1);
        check_search(devices, settings, &s, 3 * k);
        search_free(&s);
    }
    settings_close(devices, settings);
}

/* Several short texts in one buffer: matches that go across two are none. */
static void several_texts(void **state) {
    (void)state;
    enum { TEXTS = 200, LONGEST = 40 };
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    uint64_t *const offsets = need((TEXTS + 1) * sizeof *offsets), *const count = need(sizeof *count);
    uint64_t random = seed_of_run(), wanted[TEXTS] = {0}, all = 0;
    offsets[0] = 3;
    for (size_t t = 0; t < TEXTS; t++) offsets[t + 1] = offsets[t] + random_next(&random) % LONGEST;
    search s = search_new(alphabets[6], RARE, offsets[TEXTS] + 5, 2, seed_of_run());
    for (size_t t = 0, i = 0; t < TEXTS; t++)
        for (; i < s.matches && s.positions[i] < offsets[t + 1]; i++) {
            if (s.positions[i] < offsets[t] || s.positions[i] + s.m > offsets[t + 1]) continue;
            wanted[t]++;
            s.positions[all++] = s.positions[i];
        }
    s.matches = all;
    for (size_t k = 0; k < COUNT_OF_METHODS; k++)
        for (size_t d = 0; d < settings; d++) {
            CASE("find texts", "%s %s seed=%llu", setting_name(d), methods[k].name, (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            const ww_find_options o = options_of(&s, methods[k].method);
            guarded positions = guarded_new((all + 1) * 8), counts = guarded_new(TEXTS * 8);
            const ww_status status = ww_find_texts(devices[d], ww_memory(s.given, s.bytes),
                                                   ww_memory(offsets, TEXTS + 1), s.pattern, s.m,
                                                   ww_array((uint64_t *)positions.data, all + 1),
                                                   ww_array((uint64_t *)counts.data, TEXTS), ww_array(count, 1), &o);
            expect_status(devices[d], status, WW_OK);
            expect(*count == all);
            expect_positions(&s, positions.data, all + 1, false);
            expect_elements(counts.data, wanted, TEXTS, sizeof *wanted);
            guarded_check(&positions), guarded_check(&counts);
            guarded_free(&positions), guarded_free(&counts);
        }
    search_free(&s);
    free(offsets), free(count);
    settings_close(devices, settings);
}

/* ---- what is refused ---- */

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    unsigned char *const text = need(100), pattern[70] = {0};
    uint64_t *const count = need(sizeof *count);
    memset(text, 0, 100);
    CASE("find", "%s refusals", setting_name(0));
    ww_find_options o = WW_FIND_OPTIONS;
#define FIND(m) ww_find(device, ww_memory(text, 100), pattern, m, ww_none, ww_array(count, 1), &o)
    static const struct {
        ww_find_method method;
        unsigned bits, most;
        const char *sentence;
    } windows[] = {
        {WW_FIND_DIVIDE32, 8, 4, "divide32 takes patterns of up to 4 characters of 8 bits, and this one has 5"},
        {WW_FIND_DIVIDE32, 3, 10, "up to 10 characters of 3 bits"},
        {WW_FIND_DIVIDE32, 1, 32, "up to 32 characters of 1 bits"},
        {WW_FIND_DIVIDE64, 8, 8, "divide64 takes patterns of up to 8 characters of 8 bits, and this one has 9"},
        {WW_FIND_DIVIDE64, 5, 12, "up to 12 characters of 5 bits"},
        {WW_FIND_DIVIDE64, 1, 64, "up to 64 characters of 1 bits"}};
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
        o.method = windows[w].method;
        o.alphabet_bits = windows[w].bits;
        expect_status(device, FIND(windows[w].most + 1), WW_LIMIT);
        expect_sentence(device, windows[w].sentence);
        expect_status(device, FIND(windows[w].most), WW_OK);
    }
    static const ww_find_method unpacked[] = {WW_FIND_SERIAL, WW_FIND_COOPERATIVE, WW_FIND_RECURRENCE, WW_FIND_HYBRID,
                                              WW_FIND_TWOSTAGE};
    o.packed = true;
    o.alphabet_bits = 2;
    for (size_t u = 0; u < sizeof unpacked / sizeof *unpacked; u++) {
        o.method = unpacked[u];
        expect_status(device, FIND(4), WW_INVALID);
        expect_sentence(device, "takes no packed text");
    }
    o.method = WW_FIND_DIVIDE;
    o.alphabet_bits = 3;
    expect_status(device, FIND(4), WW_INVALID);
    expect_sentence(device, "3 bits are not packed");
    o.packed = false;
    pattern[2] = 8;
    for (size_t k = 0; k < COUNT_OF_METHODS; k++) {
        o.method = methods[k].method;
        expect_status(device, FIND(4), WW_INVALID);
        expect_sentence(device, "pattern[2] is 8, no character of 3 bits");
    }
#undef FIND
    free(text), free(count);
    ww_close(device);
}

/* Each method runs kernels of its own. */
static void kernels(void **state) {
    (void)state;
    if (!on_gpu()) return;
    ww_device *device = traced_open();
    unsigned char *text = need(300);
    memset(text, 'a', 300);
    for (size_t k = 0; k < COUNT_OF_METHODS; k++) {
        CASE("find", "kernels of %s", methods[k].name);
        if (!case_wanted()) continue;
        ww_find_options o = WW_FIND_OPTIONS;
        o.method = methods[k].method;
        uint64_t count = 0;
        char said[8192];
        traced t = traced_begin();
        const ww_status status = ww_find(device, ww_memory(text, 300), "aaab", 4, ww_none, ww_array(&count, 1), &o);
        traced_end(&t, said, sizeof said);
        expect_status(device, status, WW_OK);
        switch (o.method) {
        case WW_FIND_SERIAL:
            expect_launches(said, "put_part", "divide_far", "list_marks");
            break;
        case WW_FIND_COOPERATIVE:
            expect_launches(said, "put_part", "scan", "scan", "pack", "launch", "launch", "list_marks");
            break;
        case WW_FIND_RECURRENCE:
            expect_launches(said, "put_part", "scan", "pack", "launch", "launch", "list_marks");
            break;
        case WW_FIND_HYBRID:
            expect_launches(said, "put_part", "hybrid", "list_marks");
            break;
        case WW_FIND_TWOSTAGE:
            expect_launches(said, "put_part", "twostage", "list_marks");
            break;
        default:
            expect_launches(said, "put_part", "divide", "list_marks");
        }
    }
    free(text);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths),      cmocka_unit_test(long_patterns),
                                       cmocka_unit_test(near_matches), cmocka_unit_test(several_texts),
                                       cmocka_unit_test(kernels),      cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("find, method by method", tests, NULL, NULL);
}
