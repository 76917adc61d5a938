/* The host side of scattering on a GPU.
 *
 * any: one launch. What a store of up to 8 bytes writes is whole; of longer elements the first to claim its place, by a bit in
 * scratch memory, fills it. last: one launch notes the largest position + 1 of each place in scratch memory (4 bytes a place, 8
 * from 2^32 - 1 elements on), a second one moves the winners. add, min and max: one launch, of atomics. */
#include "function/function.h"
#include "primitive/gather/move_gpu.h"

enum { SMALL = 16, ELEMENT_MOST = 1024, STORE_MOST = 8 };

typedef struct scattering {
    ww_device *device;
    const ww_input *in, *index;
    ww_array to;
    ww_conflict conflict;
    ww__choice kind;
    void *choice;
    bool wide;
    ww__gpu_checking checking;
} scattering;

/* WW_CONFLICT of scatter.cu. */
static uint64_t conflict_number(const scattering *s) {
    return s->conflict >= WW_CONFLICT_ADD ? 3 + (uint64_t)(s->conflict - WW_CONFLICT_ADD) : (uint64_t)s->kind;
}

static ww_status scatter_each(const scattering *s, bool mark) {
    const size_t size = s->to.size;
    /* Places are written one by one, so it does not matter how `to` begins. */
    uint32_t items = mark ? ww__batch_items(s->index, NULL) : ww__batch_items(s->in, NULL);
    if (!mark && ww__batch_items(s->index, NULL) < items) items = ww__batch_items(s->index, NULL);
    const uint32_t rows = ww__move_rows(s->device, items, mark ? s->index->size : size);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/gather/scatter.cu");
    ww__recipe_number(&r, "WW_THREADS", WW__MOVE_THREADS);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_number(&r, "WW_MARK", mark);
    ww__recipe_number(&r, "WW_CONFLICT", mark ? 0 : conflict_number(s));
    ww__recipe_words(&r, size, ww__move_word(size, s->to.data, NULL), s->wide);
    ww__recipe_type(&r, "ww_item", s->to.type, size, s->to.data);
    ww__recipe_input(&r, "index", s->index);
    if (!mark) ww__recipe_input(&r, "in", s->in);
    ww__arguments a;
    ww__arguments_begin(&a);
    WW__ARGUMENT(&a, s->to.data);
    WW__ARGUMENT(&a, s->choice);
    WW__ARGUMENT(&a, s->index->count);
    WW__ARGUMENT(&a, s->to.count);
    WW__ARGUMENT(&a, s->checking);
    WW_TRY(ww__argument_input(s->device, &a, s->index));
    if (!mark) WW_TRY(ww__argument_input(s->device, &a, s->in));
    const uint64_t tile = (uint64_t)WW__MOVE_THREADS * rows * items;
    return ww__gpu_launch(s->device, &r, mark ? "mark" : "scatter", ww__blocks(s->index->count, tile), WW__MOVE_THREADS,
                          0, &a);
}

static ww_status make_choice(scattering *s) {
    const uint64_t places = s->to.count;
    const bool stored_at_once = s->to.size <= STORE_MOST && ww__move_word(s->to.size, s->to.data, NULL) == s->to.size;
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
        return WW_OK;
    }
    return ww__gpu_fill(s->device, s->choice, 0, bytes);
}

static ww_status run(scattering *s) {
    const void *memory = ww__input_memory(s->in);
    const bool records = memory && s->to.size > SMALL;
    WW_CHECK(s->device, records || s->to.size <= ELEMENT_MOST, WW_LIMIT,
             "computed elements of %zu bytes are scattered on a CPU only; a GPU takes up to %d", s->to.size,
             ELEMENT_MOST);
    WW_TRY(make_choice(s));
    WW_TRY(ww__gpu_checking_begin(s->device, ww__say_index, NULL, s->to.count, &s->checking));
    if (s->kind == WW__CHOICE_LAST) WW_TRY(scatter_each(s, true));
    if (!records || s->kind == WW__CHOICE_NONE) return scatter_each(s, false);
    return ww__move_records(s->device, s->to.size, s->to.data, memory, s->index, s->to.count, s->kind, s->choice,
                            s->wide, &s->checking);
}

ww_status ww__scatter_gpu(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to,
                          ww_conflict conflict) {
    scattering s = {.device = device, .in = in, .index = index, .to = *to, .conflict = conflict};
    WW_CHECK(device, conflict != WW_CONFLICT_ADD || to->type->kind != WW_KIND_FLOAT, WW_UNSUPPORTED,
             "sums of floats in the order of their positions are made on the CPU only; open \"cpu\"");
    WW_CHECK(device, conflict <= WW_CONFLICT_ADD || to->size <= 8, WW_UNSUPPORTED,
             "min and max of type %s are made on the CPU only; open \"cpu\"", to->type->label);
    if (!index->count) return WW_OK;
    if (to->count == 1) WW_TRY(ww__gpu_room(device, to->data, to->size, &s.to.data));
    if (s.to.data != to->data) WW_TRY(ww__gpu_copy(device, s.to.data, to->data, to->size));
    WW_TRY(run(&s));
    return ww__gpu_result(device, to->data, s.to.data, to->size);
}
