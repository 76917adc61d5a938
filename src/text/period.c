/* The failure function of Knuth, Morris and Pratt: border[i] is the length of the longest proper prefix of the first i + 1 characters
 * that they also end in. */
#include "text/period.h"

ww_status ww__find_period(ww_device *device, const ww__finding *f, uint64_t *period) {
    uint32_t *border, length = 0;
    WW_TRY(ww__host_scratch(device, (size_t)f->m * sizeof *border, &border));
    border[0] = 0;
    for (uint64_t i = 1; i < f->m; i++) {
        while (length && f->pattern[i] != f->pattern[length]) length = border[length - 1];
        length += f->pattern[i] == f->pattern[length];
        border[i] = length;
    }
    *period = f->m - border[f->m - 1];
    return WW_OK;
}
