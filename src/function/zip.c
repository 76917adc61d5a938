/* Structs of several inputs' elements, tile by tile: columns in, rows out, both in the first-level cache. */
#include "function/columns.h"
#include "function/computed.h"

void ww__read_zip(const ww_device *device, const ww_input *input, uint32_t s, const void *const *on, size_t n, void *out) {
    uint32_t from[WW_ZIP_MOST];
    const uint32_t many = ww__step_operands(input, s, from);
    size_t sizes[WW_ZIP_MOST], at[WW_ZIP_MOST], end = 0;
    for (uint32_t k = 0; k < many; k++) { /* as C lays members out */
        sizes[k] = ww__step_size(input, from[k]);
        at[k] = ww__round_up(end, ww__step_type(input, from[k])->alignment);
        end = at[k] + sizes[k];
    }
    ww__put_together(device, out, ww__step_size(input, s), on, sizes, at, many, n);
}
