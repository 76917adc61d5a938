/* What `warpwise join` computes as it is read; the kernel pack has programs of it (tools/kernel-pack). */
#ifndef CLI_JOIN_MAPS_H
#define CLI_JOIN_MAPS_H

#include "warpwise.h"

WW_MAP2(difference, uint64_t, uint64_t, a, uint64_t, b, void, none, { return a - b; });
WW_MAP2(sum, uint64_t, uint64_t, a, uint64_t, b, void, none, { return a + b; });

#endif
