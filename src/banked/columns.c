/* Sorting columns: brought into banks, or folded into matrices of their own, or where they are by a network. */
#include "matrix.h"

/* In step d row i takes the word of row i + d of the column that it gathers, so that all rows are touched once. */
static void columns_in_turn(ww__run *run, const ww__rows *rows, bool gather) {
    ww__machine *m = &run->machine;
    const uint32_t r = rows->rows;
    for (uint64_t block = 0; block * r < rows->width; block++) {
        for (uint32_t d = 0; d < r; d++) {
            for (int half = 0; half < 2; half++) {
                for (uint32_t p = 0; p < m->banks; p++) {
                    const uint32_t place = rows->place[p];
                    if (place == WW__IDLE || block * r + place >= rows->width) continue;
                    const uint32_t row = place + d < r ? place + d : place + d - r, bank = ww__bank(rows, p, row);
                    const uint64_t column = block * r + place, own = block * r + row;
                    if (!half)
                        run->word[p] = ww__bank_read(m, p, gather ? bank : p, run->at + (gather ? column : own));
                    else
                        ww__bank_write(m, p, gather ? p : bank, run->other + (gather ? own : column), run->word[p]);
                }
                ww__step(m);
            }
        }
    }
    ww__turn_areas(run);
}

void ww__gather_columns(ww__run *run, const ww__rows *rows) { columns_in_turn(run, rows, true); }
void ww__scatter_columns(ww__run *run, const ww__rows *rows) { columns_in_turn(run, rows, false); }

/* In step t row i sends its word of column c = (i + t) mod v to row c R + i / v, v being the columns of the folded matrices:
 * two rows that send to one have i / v and i mod v in common. */
static void fold(ww__run *run, const ww__rows *rows, const ww__rows *folded, bool back) {
    ww__machine *m = &run->machine;
    const uint64_t v = folded->width;
    for (uint64_t t = 0; t < v; t++) {
        for (int half = 0; half < 2; half++) {
            for (uint32_t p = 0; p < m->banks; p++) {
                const uint32_t i = rows->place[p];
                if (i == WW__IDLE) continue;
                const uint64_t column = (i + t) % v;
                if (column >= rows->width) continue;
                const uint32_t bank = ww__bank(rows, p, (uint32_t)(column * folded->rows + i / v));
                if (!half)
                    run->word[p] = ww__bank_read(m, p, back ? bank : p, run->at + (back ? i % v : column));
                else
                    ww__bank_write(m, p, back ? p : bank, run->other + (back ? column : i % v), run->word[p]);
            }
            ww__step(m);
        }
    }
    ww__turn_areas(run);
}

ww_status ww__fold_columns(ww__run *run, const ww__rows *rows, ww__rows *folded) {
    const uint32_t parts = (uint32_t)(rows->rows / rows->width);
    WW_TRY(ww__rows_cut(run, rows, parts, 0, false, folded));
    folded->width = (rows->rows + parts - 1) / parts;
    for (uint32_t p = 0; p < run->machine.banks; p++) /* rows that are left over */
        if (rows->place[p] != WW__IDLE && rows->place[p] >= rows->width * parts) folded->place[p] = WW__IDLE;
    fold(run, rows, folded, false);
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        if (folded->place[p] == WW__IDLE) continue;
        ww__own own = ww__own_begin(&run->machine, p);
        for (uint64_t c = 0; c < folded->width; c++)
            if (folded->place[p] * folded->width + c >= rows->rows) ww__own_write(&own, run->at + c, ~folded->mask[p]);
        ww__own_end(&own);
    }
    ww__alone_end(&run->machine);
    return WW_OK;
}

void ww__unfold_columns(ww__run *run, const ww__rows *rows, const ww__rows *folded) { fold(run, rows, folded, true); }

/* ---- Batcher's odd-even merge network, for any number of rows (Batcher 1968; Knuth's algorithm 5.2.2 M) ---- */

/* What row i is compared with in a stage: the row i + distance where (i & bit) == wanted, or the one that is so compared with
 * it. */
static uint32_t partner(uint32_t i, uint32_t rows, uint32_t bit, uint32_t wanted, uint32_t distance) {
    if ((i & bit) == wanted && i + distance < rows) return i + distance;
    if (i >= distance && ((i - distance) & bit) == wanted) return i - distance;
    return WW__IDLE;
}

static void compare_columns(ww__run *run, const ww__rows *rows, uint32_t bit, uint32_t wanted, uint32_t distance) {
    ww__machine *m = &run->machine;
    for (uint32_t p = 0; p < m->banks; p++)
        run->row[p] = rows->place[p] == WW__IDLE ? WW__IDLE
                                                 : partner(rows->place[p], rows->rows, bit, wanted, distance);
    for (uint64_t c = run->at; c < run->at + rows->width; c++) {
        for (uint32_t p = 0; p < m->banks; p++)
            if (run->row[p] != WW__IDLE) run->word[p] = ww__bank_read(m, p, p, c);
        ww__step(m);
        for (uint32_t p = 0; p < m->banks; p++)
            if (run->row[p] != WW__IDLE) run->item[p] = ww__bank_read(m, p, ww__bank(rows, p, run->row[p]), c);
        ww__step(m);
        for (uint32_t p = 0; p < m->banks; p++) {
            if (run->row[p] == WW__IDLE) continue;
            const bool first = rows->place[p] < run->row[p];
            const bool less = (run->word[p] ^ rows->mask[p]) < (run->item[p] ^ rows->mask[p]);
            ww__bank_write(m, p, p, c, first == less ? run->word[p] : run->item[p]);
        }
        ww__step(m);
    }
}

/* Calls `stage` for each one, or counts them. */
static uint64_t stages(ww__run *run, const ww__rows *rows, uint64_t count) {
    uint64_t depth = 0;
    uint32_t top = 1;
    if (count < 2) return 0;
    while (2 * (uint64_t)top < count) top *= 2;
    for (uint32_t bit = top; bit; bit /= 2) {
        uint32_t last = top, wanted = 0, distance = bit;
        for (;;) {
            if (rows) compare_columns(run, rows, bit, wanted, distance);
            depth++;
            if (last == bit) break;
            distance = last - bit;
            last /= 2;
            wanted = bit;
        }
    }
    return depth;
}

void ww__network_columns(ww__run *run, const ww__rows *rows) { stages(run, rows, rows->rows); }
uint64_t ww__network_depth(uint64_t rows) { return stages(NULL, NULL, rows); }
