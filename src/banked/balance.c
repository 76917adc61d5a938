/* Lemma 2 of Afshani and Sitchinava (2015): sorting words of few bits in a matrix of more rows than columns.
 *
 *   Balance    The rows are cut into blocks, each of which is sorted in column-major order, so that its rows have as many zeros
 *              but for one. Then all t-th rows of neighbouring blocks are, as a matrix, for every t, and such a group is the
 *              next round's block. With L rounds, as many as the number of rows has factors of at most the width, rows differ
 *              by L zeros at most: there are L dirty columns.
 *   Convert    from column-major to row-major order: L rows / width rows next to each other are dirty, and one more at either
 *              end …
 *   Divide     … and lie in two matrices at most, if these are no smaller. Each of them is balanced, converted and divided in
 *              turn, until it has no more rows than columns, and is sorted. With d divisions 2^d rows are dirty.
 *   Finish     Sorting columns brings these together. Blocks that have twice as many rows are sorted, and again with blocks
 *              shifted by a half: one of all these blocks has all of them. */
#include "order.h"

enum { FACTORS = 64 };

/* The largest divisors of at most `most`, one after another; how many, 0 where there are none. */
static uint32_t factors_of(uint64_t rows, uint64_t most, uint32_t factor[FACTORS]) {
    uint32_t count = 0;
    while (rows > 1) {
        uint64_t largest = 1;
        for (uint64_t d = 1; d * d <= rows; d++) {
            if (rows % d) continue;
            if (d <= most && d > largest) largest = d;
            if (rows / d <= most && rows / d > largest) largest = rows / d;
        }
        if (largest == 1) return 0;
        factor[count++] = (uint32_t)largest;
        rows /= largest;
    }
    return count;
}

/* Rows of the matrices that are divided into: the least divisor that holds what is dirty; 0 where it does not get less. */
static uint32_t divided_rows(uint64_t rows, uint64_t width, uint32_t rounds) {
    const uint64_t dirty = (rounds * rows + width - 1) / width + 1;
    uint64_t least = rows;
    for (uint64_t d = 1; d * d <= rows; d++) {
        if (rows % d) continue;
        if (d >= dirty && d < least) least = d;
        if (rows / d >= dirty && rows / d < least) least = rows / d;
    }
    return least < rows ? (uint32_t)least : 0;
}

/* Balancing, converting, and all that comes after dividing. */
static uint64_t divide_steps(const ww__run *run, uint64_t rows, uint64_t width, uint32_t *depth, uint64_t *room) {
    uint32_t factor[FACTORS];
    const uint32_t rounds = factors_of(rows, width, factor), divided = rounds ? divided_rows(rows, width, rounds) : 0;
    if (rows <= width || !divided) {
        if (rows > width) return UINT64_MAX; /* what is left would go through here again */
        const ww__plan plan = ww__sort_plan(run, rows, width, WW__HOW_AUTO);
        *room = ww__max_u64(*room, plan.room);
        return plan.steps;
    }
    uint64_t steps = 2 * width * (rounds + 1);
    for (uint32_t k = 0; k < rounds; k++) {
        const ww__plan plan = ww__sort_plan(run, factor[k], width, WW__HOW_AUTO);
        *room = ww__max_u64(*room, plan.room);
        steps = ww__add_steps(steps, plan.steps);
    }
    ++*depth;
    return ww__add_steps(steps, divide_steps(run, divided, width, depth, room));
}

ww__plan ww__balanced_plan(const ww__run *run, uint64_t rows, uint64_t width, const ww__columns_plan *columns) {
    ww__plan best = {WW__HOW_BALANCED, 0, UINT64_MAX, width};
    uint32_t depth = 0;
    if (!run->key_bits || rows <= width || width < 2) return best;
    const uint64_t divide = divide_steps(run, rows, width, &depth, &best.room);
    if (divide == UINT64_MAX) return best;
    best.room = ww__max_u64(best.room, columns->room);
    for (uint64_t block = (uint64_t)2 << depth; block <= width; block++) {
        if (rows % block || block % 2) continue;
        const ww__plan plan = ww__sort_plan(run, block, width, WW__HOW_AUTO);
        const uint64_t steps = ww__add_steps(ww__add_steps(divide, columns->steps + 2 * width),
                                             ww__times_steps(2, plan.steps));
        if (steps >= best.steps) continue;
        best.steps = steps;
        best.block = (uint32_t)block;
        best.room = ww__max_u64(best.room, plan.room);
    }
    return best;
}

static ww_status balance(ww__run *run, const ww__rows *rows) {
    const ww__scratch_mark mark = ww__scratch_here(run->device);
    uint32_t factor[FACTORS], apart = 1;
    const uint32_t rounds = factors_of(rows->rows, rows->width, factor);
    for (uint32_t k = 0; k < rounds; k++) {
        ww__rows across;
        WW_TRY(ww__rows_across(run, rows, factor[k], apart, &across));
        WW_TRY(ww__sort_matrices(run, &across, WW__HOW_AUTO));
        ww__convert(run, &across, true);
        ww__scratch_back(run->device, &mark);
        apart *= factor[k];
    }
    return WW_OK;
}

static ww_status divide(ww__run *run, const ww__rows *rows) {
    uint32_t factor[FACTORS];
    if (rows->rows <= rows->width) return ww__sort_matrices(run, rows, WW__HOW_AUTO);
    const uint32_t rounds = factors_of(rows->rows, rows->width, factor);
    WW_TRY(balance(run, rows));
    ww__convert(run, rows, false);
    ww__rows parts;
    WW_TRY(ww__rows_cut(run, rows, divided_rows(rows->rows, rows->width, rounds), 0, false, &parts));
    return divide(run, &parts);
}

ww_status ww__sort_balanced(ww__run *run, const ww__rows *rows, uint32_t block) {
    const ww__scratch_mark mark = ww__scratch_here(run->device);
    WW_TRY(divide(run, rows));
    ww__scratch_back(run->device, &mark);
    WW_TRY(ww__sort_columns(run, rows));
    WW_TRY(ww__sort_blocks(run, rows, block, 0, false));
    return ww__sort_blocks(run, rows, block, block / 2, false);
}
