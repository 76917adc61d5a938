/* Structs of several inputs' elements, tile by tile: columns in, rows out, both in the first-level cache. A WW_MAP of them reads the
 * columns by a loop of its own, where their members are all of 4 or all of 8 bytes: then there are no rows. */
#include "function/columns.h"
#include "function/computed.h"

void ww__read_zip(const ww_device *device, const ww_input *input, uint32_t s, const void *const *on, size_t n,
                  void *out) {
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

bool ww__map_zip(const ww_device *device, const ww_input *input, uint32_t s, const void *const *on, size_t n,
                 void *out) {
    const uint32_t many = ww__step_takes(input, s);
    size_t sizes[WW_ZIP_MOST], size = ww__step_size(input, s);
    uint32_t from[WW_ZIP_MOST];
    if (s + 1 == input->steps || input->kind[s + 1] != WW_STEP_MAP) return false;
    const ww_step *map = &input->step[s + 1];
    const ww_map_loops *loops = ww__loops(device, map->function);
    if (!loops->zipped || many > 4) return false;
    ww__step_operands(input, s, from);
    for (uint32_t k = 0; k < many; k++) sizes[k] = ww__step_size(input, from[k]);
    if (!ww__columns_are_even(sizes, many, size)) return false;
    loops->zipped(out, on, sizes[0], map->data, n);
    return true;
}
