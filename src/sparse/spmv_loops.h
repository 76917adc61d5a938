/* What a tile of a sparse matrix is to its vectors: sums of runs of entries. */
#ifndef WW__SPMV_LOOPS_H
#define WW__SPMV_LOOPS_H

#include "device/device.h"

/* Vectors that one loop works on; more are several loops over a tile, which stays in the first-level cache. */
enum { WW__SPMV_TOGETHER = 8 };

typedef struct ww__spmv_run {
    const void *values, *columns, *x; /* of the tile's first entry on; no values: 1 each, of one vector */
    const uint32_t *end;              /* run i's entries are end[i - 1] … end[i] - 1, the first's from 0 on */
    size_t runs;
    uint64_t vectors;
    void *sums; /* runs * vectors */
    bool far;   /* of one vector: x is larger than caches that are near */
} ww__spmv_run;

typedef struct ww__spmv_loops {
    void (*one)(const ww__spmv_run *run);  /* of one vector */
    void (*many)(const ww__spmv_run *run); /* of any number */
    /* y[i] = sums[i], alpha * sums[i], or either and beta * y[i]; NULL for a factor that is not wanted */
    void (*put)(void *y, const void *sums, size_t n, const void *alpha, const void *beta);
    void (*add)(void *to, const void *what, size_t n); /* to[i] = to[i] + what[i] */
} ww__spmv_loops;

/* For values of a type, by their place in types.h, and columns of 4 or 8 bytes. */
const ww__spmv_loops *ww__spmv_loops_of(const ww_device *device, const ww_type *type, size_t column_size);

/* The largest of n numbers of 4 or 8 bytes. */
uint64_t ww__spmv_largest(const ww_device *device, const void *columns, size_t size, size_t n);

/* end[i] = offsets[i] - base for n offsets that do not decrease from `least` on and do not exceed `most`: whether they are such. */
bool ww__spmv_ends(const ww_device *device, uint32_t *end, const void *offsets, size_t size, size_t n, uint64_t base,
                   uint64_t least, uint64_t most);

#endif
