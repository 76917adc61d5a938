/* Searches by tiles of needles, which threads claim.
 *
 * Needles of a tile that are in order are looked for between where the first and the last of them belong. Where that is
 * not many more elements than needles they are merged, and what came before a needle is its position; else every
 * sixteenth is looked for first, and those between two of them between their places. Other tiles are searched sixteen or
 * more needles in step; in arrays larger than the caches, and for many needles, through samples. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "primitive/search/sampled.h"
#include "primitive/search/sides.h"

enum {
    TILE_MOST = 1024, /* needles */
    TILE_LEAST = 16,
    TILE_BYTES = 8192, /* of needles */
    WORKER_BYTES = 60 * 1024,
    MERGE_MOST = 3,          /* times as many elements as needles */
    ORDERED_LEAST = 16,      /* needles, that it is worth to look whether they are in order */
    GROUP = 16,              /* needles in order that are looked for between the same places */
    SAMPLED_BYTES = 1 << 20, /* an array that is worth samples */
    SAMPLES_BYTES = 1 << 15, /* all samples */
    NEEDLES_A_SAMPLE = 2     /* that make up for taking it */
};

typedef struct searching {
    const ww_device *device;
    const ww_less_loops *loops;
    const void *environment;    /* of the order */
    ww__sampled_bound *through; /* the samples; NULL: there are none */
    ww__sampled samples;
    const unsigned char *sorted;
    uint64_t n;
    size_t size;
    const ww_input *needles;
    bool upper;
    unsigned char *out;
    size_t out_size; /* 4 or 8 */
    bool streaming;
    size_t tile, room;
    unsigned char *buffers;
    uint64_t next;
} searching;

typedef struct searcher { /* a worker's buffers */
    uint64_t *found;
    unsigned char *needles, *merged;
    uint8_t *from;
} searcher;

static size_t room_of(const searching *s, size_t tile) {
    const size_t both = tile * (MERGE_MOST + 1);
    return ww__round_up(tile * sizeof(uint64_t), 64) + ww__round_up(both * s->size, 64) + ww__round_up(both, 64) +
           ww__input_room(s->needles, tile);
}

static searcher searcher_of(const searching *s, unsigned char *buffer) {
    const size_t both = s->tile * (MERGE_MOST + 1);
    searcher w = {.found = (uint64_t *)(void *)buffer};
    w.merged = buffer + ww__round_up(s->tile * sizeof(uint64_t), 64);
    w.from = w.merged + ww__round_up(both * s->size, 64);
    w.needles = w.from + ww__round_up(both, 64);
    return w;
}

/* Needles in order, all of which belong at `first` … `first` + n: lower bounds stand before their equals, upper ones behind. */
static void find_by_merge(const searching *s, searcher *w, const void *needles, size_t m, uint64_t first, size_t n) {
    const void *part = s->sorted + first * s->size;
    if (s->upper)
        s->loops->merge(w->merged, part, n, needles, m, w->from, s->environment);
    else
        s->loops->merge(w->merged, needles, m, part, n, w->from, s->environment);
    const uint8_t of_part = s->upper ? 0 : 1;
    size_t k = 0;
    for (size_t i = 0; k < m; i++) {
        w->found[k] = first + (i - k);
        k += w->from[i] != of_part;
    }
}

/* Needles in order, all of which belong at `first` … `last`. */
static void find_by_groups(const searching *s, searcher *w, const unsigned char *needles, size_t m, uint64_t first,
                           uint64_t last) {
    const size_t size = s->size, groups = (m + GROUP - 1) / GROUP;
    uint64_t places[TILE_MOST / GROUP + 1];
    for (size_t g = 0; g < groups; g++) memcpy(w->merged + g * size, needles + g * GROUP * size, size);
    s->loops->bound(places, s->sorted + first * size, (size_t)(last - first), w->merged, groups, s->upper,
                    s->environment);
    places[groups] = last - first;
    for (size_t g = 0; g < groups; g++) {
        const size_t at = g * GROUP, many = m - at < GROUP ? m - at : GROUP;
        const uint64_t low = first + places[g], high = first + places[g + 1];
        s->loops->bound(w->found + at, s->sorted + low * size, high > low ? (size_t)(high - low) : 0,
                        needles + at * size, many, s->upper, s->environment);
        for (size_t k = at; k < at + many; k++) w->found[k] += low;
    }
}

static bool find_in_order(const searching *s, searcher *w, const unsigned char *needles, size_t m) {
    if (m < ORDERED_LEAST || s->loops->sorted(needles, m, s->environment) != m) return false;
    uint64_t first, last;
    s->loops->bound(&first, s->sorted, s->n, needles, 1, s->upper, s->environment);
    s->loops->bound(&last, s->sorted, s->n, needles + (m - 1) * s->size, 1, s->upper, s->environment);
    if (last < first) return false; /* `sorted` is not */
    if (last - first > MERGE_MOST * m) {
        find_by_groups(s, w, needles, m, first, last);
    } else if (last > first) {
        find_by_merge(s, w, needles, m, first, (size_t)(last - first));
    } else {
        for (size_t k = 0; k < m; k++) w->found[k] = first;
    }
    return true;
}

static void put(const searching *s, searcher *w, uint64_t first, size_t m) {
    if (s->out_size == sizeof(uint32_t)) {
        uint32_t *narrow = (uint32_t *)(void *)w->merged;
        for (size_t k = 0; k < m; k++) narrow[k] = (uint32_t)w->found[k];
        ww__stream(s->device, s->out + first * sizeof *narrow, narrow, m * sizeof *narrow, s->streaming);
    } else {
        ww__stream(s->device, s->out + first * sizeof(uint64_t), w->found, m * sizeof(uint64_t), s->streaming);
    }
}

static void search_tiles(void *argument, size_t worker) {
    searching *s = argument;
    searcher w = searcher_of(s, s->buffers + worker * s->room);
    for (uint64_t first; (first = ww__claim(&s->next) * s->tile) < s->needles->count;) {
        const size_t m = (size_t)ww__min_u64(s->tile, s->needles->count - first);
        const void *needles = ww__input_read(s->device, s->needles, first, m, w.needles);
        if (!find_in_order(s, &w, needles, m)) {
            if (s->through)
                s->through(w.found, &s->samples, needles, m, s->upper);
            else
                s->loops->bound(w.found, s->sorted, s->n, needles, m, s->upper, s->environment);
        }
        put(s, &w, first, m);
    }
    ww__stream_done();
}

/* Takes samples where they pay. */
static ww_status take_samples(ww_device *device, searching *s, const ww_function *order) {
    const uint64_t most = SAMPLES_BYTES / s->size;
    if (s->n * s->size < SAMPLED_BYTES || s->needles->count / NEEDLES_A_SAMPLE < most) return WW_OK;
    s->through = ww__sampled_of(order);
    if (!s->through) return WW_OK;
    unsigned char *taken;
    const uint64_t stride = (s->n + most - 1) / most;
    s->samples = (ww__sampled){s->sorted, NULL, s->n, stride, s->n / stride};
    WW_TRY(ww__scratch_array(device, s->samples.count, s->size, &taken));
    if (device->on_paper) return WW_OK;
    for (uint64_t k = 0; k < s->samples.count; k++)
        memcpy(taken + k * s->size, s->sorted + ((k + 1) * stride - 1) * s->size, s->size);
    s->samples.samples = taken;
    return WW_OK;
}

static void choose_tile(searching *s) {
    s->tile = TILE_BYTES / s->size;
    if (s->tile > TILE_MOST) s->tile = TILE_MOST;
    while (s->tile > TILE_LEAST && room_of(s, s->tile) > WORKER_BYTES) s->tile /= 2;
    if (s->tile < TILE_LEAST) s->tile = TILE_LEAST;
    s->room = room_of(s, s->tile);
}

static uint64_t steps_of(uint64_t n) { return n ? 64 - (uint64_t)__builtin_clzll(n) : 0; }

ww_status ww__search_cpu(ww_device *device, const ww__search_request *r) {
    const ww_input *const sorted = r->sorted, *const needles = r->needles;
    const ww_array *const out = r->out;
    searching s = {.device = device,
                   .loops = ww__loops(device, r->order),
                   .environment = r->order->bound,
                   .n = sorted->count,
                   .size = sorted->size,
                   .needles = needles,
                   .upper = r->upper,
                   .out = out->data,
                   .out_size = out->size,
                   .streaming = ww__streams(device, out->count * out->size)};
    const void *memory;
    WW_TRY(ww__input_in_memory(device, sorted, &memory));
    s.sorted = memory;
    WW_TRY(take_samples(device, &s, r->order));
    choose_tile(&s);
    /* A step of a search costs about what eight bytes that are moved do. */
    const uint64_t bytes = needles->count * (1 + steps_of(s.n)) * 8;
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, s.through ? "samples" : "in step", r->order, needles->count, bytes, workers);
    WW_TRY(ww__scratch_array(device, workers, s.room, &s.buffers));
    ww__parallel(device, workers, search_tiles, &s);
    return WW_OK;
}
