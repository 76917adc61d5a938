/* The calls whose programs a kernel pack holds. */
#ifndef KERNEL_PACK_CALLS_H
#define KERNEL_PACK_CALLS_H

#include "warpwise.h"

/* Makes the most used, or the others, on a device where nothing runs (compile_only.h), for every number of elements that makes a
 * difference. false, with the sentence on standard error, when one fails. */
bool make_calls(ww_device *device, bool most_used);

#endif
