/* Scattering. Two threads may not write one place, and which of several elements wins may not depend on the
 * threads. So the places are dealt out: `to` is cut into blocks, a block belongs to one worker, and every worker
 * goes through the whole index, in order, and moves the elements whose places are its own. All policies give the
 * same bytes for any number of threads, floats too; the price is that each thread reads the index, and the lines of
 * the input that it takes elements from. Blocks are dealt out by a hash, so that no worker has all of a busy part
 * of `to`.
 *
 * Only where any element may win, and an element can be stored at once, the input is dealt out instead, and each
 * worker writes what it finds, by relaxed atomic stores.
 *
 * A tile goes through three loops: which indices are mine (vectorised), their places and positions without the
 * others', the moves, with the places fetched ahead. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/columns.h"
#include "function/function.h"
#include "primitive/gather/move.h"
#include "primitive/gather/scatter_combine.h"
#include "primitive/gather/sides.h"

enum { TILE = 1024, TILES_A_PIECE = 16, BLOCK_BYTES = 4096, LINE = 64, BLOCKS_A_WORKER = 16 };

typedef struct scattering {
    const ww_device *device;
    const ww_input *in, *index;
    const ww__into *members; /* or NULL: the elements are whole */
    const ww_array *to;      /* one array, or one for each member */
    uint32_t arrays;
    ww__place_loop *place[WW_ZIP_MOST];
    size_t workers, tile;
    bool dealt_out;        /* the places are; else the input is */
    uint32_t shift;        /* a block has 2^shift elements */
    unsigned char *memory; /* `room` bytes a worker */
    size_t room, in_room, index_room;
    uint64_t limit, next;
    ww__fault *fault;
} scattering;

/* A worker's arrays for one tile. */
typedef struct tile_arrays {
    uint64_t *places;
    uint32_t *positions;
    uint8_t *mine;
    unsigned char *buffer;
} tile_arrays;

/* ---- which indices are mine ---- */

/* mine[i] = whether index[i] is below limit and its block is worker me's; returns whether all are below the limit. */
typedef bool mine_loop(uint8_t *mine, const void *index, size_t n, uint64_t limit, uint32_t shift, uint32_t workers,
                       uint32_t me);

#define MINE(width, T) \
    WW__LOOP(width) \
    bool mine_##T##_##width(uint8_t *WW__R mine, const void *index, size_t n, uint64_t limit, uint32_t shift, \
                            uint32_t workers, uint32_t me) { \
        const T *WW__R x = index; \
        const T most = limit - 1 < (T) ~(T)0 ? (T)(limit - 1) : (T) ~(T)0; \
        uint32_t bad = 0; \
        for (size_t i = 0; i < n; i++) { \
            const uint32_t hash = (uint32_t)(x[i] >> shift) * 2654435761u; \
            const uint32_t owner = (uint32_t)((uint64_t)hash * workers >> 32); \
            const uint32_t above = x[i] > most; \
            bad |= above; \
            mine[i] = (uint8_t)((owner == me) & (above ^ 1)); \
        } \
        return !bad; \
    }

/* The places and positions of the elements that are mine; returns how many. all: every element is. */
typedef size_t keep_loop(const tile_arrays *t, const void *index, size_t n, bool all);

#define KEEP(width, T) \
    WW__LOOP(width) size_t keep_##T##_##width(const tile_arrays *t, const void *index, size_t n, bool all) { \
        const T *WW__R x = index; \
        uint64_t *WW__R places = t->places; \
        uint32_t *WW__R positions = t->positions; \
        const uint8_t *WW__R mine = t->mine; \
        size_t kept = 0; \
        if (all) { \
            for (size_t i = 0; i < n; i++) { \
                places[i] = x[i]; \
                positions[i] = (uint32_t)i; \
            } \
            return n; \
        } \
        for (size_t i = 0; i < n; i++) { \
            places[kept] = x[i]; \
            positions[kept] = (uint32_t)i; \
            kept += mine[i]; \
        } \
        return kept; \
    }

typedef struct index_loops {
    mine_loop *mine;
    keep_loop *keep;
} index_loops;

/* clang-format off */
#define INDEX_LOOPS(width, unused) \
    MINE(width, uint32_t) MINE(width, uint64_t) KEEP(width, uint32_t) KEEP(width, uint64_t) \
    static const index_loops ww__loops_index_##width[2] = {{mine_uint32_t_##width, keep_uint32_t_##width}, \
                                                           {mine_uint64_t_##width, keep_uint64_t_##width}};
/* clang-format on */
WW__EACH_WIDTH(INDEX_LOOPS, 0)
static const index_loops (*const loops_by_width[WW_VECTORS])[2] = WW__TABLES(index);

/* ---- moving ---- */

#define PLACE(name, bytes, MOVE) \
    static void place_##name(unsigned char *to, const unsigned char *in, const uint64_t *places, \
                             const uint32_t *positions, size_t n, size_t given) { \
        const size_t size = bytes, ahead = ww__move_ahead(size); \
        size_t i = 0; \
        (void)given; \
        for (; i + ahead < n; i++) { \
            WW__MOVE_FETCH(to + places[i + ahead] * size, size, 1); \
            MOVE(to + places[i] * size, in + positions[i] * size, size); \
        } \
        for (; i < n; i++) MOVE(to + places[i] * size, in + positions[i] * size, size); \
    }
WW__EACH_MOVE(PLACE)
#define LISTED(name, bytes, MOVE) place_##name,
static ww__place_loop *const place_by_move[] = {WW__EACH_MOVE(LISTED)};

/* Elements that are stored at once. `to` is aligned. */
#define PLACE_ANY(bits) \
    typedef uint##bits##_t __attribute__((may_alias)) any_##bits; \
    static void place_any_##bits(unsigned char *to, const unsigned char *in, const uint64_t *places, \
                                 const uint32_t *positions, size_t n, size_t size) { \
        enum { AHEAD = 32 }; \
        (void)size; \
        any_##bits *t = (any_##bits *)(void *)to; \
        for (size_t i = 0; i < n; i++) { \
            any_##bits x; \
            if (i + AHEAD < n) __builtin_prefetch(t + places[i + AHEAD], 1); \
            memcpy(&x, in + positions[i] * sizeof x, sizeof x); \
            __atomic_store_n(t + places[i], x, __ATOMIC_RELAXED); \
        } \
    }
PLACE_ANY(8)
PLACE_ANY(16)
PLACE_ANY(32)
PLACE_ANY(64)

/* The loop that stores elements of a size at once, or NULL where there is none. */
static ww__place_loop *stored_at_once(const ww_array *to) {
    const bool aligned = (uintptr_t)to->data % to->size == 0;
    switch (aligned ? to->size : 0) {
    case 1:
        return place_any_8;
    case 2:
        return place_any_16;
    case 4:
        return place_any_32;
    case 8:
        return place_any_64;
    }
    return NULL;
}

/* ---- tiles ---- */

static tile_arrays arrays_of(const scattering *s, size_t worker) {
    unsigned char *memory = s->memory + worker * s->room;
    tile_arrays t;
    t.places = (uint64_t *)(void *)memory;
    t.positions = (uint32_t *)(void *)(memory + s->tile * sizeof *t.places);
    t.mine = memory + s->tile * (sizeof *t.places + sizeof *t.positions);
    t.buffer = memory + ww__round_up(s->tile * (sizeof *t.places + sizeof *t.positions + sizeof *t.mine), 64);
    return t;
}

static void find_fault(const scattering *s, const void *index, uint64_t first, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = s->index->size == 4 ? ((const uint32_t *)index)[i] : ((const uint64_t *)index)[i];
        if (x < s->limit) continue;
        ww__fault_at(s->fault, first + i);
        return;
    }
}

/* A tile's members become columns, behind its index in the buffer, and each goes to its array. */
static void place_members(const scattering *s, const tile_arrays *t, const unsigned char *in, size_t n, size_t kept) {
    unsigned char *at = t->buffer + s->in_room + s->index_room;
    void *column[WW_ZIP_MOST];
    size_t size[WW_ZIP_MOST];
    for (uint32_t k = 0; k < s->arrays; k++) {
        size[k] = s->to[k].size;
        column[k] = at;
        at += ww__round_up(n * size[k], 64);
    }
    ww__take_apart(s->device, column, size, s->members->at, s->arrays, in, s->in->size, n);
    for (uint32_t k = 0; k < s->arrays; k++)
        s->place[k](s->to[k].data, column[k], t->places, t->positions, kept, size[k]);
}

/* Moves what is worker me's of a tile; all of it when me is the only one of `workers`. */
static void scatter_tile(const scattering *s, const tile_arrays *t, uint64_t first, size_t n, uint32_t workers,
                         uint32_t me) {
    const index_loops *loops = &(*loops_by_width[s->device->vector])[s->index->size == 8];
    const unsigned char *in = ww__input_read(s->device, s->in, first, n, t->buffer);
    const void *index = ww__input_read(s->device, s->index, first, n, t->buffer + s->in_room);
    const bool good = loops->mine(t->mine, index, n, s->limit, s->shift, workers, me);
    if (!good) find_fault(s, index, first, n);
    const size_t kept = loops->keep(t, index, n, good && workers == 1);
    if (s->members)
        place_members(s, t, in, n, kept);
    else
        s->place[0](s->to->data, in, t->places, t->positions, kept, s->to->size);
}

static void scatter_pieces(void *argument, size_t worker) {
    scattering *s = argument;
    const tile_arrays t = arrays_of(s, worker);
    const uint64_t count = s->index->count, piece = s->dealt_out ? count : (uint64_t)s->tile * TILES_A_PIECE;
    const uint32_t workers = s->dealt_out ? (uint32_t)s->workers : 1, me = s->dealt_out ? (uint32_t)worker : 0;
    for (uint64_t first = 0; s->dealt_out ? first < count : (first = ww__claim(&s->next) * piece) < count;) {
        const uint64_t end = ww__min_u64(first + piece, count);
        for (; first < end; first += s->tile)
            scatter_tile(s, &t, first, (size_t)ww__min_u64(s->tile, end - first), workers, me);
    }
}

/* Blocks of 4 KiB; of less, where each worker would get few of them; but of a whole line, which two do not share: of the array whose
 * elements are smallest. */
static uint32_t block_shift(const scattering *s) {
    uint64_t size = s->to->size;
    uint32_t shift = 0;
    for (uint32_t k = 1; k < s->arrays; k++) size = ww__min_u64(size, s->to[k].size);
    while (size << shift < LINE ||
           (size << shift < BLOCK_BYTES && s->to->count >> shift > s->workers * BLOCKS_A_WORKER))
        shift++;
    return shift;
}

/* Whether any order of stores is right. A store of a struct's members is none of an element as a whole. */
static bool may_be_stored_at_once(const scattering *s, ww_conflict conflict) {
    bool all = conflict == WW_CONFLICT_UNIQUE || (conflict == WW_CONFLICT_ANY && !s->members);
    for (uint32_t k = 0; k < s->arrays; k++) all = all && stored_at_once(&s->to[k]);
    return all;
}

static size_t columns_room(const scattering *s) {
    size_t room = 0;
    for (uint32_t k = 0; s->members && k < s->arrays; k++) room += ww__round_up(s->tile * s->to[k].size, 64);
    return room;
}

ww_status ww__scatter_cpu(ww_device *device, const ww__scatter_request *r, ww__fault *fault) {
    static const char *const methods[] = {"last", "any", "add", "min", "max", "unique"};
    const ww_input *const in = r->in, *const index = r->index;
    const ww_array *const to = r->members ? r->members->array : r->to;
    const ww_conflict conflict = r->conflict;
    scattering s = {.device = device, .in = in, .index = index, .members = r->members, .to = to, .fault = fault};
    const uint64_t bytes = in->count * (2 * (uint64_t)in->size + index->size);
    s.arrays = r->members ? r->members->many : 1;
    if (!to->count) {
        if (index->count) ww__fault_at(fault, 0);
        return WW_OK;
    }
    s.limit = ww__index_limit(index, to->count);
    s.workers = ww__workers(device, bytes);
    s.tile = ww__tile(in->size) < TILE ? ww__tile(in->size) : TILE;
    s.shift = block_shift(&s);
    s.dealt_out = !may_be_stored_at_once(&s, conflict);
    for (uint32_t k = 0; k < s.arrays; k++)
        s.place[k] = ww__conflict_combines(conflict) ? ww__combine_loop(conflict, to->type)
                     : s.dealt_out                   ? place_by_move[ww__move_of(to[k].size)]
                                                     : stored_at_once(&to[k]);
    s.in_room = ww__round_up(ww__input_room(in, s.tile), 64);
    s.index_room = ww__round_up(ww__input_room(index, s.tile), 64);
    s.room = ww__round_up(s.tile * (sizeof(uint64_t) + sizeof(uint32_t) + sizeof(uint8_t)), 64) + s.in_room +
             s.index_room + columns_room(&s);
    ww__trace(device, methods[conflict], NULL, in->count, bytes, s.workers);
    WW_TRY(ww__scratch_array(device, s.workers, s.room, &s.memory));
    ww__parallel(device, s.workers, scatter_pieces, &s);
    return WW_OK;
}
