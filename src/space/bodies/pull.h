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
    float xx[64];
    float yy[64];
    float zz[64];
    float xy[64];
    float xz[64];
    float yz[64];
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
IN_EACH_WIDTH void pull_own(const source_list *, uint32_t, const body_group *, uint32_t, float, pulled *);
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

/* The group's own bodies: source j is body j. */
WW_FUNCTION(
    pull_own, void,
    (const source_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, pulled *to),
    {
        for (uint32_t j = 0; j < many; j++)
            for (uint32_t k = row; k < row + 16; k++) {
                const float x = s->x[j] - g->x[k];
                const float y = s->y[j] - g->y[k];
                const float z = s->z[j] - g->z[k];
                const float inverse = inverse_root(fmaf(x, x, fmaf(y, y, fmaf(z, z, softening2))));
                const float p = k == j ? 0.0f : s->m[j] * inverse;
                const float f = p * (inverse * inverse);
                to->x[k] += f * x;
                to->y[k] += f * y;
                to->z[k] += f * z;
                to->potential[k] += p;
            }
    },
    source_list, body_group, pulled, inverse_root);

/* Nodes with second moments S: the potential of the masses around d is -m / R + tr S / (2 R^3) - 3 d'Sd / (2 R^5), with
 * R^2 = d^2 + e^2, and the pull is its gradient. */
WW_FUNCTION(
    pull_quadrupoles, void,
    (const quadrupole_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, partial *to),
    {
        float ax[16];
        float ay[16];
        float az[16];
        float ap[16];
        for (uint32_t k = 0; k < 16; k++) ax[k] = ay[k] = az[k] = ap[k] = 0;
        for (uint32_t j = 0; j < many; j++) {
            const float trace = 0.5f * (s->xx[j] + s->yy[j] + s->zz[j]);
            for (uint32_t k = 0; k < 16; k++) {
                const float x = s->x[j] - g->x[row + k];
                const float y = s->y[j] - g->y[row + k];
                const float z = s->z[j] - g->z[row + k];
                const float inverse = inverse_root(fmaf(x, x, fmaf(y, y, fmaf(z, z, softening2))));
                const float inverse2 = inverse * inverse;
                const float inverse3 = inverse * inverse2;
                const float qx = fmaf(s->xz[j], z, fmaf(s->xy[j], y, s->xx[j] * x));
                const float qy = fmaf(s->yz[j], z, fmaf(s->yy[j], y, s->xy[j] * x));
                const float qz = fmaf(s->zz[j], z, fmaf(s->yz[j], y, s->xz[j] * x));
                const float q = 1.5f * inverse2 * fmaf(z, qz, fmaf(y, qy, x * qx));
                const float f = inverse3 * fmaf(inverse2, fmaf(5.0f, q, -3.0f * trace), s->m[j]);
                const float t = -3.0f * inverse2 * inverse3;
                ax[k] = fmaf(t, qx, fmaf(f, x, ax[k]));
                ay[k] = fmaf(t, qy, fmaf(f, y, ay[k]));
                az[k] = fmaf(t, qz, fmaf(f, z, az[k]));
                ap[k] = fmaf(inverse3, q - trace, fmaf(s->m[j], inverse, ap[k]));
            }
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
