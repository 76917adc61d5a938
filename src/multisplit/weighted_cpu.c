/* Weighted histograms of few bins on a CPU, in one pass over elements and weights.
 *
 * Integers wrap, so each worker adds up what it finds in a table of its own, and the tables are added in turn.
 *
 * A float's sum has the brackets of ww_reduce_segments on the bin's weights alone: tiles of them, in each of which element k goes to
 * lane k % LANES; the lanes are folded by halves when a tile is full, and what tiles give is the next level's elements. So a bin has
 * its lanes, and how many elements are in them, for each level. A tile is folded when the next element comes: a bin that is one tile
 * has one level. Only who sees all of a bin's weights in their order can do that, so it is one thread's work: as fast as five that split the weights
 * (two cores with AVX-512, 2026-11), so where there are more threads they do that instead. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/types.h"
#include "multisplit/numbering.h"
#include "multisplit/weighted.h"

enum { BUCKETS_MOST = 4096, TILE = 1024, TILES_A_PIECE = 16, THREADS_MOST = 4 /* of floats */ };

typedef struct weighing weighing;
/* n weights into the worker's table, or the bins' lanes, by their buckets' numbers. */
typedef void add_loop(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, size_t n);

struct weighing {
    const ww__weighing *r;
    ww__numbering numbering;
    ww__fault fault;
    unsigned char *desks;
    size_t desk, numbers_room, in_room;
    add_loop *add;
    unsigned char *tables; /* of integers: a worker's sums after the other's */
    /* of floats: */
    unsigned char *lanes;   /* of all levels, of all buckets each */
    uint32_t *counts;       /* the same */
    uint32_t tile, workers; /* elements of a bin's tile */
    size_t levels;
    uint64_t next;
};

/* ---- integers ---- */

#define ADD_INTEGER(bits) \
    static void add_##bits(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, size_t n) { \
        uint##bits##_t *const table = (uint##bits##_t *)(void *)w->tables + worker * w->r->by.buckets; \
        const uint##bits##_t *x = weights; \
        for (size_t i = 0; i < n; i++) table[numbers[i]] = (uint##bits##_t)(table[numbers[i]] + x[i]); \
    } \
    static void join_##bits(const weighing *w) { \
        uint##bits##_t *const sums = w->r->sums->data, *const table = (uint##bits##_t *)(void *)w->tables + \
                                                                      w->r->first; \
        for (uint64_t b = 0; b < w->r->sums->count; b++) { \
            uint##bits##_t sum = 0; \
            for (uint32_t k = 0; k < w->workers; k++) sum = (uint##bits##_t)(sum + table[k * w->r->by.buckets + b]); \
            sums[b] = sum; \
        } \
    }
ADD_INTEGER(8)
ADD_INTEGER(16)
ADD_INTEGER(32)
ADD_INTEGER(64)

/* ---- floats ---- */

#define ADD_FLOAT(T) \
    enum { LANES_##T = WW__LANES(sizeof(T)) }; \
    static T *lanes_##T(const weighing *w, size_t level, uint32_t bucket) { \
        return (T *)(void *)w->lanes + (level * w->r->by.buckets + bucket) * LANES_##T; \
    } \
    /* What n elements in lanes make. */ \
    static T folded_##T(T *lane, uint32_t n) { \
        if (n < LANES_##T) { \
            for (uint32_t l = 1; l < n; l++) lane[0] += lane[l]; \
            return lane[0]; \
        } \
        for (uint32_t half = LANES_##T / 2; half; half /= 2) \
            for (uint32_t l = 0; l < half; l++) lane[l] += lane[l + half]; \
        return lane[0]; \
    } \
    /* One more element; how many there are then. */ \
    static uint32_t put_##T(T *lane, uint32_t n, T x) { \
        T *const mine = lane + n % LANES_##T; \
        *mine = n < LANES_##T ? x : *mine + x; \
        return n + 1; \
    } \
    /* What a tile of the level below has given. */ \
    static void put_above_##T(const weighing *w, size_t level, uint32_t bucket, T x) { \
        uint32_t *const n = w->counts + level * w->r->by.buckets + bucket; \
        T *const lane = lanes_##T(w, level, bucket); \
        if (*n == w->tile) { \
            put_above_##T(w, level + 1, bucket, folded_##T(lane, *n)); \
            *n = 0; \
        } \
        *n = put_##T(lane, *n, x); \
    } \
    static inline void put_one_##T(const weighing *w, uint32_t *counts, uint32_t bucket, T x) { \
        T *const lane = lanes_##T(w, 0, bucket); \
        uint32_t n = counts[bucket]; \
        if (n == w->tile) { \
            put_above_##T(w, 1, bucket, folded_##T(lane, n)); \
            n = 0; \
        } \
        counts[bucket] = put_##T(lane, n, x); \
    } \
    static void add_##T(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, size_t n) { \
        const T *x = weights; \
        (void)worker; \
        for (size_t i = 0; i < n; i++) put_one_##T(w, w->counts, numbers[i], x[i]); \
    } \
    static void join_##T(const weighing *w) { \
        T *const sums = w->r->sums->data; \
        for (uint64_t b = 0; b < w->r->sums->count; b++) { \
            const uint32_t bucket = (uint32_t)(w->r->first + b); \
            uint32_t n = w->counts[bucket]; \
            sums[b] = n ? folded_##T(lanes_##T(w, 0, bucket), n) : 0; \
            for (size_t level = 1; level < w->levels; level++) { \
                n = w->counts[level * w->r->by.buckets + bucket]; \
                if (!n) break; \
                put_above_##T(w, level, bucket, sums[b]); \
                n = w->counts[level * w->r->by.buckets + bucket]; \
                sums[b] = folded_##T(lanes_##T(w, level, bucket), n); \
            } \
        } \
    }
ADD_FLOAT(float)
ADD_FLOAT(double)

/* ---- both ---- */

typedef struct loops {
    add_loop *add;
    void (*join)(const weighing *w);
} loops;
static const loops all_loops[WW__NUMBERS] = {
    [WW__U8] = {add_8, join_8},           [WW__I8] = {add_8, join_8},    [WW__U16] = {add_16, join_16},
    [WW__I16] = {add_16, join_16},        [WW__U32] = {add_32, join_32}, [WW__I32] = {add_32, join_32},
    [WW__U64] = {add_64, join_64},        [WW__I64] = {add_64, join_64}, [WW__F32] = {add_float, join_float},
    [WW__F64] = {add_double, join_double}};

/* NULL: there are none. */
static const loops *loops_of(const ww_type *type) {
    const int number = ww__number_index(type);
    return number >= 0 && all_loops[number].add ? &all_loops[number] : NULL;
}

static bool is_float(const ww_type *type) { return type->kind == WW_KIND_FLOAT; }

bool ww__weighing_is_direct(const ww__weighing *w) {
    const ww_type *type = w->weights->type;
    return w->device->backend == WW__BACKEND_CPU && w->by.buckets <= BUCKETS_MOST && loops_of(type) &&
           (!is_float(type) || w->device->threads <= THREADS_MOST);
}

/* False where an element has no bucket. */
static bool add_tile(weighing *w, size_t worker, uint64_t first, size_t n) {
    const ww_device *device = w->r->device;
    unsigned char *const desk = w->desks + worker * w->desk;
    uint32_t *const numbers = (uint32_t *)(void *)desk;
    const void *x = ww__input_read(device, w->r->in, first, n, desk + w->numbers_room);
    uint32_t most = 0;
    ww__numbers(&w->numbering, numbers, x, n);
    for (size_t i = 0; i < n; i++) most = numbers[i] > most ? numbers[i] : most;
    if (most > w->numbering.last) {
        size_t i = 0;
        while (numbers[i] <= w->numbering.last) i++;
        ww__fault_at(&w->fault, first + i);
        return false;
    }
    x = ww__input_read(device, w->r->weights, first, n, desk + w->numbers_room + w->in_room);
    w->add(w, worker, numbers, x, n);
    return true;
}

static void add_range(weighing *w, size_t worker, uint64_t first, uint64_t end) {
    for (; first < end; first += TILE)
        if (!add_tile(w, worker, first, (size_t)ww__min_u64(TILE, end - first))) return;
}

static void add_pieces(void *argument, size_t worker) {
    weighing *w = argument;
    const uint64_t n = w->r->in->count, piece = TILE * TILES_A_PIECE;
    if (w->lanes) { /* all of it, in order */
        add_range(w, worker, 0, n);
        return;
    }
    for (uint64_t first; (first = ww__claim(&w->next) * piece) < n;)
        add_range(w, worker, first, ww__min_u64(first + piece, n));
}

/* As many levels as a bin that has all weights would have. */
static size_t levels_of(uint64_t n, uint64_t tile) {
    size_t levels = 1;
    for (; n > tile; n = n / tile + (n % tile != 0)) levels++;
    return levels;
}

static ww_status prepare(weighing *w, size_t workers) {
    ww_device *device = w->r->device;
    const uint64_t buckets = w->r->by.buckets;
    const size_t size = w->r->weights->size;
    w->workers = (uint32_t)workers;
    w->numbers_room = TILE * sizeof(uint32_t);
    w->in_room = ww__round_up(ww__input_room(w->r->in, TILE), 64);
    w->desk = ww__round_up(w->numbers_room + w->in_room + ww__input_room(w->r->weights, TILE), 64);
    WW_TRY(ww__scratch_array(device, workers, w->desk, &w->desks));
    if (!is_float(w->r->weights->type)) {
        WW_TRY(ww__scratch_array(device, workers * buckets, size, &w->tables));
        if (!device->on_paper) memset(w->tables, 0, workers * buckets * size);
        return WW_OK;
    }
    w->tile = (uint32_t)ww__tile(size);
    w->levels = levels_of(w->r->in->count, w->tile);
    const uint64_t counts = w->levels * buckets;
    WW_TRY(ww__scratch_array(device, w->levels * buckets, WW__LANES(size) * size, &w->lanes));
    WW_TRY(ww__scratch_array(device, counts, sizeof *w->counts, &w->counts));
    if (!device->on_paper) memset(w->counts, 0, counts * sizeof *w->counts);
    return WW_OK;
}

ww_status ww__weigh_cpu(const ww__weighing *r) {
    ww_device *device = r->device;
    const ww__splitting s = {.device = device, .by = r->by, .keys = *r->in};
    const uint64_t bytes = ww__input_bytes(r->in) + ww__input_bytes(r->weights);
    const loops *const l = loops_of(r->weights->type);
    const size_t workers = is_float(r->weights->type) ? 1 : ww__workers(device, r->in->count * r->in->size);
    weighing w = {.r = r, .add = l->add};
    ww__fault_clear(&w.fault);
    WW_TRY(ww__numbering_begin(&s, &w.numbering));
    WW_TRY(prepare(&w, workers));
    ww__trace(device, is_float(r->weights->type) ? "lanes of bins" : "tables", r->by.asked, r->in->count, bytes,
              workers);
    if (device->on_paper) return WW_OK;
    ww__parallel(device, workers, add_pieces, &w);
    if (w.fault.position != UINT64_MAX) return ww__no_bucket(device, w.fault.position, w.numbering.name, r->by.buckets);
    l->join(&w);
    return WW_OK;
}
