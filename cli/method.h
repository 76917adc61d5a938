/* --method of subcommands whose work is done in several ways. */
#ifndef CLI_METHOD_H
#define CLI_METHOD_H

#include <argp.h>

#include <stddef.h>

/* The place of `name` among the methods' names; ends with a usage error that lists them when it is none. */
size_t parse_method(struct argp_state *state, const char *name, const char *const *names, size_t count);

#endif
