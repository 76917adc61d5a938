/* A multisplit's loops through lines for one key size and all value sizes; lines.c includes this file with
 *     KEY       a type of the keys' size
 *     KEY_NAME  its short name */

#define NAME(what) JOINED(what, KEY_NAME)
typedef KEY NAME(key) __attribute__((aligned(1), may_alias));
#define ANY_KEY NAME(key)

#define PAIRS "radix/lines_move.h"
#define LOOPS ww__lines_loops
#include "radix/lines_values.h"

#undef NAME
#undef ANY_KEY
#undef KEY
#undef KEY_NAME
