/* Lists of a grid's own points, in a box, on a GPU: made while they are counted, and kept, each in a row of its own, rows in the order
 * of indices, whole sectors of memory. Listing copies the rows behind one another: it reads and writes memory in order, where lists
 * that are written in the grid's order begin and end anywhere, so that most sectors are written in two parts, far apart.
 *
 * A point is read as a record: one word of 16 bytes, not three words. */
#include <math.h>

#include "space/grid/which.h"

/* Points of a block that makes rows, and how many indices of each its shared memory has: with the length an odd number, so that
 * lanes meet few bank conflicts. */
WW_CONSTANT(ROW_LANES, uint32_t, 256);
WW_CONSTANT(ROW_SHARED, uint32_t, 44);
WW_STRUCT(row_block, {
    uint32_t end[256];
    uint32_t to[256];
    uint32_t slot[256 * 45]; /* of each lane its list's length, and then the list */
});

/* Words before the first row, of which the first are two numbers of 64 bits: how many lists are longer, and of ww_grid_near which
 * place is wrong. Records behind the last one that are read, for nothing. */
enum { ROWS_AHEAD = 64 };

#define ROWS(N, T) \
    WW_STRUCT_USES((ww_grid_##N, record_##N), rows_##N, { \
        ww_grid_##N grid; \
        record_##N *record; \
        T radius; \
        uint32_t *counts; \
        const uint64_t *offsets; \
        uint32_t *indices; \
        uint64_t room; \
        uint64_t *wrong; \
        uint32_t *rows; \
        uint32_t *overflow; \
        uint32_t *longer; \
        uint32_t row_words; \
        uint64_t count; \
    }); \
    WW_KERNEL_USES((record_of_##N), order_records_##N, rows_##N, a, rank, { \
        const uint64_t i = rank < a->count ? rank : a->count - 1; \
        a->record[rank] = record_of_##N(a->grid.x[i], a->grid.y[i], a->grid.z ? a->grid.z[i] : 0, a->grid.index[i]); \
    }); \
    /* Counts, and keeps the lists: a row has its list's length and then the list, as far as there is room; if that is too short, \
     * the point is one of *overflow longer ones. The block's lanes are points that stand side by side; their lists' beginnings are \
     * collected in its shared memory, from where rows are written word beside word. */ \
    WW_BLOCK_KERNEL_USES((ww_grid_##N##_from_point, ww_grid_##N##_run, take_near_##N, ROW_LANES, ROW_SHARED), \
                         make_rows_##N, rows_##N, a, row_block, t, block, { \
                             const uint64_t begin = block * ROW_LANES; \
                             const uint32_t lanes = a->count - begin < ROW_LANES ? (uint32_t)(a->count - begin) \
                                                                                 : ROW_LANES; \
                             const uint64_t words = a->row_words; \
                             WW_LANES(i, lanes) { \
                                 ww_grid_##N##_walk w; \
                                 const uint32_t self = (uint32_t)(begin + i); \
                                 const uint32_t to = a->grid.index[self]; \
                                 uint32_t *const slot = t->slot + i * (ROW_SHARED + 1) + 1; \
                                 uint32_t *const row = a->rows + to * words; \
                                 uint32_t found = 0; \
                                 ww_grid_##N##_from_point(&a->grid, &w, self, a->radius); \
                                 while (ww_grid_##N##_run(&a->grid, &w)) \
                                     for (uint32_t first = w.first; first < w.end; first += 32) { \
                                         uint32_t next = found < ROW_SHARED ? ROW_SHARED : found; \
                                         uint32_t near = take_near_##N(a->record, a->grid.index, &w, first, self, \
                                                                       slot, ROW_SHARED, &found); \
                                         for (; near; next++) { \
                                             const uint32_t k = (uint32_t)ww_clz(near); \
                                             near ^= 0x80000000u >> k; \
                                             if (next + 1 < words) row[next + 1] = a->grid.index[first + k]; \
                                         } \
                                     } \
                                 const uint32_t end = found < ROW_SHARED ? found + 1 : ROW_SHARED + 1; \
                                 const uint32_t whole = found < ROW_SHARED ? (end + 7) / 8 * 8 : end; \
                                 const uint32_t fill = whole <= ROW_SHARED ? whole : ROW_SHARED + 1; \
                                 slot[-1] = found; \
                                 for (uint32_t k = end; k < fill; k++) slot[k - 1] = 0; \
                                 t->end[i] = fill < a->row_words ? fill : a->row_words; \
                                 t->to[i] = to; \
                                 a->counts[to] = found; \
                                 if (found >= words) a->longer[ww_append(a->overflow)] = self; \
                             } \
                             WW_LANES(i, lanes * 32) { \
                                 const uint32_t of = i / 32; \
                                 const uint32_t k = i % 32; \
                                 const uint32_t end = t->end[of]; \
                                 const uint32_t *const slot = t->slot + of * (ROW_SHARED + 1); \
                                 uint32_t *const row = a->rows + t->to[of] * words; \
                                 if (k < end) row[k] = slot[k]; \
                                 if (k + 32 < end) row[k + 32] = slot[k + 32]; \
                             } \
                         }); \
    /* Copies rows behind one another, four at a time: a warp has as many lists as lanes, and all of them write each. What does not \
     * fit its row is left to list_near; what has another length than its row says is wrong. */ \
    WW_KERNEL(copy_rows_##N, rows_##N, a, rank, { \
        const uint32_t lane = (uint32_t)(rank % WW_WARP); \
        const uint64_t words = a->row_words; \
        const bool there = rank < a->count; \
        const uint64_t begin = there ? a->offsets[rank] : 0; \
        const uint64_t behind = there ? a->offsets[rank + 1] : 0; \
        const bool fits = begin <= behind && behind <= a->room; \
        const uint32_t wanted = there && fits && behind - begin < words ? (uint32_t)(behind - begin) + 1 : 0; \
        const uint32_t *row = a->rows + (rank - lane) * words + lane; \
        if (there && !wanted && (!fits || a->rows[rank * words] < words)) ww_atomic_min(a->wrong, rank); \
        for (uint32_t k = 0; k < WW_WARP; k += 4) { \
            uint32_t v[4]; \
            uint32_t second[4]; \
            uint32_t end[4]; \
            for (uint32_t q = 0; q < 4; q++) { \
                end[q] = k + q < WW_WARP ? ww_u32_of_lane(wanted, k + q) : 0; \
                v[q] = lane < end[q] ? row[q * words] : 0; \
                second[q] = lane + WW_WARP < end[q] ? row[q * words + WW_WARP] : 0; \
            } \
            for (uint32_t q = 0; q < 4; q++) { \
                uint32_t *const to = a->indices + ww_u64_of_lane(begin, k + q) + lane; \
                if (ww_u32_of_lane(v[q], 0) + 1 != end[q]) { \
                    if (end[q] && lane == 0) ww_atomic_min(a->wrong, rank + k + q); \
                    continue; \
                } \
                if (lane && lane < end[q]) to[-1] = v[q]; \
                if (lane + WW_WARP < end[q]) to[WW_WARP - 1] = second[q]; \
                for (uint32_t i = 2 * WW_WARP; lane + i < end[q]; i += WW_WARP) to[i - 1] = row[q * words + i]; \
            } \
            row += 4 * words; \
        } \
    }); \
    static rows_##N see_rows_##N(const ww_grid *grid) { \
        rows_##N a = {.record = grid->block[WW__GRID_RECORD].data, .radius = (T)grid->rows_radius}; \
        ww__grid_see_##N(grid, &a.grid); \
        a.row_words = grid->row_words; \
        a.count = grid->count; \
        a.overflow = grid->block[WW__GRID_ROWS].data; \
        a.rows = a.overflow + ROWS_AHEAD; \
        a.longer = a.rows + a.count * a.row_words; \
        return a; \
    } \
    static ww_status order_##N(ww_grid *grid) { \
        const rows_##N a = see_rows_##N(grid); \
        return ww_launch(grid->device, ww_with(order_records_##N, &a), a.count + WW__GRID_BESIDE); \
    } \
    static ww_status make_##N(ww_grid *grid, uint32_t *counts) { \
        rows_##N a = see_rows_##N(grid); \
        a.counts = counts; \
        return ww_launch(grid->device, ww_with(make_rows_##N, &a), (a.count + ROW_LANES - 1) / ROW_LANES); \
    } \
    static ww_status copy_##N(ww_grid *grid, const uint64_t *offsets, uint32_t *indices, uint64_t room, \
                              uint64_t *wrong) { \
        rows_##N a = see_rows_##N(grid); \
        a.offsets = offsets; \
        a.indices = indices; \
        a.room = room; \
        a.wrong = wrong; \
        return ww_launch(grid->device, ww_with(copy_rows_##N, &a), (a.count + 31) / 32 * 32); \
    }
ROWS(f32, float)
ROWS(f64, double)

/* How many words a row has: lines of 64 bytes, for more than the neighbours that a point
 * has where points are evenly spread. None where that is very many. */
static uint32_t words_of_row(const ww_grid *grid, double radius) {
    enum { MOST = 512, LINE = 16 };
    if (!grid->keeps_rows || grid->mask) return 0;
    const double across = radius / grid->options.cell;
    double cells = 1;
    for (uint32_t d = 0; d < grid->dimensions; d++) cells *= grid->along[d];
    const double ball = grid->dimensions == 3 ? 4.18879 * across * across * across : 3.14159 * across * across;
    const double near = ball < cells ? grid->count / cells * ball : grid->count;
    const double words = 9 + near + 4 * sqrt(near);
    return words <= MOST ? ((uint32_t)words + LINE - 1) / LINE * LINE : 0;
}

ww_status ww__grid_order_records(ww_grid *grid) {
    if (!grid->records_ordered) WW_TRY(ww__grid_of(grid, order)(grid));
    grid->records_ordered = true;
    return WW_OK;
}

ww_status ww__grid_make_rows(ww_grid *grid, double radius, uint32_t *counts, bool *made) {
    void *data;
    const uint32_t words = words_of_row(grid, radius);
    *made = words != 0;
    if (!words) return WW_OK;
    grid->row_words = 0;
    WW_TRY(
        ww__grid_room(grid, WW__GRID_ROWS, (uint64_t)grid->count * (words + 1) + ROWS_AHEAD, sizeof(uint32_t), &data));
    grid->row_words = words;
    grid->rows_radius = radius;
    WW_TRY(ww__grid_order_records(grid));
    WW_TRY(ww_fill(grid->device, ww_array((uint64_t *)data, 1), ww_value(uint64_t, 0)));
    return ww__grid_of(grid, make)(grid, counts);
}

uint64_t *ww__grid_rows(const ww_grid *grid, double radius, uint32_t **longer) {
    if (!grid->row_words || radius != grid->rows_radius) return NULL;
    uint32_t *const words = grid->block[WW__GRID_ROWS].data;
    *longer = words + ROWS_AHEAD + (uint64_t)grid->count * grid->row_words;
    return (uint64_t *)words;
}

ww_status ww__grid_copy_rows(ww_grid *grid, const uint64_t *offsets, uint32_t *indices, uint64_t room,
                             uint64_t *wrong) {
    return ww__grid_of(grid, copy)(grid, offsets, indices, room, wrong);
}
