/* The CPU's automatic method from inside: every width, patterns around every limit of its ways, texts at the ends of pages that
 * may not be read, texts made to look like the pattern, first and last matches near and far, texts in one buffer. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cases.h"

/* ---- the oracle: Knuth, Morris and Pratt's, over characters, one a byte ---- */

static unsigned char small_letter(unsigned char c) { return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c; }

static size_t find_plainly(const unsigned char *text, size_t n, const unsigned char *pattern, size_t m, bool fold,
                           uint64_t *positions) {
    size_t *border = need((m + 1) * sizeof *border), many = 0, k = 0;
    unsigned char *x = need(m);
    for (size_t i = 0; i < m; i++) x[i] = fold ? small_letter(pattern[i]) : pattern[i];
    border[0] = 0;
    for (size_t i = 1; i < m; i++) {
        while (k && x[i] != x[k]) k = border[k - 1];
        k += x[i] == x[k];
        border[i] = k;
    }
    k = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = fold ? small_letter(text[i]) : text[i];
        while (k == m || (k && c != x[k])) k = border[k - 1];
        k += c == x[k];
        if (k == m) positions[many++] = i + 1 - m;
    }
    free(x);
    free(border);
    return many;
}

/* ---- texts ---- */

enum { TEXT_RANDOM, TEXT_ONE, TEXT_PERIODIC, TEXT_NEARLY, TEXT_FIBONACCI, TEXT_THUE_MORSE, TEXTS };
static const char *const text_names[] = {"random",          "one character", "periodic",
                                         "nearly periodic", "Fibonacci",     "Thue-Morse"};

/* Characters first, first + 1, … below `letters` of them; the periodic ones repeat after `period`. */
static void fill_text(unsigned char *text, size_t n, int kind, unsigned first, unsigned letters, size_t period,
                      uint64_t *state) {
    size_t shorter = 1, longer = 2;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(state);
        const unsigned any = first + (unsigned)(r >> 32) % letters;
        unsigned c = any;
        if (kind == TEXT_ONE) c = first;
        if (kind == TEXT_PERIODIC || kind == TEXT_NEARLY) c = i < period ? any : text[i - period];
        if (kind == TEXT_NEARLY && r % 500 == 0) c = any;
        if (kind == TEXT_THUE_MORSE) c = first + (unsigned)__builtin_popcountll(i) % 2;
        if (kind == TEXT_FIBONACCI) {
            if (i == longer) {
                longer += shorter;
                shorter = i;
            }
            c = i < 2 ? first + (unsigned)i : text[i - shorter];
        }
        text[i] = (unsigned char)c;
    }
}

/* Memory between pages that may not be touched: it ends at a page's end, or begins at a page's begin. */
typedef struct fenced {
    unsigned char *block, *data;
    size_t bytes;
} fenced;

static fenced fenced_new(size_t bytes, bool at_end) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page + page;
    fenced f = {.bytes = room + page};
    f.block = mmap(NULL, f.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(f.block != MAP_FAILED);
    expect(!mprotect(f.block, page, PROT_NONE) && !mprotect(f.block + room, page, PROT_NONE));
    f.data = at_end ? f.block + room - bytes : f.block + page;
    return f;
}
static void fenced_free(fenced *f) { munmap(f->block, f->bytes); }

/* ---- one search, against the oracle ---- */

typedef struct search {
    const unsigned char *characters; /* one a byte */
    size_t n;
    const unsigned char *pattern;
    size_t m;
    unsigned bits;          /* 8: not packed */
    bool fold, at_end, few; /* few: less room than there are matches */
} search;

static void pack_into(unsigned char *to, const search *s) {
    const unsigned to_a_byte = 8 / s->bits;
    if (s->bits == 8)
        memcpy(to, s->characters, s->n);
    else
        memset(to, 0, (s->n + to_a_byte - 1) / to_a_byte);
    if (s->bits < 8)
        for (size_t i = 0; i < s->n; i++)
            to[i / to_a_byte] = (unsigned char)(to[i / to_a_byte] | s->characters[i] << i % to_a_byte * s->bits);
}

static void check(ww_device *device, const search *s) {
    const size_t bytes = (s->n * s->bits + 7) / 8;
    fenced text = fenced_new(bytes, s->at_end);
    pack_into(text.data, s);
    uint64_t *wanted = need((s->n + 1) * sizeof *wanted), count = 77, place = 77;
    const size_t many = find_plainly(s->characters, s->n, s->pattern, s->m, s->fold, wanted);
    const size_t room = s->few ? many / 2 : many;
    guarded out = guarded_new(room * sizeof(uint64_t));
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = s->fold;
    options.packed = s->bits < 8;
    options.alphabet_bits = s->bits;
    options.characters = s->bits < 8 ? s->n : 0;
    const ww_input in = ww_memory_of(text.data, bytes, &ww_type_uint8_t);
    expect_status(device,
                  ww_find(device, in, s->pattern, s->m, ww_array_of(out.data, room, &ww_type_uint64_t),
                          ww_array(&count, 1), &options),
                  WW_OK);
    expect(count == many);
    expect_elements(out.data, wanted, room, sizeof *wanted);
    guarded_check(&out);
    expect_status(device, ww_find_first(device, in, s->pattern, s->m, ww_array(&place, 1), &options), WW_OK);
    expect(place == (many ? wanted[0] : WW_NOT_FOUND));
    expect_status(device, ww_find_last(device, in, s->pattern, s->m, ww_array(&place, 1), &options), WW_OK);
    expect(place == (many ? wanted[many - 1] : WW_NOT_FOUND));
    guarded_free(&out);
    free(wanted);
    fenced_free(&text);
}

/* A pattern out of the text, as it is or with one character changed: the last, the first, or the middle one. */
static void take_pattern(unsigned char *pattern, size_t m, const unsigned char *text, size_t n, unsigned change,
                         uint64_t *state) {
    const size_t from = n > m ? (size_t)(random_next(state) % (n - m + 1)) : 0;
    for (size_t i = 0; i < m; i++) pattern[i] = from + i < n ? text[from + i] : text[i % n];
    if (change) pattern[change == 1 ? m - 1 : change == 2 ? 0 : m / 2] ^= 1;
}

/* ---- every length, width and alignment ---- */

static const struct {
    const char *name;
    unsigned bits, first, letters;
    bool fold;
} alphabets[] = {{"bytes", 8, 0, 256, false},  {"DNA", 8, 'A', 4, false},       {"two", 8, 'a', 2, false},
                 {"folded", 8, 'X', 40, true}, {"folded few", 8, '@', 3, true}, {"folded letters", 8, 'Y', 2, true},
                 {"1 bit", 1, 0, 2, false},    {"2 bits", 2, 0, 4, false},      {"4 bits", 4, 0, 16, false}};
enum { ALPHABETS = sizeof alphabets / sizeof *alphabets };

static void check_length(ww_device *device, const char *setting, size_t a, size_t m, size_t n, int kind,
                         unsigned seed) {
    CASE("find auto", "%s %s %s n=%zu m=%zu %u", setting, alphabets[a].name, text_names[kind], n, m, seed);
    if (!case_wanted()) return;
    uint64_t state = seed_of_run() + m + 7919 * n + seed;
    unsigned char *text = need(n), *pattern = need(m);
    fill_text(text, n, kind, alphabets[a].first, alphabets[a].letters, 1 + (size_t)(random_next(&state) % (m + 2)),
              &state);
    if (alphabets[a].fold)
        for (size_t i = 0; i < n; i++)
            if (small_letter((unsigned char)(text[i] & ~32u)) != (text[i] & ~32u) && random_next(&state) % 2)
                text[i] ^= 32;
    take_pattern(pattern, m, text, n, seed % 4, &state);
    check(device, &(search){text, n, pattern, m, alphabets[a].bits, alphabets[a].fold, seed & 1, seed % 8 > 5});
    free(text);
    free(pattern);
}

static size_t length_of(size_t i) {
    static const size_t longer[] = {127,  128,  129,  255,  256,  257,  258,  511,
                                    1000, 1023, 1024, 1025, 3999, 4015, 4016, 5000};
    return i < 70 ? i + 1 : longer[i - 70];
}
enum { LENGTHS = 86 };

static void every_length(void **unused) {
    (void)unused;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t i = 0; i < LENGTHS; i++)
            for (size_t a = s >= setting_count_short() ? i % 3 : 0; a < ALPHABETS;
                 a += s >= setting_count_short() ? 3 : 1) {
                const unsigned seed = (unsigned)(i * ALPHABETS + a + 3 * s);
                const size_t m = length_of(i), small = m + seed % 67, more = 2 * m + 200 + 13 * (seed % 16);
                check_length(device, setting_name(s), a, m, small, (int)(seed % TEXTS), seed);
                check_length(device, setting_name(s), a, m, more, TEXT_RANDOM, seed + 1);
                check_length(device, setting_name(s), a, m, more + 4000, (int)((seed / 2) % TEXTS), seed + 2);
            }
        ww_close(device);
    }
}

/* ---- long texts that look like the pattern: they only end soon if nothing is compared again and again ---- */

static void alike(void **unused) {
    static const size_t lengths[] = {5, 31, 100, 1000, 100000};
    (void)unused;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = (tests_are_short() ? 600000 : 2000000) + s;
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (int kind = TEXT_ONE; kind < TEXTS; kind++)
                for (unsigned seed = 0; seed < 4; seed++) /* four changes */
                    check_length(device, setting_name(s), (i + seed) % ALPHABETS == 0 ? 2 : (i + seed) % ALPHABETS,
                                 lengths[i], n, kind, seed);
        ww_close(device);
    }
}

/* The text is the pattern but for its last, or its first, character, over and over, and other characters between. */
static void all_but_one(void **unused) {
    enum { N = 1 << 20 };
    (void)unused;
    ww_device *device = setting_open(0);
    for (size_t m = 6; m < 100000; m = 3 * m + 1)
        for (unsigned end = 0; end < 2; end++) {
            CASE("find all but one", "%s m=%zu %u", setting_name(0), m, end);
            if (!case_wanted()) continue;
            uint64_t state = seed_of_run() + m;
            unsigned char *text = need(N), *pattern = need(m);
            fill_text(pattern, m, TEXT_RANDOM, 'a', 2, 1, &state);
            for (size_t i = 0; i < N; i++) text[i] = pattern[(i % m)];
            for (size_t i = end ? 0 : m - 1; i < N; i += m)
                if (i / m % 50 != 17) text[i] ^= 1;
            check(device, &(search){text, N, pattern, m, 8, false, true, false});
            free(text);
            free(pattern);
        }
    ww_close(device);
}

/* ---- no text is slow ---- */

static void find_by(ww_device *device, const search *s, const unsigned char *text, ww_find_method method,
                    uint64_t *count) {
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = method;
    options.packed = s->bits < 8;
    options.alphabet_bits = s->bits;
    options.characters = options.packed ? s->n : 0;
    expect_status(device,
                  ww_find(device, ww_memory(text, (s->n * s->bits + 7) / 8), s->pattern, s->m, ww_none,
                          ww_array(count, 1), &options),
                  WW_OK);
}

/* Texts in which many starts nearly match: auto, and divide, which rolls a fingerprint whatever the text, agree, and end. Going
 * back for each start would take 10^11 comparisons. */
static void check_work(ww_device *device, int kind, unsigned change, unsigned bits) {
    enum { N = 2000000, M = 100000 };
    CASE("find work", "%s %s %u bits=%u", setting_name(0), text_names[kind], change, bits);
    if (!case_wanted()) return;
    uint64_t state = seed_of_run(), count[2] = {77, 78};
    unsigned char *characters = need(N), *text = need(N), *pattern = need(M);
    const search s = {characters, N, pattern, M, bits, false, true, false};
    fill_text(characters, N, kind, 0, 2, 2, &state);
    memcpy(pattern, characters, M);
    if (change) pattern[change == 1 ? M - 1 : change == 2 ? 0 : M / 2] ^= 1;
    pack_into(text, &s);
    find_by(device, &s, text, WW_FIND_AUTO, &count[0]);
    find_by(device, &s, text, WW_FIND_DIVIDE, &count[1]);
    expect(count[0] == count[1]);
    free(characters);
    free(text);
    free(pattern);
}

static void no_text_is_slow(void **unused) {
    (void)unused;
    ww_device *device = setting_open(0);
    for (int kind = TEXT_ONE; kind < TEXTS; kind++)
        for (unsigned change = 0; change < 4; change++) {
            check_work(device, kind, change, 8);
            check_work(device, kind, change, 1);
        }
    ww_close(device);
}

/* ---- the first and the last, near and far ---- */

static void one_match(void **unused) {
    enum { N = 3000000 };
    static const size_t places[] = {0, 1, 4000, 4096, 5000, 70000, 262143, 262144, 600000, 1500000, 2400000, 2999900};
    static const size_t lengths[] = {1, 4, 9, 20, 64, 100};
    (void)unused;
    unsigned char *text = need(N);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const size_t m = lengths[i % 6];
            CASE("find one", "%s at %zu m=%zu", setting_name(s), places[i], m);
            if (!case_wanted()) continue;
            uint64_t first = 77, last = 77;
            memset(text, 'b', N);
            memset(text + places[i], 'a', m);
            const ww_input in = ww_memory_of(text, N, &ww_type_uint8_t);
            expect_status(device, ww_find_first(device, in, text + places[i], m, ww_array(&first, 1), NULL), WW_OK);
            expect_status(device, ww_find_last(device, in, text + places[i], m, ww_array(&last, 1), NULL), WW_OK);
            expect(first == places[i] && last == places[i]);
            const char *const none = "bcb";
            expect_status(device, ww_find_first(device, in, none, 3, ww_array(&first, 1), NULL), WW_OK);
            expect_status(device, ww_find_last(device, in, none, 3, ww_array(&last, 1), NULL), WW_OK);
            expect(first == WW_NOT_FOUND && last == WW_NOT_FOUND);
        }
        ww_close(device);
    }
    free(text);
}

/* ---- texts in one buffer ---- */

static void check_texts(ww_device *device, const char *setting, size_t n, size_t texts, size_t m, bool narrow) {
    CASE("find texts auto", "%s n=%zu texts=%zu m=%zu", setting, n, texts, m);
    if (!case_wanted()) return;
    uint64_t state = seed_of_run() + n + texts + m, count = 77;
    unsigned char *text = need(n);
    fill_text(text, n, TEXT_RANDOM, 'a', 2, 1, &state);
    uint64_t *wide = need((texts + 1) * sizeof *wide), *all = need((n + 1) * sizeof *all),
             *wanted = need((texts + 1) * 8);
    uint32_t *offsets = need((texts + 1) * sizeof *offsets);
    for (size_t t = 0; t <= texts; t++)
        wide[t] = t % 5 == 4 ? wide[t - 1] : n * t / (texts + 1) + (t ? random_next(&state) % 3 : 0);
    for (size_t t = 0; t <= texts; t++) {
        if (t && wide[t] < wide[t - 1]) wide[t] = wide[t - 1];
        if (wide[t] > n) wide[t] = n;
        offsets[t] = (uint32_t)wide[t];
    }
    size_t many = 0;
    memset(wanted, 0, (texts + 1) * 8);
    for (size_t t = 0; t < texts; t++) {
        wanted[t] = find_plainly(text + wide[t], (size_t)(wide[t + 1] - wide[t]), text, m, false, all + many);
        for (size_t i = 0; i < wanted[t]; i++) all[many + i] += wide[t];
        many += wanted[t];
    }
    guarded out = guarded_new(many * sizeof *all), counts = guarded_new(texts * sizeof(uint64_t));
    expect_status(device,
                  ww_find_texts(device, ww_memory(text, n),
                                narrow ? ww_memory(offsets, texts + 1) : ww_memory(wide, texts + 1), text, m,
                                ww_array_of(out.data, many, &ww_type_uint64_t),
                                ww_array_of(counts.data, texts, &ww_type_uint64_t), ww_array(&count, 1), NULL),
                  WW_OK);
    expect(count == many);
    expect_elements(out.data, all, many, sizeof *all);
    expect_elements(counts.data, wanted, texts, sizeof *wanted);
    guarded_check(&out);
    guarded_check(&counts);
    guarded_free(&out);
    guarded_free(&counts);
    free(text);
    free(wide);
    free(all);
    free(wanted);
    free(offsets);
}

static void several_texts(void **unused) {
    static const size_t texts[] = {1, 2, 7, 1000, 30000};
    (void)unused;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < 5; t++)
            for (size_t m = 1; m < 100; m = 3 * m + 1) {
                check_texts(device, setting_name(s), 700, texts[t] > 700 ? 70 : texts[t], m, true);
                check_texts(device, setting_name(s), 300000, texts[t], m, m % 2);
            }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_length), cmocka_unit_test(alike),
                                       cmocka_unit_test(all_but_one),  cmocka_unit_test(no_text_is_slow),
                                       cmocka_unit_test(one_match),    cmocka_unit_test(several_texts)};
    return cmocka_run_group_tests_name("the automatic way to find", tests, NULL, NULL);
}
