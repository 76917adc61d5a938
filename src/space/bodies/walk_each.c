/* Forces, a thread for each body: those of a group walk side by side, meet the same nodes, and read the same words at the same
 * time, so that a GPU's warp goes one way and needs no list. Sums go to f64 where the lists of walk.c would be full, in their
 * order: the results are the same bytes. */
#include "space/bodies/walk.h"

/* One body, and what pulled it: in f32 of bodies and single masses, of nodes with moments, in f64 of all before. */
WW_STRUCT(walker, {
    float x;
    float y;
    float z;
    float softening2;
    float bodies[4];
    float nodes[4];
    double sum[4];
});

WW_FUNCTION(
    meet_body, void, (walker * w, float sx, float sy, float sz, float m),
    {
        const float x = sx - w->x;
        const float y = sy - w->y;
        const float z = sz - w->z;
        const float root = inverse_root(fmaf(x, x, fmaf(y, y, fmaf(z, z, w->softening2))));
        const float p = m * root;
        const float f = p * (root * root);
        w->bodies[0] = fmaf(f, x, w->bodies[0]);
        w->bodies[1] = fmaf(f, y, w->bodies[1]);
        w->bodies[2] = fmaf(f, z, w->bodies[2]);
        w->bodies[3] += p;
    },
    walker, inverse_root);

/* As pull_quadrupoles. */
WW_FUNCTION(
    meet_node, void, (walker * w, float sx, float sy, float sz, float m, const node_moments *s),
    {
        const float trace = 0.5f * (s->xx + s->yy + s->zz);
        const float x = sx - w->x;
        const float y = sy - w->y;
        const float z = sz - w->z;
        const float inverse = inverse_root(fmaf(x, x, fmaf(y, y, fmaf(z, z, w->softening2))));
        const float inverse2 = inverse * inverse;
        const float inverse3 = inverse * inverse2;
        const float qx = fmaf(s->xz, z, fmaf(s->xy, y, s->xx * x));
        const float qy = fmaf(s->yz, z, fmaf(s->yy, y, s->xy * x));
        const float qz = fmaf(s->zz, z, fmaf(s->yz, y, s->xz * x));
        const float q = 1.5f * inverse2 * fmaf(z, qz, fmaf(y, qy, x * qx));
        const float f = inverse3 * fmaf(inverse2, fmaf(5.0f, q, -3.0f * trace), m);
        const float t = -3.0f * inverse2 * inverse3;
        w->nodes[0] = fmaf(t, qx, fmaf(f, x, w->nodes[0]));
        w->nodes[1] = fmaf(t, qy, fmaf(f, y, w->nodes[1]));
        w->nodes[2] = fmaf(t, qz, fmaf(f, z, w->nodes[2]));
        w->nodes[3] = fmaf(inverse3, q - trace, fmaf(m, inverse, w->nodes[3]));
    },
    walker, node_moments, inverse_root);

/* The f32 sums go to the f64 ones. */
WW_FUNCTION(
    put_away, void, (walker * w),
    {
        for (int k = 0; k < 4; k++) {
            w->sum[k] += w->bodies[k];
            w->sum[k] += w->nodes[k];
            w->bodies[k] = w->nodes[k] = 0;
        }
    },
    walker);

/* Bodies at … end - 1, which are not of the group; *many are in the sums before. */
WW_FUNCTION(
    meet_bodies, void,
    (const walking *a, walker *w, const double *middle, uint32_t at, uint32_t end, uint32_t *many, uint32_t *nodes),
    {
        const double *bx = a->sorted.x;
        const double *by = a->sorted.y;
        const double *bz = a->sorted.z;
        const double *bm = a->sorted.m;
        const double mx = middle[0];
        const double my = middle[1];
        const double mz = middle[2];
        while (at < end) {
            const uint32_t some = end - at < 64 - *many ? end - at : 64 - *many;
            for (uint32_t k = 0; k < some; k++)
                meet_body(w, (float)(bx[at + k] - mx), (float)(by[at + k] - my), (float)(bz[at + k] - mz),
                          (float)bm[at + k]);
            at += some;
            *many += some;
            if (*many == 64) {
                put_away(w);
                *many = 0;
                *nodes = 0;
            }
        }
    },
    walking, walker, meet_body, put_away);

/* The group's own bodies, from first on; `self` is the walker's. */
WW_FUNCTION(
    meet_group, void, (const walking *a, walker *w, const double *middle, uint32_t first, uint32_t last, uint32_t self),
    {
        for (uint32_t i = first; i < last; i++) {
            const float x = (float)(a->sorted.x[i] - middle[0]) - w->x;
            const float y = (float)(a->sorted.y[i] - middle[1]) - w->y;
            const float z = (float)(a->sorted.z[i] - middle[2]) - w->z;
            const float inverse = inverse_root(fmaf(x, x, fmaf(y, y, fmaf(z, z, w->softening2))));
            const float p = i == self ? 0.0f : (float)a->sorted.m[i] * inverse;
            const float f = p * (inverse * inverse);
            w->sum[0] += f * x;
            w->sum[1] += f * y;
            w->sum[2] += f * z;
            w->sum[3] += p;
        }
    },
    walking, walker, inverse_root);

WW_KERNEL_USES((too_wide), judge, judging, a, rank, {
    const uint32_t begin = (uint32_t)rank * a->walk.group;
    const uint32_t end = a->walk.n - begin < a->walk.group ? (uint32_t)a->walk.n : begin + a->walk.group;
    a->wide[rank] = too_wide(&a->walk, begin, end) ? 1u : 0u;
});

/* First come ranks for bodies of groups that are too wide, those of one group far from each other: in one warp each of them
 * would wait for all others. */
WW_KERNEL_USES((meet_bodies, meet_node, meet_body, meet_group, put_away, walker), walk_each, walking, a, rank, {
    const uint64_t groups = (a->n + a->group - 1) / a->group;
    const bool alone = rank < groups * a->group;
    const uint64_t one = alone ? rank % groups * a->group + rank / groups : rank - groups * a->group;
    const uint32_t self = (uint32_t)one;
    const uint32_t begin = self / a->group * a->group;
    const uint32_t behind = a->n - begin < a->group ? (uint32_t)a->n : begin + a->group;
    if (one >= a->n || alone != (a->wide[begin / a->group] != 0)) return;
    const uint32_t first = alone ? self : begin;
    const uint32_t last = alone ? self + 1 : behind;
    walker w;
    double middle[3];
    float half[3];
    for (int k = 0; k < 3; k++) {
        const double *at = k == 0 ? a->sorted.x : k == 1 ? a->sorted.y : a->sorted.z;
        double low = at[first];
        double high = at[first];
        for (uint32_t i = first + 1; i < last; i++) {
            low = at[i] < low ? at[i] : low;
            high = at[i] > high ? at[i] : high;
        }
        middle[k] = low + (high - low) / 2;
        half[k] = (float)((high - low) / 2) * 1.0000002f;
    }
    w.x = (float)(a->sorted.x[self] - middle[0]);
    w.y = (float)(a->sorted.y[self] - middle[1]);
    w.z = (float)(a->sorted.z[self] - middle[2]);
    w.softening2 = a->softening2;
    for (int k = 0; k < 4; k++) {
        w.bodies[k] = w.nodes[k] = 0;
        w.sum[k] = 0;
    }
    uint64_t sources = last - first;
    uint32_t many = 0;
    uint32_t nodes = 0;
    if (!a->nodes) {
        meet_bodies(a, &w, middle, 0, first, &many, &nodes);
        meet_bodies(a, &w, middle, last, (uint32_t)a->n, &many, &nodes);
        sources = a->n;
    }
    for (uint32_t node = a->nodes ? 0 : 0xffffffffu; node != 0xffffffffu;) {
        const tree_node *of = a->nodes + node;
        const float x = (float)(of->x - middle[0]);
        const float y = (float)(of->y - middle[1]);
        const float z = (float)(of->z - middle[2]);
        const float outx = (x < 0 ? -x : x) - half[0];
        const float outy = (y < 0 ? -y : y) - half[1];
        const float outz = (z < 0 ? -z : z) - half[2];
        const float far = (outx > 0 ? outx * outx : 0) + (outy > 0 ? outy * outy : 0) + (outz > 0 ? outz * outz : 0);
        const bool taken = far > of->open;
        const uint32_t opened = of->child;
        if (taken && a->moments && of->last - of->first > 1 && of->m != 0) {
            meet_node(&w, x, y, z, (float)of->m, a->moments + node);
            nodes++;
            sources++;
        } else if (of->m != 0 && (taken || (!opened && of->open == 0))) {
            /* All of a leaf's bodies are in one place, those of the group among them perhaps. */
            const uint32_t low = of->first > first ? of->first : first;
            const uint32_t high = of->last < last ? of->last : last;
            double m = of->m;
            for (uint32_t i = low; i < high; i++) m -= a->sorted.m[i];
            meet_body(&w, x, y, z, (float)m);
            many++;
            sources++;
        } else if (!opened && of->m != 0) {
            const uint32_t low = of->first > first ? of->first : first;
            const uint32_t high = of->last < last ? of->last : last;
            const uint32_t before = low < high ? low : of->last;
            meet_bodies(a, &w, middle, of->first, before, &many, &nodes);
            sources += before - of->first;
            if (low < high) {
                meet_bodies(a, &w, middle, high, of->last, &many, &nodes);
                sources += of->last - high;
            }
        }
        if (many == 64 || nodes == 64) {
            put_away(&w);
            many = nodes = 0;
        }
        node = taken || !opened || of->m == 0 ? of->next : opened;
    }
    put_away(&w);
    meet_group(a, &w, middle, first, last, self);
    const uint32_t i = a->index[self];
    a->ax[i] = (a->add ? a->ax[i] : 0) + w.sum[0] * a->force_unit;
    a->ay[i] = (a->add ? a->ay[i] : 0) + w.sum[1] * a->force_unit;
    a->az[i] = (a->add ? a->az[i] : 0) + w.sum[2] * a->force_unit;
    a->potential[i] = (a->add ? a->potential[i] : 0) - w.sum[3] * a->potential_unit;
    a->work[self] = (a->add ? a->work[self] : 0) + sources;
});

ww_status ww__bodies_walk_each(ww_device *device, const walking *a, uint32_t *wide) {
    const uint64_t groups = (a->n + a->group - 1) / a->group;
    const judging groups_of = {*a, wide};
    walking each = *a;
    each.wide = wide;
    WW_TRY(ww_launch(device, ww_with(judge, &groups_of), groups));
    return ww_launch(device, ww_with(walk_each, &each), groups * a->group + a->n);
}
