/* ww_sample: positions in order, by drawing too many and dropping a sample of those; then the elements.
 *
 * Drawn are, for a small part of n, positions with replacement, which are sorted and made unique; for a larger one all positions
 * whose words are below a limit. Given how many different ones there are, each set of so many is as likely as every other: so
 * dropping a uniform sample leaves a uniform one, and drawing anew where there are too few (or more than there is memory for)
 * changes nothing. What is dropped is about the square root of what is wanted: the sample of it ends after a few steps. */
#include "device/call.h"
#include "device/gpu/gpu.h"
#include "function/check.h"
#include "function/function.h"
#include "function/types.h"
#include "multisplit/multisplit.h"
#include "primitive/gather/gather.h"
#include "primitive/map/map.h"
#include "primitive/run/run.h"
#include "random/sides.h"
#include "sort/sort.h"

typedef unsigned long long ull;

enum { FEW = 256, SMALL_PART = 16, MORE = 16 };

/* Streams that are taken of a sample's own one. */
enum { FOR_DROPS = 1 << 20, FOR_ORDER };

static random_source stream_of(const random_source *own, uint64_t number) {
    return ww__random_own(&(ww_random){own->seed, own->stream, number}, WW__FOR_SAMPLE);
}

/* The square root, rounded up: in integers, so that it is the same everywhere. */
static uint64_t root(ww_u128 x) {
    uint64_t r = 0;
    for (uint64_t bit = (uint64_t)1 << 62; bit; bit /= 2)
        if ((ww_u128)(r | bit) * (r | bit) < x) r |= bit;
    return x ? r + 1 : 0;
}

static ww_array positions_of(const ww__sample_request *r, uint64_t count) {
    return (ww_array){NULL, count, r->out->type, r->out->size, NULL, 0};
}

/* ---- a few: Floyd's algorithm, by the host ---- */

static uint64_t draw_below(const random_source *source, uint64_t i, uint64_t bound) {
    random_source s = *source;
    s.bound = bound;
    s.reject = (0 - bound) % bound;
    return below_64(ww_philox_u64(s.seed, s.stream, i), i, &s);
}

/* The last k numbers are taken in turn: for each a number up to it is drawn, and it goes in itself where that is there already. */
static void sample_few(const random_source *source, uint64_t n, size_t k, uint64_t *chosen) {
    for (size_t many = 0; many < k; many++) {
        const uint64_t last = n - k + many, drawn = draw_below(source, many, last + 1);
        bool there = false;
        for (size_t i = 0; i < many; i++) there |= chosen[i] == drawn;
        const uint64_t goes_in = there ? last : drawn;
        size_t at = many;
        for (; at && chosen[at - 1] > goes_in; at--) chosen[at] = chosen[at - 1];
        chosen[at] = goes_in;
    }
}

static ww_status put_few(ww_device *device, const ww__sample_request *r, const random_source *source) {
    uint64_t chosen[FEW];
    uint32_t narrow[FEW];
    const size_t k = (size_t)r->out->count;
    sample_few(source, r->n, k, chosen);
    for (size_t i = 0; i < k; i++) narrow[i] = (uint32_t)chosen[i];
    const void *from = r->out->size == 4 ? (const void *)narrow : (const void *)chosen;
    if (device->gpu) return ww__gpu_copy(device, r->out->data, from, k * r->out->size);
    if (!device->on_paper) __builtin_memcpy(r->out->data, from, k * r->out->size);
    return WW_OK;
}

/* ---- more ---- */

/* How many numbers below n are drawn with replacement so that k are different, and some more: k + k^2 / 2n and a little, k being a
 * sixteenth of n at most. */
static uint64_t draws_of(uint64_t n, uint64_t k, uint64_t spread) {
    const uint64_t square = (uint64_t)((ww_u128)k * k / n);
    return k + square / 2 + square / 16 + spread * root(square) + (spread ? MORE : 0);
}

static ww_status draw_and_sort(ww_device *device, const ww__sample_request *r, const random_source *source,
                               const ww_array *drawn, const ww_array *other, uint64_t *different) {
    uint64_t *total;
    ww__random_request draw = {
        .kind = r->out->size == 8 ? WW__RANDOM_BELOW_64 : WW__RANDOM_BELOW_32, .source = *source, .out = drawn};
    draw.source.bound = r->n;
    draw.source.reject = r->out->size == 8 ? (0 - r->n) % r->n : ((uint64_t)1 << 32) % r->n;
    WW_TRY(ww__random(device, &draw));
    ww__sorting sort = {.keys = ww_from(*drawn), .keys_out = *other, .bit_count = 1};
    while (sort.bit_count < 64 && (r->n - 1) >> sort.bit_count) sort.bit_count++;
    WW_TRY(ww__sort(device, &sort));
    const ww_input sorted = ww_from(*other);
    WW_TRY(ww__scratch(device, sizeof *total, &total));
    const ww_array none = ww_none, count = ww_array(total, 1);
    WW_TRY(ww__run_lengths(device, &(ww__run_lengths_request){&sorted, drawn, &none, &count, NULL}, different));
    if (device->on_paper) *different = drawn->count;
    return device->gpu ? ww__gpu_copy(device, different, total, sizeof *total) : WW_OK;
}

/* Words below which positions are chosen so that k are, and some more. */
static uint64_t limit_of(uint64_t n, uint64_t k, uint64_t spread, uint64_t *most) {
    const uint64_t deviation = root((ww_u128)k * (n - k) / n), more = k + spread * deviation + (spread ? MORE / 2 : 0);
    const uint64_t room = more + WW__SAMPLE_SPREAD * deviation + MORE;
    *most = room < n ? room : n;
    return more >= n ? (uint64_t)1 << 32 : (uint64_t)(((ww_u128)more << 32) / n) + 1;
}

/* As many candidates as there are, or too few: then none. `candidates` has room for the most. */
static ww_status draw(ww_device *device, const ww__sample_request *r, const random_source *source, bool small,
                      uint64_t limit, const ww_array *candidates, const ww_array *other, uint64_t *many) {
    if (small) return draw_and_sort(device, r, source, candidates, other, many);
    const ww__choosing c = {*source, r->n, limit, r->out->count, *candidates};
    return device->backend == WW__BACKEND_GPU ? ww__draw_positions_gpu(device, &c, many)
                                              : ww__draw_positions_cpu(device, &c, many);
}

static ww_status drop(ww_device *device, const ww__sample_request *r, const random_source *own, ww_array *candidates,
                      uint64_t many) {
    ww_array dropped = positions_of(r, many - r->out->count);
    WW_TRY(ww__scratch_array(device, dropped.count, dropped.size, &dropped.data));
    WW_TRY(ww__sample(device, &(ww__sample_request){stream_of(own, FOR_DROPS), many, r->spread, &dropped}));
    candidates->count = many;
    const ww__dropping d = {*candidates, dropped, *r->out};
    return device->backend == WW__BACKEND_GPU ? ww__drop_gpu(device, &d) : ww__drop_cpu(device, &d);
}

ww_status ww__sample(ww_device *device, const ww__sample_request *r) {
    const uint64_t k = r->out->count;
    const bool small = k <= r->n / SMALL_PART;
    uint64_t most = draws_of(r->n, k, r->spread), limit = 0, many = 0;
    if (!k) return WW_OK;
    if (k <= FEW) {
        const random_source source = stream_of(&r->own, 0);
        return put_few(device, r, &source);
    }
    if (!small) limit = limit_of(r->n, k, r->spread, &most);
    ww_array candidates = positions_of(r, most), other = positions_of(r, most);
    const ww__scratch_mark mark = ww__scratch_here(device);
    WW_TRY(ww__scratch_array(device, most, r->out->size, &candidates.data));
    if (small) WW_TRY(ww__scratch_array(device, most, r->out->size, &other.data));
    for (uint64_t attempt = 0; many < k || many > most; attempt++) {
        const random_source source = stream_of(&r->own, attempt);
        const ww__scratch_mark drawing = ww__scratch_here(device);
        WW_TRY(draw(device, r, &source, small, limit, &candidates, &other, &many));
        ww__scratch_back(device, &drawing);
    }
    WW_TRY(drop(device, r, &r->own, &candidates, many));
    ww__scratch_back(device, &mark);
    return WW_OK;
}

/* ---- the elements ---- */

WW_MAP(narrow_from, uint32_t, uint32_t, position, uint64_t, first, { return position + (uint32_t)*first; });
WW_MAP(widened_from, uint64_t, uint32_t, position, uint64_t, first, { return position + *first; });
WW_MAP(wide_from, uint64_t, uint64_t, position, uint64_t, first, { return position + *first; });

static bool counts(const ww_input *in) {
    return in->steps == 1 && in->kind[0] == WW_STEP_COUNTING && in->type->kind == WW_KIND_UNSIGNED && in->size >= 4 &&
           (in->size == 8 || in->count <= UINT32_MAX);
}

/* Numbers that count, u32 or u64, are what their positions say. */
static ww_status put_counting(ww_device *device, const ww_input *in, const ww_array *positions, const ww_array *out) {
    const uint64_t first = in->step[0].number;
    const ww_function *from = out->size == 4         ? ww_with(narrow_from, &first)
                              : positions->size == 4 ? ww_with(widened_from, &first)
                                                     : ww_with(wide_from, &first);
    const ww_input numbers = ww_mapped(from, ww_from(*positions));
    return ww__map(device, &(ww__map_request){&numbers, out, NULL});
}

static ww_status put_elements(ww_device *device, const ww_input *in, const ww_array *positions, const ww_array *out) {
    ww_array from;
    if (counts(in)) return put_counting(device, in, positions, out);
    WW_TRY(ww__stored(device, in, &from));
    const ww_input index = ww_from(*positions);
    return ww__gather(device, &(ww__gather_request){&from, &index, out});
}

static ww_status sample(ww_device *device, const ww_random *from, const ww_input *in, const ww_array *out,
                        ww_sample_order order) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    WW_TRY(ww__random_check_range(device, from, 0));
    WW_TRY(ww__random_check_range(device, &(ww_random){0, 0, 0}, in->count));
    WW_CHECK(device, out->count <= in->count, WW_RANGE, "out has %llu elements, and there are %llu to draw from",
             (ull)out->count, (ull)in->count);
    WW_CHECK(device, order == WW_SAMPLE_SORTED || order == WW_SAMPLE_SHUFFLED, WW_INVALID,
             "order is %d, which is not a ww_sample_order", (int)order);
    if (!out->count) return WW_OK;
    WW_CHECK(device, !device->gpu || !ww__gpu_capturing(device), WW_UNSUPPORTED,
             "waits for the GPU, and cannot be part of a graph");
    const ww_type *type = ww__position_type(in->count);
    ww_array positions = {NULL, out->count, type, type->size, NULL, 0};
    const random_source own = ww__random_own(from, WW__FOR_SAMPLE);
    WW_TRY(ww__scratch_array(device, out->count, type->size, &positions.data));
    WW_TRY(ww__sample(device, &(ww__sample_request){own, in->count, WW__SAMPLE_SPREAD, &positions}));
    if (order == WW_SAMPLE_SHUFFLED) {
        const ww_input sorted = ww_from(positions);
        WW_TRY(ww__shuffle(device,
                           &(ww__shuffle_request){stream_of(&own, FOR_ORDER), &sorted, &positions, WW__SHUFFLE_LEAF}));
    }
    return put_elements(device, in, &positions, out);
}

ww_status ww_sample(ww_device *device, ww_random from, ww_input in, ww_array out, ww_sample_order order) {
    WW_CALL(device, "ww_sample", sample(device, &from, &in, &out, order), WW_READS(&in), WW_WRITES(&out));
}
