/* Sorting arrays in the host's memory on a GPU, a chunk at a time, as large as the GPU's memory allows.
 *
 * What fits in one chunk makes one trip: there, sorted, back. Else there are two trips. The first one sorts chunks of neighbours
 * and leaves them as runs in the host's memory. For the second one the runs are cut (rank.c) so that the k-th pieces of all
 * runs together are the k-th chunk of the result: they go to the GPU in the order of runs, which is the input's, are sorted
 * there, stably, and come back in place. So the host merges nothing, each element goes over the bus four times, and a chunk
 * has the same size in both trips whatever the keys are.
 *
 * A trip is in step: while one chunk is sorted, the next one comes and the one before goes, each on a stream of its own, and then
 * all three streams meet. Chunks take turns in three buffers. Where several devices make a trip together (over.c), each takes the
 * next chunk that nobody has taken. */
#include "sort/large/large_gpu.h"
#include "device/gpu/gpu.h"
#include "function/function.h"
#include "radix/sweeps_gpu.h"
#include "sort/large/rank.h"
#include "sort/order.h"

typedef unsigned long long ull;

enum { BUFFERS = 3, CHUNK_LEAST = 1024 };

typedef struct elements {
    unsigned char *keys, *values;
} elements;

static const uint64_t NONE = UINT64_MAX;

typedef struct large {
    ww_device *device;
    const ww__sort_request *r;
    const ww__sorting *s;
    uint64_t chunk, chunks; /* elements of a chunk, but for the last; how many there are */
    uint64_t own, *next;    /* the next chunk of the trip: a counter of this call's own, or one that devices share */
    const uint32_t *stop;   /* atomic, of those who share: whether one of them has failed; or NULL */
    elements buffer[BUFFERS];
    elements from, to, runs;
    ww__runs sorted;              /* the runs, to be cut */
    uint64_t *begin, *end, *room; /* of the pieces of the chunk that comes next */
    uint64_t begins;              /* the chunk whose pieces `begin` has */
} large;

/* NONE when all are taken. */
static uint64_t take(const large *l) {
    if (l->stop && __atomic_load_n(l->stop, __ATOMIC_RELAXED)) return NONE;
    const uint64_t chunk = __atomic_fetch_add(l->next, 1, __ATOMIC_RELAXED);
    return chunk < l->chunks ? chunk : NONE;
}

static uint64_t chunk_first(const large *l, uint64_t chunk) { return chunk * l->chunk; }
static uint64_t chunk_count(const large *l, uint64_t chunk) {
    return ww__min_u64(l->chunk, l->s->keys.count - chunk_first(l, chunk));
}

/* ---- how much fits ---- */

static bool makes_positions(ww_sort_method method) {
    return method == WW_SORT_QUICK || method == WW_SORT_BITONIC || method == WW_SORT_MERGE_NETWORK ||
           method == WW_SORT_ODDEVEN;
}

/* Bytes of the counters of a sort's tiles, for each element: small tiles have as many counters. */
static const struct {
    size_t few, many; /* many: from 2^30 elements on */
} counter_bytes[WW__TILINGS] = {[WW__TILES_GPU] = {2, 4}, [WW__TILES_SMALL] = {8, 8}};

/* What ww_sort takes for an element besides the copy of it: as its declaration says. The lists of buckets of wide keys, which are
 * sorted so from 2^22 elements on, are less than a byte of each then. */
static size_t extra_bytes(const ww_device *device, const ww__sort_request *r) {
    enum { ORDERED = 40, WIDE = 8 };
    const ww__sorting *const s = &r->of;
    const bool many = s->keys.count >= (uint64_t)1 << 30;
    const ww__tiles tiles = device->gpu->driver->tiles;
    const size_t counters = many ? counter_bytes[tiles].many : counter_bytes[tiles].few;
    const bool moved = !s->values.steps || ww__sweeps_move(s->values.size, NULL);
    if (makes_positions(r->method)) return ORDERED;
    return counters + (moved ? 0 : many ? 16 : 8) + (s->keys.size >= WIDE);
}

static size_t element_bytes(const ww__sorting *s) { return s->keys.size + (s->values.steps ? s->values.size : 0); }

static size_t room_of(const ww_device *device, const ww__sort_request *r, uint64_t chunk, size_t buffers) {
    const size_t slack = ((size_t)1 << 20) + 4096;
    return chunk * ((buffers + 1) * element_bytes(&r->of) + extra_bytes(device, r)) + slack;
}

static uint64_t most_in(const ww_device *device, const ww__sort_request *r, size_t bytes, size_t buffers) {
    const size_t none = room_of(device, r, 0, buffers);
    return bytes < none ? 0 : (bytes - none) / (room_of(device, r, 1, buffers) - none);
}

/* One buffer for what fits at once. Who shares wants chunks of no more than `wanted`. */
static uint64_t chunk_in(const large *l, uint64_t most, uint64_t wanted, size_t *buffers) {
    const uint64_t n = l->s->keys.count;
    *buffers = BUFFERS;
    if (wanted) return ww__min_u64(wanted, most_in(l->device, l->r, most, BUFFERS));
    *buffers = most_in(l->device, l->r, most, 1) >= n ? 1 : BUFFERS;
    return *buffers == 1 ? n : most_in(l->device, l->r, most, BUFFERS);
}

/* Where the GPU's memory is in use by others, half as much is tried again, as long as that is enough. */
static ww_status hold_room(large *l, uint64_t wanted, size_t *buffers) {
    ww_device *device = l->device;
    const uint64_t memory = device->gpu->driver->memory, least = ww__min_u64(l->s->keys.count, CHUNK_LEAST);
    uint64_t most = device->scratch_limit ? device->scratch_limit : memory - memory / 8;
    l->chunk = chunk_in(l, most, wanted, buffers);
    WW_CHECK(device, l->chunk >= least, WW_LIMIT, "needs at least %zu bytes of the GPU's memory, and may have %llu",
             room_of(device, l->r, CHUNK_LEAST, BUFFERS), (ull)most);
    for (;;) {
        size_t fewer;
        const ww_status status = ww__scratch_hold(device, room_of(device, l->r, l->chunk, *buffers));
        const uint64_t half = chunk_in(l, most /= 2, wanted, &fewer);
        if (status != WW_MEMORY || half < least) return status;
        l->chunk = half;
        *buffers = fewer;
    }
}

static ww_status make_buffers(large *l, size_t buffers) {
    l->chunks = (l->s->keys.count - 1) / l->chunk + 1;
    for (size_t b = 0; b < buffers; b++) {
        WW_TRY(ww__scratch_array(l->device, l->chunk, l->s->keys.size, &l->buffer[b].keys));
        if (l->s->values.steps) WW_TRY(ww__scratch_array(l->device, l->chunk, l->s->values.size, &l->buffer[b].values));
    }
    return WW_OK;
}

/* ---- a trip ---- */

static ww_status copy_some(large *l, ww__aside aside, const elements *to, uint64_t to_first, const elements *from,
                           uint64_t from_first, uint64_t count) {
    ww__driver *driver = l->device->gpu->driver;
    const size_t key = l->s->keys.size, value = l->s->values.size;
    WW_TRY(ww__gpu_said(l->device, driver->copy_aside(driver, aside, to->keys + to_first * key,
                                                      from->keys + from_first * key, (size_t)count * key)));
    if (!l->s->values.steps) return WW_OK;
    return ww__gpu_said(l->device, driver->copy_aside(driver, aside, to->values + to_first * value,
                                                      from->values + from_first * value, (size_t)count * value));
}

static ww_status bring_neighbours(large *l, uint64_t chunk, const elements *to) {
    return copy_some(l, WW__ASIDE_IN, to, 0, &l->from, chunk_first(l, chunk), chunk_count(l, chunk));
}

/* Pieces begin where those of the chunk before ended, which is known where that was brought last. */
static ww_status bring_pieces(large *l, uint64_t chunk, const elements *to) {
    uint64_t brought = 0, *const begin = l->begin;
    if (l->begins != chunk) ww__rank_cut(&l->sorted, chunk_first(l, chunk), begin, l->room);
    ww__rank_cut(&l->sorted, chunk_first(l, chunk) + chunk_count(l, chunk), l->end, l->room);
    for (uint64_t run = 0; run < l->chunks; run++) {
        const uint64_t count = l->end[run] - begin[run];
        if (count) WW_TRY(copy_some(l, WW__ASIDE_IN, to, brought, &l->runs, begin[run], count));
        brought += count;
    }
    l->begin = l->end;
    l->end = begin;
    l->begins = chunk + 1;
    return WW_OK;
}

static ww_status sort_chunk(large *l, uint64_t chunk, const elements *b) {
    const uint64_t count = chunk_count(l, chunk);
    ww__sort_request r = *l->r;
    ww__sorting *const s = &r.of;
    s->keys_out = (ww_array){.data = b->keys, .count = count, .type = s->keys.type, .size = s->keys.size};
    s->keys = ww_from(s->keys_out);
    if (s->values.steps) {
        s->values_out = (ww_array){.data = b->values, .count = count, .type = s->values.type, .size = s->values.size};
        s->values = ww_from(s->values_out);
    }
    const ww__scratch_mark mark = ww__scratch_here(l->device);
    WW_TRY(ww__sort_by_method(l->device, &r));
    ww__scratch_back(l->device, &mark);
    return WW_OK;
}

static ww_status meet(large *l) {
    ww__driver *driver = l->device->gpu->driver;
    return ww__gpu_said(l->device, driver->meet(driver));
}

typedef ww_status bringing(large *l, uint64_t chunk, const elements *to);

/* Memory that is not pinned is copied while the host waits: sorting is queued first. */
static ww_status make_trip(large *l, bringing *bring, const elements *to) {
    uint64_t sorts = NONE, goes = NONE;
    for (size_t step = 0;; step++) {
        const uint64_t comes = take(l);
        const elements *const coming = &l->buffer[step % BUFFERS], *const sorting = &l->buffer[(step + 2) % BUFFERS],
                              *const going = &l->buffer[(step + 1) % BUFFERS];
        if (comes == NONE && sorts == NONE && goes == NONE) return WW_OK;
        WW_TRY(meet(l));
        if (sorts != NONE) WW_TRY(sort_chunk(l, sorts, sorting));
        if (goes != NONE) WW_TRY(copy_some(l, WW__ASIDE_OUT, to, chunk_first(l, goes), going, 0, chunk_count(l, goes)));
        if (comes != NONE) WW_TRY(bring(l, comes, coming));
        goes = sorts;
        sorts = comes;
    }
}

/* All copies have ended when it returns, failed or not. */
static ww_status make_whole_trip(large *l, bringing *bring, const elements *to) {
    ww__driver *driver = l->device->gpu->driver;
    ww_status status = make_trip(l, bring, to);
    if (!status) status = meet(l);
    if (status == WW_LOST) return status;
    if (status) {
        if (!driver->meet(driver)) driver->sync(driver);
        return status;
    }
    WW_TRY(ww__gpu_said(l->device, driver->sync(driver)));
    return ww__gpu_look(l->device);
}

/* ---- one trip or two ---- */

static ww_status find_runs(large *l) {
    l->sorted = ww__runs_of(l->s, l->runs.keys, l->chunk);
    WW_TRY(ww__host_scratch(l->device, 4 * l->chunks * sizeof *l->begin, &l->begin));
    l->end = l->begin + l->chunks;
    l->room = l->end + l->chunks;
    l->begins = 0;
    for (uint64_t run = 0; run < l->chunks; run++) l->begin[run] = chunk_first(l, run);
    return WW_OK;
}

static ww_status make_runs(large *l) {
    WW_TRY(find_runs(l));
    WW_TRY(make_whole_trip(l, bring_neighbours, &l->runs));
    l->own = 0;
    return make_whole_trip(l, bring_pieces, &l->to);
}

/* Pinned memory, which goes over the bus at its full rate, for one copy of all. */
static ww_status sort_by_runs(large *l) {
    const uint64_t n = l->s->keys.count;
    const size_t key_bytes = (size_t)n * l->s->keys.size, bytes = (size_t)n * element_bytes(l->s);
    unsigned char *memory;
    WW_TRY(ww__pinned_scratch(l->device, bytes, &memory));
    l->runs = (elements){memory, memory + key_bytes};
    return make_runs(l);
}

static unsigned char *memory_of(const ww_input *in) {
    return in->steps ? (unsigned char *)(uintptr_t)ww__input_memory(in) : NULL; /* which is only read */
}

static large large_of(ww_device *device, const ww__sort_request *r) {
    const ww__sorting *const s = &r->of;
    return (large){.device = device,
                   .r = r,
                   .s = s,
                   .from = {memory_of(&s->keys), memory_of(&s->values)},
                   .to = {s->keys_out.data, s->values_out.data}};
}

ww_status ww__sort_large_gpu(ww_device *device, const ww__sort_request *r) {
    large l = large_of(device, r);
    size_t buffers;
    if (!l.s->keys.count) return WW_OK;
    WW_CHECK(device, !ww__gpu_capturing(device), WW_UNSUPPORTED, "waits for the GPU, and cannot be part of a graph");
    l.next = &l.own;
    WW_TRY(hold_room(&l, 0, &buffers));
    WW_TRY(make_buffers(&l, buffers));
    if (device->on_paper) return sort_chunk(&l, 0, &l.buffer[0]);
    return l.chunks == 1 ? make_whole_trip(&l, bring_neighbours, &l.to) : sort_by_runs(&l);
}

/* ---- one of several devices ---- */

ww_status ww__large_gpu_hold(ww_device *device, const ww__sort_request *r, uint64_t wanted, uint64_t *chunk) {
    large l = large_of(device, r);
    size_t buffers;
    WW_CHECK(device, !ww__gpu_capturing(device), WW_UNSUPPORTED, "waits for the GPU, and cannot be part of a graph");
    WW_TRY(hold_room(&l, wanted, &buffers));
    *chunk = l.chunk;
    return WW_OK;
}

ww_status ww__large_gpu_trip(ww_device *device, const ww__large_share *share, unsigned trip) {
    large l = large_of(device, share->r);
    const ww__scratch_mark mark = ww__scratch_here(device);
    l.chunk = share->chunk;
    l.next = share->next;
    l.stop = share->stop;
    l.runs = (elements){share->runs, share->runs + l.s->keys.count * l.s->keys.size};
    WW_TRY(make_buffers(&l, BUFFERS));
    if (trip) WW_TRY(find_runs(&l));
    WW_TRY(make_whole_trip(&l, trip ? bring_pieces : bring_neighbours, trip ? &l.to : &l.runs));
    ww__scratch_back(device, &mark);
    return WW_OK;
}
