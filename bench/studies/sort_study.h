/* The studies of `warpwise bench sort`: every method over n, over the keys' width and over the size of key and value; numbers by
 * their width, records by size and key. A point is one thing that is measured: a row of the benchmark, whose contestants are
 * methods on the same data. Tables are made of rows (sort_tables.c), and are those of
 *
 * Patidar and Narayanan, Scalable Split and Gather Primitives for the GPU (2009), section 5.1;
 * Ashkiani, Parallel Algorithms and Dynamic Data Structures on the GPU (dissertation, 2017), section 3.7.1;
 * Hou, Zhou and Guo, BSGP: Bulk-Synchronous GPU Programming (2008), section 2. */
#ifndef BENCH_SORT_STUDY_H
#define BENCH_SORT_STUDY_H

#include "measuring/report.h"

typedef enum sort_kind {
    SORT_METHODS,  /* u32 keys, with u32 values or without, by each method: over n */
    SORT_ELEMENTS, /* keys of so many bits, with values of so many bytes or without, by each method */
    SORT_DIGITS,   /* keys by method multisplit with each width of digits */
    SORT_WIDTH,    /* numbers of so many bits by auto and by method multisplit: over n */
    SORT_RECORDS   /* records by their first bytes */
} sort_kind;

typedef struct sort_point {
    sort_kind kind;
    size_t n;
    uint32_t bits, value; /* of a key; bytes of a value, 0: none */
    uint32_t record, key; /* bytes, of a record instead */
} sort_point;

bool sort_same(const sort_point *a, const sort_point *b); /* the same row */

/* All points as rows, made at the first call (sort_rows.c). */
const bench_row *sort_studies(size_t *count);
/* The results as tables (sort_tables.c). */
void sort_tables(const bench_report *report, bench_each_table *each, void *to);

/* The lists that rows and tables agree on. */
enum {
    SORT_LENGTHS = 9,
    SORT_WIDTHS = 5,
    SORT_VALUES = 5,
    SORT_LISTS = 5,
    SORT_SIZES = 4,
    SORT_KEYS = 3,
    DIGIT_LEAST = 4,
    DIGIT_MOST = 8
};
extern const size_t sort_lengths[SORT_LENGTHS];  /* of arrays */
extern const uint32_t sort_widths[SORT_WIDTHS];  /* bits of numbers, 32 first */
extern const uint32_t sort_values[SORT_VALUES];  /* bytes of values: with a key of u32 a record of 8 to 128 */
extern const size_t sort_lists[SORT_LISTS];      /* lengths of lists of records */
extern const uint32_t sort_sizes[SORT_SIZES];    /* bytes of records */
extern const uint32_t sort_key_bytes[SORT_KEYS]; /* of records' keys */
enum {
    SORT_RECORDS_N = 1 << 24,
    SORT_DIGITS_N = 1 << 25,
    SORT_ELEMENTS_N = 1 << 20, /* keys by their width, by digits */
    SORT_SPLITS_MOST = 1 << 24 /* method multisplit over n, keys wider than 32 bits: up to 16 splits */
};

/* Named methods, those first that have no limit. */
enum { SORT_METHOD_COUNT = 9 };
extern const char *const sort_method_names[SORT_METHOD_COUNT];

/* Methods by the width of keys and the size of values: those that take long have fewer elements. Each group of them is a row,
 * auto beside. */
typedef struct sort_group {
    size_t n, first, count; /* of sort_method_names */
} sort_group;
enum { SORT_GROUPS = 3 };
extern const sort_group sort_groups[SORT_GROUPS];

/* What rows do (sort_methods.c, sort_records.c). */
extern const bench_row sort_methods_row, sort_elements_row, sort_digits_row, sort_width_row, sort_records_row;
/* Records of as many bytes as the row's parameter says. */
void sort_records_make(bench_work *w);
ww_status sort_records_run(bench_work *w);
bool sort_records_right(const bench_work *w);
/* Methods that take so many keys. */
size_t sort_methods_for(size_t n);
/* The methods of a group as contestants. */
const bench_rival *sort_group_rivals(const sort_group *group);

#endif
