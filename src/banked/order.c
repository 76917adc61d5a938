/* Sorting a matrix, Afshani and Sitchinava (2015), section 2.
 *
 * The reasons are of the kind of the 0-1 principle: mark the smallest x words 0 and the others 1, for any x; what is done
 * looks at the words' order alone, so that it is right if it brings the marks in order for every x. A row or column is dirty
 * that has both marks.
 *
 *   lemma 1     few rows. Rows in alternating order, converted to columns: each row has made one dirty column. Rows again,
 *               which brings the dirty columns together, and back: two dirty rows. Once more: one. Then the rows.
 *   theorem 1   blocks of rows by lemma 1 leave a dirty row each; sorting columns brings these together, so that they touch two
 *               blocks. These in alternating order, and columns: one. Then the rows.
 *   theorem 2   more rows than columns. Columns are sorted and become rows: a dirty row for each. Sorting columns brings these
 *               together, and the rest is as in theorem 1 with square blocks. (The sort of rows that Afshani and Sitchinava
 *               begin with is not needed for that.)
 *   Shearsort   the same with blocks of one row: log2 rows rounds (Sen, Scherson and Shamir 1986; Sitchinava and Weichert
 *               2013).
 *
 * Where the number of rows has no such divisors as they assume, blocks are other divisors, more are touched, and there
 * are more rounds. Columns are sorted by what takes fewest steps: brought into banks, folded into matrices of their own (as
 * lemma 2 has it), or by Batcher's network, which takes log2^2 rows / 2 comparisons a column where Cole's sort, with larger
 * constants, takes log2 rows. */
#include "order.h"

static ww_status sort_wide(ww__run *run, const ww__rows *rows) {
    for (int k = 0; k < 2 && rows->rows > 1; k++) {
        ww__sort_rows(run, rows, rows->width, 1, true);
        ww__convert(run, rows, true);
        ww__sort_rows(run, rows, rows->width, 1, false);
        ww__convert(run, rows, false);
    }
    ww__sort_rows(run, rows, rows->width, 1, false);
    return WW_OK;
}

/* What is in no block goes along to the area where the others are. */
static void bring_along(ww__run *run, const ww__rows *rows, const ww__rows *blocks) {
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        if (rows->place[p] == WW__IDLE || blocks->place[p] != WW__IDLE) continue;
        ww__own own = ww__own_begin(&run->machine, p);
        for (uint64_t c = 0; c < rows->width; c++) ww__own_write(&own, run->at + c, ww__own_read(&own, run->other + c));
        ww__own_end(&own);
    }
    ww__alone_end(&run->machine);
}

ww_status ww__sort_blocks(ww__run *run, const ww__rows *rows, uint32_t block, uint32_t skip, bool alternate) {
    const ww__scratch_mark mark = ww__scratch_here(run->device);
    const uint64_t at = run->at;
    ww__rows blocks;
    WW_TRY(ww__rows_cut(run, rows, block, skip, alternate, &blocks));
    WW_TRY(ww__sort_matrices(run, &blocks, WW__HOW_AUTO));
    if (run->at != at) bring_along(run, rows, &blocks);
    ww__scratch_back(run->device, &mark);
    return WW_OK;
}

ww_status ww__sort_columns(ww__run *run, const ww__rows *rows) {
    const ww__scratch_mark mark = ww__scratch_here(run->device);
    const uint64_t blocks = (rows->width + rows->rows - 1) / rows->rows;
    ww__rows folded;
    switch (ww__columns_plan_of(run, rows->rows, rows->width).how) {
    case WW__COLUMNS_GATHERED:
        ww__gather_columns(run, rows);
        ww__sort_rows(run, rows, rows->rows, blocks, false);
        ww__scatter_columns(run, rows);
        break;
    case WW__COLUMNS_FOLDED:
        WW_TRY(ww__fold_columns(run, rows, &folded));
        WW_TRY(ww__sort_matrices(run, &folded, WW__HOW_AUTO));
        ww__unfold_columns(run, rows, &folded);
        break;
    default:
        ww__network_columns(run, rows);
    }
    ww__scratch_back(run->device, &mark);
    return WW_OK;
}

static ww_status rounds(ww__run *run, const ww__rows *rows, uint32_t block, uint64_t dirty) {
    for (uint32_t k = ww__rounds_of(dirty, rows->rows, block); k; k--) {
        WW_TRY(ww__sort_blocks(run, rows, block, 0, true));
        WW_TRY(ww__sort_columns(run, rows));
    }
    ww__sort_rows(run, rows, rows->width, 1, false);
    return WW_OK;
}

static ww_status sort_square(ww__run *run, const ww__rows *rows, uint32_t block) {
    WW_TRY(ww__sort_blocks(run, rows, block, 0, false));
    WW_TRY(ww__sort_columns(run, rows));
    return rounds(run, rows, block, rows->rows / block);
}

static ww_status sort_tall(ww__run *run, const ww__rows *rows, uint32_t block) {
    WW_TRY(ww__sort_columns(run, rows));
    ww__convert(run, rows, false);
    /* A column that ends within a row makes another one dirty. */
    const uint64_t dirty = rows->rows % rows->width ? 2 * rows->width - 1 : rows->width;
    WW_TRY(ww__sort_columns(run, rows));
    return rounds(run, rows, block, ww__min_u64(dirty, rows->rows));
}

ww_status ww__sort_matrices(ww__run *run, const ww__rows *rows, ww__how how) {
    const ww__plan plan = ww__sort_plan(run, rows->rows, rows->width, how);
    switch (plan.how) {
    case WW__HOW_WIDE:
        return sort_wide(run, rows);
    case WW__HOW_SQUARE:
        return sort_square(run, rows, plan.block);
    case WW__HOW_TALL:
        return sort_tall(run, rows, plan.block);
    case WW__HOW_BALANCED:
        return ww__sort_balanced(run, rows, plan.block);
    default:
        return rounds(run, rows, 1, rows->rows);
    }
}
