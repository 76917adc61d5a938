/* How a list of sources pulls a group of bodies: loops over sources, and in them over 16 bodies side by side. Part of
 * walk.c, the text of its kernel. */
#ifndef WW__BODIES_PULL_H
#define WW__BODIES_PULL_H

#include "space/bodies/bodies.h"

/* What pulls: 64 of them. */
WW_STRUCT(source_list, {
    float x[64];
    float y[64];
    float z[64];
    float m[64];
});
WW_STRUCT(quadrupole_list, {
    float x[64];
    float y[64];
    float z[64];
    float m[64];
    float xx[64]; /* Q and w, of pull_quadrupoles */
    float yy[64];
    float zz[64];
    float xy[64];
    float xz[64];
    float yz[64];
    float w[64];
});
/* What is pulled: two rows of 16 bodies. */
WW_STRUCT(body_group, {
    float x[32];
    float y[32];
    float z[32];
});
WW_STRUCT(partial, { /* by one list */
                     float x[32];
                     float y[32];
                     float z[32];
                     float potential[32];
});
WW_STRUCT(pulled, {
    double x[32];
    double y[32];
    double z[32];
    double potential[32];
});

/* All of a walk is one function for each vector width: what would be called is compiled for the narrowest. */
#define IN_EACH_WIDTH static inline __attribute__((always_inline, unused))
IN_EACH_WIDTH void add_partial(const partial *, pulled *);
IN_EACH_WIDTH void pull_row(const source_list *, uint32_t, const body_group *, uint32_t, float, partial *);
IN_EACH_WIDTH void pull_own(const source_list *, uint32_t, const body_group *, uint32_t, float, partial *);
IN_EACH_WIDTH void pull_quadrupoles(const quadrupole_list *, uint32_t, const body_group *, uint32_t, float, partial *);

/* A loop of its own, longer than compilers unroll: it is made of vectors. */
WW_FUNCTION(
    add_partial, void, (const partial *of, pulled *to),
    {
        for (uint32_t k = 0; k < 32; k++) {
            to->x[k] += of->x[k];
            to->y[k] += of->y[k];
            to->z[k] += of->z[k];
            to->potential[k] += of->potential[k];
        }
    },
    partial, pulled);

/* Two sources at a time, step for step: each alone is a chain of some twenty operations that wait for one another. `many` is
 * even. The roots are inverse_root's. */
WW_FUNCTION(
    pull_row, void,
    (const source_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, partial *to),
    {
        float gx[16];
        float gy[16];
        float gz[16];
        float ax[16];
        float ay[16];
        float az[16];
        float ap[16];
        for (uint32_t k = 0; k < 16; k++) {
            gx[k] = g->x[row + k];
            gy[k] = g->y[row + k];
            gz[k] = g->z[row + k];
            ax[k] = ay[k] = az[k] = ap[k] = 0;
        }
        for (uint32_t j = 0; j < many; j += 2)
            for (uint32_t k = 0; k < 16; k++) {
                const float x = s->x[j] - gx[k];
                const float u = s->x[j + 1] - gx[k];
                const float y = s->y[j] - gy[k];
                const float v = s->y[j + 1] - gy[k];
                const float z = s->z[j] - gz[k];
                const float w = s->z[j + 1] - gz[k];
                const float a = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening2)));
                const float b = fmaf(u, u, fmaf(v, v, fmaf(w, w, softening2)));
                const float root_a = inverse_root(a);
                const float root_b = inverse_root(b);
                const float p = s->m[j] * root_a;
                const float q = s->m[j + 1] * root_b;
                const float f = p * (root_a * root_a);
                const float g2 = q * (root_b * root_b);
                ax[k] = fmaf(g2, u, fmaf(f, x, ax[k]));
                ay[k] = fmaf(g2, v, fmaf(f, y, ay[k]));
                az[k] = fmaf(g2, w, fmaf(f, z, az[k]));
                ap[k] = ap[k] + p + q;
            }
        for (uint32_t k = 0; k < 16; k++) {
            to->x[row + k] = ax[k];
            to->y[row + k] = ay[k];
            to->z[row + k] = az[k];
            to->potential[row + k] = ap[k];
        }
    },
    source_list, body_group, partial, inverse_root);

/* The group's own bodies, with one of no mass behind an odd number: source j is body j, and does not pull itself. */
WW_FUNCTION(
    pull_own, void,
    (const source_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, partial *to),
    {
        float gx[16];
        float gy[16];
        float gz[16];
        float ax[16];
        float ay[16];
        float az[16];
        float ap[16];
        for (uint32_t k = 0; k < 16; k++) {
            gx[k] = g->x[row + k];
            gy[k] = g->y[row + k];
            gz[k] = g->z[row + k];
            ax[k] = ay[k] = az[k] = ap[k] = 0;
        }
        for (uint32_t j = 0; j < many; j += 2)
            for (uint32_t k = 0; k < 16; k++) {
                const float x = s->x[j] - gx[k];
                const float u = s->x[j + 1] - gx[k];
                const float y = s->y[j] - gy[k];
                const float v = s->y[j + 1] - gy[k];
                const float z = s->z[j] - gz[k];
                const float w = s->z[j + 1] - gz[k];
                const float root_a = inverse_root(fmaf(x, x, fmaf(y, y, fmaf(z, z, softening2))));
                const float root_b = inverse_root(fmaf(u, u, fmaf(v, v, fmaf(w, w, softening2))));
                const float p = row + k == j ? 0.0f : s->m[j] * root_a;
                const float q = row + k == j + 1 ? 0.0f : s->m[j + 1] * root_b;
                const float f = p * (root_a * root_a);
                const float g2 = q * (root_b * root_b);
                ax[k] = fmaf(g2, u, fmaf(f, x, ax[k]));
                ay[k] = fmaf(g2, v, fmaf(f, y, ay[k]));
                az[k] = fmaf(g2, w, fmaf(f, z, az[k]));
                ap[k] = ap[k] + p + q;
            }
        for (uint32_t k = 0; k < 16; k++) {
            to->x[row + k] = ax[k];
            to->y[row + k] = ay[k];
            to->z[row + k] = az[k];
            to->potential[row + k] = ap[k];
        }
    },
    source_list, body_group, partial, inverse_root);

/* Nodes with second moments S: the potential of the masses around d is -m / R + tr S / (2 R^3) - 3 d'Sd / (2 R^5), with
 * R^2 = d^2 + e^2, and the pull is its gradient. With Q = 3 S - tr S, which nodes have, and w = -e^2 tr S that is
 * -m / R - (d'Qd + w) / (2 R^5). Two nodes at a time, `many` is even. */
WW_FUNCTION(
    pull_quadrupoles, void,
    (const quadrupole_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, partial *to),
    {
        float gx[16];
        float gy[16];
        float gz[16];
        float ax[16];
        float ay[16];
        float az[16];
        float ap[16];
        for (uint32_t k = 0; k < 16; k++) {
            gx[k] = g->x[row + k];
            gy[k] = g->y[row + k];
            gz[k] = g->z[row + k];
            ax[k] = ay[k] = az[k] = ap[k] = 0;
        }
        for (uint32_t j = 0; j < many; j += 2)
            for (uint32_t k = 0; k < 16; k++) {
                const float x = s->x[j] - gx[k];
                const float u = s->x[j + 1] - gx[k];
                const float y = s->y[j] - gy[k];
                const float v = s->y[j + 1] - gy[k];
                const float z = s->z[j] - gz[k];
                const float w = s->z[j + 1] - gz[k];
                const float root_a = inverse_root(fmaf(x, x, fmaf(y, y, fmaf(z, z, softening2))));
                const float root_b = inverse_root(fmaf(u, u, fmaf(v, v, fmaf(w, w, softening2))));
                const float a2 = root_a * root_a;
                const float b2 = root_b * root_b;
                const float a5 = a2 * a2 * root_a;
                const float b5 = b2 * b2 * root_b;
                const float qx = fmaf(s->xz[j], z, fmaf(s->xy[j], y, s->xx[j] * x));
                const float qu = fmaf(s->xz[j + 1], w, fmaf(s->xy[j + 1], v, s->xx[j + 1] * u));
                const float qy = fmaf(s->yz[j], z, fmaf(s->yy[j], y, s->xy[j] * x));
                const float qv = fmaf(s->yz[j + 1], w, fmaf(s->yy[j + 1], v, s->xy[j + 1] * u));
                const float qz = fmaf(s->zz[j], z, fmaf(s->yz[j], y, s->xz[j] * x));
                const float qw = fmaf(s->zz[j + 1], w, fmaf(s->yz[j + 1], v, s->xz[j + 1] * u));
                const float p = s->m[j] * root_a;
                const float q = s->m[j + 1] * root_b;
                const float second_a = a5 * fmaf(z, qz, fmaf(y, qy, fmaf(x, qx, s->w[j])));
                const float second_b = b5 * fmaf(w, qw, fmaf(v, qv, fmaf(u, qu, s->w[j + 1])));
                const float f = a2 * fmaf(2.5f, second_a, p);
                const float f2 = b2 * fmaf(2.5f, second_b, q);
                ax[k] = fmaf(-b5, qu, fmaf(f2, u, fmaf(-a5, qx, fmaf(f, x, ax[k]))));
                ay[k] = fmaf(-b5, qv, fmaf(f2, v, fmaf(-a5, qy, fmaf(f, y, ay[k]))));
                az[k] = fmaf(-b5, qw, fmaf(f2, w, fmaf(-a5, qz, fmaf(f, z, az[k]))));
                ap[k] = fmaf(0.5f, second_b, fmaf(0.5f, second_a, ap[k] + p + q));
            }
        for (uint32_t k = 0; k < 16; k++) {
            to->x[row + k] = ax[k];
            to->y[row + k] = ay[k];
            to->z[row + k] = az[k];
            to->potential[row + k] = ap[k];
        }
    },
    quadrupole_list, body_group, partial, inverse_root);

#endif
