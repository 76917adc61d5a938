/* --op of scan and reduce. */
#ifndef CLI_OPERATORS_H
#define CLI_OPERATORS_H

#include "job.h"

typedef struct operation {
    const ww_function *function; /* NULL: --op was not given */
    const char *name;
} operation;

/* Each ends with a usage error: where the name is none of add, min, max and mul; where --op is missing. */
void parse_operation(struct argp_state *state, const char *name, operation *op);
void need_operation(struct argp_state *state, const operation *op);

#endif
