/* The studies' rows as the tables and figures of their sources, and every method over n: a line for each method, width or record,
 * a column for each number of elements. */
#include <math.h>
#include <string.h>

#include "studies/sort_study.h"
#include "studies/split_study.h"

static const char dissertation[] = "Ashkiani 2017", paper[] = "Patidar and Narayanan 2009",
                  superstep[] = "Hou et al. 2008";

typedef study_maker maker;

static void done(maker *k) { k->each(&k->table, k->to); }

/* ---- what was measured ---- */

static double seconds_of(const maker *k, sort_point p, const char *who) {
    for (size_t i = 0; i < k->report->count; i++) {
        const bench_result *r = &k->report->results[i];
        if (r->row && r->family == &family_sort && r->row->point && sort_same(r->row->point, &p))
            return seconds_by(r, who);
    }
    return NAN;
}

static size_t count_of(const maker *k, size_t n) { return study_items(k->report, n); }

static sort_point numbers(sort_kind kind, size_t n, bool values) {
    return (sort_point){.kind = kind, .n = n, .bits = 32, .value = values ? 4 : 0};
}

static sort_point width(size_t n, uint32_t bits) {
    return (sort_point){.kind = bits == 32 ? SORT_METHODS : SORT_WIDTH, .n = n, .bits = bits};
}

static sort_point record(size_t n, uint32_t bytes, uint32_t key) {
    return (sort_point){.kind = SORT_RECORDS, .n = n, .record = bytes, .key = key};
}

/* ---- columns and lines over n ---- */

static void length_columns(maker *k, const size_t *lengths, size_t count) {
    char n[24];
    const bool least = lengths == sort_lengths || lengths == sort_lists;
    const size_t columns = study_lengths(k->report, lengths, count, least);
    for (size_t c = 0; c < columns; c++) study_column(&k->table, "%s", split_count(count_of(k, lengths[c]), n));
}

/* In ms. */
static void method_line(maker *k, const char *name, const size_t *lengths, bool values, const char *who) {
    const size_t line = study_line(&k->table, "%s", name);
    for (size_t c = 0; c < k->table.columns; c++)
        k->table.value[line][c] = 1e3 * seconds_of(k, numbers(SORT_METHODS, lengths[c], values), who);
}

/* ---- the records paper's ---- */

static void width_line(maker *k, uint32_t bits, const char *who) {
    const size_t line = study_line(&k->table, "%u bits, %s", bits, who);
    for (size_t c = 0; c < k->table.columns; c++)
        k->table.value[line][c] = 1e3 * seconds_of(k, width(sort_lengths[c], bits), who);
}

static void figure_13(maker *k) {
    study_begin(
        &k->table, "ms", "n", true,
        "Figure 13 of %s: sort of numbers of 32 to 128 bits by multisplits of 8 bits (of wide numbers up to 2^24) "
        "and by auto",
        paper);
    length_columns(k, sort_lengths, SORT_LENGTHS);
    for (size_t b = 0; b < SORT_WIDTHS; b++) width_line(k, sort_widths[b], "multisplit");
    for (size_t b = 0; b < SORT_WIDTHS; b++) width_line(k, sort_widths[b], "auto");
    done(k);
}

static void width_columns(maker *k) {
    for (size_t c = 0; c < SORT_WIDTHS; c++) study_column(&k->table, "%u", sort_widths[c]);
}

static void figure_13_by_digits(maker *k) {
    char n[24], who[16];
    study_begin(&k->table, "ms", "bits of a key", true,
                "Figure 13 of %s, by digits: sort of numbers by multisplits of r bits, n = %s", paper,
                split_count(count_of(k, SORT_ELEMENTS_N), n));
    width_columns(k);
    for (unsigned r = DIGIT_LEAST; r <= DIGIT_MOST + 1; r++) {
        snprintf(who, sizeof who, "r = %u", r);
        const char *name = r <= DIGIT_MOST ? who : "auto";
        const size_t line = study_line(&k->table, "%s", name);
        for (size_t c = 0; c < SORT_WIDTHS; c++) {
            const sort_point p = {.kind = SORT_DIGITS, .n = SORT_ELEMENTS_N, .bits = sort_widths[c]};
            k->table.value[line][c] = 1e3 * seconds_of(k, p, name);
        }
    }
    done(k);
}

static void figure_14(maker *k) {
    study_begin(&k->table, "ms", "n", true,
                "Figure 14 of %s: sort by splits beside the radix sort, u32 keys + u32 values", paper);
    length_columns(k, sort_lengths, SORT_LENGTHS);
    method_line(k, "multisplit", sort_lengths, true, "multisplit");
    method_line(k, "radix", sort_lengths, true, "radix");
    done(k);
}

/* A run is of one device: those of several stand side by side when their files do. */
static void figure_15(maker *k) {
    ww_device_info info = WW_DEVICE_INFO;
    if (ww_device_info_get(k->report->run->device, &info)) return;
    char name[48];
    snprintf(name, sizeof name, "%.40s", info.description);
    study_begin(&k->table, "ms", "n", true, "Figure 15 of %s: sort of 32-bit numbers by device", paper);
    length_columns(k, sort_lengths, SORT_LENGTHS);
    method_line(k, name, sort_lengths, false, "auto");
    done(k);
}

static void table_1(maker *k) {
    study_begin(&k->table, "ms", "n", false, "Table 1 of %s: sort of records by their first bytes", paper);
    length_columns(k, sort_lists, SORT_LISTS);
    for (size_t b = 0; b < SORT_KEYS; b++)
        for (size_t s = 0; s < SORT_SIZES; s++) {
            const size_t line = study_line(&k->table, "key of %u, records of %u", sort_key_bytes[b], sort_sizes[s]);
            for (size_t c = 0; c < k->table.columns; c++)
                k->table.value[line][c] = 1e3 * seconds_of(k, record(sort_lists[c], sort_sizes[s], sort_key_bytes[b]),
                                                           "auto");
        }
    done(k);
}

static void records_over_sizes(maker *k) {
    char n[24];
    const size_t items = SORT_RECORDS_N <= k->report->run->most ? SORT_RECORDS_N : sort_lists[0];
    const double many = (double)count_of(k, items);
    study_begin(&k->table, "GB/s, each record read and written once", "bytes of a record", true,
                "Sort of records by size, n = %s", split_count(count_of(k, items), n));
    for (size_t c = 0; c < SORT_SIZES; c++) study_column(&k->table, "%u", sort_sizes[c]);
    for (size_t b = 0; b < SORT_KEYS; b++) {
        const size_t line = study_line(&k->table, "key of %u bytes", sort_key_bytes[b]);
        for (size_t c = 0; c < SORT_SIZES; c++)
            k->table.value[line][c] = 2 * sort_sizes[c] * many / 1e9 /
                                      seconds_of(k, record(items, sort_sizes[c], sort_key_bytes[b]), "auto");
    }
    done(k);
}

/* ---- Ashkiani 2017 ---- */

static void digits_line(maker *k, const char *name, const char *who) {
    const size_t line = study_line(&k->table, "%s", name);
    for (size_t values = 0; values < 2; values++) {
        const sort_point p = numbers(SORT_DIGITS, SORT_DIGITS_N, values);
        const double seconds = seconds_of(k, p, who);
        double *const to = k->table.value[line] + 3 * values;
        to[0] = seconds * 1e3;
        to[1] = (double)count_of(k, SORT_DIGITS_N) / seconds / 1e9;
        to[2] = seconds_of(k, p, "auto") / seconds;
    }
}

static void table_3_8(maker *k) {
    char n[24], who[16], name[48];
    study_begin(&k->table, "ms, G/s, x auto", "keys; keys and values", false,
                "Table 3.8 of %s: sort by multisplits of r bits, u32, n = %s", dissertation,
                split_count(count_of(k, SORT_DIGITS_N), n));
    for (int values = 0; values < 2; values++) {
        static const char *const units[] = {"ms", "G/s", "x auto"};
        for (size_t u = 0; u < BENCH_COUNT(units); u++) study_column(&k->table, "%s%s", values ? "kv " : "", units[u]);
    }
    for (unsigned r = DIGIT_LEAST; r <= DIGIT_MOST; r++) {
        snprintf(who, sizeof who, "r = %u", r);
        snprintf(name, sizeof name, "multisplit, %s", who);
        digits_line(k, name, who);
    }
    digits_line(k, "auto", "auto");
    done(k);
}

/* ---- the bulk-synchronous paper's ---- */

static void table_2(maker *k) {
    static const size_t lengths[] = {1 << 21, 1 << 22, 1 << 23};
    study_begin(&k->table, "ms", "n", false, "Table 2 of %s: radix against merge, u32 keys + u32 values", superstep);
    length_columns(k, lengths, BENCH_COUNT(lengths));
    method_line(k, "radix", lengths, true, "radix");
    method_line(k, "merge (merge-search)", lengths, true, "merge-search");
    method_line(k, "merge (merge path)", lengths, true, "merge");
    done(k);
}

/* ---- all methods ---- */

static void methods_over_lengths(maker *k, bool values) {
    study_begin(&k->table, "M/s", "n", true, "Every sort over n, u32 keys%s", values ? " + u32 values" : "");
    length_columns(k, sort_lengths, SORT_LENGTHS);
    for (size_t m = 0; m <= SORT_METHOD_COUNT; m++) {
        const char *who = m ? sort_method_names[m - 1] : "auto";
        const size_t line = study_line(&k->table, "%s", who);
        for (size_t c = 0; c < k->table.columns; c++)
            k->table.value[line][c] = (double)count_of(k, sort_lengths[c]) / 1e6 /
                                      seconds_of(k, numbers(SORT_METHODS, sort_lengths[c], values), who);
    }
    done(k);
}

/* M/s by keys and values of such sizes. */
static double element_rate(const maker *k, const sort_group *group, uint32_t bits, uint32_t value, const char *who) {
    const sort_point p = {.kind = SORT_ELEMENTS, .n = group->n, .bits = bits, .value = value};
    return (double)count_of(k, p.n) / 1e6 / seconds_of(k, p, who);
}

static void element_line(maker *k, const sort_group *group, const char *who, bool values) {
    const size_t line = study_line(&k->table, "%s", who);
    for (size_t c = 0; c < k->table.columns; c++)
        k->table.value[line][c] = element_rate(k, group, values ? 32 : sort_widths[c], values ? sort_values[c] : 0,
                                               who);
}

static void element_lines(maker *k, bool values) {
    element_line(k, &sort_groups[0], "auto", values);
    for (const sort_group *g = sort_groups; g < sort_groups + SORT_GROUPS; g++)
        for (size_t m = g->first; m < g->first + g->count; m++) element_line(k, g, sort_method_names[m], values);
}

/* How many elements each group has, for a title: "n = 2^20, from quick on 2^18, oddeven 2^12". */
static const char *group_counts(const maker *k, char text[96]) {
    char n[24];
    int at = snprintf(text, 96, "n = %s", split_count(count_of(k, sort_groups[0].n), n));
    for (size_t g = 1; g < SORT_GROUPS; g++)
        at += snprintf(text + at, 96 - (size_t)at, ", %s%s %s%s", sort_groups[g].count > 1 ? "from " : "",
                       sort_method_names[sort_groups[g].first], sort_groups[g].count > 1 ? "on " : "",
                       split_count(count_of(k, sort_groups[g].n), n));
    return text;
}

static void methods_over_widths(maker *k) {
    char n[96];
    study_begin(&k->table, "M/s", "bits of a key", true, "Methods by key width: every sort, keys alone, %s",
                group_counts(k, n));
    width_columns(k);
    element_lines(k, false);
    done(k);
}

static void methods_over_records(maker *k) {
    char n[96];
    study_begin(&k->table, "M/s", "bytes of key and value", true,
                "Methods by record size: every sort, u32 keys with values of 4 to 124 bytes, %s", group_counts(k, n));
    for (size_t c = 0; c < SORT_VALUES; c++) study_column(&k->table, "%zu", sizeof(uint32_t) + sort_values[c]);
    element_lines(k, true);
    done(k);
}

void sort_tables(const bench_report *report, bench_each_table *each, void *to) {
    maker k = {.report = report, .each = each, .to = to};
    for (int values = 0; values < 2; values++) methods_over_lengths(&k, values);
    methods_over_widths(&k);
    methods_over_records(&k);
    figure_13(&k);
    figure_13_by_digits(&k);
    figure_14(&k);
    figure_15(&k);
    table_1(&k);
    records_over_sizes(&k);
    table_3_8(&k);
    table_2(&k);
}
