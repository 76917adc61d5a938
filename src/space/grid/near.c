/* Points within a radius: each place walks through the cells that its radius touches, once to count and once more to list.
 * Ranks are positions where the grid's own points are asked about, so that neighbours read the same cells; their results go to
 * the points' indices. */
#include "device/array.h"
#include "device/options.h"
#include "space/grid/grid.h"
#include "warpwise/sort.h"

/* Of a run in a box the points are compared without a branch, eight or sixteen at once on a CPU. */
#define NEAR(N, T) \
    WW_STRUCT_USES((ww_grid_##N), near_##N, { \
        ww_grid_##N grid; \
        const T *x; \
        const T *y; \
        const T *z; \
        T radius; \
        uint32_t *counts; \
        const uint64_t *offsets; \
        uint32_t *indices; \
        uint64_t room; \
    }); \
    /* Begins the walk of a rank; where its results go. */ \
    WW_FUNCTION( \
        begin_near_##N, uint64_t, (const near_##N *a, ww_grid_##N##_walk *w, uint64_t rank), \
        { \
            if (!a->x) { \
                ww_grid_##N##_from_point(&a->grid, w, (uint32_t)rank, a->radius); \
                return a->grid.index[rank]; \
            } \
            ww_grid_##N##_from(&a->grid, w, a->x[rank], a->y[rank], a->z ? a->z[rank] : 0, a->radius); \
            return rank; \
        }, \
        near_##N, ww_grid_##N##_walk, ww_grid_##N##_from_point, ww_grid_##N##_from); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_run, ww_grid_##N##_apart, ww_grid_##N##_here, begin_near_##N), \
                   count_near_##N, near_##N, a, rank, { \
                       ww_grid_##N##_walk w; \
                       const uint64_t to = begin_near_##N(a, &w, rank); \
                       uint32_t found = 0; \
                       bool met = false; \
                       while (ww_grid_##N##_run(&a->grid, &w)) { \
                           const uint32_t end = w.end; \
                           if (w.self >= w.first && w.self < end) met = true; \
                           if (a->grid.mask && !w.all) { \
                               for (uint32_t i = w.first; i < end; i++) \
                                   if (ww_grid_##N##_apart(&a->grid, &w, i) <= w.squared && i != w.self && \
                                       ww_grid_##N##_here(&a->grid, &w, i)) \
                                       found++; \
                           } else { \
                               for (uint32_t i = w.first; i < end; i++) \
                                   found += ww_grid_##N##_apart(&a->grid, &w, i) <= w.squared ? 1u : 0u; \
                           } \
                       } \
                       if (met && (!a->grid.mask || w.all)) found--; \
                       a->counts[to] = found; \
                   }); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_run, ww_grid_##N##_apart, ww_grid_##N##_here, begin_near_##N), \
                   list_near_##N, near_##N, a, rank, { \
                       ww_grid_##N##_walk w; \
                       const uint64_t to = begin_near_##N(a, &w, rank); \
                       uint64_t at = a->offsets[to]; \
                       uint64_t end = a->offsets[to + 1]; \
                       if (end > a->room) end = a->room; \
                       while (at < end && ww_grid_##N##_run(&a->grid, &w)) { \
                           const uint32_t last = w.end; \
                           for (uint32_t i = w.first; i < last; i++) \
                               if (ww_grid_##N##_apart(&a->grid, &w, i) <= w.squared && i != w.self && \
                                   ww_grid_##N##_here(&a->grid, &w, i) && at < end) \
                                   a->indices[at++] = a->grid.index[i]; \
                       } \
                   }); \
    static near_##N ask_##N(const ww_grid *grid, const ww__grid_points *at, double radius) { \
        near_##N a = {.x = at->at[0], .y = at->at[1], .z = at->at[2], .radius = (T)radius}; \
        ww__grid_see_##N(grid, &a.grid); \
        return a; \
    } \
    static ww_status count_##N(ww_grid *grid, const ww__grid_points *at, double radius, uint32_t *counts) { \
        near_##N a = ask_##N(grid, at, radius); \
        a.counts = counts; \
        return ww_launch(grid->device, ww_with(count_near_##N, &a), at->count); \
    } \
    static ww_status list_##N(ww_grid *grid, const ww__grid_points *at, double radius, const uint64_t *offsets, \
                              uint32_t *indices, uint64_t room) { \
        near_##N a = ask_##N(grid, at, radius); \
        a.offsets = offsets; \
        a.indices = indices; \
        a.room = room; \
        return ww_launch(grid->device, ww_with(list_near_##N, &a), at->count); \
    }
NEAR(f32, float)
NEAR(f64, double)

/* ---- counts ---- */

static ww_status begin(ww_grid *grid, const char *call, const ww_points *at, double radius, ww__grid_points *lent) {
    if (!grid) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(grid->device, call));
    WW_TRY(ww__grid_check_radius(grid, call, "radius", radius));
    return ww__grid_lend(grid, call, "at", at, WW__GRID_ASKED, lent);
}

/* Of all places, in a block of the grid's. */
static ww_status count(ww_grid *grid, const ww__grid_points *at, double radius, ww_array *counts) {
    void *block;
    WW_TRY(ww__grid_room(grid, WW__GRID_COUNTS, at->count, sizeof(uint32_t), &block));
    *counts = ww_array((uint32_t *)block, at->count);
    return ww__grid_of(grid, count)(grid, at, radius, block);
}

WW_MAP(wide_count, uint64_t, uint32_t, x, void, none, { return x; });

ww_status ww_grid_near_counts(ww_grid *grid, const ww_points *at, double radius, ww_array counts) {
    static const char call[] = "ww_grid_near_counts";
    ww__grid_points lent;
    ww_array found;
    WW_TRY(begin(grid, call, at, radius, &lent));
    const bool wide = counts.type == &ww_type_uint64_t;
    WW_TRY(
        ww__grid_check_array(grid, call, "counts", &counts, wide ? &ww_type_uint64_t : &ww_type_uint32_t, lent.count));
    if (!lent.count) return WW_OK;
    WW_TRY(count(grid, &lent, radius, &found));
    return ww_store(grid->device, wide ? ww_mapped(&wide_count_ww, ww_from(found)) : ww_from(found), counts);
}

/* ---- lists ---- */

ww_status ww_grid_near_offsets(ww_grid *grid, const ww_points *at, double radius, ww_array offsets, uint64_t *total) {
    static const char call[] = "ww_grid_near_offsets";
    ww_scan_options options = WW_SCAN_OPTIONS;
    ww__grid_points lent;
    ww_array found;
    uint64_t *to;
    if (total) *total = 0;
    WW_TRY(begin(grid, call, at, radius, &lent));
    WW_TRY(ww__grid_check_array(grid, call, "offsets", &offsets, &ww_type_uint64_t, lent.count + 1));
    WW_TRY(ww__grid_lend_array(grid, call, "offsets", &offsets, false, WW__GRID_OFFSETS, &to));
    if (lent.count) {
        WW_TRY(count(grid, &lent, radius, &found));
        options.exclusive = true;
        options.total = ww_array(to + lent.count, 1);
        WW_TRY(ww_scan(grid->device, &ww_add, ww_mapped(&wide_count_ww, ww_from(found)), ww_array(to, lent.count),
                       &options));
    } else {
        WW_TRY(ww_fill(grid->device, ww_array(to, 1), ww_value(uint64_t, 0)));
    }
    WW_TRY(ww__grid_return(grid, &offsets, to));
    if (!total) return WW_OK;
    WW_TRY(ww_copy(grid->device, ww_memory(to + lent.count, 1), ww_array(total, 1)));
    return ww_sync(grid->device);
}

static ww_status check_lists(ww_device *device, const ww_grid_near_options *given, const ww_points *at,
                             const ww_array *offsets, const ww_array *indices, ww_grid_near_options *o) {
    WW_TRY(ww__take_options(device, given, "WW_GRID_NEAR_OPTIONS", o, offsetof(ww_grid_near_options, reserved)));
    WW_CHECK(device, o->order <= WW_GRID_BY_INDEX, WW_INVALID, "options.order is %u", o->order);
    WW_TRY(ww__check_outputs_apart(device, "offsets", offsets, "indices", indices));
    return at ? ww__grid_check_apart(device, at, "indices", indices) : WW_OK;
}

ww_status ww_grid_near(ww_grid *grid, const ww_points *at, double radius, ww_array offsets, ww_array indices,
                       const ww_grid_near_options *options) {
    static const char call[] = "ww_grid_near";
    ww__grid_points lent;
    ww_grid_near_options o;
    uint64_t *from;
    uint32_t *to;
    WW_TRY(begin(grid, call, at, radius, &lent));
    WW_TRY(ww__grid_check_array(grid, call, "offsets", &offsets, &ww_type_uint64_t, lent.count + 1));
    WW_TRY(ww__grid_check_array(grid, call, "indices", &indices, &ww_type_uint32_t, indices.count));
    WW_TRY(ww__enter(grid->device, call));
    WW_TRY(ww__leave(grid->device, check_lists(grid->device, options, at, &offsets, &indices, &o)));
    if (!lent.count || !indices.count) return WW_OK;
    WW_TRY(ww__grid_lend_array(grid, call, "offsets", &offsets, true, WW__GRID_OFFSETS, &from));
    /* What no list has stays as it was. */
    WW_TRY(ww__grid_lend_array(grid, call, "indices", &indices, true, WW__GRID_INDICES, &to));
    WW_TRY(ww__grid_of(grid, list)(grid, &lent, radius, from, to, indices.count));
    if (o.order == WW_GRID_BY_INDEX)
        WW_TRY(ww_sort_segments(grid->device, ww_memory(to, indices.count), ww_no_input,
                                ww_memory(from, lent.count + 1), ww_array(to, indices.count), ww_none, NULL));
    return ww__grid_return(grid, &indices, to);
}
