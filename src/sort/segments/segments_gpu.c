/* The host side of sorting by segments on a GPU. One launch lists segments by their lengths; one for each class of lengths sorts
 * what is listed, in networks on chip; longer segments are sorted in chunks by the largest of these, and merged in as many
 * passes as the longest possible one needs. How many there are of each the GPU alone knows: launches are as large as bounds
 * allow, and find little to do. */
#include "sort/segments/segments_gpu.h"

#include <string.h>

#include "device/gpu/batch.h"
#include "function/check.h"
#include "sort/segments/segments_arguments.cuh"

typedef unsigned long long ull;

enum {
    WARP = 32,
    ITEM_WORDS = 32, /* words of 4 bytes of a thread's elements */
    TEAM_MOST = 512,
    THREADS_A_PROCESSOR = 2048,
    LISTED_BYTES = 4 * sizeof(uint64_t) /* struct ww_listed */
};

/* Segments of up to `capacity` elements are one class: a team of threads sorts each. */
typedef struct team_plan {
    uint32_t capacity, items, team, threads, held;
    size_t shared;
} team_plan;

typedef struct segmenting {
    ww_device *device;
    const ww__sweeping *job;
    const ww_input *offsets;
    uint64_t segments, list_room, chunk_room;
    bool masked, tagged;
    uint32_t classes, first, step; /* capacities are 2^first, 2^(first + step), … */
    size_t shared_most;            /* of a block */
    uint32_t networks;             /* of the classes, the lowest: what teams can sort; others are sorted by digits */
    team_plan plan[CLASSES_MOST];
    ww__gpu_checking checking;
    uint64_t list_first[CLASSES_MOST + 1];
    void *keys_scratch, *values_scratch, *lists, *list;
    bool stays;              /* what is in order needs not be moved */
    unsigned char *counters; /* of long segments, of classes' lists; whether each long one's keys differ */
} segmenting;

enum { COUNTS_AT = sizeof(uint64_t), UNLIKE_AT = COUNTS_AT + CLASSES_MOST * sizeof(uint32_t) };

static ww_status say_offset(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    if (value > call->limit)
        return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, and there are %llu keys", (ull)position,
                        ww__number_said(call->name, value).text, (ull)call->limit);
    return ww__fail(device, WW_RANGE, "offsets[%llu] is %llu, below the one before it", (ull)position, (ull)value);
}

/* ---- tuning ---- */

/* Few elements a thread leave much to the lanes, many take long to load: a class of short segments has fewer. Elements of
 * ITEM_WORDS go into 64 registers, of which a processor has enough for 1024 threads; where keys and places stand apart (keys
 * of 8 and 16 bytes), into twice as many.
 * Longer segments of wide keys are sorted by digits: a network takes more steps than few digits. (2^27 keys of 8 bytes in buckets
 * of about 2048 on an H100, 2026-11: 23.5 G keys a second with the partition before.) */
static const struct tuning {
    uint32_t items_32, items_128, items_512,
        items;              /* of a thread, of segments of up to so many elements, and of longer ones */
    uint32_t step, classes; /* capacities grow by 2^step; so many at most */
    uint32_t wider;         /* segments that are sorted by digits may be longer by one in so many */
    uint32_t digits_least,
        digits_most; /* segments above, and up to so many elements, are sorted by digits, by so many threads: */
    uint32_t digit_threads_least, digit_threads_most;
    uint32_t list_threads, list_items;
    uint32_t merge_threads, merge_tile, merge_more; /* merge_more: elements of a thread above its part of the tile */
} tunings[WW__TILINGS] = {
    [WW__TILES_GPU] = {.items_32 = 4,
                       .items_128 = 8,
                       .items_512 = 16,
                       .items = ITEM_WORDS,
                       .step = 1,
                       .classes = CLASSES_MOST,
                       .wider = 8,
                       .digits_least = 256,
                       .digits_most = 8192,
                       .digit_threads_least = 64,
                       .digit_threads_most = 256,
                       .list_threads = 256,
                       .list_items = 4,
                       .merge_threads = 256,
                       .merge_tile = 4096,
                       .merge_more = 1},
    [WW__TILES_SMALL] = {.items_32 = 2,
                         .items_128 = 2,
                         .items_512 = 2,
                         .items = 2,
                         .step = 2,
                         .classes = 3,
                         .wider = 2,
                         .digits_least = 32,
                         .digits_most = 128,
                         .digit_threads_least = 64,
                         .digit_threads_most = 64,
                         .list_threads = 64,
                         .list_items = 1,
                         .merge_threads = 64,
                         .merge_tile = 64,
                         .merge_more = 0},
};

static const struct tuning *tuning_of(const segmenting *g) { return &tunings[g->device->gpu->driver->tiles]; }

static uint32_t bits_of(uint64_t power) {
    uint32_t bits = 0;
    while (power >> bits > 1) bits++;
    return bits;
}

/* ---- classes ---- */

/* Bytes of struct network_item. */
static uint32_t item_bytes(const segmenting *g) {
    const uint32_t key = (uint32_t)g->job->key_size;
    return !g->tagged ? key : key <= 2 ? 4 : 2 * key;
}

/* Bytes of union team_shared. */
static size_t room_bytes(const segmenting *g, size_t capacity) {
    enum { LINE = 128 };
    const size_t item = item_bytes(g), value = g->job->values ? g->job->value_size : 0;
    const size_t padded = item * (capacity + capacity / (LINE / item));
    const size_t longest = value > g->job->key_size ? value : g->job->key_size;
    return ww__round_up(padded > capacity * longest ? padded : capacity * longest, 16);
}

static team_plan plan_of(const segmenting *g, uint32_t capacity) {
    enum { THREADS = 256, SHARED = 48 << 10, HELD_THREADS = 1024 };
    const struct tuning *const t = tuning_of(g);
    const uint32_t words = (item_bytes(g) + 3) / 4;
    team_plan p = {.capacity = capacity};
    p.items = capacity <= 32 ? t->items_32 : capacity <= 128 ? t->items_128 : capacity <= 512 ? t->items_512 : t->items;
    if (p.items > ITEM_WORDS / words) p.items = ITEM_WORDS / words;
    p.team = capacity / p.items;
    p.threads = p.team > WARP ? p.team : THREADS;
    while (p.threads > WARP && p.threads > p.team && p.threads / p.team * room_bytes(g, capacity) > SHARED)
        p.threads /= 2;
    if (p.items * words == ITEM_WORDS) p.held = HELD_THREADS / p.threads / (g->tagged && words > 2 ? 2 : 1);
    p.shared = p.threads / p.team * room_bytes(g, capacity);
    return p;
}

static bool by_digits(const segmenting *g, uint32_t c);

static uint32_t chunk_of(const segmenting *g) { return g->plan[g->networks - 1].capacity; }

/* The longest segments of class c. The buckets of random keys are as long as one another but for a little, and often, where there are
 * as many keys as a power of two, half of them are longer than a power of two. */
static uint32_t longest_of(const segmenting *g, uint32_t c) {
    const uint32_t capacity = g->plan[c].capacity;
    return by_digits(g, c) ? capacity + capacity / tuning_of(g)->wider : capacity;
}
static uint32_t longest_class(const segmenting *g) { return longest_of(g, g->classes - 1); }

/* Whether the class's teams sort by the network of tiles, free of bank conflicts: keys of 4 bytes that nothing goes with, of so many
 * elements that strides between lanes are many. (Short teams are one warp's, and have none between warps.) */
static bool converted(const segmenting *g, const team_plan *p) {
    return !g->tagged && g->job->key_size == 4 && (p->items == ITEM_WORDS || p->team > WARP);
}

/* So many segments can be in a class, as long as no two share an element. */
static uint64_t class_room(const segmenting *g, uint32_t c) {
    const uint64_t shortest = c ? (uint64_t)longest_of(g, c - 1) + 1 : 2;
    return ww__min_u64(g->job->n / shortest, g->segments);
}

/* ---- classes sorted by digits ---- */

static ww__tile_plan tile_of_class(const segmenting *g, uint32_t c) {
    enum { ITEMS = 8, ITEMS_MOST = 16, OTHERS = 44, BLOCKS_MOST = 8 };
    enum { SHARED = 220 << 10, REGISTERS = 64 << 10 }; /* of a processor */
    const struct tuning *const t = tuning_of(g);
    const ww__sweeping *job = g->job;
    const uint32_t capacity = g->plan[c].capacity;
    ww__tile_plan p = {capacity / ITEMS, 0, 1};
    if (p.threads < t->digit_threads_least) p.threads = t->digit_threads_least;
    if (p.threads > t->digit_threads_most) p.threads = t->digit_threads_most;
    p.items = capacity / p.threads;
    if (p.items > ITEMS_MOST) p.threads *= p.items / ITEMS_MOST, p.items = ITEMS_MOST;
    p.items += p.items / t->wider;
    const size_t words = (job->key_size + 2 * job->value_size + 3) / 4, registers = OTHERS + words * p.items;
    const size_t by_shared = SHARED / ww__tile_shared(job, &p), by_registers = REGISTERS / (registers * p.threads);
    p.blocks = (uint32_t)ww__min_u64(by_shared < by_registers ? by_shared : by_registers, BLOCKS_MOST);
    if (!p.blocks) p.blocks = 1;
    return p;
}

static bool by_digits(const segmenting *g, uint32_t c) {
    const struct tuning *const t = tuning_of(g);
    const uint32_t capacity = g->plan[c].capacity;
    if (g->job->key_size < 8 || capacity <= t->digits_least || capacity > t->digits_most) return false;
    const ww__tile_plan p = tile_of_class(g, c);
    return ww__tile_shared(g->job, &p) <= g->shared_most;
}

/* Digits go on where a team would be too large: with its place a key of 16 bytes takes 32 in a network, and the buckets of 2^27 such
 * keys (radix_prefix_gpu.c) do not fit in the longest. */
static void make_classes(segmenting *g) {
    enum { FIRST = 3 };
    g->first = FIRST;
    g->step = tuning_of(g)->step;
    for (g->networks = 0; g->networks < tuning_of(g)->classes; g->networks++) {
        const team_plan p = plan_of(g, 1u << (g->first + g->networks * g->step));
        if (p.team > TEAM_MOST || p.shared > g->shared_most) break;
        g->plan[g->networks] = p;
    }
    for (g->classes = g->networks; g->classes < CLASSES_MOST; g->classes++) {
        g->plan[g->classes] = (team_plan){.capacity = 1u << (g->first + g->classes * g->step)};
        if (!by_digits(g, g->classes)) break;
    }
}

/* The first class from `c` on that is sorted by digits, or is not. Those that are follow one another. */
static uint32_t next_class(const segmenting *g, uint32_t c, bool digits) {
    while (c < g->classes && by_digits(g, c) != digits) c++;
    return c;
}

/* ---- memory ---- */

static ww_status take_memory(segmenting *g) {
    const ww__sweeping *job = g->job;
    for (uint32_t c = 0; c < g->classes; c++) g->list_first[c + 1] = g->list_first[c] + class_room(g, c);
    for (uint32_t c = g->classes; c < CLASSES_MOST; c++) g->list_first[c + 1] = g->list_first[c];
    g->list_room = ww__min_u64(job->n / ((uint64_t)longest_class(g) + 1), g->segments);
    g->chunk_room = g->list_room ? job->n / chunk_of(g) + g->list_room : 0;
    WW_CHECK(g->device, g->segments < UINT32_MAX && g->chunk_room < UINT32_MAX, WW_LIMIT,
             "%llu segments of %llu keys are more than a GPU sorts", (ull)g->segments, (ull)job->n);
    const size_t counters = UNLIKE_AT + (g->stays ? (size_t)g->list_room * sizeof(uint32_t) : 0);
    WW_TRY(ww__scratch(g->device, counters, &g->counters));
    WW_TRY(ww__scratch_array(g->device, g->list_first[CLASSES_MOST], sizeof(uint32_t), &g->lists));
    WW_TRY(ww__scratch_array(g->device, g->list_room, LISTED_BYTES, &g->list));
    if (g->list_room && !g->keys_scratch) {
        WW_TRY(ww__scratch_array(g->device, job->n, job->key_size, &g->keys_scratch));
        if (job->value_size) WW_TRY(ww__scratch_array(g->device, job->n, job->value_size, &g->values_scratch));
    }
    return ww__gpu_fill(g->device, g->counters, 0, counters);
}

/* ---- launches ---- */

static void begin_recipe(const segmenting *g, ww__recipe *r, const char *file, uint32_t threads) {
    enum { BINS = 256 };
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_THREADS", threads);
    ww__recipe_number(r, "WW_CLASSES", g->classes);
    ww__recipe_number(r, "WW_FIRST", g->first);
    ww__recipe_number(r, "WW_STEP", g->step);
    ww__recipe_number(r, "WW_WIDER_FROM", next_class(g, 0, true));
    ww__recipe_number(r, "WW_WIDER_END", next_class(g, next_class(g, 0, true), false));
    ww__recipe_number(r, "WW_WIDER", tuning_of(g)->wider);
    ww__recipe_number(r, "WW_CHUNK", chunk_of(g));
    ww__recipe_number(r, "WW_MASKED", g->masked);
    ww__recipe_number(r, "WW_VALUE", g->job->value_size);
    ww__recipe_number(r, "WW_COUNTED", g->job->value_size && !g->job->values);
    ww__recipe_digits(g->device, r, g->job->key_size, ww__sweeping_order(g->job), BINS);
    ww__recipe_index(r, "offsets", g->offsets, !ww__gpu_compiles(g->device));
}

/* struct segments_arguments, for the class or the pass of this launch. */
static ww_status launch(const segmenting *g, const ww__recipe *r, const char *kernel, uint64_t blocks, uint32_t threads,
                        size_t shared, uint32_t length_class, uint32_t pass) {
    const ww__sweeping *job = g->job;
    ww__arguments a;
    segments_fixed fixed = {.keys = job->keys,
                            .keys_out = job->keys_out,
                            .keys_scratch = g->keys_scratch,
                            .values = job->values,
                            .values_out = job->values_out,
                            .values_scratch = g->values_scratch,
                            .count = job->n,
                            .segments = g->segments,
                            .first_value = job->first_value,
                            .counts = g->counters + COUNTS_AT,
                            .lists = g->lists,
                            .listed = g->counters,
                            .list = g->list,
                            .unlike = g->stays ? g->counters + UNLIKE_AT : NULL,
                            .list_room = g->list_room,
                            .tile_room = g->chunk_room,
                            .low = job->bit_first,
                            .bits = job->bit_count,
                            .length_class = length_class,
                            .pass = pass,
                            .order = ww__sweeping_order(job),
                            .checking = g->checking};
    memcpy(fixed.first, g->list_first, sizeof fixed.first);
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(g->device, &a, g->offsets));
    return ww__gpu_launch_early(g->device, r, kernel, blocks, threads, shared, &a);
}

static void recipe_lists(const segmenting *g, ww__recipe *r) {
    begin_recipe(g, r, "sort/segments/segment_lists.cu", tuning_of(g)->list_threads);
    ww__recipe_number(r, "WW_ITEMS", tuning_of(g)->list_items);
}

static ww_status list_segments(const segmenting *g) {
    const uint32_t threads = tuning_of(g)->list_threads, items = tuning_of(g)->list_items;
    const uint64_t blocks = ww__blocks(g->segments, threads * items);
    ww__recipe r;
    recipe_lists(g, &r);
    return launch(g, &r, "list_segments", blocks ? blocks : 1, threads, 0, 0, 0);
}

static ww_status find_unlike(const segmenting *g) {
    enum { BLOCKS_A_PROCESSOR = 8 };
    const uint64_t held = (uint64_t)BLOCKS_A_PROCESSOR * g->device->gpu->driver->processors;
    ww__recipe r;
    recipe_lists(g, &r);
    return launch(g, &r, "find_unlike", ww__min_u64(g->chunk_room, held), tuning_of(g)->list_threads, 0, 0, 0);
}

static ww_status sort_class_by_digits(const segmenting *g, uint32_t c) {
    const ww__tile_plan p = tile_of_class(g, c);
    const uint64_t processors = g->device->gpu->driver->processors, tasks = class_room(g, c);
    ww__recipe r;
    begin_recipe(g, &r, "sort/segments/segment_digits.cu", p.threads);
    ww__recipe_number(&r, "WW_ITEMS", p.items);
    ww__recipe_number(&r, "WW_BLOCKS", p.blocks);
    ww__recipe_number(&r, "WW_GROUP", 2);
    ww__recipe_number(&r, "WW_WIDE", 0);
    ww__recipe_number(&r, "WW_CAPACITY_BITS", bits_of(g->plan[c].capacity));
    return launch(g, &r, "sort_segments_by_digits", ww__min_u64(tasks, processors * p.blocks), p.threads,
                  ww__tile_shared(g->job, &p), c, 0);
}

/* Sorts the segments of class c; with `chunks` those of long ones, by the largest teams. */
static ww_status sort_class(const segmenting *g, uint32_t c, bool chunks) {
    const team_plan *p = &g->plan[c];
    const uint64_t tasks = chunks ? g->chunk_room : class_room(g, c), processors = g->device->gpu->driver->processors;
    if (!tasks) return WW_OK;
    if (!chunks && by_digits(g, c)) return sort_class_by_digits(g, c);
    ww__recipe r;
    begin_recipe(g, &r, "sort/segments/segment_network.cu", p->threads);
    ww__recipe_number(&r, "WW_TEAM", p->team);
    ww__recipe_number(&r, "WW_ITEMS", p->items);
    ww__recipe_number(&r, "WW_BLOCKS", p->held);
    ww__recipe_number(&r, "WW_TAGGED", g->tagged);
    ww__recipe_number(&r, "WW_CONVERTED", converted(g, p));
    if (converted(g, p)) {
        enum { SHUFFLED = 3, LANE_BITS = 5 }; /* of ITEM_WORDS keys a thread fewer shuffles do */
        ww__recipe_number(&r, "WW_TILE_BITS", bits_of(p->capacity));
        ww__recipe_number(&r, "WW_EACH_BITS", bits_of(p->items));
        ww__recipe_number(&r, "WW_SHUFFLED", p->items == ITEM_WORDS ? SHUFFLED : LANE_BITS);
    }
    const uint64_t held = THREADS_A_PROCESSOR / p->threads;
    const uint64_t blocks = ww__min_u64(ww__blocks(tasks, p->threads / p->team), processors * held);
    return launch(g, &r, "sort_segments", blocks, p->threads, p->shared, chunks ? g->classes : c, 0);
}

static ww_status merge_chunks(const segmenting *g) {
    enum { TILE_BYTES = 32 << 10, BLOCKS_A_PROCESSOR = 8, REST = 16 };
    const struct tuning *const t = tuning_of(g);
    const uint32_t threads = t->merge_threads;
    uint32_t tile = t->merge_tile;
    while (tile > chunk_of(g) || tile * g->job->key_size > TILE_BYTES) tile /= 2;
    const uint32_t each = tile / threads + t->merge_more;
    const size_t shared = ww__round_up(tile * (g->job->key_size + sizeof(uint16_t)) + REST, 16);
    const uint64_t blocks = ww__min_u64(g->chunk_room * (chunk_of(g) / tile),
                                        (uint64_t)BLOCKS_A_PROCESSOR * g->device->gpu->driver->processors);
    ww__recipe r;
    begin_recipe(g, &r, "sort/segments/segment_merge.cu", threads);
    ww__recipe_number(&r, "WW_TILE", tile);
    ww__recipe_number(&r, "WW_EACH", each);
    for (uint32_t pass = 0; (uint64_t)chunk_of(g) << pass < g->job->n; pass++)
        WW_TRY(launch(g, &r, "merge_segments", blocks, threads, shared, 0, pass));
    return WW_OK;
}

/* Where nothing compiles, and there are no programs for this GPU's classes, those are taken that every GPU has room for. */
static void choose_classes(segmenting *g) {
    ww__recipe r;
    g->shared_most = g->device->gpu->driver->shared_most;
    make_classes(g);
    if (ww__gpu_compiles(g->device)) return;
    recipe_lists(g, &r);
    if (ww__gpu_has(g->device, &r)) return;
    g->shared_most = ww__min_u64(g->shared_most, WW__SHARED_EVERYWHERE);
    make_classes(g);
}

ww_status ww__sort_segments_gpu(ww_device *device, const ww__sweeping *job, const ww_input *offsets, void *keys_scratch,
                                void *values_scratch) {
    segmenting g = {.device = device,
                    .job = job,
                    .offsets = offsets,
                    .segments = offsets->count - 1,
                    .keys_scratch = keys_scratch,
                    .values_scratch = values_scratch};
    g.masked = job->bit_count < 8 * job->key_size;
    g.tagged = g.masked || job->value_size;
    g.stays = job->keys == job->keys_out && (!job->value_size || job->values == job->values_out);
    choose_classes(&g);
    WW_TRY(ww__gpu_checking_begin(device, say_offset, offsets->type->label, job->n, &g.checking));
    WW_TRY(take_memory(&g));
    WW_TRY(list_segments(&g));
    for (uint32_t c = 0; c < g.classes; c++) WW_TRY(sort_class(&g, c, false));
    if (!g.list_room) return WW_OK;
    if (g.stays) WW_TRY(find_unlike(&g));
    WW_TRY(sort_class(&g, g.networks - 1, true));
    return merge_chunks(&g);
}
