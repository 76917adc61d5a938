/* The order in space: bodies sorted by codes along Hilbert's curve, which have a bit of each coordinate in turn, the highest first.
 * Neighbours in this order are near to each other, and those that share a prefix of their codes are in one cell of the tree. */
#include "space/bodies/bodies.h"
#include "warpwise/sort.h"

WW_STRUCT(coding, {
    const double *x;
    const double *y;
    const double *z;
    double low[3];
    double scale; /* to 2^21 cells a side; in two dimensions 2^31 */
    uint64_t *codes;
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
WW_FUNCTION(cell, uint32_t, (double from_low, double scale, uint32_t last), {
    const double c = from_low * scale;
    return c < (double)last ? (uint32_t)c : last;
});

/* Coordinates of `bits` bits each to the words whose bits in turn are their place on Hilbert's curve (Skilling 2004): from the
 * highest bit down each cell's axes are turned to how the curve goes through it, then Gray's code is undone. */
WW_FUNCTION(hilbert, void, (uint32_t * c, uint32_t dimensions, uint32_t bits), {
    for (uint32_t q = (uint32_t)1 << (bits - 1); q > 1; q >>= 1)
        for (uint32_t k = 0; k < dimensions; k++) {
            const uint32_t set = c[k] & q ? ~(uint32_t)0 : 0;
            const uint32_t other = (c[0] ^ c[k]) & (q - 1) & ~set;
            c[0] ^= (set & (q - 1)) | other;
            c[k] ^= other;
        }
    for (uint32_t k = 1; k < dimensions; k++) c[k] ^= c[k - 1];
    uint32_t turned = 0;
    for (uint32_t q = (uint32_t)1 << (bits - 1); q > 1; q >>= 1) turned ^= c[dimensions - 1] & q ? q - 1 : 0;
    for (uint32_t k = 0; k < dimensions; k++) c[k] ^= turned;
});

WW_FUNCTION(
    code_at, uint64_t, (const coding *a, uint64_t i),
    {
        const uint32_t bits = a->dimensions == 2 ? 31 : 21;
        const uint32_t last = (1u << bits) - 1;
        uint32_t c[3];
        c[0] = cell(a->x[i] - a->low[0], a->scale, last);
        c[1] = cell(a->y[i] - a->low[1], a->scale, last);
        c[2] = cell(a->z[i] - a->low[2], a->scale, last);
        hilbert(c, a->dimensions, bits);
        if (a->dimensions == 2) return every_second(c[0]) << 1 | every_second(c[1]);
        return every_third(c[0]) << 2 | every_third(c[1]) << 1 | every_third(c[2]);
    },
    coding, every_third, every_second, cell, hilbert);

/* A CPU's vectors want a map. On a GPU a code is long work, which a map would give to an eighth of the threads. */
WW_MAP_USES((code_at), code_of, uint64_t, uint64_t, i, coding, a, { return code_at(a, i); });
WW_KERNEL_USES((code_at), write_code, coding, a, rank, { a->codes[rank] = code_at(a, rank); });

ww_status ww__bodies_order(ww_nbody *nbody) {
    const uint64_t n = nbody->n;
    const uint32_t dimensions = nbody->options.dimensions;
    const coding a = {nbody->column.x,
                      nbody->column.y,
                      nbody->column.z,
                      {nbody->low[0], nbody->low[1], nbody->low[2]},
                      nbody->scale * (dimensions == 2 ? 0x1p31 : 0x1p21),
                      nbody->codes,
                      dimensions};
    const ww_array codes = ww_array(nbody->codes, n);
    WW_TRY(nbody->warps ? ww_launch(nbody->device, ww_with(write_code, &a), n)
                        : ww_map(nbody->device, ww_with(code_of, &a), ww_counting(&ww_type_uint64_t, 0, n), codes));
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
