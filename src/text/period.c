/* The failure function of Morris and Pratt (1970), and the least period, which it says. */
#include "text/period.h"

#include "device/paper.h"

ww_status ww__find_borders(ww_device *device, const ww__finding *f, const uint32_t **borders) {
    const unsigned char *const pattern = f->pattern;
    uint32_t *border, length = 0;
    WW_TRY(ww__host_scratch(device, (size_t)f->m * sizeof *border, &border));
    *borders = border;
    if (ww__is_paper(border)) return WW_OK;
    border[0] = 0;
    for (uint64_t i = 1; i < f->m; i++) {
        while (length && pattern[i] != pattern[length]) length = border[length - 1];
        length += pattern[i] == pattern[length];
        border[i] = length;
    }
    return WW_OK;
}

ww_status ww__find_period(ww_device *device, const ww__finding *f, uint64_t *period) {
    const uint32_t *borders;
    WW_TRY(ww__find_borders(device, f, &borders));
    *period = f->m - (ww__is_paper(borders) ? 0 : borders[f->m - 1]);
    return WW_OK;
}
