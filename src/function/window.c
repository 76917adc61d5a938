/* Neighbours of elements in memory: read where they lie, but near an end of the array, where they are put together in a buffer with what
 * stands for those outside. */
#include "function/computed.h"

#include <string.h>

/* Element `at` of an array that goes on at both ends; NULL: the value for what is outside. */
static const unsigned char *element(ww_step_kind kind, const ww_step *step, size_t size, int64_t at) {
    const uint64_t length = step->number;
    uint64_t inside = (uint64_t)at;
    if (at < 0 || inside >= length) {
        if (kind == WW_STEP_NEAR_VALUE) return NULL;
        if (kind == WW_STEP_NEAR_CLAMP)
            inside = at < 0 ? 0 : length - 1;
        else
            inside = at < 0 ? length - 1 - (0 - (uint64_t)at - 1) % length : inside % length;
    }
    return (const unsigned char *)step->data + inside * size;
}

const void *ww__read_near(const ww_input *input, uint32_t s, const void *outside, uint64_t first, size_t n,
                          void *room) {
    const ww_step *step = &input->step[s];
    const size_t size = ww__step_size(input, s);
    const ww_step_kind kind = (ww_step_kind)input->kind[s];
    const uint64_t before = ww__window_before(step[1].function), after = ww__window_after(step[1].function);
    const unsigned char *const data = step->data;
    if (kind == WW_STEP_NEAR_INSIDE) return data + (first + before) * size;
    if (first >= before && first + n + after <= step->number) return data + first * size;
    unsigned char *const to = room;
    const uint64_t all = n + before + after;
    for (uint64_t i = 0, run = 1; i < all; i += run) {
        const int64_t at = (int64_t)(first + i) - (int64_t)before;
        const bool is_inside = at >= 0 && (uint64_t)at < step->number;
        const void *const from = element(kind, step, size, at);
        run = is_inside ? ww__min_u64(all - i, step->number - (uint64_t)at) : 1;
        memcpy(to + i * size, from ? from : outside, run * size);
    }
    return (unsigned char *)room + before * size;
}
