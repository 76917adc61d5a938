/* The automatic method of finding, by a GPU's ways through a text: windows of every length, near matches, tile edges, texts at
 * any address, what is asked for in every form; and that much near matching is found anew. */
#include <stdio.h>

#include "support/cases.h"
#include "support/reachable.h"
#include "support/traced.h"

typedef enum kind { LETTERS, BASES, ONE, NEARLY, PERIODIC, BYTES, KINDS } kind;
static const char *const kind_names[] = {"letters", "bases", "one", "nearly", "periodic", "bytes"};

/* ---- texts ---- */

static void make_text(uint8_t *text, size_t n, kind k, size_t period, uint64_t seed) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed) >> 20;
        switch (k) {
        case LETTERS:
            text[i] = (uint8_t)((r % 2 ? 'a' : 'A') + r / 2 % 6);
            break;
        case BASES:
            text[i] = (uint8_t) "ACGT"[r % 4];
            break;
        case ONE:
            text[i] = 'a';
            break;
        case NEARLY:
            text[i] = r % 500 ? 'a' : '`';
            break; /* a letter's neighbour */
        case PERIODIC:
            text[i] = i < period || r % 3000 == 0 ? (uint8_t)("xY@z"[r % 4]) : text[i - period];
            break;
        case BYTES:
            text[i] = (uint8_t)r;
            break;
        case KINDS:
            abort();
        }
    }
}

/* A text with closed memory around, at any address. */
typedef struct placed {
    uint8_t *block, *text;
} placed;

static placed place_text(size_t n, size_t shift) {
    enum { AROUND = 64 };
    placed p = {need(n + 3 * AROUND), NULL};
    memset(p.block, 'a', n + 3 * AROUND);
    p.text = p.block + AROUND + shift;
    reachable_close(p.block, AROUND + shift);
    reachable_close(p.text + n, 2 * AROUND - shift);
    return p;
}

/* ---- the oracle ---- */

static uint8_t small(uint8_t c, bool fold) { return fold && c >= 'A' && c <= 'Z' ? (uint8_t)(c - 'A' + 'a') : c; }

static bool fits(const uint8_t *text, const uint8_t *pattern, size_t m, bool fold) {
    size_t i = 0;
    while (i < m && small(text[i], fold) == small(pattern[i], fold)) i++;
    return i == m;
}

static size_t find_all(const uint8_t *text, size_t n, const uint8_t *pattern, size_t m, bool fold,
                       uint64_t *positions) {
    size_t found = 0;
    for (size_t i = 0; i + m <= n; i++)
        if (fits(text + i, pattern, m, fold)) positions[found++] = i;
    return found;
}

/* ---- cases ---- */

typedef struct finding {
    kind kind;
    size_t n, m, shift, period;
    unsigned bits; /* 8: not packed */
    bool fold, wide;
} finding;

static uint64_t number_at(const void *data, bool wide, size_t i) {
    return wide ? ((const uint64_t *)data)[i] : ((const uint32_t *)data)[i];
}

static ww_array numbers(void *data, size_t count, bool wide) {
    return ww_array_of(data, count, wide ? &ww_type_uint64_t : &ww_type_uint32_t);
}

static void check_all(ww_device *device, ww_input in, const uint8_t *pattern, const finding *f,
                      const ww_find_options *options, const uint64_t *wanted, size_t found, size_t room) {
    const size_t size = f->wide ? 8 : 4;
    guarded positions = guarded_new(room * size), count = guarded_new(size);
    expect_status(device,
                  ww_find(device, in, pattern, f->m, room ? numbers(positions.data, room, f->wide) : ww_none,
                          numbers(count.data, 1, f->wide), options),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(number_at(count.data, f->wide, 0) == found);
    for (size_t i = 0; i < room; i++) {
        if (i < found)
            expect(number_at(positions.data, f->wide, i) == wanted[i]);
        else
            expect(((const uint8_t *)positions.data)[i * size] == 0xA5);
    }
    guarded_check(&positions);
    guarded_check(&count);
    guarded_free(&positions);
    guarded_free(&count);
}

static void check_ends(ww_device *device, ww_input in, const uint8_t *pattern, const finding *f,
                       const ww_find_options *options, const uint64_t *wanted, size_t found) {
    uint64_t first = 77, last = 77;
    expect_status(device, ww_find_first(device, in, pattern, f->m, ww_array(&first, 1), options), WW_OK);
    expect_status(device, ww_find_last(device, in, pattern, f->m, ww_array(&last, 1), options), WW_OK);
    expect(first == (found ? wanted[0] : WW_NOT_FOUND));
    expect(last == (found ? wanted[found - 1] : WW_NOT_FOUND));
}

/* Characters of so many bits, the first in the lowest ones. */
static void pack_text(uint8_t *packed, const uint8_t *text, size_t n, unsigned bits) {
    memset(packed, 0, (n * bits + 7) / 8);
    for (size_t i = 0; i < n; i++) packed[i * bits / 8] |= (uint8_t)(text[i] << i * bits % 8);
}

static void check(ww_device *device, const finding *f, uint64_t seed) {
    uint8_t *text = need(f->n), *pattern = need(f->m);
    uint64_t *wanted = need(8 * (f->n + 1));
    make_text(text, f->n, f->kind, f->period, seed);
    for (size_t i = 0; f->bits < 8 && i < f->n; i++)
        text[i] = (uint8_t)((text[i] ^ text[i] >> 3) & ((1u << f->bits) - 1));
    const size_t from = f->m < f->n ? random_next(&seed) % (f->n - f->m + 1) : 0;
    for (size_t i = 0; i < f->m; i++) pattern[i] = from + i < f->n ? text[from + i] : 0;
    if (seed % 8 == 0) pattern[f->m / 2] ^= 1;
    const size_t bytes = f->bits < 8 ? (f->n * f->bits + 7) / 8 : f->n;
    placed p = place_text(bytes, f->shift);
    if (f->bits < 8)
        pack_text(p.text, text, f->n, f->bits);
    else
        memcpy(p.text, text, f->n);
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = f->fold;
    options.packed = f->bits < 8;
    options.alphabet_bits = f->bits;
    options.characters = f->bits < 8 ? f->n : 0;
    const ww_input in = ww_memory(p.text, bytes);
    const size_t found = find_all(text, f->n, pattern, f->m, f->fold, wanted);
    check_all(device, in, pattern, f, &options, wanted, found, found + 3);
    check_all(device, in, pattern, f, &options, wanted, found, seed % 3 ? found / 2 : 0);
    if (f->bits == 8 && seed % 2) check_ends(device, in, pattern, f, &options, wanted, found);
    free(p.block);
    free(text);
    free(pattern);
    free(wanted);
}

static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 11, 16, 17, 33, 63, 64, 65, 100, 129, 257, 1000, 1001, 3001};
static const size_t sizes[] = {1, 7, 16, 40, 2047, 2048, 2049, 2100, 4099, 6143, 9001, 20011};
enum { LENGTHS = sizeof lengths / sizeof *lengths, SIZES = sizeof sizes / sizeof *sizes };

static finding finding_of(uint64_t seed) {
    finding f = {.kind = (kind)(random_next(&seed) % KINDS), .bits = 8};
    f.n = sizes[random_next(&seed) % SIZES];
    f.m = lengths[random_next(&seed) % LENGTHS];
    f.shift = random_next(&seed) % 16;
    f.period = 1 + random_next(&seed) % 40;
    f.fold = random_next(&seed) % 4 == 0;
    f.wide = random_next(&seed) % 2;
    if (on_emulator()) f.wide = f.fold; /* each is programs of its own there, which take long to compile */
    if (f.kind == BYTES && f.n > 1000) f.kind = LETTERS;
    return f;
}

static void run_case(ww_device *device, const char *setting, const finding *f, uint64_t seed) {
    CASE("find", "%s %s n=%zu m=%zu shift=%zu period=%zu bits=%u%s%s seed=%llu", setting, kind_names[f->kind], f->n,
         f->m, f->shift, f->period, f->bits, f->fold ? " fold" : "", f->wide ? " wide" : "", (unsigned long long)seed);
    if (case_wanted()) check(device, f, seed);
}

static void texts_of_bytes(void **state) {
    (void)state;
    enum { CASES = 300 };
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (uint64_t c = 0; c < CASES; c++) {
            const uint64_t seed = seed_of_run() + c;
            const finding f = finding_of(seed * 1000003);
            run_case(device, setting_name(s), &f, seed);
        }
        ww_close(device);
    }
}

/* What lies behind the text's end, or fills its last byte up, is read as zeros, which fit into a pattern of zeros: no match
 * goes beyond the end. */
static void check_zeros(ww_device *device, const char *setting, size_t n, size_t m, unsigned bits, size_t shift) {
    const size_t bytes = (n * bits + 7) / 8, found = m <= n ? n - m + 1 : 0;
    const finding f = {.n = n, .m = m, .bits = bits, .shift = shift};
    CASE("find zeros", "%s n=%zu m=%zu bits=%u shift=%zu", setting, n, m, bits, shift);
    if (!case_wanted()) return;
    uint8_t *pattern = need(m);
    uint64_t *wanted = need(8 * (found + 1));
    memset(pattern, 0, m);
    for (size_t i = 0; i < found; i++) wanted[i] = i;
    placed p = place_text(bytes, shift);
    memset(p.text, 0, bytes);
    ww_find_options options = WW_FIND_OPTIONS;
    options.packed = bits < 8;
    options.alphabet_bits = bits;
    options.characters = bits < 8 ? n : 0;
    const ww_input in = ww_memory(p.text, bytes);
    check_all(device, in, pattern, &f, &options, wanted, found, found + 3);
    if (bits == 8) check_ends(device, in, pattern, &f, &options, wanted, found);
    free(p.block);
    free(pattern);
    free(wanted);
}

static void zeros_at_the_end(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 5, 16, 20, 31, 33, 100, 1023, 2050, 2500, 4101},
                        lengths_of[] = {1, 3, 7, 17};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t l = 0; l < sizeof lengths_of / sizeof *lengths_of; l++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                check_zeros(device, setting_name(s), lengths_of[l] - 1 + counts[c], lengths_of[l], 8,
                            c % 4 ? c % 16 : 0);
                if (l < 2) check_zeros(device, setting_name(s), lengths_of[l] - 1 + counts[c], lengths_of[l], 2, 0);
            }
        ww_close(device);
    }
}

static void packed_texts(void **state) {
    (void)state;
    enum { CASES = 60 };
    if (!on_gpu()) return;
    ww_device *device = setting_open(0);
    for (uint64_t c = 0; c < CASES; c++) {
        const uint64_t seed = seed_of_run() + 7000 + c;
        finding f = finding_of(seed * 1000003);
        f.bits = c % 3 == 0 ? 2 : c % 3 == 1 ? 4 : 1;
        f.fold = false;
        run_case(device, setting_name(0), &f, seed);
    }
    ww_close(device);
}

/* ---- what runs ---- */

static void launches(void **state) {
    (void)state;
    if (!on_gpu()) return;
    static const char *const patterns[] = {"a", "aaaaaaaa", "aaaaaaaaa"};
    ww_device *device = traced_open();
    for (size_t k = 0; k < 3; k++) {
        CASE("find launches", "%s", patterns[k]);
        if (!case_wanted()) continue;
        const size_t n = 3000, m = strlen(patterns[k]);
        uint8_t *text = need(n);
        memset(text, 'a', n);
        uint64_t count = 0;
        char said[2048];
        traced t = traced_begin();
        const ww_status status = ww_find(device, ww_memory(text, n), patterns[k], m, ww_none, ww_array(&count, 1),
                                         NULL);
        traced_end(&t, said, sizeof said);
        expect_status(device, status, WW_OK);
        expect(count == n - m + 1);
        if (k < 2)
            expect_launches(said, "clear_state", "find_pattern_once");
        else
            expect_launches(said, "clear_state", "find_pattern_once", "find_pattern_again");
        free(text);
    }
    ww_close(device);
}

static uint64_t count_of(ww_device *device, ww_input in, const char *pattern, size_t m) {
    uint64_t count = 77;
    expect_status(device, ww_find(device, in, pattern, m, ww_none, ww_array(&count, 1), NULL), WW_OK);
    return count;
}

/* A text that is computed goes to memory first. */
WW_MAP(letter_of, uint8_t, uint32_t, x, void, none, { return (uint8_t)('a' + x % 5); });
static void computed_texts(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("find computed", "%s", setting_name(s));
        if (case_wanted()) {
            const ww_input in = ww_mapped(&letter_of_ww, ww_counting(&ww_type_uint32_t, 0, 5000));
            expect(count_of(device, in, "abcdeab", 7) == 999);
            expect(count_of(device, in, "bcdeabcdeabcde", 14) == 998);
            expect(count_of(device, in, "b!", 2) == 0);
        }
        ww_close(device);
    }
}

/* ---- several texts ---- */

enum { TEXTS = 40 };

/* Matches that lie in one of them; how many in each. */
static size_t in_texts(const uint64_t *offsets, size_t m, uint64_t *positions, size_t found, uint64_t *counts) {
    size_t kept = 0, t = 0;
    memset(counts, 0, TEXTS * sizeof *counts);
    for (size_t i = 0; i < found; i++) {
        while (t < TEXTS && offsets[t + 1] <= positions[i]) t++;
        if (t == TEXTS || positions[i] < offsets[t] || positions[i] + m > offsets[t + 1]) continue;
        positions[kept++] = positions[i];
        counts[t]++;
    }
    return kept;
}

static void check_texts(ww_device *device, const finding *f, uint64_t seed) {
    uint8_t *text = need(f->n), pattern[257];
    uint64_t *offsets = need(8 * (TEXTS + 1)), *wanted = need(8 * (f->n + 1)), in_each[TEXTS];
    make_text(text, f->n, f->kind, f->period, seed);
    memcpy(pattern, text + f->n / 3, f->m);
    for (size_t t = 0; t <= TEXTS; t++)
        offsets[t] = t * f->n / TEXTS - (t % 3 && t < TEXTS ? random_next(&seed) % 20 : 0);
    const size_t all = find_all(text, f->n, pattern, f->m, f->fold, wanted);
    const size_t found = in_texts(offsets, f->m, wanted, all, in_each);
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = f->fold;
    guarded positions = guarded_new(8 * found), counts = guarded_new(8 * TEXTS);
    uint64_t count = 77;
    const ww_status status = ww_find_texts(device, ww_memory(text, f->n), ww_memory(offsets, TEXTS + 1), pattern, f->m,
                                           ww_array((uint64_t *)positions.data, found),
                                           ww_array((uint64_t *)counts.data, TEXTS), ww_array(&count, 1), &options);
    expect_status(device, status, WW_OK);
    expect(count == found);
    expect_elements(positions.data, wanted, found, 8);
    expect_elements(counts.data, in_each, TEXTS, 8);
    guarded_check(&positions);
    guarded_check(&counts);
    guarded_free(&positions);
    guarded_free(&counts);
    free(text);
    free(offsets);
    free(wanted);
}

static void several_texts(void **state) {
    (void)state;
    static const size_t most[] = {1, 4, 9, 17, 100, 257};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (uint64_t c = 0; c < 36; c++) {
            const uint64_t seed = seed_of_run() + 9000 + c;
            const finding f = {.kind = (kind)(c % KINDS),
                               .n = 3000 + 1777 * (c % 5),
                               .m = most[c / 6],
                               .period = 7 + c,
                               .fold = c % 4 == 3,
                               .bits = 8};
            CASE("find texts", "%s %s n=%zu m=%zu%s seed=%llu", setting_name(s), kind_names[f.kind], f.n, f.m,
                 f.fold ? " fold" : "", (unsigned long long)seed);
            if (case_wanted()) check_texts(device, &f, seed);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_bytes), cmocka_unit_test(packed_texts), cmocka_unit_test(zeros_at_the_end),
        cmocka_unit_test(several_texts),  cmocka_unit_test(launches),     cmocka_unit_test(computed_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
