/* From marks to what a request asks for, on a GPU: one launch that lists them, after one that checks the offsets of several
 * texts; or two that choose the first or last mark. Nothing waits but a count, or a single position, that the host wants. */
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "device/gpu/gpu.h"
#include "function/check.h"
#include "text/find_gpu.h"
#include "text/marks_arguments.cuh"

typedef unsigned long long ull;

typedef struct listing {
    ww_device *device;
    const ww__finding *f;
    const uint32_t *marks;
    uint32_t threads;
    uint64_t words, tiles;
    void *positions, *count, *counts; /* where kernels write them */
    uint64_t *best;
    ww__gpu_chain chain;
    ww__gpu_checking checking;
} listing;

enum { WORD_BITS = 32, THREAD_WORDS = 4 };

static const uint32_t threads_of[WW__TILINGS] = {[WW__TILES_GPU] = 256, [WW__TILES_SMALL] = 64};

static ww_status say_offset(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, below the one before or above the text's %llu bytes",
                    (ull)position, ww__number_said(call->name, value).text, (ull)call->limit);
}

static void begin_recipe(const listing *g, ww__recipe *r) {
    const ww__finding *f = g->f;
    const bool counts = !ww__is_none(&f->counts);
    const ww_type *position = ww__is_none(&f->positions) ? &ww_type_uint32_t : f->positions.type;
    const ww_type *text_count = counts ? f->counts.type : &ww_type_uint32_t;
    ww__recipe_begin(r, "text/list_marks.cu");
    ww__recipe_number(r, "WW_THREADS", g->threads);
    ww__recipe_number(r, "WW_TEXTS", f->offsets != NULL);
    ww__recipe_number(r, "WW_COUNTS", counts);
    ww__recipe_number(r, "WW_LAST", f->want == WW__FIND_LAST);
    ww__recipe_type(r, "ww_position", position, position->size, NULL);
    ww__recipe_type(r, "ww_count", f->count.type, f->count.size, NULL);
    ww__recipe_type(r, "ww_text_count", text_count, text_count->size, NULL);
    if (f->offsets) ww__recipe_index(r, "offsets", f->offsets, !ww__gpu_compiles(g->device));
}

static ww_status launch(const listing *g, const char *kernel, uint64_t blocks) {
    const ww__finding *f = g->f;
    ww__recipe r;
    begin_recipe(g, &r);
    ww__arguments a;
    const marks_fixed fixed = {.marks = g->marks,
                               .positions = g->positions,
                               .count = g->count,
                               .room = ww__is_none(&f->positions) ? 0 : f->positions.count,
                               .words = g->words,
                               .tiles = g->tiles,
                               .m = f->m,
                               .characters = f->n,
                               .texts = f->offsets ? f->offsets->count - 1 : 0,
                               .counts = g->counts,
                               .best = g->best,
                               .chain = g->chain,
                               .checking = g->checking};
    WW__ARGUMENTS(&a, fixed);
    if (f->offsets) WW_TRY(ww__argument_input(g->device, &a, f->offsets));
    return ww__gpu_launch(g->device, &r, kernel, blocks, g->threads, 0, &a);
}

static ww_status check_texts(listing *g) {
    const ww__finding *f = g->f;
    WW_TRY(ww__gpu_checking_begin(g->device, say_offset, f->offsets->type->label, f->n, &g->checking));
    if (!ww__is_none(&f->counts)) WW_TRY(ww__gpu_room_kept(g->device, &f->counts, &g->counts));
    return launch(g, "check_texts", ww__blocks(f->offsets->count, g->threads));
}

static ww_status list_all(listing *g) {
    const ww__finding *f = g->f;
    if (f->offsets) WW_TRY(check_texts(g));
    if (!ww__is_none(&f->positions)) WW_TRY(ww__gpu_room_kept(g->device, &f->positions, &g->positions));
    WW_TRY(ww__gpu_chain_begin(g->device, g->tiles, 0, &g->chain));
    WW_TRY(launch(g, "list_marks", g->tiles));
    if (g->positions) WW_TRY(ww__gpu_result(g->device, f->positions.data, g->positions, f->positions.size));
    return g->counts ? ww__gpu_result(g->device, f->counts.data, g->counts, f->counts.size) : WW_OK;
}

static ww_status find_one(listing *g) {
    enum { BLOCKS_A_PROCESSOR = 8 };
    const uint64_t blocks = ww__min_u64(ww__blocks(g->words, g->threads),
                                        (uint64_t)BLOCKS_A_PROCESSOR * g->device->gpu->driver->processors);
    WW_TRY(ww__scratch(g->device, sizeof *g->best, &g->best));
    WW_TRY(ww__gpu_fill(g->device, g->best, 0, sizeof *g->best));
    if (blocks) WW_TRY(launch(g, "find_one", blocks));
    return launch(g, "tell_one", 1);
}

ww_status ww__find_marks_gpu(ww_device *device, const ww__finding *f, uint32_t *marks) {
    listing g = {.device = device, .f = f, .marks = marks};
    g.threads = threads_of[device->gpu->driver->tiles];
    g.words = ww__blocks(f->starts, WORD_BITS);
    g.tiles = ww__blocks(g.words, (uint64_t)THREAD_WORDS * g.threads);
    if (!g.tiles) g.tiles = 1; /* which writes the count */
    WW_TRY(ww__gpu_room(device, f->count.data, f->count.size, &g.count));
    WW_TRY(f->want == WW__FIND_ALL ? list_all(&g) : find_one(&g));
    return ww__gpu_result(device, f->count.data, g.count, f->count.size);
}
