/* Granlund and Montgomery, Division by invariant integers using multiplication (1994), figure 4.1: with
 * l = ceil(log2 width) and N bits the factor is floor(2^N (2^l - width) / width) + 1. */
#include "multisplit/division.h"

bool ww__division_of(const ww__splitting *s, ww__division *division) {
    const ww_delta *d = ww__splits_by(s, &ww_by_delta) ? s->by.asked->bound : NULL;
    const uint64_t width = d ? d->width : 0;
    uint32_t l = 0;
    while (width && l < 64 && (uint64_t)1 << l < width) l++;
    if (s->keys.size <= 4 && width && width <= UINT32_MAX) {
        const uint64_t rest = ((uint64_t)1 << l) - width; /* below 2^31 */
        division->factor = (rest << 32) / width + 1;
#if WW_HAS_U128
    } else if (s->keys.size == 8 && width) {
        const ww_u128 rest = ((ww_u128)1 << l) - width;
        division->factor = (uint64_t)((rest << 64) / width + 1);
#endif
    } else {
        return false;
    }
    division->shift_first = l > 0;
    division->shift = l > 0 ? l - 1 : 0;
    return true;
}
