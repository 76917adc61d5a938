#include "method.h"

#include <stdio.h>
#include <string.h>

size_t parse_method(struct argp_state *state, const char *name, const char *const *names, size_t count) {
    char all[300] = "";
    size_t length = 0;
    for (size_t m = 0; m < count; m++)
        if (strcmp(name, names[m]) == 0) return m;
    for (size_t m = 0; m < count && length < sizeof all; m++)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", m ? ", " : "", names[m]);
    argp_error(state, "--method=%s: is none of %s", name, all);
    return 0;
}
