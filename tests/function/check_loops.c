/* check_loops.h as C. */
#include "check_loops.h"
