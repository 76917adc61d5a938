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

WW_MAP(extent_of, extent, uint64_t, i, body_columns, c, {
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
});

WW_COMBINE(extent_join, extent, a, b, WW_COMMUTES,
           WW_IDENTITY({{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, 0, DBL_MAX, UINT64_MAX}), {
               extent e;
               for (int k = 0; k < 3; k++) {
                   e.low[k] = a.low[k] < b.low[k] ? a.low[k] : b.low[k];
                   e.high[k] = a.high[k] > b.high[k] ? a.high[k] : b.high[k];
               }
               e.mass = a.mass + b.mass;
               e.least = a.least < b.least ? a.least : b.least;
               e.lost = a.lost < b.lost ? a.lost : b.lost;
               return e;
           });

/* 2^-k for the least 2^k that is not below x; 1 for 0. */
static double unit_of(double x) {
    int exponent;
    if (!(x > 0)) return 1;
    frexp(x, &exponent);
    return ldexp(1, exponent < -500 ? 500 : -exponent);
}

ww_status ww__bodies_box(ww_nbody *nbody, uint64_t *lost) {
    extent e;
    const ww_input bodies = ww_counting(&ww_type_uint64_t, 0, nbody->n);
    WW_TRY(ww_reduce(nbody->device, &extent_join_ww, ww_mapped(ww_with(extent_of, &nbody->column), bodies),
                     ww_array_of(&e, 1, &extent_ww)));
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
