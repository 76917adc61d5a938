/* Rows and columns: structs of several arrays' elements, put together and taken apart. */
#ifndef WW__COLUMNS_H
#define WW__COLUMNS_H

#include "device/device.h"

/* Whether columns are two, three or four of 4 or of 8 bytes, without a byte between them. */
bool ww__columns_are_even(const size_t *sizes, uint32_t many, size_t size);

/* out[i] has column k's element i, of sizes[k] bytes, at at[k]. Bytes between members become 0. */
void ww__put_together(const ww_device *device, void *out, size_t size, const void *const *columns, const size_t *sizes,
                      const size_t *at, uint32_t many, size_t n);
/* The same back. */
void ww__take_apart(const ww_device *device, void *const *columns, const size_t *sizes, const size_t *at, uint32_t many,
                    const void *rows, size_t size, size_t n);

#endif
