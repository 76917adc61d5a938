/* A grid's memory, and arrays of the caller's that kernels are to read or write: where they lie, if kernels reach them there,
 * else in a block of the grid's. */
#include <stdio.h>

#include "device/array.h"
#include "function/check.h"
#include "space/grid/grid.h"

typedef unsigned long long ull;

/* ---- blocks ---- */

void ww__grid_drop(ww_grid *grid) {
    for (size_t b = 0; b < WW__GRID_USES; b++) ww__kept_drop(grid->device, &grid->block[b]);
}

ww_status ww__grid_room(ww_grid *grid, ww__grid_use use, uint64_t count, size_t size, void *data) {
    ww__kept *block = &grid->block[use];
    WW_TRY(ww__kept_capacity(grid->device, block, count, size, 0));
    *(void **)data = block->data;
    return WW_OK;
}

/* ---- arrays that are lent ---- */

/* Whether kernels reach a checked array where it lies. */
static ww_status look_at(ww_device *device, const char *name, const ww_array *array, bool *reached) {
    WW_TRY(ww__check_array(device, name, array));
    *reached = !device->stage_wanted;
    return WW_OK;
}

/* Results of one element may lie anywhere, and nothing says where: they are copied. */
static ww_status reaches(ww_grid *grid, const char *call, const char *name, const ww_array *array, bool *reached) {
    WW_TRY(ww__enter(grid->device, call));
    const ww_status status = look_at(grid->device, name, array, reached);
    *reached = *reached && array->count > 1;
    return ww__leave(grid->device, status);
}

ww_status ww__grid_lend_array(ww_grid *grid, const char *call, const char *name, const ww_array *array, bool in,
                              ww__grid_use use, void *data) {
    bool reached = false;
    WW_TRY(reaches(grid, call, name, array, &reached));
    if (reached) {
        *(void **)data = array->data;
        return WW_OK;
    }
    WW_TRY(ww__grid_room(grid, use, array->count, array->size, data));
    const ww_array block = {*(void **)data, array->count, array->type, array->size, NULL, 0};
    return in && array->count ? ww_store(grid->device, ww_from(*array), block) : WW_OK;
}

ww_status ww__grid_return(ww_grid *grid, const ww_array *array, const void *data) {
    if (data == array->data || !array->count) return WW_OK;
    return ww_copy(grid->device, ww_memory_of(data, array->count, array->type), *array);
}

/* ---- points ---- */

static ww_status check_points(ww_device *device, const char *name, const ww_points *points, const ww_type **type,
                              uint32_t *dimensions) {
    static const char axis[] = "xyz";
    const ww_input *const each[] = {&points->x, &points->y, &points->z};
    *dimensions = points->z.type || points->z.problem ? 3 : 2;
    for (uint32_t d = 0; d < *dimensions; d++) {
        char full[32];
        snprintf(full, sizeof full, "%s.%c", name, axis[d]);
        WW_TRY(ww__check_input(device, full, each[d]));
        device->stage_wanted = false;
        WW_CHECK(device, each[d]->type == &ww_type_float || each[d]->type == &ww_type_double, WW_TYPE,
                 "%s is %s, and coordinates are f32 or f64", full, each[d]->type->label);
        WW_CHECK(device, each[d]->type == points->x.type, WW_TYPE, "%s is %s, and %s.x %s", full, each[d]->type->label,
                 name, points->x.type->label);
        WW_CHECK(device, each[d]->count == points->x.count, WW_INVALID, "%s has %llu elements, %s.x %llu", full,
                 (ull)each[d]->count, name, (ull)points->x.count);
    }
    WW_CHECK(device, points->x.count <= WW_GRID_MOST, WW_LIMIT, "%s are %llu, and %llu are the most", name,
             (ull)points->x.count, (ull)WW_GRID_MOST);
    *type = points->x.type;
    return WW_OK;
}

ww_status ww__grid_check_points(ww_device *device, const char *call, const char *name, const ww_points *points,
                                const ww_type **type, uint32_t *dimensions) {
    WW_TRY(ww__enter(device, call));
    return ww__leave(device, check_points(device, name, points, type, dimensions));
}

static ww_status lend_input(ww_grid *grid, const char *call, const char *name, const ww_input *in, ww__grid_use use,
                            const void **at) {
    bool reached = false;
    void *block = NULL;
    if (in->steps == 1 && in->kind[0] == WW_STEP_MEMORY) {
        const ww_array array = {(void *)(uintptr_t)in->step[0].data, in->count, in->type, in->size, NULL, 0};
        WW_TRY(reaches(grid, call, name, &array, &reached));
        *at = array.data;
        if (reached) return WW_OK;
    }
    WW_TRY(ww__grid_room(grid, use, in->count, in->size, &block));
    *at = block;
    return in->count ? ww_store(grid->device, *in, ww_array_of(block, in->count, in->type)) : WW_OK;
}

ww_status ww__grid_lend(ww_grid *grid, const char *call, const char *name, const ww_points *points, ww__grid_use use,
                        ww__grid_points *lent) {
    const ww_type *type;
    uint32_t dimensions;
    *lent = (ww__grid_points){grid->count, {NULL, NULL, NULL}};
    if (!points) return WW_OK;
    WW_TRY(ww__grid_check_points(grid->device, call, name, points, &type, &dimensions));
    if (type != grid->type || dimensions != grid->dimensions)
        return ww__fail_call(grid->device, call, WW_TYPE, "%s are of %u dimensions and %s, the grid's of %u and %s",
                             name, dimensions, type->label, grid->dimensions, grid->type->label);
    const ww_input *const each[] = {&points->x, &points->y, &points->z};
    lent->count = points->x.count;
    for (uint32_t d = 0; d < dimensions; d++)
        WW_TRY(lend_input(grid, call, name, each[d], (ww__grid_use)(use + d), &lent->at[d]));
    return WW_OK;
}

/* ---- arguments ---- */

ww_status ww__grid_check_array(ww_grid *grid, const char *call, const char *name, const ww_array *array,
                               const ww_type *type, uint64_t count) {
    bool reached;
    if (!array->type || (array->count && !array->data && count))
        return ww__fail_call(grid->device, call, WW_INVALID, "%s is missing", name);
    if (array->type != type)
        return ww__fail_call(grid->device, call, WW_TYPE, "%s is %s, and has to be %s", name, array->type->label,
                             type->label);
    if (array->count != count)
        return ww__fail_call(grid->device, call, WW_INVALID, "%s has %llu elements, and has to have %llu", name,
                             (ull)array->count, (ull)count);
    return reaches(grid, call, name, array, &reached);
}

ww_status ww__grid_check_apart(ww_device *device, const ww_points *at, const char *name, const ww_array *output) {
    WW_TRY(ww__check_apart(device, "at.x", &at->x, name, output, WW__APART));
    WW_TRY(ww__check_apart(device, "at.y", &at->y, name, output, WW__APART));
    return at->z.type ? ww__check_apart(device, "at.z", &at->z, name, output, WW__APART) : WW_OK;
}

ww_status ww__grid_check_radius(ww_grid *grid, const char *call, const char *name, double radius) {
    const float narrow = (float)radius;
    const double square = ww__grid_is_wide(grid) ? radius * radius : (double)(narrow * narrow);
    if (!(radius >= 0) || !(square - square == 0))
        return ww__fail_call(grid->device, call, WW_INVALID, "%s is %g, and has to be at least 0, with a finite square",
                             name, radius);
    return WW_OK;
}
