/* The host side of gathering on a GPU: one launch, of a thread for each small element or of lanes together for records. */
#include "device/call.h"
#include "primitive/gather/gather_arguments.cuh"
#include "primitive/gather/move_arguments.cuh"
#include "primitive/gather/move_gpu.h"

typedef unsigned long long ull;

enum { SMALL = 16, WARP = 32, WORD_MOST = 16, RECORD_MOST = 1 << 30 };

ww_status ww__say_index(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    return ww__fail(device, WW_RANGE, "index[%llu] is %s, and there are %llu elements", (ull)position,
                    ww__number_said(call->name, value).text, (ull)call->limit);
}

uint32_t ww__move_word(size_t size, const void *a, const void *b) {
    const uintptr_t bits = size | (uintptr_t)a | (uintptr_t)b | WORD_MOST;
    return (uint32_t)(bits & (~bits + 1));
}

void ww__recipe_words(ww__recipe *r, size_t size, uint32_t word, bool wide) {
    ww__recipe_number(r, "WW_WORD", word);
    ww__recipe_number(r, "WW_WORDS", size / word);
    ww__recipe_number(r, "WW_WIDE", wide);
}

/* Rows of a thread, at most: with those that GPUs have, loads of up to eight elements are under way at once. */
static const uint32_t rows_most[WW__TILINGS] = {[WW__TILES_GPU] = 8, [WW__TILES_SMALL] = 2};

uint32_t ww__move_rows(const ww_device *device, uint32_t items, size_t size) {
    enum { FLYING = 8, BYTES = 128 };
    uint32_t rows = items < FLYING ? FLYING / items : 1;
    while (rows > 1 && rows * items * size > BYTES) rows /= 2;
    const uint32_t most = rows_most[device->gpu->driver->tiles];
    return rows < most ? rows : most;
}

ww_status ww__move_records(ww_device *device, size_t size, void *to, const void *from, const ww_input *index,
                           uint64_t limit, ww__choice kind, void *choice, bool wide, const ww__gpu_checking *checking) {
    enum { GROUP_WORDS = 1024, UNROLL_MOST = 8, UNROLL_ANY = 4 };
    const bool any = !ww__gpu_compiles(device); /* one program for all sizes */
    const ww__gpu_checking unchecked = {NULL, 0};
    const uint32_t word = ww__move_word(size, to, from);
    const uint64_t words = size / word;
    uint32_t group = WARP;
    WW_CHECK(device, size <= RECORD_MOST, WW_LIMIT,
             "elements of %zu bytes are moved on a CPU only; a GPU takes up to %d", size, RECORD_MOST);
    while (group > 1 && group * words > GROUP_WORDS) group /= 2;
    const uint64_t steps = ww__blocks(group * words, WARP);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/gather/move_records.cu");
    ww__recipe_number(&r, "WW_THREADS", WW__MOVE_THREADS);
    ww__recipe_number(&r, "WW_GROUP", any ? 0 : group);
    ww__recipe_number(&r, "WW_UNROLL", any ? UNROLL_ANY : steps < UNROLL_MOST ? steps : UNROLL_MOST);
    ww__recipe_number(&r, "WW_CHOICE", (uint64_t)kind);
    ww__recipe_number(&r, "WW_CHECKS", !checking ? 0 : kind == WW__CHOICE_LAST ? 2 : 1);
    ww__recipe_words(&r, any ? 0 : size, word, wide);
    ww__recipe_index(&r, "index", index, !ww__gpu_compiles(device));
    ww__arguments a;
    const move_fixed fixed = {.to = to,
                              .from = from,
                              .choice = choice,
                              .count = index->count,
                              .limit = limit,
                              .words = words,
                              .group = group,
                              .checking = checking ? *checking : unchecked};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, index));
    const uint64_t tile = (uint64_t)(WW__MOVE_THREADS / WARP) * group;
    return ww__gpu_launch(device, &r, "move_records", ww__blocks(index->count, tile), WW__MOVE_THREADS, 0, &a);
}

static ww_status gather_small(ww_device *device, const ww_array *out, const void *from, const ww_input *index,
                              const uint64_t *count_at, uint64_t limit, const ww__gpu_checking *checking) {
    const uint32_t items = ww__batch_items(index, out), rows = ww__move_rows(device, items, out->size);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/gather/gather.cu");
    ww__recipe_number(&r, "WW_THREADS", WW__MOVE_THREADS);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_words(&r, out->size, ww__move_word(out->size, out->data, from), false);
    ww__recipe_index(&r, "index", index, !ww__gpu_compiles(device));
    ww__recipe_counted(&r, count_at);
    ww__arguments a;
    const gather_fixed fixed = {.out = out->data,
                                .from = from,
                                .count = index->count,
                                .limit = limit,
                                .count_at = count_at,
                                .checking = *checking};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, index));
    const uint64_t tile = (uint64_t)WW__MOVE_THREADS * rows * items;
    return ww__gpu_launch(device, &r, "gather", ww__blocks(index->count, tile), WW__MOVE_THREADS, 0, &a);
}

ww_status ww__gather_gpu(ww_device *device, const ww_array *from, const ww_input *index, const ww_array *out) {
    ww__gpu_checking checking;
    ww_array to = *out;
    if (!index->count) return WW_OK;
    const bool small = out->size <= SMALL && (ww__move_word(out->size, out->data, from->data) == out->size ||
                                              index->count_at || ww__gpu_compiles(device));
    const uint64_t *count_at = small ? ww__take_count(device, index) : NULL;
    WW_TRY(ww__gpu_room(device, out->data, out->size, &to.data));
    WW_TRY(ww__gpu_checking_begin(device, ww__say_index, index->type->label, from->count, &checking));
    if (small)
        WW_TRY(gather_small(device, &to, from->data, index, count_at, from->count, &checking));
    else
        WW_TRY(ww__move_records(device, out->size, to.data, from->data, index, from->count, WW__CHOICE_NONE, NULL,
                                false, &checking));
    return ww__gpu_result(device, out->data, to.data, out->size);
}
