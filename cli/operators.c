#include "operators.h"

#include <string.h>

const ww_function *operator_named(const char *name) {
    if (strcmp(name, "add") == 0) return &ww_add;
    if (strcmp(name, "min") == 0) return &ww_min;
    if (strcmp(name, "max") == 0) return &ww_max;
    if (strcmp(name, "mul") == 0) return &ww_mul;
    return NULL;
}
