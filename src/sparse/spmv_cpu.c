/* A sparse matrix times vectors on a CPU. Rows' ends and entries in one order, as they are met going through the matrix (the merge path),
 * are cut into tiles of TILE of them; workers claim PIECE_TILES at a time. A tile adds up the rows that end in it, and what
 * it has of the one after. A row that begins in an earlier tile leaves its sums in `head`, what stays open at a tile's end goes to
 * `carry`; when all tiles are done those rows are put together, in the order of the tiles. Each input is read once, y written once.
 *
 * Offsets are checked where they are used. The search for a piece's begin depends on nothing but the offsets, so that the pieces' rows
 * cover all rows even where offsets are not in order: then some tile sees it. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"
#include "sparse/sides.h"
#include "sparse/spmv_loops.h"

enum { TILE = 4096, PIECE_TILES = 8, PREFETCHED_BYTES = 1 << 19 };

/* In place of a tile's head: it has none; it ends no row, and what is open stays so. */
static const uint64_t HAS_NONE = UINT64_MAX, ENDS_NONE = UINT64_MAX - 1;

typedef struct spmv {
    const ww_device *device;
    const ww__spmv_request *r;
    const ww__spmv_loops *loops;
    const void *offsets;
    uint64_t base, entries, tiles, most; /* base: the first entry; entries: from there on; most: the largest good offset */
    size_t sum;                          /* bytes of a row's sums */
    unsigned char *carry, *head;         /* `sum` bytes a tile */
    uint64_t *head_row;                  /* the row whose sums a tile's head is */
    bool fetches;                        /* x is larger than caches that are near */
    bool ones;                           /* all values are 1 */
    unsigned char *buffers;
    size_t values_room, columns_room, room;
    ww__spmv_faults *faults;
    uint64_t next;
} spmv;

static uint64_t offset_at(const spmv *s, uint64_t row) {
    return s->r->offsets->size == 8 ? ((const uint64_t *)s->offsets)[row] : ((const uint32_t *)s->offsets)[row];
}

/* How many rows have ended before a place of the path, if it is from low to high: row r's end is at place
 * offsets[r + 1] - base + r. */
static uint64_t rows_before(const spmv *s, uint64_t place, uint64_t low, uint64_t high) {
    if (place > s->entries && low < place - s->entries) low = place - s->entries;
    high = ww__min_u64(high, place);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (offset_at(s, middle + 1) - s->base + middle < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first offset from that of `row` on that is below the one before it, or too large. */
static void find_bad_offset(spmv *s, uint64_t row, uint64_t rows) {
    for (uint64_t r = row; r < row + rows; r++) {
        const uint64_t next = offset_at(s, r + 1);
        if (next >= offset_at(s, r) && next <= s->most) continue;
        ww__fault_at(&s->faults->offset, r + 1);
        return;
    }
}

/* Whether all columns are inside. */
static bool columns_inside(spmv *s, const void *columns, uint64_t first, size_t n) {
    const size_t size = s->r->columns->size;
    const uint64_t limit = ww__index_limit(s->r->columns, s->r->width);
    if (!n || ww__spmv_largest(s->device, columns, size, n) < limit) return true;
    for (size_t i = 0; i < n; i++) {
        const uint64_t at = size == 8 ? ((const uint64_t *)columns)[i] : ((const uint32_t *)columns)[i];
        if (at < limit) continue;
        ww__fault_at(&s->faults->column, first + i);
        return false;
    }
    return false;
}

/* Asks for what a tile reads at random: all of it at once, without waiting for sums or guessing where rows end. */
static void fetch(const spmv *s, const void *columns, size_t n) {
    const unsigned char *const x = s->r->x;
    if (s->r->columns->size == 8)
        for (size_t i = 0; i < n; i++) __builtin_prefetch(x + ((const uint64_t *)columns)[i] * s->sum);
    else
        for (size_t i = 0; i < n; i++) __builtin_prefetch(x + ((const uint32_t *)columns)[i] * s->sum);
}

static void put(const spmv *s, uint64_t row, const void *sums, uint64_t rows) {
    const ww__spmv_request *r = s->r;
    s->loops->put((unsigned char *)r->y->data + row * s->sum, sums, (size_t)(rows * r->vectors),
                  r->scaled ? r->alpha : NULL, r->accumulates ? r->beta : NULL);
}

/* Rows first_row … last_row - 1 end in the tile, whose entries are first … last - 1. */
static void add_up_tile(spmv *s, uint64_t tile, uint64_t first_row, uint64_t last_row, uint64_t first, uint64_t last,
                        unsigned char *buffer) {
    const size_t rows = (size_t)(last_row - first_row), n = (size_t)(last - first);
    const ww__spmv_request *r = s->r;
    const size_t offset_size = r->offsets->size;
    unsigned char *const sums = buffer + ww__round_up((TILE + 1) * sizeof(uint32_t), 64);
    unsigned char *const values_buffer = sums + ww__round_up((TILE + 1) * s->sum, 64);
    uint32_t *const end = (uint32_t *)(void *)buffer;
    const void *const offsets = (const unsigned char *)s->offsets + (first_row + 1) * offset_size;
    const bool begun = rows && offset_at(s, first_row) < s->base + first;
    s->head_row[tile] = rows ? HAS_NONE : ENDS_NONE;
    if (!ww__spmv_ends(s->device, end, offsets, offset_size, rows, s->base + first, s->base + first, s->base + last) ||
        (rows && offset_at(s, first_row) > offset_at(s, first_row + 1))) {
        find_bad_offset(s, first_row, rows);
        return;
    }
    end[rows] = (uint32_t)n;
    const void *const columns =
        n ? ww__input_read(s->device, r->columns, s->base + first, n, values_buffer + s->values_room) : NULL;
    if (!columns_inside(s, columns, s->base + first, n)) return;
    if (s->fetches && r->vectors > 1) fetch(s, columns, n);
    const void *const values =
        n && !s->ones ? ww__input_read(s->device, r->values, s->base + first, n, values_buffer) : NULL;
    const ww__spmv_run run = {values, columns, r->x, end, rows + 1, r->vectors, sums, s->fetches};
    (r->vectors == 1 ? s->loops->one : s->loops->many)(&run);
    memcpy(s->carry + tile * s->sum, sums + rows * s->sum, s->sum);
    if (begun) {
        memcpy(s->head + tile * s->sum, sums, s->sum);
        s->head_row[tile] = first_row;
    }
    if (rows > begun) put(s, first_row + begun, sums + begun * s->sum, rows - begun);
}

static void add_up_piece(spmv *s, uint64_t piece, unsigned char *buffer) {
    const uint64_t all = s->r->rows + s->entries, first_tile = piece * PIECE_TILES;
    const uint64_t end_tile = ww__min_u64(first_tile + PIECE_TILES, s->tiles);
    uint64_t place = first_tile * TILE, row = rows_before(s, place, 0, s->r->rows);
    const uint64_t last_row = rows_before(s, ww__min_u64(end_tile * TILE, all), 0, s->r->rows);
    for (uint64_t t = first_tile; t < end_tile; t++) {
        const uint64_t next_place = ww__min_u64(place + TILE, all);
        const uint64_t next =
            t + 1 == end_tile ? last_row : rows_before(s, next_place, row, ww__min_u64(row + TILE, last_row));
        if (next < row || next > last_row || next_place - next < place - row || next_place - next > s->entries) {
            if (row < last_row) find_bad_offset(s, row, last_row - row); /* or other pieces find it */
            return;
        }
        add_up_tile(s, t, row, next, place - row, next_place - next, buffer);
        row = next;
        place = next_place;
    }
}

static void add_up_pieces(void *argument, size_t worker) {
    spmv *s = argument;
    const uint64_t pieces = (s->tiles + PIECE_TILES - 1) / PIECE_TILES;
    for (uint64_t piece; (piece = ww__claim(&s->next)) < pieces;)
        add_up_piece(s, piece, s->buffers + worker * s->room);
}

/* Rows of several tiles: what is open at a tile's end, with all of the tiles that end no row, and at last a head. */
static void put_long_rows(const spmv *s) {
    unsigned char *open = s->carry;
    for (uint64_t t = 0; t < s->tiles; t++) {
        unsigned char *const carry = s->carry + t * s->sum;
        if (s->head_row[t] == ENDS_NONE) {
            if (open != carry) s->loops->add(open, carry, (size_t)s->r->vectors);
            continue;
        }
        if (s->head_row[t] != HAS_NONE) {
            s->loops->add(open, s->head + t * s->sum, (size_t)s->r->vectors);
            put(s, s->head_row[t], open, 1);
        }
        open = carry;
    }
}

/* Whether a graph stands there: a matrix whose values are a constant, 1. */
static bool are_ones(const ww_device *device, const ww_input *values) {
    unsigned char room[64] __attribute__((aligned(64)));
    if (values->steps != 1 || values->kind[0] != WW_STEP_CONSTANT) return false;
    const void *const value = ww__input_read(device, values, 0, 1, room);
    if (values->type->kind != WW_KIND_FLOAT)
        return values->size == 4 ? *(const uint32_t *)value == 1 : *(const uint64_t *)value == 1;
    return values->size == 4 ? *(const float *)value == 1.0F : *(const double *)value == 1.0;
}

static ww_status prepare(spmv *s, size_t workers) {
    ww_device *const device = (ww_device *)(uintptr_t)s->device;
    const ww__spmv_request *r = s->r;
    s->values_room = ww__round_up(ww__input_room(r->values, TILE), 64);
    s->columns_room = ww__round_up(ww__input_room(r->columns, TILE), 64);
    s->room = ww__round_up((TILE + 1) * sizeof(uint32_t), 64) + ww__round_up((TILE + 1) * s->sum, 64) +
              s->values_room + s->columns_room;
    WW_TRY(ww__scratch_array(device, s->tiles, s->sum, &s->carry));
    WW_TRY(ww__scratch_array(device, s->tiles, s->sum, &s->head));
    WW_TRY(ww__scratch_array(device, s->tiles, sizeof *s->head_row, &s->head_row));
    return ww__scratch_array(device, workers, s->room, &s->buffers);
}

ww_status ww__spmv_cpu(ww_device *device, const ww__spmv_request *r, ww__spmv_faults *faults) {
    const size_t sum = r->values->size * (size_t)r->vectors;
    spmv s = {.device = device, .r = r, .sum = sum, .faults = faults, .entries = r->values->count};
    s.loops = ww__spmv_loops_of(device, r->values->type, r->columns->size);
    s.most = ww__offset_most(r->offsets, r->values->count);
    s.ones = r->vectors == 1 && r->values->count && are_ones(device, r->values);
    s.fetches = r->width * sum > PREFETCHED_BYTES;
    WW_TRY(ww__input_in_memory(device, r->offsets, &s.offsets));
    if (!device->on_paper) {
        s.base = offset_at(&s, 0);
        const uint64_t end = offset_at(&s, r->rows);
        if (s.base > s.most) {
            ww__fault_at(&faults->offset, 0);
            return WW_OK;
        }
        if (end < s.base || end > s.most) {
            find_bad_offset(&s, 0, r->rows);
            return WW_OK;
        }
        s.entries = end - s.base;
    }
    s.tiles = (r->rows + s.entries + TILE - 1) / TILE;
    const uint64_t bytes = s.entries * (r->values->size + r->columns->size) + r->rows * (sum + r->offsets->size);
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "merge path", NULL, s.entries, bytes, workers);
    WW_TRY(prepare(&s, workers));
    ww__parallel(device, workers, add_up_pieces, &s);
    if (!device->on_paper && faults->offset.position == UINT64_MAX && faults->column.position == UINT64_MAX)
        put_long_rows(&s);
    return WW_OK;
}
