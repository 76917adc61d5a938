/* Building the steps of casts, views, indices and zips. What is wrong with an input is kept in it, with the numbers that the sentence
 * about it tells (device/array.c): the call that gets the input says it. */
#include <string.h>

#include "function/function.h"
#include "warpwise/device.h"

enum { TOLD = 4 };

/* The first steps of an input that is refused keep numbers; what is pushed on it afterwards stands behind them. */
static ww_input refused(ww_input in, ww_status problem, ww__input_reason reason, const uint64_t *numbers, size_t many) {
    in.problem = (uint8_t)problem;
    in.reason = (uint8_t)reason;
    if (in.steps < TOLD) {
        memset(&in.step[in.steps], 0, (size_t)(TOLD - in.steps) * sizeof *in.step);
        memset(&in.kind[in.steps], 0, (size_t)(TOLD - in.steps) * sizeof *in.kind);
        in.steps = TOLD;
    }
    for (size_t k = 0; k < many; k++) in.step[k].number = numbers[k];
    return in;
}

/* A step that leaves elements of a type; the input's own, from here on. */
static ww_input pushed(ww_input in, ww_step_kind kind, const ww_type *type, size_t size, const void *data,
                       uint64_t number) {
    if (in.steps >= WW_INPUT_STEPS) {
        in.problem = WW_LIMIT;
        return in;
    }
    in.kind[in.steps] = (uint8_t)kind;
    in.step[in.steps] = (ww_step){.type = type, .data = data, .number = number};
    in.steps++;
    in.type = type;
    in.size = size;
    return in;
}

ww_input ww_cast(const ww_type *to, ww_input input) {
    if (input.problem || !input.steps || input.type == to) return input;
    return pushed(input, WW_STEP_CAST, to, to ? to->size : 0, NULL, 0);
}

/* ---- views ---- */

static bool lies_inside(uint64_t elements, uint64_t first, int64_t stride, uint64_t count) {
    const uint64_t apart = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    if (!count) return first <= elements;
    if (first >= elements) return false;
    return !apart || count - 1 <= (stride < 0 ? first : elements - 1 - first) / apart;
}

/* A step that reads at a position reads at first + stride times it. All is modulo 2^64, as addresses and counts are. */
static void stride_step(ww_input *in, uint32_t s, uint64_t first, uint64_t stride) {
    ww_step *step = &in->step[s];
    const size_t size = !step->type ? 0 : step->type->kind == WW_KIND_RECORD ? in->size : step->type->size;
    const unsigned char *const data = step->data;
    ww__counting_by by = {step->number, 1};
    switch ((ww_step_kind)in->kind[s]) {
    case WW_STEP_MEMORY:
        if (first) step->data = data + first * size;
        if (stride == 1) return;
        in->kind[s] = WW_STEP_STRIDED;
        step->number = stride;
        return;
    case WW_STEP_STRIDED:
        if (first) step->data = data + (int64_t)(first * step->number * size);
        step->number *= stride;
        return;
    case WW_STEP_COUNTING_BY:
        by = ww__step_counting_by(step);
        break;
    case WW_STEP_COUNTING:
        break;
    default: /* constants, and what is computed of what lies below */
        return;
    }
    by = (ww__counting_by){by.first + first * by.stride, by.stride * stride};
    in->kind[s] = WW_STEP_COUNTING_BY;
    memcpy((unsigned char *)step + offsetof(ww_step, data), &by, sizeof by);
}

ww_input ww_strided(ww_input input, uint64_t first, int64_t stride, uint64_t count) {
    const uint64_t numbers[] = {first, (uint64_t)stride, count, input.count};
    if (input.problem || !input.steps) return input;
    if (input.count_at) return refused(input, WW_UNSUPPORTED, WW__REASON_STRIDED_COUNT, NULL, 0);
    bool own[WW_INPUT_STEPS]; /* steps that are read at the input's positions; those of a source are read at others */
    for (uint32_t s = 0; s < input.steps; s++) {
        own[s] = ww__step_of_source(&input, s) == input.steps;
        if (own[s] && ww__kind_is_near(input.kind[s]))
            return refused(input, WW_UNSUPPORTED, WW__REASON_WINDOW_VIEW, NULL, 0);
    }
    if (!lies_inside(input.count, first, stride, count)) return refused(input, WW_RANGE, WW__REASON_STRIDE, numbers, 4);
    input.count = count;
    for (uint32_t s = 0; count && s < input.steps; s++)
        if (own[s]) stride_step(&input, s, first, (uint64_t)stride);
    return input;
}

ww_input ww_reversed(ww_input input) { return ww_strided(input, input.count ? input.count - 1 : 0, -1, input.count); }

/* ---- indices ---- */

/* All of b's steps behind a's. */
static bool append(ww_input *a, const ww_input *b) {
    if (a->steps + b->steps > WW_INPUT_STEPS) return false;
    memcpy(&a->kind[a->steps], b->kind, b->steps * sizeof *b->kind);
    memcpy(&a->step[a->steps], b->step, b->steps * sizeof *b->step);
    a->steps = (uint8_t)(a->steps + b->steps);
    return true;
}

ww_input ww_permuted(ww_input source, ww_input index) {
    if (index.problem || !index.steps) return index;
    if (source.problem || !source.steps) return source;
    if (source.count_at) return refused(index, WW_UNSUPPORTED, WW__REASON_PERMUTED_COUNT, NULL, 0);
    if (ww__input_is_memory(&source))
        return pushed(index, WW_STEP_PERMUTED, source.type, source.size, source.step[0].data, source.count);
    if (!append(&index, &source)) {
        index.problem = WW_LIMIT;
        return index;
    }
    return pushed(index, WW_STEP_PERMUTED_OF, source.type, source.size, NULL, source.count);
}

/* ---- windows ---- */

static ww_input near_array(ww_input source, ww_border border, ww_value outside) {
    const ww_step_kind kind = (ww_step_kind)(WW_STEP_NEAR_INSIDE + (border - WW_BORDER_INSIDE));
    const ww_step memory = source.step[0];
    if (border != WW_BORDER_VALUE) {
        source.kind[0] = (uint8_t)kind;
        source.step[0].number = source.count;
        return source;
    }
    ww_input in = ww_constant(outside, source.count);
    return pushed(in, kind, memory.type, source.size, memory.data, source.count);
}

/* Of what is computed: the value for what is outside stands below the source, so that the source's last step is the one in front. */
static ww_input near_of(ww_input source, ww_border border, ww_value outside) {
    const ww_step_kind kind = (ww_step_kind)(WW_STEP_NEAR_OF_INSIDE + (border - WW_BORDER_INSIDE));
    ww_input in = source;
    if (border == WW_BORDER_VALUE) {
        in = ww_constant(outside, source.count);
        if (!append(&in, &source)) in.problem = WW_LIMIT;
    }
    if (in.problem) return in;
    return pushed(in, kind, source.type, source.size, NULL, source.count);
}

ww_input ww_window(const ww_function *f, ww_input source, ww_border border, ww_value outside) {
    const bool known = f && ww__is_function(f) && f->role == WW_ROLE_WINDOW; /* else the call says what it is not */
    const uint64_t more = known ? (uint64_t)ww__window_before(f) + ww__window_after(f) : 0;
    const uint64_t numbers[] = {more + 1, source.count}, no_border = (uint64_t)border, has_value = outside.type != NULL;
    if (source.problem || !source.steps) return source;
    if (source.count_at) return refused(source, WW_UNSUPPORTED, WW__REASON_WINDOW_COUNT, NULL, 0);
    if (border < WW_BORDER_INSIDE || border > WW_BORDER_VALUE)
        return refused(source, WW_INVALID, WW__REASON_WINDOW_BORDER, &no_border, 1);
    if ((border == WW_BORDER_VALUE) != (bool)has_value)
        return refused(source, WW_INVALID, WW__REASON_WINDOW_VALUE, &has_value, 1);
    if (border == WW_BORDER_INSIDE && source.count <= more)
        return refused(source, WW_INVALID, WW__REASON_WINDOW_LONG, numbers, 2);
    ww_input in = (ww__input_is_memory(&source) ? near_array : near_of)(source, border, outside);
    if (in.problem) return in;
    if (border == WW_BORDER_INSIDE) in.count -= more;
    ww__put_window(&in, f);
    return in;
}

/* ---- zips ---- */

ww_input ww_zip_of(const ww_type *type, const ww_input *inputs, size_t many) {
    const uint64_t how_many = many;
    ww_input zip;
    memset(&zip, 0, sizeof zip);
    if (!inputs || !many || many > WW_ZIP_MOST) return refused(zip, WW_INVALID, WW__REASON_ZIP_MANY, &how_many, 1);
    zip = inputs[0];
    for (size_t k = 0; k < many; k++) {
        const ww_input *in = &inputs[k];
        const uint64_t numbers[] = {k, in->count, zip.count};
        if (in->problem || !in->steps) return *in;
        if (k == 0) continue;
        if (in->count != zip.count || in->count_at != zip.count_at)
            return refused(zip, WW_INVALID, WW__REASON_ZIP_COUNTS, numbers, 3);
        if (!append(&zip, in)) {
            zip.problem = WW_LIMIT;
            return zip;
        }
    }
    return pushed(zip, WW_STEP_ZIP, type, type ? type->size : 0, NULL, many);
}
