/* Workers claim pieces of 16 tiles of the input in order, so that what loops ask for ahead is their own. What a predicate says of a tile are bytes in the worker's buffer, which are added
 * up, or looked through for the first that is wanted. A first position that a worker finds is kept if it is the lowest;
 * nobody looks at tiles behind it. Every piece before it has been claimed by then, and is looked through to its end or to where
 * a lower one is found: so what is kept in the end is the lowest of all. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"
#include "primitive/query/numbers.h"
#include "primitive/query/sides.h"

enum { TILES_A_PIECE = 16 };

typedef struct asking {
    const ww_device *device;
    const ww_input *in;
    const ww_map_loops *predicate; /* with its environment; or NULL */
    const void *environment;
    const ww_less_loops *order;
    const ww__number_loops *numbers; /* of a built-in order; else NULL */
    bool falls, holds;
    size_t tile, in_room, room; /* elements of a tile; bytes of a worker's buffer, for elements, and all of it */
    unsigned char *buffers;
    uint64_t next, lowest, count; /* atomic */
} asking;

/* Elements behind one another for each tile: a descent lies between two. */
static ww_status prepare(ww_device *device, asking *a, bool marks, size_t *workers) {
    const ww_input *in = a->in;
    a->tile = ww__tile(in->size);
    a->in_room = ww__input_room(in, a->tile + !marks);
    a->room = ww__round_up(a->in_room, 64) + (marks ? ww__round_up(a->tile, 64) : 0);
    *workers = ww__workers(device, in->count * in->size);
    return ww__scratch_array(device, *workers, a->room, &a->buffers);
}

/* A byte for each element of the tile: 1 where the predicate holds, else 0. */
static const unsigned char *marks_of(const asking *a, uint64_t first, size_t n, unsigned char *buffer) {
    unsigned char *marks = buffer + ww__round_up(a->in_room, 64);
    a->predicate->mask(marks, ww__input_read(a->device, a->in, first, n, buffer), NULL, a->environment, n);
    return marks;
}

/* ---- counting ---- */

/* The sum of bytes that are 0 or 1: eight are added at once, 255 times before a byte could overflow. */
static uint64_t sum_of_marks(const unsigned char *marks, size_t n) {
    enum { LANES = 8, MOST = 255 };
    uint64_t sum = 0;
    size_t i = 0;
    while (i + 8 * LANES <= n) {
        uint64_t lane[LANES] = {0}, word[LANES];
        for (unsigned turn = 0; turn < MOST && i + 8 * LANES <= n; turn++, i += 8 * LANES) {
            memcpy(word, marks + i, sizeof word);
            for (size_t l = 0; l < LANES; l++) lane[l] += word[l];
        }
        for (size_t l = 0; l < LANES; l++) {
            const uint64_t even = (lane[l] & UINT64_C(0x00ff00ff00ff00ff)),
                           odd = lane[l] >> 8 & UINT64_C(0x00ff00ff00ff00ff);
            sum += (even + odd) * UINT64_C(0x0001000100010001) >> 48;
        }
    }
    for (uint64_t word; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, marks + i, sizeof word);
        sum += word * UINT64_C(0x0101010101010101) >> 56;
    }
    for (; i < n; i++) sum += marks[i];
    return sum;
}

static void count_tiles(void *argument, size_t worker) {
    asking *a = argument;
    const uint64_t piece = a->tile * TILES_A_PIECE;
    uint64_t count = 0;
    for (uint64_t first; (first = ww__claim_light(a->device, worker, &a->next) * piece) < a->in->count;)
        for (const uint64_t end = ww__min_u64(first + piece, a->in->count); first < end; first += a->tile) {
            const size_t n = (size_t)ww__min_u64(a->tile, end - first);
            count += sum_of_marks(marks_of(a, first, n, a->buffers + worker * a->room), n);
        }
    __atomic_fetch_add(&a->count, count, __ATOMIC_RELAXED);
}

ww_status ww__count_cpu(ww_device *device, const ww__count_request *r, uint64_t *count) {
    asking a = {.device = device,
                .in = r->in,
                .predicate = ww__loops(device, r->predicate),
                .environment = r->predicate->bound};
    size_t workers;
    *count = 0;
    WW_TRY(prepare(device, &a, true, &workers));
    if (device->on_paper) return WW_OK;
    ww__trace(device, "count", r->predicate, r->in->count, ww__input_bytes(r->in), workers);
    ww__parallel_light(device, workers, r->in->count * r->in->size, count_tiles, &a);
    *count = a.count;
    return WW_OK;
}

/* ---- the first position ---- */

/* n where there is none. */
static size_t first_mark(const asking *a, uint64_t first, size_t n, unsigned char *buffer) {
    const unsigned char *marks = marks_of(a, first, n, buffer), *at = memchr(marks, a->holds, n);
    return at ? (size_t)(at - marks) : n;
}

/* The same of elements that go before the one in front of them, which for the tile's first one is the last of the tile before. */
static size_t first_descent(const asking *a, uint64_t first, size_t n, unsigned char *buffer) {
    const size_t before = first != 0;
    const void *x = ww__input_read(a->device, a->in, first - before, n + before, buffer);
    const size_t sorted = !a->numbers ? a->order->sorted(x, n + before, a->environment)
                          : a->falls  ? a->numbers->sorted_falling(x, n + before)
                                      : a->numbers->sorted(x, n + before);
    return sorted - before;
}

static void keep_lowest(uint64_t *lowest, uint64_t position) {
    uint64_t kept = __atomic_load_n(lowest, __ATOMIC_RELAXED);
    while (position < kept &&
           !__atomic_compare_exchange_n(lowest, &kept, position, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static void look_through_tiles(void *argument, size_t worker) {
    asking *a = argument;
    const uint64_t piece = a->tile * TILES_A_PIECE;
    unsigned char *buffer = a->buffers + worker * a->room;
    /* `lowest` is at most the count, and falls. */
    for (uint64_t first; (first = ww__claim_light(a->device, worker, &a->next) * piece) <
                         __atomic_load_n(&a->lowest, __ATOMIC_RELAXED);)
        for (const uint64_t end = first + piece; first < end && first < __atomic_load_n(&a->lowest, __ATOMIC_RELAXED);
             first += a->tile) {
            const size_t n = (size_t)ww__min_u64(a->tile, a->in->count - first);
            const size_t at = a->predicate ? first_mark(a, first, n, buffer) : first_descent(a, first, n, buffer);
            if (at < n) keep_lowest(&a->lowest, first + at);
        }
}

ww_status ww__first_cpu(ww_device *device, const ww__first_request *r, uint64_t *position) {
    const ww_function *f = r->predicate ? r->predicate : r->less;
    asking a = {.device = device, .in = r->in, .environment = f->bound, .holds = r->holds, .lowest = r->in->count};
    size_t workers;
    if (r->predicate)
        a.predicate = ww__loops(device, f);
    else
        a.order = ww__loops(device, f);
    if (r->less) a.numbers = ww__number_loops_of(device, f, r->in->type, r->in->size, &a.falls);
    WW_TRY(prepare(device, &a, r->predicate != NULL, &workers));
    *position = 0;
    if (device->on_paper) return WW_OK;
    ww__trace(device, "first", f, r->in->count, ww__input_bytes(r->in), workers);
    ww__parallel_light(device, workers, r->in->count * r->in->size, look_through_tiles, &a);
    *position = a.lowest;
    return WW_OK;
}

/* ---- the least and the greatest ---- */

/* Each worker keeps the ends of the tiles that it has seen, and where they stand: of equal ones the lowest position wins. Equal
 * numbers are the same bytes, so that their positions do not matter. */
typedef struct ranging {
    const ww_device *device;
    const ww_input *in;
    const ww_less_loops *loops;
    const void *environment;
    const ww__number_loops *numbers;
    bool falls;
    size_t tile, room;
    unsigned char *ends, *buffers; /* two elements a worker */
    uint64_t (*position)[2];       /* one pair a worker */
    uint64_t next;
} ranging;

/* Whether x goes before y towards the least (the greatest) end. */
static bool further(const ranging *g, bool greatest, const void *x, const void *y) {
    return greatest ? g->loops->less(y, x, g->environment) : g->loops->less(x, y, g->environment);
}

static void keep_end(const ranging *g, bool greatest, unsigned char *kept, uint64_t *kept_at, const void *x,
                     uint64_t at) {
    if (further(g, greatest, kept, x)) return;
    if (*kept_at < at && !further(g, greatest, x, kept)) return;
    memcpy(kept, x, g->in->size);
    *kept_at = at;
}

static void range_tile(ranging *g, size_t worker, const unsigned char *x, uint64_t first, size_t n, bool begins) {
    const size_t size = g->in->size;
    unsigned char *ends = g->ends + worker * 2 * size;
    if (begins)
        for (int greatest = 0; greatest < 2; greatest++) {
            memcpy(ends + (greatest ? size : 0), x, size);
            g->position[worker][greatest] = first;
        }
    if (g->numbers) {
        g->numbers->ends(ends, x, n);
        return;
    }
    for (int greatest = 0; greatest < 2; greatest++) {
        const size_t at = g->loops->extreme(x, n, greatest, g->environment);
        keep_end(g, greatest, ends + (greatest ? size : 0), &g->position[worker][greatest], x + at * size, first + at);
    }
}

static void range_tiles(void *argument, size_t worker) {
    ranging *g = argument;
    unsigned char *buffer = g->buffers + worker * g->room;
    const uint64_t piece = g->tile * TILES_A_PIECE;
    bool begins = true;
    for (uint64_t first; (first = ww__claim_light(g->device, worker, &g->next) * piece) < g->in->count;)
        for (const uint64_t end = ww__min_u64(first + piece, g->in->count); first < end; first += g->tile) {
            const size_t n = (size_t)ww__min_u64(g->tile, end - first);
            range_tile(g, worker, ww__input_read(g->device, g->in, first, n, buffer), first, n, begins);
            begins = false;
        }
}

/* Adds another worker's ends to the first one's; a worker that came too late for a tile has none. */
static void join_ends(ranging *g, size_t worker) {
    const size_t size = g->in->size;
    const unsigned char *other = g->ends + worker * 2 * size;
    if (g->position[worker][0] == UINT64_MAX) return;
    if (g->position[0][0] == UINT64_MAX) {
        memcpy(g->ends, other, 2 * size);
        memcpy(g->position[0], g->position[worker], sizeof g->position[0]);
        return;
    }
    if (g->numbers)
        g->numbers->ends(g->ends, other, 2);
    else
        for (int greatest = 0; greatest < 2; greatest++)
            keep_end(g, greatest, g->ends + (greatest ? size : 0), &g->position[0][greatest],
                     other + (greatest ? size : 0), g->position[worker][greatest]);
}

ww_status ww__min_max_cpu(ww_device *device, const ww__min_max_request *r) {
    const size_t size = r->in->size, workers = ww__workers(device, r->in->count * size);
    ranging g = {.device = device,
                 .in = r->in,
                 .loops = ww__loops(device, r->less),
                 .environment = r->less->bound,
                 .tile = ww__tile(size)};
    g.numbers = ww__number_loops_of(device, r->less, r->in->type, size, &g.falls);
    g.room = ww__input_room(r->in, g.tile);
    WW_TRY(ww__scratch_array(device, workers, 2 * size, &g.ends));
    WW_TRY(ww__scratch_array(device, workers, g.room, &g.buffers));
    WW_TRY(ww__scratch_array(device, workers, sizeof *g.position, &g.position));
    if (device->on_paper) return WW_OK;
    for (size_t w = 0; w < workers; w++) g.position[w][0] = UINT64_MAX;
    ww__trace(device, "least, greatest", r->less, r->in->count, ww__input_bytes(r->in), workers);
    ww__parallel_light(device, workers, r->in->count * r->in->size, range_tiles, &g);
    for (size_t w = 1; w < workers; w++) join_ends(&g, w);
    memcpy(r->least->data, g.ends + (g.falls ? size : 0), size);
    memcpy(r->greatest->data, g.ends + (g.falls ? 0 : size), size);
    return WW_OK;
}
