/* How many steps each way takes at most. None depends on the data, so that the best one is known before. (They take fewer
 * where folded columns leave no room that has to be filled, and where nothing lies outside of blocks.) */
#include "order.h"

static const ww__plan none = {WW__HOW_AUTO, 0, UINT64_MAX, 0};

uint32_t ww__rounds_of(uint64_t dirty, uint64_t rows, uint64_t block) {
    uint32_t rounds = 0;
    for (; dirty > 1; rounds++) {
        /* So many blocks are touched, and have a dirty row each when they are sorted; two that alternate leave one. */
        uint64_t touched = (dirty - 2) / block + 2;
        if (touched > rows / block) touched = rows / block;
        dirty = (touched + 1) / 2;
    }
    return rounds;
}

ww__columns_plan ww__columns_plan_of(const ww__run *run, uint64_t rows, uint64_t width) {
    const uint64_t blocks = (width + rows - 1) / rows;
    ww__columns_plan best = {WW__COLUMNS_GATHERED,
                             ww__add_steps(4 * rows * blocks, blocks * ww__local_steps(run, rows)),
                             ww__max_u64(rows * blocks, width)};
    const uint64_t network = ww__times_steps(3 * width, ww__network_depth(rows));
    if (rows == 1) return (ww__columns_plan){WW__COLUMNS_NETWORK, 0, width};
    if (rows > 2 * width)
        best.steps = UINT64_MAX; /* few of the processors would have a column, and banks would be longer */
    if (network < best.steps) best = (ww__columns_plan){WW__COLUMNS_NETWORK, network, width};
    if (rows > width && width > 1) {
        const uint64_t parts = rows / width, folded = (rows + parts - 1) / parts;
        const ww__plan sort = ww__sort_plan(run, parts, folded, WW__HOW_AUTO);
        const uint64_t steps = ww__add_steps(sort.steps, 5 * folded);
        if (steps < best.steps) best = (ww__columns_plan){WW__COLUMNS_FOLDED, steps, ww__max_u64(sort.room, folded)};
    }
    return best;
}

static ww__plan wide_plan(const ww__run *run, uint64_t rows, uint64_t width) {
    const uint64_t row = ww__local_steps(run, width);
    if (rows == 1) return (ww__plan){WW__HOW_WIDE, 0, row, width};
    if (rows > width / rows || width % rows) return none;
    return (ww__plan){WW__HOW_WIDE, 0, 5 * row + 8 * width, width};
}

/* Of a matrix of more than one row: planned once, as columns may be sorted as matrices. */
typedef struct matrix {
    const ww__run *run;
    uint64_t rows, width;
    ww__columns_plan columns;
} matrix;

/* `first` steps, then rounds of blocks and columns from `dirty` rows on, and the rows once. */
static ww__plan rounds_plan(const matrix *m, ww__how how, uint64_t block, uint64_t dirty, uint64_t first) {
    const ww__plan sort = ww__sort_plan(m->run, block, m->width, WW__HOW_AUTO);
    const uint64_t round = ww__add_steps(sort.steps, m->columns.steps), last = ww__local_steps(m->run, m->width);
    const uint64_t rounds = ww__times_steps(ww__rounds_of(dirty, m->rows, block), round);
    return (ww__plan){how, (uint32_t)block, ww__add_steps(first, ww__add_steps(rounds, last)),
                      ww__max_u64(sort.room, m->columns.room)};
}

static void better(ww__plan *best, ww__plan plan) {
    if (plan.steps < best->steps) *best = plan;
}

/* Blocks of so many rows, of a matrix that is sorted by theorem 1. */
static ww__plan square_by(const matrix *m, uint64_t block) {
    if (block < 2 || block == m->rows) return none;
    if (wide_plan(m->run, block, m->width).steps == UINT64_MAX) return none;
    const ww__plan first = ww__sort_plan(m->run, block, m->width, WW__HOW_AUTO);
    return rounds_plan(m, WW__HOW_SQUARE, block, m->rows / block, ww__add_steps(first.steps, m->columns.steps));
}

static ww__plan tall_by(const matrix *m, uint64_t block) {
    if (block > m->width || block == m->rows) return none;
    const uint64_t dirty = ww__min_u64(m->rows, m->rows % m->width ? 2 * m->width - 1 : m->width);
    const uint64_t first = ww__add_steps(ww__times_steps(2, m->columns.steps), 2 * m->width);
    return rounds_plan(m, WW__HOW_TALL, block, dirty, first);
}

/* The best of all that cut the rows into equal blocks. */
static ww__plan best_block(const matrix *m, ww__plan (*by)(const matrix *m, uint64_t block)) {
    ww__plan best = none;
    for (uint64_t d = 1; d * d <= m->rows; d++) {
        if (m->rows % d) continue;
        better(&best, by(m, d));
        better(&best, by(m, m->rows / d));
    }
    return best;
}

static ww__plan plan_of(const matrix *m, ww__how how) {
    ww__plan best = none;
    const bool all = how == WW__HOW_AUTO;
    if (all || how == WW__HOW_SHEARSORT) better(&best, rounds_plan(m, WW__HOW_SHEARSORT, 1, m->rows, 0));
    if ((all && m->rows <= m->width) || how == WW__HOW_SQUARE) better(&best, best_block(m, square_by));
    if ((all && m->rows > m->width) || how == WW__HOW_TALL) better(&best, best_block(m, tall_by));
    if (all || how == WW__HOW_BALANCED) better(&best, ww__balanced_plan(m->run, m->rows, m->width, &m->columns));
    return best;
}

ww__plan ww__sort_plan(const ww__run *run, uint64_t rows, uint64_t width, ww__how how) {
    ww__plan best = none;
    if (how == WW__HOW_AUTO || how == WW__HOW_WIDE) best = wide_plan(run, rows, width);
    if (rows == 1 || how == WW__HOW_WIDE) return best;
    /* Each is for matrices of its shape. */
    if ((how == WW__HOW_SQUARE && rows > width) || (how == WW__HOW_TALL && rows < width)) return none;
    const matrix m = {run, rows, width, ww__columns_plan_of(run, rows, width)};
    better(&best, plan_of(&m, how));
    return best;
}
