/* What the measurements say: figures derived from them, the table, and the JSON. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "measuring/bench.h"
#include "measuring/copy.h"
#include "measuring/machine.h"
#include "measuring/measure.h"
#include "studies/study.h"

typedef struct bench_report {
    const bench_run *run;
    bench_machine machine;
    copy_rate copy;
    double huge_share;     /* of the memory that was measured on, on 2 MiB pages */
    bench_result *results; /* a slot for each row of each family (families.h) */
    size_t count;
} bench_report;

/* ---- figures (figures.c) ---- */

typedef enum verdict { NO_TARGET, MET, NOT_MET, NOT_KNOWN } verdict;

/* Seconds of a sample by the median; 0 when it did not run. */
double median_of(const bench_result *result, size_t entry);
/* The same of the contestant of that name; "auto" is Warpwise, too. NaN where it was not measured, or `result` is NULL. */
double seconds_by(const bench_result *result, const char *who);
/* How many items a study's row of so many has in this run. */
size_t study_items(const bench_report *report, size_t n);
/* How many of these rising lengths are columns of a study over n: those that --size does not cut. `least` tells that rows of the
 * first one are measured whatever the size, cut then. */
size_t study_lengths(const bench_report *report, const size_t *lengths, size_t count, bool least);
/* M items per second by the median; 0 when it did not run. */
double items_rate(const bench_result *result, size_t entry);
/* Warpwise's rate as a part of the copy rate of the row's element. */
double copy_fraction(const bench_report *report, const bench_result *result, size_t entry);
/* Warpwise's rate over the entry's, both medians of the same rounds; on one thread where the entry runs on one. */
double rate_ratio(const bench_result *result, size_t entry);
/* What a target is held against: a peer's name, "base" or "copy". */
const char *against_name(bench_against against);
/* The entry that the target is held against: an index, or 0 where there is none. */
size_t target_entry(const bench_result *result);
/* The ratio that the target asks about. */
double target_reached(const bench_report *report, const bench_result *result);
/* Whether an absolute figure counts: the copy rate is 42 to 50 GB/s. */
bool absolute_counts(const bench_report *report);
verdict target_verdict(const bench_report *report, const bench_result *result);
/* "at least 0.35 of the copy rate" */
void target_text(const bench_report *report, const bench_result *result, char *text, size_t room);

/* ---- the table (table.c) ---- */
void table_head(const bench_report *report);
void table_rows(const bench_report *report);

/* Calls `each` for every table that the results give. */
void report_tables(const bench_report *report, bench_each_table *each, void *to);

/* ---- JSON (json.c): false when the file could not be written whole. It takes the place of an older one at once; `finished`
 * tells that nothing more will be measured, and tables are written, too. ---- */
bool json_write(const bench_report *report, const char *path, bool finished);

#endif
