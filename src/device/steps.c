/* See steps.h. */
#include "device/steps.h"

const char ww__no_object[] =
    "what is given for a function is not one of the objects that WW_MAP and the others make: of a function called square that is "
    "&square_ww, and not square";

/* Of an input that has not been checked, too. */
uint32_t ww__step_first(const ww_input *input, uint32_t s) {
    for (uint32_t wanted = ww__step_takes(input, s); wanted && s; wanted += ww__step_takes(input, s) - 1) s--;
    return s;
}

uint32_t ww__step_of_source(const ww_input *input, uint32_t s) {
    for (uint32_t t = s + 1; t < input->steps; t++)
        if (ww__kind_has_source(input->kind[t]) && ww__step_first(input, t - 1) <= s) return t;
    return input->steps;
}

uint64_t ww__source_count(const ww_input *input, uint32_t s) {
    const uint32_t of = ww__step_of_source(input, s);
    return of < input->steps ? input->step[of].number : input->count;
}

uint32_t ww__step_operands(const ww_input *input, uint32_t s, uint32_t from[WW_ZIP_MOST]) {
    const uint32_t many = ww__step_takes(input, s);
    uint32_t at = s;
    for (uint32_t k = many; k-- > 0;) {
        from[k] = --at;
        at = ww__step_first(input, at);
    }
    return many;
}

/* From the lowest element to the highest. */
static ww__step_memory strided(const ww_step *step, uint64_t count, size_t size) {
    const int64_t stride = (int64_t)step->number;
    const uint64_t apart = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    if (!count) return (ww__step_memory){step->data, 0};
    const size_t span = (size_t)(count - 1) * (size_t)apart * size;
    const unsigned char *const first = step->data;
    return (ww__step_memory){stride < 0 ? first - span : first, span + size};
}

ww__step_memory ww__step_reads_beside(const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    const ww_function *f = ww__step_function(input, s);
    const size_t size = ww__step_size(input, s);
    if (input->kind[s] == WW_STEP_STRIDED) return strided(step, ww__step_count(input, s), size);
    if (input->kind[s] == WW_STEP_PERMUTED || ww__kind_is_near_array(input->kind[s]))
        return (ww__step_memory){step->data, (size_t)step->number * size};
    if (input->kind[s] == WW_STEP_CONSTANT && size > WW__CONSTANT_BYTES) return (ww__step_memory){step->data, size};
    if (f && ww__reads_environment(f))
        return (ww__step_memory){step->data, (size_t)step->number * f->environment->size};
    return (ww__step_memory){NULL, 0};
}
