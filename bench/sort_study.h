/* The studies of `warpwise bench sort`: every method over n, keys by their width, records by size and key. A point is one thing
 * that is measured: a row of the benchmark, whose contestants are methods on the same data. Tables are made of rows
 * (sort_tables.c), and are those of
 *
 * Patidar and Narayanan, Scalable Split and Gather Primitives for the GPU (2009), section 5.1;
 * Ashkiani, Parallel Algorithms and Dynamic Data Structures on the GPU (dissertation, 2017), section 3.7.1;
 * Hou, Zhou and Guo, BSGP: Bulk-Synchronous GPU Programming (2008), section 2. */
#ifndef BENCH_SORT_STUDY_H
#define BENCH_SORT_STUDY_H

#include "report.h"

typedef enum sort_kind {
    SORT_METHODS, /* u32 keys, with u32 values or without, by each method */
    SORT_DIGITS,  /* the same by method multisplit with each width of digits */
    SORT_WIDTH,   /* numbers of so many bits */
    SORT_RECORDS  /* records by their first bytes */
} sort_kind;

typedef struct sort_point {
    sort_kind kind;
    size_t n;
    bool values;
    uint32_t bits;        /* of a number */
    uint32_t record, key; /* bytes */
} sort_point;

bool sort_same(const sort_point *a, const sort_point *b); /* the same row */

/* All points as rows, made at the first call (sort_rows.c). */
const bench_row *sort_studies(size_t *count);
/* The results as tables (sort_tables.c). */
void sort_tables(const bench_report *report, bench_each_table *each, void *to);

/* The lists that rows and tables agree on. */
enum {
    SORT_LENGTHS = 9,
    SORT_WIDTHS = 4,
    SORT_LISTS = 5,
    SORT_SIZES = 4,
    SORT_KEYS = 3,
    DIGIT_LEAST = 4,
    DIGIT_MOST = 8
};
extern const size_t sort_lengths[SORT_LENGTHS];  /* of arrays */
extern const uint32_t sort_widths[SORT_WIDTHS];  /* bits of numbers, but 32 */
extern const size_t sort_lists[SORT_LISTS];      /* lengths of lists of records */
extern const uint32_t sort_sizes[SORT_SIZES];    /* bytes of records */
extern const uint32_t sort_key_bytes[SORT_KEYS]; /* of records' keys */
enum { SORT_RECORDS_N = 1 << 24, SORT_DIGITS_N = 1 << 25 };

/* Named methods, those first that have no limit. */
enum { SORT_METHOD_COUNT = 9 };
extern const char *const sort_method_names[SORT_METHOD_COUNT];

/* What rows do (sort_methods.c, sort_records.c; sort.c has the data of numbers). */
extern const bench_row sort_methods_row, sort_digits_row, sort_width_row, sort_records_row;
/* Methods that take so many keys. */
size_t sort_methods_for(size_t n);

void sort_make_u32(bench_work *w);
void sort_make_pairs(bench_work *w); /* values are positions */
bool sort_right_u32(const bench_work *w);
bool sort_right_pairs(const bench_work *w);

#endif
