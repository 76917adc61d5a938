/* Groups of ranks in this process, for tests: how an array is cut into blocks, which devices the ranks have, and running a body on all
 * of them. Bodies write to memory of their own rank, and the test's thread looks at it afterwards: a failing expectation on
 * another thread would not end the test. */
#ifndef TESTS_GROUPS_H
#define TESTS_GROUPS_H

#include "support/cases.h"

enum { RANKS_MOST = 16 };

/* The numbers of ranks that are tried: 1, 2, 3, 4, 7, 16; fewer where tests are short. */
size_t group_sizes(const uint32_t **sizes);

typedef enum cut { CUT_EVENLY, CUT_AT_RANDOM, CUT_MOSTLY_EMPTY, CUT_ONE_HAS_ALL, CUTS } cut;
const char *cut_name(cut c);
/* first[r] … first[r + 1] - 1 is rank r's block. */
void cut_blocks(cut c, size_t n, uint32_t ranks, uint64_t seed, size_t first[RANKS_MOST + 1]);

/* CPUs of one thread, or of two on every third rank. In a test of the emulator up to three ranks are all of it, more of it and of a CPU
 * in turn; on GPUs these take turns, too. */
const char *group_device(uint32_t rank, uint32_t ranks);
/* How many GPUs there are; 1 for the emulator, 0 where tests are of CPUs. */
uint32_t group_gpus(void);

/* Runs the body on so many ranks, and gives back what ww_group_run does; `why` is its sentence. The limit is 20 s. */
extern char group_why[512];
ww_status group_run(uint32_t ranks, ww_group_body *body, void *context);
/* The same, which has to succeed. */
void group_do(uint32_t ranks, ww_group_body *body, void *context);
/* The sentence has this part. */
void expect_group_said(const char *part);

#endif
