/* Two arrays of one type, for the subcommands that take such: the first two files of the line. */
#ifndef CLI_TWO_INPUTS_H
#define CLI_TWO_INPUTS_H

#include "job.h"

/* Ends with a usage error when one is raw without --type, or both are standard input. */
void check_two_inputs(struct argp_state *state, const job *j, const char *const *files);

/* Reads both; FAILED where their types differ. Both are released by the caller. */
int read_two_inputs(job *j, const char *const *files, ww_file_array *a, ww_file_array *b);

#endif
