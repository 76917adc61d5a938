/* Calls that no kernel pack has, for test_gpu_plans: on structs of the caller's up to 1024 bytes, with operators and orders of the
 * caller's, and of keys and values of all sizes together. */
#ifndef TESTS_PLAN_CALLS_H
#define TESTS_PLAN_CALLS_H

#include "warpwise.h"

/* Makes them on a device where nothing runs. False, with the sentence on standard error, when one fails. */
bool make_plan_calls(ww_device *device);

#endif
