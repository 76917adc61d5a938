/* Tiles, and what the conflict-free form of their network gives a merge sort: on random data and on four inputs that are made to have
 * shared memory's banks in conflict. On a GPU CUB's block sorts stand beside them and kernels as one writes them (peers/cub.h). Rows of
 * the model of memory in banks, and its tables, are studies/banked.c's. */
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "peers/cub.h"
#include "studies/banked_study.h"

/* ---- data ---- */

/* Each tile's ranks, in such an order that in every merge neighbours come from both halves, or 32 of them: for merges along the
 * merge path the worst; that what lanes of a warp write to their ranks all goes to one bank, with a place more in each 32 or without
 * (a stride of 32). */
typedef enum spread { RANDOM, BITS_REVERSED, RUNS_REVERSED, ONE_BANK_PADDED, ONE_BANK } spread;

static uint32_t reversed(uint32_t x, unsigned bits) {
    uint32_t y = 0;
    for (unsigned b = 0; b < bits; b++) y |= (x >> b & 1) << (bits - 1 - b);
    return y;
}

static uint32_t rank_of(uint32_t at, unsigned bits, spread s) {
    enum { RUN_BITS = 5, BANKS = 32 };
    const uint32_t column = (1u << bits) / BANKS, bank = at / column, row = at % column;
    switch (s) {
    case BITS_REVERSED:
        return reversed(at, bits);
    case RUNS_REVERSED:
        return reversed(at >> RUN_BITS, bits - RUN_BITS) << RUN_BITS | (at & (BANKS - 1));
    case ONE_BANK_PADDED:
        return row * BANKS + ((bank - row) & (BANKS - 1));
    case ONE_BANK:
        return row * BANKS + bank;
    default:
        return at;
    }
}

static unsigned bits_of(uint64_t power) {
    unsigned bits = 0;
    while (power >> bits > 1) bits++;
    return bits;
}

/* Keys whose ranks in each run of 2^bits are those, spread over all numbers. */
static void fill_keys(void *keys, size_t n, size_t size, unsigned bits, spread s, uint64_t seed) {
    if (s == RANDOM && size == 4) data_u32(keys, n, seed);
    if (s == RANDOM && size == 8) data_u64(keys, n, seed);
    if (s == RANDOM) return;
    const size_t tile = (size_t)1 << bits;
    for (size_t i = 0; i < n; i++) {
        if (i >= tile)
            memcpy((char *)keys + i * size, (char *)keys + (i - tile) * size, size);
        else if (size == 4)
            ((uint32_t *)keys)[i] = rank_of((uint32_t)i, bits, s) * (UINT32_MAX >> bits);
        else
            ((uint64_t *)keys)[i] = rank_of((uint32_t)i, bits, s) * (UINT64_MAX >> bits);
    }
}

/* ---- a row's case ---- */

#define CASE(tile, size, spread) ((uint64_t)(tile) << 16 | (uint64_t)(size) << 8 | (spread))
static uint64_t tile_of(const bench_work *w) { return w->parameter >> 16; }
static size_t size_of(const bench_work *w) { return w->parameter >> 8 & 0xFF; }
static spread spread_of_keys(const bench_work *w) { return (spread)(w->parameter & 0xFF); }

static const ww_type *type_of(const bench_work *w) { return size_of(w) == 8 ? &ww_type_uint64_t : &ww_type_uint32_t; }

/* Items of whole tiles: what is behind the last one is left alone. */
static size_t whole(const bench_work *w) { return w->n - w->n % tile_of(w); }

static bool no_tile(bench_work *w) {
    if (whole(w)) return false;
    w->cannot = "--size is less than a tile";
    return true;
}

/* ---- the other ways ---- */

static ww_status run_way(bench_work *w, cub_way way, uint64_t n) {
    ww_device_info info = WW_DEVICE_INFO;
    if (ww_device_info_get(w->device, &info) || strcmp(info.backend, "cuda")) {
        w->cannot = "runs on an NVIDIA GPU alone (--device=cuda)";
        return WW_UNSUPPORTED;
    }
    const cub_module *const module = cub_open(&w->cannot);
    if (!module) return WW_UNSUPPORTED;
    w->cannot = NULL;
    const cub_job job = {w->in, w->second, w->out, n, tile_of(w), size_of(w)};
    const char *const wrong = module->run(way, &job);
    if (!wrong) return WW_OK;
    w->cannot = wrong;
    return WW_LOST;
}

static const char *wait(void) {
    const char *why;
    const cub_module *const module = cub_about() ? cub_open(&why) : NULL; /* not where only ours has run */
    return module ? module->wait() : NULL;
}

#define WAY(function, way) \
    static ww_status function(bench_work *w) { return run_way(w, way, whole(w)); }
WAY(run_radix, CUB_RADIX)
WAY(run_merge, CUB_MERGE)
WAY(run_radix_32, CUB_RADIX_32)
WAY(run_merge_32, CUB_MERGE_32)
WAY(run_padded, CUB_PADDED)
WAY(run_bitonic, CUB_BITONIC)
WAY(run_permuted, CUB_PERMUTED)
WAY(run_partitioned, CUB_PARTITIONED)
WAY(run_transposed, CUB_TRANSPOSED)
WAY(run_device_merge, CUB_DEVICE_MERGE)

/* ---- sorting ---- */

/* With where tiles begin, as segments. */
static void make_keys(bench_work *w) {
    uint32_t *const offsets = work_pages(w, (w->n / tile_of(w) + 1) * 4);
    for (size_t i = 0; i <= w->n / tile_of(w); i++) offsets[i] = (uint32_t)(i * tile_of(w));
    w->second = offsets;
    w->in = work_pages(w, w->n * size_of(w));
    w->out = work_pages(w, w->out_bytes = w->n * size_of(w));
    fill_keys(w->in, w->n, size_of(w), bits_of(tile_of(w)), spread_of_keys(w), 81);
}

static ww_status run_sort(bench_work *w) {
    if (no_tile(w)) return WW_UNSUPPORTED;
    return ww_tiles_sort(w->device, tile_of(w), ww_memory_of(w->in, whole(w), type_of(w)), ww_no_input,
                         ww_array_of(w->out, whole(w), type_of(w)), ww_none);
}

static ww_status run_as_segments(bench_work *w) {
    if (no_tile(w)) return WW_UNSUPPORTED;
    return ww_sort_segments(w->device, ww_memory_of(w->in, whole(w), type_of(w)), ww_no_input,
                            ww_memory((const uint32_t *)w->second, w->n / tile_of(w) + 1),
                            ww_array_of(w->out, whole(w), type_of(w)), ww_none, NULL);
}

static bool right_sort(const bench_work *w) {
    const size_t tile = tile_of(w);
    for (size_t i = 0; i < whole(w); i += tile)
        if (size_of(w) == 8 ? !check_sorted_u64((const uint64_t *)w->out + i, (const uint64_t *)w->in + i, tile)
                            : !check_sorted_u32((const uint32_t *)w->out + i, (const uint32_t *)w->in + i, tile))
            return false;
    return true;
}

/* ---- permuting, partitioning, transposing: of u32 ---- */

enum { LABELS = 32, ROWS = 64 };

/* Places, each tile's own where they are random. */
static void make_places(bench_work *w) {
    const size_t tile = tile_of(w);
    const unsigned bits = bits_of(tile);
    uint32_t *const places = work_pages(w, w->n * 4);
    w->in = work_pages(w, w->n * 4);
    w->second = places;
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 85);
    for (size_t first = 0; first < whole(w); first += tile) {
        if (spread_of_keys(w) == RANDOM) data_permutation(places + first, tile, 86 + first);
        for (size_t i = 0; i < tile && spread_of_keys(w) != RANDOM; i++)
            places[first + i] = rank_of((uint32_t)i, bits, spread_of_keys(w));
    }
}

static void make_labels(bench_work *w) {
    make_places(w);
    for (size_t i = 0; i < whole(w); i++) ((uint32_t *)w->second)[i] /= (uint32_t)(tile_of(w) / LABELS);
}

static ww_status run_permute(bench_work *w) {
    if (no_tile(w)) return WW_UNSUPPORTED;
    return ww_tiles_permute(w->device, tile_of(w), ww_memory((const uint32_t *)w->in, whole(w)),
                            ww_memory((const uint32_t *)w->second, whole(w)), ww_array((uint32_t *)w->out, whole(w)));
}

static bool right_permute(const bench_work *w) {
    const uint32_t *in = w->in, *places = w->second, *out = w->out;
    for (size_t i = 0; i < whole(w); i++)
        if (out[i - i % tile_of(w) + places[i]] != in[i]) return false;
    return true;
}

static ww_status run_partition(bench_work *w) {
    if (no_tile(w)) return WW_UNSUPPORTED;
    return ww_tiles_partition(w->device, tile_of(w), LABELS, ww_memory((const uint32_t *)w->in, whole(w)),
                              ww_memory((const uint32_t *)w->second, whole(w)), ww_array((uint32_t *)w->out, whole(w)));
}

static bool right_partition(const bench_work *w) {
    const uint32_t *in = w->in, *labels = w->second, *out = w->out;
    const size_t tile = tile_of(w);
    for (size_t first = 0; first < whole(w); first += tile) {
        size_t next[LABELS];
        for (size_t k = 0; k < LABELS; k++) next[k] = first + k * (tile / LABELS);
        for (size_t i = first; i < first + tile; i++)
            if (out[next[labels[i]]++] != in[i]) return false;
    }
    return true;
}

static ww_status run_transpose(bench_work *w) {
    if (no_tile(w)) return WW_UNSUPPORTED;
    return ww_tiles_transpose(w->device, ROWS, tile_of(w) / ROWS, ww_memory((const uint32_t *)w->in, whole(w)),
                              ww_array((uint32_t *)w->out, whole(w)));
}

static bool right_transpose(const bench_work *w) {
    const uint32_t *in = w->in, *out = w->out;
    const size_t tile = tile_of(w), columns = tile / ROWS;
    for (size_t i = 0; i < whole(w); i++) {
        const size_t first = i - i % tile, at = i % tile;
        if (out[first + at % columns * ROWS + at / columns] != in[i]) return false;
    }
    return true;
}

/* ---- segments: those of 1024 keys and more are sorted as tiles are ---- */

/* Of `tile` keys each; or, where that is 1, of 1024 to 8191. */
static void make_segments(bench_work *w) {
    enum { LEAST = 1024, SPAN = 7168 };
    const size_t tile = tile_of(w);
    uint32_t *const offsets = work_pages(w, (w->n / (tile > 1 ? tile : LEAST) + 2) * 4);
    uint32_t length = 0;
    w->in = work_pages(w, w->n * 4);
    w->second = offsets;
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    fill_keys(w->in, w->n, 4, bits_of(tile), tile > 1 ? spread_of_keys(w) : RANDOM, 87);
    w->m = 0;
    for (size_t at = 0; at < w->n; at += length) {
        length = (uint32_t)(tile > 1 ? tile : LEAST + w->m * 2654435761u % SPAN);
        offsets[w->m++] = (uint32_t)at;
    }
    offsets[w->m++] = (uint32_t)w->n;
}

static ww_status run_segments(bench_work *w) {
    return ww_sort_segments(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_no_input,
                            ww_memory((const uint32_t *)w->second, w->m), ww_array((uint32_t *)w->out, w->n), ww_none,
                            NULL);
}

static bool right_segments(const bench_work *w) {
    const uint32_t *in = w->in, *out = w->out, *offsets = w->second;
    for (size_t s = 0; s + 1 < w->m; s++)
        if (!check_sorted_u32(out + offsets[s], in + offsets[s], offsets[s + 1] - offsets[s])) return false;
    return true;
}

/* ---- the merge sort, whose tiles and gathers are free of conflicts ---- */

WW_LESS(banked_below, uint32_t, a, b, { return a < b; });

static ww_status run_merge_sort_by(bench_work *w, ww_sort_method method) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = method;
    return ww_sort_by(w->device, &banked_below_ww, ww_memory((const uint32_t *)w->in, w->n), ww_no_input,
                      ww_array((uint32_t *)w->out, w->n), ww_none, &o);
}
static ww_status run_merge_sort(bench_work *w) { return run_merge_sort_by(w, WW_SORT_MERGE); }
static ww_status run_merge_plain(bench_work *w) { return run_merge_sort_by(w, WW_SORT_MERGE_PLAIN); }

/* Orders of the whole array: the largest power of two of it. */
static void make_merge_sort(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    fill_keys(w->in, w->n, 4, bits_of(w->n), w->n < 64 ? RANDOM : spread_of_keys(w), 81);
}
static bool right_merge_sort(const bench_work *w) { return check_sorted_u32(w->out, w->in, w->n); }

/* ---- rows ---- */

/* clang-format off */
#define CUB "CUB, "
static const bench_rival rivals_of_u32[] = {
    {.who = "BlockRadixSort", .call = CUB "16 keys a thread", .run = run_radix},
    {.who = "BlockRadixSort-32", .call = CUB "32 keys a thread", .run = run_radix_32},
    {.who = "BlockMergeSort", .call = CUB "16 keys a thread", .run = run_merge},
    {.who = "BlockMergeSort-32", .call = CUB "32 keys a thread", .run = run_merge_32},
    {.who = "padded merge sort", .call = "a place more in each 32", .run = run_padded},
    {.who = "bitonic network", .call = "in shared memory", .run = run_bitonic},
};
static const bench_rival rivals_of_u64[] = {
    {.who = "ww_sort_segments", .call = "by digits on a GPU", .run = run_as_segments},
    {.who = "BlockRadixSort", .call = CUB "8 keys a thread", .run = run_radix},
    {.who = "BlockMergeSort", .call = CUB "8 keys a thread", .run = run_merge},
    {.who = "padded merge sort", .call = "a place more in each 32", .run = run_padded},
    {.who = "bitonic network", .call = "in shared memory", .run = run_bitonic},
};
static const bench_rival plainly_permuted[] = {
    {.who = "plain kernel", .call = "written to places in shared memory", .run = run_permuted},
};
static const bench_rival plainly_partitioned[] = {
    {.who = "plain kernel", .call = "a thread for each bucket", .run = run_partitioned},
};
static const bench_rival transposed_padded[] = {
    {.who = "padded tile", .call = "64 x 65", .run = run_transposed},
};
static const bench_rival merge_sorts[] = {
    {.who = "merge-plain", .call = "ww_sort_by, with conflicts as data have them", .run = run_merge_plain},
    {.who = "DeviceMergeSort", .call = CUB "the same order", .run = run_device_merge},
};

#define SORT(tile, bits, spread, words, many) \
    {.name = "tiles of " #tile " u" #bits " sorted, " words, .call = "ww_tiles_sort", .make = make_keys, .run = run_sort, \
     .right = right_sort, .bytes = 2.0 * (bits / 8), .element = bits / 8, .usual = (size_t)1 << (many), .named = true, \
     .parameter = CASE(tile, bits / 8, spread), .rivals = rivals_of_u##bits, .rival_count = BENCH_COUNT(rivals_of_u##bits), .rivals_wait = wait}
#define SORTS(tile, bits, many) \
    SORT(tile, bits, RANDOM, "random", many), SORT(tile, bits, BITS_REVERSED, "bits reversed", many), \
    SORT(tile, bits, RUNS_REVERSED, "bits of runs reversed", many), \
    SORT(tile, bits, ONE_BANK_PADDED, "one bank, padded", many), SORT(tile, bits, ONE_BANK, "one bank", many)
#define MOVE(title, verb, made, spread, item_bytes, others) \
    {.name = "tiles of " title, .call = "ww_tiles_" #verb, .make = made, .run = run_##verb, .right = right_##verb, \
     .bytes = item_bytes, .element = 4, .usual = 1 << 25, .named = true, .parameter = CASE(4096, 4, spread), .rivals = others, \
     .rival_count = BENCH_COUNT(others), .rivals_wait = wait}
#define SEGMENTS(lengths, tile, spread, words) \
    {.name = "segments of " lengths " u32 sorted, " words, .call = "ww_sort_segments", .make = make_segments, \
     .run = run_segments, .right = right_segments, .bytes = 8, .element = 4, .usual = 1 << 25, .named = true, \
     .parameter = CASE(tile, 4, spread)}
#define MERGE_SORT(spread, words) \
    {.name = "merge sort of u32, " words, .call = "ww_sort_by a WW_LESS, method merge", .make = make_merge_sort, \
     .run = run_merge_sort, .right = right_merge_sort, .bytes = 8, .element = 4, .usual = 1 << 25, .named = true, \
     .parameter = CASE(1, 4, spread), .rivals = merge_sorts, .rival_count = BENCH_COUNT(merge_sorts), \
     .rivals_wait = wait}
static const bench_row rows[] = {
    SORTS(4096, 32, 25), SORTS(4096, 64, 24),
    SORT(1024, 32, RANDOM, "random", 25), SORT(1024, 32, RUNS_REVERSED, "bits of runs reversed", 25),
    SORT(16384, 32, RANDOM, "random", 25), SORT(16384, 32, RUNS_REVERSED, "bits of runs reversed", 25),
    MOVE("4096 u32 permuted, random", permute, make_places, RANDOM, 12, plainly_permuted),
    MOVE("4096 u32 permuted, one bank", permute, make_places, ONE_BANK, 12, plainly_permuted),
    MOVE("4096 u32 partitioned by 32, random", partition, make_labels, RANDOM, 12, plainly_partitioned),
    MOVE("64 x 64 u32 transposed", transpose, make_places, RANDOM, 8, transposed_padded),
    SEGMENTS("4096", 4096, RANDOM, "random"), SEGMENTS("4096", 4096, RUNS_REVERSED, "bits of runs reversed"),
    SEGMENTS("1024 to 8191", 1, RANDOM, "random"),
    MERGE_SORT(RANDOM, "random"), MERGE_SORT(BITS_REVERSED, "bits reversed"), MERGE_SORT(RUNS_REVERSED, "bits of runs reversed"),
};
/* clang-format on */

const bench_family family_banked = {.name = "banked",
                                    .title = "Memory in banks",
                                    .rows = rows,
                                    .count = BENCH_COUNT(rows),
                                    .studies = banked_studies,
                                    .tables = banked_tables};
