/* What the kernels of sparse matrices share: what they take, how a column is checked, and where a result goes.
 *
 * WW_SCALED, WW_ACCUMULATES: there is alpha, beta. WW_MANY: 0 there is one vector, else a power of two that is not below their number;
 * WW_PACK divides both: a thread has so many vectors, whose components it reads as one word. WW_WIDE: 2^32 columns or more. */
#ifndef WW_SPMV_CUH
#define WW_SPMV_CUH

#include "device/kernel/listed.cuh"
#include "sparse/spmv_arguments.cuh"

struct spmv_matrix : spmv_fixed {
    values_input values;
    columns_input columns;
    offsets_input offsets;
};

/* Positions of bad columns: behind those of bad offsets. */
#define IS_COLUMN (uint64_t(1) << 63)

#if WW_WIDE
typedef uint64_t ww_column;
#else
typedef uint32_t ww_column;
#endif

WW_DEVICE uint64_t offset_at(const spmv_matrix &a, uint64_t r) { return uint64_t(offsets_at(a.offsets, r)); }

/* Whether a column is none. Numbers of 32 bits are compared in 32. */
template <class Number> WW_DEVICE bool is_outside(const spmv_matrix &a, Number column) {
    if (sizeof(Number) == 8 || WW_WIDE) return uint64_t(column) >= a.width;
    return Number(-1) < 0 ? int32_t(column) < 0 || uint32_t(column) >= uint32_t(a.width) : uint32_t(column) >= uint32_t(a.width);
}

/* Where a component stands: x and y have the vectors side by side. */
WW_DEVICE uint64_t component(const spmv_matrix &a, uint64_t at, uint64_t vector) {
    return WW_MANY ? at * a.vectors + vector : at;
}

struct alignas(WW_PACK * sizeof(ww_item)) ww_pack {
    ww_item x[WW_PACK];
};

WW_DEVICE void put(const spmv_matrix &a, uint64_t at, ww_item sum) {
    if (WW_SCALED) sum = *reinterpret_cast<const ww_item *>(&a.alpha) * sum;
    if (WW_ACCUMULATES) sum = sum + *reinterpret_cast<const ww_item *>(&a.beta) * a.y[at];
    a.y[at] = sum;
}

#endif
