/* Points within a radius: each place walks through the cells that its radius touches, once to count and once more to list.
 * Ranks are positions where the grid's own points are asked about, so that neighbours read the same cells; their results go to
 * the points' indices.
 * On a GPU those of a grid's own points are made when they are counted (rows.c). */
#include "device/array.h"
#include "device/options.h"
#include "space/grid/grid.h"
#include "warpwise/sort.h"

/* Of a run in a box the points are compared without a branch: to count them eight or sixteen at once on a CPU, to list them
 * into the bits of a word, whose ones are then gone through. A list is written by four indices at a time, as a line of memory that
 * is written word by word costs a GPU as much for each word; `line` is where indices would begin on a border of 16 bytes,
 * `skew` words before. */
#define NEAR(N, T) \
    WW_STRUCT_USES((ww_grid_##N), near_##N, { \
        ww_grid_##N grid; \
        const T *x; \
        const T *y; \
        const T *z; \
        T radius; \
        uint32_t skew; \
        uint32_t *counts; \
        const uint64_t *offsets; \
        uint32_t *indices; \
        ww_u128 *line; \
        uint64_t room; \
        uint64_t *wrong; \
        const uint32_t *longer; /* the ranks, if not all */ \
        uint32_t by_position;   /* results of the grid's own points go to their positions */ \
    }); \
    /* A list: the last four indices, those of slots next - 4 … next - 1 of its lines; the first one's are behind skew. */ \
    WW_STRUCT(list_##N, { \
        ww_u128 four; \
        ww_u128 *line; \
        uint32_t skew; \
        uint32_t next; \
        uint32_t end; \
    }); \
    /* Begins the walk of a rank; where its results go. */ \
    WW_FUNCTION( \
        begin_near_##N, uint64_t, (const near_##N *a, ww_grid_##N##_walk *w, uint64_t rank), \
        { \
            if (!a->x) { \
                ww_grid_##N##_from_point(&a->grid, w, (uint32_t)rank, a->radius); \
                return a->by_position ? rank : a->grid.index[rank]; \
            } \
            ww_grid_##N##_from(&a->grid, w, a->x[rank], a->y[rank], a->z ? a->z[rank] : 0, a->radius); \
            return rank; \
        }, \
        near_##N, ww_grid_##N##_walk, ww_grid_##N##_from_point, ww_grid_##N##_from); \
    /* How many of a run are near. */ \
    WW_FUNCTION( \
        count_run_##N, uint32_t, (const ww_grid_##N *t, const ww_grid_##N##_walk *w), \
        { \
            const T *x = t->x + w->first; \
            const T *y = t->y + w->first; \
            const T *z = t->z ? t->z + w->first : t->x; \
            const uint32_t many = w->end - w->first; \
            const T wx = w->x; \
            const T wy = w->y; \
            const T wz = w->z; \
            const T squared = w->squared; \
            uint32_t found = 0; \
            if (t->z) \
                for (uint32_t i = 0; i < many; i++) { \
                    const T dx = x[i] - wx; \
                    const T dy = y[i] - wy; \
                    const T dz = z[i] - wz; \
                    found += dx * dx + dy * dy + dz * dz <= squared ? 1u : 0u; \
                } \
            else \
                for (uint32_t i = 0; i < many; i++) { \
                    const T dx = x[i] - wx; \
                    const T dy = y[i] - wy; \
                    found += dx * dx + dy * dy <= squared ? 1u : 0u; \
                } \
            return found; \
        }, \
        ww_grid_##N, ww_grid_##N##_walk); \
    /* Which of the points from `first` on, at most 32, are near: the first one's bit is the lowest. Four at a time, beyond the \
     * last one too where the grid has points there. */ \
    WW_FUNCTION( \
        which_near_##N, uint32_t, (const ww_grid_##N *t, const ww_grid_##N##_walk *w, uint32_t first, uint32_t many), \
        { \
            const T *x = t->x + first; \
            const T *y = t->y + first; \
            const T *z = t->z ? t->z + first : x; \
            const T wx = w->x; \
            const T wy = w->y; \
            const T wz = w->z; \
            const T squared = w->squared; \
            const uint32_t fours = (many + 3) / 4 * 4 <= t->count - first ? (many + 3) / 4 * 4 : many / 4 * 4; \
            uint32_t near = 0; \
            uint32_t i = 0; \
            if (t->z) \
                for (; i < fours; i += 4) { \
                    uint32_t four = 0; \
                    for (uint32_t k = 0; k < 4; k++) { \
                        const T dx = x[i + k] - wx; \
                        const T dy = y[i + k] - wy; \
                        const T dz = z[i + k] - wz; \
                        four |= dx * dx + dy * dy + dz * dz <= squared ? 1u << k : 0u; \
                    } \
                    near |= four << i; \
                } \
            else \
                for (; i < fours; i += 4) { \
                    uint32_t four = 0; \
                    for (uint32_t k = 0; k < 4; k++) { \
                        const T dx = x[i + k] - wx; \
                        const T dy = y[i + k] - wy; \
                        four |= dx * dx + dy * dy <= squared ? 1u << k : 0u; \
                    } \
                    near |= four << i; \
                } \
            for (; i < many; i++) { \
                const T dx = x[i] - wx; \
                const T dy = y[i] - wy; \
                const T dz = t->z ? z[i] - wz : 0; \
                near |= dx * dx + dy * dy + dz * dz <= squared ? 1u << i : 0u; \
            } \
            return many < 32 ? near & ((1u << many) - 1) : near; \
        }, \
        ww_grid_##N, ww_grid_##N##_walk); \
    /* Writes those of the last four slots that are the list's, from `from` on. */ \
    WW_FUNCTION( \
        write_slots_##N, void, (const list_##N *l, uint32_t from), \
        { \
            uint32_t *slot = (uint32_t *)l->line; \
            for (uint32_t k = from; k < l->next; k++) slot[k] = (uint32_t)(l->four >> (32 * (k + 4 - l->next))); \
        }, \
        list_##N); \
    WW_FUNCTION( \
        add_to_list_##N, void, (list_##N * l, uint32_t index), \
        { \
            l->four = l->four >> 32 | (ww_u128)index << 96; \
            l->next++; \
            if (l->next % 4 || l->next > l->end) return; \
            if (l->next == 4 && l->skew) \
                write_slots_##N(l, l->skew); \
            else \
                l->line[l->next / 4 - 1] = l->four; \
        }, \
        list_##N, write_slots_##N); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_run, ww_grid_##N##_apart, ww_grid_##N##_here, begin_near_##N, \
                    count_run_##N), \
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
                               found += count_run_##N(&a->grid, &w); \
                           } \
                       } \
                       if (met && (!a->grid.mask || w.all)) found--; \
                       a->counts[to] = found; \
                   }); \
    /* A rank's list: `to`, where its offsets are. Whether they fit. */ \
    WW_FUNCTION( \
        begin_list_##N, bool, (const near_##N *a, list_##N *l, uint64_t to), \
        { \
            const uint64_t begin = a->offsets[to]; \
            const uint64_t behind = a->offsets[to + 1]; \
            const uint64_t most = behind - begin; \
            const bool fits = begin <= behind && behind <= a->room && most <= 0x7fffffffu; \
            const uint64_t at = fits ? begin + a->skew : 0; \
            l->four = 0; \
            l->line = a->line + at / 4; \
            l->skew = (uint32_t)(at % 4); \
            l->next = l->skew; \
            l->end = fits ? l->skew + (uint32_t)most : 0; \
            return fits; \
        }, \
        near_##N, list_##N); \
    WW_FUNCTION( \
        end_list_##N, void, (const list_##N *l), \
        { \
            const uint32_t line = l->next / 4 * 4; \
            if (l->next % 4 && l->next <= l->end) write_slots_##N(l, line > l->skew ? line : l->skew); \
        }, \
        list_##N, write_slots_##N); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_run, ww_grid_##N##_here, begin_near_##N, which_near_##N, \
                    begin_list_##N, add_to_list_##N, end_list_##N), \
                   list_near_##N, near_##N, a, rank, { \
                       ww_grid_##N##_walk w; \
                       list_##N l; \
                       const uint64_t to = begin_near_##N(a, &w, a->longer ? a->longer[rank] : rank); \
                       const bool fits = begin_list_##N(a, &l, to); \
                       while (fits && ww_grid_##N##_run(&a->grid, &w)) \
                           for (uint32_t first = w.first; first < w.end; first += 32) { \
                               const uint32_t many = w.end - first < 32 ? w.end - first : 32; \
                               uint32_t near = which_near_##N(&a->grid, &w, first, many); \
                               if (w.self - first < 32) near &= ~(1u << (w.self - first)); \
                               while (near) { \
                                   const uint32_t i = first + (uint32_t)ww_ffs(near) - 1; \
                                   near &= near - 1; \
                                   if (ww_grid_##N##_here(&a->grid, &w, i)) add_to_list_##N(&l, a->grid.index[i]); \
                               } \
                           } \
                       end_list_##N(&l); \
                       if (!fits || l.next != l.end) ww_atomic_min(a->wrong, to); \
                   }); \
    static near_##N ask_##N(const ww_grid *grid, const ww__grid_points *at, double radius, bool by_position) { \
        near_##N a = { \
            .x = at->at[0], .y = at->at[1], .z = at->at[2], .radius = (T)radius, .by_position = by_position}; \
        ww__grid_see_##N(grid, &a.grid); \
        return a; \
    } \
    static ww_status count_##N(ww_grid *grid, const ww__grid_points *at, double radius, bool by_position, \
                               uint32_t *counts) { \
        near_##N a = ask_##N(grid, at, radius, by_position); \
        a.counts = counts; \
        return ww_launch(grid->device, ww_with(count_near_##N, &a), at->count); \
    } \
    /* All lists, or those of the `many` ranks of `longer`. */ \
    static ww_status list_of_##N(ww_grid *grid, const ww__grid_points *at, double radius, bool by_position, \
                                 const uint64_t *offsets, uint32_t *indices, uint64_t room, uint64_t *wrong, \
                                 const uint32_t *longer, uint64_t many) { \
        near_##N a = ask_##N(grid, at, radius, by_position); \
        a.offsets = offsets; \
        a.indices = indices; \
        a.skew = (uint32_t)((uintptr_t)indices / sizeof *indices % 4); \
        a.line = (ww_u128 *)((uintptr_t)indices / 16 * 16); \
        a.room = room; \
        a.wrong = wrong; \
        a.longer = longer; \
        return ww_launch(grid->device, ww_with(list_near_##N, &a), many); \
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
static ww_status count(ww_grid *grid, const ww__grid_points *at, double radius, bool lists, ww_array *counts) {
    void *block;
    bool made = false;
    WW_TRY(ww__grid_room(grid, WW__GRID_COUNTS, at->count, sizeof(uint32_t), &block));
    *counts = ww_array((uint32_t *)block, at->count);
    if (lists && !at->at[0]) WW_TRY(ww__grid_make_rows(grid, radius, block, &made));
    return made ? WW_OK : ww__grid_of(grid, count)(grid, at, radius, false, block);
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
    WW_TRY(count(grid, &lent, radius, false, &found));
    return ww_store(grid->device, wide ? ww_mapped(&wide_count_ww, ww_from(found)) : ww_from(found), counts);
}

/* ---- lists ---- */

/* Where lists of these lengths begin, and behind them where the last one ends. */
static ww_status add_up(ww_device *device, ww_array counts, uint64_t *offsets) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    options.total = ww_array(offsets + counts.count, 1);
    return ww_scan(device, &ww_add, ww_mapped(&wide_count_ww, ww_from(counts)), ww_array(offsets, counts.count), &options);
}

ww_status ww_grid_near_offsets(ww_grid *grid, const ww_points *at, double radius, ww_array offsets, uint64_t *total) {
    static const char call[] = "ww_grid_near_offsets";
    ww__grid_points lent;
    ww_array found;
    uint64_t *to;
    if (total) *total = 0;
    WW_TRY(begin(grid, call, at, radius, &lent));
    WW_TRY(ww__grid_check_array(grid, call, "offsets", &offsets, &ww_type_uint64_t, lent.count + 1));
    WW_TRY(ww__grid_lend_array(grid, call, "offsets", &offsets, false, WW__GRID_OFFSETS, &to));
    if (lent.count) {
        WW_TRY(count(grid, &lent, radius, true, &found));
        WW_TRY(add_up(grid->device, found, to));
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

/* Offsets have to be those of the same places and radius: the first place whose list is not what they say, or none. */
static ww_status check_wrong(ww_grid *grid, const char *call, const uint64_t *offsets, uint64_t room, uint64_t place) {
    uint64_t ends[2];
    if (place == UINT64_MAX) return WW_OK;
    WW_TRY(ww_copy(grid->device, ww_memory(offsets + place, 2), ww_array(ends, 2)));
    WW_TRY(ww_sync(grid->device));
    return ww__fail_call(grid->device, call, WW_RANGE,
                         "the list of place %llu is not as long as offsets %llu to %llu say, of %llu indices",
                         (unsigned long long)place, (unsigned long long)ends[0], (unsigned long long)ends[1],
                         (unsigned long long)room);
}

/* The host waits to know that all lists were right, and learns at the same time whether there are some that no row had room for. */
static ww_status write_lists(ww_grid *grid, const char *call, const ww__grid_points *at, double radius,
                             const uint64_t *offsets, uint32_t *indices, uint64_t room) {
    enum { LONGER, WRONG, TOLD };
    uint32_t *longer = NULL;
    uint64_t told[TOLD] = {0, UINT64_MAX}, *words = at->at[0] ? NULL : ww__grid_rows(grid, radius, &longer);
    const bool rows = words != NULL;
    if (!rows) WW_TRY(ww__grid_room(grid, WW__GRID_COUNTS, TOLD, sizeof *words, &words));
    const size_t first = rows ? LONGER : WRONG;
    WW_TRY(ww_fill(grid->device, ww_array(words + WRONG, 1), ww_value(uint64_t, UINT64_MAX)));
    WW_TRY(rows ? ww__grid_copy_rows(grid, offsets, indices, room, words + WRONG)
                : ww__grid_of(grid, list_of)(grid, at, radius, false, offsets, indices, room, words + WRONG, NULL,
                                             at->count));
    WW_TRY(ww_copy(grid->device, ww_memory(words + first, TOLD - first), ww_array(told + first, TOLD - first)));
    WW_TRY(ww_sync(grid->device));
    if (told[LONGER] && told[WRONG] == UINT64_MAX) {
        WW_TRY(ww__grid_of(grid, list_of)(grid, at, radius, false, offsets, indices, room, words + WRONG, longer,
                                          told[LONGER]));
        WW_TRY(ww_copy(grid->device, ww_memory(words + WRONG, 1), ww_array(told + WRONG, 1)));
        WW_TRY(ww_sync(grid->device));
    }
    return check_wrong(grid, call, offsets, room, told[WRONG]);
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
    if (!lent.count) return WW_OK;
    WW_TRY(ww__grid_lend_array(grid, call, "offsets", &offsets, true, WW__GRID_OFFSETS, &from));
    /* What no list has stays as it was. */
    WW_TRY(ww__grid_lend_array(grid, call, "indices", &indices, true, WW__GRID_INDICES, &to));
    WW_TRY(write_lists(grid, call, &lent, radius, from, to, indices.count));
    if (o.order == WW_GRID_BY_INDEX)
        WW_TRY(ww_sort_segments(grid->device, ww_memory(to, indices.count), ww_no_input,
                                ww_memory(from, lent.count + 1), ww_array(to, indices.count), ww_none, NULL));
    return ww__grid_return(grid, &indices, to);
}

/* ---- lists in the grid's order ---- */

static ww_status check_all_apart(ww_device *device, const ww_array *points, const ww_array *offsets,
                                 const ww_array *indices) {
    WW_TRY(ww__check_outputs_apart(device, "offsets", offsets, "indices", indices));
    if (!points->type) return WW_OK;
    WW_TRY(ww__check_outputs_apart(device, "points", points, "offsets", offsets));
    return ww__check_outputs_apart(device, "points", points, "indices", indices);
}

/* Lists that were not made in one pass: counted, added up, and then made. */
static ww_status count_and_list(ww_grid *grid, const ww__grid_points *all, double radius, const ww__grid_lists *to) {
    uint32_t *counts;
    uint64_t *wrong;
    WW_TRY(ww__grid_room(grid, WW__GRID_COUNTS, all->count, sizeof *counts, &counts));
    WW_TRY(ww__grid_room(grid, WW__GRID_CHAIN, 1, sizeof *wrong, &wrong));
    WW_TRY(ww__grid_of(grid, count)(grid, all, radius, true, counts));
    WW_TRY(add_up(grid->device, ww_array(counts, all->count), to->offsets));
    if (to->points)
        WW_TRY(ww_copy(grid->device, ww_memory((const uint32_t *)grid->block[WW__GRID_INDEX].data, all->count),
                       ww_array(to->points, all->count)));
    return ww__grid_of(grid, list_of)(grid, all, radius, true, to->offsets, to->indices, to->room, wrong, NULL,
                                      all->count);
}

/* Longer ones have to be waited for, and so has *total. */
static ww_status make_all(ww_grid *grid, const ww__grid_points *all, double radius, const ww__grid_lists *to,
                          uint64_t *total) {
    const bool one_pass = grid->keeps_rows && !grid->mask;
    uint64_t longer = 0, *longer_at = NULL;
    uint32_t *positions = NULL;
    WW_TRY(one_pass ? ww__grid_make_lists(grid, radius, to, &longer_at, &positions)
                    : count_and_list(grid, all, radius, to));
    if (one_pass) WW_TRY(ww_copy(grid->device, ww_memory(longer_at, 1), ww_array(&longer, 1)));
    WW_TRY(ww_copy(grid->device, ww_memory(to->offsets + all->count, 1), ww_array(total, 1)));
    WW_TRY(ww_sync(grid->device));
    return longer ? ww__grid_of(grid, list_of)(grid, all, radius, true, to->offsets, to->indices, to->room, longer_at,
                                               positions, longer)
                  : WW_OK;
}

ww_status ww_grid_lists(ww_grid *grid, double radius, ww_array points, ww_array offsets, ww_array indices,
                        uint64_t *total) {
    static const char call[] = "ww_grid_lists";
    ww__grid_points all;
    ww__grid_lists to = {.room = indices.count};
    uint64_t found = 0;
    if (total) *total = 0;
    WW_TRY(begin(grid, call, NULL, radius, &all));
    if (points.type) WW_TRY(ww__grid_check_array(grid, call, "points", &points, &ww_type_uint32_t, all.count));
    WW_TRY(ww__grid_check_array(grid, call, "offsets", &offsets, &ww_type_uint64_t, all.count + 1));
    WW_TRY(ww__grid_check_array(grid, call, "indices", &indices, &ww_type_uint32_t, indices.count));
    WW_TRY(ww__enter(grid->device, call));
    WW_TRY(ww__leave(grid->device, check_all_apart(grid->device, &points, &offsets, &indices)));
    WW_TRY(ww__grid_lend_array(grid, call, "offsets", &offsets, false, WW__GRID_OFFSETS, &to.offsets));
    if (points.type) WW_TRY(ww__grid_lend_array(grid, call, "points", &points, false, WW__GRID_DISTANCES, &to.points));
    /* What no list has stays as it was. */
    WW_TRY(ww__grid_lend_array(grid, call, "indices", &indices, true, WW__GRID_INDICES, &to.indices));
    if (all.count)
        WW_TRY(make_all(grid, &all, radius, &to, &found));
    else
        WW_TRY(ww_fill(grid->device, ww_array(to.offsets, 1), ww_value(uint64_t, 0)));
    WW_TRY(ww__grid_return(grid, &offsets, to.offsets));
    if (points.type) WW_TRY(ww__grid_return(grid, &points, to.points));
    WW_TRY(ww__grid_return(grid, &indices, to.indices));
    if (total) *total = found;
    if (found > indices.count)
        return ww__fail_call(grid->device, call, WW_LIMIT, "indices has %llu elements, and all lists together have %llu",
                             (unsigned long long)indices.count, (unsigned long long)found);
    return WW_OK;
}
