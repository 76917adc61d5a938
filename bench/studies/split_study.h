/* The studies of `warpwise bench split`: what section 3.6 of Ashkiani (2017) and the records paper's sections 3 and 4 measured,
 * here. A point is one thing that was: it is a row of the benchmark, whose contestants are methods or calls on the same data.
 * Tables are made of rows.
 *
 * Ashkiani, Parallel Algorithms and Dynamic Data Structures on the GPU (dissertation, 2017), chapter 3.
 * Patidar and Narayanan, Scalable Split and Gather Primitives for the GPU (2009). */
#ifndef BENCH_SPLIT_STUDY_H
#define BENCH_SPLIT_STUDY_H

#include "measuring/report.h"

typedef enum split_kind {
    SPLIT_DELTA,    /* u32 keys into buckets of equal width, by all methods */
    SPLIT_IDENTITY, /* u32 keys that are their buckets' numbers; sorting them by these bits beside */
    SPLIT_RECORDS,  /* records by so many bits */
    SPLIT_EIGHT,    /* records by 8 bits, and the unstable form */
    SPLIT_INDEX,    /* the gather order of records, and the scatter order */
    SPLIT_MOVE      /* gather and scatter of records, and one record a thread */
} split_kind;

/* How keys are distributed over buckets: those of Ashkiani (2017), and all in one. */
typedef enum split_keys { KEYS_UNIFORM, KEYS_QUARTER, KEYS_BINOMIAL, KEYS_EQUAL, SPLIT_KEYS } split_keys;
extern const char *const split_keys_names[SPLIT_KEYS];

typedef struct split_point {
    split_kind kind;
    size_t n;
    bool sort;        /* SPLIT_DELTA: a sort of all bits beside */
    uint32_t buckets; /* of keys */
    split_keys keys;
    bool values;     /* u32, with the keys */
    uint32_t record; /* bytes */
    uint32_t bits;   /* of the field, from bit 0 on */
} split_point;

/* All points as rows, made at the first call (split_rows.c). */
const bench_row *split_studies(size_t *count);
/* The results as tables (split_tables.c). */
void split_tables(const bench_report *report, bench_each_table *each, void *to);

/* The lists that rows and tables agree on. */
enum {
    BUCKET_COUNTS = 8,
    COMPARED_SIZES = 3,
    COMPARED_COUNTS = 6,
    LENGTHS = 4,
    FIELDS = 4,
    NARROW = 4,
    SIZES = 7,
    MOVES = 3
};
extern const uint32_t split_bucket_counts[BUCKET_COUNTS];     /* 2 … 256 */
extern const size_t split_compared_sizes[COMPARED_SIZES];     /* auto beside the best method: n */
extern const uint32_t split_compared_counts[COMPARED_COUNTS]; /* … and m */
extern const size_t split_lengths[LENGTHS];                   /* of lists: figure 8 */
extern const uint32_t split_fields[FIELDS];                   /* bits of keys: figures 8 to 10 */
extern const uint32_t split_narrow[NARROW];                   /* bytes of records: figure 9 */
extern const uint32_t split_sizes[SIZES];                     /* bytes of records: split8, gather, scatter */
extern const size_t split_moves[MOVES];                       /* lengths of lists: figures 10 and 12 */
enum { KEYS_N = 1 << 25, RECORDS_N = 1 << 24, SIZES_N = 1 << 22 };

bool split_same(const split_point *a, const split_point *b); /* the same row */
/* "2^25" where it is a power of two */
const char *split_count(size_t n, char text[24]);
/* Whether figure 12 has it: up to 2 GiB. */
bool split_point_moves(size_t n, uint32_t record); /* figure 12's, up to 2 GiB */

/* What rows do (split_methods.c, split_records.c). */
extern const bench_row split_delta_row, split_identity_row, split_records_row, split_eight_row, split_index_row,
    split_move_row;

/* ---- bytes that stages move (split_stages.c) ---- */

typedef enum split_stage { PRESCAN, SCAN, POSTSCAN, STAGES } split_stage;

/* Bytes an element that each stage of a method asks of memory, by the formulas at the top of split_stages.c. Returns false for
 * a method that is not there (auto, a sort). */
bool split_stage_bytes(const char *method, bool cpu, const split_point *point, double bytes[STAGES]);

#endif
