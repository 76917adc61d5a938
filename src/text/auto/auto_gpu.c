/* The host side of finding on a GPU: one launch that finds (auto.cu), begun while a small one clears its state, and, for
 * patterns longer than a window, one behind that starts over where the first gave up (auto_again.cu), and else returns at
 * once. Nothing waits, but for a result in the host's memory. */
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "device/gpu/gpu.h"
#include "text/auto/auto_arguments.cuh"
#include "text/auto/image_gpu.h"
#include "text/find_gpu.h"
#include "text/pattern_gpu.h"

typedef enum wanted { WANT_ALL, WANT_FIRST, WANT_LAST, WANT_MARKS } wanted;

typedef struct finding {
    ww_device *device;
    const ww__finding *f;
    wanted want;
    uint32_t width; /* bits of a character as it lies in memory */
    bool compares;  /* more than a window has to be compared */
    find_text text;
    uint64_t first; /* the text's first character, from its base */
    ww__window window;
    const ww__image *image;
    find_pattern pattern;
    find_results results;
    uint32_t threads, rows, rounds;
    uint64_t origin, tiles, segment, segments;
    find_state *state; /* and the chains behind it: state_words, cleared */
    uint64_t state_words;
    ww__gpu_chain once, again;
} finding;

enum {
    PIECE = 16,
    BEFORE = 64,  /* bytes from the base to what is before the text's first whole piece */
    TICKET = 128, /* lines of their own, in the memory that is cleared */
    STATE_BYTES = 128,
    WORD_BITS = 32,
    PLACES = 32 /* a thread's in find_pattern_again */
};

/* ---- tuning ---- */

/* Tiles of 16 KiB; of 32 where up to 4 bytes are looked for in much text, so that many tiles have matches: fewer look back then
 * (H100, 2026-11, 4 bytes of 4 letters: 1,740 GB/s, else 1,430; 8 bytes of 26: 2,460, else 2,500).
 * Of small tiles find_pattern_once gives up early; and their fingerprints lie for every other length of pattern, so that what
 * is done about it is met. */
static const struct tuning {
    uint32_t threads, rows;                   /* rows: of characters of 8 bits */
    uint64_t much;                            /* rounds a processor, from which on text is much */
    uint64_t segment_least, segment_most;     /* rounds of a segment of find_pattern_again */
    uint32_t limit_halves, limit, limit_warp; /* steps until giving up: half the bytes so often, and some; of a warp */
    uint32_t odd_base;                        /* of fingerprints of patterns of odd length; 0: as of others */
} tunings[WW__TILINGS] = {
    [WW__TILES_GPU] = {.threads = 256,
                       .rows = 4,
                       .much = 16,
                       .segment_least = 0,
                       .segment_most = UINT64_MAX,
                       .limit_halves = 4,
                       .limit = 1 << 20,
                       .limit_warp = 1 << 17,
                       .odd_base = 0},
    [WW__TILES_SMALL] = {.threads = 64,
                         .rows = 2,
                         .much = 0,
                         .segment_least = 2,
                         .segment_most = 2,
                         .limit_halves = 1,
                         .limit = 1 << 14,
                         .limit_warp = 1 << 13,
                         .odd_base = 1},
};

static const struct tuning *tuning_of(const finding *g) { return &tunings[g->device->gpu->driver->tiles]; }

/* ---- plan ---- */

static ww_status text_in_memory(finding *g) {
    const void *memory;
    WW_TRY(ww__text_in_memory(g->device, &g->f->text, &memory));
    const uint64_t bytes = g->f->packed ? ww__blocks(g->f->n, 8 / g->width) : g->f->text.count;
    const uint64_t lead = (uintptr_t)memory % PIECE + BEFORE;
    g->text = (find_text){(const unsigned char *)((uintptr_t)memory - lead), lead, lead + bytes};
    g->first = lead * (8 / g->width);
    return WW_OK;
}

static void plan(finding *g) {
    enum { PACKED_ROWS = 2, ROUNDS = 2, BLOCKS = 4 };
    const struct tuning *const t = tuning_of(g);
    const uint64_t processors = g->device->gpu->driver->processors;
    g->threads = t->threads;
    g->rows = g->width == 8 ? t->rows : PACKED_ROWS;
    const uint64_t first = g->first + g->window.at, past = ww__blocks((first + g->f->starts) * g->width, 8);
    g->origin = first * g->width / 8 / PIECE * PIECE;
    const uint64_t round_bytes = (uint64_t)g->threads * g->rows * PIECE,
                   rounds = ww__blocks(past - g->origin, round_bytes);
    g->rounds = rounds >= t->much * processors && g->window.words == 1 && !g->compares ? ROUNDS : 1;
    g->tiles = ww__blocks(rounds, g->rounds);
    /* Each block of find_pattern_again has some rounds: a few blocks for each processor, which read twice their segments at
     * most. */
    const uint64_t round = (uint64_t)g->threads * PLACES, of_pattern = ww__blocks(g->f->m, round);
    const uint64_t even = ww__min_u64(ww__blocks(g->f->starts, round * BLOCKS * processors), t->segment_most);
    const uint64_t in_segment = even > t->segment_least ? even : t->segment_least;
    g->segment = round * (in_segment > of_pattern ? in_segment : of_pattern);
    g->segments = ww__blocks(g->f->starts, g->segment);
}

/* The state and both chains, which are cleared at once. */
static ww_status take_memory(finding *g) {
    const bool chained = g->want == WANT_ALL;
    const size_t once = chained ? TICKET + (size_t)g->tiles * sizeof(uint64_t) : 0;
    const uint64_t mark_words = ww__blocks(g->f->starts, WORD_BITS);
    const size_t again = g->compares ? TICKET + (chained ? (size_t)g->segments * sizeof(uint64_t) : 0) : 0;
    unsigned char *memory;
    WW_CHECK(g->device, g->tiles < UINT32_MAX, WW_LIMIT, "this would take %llu tiles, and a GPU's tickets end at %u",
             (unsigned long long)g->tiles, UINT32_MAX);
    WW_TRY(ww__scratch(g->device, STATE_BYTES + once + again, &memory));
    g->state = (find_state *)(void *)memory;
    g->once = (ww__gpu_chain){memory + STATE_BYTES, memory + STATE_BYTES + TICKET, NULL, NULL};
    g->again = (ww__gpu_chain){memory + STATE_BYTES + once, memory + STATE_BYTES + once + TICKET, NULL, NULL};
    g->state_words = (STATE_BYTES + once + again) / sizeof(uint64_t);
    if (g->want == WANT_MARKS || g->compares)
        WW_TRY(ww__scratch_array(g->device, mark_words, sizeof *g->results.marks, &g->results.marks));
    if (g->want == WANT_MARKS)
        WW_TRY(ww__gpu_fill(g->device, g->results.marks, 0, (size_t)mark_words * sizeof *g->results.marks));
    return WW_OK;
}

/* ---- launches ---- */

static void begin_recipe(const finding *g, ww__recipe *r, const char *file) {
    const ww_array *positions = &g->f->positions;
    const ww_type *position = g->want == WANT_ALL && !ww__is_none(positions) ? positions->type : &ww_type_uint32_t;
    const ww_type *count = g->want == WANT_ALL ? g->f->count.type : &ww_type_uint32_t;
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_THREADS", g->threads);
    ww__recipe_number(r, "WW_BITS", g->width);
    ww__recipe_number(r, "WW_FOLD", g->f->fold);
    ww__recipe_number(r, "WW_WANT", (uint64_t)g->want);
    ww__recipe_number(r, "WW_INLINE_WORDS", g->image && !g->image->memory ? WW__IMAGE_INLINE : 0);
    ww__recipe_type(r, "ww_position", position, position->size, NULL);
    ww__recipe_type(r, "ww_count", count, count->size, NULL);
}

/* The image, where it is in the arguments. */
static ww_status add_image(const finding *g, ww__arguments *a) {
    _Static_assert(sizeof(find_fixed) + sizeof g->image->own <= WW__ARGUMENTS_MOST &&
                       sizeof(again_fixed) + sizeof g->image->own <= WW__ARGUMENTS_MOST && WW__IMAGE_INLINE % 2 == 0,
                   "an image fits behind them");
    if (!g->image || g->image->memory) return WW_OK;
    return ww__argument(g->device, a, g->image->own, sizeof g->image->own, sizeof *g->image->own);
}

/* Blocks of a processor: with as few registers as that leaves, what is met often still has all it wants (ptxas of CUDA 13.0 for
 * sm_90). On an H100 one more is up to 10 % slower. */
static uint32_t held(const finding *g) {
    if (g->width != 8) return 0;
    return g->want == WANT_ALL && !g->compares && !g->f->fold ? 5 : 4;
}

static ww_status clear_state(const finding *g, const ww__recipe *r) {
    enum { EACH = 4 };
    ww__arguments a;
    const clear_arguments all = {.word = (uint64_t *)(void *)g->state, .words = g->state_words};
    WW__ARGUMENTS(&a, all);
    const uint64_t blocks = ww__blocks(g->state_words, (uint64_t)g->threads * EACH);
    return ww__gpu_launch(g->device, r, "clear_state", blocks, g->threads, 0, &a);
}

static ww_status find_once(const finding *g) {
    const struct tuning *const t = tuning_of(g);
    const uint64_t first = g->first + g->window.at, past = first + g->f->starts, bytes = g->text.end - g->text.begin;
    const uint64_t limit = bytes * t->limit_halves / 2 + t->limit;
    ww__recipe r;
    ww__arguments a;
    begin_recipe(g, &r, "text/auto/auto.cu");
    ww__recipe_number(&r, "WW_ROWS", g->rows);
    ww__recipe_number(&r, "WW_ROUNDS", g->rounds);
    ww__recipe_number(&r, "WW_HELD", held(g));
    ww__recipe_number(&r, "WW_WORDS", g->window.words);
    ww__recipe_number(&r, "WW_LONG", g->compares);
    WW_TRY(clear_state(g, &r));
    const find_fixed fixed = {.text = g->text,
                              .pattern = g->pattern,
                              .results = g->results,
                              .state = g->state,
                              .chain = g->once,
                              .origin = g->origin,
                              .tiles = g->tiles,
                              .first = first,
                              .past = past,
                              .at = g->window.at,
                              .limit = limit,
                              .limit_warp = t->limit_warp,
                              .factor = {g->window.factor[0], g->window.factor[1]},
                              .sought = g->window.sought,
                              .window = {g->window.word[0], g->window.word[1]},
                              .keep = {g->window.keep[0], g->window.keep[1]}};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(add_image(g, &a));
    return ww__gpu_launch_early(g->device, &r, "find_pattern_once", g->tiles, g->threads, 0, &a);
}

/* ---- fingerprints ---- */

#define PRIME ((UINT64_C(1) << 61) - 1)

/* Of two numbers below the prime. */
static uint64_t times(uint64_t x, uint64_t y) {
    const uint64_t half = UINT32_MAX, middle = (x >> 32) * (y & half) + ((x & half) * (y & half) >> 32);
    const uint64_t other = (x & half) * (y >> 32) + (middle & half);
    const uint64_t high = (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
    return ((x * y & PRIME) + (x * y >> 61 | high << 3)) % PRIME;
}

static uint64_t power(uint64_t x, uint64_t by) {
    uint64_t p = 1;
    for (; by; by >>= 1, x = times(x, x))
        if (by & 1) p = times(p, x);
    return p;
}

/* The base is nothing that a text could be made for: where the handle and the pattern lie. */
static uint64_t base_for(const finding *g) {
    uint64_t x = (uintptr_t)g->device ^ (uint64_t)(uintptr_t)g->f->pattern << 20 ^ g->f->m;
    if (tuning_of(g)->odd_base && g->f->m % 2) return tuning_of(g)->odd_base;
    x = (x ^ x >> 31) * UINT64_C(0x9E3779B97F4A7C15);
    return ((x ^ x >> 29) >> 4 | 1 << 8) + 1;
}

static ww_status find_again(const finding *g) {
    const uint64_t base = base_for(g);
    again_fixed fixed = {.text = g->text,
                         .pattern = g->pattern,
                         .results = g->results,
                         .state = g->state,
                         .chain = g->again,
                         .first = g->first,
                         .starts = g->f->starts,
                         .segment = g->segment,
                         .segments = g->segments,
                         .base = base,
                         .drop = power(base, g->f->m)};
    for (uint64_t i = 0; i < g->f->m; i++) fixed.target = (times(fixed.target, base) + g->f->pattern[i]) % PRIME;
    for (unsigned k = 0; k < FIND_STEPS; k++) fixed.step[k] = power(base, (uint64_t)PLACES << k);
    ww__recipe r;
    ww__arguments a;
    begin_recipe(g, &r, "text/auto/auto_again.cu");
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(add_image(g, &a));
    return ww__gpu_launch_early(g->device, &r, "find_pattern_again", g->segments, g->threads, 0, &a);
}

/* ---- calls ---- */

static ww_status find(finding *g) {
    WW_TRY(take_memory(g));
    WW_TRY(find_once(g));
    return g->compares ? find_again(g) : WW_OK;
}

static ww_status find_all(finding *g) {
    const ww__finding *f = g->f;
    if (!ww__is_none(&f->positions)) {
        WW_TRY(ww__gpu_room_kept(g->device, &f->positions, &g->results.positions));
        g->results.room = f->positions.count;
    }
    WW_TRY(ww__gpu_room(g->device, f->count.data, f->count.size, &g->results.total));
    WW_TRY(find(g));
    if (g->results.positions)
        WW_TRY(ww__gpu_result(g->device, f->positions.data, g->results.positions, f->positions.size));
    return ww__gpu_result(g->device, f->count.data, g->results.total, f->count.size);
}

/* The best is found in the GPU's memory, where many look at it. */
static ww_status find_one(finding *g) {
    WW_TRY(ww__scratch(g->device, sizeof *g->results.best, &g->results.best));
    WW_TRY(ww__gpu_fill(g->device, g->results.best, 0xFF, sizeof *g->results.best));
    WW_TRY(find(g));
    return ww__gpu_copy(g->device, g->f->count.data, g->results.best, sizeof *g->results.best);
}

static ww_status find_in_texts(finding *g) {
    WW_TRY(find(g));
    return ww__find_marks_gpu(g->device, g->f, g->results.marks);
}

/* No start at all. */
static ww_status find_nothing(ww_device *device, const ww__finding *f) {
    const uint64_t nowhere = WW_NOT_FOUND;
    if (f->want != WW__FIND_ALL) return ww__put_one(device, f->count.data, &nowhere, sizeof nowhere);
    if (!f->offsets) return ww__put_count(device, &f->count, 0);
    uint32_t *marks;
    WW_TRY(ww__scratch(device, sizeof *marks, &marks));
    return ww__find_marks_gpu(device, f, marks);
}

ww_status ww__find_auto_gpu(ww_device *device, const ww__finding *f) {
    finding g = {.device = device, .f = f, .width = f->packed ? f->bits : 8};
    ww__image image;
    if (!f->starts) return find_nothing(device, f);
    g.want = f->offsets                  ? WANT_MARKS
             : f->want == WW__FIND_FIRST ? WANT_FIRST
             : f->want == WW__FIND_LAST  ? WANT_LAST
                                         : WANT_ALL;
    ww__window_choose(f, &g.window);
    g.compares = g.window.loose || f->m * g.width > (uint64_t)g.window.words * WORD_BITS;
    WW_TRY(text_in_memory(&g));
    plan(&g);
    if (g.compares) {
        WW_TRY(ww__image_make(device, f, &image));
        g.image = &image;
        g.pattern = (find_pattern){image.memory, image.words, image.last, f->m};
    }
    return g.want == WANT_MARKS ? find_in_texts(&g) : g.want == WANT_ALL ? find_all(&g) : find_one(&g);
}
