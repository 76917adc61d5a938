#include "option.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"

size_t parse_method(struct argp_state *state, const char *text, const char *const *names, size_t count) {
    char all[300] = "";
    size_t length = 0;
    for (size_t m = 0; m < count; m++)
        if (strcmp(text, names[m]) == 0) return m;
    for (size_t m = 0; m < count && length < sizeof all; m++)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", m ? ", " : "", names[m]);
    argp_error(state, "--method=%s: is not one of %s", text, all);
    return 0;
}

uint64_t parse_whole(struct argp_state *state, const char *name, const char *text, uint64_t least, uint64_t most) {
    uint64_t value = 0;
    if (!parse_count(text, least, most, &value))
        argp_error(state, "--%s=%s: is not a number from %" PRIu64 " to %" PRIu64, name, text, least, most);
    return value;
}
