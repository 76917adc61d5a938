#include "sort/ordering_gpu.h"
#include "sort/order.h"

#include "sort/radix/sort_keys_gpu.h"

void ww__recipe_ordering(const ww_device *device, ww__recipe *r, const ww__sorting *s) {
    enum { BINS = 32 /* which are not used */ };
    ww__recipe_number(r, "WW_BY_LESS", s->less != NULL);
    if (s->less) {
        ww__recipe_number(r, "WW_DESCENDING", s->descending);
        ww__recipe_type(r, "ww_item", s->keys.type, s->keys.size, NULL);
        ww__recipe_function(r, "ww_less", s->less);
        return;
    }
    ww__recipe_digits(device, r, s->keys.size, WW_KEY_ORDER(ww__key_kind_of(s), s->descending), BINS);
}

ww_ordering ww__ordering_of(const ww__sorting *s) {
    const uint32_t bits = (uint32_t)(8 * s->keys.size);
    if (s->less) return (ww_ordering){0};
    return (ww_ordering){.up = bits - s->bit_first - s->bit_count,
                         .down = bits - s->bit_count,
                         .order = WW_KEY_ORDER(ww__key_kind_of(s), s->descending)};
}

/* Keys of a window, at most. */
static const uint32_t window_most[WW__TILINGS] = {[WW__TILES_GPU] = UINT32_MAX, [WW__TILES_SMALL] = 64};

uint32_t ww__ordered_window(const ww_device *device, const ww__sorting *s, uint32_t most, size_t bytes_more) {
    enum { LEAST = 8, BYTES = 40 << 10 };
    uint32_t window = (uint32_t)ww__min_u64(most, window_most[device->gpu->driver->tiles]);
    while (window > LEAST && window * (s->keys.size + bytes_more) > BYTES) window /= 2;
    return window;
}
