/* What the kernels have in common in which a warp walks, or meets, together: each body's sums, what pulls it, and how lanes share
 * what they have. Part of the texts of walk_warps.c and pairs_warps.c. */
#ifndef WW__BODIES_LANES_H
#define WW__BODIES_LANES_H

#include "space/bodies/walk.h"

/* One body, and what pulled it: in f32 lately, in f64 before. */
WW_STRUCT(walker, {
    float x;
    float y;
    float z;
    float softening2;
    float lately[4];
    double sum[4];
});

WW_FUNCTION(
    clear_walker, void, (walker * w, float softening2),
    {
        w->softening2 = softening2;
        for (int k = 0; k < 4; k++) {
            w->lately[k] = 0;
            w->sum[k] = 0;
        }
    },
    walker);

/* What a lane has found or read, relative to the group's middle. */
WW_STRUCT(lane_source, {
    float x;
    float y;
    float z;
    float m;
});

/* `other` is 0 where the source is the body itself, else 1. */
WW_FUNCTION(
    meet_body, void, (walker * w, float sx, float sy, float sz, float m, float other),
    {
        const float x = sx - w->x;
        const float y = sy - w->y;
        const float z = sz - w->z;
        const float root = ww_rsqrt(fmaf(x, x, fmaf(y, y, fmaf(z, z, w->softening2))));
        const float p = m * root;
        const float f = p * (root * root);
        w->lately[0] = fmaf(f, x, w->lately[0]);
        w->lately[1] = fmaf(f, y, w->lately[1]);
        w->lately[2] = fmaf(f, z, w->lately[2]);
        w->lately[3] = other != 0 ? w->lately[3] + p : w->lately[3];
    },
    walker);

/* As pull_quadrupoles, whose w stands in the place of the trace. */
WW_FUNCTION(
    meet_node, void, (walker * w, float sx, float sy, float sz, float m, node_moments s),
    {
        const float x = sx - w->x;
        const float y = sy - w->y;
        const float z = sz - w->z;
        const float root = ww_rsqrt(fmaf(x, x, fmaf(y, y, fmaf(z, z, w->softening2))));
        const float root2 = root * root;
        const float root5 = root2 * root2 * root;
        const float qx = fmaf(s.xz, z, fmaf(s.xy, y, s.xx * x));
        const float qy = fmaf(s.yz, z, fmaf(s.yy, y, s.xy * x));
        const float qz = fmaf(-(s.xx + s.yy), z, fmaf(s.yz, y, s.xz * x));
        const float p = m * root;
        const float second = root5 * fmaf(z, qz, fmaf(y, qy, fmaf(x, qx, s.trace)));
        const float f = root2 * fmaf(2.5f, second, p);
        w->lately[0] = fmaf(-root5, qx, fmaf(f, x, w->lately[0]));
        w->lately[1] = fmaf(-root5, qy, fmaf(f, y, w->lately[1]));
        w->lately[2] = fmaf(-root5, qz, fmaf(f, z, w->lately[2]));
        w->lately[3] = fmaf(0.5f, second, w->lately[3] + p);
    },
    walker, node_moments);

/* The f32 sums go to the f64 ones. */
WW_FUNCTION(
    put_away, void, (walker * w),
    {
        for (int k = 0; k < 4; k++) {
            w->sum[k] += w->lately[k];
            w->lately[k] = 0;
        }
    },
    walker);

/* Sums over the lanes, the same in each of them: pairs, pairs of pairs, and so on. */
WW_FUNCTION(
    add_lanes, void, (walker * w, uint32_t lane),
    {
        for (uint32_t by = 1; by < WW_WARP; by *= 2)
            for (int k = 0; k < 4; k++) w->sum[k] += ww_double_of_lane(w->sum[k], lane ^ by);
    },
    walker);

/* The box around the lanes' places of one axis: its middle, and (f32, rounded up) half its length. */
WW_FUNCTION(middle_of_lanes, double, (double low, double high, uint32_t lane, float *half), {
    for (uint32_t by = 1; by < WW_WARP; by *= 2) {
        const double lower = ww_double_of_lane(low, lane ^ by);
        const double higher = ww_double_of_lane(high, lane ^ by);
        low = lower < low ? lower : low;
        high = higher > high ? higher : high;
    }
    *half = (float)((high - low) / 2) * 1.0000002f;
    return low + (high - low) / 2;
});

/* The middle of a group's box. */
WW_STRUCT(place, { double x, y, z; });

/* A lane's body, and the box around the lanes' bodies. */
WW_FUNCTION(
    begin_walker, void, (const walking *a, walker *w, uint32_t self, uint32_t lane, place *middle, float *half),
    {
        const double x = a->sorted.x[self];
        const double y = a->sorted.y[self];
        const double z = a->sorted.z[self];
        middle->x = middle_of_lanes(x, x, lane, half);
        middle->y = middle_of_lanes(y, y, lane, half + 1);
        middle->z = middle_of_lanes(z, z, lane, half + 2);
        w->x = (float)(x - middle->x);
        w->y = (float)(y - middle->y);
        w->z = (float)(z - middle->z);
        clear_walker(w, a->softening2);
    },
    walking, walker, place, middle_of_lanes, clear_walker);

/* Adds what pulled sorted body `self` to its place among the caller's. */
WW_FUNCTION(
    give, void, (const walking *a, const walker *w, uint32_t self, uint64_t sources),
    {
        const uint32_t i = a->index[self];
        a->ax[i] = (a->add ? a->ax[i] : 0) + w->sum[0] * a->force_unit;
        a->ay[i] = (a->add ? a->ay[i] : 0) + w->sum[1] * a->force_unit;
        a->az[i] = (a->add ? a->az[i] : 0) + w->sum[2] * a->force_unit;
        a->potential[i] = (a->add ? a->potential[i] : 0) - w->sum[3] * a->potential_unit;
        a->work[self] = (a->add ? a->work[self] : 0) + sources;
    },
    walking, walker);

#endif
