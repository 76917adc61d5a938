/* Expanding in two passes over pieces of 1024 parents. The first adds up each piece's counts, so that it is known where the
 * piece's children begin (offsets say it themselves). The second writes the children, by chunks that workers claim: all
 * parents and children together, in order, are cut into chunks as long as one another, but that a piece's parents
 * stay together; a chunk writes its children, whoever the parents are. So a parent of millions is several workers' work, and so are
 * millions that have no children. A tile of a chunk's children is filled in the first-level cache, run after run
 * (fill_runs.h), and goes to memory once, past the caches when the output is large. Counts are read twice, elements once for
 * each tile that they stand in. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/expand/fill_runs.h"
#include "primitive/expand/sides.h"

enum {
    PIECE = 1024,    /* parents */
    CHUNK = 1 << 15, /* parents and children */
    PIECES_A_CLAIM = 16,
    TILE_MOST = 4096, /* children */
    TILE_BYTES = 16384,
    OUTPUTS = 3
};

typedef struct expanding {
    const ww_device *device;
    const ww__expand_request *r;
    const ww_input *by;                    /* counts or offsets */
    uint64_t parents, pieces, chunks, end; /* end: of the places that are written */
    uint64_t *before;                      /* where the children of each piece begin, and all end */
    size_t by_room, in_most, in_room, tile, tile_room, room;
    unsigned char *buffers;
    bool streaming;
    bool overflow;   /* atomic */
    ww__fault fault; /* an offset that is below the one before */
    uint64_t next;
} expanding;

/* A worker's memory, and the piece of parents that it is at. */
typedef struct expander {
    uint64_t *counts;  /* of the piece's parents, less those of their children that stand in tiles before */
    uint32_t *lengths; /* the tile's part of them */
    unsigned char *by, *in, *tile;
    uint64_t piece, given; /* given: children of parent `at` that stand in tiles before */
    size_t at, many;
} expander;

static size_t room_of(const expanding *e) {
    return PIECE * (sizeof(uint64_t) + sizeof(uint32_t)) + ww__round_up(e->by_room, 64) + ww__round_up(e->in_room, 64) +
           e->tile_room;
}

static expander expander_of(const expanding *e, size_t worker) {
    unsigned char *buffer = e->buffers + worker * e->room;
    expander w = {.counts = (uint64_t *)(void *)buffer};
    w.lengths = (uint32_t *)(void *)(buffer + PIECE * sizeof *w.counts);
    w.by = buffer + PIECE * (sizeof *w.counts + sizeof *w.lengths);
    w.in = w.by + ww__round_up(e->by_room, 64);
    w.tile = w.in + ww__round_up(e->in_room, 64);
    return w;
}

/* ---- counts ---- */

#define WIDEN(T) \
    static void widen_##T(uint64_t *out, const T *x, size_t n) { \
        for (size_t i = 0; i < n; i++) out[i] = x[i]; \
    }
#define DIFFER(T) \
    static void differ_##T(uint64_t *out, const T *x, size_t n) { \
        for (size_t i = 0; i < n; i++) out[i] = (uint64_t)x[i + 1] - x[i]; \
    }
WIDEN(uint8_t)
WIDEN(uint16_t)
WIDEN(uint32_t)
DIFFER(uint32_t)
DIFFER(uint64_t)

/* How many children each parent of a piece has. */
static void read_piece(const expanding *e, expander *w, uint64_t piece) {
    const uint64_t first = piece * PIECE;
    const size_t n = (size_t)ww__min_u64(PIECE, e->parents - first);
    const bool offsets = e->r->offsets != NULL;
    const void *x = ww__input_read(e->device, e->by, first, n + offsets, w->by);
    w->piece = piece;
    w->many = n;
    w->at = 0;
    w->given = 0;
    if (offsets && e->by->size == sizeof(uint32_t))
        differ_uint32_t(w->counts, x, n);
    else if (offsets)
        differ_uint64_t(w->counts, x, n);
    else if (e->by->size == 1)
        widen_uint8_t(w->counts, x, n);
    else if (e->by->size == 2)
        widen_uint16_t(w->counts, x, n);
    else if (e->by->size == 4)
        widen_uint32_t(w->counts, x, n);
    else
        memcpy(w->counts, x, n * sizeof *w->counts);
}

/* Sums of a piece's counts, as they lie there. Narrow ones cannot overflow. */
#define SUM(T) \
    static uint64_t sum_##T(const T *x, size_t n) { \
        uint64_t sum = 0; \
        for (size_t i = 0; i < n; i++) sum += x[i]; \
        return sum; \
    }
SUM(uint8_t)
SUM(uint16_t)
SUM(uint32_t)

static uint64_t sum_wide(const uint64_t *x, size_t n, bool *overflow) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) *overflow |= __builtin_add_overflow(sum, x[i], &sum);
    return sum;
}

/* A number of counts or offsets, as it lies there, with its sign. */
static int64_t signed_at(const void *x, size_t size, size_t i) {
    return size == 1   ? ((const int8_t *)x)[i]
           : size == 2 ? ((const int16_t *)x)[i]
           : size == 4 ? ((const int32_t *)x)[i]
                       : ((const int64_t *)x)[i];
}

/* Whether no bit but numbers' lower ones is set, in any of them. */
#define ANY_NEGATIVE(T) \
    static bool any_negative_##T(const T *x, size_t n) { \
        T all = 0; \
        for (size_t i = 0; i < n; i++) all = (T)(all | x[i]); \
        return all < 0; \
    }
ANY_NEGATIVE(int8_t)
ANY_NEGATIVE(int16_t)
ANY_NEGATIVE(int32_t)
ANY_NEGATIVE(int64_t)

/* Notes the first negative one of a piece's numbers; nothing for unsigned ones. */
static void look_for_negative(expanding *e, const void *x, uint64_t first, size_t n) {
    if (!ww__expand_signed(e->by)) return;
    const size_t size = e->by->size;
    if (!(size == 1   ? any_negative_int8_t(x, n)
          : size == 2 ? any_negative_int16_t(x, n)
          : size == 4 ? any_negative_int32_t(x, n)
                      : any_negative_int64_t(x, n)))
        return;
    size_t i = 0;
    while (signed_at(x, size, i) >= 0) i++;
    ww__fault_at(&e->fault, first + i);
}

static uint64_t sum_of_piece(expanding *e, const expander *w, uint64_t piece, bool *overflow) {
    const uint64_t first = piece * PIECE;
    const size_t n = (size_t)ww__min_u64(PIECE, e->parents - first);
    const void *x = ww__input_read(e->device, e->by, first, n, w->by);
    look_for_negative(e, x, first, n);
    return e->by->size == 1   ? sum_uint8_t(x, n)
           : e->by->size == 2 ? sum_uint16_t(x, n)
           : e->by->size == 4 ? sum_uint32_t(x, n)
                              : sum_wide(x, n, overflow);
}

/* The first offset of piece p; what decreases is noted. */
static uint64_t offset_of_piece(expanding *e, const expander *w, uint64_t piece) {
    const uint64_t first = piece * PIECE;
    const size_t n = (size_t)ww__min_u64(PIECE, e->parents - first);
    const void *x = ww__input_read(e->device, e->by, first, n + 1, w->by);
    const uint32_t *narrow = x;
    const uint64_t *wide = x;
    const bool is_narrow = e->by->size == sizeof *narrow;
    look_for_negative(e, x, first, n + 1);
    for (size_t i = n; i > 0; i--)
        if (is_narrow ? narrow[i] < narrow[i - 1] : wide[i] < wide[i - 1]) ww__fault_at(&e->fault, first + i);
    if (piece + 1 == e->pieces) e->before[e->pieces] = is_narrow ? narrow[n] : wide[n];
    return is_narrow ? narrow[0] : wide[0];
}

/* before[p]: the sum of piece p, or by offsets where it begins. */
static void look_at_pieces(void *argument, size_t worker) {
    expanding *e = argument;
    const expander w = expander_of(e, worker);
    bool overflow = false;
    for (uint64_t first; (first = ww__claim(&e->next) * PIECES_A_CLAIM) < e->pieces;)
        for (uint64_t p = first; p < first + PIECES_A_CLAIM && p < e->pieces; p++)
            e->before[p] = e->r->offsets ? offset_of_piece(e, &w, p) : sum_of_piece(e, &w, p, &overflow);
    if (overflow) __atomic_store_n(&e->overflow, true, __ATOMIC_RELAXED);
}

static ww_status say_fault(ww_device *device, const expanding *e) {
    uint64_t value;
    if (e->fault.position == UINT64_MAX) return WW_OK;
    WW_TRY(ww__input_number(device, e->by, e->fault.position, &value));
    return e->r->offsets ? ww__say_offset(device, e->by->type->label, e->fault.position, value)
                         : ww__say_count(device, e->fault.position, value);
}

/* The pieces' sums become where they begin. */
static uint64_t add_up_pieces(expanding *e) {
    uint64_t sum = 0;
    for (uint64_t p = 0; p <= e->pieces; p++) {
        const uint64_t own = p < e->pieces ? e->before[p] : 0;
        e->before[p] = sum;
        e->overflow |= __builtin_add_overflow(sum, own, &sum);
    }
    return e->overflow ? UINT64_MAX : sum;
}

/* ---- children ---- */

/* The last piece for which before[p] + p * `weight` is not above `wanted`. */
static uint64_t piece_before(const expanding *e, uint64_t wanted, uint64_t weight) {
    uint64_t low = 0, high = e->pieces + 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (ww__min_u64(e->before[middle], e->end) + middle * weight <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The first child of a chunk. */
static uint64_t cut_at(const expanding *e, uint64_t chunk) {
    const uint64_t begin = e->before[0], wanted = begin + chunk * CHUNK, p = piece_before(e, wanted, PIECE);
    if (p >= e->pieces) return e->end;
    const uint64_t from = ww__min_u64(e->before[p], e->end), to = ww__min_u64(e->before[p + 1], e->end);
    const uint64_t further = wanted - (from + p * PIECE);
    return to > from && further < to - from ? from + further : to > from ? to : from;
}

/* Goes to the parent of child `first`. */
static void find_parent(const expanding *e, expander *w, uint64_t first) {
    const uint64_t p = piece_before(e, first, 0);
    read_piece(e, w, p < e->pieces ? p : e->pieces - 1);
    uint64_t skip = first - e->before[w->piece];
    while (w->at < w->many && w->counts[w->at] <= skip) skip -= w->counts[w->at++];
    if (w->at == w->many) return;
    w->given = skip;
    w->counts[w->at] -= skip;
}

/* Whether there is another piece that has children; goes there. */
static bool next_piece(const expanding *e, expander *w) {
    uint64_t p = w->piece + 1;
    while (p < e->pieces && e->before[p + 1] == e->before[p]) p++;
    if (p >= e->pieces) return false;
    read_piece(e, w, p);
    return true;
}

/* The runs of a tile of up to `most` children: lengths, of w->at and the parents behind it, the last of which may have more.
 * Returns how many parents; *children is the sum. */
static size_t take_runs(expander *w, size_t most, size_t *children) {
    size_t left = most, i = w->at;
    for (; i < w->many && w->counts[i] <= left; i++) {
        w->lengths[i - w->at] = (uint32_t)w->counts[i];
        left -= (size_t)w->counts[i];
    }
    *children = most - left;
    if (i == w->many || !left) return i - w->at;
    w->lengths[i - w->at] = (uint32_t)left;
    *children = most;
    return i - w->at + 1;
}

/* What has been written is the tiles' before. */
static void give(expander *w, size_t runs) {
    const size_t last = w->at + runs - 1, length = w->lengths[runs - 1];
    w->given = last == w->at ? w->given + length : length;
    w->counts[last] -= length;
    w->at = last;
    if (w->counts[last]) return;
    w->at++;
    w->given = 0;
}

static void put_elements(const expanding *e, const expander *w, size_t runs) {
    void *to = w->tile;
    for (size_t k = 0; k < runs; k += e->in_most) {
        const size_t n = runs - k < e->in_most ? runs - k : e->in_most;
        const void *from = ww__input_read(e->device, e->r->in, w->piece * PIECE + w->at + k, n, w->in);
        to = ww__fill_elements(to, from, e->r->in->size, w->lengths + k, n);
    }
}

static void put_tile(const expanding *e, const expander *w, uint64_t first, size_t runs, size_t children) {
    const ww_array *const output[OUTPUTS] = {e->r->out, e->r->source, e->r->rank};
    for (int k = 0; k < OUTPUTS; k++) {
        const size_t size = output[k]->size;
        if (!size) continue;
        if (k == 0)
            put_elements(e, w, runs);
        else if (k == 1)
            ww__fill_numbers(w->tile, size, w->piece * PIECE + w->at, w->lengths, runs);
        else
            ww__fill_ranks(w->tile, size, w->given, w->lengths, runs);
        ww__stream(e->device, (unsigned char *)output[k]->data + first * size, w->tile, children * size, e->streaming);
    }
}

static void fill_chunks(void *argument, size_t worker) {
    expanding *e = argument;
    expander w = expander_of(e, worker);
    for (uint64_t chunk; (chunk = ww__claim(&e->next)) < e->chunks;) {
        uint64_t first = cut_at(e, chunk);
        const uint64_t end = cut_at(e, chunk + 1);
        if (first >= end) continue;
        find_parent(e, &w, first);
        while (first < end) {
            size_t children;
            if (w.at == w.many && !next_piece(e, &w)) break;
            const size_t runs = take_runs(&w, (size_t)ww__min_u64(e->tile, end - first), &children);
            if (children) put_tile(e, &w, first, runs, children);
            first += children;
            give(&w, runs);
        }
    }
    ww__stream_done();
}

/* ---- both passes ---- */

static void choose_tile(expanding *e) {
    const ww__expand_request *r = e->r;
    size_t widest = r->out->size, all = r->out->size + r->source->size + r->rank->size;
    if (r->source->size > widest) widest = r->source->size;
    if (r->rank->size > widest) widest = r->rank->size;
    e->by_room = ww__input_room(e->by, PIECE + 1);
    if (r->out->size) {
        e->in_most = ww__tile(r->in->size);
        if (e->in_most > PIECE) e->in_most = PIECE;
        e->in_room = ww__input_room(r->in, e->in_most);
    }
    e->tile = widest ? TILE_BYTES / widest : 1;
    if (e->tile > TILE_MOST) e->tile = TILE_MOST;
    if (!e->tile) e->tile = 1;
    e->tile_room = widest ? ww__round_up(e->tile * widest + WW__RUNS_SLACK, 64) : 0;
    e->room = room_of(e);
    e->streaming = ww__streams(e->device, r->room * all);
}

/* What filling moves; as much as there is where that does not fit. */
static uint64_t bytes_of(uint64_t reads, uint64_t places, uint64_t each) {
    uint64_t bytes;
    return __builtin_mul_overflow(places, each, &bytes) || __builtin_add_overflow(bytes, reads, &bytes) ? UINT64_MAX
                                                                                                        : bytes;
}

ww_status ww__expand_cpu(ww_device *device, const ww__expand_request *r, uint64_t *total) {
    expanding e = {.device = device, .r = r, .by = r->offsets ? r->offsets : r->counts};
    e.parents = e.by->count - (r->offsets != NULL);
    e.pieces = (e.parents - 1) / PIECE + 1;
    choose_tile(&e);
    const uint64_t look_bytes = ww__input_bytes(e.by), all = r->out->size + r->source->size + r->rank->size;
    const size_t lookers = ww__workers(device, look_bytes);
    const size_t fillers = ww__workers(device, bytes_of(look_bytes, r->room, all));
    WW_TRY(ww__scratch_array(device, e.pieces + 1, sizeof *e.before, &e.before));
    WW_TRY(ww__scratch_array(device, lookers > fillers ? lookers : fillers, e.room, &e.buffers));
    if (device->on_paper) return WW_OK;
    ww__fault_clear(&e.fault);
    ww__parallel(device, lookers, look_at_pieces, &e);
    WW_TRY(say_fault(device, &e));
    if (r->offsets) {
        *total = e.before[e.pieces];
    } else {
        *total = add_up_pieces(&e);
        WW_TRY(ww__put_count(device, r->total, *total));
        if (*total > r->room || !ww__expand_writes(r)) return WW_OK;
    }
    e.end = ww__min_u64(*total, r->room);
    if (e.end <= e.before[0]) return WW_OK;
    e.chunks = (e.end - e.before[0] + e.pieces * PIECE) / CHUNK + 1;
    e.next = 0;
    ww__trace(device, "chunks", NULL, e.end, look_bytes + (e.end - e.before[0]) * all, fillers);
    ww__parallel(device, fillers, fill_chunks, &e);
    return WW_OK;
}
