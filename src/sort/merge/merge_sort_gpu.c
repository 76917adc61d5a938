/* The host side of the merge sorts on a GPU: a launch that sorts tiles, of short keys alone by a network and another launch for
 * those tiles that it does not sort stably; then passes over all elements, between the output
 * and a scratch copy, until there is one run. Method merge makes one of every four runs in a pass (two launches); of few
 * elements one of up to sixteen by binary search in memory (a launch). Method merge-search makes one of every two so. */
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

/* Few elements: up to `most` by these tiles. A pass makes one of so many runs by search, or of two along the merge path in one launch,
 * by blocks of `pairs`. Measured on an H100, 2026-11 (bench/results/2026-11-28-h100-merge-sorts). */
enum { FEW_ROWS = 6 };
typedef struct few {
    uint64_t most;
    plan tiles;
    uint32_t ways;
    plan pairs;
} few;

/* By the bytes of what moves. Measured on an H200, 2026-11, 2^25 elements, G a second. Keys of 4 bytes alone: 24.8 (tiles of 256 x
 * 33: 25.0, but a pass more from 2^26 on; of 512 x 27 merged: 21.5; merging by 256 x 27, four: 23.2; 64 x 27, sixteen: 23.6; 128 x
 * 21, nine: 23.9; 256 x 15, five: 22.4). With values of 4 bytes: 12.3 (merging by 128 x 17, ten: 10.7; 128 x 21, eight: 11.5). Keys
 * of 8 bytes alone: 11.9 (merging by 128 x 15, eight: 11.9). The others are not measured. */
typedef struct plans {
    size_t most;
    plan tiles, merging;
    bool network; /* tiles are sorted by merge_network.cu, where a thread has each - 1 keys, a power of two */
    few few[FEW_ROWS];
} plans;
static const struct {
    plans any[4];
    plans alone[3]; /* keys alone: three times a small odd number has a short network (merge_bitonic.cuh) */
    uint32_t cut_threads;
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {.any = {{4, {512, 17, 2}, {256, 17, 5}, false, {{0}}},
                               {8,
                                {256, 11, 4},
                                {256, 11, 4},
                                false,
                                {{1275, {256, 5, 4}, 16, {0}},
                                 {2555, {512, 5, 2}, 16, {0}},
                                 {1 << 14, {256, 3, 4}, 16, {0}},
                                 {1 << 18, {256, 5, 4}, 2, {128, 5, 8}},
                                 {1 << 22, {256, 11, 4}, 2, {128, 9, 8}}}},
                               {16,
                                {512, 5, 2},
                                {512, 5, 2},
                                false,
                                {{1 << 14, {256, 5, 4}, 8, {0}},
                                 {1 << 18, {256, 5, 4}, 2, {128, 5, 8}},
                                 {1 << 22, {512, 5, 2}, 2, {128, 9, 4}}}},
                               {SIZE_MAX, {512, 3, 2}, {512, 3, 2}, false, {{0}}}},
                       .alone = {{4,
                                  {512, 33, 2},
                                  {128, 27, 8},
                                  true,
                                  {{1 << 10, {128, 9, 8}, 4, {0}},
                                   {1 << 11, {256, 9, 4}, 4, {0}},
                                   {1 << 14, {256, 17, 4}, 4, {0}},
                                   {1 << 19, {256, 17, 4}, 2, {128, 9, 8}},
                                   {1 << 20, {512, 17, 2}, 2, {128, 27, 6}},
                                   {1 << 23, {512, 33, 2}, 2, {128, 27, 8}}}},
                                 {8,
                                  {256, 15, 4},
                                  {256, 15, 4},
                                  false,
                                  {{1275, {256, 5, 4}, 8, {0}},
                                   {2295, {256, 9, 4}, 8, {0}},
                                   {1 << 14, {256, 5, 4}, 8, {0}},
                                   {1 << 18, {256, 9, 4}, 2, {128, 9, 8}},
                                   {1 << 22, {256, 15, 4}, 2, {128, 15, 6}}}},
                                 {SIZE_MAX, {256, 9, 4}, {256, 9, 4}, false, {{0}}}},
                       .cut_threads = 128},
    [WW__TILES_SMALL] =
        {.any = {{SIZE_MAX,
                  {64, 3, 1},
                  {64, 3, 1},
                  false,
                  {{700, {64, 3, 1}, 16, {0}}, {1000, {32, 3, 1}, 8, {0}}, {1300, {64, 3, 1}, 2, {64, 3, 1}}}}},
         .alone = {{4,
                    {64, 9, 1},
                    {64, 9, 1},
                    true,
                    {{700, {32, 9, 1}, 16, {0}}, {1000, {32, 9, 1}, 8, {0}}, {1300, {32, 9, 1}, 2, {64, 9, 1}}}},
                   {SIZE_MAX,
                    {64, 9, 1},
                    {64, 9, 1},
                    false,
                    {{700, {64, 5, 1}, 16, {0}}, {1300, {64, 5, 1}, 2, {64, 9, 1}}}}},
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
    enum { BY_PATHS, BY_PAIRS, BY_SEARCH } way;
    uint32_t ways;      /* runs that a pass makes one */
    size_t key_size;    /* of what moves */
    elements buffer[2]; /* the output, the scratch copy */
    uint32_t *broken;   /* of each pass; by search behind one of before them */
    uint32_t *ties;     /* behind them; NULL where there are no passes */
    uint32_t *marks[2]; /* of passes by search, in turn */
    uint64_t cleared;   /* words from `broken` on that the first launch clears; nor may it write them then */
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
    unsigned passes = 0;
    for (uint64_t run = tile; run < m->s->n; run *= m->ways) passes++;
    return passes;
}

/* Tiles are the least that take no more passes. */
static plan network_fitting(const merging *m, plan p) {
    while (is_large(m, &p) && (!fits(m, &p) || passes_of(m, network_tile(&p) / 2) == passes_of(m, network_tile(&p))))
        p = halved(p);
    return p;
}

/* Fewer elements a thread, where a GPU still holds all tiles at once. */
static plan merging_few(const merging *m, plan p) {
    enum { EACH = 9 };
    plan few = p;
    few.each = EACH;
    return m->s->n <= tile_of(&few) * few.held * m->device->gpu->driver->processors ? few : p;
}

/* NULL where there are not few. */
static const few *few_of(const merging *m, const few *rows) {
    if (m->s->method != WW_SORT_MERGE || !ww__gpu_compiles(m->device)) return NULL;
    for (int i = 0; i < FEW_ROWS && rows[i].most; i++)
        if (m->s->n <= rows[i].most) return &rows[i];
    return NULL;
}

static plan held_by_block(const merging *m, plan p) {
    while (!fits(m, &p)) p = halved(p);
    return p;
}

static void choose_few(merging *m, const few *few) {
    m->way = few->pairs.threads ? BY_PAIRS : BY_SEARCH;
    m->ways = few->ways;
    m->tiles = held_by_block(m, few->tiles);
    m->merging = held_by_block(m, few->pairs);
}

static void choose_many(merging *m, const plans *p) {
    m->way = m->s->method == WW_SORT_MERGE_SEARCH ? BY_SEARCH : BY_PATHS;
    m->ways = m->way == BY_SEARCH ? 2 : WAYS;
    m->tiles = fitting(m, p->tiles);
    m->merging = fitting(m, p->merging);
    if (m->network && ww__gpu_compiles(m->device))
        m->tiles = network_fitting(m, p->tiles), m->merging = merging_few(m, m->merging);
}

static void choose_plans(merging *m) {
    const ww__tiles t = m->device->gpu->driver->tiles;
    const size_t size = element_size(m);
    const plans *p = alone(m) ? tuning[t].alone : tuning[t].any;
    while (size > p->most) p++;
    const few *const few = few_of(m, p->few);
    m->cut_threads = tuning[t].cut_threads;
    m->network = p->network && m->s->method != WW_SORT_MERGE_PLAIN;
    if (few)
        choose_few(m, few);
    else
        choose_many(m, p);
    m->tile = p->network ? network_tile(&m->tiles) : tile_of(&m->tiles);
    m->network = m->network && (ww__gpu_compiles(m->device) || m->tile < m->s->n);
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
    const network_arguments all = {.in = m->s->keys,
                                   .out = m->buffer[to].keys,
                                   .n = m->s->n,
                                   .again = m->again,
                                   .ties = m->cleared ? NULL : m->ties,
                                   .zeros = m->broken,
                                   .zero_words = m->cleared};
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
                                .ties = m->cleared && !only ? NULL : m->ties,
                                .zeros = m->broken,
                                .zero_words = only ? 0 : m->cleared};
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

/* ---- few elements ---- */

/* Behind passes that may be none, where `from` is the last one's output. */
static ww_status mend(const merging *m, const ww__recipe *r, uint32_t threads, int from, unsigned passes) {
    enum { BLOCKS = 64 }; /* at most: they seldom have anything to do */
    ww__arguments a;
    if (m->s->trusted) return WW_OK;
    const mend_arguments all = {
        .in = m->buffer[!from], .out = m->buffer[from], .n = m->s->n, .left = m->broken + passes};
    WW__ARGUMENTS(&a, all);
    return ww__gpu_launch_early(m->device, r, "mend_runs", ww__min_u64(ww__blocks(m->s->n, threads), BLOCKS), threads,
                                0, &a);
}

/* Bytes of struct pairs_shared. */
static size_t pairs_bytes(const merging *m) {
    const plan *p = &m->merging;
    const size_t slots = (size_t)p->threads * p->each * (alone(m) ? 1 : 2);
    return ww__round_up(slots * element_size(m) + (p->threads + 1) * sizeof(uint16_t), 16) + 2 * sizeof(uint64_t);
}

static ww_status pairs_all(const merging *m, int from) {
    const plan *p = &m->merging;
    const uint64_t n = m->s->n, tile = (uint64_t)p->threads * p->each;
    ww__recipe r;
    ww__arguments a;
    unsigned pass = 0;
    recipe_elements(&r, "sort/merge/merge_pairs.cu", m);
    ww__recipe_number(&r, "WW_THREADS", p->threads);
    ww__recipe_number(&r, "WW_EACH", p->each);
    ww__recipe_number(&r, "WW_HELD", p->held);
    ww__recipe_number(&r, "WW_ALONE", alone(m));
    ww__recipe_number(&r, "WW_CHECKED", !m->s->trusted);
    ww__recipe_number(&r, "WW_WAYS", m->ways);
    ww__recipe_number(&r, "WW_PLAIN", 0);
    for (uint64_t run = m->tile; run < n; run *= m->ways, from = !from, pass++) {
        const uint64_t group = run * m->ways, whole = (n - 1) / group, in_group = ww__blocks(group, tile);
        const pairs_arguments all = {.in = m->buffer[from],
                                     .out = m->buffer[!from],
                                     .far = m->s->far,
                                     .n = n,
                                     .run = run,
                                     .in_group = in_group,
                                     .left = m->broken + pass,
                                     .broken = m->broken + pass + 1,
                                     .ties = m->ties};
        WW__ARGUMENTS(&a, all);
        WW_TRY(ww__gpu_launch_early(m->device, &r, "merge_pairs",
                                    whole * in_group + ww__blocks(n - whole * group, tile), p->threads, pairs_bytes(m),
                                    &a));
    }
    return mend(m, &r, p->threads, from, pass);
}

/* Words for marks of a pass by search. */
static uint64_t mark_words(const merging *m) {
    enum { BITS = 32 };
    return m->way == BY_SEARCH && !m->s->trusted ? ww__blocks(m->s->n, BITS) : 0;
}

static ww_status search_all(const merging *m, int from) {
    enum { PLACES_MOST = 1 << 30 /* of 4 bytes, with room for a group that is not whole */ };
    const uint64_t n = m->s->n;
    ww__recipe r;
    ww__arguments a;
    unsigned pass = 0;
    recipe_elements(&r, "sort/merge/merge_search.cu", m);
    ww__recipe_number(&r, "WW_CHECKED", !m->s->trusted);
    ww__recipe_number(&r, "WW_THREADS", SEARCH_THREADS);
    ww__recipe_number(&r, "WW_WAYS", m->ways);
    ww__recipe_number(&r, "WW_PLACE", n <= PLACES_MOST ? sizeof(uint32_t) : sizeof(uint64_t));
    for (uint64_t run = m->tile; run < n; run *= m->ways, from = !from, pass++) {
        const search_arguments all = {.in = m->buffer[from],
                                      .out = m->buffer[!from],
                                      .far = m->s->far,
                                      .n = n,
                                      .run = run,
                                      .step = 1ull << bits_of(run),
                                      .marks = m->marks[pass % 2],
                                      .marks_next = m->marks[!(pass % 2)],
                                      .left = m->broken + pass,
                                      .broken = m->broken + pass + 1};
        WW__ARGUMENTS(&a, all);
        WW_TRY(
            ww__gpu_launch_early(m->device, &r, "search_runs", ww__blocks(n, SEARCH_THREADS), SEARCH_THREADS, 0, &a));
    }
    return mend(m, &r, SEARCH_THREADS, from, pass);
}

static bool is_ready(const merging *m) {
    ww__recipe tiles, merging;
    if (ww__gpu_compiles(m->device)) return true;
    recipe_tiles(&tiles, m, &m->tiles);
    recipe_tiles(&merging, m, &m->merging);
    return ww__gpu_has(m->device, &tiles) && ww__gpu_has(m->device, &merging);
}

/* Flags and marks. Of few elements the first launch clears them, which saves one. */
static ww_status take_words(merging *m, unsigned passes) {
    const uint64_t flags = 1 + passes + 1, marks = mark_words(m);
    WW_TRY(ww__scratch_array(m->device, flags + 2 * marks, sizeof *m->broken, &m->broken));
    m->ties = m->broken + flags - 1;
    m->marks[0] = m->broken + flags;
    m->marks[1] = m->marks[0] + marks;
    m->cleared = m->way == BY_PATHS ? 0 : flags + marks;
    return m->cleared ? WW_OK : ww__gpu_fill(m->device, m->broken, 0, flags * sizeof *m->broken);
}

ww_status ww__merge_sort_gpu(ww_device *device, const ww__merge_sorting *sorting) {
    ww__merge_sorting of = *sorting;
    const ww__merge_sorting *const s = &of;
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
    WW_TRY(take_words(&m, passes));
    WW_TRY(make_runs(&m, passes % 2));
    return m.way == BY_SEARCH  ? search_all(&m, passes % 2)
           : m.way == BY_PAIRS ? pairs_all(&m, passes % 2)
                               : merge_all(&m, passes % 2);
}
