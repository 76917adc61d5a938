/* Uniform grids: points in two or three dimensions, put in cells of one size, and queries for their neighbours.
 *
 *     ww_points points = ww_points_3d(ww_memory(x, n), ww_memory(y, n), ww_memory(z, n));
 *     ww_grid_options options = WW_GRID_OPTIONS;
 *     ww_grid *grid;
 *     uint64_t total;
 *
 *     options.cell = 0.1;                                                       about the radius of the queries
 *     ww_grid_create(device, &points, &options, &grid);
 *     ww_grid_near_offsets(grid, NULL, 0.1, ww_array(offsets, n + 1), &total);  how many neighbours each point has
 *     ww_grid_near(grid, NULL, 0.1, ww_array(offsets, n + 1), ww_array(neighbours, total), NULL);
 *     …                                                                         those of point i: neighbours[offsets[i]], …
 *     ww_grid_rebuild(grid, &moved);                                            the points elsewhere; in a steady state no call
 *     ww_grid_destroy(grid);                                                    allocates memory
 *
 * Points are a structure of arrays: an input for each coordinate, all f32 or all f64. That is how simulations keep them, how
 * GPUs read them in whole lines and CPUs in vectors; and an input may be computed, so that records with coordinates in them do
 * as well (ww_mapped). The grid keeps a copy of the coordinates, ordered by cells: a query reads rows of cells as pieces of
 * memory, and nothing of the caller's after the call that built the grid.
 *
 * The queries are: how many points lie within a radius, which ones, the k nearest, and, inside the caller's own kernels, a loop
 * over the neighbours of any place (grid_kernel.h). Every answer is exact: the one that a comparison of all pairs would give
 * with the same arithmetic. A point is near at distance d when (dx dx + dy dy) + dz dz <= d d, computed in the points' type.
 *
 *   built by    sorting: points are sorted by the numbers of their cells (ww_sort), and their order in a cell is that of their
 *               indices: the same grid always. Atomics: each point adds 1 to its cell's counter, a scan of these says where
 *               cells begin; the order in a cell is that of the additions, on several threads or a GPU another one each time.
 *               Both are from Green, CUDA Particles (2008). Counts, nearest points and sorted lists are the same with both
 *   domain      a box of cells; points outside belong to the nearest cell at its border and are found all the same. Or
 *               unbounded: the cells of all space share 2^k buckets, at least as many as points, by a hash (Teschner,
 *               Heidelberger, Müller, Pomeranets and Gross, Optimized spatial hashing for collision detection, 2003)
 *   not finite  a point with a coordinate that is NaN or infinite is in no cell: it is nobody's neighbour and has none
 *   one place   any points may be equal; queries for them take time in proportion to their neighbours
 *   far away    a query that would visit more cells than there are points goes through the points instead
 *   points      up to WW_GRID_MOST (LIMIT); indices are u32
 *   memory      40 bytes a point of three f32 (f64: 68), 4 bytes a cell, what a query needs (said there), and ww_sort's
 *   statuses    OK, INVALID, TYPE, LIMIT, BUSY, MEMORY, and those of the primitives that are made use of; UNSUPPORTED between
 *               ww_scratch_ask and ww_scratch_asked. The sentence is in the device's ww_error
 *   on error    a refused call has changed nothing. A grid that could not be built for lack of memory has no points
 *   on a GPU    calls are asynchronous, and inputs must not change until they are done, as with other calls. Outputs and inputs
 *               in ordinary host memory are copied, and the call waits. The host also waits where a line "waits" says so
 *
 * All of it is built from public primitives and kernels (docs/space.md). */
#ifndef WARPWISE_GRID_H
#define WARPWISE_GRID_H

#include "device.h"
#include "grid_kernel.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_grid ww_grid;

/* Points: a coordinate each, as many in all, of one type, f32 or f64; z is ww_no_input in two dimensions. */
typedef struct ww_points {
    ww_input x, y, z;
} ww_points;

static inline ww_points ww_points_3d(ww_input x, ww_input y, ww_input z) {
    ww_points points;
    points.x = x;
    points.y = y;
    points.z = z;
    return points;
}
static inline ww_points ww_points_2d(ww_input x, ww_input y) { return ww_points_3d(x, y, ww_no_input); }

#define WW_GRID_MOST 0xFFFFFFFEu

typedef enum ww_grid_method {
    WW_GRID_AUTO = 0, /* by sorting */
    WW_GRID_SORTING,
    WW_GRID_ATOMICS
} ww_grid_method;

typedef enum ww_grid_domain {
    WW_GRID_FITTING =
        0,       /* the box of the points (waits), if it has at most 4 cells a point and 4096 more; else unbounded */
    WW_GRID_BOX, /* low … high of the options */
    WW_GRID_UNBOUNDED /* hashed cells */
} ww_grid_domain;

typedef struct ww_grid_options {
    size_t size;     /* WW_GRID_OPTIONS fills it */
    uint32_t method; /* a ww_grid_method */
    uint32_t domain; /* a ww_grid_domain */
    double cell; /* the length of a cell's edge: above 0, and finite in the points' type, as is 1 / cell (INVALID) */
    double low[3], high[3]; /* of WW_GRID_BOX: finite, low <= high (INVALID); up to 2^30 cells (LIMIT) */
    uint32_t reserved[2];   /* 0 */
} ww_grid_options;
#define WW_GRID_OPTIONS \
    { \
        sizeof(ww_grid_options), WW_GRID_AUTO, WW_GRID_FITTING, 0, {0, 0, 0}, {0, 0, 0}, { 0, 0 } \
    }

/* A grid of the points, which may be none. It uses the device's memory and threads, and has to be destroyed before that is
 * closed. NULL is fine for ww_grid_destroy.
 *   passes    of 3 coordinates, by sorting: coordinates read, cells' numbers sorted with 4 bytes (their bits that there are),
 *             coordinates gathered in that order, and for each cell 4 bytes written, read and written. By atomics: an addition
 *             a point, coordinates and indices scattered, and the same for cells; on a GPU from 2^21 points on these are
 *             sorted by 8 bits of their cells' numbers before, which takes 16 bytes a point more (f64: 32) */
WW_API ww_status ww_grid_create(ww_device *device, const ww_points *points, const ww_grid_options *options,
                                ww_grid **grid);
WW_API void ww_grid_destroy(ww_grid *grid);

/* The same for other points, of which there may be more or fewer, of the type and dimensions that the first ones had (TYPE). */
WW_API ww_status ww_grid_rebuild(ww_grid *grid, const ww_points *points);

typedef struct ww_grid_info {
    size_t size;             /* of this struct; WW_GRID_INFO fills it */
    uint64_t points, placed; /* placed: those in a cell */
    uint64_t cells;          /* or buckets */
    uint32_t dimensions;     /* 2 or 3 */
    uint32_t hashed;         /* 1 where the cells are hashed */
    double cell, low[3];
    uint64_t along[3]; /* cells along each axis; 0 where they are hashed */
    uint64_t bytes;    /* of memory that the grid has */
} ww_grid_info;
#define WW_GRID_INFO \
    { sizeof(ww_grid_info), 0, 0, 0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 0 }
/* Waits. */
WW_API ww_status ww_grid_info_get(ww_grid *grid, ww_grid_info *info);

/* What kernels walk through (grid_kernel.h), of points of f32 or f64 (TYPE): valid until the grid is rebuilt or destroyed. */
WW_API ww_status ww_grid_view_f32(ww_grid *grid, ww_grid_f32 *view);
WW_API ww_status ww_grid_view_f64(ww_grid *grid, ww_grid_f64 *view);

/* ---- within a radius ---- */

/* Places that queries are about: `at`, points of the grid's type and dimensions (TYPE), any number of them. NULL means the
 * grid's own points, none of which is its own neighbour (points in the same place are neighbours of each other). The radius is
 * at least 0, and its square finite in the points' type (INVALID). */

/* counts[i] = how many points are within the radius of place i.
 *   counts    u32 or u64, as many as places
 *   costs     the points of the cells that the radius touches are read; with cells as large as the radius 27 of them, in two
 *             dimensions 9; 4 bytes a place of memory */
WW_API ww_status ww_grid_near_counts(ww_grid *grid, const ww_points *at, double radius, ww_array counts);

/* The same as offsets: of lists of that length, one after the other. offsets[0] is 0, and the last one the number of all
 * neighbours, which is *total, too (waits; NULL: not wanted).
 *   offsets   u64, one more than places
 *   a GPU     with NULL for `at`, and cells in a box: makes the lists, too, so that ww_grid_near with this radius only copies
 *             them. It keeps 4 (m + 4 sqrt(m) + 9) bytes a point, m being the neighbours that a point would have were all
 *             evenly spread, or nothing where that is above 2 KiB; longer lists are made again */
WW_API ww_status ww_grid_near_offsets(ww_grid *grid, const ww_points *at, double radius, ww_array offsets,
                                      uint64_t *total);

typedef enum ww_grid_order {
    WW_GRID_BY_CELLS =
        0, /* cell after cell, z before y before x (hashed ones in the same way); in a cell as the grid has them */
    WW_GRID_BY_INDEX /* ascending: the same for both methods; costs a ww_sort_segments of the lists */
} ww_grid_order;

typedef struct ww_grid_near_options {
    size_t size;       /* WW_GRID_NEAR_OPTIONS fills it */
    uint32_t order;    /* a ww_grid_order */
    uint32_t reserved; /* 0 */
} ww_grid_near_options;
#define WW_GRID_NEAR_OPTIONS \
    { sizeof(ww_grid_near_options), WW_GRID_BY_CELLS, 0 }

/* The lists themselves: indices of the points within the radius of place i, from indices[offsets[i]] on.
 *   offsets   what ww_grid_near_offsets gave for the same places and radius. If others do not match a list, or go beyond
 *             `indices`, RANGE names the first such place; then lists are incomplete, but nothing else is written
 *   indices   u32, as many as the last offset says; elements beyond are unchanged
 *   costs     as ww_grid_near_counts, or of what was kept; and 4 bytes written for each neighbour; waits for what it has found
 *             out */
WW_API ww_status ww_grid_near(ww_grid *grid, const ww_points *at, double radius, ww_array offsets, ww_array indices,
                              const ww_grid_near_options *options);

/* Offsets and lists at once, of the grid's own points and in the grid's order: list k is that of the point at position k of
 * grid_kernel.h, and its indices are in the order of ww_grid_near's. Lists of points that are near each other are near each
 * other in memory.
 *   points    u32, as many as the grid has, or ww_none: points[k] is the index of the point that list k is of
 *   offsets   u64, one more: list k is indices[offsets[k]] … indices[offsets[k + 1] - 1]
 *   indices   u32, capacity for all lists, whose length is *total (waits; NULL: not wanted). Too little is LIMIT, with points,
 *             offsets and total right: then lists that do not fit whole are not written. What no list has stays as it was
 *   costs     as ww_grid_near_counts, and 4 bytes written for each neighbour; on a CPU, and where cells are hashed, points are
 *             compared twice. Memory: 4 bytes a point */
WW_API ww_status ww_grid_lists(ww_grid *grid, double radius, ww_array points, ww_array offsets, ww_array indices,
                               uint64_t *total);

/* ---- the nearest ---- */

enum { WW_GRID_NEAREST_MOST = 1024 };

/* The k points nearest to place i, from element k * i on: the nearer first, of equally far ones that of the lower index.
 *   k           1 to WW_GRID_NEAREST_MOST (LIMIT; 0 is INVALID)
 *   indices     u32, k for each place. Where fewer points are there the rest is WW_GRID_NONE
 *   distances   of the points' type, as many, or ww_none; with WW_GRID_NONE goes infinity. Distances are compared by their
 *               squares; where these overflow they are infinite, and the lower index is nearer
 *   costs       a block of 3 cells along each axis is searched, then one of 5, 9, … until k points are found and none outside
 *               can be nearer; good with about k points a block. An insertion into k elements for each of the points among
 *               them; without distances as much memory as they would take */
WW_API ww_status ww_grid_nearest(ww_grid *grid, const ww_points *at, uint32_t k, ww_array indices, ww_array distances);

/* ---- colliding particles ---- */

/* Balls of one radius and of mass 1, as arrays that are read and written; z and vz are ww_none in two dimensions. */
typedef struct ww_particles {
    ww_array x, y, z, vx, vy, vz;
} ww_particles;

typedef struct ww_collide_options {
    size_t size;                               /* WW_COLLIDE_OPTIONS fills it */
    double radius;                             /* of a particle: above 0, the square of twice that finite */
    double time_step;                          /* all numbers are finite (INVALID) */
    double spring, damping, shear, attraction; /* of the forces between particles that touch */
    double gravity[3];                         /* an acceleration */
    double drag;                               /* velocities are multiplied by 1 - drag in each step */
    double low[3], high[3];                    /* walls */
    double bounce;                             /* the fraction of the velocity that is kept, reversed, at a wall */
    uint32_t walls;                            /* 1: there are walls, low <= high; 0: none */
    uint32_t reserved;                         /* 0 */
} ww_collide_options;
#define WW_COLLIDE_OPTIONS \
    { sizeof(ww_collide_options), 0, 0, 0.5, 0.02, 0.1, 0, {0, 0, 0}, 0, {0, 0, 0}, {0, 0, 0}, 0.5, 0, 0 }

/* One step of a simulation, in three parts:
 *   integration   v = (v + gravity dt) (1 - drag), x = x + v dt; a particle whose centre is nearer to a wall than its radius is
 *                 set back to that, and its velocity there becomes -bounce of what it was
 *   grid          rebuilt from where the particles are now
 *   collisions    each particle i gets, of every other one j at r = x_j - x_i that is nearer than two radii, |r| < 2 R:
 *                 -spring (2 R - |r|) n + damping w + shear (w - (w n) n) + attraction r
 *                 with n = r / |r| (0 where both are in one place) and w = v_j - v_i; the sum is added to its velocity
 * The cells are best as large as two radii. Particles with coordinates that are not finite move on, and collide with none. With
 * a grid by sorting the result is the same bits each time; by atomics the order of the sums is the cells'.
 *   particles   arrays of one count, of the grid's type (TYPE) and dimensions, which need not be the grid's points before; no
 *               two of them overlap (OVERLAP)
 *   memory      three more coordinates a particle
 * Green, CUDA Particles (2008): a particle's forces are those of its discrete element method. */
WW_API ww_status ww_grid_collide(ww_grid *grid, const ww_particles *particles, const ww_collide_options *options);

#ifdef __cplusplus
}
#endif
#endif
