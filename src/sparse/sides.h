/* A sparse matrix times vectors, on checked requests, and the backends of it. */
#ifndef WW__SPARSE_SIDES_H
#define WW__SPARSE_SIDES_H

#include "function/check.h"

/* y[r * vectors + v] = alpha * sum + beta * y[…], in a type of u32, u64 (whose numbers signed ones share), f32 or f64. There is at
 * least one row. */
typedef struct ww__spmv_request {
    const ww_input *values, *columns, *offsets;
    const void *x;
    uint64_t width; /* columns that there are */
    uint64_t vectors;
    const ww_array *y;
    uint64_t rows;
    unsigned char alpha[8] __attribute__((aligned(8))), beta[8] __attribute__((aligned(8)));
    bool scaled;      /* alpha is not 1 */
    bool accumulates; /* beta is not 0 */
} ww__spmv_request;

/* Where bad data was found: the lowest positions. */
typedef struct ww__spmv_faults {
    ww__fault column, offset;
} ww__spmv_faults;

ww_status ww__spmv_cpu(ww_device *device, const ww__spmv_request *r, ww__spmv_faults *faults);
ww_status ww__spmv_gpu(ww_device *device, const ww__spmv_request *r);

/* RANGE: an index of a column, an offset, of a type with this label. */
ww_status ww__say_column(ww_device *device, const char *label, uint64_t width, uint64_t position, uint64_t value);
ww_status ww__say_row_offset(ww_device *device, const char *label, uint64_t entries, uint64_t position, uint64_t value);

#endif
