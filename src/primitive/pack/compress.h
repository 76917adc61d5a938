/* Compressing: of the elements in memory, those whose bit is set, side by side. */
#ifndef WW__COMPRESS_H
#define WW__COMPRESS_H

#include "device/device.h"

/* A loop may write so many bytes behind the last element that it was to write. */
enum { WW__COMPRESS_SLACK = 64 };

/* Writes those of the n elements at `in` whose bit is set to `out`, in order, and returns how many. The bit of element
 * i is bit i % 64 of bits[i / 64] ^ flip, so one set of bits serves both sides of a split; later bits are ignored.
 * While it works it asks for the memory `ahead` bytes further on than what it reads (0: for none). */
typedef size_t ww__compress(void *out, const void *in, const uint64_t *bits, uint64_t flip, size_t n, size_t size,
                            size_t ahead);

/* The loop for elements of `size` bytes. */
ww__compress *ww__compress_loop(const ww_device *device, size_t size);

/* Few of many: the same for `kept` set bits, at most one in WW__COMPRESS_FEW of n <= WW__COMPRESS_MOST; writes nothing behind the last
 * element. */
enum { WW__COMPRESS_FEW = 32, WW__COMPRESS_MOST = 4096 };
void ww__compress_few(const ww_device *device, void *out, const void *in, const uint64_t *bits, size_t n, size_t kept,
                      size_t size);

/* A loop that writes nothing behind the last element; NULL where there is none for this size and width. */
ww__compress *ww__compress_loop_exact(const ww_device *device, size_t size);

#endif
