/* Which cells there are. A box is that of the options, or of all points with finite coordinates, which one reduction finds.
 * Where that box has too many cells for its points, or where it is asked for, cells are hashed to at least as many buckets as
 * points. */
#include "space/grid/grid.h"

/* A box of no points has its low above its high. */
#define BOXES(N, T, MOST) \
    WW_STRUCT(box_##N, { \
        T low_x; \
        T low_y; \
        T low_z; \
        T high_x; \
        T high_y; \
        T high_z; \
    }); \
    WW_STRUCT(coordinates_##N, { \
        const T *x; \
        const T *y; \
        const T *z; \
    }); \
    WW_MAP(box_of_point_##N, box_##N, uint32_t, i, coordinates_##N, a, { \
        const T x = a->x[i]; \
        const T y = a->y[i]; \
        const T z = a->z ? a->z[i] : 0; \
        const bool finite = (x - x) + (y - y) + (z - z) == 0; \
        box_##N box; \
        box.low_x = finite ? x : MOST; \
        box.low_y = finite ? y : MOST; \
        box.low_z = finite ? z : MOST; \
        box.high_x = finite ? x : -MOST; \
        box.high_y = finite ? y : -MOST; \
        box.high_z = finite ? z : -MOST; \
        return box; \
    }); \
    WW_COMBINE(join_##N, box_##N, a, b, WW_COMMUTES, WW_IDENTITY({MOST, MOST, MOST, -MOST, -MOST, -MOST}), { \
        box_##N box; \
        box.low_x = b.low_x < a.low_x ? b.low_x : a.low_x; \
        box.low_y = b.low_y < a.low_y ? b.low_y : a.low_y; \
        box.low_z = b.low_z < a.low_z ? b.low_z : a.low_z; \
        box.high_x = a.high_x < b.high_x ? b.high_x : a.high_x; \
        box.high_y = a.high_y < b.high_y ? b.high_y : a.high_y; \
        box.high_z = a.high_z < b.high_z ? b.high_z : a.high_z; \
        return box; \
    }); \
    static ww_status find_box_##N(ww_grid *grid, const ww__grid_points *points, double low[3], double high[3]) { \
        const coordinates_##N all = {points->at[0], points->at[1], points->at[2]}; \
        const ww_input each = ww_mapped(ww_with(box_of_point_##N, &all), \
                                        ww_counting(&ww_type_uint32_t, 0, points->count)); \
        box_##N box; \
        WW_TRY(ww_reduce(grid->device, &join_##N##_ww, each, ww_array_of(&box, 1, &box_##N##_ww))); \
        low[0] = (double)box.low_x, low[1] = (double)box.low_y, low[2] = (double)box.low_z; \
        high[0] = (double)box.high_x, high[1] = (double)box.high_y, high[2] = (double)box.high_z; \
        return WW_OK; \
    }
BOXES(f32, float, 3.4028234663852886e38f)
BOXES(f64, double, 1.7976931348623157e308)

/* How many cells a box has, and along each axis; above `most` the latter are not to be used. Differences of finite numbers may
 * be infinite. */
static double count_cells(ww_grid *grid, const double low[3], const double high[3], double most) {
    double cells = 1;
    for (uint32_t d = 0; d < 3; d++) {
        grid->low[d] = d < grid->dimensions ? low[d] : 0;
        const double along = d < grid->dimensions ? (high[d] - low[d]) / grid->options.cell + 1 : 1;
        const bool few = along <= most;
        grid->along[d] = few && along >= 1 ? (int32_t)along : 1;
        cells *= few ? (double)grid->along[d] : along;
    }
    return cells;
}

/* As many buckets as points, a power of 2. */
static void hash_cells(ww_grid *grid, uint64_t points) {
    const uint64_t most = (uint64_t)1 << 31;
    uint64_t buckets = 64;
    while (buckets < points && buckets < most) buckets *= 2;
    for (uint32_t d = 0; d < 3; d++) {
        grid->low[d] = 0;
        grid->along[d] = 1;
    }
    grid->cells = (uint32_t)buckets;
    grid->mask = (uint32_t)buckets - 1;
}

static void take_cells(ww_grid *grid, double cells) {
    grid->cells = (uint32_t)cells;
    grid->mask = 0;
}

static ww_status fit(ww_grid *grid, const ww__grid_points *points) {
    const double most = 4 * (double)points->count + 4096, limit = 1 << 30;
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    if (points->count) WW_TRY(ww__grid_of(grid, find_box)(grid, points, low, high));
    if (low[0] > high[0]) /* no point is finite */
        for (size_t d = 0; d < 3; d++) low[d] = high[d] = 0;
    const double cells = count_cells(grid, low, high, most < limit ? most : limit);
    if (cells <= most && cells <= limit)
        take_cells(grid, cells);
    else
        hash_cells(grid, points->count);
    return WW_OK;
}

ww_status ww__grid_cells(ww_grid *grid, const char *call, const ww__grid_points *points) {
    const double limit = 1 << 30;
    if (grid->options.domain == WW_GRID_FITTING) return fit(grid, points);
    if (grid->options.domain == WW_GRID_UNBOUNDED) {
        hash_cells(grid, points->count);
        return WW_OK;
    }
    const double cells = count_cells(grid, grid->options.low, grid->options.high, limit);
    if (cells > limit)
        return ww__fail_call(grid->device, call, WW_LIMIT,
                             "the box has %g cells, and 2^30 are the most: an unbounded grid takes more", cells);
    take_cells(grid, cells);
    return WW_OK;
}
