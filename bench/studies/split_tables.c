/* The studies' rows as the tables and figures of their sources: a line for each method or size, a column for each number of
 * buckets, bits or bytes. */
#include <math.h>
#include <string.h>

#include "studies/split_study.h"

static const char *const methods[] = {"auto", "direct", "warp", "block", "onepass", "reduced-bit", "recursive"};
enum { METHODS = 7 };
static const char dissertation[] = "Ashkiani 2017", paper[] = "Patidar and Narayanan 2009";

typedef study_maker maker;

static void done(maker *k) { k->each(&k->table, k->to); }

/* ---- what was measured ---- */

static const bench_result *result_of(const bench_report *report, const split_point *p) {
    for (size_t i = 0; i < report->count; i++) {
        const bench_result *r = &report->results[i];
        if (r->row && r->family == &family_split && r->row->point && split_same(r->row->point, p)) return r;
    }
    return NULL;
}

/* Of the contestant of that name; "auto" and the rows' own call are Warpwise. NaN where it was not measured. */
static double seconds_of(const maker *k, const split_point *p, const char *who) {
    return seconds_by(result_of(k->report, p), who);
}

static double ms_of(const maker *k, const split_point *p, const char *who) { return seconds_of(k, p, who) * 1e3; }

static size_t count_of(const maker *k, size_t n) { return study_items(k->report, n); }

static double mitems_of(const maker *k, const split_point *p, const char *who) {
    return (double)count_of(k, p->n) / seconds_of(k, p, who) / 1e6;
}

static const char *n_text(const maker *k, size_t n, char text[24]) { return split_count(count_of(k, n), text); }

static split_point delta(size_t n, uint32_t m, split_keys keys, bool values) {
    return (split_point){.kind = SPLIT_DELTA, .n = n, .buckets = m, .keys = keys, .values = values};
}

static split_point records(split_kind kind, size_t n, uint32_t record, uint32_t bits) {
    return (split_point){.kind = kind, .n = n, .record = record, .bits = bits};
}

static const char *elements(bool values) { return values ? "u32 keys + u32 values" : "u32 keys"; }

/* ---- Ashkiani 2017 ---- */

static void stage_lines(maker *k, const char *method) {
    static const uint32_t m[] = {2, 8, 32, 256};
    static const char *const stages[] = {"prescan, bytes", "scan, bytes", "postscan, bytes"};
    bench_table *t = &k->table;
    for (size_t s = 0; s < STAGES; s++) study_line(t, "%s: %s", method, stages[s]);
    const size_t ms = study_line(t, "%s: whole call, ms", method),
                 rate = study_line(t, "%s: GB/s of these bytes", method);
    for (size_t c = 0; c < t->columns; c++) {
        const split_point p = delta(KEYS_N, m[c % 4], KEYS_UNIFORM, c >= 4);
        double bytes[STAGES], whole = 0;
        const double seconds = seconds_of(k, &p, method);
        if (isnan(seconds)) continue;
        t->value[ms][c] = seconds * 1e3;
        if (!split_stage_bytes(method, k->report->run->cpu, &p, bytes)) continue;
        for (size_t s = 0; s < STAGES; s++) {
            t->value[ms - STAGES + s][c] = bytes[s];
            whole += bytes[s];
        }
        t->value[rate][c] = whole * (double)count_of(k, KEYS_N) / seconds / 1e9;
    }
}

static void table_3_4(maker *k) {
    char n[24];
    study_begin(&k->table, "bytes an element, ms, GB/s", "buckets, of keys and of pairs", false,
                "Table 3.4 of %s: stages of each method, n = %s, delta buckets; bytes computed, times measured",
                dissertation, n_text(k, KEYS_N, n));
    for (size_t c = 0; c < 8; c++)
        study_column(&k->table, "%s%u", c < 4 ? "m=" : "kv m=", c % 4 == 3 ? 256 : 2u << 2 * (c % 4));
    for (size_t m = 0; m < METHODS; m++) stage_lines(k, methods[m]);
    stage_lines(k, "sort");
    done(k);
}

static void bucket_columns(maker *k) {
    for (size_t c = 0; c < BUCKET_COUNTS; c++) study_column(&k->table, "%u", split_bucket_counts[c]);
}

/* A line of values over the numbers of buckets. */
static void line_over_buckets(maker *k, const char *name, const char *who, split_keys keys, bool values,
                              double (*value)(const maker *, const split_point *, const char *)) {
    const size_t line = study_line(&k->table, "%s", name);
    for (size_t c = 0; c < BUCKET_COUNTS; c++) {
        const split_point p = delta(KEYS_N, split_bucket_counts[c], keys, values);
        k->table.value[line][c] = value(k, &p, who);
    }
}

static double speedup_of(const maker *k, const split_point *p, const char *who) {
    return seconds_of(k, p, "sort") / seconds_of(k, p, who);
}

static void methods_over_buckets(maker *k, bool values) {
    static const struct {
        const char *what, *unit;
        double (*value)(const maker *, const split_point *, const char *);
        bool drawn, sort;
    } tables[] = {{"Figure 3.6 of %s: time by number of buckets, %s, n = %s", "ms", ms_of, true, true},
                  {"Figure 3.7 of %s: speedup over sorting, %s, n = %s", "x ww_sort", speedup_of, true, false},
                  {"Table 3.5 of %s: rate by number of buckets, %s, n = %s", "M/s", mitems_of, false, true}};
    char title[160], n[24];
    for (size_t i = 0; i < BENCH_COUNT(tables); i++) {
        snprintf(title, sizeof title, tables[i].what, dissertation, elements(values), n_text(k, KEYS_N, n));
        study_begin(&k->table, tables[i].unit, "buckets", tables[i].drawn, "%s", title);
        bucket_columns(k);
        for (size_t m = 0; m < METHODS; m++)
            line_over_buckets(k, methods[m], methods[m], KEYS_UNIFORM, values, tables[i].value);
        if (tables[i].sort) line_over_buckets(k, "sort", "sort", KEYS_UNIFORM, values, tables[i].value);
        done(k);
    }
}

static void figure_3_8(maker *k, bool values) {
    static const char *const shown[] = {"auto", "block", "reduced-bit"};
    static const split_keys keys[] = {KEYS_UNIFORM, KEYS_BINOMIAL};
    char n[24], name[48];
    study_begin(&k->table, "ms", "buckets", true, "Figure 3.8 of %s: uniform and binomial keys, %s, n = %s",
                dissertation, elements(values), n_text(k, KEYS_N, n));
    bucket_columns(k);
    for (size_t m = 0; m < BENCH_COUNT(shown); m++)
        for (size_t d = 0; d < BENCH_COUNT(keys); d++) {
            snprintf(name, sizeof name, "%s, %s", shown[m], split_keys_names[keys[d]]);
            line_over_buckets(k, name, shown[m], keys[d], values, ms_of);
        }
    done(k);
}

/* A rate, and what it is beside another. */
static void put_ratio(maker *k, size_t line, size_t column, double rate, double other) {
    k->table.value[line][column] = rate;
    if (!isnan(rate / other))
        snprintf(k->table.note[line][column], sizeof k->table.note[0][0], "(%.2fx)", rate / other);
}

static void table_3_6(maker *k, bool values) {
    char n[24];
    study_begin(&k->table, "M/s (x uniform)", "keys", false,
                "Table 3.6 of %s: distributions of keys, %s, m = 256, n = %s", dissertation, elements(values),
                n_text(k, KEYS_N, n));
    for (size_t c = 0; c < SPLIT_KEYS; c++) study_column(&k->table, "%s", split_keys_names[c]);
    for (size_t m = 0; m < METHODS; m++) {
        const size_t line = study_line(&k->table, "%s", methods[m]);
        const split_point uniform = delta(KEYS_N, 256, KEYS_UNIFORM, values);
        for (size_t c = 0; c < SPLIT_KEYS; c++) {
            const split_point p = delta(KEYS_N, 256, (split_keys)c, values);
            put_ratio(k, line, c, mitems_of(k, &p, methods[m]), mitems_of(k, &uniform, methods[m]));
        }
    }
    done(k);
}

static void table_3_7(maker *k, bool values) {
    static const char *const shown[] = {"auto", "warp", "block", "onepass", "sort"};
    char n[24];
    study_begin(&k->table, "M/s (x sort)", "bits of keys", false,
                "Table 3.7 of %s: identity buckets beside a sort by these bits, %s, n = %s", dissertation,
                elements(values), n_text(k, KEYS_N, n));
    for (size_t c = 0; c < BUCKET_COUNTS; c++) study_column(&k->table, "%zu", c + 1);
    for (size_t m = 0; m < BENCH_COUNT(shown); m++) {
        const size_t line = study_line(&k->table, "%s", shown[m]);
        for (size_t c = 0; c < BUCKET_COUNTS; c++) {
            const split_point p = {
                .kind = SPLIT_IDENTITY, .n = KEYS_N, .buckets = split_bucket_counts[c], .values = values};
            put_ratio(k, line, c, mitems_of(k, &p, shown[m]), mitems_of(k, &p, "sort"));
        }
    }
    done(k);
}

/* ---- auto beside the best method ---- */

static const char *best_of(const maker *k, const split_point *p) {
    const char *best = NULL;
    for (size_t m = 1; m < METHODS; m++) {
        const double seconds = seconds_of(k, p, methods[m]);
        if (!isnan(seconds) && (!best || seconds < seconds_of(k, p, best))) best = methods[m];
    }
    return best;
}

static void compared_line(maker *k, uint32_t m, bool values, unsigned near[COMPARED_SIZES],
                          unsigned all[COMPARED_SIZES]) {
    static const double target = 0.9;
    const size_t line = study_line(&k->table, "m = %u, %s", m, values ? "keys + values" : "keys");
    for (size_t c = 0; c < COMPARED_SIZES; c++) {
        const split_point p = delta(split_compared_sizes[c], m, KEYS_UNIFORM, values);
        const char *best = best_of(k, &p);
        const double ratio = best ? seconds_of(k, &p, best) / seconds_of(k, &p, "auto") : NAN;
        if (isnan(ratio)) continue;
        k->table.value[line][c] = ratio;
        snprintf(k->table.note[line][c], sizeof k->table.note[0][0], "%s", best);
        all[c]++;
        near[c] += ratio >= target;
    }
}

static void compared(maker *k) {
    unsigned near[COMPARED_SIZES] = {0}, all[COMPARED_SIZES] = {0};
    char n[24];
    study_begin(&k->table, "auto's rate over the best named method's, and its name", "n", false,
                "auto beside the best named method, delta buckets; at least 0.90 is wanted");
    for (size_t c = 0; c < COMPARED_SIZES; c++) study_column(&k->table, "%s", n_text(k, split_compared_sizes[c], n));
    for (int values = 0; values < 2; values++)
        for (size_t b = 0; b < COMPARED_COUNTS; b++) compared_line(k, split_compared_counts[b], values, near, all);
    const size_t line = study_line(&k->table, "at least 0.90");
    for (size_t c = 0; c < COMPARED_SIZES; c++)
        if (all[c]) {
            k->table.value[line][c] = near[c];
            snprintf(k->table.note[line][c], sizeof k->table.note[0][0], "of %u", all[c]);
        }
    done(k);
}

/* ---- the records paper's ---- */

static void field_columns(maker *k) {
    for (size_t c = 0; c < FIELDS; c++) study_column(&k->table, "%u", split_fields[c]);
}

static void fields_line(maker *k, split_kind kind, size_t n, uint32_t record, const char *who, const char *name) {
    const size_t line = study_line(&k->table, "%s", name);
    for (size_t c = 0; c < FIELDS; c++) {
        const split_point p = records(kind, n, record, split_fields[c]);
        k->table.value[line][c] = ms_of(k, &p, who);
    }
}

static void figures_8_to_10(maker *k) {
    char n[24], name[48];
    study_begin(&k->table, "ms", "bits of the key", true, "Figure 8 of %s: split of 64-bit records", paper);
    field_columns(k);
    for (size_t i = 0; i < LENGTHS; i++) {
        snprintf(name, sizeof name, "n = %s", n_text(k, split_lengths[i], n));
        fields_line(k, SPLIT_RECORDS, split_lengths[i], 8, "Warpwise", name);
    }
    done(k);
    study_begin(&k->table, "ms", "bits of the key", true, "Figure 9 of %s: split of records of several sizes, n = %s",
                paper, n_text(k, RECORDS_N, n));
    field_columns(k);
    for (size_t r = 0; r < NARROW; r++) {
        snprintf(name, sizeof name, "records of %u bits", 8 * split_narrow[r]);
        fields_line(k, SPLIT_RECORDS, RECORDS_N, split_narrow[r], "Warpwise", name);
    }
    done(k);
    study_begin(&k->table, "ms", "bits of the key", true, "Figure 10 of %s: split of a 32-bit index of 64-bit records",
                paper);
    field_columns(k);
    for (size_t i = 0; i < MOVES; i++) {
        static const char *const who[] = {"Warpwise", "scatter index"};
        for (size_t w = 0; w < 2; w++) {
            snprintf(name, sizeof name, "%s, n = %s", w ? who[w] : "gather index", n_text(k, split_moves[i], n));
            fields_line(k, SPLIT_INDEX, split_moves[i], 8, who[w], name);
        }
    }
    done(k);
}

static void size_columns(maker *k, size_t first) {
    for (size_t c = first; c < SIZES; c++) study_column(&k->table, "%u", split_sizes[c]);
}

static double gbps_of(const maker *k, const split_point *p, const char *who) {
    const double bytes = 2.0 * p->record + (p->kind == SPLIT_MOVE ? 4 : 0);
    return mitems_of(k, p, who) * bytes / 1e3;
}

static void sizes_line(maker *k, split_kind kind, size_t n, size_t first, const char *who, const char *name,
                       double (*value)(const maker *, const split_point *, const char *)) {
    const size_t line = study_line(&k->table, "%s", name);
    for (size_t c = first; c < SIZES; c++) {
        const split_point p = records(kind, n, split_sizes[c], kind == SPLIT_EIGHT ? 8 : 0);
        k->table.value[line][c - first] = value(k, &p, who);
    }
}

static void eight(maker *k) {
    char n[24];
    study_begin(&k->table, "GB/s, read and written", "bytes of a record", true,
                "split8 of %s: by size of record, and its unstable form, n = %s", paper, n_text(k, SIZES_N, n));
    size_columns(k, 0);
    sizes_line(k, SPLIT_EIGHT, SIZES_N, 0, "Warpwise", "split8", gbps_of);
    sizes_line(k, SPLIT_EIGHT, SIZES_N, 0, "unstable", "split8, unstable", gbps_of);
    done(k);
}

static void figure_11(maker *k) {
    char n[24];
    study_begin(&k->table, "GB/s, read and written", "bytes of a record", true,
                "Figure 11 of %s: a thread a record, and records moved by several, n = %s", paper,
                n_text(k, SIZES_N, n));
    size_columns(k, 0);
    sizes_line(k, SPLIT_MOVE, SIZES_N, 0, "a thread a record", "gather, a thread a record", gbps_of);
    sizes_line(k, SPLIT_MOVE, SIZES_N, 0, "Warpwise", "gather", gbps_of);
    sizes_line(k, SPLIT_MOVE, SIZES_N, 0, "scatter", "scatter", gbps_of);
    done(k);
}

static void figure_12(maker *k) {
    enum { FIRST = 3 }; /* 32 bytes */
    char n[24], name[48];
    study_begin(&k->table, "ms", "bytes of a record", true, "Figure 12 of %s: random gather and scatter of records",
                paper);
    size_columns(k, FIRST);
    for (size_t i = 0; i < MOVES; i++) {
        snprintf(name, sizeof name, "gather, n = %s", n_text(k, split_moves[i], n));
        sizes_line(k, SPLIT_MOVE, split_moves[i], FIRST, "Warpwise", name, ms_of);
        snprintf(name, sizeof name, "scatter, n = %s", n_text(k, split_moves[i], n));
        sizes_line(k, SPLIT_MOVE, split_moves[i], FIRST, "scatter", name, ms_of);
    }
    done(k);
}

void split_tables(const bench_report *report, bench_each_table *each, void *to) {
    maker k = {.report = report, .each = each, .to = to};
    table_3_4(&k);
    for (int values = 0; values < 2; values++) methods_over_buckets(&k, values);
    for (int values = 0; values < 2; values++) figure_3_8(&k, values);
    for (int values = 0; values < 2; values++) table_3_6(&k, values);
    for (int values = 0; values < 2; values++) table_3_7(&k, values);
    compared(&k);
    eight(&k);
    figures_8_to_10(&k);
    figure_11(&k);
    figure_12(&k);
}
