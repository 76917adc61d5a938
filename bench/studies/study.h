/* A table of a study: a value for each line and column, printed, written to the JSON, and drawn as a chart of lines over the
 * columns. */
#ifndef BENCH_STUDY_H
#define BENCH_STUDY_H

#include "measuring/bench.h"

enum { TABLE_COLUMNS = 10, TABLE_LINES = 48 };

typedef struct bench_table {
    char title[200];         /* what it remakes, and of what */
    const char *unit, *over; /* of the values; what the columns are */
    bool drawn;
    size_t columns, lines;
    char column[TABLE_COLUMNS][24], line[TABLE_LINES][48];
    double value[TABLE_LINES][TABLE_COLUMNS];  /* NaN: none */
    char note[TABLE_LINES][TABLE_COLUMNS][16]; /* printed behind the value */
} bench_table;

/* Where tables go, and what is in the making. */
typedef struct study_maker {
    const struct bench_report *report;
    bench_each_table *each;
    void *to;
    bench_table table;
} study_maker;

void study_begin(bench_table *table, const char *unit, const char *over, bool drawn, const char *title, ...)
    __attribute__((format(printf, 5, 6)));
size_t study_column(bench_table *table, const char *name, ...) __attribute__((format(printf, 2, 3)));
/* A line without values yet. */
size_t study_line(bench_table *table, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* Whether it has any value. */
bool study_has_values(const bench_table *table);
/* Prints what has values; `nothing` is not looked at. A bench_each_table. */
void study_print(const bench_table *table, void *nothing);

#endif
