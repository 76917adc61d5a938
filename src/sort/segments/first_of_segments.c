/* ww_top_k_segments and ww_nth_segments: every segment is sorted, in scratch memory, and its first elements, or the n-th, are copied
 * to where they are wanted, in the longest words that elements can be copied in. Of few elements a GPU selects them in one launch. */
#include "device/call.h"
#include "device/gpu/gpu.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/map/map.h"
#include "sort/segments/segments_gpu.h"
#include "sort/sides.h"

typedef unsigned long long ull;

/* Words of what is copied: `words` an element, `each` elements a segment, from its element `first` on. Offsets may be bad, which
 * the sort has reported by then, or will. */
#define COPY(T) \
    WW_STRUCT(copy_##T, { \
        T *to; \
        const T *from; \
        const uint32_t *narrow; \
        const uint64_t *wide; \
        uint64_t first; \
        uint64_t each; \
        uint64_t words; \
        uint64_t count; \
    }); \
    WW_KERNEL(copy_words_##T, copy_##T, a, rank, { \
        const uint64_t element = rank / a->words; \
        const uint64_t s = element / a->each; \
        const uint64_t k = element % a->each + a->first; \
        const uint64_t begin = a->wide ? a->wide[s] : a->narrow[s]; \
        const uint64_t end = a->wide ? a->wide[s + 1] : a->narrow[s + 1]; \
        if (begin <= end && end <= a->count && k < end - begin) \
            a->to[rank] = a->from[(begin + k) * a->words + rank % a->words]; \
    });
COPY(uint8_t)
COPY(uint16_t)
COPY(uint32_t)
COPY(uint64_t)

typedef struct copying {
    const ww_array *from, *to;
    const void *offsets;
    bool wide;
    uint64_t first, each;
} copying;

static ww_status copy_first(ww_device *device, const copying *c) {
    const uintptr_t bits = (uintptr_t)c->from->data | (uintptr_t)c->to->data | c->to->size | sizeof(uint64_t);
    const size_t word = (size_t)(bits & (~bits + 1));
    uint64_t ranks;
    WW_CHECK(device, !__builtin_mul_overflow(c->to->count, c->to->size / word, &ranks), WW_LIMIT,
             "%llu elements of %zu bytes are more than can be copied", (ull)c->to->count, c->to->size);
#define LAUNCH(T) \
    case sizeof(T): { \
        const copy_##T a = {.to = c->to->data, \
                            .from = c->from->data, \
                            .narrow = c->wide ? NULL : c->offsets, \
                            .wide = c->wide ? c->offsets : NULL, \
                            .first = c->first, \
                            .each = c->each, \
                            .words = c->to->size / word, \
                            .count = c->from->count}; \
        return ww__launch(device, &(ww__launch_request){ww_with(copy_words_##T, &a), ranks, NULL}); \
    }
    switch (word) {
        LAUNCH(uint8_t)
        LAUNCH(uint16_t)
        LAUNCH(uint32_t)
        LAUNCH(uint64_t)
    }
    return WW_OK;
}

/* An output of one element may lie where kernels do not reach. */
static ww_status copy_to(ww_device *device, copying c, const ww_array *out) {
    ww_array to = *out;
    if (device->gpu) WW_TRY(ww__gpu_room_kept(device, out, &to.data));
    c.to = &to;
    WW_TRY(copy_first(device, &c));
    return device->gpu ? ww__gpu_result(device, out->data, to.data, out->size) : WW_OK;
}

typedef struct request {
    uint64_t first, each;
    ww_input keys, values, offsets;
    ww_array keys_out, values_out;
} request;

/* Offsets in memory: what sorts and copies read. */
static ww_status offsets_in_memory(ww_device *device, const ww_input *offsets, const void **memory) {
    void *stored;
    *memory = ww__input_memory(offsets);
    if (*memory) return WW_OK;
    WW_TRY(ww__scratch_array(device, offsets->count, offsets->size, &stored));
    const ww_array to = {.data = stored, .count = offsets->count, .type = offsets->type, .size = offsets->size};
    *memory = stored;
    return ww__map(device, &(ww__map_request){offsets, &to, NULL});
}

static ww_status check_outputs(ww_device *device, const request *r, uint64_t segments, bool with_values) {
    uint64_t all;
    WW_TRY(ww__check_array(device, "keys_out", &r->keys_out));
    WW_TRY(ww__check_same_type(device, "keys", r->keys.type, r->keys.size, "keys_out", r->keys_out.type,
                               r->keys_out.size));
    WW_CHECK(device, !__builtin_mul_overflow(segments, r->each, &all) && all == r->keys_out.count, WW_INVALID,
             "keys_out has %llu elements, and %llu segments have %llu each", (ull)r->keys_out.count, (ull)segments,
             (ull)r->each);
    WW_TRY(ww__check_apart(device, "keys", &r->keys, "keys_out", &r->keys_out, WW__APART));
    WW_TRY(ww__check_apart(device, "offsets", &r->offsets, "keys_out", &r->keys_out, WW__APART));
    if (!with_values) return WW_OK;
    WW_TRY(ww__check_input(device, "values", &r->values));
    WW_TRY(ww__check_array(device, "values_out", &r->values_out));
    WW_TRY(ww__check_same_type(device, "values", r->values.type, r->values.size, "values_out", r->values_out.type,
                               r->values_out.size));
    WW_CHECK(device, r->values.count == r->keys.count, WW_INVALID, "keys has %llu elements, values %llu",
             (ull)r->keys.count, (ull)r->values.count);
    WW_CHECK(device, r->values_out.count == r->keys_out.count, WW_INVALID,
             "keys_out has %llu elements, values_out %llu", (ull)r->keys_out.count, (ull)r->values_out.count);
    WW_TRY(ww__check_apart(device, "values", &r->values, "keys_out", &r->keys_out, WW__APART));
    WW_TRY(ww__check_apart(device, "values", &r->values, "values_out", &r->values_out, WW__APART));
    WW_TRY(ww__check_apart(device, "keys", &r->keys, "values_out", &r->values_out, WW__APART));
    WW_TRY(ww__check_apart(device, "offsets", &r->offsets, "values_out", &r->values_out, WW__APART));
    return ww__check_outputs_apart(device, "keys_out", &r->keys_out, "values_out", &r->values_out);
}

static ww_status first_of_segments(ww_device *device, const request *r, const ww_sort_options *options) {
    const bool with_values = r->values.steps || r->values.problem || !ww__is_none(&r->values_out);
    ww_sort_options o;
    const void *offsets;
    WW_TRY(ww__check_input(device, "keys", &r->keys));
    WW_TRY(ww__sort_check_type(device, r->keys.type));
    WW_TRY(ww__check_index(device, "offsets", &r->offsets));
    WW_CHECK(device, r->offsets.count, WW_INVALID, "offsets is empty; the end of the last segment is the least");
    const uint64_t segments = r->offsets.count - 1;
    WW_TRY(check_outputs(device, r, segments, with_values));
    WW_TRY(ww__sort_take_options(device, options, &o));
    WW_CHECK(device, o.method == WW_SORT_AUTO, WW_INVALID,
             "segments are sorted by no method that can be named, and method is %d", (int)o.method);
    if (!r->keys_out.count) return WW_OK;

    ww_array keys = {.count = r->keys.count, .type = r->keys.type, .size = r->keys.size}, values = ww_none;
    WW_TRY(offsets_in_memory(device, &r->offsets, &offsets));
    WW_TRY(ww__scratch_array(device, keys.count, keys.size, &keys.data));
    if (with_values) {
        values = (ww_array){.count = r->values.count, .type = r->values.type, .size = r->values.size};
        WW_TRY(ww__scratch_array(device, values.count, values.size, &values.data));
    }
    const ww_input by = ww_memory_of(offsets, r->offsets.count, r->offsets.type);
    ww__sort_request s = {.of = {.keys = r->keys, .values = r->values, .keys_out = keys, .values_out = values}};
    WW_TRY(ww__sort_check(device, &s, WW__ALL_SORTED, &o));
    if (device->backend == WW__BACKEND_GPU) {
        ww__sorting wanted = s.of;
        bool done;
        wanted.keys_out = r->keys_out;
        wanted.values_out = r->values_out;
        WW_TRY(ww__first_of_segments_gpu(device, &wanted, &by, r->first, r->each, &done));
        if (done) return WW_OK;
    }
    WW_TRY(device->backend == WW__BACKEND_GPU ? ww__sort_gpu(device, &s.of, &by) : ww__sort_cpu(device, &s.of, &by));
    const copying c = {
        .from = &keys, .offsets = offsets, .wide = by.size == sizeof(uint64_t), .first = r->first, .each = r->each};
    WW_TRY(copy_to(device, c, &r->keys_out));
    if (!with_values) return WW_OK;
    copying v = c;
    v.from = &values;
    return copy_to(device, v, &r->values_out);
}

ww_status ww_top_k_segments(ww_device *device, uint64_t k, ww_input keys, ww_input values, ww_input offsets,
                            ww_array keys_out, ww_array values_out, const ww_sort_options *options) {
    request r = {0, k, keys, values, offsets, keys_out, values_out};
    WW_CALL(device, "ww_top_k_segments", first_of_segments(device, &r, options), WW_READS(&r.offsets),
            WW_READS(&r.keys), WW_READS(&r.values), WW_WRITES_SOME(&r.keys_out), WW_WRITES_SOME(&r.values_out));
}

ww_status ww_nth_segments(ww_device *device, uint64_t n, ww_input keys, ww_input offsets, ww_array out,
                          const ww_sort_options *options) {
    request r = {n, 1, keys, ww_no_input, offsets, out, ww_none};
    WW_CALL(device, "ww_nth_segments", first_of_segments(device, &r, options), WW_READS(&r.offsets), WW_READS(&r.keys),
            WW_WRITES_SOME(&r.keys_out));
}
