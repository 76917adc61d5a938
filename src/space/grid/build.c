/* Building a grid of n points in c cells; the cell with number c has the points that are in none.
 *
 * By sorting: a kernel writes each point's cell number; these are sorted, stably, with the indices; a kernel notes each cell's
 * end (the position behind its last point), and a scan by max carries the ends over empty cells, so that start[k + 1] is where
 * cell k ends. By atomics: the kernel that finds the number adds 1 to the cell's counter, and keeps what it had been, which is
 * the point's place in its cell; a scan of the counters says where cells begin. Many points on a GPU are first split by the
 * highest 8 bits of their cells' numbers, so that what is counted and written at a time lies in the caches.
 *
 * Either way start has c + 2 elements: 0, …, the number of points in cells, n; and the coordinates are put in that order. What
 * goes to or comes from anywhere is a record of a point's coordinates and its index, of one or two words of 16 bytes: one line
 * of memory instead of three or four. */
#include "space/grid/record.h"
#include "warpwise/sort.h"

WW_STRUCT(cell_ends, {
    const uint32_t *sorted;
    uint32_t *start;
    uint64_t count;
});
WW_KERNEL(note_ends, cell_ends, a, rank, {
    const uint32_t number = a->sorted[rank];
    if (rank + 1 == a->count || a->sorted[rank + 1] != number) a->start[number + 1] = (uint32_t)(rank + 1);
});

#define BUILDING(N, T) \
    WW_STRUCT_USES((ww_grid_##N, record_##N), building_##N, { \
        ww_grid_##N grid; \
        const T *x; \
        const T *y; \
        const T *z; \
        uint32_t *number; \
        uint32_t *place; \
        uint32_t *start; \
        uint32_t *index; \
        record_##N *record; \
        const record_##N *split; \
        T *x_out; \
        T *y_out; \
        T *z_out; \
    }); \
    WW_KERNEL_USES((ww_grid_##N##_number, record_of_##N), number_points_##N, building_##N, a, i, { \
        const T x = a->x[i]; \
        const T y = a->y[i]; \
        const T z = a->z ? a->z[i] : 0; \
        a->number[i] = ww_grid_##N##_number(&a->grid, x, y, z); \
        a->record[i] = record_of_##N(x, y, z, (uint32_t)i); \
    }); \
    WW_KERNEL_USES((ww_grid_##N##_number), count_points_##N, building_##N, a, i, { \
        const uint32_t number = ww_grid_##N##_number(&a->grid, a->x[i], a->y[i], a->z ? a->z[i] : 0); \
        a->number[i] = number; \
        a->place[i] = ww_atomic_add(&a->start[number], 1u); \
    }); \
    WW_KERNEL(count_numbers_##N, building_##N, a, i, { a->place[i] = ww_atomic_add(&a->start[a->number[i]], 1u); }); \
    WW_KERNEL_USES((record_of_##N), scatter_points_##N, building_##N, a, i, { \
        const uint32_t to = a->start[a->number[i]] + a->place[i]; \
        a->record[to] = record_of_##N(a->x[i], a->y[i], a->z ? a->z[i] : 0, (uint32_t)i); \
    }); \
    WW_KERNEL_USES((record_x_##N, record_y_##N, record_z_##N, record_index_##N), part_points_##N, building_##N, a, i, \
                   { \
                       const record_##N r = a->record[i]; \
                       a->index[i] = record_index_##N(r); \
                       a->x_out[i] = record_x_##N(r); \
                       a->y_out[i] = record_y_##N(r); \
                       if (a->z) a->z_out[i] = record_z_##N(r); \
                   }); \
    WW_KERNEL(scatter_records_##N, building_##N, a, i, \
              { a->record[a->start[a->number[i]] + a->place[i]] = a->split[i]; }); \
    WW_KERNEL_USES((record_x_##N, record_y_##N, record_z_##N), gather_points_##N, building_##N, a, to, { \
        const record_##N r = a->record[a->index[to]]; \
        a->x_out[to] = record_x_##N(r); \
        a->y_out[to] = record_y_##N(r); \
        if (a->z) a->z_out[to] = record_z_##N(r); \
    }); \
    static ww_status build_##N(ww_grid *grid, const ww__grid_points *points, bool atomics) { \
        ww_device *const device = grid->device; \
        const uint32_t n = (uint32_t)points->count; \
        building_##N a = {.x = points->at[0], .y = points->at[1], .z = points->at[2]}; \
        ww__grid_see_##N(grid, &a.grid); \
        a.number = grid->block[WW__GRID_NUMBER].data; \
        a.place = grid->block[WW__GRID_NUMBER_SORTED].data; \
        a.start = grid->block[WW__GRID_START].data; \
        a.index = grid->block[WW__GRID_INDEX].data; \
        a.record = grid->block[WW__GRID_RECORD].data; \
        a.x_out = grid->block[WW__GRID_X].data; \
        a.y_out = grid->block[WW__GRID_Y].data; \
        a.z_out = grid->block[WW__GRID_Z].data; \
        WW_TRY(ww_fill(device, ww_array(a.start, (uint64_t)grid->cells + 2), ww_value(uint32_t, 0))); \
        if (atomics && n >= grid->split_from) { \
            WW_TRY(ww_launch(device, ww_with(number_points_##N, &a), n)); \
            WW_TRY(split_records(grid, n, &record_##N##_ww)); \
            a.number = grid->block[WW__GRID_NUMBER_SORTED].data; \
            a.place = grid->block[WW__GRID_NUMBER].data; \
            a.split = grid->block[WW__GRID_RECORD_SPLIT].data; \
            WW_TRY(ww_launch(device, ww_with(count_numbers_##N, &a), n)); \
            WW_TRY(scan_counters(grid)); \
            WW_TRY(ww_launch(device, ww_with(scatter_records_##N, &a), n)); \
            return ww_launch(device, ww_with(part_points_##N, &a), n); \
        } \
        if (atomics) { \
            WW_TRY(ww_launch(device, ww_with(count_points_##N, &a), n)); \
            WW_TRY(scan_counters(grid)); \
            WW_TRY(ww_launch(device, ww_with(scatter_points_##N, &a), n)); \
            return ww_launch(device, ww_with(part_points_##N, &a), n); \
        } \
        WW_TRY(ww_launch(device, ww_with(number_points_##N, &a), n)); \
        WW_TRY(sort_numbers(grid, n)); \
        return ww_launch(device, ww_with(gather_points_##N, &a), n); \
    }

static ww_status scan_counters(ww_grid *grid) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    const ww_array start = ww_array((uint32_t *)grid->block[WW__GRID_START].data, (uint64_t)grid->cells + 2);
    options.exclusive = true;
    return ww_scan(grid->device, &ww_add, ww_from(start), start, &options);
}

/* By the highest bits of the cells' numbers; points that are in no cell go anywhere. */
static ww_status split_records(ww_grid *grid, uint32_t n, const ww_type *record) {
    enum { DIGIT = 8 };
    ww_sort_options options = WW_SORT_OPTIONS;
    const ww_array to = {grid->block[WW__GRID_RECORD_SPLIT].data, n, record, record->size, NULL, 0};
    uint32_t bits = DIGIT;
    while (bits < 32 && (grid->cells - 1) >> bits) bits++;
    options.bit_first = bits - DIGIT;
    options.bit_count = DIGIT;
    return ww_sort(grid->device, ww_memory((const uint32_t *)grid->block[WW__GRID_NUMBER].data, n),
                   ww_memory_of(grid->block[WW__GRID_RECORD].data, n, record),
                   ww_array((uint32_t *)grid->block[WW__GRID_NUMBER_SORTED].data, n), to, &options);
}

/* Numbers 0 … cells, by the bits that these have. */
static ww_status sort_numbers(ww_grid *grid, uint32_t n) {
    ww_sort_options options = WW_SORT_OPTIONS;
    uint32_t *const sorted = grid->block[WW__GRID_NUMBER_SORTED].data;
    const ww_array start = ww_array((uint32_t *)grid->block[WW__GRID_START].data, (uint64_t)grid->cells + 2);
    const cell_ends ends = {sorted, start.data, n};
    while (options.bit_count < 32 && grid->cells >> options.bit_count) options.bit_count++;
    WW_TRY(ww_sort(grid->device, ww_memory((const uint32_t *)grid->block[WW__GRID_NUMBER].data, n),
                   ww_counting(&ww_type_uint32_t, 0, n), ww_array(sorted, n),
                   ww_array((uint32_t *)grid->block[WW__GRID_INDEX].data, n), &options));
    WW_TRY(ww_launch(grid->device, ww_with(note_ends, &ends), n));
    return ww_scan(grid->device, &ww_max, ww_from(start), start, NULL);
}

BUILDING(f32, float)
BUILDING(f64, double)

static ww_status take_room(ww_grid *grid, uint64_t n, bool atomics) {
    const size_t record = ww__grid_is_wide(grid) ? sizeof(record_f64) : sizeof(record_f32);
    void *data;
    for (uint32_t d = 0; d < grid->dimensions; d++)
        WW_TRY(ww__grid_room(grid, (ww__grid_use)(WW__GRID_X + d), n, grid->type->size, &data));
    WW_TRY(ww__grid_room(grid, WW__GRID_INDEX, n, sizeof(uint32_t), &data));
    WW_TRY(ww__grid_room(grid, WW__GRID_START, (uint64_t)grid->cells + 2, sizeof(uint32_t), &data));
    WW_TRY(ww__grid_room(grid, WW__GRID_RECORD, n + WW__GRID_BESIDE, record, &data));
    if (atomics && n >= grid->split_from) WW_TRY(ww__grid_room(grid, WW__GRID_RECORD_SPLIT, n, record, &data));
    WW_TRY(ww__grid_room(grid, WW__GRID_NUMBER, n, sizeof(uint32_t), &data));
    return ww__grid_room(grid, WW__GRID_NUMBER_SORTED, n, sizeof(uint32_t), &data);
}

/* The method of each name; every device has the same. */
static const bool by_atomics[] = {[WW_GRID_AUTO] = false, [WW_GRID_SORTING] = false, [WW_GRID_ATOMICS] = true};

ww_status ww__grid_build(ww_grid *grid, const char *call, const ww__grid_points *points) {
    grid->count = 0;
    grid->row_words = 0;
    grid->records_ordered = false;
    WW_TRY(ww__grid_cells(grid, call, points));
    const bool atomics = by_atomics[grid->options.method];
    WW_TRY(take_room(grid, points->count, atomics));
    if (!points->count) return WW_OK;
    WW_TRY(ww__grid_of(grid, build)(grid, points, atomics));
    grid->count = (uint32_t)points->count;
    return WW_OK;
}
