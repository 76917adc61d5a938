/* What a walk of groups and a walk of each body share: their arguments, and which groups do not walk together. Part of the
 * texts of both kernels. */
#ifndef WW__BODIES_WALK_H
#define WW__BODIES_WALK_H

#include "space/bodies/pull.h"

WW_STRUCT_USES((sorted_bodies, tree_node, node_moments), walking, {
    sorted_bodies sorted;
    const tree_node *nodes; /* NULL: all pairs */
    const node_moments *moments;
    const uint32_t *index;
    uint64_t *work;
    double *ax;
    double *ay;
    double *az;
    double *potential;
    double force_unit;
    double potential_unit;
    const uint32_t *wide; /* of each group, where each body walks for itself; else NULL */
    uint64_t n;
    uint32_t group;
    float softening2; /* e^2, and at least 2^-80: what is in one place then pulls with no force */
    uint32_t add;
});

/* Whether a group's bodies walk one by one: where distances between neighbours get lost in f32 when places are relative to the
 * middle of all, and where the box around them has room for sixteen times its part of all bodies (those far out, from whose
 * box nothing would be far enough). */
WW_FUNCTION(
    too_wide, bool, (const walking *a, uint32_t first, uint32_t last),
    {
        double low[3];
        double high[3];
        double nearest = 1e300;
        for (int k = 0; k < 3; k++) {
            const double *at = k == 0 ? a->sorted.x : k == 1 ? a->sorted.y : a->sorted.z;
            low[k] = high[k] = at[first];
        }
        for (uint32_t i = first + 1; i < last; i++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double *at = k == 0 ? a->sorted.x : k == 1 ? a->sorted.y : a->sorted.z;
                const double step = at[i] - at[i - 1];
                low[k] = at[i] < low[k] ? at[i] : low[k];
                high[k] = at[i] > high[k] ? at[i] : high[k];
                square += step * step;
            }
            nearest = square > 0 && square < nearest ? square : nearest;
        }
        double side = 0;
        double diagonal = 0; /* its square */
        for (int k = 0; k < 3; k++) {
            const double length = high[k] - low[k];
            side = length > side ? length : side;
            diagonal += length * length;
        }
        nearest = nearest > (double)a->softening2 ? nearest : (double)a->softening2;
        return diagonal > 1048576.0 * nearest || /* 1024^2 */
               (a->nodes && side * side * side * (double)a->n > 16.0 * a->group);
    },
    walking);

/* For each group whether it is too wide. */
WW_STRUCT_USES((walking), judging, {
    walking walk;
    uint32_t *wide;
});

/* A thread for each body instead of one for each group; the same bytes (walk_each.c). `wide`: room for a word of each group. */
ww_status ww__bodies_walk_each(ww_device *device, const walking *a, uint32_t *wide);

#endif
