/* The other side of device/gpu/unpack.h. */
#ifndef KERNEL_PACK_SQUEEZE_H
#define KERNEL_PACK_SQUEEZE_H

#include "device/gpu/unpack.h"

/* The packed form of what stands behind `before` bytes at data, to be freed by free(); NULL where memory ran out. Chances go on.
 * quick: in a part of the time, to a half more. */
unsigned char *squeeze(ww__chances *chances, const unsigned char *data, size_t before, size_t bytes, bool quick,
                       size_t *packed_bytes);

#endif
