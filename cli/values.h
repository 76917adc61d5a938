/* --values, --values-out and --values-type of subcommands that move values with their keys. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "job.h"

typedef struct values {
    const char *in, *out; /* NULL: there are none */
    ww_array type;        /* of --values-type; type NULL when it was not given */
    ww_file_array file;   /* released by the caller */
} values;

/* The parent hands on its values in state->child_inputs. */
extern const struct argp values_options;

/* Ends with a usage error when one option lacks another, or keys and values would both be standard input. */
void check_values(struct argp_state *state, const values *v, const char *keys_in);

/* Reads the values, if there are any, as many as `keys`. Raw ones have the keys' type unless --values-type says another. */
int read_values(job *j, values *v, const char *keys_in, const ww_array *keys);

#endif
