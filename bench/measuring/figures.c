/* Rates and ratios, all from medians; targets as the rows state them. */
#include <math.h>
#include <string.h>

#include "measuring/report.h"

double median_of(const bench_result *r, size_t entry) {
    return entry < r->entries && r->entry[entry].ok ? r->entry[entry].seconds.median : 0;
}

double seconds_by(const bench_result *r, const char *who) {
    for (size_t e = 0; r && e < r->entries; e++)
        if (r->entry[e].ok && (!strcmp(r->entry[e].who, who) || (!e && !strcmp(who, "auto")))) return median_of(r, e);
    return NAN;
}

size_t study_items(const bench_report *report, size_t n) {
    const size_t most = report->run->most;
    return n < most ? n : most;
}

size_t study_lengths(const bench_report *report, const size_t *lengths, size_t count, bool least) {
    size_t columns = 0;
    while (columns < count && lengths[columns] <= report->run->most) columns++;
    return columns || !least ? columns : 1;
}

double items_rate(const bench_result *r, size_t entry) {
    const double seconds = median_of(r, entry);
    return seconds > 0 ? (double)r->n * (double)r->calls / seconds / 1e6 : 0;
}

double copy_fraction(const bench_report *report, const bench_result *r, size_t entry) {
    const double per_item = report->copy.gbps * 1e3 / (2.0 * (double)r->row->element); /* M items/s */
    return items_rate(r, entry) / per_item;
}

/* Warpwise's entry that stands beside that one: on one thread, where it runs on one and Warpwise did, too. */
static size_t own_entry(const bench_result *r, size_t entry) {
    for (size_t k = 1; k < r->entries && entry != k && on_one_thread(r->entry[entry].call); k++)
        if (!strcmp(r->entry[k].who, BENCH_ONE)) return k;
    return 0;
}

double rate_ratio(const bench_result *r, size_t entry) {
    const double other = items_rate(r, entry);
    return other > 0 ? items_rate(r, own_entry(r, entry)) / other : 0;
}

const char *against_name(bench_against against) {
    static const char *const names[] = {[AGAINST_NOTHING] = "",
                                        [AGAINST_COPY] = "copy",
                                        [AGAINST_TBB] = "TBB",
                                        [AGAINST_HIGHWAY] = "Highway",
                                        [AGAINST_BASE] = "base"};
    return names[against];
}

/* TBB stands there in one way or two: the better counts. */
size_t target_entry(const bench_result *r) {
    const char *who = against_name(r->row->target.against); /* no entry is called "copy" */
    size_t best = 0;
    for (size_t k = 1; k < r->entries; k++) {
        const bool second = r->row->target.against == AGAINST_TBB && !strcmp(r->entry[k].who, "TBB-2");
        if ((second || !strcmp(r->entry[k].who, who)) && (!best || items_rate(r, k) > items_rate(r, best))) best = k;
    }
    return best;
}

double target_reached(const bench_report *report, const bench_result *r) {
    switch (r->row->target.against) {
    case AGAINST_COPY:
        return copy_fraction(report, r, 0);
    case AGAINST_TBB:
    case AGAINST_HIGHWAY:
    case AGAINST_BASE:
        return target_entry(r) ? rate_ratio(r, target_entry(r)) : 0;
    case AGAINST_NOTHING:
        break;
    }
    return 0;
}

bool absolute_counts(const bench_report *report) { return report->copy.gbps >= 42 && report->copy.gbps <= 50; }

verdict target_verdict(const bench_report *report, const bench_result *r) {
    const bench_target *t = &r->row->target;
    if (t->against == AGAINST_NOTHING || !report->run->cpu) return NO_TARGET;
    if (!r->entry[0].ok) return NOT_MET;
    const double reached = target_reached(report, r);
    if (reached <= 0) return NOT_KNOWN; /* the peer is not here */
    if (reached < t->ratio) return NOT_MET;
    return t->absolute > 0 && absolute_counts(report) && items_rate(r, 0) < t->absolute ? NOT_MET : MET;
}

void target_text(const bench_report *report, const bench_result *r, char *text, size_t room) {
    const bench_target *t = &r->row->target;
    const char *what = against_name(t->against);
    if (t->against == AGAINST_NOTHING || !report->run->cpu)
        snprintf(text, room, "%s", "");
    else if (t->absolute > 0 && absolute_counts(report))
        snprintf(text, room, "%.3g x %s, %.0f M/s", t->ratio, what, t->absolute);
    else
        snprintf(text, room, "%.3g x %s", t->ratio, what);
}
