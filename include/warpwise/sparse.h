/* Sparse matrices: a matrix in compressed sparse rows (CSR) times one vector, or a few.
 *
 *     ww_spmv(device, ww_memory(values, entries), ww_memory(columns, entries), ww_memory(offsets, rows + 1),
 *             ww_memory(x, width), ww_array(y, rows), NULL);                                        y = A x
 *
 * Row r's entries are values[offsets[r]] … values[offsets[r + 1] - 1], in the columns given by `columns`, in any order;
 * duplicates are added up. SciPy's csr_matrix calls these data, indices and indptr. For a matrix without values (a graph) use
 * ww_constant(ww_value(float, 1), entries).
 *
 * The common rules at the top of primitive.h (checks, statuses, scratch) apply here too. */
#ifndef WARPWISE_SPARSE_H
#define WARPWISE_SPARSE_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_spmv_options {
    size_t size;    /* WW_SPMV_OPTIONS fills it */
    ww_value alpha; /* of y's type; ww_no_value: 1 */
    ww_value beta;  /* of y's type; ww_no_value: 0, and y is not read */
} ww_spmv_options;
#define WW_SPMV_OPTIONS \
    { \
        sizeof(ww_spmv_options), {NULL, NULL, 0, {0}}, { NULL, NULL, 0, {0} } \
    }

/* y = alpha A x + beta y.
 *   values    f32, f64, or integers of 32 or 64 bits, which wrap (TYPE): memory or computed, as often as it is read
 *   columns   one for each value; u32, u64, i32 or i64. One that is negative, or not below x.count, is RANGE with its position
 *   offsets   one more than y has elements (INVALID); u32, u64, i32 or i64. They never decrease and end at or before
 *             values.count, else RANGE with the position; on a GPU both are reported at the next synchronisation, as for
 *             ww_gather. y is unspecified then
 *   x         memory (a computed one is INVALID; ww_store writes it first), of the values' type, as is y
 *   overlap   none
 *   balance   neither a row of millions of entries nor millions of empty rows slow it down: the work is divided into tiles of
 *             rows and entries together, so that a row's entries may be spread over several tiles
 *   floats    a row's sum has the same bits in every run, for every number of threads and vector width; the CPU's and a GPU's
 *             may differ in the last bits. The brackets depend on the offsets alone
 *   passes    values, columns and offsets read once, x at random, y written (and read, with beta)
 *   scratch   for each 4096 rows and entries two elements for each vector and 8 bytes, and for each thread 4096 sums of each
 *             vector + 64 KiB; offsets that are computed: a copy. A GPU: for each 896 rows and entries two elements for each
 *             vector and 16 bytes; of several vectors less
 * Merge path: Merrill and Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication (2016). */
WW_API ww_status ww_spmv(ww_device *device, ww_input values, ww_input columns, ww_input offsets, ww_input x, ww_array y,
                         const ww_spmv_options *options);

/* The same for `vectors` vectors at once, 1 to 64 (INVALID), which are interleaved: x[c * vectors + v] is component c of vector
 * v, and so is y. The matrix is read once for all of them. */
WW_API ww_status ww_spmm(ww_device *device, ww_input values, ww_input columns, ww_input offsets, ww_input x,
                         uint64_t vectors, ww_array y, const ww_spmv_options *options);

#ifdef __cplusplus
}
#endif
#endif
