/* Two arrays of one type, for the subcommands that take such: the first two files of the line. */
#ifndef CLI_TWO_INPUTS_H
#define CLI_TWO_INPUTS_H

#include "job.h"

/* parse_files, which ends with a usage error when the second is raw without --type, too, or both are standard input. */
error_t parse_two_inputs(int key, char *argument, struct argp_state *state, job *j);

/* Reads both; FAILED where their types differ. */
int read_two_inputs(job *j, ww_file_array *a, ww_file_array *b);

#endif
