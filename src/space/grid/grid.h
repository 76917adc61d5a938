/* What the files of this room share: a grid, its memory, and points that are lent to it. */
#ifndef WW__GRID_H
#define WW__GRID_H

#include "device/between.h"
#include "warpwise/grid.h"
#include "warpwise/primitive.h"

/* Memory of the device's, by what it is for. */
typedef enum ww__grid_use {
    WW__GRID_X, /* the points in the grid's order, and their indices */
    WW__GRID_Y,
    WW__GRID_Z,
    WW__GRID_INDEX,
    WW__GRID_START,         /* where cells begin; behind the last one those points that are in none, and the end */
    WW__GRID_NUMBER,        /* each point's cell */
    WW__GRID_NUMBER_SORTED, /* by sorting: the same, sorted; by atomics: each point's place in its cell, or its cell where
                             * points were split */
    WW__GRID_RECORD,        /* each point's coordinates and index side by side, while the grid is built */
    WW__GRID_RECORD_SPLIT,                  /* the same, split by cells */
    WW__GRID_BUILT_OF,                      /* 3: the points, where kernels do not reach them */
    WW__GRID_ASKED = WW__GRID_BUILT_OF + 3, /* 3: places of a query, where kernels do not reach them */
    WW__GRID_COUNTS = WW__GRID_ASKED + 3,
    WW__GRID_OFFSETS, /* and these: of a query, where they are not wanted or kernels do not reach them */
    WW__GRID_INDICES,
    WW__GRID_ROWS,  /* lists that were made when they were counted */
    WW__GRID_CHAIN, /* of lists that are made in one pass: what blocks tell those behind */
    WW__GRID_DISTANCES,
    WW__GRID_VELOCITY,                         /* 3: velocities in the grid's order */
    WW__GRID_PARTICLE = WW__GRID_VELOCITY + 3, /* 6: arrays of particles, where kernels do not reach them */
    WW__GRID_USES = WW__GRID_PARTICLE + 6
} ww__grid_use;

/* Records behind the last one that may be read, for nothing. */
enum { WW__GRID_BESIDE = 3 };

struct ww_grid {
    ww_device *device;
    const ww_type *type; /* f32 or f64 */
    ww_grid_options options;
    uint32_t dimensions;
    uint32_t count; /* points; none while the grid is being built */
    double low[3];
    uint32_t cells, mask; /* mask: buckets - 1 where cells are hashed, else 0 */
    int32_t along[3];
    bool keeps_rows;     /* of the device: comparing again takes longer than keeping lists */
    uint64_t split_from; /* points, for building by atomics: more do not fit the caches of the device */
    uint32_t row_words;  /* of the list of each point that is kept; 0: there are none */
    double rows_radius;
    bool records_ordered; /* whether records are in the grid's order */
    ww__kept block[WW__GRID_USES];
};

/* Coordinates that kernels reach. */
typedef struct ww__grid_points {
    uint64_t count;
    const void *at[3]; /* the third is NULL in two dimensions; all are, of the grid's own points */
} ww__grid_points;

/* A block of at least count * size bytes; what it held is lost. The old one stays where there is no memory: MEMORY. */
ww_status ww__grid_room(ww_grid *grid, ww__grid_use use, uint64_t count, size_t size, void *data);
void ww__grid_drop(ww_grid *grid);

/* Points as a call got them: right in themselves, three or two coordinates of one count and type. */
ww_status ww__grid_check_points(ww_device *device, const char *call, const char *name, const ww_points *points,
                                const ww_type **type, uint32_t *dimensions);
/* The same of the grid's type and dimensions, and where kernels reach them: in blocks from `use` on, if not where they lie. */
ww_status ww__grid_lend(ww_grid *grid, const char *call, const char *name, const ww_points *points, ww__grid_use use,
                        ww__grid_points *lent);
/* An array of `count` elements of a type that the call writes (or reads, too: `in`), where kernels reach it. */
ww_status ww__grid_lend_array(ww_grid *grid, const char *call, const char *name, const ww_array *array, bool in,
                              ww__grid_use use, void *data);
/* Takes what kernels have written to `array`, if it was not written there. */
ww_status ww__grid_return(ww_grid *grid, const ww_array *array, const void *data);
/* An array must be of a type and a count. */
ww_status ww__grid_check_array(ww_grid *grid, const char *call, const char *name, const ww_array *array,
                               const ww_type *type, uint64_t count);
/* Inside of a call: places (checked) share no memory with an output. */
ww_status ww__grid_check_apart(ww_device *device, const ww_points *at, const char *name, const ww_array *output);
/* A number that queries are about: at least 0 and with a finite square in the grid's type. */
ww_status ww__grid_check_radius(ww_grid *grid, const char *call, const char *name, double radius);

/* Builds the grid of points that kernels reach. */
ww_status ww__grid_build(ww_grid *grid, const char *call, const ww__grid_points *points);
/* Which cells there are, for points of that many. */
ww_status ww__grid_cells(ww_grid *grid, const char *call, const ww__grid_points *points);

/* rows.c, for lists of the grid's own points: counts neighbours and keeps the lists, if that is worth it (*made). */
ww_status ww__grid_make_rows(ww_grid *grid, double radius, uint32_t *counts, bool *made);
/* What is kept for that radius, or NULL: two numbers, how many lists no row had room for, and one more; and these points' positions. */
uint64_t *ww__grid_rows(const ww_grid *grid, double radius, uint32_t **longer);
/* Puts the records in the grid's order, where they are not yet. */
ww_status ww__grid_order_records(ww_grid *grid);
/* Writes all other lists. *wrong: the least place whose offsets are not those of its list. */
ww_status ww__grid_copy_rows(ww_grid *grid, const uint64_t *offsets, uint32_t *indices, uint64_t room, uint64_t *wrong);

/* lists.c: where offsets and lists go, in the grid's order, and how many indices there is room for; points may be NULL. */
typedef struct ww__grid_lists {
    uint32_t *points;
    uint64_t *offsets;
    uint32_t *indices;
    uint64_t room;
} ww__grid_lists;
/* Of a grid in a box, of a point or more: all offsets, and all lists but *longer_at of them, of the points at positions
 * *longer. */
ww_status ww__grid_make_lists(ww_grid *grid, double radius, const ww__grid_lists *to, uint64_t **longer_at,
                              uint32_t **longer);

/* The view without a check. */
void ww__grid_see_f32(const ww_grid *grid, ww_grid_f32 *view);
void ww__grid_see_f64(const ww_grid *grid, ww_grid_f64 *view);

static inline bool ww__grid_is_wide(const ww_grid *grid) { return grid->type == &ww_type_double; }

/* The function of the grid's type: ww__grid_of(grid, count_near) is count_near_f32 or count_near_f64. */
#define ww__grid_of(grid, name) (ww__grid_is_wide(grid) ? name##_f64 : name##_f32)

#endif
