/* Weighted histograms of few bins on a CPU, in one pass over elements and weights.
 *
 * Integers wrap, so each worker adds up what it finds in a table of its own, and the tables are added in turn. Floats that are whole numbers
 * and small enough are added without rounding in any order, so they go the same way: each tile is looked at, and where one has
 * others all begin again as below.
 *
 * A float's sum has the brackets of ww_reduce_segments on the bin's weights alone: tiles of them, in each of which element k goes to
 * lane k % LANES; the lanes are folded by halves when a tile is full, and what tiles give is the next level's elements. So a bin has
 * its lanes, and how many elements are in them, for each level. A tile is folded when the next element comes: a bin that is one tile
 * has one level. An empty lane holds -0, which changes nothing that is added to it; of few elements a bin, lanes are not emptied
 * beforehand, and the first element is stored instead. A bin of fewer elements than lanes is their sum from left to right, so where most
 * are such, that is what is made first, and lanes only for the others. Only who sees all of a bin's weights in their order can do that, so it is one thread's work:
 * as fast as five that split the weights (two cores with AVX-512, 2026-11), so where there are more threads they do that instead. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/lookup.h"
#include "function/types.h"
#include "multisplit/numbering.h"
#include "multisplit/weighted.h"
#include "warpwise/function_widths.h"

enum { BUCKETS_MOST = 4096, TILE = 1024, TILES_A_PIECE = 16, THREADS_MOST = 4 /* of floats */ };
enum {
    HALF_PAGE = 2048,
    LOOKED_AT_COUNTED = 256, /* elements that say whether some bins have many, … */
    LOOKED_AT_LEAST = 2048,  /* … of more than these */
    LOOKED_AT = 64,          /* weights that say whether all may be whole */
    EMPTIED_LEAST = 4        /* elements a bin from which on lanes are emptied beforehand */
};

typedef struct weighing weighing;
/* n weights into the worker's table, or the bins' lanes, by their buckets' numbers. */
typedef void add_loop(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, size_t n);

struct weighing {
    const ww__weighing *r;
    ww__numbering numbering;
    ww__fault fault;
    unsigned char *desks;
    size_t desk, numbers_room, in_room;
    bool numbered; /* elements are their buckets' numbers */
    add_loop *add;
    unsigned char *tables; /* a worker's sums after the other's */
    uint64_t whole_most;   /* bits of the largest whole number that is taken; 0: any number is */
    bool fractions;        /* atomic: there is another number */
    /* of floats in order: */
    unsigned char *lanes;   /* of all levels, of all buckets each */
    uint32_t *counts;       /* the same */
    uint32_t *seen;         /* elements a bin, where sums from left to right come first; or else NULL */
    uint32_t tile, workers; /* elements of a bin's tile */
    bool emptied;           /* lanes that have no element hold -0 */
    size_t levels;
    uint64_t next;
};

/* ---- in any order ---- */

/* Meanwhile the next tile is asked for: it is looked at as a whole before it is added. */

#define ADD_TO_TABLE(T, name) \
    static void add_##name(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, size_t n) { \
        T *const table = (T *)(void *)w->tables + worker * w->r->by.buckets; \
        const T *x = weights; \
        size_t i = 0; \
        for (; i + 8 <= n; i += 8) { \
            __builtin_prefetch((const char *)(numbers + i) + TILE * sizeof *numbers); \
            __builtin_prefetch((const char *)(x + i) + TILE * sizeof *x); \
            _Pragma("GCC unroll 8") for (size_t k = i; k < i + 8; k++) \
                table[numbers[k]] = (T)(table[numbers[k]] + x[k]); \
        } \
        for (; i < n; i++) table[numbers[i]] = (T)(table[numbers[i]] + x[i]); \
    } \
    static void join_##name(const weighing *w) { \
        T *const sums = w->r->sums->data, *const table = (T *)(void *)w->tables + w->r->first; \
        if (w->workers == 1 && w->r->sums->count) memcpy(sums, table, (size_t)w->r->sums->count * sizeof *sums); \
        for (uint64_t b = 0; w->workers > 1 && b < w->r->sums->count; b++) { \
            T sum = table[b]; \
            for (uint32_t k = 1; k < w->workers; k++) sum = (T)(sum + table[k * w->r->by.buckets + b]); \
            sums[b] = sum; \
        } \
    }
ADD_TO_TABLE(uint8_t, u8)
ADD_TO_TABLE(uint16_t, u16)
ADD_TO_TABLE(uint32_t, u32)
ADD_TO_TABLE(uint64_t, u64)
ADD_TO_TABLE(float, f32)
ADD_TO_TABLE(double, f64)

/* Whether n floats are whole numbers up to that with the bits `most`, none of them -0. The magic number has no room for fractions. */
#define WHOLE(width, T, U, magic) \
    WW__LOOP(width) bool whole_##T##_##width(const void *weights, size_t n, uint64_t most) { \
        const T *x = weights; \
        U bad = 0, largest = 0; \
        for (size_t i = 0; i < n; i++) { \
            const T rounded = (x[i] + (T)(magic)) - (T)(magic); \
            U is, was; \
            memcpy(&is, &rounded, sizeof is); \
            memcpy(&was, &x[i], sizeof was); \
            bad |= is ^ was; \
            was &= (U)-1 >> 1; \
            largest = was > largest ? was : largest; \
        } \
        return !bad && largest <= (U)most; \
    }
typedef bool whole_loop(const void *weights, size_t n, uint64_t most);
#define WHOLE_LOOPS(width, unused) \
    WHOLE(width, float, uint32_t, 0x1.8p23f) \
    WHOLE(width, double, uint64_t, 0x1.8p52) \
    static whole_loop *const ww__loops_whole_##width[2] = {whole_float_##width, whole_double_##width};
WW__EACH_WIDTH(WHOLE_LOOPS, 0)
static whole_loop *const (*const whole_by_width[WW_VECTORS])[2] = WW__TABLES(whole);

/* The largest of n whole numbers whose sums are exact in any order, as bits; 0: there is none. */
static uint64_t whole_most(const ww_type *type, uint64_t n) {
    const bool wide = type->size == sizeof(double);
    const uint64_t exact = (uint64_t)1 << (wide ? 51 : 22), most = n ? exact / n : exact;
    const double large = (double)most;
    const float small = (float)large;
    uint64_t bits = 0;
    uint32_t few = 0;
    if (!most) return 0;
    memcpy(&bits, &large, sizeof bits);
    memcpy(&few, &small, sizeof few);
    return wide ? bits : few;
}

static bool are_whole(const weighing *w, const void *weights, size_t n) {
    const bool wide = w->r->weights->size == sizeof(double);
    return (*whole_by_width[w->r->device->vector])[wide](weights, n, w->whole_most);
}

/* ---- floats in order ---- */

#define ADD_FLOAT(T) \
    enum { LANES_##T = WW__LANES(sizeof(T)) }; \
    static T *lanes_##T(const weighing *w, size_t level, uint32_t bucket) { \
        return (T *)(void *)w->lanes + (level * w->r->by.buckets + bucket) * LANES_##T; \
    } \
    static void empty_##T(T *lane, size_t n) { \
        for (size_t l = 0; l < n; l++) lane[l] = (T)-0.0; \
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
    /* Into lanes of which the empty ones hold -0. */ \
    static inline __attribute__((always_inline)) void put_emptied_##T(const weighing *w, T *lanes, uint32_t *counts, \
                                                                      uint32_t bucket, T x) { \
        T *const lane = lanes + (size_t)bucket * LANES_##T; \
        uint32_t k = counts[bucket]; \
        if (__builtin_expect(k == WW__TILE_BYTES / sizeof(T), 0)) { \
            put_above_##T(w, 1, bucket, folded_##T(lane, k)); \
            empty_##T(lane, LANES_##T); \
            k = 0; \
        } \
        lane[k % LANES_##T] += x; \
        counts[bucket] = k + 1; \
    } \
    static void add_emptied_##T(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, \
                                size_t n) { \
        const T *x = weights; \
        T *const lanes = (T *)(void *)w->lanes; \
        uint32_t *const counts = w->counts; \
        size_t i = 0; \
        (void)worker; \
        for (; i + 8 <= n; i += 8) { \
            __builtin_prefetch((const char *)(numbers + i) + TILE * sizeof *numbers); \
            __builtin_prefetch((const char *)(x + i) + TILE * sizeof *x); \
            _Pragma("GCC unroll 8") for (size_t k = i; k < i + 8; k++) \
                put_emptied_##T(w, lanes, counts, numbers[k], x[k]); \
        } \
        for (; i < n; i++) put_emptied_##T(w, lanes, counts, numbers[i], x[i]); \
    } \
    static T folded_emptied_##T(T *lane, uint32_t n) { \
        if (n >= LANES_##T) return folded_##T(lane, n); \
        T sum = lane[0]; \
        for (uint32_t l = 1; l < LANES_##T - 1; l++) sum += lane[l]; \
        return sum; \
    } \
    /* Sums from left to right, and how many elements there are. */ \
    static void add_counted_##T(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, \
                                size_t n) { \
        const T *x = weights; \
        T *const sums = (T *)(void *)w->tables; \
        uint32_t *const counts = w->seen; \
        (void)worker; \
        for (size_t i = 0; i < n; i++) { \
            sums[numbers[i]] += x[i]; \
            counts[numbers[i]]++; \
        } \
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
    /* What is in bins of more elements, by their lanes. */ \
    static void add_fuller_##T(const weighing *w, size_t worker, const uint32_t *numbers, const void *weights, \
                               size_t n) { \
        const T *x = weights; \
        T fuller[TILE]; \
        uint32_t bins[TILE]; \
        size_t many = 0; \
        for (size_t i = 0; i < n; i++) { \
            fuller[many] = x[i]; \
            bins[many] = numbers[i]; \
            many += w->seen[numbers[i]] >= LANES_##T; \
        } \
        add_##T(w, worker, bins, fuller, many); \
    } \
    static void join_##T(const weighing *w) { \
        T *const sums = w->r->sums->data; \
        for (uint64_t b = 0; b < w->r->sums->count; b++) { \
            const uint32_t bucket = (uint32_t)(w->r->first + b); \
            uint32_t n = w->counts[bucket]; \
            if (w->seen && w->seen[bucket] < LANES_##T) continue; /* has its sum */ \
            sums[b] = !n           ? 0 \
                      : w->emptied ? folded_emptied_##T(lanes_##T(w, 0, bucket), n) \
                                   : folded_##T(lanes_##T(w, 0, bucket), n); \
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

/* Lanes that have no element; and sums from left to right of n bins, of which those that have none are 0. Returns the most elements of a
 * bin. */
#define BIN_LOOPS(width, unused) \
    BIN_LOOPS_OF(width, float) \
    BIN_LOOPS_OF(width, double) \
    static const bin_loops ww__loops_bin_##width[2] = {{empty_float_##width, sums_float_##width}, \
                                                       {empty_double_##width, sums_double_##width}};
#define BIN_LOOPS_OF(width, T) \
    WW__LOOP(width) void empty_##T##_##width(void *lanes, size_t n) { \
        T *const lane = lanes; \
        for (size_t l = 0; l < n; l++) lane[l] = (T)-0.0; \
    } \
    WW__LOOP(width) \
    uint32_t sums_##T##_##width(void *WW__R to, const void *WW__R from, const uint32_t *WW__R seen, size_t n) { \
        T *const sums = to; \
        const T *const table = from; \
        uint32_t most = 0; \
        for (size_t b = 0; b < n; b++) { \
            const T sum = table[b]; \
            sums[b] = seen[b] ? sum : 0; \
            most = seen[b] > most ? seen[b] : most; \
        } \
        return most; \
    }
typedef struct bin_loops {
    void (*empty)(void *lanes, size_t n);
    uint32_t (*sums)(void *to, const void *from, const uint32_t *seen, size_t n);
} bin_loops;
WW__EACH_WIDTH(BIN_LOOPS, 0)
static const bin_loops (*const bins_by_width[WW_VECTORS])[2] = WW__TABLES(bin);

static const bin_loops *bin_loops_of(const weighing *w) {
    return &(*bins_by_width[w->r->device->vector])[w->r->weights->size == sizeof(double)];
}

/* Whether all bins have their sums: those of fewer elements than there are lanes do. */
static bool join_counted(const weighing *w) {
    const size_t size = w->r->weights->size;
    return bin_loops_of(w)->sums(w->r->sums->data, w->tables + w->r->first * size, w->seen + w->r->first,
                                 (size_t)w->r->sums->count) < WW__LANES(size);
}

/* ---- both ---- */

typedef struct loops {
    add_loop *add;
    void (*join)(const weighing *w);
} loops;
static const loops all_loops[WW__NUMBERS] = {
    [WW__U8] = {add_u8, join_u8},    [WW__I8] = {add_u8, join_u8},    [WW__U16] = {add_u16, join_u16},
    [WW__I16] = {add_u16, join_u16}, [WW__U32] = {add_u32, join_u32}, [WW__I32] = {add_u32, join_u32},
    [WW__U64] = {add_u64, join_u64}, [WW__I64] = {add_u64, join_u64}, [WW__F32] = {add_f32, join_f32},
    [WW__F64] = {add_f64, join_f64}};
static const loops in_order[2] = {{add_float, join_float}, {add_double, join_double}};
static add_loop *const counted[2] = {add_counted_float, add_counted_double};
static add_loop *const fuller[2] = {add_fuller_float, add_fuller_double};
static add_loop *const in_order_emptied[2] = {add_emptied_float, add_emptied_double};

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

/* False where an element has no bucket, or a weight is not whole that has to be. */
static bool add_tile(weighing *w, size_t worker, uint64_t first, size_t n) {
    const ww_device *device = w->r->device;
    unsigned char *const desk = w->desks + worker * w->desk;
    const void *const weights = ww__input_read(device, w->r->weights, first, n, desk + w->numbers_room + w->in_room);
    if (w->whole_most && !are_whole(w, weights, n)) __atomic_store_n(&w->fractions, true, __ATOMIC_RELAXED);
    if (w->whole_most && __atomic_load_n(&w->fractions, __ATOMIC_RELAXED)) return false;
    const void *const x = ww__input_read(device, w->r->in, first, n, desk + w->numbers_room);
    const uint32_t *numbers = x;
    if (!w->numbered) {
        ww__numbers(&w->numbering, (uint32_t *)(void *)desk, x, n);
        numbers = (const uint32_t *)(void *)desk;
    }
    if (ww__span_of(device, numbers, false, n).most > w->numbering.last) {
        size_t i = 0;
        while (numbers[i] <= w->numbering.last) i++;
        ww__fault_at(&w->fault, first + i);
        return false;
    }
    w->add(w, worker, numbers, weights, n);
    return true;
}

static void add_range(weighing *w, size_t worker, uint64_t first, uint64_t end) {
    for (; first < end; first += TILE)
        if (!add_tile(w, worker, first, (size_t)ww__min_u64(TILE, end - first))) return;
}

static void add_pieces(void *argument, size_t worker) {
    weighing *w = argument;
    const uint64_t n = w->r->in->count, piece = TILE * TILES_A_PIECE;
    for (uint64_t first; (first = ww__claim(&w->next) * piece) < n;)
        add_range(w, worker, first, ww__min_u64(first + piece, n));
}

/* As many levels as a bin that has all weights would have. */
static size_t levels_of(uint64_t n, uint64_t tile) {
    size_t levels = 1;
    for (; n > tile; n = n / tile + (n % tile != 0)) levels++;
    return levels;
}

static ww_status prepare(weighing *w) {
    ww_device *device = w->r->device;
    const uint64_t buckets = w->r->by.buckets, n = w->r->in->count;
    const size_t size = w->r->weights->size;
    w->numbers_room = TILE * sizeof(uint32_t);
    w->in_room = ww__round_up(ww__input_room(w->r->in, TILE), 64);
    w->desk = ww__round_up(w->numbers_room + w->in_room + ww__input_room(w->r->weights, TILE), 64);
    WW_TRY(ww__scratch_array(device, w->workers, w->desk, &w->desks));
    WW_TRY(ww__scratch_array(device, w->workers * buckets, size, &w->tables));
    if (!is_float(w->r->weights->type)) return WW_OK;
    w->tile = (uint32_t)ww__tile(size);
    w->levels = levels_of(n, w->tile);
    w->emptied = n / EMPTIED_LEAST >= buckets;
    if (n <= buckets * WW__LANES(size) * 2 / 3) WW_TRY(ww__scratch_array(device, buckets, sizeof *w->seen, &w->seen));
    WW_TRY(ww__scratch_array(device, w->levels * buckets, WW__LANES(size) * size, &w->lanes));
    WW_TRY(ww__scratch_array(device, w->levels * buckets + 2 * HALF_PAGE / sizeof *w->counts, sizeof *w->counts,
                             &w->counts));
    if (device->on_paper) return WW_OK;
    /* Half a page from the lanes of the same bin, modulo pages: cores take loads and stores of one place in a page for the same. */
    const size_t from_lanes = ((uintptr_t)w->counts - (uintptr_t)w->lanes) % (2 * HALF_PAGE);
    w->counts += (3 * HALF_PAGE - from_lanes) % (2 * HALF_PAGE) / sizeof *w->counts;
    return WW_OK;
}

/* In any order; false where that has to be the weights'. */
static bool add_in_tables(weighing *w) {
    const uint64_t n = w->r->in->count;
    const ww_type *type = w->r->weights->type;
    const loops *const l = loops_of(type);
    if (is_float(type)) {
        const size_t some = (size_t)ww__min_u64(n, LOOKED_AT);
        w->whole_most = whole_most(type, n);
        if (!w->whole_most || !are_whole(w, ww__input_read(w->r->device, w->r->weights, 0, some, w->desks), some))
            return false;
    }
    memset(w->tables, 0, w->workers * w->r->by.buckets * type->size);
    w->add = l->add;
    ww__parallel(w->r->device, w->workers, add_pieces, w);
    if (w->fractions) return false;
    if (w->fault.position == UINT64_MAX) l->join(w);
    return true;
}

/* Where most bins have fewer elements than lanes: these are summed from left to right, and only the others' elements by lanes. False where
 * all is done. If the first elements fill a bin already, elements are skewed, and all go by lanes. */
static bool add_counted(weighing *w) {
    const size_t wide = w->r->weights->size == sizeof(double);
    const uint64_t buckets = w->r->by.buckets;
    bin_loops_of(w)->empty(w->tables, buckets);
    memset(w->seen, 0, buckets * sizeof *w->seen);
    w->add = counted[wide];
    const uint64_t n = w->r->in->count, some = n <= LOOKED_AT_LEAST ? n : LOOKED_AT_COUNTED;
    add_range(w, 0, 0, some);
    if (some < n && w->fault.position == UINT64_MAX && !join_counted(w)) {
        w->seen = NULL;
        return true;
    }
    add_range(w, 0, some, n);
    return w->fault.position == UINT64_MAX && !join_counted(w);
}

static void add_in_order(weighing *w) {
    const size_t size = w->r->weights->size, wide = size == sizeof(double);
    const uint64_t buckets = w->r->by.buckets;
    ww__fault_clear(&w->fault);
    w->whole_most = 0;
    if (w->fractions) w->seen = NULL; /* this is the second pass already */
    if (w->seen && !add_counted(w)) return;
    memset(w->counts, 0, w->levels * buckets * sizeof *w->counts);
    w->emptied = w->emptied && !w->seen;
    if (w->emptied) bin_loops_of(w)->empty(w->lanes, buckets * WW__LANES(size));
    w->add = w->seen ? fuller[wide] : w->emptied ? in_order_emptied[wide] : in_order[wide].add;
    add_range(w, 0, 0, w->r->in->count);
    if (w->fault.position == UINT64_MAX) in_order[wide].join(w);
}

ww_status ww__weigh_cpu(const ww__weighing *r) {
    ww_device *device = r->device;
    const ww__splitting s = {.device = device, .by = r->by, .keys = *r->in};
    const uint64_t bytes = ww__input_bytes(r->in) + ww__input_bytes(r->weights);
    weighing w = {.r = r, .workers = (uint32_t)ww__workers(device, r->in->count * r->in->size)};
    ww__fault_clear(&w.fault);
    WW_TRY(ww__numbering_begin(&s, &w.numbering));
    w.numbered = r->by.asked == &ww_by_number && r->in->size == sizeof(uint32_t);
    WW_TRY(prepare(&w));
    ww__trace(device, is_float(r->weights->type) ? "lanes of bins" : "tables", r->by.asked, r->in->count, bytes,
              w.workers);
    if (device->on_paper) return WW_OK;
    if (!add_in_tables(&w)) add_in_order(&w);
    return w.fault.position == UINT64_MAX ? WW_OK
                                          : ww__no_bucket(device, w.fault.position, w.numbering.name, r->by.buckets);
}
