/* The device source of several functions and types together, each definition once. */
#ifndef WW__SOURCE_H
#define WW__SOURCE_H

#include "warpwise/function.h"

/* What is wanted; and out, for each, the number N of the namespace ww_caller_N in which its name stands, 0 where it stands in none
 * (C's types). A function's namespace has the name of its environment's type, too. */
typedef struct ww__definitions {
    const ww_function *const *functions;
    const ww_type *const *types;
    size_t many_functions, many_types;
    uint32_t *function_spaces, *type_spaces;
} ww__definitions;

/* As ww_function_source. */
size_t ww__functions_source(const ww__definitions *of, char *text, size_t room);

#endif
