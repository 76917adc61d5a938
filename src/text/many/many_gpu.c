/* The host side of finding many patterns on a GPU: one launch of as many blocks as are held at once, after the words of the
 * chain are cleared. */
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "text/many/many_arguments.cuh"
#include "text/many/patterns.h"

enum {
    ROW = 16,
    ROWS = 4,
    KEPT = 4,
    HELD = 3,       /* blocks of a processor, */
    HELD_LARGE = 2, /* where their filters are large */
    LARGE_WORDS = 12 << 10
};

static const uint32_t threads_of[WW__TILINGS] = {[WW__TILES_GPU] = 512, [WW__TILES_SMALL] = 64};

static size_t filter_words(const ww_patterns *p) {
    return (size_t)(p->tiny ? WW__PAIRS / 32 : 0) + (p->four ? (size_t)1 << p->four_log >> 5 : 0) +
           (p->eight ? (size_t)1 << p->eight_log >> 5 : 0);
}

/* struct many_shared. */
static size_t shared_bytes(const ww_patterns *p, uint32_t threads) {
    const size_t warps = threads / 32;
    size_t bytes = filter_words(p) * 4;
    bytes = ww__round_up(bytes, 16) + (size_t)threads * ROWS * 2;
    bytes += (size_t)KEPT * threads * 4 + (size_t)threads * 2;
    bytes = ww__round_up(bytes, 8) + warps * 8 + 8 + warps * 4 + 4;
    return ww__round_up(bytes, 16);
}

static void recipe(ww__recipe *r, const ww_patterns *p, uint32_t threads, uint32_t held) {
    ww__recipe_begin(r, "text/many/many.cu");
    ww__recipe_number(r, "WW_THREADS", threads);
    ww__recipe_number(r, "WW_HELD", held);
    ww__recipe_number(r, "WW_KEPT", KEPT);
    ww__recipe_number(r, "WW_PROBES", WW__PROBES);
    ww__recipe_number(r, "WW_TINY", p->tiny);
    ww__recipe_number(r, "WW_FOUR_LOG", p->four ? p->four_log : 0);
    ww__recipe_number(r, "WW_EIGHT_LOG", p->eight ? p->eight_log : 0);
    ww__recipe_number(r, "WW_FOLD", p->fold);
}

ww_status ww__many_gpu(ww_device *device, const ww__searching *s, const void *before, const ww_array *total) {
    const ww_patterns *const p = s->patterns;
    const ww__driver *const driver = device->gpu->driver;
    const uint32_t threads = threads_of[driver->tiles];
    const uint32_t held = filter_words(p) > LARGE_WORDS ? HELD_LARGE : HELD;
    const uint64_t lead = (uintptr_t)s->text % ROW,
                   tiles = ww__blocks(lead + s->starts, (uint64_t)threads * ROWS * ROW);
    void *positions, *numbers, *to;
    ww__gpu_chain chain;
    ww__recipe r;
    ww__arguments a;
    WW_TRY(ww__gpu_room_kept(device, &s->positions, &positions));
    WW_TRY(ww__gpu_room_kept(device, &s->numbers, &numbers));
    WW_TRY(ww__gpu_room(device, total->data, total->size, &to));
    WW_TRY(ww__gpu_chain_begin(device, tiles, 0, &chain));
    recipe(&r, p, threads, held);
    const ww__pattern_tables *const t = &p->tables;
    const many_arguments all = {.text = s->text,
                                .n = s->n,
                                .starts = s->starts,
                                .behind = s->behind,
                                .bias = s->bias,
                                .lead = lead,
                                .tiles = tiles,
                                .room = s->positions.count,
                                .positions = positions,
                                .numbers = numbers,
                                .total = to,
                                .before = before,
                                .wide_positions = s->positions.size == 8,
                                .wide_numbers = s->numbers.size == 8,
                                .wide_total = total->size == 8,
                                .slot_log = p->slot_log,
                                .tables = {t->key, t->node, t->number, t->pair, t->filter, t->slot, t->bytes},
                                .chain = chain};
    WW__ARGUMENTS(&a, all);
    WW_TRY(ww__gpu_launch(device, &r, "find_many", ww__min_u64(tiles, (uint64_t)held * driver->processors), threads,
                          shared_bytes(p, threads), &a));
    WW_TRY(ww__gpu_result(device, s->positions.data, positions, s->positions.size));
    WW_TRY(ww__gpu_result(device, s->numbers.data, numbers, s->numbers.size));
    return ww__gpu_result(device, total->data, to, total->size);
}
