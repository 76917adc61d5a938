/* ww_patterns_open and ww_find_many against an oracle that tries every pattern at every place: sets of patterns × texts × where
 * they lie × types and room of the outputs. */
#include "reference/find_many.h"
#include "support/literals.h"
#include "text/many/patterns.h"

enum { MATCHES = 1 << 20 };

static ww_patterns *open_set(ww_device *device, const literals *l, bool fold) {
    ww_find_options options = WW_FIND_OPTIONS;
    ww_patterns *patterns;
    options.fold = fold;
    expect_status(device, ww_patterns_open(device, l->bytes, l->offsets, l->count, &patterns, fold ? &options : NULL),
                  WW_OK);
    return patterns;
}

static uint64_t number_at(const ww_array *a, size_t i) {
    return a->size == 4 ? ((const uint32_t *)a->data)[i] : ((const uint64_t *)a->data)[i];
}

/* One call, with outputs of so much room. Wide ones are u64. */
static void check_call(ww_device *device, ww_patterns *patterns, const literals *l, const reference_match *wanted,
                       size_t found, size_t room, bool numbered, bool wide) {
    const ww_type *type = wide ? &ww_type_uint64_t : &ww_type_uint32_t;
    guarded p = guarded_new(room * type->size), k = guarded_new(room * type->size);
    uint64_t count = 77;
    const ww_array positions = ww_array_of(p.data, room, type), numbers = ww_array_of(k.data, room, type);
    expect_status(
        device,
        ww_find_many(patterns, ww_memory(l->text, l->n), positions, numbered ? numbers : ww_none, ww_array(&count, 1)),
        WW_OK);
    expect(count == found);
    for (size_t i = 0; i < room && i < found; i++) {
        expect(number_at(&positions, i) == wanted[i].position);
        if (numbered) expect(number_at(&numbers, i) == wanted[i].number);
    }
    /* What lies behind the last stays as it is. */
    for (size_t i = found * type->size; i < room * type->size; i++)
        expect(((unsigned char *)p.data)[i] == 0xA5 && ((unsigned char *)k.data)[i] == 0xA5);
    guarded_check(&p);
    guarded_check(&k);
    guarded_free(&p);
    guarded_free(&k);
}

static void check_set(size_t s, ww_device *device, const literals_case *c, size_t turn, reference_match *wanted) {
    CASE("find_many", "%s %s", setting_name(s), c->name);
    if (!case_wanted()) return;
    literals l = literals_new(c, (turn * 5 + s) % 16, seed_of_run() + turn);
    const size_t found = reference_find_many(l.text, l.n, l.bytes, l.offsets, l.count, c->fold, wanted, MATCHES);
    uint32_t count = 77;
    ww_patterns *patterns = open_set(device, &l, c->fold);
    expect(found <= MATCHES);
    check_call(device, patterns, &l, wanted, found, found + 3, true, turn % 2);
    check_call(device, patterns, &l, wanted, found, found / 3, true, turn % 2 == 0);
    check_call(device, patterns, &l, wanted, found, found, false, turn % 2);
    expect_status(device, ww_find_many(patterns, ww_memory(l.text, l.n), ww_none, ww_none, ww_array(&count, 1)), WW_OK);
    expect(count == found);
    ww_patterns_close(patterns);
    literals_free(&l);
}

static void sets(void **state) {
    reference_match *wanted = malloc(MATCHES * sizeof *wanted);
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < literals_count; k++) check_set(s, device, &literals_cases[k], k, wanted);
        ww_close(device);
    }
    free(wanted);
}

/* Texts of several pieces of a CPU's, or of many tiles, with matches across their edges. */
static void pieces(void **state) {
    const size_t n = on_emulator() ? 30000 : 150000;
    const literals_case cases[] = {{"few in pieces", n, 26, LITERALS_TAKEN, 12, 3, 40, false},
                                   {"long ones in pieces", n, 26, LITERALS_TAKEN, 90, 8, 60, false},
                                   {"long ones of two letters in pieces", n, 2, LITERALS_TAKEN, 70, 8, 24, false},
                                   {"any in pieces", n, 4, LITERALS_TAKEN, 90, 4, 60, true}};
    reference_match *wanted = malloc(MATCHES * sizeof *wanted);
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) check_set(s, device, &cases[k], k, wanted);
        ww_close(device);
    }
    free(wanted);
}

/* 8 bytes whose hash is 0, number k of those that begin with these two bytes. */
static void put_hash_zero(unsigned char *to, uint32_t two, uint32_t k) {
    const uint32_t low = two | k << 16;
    uint32_t inverse = 1; /* of the factor of the high word, by Newton's iteration */
    for (int i = 0; i < 5; i++) inverse *= 2 - inverse * ww__hash_eight(0, 1);
    const uint32_t high = (0 - ww__hash_eight(low, 0)) * inverse;
    expect(ww__hash_eight(low, high) == 0);
    memcpy(to, &low, 4);
    memcpy(to + 4, &high, 4);
}

/* Of each two bytes a pattern and a place in the text where none begins. */
static literals same_hash_new(size_t pairs, size_t length) {
    literals l = {.n = pairs * 2 * length, .count = pairs};
    l.text = l.block = need(l.n);
    l.bytes = need(pairs * length);
    l.offsets = need((pairs + 1) * sizeof *l.offsets);
    l.offsets[0] = 0;
    memset(l.text, 'x', l.n);
    memset(l.bytes, 'x', pairs * length);
    for (size_t k = 0; k < pairs; k++) {
        l.offsets[k + 1] = l.offsets[k] + length;
        put_hash_zero(l.bytes + k * length, (uint32_t)k, 0);
        put_hash_zero(l.text + 2 * k * length, (uint32_t)k, 0);
        put_hash_zero(l.text + (2 * k + 1) * length, (uint32_t)k, 1);
    }
    return l;
}

/* Patterns that were computed to have one hash: all are found, nothing else is, and of the table's slots no more are taken than
 * one look-up goes through. */
static void same_hash(void **state) {
    static const size_t lengths[] = {8, 11};
    reference_match *wanted = malloc(MATCHES * sizeof *wanted);
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < 2; k++) {
            CASE("find_many", "%s one hash, %zu bytes", setting_name(s), lengths[k]);
            if (!case_wanted()) continue;
            literals l = same_hash_new(on_emulator() ? 100 : 3000, lengths[k]);
            const size_t found = reference_find_many(l.text, l.n, l.bytes, l.offsets, l.count, false, wanted, MATCHES);
            ww_patterns *patterns = open_set(device, &l, false);
            size_t taken = 0;
            for (size_t slot = 0; !on_gpu() && slot < (size_t)1 << patterns->slot_log; slot++)
                taken += patterns->tables.slot[slot].high != 0;
            expect(taken <= WW__PROBES && found >= l.count);
            check_call(device, patterns, &l, wanted, found, found + 3, true, true);
            ww_patterns_close(patterns);
            literals_free(&l);
        }
        ww_close(device);
    }
    free(wanted);
}

/* Computed texts, of signed bytes. */
WW_MAP(as_letter, int8_t, uint32_t, x, void, none, { return (int8_t)('a' + x % 7 % 3); });
static void computed_text(void **state) {
    enum { N = 5000 };
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        CASE("find_many computed", "%s", setting_name(s));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(s);
        const uint64_t offsets[] = {0, 2, 5};
        unsigned char *text = need(N);
        reference_match *wanted = malloc(MATCHES * sizeof *wanted);
        ww_patterns *patterns;
        uint64_t count, *positions = need(N * sizeof *positions), *numbers = need(N * sizeof *numbers);
        for (uint32_t i = 0; i < N; i++) text[i] = (unsigned char)('a' + i % 7 % 3);
        const size_t found = reference_find_many(text, N, (const unsigned char *)"bccab", offsets, 2, false, wanted,
                                                 MATCHES);
        expect_status(device, ww_patterns_open(device, "bccab", offsets, 2, &patterns, NULL), WW_OK);
        expect_status(device,
                      ww_find_many(patterns, ww_mapped(&as_letter_ww, ww_counting(&ww_type_uint32_t, 0, N)),
                                   ww_array(positions, N), ww_array(numbers, N), ww_array(&count, 1)),
                      WW_OK);
        expect(found == count && found > 0);
        for (size_t i = 0; i < found; i++) expect(positions[i] == wanted[i].position && numbers[i] == wanted[i].number);
        ww_patterns_close(patterns);
        free(text);
        free(wanted);
        free(positions);
        free(numbers);
        ww_close(device);
    }
}

/* Results that go to the host's memory, one element each; a second call in which nothing is found leaves them. */
static void single_results(void **state) {
    (void)state;
    if (!on_gpu()) return;
    CASE("find_many results", "%s", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    const uint64_t offsets[] = {0, 2, 3};
    uint64_t position = 77, number = 77;
    uint32_t count = 77;
    unsigned char *text = need(100);
    ww_patterns *patterns;
    memset(text, 'x', 100);
    memcpy(text + 40, "abab", 4);
    expect_status(device, ww_patterns_open(device, "abb", offsets, 2, &patterns, NULL), WW_OK);
    const ww_array p = ww_array(&position, 1), k = ww_array(&number, 1), c = ww_array(&count, 1);
    expect_status(device, ww_find_many(patterns, ww_memory(text, 30), p, k, c), WW_OK);
    expect(count == 0 && position == 77 && number == 77);
    expect_status(device, ww_find_many(patterns, ww_memory(text, 100), p, k, c), WW_OK);
    expect(count == 4 && position == 40 && number == 0);
    ww_patterns_close(patterns);
    free(text);
    ww_close(device);
}

/* The scratch memory that the header promises; 10,000 patterns, most of one beginning, in a text that is full of it. */
static void scratch_bound(void **state) {
    enum { COUNT = 10000, LENGTH = 24, N = 300000 };
    (void)state;
    CASE("find_many scratch", "%s", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    const size_t n = on_emulator() ? 4000 : N;
    uint64_t *offsets = malloc((COUNT + 1) * sizeof *offsets), random = seed_of_run(), count = 0;
    unsigned char *bytes = malloc((size_t)COUNT * LENGTH), *text = need(n);
    ww_patterns *patterns;
    ww_device_info info = WW_DEVICE_INFO;
    for (size_t i = 0; i < (size_t)COUNT * LENGTH; i++)
        bytes[i] = (unsigned char)(i % LENGTH < 18 ? 'a' : 'a' + random_next(&random) % 16);
    for (uint64_t k = 0; k <= COUNT; k++) offsets[k] = k * LENGTH;
    memset(text, 'a', n);
    expect_status(device, ww_patterns_open(device, bytes, offsets, COUNT, &patterns, NULL), WW_OK);
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect_status(device, ww_find_many(patterns, ww_memory(text, n), ww_none, ww_none, ww_array(&count, 1)), WW_OK);
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= 65536 + (on_gpu() ? n / 8 : info.threads * (size_t)(392 << 10)));
    ww_patterns_close(patterns);
    free(offsets);
    free(bytes);
    free(text);
    ww_close(device);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    CASE("find_many", "bad arguments");
    ww_device *device = setting_open(0);
    const uint64_t offsets[] = {0, 2, 4}, empty[] = {0, 2, 2, 4}, falling[] = {0, 3, 2}, late[] = {2, 4};
    uint64_t *large = calloc(258, sizeof *large);
    uint32_t x[4] = {0}, y[4] = {0}, count;
    uint64_t wide[4] = {0};
    unsigned char text[8] = "abababab";
    ww_find_options bits = WW_FIND_OPTIONS, method = WW_FIND_OPTIONS;
    ww_patterns *patterns = (void *)1, *other;
    bits.alphabet_bits = 2;
    method.method = WW_FIND_DIVIDE;
    for (uint64_t k = 0; k < 258; k++) large[k] = k << 20;
    expect_status(NULL, ww_patterns_open(NULL, "abab", offsets, 2, &patterns, NULL), WW_INVALID);
    expect(patterns == NULL);
    expect_status(device, ww_patterns_open(device, "abab", empty, 3, &patterns, NULL), WW_INVALID);
    expect_sentence(device, "pattern 1 is empty");
    expect_status(device, ww_patterns_open(device, "abab", falling, 2, &patterns, NULL), WW_RANGE);
    expect_sentence(device, "offsets[2] is 2, below the one before, 3");
    expect_status(device, ww_patterns_open(device, "abab", offsets, 0, &patterns, NULL), WW_INVALID);
    expect_status(device, ww_patterns_open(device, "abab", offsets, (1 << 20) + 1, &patterns, NULL), WW_LIMIT);
    expect_status(device, ww_patterns_open(device, NULL, offsets, 2, &patterns, NULL), WW_INVALID);
    expect_status(device, ww_patterns_open(device, "abab", NULL, 2, &patterns, NULL), WW_INVALID);
    expect_status(device, ww_patterns_open(device, "abab", offsets, 2, NULL, NULL), WW_INVALID);
    expect_status(device, ww_patterns_open(device, "abab", offsets, 2, &patterns, &bits), WW_INVALID);
    expect_status(device, ww_patterns_open(device, "abab", offsets, 2, &patterns, &method), WW_INVALID);
    expect_status(device, ww_patterns_open(device, text, large, 257, &patterns, NULL), WW_LIMIT);
    expect_sentence(device, "269484032 bytes");
    large[1] = WW_PATTERN_MOST + 1;
    expect_status(device, ww_patterns_open(device, text, large, 1, &patterns, NULL), WW_LIMIT);
    expect(patterns == NULL);
    expect_status(device, ww_patterns_open(device, "abab", late, 1, &other, NULL), WW_OK);
    ww_patterns_close(other);
    expect_status(device, ww_patterns_open(device, "abab", offsets, 2, &patterns, NULL), WW_OK);
    const ww_input in = ww_memory(text, 8);
    const ww_array p = ww_array(x, 4), k = ww_array(y, 4), c = ww_array(&count, 1);
    expect_status(device, ww_find_many(NULL, in, p, k, c), WW_INVALID);
    expect_status(device, ww_find_many(patterns, ww_memory(wide, 4), p, k, c), WW_TYPE);
    expect_status(device, ww_find_many(patterns, in, ww_array(text, 8), k, c), WW_TYPE);
    expect_status(device, ww_find_many(patterns, in, p, ww_array(y, 3), c), WW_INVALID);
    expect_status(device, ww_find_many(patterns, in, ww_none, k, c), WW_INVALID);
    expect_status(device, ww_find_many(patterns, in, p, p, c), WW_OVERLAP);
    expect_status(device, ww_find_many(patterns, in, p, k, ww_array(y, 1)), WW_OVERLAP);
    expect_status(device, ww_find_many(patterns, in, p, k, ww_none), WW_INVALID);
    expect_status(device, ww_find_many(patterns, in, p, k, ww_array(x, 2)), WW_INVALID);
    ww_patterns_close(patterns);
    ww_patterns_close(NULL);
    free(large);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets),           cmocka_unit_test(pieces),
                                       cmocka_unit_test(same_hash),      cmocka_unit_test(computed_text),
                                       cmocka_unit_test(single_results), cmocka_unit_test(scratch_bound),
                                       cmocka_unit_test(bad_arguments)};
    return cmocka_run_group_tests_name("find_many", tests, NULL, NULL);
}
