/* What the algorithms of this room work on: matrices in the banks, and what is done to them without a conflict.
 *
 * A bank has areas of words. The matrices of a run lie in one area, and most of what is done to them reads that one and writes
 * the other, which is then the run's. Which banks form a matrix together, `ww__rows` says for each processor; as a rule there
 * are several, all of the same shape, and the same is done to all of them at once. */
#ifndef WW__BANKED_MATRIX_H
#define WW__BANKED_MATRIX_H

#include "machine.h"

#define WW__IDLE UINT32_MAX

/* Matrices of `rows` rows. Row i of the matrix that a processor's bank belongs to is bank first + i * stride. */
typedef struct ww__rows {
    uint32_t rows, stride;
    uint64_t width;
    uint32_t *first, *place; /* for each processor: of its matrix, and its own row; WW__IDLE: in no matrix */
    uint64_t *mask;          /* 0: the matrix is sorted in rising order, else UINT64_MAX */
} ww__rows;

typedef struct ww__run {
    ww_device *device;
    ww__machine machine;
    uint64_t at, other; /* columns where the run's area begins, and the one that is written next */
    uint64_t counters;  /* … and the one for counters, of `counted` words */
    uint64_t counted;
    uint32_t key_bits; /* words are sorted by so many bits from key_first on, by counting; 0: by all, by merging */
    uint32_t key_first;
    /* Registers, one for each processor. */
    uint64_t *word, *column, *item;
    uint32_t *row;
} ww__run;

/* A machine with `areas` areas of `room` columns each, and counters. `at` and `other` are the first two. */
ww_status ww__run_new(ww__run *run, ww_device *device, uint32_t banks, uint64_t room, uint32_t areas, uint64_t counted);

static inline void ww__turn_areas(ww__run *run) {
    const uint64_t at = run->at;
    run->at = run->other;
    run->other = at;
}
static inline uint32_t ww__bank(const ww__rows *rows, uint32_t processor, uint32_t row) {
    return rows->first[processor] + row * rows->stride;
}

/* All banks as one matrix. */
ww_status ww__rows_all(ww__run *run, uint64_t width, ww__rows *rows);
/* Each matrix cut into blocks of `rows` rows; the first `skip` rows, and those at the end that make no block, are in none.
 * Where they alternate, every second block is sorted the other way round. */
ww_status ww__rows_cut(ww__run *run, const ww__rows *whole, uint32_t rows, uint32_t skip, bool alternate,
                       ww__rows *blocks);
/* Matrices of all t-th rows of `many` neighbouring blocks of `apart` rows, for every t. */
ww_status ww__rows_across(ww__run *run, const ww__rows *whole, uint32_t many, uint32_t apart, ww__rows *across);

/* ---- alone: sorting what lies in a bank ---- */

/* Sorts the first blocks * length words of each row, in blocks of `length`. Where rows alternate, every second one is sorted
 * the other way round. A processor in no matrix does nothing. Steps: ww__local_steps(run, length) * blocks. */
void ww__sort_rows(ww__run *run, const ww__rows *rows, uint64_t length, uint64_t blocks, bool alternate);
uint64_t ww__local_steps(const ww__run *run, uint64_t length);

/* ---- together: moving ---- */

/* What stands in row-major order comes to stand in column-major order (to_columns), or the other way. 2 width steps. */
void ww__convert(ww__run *run, const ww__rows *rows, bool to_columns);
/* The same in place: the run's area stays, and none but the counters are used, a bit for each column. */
void ww__convert_in_place(ww__run *run, const ww__rows *rows, bool to_columns);

/* Brings whole columns into banks, column j into bank j mod rows as block j / rows of `rows` words, and back; blocks = width /
 * rows, rounded up. 2 rows * blocks steps each. */
void ww__gather_columns(ww__run *run, const ww__rows *rows);
void ww__scatter_columns(ww__run *run, const ww__rows *rows);

/* Brings each column into a matrix of its own in row-major order, column c into rows c R … c R + R - 1, R = rows / width
 * rounded down, with what sorts last behind it; and back. `folded` are these matrices, of rows / R columns rounded up. 3 and 2
 * times their columns steps. */
ww_status ww__fold_columns(ww__run *run, const ww__rows *rows, ww__rows *folded);
void ww__unfold_columns(ww__run *run, const ww__rows *rows, const ww__rows *folded);

/* Sorts each column by Batcher's odd-even merge network, one word of it in a bank. 3 width ww__network_depth(rows) steps. */
void ww__network_columns(ww__run *run, const ww__rows *rows);
uint64_t ww__network_depth(uint64_t rows);

#endif
