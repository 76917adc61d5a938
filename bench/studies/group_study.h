/* The study of `warpwise bench group`: calls of groups over the elements a rank has, over the number of ranks, and over how keys are distributed. A
 * point is one call of so many ranks on so many elements: a row of the benchmark. Blocks are made on the ranks' own devices and stay
 * there; what comes out is held against serial code up to GROUP_CHECKED elements a rank, and sorts also beyond by the devices: no key before
 * a smaller one, and the sum as it was. */
#ifndef BENCH_GROUP_STUDY_H
#define BENCH_GROUP_STUDY_H

#include "measuring/report.h"

enum { GROUP_RANKS_MOST = 64, GROUP_LENGTHS = 9, GROUP_COUNTS = 7, GROUP_CHECKED = 1 << 20 };

typedef enum group_call {
    GROUP_SORT,
    GROUP_SPLIT,
    GROUP_EXCHANGE,
    GROUP_SCAN,
    GROUP_REDUCE,
    GROUP_HISTOGRAM,
    GROUP_CALLS
} group_call;
typedef enum group_skew { GROUP_UNIFORM, GROUP_FEW, GROUP_SORTED, GROUP_REVERSED, GROUP_ZIPF, GROUP_SKEWS } group_skew;

typedef struct group_point {
    group_call call;
    group_skew skew;
    uint32_t ranks;
    size_t n; /* of a rank */
} group_point;

extern const char *const group_call_names[GROUP_CALLS], *const group_skew_names[GROUP_SKEWS];

/* What the ranks are, once, before the rows are asked for: the devices that --device names, or so many of one kind; `threads` of a CPU are
 * shared by its ranks. */
void group_study_use(const char *const *names, uint32_t count, unsigned threads);
uint32_t group_study_ranks(void); /* at most */
const char *group_study_device(uint32_t rank, uint32_t ranks);
size_t group_study_most(void); /* elements of a rank, unless --size says another number */

/* All points as rows, made at the first call (group_rows.c); what they do (group_calls.c); the tables (group_tables.c). */
const bench_row *group_studies(size_t *count);
extern const bench_row group_study_row;
void group_tables(const bench_report *report, bench_each_table *each, void *to);

/* The lists that rows and tables agree on. */
extern const size_t group_lengths[GROUP_LENGTHS];
extern const uint32_t group_counts[GROUP_COUNTS];      /* of ranks */
bool group_has_skew(group_call call, group_skew skew); /* beside uniform keys */

#endif
