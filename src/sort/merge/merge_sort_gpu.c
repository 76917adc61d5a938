/* The host side of the merge sorts on a GPU: a launch that sorts tiles, of short keys alone by a network and another launch for
 * those tiles that it does not sort stably; then passes over all elements, between the output
 * and a scratch copy, until there is one run. Method merge makes one of every four runs in a pass (two launches), method
 * merge-search one of every two, by binary search in memory. */
#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "device/gpu/gpu.h"
#include "primitive/merge/order_gpu.h"
#include "sort/merge/merge_sort.h"
#include "sort/merge/merge_sort_arguments.cuh"

enum { WAYS = 4, WARP = 32, SEARCH_THREADS = 256 };

typedef struct plan {
    uint32_t threads, each; /* of a tile: a power of two, an odd number */
    uint32_t held;          /* blocks that a processor holds at once */
} plan;

/* By the bytes of what moves. Measured on an H200, 2026-11, 2^25 elements, G a second. Keys of 4 bytes alone: 24.8 (tiles of 256 x
 * 33: 25.0, but a pass more from 2^26 on; of 512 x 27 merged: 21.5; merging by 256 x 27, four: 23.2; 64 x 27, sixteen: 23.6; 128 x
 * 21, nine: 23.9; 256 x 15, five: 22.4). With values of 4 bytes: 12.3 (merging by 128 x 17, ten: 10.7; 128 x 21, eight: 11.5). Keys
 * of 8 bytes alone: 11.9 (merging by 128 x 15, eight: 11.9). The others are not measured. */
typedef struct plans {
    size_t most;
    plan tiles, merging;
    bool network; /* tiles are sorted by merge_network.cu, where a thread has each - 1 keys, a power of two */
} plans;
static const struct {
    plans any[4];
    plans alone[3]; /* keys alone: three times a small odd number has a short network (merge_bitonic.cuh) */
    uint32_t cut_threads;
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {.any = {{4, {512, 17, 2}, {256, 17, 5}, false},
                               {8, {256, 11, 4}, {256, 11, 4}, false},
                               {16, {512, 5, 2}, {512, 5, 2}, false},
                               {SIZE_MAX, {512, 3, 2}, {512, 3, 2}, false}},
                       .alone = {{4, {512, 33, 2}, {128, 27, 8}, true},
                                 {8, {256, 15, 4}, {256, 15, 4}, false},
                                 {SIZE_MAX, {256, 9, 4}, {256, 9, 4}, false}},
                       .cut_threads = 128},
    [WW__TILES_SMALL] = {.any = {{SIZE_MAX, {64, 3, 1}, {64, 3, 1}, false}},
                         .alone = {{4, {64, 9, 1}, {64, 9, 1}, true}, {SIZE_MAX, {64, 9, 1}, {64, 9, 1}, false}},
                         .cut_threads = WARP},
};

typedef struct merging {
    ww_device *device;
    const ww__merge_sorting *s;
    plan tiles, merging; /* of sorting tiles, of merging */
    uint64_t tile;       /* elements of a sorted one */
    bool network;
    bool general; /* one plan for all numbers of elements and GPUs: where nothing compiles */
    uint32_t cut_threads;
    size_t key_size;    /* of what moves */
    elements buffer[2]; /* the output, the scratch copy */
    uint32_t *broken;   /* of each pass */
    uint32_t *ties;     /* behind them; NULL where there are no passes */
    uint32_t *again;    /* of the network's tiles; NULL where the order is the library's */
} merging;

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* sizeof(element). */
static size_t element_size(const merging *m) {
    const ww_type *type = m->s->type;
    const size_t key_alignment = m->s->far ? m->key_size : ww__alignment(type, m->s->size, NULL);
    if (!m->s->value_size) return m->key_size;
    return ww__round_up(ww__round_up(m->key_size, m->s->value_size) + m->s->value_size,
                        larger(key_alignment, m->s->value_size));
}

/* Whether keys are numbers that nothing goes with. */
static bool alone(const merging *m) {
    const ww_kind kind = m->s->type->kind;
    return (kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED || kind == WW_KIND_FLOAT) && !m->s->value_size &&
           !m->s->far;
}

/* Bytes of struct round_shared. */
static size_t shared_bytes(const merging *m, const plan *p) {
    const size_t slots = (size_t)(p->threads + WARP * (WAYS / 2 - 1)) * p->each,
                 columns = alone(m) ? 0 : (size_t)p->threads * p->each;
    return ww__round_up((slots + columns) * element_size(m) + (p->threads + 1) * sizeof(uint16_t), 16);
}

/* Elements of a tile. */
static uint64_t tile_of(const plan *p) { return (uint64_t)(p->threads - (WAYS / 2 - 1)) * p->each; }

/* The same where the network sorts it. */
static uint64_t network_tile(const plan *p) { return (uint64_t)p->threads * (p->each - 1); }

static uint32_t bits_of(uint64_t power) {
    uint32_t bits = 0;
    while (power >> bits > 1) bits++;
    return bits;
}

static bool fits(const merging *m, const plan *p) {
    return shared_bytes(m, p) <= m->device->gpu->driver->shared_most - ww__kept_bytes(m->s->less);
}

/* Whether tiles should be smaller: because there are few, or too large for a block. */
static bool is_large(const merging *m, const plan *p) {
    enum { THREADS_LEAST = 128, SEVERAL = 2 };
    const uint64_t few = SEVERAL * (uint64_t)m->device->gpu->driver->processors;
    if (p->threads <= THREADS_LEAST) return false;
    return m->general || m->s->n / (p->threads * p->each) < few || !fits(m, p);
}

static plan halved(plan p) {
    p.threads /= 2;
    p.held *= 2;
    return p;
}

static plan fitting(const merging *m, plan p) {
    while (is_large(m, &p)) p = halved(p);
    return p;
}

/* ---- few keys ---- */

static unsigned passes_of(const merging *m, uint64_t tile) {
    const uint64_t ways = m->s->method == WW_SORT_MERGE_SEARCH ? 2 : WAYS;
    unsigned passes = 0;
    for (uint64_t run = tile; run < m->s->n; run *= ways) passes++;
    return passes;
}

/* Of few keys a pass, two launches in a row, takes longer than the network of larger tiles: tiles are the least that take no more
 * passes, and what one tile holds has a tile of the next power of two. */
static plan network_fitting(const merging *m, plan p) {
    enum { TILE_LEAST = 1 << 10, EACH_BITS_LEAST = 3, LANE_BITS = 5 };
    while (is_large(m, &p) && (!fits(m, &p) || passes_of(m, network_tile(&p) / 2) == passes_of(m, network_tile(&p))))
        p = halved(p);
    uint64_t tile = network_tile(&p);
    if (tile < m->s->n || tile <= TILE_LEAST) return p;
    while (tile > TILE_LEAST && tile / 2 >= m->s->n) tile /= 2;
    /* As many threads as banked/tiles_network.cuh has. */
    uint32_t each_bits = (bits_of(tile) - LANE_BITS + 1) / 2;
    if (each_bits < EACH_BITS_LEAST) each_bits = EACH_BITS_LEAST;
    const uint32_t threads = (uint32_t)(tile >> each_bits);
    return (plan){threads, (1u << each_bits) + 1, p.held * p.threads / threads};
}

/* Fewer elements a thread, where a GPU still holds all tiles at once. */
static plan merging_few(const merging *m, plan p) {
    enum { EACH = 9 };
    plan few = p;
    few.each = EACH;
    return m->s->n <= tile_of(&few) * few.held * m->device->gpu->driver->processors ? few : p;
}

static void choose_plans(merging *m) {
    const ww__tiles t = m->device->gpu->driver->tiles;
    const size_t size = element_size(m);
    const plans *p = alone(m) ? tuning[t].alone : tuning[t].any;
    while (size > p->most) p++;
    m->cut_threads = tuning[t].cut_threads;
    m->tiles = fitting(m, p->tiles);
    m->merging = fitting(m, p->merging);
    const bool few = p->network && m->s->method != WW_SORT_MERGE_PLAIN && ww__gpu_compiles(m->device);
    if (few) m->tiles = network_fitting(m, p->tiles), m->merging = merging_few(m, m->merging);
    m->tile = p->network ? network_tile(&m->tiles) : tile_of(&m->tiles);
    m->network = p->network && (few || m->tile < m->s->n) && m->s->method != WW_SORT_MERGE_PLAIN;
}

static void recipe_elements(ww__recipe *r, const char *file, const merging *m) {
    const ww__merge_sorting *s = m->s;
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_FAR", m->s->far ? m->key_size : 0);
    ww__recipe_number(r, "WW_VALUE", m->s->value_size);
    ww__recipe_number(r, "WW_REVERSED", s->reversed);
    ww__recipe_order(r, s->less, s->type, s->size);
}

static void recipe_tiles(ww__recipe *r, const merging *m, const plan *p) {
    recipe_elements(r, "sort/merge/merge_tiles.cu", m);
    ww__recipe_number(r, "WW_COUNTED", m->s->value_size && !m->s->values);
    ww__recipe_number(r, "WW_THREADS", p->threads);
    ww__recipe_number(r, "WW_EACH", p->each);
    ww__recipe_number(r, "WW_HELD", p->held);
    ww__recipe_number(r, "WW_ALONE", alone(m));
    ww__recipe_number(r, "WW_CHECKED", !m->s->trusted);
    ww__recipe_number(r, "WW_CUT_THREADS", m->cut_threads);
    ww__recipe_number(r, "WW_WAYS", WAYS);
    ww__recipe_number(r, "WW_PLAIN", m->s->method == WW_SORT_MERGE_PLAIN);
}

/* Bytes of struct network_shared. */
static size_t network_bytes(const merging *m) {
    enum { CELLS = 32 /* of which one more is left free */ };
    return ww__round_up((m->tile + m->tile / CELLS) * m->key_size, 16) + ww__round_up(WARP * m->key_size, 16);
}

static ww_status network_tiles(const merging *m, int to) {
    enum { EACH_BITS_APART = 5, SHUFFLED = 3, LANE_BITS = 5 }; /* with so many keys a thread fewer shuffles do */
    const uint32_t each_bits = bits_of(m->tiles.each - 1);
    ww__recipe r;
    ww__arguments a;
    recipe_elements(&r, "sort/merge/merge_network.cu", m);
    ww__recipe_number(&r, "WW_TILE_BITS", bits_of(m->tile));
    ww__recipe_number(&r, "WW_EACH_BITS", each_bits);
    ww__recipe_number(&r, "WW_SHUFFLED", each_bits == EACH_BITS_APART ? SHUFFLED : LANE_BITS);
    ww__recipe_number(&r, "WW_HELD", m->tiles.held);
    ww__recipe_number(&r, "WW_CHECKED", !m->s->trusted);
    const network_arguments all = {
        .in = m->s->keys, .out = m->buffer[to].keys, .n = m->s->n, .again = m->again, .ties = m->ties};
    WW__ARGUMENTS(&a, all);
    return ww__gpu_launch(m->device, &r, "network_tiles", ww__blocks(m->s->n, m->tile), m->tiles.threads,
                          network_bytes(m), &a);
}

/* `only`: NULL, or which of the tiles, where they are to come; else all, from the input. */
static ww_status sort_tiles(const merging *m, const uint32_t *only, int to) {
    const ww__merge_sorting *s = m->s;
    const elements in = {(void *)(uintptr_t)s->keys, (void *)(uintptr_t)s->values}; /* which are only read */
    ww__recipe r;
    ww__arguments a;
    recipe_tiles(&r, m, &m->tiles);
    const sort_arguments all = {.in = only ? m->buffer[to] : in,
                                .out = m->buffer[to],
                                .far = s->far,
                                .n = s->n,
                                .first_value = s->first_value,
                                .tile = (uint32_t)m->tile,
                                .only = only,
                                .ties = m->ties};
    WW__ARGUMENTS(&a, all);
    return (only ? ww__gpu_launch_early : ww__gpu_launch)(m->device, &r, "sort_tiles", ww__blocks(s->n, m->tile),
                                                          m->tiles.threads, shared_bytes(m, &m->tiles), &a);
}

static ww_status make_runs(const merging *m, int to) {
    if (!m->network) return sort_tiles(m, NULL, to);
    WW_TRY(network_tiles(m, to));
    return m->again ? sort_tiles(m, m->again, to) : WW_OK;
}

/* ---- method merge ---- */

static uint64_t tiles_of_pass(const merging *m, uint64_t run, uint64_t *in_group) {
    const uint64_t n = m->s->n, group = run * WAYS, whole = (n - 1) / group;
    *in_group = ww__blocks(group, tile_of(&m->merging));
    return whole * *in_group + ww__blocks(n - whole * group, tile_of(&m->merging));
}

static ww_status merge_pass(const merging *m, int from, uint64_t run, uint32_t *broken, uint64_t *cut) {
    const uint32_t threads = m->cut_threads;
    uint64_t in_group;
    const uint64_t tiles = tiles_of_pass(m, run, &in_group);
    ww__recipe r;
    ww__arguments a;
    recipe_tiles(&r, m, &m->merging);
    const merge_arguments all = {.in = m->buffer[from],
                                 .out = m->buffer[!from],
                                 .far = m->s->far,
                                 .n = m->s->n,
                                 .run = run,
                                 .tiles = (uint32_t)tiles,
                                 .in_group = (uint32_t)ww__min_u64(in_group, UINT32_MAX),
                                 .cut = cut,
                                 .broken = broken,
                                 .ties = m->ties};
    WW__ARGUMENTS(&a, all);
    /* Neighbouring blocks find the cut between them both. */
    const uint64_t cuts = threads / WAYS, blocks = tiles < cuts ? 1 : ww__blocks(tiles - 1, cuts - 1);
    WW_TRY(ww__gpu_launch_early(m->device, &r, "cut_runs", blocks, threads, 0, &a));
    return ww__gpu_launch_early(m->device, &r, "merge_runs", tiles, m->merging.threads, shared_bytes(m, &m->merging),
                                &a);
}

static ww_status merge_all(const merging *m, int from) {
    uint64_t *cut, most = 0, in_group;
    uint32_t *broken = m->broken;
    for (uint64_t run = m->tile; run < m->s->n; run *= WAYS) {
        const uint64_t tiles = tiles_of_pass(m, run, &in_group);
        if (tiles > most) most = tiles;
    }
    WW_CHECK(m->device, most < INT32_MAX, WW_LIMIT, "%llu keys are more than a GPU sorts by merging",
             (unsigned long long)m->s->n);
    WW_TRY(ww__scratch_array(m->device, most, WAYS * sizeof *cut, &cut));
    for (uint64_t run = m->tile; run < m->s->n; run *= WAYS, from = !from)
        WW_TRY(merge_pass(m, from, run, broken++, cut));
    return WW_OK;
}

/* ---- method merge-search ---- */

static ww_status search_all(const merging *m, int from) {
    const uint64_t n = m->s->n, blocks = ww__blocks(n, SEARCH_THREADS), words = ww__blocks(n, 32);
    const bool checked = !m->s->trusted;
    uint32_t *marks = NULL, *broken = m->broken;
    ww__recipe r;
    recipe_elements(&r, "sort/merge/merge_search.cu", m);
    ww__recipe_number(&r, "WW_CHECKED", checked);
    ww__recipe_number(&r, "WW_THREADS", SEARCH_THREADS);
    if (checked) WW_TRY(ww__scratch_array(m->device, words, sizeof *marks, &marks));
    for (uint64_t run = m->tile; run < n; run *= 2, from = !from, broken++) {
        ww__arguments a;
        const search_arguments all = {.in = m->buffer[from],
                                      .out = m->buffer[!from],
                                      .far = m->s->far,
                                      .n = n,
                                      .run = run,
                                      .marks = marks,
                                      .broken = broken};
        WW__ARGUMENTS(&a, all);
        if (checked) WW_TRY(ww__gpu_fill(m->device, marks, 0, words * sizeof *marks));
        WW_TRY(ww__gpu_launch(m->device, &r, "search_runs", blocks, SEARCH_THREADS, 0, &a));
        if (checked) WW_TRY(ww__gpu_launch(m->device, &r, "mend_runs", blocks, SEARCH_THREADS, 0, &a));
    }
    return WW_OK;
}

static bool is_ready(const merging *m) {
    ww__recipe tiles, merging;
    if (ww__gpu_compiles(m->device)) return true;
    recipe_tiles(&tiles, m, &m->tiles);
    recipe_tiles(&merging, m, &m->merging);
    return ww__gpu_has(m->device, &tiles) && ww__gpu_has(m->device, &merging);
}

ww_status ww__merge_sort_gpu(ww_device *device, const ww__merge_sorting *sorting) {
    ww__merge_sorting of = *sorting;
    const ww__merge_sorting *const s = &of;
    const bool search = s->method == WW_SORT_MERGE_SEARCH;
    const ww_input keys = ww_memory_of(s->keys, s->n, s->type);
    of.less = ww__order_told(device, s->less, &keys, &keys);
    merging m = {.device = device, .s = s, .key_size = s->key_size};
    choose_plans(&m);
    m.general = !is_ready(&m);
    if (m.general) choose_plans(&m);
    const unsigned passes = passes_of(&m, m.tile);
    m.buffer[0] = (elements){s->keys_out, s->values_out};
    if (m.network && !s->trusted)
        WW_TRY(ww__scratch_array(device, ww__blocks(s->n, m.tile), sizeof *m.again, &m.again));
    if (!passes) return make_runs(&m, 0);
    WW_TRY(ww__scratch_array(device, s->n, m.key_size, &m.buffer[1].keys));
    if (s->value_size) WW_TRY(ww__scratch_array(device, s->n, s->value_size, &m.buffer[1].values));
    WW_TRY(ww__scratch_array(device, passes + 1, sizeof *m.broken, &m.broken));
    WW_TRY(ww__gpu_fill(device, m.broken, 0, (passes + 1) * sizeof *m.broken));
    m.ties = m.broken + passes;
    WW_TRY(make_runs(&m, passes % 2));
    return search ? search_all(&m, passes % 2) : merge_all(&m, passes % 2);
}
