/* The host side of scattering on a GPU.
 *
 * any: one launch. What a store of up to 8 bytes writes is whole; of longer elements the first to claim its place, by a bit in
 * scratch memory, fills it. last: one launch notes the largest position + 1 of each place in scratch memory (4 bytes a place, 8
 * from 2^32 - 1 elements on), a second one moves the winners. unique: one launch, and nothing is noted. add, min and max: one
 * launch, of atomics; two for min and max of 128 bits (scatter_wide.cu). Deterministic sums of floats: sort/scatter_in_order.c. */
#include "device/call.h"
#include "function/function.h"
#include "function/into_gpu.h"
#include "primitive/gather/check_index_arguments.cuh"
#include "primitive/gather/move_gpu.h"
#include "primitive/gather/scatter_arguments.cuh"
#include "primitive/gather/scatter_wide_arguments.cuh"
#include "primitive/scan/scan.h"

enum { SMALL = 16, ELEMENT_MOST = 1024, STORE_MOST = 8, ATOMIC_MOST = 8 };

typedef struct scattering {
    ww_device *device;
    const ww_input *in, *index;
    const ww__into *members; /* or NULL: the elements are whole */
    ww_array to;             /* the only array, or the first */
    ww_conflict conflict;
    bool checks; /* indices; else one that is too large is no fault */
    ww__choice kind;
    void *choice;
    bool wide;
    const uint64_t *count_at;
    ww__gpu_checking checking;
} scattering;

/* WW_CONFLICT of scatter.cu. */
static uint64_t conflict_number(const scattering *s) {
    if (ww__conflict_combines(s->conflict)) return 3 + (uint64_t)(s->conflict - WW_CONFLICT_ADD);
    return s->kind == WW__CHOICE_UNIQUE ? 0 : (uint64_t)s->kind;
}

static ww_status scatter_each(const scattering *s, bool mark) {
    const size_t size = s->members ? s->in->size : s->to.size;
    /* Places are written one by one, so it does not matter how `to` begins. */
    uint32_t items = mark ? ww__batch_items(s->index, NULL) : ww__batch_items(s->in, NULL);
    if (!mark && ww__batch_items(s->index, NULL) < items) items = ww__batch_items(s->index, NULL);
    const bool members = s->members && !mark;
    if (members) items = 1;
    const uint32_t rows = ww__move_rows(s->device, items, mark ? s->index->size : size);
    void *room[WW_ZIP_MOST];
    ww__gpu_into into;
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/gather/scatter.cu");
    ww__recipe_number(&r, "WW_THREADS", WW__MOVE_THREADS);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_number(&r, "WW_MARK", mark);
    ww__recipe_number(&r, "WW_CONFLICT", mark ? 0 : conflict_number(s));
    ww__recipe_number(&r, "WW_CHECKS", !s->checks ? 0 : s->kind == WW__CHOICE_LAST && !mark ? 2 : 1);
    ww__recipe_words(&r, size, ww__move_word(size, s->to.data, NULL), s->wide);
    if (members) {
        into = ww__into_members_gpu(s->members);
        ww__recipe_number(&r, "WW_MEMBERS", 1);
        ww__recipe_type(&r, "ww_item", s->in->type, size, NULL);
        ww__recipe_into(&r, &into);
    } else if (!mark && ww__conflict_combines(s->conflict)) {
        ww__recipe_type(&r, "ww_item", s->to.type, size, s->to.data);
    } else {
        ww__recipe_moved_type(&r, "ww_item", s->to.type, size, s->to.data);
    }
    ww__recipe_index(&r, "index", s->index, !ww__gpu_compiles(s->device));
    const bool as_it_is = members || ww__conflict_combines(s->conflict);
    if (!mark && as_it_is) ww__recipe_input(&r, "in", s->in);
    if (!mark && !as_it_is) ww__recipe_moved_input(&r, "in", s->in);
    ww__recipe_counted(&r, s->count_at);
    ww__arguments a;
    const scatter_fixed fixed = {.to = s->to.data,
                                 .choice = s->choice,
                                 .count = s->index->count,
                                 .limit = s->to.count,
                                 .count_at = s->count_at,
                                 .checking = s->checking};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(s->device, &a, s->index));
    if (!mark) WW_TRY(ww__argument_input(s->device, &a, s->in));
    if (members) WW_TRY(ww__argument_into(s->device, &a, &into, room));
    const uint64_t tile = (uint64_t)WW__MOVE_THREADS * rows * items;
    WW_TRY(ww__gpu_launch(s->device, &r, mark ? "mark" : "scatter", ww__blocks(s->index->count, tile), WW__MOVE_THREADS,
                          0, &a));
    return members ? ww__gpu_into_results(s->device, &into, room) : WW_OK;
}

static ww_status scatter_half(const scattering *s, const char *kernel) {
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/gather/scatter_wide.cu");
    ww__recipe_number(&r, "WW_THREADS", WW__MOVE_THREADS);
    ww__recipe_number(&r, "WW_CONFLICT", conflict_number(s));
    ww__recipe_number(&r, "WW_SIGNED", s->to.type->kind == WW_KIND_SIGNED);
    ww__recipe_index(&r, "index", s->index, !ww__gpu_compiles(s->device));
    ww__recipe_input(&r, "in", s->in);
    ww__arguments a;
    const scatter_wide_fixed fixed = {
        .to = s->to.data, .count = s->index->count, .limit = s->to.count, .checking = s->checking};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(s->device, &a, s->index));
    WW_TRY(ww__argument_input(s->device, &a, s->in));
    return ww__gpu_launch(s->device, &r, kernel, ww__blocks(s->index->count, WW__MOVE_THREADS), WW__MOVE_THREADS, 0,
                          &a);
}

static ww_status make_choice(scattering *s) {
    const uint64_t places = s->to.count;
    const bool stored_at_once = !s->members && s->to.size <= STORE_MOST &&
                                ww__move_word(s->to.size, s->to.data, NULL) == s->to.size;
    size_t bytes;
    if (s->conflict == WW_CONFLICT_LAST) {
        s->kind = WW__CHOICE_LAST;
        s->wide = s->index->count >= UINT32_MAX;
        WW_TRY(ww__scratch_array(s->device, places, s->wide ? 8 : 4, &s->choice));
        bytes = (size_t)places * (s->wide ? 8 : 4);
    } else if (s->conflict == WW_CONFLICT_ANY && !stored_at_once) {
        s->kind = WW__CHOICE_CLAIM;
        bytes = (size_t)ww__blocks(places, 32) * 4;
        WW_TRY(ww__scratch(s->device, bytes, &s->choice));
    } else {
        if (s->conflict == WW_CONFLICT_UNIQUE) s->kind = WW__CHOICE_UNIQUE;
        return WW_OK;
    }
    return ww__gpu_fill(s->device, s->choice, 0, bytes);
}

/* Whether lanes move records together. Of short ones only where they take several stores, and nothing is noted of places. */
static bool are_records(const scattering *s) {
    const void *memory = ww__input_memory(s->in);
    const size_t size = s->to.size;
    if (!memory || s->members || ww__conflict_combines(s->conflict)) return false;
    const bool parts = ww__move_word(size, s->to.data, memory) < size;
    return size > SMALL || (parts && (s->conflict == WW_CONFLICT_UNIQUE || !ww__gpu_compiles(s->device)));
}

static bool by_halves(const scattering *s) {
    return s->conflict > WW_CONFLICT_ADD && s->conflict <= WW_CONFLICT_MAX && s->to.size > ATOMIC_MOST;
}

static ww_status run(scattering *s, bool records) {
    WW_CHECK(s->device, records || s->in->size <= ELEMENT_MOST, WW_LIMIT,
             "computed elements of %zu bytes are scattered on a CPU only; a GPU takes up to %d", s->in->size,
             ELEMENT_MOST);
    WW_TRY(make_choice(s));
    if (s->checks)
        WW_TRY(ww__gpu_checking_begin(s->device, ww__say_index, s->index->type->label, s->to.count, &s->checking));
    if (by_halves(s)) {
        WW_TRY(scatter_half(s, "scatter_high"));
        return scatter_half(s, "scatter_low");
    }
    if (s->kind == WW__CHOICE_LAST) WW_TRY(scatter_each(s, true));
    if (!records) return scatter_each(s, false);
    return ww__move_records(s->device, s->to.size, s->to.data, ww__input_memory(s->in), s->index, s->to.count, s->kind,
                            s->choice, s->wide, s->checks ? &s->checking : NULL);
}

static ww_status scatter(scattering *s) {
    const ww_array to = s->to;
    const bool records = are_records(s);
    if (!s->index->count) return WW_OK;
    if (!records && !by_halves(s)) s->count_at = ww__take_count(s->device, s->index);
    if (s->members) return run(s, records); /* whose arrays have places of their own where they need them */
    WW_TRY(ww__gpu_room_kept(s->device, &to, &s->to.data));
    WW_TRY(run(s, records));
    return ww__gpu_result(s->device, to.data, s->to.data, to.size);
}

/* ---- for sums that are the same in every run ---- */

ww_status ww__index_check_gpu(ww_device *device, const ww_input *index, uint64_t limit) {
    enum { BLOCKS_A_PROCESSOR = 8 };
    const uint64_t most = BLOCKS_A_PROCESSOR * (uint64_t)device->gpu->driver->processors;
    check_index_fixed fixed = {.count = index->count, .limit = limit};
    ww__recipe r;
    ww__arguments a;
    ww__recipe_begin(&r, "primitive/gather/check_index.cu");
    ww__recipe_number(&r, "WW_THREADS", WW__MOVE_THREADS);
    ww__recipe_index(&r, "index", index, !ww__gpu_compiles(device));
    WW_TRY(ww__gpu_checking_begin(device, ww__say_index, index->type->label, limit, &fixed.checking));
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, index));
    return ww__gpu_launch(device, &r, "check_index", ww__min_u64(ww__blocks(index->count, WW__MOVE_THREADS), most),
                          WW__MOVE_THREADS, 0, &a);
}

ww_status ww__scatter_sums_gpu(ww_device *device, const ww_input *in, const ww_input *index, const uint64_t *number,
                               const ww_array *to) {
    scattering s = {
        .device = device, .in = in, .index = index, .to = *to, .conflict = WW_CONFLICT_ADD, .count_at = number};
    WW_TRY(ww__gpu_room_kept(device, to, &s.to.data));
    WW_TRY(run(&s, false));
    return ww__gpu_result(device, to->data, s.to.data, to->size);
}

ww_status ww__scatter_gpu(ww_device *device, const ww__scatter_request *r) {
    if (device->deterministic && r->conflict == WW_CONFLICT_ADD && r->to->type->kind == WW_KIND_FLOAT)
        return ww__scatter_in_order_gpu(device, r);
    scattering s = {.device = device,
                    .in = r->in,
                    .index = r->index,
                    .members = r->members,
                    .to = *r->to,
                    .conflict = r->conflict,
                    .checks = true};
    return scatter(&s);
}

ww_status ww__scatter_some(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to) {
    scattering s = {.device = device, .in = in, .index = index, .to = *to, .conflict = WW_CONFLICT_UNIQUE};
    return scatter(&s);
}
