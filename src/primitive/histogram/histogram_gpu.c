/* The host side of histograms on a GPU: the result is cleared and one launch counts, of as many blocks as the GPU holds at
 * once; edges are looked over before, by a launch of their own. */
#include <math.h>
#include <string.h>

#include "primitive/histogram/histogram_arguments.cuh"
#include "primitive/histogram/histogram_gpu.h"

typedef unsigned long long ull;
typedef ww__counting counting;
typedef ww__counting_plan plan;

enum {
    BLOCK_BYTES = 64 << 10, /* of counters, while there is more than one copy */
    FEW_SLOTS = 2048,       /* up to so many bins are counted in shared memory for any count */
    EDGES_BANKS = 128,      /* bytes of all banks */
    EDGES_BYTES = 40 << 10, /* of edges and their copies */
    PAIR_BYTES = 32 << 10,  /* of pairs: of counters, while there is more than one copy, and of edges */
    PAIR_EDGES_BYTES = 24 << 10,
    PAIR_EDGES_MOST = 1024, /* edges of both sides; of more the bins are a map's */
    ROW_BYTES = 64,         /* in flight, a thread */
    SLOTS_LEAST = 64,
    PARTS_MOST = 4,
    WARP = 32
};

/* Measured on an H100, 2026-11, whose processors have 227 KiB of shared memory. */
static const struct tuning {
    uint32_t threads, threads_alone; /* alone: where a processor holds one block only */
    uint32_t rows_most, edges_most;  /* copies of the edges */
    uint32_t copies, copies_more;    /* of the counters; of more than SLOTS_LEAST */
    uint32_t whole_slots;            /* counters of 32 bits, at most */
    uint32_t half_slots, half_most;  /* counters of 16 bits: so many, or more in parts of half_most */
    uint32_t held_most;              /* blocks of a processor */
    uint32_t byte_threads;
    uint64_t bytes_least,
        bytes_many; /* elements of one byte: of fewer counters are shared; of so many a thread has more at a time */
} tunings[WW__TILINGS] = {
    [WW__TILES_GPU] = {.threads = 512,
                       .threads_alone = 1024,
                       .rows_most = 4,
                       .edges_most = UINT32_MAX,
                       .copies = 32,
                       .copies_more = 32,
                       .whole_slots = 49152,
                       .half_slots = 65536,
                       .half_most = 114688,
                       .held_most = UINT32_MAX,
                       .byte_threads = 256,
                       .bytes_least = 1 << 13,
                       .bytes_many = 1 << 22},
    [WW__TILES_SMALL] = {.threads = 64,
                         .threads_alone = 64,
                         .rows_most = 2,
                         .edges_most = 2,
                         .copies = 32,
                         .copies_more = 4,
                         .whole_slots = 512,
                         .half_slots = 2048,
                         .half_most = 2048,
                         .held_most = 1,
                         .byte_threads = 64,
                         .bytes_least = 500,
                         .bytes_many = 5000},
};

static const struct tuning *tuning_of(const counting *c) { return &tunings[c->device->gpu->driver->tiles]; }

/* Counters that a program has room for: few programs for all numbers of bins. */
static void choose_slots(plan *p, uint64_t bins, const struct tuning *t) {
    p->parts = 1;
    p->halves = bins > t->whole_slots;
    p->slots = SLOTS_LEAST;
    if (p->halves) {
        p->slots = bins > t->half_slots ? t->half_most : t->half_slots;
        p->copies = 1;
        while (p->parts <= PARTS_MOST && (uint64_t)p->parts * p->slots < bins) p->parts++;
        return;
    }
    while (p->slots < bins && p->slots < t->whole_slots) p->slots *= 2;
    if (p->slots > t->whole_slots) p->slots = t->whole_slots;
    p->copies = p->slots > SLOTS_LEAST ? t->copies_more : t->copies;
}

size_t ww__counting_bytes(const counting *c, const plan *p) {
    const size_t size = c->edges ? c->edges->size : c->in->size, alignment = p->shared_edges && size > 4 ? size : 4;
    if (!p->shared_edges) return p->counters + 4;
    return ww__round_up(ww__round_up(p->counters, size) + (size_t)p->edges * p->shared_edges * size, alignment);
}

/* Of pairs: the edges of both sides, rounded up so that few programs do for all numbers of them. */
static uint32_t edges_of_pairs(const counting *c) {
    const uint64_t all = c->edges->count + c->down_edges->count;
    uint32_t room = SLOTS_LEAST;
    while (room < all) room += room & (room - 1) ? room / 3 : room / 2;
    return room;
}

static size_t shared_bytes(const counting *c, plan *p) {
    p->counters = (size_t)p->slots * p->copies * (p->halves ? 2 : 4);
    return ww__counting_bytes(c, p);
}

void ww__counting_read(const counting *c, plan *p, uint32_t most) {
    const struct tuning *const t = tuning_of(c);
    p->items = ww__batch_items(c->in, NULL);
    p->rows = (uint32_t)(ROW_BYTES / (p->items * c->in->size));
    if (p->rows > most / p->items) p->rows = most / p->items;
    p->rows = p->rows > t->rows_most ? t->rows_most : p->rows ? p->rows : 1;
    p->shared_edges = c->edges ? (uint32_t)(EDGES_BANKS / c->edges->size) : 0;
    if (p->shared_edges > t->edges_most) p->shared_edges = t->edges_most;
    if (!c->edges) return;
    p->edges = c->by == WW__BY_PAIRS ? edges_of_pairs(c) : p->slots + 1;
    const size_t bytes_most = c->by == WW__BY_PAIRS ? PAIR_EDGES_BYTES : EDGES_BYTES;
    while (p->shared_edges > 1 && (p->edges - 1) * p->shared_edges * c->edges->size > bytes_most) p->shared_edges /= 2;
}

/* No bins in shared memory. */
static void count_in_memory(const counting *c, plan *p) {
    p->copies = 0;
    p->parts = 1;
    p->halves = false;
    p->slots = SLOTS_LEAST; /* none of them is used */
    if (c->by != WW__BY_PAIRS) p->shared_edges = 0;
}

/* Few plans for all numbers of bins: where nothing compiles. */
static void general_slots(const counting *c, plan *p, uint64_t bins) {
    enum { SLOTS = 4096, COPIES = 4 };
    const uint32_t slots = (uint32_t)ww__min_u64(SLOTS, tuning_of(c)->whole_slots);
    p->parts = 1;
    p->slots = bins > SLOTS_LEAST ? slots : SLOTS_LEAST;
    p->copies = bins > SLOTS_LEAST ? 1 : COPIES;
    ww__counting_read(c, p, UINT32_MAX);
    p->shared_edges = 0;
    if (bins > slots) count_in_memory(c, p);
}

static void usual_slots(const counting *c, plan *p, uint64_t bins, uint64_t count) {
    const ww__driver *driver = c->device->gpu->driver;
    choose_slots(p, bins, tuning_of(c));
    ww__counting_read(c, p, UINT32_MAX);
    while (p->copies > 1 && (size_t)p->slots * p->copies * 4 > (c->by == WW__BY_PAIRS ? PAIR_BYTES : BLOCK_BYTES))
        p->copies /= 2;
    while (p->copies > 1 && shared_bytes(c, p) > driver->shared_most) p->copies /= 2;
    if (c->by != WW__BY_PAIRS && shared_bytes(c, p) > driver->shared_most) p->shared_edges = 0;
    if (p->parts > PARTS_MOST || shared_bytes(c, p) > driver->shared_most ||
        (p->slots > FEW_SLOTS && count / p->slots < driver->processors))
        count_in_memory(c, p);
}

static void count_in_shared_memory(const counting *c, plan *p) {
    const ww__driver *driver = c->device->gpu->driver;
    const struct tuning *const t = tuning_of(c);
    const uint64_t bins = c->counts->count, count = c->in->count;
    *p = (plan){.file = "primitive/histogram/histogram.cu", .kernel = "histogram", .general = p->general};
    p->threads = t->threads;
    if (p->general)
        general_slots(c, p, bins);
    else
        usual_slots(c, p, bins, count);
    p->shared = shared_bytes(c, p);
    if (2 * (p->shared + WW__BLOCK_OWN) > WW__PROCESSOR_BYTES) p->threads = t->threads_alone;
    uint64_t held = ww__min_u64(WW__PROCESSOR_BYTES / (p->shared + WW__BLOCK_OWN), WW__PROCESSOR_THREADS / p->threads);
    held = held ? ww__min_u64(held, t->held_most) : 1;
    /* All parts of a tile are counted at once. */
    p->blocks = ww__min_u64(ww__blocks(count, (uint64_t)p->threads * p->rows * p->items),
                            ww__blocks(driver->processors * held, p->parts)) *
                p->parts;
}

/* Elements of one byte: counters of each lane's own. */
static bool by_bytes(const counting *c, const plan *p) {
    return c->in->size == 1 && !p->general && c->method != WW_HISTOGRAM_WARP &&
           c->in->count >= tuning_of(c)->bytes_least;
}

static void count_bytes(const counting *c, plan *p) {
    enum { COLUMNS = 8 << 10 }; /* bytes of shared memory of a warp */
    const struct tuning *const t = tuning_of(c);
    const uint64_t count = c->in->count;
    *p = (plan){.file = "primitive/histogram/bytes.cu", .kernel = "byte_histogram", .parts = 1, .slots = SLOTS_LEAST};
    p->threads = t->byte_threads;
    while (p->threads / WARP * COLUMNS > c->device->gpu->driver->shared_most) p->threads /= 2;
    ww__counting_read(c, p, count < t->bytes_many ? 1 : UINT32_MAX);
    p->shared_edges = 0;
    p->shared = (size_t)p->threads / WARP * COLUMNS;
    const uint64_t held = ww__min_u64(WW__PROCESSOR_BYTES / (p->shared + WW__BLOCK_OWN), t->held_most);
    p->blocks = ww__min_u64(ww__blocks(count, (uint64_t)p->threads * p->rows * p->items),
                            c->device->gpu->driver->processors * held);
}

/* Whether a / span needs a division: see bins.cuh. */
static bool divides(double span) {
    uint64_t bits;
    const uint64_t significand = ((uint64_t)1 << 52) - 1;
    memcpy(&bits, &span, sizeof bits);
    return !(span > 1e-200 && span < 1e200) || (bits & significand) == significand;
}

static even_plan even_of(const ww__even *e) {
    even_plan p = {.low = e->low,
                   .range = e->range,
                   .whole = e->whole,
                   .upper = e->upper,
                   .lower = e->lower,
                   .low_double = e->low_double,
                   .high_double = e->high_double,
                   .span = e->span,
                   .inverse = e->span > 0 ? 1 / e->span : 0};
#if WW_HAS_U128
    p.low_u128[0] = (uint64_t)e->low_u128;
    p.low_u128[1] = (uint64_t)(e->low_u128 >> 64);
    p.range_u128[0] = (uint64_t)e->range_u128;
    p.range_u128[1] = (uint64_t)(e->range_u128 >> 64);
#endif
    return p;
}

static ww_status make_arguments(const counting *c, void *counts, void *outside, ww__arguments *a) {
    const histogram_fixed fixed = {.counts = counts,
                                   .outside = outside,
                                   .count = c->in->count,
                                   .bins = (uint32_t)c->counts->count,
                                   .shift = c->even ? c->even->shift : 0,
                                   .across = c->down_edges ? (uint32_t)c->edges->count - 1 : 0,
                                   .down = c->down_edges ? (uint32_t)c->down_edges->count - 1 : 0,
                                   .checking = c->checking};
    WW__ARGUMENTS(a, fixed);
    if (c->even) {
        const even_plan even = even_of(c->even);
        WW_TRY(ww__argument(c->device, a, &even, sizeof even, _Alignof(even_plan)));
    }
    WW_TRY(ww__argument_input(c->device, a, c->in));
    if (c->edges) WW_TRY(ww__argument_input(c->device, a, c->edges));
    return c->down_edges ? ww__argument_input(c->device, a, c->down_edges) : WW_OK;
}

/* What only one of the two kernels is made of. */
static void add_kernel(const counting *c, const plan *p, const void *counts, ww__recipe *r) {
    if (p->ballots) {
        ww__recipe_number(r, "WW_BALLOTS", p->ballots);
        ww__recipe_number(r, "WW_HELD", p->held);
        return;
    }
    ww__recipe_number(r, "WW_COPIES", p->copies);
    ww__recipe_number(r, "WW_HALVES", p->halves);
    ww__recipe_number(r, "WW_PARTS", p->parts);
    ww__recipe_number(r, "WW_PAIRS", p->halves && c->counts->size == 4 && (uintptr_t)counts % 8 == 0);
}

static void make_recipe(const counting *c, const plan *p, const void *counts, ww__recipe *r) {
    const bool floats = c->in->type->kind == WW_KIND_FLOAT;
    ww__recipe_begin(r, p->file);
    ww__recipe_number(r, "WW_THREADS", p->threads);
    ww__recipe_number(r, "WW_ROWS", p->rows);
    ww__recipe_batch(r, p->items);
    ww__recipe_number(r, "WW_SLOTS", p->slots);
    add_kernel(c, p, counts, r);
    ww__recipe_number(r, "WW_SHARED_EDGES", p->shared_edges);
    ww__recipe_number(r, "WW_EDGES", p->edges);
    ww__recipe_number(r, "WW_BY", (uint64_t)c->by);
    ww__recipe_number(r, "WW_KIND", floats ? 2 : c->in->type->kind == WW_KIND_SIGNED);
    ww__recipe_number(r, "WW_SIZE", c->in->size);
    ww__recipe_number(r, "WW_SHIFTED", c->even && c->even->shifted && !p->general);
    ww__recipe_number(r, "WW_DIVIDE", c->even && floats && divides(c->even->span));
    ww__recipe_number(r, "WW_STRICT", c->strict);
    ww__recipe_number(r, "WW_OUTSIDE", p->general || !ww__is_none(c->outside));
    ww__recipe_type(r, "ww_count", c->counts->type, c->counts->size, NULL);
    ww__recipe_input(r, "in", c->in);
    if (c->edges) ww__recipe_input(r, "edges", c->edges);
    if (c->down_edges) ww__recipe_input(r, "down_edges", c->down_edges);
}

static void choose_plan(const counting *c, const void *counts, plan *p, ww__recipe *r) {
    if (by_bytes(c, p))
        count_bytes(c, p);
    else
        (c->method == WW_HISTOGRAM_WARP ? ww__counting_by_warps : count_in_shared_memory)(c, p);
    make_recipe(c, p, counts, r);
}

static ww_status run(const counting *c) {
    ww_device *device = c->device;
    const bool asked = !ww__is_none(c->outside);
    const size_t bytes = (size_t)c->counts->count * c->counts->size;
    void *counts, *outside = NULL;
    WW_TRY(ww__gpu_room(device, c->counts->data, bytes, &counts));
    WW_TRY(ww__gpu_fill(device, counts, 0, bytes));
    if (asked) WW_TRY(ww__gpu_room(device, c->outside->data, sizeof(uint64_t), &outside));
    plan p = {.general = false};
    ww__recipe r;
    ww__arguments a;
    choose_plan(c, counts, &p, &r);
    if (!ww__gpu_has(device, &r)) {
        p.general = true;
        choose_plan(c, counts, &p, &r);
        if (!asked) WW_TRY(ww__scratch(device, sizeof(uint64_t), &outside)); /* counted in any case */
    }
    if (outside) WW_TRY(ww__gpu_fill(device, outside, 0, sizeof(uint64_t)));
    WW_TRY(make_arguments(c, counts, outside, &a));
    if (c->by == WW__BY_EDGES)
        WW_TRY(ww__gpu_launch(device, &r, "check_edges", ww__blocks(c->counts->count, p.threads), p.threads, 0, &a));
    if (c->in->count) WW_TRY(ww__gpu_launch(device, &r, p.kernel, p.blocks, p.threads, p.shared, &a));
    WW_TRY(ww__gpu_result(device, c->counts->data, counts, bytes));
    return asked ? ww__gpu_result(device, c->outside->data, outside, sizeof(uint64_t)) : WW_OK;
}

ww_status ww__histogram_even_gpu(ww_device *device, ww_histogram_method method, const ww_input *in,
                                 const ww__even *even, const ww_array *counts, const ww_array *outside) {
    const counting c = {.device = device,
                        .method = method,
                        .by = WW__BY_EVEN,
                        .in = in,
                        .even = even,
                        .counts = counts,
                        .outside = outside};
    return run(&c);
}

static ww_status say_edge(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    (void)call, (void)value;
    return ww__fail(device, WW_INVALID, "edges[%llu] is not above the edge before it", (ull)position);
}

ww_status ww__histogram_edges_gpu(ww_device *device, ww_histogram_method method, const ww_input *in,
                                  const ww_input *edges, const ww_array *counts, const ww_array *outside) {
    counting c = {.device = device,
                  .method = method,
                  .by = WW__BY_EDGES,
                  .in = in,
                  .edges = edges,
                  .counts = counts,
                  .outside = outside};
    WW_TRY(ww__gpu_checking_begin(device, say_edge, NULL, counts->count, &c.checking));
    return run(&c);
}

static ww_status say_bucket(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    (void)value;
    return ww__fail(device, WW_RANGE, "in[%llu]: %s gives no bucket below %llu", (ull)position, call->name,
                    (ull)call->limit);
}

ww_status ww__histogram_gpu(ww_device *device, ww_histogram_method method, const ww_function *bucket_of,
                            const ww_input *in, const ww_array *counts, const ww_array *outside) {
    const ww_input buckets = ww_mapped(bucket_of, *in);
    counting c = {
        .device = device, .method = method, .by = WW__BY_MAP, .in = &buckets, .counts = counts, .outside = outside};
    WW_TRY(ww__check_input(device, "in", &buckets));
    c.strict = ww__is_none(outside);
    if (c.strict) WW_TRY(ww__gpu_checking_begin(device, say_bucket, bucket_of->name, counts->count, &c.checking));
    return run(&c);
}

bool ww__histogram_pairs_suits(const ww_input *edges, const ww_input *down_edges) {
    return edges->count + down_edges->count <= PAIR_EDGES_MOST;
}

ww_status ww__histogram_pairs_gpu(ww_device *device, const ww_input *pairs, const ww_input *edges,
                                  const ww_input *down_edges, const ww_array *counts, const ww_array *outside) {
    return run(&(counting){.device = device,
                           .method = WW_HISTOGRAM_SHARED,
                           .by = WW__BY_PAIRS,
                           .in = pairs,
                           .edges = edges,
                           .down_edges = down_edges,
                           .counts = counts,
                           .outside = outside});
}
