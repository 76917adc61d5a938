/* Each call over the elements that a rank has, a line for each number of ranks; those that depend on keys by how these are distributed; and all
 * calls over ranks. */
#include <math.h>

#include "studies/group_study.h"
#include "studies/split_study.h"

typedef study_maker maker;

static const bench_result *found(const maker *k, const group_point *p) {
    for (size_t i = 0; i < k->report->count; i++) {
        const bench_result *r = &k->report->results[i];
        const group_point *q = r->row && r->family == &family_group ? r->row->point : NULL;
        if (q && q->call == p->call && q->skew == p->skew && q->ranks == p->ranks && q->n == p->n) return r;
    }
    return NULL;
}

/* Millions of elements of all ranks a second. */
static double rate(const maker *k, group_point p) {
    const bench_result *r = found(k, &p);
    const double seconds = seconds_by(r, "auto");
    return r ? (double)r->n * p.ranks / seconds / 1e6 : NAN;
}

static size_t columns(maker *k) {
    char n[24];
    size_t last = 0;
    for (size_t c = 0; c < GROUP_LENGTHS && group_lengths[c] <= group_study_most(); c++) {
        if (c && group_lengths[c] > k->report->run->most) break;
        study_column(&k->table, "%s", split_count(study_items(k->report, group_lengths[c]), n));
        last = c;
    }
    return last;
}

static void line(maker *k, const char *name, group_point p) {
    const size_t at = study_line(&k->table, "%s", name);
    for (size_t c = 0; c < k->table.columns; c++) {
        p.n = group_lengths[c];
        k->table.value[at][c] = rate(k, p);
    }
}

static void over_lengths(maker *k, group_call call) {
    char name[32];
    study_begin(&k->table, "M items/s", "u32 a rank", true, "Groups: %s: uniform u32, all ranks' together, by ranks",
                group_call_names[call]);
    columns(k);
    for (size_t c = 0; c < GROUP_COUNTS && group_counts[c] <= group_study_ranks(); c++) {
        snprintf(name, sizeof name, "%u rank%s", group_counts[c], group_counts[c] > 1 ? "s" : "");
        line(k, name, (group_point){call, GROUP_UNIFORM, group_counts[c], 0});
    }
    k->each(&k->table, k->to);
}

static uint32_t most_ranks(void) {
    uint32_t most = 1;
    for (size_t c = 0; c < GROUP_COUNTS && group_counts[c] <= group_study_ranks(); c++) most = group_counts[c];
    return most;
}

static void over_skew(maker *k, group_call call) {
    study_begin(&k->table, "M items/s", "u32 a rank", true, "Groups: %s: by keys, %u ranks", group_call_names[call],
                most_ranks());
    columns(k);
    for (group_skew skew = 0; skew < GROUP_SKEWS; skew++)
        if (group_has_skew(call, skew)) line(k, group_skew_names[skew], (group_point){call, skew, most_ranks(), 0});
    k->each(&k->table, k->to);
}

static void over_ranks(maker *k) {
    char n[24];
    study_begin(&k->table, "", "", false, "%s", ""); /* for its columns' sake */
    const size_t last = columns(k);
    study_begin(&k->table, "M items/s", "ranks", true,
                "Groups: calls over ranks: uniform u32, %s a rank, all ranks' together",
                split_count(study_items(k->report, group_lengths[last]), n));
    for (size_t c = 0; c < GROUP_COUNTS && group_counts[c] <= group_study_ranks(); c++)
        study_column(&k->table, "%u", group_counts[c]);
    for (group_call call = 0; call < GROUP_CALLS; call++) {
        const size_t at = study_line(&k->table, "%s", group_call_names[call]);
        for (size_t c = 0; c < k->table.columns; c++)
            k->table.value[at][c] = rate(k, (group_point){call, GROUP_UNIFORM, group_counts[c], group_lengths[last]});
    }
    k->each(&k->table, k->to);
}

void group_tables(const bench_report *report, bench_each_table *each, void *to) {
    maker k = {.report = report, .each = each, .to = to};
    for (group_call call = 0; call < GROUP_CALLS; call++) over_lengths(&k, call);
    over_skew(&k, GROUP_SORT);
    over_skew(&k, GROUP_SPLIT);
    over_ranks(&k);
}
