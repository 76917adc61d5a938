/* A grid's life: what it was asked to be, and what it is. */
#include <string.h>

#include "device/options.h"
#include "space/grid/grid.h"

/* ---- options ---- */

static ww_status check_options(ww_device *device, const ww_grid_options *given, const ww_type *type,
                               uint32_t dimensions, ww_grid_options *o) {
    static const char axis[] = "xyz";
    WW_TRY(ww__take_options(device, given, "WW_GRID_OPTIONS", o, offsetof(ww_grid_options, reserved)));
    WW_CHECK(device, o->method <= WW_GRID_ATOMICS, WW_INVALID, "options.method is %u", o->method);
    WW_CHECK(device, o->domain <= WW_GRID_UNBOUNDED, WW_INVALID, "options.domain is %u", o->domain);
    const bool wide = type == &ww_type_double;
    const double cell = wide ? o->cell : (double)(float)o->cell;
    const double inverse = wide ? 1 / cell : (double)(1 / (float)cell);
    WW_CHECK(device, cell > 0 && cell - cell == 0 && inverse - inverse == 0, WW_INVALID,
             "options.cell is %g, and has to be above 0 and finite in %s, as 1 / cell", o->cell, type->label);
    for (uint32_t d = 0; o->domain == WW_GRID_BOX && d < dimensions; d++) {
        const double low = wide ? o->low[d] : (double)(float)o->low[d];
        WW_CHECK(device, low - low == 0 && o->high[d] - o->high[d] == 0 && o->low[d] <= o->high[d], WW_INVALID,
                 "options.low and high are %g and %g on the %c axis", o->low[d], o->high[d], axis[d]);
    }
    return WW_OK;
}

/* ---- to make one ---- */

static ww_status make(ww_device *device, const ww_grid_options *options, const ww_type *type, uint32_t dimensions,
                      ww_grid **made) {
    ww_grid_options o = WW_GRID_OPTIONS;
    WW_TRY(check_options(device, options, type, dimensions, &o));
    ww_grid *grid = ww__allocate(device, sizeof *grid, _Alignof(ww_grid));
    if (!grid) return ww__no_memory(device, sizeof *grid);
    memset(grid, 0, sizeof *grid);
    grid->device = device;
    grid->type = type;
    grid->dimensions = dimensions;
    grid->options = o;
    *made = grid;
    return WW_OK;
}

/* On which devices lists are made when they are counted, and kept: a CPU compares again as quickly as it reads them. And from how
 * many points on these are split before each finds its place by atomics (a CPU's caches are not shared by so many ranks). */
static const struct {
    const char *backend;
    bool rows;
    uint64_t split_from;
} habits[] = {{"cpu", false, UINT64_MAX}, {"cuda", true, 1 << 21}, {"emu", true, 256}};

ww_status ww_grid_create(ww_device *device, const ww_points *points, const ww_grid_options *options, ww_grid **grid) {
    static const char call[] = "ww_grid_create";
    const ww_type *type;
    uint32_t dimensions;
    if (grid) *grid = NULL;
    WW_TRY(ww__call_not_on_paper(device, call));
    if (!grid) return ww__fail_call(device, call, WW_INVALID, "grid is NULL");
    if (!points) return ww__fail_call(device, call, WW_INVALID, "points is NULL");
    WW_TRY(ww__grid_check_points(device, call, "points", points, &type, &dimensions));
    ww_device_info info = WW_DEVICE_INFO;
    WW_TRY(ww_device_info_get(device, &info));
    WW_TRY(ww__enter(device, call));
    WW_TRY(ww__leave(device, make(device, options, type, dimensions, grid)));
    for (size_t k = 0; k < sizeof habits / sizeof *habits; k++)
        if (!strcmp(info.backend, habits[k].backend)) {
            (*grid)->keeps_rows = habits[k].rows;
            (*grid)->split_from = habits[k].split_from;
        }
    const ww_status status = ww_grid_rebuild(*grid, points);
    if (status) {
        ww_grid_destroy(*grid);
        *grid = NULL;
    }
    return status;
}

void ww_grid_destroy(ww_grid *grid) {
    if (!grid) return;
    ww__grid_drop(grid);
    ww__release(grid->device, grid, sizeof *grid);
}

ww_status ww_grid_rebuild(ww_grid *grid, const ww_points *points) {
    static const char call[] = "ww_grid_rebuild";
    ww__grid_points lent;
    if (!grid) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(grid->device, call));
    if (!points) return ww__fail_call(grid->device, call, WW_INVALID, "points is NULL");
    WW_TRY(ww__grid_lend(grid, call, "points", points, WW__GRID_BUILT_OF, &lent));
    return ww__grid_build(grid, call, &lent);
}

/* ---- what it is ---- */

ww_status ww_grid_info_get(ww_grid *grid, ww_grid_info *info) {
    static const char call[] = "ww_grid_info_get";
    ww_grid_info made = WW_GRID_INFO;
    uint32_t placed = 0;
    if (!grid) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(grid->device, call));
    if (!info) return ww__fail_call(grid->device, call, WW_INVALID, "info is NULL");
    if (grid->count) {
        const uint32_t *start = grid->block[WW__GRID_START].data;
        WW_TRY(ww_copy(grid->device, ww_memory(start + grid->cells, 1), ww_array(&placed, 1)));
        WW_TRY(ww_sync(grid->device));
    }
    made.points = grid->count;
    made.placed = placed;
    made.cells = grid->cells;
    made.dimensions = grid->dimensions;
    made.hashed = grid->mask != 0;
    made.cell = grid->options.cell;
    for (uint32_t d = 0; d < grid->dimensions; d++) {
        made.low[d] = grid->low[d];
        made.along[d] = grid->mask ? 0 : (uint64_t)grid->along[d];
    }
    for (size_t b = 0; b < WW__GRID_USES; b++) made.bytes += grid->block[b].bytes;
    WW_TRY(ww__enter(grid->device, call));
    return ww__leave(grid->device, ww__give_struct(grid->device, &made, "WW_GRID_INFO", info, sizeof made));
}

#define SEE(N, T) \
    void ww__grid_see_##N(const ww_grid *grid, ww_grid_##N *view) { \
        *view = (ww_grid_##N){.x = grid->block[WW__GRID_X].data, \
                              .y = grid->block[WW__GRID_Y].data, \
                              .z = grid->dimensions == 3 ? grid->block[WW__GRID_Z].data : NULL, \
                              .index = grid->block[WW__GRID_INDEX].data, \
                              .start = grid->block[WW__GRID_START].data, \
                              .low_x = (T)grid->low[0], \
                              .low_y = (T)grid->low[1], \
                              .low_z = (T)grid->low[2], \
                              .cell = (T)grid->options.cell, \
                              .inverse = 1 / (T)grid->options.cell, \
                              .count = grid->count, \
                              .cells = grid->cells, \
                              .mask = grid->mask, \
                              .nx = grid->along[0], \
                              .ny = grid->along[1], \
                              .nz = grid->along[2]}; \
    } \
    ww_status ww_grid_view_##N(ww_grid *grid, ww_grid_##N *view) { \
        static const char call[] = "ww_grid_view_" #N; \
        if (!grid) return WW_INVALID; \
        WW_TRY(ww__call_not_on_paper(grid->device, call)); \
        if (!view) return ww__fail_call(grid->device, call, WW_INVALID, "view is NULL"); \
        if (grid->type != &WW__TYPE(T)) \
            return ww__fail_call(grid->device, call, WW_TYPE, "the grid's points are %s", grid->type->label); \
        ww__grid_see_##N(grid, view); \
        return WW_OK; \
    }
SEE(f32, float)
SEE(f64, double)
