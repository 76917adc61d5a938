/* Sorting matrices: which way takes how many steps, known before, and the ways. */
#ifndef WW__BANKED_ORDER_H
#define WW__BANKED_ORDER_H

#include "matrix.h"

/* Afshani and Sitchinava's, section 2, and what they improve on. */
typedef enum ww__how {
    WW__HOW_AUTO,
    WW__HOW_WIDE,     /* lemma 1: rows^2 <= width, a multiple of rows */
    WW__HOW_SQUARE,   /* theorem 1: blocks of rows by lemma 1, and columns */
    WW__HOW_TALL,     /* theorem 2: columns, and squares by theorem 1 */
    WW__HOW_BALANCED, /* lemma 2: dirty columns made few, divided */
    WW__HOW_SHEARSORT /* rows in alternating order and columns, log2 rows times */
} ww__how;

typedef enum ww__columns_how { WW__COLUMNS_GATHERED = 1, WW__COLUMNS_FOLDED, WW__COLUMNS_NETWORK } ww__columns_how;

/* How a matrix is sorted, and what that takes: steps, and words of an area. No way: UINT64_MAX steps. */
typedef struct ww__plan {
    ww__how how;
    uint32_t block; /* rows of a block; of lemma 2's last squares */
    uint64_t steps, room;
} ww__plan;
typedef struct ww__columns_plan {
    ww__columns_how how;
    uint64_t steps, room;
} ww__columns_plan;

/* Of the run only how words are sorted is looked at (key_bits, counted). */
ww__plan ww__sort_plan(const ww__run *run, uint64_t rows, uint64_t width, ww__how how);
ww__columns_plan ww__columns_plan_of(const ww__run *run, uint64_t rows, uint64_t width);

/* Sorts each matrix in row-major order. */
ww_status ww__sort_matrices(ww__run *run, const ww__rows *rows, ww__how how);
ww_status ww__sort_columns(ww__run *run, const ww__rows *rows);
/* Sorts each block of so many rows. */
ww_status ww__sort_blocks(ww__run *run, const ww__rows *rows, uint32_t block, uint32_t skip, bool alternate);

/* Of `dirty` rows next to each other, with zeros and ones both, how many rounds of blocks and columns leave one. */
uint32_t ww__rounds_of(uint64_t dirty, uint64_t rows, uint64_t block);

/* ---- lemma 2 (balance.c) ---- */

/* Given how columns of the matrix are sorted. */
ww__plan ww__balanced_plan(const ww__run *run, uint64_t rows, uint64_t width, const ww__columns_plan *columns);
ww_status ww__sort_balanced(ww__run *run, const ww__rows *rows, uint32_t block);

/* ---- */

static inline uint64_t ww__add_steps(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
static inline uint64_t ww__times_steps(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}
static inline uint64_t ww__max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

#endif
