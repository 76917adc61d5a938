/* The text family's rows, and the studies of `warpwise bench text`: the tables and figures of section 2.8 of
 *
 * Ashkiani, Parallel Algorithms and Dynamic Data Structures on the GPU (dissertation, 2017), chapter 2.
 *
 * A point is a text and a length of patterns; the contestants are methods. Those that are slow have rows of their own with
 * shorter texts. */
#ifndef BENCH_TEXT_STUDY_H
#define BENCH_TEXT_STUDY_H

#include "measuring/report.h"
#include "studies/text_data.h"

typedef enum text_methods {
    TEXT_FAST,   /* auto, twostage, divide, divide64 and divide32 within their limits */
    TEXT_SCANS,  /* cooperative, recurrence, hybrid */
    TEXT_SERIAL, /* serial */
    TEXT_PACKED, /* the methods that take packed texts */
    TEXT_EVERY,  /* auto and all but serial */
    TEXT_GROUPS
} text_methods;

typedef struct text_point {
    text_methods group;
    text_kind kind;
    unsigned bits; /* of a character */
    size_t n, m;
    bool lengths; /* of the figure over n, or over m and n */
} text_point;

bool text_same(const text_point *a, const text_point *b); /* the same row */

/* All points as rows, made at the first call (text_rows.c). */
const bench_row *text_studies(size_t *count);
/* The results as tables (text_tables.c). */
void text_tables(const bench_report *report, bench_each_table *each, void *to);

/* The lists that rows and tables agree on. */
enum { TEXT_MS = 7, TEXT_SPACE = 4, TEXT_BINARY_MS = 10, TEXT_LENGTHS = 8, TEXT_WIDTHS = 3, TEXT_REAL = 4 };
extern const size_t text_ms[TEXT_MS];               /* lengths of patterns */
extern const size_t text_binary_ms[TEXT_BINARY_MS]; /* of patterns of bits: figure 2.3 (a) */
extern const size_t text_lengths[TEXT_LENGTHS];     /* of texts: figure 2.3 (b) */
extern const size_t text_space[TEXT_SPACE];         /* of texts: figure 2.3 (c) */
extern const unsigned text_packed_bits[TEXT_WIDTHS];
extern const text_kind text_real[TEXT_REAL]; /* tables 2.5 to 2.7, and the sources */
/* Characters of the random texts that a group's methods get; those of a real text. */
extern const size_t text_group_n[TEXT_GROUPS];
size_t text_real_n(text_kind kind);

/* What study rows do (text_methods.c), and how many of its rivals a point's patterns are within the limits of. */
extern const bench_row text_group_rows[TEXT_GROUPS];
size_t text_rivals(const text_point *point);

/* What text.c's rows do (text_find.c, text_many.c). A row's parameter: */
#define TEXT_ROW(kind, m, most) ((uint64_t)(kind) | (uint64_t)(most) << 8 | (uint64_t)(m) << 16)
static inline text_kind text_row_kind(const bench_work *w) { return (text_kind)(w->parameter & 255); }
static inline unsigned text_row_most(const bench_work *w) { return (unsigned)(w->parameter >> 8 & 255); }
static inline size_t text_row_m(const bench_work *w) { return (size_t)(w->parameter >> 16); }

enum { TEXT_TURNS = 5 /* patterns of a row */ };

/* Methods but auto and serial, as figure 2.3 (c) compares them. */
enum { TEXT_NAMED = 7 };
extern const bench_rival text_named[TEXT_NAMED];

void text_find_make(bench_work *w);
ww_status text_find_run(bench_work *w);
ww_status text_read_run(bench_work *w); /* the base: the library's own reduction of the same bytes, as u64 */
bool text_find_right(const bench_work *w);
extern const bench_rival text_read_rivals[2]; /* the same as u32 and u8 */

void text_many_make(bench_work *w);
ww_status text_many_run(bench_work *w);
bool text_many_right(const bench_work *w);
void text_many_end(void);

void text_near_make(bench_work *w);
ww_status text_near_run(bench_work *w);
bool text_near_right(const bench_work *w);

#endif
