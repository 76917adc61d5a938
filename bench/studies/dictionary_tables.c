/* The studies' rows as tables 4.2 to 4.4 and figures 5.4 to 5.7 of Ashkiani (2017). Rates, in M operations a second. Where the dissertation
 * has the mean over all numbers of batches there is a column for each of some numbers of levels. Figure 5.7 (b), beside Misra and
 * Chaudhuri's table, is over the memory use of a slab hash of as many buckets; theirs is one of our own. */
#include <math.h>
#include <stdio.h>

#include "families/families.h"
#include "studies/dictionary_study.h"
#include "studies/split_study.h"

static const char dissertation[] = "Ashkiani 2017", ours[] = "Warpwise", cuckoo[] = "base";

typedef study_maker maker;

static void done(maker *k) { k->each(&k->table, k->to); }

/* Of one call; NaN where it was not measured. *n: its items, in this run. */
static double seconds_of(const maker *k, dictionary_point p, const char *who, double *n) {
    *n = 0;
    for (size_t i = 0; i < k->report->count; i++) {
        const bench_result *const r = &k->report->results[i];
        if (!r->row || r->family != &family_dictionary || !r->row->point || !dictionary_same(r->row->point, &p))
            continue;
        *n = (double)study_queries(p.kind, r->n);
        return seconds_by(r, who);
    }
    return NAN;
}

static double rate_of(const maker *k, dictionary_point p, const char *who) {
    double n;
    const double seconds = seconds_of(k, p, who, &n);
    return n / 1e6 / seconds;
}

static const char *name_of_n(const maker *k, size_t n, char *name) {
    return split_count(study_items(k->report, n), name);
}

/* ---- the ordered dictionary ---- */

/* The rate of the last batch, which is merged with all others where their number is a power of two. */
static double last_rate(const maker *k, dictionary_point p) {
    double n;
    const double all = seconds_of(k, p, ours, &n), before = seconds_of(k, p, "but last", &n);
    return p.more == 1 ? n / 1e6 / all : n / p.more / 1e6 / (all - before);
}

static void table_insert(maker *k) {
    char n[24];
    double items;
    study_begin(&k->table, "M/s", "batches", true,
                "Table 4.2 of %s: insertion of n = %s pairs in so many batches (sorted array: keys alone)",
                dissertation, name_of_n(k, STUDY_LSM_N, n));
    for (size_t s = 0; s < STUDY_SPLITS; s++) study_column(&k->table, "%u", study_splits[s]);
    const size_t first = study_line(&k->table, "the first batch (fastest)"),
                 last = study_line(&k->table, "the last batch (slowest)"), mean = study_line(&k->table, "mean of all"),
                 array = study_line(&k->table, "sorted array, merged, mean"),
                 rebuilt = study_line(&k->table, "sorted array, rebuilt, mean");
    for (size_t s = 0; s < STUDY_SPLITS; s++) {
        const dictionary_point p = {STUDY_LSM_INSERT, STUDY_LSM_N, 0, study_splits[s]};
        const double seconds = seconds_of(k, p, "first", &items);
        k->table.value[first][s] = items / p.more / 1e6 / seconds;
        k->table.value[last][s] = last_rate(k, p);
        k->table.value[mean][s] = rate_of(k, p, ours);
        k->table.value[array][s] = rate_of(k, p, "base");
        k->table.value[rebuilt][s] = rate_of(k, p, "rebuilt");
    }
    done(k);
}

static void line_of_levels(maker *k, dictionary_kind kind, const char *name) {
    const size_t line = study_line(&k->table, "%s", name);
    for (size_t l = 0; l < STUDY_LEVELS; l++)
        k->table.value[line][l] = rate_of(k, (dictionary_point){kind, STUDY_LSM_N, 0, study_levels[l].batches}, ours);
}

static void begin_levels(maker *k, const char *which, const char *what) {
    char n[24];
    study_begin(&k->table, "M/s", "levels", true, "Table %s of %s: %s by levels (1 is a sorted array), n = %s", which,
                dissertation, what, name_of_n(k, STUDY_LSM_N, n));
    for (size_t l = 0; l < STUDY_LEVELS; l++) study_column(&k->table, "%u", study_levels[l].levels);
}

static void tables_of_queries(maker *k) {
    begin_levels(k, "4.3", "look-ups");
    line_of_levels(k, STUDY_LSM_THERE, "all there");
    line_of_levels(k, STUDY_LSM_NOT_THERE, "none there");
    done(k);
    begin_levels(k, "4.4", "counts and ranges of width 8 and 1024");
    line_of_levels(k, STUDY_LSM_COUNT, "count, 8");
    line_of_levels(k, STUDY_LSM_COUNT_WIDE, "count, 1024");
    line_of_levels(k, STUDY_LSM_RANGE, "range, 8");
    line_of_levels(k, STUDY_LSM_RANGE_WIDE, "range, 1024");
    done(k);
}

/* ---- the slab hash ---- */

static void columns_of_uses(maker *k) {
    for (size_t u = 0; u < STUDY_USES; u++)
        study_column(&k->table, "0.%u", study_uses[u] % 10 ? study_uses[u] : study_uses[u] / 10);
}

static const struct {
    dictionary_kind kind;
    const char *figure, *what;
} figures[] = {{STUDY_INSERT, "(a)", "built"}, {STUDY_THERE, "(b)", "find all"}, {STUDY_NOT_THERE, "(b)", "find none"}};

static void figure_over_use(maker *k, size_t f) {
    char n[24];
    study_begin(&k->table, "M/s", "memory use", true, "Figure 5.4 %s of %s: %s over memory use, n = %s",
                figures[f].figure, dissertation, figures[f].what, name_of_n(k, STUDY_USE_N, n));
    columns_of_uses(k);
    const size_t slab = study_line(&k->table, "slab hash"), other = study_line(&k->table, "cuckoo table");
    for (size_t u = 0; u < STUDY_USES; u++) {
        const dictionary_point p = {figures[f].kind, STUDY_USE_N, study_uses[u], 0};
        k->table.value[slab][u] = rate_of(k, p, ours);
        k->table.value[other][u] = rate_of(k, p, cuckoo);
    }
    done(k);
}

static void figure_over_n(maker *k, size_t f) {
    char n[24];
    const size_t columns = study_lengths(k->report, study_slab_lengths, STUDY_LENGTHS, true);
    study_begin(&k->table, "M/s", "n", true, "Figure 5.5 %s of %s: %s over n, memory use 0.6", figures[f].figure,
                dissertation, figures[f].what);
    for (size_t c = 0; c < columns; c++) study_column(&k->table, "%s", name_of_n(k, study_slab_lengths[c], n));
    const size_t slab = study_line(&k->table, "slab hash"), other = study_line(&k->table, "cuckoo table");
    for (size_t c = 0; c < columns; c++) {
        const dictionary_point p = {figures[f].kind, study_slab_lengths[c], STUDY_LENGTH_USE, 1};
        k->table.value[slab][c] = rate_of(k, p, ours);
        k->table.value[other][c] = rate_of(k, p, cuckoo);
    }
    done(k);
}

static void figure_of_batches(maker *k) {
    char n[24];
    double items;
    const size_t columns = study_lengths(k->report, study_sums, STUDY_SUMS, true);
    study_begin(
        &k->table, "ms", "pairs in the end", true,
        "Figure 5.6 of %s: time to insert batch after batch, memory use 0.65 in the end (cuckoo: built anew for each)",
        dissertation);
    for (size_t c = 0; c < columns; c++) study_column(&k->table, "%s", name_of_n(k, study_sums[c], n));
    for (size_t w = 0; w < 2; w++)
        for (size_t b = 0; b < STUDY_PARTS; b++) {
            const size_t line = study_line(&k->table, "%s, %s", w ? "cuckoo table" : "slab hash",
                                           split_count(study_batches[b], n));
            for (size_t c = 0; c < columns; c++) {
                const dictionary_point p = {STUDY_BATCHES, study_sums[c], STUDY_BATCH_USE, study_batches[b]};
                k->table.value[line][c] = 1e3 * seconds_of(k, p, w ? cuckoo : ours, &items);
            }
        }
    done(k);
}

/* (a): the slab hash; (b): beside lock-free lists, of which there are as many as it has buckets. */
static void figure_of_mixes(maker *k, bool lists) {
    char n[24];
    study_begin(&k->table, "M/s", "memory use", true, "Figure 5.7 (%s) of %s: mixed batches over memory use%s, n = %s",
                lists ? "b" : "a", dissertation, lists ? ", lock-free lists in as many buckets" : "",
                name_of_n(k, STUDY_USE_N, n));
    columns_of_uses(k);
    for (size_t p = 0; p < STUDY_PARTS; p++) {
        const size_t line = study_line(&k->table, "%u0%% updates", study_updates[p]);
        for (size_t u = 0; u < STUDY_USES; u++)
            k->table.value[line][u] = rate_of(
                k, (dictionary_point){STUDY_MIX, STUDY_USE_N, study_uses[u], study_updates[p]}, lists ? "lists" : ours);
    }
    done(k);
}

void dictionary_tables(const bench_report *report, bench_each_table *each, void *to) {
    maker k = {.report = report, .each = each, .to = to};
    table_insert(&k);
    tables_of_queries(&k);
    for (size_t f = 0; f < BENCH_COUNT(figures); f++) figure_over_use(&k, f);
    for (size_t f = 0; f < BENCH_COUNT(figures); f++) figure_over_n(&k, f);
    figure_of_batches(&k);
    figure_of_mixes(&k, false);
    figure_of_mixes(&k, true);
}
