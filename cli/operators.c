#include "operators.h"

#include <string.h>

void parse_operation(struct argp_state *state, const char *name, operation *op) {
    static const struct {
        const char *name;
        const ww_function *function;
    } known[] = {{"add", &ww_add}, {"min", &ww_min}, {"max", &ww_max}, {"mul", &ww_mul}};
    op->name = name;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(name, known[k].name) == 0) op->function = known[k].function;
    if (!op->function) argp_error(state, "--op=%s: is not one of add, min, max, mul", name);
}

void need_operation(struct argp_state *state, const operation *op) {
    if (!op->function) argp_error(state, "--op=add|min|max|mul is missing");
}
