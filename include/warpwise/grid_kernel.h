/* A grid inside kernels: a WW_KERNEL, or the body of a map, walks through the points near a place, on every device.
 *
 *     WW_STRUCT_USES((ww_grid_f32), crowd, { ww_grid_f32 grid; const float *weight; float *sum; });
 *     WW_KERNEL_USES((ww_grid_f32_walk, ww_grid_f32_from_point, ww_grid_f32_next), add_up, crowd, a, rank, {
 *         ww_grid_f32_walk near;
 *         float sum = 0;
 *         ww_grid_f32_from_point(&a->grid, &near, (uint32_t)rank, 0.5f);
 *         while (ww_grid_f32_next(&a->grid, &near)) sum += a->weight[near.index];
 *         a->sum[a->grid.index[rank]] = sum;
 *     });
 *
 *     crowd c = {.weight = weight, .sum = sum};
 *     ww_grid_view_f32(grid, &c.grid);
 *     ww_launch(device, ww_with(add_up, &c), c.grid.count);
 *
 * P is ww_grid_f32 or ww_grid_f64, T float or double. The struct of a kernel's arguments holds a P, and lists it among what it
 * uses; the kernel lists P_walk and the functions that it calls:
 *
 *     void P_from(const P *grid, P_walk *w, T x, T y, T z, T radius)     begins at a place; in two dimensions without z
 *     void P_from_point(const P *grid, P_walk *w, uint32_t at, T radius)     begins at the grid's own point of position `at`,
 *                                                                        which is left out itself
 *     bool P_next(const P *grid, P_walk *w)     goes to the next point whose distance is at most the radius; false: there is
 *                                               none. w->at is its position in the grid, w->index its number among the points
 *                                               that the grid was built of, w->distance_squared (dx dx + dy dy) + dz dz
 *
 * Positions 0 … count - 1 are the order of the points in the grid, by cells: x[at], y[at], z[at] (a null pointer in two
 * dimensions) and index[at] are its arrays. Neighbouring positions are therefore neighbours in space, which suits caches.
 * Points in no cell, because a coordinate is NaN or infinite, come last; a walk never meets them, and one that begins at such a
 * place ends at once. So is one with a radius below 0 or NaN. The radius has a finite square. */
#ifndef WARPWISE_GRID_KERNEL_H
#define WARPWISE_GRID_KERNEL_H

#include "function.h"

/* Bodies are C and C++ at once, whose one cast is C's: C++ compilers are not to warn of it, here or where macros are used. */
#ifdef __cplusplus
#pragma GCC system_header
#endif

/* How far from 0 the cells of an unbounded grid are told apart: what is beyond belongs to the last one. Those of a box count
 * from 0. Least and most are the ends of what P_along gives. */
WW_CONSTANT(WW__GRID_FAR, int32_t, 1 << 30);
/* Nobody's position. */
WW_CONSTANT(WW_GRID_NONE, uint32_t, 0xFFFFFFFFu);

/* EPSILON: the distance from 1 to the next number. TINY: above it squares are normal numbers. */
#define WW__GRID_VIEW(P, T, EPSILON, TINY) \
    WW_STRUCT(P, { \
        const T *x; \
        const T *y; \
        const T *z; \
        const uint32_t *index; \
        const uint32_t *start; \
        T low_x; \
        T low_y; \
        T low_z; \
        T cell; \
        T inverse; \
        uint32_t count; \
        uint32_t cells; \
        uint32_t mask; \
        int32_t nx; \
        int32_t ny; \
        int32_t nz; \
    }); \
    /* Walks go from run to run: positions first … end - 1, a row of cells in a box, a cell where cells are hashed. */ \
    WW_STRUCT(P##_walk, { \
        T x; \
        T y; \
        T z; \
        T squared; \
        T distance_squared; \
        uint32_t at; \
        uint32_t index; \
        uint32_t self; \
        uint32_t first; \
        uint32_t end; \
        uint32_t all; \
        int32_t x_first; \
        int32_t x_last; \
        int32_t y_first; \
        int32_t y_last; \
        int32_t z_last; \
        int32_t x_at; \
        int32_t y_at; \
        int32_t z_at; \
        int32_t cell_x; \
        int32_t cell_y; \
        int32_t cell_z; \
    }); \
    /* The cell of a coordinate on its axis, of n: it never falls as x rises, so that ranges of x are ranges of cells. */ \
    WW_FUNCTION( \
        P##_along, int32_t, (const P *t, T x, T low, int32_t n), \
        { \
            const int32_t least = t->mask ? -WW__GRID_FAR : 0; \
            const int32_t most = t->mask ? WW__GRID_FAR : n - 1; \
            const T c = (x - low) * t->inverse; \
            if (!(c >= (T)least)) return least; \
            if (c >= (T)most) return most; \
            const int32_t whole = (int32_t)c; \
            return (T)whole > c ? whole - 1 : whole; \
        }, \
        P, WW__GRID_FAR); \
    WW_FUNCTION( \
        P##_bucket, uint32_t, (const P *t, int32_t x, int32_t y, int32_t z), \
        { \
            uint32_t h = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u; \
            h ^= h >> 15; \
            return h & t->mask; \
        }, \
        P); \
    /* The number of a place's cell; `cells` where a coordinate is not finite. */ \
    WW_FUNCTION( \
        P##_number, uint32_t, (const P *t, T x, T y, T z), \
        { \
            if (!((x - x) + (y - y) + (z - z) == 0)) return t->cells; \
            const int32_t cx = P##_along(t, x, t->low_x, t->nx); \
            const int32_t cy = P##_along(t, y, t->low_y, t->ny); \
            const int32_t cz = P##_along(t, z, t->low_z, t->nz); \
            if (t->mask) return P##_bucket(t, cx, cy, cz); \
            return ((uint32_t)cz * (uint32_t)t->ny + (uint32_t)cy) * (uint32_t)t->nx + (uint32_t)cx; \
        }, \
        P, P##_along, P##_bucket); \
    WW_FUNCTION( \
        P##_placed, uint32_t, (const P *t), { return t->count ? t->start[t->cells] : 0; }, P); \
    /* Sets the walk to the block of cells that it has the ends of, or to all points where there are fewer than cells. */ \
    WW_FUNCTION( \
        P##_block, void, (const P *t, P##_walk *w, int32_t z_first), \
        { \
            const double cells = ((double)w->x_last - w->x_first + 1) * ((double)w->y_last - w->y_first + 1) * \
                                 ((double)w->z_last - z_first + 1); \
            w->all = cells > (double)P##_placed(t) ? 1 : 0; \
            w->x_at = w->x_first; \
            w->y_at = w->y_first; \
            w->z_at = z_first; \
            w->first = 0; \
            w->end = 0; \
        }, \
        P, P##_walk, P##_placed); \
    /* Ends of x - radius … x + radius that no rounding makes too narrow: neither of theirs nor of the squares. */ \
    WW_FUNCTION(P##_margin, T, (T x, T radius), { \
        const T wide = radius + radius * (8 * EPSILON) + TINY; \
        return wide + ((x < 0 ? -x : x) + wide) * (2 * EPSILON); \
    }); \
    WW_FUNCTION( \
        P##_from, void, (const P *t, P##_walk *w, T x, T y, T z, T radius), \
        { \
            if (!t->z) z = 0; \
            w->x = x; \
            w->y = y; \
            w->z = z; \
            w->squared = radius * radius; \
            w->self = WW_GRID_NONE; \
            w->distance_squared = 0; \
            w->at = 0; \
            w->index = 0; \
            w->all = 0; \
            w->first = 0; \
            w->end = 0; \
            w->x_first = 0; \
            w->x_last = 0; \
            w->y_first = 0; \
            w->y_last = 0; \
            w->z_last = 0; \
            w->x_at = 0; \
            w->y_at = 0; \
            w->z_at = 1; \
            w->cell_x = 0; \
            w->cell_y = 0; \
            w->cell_z = 0; \
            if (!t->count || !((x - x) + (y - y) + (z - z) == 0) || !(radius >= 0)) return; \
            const T mx = P##_margin(x, radius); \
            const T my = P##_margin(y, radius); \
            const T mz = P##_margin(z, radius); \
            w->x_first = P##_along(t, x - mx, t->low_x, t->nx); \
            w->x_last = P##_along(t, x + mx, t->low_x, t->nx); \
            w->y_first = P##_along(t, y - my, t->low_y, t->ny); \
            w->y_last = P##_along(t, y + my, t->low_y, t->ny); \
            w->z_last = t->z ? P##_along(t, z + mz, t->low_z, t->nz) : 0; \
            P##_block(t, w, t->z ? P##_along(t, z - mz, t->low_z, t->nz) : 0); \
        }, \
        P, P##_walk, P##_along, P##_margin, P##_block, WW_GRID_NONE); \
    WW_FUNCTION( \
        P##_from_point, void, (const P *t, P##_walk *w, uint32_t at, T radius), \
        { \
            P##_from(t, w, t->x[at], t->y[at], t->z ? t->z[at] : 0, radius); \
            w->self = at; \
        }, \
        P, P##_walk, P##_from); \
    /* To the next run that has points. */ \
    WW_FUNCTION( \
        P##_run, bool, (const P *t, P##_walk *w), \
        { \
            if (w->all) { \
                w->first = 0; \
                w->end = w->all == 1 ? P##_placed(t) : 0; \
                w->all = 2; \
                return w->end != 0; \
            } \
            while (w->z_at <= w->z_last) { \
                if (t->mask) { \
                    const uint32_t bucket = P##_bucket(t, w->x_at, w->y_at, w->z_at); \
                    w->first = t->start[bucket]; \
                    w->end = t->start[bucket + 1]; \
                    w->cell_x = w->x_at; \
                    w->cell_y = w->y_at; \
                    w->cell_z = w->z_at; \
                } else { \
                    const uint32_t row = ((uint32_t)w->z_at * (uint32_t)t->ny + (uint32_t)w->y_at) * (uint32_t)t->nx; \
                    w->first = t->start[row + (uint32_t)w->x_first]; \
                    w->end = t->start[row + (uint32_t)w->x_last + 1]; \
                    w->x_at = w->x_last; \
                } \
                if (w->x_at++ == w->x_last) { \
                    w->x_at = w->x_first; \
                    if (w->y_at++ == w->y_last) { \
                        w->y_at = w->y_first; \
                        w->z_at++; \
                    } \
                } \
                if (w->first < w->end) return true; \
            } \
            return false; \
        }, \
        P, P##_walk, P##_bucket, P##_placed); \
    /* Of one run, the square of a point's distance; and whether it is in the cell that is visited: buckets have several. */ \
    WW_FUNCTION( \
        P##_apart, T, (const P *t, const P##_walk *w, uint32_t i), \
        { \
            const T dx = t->x[i] - w->x; \
            const T dy = t->y[i] - w->y; \
            const T dz = t->z ? t->z[i] - w->z : 0; \
            return dx * dx + dy * dy + dz * dz; \
        }, \
        P, P##_walk); \
    WW_FUNCTION( \
        P##_here, bool, (const P *t, const P##_walk *w, uint32_t i), \
        { \
            return !t->mask || w->all || \
                   (P##_along(t, t->x[i], t->low_x, t->nx) == w->cell_x && \
                    P##_along(t, t->y[i], t->low_y, t->ny) == w->cell_y && \
                    (!t->z || P##_along(t, t->z[i], t->low_z, t->nz) == w->cell_z)); \
        }, \
        P, P##_walk, P##_along); \
    WW_FUNCTION( \
        P##_next, bool, (const P *t, P##_walk *w), \
        { \
            do { \
                while (w->first < w->end) { \
                    const uint32_t i = w->first++; \
                    const T apart = P##_apart(t, w, i); \
                    if (apart <= w->squared && i != w->self && P##_here(t, w, i)) { \
                        w->at = i; \
                        w->index = t->index[i]; \
                        w->distance_squared = apart; \
                        return true; \
                    } \
                } \
            } while (P##_run(t, w)); \
            return false; \
        }, \
        P, P##_walk, P##_apart, P##_here, P##_run);

WW__GRID_VIEW(ww_grid_f32, float, 1.1920928955078125e-7f, 1e-18f)
WW__GRID_VIEW(ww_grid_f64, double, 2.220446049250313e-16, 1e-153)

#endif
