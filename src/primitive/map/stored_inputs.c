/* Inputs that are computed, where no program at hand computes them (a GPU without a compiler, whose kernel pack has none of such a shape):
 * each that is made of the library's own steps alone is stored in scratch memory, step by step, by programs that take any element
 * (store_step.cu, store_cast.cu), and the call is made again with what lies there. Each step reads what it takes, and writes what it
 * leaves, once. Functions of the caller's are in no pack, and such inputs stay as they are. */
#include <string.h>

#include "device/call.h"
#include "device/gpu/environment.h"
#include "device/gpu/gpu.h"
#include "device/members.h"
#include "device/steps.h"
#include "function/types.h"
#include "primitive/map/map.h"
#include "primitive/map/store_step_arguments.cuh"

enum { THREADS = 256, ROWS = 4, WORD_MOST = 16 };
_Static_assert((int)WW__I128 == 9 && (int)WW__F32 == 10 && (int)WW__BF16 == 13,
               "store_cast.cu numbers types as tables do");
_Static_assert((int)WW_VALUE_MOST == (int)WW__BY_VALUE_MOST, "a longer constant goes by pointer");

static ww_status launch(ww_device *device, const char *file, const char *kernel, uint64_t threads,
                        const ww__arguments *a) {
    const uint64_t tile = (uint64_t)THREADS * ROWS;
    ww__recipe r;
    ww__recipe_begin(&r, file);
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_ROWS", ROWS);
    return threads ? ww__gpu_launch(device, &r, kernel, (threads + tile - 1) / tile, THREADS, 0, a) : WW_OK;
}
static ww_status launch_step(ww_device *device, const char *kernel, uint64_t threads, const ww__arguments *a) {
    return launch(device, "primitive/map/store_step.cu", kernel, threads, a);
}

/* The largest word that divides these numbers, each a size, a distance or an address. */
static uint64_t word_of(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    const uint64_t bits = a | b | c | d | WORD_MOST;
    return bits & (~bits + 1);
}

static ww_status store_apart(ww_device *device, store_apart_fixed fixed, size_t size, const void *value) {
    enum { VALUE_WORD = sizeof *fixed.value }; /* as the value is aligned */
    const uintptr_t from = value ? VALUE_WORD : (uintptr_t)fixed.from;
    ww__arguments a;
    if (value) memcpy(fixed.value, value, size);
    fixed.word = word_of((uintptr_t)fixed.to | fixed.to_apart, from, fixed.from_apart, size);
    fixed.words = size / fixed.word;
    WW__ARGUMENTS(&a, fixed);
    return launch_step(device, "store_apart", fixed.count * fixed.words, &a);
}

static ww_status store_constant(ww_device *device, const ww_step *step, const ww_array *to) {
    const void *const value = ww__step_constant(step, to->size);
    const bool is_far = ww__constant_by_pointer(to->size);
    const store_apart_fixed fixed = {
        .to = to->data, .from = is_far ? value : NULL, .count = to->count, .to_apart = to->size};
    return store_apart(device, fixed, to->size, is_far ? NULL : value);
}

static ww_status store_strided(ww_device *device, const ww_step *step, const ww_array *to) {
    const store_apart_fixed fixed = {.to = to->data,
                                     .from = step->data,
                                     .count = to->count,
                                     .to_apart = to->size,
                                     .from_apart = step->number * to->size};
    return store_apart(device, fixed, to->size, NULL);
}

/* What lies between members is 0. */
static ww_status store_zip(ww_device *device, const ww_array *part, size_t many, const ww_array *to) {
    const ww_type *types[WW_ZIP_MOST];
    ww__zipped member[WW_ZIP_MOST];
    for (size_t k = 0; k < many; k++) types[k] = part[k].type;
    WW_CHECK(device, ww__zip_members(to->type, types, many, member), WW_TYPE, "%s is no zip of its inputs",
             to->type->label);
    WW_TRY(ww__gpu_fill(device, to->data, 0, (size_t)to->count * to->size));
    for (size_t k = 0; k < many; k++) {
        const store_apart_fixed fixed = {.to = (unsigned char *)to->data + member[k].offset,
                                         .from = part[k].data,
                                         .count = to->count,
                                         .to_apart = to->size,
                                         .from_apart = part[k].size};
        WW_TRY(store_apart(device, fixed, part[k].size, NULL));
    }
    return WW_OK;
}

static ww_status store_counted(ww_device *device, uint64_t first, uint64_t stride, const ww_array *to) {
    ww__arguments a;
    const store_counted_fixed fixed = {
        .to = to->data, .count = to->count, .size = to->size, .first = first, .stride = stride};
    WW__ARGUMENTS(&a, fixed);
    return launch_step(device, "store_counted", to->count, &a);
}

/* Elements of `many` at `from`, at indices. */
static ww_status store_picked(ww_device *device, const void *from, uint64_t many, const ww_array *index,
                              const ww_array *to) {
    const uint64_t word = word_of((uintptr_t)to->data, (uintptr_t)from, to->size, 0);
    ww__arguments a;
    const store_picked_fixed fixed = {.to = to->data,
                                      .from = from,
                                      .index = index->data,
                                      .count = to->count,
                                      .words = to->size / word,
                                      .word = word,
                                      .index_bytes = (uint32_t)index->size,
                                      .is_signed = index->type->kind == WW_KIND_SIGNED};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_indices(device, &a, index->type, many, false));
    return launch_step(device, "store_picked", to->count * fixed.words, &a);
}

/* A member of each element at `from`, which lie `from_apart` bytes apart, to one of the arrays of an output that is computed. */
ww_status ww__store_member(ww_device *device, const ww__map_into_request *r, const unsigned char *from,
                           size_t from_apart, const ww_array *to) {
    const ww_input *const index = r->into->permuted ? &r->into->index : NULL;
    const ww_type *const index_type = index ? index->type : &ww_type_uint64_t;
    const uint64_t word = word_of((uintptr_t)to->data, (uintptr_t)from, to->size, from_apart);
    ww__arguments a;
    const store_placed_fixed fixed = {.to = to->data,
                                      .from = from,
                                      .index = index ? ww__input_memory(index) : NULL,
                                      .number = r->number ? r->number->data : NULL,
                                      .only = r->only ? r->only->data : NULL,
                                      .range = r->range ? r->range->data : NULL,
                                      .count = r->in->count,
                                      .words = to->size / word,
                                      .word = word,
                                      .from_apart = from_apart,
                                      .index_bytes = (uint32_t)index_type->size,
                                      .is_signed = index_type->kind == WW_KIND_SIGNED,
                                      .number_bytes = r->number ? (uint32_t)r->number->size : 0};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_indices(device, &a, index_type, index ? r->into->room : r->in->count, true));
    return launch_step(device, "store_placed", fixed.count * fixed.words, &a);
}

static ww_status store_cast(ww_device *device, const ww_array *from, const ww_array *to) {
    ww__arguments a;
    const store_cast_fixed fixed = {.to = to->data,
                                    .from = from->data,
                                    .count = to->count,
                                    .to_type = (uint32_t)ww__number_index(to->type),
                                    .from_type = (uint32_t)ww__number_index(from->type)};
    WW__ARGUMENTS(&a, fixed);
    return launch(device, "primitive/map/store_cast.cu", "store_cast", to->count, &a);
}

/* What step s makes of the arrays that are on the stack, into `to`. */
static ww_status store_step(ww_device *device, const ww_input *in, uint32_t s, const ww_array *on, const ww_array *to) {
    const ww_step *step = &in->step[s];
    switch (in->kind[s]) {
    case WW_STEP_COUNTING:
        return store_counted(device, step->number, 1, to);
    case WW_STEP_COUNTING_BY:
        return store_counted(device, ww__step_counting_by(step).first, ww__step_counting_by(step).stride, to);
    case WW_STEP_CONSTANT:
        return store_constant(device, step, to);
    case WW_STEP_STRIDED:
        return store_strided(device, step, to);
    case WW_STEP_PERMUTED:
        return store_picked(device, step->data, step->number, on, to);
    case WW_STEP_PERMUTED_OF: /* the source stands on the index */
        return store_picked(device, on[1].data, on[1].count, on, to);
    case WW_STEP_CAST:
        return store_cast(device, on, to);
    default:
        return store_zip(device, on, ww__step_takes(in, s), to);
    }
}

static ww_array memory_of(const ww_input *in, uint32_t s) {
    return (ww_array){.data = (void *)(uintptr_t)in->step[s].data, /* which is only read */
                      .count = ww__source_count(in, s),
                      .type = ww__step_type(in, s),
                      .size = ww__step_size(in, s)};
}

static ww_status store_steps(ww_device *device, ww_input *in) {
    ww_array on[WW_INPUT_STEPS];
    uint32_t depth = 0;
    for (uint32_t s = 0; s < in->steps; s++) {
        ww_array made = memory_of(in, s);
        depth -= ww__step_takes(in, s);
        if (in->kind[s] != WW_STEP_MEMORY) {
            WW_TRY(ww__scratch_array(device, made.count, made.size, &made.data));
            WW_TRY(store_step(device, in, s, &on[depth], &made));
        }
        on[depth++] = made;
    }
    *in = ww_from(on[0]);
    return WW_OK;
}

ww_status ww__wide_count(ww_device *device, const ww_array *count, ww_array *wide) {
    *wide = *count;
    if (count->size == sizeof(uint64_t) || ww__gpu_compiles(device)) return WW_OK;
    *wide = (ww_array){.count = 1, .type = &ww_type_uint64_t, .size = sizeof(uint64_t)};
    return ww__scratch(device, wide->size, &wide->data);
}

ww_status ww__narrow_count(ww_device *device, const ww_array *count, const ww_array *wide, uint64_t *found) {
    ww_array to = *count;
    if (wide->data == count->data) return WW_OK;
    WW_TRY(ww__gpu_room(device, count->data, count->size, &to.data));
    WW_TRY(store_cast(device, wide, &to));
    WW_TRY(ww__gpu_result(device, count->data, to.data, count->size));
    if (to.data != count->data && !device->on_paper) *found = *(const uint32_t *)count->data;
    return WW_OK;
}

/* Of an input with a count on the device what lies behind it is nothing to compute: the host looks at the count first. */
ww_status ww__store_inputs(ww_device *device, const ww__given *given, size_t many) {
    for (size_t g = 0; g < many; g++)
        if (given[g].input && given[g].input->count_at) return WW__SETTLE;
    device->stores = WW__STORES_DONE;
    for (size_t g = 0; g < many; g++) {
        ww_input *const in = given[g].input;
        if (in && in->steps && !ww__input_is_memory(in) && ww__is_built_of_steps(in)) WW_TRY(store_steps(device, in));
    }
    return WW_OK;
}
