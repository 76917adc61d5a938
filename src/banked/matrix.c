#include "matrix.h"

ww_status ww__run_new(ww__run *run, ww_device *device, uint32_t banks, uint64_t room, uint32_t areas,
                      uint64_t counted) {
    uint64_t columns;
    run->device = device;
    run->key_bits = run->key_first = 0;
    run->counted = counted;
    run->at = 0;
    run->other = room;
    WW_CHECK(device,
             !__builtin_mul_overflow(room, (uint64_t)areas, &columns) &&
                 !__builtin_add_overflow(columns, counted, &columns),
             WW_LIMIT, "banks of so many words are too long");
    run->counters = room * areas;
    WW_TRY(ww__machine_new(device, banks, columns, &run->machine));
    WW_TRY(ww__scratch_array(device, banks, sizeof *run->word, &run->word));
    WW_TRY(ww__scratch_array(device, banks, sizeof *run->column, &run->column));
    WW_TRY(ww__scratch_array(device, banks, sizeof *run->item, &run->item));
    return ww__scratch_array(device, banks, sizeof *run->row, &run->row);
}

static ww_status rows_new(ww__run *run, ww__rows *rows) {
    const uint32_t banks = run->machine.banks;
    WW_TRY(ww__scratch_array(run->device, banks, sizeof *rows->first, &rows->first));
    WW_TRY(ww__scratch_array(run->device, banks, sizeof *rows->place, &rows->place));
    WW_TRY(ww__scratch_array(run->device, banks, sizeof *rows->mask, &rows->mask));
    for (uint32_t p = 0; p < banks; p++) {
        rows->first[p] = rows->place[p] = WW__IDLE;
        rows->mask[p] = 0;
    }
    return WW_OK;
}

ww_status ww__rows_all(ww__run *run, uint64_t width, ww__rows *rows) {
    WW_TRY(rows_new(run, rows));
    rows->rows = run->machine.banks;
    rows->stride = 1;
    rows->width = width;
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        rows->first[p] = 0;
        rows->place[p] = p;
    }
    return WW_OK;
}

ww_status ww__rows_cut(ww__run *run, const ww__rows *whole, uint32_t rows, uint32_t skip, bool alternate,
                       ww__rows *blocks) {
    WW_TRY(rows_new(run, blocks));
    blocks->rows = rows;
    blocks->stride = whole->stride;
    blocks->width = whole->width;
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        const uint32_t place = whole->place[p];
        if (place == WW__IDLE || place < skip) continue;
        const uint32_t block = (place - skip) / rows;
        if (skip + block * rows + rows > whole->rows) continue;
        blocks->first[p] = ww__bank(whole, p, skip + block * rows);
        blocks->place[p] = (place - skip) % rows;
        blocks->mask[p] = whole->mask[p] ^ (alternate && block % 2 ? UINT64_MAX : 0);
    }
    return WW_OK;
}

ww_status ww__rows_across(ww__run *run, const ww__rows *whole, uint32_t many, uint32_t apart, ww__rows *across) {
    WW_TRY(rows_new(run, across));
    across->rows = many;
    across->stride = whole->stride * apart;
    across->width = whole->width;
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        const uint32_t place = whole->place[p], group = many * apart;
        if (place == WW__IDLE) continue;
        across->first[p] = ww__bank(whole, p, place / group * group + place % apart);
        across->place[p] = place % group / apart;
        across->mask[p] = whole->mask[p];
    }
    return WW_OK;
}
