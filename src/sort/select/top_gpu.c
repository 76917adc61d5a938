/* The host side of selecting on a GPU: a launch for each digit that the keys can have, most of which find that nothing is left
 * to be known; one that packs what is chosen; then the chosen ones are sorted. Of few elements one block sorts all. Nothing waits, unless the result of a single
 * element is the host's. */
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "function/function.h"
#include "function/types.h"
#include "primitive/gather/gather.h"
#include "radix/radix_gpu.h"
#include "sort/order.h"
#include "sort/radix/sort_keys_gpu.h"
#include "sort/select/top.h"
#include "sort/select/top_digits_arguments.cuh"
#include "sort/select/top_emit_arguments.cuh"
#include "sort/select/top_pack_arguments.cuh"
#include "sort/sides.h"

enum {
    DIGIT = 8,
    BINS = 1 << DIGIT,
    LEVELS_MOST = 16,
    STATE_BYTES = 64, /* struct top_state, rounded up */
    CURSORS = 3,
    BUFFER_PART = 8,      /* one in so many of the elements fits in the buffer */
    CARRIER_BYTES = 16,   /* struct ww_carrier */
    VALUE_BYTES_MOST = 16 /* values in memory that are packed with their keys; of larger ones their positions are */
};

/* What the levels tell one another, cleared before the first. */
typedef struct level {
    uint64_t counts[BINS];
    uint32_t any_set[4], any_clear[4], ticket, unused;
} level;

typedef struct selecting {
    ww_device *device;
    const ww__sorting *s;
    uint64_t wanted; /* so many are chosen */
    bool exact, masked;
    level *levels;
    unsigned char *states; /* behind each level */
    uint64_t *cursor,
        room;            /* cursor: in the buffer; then the first k's, of those below what is left, and of those left */
    void *buffer, *emit; /* emit: where levels give out chosen keys, or NULL */
} selecting;

/* Where positions are narrow, counts of the chosen stand in one word. With small tiles those of keys of one byte never do, so
 * that both are met. */
static const struct {
    uint32_t count_threads;
    uint32_t pack_threads, pack_words, pack_items; /* words of 4 bytes of a thread's keys, and keys, at most */
    uint64_t narrow_most, narrow_most_1;           /* elements whose positions are narrow; of keys of one byte */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {512, 256, 16, 16, INT32_MAX, INT32_MAX},
    [WW__TILES_SMALL] = {64, 64, 16, 2, INT32_MAX, 0},
};

static top_order order_of(const selecting *g) {
    return (top_order){.first = g->s->bit_first,
                       .bits = g->s->bit_count,
                       .order = WW_KEY_ORDER(ww__key_kind_of(g->s), g->s->descending)};
}

static uint32_t levels_of(const selecting *g) { return (g->s->bit_count + DIGIT - 1) / DIGIT; }

static selecting selecting_of(ww_device *device, const ww__sorting *s, uint64_t wanted, bool exact) {
    return (selecting){.device = device,
                       .s = s,
                       .wanted = wanted,
                       .exact = exact,
                       .masked = s->bit_count < 8 * s->keys.size,
                       .room = s->keys.count / BUFFER_PART};
}

static ww_status take_memory(selecting *g) {
    const size_t levels = LEVELS_MOST * sizeof(level), states = LEVELS_MOST * STATE_BYTES;
    unsigned char *memory;
    WW_TRY(ww__scratch(g->device, levels + CURSORS * sizeof *g->cursor + states, &memory));
    g->levels = (level *)(void *)memory;
    g->states = memory + levels;
    g->cursor = (uint64_t *)(void *)(memory + levels + states);
    WW_TRY(ww__scratch_array(g->device, g->room, g->s->keys.size, &g->buffer));
    return ww__gpu_fill(g->device, memory, 0, levels + CURSORS * sizeof *g->cursor + states);
}

static void begin_recipe(const selecting *g, ww__recipe *r, const char *file, uint32_t threads) {
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_THREADS", threads);
    ww__recipe_number(r, "WW_MASKED", g->masked);
    ww__recipe_digits(g->device, r, g->s->keys.size, order_of(g).order, BINS);
    ww__recipe_moved_input(r, "keys", &g->s->keys);
}

static void *state_behind(const selecting *g, uint32_t number) { return g->states + number * STATE_BYTES; }

static ww_status count_level(const selecting *g, uint32_t number) {
    enum { COPIES = 8, ROWS = 4, BATCH = 16, BLOCKS_A_PROCESSOR = 4 };
    const ww__driver *driver = g->device->gpu->driver;
    const uint32_t threads = tuning[driver->tiles].count_threads, items = ww__batch_items(&g->s->keys, NULL);
    const uint32_t rows = items * ROWS > BATCH ? BATCH / items : ROWS;
    const uint64_t blocks = ww__min_u64(ww__blocks(g->s->keys.count, (uint64_t)threads * rows * items),
                                        (uint64_t)BLOCKS_A_PROCESSOR * driver->processors);
    level *const l = &g->levels[number];
    ww__recipe r;
    begin_recipe(g, &r, "sort/select/top_digits.cu", threads);
    ww__recipe_batch(&r, items);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_number(&r, "WW_COPIES", COPIES);
    if (g->emit) ww__recipe_number(&r, "WW_EMIT", 1);
    ww__arguments a;
    const top_digits_fixed fixed = {.before = number ? state_behind(g, number - 1) : NULL,
                                    .after = state_behind(g, number),
                                    .counts = l->counts,
                                    .any_set = l->any_set,
                                    .any_clear = l->any_clear,
                                    .ticket = &l->ticket,
                                    .cursor = g->cursor,
                                    .buffer = g->buffer,
                                    .emitted = g->cursor + 1,
                                    .keys_out = g->emit,
                                    .room = g->room,
                                    .count = g->s->keys.count,
                                    .wanted = g->wanted,
                                    .order = order_of(g),
                                    .level = number,
                                    .exact = g->exact};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(g->device, &a, &g->s->keys));
    return ww__gpu_launch(g->device, &r, "count_level", blocks, threads, 0, &a);
}

static ww_status count_levels(selecting *g) {
    WW_TRY(take_memory(g));
    for (uint32_t number = 0; number < levels_of(g); number++) WW_TRY(count_level(g, number));
    return WW_OK;
}

/* What goes with the keys that are packed. */
typedef enum packed_values { VALUES_NONE, VALUES_PACKED, VALUES_POSITIONS } packed_values;

/* Packs to keys_out and values_out; with `nth` the last chosen key alone. */
static ww_status pack(const selecting *g, packed_values values, bool nth, void *keys_out, void *values_out) {
    const ww__tiles t = g->device->gpu->driver->tiles;
    const ww__sorting *s = g->s;
    const uint32_t words = (uint32_t)(s->keys.size + 3) / 4;
    const uint32_t threads = tuning[t].pack_threads,
                   items = (uint32_t)ww__min_u64(tuning[t].pack_words / words, tuning[t].pack_items);
    const uint64_t tiles = ww__blocks(s->keys.count, (uint64_t)threads * items);
    const bool narrow = s->keys.count <= (s->keys.size == 1 ? tuning[t].narrow_most_1 : tuning[t].narrow_most);
    const bool whole = nth && !g->masked; /* the key is known already */
    const ww_type *position_type = ww__position_type(s->keys.count);
    ww__gpu_chain chain;
    WW_TRY(ww__gpu_chain_begin(g->device, whole ? 1 : tiles, narrow ? 0 : CARRIER_BYTES, &chain));
    ww__recipe r;
    begin_recipe(g, &r, "sort/select/top_pack.cu", threads);
    ww__recipe_number(&r, "WW_ITEMS", items);
    ww__recipe_number(&r, "WW_VALUES", (uint64_t)values);
    ww__recipe_number(&r, "WW_NTH", nth);
    ww__recipe_number(&r, "WW_NARROW", narrow);
    ww__recipe_type(&r, "ww_index", position_type, position_type->size, NULL);
    if (values == VALUES_PACKED) {
        ww__recipe_moved_type(&r, "ww_value_item", s->values.type, s->values.size, values_out);
        ww__recipe_moved_input(&r, "values", &s->values);
    }
    ww__arguments a;
    const top_pack_fixed fixed = {.state = state_behind(g, levels_of(g) - 1),
                                  .keys_out = keys_out,
                                  .values_out = values_out,
                                  .count = s->keys.count,
                                  .wanted = g->wanted,
                                  .chain = chain,
                                  .order = order_of(g)};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(g->device, &a, &s->keys));
    if (values == VALUES_PACKED) WW_TRY(ww__argument_input(g->device, &a, &s->values));
    return ww__gpu_launch(g->device, &r, whole ? "write_nth" : "pack_top", whole ? 1 : tiles, threads, 0, &a);
}

/* The chosen keys that levels have not given out, where nothing goes with them. */
static ww_status emit(const selecting *g) {
    enum { ITEMS = 8, BLOCKS_A_PROCESSOR = 4 };
    const ww__driver *driver = g->device->gpu->driver;
    const uint32_t threads = tuning[driver->tiles].count_threads;
    const uint64_t blocks = ww__min_u64(ww__blocks(g->s->keys.count, (uint64_t)threads * ITEMS),
                                        (uint64_t)BLOCKS_A_PROCESSOR * driver->processors);
    ww__recipe r;
    ww__arguments a;
    begin_recipe(g, &r, "sort/select/top_emit.cu", threads);
    ww__recipe_number(&r, "WW_ITEMS", ITEMS);
    const top_emit_fixed fixed = {.state = state_behind(g, levels_of(g) - 1),
                                  .buffer = g->buffer,
                                  .keys_out = g->emit,
                                  .emitted = g->cursor + 1,
                                  .taken = g->cursor + 2,
                                  .count = g->s->keys.count,
                                  .wanted = g->wanted,
                                  .order = order_of(g)};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(g->device, &a, &g->s->keys));
    return ww__gpu_launch(g->device, &r, "emit_top", blocks, threads, 0, &a);
}

/* ---- few elements ---- */

/* One block sorts them, and writes those that are wanted. */
static ww__sweeping job_of(const selecting *g, void *keys_out, void *values_out) {
    const ww__sorting *s = g->s;
    return (ww__sweeping){.keys = ww__input_memory(&s->keys),
                          .values = ww__input_memory(&s->values),
                          .keys_out = keys_out,
                          .values_out = values_out,
                          .n = s->keys.count,
                          .first_value = ww__sweeps_count(&s->values) ? s->values.step[0].number : 0,
                          .key_size = s->keys.size,
                          .value_size = s->values.steps ? s->values.size : 0,
                          .order = ww__key_kind_of(s),
                          .descending = s->descending,
                          .bit_first = s->bit_first,
                          .bit_count = s->bit_count};
}

static bool in_block(const selecting *g, const ww__sweeping *job) {
    const bool counted = g->s->values.steps && ww__sweeps_count(&g->s->values);
    const bool moved = !job->value_size ||
                       ((counted || (job->values && ww__sweeps_move(job->value_size, job->values))) &&
                        ww__sweeps_move(job->value_size, job->values_out));
    return job->keys && moved && !g->s->keys.count_at && ww__radix_in_block(g->device, job);
}

/* ---- the first k ---- */

/* Sorts what is packed, where it is. */
static ww_status sort_packed(const selecting *g, const ww_array *keys, const ww_array *values) {
    ww__sorting s = *g->s;
    s.keys_out = *keys;
    s.keys = ww_from(*keys);
    s.values = values ? ww_from(*values) : ww_no_input;
    s.values_out = values ? *values : ww_none;
    return g->wanted > 1 ? ww__sort_gpu(g->device, &s, NULL) : WW_OK;
}

/* Values that are large go by their positions. */
static ww_status pack_positions(const selecting *g, const ww_array *keys, const ww_array *values) {
    const ww_type *type = ww__position_type(g->s->keys.count);
    ww_array from = g->s->values_out, positions = ww_array_of(NULL, g->wanted, type);
    from.data = (void *)(uintptr_t)ww__input_memory(&g->s->values); /* which is only read */
    from.count = g->s->values.count;
    WW_TRY(ww__scratch_array(g->device, g->wanted, type->size, &positions.data));
    WW_TRY(pack(g, VALUES_POSITIONS, false, keys->data, positions.data));
    WW_TRY(sort_packed(g, keys, &positions));
    const ww_input index = ww_from(positions);
    return ww__gather(g->device, &(ww__gather_request){&from, &index, values});
}

ww_status ww__top_gpu(ww_device *device, const ww__sorting *s) {
    selecting g = selecting_of(device, s, s->keys_out.count, false);
    ww_array keys = s->keys_out, values = s->values_out;
    const size_t value_bytes = s->values.steps ? s->values.size : 0;
    if (g.wanted == 1) { /* the outputs may be the host's */
        WW_TRY(ww__gpu_room(device, s->keys_out.data, s->keys.size, &keys.data));
        if (value_bytes) WW_TRY(ww__gpu_room(device, s->values_out.data, value_bytes, &values.data));
    }
    if (!value_bytes && !g.masked) g.emit = keys.data;
    const ww__sweeping few = job_of(&g, keys.data, values.data);
    const bool block = in_block(&g, &few);
    if (!block) WW_TRY(count_levels(&g));
    if (block) {
        WW_TRY(ww__radix_part_gpu(device, &few, 0, g.wanted));
    } else if (g.emit) {
        WW_TRY(emit(&g));
        WW_TRY(sort_packed(&g, &keys, NULL));
    } else if (!value_bytes) {
        WW_TRY(pack(&g, VALUES_NONE, false, keys.data, NULL));
        WW_TRY(sort_packed(&g, &keys, NULL));
    } else if (ww__input_memory(&s->values) && value_bytes > VALUE_BYTES_MOST) {
        WW_TRY(pack_positions(&g, &keys, &values));
    } else {
        WW_TRY(pack(&g, VALUES_PACKED, false, keys.data, values.data));
        WW_TRY(sort_packed(&g, &keys, &values));
    }
    if (g.wanted > 1) return WW_OK;
    WW_TRY(ww__gpu_result(device, s->keys_out.data, keys.data, s->keys.size));
    return value_bytes ? ww__gpu_result(device, s->values_out.data, values.data, value_bytes) : WW_OK;
}

/* ---- the n-th ---- */

ww_status ww__nth_gpu(ww_device *device, const ww__sorting *s, uint64_t n, void *out) {
    selecting g = selecting_of(device, s, n + 1, true);
    void *key;
    WW_TRY(ww__gpu_room(device, out, s->keys.size, &key));
    const ww__sweeping few = job_of(&g, key, NULL);
    if (in_block(&g, &few)) {
        WW_TRY(ww__radix_part_gpu(device, &few, n, n + 1));
    } else {
        WW_TRY(count_levels(&g));
        WW_TRY(pack(&g, VALUES_NONE, true, key, NULL));
    }
    return ww__gpu_result(device, out, key, s->keys.size);
}
