/* The order in space: bodies sorted by their Morton codes, which have a bit of each coordinate in turn, the highest first.
 * Neighbours in this order are near to each other, and those that share a prefix of their codes are in one cell of the tree. */
#include "space/bodies/bodies.h"
#include "warpwise/sort.h"

WW_STRUCT(coding, {
    const double *x;
    const double *y;
    const double *z;
    double low[3];
    double scale; /* to 2^21 cells a side; in two dimensions 2^31 */
    uint32_t dimensions;
});

/* Bits 0, 1, 2 … of x at places 0, 3, 6 …, and at 0, 2, 4 …. */
WW_FUNCTION(every_third, uint64_t, (uint64_t x), {
    x = (x | x << 32) & 0x1f00000000ffffu;
    x = (x | x << 16) & 0x1f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
});
WW_FUNCTION(every_second, uint64_t, (uint64_t x), {
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
});

/* What rounding brings to the end of the box is in the last cell. */
WW_FUNCTION(cell, uint64_t, (double from_low, double scale, uint64_t last), {
    const double c = from_low * scale;
    return c < (double)last ? (uint64_t)c : last;
});

WW_MAP_USES((every_third, every_second, cell), code_of, uint64_t, uint64_t, i, coding, a, {
    if (a->dimensions == 2) {
        const uint64_t last = 0x7fffffffu;
        return every_second(cell(a->x[i] - a->low[0], a->scale, last)) << 1 |
               every_second(cell(a->y[i] - a->low[1], a->scale, last));
    }
    const uint64_t last = 0x1fffffu;
    return every_third(cell(a->x[i] - a->low[0], a->scale, last)) << 2 |
           every_third(cell(a->y[i] - a->low[1], a->scale, last)) << 1 |
           every_third(cell(a->z[i] - a->low[2], a->scale, last));
});

ww_status ww__bodies_order(ww_nbody *nbody) {
    const uint64_t n = nbody->n;
    const uint32_t dimensions = nbody->options.dimensions;
    const coding a = {nbody->column.x,
                      nbody->column.y,
                      nbody->column.z,
                      {nbody->low[0], nbody->low[1], nbody->low[2]},
                      nbody->scale * (dimensions == 2 ? 0x1p31 : 0x1p21),
                      dimensions};
    const ww_array codes = ww_array(nbody->codes, n);
    WW_TRY(ww_map(nbody->device, ww_with(code_of, &a), ww_counting(&ww_type_uint64_t, 0, n), codes));
    return ww_sort(nbody->device, ww_from(codes), ww_counting(&ww_type_uint32_t, 0, n), codes,
                   ww_array(nbody->index, n), NULL);
}

WW_STRUCT_USES((body_columns, sorted_bodies), arranging, {
    body_columns from;
    sorted_bodies to;
    const uint32_t *index;
    double low[3];
    double scale;
    double mass_scale;
    int32_t sign;
});

WW_KERNEL(arrange, arranging, a, rank, {
    const uint32_t i = a->index[rank];
    const double m = a->from.m[i];
    a->to.x[rank] = (a->from.x[i] - a->low[0]) * a->scale;
    a->to.y[rank] = (a->from.y[i] - a->low[1]) * a->scale;
    a->to.z[rank] = (a->from.z[i] - a->low[2]) * a->scale;
    a->to.m[rank] = (a->sign > 0 && m < 0) || (a->sign < 0 && m > 0) ? 0 : m * a->mass_scale;
});

ww_status ww__bodies_arrange(ww_nbody *nbody, int sign) {
    const arranging a = {nbody->column, nbody->sorted,     nbody->index, {nbody->low[0], nbody->low[1], nbody->low[2]},
                         nbody->scale,  nbody->mass_scale, sign};
    return ww_launch(nbody->device, ww_with(arrange, &a), nbody->n);
}
