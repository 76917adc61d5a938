/* What a walk of groups and a walk of each body share: their arguments, and which groups do not walk together. Part of the
 * texts of both kernels. */
#ifndef WW__BODIES_WALK_H
#define WW__BODIES_WALK_H

#include "space/bodies/pull.h"

WW_STRUCT_USES((sorted_bodies, tree_node, node_places, node_moments, tree_levels), walking, {
    sorted_bodies sorted;
    const tree_node *nodes; /* NULL: all pairs */
    node_places places;
    const node_moments *moments;
    const uint32_t *index;
    uint64_t *work;
    double *ax;
    double *ay;
    double *az;
    double *potential;
    double force_unit;
    double potential_unit;
    const uint8_t *wide;   /* all pairs by warps: of each group, whether it is too wide */
    const uint32_t *alone; /* and these groups */
    uint64_t alone_groups;
    tree_levels *levels; /* the tree by warps: how many groups are taken apart */
    uint32_t *apart;     /* and these groups */
    uint64_t warps;      /* that share their bodies */
    uint32_t crowd;      /* leaves about a group's box from which on it is taken apart */
    uint32_t parts;      /* warps for a group */
    uint32_t common;     /* of more bodies' nodes all parts look at */
    double *part_sums;   /* of each part, of four sums, of each body */
    uint64_t *part_sources;
    uint32_t *marks; /* of each group, whether it is taken apart */
    uint64_t n;
    uint32_t group;
    float softening2; /* e^2, and at least 2^-80: what is in one place then pulls with no force */
    uint32_t add;
    uint32_t digits; /* children of a node, at most */
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

/* Warps instead of ranks: walk_warps.c, pairs_warps.c. */
ww_status ww__bodies_walk_warps(ww_nbody *nbody, walking *a);
ww_status ww__bodies_pairs_warps(ww_nbody *nbody, walking *a);
/* All pairs: finds the groups that are too wide, a->wide, a->alone and how many. */
ww_status ww__bodies_wide_groups(ww_nbody *nbody, walking *a);

#endif
