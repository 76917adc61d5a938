/* Options of several subcommands: what is written behind them, or a usage error. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <argp.h>

#include <stddef.h>
#include <stdint.h>

/* --method: the place of `text` among the methods' names; the error lists these. */
size_t parse_method(struct argp_state *state, const char *text, const char *const *names, size_t count);

/* --NAME=N, a whole number from least to most. */
uint64_t parse_whole(struct argp_state *state, const char *name, const char *text, uint64_t least, uint64_t most);

#endif
