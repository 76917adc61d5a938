/* Counting: workers claim pieces of the input; a tile's bins are computed into a buffer in the first-level cache
 * and then counted in tables of the worker's own, which are added up at the end, in parallel over the bins. The
 * input is read once; the next tile is fetched while one is counted.
 *
 * A counter that is counted up twice in a row waits for its own store, so equal elements are slow in a single
 * table. Up to 2^10 bins, each bin has eight or four counters side by side and consecutive elements take turns. Above, that
 * would push counters out of the caches: there is one counter a bin, and up to 2^18 bins a second table with four a
 * bin, which is used only for tiles in which many neighbours are equal. With more bins than that, misses cost more
 * than such waits.
 *
 * Elements of one byte have a way of their own (bytes_cpu.c).
 *
 * By the method warp tiles are counted by ballots (warp_cpu.c) and added to one counter a bin.
 *
 * Elements without a bin are counted behind the last one. Counters are u32: a round counts at most 2^31 elements
 * before the tables are added to the result. */
#include "primitive/histogram/sides.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"
#include "function/lookup.h"

enum {
    TILE = 2048,
    TILES_A_PIECE = 32,
    SPREAD = 8,            /* counters a bin … */
    SPREAD_BINS = 1 << 10, /* … up to so many bins */
    SHARED = 4,            /* fewer, of which half a first-level cache holds all … */
    SHARED_BINS = 1 << 8,  /* … above so many, where the first elements are not skewed */
    SKEWED = 4,            /* counters a bin in the table for skewed tiles … */
    SKEWED_BINS = 1 << 18, /* … up to so many bins */
    SKEW = 16,             /* a tile is skewed when more than one in so many elements equals the next */
    FAR_BINS = 1 << 17,    /* from so many bins on, counters are fetched ahead of time … */
    FAR = 32,              /* … by so many elements */
    FEW = 32,   /* up to so many elements a bin, these have one counter each: more take too long to clear and add up */
    DIRECT = 4, /* up to bins / 4 elements are counted in the result itself */
    MERGED = 1024 /* bins that are added up at a time */
};
static const uint64_t ROUND = (uint64_t)1 << 31;

typedef struct tables { /* of one worker */
    uint32_t *plain;    /* `copies` counters for each bin and for what has none */
    uint32_t *skewed;   /* SKEWED for each; NULL where there is no such table */
    uint32_t *bins;     /* of a tile */
    void *buffer;       /* for a tile of the input */
    bool skewed_used;
} tables;

typedef struct counting {
    const ww_device *device;
    const ww_input *in;
    const ww__binning *binning;
    const ww_array *counts;
    tables *tables;
    size_t workers, tile, copies;
    bool by_ballots;
    uint32_t bins;
    uint64_t first, end, next; /* of the round */
    uint64_t outside;
    ww__fault *fault;
} counting;

/* ---- the bins of a tile ---- */

typedef struct tile_loops {
    uint32_t (*clamp)(uint32_t *b, size_t n, uint32_t bins); /* to `bins`; returns the largest before */
    uint32_t (*neighbours)(const uint32_t *b, size_t n);     /* how many equal the next */
    void (*widen)(uint64_t *to, const uint32_t *counters, size_t n);
} tile_loops;

#define TILE_LOOPS(width, unused) \
    WW__LOOP(width) uint32_t clamp_##width(uint32_t *WW__R b, size_t n, uint32_t bins) { \
        uint32_t most = 0; \
        for (size_t i = 0; i < n; i++) { \
            const uint32_t x = b[i]; \
            most = x > most ? x : most; \
            b[i] = x < bins ? x : bins; \
        } \
        return most; \
    } \
    WW__LOOP(width) uint32_t neighbours_##width(const uint32_t *WW__R b, size_t n) { \
        uint32_t equal = 0; \
        for (size_t i = 0; i + 1 < n; i++) equal += b[i] == b[i + 1]; \
        return equal; \
    } \
    WW__LOOP(width) void widen_##width(uint64_t *WW__R to, const uint32_t *WW__R counters, size_t n) { \
        for (size_t i = 0; i < n; i++) to[i] = counters[i]; \
    } \
    static const tile_loops ww__loops_tile_##width = {clamp_##width, neighbours_##width, widen_##width};
WW__EACH_WIDTH(TILE_LOOPS, 0)
static const void *const loops_by_width[WW_VECTORS] = WW__TABLES(tile);

/* A tile's bins, clamped: elements that are such numbers already stay where they are. */
static const uint32_t *find_bins(const counting *c, const tables *t, uint64_t first, size_t n) {
    const tile_loops *loops = loops_by_width[c->device->vector];
    const void *const x = ww__input_read(c->device, c->in, first, n, t->buffer);
    if (c->binning->numbered && ww__span_of(c->device, x, false, n).most < c->bins) return x;
    c->binning->loop(c->binning->plan, t->bins, x, n);
    if (c->binning->clamped) return t->bins;
    const uint32_t most = loops->clamp(t->bins, n, c->bins);
    if (!c->binning->strict || most < c->bins) return t->bins;
    size_t i = 0;
    while (t->bins[i] < c->bins) i++;
    ww__fault_at(c->fault, first + i);
    return t->bins;
}

/* ---- counting a tile ---- */

#define SIXTEEN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

#define ONE_OF_1(l) counters[b[i + l]]++;
#define ONE_OF_4(l) counters[(size_t)b[i + l] * 4 + l % 4]++;
#define ONE_OF_8(l) counters[(size_t)b[i + l] * 8 + l % 8]++;
#define ONE_FAR(l) \
    __builtin_prefetch(&counters[b[i + l + FAR]], 1); \
    counters[b[i + l]]++;
/* counters[bin * copies + …]++; meanwhile asks for memory at `ahead`, `step` bytes for each sixteen elements. */
#define COUNT(name, copies, after, ONE) \
    static void name(uint32_t *WW__R counters, const uint32_t *WW__R b, size_t n, const char *ahead, size_t step) { \
        size_t i = 0; \
        for (; i + 16 + after <= n; i += 16, ahead += step) { \
            for (size_t k = 0; k < step; k += 64) __builtin_prefetch(ahead + k); \
            SIXTEEN(ONE) \
        } \
        for (; i < n; i++) counters[(size_t)b[i] * copies]++; \
    }
COUNT(count_plain, 1, 0, ONE_OF_1)
COUNT(count_far, 1, FAR, ONE_FAR)
COUNT(count_skewed, SKEWED, 0, ONE_OF_4)
COUNT(count_shared, SHARED, 0, ONE_OF_4)
COUNT(count_spread, SPREAD, 0, ONE_OF_8)

/* Where the input's next tile will be read: its first memory; step is 0 where it has none. */
static const char *next_in_memory(const counting *c, uint64_t next, size_t *step) {
    *step = 0;
    if (c->in->kind[0] != WW_STEP_MEMORY || next >= c->end) return "";
    const size_t size = ww__step_size(c->in, 0);
    *step = 16 * size;
    return (const char *)c->in->step[0].data + next * size;
}

static void count_tile(const counting *c, tables *t, uint64_t first, size_t n) {
    size_t step;
    const char *ahead = next_in_memory(c, first + n, &step);
    const uint32_t *const bins = find_bins(c, t, first, n);
    if (c->by_ballots) {
        ww__count_by_ballots(c->device, t->plain, c->bins, bins, n);
        return;
    }
    if (c->copies > 1) {
        (c->copies == SHARED ? count_shared : count_spread)(t->plain, bins, n, ahead, step);
        return;
    }
    const tile_loops *loops = loops_by_width[c->device->vector];
    if (t->skewed && loops->neighbours(bins, n) > n / SKEW) {
        if (!t->skewed_used) memset(t->skewed, 0, ((size_t)c->bins + 1) * SKEWED * sizeof *t->skewed);
        t->skewed_used = true;
        count_skewed(t->skewed, bins, n, ahead, step);
        return;
    }
    (c->bins < FAR_BINS ? count_plain : count_far)(t->plain, bins, n, ahead, step);
}

static void count_pieces(void *argument, size_t worker) {
    counting *c = argument;
    tables *t = &c->tables[worker];
    const uint64_t piece = c->tile * TILES_A_PIECE;
    memset(t->plain, 0, ((size_t)c->bins + 1) * c->copies * sizeof *t->plain);
    t->skewed_used = false;
    for (uint64_t first; (first = c->first + ww__claim_light(c->device, worker, &c->next) * piece) < c->end;) {
        const uint64_t end = ww__min_u64(first + piece, c->end);
        for (; first < end; first += c->tile) count_tile(c, t, first, (size_t)ww__min_u64(c->tile, end - first));
    }
}

/* ---- adding up the tables ---- */

#define ADD(copies) \
    case copies: \
        for (size_t i = 0; i < n; i++) \
            for (size_t k = 0; k < (copies); k++) sum[i] += counters[i * (copies) + k]; \
        return;
static void add_table(uint64_t *sum, const uint32_t *counters, uint64_t first, size_t n, size_t copies) {
    counters += first * copies;
    switch (copies) {
        ADD(1)
        ADD(SHARED)
        ADD(SPREAD)
    }
}
_Static_assert(SKEWED == SHARED, "there is a way to add it up");

/* Whether one table has all counts, one for each bin. */
static bool is_one_table(const counting *c) {
    return c->workers == 1 && c->copies == 1 && !c->tables[0].skewed_used && !c->first;
}

/* sum[i] = the counts of bin first + i in all tables. */
static void add_tables(const counting *c, uint64_t *sum, uint64_t first, size_t n) {
    memset(sum, 0, n * sizeof *sum);
    for (size_t w = 0; w < c->workers; w++) {
        add_table(sum, c->tables[w].plain, first, n, c->copies);
        if (c->tables[w].skewed_used) add_table(sum, c->tables[w].skewed, first, n, SKEWED);
    }
}

static void merge_pieces(void *argument, size_t worker) {
    counting *c = argument;
    const bool more = c->first > 0; /* earlier rounds have left counts */
    const tile_loops *const loops = loops_by_width[c->device->vector];
    uint64_t sum[MERGED];
    (void)worker;
    for (uint64_t first; (first = ww__claim(&c->next) * MERGED) < c->bins;) {
        const size_t n = (size_t)ww__min_u64(MERGED, c->bins - first);
        uint32_t *narrow = (uint32_t *)c->counts->data + first;
        uint64_t *wide = (uint64_t *)c->counts->data + first;
        if (is_one_table(c)) {
            const uint32_t *const plain = c->tables[0].plain + first;
            if (c->counts->size == sizeof *narrow)
                memcpy(narrow, plain, n * sizeof *narrow);
            else
                loops->widen(wide, plain, n);
            continue;
        }
        add_tables(c, sum, first, n);
        if (c->counts->type == &ww_type_uint32_t)
            for (size_t i = 0; i < n; i++) narrow[i] = (uint32_t)sum[i] + (more ? narrow[i] : 0);
        else
            for (size_t i = 0; i < n; i++) wide[i] = sum[i] + (more ? wide[i] : 0);
    }
}

static void count_round(ww_device *device, counting *c, uint64_t first) {
    uint64_t outside;
    c->first = first;
    c->end = ww__min_u64(first + ROUND, c->in->count);
    c->next = 0;
    ww__parallel_light(device, c->workers, (c->end - first) * c->in->size, count_pieces, c);
    c->next = 0;
    ww__parallel(device, ww__workers(device, c->workers * (uint64_t)c->bins * sizeof(uint32_t)), merge_pieces, c);
    add_tables(c, &outside, c->bins, 1);
    c->outside += outside;
}

/* ---- few elements and many bins ---- */

static void count_direct(counting *c) {
    tables *t = c->tables;
    memset(c->counts->data, 0, c->bins * c->counts->size);
    for (uint64_t first = 0; first < c->in->count; first += c->tile) {
        const size_t n = (size_t)ww__min_u64(c->tile, c->in->count - first);
        const uint32_t *const bins = find_bins(c, t, first, n);
        for (size_t i = 0; i < n; i++) {
            if (bins[i] == c->bins)
                c->outside++;
            else if (c->counts->type == &ww_type_uint32_t)
                ((uint32_t *)c->counts->data)[bins[i]]++;
            else
                ((uint64_t *)c->counts->data)[bins[i]]++;
        }
    }
}

/* Each worker's memory: its tables and buffers, each from a new line on. */
static ww_status take_tables(ww_device *device, counting *c, bool direct) {
    const size_t slots = direct ? 0 : (size_t)c->bins + 1;
    const bool skewed = !direct && c->bins > SPREAD_BINS && c->bins <= SKEWED_BINS;
    const size_t plain_bytes = ww__round_up(slots * c->copies * sizeof(uint32_t), 64);
    const size_t skewed_bytes = skewed ? ww__round_up(slots * SKEWED * sizeof(uint32_t), 64) : 0;
    const size_t bins_bytes = ww__round_up(c->tile * sizeof(uint32_t), 64);
    const size_t bytes = plain_bytes + skewed_bytes + bins_bytes + ww__input_room(c->in, c->tile);
    unsigned char *memory;
    WW_TRY(ww__scratch_array(device, c->workers, sizeof *c->tables, &c->tables));
    WW_TRY(ww__scratch_array(device, c->workers, bytes, &memory));
    if (device->on_paper) return WW_OK;
    for (size_t w = 0; w < c->workers; w++, memory += bytes) {
        tables *t = &c->tables[w];
        t->plain = (uint32_t *)(void *)memory;
        t->skewed = skewed ? (uint32_t *)(void *)(memory + plain_bytes) : NULL;
        t->bins = (uint32_t *)(void *)(memory + plain_bytes + skewed_bytes);
        t->buffer = memory + plain_bytes + skewed_bytes + bins_bytes;
        t->skewed_used = false;
    }
    return WW_OK;
}

/* Equal neighbours want more counters, which then are not as near: the first elements say which there are. */
static void choose_copies(counting *c) {
    enum { SEEN = 256 };
    const size_t n = (size_t)ww__min_u64(c->tile < SEEN ? c->tile : SEEN, c->in->count);
    const tile_loops *const loops = loops_by_width[c->device->vector];
    const bool few = c->in->count / FEW < c->bins;
    if (c->copies < SPREAD || (c->bins <= SHARED_BINS && !few) || !n) return;
    if (loops->neighbours(find_bins(c, c->tables, 0, n), n) > n / SKEW) return;
    c->copies = few ? 1 : SHARED;
}

ww_status ww__histogram_cpu(ww_device *device, ww_histogram_method method, const ww_input *in,
                            const ww__binning *binning, const ww_array *counts, const ww_array *outside,
                            ww__fault *fault) {
    if (in->size == 1 && method != WW_HISTOGRAM_WARP && in->count >= WW__BYTES_LEAST && counts->count <= in->count)
        return ww__histogram_bytes_cpu(device, in, binning, counts, outside, fault);
    counting c = {.device = device, .in = in, .binning = binning, .counts = counts, .fault = fault};
    c.bins = (uint32_t)counts->count;
    c.by_ballots = method == WW_HISTOGRAM_WARP;
    c.tile = ww__tile(in->size) < TILE ? ww__tile(in->size) : TILE;
    c.copies = c.by_ballots || c.bins > SPREAD_BINS ? 1 : SPREAD;
    const bool direct = c.bins > SPREAD_BINS && in->count <= c.bins / DIRECT;
    c.workers = direct ? 1 : ww__workers(device, in->count * in->size);
    ww__trace(device,
              direct         ? "direct"
              : c.by_ballots ? "warp"
                             : binning->method,
              binning->function, in->count, ww__input_bytes(in), c.workers);
    WW_TRY(take_tables(device, &c, direct));
    if (device->on_paper) return WW_OK;
    if (!direct) choose_copies(&c);
    if (direct)
        count_direct(&c);
    else
        for (uint64_t first = 0; !first || first < in->count; first += ROUND) count_round(device, &c, first);
    if (!ww__is_none(outside)) *(uint64_t *)outside->data = c.outside;
    return WW_OK;
}
