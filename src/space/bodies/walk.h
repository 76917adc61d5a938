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
    uint64_t n;
    uint32_t group;
    float softening2; /* e^2, and at least 2^-80: what is in one place then pulls with no force */
    uint32_t add;
});

/* Whether distances between neighbours get lost in f32 when places are relative to the middle of all. */
WW_FUNCTION(
    too_wide, bool, (const walking *a, uint32_t first, uint32_t last),
    {
        double widest = 0;
        double nearest = 1e300;
        for (uint32_t i = first; i < last; i++) {
            const double x = a->sorted.x[i] - a->sorted.x[first];
            const double y = a->sorted.y[i] - a->sorted.y[first];
            const double z = a->sorted.z[i] - a->sorted.z[first];
            const double far = x * x + y * y + z * z;
            widest = far > widest ? far : widest;
            if (i > first) {
                const double dx = a->sorted.x[i] - a->sorted.x[i - 1];
                const double dy = a->sorted.y[i] - a->sorted.y[i - 1];
                const double dz = a->sorted.z[i] - a->sorted.z[i - 1];
                const double near = dx * dx + dy * dy + dz * dz;
                nearest = near > 0 && near < nearest ? near : nearest;
            }
        }
        nearest = nearest > (double)a->softening2 ? nearest : (double)a->softening2;
        return widest > 1048576.0 * nearest; /* 1024^2 */
    },
    walking);

/* A thread for each body instead of one for each group; the same bytes (walk_each.c). */
ww_status ww__bodies_walk_each(ww_device *device, const walking *a);

#endif
