/* Tiles on a CPU: workers claim pieces of whole tiles, and each is worked on in the worker's memory, in cache, so that
 * outputs may be the inputs. A cache has no banks to keep apart: tiles are sorted by the radix sort's leaf, or by vectors,
 * and items whose places are known go there one by one. Labels and places are counted before anything is written. */
#include "banked/tiles.h"
#include "device/cpu/parallel.h"
#include "function/check.h"
#include "radix/network_leaf.h"
#include "radix/radix.h"

enum { PIECE_BYTES = 1 << 16, LINE = 64, BLOCK = 16 /* rows and columns that are transposed together */ };

/* Items of the caller's, whatever numbers they are. */
typedef uint32_t word32 __attribute__((may_alias));
typedef uint64_t word64 __attribute__((may_alias));

typedef struct working {
    ww_device *device;
    const ww__tiles_request *r;
    const ww__tiles_matrices *m;
    uint64_t tiles, piece, next; /* piece: tiles that a worker claims at once */
    unsigned char *desks;
    size_t desk_bytes, workers;
    ww__fault fault; /* the lowest tile whose labels are wrong */
    /* of a sort */
    const ww__radix_loops *loops, *by_tail; /* by_tail: of tails as keys */
    ww__network_leaf *network;
    ww__radix_order order;
} working;

static ww_status begin(working *w, uint64_t n, uint64_t tile, size_t item, size_t desk_bytes) {
    w->tiles = n / tile;
    w->piece = PIECE_BYTES / (tile * item) + 1;
    w->workers = ww__workers(w->device, n * item);
    w->desk_bytes = ww__round_up(desk_bytes, LINE);
    return ww__scratch_array(w->device, w->workers, w->desk_bytes, &w->desks);
}

typedef void tile_task(working *w, uint64_t tile, unsigned char *desk);

static void for_each_tile(working *w, size_t worker, tile_task *task) {
    for (uint64_t first; (first = ww__claim(&w->next) * w->piece) < w->tiles;)
        for (uint64_t t = first; t < w->tiles && t < first + w->piece; t++)
            task(w, t, w->desks + worker * w->desk_bytes);
}

/* ---- sorting ---- */

enum { TABLE_BYTES = 2 * WW__RADIX_LEAF_BUCKETS * sizeof(uint32_t) };

static bool joined(const ww__tiles_request *r) { return r->head_size == 4 && r->tail_size == 4; }

/* Where a worker has tables or slots, and two buffers. */
static size_t table_bytes(const working *w) { return w->network ? (size_t)WW__NETWORK_SLOTS : (size_t)TABLE_BYTES; }

static void sort_numbers(const working *w, void *first, void *second, size_t n, size_t size, unsigned char *desk) {
    const ww__radix_leaf leaf = {.keys = {first, second}, .tables = (uint32_t *)(void *)desk};
    if (w->network)
        w->network(leaf.keys, 1, n, ww__radix_ones((unsigned)(8 * size)), desk);
    else
        w->loops->leaf(&leaf, 1, n, ww__radix_ones((unsigned)(8 * size)));
}

static void sort_keys(working *w, uint64_t tile, unsigned char *desk) {
    const ww__tiles_request *r = w->r;
    const size_t bytes = r->tile * r->head_size;
    unsigned char *const out = (unsigned char *)r->heads_out + tile * bytes;
    w->loops->arrange(out, (const unsigned char *)r->heads + tile * bytes, r->tile, &w->order);
    sort_numbers(w, desk + table_bytes(w), out, r->tile, r->head_size, desk);
    w->loops->restore(out, r->tile, &w->order);
}

/* A key's number and a value as one number. */
static void sort_joined(working *w, uint64_t tile, unsigned char *desk) {
    const ww__tiles_request *r = w->r;
    const word32 *keys = (const word32 *)r->heads + tile * r->tile, *values = (const word32 *)r->tails + tile * r->tile;
    word32 *const keys_out = (word32 *)r->heads_out + tile * r->tile, *const values_out = (word32 *)r->tails_out +
                                                                                          tile * r->tile;
    uint64_t *const room = (uint64_t *)(void *)(desk + table_bytes(w)), *const pairs = room + r->tile;
    const uint32_t flip = (uint32_t)w->order.flip, fold = (uint32_t)w->order.fold;
    for (uint64_t i = 0; i < r->tile; i++)
        pairs[i] = (uint64_t)WW_KEY_NUMBER(uint32_t, keys[i], flip, fold) << 32 | values[i];
    sort_numbers(w, room, pairs, r->tile, sizeof *pairs, desk);
    for (uint64_t i = 0; i < r->tile; i++) {
        keys_out[i] = (uint32_t)(pairs[i] >> 32);
        values_out[i] = (uint32_t)pairs[i];
    }
    ww__radix_loops_of(4, 0)->restore(keys_out, r->tile, &w->order);
}

/* By values, then stably by keys. */
static void sort_pairs(working *w, uint64_t tile, unsigned char *desk) {
    const ww__tiles_request *r = w->r;
    const size_t head_bytes = r->tile * r->head_size, tail_bytes = r->tile * r->tail_size;
    unsigned char *const keys = desk + TABLE_BYTES, *const values = keys + head_bytes;
    unsigned char *const keys_out = (unsigned char *)r->heads_out + tile * head_bytes,
                         *const values_out = (unsigned char *)r->tails_out + tile * tail_bytes;
    uint32_t *const tables = (uint32_t *)(void *)desk;
    w->loops->arrange(keys, (const unsigned char *)r->heads + tile * head_bytes, r->tile, &w->order);
    memcpy(values, (const unsigned char *)r->tails + tile * tail_bytes, tail_bytes);
    w->by_tail->leaf(&(ww__radix_leaf){{values, values_out}, {keys, keys_out}, tables}, 0, r->tile,
                     ww__radix_ones((unsigned)(8 * r->tail_size)));
    w->loops->leaf(&(ww__radix_leaf){{keys, keys_out}, {values, values_out}, tables}, 1, r->tile,
                   ww__radix_ones((unsigned)(8 * r->head_size)));
    w->loops->restore(keys_out, r->tile, &w->order);
}

static void sort_tiles(void *argument, size_t worker) {
    working *w = argument;
    for_each_tile(w, worker, !w->r->tail_size ? sort_keys : joined(w->r) ? sort_joined : sort_pairs);
}

static ww_status sort(working *w) {
    const ww__tiles_request *r = w->r;
    const size_t item = r->head_size + r->tail_size, number = joined(r) ? item : r->head_size;
    w->order = ww__radix_order_from(r->order, false, r->head_size);
    w->loops = ww__radix_loops_of(number, joined(r) ? 0 : r->tail_size);
    w->by_tail = joined(r) ? w->loops : ww__radix_loops_of(r->tail_size, r->head_size);
    if (!r->tail_size || joined(r)) w->network = ww__network_leaf_of(w->device->vector, number);
    WW_CHECK(w->device, w->loops && (!r->tail_size || w->by_tail), WW_UNSUPPORTED, "sorts no keys of %zu bytes here",
             r->head_size);
    WW_TRY(begin(w, r->n, r->tile, item, table_bytes(w) + 2 * r->tile * item));
    ww__trace(w->device, "tiles", NULL, r->n, r->n * item, w->workers);
    ww__parallel(w->device, w->workers, sort_tiles, w);
    return WW_OK;
}

/* ---- labels and places ---- */

/* How many of a tile's items each label is on; those that are none are not counted. */
static void count_labels(const working *w, uint64_t tile, uint32_t *counts) {
    const ww__tiles_request *r = w->r;
    const word32 *labels = (const word32 *)r->heads + tile * r->tile;
    const uint64_t buckets = r->tile / r->row;
    memset(counts, 0, buckets * sizeof *counts);
    for (uint64_t i = 0; i < r->tile; i++)
        if (labels[i] < buckets) counts[labels[i]]++;
}

/* The lowest label that is on another number of items than it has to be; the number of buckets where there is none. */
static uint64_t wrong_label(const working *w, uint64_t tile, uint32_t *counts) {
    const uint64_t buckets = w->r->tile / w->r->row;
    count_labels(w, tile, counts);
    for (uint64_t b = 0; b < buckets; b++)
        if (counts[b] != w->r->row) return b;
    return buckets;
}

static void check_tile(working *w, uint64_t tile, unsigned char *desk) {
    if (wrong_label(w, tile, (uint32_t *)(void *)desk) < w->r->tile / w->r->row) ww__fault_at(&w->fault, tile);
}

static void check_tiles(void *argument, size_t worker) { for_each_tile(argument, worker, check_tile); }

static ww_status say(const working *w) {
    const ww__tiles_request *r = w->r;
    uint32_t *const counts = (uint32_t *)(void *)w->desks;
    const uint64_t label = wrong_label(w, w->fault.position, counts), first = w->fault.position * r->tile;
    if (counts[label] < r->row)
        return ww__tiles_say(w->device, r->kind, r->tile, r->row, first + label * r->row + counts[label], label + 1);
    return ww__tiles_say(w->device, r->kind, r->tile, r->row, first + (label + 1) * r->row, label);
}

/* Moves a tile's items by their labels, of which `next` says where the next item goes; by way of `room`. */
#define MOVE_ITEMS(NAME, WORD) \
    static void NAME(const ww__tiles_request *r, uint64_t tile, uint32_t *next, void *room) { \
        const word32 *labels = (const word32 *)r->heads + tile * r->tile; \
        const WORD *in = (const WORD *)r->tails + tile * r->tile; \
        WORD *const moved = room; \
        for (uint64_t i = 0; i < r->tile; i++) moved[next[labels[i]]++] = in[i]; \
        memcpy((WORD *)r->tails_out + tile * r->tile, moved, r->tile * sizeof *moved); \
    }
MOVE_ITEMS(move_32, word32)
MOVE_ITEMS(move_64, word64)

static void move_tile(working *w, uint64_t tile, unsigned char *desk) {
    const ww__tiles_request *r = w->r;
    uint32_t *const next = (uint32_t *)(void *)desk;
    for (uint64_t b = 0; b < r->tile / r->row; b++) next[b] = (uint32_t)(b * r->row);
    (r->tail_size == 4 ? move_32 : move_64)(r, tile, next, desk + r->tile * sizeof *next);
}

static void move_tiles(void *argument, size_t worker) { for_each_tile(argument, worker, move_tile); }

static ww_status move(working *w) {
    const ww__tiles_request *r = w->r;
    const size_t item = r->head_size + r->tail_size;
    WW_TRY(begin(w, r->n, r->tile, item, r->tile * item));
    ww__trace(w->device, "tiles", NULL, r->n, r->n * (item + r->head_size), w->workers);
    ww__fault_clear(&w->fault);
    ww__parallel(w->device, w->workers, check_tiles, w);
    if (w->fault.position != UINT64_MAX) return say(w);
    w->next = 0;
    ww__parallel(w->device, w->workers, move_tiles, w);
    return WW_OK;
}

ww_status ww__tiles_cpu(ww_device *device, const ww__tiles_request *r) {
    working w = {.device = device, .r = r};
    return r->kind == WW__TILES_SORT ? sort(&w) : move(&w);
}

/* ---- transposing ---- */

#define TRANSPOSE(NAME, WORD) \
    static void NAME(const ww__tiles_matrices *m, uint64_t tile, void *room) { \
        const uint64_t rows = m->rows, columns = m->columns, items = rows * columns; \
        const WORD *in = (const WORD *)m->in + tile * items; \
        WORD *const to = room; \
        for (uint64_t first = 0; first < rows; first += BLOCK) \
            for (uint64_t begin = 0; begin < columns; begin += BLOCK) \
                for (uint64_t c = begin; c < columns && c < begin + BLOCK; c++) \
                    for (uint64_t r = first; r < rows && r < first + BLOCK; r++) \
                        to[c * rows + r] = in[r * columns + c]; \
        memcpy((WORD *)m->out + tile * items, to, items * sizeof *to); \
    }
TRANSPOSE(transpose_32, word32)
TRANSPOSE(transpose_64, word64)

static void transpose_tile(working *w, uint64_t tile, unsigned char *desk) {
    (w->m->size == 4 ? transpose_32 : transpose_64)(w->m, tile, desk);
}

static void transpose_tiles(void *argument, size_t worker) { for_each_tile(argument, worker, transpose_tile); }

ww_status ww__tiles_transpose_cpu(ww_device *device, const ww__tiles_matrices *m) {
    working w = {.device = device, .m = m};
    const uint64_t tile = m->rows * m->columns;
    WW_TRY(begin(&w, m->n, tile, m->size, tile * m->size));
    ww__trace(device, "tiles", NULL, m->n, m->n * m->size, w.workers);
    ww__parallel(device, w.workers, transpose_tiles, &w);
    return WW_OK;
}
