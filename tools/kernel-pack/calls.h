/* The calls whose programs a kernel pack holds. */
#ifndef KERNEL_PACK_CALLS_H
#define KERNEL_PACK_CALLS_H

#include "warpwise.h"

/* How programs are made: as machine code for every target and as PTX for the oldest, as that PTX alone, or so that few do for all types,
 * sizes and options: PTX, too, optimised less, which drivers make machine code of when it is first used, and keep. */
typedef enum made { EACH, OWN, REST } made;

/* Makes those calls on a device where nothing runs (compile_only.h), for every number of elements that makes a
 * difference. false, with the sentence on standard error, when one fails. */
bool make_calls(ww_device *device, made how);

#endif
