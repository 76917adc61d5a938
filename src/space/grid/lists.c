/* Offsets and lists of a grid's own points in one pass, in the order of the grid: list k is that of the point at position k. So the lists
 * of a block's points, which stand side by side, are side by side in memory, too, and are written in order.
 *
 * In a box on a GPU a block finds its points' neighbours (which.h) into its shared memory, where each lane has room for some. The
 * lengths are added up, those of all blocks before come by look-back (ww__sum_before), and then the lists are written one behind the other. Of
 * a longer list what has no room goes to a few places that the lanes share; if they do not suffice either, the list is made once
 * more, when it is known where it begins. Anywhere else points are counted, counts are added up, and lists are made (near.c).
 *
 * Lists that do not fit what there is for them are not written. */
#include "space/grid/which.h"

/* A GPU's is in device/kernel/words.cuh: the sum of `own` of all blocks that began before this one. */
WW__INLINE uint64_t ww__sum_before(uint64_t *words, uint64_t tile, uint64_t own) {
    uint64_t before = 0;
    while (tile && !(before & 3)) before = ww_load_relaxed(words + tile - 1);
    ww_atomic_store(words + tile, ((before >> 2) + own) << 2 | 2);
    return before >> 2;
}

/* Points of a block; indices of each that it has room for, an odd number, so that lanes meet few bank conflicts; and of all of
 * them together that have no room. */
WW_CONSTANT(LIST_LANES, uint32_t, 256);
WW_CONSTANT(LIST_ROOM, uint32_t, 43);
WW_CONSTANT(LIST_SPILLED, uint32_t, 96);
WW_STRUCT(list_block, {
    uint32_t tile;
    uint32_t spilled;
    uint64_t ends[256]; /* where lists end: in their warp, then in the block */
    uint64_t sums[256]; /* of each warp's lists */
    uint32_t spill[96];
    uint32_t spill_of[96]; /* the lane, and 256 times the place in its list */
    uint32_t slot[256 * 43];
});

#define LISTS(N, T) \
    WW_STRUCT_USES((ww_grid_##N, record_##N), lists_##N, { \
        ww_grid_##N grid; \
        const record_##N *record; \
        T radius; \
        uint32_t *points; \
        uint64_t *offsets; \
        uint32_t *indices; \
        uint64_t room; \
        uint64_t *chain; \
        uint32_t *ticket; \
        uint32_t *overflow; \
        uint32_t *longer; \
        uint64_t count; \
    }); \
    WW_BLOCK_KERNEL_USES( \
        (ww_grid_##N##_from_point, ww_grid_##N##_run, take_near_##N, LIST_LANES, LIST_ROOM, LIST_SPILLED), \
        make_lists_##N, lists_##N, a, list_block, t, block, { \
            WW_LANES(i, 1) { \
                t->tile = ww_append(a->ticket); \
                t->spilled = 0; \
            } \
            const uint64_t first_point = (uint64_t)t->tile * LIST_LANES; \
            const uint32_t lanes = a->count - first_point < LIST_LANES ? (uint32_t)(a->count - first_point) \
                                                                       : LIST_LANES; \
            WW_LANES(i, LIST_LANES) { \
                ww_grid_##N##_walk w; \
                const uint32_t self = (uint32_t)(first_point + i); \
                uint32_t *const slot = t->slot + i * LIST_ROOM; \
                uint32_t found = 0; \
                bool lost = false; \
                if (i < lanes) { \
                    ww_grid_##N##_from_point(&a->grid, &w, self, a->radius); \
                    while (ww_grid_##N##_run(&a->grid, &w)) \
                        for (uint32_t first = w.first; first < w.end; first += 32) { \
                            uint32_t next = found < LIST_ROOM ? LIST_ROOM : found; \
                            uint32_t near = take_near_##N(a->record, a->grid.index, &w, first, self, slot, LIST_ROOM, \
                                                          &found); \
                            for (; near; next++) { \
                                const uint32_t k = (uint32_t)ww_clz(near); \
                                near ^= 0x80000000u >> k; \
                                if (lost) continue; \
                                const uint32_t at = ww_atomic_add(&t->spilled, 1u); \
                                lost = at >= LIST_SPILLED; \
                                if (!lost) t->spill[at] = a->grid.index[first + k]; \
                                if (!lost) t->spill_of[at] = next * LIST_LANES + i; \
                            } \
                        } \
                    if (lost) a->longer[ww_append(a->overflow)] = self; \
                } \
                uint64_t end = found; \
                for (uint32_t step = 1; step < WW_WARP; step *= 2) { \
                    const uint64_t before = ww_u64_of_lane(end, i - step); \
                    end += i % WW_WARP >= step ? before : 0; \
                } \
                t->ends[i] = end; \
                if (i % WW_WARP == WW_WARP - 1) t->sums[i / WW_WARP] = end; \
            } \
            WW_LANES(i, LIST_LANES) { \
                for (uint32_t warp = 0; warp < i / WW_WARP; warp++) t->ends[i] += t->sums[warp]; \
            } \
            const uint64_t begin = ww__sum_before(a->chain, t->tile, t->ends[LIST_LANES - 1]); \
            const uint64_t room = a->room > begin ? a->room - begin : 0; \
            uint32_t *const to = a->indices + begin; \
            WW_LANES(i, lanes) { \
                a->offsets[first_point + i + 1] = begin + t->ends[i]; \
                if (first_point + i == 0) a->offsets[0] = 0; \
                if (a->points) a->points[first_point + i] = a->grid.index[first_point + i]; \
            } \
            WW_LANES(i, lanes * 32) { \
                const uint32_t of = i / 32; \
                const uint32_t k = i % 32; \
                const uint64_t before = of ? t->ends[of - 1] : 0; \
                const uint64_t end = t->ends[of]; \
                const uint32_t many = end > room                 ? 0 \
                                      : end - before < LIST_ROOM ? (uint32_t)(end - before) \
                                                                 : LIST_ROOM; \
                const uint32_t *const slot = t->slot + of * LIST_ROOM + k; \
                if (k < many) to[before + k] = slot[0]; \
                if (k + 32 < many) to[before + k + 32] = slot[32]; \
            } \
            WW_LANES(i, t->spilled < LIST_SPILLED ? t->spilled : LIST_SPILLED) { \
                const uint32_t of = t->spill_of[i] % LIST_LANES; \
                const uint64_t before = of ? t->ends[of - 1] : 0; \
                if (t->ends[of] <= room) to[before + t->spill_of[i] / LIST_LANES] = t->spill[i]; \
            } \
        }); \
    static ww_status make_##N(ww_grid *grid, double radius, const ww__grid_lists *to, uint64_t *words, \
                              uint32_t *longer) { \
        const uint64_t tiles = ((uint64_t)grid->count + LIST_LANES - 1) / LIST_LANES; \
        lists_##N a = {.record = grid->block[WW__GRID_RECORD].data, \
                       .radius = (T)radius, \
                       .points = to->points, \
                       .offsets = to->offsets, \
                       .indices = to->indices, \
                       .room = to->room, \
                       .chain = words + LIST_WORDS, \
                       .ticket = (uint32_t *)(words + TICKET), \
                       .overflow = (uint32_t *)(words + LONGER), \
                       .longer = longer, \
                       .count = grid->count}; \
        ww__grid_see_##N(grid, &a.grid); \
        return ww_launch(grid->device, ww_with(make_lists_##N, &a), tiles); \
    }

/* What stands before the words of the chain: how many lists are longer; how many blocks have begun. */
enum { LONGER, TICKET, LIST_WORDS };

LISTS(f32, float)
LISTS(f64, double)

ww_status ww__grid_make_lists(ww_grid *grid, double radius, const ww__grid_lists *to, uint64_t **longer_at,
                              uint32_t **longer) {
    const uint64_t tiles = ((uint64_t)grid->count + LIST_LANES - 1) / LIST_LANES;
    uint64_t *words;
    WW_TRY(ww__grid_room(grid, WW__GRID_CHAIN, tiles + LIST_WORDS, sizeof *words, &words));
    WW_TRY(ww__grid_room(grid, WW__GRID_COUNTS, grid->count, sizeof **longer, longer));
    WW_TRY(ww__grid_order_records(grid));
    WW_TRY(ww_fill(grid->device, ww_array(words, tiles + LIST_WORDS), ww_value(uint64_t, 0)));
    *longer_at = words + LONGER;
    return ww__grid_of(grid, make)(grid, radius, to, words, *longer);
}
