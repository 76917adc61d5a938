/* The bounding box, which says in which units the bodies are handled: lengths in a power of two not below its longest side,
 * masses in one not below their sum, so that whatever units the caller has, f32 neither overflows nor underflows. */
#include <float.h>
#include <math.h>

#include "space/bodies/bodies.h"

WW_STRUCT(extent, {
    double low[3];
    double high[3];
    double mass;   /* the sum of sizes */
    double least;  /* of masses */
    uint64_t lost; /* the first body that has no place */
});

WW_FUNCTION(
    extent_at, extent, (const body_columns *c, uint64_t i),
    {
        extent e;
        const double mass = c->m[i];
        e.low[0] = c->x[i];
        e.low[1] = c->y[i];
        e.low[2] = c->z[i];
        e.lost = UINT64_MAX;
        for (int k = 0; k < 3; k++) {
            const double at = e.low[k];
            const bool somewhere = at >= -1e150 && at <= 1e150;
            if (!somewhere) e.lost = i;
            e.low[k] = somewhere ? at : 0;
            e.high[k] = e.low[k];
        }
        e.mass = mass < 0 ? -mass : mass;
        e.least = mass;
        return e;
    },
    extent, body_columns);

WW_FUNCTION(
    extent_of_both, extent, (extent a, extent b),
    {
        extent e;
        for (int k = 0; k < 3; k++) {
            e.low[k] = a.low[k] < b.low[k] ? a.low[k] : b.low[k];
            e.high[k] = a.high[k] > b.high[k] ? a.high[k] : b.high[k];
        }
        e.mass = a.mass + b.mass;
        e.least = a.least < b.least ? a.least : b.least;
        e.lost = a.lost < b.lost ? a.lost : b.lost;
        return e;
    },
    extent);

WW_MAP_USES((extent_at), extent_of, extent, uint64_t, i, body_columns, c, { return extent_at(c, i); });
WW_COMBINE_USES((extent_of_both), extent_join, extent, a, b, WW_COMMUTES,
                WW_IDENTITY({{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, 0, DBL_MAX, UINT64_MAX}),
                { return extent_of_both(a, b); });

/* A reduction has few blocks for few bodies, whose lanes then have many each. On a GPU ranks reduce some bodies each before. */
WW_STRUCT_USES((body_columns, extent), some_extents, {
    body_columns column;
    extent *to;
    uint64_t n;
    uint64_t ranks;
});
WW_KERNEL_USES((extent_at, extent_of_both), join_some, some_extents, a, rank, {
    extent e = extent_at(&a->column, rank);
    for (uint64_t i = rank + a->ranks; i < a->n; i += a->ranks) e = extent_of_both(e, extent_at(&a->column, i));
    a->to[rank] = e;
});

static ww_status reduce_some(ww_nbody *nbody, ww_array to) {
    enum { EACH = 16, RANKS = 1 << 16 };
    const uint64_t ranks = nbody->n <= EACH ? 1 : nbody->n / EACH < RANKS ? nbody->n / EACH : RANKS;
    WW_TRY(ww__bodies_room(nbody, &nbody->extents, ranks, sizeof(extent), 0));
    const some_extents a = {nbody->column, nbody->extents.data, nbody->n, ranks};
    WW_TRY(ww_launch(nbody->device, ww_with(join_some, &a), ranks));
    return ww_reduce(nbody->device, &extent_join_ww, ww_memory_of(a.to, ranks, &extent_ww), to);
}

/* 2^-k for the least 2^k that is not below x; 1 for 0. */
static double unit_of(double x) {
    int exponent;
    if (!(x > 0)) return 1;
    frexp(x, &exponent);
    return ldexp(1, exponent < -500 ? 500 : -exponent);
}

ww_status ww__bodies_box(ww_nbody *nbody, uint64_t *lost) {
    extent e;
    const ww_array to = ww_array_of(&e, 1, &extent_ww);
    const ww_input bodies = ww_counting(&ww_type_uint64_t, 0, nbody->n);
    WW_TRY(nbody->warps
               ? reduce_some(nbody, to)
               : ww_reduce(nbody->device, &extent_join_ww, ww_mapped(ww_with(extent_of, &nbody->column), bodies), to));
    double side = nbody->options.softening;
    for (int k = 0; k < 3; k++) {
        nbody->low[k] = e.low[k];
        if (e.high[k] - e.low[k] > side) side = e.high[k] - e.low[k];
    }
    nbody->scale = unit_of(side);
    nbody->mass_scale = unit_of(e.mass);
    nbody->negative = e.least < 0;
    *lost = e.lost;
    return WW_OK;
}
