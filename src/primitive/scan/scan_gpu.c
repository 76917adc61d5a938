/* The host side of scans on a GPU: one launch, after the words of the chain are cleared. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "function/into_gpu.h"
#include "primitive/scan/scan_arguments.cuh"
#include "primitive/scan/sides.h"

enum { ELEMENT_MOST = 1024 };

/* Measured on an H100, 2026-11: large inputs want all registers of a processor taken, by 32 elements a thread of 4 bytes (16 of 8
 * bytes) in batches of 16 bytes. Heads and keys take registers, too, and cost instructions for every batch: there batches of
 * eight are best, three a thread. Of 8 bytes 32 a thread are best, too, by half the threads: 163 G/s of u64 (2^26 and 10^8), where 1024
 * threads with 16 reach 146, 512 with 16 144, and 256 with 16 141. Longer elements have four neighbours a thread, because the scan over the warp costs five
 * joins a batch. */
typedef struct shape {
    uint32_t threads, rows, held;
} shape;
static const struct {
    shape usual, by, large, huge; /* by: short elements with heads or keys; large, huge: by tiles a processor */
    shape wide;                   /* of more than 4 bytes, large */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {{256, 4, 0}, {256, 3, 4}, {512, 8, 2}, {1024, 8, 1}, {512, 16, 1}},
    [WW__TILES_SMALL] = {{64, 2, 0}, {64, 2, 4}, {64, 2, 2}, {64, 2, 1}, {64, 4, 1}},
};

/* Whether a computed output is one array of neighbours that takes whole batches: as sums of f16 do, which are rounded on the way. */
static bool goes_in_words(const ww__scanning *s) {
    const ww__into *const into = s->into;
    return into && into->many == 1 && !into->permuted && !into->at[0] && ww__gpu_compiles(s->device) &&
           into->array[0].type->kind != WW_KIND_RECORD && ww__batch_aligned(s->in, &into->array[0]);
}

/* general: two plans for all numbers of elements, where nothing compiles. */
static ww__tiling tiling_of(const ww__scanning *s, const ww_input *by, bool general) {
    enum { SEVERAL = 4, MANY = 8, ITEMS_MOST = 32, BYTES_MOST = 256 /* of a thread, in registers */ };
    const size_t size = s->in->size, key = by ? by->size : 0, stored = goes_in_words(s) ? s->into->array[0].size : size;
    const ww__driver *driver = s->device->gpu->driver;
    const uint64_t tiles = s->in->count / driver->processors / (512 * ITEMS_MOST); /* of a processor */
    const bool large = size <= 8 && tiles >= SEVERAL, short_by = by && size <= 4 && key <= 4;
    const shape *const t = short_by                        ? &tuning[driver->tiles].by
                           : by || !large                  ? &tuning[driver->tiles].usual
                           : !general && size > 4          ? &tuning[driver->tiles].wide
                           : !general && tiles >= 2 * MANY ? &tuning[driver->tiles].huge
                                                           : &tuning[driver->tiles].large;
    ww__tiling p = {t->threads, t->rows, 1, t->held,
                    ww__batch_aligned(s->in, s->out) && (!by || ww__batch_aligned(by, NULL))};
    while (p.items < 16 && (2 * p.items * stored <= 16 || (p.items < 4 && 2 * p.items * size <= 64 && !(large && !by))))
        p.items *= 2;
    if (short_by && p.items < 8) p.items = 8;
    while (p.rows > 1 && (p.rows * p.items > ITEMS_MOST || p.rows * p.items * size > BYTES_MOST)) p.rows /= 2;
    if (s->in->count_at && !ww__scan_shows_brackets(s->op, s->in->type)) ww__tiling_fit(&p, s->in->count);
    return p;
}

/* Of a tile, with its carrier in them; 0: carriers are too long for that. */
static uint32_t words_of(size_t size) { return size <= 4 ? 1 : size <= 8 ? 2 : 0; }

enum { TOLD = 2 /* WW_EXCLUSIVE: scan_arguments.cuh says which */ };

static void make_recipe(const ww__scanning *s, const ww_input *by, const ww__tiling *p, bool general, ww__recipe *r) {
    ww__recipe_begin(r, "primitive/scan/scan.cu");
    ww__recipe_tiling(r, p);
    ww__recipe_number(r, "WW_SEGMENTS", s->heads ? 1 : s->keys ? 2 : 0);
    ww__recipe_number(r, "WW_EXCLUSIVE", general ? TOLD : s->exclusive);
    ww__recipe_number(r, "WW_INITIAL", by && (general || s->initial));
    ww__recipe_number(r, "WW_PACKED", words_of(s->in->size));
    ww__recipe_type(r, "ww_item", s->in->type, s->in->size, NULL);
    ww__recipe_function(r, "ww_op", s->op);
    ww__recipe_input(r, "in", s->in);
    if (by) ww__recipe_input(r, "by", by);
    if (!ww__gpu_compiles(s->device)) ww__recipe_share_signs(r, s->op);
    ww__recipe_counted(r, s->in->count_at);
    if (s->in->count_at && s->behind) ww__recipe_number(r, "WW_BEHIND", 1);
}

ww_status ww__scan_gpu(const ww__scanning *s) {
    ww_device *device = s->device;
    const size_t size = s->in->size, alignment = s->in->type->alignment;
    const ww_input *by = s->heads ? s->heads : s->keys;
    WW_CHECK(device, size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are scanned on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    /* A carrier: the element, and in a segmented scan a word that is aligned as the whole is. */
    const size_t carrier = by ? ww__round_up(ww__round_up(size, 4) + 4, alignment > 4 ? alignment : 4) : size;
    const uint32_t words = words_of(size);
    ww__tiling p = tiling_of(s, by, false);
    ww__recipe r;
    make_recipe(s, by, &p, false, &r);
    if (!s->into && !ww__gpu_has(device, &r)) {
        p = tiling_of(s, by, true);
        make_recipe(s, by, &p, true, &r);
    }
    const uint64_t tiles = ww__blocks(s->in->count, ww__tiling_elements(&p));
    ww__gpu_into into;
    void *into_room[WW_ZIP_MOST];
    if (s->into) {
        WW_TRY(ww__check_into_size(device, s->into));
        into = ww__into_gpu(s->into);
        ww__recipe_into(&r, &into);
        if (goes_in_words(s)) ww__recipe_number(&r, "WW_INTO_WORDS", 1);
    }

    const uint64_t *count_at = ww__take_count(device, s->in);
    void *total;
    ww__gpu_chain chain;
    WW_TRY(ww__gpu_room(device, s->total, size, &total));
    WW_TRY(ww__gpu_chain_of_tiles(device, words == 2 && tiles > 1 ? 2 * tiles : tiles, words ? 0 : carrier, &chain));
    ww__arguments a;
    const scan_fixed fixed = {.out = s->out->data,
                              .total = total,
                              .count = s->in->count,
                              .tiles = tiles,
                              .count_at = count_at,
                              .chain = chain,
                              .exclusive = s->exclusive};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument(device, &a, s->initial ? s->initial : s->op->identity, size, 16));
    WW_TRY(ww__argument(device, &a, s->op->identity, size, 16));
    WW_TRY(ww__argument_input(device, &a, s->in));
    if (by) WW_TRY(ww__argument_input(device, &a, by));
    if (s->into) WW_TRY(ww__argument_into(device, &a, &into, into_room));
    const uint64_t blocks = ww__gpu_chain_blocks(device, tiles, p.threads, count_at);
    WW_TRY(ww__gpu_launch(device, &r, "scan", blocks, p.threads, 0, &a));
    if (s->into) WW_TRY(ww__gpu_into_results(device, &into, into_room));
    return s->total ? ww__gpu_result(device, s->total, total, size) : WW_OK;
}
