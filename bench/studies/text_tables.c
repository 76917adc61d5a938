/* The studies' rows as the tables and figures of section 2.8 of Ashkiani (2017): a line for each method, a column for each length. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studies/split_study.h"
#include "studies/text_study.h"

static const char dissertation[] = "Ashkiani 2017";

typedef study_maker maker;

static void done(maker *k) { k->each(&k->table, k->to); }

/* Lines: the methods and the group that has them, and peers. */
static const struct {
    const char *who;
    text_methods group;
} lines[] = {{"auto", TEXT_FAST},     {"twostage", TEXT_FAST},     {"divide", TEXT_FAST},      {"divide64", TEXT_FAST},
             {"divide32", TEXT_FAST}, {"cooperative", TEXT_SCANS}, {"recurrence", TEXT_SCANS}, {"hybrid", TEXT_SCANS},
             {"serial", TEXT_SERIAL}, {"StringZilla", TEXT_FAST},  {"Hyperscan", TEXT_FAST},   {"libc", TEXT_FAST}};
enum { LINES = sizeof lines / sizeof *lines };

/* ---- what was measured ---- */

/* Of one search; NaN where there is none. */
static double seconds_of(const maker *k, text_point p, const char *who) {
    for (size_t i = 0; i < k->report->count; i++) {
        const bench_result *r = &k->report->results[i];
        if (r->row && r->family == &family_text && r->row->point && text_same(r->row->point, &p))
            return seconds_by(r, who);
    }
    return NAN;
}

static double count_of(const maker *k, size_t n) { return (double)study_items(k->report, n); }

static text_point random_text(text_methods group, unsigned bits, size_t m) {
    return (text_point){.group = group, .kind = TEXT_RANDOM, .bits = bits, .n = text_group_n[group], .m = m};
}

/* G characters a second. */
static double rate_of(const maker *k, text_point p, const char *who) {
    return count_of(k, p.n) / 1e9 / seconds_of(k, p, who);
}

static void pattern_columns(maker *k, const size_t *ms, size_t count) {
    for (size_t c = 0; c < count; c++) study_column(&k->table, "%zu", ms[c]);
}

/* ---- random texts ---- */

static void table_of_methods(maker *k, const char *which, unsigned bits) {
    static const size_t ms[] = {4, 16, 64, 256, 1024};
    char n[24], scans[24], serial[24];
    study_begin(&k->table, "GB/s", "characters of the pattern", false,
                "Table %s of %s: random text of %u bit%s a character, n = %s (scans %s, serial %s)", which,
                dissertation, bits, bits > 1 ? "s" : "",
                split_count(study_items(k->report, text_group_n[TEXT_FAST]), n),
                split_count(study_items(k->report, text_group_n[TEXT_SCANS]), scans),
                split_count(study_items(k->report, text_group_n[TEXT_SERIAL]), serial));
    pattern_columns(k, ms, BENCH_COUNT(ms));
    for (size_t l = 0; l < LINES; l++) {
        const size_t line = study_line(&k->table, "%s", lines[l].who);
        for (size_t c = 0; c < BENCH_COUNT(ms); c++)
            k->table.value[line][c] = rate_of(k, random_text(lines[l].group, bits, ms[c]), lines[l].who);
    }
    done(k);
}

static void table_of_alphabets(maker *k, const char *who) {
    enum { BITS = 8 };
    char n[24];
    study_begin(&k->table, "GB/s", "characters of the pattern", true,
                "Table 2.4 of %s: %s by bits of a character, random text, n = %s", dissertation, who,
                split_count(study_items(k->report, text_group_n[TEXT_FAST]), n));
    pattern_columns(k, text_ms, TEXT_MS);
    for (unsigned bits = 1; bits <= BITS; bits++) {
        const size_t line = study_line(&k->table, "%u bit%s", bits, bits > 1 ? "s" : "");
        for (size_t c = 0; c < TEXT_MS; c++)
            k->table.value[line][c] = rate_of(k, random_text(TEXT_FAST, bits, text_ms[c]), who);
    }
    done(k);
}

/* Time over the pattern's length, in proportion where a method had fewer characters. */
static void figure_over_m(maker *k, const char *which, unsigned bits, const size_t *ms, size_t count) {
    const double n = count_of(k, text_group_n[TEXT_FAST]);
    char name[24];
    study_begin(&k->table, "ms", "characters of the pattern", true,
                "Figure %s of %s: time over m, random text of %u bit%s a character, n = %s (of fewer: in proportion)",
                which, dissertation, bits, bits > 1 ? "s" : "", split_count((size_t)n, name));
    pattern_columns(k, ms, count);
    for (size_t l = 0; l < LINES; l++) {
        const size_t line = study_line(&k->table, "%s", lines[l].who);
        for (size_t c = 0; c < count; c++)
            k->table.value[line][c] = n / 1e6 / rate_of(k, random_text(lines[l].group, bits, ms[c]), lines[l].who);
    }
    done(k);
}

static void figure_over_n(maker *k) {
    enum { M = 16 };
    char n[24];
    study_begin(&k->table, "ms", "n", true,
                "Figure 2.3 (b) of %s: time over n, m = %d, random text of 1 bit a character", dissertation, M);
    const size_t columns = study_lengths(k->report, text_lengths, TEXT_LENGTHS, true);
    for (size_t c = 0; c < columns; c++)
        study_column(&k->table, "%s", split_count(study_items(k->report, text_lengths[c]), n));
    for (size_t l = 0; l < LINES; l++) {
        const size_t line = study_line(&k->table, "%s", lines[l].who);
        for (size_t c = 0; c < columns; c++) {
            const text_point p = {
                .group = lines[l].group, .kind = TEXT_RANDOM, .bits = 1, .n = text_lengths[c], .m = M, .lengths = true};
            k->table.value[line][c] = 1e3 * seconds_of(k, p, lines[l].who);
        }
    }
    done(k);
}

/* The best of the named methods at each place, and which it is. */
static void figure_superior(maker *k) {
    char n[24];
    study_begin(&k->table, "GB/s", "characters of the pattern", false,
                "Figure 2.3 (c) of %s: the best named method over m and n, random text of 1 bit a character",
                dissertation);
    for (size_t c = 0; c < TEXT_BINARY_MS && text_binary_ms[c] < text_space[0]; c++)
        study_column(&k->table, "%zu", text_binary_ms[c]);
    for (size_t i = 0; i < TEXT_SPACE; i++) {
        const size_t line = study_line(&k->table, "n = %s", split_count(study_items(k->report, text_space[i]), n));
        for (size_t c = 0; c < k->table.columns; c++)
            for (size_t m = 0; m < TEXT_NAMED; m++) {
                double *best = &k->table.value[line][c];
                const text_point p = {.group = TEXT_EVERY,
                                      .kind = TEXT_RANDOM,
                                      .bits = 1,
                                      .n = text_space[i],
                                      .m = text_binary_ms[c],
                                      .lengths = true};
                const double rate = rate_of(k, p, text_named[m].who);
                if (isnan(rate) || rate <= *best) continue;
                *best = rate;
                snprintf(k->table.note[line][c], sizeof k->table.note[0][0], "%.15s", text_named[m].who);
            }
    }
    done(k);
}

static void packed(maker *k) {
    static const char *const who[] = {"auto", "divide", "divide64", "divide32"};
    char n[24];
    study_begin(&k->table, "G characters/s", "characters of the pattern", false,
                "Packed characters, random text, n = %s",
                split_count(study_items(k->report, text_group_n[TEXT_PACKED]), n));
    pattern_columns(k, text_ms, TEXT_MS);
    for (size_t b = 0; b < TEXT_WIDTHS; b++)
        for (size_t m = 0; m < BENCH_COUNT(who); m++) {
            const unsigned bits = text_packed_bits[b];
            const size_t line = study_line(&k->table, "%u bit%s, %s", bits, bits > 1 ? "s" : "", who[m]);
            for (size_t c = 0; c < TEXT_MS; c++)
                k->table.value[line][c] = rate_of(k, random_text(TEXT_PACKED, bits, text_ms[c]), who[m]);
        }
    done(k);
}

/* ---- real texts ---- */

static void table_of_text(maker *k, const char *which, text_kind kind) {
    char n[24];
    const size_t characters = text_real_n(kind);
    if (!characters) return;
    study_begin(&k->table, "ms", "characters of the pattern", false, "%s%s%s: %s, n = %s", which,
                *which ? " of " : "Sources", *which ? dissertation : "", text_title(kind),
                split_count(study_items(k->report, characters), n));
    pattern_columns(k, text_ms, TEXT_MS);
    for (size_t l = 0; l < LINES; l++) {
        if (lines[l].group != TEXT_FAST) continue;
        const size_t line = study_line(&k->table, "%s", lines[l].who);
        for (size_t c = 0; c < TEXT_MS; c++) {
            const text_point p = {.group = TEXT_FAST, .kind = kind, .bits = 8, .n = characters, .m = text_ms[c]};
            k->table.value[line][c] = 1e3 * seconds_of(k, p, lines[l].who);
        }
    }
    done(k);
}

void text_tables(const bench_report *report, bench_each_table *each, void *to) {
    maker k = {.report = report, .each = each, .to = to};
    table_of_methods(&k, "2.2", 1);
    table_of_methods(&k, "2.3", 8);
    table_of_alphabets(&k, "twostage");
    table_of_alphabets(&k, "auto");
    figure_over_m(&k, "2.3 (a)", 1, text_binary_ms, TEXT_BINARY_MS);
    figure_over_n(&k);
    figure_superior(&k);
    figure_over_m(&k, "2.4 (b)", 8, text_ms, TEXT_MS);
    table_of_text(&k, "Table 2.5", TEXT_ENGLISH);
    table_of_text(&k, "Table 2.6", TEXT_DNA);
    table_of_text(&k, "Table 2.7", TEXT_PROTEIN);
    table_of_text(&k, "", TEXT_SOURCES);
    packed(&k);
}
