/* The k nearest points: each place searches the block of cells from 1 before its own to 1 behind on each axis, then from 2, 4,
 * … until it has k points and none outside of the block can be nearer or as near. The list of the best so far stands in the
 * results, in order by the square of the distance, then by index; whatever the order of the points, it becomes the same. */
#include <math.h>

#include "device/array.h"
#include "space/grid/grid.h"

#define NEAREST(N, T, EPSILON, INFINITE, ROOT) \
    WW_STRUCT_USES((ww_grid_##N), nearest_##N, { \
        ww_grid_##N grid; \
        const T *x; \
        const T *y; \
        const T *z; \
        uint32_t k; \
        uint32_t *indices; \
        T *distances; \
    }); \
    /* A lower bound of the distance from x to what is in no cell from first to last on an axis. An axis ends at a box's \
     * borders, whose cells have all that is beyond. */ \
    WW_FUNCTION( \
        outside_##N, T, (const ww_grid_##N *t, T x, T low, int32_t n, int32_t first, int32_t last), \
        { \
            const T below = low + (T)first * t->cell; \
            const T above = low + ((T)last + 1) * t->cell; \
            const T size = (x < 0 ? -x : x) + (low < 0 ? -low : low) + (T)(last < 0 ? -last : last) * t->cell + \
                           (T)(first < 0 ? -first : first) * t->cell + t->cell; \
            const T margin = size * (8 * EPSILON); \
            T least = INFINITE; \
            if (t->mask ? first > -WW__GRID_FAR : first > 0) least = x - below - margin; \
            if ((t->mask ? last < WW__GRID_FAR : last < n - 1) && above - x - margin < least) \
                least = above - x - margin; \
            return least; \
        }, \
        ww_grid_##N, WW__GRID_FAR); \
    /* first = middle - reach and so on, within the axis. */ \
    WW_FUNCTION( \
        reach_##N, int32_t, (const ww_grid_##N *t, int32_t middle, int64_t reach, int32_t n), \
        { \
            const int64_t least = t->mask ? -WW__GRID_FAR : 0; \
            const int64_t most = t->mask ? WW__GRID_FAR : n - 1; \
            const int64_t to = middle + reach; \
            return (int32_t)(to < least ? least : to > most ? most : to); \
        }, \
        ww_grid_##N, WW__GRID_FAR); \
    WW_FUNCTION(insert_##N, void, (uint32_t * indices, T * squares, uint32_t k, uint32_t index, T square), { \
        uint32_t at = k - 1; \
        if (square > squares[at] || (square == squares[at] && index > indices[at])) return; \
        for (; at > 0; at--) { \
            if (squares[at - 1] < square || (squares[at - 1] == square && indices[at - 1] < index)) break; \
            squares[at] = squares[at - 1]; \
            indices[at] = indices[at - 1]; \
        } \
        squares[at] = square; \
        indices[at] = index; \
    }); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_from, ww_grid_##N##_along, ww_grid_##N##_block, \
                    ww_grid_##N##_next, WW_GRID_NONE, outside_##N, reach_##N, insert_##N), \
                   find_nearest_##N, nearest_##N, a, rank, { \
                       const ww_grid_##N *t = &a->grid; \
                       const uint32_t k = a->k; \
                       const T x = a->x ? a->x[rank] : t->x[rank]; \
                       const T y = a->x ? a->y[rank] : t->y[rank]; \
                       const T z = !t->z ? 0 : a->x ? a->z[rank] : t->z[rank]; \
                       const uint64_t to = a->x ? rank : t->index[rank]; \
                       uint32_t *indices = a->indices + to * k; \
                       T *squares = a->distances + to * k; \
                       ww_grid_##N##_walk w; \
                       const bool finite = (x - x) + (y - y) + (z - z) == 0; \
                       ww_grid_##N##_from(t, &w, x, y, z, -1); \
                       if (!a->x) w.self = (uint32_t)rank; \
                       const int32_t cx = finite ? ww_grid_##N##_along(t, x, t->low_x, t->nx) : 0; \
                       const int32_t cy = finite ? ww_grid_##N##_along(t, y, t->low_y, t->ny) : 0; \
                       const int32_t cz = finite && t->z ? ww_grid_##N##_along(t, z, t->low_z, t->nz) : 0; \
                       for (int64_t reach = 1;; reach *= 2) { \
                           for (uint32_t i = 0; i < k; i++) { \
                               squares[i] = INFINITE; \
                               indices[i] = WW_GRID_NONE; \
                           } \
                           if (!finite || !t->count) break; \
                           const int32_t z_first = t->z ? reach_##N(t, cz, -reach, t->nz) : 0; \
                           w.x_first = reach_##N(t, cx, -reach, t->nx); \
                           w.x_last = reach_##N(t, cx, reach, t->nx); \
                           w.y_first = reach_##N(t, cy, -reach, t->ny); \
                           w.y_last = reach_##N(t, cy, reach, t->ny); \
                           w.z_last = t->z ? reach_##N(t, cz, reach, t->nz) : 0; \
                           ww_grid_##N##_block(t, &w, z_first); \
                           w.squared = INFINITE; \
                           while (ww_grid_##N##_next(t, &w)) { \
                               insert_##N(indices, squares, k, w.index, w.distance_squared); \
                               w.squared = squares[k - 1]; \
                           } \
                           if (w.all) break; \
                           T least = outside_##N(t, x, t->low_x, t->nx, w.x_first, w.x_last); \
                           const T least_y = outside_##N(t, y, t->low_y, t->ny, w.y_first, w.y_last); \
                           const T least_z = t->z ? outside_##N(t, z, t->low_z, t->nz, z_first, w.z_last) : INFINITE; \
                           if (least_y < least) least = least_y; \
                           if (least_z < least) least = least_z; \
                           if (least == INFINITE) break; \
                           if (least > 0 && squares[k - 1] < least * least * (1 - 16 * EPSILON)) break; \
                       } \
                       for (uint32_t i = 0; i < k; i++) squares[i] = ROOT(squares[i]); \
                   }); \
    static ww_status nearest_of_##N(ww_grid *grid, const ww__grid_points *at, uint32_t k, uint32_t *indices, \
                                    void *distances) { \
        nearest_##N a = {.x = at->at[0], .y = at->at[1], .z = at->at[2], .k = k, .indices = indices}; \
        a.distances = distances; \
        ww__grid_see_##N(grid, &a.grid); \
        return ww_launch(grid->device, ww_with(find_nearest_##N, &a), at->count); \
    }
NEAREST(f32, float, 1.1920928955078125e-7f, ww_float_of_bits(0x7F800000u), sqrtf)
NEAREST(f64, double, 2.220446049250313e-16, ww_double_of_bits(0x7FF0000000000000u), sqrt)

static ww_status check_apart(ww_device *device, const ww_points *at, const ww_array *indices,
                             const ww_array *distances) {
    if (at) WW_TRY(ww__grid_check_apart(device, at, "indices", indices));
    if (!distances->type) return WW_OK;
    if (at) WW_TRY(ww__grid_check_apart(device, at, "distances", distances));
    return ww__check_outputs_apart(device, "indices", indices, "distances", distances);
}

/* Where the distances go: to the caller's array, or a block that is as large. */
static ww_status lend_distances(ww_grid *grid, const char *call, const ww_array *distances, uint64_t count, void **to) {
    if (!distances->type) return ww__grid_room(grid, WW__GRID_DISTANCES, count, grid->type->size, to);
    return ww__grid_lend_array(grid, call, "distances", distances, false, WW__GRID_DISTANCES, to);
}

ww_status ww_grid_nearest(ww_grid *grid, const ww_points *at, uint32_t k, ww_array indices, ww_array distances) {
    static const char call[] = "ww_grid_nearest";
    ww__grid_points lent;
    uint32_t *to;
    void *apart;
    if (!grid) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(grid->device, call));
    if (!k) return ww__fail_call(grid->device, call, WW_INVALID, "k is 0");
    if (k > WW_GRID_NEAREST_MOST)
        return ww__fail_call(grid->device, call, WW_LIMIT, "k is %u, and %d is the most", k, WW_GRID_NEAREST_MOST);
    WW_TRY(ww__grid_lend(grid, call, "at", at, WW__GRID_ASKED, &lent));
    const uint64_t count = lent.count * k;
    WW_TRY(ww__grid_check_array(grid, call, "indices", &indices, &ww_type_uint32_t, count));
    if (distances.type) WW_TRY(ww__grid_check_array(grid, call, "distances", &distances, grid->type, count));
    WW_TRY(ww__enter(grid->device, call));
    WW_TRY(ww__leave(grid->device, check_apart(grid->device, at, &indices, &distances)));
    WW_TRY(lend_distances(grid, call, &distances, count, &apart));
    WW_TRY(ww__grid_lend_array(grid, call, "indices", &indices, false, WW__GRID_INDICES, &to));
    if (!count) return WW_OK;
    WW_TRY(ww__grid_of(grid, nearest_of)(grid, &lent, k, to, apart));
    WW_TRY(ww__grid_return(grid, &indices, to));
    return distances.type ? ww__grid_return(grid, &distances, apart) : WW_OK;
}
