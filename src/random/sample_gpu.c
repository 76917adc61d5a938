/* Choosing positions by their words on a GPU, and dropping: of pack and maps. */
#include "device/gpu/gpu.h"
#include "function/function.h"
#include "primitive/map/map.h"
#include "primitive/pack/pack.h"
#include "random/sides.h"

WW_MAP_USES((ww_philox_u32), is_below, uint8_t, uint64_t, position, random_source, s,
            { return ww_philox_u32(s->seed, s->stream, position) <= (uint32_t)(s->bound - 1); });

ww_status ww__draw_positions_gpu(ww_device *device, const ww__choosing *c, uint64_t *chosen) {
    random_source source = c->source;
    source.bound = c->limit;
    uint64_t *total, kept;
    const ww_input in = ww_counting(c->out.type, 0, c->n);
    const ww_input flags = ww_mapped(ww_with(is_below, &source), ww_counting(&ww_type_uint64_t, 0, c->n));
    WW_TRY(ww__scratch(device, sizeof *total, &total));
    const ww_array count = ww_array(total, 1);
    WW_TRY(ww__pack(device, &(ww__pack_request){&in, &flags, NULL, &c->out, &count, WW_PACK_AUTO}, &kept));
    *chosen = c->out.count;
    return ww__gpu_copy(device, chosen, total, sizeof *chosen);
}

#define KEPT(T) \
    WW_STRUCT(keeping_##T, { \
        const T *in; \
        const T *dropped; \
        uint64_t many; \
    }); \
    WW_MAP(kept_##T, T, uint64_t, i, keeping_##T, k, { \
        uint64_t low = 0; \
        uint64_t high = k->many; \
        while (low < high) { \
            const uint64_t middle = low + (high - low) / 2; \
            if (k->dropped[middle] - middle <= i) \
                low = middle + 1; \
            else \
                high = middle; \
        } \
        return k->in[i + low]; \
    });
KEPT(uint32_t)
KEPT(uint64_t)

ww_status ww__drop_gpu(ww_device *device, const ww__dropping *d) {
    const keeping_uint32_t narrow = {d->in.data, d->dropped.data, d->dropped.count};
    const keeping_uint64_t wide = {d->in.data, d->dropped.data, d->dropped.count};
    const ww_input places = ww_counting(&ww_type_uint64_t, 0, d->out.count);
    const ww_input kept = ww_mapped(d->out.size == 4 ? ww_with(kept_uint32_t, &narrow) : ww_with(kept_uint64_t, &wide),
                                    places);
    return ww__map(device, &(ww__map_request){&kept, &d->out, NULL});
}
