/* The device source of several functions and types together, each definition once. */
#ifndef WW__SOURCE_H
#define WW__SOURCE_H

#include "warpwise/function.h"

/* As ww_function_source. */
size_t ww__functions_source(const ww_function *const *functions, size_t many_functions, const ww_type *const *types,
                            size_t many_types, char *text, size_t room);

#endif
