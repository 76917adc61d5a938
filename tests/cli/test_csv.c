/* The reader of columns, against one that has all of the text at once; and whatever the portions are that text comes in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "reference/csv.h"
#include "support/cases.h"

enum { LONGEST_TEXT = 20000, OUT = 24 * LONGEST_TEXT + 64 };

typedef struct taken {
    char *out;
    size_t used;
} taken;

static bool take(void *context, csv *c, const char *text, size_t length) {
    taken *t = context;
    t->used += (size_t)sprintf(t->out + t->used, "%llu:", (unsigned long long)c->row);
    memcpy(t->out + t->used, text, length);
    t->used += length;
    t->out[t->used++] = '\n';
    return true;
}

/* In portions of at most `most` bytes. */
static bool read_in_portions(const char *text, size_t length, uint64_t column, size_t most, uint64_t *random, taken *t,
                             char sentence[CSV_SENTENCE]) {
    csv *c = calloc(1, sizeof *c);
    assert_non_null(c);
    *c = (csv){.delimiter = ',', .column = column, .take = take, .context = t};
    t->used = 0;
    csv_begin(c);
    bool right = true;
    for (size_t at = 0; right && at < length;) {
        const size_t left = length - at, n = 1 + random_next(random) % (most < left ? most : left);
        char *exact = malloc(n); /* so that a read behind it is seen */
        assert_non_null(exact);
        memcpy(exact, text + at, n);
        right = csv_feed(c, exact, n);
        free(exact);
        at += n;
    }
    right = right && csv_end(c);
    strcpy(sentence, c->sentence);
    free(c);
    return right;
}

static char random_character(uint64_t *random, unsigned kind) {
    static const char letters[] = "a1,\n\"\r,\n-\xef\xbb\xbf";
    return letters[random_next(random) % (kind ? 5 + kind : 4)];
}

static void random_texts(void **state) {
    enum { TEXTS = 20000 };
    (void)state;
    char *text = malloc(LONGEST_TEXT), *wanted = malloc(OUT);
    taken t = {malloc(OUT), 0};
    assert_true(text && wanted && t.out);
    for (unsigned i = 0; i < TEXTS; i++) {
        if (i % tests_one_in()) continue;
        uint64_t random = seed_of_run() + i;
        const unsigned kind = i % 7, column = 1 + i % 3;
        size_t length = random_next(&random) % (i % 500 ? 24 : LONGEST_TEXT), wanted_length;
        for (size_t k = 0; k < length; k++) text[k] = i % 500 == 1 ? '"' : random_character(&random, kind);
        if (i % 9 == 0 && length >= 3) memcpy(text, "\xef\xbb\xbf", 3);
        if (i % 1000 == 500) memset(text, 'x', length);
        case_begin(__FILE__, "csv", "text %u of %zu bytes, column %u", i, length, column);
        if (!case_wanted()) continue;
        const bool right = reference_csv(text, length, ',', column, CSV_LONGEST, wanted, &wanted_length);
        for (unsigned way = 0; way < 3; way++) {
            static const size_t most[] = {LONGEST_TEXT, 1, 7};
            char sentence[CSV_SENTENCE];
            const bool got = read_in_portions(text, length, column, most[way], &random, &t, sentence);
            expect(got == right && (sentence[0] != '\0') == !right);
            expect(!right || (t.used == wanted_length && memcmp(t.out, wanted, t.used) == 0));
        }
    }
    free(text);
    free(wanted);
    free(t.out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_texts)};
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
