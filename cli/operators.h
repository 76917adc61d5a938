/* --op of scan and reduce. */
#ifndef CLI_OPERATORS_H
#define CLI_OPERATORS_H

#include <warpwise.h>

/* add, min, max, mul; NULL for another name. */
const ww_function *operator_named(const char *name);

#endif
