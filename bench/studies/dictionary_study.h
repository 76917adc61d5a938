/* The studies of `warpwise bench dictionary`: how cost grows with elements, batches, memory use and the part of updates. They are the
 * tables and figures of
 *
 * Ashkiani, Parallel Algorithms and Dynamic Data Structures on the GPU (dissertation, 2017), sections 4.5 and 5.6.
 *
 * A point is a dictionary and what is done to it; beside it stand a sorted array and a static cuckoo table (Alcantara et al., 2009). */
#ifndef BENCH_DICTIONARY_STUDY_H
#define BENCH_DICTIONARY_STUDY_H

#include "measuring/report.h"

typedef enum dictionary_kind {
    STUDY_INSERT, /* bulk insertion into a slab hash, by memory use and n */
    STUDY_THERE,  /* searches that find all */
    STUDY_NOT_THERE,
    STUDY_BATCHES, /* batches of `more` pairs, one after another */
    STUDY_MIX,     /* `more` of ten operations are updates */
    STUDY_LSM_INSERT,
    STUDY_LSM_THERE,
    STUDY_LSM_NOT_THERE,
    STUDY_LSM_COUNT, /* of width 8; 1024 */
    STUDY_LSM_COUNT_WIDE,
    STUDY_LSM_RANGE,
    STUDY_LSM_RANGE_WIDE,
    STUDY_KINDS
} dictionary_kind;

typedef struct dictionary_point {
    dictionary_kind kind;
    size_t n;
    uint32_t use;  /* memory use in thousandths; 0: the ordered dictionary */
    uint32_t more; /* pairs of a batch; updates of ten operations; batches of the ordered dictionary */
} dictionary_point;

bool dictionary_same(const dictionary_point *a, const dictionary_point *b); /* the same row */

/* All points as rows, made at the first call (dictionary_rows.c). */
const bench_row *dictionary_studies(size_t *count);
/* The results as tables (dictionary_tables.c). */
void dictionary_tables(const bench_report *report, bench_each_table *each, void *to);

/* The lists that rows and tables agree on. */
enum { STUDY_USES = 10, STUDY_LENGTHS = 6, STUDY_SUMS = 4, STUDY_PARTS = 3, STUDY_LEVELS = 5, STUDY_SPLITS = 5 };
enum { STUDY_USE_N = 1 << 22, STUDY_LENGTH_USE = 600, STUDY_BATCH_USE = 655, STUDY_LSM_N = 1 << 24 };
extern const uint32_t study_uses[STUDY_USES];          /* figures 5.4 and 5.7 */
extern const size_t study_slab_lengths[STUDY_LENGTHS]; /* figure 5.5 */
extern const size_t study_sums[STUDY_SUMS];            /* figure 5.6: pairs in the end, */
extern const uint32_t study_batches[STUDY_PARTS];      /* and in a batch */
extern const uint32_t study_updates[STUDY_PARTS];      /* figure 5.7 */
extern const uint32_t study_splits[STUDY_SPLITS];      /* table 4.2: batches that all elements come in */
/* Tables 4.3 and 4.4: of 256 batches so many are there, which are so many levels. */
extern const struct study_levels { uint32_t batches, levels; } study_levels[STUDY_LEVELS];

/* Operations of a kind where there are so many elements: of ranges there are fewer. */
size_t study_queries(dictionary_kind kind, size_t elements);

#endif
