/* The host side of tiles on a GPU: one launch that moves them, and one before it that looks at labels and places, so that
 * nothing is written where these are wrong. */
#include "banked/tiles.h"
#include "banked/tiles_arguments.cuh"
#include "banked/tiles_transpose_arguments.cuh"
#include "device/gpu/batch.h"
#include "device/gpu/gpu.h"

typedef unsigned long long ull;

enum { WARP = 32, LANE_BITS = 5, WORD = 16 };

/* each_bits: a thread has 2^… items of 4 bytes, of 8, of more (of the head and the tail together); fewer of short tiles, so
 * that a warp has something to do, and as many as it takes for two conversions to do for long ones. */
static const struct {
    uint32_t each_bits_4, each_bits_8, each_bits;
    uint32_t shuffled;                    /* of the lanes' bits, where fewer than all can be */
    uint32_t threads_least, threads_most; /* of a block: of several short tiles, of a long one */
    uint32_t registers;                   /* of a thread, that are not items' */
    uint32_t transposed_each;             /* items of a thread */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {5, 4, 4, 3, 128, 512, 32, 16},
    [WW__TILES_SMALL] = {1, 1, 1, 5, 64, 512, 32, 2},
};

typedef struct plan {
    uint32_t tile_bits, each_bits, shuffled, team, teams, vector, held, row_bits;
    size_t shared;
} plan;

static uint32_t bits_of(uint64_t power) {
    uint32_t bits = 0;
    while (power >> bits > 1) bits++;
    return bits;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static bool aligned(const void *p) { return (uintptr_t)p % WORD == 0; }

/* A head and a tail of 4 bytes are one number where both are compared. */
static bool joined(const ww__tiles_request *r, size_t tail_size) {
    return r->kind == WW__TILES_SORT && r->head_size == 4 && tail_size == 4;
}

/* Bytes of cells of tiles_network.cuh. */
static size_t cell_bytes(uint64_t tile, size_t size, uint32_t each_bits) {
    const uint32_t from = size == 8 && each_bits <= 4 ? 4 : 5;
    return ww__round_up((tile + (tile >> from) + (size == 8 && from > 4)) * size, WORD);
}

/* Whether a warp's runs can be merged by conversions, too, without a bank conflict: as many cells have one more as a thread
 * has items. */
static bool shuffles_less(const ww__tiles_request *r, size_t tail_size, uint32_t each_bits) {
    const bool wide = r->head_size == 8 || joined(r, tail_size);
    if (tail_size && !joined(r, tail_size) && (tail_size == 8) != wide) return false;
    return each_bits == 5 || (wide && each_bits == 4);
}

/* Bytes of struct team_room. */
static size_t room_bytes(const ww__tiles_request *r, size_t tail_size, uint32_t each_bits) {
    if (joined(r, tail_size)) return cell_bytes(r->tile, r->head_size + tail_size, each_bits);
    return cell_bytes(r->tile, r->head_size, each_bits) + (tail_size ? cell_bytes(r->tile, tail_size, each_bits) : 0);
}

/* Neighbours that a thread reads or writes at once: 16 bytes of the largest cells. */
static uint32_t vector_of(const ww__tiles_request *r, size_t tail_size, uint32_t each_bits) {
    const bool wide = r->head_size == 8 || tail_size == 8 || joined(r, tail_size);
    const bool all_aligned = aligned(r->heads) && (!tail_size || aligned(r->tails)) &&
                             (!r->heads_out || aligned(r->heads_out)) && aligned(r->tails_out);
    return all_aligned ? smaller(wide ? 2 : 4, 1u << each_bits) : 1;
}

/* Of tiles whose tails have tail_size bytes: the request's, or 0 where heads alone are sorted. */
static plan plan_of(const ww_device *device, const ww__tiles_request *r, size_t tail_size) {
    enum { REGISTERS = 64 << 10, SHARED = 220 << 10, SHARED_OF_BLOCK = 1 << 10, BLOCKS_MOST = 16 }; /* of a processor */
    const ww__tiles t = device->gpu->driver->tiles;
    const size_t item = r->head_size + tail_size;
    const uint32_t tile_bits = bits_of(r->tile);
    uint32_t each_bits = item <= 4 ? tuning[t].each_bits_4 : item <= 8 ? tuning[t].each_bits_8 : tuning[t].each_bits;
    each_bits = smaller(each_bits, tile_bits - LANE_BITS);
    each_bits = larger(each_bits, larger((tile_bits - LANE_BITS + 1) / 2, 1));
    while (r->tile >> each_bits > tuning[t].threads_most) each_bits++;
    plan p = {.tile_bits = tile_bits,
              .each_bits = each_bits,
              .shuffled = LANE_BITS,
              .team = (uint32_t)(r->tile >> each_bits)};
    if (shuffles_less(r, tail_size, each_bits)) p.shuffled = tuning[t].shuffled;
    p.teams = larger(tuning[t].threads_least / p.team, 1);
    p.vector = vector_of(r, tail_size, each_bits);
    p.row_bits = bits_of(r->row);
    p.shared = p.teams * room_bytes(r, tail_size, each_bits);
    const uint32_t threads = p.team * p.teams, words = (uint32_t)((item << each_bits) / sizeof(uint32_t));
    p.held = larger(smaller((uint32_t)(SHARED / (p.shared + SHARED_OF_BLOCK)),
                            smaller(REGISTERS / (threads * (tuning[t].registers + words)), BLOCKS_MOST)),
                    1);
    return p;
}

static ww_status launch(ww_device *device, const ww__tiles_request *r, bool check, const ww__gpu_checking *checking) {
    const size_t tail_size = check ? 0 : r->tail_size;
    const plan p = plan_of(device, r, tail_size);
    const uint64_t tiles = r->n / r->tile;
    WW_CHECK(device, p.shared <= device->gpu->driver->shared_most, WW_LIMIT,
             "tiles of %llu times %zu bytes take %zu bytes of shared memory, and a block of this GPU has %zu",
             (ull)r->tile, r->head_size + tail_size, p.shared, device->gpu->driver->shared_most);
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "banked/tiles.cu");
    ww__recipe_number(&recipe, "WW_HEAD", r->head_size);
    ww__recipe_number(&recipe, "WW_TAIL", tail_size);
    ww__recipe_number(&recipe, "WW_KIND", r->kind);
    ww__recipe_number(&recipe, "WW_ORDER", r->order);
    ww__recipe_number(&recipe, "WW_CHECK", check);
    ww__recipe_number(&recipe, "WW_TILE_BITS", p.tile_bits);
    ww__recipe_number(&recipe, "WW_EACH_BITS", p.each_bits);
    ww__recipe_number(&recipe, "WW_SHUFFLED", p.shuffled);
    ww__recipe_number(&recipe, "WW_TEAMS", p.teams);
    ww__recipe_number(&recipe, "WW_VECTOR", p.vector);
    ww__recipe_number(&recipe, "WW_VECTORS", p.vector > 1);
    ww__recipe_number(&recipe, "WW_HELD", p.held);
    const tiles_arguments fixed = {.heads = r->heads,
                                   .tails = r->tails,
                                   .heads_out = r->heads_out,
                                   .tails_out = r->tails_out,
                                   .tiles = tiles,
                                   .row_bits = p.row_bits,
                                   .checking = *checking};
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch(device, &recipe, check ? "check_tiles" : "move_tiles", ww__blocks(tiles, p.teams),
                          p.team * p.teams, p.shared, &a);
}

/* What the host remembers of a call is one number: a tile's items, and a row's behind them. */
enum { ROW_BITS_AT = 32 };

static ww_status say_label(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    return ww__tiles_say(device, WW__TILES_PARTITION, (uint32_t)call->limit, call->limit >> ROW_BITS_AT, position,
                         value);
}
static ww_status say_place(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    return ww__tiles_say(device, WW__TILES_PERMUTE, (uint32_t)call->limit, 1, position, value);
}

ww_status ww__tiles_gpu(ww_device *device, const ww__tiles_request *r) {
    ww__gpu_checking checking = {NULL, 0};
    if (r->kind != WW__TILES_SORT) {
        WW_TRY(ww__gpu_checking_begin(device, r->kind == WW__TILES_PERMUTE ? say_place : say_label, NULL,
                                      r->row << ROW_BITS_AT | r->tile, &checking));
        WW_TRY(launch(device, r, true, &checking));
    }
    return launch(device, r, false, &checking);
}

ww_status ww__tiles_transpose_gpu(ww_device *device, const ww__tiles_matrices *m) {
    const ww__tiles t = device->gpu->driver->tiles;
    const uint64_t tile = m->rows * m->columns, tiles = m->n / tile;
    const uint32_t team = smaller(larger((uint32_t)(tile / tuning[t].transposed_each), WARP), tuning[t].threads_most);
    const uint32_t teams = larger(tuning[t].threads_least / team, 1);
    const size_t shared = teams * tile * m->size;
    WW_CHECK(device, shared <= device->gpu->driver->shared_most, WW_LIMIT,
             "tiles of %llu times %zu bytes take %zu bytes of shared memory, and a block of this GPU has %zu",
             (ull)tile, m->size, shared, device->gpu->driver->shared_most);
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "banked/tiles_transpose.cu");
    ww__recipe_number(&recipe, "WW_SIZE", m->size);
    ww__recipe_number(&recipe, "WW_ROW_BITS", bits_of(m->rows));
    ww__recipe_number(&recipe, "WW_COLUMN_BITS", bits_of(m->columns));
    ww__recipe_number(&recipe, "WW_TEAM", team);
    ww__recipe_number(&recipe, "WW_TEAMS", teams);
    const transpose_arguments fixed = {.in = m->in, .out = m->out, .tiles = tiles};
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch(device, &recipe, "transpose_tiles", ww__blocks(tiles, teams), team * teams, shared, &a);
}
