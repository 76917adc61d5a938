/* The host side of reduction by segments on a GPU: a launch, or up to three, none of which waits for what another one found. */
#include "device/gpu/batch.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/merge/order_gpu.h"
#include "primitive/reduce/fold_gpu.h"
#include "primitive/reduce/segments_arguments.cuh"
#include "primitive/reduce/sides.h"

typedef unsigned long long ull;

enum {
    THREADS = 256,
    WARP = 32,
    WARPS = THREADS / WARP,
    BLOCKS_A_PROCESSOR = 8,
    WARPS_A_PROCESSOR =
        16,      /* are to be there before warps get several segments; twice as many where nothing compiles */
    AT_ONCE = 4, /* blocks that a processor holds surely, of one launch */
    ELEMENT_MOST = 1024,
    SHORT_MOST = 256,       /* elements of segments that are folded where they are found, if most are short; */
    LONG_LEAST = 128,       /* from so many on, on average, a warp has one segment; */
    BEST_LONG_LEAST = 512,  /* by an order */
    SEEN = 128,             /* long segments at most, where each block finds them all, */
    SEEN_LEAST = 1024,      /* elements of one there, where a warp has a segment */
    FETCHED_MOST = 1 << 24, /* bytes of an input that is asked for before the segments are known */
    BLOCK_LEAST = 256,      /* elements of a segment, on average, of which a block has one where there are few; */
    BLOCK_TILES = 4,        /* tiles that it folds itself, */
    BLOCK_MOST = 1 << 14,   /* by an order so many elements */
    BLOCK_BYTES = 16,       /* of an element in shared memory */
    WARP_LEAST = 128,       /* by an order a warp folds segments of so many elements */
    WARP_MOST = 4096,       /* up to so many */
    STAGE_BYTES = 4096,     /* of shared memory a warp */
    STAGED_MOST = 16        /* bytes of elements that go through it */
};

/* struct ww_listed. */
enum { LISTED_BYTES = 4 * sizeof(uint64_t) };

static ww_status say_offset(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    if (value > call->limit)
        return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, and the input has %llu elements", (ull)position,
                        ww__number_said(call->name, value).text, (ull)call->limit);
    return ww__fail(device, WW_RANGE, "offsets[%llu] is %llu, below the one before it", (ull)position, (ull)value);
}

/* What the longer segments need, unless offsets are bad. */
typedef struct rooms {
    uint64_t list, several, tiles;
} rooms;

static rooms rooms_of(uint64_t count, uint64_t segments, uint32_t longest_short, uint32_t tile) {
    rooms r = {.list = ww__min_u64(count / (longest_short + 1), segments)};
    r.several = ww__min_u64(count / ((uint64_t)(longest_short > tile ? longest_short : tile) + 1), segments);
    r.tiles = r.list + count / tile;
    return r;
}

/* By an operator, or (op is NULL) elements with their positions by an order. */
typedef struct segments_fold {
    const ww_function *op, *less;
    bool greatest;
    const ww_input *in, *offsets;
    uint64_t segments;
    size_t size;                  /* bytes of what is folded, at most */
    void *out;                    /* by an operator: in memory that kernels reach */
    const ww_array *position_out; /* by an order */
} segments_fold;

/* How segments are dealt out. */
typedef struct dealing {
    uint64_t each;            /* segments of a warp */
    bool lone;                /* one, and the program is of that */
    bool long_ones;           /* they are, on average */
    bool at_once;             /* one launch */
    bool seen;                /* each block finds all long segments, */
    uint32_t samples;         /* by so many offsets a thread, */
    uint64_t stride, sampled; /* which are every so many-th, of so many segments */
    bool block;               /* a block has a segment */
    uint32_t way;             /* WW_WAY of the kernel */
    uint32_t short_most, whole_most;
    rooms room;
    uint64_t blocks;
    uint32_t threads, held, flying; /* of a block; held: blocks that a processor holds, or 0 */
} dealing;

/* How all threads of a block fold elements together; 0: they do not, a team folds a tile. */
static uint32_t way_of(const segments_fold *s, const ww__folding *f) {
    const ww_kind kind = s->in->type->kind;
    const bool exact = !s->op || kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED;
    if (!f->commuting || f->items > 1 || (s->op && s->size > BLOCK_BYTES)) return 0;
    return exact ? 2 : s->in->size < sizeof(uint32_t) ? 0 : 1;
}

/* Whether each block can find all long segments by itself: there are few at most, whose tiles' results are a tile or folded in any order. A
 * sample of the offsets tells blocks that there is none: it has a.whole_most elements if segments are four times as long as they are on average. */
static bool sees_all(const segments_fold *s, const ww__folding *f, uint64_t mean, dealing *d) {
    enum { SLACK = 4, SAMPLES = 4 };
    const uint64_t stride = d->whole_most / (SLACK * mean + 1);
    d->stride = stride ? stride : 1;
    d->sampled = d->room.list ? s->segments : 0;
    const uint64_t samples = ww__blocks(ww__blocks(d->sampled, d->stride), d->threads);
    d->samples = samples > 1 ? (uint32_t)samples : 1;
    const bool any_order = !s->op || d->way == 2;
    d->seen = samples <= SAMPLES && d->room.list <= SEEN && (any_order || d->room.tiles <= f->tile);
    return d->seen;
}

/* What is long for a warp need not be where all blocks can share it at once. */
static void see_from_warps(const segments_fold *s, const ww__folding *f, uint64_t mean, dealing *d) {
    enum { MEANS = 8 };
    dealing of = *d;
    uint64_t enough = s->in->count / SEEN;
    if (enough < SEEN_LEAST) enough = SEEN_LEAST;
    if (enough < MEANS * mean) enough = MEANS * mean;
    if (of.whole_most > enough) of.whole_most = (uint32_t)enough;
    if (of.short_most > of.whole_most) of.short_most = of.whole_most;
    of.room = rooms_of(s->in->count, s->segments, of.whole_most, f->tile);
    if (sees_all(s, f, mean, &of)) *d = of;
}

/* Threads of a block that has a segment, blocks that a processor holds at least (0: as it happens), elements of 4 bytes that a thread has on
 * their way: each costs code, which comes from memory, and registers. Measured on an H100, 2026-11-28 (bench/results/2026-11-28-h100-segments):
 * of 976 segments of 1,024 sums take 1.1 to 1.25 times as long in blocks of 256, of 200 of 5,000 1.2 times in blocks of 128. */
enum { SHORT_SUMS, SUMS, MANY_SUMS, BESTS, BLOCK_PLANS };
static const struct {
    uint32_t threads, held, flying;
} block_plan[BLOCK_PLANS] =
    {[SHORT_SUMS] = {256, 0, 2}, [SUMS] = {256, 0, 8}, [MANY_SUMS] = {128, 8, 8}, [BESTS] = {128, 8, 8}};

/* A block has a segment, which CUB's have too: where segments are few, or too long for a warp. A very long one is many blocks'. */
static void deal_to_blocks(const segments_fold *s, const ww__folding *f, uint64_t mean, uint64_t processors,
                           dealing *d) {
    enum { SHORT = 512 };
    const uint64_t most = s->op ? (uint64_t)BLOCK_TILES * f->tile : BLOCK_MOST;
    const bool few = s->segments <= AT_ONCE * processors;
    dealing of = *d;
    if (!d->way || mean < (s->op ? BLOCK_LEAST : BEST_LONG_LEAST) || mean > most) return;
    of.block = true;
    of.whole_most = of.short_most = (uint32_t)most;
    of.room = rooms_of(s->in->count, s->segments, of.whole_most, f->tile);
    of.blocks = s->segments;
    const int plan = !s->op ? BESTS : !few ? MANY_SUMS : mean <= SHORT ? SHORT_SUMS : SUMS;
    of.threads = block_plan[plan].threads;
    of.held = block_plan[plan].held;
    of.flying = plan == SUMS && s->in->size > sizeof(uint32_t) ? block_plan[plan].flying / 2 : block_plan[plan].flying;
    of.at_once = s->segments <= BLOCKS_A_PROCESSOR * processors;
    if (!of.at_once || !sees_all(s, f, mean, &of)) {
        if (!few && mean <= d->whole_most) return;
        of.at_once = few;
        of.threads = THREADS;
        of.held = 0;
        of.flying = block_plan[mean <= SHORT ? SHORT_SUMS : SUMS].flying;
        if (mean > SHORT && s->in->size > sizeof(uint32_t)) of.flying /= 2;
    }
    *d = of;
}

/* Where nothing compiles one program serves all. */
static dealing deal(ww_device *device, const segments_fold *s, const ww__folding *f) {
    const uint64_t count = s->in->count, processors = device->gpu->driver->processors;
    const uint64_t mean = ww__blocks(count, s->segments);
    const bool are_long = mean >= (s->op ? LONG_LEAST : BEST_LONG_LEAST), any = ww__gpu_compiles(device);
    dealing d = {.each = WARP, .long_ones = are_long, .threads = THREADS};
    /* Of millions of elements three launches with more warps are faster than one. */
    const uint64_t few = WARPS_A_PROCESSOR * processors,
                   warps = any && (s->segments / WARP < few || mean < WARP) ? few : 2 * few;
    while (d.each > 1 && (s->segments / d.each < warps || (any && are_long))) d.each /= 2;
    d.lone = any && d.each == 1;
    d.way = d.lone ? way_of(s, f) : 0;
    const uint32_t most = d.lone ? f->tile : s->op ? SHORT_MOST : WARP_LEAST - 1;
    d.short_most = f->tile < most ? f->tile : most;
    d.whole_most = s->op ? d.short_most : WARP_MOST;
    d.room = rooms_of(count, s->segments, d.whole_most, f->tile);
    d.blocks = ww__blocks(s->segments, WARPS * d.each);
    d.at_once = any && d.blocks <= AT_ONCE * processors && (mean <= f->tile || mean <= d.whole_most);
    if (d.lone) deal_to_blocks(s, f, mean, processors, &d);
    if (d.at_once && !d.block) see_from_warps(s, f, mean, &d);
    /* Tiles of long segments have blocks too. */
    const uint64_t teams = d.seen && d.way ? 1 : THREADS / f->team;
    const uint64_t tiles = ww__min_u64(ww__blocks(d.room.tiles, teams), AT_ONCE * processors);
    if (d.at_once && d.room.list && d.blocks < tiles) d.blocks = tiles;
    return d;
}

/* Elements that a lone segment's lanes have on their way each: few where segments are short, for each costs code, which comes from memory,
 * and where warps are many, for each costs registers. */
static uint32_t flying_of(const segments_fold *s, const ww__folding *f, const dealing *d) {
    enum { FEW = 4, BEST_FEW = 8, BEST = 32 };
    if (d->block) return d->flying;
    if (!s->op) {
        const size_t words = ww__blocks(s->in->size, sizeof(uint32_t));
        const uint32_t most = d->lone && d->long_ones && d->at_once ? BEST : BEST_FEW;
        return words < most ? (uint32_t)(most / words) : 1;
    }
    return d->lone && !d->long_ones && f->unroll > FEW ? FEW : f->unroll;
}

static ww_status fold(ww_device *device, const segments_fold *s) {
    enum { SERIAL_ORDERED = 16 };
    static const ww_function first_wins = {.flags = WW_COMMUTES};
    const size_t size = s->size;
    const uint64_t segments = s->segments, count = s->in->count, processors = device->gpu->driver->processors;
    ww__folding f = ww__folding_of(s->op ? s->op : &first_wins, size);
    const dealing d = deal(device, s, &f);
    const rooms room = d.room;
    const uint64_t list_room = d.seen ? 0 : room.list;
    const uint32_t flying = flying_of(s, &f, &d);
    WW_CHECK(device, segments < UINT32_MAX && room.tiles < UINT32_MAX, WW_LIMIT,
             "%llu segments of %llu elements are reduced on a CPU only", (ull)segments, (ull)count);
    const ww_function *const less = s->op ? NULL : ww__order_told(device, s->less, s->in, s->in);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/reduce/reduce_segments.cu");
    ww__recipe_number(&r, "WW_THREADS", d.threads);
    ww__recipe_number(&r, "WW_SERIAL", f.commuting ? f.lanes : SERIAL_ORDERED);
    ww__recipe_number(&r, "WW_STAGE", size <= STAGED_MOST ? STAGE_BYTES / size : 0);
    ww__recipe_folding(&r, &f, false); /* segments begin anywhere */
    ww__recipe_number(&r, "WW_FLYING", flying);
    ww__recipe_number(&r, "WW_LONE", d.lone);
    ww__recipe_number(&r, "WW_BLOCK", d.block);
    ww__recipe_number(&r, "WW_WAY", d.block || d.seen ? d.way : 0);
    ww__recipe_number(&r, "WW_BLOCK_TILES", BLOCK_TILES);
    ww__recipe_number(&r, "WW_AT_ONCE", d.at_once);
    ww__recipe_number(&r, "WW_HELD", d.held);
    ww__recipe_number(&r, "WW_SEEN", d.seen ? SEEN : 0);
    ww__recipe_number(&r, "WW_SAMPLES", d.seen ? d.samples : 0);
    ww__recipe_number(&r, "WW_EXTREME", s->op ? 0 : s->greatest ? 2 : 1);
    if (s->op) {
        ww__recipe_type(&r, "ww_item", s->in->type, size, NULL);
        ww__recipe_function(&r, "ww_op", s->op);
    } else {
        ww__recipe_order(&r, less, s->in->type, s->in->size);
        ww__recipe_type(&r, "ww_position", s->position_out->type, s->position_out->size, NULL);
    }
    if (less)
        ww__recipe_ordered(&r, "in", s->in, less);
    else
        ww__recipe_input(&r, "in", s->in);
    ww__recipe_index(&r, "offsets", s->offsets, !ww__gpu_compiles(device));
    if (s->op && !ww__gpu_compiles(device)) ww__recipe_share_signs(&r, s->op);

    uint64_t *counters, *other;
    void *list, *several, *level, *position = NULL;
    ww__gpu_checking checking;
    if (!s->op) {
        position = s->position_out->data;
        if (segments == 1) WW_TRY(ww__gpu_room(device, s->position_out->data, s->position_out->size, &position));
    }
    WW_TRY(ww__gpu_checking_begin(device, say_offset, s->offsets->type->label, count, &checking));
    WW_TRY(ww__gpu_count(device, &counters, &other));
    WW_TRY(ww__scratch_array(device, list_room, LISTED_BYTES, &list));
    WW_TRY(ww__scratch_array(device, d.at_once ? list_room : room.several, sizeof(uint64_t), &several));
    WW_TRY(ww__scratch_array(device, 2 * room.tiles, size, &level));
    const uint64_t bytes = count * s->in->size;
    const bool fetched = d.seen && ww__input_is_memory(s->in) && bytes <= FETCHED_MOST;
    const uint64_t lines = fetched ? ww__blocks(bytes, WW_FETCHED) : 0;
    ww__arguments a;
    const segments_fixed fixed = {.out = s->out,
                                  .count = count,
                                  .segments = segments,
                                  .each = d.each,
                                  .short_most = d.short_most,
                                  .whole_most = d.whole_most,
                                  .listed = counters,
                                  .taken = counters + 2,
                                  .here = (uint32_t *)(void *)(counters + 3),
                                  .clear = other,
                                  .list = list,
                                  .several = several,
                                  .list_room = list_room,
                                  .several_room = room.several,
                                  .tile_room = room.tiles,
                                  .level = level,
                                  .stride = d.stride,
                                  .sampled = d.sampled,
                                  .memory = fetched ? s->in->step[0].data : NULL,
                                  .lines = lines,
                                  .share = ww__blocks(lines, d.blocks),
                                  .position = position,
                                  .checking = checking};
    WW__ARGUMENTS(&a, fixed);
    if (s->op) WW_TRY(ww__argument(device, &a, s->op->identity, size, 16));
    WW_TRY(ww__argument_input(device, &a, s->in));
    WW_TRY(ww__argument_input(device, &a, s->offsets));
    const uint64_t whole = processors * BLOCKS_A_PROCESSOR, teams = d.threads / f.team;
    WW_TRY(ww__gpu_launch(device, &r, d.at_once ? "fold_all" : "fold_short", d.blocks, d.threads, 0, &a));
    ww__gpu_counted(device);
    if (!d.at_once && room.list)
        WW_TRY(ww__gpu_launch_early(device, &r, "fold_long", ww__min_u64(ww__blocks(room.tiles, teams), whole),
                                    d.threads, 0, &a));
    if (!d.at_once && room.several)
        WW_TRY(ww__gpu_launch_early(device, &r, "fold_levels", ww__min_u64(room.several, whole), d.threads, 0, &a));
    if (s->op) return WW_OK;
    return ww__gpu_result(device, s->position_out->data, position, s->position_out->size);
}

ww_status ww__reduce_segments_gpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_input *offsets,
                                  const ww_array *out) {
    const size_t size = in->size;
    void *to = out->data;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are reduced on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    if (!out->count) return WW_OK;
    if (out->count == 1) WW_TRY(ww__gpu_room(device, out->data, size, &to));
    WW_TRY(fold(device, &(segments_fold){
                            .op = op, .in = in, .offsets = offsets, .segments = out->count, .size = size, .out = to}));
    return ww__gpu_result(device, out->data, to, size);
}

ww_status ww__extreme_segments_gpu(ww_device *device, const ww__extreme_segments_request *r) {
    enum { COMPARED_MOST = 512 };
    const uint64_t segments = r->position_out->count;
    const size_t size = ww__round_up(r->in->size, 16) +
                        16; /* of an element and its position, however they are aligned */
    WW_CHECK(device, r->in->size <= COMPARED_MOST, WW_LIMIT,
             "elements of %zu bytes are compared on a CPU only; a GPU takes up to %d", r->in->size, COMPARED_MOST);
    if (!segments) return WW_OK;
    return fold(device, &(segments_fold){.less = r->less,
                                         .greatest = r->greatest,
                                         .in = r->in,
                                         .offsets = r->offsets,
                                         .segments = segments,
                                         .size = size,
                                         .position_out = r->position_out});
}
