/* check_values.h as C++. */
#include "check_values.h"
