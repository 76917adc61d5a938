/* See steps.h. */
#include "device/steps.h"

const char ww__no_object[] =
    "what is given for a function is none of the objects that WW_MAP and the others make: of a function called square that is "
    "&square_ww, and not square";

ww__step_memory ww__step_reads_beside(const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    const ww_function *f = ww__step_function(input, s);
    const size_t size = ww__step_size(input, s);
    if (input->kind[s] == WW_STEP_CONSTANT && size > WW__CONSTANT_BYTES) return (ww__step_memory){step->data, size};
    if (f && ww__reads_environment(f))
        return (ww__step_memory){step->data, (size_t)step->number * f->environment->size};
    return (ww__step_memory){NULL, 0};
}
