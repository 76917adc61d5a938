/* The host side of merging on a GPU: a launch that cuts the output into tiles, where there are several, and one that merges
 * them. */
#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "function/function.h"
#include "primitive/merge/merge_arguments.cuh"
#include "primitive/merge/order_gpu.h"
#include "primitive/merge/path_gpu.h"
#include "primitive/merge/sides.h"

enum { ELEMENT_MOST = 1024, WORD_MOST = 16, WARP = 32 };

typedef enum value_kind { VALUES_NONE, VALUES_WORDS, VALUES_RECORDS, VALUES_COMPUTED } value_kind;

typedef struct merging {
    const ww_input *a, *b, *a_values, *b_values;
    const ww_array *out, *values_out;
    value_kind values;
    uint32_t word; /* of values in memory */
    ww__path_plan plan;
    uint64_t first, tiles;
    bool whole; /* of the merge all is written */
    bool finds; /* blocks find the ends of their own tiles */
} merging;

/* The longest word, up to 16 bytes, that divides an address or a size. */
static uint32_t word_of(uintptr_t bits) {
    bits |= WORD_MOST;
    return (uint32_t)(bits & (~bits + 1));
}

bool ww__path_plain(const ww_input *a, const ww_input *b) { return ww__input_memory(a) && ww__input_memory(b); }

uint32_t ww__path_piece(const ww_input *a, const ww_input *b, const ww_array *out) {
    enum { HELD_MOST = 16 /* bytes of a key that stands in registers */ };
    uintptr_t bits = (uintptr_t)out->data | out->size;
    if (out->size <= HELD_MOST) return 0;
    if (ww__path_plain(a, b)) bits |= (uintptr_t)ww__input_memory(a) | (uintptr_t)ww__input_memory(b);
    return word_of(bits);
}

/* Measured on an H100, 2026-11: 297 G keys a second where 512 threads have 42 registers each, 269 where the compiler chooses how
 * many. Where values go along, 64. */
static const struct {
    uint32_t threads, long_threads;
    uint32_t each, each_8, each_more; /* keys of a thread: of up to 4 bytes, of 8, longer ones */
    uint32_t cut_threads, few_tiles;
    uint32_t held, held_values; /* blocks of a processor, where keys are of up to 4 bytes */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {512, 128, 15, 11, 7, 128, 2048, 3, 2},
    [WW__TILES_SMALL] = {64, 64, 3, 3, 3, 64, 4, 12, 8},
};

ww__path_plan ww__path_plan_of(const ww_device *device, uint64_t total, size_t size, uint32_t piece, bool values,
                               uint32_t each_most) {
    enum { TILE_BYTES = 1 << 16, SEVERAL = 4, LANES = 4 };
    const ww__driver *driver = device->gpu->driver;
    const ww__tiles t = driver->tiles;
    const uint32_t long_threads = tuning[t].long_threads;
    const uint32_t each = size <= 4 ? tuning[t].each : size <= 8 ? tuning[t].each_8 : tuning[t].each_more;
    ww__path_plan p = {.threads = tuning[t].threads,
                       .each = each < each_most ? each : each_most,
                       .piece = piece,
                       .cut_threads = tuning[t].cut_threads};
    if (size <= 4 && !piece) p.held = values ? tuning[t].held_values : tuning[t].held;
    if (piece) {
        p.threads = long_threads;
        while (p.each > 1 && p.threads * p.each * size > TILE_BYTES) p.each -= 2;
        while (p.threads > WARP && p.threads * p.each * size > TILE_BYTES) p.threads /= 2;
    }
    while (p.threads > long_threads && total / (p.threads * p.each) < SEVERAL * (uint64_t)driver->processors) {
        p.threads /= 2;
        p.held *= 2;
    }
    /* Where there are few cuts all that takes time is one step after another: a warp takes the fewest. */
    p.cut_lanes = total / (p.threads * p.each) < tuning[t].few_tiles ? WARP : LANES;
    return p;
}

void ww__path_recipe(ww__recipe *r, const ww__path_plan *p, const ww_function *order, const ww_input *a,
                     const ww_input *b) {
    ww__recipe_number(r, "WW_THREADS", p->threads);
    ww__recipe_number(r, "WW_CUT_THREADS", p->cut_threads);
    ww__recipe_number(r, "WW_CUT_LANES", p->cut_lanes);
    ww__recipe_number(r, "WW_EACH", p->each);
    ww__recipe_number(r, "WW_HELD", p->held);
    ww__recipe_number(r, "WW_PIECE", p->piece);
    ww__recipe_number(r, "WW_PLAIN", ww__path_plain(a, b));
    ww__recipe_order(r, order, a->type, a->size);
    ww__recipe_ordered(r, "left", a, order);
    ww__recipe_ordered(r, "right", b, order);
}

static void choose_values(merging *m) {
    const void *a, *b;
    if (!m->a_values->steps) return;
    a = ww__input_memory(m->a_values);
    b = ww__input_memory(m->b_values);
    m->values = VALUES_COMPUTED;
    /* An empty array may have no address. */
    if (m->a_values->steps != 1 || m->b_values->steps != 1 || m->a_values->kind[0] != WW_STEP_MEMORY ||
        m->b_values->kind[0] != WW_STEP_MEMORY)
        return;
    m->word = word_of((uintptr_t)a | (uintptr_t)b | (uintptr_t)m->values_out->data | m->values_out->size);
    m->values = m->word == m->values_out->size ? VALUES_WORDS : VALUES_RECORDS;
}

/* Bytes of shared memory: struct merge_shared. */
static size_t shared_bytes(const merging *m) {
    const size_t tile = (size_t)m->plan.threads * m->plan.each;
    size_t bytes = ww__round_up((tile + 1) * m->out->size, 16);
    if (m->values == VALUES_WORDS) bytes += ww__round_up(tile * m->word, 16);
    if (m->values || m->plan.piece) bytes += tile * sizeof(uint16_t);
    return ww__round_up(bytes + m->plan.threads * sizeof(uint16_t), 16);
}

static void make_recipe(ww__recipe *r, const merging *m, const ww_function *order) {
    ww__recipe_begin(r, "primitive/merge/merge.cu");
    ww__recipe_number(r, "WW_VECTORS", ww__batch_aligned(m->a, m->out) && WORD_MOST % m->out->size == 0);
    ww__recipe_number(r, "WW_VALUES", (uint64_t)m->values);
    ww__recipe_number(r, "WW_VALUE", m->word);
    ww__recipe_number(r, "WW_FINDS", m->finds);
    ww__recipe_number(r, "WW_VALUE_WORDS", m->values == VALUES_RECORDS ? m->values_out->size / m->word : 1);
    ww__path_recipe(r, &m->plan, order, m->a, m->b);
    if (m->values != VALUES_COMPUTED) return;
    ww__recipe_type(r, "ww_value_item", m->values_out->type, m->values_out->size, m->values_out->data);
    ww__recipe_input(r, "left_value", m->a_values);
    ww__recipe_input(r, "right_value", m->b_values);
}

/* A search before each tile takes less than a launch as long as all tiles are on the processors at once, or nearly so. */
static bool finds(const ww_device *device, const merging *m, const ww__merge_request *r) {
    enum { SEVERAL = 4 };
    return r->is_sorted && (m->tiles > 1 || !m->whole) &&
           m->tiles <= SEVERAL * (uint64_t)device->gpu->driver->processors && m->plan.cut_lanes == WARP &&
           m->plan.threads >= 2 * WARP;
}

/* There are cuts where there are several tiles, or one that is not all, that do not find theirs. */
static ww_status launch(ww_device *device, const merging *m, const ww_function *order, void *out, void *values_out) {
    const uint64_t tiles = m->tiles;
    /* Neighbouring blocks find the cut between them both. */
    const uint64_t blocks = ww__blocks(tiles, m->plan.cut_threads / m->plan.cut_lanes - 1),
                   words = ww__blocks(blocks, sizeof(uint32_t));
    const bool values_in_memory = m->values == VALUES_WORDS || m->values == VALUES_RECORDS;
    const void *left_values = values_in_memory ? ww__input_memory(m->a_values) : NULL;
    const void *right_values = values_in_memory ? ww__input_memory(m->b_values) : NULL;
    uint64_t *cut = NULL;
    uint32_t *broken = NULL;
    ww__recipe r;
    make_recipe(&r, m, order);
    if ((tiles > 1 || !m->whole) && !m->finds) {
        WW_TRY(ww__scratch_array(device, tiles + 1, sizeof *cut, &cut));
        WW_TRY(ww__scratch_array(device, words, sizeof *broken, &broken));
    }
    ww__arguments a;
    const merge_fixed fixed = {.out = out,
                               .lefts = m->a->count,
                               .rights = m->b->count,
                               .first = m->first,
                               .end = m->first + m->out->count,
                               .tiles = tiles,
                               .cut = cut,
                               .broken = broken,
                               .words = words,
                               .values_out = values_out,
                               .left_values = left_values,
                               .right_values = right_values};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, m->a));
    WW_TRY(ww__argument_input(device, &a, m->b));
    if (m->values == VALUES_COMPUTED) {
        WW_TRY(ww__argument_input(device, &a, m->a_values));
        WW_TRY(ww__argument_input(device, &a, m->b_values));
    }
    if (cut) WW_TRY(ww__gpu_launch_early(device, &r, "cut_tiles", blocks, m->plan.cut_threads, 0, &a));
    return ww__gpu_launch_early(device, &r, "merge", tiles, m->plan.threads, shared_bytes(m), &a);
}

ww_status ww__merge_gpu(ww_device *device, const ww__merge_request *r) {
    const ww_array *const out = r->out, *const values_out = r->values_out;
    enum { EACH_WITH_VALUES = 15, EACH_WITH_WIDE_VALUES = 11, EACH_WITH_LONG_VALUES = 7 };
    merging m = {.a = r->a,
                 .b = r->b,
                 .a_values = r->a_values,
                 .b_values = r->b_values,
                 .out = out,
                 .values_out = values_out,
                 .word = 1,
                 .first = r->first,
                 .whole = r->a->count + r->b->count == out->count};
    void *to, *values_to = NULL;
    uint32_t each_most = UINT32_MAX;
    if (!out->count) return WW_OK;
    choose_values(&m);
    const ww_function *const order = ww__order_told(device, r->order, r->a, r->b);
    WW_CHECK(device, out->size <= ELEMENT_MOST, WW_LIMIT,
             "keys of %zu bytes are merged on a CPU only; a GPU takes up to %d", out->size, ELEMENT_MOST);
    WW_CHECK(device, m.values != VALUES_COMPUTED || values_out->size <= ELEMENT_MOST, WW_LIMIT,
             "computed values of %zu bytes are merged on a CPU only; a GPU takes up to %d", values_out->size,
             ELEMENT_MOST);
    if (m.values == VALUES_WORDS)
        each_most = m.word <= 4 ? EACH_WITH_VALUES : m.word <= 8 ? EACH_WITH_WIDE_VALUES : EACH_WITH_LONG_VALUES;
    m.plan = ww__path_plan_of(device, out->count, out->size, ww__path_piece(r->a, r->b, out), m.values != VALUES_NONE,
                              each_most);
    const size_t shared_most = device->gpu->driver->shared_most - ww__kept_bytes(order);
    while (m.plan.threads > WARP && shared_bytes(&m) > shared_most) m.plan.threads /= 2;
    m.tiles = ww__blocks(out->count, (uint64_t)m.plan.threads * m.plan.each);
    m.finds = finds(device, &m, r);
    WW_TRY(ww__gpu_room(device, out->data, out->size, &to));
    if (m.values) WW_TRY(ww__gpu_room(device, values_out->data, values_out->size, &values_to));
    WW_TRY(launch(device, &m, order, to, values_to));
    WW_TRY(ww__gpu_result(device, out->data, to, out->size));
    return m.values ? ww__gpu_result(device, values_out->data, values_to, values_out->size) : WW_OK;
}
